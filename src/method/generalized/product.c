// method/generalized/product.c - how inverse dynamics follow motion, forces and parameters.
#include "method/generalized/product.h"

#include "base/request.h"
#include "method/generalized/dampers.h"
#include "method/instant.h"

#include <string.h>

enum {
    REQUESTS = 16
};

// clang-format off
static int list_requests(gen_product* p, request list[REQUESTS])
{
    const gen_tree* t = p->motion->tree;
    const size_t bodies = (size_t)t->body_count;
    const size_t six = 6 * (size_t)p->motion->s->node_count;
    const request all[] = {
        {&p->accelerations,  (size_t)t->column_count, sizeof(double)},
        {&p->acceleration,   six, sizeof(double)},
        {&p->E,              six, sizeof(double)},
        {&p->pose,           six, sizeof(double)},
        {&p->velocity,       six, sizeof(double)},
        {&p->d_acceleration, six, sizeof(double)},
        {&p->d_E,            six, sizeof(double)},
        {&p->W,              bodies, sizeof(wrench)},
        {&p->beyond,         bodies, sizeof(wrench)},
        {&p->dW,             bodies, sizeof(wrench)},
        {&p->Y,              bodies, sizeof(twist)},
        {&p->inner,          bodies, sizeof(twist)},
        {&p->outer,          bodies, sizeof(twist)},
        {&p->none,           (size_t)p->motion->s->row_count, sizeof(double)},
        {&p->rows,           (size_t)p->motion->s->row_count, sizeof(double)},
        {&p->row_part,       (size_t)p->motion->s->row_count, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

tml_status tml__gen_product_create(gen_motion* m, const tml_allocator* allocator, gen_product** out)
{
    *out = NULL;
    gen_product* p = tml__allocate(allocator, 1, sizeof *p);
    if (p == NULL) return TML_NO_MEMORY;
    const definitions* all = &m->s->model->all;
    p->motion = m;
    if (allocator != NULL) p->allocator = *allocator;
    p->columns.allocator = p->allocator;
    request list[REQUESTS];
    const int count = list_requests(p, list);
    if (tml__take_all(allocator, list, count) != TML_OK ||
        tml__gen_columns_create(m, allocator, &p->columns) != TML_OK ||
        tml__gen_tangent_create(m->tree, allocator, &p->walk) != TML_OK) {
        tml__gen_product_destroy(p);
        return TML_NO_MEMORY;
    }
    p->has_other_forces = m->s->forced_count > p->columns.count || all->spring_count > 0 ||
                          all->wrench_count > 0 || all->drag_count > 0 || all->rayleigh_mass > 0.0;
    p->has_forces = p->has_other_forces || m->s->forced_count > 0;
    *out = p;
    return TML_OK;
}

void tml__gen_product_destroy(gen_product* p)
{
    if (p == NULL) return;
    const tml_allocator allocator = p->allocator;
    request list[REQUESTS];
    const int count = list_requests(p, list);
    tml__release_all(&allocator, list, count);
    tml__gen_tangent_destroy(p->walk);
    tml__gen_columns_release(&p->columns);
    tml__release(&allocator, p);
}

// ---- where it stands

static int node_of(const gen_tree* t, int at) { return t->model->bodies[t->bodies[at].body].node; }

static vec3 arm_of(const gen_tree* t, int at) { return v3_sub(t->c[at], t->origin[at]); }

// A force and a torque about the centre of mass, seen from the origin.
static wrench seen(vec3 force, vec3 torque, vec3 arm)
{
    return (wrench){v3_add(torque, v3_cross(arm, force)), force};
}

// The velocity of the centre of mass.
static vec3 centre_velocity(const gen_tree* t, int at)
{
    const twist v = t->velocity[at];
    return v3_add(v.v, v3_cross(v.omega, arm_of(t, at)));
}

// Spatial accelerations of the bodies, gravity left out, into t->acceleration.
static void accelerate(gen_tree* t, const double* rates, const double* accelerations, bool is_still)
{
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist v = b->parent >= 0 ? t->velocity[b->parent] : tw_zero();
        twist a = b->parent >= 0 ? t->acceleration[b->parent] : tw_zero();
        for (int i = b->link; i < b->link + b->link_count; i++) {
            const gen_link* link = &t->links[i];
            twist own = tw_zero();
            for (int k = link->column; k < link->column + link->count; k++) {
                own = tw_axpy(own, rates[k], t->S[k]);
                a = tw_axpy(a, accelerations[k], t->S[k]);
            }
            if (!is_still) a = tw_add(a, tw_cross(v, own));
            v = tw_add(v, own);
        }
        t->acceleration[at] = a;
    }
}

static void sum_beyond(const gen_tree* t, wrench* sums)
{
    for (int at = t->body_count - 1; at >= 0; at--) {
        const int parent = t->bodies[at].parent;
        if (parent >= 0) sums[parent] = wr_add(sums[parent], sums[at]);
    }
}

// Force and torque about the centre of mass that the motion of a body takes.
static void store_inertia(gen_product* p, int at)
{
    const gen_tree* t = p->motion->tree;
    const gen_body* b = &t->bodies[at];
    const size_t n = 6 * (size_t)node_of(t, at);
    const vec3 omega = p->view.is_still ? v3_zero() : t->velocity[at].omega;
    const vec3 alpha = t->acceleration[at].omega;
    vec3 a = v3_add(t->acceleration[at].v, v3_cross(alpha, arm_of(t, at)));
    a = v3_add(a, v3_cross(omega, centre_velocity(t, at)));
    v3_store(&p->acceleration[n], a);
    v3_store(&p->acceleration[n + 3], alpha);
    if (!p->view.has_inertia) return;
    const mat3 J = m3_mul_bt(m3_mul(t->R[at], b->inertia), t->R[at]);
    v3_store(&p->E[n], v3_scale(b->mass, a));
    v3_store(&p->E[n + 3], v3_add(m3_apply(J, alpha), v3_cross(omega, m3_apply(J, omega))));
}

// What is applied, and what rows push with.
static void subtract_forces(gen_product* p)
{
    maximal_system* s = p->motion->s;
    const gen_view* view = &p->view;
    const double* lambda = view->lambda;
    if (lambda != NULL) tml__maximal_subtract_rows(s, lambda, p->E);
    // with the rows all forces have been subtracted too
    const double sign = view->is_forced  ? (lambda == NULL ? -1.0 : 0.0)
                        : lambda != NULL ? 1.0
                                         : 0.0;
    for (int n = 0; n < s->node_count && sign != 0.0; n++) {
        const int body = s->model->node_body[n];
        double* E = &p->E[6 * n];
        v3_store(E, v3_axpy(v3_load(E), sign, s->force[body]));
        v3_store(E + 3, v3_axpy(v3_load(E + 3), sign, s->torque[body]));
    }
    if (view->damping != 0.0) tml__gen_damper_subtract(p->motion, view->damping, p->E);
    if (view->springing != 0.0) tml__gen_ball_spring_subtract(p->motion, view->springing, p->E);
}

void tml__gen_product_view(gen_product* p, const double* rates, const double* accelerations,
                           const wrench* outside, const gen_view* view)
{
    gen_tree* t = p->motion->tree;
    const size_t columns = (size_t)t->column_count * sizeof(double);
    p->view = *view;
    p->rates = rates;
    if (accelerations != NULL) {
        memcpy(p->accelerations, accelerations, columns);
    } else {
        memset(p->accelerations, 0, columns);
    }
    accelerate(t, rates, p->accelerations, view->is_still);
    memset(p->E, 0, 6 * (size_t)p->motion->s->node_count * sizeof *p->E);
    for (int at = 0; at < t->body_count; at++) store_inertia(p, at);
    subtract_forces(p);
    for (int at = 0; at < t->body_count; at++) {
        const size_t n = 6 * (size_t)node_of(t, at);
        p->W[at] = seen(v3_load(&p->E[n]), v3_load(&p->E[n + 3]), arm_of(t, at));
        if (outside != NULL) p->W[at] = wr_sub(p->W[at], outside[at]);
        p->beyond[at] = p->W[at];
    }
    sum_beyond(t, p->beyond);
}

void tml__gen_product_look(gen_product* p, const double* numbers, const double* rates)
{
    maximal_system* s = p->motion->s;
    s->is_apart = p->columns.is_apart;
    tml__gen_look(p->motion, numbers, rates);
    s->is_apart = NULL;
    tml__gen_columns_look(p->motion, &p->columns);
}

void tml__gen_product_at(gen_product* p, const double* rates, const double* accelerations,
                         const wrench* outside)
{
    const gen_view whole = {.has_inertia = true, .is_forced = true, .is_apart = true};
    tml__gen_product_view(p, rates, accelerations, outside, &whole);
}

// ---- markers

// A marker of `body` that stands at `point` (from the centre of mass) moves in the body; what hangs on
// it moves along, or the body against it (sign -1).
static void carry_marker(const gen_tree* t, partial_direction way, int body, vec3 point, int at,
                         double sign, double* numbers, twist* out)
{
    const int i = t->index[body];
    const mat3 R = i >= 0 ? t->R[i] : q_matrix(t->model->bodies[body].q);
    const vec3 c = i >= 0 ? t->c[i] : t->model->bodies[body].c;
    const vec3 arm = v3_sub(v3_add(c, m3_apply(R, point)), t->origin[at]);
    if (way == PARTIAL_FORWARD) {
        const vec3 shift = v3_scale(sign, m3_apply(R, v3_load(numbers)));
        const vec3 turn = v3_scale(sign, m3_apply(R, v3_load(numbers + 3)));
        out->omega = v3_add(out->omega, turn);
        out->v = v3_add(out->v, v3_add(shift, v3_cross(arm, turn)));
        return;
    }
    const vec3 shift = v3_scale(sign, out->v);
    const vec3 turn = v3_scale(sign, v3_add(out->omega, v3_cross(out->v, arm)));
    v3_store(numbers, v3_add(v3_load(numbers), m3_apply_t(R, shift)));
    v3_store(numbers + 3, v3_add(v3_load(numbers + 3), m3_apply_t(R, turn)));
}

void tml__gen_marker_product(const gen_tree* t, partial_direction way, const parameter_set* in,
                             twist* inner, twist* outer)
{
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        if (way == PARTIAL_FORWARD) inner[at] = outer[at] = tw_zero();
        if (b->joint < 0) continue;
        double* markers = &in->marker[2 * MARKER_PARAMETERS * b->joint];
        const bool is_follower = t->model->joints[b->joint].follower == b->body;
        double* own = markers + (is_follower ? 0 : MARKER_PARAMETERS);
        double* base = markers + (is_follower ? MARKER_PARAMETERS : 0);
        carry_marker(t, way, b->parent_body, b->inner.point, at, 1.0, base, &inner[at]);
        carry_marker(t, way, b->body, b->outer.point, at, -1.0, own, &outer[at]);
    }
}

static bool wants_markers(const parameter_set* in)
{
    return in != NULL && (in->wants & WANT_MARKERS) != 0;
}

// ---- bodies

// Pose, velocity and acceleration of the centre of mass by Z, V and A of its body.
static void tell_body(const gen_product* p, int at)
{
    const gen_tree* t = p->motion->tree;
    const gen_tangent* w = p->walk;
    const size_t n = 6 * (size_t)node_of(t, at);
    const vec3 arm = arm_of(t, at);
    const vec3 omega = t->velocity[at].omega;
    const vec3 alpha = t->acceleration[at].omega;
    const vec3 dc = v3_add(w->Z[at].v, v3_cross(w->Z[at].omega, arm));
    vec3 dv = v3_add(w->V[at].v, v3_cross(w->V[at].omega, arm));
    dv = v3_add(dv, v3_cross(omega, dc));
    vec3 da = v3_add(w->A[at].v, v3_cross(w->A[at].omega, arm));
    da = v3_add(da, v3_cross(alpha, dc));
    if (!p->view.is_still) {
        da = v3_add(da, v3_cross(w->V[at].omega, centre_velocity(t, at)));
        da = v3_add(da, v3_cross(omega, dv));
    }
    v3_store(&p->pose[n], dc);
    v3_store(&p->pose[n + 3], w->Z[at].omega);
    v3_store(&p->velocity[n], dv);
    v3_store(&p->velocity[n + 3], w->V[at].omega);
    v3_store(&p->d_acceleration[n], da);
    v3_store(&p->d_acceleration[n + 3], w->A[at].omega);
}

// The same transposed: gradients by the centre of mass become those by Z, V, A.
static void ask_body(const gen_product* p, int at)
{
    const gen_tree* t = p->motion->tree;
    gen_tangent* w = p->walk;
    const size_t n = 6 * (size_t)node_of(t, at);
    const vec3 arm = arm_of(t, at);
    const vec3 omega = t->velocity[at].omega;
    const vec3 alpha = t->acceleration[at].omega;
    const vec3 da = v3_load(&p->d_acceleration[n]);
    const bool is_still = p->view.is_still;
    vec3 dv = v3_load(&p->velocity[n]);
    if (!is_still) dv = v3_add(dv, v3_cross(da, omega));
    vec3 dc = v3_add(v3_load(&p->pose[n]), v3_cross(da, alpha));
    dc = v3_add(dc, v3_cross(dv, omega));

    vec3 turn = v3_add(v3_load(&p->d_acceleration[n + 3]), v3_cross(arm, da));
    w->g_A[at] = wr_add(w->g_A[at], (wrench){turn, da});
    turn = v3_load(&p->velocity[n + 3]);
    if (!is_still) turn = v3_add(turn, v3_cross(centre_velocity(t, at), da));
    turn = v3_add(turn, v3_cross(arm, dv));
    w->g_V[at] = wr_add(w->g_V[at], (wrench){turn, dv});
    turn = v3_add(v3_load(&p->pose[n + 3]), v3_cross(arm, dc));
    w->g_Z[at] = wr_add(w->g_Z[at], (wrench){turn, dc});
}

void tml__gen_product_tell(gen_product* p)
{
    for (int at = 0; at < p->motion->tree->body_count; at++) tell_body(p, at);
}

void tml__gen_product_ask(gen_product* p)
{
    memset(p->d_acceleration, 0, 6 * (size_t)p->motion->s->node_count * sizeof(double));
    for (int at = 0; at < p->motion->tree->body_count; at++) ask_body(p, at);
}

void tml__gen_product_hear(gen_product* p)
{
    const gen_tree* t = p->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        const size_t n = 6 * (size_t)node_of(t, at);
        const vec3 arm = arm_of(t, at);
        const vec3 dc = v3_load(&p->pose[n]);
        const vec3 turn = v3_load(&p->pose[n + 3]);
        const vec3 spin = v3_load(&p->velocity[n + 3]);
        const vec3 carried = v3_add(v3_cross(spin, arm), v3_cross(t->velocity[at].omega, dc));
        p->walk->Z[at] = (twist){turn, v3_sub(dc, v3_cross(turn, arm))};
        p->walk->V[at] = (twist){spin, v3_sub(v3_load(&p->velocity[n]), carried)};
    }
}

