// method/quaternion/start.c - start values for multistep methods, as good as the method needs them.
//
// A BDF of order k needs k - 1 states before its first step, with errors of O(h^(k+1)): a start of
// the method's own order would leave wrong joint forces at every step size. Ours integrates the
// acceleration-level equations over one step with the extrapolated midpoint rule (Gragg, Bulirsch,
// Stoer), raising the order until its error is a hundredth of what the formula itself will do, and
// puts the result back on the rows. One evaluation is one factorisation; a step takes about ten.
// Where it does not settle, four shorter pieces are tried, and then (stiff springs, fast spin: no
// explicit method would do) the caller falls back.
//
// How large is the error that the formula will make? The first correction of the table, c1, falls
// with h^3 and the second, c2, with h^5. For an oscillation of frequency w they are
//     c1 = (hw)^3 / 96          c2 = (hw)^5 / 7670          so  (hw)^2 = 80 c2 / c1
// and the local error of BDF-k, about 0.15 (hw)^(k+1), is 14 c1 (80 c2 / c1)^((k-2)/2).
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

// A node in this file: c (3), q (4), v (3), omega (3). Behind all nodes the vertices of deformables,
// then their rates.
static size_t soft_part(const tml_sim* sim) { return (size_t)sim->model->node_count * START_WIDTH; }

void tml__start_unpack(const tml_sim* sim, const double* y, double* q, double* v)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* from = &y[n * START_WIDTH];
        double* x = &q[n * POSE_WIDTH];
        memcpy(x, from, 7 * sizeof(double));
        tml__maximal_store_velocity(x, v3_load(from + 7), v3_load(from + 10), &v[n * POSE_WIDTH]);
    }
    if (sim->soft == NULL) return;
    const size_t bytes = (size_t)sim->soft->width * sizeof(double);
    const double* from = y + soft_part(sim);
    memcpy(q + sim->soft->first, from, bytes);
    memcpy(v + sim->soft->first, from + sim->soft->width, bytes);
    tml__soft_follow(sim->soft, q, v);
}

void tml__start_pack(const tml_sim* sim, const double* q, const double* v, double* y)
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
    if (sim->soft == NULL) return;
    const size_t bytes = (size_t)sim->soft->width * sizeof(double);
    double* to = y + soft_part(sim);
    memcpy(to, q + sim->soft->first, bytes);
    memcpy(to + sim->soft->width, v + sim->soft->first, bytes);
}

// The same of the vertices, with the bodies' accelerations known.
static tml_status soft_derivative(tml_sim* sim, double* f)
{
    if (sim->soft == NULL) return TML_OK;
    const int width = sim->soft->width;
    double* to = f + soft_part(sim);
    const tml_status status = tml__soft_accelerate(
        sim->soft, sim->next.q, sim->next.v, sim->start.acceleration, sim->start.soft_acceleration);
    memcpy(to, sim->next.v + sim->soft->first, (size_t)width * sizeof(double));
    memcpy(to + width, sim->start.soft_acceleration, (size_t)width * sizeof(double));
    return status;
}

tml_status tml__start_derivative(tml_sim* sim, double t, const double* y, const double* controls,
                                 double* f)
{
    tml__sim_time(sim, t - sim->time, controls);
    tml__start_unpack(sim, y, sim->next.q, sim->next.v);
    const tml_status status = tml__maximal_accelerate_nearby(
        sim->system, sim->next.q, sim->next.v, sim->start.acceleration, sim->next.lambda);
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
    return soft_derivative(sim, f);
}

// y' at time t into f.
static tml_status derivative(tml_sim* sim, double t, const double* y, const double* controls,
                             double* f)
{
    sim->report.start_evaluations++;
    return tml__start_derivative(sim, t, y, controls, f);
}

// The midpoint rule with an even number of substeps from y at t over h, into `now`. The derivative
// at y is in f0 already.
static tml_status midpoint(tml_sim* sim, double t, double h, int substeps, const double* controls,
                           double* now)
{
    start_scratch* s = &sim->start;
    const int width = sim->start.width;
    const double d = h / substeps;
    tml_status status = TML_OK;

    for (int i = 0; i < width; i++) {
        s->before[i] = s->y[i];
        now[i] = s->y[i] + d * s->f0[i];
    }
    for (int k = 1; k < substeps && status == TML_OK; k++) {
        status = derivative(sim, t + k * d, now, controls, s->f);
        for (int i = 0; i < width && status == TML_OK; i++) {
            const double after = s->before[i] + 2.0 * d * s->f[i];
            s->before[i] = now[i];
            now[i] = after;
        }
    }
    return status;
}

// How much the last extrapolation changed, relative to numbers that are larger than 1: positions
// (m, quaternions) and velocities (m/s, rad/s) are judged apart.
typedef struct start_change {
    double position, velocity;
} start_change;

static bool is_position(const tml_sim* sim, int i)
{
    const int bodies = sim->model->node_count * START_WIDTH;
    return i < bodies ? i % START_WIDTH < 7 : i - bodies < (sim->start.width - bodies) / 2;
}

