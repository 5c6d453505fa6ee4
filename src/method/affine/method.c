// method/affine/method.c - steps of the affine formulation.                            [notes 9.2 9.4]
//
// `energy` takes theta = 1/2 and projects velocities onto the rows: order 2, and energy never
// grows. In substeps of a sixteenth and below, of nets in all, theta = 1, whose damping is what a motion
// that fast needs to be followed.
// `energy_damped` takes theta = 1 throughout. `bdf1` and `bdf2` let forces act at the end of the
// step, `shake` at both ends, one half each; they are order 1, 2 and 2, and promise no energy.
#include "method/affine/method.h"

#include "method/affine/attached.h"
#include "method/affine/flexible.h"
#include "method/affine/points.h"
#include "sim/lean.h"
#include "sim/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ITERATIONS = 20,  // of Newton before a step is halved
};

static affine_system* system_of(const tml_sim* sim) { return ((affine_work*)sim->work)->system; }

// ---- creation

static tml_status create(tml_sim* sim)
{
    const tml_solver solver = sim->settings.solver;
    affine_work* work = tml__allocate(&sim->settings.allocator, 1, sizeof *work);
    sim->work = work;
    if (work == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    if (solver == TML_SOLVER_DUAL || solver == TML_SOLVER_CG) {
        return tml__fail(
            &sim->why, TML_UNSUPPORTED,
            "solver '%s' needs 'energy' or 'energy_damped' and passive ball joints of "
            "equal weights without wrenches, welds and springs between links, of which none "
            "touches but the world and bodies that are led (one group of shapes, contacts with a "
            "stiffness) and none hangs on such a body; 'nodes' takes everything",
            tml_solver_name(solver));
    }
    if (solver == TML_SOLVER_CHAIN || solver == TML_SOLVER_TREE) {
        return tml__fail(
            &sim->why, TML_UNSUPPORTED,
            "solver '%s' needs 'energy' or 'energy_damped' and passive ball joints "
            "without loops, wrenches, welds and springs, but that a chain may touch the world and "
            "bodies that are led (one group of shapes, contacts with a stiffness), have springs to "
            "them, and hang on them by its first joint, which may be driven; 'nodes' takes "
            "everything",
            tml_solver_name(solver));
    }
    if (sim->model->all.nonholonomic_count > 0 && sim->settings.integrator == TML_TIME_SHAKE) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "nonholonomic '%s': 'shake' has no place for rows that tie velocities; "
                         "'energy' has",
                         sim->model->all.nonholonomics[0].name);
    }
    if (tml__is_flex(sim)) return tml__flex_make(sim, &work->system);
    const bool is_regular = tml__links_hold_points(sim->model) &&
                            tml__net_is_regular(sim->model, &sim->settings.allocator);
    const doctor_cost cost =
        is_regular ? DOCTOR_CHEAP : tml__affine_doctor_cost(sim->model, &sim->settings.allocator);
    // rows of many loops are nodes of their own, with those left out that others imply
    tml_status status = is_regular || cost == DOCTOR_DEAR
                            ? tml__affine_create_regular(sim->system, &sim->why, &work->system)
                            : tml__affine_create(sim->system, &sim->why, &work->system);
    if (status == TML_OK && sim->contacts != NULL && sim->settings.contact.stiffness > 0.0) {
        sim->contacts->is_led = work->system->is_led;
        work->has_points =
            is_regular || (sim->model->loops == 0 && tml__links_hold_points(sim->model));
        status = tml__affine_reserve(sim, sim->contacts->capacity);
    }
    if (status == TML_OK && sim->soft != NULL) {
        status = tml__soft_affine_create(sim, work->system, &work->soft);
    }
    return status == TML_OK ? tml__affine_drop_redundant(sim, work->system, cost) : status;
}

static void destroy(tml_sim* sim)
{
    affine_work* work = sim->work;
    if (work == NULL) return;
    tml__affine_release_touch(sim);
    tml__affine_destroy(work->system);
    tml__release(&sim->settings.allocator, work);
    sim->work = NULL;
}

