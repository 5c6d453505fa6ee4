// linalg/block.h - the block engine: sparse matrices of small dense blocks on a graph of nodes.
//
// A node is 1 to 12 unknowns wide (3: a particle, 6: a rigid body, 12: an affine body); widths may
// differ in one matrix. The pattern is symmetric and stated once; it is ordered and analysed when
// the object is created, where also all memory is taken. Then, as often as wanted:
//
//     clear, add to the blocks, factor, solve, solve_transposed
//
// Values need not be symmetric (BLOCK_LU, no pivoting between nodes, partial pivoting inside a
// node), or are symmetric and positive definite (BLOCK_CHOLESKY, half the work and memory). Every
// instruction set gives the same bits.
#ifndef TML_LINALG_BLOCK_H
#define TML_LINALG_BLOCK_H

#include "base/message.h"

#include <stdbool.h>

enum {
    BLOCK_MAX_WIDTH = 12
};

typedef enum block_kind {
    BLOCK_LU,
    BLOCK_CHOLESKY,  // only the blocks on one side of the diagonal are stored
} block_kind;

typedef enum block_isa {
    BLOCK_PLAIN,  // plain C, the twin of the others; compilers make good SSE2 of it
    BLOCK_AVX2,
    BLOCK_AVX512,
} block_isa;

typedef struct block_pattern {
    int node_count;
    const int* width;  // per node; NULL: all 6
    int pair_count;
    const int* pair_node;  // 2 per pair: different nodes that are coupled; repeats are fine
    const bool* is_late;   // per node: eliminated after its neighbours that are not; NULL: none
} block_pattern;

typedef struct block block;  // opaque

tml_status tml__block_create(const block_pattern* pattern, block_kind kind,
                             const tml_allocator* allocator, message* why, block** out);
// The same with the last `last_count` nodes of the list eliminated after all others, in their order.
tml_status tml__block_create_last(const block_pattern* pattern, int last_count, block_kind kind,
                                  const tml_allocator* allocator, message* why, block** out);
void tml__block_destroy(block* b);  // NULL is fine

// The best instruction set of this machine is taken on creation. False: this machine lacks it.
bool tml__block_use(block* b, block_isa isa);
block_isa tml__block_isa(const block* b);

void tml__block_clear(block* b);  // all values to zero, factor forgotten

// The same of what a factorisation of that kind reads; the diagonal blocks are left to the caller.
void tml__block_clear_below(block* b, block_kind kind);

// Where the block of row node a and column node c is added up: column-major, columns
// tml__block_stride(width of a) apart, the rows beyond the width untouched. The address is good for
// the life of the object. NULL: not in the pattern, or the side that a Cholesky factor does
// not store.
double* tml__block_at(block* b, int a, int c);
int tml__block_stride(int width);

// Replaces the values by their factor; they must be cleared and written again before the next one.
// TML_SINGULAR: a pivot vanished, the matrix was not positive definite, or entries grew beyond use;
// *bad_node is the node, NULL if nobody asks.
tml_status tml__block_factor(block* b, int* bad_node);

// A BLOCK_LU matrix whose values happen to be symmetric and positive definite can be factored as
// BLOCK_CHOLESKY: the blocks that one would not store are then neither read nor written. Solves follow
// the last factorisation.
tml_status tml__block_factor_as(block* b, block_kind kind, int* bad_node);

// How the last factorisation went.
typedef struct block_quality {
    double pivot;   // the smallest pivot relative to its diagonal entry before elimination
    double growth;  // the largest pivot relative to the largest diagonal entry
} block_quality;

block_quality tml__block_quality(const block* b);

// Solve in place for `count` right-hand sides, one after the other, each in the order of the nodes
// without padding.
void tml__block_solve(block* b, int count, double* x);
void tml__block_solve_transposed(block* b, int count, double* x);

typedef struct block_statistics {
    int unknowns;
    int blocks;         // of the factor: the diagonal ones and those on one side
    int fill;           // of these, not in the pattern
    long long entries;  // doubles of the factor, padding included
    double flops;       // of one factorisation
} block_statistics;

block_statistics tml__block_statistics(const block* b);

#endif
