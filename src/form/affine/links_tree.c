// form/affine/links_tree.c - a tree by levels: eight links of one depth side by side. [notes 9.3 6]
//
// A body answers forces and torques on it with a motion (x, w) = t + G (force, torque). A joint
// outwards, with what hangs on it answering z + S f, is taken into that answer: at its point
//     C (x, w) = x + w x r,     D f = (f, d x f),     T = (C G D + S)^-1
//     f = y + L (force, torque of the others),   y = T (C t - z),   L = T C G
//     t <- t - G D y,   G <- G - G D L
// Joint by joint all of them are, and the inner joint sees S = C G D and z = C t. On the way back the
// last joint taken in is the first whose force is known.
#include "form/affine/links_pose.h"

#include <string.h>

// G by its parts.
typedef struct link_answer {
    lanes33 xx, xw, wx, ww;
    lanes3 x, w;  // t
} link_answer;

// Eight numbers from `first` on of eight places, `width` apart; nothing where there is none.
LANE_CODE void gather8(const double* records, int width, const int places[LANES], int first,
                       lanes out[LANES])
{
    for (int i = 0; i < LANES; i++) {
        const lanes none = LANES_OF(0.0);
        out[i] = places[i] < 0
                     ? none
                     : *(const lanes*)(records + (size_t)places[i] * (size_t)width + first);
    }
    lanes_transpose(out);
}

// The other way; what was in `from` is lost.
LANE_CODE void scatter8(lanes from[LANES], const int places[LANES], int width, int first,
                        double* records)
{
    lanes_transpose(from);
    for (int i = 0; i < LANES; i++) {
        if (places[i] < 0) continue;
        *(lanes*)(records + (size_t)places[i] * (size_t)width + first) = from[i];
    }
}

// The places of a row follow each other: no place is missing.
LANE_CODE void gather_own(const double* records, int width, int row, int first, lanes out[LANES])
{
    const double* own = records + (size_t)row * LANES * (size_t)width + first;
    for (int i = 0; i < LANES; i++) out[i] = *(const lanes*)(own + i * width);
    lanes_transpose(out);
}

LANE_CODE void scatter_own(lanes from[LANES], int row, int width, int first, double* records)
{
    double* own = records + (size_t)row * LANES * (size_t)width + first;
    lanes_transpose(from);
    for (int i = 0; i < LANES; i++) *(lanes*)(own + i * width) = from[i];
}

LANE_CODE double* branch_of(const link_system* l, int row, int c)
{
    return l->branches + ((size_t)l->first_branch[row] + (size_t)c) * BRANCH_ROWS * LANES;
}

// The places of the outer joints number c of eight links; -1: there is none.
LANE_CODE void children_of(const link_system* l, int row, int c, int places[LANES])
{
    for (int i = 0; i < LANES; i++) {
        const int* first = &l->first_child[row * LANES + i];
        places[i] = first[0] + c < first[1] ? l->children[first[0] + c] : -1;
    }
}

// What the row after this one will gather is somewhere else: ask for it early.
LANE_CODE void ask_early(const link_system* l, int row, const double* records, int width)
{
    if (row + 1 >= l->row_count) return;
    const int first = l->first_child[(row + 1) * LANES];
    const int last = l->first_child[(row + 2) * LANES];
    for (int c = first; c < last; c++) {
        const double* record = records + (size_t)l->children[c] * (size_t)width;
        for (int k = 0; k < width; k += LANES) __builtin_prefetch(record + k);
    }
}

LANE_CODE void pull_of(const links_call* call, int row, link_pull* pull)
{
    const link_system* l = call->l;
    const lanes one = LANES_OF(1.0);
    lanes3 f, x;
    zero33(&pull->Q);
    zero3(&pull->torque);
    zero3(&pull->out);
    if (call->mode != LINKS_STEP) return;
    l3_load(ROW(state_of(l, row), LINK_FORCE), &f);
    l3_load(ROW(type_of(l, row), LINK_INNER), &x);
    l33_add_outer(&pull->Q, -one, &f, &x);
    l3_axpy(&pull->out, -one, &f, &pull->out);
    for (int c = 0; c < l->row_children[row]; c++) {
        const double* branch = branch_of(l, row, c);
        l3_load(ROW(branch, BRANCH_POINT), &x);
        l3_load(ROW(branch, BRANCH_FORCE), &f);
        l33_add_outer(&pull->Q, one, &f, &x);
        l3_axpy(&pull->out, one, &f, &pull->out);
    }
}

