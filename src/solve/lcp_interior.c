// solve/lcp_interior.c - forces of a large island by an interior point method.
//
// Labels of a heap that lands change by the hundred, and methods that go from label to label pay a
// factorisation for a few of them. Here nothing is on or off: every force keeps inside its bounds, and
// every product of a distance from a bound with the multiplier of that bound is driven to one number m
// that falls to nothing,
//
//     (f - lower) p = m,   (upper - f) r = m,   w = p - r = A f + b
//
// A normal row has the lower bound 0 only; bounds of friction are -mu f_n and mu f_n and follow the normal
// force [DCON (4)]. One step of Newton's method on all of these asks for
//
//     (A + K) df = side,      K of one contact:   | kn         |
//                                                 | c1  k1     |
//                                                 | c2      k2 |
//
// which is solved in the columns, as in lcp_lifted.c: P = 1 + Y^T (give + K)^-1 Y. Each factor serves two
// solves, one that looks how far m could fall and one that goes (Mehrotra). The forces that come out are
// near an answer, and in the middle of all answers where forces are not unique; other methods end it
// exactly (lcp_newton.c, lcp_proximal.c). Without friction the problem is convex; with it the way to m = 0
// may turn back, and a start from larger products finds another one or none.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 40,
    MOST_SHORT = 2,   // steps in a row that all but stand still
    MOST_STARTS = 3,  // from larger products each
};

#define CLOSE      1e-9  // of the first m: near enough
#define FREE_SHIFT 1e-9  // of A_ii, for rows without bounds; it measures the step only
#define KEPT_AWAY  0.95  // of the way to the first bound
#define LEAST_WAY  0.1   // of the step: below it the correction of second order does harm
#define SHORT_WAY  0.05  // of the step: all but standing still
#define LEAST_MEAN 1e-6  // of b^2 / A_ii, the first m

typedef struct interior {
    lcp_island* p;
    double* f;
    double* low;    // p
    double* high;   // r
    double* own;    // diagonal of (give + K)^-1
    double* cross;  // its entry in the column of the row's normal
    double* side;
    double* df;
    double* ahead;     // df of the first solve
    double* velocity;  // A f + b
    double* v;         // columns
    double m;          // mean product
    int factors;
} interior;

// Something at the lower and at the upper bound of a row.
typedef struct both {
    double low, high;
} both;

static void cut(interior* q, lcp_island* p)
{
    double** rows[] = {&q->f,    &q->low, &q->high,  &q->own,     &q->cross,
                       &q->side, &q->df,  &q->ahead, &q->velocity};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *rows[k] = p->proximal + k * (size_t)p->n;
    }
    q->v = p->newton;
    q->p = p;
}

// ---- one row

// Rows between bounds that coincide carry nothing.
static bool is_idle(const lcp_island* p, int i)
{
    const lcp_row* row = &p->rows[i];
    if (row->kind == LCP_BOX) return !(row->upper > row->lower);
    return row->kind == LCP_FRICTION && !(row->mu > 0.0);
}

static bool is_bounded(const lcp_island* p, int i)
{
    return p->rows[i].kind != LCP_FREE && !is_idle(p, i);
}

// Distances of its force from its bounds.
static both room_of(const interior* q, int i)
{
    const lcp_row* row = &q->p->rows[i];
    const double f = q->f[i];
    if (row->kind == LCP_UNILATERAL) return (both){f, (double)HUGE_VAL};
    if (row->kind == LCP_BOX) return (both){f - row->lower, row->upper - f};
    const double bound = row->mu * q->f[row->normal];
    return (both){bound + f, bound - f};
}

// How these change with df.
static both change_of(const interior* q, const double* df, int i)
{
    const lcp_row* row = &q->p->rows[i];
    const double bound = row->kind == LCP_FRICTION ? row->mu * df[row->normal] : 0.0;
    return (both){bound + df[i], bound - df[i]};
}

// What products should be: m less what the changes of the first solve multiply to.
static both target_of(const interior* q, int i, double m, const double* ahead)
{
    both target = {m, m};
    if (ahead == NULL) return target;
    const both s = room_of(q, i);
    const both ds = change_of(q, ahead, i);
    target.low += ds.low * q->low[i] * (1.0 + ds.low / s.low);
    if (q->high[i] > 0.0) target.high += ds.high * q->high[i] * (1.0 + ds.high / s.high);
    return target;
}

