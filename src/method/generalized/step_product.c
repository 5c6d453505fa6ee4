// method/generalized/step_product.c - right-hand sides of the bordered derivative for one direction, and
// their transposes.
//
// With tau(q, u, a) the inverse dynamics at a = (u+ - u)/h, what touches acting from outside, D the
// dampers that are taken at the end of the step:
//
//     h tau + h D (u+ - u) = 0   along the columns,      J u+ + offset = 0   in the rows that hold
//     r = -h d tau(dq, du, -du/h) + h D du - h dD (u+ - u) + (d mu) f_n J_t^T
//     g = d(J) u+ + d(offset)
#include "base/request.h"
#include "math/small.h"
#include "method/generalized/carry_product.h"
#include "method/generalized/dampers.h"
#include "method/generalized/step_contact.h"
#include "method/generalized/stiff.h"

#include <math.h>
#include <string.h>

// ---- memory

enum {
    REQUESTS = 21
};

// clang-format off
static int list_requests(gen_step_product* s, request list[REQUESTS])
{
    const size_t bodies = (size_t)s->motion->tree->body_count;
    const size_t columns = (size_t)s->motion->tree->column_count;
    const size_t rows = (size_t)s->motion->s->row_count;
    const request all[] = {
        {&s->outside, bodies, sizeof(wrench)},
        {&s->v_after, bodies, sizeof(twist)},
        {&s->inner,   bodies, sizeof(twist)},
        {&s->outer,   bodies, sizeof(twist)},
        {&s->r,       columns, sizeof(double)},
        {&s->move,    columns, sizeof(double)},
        {&s->from,    columns, sizeof(double)},
        {&s->there,   columns, sizeof(double)},
        {&s->rates_there, columns, sizeof(double)},
        {&s->a,       columns, sizeof(double)},
        {&s->a_after, columns, sizeof(double)},
        {&s->least_v, bodies, sizeof(twist)},
        {&s->least_u, columns, sizeof(double)},
        {&s->zero,    columns, sizeof(double)},
        {&s->change,  columns, sizeof(double)},
        {&s->acceleration, columns, sizeof(double)},
        {&s->numbers, (size_t)s->motion->tree->number_count, sizeof(double)},
        {&s->pushes,    rows, sizeof(double)},
        {&s->row_value, rows, sizeof(double)},
        {&s->row_rate,  rows, sizeof(double)},
        {&s->impulse,   rows, sizeof(double)},
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
    s->has_dampers = tml__gen_has_dampers(m);
    if (allocator != NULL) s->allocator = *allocator;
    s->border.allocator = s->allocator;
    s->parted.allocator = s->allocator;
    s->border.may_be_deficient = true;
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
    tml__release(&allocator, s->d_f);
    tml__release(&allocator, s->e);
    tml__release(&allocator, s->shifted);
    tml__release(&allocator, s->least);
    tml__release(&allocator, s->least_g);
    tml__gen_border_release(&s->parted);
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
        tml__release(&s->allocator, s->d_f);
        s->d_f = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->d_f);
        tml__release(&s->allocator, s->e);
        tml__release(&s->allocator, s->shifted);
        tml__release(&s->allocator, s->least);
        tml__release(&s->allocator, s->least_g);
        s->least = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->least);
        s->least_g = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->least_g);
        s->e = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->e);
        s->shifted = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->shifted);
        s->g = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->g);
        s->labels = tml__allocate(&s->allocator, (size_t)rows, sizeof *s->labels);
        const bool is_whole = s->g != NULL && s->labels != NULL && s->e != NULL &&
                              s->shifted != NULL && s->least != NULL && s->least_g != NULL &&
                              s->d_f != NULL;
        s->row_room = is_whole ? rows : 0;
    }
    if (contacts <= s->bend_room && rows <= s->row_room) return TML_OK;
    return tml__fail(why, TML_NO_MEMORY, "out of memory");
}

// ---- what is covered

