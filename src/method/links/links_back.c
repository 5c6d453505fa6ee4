// method/links/links_back.c - gradients back through a part of a step of a chain.            [notes 9.2 9.3]
//
// E and rows of a part depend on its end by the Newton matrix N. With gradients g by the end, N^T (y, -f) = g
// and the gradient by anything else that E and the rows follow is f rows' - y E'. N^T is the matrix of a
// step in which forces and rows have changed arms, so the segments of links_chain.c solve it (LINKS_BACK); what is
// left is said link by link, here, in rows of eight. With tau(Y) . p = sum Y_ij [p]_ij,
//     p . tau(X S A^T) = tr(S G),  G = ([p] A)^T X,  S = tr(J)/2 I - J
// is how every inertial term follows the moments of inertia J.
//
// A block of eight segments goes through all that is local between two solves while it is in the cache.
#include "method/links/links_back.h"

#include "method/links/links_pose.h"

#include <string.h>

// ---- small maps

LANE_CODE void apply_t(const lanes33* a, const lanes3* x, lanes3* out)
{
    const lanes r0 = a->m[0][0] * x->x + a->m[1][0] * x->y + a->m[2][0] * x->z;
    const lanes r1 = a->m[0][1] * x->x + a->m[1][1] * x->y + a->m[2][1] * x->z;
    const lanes r2 = a->m[0][2] * x->x + a->m[1][2] * x->y + a->m[2][2] * x->z;
    out->x = r0;
    out->y = r1;
    out->z = r2;
}

