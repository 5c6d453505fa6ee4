// test/sweep/random.c - the random numbers of sweeps, against published answers and against their laws.
#include "sweep/random.h"

#include "test/check.h"

static void check_words(philox got, const uint32_t expected[4])
{
    for (int i = 0; i < 4; i++) CHECK(got.word[i] == expected[i]);
}

// The known answers of Random123, the authors' own library (philox4x32, 10 rounds).
TEST(philox_gives_the_published_answers)
{
    const uint32_t zeros[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const uint32_t ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    const uint32_t digits[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    check_words(tml__philox((philox){{0, 0, 0, 0}}, 0), zeros);
    check_words(tml__philox((philox){{~0u, ~0u, ~0u, ~0u}}, ~0ull), ones);
    check_words(tml__philox((philox){{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                            0x299f31d0a4093822ull),
                digits);
}

// Moments and the share below each tenth; bounds are five standard errors of 100 000 draws.
TEST(draws_are_spread_as_they_should)
{
    enum {
        COUNT = 100000
    };
    double sum = 0.0;
    double squares = 0.0;
    double normal_sum = 0.0;
    double normal_squares = 0.0;
    double fourth = 0.0;
    int below[10] = {0};
    for (unsigned row = 0; row < COUNT; row++) {
        double u[2];
        tml__uniform_pair(5, row, 3, u);
        CHECK(u[0] > 0.0 && u[0] < 1.0);
        sum += u[0];
        squares += u[0] * u[0];
        for (int k = 0; k < 10; k++) below[k] += u[0] < 0.1 * (k + 1);
        const double z = tml__normal(5, row, 3);
        normal_sum += z;
        normal_squares += z * z;
        fourth += z * z * z * z;
    }
    CHECK_NEAR(sum / COUNT, 0.5, 5.0 * sqrt(1.0 / 12.0 / COUNT));
    CHECK_NEAR(squares / COUNT, 1.0 / 3.0, 5.0 * sqrt(4.0 / 45.0 / COUNT));
    for (int k = 0; k < 10; k++) {
        const double p = 0.1 * (k + 1);
        CHECK_NEAR((double)below[k] / COUNT, p, 5.0 * sqrt(p * (1.0 - p) / COUNT) + 1e-12);
    }
    CHECK_NEAR(normal_sum / COUNT, 0.0, 5.0 * sqrt(1.0 / COUNT));
    CHECK_NEAR(normal_squares / COUNT, 1.0, 5.0 * sqrt(2.0 / COUNT));
    CHECK_NEAR(fourth / COUNT, 3.0, 5.0 * sqrt(96.0 / COUNT));
}

// Neighbours, in rows and in columns and in seeds, know nothing of each other.
TEST(neighbours_are_not_correlated)
{
    enum {
        COUNT = 100000
    };
    double product[3] = {0.0};
    for (unsigned row = 0; row < COUNT; row++) {
        const double z = tml__normal(1, row, 0);
        product[0] += z * tml__normal(1, row + 1, 0);
        product[1] += z * tml__normal(1, row, 1);
        product[2] += z * tml__normal(2, row, 0);
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(product[k] / COUNT, 0.0, 5.0 * sqrt(1.0 / COUNT));
}
