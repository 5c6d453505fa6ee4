// diff/moments.c - creating a run that can be differentiated, taking its steps, and going back to
// any of them.
//
// While everything fits, every state is kept with the trace of its step. Then only every second
// state stays, every fourth, and so on; a stretch between two kept states is run again when it is
// asked for, and gives the same bits, because a step depends on nothing but the state.
#include "diff/derivatives.h"
#include "diff/perturb.h"

#include <string.h>

static size_t moment_bytes(const tml_derivatives* d)
{
    const size_t rows = (size_t)d->sim->system->row_count;
    const size_t stage = ((size_t)d->sim->width + rows) * sizeof(double);
    return d->largest_state + d->largest_record + (size_t)d->trace.stages * stage;
}

static void drop_trace(tml_derivatives* d, moment* m)
{
    if (m->has_trace) tml__trace_destroy(&d->allocator, &m->trace);
    m->has_trace = false;
    tml__release(&d->allocator, m->record);
    m->record = NULL;
}

static void drop(tml_derivatives* d, moment* m)
{
    tml__release(&d->allocator, m->state);
    m->state = NULL;
    drop_trace(d, m);
}

static tml_status keep_state(tml_derivatives* d, moment* m)
{
    const size_t bytes = tml__sim_bytes(d->sim);
    if (m->state != NULL && bytes > m->bytes) {
        tml__release(&d->allocator, m->state);
        m->state = NULL;
    }
    if (m->state == NULL) {
        m->state = tml__allocate(&d->allocator, bytes, 1);
        m->bytes = bytes;
    }
    if (m->state == NULL) return tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
    if (bytes > d->largest_state) d->largest_state = bytes;
    tml__sim_take(d->sim, m->state);
    return TML_OK;
}

static tml_status keep_trace(tml_derivatives* d, moment* m)
{
    if (!m->has_trace) {
        if (tml__trace_create(&d->allocator, d->sim->system, d->sim->width, d->trace.stages,
                              &m->trace) != TML_OK) {
            return tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
        }
        m->has_trace = true;
    }
    tml__trace_copy(&m->trace, &d->trace);
    // of a divided step the last substep alone could tell: it is taken again
    const bool has_record = d->linear->record_bytes != NULL && d->trace.division.count == 1;
    const size_t bytes = has_record ? d->linear->record_bytes(d->sim) : 0;
    tml__release(&d->allocator, m->record);
    m->record = NULL;
    if (bytes == 0) return TML_OK;
    m->record = tml__allocate(&d->allocator, bytes, 1);
    if (m->record == NULL) return tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
    d->linear->record_take(d->sim, m->record);
    if (bytes > d->largest_record) d->largest_record = bytes;
    return TML_OK;
}

// ---- creation

static void* take(tml_derivatives* d, size_t count, size_t size, bool* is_whole)
{
    void* memory = tml__allocate(&d->allocator, count, size);
    *is_whole = *is_whole && memory != NULL;
    return memory;
}

// What steps can do and derivatives cannot, in this version.
static tml_status refuse_missing(tml_derivatives* d)
{
    const definitions* all = &d->sim->model->all;
    const char* what = NULL;
    if (all->nonholonomic_count > 0) what = "rows that tie velocities";
    if (d->sim->form->linear == NULL) what = "";
    if (what == NULL) return TML_OK;
    if (what[0] != '\0') {
        return tml__fail(&d->why, TML_UNSUPPORTED, "%s: no derivatives in this version", what);
    }
    return tml__fail(&d->why, TML_UNSUPPORTED,
                     "steps of integrator '%s' in formulation '%s' have no derivatives in this "
                     "version; in 'quaternion' those of bdf1 to bdf6, sdirk2 and "
                     "sdirk2_pareschi_russo have",
                     tml_integrator_name(d->sim->settings.integrator),
                     tml_formulation_name(d->sim->settings.formulation));
}

