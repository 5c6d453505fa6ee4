// linalg/krylov.h - sparse systems of 3 x 3 blocks that are too large to factor.              [notes 6]
//
// The same matrices as linalg/fronts.h, whose factor grows faster than they do. Here nothing is kept but the
// matrix, a factor that keeps to its pattern, and eight vectors: conjugate gradients in the form for
// unsymmetric matrices (BiCGSTAB, van der Vorst 1992), preconditioned by that incomplete factor. Of a
// chain or tree whose nodes are numbered from the tips it is the factor itself, and one iteration is enough.
#ifndef TML_LINALG_KRYLOV_H
#define TML_LINALG_KRYLOV_H

#include "linalg/block.h"

typedef struct krylov krylov;  // opaque

// Widths must be NULL and no node may be late: all are three wide.
tml_status tml__krylov_create(const block_pattern* pattern, const tml_allocator* allocator,
                              message* why, krylov** out);
void tml__krylov_destroy(krylov* k);  // NULL is fine

void tml__krylov_clear(krylov* k);  // all values to zero

// Where the block of row node a and column node c is added up: column-major, columns 3 apart. Good
// for the life of the object. NULL: not in the pattern.
double* tml__krylov_at(krylov* k, int a, int c);

// The incomplete factor of the values. TML_SINGULAR: a node's own block has no inverse; *bad_node is the
// node, NULL if nobody asks.
tml_status tml__krylov_prepare(krylov* k, int* bad_node);

// Solve in place until `tolerance` of the right-hand side is left of it, in the Euclidean norm.
// TML_NOT_CONVERGED: more than `most` iterations, or no further progress; x is as good as it became.
typedef struct krylov_report {
    int iterations;
    double rest;  // of the right-hand side
} krylov_report;

tml_status tml__krylov_solve(krylov* k, double tolerance, int most, double* x,
                             krylov_report* report);

long long tml__krylov_blocks(const krylov* k);

#endif
