// solve/lcp_exact.c - the exact solve for given labels, and whether it obeys every law.
//
// Rows that hold (C) have w = 0; rows at a bound (B) have f_B = E f_C + e, where E has one entry
// +-mu in the column of the row's normal and e is the bound of a box row.    [DCON (6) App A]
//
//     (A_CC + A_CB E) f_C = -b_C - A_CB e
//
// The matrix is symmetric without bounded friction. Where it is regular, a factorisation and one
// correction; where it is not, a pivoted QR gives its rank and the f_C of least norm. [DCON (19)]
// Friction rows of C that contradict each other may creep (lcp.h).
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

// Pivots below this share of the largest diagonal entry: ask the pivoted QR.
#define REGULAR_PIVOT 1e-9
// Columns that leave less than this share of the first one are dependent.
#define RANK_TOLERANCE 1e-11

static bool is_bounded(unsigned char label) { return label == LCP_LOWER || label == LCP_UPPER; }

// The rows that hold, and whether the matrix stays symmetric.
static bool gather_held(lcp_island* p)
{
    bool is_symmetric = p->dependence == 0.0;
    p->held_count = 0;
    for (int i = 0; i < p->n; i++) {
        p->f[i] = 0.0;
        if (p->label[i] == LCP_HELD) p->held[p->held_count++] = i;
        const bool is_slipping = p->rows[i].kind == LCP_FRICTION && is_bounded(p->label[i]);
        if (is_slipping) is_symmetric = false;
    }
    return is_symmetric;
}

// What a bounded row adds to the right-hand side (box) or to the column of its normal (friction).
static void add_bounded(lcp_island* p, int j, const int* place, double* side)
{
    const int c = p->held_count;
    const lcp_row* row = &p->rows[j];
    const double sign = p->label[j] == LCP_UPPER ? 1.0 : -1.0;

    for (int i = 0; i < c; i++) {
        const double a = p->A[(size_t)p->held[i] * (size_t)p->n + (size_t)j];
        if (row->kind == LCP_FRICTION) {
            p->matrix[(size_t)i * (size_t)c + (size_t)place[row->normal]] += sign * row->mu * a;
        } else {
            side[i] -= a * (p->label[j] == LCP_UPPER ? row->upper : row->lower);
        }
    }
}

static void fill_matrix(lcp_island* p, double* side)
{
    const int c = p->held_count;
    int* place = p->pivot;  // free until the matrix is factored
    for (int i = 0; i < c; i++) {
        const double* from = &p->A[(size_t)p->held[i] * (size_t)p->n];
        for (int j = 0; j < c; j++) p->matrix[(size_t)i * (size_t)c + (size_t)j] = from[p->held[j]];
        side[i] = -p->b[p->held[i]];
        place[p->held[i]] = i;
    }
    for (int j = 0; j < p->n; j++) {
        if (is_bounded(p->label[j])) add_bounded(p, j, place, side);
    }
}

static double largest_diagonal(const double* a, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a[(size_t)i * (size_t)n + (size_t)i]);
        if (d > largest) largest = d;
    }
    return largest;
}

static double smallest_diagonal(const double* a, int n)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a[(size_t)i * (size_t)n + (size_t)i]);
        if (!(d >= smallest)) smallest = d;
    }
    return smallest;
}

static void solve_factored(lcp_island* p, bool is_symmetric, double* x)
{
    const int c = p->held_count;
    if (is_symmetric) {
        tml__ldlt_solve(c, p->matrix, c, x);
    } else {
        tml__lu_solve(c, p->matrix, c, p->pivot, x);
    }
}

// side - copy x into `rest`
static void rest_of(const lcp_island* p, const double* side, const double* x, double* rest)
{
    const int c = p->held_count;
    for (int i = 0; i < c; i++) {
        double sum = side[i];
        const double* row = &p->copy[(size_t)i * (size_t)c];
        for (int j = 0; j < c; j++) sum -= row[j] * x[j];
        rest[i] = sum;
    }
}