// a - [r] b
LANE_CODE void less_skew(const lanes33* a, const lanes3* r, const lanes33* b, lanes33* out)
{
    lanes33 by;
    skew_times_matrix(r, b, &by);
    for (int k = 0; k < 9; k++) out->m[k / 3][k % 3] = a->m[k / 3][k % 3] - by.m[k / 3][k % 3];
}

// a + b [d]
LANE_CODE void plus_skew(const lanes33* a, const lanes33* b, const lanes3* d, lanes33* out)
{
    lanes33 by;
    times_skew(b, d, &by);
    for (int k = 0; k < 9; k++) out->m[k / 3][k % 3] = a->m[k / 3][k % 3] + by.m[k / 3][k % 3];
}

// T, of places that are not there nothing.
LANE_CODE void join(const int places[LANES], const lanes33* own, const lanes33* S, lanes33* T)
{
    lanes33 sum;
    lanes there;
    for (int i = 0; i < LANES; i++) there[i] = places[i] < 0 ? 0.0 : 1.0;
    for (int k = 0; k < 9; k++) sum.m[k / 3][k % 3] = own->m[k / 3][k % 3] + S->m[k / 3][k % 3];
    l33_inverse(&sum, T);
    for (int k = 0; k < 9; k++) T->m[k / 3][k % 3] *= there;
}

// What is known of one outer joint of each of eight links.
typedef struct outer_joint {
    int places[LANES];
    double* branch;
    lanes3 r, d, z;
    lanes33 S;
} outer_joint;

LANE_CODE void meet(const link_system* l, int row, int c, const link_body* b, outer_joint* o)
{
    lanes piece[LANES];
    lanes3 x;
    children_of(l, row, c, o->places);
    o->branch = branch_of(l, row, c);
    gather8(l->up, UP, o->places, UP_S, piece);
    for (int k = 0; k < 8; k++) o->S.m[k / 3][k % 3] = piece[k];
    gather8(l->up, UP, o->places, UP_S + 8, piece);
    o->S.m[2][2] = piece[0];
    o->z = (lanes3){piece[1], piece[2], piece[3]};
    l3_load(ROW(o->branch, BRANCH_POINT), &x);
    l33_apply(&b->R, &x, &o->r);
    l33_apply(&b->A, &x, &o->d);
}

LANE_CODE void remember(const outer_joint* o, const lanes33* Lx, const lanes33* Lw, const lanes3* y)
{
    l33_store(Lx, ROW(o->branch, BRANCH_L));
    l33_store(Lw, ROW(o->branch, BRANCH_L + 9));
    l3_store(y, ROW(o->branch, BRANCH_Y));
}

LANE_CODE void take_in(const links_call* call, int row, int c, const link_body* b, link_answer* G)
{
    const lanes one = LANES_OF(1.0);
    outer_joint o;
    lanes3 y;
    lanes33 Cx, Cw, Dx, Dw, own, T, Lx, Lw;

    meet(call->l, row, c, b, &o);
    less_skew(&G->xx, &o.r, &G->wx, &Cx);
    less_skew(&G->xw, &o.r, &G->ww, &Cw);
    plus_skew(&G->xx, &G->xw, &o.d, &Dx);
    plus_skew(&G->wx, &G->ww, &o.d, &Dw);
    plus_skew(&Cx, &Cw, &o.d, &own);
    join(o.places, &own, &o.S, &T);
    motion_of(call, row, &G->x, &G->w, &o.r, &y);
    l3_axpy(&y, -one, &o.z, &y);
    l33_apply(&T, &y, &y);
    l33_mul(&T, &Cx, &Lx);
    l33_mul(&T, &Cw, &Lw);
    add_applied(&G->x, -one, &Dx, &y);
    add_applied(&G->w, -one, &Dw, &y);
    add_product(&G->xx, -one, &Dx, &Lx);
    add_product(&G->xw, -one, &Dx, &Lw);
    add_product(&G->wx, -one, &Dw, &Lx);
    add_product(&G->ww, -one, &Dw, &Lw);
    remember(&o, &Lx, &Lw, &y);
}