void tml__gen_product_answer(gen_product* p)
{
    const gen_tree* t = p->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        const size_t n = 6 * (size_t)node_of(t, at);
        const vec3 arm = arm_of(t, at);
        wrench* Z = &p->walk->g_Z[at];
        wrench* V = &p->walk->g_V[at];
        v3_store(&p->pose[n], v3_sub(Z->force, v3_cross(V->force, t->velocity[at].omega)));
        v3_store(&p->pose[n + 3], v3_sub(Z->moment, v3_cross(arm, Z->force)));
        v3_store(&p->velocity[n], V->force);
        v3_store(&p->velocity[n + 3], v3_sub(V->moment, v3_cross(arm, V->force)));
        *Z = *V = wr_zero();
    }
}

// ---- forces and inertia

static void inertia_by_acceleration(const gen_product* p, partial_direction way)
{
    const gen_tree* t = p->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const size_t n = 6 * (size_t)node_of(t, at);
        double* from = way == PARTIAL_FORWARD ? &p->d_acceleration[n] : &p->d_E[n];
        double* to = way == PARTIAL_FORWARD ? &p->d_E[n] : &p->d_acceleration[n];
        // symmetric, so that both directions are one
        const mat3 J = m3_mul_bt(m3_mul(t->R[at], b->inertia), t->R[at]);
        v3_store(to, v3_add(v3_load(to), v3_scale(b->mass, v3_load(from))));
        v3_store(to + 3, v3_add(v3_load(to + 3), m3_apply(J, v3_load(from + 3))));
    }
}

