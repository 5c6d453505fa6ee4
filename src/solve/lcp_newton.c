// solve/lcp_newton.c - a proximal point by Newton's method in the columns, for large islands.
//
// With the forces a so far and shifts s > 0 (lcp_proximal.c) the forces of a proximal point are a
// function of what the columns do: u = Y^T f moves row i by z_i = b_i + y_i . u, and
//
//     f_i(u) = the nearest to  (s_i a_i - z_i) / (s_i + give_i)  within the bounds of row i
//
// Bounds of friction follow the normal forces of the same u, so that
//
//     r(u) = u - Y^T f(u) = 0
//
// is piecewise linear in as many unknowns as the island has columns, however many rows depend on each
// other. Its derivative is the matrix P of lcp_lifted.c; the labels are the piece that u is in. From
// forces near the answer a few steps end exactly. Where |r| does not fall the method gives up: it is
// the quick way of heaps that rest or move as they did, and lcp_proximal.c the sure one.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 10,  // of Newton's method for one point
    MOST_HALVES = 4   // of one step
};

// Shares of A_ii: the first, the last, and how they fall.
#define WIDEST    1e-2
#define NARROWEST 1e-4
#define FALL      0.1

// Of |u|: what is rounding of r.
#define STILL 1e-12

typedef struct newton {
    lcp_island* p;
    double* anchor;     // a
    double* shift;      // s
    double* stiffness;  // 1 / (s + give)
    double* z;
    double* dz;
    double* start;  // z before a step
    double* f;
    double* u;
    double* du;
    double* rest;  // r
    double* start_u;
    int factors;
} newton;

// lists: n each; the first two of p->proximal belong to the exact solve
static void cut(newton* q, lcp_island* p)
{
    double** rows[] = {&q->anchor, &q->shift, &q->stiffness, &q->z, &q->dz, &q->start, &q->f};
    double** columns[] = {&q->u, &q->du, &q->rest, &q->start_u};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *rows[k] = p->proximal + (k + 2) * (size_t)p->n;
    }
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        *columns[k] = p->newton + k * (size_t)p->columns;
    }
    q->p = p;
}

static double wanted(const newton* q, int i)
{
    return (q->shift[i] * q->anchor[i] - q->z[i]) * q->stiffness[i];
}

static void bound_force(newton* q, int i, double low, double high)
{
    const double x = wanted(q, i);
    unsigned char label = LCP_HELD;
    if (x <= low) label = LCP_LOWER;
    // between bounds that coincide: the sign of what it wants says the side
    if (x >= high) label = LCP_UPPER;
    q->p->label[i] = label;
    q->f[i] = fmin(fmax(x, low), high);
}

// Forces and labels at z.
static void set_forces(newton* q)
{
    lcp_island* p = q->p;
    for (int i = 0; i < p->n; i++) {
        const lcp_row* row = &p->rows[i];
        if (row->kind == LCP_FRICTION) continue;
        if (row->kind == LCP_BOX) {
            bound_force(q, i, row->lower, row->upper);
            continue;
        }
        const double x = wanted(q, i);
        const bool is_off = row->kind == LCP_UNILATERAL && !(x > 0.0);
        p->label[i] = is_off ? LCP_OFF : LCP_HELD;
        q->f[i] = is_off ? 0.0 : x;
    }
    for (int i = 0; i < p->n; i++) {
        const lcp_row* row = &p->rows[i];
        if (row->kind != LCP_FRICTION) continue;
        const double high = row->mu * q->f[row->normal];
        bound_force(q, i, -high, high);
    }
}

// r at u and z; its size.
static double find_rest(newton* q)
{
    lcp_island* p = q->p;
    double sum = 0.0;
    set_forces(q);
    tml__lcp_lift(p, q->f, q->rest);
    for (int c = 0; c < p->columns; c++) {
        q->rest[c] = q->u[c] - q->rest[c];
        sum += q->rest[c] * q->rest[c];
    }
    return sqrt(sum);
}

static double size_of(const double* x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void go(newton* q, double share)
{
    const lcp_island* p = q->p;
    for (int c = 0; c < p->columns; c++) q->u[c] = q->start_u[c] + share * q->du[c];
    for (int i = 0; i < p->n; i++) q->z[i] = q->start[i] + share * q->dz[i];
}

// One step of Newton's method from a rest of the given size; the size after it, or less than 0 where
// it does not fall.
static double step(newton* q, double size)
{
    lcp_island* p = q->p;
    q->factors++;
    if (!tml__lcp_columns_labelled(p, q->stiffness)) return -1.0;
    for (int c = 0; c < p->columns; c++) q->du[c] = -q->rest[c];
    tml__lcp_columns_solve(p, q->du);
    tml__lcp_columns_rate(p, q->du, q->dz);
    memcpy(q->start_u, q->u, (size_t)p->columns * sizeof *q->u);
    memcpy(q->start, q->z, (size_t)p->n * sizeof *q->z);
    double share = 1.0;
    for (int k = 0; k <= MOST_HALVES; k++, share *= 0.5) {
        go(q, share);
        const double left = find_rest(q);
        if (left < (1.0 - 0.25 * share) * size) return left;
    }
    return -1.0;
}

// The proximal point of the anchor. False: it was not found.
static bool find_point(newton* q, double share)
{
    lcp_island* p = q->p;
    tml__lcp_set_shifts(p, share, q->shift);
    for (int i = 0; i < p->n; i++) q->stiffness[i] = 1.0 / (q->shift[i] + p->give[i]);
    tml__lcp_columns_rate(p, q->u, q->z);
    for (int i = 0; i < p->n; i++) q->z[i] += p->b[i];
    double size = find_rest(q);
    for (int k = 0; k < MOST_STEPS; k++) {
        if (size <= STILL * size_of(q->u, p->columns)) return true;
        size = step(q, size);
        if (size < 0.0) return false;
    }
    return false;
}

static void take_forces(newton* q)
{
    lcp_island* p = q->p;
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind == LCP_FRICTION && lcp_normal_is_off(p, i)) p->label[i] = LCP_OFF;
        p->f[i] = p->label[i] == LCP_OFF ? 0.0 : q->f[i];
    }
    tml__lcp_list_held(p);
    tml__lcp_set_bounded(p);
    tml__lcp_velocities(p);
}

// Do the forces of the point obey every law of the problem itself, or those of its labels?
static bool is_answer(newton* q)
{
    lcp_island* p = q->p;
    take_forces(q);
    if (tml__lcp_verify(p)) return true;
    memcpy(p->base, p->f, (size_t)p->n * sizeof *p->base);
    p->has_base = true;
    q->factors++;
    tml__lcp_exact_coupled(p);
    p->has_base = false;
    return tml__lcp_verify(p);
}

bool tml__lcp_newton(lcp_island* p, int most, int* solves)
{
    newton q = {.factors = 0};
    double share = WIDEST;
    bool is_solved = false;
    cut(&q, p);
    memcpy(q.anchor, p->f, (size_t)p->n * sizeof *q.anchor);
    tml__lcp_lift(p, p->f, q.u);
    for (int k = 0; k < most; k++) {
        if (!find_point(&q, share)) break;
        is_solved = is_answer(&q);
        if (is_solved) break;
        memcpy(q.anchor, q.f, (size_t)p->n * sizeof *q.anchor);
        share = fmax(FALL * share, NARROWEST);
    }
    *solves += q.factors;
    if (!is_solved) take_forces(&q);  // those of the exact solve may be any
    return is_solved;
}
