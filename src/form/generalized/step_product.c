// form/generalized/step_product.c - right-hand sides of the bordered derivative for one direction, and
// their transposes.
//
// With tau(q, u, a) the inverse dynamics at a = (u+ - u)/h, what touches acting from outside, D the
// dampers that are taken at the end of the step:
//
//     h tau + h D (u+ - u) = 0   along the columns,      J u+ + offset = 0   in the rows that hold
//     r = -h d tau(dq, du, -du/h) + h D du - h dD (u+ - u) + (d mu) f_n J_t^T
//     g = d(J) u+ + d(offset)
#include "form/generalized/step_product.h"

#include "base/request.h"
#include "force/axis.h"
#include "math/small.h"

#include <math.h>
#include <string.h>

// ---- memory

enum {
    REQUESTS = 10
};

// clang-format off
static int list_requests(gen_step_product* s, request list[REQUESTS])
{
    const size_t bodies = (size_t)s->motion->tree->body_count;
    const size_t columns = (size_t)s->motion->tree->column_count;
    const request all[] = {
        {&s->outside, bodies, sizeof(wrench)},
        {&s->v_after, bodies, sizeof(twist)},
        {&s->inner,   bodies, sizeof(twist)},
        {&s->outer,   bodies, sizeof(twist)},
        {&s->r,       columns, sizeof(double)},
        {&s->move,    columns, sizeof(double)},
        {&s->from,    columns, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}
// clang-format on

tml_status tml__gen_step_product_create(gen_motion* m, const tml_allocator* allocator, message* why,
                                        gen_step_product** out)
{
    *out = NULL;
    gen_step_product* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    s->motion = m;
    if (allocator != NULL) s->allocator = *allocator;
    s->border.allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    if (tml__take_all(allocator, list, count) != TML_OK ||
        tml__gen_take_mass_matrix(m->tree) != TML_OK ||
        tml__gen_product_create(m, allocator, &s->inverse) != TML_OK ||
        tml__gen_tangent_create(m->tree, allocator, &s->after) != TML_OK) {
        tml__gen_step_product_destroy(s);
        return tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    *out = s;
    return TML_OK;
}

void tml__gen_step_product_destroy(gen_step_product* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    request list[REQUESTS];
    const int count = list_requests(s, list);
    tml__release_all(&allocator, list, count);
    tml__release(&allocator, s->bends);
    tml__release(&allocator, s->g);
    tml__release(&allocator, s->labels);
    tml__gen_product_destroy(s->inverse);
    tml__gen_tangent_destroy(s->after);
    tml__gen_border_release(&s->border);
    tml__release(&allocator, s);
}

// Contacts and rows come and go; room for them is kept.
static tml_status take_room(gen_step_product* s, int contacts, int rows, message* why)
{
    if (contacts > s->bend_room) {
        tml__release(&s->allocator, s->bends);
        s->bends = tml__allocate(&s->allocator, (size_t)contacts, sizeof *s->bends);
        s->bend_room = s->bends != NULL ? contacts : 0;
    }
    if (rows > s->row_room) {
        tml__release(&s->allocator, s->g);
        tml__release(&s->allocator, s->labels);
        s->g = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->g);
        s->labels = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->labels);
        s->row_room = s->g != NULL && s->labels != NULL ? rows : 0;
    }
    if (contacts <= s->bend_room && rows <= s->row_room) return TML_OK;
    return tml__fail(why, TML_NO_MEMORY, "out of memory");
}

// ---- what is covered

static tml_status check_balls(const gen_step_product* s, message* why)
{
    const tml_model* model = s->motion->s->model;
    const gen_tree* t = s->motion->tree;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        if (link->kind != LINK_BALL || joint < 0) continue;
        for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
            const axis_data* a = &model->joints[joint].axis[k];
            const bool is_damped = a->damping > 0.0 || (a->has_servo && a->servo_damping > 0.0);
            if (!is_damped && !a->has_limits) continue;
            return tml__fail(why, TML_UNSUPPORTED,
                             "joint '%s': damping and limits along one of three turns have no "
                             "derivatives in generalized coordinates yet",
                             model->all.joints[joint].name);
        }
    }
    return TML_OK;
}

