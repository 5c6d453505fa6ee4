// test/sim/space.h - vectors, rotations and small linear systems, written again for the tests so
// that nothing is compared with itself.
#ifndef TRAMMEL_TEST_SIM_SPACE_H
#define TRAMMEL_TEST_SIM_SPACE_H

#include <trammel/base.h>

#include <math.h>

static inline tml_vec3 plus(tml_vec3 a, tml_vec3 b)
{
    return (tml_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline tml_vec3 times(double s, tml_vec3 a) { return (tml_vec3){s * a.x, s * a.y, s * a.z}; }
static inline tml_vec3 minus(tml_vec3 a, tml_vec3 b) { return plus(a, times(-1.0, b)); }
static inline double dot(tml_vec3 a, tml_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double length(tml_vec3 a) { return sqrt(dot(a, a)); }

static inline tml_vec3 cross(tml_vec3 a, tml_vec3 b)
{
    return (tml_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double component(tml_vec3 a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

// v + 2 w (u x v) + 2 u x (u x v), with q = (w, u).
static inline tml_vec3 turn(tml_quat q, tml_vec3 v)
{
    const tml_vec3 u = {q.x, q.y, q.z};
    const tml_vec3 t = times(2.0, cross(u, v));
    return plus(v, plus(times(q.w, t), cross(u, t)));
}

static inline tml_vec3 turn_back(tml_quat q, tml_vec3 v)
{
    return turn((tml_quat){q.w, -q.x, -q.y, -q.z}, v);
}

// The inertia of a body (xx yy zz xy xz yz in body axes) times an angular velocity in world axes.
static inline tml_vec3 spin_momentum(const double i[6], tml_quat q, tml_vec3 omega)
{
    const tml_vec3 w = turn_back(q, omega);
    const tml_vec3 l = {i[0] * w.x + i[3] * w.y + i[4] * w.z, i[3] * w.x + i[1] * w.y + i[5] * w.z,
                        i[4] * w.x + i[5] * w.y + i[2] * w.z};
    return turn(q, l);
}

// A x = b by elimination with row exchanges; A (n x n, row-major) and b are overwritten, b with x.
static inline void solve_small(int n, double* A, double* b)
{
    for (int j = 0; j < n; j++) {
        int p = j;
        for (int i = j + 1; i < n; i++) {
            if (fabs(A[i * n + j]) > fabs(A[p * n + j])) p = i;
        }
        for (int k = 0; k < n && p != j; k++) {
            const double t = A[j * n + k];
            A[j * n + k] = A[p * n + k];
            A[p * n + k] = t;
        }
        const double t = b[j];
        b[j] = b[p];
        b[p] = t;
        for (int i = j + 1; i < n; i++) {
            const double f = A[i * n + j] / A[j * n + j];
            for (int k = j; k < n; k++) A[i * n + k] -= f * A[j * n + k];
            b[i] -= f * b[j];
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = j + 1; k < n; k++) b[j] -= A[j * n + k] * b[k];
        b[j] /= A[j * n + j];
    }
}

#endif
