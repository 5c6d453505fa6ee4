// linalg/fronts_internal.h - fronts as their creator (fronts.c) and their kernels see them.
//
// A front has `own` nodes that are eliminated in it and `below` nodes further on that these are coupled
// to. Three dense pieces, all by columns, rows padded to eight:
//
//   panel   own columns: rows of own nodes (padded), then those below        D and L
//   right   own rows (padded), columns of nodes below                        U
//   rest    rows and columns below: what is left for the parent              scratch
//
//   A = (I + L)(D + U), D of 3 x 3 blocks
//
// A symmetric matrix is (I + L) D (I + L)^T: nothing is kept right of the panel, and of rests only the
// rows at and below the diagonal count.
#ifndef TML_LINALG_FRONTS_INTERNAL_H
#define TML_LINALG_FRONTS_INTERNAL_H

#include "base/team.h"
#include "linalg/fronts.h"

#include <stddef.h>

enum {
    NODE = 3,          // unknowns of a node
    NODE_SIZE = 9,     // numbers of a block
    PAD = 8,           // rows of a vector
    STRIP = 24,        // columns eliminated together: whole vectors and whole nodes
    STRIP_NODES = 8,   //
    STRIP_SIZE = 576,  //
    DEPTH = 96,        // inner products at a time: 24 rows of A stay in the first cache
    PACK_SIZE = 24 * DEPTH,
    ROOM = 8,  // numbers beyond what is stored that a vector may reach
};

// Rows of a child's rest that follow each other in its parent too.
typedef struct front_run {
    int from, to, count;  // unknowns; `to` counts own ones from 0, those below from `right`
} front_run;

typedef struct front {
    int own, below;       // nodes
    int first;            // position of its first own node
    int parent;           // front, -1: none
    int child, next;      // the first child, and the next of the same parent; -1: none
    int rows_at;          // of its nodes below, in fronts.below
    int map_at;           // of the same nodes, in fronts.map: where the parent has them
    int run_at, runs;     // in fronts.runs
    int taken;            // the first of its nodes below: those that the parent eliminates,
    int runs_taken;       // and the runs of these
    int value_at;         // its blocks of the matrix, in fronts.load; up to the next front's
    int own_rows;         // 3 own, padded
    int below_rows;       // 3 below, padded
    size_t panel, right;  // in fronts.factor
    size_t rest;          // in fronts.scratch
} front;

// A block of the matrix and where it goes: into a panel, or into what is right of it.
typedef struct front_load {
    int value;  // block
    bool is_right;
    int row, column;  // of the panel or of what is right
} front_load;

// Fronts that depend on no others: one thread takes all of a branch.
typedef struct front_branch {
    int first, last;  // fronts [first, last)
    int thread;
} front_branch;

typedef struct fronts_kernels {
    // of fronts [first, last); the position whose pivot failed, or -1
    int (*factor)(fronts* f, int first, int last, double shift);
    void (*solve)(fronts* f, double* x);
} fronts_kernels;

struct fronts {
    tml_allocator allocator;
    block_kind kind;
    const fronts_kernels* kernels;
    int node_count;
    int front_count;
    int* position;  // per node
    int* node;      // per position
    front* all;     // one more
    int* below;     // positions
    int* map;       // per node below: its place among the parent's nodes
    front_run* runs;
    front_load* load;
    // the matrix
    int block_count;
    int* column_start;  // per node and one more: its blocks, their rows ascending
    int* row;           // per block
    double* value;      // NODE_SIZE per block
    // the factor
    double* factor;
    double* inverse;  // NODE_SIZE per position: D^-1, by columns
    double* scratch;  // rests
    double* vector;  // STRIP_SIZE for a strip, PACK_SIZE, and the longest column of a front, padded
    double* turned;  // symmetric: DEPTH rows as long as that column, D L^T of columns at hand
    double* x;       // right-hand side by positions
    // shared work (fronts_share.c); nothing of it shows in the numbers
    team* team;  // borrowed; NULL: the caller alone
    int branch_count;
    front_branch* branches;  // by their fronts
    double* vectors;         // `vector` for each thread but the caller
    size_t vector_size;
    double pivot;
    bool is_definite;  // all pivots were, in the last factorisation of a symmetric matrix
    fronts_statistics statistics;
};

static inline int padded(int rows) { return (rows + PAD - 1) / PAD * PAD; }

// Sums and products of one front, as if it were not symmetric.
static inline double front_flops(const front* at)
{
    const double w = NODE * at->own;
    const double b = NODE * at->below;
    return 2.0 / 3.0 * w * w * w + 2.0 * w * w * b + 2.0 * w * b * b;
}

// Where the rests of fronts [first, last) are, from `base` on; those of branches only where they are asked for by
// themselves. Returns where they end. `alive`: room for a number per front. (fronts.c)
size_t tml__fronts_place_rests(fronts* f, const front_branch* within, size_t base, int* alive);

// All fronts, branches by the team.
int tml__fronts_factor_all(fronts* f, double shift);
void tml__fronts_unshare(fronts* f);

// NULL where the machine lacks the set.
const fronts_kernels* tml__fronts_kernels(block_isa isa);
const fronts_kernels* tml__fronts_symmetric(block_isa isa);

#endif
