// math/small.c - LU, L D L^T, pivoted Cholesky and pivoted QR of small dense matrices.
//
// Row-major storage, so every inner loop runs along a row: eliminations subtract multiples of rows,
// and a Householder reflection gathers v^T A row by row before it is applied.
#include "math/small.h"

#include <math.h>

// LU ---------------------------------------------------------------------------------------------

static void swap_rows(int n, double* a, double* b)
{
    for (int j = 0; j < n; j++) {
        const double entry = a[j];
        a[j] = b[j];
        b[j] = entry;
    }
}

// The row at or below k with the largest entry in column k.
static int largest_in_column(int n, const double* a, ptrdiff_t ld, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (fabs(a[i * ld + k]) > fabs(a[best * ld + k])) best = i;
    }
    return best;
}

tml_status tml__lu_factor(int n, double* a, ptrdiff_t ld, int* pivot)
{
    for (int k = 0; k < n; k++) {
        pivot[k] = largest_in_column(n, a, ld, k);
        double* row_k = a + k * ld;
        if (pivot[k] != k) swap_rows(n, row_k, a + pivot[k] * ld);

        const double p = row_k[k];
        if (p == 0.0 || !isfinite(p)) return TML_SINGULAR;

        for (int i = k + 1; i < n; i++) {
            double* row_i = a + i * ld;
            const double l = row_i[k] / p;
            row_i[k] = l;
            for (int j = k + 1; j < n; j++) row_i[j] -= l * row_k[j];
        }
    }
    return TML_OK;
}

void tml__lu_solve(int n, const double* a, ptrdiff_t ld, const int* pivot, double* b)
{
    for (int k = 0; k < n; k++) {
        const double entry = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = entry;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= a[i * ld + j] * b[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i * ld + j] * b[j];
        b[i] /= a[i * ld + i];
    }
}

// a^T = U^T L^T P: first U^T, then L^T, then undo the swaps in reverse.
void tml__lu_solve_transposed(int n, const double* a, ptrdiff_t ld, const int* pivot, double* b)
{
    for (int i = 0; i < n; i++) {
        b[i] /= a[i * ld + i];
        for (int j = i + 1; j < n; j++) b[j] -= a[i * ld + j] * b[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < i; j++) b[j] -= a[i * ld + j] * b[i];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double entry = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = entry;
    }
}

// L D L^T ----------------------------------------------------------------------------------------

// Row by row: first l_ij d_j for j < i, from the rows above; then the pivot; then divide by d_j.
//   l_ij d_j = a_ij - sum_{k<j} (l_ik d_k) l_jk,     d_i = a_ii - sum_{j<i} (l_ij d_j) l_ij
tml_status tml__ldlt_factor(int n, double* a, ptrdiff_t ld)
{
    for (int i = 0; i < n; i++) {
        double* row_i = a + i * ld;
        for (int j = 0; j < i; j++) {
            const double* row_j = a + j * ld;
            for (int k = 0; k < j; k++) row_i[j] -= row_i[k] * row_j[k];
        }
        for (int j = 0; j < i; j++) {
            const double l = row_i[j] / a[j * ld + j];
            row_i[i] -= row_i[j] * l;
            row_i[j] = l;
        }
        if (row_i[i] == 0.0 || !isfinite(row_i[i])) return TML_SINGULAR;
    }
    return TML_OK;
}

void tml__ldlt_solve(int n, const double* a, ptrdiff_t ld, double* b)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= a[i * ld + j] * b[j];
    }
    for (int i = 0; i < n; i++) b[i] /= a[i * ld + i];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < i; j++) b[j] -= a[i * ld + j] * b[i];
    }
}

// Cholesky ---------------------------------------------------------------------------------------

static void swap_entries(double* a, double* b)
{
    const double entry = *a;
    *a = *b;
    *b = entry;
}

// Exchange rows and columns k < m of a symmetric matrix of which only the lower triangle exists.
static void swap_symmetric(int n, double* a, ptrdiff_t ld, int k, int m)
{
    for (int j = 0; j < k; j++) swap_entries(&a[k * ld + j], &a[m * ld + j]);
    for (int j = k + 1; j < m; j++) swap_entries(&a[j * ld + k], &a[m * ld + j]);
    for (int i = m + 1; i < n; i++) swap_entries(&a[i * ld + k], &a[i * ld + m]);
    swap_entries(&a[k * ld + k], &a[m * ld + m]);
}

int tml__cholesky_pivoted(int n, double* a, ptrdiff_t ld, double tolerance, int* order)
{
    for (int k = 0; k < n; k++) order[k] = k;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (!(a[i * ld + i] <= a[best * ld + best])) best = i;
        }
        const double pivot = a[best * ld + best];
        if (!(pivot > tolerance) || !isfinite(pivot)) return k;
        if (best != k) {
            const int row = order[k];
            order[k] = order[best];
            order[best] = row;
            swap_symmetric(n, a, ld, k, best);
        }
        const double root = sqrt(pivot);
        a[k * ld + k] = root;
        for (int i = k + 1; i < n; i++) a[i * ld + k] /= root;
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i * ld + k];
            for (int j = k + 1; j <= i; j++) a[i * ld + j] -= factor * a[j * ld + k];
        }
    }
    return n;
}

void tml__cholesky_solve(int n, int rank, const double* a, ptrdiff_t ld, const int* order,
                         double* b, double* scratch)
{
    for (int i = 0; i < rank; i++) {
        double sum = b[order[i]];
        for (int j = 0; j < i; j++) sum -= a[i * ld + j] * scratch[j];
        scratch[i] = sum / a[i * ld + i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < rank; j++) scratch[i] -= a[j * ld + i] * scratch[j];
        scratch[i] /= a[i * ld + i];
    }
    for (int i = 0; i < n; i++) b[i] = 0.0;
    for (int i = 0; i < rank; i++) b[order[i]] = scratch[i];
}

