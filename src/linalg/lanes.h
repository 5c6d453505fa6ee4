// linalg/lanes.h - eight bodies at once: vectors and 3 x 3 matrices whose entries are eight lanes.
//
// Written with the vector types of gcc and clang, which become whatever the instruction set of the
// including function has. Every lane sees the same operations in the same order, products are never
// fused with sums, and so all instruction sets give the same bits; functions are always inlined
// and pass pointers, so that no calling convention depends on the set.
#ifndef TML_LINALG_LANES_H
#define TML_LINALG_LANES_H

#include <math.h>

enum {
    LANES = 8
};

// Values of this type are never passed between functions that exist: all of them are inlined.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define LANE_CODE static inline __attribute__((always_inline))

typedef double lanes __attribute__((vector_size(64), may_alias));

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

typedef struct lanes33 {
    lanes m[3][3];
} lanes33;

#define LANES_OF(value)                                                                            \
    ((lanes){(value), (value), (value), (value), (value), (value), (value), (value)})

LANE_CODE void l3_load(const double* from, lanes3* out)
{
    const lanes* p = (const lanes*)from;
    out->x = p[0];
    out->y = p[1];
    out->z = p[2];
}

LANE_CODE void l3_store(const lanes3* a, double* to)
{
    lanes* p = (lanes*)to;
    p[0] = a->x;
    p[1] = a->y;
    p[2] = a->z;
}

LANE_CODE void l33_load(const double* from, lanes33* out)
{
    const lanes* p = (const lanes*)from;
    for (int k = 0; k < 9; k++) out->m[k / 3][k % 3] = p[k];
}

LANE_CODE void l33_store(const lanes33* a, double* to)
{
    lanes* p = (lanes*)to;
    for (int k = 0; k < 9; k++) p[k] = a->m[k / 3][k % 3];
}

// out = a x b
LANE_CODE void l3_cross(const lanes3* a, const lanes3* b, lanes3* out)
{
    const lanes x = a->y * b->z - a->z * b->y;
    const lanes y = a->z * b->x - a->x * b->z;
    const lanes z = a->x * b->y - a->y * b->x;
    out->x = x;
    out->y = y;
    out->z = z;
}

LANE_CODE lanes l3_dot(const lanes3* a, const lanes3* b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

// out = a + s b
LANE_CODE void l3_axpy(const lanes3* a, lanes s, const lanes3* b, lanes3* out)
{
    out->x = a->x + s * b->x;
    out->y = a->y + s * b->y;
    out->z = a->z + s * b->z;
}

LANE_CODE void l33_apply(const lanes33* a, const lanes3* x, lanes3* out)
{
    const lanes r0 = a->m[0][0] * x->x + a->m[0][1] * x->y + a->m[0][2] * x->z;
    const lanes r1 = a->m[1][0] * x->x + a->m[1][1] * x->y + a->m[1][2] * x->z;
    const lanes r2 = a->m[2][0] * x->x + a->m[2][1] * x->y + a->m[2][2] * x->z;
    out->x = r0;
    out->y = r1;
    out->z = r2;
}

LANE_CODE void l33_mul(const lanes33* a, const lanes33* b, lanes33* out)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->m[i][j] =
                a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
}

// a b^T
LANE_CODE void l33_mul_bt(const lanes33* a, const lanes33* b, lanes33* out)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->m[i][j] =
                a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
        }
    }
}

// a S for a symmetric S = (xx, yy, zz, xy, xz, yz)
LANE_CODE void l33_mul_symmetric(const lanes33* a, const lanes S[6], lanes33* out)
{
    for (int i = 0; i < 3; i++) {
        const lanes x = a->m[i][0];
        const lanes y = a->m[i][1];
        const lanes z = a->m[i][2];
        out->m[i][0] = x * S[0] + y * S[3] + z * S[4];
        out->m[i][1] = x * S[3] + y * S[1] + z * S[5];
        out->m[i][2] = x * S[4] + y * S[5] + z * S[2];
    }
}

// a += s u v^T
LANE_CODE void l33_add_outer(lanes33* a, lanes s, const lanes3* u, const lanes3* v)
{
    const lanes left[3] = {s * u->x, s * u->y, s * u->z};
    for (int i = 0; i < 3; i++) {
        a->m[i][0] += left[i] * v->x;
        a->m[i][1] += left[i] * v->y;
        a->m[i][2] += left[i] * v->z;
    }
}

// The inverse by cofactors.
LANE_CODE void l33_inverse(const lanes33* a, lanes33* out)
{
    const lanes3 r0 = {a->m[0][0], a->m[0][1], a->m[0][2]};
    const lanes3 r1 = {a->m[1][0], a->m[1][1], a->m[1][2]};
    const lanes3 r2 = {a->m[2][0], a->m[2][1], a->m[2][2]};
    lanes3 c0, c1, c2;
    l3_cross(&r1, &r2, &c0);
    l3_cross(&r2, &r0, &c1);
    l3_cross(&r0, &r1, &c2);
    const lanes d = LANES_OF(1.0) / l3_dot(&r0, &c0);
    out->m[0][0] = d * c0.x;
    out->m[0][1] = d * c1.x;
    out->m[0][2] = d * c2.x;
    out->m[1][0] = d * c0.y;
    out->m[1][1] = d * c1.y;
    out->m[1][2] = d * c2.y;
    out->m[2][0] = d * c0.z;
    out->m[2][1] = d * c1.z;
    out->m[2][2] = d * c2.z;
}

// The rotation by 2 atan(|w|/2) about w: I + ([w] + [w]^2/2) / (1 + |w|^2/4).
LANE_CODE void l33_cayley(const lanes3* w, lanes33* out)
{
    const lanes s = LANES_OF(1.0) / (LANES_OF(1.0) + LANES_OF(0.25) * l3_dot(w, w));
    const lanes h = LANES_OF(0.5) * s;
    const lanes xx = h * w->x * w->x;
    const lanes yy = h * w->y * w->y;
    const lanes zz = h * w->z * w->z;
    const lanes xy = h * w->x * w->y;
    const lanes xz = h * w->x * w->z;
    const lanes yz = h * w->y * w->z;
    const lanes one = LANES_OF(1.0);
    out->m[0][0] = one - (yy + zz);
    out->m[1][1] = one - (xx + zz);
    out->m[2][2] = one - (xx + yy);
    out->m[0][1] = xy - s * w->z;
    out->m[1][0] = xy + s * w->z;
    out->m[0][2] = xz + s * w->y;
    out->m[2][0] = xz - s * w->y;
    out->m[1][2] = yz - s * w->x;
    out->m[2][1] = yz + s * w->x;
}

// Eight rows of eight become columns.
LANE_CODE void lanes_transpose(lanes a[LANES])
{
    lanes b[LANES];
    for (int i = 0; i < LANES; i += 2) {
        b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < LANES; i += 4) {
        for (int k = i; k < i + 2; k++) {
            a[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            a[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int k = 0; k < 4; k++) {
        const lanes low = __builtin_shufflevector(a[k], a[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        a[k + 4] = __builtin_shufflevector(a[k], a[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        a[k] = low;
    }
}

#endif
