// diff/contact_ends.c - both ends of a step that touches, linearised: the shift out of overlaps before it,
// and the velocities of what has met after it.
#include "diff/contact.h"
#include "sim/sim_internal.h"

#include <string.h>

enum {
    EXACT_PASSES = 30
};

tml_status tml__touch_fill_border(const instant* at, const double* q, touch_border* b)
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
        tml__border_add(b, k, &b->rows[k].here.K, 1.0, t->wrench);
        status = tml__kkt_solve(s->matrix, t->wrench, at->work->rows, b->Z + (size_t)k * six,
                                at->work->dl);
    }
    if (status != TML_OK) return tml__fail(&sim->why, status, "a push of contacts has no answer");
    for (int r = 0; r < m; r++) {
        for (int k = 0; k < m; k++) {
            b->A[r * m + k] = tml__border_along(b, r, &b->rows[r].here.J, b->Z + (size_t)k * six);
        }
    }
    return tml__border_factor(b, &sim->why);
}

static tml_status unsolved(const instant* i, tml_status status)
{
    if (status == TML_OK || i->sim->why.text[0] != '\0') return status;
    return tml__fail(&i->sim->why, status, "a linearised impact has no solution");
}

// ---- pushes of contacts that move bodies by delta at the pose q:  M delta - C^T pi = sum of J^T f,  C delta = 0

enum {
    MOST_PUSHES = 4
};

typedef struct kick {
    const double *q, *delta;
    double* pose;  // changes or gradients at q
    int count;
    touch_push push[MOST_PUSHES];
    double scale[MOST_PUSHES];
} kick;

// t->wrench: what is pushed.
static void sum_pushes(const instant* i, const kick* k)
{
    touch_linear* t = i->work->touch;
    touch_set* set = i->sim->touch->rows;
    const int six = 6 * i->sim->model->node_count;
    clear(t->wrench, six);
    for (int p = 0; p < k->count; p++) {
        const bool is_end = k->push[p].end == AT_END;
        if (is_end) tml__touch_swap_ends(set);
        tml__touch_push(set, k->push[p].f, t->more);
        if (is_end) tml__touch_swap_ends(set);
        for (int n = 0; n < six; n++) t->wrench[n] += k->scale[p] * t->more[n];
    }
}

// t->pi, by the factor at hand.
static tml_status note_impulses(const instant* i, const kick* k)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    sum_pushes(i, k);
    clear(i->work->rows, sim->system->row_count);
    return tml__kkt_solve(sim->system->matrix, t->wrench, i->work->rows, i->work->dx, t->pi);
}

static void push_products(const instant* i, const kick* k, double* out)
{
    for (int p = 0; p < k->count; p++) {
        tml__touch_push_product(i, &k->push[p], k->scale[p], out);
    }
}

// What delta changes by while impulses are held but for `more` (NULL: nothing), into w->dx. The factor at hand is as
// before.
static tml_status kick_forward(const instant* i, const kick* k, const double* more)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    touch_linear* t = w->touch;
    const int six = 6 * s->node_count;
    clear(w->E, six);
    clear(w->rows, s->row_count);
    clear(t->push, six);
    tml__linear_kick_product(i, k->q, k->delta, t->pi, k->pose);
    push_products(i, k, t->push);
    for (int n = 0; n < six; n++) w->E[n] = t->push[n] - w->E[n];
    for (int n = 0; n < six && more != NULL; n++) w->E[n] += more[n];
    for (int n = 0; n < s->row_count; n++) w->rows[n] = -w->rows[n];
    const tml_status status = tml__maximal_factor_position(s);
    return status == TML_OK ? tml__kkt_solve(s->matrix, w->E, w->rows, w->dx, w->dl) : status;
}

// From gradients g by delta; t->push becomes the gradient by what is pushed.
static tml_status kick_backward(const instant* i, const kick* k, const double* g)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    touch_linear* t = w->touch;
    const int six = 6 * s->node_count;
    clear(w->rows, s->row_count);
    const tml_status status = tml__kkt_solve_transposed(s->matrix, g, w->rows, w->E, w->dl);
    if (status != TML_OK) return status;
    for (int n = 0; n < six; n++) t->push[n] = w->E[n];
    for (int n = 0; n < six; n++) w->E[n] = -w->E[n];
    for (int n = 0; n < s->row_count; n++) w->rows[n] = -w->dl[n];
    tml__linear_kick_product(i, k->q, k->delta, t->pi, k->pose);
    push_products(i, k, t->push);
    return TML_OK;
}

// ---- the shift out of overlaps:  M m - C^T l = J^T s,  J m = -gap

