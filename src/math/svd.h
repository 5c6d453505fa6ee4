// math/svd.h - a 3 x 3 matrix as stretches between two rotations.
#ifndef TML_MATH_SVD_H
#define TML_MATH_SVD_H

#include "math/mat3.h"

// a = U diag(s) V^T with U and V rotations (determinant 1) and |s.x| >= |s.y| >= |s.z|. Where a turns
// a volume inside out (negative determinant) s.z is negative: of the rotations this is the nearest.
// Exact to rounding also for matrices of rank 2, 1 and 0.
typedef struct mat3_svd {
    mat3 U, V;
    vec3 s;
} mat3_svd;

mat3_svd tml__m3_svd(mat3 a);

// The rotation nearest to a, U V^T.
static inline mat3 m3_svd_rotation(const mat3_svd* d) { return m3_mul_bt(d->U, d->V); }

#endif
