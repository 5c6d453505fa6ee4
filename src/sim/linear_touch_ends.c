// sim/linear_touch_ends.c - both ends of a step that touches, linearised: the shift out of overlaps before it,
// and the velocities of what has met after it.
#include "sim/linear_touch.h"
#include "sim/sim_internal.h"

#include <string.h>

enum {
    EXACT_PASSES = 30
};

// By the mass matrix and the rows of a pose: what a unit of each row moves.
static tml_status fill_position_border(const instant* at, const double* q, touch_border* b)
{
    tml_sim* sim = at->sim;
    maximal_system* s = sim->system;
    touch_linear* t = at->work->touch;
    const size_t six = 6 * (size_t)s->node_count;
    const int m = b->count;
    tml__instant_targets(at);
    tml__maximal_place(s, q, NULL);
    tml__maximal_rows(s);
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    tml_status status = tml__maximal_factor_position(s);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    clear(at->work->rows, s->row_count);
    for (int k = 0; k < m && status == TML_OK; k++) {
        memset(t->wrench, 0, six * sizeof(double));
        tml__border_add(b, k, &b->rows[k].K, 1.0, t->wrench);
        status = tml__kkt_solve(s->matrix, t->wrench, at->work->rows, b->Z + (size_t)k * six,
                                at->work->dl);
    }
    if (status != TML_OK) return tml__fail(&sim->why, status, "a push of contacts has no answer");
    for (int r = 0; r < m; r++) {
        for (int k = 0; k < m; k++) {
            b->A[r * m + k] = tml__border_along(b, r, &b->rows[r].J, b->Z + (size_t)k * six);
        }
    }
    return tml__border_factor(b, &sim->why);
}

// ---- the shift out of overlaps: J m = -gap, taken as small

tml_status tml__touch_shift_forward(const instant* i)
{
    touch_linear* t = i->work->touch;
    const int six = 6 * i->sim->model->node_count;
    copy(t->pose_start, t->pose0, six);
    if (!i->sim->touch->is_moved) return TML_OK;
    instant at = *i;
    at.dt = 0.0;
    touch_border* b = &t->shift;
    const tml_status status = fill_position_border(&at, t->q0, b);
    if (status != TML_OK) return status;
    for (int k = 0; k < b->count; k++) {
        double z[TWIST_COLUMNS];
        const touch_bend* bend = &t->bends[b->rows[k].contact];
        tml__touch_spread(bend, t->pose0, i->x->inputs.com, z);
        b->f[k] = contact_bend_along(bend->bend.gap, z);
    }
    tml__border_solve(b, PARTIAL_FORWARD);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < six; n++) t->pose_start[n] += b->f[k] * Z[n];
    }
    return TML_OK;
}

// Gradients by pose_start become gradients by pose0.
tml_status tml__touch_shift_backward(const instant* i)
{
    touch_linear* t = i->work->touch;
    const int six = 6 * i->sim->model->node_count;
    for (int n = 0; n < six; n++) t->pose0[n] += t->pose_start[n];
    if (!i->sim->touch->is_moved) return TML_OK;
    instant at = *i;
    at.dt = 0.0;
    touch_border* b = &t->shift;
    const tml_status status = fill_position_border(&at, t->q0, b);
    if (status != TML_OK) return status;
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        b->f[k] = 0.0;
        for (int n = 0; n < six; n++) b->f[k] += Z[n] * t->pose_start[n];
    }
    tml__border_solve(b, PARTIAL_BACKWARD);
    for (int k = 0; k < b->count; k++) {
        double z[TWIST_COLUMNS];
        const touch_bend* bend = &t->bends[b->rows[k].contact];
        for (int n = 0; n < TWIST_COLUMNS; n++) z[n] = b->f[k] * bend->bend.gap[n];
        tml__touch_gather(bend, z, t->pose0, i->x->inputs.com);
    }
    return TML_OK;
}

// ---- what has met

// Of a row that bounces: e times the slower of the speeds at both ends of the step.
typedef struct bounce_point {
    double e, speed;
    bool is_later;  // the speed that forces alone would give it at the end
} bounce_point;

