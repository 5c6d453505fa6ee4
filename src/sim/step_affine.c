// sim/step_affine.c - steps of the affine formulation.                            [notes 9.2 9.4]
//
// `energy` takes theta = 1/2 and projects velocities onto the rows: order 2, and energy never
// grows. What is refused (a link whips, Newton does not converge) is taken in halves, quarters and
// so on; below a sixteenth theta = 1, whose damping is what a motion that fast needs to be followed.
// `energy_damped` takes theta = 1 throughout.
#include "form/affine/affine.h"
#include "sim/sim_internal.h"

#include <trammel/doctor.h>

#include <stdio.h>
#include <string.h>

enum {
    LEVELS = 12,       // a step may be halved this often
    DAMPED_LEVEL = 4,  // from here on `energy` damps
    ITERATIONS = 20,   // of Newton before a step is halved
};

static affine_system* system_of(const tml_sim* sim) { return sim->work; }

// ---- creation

// Rows that say what others say are left out: their multipliers are a choice, and the least-norm one
// is made when loads are reported.
static tml_status drop_redundant(tml_sim* sim, affine_system* a)
{
    const maximal_system* s = sim->system;
    if (!s->may_be_redundant) return TML_OK;
    tml_doctor* doctor = NULL;
    const tml_status status = tml_doctor_create(sim->model, &doctor);
    if (status == TML_UNSUPPORTED) return TML_OK;  // too many loops to tell: all rows are kept
    if (status != TML_OK) return tml__fail(&sim->why, status, "out of memory");

    for (int i = 0; i < tml_doctor_redundant_count(doctor); i++) {
        const tml_row_id id = tml_doctor_redundant(doctor, i)->row;
        if (id.joint.index < 0) {
            a->is_dropped[s->first_coupling + id.coupling] = true;
            continue;
        }
        const joint_rows* rows = &s->rows[id.joint.index];
        for (int r = 0; r < rows->count; r++) {
            if (rows->row[r].axis != id.axis) continue;
            a->is_dropped[s->first_row[id.joint.index] + r] = true;
        }
    }
    tml_doctor_destroy(doctor);
    for (int row = 0; row < s->row_count; row++) {
        a->was_dropped[row] = a->is_dropped[row] && a->row_first[row] >= 0;
    }
    return TML_OK;
}

static tml_status create(tml_sim* sim)
{
    affine_system* a = NULL;
    const tml_status status = tml__affine_create(sim->system, &sim->why, &a);
    sim->work = a;
    return status == TML_OK ? drop_redundant(sim, a) : status;
}

static void destroy(tml_sim* sim)
{
    tml__affine_destroy(system_of(sim));
    sim->work = NULL;
}

static bool wants_matrix(const tml_model* m)
{
    // only to report the least of many possible loads
    return m->loops > 0 || m->all.coupling_count > 0 || m->node_count < m->all.body_count;
}

static const char* solver_name(const tml_sim* sim)
{
    (void)sim;
    return "nodes";
}

static void explain(const tml_sim* sim, char* text, size_t capacity)
{
    const maximal_system* s = sim->system;
    const block_statistics matrix = tml__block_statistics(system_of(sim)->matrix);
    snprintf(
        text, capacity,
        "unknowns  affine, rigid links: 6 a body (centre of mass, rotation vector), %d rows, %d "
        "limits\n"
        "time      %s, step %g s: rows at the end, forces at the mean of start and end; refused "
        "steps are halved, up to %d times\n"
        "newton    full steps, each body's turn held to 1 rad, rows and last update to %g (m, "
        "rad), at most %d iterations\n"
        "matrix    %d unknowns, solved by nodes, %lld numbers in the factor, %.3g flops\n",
        s->first_limit, s->limit_count, tml_integrator_name(sim->settings.integrator),
        sim->settings.step, LEVELS, sim->settings.tolerance,
        sim->settings.max_iterations < ITERATIONS ? sim->settings.max_iterations : ITERATIONS,
        matrix.unknowns, matrix.entries, matrix.flops);
}

// ---- where a history begins

