// sim/sim.c - creating a simulation and taking steps.
#include "sim/account.h"
#include "sim/advance.h"
#include "sim/lean.h"
#include "sim/lean_contact.h"
#include "sim/limits.h"
#include "sim/linear.h"
#include "sim/sensor.h"
#include "sim/sim_internal.h"
#include "sim/soft_contact.h"

#include <trammel/doctor.h>
#include <trammel/state.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- creation

// Penalties above the heaviest body cost light ones their digits: from here on they may not be enough.
static const double wide_masses = 1e4;

static bool has_wide_masses(const tml_model* m)
{
    double least = HUGE_VAL;
    double most = 0.0;
    for (int n = 0; n < m->node_count; n++) {
        const double mass = m->bodies[m->node_body[n]].mass;
        least = fmin(least, mass);
        most = fmax(most, mass);
    }
    return most >= wide_masses * least;
}

enum {
    MOST_JUDGED_ROWS = 2000  // the doctor's matrices are dense
};

// Does no row follow from the others? Those of a tree never do.
static bool has_independent_rows(const tml_model* m)
{
    const bool has_welds = m->node_count < m->all.body_count;
    if (m->loops == 0 && !has_welds && m->all.coupling_count == 0) return true;
    if (m->row_count > MOST_JUDGED_ROWS) return false;
    tml_doctor* doctor = NULL;
    const bool is_good = tml_doctor_create(m, &doctor) == TML_OK &&
                         tml_doctor_get_report(doctor).redundant_rows == 0;
    tml_doctor_destroy(doctor);
    return is_good;
}

static kkt_method method_of(const tml_model* m, const form_parts* form, tml_solver solver)
{
    switch (solver) {
    case TML_SOLVER_DENSE: return KKT_DENSE;
    case TML_SOLVER_KLU: return KKT_KLU;
    case TML_SOLVER_NODES: return KKT_NODES;
    case TML_SOLVER_AUGMENTED: return KKT_AUGMENTED;
    // with fewer rows than that a freedom is left; else there may be none, and rows may be redundant
    case TML_SOLVER_TWO_STEP:
        return m->row_count < 6 * m->node_count ? KKT_TWO_STEP : KKT_AUGMENTED;
    case TML_SOLVER_AUTO:
    case TML_SOLVER_CHAIN:
    case TML_SOLVER_TREE:
    case TML_SOLVER_DUAL:
    case TML_SOLVER_CG:
    case TML_SOLVERS: break;
    }
    // rows as nodes need no penalty, but every row must count; joint coordinates only start and tell loads by them
    const bool steps_by_it = form->contact != FORM_CONTACT_OWN;
    if (steps_by_it && has_wide_masses(m) && has_independent_rows(m)) return KKT_NODES;
    return form->prefers_nodes ? KKT_AUTO_NODES : KKT_AUTO;
}

static void load_initial_state(tml_sim* sim)
{
    const tml_model* m = sim->model;
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        double* q = &sim->past_q[0][n * POSE_WIDTH];
        v3_store(q, b->c);
        q[3] = b->q.w;
        q[4] = b->q.x;
        q[5] = b->q.y;
        q[6] = b->q.z;
        tml__maximal_store_velocity(q, b->v, b->omega, &sim->past_v[0][n * POSE_WIDTH]);
    }
    if (sim->soft != NULL) tml__soft_load(sim->soft, sim->past_q[0], sim->past_v[0]);
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (a->control_index < 0) continue;
            sim->controls[a->control_index] = tml__control_eval(&a->control, 0.0).value;
        }
    }
    sim->past_count = 1;
}

// A wheel that is driven from two turns on starts there: angles begin on the turn of their targets.
static void choose_turns(tml_sim* sim)
{
    if (sim->model->control_count == 0) return;
    if (tml__is_lean(sim)) {
        tml__lean_choose_turns(sim);
        return;
    }
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
            const axis_data* a = &sim->model->joints[j].axis[k];
            if (a->actuation != TML_POSITION) continue;
            sim->system->hints[j * TML_AXES + k] = tml__control_eval(&a->control, 0.0).value;
        }
    }
}

