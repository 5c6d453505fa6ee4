// method/links/links_lanes.h - what a step asks of each link by itself, eight links at once.
//
//   P   = (R+ - R - h U) S / beta - f_a x_a^T + sum f_c x_c^T        U = [w] R     [notes 9.2]
//   E_x = m (move - h v)/beta - m g - f_a + sum f_c,  E_w = tau(P A^T)
//   K   = (tr Z I - Z) - (tr W I - W^T)/2,   Z = R+ S A^T / beta,  W = P R+^T      [notes 9.3]
//   u_p = -(beta/m) E_x + r_p x (K^-1 E_w)
//
// Projecting velocities and finding accelerations are the same with K = R J R^T, beta = 1 and
// arms r on both sides. a is the joint towards the root, c one outwards. Everything is inlined into
// kernels that are compiled once for each instruction set.
#ifndef TML_METHOD_LINKS_LINKS_LANES_H
#define TML_METHOD_LINKS_LINKS_LANES_H

#include "linalg/lanes.h"
#include "method/links/contact.h"
#include "method/links/net.h"

#define ROW(base, index) ((base) + (index)*LANES)

LANE_CODE double* state_of(const link_system* l, int row)
{
    return l->state + (size_t)row * LINK_STATE * LANES;
}

LANE_CODE const double* type_of(const link_system* l, int row)
{
    return l->types + (size_t)l->row_type[row] * LINK_CONSTANTS * LANES;
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

// a [d]: its rows are those of a, crossed with d.
LANE_CODE void times_skew(const lanes33* a, const lanes3* d, lanes33* out)
{
    for (int i = 0; i < 3; i++) {
        const lanes3 row = {a->m[i][0], a->m[i][1], a->m[i][2]};
        lanes3 crossed;
        l3_cross(&row, d, &crossed);
        out->m[i][0] = crossed.x;
        out->m[i][1] = crossed.y;
        out->m[i][2] = crossed.z;
    }
}

// a += s b c
LANE_CODE void add_product(lanes33* a, lanes s, const lanes33* b, const lanes33* c)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a->m[i][j] +=
                s * (b->m[i][0] * c->m[0][j] + b->m[i][1] * c->m[1][j] + b->m[i][2] * c->m[2][j]);
        }
    }
}

// a += s b c
LANE_CODE void add_applied(lanes3* a, lanes s, const lanes33* b, const lanes3* c)
{
    lanes3 by;
    l33_apply(b, c, &by);
    l3_axpy(a, s, &by, a);
}

// tau(a b^T)
LANE_CODE void tau_bt(const lanes33* a, const lanes33* b, lanes3* out)
{
    out->x = row_dot(a, 2, b, 1) - row_dot(a, 1, b, 2);
    out->y = row_dot(a, 0, b, 2) - row_dot(a, 2, b, 0);
    out->z = row_dot(a, 1, b, 0) - row_dot(a, 0, b, 1);
}

LANE_CODE void zero3(lanes3* a) { a->x = a->y = a->z = LANES_OF(0.0); }

LANE_CODE void zero33(lanes33* a)
{
    for (int k = 0; k < 9; k++) a->m[k / 3][k % 3] = LANES_OF(0.0);
}

// a S, where most links have diagonal second moments.
LANE_CODE void times_S(const double* type, bool is_principal, const lanes33* a, lanes33* out)
{
    lanes S[6];
    for (int k = 0; k < 6; k++) S[k] = row_of(type, LINK_S + k);
    if (!is_principal) {
        l33_mul_symmetric(a, S, out);
        return;
    }
    for (int k = 0; k < 9; k++) out->m[k / 3][k % 3] = a->m[k / 3][k % 3] * S[k % 3];
}

// What pulls at eight links: at their points, as the sum of f x^T and of f, and by hand.
typedef struct link_pull {
    lanes33 Q;      // forces of joints further out, less those inwards
    lanes3 out;     //
    lanes3 torque;  // against the links, besides
} link_pull;

// What assembling leaves for the ports.
typedef struct link_body {
    lanes33 K, Kinv;
    lanes33 R, A;    // what turns points into arms: of rows, and of forces
    lanes3 Ew;       //
    lanes3 Ke, Ex;   // K^-1 E_w, and E_x times `mobility`
    lanes inertia;   // m/beta
    lanes mobility;  // its inverse
} link_body;

