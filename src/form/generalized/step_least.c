// form/generalized/step_least.c - contacts that slide and depend on each other.
//
// Their forces are not unique; a step takes the least ones, f = -A^+ b, A = J M^-1 K. Their change has a part
// beside the one that the bordered system knows [DCON (22), corrected in the notes]:
//
//     df += (1 - A^+ A) dA^T y,   y = A^+T f
//     dA^T y = d(K^T) u + K^T M^-1 (d(J^T) y - dM u),   u = M^-1 J^T y
//
// M u - J^T y is one inverse dynamics with accelerations u and the wrenches of y outside (product.h), and
// d(K^T) u what the rows see of a motion u, as they do of the rates after the step.
#include "form/generalized/dampers.h"
#include "form/generalized/step_touch.h"

#include <string.h>

// y and u, at labels as they were.
static void find_motion(gen_step_product* s)
{
    const gen_border* b = &s->border;
    const int m = b->count;
    for (int i = 0; i < m; i++) {
        s->least[i] = 0.0;
        for (int k = 0; k < m; k++) {
            s->least[i] += b->inverse[k * m + i] * s->touch->f[b->row[k]];
        }
    }
    memset(s->least_u, 0, b->n * sizeof *s->least_u);
    for (int i = 0; i < m; i++) {
        const double* J = b->J + (size_t)i * b->n;
        for (size_t j = 0; j < b->n; j++) s->least_u[j] += s->least[i] * J[j];
    }
    tml__gen_solve(b->tree, s->least_u);
}

// The bodies moving with u, y pushing from outside.
static void stand(gen_step_product* s)
{
    const gen_border* b = &s->border;
    const gen_tree* t = s->motion->tree;
    const gen_view view = {.has_inertia = true};
    find_motion(s);
    for (int at = 0; at < t->body_count; at++) {
        const gen_body* body = &t->bodies[at];
        twist v = body->parent >= 0 ? s->least_v[body->parent] : tw_zero();
        for (int k = body->column; k < body->column + body->column_count; k++) {
            v = tw_axpy(v, s->least_u[k], t->S[k]);
        }
        s->least_v[at] = v;
    }
    memset(s->outside, 0, (size_t)t->body_count * sizeof *s->outside);
    for (int i = 0; i < b->count; i++) {
        int r = 0;
        const int k = tml__step_contact_of(s, b->row[i], &r);
        if (k < 0) continue;  // a limit pushes along one column, which nothing bends
        tml__step_push_pair(s, s->bends[k].k, s->least[i], tml__contact_wrench(&s->bends[k], r),
                            s->outside);
    }
    tml__gen_look(s->motion, s->record.numbers, s->zero);
    tml__gen_product_view(s->inverse, s->zero, s->least_u, s->outside, &view);
}

static void look_again(gen_step_product* s)
{
    tml__step_list_outside(s);
    tml__gen_look(s->motion, s->record.numbers, s->record.rates);
    tml__gen_product_at(s->inverse, s->record.rates, s->acceleration, s->outside);
}

// Friction at its bound in the column of its normal, +-mu; 0: it is not.
static double share_of(const gen_step_product* s, int row)
{
    if (s->used[row] == LCP_UPPER) return s->touch->kinds[row].mu;
    return s->used[row] == LCP_LOWER ? -s->touch->kinds[row].mu : 0.0;
}

// What a row of a contact sees of the motion u, by displacements.
static double seen_forward(const gen_step_product* s, int k, int r, const double* z)
{
    const contact_bend* b = &s->bends[k];
    return sv_dot(tml__step_relative(s, s->least_v, b->k), tml__contact_bent(b, r, z)) +
           sv_dot(tml__step_relative(s, s->after->V, b->k), tml__contact_wrench(b, r));
}

static void seen_backward(const gen_step_product* s, int k, int r, double g, double* z)
{
    const contact_bend* b = &s->bends[k];
    const twist by_w = tw_axpy(tw_zero(), g, tml__step_relative(s, s->least_v, b->k));
    tml__step_push_pair(s, b->k, g, tml__contact_wrench(b, r), s->after->g_V);
    tml__contact_bent_transposed(b, r, by_w, z);
}

