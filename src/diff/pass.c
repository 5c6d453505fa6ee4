// diff/pass.c - one pass over a run, forwards with changes or backwards with gradients.
#include "diff/derivatives.h"
#include "diff/substeps.h"

#include <math.h>
#include <string.h>

static double* vector_of(const tml_derivatives* d, int step)
{
    return d->ring[step % d->ring_count];
}

static void clear_vector(const tml_derivatives* d, double* vector)
{
    memset(vector, 0, (d->state_count + d->extra_count) * sizeof *vector);
}

static void clear_flat(const tml_derivatives* d)
{
    memset(d->flat, 0, (tml__flat_count(d->sim) + d->extra_count) * sizeof(double));
}

static const double* controls_of(const tml_derivatives* d, int step)
{
    const size_t count = (size_t)d->sim->model->control_count;
    return step > 0 && d->has_controls[step] ? &d->controls[(size_t)step * count] : NULL;
}

static double* change_of(const tml_derivatives* d, int step)
{
    return &d->change[(size_t)step * (size_t)d->sim->model->control_count];
}

static tml_status fail_like(tml_derivatives* d, tml_status status)
{
    if (status == TML_OK || d->sim->why.text[0] == '\0') return status;
    return tml__fail(&d->why, status, "%s", d->sim->why.text);
}

// The inputs of this pass.
static run_inputs inputs_of(const tml_derivatives* d)
{
    run_inputs in = tml__run_inputs(d->sim, d->inputs);
    in.form.wants = d->wants;
    in.wants_loads = d->wants_loads;
    in.wants_forces = d->wants_forces;
    in.given = d->from.given;
    in.wanted = d->from.wanted;
    return in;
}

static step_numbers numbers_of(const tml_derivatives* d, int step)
{
    step_numbers x = {.inputs = inputs_of(d),
                      .before = change_of(d, step - 1),
                      .now = change_of(d, step),
                      .next = vector_of(d, step),
                      .record = d->moments[step].record,
                      .slopes = d->slopes};
    for (int k = 0; k < d->ring_count - 1; k++) {
        const bool is_inside = step - 1 - k >= 0;
        if (!is_inside && !d->begins_inside) break;
        x.past[k] = is_inside ? vector_of(d, step - 1 - k) : d->outside;
    }
    return x;
}

// The targets that a quantity sees are the controls of its own step.
static double* target_of(const tml_derivatives* d, const run_inputs* in, int control)
{
    const control_axis* id = &d->sim->model->control_axes[control];
    return &in->form.axis[(id->joint * TML_AXES + (int)id->axis) * AXIS_PARAMETERS + AXIS_TARGET];
}

static void begin_targets(const tml_derivatives* d, partial_direction way, const run_inputs* in,
                          int step)
{
    const bool is_given = controls_of(d, step) != NULL;
    for (int c = 0; c < d->sim->model->control_count; c++) {
        *target_of(d, in, c) = is_given && way == PARTIAL_FORWARD ? change_of(d, step)[c] : 0.0;
    }
}

static void end_targets(const tml_derivatives* d, partial_direction way, const run_inputs* in,
                        int step)
{
    const bool is_given = controls_of(d, step) != NULL;
    for (int c = 0; c < d->sim->model->control_count; c++) {
        double* target = target_of(d, in, c);
        if (is_given && way == PARTIAL_BACKWARD) change_of(d, step)[c] += *target;
        *target = 0.0;
    }
}

static tml_status pass_quantity(tml_derivatives* d, partial_direction way, const tml_quantity* q,
                                double* value)
{
    const run_inputs in = inputs_of(d);
    d->sim->why.text[0] = '\0';
    double* state = d->flat != NULL ? d->flat : vector_of(d, q->step);
    begin_targets(d, way, &in, q->step);
    const tml_status status = tml__linear_quantity(d->sim, d->work, way, q, state, &in, value);
    end_targets(d, way, &in, q->step);
    return fail_like(d, status);
}

// The flat state of step k, where the formulation carries other numbers: forwards before quantities are
// asked for, backwards after it. The simulation stands there.
static void pass_flat(tml_derivatives* d, partial_direction way, int step)
{
    if (d->flat == NULL) return;
    const run_inputs in = inputs_of(d);
    begin_targets(d, way, &in, step);
    d->linear->flatten(d->sim, d->work, way, &in, vector_of(d, step), d->flat);
    end_targets(d, way, &in, step);
}

