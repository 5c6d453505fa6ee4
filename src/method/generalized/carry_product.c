// method/generalized/carry_product.c - reflections and projections, differentiated.
#include "method/generalized/carry_product.h"

#include <string.h>

// ---- memory

// Hands out one array after the other; NULL: counts.
static double* cut(double** at, size_t* total, size_t count)
{
    double* out = *at;
    *total += count;
    if (*at != NULL) *at += count;
    return out;
}

static size_t lay_out(gen_carry_product* c, double* memory)
{
    const gen_tree* t = c->rows->motion->tree;
    const size_t six = 6 * (size_t)t->body_count;
    const size_t columns = (size_t)t->column_count;
    const size_t rows = (size_t)c->rows->motion->s->row_count;
    size_t total = 0;
    c->before = cut(&memory, &total, six);
    c->mid = cut(&memory, &total, six);
    c->turned = cut(&memory, &total, six);
    c->positions = cut(&memory, &total, columns);
    c->rates = cut(&memory, &total, columns);
    c->mid_positions = cut(&memory, &total, columns);
    c->mid_rates = cut(&memory, &total, columns);
    c->moved = cut(&memory, &total, columns);
    c->given = cut(&memory, &total, columns);
    c->end_rates = cut(&memory, &total, columns);
    c->value = cut(&memory, &total, rows);
    c->impulse = cut(&memory, &total, rows);
    return total;
}

