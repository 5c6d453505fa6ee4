// math/mat3.h - 3 x 3 matrices, row-major, by value.
#ifndef TML_MATH_MAT3_H
#define TML_MATH_MAT3_H

#include "math/vec3.h"

typedef struct mat3 {
    double m[3][3];
} mat3;

static inline mat3 m3_zero(void) { return (mat3){{{0}}}; }

static inline mat3 m3_diagonal(double a, double b, double c)
{
    return (mat3){{{a, 0.0, 0.0}, {0.0, b, 0.0}, {0.0, 0.0, c}}};
}

static inline mat3 m3_identity(void) { return m3_diagonal(1.0, 1.0, 1.0); }

static inline mat3 m3_columns(vec3 a, vec3 b, vec3 c)
{
    return (mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline vec3 m3_column(mat3 a, int j) { return (vec3){a.m[0][j], a.m[1][j], a.m[2][j]}; }
static inline vec3 m3_row(mat3 a, int i) { return (vec3){a.m[i][0], a.m[i][1], a.m[i][2]}; }

static inline mat3 m3_add(mat3 a, mat3 b)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] += b.m[i][j];
    }
    return a;
}

static inline mat3 m3_sub(mat3 a, mat3 b)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] -= b.m[i][j];
    }
    return a;
}

static inline mat3 m3_scale(double s, mat3 a)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] *= s;
    }
    return a;
}

static inline mat3 m3_transpose(mat3 a)
{
    return m3_columns(m3_row(a, 0), m3_row(a, 1), m3_row(a, 2));
}

static inline mat3 m3_mul(mat3 a, mat3 b)
{
    mat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
    }
    return c;
}

// a b^T
static inline mat3 m3_mul_bt(mat3 a, mat3 b) { return m3_mul(a, m3_transpose(b)); }

// a s a^T for a symmetric s; symmetric to the last bit.
static inline mat3 m3_congruence(mat3 a, mat3 s)
{
    const mat3 b = m3_mul(a, s);
    mat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            c.m[i][j] = b.m[i][0] * a.m[j][0] + b.m[i][1] * a.m[j][1] + b.m[i][2] * a.m[j][2];
            c.m[j][i] = c.m[i][j];
        }
    }
    return c;
}

static inline vec3 m3_apply(mat3 a, vec3 x)
{
    return (vec3){a.m[0][0] * x.x + a.m[0][1] * x.y + a.m[0][2] * x.z,
                  a.m[1][0] * x.x + a.m[1][1] * x.y + a.m[1][2] * x.z,
                  a.m[2][0] * x.x + a.m[2][1] * x.y + a.m[2][2] * x.z};
}

// a^T x
static inline vec3 m3_apply_t(mat3 a, vec3 x)
{
    return (vec3){a.m[0][0] * x.x + a.m[1][0] * x.y + a.m[2][0] * x.z,
                  a.m[0][1] * x.x + a.m[1][1] * x.y + a.m[2][1] * x.z,
                  a.m[0][2] * x.x + a.m[1][2] * x.y + a.m[2][2] * x.z};
}

// [a] with [a] x = a x x
static inline mat3 m3_skew(vec3 a)
{
    return (mat3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}

// a b^T
static inline mat3 m3_outer(vec3 a, vec3 b)
{
    return (mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                   {a.y * b.x, a.y * b.y, a.y * b.z},
                   {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

// [a][b] = b a^T - (a . b) I
static inline mat3 m3_skew_skew(vec3 a, vec3 b)
{
    const double s = v3_dot(a, b);
    mat3 c = m3_outer(b, a);
    for (int i = 0; i < 3; i++) c.m[i][i] -= s;
    return c;
}

static inline double m3_determinant(mat3 a)
{
    return v3_dot(m3_row(a, 0), v3_cross(m3_row(a, 1), m3_row(a, 2)));
}

// The inverse by cofactors. The caller knows that a is regular (inertias, rotations).
static inline mat3 m3_inverse(mat3 a)
{
    const vec3 r0 = m3_row(a, 0);
    const vec3 r1 = m3_row(a, 1);
    const vec3 r2 = m3_row(a, 2);
    const vec3 c0 = v3_cross(r1, r2);
    const double d = 1.0 / v3_dot(r0, c0);

    return m3_scale(d, m3_columns(c0, v3_cross(r2, r0), v3_cross(r0, r1)));
}

// Eigenvalues (ascending) and orthonormal, right-handed eigenvectors (columns) of a symmetric
// matrix, by cyclic Jacobi.
void tml__m3_eigen(mat3 a, vec3* values, mat3* vectors);

#endif