static bool wants_matrix(const tml_sim* sim)
{
    const tml_model* m = sim->model;
    if (tml__is_flex(sim)) return false;  // what is redundant between rigid bodies is not here
    // only to report the least of many possible loads
    return m->loops > 0 || m->all.coupling_count > 0 || m->node_count < m->all.body_count;
}

static const char* solver_name(const tml_sim* sim)
{
    (void)sim;
    return "nodes";
}

newton_settings tml__affine_newton(const tml_sim* sim)
{
    const int most = sim->settings.max_iterations;
    return (newton_settings){.tolerance = sim->settings.tolerance,
                             .max_iterations = most < ITERATIONS ? most : ITERATIONS};
}

static void explain_solver(const tml_sim* sim, char* text, size_t capacity)
{
    const affine_system* a = system_of(sim);
    if (a->points != NULL) {
        const fronts_statistics f = tml__points_statistics(a->points);
        snprintf(text, capacity,
                 "nodes; Newton by the dual: all %d joints hold points, contacts and springs are "
                 "unknowns beside their forces; without contacts %d fronts of up to %d unknowns, "
                 "%lld numbers in the factor, %.3g flops",
                 sim->model->all.joint_count, f.fronts, f.largest, f.entries, f.flops);
        return;
    }
    const block_statistics matrix = tml__block_statistics(a->matrix);
    snprintf(text, capacity,
             "%d unknowns, solved by nodes (rows %s), %lld numbers in the factor, %.3g flops",
             matrix.unknowns,
             a->has_own_rows ? "after the bodies they tie" : "beside the body they carry",
             matrix.entries, matrix.flops);
}

static const char* where_forces_act(tml_integrator integrator)
{
    if (integrator == TML_TIME_SHAKE) return "the start";
    const bool is_end = integrator == TML_TIME_BDF1 || integrator == TML_TIME_BDF2;
    return is_end ? "the end" : "the mean of start and end";
}

void tml__affine_explain(const tml_sim* sim, const char* solver, char* text, size_t capacity)
{
    const maximal_system* s = sim->system;
    char bodies[256];
    tml__flex_explain(sim, bodies, sizeof bodies);
    snprintf(
        text, capacity,
        "unknowns  %s, %d rows, %d limits\n"
        "time      %s, step %g s: rows at the end, forces at %s; refused steps are halved, up to "
        "%d times\n"
        "newton    full steps, each body's turn held to 1 rad, rows and last update to %g (m, "
        "rad), at most %d iterations\n"
        "matrix    %s\n",
        bodies, s->first_limit, s->limit_count, tml_integrator_name(sim->settings.integrator),
        step_h(sim), where_forces_act(sim->settings.integrator), SUBSTEP_LEVELS,
        sim->settings.tolerance, tml__affine_newton(sim).max_iterations, solver);
}

static void explain(const tml_sim* sim, char* text, size_t capacity)
{
    char solver[384];
    explain_solver(sim, solver, sizeof solver);
    tml__affine_explain(sim, solver, text, capacity);
}

// ---- where a history begins

// With deformables the matrix of the bodies knows what they carry.
static tml_status start_soft(tml_sim* sim, double* change)
{
    const tml_status status = tml__limits_begin(sim, change);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
}

static tml_status start(tml_sim* sim, double* change)
{
    if (tml__is_flex(sim)) return tml__flex_start(sim, change);
    if (sim->soft != NULL) return start_soft(sim, change);
    affine_system* a = system_of(sim);
    maximal_system* s = sim->system;
    double* q = sim->past_q[0];
    double* v = sim->past_v[0];

    tml__affine_load(a, q, v);
    tml__maximal_rows(s);
    for (int n = 0; n < s->node_count; n++) {
        affine_body* b = &a->body[n];
        b->v_end = b->v;
        b->omega_end = b->omega;
    }
    s->bad_row = -1;
    tml_status status = tml__affine_project(a);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    *change = 0.0;
    for (int i = 0; i < 6 * s->node_count; i++) *change = tml__larger(*change, s->dx[i]);
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        tml__maximal_store_velocity(&q[n * POSE_WIDTH], b->v_end, b->omega_end, &v[n * POSE_WIDTH]);
    }
    status = tml__affine_accelerate(a, q, v, sim->start.acceleration, sim->lambda);
    return status == TML_OK ? TML_OK : tml__maximal_describe_failure(s, status, NULL, &sim->why);
}

