// test/math/random.h - the same random numbers on every machine.
//
// The seed is printed once and can be set: TRAMMEL_TEST_SEED=7 build/test/math_small.
#ifndef TRAMMEL_TEST_MATH_RANDOM_H
#define TRAMMEL_TEST_MATH_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct random_source {
    uint64_t state;
} random_source;

// A source of its own for each test; `salt` tells them apart.
static inline random_source random_start(uint64_t salt)
{
    static int is_printed;
    const char* text = getenv("TRAMMEL_TEST_SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 10) : 1;

    if (!is_printed) printf("seed %llu\n", (unsigned long long)seed);
    is_printed = 1;
    // seeds lie far apart: multiples of the step below would give one stream, shifted
    return (random_source){0x9e3779b97f4a7c15u + (seed - 1) * 0xd1342543de82ef95u + salt};
}

// A counter pushed through a mixer (multiply, fold, twice), so that any seed is a good one.
static inline uint64_t random_bits(random_source* r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [low, high).
static inline double random_between(random_source* r, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(r) >> 11) * 0x1p-53);
}

#endif