tml_status tml__gen_carry_product_create(gen_step_rows* rows, const tml_allocator* allocator,
                                         message* why, gen_carry_product** out)
{
    *out = NULL;
    gen_carry_product* c = tml__allocate(allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    c->rows = rows;
    if (allocator != NULL) c->allocator = *allocator;
    c->memory = tml__allocate(allocator, lay_out(c, NULL), sizeof(double));
    const tml_status status =
        tml__gen_carry_remember(rows->motion->carry, rows->motion->tree, &rows->motion->allocator);
    if (c->memory == NULL || status != TML_OK) {
        tml__gen_carry_product_destroy(c);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    lay_out(c, c->memory);
    *out = c;
    return TML_OK;
}

void tml__gen_carry_product_destroy(gen_carry_product* c)
{
    if (c == NULL) return;
    const tml_allocator allocator = c->allocator;
    tml__release(&allocator, c->memory);
    tml__release(&allocator, c);
}

// ---- small things

static void clear(double* x, size_t count) { memset(x, 0, count * sizeof *x); }

static size_t columns_of(const gen_carry_product* c)
{
    return (size_t)c->rows->motion->tree->column_count;
}

static size_t six_of(const gen_carry_product* c)
{
    return 6 * (size_t)c->rows->motion->tree->body_count;
}

static size_t rows_of(const gen_carry_product* c) { return (size_t)c->rows->motion->s->row_count; }

static void add(double* to, double scale, const double* from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] += scale * from[i];
}

static vec3 arm_of(const gen_tree* t, int at) { return v3_sub(t->c[at], t->origin[at]); }

static int node_of(const gen_tree* t, int at) { return t->model->bodies[t->bodies[at].body].node; }

static void v3_add_to(double* to, double scale, vec3 x)
{
    v3_store(to, v3_axpy(v3_load(to), scale, x));
}

static double* body_of(const gen_tree* t, const parameter_set* in, int at)
{
    return &in->body[BODY_PARAMETERS * t->bodies[at].body];
}

static bool wants(const parameter_set* in, unsigned what) { return (in->wants & what) != 0; }

// ---- velocities of bodies at a pose

static gen_column_change markers_of(gen_carry_product* c, partial_direction way,
                                    const parameter_set* in, double* positions, double* rates)
{
    gen_product* p = c->rows->product;
    const gen_tree* t = c->rows->motion->tree;
    gen_column_change x = {.positions = positions, .rates = rates};
    if (!wants(in, WANT_MARKERS)) return x;
    x.inner = p->inner;
    x.outer = p->outer;
    if (way == PARTIAL_FORWARD) {
        tml__gen_marker_product(t, way, in, p->inner, p->outer);
    } else {
        memset(p->inner, 0, (size_t)t->body_count * sizeof *p->inner);
        memset(p->outer, 0, (size_t)t->body_count * sizeof *p->outer);
    }
    return x;
}

// V += scale (velocities of bodies at numbers, rates), w = R^T omega; positions and rates backwards.
static void velocity_product(gen_carry_product* c, partial_direction way, const parameter_set* in,
                             const double* numbers, const double* rates, double scale,
                             double* positions, double* d_rates, double* V)
{
    gen_product* p = c->rows->product;
    gen_tree* t = c->rows->motion->tree;
    const gen_walk_point at_point = {.rates = rates};
    tml__gen_place(t, numbers, rates);
    const gen_column_change x = markers_of(c, way, in, positions, d_rates);
    if (way == PARTIAL_FORWARD) {
        tml__gen_tangent_forward(p->walk, &at_point, &x);
        tml__gen_product_tell(p);
        for (int at = 0; at < t->body_count; at++) {
            const size_t n = 6 * (size_t)node_of(t, at);
            const vec3 turn = v3_load(&p->pose[n + 3]);
            const vec3 spin = v3_load(&p->velocity[n + 3]);
            const vec3 own = v3_sub(spin, v3_cross(turn, t->velocity[at].omega));
            v3_add_to(&V[6 * at], scale, v3_load(&p->velocity[n]));
            v3_add_to(&V[6 * at + 3], scale, m3_apply_t(t->R[at], own));
        }
        return;
    }
    const size_t six = 6 * (size_t)c->rows->motion->s->node_count;
    clear(p->pose, six);
    clear(p->velocity, six);
    for (int at = 0; at < t->body_count; at++) {
        const size_t n = 6 * (size_t)node_of(t, at);
        const vec3 spin = v3_scale(scale, m3_apply(t->R[at], v3_load(&V[6 * at + 3])));
        v3_store(&p->velocity[n], v3_scale(scale, v3_load(&V[6 * at])));
        v3_store(&p->velocity[n + 3], spin);
        v3_store(&p->pose[n + 3], v3_neg(v3_cross(t->velocity[at].omega, spin)));
    }
    tml__gen_product_ask(p);
    tml__gen_tangent_backward(p->walk, &at_point, &x);
    if (wants(in, WANT_MARKERS)) {
        tml__gen_marker_product(t, PARTIAL_BACKWARD, in, p->inner, p->outer);
    }
}

// ---- free turns

// One body: A dm = I dw - d_I (I (m - w) + h/2 m x I m), dw+ = 2 dm - dw, in place.
static void turn_one(const gen_body* b, vec3 w, double h, partial_direction way, double* inertia,
                     double* dw)
{
    const mat3 I = b->inertia;
    vec3 m;
    if (!tml__free_turn(I, w, h, &m)) return;
    const vec3 L = m3_apply(I, m);
    const mat3 turn = m3_sub(m3_mul(m3_skew(m), I), m3_skew(L));
    const mat3 inverse = m3_inverse(m3_add(I, m3_scale(0.5 * h, turn)));
    vec3 by_w[6];
    vec3 by_m[6];
    tml__unit_moments(m3_identity(), v3_sub(m, w), by_w);
    tml__unit_moments(m3_identity(), m, by_m);
    if (way == PARTIAL_FORWARD) {
        vec3 r = m3_apply(I, v3_load(dw));
        for (int i = 0; i < 6 && inertia != NULL; i++) {
            const vec3 slope = v3_axpy(by_w[i], 0.5 * h, v3_cross(m, by_m[i]));
            r = v3_axpy(r, -inertia[i], slope);
        }
        v3_store(dw, v3_sub(v3_scale(2.0, m3_apply(inverse, r)), v3_load(dw)));
        return;
    }
    const vec3 y = v3_load(dw);
    const vec3 z = m3_apply_t(inverse, v3_scale(2.0, y));
    v3_store(dw, v3_sub(m3_apply_t(I, z), y));
    for (int i = 0; i < 6 && inertia != NULL; i++) {
        const vec3 slope = v3_axpy(by_w[i], 0.5 * h, v3_cross(m, by_m[i]));
        inertia[i] -= v3_dot(z, slope);
    }
}

static void turn_product(gen_carry_product* c, partial_direction way, const parameter_set* in,
                         const gen_carried* from, double h, double* V)
{
    const gen_tree* t = c->rows->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        double* inertia = wants(in, WANT_BODIES) ? body_of(t, in, at) + 1 : NULL;
        turn_one(&t->bodies[at], from[at].w, h, way, inertia, &V[6 * at + 3]);
    }
}

// ---- a projection