// One lane of a vector.
LANE_CODE void put_lane(lanes3* to, int lane, vec3 a)
{
    to->x[lane] = a.x;
    to->y[lane] = a.y;
    to->z[lane] = a.z;
}

// The first push on one of eight links or on later ones.
static inline int first_push(const links_call* call, int row)
{
    int low = 0;
    int high = call->push_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (call->pushes[middle].place / LANES < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline bool is_pushed(const links_call* call, int row)
{
    const int i = first_push(call, row);
    return i < call->push_count && call->pushes[i].place / LANES == row;
}

// What a caller lets act on eight links.
LANE_CODE void add_push(const links_call* call, int row, link_pull* pull)
{
    if (call->push_count == 0 || call->mode == LINKS_PROJECT) return;
    const lanes one = LANES_OF(1.0);
    for (int i = first_push(call, row); i < call->push_count; i++) {
        const hand_push* push = &call->pushes[i];
        lanes3 force, point, torque;
        if (push->place / LANES != row) return;
        zero3(&force);
        zero3(&point);
        zero3(&torque);
        put_lane(&force, push->place % LANES, push->force);
        put_lane(&point, push->place % LANES, push->point);
        put_lane(&torque, push->place % LANES, push->torque);
        l33_add_outer(&pull->Q, -one, &force, &point);
        l3_axpy(&pull->out, -one, &force, &pull->out);
        l3_axpy(&pull->torque, -one, &torque, &pull->torque);
    }
}

// What contacts push eight links with, where accelerations are asked for.
LANE_CODE void add_wrenches(const links_call* call, int row, link_pull* pull)
{
    static const double none[6] = {0.0};
    double rows[6 * LANES] __attribute__((aligned(64)));
    lanes3 force, torque;
    if (call->wrenches == NULL) return;
    for (int i = 0; i < LANES; i++) {
        const int node = call->l->node[row * LANES + i];
        const double* w = node < 0 ? none : call->wrenches + 6 * (size_t)node;
        for (int k = 0; k < 6; k++) rows[k * LANES + i] = w[k];
    }
    l3_load(rows, &force);
    l3_load(rows + 3 * LANES, &torque);
    l3_axpy(&pull->out, LANES_OF(-1.0), &force, &pull->out);
    l3_axpy(&pull->torque, LANES_OF(-1.0), &torque, &pull->torque);
}

// What the air does to turning: the torque, and its derivative.
LANE_CODE void resist(const links_call* call, const double* type, const lanes33* R,
                      const lanes33* end, lanes33* K, lanes3* Ew)
{
    const lanes spin = row_of(type, LINK_SPIN) * LANES_OF(0.5 / call->stage.h);
    lanes33 turn, by;
    lanes3 torque;
    l33_mul_bt(end, R, &turn);
    lever(&turn, &by);
    for (int k = 0; k < 9; k++) K->m[k / 3][k % 3] += spin * by.m[k / 3][k % 3];
    tau_bt(end, R, &torque);
    l3_axpy(Ew, spin, &torque, Ew);
}

// K = R J R^T with J = tr(S) I - S.
LANE_CODE void world_inertia(const double* type, bool is_principal, const lanes33* R, lanes33* K)
{
    lanes33 RS, world;
    times_S(type, is_principal, R, &RS);
    l33_mul_bt(&RS, R, &world);
    lever(&world, K);
}

// What damping by mass does to turning, against the momentum of the chord: the inertia is the mean of both ends', as
// `nodes` has it (equations.c, mass_damping). The torque, and its derivative.
LANE_CODE void damp(const links_call* call, const double* type, bool is_principal, const lanes33* R,
                    const lanes33* end, lanes33* K, lanes3* Ew)
{
    const lanes rate = LANES_OF(call->l->damping);
    const lanes half = LANES_OF(0.5);
    const lanes span = LANES_OF(0.5 / call->stage.h);
    lanes33 turn, by, mean, last, spun;
    lanes3 omega, momentum;
    l33_mul_bt(end, R, &turn);
    lever(&turn, &by);
    for (int k = 0; k < 9; k++) by.m[k / 3][k % 3] *= span;
    tau_bt(end, R, &omega);
    omega = (lanes3){span * omega.x, span * omega.y, span * omega.z};
    world_inertia(type, is_principal, R, &mean);
    world_inertia(type, is_principal, end, &last);
    for (int k = 0; k < 9; k++) {
        mean.m[k / 3][k % 3] = half * (mean.m[k / 3][k % 3] + last.m[k / 3][k % 3]);
    }
    add_applied(Ew, rate, &mean, &omega);
    add_product(K, rate, &mean, &by);
    // the inertia at the end turns with the link: J+ [w] - [J+ w]
    l33_apply(&last, &omega, &momentum);
    times_skew(&last, &omega, &spun);
    const lanes share = half * rate;
    for (int k = 0; k < 9; k++) K->m[k / 3][k % 3] += share * spun.m[k / 3][k % 3];
    K->m[0][1] += share * momentum.z;
    K->m[0][2] -= share * momentum.y;
    K->m[1][0] -= share * momentum.z;
    K->m[1][2] += share * momentum.x;
    K->m[2][0] += share * momentum.y;
    K->m[2][1] -= share * momentum.x;
}

// E_x beta/m; `out`: what joints take from the link.
LANE_CODE void translate(const links_call* call, int row, const lanes3* out, link_body* b)
{
    const double* state = state_of(call->l, row);
    const double* type = type_of(call->l, row);
    const lanes h = LANES_OF(call->stage.h);
    const lanes mass = row_of(type, LINK_MASS);
    const lanes inertia = mass * LANES_OF(1.0 / call->stage.beta);
    const lanes drag = row_of(type, LINK_DRAG) / h;
    const lanes gx = LANES_OF(call->gravity.x);
    const lanes gy = LANES_OF(call->gravity.y);
    const lanes gz = LANES_OF(call->gravity.z);
    lanes3 v, move, wind;
    l3_load(ROW(state, LINK_V), &v);
    l3_load(ROW(state, LINK_MOVE), &move);
    b->inertia = inertia + drag;
    b->mobility = LANES_OF(1.0) / b->inertia;
    b->Ex.x = b->mobility * (inertia * (move.x - h * v.x) - mass * gx + out->x);
    b->Ex.y = b->mobility * (inertia * (move.y - h * v.y) - mass * gy + out->y);
    b->Ex.z = b->mobility * (inertia * (move.z - h * v.z) - mass * gz + out->z);
    if (!call->l->has_air) return;
    l3_load(ROW(type, LINK_WIND), &wind);
    b->Ex.x += b->mobility * (drag * (move.x - h * wind.x));
    b->Ex.y += b->mobility * (drag * (move.y - h * wind.y));
    b->Ex.z += b->mobility * (drag * (move.z - h * wind.z));
}

// The largest size that was seen, lane by lane, and NaN where a number was not finite.
typedef struct lane_peak {
    lanes size, poison;
} lane_peak;

typedef long long lane_mask __attribute__((vector_size(64), may_alias));

LANE_CODE void raise_peak_by(lane_peak* peak, lanes a)
{
    const lane_mask is_less = a < LANES_OF(0.0);
    const lanes size = (lanes)(((lane_mask)a & ~is_less) | ((lane_mask)(-a) & is_less));
    const lane_mask is_larger = size > peak->size;
    peak->size = (lanes)(((lane_mask)size & is_larger) | ((lane_mask)peak->size & ~is_larger));
    peak->poison += LANES_OF(0.0) * a;
}

LANE_CODE void raise_peak(lane_peak* peak, const lanes3* a)
{
    raise_peak_by(peak, a->x);
    raise_peak_by(peak, a->y);
    raise_peak_by(peak, a->z);
}

// How many times the inertia of eight links counts in the matrix: 1 but in nets and chains that touch.
LANE_CODE bool is_held(const link_system* l)
{
    return l->touch != NULL && (l->net != NULL || l->touch->capacity > 0);
}

LANE_CODE lanes held_of(const link_system* l, int row)
{
    return row_of(l->touch->held + (size_t)row * HELD_ROWS * LANES, HELD_SHARE);
}

// The largest of a turn as if no link were held back; and how far they are in the next iteration.
LANE_CODE void hold(const link_system* l, int row, const lanes3* w, lane_peak* peak)
{
    double turn[3 * LANES] __attribute__((aligned(64)));
    const lanes held = held_of(l, row);
    const lanes3 turned = {held * w->x, held * w->y, held * w->z};
    raise_peak(peak, &turned);
    l3_store(w, turn);
    tml__links_hold(l->touch->held + (size_t)row * HELD_ROWS * LANES, turn);
}

// Links of a chain count from the start of their segment, which moves by all of what is asked of it: of a link that is held
// back the rest of that is taken off.
LANE_CODE void hold_offset(const link_system* l, int row, lanes held, lanes3* Ex)
{
    const double* p = l->offset + (size_t)3 * LANES * (size_t)(row / l->length);
    const lanes rest = LANES_OF(1.0) - LANES_OF(1.0) / held;
    for (int i = 0; i < LANES; i++) {
        Ex->x[i] -= rest[i] * p[3 * i];
        Ex->y[i] -= rest[i] * p[3 * i + 1];
        Ex->z[i] -= rest[i] * p[3 * i + 2];
    }
}

LANE_CODE void assemble_step(const links_call* call, int row, link_pull* pull, link_body* b)
{
    const link_system* l = call->l;
    const double* state = state_of(l, row);
    const double* type = type_of(l, row);
    const bool is_principal = l->traits[l->row_type[row]].is_principal;
    const lanes h = LANES_OF(call->stage.h);
    const lanes by_beta = LANES_OF(1.0 / call->stage.beta);
    const lanes half = LANES_OF(0.5);
    lanes33 R, U, D, P, Z, W;
    lanes3 omega;

    add_push(call, row, pull);
    l33_load(ROW(state, LINK_R), &R);
    l33_load(ROW(state, LINK_END), &b->R);
    l3_load(ROW(state, LINK_OMEGA), &omega);
    skew_times(&omega, &R, &U);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            b->A.m[i][j] = half * (R.m[i][j] + b->R.m[i][j]);
            D.m[i][j] = by_beta * ((b->R.m[i][j] - R.m[i][j]) - h * U.m[i][j]);
            Z.m[i][j] = by_beta * b->R.m[i][j];
        }
    }
    times_S(type, is_principal, &D, &P);
    times_S(type, is_principal, &Z, &W);
    l33_mul_bt(&W, &b->A, &Z);
    if (is_held(l)) {
        const lanes held = held_of(l, row);
        for (int k = 0; k < 9; k++) Z.m[k / 3][k % 3] *= held;
    }
    for (int k = 0; k < 9; k++) P.m[k / 3][k % 3] += pull->Q.m[k / 3][k % 3];

    l33_mul_bt(&P, &b->R, &W);
    lever(&Z, &b->K);
    const lanes trace = W.m[0][0] + W.m[1][1] + W.m[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) b->K.m[i][j] += half * W.m[j][i];
        b->K.m[i][i] -= half * trace;
    }
    tau_bt(&P, &b->A, &b->Ew);
    l3_axpy(&b->Ew, LANES_OF(1.0), &pull->torque, &b->Ew);
    if (l->has_spin) resist(call, type, &R, &b->R, &b->K, &b->Ew);
    if (l->damping > 0.0) damp(call, type, is_principal, &R, &b->R, &b->K, &b->Ew);
    translate(call, row, &pull->out, b);
    if (!is_held(l)) return;
    const lanes held = held_of(l, row);
    b->inertia *= held;
    b->mobility /= held;
    b->Ex = (lanes3){b->Ex.x / held, b->Ex.y / held, b->Ex.z / held};
    if (l->is_chain) hold_offset(l, row, held, &b->Ex);
}