static void note_flag(bool is_set, int step, int* count, int* first)
{
    if (!is_set) return;
    ++*count;
    if (*first < 0 || step < *first) *first = step;
}

static void note_flags(tml_derivatives* d, const step_flags* f, int step)
{
    tml_derivatives_flags* to = &d->flags;
    note_flag(f->is_tied, step, &to->tied_steps, &to->first_tied);
    note_flag(f->is_rank_doubtful, step, &to->rank_steps, &to->first_rank);
    note_flag(f->has_shift, step, &to->shift_steps, &to->first_shift);
    note_flag(f->is_unsettled, step, &to->unsettled_steps, &to->first_unsettled);
    if (f->took_other_labels) to->other_label_steps++;
}

// How a step went. Where no stage was kept its solution is the state it ended at.
static step_trace trace_of(const tml_derivatives* d, int step)
{
    step_trace trace = d->moments[step].trace;
    if (trace.stages == 0) {
        tml__sim_view(d->sim, d->moments[step].state, &trace.x[0], &trace.lambda[0]);
    }
    return trace;
}

// Where a mechanism has come to rest, what a change does dies away by a factor a step, until the numbers lose their digits
// (below 1e-308) and no solve of theirs can be checked. They are zero long before: squares of what is kept
// have all their digits.
static void drop_dust(const tml_derivatives* d, double* v)
{
    static const double dust = 1e-140;
    for (size_t i = 0; i < d->state_count + d->extra_count; i++) {
        if (fabs(v[i]) < dust) v[i] = 0.0;
    }
}

static tml_status pass_step(tml_derivatives* d, partial_direction way, int step)
{
    tml_status status = tml__moments_need(d, step);
    if (status != TML_OK) return status;
    step_flags flags = {0};
    step_numbers x = numbers_of(d, step);
    x.flags = &flags;
    tml__sim_put(d->sim, d->moments[step - 1].state);
    const step_trace trace = trace_of(d, step);
    if (way == PARTIAL_BACKWARD) drop_dust(d, vector_of(d, step));
    const substeps_call call = {d->sim, d->linear, d->work, &trace, controls_of(d, step), way};
    status = tml__substeps_linear(&call, &x);
    if (way == PARTIAL_FORWARD) drop_dust(d, vector_of(d, step));
    note_flags(d, &flags, step);
    d->has_free_split = flags.has_free_split;
    return fail_like(d, status);
}

static bool is_load(const tml_quantity* q)
{
    return q->kind == TML_QUANTITY_FORCE || q->kind == TML_QUANTITY_MOMENT;
}

// The step just passed: forces that it does not tell apart have no slopes.
static tml_status check_split(tml_derivatives* d, int step, int count,
                              const tml_quantity* quantities)
{
    for (int i = 0; i < count && d->has_free_split; i++) {
        const tml_quantity* q = &quantities[i];
        if (q->step != step || !(is_load(q) || q->kind == TML_QUANTITY_CONTACT_FORCE)) continue;
        return tml__fail(&d->why, TML_UNSUPPORTED,
                         "step %d has no derivatives of %s: its contacts depend on each other by "
                         "way of joints, which take up how they share a push",
                         step, tml_quantity_kind_name(q->kind));
    }
    return TML_OK;
}

static tml_status pass_start(tml_derivatives* d, partial_direction way)
{
    const run_inputs in = inputs_of(d);
    tml_status status = tml__moments_visit(d, 0);
    if (status != TML_OK) return status;
    return fail_like(d, d->linear->start(d->sim, d->work, way, &in, vector_of(d, 0)));
}

static void clear_numbers(tml_derivatives* d)
{
    d->back = NO_PASS;
    d->is_stepwise = false;
    const size_t controls = (size_t)d->sim->model->control_count;
    memset(d->inputs, 0, d->input_count * sizeof(double));
    memset(d->change, 0, ((size_t)d->steps + 1) * controls * sizeof(double));
    for (int k = 0; k < d->ring_count; k++) clear_vector(d, d->ring[k]);
    clear_vector(d, d->outside);
    d->flags = (tml_derivatives_flags){.first_tied = -1,
                                       .first_rank = -1,
                                       .first_shift = -1,
                                       .first_broken = -1,
                                       .first_unsettled = -1};
}

