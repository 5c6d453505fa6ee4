// solve/lcp_lemke.c - Lemke's method on the problem written with variables that are not negative.
//
// A friction force is split, f = u - v, and gets a multiplier l of its bound (Stewart and Trinkle,
// here with a bound for each of the two directions):
//
//     0 <= u  complements   w + l          0 <= l  complements   mu f_n - u - v
//     0 <= v  complements  -w + l
//
// A box row has a multiplier for each bound; a free row has u and v only. Ties of the ratio test
// are broken lexicographically by the rows of the inverse basis, so the method cannot cycle.
//
// The tableau is N x (2 N + 2), N variables: the inverse of the basis, what became of -M, the
// column of the artificial variable, and the values of the basis.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

enum {
    MOST_PARTS = 4  // variables of one row, at most
};

size_t tml__lcp_lemke_size(int n)
{
    const size_t variables = MOST_PARTS * (size_t)n;
    return variables * (2 * variables + 2);
}

static int part_count(lcp_kind kind)
{
    switch (kind) {
    case LCP_FREE: return 2;
    case LCP_UNILATERAL: return 1;
    case LCP_BOX: return 4;
    case LCP_FRICTION: return 3;
    }
    return 0;
}

typedef struct lemke {
    lcp_island* p;
    int N;
    int width;
    double* T;
    int* basis;  // N: variable of each row; i < N: slack i, N <= i < 2 N: variable, 2 N: artificial
    int* first;  // n: first variable of each row of the problem
    double* unit;  // n: forces are measured in speed * unit, so that A has a diagonal of ones
    double speed;  // and b entries of at most one
} lemke;

static double* entry(const lemke* s, int row, int column)
{
    return &s->T[(size_t)row * (size_t)s->width + (size_t)column];
}

// The share of the caller's row i in the equation `equation`: sign * (A f + b)_i
static void put_velocity(const lemke* s, int equation, int i, double sign)
{
    const lcp_island* p = s->p;
    const double* row = &p->A[(size_t)i * (size_t)p->n];
    for (int j = 0; j < p->n; j++) {
        const int column = s->N + s->first[j];
        const double a = sign * row[j] * s->unit[i] * s->unit[j];
        *entry(s, equation, column) -= a;
        if (p->rows[j].kind != LCP_UNILATERAL) *entry(s, equation, column + 1) += a;
    }
    *entry(s, equation, 2 * s->N + 1) += sign * p->b[i] * s->unit[i] / s->speed;
}

static void put_row(const lemke* s, int i)
{
    const lcp_row* row = &s->p->rows[i];
    const int N = s->N;
    const int u = s->first[i];
    put_velocity(s, u, i, 1.0);
    if (row->kind == LCP_UNILATERAL) return;
    put_velocity(s, u + 1, i, -1.0);
    if (row->kind == LCP_FRICTION) {
        const int l = u + 2;
        *entry(s, u, N + l) -= 1.0;
        *entry(s, u + 1, N + l) -= 1.0;
        *entry(s, l, N + s->first[row->normal]) -= row->mu * s->unit[row->normal] / s->unit[i];
        *entry(s, l, N + u) += 1.0;
        *entry(s, l, N + u + 1) += 1.0;
    } else if (row->kind == LCP_BOX) {
        *entry(s, u, N + u + 2) -= 1.0;
        *entry(s, u + 1, N + u + 3) -= 1.0;
        *entry(s, u + 2, N + u) += 1.0;
        *entry(s, u + 2, 2 * N + 1) += row->upper / (s->speed * s->unit[i]);
        *entry(s, u + 3, N + u + 1) += 1.0;
        *entry(s, u + 3, 2 * N + 1) -= row->lower / (s->speed * s->unit[i]);
    }
}

static void fill(lemke* s)
{
    memset(s->T, 0, (size_t)s->N * (size_t)s->width * sizeof *s->T);
    for (int i = 0; i < s->N; i++) {
        s->basis[i] = i;
        *entry(s, i, i) = 1.0;
        *entry(s, i, 2 * s->N) = -1.0;
    }
    for (int i = 0; i < s->p->n; i++) put_row(s, i);
}

static void choose_units(lemke* s)
{
    const lcp_island* p = s->p;
    s->speed = 0.0;
    for (int i = 0; i < p->n; i++) {
        const double a = p->A[(size_t)i * (size_t)p->n + (size_t)i];
        s->unit[i] = a > 0.0 ? 1.0 / sqrt(a) : 1.0;  // a row that moves nothing has no unit
        const double speed = fabs(p->b[i]) * s->unit[i];
        if (speed > s->speed) s->speed = speed;
    }
    if (!(s->speed > 0.0)) s->speed = 1.0;
}

