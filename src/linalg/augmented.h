// linalg/augmented.h - the state of the augmented engine, shared by augmented.c, augmented_factor.c,
// augmented_solve.c, accelerate.c and least_norm.c.
//
// Vectors and K are kept in the order of elimination, padded to 8 per node, and rows to 8 per
// entry, so that the kernels run over them without copying.
#ifndef TML_LINALG_AUGMENTED_H
#define TML_LINALG_AUGMENTED_H

#include "linalg/block_internal.h"
#include "linalg/kkt_internal.h"
#include "linalg/row_kernels.h"

#include <math.h>

enum {
    PAD = BLOCK_SIX_STRIDE,
    BLOCK_SIZE = BLOCK_SIX_SIZE,
    EXACT_PASSES = 30,  // a solve that may take so many is meant to be exact
};

// Penalties over the heaviest node, unless light ones would lose their digits.
static const double augmented_kappa_max = 1e6;

typedef enum factored {
    FACTORED_NOTHING,
    FACTORED_SYSTEM,      // K + C^T P C
    FACTORED_PROJECTION,  // I + C^T Q C, for least-norm multipliers
} factored;

typedef struct augmented {
    block* a;
    const row_kernels* kernels;
    factored is;
    bool is_general;  // the symmetric part has failed to do: LU until the engine forgets it
    double kappa[2];  // penalties over the heaviest node, of rows that shift and that turn

    int group_count;
    row_group* group;
    double** place;       // blocks of A that a group adds to, by row node and column node
    double** pair_place;  // 2 per pair

    // the system as it was when factored
    double* node;    // BLOCK_SIZE per node, by position, column-major
    double* pair;    // 2 BLOCK_SIZE per pair
    int pair_count;  // 0 where all of them are zero: then nobody reads them
    double* row;     // PAD per entry
    double* push;    // the same, of a two-sided system; not read otherwise
    bool is_two_sided;
    bool has_skew;       // K is not symmetric, and the factor leaves the difference to the passes
    bool is_skew_small;  // a solve with this factor has asked: that is safe
    double* compliance;
    double* square;     // |C_i|^2
    double* length;     // |C_i|
    double* stiffness;  // of each node: the largest entry of its K
    int* entry_at;      // of each entry: where its node starts in a vector
    row_set rows;
    block_product* product;  // K x: one per node, then 2 per pair

    double* delta;   // extra compliance of each row
    double* weight;  // P
    double* rest;    // what the rows still lack
    double* pull;    // P rest
    double* step;    // change of the multipliers in this pass
    double* l;
    double* x;      // PAD per node, as the following
    double* force;  // what the nodes still lack
    double* next;   // the right-hand side of the next pass

    // sizes that errors are compared with
    double* applied;  // of each node: |r|, and its largest force of any kind
    double* load;

    // of accelerate.c: what this step and the one before changed
    double* q_force;
    double* q_rest;  // written by every pass
    double* last_x;
    double* last_l;
    double* last_force;
    double* last_rest;
    double last_size;  // 0: there was none
    double last_drift;

    double drift;  // how often l has taken up what contradicting rows push: 1 a plain pass

    double row_residual;
    int worst_row;
    int passes;
} augmented;

// Keep the values as they stand, in the layout of this engine: all of them, or what C and E say.
void tml__augmented_freeze(kkt* k);
void tml__augmented_freeze_rows(kkt* k);

// Factor the frozen system (again): A with the weights P that belong to it.
tml_status tml__augmented_factor_system(kkt* k);

// A += D^T diag(weight) C, of a symmetric sum the half that is stored
void tml__augmented_add_rows(const kkt* k, const double* weight, block_kind kind);

// x <- A^-1 x in the vector of the block matrix
void tml__augmented_apply_inverse(kkt* k, kkt_side side);

// The gradients that multipliers push along.
static inline const double* augmented_pushing(const augmented* g, kkt_side side)
{
    return g->is_two_sided && side == KKT_PLAIN ? g->push : g->row;
}

static inline double augmented_larger(double a, double b) { return a > b ? a : b; }

static inline double augmented_largest_of_six(const double* v)
{
    double largest = 0.0;
    for (int i = 0; i < KKT_WIDTH; i++) largest = augmented_larger(largest, fabs(v[i]));
    return largest;
}

// The largest |v_i|, and the largest |a_i b_i|.
double tml__augmented_largest(const double* v, int count);
double tml__augmented_largest_product(const double* a, const double* b, int count);

// v += D^T y and products = C v (C^T y and D v for the transposed system), with v in the order of
// elimination
void tml__augmented_scatter(const kkt* k, kkt_side side, const double* y, double* v);
void tml__augmented_gather(const kkt* k, kkt_side side, const double* v, double* products);

// In augmented_factor.c and augmented_solve.c.
tml_status tml__augmented_factor(kkt* k, int* bad_row);
tml_status tml__augmented_solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                                double* dl);

// In least_norm.c; see tml__kkt_least_norm.
tml_status tml__augmented_least_norm(kkt* k, const double* weights, double* lambda);

// In accelerate.c: around a pass, replace its step by the best multiple of a conjugate one. False:
// rows are too close to each other to be told apart; the pass is undone.
void tml__augmented_begin_step(kkt* k);
bool tml__augmented_end_step(kkt* k);

#endif