// Coordinates of the accepted state become the reference for unwrapping angles.
static void remember_coordinates(tml_sim* sim)
{
    maximal_system* s = sim->system;
    if (tml__is_lean(sim)) return;  // they are watched
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!sim->model->joints[j].axis[k].is_free) continue;
            s->hints[j * TML_AXES + k] = tml__maximal_coordinate(s, j, (tml_axis)k);
        }
    }
}

static bool has_position_drives(const tml_model* m)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (m->joints[j].axis[k].actuation == TML_POSITION) return true;
        }
    }
    return false;
}

// Mechanisms without a freedom left are solved in two steps, positions then forces, where the
// integrator is implicit: slower than the general way (bench/mechanisms), but their loads carry less
// rounding. Others are, if asked for, as free motion and correction: that is the matrix's affair.
static tml_status choose_path(tml_sim* sim)
{
    const tml_solver solver = sim->settings.solver;
    const bool is_implicit = sim->form->solves_kinematics && sim->soft == NULL &&
                             !tml__maximal_has_levels(sim->system) &&
                             sim->settings.integrator != TML_TIME_SEMI_IMPLICIT_EULER;
    if (solver != TML_SOLVER_AUTO && solver != TML_SOLVER_TWO_STEP) return TML_OK;
    if (tml__kkt_method(sim->system->matrix) == KKT_TWO_STEP) return TML_OK;

    sim->is_kinematic =
        is_implicit && tml__maximal_is_fully_constrained(sim->system, sim->past_q[0]);
    if (solver != TML_SOLVER_TWO_STEP || sim->is_kinematic) return TML_OK;
    return tml__fail(
        &sim->why, TML_UNSUPPORTED,
        "solver 'two_step' needs fewer rows than freedoms, all of them independent, or "
        "an implicit integrator and a mechanism without a freedom left; this one can "
        "still move, as far as the rank of its %d rows for %d unknowns tells",
        sim->model->row_count, 6 * sim->model->node_count);
}

tml_status tml__sim_begin(tml_sim* sim, double* change)
{
    sim->version++;
    tml__sensors_forget(sim);
    sim->account->is_open = 0.0;  // energies of other states are no gain
    const sim_state now = {sim->past_q[0], sim->past_v[0], sim->lambda, sim->sides, sim->own};
    tml_status status;
    if (sim->form->start != NULL) {
        status = sim->form->start(sim, change);
        if (status != TML_OK) return status;
    } else {
        status = tml__limits_begin(sim, change);
        if (status != TML_OK) {
            return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
        }
        if (sim->soft != NULL) tml__soft_follow(sim->soft, now.q, now.v);
    }
    return sim->form->begin != NULL ? sim->form->begin(sim, &now, now.own) : TML_OK;
}

static tml_status start_consistently(tml_sim* sim)
{
    choose_turns(sim);
    tml_status status = tml__sim_check_gaps(sim);
    if (status != TML_OK) return status;
    remember_coordinates(sim);
    status = tml__limits_check_start(sim);
    if (status != TML_OK) return status;

    status = choose_path(sim);
    if (status != TML_OK) return status;
    sim->is_stiff = tml__account_is_stiff(sim);
    sim->has_drives = has_position_drives(sim->model);
    // what motors leave no freedom moves as they do, whatever its energy
    sim->is_driven = sim->has_drives && sim->model->row_count >= 6 * sim->model->node_count;
    status = tml__sim_begin(sim, &sim->report.velocity_correction);
    if (sim->report.velocity_correction < 1e-12) sim->report.velocity_correction = 0.0;
    return status;
}

static bool has_limits(const tml_model* m)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (m->joints[j].axis[k].has_limits) return true;
        }
    }
    return false;
}

// Contacts, what deformables bring to the end of a step, and velocities where a limit engages are answered by
// the mass matrix and all rows, whatever the steps are made of.
static bool needs_matrix(const tml_sim* sim)
{
    if (sim->settings.contact.is_on || sim->model->dry_count > 0) return true;
    if (sim->model->all.deformable_count > 0) return true;
    return !sim->form->owns_limits && !tml__is_flex(sim) && has_limits(sim->model);
}

