// method/links/links_chain.c - a chain in segments: eight segments side by side.       [notes 5 9.3]
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
#include "method/links/contact.h"
#include "method/links/links_pose.h"

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
