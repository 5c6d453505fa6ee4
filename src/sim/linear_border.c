// sim/linear_border.c - rows of contacts that hold, as the border of a formulation's equations.
#include "math/small.h"
#include "sim/linear_touch.h"

#include <math.h>
#include <string.h>

// ---- memory

void tml__border_release(touch_border* b)
{
    tml__release(&b->allocator, b->rows);
    tml__release(&b->allocator, b->Z);
    tml__release(&b->allocator, b->A);
    tml__release(&b->allocator, b->f);
    tml__release(&b->allocator, b->pivot);
    b->rows = NULL;
    b->Z = b->A = b->f = NULL;
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
    b->pivot = tml__allocate(&b->allocator, n, sizeof(int));
    if (b->rows == NULL || b->Z == NULL || b->A == NULL || b->f == NULL || b->pivot == NULL) {
        tml__border_release(b);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    b->capacity = rows;
    return TML_OK;
}

// ---- rows

static bool is_bound(unsigned char label) { return label == LCP_UPPER || label == LCP_LOWER; }

// A normal that holds takes along the friction that is at its bound.
static void fill_push(const touch_border* b, border_row* row, const unsigned char* labels,
                      const lcp_row* kinds)
{
    const touch_set* t = b->touch;
    memcpy(row->J.g, t->rows[row->row].g, sizeof row->J.g);
    row->K = row->J;
    if (row->r > 0) return;
    for (int n = 1; n <= t->friction_rows[row->contact]; n++) {
        const int at = row->row + n;
        if (!is_bound(labels[at]) || kinds[at].kind != LCP_FRICTION) continue;
        const double mu = labels[at] == LCP_UPPER ? kinds[at].mu : -kinds[at].mu;
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 6; k++) row->K.g[side][k] += mu * t->rows[at].g[side][k];
        }
    }
}

static void list(touch_border* b, const unsigned char* labels, const lcp_row* kinds)
{
    const touch_set* t = b->touch;
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
            fill_push(b, row, labels, kinds);
        }
    }
}

static bool has_slides(const touch_border* b, const unsigned char* labels)
{
    for (int i = 0; i < b->touch->row_count; i++) {
        if (b->touch->kinds[i].kind == LCP_FRICTION && is_bound(labels[i])) return true;
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

// Does a unit of row i push as the rows that are kept do together, when they stand for it? The weights
// are in `weight`, zero for what is not kept.
static bool is_implied(const touch_border* b, int i, const double* weight)
{
    const touch_set* t = b->touch;
    double worst = 0.0;
    double size = 0.0;
    memset(t->rhs, 0, 6 * (size_t)t->s->node_count * sizeof *t->rhs);
    tml__border_add(b, i, &b->rows[i].K, 1.0, t->rhs);
    for (int n = 0; n < 6 * t->s->node_count; n++) size = fmax(size, fabs(t->rhs[n]));
    for (int k = 0; k < b->count; k++) {
        if (weight[k] != 0.0) tml__border_add(b, k, &b->rows[k].K, -weight[k], t->rhs);
    }
    for (int n = 0; n < 6 * t->s->node_count; n++) worst = fmax(worst, fabs(t->rhs[n]));
    return worst <= 1e-8 * size;  // the choice of rows is good to the root of its own tolerance
}

// Every row that is left out against those that are kept.
static bool are_implied(touch_border* b, int rank)
{
    const int m = b->count;
    double* weight = b->Z;  // not filled yet; wide enough for what follows
    double* scratch = weight + m;
    double* scale = b->f;
    double* gram = b->f + b->capacity;
    for (int k = rank; k < m; k++) {
        const int i = b->pivot[k];
        // the factor has its row: L y = l of the rows kept, L L^T w = row of the Gram matrix
        for (int j = 0; j < m; j++) gram[j] = 0.0;
        for (int j = 0; j < rank; j++) {
            double sum = 0.0;
            for (int n = 0; n <= j; n++) sum += b->A[k * m + n] * b->A[j * m + n];
            gram[b->pivot[j]] = sum;
        }
        tml__cholesky_solve(m, rank, b->A, m, b->pivot, gram, scratch);
        for (int j = 0; j < m; j++)
            weight[j] = scale[i] > 0.0 ? gram[j] * scale[j] / scale[i] : 0.0;
        if (!is_implied(b, i, weight)) return false;
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
    if (b->count == 0) return TML_OK;
    fill_gram(b);
    const int rank = tml__cholesky_pivoted(b->count, b->A, b->count, dependent, b->pivot);
    if (rank < b->count && has_slides(b, labels) && !are_implied(b, rank)) {
        return tml__fail(why, TML_SINGULAR,
                         "contacts that slide depend on each other: their forces, and with them "
                         "the motion, are not unique");
    }
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
