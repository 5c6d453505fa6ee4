// method/affine/six.h - the 6 x 6 matrix of one body, by columns.
#ifndef TML_METHOD_AFFINE_SIX_H
#define TML_METHOD_AFFINE_SIX_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

// The inverse of a 6 x 6 matrix by columns, rows exchanged for the largest pivot. False: singular.
static inline bool six_invert(const double* from, double* to)
{
    double m[36];
    memcpy(m, from, sizeof m);
    memset(to, 0, 36 * sizeof *to);
    for (int i = 0; i < 6; i++) to[7 * i] = 1.0;
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int r = k + 1; r < 6; r++) {
            if (fabs(m[6 * k + r]) > fabs(m[6 * k + best])) best = r;
        }
        const double pivot = m[6 * k + best];
        if (!(fabs(pivot) > 0.0)) return false;
        const double reciprocal = 1.0 / pivot;
        double factor[6];
        for (int c = 0; c < 6; c++) {
            double swap = m[6 * c + k];
            m[6 * c + k] = m[6 * c + best];
            m[6 * c + best] = swap;
            swap = to[6 * c + k];
            to[6 * c + k] = to[6 * c + best];
            to[6 * c + best] = swap;
        }
        for (int r = 0; r < 6; r++) factor[r] = r == k ? 0.0 : m[6 * k + r] * reciprocal;
        for (int c = 0; c < 6; c++) {
            const double a = m[6 * c + k];
            const double b = to[6 * c + k];
            for (int r = 0; r < 6; r++) {
                m[6 * c + r] -= factor[r] * a;
                to[6 * c + r] -= factor[r] * b;
            }
            m[6 * c + k] = a * reciprocal;
            to[6 * c + k] = b * reciprocal;
        }
    }
    return true;
}

// to = inverse x
static inline void six_apply(const double* inverse, const double* x, double* to)
{
    double sum[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int c = 0; c < 6; c++) {
        for (int r = 0; r < 6; r++) sum[r] += inverse[6 * c + r] * x[c];
    }
    memcpy(to, sum, sizeof sum);
}

// to -= move x, x six numbers
static inline void six_take_move(const double* move, const double* x, double* to)
{
    for (int c = 0; c < 6; c++) {
        for (int r = 0; r < 3; r++) to[r] -= move[3 * c + r] * x[c];
    }
}

#endif