// The first one meets a body whose shifts and turns are still apart: C G = (mobility, -[r] K^-1).
LANE_CODE void take_in_first(const links_call* call, int row, const link_body* b, link_answer* G)
{
    const lanes one = LANES_OF(1.0);
    outer_joint o;
    lanes3 y;
    lanes33 Cw, Dw, own, T, Lx, Lw;

    meet(call->l, row, 0, b, &o);
    skew_times_matrix(&o.r, &b->Kinv, &Cw);
    for (int k = 0; k < 9; k++) Cw.m[k / 3][k % 3] = -Cw.m[k / 3][k % 3];
    times_skew(&b->Kinv, &o.d, &Dw);
    times_skew(&Cw, &o.d, &own);
    for (int i = 0; i < 3; i++) own.m[i][i] += b->mobility;
    join(o.places, &own, &o.S, &T);
    motion_of(call, row, &G->x, &G->w, &o.r, &y);
    l3_axpy(&y, -one, &o.z, &y);
    l33_apply(&T, &y, &y);
    for (int k = 0; k < 9; k++) Lx.m[k / 3][k % 3] = b->mobility * T.m[k / 3][k % 3];
    l33_mul(&T, &Cw, &Lw);
    l3_axpy(&G->x, -b->mobility, &y, &G->x);
    add_applied(&G->w, -one, &Dw, &y);
    for (int k = 0; k < 9; k++) {
        G->xx.m[k / 3][k % 3] = -b->mobility * Lx.m[k / 3][k % 3];
        G->xw.m[k / 3][k % 3] = -b->mobility * Lw.m[k / 3][k % 3];
    }
    for (int i = 0; i < 3; i++) G->xx.m[i][i] += b->mobility;
    zero33(&G->wx);
    G->ww = b->Kinv;
    add_product(&G->wx, -one, &Dw, &Lx);
    add_product(&G->ww, -one, &Dw, &Lw);
    remember(&o, &Lx, &Lw, &y);
}

// How the inner joint sees the body, and the body the inner joint.
LANE_CODE void look_inward(const links_call* call, int row, const link_body* b,
                           const link_answer* G, lanes33* S, lanes33* M)
{
    lanes33 Cx, Cw;
    lanes3 x, r, d;
    l3_load(ROW(type_of(call->l, row), LINK_INNER), &x);
    l33_apply(&b->R, &x, &r);
    l33_apply(&b->A, &x, &d);
    if (call->l->row_children[row] == 0) {
        times_skew(&b->Kinv, &d, M);
        skew_times_matrix(&r, M, S);
        for (int k = 0; k < 9; k++) S->m[k / 3][k % 3] = -S->m[k / 3][k % 3];
        for (int i = 0; i < 3; i++) S->m[i][i] += b->mobility;
        return;
    }
    less_skew(&G->xx, &r, &G->wx, &Cx);
    less_skew(&G->xw, &r, &G->ww, &Cw);
    plus_skew(&G->wx, &G->ww, &d, M);
    plus_skew(&Cx, &Cw, &d, S);
}

LANE_CODE void inward(const links_call* call, int row)
{
    const link_system* l = call->l;
    double* response = l->response + (size_t)row * RESPONSE_ROWS * LANES;
    const lanes zero = LANES_OF(0.0);
    link_pull pull;
    link_body b;
    link_answer G;
    lanes3 x, r, z;
    lanes33 S, M;
    lanes piece[LANES];

    ask_early(l, row, l->up, UP);
    pull_of(call, row, &pull);
    assemble(call, row, &pull, &b);
    free_motion(call, row, &b, &G.x, &G.w);
    if (l->row_children[row] > 0) take_in_first(call, row, &b, &G);
    for (int c = 1; c < l->row_children[row]; c++) take_in(call, row, c, &b, &G);
    look_inward(call, row, &b, &G, &S, &M);
    l3_load(ROW(type_of(l, row), LINK_INNER), &x);
    l33_apply(&b.R, &x, &r);
    motion_of(call, row, &G.x, &G.w, &r, &z);
    for (int k = 0; k < 8; k++) piece[k] = S.m[k / 3][k % 3];
    scatter_own(piece, row, UP, UP_S, l->up);
    piece[0] = S.m[2][2];
    piece[1] = z.x;
    piece[2] = z.y;
    piece[3] = z.z;
    for (int k = 4; k < LANES; k++) piece[k] = zero;
    scatter_own(piece, row, UP, UP_S + 8, l->up);
    l33_store(&M, ROW(response, RESPONSE_M));
    l3_store(&G.w, ROW(response, RESPONSE_T));
    l3_store(&G.x, ROW(response, RESPONSE_X));
}