static tml_status check_lists(tml_derivatives* d, int parameter_count,
                              const tml_parameter* parameters, int quantity_count,
                              const tml_quantity* quantities)
{
    if (d == NULL || d->is_dead || parameter_count < 0 || quantity_count < 0) {
        return TML_BAD_ARGUMENT;
    }
    tml_status status = TML_OK;
    d->wants = 0;
    for (int i = 0; i < parameter_count && status == TML_OK; i++) {
        status = tml__parameter_check(d, &parameters[i]);
        if (status == TML_OK) d->wants |= tml__parameter_group(&parameters[i]);
    }
    d->wants_loads = d->wants_forces = false;
    for (int i = 0; i < quantity_count && status == TML_OK; i++) {
        status = tml__quantity_check(d, &quantities[i]);
        if (is_load(&quantities[i])) d->wants_loads = true;
        if (quantities[i].kind == TML_QUANTITY_CONTACT_FORCE) d->wants_forces = true;
    }
    return status;
}

static int last_step(int count, const tml_quantity* quantities)
{
    int last = 0;
    for (int i = 0; i < count; i++) {
        if (quantities[i].step > last) last = quantities[i].step;
    }
    return last;
}

tml_status tml_derivatives_set_contact_slopes(tml_derivatives* d, tml_contact_slopes slopes)
{
    if (d == NULL || d->is_dead || (unsigned)slopes >= TML_SLOPES) return TML_BAD_ARGUMENT;
    d->slopes = slopes;
    return TML_OK;
}

tml_derivatives_flags tml_derivatives_last_flags(const tml_derivatives* d)
{
    const tml_derivatives_flags none = {.first_tied = -1,
                                        .first_rank = -1,
                                        .first_shift = -1,
                                        .first_broken = -1,
                                        .first_unsettled = -1};
    return d != NULL && !d->is_dead ? d->flags : none;
}

tml_status tml_derivatives_values(tml_derivatives* d, int count, const tml_quantity* quantities,
                                  double* values)
{
    if ((quantities == NULL || values == NULL) && count > 0) return TML_BAD_ARGUMENT;
    tml_status status = check_lists(d, 0, NULL, count, quantities);
    if (status != TML_OK) return status;
    for (int i = 0; i < count && status == TML_OK; i++) {
        status = tml__moments_visit(d, quantities[i].step);
        if (status == TML_OK) status = tml__quantity_value(d->sim, &quantities[i], &values[i]);
    }
    tml__moments_leave(d);
    return status;
}

// ---- forwards

// Of a change of rows, the share that redundant rows may fail to follow: far above what solves leave.
static const double broken = 1e-6;

static void set_changes(tml_derivatives* d, int count, const tml_parameter* parameters,
                        const double* change)
{
    const run_inputs in = tml__run_inputs(d->sim, d->inputs);

    for (int i = 0; i < count; i++) {
        const tml_parameter* p = &parameters[i];
        if (p->kind == TML_PARAMETER_CONTROL) {
            const int first = p->step > 0 ? p->step : 1;
            const int last = p->step > 0 ? p->step : d->steps;
            for (int k = first; k <= last; k++) change_of(d, k)[p->index] += change[i];
            continue;
        }
        const parameter_slots slots = tml__parameter_slots(d, &in, p);
        for (int k = 0; k < slots.count; k++) *slots.at[k] += slots.factor[k] * change[i];
    }
    tml__spread_com(d->sim, PARTIAL_FORWARD, &in);
}

