// form/affine/links_chain.c - a chain in segments: eight segments side by side.       [notes 5 9.3]
//
// A segment of links 0 .. n-1 with forces f at its first joint and g at the joint beyond its last is
// eliminated from its outer end. With S, z, Q of what is done already (its first point moves by
// z + S f + Q g) and W, u of the next link inwards,
//     f_c = y + L f_a + H g,   y = T (u_c - z),  L = T W_ca,  H = -T Q,  T = (W_cc + S)^-1
//     z' = u_a - W_ac y,   S' = W_aa - W_ac L,   Q' = -W_ac H
// and its last point, which moves by y_o + B f + T_o g, follows. The ends of all segments are then
// a chain of their own, solved one after the other; with f and g known the segment is eliminated
// once more, and forces and turns found on the way back. Nothing of that is kept but for one block.
//
// Where a block has just been resolved it is reduced again at once, while it is in the cache, for the
// next iteration. Newton is local: links that whip are few, and a block whose links turned by less
// than what is left of a quadratic iteration is not looked at again before the forces at its ends
// change by something that it could feel. What its ends answer follows the forces linearly.
//                                                                                    [notes 9.9]
//
// Links move by MOVE beyond the start of their segment; a shift of a whole segment takes all its
// points along and no force feels it, so offsets enter between segments only.
#include "form/affine/links_pose.h"
#include "form/affine/touched.h"

#include <string.h>

// How a link answers to forces at its two joints.
typedef struct link_ports {
    lanes33 aa, ac, ca, cc;
    lanes33 N_a, N_c;  // its turn by forces
    lanes3 u_a, u_c;
    lanes3 Ke;
    lanes mobility;
} link_ports;

LANE_CODE void set_mobility(const lanes33* a, lanes s, lanes mobility, lanes33* out)
{
    for (int k = 0; k < 9; k++) out->m[k / 3][k % 3] = s * a->m[k / 3][k % 3];
    for (int i = 0; i < 3; i++) out->m[i][i] += mobility;
}

// The forces of a link's two joints.
LANE_CODE void pull_of(const links_call* call, int row, const lanes3* outer, link_pull* pull)
{
    const link_system* l = call->l;
    const double* type = type_of(l, row);
    const lanes one = LANES_OF(1.0);
    lanes3 inner, x, sum;
    zero33(&pull->Q);
    zero3(&pull->torque);
    zero3(&pull->out);
    if (call->mode != LINKS_STEP && call->mode != LINKS_BACK) return;
    l3_load(ROW(state_of(l, row), LINK_FORCE), &inner);
    l3_axpy(outer, -one, &inner, &pull->out);
    l3_load(ROW(type, LINK_INNER), &x);
    if (l->traits[l->row_type[row]].is_symmetric) {
        l3_axpy(&inner, one, outer, &sum);
        l33_add_outer(&pull->Q, -one, &sum, &x);
        return;
    }
    l33_add_outer(&pull->Q, -one, &inner, &x);
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_add_outer(&pull->Q, one, outer, &x);
}

// Links that touch answer by all of their 6 x 6 matrix, one after the other.
LANE_CODE void touch_ports(const links_call* call, int row, const link_body* b, link_ports* p)
{
    double body[TOUCH_ROWS * LANES] __attribute__((aligned(64)));
    double ports[TOUCHED_ROWS * LANES] __attribute__((aligned(64)));
    l33_store(&b->K, ROW(body, TOUCH_K));
    l33_store(&b->R, ROW(body, TOUCH_R));
    l33_store(&b->A, ROW(body, TOUCH_A));
    l3_store(&b->Ex, ROW(body, TOUCH_EX));
    l3_store(&b->Ew, ROW(body, TOUCH_EW));
    *(lanes*)ROW(body, TOUCH_INERTIA) = b->inertia;
    lanes33* const matrices[6] = {&p->aa, &p->ac, &p->ca, &p->cc, &p->N_a, &p->N_c};
    lanes3* const vectors[3] = {&p->u_a, &p->u_c, &p->Ke};
    for (int k = 0; k < 6; k++) l33_store(matrices[k], ROW(ports, 9 * k));
    for (int k = 0; k < 3; k++) l3_store(vectors[k], ROW(ports, TOUCHED_UA + 3 * k));
    tml__links_touch_answer(call->l, row, body, ports);
    for (int k = 0; k < 6; k++) l33_load(ROW(ports, 9 * k), matrices[k]);
    for (int k = 0; k < 3; k++) l3_load(ROW(ports, TOUCHED_UA + 3 * k), vectors[k]);
}

