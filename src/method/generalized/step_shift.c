// method/generalized/step_shift.c - how the shift out of overlaps changes, forwards and backwards.
//
// What overlaps at the end of a step is parted by the least move s in the metric of the mass matrix (with dampers) and
// with the rows of its start, as contact.c takes it; p are the pushes that would make it, gaps those at the end:
//
//     M s = J^T p,     J s = -gap
//     M ds - J^T dp = d(J^T) p - dM s = z,     J ds = -(d gap + dJ s)
//
// z is the change of one inverse dynamics with accelerations s and the wrenches of p outside (product.h), and dJ s what
// the rows see of a motion s. Positions are moved by s after they have moved by the rates.
#include "math/small.h"
#include "method/generalized/dampers.h"
#include "method/generalized/step_contact.h"

#include <string.h>

// ---- a motion in place of the rates

void tml__step_stand(gen_step_product* s)
{
    const gen_tree* t = s->motion->tree;
    const gen_view view = {.has_inertia = true,
                           .lambda = s->record.held != NULL ? s->pushes : NULL};
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* body = &t->bodies[at];
        twist v = body->parent >= 0 ? s->least_v[body->parent] : tw_zero();
        for (int k = body->column; k < body->column + body->column_count; k++) {
            v = tw_axpy(v, s->least_u[k], t->S[k]);
        }
        s->least_v[at] = v;
    }
    tml__gen_look(s->motion, s->record.numbers, s->zero);
    tml__gen_product_view(s->inverse, s->zero, s->least_u, s->outside, &view);
}

void tml__step_stand_again(gen_step_product* s)
{
    gen_view view = {.has_inertia = true,
                     .is_still = s->motion->carry != NULL,
                     .is_forced = true,
                     .is_apart = true};
    tml__step_list_outside(s);
    if (s->record.held != NULL) {
        tml__step_list_pushes(s, s->touch->f, 1.0 / s->record.h);
        view.lambda = s->pushes;
    }
    tml__gen_product_look(s->inverse, s->record.numbers, s->record.rates);
    tml__gen_product_view(s->inverse, s->record.rates, s->acceleration, s->outside, &view);
}

void tml__step_walk_forward(gen_step_product* s, const double* rates, const gen_step_numbers* x)
{
    const gen_walk_point at = {.rates = rates};
    gen_column_change moved = {.positions = x->positions};
    if ((x->in.wants & WANT_MARKERS) != 0) {
        moved.inner = s->inverse->inner;
        moved.outer = s->inverse->outer;
    }
    tml__gen_tangent_forward(s->after, &at, &moved);
}

void tml__step_walk_back(gen_step_product* s, const double* rates, const gen_step_numbers* x)
{
    const gen_tree* t = s->motion->tree;
    const gen_walk_point at = {.rates = rates};
    gen_column_change moved = {.positions = x->positions};
    const bool has_markers = (x->in.wants & WANT_MARKERS) != 0;
    if (has_markers) {
        memset(s->inner, 0, (size_t)t->body_count * sizeof *s->inner);
        memset(s->outer, 0, (size_t)t->body_count * sizeof *s->outer);
        moved.inner = s->inner;
        moved.outer = s->outer;
    }
    tml__gen_tangent_backward(s->after, &at, &moved);
    if (has_markers) {
        tml__gen_marker_product(t, PARTIAL_BACKWARD, &x->in, s->inner, s->outer);
    }
}

double tml__step_seen_forward(const gen_step_product* s, int k, int r, const double* z)
{
    const contact_bend* b = &s->bends[k];
    return sv_dot(tml__step_relative(s, s->least_v, b->k), tml__contact_bent(b, r, z)) +
           sv_dot(tml__step_relative(s, s->after->V, b->k), tml__contact_wrench(b, r));
}

void tml__step_seen_backward(const gen_step_product* s, int k, int r, double g, double* z)
{
    const contact_bend* b = &s->bends[k];
    const twist by_w = tw_axpy(tw_zero(), g, tml__step_relative(s, s->least_v, b->k));
    tml__step_push_pair(s, b->k, g, tml__contact_wrench(b, r), s->after->g_V);
    tml__contact_bent_transposed(b, r, by_w, z);
}