// pivoted QR -------------------------------------------------------------------------------------

static int step_count(const pivoted_qr* qr) { return qr->m < qr->n ? qr->m : qr->n; }

// The column from k on with the largest norm below row k; the first on ties. The norms are summed
// afresh each time: updating them loses exactly the digits a rank decision needs.
static int longest_column(const pivoted_qr* qr, int k, double* norm2)
{
    for (int j = k; j < qr->n; j++) norm2[j] = 0.0;
    for (int i = k; i < qr->m; i++) {
        const double* row = qr->a + i * qr->ld;
        for (int j = k; j < qr->n; j++) norm2[j] += row[j] * row[j];
    }
    int best = k;
    for (int j = k + 1; j < qr->n; j++) {
        if (norm2[j] > norm2[best]) best = j;
    }
    return best;
}

static void swap_columns(pivoted_qr* qr, int j, int k)
{
    for (int i = 0; i < qr->m; i++) {
        double* row = qr->a + i * qr->ld;
        const double entry = row[j];
        row[j] = row[k];
        row[k] = entry;
    }
    const int c = qr->column[j];
    qr->column[j] = qr->column[k];
    qr->column[k] = c;
}

// Turn column k into (r_kk, 0, ..., 0) below row k: H = I - tau v v^T with v_k = 1. Answers tau.
static double make_reflection(pivoted_qr* qr, int k)
{
    double* column = qr->a + k;
    const ptrdiff_t ld = qr->ld;
    double below = 0.0;
    for (int i = k + 1; i < qr->m; i++) below += column[i * ld] * column[i * ld];
    if (below == 0.0) return 0.0;  // already there: H = I

    const double alpha = column[k * ld];
    const double length = sqrt(alpha * alpha + below);
    const double r = alpha > 0.0 ? -length : length;  // the sign that does not cancel
    const double head = alpha - r;

    for (int i = k + 1; i < qr->m; i++) column[i * ld] /= head;
    column[k * ld] = r;
    return -head / r;
}

// Columns k+1 .. n-1 <- H columns:  a_ij -= tau v_i (v^T a)_j.
static void reflect_columns(pivoted_qr* qr, int k, double tau, double* v_a)
{
    double* row_k = qr->a + k * qr->ld;
    for (int j = k + 1; j < qr->n; j++) v_a[j] = row_k[j];
    for (int i = k + 1; i < qr->m; i++) {
        const double* row = qr->a + i * qr->ld;
        for (int j = k + 1; j < qr->n; j++) v_a[j] += row[k] * row[j];
    }
    for (int j = k + 1; j < qr->n; j++) row_k[j] -= tau * v_a[j];
    for (int i = k + 1; i < qr->m; i++) {
        double* row = qr->a + i * qr->ld;
        const double factor = tau * row[k];
        for (int j = k + 1; j < qr->n; j++) row[j] -= factor * v_a[j];
    }
}

void tml__qr_factor(pivoted_qr* qr, double* scratch)
{
    for (int j = 0; j < qr->n; j++) qr->column[j] = j;

    for (int k = 0; k < step_count(qr); k++) {
        const int best = longest_column(qr, k, scratch);
        if (best != k) swap_columns(qr, k, best);
        qr->tau[k] = make_reflection(qr, k);
        if (qr->tau[k] != 0.0) reflect_columns(qr, k, qr->tau[k], scratch);
    }
}

int tml__qr_rank(const pivoted_qr* qr, double tolerance)
{
    const int s = step_count(qr);
    if (s == 0) return 0;

    const double threshold = tolerance * fabs(qr->a[0]);
    int rank = 0;
    while (rank < s && fabs(qr->a[rank * qr->ld + rank]) > threshold) rank++;
    return rank;
}

// b <- (I - tau v v^T) b, v below the diagonal of column k.
static void reflect_vector(const pivoted_qr* qr, int k, double* b)
{
    const double* v = qr->a + k;
    double s = b[k];
    for (int i = k + 1; i < qr->m; i++) s += v[i * qr->ld] * b[i];
    s *= qr->tau[k];
    b[k] -= s;
    for (int i = k + 1; i < qr->m; i++) b[i] -= s * v[i * qr->ld];
}

void tml__qr_apply_qt(const pivoted_qr* qr, double* b)
{
    for (int k = 0; k < step_count(qr); k++) reflect_vector(qr, k, b);
}

void tml__qr_apply_q(const pivoted_qr* qr, double* b)
{
    for (int k = step_count(qr) - 1; k >= 0; k--) reflect_vector(qr, k, b);
}

// x <- R^-1 x with the leading rank x rank part of R.
static void solve_upper(const pivoted_qr* qr, int rank, double* x)
{
    for (int i = rank - 1; i >= 0; i--) {
        const double* row = qr->a + i * qr->ld;
        for (int j = i + 1; j < rank; j++) x[i] -= row[j] * x[j];
        x[i] /= row[i];
    }
}

void tml__qr_dependence(const pivoted_qr* qr, int rank, int k, double* weight)
{
    for (int i = 0; i < rank; i++) weight[i] = qr->a[i * qr->ld + k];
    solve_upper(qr, rank, weight);
}

// Q^T b, then R11 y = its head, in place; then each y goes to the column it belongs to.
void tml__qr_solve(const pivoted_qr* qr, int rank, double* b, double* x)
{
    tml__qr_apply_qt(qr, b);
    solve_upper(qr, rank, b);
    for (int j = 0; j < qr->n; j++) x[qr->column[j]] = j < rank ? b[j] : 0.0;
}