typedef struct projection {
    const double *numbers, *rates;  // where, and what came of it
    const gen_carried* V;           // of what
    const double* impulse;          // per row
    const double* value;  // per row: changes of how open rows are, or gradients; NULL: targets move
    double left;          // those over this
} projection;

static gen_rows_point row_point(const projection* at)
{
    gen_rows_point out = {.numbers = at->numbers, .rates = at->rates, .is_held = at->value != NULL};
    out.view.level[1] = 1.0;
    return out;
}

// How momenta follow poses, masses, and V: changes of wrenches about the tree's origin.
static void momentum_forward(gen_carry_product* c, const projection* at_point,
                             const parameter_set* in, const double* V)
{
    gen_product* p = c->rows->product;
    const gen_tree* t = c->rows->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const gen_carried own = at_point->V[at];
        const vec3 arm = arm_of(t, at);
        const twist Z = p->walk->Z[at];
        const vec3 dc = v3_add(Z.v, v3_cross(Z.omega, arm));
        const vec3 L = m3_apply(t->R[at], m3_apply(b->inertia, own.w));
        const vec3 P = v3_scale(b->mass, own.v);
        vec3 dP = v3_scale(b->mass, v3_load(&V[6 * at]));
        vec3 dL = m3_apply(t->R[at], m3_apply(b->inertia, v3_load(&V[6 * at + 3])));
        dL = v3_add(dL, v3_cross(Z.omega, L));
        if (wants(in, WANT_BODIES)) {
            const double* mine = body_of(t, in, at);
            vec3 moment[6];
            tml__unit_moments(t->R[at], m3_apply(t->R[at], own.w), moment);
            dP = v3_axpy(dP, mine[0], own.v);
            for (int i = 0; i < 6; i++) dL = v3_axpy(dL, mine[1 + i], moment[i]);
        }
        const vec3 about = v3_add(v3_cross(dc, P), v3_cross(arm, dP));
        p->dW[at] = wr_sub(p->dW[at], (wrench){v3_add(dL, about), dP});
    }
}

static void momentum_backward(gen_carry_product* c, const projection* at_point,
                              const parameter_set* in, double* V)
{
    gen_product* p = c->rows->product;
    const gen_tree* t = c->rows->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        const gen_carried own = at_point->V[at];
        const vec3 arm = arm_of(t, at);
        const vec3 L = m3_apply(t->R[at], m3_apply(b->inertia, own.w));
        const vec3 P = v3_scale(b->mass, own.v);
        const vec3 g_L = v3_neg(p->Y[at].omega);
        const vec3 g_P = v3_sub(v3_cross(g_L, arm), p->Y[at].v);
        const vec3 g_c = v3_cross(P, g_L);
        const vec3 turn = v3_add(v3_cross(L, g_L), v3_cross(arm, g_c));
        p->walk->g_Z[at] = wr_add(p->walk->g_Z[at], (wrench){turn, g_c});
        v3_add_to(&V[6 * at], b->mass, g_P);
        v3_add_to(&V[6 * at + 3], 1.0, m3_apply(b->inertia, m3_apply_t(t->R[at], g_L)));
        if (!wants(in, WANT_BODIES)) continue;
        double* mine = body_of(t, in, at);
        vec3 moment[6];
        tml__unit_moments(t->R[at], m3_apply(t->R[at], own.w), moment);
        mine[0] += v3_dot(own.v, g_P);
        for (int i = 0; i < 6; i++) mine[1 + i] += v3_dot(moment[i], g_L);
    }
}

// H u - J^T M V - J^T f = 0 at the pose: stands there with momenta outside.
static void look_at_momenta(gen_carry_product* c, const projection* at_point)
{
    gen_step_rows* s = c->rows;
    gen_tree* t = s->motion->tree;
    const gen_view view = {.has_inertia = true, .lambda = at_point->impulse};
    tml__gen_look(s->motion, at_point->numbers, s->zero);
    for (int at = 0; at < t->body_count; at++) {
        t->carried[at] = tml__gen_momentum(t, at, at_point->V[at]);
    }
    tml__gen_product_view(s->product, s->zero, at_point->rates, t->carried, &view);
}