static tml_status check(const gen_step_product* s, message* why)
{
    int rows = s->touch != NULL ? s->touch->equal_count : 0;
    if (s->touch == NULL && s->motion->rows != NULL) rows = s->motion->rows->count;
    if (rows > 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "%d rows of loops, drives, couplings or limits: their derivatives in "
                         "generalized coordinates are not written",
                         rows);
    }
    return check_balls(s, why);
}

// ---- points of reference

// A motion about the tree's origin, about the world's.
static twist to_world(twist a, vec3 origin)
{
    return (twist){a.omega, v3_sub(a.v, v3_cross(a.omega, origin))};
}

// A wrench, or a gradient by such a motion, the other way.
static wrench to_origin(wrench f, vec3 origin)
{
    return (wrench){v3_sub(f.moment, v3_cross(origin, f.force)), f.force};
}

static twist body_twist(const gen_step_product* s, const twist* list, int body)
{
    const gen_tree* t = s->motion->tree;
    const int at = t->index[body];
    return at >= 0 ? to_world(list[at], t->origin[at]) : tw_zero();
}

// Of body a against body b.
static twist relative(const gen_step_product* s, const twist* list, const contact* k)
{
    return tw_axpy(body_twist(s, list, k->body_a), -1.0, body_twist(s, list, k->body_b));
}

// f on body a, -f on body b; `list` in the trees' own origins.
static void push_pair(const gen_step_product* s, const contact* k, double scale, wrench f,
                      wrench* list)
{
    const gen_tree* t = s->motion->tree;
    for (int side = 0; side < 2; side++) {
        const int at = t->index[side == 0 ? k->body_a : k->body_b];
        const double sign = side == 0 ? scale : -scale;
        if (at < 0) continue;
        const wrench own = to_origin(f, t->origin[at]);
        list[at].moment = v3_axpy(list[at].moment, sign, own.moment);
        list[at].force = v3_axpy(list[at].force, sign, own.force);
    }
}

// ---- where it stands

static void list_motions_after(gen_step_product* s, const double* rates)
{
    const gen_tree* t = s->motion->tree;
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* b = &t->bodies[at];
        twist v = b->parent >= 0 ? s->v_after[b->parent] : tw_zero();
        for (int k = b->column; k < b->column + b->column_count; k++) {
            v = tw_axpy(v, rates[k], t->S[k]);
        }
        s->v_after[at] = v;
    }
}

static void list_outside(gen_step_product* s)
{
    const gen_touch* c = s->touch;
    memset(s->outside, 0, (size_t)s->motion->tree->body_count * sizeof *s->outside);
    for (int i = 0; c != NULL && i < c->contact_count; i++) {
        const contact* k = &s->record.contacts[i];
        const vec3 force = tml__gen_touch_force(c, s->record.contacts, i);
        const wrench f = {v3_cross(k->point, force), force};
        push_pair(s, k, 1.0 / s->record.h, f, s->outside);
    }
}

// Bends of the contacts whose normal rows hold.
static tml_status list_bends(gen_step_product* s, const unsigned char* labels, message* why)
{
    const gen_touch* c = s->touch;
    for (int i = 0; c != NULL && i < c->contact_count; i++) {
        if (labels[c->contact_row[i]] != LCP_HELD) continue;
        const tml_status status = tml__gen_bend(&s->record.contacts[i], &s->bends[i]);
        if (status == TML_OK) continue;
        return tml__fail(why, status, "contact %d has no derivative: its features are degenerate",
                         i);
    }
    return TML_OK;
}

static tml_status use_labels(gen_step_product* s, const unsigned char* labels, message* why)
{
    s->used = labels;
    const tml_status status =
        tml__gen_border_fill(&s->border, s->touch, s->motion->tree, labels, why);
    s->is_tied = s->border.is_tied;
    s->is_rank_doubtful = s->border.is_rank_doubtful;
    return status == TML_OK ? list_bends(s, labels, why) : status;
}

