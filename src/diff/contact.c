// diff/contact.c - one step that touches as a linear map, for every formulation in maximal
// coordinates. The step is taken once more from where it began, with the same bits, which leaves its
// contacts, labels and impulses in sim->touch.
#include "diff/contact.h"

#include "base/request.h"
#include "diff/start.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

enum {
    REQUESTS = 26
};

// ---- memory

// Everything that a gradient of one step grows.
static size_t trial_count(const tml_sim* sim)
{
    const size_t state = tml__flat_count(sim) + tml__touch_force_count(sim);
    return (1 + TIME_PAST) * state + tml__run_input_count(sim) +
           2 * (size_t)sim->model->control_count;
}

static int list_requests(const tml_sim* sim, touch_linear* t, request list[REQUESTS])
{
    const size_t six = 6 * (size_t)sim->model->node_count;
    const size_t flat = tml__flat_count(sim);
    double** const sixes[] = {&t->pose_start, &t->way,  &t->before, &t->delta, &t->after,
                              &t->push,       &t->mean, &t->wrench, &t->more,  &t->a0,
                              &t->da,         &t->move, &t->a_in,   &t->a_out, &t->u_in,
                              &t->late,       &t->last};
    int count = 0;
    for (size_t k = 0; k < sizeof sixes / sizeof *sixes; k++) {
        list[count++] = (request){sixes[k], six, sizeof(double)};
    }
    list[count++] = (request){&t->q0, 3 * (size_t)sim->width, sizeof(double)};
    list[count++] = (request){&t->past, flat, sizeof(double)};
    list[count++] = (request){&t->next, flat, sizeof(double)};
    list[count++] = (request){&t->none, flat + tml__run_input_count(sim), sizeof(double)};
    list[count++] = (request){&t->pi, (size_t)sim->system->row_count, sizeof(double)};
    list[count++] = (request){&t->moved, flat, sizeof(double)};
    list[count++] = (request){&t->trial, trial_count(sim), sizeof(double)};
    list[count++] = (request){&t->labels, (size_t)sim->touch->rows->capacity, 1};
    list[count++] = (request){&t->labels_end, (size_t)sim->touch->rows->capacity, 1};
    return count;
}

void tml__touch_linear_destroy(tml_sim* sim, touch_linear* t)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    request list[REQUESTS];
    if (t == NULL) return;
    const int count = list_requests(sim, t, list);
    tml__release_all(allocator, list, count);
    tml__island_linear_release(sim, &t->taken);
    tml__release(allocator, t->bends);
    tml__release(allocator, t->bends_end);
    tml__border_release(&t->shift);
    tml__border_release(&t->step);
    tml__border_release(&t->end);
    tml__border_release(&t->rest);
    tml__release(allocator, t);
}

static tml_status create(tml_sim* sim, linear_work* w)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t six = 6 * (size_t)sim->model->node_count;
    request list[REQUESTS];
    // somebody may have reserved more contacts since
    if (w->touch != NULL && w->touch->room >= sim->contacts->capacity) return TML_OK;
    tml__touch_linear_destroy(sim, w->touch);
    w->touch = NULL;
    touch_linear* t = tml__allocate(allocator, 1, sizeof *t);
    if (t == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    t->shift = (touch_border){.allocator = *allocator, .wide = six};
    t->step = (touch_border){.allocator = *allocator, .wide = six};
    t->end = (touch_border){.allocator = *allocator, .wide = six};
    t->rest = (touch_border){.allocator = *allocator, .wide = six};
    t->bends = tml__allocate(allocator, (size_t)sim->contacts->capacity, sizeof *t->bends);
    t->bends_end = tml__allocate(allocator, (size_t)sim->contacts->capacity, sizeof *t->bends);
    const int count = list_requests(sim, t, list);
    if (t->bends == NULL || t->bends_end == NULL ||
        tml__take_all(allocator, list, count) != TML_OK ||
        tml__island_linear_take(sim, &t->taken) != TML_OK) {
        tml__touch_linear_destroy(sim, t);
        return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    }
    t->room = sim->contacts->capacity;
    t->q1 = t->q0 + sim->width;
    t->v1 = t->q1 + sim->width;
    t->pose0 = t->taken.pose0;
    t->u0 = t->taken.u0;
    t->pose1 = t->taken.pose1;
    t->u1 = t->taken.u1;
    w->touch = t;
    return TML_OK;
}

