// method/quaternion/method.c - one step by backward differences, Runge-Kutta or the semi-implicit baseline.
#include "method/quaternion/attached.h"
#include "sim/sim_internal.h"

#include <string.h>

// Where the bodies would be after `dt` at their present velocities.
static void predict(tml_sim* sim, double dt)
{
    maximal_system* s = sim->system;
    const double* q = step_q(sim);
    const double* v = step_v(sim);

    for (int n = 0; n < s->node_count; n++) {
        const double* at = &q[n * POSE_WIDTH];
        const double* u = &v[n * POSE_WIDTH];
        const quat raw = {at[3], at[4], at[5], at[6]};
        const quat w = {u[3], u[4], u[5], u[6]};
        const vec3 omega = v3_scale(2.0 / q_dot(raw, raw), q_G(raw, w));
        double motion[6];
        v3_store(motion, v3_load(u));
        v3_store(motion + 3, omega);
        tml__maximal_displace(&s->x[n * POSE_WIDTH], at, motion, dt);
    }
    for (int i = 0; sim->soft != NULL && i < sim->soft->width; i++) {
        sim->soft->x[i] = q[sim->soft->first + i] + dt * v[sim->soft->first + i];
    }
    memcpy(s->lambda, step_lambda(sim), (size_t)s->row_count * sizeof(double));
}

// A state that a formula made of numbers alone, with its quaternions brought back to unit length.
static void take_guess(tml_sim* sim, const double* q)
{
    maximal_system* s = sim->system;

    for (int n = 0; n < s->node_count; n++) {
        const double* at = &q[n * POSE_WIDTH];
        double* x = &s->x[n * POSE_WIDTH];
        const quat turned = q_normalize((quat){at[3], at[4], at[5], at[6]});
        v3_store(x, v3_load(at));
        x[3] = turned.w;
        x[4] = turned.x;
        x[5] = turned.y;
        x[6] = turned.z;
    }
    if (sim->soft != NULL) {
        memcpy(sim->soft->x, q + sim->soft->first, (size_t)sim->soft->width * sizeof(double));
    }
    memcpy(s->lambda, step_lambda(sim), (size_t)s->row_count * sizeof(double));
}

// The equations of an additive quaternion have a second root, half a turn further in the space of
// quaternions, where the body would next turn backwards. Small steps never come near it.
static bool is_first_root(const maximal_system* s, const time_relation* relation)
{
    for (int n = 0; n < s->node_count; n++) {
        const double* hat = &relation->q_hat[n * POSE_WIDTH];
        const double* x = &s->x[n * POSE_WIDTH];
        if (hat[3] * x[3] + hat[4] * x[4] + hat[5] * x[5] + hat[6] * x[6] < 0.0) return false;
    }
    return true;
}

// The first guesses of a stage, best first.
typedef enum first_guess {
    GUESS_PAST,      // where the steps before lead
    GUESS_INTEGRAL,  // where their velocities do
    GUESS_VELOCITY,  // at the present velocities
    GUESS_COAST,     // where the additive formula itself would put the bodies without acceleration
    GUESS_STAY,
    GUESSES
} first_guess;

// False: this one is not to be had.
static bool guess(tml_sim* sim, first_guess which, const stage_problem* p)
{
    switch (which) {
    case GUESS_PAST:
        if (p->past == NULL || !tml__extrapolate(p->past, p->relation, sim->width, sim->next.q)) {
            return false;
        }
        take_guess(sim, sim->next.q);
        return true;
    case GUESS_INTEGRAL:
        if (p->past == NULL || !tml__integrate_past(p->past, sim->width, sim->next.q)) return false;
        take_guess(sim, sim->next.q);
        return true;
    case GUESS_COAST: take_guess(sim, p->relation->q_hat); return true;
    case GUESS_VELOCITY: predict(sim, p->dt); return true;
    case GUESS_STAY:
    case GUESSES: break;
    }
    predict(sim, 0.0);
    return true;
}

void tml__sim_count_newton(tml_sim* sim, const newton_report* report)
{
    sim->report.newton_iterations += report->iterations;
    sim->report.factorisations += report->factorisations;
    sim->report.inexact_steps += report->is_loose;
}

tml_status tml__sim_describe_stall(tml_sim* sim, tml_status status, const newton_report* report)
{
    const double tolerance = sim->settings.tolerance;
    status = tml__maximal_describe_failure(sim->system, status, report, &sim->why);

    // rows that stay open although bodies hardly move: do the targets contradict each other? (A system
    // without a matrix is a tree of free rows, where they cannot, or elastic.)
    double residual = 0.0;
    if (report->last.row > tolerance && sim->system->matrix != NULL &&
        tml__maximal_nearest(sim->system, step_q(sim), &residual) == TML_OK &&
        residual > 10.0 * tolerance) {
        tml__maximal_describe_infeasible(sim->system, residual, &sim->why);
        return TML_INFEASIBLE;
    }
    return status;
}

