// form/affine/links_body.c - what a step asks of each link by itself, eight links at once.
//
//   P   = (R+ - R - h U) S / beta - f_a x_a^T + sum f_c x_c^T        U = [w] R     [notes 9.2]
//   E_x = m (move - h v)/beta - m g - f_a + sum f_c,  E_w = tau(P A^T)
//   K   = (tr Z I - Z) - (tr W I - W^T)/2,   Z = R+ S A^T / beta,  W = P R+^T      [notes 9.3]
//   W_pq = (beta/m) I - [r_p] K^-1 [d_q],    u_p = -(beta/m) E_x + r_p x (K^-1 E_w)
//
// Projecting velocities and finding accelerations are the same with K = R J R^T, beta = 1 and
// arms r on both sides. a is the joint towards the root, c the first one outwards.
#include "form/affine/links.h"
#include "linalg/lanes.h"

#include <string.h>

#define ROW(base, index) ((base) + (index)*LANES)

LANE_CODE double* state_of(const links_call* c)
{
    return c->l->state + (size_t)c->group * LINK_STATE * LANES;
}

LANE_CODE const double* type_of(const links_call* c)
{
    return c->l->types + (size_t)c->l->group_type[c->group] * LINK_CONSTANTS * LANES;
}

LANE_CODE lanes row_of(const double* base, int index) { return *(const lanes*)ROW(base, index); }

// tr(a) I - a
LANE_CODE void lever(const lanes33* a, lanes33* out)
{
    const lanes trace = a->m[0][0] + a->m[1][1] + a->m[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out->m[i][j] = -a->m[i][j];
        out->m[i][i] += trace;
    }
}

LANE_CODE void skew_times(const lanes3* w, const lanes33* R, lanes33* out)
{
    for (int j = 0; j < 3; j++) {
        out->m[0][j] = w->y * R->m[2][j] - w->z * R->m[1][j];
        out->m[1][j] = w->z * R->m[0][j] - w->x * R->m[2][j];
        out->m[2][j] = w->x * R->m[1][j] - w->y * R->m[0][j];
    }
}

LANE_CODE lanes row_dot(const lanes33* a, int i, const lanes33* b, int j)
{
    return a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
}

// tau(a b^T)
LANE_CODE void tau_bt(const lanes33* a, const lanes33* b, lanes3* out)
{
    out->x = row_dot(a, 2, b, 1) - row_dot(a, 1, b, 2);
    out->y = row_dot(a, 0, b, 2) - row_dot(a, 2, b, 0);
    out->z = row_dot(a, 1, b, 0) - row_dot(a, 0, b, 1);
}

LANE_CODE void load_inertia(const double* type, lanes S[6])
{
    for (int k = 0; k < 6; k++) S[k] = row_of(type, LINK_S + k);
}

// What assembling leaves for the ports.
typedef struct link_body {
    lanes33 Kinv;
    lanes3 Ke, Ex;   // K^-1 E_w, and E_x times `mobility`
    lanes mobility;  // beta/m
    lanes3 r_a, d_a, r_c, d_c;
} link_body;

LANE_CODE void find_arms(const double* type, const lanes33* end, const lanes33* A, link_body* b)
{
    lanes3 x;
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(end, &x, &b->r_a);
    l33_apply(A, &x, &b->d_a);
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_apply(end, &x, &b->r_c);
    l33_apply(A, &x, &b->d_c);
}

// What the air does to turning: the torque, and its derivative.
LANE_CODE void resist(const links_call* call, const lanes33* R, const lanes33* end, lanes33* K,
                      lanes3* Ew)
{
    const lanes spin = row_of(type_of(call), LINK_SPIN) * LANES_OF(0.5 / call->stage.h);
    lanes33 turn, by;
    lanes3 torque;
    l33_mul_bt(end, R, &turn);
    lever(&turn, &by);
    for (int k = 0; k < 9; k++) K->m[k / 3][k % 3] += spin * by.m[k / 3][k % 3];
    tau_bt(end, R, &torque);
    l3_axpy(Ew, spin, &torque, Ew);
}

// E_x beta/m along one axis.
LANE_CODE lanes push_along(const link_body* b, lanes inertia, lanes ahead, lanes weight, lanes out,
                           lanes air)
{
    return b->mobility * (inertia * ahead - weight + out + air);
}