LANE_CODE lanes trace_of(const lanes33* a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

LANE_CODE void add(lanes3* a, lanes s, const lanes3* b) { l3_axpy(a, s, b, a); }

// out += s (tr(a) p - a p), and with a^T
LANE_CODE void add_lever(const lanes33* a, lanes s, const lanes3* p, lanes3* out)
{
    lanes3 by;
    l33_apply(a, p, &by);
    add(out, s * trace_of(a), p);
    add(out, -s, &by);
}

LANE_CODE void add_lever_t(const lanes33* a, lanes s, const lanes3* p, lanes3* out)
{
    lanes3 by;
    apply_t(a, p, &by);
    add(out, s * trace_of(a), p);
    add(out, -s, &by);
}

LANE_CODE void tau_of(const lanes33* a, lanes3* out)
{
    out->x = a->m[2][1] - a->m[1][2];
    out->y = a->m[0][2] - a->m[2][0];
    out->z = a->m[1][0] - a->m[0][1];
}

// out = -([Z omega] - omega tau(Z)^T)^T p
LANE_CODE void swung_t(const lanes33* Z, const lanes3* omega, const lanes3* p, lanes3* out)
{
    lanes3 led, tau;
    l33_apply(Z, omega, &led);
    l3_cross(&led, p, out);
    tau_of(Z, &tau);
    add(out, l3_dot(omega, p), &tau);
}

// out += s r x (f x p)
LANE_CODE void add_bent(const lanes3* r, const lanes3* f, lanes s, const lanes3* p, lanes3* out)
{
    lanes3 inner, outer;
    l3_cross(f, p, &inner);
    l3_cross(r, &inner, &outer);
    add(out, s, &outer);
}

// out += s R^T (f x p)
LANE_CODE void add_shifted(const lanes33* R, const lanes3* f, lanes s, const lanes3* p, lanes3* out)
{
    lanes3 crossed, by;
    l3_cross(f, p, &crossed);
    apply_t(R, &crossed, &by);
    add(out, s, &by);
}

// ---- eight links in flat arrays

// Where numbers of eight links are; places without a link have room of their own.
typedef struct link_slots {
    double* at[LANES];
    double nowhere[2 * MARKER_PARAMETERS];
} link_slots;

LANE_CODE void slots_of_nodes(const link_system* l, int row, double* base, int width, link_slots* s)
{
    memset(s->nowhere, 0, sizeof s->nowhere);
    for (int i = 0; i < LANES; i++) {
        const int node = l->node[row * LANES + i];
        s->at[i] = node < 0 ? s->nowhere : base + (size_t)node * (size_t)width;
    }
}

LANE_CODE void slots_of_bodies(const links_call* call, int row, link_slots* s)
{
    const link_system* l = call->l;
    memset(s->nowhere, 0, sizeof s->nowhere);
    for (int i = 0; i < LANES; i++) {
        const int node = l->node[row * LANES + i];
        s->at[i] = node < 0 ? s->nowhere
                            : call->back->by->in->body +
                                  BODY_PARAMETERS * (size_t)l->s->model->node_body[node];
    }
}

// The link beyond lane i of a row: -1, none.
LANE_CODE int place_beyond(const link_system* l, int row, int i)
{
    if (row % l->length + 1 < l->length) return (row + 1) * LANES + i;
    if (i + 1 < LANES) return (row - l->length + 1) * LANES + i + 1;
    return row + 1 < l->row_count ? (row + 1) * LANES : -1;
}

// The link's side of its inner joint, or of its outer one.
LANE_CODE void slots_of_markers(const links_call* call, int row, bool is_outer, link_slots* s)
{
    const link_system* l = call->l;
    memset(s->nowhere, 0, sizeof s->nowhere);
    for (int i = 0; i < LANES; i++) {
        const int place = is_outer ? place_beyond(l, row, i) : row * LANES + i;
        const int joint = place < 0 || l->node[place] < 0 ? -1 : l->joint[place];
        s->at[i] = s->nowhere;
        if (joint < 0) continue;
        const bool is_F = call->back->tree->is_child_F[l->node[place]] != is_outer;
        s->at[i] =
            call->back->by->in->marker + (size_t)(2 * joint + (is_F ? 0 : 1)) * MARKER_PARAMETERS;
    }
}

LANE_CODE void get_slots(const link_slots* s, int entry, lanes3* out)
{
    const double* from[LANES];
    for (int i = 0; i < LANES; i++) from[i] = s->at[i];
    gather(from, entry, &out->x);
    gather(from, entry + 1, &out->y);
    gather(from, entry + 2, &out->z);
}

LANE_CODE void put_slots(const lanes3* a, int entry, link_slots* s)
{
    for (int i = 0; i < LANES; i++) {
        s->at[i][entry] = a->x[i];
        s->at[i][entry + 1] = a->y[i];
        s->at[i][entry + 2] = a->z[i];
    }
}

LANE_CODE void add_slot(lanes a, int entry, link_slots* s)
{
    for (int i = 0; i < LANES; i++) s->at[i][entry] += a[i];
}

LANE_CODE void add_slots(const lanes3* a, int entry, link_slots* s)
{
    add_slot(a->x, entry, s);
    add_slot(a->y, entry + 1, s);
    add_slot(a->z, entry + 2, s);
}

// ---- a link over the part

typedef struct back_link {
    lanes33 R, end;
    lanes33 mixed;  // R S R+^T
    lanes3 omega;
    bool is_principal;
    const double* type;
    double* state;
} back_link;

LANE_CODE void look_at(const links_call* call, int row, back_link* k)
{
    const link_system* l = call->l;
    lanes33 RS;
    k->state = state_of(l, row);
    k->type = type_of(l, row);
    k->is_principal = l->traits[l->row_type[row]].is_principal;
    l33_load(ROW(k->state, LINK_R), &k->R);
    l33_load(ROW(k->state, LINK_END), &k->end);
    l3_load(ROW(k->state, LINK_OMEGA), &k->omega);
    times_S(k->type, k->is_principal, &k->R, &RS);
    l33_mul_bt(&RS, &k->end, &k->mixed);
}

// R_i S R_j^T
LANE_CODE void moments_of(const back_link* k, const lanes33* R, lanes33* out)
{
    lanes33 RS;
    times_S(k->type, k->is_principal, R, &RS);
    l33_mul_bt(&RS, R, out);
}

// How x and R at both ends and the velocity at the start count in the velocities at the end.
typedef struct rate_shares {
    lanes end, start, past;
} rate_shares;

LANE_CODE rate_shares shares_of(const links_call* call)
{
    const double theta = call->stage.theta;
    const double now = 1.0 / (theta * call->stage.h);
    return (rate_shares){LANES_OF(now), LANES_OF(-now), LANES_OF(-(1.0 - theta) / theta)};
}

// w_end R+ + w_start R + w_past [omega] R
LANE_CODE void rate_matrix(const back_link* k, const rate_shares* w, lanes33* U)
{
    lanes33 swung;
    skew_times(&k->omega, &k->R, &swung);
    for (int e = 0; e < 9; e++) {
        U->m[e / 3][e % 3] = w->end * k->end.m[e / 3][e % 3] + w->start * k->R.m[e / 3][e % 3] +
                             w->past * swung.m[e / 3][e % 3];
    }
}

// Gradients by the moments of inertia: of p . tau(X S A^T), and of s L . q for a L = J q in axes of the link.
LANE_CODE void add_inertia(const lanes33* X, const lanes33* A, const lanes3* p, link_slots* body)
{
    lanes33 B, G;
    skew_times(p, A, &B);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            G.m[i][j] = B.m[0][i] * X->m[0][j] + B.m[1][i] * X->m[1][j] + B.m[2][i] * X->m[2][j];
        }
    }
    const lanes half = LANES_OF(0.5) * trace_of(&G);
    for (int i = 0; i < 3; i++) add_slot(half - G.m[i][i], 1 + i, body);
    add_slot(-(G.m[0][1] + G.m[1][0]), 4, body);
    add_slot(-(G.m[0][2] + G.m[2][0]), 5, body);
    add_slot(-(G.m[1][2] + G.m[2][1]), 6, body);
}

