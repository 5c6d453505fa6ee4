// diff/border.c - rows of contacts that hold, as the border of a formulation's equations.
#include "diff/contact.h"
#include "math/small.h"

#include <math.h>
#include <string.h>

// ---- memory

void tml__border_release(touch_border* b)
{
    tml__release(&b->allocator, b->rows);
    tml__release(&b->allocator, b->Z);
    tml__release(&b->allocator, b->A);
    tml__release(&b->allocator, b->f);
    tml__release(&b->allocator, b->by_end);
    tml__release(&b->allocator, b->pivot);
    b->rows = NULL;
    b->Z = b->A = b->f = b->by_end = NULL;
    b->pivot = NULL;
    b->capacity = 0;
}

// Kept from step to step; grows with the rows.
static tml_status take(touch_border* b, int rows, message* why)
{
    if (rows <= b->capacity) return TML_OK;
    const size_t n = (size_t)rows;
    tml__border_release(b);
    b->rows = tml__allocate(&b->allocator, n, sizeof *b->rows);
    b->Z = tml__allocate(&b->allocator, n * b->wide, sizeof(double));
    b->A = tml__allocate(&b->allocator, n * n, sizeof(double));
    b->f = tml__allocate(&b->allocator, 2 * n, sizeof(double));
    b->by_end = tml__allocate(&b->allocator, n, sizeof(double));
    b->pivot = tml__allocate(&b->allocator, n, sizeof(int));
    if (b->rows == NULL || b->Z == NULL || b->A == NULL || b->f == NULL || b->by_end == NULL ||
        b->pivot == NULL) {
        tml__border_release(b);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    b->capacity = rows;
    return TML_OK;
}

// ---- rows

static bool is_bound(unsigned char label) { return label == LCP_UPPER || label == LCP_LOWER; }

// What a unit of a normal that holds pushes along a row of friction at its bound.
static double friction_share(unsigned char label, const lcp_row* kind)
{
    if (!is_bound(label) || kind->kind != LCP_FRICTION) return 0.0;
    return label == LCP_UPPER ? kind->mu : -kind->mu;
}

// How rows are looked at: with these labels, over motions or over all that they push.
typedef struct push_view {
    const unsigned char* labels;
    const lcp_row* kinds;
    bool is_motion;
} push_view;

// A normal that holds takes along the friction that is at its bound.
static void fill_push(const touch_border* b, const border_row* row, const touch_row* from,
                      const push_view* v, border_ends* out)
{
    const touch_set* t = b->touch;
    memcpy(out->J.g, from[row->row].g, sizeof out->J.g);
    out->K = out->J;
    if (row->r > 0) return;
    for (int n = 1; n <= t->friction_rows[row->contact]; n++) {
        const int at = row->row + n;
        const double mu = friction_share(v->labels[at], &v->kinds[at]);
        if (mu == 0.0) continue;
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 6; k++) out->K.g[side][k] += mu * from[at].g[side][k];
        }
    }
}

static void list(touch_border* b, const unsigned char* labels, const lcp_row* kinds)
{
    const touch_set* t = b->touch;
    const push_view view = {.labels = labels, .kinds = kinds};
    b->count = 0;
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        if (labels[at] != LCP_HELD || kinds[at].kind == LCP_BOX) continue;
        for (int r = 0; r <= t->friction_rows[i]; r++) {
            if (labels[at + r] != LCP_HELD || kinds[at + r].kind == LCP_BOX) continue;
            border_row* row = &b->rows[b->count++];
            row->row = at + r;
            row->contact = i;
            row->r = r;
            row->is_end = false;
            fill_push(b, row, t->rows, &view, &row->here);
            fill_push(b, row, t->rows_ahead, &view, &row->there);
        }
    }
}

static bool has_slides(const touch_border* b, const unsigned char* labels, const lcp_row* kinds)
{
    for (int i = 0; i < b->touch->row_count; i++) {
        if (kinds[i].kind == LCP_FRICTION && is_bound(labels[i])) return true;
    }
    return false;
}

// What rows make of each other by the matrix of the step, in units of their own.
static void fill_gram(touch_border* b)
{
    const touch_set* t = b->touch;
    const int m = b->count;
    double* unit = t->f_start;  // of no use once the step is made
    memset(unit, 0, (size_t)t->row_count * sizeof *unit);
    for (int k = 0; k < m; k++) {
        unit[b->rows[k].row] = 1.0;
        tml__touch_respond(t, unit, t->response);
        unit[b->rows[k].row] = 0.0;
        for (int i = 0; i < m; i++) b->A[i * m + k] = t->response[b->rows[i].row];
    }
    for (int k = 0; k < m; k++) {
        const double a = b->A[k * m + k];
        b->f[k] = a > 0.0 ? 1.0 / sqrt(a) : 0.0;
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) b->A[i * m + k] *= b->f[i] * b->f[k];
    }
}

// ---- rows that are left out
//
// They do no harm where what they push, friction at its bound included, lies within the span of what the
// rows kept push. Over the columns of A = Y Y^T that is asked of motions: joints take up the rest. Of
// wrenches it is asked of everything, loads of joints included.

// to += scale times row `at` of the touch, over the columns of the parts that it pushes.
static void add_columns(const touch_set* t, int at, double scale, double* to)
{
    for (size_t e = t->start[at]; e < t->start[at + 1]; e++) to[t->column[e]] += scale * t->y[e];
}