void tml__step_metric(gen_step_product* s, partial_direction way, const gen_step_numbers* x,
                      double* z)
{
    const double h = s->record.h;
    const gen_column_scales at = {.damping = h,
                                  .spring = s->motion->is_implicit ? h * h : 0.0,
                                  .w = s->least_u,
                                  .w_spring = s->least_u};
    tml__gen_column_product(s->motion, &at, way, &x->in, z);
    if (!s->has_dampers) return;
    const int n = s->motion->tree->column_count;
    const gen_view view = {.damping = h, .springing = s->motion->is_carried ? h : 0.0};
    const gen_column_change change = {.positions = x->positions};
    tml__gen_look(s->motion, s->record.numbers, s->least_u);
    tml__gen_product_view(s->inverse, s->least_u, NULL, NULL, &view);
    if (way == PARTIAL_FORWARD) {
        tml__gen_product_move(s->inverse, &change, &x->in);
        tml__gen_product_forward(s->inverse, &x->in, s->move);
        for (int j = 0; j < n; j++) z[j] -= s->move[j];
        return;
    }
    for (int j = 0; j < n; j++) s->move[j] = -z[j];
    tml__gen_product_pull(s->inverse, s->move);
    tml__gen_product_backward(s->inverse, &change, &x->in);
}

// ---- the shift

// Does the shift push along the normal of contact i, and how much?
static double push_of(const gen_step_product* s, int i)
{
    const int row = s->touch->contact_row[i];
    return s->shifted[row] == LCP_HELD ? s->touch->f_shift[row] : 0.0;
}

// The bodies moving with the shift, its pushes from outside. A limit pushes along one column, which nothing bends.
static void stand(gen_step_product* s)
{
    const gen_tree* t = s->motion->tree;
    memcpy(s->least_u, s->touch->shift, (size_t)t->column_count * sizeof *s->least_u);
    memset(s->outside, 0, (size_t)t->body_count * sizeof *s->outside);
    for (int i = 0; i < s->touch->contact_count; i++) {
        const double push = push_of(s, i);
        if (push == 0.0) continue;
        tml__step_push_pair(s, s->bends[i].k, push, tml__contact_wrench(&s->bends[i], 0),
                            s->outside);
    }
    if (s->record.held != NULL) tml__step_list_pushes(s, s->touch->f_shift, 1.0);
    tml__step_stand(s);
}

// What rows beside contacts see of the shift: added to s->e, or gradients s->e. What stands is lost.
static void see_rows(gen_step_product* s, partial_direction way, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    if (s->record.held == NULL) return;
    if (way == PARTIAL_FORWARD) tml__step_rows_forward(s, x, s->touch->shift);
    for (int k = 0; k < b->count; k++) {
        int r = 0;
        double sign = 1.0;
        if (tml__step_contact_of(s, b->row[k], &r) >= 0) continue;
        const int at = tml__step_row_of(s, b->row[k], &sign);
        if (way == PARTIAL_FORWARD) {
            s->e[k] += sign * s->row_rate[at];
        } else {
            s->row_rate[at] += sign * s->e[k];
        }
    }
    if (way == PARTIAL_BACKWARD) tml__step_rows_backward(s, x, s->touch->shift);
}

// z into s->r; what the rows see of the shift is added to s->e.
static void bend_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    const gen_column_change change = {.positions = x->positions};
    double z[TWIST_COLUMNS];
    see_rows(s, PARTIAL_FORWARD, x);
    stand(s);
    tml__gen_product_move(s->inverse, &change, &x->in);
    tml__step_walk_forward(s, s->least_u, x);
    for (int i = 0; i < s->touch->contact_count; i++) {
        const double push = push_of(s, i);
        if (push == 0.0) continue;
        tml__step_spread(s, s->bends[i].k, x->com, z);
        tml__step_push_pair(s, s->bends[i].k, -push, tml__contact_bent(&s->bends[i], 0, z),
                            s->inverse->dW);
    }
    for (int k = 0; k < b->count; k++) {
        int r = 0;
        const int i = tml__step_contact_of(s, b->row[k], &r);
        if (i < 0) continue;
        tml__step_spread(s, s->bends[i].k, x->com, z);
        s->e[k] += tml__step_seen_forward(s, i, 0, z);
    }
    tml__gen_product_forward(s->inverse, &x->in, s->r);
    for (size_t j = 0; j < b->n; j++) s->r[j] = -s->r[j];
    tml__step_metric(s, PARTIAL_FORWARD, x, s->r);
    tml__step_stand_again(s);
}