static kick shift_of(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    touch_linear* t = i->work->touch;
    return (kick){.q = t->q0,
                  .delta = w->shift,
                  .pose = t->pose0,
                  .count = 1,
                  .push = {{AT_START, w->shift_f, w->shift_labels}},
                  .scale = {1.0}};
}

// Poses after it by those before it and t->move.
static void displace_product(const instant* i)
{
    touch_linear* t = i->work->touch;
    const double* m = i->sim->touch->shift;
    for (int n = 0; n < 6 * i->sim->model->node_count; n += 6) {
        for (int k = n; k < n + 3; k++) {
            if (i->way == PARTIAL_FORWARD) {
                t->pose_start[k] = t->pose0[k] + t->move[k];
            } else {
                t->pose0[k] += t->pose_start[k];
                t->move[k] += t->pose_start[k];
            }
        }
        if (i->way == PARTIAL_FORWARD) clear(&t->pose_start[n + 3], 3);
        tml__turn_product(i->way, v3_load(&m[n + 3]), &t->pose0[n + 3], &t->move[n + 3],
                          &t->pose_start[n + 3]);
    }
}

tml_status tml__touch_shift_forward(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    touch_linear* t = i->work->touch;
    touch_border* b = &t->shift;
    const int six = 6 * i->sim->model->node_count;
    instant at = *i;
    at.dt = 0.0;
    clear(t->move, six);
    copy(t->pose_start, t->pose0, six);
    if (!w->is_moved) return TML_OK;
    const kick shift = shift_of(i);
    tml_status status = tml__touch_fill_border(&at, t->q0, b);
    if (status == TML_OK) status = note_impulses(&at, &shift);
    if (status == TML_OK) status = kick_forward(&at, &shift, NULL);
    if (status != TML_OK) return unsolved(i, status);
    copy(t->move, i->work->dx, six);
    for (int k = 0; k < b->count; k++) {
        double z[TWIST_COLUMNS];
        const touch_bend* bend = &t->bends[b->rows[k].contact];
        tml__touch_spread(bend, t->pose0, i->x->inputs.com, z);
        b->f[k] = contact_bend_along(bend->bend.gap, z) +
                  tml__touch_bent_rate(bend, 0, w->shift, t->pose0, z) +
                  tml__border_along(b, k, &b->rows[k].here.J, t->move);
    }
    tml__border_solve(b, PARTIAL_FORWARD);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < six; n++) t->move[n] += b->f[k] * Z[n];
    }
    displace_product(i);
    return TML_OK;
}

// Gradients by pose_start and move become gradients by pose0.
tml_status tml__touch_shift_backward(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    touch_linear* t = i->work->touch;
    touch_border* b = &t->shift;
    const int six = 6 * i->sim->model->node_count;
    instant at = *i;
    at.dt = 0.0;
    if (!w->is_moved) {
        for (int n = 0; n < six; n++) t->pose0[n] += t->pose_start[n];
        return TML_OK;
    }
    displace_product(i);
    const kick shift = shift_of(i);
    tml_status status = tml__touch_fill_border(&at, t->q0, b);
    if (status == TML_OK) status = note_impulses(&at, &shift);
    if (status != TML_OK) return unsolved(i, status);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        b->f[k] = 0.0;
        for (int n = 0; n < six; n++) b->f[k] += Z[n] * t->move[n];
    }
    tml__border_solve(b, PARTIAL_BACKWARD);
    for (int k = 0; k < b->count; k++) {
        double z[TWIST_COLUMNS];
        const touch_bend* bend = &t->bends[b->rows[k].contact];
        for (int n = 0; n < TWIST_COLUMNS; n++) z[n] = b->f[k] * bend->bend.gap[n];
        tml__touch_bent_rate_transposed(bend, 0, w->shift, b->f[k], t->pose0, z);
        tml__touch_gather(bend, z, t->pose0, i->x->inputs.com);
        tml__border_add(b, k, &b->rows[k].here.J, b->f[k], t->move);
    }
    return unsolved(i, kick_backward(&at, &shift, t->move));
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
static double asked_forward(const instant* i, int k)
{
    const touch_linear* t = i->work->touch;
    const border_row* row = &t->end.rows[k];
    const touch_bend* bend = &t->bends[row->contact];
    const contact* c = &i->sim->contacts->found[row->contact];
    bounce_point p;
    double z[TWIST_COLUMNS];
    if (!bounces(i, row, &p)) return 0.0;
    tml__touch_spread(bend, t->pose0, i->x->inputs.com, z);
    double rate = tml__touch_bent_rate(bend, 0, t->before, t->pose0, z) +
                  tml__border_along(&t->end, k, &row->there.J, t->u0);
    if (p.is_later) {
        rate += t->end.touch->h * (tml__touch_bent_rate(bend, 0, t->a0, t->pose0, z) +
                                   tml__border_along(&t->end, k, &row->there.J, t->da));
    }
    return p.speed * tml__touch_pair_forward(i->sim, c, i->x->inputs.contact, 1) - p.e * rate;
}