LANE_CODE void ports_of(const links_call* call, int row, const lanes3* outer, link_ports* p)
{
    const link_system* l = call->l;
    const double* type = type_of(l, row);
    const lanes one = LANES_OF(1.0);
    link_pull pull;
    link_body b;
    lanes3 x, r_a, r_c, d, shift, turn;
    lanes33 X;

    pull_of(call, row, outer, &pull);
    assemble(call, row, &pull, &b);
    p->mobility = b.mobility;
    p->Ke = b.Ke;
    free_motion(call, row, &b, &shift, &turn);
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(&b.R, &x, &r_a);
    l33_apply(&b.A, &x, &d);
    times_skew(&b.Kinv, &d, &p->N_a);
    skew_times_matrix(&r_a, &p->N_a, &X);
    set_mobility(&X, -one, b.mobility, &p->aa);
    motion_of(call, row, &shift, &turn, &r_a, &p->u_a);
    if (l->traits[l->row_type[row]].is_symmetric) {
        // r_c = -r_a, d_c = -d_a
        set_mobility(&X, one, b.mobility, &p->ac);
        p->ca = p->ac;
        p->cc = p->aa;
        for (int k = 0; k < 9; k++) p->N_c.m[k / 3][k % 3] = -p->N_a.m[k / 3][k % 3];
        r_c = (lanes3){-r_a.x, -r_a.y, -r_a.z};
    } else {
        l3_load(ROW(type, LINK_OUTER), &x);
        l33_apply(&b.R, &x, &r_c);
        l33_apply(&b.A, &x, &d);
        times_skew(&b.Kinv, &d, &p->N_c);
        skew_times_matrix(&r_c, &p->N_a, &X);
        set_mobility(&X, -one, b.mobility, &p->ca);
        skew_times_matrix(&r_a, &p->N_c, &X);
        set_mobility(&X, -one, b.mobility, &p->ac);
        skew_times_matrix(&r_c, &p->N_c, &X);
        set_mobility(&X, -one, b.mobility, &p->cc);
    }
    motion_of(call, row, &shift, &turn, &r_c, &p->u_c);
    if (call->mode == LINKS_STEP && links_are_touched(l) && l->touch->in_row[row] != 0) {
        touch_ports(call, row, &b, p);
    }
}

// (cc + S)^-1, nothing where no joint leads on.
LANE_CODE void join(const double* type, const link_ports* p, const lanes33* S, lanes33* T)
{
    lanes33 sum;
    const lanes joined = row_of(type, LINK_JOINED);
    for (int k = 0; k < 9; k++) sum.m[k / 3][k % 3] = p->cc.m[k / 3][k % 3] + S->m[k / 3][k % 3];
    l33_inverse(&sum, T);
    for (int k = 0; k < 9; k++) T->m[k / 3][k % 3] *= joined;
}

// Three numbers of eight neighbouring segments.
LANE_CODE void load_heads(const double* heads, int item, lanes3* out)
{
    const double* p = heads + (size_t)3 * LANES * (size_t)item;
    out->x = (lanes){p[0], p[3], p[6], p[9], p[12], p[15], p[18], p[21]};
    out->y = (lanes){p[1], p[4], p[7], p[10], p[13], p[16], p[19], p[22]};
    out->z = (lanes){p[2], p[5], p[8], p[11], p[14], p[17], p[20], p[23]};
}

// The force of the joint outwards from each of eight links: the next place's, or the next segment's.
LANE_CODE void outer_force(const links_call* call, int item, int at, lanes3* out)
{
    const link_system* l = call->l;
    if (at + 1 < l->length) {
        l3_load(ROW(state_of(l, item * l->length + at + 1), LINK_FORCE), out);
        return;
    }
    load_heads(call->heads + 3, item, out);
}