// What is applied and what rows push with, by poses and velocities.
static void force_product(const gen_product* p, partial_direction way)
{
    maximal_system* s = p->motion->s;
    const lift none = {0.0, {{{0.0}}}};
    const bool has_forces = p->view.is_apart ? p->has_other_forces : p->has_forces;
    const bool is_forced = has_forces && p->view.is_forced;
    if (!is_forced && p->view.lambda == NULL) return;
    tml__kkt_clear(s->matrix);
    for (int b = 0; b <= s->model->all.body_count; b++) s->lifts[b] = none;
    if (is_forced) tml__maximal_fill_forces(s, 1.0);
    if (p->view.lambda != NULL) tml__maximal_fill_bending(s, p->view.lambda, 1.0);
    if (way == PARTIAL_FORWARD) {
        tml__kkt_add_blocks(s->matrix, p->pose, p->d_E);
    } else {
        tml__kkt_add_blocks_transposed(s->matrix, p->d_E, p->pose);
    }
    if (is_forced) tml__damping_product(s, way, p->velocity, p->d_E);
}

// One level of the rows. The equations of bodies have no part in it: nothing pushes, nothing moves.
static void level_product(const gen_product* p, partial_direction way, int level,
                          const parameter_set* in, double* rows)
{
    maximal_system* s = p->motion->s;
    const inertia_point still = {.s = s};
    const partial_point at = {.level = level,
                              .lambda = p->none,
                              .acceleration = p->acceleration,
                              .has_yielding_rates = true,
                              .self = &still,
                              .inertia = tml__inertia_columns};
    if (in != NULL && in->wants != 0) tml__parameter_product(s, &at, way, in, p->d_E, rows);
    tml__row_product(s, &at, way, p->pose, level > 0 ? p->velocity : NULL, rows);
    if (level < 2) return;
    const partial_point flat = {.lambda = p->none, .self = &still, .inertia = tml__inertia_columns};
    tml__row_product(s, &flat, way, p->d_acceleration, NULL, rows);
}