tml_status tml__gen_step_product_at(gen_step_product* s, gen_touch* touch, gen_step_mode mode,
                                    const gen_step_record* record, message* why)
{
    gen_motion* m = s->motion;
    gen_tree* t = m->tree;
    s->touch = touch;
    s->mode = mode;
    s->record = *record;
    s->took_other_labels = false;
    tml_status status = check(s, why);
    if (status == TML_OK && touch != NULL) {
        status = take_room(s, touch->contact_count, touch->rows->count, why);
    }
    if (status != TML_OK) return status;
    tml__gen_look(m, record->numbers, record->rates);
    for (int k = 0; k < t->column_count; k++) {
        s->move[k] = (record->rates_after[k] - record->rates[k]) / record->h;
        m->added[k] = record->h * m->damping[k];
    }
    list_outside(s);
    list_motions_after(s, record->rates_after);
    tml__gen_product_at(s->inverse, record->rates, s->move, s->outside);
    tml__gen_mass(t, m->added);
    status = tml__gen_describe_failure(m, tml__gen_factor(t, &m->bad_column), why);
    s->has_shift = false;
    for (int k = 0; touch != NULL && k < t->column_count; k++) {
        s->has_shift = s->has_shift || touch->shift[k] != 0.0;
    }
    return status == TML_OK ? use_labels(s, touch != NULL ? touch->labels : NULL, why) : status;
}

// ---- contacts, row by row

// Which contact a row of the border belongs to, and which of its rows it is; -1: a limit.
static int contact_of(const gen_step_product* s, int k, int* r)
{
    const gen_touch* c = s->touch;
    const int row = s->border.row[k];
    // contacts stand in the order of their rows
    int low = 0;
    int high = c->contact_count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (c->contact_row[middle] <= row) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if (c->contact_count == 0 || row < c->contact_row[low]) return -1;
    *r = row - c->contact_row[low];
    return low;
}

// A limit stands along one column; it may close the room it has. The touch has gone on to the room at
// the end of the step.
static bool closes_room(const gen_step_product* s, int k)
{
    const gen_touch* c = s->touch;
    const int row = s->border.row[k];
    const double moved = s->record.h * tml__gen_rows_rate(c->rows, row, s->record.rates_after);
    return c->gap[row] - moved > 0.0;
}

// Shapes stay with the frame of their body: where its centre of mass moves in it, they move back.
static vec3 shape_shift(const gen_step_product* s, int body, const double* com)
{
    const int at = s->motion->tree->index[body];
    if (com == NULL || at < 0) return v3_zero();
    return v3_neg(m3_apply(s->motion->tree->R[at], v3_load(&com[3 * body])));
}

static void spread(const gen_step_product* s, const contact* k, const double* com,
                   double z[TWIST_COLUMNS])
{
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const twist Z = body_twist(s, s->inverse->walk->Z, body);
        v3_store(z + 6 * side, Z.omega);
        v3_store(z + 6 * side + 3, v3_add(Z.v, shape_shift(s, body, com)));
    }
}

static void gather(const gen_step_product* s, const contact* k, const double z[TWIST_COLUMNS],
                   double* com)
{
    const gen_tree* t = s->motion->tree;
    wrench* g_Z = s->inverse->walk->g_Z;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const int at = t->index[body];
        if (at < 0) continue;
        const wrench g = {v3_load(z + 6 * side), v3_load(z + 6 * side + 3)};
        g_Z[at] = wr_add(g_Z[at], to_origin(g, t->origin[at]));
        if (com == NULL) continue;
        double* mine = &com[3 * body];
        v3_store(mine, v3_sub(v3_load(mine), m3_apply_t(t->R[at], g.force)));
    }
}

// Friction at its bound follows the coefficient: f_n d(mu) along the tangent.
static void friction_product(const gen_step_product* s, partial_direction way, double* contact_in,
                             double* r)
{
    const gen_touch* c = s->touch;
    const gen_rows* rows = c->rows;
    for (int i = 0; i < c->contact_count; i++) {
        const contact* k = &s->record.contacts[i];
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        for (int row = at + 1; row <= at + c->friction_rows[i]; row++) {
            const bool is_bound = s->used[row] == LCP_UPPER || s->used[row] == LCP_LOWER;
            if (!is_bound) continue;
            const double f = s->used[row] == LCP_UPPER ? c->f[at] : -c->f[at];
            double d = 0.0;
            const int bodies[2] = {k->body_a, k->body_b};
            const int world = s->motion->s->model->all.body_count;
            for (int b = 0; b < 2 && way == PARTIAL_FORWARD; b++) {
                if (bodies[b] < world) d += contact_in[2 * bodies[b]];
            }
            for (size_t e = rows->start[row]; e < rows->start[row + 1]; e++) {
                if (way == PARTIAL_FORWARD) {
                    r[rows->column[e]] += f * d * rows->j[e];
                } else {
                    d += f * rows->j[e] * r[rows->column[e]];
                }
            }
            for (int b = 0; b < 2 && way == PARTIAL_BACKWARD; b++) {
                if (bodies[b] < world) contact_in[2 * bodies[b]] += d;
            }
        }
    }
}