static tml_status check(const gen_step_product* s, message* why)
{
    if (s->touch != NULL && s->touch->left_out > 0) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "%d contacts that the sweeps of a step left out: its forces are too rough "
                         "for derivatives",
                         s->touch->left_out);
    }
    int rows = s->touch != NULL ? s->touch->equal_count : 0;
    if (s->touch == NULL && s->motion->rows != NULL) rows = s->motion->rows->count;
    if (rows > 0 && s->record.held == NULL) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "%d rows of loops, drives or couplings: beside contacts they have slopes "
                         "of the steps as they are alone, 'exact'",
                         rows);
    }
    return TML_OK;
}

// ---- where it stands

void tml__step_list_outside(gen_step_product* s)
{
    const gen_touch* c = s->touch;
    memset(s->outside, 0, (size_t)s->motion->tree->body_count * sizeof *s->outside);
    for (int i = 0; c != NULL && i < c->contact_count; i++) {
        const contact* k = &s->record.contacts[i];
        const vec3 force = tml__gen_touch_force(c, s->record.contacts, i);
        const wrench f = {v3_cross(k->point, force), force};
        tml__step_push_pair(s, k, 1.0 / s->record.h, f, s->outside);
    }
}

// Bends of the contacts whose normal rows hold, or are closed by the shift.
static tml_status list_bends(gen_step_product* s, const unsigned char* labels, message* why)
{
    const gen_touch* c = s->touch;
    for (int i = 0; c != NULL && i < c->contact_count; i++) {
        const int row = c->contact_row[i];
        if (labels[row] != LCP_HELD && !(s->has_shift && s->shifted[row] == LCP_HELD)) continue;
        const tml_status status = tml__contact_bend(&s->record.contacts[i], &s->bends[i]);
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

// The rows that the shift out of overlaps closes.
static tml_status look_at_shift(gen_step_product* s, message* why)
{
    const gen_touch* c = s->touch;
    s->has_shift = false;
    s->parted.count = 0;
    for (int k = 0; c != NULL && k < s->motion->tree->column_count; k++) {
        s->has_shift = s->has_shift || c->shift[k] != 0.0;
    }
    if (!s->has_shift) return TML_OK;
    for (int row = 0; row < c->rows->count; row++) {
        const bool holds = c->labels_shift[row] == LCP_HELD && c->kinds_shift[row].kind != LCP_BOX;
        s->shifted[row] = holds ? LCP_HELD : LCP_OFF;
    }
    return tml__gen_border_fill(&s->parted, c, s->motion->tree, s->shifted, why);
}

// The one contact that bounces; -1: none, -2: several.
static int find_bounce(const gen_step_product* s)
{
    const gen_touch* c = s->touch;
    int found = -1;
    if (s->mode != STEP_CONTINUOUS_BOUNCE || c == NULL) return -1;
    for (int i = 0; i < c->contact_count; i++) {
        const bool bounces =
            c->offset_of[i] == OFFSET_BOUNCE && c->labels[c->contact_row[i]] == LCP_HELD;
        if (!bounces) continue;
        if (found >= 0) return -2;
        found = i;
    }
    return found;
}

// Does anything but that contact push?
static bool has_company(const gen_step_product* s, int which)
{
    const gen_touch* c = s->touch;
    for (int i = 0; i < c->contact_count; i++) {
        if (i != which && c->labels[c->contact_row[i]] == LCP_HELD) return true;
    }
    return s->record.held != NULL;
}

// Accelerations on either side of the one bounce of the step; beside other contacts, which would have their say, they are
// left out, and velocities know nothing of the time of the impact.
static tml_status look_at_flights(gen_step_product* s, message* why)
{
    gen_motion* m = s->motion;
    const size_t bytes = (size_t)m->tree->column_count * sizeof(double);
    const int which = find_bounce(s);
    memset(s->a, 0, bytes);
    memset(s->a_after, 0, bytes);
    if (which < 0 || has_company(s, which)) return TML_OK;
    tml_status status = tml__gen_accelerate(m, s->record.numbers, s->record.rates, s->a, s->pushes);
    if (status == TML_OK) {
        status =
            tml__gen_accelerate(m, s->record.numbers, s->record.rates_after, s->a_after, s->pushes);
    }
    return tml__gen_describe_failure(m, status, why);
}

tml_status tml__step_factor(gen_step_product* s, message* why)
{
    gen_motion* m = s->motion;
    tml__step_stand_again(s);
    tml__gen_list_added(m, s->record.h);
    if (m->is_implicit) tml__gen_stiffen(m, s->record.h, s->record.rates);
    tml__gen_mass(m->tree, m->added);
    return tml__gen_describe_failure(m, tml__gen_factor(m->tree, &m->bad_column), why);
}

tml_status tml__gen_step_product_at(gen_step_product* s, gen_touch* touch, gen_step_mode mode,
                                    const gen_step_record* record, message* why)
{
    gen_motion* m = s->motion;
    gen_tree* t = m->tree;
    s->touch = touch;
    s->mode = mode;
    s->record = *record;
    s->took_other_labels = s->is_elsewhere = false;
    tml_status status = check(s, why);
    if (status == TML_OK && touch != NULL) {
        status = take_room(s, touch->contact_count, touch->rows->count, why);
    }
    if (status == TML_OK) status = look_at_flights(s, why);
    if (status != TML_OK) return status;
    tml__gen_product_look(s->inverse, record->numbers, record->rates);
    for (int k = 0; k < t->column_count; k++) {
        s->change[k] = record->rates_after[k] - record->rates[k];
        s->acceleration[k] = s->change[k] / record->h;
    }
    tml__gen_motions(s->motion->tree, record->rates_after, s->v_after);
    status = tml__step_factor(s, why);
    if (status == TML_OK) status = look_at_shift(s, why);
    if (status == TML_OK) status = use_labels(s, touch != NULL ? touch->labels : NULL, why);
    if (status != TML_OK || !s->border.is_deficient || mode != STEP_CONTINUOUS_BOUNCE)
        return status;
    return tml__fail(why, TML_SINGULAR,
                     "contacts that slide depend on each other: where they bounce too there are no "
                     "continuous slopes");
}

// ---- dampers

// -h dD (u+ - u) along columns.
static void damper_product(const gen_step_product* s, partial_direction way,
                           const parameter_set* in, double* r)
{
    const double h = s->record.h;
    const gen_column_scales at = {.damping = h,
                                  .spring = s->motion->is_implicit ? h * h : 0.0,
                                  .w = s->change,
                                  .w_spring = s->record.rates_after};
    tml__gen_column_product(s->motion, &at, way, in, r);
}

// The same of dampers beside columns, -h d(D (u+ - u)): in a product of its own, with the bodies moving as u+ - u says.
static void look_at_dampers(gen_step_product* s)
{
    const gen_view view = {.damping = s->record.h};
    tml__gen_look(s->motion, s->record.numbers, s->change);
    tml__gen_product_view(s->inverse, s->change, NULL, NULL, &view);
}

// And -h^2 d(K) u+ of springs of balls.
static void look_at_springs(gen_step_product* s)
{
    const gen_view view = {.springing = s->record.h};
    tml__gen_look(s->motion, s->record.numbers, s->record.rates_after);
    tml__gen_product_view(s->inverse, s->record.rates_after, NULL, NULL, &view);
}

static void wrenches_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const int n = s->motion->tree->column_count;
    if (!s->has_dampers) return;
    if (s->motion->is_carried) {
        const gen_column_change change = {.positions = x->positions};
        look_at_springs(s);
        tml__gen_product_move(s->inverse, &change, &x->in);
        tml__gen_product_forward(s->inverse, &x->in, s->move);
        for (int k = 0; k < n; k++) s->r[k] -= s->move[k];
    }
    look_at_dampers(s);
    for (int k = 0; k < n; k++) s->move[k] = -x->rates[k];
    const gen_column_change change = {.positions = x->positions, .rates = s->move};
    tml__gen_product_move(s->inverse, &change, &x->in);
    tml__gen_product_forward(s->inverse, &x->in, s->move);
    for (int k = 0; k < n; k++) s->r[k] -= s->move[k];
    tml__step_stand_again(s);
}

// Gradients by r in s->r.
static void wrenches_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const int n = s->motion->tree->column_count;
    if (!s->has_dampers) return;
    if (s->motion->is_carried) {
        const gen_column_change gradient = {.positions = x->positions};
        look_at_springs(s);
        for (int k = 0; k < n; k++) s->move[k] = -s->r[k];
        tml__gen_product_pull(s->inverse, s->move);
        tml__gen_product_backward(s->inverse, &gradient, &x->in);
    }
    look_at_dampers(s);
    for (int k = 0; k < n; k++) s->move[k] = -s->r[k];
    tml__gen_product_pull(s->inverse, s->move);
    memset(s->move, 0, (size_t)n * sizeof *s->move);
    const gen_column_change gradient = {.positions = x->positions, .rates = s->move};
    tml__gen_product_backward(s->inverse, &gradient, &x->in);
    for (int k = 0; k < n; k++) x->rates[k] -= s->move[k];
    tml__step_stand_again(s);
}