// `out`: what joints take from the link.
LANE_CODE void translate(const links_call* call, const lanes3* out, link_body* b)
{
    const double* state = state_of(call);
    const double* type = type_of(call);
    const lanes h = LANES_OF(call->stage.h);
    const lanes mass = row_of(type, LINK_MASS);
    const lanes drag = row_of(type, LINK_DRAG) / h;
    const lanes inertia = mass * LANES_OF(1.0 / call->stage.beta);
    lanes3 v, move, wind;
    l3_load(ROW(state, LINK_V), &v);
    l3_load(ROW(state, LINK_MOVE), &move);
    l3_load(ROW(type, LINK_WIND), &wind);
    b->mobility = LANES_OF(1.0) / (inertia + drag);
    b->Ex.x = push_along(b, inertia, move.x - h * v.x, mass * LANES_OF(call->gravity.x), out->x,
                         drag * (move.x - h * wind.x));
    b->Ex.y = push_along(b, inertia, move.y - h * v.y, mass * LANES_OF(call->gravity.y), out->y,
                         drag * (move.y - h * wind.y));
    b->Ex.z = push_along(b, inertia, move.z - h * v.z, mass * LANES_OF(call->gravity.z), out->z,
                         drag * (move.z - h * wind.z));
}

LANE_CODE void assemble_step(const links_call* call, link_body* b)
{
    const double* state = state_of(call);
    const double* type = type_of(call);
    const double* sweep = call->sweep;
    const lanes h = LANES_OF(call->stage.h);
    const lanes by_beta = LANES_OF(1.0 / call->stage.beta);
    const lanes one = LANES_OF(1.0);
    const lanes half = LANES_OF(0.5);
    lanes33 R, end, A, U, D, P, Z, W, K, tmp;
    lanes3 omega, f_a, f_c, x;
    lanes S[6];

    l33_load(ROW(state, LINK_R), &R);
    l33_load(ROW(state, LINK_END), &end);
    l3_load(ROW(state, LINK_OMEGA), &omega);
    load_inertia(type, S);
    skew_times(&omega, &R, &U);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A.m[i][j] = half * (R.m[i][j] + end.m[i][j]);
            D.m[i][j] = by_beta * ((end.m[i][j] - R.m[i][j]) - h * U.m[i][j]);
            tmp.m[i][j] = by_beta * end.m[i][j];
        }
    }
    l33_mul_symmetric(&D, S, &P);
    l33_mul_symmetric(&tmp, S, &W);
    l33_mul_bt(&W, &A, &Z);

    // forces of joints: on this link, and against it further out
    l3_load(ROW(state, LINK_FORCE), &f_a);
    l3_load(ROW(sweep, SWEEP_OUT_F), &f_c);
    l3_load(ROW(type, LINK_INNER), &x);
    l33_add_outer(&P, -one, &f_a, &x);
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_add_outer(&P, one, &f_c, &x);
    if (call->has_more) {
        lanes33 Q;
        lanes3 more;
        l33_load(ROW(sweep, SWEEP_MORE_Q), &Q);
        for (int k = 0; k < 9; k++) P.m[k / 3][k % 3] += Q.m[k / 3][k % 3];
        l3_load(ROW(sweep, SWEEP_MORE_F), &more);
        l3_axpy(&f_c, one, &more, &f_c);
    }
    l33_mul_bt(&P, &end, &W);
    lever(&Z, &K);
    const lanes trace = W.m[0][0] + W.m[1][1] + W.m[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) K.m[i][j] += half * W.m[j][i];
        K.m[i][i] -= half * trace;
    }
    lanes3 Ew;
    tau_bt(&P, &A, &Ew);

    resist(call, &R, &end, &K, &Ew);
    l3_axpy(&f_c, -one, &f_a, &f_c);
    translate(call, &f_c, b);
    l33_inverse(&K, &b->Kinv);
    l33_apply(&b->Kinv, &Ew, &b->Ke);
    find_arms(type, &end, &A, b);
}

// K = R J R^T with J = tr(S) I - S.
LANE_CODE void world_inertia(const lanes33* R, const lanes S[6], lanes33* K)
{
    lanes33 RS, world;
    l33_mul_symmetric(R, S, &RS);
    l33_mul_bt(&RS, R, &world);
    lever(&world, K);
}