typedef struct segment_ends {
    lanes33 S, Q, B, T;
    lanes3 z, y;
    lanes steepest;  // the largest square of a link's turn by a unit of force
} segment_ends;

LANE_CODE void raise_steepest(lanes* most, const lanes33* N)
{
    lanes square = LANES_OF(0.0);
    for (int k = 0; k < 9; k++) square += N->m[k / 3][k % 3] * N->m[k / 3][k % 3];
    const lane_mask is_larger = square > *most;
    *most = (lanes)(((lane_mask)square & is_larger) | ((lane_mask)*most & ~is_larger));
}

LANE_CODE void negate(const lanes33* a, lanes33* out)
{
    for (int k = 0; k < 9; k++) out->m[k / 3][k % 3] = -a->m[k / 3][k % 3];
}

LANE_CODE void extend(const double* type, const link_ports* p, segment_ends* e)
{
    const lanes one = LANES_OF(1.0);
    lanes33 T, L, H, by;
    lanes3 y, g;
    join(type, p, &e->S, &T);
    l3_axpy(&p->u_c, -one, &e->z, &g);
    l33_apply(&T, &g, &y);
    l33_mul(&T, &p->ca, &L);
    l33_mul(&T, &e->Q, &H);  // less than zero

    add_applied(&e->y, one, &e->B, &y);
    add_product(&e->T, -one, &e->B, &H);
    l33_mul(&e->B, &L, &by);
    e->B = by;
    e->z = p->u_a;
    add_applied(&e->z, -one, &p->ac, &y);
    e->S = p->aa;
    add_product(&e->S, -one, &p->ac, &L);
    l33_mul(&p->ac, &H, &e->Q);
}

LANE_CODE void store_ends(const link_system* l, int item, const segment_ends* e)
{
    double* to = l->ends + (size_t)item * END_ROWS * LANES;
    double steepest = 0.0;
    l33_store(&e->S, ROW(to, END_S));
    l33_store(&e->Q, ROW(to, END_Q));
    l33_store(&e->B, ROW(to, END_B));
    l33_store(&e->T, ROW(to, END_T));
    l3_store(&e->z, ROW(to, END_Z));
    l3_store(&e->y, ROW(to, END_Y));
    for (int i = 0; i < LANES; i++) steepest = tml__larger(steepest, e->steepest[i]);
    l->steepness[item] = sqrt(steepest);
    l->pending[item] = 0.0;
}

LANE_CODE void reduce(const links_call* call, int item)
{
    const link_system* l = call->l;
    const int first = item * l->length;
    segment_ends e;
    link_ports p;
    lanes3 force;

    zero3(&force);
    outer_force(call, item, l->length - 1, &force);
    ports_of(call, first + l->length - 1, &force, &p);
    e.S = p.aa;
    e.B = p.ca;
    negate(&p.ac, &e.Q);
    negate(&p.cc, &e.T);
    e.z = p.u_a;
    e.y = p.u_c;
    e.steepest = LANES_OF(0.0);
    raise_steepest(&e.steepest, &p.N_a);
    for (int at = l->length - 2; at >= 0; at--) {
        outer_force(call, item, at, &force);
        ports_of(call, first + at, &force, &p);
        extend(type_of(l, first + at), &p, &e);
        raise_steepest(&e.steepest, &p.N_a);
        if (!l->traits[l->row_type[first + at]].is_symmetric) raise_steepest(&e.steepest, &p.N_c);
    }
    store_ends(l, item, &e);
}

// ---- between the segments, one after the other

static mat3 get33(const double* lane, int row)
{
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = lane[(row + k) * LANES];
    return a;
}

static vec3 get3(const double* lane, int row)
{
    return v3(lane[row * LANES], lane[(row + 1) * LANES], lane[(row + 2) * LANES]);
}

static const double* ends_of(const link_system* l, int segment)
{
    return l->ends + (size_t)(segment / LANES) * END_ROWS * LANES + segment % LANES;
}

static vec3 offset_of(const links_call* call, int segment)
{
    return call->mode == LINKS_STEP ? v3_load(&call->l->offset[3 * segment]) : v3_zero();
}