static void asked_backward(const instant* i, int k, double g)
{
    touch_linear* t = i->work->touch;
    const border_row* row = &t->end.rows[k];
    const touch_bend* bend = &t->bends[row->contact];
    const contact* c = &i->sim->contacts->found[row->contact];
    bounce_point p;
    double z[TWIST_COLUMNS] = {0};
    if (!bounces(i, row, &p)) return;
    tml__touch_pair_backward(i->sim, c, g * p.speed, 1, i->x->inputs.contact);
    tml__touch_bent_rate_transposed(bend, 0, t->before, -g * p.e, t->pose0, z);
    tml__border_add(&t->end, k, &row->there.J, -g * p.e, t->u0);
    if (p.is_later) {
        const double later = -g * p.e * t->end.touch->h;
        tml__touch_bent_rate_transposed(bend, 0, t->a0, later, t->pose0, z);
        tml__border_add(&t->end, k, &row->there.J, later, t->da);
    }
    tml__touch_gather(bend, z, t->pose0, i->x->inputs.com);
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
        tml__linear_accelerate(&at, t->q0, step_v(i->sim), t->pose0, t->u0, t->da, w->lambda_d);
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
    return tml__maximal_accelerate(i->sim->system, i->work->touch->q0, step_v(i->sim),
                                   i->work->touch->a0, i->work->lambda_d);
}

// What rows that have turned push more, and impulses at the end in place of those of the step.
static kick end_of(const instant* i)
{
    const sim_touch* w = i->sim->touch;
    const touch_set* set = w->rows;
    touch_linear* t = i->work->touch;
    return (kick){.q = t->q1,
                  .delta = t->delta,
                  .pose = t->pose1,
                  .count = 4,
                  .push = {{AT_END, set->f_other, set->labels_other},
                           {AT_END, w->closed, set->labels},
                           {AT_END, w->turning, NULL},
                           {AT_START, w->turning, NULL}},
                  .scale = {1.0, -1.0, w->turned, -w->turned}};
}

// Is row k of the step one whose impulse another one at the end takes the place of?
static bool is_replaced(const instant* i, int k)
{
    const sim_touch* w = i->sim->touch;
    const border_row* row = &i->work->touch->step.rows[k];
    return w->has_solved && w->is_replaced[row->contact];
}

// More of the impulses of the step pushes more, or less, at the end.
static void turned_forward(const instant* i, double* out)
{
    const touch_border* b = &i->work->touch->step;
    const double share = i->sim->touch->turned;
    clear(out, 6 * i->sim->model->node_count);
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        if (is_replaced(i, k)) tml__border_add(b, k, &row->there.K, -b->f[k], out);
        if (row->r > 0 || share == 0.0) continue;
        tml__border_add(b, k, &row->there.J, share * b->f[k], out);
        tml__border_add(b, k, &row->here.J, -share * b->f[k], out);
    }
}

static void turned_backward(const instant* i, const double* out)
{
    const touch_border* b = &i->work->touch->step;
    const double share = i->sim->touch->turned;
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        if (is_replaced(i, k)) b->by_end[k] -= tml__border_along(b, k, &row->there.K, out);
        if (row->r > 0 || share == 0.0) continue;
        b->by_end[k] += share * (tml__border_along(b, k, &row->there.J, out) -
                                 tml__border_along(b, k, &row->here.J, out));
    }
}

// Forces are told as if all of them acted where the step starts: t->mean by what impulses at the end change, while
// those of its rows are held.
static void told_product(const instant* i)
{
    const touch_set* set = i->sim->touch->rows;
    const touch_push more = {AT_START, set->f_other, set->labels_other};
    const touch_push less = {AT_START, i->sim->touch->closed, set->labels};
    tml__touch_push_product(i, &more, 1.0 / set->h, i->work->touch->mean);
    tml__touch_push_product(i, &less, -1.0 / set->h, i->work->touch->mean);
}