static void row_products(const gen_product* p, partial_direction way, const parameter_set* in)
{
    const int count = p->motion->s->row_count;
    if (way == PARTIAL_FORWARD) memset(p->rows, 0, (size_t)count * sizeof *p->rows);
    for (int level = 0; level < 3; level++) {
        const double scale = p->view.level[level];
        if (scale == 0.0) continue;
        for (int i = 0; i < count; i++) {
            p->row_part[i] = way == PARTIAL_FORWARD ? 0.0 : scale * p->rows[i];
        }
        level_product(p, way, level, in, p->row_part);
        for (int i = 0; i < count && way == PARTIAL_FORWARD; i++) {
            p->rows[i] += scale * p->row_part[i];
        }
    }
}

static void equation_product(const gen_product* p, partial_direction way, const parameter_set* in)
{
    maximal_system* s = p->motion->s;
    const gen_view* view = &p->view;
    const inertia_point inertia = {.s = s,
                                   .motion = view->has_inertia ? p->acceleration : NULL,
                                   .has_gyro = view->has_inertia && !view->is_still};
    const partial_point at = {.has_forces = view->is_forced,
                              .lambda = view->lambda != NULL ? view->lambda : p->none,
                              .self = &inertia,
                              .inertia = tml__inertia_columns};
    s->is_apart = view->is_apart ? p->columns.is_apart : NULL;
    if (view->has_inertia) {
        inertia_by_acceleration(p, way);
        tml__inertia_product(&inertia, way, p->pose, p->velocity, p->d_E);
    }
    force_product(p, way);
    if (view->damping != 0.0) {
        const gen_damper_numbers numbers = {p->pose, p->velocity, p->d_E, in};
        tml__gen_damper_product(p->motion, view->damping, way, &numbers);
    }
    if (view->springing != 0.0) {
        const gen_damper_numbers numbers = {p->pose, p->velocity, p->d_E, in};
        tml__gen_ball_spring_product(p->motion, view->springing, way, &numbers);
    }
    if (in != NULL && in->wants != 0) {
        memset(p->row_part, 0, (size_t)s->row_count * sizeof *p->row_part);
        tml__parameter_product(s, &at, way, in, p->d_E, p->row_part);
    }
    s->is_apart = NULL;
    row_products(p, way, in);
}