// ---- outwards

// The forces of outer joints, the last one that was taken in first, and their sum.
LANE_CODE void find_forces(const links_call* call, int row, const lanes33* A, const lanes3* inner,
                           lanes3* sum)
{
    const link_system* l = call->l;
    const lanes one = LANES_OF(1.0);
    lanes3 x, d, f, torque, by, force;
    lanes33 Lx, Lw;

    *sum = *inner;
    l3_load(ROW(type_of(l, row), LINK_INNER), &x);
    l33_apply(A, &x, &d);
    l3_cross(&d, inner, &torque);
    for (int c = l->row_children[row] - 1; c >= 0; c--) {
        double* branch = branch_of(l, row, c);
        l33_load(ROW(branch, BRANCH_L), &Lx);
        l33_load(ROW(branch, BRANCH_L + 9), &Lw);
        l3_load(ROW(branch, BRANCH_Y), &f);
        add_applied(&f, one, &Lx, sum);
        add_applied(&f, one, &Lw, &torque);
        l3_store(&f, ROW(branch, BRANCH_CHANGE));
        l3_load(ROW(branch, BRANCH_FORCE), &force);
        l3_axpy(&force, one, &f, &force);
        if (call->mode != LINKS_PROJECT) l3_store(&force, ROW(branch, BRANCH_FORCE));
        l3_load(ROW(branch, BRANCH_POINT), &x);
        l33_apply(A, &x, &d);
        l3_cross(&d, &f, &by);
        l3_axpy(sum, -one, &f, sum);
        l3_axpy(&torque, -one, &by, &torque);
    }
}

// Tell what hangs on eight links how its joints' forces change and how far the joints have moved;
// `moved`: by R+ - R, NULL: they have not.
LANE_CODE void tell_outer(const link_system* l, int row, const lanes33* moved, const lanes3* move)
{
    const lanes zero = LANES_OF(0.0);
    lanes3 x, f, g;
    int places[LANES];
    for (int c = 0; c < l->row_children[row]; c++) {
        const double* branch = branch_of(l, row, c);
        l3_load(ROW(branch, BRANCH_CHANGE), &f);
        zero3(&g);
        if (moved != NULL) {
            l3_load(ROW(branch, BRANCH_POINT), &x);
            l33_apply(moved, &x, &g);
            l3_axpy(move, LANES_OF(1.0), &g, &g);
        }
        lanes piece[LANES] = {f.x, f.y, f.z, g.x, g.y, g.z, zero, zero};
        children_of(l, row, c, places);
        scatter8(piece, places, DOWN, 0, l->down);
    }
}

// Positions from the root: the joint's two points move alike.                       [notes 9.4]
LANE_CODE void place_row(const link_system* l, int row, const lanes33* moved, const lanes3* joint)
{
    const lanes one = LANES_OF(1.0);
    double* state = state_of(l, row);
    lanes3 x, g, move;
    l3_load(ROW(type_of(l, row), LINK_INNER), &x);
    l33_apply(moved, &x, &g);
    l3_axpy(joint, -one, &g, &move);
    l3_store(&move, ROW(state, LINK_MOVE));
    tell_outer(l, row, moved, &move);
}

// Velocities change by the sum of forces, and as the turn says.
LANE_CODE void add_velocity(const double* type, double* state, const lanes3* sum, const lanes3* w,
                            lane_peak* peak)
{
    const lanes mobility = LANES_OF(1.0) / row_of(type, LINK_MASS);
    const lanes3 dv = {mobility * sum->x, mobility * sum->y, mobility * sum->z};
    lanes3 v, omega, dw;
    l3_load(ROW(state, LINK_V_END), &v);
    l3_load(ROW(state, LINK_OMEGA_END), &omega);
    l3_axpy(w, LANES_OF(-1.0), &omega, &dw);
    l3_axpy(&v, LANES_OF(1.0), &dv, &v);
    l3_store(&v, ROW(state, LINK_V_END));
    l3_store(w, ROW(state, LINK_OMEGA_END));
    raise_peak(peak, &dv);
    raise_peak(peak, &dw);
}