LANE_CODE void assemble_mass(const links_call* call, link_body* b)
{
    const bool is_end = call->mode == LINKS_PROJECT;
    const double* state = state_of(call);
    const double* type = type_of(call);
    lanes33 R, K;
    lanes S[6];

    l33_load(ROW(state, is_end ? LINK_END : LINK_R), &R);
    load_inertia(type, S);
    world_inertia(&R, S, &K);
    l33_inverse(&K, &b->Kinv);
    find_arms(type, &R, &R, b);
    const lanes mass = row_of(type, LINK_MASS);
    b->mobility = LANES_OF(1.0) / mass;
    const lanes zero = LANES_OF(0.0);
    b->Ke = (lanes3){zero, zero, zero};
    b->Ex = (lanes3){zero, zero, zero};
    if (is_end) return;

    // E_w = w x J w - torques, E_x = -forces
    const lanes drag = row_of(type, LINK_DRAG);
    const lanes spin = row_of(type, LINK_SPIN);
    lanes3 omega, v, wind, momentum, Ew;
    l3_load(ROW(state, LINK_OMEGA), &omega);
    l3_load(ROW(state, LINK_V), &v);
    l3_load(ROW(type, LINK_WIND), &wind);
    l33_apply(&K, &omega, &momentum);
    l3_cross(&omega, &momentum, &Ew);
    l3_axpy(&Ew, spin, &omega, &Ew);
    l33_apply(&b->Kinv, &Ew, &b->Ke);
    b->Ex.x = b->mobility * (drag * (v.x - wind.x)) - LANES_OF(call->gravity.x);
    b->Ex.y = b->mobility * (drag * (v.y - wind.y)) - LANES_OF(call->gravity.y);
    b->Ex.z = b->mobility * (drag * (v.z - wind.z)) - LANES_OF(call->gravity.z);
}

// W_pq = mobility I - [r] Kinv [d]
LANE_CODE void port_block(const link_body* b, const lanes3* r, const lanes3* d, double* out)
{
    lanes33 N;  // Kinv [d]: its rows are those of Kinv, crossed with d
    lanes* to = (lanes*)out;
    for (int i = 0; i < 3; i++) {
        const lanes3 row = {b->Kinv.m[i][0], b->Kinv.m[i][1], b->Kinv.m[i][2]};
        lanes3 crossed;
        l3_cross(&row, d, &crossed);
        N.m[i][0] = crossed.x;
        N.m[i][1] = crossed.y;
        N.m[i][2] = crossed.z;
    }
    for (int j = 0; j < 3; j++) {
        const lanes3 column = {N.m[0][j], N.m[1][j], N.m[2][j]};
        lanes3 crossed;
        l3_cross(r, &column, &crossed);
        to[0 + j] = -crossed.x;
        to[3 + j] = -crossed.y;
        to[6 + j] = -crossed.z;
    }
    to[0] += b->mobility;
    to[4] += b->mobility;
    to[8] += b->mobility;
}

// How the point would move without further forces, and for velocities and accelerations what the
// joint's two sides have to agree on besides.
LANE_CODE void port_motion(const links_call* call, const link_body* b, const lanes3* r, double* out)
{
    const double* state = state_of(call);
    lanes3 u;
    l3_cross(r, &b->Ke, &u);
    u.x -= b->Ex.x;
    u.y -= b->Ex.y;
    u.z -= b->Ex.z;
    if (call->mode != LINKS_STEP) {
        const bool is_end = call->mode == LINKS_PROJECT;
        lanes3 omega, v, spin;
        l3_load(ROW(state, is_end ? LINK_KE : LINK_OMEGA), &omega);
        l3_load(ROW(state, is_end ? LINK_EX : LINK_V), &v);
        l3_cross(&omega, r, &spin);
        if (is_end)
            l3_axpy(&spin, LANES_OF(1.0), &v, &spin);
        else
            l3_cross(&omega, &spin, &spin);
        l3_axpy(&u, LANES_OF(1.0), &spin, &u);
    }
    l3_store(&u, out);
}

