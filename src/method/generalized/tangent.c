// method/generalized/tangent.c - the two walks over a tree.
//
// Backwards every line of the forward walk is transposed, in the opposite order, with
//     (a x b) . f = a . (b x* f) = -b . (a x* f)
#include "method/generalized/tangent.h"

#include "base/request.h"
#include "math/scalar.h"
#include "math/small.h"

#include <string.h>

enum {
    REQUESTS = 11
};

static int list_requests(gen_tangent* w, request list[REQUESTS])
{
    const size_t links = (size_t)w->tree->link_count;
    const size_t bodies = (size_t)w->tree->body_count;
    const request all[] = {
        {&w->own, links, sizeof(twist)},       {&w->pushed, links, sizeof(twist)},
        {&w->v, links, sizeof(twist)},         {&w->link_Z, links, sizeof(twist)},
        {&w->Z, bodies, sizeof(twist)},        {&w->V, bodies, sizeof(twist)},
        {&w->A, bodies, sizeof(twist)},        {&w->g_Z, bodies, sizeof(wrench)},
        {&w->g_V, bodies, sizeof(wrench)},     {&w->g_A, bodies, sizeof(wrench)},
        {&w->link_g_Z, links, sizeof(wrench)},
    };
    for (int i = 0; i < REQUESTS; i++) list[i] = all[i];
    return REQUESTS;
}

tml_status tml__gen_tangent_create(const gen_tree* t, const tml_allocator* allocator,
                                   gen_tangent** out)
{
    *out = NULL;
    gen_tangent* w = tml__allocate(allocator, 1, sizeof *w);
    if (w == NULL) return TML_NO_MEMORY;
    w->tree = t;
    if (allocator != NULL) w->allocator = *allocator;
    request list[REQUESTS];
    const int count = list_requests(w, list);
    if (tml__take_all(allocator, list, count) != TML_OK) {
        tml__gen_tangent_destroy(w);
        return TML_NO_MEMORY;
    }
    *out = w;
    return TML_OK;
}

void tml__gen_tangent_destroy(gen_tangent* w)
{
    if (w == NULL) return;
    const tml_allocator allocator = w->allocator;
    request list[REQUESTS];
    const int count = list_requests(w, list);
    tml__release_all(&allocator, list, count);
    tml__release(&allocator, w);
}

// ---- forwards

static twist along(const gen_tree* t, const gen_link* link, const double* numbers)
{
    twist sum = tw_zero();
    if (numbers == NULL) return sum;
    for (int k = link->column; k < link->column + link->count; k++) {
        sum = tw_axpy(sum, numbers[k], t->S[k]);
    }
    return sum;
}

// The motion beyond every link.
static void list_motions(gen_tangent* w, const gen_walk_point* at)
{
    const gen_tree* t = w->tree;
    for (int b = 0; b < t->body_count; b++) {
        const gen_body* body = &t->bodies[b];
        // until the walk comes here, V holds the motion itself
        twist v = body->parent >= 0 ? w->V[body->parent] : tw_zero();
        for (int i = body->link; i < body->link + body->link_count; i++) {
            w->own[i] = along(t, &t->links[i], at->rates);
            w->pushed[i] = along(t, &t->links[i], at->accelerations);
            v = tw_add(v, w->own[i]);
            w->v[i] = v;
        }
        w->V[b] = v;
    }
}

static void walk_link(gen_tangent* w, int i, bool is_still, const gen_column_change* change,
                      twist* Z, twist* V, twist* A)
{
    const gen_link* link = &w->tree->links[i];
    *Z = tw_add(*Z, along(w->tree, link, change->positions));
    w->link_Z[i] = *Z;
    const twist x = tw_add(tw_cross(*Z, w->own[i]), along(w->tree, link, change->rates));
    *V = tw_add(*V, x);
    *A = tw_add(*A, tw_cross(*Z, w->pushed[i]));
    *A = tw_add(*A, along(w->tree, link, change->accelerations));
    if (is_still) return;
    *A = tw_add(*A, tw_cross(*V, w->own[i]));
    *A = tw_add(*A, tw_cross(w->v[i], x));
}

void tml__gen_tangent_forward(gen_tangent* w, const gen_walk_point* at,
                              const gen_column_change* change)
{
    const gen_tree* t = w->tree;
    list_motions(w, at);
    for (int b = 0; b < t->body_count; b++) {
        const gen_body* body = &t->bodies[b];
        const int p = body->parent;
        twist Z = p >= 0 ? w->Z[p] : tw_zero();
        twist V = p >= 0 ? w->V[p] : tw_zero();
        twist A = p >= 0 ? w->A[p] : tw_zero();
        if (change->inner != NULL) Z = tw_add(Z, change->inner[b]);
        for (int i = body->link; i < body->link + body->link_count; i++) {
            walk_link(w, i, at->is_still, change, &Z, &V, &A);
        }
        if (change->outer != NULL) Z = tw_add(Z, change->outer[b]);
        w->Z[b] = Z;
        w->V[b] = V;
        w->A[b] = A;
    }
}

