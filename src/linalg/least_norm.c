// linalg/least_norm.c - multipliers of redundant rows that mean something.
//
// Redundant rows leave a choice of multipliers with one and the same force C^T lambda. The one with
// the smallest sum of w_i lambda_i^2 is mu = W^-1 C z with C^T mu = C^T lambda. It is found with a
// factor of B = I + C^T Q C, Q = rho W^-1, by
//
//     mu += Q C B^-1 C^T (lambda - mu)
//
// until the force that mu lacks is down to rounding: every increment lies in the range of W^-1 C,
// so whatever the passes converge to is the least norm, and I only serves the directions no
// row holds. Masses do not enter. A pass cuts the error by about 1/(rho sigma), sigma the smallest
// non-zero eigenvalue of C^T W^-1 C.
#include "linalg/augmented.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Q_i |C_i|^2 of the weakest row: a pass cuts the error by about one over it. Of the strongest row: the
// identity in B, which the directions that no row holds live on, loses its digits to it.
static const double kappa_min = 1e8;
static const double kappa_max = 1e11;
static const double largest_product = 1e12;
// Weights over |C_i|^2 that differ by more than this are not brought to the same stiffness.
static const double spread = 1e4;
// The force that may be missing in the end, relative to the largest share of a row.
static const double missing = 1e-10;
enum {
    MAX_PASSES = 200
};

// Q_i = rho/w_i with rho such that Q_i |C_i|^2 is kappa or more; 0 for rows that are not to choose.
static void choose_weights(const kkt* k, const double* weights, double* q)
{
    const augmented* g = k->state;
    double most = 0.0;
    double least = DBL_MAX;

    for (int i = 0; i < k->row_count; i++) {
        q[i] = 0.0;
        if (g->compliance[i] > 0.0 || !(g->square[i] > 0.0)) continue;
        const double w = weights != NULL ? weights[i] : 1.0;
        q[i] = 1.0 / w;
        const double ratio = w / g->square[i];
        most = augmented_larger(most, ratio);
        if (ratio < least) least = ratio;
    }
    const double ratio = fmin(most / least, spread);
    const double kappa = fmax(kappa_min, fmin(kappa_max, largest_product / ratio));
    const double rho = kappa * ratio * least;
    for (int i = 0; i < k->row_count; i++) q[i] *= rho;
}

static tml_status factor(kkt* k, const double* q)
{
    augmented* g = k->state;

    g->is = FACTORED_NOTHING;
    tml__block_clear_below(g->a, BLOCK_CHOLESKY);
    for (int j = 0; j < k->node_count; j++) {
        double* d = g->a->diagonal + BLOCK_SIZE * (size_t)j;
        for (int i = 0; i < BLOCK_SIZE; i++) d[i] = i % (PAD + 1) == 0 ? 1.0 : 0.0;
    }
    tml__augmented_add_rows(k, q, BLOCK_CHOLESKY);
    const tml_status status = tml__block_factor_as(g->a, BLOCK_CHOLESKY, NULL);
    if (status == TML_OK) g->is = FACTORED_PROJECTION;
    return status;
}

// The largest force that a row has in lambda, among those that are to choose: what errors are compared with.
static double largest_share(const kkt* k, const double* q, const double* lambda)
{
    const augmented* g = k->state;
    double share = DBL_MIN;

    for (int i = 0; i < k->row_count; i++) {
        if (q[i] > 0.0) share = augmented_larger(share, fabs(lambda[i]) * g->length[i]);
    }
    return share;
}

// force = C^T lambda of the rows that are to choose, mu = 0
static void begin(kkt* k, const double* q, const double* lambda)
{
    augmented* g = k->state;

    for (int i = 0; i < PAD * k->node_count; i++) g->force[i] = 0.0;
    for (int i = 0; i < k->row_count; i++) {
        g->l[i] = 0.0;
        g->step[i] = q[i] > 0.0 ? lambda[i] : 0.0;
    }
    tml__augmented_scatter(k, KKT_PLAIN, g->step, g->force);
}

// mu += Q C (factor)^-1 force, and force without what that takes over
static void improve(kkt* k, const double* q)
{
    augmented* g = k->state;
    const row_projection pass = {
        .x = g->a->vector, .q = q, .mu = g->l, .step = g->step, .force = g->force};

    memcpy(g->a->vector, g->force, PAD * (size_t)k->node_count * sizeof(double));
    tml__augmented_apply_inverse(k, KKT_PLAIN);
    g->kernels->project(&g->rows, &pass);
}

// scratch: rest holds Q, l holds mu
tml_status tml__augmented_least_norm(kkt* k, const double* weights, double* lambda)
{
    augmented* g = k->state;
    double* q = g->rest;
    const int length = PAD * k->node_count;

    for (int i = 0; weights != NULL && i < k->row_count; i++) {
        if (!(weights[i] > 0.0) || !isfinite(weights[i])) return TML_BAD_ARGUMENT;
    }
    tml__augmented_freeze_rows(k);
    choose_weights(k, weights, q);
    const tml_status status = factor(k, q);
    if (status != TML_OK) return status;

    const double share = largest_share(k, q, lambda);
    begin(k, q, lambda);
    double lacking = tml__augmented_largest(g->force, length) / share;
    for (int pass = 0; pass < MAX_PASSES && lacking > 0.0; pass++) {
        const double before = lacking;
        improve(k, q);
        lacking = tml__augmented_largest(g->force, length) / share;
        // close to a singular pose passes help slowly, but they help
        if (lacking <= DBL_EPSILON || !(lacking < (lacking > missing ? 0.98 : 0.5) * before)) break;
    }
    if (!(lacking <= missing)) return TML_NOT_CONVERGED;
    for (int i = 0; i < k->row_count; i++) lambda[i] = q[i] > 0.0 ? g->l[i] : lambda[i];
    return TML_OK;
}
