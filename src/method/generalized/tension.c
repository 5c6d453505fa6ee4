// method/generalized/tension.c - levers, and what hangs on them.
#include "method/generalized/tension.h"

// A lever of body `at`, in its axes: from where it is held to its centre of mass, or to where `child` hangs.
typedef struct lever {
    int at, child;  // -1: its own weight
    vec3 l;
    double length;
} lever;

static lever lever_of(const gen_tree* t, int at, int child)
{
    const gen_body* b = &t->bodies[at];
    const vec3 held = b->joint < 0 ? v3_zero() : b->outer.point;
    const vec3 end = child < 0 ? v3_zero() : t->bodies[child].inner.point;
    const vec3 l = v3_sub(end, held);
    return (lever){at, child, l, v3_norm(l)};
}

// K of one lever at unit weight, on w: |l| w - l (l . w)/|l|.
static vec3 hold(const lever* k, vec3 w)
{
    if (!(k->length > 0.0)) return v3_zero();
    return v3_axpy(v3_scale(k->length, w), -v3_dot(k->l, w) / k->length, k->l);
}

// And how that follows the lever.
static vec3 hold_slope(const lever* k, vec3 dl, vec3 w)
{
    if (!(k->length > 0.0)) return v3_zero();
    const vec3 e = v3_scale(1.0 / k->length, k->l);
    const double along = v3_dot(e, dl);
    const vec3 bent = v3_add(v3_scale(v3_dot(e, w), dl), v3_scale(v3_dot(dl, w), e));
    return v3_axpy(v3_sub(v3_scale(along, w), bent), along * v3_dot(e, w), e);
}

static double weight_of(const gen_tree* t) { return v3_norm(t->model->all.gravity); }

// ---- as inertia

static void add_lever(const lever* k, double mass, mat3* to)
{
    for (int i = 0; i < 3; i++) {
        const vec3 column = v3_scale(mass, hold(k, v3_unit(i)));
        for (int n = 0; n < 3; n++) to->m[n][i] += v3_at(column, n);
    }
}

void tml__gen_tension_list(gen_tree* t, mat3* held)
{
    for (int at = 0; at < t->body_count; at++) {
        held[at] = m3_scale(0.0, m3_identity());
        t->composite[at].mass = t->bodies[at].mass;
    }
    for (int at = t->body_count - 1; at >= 0; at--) {
        const gen_body* b = &t->bodies[at];
        const lever own = lever_of(t, at, -1);
        add_lever(&own, b->mass, &held[at]);
        if (b->parent < 0) continue;
        const lever inner = lever_of(t, b->parent, at);
        add_lever(&inner, t->composite[at].mass, &held[b->parent]);
        t->composite[b->parent].mass += t->composite[at].mass;
    }
}

void tml__gen_tension_add(gen_tree* t, const mat3* held, double h)
{
    const double share = 0.25 * h * h * weight_of(t);
    if (share == 0.0) return;
    for (int at = 0; at < t->body_count; at++) {
        const mat3 K = m3_congruence(t->R[at], m3_scale(share, held[at]));
        t->drag[at].second = m3_add(t->drag[at].second, K);
    }
}

// ---- as what holds back a motion

static int node_of(const gen_tree* t, int at) { return t->model->bodies[t->bodies[at].body].node; }

static void weigh(gen_tree* t)
{
    for (int at = 0; at < t->body_count; at++) t->composite[at].mass = t->bodies[at].mass;
    for (int at = t->body_count - 1; at >= 0; at--) {
        const int parent = t->bodies[at].parent;
        if (parent >= 0) t->composite[parent].mass += t->composite[at].mass;
    }
}

static double mass_at(const gen_tree* t, const lever* k)
{
    return k->child < 0 ? t->bodies[k->at].mass : t->composite[k->child].mass;
}

typedef void visit(const gen_motion* m, const lever* k, void* self);

static void visit_levers(const gen_motion* m, visit* look, void* self)
{
    gen_tree* t = m->tree;
    weigh(t);
    for (int at = 0; at < t->body_count; at++) {
        const lever own = lever_of(t, at, -1);
        look(m, &own, self);
        if (t->bodies[at].parent < 0) continue;
        const lever inner = lever_of(t, t->bodies[at].parent, at);
        look(m, &inner, self);
    }
}

// One lever in a motion of its body.
typedef struct swing {
    mat3 R;
    vec3 w;     // body axes
    vec3 hold;  // K w at unit weight
} swing;

static swing swing_of(const gen_motion* m, const lever* k)
{
    const rigid* body = &m->s->bodies[m->tree->bodies[k->at].body];
    const vec3 w = m3_apply_t(body->R, body->omega);
    return (swing){body->R, w, hold(k, w)};
}

typedef struct sum {
    double share;
    double* E;
} sum;

static void add_swing(const gen_motion* m, const lever* k, void* self)
{
    const sum* to = self;
    const swing s = swing_of(m, k);
    double* E = &to->E[6 * node_of(m->tree, k->at) + 3];
    const vec3 turned = m3_apply(s.R, s.hold);
    v3_store(E, v3_axpy(v3_load(E), to->share * mass_at(m->tree, k), turned));
}

void tml__gen_tension_subtract(const gen_motion* m, double h, double* E)
{
    sum to = {0.25 * h * h * weight_of(m->tree), E};
    if (to.share != 0.0) visit_levers(m, add_swing, &to);
}