// How far the start of a segment is from the end of the one before it. Positions are sums from the root, and
// there is no gap, but where links touch (below).
static vec3 gap_beyond(const links_call* call, int segment)
{
    const link_system* l = call->l;
    if (call->mode != LINKS_STEP || !links_are_touched(l)) return v3_zero();
    const vec3 end = v3_add(v3_load(&l->offset[3 * segment]), v3_load(&l->span[3 * segment]));
    return v3_sub(v3_load(&l->offset[3 * segment + 3]), end);
}

// What the anchor does beside the motion that is looked for: a step has it where it goes from the start.
static vec3 anchor_rate(const links_call* call)
{
    if (call->mode == LINKS_PROJECT) return call->l->anchor.rate;
    return call->mode == LINKS_FORCES ? call->l->anchor.acceleration : v3_zero();
}

// From the tip: what hangs on the first joint of each segment, S and z; and how the force of the
// next segment's first joint follows from its own.
void tml__chain_solve_ends(const links_call* call)
{
    link_system* l = call->l;
    mat3 S = m3_zero();
    vec3 z = v3_zero();

    for (int k = l->segment_count - 1; k >= 0; k--) {
        const double* ends = ends_of(l, k);
        const vec3 offset = offset_of(call, k);
        double* kept = &l->thomas[12 * k];  // of the joint beyond this segment
        const mat3 own = get33(ends, END_S);
        const vec3 moved = v3_sub(get3(ends, END_Z), offset);
        if (k == l->segment_count - 1) {
            memset(kept, 0, 12 * sizeof *kept);
            S = own;
            z = moved;
            continue;
        }
        const mat3 T = m3_inverse(m3_sub(S, get33(ends, END_T)));
        const mat3 L = m3_mul(T, get33(ends, END_B));
        const vec3 end = v3_sub(v3_sub(get3(ends, END_Y), offset), gap_beyond(call, k));
        const vec3 y = m3_apply(T, v3_sub(end, z));
        const mat3 Q = get33(ends, END_Q);
        memcpy(kept, L.m, sizeof L.m);
        v3_store(kept + 9, y);
        S = m3_add(own, m3_mul(Q, L));
        z = v3_add(moved, m3_apply(Q, y));
    }

    // an anchor moves as it is led; a floating chain has no first joint, and moves by z
    const vec3 ahead = v3_sub(z, anchor_rate(call));
    vec3 f = l->joint[0] >= 0 ? v3_neg(m3_apply(m3_inverse(S), ahead)) : v3_zero();
    if (l->joint[0] < 0 && call->mode == LINKS_STEP) l->root_move = v3_add(l->root_move, z);
    for (int k = 0; k < l->segment_count; k++) {
        const double* kept = &l->thomas[12 * k];
        mat3 L;
        v3_store(&l->head_change[3 * k], f);
        memcpy(L.m, kept, sizeof L.m);
        f = v3_add(v3_load(kept + 9), m3_apply(L, f));
    }
}

// ---- the way back

// Rows of a place while its block is resolved.
enum {
    KEPT_L = 0,
    KEPT_Y = 9,
    KEPT_M = 12,
    KEPT_T = 21,
};

// A block comes from memory with its last row first, line after line of some and nothing of others: ask for the row
// after the next.
LANE_CODE void ask_for_row(const link_system* l, int row)
{
    if (row < 2) return;
    const double* state = state_of(l, row - 2);
    for (int k = 0; k < LINK_V_END; k++) __builtin_prefetch(ROW(state, k));
}