// ---- several bounces in one step

static double bounce_factor(const gen_step_product* s, int k)
{
    int r = 0;
    const int i = tml__step_contact_of(s, s->border.row[k], &r);
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
    tml__gen_border_push(b, s->g, to);
}

static void bounce_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    tml__gen_border_weigh(b, x->positions_after, s->g);
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

// ---- one bounce

// A step with one bounce, as events see it: the bodies fly on to the impact, which comes earlier or
// later, and part from there.                         [DCON App E, the saltation matrix instead]
//     dt = -(d gap + t J du) / (J u),   dq_i = dq + t du + u dt,   du_i = du + a dt
//     du+ = (slopes of the impact at dq_i, du_i) - a+ dt,   dq+ = dq_i + (h - t) du+ - u+ dt
// with a and a+ the accelerations before and after.                              [notes, section 1.6]
typedef struct impact {
    int contact, row;  // row of the border
    double t;          // from the start of the step
    double speed;      // J u < 0
} impact;

static bool find_impact(const gen_step_product* s, impact* out)
{
    out->contact = find_bounce(s);
    if (out->contact < 0) return false;
    const int row = s->touch->contact_row[out->contact];
    const double gap = s->record.contacts[out->contact].gap;
    out->row = -1;
    for (int k = 0; k < s->border.count; k++) {
        if (s->border.row[k] == row) out->row = k;
    }
    out->speed = tml__gen_rows_rate(s->touch->rows, row, s->record.rates);
    out->t = fmin(s->record.h, fmax(0.0, -gap / out->speed));
    return out->row >= 0 && out->speed < 0.0;
}

