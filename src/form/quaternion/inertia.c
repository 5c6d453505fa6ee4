// form/quaternion/inertia.c - F4 of the paper with w eliminated, and its exact derivative.
//
// The paper keeps q and w = q' as 8 unknowns with the unit length as an equation [QRBD (10)]. With
// w and w' replaced by the relation of the step and q moved on the unit sphere only, three
// unknowns are left and nothing is approximated (notes, section 3). For a general relation, with
//     g = c_v / c_q,   u = g q_hat - w_hat   (so that w = g q - u)
//     omega = -2 H(q) u          sigma = q.w = g - q.u         (body axes; H(q) q = 0)
//     T = -(2 / c_q) J H(q) q_hat + omega x J omega + 2 sigma J omega
// and for a body-frame increment theta, dq = H^T theta / 2:
//     d(-2 H(q) x) = ((q.x) I + [-H(q) x]) theta,     d(sigma) = omega.theta / 4
// sigma is zero for exact data and keeps the additive update consistent; dropping its term is
// another method.
#include "form/quaternion/inertia.h"

// d(-2 H(q) x)/d(theta) given h = -H(q) x.
static mat3 slope(double dot, vec3 h)
{
    mat3 a = m3_skew(h);
    for (int i = 0; i < 3; i++) a.m[i][i] += dot;
    return a;
}

static mat3 rotate(const mat3* R, mat3 a) { return m3_mul_bt(m3_mul(*R, a), *R); }

void tml__quat_inertia(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                       node_inertia* out)
{
    const double g = relation->c_v / relation->c_q;
    const quat u = q_sub(q_scale(g, relation->q_hat), relation->w_hat);
    const vec3 h_u = v3_neg(q_H(q, u));
    const vec3 h_q = v3_neg(q_H(q, relation->q_hat));

    const vec3 omega = v3_scale(2.0, h_u);
    const double sigma = g - q_dot(q, u);
    const vec3 L = m3_apply(*J, omega);
    const vec3 alpha = v3_scale(2.0 / relation->c_q, h_q);
    const vec3 T = v3_add(m3_apply(*J, alpha), v3_axpy(v3_cross(omega, L), 2.0 * sigma, L));

    const mat3 d_omega = slope(q_dot(q, u), h_u);
    const mat3 d_alpha = m3_scale(1.0 / relation->c_q, slope(q_dot(q, relation->q_hat), h_q));
    const mat3 gyro = m3_sub(m3_mul(m3_skew(omega), *J), m3_skew(L));
    const mat3 swing = m3_mul(m3_add(gyro, m3_scale(2.0 * sigma, *J)), d_omega);
    const mat3 K = m3_add(m3_add(m3_mul(*J, d_alpha), swing), m3_scale(0.5, m3_outer(L, omega)));

    // to the world: vectors turn with the body too
    out->omega = m3_apply(*R, omega);
    out->torque = m3_apply(*R, T);
    out->K = m3_sub(rotate(R, K), m3_skew(out->torque));
    out->W = m3_sub(rotate(R, d_omega), m3_skew(out->omega));
}
