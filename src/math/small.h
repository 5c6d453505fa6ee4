// math/small.h - dense factorisations of small matrices, in the caller's storage.
//
// Matrices are row-major with a leading dimension: entry (i, j) is a[i * ld + j], ld >= columns,
// and ld is wide so that i * ld cannot overflow.
// Nothing is allocated and nothing is added to a pivot: a matrix that has no factor is reported as
// TML_SINGULAR, never repaired. Meant for sizes up to a few hundred.
#ifndef TML_MATH_SMALL_H
#define TML_MATH_SMALL_H

#include <trammel/base.h>

#include <stddef.h>

// LU with partial pivoting, P a = L U, of an n x n matrix in place; pivot[k] is the row that was
// swapped with row k. TML_SINGULAR: a pivot column is zero or not finite; `a` is then spoilt.
tml_status tml__lu_factor(int n, double* a, ptrdiff_t ld, int* pivot);

// Solve a x = b, or a^T x = b, in place in b.
void tml__lu_solve(int n, const double* a, ptrdiff_t ld, const int* pivot, double* b);
void tml__lu_solve_transposed(int n, const double* a, ptrdiff_t ld, const int* pivot, double* b);

// L D L^T of a symmetric n x n matrix, no pivoting: for definite and quasi-definite matrices.
// Reads and overwrites the lower triangle: D on the diagonal, L (unit) below it.
// TML_SINGULAR: a pivot is zero or not finite; `a` is then spoilt.
tml_status tml__ldlt_factor(int n, double* a, ptrdiff_t ld);
void tml__ldlt_solve(int n, const double* a, ptrdiff_t ld, double* b);

// Cholesky with diagonal pivoting, P^T a P = L L^T, of a symmetric positive semidefinite n x n
// matrix: reads and overwrites the lower triangle, rows and columns in pivoted order; order[k] is
// the row that came k-th. Stops where no pivot above `tolerance` is left and answers how many there
// were: the rows that do not depend on each other, the best first. NaN counts as dependent.
int tml__cholesky_pivoted(int n, double* a, ptrdiff_t ld, double tolerance, int* order);

// Solve with the first `rank` pivoted rows and columns, in place in b; the other entries become 0.
// scratch: rank doubles.
void tml__cholesky_solve(int n, int rank, const double* a, ptrdiff_t ld, const int* order,
                         double* b, double* scratch);

// Householder QR with column pivoting, a E = Q R, of an m x n matrix; s = min(m, n). All pointers
// are the caller's. Filled by tml__qr_factor: in `a`, R on and above the diagonal with |r_kk|
// falling, and the Householder vectors below it (their first entry is 1 and not stored).
// Entries between 1e-150 and 1e150 in size, or zero.
typedef struct pivoted_qr {
    int m;
    int n;
    ptrdiff_t ld;
    double* a;    // m x ld: the matrix in, its factor out
    double* tau;  // s: H_k = I - tau_k v_k v_k^T, Q = H_0 H_1 ...
    int* column;  // n: the column of the matrix that came k-th
} pivoted_qr;

void tml__qr_factor(pivoted_qr* qr, double* scratch);  // scratch: n doubles

// The number of |r_kk| above tolerance * |r_00|. NaN counts as dependent.
int tml__qr_rank(const pivoted_qr* qr, double tolerance);

// b (m entries) <- Q^T b, or Q b.
void tml__qr_apply_qt(const pivoted_qr* qr, double* b);
void tml__qr_apply_q(const pivoted_qr* qr, double* b);

// How the k-th pivoted column, k >= rank, depends on the first `rank` ones:
//   a[column[k]] = sum_i weight[i] a[column[i]], i < rank, up to the tolerance of the rank.
void tml__qr_dependence(const pivoted_qr* qr, int rank, int k, double* weight);

// Least squares min |a x - b| with only the first `rank` pivoted columns; the other x are zero.
// b (m entries) is overwritten; from `rank` on it holds what could not be met, in the basis of Q.
void tml__qr_solve(const pivoted_qr* qr, int rank, double* b, double* x);

#endif