// ---- forwards

// Changes of the rates after the step.
void tml__step_push_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const int n = s->motion->tree->column_count;
    const double h = s->record.h;
    if (s->record.held != NULL) {
        tml__step_rows_forward(s, x, s->record.rates_after);
        tml__step_stand_again(s);
    }
    for (int k = 0; k < n; k++) s->move[k] = -x->rates[k] / h;
    const gen_column_change change = {
        .positions = x->positions, .rates = x->rates, .accelerations = s->move};
    tml__gen_product_move(s->inverse, &change, &x->in);
    if (s->touch != NULL) {
        tml__step_walk_forward(s, s->record.rates_after, x);
        tml__step_contacts_forward(s, x);
    }
    tml__gen_product_forward(s->inverse, &x->in, s->r);
    for (int k = 0; k < n; k++) {
        s->r[k] = -h * s->r[k] + h * s->motion->damping[k] * x->rates[k];
    }
    damper_product(s, PARTIAL_FORWARD, &x->in, s->r);
    wrenches_forward(s, x);
    if (s->touch != NULL && x->contact != NULL) {
        tml__step_friction(s, PARTIAL_FORWARD, x->contact, s->r);
    }
    tml__gen_border_solve(&s->border, s->r, s->g, 1);
    memcpy(x->rates_after, s->r, (size_t)n * sizeof *s->r);
    if (s->border.count > 0) {
        memcpy(s->d_f, s->border.rest, (size_t)s->border.count * sizeof *s->d_f);
    }
    tml__step_least_forward(s, x);
    if (x->forces != NULL) tml__step_forces_forward(s, x, s->d_f);
    if (x->multipliers == NULL || s->record.held != NULL) return;
    memset(x->multipliers, 0, (size_t)s->motion->s->row_count * sizeof *x->multipliers);
    if (s->touch != NULL) tml__step_impulses(s, PARTIAL_FORWARD, 1.0 / h, x->multipliers);
}

