// sweep/random.h - random numbers that are functions of where they are used: no state, no order.
#ifndef TML_SWEEP_RANDOM_H
#define TML_SWEEP_RANDOM_H

#include <stdint.h>

// Philox with four words and ten rounds: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011.
typedef struct philox {
    uint32_t word[4];
} philox;

philox tml__philox(philox counter, uint64_t key);

// Two numbers, each uniform in (0, 1) and never at its ends, of a row and a column.
void tml__uniform_pair(uint64_t seed, uint64_t row, uint32_t column, double out[2]);

// One with mean 0 and variance 1.
double tml__normal(uint64_t seed, uint64_t row, uint32_t column);

#endif