// Changes of the multipliers that go with df.
static both multipliers(const interior* q, int i, double m, const double* ahead, const double* df)
{
    const both s = room_of(q, i);
    const both ds = change_of(q, df, i);
    const both target = target_of(q, i, m, ahead);
    const both d = {(target.low - q->low[i] * ds.low) / s.low - q->low[i], 0.0};
    if (!(q->high[i] > 0.0)) return d;
    return (both){d.low, (target.high - q->high[i] * ds.high) / s.high - q->high[i]};
}

// ---- start

// The point of x y = m with the same x - k y.
static void centre(double* x, double* y, double k, double m)
{
    const double d = *x - k * *y;
    const double root = sqrt(d * d + 4.0 * k * m);
    *x = d > 0.0 ? 0.5 * (d + root) : 2.0 * k * m / (root - d);
    *y = m / *x;
}

// From the forces and velocities at hand to products of m.
static void set_products(interior* q, double m)
{
    lcp_island* p = q->p;
    for (int i = 0; i < p->n; i++) {
        q->high[i] = 0.0;
        if (is_idle(p, i)) q->f[i] = 0.0;
        if (p->rows[i].kind != LCP_UNILATERAL) continue;
        q->low[i] = q->velocity[i];
        centre(&q->f[i], &q->low[i], 1.0 / tml__lcp_diagonal(p, i), m);
    }
    for (int i = 0; i < p->n; i++) {
        if (!is_bounded(p, i) || p->rows[i].kind == LCP_UNILATERAL) continue;
        const both s = room_of(q, i);
        const double width = s.low + s.high;
        const double least = fmin(0.25 * width, sqrt(m / tml__lcp_diagonal(p, i)));
        const double from_low = fmin(fmax(s.low, least), width - least);
        q->f[i] += from_low - s.low;
        q->low[i] = m / from_low;
        q->high[i] = m / (width - from_low);
    }
    q->m = m;
}

// From the forces of the island. A row that moves nothing has no scale: false.
static bool start(interior* q, double width)
{
    lcp_island* p = q->p;
    double sum = 0.0;
    double size = 0.0;
    tml__lcp_velocities(p);
    for (int i = 0; i < p->n; i++) {
        const double own = tml__lcp_diagonal(p, i);
        if (!(own > 0.0) && is_bounded(p, i)) return false;
        if (own > 0.0) size = fmax(size, p->b[i] * p->b[i] / own);
        sum += fabs(p->f[i] * p->w[i]);
        q->f[i] = p->f[i];
        q->velocity[i] = p->w[i];
    }
    set_products(q, fmax(width * sum / p->n, LEAST_MEAN * size));
    return q->m > 0.0 && isfinite(q->m);
}

// ---- a step

static bool factor(interior* q)
{
    lcp_island* p = q->p;
    for (int i = 0; i < p->n; i++) {
        q->own[i] = 0.0;
        q->cross[i] = 0.0;
        if (is_bounded(p, i)) {
            const both s = room_of(q, i);
            q->own[i] = 1.0 / (p->give[i] + q->low[i] / s.low + q->high[i] / s.high);
        } else if (!is_idle(p, i)) {
            const double shift = FREE_SHIFT * tml__lcp_diagonal(p, i);
            q->own[i] = p->give[i] + shift > 0.0 ? 1.0 / (p->give[i] + shift) : 0.0;
        }
    }
    for (int i = 0; i < p->n; i++) {
        const lcp_row* row = &p->rows[i];
        if (row->kind != LCP_FRICTION || is_idle(p, i)) continue;
        const both s = room_of(q, i);
        const double c = row->mu * (q->low[i] / s.low - q->high[i] / s.high);
        q->cross[i] = -c * q->own[i] * q->own[row->normal];
    }
    q->factors++;
    return tml__lcp_columns_factor(p, q->own, q->cross);
}

// x = (give + K)^-1 r
static void divide(const interior* q, const double* r, double* x)
{
    const lcp_island* p = q->p;
    for (int i = 0; i < p->n; i++) {
        x[i] = q->own[i] * r[i];
        if (q->cross[i] != 0.0) x[i] += q->cross[i] * r[p->rows[i].normal];
    }
}

// df towards products of m.
static void solve(interior* q, double m, const double* ahead, double* df)
{
    lcp_island* p = q->p;
    for (int i = 0; i < p->n; i++) {
        q->side[i] = is_idle(p, i) ? 0.0 : -q->velocity[i];
        if (!is_bounded(p, i)) continue;
        const both s = room_of(q, i);
        const both target = target_of(q, i, m, ahead);
        q->side[i] += target.low / s.low;
        if (q->high[i] > 0.0) q->side[i] -= target.high / s.high;
    }
    divide(q, q->side, df);
    tml__lcp_lift(p, df, q->v);
    tml__lcp_columns_solve(p, q->v);
    tml__lcp_columns_rate(p, q->v, p->spare);
    for (int i = 0; i < p->n; i++) p->spare[i] = q->side[i] - p->spare[i];
    divide(q, p->spare, df);
}