static tml_status start(tml_sim* sim, double* change)
{
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
    const tml_status status = tml__affine_accelerate(system_of(sim), sim->past_q[0], sim->past_v[0],
                                                     sim->start.acceleration, lambda);
    return status;
}

// ---- stepping

static affine_stage stage_of(const tml_sim* sim, double h, int level)
{
    const bool is_damped = sim->settings.integrator == TML_TIME_ENERGY_DAMPED;
    const double theta = is_damped || level >= DAMPED_LEVEL ? 1.0 : 0.5;
    return (affine_stage){.h = h, .theta = theta, .beta = theta * h * h, .phi = 0.5};
}

// The part of a step from `from`, in units of the smallest part.
static tml_status substep(tml_sim* sim, const double* controls, int from, int level,
                          affine_report* report)
{
    affine_system* a = system_of(sim);
    const double unit = sim->settings.step / (1 << LEVELS);
    const int length = 1 << (LEVELS - level);
    const affine_stage stage = stage_of(sim, unit * length, level);
    const int allowed = sim->settings.max_iterations;
    const newton_settings settings = {
        .tolerance = sim->settings.tolerance,
        .max_iterations = allowed < ITERATIONS ? allowed : ITERATIONS,
    };

    tml__sim_time(sim, unit * (from + 0.5 * length), controls);
    tml__affine_aim(a);
    tml__sim_time(sim, unit * (from + length), controls);
    return tml__affine_step(a, &stage, &settings, report);
}

static tml_status describe(tml_sim* sim, tml_status status, const affine_report* report)
{
    const double h = sim->settings.step / (1 << LEVELS);
    if (report->has_turned) {
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "a body turns by more than 2.5 rad within %.3g s, the smallest part of a "
                         "step of %g s",
                         h, sim->settings.step);
    }
    if (report->has_gained) {
        return tml__fail(&sim->why, TML_NOT_CONVERGED,
                         "no solution keeps the energy within %.3g s, the smallest part of a step "
                         "of %g s",
                         h, sim->settings.step);
    }
    const newton_report newton = {
        .iterations = report->iterations,
        .update = report->update,
        .last = {.merit = report->rest * report->rest, .row = report->gap},
    };
    return tml__maximal_describe_failure(sim->system, status, &newton, &sim->why);
}

tml_status tml__advance_affine(tml_sim* sim, const double* controls)
{
    affine_system* a = system_of(sim);
    const size_t rows = (size_t)sim->system->row_count * sizeof(double);
    const int whole = 1 << LEVELS;
    int level = 0;

    tml__affine_load(a, sim->past_q[0], sim->past_v[0]);
    memcpy(a->lambda, sim->lambda, rows);
    for (int at = 0; at < whole;) {
        affine_report report;
        const tml_status status = substep(sim, controls, at, level, &report);
        sim->report.newton_iterations += report.iterations;
        if (status < TML_OK) return status;
        if (status != TML_OK && level == LEVELS) return describe(sim, status, &report);
        if (status != TML_OK) {
            // multipliers that went astray are no guess; those of rows left out are all there is
            for (int row = 0; row < sim->system->row_count; row++) {
                if (!a->was_dropped[row]) a->lambda[row] = 0.0;
            }
            level++;
            continue;
        }
        at += 1 << (LEVELS - level);
        if (level > 0) sim->report.substeps++;
        // two halves done: on with the longer part
        while (level > 0 && at % (1 << (LEVELS - level + 1)) == 0) level--;
        if (at < whole) tml__affine_go_on(a);
    }
    tml__affine_store(a, sim->next.q, sim->next.v);
    memcpy(sim->next.lambda, a->lambda, rows);
    return TML_OK;
}

const form_parts tml__affine_parts = {
    .past_kept = 1,
    .wants_matrix = wants_matrix,
    .create = create,
    .destroy = destroy,
    .start = start,
    .multipliers = multipliers,
    .solvers = 1 << TML_SOLVER_AUTO | 1 << TML_SOLVER_NODES,
    .solver_name = solver_name,
    .explain = explain,
};
