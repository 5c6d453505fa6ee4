// method/generalized/border.c - choosing the rows that count, the matrix between them, and solving.
#include "method/generalized/border.h"

#include "math/small.h"

#include <math.h>
#include <string.h>

// ---- memory

// Kept from step to step; grows with the rows.
static tml_status take(gen_border* b, int rows, message* why)
{
    if (rows <= b->capacity) return TML_OK;
    const size_t wide = (size_t)rows * b->n;
    const size_t square = (size_t)rows * (size_t)rows;
    tml__release(&b->allocator, b->space);
    tml__release(&b->allocator, b->more);
    tml__release(&b->allocator, b->row);
    b->capacity = 0;
    b->space = tml__allocate(&b->allocator, 3 * wide + square + 2 * (size_t)rows, sizeof(double));
    b->more = tml__allocate(&b->allocator, wide + square, sizeof(double));
    b->row = tml__allocate(&b->allocator, 3 * (size_t)rows, sizeof(int));
    if (b->space == NULL || b->more == NULL || b->row == NULL) {
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    b->capacity = rows;
    b->J = b->space;
    b->K = b->J + wide;
    b->MK = b->K + wide;
    b->A = b->MK + wide;
    b->rest = b->A + square;
    b->give = b->rest + rows;
    b->pivot = b->row + rows;
    return TML_OK;
}

void tml__gen_border_release(gen_border* b)
{
    tml__release(&b->allocator, b->space);
    tml__release(&b->allocator, b->more);
    tml__release(&b->allocator, b->row);
    tml__release(&b->allocator, b->spare);
    b->spare = NULL;
    b->spare_room = 0;
    b->space = b->more = NULL;
    b->row = NULL;
    b->capacity = 0;
}

// ---- rows

static void add_row(const gen_rows* r, int row, double scale, double* to)
{
    for (size_t e = r->start[row]; e < r->start[row + 1]; e++) to[r->column[e]] += scale * r->j[e];
}

// K of a normal row takes its friction rows at their bounds along.
static void fill_row(const gen_border* b, int row, const unsigned char* labels, double* J,
                     double* K)
{
    const gen_touch* c = b->touch;
    memset(J, 0, b->n * sizeof *J);
    memset(K, 0, b->n * sizeof *K);
    add_row(c->rows, row, 1.0, J);
    add_row(c->rows, row, 1.0, K);
    for (int k = row + 1; k < c->rows->count; k++) {
        const lcp_row* kind = &c->kinds[k];
        if (kind->kind != LCP_FRICTION || kind->normal != row) break;
        if (labels[k] == LCP_UPPER) add_row(c->rows, k, kind->mu, K);
        if (labels[k] == LCP_LOWER) add_row(c->rows, k, -kind->mu, K);
    }
}

// Four sums, so that none waits for the one before.
static double dot(size_t n, const double* a, const double* b)
{
    double sum[4] = {0.0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    }
    for (; i < n; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_scaled(size_t wide, double factor, const double* restrict from, double* restrict to)
{
    for (size_t i = 0; i < wide; i++) to[i] += factor * from[i];
}

// ---- products of lifted rows: J M^-1 K = Y_J Y_K^T with Y of rows.h, which has few entries a row

static void add_lifted(const gen_rows* r, int row, double scale, size_t stride, double* to)
{
    for (size_t e = r->start[row]; e < r->start[row + 1]; e++) {
        to[(size_t)r->column[e] * stride] += scale * r->y[e];
    }
}

// Y^T of all rows that count, n x count, into b->more; of K where `labels` say what slides, NULL: of J.
static void lift_rows(const gen_border* b, const unsigned char* labels)
{
    const gen_touch* c = b->touch;
    const size_t m = (size_t)b->count;
    if (m == 0) return;  // nothing touches, and there is no room either
    memset(b->more, 0, b->n * m * sizeof *b->more);
    for (int i = 0; i < b->count; i++) {
        const int row = b->row[i];
        add_lifted(c->rows, row, 1.0, m, b->more + i);
        for (int k = row + 1; labels != NULL && k < c->rows->count; k++) {
            const lcp_row* kind = &c->kinds[k];
            if (kind->kind != LCP_FRICTION || kind->normal != row) break;
            if (labels[k] == LCP_UPPER) add_lifted(c->rows, k, kind->mu, m, b->more + i);
            if (labels[k] == LCP_LOWER) add_lifted(c->rows, k, -kind->mu, m, b->more + i);
        }
    }
}

// One row of J M^-1 (what is lifted).
static void multiply(const gen_border* b, int i, double* out)
{
    const gen_rows* r = b->touch->rows;
    const size_t m = (size_t)b->count;
    memset(out, 0, m * sizeof *out);
    for (size_t e = r->start[b->row[i]]; e < r->start[b->row[i] + 1]; e++) {
        add_scaled(m, r->y[e], b->more + (size_t)r->column[e] * m, out);
    }
}

static bool slides(const gen_touch* c, const unsigned char* labels)
{
    for (int row = 0; row < c->rows->count; row++) {
        if (c->kinds[row].kind != LCP_FRICTION) continue;
        if (labels[row] == LCP_UPPER || labels[row] == LCP_LOWER) return true;
    }
    return false;
}

// J M^-1 J^T + E of all rows that hold, into `out`; their lifts stay in b->more.
static void fill_symmetric(const gen_border* b, double* out)
{
    const int m = b->count;
    lift_rows(b, NULL);
    for (int i = 0; i < m; i++) {
        multiply(b, i, out + (size_t)i * (size_t)m);
        out[i * m + i] += b->give[i];
    }
}

static bool is_chosen(const gen_border* b, int rank, int i)
{
    for (int k = 0; k < rank; k++) {
        if (b->pivot[k] == i) return true;
    }
    return false;
}

// A row that others imply, J_i = sum c_k J_k, may be left out where its push is the same sum of theirs.
// `symmetric`: scaled, its leading part factored in the order of b->pivot.
static bool is_implied(const gen_border* b, int rank, const double* symmetric, const double* scale,
                       int i)
{
    const int m = b->count;
    double* c = b->rest;
    multiply(b, i, c);
    for (int k = 0; k < m; k++) c[k] *= scale[k];
    tml__cholesky_solve(m, rank, symmetric, m, b->pivot, c, b->more + (size_t)m * b->n);
    double worst = 0.0;
    double size = 0.0;
    for (size_t j = 0; j < b->n; j++) {
        double left = b->K[(size_t)i * b->n + j];
        size = fmax(size, fabs(left));
        for (int k = 0; k < m; k++) left -= c[k] * scale[k] * b->K[(size_t)k * b->n + j];
        worst = fmax(worst, fabs(left));
    }
    return worst <= 1e-8 * size;  // the choice of rows is good to the root of its own tolerance
}

// Leave out rows that depend on others.
static tml_status choose(gen_border* b, const unsigned char* labels, message* why)
{
    const int m = b->count;
    double* symmetric = b->A;
    double* scale = b->MK;  // not filled yet
    fill_symmetric(b, symmetric);
    for (int i = 0; i < m; i++) {
        const double a = symmetric[i * m + i];
        scale[i] = a > 0.0 ? 1.0 / sqrt(a) : 0.0;
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) symmetric[i * m + k] *= scale[i] * scale[k];
    }
    const int rank = tml__cholesky_pivoted(m, symmetric, m, 1e-11, b->pivot);
    const bool has_slides = slides(b->touch, labels);
    int kept = 0;
    for (int i = 0; i < m; i++) {
        const bool is_kept = is_chosen(b, rank, i);
        if (!is_kept && has_slides && !is_implied(b, rank, symmetric, scale, i)) {
            return tml__fail(
                why, TML_SINGULAR,
                "contacts that slide depend on each other: their forces, and with them the "
                "motion, are not unique");
        }
    }
    for (int i = 0; i < m; i++) {
        if (!is_chosen(b, rank, i)) continue;
        if (kept != i) {
            memcpy(b->J + (size_t)kept * b->n, b->J + (size_t)i * b->n, b->n * sizeof *b->J);
            memcpy(b->K + (size_t)kept * b->n, b->K + (size_t)i * b->n, b->n * sizeof *b->K);
        }
        b->give[kept] = b->give[i];
        b->row[kept++] = b->row[i];
    }
    b->count = kept;
    return TML_OK;
}

static void fill_MK(gen_border* b)
{
    const int m = b->count;
    if (m == 0) return;  // nothing touches, and there is no room either
    memcpy(b->MK, b->K, (size_t)m * b->n * sizeof *b->K);
    for (int k = 0; k < m; k++) tml__gen_solve(b->tree, b->MK + (size_t)k * b->n);
}

// A = J M^-1 K + E.
static void fill_matrix(gen_border* b, const unsigned char* labels)
{
    const int m = b->count;
    if (b->wants_MK) fill_MK(b);
    lift_rows(b, labels);
    for (int i = 0; i < m; i++) {
        multiply(b, i, b->A + (size_t)i * (size_t)m);
        b->A[i * m + i] += b->give[i];
    }
}

// The same of rows that are not lifted.
static void fill_given(gen_border* b)
{
    const int m = b->count;
    fill_MK(b);
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) {
            b->A[i * m + k] = dot(b->n, b->J + (size_t)i * b->n, b->MK + (size_t)k * b->n);
        }
        b->A[i * m + i] += b->give[i];
    }
}