// A factorisation without rank decisions; false when a pivot is too small to be trusted.
static bool solve_regular(lcp_island* p, bool is_symmetric, const double* side, double* x)
{
    const int c = p->held_count;
    const double size = largest_diagonal(p->matrix, c);
    const tml_status status = is_symmetric ? tml__ldlt_factor(c, p->matrix, c)
                                           : tml__lu_factor(c, p->matrix, c, p->pivot);
    if (status != TML_OK ||
        !(smallest_diagonal(p->matrix, c) > fmax(REGULAR_PIVOT, p->dependence) * size)) {
        return false;
    }

    memcpy(x, side, (size_t)c * sizeof *x);
    solve_factored(p, is_symmetric, x);
    rest_of(p, side, x, p->spare);
    solve_factored(p, is_symmetric, p->spare);
    for (int i = 0; i < c; i++) x[i] += p->spare[i];
    p->rank = c;
    p->kept_pivot = smallest_diagonal(p->matrix, c) / size;
    for (int i = 0; i < c; i++) p->is_independent[p->held[i]] = 1;
    return true;
}

// The x of least norm with R_r x = y, R_r the first `rank` rows of R, by a QR of their transpose.
// `y` in; x out, in the order of the pivoted columns. The factor in p->matrix is lost.
static void least_norm(lcp_island* p, int rank, double* y, double* x)
{
    const int c = p->held_count;
    double* turned = p->matrix;  // c x rank, in place of R: copied row by row from the end
    double* rows = p->tableau;   // rank x c
    for (int i = 0; i < rank; i++) {
        for (int j = 0; j < c; j++) {
            rows[(size_t)i * (size_t)c + (size_t)j] =
                j < i ? 0.0 : p->matrix[(size_t)i * (size_t)c + (size_t)j];
        }
    }
    for (int j = 0; j < c; j++) {
        for (int i = 0; i < rank; i++) {
            turned[(size_t)j * (size_t)rank + (size_t)i] = rows[(size_t)i * (size_t)c + (size_t)j];
        }
    }
    pivoted_qr qr = {c, rank, rank, turned, p->tau, p->pivot};
    tml__qr_factor(&qr, p->spare);
    // R^T E = Q S, so S^T (Q^T x) = E^T y
    for (int i = 0; i < rank; i++) {
        double sum = y[p->pivot[i]];
        for (int k = 0; k < i; k++) sum -= turned[(size_t)k * (size_t)rank + (size_t)i] * x[k];
        x[i] = sum / turned[(size_t)i * (size_t)rank + (size_t)i];
    }
    for (int i = rank; i < c; i++) x[i] = 0.0;
    tml__qr_apply_q(&qr, x);
}

// How far the pivots beside the decision are from it.
static void note_rank(lcp_island* p)
{
    const int c = p->held_count;
    const double first = fabs(p->matrix[0]);
    if (!(first > 0.0)) return;  // every row is zero
    const size_t stride = (size_t)c + 1;
    if (p->rank > 0) p->kept_pivot = fabs(p->matrix[(size_t)(p->rank - 1) * stride]) / first;
    if (p->rank < c) p->dropped_pivot = fabs(p->matrix[(size_t)p->rank * stride]) / first;
}

// ---- rows that contradict each other

// What no forces can change of the right-hand side, in the basis of Q from the rank on. Answers its largest number.
static double contradiction(const lcp_island* p, const pivoted_qr* qr, const double* side,
                            double* out)
{
    double largest = 0.0;
    memcpy(out, side, (size_t)qr->m * sizeof *out);
    tml__qr_apply_qt(qr, out);
    for (int k = p->rank; k < qr->m; k++) largest = fmax(largest, fabs(out[k]));
    return largest;
}

static int list_creeping(const lcp_island* p, int* list)
{
    int count = 0;
    for (int i = 0; i < p->held_count; i++) {
        const int row = p->held[i];
        if (p->rows[row].kind == LCP_FRICTION && p->creep[row] > 0.0) list[count++] = i;
    }
    return count;
}

// The vectors of Q from the rank on, of the rows in the list: count x (c - rank).
static void gather_null(const lcp_island* p, const pivoted_qr* qr, const int* list, int count,
                        double* scratch, double* out)
{
    const int many = qr->m - p->rank;
    for (int k = 0; k < many; k++) {
        memset(scratch, 0, (size_t)qr->m * sizeof *scratch);
        scratch[p->rank + k] = 1.0;
        tml__qr_apply_q(qr, scratch);
        for (int i = 0; i < count; i++) out[i * many + k] = scratch[list[i]];
    }
}