// The bodies in maximal coordinates, the formulation's workspace, and memory for states.
static tml_status create_parts(tml_sim* sim)
{
    const tml_sim_settings* settings = &sim->settings;
    kkt_method method =
        sim->form->has_matrix ? method_of(sim->model, sim->form, settings->solver) : KKT_NONE;
    if (sim->form->wants_matrix != NULL && sim->form->wants_matrix(sim)) {
        method = KKT_AUGMENTED;
    }
    if (method == KKT_NONE && needs_matrix(sim)) method = KKT_AUTO_NODES;
    const form_parts* lean = sim->pairing != NULL ? sim->pairing->lean : NULL;
    if (lean != NULL && lean->takes(sim)) sim->form = lean;
    const bool is_lean = sim->form->is_lean;
    tml_status status = is_lean ? tml__maximal_create_lean(sim->model, &settings->allocator,
                                                           &sim->why, &sim->system)
                                : tml__maximal_create(sim->model, method, &settings->allocator,
                                                      &sim->why, &sim->system);
    if (status != TML_OK) return status;
    if (is_lean) sim->past_kept = 1;
    if (is_lean) status = tml__team_create(settings->threads, &settings->allocator, &sim->team);
    if (status != TML_OK) return tml__fail(&sim->why, status, "out of memory");
    sim->owns_limits = sim->form->owns_limits;
    sim->system->level = (row_level){settings->implicit.level[0], settings->implicit.level[1],
                                     settings->implicit.level[2]};
    status = tml__soft_create(sim->model, sim->system, &settings->allocator, &sim->why, &sim->soft);
    if (status != TML_OK) return status;
    if (sim->soft != NULL) {
        sim->system->guest = tml__soft_guest(sim->soft);
        sim->soft->is_linearised = settings->implicit.is_linearised != 0;
        sim->soft->has_velocity = settings->implicit.unknowns == TML_UNKNOWN_VELOCITY;
    }
    if (sim->settings.contact.is_on && sim->soft != NULL) {
        status = tml__soft_touch_create(sim->soft, settings, &sim->why);
        if (status != TML_OK) return status;
    }
    // dry friction is decided with contacts, where there are any
    const bool has_impulses = settings->contact.is_on || sim->model->dry_count > 0;
    if (has_impulses && sim->model->node_count > 0) {
        status = tml__contacts_create(sim->model, settings, &sim->why, &sim->contacts);
    }
    if (status == TML_OK && sim->form->create != NULL) status = sim->form->create(sim);
    const bool is_posed = sim->contacts != NULL && sim->form->contact != FORM_CONTACT_OWN;
    if (status == TML_OK && is_posed && is_lean) status = tml__lean_touch_create(sim);
    if (status == TML_OK && is_posed && !is_lean) {
        status = tml__sim_touch_create(sim, sim->contacts->capacity, &sim->touch);
    }
    if (status == TML_OK && sim->contacts != NULL && !is_lean) {
        status = tml__islands_create(sim, &sim->islands);
    }
    if (status != TML_OK) return status;
    if (sim->form->own_width != NULL) sim->own_width = sim->form->own_width(sim);
    status = tml__sim_take_memory(sim);
    return status == TML_OK ? TML_OK : tml__fail(&sim->why, status, "out of memory");
}

// How many states are kept, and how wide the table of a start is. The states that the accepted step
// looked back on stay, so that it can be asked about; of the others the first guess of a step makes
// good use.
static void choose_past(tml_sim* sim)
{
    const int order = tml__bdf_order(sim->settings.integrator);
    sim->past_kept = sim->form->past_kept;
    sim->start.order = order;
    if (!sim->form->is_multistep) return;
    sim->past_kept = order < 2 ? order + 1 : TIME_PAST;
    if (order > 1) sim->start.columns = order == 2 ? 4 : START_COLUMNS;  // of order 8 and 12
    if (sim->settings.integrator != TML_TIME_LINEAR_MULTISTEP) return;
    sim->past_kept = TIME_PAST;
    sim->start.columns = START_COLUMNS;
    sim->start.order =
        sim->settings.implicit.multistep.steps + 1;  // the most that a stable one can have
}

