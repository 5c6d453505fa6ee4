// test/base/memory.c - checked sizes, alignment, failing allocators and the scratch arena.
#include "base/memory.h"

#include "test/check.h"

#include <stdint.h>

// An allocator that counts, and fails when it is told to.
typedef struct counter {
    int live;
    int taken;
    int fail_at;  // 0: never
} counter;

static void* counted_allocate(void* context, size_t bytes)
{
    counter* c = context;
    c->taken++;
    if (c->taken == c->fail_at) return NULL;
    c->live++;
    return malloc(bytes);
}

static void counted_release(void* context, void* memory)
{
    counter* c = context;
    c->live--;
    free(memory);
}

static tml_allocator counting(counter* c)
{
    return (tml_allocator){counted_allocate, counted_release, c};
}

TEST(sizes_that_do_not_fit_are_refused)
{
    size_t result = 0;
    CHECK(tml__size_mul(3, 7, &result) && result == 21);
    CHECK(tml__size_mul(0, SIZE_MAX, &result) && result == 0);
    CHECK(tml__size_mul(SIZE_MAX, 1, &result) && result == SIZE_MAX);
    CHECK(!tml__size_mul(SIZE_MAX / 2 + 1, 2, &result));
    CHECK(tml__size_add(SIZE_MAX - 1, 1, &result) && result == SIZE_MAX);
    CHECK(!tml__size_add(SIZE_MAX, 1, &result));
}

TEST(allocation_of_too_much_is_null_and_never_reaches_the_allocator)
{
    counter c = {0};
    const tml_allocator allocator = counting(&c);
    CHECK(tml__allocate(&allocator, SIZE_MAX / 8 + 1, 8) == NULL);
    CHECK(tml__allocate(&allocator, SIZE_MAX - 8, 1) == NULL);
    CHECK(c.taken == 0);
}

static void check_block(const tml_allocator* source, size_t bytes)
{
    unsigned char* block = tml__allocate(source, bytes, 1);
    CHECK(block != NULL);
    if (block == NULL) return;
    CHECK((uintptr_t)block % 64 == 0);
    unsigned sum = 0;
    for (size_t i = 0; i < bytes; i++) sum += block[i];
    CHECK(sum == 0);
    memset(block, 0xa5, bytes);
    tml__release(source, block);
}

TEST(blocks_are_zeroed_aligned_and_wholly_writable)
{
    counter c = {0};
    const tml_allocator allocator = counting(&c);
    const tml_allocator* sources[] = {NULL, &(tml_allocator){0}, &allocator};
    for (int s = 0; s < 3; s++) {
        for (size_t bytes = 0; bytes < 300; bytes += 7) check_block(sources[s], bytes);
    }
    CHECK(c.taken == 43 && c.live == 0);
}

// Blocks that fill large pages are laid out in another way; their ends must be theirs all the same.
TEST(large_blocks_are_zeroed_aligned_and_wholly_writable)
{
    counter c = {0};
    const tml_allocator allocator = counting(&c);
    const tml_allocator* sources[] = {NULL, &allocator};
    for (int s = 0; s < 2; s++) {
        for (size_t bytes = (1U << 21) - 1; bytes <= (1U << 22) + 1; bytes += (1U << 19) + 1) {
            check_block(sources[s], bytes);
        }
    }
    CHECK(c.taken == 4 && c.live == 0);
}

TEST(release_of_null_is_fine)
{
    counter c = {0};
    const tml_allocator allocator = counting(&c);
    tml__release(&allocator, NULL);
    tml__release(NULL, NULL);
    CHECK(c.live == 0);
}

TEST(failing_allocator_gives_null_and_a_status)
{
    counter c = {.fail_at = 1};
    const tml_allocator allocator = counting(&c);
    CHECK(tml__allocate(&allocator, 4, 8) == NULL);

    c.taken = 0;
    arena a;
    CHECK(tml__arena_create(&a, &allocator, 1024) == TML_NO_MEMORY);
    tml__arena_destroy(&a, &allocator);
    CHECK(c.live == 0);
}

TEST(arena_hands_out_aligned_disjoint_blocks_until_it_is_full)
{
    arena a;
    CHECK(tml__arena_create(&a, NULL, tml__arena_bytes(3, 8) + tml__arena_bytes(9, 8)) == TML_OK);

    double* first = tml__arena_take(&a, 3, 8);
    double* second = tml__arena_take(&a, 9, 8);
    CHECK(first != NULL && second != NULL);
    CHECK((uintptr_t)first % 64 == 0 && (uintptr_t)second % 64 == 0);
    CHECK(second >= first + 3);
    CHECK(tml__arena_take(&a, 1, 1) == NULL);
    CHECK(tml__arena_take(&a, 0, 8) != NULL);  // nothing always fits
    tml__arena_destroy(&a, NULL);
    CHECK(a.memory == NULL && a.capacity == 0);
}

TEST(arena_scopes_nest_and_keep_the_peak)
{
    arena a;
    CHECK(tml__arena_create(&a, NULL, 4096) == TML_OK);
    const arena_mark outer = tml__arena_enter(&a);
    const void* kept = tml__arena_take(&a, 10, 8);
    const arena_mark inner = tml__arena_enter(&a);
    const void* scratch = tml__arena_take(&a, 100, 8);
    tml__arena_leave(&a, inner);
    const void* again = tml__arena_take(&a, 100, 8);

    CHECK(kept != NULL && scratch != NULL && scratch == again);
    CHECK(a.peak == tml__arena_bytes(10, 8) + tml__arena_bytes(100, 8));
    tml__arena_leave(&a, outer);
    CHECK(a.used == 0);
    tml__arena_destroy(&a, NULL);
}

// A count times a size that wraps round must not look like a small block.
TEST(arena_refuses_sizes_that_overflow)
{
    arena a;
    CHECK(tml__arena_create(&a, NULL, 4096) == TML_OK);
    CHECK(tml__arena_take(&a, SIZE_MAX / 8 + 2, 8) == NULL);
    CHECK(tml__arena_take(&a, SIZE_MAX, 1) == NULL);
    CHECK(a.used == 0);
    tml__arena_destroy(&a, NULL);
}

#ifndef NDEBUG
TEST(arena_memory_reads_as_nan_before_it_is_written)
{
    arena a;
    CHECK(tml__arena_create(&a, NULL, 4096) == TML_OK);
    const double* block = tml__arena_take(&a, 5, sizeof *block);
    CHECK(block != NULL);
    for (int i = 0; block != NULL && i < 5; i++) CHECK(isnan(block[i]));
    tml__arena_destroy(&a, NULL);
}
#endif