// The least x with N^T x = d, N count x many; false: there is none, and x is not it.
static bool least_change(lcp_island* p, int count, int many, const double* d, double* x)
{
    double* tau = p->proximal;  // free while labels are tried
    double* scratch = p->proximal + p->n;
    int* column = p->lemke_list + p->n;
    pivoted_qr null = {count, many, many, p->tableau, tau, column};
    tml__qr_factor(&null, scratch);
    const int rank = tml__qr_rank(&null, RANK_TOLERANCE);
    double left = 0.0;
    double size = 0.0;
    memset(x, 0, (size_t)count * sizeof *x);
    // N E = Q R, so that R^T (Q^T x) = E^T d
    for (int i = 0; i < many; i++) {
        double sum = d[column[i]];
        size = fmax(size, fabs(sum));
        for (int k = 0; k < i && k < rank; k++) sum -= p->tableau[k * many + i] * x[k];
        if (i < rank)
            x[i] = sum / p->tableau[i * many + i];
        else
            left = fmax(left, fabs(sum));
    }
    tml__qr_apply_q(&null, x);
    return left <= 1e-9 * size;
}

// Where rows that hold ask for what no forces can do, those of friction ask for the least less that can be done, if that
// is within what they may creep. [N of the null vectors: N^T (side - change) = 0]
static void let_creep(lcp_island* p, const pivoted_qr* qr, double* side)
{
    double* d = p->w;           // filled for good at the end of the exact solve
    double* change = p->f;      // likewise
    int* list = p->lemke_list;  // free between islands, and here
    const int many = qr->m - p->rank;
    const double size = fmax(contradiction(p, qr, side, d), 0.0);
    double scale = 0.0;
    for (int i = 0; i < qr->m; i++) scale = fmax(scale, fabs(side[i]));
    if (many == 0 || !(size > LCP_TOLERANCE * scale)) return;
    const int count = list_creeping(p, list);
    if (count < many) return;
    gather_null(p, qr, list, count, p->proximal, p->tableau);
    if (!least_change(p, count, many, d + p->rank, change)) return;
    for (int i = 0; i < count; i++) {
        if (!(fabs(change[i]) <= p->creep[p->held[list[i]]])) return;
    }
    for (int i = 0; i < count; i++) {
        side[list[i]] -= change[i];
        p->creeping[p->held[list[i]]] = -change[i];
    }
}

// Rank and the solution of least norm (of least squares, where the rows contradict each other).
static void solve_deficient(lcp_island* p, double* side, double* x)
{
    const int c = p->held_count;
    memcpy(p->matrix, p->copy, (size_t)c * (size_t)c * sizeof *p->matrix);
    int* column = p->held + p->n;  // second half of the list: order of the columns
    pivoted_qr qr = {c, c, c, p->matrix, p->tau, column};
    tml__qr_factor(&qr, p->spare);
    p->rank = tml__qr_rank(&qr, fmax(RANK_TOLERANCE, p->dependence));
    for (int k = 0; k < p->rank; k++) p->is_independent[p->held[column[k]]] = 1;
    note_rank(p);
    let_creep(p, &qr, side);

    double* y = p->w;  // filled for good at the end of the exact solve
    memcpy(y, side, (size_t)c * sizeof *y);
    tml__qr_apply_qt(&qr, y);
    double* turned = p->f;  // likewise
    least_norm(p, p->rank, y, turned);
    for (int k = 0; k < c; k++) x[column[k]] = turned[k];
}

void tml__lcp_set_bounded(lcp_island* p)
{
    for (int i = 0; i < p->n; i++) {
        if (p->label[i] == LCP_LOWER) p->f[i] = lcp_lower(p, i);
        if (p->label[i] == LCP_UPPER) p->f[i] = lcp_upper(p, i);
    }
}