// The restitution of a bouncing row: e J u, by e.
static void restitution_product(const gen_step_product* s, partial_direction way, const contact* k,
                                double speed, double* contact_in, double* g)
{
    const int world = s->motion->s->model->all.body_count;
    const int bodies[2] = {k->body_a, k->body_b};
    for (int b = 0; b < 2 && contact_in != NULL; b++) {
        if (bodies[b] >= world) continue;
        double* mine = &contact_in[2 * bodies[b] + 1];
        if (way == PARTIAL_FORWARD) {
            *g += speed * *mine;
        } else {
            *mine += speed * *g;
        }
    }
}

// What one row that holds asks for, by displacements and velocities of its bodies.
static double row_forward(const gen_step_product* s, int i, int r, const double* z,
                          double* contact_in)
{
    const gen_bend* b = &s->bends[i];
    const contact* k = b->k;
    const touch_offset offset = s->touch->offset_of[i];
    const wrench w = tml__gen_bend_row(b, r);
    const wrench dw = tml__gen_bent(b, r, z);
    double g = sv_dot(relative(s, s->v_after, k), dw) + sv_dot(relative(s, s->after->V, k), w);
    if (r == 0 && offset == OFFSET_GAP) g += gen_bend_along(b->gap, z) / s->record.h;
    if (r == 0 && offset == OFFSET_BOUNCE) {
        const twist v = relative(s, s->motion->tree->velocity, k);
        g += k->restitution * (sv_dot(v, dw) + sv_dot(relative(s, s->inverse->walk->V, k), w));
        restitution_product(s, PARTIAL_FORWARD, k, sv_dot(v, w), contact_in, &g);
    }
    return g;
}

static void row_backward(const gen_step_product* s, int i, int r, double g, double* z,
                         double* contact_in)
{
    const gen_bend* b = &s->bends[i];
    const contact* k = b->k;
    const touch_offset offset = s->touch->offset_of[i];
    const wrench w = tml__gen_bend_row(b, r);
    twist by_w = tw_axpy(tw_zero(), g, relative(s, s->v_after, k));
    push_pair(s, k, g, w, s->after->g_V);
    if (r == 0 && offset == OFFSET_GAP) {
        for (int n = 0; n < TWIST_COLUMNS; n++) z[n] += g * b->gap[n] / s->record.h;
    }
    if (r == 0 && offset == OFFSET_BOUNCE) {
        const twist v = relative(s, s->motion->tree->velocity, k);
        by_w = tw_axpy(by_w, g * k->restitution, v);
        push_pair(s, k, g * k->restitution, w, s->inverse->walk->g_V);
        restitution_product(s, PARTIAL_BACKWARD, k, sv_dot(v, w), contact_in, &g);
    }
    tml__gen_bent_transposed(b, r, by_w, z);
}

// All contacts: forces bend with the poses, and rows ask for other things.
static void contacts_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_touch* c = s->touch;
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        double z[TWIST_COLUMNS];
        spread(s, s->bends[i].k, x->com, z);
        for (int r = 0; r <= c->friction_rows[i]; r++) {
            const double f = -c->f[at + r] / s->record.h;
            push_pair(s, s->bends[i].k, f, tml__gen_bent(&s->bends[i], r, z), s->inverse->dW);
        }
    }
    for (int k = 0; k < s->border.count; k++) {
        int r = 0;
        double z[TWIST_COLUMNS];
        const int i = contact_of(s, k, &r);
        s->g[k] = 0.0;
        if (i >= 0) {
            spread(s, s->bends[i].k, x->com, z);
            s->g[k] = row_forward(s, i, r, z, x->contact);
        } else if (closes_room(s, k)) {
            const double* J = s->border.J + (size_t)k * s->border.n;
            for (size_t j = 0; j < s->border.n; j++) s->g[k] += J[j] * x->positions[j];
            s->g[k] /= s->record.h;
        }
    }
}

