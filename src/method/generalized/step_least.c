// method/generalized/step_least.c - contacts that slide and depend on each other.
//
// Their forces are not unique; a step takes the least ones, f = -A^+ b, A = J M^-1 K. Their change has a part
// beside the one that the bordered system knows [DCON (22), corrected in the notes]:
//
//     df += (1 - A^+ A) dA^T y,   y = A^+T f
//     dA^T y = d(K^T) u + K^T M^-1 (d(J^T) y - dM u),   u = M^-1 J^T y
//
// M u - J^T y is one inverse dynamics with accelerations u and the wrenches of y outside (product.h), and
// d(K^T) u what the rows see of a motion u, as they do of the rates after the step.
#include "method/generalized/step_contact.h"

#include <string.h>

// y and u, at labels as they were.
static void find_motion(gen_step_product* s)
{
    const gen_border* b = &s->border;
    const int m = b->count;
    for (int i = 0; i < m; i++) s->least[i] = s->touch->f[b->row[i]];
    tml__gen_border_least(b, true, s->least);
    memset(s->least_u, 0, b->n * sizeof *s->least_u);
    for (int i = 0; i < m; i++) {
        const double* J = b->J + (size_t)i * b->n;
        for (size_t j = 0; j < b->n; j++) s->least_u[j] += s->least[i] * J[j];
    }
    tml__gen_solve(b->tree, s->least_u);
}

// The row of the maximal system behind row i of the border, and its sign there; -1: a contact's, or one that stands
// along one column, which nothing bends.
static int beside(const gen_step_product* s, int i, double* sign)
{
    int r = 0;
    const int row = s->border.row[i];
    if (s->record.held == NULL || tml__step_contact_of(s, row, &r) >= 0) return -1;
    return gen_touch_is_dry(s->touch, row) ? -1 : tml__step_row_of(s, row, sign);
}

// The bodies moving with u, y pushing from outside and along the rows that hold.
static void stand(gen_step_product* s)
{
    const gen_border* b = &s->border;
    memset(s->pushes, 0, (size_t)s->motion->s->row_count * sizeof *s->pushes);
    for (int i = 0; i < b->count; i++) {
        double sign = 1.0;
        const int at = beside(s, i, &sign);
        if (at >= 0) s->pushes[at] += sign * s->least[i];
    }
    memset(s->outside, 0, (size_t)s->motion->tree->body_count * sizeof *s->outside);
    for (int i = 0; i < b->count; i++) {
        int r = 0;
        const int k = tml__step_contact_of(s, b->row[i], &r);
        if (k < 0) continue;
        tml__step_push_pair(s, s->bends[k].k, s->least[i], tml__contact_wrench(&s->bends[k], r),
                            s->outside);
    }
    tml__step_stand(s);
}

