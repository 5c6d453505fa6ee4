// method/links/links_tree.c - a tree by branches: eight links of one depth side by side. [notes 9.3 6]
//
// From the tips inwards each link says how the force of its inner joint goes with that joint's motion,
// f = W m - y, whatever hangs on it included. A link moves by m at its inner joint a and turns by w; an
// outer joint c then moves by m - [rho] w. With mass M = m/beta, arms r, d as in links.h, rho = r_c - r_a,
// delta = d_c - d_a, balance of forces and of torques about the inner joint are
//     f = A_mm m + A_mw w + b_m,                    0 = A_wm m + A_ww w + b_w
//     A_mm = M + sum W,                             A_mw = M [r_a] - sum W [rho]
//     A_wm = -M [d_a] + sum [delta] W,              A_ww = K - M [d_a] [r_a] - sum [delta] W [rho]
//     b_m  = M E_x - sum y,                         b_w  = E_w - d_a x M E_x - sum delta x y
// (E_x here is what links_lanes.h calls so: over the mass). So w = t + N m, W = A_mm + A_mw N. Compared with forces as
// unknowns (links.h) there is one inverse a link and not one more for each joint, and half the arithmetic.
//
// A link is some 600 bytes that each iteration reads and writes. Branches are taken stretch by stretch,
// each small enough for the second cache: how the links follow, and what they tell in the next iteration, is
// one pass.
#include "method/links/links_pose.h"

#include <string.h>

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