// ---- backwards

static void gather(const gen_tree* t, const gen_link* link, wrench g, double* numbers)
{
    if (numbers == NULL) return;
    for (int k = link->column; k < link->column + link->count; k++) {
        numbers[k] += sv_dot(t->S[k], g);
    }
}

static void return_link(gen_tangent* w, int i, bool is_still, const gen_column_change* gradient,
                        wrench* g_Z, wrench* g_V, const wrench* g_A)
{
    const gen_tree* t = w->tree;
    const gen_link* link = &t->links[i];
    *g_Z = wr_add(*g_Z, tw_cross_wrench(w->pushed[i], *g_A));
    gather(t, link, *g_A, gradient->accelerations);
    wrench g_x = *g_V;
    if (!is_still) {
        *g_V = wr_add(*g_V, tw_cross_wrench(w->own[i], *g_A));
        g_x = wr_sub(*g_V, tw_cross_wrench(w->v[i], *g_A));
    }
    gather(t, link, g_x, gradient->rates);
    *g_Z = wr_add(*g_Z, tw_cross_wrench(w->own[i], g_x));
    *g_Z = wr_add(*g_Z, w->link_g_Z[i]);
    w->link_g_Z[i] = wr_zero();
    gather(t, link, *g_Z, gradient->positions);
}

void tml__gen_tangent_backward(gen_tangent* w, const gen_walk_point* at,
                               const gen_column_change* gradient)
{
    const gen_tree* t = w->tree;
    list_motions(w, at);
    for (int b = t->body_count - 1; b >= 0; b--) {
        const gen_body* body = &t->bodies[b];
        wrench g_Z = w->g_Z[b];
        wrench g_V = w->g_V[b];
        const wrench g_A = w->g_A[b];
        if (gradient->outer != NULL) {
            gradient->outer[b] = tw_add(gradient->outer[b], wr_as_twist(g_Z));
        }
        for (int i = body->link + body->link_count - 1; i >= body->link; i--) {
            return_link(w, i, at->is_still, gradient, &g_Z, &g_V, &g_A);
        }
        if (gradient->inner != NULL) {
            gradient->inner[b] = tw_add(gradient->inner[b], wr_as_twist(g_Z));
        }
        w->g_Z[b] = wr_zero();
        w->g_V[b] = wr_zero();
        w->g_A[b] = wr_zero();
        if (body->parent < 0) continue;
        w->g_Z[body->parent] = wr_add(w->g_Z[body->parent], g_Z);
        w->g_V[body->parent] = wr_add(w->g_V[body->parent], g_V);
        w->g_A[body->parent] = wr_add(w->g_A[body->parent], g_A);
    }
}

// ---- reading columns off bodies

enum {
    MOST = 6
};

// The columns of one body as a matrix with a left inverse: motions that they can make have one answer.
typedef struct body_columns {
    int first, count;
    double gram[MOST * MOST];  // S^T S, factored
} body_columns;

static double plain_dot(twist a, twist b) { return v3_dot(a.omega, b.omega) + v3_dot(a.v, b.v); }

static body_columns columns_of(const gen_tree* t, int at)
{
    const gen_body* b = &t->bodies[at];
    body_columns c = {.first = b->column, .count = b->column_count};
    for (int i = 0; i < c.count; i++) {
        for (int k = 0; k <= i; k++) {
            c.gram[i * MOST + k] = plain_dot(t->S[c.first + i], t->S[c.first + k]);
        }
    }
    // columns of one joint do not depend on each other away from gimbal lock; there nothing is finite
    (void)tml__ldlt_factor(c.count, c.gram, MOST);
    return c;
}

// x = (S^T S)^-1 S^T a
static void solve_columns(const gen_tree* t, const body_columns* c, twist a, double x[MOST])
{
    for (int i = 0; i < c->count; i++) x[i] = plain_dot(t->S[c->first + i], a);
    tml__ldlt_solve(c->count, c->gram, MOST, x);
}

// The transpose: S (S^T S)^-1 x
static wrench spread_columns(const gen_tree* t, const body_columns* c, const double* x)
{
    double y[MOST];
    twist sum = tw_zero();
    for (int i = 0; i < c->count; i++) y[i] = x[c->first + i];
    tml__ldlt_solve(c->count, c->gram, MOST, y);
    for (int i = 0; i < c->count; i++) sum = tw_axpy(sum, y[i], t->S[c->first + i]);
    return (wrench){sum.omega, sum.v};
}

void tml__gen_column_rates(const gen_tree* t, int body, twist motion, double* rates)
{
    const body_columns c = columns_of(t, body);
    solve_columns(t, &c, motion, rates);
}