tml_status tml_derivatives_forward(tml_derivatives* d, int parameter_count,
                                   const tml_parameter* parameters, const double* change,
                                   int quantity_count, const tml_quantity* quantities, double* out)
{
    if ((parameters == NULL || change == NULL) && parameter_count > 0) return TML_BAD_ARGUMENT;
    if ((quantities == NULL || out == NULL) && quantity_count > 0) return TML_BAD_ARGUMENT;
    tml_status status = check_lists(d, parameter_count, parameters, quantity_count, quantities);
    if (status != TML_OK) return status;
    const int last = last_step(quantity_count, quantities);

    clear_numbers(d);
    set_changes(d, parameter_count, parameters, change);
    tml__linear_forget_conflict(d->work);
    if (!d->begins_inside) status = pass_start(d, PARTIAL_FORWARD);
    for (int k = 0; k <= last && status == TML_OK; k++) {
        if (k > 0) status = pass_step(d, PARTIAL_FORWARD, k);
        if (k > 0 && status == TML_OK) status = check_split(d, k, quantity_count, quantities);
        bool is_there = false;
        for (int i = 0; i < quantity_count && status == TML_OK; i++) {
            if (quantities[i].step != k) continue;
            if (!is_there) {
                status = tml__moments_visit(d, k);
                if (status == TML_OK) pass_flat(d, PARTIAL_FORWARD, k);
            }
            is_there = true;
            if (status == TML_OK) {
                status = pass_quantity(d, PARTIAL_FORWARD, &quantities[i], &out[i]);
            }
        }
    }
    tml__moments_leave(d);
    int row = -1;
    if (status != TML_OK || !(tml__linear_conflict(d->work, &row) > broken)) return status;
    d->flags.broken_parameters = 1;
    d->flags.first_broken = 0;
    for (int i = 0; i < quantity_count; i++) out[i] = (double)NAN;
    return TML_OK;
}

tml_status tml_derivatives_check_closure(tml_derivatives* d, const tml_parameter* parameter)
{
    if (d == NULL || d->is_dead || parameter == NULL) return TML_BAD_ARGUMENT;
    const tml_quantity end = {TML_QUANTITY_KINETIC, 0, 0, d->steps};
    const double one = 1.0;
    double out = 0.0;
    int row = -1;
    const tml_status status = tml_derivatives_forward(d, 1, parameter, &one, 1, &end, &out);
    const double conflict = tml__linear_conflict(d->work, &row);
    if (!(conflict > broken)) return status;
    char name[128];
    char where[256] = "a row";
    tml_parameter_describe(d->sim->model, parameter, name, sizeof name);
    if (row >= 0) tml__maximal_row_name(d->sim->system, row, where, sizeof where);
    return tml__fail(
        &d->why, TML_INFEASIBLE,
        "changing %s breaks a closed loop: %.2g of what it asks for cannot be had, most in "
        "%s; no derivative exists",
        name, conflict, where);
}

// ---- backwards

static void get_gradient(tml_derivatives* d, int count, const tml_parameter* parameters,
                         double* gradient)
{
    const run_inputs in = tml__run_inputs(d->sim, d->inputs);

    tml__spread_com(d->sim, PARTIAL_BACKWARD, &in);
    for (int i = 0; i < count; i++) {
        const tml_parameter* p = &parameters[i];
        gradient[i] = 0.0;
        if (p->kind == TML_PARAMETER_CONTROL) {
            const int first = p->step > 0 ? p->step : 1;
            const int last = p->step > 0 ? p->step : d->steps;
            for (int k = first; k <= last; k++) gradient[i] += change_of(d, k)[p->index];
            continue;
        }
        const parameter_slots slots = tml__parameter_slots(d, &in, p);
        for (int k = 0; k < slots.count; k++) gradient[i] += slots.factor[k] * *slots.at[k];
    }
}

// Has a parameter any part in what d->inputs says of redundant rows?
static bool breaks(const tml_derivatives* d, const run_inputs* in, const tml_parameter* p)
{
    double slope = 0.0;
    if (p->kind == TML_PARAMETER_CONTROL) return false;
    const parameter_slots slots = tml__parameter_slots(d, in, p);
    for (int k = 0; k < slots.count; k++) slope += slots.factor[k] * *slots.at[k];
    return fabs(slope) > broken;
}

static void name_broken(tml_derivatives* d, const tml_parameter* p)
{
    char name[128];
    tml_parameter_describe(d->sim->model, p, name, sizeof name);
    tml__fail(&d->why, TML_INFEASIBLE,
              "changing %s breaks a closed loop: redundant rows contradict each other, and no "
              "derivative exists",
              name);
}