LANE_CODE void add_inertia_between(const lanes33* R, lanes s, const lanes3* p, const lanes3* q,
                                   link_slots* body)
{
    lanes3 a, b;
    apply_t(R, p, &a);
    apply_t(R, q, &b);
    add_slot(s * (a.x * b.x), 1, body);
    add_slot(s * (a.y * b.y), 2, body);
    add_slot(s * (a.z * b.z), 3, body);
    add_slot(s * (a.x * b.y + a.y * b.x), 4, body);
    add_slot(s * (a.x * b.z + a.z * b.x), 5, body);
    add_slot(s * (a.y * b.z + a.z * b.y), 6, body);
}

LANE_CODE void displacement_of(const links_call* call, int row, lanes3* move)
{
    static const double nothing[3] = {0.0};
    const link_system* l = call->l;
    const double *from[LANES], *to[LANES];
    for (int i = 0; i < LANES; i++) {
        const int node = l->node[row * LANES + i];
        from[i] = node < 0 ? nothing : call->q_in + (size_t)node * POSE_WIDTH;
        to[i] = node < 0 ? nothing : call->back->x + (size_t)node * POSE_WIDTH;
    }
    lanes* out[3] = {&move->x, &move->y, &move->z};
    for (int e = 0; e < 3; e++) {
        lanes start;
        gather(from, e, &start);
        gather(to, e, out[e]);
        *out[e] -= start;
    }
}

// Three numbers of the joint outwards: in the next row, or among those of the segments' first joints.
LANE_CODE void beyond3(const link_system* l, int row, const double* next, const double* heads,
                       lanes3* out)
{
    if (row % l->length + 1 < l->length) {
        l3_load(next, out);
        return;
    }
    const double* p = heads + 3 + (size_t)3 * LANES * (size_t)(row / l->length);
    out->x = (lanes){p[0], p[3], p[6], p[9], p[12], p[15], p[18], p[21]};
    out->y = (lanes){p[1], p[4], p[7], p[10], p[13], p[16], p[19], p[22]};
    out->z = (lanes){p[2], p[5], p[8], p[11], p[14], p[17], p[20], p[23]};
}

LANE_CODE double* kept_of(const links_call* call, int row)
{
    return call->back->room->kept + (size_t)row * BACK_ROWS * LANES;
}

// ---- velocities that are projected

LANE_CODE void load_end(const links_call* call, int row)
{
    static const double identity[POSE_WIDTH] = {[3] = 1.0};
    const link_system* l = call->l;
    const double* x[LANES];
    lanes_pose pose;
    lanes33 R;
    for (int i = 0; i < LANES; i++) {
        const int node = l->node[row * LANES + i];
        x[i] = node < 0 ? identity : call->back->x + (size_t)node * POSE_WIDTH;
    }
    gather_pose(x, &pose);
    lanes4_normalize(&pose.q);
    matrix_of(&pose.q, &R);
    l33_store(&R, ROW(state_of(l, row), LINK_END));
}

// I^-1 at the end.
LANE_CODE void inverse_inertia(const back_link* k, lanes33* out)
{
    lanes33 I;
    world_inertia(k->type, k->is_principal, &k->end, &I);
    l33_inverse(&I, out);
}

