// sim/start.c - start values for multistep methods, as good as the arithmetic allows.
//
// A BDF of order k needs k - 1 states before its first step. A multiplier sees an error e of these
// as e / h^2, so a start of the method's own order leaves wrong joint forces at every step size.
// Ours integrates the acceleration-level equations over one step with the extrapolated midpoint
// rule (Gragg, Bulirsch, Stoer), raising the order until rounding stops it, and puts the result
// back on the rows. Where that does not settle (stiff springs, fast spin) the caller falls back.
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

// A node in this file: c (3), q (4), v (3), omega (3).
static void unpack(const tml_sim* sim, const double* y, double* q, double* v)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* from = &y[n * START_WIDTH];
        double* x = &q[n * POSE_WIDTH];
        memcpy(x, from, 7 * sizeof(double));
        tml__maximal_store_velocity(x, v3_load(from + 7), v3_load(from + 10), &v[n * POSE_WIDTH]);
    }
}

static void pack(const tml_sim* sim, const double* q, const double* v, double* y)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* x = &q[n * POSE_WIDTH];
        const double* u = &v[n * POSE_WIDTH];
        const quat raw = {x[3], x[4], x[5], x[6]};
        const quat w = {u[3], u[4], u[5], u[6]};
        double* to = &y[n * START_WIDTH];
        memcpy(to, x, 7 * sizeof(double));
        memcpy(to + 7, u, 3 * sizeof(double));
        v3_store(to + 10, v3_scale(2.0 / q_dot(raw, raw), q_G(raw, w)));
    }
}

// y' at time t into sim->start.f.
static tml_status derivative(tml_sim* sim, double t, const double* y, const double* controls)
{
    double* f = sim->start.f;
    tml__sim_time(sim, t - sim->time, controls);
    unpack(sim, y, sim->next.q, sim->next.v);
    const tml_status status = tml__maximal_accelerate(sim->system, sim->next.q, sim->next.v,
                                                      sim->start.acceleration, sim->next.lambda);
    if (status != TML_OK) return status;

    for (int n = 0; n < sim->model->node_count; n++) {
        const double* at = &y[n * START_WIDTH];
        const double* a = &sim->start.acceleration[6 * n];
        const quat q = {at[3], at[4], at[5], at[6]};
        const quat w = q_scale(0.5, q_Gt(q, v3_load(at + 10)));
        double* to = &f[n * START_WIDTH];
        memcpy(to, at + 7, 3 * sizeof(double));
        to[3] = w.w;
        to[4] = w.x;
        to[5] = w.y;
        to[6] = w.z;
        memcpy(to + 7, a, 6 * sizeof(double));
    }
    return TML_OK;
}

// The midpoint rule with an even number of substeps from y at t over h, smoothed, into `out`.
static tml_status midpoint(tml_sim* sim, double t, double h, int substeps, const double* controls,
                           double* out)
{
    start_scratch* s = &sim->start;
    const int width = sim->model->node_count * START_WIDTH;
    const double d = h / substeps;
    double* before = s->z[0];
    double* now = s->z[1];

    tml_status status = derivative(sim, t, s->y, controls);
    for (int i = 0; i < width; i++) {
        before[i] = s->y[i];
        now[i] = s->y[i] + d * s->f[i];
    }
    for (int k = 1; k <= substeps && status == TML_OK; k++) {
        status = derivative(sim, t + k * d, now, controls);
        if (k == substeps) break;
        for (int i = 0; i < width; i++) {
            const double after = before[i] + 2.0 * d * s->f[i];
            before[i] = now[i];
            now[i] = after;
        }
    }
    for (int i = 0; i < width; i++) out[i] = 0.5 * (now[i] + before[i] + d * s->f[i]);
    return status;
}