// By the coefficient of friction: the row itself along u.
static void coefficient(const gen_step_product* s, partial_direction way, int k, int r, double* mu,
                        double* g)
{
    const contact_bend* b = &s->bends[k];
    const int row = s->touch->contact_row[k] + r;
    const int world = s->motion->s->model->all.body_count;
    const int bodies[2] = {b->k->body_a, b->k->body_b};
    const double along = sv_dot(tml__step_relative(s, s->least_v, b->k), tml__contact_wrench(b, r));
    const double slope = s->used[row] == LCP_UPPER ? along : -along;
    for (int i = 0; i < 2 && mu != NULL; i++) {
        if (bodies[i] >= world) continue;
        if (way == PARTIAL_FORWARD) {
            *g += slope * mu[2 * bodies[i]];
        } else {
            mu[2 * bodies[i]] += slope * *g;
        }
    }
}

static gen_column_change change_of(const gen_step_product* s, const gen_step_numbers* x)
{
    gen_column_change moved = {.positions = x->positions};
    if ((x->in.wants & WANT_MARKERS) != 0) {
        moved.inner = s->inner;
        moved.outer = s->outer;
    }
    return moved;
}

// -d(M) u of dampers at the end of the step: those of columns, and of balls.
static void dampers(gen_step_product* s, partial_direction way, const gen_step_numbers* x,
                    double* z)
{
    const gen_column_scales at = {.damping = s->record.h, .w = s->least_u};
    tml__gen_column_product(s->motion, &at, way, &x->in, z);
    if (!s->has_balls) return;
    const size_t n = s->border.n;
    const gen_view view = {.damping = s->record.h};
    const gen_column_change change = {.positions = x->positions};
    tml__gen_look(s->motion, s->record.numbers, s->least_u);
    tml__gen_product_view(s->inverse, s->least_u, NULL, NULL, &view);
    if (way == PARTIAL_FORWARD) {
        tml__gen_product_move(s->inverse, &change, &x->in);
        tml__gen_product_forward(s->inverse, &x->in, s->move);
        for (size_t j = 0; j < n; j++) z[j] -= s->move[j];
        return;
    }
    for (size_t j = 0; j < n; j++) s->move[j] = -z[j];
    tml__gen_product_pull(s->inverse, s->move);
    tml__gen_product_backward(s->inverse, &change, &x->in);
}

void tml__step_least_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    const gen_touch* c = s->touch;
    const int m = b->count;
    double* z = s->r;
    if (!b->is_deficient) return;
    stand(s);
    const gen_column_change change = {.positions = x->positions};
    tml__gen_product_move(s->inverse, &change, &x->in);
    if ((x->in.wants & WANT_MARKERS) != 0) {
        tml__gen_marker_product(s->motion->tree, PARTIAL_FORWARD, &x->in, s->inner, s->outer);
    }
    const gen_walk_point end = {.rates = s->least_u};
    const gen_column_change moved = change_of(s, x);
    tml__gen_tangent_forward(s->after, &end, &moved);
    for (int i = 0; i < m; i++) {
        int r = 0;
        double bent[TWIST_COLUMNS];
        const int k = tml__step_contact_of(s, b->row[i], &r);
        s->g[i] = 0.0;
        if (k < 0) continue;
        tml__step_spread(s, s->bends[k].k, x->com, bent);
        tml__step_push_pair(s, s->bends[k].k, -s->least[i],
                            tml__contact_bent(&s->bends[k], r, bent), s->inverse->dW);
        s->g[i] = seen_forward(s, k, r, bent);
        for (int t = 1; t <= c->friction_rows[k] && r == 0; t++) {
            const double share = share_of(s, c->contact_row[k] + t);
            if (s->used[c->contact_row[k] + t] == LCP_HELD ||
                s->used[c->contact_row[k] + t] == LCP_OFF)
                continue;
            s->g[i] += share * seen_forward(s, k, t, bent);
            coefficient(s, PARTIAL_FORWARD, k, t, x->contact, &s->g[i]);
        }
    }
    tml__gen_product_forward(s->inverse, &x->in, z);
    for (size_t j = 0; j < b->n; j++) z[j] = -z[j];
    dampers(s, PARTIAL_FORWARD, x, z);
    for (int i = 0; i < m; i++) {
        for (size_t j = 0; j < b->n; j++) s->g[i] += b->MK[(size_t)i * b->n + j] * z[j];
    }
    for (int i = 0; i < m; i++) {
        double f = 0.0;
        for (int k = 0; k < m; k++) f += b->null[i * m + k] * s->g[k];
        for (size_t j = 0; j < b->n; j++) x->rates_after[j] += f * b->MK[(size_t)i * b->n + j];
    }
    look_again(s);
}