// ---- the step again

static tml_status repeat(const instant* i)
{
    tml_sim* sim = i->sim;
    step_trace* noted = sim->trace;
    const tml_sim_report before = sim->report;
    step_ask ask = *sim->ask;
    int has_changed = 0;
    ask.is_impact = i->trace->was_impact;
    const step_ask* outer = tml__ask_stand(sim, &ask);
    sim->trace = NULL;
    tml__kkt_forget(sim->system->matrix);
    const tml_status status = tml__sim_touch_advance(sim, i->controls, &has_changed);
    tml__ask_stand(sim, outer);
    sim->trace = noted;
    sim->report = before;
    return status;
}

static vec3 turn_between(const double* from, const double* to)
{
    const quat a = {from[3], from[4], from[5], from[6]};
    const quat b = {to[3], to[4], to[5], to[6]};
    return tml__q_log(q_mul(q_normalize(b), q_conj(q_normalize(a))));
}

static const double* start_of(const tml_sim* sim)
{
    return sim->touch->is_moved ? sim->touch->q_start : step_q(sim);
}

// Values that the products below stand at.
static void note_values(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const sim_touch* w = sim->touch;
    const double* from = start_of(sim);
    const int nodes = sim->model->node_count;
    copy(t->q0, step_q(sim), sim->width);
    copy(t->q1, sim->next.q, sim->width);
    copy(t->v1, sim->next.v, sim->width);
    for (int n = 0; n < nodes; n++) {
        const double* a = &from[POSE_WIDTH * n];
        const double* b = &t->q1[POSE_WIDTH * n];
        v3_store(&t->way[6 * n], v3_sub(v3_load(b), v3_load(a)));
        v3_store(&t->way[6 * n + 3], turn_between(a, b));
    }
    tml__maximal_place(sim->system, t->q0, step_v(sim));
    tml__linear_velocities(sim->system, t->before);
    tml__maximal_place(sim->system, t->q1, sim->next.v);
    tml__linear_velocities(sim->system, t->last);
    if (sim->islands->has_withheld) tml__maximal_place(sim->system, t->q1, sim->islands->v_won);
    tml__linear_velocities(sim->system, t->after);
    t->taken.q0 = t->q0;
    t->taken.v0 = step_v(sim);
    t->taken.q1 = t->q1;
    t->taken.won = t->after;
    if (!w->has_end) return;
    tml__maximal_place(sim->system, t->q1, w->v_met);
    tml__linear_velocities(sim->system, t->delta);
    for (int k = 0; k < 6 * nodes; k++) t->delta[k] = t->after[k] - t->delta[k];
}

// Of all but a push there are zeros, which grow and are forgotten.
static instant push_alone(const instant* i, double* push, step_numbers* x)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const size_t flat = tml__flat_count(sim);
    instant alone = *i;
    memset(t->none, 0, (flat + tml__run_input_count(sim)) * sizeof(double));
    *x = *i->x;
    x->inputs = tml__run_inputs(sim, t->none + flat);
    x->before = x->now = NULL;
    x->next = t->next;
    for (int k = 0; k < TIME_PAST; k++) x->past[k] = t->none;
    alone.x = x;
    alone.push = push;
    alone.is_push_alone = true;
    alone.is_touching = true;
    return alone;
}

static double push_share(const instant* i, const touch_formula* formula)
{
    return formula->is_force ? 1.0 / i->sim->touch->rows->h : 1.0;
}