tml_status tml_sim_create(const tml_model* model, const tml_sim_settings* settings, tml_sim** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL) return TML_BAD_ARGUMENT;
    tml_sim* sim = tml__allocate(&settings->allocator, 1, sizeof *sim);
    if (sim == NULL) return TML_NO_MEMORY;
    *out = sim;
    sim->given_model = model;
    sim->own_model = *model;
    sim->model = &sim->own_model;
    sim->settings = *settings;
    sim->width = model->node_count * POSE_WIDTH + tml__soft_width(model);
    sim->start.width = model->node_count * START_WIDTH + 2 * tml__soft_width(model);
    sim->is_dead = 1;
    sim->suspect = -1;

    tml_status status = tml__sim_check_settings(sim);
    if (status == TML_OK) {
        choose_past(sim);
        status = create_parts(sim);
    }
    if (status == TML_OK) {
        load_initial_state(sim);
        status = start_consistently(sim);
    }
    sim->is_dead = status != TML_OK;
    if (status == TML_OK) {
        tml__sim_forget_answers(sim);
        tml__sim_answer(sim);
        sim->report.max_gap = sim->gap;
    }
    return status;
}

// What creation did, from the same numbers.
static tml_status begin_anew(tml_sim* sim)
{
    tml__sim_clear(sim);
    load_initial_state(sim);
    tml__sim_forget_answers(sim);
    const tml_status status = start_consistently(sim);
    if (status != TML_OK) return status;
    tml__sim_forget_answers(sim);
    tml__sim_answer(sim);
    sim->report.max_gap = sim->gap;
    return TML_OK;
}

tml_status tml_sim_reset(tml_sim* sim)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    const tml_sim_report report = sim->report;
    void* before = tml__allocate(&sim->settings.allocator, tml__sim_bytes(sim), 1);
    if (before == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    tml__sim_take(sim, before);
    sim->report = (tml_sim_report){0};
    const tml_status status = begin_anew(sim);
    if (status != TML_OK) {
        tml__sim_put(sim, before);
        sim->report = report;
    }
    tml__release(&sim->settings.allocator, before);
    return status;
}

void tml_sim_destroy(tml_sim* sim)
{
    if (sim == NULL) return;
    const tml_allocator allocator = sim->settings.allocator;
    if (sim->form != NULL && sim->form->destroy != NULL) sim->form->destroy(sim);
    tml__sim_touch_destroy(sim, sim->touch);
    tml__islands_destroy(sim, sim->islands);
    tml__lean_touch_destroy(sim);
    tml__contacts_destroy(sim->contacts);
    tml__team_destroy(sim->team);
    tml__sim_release_memory(sim);
    tml__inputs_destroy(sim);
    tml__soft_destroy(sim->soft);
    tml__maximal_destroy(sim->system);
    tml__release(&allocator, sim);
}

// ---- stepping

void tml__sim_place(tml_sim* sim, const double* q, const double* v, const double* own)
{
    tml__maximal_place(sim->system, q, v);
    if (sim->form->shape != NULL) sim->form->shape(sim, own);
}

double tml__sim_stand(tml_sim* sim, const double* q, const double* v, const double* own)
{
    if (sim->form->shape == NULL) return tml__maximal_stand(sim->system, q, v);
    tml__sim_place(sim, q, v, own);
    return tml__maximal_rows(sim->system);
}

void tml__sim_time(tml_sim* sim, double dt, const double* controls)
{
    const double h = sim->ask != NULL ? sim->ask->whole : sim->settings.step;
    if (sim->ask != NULL) dt += sim->ask->offset;
    // the end of the step is the time that the accepted state will have, bit for bit
    const double t =
        dt == h ? sim->start_time + (double)(sim->step_index + 1) * dt : sim->time + dt;
    if (controls == NULL) {
        tml__maximal_time(sim->system, t, NULL);
        return;
    }
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &sim->model->joints[j].axis[k];
            if (a->control_index < 0) continue;
            const double to = controls[a->control_index];
            const double rate = (to - sim->controls[a->control_index]) / h;
            const bool is_position = a->actuation == TML_POSITION;
            sim->given[a->control_index] = (drive){
                .value = is_position ? to - rate * (h - dt) : to,
                .rate = is_position ? rate : 0.0,
            };
        }
    }
    tml__maximal_time(sim->system, t, sim->given);
}