static tml_status create_parts(tml_derivatives* d)
{
    tml_sim* sim = d->sim;
    const form_parts* form = sim->form;
    bool is_whole = true;

    if (sim->soft != NULL) {
        return tml__fail(&d->why, TML_UNSUPPORTED,
                         "steps with deformables have no derivatives in this version");
    }
    tml_status status = refuse_missing(d);
    if (status != TML_OK) return status;
    d->linear = form->linear;
    d->state_count = tml__flat_count(sim);
    if (d->linear->state_count != NULL) d->state_count = d->linear->state_count(sim);
    if (d->linear->extra_count != NULL) d->extra_count = d->linear->extra_count(sim);
    if (d->linear->check != NULL) {
        status = d->linear->check(sim, NULL);
        if (status != TML_OK) return tml__fail(&d->why, status, "%s", sim->why.text);
    }
    status = d->linear->create(sim, &d->work);
    if (status == TML_OK) {
        const bool is_all = d->linear->stage_count == NULL;
        const int stages = is_all ? TRACE_STAGES : d->linear->stage_count(sim);
        status = tml__trace_create(&d->allocator, sim->system, sim->width, stages, &d->trace);
    }
    d->input_count = tml__run_input_count(sim);
    d->inputs = take(d, d->input_count, sizeof(double), &is_whole);
    d->ring_count = sim->past_kept + 1;
    for (int k = 0; k < d->ring_count; k++) {
        d->ring[k] = take(d, d->state_count + d->extra_count, sizeof(double), &is_whole);
    }
    d->outside = take(d, d->state_count + d->extra_count, sizeof(double), &is_whole);
    if (d->linear->flatten != NULL) {
        d->flat = take(d, tml__flat_count(sim) + d->extra_count, sizeof(double), &is_whole);
    }
    d->moments = take(d, 1, sizeof *d->moments, &is_whole);
    d->controls = take(d, (size_t)sim->model->control_count, sizeof(double), &is_whole);
    d->change = take(d, (size_t)sim->model->control_count, sizeof(double), &is_whole);
    d->has_controls = take(d, 1, 1, &is_whole);
    d->capacity = is_whole ? 1 : 0;
    if (status != TML_OK || !is_whole) return tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
    sim->trace = &d->trace;
    return keep_state(d, &d->moments[0]);
}

tml_status tml_derivatives_create(const tml_model* model, const tml_sim_settings* settings,
                                  size_t memory, tml_derivatives** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL) return TML_BAD_ARGUMENT;
    tml_derivatives* d = tml__allocate(&settings->allocator, 1, sizeof *d);
    if (d == NULL) return TML_NO_MEMORY;
    *out = d;
    d->allocator = settings->allocator;
    d->limit = memory > 0 ? memory : (size_t)256 << 20;
    d->stride = 1;
    d->replayed_from = -1;
    d->back = NO_PASS;
    tml_status status = tml_sim_create(model, settings, &d->sim);
    if (status != TML_OK) {
        tml__fail(&d->why, status, "%s",
                  d->sim != NULL ? tml_sim_message(d->sim) : "out of memory");
    } else {
        status = create_parts(d);
    }
    d->base = d->sim;
    d->is_dead = status != TML_OK;
    return status;
}

void tml_derivatives_destroy(tml_derivatives* d)
{
    if (d == NULL) return;
    const tml_allocator allocator = d->allocator;
    for (int k = 0; d->moments != NULL && k <= d->steps; k++) drop(d, &d->moments[k]);
    if (d->linear != NULL) d->linear->destroy(d->sim, d->work);
    tml__trace_destroy(&allocator, &d->trace);
    tml__release(&allocator, d->moments);
    tml__release(&allocator, d->controls);
    tml__release(&allocator, d->change);
    tml__release(&allocator, d->has_controls);
    tml__release(&allocator, d->inputs);
    tml__release(&allocator, d->flat);
    tml__release(&allocator, d->outside);
    for (int k = 0; k < d->ring_count; k++) tml__release(&allocator, d->ring[k]);
    if (d->sim != d->base) tml_sim_destroy(d->sim);
    if (d->base != NULL) tml__closed_from_release(d->base, &d->from);
    if (d->model != NULL) tml__perturb_destroy(d->base, d->model);
    tml_sim_destroy(d->base);
    tml__release(&allocator, d);
}

const char* tml_derivatives_message(const tml_derivatives* d)
{
    return d != NULL ? d->why.text : TML__NO_OBJECT;
}
int tml_derivatives_steps(const tml_derivatives* d) { return d != NULL ? d->steps : 0; }

const tml_sim* tml_derivatives_sim(const tml_derivatives* d)
{
    return d != NULL && !d->is_dead ? d->sim : NULL;
}

// ---- stepping

static bool grow_list(tml_derivatives* d, void* list, size_t size, size_t capacity)
{
    void* old;
    memcpy(&old, list, sizeof old);
    void* longer = tml__allocate(&d->allocator, capacity, size);
    if (longer == NULL) return false;
    memcpy(longer, old, (size_t)d->capacity * size);
    tml__release(&d->allocator, old);
    memcpy(list, &longer, sizeof longer);
    return true;
}