LANE_CODE void outward(const links_call* call, int row)
{
    const link_system* l = call->l;
    const lanes one = LANES_OF(1.0);
    const bool is_step = call->mode == LINKS_STEP;
    const double* response = l->response + (size_t)row * RESPONSE_ROWS * LANES;
    double* state = state_of(l, row);
    lane_peak peak = {LANES_OF(0.0), LANES_OF(0.0)};
    lanes33 A, R, M, moved;
    lanes3 f, joint, sum, w, force;
    lanes piece[LANES];

    gather_own(l->down, DOWN, row, 0, piece);
    f = (lanes3){piece[0], piece[1], piece[2]};
    joint = (lanes3){piece[3], piece[4], piece[5]};
    l33_load(ROW(state, call->mode == LINKS_FORCES ? LINK_R : LINK_END), &A);
    l33_load(ROW(state, LINK_R), &R);
    for (int k = 0; k < 9 && is_step; k++) {
        A.m[k / 3][k % 3] = LANES_OF(0.5) * (A.m[k / 3][k % 3] + R.m[k / 3][k % 3]);
    }
    find_forces(call, row, &A, &f, &sum);
    l3_load(ROW(response, RESPONSE_T), &w);
    l33_load(ROW(response, RESPONSE_M), &M);
    add_applied(&w, one, &M, &f);
    if (call->mode == LINKS_PROJECT) {
        add_velocity(type_of(l, row), state, &sum, &w, &peak);
    } else {
        l3_load(ROW(state, LINK_FORCE), &force);
        l3_axpy(&force, one, &f, &force);
        l3_store(&force, ROW(state, LINK_FORCE));
    }
    if (is_step) {
        raise_peak(&peak, &w);
        turn_end(state, &w, &moved);
        place_row(l, row, &moved, &joint);
    } else {
        tell_outer(l, row, NULL, NULL);
    }
    l->largest[row] = size_of_peak(&peak);
}

// Where velocities lead. No force has changed.
LANE_CODE void predict_tree(const links_call* call, int row)
{
    const link_system* l = call->l;
    lanes33 moved;
    lanes3 none, joint;
    lanes piece[LANES];
    gather_own(l->down, DOWN, row, 0, piece);
    joint = (lanes3){piece[3], piece[4], piece[5]};
    zero3(&none);
    for (int c = 0; c < l->row_children[row]; c++) {
        l3_store(&none, ROW(branch_of(l, row, c), BRANCH_CHANGE));
    }
    predict_end(call, state_of(l, row), &moved);
    place_row(l, row, &moved, &joint);
}

// The end of the step out; on the way a place is told where its joint is.
LANE_CODE void store_tree(const links_call* call, int row)
{
    const link_system* l = call->l;
    const lanes zero = LANES_OF(0.0);
    lanes33 R;
    lanes3 x, point, arm;
    lanes piece[LANES];
    int places[LANES];

    gather_own(l->down, DOWN, row, 0, piece);
    l33_load(ROW(state_of(l, row), LINK_END), &R);
    l3_load(ROW(type_of(l, row), LINK_INNER), &point);
    l33_apply(&R, &point, &arm);
    x = (lanes3){piece[0] - arm.x, piece[1] - arm.y, piece[2] - arm.z};
    for (int c = 0; c < l->row_children[row]; c++) {
        l3_load(ROW(branch_of(l, row, c), BRANCH_POINT), &point);
        l33_apply(&R, &point, &arm);
        lanes to[LANES] = {x.x + arm.x, x.y + arm.y, x.z + arm.z, zero, zero, zero, zero, zero};
        children_of(l, row, c, places);
        scatter8(to, places, DOWN, 0, l->down);
    }
    put_row(call, row, &x);
}

KERNEL(store_tree)
KERNEL(inward)
KERNEL(outward)
KERNEL(predict_tree)

