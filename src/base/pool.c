// base/pool.c - a list of blocks that die together.
#include "base/pool.h"

#include "base/memory.h"

#include <string.h>

typedef struct pool_block {
    struct pool_block* next;
    size_t capacity;
    size_t used;
    _Alignas(16) unsigned char memory[];
} pool_block;

enum {
    BLOCK_BYTES = 1 << 14
};

void* tml__pool_take(pool* p, size_t count, size_t size)
{
    size_t bytes = 0;
    size_t total = 0;
    if (!tml__size_mul(count, size, &bytes) || !tml__size_add(bytes, 15, &bytes)) return NULL;
    bytes &= ~(size_t)15;

    if (p->first == NULL || p->first->capacity - p->first->used < bytes) {
        const size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        if (!tml__size_add(capacity, sizeof(pool_block), &total)) return NULL;
        pool_block* block = tml__allocate(p->allocator, 1, total);
        if (block == NULL) return NULL;
        block->capacity = capacity;
        block->next = p->first;
        p->first = block;
    }
    void* memory = p->first->memory + p->first->used;
    p->first->used += bytes;
    return memory;
}

void* tml__pool_copy(pool* p, const void* data, size_t count, size_t size)
{
    void* copy = tml__pool_take(p, count, size);
    if (copy != NULL && count > 0 && data != NULL) memcpy(copy, data, count * size);
    return copy;
}

char* tml__pool_text(pool* p, const char* text)
{
    return tml__pool_copy(p, text, strlen(text) + 1, 1);
}

void tml__pool_destroy(pool* p)
{
    while (p->first != NULL) {
        pool_block* block = p->first;
        p->first = block->next;
        tml__release(p->allocator, block);
    }
}
