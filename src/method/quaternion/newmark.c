// method/quaternion/newmark.c - formulas that look back on accelerations: Newmark's, the trapezoidal rule among them,
// and general linear multistep ones, for deformables and for bodies on joints.
//                                                                    [COOK (151) (164) Sec 7.5]
// A state keeps its accelerations beside it and those of the states before, newest first, in flat
// numbers: of a quaternion q'' = G^T alpha / 2 - |omega|^2 q / 4. What a formula of numbers says about
// rates and accelerations along q itself is put right after each step: no body turns by it. What it says
// along the rows of joints cannot be: by the rows places are right whatever the accelerations were, and so
// errors of those are only repeated, in Newmark's times -(1/2 - beta) / beta. At gamma = 1/2, beta = 1/4
// that is -1: joint forces swing, ever more where joints turn, until the motion itself explodes. Above
// gamma = 1/2 the swing dies out, where a step does not turn joints faster than it is damped. So 'newmark'
// with rows asks for gamma > 1/2 (settings.c), and 'crank_nicolson' with rows is a baseline that shows
// why. Of a multistep formula errors are repeated as sum_j beta_j e_(n-j) = 0 says: with rows that must die
// out, as it does for backward differences and does not for those of Adams and Moulton.
#include "sim/sim_internal.h"

#include <string.h>

static quat rotation_of(const double* x) { return (quat){x[3], x[4], x[5], x[6]}; }

static void store_turn(double* to, quat q)
{
    to[3] = q.w;
    to[4] = q.x;
    to[5] = q.y;
    to[6] = q.z;
}

// Flat numbers of the accelerations of a body at a unit quaternion.
static void store_acceleration(quat q, vec3 omega, vec3 linear, vec3 alpha, double* to)
{
    const quat along = q_scale(-0.25 * v3_dot(omega, omega), q);
    v3_store(to, linear);
    store_turn(to, q_add(q_scale(0.5, q_Gt(q, alpha)), along));
}

// ---- accelerations

static size_t kept_accelerations(const tml_sim* sim)
{
    const tml_integrator integrator = sim->settings.integrator;
    if (integrator == TML_TIME_LINEAR_MULTISTEP) return TIME_PAST;
    return integrator == TML_TIME_CRANK_NICOLSON || integrator == TML_TIME_NEWMARK ? 1 : 0;
}

size_t tml__accelerations_width(const tml_sim* sim)
{
    return kept_accelerations(sim) * (size_t)sim->width;
}

// Those of a state, with the forces of the instant that was set last; and its multipliers.
static tml_status accelerate(tml_sim* sim, const sim_state* at, double* own)
{
    maximal_system* s = sim->system;
    double* acceleration = sim->start.acceleration;
    tml_status status = TML_OK;
    if (s->node_count > 0) {
        status = tml__maximal_accelerate(s, at->q, at->v, acceleration, at->lambda);
        if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    }
    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        const double* a = &acceleration[6 * n];
        store_acceleration(q_normalize(rotation_of(&at->q[n * POSE_WIDTH])), b->omega, v3_load(a),
                           v3_load(a + 3), &own[n * POSE_WIDTH]);
    }
    if (sim->soft == NULL) return TML_OK;
    status = tml__soft_accelerate(sim->soft, at->q, at->v, acceleration, own + sim->soft->first);
    if (status == TML_OK) return TML_OK;
    return tml__fail(&sim->why, status, "the mass matrix of the deformables cannot be factored");
}

// Where a history begins, only the accelerations of that state are known.
tml_status tml__accelerations_begin(tml_sim* sim, const sim_state* from, double* own)
{
    if (sim->own_width == 0) return TML_OK;
    memset(own, 0, sim->own_width * sizeof(double));
    return accelerate(sim, from, own);
}

const form_parts tml__newmark_parts = {.past_kept = TIME_PAST,
                                       .has_matrix = true,
                                       .has_ties = true,
                                       .is_multistep = true,
                                       .own_width = tml__accelerations_width,
                                       .begin = tml__accelerations_begin};

// A multistep formula mixes velocities and accelerations of its start with its own, whose errors differ by a
// power of h, and repeats what that leaves in a force for as long as its beta does: the state itself knows
// its multipliers at the order of its velocities.
static tml_status multipliers_of_state(tml_sim* sim, double* lambda)
{
    return tml__maximal_accelerate(sim->system, step_q(sim), step_v(sim), sim->start.acceleration,
                                   lambda);
}