// The answers of the formula to a unit of each row.
static tml_status fill_step_border(const instant* i, const touch_formula* formula)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    touch_border* b = &t->step;
    const int m = b->count;
    step_numbers x;
    instant alone = push_alone(i, t->wrench, &x);
    for (int k = 0; k < m; k++) {
        clear(t->wrench, 6 * sim->model->node_count);
        tml__border_add(b, k, &b->rows[k].here.K, push_share(i, formula), t->wrench);
        alone.way = PARTIAL_FORWARD;
        const tml_status status = formula->respond(&alone, k == 0, b->Z + (size_t)k * b->wide);
        if (status != TML_OK) return status;
    }
    for (int r = 0; r < m; r++) {
        for (int k = 0; k < m; k++) {
            b->A[r * m + k] = tml__touch_end_forward(b, r, b->Z + (size_t)k * b->wide, NULL);
            if (r == k) b->A[r * m + k] += b->touch->h * b->touch->give[b->rows[r].row];
        }
    }
    return tml__border_factor(b, &sim->why);
}

// Everything that does not depend on what changes. The matrix is that of the formula afterwards.
static tml_status look_again(const instant* i)
{
    tml_sim* sim = i->sim;
    tml_status status = create(sim, i->work);
    if (status == TML_OK) status = repeat(i);
    if (status != TML_OK) return status;
    touch_linear* t = i->work->touch;
    sim_touch* w = sim->touch;
    touch_set* set = w->rows;
    t->shift.touch = t->step.touch = t->end.touch = t->rest.touch = set;
    t->shift.count = 0;
    t->impact.count = 0;
    note_values(i);
    status = tml__touch_note_bends(i);
    if (status == TML_OK) status = tml__touch_use_labels(i, 0);
    if (status == TML_OK && w->is_moved) {
        // friction has no part in a shift
        for (int k = 0; k < set->row_count; k++) {
            if (set->kinds[k].kind == LCP_FRICTION) w->shift_labels[k] = LCP_OFF;
        }
        status = tml__border_list(&t->shift, w->shift_labels, set->kinds, &sim->why);
    }
    if (status != TML_OK || i->x->slopes != TML_SLOPES_CONTINUOUS_BOUNCE) return status;
    return tml__touch_find_impact(i);
}

// ---- a whole step

// The past as the formula sees it: after a shift its newest state is another one.
static step_numbers shifted_past(const instant* i)
{
    step_numbers x = *i->x;
    if (i->sim->touch->is_moved) x.past[0] = i->work->touch->past;
    return x;
}

// The formulation's own steps look at where the step starts.
static const step_ask* go_to_start(tml_sim* sim, step_ask* moved)
{
    *moved = *sim->ask;
    if (sim->touch->is_moved) moved->from.q = sim->touch->q_start;
    return tml__ask_stand(sim, moved);
}

// The mean force of contacts in the formula: forces are that already.
static double mean_share(const instant* i, const touch_formula* formula)
{
    return formula->is_force ? 1.0 : 1.0 / i->sim->touch->rows->h;
}

static tml_status body(const instant* i, const touch_formula* formula, const step_numbers* x)
{
    instant at = *i;
    at.x = x;
    at.push = i->work->touch->push;
    at.is_touching = true;
    return formula->body(&at);
}

