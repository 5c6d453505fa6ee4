// solve/lcp_coupled.c - the exact solve for given labels without a full matrix.
//
// Rows that hold (C) have w = 0, friction at its bound follows its normal, f_B = E f_C. [DCON (6) App A]
// The matrix of C is A_CC + A_CB E. Corrections are found by GMRES on it, with the factor of the
// symmetric part A_CC + shift as the preconditioner: without friction at its bound that is one
// product a correction, and each correction leaves a share of about `shift` of what was left.
// Forces stay next to those they start from where rows depend on each other.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_CORRECTIONS = 12
};

#define SHIFT 1e-5  // of A_ii

typedef struct coupled {
    lcp_island* p;
    double* shift;  // per row
    double* f;      // per row: forces that a vector of C means
    double* w;      // per row
    double* basis;  // LCP_KRYLOV + 1 vectors of C
    double drop;    // of the residual, in one correction
    double h[(LCP_KRYLOV + 1) * LCP_KRYLOV];
    double cosine[LCP_KRYLOV], sine[LCP_KRYLOV], rest[LCP_KRYLOV + 1];
} coupled;

static double* vector_at(const coupled* s, int k)
{
    return s->basis + (size_t)k * (size_t)s->p->held_count;
}

static double inner(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// out = (A_CC + A_CB E + shift) x; the shift keeps rows that depend on each other from running away
static void apply(coupled* s, const double* x, double* out)
{
    const lcp_island* p = s->p;
    memset(s->f, 0, (size_t)p->n * sizeof *s->f);
    for (int k = 0; k < p->held_count; k++) s->f[p->held[k]] = x[k];
    for (int i = 0; i < p->n; i++) {
        if (p->rows[i].kind != LCP_FRICTION) continue;
        const double bound = p->rows[i].mu * s->f[p->rows[i].normal];
        if (p->label[i] == LCP_UPPER) s->f[i] = bound;
        if (p->label[i] == LCP_LOWER) s->f[i] = -bound;
    }
    tml__lcp_product(p, s->f, s->w);
    for (int k = 0; k < p->held_count; k++) out[k] = s->w[p->held[k]] + s->shift[p->held[k]] * x[k];
}

static void rotate(double c, double sn, double* a, double* b)
{
    const double x = c * *a + sn * *b;
    *b = c * *b - sn * *a;
    *a = x;
}

// Column k of the Hessenberg matrix: make `to` perpendicular to the basis so far, then the rotations.
static void extend(coupled* s, int k)
{
    const int n = s->p->held_count;
    double* to = vector_at(s, k + 1);
    for (int pass = 0; pass < 2; pass++) {  // twice is enough
        for (int i = 0; i <= k; i++) {
            const double* v = vector_at(s, i);
            const double part = inner(v, to, n);
            s->h[i * LCP_KRYLOV + k] = part + (pass > 0 ? s->h[i * LCP_KRYLOV + k] : 0.0);
            for (int j = 0; j < n; j++) to[j] -= part * v[j];
        }
    }
    double size = sqrt(inner(to, to, n));
    if (size > 0.0) {
        for (int j = 0; j < n; j++) to[j] /= size;
    }
    for (int i = 0; i < k; i++) {
        rotate(s->cosine[i], s->sine[i], &s->h[i * LCP_KRYLOV + k],
               &s->h[(i + 1) * LCP_KRYLOV + k]);
    }
    double* diagonal = &s->h[k * LCP_KRYLOV + k];
    const double length = sqrt(*diagonal * *diagonal + size * size);
    s->cosine[k] = length > 0.0 ? *diagonal / length : 1.0;
    s->sine[k] = length > 0.0 ? size / length : 0.0;
    *diagonal = length;
    s->rest[k + 1] = 0.0;
    rotate(s->cosine[k], s->sine[k], &s->rest[k], &s->rest[k + 1]);
}

static void precondition(const coupled* s, double* x)
{
    tml__lcp_shifted_solve(s->p, s->p->held, s->p->held_count, s->shift, x);
}

// x = the correction for the residual in the first vector of the basis.
static void correct(coupled* s, double* x)
{
    const int n = s->p->held_count;
    double* first = vector_at(s, 0);
    const double size = sqrt(inner(first, first, n));
    memset(x, 0, (size_t)n * sizeof *x);
    if (!(size > 0.0)) return;
    for (int i = 0; i < n; i++) first[i] /= size;
    s->rest[0] = size;
    int k = 0;
    while (k < LCP_KRYLOV && fabs(s->rest[k]) > s->drop * size) {
        memcpy(x, vector_at(s, k), (size_t)n * sizeof *x);
        precondition(s, x);
        apply(s, x, vector_at(s, k + 1));
        extend(s, k);
        k++;
        if (!(s->h[(k - 1) * LCP_KRYLOV + k - 1] > 0.0)) break;
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j < k; j++) s->rest[i] -= s->h[i * LCP_KRYLOV + j] * s->rest[j];
        const double pivot = s->h[i * LCP_KRYLOV + i];
        s->rest[i] = pivot > 0.0 ? s->rest[i] / pivot : 0.0;
    }
    memset(x, 0, (size_t)n * sizeof *x);
    for (int i = 0; i < k; i++) {
        const double* v = vector_at(s, i);
        for (int j = 0; j < n; j++) x[j] += s->rest[i] * v[j];
    }
    precondition(s, x);
}

