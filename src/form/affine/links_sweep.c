// form/affine/links_sweep.c - eliminating joints from the tips to the root, and back.
//                                                                              [notes 9.3 5 6]
// A link with outer joints c, each carrying what answers z_c + S_c f, and its inner joint a:
//     sum_c' (W_cc' + delta_cc' S_c) f_c' = u_c - z_c + W_ca f_a     =>   f_c = y_c + L_c f_a
//     S = W_aa - sum_c W_ac L_c,     z = u_a - sum_c W_ac y_c
// At the world the inner joint's point does not move: z + S f = 0. y and L are kept with the outer
// link, so that the way back needs nothing else.
#include "form/affine/links.h"
#include "linalg/lanes.h"
#include "math/small.h"

#include <string.h>

static double* state_at(const link_system* l, int link)
{
    return l->state + (size_t)(link / LANES) * LINK_STATE * LANES + link % LANES;
}

static vec3 get3(const double* lane, int row)
{
    return v3(lane[row * LANES], lane[(row + 1) * LANES], lane[(row + 2) * LANES]);
}

static void put3(double* lane, int row, vec3 a)
{
    lane[row * LANES] = a.x;
    lane[(row + 1) * LANES] = a.y;
    lane[(row + 2) * LANES] = a.z;
}

static mat3 get33(const double* lane, int row)
{
    mat3 a;
    for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = lane[(row + k) * LANES];
    return a;
}

static void put33(double* lane, int row, mat3 a)
{
    for (int k = 0; k < 9; k++) lane[(row + k) * LANES] = a.m[k / 3][k % 3];
}

static link_port* port_of(const link_system* l, int link) { return &l->port[link & l->port_mask]; }

static mat3 port_S(const link_port* p)
{
    mat3 S;
    memcpy(S.m, p->S, sizeof S.m);
    return S;
}

// ---- gathering what outer joints do

static int more_children(const link_system* l, int link)
{
    return l->child_count[link] > 1 ? l->child_count[link] - 1 : 0;
}

// The link that a hand pushes, -1: none.
static int pushed_link(const link_system* l)
{
    const hand_push* push = &l->s->push;
    return push->is_on ? l->link_of[l->s->model->bodies[push->body].node] : -1;
}

static bool has_more(const link_system* l, int group)
{
    const int end = (group + 1) * LANES < l->count ? (group + 1) * LANES : l->count;
    const int pushed = pushed_link(l);
    if (pushed >= 0 && pushed / LANES == group) return true;
    if (l->is_chain) return false;
    for (int k = group * LANES; k < end; k++) {
        if (more_children(l, k) > 0) return true;
    }
    return false;
}

// Forces (or their changes) of outer joints, for eight links.
static void gather(const links_call* call, int row)
{
    const link_system* l = call->l;
    const int first = call->group * LANES;

    for (int i = 0; i < LANES; i++) {
        const int link = first + i;
        double* lane = call->sweep + i;
        const bool has_child = link < l->count && l->child_count[link] > 0;
        put3(lane, SWEEP_OUT_F,
             has_child ? get3(state_at(l, l->first_child[link]), row) : v3_zero());
        if (!call->has_more) continue;
        vec3 f = v3_zero();
        mat3 Q = m3_zero();
        for (int c = 1; link < l->count && c < l->child_count[link]; c++) {
            const int child = l->first_child[link] + c;
            const vec3 one = get3(state_at(l, child), row);
            f = v3_add(f, one);
            Q = m3_add(Q, m3_outer(one, v3_load(&l->outer[3 * child])));
        }
        if (link == pushed_link(l) && row == LINK_FORCE) {
            f = v3_sub(f, l->s->push.force);
            Q = m3_sub(Q, m3_outer(l->s->push.force, l->s->push.point));
        }
        put3(lane, SWEEP_MORE_F, f);
        put33(lane, SWEEP_MORE_Q, Q);
    }
}

// The matrix whose columns carry arms: the mean of both ends in a step.
static mat3 arms_of(const links_call* call, const double* lane)
{
    const mat3 end = get33(lane, LINK_END);
    if (call->mode == LINKS_PROJECT) return end;
    const mat3 R = get33(lane, LINK_R);
    return call->mode == LINKS_FORCES ? R : m3_scale(0.5, m3_add(R, end));
}