// How far rounding alone moves the end of a long mechanism: an angle of 1e-16 in each of n hinges that a
// chain of length L cannot bend about is sqrt(n) L 1e-16 at its end, and the solve makes some more of it.
// Ten thousand hinges of a metre answer updates of 1e-9 m for ever, with rows met to 1e-12. Below
// the tolerance wherever there are less than about two thousand of them.
static double rounding_of_updates(const tml_sim* sim)
{
    const double enlarged = 8.0;
    const int nodes = sim->system->node_count;
    double extent = 0.0;
    if (tml__is_lean(sim)) return 0.0;  // counts in increments
    for (int n = 0; n < nodes; n++) {
        const double* x = &sim->past_q[0][n * POSE_WIDTH];
        for (int k = 0; k < 3; k++) extent = fmax(extent, fabs(x[k]));
    }
    return enlarged * sqrt((double)nodes) * DBL_EPSILON * extent;
}

enum {
    WITH_CONTACTS = 20  // iterations
};

newton_settings tml__sim_newton(const tml_sim* sim)
{
    // contacts that are not found soon are not found within Newton's iterations
    const int most = sim->settings.max_iterations;
    const int soon = most < WITH_CONTACTS ? most : WITH_CONTACTS;
    return (newton_settings){.tolerance = sim->settings.tolerance,
                             .max_iterations = sim->system->partner != NULL ? soon : most,
                             .min_consistency = 0.1,
                             .rounding = rounding_of_updates(sim)};
}

// Where the actuated axes stand at the end of the step: the caller's values, or the model's.
static void note_controls(const tml_sim* sim, const double* controls, double* to)
{
    if (sim->model->control_count == 0) return;
    if (controls != NULL) {
        memcpy(to, controls, (size_t)sim->model->control_count * sizeof(double));
        return;
    }
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &sim->model->joints[j].axis[k];
            if (a->control_index < 0) continue;
            to[a->control_index] = tml__is_lean(sim)
                                       ? tml__control_eval(&a->control, sim->system->t).value
                                       : sim->system->targets.axis[j * TML_AXES + k].value;
        }
    }
}

static void accept(tml_sim* sim, const double* controls, int has_changed)
{
    maximal_system* s = sim->system;
    const int oldest = sim->past_kept - 1;
    tml__sensors_note(sim);
    double* oldest_q = sim->past_q[oldest];
    double* oldest_v = sim->past_v[oldest];

    for (int k = oldest; k > 0; k--) {
        sim->past_q[k] = sim->past_q[k - 1];
        sim->past_v[k] = sim->past_v[k - 1];
    }
    // the new state moves in, and its place is free for the next
    sim->past_q[0] = sim->next.q;
    sim->past_v[0] = sim->next.v;
    sim->next.q = oldest_q;
    sim->next.v = oldest_v;
    memcpy(sim->lambda, sim->next.lambda, (size_t)s->row_count * sizeof(double));
    memcpy(sim->sides, s->sides, (size_t)s->limit_count * sizeof *sim->sides);
    memcpy(sim->own, sim->next.own, sim->own_width * sizeof(double));
    *sim->account = sim->next_account;
    memcpy(sim->drive_rates, sim->next_rates, (size_t)sim->model->control_count * sizeof(double));
    note_controls(sim, controls, sim->controls);
    if (sim->trace != NULL) {
        memcpy(sim->trace->sides, s->sides, (size_t)s->limit_count * sizeof *sim->sides);
        sim->trace->has_restarted = has_changed != 0;
    }
    if (has_changed) {
        sim->past_count = 1;
        sim->report.restarts++;
    } else if (sim->past_count < PAST_COUNTED) {
        sim->past_count++;
    }
    if (sim->contacts != NULL) tml__contacts_accept(sim->contacts);
    tml__soft_touch_accept(sim->soft);
    sim->step_index++;
    sim->version++;
    sim->time = sim->start_time + (double)sim->step_index * sim->settings.step;
    remember_coordinates(sim);
    tml__sim_forget_answers(sim);
    // what was checked is what can be asked; controls of a caller have other rates after the step
    if (controls == NULL) sim->placed = s->placements;
}

static tml_status check_controls(tml_sim* sim, const double* controls)
{
    for (int i = 0; controls != NULL && i < sim->model->control_count; i++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        if (isfinite(controls[i])) continue;
        tml_model_control(sim->model, i, &joint, &axis, &actuation);
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "control %d, %s of joint '%s', must be finite, but is %g", i,
                         tml_axis_name(axis), tml_model_joint_name(sim->model, joint), controls[i]);
    }
    return TML_OK;
}