// ---- and what that follows

typedef struct product {
    double h;
    partial_direction way;
    const gen_damper_numbers* x;
} product;

static void emit(partial_direction way, double* input, double* output, vec3 slope)
{
    for (int k = 0; k < 3; k++) {
        if (way == PARTIAL_FORWARD) {
            output[k] += *input * v3_at(slope, k);
        } else {
            *input += output[k] * v3_at(slope, k);
        }
    }
}

// By poses and velocities: K turns with its body.
static void by_motion(const product* p, const lever* k, const swing* s, double weight, int node,
                      double* E)
{
    const vec3 held = m3_apply(s->R, s->hold);
    for (int i = 0; i < 3; i++) {
        const vec3 by_velocity = m3_apply(s->R, hold(k, m3_row(s->R, i)));
        const vec3 e = v3_unit(i);
        const vec3 back = m3_apply_t(s->R, v3_cross(e, m3_apply(s->R, s->w)));
        const vec3 by_turn = v3_sub(v3_cross(e, held), m3_apply(s->R, hold(k, back)));
        emit(p->way, &p->x->velocity[6 * node + 3 + i], E, v3_scale(weight, by_velocity));
        emit(p->way, &p->x->pose[6 * node + 3 + i], E, v3_scale(weight, by_turn));
    }
}

// Where a marker stands in the body.
static void by_marker(const product* p, const gen_tree* t, const lever* k, const swing* s,
                      double weight, int joint, double sign, double* E)
{
    if (joint < 0) return;
    const bool is_follower = t->model->joints[joint].follower == t->bodies[k->at].body;
    double* in =
        &p->x->in->marker[2 * MARKER_PARAMETERS * joint + (is_follower ? 0 : MARKER_PARAMETERS)];
    for (int i = 0; i < 3; i++) {
        const vec3 slope = m3_apply(s->R, hold_slope(k, v3_unit(i), s->w));
        emit(p->way, &in[i], E, v3_scale(sign * weight, slope));
    }
}

// Changes of the masses at and beyond a body, or gradients by these.
static double* beyond(gen_tree* t, int at) { return &t->composite[at].first.x; }

static void sum_masses(gen_tree* t, const parameter_set* in)
{
    for (int at = 0; at < t->body_count; at++) {
        *beyond(t, at) = in->body[BODY_PARAMETERS * t->bodies[at].body];
    }
    for (int at = t->body_count - 1; at >= 0; at--) {
        const int parent = t->bodies[at].parent;
        if (parent >= 0) *beyond(t, parent) += *beyond(t, at);
    }
}

static void share_masses(gen_tree* t, const parameter_set* in)
{
    for (int at = 0; at < t->body_count; at++) {
        const int parent = t->bodies[at].parent;
        if (parent >= 0) *beyond(t, at) += *beyond(t, parent);
        in->body[BODY_PARAMETERS * t->bodies[at].body] += *beyond(t, at);
    }
}

// The weight, by every mass that hangs there and by gravity.
static void by_weight(const gen_motion* m, const product* p, const lever* k, const swing* s,
                      double* E)
{
    const gen_tree* t = m->tree;
    const double share = 0.25 * p->h * p->h;
    const double g = weight_of(t);
    const vec3 held = m3_apply(s->R, s->hold);
    const vec3 by_mass = v3_scale(share * g, held);
    for (int i = 0; i < 3; i++) {
        const double slope = share * mass_at(t, k) * v3_at(t->model->all.gravity, i) / g;
        emit(p->way, &p->x->in->gravity[i], E, v3_scale(slope, held));
    }
    if (k->child < 0) {
        emit(p->way, &p->x->in->body[BODY_PARAMETERS * t->bodies[k->at].body], E, by_mass);
    } else {
        emit(p->way, beyond(m->tree, k->child), E, by_mass);
    }
}

static void add_product(const gen_motion* m, const lever* k, void* self)
{
    const product* p = self;
    const gen_tree* t = m->tree;
    const gen_body* b = &t->bodies[k->at];
    const swing s = swing_of(m, k);
    const int node = node_of(t, k->at);
    const double weight = 0.25 * p->h * p->h * weight_of(t) * mass_at(t, k);
    double* E = &p->x->E[6 * node + 3];
    by_motion(p, k, &s, weight, node, E);
    if (p->x->in == NULL) return;
    if ((p->x->in->wants & WANT_MARKERS) != 0) {
        by_marker(p, t, k, &s, weight, b->joint, -1.0, E);
        if (k->child >= 0) by_marker(p, t, k, &s, weight, t->bodies[k->child].joint, 1.0, E);
    }
    if ((p->x->in->wants & WANT_BODIES) != 0) by_weight(m, p, k, &s, E);
}

void tml__gen_tension_product(const gen_motion* m, double h, partial_direction way,
                              const gen_damper_numbers* x)
{
    product p = {h, way, x};
    gen_tree* t = m->tree;
    const bool wants_masses = x->in != NULL && (x->in->wants & WANT_BODIES) != 0;
    if (weight_of(t) == 0.0) return;
    for (int at = 0; at < t->body_count; at++) *beyond(t, at) = 0.0;
    if (wants_masses && way == PARTIAL_FORWARD) sum_masses(t, x->in);
    visit_levers(m, add_product, &p);
    if (wants_masses && way == PARTIAL_BACKWARD) share_masses(t, x->in);
}