static double norm(const double* x, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

// What a unit of row i pushes, of length 1. False: nothing.
static bool fill_view(const touch_border* b, const push_view* v, int i, double* to)
{
    const touch_set* t = b->touch;
    const border_row* row = &b->rows[i];
    memset(to, 0, b->wide * sizeof *to);
    if (v->is_motion) {
        add_columns(t, row->row, 1.0, to);
        for (int n = 1; n <= t->friction_rows[row->contact] && row->r == 0; n++) {
            const int at = row->row + n;
            add_columns(t, at, friction_share(v->labels[at], &v->kinds[at]), to);
        }
    } else {
        tml__border_add(b, i, &row->here.K, 1.0, to);
    }
    const double size = norm(to, b->wide);
    for (size_t k = 0; k < b->wide && size > 0.0; k++) to[k] /= size;
    return size > 0.0;
}

// What is left of x beside `count` orthonormal vectors; twice is enough.
static double project(const double* base, int count, size_t n, double* x)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            const double* u = base + (size_t)k * n;
            double along = 0.0;
            for (size_t j = 0; j < n; j++) along += u[j] * x[j];
            for (size_t j = 0; j < n; j++) x[j] -= along * u[j];
        }
    }
    return norm(x, n);
}

// Does every row that is left out push within the span of those that are kept?
static bool are_implied(touch_border* b, const push_view* v, int rank)
{
    static const double implied = 1e-8;  // rows kept are apart by the root of 1e-11, to rounding
    const size_t n = b->wide;
    double* base = b->Z;  // not filled yet
    int count = 0;
    for (int k = 0; k < b->count; k++) {
        double* x = base + (size_t)count * n;
        if (!fill_view(b, v, b->pivot[k], x)) continue;
        const double left = project(base, count, n, x);
        if (left <= implied) continue;
        if (k >= rank) return false;
        for (size_t j = 0; j < n; j++) x[j] /= left;
        count++;
    }
    return true;
}

static void keep_chosen(touch_border* b, int rank)
{
    int kept = 0;
    for (int i = 0; i < b->count; i++) {
        bool is_kept = false;
        for (int k = 0; k < rank; k++) is_kept = is_kept || b->pivot[k] == i;
        if (!is_kept) continue;
        if (kept != i) b->rows[kept] = b->rows[i];
        kept++;
    }
    b->count = kept;
}

tml_status tml__border_list(touch_border* b, const unsigned char* labels, const lcp_row* kinds,
                            message* why)
{
    // rows that depend on others to rounding, as in the step
    static const double dependent = 1e-11;
    const tml_status status = take(b, b->touch->row_count, why);
    if (status != TML_OK) return status;
    list(b, labels, kinds);
    b->has_free_split = false;
    if (b->count == 0) return TML_OK;
    fill_gram(b);
    const int rank = tml__cholesky_pivoted(b->count, b->A, b->count, dependent, b->pivot);
    if (rank == b->count) return TML_OK;
    push_view view = {.labels = labels, .kinds = kinds, .is_motion = true};
    if (has_slides(b, labels, kinds) && !are_implied(b, &view, rank)) {
        return tml__fail(why, TML_SINGULAR,
                         "contacts that slide depend on each other: their forces, and with them "
                         "the motion, are not unique");
    }
    view.is_motion = false;
    b->has_free_split = !are_implied(b, &view, rank);
    keep_chosen(b, rank);
    return TML_OK;
}

// ---- products and solutions

double tml__border_along(const touch_border* b, int k, const row_pair* g, const double* motion)
{
    const touch_row* row = &b->touch->rows[b->rows[k].row];
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (row->node[side] < 0) continue;
        const double* u = &motion[6 * row->node[side]];
        for (int n = 0; n < 6; n++) sum += g->g[side][n] * u[n];
    }
    return sum;
}

void tml__border_add(const touch_border* b, int k, const row_pair* g, double scale, double* to)
{
    const touch_row* row = &b->touch->rows[b->rows[k].row];
    for (int side = 0; side < 2; side++) {
        if (row->node[side] < 0) continue;
        double* u = &to[6 * row->node[side]];
        for (int n = 0; n < 6; n++) u[n] += scale * g->g[side][n];
    }
}

tml_status tml__border_factor(touch_border* b, message* why)
{
    const int m = b->count;
    if (m == 0) return TML_OK;
    bool is_good = tml__lu_factor(m, b->A, m, b->pivot) == TML_OK;
    double least = HUGE_VAL;
    double largest = 0.0;
    for (int i = 0; i < m && is_good; i++) {
        const double pivot = fabs(b->A[(size_t)i * (size_t)(m + 1)]);
        if (!(pivot >= least)) least = pivot;
        if (pivot > largest) largest = pivot;
    }
    // forces and torques on light and heavy bodies lie orders apart; what depends leaves rounding
    is_good = is_good && least > 1e-13 * largest;
    if (is_good) return TML_OK;
    return tml__fail(why, TML_SINGULAR, "the rows of contacts that hold have no factor");
}

void tml__border_solve(touch_border* b, partial_direction way)
{
    if (b->count == 0) return;
    if (way == PARTIAL_FORWARD) {
        tml__lu_solve(b->count, b->A, b->count, b->pivot, b->f);
    } else {
        tml__lu_solve_transposed(b->count, b->A, b->count, b->pivot, b->f);
    }
    for (int k = 0; k < b->count; k++) b->f[k] = -b->f[k];
}