static void pivot(lemke* s, int row, int column)
{
    double* T = entry(s, row, 0);
    const double scale = 1.0 / T[column];
    for (int j = 0; j < s->width; j++) T[j] *= scale;
    T[column] = 1.0;
    for (int i = 0; i < s->N; i++) {
        double* other = entry(s, i, 0);
        const double factor = other[column];
        const bool is_idle = i == row || (!(factor < 0.0) && !(factor > 0.0));
        if (is_idle) continue;
        for (int j = 0; j < s->width; j++) other[j] -= factor * T[j];
        other[column] = 0.0;
    }
    s->basis[row] = column;
}

// Whether row a comes before row b in the ratio test of `column`: values first, then the rows of the
// inverse basis.
static bool comes_first(const lemke* s, int a, int b, int column)
{
    const double scale_a = 1.0 / *entry(s, a, column);
    const double scale_b = 1.0 / *entry(s, b, column);
    for (int k = -1; k < s->N; k++) {
        const int j = k < 0 ? 2 * s->N + 1 : k;
        const double x = *entry(s, a, j) * scale_a;
        const double y = *entry(s, b, j) * scale_b;
        // the entries are of order one; pivots leave rounding of this size where a zero should be
        const double slack = 1e-11 * (1.0 + fabs(x) + fabs(y));
        if (x < y - slack) return true;
        if (x > y + slack) return false;
        // the artificial variable leaves as soon as it may
        if (k < 0 && s->basis[a] == 2 * s->N) return true;
        if (k < 0 && s->basis[b] == 2 * s->N) return false;
    }
    return false;
}

static int leaving_row(const lemke* s, int column)
{
    double largest = 0.0;
    for (int i = 0; i < s->N; i++) {
        if (fabs(*entry(s, i, column)) > largest) largest = fabs(*entry(s, i, column));
    }
    int best = -1;
    for (int i = 0; i < s->N; i++) {
        // smaller than this is what rounding left of a zero
        if (!(*entry(s, i, column) > 1e-12 * largest)) continue;
        if (best < 0 || comes_first(s, i, best, column)) best = i;
    }
    return best;
}

static int first_row(const lemke* s)
{
    int worst = -1;
    double least = 0.0;
    for (int i = 0; i < s->N; i++) {
        const double q = *entry(s, i, 2 * s->N + 1);
        if (q < least) {
            least = q;
            worst = i;
        }
    }
    return worst;
}

// Follow the path until the artificial variable leaves; false: a ray, or far too many pivots.
static bool follow(lemke* s)
{
    const int N = s->N;
    int row = first_row(s);
    if (row < 0) return true;
    int column = 2 * N;

    for (int k = 0; k < 100 + 20 * N; k++) {
        const int leaving = s->basis[row];
        pivot(s, row, column);
        if (leaving == 2 * N) return true;
        column = leaving < N ? leaving + N : leaving - N;
        row = leaving_row(s, column);
        if (row < 0) return false;
    }
    return false;
}

static double basic_value(const lemke* s, int index)
{
    for (int i = 0; i < s->N; i++) {
        if (s->basis[i] == index) return *entry(s, i, 2 * s->N + 1);
    }
    return 0.0;
}

static double value_of(const lemke* s, int variable) { return basic_value(s, s->N + variable); }
static double slack_of(const lemke* s, int variable) { return basic_value(s, variable); }

// Values below `slack` are ties; the exact solve that follows decides.
static lcp_label label_of(const lemke* s, int i)
{
    const double slack = 1e-10;
    const lcp_row* row = &s->p->rows[i];
    const int u = s->first[i];
    switch (row->kind) {
    case LCP_FREE: return LCP_HELD;
    case LCP_UNILATERAL: return value_of(s, u) > slack ? LCP_HELD : LCP_OFF;
    case LCP_FRICTION:
        if (!(value_of(s, s->first[row->normal]) > slack)) return LCP_OFF;
        if (!(value_of(s, u + 2) > slack)) return LCP_HELD;
        // by the sign of w, which the slacks of u and v keep also where the bound is zero
        return slack_of(s, u + 1) > slack_of(s, u) ? LCP_UPPER : LCP_LOWER;
    case LCP_BOX:
        if (value_of(s, u + 2) > slack) return LCP_UPPER;
        return value_of(s, u + 3) > slack ? LCP_LOWER : LCP_HELD;
    }
    return LCP_UNKNOWN;
}

bool tml__lcp_lemke(lcp_island* p)
{
    if (p->n > p->max_lemke_rows) return false;
    lemke s = {.p = p, .T = p->tableau, .basis = p->lemke_list, .unit = p->spare};
    s.first = p->lemke_list + MOST_PARTS * p->n;
    for (int i = 0; i < p->n; i++) {
        s.first[i] = s.N;
        s.N += part_count(p->rows[i].kind);
    }
    s.width = 2 * s.N + 2;
    choose_units(&s);
    fill(&s);
    if (!follow(&s)) return false;
    for (int i = 0; i < p->n; i++) p->label[i] = (unsigned char)label_of(&s, i);
    return true;
}