void tml__lcp_velocities(lcp_island* p)
{
    p->velocity_scale = 0.0;
    p->force_scale = 0.0;
    if (p->is_lifted) {
        tml__lcp_lifted_velocities(p);
        return;
    }
    for (int i = 0; i < p->n; i++) {
        const double* row = &p->A[(size_t)i * (size_t)p->n];
        double sum = p->b[i];
        double size = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            const double part = row[j] * p->f[j];
            sum += part;
            size += fabs(part);
        }
        p->w[i] = sum;
        if (!(size <= p->velocity_scale)) p->velocity_scale = size;
        if (!(fabs(p->f[i]) <= p->force_scale)) p->force_scale = fabs(p->f[i]);
    }
}

// What the forces of the sweeps leave to be done.
static void subtract_base(lcp_island* p, double* side)
{
    const int c = p->held_count;
    for (int i = 0; i < c; i++) {
        const double* row = &p->copy[(size_t)i * (size_t)c];
        for (int j = 0; j < c; j++) side[i] -= row[j] * p->base[p->held[j]];
    }
}

void tml__lcp_exact(lcp_island* p)
{
    if (p->is_lifted) {
        tml__lcp_exact_coupled(p);
        return;
    }
    const bool is_symmetric = gather_held(p);
    const int c = p->held_count;
    double* side = p->side;
    double* x = p->part;

    for (int i = 0; i < p->n; i++) p->is_independent[i] = 0;
    memset(p->creeping, 0, (size_t)p->n * sizeof *p->creeping);
    p->rank = 0;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
    if (c > 0) {
        fill_matrix(p, side);
        memcpy(p->copy, p->matrix, (size_t)c * (size_t)c * sizeof *p->copy);
        if (p->has_base) subtract_base(p, side);
        if (!solve_regular(p, is_symmetric, side, x)) solve_deficient(p, side, x);
    }
    for (int i = 0; i < p->n; i++) p->f[i] = 0.0;
    for (int i = 0; i < c; i++) {
        p->f[p->held[i]] = x[i] + (p->has_base ? p->base[p->held[i]] : 0.0);
    }
    tml__lcp_set_bounded(p);
    tml__lcp_velocities(p);
}

// ---- the laws

// By how much row i breaks its law, relative to the scales of the island; 0 or less: it does not.
static double violation(const lcp_island* p, int i)
{
    const double over = p->w[i] - p->creeping[i];
    const double w = p->velocity_scale > 0.0 ? over / p->velocity_scale : over;
    const double unit = p->force_scale > 0.0 ? 1.0 / p->force_scale : 1.0;
    const lcp_row* row = &p->rows[i];

    switch ((lcp_label)p->label[i]) {
    case LCP_HELD: {
        double force = 0.0;
        if (row->kind == LCP_UNILATERAL) force = -p->f[i];
        if (row->kind == LCP_BOX || row->kind == LCP_FRICTION) {
            const double above = p->f[i] - lcp_upper(p, i);
            const double below = lcp_lower(p, i) - p->f[i];
            force = above > below ? above : below;
        }
        return fabs(w) > force * unit ? fabs(w) : force * unit;
    }
    case LCP_OFF: return row->kind == LCP_FRICTION ? 0.0 : -w;
    case LCP_LOWER: return -w;
    case LCP_UPPER: return w;
    case LCP_UNKNOWN: break;
    }
    return HUGE_VAL;
}

// Where nothing can obey every law, ever larger forces make any velocity small beside |A||f|. Velocities
// of rows that hold must also be small beside b; then `residual` and `worst` say so.
static bool runs_away(lcp_island* p)
{
    double size = 0.0;
    double largest = 0.0;
    int worst = -1;
    for (int i = 0; i < p->n; i++) {
        size = fmax(size, fabs(p->b[i]));
        const double over = fabs(p->w[i] - p->creeping[i]);
        if (p->label[i] != LCP_HELD || !(over > largest)) continue;
        largest = over;
        worst = i;
    }
    if (!(largest > LCP_RUNAWAY * size)) return false;
    p->residual = size > 0.0 ? largest / size : (double)HUGE_VAL;
    p->worst = worst;
    return true;
}

bool tml__lcp_verify(lcp_island* p)
{
    p->residual = 0.0;
    p->worst = -1;
    for (int i = 0; i < p->n; i++) {
        const double v = violation(p, i);
        if (!(v <= p->residual)) {
            p->residual = v;
            p->worst = i;
        }
    }
    return p->residual <= LCP_TOLERANCE && !runs_away(p);
}