LANE_CODE void assemble(const links_call* call)
{
    double* state = state_of(call);
    double* sweep = call->sweep;
    link_body b;

    if (call->mode == LINKS_STEP)
        assemble_step(call, &b);
    else
        assemble_mass(call, &b);
    l33_store(&b.Kinv, ROW(state, LINK_KINV));
    port_block(&b, &b.r_a, &b.d_a, ROW(sweep, SWEEP_AA));
    port_block(&b, &b.r_a, &b.d_c, ROW(sweep, SWEEP_AC));
    port_block(&b, &b.r_c, &b.d_a, ROW(sweep, SWEEP_CA));
    port_block(&b, &b.r_c, &b.d_c, ROW(sweep, SWEEP_CC));
    port_motion(call, &b, &b.r_a, ROW(sweep, SWEEP_UA));
    port_motion(call, &b, &b.r_c, ROW(sweep, SWEEP_UC));
    if (call->mode == LINKS_PROJECT) return;
    l3_store(&b.Ke, ROW(state, LINK_KE));
    l3_store(&b.Ex, ROW(state, LINK_EX));
}

LANE_CODE double largest_of(const lanes3* a)
{
    double largest = 0.0;
    for (int i = 0; i < LANES; i++) {
        largest = tml__larger(largest, a->x[i]);
        largest = tml__larger(largest, a->y[i]);
        largest = tml__larger(largest, a->z[i]);
    }
    return largest;
}

// A link may turn by one radian in an iteration.                                    [notes 9.4]
LANE_CODE void hold_back(lanes3* turn)
{
    const lanes square = l3_dot(turn, turn);
    lanes scale = LANES_OF(1.0);
    bool is_held = false;
    for (int i = 0; i < LANES; i++) is_held = is_held || square[i] > 1.0;
    if (!is_held) return;
    for (int i = 0; i < LANES; i++) scale[i] = square[i] > 1.0 ? 1.0 / sqrt(square[i]) : 1.0;
    turn->x *= scale;
    turn->y *= scale;
    turn->z *= scale;
}

// The sum of force changes on a link and of their torques, with arms of the matrix a.
LANE_CODE void gather_changes(const links_call* call, const lanes33* a, lanes3* force,
                              lanes3* torque)
{
    const double* state = state_of(call);
    const double* type = type_of(call);
    const double* sweep = call->sweep;
    const lanes one = LANES_OF(1.0);
    lanes3 x, arm, f, t;

    l3_load(ROW(state, LINK_CHANGE), force);
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(a, &x, &arm);
    l3_cross(&arm, force, torque);
    l3_load(ROW(sweep, SWEEP_OUT_F), &f);
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_apply(a, &x, &arm);
    l3_cross(&arm, &f, &t);
    l3_axpy(force, -one, &f, force);
    l3_axpy(torque, -one, &t, torque);
    if (!call->has_more) return;
    l3_load(ROW(sweep, SWEEP_MORE_F), &f);
    l3_load(ROW(sweep, SWEEP_MORE_Q), &t);
    l3_axpy(force, -one, &f, force);
    l3_axpy(torque, -one, &t, torque);
}

LANE_CODE double update_turn(const links_call* call)
{
    double* state = state_of(call);
    const double* type = type_of(call);
    const lanes half = LANES_OF(0.5);
    lanes33 R, end, A, Kinv, turn, next;
    lanes3 force, torque, w, Ke, x, g;

    l33_load(ROW(state, LINK_R), &R);
    l33_load(ROW(state, LINK_END), &end);
    l33_load(ROW(state, LINK_KINV), &Kinv);
    for (int k = 0; k < 9; k++) {
        A.m[k / 3][k % 3] = half * (R.m[k / 3][k % 3] + end.m[k / 3][k % 3]);
    }
    gather_changes(call, &A, &force, &torque);
    l33_apply(&Kinv, &torque, &w);
    l3_load(ROW(state, LINK_KE), &Ke);
    l3_axpy(&w, LANES_OF(-1.0), &Ke, &w);
    const double largest = largest_of(&w);
    hold_back(&w);
    l33_cayley(&w, &turn);
    l33_mul(&turn, &end, &next);
    l33_store(&next, ROW(state, LINK_END));
    for (int k = 0; k < 9; k++) next.m[k / 3][k % 3] -= R.m[k / 3][k % 3];
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(&next, &x, &g);
    l3_store(&g, ROW(call->sweep, SWEEP_GA));
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_apply(&next, &x, &g);
    l3_store(&g, ROW(call->sweep, SWEEP_GC));
    return largest;
}