// The formula, bordered by the rows that hold. Forwards x->next, and in t->push all that contacts change.
static tml_status step_forward(const instant* i, const touch_formula* formula)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    touch_border* b = &t->step;
    const touch_set* set = sim->touch->rows;
    const int nodes = sim->model->node_count;
    const size_t flat = tml__flat_count(sim);
    const double share = push_share(i, formula);
    step_numbers x = shifted_past(i);

    if (sim->touch->is_moved) {
        memcpy(t->past, i->x->past[0], flat * sizeof(double));
        tml__pose_to_flat(i->way, sim->touch->q_start, nodes, t->pose_start, t->past);
    }
    clear(t->push, 6 * nodes);
    const touch_push push = {AT_START, set->f, set->labels};
    tml__touch_push_product(i, &push, share, t->push);
    tml_status status = body(i, formula, &x);
    if (status == TML_OK) status = fill_step_border(i, formula);
    if (status != TML_OK) return status;
    tml__flat_to_pose(i->way, t->q1, nodes, x.next, t->pose1);
    for (int k = 0; k < b->count; k++) {
        b->f[k] = tml__touch_end_forward(b, k, t->pose1, i->x->inputs.com) +
                  tml__touch_start_forward(i, k);
    }
    if (b->count == 0) return TML_OK;
    tml__border_solve(b, PARTIAL_FORWARD);
    clear(t->more, 6 * nodes);
    for (int k = 0; k < b->count; k++) {
        tml__border_add(b, k, &b->rows[k].here.K, share * b->f[k], t->more);
    }
    step_numbers none;
    const instant alone = push_alone(i, t->more, &none);
    status = formula->body(&alone);
    for (size_t n = 0; n < flat; n++) x.next[n] += t->next[n];
    for (int n = 0; n < 6 * nodes; n++) t->push[n] += t->more[n];
    return status;
}

// Of several bounces in one step: positions change as by short steps about them,
//     dq+ = P (dq + h du),   P = 1 - Z A^-1 diag(1 + e) N                          [notes, section 1.6]
// of which the step itself has e = 0. Backwards gradients by t->step.f grow.
static void bounces_product(const instant* i, double* pose)
{
    const touch_border* b = &i->work->touch->step;
    const int six = 6 * i->sim->model->node_count;
    for (int k = 0; k < b->count; k++) {
        const border_row* row = &b->rows[k];
        const double e = row->r == 0 ? tml__touch_bounce_of(i, row->contact) : 0.0;
        double* Z = b->Z + (size_t)k * b->wide;
        for (int n = 0; n < six && e > 0.0; n++) {
            if (i->way == PARTIAL_FORWARD) {
                pose[n] += e * b->f[k] * Z[n];
            } else {
                b->f[k] += e * Z[n] * pose[n];
            }
        }
    }
}

// x->next and t->push are gradients; those by the past, the inputs, t->pose0 and t->pose_start grow.
static tml_status step_backward(const instant* i, const touch_formula* formula)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    touch_border* b = &t->step;
    const touch_set* set = sim->touch->rows;
    const int nodes = sim->model->node_count;
    const size_t flat = tml__flat_count(sim);
    const double share = push_share(i, formula);
    const step_numbers x = shifted_past(i);

    tml_status status = fill_step_border(i, formula);
    if (status == TML_OK && b->count > 0) {
        // gradients by forces, as if no row held
        memcpy(t->next, x.next, flat * sizeof(double));
        copy(t->more, t->push, 6 * nodes);
        step_numbers none;
        const instant alone = push_alone(i, t->more, &none);
        status = formula->body(&alone);
    }
    if (status != TML_OK) return status;
    for (int k = 0; k < b->count; k++) {
        b->f[k] = share * tml__border_along(b, k, &b->rows[k].here.K, t->more) + b->by_end[k];
    }
    if (t->impact.count > 1) bounces_product(i, t->late);
    tml__border_solve(b, PARTIAL_BACKWARD);
    clear(t->pose1, 6 * nodes);
    for (int k = 0; k < b->count; k++) {
        tml__touch_end_backward(b, k, b->f[k], t->pose1, i->x->inputs.com);
        tml__touch_start_backward(i, k, b->f[k]);
    }
    tml__flat_to_pose(i->way, t->q1, nodes, x.next, t->pose1);
    if (sim->touch->is_moved) memset(t->past, 0, flat * sizeof(double));
    status = body(i, formula, &x);
    if (status != TML_OK) return status;
    const touch_push push = {AT_START, set->f, set->labels};
    tml__touch_push_product(i, &push, share, t->push);
    if (!sim->touch->is_moved) return TML_OK;
    tml__pose_to_flat(i->way, sim->touch->q_start, nodes, t->pose_start, t->past);
    for (size_t n = (size_t)sim->width; n < flat; n++) i->x->past[0][n] += t->past[n];
    return TML_OK;
}