// Rows that depend on each other leave pivots of rounding.
static bool factor(gen_border* b)
{
    const int m = b->count;
    if (m == 0) return true;
    if (tml__lu_factor(m, b->A, m, b->pivot) != TML_OK) return false;
    double least = HUGE_VAL;
    double largest = 0.0;
    for (int i = 0; i < m; i++) {
        const double pivot = fabs(b->A[(size_t)i * (size_t)(m + 1)]);
        if (!(pivot >= least)) least = pivot;
        if (pivot > largest) largest = pivot;
    }
    return least > 1e-11 * largest;
}

// ---- rows that slide and depend on each other

// What columns leave less than this share of the first one are dependent, as in the step.
static const double dependent = 1e-11;

static tml_status take_spare(gen_border* b, message* why)
{
    const size_t m = (size_t)b->count;
    if (b->count > b->spare_room) {
        tml__release(&b->allocator, b->spare);
        b->spare_room = 0;
        b->spare = tml__allocate(&b->allocator, 2 * m * m + 2 * m, sizeof(double));
        if (b->spare == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
        b->spare_room = b->count;
    }
    b->Q = b->spare;
    b->gram = b->Q + m * m;
    b->tau = b->gram + m * m;
    return TML_OK;
}

static pivoted_qr factor_of(const gen_border* b)
{
    return (pivoted_qr){b->count, b->count, b->count, b->Q, b->tau, b->pivot};
}

// A^+ = P R^T (R R^T)^-1 Q^T with the first rows of R. It is not formed: few vectors are asked for.
static tml_status fill_deficient(gen_border* b, const unsigned char* labels, message* why)
{
    const int m = b->count;
    fill_matrix(b, labels);
    const tml_status status = take_spare(b, why);
    if (status != TML_OK) return status;
    pivoted_qr qr = factor_of(b);
    memcpy(b->Q, b->A, (size_t)m * (size_t)m * sizeof *b->Q);
    tml__qr_factor(&qr, b->tau + m);
    const int rank = b->rank = tml__qr_rank(&qr, dependent);
    for (int i = 0; i < rank; i++) {
        for (int k = 0; k <= i; k++) {
            const double sum = dot((size_t)(m - i), b->Q + i * m + i, b->Q + k * m + i);
            b->gram[i * rank + k] = b->gram[k * rank + i] = sum;
        }
    }
    if (tml__lu_factor(rank, b->gram, rank, b->pivot + m) != TML_OK) {
        return tml__fail(why, TML_SINGULAR, "the rows of contacts that slide have no factor");
    }
    b->is_deficient = true;
    why->text[0] = '\0';
    return TML_OK;
}

void tml__gen_border_least(const gen_border* b, bool is_transposed, double* x)
{
    const int m = b->count;
    const int* order = b->pivot + m;  // beside the columns of the factor
    const pivoted_qr qr = factor_of(b);
    double* y = b->tau + m;
    if (is_transposed) {
        memset(y, 0, (size_t)m * sizeof *y);
        for (int i = 0; i < b->rank; i++) {
            for (int k = i; k < m; k++) y[i] += b->Q[i * m + k] * x[b->pivot[k]];
        }
        tml__lu_solve_transposed(b->rank, b->gram, b->rank, order, y);
        tml__qr_apply_q(&qr, y);
        memcpy(x, y, (size_t)m * sizeof *x);
        return;
    }
    memcpy(y, x, (size_t)m * sizeof *y);
    tml__qr_apply_qt(&qr, y);
    tml__lu_solve(b->rank, b->gram, b->rank, order, y);
    for (int k = 0; k < m; k++) {
        double sum = 0.0;
        for (int i = 0; i < b->rank && i <= k; i++) sum += b->Q[i * m + k] * y[i];
        x[b->pivot[k]] = sum;
    }
}

void tml__gen_border_project(const gen_border* b, bool is_transposed, double* x, double* scratch)
{
    const int m = b->count;
    for (int i = 0; i < m; i++) {
        scratch[i] = is_transposed ? x[i] : dot((size_t)m, b->A + i * m, x);
    }
    tml__gen_border_least(b, is_transposed, scratch);
    if (!is_transposed) {
        for (int i = 0; i < m; i++) x[i] -= scratch[i];
        return;
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) x[k] -= b->A[i * m + k] * scratch[i];
    }
}