// Slopes by what breaks a closed loop are no numbers. Asked for at the last state of the pass: an initial
// one is singular more often.
static tml_status strike_broken(tml_derivatives* d, int step, int count,
                                const tml_parameter* parameters, double* gradient)
{
    enum {
        TRIALS = 2
    };
    double* scratch = d->flat != NULL ? d->flat : d->ring[0];
    if ((d->wants & WANT_MARKERS) == 0 || !tml__linear_may_break(d->sim)) return TML_OK;

    tml_status status = tml__moments_visit(d, step);
    for (int trial = 0; trial < TRIALS && status == TML_OK; trial++) {
        const run_inputs in = inputs_of(d);
        memset(d->inputs, 0, d->input_count * sizeof(double));
        status = fail_like(d, tml__linear_closure(d->sim, trial, &in, scratch,
                                                  scratch + d->sim->system->row_count));
        tml__spread_com(d->sim, PARTIAL_BACKWARD, &in);
        for (int i = 0; i < count && status == TML_OK; i++) {
            if (isnan(gradient[i]) || !breaks(d, &in, &parameters[i])) continue;
            if (d->flags.broken_parameters++ == 0) d->flags.first_broken = i;
            if (i < d->flags.first_broken) d->flags.first_broken = i;
            gradient[i] = (double)NAN;
        }
    }
    if (d->flags.broken_parameters > 0) name_broken(d, &parameters[d->flags.first_broken]);
    return status;
}

// A pass stands behind step d->back: what it seeds is of that step.
static void begin_back(tml_derivatives* d, int last)
{
    clear_numbers(d);
    d->back = last;
    d->is_seeded = false;
    d->seeded_split = -1;
}

// The simulation put where the pass stands, ready for seeds.
static tml_status stand_back(tml_derivatives* d)
{
    tml_status status = d->back > 0 ? tml__moments_need(d, d->back) : TML_OK;
    if (status == TML_OK) status = tml__moments_visit(d, d->back);
    if (status == TML_OK && !d->is_seeded && d->flat != NULL) clear_flat(d);
    d->is_seeded = true;
    return status;
}

// The simulation stands there.
static tml_status seed_back(tml_derivatives* d, const tml_quantity* q, double weight)
{
    if (is_load(q) || q->kind == TML_QUANTITY_CONTACT_FORCE) d->seeded_split = (int)q->kind;
    return pass_quantity(d, PARTIAL_BACKWARD, q, &weight);
}

// Over the step where the pass stands, or the start of the run.
static tml_status step_back(tml_derivatives* d)
{
    const int k = d->back;
    tml_status status = TML_OK;
    if (d->is_seeded) {
        status = tml__moments_visit(d, k);
        if (status == TML_OK) pass_flat(d, PARTIAL_BACKWARD, k);
    }
    if (status == TML_OK && k > 0) status = pass_step(d, PARTIAL_BACKWARD, k);
    if (status == TML_OK && k == 0 && !d->begins_inside) status = pass_start(d, PARTIAL_BACKWARD);
    if (status == TML_OK && k > 0 && d->seeded_split >= 0) {
        const tml_quantity seeded = {.kind = (tml_quantity_kind)d->seeded_split, .step = k};
        status = check_split(d, k, 1, &seeded);
    }
    clear_vector(d, vector_of(d, k));  // the ring comes round to it
    d->back--;
    d->is_seeded = false;
    d->seeded_split = -1;
    return status;
}

tml_status tml_derivatives_gradient(tml_derivatives* d, int quantity_count,
                                    const tml_quantity* quantities, const double* weights,
                                    int parameter_count, const tml_parameter* parameters,
                                    double* gradient)
{
    if ((parameters == NULL || gradient == NULL) && parameter_count > 0) return TML_BAD_ARGUMENT;
    if ((quantities == NULL || weights == NULL) && quantity_count > 0) return TML_BAD_ARGUMENT;
    tml_status status = check_lists(d, parameter_count, parameters, quantity_count, quantities);
    if (status != TML_OK) return status;
    const int last = last_step(quantity_count, quantities);
    begin_back(d, last);
    while (d->back >= 0 && status == TML_OK) {
        for (int i = 0; i < quantity_count && status == TML_OK; i++) {
            if (quantities[i].step != d->back) continue;
            if (!d->is_seeded) status = stand_back(d);
            if (status == TML_OK) status = seed_back(d, &quantities[i], weights[i]);
        }
        if (status == TML_OK) status = step_back(d);
    }
    if (status == TML_OK) {
        get_gradient(d, parameter_count, parameters, gradient);
        status = strike_broken(d, last, parameter_count, parameters, gradient);
    }
    d->back = NO_PASS;
    tml__moments_leave(d);
    return status;
}