// A step's own multipliers act at its middle; those at its end follow from the accelerations there.
static tml_status multipliers(tml_sim* sim, double* lambda)
{
    if (tml__is_flex(sim)) return TML_OK;  // those of the step
    if (sim->soft != NULL) {
        return tml__maximal_accelerate(sim->system, sim->past_q[0], sim->past_v[0],
                                       sim->start.acceleration, lambda);
    }
    return tml__affine_accelerate(system_of(sim), sim->past_q[0], sim->past_v[0],
                                  sim->start.acceleration, lambda);
}

// ---- a step

// Backward differences of order 2 look back one whole step: only whole steps take them.
static bool looks_back(const tml_sim* sim, bool is_impact)
{
    return sim->settings.integrator == TML_TIME_BDF2 && sim->ask->count == 1 &&
           sim->past_count > 1 && !is_impact;
}

static affine_stage stage_of(const tml_sim* sim, bool is_impact, int damped_count)
{
    const tml_integrator integrator = sim->settings.integrator;
    const double h = step_h(sim);
    if (looks_back(sim, is_impact)) {
        return (affine_stage){h, 1.0, 4.0 / 9.0 * h * h, 1.0, AFFINE_BDF2};
    }
    if (integrator == TML_TIME_BDF1 || integrator == TML_TIME_BDF2) {
        return (affine_stage){h, 1.0, h * h, 1.0, AFFINE_MEAN};
    }
    if (integrator == TML_TIME_SHAKE) {
        return (affine_stage){h, 1.0, 0.5 * h * h, 0.0, AFFINE_SHAKE};
    }
    const bool is_damped = integrator == TML_TIME_ENERGY_DAMPED || sim->ask->count >= damped_count;
    const double theta = is_damped ? 1.0 : 0.5;
    return (affine_stage){h, theta, theta * h * h, 0.5, AFFINE_MEAN};
}

affine_stage tml__affine_stage(const tml_sim* sim, int damped_count)
{
    return stage_of(sim, step_is_impact(sim), damped_count);
}

affine_stage tml__affine_stage_again(const tml_sim* sim, const step_trace* trace)
{
    return stage_of(sim, trace->order != 0, AFFINE_DAMPED);
}

static tml_status solve(tml_sim* sim, const double* controls, affine_report* report)
{
    affine_system* a = system_of(sim);
    const affine_stage stage = tml__affine_stage(sim, AFFINE_DAMPED);
    const newton_settings settings = tml__affine_newton(sim);
    tml__sim_time(sim, stage.phi * stage.h, controls);
    tml__affine_aim(a);
    tml__sim_time(sim, stage.h, controls);
    soft_affine* soft = ((affine_work*)sim->work)->soft;
    if (soft == NULL) return tml__affine_step(a, &stage, &settings, report);
    return tml__soft_affine_step(sim, soft, &stage, a->force_time, &settings, report);
}

static void load(tml_sim* sim)
{
    affine_system* a = system_of(sim);
    if (looks_back(sim, step_is_impact(sim)))
        tml__affine_load_before(a, sim->past_q[1], sim->past_v[1]);
    tml__affine_load(a, step_q(sim), step_v(sim));
    if (a->flex != NULL) tml__flex_load(a, step_own(sim));
    if (sim->soft != NULL) tml__soft_affine_load(sim);
    memcpy(a->lambda, step_lambda(sim), (size_t)sim->system->row_count * sizeof(double));
}

static void store(tml_sim* sim)
{
    const affine_system* a = system_of(sim);
    tml__affine_store(a, sim->next.q, sim->next.v);
    if (a->flex != NULL) tml__flex_store(a, step_own(sim), sim->next.own);
    memcpy(sim->next.lambda, a->lambda, (size_t)sim->system->row_count * sizeof(double));
}

