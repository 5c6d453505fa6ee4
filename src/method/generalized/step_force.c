// method/generalized/step_force.c - forces of contacts over a step, as its derivatives see them.
//
// The mean force of a contact is F = sum_r f_r d_r / h with the impulses f of its rows along the directions d. Both
// change: f of rows that hold by the border (b->rest, with the turn of the least forces), friction at its bound with
// its normal's, and the directions with the poses of the two bodies. Moments about centres of mass, which loads of
// joints ask for, follow these too.
#include "math/small.h"
#include "method/generalized/step_contact.h"

#include <math.h>
#include <string.h>

// The row of the border that is row `row` of the touch; -1: none.
static int border_row(const gen_border* b, int row)
{
    for (int k = 0; k < b->count; k++) {
        if (b->row[k] == row) return k;
    }
    return -1;
}

// Friction at its bound: +mu or -mu times the normal's; 0: it is not.
static double bound_of(const gen_step_product* s, int row)
{
    if (s->used[row] == LCP_UPPER) return s->touch->kinds[row].mu;
    return s->used[row] == LCP_LOWER ? -s->touch->kinds[row].mu : 0.0;
}

static double* node_of(const gen_step_product* s, int body, double* forces)
{
    const tml_model* m = s->motion->s->model;
    const int node = body < m->all.body_count ? m->bodies[body].node : -1;
    return node >= 0 ? &forces[6 * (size_t)node] : NULL;
}

static vec3 centre_of(const gen_step_product* s, int body)
{
    const gen_tree* t = s->motion->tree;
    return t->c[t->index[body]];
}

// w (about the world's origin) on body a, -w on body b: forces, and moments about centres of mass.
static void push_nodes(const gen_step_product* s, const contact* k, wrench w, double* forces)
{
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const double sign = side == 0 ? 1.0 : -1.0;
        double* to = node_of(s, body, forces);
        if (to == NULL) continue;
        const vec3 moment = v3_sub(w.moment, v3_cross(centre_of(s, body), w.force));
        v3_store(to, v3_axpy(v3_load(to), sign, w.force));
        v3_store(to + 3, v3_axpy(v3_load(to + 3), sign, moment));
    }
}

// Gradients by w from those by forces and moments of the two bodies.
static twist worth_of(const gen_step_product* s, const contact* k, double* forces)
{
    twist sum = tw_zero();
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const double sign = side == 0 ? 1.0 : -1.0;
        const double* g = node_of(s, body, forces);
        if (g == NULL) continue;
        const vec3 moment = v3_load(g + 3);
        const vec3 force = v3_add(v3_load(g), v3_cross(centre_of(s, body), moment));
        sum = tw_axpy(sum, sign, (twist){moment, force});
    }
    return sum;
}

// Moments follow the centres of mass, at the force F of a contact.
static void follow_centres(const gen_step_product* s, partial_direction way, const contact* k,
                           vec3 F, double* forces)
{
    const gen_tree* t = s->motion->tree;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? k->body_a : k->body_b;
        const vec3 push = side == 0 ? F : v3_neg(F);
        double* node = node_of(s, body, forces);
        if (node == NULL) continue;
        const int at = t->index[body];
        const vec3 arm = v3_sub(t->c[at], t->origin[at]);
        if (way == PARTIAL_FORWARD) {
            const twist Z = s->inverse->walk->Z[at];
            const vec3 moved = v3_add(Z.v, v3_cross(Z.omega, arm));
            v3_store(node + 3, v3_sub(v3_load(node + 3), v3_cross(moved, push)));
        } else {
            const vec3 g = v3_neg(v3_cross(push, v3_load(node + 3)));
            wrench* Z = &s->inverse->walk->g_Z[at];
            *Z = wr_add(*Z, (wrench){v3_cross(arm, g), g});
        }
    }
}

// What is added to the coefficient of friction by the bodies of a contact, or gradients by it.
static void coefficient(const gen_step_product* s, partial_direction way, const contact* k,
                        double* contact_in, double* d_mu)
{
    const int world = s->motion->s->model->all.body_count;
    const int bodies[2] = {k->body_a, k->body_b};
    for (int i = 0; i < 2 && contact_in != NULL; i++) {
        if (bodies[i] >= world) continue;
        if (way == PARTIAL_FORWARD) {
            *d_mu += contact_in[2 * bodies[i]];
        } else {
            contact_in[2 * bodies[i]] += *d_mu;
        }
    }
}

static bool is_at_bound(const gen_step_product* s, int row)
{
    return s->used[row] == LCP_UPPER || s->used[row] == LCP_LOWER;
}

// Change of the impulse of row r of contact i; `d_f`: of the rows of the border.
static double impulse_change(const gen_step_product* s, int i, int r, const double* d_f,
                             double* contact_in)
{
    const gen_touch* c = s->touch;
    const int normal = c->contact_row[i];
    const bool is_bound = is_at_bound(s, normal + r);
    const int k = border_row(&s->border, is_bound ? normal : normal + r);
    const double d = k >= 0 ? d_f[k] : 0.0;
    if (!is_bound) return s->used[normal + r] == LCP_HELD ? d : 0.0;
    double d_mu = 0.0;
    coefficient(s, PARTIAL_FORWARD, s->bends[i].k, contact_in, &d_mu);
    const double sign = s->used[normal + r] == LCP_UPPER ? 1.0 : -1.0;
    return bound_of(s, normal + r) * d + sign * c->f[normal] * d_mu;
}

