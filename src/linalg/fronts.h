// linalg/fronts.h - factors of large sparse matrices of 3 x 3 blocks by dense fronts.   [notes 9.7]
//
// The same as linalg/block.h for nodes of three unknowns, where the factor is large: nets, grids,
// solids. Columns of the factor with nearly the same rows are kept together as dense panels,
// so that the work is done by products of large dense matrices. The pattern is symmetric, values need
// not be (BLOCK_LU), or are (BLOCK_CHOLESKY, half the work and memory): then (I + L) D (I + L)^T is found,
// which need not be definite. No pivoting between nodes; the 3 x 3 pivot of a node is inverted as a
// whole. Every instruction set gives the same bits. Values stay after a factorisation, so that solutions can be refined.
#ifndef TML_LINALG_FRONTS_H
#define TML_LINALG_FRONTS_H

#include "base/team.h"
#include "linalg/block.h"

typedef struct fronts fronts;  // opaque

// Widths must be NULL and no node may be late: all are three wide.
tml_status tml__fronts_create(const block_pattern* pattern, block_kind kind,
                              const tml_allocator* allocator, message* why, fronts** out);
// The same by nested dissection alone: half of the time, and no memory but that of the allocator, which
// may be an arena.
tml_status tml__fronts_create_dissected(const block_pattern* pattern, block_kind kind,
                                        const tml_allocator* allocator, message* why, fronts** out);
void tml__fronts_destroy(fronts* f);  // NULL is fine

// The best instruction set of this machine is taken on creation. False: this machine lacks it.
bool tml__fronts_use(fronts* f, block_isa isa);

// Let a team factor branches that do not depend on each other side by side; the team must outlive it. The bits are
// the same. Not for symmetric matrices, and nothing happens where there is little to do.
tml_status tml__fronts_share(fronts* f, team* t);

void tml__fronts_clear(fronts* f);  // all values to zero

// Where the block of row node a and column node c is added up: column-major, columns 3 apart. Good
// for the life of the object. NULL: not in the pattern, or the side that a symmetric matrix does not
// store.
double* tml__fronts_at(fronts* f, int a, int c);

// Values are read, not replaced. `shift` times the largest diagonal entry is added to the diagonal: where
// rows imply each other. TML_SINGULAR: a pivot vanished; *bad_node is its node, NULL if nobody asks.
tml_status tml__fronts_factor(fronts* f, double shift, int* bad_node);

// The smallest pivot of the last factorisation relative to its diagonal block before.
double tml__fronts_pivot(const fronts* f);

// Was a symmetric matrix positive definite, by its last factorisation?
bool tml__fronts_is_definite(const fronts* f);

// Solve in place for `count` right-hand sides, one after the other, three numbers a node in the order of
// the nodes.
void tml__fronts_solve(fronts* f, int count, double* x);

// y -= A x, by the values.
void tml__fronts_subtract_product(const fronts* f, const double* x, double* y);

typedef struct fronts_statistics {
    int fronts;
    int largest;        // unknowns of the largest one
    bool is_dissected;  // the order is one of nested dissection, else of minimum degree
    long long entries;  // doubles of the factor, padding included
    double flops;       // of one factorisation
    double shared;      // the part of them that threads share
} fronts_statistics;

fronts_statistics tml__fronts_statistics(const fronts* f);

#endif