LANE_CODE void assemble_mass(const links_call* call, int row, link_pull* pull, link_body* b)
{
    const link_system* l = call->l;
    const double* state = state_of(l, row);
    const double* type = type_of(l, row);
    const bool is_end = call->mode == LINKS_PROJECT;

    l33_load(ROW(state, is_end ? LINK_END : LINK_R), &b->R);
    b->A = b->R;
    world_inertia(type, l->traits[l->row_type[row]].is_principal, &b->R, &b->K);
    b->inertia = row_of(type, LINK_MASS);
    b->mobility = LANES_OF(1.0) / b->inertia;
    zero3(&b->Ew);
    zero3(&b->Ex);
    if (is_end) return;

    // E_w = w x J w - torques, E_x = -forces
    const lanes drag = row_of(type, LINK_DRAG);
    const lanes spin = row_of(type, LINK_SPIN);
    lanes3 omega, v, wind, momentum, torque;
    zero33(&pull->Q);
    zero3(&pull->out);
    add_push(call, row, pull);
    add_wrenches(call, row, pull);
    tau_bt(&pull->Q, &b->R, &torque);
    l3_load(ROW(state, LINK_OMEGA), &omega);
    l3_load(ROW(state, LINK_V), &v);
    l3_load(ROW(type, LINK_WIND), &wind);
    l33_apply(&b->K, &omega, &momentum);
    l3_cross(&omega, &momentum, &b->Ew);
    l3_axpy(&b->Ew, spin, &omega, &b->Ew);
    l3_axpy(&b->Ew, LANES_OF(call->l->damping), &momentum, &b->Ew);
    l3_axpy(&b->Ew, LANES_OF(1.0), &torque, &b->Ew);
    l3_axpy(&b->Ew, LANES_OF(1.0), &pull->torque, &b->Ew);
    b->Ex.x = b->mobility * (drag * (v.x - wind.x) + pull->out.x) - LANES_OF(call->gravity.x);
    b->Ex.y = b->mobility * (drag * (v.y - wind.y) + pull->out.y) - LANES_OF(call->gravity.y);
    b->Ex.z = b->mobility * (drag * (v.z - wind.z) + pull->out.z) - LANES_OF(call->gravity.z);
}