static void told_forward(const instant* i)
{
    touch_linear* t = i->work->touch;
    const double h = i->sim->touch->rows->h;
    told_product(i);
    for (int k = 0; k < t->end.count; k++) {
        tml__border_add(&t->end, k, &t->end.rows[k].there.K, t->end.f[k] / h, t->mean);
    }
    for (int k = 0; k < t->step.count; k++) {
        if (!is_replaced(i, k)) continue;
        tml__border_add(&t->step, k, &t->step.rows[k].here.K, -t->step.f[k] / h, t->mean);
    }
}

// Gradients by impulses at the end and by those of the step; then by poses.
static void told_backward(const instant* i)
{
    touch_linear* t = i->work->touch;
    const double h = i->sim->touch->rows->h;
    for (int k = 0; k < t->end.count; k++) {
        t->end.f[k] = tml__border_along(&t->end, k, &t->end.rows[k].there.K, t->mean) / h;
    }
    for (int k = 0; k < t->step.count; k++) {
        if (!is_replaced(i, k)) continue;
        t->step.by_end[k] -= tml__border_along(&t->step, k, &t->step.rows[k].here.K, t->mean) / h;
    }
    told_product(i);
}

// Does row k of the end keep the rate of its formula? Then it is about the change of velocities alone.
static bool keeps_rate(const instant* i, int k)
{
    const sim_touch* w = i->sim->touch;
    const border_row* row = &i->work->touch->end.rows[k];
    return w->is_old[row->contact] && w->rows->labels[row->row] == LCP_HELD;
}

static const double* watched(const instant* i, int k)
{
    const touch_linear* t = i->work->touch;
    return keeps_rate(i, k) ? t->delta : t->after;
}

// t->u1 from velocities before to velocities after, t->mean grows by what pushed.
tml_status tml__touch_met_forward(const instant* i)
{
    const linear_work* w = i->work;
    touch_linear* t = w->touch;
    touch_border* b = &t->end;
    const int six = 6 * i->sim->model->node_count;
    const kick end = end_of(i);

    tml_status status = start_acceleration(i);
    if (status == TML_OK) status = tml__touch_fill_border(i, t->q1, b);
    if (status == TML_OK) status = note_impulses(i, &end);
    if (status == TML_OK) {
        turned_forward(i, t->more);
        status = kick_forward(i, &end, t->more);
    }
    if (status != TML_OK) return unsolved(i, status);
    for (int n = 0; n < six; n++) t->u1[n] += w->dx[n];
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        const touch_view view = tml__touch_view(i, row->contact, AT_END);
        double z[TWIST_COLUMNS];
        tml__touch_spread(view.bend, view.pose, i->x->inputs.com, z);
        b->f[k] = tml__touch_bent_rate(view.bend, row->r, watched(i, k), view.pose, z) +
                  tml__border_along(b, k, &row->here.J, keeps_rate(i, k) ? w->dx : t->u1) -
                  asked_forward(i, k);
    }
    tml__border_solve(b, PARTIAL_FORWARD);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < six; n++) t->u1[n] += b->f[k] * Z[n];
    }
    told_forward(i);
    return TML_OK;
}

// Gradients by t->u1 after to those before, t->pose1, pose0 and u0 grow, and those by the impulses of the step;
// t->mean is the gradient by the mean force.
tml_status tml__touch_met_backward(const instant* i)
{
    touch_linear* t = i->work->touch;
    touch_border* b = &t->end;
    const int six = 6 * i->sim->model->node_count;
    double* by_delta = t->more;
    const kick end = end_of(i);

    tml_status status = look_at_acceleration(i);
    if (status == TML_OK) status = tml__touch_fill_border(i, t->q1, b);
    if (status == TML_OK) status = note_impulses(i, &end);
    if (status != TML_OK) return unsolved(i, status);
    told_backward(i);
    for (int k = 0; k < b->count; k++) {
        const double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < six; n++) b->f[k] += Z[n] * t->u1[n];
    }
    tml__border_solve(b, PARTIAL_BACKWARD);
    copy(by_delta, t->u1, six);
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        const touch_view view = tml__touch_view(i, row->contact, AT_END);
        double z[TWIST_COLUMNS] = {0};
        tml__touch_bent_rate_transposed(view.bend, row->r, watched(i, k), b->f[k], view.pose, z);
        tml__touch_gather(view.bend, z, view.pose, i->x->inputs.com);
        asked_backward(i, k, -b->f[k]);
        tml__border_add(b, k, &row->here.J, b->f[k], by_delta);
        if (keeps_rate(i, k)) continue;
        tml__border_add(b, k, &row->here.J, b->f[k], t->u1);
    }
    status = kick_backward(i, &end, by_delta);
    if (status != TML_OK) return unsolved(i, status);
    turned_backward(i, t->push);
    return start_acceleration(i);
}
