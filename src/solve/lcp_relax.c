// solve/lcp_relax.c - forces of a large island by sweeps alone, for heaps whose exact forces cost too much.
//
// Projected Gauss-Seidel: row after row takes the force that closes it, within its bounds, with
// everything it pushes moved at once. Over columns a row costs twice its entries,
//
//     w = y . u + give f + b,     f <- clamp(f - w / A_ii),     u <- u + y df,     u = Y^T f
//
// The three rows of a contact come one after the other, so that friction knows its normal force.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

// A sweep that changes velocities by less than this share of the largest |b| is the last one.
#define STILL 1e-12

static double along(const lcp_island* p, int i)
{
    const double* y = p->y;
    const int* column = p->column;
    const double* u = p->u;
    // two sums, so that they need not wait for each other
    double even = 0.0;
    double odd = 0.0;
    size_t e = p->start[i];
    const size_t end = p->start[i + 1];
    for (; e + 2 <= end; e += 2) {
        even += y[e] * u[column[e]];
        odd += y[e + 1] * u[column[e + 1]];
    }
    if (e < end) even += y[e] * u[column[e]];
    return even + odd;
}

static double clamp(double x, double low, double high)
{
    if (x < low) return low;
    return x > high ? high : x;
}

// The nearest force that the law of row i allows, and the label that goes with it.
static double allowed(const lcp_island* p, int i, double wish, unsigned char* label)
{
    const lcp_kind kind = p->rows[i].kind;
    *label = LCP_HELD;
    if (kind == LCP_FREE) return wish;
    if (kind == LCP_UNILATERAL) {
        if (wish > 0.0) return wish;
        *label = LCP_OFF;
        return 0.0;
    }
    const double low = lcp_lower(p, i);
    const double high = lcp_upper(p, i);
    if (kind == LCP_FRICTION && !(p->f[p->rows[i].normal] > 0.0)) {
        *label = LCP_OFF;
        return 0.0;
    }
    if (wish >= high) *label = LCP_UPPER;
    if (wish <= low) *label = LCP_LOWER;
    return clamp(wish, low, high);
}

// One sweep; the largest change of a row's own velocity.
static double sweep(lcp_island* p, const double* inverse)
{
    double most = 0.0;
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind == LCP_BOX && p->rows[i].lower == p->rows[i].upper) continue;
        const double w = along(p, i) + p->give[i] * p->f[i] + p->b[i];
        const double to = allowed(p, i, p->f[i] - w * inverse[i], &p->label[i]);
        const double change = to - p->f[i];
        if (change == 0.0) continue;
        p->f[i] = to;
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) {
            p->u[p->column[e]] += p->y[e] * change;
        }
        if (inverse[i] > 0.0) most = fmax(most, fabs(change) / inverse[i]);
    }
    return most;
}

// Of the largest |b|, as the other methods tell what they leave.
static void weigh(lcp_island* p)
{
    double size = 0.0;
    for (int i = 0; i < p->n; i++) size = fmax(size, fabs(p->b[i]));
    tml__lcp_velocities(p);
    if (size > 0.0) p->velocity_scale = size;
}

void tml__lcp_relax(lcp_island* p, int sweeps)
{
    double* inverse = p->side;
    double size = 0.0;
    for (int i = 0; i < p->n; i++) {
        const double own = tml__lcp_diagonal(p, i);
        unsigned char label = LCP_HELD;
        inverse[i] = own > 0.0 ? 1.0 / own : 0.0;
        p->f[i] = p->has_guess ? p->guess[i] : 0.0;
        p->f[i] = own > 0.0 ? allowed(p, i, p->f[i], &label) : 0.0;
        size = fmax(size, fabs(p->b[i]));
        p->is_independent[i] = 0;
    }
    p->held_count = 0;  // nothing is said about the rank
    p->rank = 0;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
    tml__lcp_lift(p, p->f, p->u);
    for (int k = 0; k < sweeps; k++) {
        if (!(sweep(p, inverse) > STILL * size)) break;
    }
    weigh(p);
}
