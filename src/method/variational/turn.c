// method/variational/turn.c - the angular momentum of an interval, and its exact derivative.
//
// A world rotation phi of the end, b = R^T phi in body axes of the start, changes d = (w, u) by
//     dw = -b.u / 2,   du = (w b + b x u) / 2
// The paper takes the velocity for its unknown and meets a root that vanishes at half a turn a step
// [VMAX (32)]; with the pose for the unknown everything here is a polynomial.
#include "method/variational/turn.h"

static mat3 rotate(mat3 R, mat3 a) { return m3_mul_bt(m3_mul(R, a), R); }

// The shorter way round is the turn that was made.
static quat turn_between(quat from, quat to)
{
    const quat d = q_mul(q_conj(from), to);
    return d.w < 0.0 ? q_scale(-1.0, d) : d;
}

vec3 tml__var_momentum(const mat3* J, quat from, quat to, double h)
{
    const quat d = turn_between(from, to);
    const vec3 u = q_vec(d);
    const vec3 Ju = m3_apply(*J, u);
    const vec3 p = m3_apply(q_matrix(from), v3_add(v3_scale(d.w, Ju), v3_cross(u, Ju)));
    return v3_scale(2.0 / h, p);  // [VMAX (33)]
}

// d(u)/d(b)
static mat3 turn_of_axis(quat d)
{
    return m3_scale(0.5, m3_sub(m3_scale(d.w, m3_identity()), m3_skew(q_vec(d))));
}

mat3 tml__var_stiffness(const mat3* J, quat from, quat to, double h)
{
    const quat d = turn_between(from, to);
    const vec3 u = q_vec(d);
    const vec3 Ju = m3_apply(*J, u);
    const mat3 gyro = m3_sub(m3_mul(m3_skew(u), *J), m3_skew(Ju));
    const mat3 by_u = m3_mul(m3_add(m3_scale(d.w, *J), gyro), turn_of_axis(d));
    const mat3 K = m3_sub(by_u, m3_scale(0.5, m3_outer(Ju, u)));

    return m3_scale(2.0 / h, rotate(q_matrix(from), K));
}

void tml__var_turn(const mat3* J, quat from, quat to, double h, var_turn* out)
{
    const quat d = turn_between(from, to);
    const double w = d.w;
    const vec3 u = q_vec(d);
    const mat3 R = q_matrix(from);
    const mat3 U = turn_of_axis(d);

    out->momentum = tml__var_momentum(J, from, to, h);
    out->K = tml__var_stiffness(J, from, to, h);
    out->omega = v3_scale(2.0 / h, m3_apply(R, u));
    out->W = m3_scale(2.0 / h, rotate(R, U));

    const double s = 1.0 / (1.0 + w);
    out->t = v3_scale(s, m3_apply(R, u));
    out->T = rotate(R, m3_add(m3_scale(s, U), m3_scale(0.5 * s * s, m3_outer(u, u))));
}