// ---- backwards, step by step

tml_status tml_derivatives_back_begin(tml_derivatives* d, int parameter_count,
                                      const tml_parameter* parameters)
{
    if (parameters == NULL && parameter_count > 0) return TML_BAD_ARGUMENT;
    const tml_status status = check_lists(d, parameter_count, parameters, 0, NULL);
    if (status != TML_OK) return status;
    begin_back(d, d->steps);
    d->wants |= WANT_AXES;  // controls are asked for step by step
    d->is_stepwise = true;
    return TML_OK;
}

static tml_status need_pass(tml_derivatives* d)
{
    if (d == NULL || d->is_dead) return TML_BAD_ARGUMENT;
    if (d->back != NO_PASS && d->is_stepwise) return TML_OK;
    return tml__fail(
        &d->why, TML_BAD_ARGUMENT,
        "no pass goes back: it was not begun, or the run or another pass has ended it");
}

// A pass that fails is over; the simulation stands at the end of the run in either case.
static tml_status leave_back(tml_derivatives* d, tml_status status)
{
    if (status != TML_OK) d->back = NO_PASS;
    if (d->back == NO_PASS) {
        tml__moments_leave(d);
    } else {
        tml__moments_stand_at_end(d);  // a stretch that was run again is needed again
    }
    return status;
}

int tml_derivatives_back_at(const tml_derivatives* d)
{
    const bool is_there = d != NULL && !d->is_dead && d->back != NO_PASS && d->is_stepwise;
    return is_there ? d->back : -1;
}

tml_status tml_derivatives_back_seed(tml_derivatives* d, int count, const tml_quantity* quantities,
                                     const double* weights)
{
    if ((quantities == NULL || weights == NULL) && count > 0) return TML_BAD_ARGUMENT;
    tml_status status = need_pass(d);
    if (status != TML_OK) return status;
    for (int i = 0; i < count; i++) {
        status = tml__quantity_check(d, &quantities[i]);
        if (status != TML_OK) return status;
        if (quantities[i].step == d->back) continue;
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "the pass stands at step %d, but quantity %d is of step %d", d->back, i,
                         quantities[i].step);
    }
    if (count > 0) status = stand_back(d);
    for (int i = 0; i < count && status == TML_OK; i++) {
        if (is_load(&quantities[i])) d->wants_loads = true;
        if (quantities[i].kind == TML_QUANTITY_CONTACT_FORCE) d->wants_forces = true;
        status = seed_back(d, &quantities[i], weights[i]);
    }
    return leave_back(d, status);
}

tml_status tml_derivatives_back_step(tml_derivatives* d, double* controls)
{
    tml_status status = need_pass(d);
    if (status != TML_OK) return status;
    if (d->back == 0) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "the pass stands at the beginning of the run: there is no step before it");
    }
    const int step = d->back;
    status = step_back(d);
    const size_t count = (size_t)d->sim->model->control_count;
    if (status == TML_OK && controls != NULL && count > 0) {
        memcpy(controls, change_of(d, step), count * sizeof *controls);
    }
    return leave_back(d, status);
}

tml_status tml_derivatives_back_end(tml_derivatives* d, int parameter_count,
                                    const tml_parameter* parameters, double* gradient)
{
    if ((parameters == NULL || gradient == NULL) && parameter_count > 0) return TML_BAD_ARGUMENT;
    tml_status status = need_pass(d);
    for (int i = 0; i < parameter_count && status == TML_OK; i++) {
        status = tml__parameter_check(d, &parameters[i]);
        if (status != TML_OK || (tml__parameter_group(&parameters[i]) & ~d->wants) == 0) continue;
        status = tml__fail(&d->why, TML_BAD_ARGUMENT,
                           "parameter %d was not named where the pass began", i);
    }
    if (status != TML_OK) return status;
    while (d->back >= 0 && status == TML_OK) status = step_back(d);
    if (status == TML_OK) {
        get_gradient(d, parameter_count, parameters, gradient);
        status = strike_broken(d, d->steps, parameter_count, parameters, gradient);
    }
    d->back = NO_PASS;
    return leave_back(d, status);
}

// ---- steps as matrices