const form_parts tml__multistep_parts = {.past_kept = TIME_PAST,
                                         .has_matrix = true,
                                         .has_ties = true,
                                         .is_multistep = true,
                                         .own_width = tml__accelerations_width,
                                         .begin = tml__accelerations_begin,
                                         .multipliers = multipliers_of_state};

// ---- a step

// Rates and accelerations of unit quaternions, as far as bodies turn by them.
static void keep_turning(tml_sim* sim)
{
    for (int n = 0; n < sim->system->node_count; n++) {
        const int at = n * POSE_WIDTH;
        const quat q = rotation_of(&sim->next.q[at]);
        const vec3 omega = v3_scale(2.0, q_G(q, rotation_of(&sim->next.v[at])));
        const vec3 alpha = v3_scale(2.0, q_G(q, rotation_of(&sim->next.own[at])));
        store_turn(&sim->next.v[at], q_scale(0.5, q_Gt(q, omega)));
        store_acceleration(q, omega, v3_load(&sim->next.own[at]), alpha, &sim->next.own[at]);
    }
}

// Accelerations of the states before move back by one.
static void keep_accelerations(tml_sim* sim)
{
    const size_t kept = sim->own_width - (size_t)sim->width;
    memcpy(sim->next.own + sim->width, step_own(sim), kept * sizeof(double));
}

// A step by the relation of the formula.
static tml_status finish(tml_sim* sim, const time_relation* relation, const time_history* past,
                         const double* controls)
{
    const double h = step_h(sim);
    tml__sim_time(sim, h, controls);
    const tml_status status =
        tml__sim_solve_stage(sim, &(stage_problem){relation, h, past}, controls);
    if (status != TML_OK) return status;
    tml__relation_velocity(relation, sim->next.q, sim->width, sim->next.v);

    keep_accelerations(sim);
    for (int i = 0; i < sim->width; i++) {
        sim->next.own[i] = (sim->next.q[i] - relation->q_hat[i]) / relation->c_q;
    }
    keep_turning(sim);
    memcpy(sim->next.lambda, sim->system->lambda, (size_t)sim->system->row_count * sizeof(double));
    return TML_OK;
}

// An impact is implicit Euler's.
static void relate_impact(tml_sim* sim, time_relation* out)
{
    const time_history past = {
        .h = step_h(sim), .count = 1, .q = {step_q(sim)}, .v = {step_v(sim)}};
    tml__bdf(&past, 1, sim->width, out);
}

// The trapezoidal rule is Newmark's with 1/2 and 1/4.
tml_status tml__advance_newmark(tml_sim* sim, const double* controls)
{
    const bool is_trapezoidal = sim->settings.integrator == TML_TIME_CRANK_NICOLSON;
    const newmark method = {is_trapezoidal ? 0.5 : sim->settings.implicit.newmark_gamma,
                            is_trapezoidal ? 0.25 : sim->settings.implicit.newmark_beta};
    time_relation relation = {.v_hat = sim->v_hat, .q_hat = sim->q_hat};
    if (step_is_impact(sim)) {
        relate_impact(sim, &relation);
    } else {
        tml__newmark(&method, step_h(sim), step_q(sim), step_v(sim), step_own(sim), sim->width,
                     &relation);
    }
    return finish(sim, &relation, NULL, controls);
}

tml_status tml__advance_multistep(tml_sim* sim, const double* controls)
{
    const tml_multistep* method = &sim->settings.implicit.multistep;
    time_relation relation = {.v_hat = sim->v_hat, .q_hat = sim->q_hat};
    const double* a[TIME_PAST] = {NULL};
    const int known = sim->past_count < sim->past_kept ? sim->past_count : sim->past_kept;

    if (step_is_impact(sim)) {
        relate_impact(sim, &relation);
        return finish(sim, &relation, NULL, controls);
    }
    if (known < method->steps) {
        const tml_status status = tml__sim_start(sim, controls);
        if (status != TML_OK) return status;
        keep_accelerations(sim);
        tml__sim_time(sim, step_h(sim), controls);
        return accelerate(sim, &sim->next, sim->next.own);
    }
    time_history past = {.h = step_h(sim), .count = known};
    for (int k = 0; k < known; k++) {
        past.q[k] = step_past_q(sim, k);
        past.v[k] = step_past_v(sim, k);
        a[k] = step_own(sim) + (size_t)k * (size_t)sim->width;
    }
    tml__multistep(method, &past, a, sim->width, &relation);
    return finish(sim, &relation, &past, controls);
}