static void contacts_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_touch* c = s->touch;
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        double z[TWIST_COLUMNS] = {0};
        const twist Y = relative(s, s->inverse->Y, s->bends[i].k);
        for (int r = 0; r <= c->friction_rows[i]; r++) {
            const double f = -c->f[at + r] / s->record.h;
            tml__gen_bent_transposed(&s->bends[i], r, tw_axpy(tw_zero(), f, Y), z);
        }
        gather(s, s->bends[i].k, z, x->com);
    }
    for (int k = 0; k < s->border.count; k++) {
        int r = 0;
        double z[TWIST_COLUMNS] = {0};
        const int i = contact_of(s, k, &r);
        if (i >= 0) {
            row_backward(s, i, r, s->g[k], z, x->contact);
            gather(s, s->bends[i].k, z, x->com);
        } else if (closes_room(s, k)) {
            const double* J = s->border.J + (size_t)k * s->border.n;
            const double g = s->g[k] / s->record.h;
            for (size_t j = 0; j < s->border.n; j++) x->positions[j] += g * J[j];
        }
    }
}

// ---- dampers along columns

// One damper with the coordinate gradient g by the columns from `first` on: -h dd g (g . (u+ - u)).
static void carry_damper(const gen_step_product* s, partial_direction way, int first, int count,
                         const double* g, double* input, double* r)
{
    double moved = 0.0;
    for (int k = 0; k < count; k++) {
        moved += g[k] * (s->record.rates[first + k] - s->record.rates_after[first + k]);
    }
    for (int k = 0; k < count; k++) {
        const double slope = s->record.h * moved * g[k];
        if (way == PARTIAL_FORWARD) {
            r[first + k] += slope * *input;
        } else {
            *input += slope * r[first + k];
        }
    }
}

// -h dD (u+ - u), D the dampers that are taken at the end of the step.
static void damper_product(const gen_step_product* s, partial_direction way,
                           const parameter_set* in, double* r)
{
    const gen_tree* t = s->motion->tree;
    if ((in->wants & WANT_AXES) == 0) return;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        const bool is_ball = link->kind == LINK_BALL;
        if (joint < 0) continue;
        for (int k = 0; k < link->count; k++) {
            const int axis = (link->kind == LINK_SLIDE ? 0 : 3) + link->letter[k];
            const axis_data* a = &t->model->joints[joint].axis[axis];
            double* mine = &in->axis[(joint * TML_AXES + axis) * AXIS_PARAMETERS];
            double g[3] = {1.0, 0.0, 0.0};
            if (!tml__axis_is_forced(a)) continue;
            for (int c = 0; c < 3 && is_ball; c++) {
                const vec3 turn = tml__maximal_coordinate_turn(s->motion->s, joint, (tml_axis)axis);
                g[c] = v3_dot(turn, t->S[link->column + c].omega);
            }
            const int first = is_ball ? link->column : link->column + k;
            const int count = is_ball ? 3 : 1;
            carry_damper(s, way, first, count, g, &mine[AXIS_DAMPING], r);
            if (!a->has_servo) continue;
            carry_damper(s, way, first, count, g, &mine[AXIS_SERVO_DAMPING], r);
        }
    }
}

// ---- bounces

static bool has_bounce(const gen_step_product* s)
{
    const gen_touch* c = s->touch;
    if (s->mode != STEP_CONTINUOUS_BOUNCE || c == NULL) return false;
    for (int i = 0; i < c->contact_count; i++) {
        if (c->offset_of[i] == OFFSET_BOUNCE && c->labels[c->contact_row[i]] == LCP_HELD) {
            return true;
        }
    }
    return false;
}

static double bounce_factor(const gen_step_product* s, int k)
{
    int r = 0;
    const int i = contact_of(s, k, &r);
    const bool is_bounce = i >= 0 && r == 0 && s->touch->offset_of[i] == OFFSET_BOUNCE;
    return -(1.0 + (is_bounce ? s->record.contacts[i].restitution : 0.0));
}

