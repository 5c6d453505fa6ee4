// linalg/augmented_factor.c - from the values of a KKT system to a factor of A = K + C^T P C.
//
// Most of K is symmetric, and what is not (gyroscopic terms, half the torque that rows put on a body)
// is small where a step resolves the motion. Then the symmetric part alone is factored, which takes
// half the work and half the memory of LU, and the rest is left to the correction passes. Whether that
// is good enough they see for themselves; where it is not, A is factored as it is.
#include "linalg/augmented.h"
#include "linalg/block_kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double kappa_min = 1e3;
static const double digits_left = 1e-2;  // relative error of the lightest node in the factor

// A row-major 6 x 6 block to padded columns.
static void turn_block(const double* from, double* restrict to)
{
    for (int j = 0; j < KKT_WIDTH; j++) {
        for (int i = 0; i < KKT_WIDTH; i++) to[PAD * j + i] = from[KKT_WIDTH * i + j];
    }
}

static void freeze_push(kkt* k)
{
    augmented* g = k->state;

    g->is_two_sided = k->values.is_two_sided;
    for (int e = 0; g->is_two_sided && e < k->entry_count; e++) {
        const double* from = k->values.push + KKT_WIDTH * (size_t)e;
        for (int j = 0; j < KKT_WIDTH; j++) g->push[PAD * (size_t)e + (size_t)j] = from[j];
    }
}

void tml__augmented_freeze_rows(kkt* k)
{
    augmented* g = k->state;
    const kkt_values* v = &k->values;

    for (int i = 0; i < k->row_count; i++) {
        double square = 0.0;
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const double* from = v->row + KKT_WIDTH * (size_t)e;
            double* to = g->row + PAD * (size_t)e;
            for (int j = 0; j < KKT_WIDTH; j++) {
                to[j] = from[j];
                square += from[j] * from[j];
            }
        }
        g->square[i] = square;
        g->length[i] = sqrt(square);
        g->compliance[i] = v->compliance[i];
    }
    freeze_push(k);
}

// Keep the values as they stand, in our own layout.
void tml__augmented_freeze(kkt* k)
{
    augmented* g = k->state;
    const kkt_values* v = &k->values;

    for (int j = 0; j < k->node_count; j++) {
        turn_block(v->node + KKT_BLOCK * (size_t)g->a->e.node[j], g->node + BLOCK_SIZE * (size_t)j);
    }
    g->pair_count = v->is_pairless ? 0 : k->pair_count;
    for (int p = 0; p < 2 * g->pair_count; p++) {
        turn_block(v->pair + KKT_BLOCK * (size_t)p, g->pair + BLOCK_SIZE * (size_t)p);
    }
    tml__augmented_freeze_rows(k);
}

// The largest and the least of the nodes' diagonal entries first .. first + 2: masses, or moments of
// inertia. The trace does not care how the world is turned.
typedef struct entry_range {
    double most, least;
} entry_range;

static entry_range range_of(const kkt* k, int first)
{
    const augmented* g = k->state;
    entry_range r = {0.0, DBL_MAX};

    for (int j = 0; j < k->node_count; j++) {
        const double* entry = g->node + BLOCK_SIZE * (size_t)j;
        double trace = 0.0;
        for (int i = first; i < first + 3; i++) trace += entry[(PAD + 1) * i];
        const double size = fabs(trace) / 3.0;
        if (size > r.most) r.most = size;
        if (size < r.least) r.least = size;
    }
    return r;
}

// kappa max K: the stiffness that stands in for a rigid row of unit gradient. kappa as large as the
// factor of A bears: eliminating rows must leave the lightest node a few digits.
static double choose_stiffness(kkt* k, int kind, entry_range of)
{
    augmented* g = k->state;
    if (!(of.most > 0.0)) return 1.0;  // no K at all: any stiffness will do

    double kappa = digits_left / DBL_EPSILON * (of.least / of.most);
    if (kappa < kappa_min) kappa = kappa_min;
    if (kappa > augmented_kappa_max) kappa = augmented_kappa_max;
    g->kappa[kind] = kappa;
    return kappa * of.most;
}

