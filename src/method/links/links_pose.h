// method/links/links_pose.h - flat states of eight links: poses, rates and forces, in and out.
//
// A flat state has seven numbers a body, its centre of mass and a quaternion, as many rates, and
// three numbers a joint. What is written is read back by the same code that reads a state, so that
// a simulation goes on with the bits it would have been loaded with.
#ifndef TML_METHOD_LINKS_LINKS_POSE_H
#define TML_METHOD_LINKS_LINKS_POSE_H

#include "method/links/links_lanes.h"

typedef struct lanes4 {
    lanes w, x, y, z;
} lanes4;

// Seven numbers of eight links.
typedef struct lanes_pose {
    lanes3 p;
    lanes4 q;
} lanes_pose;

LANE_CODE lanes lanes_pick(lane_mask is_a, lanes a, lanes b)
{
    return (lanes)(((lane_mask)a & is_a) | ((lane_mask)b & ~is_a));
}

LANE_CODE void lanes4_scale(lanes s, lanes4* a)
{
    a->w *= s;
    a->x *= s;
    a->y *= s;
    a->z *= s;
}

LANE_CODE lanes lanes4_dot(const lanes4* a, const lanes4* b)
{
    return a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z;
}

LANE_CODE void lanes4_normalize(lanes4* a)
{
    const lanes square = lanes4_dot(a, a);
    lanes scale;
    for (int i = 0; i < LANES; i++) scale[i] = 1.0 / sqrt(square[i]);
    lanes4_scale(scale, a);
}

// R of a unit quaternion: q_matrix of math/quat.h.
LANE_CODE void matrix_of(const lanes4* q, lanes33* R)
{
    const lanes ww = q->w * q->w;
    const lanes xx = q->x * q->x;
    const lanes yy = q->y * q->y;
    const lanes zz = q->z * q->z;
    const lanes two = LANES_OF(2.0);
    R->m[0][0] = ww + xx - yy - zz;
    R->m[0][1] = two * (q->x * q->y - q->w * q->z);
    R->m[0][2] = two * (q->w * q->y + q->x * q->z);
    R->m[1][0] = two * (q->w * q->z + q->x * q->y);
    R->m[1][1] = ww - xx + yy - zz;
    R->m[1][2] = two * (q->y * q->z - q->w * q->x);
    R->m[2][0] = two * (q->x * q->z - q->w * q->y);
    R->m[2][1] = two * (q->w * q->x + q->y * q->z);
    R->m[2][2] = ww - xx - yy + zz;
}

// Back, from the largest component: tml__q_from_matrix, without its branches.
LANE_CODE void quaternion_of(const lanes33* R, lanes4* q)
{
    const lanes one = LANES_OF(1.0);
    const lanes r0 = R->m[0][0];
    const lanes r1 = R->m[1][1];
    const lanes r2 = R->m[2][2];
    const lanes ww = one + r0 + r1 + r2;
    const lanes xx = one + r0 - r1 - r2;
    const lanes yy = one - r0 + r1 - r2;
    const lanes zz = one - r0 - r1 + r2;
    const lanes wx = R->m[2][1] - R->m[1][2];
    const lanes wy = R->m[0][2] - R->m[2][0];
    const lanes wz = R->m[1][0] - R->m[0][1];
    const lanes xy = R->m[1][0] + R->m[0][1];
    const lanes xz = R->m[0][2] + R->m[2][0];
    const lanes yz = R->m[2][1] + R->m[1][2];
    const lane_mask is_z = zz > ww;
    const lane_mask is_y = (yy > ww) & (yy >= zz);
    const lane_mask is_x = (xx > ww) & (xx >= yy) & (xx >= zz);
    *q = (lanes4){ww, wx, wy, wz};
    *q = (lanes4){lanes_pick(is_z, wz, q->w), lanes_pick(is_z, xz, q->x),
                  lanes_pick(is_z, yz, q->y), lanes_pick(is_z, zz, q->z)};
    *q = (lanes4){lanes_pick(is_y, wy, q->w), lanes_pick(is_y, xy, q->x),
                  lanes_pick(is_y, yy, q->y), lanes_pick(is_y, yz, q->z)};
    *q = (lanes4){lanes_pick(is_x, wx, q->w), lanes_pick(is_x, xx, q->x),
                  lanes_pick(is_x, xy, q->y), lanes_pick(is_x, xz, q->z)};
    lanes4_normalize(q);
    lanes4_scale(lanes_pick(q->w < LANES_OF(0.0), -one, one), q);
}