static twist marker_of(const twist* list, int at) { return list != NULL ? list[at] : tw_zero(); }

void tml__gen_tangent_read(gen_tangent* w, const double* rates, const gen_column_change* out)
{
    const gen_tree* t = w->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const body_columns c = columns_of(t, at);
        const twist inner = marker_of(out->inner, at);
        const twist outer = marker_of(out->outer, at);
        const twist from = b->parent >= 0 ? w->Z[b->parent] : tw_zero();
        twist V = w->V[at];
        if (b->parent >= 0) V = tw_axpy(V, -1.0, w->V[b->parent]);
        twist Z = tw_add(from, inner);
        const twist moved = tw_axpy(tw_axpy(w->Z[at], -1.0, Z), -1.0, outer);
        solve_columns(t, &c, moved, out->positions + c.first);
        for (int i = b->link; i < b->link + b->link_count; i++) {
            Z = tw_add(Z, along(t, &t->links[i], out->positions));
            V = tw_axpy(V, -1.0, tw_cross(Z, along(t, &t->links[i], rates)));
        }
        solve_columns(t, &c, V, out->rates + c.first);
    }
}

static void add_wrench(wrench* to, double sign, wrench f)
{
    to->moment = v3_axpy(to->moment, sign, f.moment);
    to->force = v3_axpy(to->force, sign, f.force);
}

void tml__gen_tangent_read_back(gen_tangent* w, const double* rates,
                                const gen_column_change* gradient)
{
    const gen_tree* t = w->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const body_columns c = columns_of(t, at);
        const wrench g_V = spread_columns(t, &c, gradient->rates);
        wrench g_from = wr_zero();
        add_wrench(&w->g_V[at], 1.0, g_V);
        if (b->parent >= 0) add_wrench(&w->g_V[b->parent], -1.0, g_V);
        // links outwards first: each carries what lies inwards of it
        for (int i = b->link + b->link_count - 1; i >= b->link; i--) {
            const twist own = along(t, &t->links[i], rates);
            add_wrench(&g_from, -1.0, tw_cross_wrench(own, g_V));
            gather(t, &t->links[i], g_from, gradient->positions);
        }
        const wrench g_Z = spread_columns(t, &c, gradient->positions);
        add_wrench(&w->g_Z[at], 1.0, g_Z);
        add_wrench(&g_from, -1.0, g_Z);
        if (gradient->outer != NULL) {
            gradient->outer[at] = tw_axpy(gradient->outer[at], -1.0, wr_as_twist(g_Z));
        }
        if (gradient->inner != NULL) {
            gradient->inner[at] = tw_add(gradient->inner[at], wr_as_twist(g_from));
        }
        if (b->parent >= 0) add_wrench(&w->g_Z[b->parent], 1.0, g_from);
    }
}

// ---- positions

// The right Jacobian of the exponential map: exp(x + d) = exp(x) exp(J_r d).
mat3 tml__right_jacobian(vec3 x)
{
    const double angle = v3_norm(x);
    const mat3 X = m3_skew(x);
    const mat3 XX = m3_mul(X, X);
    double first = 0.5;
    double second = 1.0 / 6.0;
    if (angle > 1e-4) {
        first = (1.0 - tml__cos(angle)) / (angle * angle);
        second = (angle - tml__sin(angle)) / (angle * angle * angle);
    }
    return m3_add(m3_identity(), m3_add(m3_scale(-first, X), m3_scale(second, XX)));
}

static void carry3(bool is_forward, const mat3* M, double* in, double* out)
{
    if (is_forward) {
        v3_store(out, v3_add(v3_load(out), m3_apply(*M, v3_load(in))));
    } else {
        v3_store(in, v3_add(v3_load(in), m3_apply_t(*M, v3_load(out))));
    }
}

// dq+ = Ad(exp(-x)) dq + h J_r(x) du, x = h u of a ball; 1 and h elsewhere.
void tml__gen_move_product(const gen_tree* t, bool is_forward, const double* rates, double h,
                           double* positions, double* change, double* after)
{
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int at = link->column;
        if (link->kind == LINK_BALL) {
            const vec3 x = v3_scale(h, v3_load(&rates[at]));
            const mat3 back = m3_transpose(q_matrix(q_exp(x)));
            const mat3 J = m3_scale(h, tml__right_jacobian(x));
            if (is_forward) v3_store(&after[at], v3_zero());
            carry3(is_forward, &back, &positions[at], &after[at]);
            carry3(is_forward, &J, &change[at], &after[at]);
            continue;
        }
        for (int k = at; k < at + link->count; k++) {
            if (is_forward) {
                after[k] = positions[k] + h * change[k];
            } else {
                positions[k] += after[k];
                change[k] += h * after[k];
            }
        }
    }
}