LANE_CODE double update_velocity(const links_call* call)
{
    double* state = state_of(call);
    const lanes mobility = LANES_OF(1.0) / row_of(type_of(call), LINK_MASS);
    lanes33 end, Kinv;
    lanes3 force, torque, w, v, omega;

    l33_load(ROW(state, LINK_END), &end);
    l33_load(ROW(state, LINK_KINV), &Kinv);
    gather_changes(call, &end, &force, &torque);
    l33_apply(&Kinv, &torque, &w);
    l3_load(ROW(state, LINK_EX), &v);
    l3_load(ROW(state, LINK_KE), &omega);
    l3_axpy(&v, mobility, &force, &v);
    l3_axpy(&omega, LANES_OF(1.0), &w, &omega);
    l3_store(&v, ROW(state, LINK_EX));
    l3_store(&omega, ROW(state, LINK_KE));
    const lanes3 dv = {mobility * force.x, mobility * force.y, mobility * force.z};
    const double a = largest_of(&w);
    const double b = largest_of(&dv);
    return tml__larger(a, b);
}

LANE_CODE double update(const links_call* call)
{
    if (call->mode == LINKS_STEP) return update_turn(call);
    return call->mode == LINKS_PROJECT ? update_velocity(call) : 0.0;
}

// Where velocities lead: a turn by h w, as the mean rule itself turns a free link.
LANE_CODE void predict(const links_call* call)
{
    double* state = state_of(call);
    const double* type = type_of(call);
    const lanes h = LANES_OF(call->stage.h);
    lanes33 R, turn, end;
    lanes3 w, x, g;

    l33_load(ROW(state, LINK_R), &R);
    l3_load(ROW(state, LINK_OMEGA), &w);
    w.x *= h;
    w.y *= h;
    w.z *= h;
    l33_cayley(&w, &turn);
    l33_mul(&turn, &R, &end);
    l33_store(&end, ROW(state, LINK_END));
    for (int k = 0; k < 9; k++) end.m[k / 3][k % 3] -= R.m[k / 3][k % 3];
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(&end, &x, &g);
    l3_store(&g, ROW(call->sweep, SWEEP_GA));
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_apply(&end, &x, &g);
    l3_store(&g, ROW(call->sweep, SWEEP_GC));
}

// Twice the kinetic energy.
LANE_CODE lanes energy_of(lanes mass, const lanes33* K, const lanes3* v, const lanes3* omega)
{
    lanes3 momentum;
    l33_apply(K, omega, &momentum);
    return mass * l3_dot(v, v) + l3_dot(omega, &momentum);
}

LANE_CODE void add_sums(const links_call* call, lanes before, lanes after, lanes work, lanes trace,
                        links_sums* sums)
{
    const int left = call->l->count - call->group * LANES;
    for (int i = 0; i < LANES && i < left; i++) {
        sums->before += 0.5 * before[i];
        sums->after += 0.5 * after[i];
        sums->work += work[i];
        sums->work_size += fabs(work[i]);
        sums->trace = tml__smaller(sums->trace, trace[i]);
    }
}