// The transposed equations of a step by the gradients that stand in place of velocities at the end: forces act
// along the rows' arms, rows see the arms of forces.
LANE_CODE void assemble_back(const links_call* call, int row, link_pull* pull, link_body* b)
{
    const double* state = state_of(call->l, row);
    lanes3 g;
    assemble_step(call, row, pull, b);
    const lanes33 K = b->K;
    const lanes33 rows = b->R;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) b->K.m[i][j] = K.m[j][i];
    }
    b->R = b->A;
    b->A = rows;
    l3_load(ROW(state, LINK_V_END), &g);
    b->Ex = (lanes3){-b->mobility * g.x, -b->mobility * g.y, -b->mobility * g.z};
    l3_load(ROW(state, LINK_OMEGA_END), &g);
    b->Ew = (lanes3){-g.x, -g.y, -g.z};
}

// K, E_w and E_x.
LANE_CODE void assemble_open(const links_call* call, int row, link_pull* pull, link_body* b)
{
    if (call->mode == LINKS_STEP)
        assemble_step(call, row, pull, b);
    else if (call->mode == LINKS_BACK)
        assemble_back(call, row, pull, b);
    else
        assemble_mass(call, row, pull, b);
}

// The same, and solved for a body without joints.
LANE_CODE void assemble(const links_call* call, int row, link_pull* pull, link_body* b)
{
    assemble_open(call, row, pull, b);
    l33_inverse(&b->K, &b->Kinv);
    l33_apply(&b->Kinv, &b->Ew, &b->Ke);
}