// With deformables the bodies' rows may be at fault, or a vertex.
static tml_status describe_soft_stall(tml_sim* sim, tml_status status, const newton_report* report,
                                      const double* controls)
{
    if (report->last.row <= sim->settings.tolerance || sim->model->node_count == 0) {
        return tml__soft_describe(sim->soft, status, report, &sim->why);
    }
    tml__sim_time(sim, step_h(sim), controls);
    return tml__sim_describe_stall(sim, status, report);
}

static tml_status solve_from_here(tml_sim* sim, const form_stage* stage,
                                  const newton_settings* settings, newton_report* report)
{
    const tml_status status = sim->soft != NULL
                                  ? tml__soft_solve_stage(sim->soft, stage, settings, report)
                                  : tml__quat_solve_stage(sim->system, stage, settings, report);
    tml__sim_count_newton(sim, report);
    return status;
}

// Solve a stage from one guess after the other. A flip in the prediction (large turns a step) is
// one reason for a second try, the wrong root another; only where no guess leads to the first
// root (a joint driven by more than half a turn) is another one taken.
static tml_status solve_stage(tml_sim* sim, const stage_problem* p, const double* controls)
{
    const time_relation* relation = p->relation;
    maximal_system* s = sim->system;
    const form_stage stage = {relation->c_v, relation->c_q, relation->v_hat, relation->q_hat};
    const newton_settings settings = tml__sim_newton(sim);
    tml_status status = TML_NOT_CONVERGED;
    newton_report report = {0};
    int second_root = -1;

    if (sim->is_kinematic) {
        if (!guess(sim, GUESS_PAST, p)) guess(sim, GUESS_VELOCITY, p);
        status = tml__quat_solve_kinematic(s, &stage, &settings, &report);
        tml__sim_count_newton(sim, &report);
        if (status == TML_OK) return TML_OK;
        status = TML_NOT_CONVERGED;  // near a singular pose a freedom appears: the general way
    }
    // one Newton step begins where the step does: forces are linearised there          [COOK (116)]
    const int first = sim->settings.implicit.is_linearised ? GUESS_STAY : 0;
    for (int attempt = first; attempt < GUESSES; attempt++) {
        if (!guess(sim, (first_guess)attempt, p)) continue;
        status = solve_from_here(sim, &stage, &settings, &report);
        if (status == TML_OK && is_first_root(s, relation)) return TML_OK;
        if (status == TML_OK && second_root < 0) second_root = attempt;
        if (status != TML_OK && status != TML_NOT_CONVERGED) break;
        if (status != TML_OK && s->partner != NULL) break;  // contacts have another way
    }
    if (second_root >= 0) {
        guess(sim, (first_guess)second_root, p);
        status = solve_from_here(sim, &stage, &settings, &report);
    }
    if (status == TML_OK) return TML_OK;
    if (sim->soft != NULL) return describe_soft_stall(sim, status, &report, controls);
    // the targets of the step's end, whatever stage has failed: they are what was asked for
    tml__sim_time(sim, step_h(sim), controls);
    return tml__sim_describe_stall(sim, status, &report);
}

// The positions of a solved stage become those of the next state.
static void take_positions(tml_sim* sim)
{
    const size_t bodies = (size_t)sim->model->node_count * POSE_WIDTH;
    memcpy(sim->next.q, sim->system->x, bodies * sizeof(double));
    if (sim->soft == NULL) return;
    memcpy(sim->next.q + bodies, sim->soft->x, (size_t)sim->soft->width * sizeof(double));
}

tml_status tml__sim_solve_stage(tml_sim* sim, const stage_problem* p, const double* controls)
{
    const tml_status status = solve_stage(sim, p, controls);
    if (status == TML_OK) take_positions(sim);
    return status;
}

static void keep_multipliers(tml_sim* sim)
{
    memcpy(sim->next.lambda, sim->system->lambda, (size_t)sim->system->row_count * sizeof(double));
}

// The multipliers of the finished step by the accelerations of its state. A formula's own ones are
// differences of velocities over h: where these velocities come from different formulas (the first
// steps after a start, the stages of Runge-Kutta) their errors differ by O(h^k) and leave the
// multipliers at order k - 1; the state itself knows them at the order of its velocities.
static tml_status multipliers_of_state(tml_sim* sim, const double* controls)
{
    tml__sim_time(sim, step_h(sim), controls);
    const tml_status status = tml__maximal_accelerate(sim->system, sim->next.q, sim->next.v,
                                                      sim->start.acceleration, sim->next.lambda);
    if (status == TML_OK && sim->trace != NULL) sim->trace->has_state_multipliers = true;
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
}