// Replace column values by extrapolated ones (Neville in the squared substep) after row k has been
// entered; answers the last correction, relative to what each number is about.
static double extrapolate(tml_sim* sim, int k)
{
    const int width = sim->model->node_count * START_WIDTH;
    double** table = sim->start.table;
    double largest = 0.0;

    // row k sits in table[k]; table[j] holds the diagonal of row j, whose substeps were 2 (j + 1)
    for (int j = k - 1; j >= 0; j--) {
        const double ratio = (double)(k + 1) / (double)(j + 1);
        const double factor = 1.0 / (ratio * ratio - 1.0);
        for (int i = 0; i < width; i++) {
            const double correction = (table[j + 1][i] - table[j][i]) * factor;
            table[j][i] = table[j + 1][i] + correction;
            if (j > 0) continue;
            const double scale = fabs(table[0][i]) > 1.0 ? fabs(table[0][i]) : 1.0;
            largest = tml__larger(largest, correction / scale);
        }
    }
    return largest;
}

// What a start value may be wrong by: a multiplier sees it over h^2 and should not see it at all.
static double enough(const tml_sim* sim)
{
    double power = 1e-4;
    for (int k = tml__bdf_order(sim->settings.integrator) + 2; k > 0; k--) {
        power *= sim->settings.step;
    }
    return power > 1e-15 ? power : 1e-15;
}

// One substep of length h from sim->start.y, in place. TML_NOT_CONVERGED when it does not settle.
static tml_status integrate(tml_sim* sim, double t, double h, const double* controls)
{
    const int width = sim->model->node_count * START_WIDTH;
    double best = HUGE_VAL;

    for (int k = 0; k < START_COLUMNS; k++) {
        const tml_status status = midpoint(sim, t, h, 2 * (k + 1), controls, sim->start.table[k]);
        if (status != TML_OK) return status;
        if (k == 0) continue;
        const double error = extrapolate(sim, k);
        if (!isfinite(error)) return TML_NOT_CONVERGED;
        if (k > 2 && error > best && error > 1e-6) return TML_NOT_CONVERGED;  // never will
        // rounding has the last word when more orders no longer help
        if (error <= enough(sim) || (best <= 1e-12 && error > 0.5 * best)) {
            best = error;
            break;
        }
        if (error < best) best = error;
    }
    if (best > 1e-11) return TML_NOT_CONVERGED;
    memcpy(sim->start.y, sim->start.table[0], (size_t)width * sizeof(double));
    return TML_OK;
}

// Back onto the rows: positions, velocities, then the multipliers of that state.
static tml_status settle(tml_sim* sim, const double* controls)
{
    double change = 0.0;
    tml__sim_time(sim, sim->settings.step, controls);
    unpack(sim, sim->start.y, sim->next.q, sim->next.v);
    pack(sim, sim->next.q, sim->next.v, sim->start.y);  // omega as numbers of their own

    tml_status status = tml__maximal_project_position(sim->system, sim->next.q, 1e-13);
    if (status == TML_NOT_CONVERGED) {
        status = tml__maximal_project_position(sim->system, sim->next.q, sim->settings.tolerance);
    }
    if (status != TML_OK) return status;
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* from = &sim->start.y[n * START_WIDTH];
        tml__maximal_store_velocity(&sim->next.q[n * POSE_WIDTH], v3_load(from + 7),
                                    v3_load(from + 10), &sim->next.v[n * POSE_WIDTH]);
    }
    status = tml__maximal_project_velocity(sim->system, sim->next.q, sim->next.v, &change);
    if (status != TML_OK) return status;
    return tml__maximal_accelerate(sim->system, sim->next.q, sim->next.v, sim->start.acceleration,
                                   sim->next.lambda);
}

tml_status tml__advance_accurate(tml_sim* sim, const double* controls)
{
    const double h = sim->settings.step;
    tml_status status = TML_NOT_CONVERGED;

    for (int parts = 1; parts <= 64 && status == TML_NOT_CONVERGED; parts *= 4) {
        pack(sim, sim->past_q[0], sim->past_v[0], sim->start.y);
        status = TML_OK;
        for (int k = 0; k < parts && status == TML_OK; k++) {
            status = integrate(sim, sim->time + h * k / parts, h / parts, controls);
        }
    }
    if (status == TML_OK) status = settle(sim, controls);
    if (status != TML_OK) {
        tml__fail(&sim->why, status, "the accurate start did not settle within one step");
    }
    return status;
}