LANE_CODE void back_rates(const links_call* call, int row)
{
    const rate_shares w = shares_of(call);
    back_link k;
    lanes33 U, US, over;
    lanes3 v, move, momentum, omega;
    look_at(call, row, &k);
    rate_matrix(&k, &w, &U);
    times_S(k.type, k.is_principal, &U, &US);
    tau_bt(&US, &k.end, &momentum);
    inverse_inertia(&k, &over);
    l33_apply(&over, &momentum, &omega);
    displacement_of(call, row, &move);
    l3_load(ROW(k.state, LINK_V), &v);
    move = (lanes3){w.end * move.x + w.past * v.x, w.end * move.y + w.past * v.y,
                    w.end * move.z + w.past * v.z};
    l3_store(&move, ROW(k.state, LINK_V_END));
    l3_store(&omega, ROW(k.state, LINK_OMEGA_END));
}

// What the projection was is kept; gradients by what it made take the place of velocities, as motions.
LANE_CODE void back_press(const links_call* call, int row)
{
    back_link k;
    link_slots velocity;
    lanes33 over;
    lanes3 a;
    double* kept = kept_of(call, row);
    look_at(call, row, &k);
    l3_load(ROW(k.state, LINK_OMEGA_END), &a);
    l3_store(&a, ROW(kept, BACK_OMEGA));
    l3_load(ROW(k.state, LINK_MOVE), &a);
    l3_store(&a, ROW(kept, BACK_IMPULSE));

    const lanes mobility = LANES_OF(1.0) / row_of(k.type, LINK_MASS);
    slots_of_nodes(call->l, row, call->back->by->velocity, 6, &velocity);
    get_slots(&velocity, 0, &a);
    a = (lanes3){mobility * a.x, mobility * a.y, mobility * a.z};
    l3_store(&a, ROW(k.state, LINK_V_END));
    get_slots(&velocity, 3, &a);
    inverse_inertia(&k, &over);
    l33_apply(&over, &a, &a);
    l3_store(&a, ROW(k.state, LINK_OMEGA_END));
}

// One of the two joints of a link: sign 1 inwards, -1 outwards.
typedef struct settled_joint {
    lanes sign;
    lanes3 r, impulse, rows;
} settled_joint;

LANE_CODE void settle_joint(const links_call* call, int row, const back_link* k,
                            const settled_joint* j, const lanes3* e, lanes3* pose_w,
                            lanes3* velocity_x, lanes3* velocity_w)
{
    lanes3 omega, crossed, shift;
    l3_load(ROW(kept_of(call, row), BACK_OMEGA), &omega);
    add_bent(&j->r, &j->impulse, -j->sign, e, pose_w);
    add_bent(&j->r, &omega, -j->sign, &j->rows, pose_w);
    add(velocity_x, j->sign, &j->rows);
    l3_cross(&j->r, &j->rows, &crossed);
    add(velocity_w, j->sign, &crossed);
    if ((call->back->by->in->wants & WANT_MARKERS) == 0) return;
    link_slots side_of;
    zero3(&shift);
    add_shifted(&k->end, &omega, -j->sign, &j->rows, &shift);
    add_shifted(&k->end, &j->impulse, -j->sign, e, &shift);
    slots_of_markers(call, row, j->sign[0] < 0.0, &side_of);
    add_slots(&shift, 0, &side_of);
}

LANE_CODE void joints_of(const links_call* call, int row, const back_link* k, settled_joint* in,
                         settled_joint* out)
{
    const link_system* l = call->l;
    const double* kept = kept_of(call, row);
    const double* state = k->state;
    lanes3 x;
    in->sign = LANES_OF(1.0);
    out->sign = LANES_OF(-1.0);
    l3_load(ROW(k->type, LINK_INNER), &x);
    l33_apply(&k->end, &x, &in->r);
    l3_load(ROW(k->type, LINK_OUTER), &x);
    l33_apply(&k->end, &x, &out->r);
    l3_load(ROW(kept, BACK_IMPULSE), &in->impulse);
    l3_load(ROW(state, LINK_MOVE), &in->rows);
    beyond3(l, row, ROW(kept, BACK_ROWS + BACK_IMPULSE), call->back->room->heads, &out->impulse);
    beyond3(l, row, ROW(state, LINK_STATE + LINK_MOVE), l->head_change, &out->rows);
}