static tml_status backward_difference(tml_sim* sim, int order, const double* controls)
{
    const double h = step_h(sim);
    const int known = sim->past_count < sim->past_kept ? sim->past_count : sim->past_kept;
    time_history past = {.h = h, .count = known};
    time_relation relation = {.v_hat = sim->v_hat, .q_hat = sim->q_hat};
    for (int k = 0; k < known; k++) {
        past.q[k] = step_past_q(sim, k);
        past.v[k] = step_past_v(sim, k);
    }
    tml__bdf(&past, order, sim->width, &relation);
    tml__sim_time(sim, h, controls);

    const tml_status status =
        tml__sim_solve_stage(sim, &(stage_problem){&relation, h, &past}, controls);
    if (status != TML_OK) return status;
    tml__relation_velocity(&relation, sim->next.q, sim->width, sim->next.v);
    keep_multipliers(sim);
    tml__trace_stage(sim->trace, 0, sim->system);
    if (sim->trace != NULL) {
        sim->trace->kind = TRACE_BDF;
        sim->trace->order = order;
    }
    return TML_OK;
}

static tml_status runge_kutta(tml_sim* sim, const dirk* method, const double* controls)
{
    const double h = step_h(sim);
    time_relation relation = {.v_hat = sim->v_hat, .q_hat = sim->q_hat};

    for (int stage = 0; stage < 2; stage++) {
        const double dt = method->c[stage] * h;
        tml__dirk_stage(method, stage, h, step_q(sim), step_v(sim), &sim->rates, sim->width,
                        &relation);
        tml__sim_time(sim, dt, controls);
        const tml_status status =
            tml__sim_solve_stage(sim, &(stage_problem){&relation, dt, NULL}, controls);
        if (status != TML_OK) return status;
        tml__dirk_rate(&relation, sim->next.q, sim->width, sim->rates.q[stage],
                       sim->rates.v[stage]);
        tml__trace_stage(sim->trace, stage, sim->system);
    }
    if (sim->trace != NULL) {
        sim->trace->kind = TRACE_DIRK;
        sim->trace->order = method->is_stiffly_accurate;
    }
    if (method->is_stiffly_accurate) {
        tml__relation_velocity(&relation, sim->next.q, sim->width, sim->next.v);
        keep_multipliers(sim);
        return TML_OK;
    }
    tml__dirk_close(method, h, step_q(sim), step_v(sim), &sim->rates, sim->width, sim->next.q,
                    sim->next.v);
    if (sim->soft != NULL) tml__soft_follow(sim->soft, sim->next.q, sim->next.v);
    return TML_OK;
}

// The paper's start, multipliers of the last stage and all.                         [QRBD Sec 8]
static tml_status start_like_the_paper(tml_sim* sim, const double* controls)
{
    return runge_kutta(sim, tml__dirk(TML_TIME_SDIRK2), controls);
}

tml_status tml__sim_start(tml_sim* sim, const double* controls)
{
    if (sim->settings.implicit.start != TML_START_ACCURATE)
        return start_like_the_paper(sim, controls);
    tml_status status = tml__advance_accurate(sim, controls);
    if (status <= TML_OK) return status;
    sim->report.fallback_starts++;  // too stiff for an explicit start
    status = runge_kutta(sim, tml__dirk(TML_TIME_SDIRK2), controls);
    return status == TML_OK ? multipliers_of_state(sim, controls) : status;
}

tml_status tml__advance_bdf(tml_sim* sim, const double* controls)
{
    const int order = tml__bdf_order(sim->settings.integrator);
    const bool is_accurate = sim->settings.implicit.start == TML_START_ACCURATE;

    if (step_is_impact(sim)) return backward_difference(sim, 1, controls);
    if (sim->past_count < order) return tml__sim_start(sim, controls);
    const tml_status status = backward_difference(sim, order, controls);
    if (status != TML_OK || !is_accurate) return status;
    // the formula looks back on velocities of the start for `order` steps
    return sim->past_count < 2 * order ? multipliers_of_state(sim, controls) : TML_OK;
}

tml_status tml__advance_dirk(tml_sim* sim, const double* controls)
{
    if (step_is_impact(sim)) return backward_difference(sim, 1, controls);
    const tml_status status = runge_kutta(sim, tml__dirk(sim->settings.integrator), controls);
    return status == TML_OK ? multipliers_of_state(sim, controls) : status;
}

tml_status tml__advance_semi_implicit(tml_sim* sim, const double* controls)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    tml__sim_time(sim, step_h(sim), controls);
    const quat_explicit step = {
        .t = sim->time,
        .h = step_h(sim),
        .baumgarte = sim->settings.implicit.baumgarte,
        .given = controls != NULL ? sim->given : NULL,
    };
    memcpy(sim->next.q, step_q(sim), bytes);
    memcpy(sim->next.v, step_v(sim), bytes);
    const tml_status status =
        tml__quat_semi_implicit(sim->system, &step, sim->next.q, sim->next.v, sim->next.lambda);
    sim->report.newton_iterations++;
    sim->report.factorisations++;
    if (status != TML_OK) {
        return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
    }
    tml__sim_time(sim, step_h(sim), controls);
    return TML_OK;
}

const form_parts tml__quaternion_parts = {
    .past_kept = TIME_PAST,
    .has_matrix = true,
    .has_ties = true,
    .is_multistep = true,
    .solves_kinematics = true,
    .takes_contacts = true,
    .contact = FORM_CONTACT_FORCE,
    .linear = &tml__quaternion_linear,
};