// Elimination with the outer end's force known.
LANE_CODE void eliminate(const links_call* call, int item, const lanes3* beyond)
{
    const link_system* l = call->l;
    const lanes one = LANES_OF(1.0);
    const int first = item * l->length;
    lanes33 S, T, L, M;
    lanes3 z, y, g, t, force;
    link_ports p;

    zero33(&S);
    zero3(&z);
    zero3(&g);
    zero3(&force);
    for (int at = l->length - 1; at >= 0; at--) {
        double* kept = call->scratch + (size_t)at * CHAIN_KEPT * LANES;
        const double* type = type_of(l, first + at);
        ask_for_row(l, first + at);
        outer_force(call, item, at, &force);
        ports_of(call, first + at, &force, &p);
        if (at == l->length - 1) {
            zero33(&L);
            y = *beyond;
        } else {
            join(type, &p, &S, &T);
            l3_axpy(&p.u_c, -one, &z, &g);
            l33_apply(&T, &g, &y);
            l33_mul(&T, &p.ca, &L);
        }
        z = p.u_a;
        S = p.aa;
        add_applied(&z, -one, &p.ac, &y);
        add_product(&S, -one, &p.ac, &L);
        // the link turns by t + M f_a
        M = p.N_a;
        t = (lanes3){-p.Ke.x, -p.Ke.y, -p.Ke.z};
        add_product(&M, -one, &p.N_c, &L);
        add_applied(&t, -one, &p.N_c, &y);
        l33_store(&L, ROW(kept, KEPT_L));
        l3_store(&y, ROW(kept, KEPT_Y));
        l33_store(&M, ROW(kept, KEPT_M));
        l3_store(&t, ROW(kept, KEPT_T));
    }
}

LANE_CODE void add_force(double* state, const lanes3* f)
{
    lanes3 force;
    l3_load(ROW(state, LINK_FORCE), &force);
    l3_axpy(&force, LANES_OF(1.0), f, &force);
    l3_store(&force, ROW(state, LINK_FORCE));
}

LANE_CODE void add_velocity(const double* type, double* state, const lanes3* f, const lanes3* next,
                            const lanes3* w, lane_peak* peak)
{
    const lanes mobility = LANES_OF(1.0) / row_of(type, LINK_MASS);
    lanes3 v, omega;
    const lanes3 dv = {mobility * (f->x - next->x), mobility * (f->y - next->y),
                       mobility * (f->z - next->z)};
    l3_load(ROW(state, LINK_V_END), &v);
    l3_load(ROW(state, LINK_OMEGA_END), &omega);
    l3_axpy(&v, LANES_OF(1.0), &dv, &v);
    l3_axpy(&omega, LANES_OF(1.0), w, &omega);
    l3_store(&v, ROW(state, LINK_V_END));
    l3_store(&omega, ROW(state, LINK_OMEGA_END));
    raise_peak(peak, &dv);
}

// The multipliers of the transposed equations, in place of what they were asked for: of motion, and of rows.
LANE_CODE void answer(const links_call* call, int row, const lanes3* f, const lanes3* next,
                      const lanes3* w)
{
    double* state = state_of(call->l, row);
    const double* type = type_of(call->l, row);
    const lanes inertia = row_of(type, LINK_MASS) * LANES_OF(1.0 / call->stage.beta) +
                          row_of(type, LINK_DRAG) / LANES_OF(call->stage.h);
    lanes3 g;
    l3_load(ROW(state, LINK_V_END), &g);
    g.x = (g.x + f->x - next->x) / inertia;
    g.y = (g.y + f->y - next->y) / inertia;
    g.z = (g.z + f->z - next->z) / inertia;
    l3_store(&g, ROW(state, LINK_V_END));
    l3_store(w, ROW(state, LINK_OMEGA_END));
    l3_store(f, ROW(state, LINK_MOVE));
}

// The two points of eight links move with R+ - R; `run` is how far the next joint has moved.
LANE_CODE void place_links(const double* type, double* state, const lanes33* moved, lanes3* run)
{
    const lanes one = LANES_OF(1.0);
    lanes3 x, g, move;
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(moved, &x, &g);
    l3_axpy(run, -one, &g, &move);
    l3_store(&move, ROW(state, LINK_MOVE));
    l3_load(ROW(type, LINK_OUTER), &x);
    l33_apply(moved, &x, &g);
    l3_axpy(&move, one, &g, run);
}

LANE_CODE void store_heads(double* heads, int item, const lanes3* run)
{
    double* to = heads + (size_t)3 * LANES * (size_t)item;
    for (int i = 0; i < LANES; i++) {
        to[3 * i] = run->x[i];
        to[3 * i + 1] = run->y[i];
        to[3 * i + 2] = run->z[i];
    }
}

