// sim/statics_soft.c - equilibrium of deformables, alone or with the bodies that they hang on.
//
// A stage without velocities (c_v = 0, q_hat the present shape) asks for M (q - q_hat) / c = F + C^T
// lambda: a step of a motion that forgets its speed. As c grows it becomes F + C^T lambda = 0 itself,
// with the exact stiffness and the geometric one; small c lead there from afar, downhill. [COOK Sec 8]
#include "sim/statics_soft.h"

#include "base/pool.h"

#include <math.h>
#include <string.h>

static const double first_length = 1e-4;  // s^2: c of the first stage
static const double least_length = 1e-16;
static const double enough = 1e4;  // s^2: what moves slower than once in 10 minutes still falls
static const double most = 1e12;

typedef struct soft_settling {
    tml_sim* sim;
    const tml_statics_settings* settings;
    pool memory;
    double* start;  // flat: where it began
    double* q;      // flat: the shape reached
    double* rest;   // flat: no velocities
    double* hints;  // TML_AXES per joint
    int iterations;
    double left;  // m/s^2: acceleration that the last stage still showed
} soft_settling;

// One stage from t->q; the largest move of a coordinate.
static tml_status stage(soft_settling* t, double c, double* moved, int* iterations)
{
    tml_sim* sim = t->sim;
    maximal_system* s = sim->system;
    const size_t bodies = (size_t)sim->model->node_count * POSE_WIDTH;
    const newton_settings newton = {
        .tolerance = 0.1 * t->settings->tolerance, .max_iterations = 40, .min_consistency = 0.1};
    const form_stage relation = {0.0, c, t->rest, t->q};
    newton_report report = {0};

    memcpy(s->x, t->q, bodies * sizeof(double));
    memcpy(sim->soft->x, t->q + bodies, (size_t)sim->soft->width * sizeof(double));
    tml_status status = tml__soft_solve_stage(sim->soft, &relation, &newton, &report);
    *iterations = report.iterations > 0 ? report.iterations : 1;
    t->iterations += *iterations;
    if (status != TML_OK) {
        return tml__soft_describe(sim->soft, status, &report, &sim->why);
    }
    *moved = 0.0;
    for (size_t i = 0; i < (size_t)sim->width; i++) {
        const double to = i < bodies ? s->x[i] : sim->soft->x[i - bodies];
        if (!(fabs(to - t->q[i]) <= *moved)) *moved = fabs(to - t->q[i]);
        t->q[i] = to;
    }
    t->left = *moved / c;
    return TML_OK;
}

// Longer and longer stages until nothing moves.
static tml_status walk(soft_settling* t)
{
    double c = first_length;
    tml_status status = TML_OK;
    memset(t->sim->system->lambda, 0, (size_t)t->sim->system->row_count * sizeof(double));
    while (t->iterations < t->settings->max_iterations) {
        double moved = 0.0;
        int iterations = 0;
        status = stage(t, c, &moved, &iterations);
        if (status == TML_NO_MEMORY) return status;
        if (status != TML_OK) {
            memset(t->sim->system->lambda, 0, (size_t)t->sim->system->row_count * sizeof(double));
            c *= 0.03;
            if (c < least_length) return TML_NOT_CONVERGED;
            continue;
        }
        if (c >= enough && moved <= t->settings->tolerance) return TML_OK;
        if (c < most) c *= iterations <= 4 ? 1000.0 : 10.0;  // an easy stage asks for a longer one
    }
    return tml__fail(
        &t->sim->why, TML_NOT_CONVERGED,
        "no equilibrium after %d iterations: something still accelerates by %.3g m/s^2",
        t->iterations, t->left);
}