// The rate of q as it turns by omega: (0, omega) q / 2.
LANE_CODE void rate_of(const lanes4* q, const lanes3* omega, lanes4* rate)
{
    const lanes half = LANES_OF(0.5);
    rate->w = half * (-(omega->x * q->x) - omega->y * q->y - omega->z * q->z);
    rate->x = half * (omega->x * q->w + omega->y * q->z - omega->z * q->y);
    rate->y = half * (omega->y * q->w - omega->x * q->z + omega->z * q->x);
    rate->z = half * (omega->x * q->y - omega->y * q->x + omega->z * q->w);
}

// And back, for a quaternion of any length: vec(2 rate conj(q)) / |q|^2.
LANE_CODE void omega_of(const lanes4* q, const lanes4* rate, lanes3* omega)
{
    const lanes s = LANES_OF(2.0) / lanes4_dot(q, q);
    omega->x = s * (rate->x * q->w - rate->w * q->x - rate->y * q->z + rate->z * q->y);
    omega->y = s * (rate->x * q->z - rate->w * q->y + rate->y * q->w - rate->z * q->x);
    omega->z = s * (rate->y * q->x - rate->w * q->z - rate->x * q->y + rate->z * q->w);
}

LANE_CODE void gather(const double* const from[LANES], int entry, lanes* out)
{
    *out = (lanes){from[0][entry], from[1][entry], from[2][entry], from[3][entry],
                   from[4][entry], from[5][entry], from[6][entry], from[7][entry]};
}

LANE_CODE void gather_pose(const double* const from[LANES], lanes_pose* out)
{
    gather(from, 0, &out->p.x);
    gather(from, 1, &out->p.y);
    gather(from, 2, &out->p.z);
    gather(from, 3, &out->q.w);
    gather(from, 4, &out->q.x);
    gather(from, 5, &out->q.y);
    gather(from, 6, &out->q.z);
}

LANE_CODE void scatter_pose(const lanes_pose* a, double* const to[LANES])
{
    for (int i = 0; i < LANES; i++) {
        to[i][0] = a->p.x[i];
        to[i][1] = a->p.y[i];
        to[i][2] = a->p.z[i];
        to[i][3] = a->q.w[i];
        to[i][4] = a->q.x[i];
        to[i][5] = a->q.y[i];
        to[i][6] = a->q.z[i];
    }
}

// The start of a step, from poses and rates.
LANE_CODE void take_pose(const lanes_pose* pose, const lanes_pose* rate, double* state)
{
    lanes4 q = pose->q;
    lanes33 R;
    lanes3 omega;
    omega_of(&q, &rate->q, &omega);
    lanes4_normalize(&q);
    matrix_of(&q, &R);
    l3_store(&rate->p, ROW(state, LINK_V));
    l3_store(&omega, ROW(state, LINK_OMEGA));
    l33_store(&R, ROW(state, LINK_R));
}

// The end of a step out, and in again as the start of the next; x: centres of mass.
LANE_CODE void put_row(const links_call* call, int row, const lanes3* x)
{
    const link_system* l = call->l;
    double* state = state_of(l, row);
    double nowhere[POSE_WIDTH];
    double *q[LANES], *v[LANES], *force[LANES];
    lanes_pose pose, rate;
    lanes33 R;
    lanes3 omega, f;

    for (int i = 0; i < LANES; i++) {
        const int node = l->node[row * LANES + i];
        const int joint = l->joint[row * LANES + i];
        q[i] = node < 0 ? nowhere : call->q + (size_t)node * POSE_WIDTH;
        v[i] = node < 0 ? nowhere : call->v + (size_t)node * POSE_WIDTH;
        force[i] = node < 0 || joint < 0 ? nowhere : call->lambda + (size_t)joint * 3;
    }
    l33_load(ROW(state, LINK_END), &R);
    l3_load(ROW(state, LINK_V_END), &rate.p);
    l3_load(ROW(state, LINK_OMEGA_END), &omega);
    l3_load(ROW(state, LINK_FORCE), &f);
    pose.p = *x;
    quaternion_of(&R, &pose.q);
    rate_of(&pose.q, &omega, &rate.q);
    scatter_pose(&pose, q);
    scatter_pose(&rate, v);
    for (int i = 0; i < LANES; i++) {
        force[i][0] = f.x[i];
        force[i][1] = f.y[i];
        force[i][2] = f.z[i];
    }
    take_pose(&pose, &rate, state);
}

#endif