tml_status tml__affine_describe(tml_sim* sim, const affine_report* report)
{
    const double h = step_h(sim);
    if (!report->has_turned) {
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "no solution keeps the energy within a step of %.3g s", h);
    }
    if (!tml__is_flex(sim)) {
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "a body turns by more than 2.5 rad within a step of %.3g s", h);
    }
    return tml__fail(&sim->why, TML_NOT_CONVERGED,
                     "body '%s' turns by more than 2.5 rad, or inside out (young %g Pa), within "
                     "a step of %.3g s",
                     sim->model->all.bodies[system_of(sim)->flex->turned].name,
                     sim->settings.affine.young, h);
}

static tml_status describe(tml_sim* sim, tml_status status, const affine_report* report,
                           const double* controls)
{
    if (report->has_turned || report->has_gained) return tml__affine_describe(sim, report);
    const newton_report newton = {
        .iterations = report->iterations,
        .update = report->update,
        // rows that contradict each other may end in a factor before they show as open
        .last = {.merit = report->rest * report->rest,
                 .row = status == TML_SINGULAR ? (double)HUGE_VAL : report->gap},
    };
    if (sim->soft != NULL && report->gap <= sim->settings.tolerance) {
        return tml__soft_describe(sim->soft, status, &newton, &sim->why);
    }
    tml__sim_time(sim, step_h(sim), controls);
    return tml__sim_describe_stall(sim, status, &newton);
}

void tml__affine_note(tml_sim* sim, bool is_unprojected)
{
    step_trace* trace = sim->trace;
    sim->report.fallback_steps += is_unprojected;
    if (trace == NULL) return;
    trace->kind = is_unprojected ? TRACE_UNKNOWN : TRACE_AFFINE;
    trace->order = step_is_impact(sim);
    if (trace->stages == 0) return;
    memcpy(trace->x[0], sim->next.q, (size_t)sim->width * sizeof(double));
    memcpy(trace->lambda[0], sim->next.lambda, (size_t)sim->system->row_count * sizeof(double));
}

tml_status tml__advance_affine(tml_sim* sim, const double* controls)
{
    affine_system* a = system_of(sim);
    affine_report report;
    load(sim);
    if (a->points != NULL) {
        const tml_status status = tml__points_pose(a->points, step_h(sim), &sim->why);
        if (status != TML_OK) return status;
    }
    const tml_status status = solve(sim, controls, &report);
    sim->report.newton_iterations += report.iterations;
    sim->report.newton_bodies += report.bodies;
    if (status < TML_OK) return status;
    if (status != TML_OK) return describe(sim, status, &report, controls);
    if (report.gain > sim->report.max_gain) sim->report.max_gain = report.gain;
    store(sim);
    tml__affine_note(sim, report.is_unprojected);
    return TML_OK;
}

affine_system* tml__affine_of(const tml_sim* sim)
{
    return tml__is_lean(sim) ? NULL : system_of(sim);
}

const form_parts tml__affine_parts = {
    .past_kept = 2,
    .has_ties = true,
    .wants_matrix = wants_matrix,
    .create = create,
    .destroy = destroy,
    .start = start,
    .multipliers = multipliers,
    .solvers = 1 << TML_SOLVER_AUTO | 1 << TML_SOLVER_NODES | 1 << TML_SOLVER_CHAIN |
               1 << TML_SOLVER_TREE | 1 << TML_SOLVER_DUAL | 1 << TML_SOLVER_CG,
    .solver_name = solver_name,
    .check = tml__flex_check,
    .explain = explain,
    .keeps_branch = true,
    .takes_contacts = true,
    .contact = FORM_CONTACT_JOLT,
    .reserve = tml__affine_reserve,
    .own_width = tml__flex_width,
    .shape = tml__flex_place,
    .shape_energy = tml__flex_add_energy,
    .lead = tml__affine_lead,
    .led_force = tml__affine_led_force,
    .linear = &tml__affine_linear,
};