static tml_status open_projection(gen_carry_product* c, const projection* at_point, message* why)
{
    gen_motion* m = c->rows->motion;
    tml__gen_look(m, at_point->numbers, c->rows->zero);
    tml__gen_mass(m->tree, NULL);
    const tml_status status =
        tml__gen_describe_failure(m, tml__gen_factor(m->tree, &m->bad_column), why);
    if (status != TML_OK) return status;
    return tml__gen_rows_open(c->rows, at_point->numbers, at_point->rates, why);
}

static tml_status project_forward(gen_carry_product* c, const projection* at_point,
                                  const parameter_set* in, double* positions, const double* V,
                                  double* rates, message* why)
{
    gen_step_rows* s = c->rows;
    const size_t n = columns_of(c);
    const gen_column_change change = {.positions = positions};
    const tml_status status = open_projection(c, at_point, why);
    if (status != TML_OK) return status;
    look_at_momenta(c, at_point);
    tml__gen_product_move(s->product, &change, in);
    momentum_forward(c, at_point, in, V);
    tml__gen_product_forward(s->product, in, s->r);
    for (size_t k = 0; k < n; k++) s->r[k] = -s->r[k];
    if (s->border.count > 0) {
        const gen_rows_point rows = row_point(at_point);
        tml__gen_rows_carry(s, PARTIAL_FORWARD, &rows, &change, in, 0.0, s->flow);
        if (at_point->value != NULL) {
            add(s->product->rows, 1.0 / at_point->left, at_point->value, rows_of(c));
        }
    }
    tml__gen_rows_forward(s, s->r);
    memcpy(rates, s->r, n * sizeof *rates);
    return TML_OK;
}

// Gradients by rates, which are used up; positions and V grow, and value is overwritten.
static tml_status project_backward(gen_carry_product* c, const projection* at_point,
                                   const parameter_set* in, double* positions, double* V,
                                   double* rates, message* why)
{
    gen_step_rows* s = c->rows;
    const size_t n = columns_of(c);
    const gen_column_change change = {.positions = positions};
    tml_status status = open_projection(c, at_point, why);
    if (status != TML_OK) return status;
    memcpy(s->r, rates, n * sizeof *rates);
    tml__gen_rows_backward(s, s->r, true);
    if (s->border.count > 0) {
        const gen_rows_point rows = row_point(at_point);
        if (at_point->value != NULL) {
            for (size_t i = 0; i < rows_of(c); i++) {
                c->value[i] = s->product->rows[i] / at_point->left;
            }
        }
        clear(s->w, n);
        tml__gen_rows_carry(s, PARTIAL_BACKWARD, &rows, &change, in, 0.0, s->w);
        clear(s->product->rows, rows_of(c));
    } else {
        clear(c->value, rows_of(c));
    }
    look_at_momenta(c, at_point);
    for (size_t k = 0; k < n; k++) s->r[k] = -s->r[k];
    tml__gen_product_pull(s->product, s->r);
    momentum_backward(c, at_point, in, V);
    tml__gen_product_backward(s->product, &change, in);
    return status;
}

// ---- one part

// How open the rows were where a part started: into c->value, or gradients by it.
static void value_product(gen_carry_product* c, partial_direction way, const parameter_set* in,
                          const gen_carry_part* part, double* positions)
{
    gen_step_rows* s = c->rows;
    const gen_column_change change = {.positions = positions};
    gen_rows_point at = {.numbers = part->numbers, .rates = s->zero};
    at.view.level[0] = 1.0;
    if (s->motion->rows == NULL) return;
    if (way == PARTIAL_FORWARD) {
        tml__gen_rows_carry(s, way, &at, &change, in, 0.0, s->flow);
        memcpy(c->value, s->product->rows, rows_of(c) * sizeof *c->value);
        return;
    }
    memcpy(s->product->rows, c->value, rows_of(c) * sizeof *c->value);
    clear(s->w, columns_of(c));
    tml__gen_rows_carry(s, way, &at, &change, in, 0.0, s->w);
    clear(s->product->rows, rows_of(c));
}

static projection middle(const gen_carry_product* c, const gen_carry_part* part)
{
    const gen_carry* k = c->rows->motion->carry;
    return (projection){.numbers = k->numbers_mid,
                        .rates = k->rates_mid,
                        .V = k->mid,
                        .impulse = c->rows->motion->rows != NULL ? k->impulse_mid : NULL,
                        .value = c->value,
                        .left = part->left};
}