static void impact_forward(gen_step_product* s, const impact* at, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    const double* J = b->J + (size_t)at->row * b->n;
    const contact_bend* bend = &s->bends[at->contact];
    double z[TWIST_COLUMNS];
    const gen_column_change change = {.positions = x->positions, .rates = x->rates};
    tml__gen_product_move(s->inverse, &change, &x->in);
    tml__step_spread(s, bend->k, x->com, z);
    double d_gap = contact_bend_along(bend->gap, z);
    for (size_t j = 0; j < b->n; j++) d_gap += at->t * J[j] * x->rates[j];
    const double dt = -d_gap / at->speed;
    for (size_t j = 0; j < b->n; j++) {
        s->from[j] = x->positions[j] + at->t * x->rates[j] + dt * s->record.rates[j];
        s->rates_there[j] = x->rates[j] + dt * s->a[j];
    }
    gen_step_numbers there = *x;
    there.positions = s->from;
    there.rates = s->rates_there;
    tml__step_push_forward(s, &there);
    const double left = s->record.h - at->t;
    for (size_t j = 0; j < b->n; j++) {
        x->rates_after[j] -= dt * s->a_after[j];
        x->positions_after[j] =
            s->from[j] + left * x->rates_after[j] - dt * s->record.rates_after[j];
    }
}

// Dependent contacts leave a gradient elsewhere: only a second one at the same step has to go back.
static void return_to_step(gen_step_product* s)
{
    if (s->is_elsewhere) tml__step_stand_again(s);
    s->is_elsewhere = false;
}

// A step whose velocities are carried, after its impulses.
static tml_status carried_forward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    gen_step_rows* rows = s->record.carrier;
    gen_carry_product* carry = rows->carry;
    const gen_tree* t = s->motion->tree;
    const size_t bytes = (size_t)t->column_count * sizeof(double);
    const bool is_shifted = s->parted.count > 0;
    tml__step_push_forward(s, x);
    if (is_shifted) {
        tml__step_shift_find(s, x);
        memcpy(s->there, s->r, bytes);
    }
    tml_status status = tml__gen_carry_move_product(carry, PARTIAL_FORWARD, &x->in, x->positions,
                                                    x->rates_after, x->positions_after, why);
    if (status != TML_OK) return status;
    memcpy(rows->q1, x->positions_after, bytes);
    if (is_shifted) {
        tml__gen_move_product(t, true, s->touch->shift, 1.0, rows->q1, s->there,
                              x->positions_after);
    }
    status = tml__gen_carry_end_product(carry, PARTIAL_FORWARD, &x->in, s->record.numbers_after,
                                        x->positions_after, x->rates_after, why);
    return status == TML_OK ? tml__step_factor(s, why) : status;
}

tml_status tml__gen_step_product_forward(gen_step_product* s, const gen_step_numbers* x,
                                         message* why)
{
    const gen_tree* t = s->motion->tree;
    const bool is_new = s->record.has_new_rates;
    impact at;
    if (s->mode == STEP_AWARE) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "complementarity-aware labels are chosen by a gradient: there is no "
                         "forward direction");
    }
    return_to_step(s);
    if (find_impact(s, &at)) {
        impact_forward(s, &at, x);
        return TML_OK;
    }
    if (s->record.carrier != NULL && find_bounce(s) == -1) return carried_forward(s, x, why);
    tml__step_push_forward(s, x);
    if (find_bounce(s) == -2) {
        bounce_forward(s, x);
        return TML_OK;
    }
    tml__gen_move_product(t, true, is_new ? s->record.rates_after : s->record.rates, s->record.h,
                          x->positions, is_new ? x->rates_after : x->rates, x->positions_after);
    if (s->parted.count > 0) tml__step_shift_forward(s, x);
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
    if (c->rows->count == 0) return;  // nothing is in reach, and there may be no room for labels
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

static bool is_driven(const gen_tree* t, const gen_link* link, int k)
{
    const int joint = t->bodies[t->column_body[link->column]].joint;
    if (joint < 0) return false;
    const axis_data* axes = t->model->joints[joint].axis;
    if (link->kind == LINK_SLIDE) return axes[link->letter[k]].actuation == TML_FORCE;
    if (link->kind == LINK_TURN) return axes[3 + link->letter[k]].actuation == TML_FORCE;
    for (int axis = TML_AXIS_RX; axis < TML_AXES; axis++) {
        if (axes[axis].actuation == TML_FORCE) return true;
    }
    return false;
}