// Gradients of dA^T y, by rows, into s->g, and of d(J^T) y - dM u into s->r.
static void pull_back(gen_step_product* s)
{
    const gen_border* b = &s->border;
    const int m = b->count;
    double* along = s->least_g;
    for (int i = 0; i < m; i++) {
        along[i] = 0.0;
        for (size_t j = 0; j < b->n; j++) along[i] += b->MK[(size_t)i * b->n + j] * s->from[j];
    }
    memset(s->r, 0, b->n * sizeof *s->r);
    for (int k = 0; k < m; k++) {
        s->g[k] = 0.0;
        for (int i = 0; i < m; i++) s->g[k] += b->null[i * m + k] * along[i];
        for (size_t j = 0; j < b->n; j++) s->r[j] += s->g[k] * b->MK[(size_t)k * b->n + j];
    }
}

void tml__step_least_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    const gen_touch* c = s->touch;
    if (!b->is_deficient) return;
    find_motion(s);
    pull_back(s);
    dampers(s, PARTIAL_BACKWARD, x, s->r);
    stand(s);
    for (size_t j = 0; j < b->n; j++) s->r[j] = -s->r[j];
    tml__gen_product_pull(s->inverse, s->r);
    for (int i = 0; i < b->count; i++) {
        int r = 0;
        double bent[TWIST_COLUMNS] = {0.0};
        const int k = tml__step_contact_of(s, b->row[i], &r);
        if (k < 0) continue;
        const twist Y = tml__step_relative(s, s->inverse->Y, s->bends[k].k);
        tml__contact_bent_transposed(&s->bends[k], r, tw_axpy(tw_zero(), -s->least[i], Y), bent);
        seen_backward(s, k, r, s->g[i], bent);
        for (int t = 1; t <= c->friction_rows[k] && r == 0; t++) {
            const double share = share_of(s, c->contact_row[k] + t);
            if (s->used[c->contact_row[k] + t] == LCP_HELD ||
                s->used[c->contact_row[k] + t] == LCP_OFF)
                continue;
            seen_backward(s, k, t, share * s->g[i], bent);
            coefficient(s, PARTIAL_BACKWARD, k, t, x->contact, &s->g[i]);
        }
        tml__step_gather(s, s->bends[k].k, bent, x->com);
    }
    const gen_walk_point end = {.rates = s->least_u};
    const gen_column_change moved = change_of(s, x);
    memset(s->inner, 0, (size_t)s->motion->tree->body_count * sizeof *s->inner);
    memset(s->outer, 0, (size_t)s->motion->tree->body_count * sizeof *s->outer);
    tml__gen_tangent_backward(s->after, &end, &moved);
    if (moved.inner != NULL) {
        tml__gen_marker_product(s->motion->tree, PARTIAL_BACKWARD, &x->in, s->inner, s->outer);
    }
    const gen_column_change gradient = {.positions = x->positions};
    tml__gen_product_backward(s->inverse, &gradient, &x->in);
    look_again(s);
}