// ---- forwards

void tml__gen_product_move(gen_product* p, const gen_column_change* change, const parameter_set* in)
{
    const gen_tree* t = p->motion->tree;
    const gen_walk_point at = {p->rates, p->accelerations, p->view.is_still};
    gen_column_change all = *change;
    if (wants_markers(in)) {
        tml__gen_marker_product(t, PARTIAL_FORWARD, in, p->inner, p->outer);
        all.inner = p->inner;
        all.outer = p->outer;
    }
    tml__gen_tangent_forward(p->walk, &at, &all);
    memset(p->dW, 0, (size_t)t->body_count * sizeof *p->dW);
    p->moved = *change;
}

void tml__gen_product_forward(gen_product* p, const parameter_set* in, double* d_tau)
{
    const gen_tree* t = p->motion->tree;
    memset(p->d_E, 0, 6 * (size_t)p->motion->s->node_count * sizeof *p->d_E);
    for (int at = 0; at < t->body_count; at++) tell_body(p, at);
    equation_product(p, PARTIAL_FORWARD, in);
    for (int at = 0; at < t->body_count; at++) {
        const size_t n = 6 * (size_t)node_of(t, at);
        wrench d = seen(v3_load(&p->d_E[n]), v3_load(&p->d_E[n + 3]), arm_of(t, at));
        d.moment = v3_add(d.moment, v3_cross(v3_load(&p->pose[n]), v3_load(&p->E[n])));
        p->dW[at] = wr_add(p->dW[at], d);
    }
    sum_beyond(t, p->dW);
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int at = t->column_body[link->column];
        for (int k = link->column; k < link->column + link->count; k++) {
            const twist carried = tw_cross(p->walk->link_Z[i], t->S[k]);
            d_tau[k] = sv_dot(t->S[k], p->dW[at]) + sv_dot(carried, p->beyond[at]);
        }
    }
    if (!p->view.is_apart) return;
    tml__gen_columns_product(p->motion, &p->columns, PARTIAL_FORWARD, &p->moved, in, NULL, d_tau);
}