LANE_CODE void back_settle(const links_call* call, int row)
{
    back_link k;
    link_slots pose, velocity, body;
    settled_joint in, out;
    lanes33 I, over;
    lanes3 y, e_x, e, torque, crossed, change, grow, spun, moved;
    look_at(call, row, &k);
    joints_of(call, row, &k, &in, &out);
    l3_load(ROW(k.state, LINK_V_END), &y);
    e_x = (lanes3){-y.x, -y.y, -y.z};
    l3_load(ROW(k.state, LINK_OMEGA_END), &y);
    e = (lanes3){-y.x, -y.y, -y.z};
    world_inertia(k.type, k.is_principal, &k.end, &I);
    l33_inverse(&I, &over);

    // what the projection added: I^-1 (r x l), and its torque
    l3_cross(&in.r, &in.impulse, &torque);
    l3_cross(&out.r, &out.impulse, &crossed);
    add(&torque, LANES_OF(-1.0), &crossed);
    l33_apply(&over, &torque, &change);
    // (I [c] - [I c])^T e
    zero3(&grow);
    zero3(&spun);
    zero3(&moved);
    l33_apply(&I, &e, &y);
    l3_cross(&change, &y, &crossed);
    add(&grow, LANES_OF(-1.0), &crossed);
    l3_cross(&torque, &e, &crossed);
    add(&grow, LANES_OF(1.0), &crossed);
    settle_joint(call, row, &k, &in, &e, &grow, &moved, &spun);
    settle_joint(call, row, &k, &out, &e, &grow, &moved, &spun);
    slots_of_nodes(call->l, row, call->back->by->pose, 6, &pose);
    slots_of_nodes(call->l, row, call->back->by->velocity, 6, &velocity);
    add_slots(&grow, 3, &pose);
    add_slots(&moved, 0, &velocity);
    add_slots(&spun, 3, &velocity);
    if ((call->back->by->in->wants & WANT_BODIES) == 0) return;
    const lanes mobility = LANES_OF(1.0) / row_of(k.type, LINK_MASS);
    lanes3 pull = in.impulse;
    add(&pull, LANES_OF(-1.0), &out.impulse);
    slots_of_bodies(call, row, &body);
    add_slot(mobility * l3_dot(&e_x, &pull), 0, &body);
    add_inertia_between(&k.end, LANES_OF(1.0), &change, &e, &body);
}

// ---- velocities at the end

// Gradients by the end are ready for LINKS_BACK; what the start is left with takes their place.
LANE_CODE void back_close(const links_call* call, int row)
{
    const rate_shares w = shares_of(call);
    back_link k;
    link_slots pose, velocity, body;
    lanes33 last, I, over, V, swung;
    lanes3 g_x, g_w, v_x, v_w, p, momentum, omega, crossed, start, spin;
    look_at(call, row, &k);
    moments_of(&k, &k.end, &last);
    slots_of_nodes(call->l, row, call->back->by->pose, 6, &pose);
    slots_of_nodes(call->l, row, call->back->by->velocity, 6, &velocity);
    get_slots(&pose, 0, &g_x);
    get_slots(&pose, 3, &g_w);
    get_slots(&velocity, 0, &v_x);
    get_slots(&velocity, 3, &v_w);
    lever(&last, &I);
    l33_inverse(&I, &over);
    l33_apply(&over, &v_w, &p);
    skew_times(&k.omega, &k.mixed, &swung);
    for (int e = 0; e < 9; e++) {
        V.m[e / 3][e % 3] = w.end * last.m[e / 3][e % 3] + w.start * k.mixed.m[e / 3][e % 3] +
                            w.past * swung.m[e / 3][e % 3];
    }
    tau_of(&V, &momentum);
    l33_apply(&over, &momentum, &omega);

    add(&g_x, w.end, &v_x);
    add(&g_w, w.end, &v_w);
    l3_cross(&omega, &v_w, &crossed);
    add(&g_w, LANES_OF(1.0), &crossed);
    l3_cross(&momentum, &p, &crossed);
    add(&g_w, LANES_OF(-1.0), &crossed);
    add_lever(&V, LANES_OF(-1.0), &p, &g_w);
    l3_store(&g_x, ROW(k.state, LINK_V_END));
    l3_store(&g_w, ROW(k.state, LINK_OMEGA_END));

    zero3(&start);
    zero3(&spin);
    add_lever_t(&k.mixed, w.past, &p, &spin);
    add_lever_t(&k.mixed, w.start, &p, &start);
    swung_t(&k.mixed, &k.omega, &p, &crossed);
    add(&start, -w.past, &crossed);
    put_slots(&start, 3, &pose);
    put_slots(&spin, 3, &velocity);
    start = (lanes3){w.start * v_x.x, w.start * v_x.y, w.start * v_x.z};
    spin = (lanes3){w.past * v_x.x, w.past * v_x.y, w.past * v_x.z};
    put_slots(&start, 0, &pose);
    put_slots(&spin, 0, &velocity);
    if ((call->back->by->in->wants & WANT_BODIES) == 0) return;
    slots_of_bodies(call, row, &body);
    rate_matrix(&k, &w, &V);
    add_inertia(&V, &k.end, &p, &body);
    add_inertia_between(&k.end, LANES_OF(-1.0), &omega, &p, &body);
}

