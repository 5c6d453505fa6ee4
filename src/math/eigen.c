// math/eigen.c - Jacobi's method: plane rotations until nothing is left beside the diagonal.
#include "math/eigen.h"

#include <math.h>

enum {
    MAX_SWEEPS = 40
};

// Entry (i, j) in the lower triangle, whichever way it is asked for.
static double* at(double* a, ptrdiff_t ld, int i, int j)
{
    return i > j ? &a[i * ld + j] : &a[j * ld + i];
}

// Turn the plane of p < q so that a_pq vanishes.
static void rotate(int n, double* a, ptrdiff_t ld, int p, int q)
{
    const double apq = *at(a, ld, q, p);
    const double app = a[p * ld + p];
    const double aqq = a[q * ld + q];
    if (apq == 0.0) return;

    // the smaller root of t^2 + 2 theta t - 1 = 0
    const double theta = 0.5 * (aqq - app) / apq;
    const double root = fabs(theta) > 1e150 ? fabs(theta) : sqrt(theta * theta + 1.0);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + root);
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;

    a[p * ld + p] = app - t * apq;
    a[q * ld + q] = aqq + t * apq;
    *at(a, ld, q, p) = 0.0;
    for (int k = 0; k < n; k++) {
        if (k == p || k == q) continue;
        double* akp = at(a, ld, k, p);
        double* akq = at(a, ld, k, q);
        const double x = *akp;
        const double y = *akq;
        *akp = c * x - s * y;
        *akq = s * x + c * y;
    }
}

static double beside_diagonal(int n, const double* a, ptrdiff_t ld)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) sum += a[i * ld + j] * a[i * ld + j];
    }
    return sum;
}

void tml__symmetric_eigenvalues(int n, double* a, ptrdiff_t ld, double* values)
{
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        const double rest = beside_diagonal(n, a, ld);
        double size = rest;
        for (int i = 0; i < n; i++) size += a[i * ld + i] * a[i * ld + i];
        if (!(rest > 1e-34 * size)) break;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) rotate(n, a, ld, p, q);
        }
    }
    for (int i = 0; i < n; i++) {
        int k = i;
        const double value = a[i * ld + i];
        for (; k > 0 && values[k - 1] > value; k--) values[k] = values[k - 1];
        values[k] = value;
    }
}
