// linalg/sweep.h - KKT systems of trees, factored in one sweep from the leaves to the root.
//                                                                              [VMAX Alg 3-4]
// A node is a body with the rows that tie it to its parent, [ K -D^T ; C E ]. These rows know the body
// and its parent only, so what a node hands to its parent is a 6 x 6 block, and the parent's rows
// are never touched: of the blocks between two nodes only the six columns of the parent's body are kept.
// A factorisation reads the values once, a solve goes over the factor twice.
//
// Rows that close loops are a border: the tree is solved for them, and they for themselves. They must
// be few.
#ifndef TML_LINALG_SWEEP_H
#define TML_LINALG_SWEEP_H

#include "linalg/block.h"
#include "linalg/kkt_internal.h"

enum {
    SWEEP_BORDER = 12  // rows that close loops, at most
};

// Which rows go with which body, found by nodes.c. Copied.
typedef struct sweep_tree {
    const int* parent;  // per body, -1: none
    const int* order;   // all bodies, children before their parents
    const int* owner;   // per row: its body; node_count or more: the row is of the border
    const int* offset;  // per row: its place in the node, after the body's six unknowns
} sweep_tree;

typedef struct sweep sweep;

// Can this tree be swept? Every coupling must be between a body and its parent, and the border short.
bool tml__sweep_fits(const kkt* k, const sweep_tree* tree);

tml_status tml__sweep_create(const kkt* k, const sweep_tree* tree, message* why, sweep** out);
void tml__sweep_destroy(sweep* s, const tml_allocator* memory);

// The best instruction set of this machine is taken on creation. False: this machine lacks it.
bool tml__sweep_use(sweep* s, block_isa isa);

// The values of k, scaled by powers of two. What is read is copied to `frozen` unless that is NULL.
// TML_SINGULAR: *bad_row is a row of the node that failed, -1 when it was the body, or not known.
tml_status tml__sweep_factor(sweep* s, const kkt* k, kkt_values* frozen, int* bad_row);

// Both, as the two calls would, but the first half of the solve goes with the factorisation. In place is
// fine. TML_SINGULAR with *bad_row -1 also where the result is not finite.
typedef struct sweep_sides {
    const kkt* k;
    kkt_values* frozen;
    const double *r, *c;
    double *dx, *dl;
} sweep_sides;

tml_status tml__sweep_factor_solve(sweep* s, const sweep_sides* sides, int* bad_row);

// r, c in, dx, dl out, in place is fine. False: the result is not finite.
bool tml__sweep_solve(sweep* s, const kkt* k, kkt_side side, const double* r, const double* c,
                      double* dx, double* dl);

kkt_statistics tml__sweep_statistics(const sweep* s);

#endif