// Of each row, the largest squares of what it shifts and turns a node by, into `step` and `pull`; returns
// the mean square of the arms at which rows that shift push: a mean, because a single row may turn much
// and shift next to nothing.
static double measure_rows(kkt* k)
{
    augmented* g = k->state;
    double shifts = 0.0;
    double turns = 0.0;

    for (int i = 0; i < k->row_count; i++) {
        double linear = 0.0;
        double angular = 0.0;
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const double* c = g->row + PAD * (size_t)e;
            linear = augmented_larger(linear, c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
            angular = augmented_larger(angular, c[3] * c[3] + c[4] * c[4] + c[5] * c[5]);
        }
        g->step[i] = linear;
        g->pull[i] = angular;
        if (linear > 0.0) {
            shifts += linear;
            turns += angular;
        }
    }
    return shifts > 0.0 ? turns / shifts : 0.0;
}

// delta and P; false when a row has neither gradient nor compliance, and *row names it.
// Masses and moments of inertia have different units, and so have rows that shift and rows that
// only turn: each is compared with its own kind. delta = |C_i|^2 / stiffness, where the shift of a
// row that does both counts alone.
static bool choose_weights(kkt* k, int* row)
{
    augmented* g = k->state;
    const entry_range mass = range_of(k, 0);
    entry_range inertia = range_of(k, 3);

    // a row that turns a body turns what hangs on it, too: about as heavy as the heaviest rod
    inertia.most = augmented_larger(inertia.most, mass.most * measure_rows(k));
    const double shift = choose_stiffness(k, 0, mass);
    const double turn = choose_stiffness(k, 1, inertia);
    for (int i = 0; i < k->row_count; i++) {
        g->delta[i] = g->step[i] > 0.0 ? g->step[i] / shift : g->pull[i] / turn;
        const double total = g->compliance[i] + g->delta[i];
        if (!(total > DBL_MIN)) {
            *row = i;
            return false;
        }
        g->weight[i] = 1.0 / total;
    }
    return true;
}

// Gradients of a group, and the blocks that it adds to.
static void fetch_group(const augmented* g, const row_group* group)
{
    const size_t at = PAD * (size_t)group->entry;
    const int nodes = group->node_count;

    fetch(g->row + at, PAD * group->row_count * nodes);
    if (g->is_two_sided) fetch(g->push + at, PAD * group->row_count * nodes);
    for (int p = 0; p < nodes * nodes; p++) fetch(g->place[group->place + p], BLOCK_SIZE);
}

void tml__augmented_add_rows(const kkt* k, const double* weight, block_kind kind)
{
    const augmented* g = k->state;

    for (int i = 0; i < g->group_count; i++) {
        const row_group* group = &g->group[i];
        const double* row = g->row + PAD * (size_t)group->entry;
        const double* push = augmented_pushing(g, KKT_PLAIN) + PAD * (size_t)group->entry;
        const int* at = g->entry_at + group->entry;
        double* const* place = g->place + group->place;
        if (g->a->is_long && i + AHEAD < g->group_count) fetch_group(g, group + AHEAD);
        for (int a = 0; a < group->node_count; a++) {
            for (int b = 0; b < group->node_count; b++, place++) {
                if (kind == BLOCK_CHOLESKY && at[a] < at[b]) continue;
                const outer_sum sum = {.block = *place,
                                       .count = group->row_count,
                                       .left = push + PAD * a,
                                       .right = row + PAD * b,
                                       .step = PAD * group->node_count,
                                       .weight = weight + group->row};
                g->a->kernels->add_outer(&sum);
            }
        }
    }
}

static void add_block(double* restrict to, const double* restrict from)
{
    for (int i = 0; i < BLOCK_SIZE; i++) to[i] += from[i];
}

// K as it is.
static void fill_general(kkt* k)
{
    augmented* g = k->state;

    tml__block_clear_below(g->a, BLOCK_LU);
    if (k->node_count > 0) {
        memcpy(g->a->diagonal, g->node, BLOCK_SIZE * (size_t)k->node_count * sizeof(double));
    }
    for (int p = 0; p < 2 * g->pair_count; p++) {
        add_block(g->pair_place[p], g->pair + BLOCK_SIZE * (size_t)p);
    }
    g->has_skew = false;
}

// The symmetric part of a block; not zero when that is not all of it.
static int copy_symmetric(double* restrict to, const double* restrict from)
{
    int has_skew = 0;
    for (int c = 0; c < KKT_WIDTH; c++) {
        for (int r = 0; r < c; r++) {
            const double here = from[PAD * c + r];
            const double mirrored = from[PAD * r + c];
            const double mean = 0.5 * (here + mirrored);
            to[PAD * c + r] = mean;
            to[PAD * r + c] = mean;
            has_skew |= here != mirrored;
        }
        to[(PAD + 1) * c] = from[(PAD + 1) * c];
        for (int r = KKT_WIDTH; r < PAD; r++) to[PAD * c + r] = 0.0;
    }
    return has_skew;
}