// From the inner joints to the outer ones number c.
LANE_CODE const double* branch_of(const link_system* l, int row, int c)
{
    return l->branches + ((size_t)l->first_branch[row] + (size_t)c) * 3 * LANES;
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

// Rows follow each other, but in more streams than memory guesses: what the row after the next reads.
LANE_CODE void ask_for_row(const link_system* l, int row)
{
    if (row + 2 >= l->row_count) return;
    const double* state = state_of(l, row + 2);
    const double* up = l->up + (size_t)(row + 2) * UP * LANES;
    const double* down = l->down + (size_t)(row + 2) * DOWN * LANES;
    const double* response = l->response + (size_t)(row + 2) * RESPONSE_ROWS * LANES;
    for (int k = 0; k < LINK_V_END; k++) __builtin_prefetch(ROW(state, k));
    for (int k = 0; k < UP; k++) __builtin_prefetch(ROW(up, k));
    for (int k = 0; k < DOWN; k++) __builtin_prefetch(ROW(down, k));
    for (int k = 0; k < RESPONSE_ROWS; k++) __builtin_prefetch(ROW(response, k));
}

LANE_CODE void pull_of(const links_call* call, int row, link_pull* pull)
{
    const link_system* l = call->l;
    const lanes one = LANES_OF(1.0);
    lanes piece[LANES];
    lanes3 f, x;
    int places[LANES];
    zero33(&pull->Q);
    zero3(&pull->torque);
    zero3(&pull->out);
    if (call->mode != LINKS_STEP) return;
    l3_load(ROW(state_of(l, row), LINK_FORCE), &f);
    l3_axpy(&pull->out, -one, &f, &pull->out);
    for (int c = 0; c < l->row_children[row]; c++) {
        children_of(l, row, c, places);
        gather8(l->up, UP, places, 8, piece);
        f = (lanes3){piece[UP_F - 8], piece[UP_F - 7], piece[UP_F - 6]};
        l3_load(branch_of(l, row, c), &x);
        l33_add_outer(&pull->Q, one, &f, &x);
        l3_axpy(&pull->out, one, &f, &pull->out);
    }
    // points are counted from the inner joint so far
    l3_load(ROW(type_of(l, row), LINK_INNER), &x);
    l33_add_outer(&pull->Q, one, &pull->out, &x);
}

// ---- inwards

// The balance of eight links.
typedef struct link_balance {
    lanes33 mm, mw, wm, ww;
    lanes3 m, w;
} link_balance;

// a += s [d]
LANE_CODE void add_skew(lanes33* a, lanes s, const lanes3* d)
{
    a->m[0][1] -= s * d->z;
    a->m[0][2] += s * d->y;
    a->m[1][0] += s * d->z;
    a->m[1][2] -= s * d->x;
    a->m[2][0] -= s * d->y;
    a->m[2][1] += s * d->x;
}

LANE_CODE void add33(lanes33* a, lanes s, const lanes33* b)
{
    for (int k = 0; k < 9; k++) a->m[k / 3][k % 3] += s * b->m[k / 3][k % 3];
}

// What turning adds to the acceleration of a point: w x (w x r).
LANE_CODE void centripetal(const links_call* call, int row, const lanes3* r, lanes3* out)
{
    lanes3 omega, spin;
    l3_load(ROW(state_of(call->l, row), LINK_OMEGA), &omega);
    l3_cross(&omega, r, &spin);
    l3_cross(&omega, &spin, out);
}

// How far a link moves without forces is in E_x and E_w; of velocities it is what they are.
LANE_CODE void free_rates(const links_call* call, int row, const lanes3* r, link_body* b)
{
    const double* state = state_of(call->l, row);
    lanes3 v, omega, momentum, more;
    if (call->mode == LINKS_PROJECT) {
        l3_load(ROW(state, LINK_V_END), &v);
        l3_load(ROW(state, LINK_OMEGA_END), &omega);
        l33_apply(&b->K, &omega, &momentum);
        l3_axpy(&b->Ex, LANES_OF(-1.0), &v, &b->Ex);
        l3_axpy(&b->Ew, LANES_OF(-1.0), &momentum, &b->Ew);
    }
    if (call->mode == LINKS_FORCES) {
        centripetal(call, row, r, &more);
        l3_axpy(&b->Ex, LANES_OF(-1.0), &more, &b->Ex);
    }
}

// The link alone.
LANE_CODE void begin_balance(const links_call* call, int row, link_body* b, link_balance* out)
{
    lanes3 x, r, d, lag;
    l3_load(ROW(type_of(call->l, row), LINK_INNER), &x);
    l33_apply(&b->R, &x, &r);
    l33_apply(&b->A, &x, &d);
    free_rates(call, row, &r, b);
    zero33(&out->mm);
    for (int i = 0; i < 3; i++) out->mm.m[i][i] = b->inertia;
    zero33(&out->mw);
    zero33(&out->wm);
    add_skew(&out->mw, b->inertia, &r);
    add_skew(&out->wm, -b->inertia, &d);
    // -[d] [r] = (d . r) - r d^T
    const lanes along = b->inertia * l3_dot(&d, &r);
    out->ww = b->K;
    l33_add_outer(&out->ww, -b->inertia, &r, &d);
    for (int i = 0; i < 3; i++) out->ww.m[i][i] += along;
    out->m = (lanes3){b->inertia * b->Ex.x, b->inertia * b->Ex.y, b->inertia * b->Ex.z};
    l3_cross(&d, &out->m, &lag);
    l3_axpy(&b->Ew, LANES_OF(-1.0), &lag, &out->w);
}

// What hangs on the outer joints number c.
LANE_CODE void take_in(const links_call* call, int row, int c, const link_body* b,
                       link_balance* out)
{
    const link_system* l = call->l;
    const lanes one = LANES_OF(1.0);
    lanes3 x, rho, delta, y, by;
    lanes33 W, side, both;
    lanes piece[LANES];
    int places[LANES];

    children_of(l, row, c, places);
    gather8(l->up, UP, places, UP_W, piece);
    for (int k = 0; k < 8; k++) W.m[k / 3][k % 3] = piece[k];
    gather8(l->up, UP, places, UP_W + 8, piece);
    W.m[2][2] = piece[0];
    y = (lanes3){piece[1], piece[2], piece[3]};
    l3_load(branch_of(l, row, c), &x);
    l33_apply(&b->R, &x, &rho);
    l33_apply(&b->A, &x, &delta);
    if (call->mode == LINKS_FORCES) {
        centripetal(call, row, &rho, &by);
        add_applied(&y, -one, &W, &by);
    }
    add33(&out->mm, one, &W);
    times_skew(&W, &rho, &side);
    add33(&out->mw, -one, &side);
    skew_times_matrix(&delta, &side, &both);
    add33(&out->ww, -one, &both);
    skew_times_matrix(&delta, &W, &side);
    add33(&out->wm, one, &side);
    l3_axpy(&out->m, -one, &y, &out->m);
    l3_cross(&delta, &y, &by);
    l3_axpy(&out->w, -one, &by, &out->w);
}

LANE_CODE void inward(const links_call* call, int row)
{
    const link_system* l = call->l;
    double* response = l->response + (size_t)row * RESPONSE_ROWS * LANES;
    const lanes one = LANES_OF(1.0);
    link_pull pull;
    link_body b;
    link_balance of;
    lanes3 t, f;
    lanes33 inverse, N;

    ask_early(l, row, l->up, UP);
    pull_of(call, row, &pull);
    assemble_open(call, row, &pull, &b);
    begin_balance(call, row, &b, &of);
    for (int c = 0; c < l->row_children[row]; c++) take_in(call, row, c, &b, &of);

    l33_inverse(&of.ww, &inverse);
    for (int k = 0; k < 9; k++) inverse.m[k / 3][k % 3] = -inverse.m[k / 3][k % 3];
    l33_mul(&inverse, &of.wm, &N);
    l33_apply(&inverse, &of.w, &t);
    add_product(&of.mm, one, &of.mw, &N);
    add_applied(&of.m, one, &of.mw, &t);
    l33_store(&N, ROW(response, RESPONSE_N));
    l3_store(&t, ROW(response, RESPONSE_T));

    lanes piece[LANES];
    for (int k = 0; k < 8; k++) piece[k] = of.mm.m[k / 3][k % 3];
    scatter_own(piece, row, UP, UP_W, l->up);
    l3_load(ROW(state_of(l, row), LINK_FORCE), &f);
    lanes more[LANES] = {of.mm.m[2][2], -of.m.x, -of.m.y, -of.m.z, f.x, f.y, f.z, LANES_OF(0.0)};
    scatter_own(more, row, UP, UP_W + 8, l->up);
}

// ---- outwards

// How eight links move: their inner joints, and turning about them.
typedef struct link_motion {
    lanes33 R;      // what turns points into arms
    lanes3 m, w;    // in this iteration
    lanes33 moved;  // over the step: R+ - R,
    lanes3 joint;   // and the inner joint
} link_motion;

// Tell what hangs on eight links how its joints move in this iteration, and have moved over the step.
LANE_CODE void tell_outer(const links_call* call, int row, const link_motion* b)
{
    const link_system* l = call->l;
    const lanes zero = LANES_OF(0.0);
    lanes3 x, rho, m, g;
    int places[LANES];
    for (int c = 0; c < l->row_children[row]; c++) {
        l3_load(branch_of(l, row, c), &x);
        l33_apply(&b->R, &x, &rho);
        motion_of(call, row, &b->m, &b->w, &rho, &m);
        l33_apply(&b->moved, &x, &g);
        l3_axpy(&b->joint, LANES_OF(1.0), &g, &g);
        lanes piece[LANES] = {m.x, m.y, m.z, g.x, g.y, g.z, zero, zero};
        children_of(l, row, c, places);
        scatter8(piece, places, DOWN, 0, l->down);
    }
}

// Positions from the root: the joint's two points move alike.                       [notes 9.4]
LANE_CODE void place_row(const link_system* l, int row, const link_motion* b)
{
    lanes3 x, g, move;
    l3_load(ROW(type_of(l, row), LINK_INNER), &x);
    l33_apply(&b->moved, &x, &g);
    l3_axpy(&b->joint, LANES_OF(-1.0), &g, &move);
    l3_store(&move, ROW(state_of(l, row), LINK_MOVE));
}

// The force of the inner joint, and the turn that goes with it. Where there is no joint, m is such that
// the force is nothing but rounding.
LANE_CODE void follow(const links_call* call, int row, lanes3* f, link_motion* b)
{
    const link_system* l = call->l;
    const double* response = l->response + (size_t)row * RESPONSE_ROWS * LANES;
    const lanes joined = row_of(type_of(l, row), LINK_JOINED);
    lanes33 W, N;
    lanes piece[LANES];

    gather_own(l->up, UP, row, UP_W, piece);
    for (int k = 0; k < 8; k++) W.m[k / 3][k % 3] = piece[k];
    gather_own(l->up, UP, row, UP_W + 8, piece);
    W.m[2][2] = piece[0];
    l33_apply(&W, &b->m, f);
    f->x = joined * (f->x - piece[1]);
    f->y = joined * (f->y - piece[2]);
    f->z = joined * (f->z - piece[3]);
    l3_load(ROW(response, RESPONSE_T), &b->w);
    l33_load(ROW(response, RESPONSE_N), &N);
    add_applied(&b->w, LANES_OF(1.0), &N, &b->m);
}

// Velocities are those of the motion.
LANE_CODE void change_velocity(const double* type, const link_motion* b, double* state,
                               lane_peak* peak)
{
    const lanes one = LANES_OF(1.0);
    lanes3 x, r, spin, v, omega, now, dv, dw;
    l3_load(ROW(type, LINK_INNER), &x);
    l33_apply(&b->R, &x, &r);
    l3_cross(&b->w, &r, &spin);
    l3_axpy(&b->m, -one, &spin, &now);
    l3_load(ROW(state, LINK_V_END), &v);
    l3_load(ROW(state, LINK_OMEGA_END), &omega);
    l3_axpy(&now, -one, &v, &dv);
    l3_axpy(&b->w, -one, &omega, &dw);
    l3_store(&now, ROW(state, LINK_V_END));
    l3_store(&b->w, ROW(state, LINK_OMEGA_END));
    raise_peak(peak, &dv);
    raise_peak(peak, &dw);
}

LANE_CODE void outward(const links_call* call, int row)
{
    const link_system* l = call->l;
    double* state = state_of(l, row);
    lane_peak peak = {LANES_OF(0.0), LANES_OF(0.0)};
    link_motion b;
    lanes3 f, force, turn;
    lanes piece[LANES];

    ask_for_row(l, row);
    gather_own(l->down, DOWN, row, 0, piece);
    b.m = (lanes3){piece[0], piece[1], piece[2]};
    b.joint = (lanes3){piece[3], piece[4], piece[5]};
    l33_load(ROW(state, call->mode == LINKS_FORCES ? LINK_R : LINK_END), &b.R);
    zero33(&b.moved);
    follow(call, row, &f, &b);
    if (call->mode == LINKS_PROJECT) {
        change_velocity(type_of(l, row), &b, state, &peak);
    } else {
        l3_load(ROW(state, LINK_FORCE), &force);
        l3_axpy(&force, LANES_OF(1.0), &f, &force);
        l3_store(&force, ROW(state, LINK_FORCE));
    }
    if (call->mode == LINKS_STEP) {
        turn = b.w;
        const bool is_rolled = drop_roll(call, row, &turn);
        raise_peak(&peak, &turn);
        turn_end(call, row, is_rolled, &turn, &b.moved);
        place_row(l, row, &b);
    }
    tell_outer(call, row, &b);
    l->largest[row] = size_of_peak(&peak);
}

// Where velocities lead. No force has changed.
LANE_CODE void predict_tree(const links_call* call, int row)
{
    const link_system* l = call->l;
    link_motion b;
    lanes piece[LANES];
    gather_own(l->down, DOWN, row, 0, piece);
    b.joint = (lanes3){piece[3], piece[4], piece[5]};
    zero33(&b.R);
    zero3(&b.m);
    zero3(&b.w);
    predict_end(call, row, &b.moved);
    place_row(l, row, &b);
    tell_outer(call, row, &b);
}

// Flat states are in the order of the model: what the next row will write is somewhere else.
LANE_CODE void ask_for_state(const links_call* call, int row)
{
    const link_system* l = call->l;
    if (row + 1 >= l->row_count) return;
    for (int i = 0; i < LANES; i++) {
        const int node = l->node[(row + 1) * LANES + i];
        const int joint = l->joint[(row + 1) * LANES + i];
        const size_t at = node < 0 ? 0 : (size_t)node * POSE_WIDTH;
        __builtin_prefetch(call->q + at, 1);
        __builtin_prefetch(call->q + at + POSE_WIDTH - 1, 1);
        __builtin_prefetch(call->v + at, 1);
        __builtin_prefetch(call->v + at + POSE_WIDTH - 1, 1);
        __builtin_prefetch(call->lambda + (joint < 0 ? 0 : (size_t)joint * 3), 1);
    }
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

    ask_for_state(call, row);
    gather_own(l->down, DOWN, row, 0, piece);
    l33_load(ROW(state_of(l, row), LINK_END), &R);
    l3_load(ROW(type_of(l, row), LINK_INNER), &point);
    l33_apply(&R, &point, &arm);
    x = (lanes3){piece[0] - arm.x, piece[1] - arm.y, piece[2] - arm.z};
    for (int c = 0; c < l->row_children[row]; c++) {
        l3_load(branch_of(l, row, c), &point);
        l33_apply(&R, &point, &arm);
        lanes to[LANES] = {
            piece[0] + arm.x, piece[1] + arm.y, piece[2] + arm.z, zero, zero, zero, zero, zero};
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

// The inner joint of a root: nothing moves beyond it, or there is none and the link moves as it likes,
// without a force.
static void finish_roots(const links_call* call)
{
    const link_system* l = call->l;
    for (int place = 0; place < l->root_places; place++) {
        const double* up = l->up + (size_t)place * UP;
        double* down = l->down + (size_t)place * DOWN;
        const bool is_free = l->node[place] >= 0 && l->joint[place] < 0;
        mat3 W;
        memcpy(W.m, up + UP_W, sizeof W.m);
        const vec3 m = is_free ? m3_apply(m3_inverse(W), v3_load(up + UP_Y)) : v3_zero();
        v3_store(down + DOWN_M, m);
        if (is_free && call->mode == LINKS_STEP) {
            v3_store(down + DOWN_G, v3_add(v3_load(down + DOWN_G), m));
        }
    }
}

// ---- stretches

static void run_inward(const links_call* call, int stretch)
{
    const link_system* l = call->l;
    for (int level = l->stretch_level[stretch + 1] - 1; level >= l->stretch_level[stretch];
         level--) {
        for (int row = l->level_row[level]; row < l->level_row[level + 1]; row++) {
            l->kernels.inward(call, row);
        }
    }
}

// Rows of a stretch are in the order of their levels.
static void run_rows(const links_call* call, links_kernel* kernel, int stretch)
{
    const link_system* l = call->l;
    const int end = l->level_row[l->stretch_level[stretch + 1]];
    for (int row = l->level_row[l->stretch_level[stretch]]; row < end; row++) kernel(call, row);
}

static void run_outward(const links_call* call, int stretch)
{
    run_rows(call, call->l->kernels.outward, stretch);
}

// And what the next iteration begins with, while the stretch is in the cache.
static void run_through(const links_call* call, int stretch)
{
    run_outward(call, stretch);
    run_inward(call, stretch);
}

static void run_start(const links_call* call, int stretch)
{
    run_rows(call, call->l->kernels.predict_tree, stretch);
    run_inward(call, stretch);
}

static void run_store(const links_call* call, int stretch)
{
    run_rows(call, call->l->kernels.store_tree, stretch);
}

static void run_branches(const links_call* call, links_kernel* kernel)
{
    tml__links_run(call, kernel, 1, call->l->stretch_count - 1);
}

// Newton's updates shrink quadratically: after this one the next is likely to be the last. Should that
// be wrong, a pass was in vain, or the branches are gone through once more.
static const double nearly_settled = 3e-4;

tml_status tml__tree_iterate(links_call* call, double* update)
{
    link_system* l = call->l;
    const bool is_step = call->mode == LINKS_STEP;
    const bool goes_on =
        is_step && (call->last_update == 0.0 || call->last_update > nearly_settled);
    l->last_bodies = l->count;
    if (!call->is_reduced) run_branches(call, run_inward);
    run_inward(call, 0);
    finish_roots(call);
    run_outward(call, 0);
    run_branches(call, goes_on ? run_through : run_outward);
    call->is_reduced = goes_on;
    *update = 0.0;
    for (int row = 0; row < l->row_count; row++) *update = tml__larger(*update, l->largest[row]);
    call->last_update = *update;
    return isfinite(*update) ? TML_OK : TML_NOT_CONVERGED;
}

void tml__tree_start(links_call* call)
{
    const link_system* l = call->l;
    for (int place = 0; place < l->root_places; place++) {
        const double* lane = tml__links_lane(l, place);
        const bool is_free = l->node[place] >= 0 && l->joint[place] < 0;
        const vec3 v =
            v3(lane[LINK_V * LANES], lane[(LINK_V + 1) * LANES], lane[(LINK_V + 2) * LANES]);
        v3_store(l->down + (size_t)place * DOWN + DOWN_G,
                 is_free ? v3_scale(call->stage.h, v) : v3_zero());
    }
    run_rows(call, l->kernels.predict_tree, 0);
    run_branches(call, run_start);
    call->is_reduced = true;
    call->last_update = 0.0;
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
        v3_store(l->down + (size_t)place * DOWN + DOWN_M, hung_at);
    }
    run_store(call, 0);
    run_branches(call, run_store);
}