LANE_CODE void resolve(const links_call* call, int item)
{
    const link_system* l = call->l;
    lanes3 f, next, beyond, w, run;
    lanes33 L, M, moved;
    lane_peak peak = {LANES_OF(0.0), LANES_OF(0.0)};

    load_heads(l->head_change, item, &f);
    load_heads(l->head_change + 3, item, &beyond);
    eliminate(call, item, &beyond);
    zero3(&run);
    for (int at = 0; at < l->length; at++) {
        const int row = item * l->length + at;
        const double* kept = call->scratch + (size_t)at * CHAIN_KEPT * LANES;
        double* state = state_of(l, row);
        l3_load(ROW(kept, KEPT_T), &w);
        l33_load(ROW(kept, KEPT_M), &M);
        add_applied(&w, LANES_OF(1.0), &M, &f);
        l3_load(ROW(kept, KEPT_Y), &next);
        l33_load(ROW(kept, KEPT_L), &L);
        add_applied(&next, LANES_OF(1.0), &L, &f);
        const bool is_rolled = drop_roll(call, row, &w);
        if (call->mode == LINKS_STEP && is_held(l))
            hold(l, row, &w, &peak);
        else if (call->mode != LINKS_FORCES)
            raise_peak(&peak, &w);
        if (call->mode == LINKS_STEP || call->mode == LINKS_FORCES) add_force(state, &f);
        if (call->mode == LINKS_BACK) answer(call, row, &f, &next, &w);
        if (call->mode == LINKS_PROJECT) {
            add_velocity(type_of(l, row), state, &f, &next, &w, &peak);
            l3_store(&f, ROW(state, LINK_MOVE));  // whoever looks back asks for impulses
        } else if (call->mode == LINKS_STEP) {
            turn_end(call, row, is_rolled, &w, &moved);
            place_links(type_of(l, row), state, &moved, &run);
        }
        f = next;
    }
    store_heads(l->span, item, &run);
    l->largest[item] = size_of_peak(&peak);
}

LANE_CODE void predict_chain(const links_call* call, int item)
{
    const link_system* l = call->l;
    lanes3 run;
    lanes33 moved;
    zero3(&run);
    for (int at = 0; at < l->length; at++) {
        const int row = item * l->length + at;
        predict_end(call, row, &moved);
        place_links(type_of(l, row), state_of(l, row), &moved, &run);
    }
    store_heads(l->span, item, &run);
}

// ---- flat states

// From the joint inwards of eight links to the one outwards, by way of their centres of mass.
LANE_CODE void pass_links(const link_system* l, int row, lanes3* joint, lanes3* x)
{
    const double* type = type_of(l, row);
    const lanes one = LANES_OF(1.0);
    lanes33 R;
    lanes3 point, arm;
    l33_load(ROW(state_of(l, row), LINK_END), &R);
    l3_load(ROW(type, LINK_INNER), &point);
    l33_apply(&R, &point, &arm);
    l3_axpy(joint, -one, &arm, x);
    l3_load(ROW(type, LINK_OUTER), &point);
    l33_apply(&R, &point, &arm);
    l3_axpy(x, one, &arm, joint);
}

LANE_CODE void chord(const links_call* call, int item)
{
    const link_system* l = call->l;
    lanes3 joint, x;
    zero3(&joint);
    for (int at = 0; at < l->length; at++) pass_links(l, item * l->length + at, &joint, &x);
    store_heads(l->start, item, &joint);
}

LANE_CODE void store_chain(const links_call* call, int item)
{
    const link_system* l = call->l;
    lanes3 start, joint, x;
    load_heads(l->start, item, &start);
    zero3(&joint);
    for (int at = 0; at < l->length; at++) {
        // far from the origin sums round: one sum a link leaves no more than one rounding
        pass_links(l, item * l->length + at, &joint, &x);
        l3_axpy(&start, LANES_OF(1.0), &x, &x);
        put_row(call, item * l->length + at, &x);
    }
}

KERNEL(chord)
KERNEL(store_chain)
KERNEL(reduce)
KERNEL(resolve)
KERNEL(predict_chain)

void tml__chain_kernels(block_isa isa, links_kernels* out)
{
    out->chord = PICK(chord, isa);
    out->store_chain = PICK(store_chain, isa);
    out->reduce = PICK(reduce, isa);
    out->resolve = PICK(resolve, isa);
    out->predict_chain = PICK(predict_chain, isa);
}

// ---- iterations