static bool bounces(const instant* i, const border_row* row, bounce_point* out)
{
    const sim_touch* w = i->sim->touch;
    const contact* k = &i->sim->contacts->found[row->contact];
    if (row->r > 0 || !(w->after[row->row] > 0.0)) return false;
    out->e = k->restitution;
    out->speed = w->after[row->row] / k->restitution;
    out->is_later = w->after[row->row] != k->restitution * -w->before[row->row];
    return true;
}

static bool has_later_bounce(const instant* i)
{
    const touch_border* b = &i->work->touch->end;
    bounce_point p;
    for (int k = 0; k < b->count; k++) {
        if (bounces(i, &b->rows[k], &p) && p.is_later) return true;
    }
    return false;
}

// What rows ask for at the end, by the motion at the start.
static double asked_forward(const instant* i, int k, const double* z)
{
    const touch_linear* t = i->work->touch;
    const border_row* row = &t->end.rows[k];
    const touch_bend* bend = &t->bends[row->contact];
    const contact* c = &i->sim->contacts->found[row->contact];
    bounce_point p;
    if (!bounces(i, row, &p)) return 0.0;
    double rate = tml__touch_bent_rate(bend, 0, t->before, t->pose0, z) +
                  tml__border_along(&t->end, k, &row->J, t->u0);
    if (p.is_later) {
        rate += t->end.touch->h * (tml__touch_bent_rate(bend, 0, t->a0, t->pose0, z) +
                                   tml__border_along(&t->end, k, &row->J, t->da));
    }
    return p.speed * tml__touch_pair_forward(i->sim, c, i->x->inputs.contact, 1) - p.e * rate;
}

static void asked_backward(const instant* i, int k, double g, double* z)
{
    touch_linear* t = i->work->touch;
    const border_row* row = &t->end.rows[k];
    const touch_bend* bend = &t->bends[row->contact];
    const contact* c = &i->sim->contacts->found[row->contact];
    bounce_point p;
    if (!bounces(i, row, &p)) return;
    tml__touch_pair_backward(i->sim, c, g * p.speed, 1, i->x->inputs.contact);
    tml__touch_bent_rate_transposed(bend, 0, t->before, -g * p.e, t->pose0, z);
    tml__border_add(&t->end, k, &row->J, -g * p.e, t->u0);
    if (!p.is_later) return;
    const double later = -g * p.e * t->end.touch->h;
    tml__touch_bent_rate_transposed(bend, 0, t->a0, later, t->pose0, z);
    tml__border_add(&t->end, k, &row->J, later, t->da);
}

// The acceleration at the start, which a later bounce asks for: its value, its change, its gradient.
static tml_status start_acceleration(const instant* i)
{
    const maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    touch_linear* t = w->touch;
    instant at = *i;
    at.dt = 0.0;
    at.push = NULL;
    if (!has_later_bounce(i)) return TML_OK;
    clear(w->lambda_d, s->row_count);
    const tml_status status =
        tml__linear_accelerate(&at, t->q0, i->sim->past_v[0], t->pose0, t->u0, t->da, w->lambda_d);
    copy(t->a0, w->acceleration, 6 * s->node_count);
    return status;
}

// Its value alone.
static tml_status look_at_acceleration(const instant* i)
{
    instant at = *i;
    at.dt = 0.0;
    if (!has_later_bounce(i)) return TML_OK;
    tml__instant_targets(&at);
    clear(i->work->touch->da, 6 * i->sim->system->node_count);
    return tml__maximal_accelerate(i->sim->system, i->work->touch->q0, i->sim->past_v[0],
                                   i->work->touch->a0, i->work->lambda_d);
}

// The impulses of rows that go with the change of velocities, by the factor at hand.
static tml_status note_impulses(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const touch_set* set = sim->touch->rows;
    tml__touch_push(set, set->f_other, t->wrench);
    clear(i->work->rows, sim->system->row_count);
    return tml__kkt_solve(sim->system->matrix, t->wrench, i->work->rows, i->work->dx, t->pi);
}

static tml_status unsolved(const instant* i, tml_status status)
{
    if (status == TML_OK || i->sim->why.text[0] != '\0') return status;
    return tml__fail(&i->sim->why, status, "a linearised impact has no solution");
}