static void measure(const soft_settling* t, tml_statics_report* report)
{
    const sim_soft* f = t->sim->soft;
    for (int i = 0; i < f->width; i += 3) {
        const vec3 way = v3_sub(v3_load(&t->q[f->first + i]), v3_load(&t->start[f->first + i]));
        if (v3_norm(way) > report->moved) report->moved = v3_norm(way);
    }
    for (int n = 0; n < t->sim->model->node_count; n++) {
        const double* a = &t->start[n * POSE_WIDTH];
        const double* b = &t->q[n * POSE_WIDTH];
        const quat p = q_normalize((quat){a[3], a[4], a[5], a[6]});
        const quat d = q_mul(q_normalize((quat){b[3], b[4], b[5], b[6]}), q_conj(p));
        const double angle = 2.0 * tml__atan2(v3_norm(q_vec(d)), fabs(d.w));
        const double shift = v3_norm(v3_sub(v3_load(b), v3_load(a)));
        if (shift > report->moved) report->moved = shift;
        if (angle > report->turned) report->turned = angle;
    }
    report->iterations = t->iterations;
    report->imbalance = t->left;
}

// Of deformables alone: is the stiffness positive, and what is its smallest eigenvalue over the mass?
static void judge(soft_settling* t, tml_statics_report* report)
{
    sim_soft* f = t->sim->soft;
    const double* q = t->q + f->first;
    report->stability = TML_STABILITY_UNKNOWN;
    report->freedoms = -1;
    if (t->sim->model->node_count > 0) return;

    report->freedoms = f->free_width;
    if (tml__nodal_is_definite(f->nodes, 0.0, q)) {
        report->stability = TML_STABLE;
        report->softest = tml__nodal_softest(f->nodes, f->step, f->work);
        return;
    }
    // a mass that only rounding would need tells what floats from what falls over
    const double size = v3_norm(t->sim->model->all.gravity) + 1.0;
    const bool is_neutral = tml__nodal_is_definite(f->nodes, 1e-6 * size, q);
    report->stability = is_neutral ? TML_NEUTRAL : TML_UNSTABLE;
    report->neutral = is_neutral ? 1 : 0;
    report->unstable = is_neutral ? 0 : 1;
}

static tml_status take_memory(soft_settling* t)
{
    const size_t width = (size_t)t->sim->width;
    const size_t joints = (size_t)t->sim->model->all.joint_count;
    t->start = tml__pool_copy(&t->memory, t->sim->past_q[0], width, sizeof(double));
    t->q = tml__pool_copy(&t->memory, t->sim->past_q[0], width, sizeof(double));
    t->rest = tml__pool_take(&t->memory, width, sizeof(double));
    t->hints = tml__pool_copy(&t->memory, t->sim->system->hints, joints * TML_AXES, sizeof(double));
    const bool is_complete = t->start && t->q && t->rest && t->hints;
    return is_complete ? TML_OK : tml__fail(&t->sim->why, TML_NO_MEMORY, "out of memory");
}

static tml_status settle(soft_settling* t, tml_statics_report* report)
{
    tml_sim* sim = t->sim;
    tml_status status = take_memory(t);
    if (status != TML_OK) return status;

    tml__sim_time(sim, 0.0, sim->controls);  // targets of the instant, without rates
    for (int part = 1; part <= t->settings->load_steps && status == TML_OK; part++) {
        sim->system->load = (double)part / t->settings->load_steps;
        tml__nodal_set_load(sim->soft->nodes, sim->system->load);
        status = walk(t);
    }
    sim->system->load = 1.0;
    tml__nodal_set_load(sim->soft->nodes, 1.0);
    if (status != TML_OK) return status;

    measure(t, report);
    judge(t, report);
    tml__maximal_place(sim->system, t->q, NULL);
    for (int j = 0; j < sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!sim->model->joints[j].axis[k].is_free) continue;
            t->hints[j * TML_AXES + k] = tml__maximal_coordinate(sim->system, j, (tml_axis)k);
        }
    }
    return tml__sim_adopt(sim, t->q, t->rest, t->hints, sim->system->sides);
}

tml_status tml__soft_settle(tml_sim* sim, const tml_statics_settings* settings,
                            tml_statics_report* report)
{
    if (sim->system->limit_count > 0) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "statics of deformables with joint limits is not part of this version");
    }
    soft_settling t = {.sim = sim, .settings = settings};
    const bool is_linearised = sim->soft->is_linearised;
    const bool has_velocity = sim->soft->has_velocity;
    sim->soft->is_linearised = sim->soft->has_velocity = false;
    const tml_status status = settle(&t, report);
    sim->soft->is_linearised = is_linearised;
    sim->soft->has_velocity = has_velocity;
    tml__pool_destroy(&t.memory);
    return status;
}