// The square of the gradient by the forces of motors, up to h.
static double gradient_size(gen_step_product* s, const double* gradient)
{
    const gen_tree* t = s->motion->tree;
    memcpy(s->r, gradient, (size_t)t->column_count * sizeof *gradient);
    tml__gen_border_solve_transposed(&s->border, s->r, NULL);
    double sum = 0.0;
    for (int i = 0; i < t->link_count; i++) {
        for (int k = 0; k < t->links[i].count; k++) {
            const double y = s->r[t->links[i].column + k];
            if (is_driven(t, &t->links[i], k)) sum += y * y;
        }
    }
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
    // those of the step itself are known to have a factor: the solver has chosen among their rows
    if (best == 0) return use_labels(s, s->touch->labels, why);
    propose(s, best, gradient, s->labels);
    return use_labels(s, s->labels, why);
}

tml_status tml__step_push_backward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    const int n = s->motion->tree->column_count;
    const double h = s->record.h;
    if (s->mode == STEP_AWARE && s->touch != NULL) {
        const tml_status status = choose_labels(s, s->from, why);
        if (status != TML_OK) return status;
    }
    bool has_forces = x->forces != NULL && tml__step_forces_backward(s, x, s->d_f);
    if (s->d_f != NULL && !has_forces) memset(s->d_f, 0, (size_t)s->row_room * sizeof *s->d_f);
    if (s->record.held != NULL) {
        tml__step_impulses(s, PARTIAL_BACKWARD, 1.0, s->record.held->multipliers);
        has_forces = true;
    } else if (s->touch != NULL && x->multipliers != NULL) {
        tml__step_impulses(s, PARTIAL_BACKWARD, 1.0 / h, x->multipliers);
        has_forces = true;
    }
    memcpy(s->r, s->from, (size_t)n * sizeof *s->r);
    tml__gen_border_solve_transposed(&s->border, s->r, has_forces ? s->d_f : NULL);
    for (int k = 0; k < s->border.count; k++) s->g[k] = s->border.rest[k];
    damper_product(s, PARTIAL_BACKWARD, &x->in, s->r);
    wrenches_backward(s, x);
    if (s->touch != NULL && x->contact != NULL) {
        tml__step_friction(s, PARTIAL_BACKWARD, x->contact, s->r);
    }
    for (int k = 0; k < n; k++) {
        x->rates[k] += h * s->motion->damping[k] * s->r[k];
        s->r[k] *= -h;
        s->move[k] = 0.0;
    }
    tml__gen_product_pull(s->inverse, s->r);
    if (s->touch != NULL) {
        tml__step_contacts_backward(s, x);
        if (s->is_shifting) tml__step_gaps_backward(s, x);
        tml__step_walk_back(s, s->record.rates_after, x);
    }
    const gen_column_change gradient = {
        .positions = x->positions, .rates = x->rates, .accelerations = s->move};
    tml__gen_product_backward(s->inverse, &gradient, &x->in);
    for (int k = 0; k < n; k++) x->rates[k] -= s->move[k] / h;
    if (s->record.held != NULL) {
        tml__step_rows_backward(s, x, s->record.rates_after);
        s->is_elsewhere = true;
    }
    tml__step_least_backward(s, x);
    return TML_OK;
}

// The gap before the step by everything that displaces its bodies.
static void gap_backward(gen_step_product* s, const impact* at, double g, const gen_step_numbers* x)
{
    const gen_tree* t = s->motion->tree;
    const contact_bend* bend = &s->bends[at->contact];
    const gen_walk_point start = {.rates = s->record.rates};
    const bool has_markers = (x->in.wants & WANT_MARKERS) != 0;
    gen_column_change gradient = {.positions = x->positions};
    double z[TWIST_COLUMNS];
    for (int k = 0; k < TWIST_COLUMNS; k++) z[k] = g * bend->gap[k];
    tml__step_gather(s, bend->k, z, x->com);
    if (has_markers) {
        memset(s->inner, 0, (size_t)t->body_count * sizeof *s->inner);
        memset(s->outer, 0, (size_t)t->body_count * sizeof *s->outer);
        gradient.inner = s->inner;
        gradient.outer = s->outer;
    }
    tml__gen_tangent_backward(s->inverse->walk, &start, &gradient);
    if (has_markers) {
        tml__gen_marker_product(t, PARTIAL_BACKWARD, &x->in, s->inner, s->outer);
    }
}