void tml__step_forces_forward(gen_step_product* s, const gen_step_numbers* x, const double* d_f)
{
    const gen_touch* c = s->touch;
    memset(x->forces, 0, 6 * (size_t)s->motion->s->node_count * sizeof *x->forces);
    for (int i = 0; c != NULL && i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        const contact_bend* b = &s->bends[i];
        if (s->used[at] != LCP_HELD) continue;
        double z[TWIST_COLUMNS];
        wrench w = wr_zero();
        tml__step_spread(s, b->k, x->com, z);
        for (int r = 0; r <= c->friction_rows[i]; r++) {
            const double d = impulse_change(s, i, r, d_f, x->contact);
            w = wr_add(w, wr_scale(d, tml__contact_wrench(b, r)));
            w = wr_add(w, wr_scale(c->f[at + r], tml__contact_bent(b, r, z)));
        }
        push_nodes(s, b->k, wr_scale(1.0 / s->record.h, w), x->forces);
        const vec3 F = tml__gen_touch_force(c, s->record.contacts, i);
        follow_centres(s, PARTIAL_FORWARD, b->k, v3_scale(1.0 / s->record.h, F), x->forces);
    }
}

// By the impulse of row r of contact i, w its worth.
static void impulse_worth(gen_step_product* s, int i, int r, twist w, double* contact_in,
                          double* d_f)
{
    const int at = s->touch->contact_row[i];
    const bool is_bound = is_at_bound(s, at + r);
    if (!is_bound && s->used[at + r] != LCP_HELD) return;
    const double along = sv_dot(w, tml__contact_wrench(&s->bends[i], r));
    const int k = border_row(&s->border, is_bound ? at : at + r);
    if (k >= 0) d_f[k] += is_bound ? bound_of(s, at + r) * along : along;
    if (!is_bound) return;
    double d_mu = (s->used[at + r] == LCP_UPPER ? along : -along) * s->touch->f[at];
    coefficient(s, PARTIAL_BACKWARD, s->bends[i].k, contact_in, &d_mu);
}

bool tml__step_forces_backward(gen_step_product* s, const gen_step_numbers* x, double* d_f)
{
    const gen_touch* c = s->touch;
    bool is_any = false;
    for (int k = 0; k < 6 * s->motion->s->node_count && !is_any; k++) is_any = x->forces[k] != 0.0;
    if (c == NULL || !is_any || s->border.count == 0) return false;
    memset(d_f, 0, (size_t)s->border.count * sizeof *d_f);
    for (int i = 0; i < c->contact_count; i++) {
        const int at = c->contact_row[i];
        if (s->used[at] != LCP_HELD) continue;
        double z[TWIST_COLUMNS] = {0.0};
        const contact_bend* b = &s->bends[i];
        const twist w = tw_axpy(tw_zero(), 1.0 / s->record.h, worth_of(s, b->k, x->forces));
        for (int r = 0; r <= c->friction_rows[i]; r++) {
            tml__contact_bent_transposed(b, r, tw_axpy(tw_zero(), c->f[at + r], w), z);
            impulse_worth(s, i, r, w, x->contact, d_f);
        }
        tml__step_gather(s, b->k, z, x->com);
        const vec3 F = tml__gen_touch_force(c, s->record.contacts, i);
        follow_centres(s, PARTIAL_BACKWARD, b->k, v3_scale(1.0 / s->record.h, F), x->forces);
    }
    return true;
}

// ---- rows that others imply

// What one row pushes with, friction at its bound included, on the nodes of its bodies.
static void push_row(const gen_step_product* s, int row, double scale, double* forces)
{
    const gen_touch* c = s->touch;
    int r = 0;
    const int i = tml__step_contact_of(s, row, &r);
    if (i < 0) return;  // a limit
    const contact_bend* b = &s->bends[i];
    wrench w = tml__contact_wrench(b, r);
    for (int t = 1; t <= c->friction_rows[i] && r == 0; t++) {
        w = wr_add(w, wr_scale(bound_of(s, row + t), tml__contact_wrench(b, t)));
    }
    push_nodes(s, b->k, wr_scale(scale, w), forces);
}

// A row that was left out is a sum of those that count: J = sum_k c_k J_k, A^T c = K^T M^-1 J^T. Does it push any body
// otherwise than that sum?
static bool pushes_otherwise(gen_step_product* s, int row, bool has_moments)
{
    const gen_border* b = &s->border;
    const gen_rows* rows = s->touch->rows;
    const size_t numbers = 6 * (size_t)s->motion->s->node_count;
    double* forces = s->inverse->pose;  // scratch between products
    double* weights = s->least;
    memset(s->move, 0, b->n * sizeof *s->move);
    for (size_t e = rows->start[row]; e < rows->start[row + 1]; e++) {
        s->move[rows->column[e]] += rows->j[e];
    }
    tml__gen_border_weigh(b, s->move, weights);
    tml__lu_solve_transposed(b->count, b->A, b->count, b->pivot, weights);
    memset(forces, 0, numbers * sizeof *forces);
    push_row(s, row, 1.0, forces);
    for (int k = 0; k < b->count; k++) push_row(s, b->row[k], -weights[k], forces);
    double worst = 0.0;
    for (size_t k = 0; k < numbers; k++) {
        if (k % 6 < 3 || has_moments) worst = fmax(worst, fabs(forces[k]));
    }
    return worst > 1e-6;  // directions are of length one
}

bool tml__step_has_free_split(gen_step_product* s, bool has_moments)
{
    const gen_touch* c = s->touch;
    if (c == NULL || s->border.is_deficient) return false;
    for (int row = 0; row < c->rows->count; row++) {
        if (s->used[row] != LCP_HELD || lcp_row_is_off(&c->kinds[row])) continue;
        if (c->rows->scale[row] == 0.0 || border_row(&s->border, row) >= 0) continue;
        if (pushes_otherwise(s, row, has_moments)) return true;
    }
    return false;
}
