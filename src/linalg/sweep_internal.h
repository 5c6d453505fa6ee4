// linalg/sweep_internal.h - a tree as its creator (sweep.c) and its kernels (sweep_numeric.c) see it.
//
// With A_ip, A_pi the blocks between a node i and its parent p, M_i the block of the node after its
// children have been eliminated, and the border (Z, S) last:
//
//     X_i = M_i^-1 A_ip       M_p -= A_pi X_i                                     [VMAX Alg 3]
//     y_i = M_i^-1 b_i,       b_p -= A_pi y_i,       x_i = y_i - X_i x_p          [VMAX Alg 4]
//
// A_ip has the six columns of the parent's body, A_pi its six rows. What a solve reads on its way up lies
// together and without gaps, and so does X, which it reads on its way down: each way is one stream, and
// long mechanisms are as fast as their memory. Only what coupling blocks bring to A_pi, where there are
// any, lies elsewhere.
#ifndef TML_LINALG_SWEEP_INTERNAL_H
#define TML_LINALG_SWEEP_INTERNAL_H

#include "linalg/sweep.h"

// One body and the rows that it owns.
typedef struct sweep_node {
    int parent;
    int width;  // 6 and its rows
    int stride;
    int first_row;   // into the slots
    int first_pair;  // into the pairs
    int pair_count;
    bool has_children;
    bool has_bordered_child;
    bool is_bordered;     // a row of the border is on it, or below it,
    bool has_border;      // is on it
    bool is_first_child;  // of its parent, in the order of elimination: it writes, the others add
    bool is_first_bordered;  // the same among those of the border
    size_t at;               // its numbers: reciprocals of the pivots, then
    int at_pivot;            // rows exchanged,
    int at_M;                // M, factored, by columns,
    int at_reach;            // and A_pi of its rows, by columns of six
    size_t at_X;             // X, by columns
    size_t at_pair;          // A_pi of its body
    size_t at_vector;
} sweep_node;

// A row in its node.
typedef struct sweep_row {
    int row;
    int own, up;  // entries of the body and of its parent; up -1: none
} sweep_row;

typedef enum sweep_task {
    SWEEP_FACTOR,  // with the border's columns, and towards a solution where there is a right-hand side
    SWEEP_SOLVE,
    SWEEP_FINISH,  // a solution that SWEEP_FACTOR has begun, and the border's columns
    SWEEP_SOLVE_TRANSPOSED,
} sweep_task;

// What a sweep works on.
typedef struct sweep_work {
    sweep_task task;
    const kkt* k;         // SWEEP_FACTOR: its values,
    kkt_values* frozen;   // and where they are copied, NULL: nowhere
    const double *r, *c;  // the right-hand side, NULL: none; the result is in s->vector, scaled,
    double *dx, *dl;      // and here unless they are NULL
} sweep_work;

// Answers the body that failed, -1: none.
typedef int sweep_kernel(sweep* s, const sweep_work* work);

struct sweep {
    int node_count;
    sweep_node* node;
    int* order;
    sweep_row* row;   // by node, in their places
    int* pair;        // by node: 2 * pair, and 1 more when the parent comes first in it
    double* numbers;  // of all nodes
    size_t number_count;
    bool is_long;    // see BLOCK_LONG
    double* scale;   // padded like a vector
    double* vector;  // padded unknowns of one right-hand side
    size_t vector_length;
    bool is_pairless;  // of the last factorisation: no coupling blocks
    sweep_kernel* run;

    // the border
    int border_count;
    int border_row[SWEEP_BORDER];
    double border_scale[SWEEP_BORDER];
    double* Z;         // border_count vectors: what a unit multiplier (not scaled) does to the tree
    double* close;     // 6 per entry of the border's rows, scaled: C
    double* border_r;  // a right-hand side of the tree
    double S[SWEEP_BORDER * SWEEP_BORDER];  // factored, by columns
    double S_reciprocal[SWEEP_BORDER];
    int S_pivot[SWEEP_BORDER];

    // of the last factorisation
    double check;      // not zero: a value was not finite
    double largest;    // diagonal entry, times block_lost
    double strongest;  // smallest reciprocal of a pivot
    double weakest;    // largest one
    int weakest_node;
    double most;  // the largest that a reciprocal may be
};

static inline double* sweep_scale(const sweep* s, const sweep_node* n)
{
    return s->scale + n->at_vector;
}

static inline double* sweep_column(const sweep* s, const sweep_node* n, int b)
{
    return s->Z + n->at_vector * (size_t)s->border_count + (size_t)(b * n->stride);
}

// NULL when the machine lacks it.
sweep_kernel* tml__sweep_kernel(block_isa isa);

#endif
