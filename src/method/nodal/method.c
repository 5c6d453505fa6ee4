// method/nodal/method.c - steps of deformables alone: explicit ones.                        [COOK Sec 7]
//
// Backward differences and Runge-Kutta are those of implicit.c, formulas that look back on accelerations those of
// method/quaternion/newmark.c.
#include "sim/sim_internal.h"

#include <string.h>

// Accelerations at a state, with the forces of the instant that was set last.
static tml_status accelerate(tml_sim* sim, const double* q, const double* v, double* a)
{
    const tml_status status = tml__soft_accelerate(sim->soft, q, v, NULL, a);
    if (status == TML_OK) return TML_OK;
    return tml__fail(&sim->why, status, "the mass matrix of the deformables cannot be factored");
}

static const char* solver_name(const tml_sim* sim)
{
    return sim->form->is_explicit ? "explicit" : "block";
}

// ---- explicit

// to = from + h rate
static void advance_by(const tml_sim* sim, const double* from, double h, const double* rate,
                       double* to)
{
    for (int i = 0; i < sim->width; i++) to[i] = from[i] + h * rate[i];
}

// Forward Euler [COOK (91)], semi-implicit Euler [COOK (94)] and Heun's trapezoidal rule.
tml_status tml__advance_nodal_explicit(tml_sim* sim, const double* controls)
{
    const double h = step_h(sim);
    const double* q = step_q(sim);
    const double* v = step_v(sim);
    double* a = sim->start.soft_acceleration;

    tml__sim_time(sim, 0.0, controls);
    tml_status status = accelerate(sim, q, v, a);
    if (status != TML_OK) return status;
    advance_by(sim, v, h, a, sim->next.v);
    const bool is_forward = sim->settings.integrator != TML_TIME_SEMI_IMPLICIT_EULER;
    advance_by(sim, q, h, is_forward ? v : sim->next.v, sim->next.q);
    if (sim->settings.integrator != TML_TIME_HEUN) return TML_OK;

    double* slope = sim->v_hat;
    memcpy(slope, a, (size_t)sim->width * sizeof(double));
    tml__sim_time(sim, h, controls);
    status = accelerate(sim, sim->next.q, sim->next.v, a);
    for (int i = 0; i < sim->width && status == TML_OK; i++) {
        sim->next.q[i] = q[i] + 0.5 * h * (v[i] + sim->next.v[i]);
        sim->next.v[i] = v[i] + 0.5 * h * (slope[i] + a[i]);
    }
    return status;
}

// The classical method of order 4.
tml_status tml__advance_nodal_rk4(tml_sim* sim, const double* controls)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const double h = step_h(sim);
    const double* q = step_q(sim);
    const double* v = step_v(sim);
    double* k_q = sim->rates.q[0];
    double* k_v = sim->rates.v[0];
    double* sum_q = sim->q_hat;
    double* sum_v = sim->v_hat;
    const size_t bytes = (size_t)sim->width * sizeof(double);

    memset(k_q, 0, bytes);
    memset(k_v, 0, bytes);
    memset(sum_q, 0, bytes);
    memset(sum_v, 0, bytes);
    for (int stage = 0; stage < 4; stage++) {
        advance_by(sim, q, at[stage] * h, k_q, sim->next.q);
        advance_by(sim, v, at[stage] * h, k_v, sim->next.v);
        tml__sim_time(sim, at[stage] * h, controls);
        const tml_status status = accelerate(sim, sim->next.q, sim->next.v, k_v);
        if (status != TML_OK) return status;
        memcpy(k_q, sim->next.v, bytes);
        advance_by(sim, sum_q, weight[stage], k_q, sum_q);
        advance_by(sim, sum_v, weight[stage], k_v, sum_v);
    }
    advance_by(sim, q, h, sum_q, sim->next.q);
    advance_by(sim, v, h, sum_v, sim->next.v);
    return TML_OK;
}

const form_parts tml__nodal_parts = {.past_kept = TIME_PAST,
                                     .has_matrix = true,
                                     .is_multistep = true,
                                     .own_width = tml__accelerations_width,
                                     .begin = tml__accelerations_begin,
                                     .solver_name = solver_name};

const form_parts tml__nodal_explicit_parts = {.past_kept = TIME_PAST,
                                              .has_matrix = true,
                                              .is_multistep = true,
                                              .is_explicit = true,
                                              .own_width = tml__accelerations_width,
                                              .begin = tml__accelerations_begin,
                                              .solver_name = solver_name};