static tml_status impact_backward(gen_step_product* s, const impact* at, const gen_step_numbers* x,
                                  message* why)
{
    const gen_border* b = &s->border;
    const size_t n = b->n;
    const double left = s->record.h - at->t;
    double by_t = 0.0;
    for (size_t j = 0; j < n; j++) {
        s->from[j] = x->rates_after[j] + left * x->positions_after[j];
        s->there[j] = x->positions_after[j];
        by_t -= s->record.rates_after[j] * x->positions_after[j] + s->a_after[j] * s->from[j];
        s->rates_there[j] = 0.0;
    }
    gen_step_numbers there = *x;
    there.positions = s->there;
    there.rates = s->rates_there;
    const tml_status status = tml__step_push_backward(s, &there, why);
    if (status != TML_OK) return status;
    for (size_t j = 0; j < n; j++) {
        by_t += s->record.rates[j] * s->there[j] + s->a[j] * s->rates_there[j];
        x->positions[j] += s->there[j];
        x->rates[j] += at->t * s->there[j] + s->rates_there[j];
    }
    const double g = -by_t / at->speed;
    const double* J = b->J + (size_t)at->row * n;
    for (size_t j = 0; j < n; j++) x->rates[j] += at->t * g * J[j];
    gap_backward(s, at, g, x);
    return TML_OK;
}

static tml_status carried_backward(gen_step_product* s, const gen_step_numbers* x, message* why)
{
    gen_step_rows* rows = s->record.carrier;
    const size_t bytes = (size_t)s->motion->tree->column_count * sizeof(double);
    gen_step_numbers shifted = *x;
    memcpy(rows->q2, x->positions_after, bytes);
    memcpy(rows->u1, x->rates_after, bytes);
    tml_status status = tml__gen_carry_end_product(
        rows->carry, PARTIAL_BACKWARD, &x->in, s->record.numbers_after, rows->q2, rows->u1, why);
    if (status != TML_OK) return status;
    memset(s->from, 0, bytes);
    s->is_shifting = s->parted.count > 0;
    double* moved = rows->q2;
    if (s->is_shifting) {
        status = tml__step_factor(s, why);
        if (status != TML_OK) return status;
        shifted.positions_after = rows->q2;
        tml__step_shift_backward(s, &shifted);
        moved = s->there;
    }
    status = tml__gen_carry_move_product(rows->carry, PARTIAL_BACKWARD, &x->in, x->positions,
                                         s->from, moved, why);
    if (status == TML_OK) status = tml__step_factor(s, why);
    return status == TML_OK ? tml__step_push_backward(s, x, why) : status;
}

tml_status tml__gen_step_product_backward(gen_step_product* s, const gen_step_numbers* x,
                                          message* why)
{
    const gen_tree* t = s->motion->tree;
    const bool is_new = s->record.has_new_rates;
    impact at;
    s->is_shifting = false;
    return_to_step(s);
    if (find_impact(s, &at)) return impact_backward(s, &at, x, why);
    if (s->record.carrier != NULL && find_bounce(s) == -1) return carried_backward(s, x, why);
    memcpy(s->from, x->rates_after, (size_t)t->column_count * sizeof *s->from);
    if (find_bounce(s) == -2) {
        bounce_backward(s, x);
        return tml__step_push_backward(s, x, why);
    }
    double* moved = x->positions_after;
    if (s->parted.count > 0) {
        s->is_shifting = true;
        moved = s->there;
        tml__step_shift_backward(s, x);
    }
    tml__gen_move_product(t, false, is_new ? s->record.rates_after : s->record.rates, s->record.h,
                          x->positions, is_new ? s->from : x->rates, moved);
    return tml__step_push_backward(s, x, why);
}
