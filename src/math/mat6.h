// math/mat6.h - 6 x 6 matrices, row-major, 36 doubles behind a pointer.
//
// Outputs never overlap inputs unless a comment says so. Every entry of a product is summed over
// its inner index in ascending order, so a vectorised twin that keeps one lane per column gives the
// same bits. To solve with one, use tml__lu_factor(6, a, 6, pivot) of math/small.h.
#ifndef TML_MATH_MAT6_H
#define TML_MATH_MAT6_H

#include <trammel/base.h>

#include <math.h>
#include <string.h>

static inline void m6_zero(double* restrict a) { memset(a, 0, 36 * sizeof *a); }

static inline void m6_copy(const double* restrict a, double* restrict out)
{
    memcpy(out, a, 36 * sizeof *a);
}

static inline void m6_identity(double* restrict a)
{
    m6_zero(a);
    for (int i = 0; i < 6; i++) a[7 * i] = 1.0;
}

static inline void m6_transpose(const double* restrict a, double* restrict out)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) out[6 * j + i] = a[6 * i + j];
    }
}

// out += a
static inline void m6_add(const double* restrict a, double* restrict out)
{
    for (int i = 0; i < 36; i++) out[i] += a[i];
}

// out -= a
static inline void m6_sub(const double* restrict a, double* restrict out)
{
    for (int i = 0; i < 36; i++) out[i] -= a[i];
}

// out = s a
static inline void m6_scale(double s, const double* restrict a, double* restrict out)
{
    for (int i = 0; i < 36; i++) out[i] = s * a[i];
}

// One row of a product: row = sum_k f_k b_k, b_k the rows of b, f strided.
static inline void m6_combine_rows(const double* restrict f, int stride, const double* restrict b,
                                   double* restrict row)
{
    for (int j = 0; j < 6; j++) row[j] = f[0] * b[j];
    for (int k = 1; k < 6; k++) {
        const double f_k = f[k * stride];
        for (int j = 0; j < 6; j++) row[j] += f_k * b[6 * k + j];
    }
}

// out = a b
static inline void m6_mul(const double* restrict a, const double* restrict b, double* restrict out)
{
    for (int i = 0; i < 6; i++) m6_combine_rows(a + 6 * i, 1, b, out + 6 * i);
}

// out = a^T b
static inline void m6_mul_at(const double* restrict a, const double* restrict b,
                             double* restrict out)
{
    for (int i = 0; i < 6; i++) m6_combine_rows(a + i, 6, b, out + 6 * i);
}

// out = a b^T
static inline void m6_mul_bt(const double* restrict a, const double* restrict b,
                             double* restrict out)
{
    double b_t[36];
    m6_transpose(b, b_t);
    m6_mul(a, b_t, out);
}

// out -= a b
static inline void m6_mul_sub(const double* restrict a, const double* restrict b,
                              double* restrict out)
{
    for (int i = 0; i < 6; i++) {
        double row[6];
        m6_combine_rows(a + 6 * i, 1, b, row);
        for (int j = 0; j < 6; j++) out[6 * i + j] -= row[j];
    }
}

// y = a x
static inline void m6_apply(const double* restrict a, const double* restrict x, double* restrict y)
{
    for (int i = 0; i < 6; i++) {
        double s = a[6 * i] * x[0];
        for (int k = 1; k < 6; k++) s += a[6 * i + k] * x[k];
        y[i] = s;
    }
}

// y = a^T x
static inline void m6_apply_t(const double* restrict a, const double* restrict x,
                              double* restrict y)
{
    m6_combine_rows(x, 1, a, y);
}

// y -= a x
static inline void m6_apply_sub(const double* restrict a, const double* restrict x,
                                double* restrict y)
{
    double a_x[6];
    m6_apply(a, x, a_x);
    for (int i = 0; i < 6; i++) y[i] -= a_x[i];
}

// y -= a^T x
static inline void m6_apply_t_sub(const double* restrict a, const double* restrict x,
                                  double* restrict y)
{
    double a_x[6];
    m6_apply_t(a, x, a_x);
    for (int i = 0; i < 6; i++) y[i] -= a_x[i];
}

#endif