// What bounces, bounces within the step: positions change as by short steps about the impact,
// dq+ = P (dq + h du), P = 1 - M^-1 K A^-1 diag(1 + e) J.     [DCON App E, the saltation projector instead]
static void bounce_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    double* to = x->positions_after;
    for (size_t j = 0; j < b->n; j++) to[j] = x->positions[j] + s->record.h * x->rates[j];
    for (int k = 0; k < b->count; k++) {
        double sum = 0.0;
        for (size_t j = 0; j < b->n; j++) sum += b->J[(size_t)k * b->n + j] * to[j];
        s->g[k] = bounce_factor(s, k) * sum;
    }
    tml__lu_solve(b->count, b->A, b->count, b->pivot, s->g);
    for (int k = 0; k < b->count; k++) {
        for (size_t j = 0; j < b->n; j++) to[j] += s->g[k] * b->MK[(size_t)k * b->n + j];
    }
}

static void bounce_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    for (int k = 0; k < b->count; k++) {
        s->g[k] = 0.0;
        for (size_t j = 0; j < b->n; j++) {
            s->g[k] += b->MK[(size_t)k * b->n + j] * x->positions_after[j];
        }
    }
    tml__lu_solve_transposed(b->count, b->A, b->count, b->pivot, s->g);
    for (size_t j = 0; j < b->n; j++) {
        double sum = x->positions_after[j];
        for (int k = 0; k < b->count; k++) {
            sum += bounce_factor(s, k) * s->g[k] * b->J[(size_t)k * b->n + j];
        }
        x->positions[j] += sum;
        x->rates[j] += s->record.h * sum;
    }
}

// ---- forwards

tml_status tml__gen_step_product_forward(gen_step_product* s, const gen_step_numbers* x,
                                         message* why)
{
    const gen_tree* t = s->motion->tree;
    const int n = t->column_count;
    const double h = s->record.h;
    if (s->mode == STEP_AWARE) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "complementarity-aware labels are chosen by a gradient: there is no "
                         "forward direction");
    }
    for (int k = 0; k < n; k++) s->move[k] = -x->rates[k] / h;
    const gen_column_change change = {
        .positions = x->positions, .rates = x->rates, .accelerations = s->move};
    tml__gen_product_move(s->inverse, &change, &x->in);
    if (s->touch != NULL) {
        const gen_walk_point end = {.rates = s->record.rates_after};
        gen_column_change moved = {.positions = x->positions};
        if ((x->in.wants & WANT_MARKERS) != 0) {
            moved.inner = s->inverse->inner;
            moved.outer = s->inverse->outer;
        }
        tml__gen_tangent_forward(s->after, &end, &moved);
        contacts_forward(s, x);
    }
    tml__gen_product_forward(s->inverse, &x->in, s->r);
    for (int k = 0; k < n; k++) {
        s->r[k] = -h * s->r[k] + h * s->motion->damping[k] * x->rates[k];
    }
    damper_product(s, PARTIAL_FORWARD, &x->in, s->r);
    if (s->touch != NULL && x->contact != NULL) {
        friction_product(s, PARTIAL_FORWARD, x->contact, s->r);
    }
    tml__gen_border_solve(&s->border, s->r, s->g, 1);
    memcpy(x->rates_after, s->r, (size_t)n * sizeof *s->r);
    if (has_bounce(s)) {
        bounce_forward(s, x);
        return TML_OK;
    }
    const bool is_new = s->record.has_new_rates;
    tml__gen_move_product(t, true, is_new ? s->record.rates_after : s->record.rates, h,
                          x->positions, is_new ? x->rates_after : x->rates, x->positions_after);
    return TML_OK;
}

// ---- backwards

// Labels to be tried where gradients are blocked: those of the step, those that the gradient asks for,
// everything held, nothing held. The one with the largest gradient by forces wins.
//                                                     [DCON Sec IV-D, with the candidates of the notes]
enum {
    CANDIDATES = 4
};