// ---- the equations of motion

// Gradients by the pose at the start and the velocity there, of what the link's inertia and the air do.
LANE_CODE void finish_body(const links_call* call, const back_link* k, const lanes3* e,
                           lanes3* pose_w, lanes3* velocity_w)
{
    const lanes h = LANES_OF(call->stage.h);
    const lanes over = LANES_OF(1.0 / call->stage.beta);
    const lanes half = LANES_OF(0.5);
    lanes33 start, Z, pull, swung;
    lanes3 turned;
    moments_of(k, &k->R, &start);
    skew_times(&k->omega, &start, &swung);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            Z.m[i][j] = half * (start.m[i][j] + k->mixed.m[i][j]);
            pull.m[i][j] = k->mixed.m[j][i] - start.m[i][j] - h * swung.m[i][j];
        }
    }
    add_lever_t(&Z, -over, e, pose_w);
    swung_t(&Z, &k->omega, e, &turned);
    add(pose_w, h * over, &turned);
    add_lever(&pull, -half * over, e, pose_w);
    add_lever_t(&Z, -h * over, e, velocity_w);
    if (!call->l->has_air) return;
    l33_mul_bt(&k->R, &k->end, &Z);
    add_lever_t(&Z, -half / h * row_of(k->type, LINK_SPIN), e, pose_w);
}

LANE_CODE void finish_inertia(const links_call* call, int row, const back_link* k,
                              const lanes3* e_x, const lanes3* e)
{
    const lanes h = LANES_OF(call->stage.h);
    const lanes over = LANES_OF(1.0 / call->stage.beta);
    const lanes mass = row_of(k->type, LINK_MASS);
    double* gravity = call->back->room->gravity + (size_t)3 * (size_t)row;
    link_slots body;
    lanes33 X, A, U;
    lanes3 move, v;
    displacement_of(call, row, &move);
    l3_load(ROW(k->state, LINK_V), &v);
    move.x = over * (move.x - h * v.x) - LANES_OF(call->gravity.x);
    move.y = over * (move.y - h * v.y) - LANES_OF(call->gravity.y);
    move.z = over * (move.z - h * v.z) - LANES_OF(call->gravity.z);
    skew_times(&k->omega, &k->R, &U);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            X.m[i][j] = over * ((k->end.m[i][j] - k->R.m[i][j]) - h * U.m[i][j]);
            A.m[i][j] = LANES_OF(0.5) * (k->R.m[i][j] + k->end.m[i][j]);
        }
    }
    slots_of_bodies(call, row, &body);
    add_slot(l3_dot(e_x, &move), 0, &body);
    add_inertia(&X, &A, e, &body);
    gravity[0] = gravity[1] = gravity[2] = 0.0;
    for (int i = 0; i < LANES; i++) {
        gravity[0] -= mass[i] * e_x->x[i];
        gravity[1] -= mass[i] * e_x->y[i];
        gravity[2] -= mass[i] * e_x->z[i];
    }
}

// Where its two joints are on the link.
LANE_CODE void finish_markers(const links_call* call, int row, const back_link* k,
                              const lanes3 force[2], const lanes3* e)
{
    const link_system* l = call->l;
    lanes33 A;
    lanes3 rows[2], shift, by;
    l3_load(ROW(k->state, LINK_MOVE), &rows[0]);
    beyond3(l, row, ROW(k->state, LINK_STATE + LINK_MOVE), l->head_change, &rows[1]);
    for (int m = 0; m < 9; m++) {
        A.m[m / 3][m % 3] = LANES_OF(0.5) * (k->R.m[m / 3][m % 3] + k->end.m[m / 3][m % 3]);
    }
    for (int side = 0; side < 2; side++) {
        const lanes sign = side == 0 ? LANES_OF(1.0) : LANES_OF(-1.0);
        link_slots side_of;
        zero3(&shift);
        add_shifted(&A, &force[side], -sign, e, &shift);
        apply_t(&k->end, &rows[side], &by);
        add(&shift, sign, &by);
        slots_of_markers(call, row, side == 1, &side_of);
        add_slots(&shift, 0, &side_of);
    }
}