// Whose number of a flat state it is.
static void name_number(const tml_sim* sim, int number, char* text, size_t capacity)
{
    const int bodies = sim->model->node_count * POSE_WIDTH;
    if (number >= bodies) {
        tml__soft_name(sim->soft, number - bodies, text, capacity);
        return;
    }
    const int body = sim->model->node_body[number / POSE_WIDTH];
    snprintf(text, capacity, "body '%.200s'", sim->model->all.bodies[body].name);
}

// Beyond this, m or m/s, not even the distance of two points or a speed could be told.
static const double farthest = 1e150;

// No state with an infinity or a NaN in it is ever accepted. Newton sees to that where it iterates;
// an explicit step that grows beyond all numbers, and targets that do, are caught here. Leaves the
// bodies placed at the end of the step and answers the largest row there.
static tml_status check_next(tml_sim* sim, const double* controls, double* gap)
{
    const sim_state* next = &sim->next;
    const bool is_fine = tml__is_lean(sim) && tml__lean_is_fine(sim, 0.5 * farthest);
    for (int i = 0; i < sim->width && !is_fine; i++) {
        char name[256];
        if (fabs(next->q[i]) < farthest && fabs(next->v[i]) < farthest) continue;
        name_number(sim, i, name, sizeof name);
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "%s would move beyond all numbers within one step of %g s", name,
                         sim->settings.step);
    }
    for (int row = 0; row < sim->system->row_count && !is_fine; row++) {
        char name[256];
        if (isfinite(next->lambda[row])) continue;
        tml__maximal_row_name(sim->system, row, name, sizeof name);
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "the load of %s would be beyond all numbers (%g)", name,
                         next->lambda[row]);
    }
    tml__sim_time(sim, sim->settings.step, controls);
    if (tml__is_lean(sim)) {
        *gap = tml__lean_inspect(sim, next->q);  // finite, as all positions are within bounds
        return TML_OK;
    }
    *gap = tml__sim_stand(sim, next->q, next->v, next->own);
    if (isfinite(*gap)) return TML_OK;
    return tml__maximal_describe_failure(sim->system, TML_NOT_CONVERGED, NULL, &sim->why);
}

tml_status tml__sim_try_step(tml_sim* sim)
{
    const tml_sim_report before = sim->report;
    const message why = sim->why;
    int has_changed = 0;
    double gap = 0.0;
    const step_ask ask = tml__step_ask(sim, NULL);
    tml_status status = tml__advance(sim, NULL, &has_changed);
    if (status == TML_OK && has_changed) status = tml__step_restart(sim, &ask);
    if (status == TML_OK) status = check_next(sim, NULL, &gap);
    if (status == TML_OK) note_controls(sim, NULL, sim->tried_controls);
    sim->report = before;
    sim->why = why;
    return status;
}

// One step, end to end. If you read one function of this library, read this one.
tml_status tml_sim_step(tml_sim* sim, const double* controls)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    tml_status status = check_controls(sim, controls);
    if (status != TML_OK) return status;

    // 1. from the accepted state to the next, in one step or in substeps
    const step_ask ask = tml__step_ask(sim, controls);
    const tml_sim_report before = sim->report;
    int has_changed = 0;
    double gap = 0.0;
    status = tml__advance(sim, controls, &has_changed);
    if (status == TML_OK && has_changed) status = tml__step_restart(sim, &ask);
    if (status == TML_OK) status = check_next(sim, controls, &gap);

    // 2. keep the new state, or leave everything as it was
    if (status != TML_OK) {
        memcpy(sim->system->sides, sim->sides,
               (size_t)sim->system->limit_count * sizeof *sim->sides);
        sim->report = before;
        return status;
    }
    accept(sim, controls, has_changed);
    sim->report.steps++;
    if (sim->report.newton_bodies == before.newton_bodies) {
        sim->report.newton_bodies += (sim->report.newton_iterations - before.newton_iterations) *
                                     (long long)sim->model->node_count;
    }
    sim->gap = gap;
    if (gap > sim->report.max_gap) sim->report.max_gap = gap;
    return TML_OK;
}