tml_status tml__step_matrix(tml_derivatives* d, int step, double* A, double* B)
{
    const size_t n = d->state_count;
    const int controls = d->sim->model->control_count;
    clear_numbers(d);
    d->wants = WANT_AXES;
    d->wants_loads = d->wants_forces = false;
    tml_status status = tml__moments_need(d, step);
    if (status != TML_OK) return status;
    step_numbers x = numbers_of(d, step);
    tml__sim_put(d->sim, d->moments[step - 1].state);
    const step_trace trace = trace_of(d, step);
    const substeps_call call = {d->sim,         d->linear, d->work, &trace, controls_of(d, step),
                                PARTIAL_FORWARD};
    for (size_t c = 0; c < n + (size_t)controls && status == TML_OK; c++) {
        double* input = c < n ? &x.past[0][c] : &x.now[c - n];
        *input = 1.0;
        status = tml__substeps_linear(&call, &x);
        *input = 0.0;
        memcpy(c < n ? A + c * n : B + (c - n) * n, x.next, n * sizeof(double));
        x.is_again = true;
    }
    clear_vector(d, x.next);
    return fail_like(d, status);
}

tml_status tml__step_product(tml_derivatives* d, int step, partial_direction way, bool is_first,
                             const step_product* p)
{
    const size_t state = d->state_count * sizeof(double);
    const size_t controls = (size_t)d->sim->model->control_count * sizeof(double);
    tml_status status = TML_OK;
    clear_numbers(d);
    d->wants = WANT_AXES;
    d->wants_loads = d->wants_forces = false;
    if (is_first) {
        status = tml__moments_need(d, step);
        if (status != TML_OK) return status;
        tml__sim_put(d->sim, d->moments[step - 1].state);
    }
    step_numbers x = numbers_of(d, step);
    step_flags flags = {0};
    const step_trace trace = trace_of(d, step);
    x.is_again = !is_first;
    x.flags = &flags;
    if (way == PARTIAL_FORWARD) {
        memcpy(x.past[0], p->state, state);
        memcpy(x.before, p->before, controls);
        memcpy(x.now, p->now, controls);
    } else {
        memcpy(x.next, p->next, state);
    }
    const substeps_call call = {d->sim, d->linear, d->work, &trace, controls_of(d, step), way};
    status = tml__substeps_linear(&call, &x);
    if (way == PARTIAL_FORWARD) {
        memcpy(p->next, x.next, state);
    } else {
        memcpy(p->state, x.past[0], state);
        memcpy(p->before, x.before, controls);
        memcpy(p->now, x.now, controls);
    }
    note_flags(d, &flags, step);
    return fail_like(d, status);
}

tml_status tml__quantity_row(tml_derivatives* d, const tml_quantity* quantity, double* row)
{
    double one = 1.0;
    const bool is_of_step = quantity->kind == TML_QUANTITY_CONTACT_FORCE ||
                            (is_load(quantity) && d->linear->has_step_loads);
    if (is_of_step && d->extra_count > 0) {
        return tml__fail(&d->why, TML_UNSUPPORTED,
                         "%s of formulation '%s' is no function of the state alone: no method that "
                         "goes step by step can follow it",
                         tml_quantity_kind_name(quantity->kind),
                         tml_formulation_name(d->sim->settings.formulation));
    }
    clear_numbers(d);
    d->wants = 0;
    d->wants_loads = d->wants_forces = false;
    tml_status status = TML_OK;
    if (is_load(quantity) && d->extra_count > 0 && quantity->step > 0) {
        // nothing changes: only how the step went is asked
        status = pass_step(d, PARTIAL_FORWARD, quantity->step);
        if (status == TML_OK) status = check_split(d, quantity->step, 1, quantity);
        clear_numbers(d);
    }
    if (status == TML_OK) status = tml__moments_visit(d, quantity->step);
    if (status != TML_OK) return status;
    if (d->flat != NULL) clear_flat(d);
    status = pass_quantity(d, PARTIAL_BACKWARD, quantity, &one);
    if (status != TML_OK) return status;
    pass_flat(d, PARTIAL_BACKWARD, quantity->step);
    memcpy(row, vector_of(d, quantity->step), d->state_count * sizeof(double));
    clear_vector(d, vector_of(d, quantity->step));
    return TML_OK;
}