LANE_CODE void back_finish(const links_call* call, int row)
{
    const link_system* l = call->l;
    const lanes half = LANES_OF(0.5);
    const lanes over = LANES_OF(1.0 / call->stage.beta);
    back_link k;
    link_slots pose, velocity;
    lanes3 y, e_x, e, force[2], x, r, turn, spin, at;
    look_at(call, row, &k);
    l3_load(ROW(k.state, LINK_V_END), &y);
    e_x = (lanes3){-y.x, -y.y, -y.z};
    l3_load(ROW(k.state, LINK_OMEGA_END), &y);
    e = (lanes3){-y.x, -y.y, -y.z};
    l3_load(ROW(k.state, LINK_FORCE), &force[0]);
    beyond3(l, row, ROW(k.state, LINK_STATE + LINK_FORCE), call->heads, &force[1]);

    slots_of_nodes(l, row, call->back->by->pose, 6, &pose);
    slots_of_nodes(l, row, call->back->by->velocity, 6, &velocity);
    get_slots(&pose, 3, &turn);
    get_slots(&velocity, 3, &spin);
    finish_body(call, &k, &e, &turn, &spin);
    for (int side = 0; side < 2; side++) {
        l3_load(ROW(k.type, side == 0 ? LINK_INNER : LINK_OUTER), &x);
        l33_apply(&k.R, &x, &r);
        add_bent(&r, &force[side], side == 0 ? -half : half, &e, &turn);
    }
    put_slots(&turn, 3, &pose);
    put_slots(&spin, 3, &velocity);
    const lanes mass = row_of(k.type, LINK_MASS) * over;
    const lanes drag = row_of(k.type, LINK_DRAG) / LANES_OF(call->stage.h);
    get_slots(&pose, 0, &at);
    add(&at, -mass - drag, &e_x);
    put_slots(&at, 0, &pose);
    get_slots(&velocity, 0, &at);
    add(&at, -mass * LANES_OF(call->stage.h), &e_x);
    put_slots(&at, 0, &velocity);
    if ((call->back->by->in->wants & WANT_BODIES) != 0) finish_inertia(call, row, &k, &e_x, &e);
    if ((call->back->by->in->wants & WANT_MARKERS) != 0) finish_markers(call, row, &k, force, &e);
}

KERNEL(load_end)
KERNEL(back_rates)
KERNEL(back_press)
KERNEL(back_settle)
KERNEL(back_close)
KERNEL(back_finish)

void tml__back_kernels(block_isa isa, links_kernels* out)
{
    out->load_end = PICK(load_end, isa);
    out->back_rates = PICK(back_rates, isa);
    out->back_press = PICK(back_press, isa);
    out->back_settle = PICK(back_settle, isa);
    out->back_close = PICK(back_close, isa);
    out->back_finish = PICK(back_finish, isa);
}

// ---- blocks of segments

static void run_rows(const links_call* call, links_kernel* kernel, int item)
{
    const int length = call->l->length;
    for (int at = 0; at < length; at++) kernel(call, item * length + at);
}

static links_call in_mode(const links_call* call, links_mode mode)
{
    links_call own = *call;
    own.mode = mode;
    return own;
}

static void enter(const links_call* call, int item)
{
    const links_kernels* k = &call->l->kernels;
    run_rows(call, k->load, item);
    run_rows(call, k->load_end, item);
    run_rows(call, call->back->is_projected ? k->back_rates : k->back_close, item);
    k->reduce(call, item);
}

// The projection again: what it did, then gradients through it.
static void press(const links_call* call, int item)
{
    const links_kernels* k = &call->l->kernels;
    k->resolve(call, item);
    run_rows(call, k->back_press, item);
    k->reduce(call, item);
}