// Room for one more moment.
static tml_status grow(tml_derivatives* d)
{
    const size_t controls = (size_t)d->sim->model->control_count * sizeof(double);
    const size_t capacity = 2 * (size_t)d->capacity;
    if (d->steps + 2 <= d->capacity) return TML_OK;
    if (!grow_list(d, &d->moments, sizeof *d->moments, capacity) ||
        !grow_list(d, &d->controls, controls, capacity) ||
        !grow_list(d, &d->change, controls, capacity) ||
        !grow_list(d, &d->has_controls, 1, capacity)) {
        return tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
    }
    d->capacity = (int)capacity;
    return TML_OK;
}

// Drop what is between the states that stay, once the run has outgrown its memory.
static void thin_out(tml_derivatives* d)
{
    const size_t state = d->largest_state;
    for (;;) {
        const size_t whole = d->stride == 1 ? moment_bytes(d) : state;
        const size_t kept = (size_t)(d->steps / d->stride + 1) * whole;
        const size_t stretch = d->stride > 1 ? (size_t)d->stride * moment_bytes(d) : 0;
        // longer stretches than kept states would cost more, not less
        if (kept + stretch <= d->limit || stretch > kept) break;
        d->stride *= 2;
    }
    if (d->stride == 1) return;
    for (int k = 0; k <= d->steps; k++) {
        drop_trace(d, &d->moments[k]);
        if (k % d->stride != 0 && k != d->steps) drop(d, &d->moments[k]);
    }
    d->replayed_from = -1;
}

// A pass that goes back ends where the run becomes another one.
static void end_pass(tml_derivatives* d)
{
    if (d->back == NO_PASS) return;
    d->back = NO_PASS;
    tml__moments_leave(d);
}

tml_status tml_derivatives_step(tml_derivatives* d, const double* controls)
{
    if (d == NULL || d->is_dead) return TML_BAD_ARGUMENT;
    end_pass(d);
    tml_status status = grow(d);
    if (status != TML_OK) return status;
    status = tml_sim_step(d->sim, controls);
    if (status != TML_OK) return tml__fail(&d->why, status, "%s", tml_sim_message(d->sim));

    const int step = ++d->steps;
    const size_t count = (size_t)d->sim->model->control_count;
    moment* m = &d->moments[step];
    *m = (moment){.state = NULL};
    d->has_controls[step] = controls != NULL;
    if (controls != NULL) {
        memcpy(&d->controls[(size_t)step * count], controls, count * sizeof *controls);
    }
    // the state before was kept as the last one only
    if (d->stride > 1 && (step - 1) % d->stride != 0) drop(d, &d->moments[step - 1]);
    status = keep_state(d, m);
    if (status == TML_OK && d->stride == 1) status = keep_trace(d, m);
    if (status == TML_OK) thin_out(d);
    return status;
}

void tml_derivatives_restart(tml_derivatives* d)
{
    if (d == NULL || d->is_dead) return;
    end_pass(d);
    tml__sim_put(d->sim, d->moments[0].state);
    for (int k = 1; k <= d->steps; k++) drop(d, &d->moments[k]);
    d->steps = 0;
    d->stride = 1;
    d->replayed_from = -1;
}

tml_status tml_derivatives_begin(tml_derivatives* d)
{
    if (d == NULL || d->is_dead) return TML_BAD_ARGUMENT;
    end_pass(d);
    for (int k = 1; k <= d->steps; k++) drop(d, &d->moments[k]);
    d->steps = 0;
    d->stride = 1;
    d->replayed_from = -1;
    d->begins_inside = d->sim->step_index > 0;
    return keep_state(d, &d->moments[0]);
}

tml_status tml_derivatives_restore(tml_derivatives* d, const void* state, size_t bytes)
{
    if (d == NULL || d->is_dead) return TML_BAD_ARGUMENT;
    const tml_status status = tml_sim_restore(d->sim, state, bytes);
    if (status != TML_OK) return tml__fail(&d->why, status, "%s", tml_sim_message(d->sim));
    return tml_derivatives_begin(d);
}

// ---- other numbers