// x = A^-1 x, or A^-T x.
static void solve_border(gen_border* b, bool is_transposed, double* x)
{
    const int m = b->count;
    if (b->is_deficient) {
        tml__gen_border_least(b, is_transposed, x);
    } else if (is_transposed) {
        tml__lu_solve_transposed(m, b->A, m, b->pivot, x);
    } else {
        tml__lu_solve(m, b->A, m, b->pivot, x);
    }
}

// The rows that hold, of them those that are marked (NULL: all).
static void list_rows(gen_border* b, const unsigned char* labels, const unsigned char* is_marked)
{
    const gen_touch* c = b->touch;
    b->count = 0;
    b->held = 0;
    for (int row = 0; row < c->rows->count; row++) {
        if (labels[row] != LCP_HELD || lcp_row_is_off(&c->kinds[row])) continue;
        b->held++;
        if (is_marked != NULL && !is_marked[row]) continue;
        // friction across a mechanism in a plane: nothing feels it, and rounding is no row
        if (c->rows->scale[row] == 0.0) continue;
        const size_t at = (size_t)b->count * b->n;
        fill_row(b, row, labels, b->J + at, b->K + at);
        b->give[b->count] = c->rows->compliance[row];
        b->row[b->count++] = row;
    }
}

tml_status tml__gen_border_fill(gen_border* b, const gen_touch* c, const gen_tree* tree,
                                const unsigned char* labels, message* why)
{
    b->touch = c;
    b->tree = tree;
    b->n = (size_t)tree->column_count;
    b->count = 0;
    b->held = 0;
    b->is_tied = b->is_rank_doubtful = false;
    b->is_deficient = false;
    if (c == NULL) return TML_OK;
    tml_status status = take(b, c->rows->count, why);
    if (status != TML_OK) return status;
    b->is_tied = c->report.tied_rows > 0;
    b->is_rank_doubtful = c->report.dropped_pivot > 1e-3 * c->report.kept_pivot;
    // the solver has chosen already, where nothing slides; its choice is looked at by the factor
    if (labels == c->labels && !slides(c, labels)) {
        list_rows(b, labels, c->is_independent);
        fill_matrix(b, labels);
        if (factor(b)) return TML_OK;
    }
    list_rows(b, labels, NULL);
    if (b->count == 0) return TML_OK;
    const bool may_be_deficient = b->may_be_deficient && labels == c->labels;
    status = choose(b, labels, why);
    if (status == TML_SINGULAR && may_be_deficient) return fill_deficient(b, labels, why);
    if (status != TML_OK) return status;
    fill_matrix(b, labels);
    if (factor(b)) return TML_OK;
    return tml__fail(why, TML_SINGULAR, "the rows of contacts that hold have no factor");
}