static void close(const links_call* call, int item)
{
    const links_kernels* k = &call->l->kernels;
    const links_call back = in_mode(call, LINKS_BACK);
    k->resolve(call, item);
    run_rows(call, k->back_settle, item);
    run_rows(call, k->back_close, item);
    k->reduce(&back, item);
}

static void finish(const links_call* call, int item)
{
    const links_kernels* k = &call->l->kernels;
    k->resolve(call, item);
    run_rows(call, k->back_finish, item);
}

// Forces of the segments' first joints.
static void load_heads(const link_system* l, const double* lambda)
{
    for (int k = 0; k < l->segment_count; k++) {
        const int joint = l->joint[tml__chain_place(l, k * l->length)];
        v3_store(&l->head_force[3 * k], joint >= 0 ? v3_load(&lambda[3 * joint]) : v3_zero());
    }
}

// The first joint, where it holds something that does not move; and sums over all links.
static void finish_chain(const links_call* call)
{
    const link_system* l = call->l;
    const parameter_set* in = call->back->by->in;
    const tml_model* m = l->s->model;
    if ((in->wants & WANT_BODIES) != 0) {
        for (int i = 0; i < 3 * l->row_count; i++) {
            in->gravity[i % 3] += call->back->room->gravity[i];
        }
    }
    if ((in->wants & WANT_MARKERS) == 0 || l->joint[0] < 0) return;
    const joint_data* j = &m->joints[l->joint[0]];
    const bool is_F = call->back->tree->is_child_F[l->node[0]];
    double* other = &in->marker[(2 * l->joint[0] + (is_F ? 1 : 0)) * MARKER_PARAMETERS];
    const double* lane = tml__links_lane(l, 0);
    const vec3 rows =
        v3(lane[LINK_MOVE * LANES], lane[(LINK_MOVE + 1) * LANES], lane[(LINK_MOVE + 2) * LANES]);
    const mat3 R = q_matrix(m->bodies[is_F ? j->base : j->follower].q);
    v3_store(other, v3_sub(v3_load(other), m3_apply_t(R, rows)));
}

void tml__links_back(link_system* l, const link_tree* tree, links_back_room* room,
                     const link_part* part, const link_inputs* by)
{
    const links_back back = {.tree = tree,
                             .by = by,
                             .x = part->x,
                             .room = room,
                             .is_projected = part->stage.theta == 0.5};
    const links_call all = {.l = l,
                            .stage = part->stage,
                            .gravity = l->s->model->all.gravity,
                            .scratch = l->scratch,
                            .heads = l->head_force,
                            .q_in = part->q,
                            .v_in = part->v,
                            .lambda_in = part->lambda,
                            .back = &back};
    const links_call mass = in_mode(&all, LINKS_PROJECT);
    const links_call step = in_mode(&all, LINKS_BACK);

    tml__links_let_go(l);  // the matrix is that of the equations
    load_heads(l, part->lambda);
    tml__links_run(back.is_projected ? &mass : &step, enter, 0, l->item_count);
    if (back.is_projected) {
        tml__chain_solve_ends(&mass);
        memcpy(room->heads, l->head_change,
               3 * (size_t)(l->item_count * LANES + 1) * sizeof(double));
        tml__links_run(&mass, press, 0, l->item_count);
        tml__chain_solve_ends(&mass);
        tml__links_run(&mass, close, 0, l->item_count);
    }
    tml__chain_solve_ends(&step);
    tml__links_run(&step, finish, 0, l->item_count);
    finish_chain(&step);
}

// ---- memory

tml_status tml__links_back_create(const link_system* l, links_back_room* out)
{
    const size_t rows = (size_t)l->row_count;
    const size_t segments = (size_t)l->item_count * LANES;
    *out = (links_back_room){.kept = NULL};
    if (!l->is_chain) return TML_OK;
    out->kept = tml__allocate(&l->allocator, rows * BACK_ROWS * LANES, sizeof(double));
    out->heads = tml__allocate(&l->allocator, 3 * (segments + 1), sizeof(double));
    out->gravity = tml__allocate(&l->allocator, 3 * rows, sizeof(double));
    const bool is_whole = out->kept != NULL && out->heads != NULL && out->gravity != NULL;
    return is_whole ? TML_OK : TML_NO_MEMORY;
}

void tml__links_back_destroy(const link_system* l, links_back_room* room)
{
    tml__release(&l->allocator, room->kept);
    tml__release(&l->allocator, room->heads);
    tml__release(&l->allocator, room->gravity);
}