// Are velocities changed once the formula is done?
static bool has_end(const tml_sim* sim)
{
    return sim->touch->has_end || sim->islands->has_withheld;
}

// Rates before that.
static const double* rates_before(const instant* i)
{
    return has_end(i->sim) ? i->sim->touch->v_met : i->work->touch->v1;
}

// By the limit of short steps nothing is won about a bounce.
static bool withholds(const instant* i)
{
    return i->sim->islands->has_withheld && i->work->touch->impact.count == 0;
}

// The end of a step where something has met, from the flat state before that.
static tml_status end_forward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    double* next = i->x->next;
    tml__flat_to_pose(i->way, t->q1, nodes, next, t->pose1);
    tml__rate_to_velocity(i->way, t->q1, rates_before(i), nodes, next, next + n, t->u1);
    tml_status status = sim->touch->has_end ? tml__touch_met_forward(i) : TML_OK;
    if (status == TML_OK && t->impact.count == 1) status = tml__touch_fly_forward(i);
    if (t->impact.count > 1) bounces_product(i, t->pose1);
    if (t->impact.count > 0) tml__pose_to_flat(i->way, t->q1, nodes, t->pose1, next);
    if (status == TML_OK && withholds(i)) tml__islands_forward(i, &t->taken);
    tml__velocity_to_rate(i->way, t->q1, t->last, nodes, next, t->u1, next + n);
    return status;
}

static tml_status end_backward(const instant* i)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    double* next = i->x->next;
    tml_status status = TML_OK;
    clear(t->pose1, 6 * nodes);
    clear(t->u1, 6 * nodes);
    clear(t->late, 6 * nodes);
    tml__velocity_to_rate(i->way, t->q1, t->last, nodes, next, t->u1, next + n);
    clear(next + n, n);
    if (withholds(i)) tml__islands_backward(i, &t->taken);
    if (t->impact.count > 1) tml__pose_to_flat(i->way, t->q1, nodes, t->late, next);
    if (t->impact.count == 1) status = tml__touch_fly_backward(i);
    if (status == TML_OK && sim->touch->has_end) status = tml__touch_met_backward(i);
    tml__rate_to_velocity(i->way, t->q1, rates_before(i), nodes, next, next + n, t->u1);
    tml__flat_to_pose(i->way, t->q1, nodes, next, t->pose1);
    return status;
}

static tml_status forward(const instant* i, const touch_formula* formula, const double* v)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    double* next = i->x->next;
    step_numbers x = *i->x;
    instant at = *i;

    tml__flat_to_pose(i->way, t->q0, nodes, i->x->past[0], t->pose0);
    tml__rate_to_velocity(i->way, t->q0, step_v(sim), nodes, i->x->past[0], i->x->past[0] + n,
                          t->u0);
    tml_status status = TML_OK;
    if (t->impact.count == 1) {
        status = tml__touch_impact_forward(i);
        x.past[0] = t->moved;
        at.x = &x;
    }
    if (status == TML_OK) status = tml__touch_shift_forward(&at);
    if (status == TML_OK) status = step_forward(&at, formula);
    if (status != TML_OK) return status;
    for (int k = 0; k < 6 * nodes; k++) t->mean[k] = mean_share(i, formula) * t->push[k];
    at.push = t->mean;
    if (formula->before != NULL) status = formula->before(&at, t->q1, rates_before(i));
    if (status == TML_OK && has_end(sim)) status = end_forward(i);
    if (status == TML_OK && formula->after != NULL) status = formula->after(&at, t->q1, v);
    copy(next + tml__flat_count(sim), t->mean, 6 * nodes);
    return status;
}