static void propose(const gen_step_product* s, int which, const double* gradient,
                    unsigned char* labels)
{
    const gen_touch* c = s->touch;
    memcpy(labels, c->labels, (size_t)c->rows->count * sizeof *labels);
    for (int i = 0; i < c->contact_count && which > 0; i++) {
        const int at = c->contact_row[i];
        if (c->kinds[at].kind == LCP_BOX) continue;
        bool holds = which == 2;
        if (which == 1) {
            const double wish = tml__gen_rows_rate(c->rows, at, gradient);
            holds = wish > 0.0 || (wish == 0.0 && c->labels[at] == LCP_HELD);
        }
        const bool held = c->labels[at] == LCP_HELD;
        labels[at] = holds ? LCP_HELD : LCP_OFF;
        for (int k = 1; k <= c->friction_rows[i]; k++) {
            if (!holds || !held) labels[at + k] = LCP_OFF;
        }
    }
}

static double gradient_size(gen_step_product* s, const double* gradient)
{
    const int n = s->motion->tree->column_count;
    memcpy(s->r, gradient, (size_t)n * sizeof *gradient);
    tml__gen_border_solve_transposed(&s->border, s->r);
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += s->r[k] * s->r[k];
    return sum;
}

static tml_status choose_labels(gen_step_product* s, const double* gradient, message* why)
{
    double largest = gradient_size(s, gradient);
    int best = 0;
    message ignored = {""};
    for (int which = 1; which < CANDIDATES; which++) {
        propose(s, which, gradient, s->labels);
        if (use_labels(s, s->labels, &ignored) != TML_OK) continue;
        const double size = gradient_size(s, gradient);
        // a tie by rounding is none
        if (!(size > (1.0 + 1e-9) * largest)) continue;
        largest = size;
        best = which;
    }
    s->took_other_labels = best > 0;
    propose(s, best, gradient, s->labels);
    return use_labels(s, s->labels, why);
}

static void walk_back(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_tree* t = s->motion->tree;
    const gen_walk_point end = {.rates = s->record.rates_after};
    gen_column_change moved = {.positions = x->positions};
    const bool has_markers = (x->in.wants & WANT_MARKERS) != 0;
    if (has_markers) {
        memset(s->inner, 0, (size_t)t->body_count * sizeof *s->inner);
        memset(s->outer, 0, (size_t)t->body_count * sizeof *s->outer);
        moved.inner = s->inner;
        moved.outer = s->outer;
    }
    tml__gen_tangent_backward(s->after, &end, &moved);
    if (has_markers) {
        tml__gen_marker_product(t, PARTIAL_BACKWARD, &x->in, s->inner, s->outer);
    }
}

tml_status tml__gen_step_product_backward(gen_step_product* s, const gen_step_numbers* x,
                                          message* why)
{
    const gen_tree* t = s->motion->tree;
    const int n = t->column_count;
    const double h = s->record.h;
    memcpy(s->from, x->rates_after, (size_t)n * sizeof *s->from);
    if (has_bounce(s)) {
        bounce_backward(s, x);
    } else {
        const bool is_new = s->record.has_new_rates;
        tml__gen_move_product(t, false, is_new ? s->record.rates_after : s->record.rates, h,
                              x->positions, is_new ? s->from : x->rates, x->positions_after);
    }
    if (s->mode == STEP_AWARE && s->touch != NULL) {
        const tml_status status = choose_labels(s, s->from, why);
        if (status != TML_OK) return status;
    }
    memcpy(s->r, s->from, (size_t)n * sizeof *s->r);
    tml__gen_border_solve_transposed(&s->border, s->r);
    for (int k = 0; k < s->border.count; k++) s->g[k] = s->border.rest[k];
    damper_product(s, PARTIAL_BACKWARD, &x->in, s->r);
    if (s->touch != NULL && x->contact != NULL) {
        friction_product(s, PARTIAL_BACKWARD, x->contact, s->r);
    }
    for (int k = 0; k < n; k++) {
        x->rates[k] += h * s->motion->damping[k] * s->r[k];
        s->r[k] *= -h;
        s->move[k] = 0.0;
    }
    tml__gen_product_pull(s->inverse, s->r);
    if (s->touch != NULL) {
        contacts_backward(s, x);
        walk_back(s, x);
    }
    const gen_column_change gradient = {
        .positions = x->positions, .rates = x->rates, .accelerations = s->move};
    tml__gen_product_backward(s->inverse, &gradient, &x->in);
    for (int k = 0; k < n; k++) x->rates[k] -= s->move[k] / h;
    return TML_OK;
}
