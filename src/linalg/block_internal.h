// linalg/block_internal.h - the block matrix as its creator (block.c) and its kernels see it.
//
// All arrays of this struct but the last are indexed by position, not by node. A factorisation is
// A = (I + L)(D + U) with block-diagonal D, or A = (L + G)(L + G)^T with lower triangular blocks G
// on the diagonal; L, U, D and G replace the values of A. A symmetric matrix of 6 x 6 blocks ends as
// (I + L) D (I + L)^T, with D^-1 in the place of D.
#ifndef TML_LINALG_BLOCK_INTERNAL_H
#define TML_LINALG_BLOCK_INTERNAL_H

#include "linalg/block.h"
#include "linalg/order.h"

enum {
    BLOCK_SIX = 6,         // the width that the kernels are best at
    BLOCK_SIX_STRIDE = 8,  // and its padded columns
    BLOCK_SIX_SIZE = BLOCK_SIX * BLOCK_SIX_STRIDE,
    BLOCK_VECTORS = 4,     // right-hand sides solved together
    BLOCK_LONG = 1 << 16,  // numbers: longer arrays do not stay in the next cache
};

// A pivot smaller than this against the diagonal entry it started from has no correct digit left.
static const double block_lost = 0x1p-50;  // 4 roundings

typedef enum block_task {
    BLOCK_FACTOR_LU,
    BLOCK_FACTOR_CHOLESKY,
    BLOCK_SOLVE_LU,
    BLOCK_SOLVE_LU_TRANSPOSED,
    BLOCK_SOLVE_CHOLESKY,
} block_task;

// block += sum over `count` rows of weight * left * right^T, all 6 wide and padded to 8. Steps are
// doubles between one row and the next.
typedef struct outer_sum {
    double* block;
    int count;
    const double* left;
    const double* right;
    int step;
    const double* weight;
} outer_sum;

// One instruction set.
typedef struct block_kernels {
    // solves work on `count` padded right-hand sides in b->vector; a factorisation returns the
    // position whose pivot failed, everything else -1
    int (*run)(block* b, block_task task, int count);
    void (*add_outer)(const outer_sum* s);
} block_kernels;

struct block {
    tml_allocator allocator;
    block_kind kind;
    block_kind factored_as;
    block_isa isa;
    const block_kernels* kernels;
    elimination e;
    bool is_six;     // every node is 6 wide
    bool is_long;    // see BLOCK_LONG
    int pair_count;  // different pairs of the pattern

    int* width;
    int* stride;
    size_t* at_diagonal;  // offsets into the values; one more than positions or blocks
    size_t* at_lower;
    size_t* at_upper;
    size_t* at_vector;
    double* diagonal;
    double* lower;
    double* upper;       // NULL for Cholesky
    double* reciprocal;  // of the pivots, by at_vector
    int* pivot;          // rows exchanged inside a node, by at_vector
    double* vector;      // BLOCK_VECTORS padded right-hand sides, each vector_length long
    size_t vector_length;
    int* place;       // block of each row in the column being factored
    bool* is_paired;  // per block: a pair of the pattern; the others elimination makes

    // of the last factorisation: largest diagonal entry times block_lost, largest
    // of the same over a pivot, smallest reciprocal of a pivot
    double largest;
    double weakest;
    double strongest;
    block_quality quality;

    int* first;  // by node: its first unknown
};

// NULL when the machine lacks it.
const block_kernels* tml__block_kernels(block_isa isa);

#endif