// to += half of a block and of its counterpart across the diagonal; not zero when they are not mirror
// images
static int add_symmetric(double* restrict to, const double* restrict below,
                         const double* restrict above)
{
    int has_skew = 0;
    for (int c = 0; c < KKT_WIDTH; c++) {
        for (int r = 0; r < KKT_WIDTH; r++) {
            const double here = below[PAD * c + r];
            const double mirrored = above[PAD * r + c];
            to[PAD * c + r] += 0.5 * (here + mirrored);
            has_skew |= here != mirrored;
        }
    }
    return has_skew;
}

// The symmetric part of K.
static void fill_symmetric(kkt* k)
{
    augmented* g = k->state;
    int has_skew = 0;

    tml__block_clear_below(g->a, BLOCK_CHOLESKY);
    for (int j = 0; j < k->node_count; j++) {
        const size_t at = BLOCK_SIZE * (size_t)j;
        has_skew |= copy_symmetric(g->a->diagonal + at, g->node + at);
    }
    for (int p = 0; p < g->pair_count; p++) {
        const int* position = g->a->e.position;
        const int below = position[k->pair_node[2 * p]] > position[k->pair_node[2 * p + 1]] ? 0 : 1;
        const double* pair = g->pair + 2 * BLOCK_SIZE * (size_t)p;
        has_skew |= add_symmetric(g->pair_place[2 * p + below], pair + BLOCK_SIZE * below,
                                  pair + BLOCK_SIZE * (1 - below));
    }
    g->has_skew = has_skew != 0;
}

// The symmetric part alone. False where it will not do: an exact solution needs all of A, and a
// factor needs a positive definite matrix.
static bool factor_symmetric(kkt* k)
{
    augmented* g = k->state;

    if (g->is_two_sided || g->is_general) return false;
    fill_symmetric(k);
    if (k->max_passes >= EXACT_PASSES && g->has_skew) return false;
    tml__augmented_add_rows(k, g->weight, BLOCK_CHOLESKY);
    g->is_general = tml__block_factor_as(g->a, BLOCK_CHOLESKY, NULL) != TML_OK;
    return !g->is_general;
}

tml_status tml__augmented_factor_system(kkt* k)
{
    augmented* g = k->state;
    tml_status status = TML_OK;

    g->is = FACTORED_NOTHING;
    g->is_skew_small = false;
    if (!factor_symmetric(k)) {
        fill_general(k);
        tml__augmented_add_rows(k, g->weight, BLOCK_LU);
        status = tml__block_factor_as(g->a, BLOCK_LU, NULL);
    }
    if (status == TML_OK) g->is = FACTORED_SYSTEM;
    return status;
}

// Squares of what is not finite are not finite either, and where they are too large only, who asks for
// each number has the last word. K needs no such look: what is wrong in it ends in a pivot, and the factor
// says so.
static bool has_finite_rows(const kkt* k, int* bad_row)
{
    const augmented* g = k->state;
    double sum[4] = {0.0};  // several, so that one need not wait for the other

    for (int i = 0; i < k->row_count; i++) sum[i % 4] += 0.0 * (g->square[i] + g->compliance[i]);
    if (sum[0] + sum[1] + (sum[2] + sum[3]) == 0.0 && !g->is_two_sided) return true;
    return tml__kkt_is_finite(k, bad_row);
}

tml_status tml__augmented_factor(kkt* k, int* bad_row)
{
    tml__augmented_freeze(k);
    if (!has_finite_rows(k, bad_row) || !choose_weights(k, bad_row)) return TML_SINGULAR;
    return tml__augmented_factor_system(k);
}

void tml__augmented_apply_inverse(kkt* k, kkt_side side)
{
    const augmented* g = k->state;
    const block_task general = side == KKT_PLAIN ? BLOCK_SOLVE_LU : BLOCK_SOLVE_LU_TRANSPOSED;

    g->a->kernels->run(g->a, g->a->factored_as == BLOCK_CHOLESKY ? BLOCK_SOLVE_CHOLESKY : general,
                       1);
}