// Gradients by z in s->r, by what the rows see in s->e.
static void bend_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    const gen_column_change gradient = {.positions = x->positions};
    stand(s);
    tml__step_metric(s, PARTIAL_BACKWARD, x, s->r);
    stand(s);
    for (size_t j = 0; j < b->n; j++) s->r[j] = -s->r[j];
    tml__gen_product_pull(s->inverse, s->r);
    for (int i = 0; i < s->touch->contact_count; i++) {
        const double push = push_of(s, i);
        if (push == 0.0) continue;
        double z[TWIST_COLUMNS] = {0.0};
        const twist Y = tml__step_relative(s, s->inverse->Y, s->bends[i].k);
        tml__contact_bent_transposed(&s->bends[i], 0, tw_axpy(tw_zero(), -push, Y), z);
        tml__step_gather(s, s->bends[i].k, z, x->com);
    }
    for (int k = 0; k < b->count; k++) {
        int r = 0;
        double z[TWIST_COLUMNS] = {0.0};
        const int i = tml__step_contact_of(s, b->row[k], &r);
        if (i < 0) continue;
        tml__step_seen_backward(s, i, 0, s->e[k], z);
        tml__step_gather(s, s->bends[i].k, z, x->com);
    }
    tml__step_walk_back(s, s->least_u, x);
    tml__gen_product_backward(s->inverse, &gradient, &x->in);
    see_rows(s, PARTIAL_BACKWARD, x);
    tml__step_stand_again(s);
}

void tml__step_shift_find(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    const gen_tree* t = s->motion->tree;
    // dependent contacts have left the walk elsewhere
    if (s->border.is_deficient) tml__step_walk_forward(s, s->record.rates_after, x);
    tml__step_gaps_forward(s, x);
    bend_forward(s, x);
    tml__gen_solve(t, s->r);
    for (int k = 0; k < b->count; k++) {
        const double* J = b->J + (size_t)k * b->n;
        for (size_t j = 0; j < b->n; j++) s->e[k] += J[j] * s->r[j];
    }
    tml__lu_solve(b->count, b->A, b->count, b->pivot, s->e);
    for (int k = 0; k < b->count; k++) s->e[k] = -s->e[k];
    tml__gen_border_push(b, s->e, s->r);
}

void tml__step_shift_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_tree* t = s->motion->tree;
    tml__step_shift_find(s, x);
    memcpy(s->there, x->positions_after, (size_t)t->column_count * sizeof *s->there);
    tml__gen_move_product(t, true, s->touch->shift, 1.0, s->there, s->r, x->positions_after);
}

void tml__step_shift_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->parted;
    const gen_tree* t = s->motion->tree;
    memset(s->there, 0, b->n * sizeof *s->there);
    memset(s->r, 0, b->n * sizeof *s->r);
    tml__gen_move_product(t, false, s->touch->shift, 1.0, s->there, s->r, x->positions_after);
    tml__gen_border_weigh(b, s->r, s->e);
    for (int k = 0; k < b->count; k++) s->e[k] = -s->e[k];
    tml__lu_solve_transposed(b->count, b->A, b->count, b->pivot, s->e);
    for (int k = 0; k < b->count; k++) {
        const double* J = b->J + (size_t)k * b->n;
        // a row that stays closed knows nothing of gaps
        const double h = b->row[k] < s->touch->equal_count ? 0.0 : s->record.h;
        for (size_t j = 0; j < b->n; j++) {
            s->r[j] += s->e[k] * J[j];
            s->from[j] += h * s->e[k] * J[j];
        }
    }
    tml__gen_solve(t, s->r);
    bend_backward(s, x);
}