// Positions from the root.                                                          [notes 9.4]
static void find_offsets(link_system* l)
{
    vec3 at = l->root_move;
    for (int k = 0; k < l->segment_count; k++) {
        v3_store(&l->offset[3 * k], at);
        at = v3_add(at, v3_load(&l->span[3 * k]));
    }
}

// Where links touch, positions that are sums from the root would be of no use: a thousandth of a radian in
// each of ten thousand links is metres at a sheave that feels tenths of millimetres. There every segment
// keeps a place of its own, which the linear equations move, and what they leave between segments is a gap
// that the next iteration closes, as in a net. At the end of a step it is below rounding, and poses are
// rebuilt from the root as ever.
static double move_segments(link_system* l)
{
    double largest = 0.0;
    const int first = l->joint[0] >= 0 ? 1 : 0;  // an anchor is where it is
    for (int k = first; k < l->segment_count; k++) {
        const double* ends = ends_of(l, k);
        const vec3 f = v3_load(&l->head_change[3 * k]);
        const vec3 g = k + 1 < l->segment_count ? v3_load(&l->head_change[3 * k + 3]) : v3_zero();
        const vec3 offset = v3_load(&l->offset[3 * k]);
        const vec3 by = v3_add(m3_apply(get33(ends, END_S), f), m3_apply(get33(ends, END_Q), g));
        const vec3 moved = v3_add(v3_sub(get3(ends, END_Z), offset), by);
        v3_store(&l->offset[3 * k], v3_add(offset, moved));
        largest = tml__larger(largest, v3_max(moved));
    }
    l->root_move = v3_load(l->offset);
    return largest;
}

// Where velocities lead: the first link of each segment by its own.
static void set_offsets(const links_call* call)
{
    link_system* l = call->l;
    v3_store(l->offset, l->root_move);
    for (int k = 1; k < l->segment_count; k++) {
        const double* lane = tml__links_lane(l, k / LANES * l->length * LANES + k % LANES);
        const vec3 way = v3_scale(call->stage.h, get3(lane, LINK_V));
        v3_store(&l->offset[3 * k], v3_sub(way, get3(lane, LINK_MOVE)));
    }
}

static bool is_touched(const link_system* l, int item)
{
    return links_are_touched(l) && l->touch->in_item[item] != 0;
}

static void reduce_touched(const links_call* call, int item)
{
    call->l->kernels.reduce(call, call->l->touch->items[item]);
}

// Blocks that touch, once it is known where all segments are and that there is a next iteration.
static void reduce_all_touched(links_call* call)
{
    if (!call->is_reduced) tml__links_run(call, reduce_touched, 0, call->l->touch->item_count);
    call->is_reduced = false;  // for this iteration alone
}

// A block that turns by less than this, rad, for all that its ends' forces have changed, rests: a
// millionth of a millionth is below what is left of a link that has settled, 1e-14 rad, times a
// hundred for forces that grow within the block.
static const double still = 1e-12;

// By how much the forces at the ends of eight segments change.
static double change_at_ends(const link_system* l, int item)
{
    const double* change = l->head_change + (size_t)3 * LANES * (size_t)item;
    double largest = 0.0;
    for (int i = 0; i < 3 * (LANES + 1); i++) largest = tml__larger(largest, change[i]);
    return largest;
}

static bool is_at_rest(link_system* l, int item)
{
    if (!(l->largest[item] <= links_quadratic) || is_touched(l, item)) return false;
    l->pending[item] += change_at_ends(l, item);
    // each link feels two forces, and a force has three entries
    return 4.0 * l->steepness[item] * l->pending[item] <= still;
}

// c = c + A f for eight lanes, f three numbers of each.
static void carry_product(double* c, const double* A, const double* f)
{
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < LANES; i++) {
            c[k / 3 * LANES + i] += A[k * LANES + i] * f[3 * i + k % 3];
        }
    }
}

// What the ends answer after the forces there have changed, as far as that is linear.
static void carry(link_system* l, int item)
{
    double* ends = l->ends + (size_t)item * END_ROWS * LANES;
    const double* f = l->head_change + (size_t)3 * LANES * (size_t)item;
    carry_product(ROW(ends, END_Z), ROW(ends, END_S), f);
    carry_product(ROW(ends, END_Z), ROW(ends, END_Q), f + 3);
    carry_product(ROW(ends, END_Y), ROW(ends, END_B), f);
    carry_product(ROW(ends, END_Y), ROW(ends, END_T), f + 3);
}