// The motion of a body without further forces, to be taken to points by `motion_of`.
LANE_CODE void free_motion(const links_call* call, int row, const link_body* b, lanes3* x,
                           lanes3* w)
{
    const double* state = state_of(call->l, row);
    if (call->mode == LINKS_PROJECT) {
        l3_load(ROW(state, LINK_V_END), x);
        l3_load(ROW(state, LINK_OMEGA_END), w);
        return;
    }
    *x = (lanes3){-b->Ex.x, -b->Ex.y, -b->Ex.z};
    *w = (lanes3){-b->Ke.x, -b->Ke.y, -b->Ke.z};
}

// x + w x r, and for accelerations what turning adds.
LANE_CODE void motion_of(const links_call* call, int row, const lanes3* x, const lanes3* w,
                         const lanes3* r, lanes3* out)
{
    lanes3 spin;
    l3_cross(w, r, &spin);
    l3_axpy(x, LANES_OF(1.0), &spin, out);
    if (call->mode != LINKS_FORCES) return;
    lanes3 omega;
    l3_load(ROW(state_of(call->l, row), LINK_OMEGA), &omega);
    l3_cross(&omega, r, &spin);
    l3_cross(&omega, &spin, &spin);
    l3_axpy(out, LANES_OF(1.0), &spin, out);
}

// [r] a
LANE_CODE void skew_times_matrix(const lanes3* r, const lanes33* a, lanes33* out)
{
    for (int j = 0; j < 3; j++) {
        const lanes3 column = {a->m[0][j], a->m[1][j], a->m[2][j]};
        lanes3 crossed;
        l3_cross(r, &column, &crossed);
        out->m[0][j] = crossed.x;
        out->m[1][j] = crossed.y;
        out->m[2][j] = crossed.z;
    }
}

