// math/quat.h - quaternions (w, x, y, z), Hamilton, body to world.
//
// The papers write them scalar last and use the 3 x 4 matrices G and H; here G(q)v and H(q)v are
// products of quaternions:
//     G(q) v = vec(v conj(q))          H(q) v = vec(conj(q) v)                    [QRBD Tab 1]
// so  omega_world = 2 G(q) qdot,  omega_body = 2 H(q) qdot,  qdot = G^T omega/2 = H^T omega_b/2.
#ifndef TML_MATH_QUAT_H
#define TML_MATH_QUAT_H

#include "math/mat3.h"
#include "math/scalar.h"

typedef tml_quat quat;

static inline quat q_identity(void) { return (quat){1.0, 0.0, 0.0, 0.0}; }
static inline quat q_conj(quat a) { return (quat){a.w, -a.x, -a.y, -a.z}; }
static inline vec3 q_vec(quat a) { return (vec3){a.x, a.y, a.z}; }

static inline quat q_add(quat a, quat b)
{
    return (quat){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline quat q_sub(quat a, quat b)
{
    return (quat){a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline quat q_scale(double s, quat a) { return (quat){s * a.w, s * a.x, s * a.y, s * a.z}; }

static inline double q_dot(quat a, quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

static inline quat q_mul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// |a| < 1e-300: no direction, keep the identity
static inline quat q_normalize(quat a)
{
    const double n = sqrt(q_dot(a, a));
    return n > 1e-300 ? q_scale(1.0 / n, a) : q_identity();
}

static inline vec3 q_G(quat q, quat v) { return q_vec(q_mul(v, q_conj(q))); }
static inline vec3 q_H(quat q, quat v) { return q_vec(q_mul(q_conj(q), v)); }

// G(q)^T a and H(q)^T a
static inline quat q_Gt(quat q, vec3 a) { return q_mul((quat){0.0, a.x, a.y, a.z}, q); }
static inline quat q_Ht(quat q, vec3 a) { return q_mul(q, (quat){0.0, a.x, a.y, a.z}); }

// R(q) = G(q) H(q)^T, also for quaternions that are not unit (then scaled by |q|^2). [QRBD Tab 1]
static inline mat3 q_matrix(quat q)
{
    const double ww = q.w * q.w;
    const double xx = q.x * q.x;
    const double yy = q.y * q.y;
    const double zz = q.z * q.z;

    return (mat3){
        {{ww + xx - yy - zz, 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.w * q.y + q.x * q.z)},
         {2.0 * (q.w * q.z + q.x * q.y), ww - xx + yy - zz, 2.0 * (q.y * q.z - q.w * q.x)},
         {2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.w * q.x + q.y * q.z), ww - xx - yy + zz}}};
}

// One column of q_matrix.
static inline vec3 q_column(quat q, int k)
{
    const double ww = q.w * q.w;
    const double xx = q.x * q.x;
    const double yy = q.y * q.y;
    const double zz = q.z * q.z;
    if (k == 0) {
        return (vec3){ww + xx - yy - zz, 2.0 * (q.w * q.z + q.x * q.y),
                      2.0 * (q.x * q.z - q.w * q.y)};
    }
    if (k == 1) {
        return (vec3){2.0 * (q.x * q.y - q.w * q.z), ww - xx + yy - zz,
                      2.0 * (q.w * q.x + q.y * q.z)};
    }
    return (vec3){2.0 * (q.w * q.y + q.x * q.z), 2.0 * (q.y * q.z - q.w * q.x), ww - xx - yy + zz};
}

static inline vec3 q_rotate(quat q, vec3 a) { return m3_apply(q_matrix(q), a); }

// The rotation by the vector phi (axis times angle).
static inline quat q_exp(vec3 phi)
{
    const double angle = v3_norm(phi);
    const double half = 0.5 * angle;
    // sin(half)/angle: below 1e-4 the series is exact to the last bit
    const double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : tml__sin(half) / angle;

    return (quat){tml__cos(half), s * phi.x, s * phi.y, s * phi.z};
}

// Turn q by the world rotation vector phi and keep it unit.
static inline quat q_turn(quat q, vec3 phi) { return q_normalize(q_mul(q_exp(phi), q)); }

// The rotation by an angle about coordinate axis i.
static inline quat q_about(int i, double angle) { return q_exp(v3_scale(angle, v3_unit(i))); }

// q q_about(i, angle) without the products that are zero; not to the last bit the same.
static inline quat q_mul_about(quat q, int i, double angle)
{
    double s = 0.0;
    double c = 0.0;
    tml__sin_cos(0.5 * angle, &s, &c);
    if (i == 0) {
        return (quat){c * q.w - s * q.x, c * q.x + s * q.w, c * q.y + s * q.z, c * q.z - s * q.y};
    }
    if (i == 1) {
        return (quat){c * q.w - s * q.y, c * q.x - s * q.z, c * q.y + s * q.w, c * q.z + s * q.x};
    }
    return (quat){c * q.w - s * q.z, c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w};
}

// The rotation vector of a unit quaternion, of length at most pi: q_exp backwards.
vec3 tml__q_log(quat q);

// How that vector phi changes while the rotation turns on by omega (in the frame it starts from):
//   omega - phi x omega/2 + (1 - (a/2) cot(a/2))/a^2 phi x (phi x omega),   a = |phi|
vec3 tml__q_log_rate(vec3 phi, vec3 omega);

// The same backwards: how a rotation q_exp(phi) turns on while phi changes by `rate`,
//   rate + (1 - cos a)/a^2 phi x rate + (a - sin a)/a^3 phi x (phi x rate)
vec3 tml__q_exp_rate(vec3 phi, vec3 rate);

// The unit quaternion of a rotation matrix (largest component first, so no cancellation).
quat tml__q_from_matrix(mat3 r);

#endif