tml_status tml__gen_border_open(gen_border* b, const gen_tree* tree, int rows, message* why)
{
    b->touch = NULL;
    b->tree = tree;
    b->n = (size_t)tree->column_count;
    b->count = 0;
    b->held = 0;
    b->is_tied = b->is_rank_doubtful = b->is_deficient = false;
    return take(b, rows, why);
}

tml_status tml__gen_border_close(gen_border* b, message* why)
{
    b->held = b->count;
    fill_given(b);
    if (factor(b)) return TML_OK;
    return tml__fail(why, TML_SINGULAR,
                     "the rows of a step have no factor: a joint is in a dead pose");
}

// ---- solution

void tml__gen_border_weigh(const gen_border* b, const double* x, double* out)
{
    double* y = b->more;
    if (b->count == 0) return;
    memcpy(y, x, b->n * sizeof *y);
    tml__gen_solve(b->tree, y);
    for (int k = 0; k < b->count; k++) out[k] = dot(b->n, b->K + (size_t)k * b->n, y);
}

void tml__gen_border_push(const gen_border* b, const double* f, double* x)
{
    double* y = b->more;
    if (b->count == 0) return;
    memset(y, 0, b->n * sizeof *y);
    for (int k = 0; k < b->count; k++) add_scaled(b->n, f[k], b->K + (size_t)k * b->n, y);
    tml__gen_solve(b->tree, y);
    for (size_t j = 0; j < b->n; j++) x[j] += y[j];
}