static tml_status backward(const instant* i, const touch_formula* formula, const double* v)
{
    tml_sim* sim = i->sim;
    touch_linear* t = i->work->touch;
    const int n = sim->width;
    const int six = 6 * sim->model->node_count;
    const int nodes = sim->model->node_count;
    step_numbers x = *i->x;
    instant at = *i;
    tml_status status = TML_OK;

    at.push = t->mean;
    at.x = &x;
    if (t->impact.count == 1) {
        x.past[0] = t->moved;
        clear(t->moved, (int)tml__flat_count(sim));
    }
    copy(t->mean, x.next + tml__flat_count(sim), six);
    clear(t->pose0, six);
    clear(t->u0, six);
    clear(t->pose_start, six);
    clear(t->move, six);
    clear(t->step.by_end, t->step.count);
    if (formula->after != NULL) status = formula->after(&at, t->q1, v);
    if (status == TML_OK && has_end(sim)) status = end_backward(i);
    if (status == TML_OK && formula->before != NULL) {
        status = formula->before(&at, t->q1, rates_before(i));
    }
    if (status != TML_OK) return status;
    for (int k = 0; k < six; k++) t->push[k] = mean_share(i, formula) * t->mean[k];
    at.push = NULL;
    status = step_backward(&at, formula);
    if (status == TML_OK) status = tml__touch_shift_backward(&at);
    if (status != TML_OK) return status;
    if (t->impact.count == 1) return tml__touch_impact_backward(i);
    tml__rate_to_velocity(i->way, t->q0, step_v(sim), nodes, x.past[0], x.past[0] + n, t->u0);
    tml__flat_to_pose(i->way, t->q0, nodes, x.past[0], t->pose0);
    return TML_OK;
}

// ---- gradients that contacts block                                             [DCON Sec IV-D]

enum {
    CANDIDATES = 4
};

// A gradient into numbers that are forgotten; in *size: the square of what it says of motors' forces.
static tml_status try_labels(const instant* i, const touch_formula* formula, double* size)
{
    tml_sim* sim = i->sim;
    const touch_linear* t = i->work->touch;
    const size_t state = tml__flat_count(sim) + tml__touch_force_count(sim);
    const size_t controls = (size_t)sim->model->control_count;
    double* at = t->trial;
    step_numbers x = *i->x;
    instant trial = *i;
    memset(at, 0, trial_count(sim) * sizeof *at);
    memcpy(at, i->x->next, state * sizeof *at);
    x.next = at;
    for (int k = 0; k < TIME_PAST; k++) {
        at += state;
        if (x.past[k] != NULL) x.past[k] = at;
    }
    at += state;
    x.before = at;
    x.now = at + controls;
    x.inputs = tml__run_inputs(sim, at + 2 * controls);
    x.inputs.form.wants = i->x->inputs.form.wants | WANT_AXES;
    trial.x = &x;
    *size = 0.0;
    const tml_status status = backward(&trial, formula, t->v1);
    for (size_t c = 0; c < controls; c++) {
        const control_axis* id = &sim->model->control_axes[c];
        const bool is_force = sim->model->joints[id->joint].axis[id->axis].actuation == TML_FORCE;
        if (is_force) *size += x.now[c] * x.now[c];
    }
    return status;
}

// The labels with the largest gradient by motors' forces win: a heuristic.
static tml_status choose_labels(const instant* i, const touch_formula* formula)
{
    tml_sim* sim = i->sim;
    double largest = 0.0;
    int best = 0;
    tml_status status = try_labels(i, formula, &largest);
    if (status != TML_OK) return status;
    for (int which = 1; which < CANDIDATES; which++) {
        double size = 0.0;
        status = tml__touch_use_labels(i, which);
        if (status == TML_OK) status = try_labels(i, formula, &size);
        if (status < TML_OK) return status;
        sim->why.text[0] = '\0';
        // a tie by rounding is none
        if (status != TML_OK || !(size > (1.0 + 1e-9) * largest)) continue;
        largest = size;
        best = which;
    }
    if (i->x->flags != NULL) i->x->flags->took_other_labels = best > 0;
    return tml__touch_use_labels(i, best);
}