// Friction at its bound in the column of its normal, +-mu; 0: it is not.
static double share_of(const gen_step_product* s, int row)
{
    if (s->used[row] == LCP_UPPER) return s->touch->kinds[row].mu;
    return s->used[row] == LCP_LOWER ? -s->touch->kinds[row].mu : 0.0;
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

void tml__step_least_forward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    const gen_touch* c = s->touch;
    const int m = b->count;
    double* z = s->r;
    if (!b->is_deficient) return;
    find_motion(s);
    if (s->record.held != NULL) tml__step_rows_forward(s, x, s->least_u);
    stand(s);
    const gen_column_change change = {.positions = x->positions};
    tml__gen_product_move(s->inverse, &change, &x->in);
    tml__step_walk_forward(s, s->least_u, x);
    for (int i = 0; i < m; i++) {
        int r = 0;
        double bent[TWIST_COLUMNS];
        const int k = tml__step_contact_of(s, b->row[i], &r);
        double sign = 1.0;
        const int at = beside(s, i, &sign);
        s->g[i] = at >= 0 ? sign * s->row_rate[at] : 0.0;
        if (k < 0) continue;
        tml__step_spread(s, s->bends[k].k, x->com, bent);
        tml__step_push_pair(s, s->bends[k].k, -s->least[i],
                            tml__contact_bent(&s->bends[k], r, bent), s->inverse->dW);
        s->g[i] = tml__step_seen_forward(s, k, r, bent);
        for (int t = 1; t <= c->friction_rows[k] && r == 0; t++) {
            const double share = share_of(s, c->contact_row[k] + t);
            if (s->used[c->contact_row[k] + t] == LCP_HELD ||
                s->used[c->contact_row[k] + t] == LCP_OFF)
                continue;
            s->g[i] += share * tml__step_seen_forward(s, k, t, bent);
            coefficient(s, PARTIAL_FORWARD, k, t, x->contact, &s->g[i]);
        }
    }
    tml__gen_product_forward(s->inverse, &x->in, z);
    for (size_t j = 0; j < b->n; j++) z[j] = -z[j];
    tml__step_metric(s, PARTIAL_FORWARD, x, z);
    tml__gen_border_weigh(b, z, s->least_g);
    for (int i = 0; i < m; i++) s->g[i] += s->least_g[i];
    tml__gen_border_project(b, false, s->g, s->least_g);
    tml__gen_border_push(b, s->g, x->rates_after);
    for (int i = 0; i < m; i++) s->d_f[i] += s->g[i];
    // the shift looks at rows along the rates again
    if (s->record.held != NULL) tml__step_rows_forward(s, x, s->record.rates_after);
    tml__step_stand_again(s);
}

// Gradients of dA^T y, by rows, into s->g, and of d(J^T) y - dM u into s->r.
static void pull_back(gen_step_product* s)
{
    const gen_border* b = &s->border;
    tml__gen_border_weigh(b, s->from, s->g);
    for (int i = 0; i < b->count; i++) s->g[i] += s->d_f[i];
    tml__gen_border_project(b, true, s->g, s->least_g);
    memset(s->r, 0, b->n * sizeof *s->r);
    tml__gen_border_push(b, s->g, s->r);
}

void tml__step_least_backward(gen_step_product* s, const gen_step_numbers* x)
{
    const gen_border* b = &s->border;
    const gen_touch* c = s->touch;
    if (!b->is_deficient) return;
    find_motion(s);
    pull_back(s);
    tml__step_metric(s, PARTIAL_BACKWARD, x, s->r);
    stand(s);
    for (size_t j = 0; j < b->n; j++) s->r[j] = -s->r[j];
    tml__gen_product_pull(s->inverse, s->r);
    for (int i = 0; i < b->count; i++) {
        int r = 0;
        double bent[TWIST_COLUMNS] = {0.0};
        const int k = tml__step_contact_of(s, b->row[i], &r);
        double sign = 1.0;
        const int at = beside(s, i, &sign);
        if (at >= 0) s->row_rate[at] += sign * s->g[i];
        if (k < 0) continue;
        const twist Y = tml__step_relative(s, s->inverse->Y, s->bends[k].k);
        tml__contact_bent_transposed(&s->bends[k], r, tw_axpy(tw_zero(), -s->least[i], Y), bent);
        tml__step_seen_backward(s, k, r, s->g[i], bent);
        for (int t = 1; t <= c->friction_rows[k] && r == 0; t++) {
            const double share = share_of(s, c->contact_row[k] + t);
            if (s->used[c->contact_row[k] + t] == LCP_HELD ||
                s->used[c->contact_row[k] + t] == LCP_OFF)
                continue;
            tml__step_seen_backward(s, k, t, share * s->g[i], bent);
            coefficient(s, PARTIAL_BACKWARD, k, t, x->contact, &s->g[i]);
        }
        tml__step_gather(s, s->bends[k].k, bent, x->com);
    }
    tml__step_walk_back(s, s->least_u, x);
    const gen_column_change gradient = {.positions = x->positions};
    tml__gen_product_backward(s->inverse, &gradient, &x->in);
    if (s->record.held != NULL) tml__step_rows_backward(s, x, s->least_u);
    s->is_elsewhere = true;
}
