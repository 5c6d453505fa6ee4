// sweep/random.c - Philox 4x32-10, and what distributions need of it.
#include "sweep/random.h"

#include "math/scalar.h"

enum {
    ROUNDS = 10
};

// The constants are those of the paper: two multipliers, and the golden ratio and sqrt(3) - 1 as keys grow.
static const uint64_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t growth[2] = {0x9E3779B9u, 0xBB67AE85u};

philox tml__philox(philox c, uint64_t key)
{
    uint32_t k0 = (uint32_t)key;
    uint32_t k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t a = multiplier[0] * c.word[0];
        const uint64_t b = multiplier[1] * c.word[2];
        c = (philox){{(uint32_t)(b >> 32) ^ c.word[1] ^ k0, (uint32_t)b,
                      (uint32_t)(a >> 32) ^ c.word[3] ^ k1, (uint32_t)a}};
        k0 += growth[0];
        k1 += growth[1];
    }
    return c;
}

// The middle of one of 2^52 equal intervals: exact.
static double in_unit(uint32_t high, uint32_t low)
{
    const uint64_t bits = ((uint64_t)high << 32 | low) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}

void tml__uniform_pair(uint64_t seed, uint64_t row, uint32_t column, double out[2])
{
    const philox r = tml__philox((philox){{(uint32_t)row, (uint32_t)(row >> 32), column, 0}}, seed);
    out[0] = in_unit(r.word[0], r.word[1]);
    out[1] = in_unit(r.word[2], r.word[3]);
}

// Box and Muller: a radius and an angle.
double tml__normal(uint64_t seed, uint64_t row, uint32_t column)
{
    double u[2];
    tml__uniform_pair(seed, row, column, u);
    return sqrt(-2.0 * tml__log(u[0])) * tml__cos(2.0 * TML_PI * u[1]);
}