// The rows of the middle push twice.
static void count_twice(const gen_carry_product* c, bool is_forward)
{
    gen_step_rows* s = c->rows;
    const gen_border* b = &s->border;
    for (int k = 0; k < b->count && is_forward; k++) s->multipliers[b->row[k]] += b->rest[k];
}

// From c->positions and c->rates to c->moved and c->turned, by way of the middle.
static tml_status part_forward(gen_carry_product* c, const gen_carry_part* part,
                               const parameter_set* in, message* why)
{
    const gen_carry* k = c->rows->motion->carry;
    const gen_tree* t = c->rows->motion->tree;
    const size_t six = six_of(c);
    tml_status status = tml__gen_carry_again(c->rows->motion, part);
    if (status != TML_OK) return tml__gen_describe_failure(c->rows->motion, status, why);
    clear(c->mid, six);
    velocity_product(c, PARTIAL_FORWARD, in, part->numbers, part->rates, 1.0, c->positions,
                     c->rates, c->mid);
    turn_product(c, PARTIAL_FORWARD, in, k->before, 0.5 * part->h, c->mid);
    tml__gen_move_product(t, true, part->rates, 0.5 * part->h, c->positions, c->rates,
                          c->mid_positions);
    value_product(c, PARTIAL_FORWARD, in, part, c->positions);
    const projection at = middle(c, part);
    status = project_forward(c, &at, in, c->mid_positions, c->mid, c->mid_rates, why);
    if (status != TML_OK) return status;
    count_twice(c, true);
    clear(c->turned, six);
    add(c->turned, -1.0, c->mid, six);
    velocity_product(c, PARTIAL_FORWARD, in, k->numbers_mid, k->rates_mid, 2.0, c->mid_positions,
                     c->mid_rates, c->turned);
    tml__gen_move_product(t, true, k->rates_mid, part->h, c->positions, c->mid_rates, c->moved);
    return TML_OK;
}

// And back: c->positions and c->rates are overwritten, c->mid_positions may have grown before.
static tml_status part_backward(gen_carry_product* c, const gen_carry_part* part,
                                const parameter_set* in, message* why)
{
    gen_step_rows* s = c->rows;
    const gen_carry* k = s->motion->carry;
    const gen_tree* t = s->motion->tree;
    const size_t n = columns_of(c);
    const size_t six = six_of(c);
    tml_status status = tml__gen_carry_again(s->motion, part);
    if (status != TML_OK) return tml__gen_describe_failure(s->motion, status, why);
    clear(c->positions, n);
    clear(c->rates, n);
    clear(c->mid_rates, n);
    clear(c->mid, six);
    tml__gen_move_product(t, false, k->rates_mid, part->h, c->positions, c->mid_rates, c->moved);
    add(c->mid, -1.0, c->turned, six);
    velocity_product(c, PARTIAL_BACKWARD, in, k->numbers_mid, k->rates_mid, 2.0, c->mid_positions,
                     c->mid_rates, c->turned);
    const projection at = middle(c, part);
    for (size_t i = 0; i < rows_of(c); i++) s->multipliers[i] *= 2.0;  // they push twice
    status = project_backward(c, &at, in, c->mid_positions, c->mid, c->mid_rates, why);
    for (size_t i = 0; i < rows_of(c); i++) s->multipliers[i] *= 0.5;
    if (status != TML_OK) return status;
    value_product(c, PARTIAL_BACKWARD, in, part, c->positions);
    tml__gen_move_product(t, false, part->rates, 0.5 * part->h, c->positions, c->rates,
                          c->mid_positions);
    turn_product(c, PARTIAL_BACKWARD, in, k->before, 0.5 * part->h, c->mid);
    velocity_product(c, PARTIAL_BACKWARD, in, part->numbers, part->rates, 1.0, c->positions,
                     c->rates, c->mid);
    clear(c->mid_positions, n);
    return TML_OK;
}

// Where a part ends, its values found again: c->end_rates.
static tml_status end_again(gen_carry_product* c, const double* numbers, gen_carried** turned,
                            message* why)
{
    gen_motion* m = c->rows->motion;
    // what is turned is wanted as it was before it turned, too
    memcpy(m->carry->before, m->carry->turned,
           (size_t)m->tree->body_count * sizeof *m->carry->before);
    memset(c->impulse, 0, rows_of(c) * sizeof *c->impulse);
    const tml_status status = tml__gen_carry_end(m, numbers, c->end_rates, c->impulse);
    *turned = m->carry->before;
    return tml__gen_describe_failure(m, status, why);
}