// A block that rests still shares its first joints with the one before.
static void show_heads(link_system* l, int item)
{
    double* force = ROW(state_of(l, item * l->length), LINK_FORCE);
    const double* heads = l->head_next + (size_t)3 * LANES * (size_t)item;
    for (int i = 0; i < 3 * LANES; i++) force[i] = heads[3 * (i % LANES) + i / LANES];
}

// Resolve a block, and reduce it for the next iteration, as far as either is needed.
static void follow(const links_call* call, int item)
{
    link_system* l = call->l;
    links_call own = *call;
    l->has_rested[item] = is_at_rest(l, item);
    if (l->has_rested[item]) {
        show_heads(l, item);
        carry(l, item);
        return;
    }
    l->kernels.resolve(&own, item);
    if (is_touched(l, item)) return;
    own.heads = l->head_next;
    // what is carried along leaves out how its own links have just moved, less than a link that settled
    // turns; with places of their own segments would go on correcting that
    if (l->largest[item] > links_quadratic || links_are_touched(l))
        l->kernels.reduce(&own, item);
    else
        carry(l, item);
}

static void set_out(const links_call* call, int item)
{
    const link_system* l = call->l;
    l->largest[item] = 1.0;  // no block rests yet
    l->kernels.predict_chain(call, item);
    if (!is_touched(l, item)) l->kernels.reduce(call, item);
}

static void wake(const links_call* call, int item)
{
    const link_system* l = call->l;
    l->largest[item] = 1.0;
    l->kernels.reduce(call, item);
}

void tml__chain_wake(links_call* call)
{
    call->heads = call->l->head_force;
    tml__links_run(call, wake, 0, call->l->item_count);
    call->is_reduced = true;
}

static void swap_heads(links_call* call)
{
    link_system* l = call->l;
    double* now = l->head_next;
    l->head_next = l->head_force;
    l->head_force = now;
    call->heads = now;
}

static int bodies_of(const link_system* l, int item)
{
    const int left = l->count - item * LANES * l->length;
    return left < LANES * l->length ? left : LANES * l->length;
}

tml_status tml__chain_iterate(links_call* call, double* update)
{
    link_system* l = call->l;
    const bool is_step = call->mode == LINKS_STEP;
    const bool has_touched = is_step && links_are_touched(l);
    if (!is_step) tml__links_run(call, l->kernels.reduce, 0, l->item_count);
    if (has_touched) reduce_all_touched(call);
    tml__chain_solve_ends(call);
    for (int i = 0; i < 3 * l->segment_count; i++) {
        l->head_next[i] = l->head_force[i] + l->head_change[i];
    }
    tml__links_run(call, is_step ? follow : l->kernels.resolve, 0, l->item_count);
    *update = 0.0;
    l->last_bodies = l->count;
    for (int item = 0; item < l->item_count; item++) {
        *update = tml__larger(*update, l->largest[item]);
        if (is_step && l->has_rested[item]) l->last_bodies -= bodies_of(l, item);
    }
    if (has_touched)
        *update = tml__larger(*update, move_segments(l));
    else if (is_step)
        find_offsets(l);
    if (call->mode != LINKS_PROJECT) swap_heads(call);
    if (!isfinite(*update)) return TML_NOT_CONVERGED;
    return has_touched ? tml__links_touch_follow(l, *update) : TML_OK;
}

tml_status tml__chain_start(links_call* call)
{
    link_system* l = call->l;
    tml__links_let_go(l);
    tml__links_run(call, set_out, 0, l->item_count);
    l->root_move = l->joint[0] >= 0 ? v3_sub(l->anchor.to, l->anchor.from)
                                    : v3_scale(call->stage.h, get3(tml__links_lane(l, 0), LINK_V));
    if (!links_are_touched(l)) {
        find_offsets(l);
        return TML_OK;
    }
    set_offsets(call);
    return tml__links_touch_follow(l, (double)HUGE_VAL);
}