static double before_zero(double x, double dx, double most)
{
    return dx < 0.0 && -x / dx < most ? -x / dx : most;
}

// How far df can be followed until a force meets its bound or a multiplier vanishes.
static double longest(const interior* q, double m, const double* ahead, const double* df)
{
    double most = (double)HUGE_VAL;
    for (int i = 0; i < q->p->n; i++) {
        if (!is_bounded(q->p, i)) continue;
        const both s = room_of(q, i);
        const both ds = change_of(q, df, i);
        const both d = multipliers(q, i, m, ahead, df);
        most = before_zero(s.low, ds.low, most);
        most = before_zero(q->low[i], d.low, most);
        if (!(q->high[i] > 0.0)) continue;
        most = before_zero(s.high, ds.high, most);
        most = before_zero(q->high[i], d.high, most);
    }
    return most;
}

// The mean product after so much of the first solve's step.
static double mean_after(const interior* q, double by)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < q->p->n; i++) {
        if (!is_bounded(q->p, i)) continue;
        const both s = room_of(q, i);
        const both ds = change_of(q, q->ahead, i);
        const both d = multipliers(q, i, 0.0, NULL, q->ahead);
        sum += (s.low + by * ds.low) * (q->low[i] + by * d.low);
        count++;
        if (!(q->high[i] > 0.0)) continue;
        sum += (s.high + by * ds.high) * (q->high[i] + by * d.high);
        count++;
    }
    return count > 0 ? sum / count : 0.0;
}

static void go(interior* q, double by, double m, const double* ahead)
{
    lcp_island* p = q->p;
    double* low = p->part;
    double* high = p->tau;
    for (int i = 0; i < p->n; i++) {
        both d = {0.0, 0.0};
        if (is_bounded(p, i)) d = multipliers(q, i, m, ahead, q->df);
        low[i] = q->low[i] + by * d.low;
        high[i] = q->high[i] + by * d.high;
    }
    memcpy(q->low, low, (size_t)p->n * sizeof *low);
    memcpy(q->high, high, (size_t)p->n * sizeof *high);
    for (int i = 0; i < p->n; i++) q->f[i] += by * q->df[i];
    memset(q->ahead, 0, (size_t)p->n * sizeof *q->ahead);
    q->m = mean_after(q, 0.0);
}

static void find_velocities(interior* q)
{
    lcp_island* p = q->p;
    tml__lcp_product(p, q->f, q->velocity);
    for (int i = 0; i < p->n; i++) q->velocity[i] += p->b[i];
}

// One factor, two or three solves. Returns how much of the step was gone; less than 0: no factor.
static double advance(interior* q)
{
    find_velocities(q);
    if (!factor(q)) return -1.0;
    solve(q, 0.0, NULL, q->ahead);
    const double reach = fmin(1.0, longest(q, 0.0, NULL, q->ahead));
    const double share = mean_after(q, reach) / q->m;
    const double* ahead = q->ahead;
    double m = fmax(share * share * share, 1e-12) * q->m;
    solve(q, m, ahead, q->df);
    double most = longest(q, m, ahead, q->df);
    if (most < LEAST_WAY) {
        ahead = NULL;
        m = 0.8 * q->m;
        solve(q, m, ahead, q->df);
        most = longest(q, m, ahead, q->df);
    }
    const double by = fmin(1.0, KEPT_AWAY * most);
    go(q, by, m, ahead);
    return isfinite(q->m) ? by : -1.0;
}

bool tml__lcp_interior(lcp_island* p, double width, int* solves)
{
    interior q = {.factors = 0};
    int starts = 1;
    int pauses = 0;
    cut(&q, p);
    if (!start(&q, width)) return false;
    const double first = q.m;
    double larger = 10.0;
    for (int k = 0; k < MOST_STEPS && q.m > CLOSE * first; k++) {
        const double by = advance(&q);
        if (by < 0.0) break;
        pauses = by < SHORT_WAY ? pauses + 1 : 0;
        if (pauses < MOST_SHORT) continue;
        if (starts++ == MOST_STARTS) break;
        find_velocities(&q);
        set_products(&q, larger * q.m);
        larger *= 10.0;
        pauses = 0;
    }
    *solves += q.factors;
    memcpy(p->f, q.f, (size_t)p->n * sizeof *p->f);
    return q.m <= CLOSE * first;
}