// t->u1 from velocities before to velocities after, t->mean grows by what pushed.
tml_status tml__touch_met_forward(const instant* i)
{
    tml_sim* sim = i->sim;
    maximal_system* s = sim->system;
    linear_work* w = i->work;
    touch_linear* t = w->touch;
    touch_border* b = &t->end;
    const touch_set* set = sim->touch->rows;
    const int six = 6 * s->node_count;

    tml_status status = start_acceleration(i);
    if (status == TML_OK) status = fill_position_border(i, t->q1, b);
    if (status == TML_OK) status = note_impulses(i);
    if (status != TML_OK) return unsolved(i, status);
    clear(w->E, six);
    clear(w->rows, s->row_count);
    clear(t->push, six);
    tml__linear_kick_product(i, t->q1, t->delta, t->pi, t->pose1);
    tml__touch_push_product(i, set->f_other, set->labels_other, 1.0, t->push);
    for (int n = 0; n < six; n++) w->E[n] = t->push[n] - w->E[n];
    for (int n = 0; n < s->row_count; n++) w->rows[n] = -w->rows[n];
    status = tml__maximal_factor_position(s);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, w->E, w->rows, w->dx, w->dl);
    if (status != TML_OK) return unsolved(i, status);
    for (int n = 0; n < six; n++) t->u1[n] += w->dx[n];
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        const touch_bend* bend = &t->bends[row->contact];
        double z[TWIST_COLUMNS];
        tml__touch_spread(bend, t->pose0, i->x->inputs.com, z);
        b->f[k] = tml__touch_bent_rate(bend, row->r, t->after, t->pose0, z) +
                  tml__border_along(b, k, &row->J, t->u1) - asked_forward(i, k, z);
    }
    tml__border_solve(b, PARTIAL_FORWARD);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < six; n++) t->u1[n] += b->f[k] * Z[n];
        tml__border_add(b, k, &b->rows[k].K, b->f[k], t->push);
    }
    for (int n = 0; n < six; n++) t->mean[n] += t->push[n] / set->h;
    return TML_OK;
}

// Gradients by t->u1 after to those before, t->pose1, pose0 and u0 grow; t->mean is the gradient by the mean
// force.
tml_status tml__touch_met_backward(const instant* i)
{
    tml_sim* sim = i->sim;
    maximal_system* s = sim->system;
    linear_work* w = i->work;
    touch_linear* t = w->touch;
    touch_border* b = &t->end;
    const touch_set* set = sim->touch->rows;
    const int six = 6 * s->node_count;

    tml_status status = look_at_acceleration(i);
    if (status == TML_OK) status = fill_position_border(i, t->q1, b);
    if (status == TML_OK) status = note_impulses(i);
    if (status != TML_OK) return unsolved(i, status);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        b->f[k] = tml__border_along(b, k, &b->rows[k].K, t->mean) / set->h;
        for (int n = 0; n < six; n++) b->f[k] += Z[n] * t->u1[n];
    }
    tml__border_solve(b, PARTIAL_BACKWARD);
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        const touch_bend* bend = &t->bends[row->contact];
        double z[TWIST_COLUMNS] = {0};
        tml__touch_bent_rate_transposed(bend, row->r, t->after, b->f[k], t->pose0, z);
        asked_backward(i, k, -b->f[k], z);
        tml__touch_gather(bend, z, t->pose0, i->x->inputs.com);
        tml__border_add(b, k, &row->J, b->f[k], t->u1);
    }
    clear(w->rows, s->row_count);
    status = tml__kkt_solve_transposed(s->matrix, t->u1, w->rows, w->E, w->dl);
    if (status != TML_OK) return unsolved(i, status);
    for (int n = 0; n < six; n++) t->push[n] = w->E[n] + t->mean[n] / set->h;
    for (int n = 0; n < six; n++) w->E[n] = -w->E[n];
    for (int n = 0; n < s->row_count; n++) w->rows[n] = -w->dl[n];
    tml__linear_kick_product(i, t->q1, t->delta, t->pi, t->pose1);
    tml__touch_push_product(i, set->f_other, set->labels_other, 1.0, t->push);
    return start_acceleration(i);
}