// ---- backwards

void tml__gen_product_pull(gen_product* p, const double* y)
{
    const gen_tree* t = p->motion->tree;
    p->pulled = y;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist Y = b->parent >= 0 ? p->Y[b->parent] : tw_zero();
        for (int i = b->link; i < b->link + b->link_count; i++) {
            const gen_link* link = &t->links[i];
            twist own = tw_zero();
            for (int k = link->column; k < link->column + link->count; k++) {
                own = tw_axpy(own, y[k], t->S[k]);
            }
            Y = tw_add(Y, own);
            p->walk->link_g_Z[i] = tw_cross_wrench(own, p->beyond[at]);
        }
        p->Y[at] = Y;
    }
}

void tml__gen_product_backward(gen_product* p, const gen_column_change* gradient,
                               const parameter_set* in)
{
    const gen_tree* t = p->motion->tree;
    const gen_walk_point at_point = {p->rates, p->accelerations, p->view.is_still};
    const size_t six = 6 * (size_t)p->motion->s->node_count * sizeof(double);
    memset(p->pose, 0, six);
    memset(p->velocity, 0, six);
    memset(p->d_acceleration, 0, six);
    for (int at = 0; at < t->body_count; at++) {
        const size_t n = 6 * (size_t)node_of(t, at);
        const twist Y = p->Y[at];
        v3_store(&p->d_E[n], v3_add(Y.v, v3_cross(Y.omega, arm_of(t, at))));
        v3_store(&p->d_E[n + 3], Y.omega);
        v3_store(&p->pose[n], v3_cross(v3_load(&p->E[n]), Y.omega));
    }
    equation_product(p, PARTIAL_BACKWARD, in);
    for (int at = 0; at < t->body_count; at++) ask_body(p, at);
    gen_column_change all = *gradient;
    if (wants_markers(in)) {
        memset(p->inner, 0, (size_t)t->body_count * sizeof *p->inner);
        memset(p->outer, 0, (size_t)t->body_count * sizeof *p->outer);
        all.inner = p->inner;
        all.outer = p->outer;
    }
    tml__gen_tangent_backward(p->walk, &at_point, &all);
    if (wants_markers(in)) tml__gen_marker_product(t, PARTIAL_BACKWARD, in, p->inner, p->outer);
    if (!p->view.is_apart) return;
    tml__gen_columns_product(p->motion, &p->columns, PARTIAL_BACKWARD, gradient, in, p->pulled,
                             NULL);
}