// The torque of further outer joints' changes, in place of Q.
static void gather_torques(const links_call* call)
{
    const link_system* l = call->l;
    for (int i = 0; i < LANES && call->has_more; i++) {
        const int link = call->group * LANES + i;
        if (link >= l->count) break;
        const mat3 A = arms_of(call, state_at(l, link));
        vec3 torque = v3_zero();
        for (int c = 1; c < l->child_count[link]; c++) {
            const int child = l->first_child[link] + c;
            const vec3 arm = m3_apply(A, v3_load(&l->outer[3 * child]));
            torque = v3_add(torque, v3_cross(arm, get3(state_at(l, child), LINK_CHANGE)));
        }
        put3(call->sweep + i, SWEEP_MORE_Q, torque);
    }
}

// ---- inwards

// One outer joint: the common case, closed form.
static void eliminate_one(const link_system* l, int link, const double* lane)
{
    const int child = l->first_child[link];
    const link_port* outer = port_of(l, child);
    double* kept = state_at(l, child);
    const mat3 T = m3_inverse(m3_add(get33(lane, SWEEP_CC), port_S(outer)));
    const mat3 L = m3_mul(T, get33(lane, SWEEP_CA));
    const vec3 y = m3_apply(T, v3_sub(get3(lane, SWEEP_UC), v3_load(outer->z)));
    const mat3 W_ac = get33(lane, SWEEP_AC);
    link_port* own = port_of(l, link);

    put33(kept, LINK_L, L);
    put3(kept, LINK_Y, y);
    const mat3 S = m3_sub(get33(lane, SWEEP_AA), m3_mul(W_ac, L));
    memcpy(own->S, S.m, sizeof S.m);
    v3_store(own->z, v3_sub(get3(lane, SWEEP_UA), m3_apply(W_ac, y)));
}

static scalar_port port_at(const links_call* call, const double* lane, vec3 x)
{
    const mat3 R = get33(lane, call->mode == LINKS_FORCES ? LINK_R : LINK_END);
    const vec3 r = m3_apply(R, x);
    scalar_port p = {.r = r, .d = m3_apply(arms_of(call, lane), x), .u = v3_zero()};
    if (call->mode == LINKS_PROJECT) {
        p.u = v3_add(get3(lane, LINK_EX), v3_cross(get3(lane, LINK_KE), r));
        return p;
    }
    p.u = v3_sub(v3_cross(r, get3(lane, LINK_KE)), get3(lane, LINK_EX));
    if (call->mode == LINKS_FORCES) {
        const vec3 omega = get3(lane, LINK_OMEGA);
        p.u = v3_add(p.u, v3_cross(omega, v3_cross(omega, r)));
    }
    return p;
}

// mobility I - [r] Kinv [d]
static mat3 port_block(mat3 Kinv, double mobility, vec3 r, vec3 d)
{
    mat3 W = m3_scale(-1.0, m3_mul(m3_skew(r), m3_mul(Kinv, m3_skew(d))));
    for (int i = 0; i < 3; i++) W.m[i][i] += mobility;
    return W;
}

static double mobility_of(const links_call* call, int link)
{
    const link_system* l = call->l;
    const double* type = l->types + (size_t)l->group_type[link / LANES] * LINK_CONSTANTS * LANES;
    const double mass = type[LINK_MASS * LANES + link % LANES];
    if (call->mode != LINKS_STEP) return 1.0 / mass;
    return 1.0 / (mass * (1.0 / call->stage.beta) +
                  type[LINK_DRAG * LANES + link % LANES] / call->stage.h);
}

