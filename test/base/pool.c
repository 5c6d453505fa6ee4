// test/base/pool.c - memory that is freed all together.
#include "base/pool.h"

#include "test/check.h"

#include <stdint.h>

// Many blocks of growing size, each filled with its own byte: none may run into another.
TEST(blocks_are_zeroed_aligned_and_apart)
{
    enum {
        COUNT = 200
    };
    pool p = {.first = NULL};
    unsigned char* block[COUNT];

    for (size_t k = 0; k < COUNT; k++) {
        const size_t bytes = k * k;  // the largest are longer than a block of the pool
        block[k] = tml__pool_take(&p, bytes, 1);
        CHECK(block[k] != NULL);
        if (block[k] == NULL) continue;
        CHECK((uintptr_t)block[k] % 16 == 0);
        for (size_t i = 0; i < bytes; i++) {
            if (block[k][i] != 0) CHECK(block[k][i] == 0);
        }
        memset(block[k], (int)(k + 1) & 0xff, bytes);
    }
    for (size_t k = 0; k < COUNT; k++) {
        int is_kept = 1;
        for (size_t i = 0; i < k * k; i++) is_kept = is_kept && block[k][i] == ((k + 1) & 0xff);
        CHECK(is_kept);
    }
    tml__pool_destroy(&p);
    CHECK(p.first == NULL);
}

TEST(copies_are_separate_from_what_they_copy)
{
    pool p = {.first = NULL};
    double numbers[3] = {1.0, 2.0, 3.0};
    char text[] = "knee";
    const double* kept_numbers = tml__pool_copy(&p, numbers, 3, sizeof numbers[0]);
    const char* kept_text = tml__pool_text(&p, text);

    numbers[1] = 9.0;
    text[0] = 'x';
    CHECK(kept_numbers != NULL && kept_numbers[1] == 2.0 && kept_numbers[2] == 3.0);
    CHECK_TEXT(kept_text, "knee");
    tml__pool_destroy(&p);
}

TEST(sizes_that_overflow_are_refused)
{
    pool p = {.first = NULL};
    CHECK(tml__pool_take(&p, SIZE_MAX / 8 + 1, 8) == NULL);
    CHECK(tml__pool_take(&p, SIZE_MAX, 1) == NULL);
    CHECK(tml__pool_take(&p, SIZE_MAX - 40, 1) == NULL);
    CHECK(tml__pool_take(&p, 0, 8) != NULL);
    tml__pool_destroy(&p);
}

TEST(an_empty_pool_may_be_destroyed)
{
    pool p = {.first = NULL};
    tml__pool_destroy(&p);
    CHECK(p.first == NULL);
}