// Replace column values by extrapolated ones (Neville in the squared substep) after row k has been
// entered; answers the last correction.
static start_change extrapolate(tml_sim* sim, int k)
{
    const int width = sim->start.width;
    double** table = sim->start.table;
    start_change largest = {0.0, 0.0};

    // row k sits in table[k]; table[j] holds the diagonal of row j, whose substeps were 2 (j + 1)
    for (int j = k - 1; j >= 0; j--) {
        const double ratio = (double)(k + 1) / (double)(j + 1);
        const double factor = 1.0 / (ratio * ratio - 1.0);
        for (int i = 0; i < width; i++) {
            const double correction = (table[j + 1][i] - table[j][i]) * factor;
            table[j][i] = table[j + 1][i] + correction;
            if (j > 0) continue;
            const double scale = fabs(table[0][i]) > 1.0 ? fabs(table[0][i]) : 1.0;
            double* side = is_position(sim, i) ? &largest.position : &largest.velocity;
            *side = tml__larger(*side, correction / scale);
        }
    }
    return largest;
}

// A hundredth of the local error of the formula, from the first two corrections. Less than
// `floor` nobody can ask for.
static double enough(double first, double second, int order, double floor)
{
    const double square = 80.0 * second < first ? 80.0 * second / first : 1.0;
    double error = 0.1 * first;
    for (int k = 2; k < order; k++) error *= sqrt(square);
    return error > floor ? error : floor;
}

// Do the corrections of row k, c[k - 1], fall? Rounding excuses the smallest ones.
static bool is_falling(const double* c, int k)
{
    return isfinite(c[k - 1]) && (k < 2 || c[k - 1] <= 0.5 * c[k - 2] || c[k - 1] <= 1e-13);
}

// One piece of length h from sim->start.y, in place. TML_NOT_CONVERGED when it does not settle.
static tml_status integrate(tml_sim* sim, double t, double h, const double* controls)
{
    start_scratch* s = &sim->start;
    const int order = sim->start.order;
    const double floor = tml__larger(1e-3 * sim->settings.tolerance, 1e-15);
    double position[START_COLUMNS];
    double velocity[START_COLUMNS];

    tml_status status = derivative(sim, t, s->y, controls, s->f0);
    for (int k = 0; k < s->columns && status == TML_OK; k++) {
        status = midpoint(sim, t, h, 2 * (k + 1), controls, s->table[k]);
        if (k == 0 || status != TML_OK) continue;
        const start_change change = extrapolate(sim, k);
        position[k - 1] = change.position;
        velocity[k - 1] = change.velocity;
        if (!is_falling(position, k) || !is_falling(velocity, k)) return TML_NOT_CONVERGED;

        // one correction alone tells nothing about the formula
        const double low = k == 1 ? floor : enough(position[0], position[1], order, floor);
        const double high = k == 1 ? floor : enough(velocity[0], velocity[1], order, floor);
        if (change.position > low || change.velocity > high) continue;
        memcpy(s->y, s->table[0], (size_t)sim->start.width * sizeof(double));
        if (sim->trace != NULL) sim->trace->columns[sim->trace->pieces++] = k + 1;
        return TML_OK;
    }
    return status == TML_OK ? TML_NOT_CONVERGED : status;
}

// Back onto the rows: positions, velocities, then the multipliers of that state.
static tml_status settle(tml_sim* sim, const double* controls)
{
    double change = 0.0;
    tml__sim_time(sim, step_h(sim), controls);
    tml__start_unpack(sim, sim->start.y, sim->next.q, sim->next.v);
    tml__start_pack(sim, sim->next.q, sim->next.v, sim->start.y);  // omega as numbers of their own

    tml_status status =
        tml__maximal_project_position(sim->system, sim->next.q, sim->settings.tolerance);
    if (status != TML_OK) return status;
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* from = &sim->start.y[n * START_WIDTH];
        tml__maximal_store_velocity(&sim->next.q[n * POSE_WIDTH], v3_load(from + 7),
                                    v3_load(from + 10), &sim->next.v[n * POSE_WIDTH]);
    }
    status = tml__maximal_project_velocity(sim->system, sim->next.q, sim->next.v, &change);
    if (status != TML_OK) return status;
    if (sim->soft != NULL) tml__soft_follow(sim->soft, sim->next.q, sim->next.v);
    return tml__maximal_accelerate(sim->system, sim->next.q, sim->next.v, sim->start.acceleration,
                                   sim->next.lambda);
}

tml_status tml__advance_accurate(tml_sim* sim, const double* controls)
{
    const double h = step_h(sim);
    tml_status status = TML_NOT_CONVERGED;

    for (int parts = 1; parts <= START_PIECES && status == TML_NOT_CONVERGED; parts *= 4) {
        tml__start_pack(sim, step_q(sim), step_v(sim), sim->start.y);
        tml__trace_begin(sim->trace);
        status = TML_OK;
        for (int k = 0; k < parts && status == TML_OK; k++) {
            status = integrate(sim, sim->time + h * k / parts, h / parts, controls);
        }
    }
    if (status == TML_OK) status = settle(sim, controls);
    if (status == TML_OK && sim->trace != NULL) {
        memcpy(sim->trace->x[0], sim->next.q, (size_t)sim->width * sizeof(double));
        sim->trace->kind = TRACE_ACCURATE;
        sim->trace->has_state_multipliers = true;
    }
    if (status != TML_OK) {
        tml__fail(&sim->why, status, "the accurate start did not settle within one step");
    }
    return status;
}
