// solve/lcp_coupled.c - solves for given labels with bounds that follow the normal forces.
//
// Rows that hold (C) have w = 0, friction at its bound follows its normal, f_B = E f_C. [DCON (6) App A]
// The matrix of C is A_CC + A_CB E. A shift of its diagonal, a small share of A_ii, makes it regular
// where rows depend on each other; it measures the distance from the forces so far and is not part of
// the answer: corrections are repeated until w = 0. Each leaves a share shift / (lambda + shift) along
// a motion of stiffness lambda, so that what is left to do along rows that all but depend on each
// other is small from the start.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_CORRECTIONS = 8,
    MOST_REFINEMENTS = 4
};

#define SHIFT 1e-9  // of A_ii

void tml__lcp_spread(const lcp_island* p, const double* x, double* f)
{
    memset(f, 0, (size_t)p->n * sizeof *f);
    for (int k = 0; k < p->held_count; k++) f[p->held[k]] = x[k];
    for (int i = 0; i < p->n; i++) {
        const double share = lcp_share(p, i);
        if (share != 0.0) f[i] = share * f[p->rows[i].normal];
    }
}

// rest = r - (A_CC + A_CB E + shift) x; returns its largest entry.
static double what_is_left(const lcp_island* p, const double* shift, const double* r,
                           const double* x, double* rest)
{
    double largest = 0.0;
    tml__lcp_spread(p, x, p->part);
    tml__lcp_product(p, p->part, p->tau);
    for (int k = 0; k < p->held_count; k++) {
        const int i = p->held[k];
        rest[k] = r[k] - p->tau[i] - shift[i] * x[k];
        if (!(fabs(rest[k]) <= largest)) largest = fabs(rest[k]);
    }
    return largest;
}

bool tml__lcp_coupled_solve(lcp_island* p, const double* shift, double drop, const double* r,
                            double* x)
{
    const size_t bytes = (size_t)p->held_count * sizeof *x;
    double size = 0.0;
    for (int k = 0; k < p->held_count; k++) size = fmax(size, fabs(r[k]));
    memcpy(x, r, bytes);
    tml__lcp_shifted_solve(p, shift, p->part, x);
    double before = HUGE_VAL;
    for (int k = 0; k < MOST_REFINEMENTS; k++) {
        const double left = what_is_left(p, shift, r, x, p->spare);
        if (left <= drop * size || !(left < before)) break;
        before = left;
        tml__lcp_shifted_solve(p, shift, p->part, p->spare);
        for (int i = 0; i < p->held_count; i++) x[i] += p->spare[i];
    }
    // a factor without exchanges may have lost its digits
    return isfinite(size) && what_is_left(p, shift, r, x, p->spare) <= 1e-3 * size;
}

void tml__lcp_set_shifts(const lcp_island* p, double share, double* shift)
{
    double largest = 0.0;
    for (int i = 0; i < p->n; i++) {
        shift[i] = share * tml__lcp_diagonal(p, i);
        if (shift[i] > largest) largest = shift[i];
    }
    // a row that moves nothing has no scale of its own
    for (int i = 0; i < p->n; i++) {
        if (!(shift[i] > 1e-12 * largest)) shift[i] = largest > 0.0 ? largest : 1.0;
    }
}

void tml__lcp_list_held(lcp_island* p)
{
    p->held_count = 0;
    for (int i = 0; i < p->n; i++) {
        p->is_independent[i] = p->label[i] == LCP_HELD;
        p->creeping[i] = 0.0;
        if (p->label[i] == LCP_HELD) p->held[p->held_count++] = i;
    }
    // nothing is said about the rank
    p->rank = p->held_count;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
}

void tml__lcp_exact_coupled(lcp_island* p)
{
    double* shift = p->proximal;
    double* step = p->proximal + p->n;
    double before = HUGE_VAL;
    tml__lcp_list_held(p);
    for (int i = 0; i < p->n; i++) {
        p->f[i] = p->label[i] == LCP_HELD && p->has_base ? p->base[i] : 0.0;
    }
    tml__lcp_set_bounded(p);
    tml__lcp_velocities(p);
    tml__lcp_set_shifts(p, SHIFT, shift);
    if (!tml__lcp_shifted_factor(p, shift)) return;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        double left = 0.0;
        for (int i = 0; i < p->held_count; i++) {
            p->side[i] = -p->w[p->held[i]];
            left = fmax(left, fabs(p->side[i]));
        }
        if (left <= 1e-15 * p->velocity_scale || !(left < 0.5 * before)) return;
        before = left;
        if (!tml__lcp_coupled_solve(p, shift, 1e-10, p->side, step)) return;
        for (int i = 0; i < p->held_count; i++) p->f[p->held[i]] += step[i];
        tml__lcp_set_bounded(p);
        tml__lcp_velocities(p);
    }
}