// Several outer joints couple through the link: all of them at once, densely.
static tml_status eliminate_many(const links_call* call, int link, const double* sweep)
{
    const link_system* l = call->l;
    const double* lane = state_at(l, link);
    const int n = 3 * l->child_count[link];
    double* T = l->scratch;
    double* B = T + (size_t)n * (size_t)n;  // 4 right-hand sides of n: W_ca, u - z
    int* pivot = l->pivot;
    scalar_port* ports = l->ports;
    const mat3 Kinv = get33(lane, LINK_KINV);
    const double mobility = mobility_of(call, link);
    const double* type = l->types + (size_t)l->group_type[link / LANES] * LINK_CONSTANTS * LANES;
    const scalar_port a = port_at(call, lane, get3(type + link % LANES, LINK_INNER));

    for (int c = 0; c < l->child_count[link]; c++) {
        ports[c] = port_at(call, lane, v3_load(&l->outer[3 * (l->first_child[link] + c)]));
    }
    for (int c = 0; c < l->child_count[link]; c++) {
        const link_port* outer = port_of(l, l->first_child[link] + c);
        const mat3 W_ca = port_block(Kinv, mobility, ports[c].r, a.d);
        const vec3 g = v3_sub(ports[c].u, v3_load(outer->z));
        for (int e = 0; e < l->child_count[link]; e++) {
            mat3 W = port_block(Kinv, mobility, ports[c].r, ports[e].d);
            if (c == e) W = m3_add(W, port_S(outer));
            for (int k = 0; k < 9; k++) T[(3 * c + k / 3) * n + 3 * e + k % 3] = W.m[k / 3][k % 3];
        }
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) B[k * n + 3 * c + i] = W_ca.m[i][k];
            B[3 * n + 3 * c + i] = v3_at(g, i);
        }
    }
    if (tml__lu_factor(n, T, n, pivot) != TML_OK) return TML_SINGULAR;
    for (int k = 0; k < 4; k++) tml__lu_solve(n, T, n, pivot, B + k * n);

    mat3 S = get33(sweep, SWEEP_AA);
    vec3 z = get3(sweep, SWEEP_UA);
    for (int c = 0; c < l->child_count[link]; c++) {
        double* kept = state_at(l, l->first_child[link] + c);
        const mat3 W_ac = port_block(Kinv, mobility, a.r, ports[c].d);
        mat3 L;
        for (int k = 0; k < 9; k++) L.m[k / 3][k % 3] = B[k % 3 * n + 3 * c + k / 3];
        const vec3 y = v3_load(B + 3 * n + 3 * c);
        put33(kept, LINK_L, L);
        put3(kept, LINK_Y, y);
        S = m3_sub(S, m3_mul(W_ac, L));
        z = v3_sub(z, m3_apply(W_ac, y));
    }
    link_port* own = port_of(l, link);
    memcpy(own->S, S.m, sizeof S.m);
    v3_store(own->z, z);
    return TML_OK;
}

// A hand's push on one link: its torque, and for accelerations its force too; in a step the force
// is gathered with those of joints.
static void add_push(const links_call* call)
{
    const link_system* l = call->l;
    const hand_push* push = &l->s->push;
    const int link = pushed_link(l);
    if (link < 0 || link / LANES != call->group || call->mode == LINKS_PROJECT) return;

    double* lane = state_at(l, link);
    double* sweep = call->sweep + link % LANES;
    const vec3 force = call->mode == LINKS_FORCES ? push->force : v3_zero();
    const vec3 arm = m3_apply(arms_of(call, lane), push->point);
    const vec3 torque = v3_add(push->torque, v3_cross(arm, force));
    const vec3 Ke = m3_apply(get33(lane, LINK_KINV), torque);
    const vec3 Ex = v3_scale(mobility_of(call, link), force);
    const double* type = l->types + (size_t)l->group_type[call->group] * LINK_CONSTANTS * LANES;
    const mat3 R = get33(lane, call->mode == LINKS_FORCES ? LINK_R : LINK_END);
    const int rows[2][2] = {{LINK_INNER, SWEEP_UA}, {LINK_OUTER, SWEEP_UC}};
    for (int k = 0; k < 2; k++) {
        const vec3 r = m3_apply(R, get3(type + link % LANES, rows[k][0]));
        const vec3 u = v3_sub(Ex, v3_cross(r, Ke));
        put3(sweep, rows[k][1], v3_add(get3(sweep, rows[k][1]), u));
    }
    put3(lane, LINK_KE, v3_sub(get3(lane, LINK_KE), Ke));
    put3(lane, LINK_EX, v3_sub(get3(lane, LINK_EX), Ex));
}

double tml__links_push_work(const link_system* l)
{
    const hand_push* push = &l->s->push;
    if (!push->is_on) return 0.0;
    const double* lane = state_at(l, l->link_of[l->s->model->bodies[push->body].node]);
    const affine_body b = {.R = get33(lane, LINK_R), .R_end = get33(lane, LINK_END)};
    const vec3 turned = m3_apply(m3_sub(b.R_end, b.R), push->point);
    return v3_dot(push->force, v3_add(get3(lane, LINK_MOVE), turned)) +
           v3_dot(push->torque, tml__affine_cayley(&b));
}

// The inner joint of a root: nothing moves beyond it, or there is none.
static void finish_root(const link_system* l, int link)
{
    const link_port* own = port_of(l, link);
    double* lane = state_at(l, link);
    put33(lane, LINK_L, m3_zero());
    put3(lane, LINK_Y,
         l->joint[link] >= 0 ? v3_neg(m3_apply(m3_inverse(port_S(own)), v3_load(own->z)))
                             : v3_zero());
}