// Velocities at the end, the nearest rigid ones; R+ orthonormal to the last bit; energies.
LANE_CODE void close(const links_call* call, links_sums* sums)
{
    double* state = state_of(call);
    const double* type = type_of(call);
    const double theta = call->stage.theta;
    const lanes past = LANES_OF((1.0 - theta) / theta);
    const lanes now = LANES_OF(1.0 / (theta * call->stage.h));
    const lanes half = LANES_OF(0.5);
    const lanes h = LANES_OF(call->stage.h);
    const lanes mass = row_of(type, LINK_MASS);
    lanes33 R, end, U, US, K, Kinv, square, fixed;
    lanes3 omega, v, move, momentum, v_end, omega_end;
    lanes S[6];

    l33_load(ROW(state, LINK_R), &R);
    l33_load(ROW(state, LINK_END), &end);
    // one step of Newton-Schulz: end <- end (3 I - end^T end)/2
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            square.m[i][j] = -half * (end.m[0][i] * end.m[0][j] + end.m[1][i] * end.m[1][j] +
                                      end.m[2][i] * end.m[2][j]);
        }
        square.m[i][i] += LANES_OF(1.5);
    }
    l33_mul(&end, &square, &fixed);
    l33_store(&fixed, ROW(state, LINK_END));

    l3_load(ROW(state, LINK_OMEGA), &omega);
    l3_load(ROW(state, LINK_V), &v);
    l3_load(ROW(state, LINK_MOVE), &move);
    load_inertia(type, S);
    world_inertia(&R, S, &K);
    const lanes before = energy_of(mass, &K, &v, &omega);
    skew_times(&omega, &R, &U);
    lanes trace = LANES_OF(0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            trace += R.m[i][j] * fixed.m[i][j];
            U.m[i][j] = now * (fixed.m[i][j] - R.m[i][j]) - past * U.m[i][j];
        }
    }
    l33_mul_symmetric(&U, S, &US);
    tau_bt(&US, &fixed, &momentum);
    world_inertia(&fixed, S, &K);
    l33_inverse(&K, &Kinv);
    l33_apply(&Kinv, &momentum, &omega_end);
    v_end.x = now * move.x - past * v.x;
    v_end.y = now * move.y - past * v.y;
    v_end.z = now * move.z - past * v.z;
    l3_store(&v_end, ROW(state, LINK_EX));
    l3_store(&omega_end, ROW(state, LINK_KE));
    const lanes after = energy_of(mass, &K, &v_end, &omega_end);

    // the work of gravity and of the air; joints do none
    const lanes drag = row_of(type, LINK_DRAG) / h;
    const lanes spin = row_of(type, LINK_SPIN) / h;
    lanes3 wind, turn;
    l3_load(ROW(type, LINK_WIND), &wind);
    tau_bt(&fixed, &R, &turn);
    const lanes3 f = {mass * LANES_OF(call->gravity.x) - drag * (move.x - h * wind.x),
                      mass * LANES_OF(call->gravity.y) - drag * (move.y - h * wind.y),
                      mass * LANES_OF(call->gravity.z) - drag * (move.z - h * wind.z)};
    const lanes work = l3_dot(&f, &move) - spin * l3_dot(&turn, &turn) / (LANES_OF(1.0) + trace);
    add_sums(call, before, after, work, trace, sums);
}

// ---- instruction sets: the same code, the same bits

static void assemble_plain(const links_call* c) { assemble(c); }
static double update_plain(const links_call* c) { return update(c); }
static void predict_plain(const links_call* c) { predict(c); }
static void close_plain(const links_call* c, links_sums* s) { close(c, s); }

#if defined(__x86_64__)

#define FOR_AVX2 __attribute__((target("avx2")))
// AVX-512 always has fused products, and gcc's vectoriser uses them in spite of
// -ffp-contract=off; vectors written by hand it leaves alone.
#if defined(__clang__)
#define FOR_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq")))
#else
#define FOR_AVX512                                                                                 \
    __attribute__((target("avx512f,avx512vl,avx512dq"), optimize("no-tree-vectorize")))
#endif

FOR_AVX2 static void assemble_avx2(const links_call* c) { assemble(c); }
FOR_AVX2 static double update_avx2(const links_call* c) { return update(c); }
FOR_AVX2 static void predict_avx2(const links_call* c) { predict(c); }
FOR_AVX2 static void close_avx2(const links_call* c, links_sums* s) { close(c, s); }
FOR_AVX512 static void assemble_avx512(const links_call* c) { assemble(c); }
FOR_AVX512 static double update_avx512(const links_call* c) { return update(c); }
FOR_AVX512 static void predict_avx512(const links_call* c) { predict(c); }
FOR_AVX512 static void close_avx512(const links_call* c, links_sums* s) { close(c, s); }

#endif

const links_kernels* tml__links_kernels(block_isa isa)
{
    static const links_kernels plain = {assemble_plain, update_plain, predict_plain, close_plain};
#if defined(__x86_64__)
    static const links_kernels avx2 = {assemble_avx2, update_avx2, predict_avx2, close_avx2};
    static const links_kernels avx512 = {assemble_avx512, update_avx512, predict_avx512,
                                         close_avx512};
    if (isa == BLOCK_AVX2 && __builtin_cpu_supports("avx2")) return &avx2;
    if (isa == BLOCK_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        return &avx512;
    }
#endif
    return isa == BLOCK_PLAIN ? &plain : NULL;
}