static projection ending(const gen_carry_product* c, const double* numbers)
{
    const gen_carry* k = c->rows->motion->carry;
    return (projection){.numbers = numbers,
                        .rates = c->end_rates,
                        .V = k->turned,
                        .impulse = c->rows->motion->rows != NULL ? k->impulse_end : NULL};
}

static tml_status end_forward(gen_carry_product* c, const gen_carry_part* part,
                              const parameter_set* in, const double* numbers, double* positions,
                              double* rates, message* why)
{
    gen_carried* before = NULL;
    tml_status status = tml__gen_carry_again(c->rows->motion, part);
    if (status == TML_OK) status = end_again(c, numbers, &before, why);
    if (status != TML_OK) return tml__gen_describe_failure(c->rows->motion, status, why);
    turn_product(c, PARTIAL_FORWARD, in, before, 0.5 * part->h, c->turned);
    const projection at = ending(c, numbers);
    return project_forward(c, &at, in, positions, c->turned, rates, why);
}

// Gradients by rates become those by c->turned; positions grow.
static tml_status end_backward(gen_carry_product* c, const gen_carry_part* part,
                               const parameter_set* in, const double* numbers, double* positions,
                               double* rates, message* why)
{
    gen_carried* before = NULL;
    tml_status status = tml__gen_carry_again(c->rows->motion, part);
    if (status == TML_OK) status = end_again(c, numbers, &before, why);
    if (status != TML_OK) return tml__gen_describe_failure(c->rows->motion, status, why);
    clear(c->turned, six_of(c));
    const projection at = ending(c, numbers);
    status = project_backward(c, &at, in, positions, c->turned, rates, why);
    turn_product(c, PARTIAL_BACKWARD, in, before, 0.5 * part->h, c->turned);
    return status;
}

// ---- the whole motion

static const gen_carry_part* last_part(const gen_carry_product* c)
{
    const gen_carry* k = c->rows->motion->carry;
    return &k->parts[k->part_count - 1];
}

const double* tml__gen_carry_mid(const gen_carry_product* c)
{
    return c->rows->motion->carry->numbers_mid;
}

tml_status tml__gen_carry_stand(gen_carry_product* c, message* why)
{
    gen_motion* m = c->rows->motion;
    const tml_status status = tml__gen_carry_again(m, last_part(c));
    return tml__gen_describe_failure(m, status, why);
}

tml_status tml__gen_carry_move_product(gen_carry_product* c, partial_direction way,
                                       const parameter_set* in, double* positions, double* rates,
                                       double* moved, message* why)
{
    const gen_carry* k = c->rows->motion->carry;
    const size_t n = columns_of(c);
    const size_t bytes = n * sizeof(double);
    const int count = k->part_count;
    tml_status status = TML_OK;
    if (way == PARTIAL_FORWARD) {
        memcpy(c->positions, positions, bytes);
        memcpy(c->rates, rates, bytes);
        for (int i = 0; i < count && status == TML_OK; i++) {
            status = part_forward(c, &k->parts[i], in, why);
            if (status != TML_OK || i == count - 1) break;
            memcpy(c->positions, c->moved, bytes);
            status = end_forward(c, &k->parts[i], in, k->parts[i + 1].numbers, c->positions,
                                 c->rates, why);
        }
        memcpy(moved, c->moved, bytes);
        return status;
    }
    memcpy(c->moved, moved, bytes);
    for (int i = count - 1; i >= 0 && status == TML_OK; i--) {
        status = part_backward(c, &k->parts[i], in, why);
        if (status != TML_OK || i == 0) break;
        memcpy(c->moved, c->positions, bytes);
        status =
            end_backward(c, &k->parts[i - 1], in, k->parts[i].numbers, c->moved, c->rates, why);
    }
    add(positions, 1.0, c->positions, n);
    add(rates, 1.0, c->rates, n);
    return status;
}

tml_status tml__gen_carry_end_product(gen_carry_product* c, partial_direction way,
                                      const parameter_set* in, const double* numbers_after,
                                      double* positions, double* rates, message* why)
{
    if (way == PARTIAL_FORWARD) {
        return end_forward(c, last_part(c), in, numbers_after, positions, rates, why);
    }
    clear(c->mid_positions, columns_of(c));
    return end_backward(c, last_part(c), in, numbers_after, positions, rates, why);
}