LANE_CODE double size_of_peak(const lane_peak* peak)
{
    double largest = 0.0;
    for (int i = 0; i < LANES; i++) {
        largest = tml__larger(largest, peak->size[i] + peak->poison[i]);
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

// ---- rolls
//
// A rod whose joints are all on its axis is not rolled about it by any force, and it is rolled easily: what its
// ends' forces and swings make together, of second order, is little for the swing and much for the roll. Full
// Newton steps then roll rods by a radian and back. So rolls are not left to them: for a given swing the roll phi
// follows from E_w along the mean axis a alone, in which joints' forces do not appear,
//     sum s_k a . (A_k x (c (R+_k - R_k) - h U_k)) = 0     over the two columns k beside the axis,
// which is p cos phi + q sin phi = t. An update's part along the axis is dropped. At such a roll what is left of
// an update is Newton's for all other unknowns, with rolls eliminated. c is 1, and 1 + beta/h rayleigh where momenta are
// damped: of long swings that is near the roll only, and Newton's last updates, which are small, find it.

// Below this, rad, squared, Newton's own rolls are good.
static const double little_swing = 1e-4;

// Contacts roll what they touch, springs what they pull at; of a chain that may touch something all rows are left to
// Newton.
LANE_CODE bool may_be_touched(const link_system* l, int row)
{
    if (l->touch == NULL) return false;
    return (l->is_chain && l->touch->capacity > 0) || l->touch->in_row[row] != 0;
}

LANE_CODE bool rolls(const links_call* call, int row, const lanes3* w)
{
    if (call->mode != LINKS_STEP || call->l->row_axis[row] < 0) return false;
    if (is_pushed(call, row) || may_be_touched(call->l, row)) return false;
    const lanes square = l3_dot(w, w);
    bool is_large = false;
    for (int i = 0; i < LANES; i++) is_large = is_large || square[i] > little_swing;
    return is_large;
}

LANE_CODE lanes3 column_of(const lanes33* a, int k)
{
    return (lanes3){a->m[0][k], a->m[1][k], a->m[2][k]};
}

// Whether the roll is found below.
LANE_CODE bool drop_roll(const links_call* call, int row, lanes3* w)
{
    lanes33 end;
    if (!rolls(call, row, w)) return false;
    l33_load(ROW(state_of(call->l, row), LINK_END), &end);
    const lanes3 axis = column_of(&end, call->l->row_axis[row]);
    l3_axpy(w, -l3_dot(w, &axis), &axis, w);
    return true;
}

// Column k of what a roll's equation needs: s a x (2 c R_k + h U_k), and s a . (R_k x h U_k). `twice`: 2 c
LANE_CODE void roll_terms(const lanes33* R, const lanes3* turn, const lanes3* a, int k, lanes twice,
                          lanes s, lanes3* arm, lanes* t)
{
    const lanes3 from = column_of(R, k);
    lanes3 way, both, across;
    l3_cross(turn, &from, &way);
    l3_axpy(&way, twice, &from, &both);
    l3_cross(a, &both, arm);
    l3_cross(&from, &way, &across);
    *arm = (lanes3){s * arm->x, s * arm->y, s * arm->z};
    *t += s * l3_dot(a, &across);
}

// The roll that belongs to the swing of R+.
LANE_CODE void roll_end(const links_call* call, int row, const lanes33* R, lanes33* end)
{
    const link_system* l = call->l;
    const double* type = type_of(l, row);
    const int k = l->row_axis[row];
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const lanes h = LANES_OF(call->stage.h);
    const lanes one = LANES_OF(1.0);
    const lanes3 before = column_of(R, k);
    const lanes3 after = column_of(end, k);
    const lanes3 e1 = column_of(end, i);
    const lanes3 e2 = column_of(end, j);
    lanes3 a, turn, arm1, arm2;
    lanes t = LANES_OF(0.0);
    l3_axpy(&before, one, &after, &a);
    l3_load(ROW(state_of(l, row), LINK_OMEGA), &turn);
    turn = (lanes3){h * turn.x, h * turn.y, h * turn.z};
    const lanes twice = LANES_OF(2.0 + 2.0 * l->damping * call->stage.beta / call->stage.h);
    roll_terms(R, &turn, &a, i, twice, row_of(type, LINK_S + i), &arm1, &t);
    roll_terms(R, &turn, &a, j, twice, row_of(type, LINK_S + j), &arm2, &t);
    const lanes p = l3_dot(&arm1, &e1) + l3_dot(&arm2, &e2);
    const lanes q = l3_dot(&arm1, &e2) - l3_dot(&arm2, &e1);

    // x = tan(phi/2) solves (p + t) x^2 - 2 q x + (t - p) = 0: two steps of Newton from 0. Where q is not
    // positive the link has swung by half a turn, and has no mean axis: its roll stays.
    const lane_mask is_fit = q > LANES_OF(0.0);
    const lanes slope = (lanes)(((lane_mask)q & is_fit) | ((lane_mask)one & ~is_fit));
    const lanes miss = (lanes)((lane_mask)(t - p) & is_fit);
    const lanes bend = (lanes)((lane_mask)(t + p) & is_fit);
    const lanes x0 = LANES_OF(0.5) * miss / slope;
    lanes x = LANES_OF(0.5) * (miss - bend * x0 * x0) / (slope - bend * x0);
    const lanes most = LANES_OF(0.5);  // about a radian, as hold_back
    const lane_mask is_over = x > most;
    const lane_mask is_under = x < -most;
    x = (lanes)(((lane_mask)most & is_over) | ((lane_mask)x & ~is_over));
    x = (lanes)(((lane_mask)(-most) & is_under) | ((lane_mask)x & ~is_under));
    const lanes by = one / (one + x * x);
    const lanes c = (one - x * x) * by;
    const lanes s = LANES_OF(2.0) * x * by;
    const lanes3 f1 = {c * e1.x + s * e2.x, c * e1.y + s * e2.y, c * e1.z + s * e2.z};
    const lanes3 f2 = {c * e2.x - s * e1.x, c * e2.y - s * e1.y, c * e2.z - s * e1.z};
    end->m[0][i] = f1.x;
    end->m[1][i] = f1.y;
    end->m[2][i] = f1.z;
    end->m[0][j] = f2.x;
    end->m[1][j] = f2.y;
    end->m[2][j] = f2.z;
}

// R+ turned by w; (R+ - R) is left for the joints' points.
LANE_CODE void turn_end(const links_call* call, int row, bool is_rolled, lanes3* w, lanes33* moved)
{
    double* state = state_of(call->l, row);
    lanes33 R, end, turn, next;
    l33_load(ROW(state, LINK_R), &R);
    l33_load(ROW(state, LINK_END), &end);
    hold_back(w);
    l33_cayley(w, &turn);
    l33_mul(&turn, &end, &next);
    if (is_rolled) roll_end(call, row, &R, &next);
    l33_store(&next, ROW(state, LINK_END));
    for (int k = 0; k < 9; k++) moved->m[k / 3][k % 3] = next.m[k / 3][k % 3] - R.m[k / 3][k % 3];
}

// Where the velocity leads: a turn by h w, as the mean rule itself turns a free link.
LANE_CODE void predict_end(const links_call* call, int row, lanes33* moved)
{
    double* state = state_of(call->l, row);
    const lanes h = LANES_OF(call->stage.h);
    lanes33 R, turn, end;
    lanes3 w;
    l33_load(ROW(state, LINK_R), &R);
    l3_load(ROW(state, LINK_OMEGA), &w);
    w.x *= h;
    w.y *= h;
    w.z *= h;
    l33_cayley(&w, &turn);
    l33_mul(&turn, &R, &end);
    if (rolls(call, row, &w)) roll_end(call, row, &R, &end);
    l33_store(&end, ROW(state, LINK_END));
    for (int k = 0; k < 9; k++) moved->m[k / 3][k % 3] = end.m[k / 3][k % 3] - R.m[k / 3][k % 3];
}

// ---- instruction sets: the same code, the same bits

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

#define KERNEL(name)                                                                               \
    static void name##_plain(const links_call* call, int item) { name(call, item); }               \
    FOR_AVX2 static void name##_avx2(const links_call* call, int item) { name(call, item); }       \
    FOR_AVX512 static void name##_avx512(const links_call* call, int item) { name(call, item); }

#define PICK(name, isa)                                                                            \
    ((isa) == BLOCK_AVX512 ? name##_avx512 : (isa) == BLOCK_AVX2 ? name##_avx2 : name##_plain)

#else

#define KERNEL(name)                                                                               \
    static void name##_plain(const links_call* call, int item) { name(call, item); }
#define PICK(name, isa) ((void)(isa), name##_plain)

#endif

#endif