void tml__tree_kernels(block_isa isa, links_kernels* out)
{
    out->store_tree = PICK(store_tree, isa);
    out->inward = PICK(inward, isa);
    out->outward = PICK(outward, isa);
    out->predict_tree = PICK(predict_tree, isa);
}

// ---- roots

static vec3 response_x(const link_system* l, int place)
{
    const double* lane =
        l->response + (size_t)(place / LANES) * RESPONSE_ROWS * LANES + place % LANES;
    return v3(lane[RESPONSE_X * LANES], lane[(RESPONSE_X + 1) * LANES],
              lane[(RESPONSE_X + 2) * LANES]);
}

// The inner joint of a root: nothing moves beyond it, or there is none and the link moves freely.
static void finish_roots(const links_call* call)
{
    const link_system* l = call->l;
    for (int place = 0; place < l->level_row[1] * LANES; place++) {
        const double* up = l->up + (size_t)place * UP;
        double* down = l->down + (size_t)place * DOWN;
        mat3 S;
        memcpy(S.m, up + UP_S, sizeof S.m);
        const bool is_held = l->node[place] >= 0 && l->joint[place] >= 0;
        const vec3 f = is_held ? v3_neg(m3_apply(m3_inverse(S), v3_load(up + UP_Z))) : v3_zero();
        v3_store(down + DOWN_F, f);
        if (is_held || l->node[place] < 0 || call->mode != LINKS_STEP) continue;
        v3_store(down + DOWN_G, v3_add(v3_load(down + DOWN_G), response_x(l, place)));
    }
}

enum {
    FEW_ROWS = 8  // shorter levels are done before another thread has woken up
};

static void run_level(const links_call* call, links_kernel* kernel, int level)
{
    const link_system* l = call->l;
    const int first = l->level_row[level];
    const int count = l->level_row[level + 1] - first;
    if (count >= FEW_ROWS) {
        tml__links_run(call, kernel, first, count);
        return;
    }
    for (int row = first; row < first + count; row++) kernel(call, row);
}

tml_status tml__tree_iterate(links_call* call, double* update)
{
    link_system* l = call->l;
    l->last_bodies = l->count;
    for (int level = l->level_count - 1; level >= 0; level--) {
        run_level(call, l->kernels.inward, level);
    }
    finish_roots(call);
    for (int level = 0; level < l->level_count; level++) {
        run_level(call, l->kernels.outward, level);
    }
    *update = 0.0;
    for (int row = 0; row < l->row_count; row++) *update = tml__larger(*update, l->largest[row]);
    return isfinite(*update) ? TML_OK : TML_NOT_CONVERGED;
}

void tml__tree_start(links_call* call)
{
    const link_system* l = call->l;
    for (int place = 0; place < l->level_row[1] * LANES; place++) {
        const double* lane = tml__links_lane(l, place);
        const bool is_free = l->node[place] >= 0 && l->joint[place] < 0;
        const vec3 v =
            v3(lane[LINK_V * LANES], lane[(LINK_V + 1) * LANES], lane[(LINK_V + 2) * LANES]);
        v3_store(l->down + (size_t)place * DOWN + DOWN_G,
                 is_free ? v3_scale(call->stage.h, v) : v3_zero());
    }
    for (int level = 0; level < l->level_count; level++) {
        run_level(call, l->kernels.predict_tree, level);
    }
}

// Positions from the roots: those that float have moved, the others hang where they did.
void tml__tree_store(links_call* call)
{
    const link_system* l = call->l;
    for (int place = 0; place < l->root_places; place++) {
        const double* lane = tml__links_lane(l, place);
        const vec3 move = v3(lane[LINK_MOVE * LANES], lane[(LINK_MOVE + 1) * LANES],
                             lane[(LINK_MOVE + 2) * LANES]);
        const vec3 hung_at = l->joint[place] < 0 ? v3_add(v3_load(&l->x[3 * place]), move)
                                                 : v3_load(&l->hung[3 * place]);
        v3_store(l->down + (size_t)place * DOWN + DOWN_F, hung_at);
    }
    for (int level = 0; level < l->level_count; level++) {
        run_level(call, l->kernels.store_tree, level);
    }
}