void tml__lcp_coupled_solve(lcp_island* p, double* shift, double drop, const double* r, double* x)
{
    coupled s = {
        .p = p, .shift = shift, .f = p->part, .w = p->tau, .basis = p->krylov, .drop = drop};
    memcpy(s.basis, r, (size_t)p->held_count * sizeof *r);
    correct(&s, x);
}

static void start(coupled* s)
{
    lcp_island* p = s->p;
    p->held_count = 0;
    for (int i = 0; i < p->n; i++) {
        p->is_independent[i] = p->label[i] == LCP_HELD;
        p->f[i] = 0.0;
        if (p->label[i] != LCP_HELD) continue;
        p->held[p->held_count++] = i;
        if (p->has_base) p->f[i] = p->base[i];
    }
    // nothing is said about the rank
    p->rank = p->held_count;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
    p->factored_count = -1;
    tml__lcp_set_bounded(p);
    tml__lcp_velocities(p);
}

static bool factor(coupled* s)
{
    lcp_island* p = s->p;
    for (int i = 0; i < p->n; i++) {
        s->shift[i] = SHIFT * tml__lcp_diagonal(p, i);
        if (!(s->shift[i] > 0.0)) s->shift[i] = 1.0;  // nothing moves it
    }
    return tml__lcp_shifted_factor(p, p->held, p->held_count, s->shift);
}

// The largest velocity of a row that holds; all of them, negative, are where GMRES starts.
static double what_is_left(coupled* s)
{
    const lcp_island* p = s->p;
    double left = 0.0;
    for (int i = 0; i < p->held_count; i++) {
        const double w = p->w[p->held[i]];
        s->basis[i] = -w;
        if (!(fabs(w) <= left)) left = fabs(w);
    }
    return left;
}

// How many times `push` takes the force of a row that holds out of its bounds.
static double room_of(const lcp_island* p, int i, const double* push)
{
    const lcp_row* row = &p->rows[i];
    double low = -HUGE_VAL;  // what may still be taken
    double high = HUGE_VAL;  // and added
    double slope = 0.0;      // of the bounds
    if (row->kind == LCP_UNILATERAL) low = -p->f[i];
    if (row->kind == LCP_BOX || row->kind == LCP_FRICTION) {
        low = lcp_lower(p, i) - p->f[i];
        high = lcp_upper(p, i) - p->f[i];
    }
    if (row->kind == LCP_FRICTION) slope = row->mu * push[row->normal];
    const double up = push[i] - slope;
    const double down = push[i] + slope;
    double room = HUGE_VAL;
    if (up > 0.0 && high / up < room) room = high / up;
    if (down < 0.0 && low / down < room) room = low / down;
    return room > 0.0 ? room : 0.0;
}

void tml__lcp_run_along(lcp_island* p, const double* push)
{
    double room = HUGE_VAL;
    for (int i = 0; i < p->n; i++) {
        if (p->label[i] != LCP_HELD) continue;
        const double r = room_of(p, i, push);
        if (r < room) room = r;
    }
    if (room >= HUGE_VAL) return;
    const double passed = room + 1e-6 * (1.0 + room);  // clearly beyond its bound
    for (int i = 0; i < p->n; i++) {
        if (p->label[i] == LCP_HELD) p->f[i] += passed * push[i];
    }
    tml__lcp_set_bounded(p);
}

void tml__lcp_exact_coupled(lcp_island* p)
{
    coupled s = {
        .p = p, .shift = p->side, .f = p->part, .w = p->tau, .basis = p->krylov, .drop = 1e-9};
    start(&s);
    double before = HUGE_VAL;
    if (!factor(&s)) return;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        const double left = what_is_left(&s);
        const bool is_stuck = !(left < 0.5 * before);
        if (left <= (is_stuck ? 0.5 * LCP_TOLERANCE : 1e-15) * p->velocity_scale) return;
        before = left;
        correct(&s, p->spare);
        if (is_stuck) {
            apply(&s, p->spare, s.basis);  // what the correction means for every row is in s.f
            tml__lcp_run_along(p, s.f);
        } else {
            for (int i = 0; i < p->held_count; i++) p->f[p->held[i]] += p->spare[i];
        }
        tml__lcp_set_bounded(p);
        tml__lcp_velocities(p);
        if (is_stuck) return;
    }
}
