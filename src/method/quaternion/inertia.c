// method/quaternion/inertia.c - F4 of the paper with w eliminated, and its exact derivative.
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
#include "method/quaternion/inertia.h"

// d(-2 H(q) x)/d(theta) given h = -H(q) x.
static mat3 slope(double dot, vec3 h)
{
    mat3 a = m3_skew(h);
    for (int i = 0; i < 3; i++) a.m[i][i] += dot;
    return a;
}

static mat3 rotate(const mat3* R, mat3 a) { return m3_mul_bt(m3_mul(*R, a), *R); }

// What the discretisation makes of one body's turning, in body axes.
typedef struct turning {
    quat u;  // g q_hat - w_hat, g = c_v / c_q
    vec3 h_u, h_q;
    vec3 omega, L, T;
    double sigma;
} turning;

static turning turning_of(const mat3* J, quat q, const quat_relation* relation)
{
    const double g = relation->c_v / relation->c_q;
    turning t = {.u = q_sub(q_scale(g, relation->q_hat), relation->w_hat)};

    t.h_u = v3_neg(q_H(q, t.u));
    t.h_q = v3_neg(q_H(q, relation->q_hat));
    t.omega = v3_scale(2.0, t.h_u);
    t.sigma = g - q_dot(q, t.u);
    t.L = m3_apply(*J, t.omega);
    const vec3 alpha = v3_scale(2.0 / relation->c_q, t.h_q);
    t.T = v3_add(m3_apply(*J, alpha), v3_axpy(v3_cross(t.omega, t.L), 2.0 * t.sigma, t.L));
    return t;
}

void tml__quat_motion(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                      node_inertia* out)
{
    const turning t = turning_of(J, q, relation);
    out->omega = m3_apply(*R, t.omega);
    out->torque = m3_apply(*R, t.T);
}

void tml__quat_inertia(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                       node_inertia* out)
{
    const turning t = turning_of(J, q, relation);
    const mat3 d_omega = slope(q_dot(q, t.u), t.h_u);
    const mat3 d_alpha = m3_scale(1.0 / relation->c_q, slope(q_dot(q, relation->q_hat), t.h_q));
    const mat3 gyro = m3_sub(m3_mul(m3_skew(t.omega), *J), m3_skew(t.L));
    const mat3 swing = m3_mul(m3_add(gyro, m3_scale(2.0 * t.sigma, *J)), d_omega);
    const mat3 K =
        m3_add(m3_add(m3_mul(*J, d_alpha), swing), m3_scale(0.5, m3_outer(t.L, t.omega)));

    // to the world: vectors turn with the body too
    out->omega = m3_apply(*R, t.omega);
    out->torque = m3_apply(*R, t.T);
    out->K = m3_sub(rotate(R, K), m3_skew(out->torque));
    out->W = m3_sub(rotate(R, d_omega), m3_skew(out->omega));
}

// With u = g q_hat - w_hat:  d(omega) = -2 H(q) du,  d(sigma) = -q.du,
//   dT = -(2 / c_q) J H(q) dq_hat + d(omega) x L + omega x J d(omega) + 2 d(sigma) L
//        + 2 sigma J d(omega)
void tml__quat_hat_columns(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                           hat_columns* out)
{
    const double g = relation->c_v / relation->c_q;
    const turning t = turning_of(J, q, relation);

    for (int k = 0; k < 8; k++) {
        const int i = k % 4;
        const quat unit = {i == 0, i == 1, i == 2, i == 3};
        const quat du = q_scale(k < 4 ? g : -1.0, unit);
        const vec3 d_omega = v3_scale(-2.0, q_H(q, du));
        const vec3 d_L = m3_apply(*J, d_omega);
        vec3 dT = v3_add(v3_cross(d_omega, t.L), v3_cross(t.omega, d_L));
        dT = v3_axpy(v3_axpy(dT, -2.0 * q_dot(q, du), t.L), 2.0 * t.sigma, d_L);
        if (k < 4) dT = v3_axpy(dT, -2.0 / relation->c_q, m3_apply(*J, q_H(q, unit)));
        out->torque[k] = m3_apply(*R, dT);
        out->omega[k] = m3_apply(*R, d_omega);
    }
}
