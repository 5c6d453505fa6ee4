// base/memory.c - checked allocation and the scratch arena.
//
// Every block is aligned to a cache line so that the block kernels of linalg/ may load whole
// vectors. The caller's allocator only promises malloc's alignment, so we over-allocate and keep
// the original pointer just below the block.
#if defined(__linux__)
#define _DEFAULT_SOURCE  // NOLINT: the name is glibc's own
#endif
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum {
    ALIGNMENT = 64,
    LARGE_PAGE = 1 << 21
};

// Long mechanisms go through their arrays from end to end: with small pages they wait for addresses as
// long as for numbers. So a block that fills large pages begins with one, and asks for them: a hint
// that the system may ignore. What is left free before it is never touched, and costs addresses only.
static size_t alignment_of(size_t bytes, bool is_custom)
{
#if defined(MADV_HUGEPAGE)
    return bytes >= LARGE_PAGE && !is_custom ? LARGE_PAGE : ALIGNMENT;
#else
    (void)bytes;
    (void)is_custom;
    return ALIGNMENT;
#endif
}

static void prefer_large_pages(unsigned char* block, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    madvise(block, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

bool tml__size_mul(size_t a, size_t b, size_t* product)
{
    return !__builtin_mul_overflow(a, b, product);
}

bool tml__size_add(size_t a, size_t b, size_t* sum) { return !__builtin_add_overflow(a, b, sum); }

void* tml__allocate(const tml_allocator* allocator, size_t count, size_t size)
{
    size_t bytes = 0;
    size_t total = 0;
    if (!tml__size_mul(count, size, &bytes)) return NULL;
    const bool is_custom = allocator != NULL && allocator->allocate != NULL;
    const size_t alignment = alignment_of(bytes, is_custom);
    if (!tml__size_add(bytes, alignment + sizeof(void*), &total)) return NULL;

    unsigned char* raw = is_custom ? allocator->allocate(allocator->context, total) : malloc(total);
    if (raw == NULL) return NULL;

    const uintptr_t first = (uintptr_t)raw + sizeof(void*);
    const size_t pad = (alignment - first % alignment) % alignment;
    unsigned char* block = raw + sizeof(void*) + pad;

    if (alignment == LARGE_PAGE) prefer_large_pages(block, bytes);
    memcpy(block - sizeof(void*), &raw, sizeof raw);
    memset(block, 0, bytes);
    return block;
}

void tml__release(const tml_allocator* allocator, void* memory)
{
    if (memory == NULL) return;

    void* raw = NULL;
    memcpy(&raw, (unsigned char*)memory - sizeof raw, sizeof raw);

    if (allocator != NULL && allocator->release != NULL) {
        allocator->release(allocator->context, raw);
    } else {
        free(raw);
    }
}

tml_status tml__arena_create(arena* a, const tml_allocator* allocator, size_t capacity)
{
    *a = (arena){.memory = tml__allocate(allocator, capacity, 1), .capacity = capacity};
    return a->memory != NULL ? TML_OK : TML_NO_MEMORY;
}

void tml__arena_destroy(arena* a, const tml_allocator* allocator)
{
    tml__release(allocator, a->memory);
    *a = (arena){0};
}

arena_mark tml__arena_enter(arena* a) { return a->used; }

size_t tml__arena_bytes(size_t count, size_t size)
{
    size_t bytes = 0;
    size_t padded = 0;
    if (!tml__size_mul(count, size, &bytes)) return SIZE_MAX;  // fits in no arena
    if (!tml__size_add(bytes, ALIGNMENT - 1, &padded)) return SIZE_MAX;
    return padded / ALIGNMENT * ALIGNMENT;
}

void* tml__arena_take(arena* a, size_t count, size_t size)
{
    const size_t bytes = tml__arena_bytes(count, size);
    if (bytes > a->capacity - a->used) return NULL;

    void* block = a->memory + a->used;
    a->used += bytes;
    if (a->used > a->peak) a->peak = a->used;
#ifndef NDEBUG
    memset(block, 0xff, bytes);  // NaN as a double: reading what nobody wrote shows at once
#endif
    return block;
}

void tml__arena_leave(arena* a, arena_mark mark) { a->used = mark; }