tml_status tml__links_inwards(links_call* call)
{
    const link_system* l = call->l;

    for (int group = l->group_count - 1; group >= 0; group--) {
        call->group = group;
        call->has_more = has_more(l, group);
        if (call->mode == LINKS_STEP) gather(call, LINK_FORCE);
        l->kernels->assemble(call);
        add_push(call);
        const int last = (group + 1) * LANES < l->count ? (group + 1) * LANES : l->count;
        for (int link = last - 1; link >= group * LANES; link--) {
            const double* lane = call->sweep + link % LANES;
            if (l->child_count[link] == 1) {
                eliminate_one(l, link, lane);
            } else if (l->child_count[link] > 1) {
                const tml_status status = eliminate_many(call, link, lane);
                if (status != TML_OK) return status;
            } else {
                link_port* own = port_of(l, link);
                const mat3 S = get33(lane, SWEEP_AA);
                memcpy(own->S, S.m, sizeof S.m);
                v3_store(own->z, get3(lane, SWEEP_UA));
            }
            if (l->parent[link] < 0) finish_root(l, link);
        }
    }
    return TML_OK;
}

// ---- outwards

// The joint's force changes as its inner neighbour's did.
static void find_change(const links_call* call, int link)
{
    const link_system* l = call->l;
    double* lane = state_at(l, link);
    const int parent = l->parent[link];
    vec3 change = get3(lane, LINK_Y);
    if (parent >= 0) {
        const vec3 inner = get3(state_at(l, parent), LINK_CHANGE);
        change = v3_add(change, m3_apply(get33(lane, LINK_L), inner));
    }
    put3(lane, LINK_CHANGE, change);
    if (call->mode == LINKS_PROJECT) return;
    put3(lane, LINK_FORCE, v3_add(get3(lane, LINK_FORCE), change));
}

// Positions from the root: the joint's two points move alike.                       [notes 9.4]
static void place_from_root(const links_call* call)
{
    const link_system* l = call->l;
    const int first = call->group * LANES;
    for (int i = 0; i < LANES && first + i < l->count; i++) {
        const int link = first + i;
        double* lane = state_at(l, link);
        const int parent = l->parent[link];
        if (l->joint[link] < 0) continue;
        vec3 move = v3_neg(get3(call->sweep + i, SWEEP_GA));
        if (parent >= 0) {
            const double* inner = state_at(l, parent);
            // along the first outer joint of its own group, the kernel has turned the point
            const bool is_near = parent >= first && l->first_child[parent] == link;
            const vec3 turned = is_near
                                    ? get3(call->sweep + parent - first, SWEEP_GC)
                                    : m3_apply(m3_sub(get33(inner, LINK_END), get33(inner, LINK_R)),
                                               v3_load(&l->outer[3 * link]));
            move = v3_add(move, v3_add(get3(inner, LINK_MOVE), turned));
        }
        put3(lane, LINK_MOVE, move);
    }
}

// A floating root moves by its own equation of motion.
static void place_floating(const links_call* call, int link)
{
    const link_system* l = call->l;
    double* lane = state_at(l, link);
    vec3 f = v3_zero();
    for (int c = 0; c < l->child_count[link]; c++) {
        f = v3_add(f, get3(state_at(l, l->first_child[link] + c), LINK_CHANGE));
    }
    const vec3 step = v3_add(get3(lane, LINK_EX), v3_scale(mobility_of(call, link), f));
    put3(lane, LINK_MOVE, v3_sub(get3(lane, LINK_MOVE), step));
}

double tml__links_outwards(links_call* call)
{
    const link_system* l = call->l;
    double largest = 0.0;

    for (int group = 0; group < l->group_count; group++) {
        const int first = group * LANES;
        call->group = group;
        call->has_more = has_more(l, group);
        for (int i = 0; i < LANES && first + i < l->count; i++) {
            const int link = first + i;
            if (l->parent[link] < 0) find_change(call, link);
            for (int c = 0; c < l->child_count[link]; c++) {
                find_change(call, l->first_child[link] + c);
            }
            if (call->mode == LINKS_STEP && l->joint[link] < 0) place_floating(call, link);
        }
        gather(call, LINK_CHANGE);
        gather_torques(call);
        const double update = l->kernels->update(call);
        largest = tml__larger(largest, update);
        if (call->mode == LINKS_STEP) place_from_root(call);
    }
    return largest;
}

void tml__links_start(links_call* call)
{
    const link_system* l = call->l;
    for (int group = 0; group < l->group_count; group++) {
        call->group = group;
        l->kernels->predict(call);
        for (int i = 0; i < LANES && group * LANES + i < l->count; i++) {
            double* lane = state_at(l, group * LANES + i);
            put3(lane, LINK_MOVE, v3_scale(call->stage.h, get3(lane, LINK_V)));
        }
        place_from_root(call);
    }
}