void tml__gen_border_solve(gen_border* b, double* x, const double* g, size_t stride)
{
    tml__gen_solve(b->tree, x);
    if (b->count == 0) return;
    for (int k = 0; k < b->count; k++) {
        const double given = g != NULL ? g[(size_t)k * stride] : 0.0;
        b->rest[k] = -(given + dot(b->n, b->J + (size_t)k * b->n, x));
    }
    solve_border(b, false, b->rest);
    tml__gen_border_push(b, b->rest, x);
}

// A^-1 of rows of `wide` numbers, in place.
static void solve_rows(const gen_border* b, size_t wide, double* g)
{
    const int m = b->count;
    for (int k = 0; k < m; k++) {
        double* own = g + (size_t)k * wide;
        double* other = g + (size_t)b->pivot[k] * wide;
        for (size_t i = 0; i < wide && other != own; i++) {
            const double swapped = own[i];
            own[i] = other[i];
            other[i] = swapped;
        }
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++) {
            add_scaled(wide, -b->A[i * m + j], g + (size_t)j * wide, g + (size_t)i * wide);
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        double* own = g + (size_t)i * wide;
        for (int j = i + 1; j < m; j++) {
            add_scaled(wide, -b->A[i * m + j], g + (size_t)j * wide, own);
        }
        const double inverse = 1.0 / b->A[i * m + i];
        for (size_t k = 0; k < wide; k++) own[k] *= inverse;
    }
}

void tml__gen_border_solve_many(const gen_border* b, size_t wide, double* x, double* g)
{
    tml__gen_solve_many(b->tree, wide, x);
    if (b->count == 0) return;
    for (int k = 0; k < b->count; k++) {
        for (size_t j = 0; j < b->n; j++) {
            const double entry = b->J[(size_t)k * b->n + j];
            if (entry == 0.0) continue;
            add_scaled(wide, entry, x + j * wide, g + (size_t)k * wide);
        }
    }
    solve_rows(b, wide, g);
    for (int k = 0; k < b->count; k++) {
        for (size_t j = 0; j < b->n; j++) {
            const double entry = b->MK[(size_t)k * b->n + j];
            if (entry == 0.0) continue;
            add_scaled(wide, -entry, g + (size_t)k * wide, x + j * wide);
        }
    }
}

// nu = A^-T (K^T M^-1 l + p),  y = M^-1 (l - J^T nu),  gradients by g: -nu
void tml__gen_border_solve_transposed(gen_border* b, double* x, const double* f)
{
    if (b->count > 0) {
        tml__gen_border_weigh(b, x, b->rest);
        for (int k = 0; f != NULL && k < b->count; k++) b->rest[k] += f[k];
        solve_border(b, true, b->rest);
        for (int k = 0; k < b->count; k++) {
            add_scaled(b->n, -b->rest[k], b->J + (size_t)k * b->n, x);
            b->rest[k] = -b->rest[k];
        }
    }
    tml__gen_solve(b->tree, x);
}