// ---- what is not covered

static tml_status refuse(const instant* i)
{
    tml_sim* sim = i->sim;
    const char* what = NULL;
    const bool is_aware = i->x->slopes == TML_SLOPES_COMPLEMENTARITY_AWARE;
    if (is_aware && i->way == PARTIAL_FORWARD) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "complementarity-aware labels are chosen by a gradient: there is no "
                         "forward direction");
    }
    if (i->x->slopes != TML_SLOPES_EXACT && i->x->inputs.wants_forces) {
        what = "forces of contacts by slopes other than 'exact'";
    } else if (sim->touch->rows->sweeps > 0) {
        what = "contacts that are swept";
    } else if (sim->contacts->is_led != NULL) {
        what = "compliant contacts";
    } else if (sim->soft != NULL) {
        what = "contacts beside deformables";
    } else if (sim->is_kinematic) {
        what = "contacts of a mechanism without a freedom";
    }
    if (what == NULL) return TML_OK;
    return tml__fail(&sim->why, TML_UNSUPPORTED,
                     "%s have no derivatives in formulation '%s' in this version", what,
                     tml_formulation_name(sim->settings.formulation));
}

static void tell_flags(const instant* i)
{
    const lcp_report* r = &i->sim->touch->rows->report;
    const touch_linear* t = i->work->touch;
    if (i->x->flags == NULL) return;
    *i->x->flags = (step_flags){.is_tied = r->tied_rows > 0,
                                .is_rank_doubtful = r->dropped_pivot > 1e-3 * r->kept_pivot,
                                .has_shift = i->sim->touch->is_moved,
                                .is_unsettled = i->sim->touch->is_open || r->unpolished > 0,
                                .has_free_split = t->step.has_free_split || t->end.has_free_split};
}

tml_status tml__linear_touch(const instant* i, const touch_formula* formula)
{
    tml_sim* sim = i->sim;
    tml_status status = refuse(i);
    if (status == TML_OK) status = look_again(i);
    if (status != TML_OK) return status;
    tell_flags(i);
    const touch_linear* t = i->work->touch;
    step_ask moved;
    const step_ask* outer = go_to_start(sim, &moved);
    if (i->x->slopes == TML_SLOPES_COMPLEMENTARITY_AWARE) status = choose_labels(i, formula);
    if (status != TML_OK) {
        tml__ask_stand(sim, outer);
        return status;
    }
    if (i->way == PARTIAL_FORWARD) {
        status = forward(i, formula, t->v1);
    } else {
        status = backward(i, formula, t->v1);
    }
    tml__ask_stand(sim, outer);
    return status;
}

bool tml__touch_is_aware(const instant* i)
{
    tml_sim* sim = i->sim;
    const bool is_meant = i->x->slopes == TML_SLOPES_COMPLEMENTARITY_AWARE &&
                          i->way == PARTIAL_BACKWARD && sim->touch != NULL && sim->soft == NULL &&
                          !sim->is_kinematic && sim->contacts->is_led == NULL;
    if (!is_meant) return false;
    tml__contacts_clear_next(sim->contacts);
    tml__maximal_place(sim->system, step_q(sim), step_v(sim));
    // what cannot be looked at again is no reason to fail where nothing has touched
    message why = sim->why;
    const tml_status status = tml__contacts_detect(sim->contacts, sim->system->bodies, &why);
    return status == TML_OK && sim->contacts->found_count > 0;
}

size_t tml__touch_force_count(const tml_sim* sim)
{
    return sim->contacts != NULL ? 6 * (size_t)sim->model->node_count : 0;
}

void tml__touch_forget_forces(const tml_sim* sim, partial_direction way, double* next)
{
    if (way == PARTIAL_BACKWARD) return;
    clear(next + tml__flat_count(sim), (int)tml__touch_force_count(sim));
}