tml_status tml__derivatives_model(tml_derivatives* d, int count, const tml_parameter* parameters,
                                  const double* change, closed_from* from, tml_model** out)
{
    const run_inputs in = tml__run_inputs(d->base, d->inputs);

    *from = (closed_from){NULL, NULL};
    memset(d->inputs, 0, d->input_count * sizeof(double));
    for (int i = 0; i < count; i++) {
        tml_status status = tml__parameter_check(d, &parameters[i]);
        if (status == TML_OK && parameters[i].kind == TML_PARAMETER_CONTROL) {
            status = tml__fail(&d->why, TML_BAD_ARGUMENT,
                               "controls are changed by giving others to the steps");
        }
        if (status != TML_OK) return status;
        const parameter_slots slots = tml__change_slots(d, &in, &parameters[i]);
        for (int k = 0; k < slots.count; k++) *slots.at[k] += slots.factor[k] * change[i];
    }
    tml__spread_com(d->base, PARTIAL_FORWARD, &in);
    return tml__perturb(d->base, &in, &d->why, from, out);
}

tml_status tml_derivatives_change(tml_derivatives* d, int count, const tml_parameter* parameters,
                                  const double* change)
{
    if ((parameters == NULL || change == NULL) && count > 0) return TML_BAD_ARGUMENT;
    if (d == NULL || d->is_dead || count < 0) return TML_BAD_ARGUMENT;
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    closed_from from;
    tml_status status = tml__derivatives_model(d, count, parameters, change, &from, &model);
    if (status == TML_OK) {
        status = tml_sim_create(model, &d->base->settings, &sim);
        if (status != TML_OK) {
            tml__fail(&d->why, status, "%s", sim != NULL ? tml_sim_message(sim) : "out of memory");
        }
    }
    linear_work* work = NULL;
    if (status == TML_OK && d->linear->create(sim, &work) != TML_OK) {
        status = tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
        d->linear->destroy(sim, work);
    }
    if (status != TML_OK) {
        tml_sim_destroy(sim);
        tml__perturb_destroy(d->base, model);
        tml__closed_from_release(d->base, &from);
        return status;
    }
    tml_derivatives_restart(d);
    tml__closed_from_release(d->base, &d->from);
    d->from = from;
    d->begins_inside = false;
    d->linear->destroy(d->sim, d->work);
    d->work = work;
    if (d->sim != d->base) tml_sim_destroy(d->sim);
    tml__perturb_destroy(d->base, d->model);
    d->sim = sim;
    d->model = model;
    sim->trace = &d->trace;
    return keep_state(d, &d->moments[0]);
}

// ---- going back

static const double* controls_of(const tml_derivatives* d, int step)
{
    const size_t count = (size_t)d->sim->model->control_count;
    return d->has_controls[step] ? &d->controls[(size_t)step * count] : NULL;
}

static void drop_stretch(tml_derivatives* d)
{
    if (d->replayed_from < 0) return;
    for (int k = d->replayed_from + 1; k <= d->replayed_to; k++) {
        drop_trace(d, &d->moments[k]);
        if (k % d->stride != 0 && k != d->steps) drop(d, &d->moments[k]);
    }
    d->replayed_from = -1;
}

tml_status tml__moments_need(tml_derivatives* d, int step)
{
    if (d->moments[step].has_trace && d->moments[step - 1].state != NULL) return TML_OK;
    drop_stretch(d);
    const int from = (step - 1) / d->stride * d->stride;
    const int to = from + d->stride < d->steps ? from + d->stride : d->steps;

    tml__sim_put(d->sim, d->moments[from].state);
    d->replayed_from = from;
    d->replayed_to = from;
    for (int k = from + 1; k <= to; k++) {
        tml_status status = tml_sim_step(d->sim, controls_of(d, k));
        if (status != TML_OK) return tml__fail(&d->why, status, "%s", tml_sim_message(d->sim));
        d->replayed_to = k;
        status = keep_state(d, &d->moments[k]);
        if (status == TML_OK) status = keep_trace(d, &d->moments[k]);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

tml_status tml__moments_visit(tml_derivatives* d, int step)
{
    if (d->moments[step].state == NULL) {
        const tml_status status = tml__moments_need(d, step);
        if (status != TML_OK) return status;
    }
    tml__sim_put(d->sim, d->moments[step].state);
    return TML_OK;
}

tml_status tml__moments_retake(tml_derivatives* d) { return keep_state(d, &d->moments[d->steps]); }

void tml__moments_stand_at_end(tml_derivatives* d)
{
    tml__sim_put(d->sim, d->moments[d->steps].state);
}

void tml__moments_leave(tml_derivatives* d)
{
    drop_stretch(d);
    tml__moments_stand_at_end(d);
}
