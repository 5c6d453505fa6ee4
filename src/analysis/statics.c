// analysis/statics.c - equilibrium: damped Newton steps along the closed rows, downhill.
//
//   symbol   meaning
//   a        accelerations from rest that the rows allow: M a = F + C^T lambda, C a = 0
//   K        -d(F + C^T lambda)/dx, forces and the bending of the rows
//   mu       1/s^2: how much of the mass is added to K
//
// A step solves  [ K + mu M  -C^T ; C  E ] [d; dl] = [M a; -C]  and comes back onto the rows. The
// mass only shortens steps: where a = 0 the step is zero whatever mu is, so the equilibrium is exact.
// A step is taken when the forces do work along it, by the trapezoidal rule over its two ends, which
// asks for no potential; where K alone would lead uphill, more mu turns it towards a, which never
// does.                                                                      [COOK Sec 8]
#include "analysis/statics_soft.h"
#include "base/memory.h"
#include "base/pool.h"
#include "math/eigen.h"
#include "sim/lean.h"

#include <trammel/statics.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double most_turn = 0.4;       // rad a step
static const double least_damping = 1e-3;  // of the stiffness that the first pose suggests
static const double rounding = 1e-9;       // of it: accelerations this small may be noise
static const double most_damping = 1e14;

enum {
    EXACT_PASSES = 30
};

tml_statics_settings tml_statics_settings_default(void)
{
    return (tml_statics_settings){.tolerance = 1e-10, .max_iterations = 500, .load_steps = 1};
}

const char* tml_stability_name(tml_stability stability)
{
    static const char* const names[] = {"stable", "unstable", "neutral", "unknown"};
    return (unsigned)stability <= TML_STABILITY_UNKNOWN ? names[stability] : "?";
}

typedef struct settling {
    tml_sim* sim;
    maximal_system* s;
    pool memory;
    size_t flat;           // bytes of a flat state
    double* at_rest;       // 7 per node: rates of zero
    double* x;             // 7 per node: the pose reached
    double* trial;         // 7 per node
    double* a;             // 6 per node: accelerations at x
    double* a_trial;       // 6 per node
    double* push;          // 6 per node: M a at x
    double* push_trial;    // 6 per node
    double* lambda;        // per row, at x
    double* lambda_trial;  // per row
    double* hints;         // TML_AXES per joint, at x
    double scale;          // 1/s^2: what stiffness to expect
    double damping;        // mu
    int iterations;
} settling;

// ---- memory

static tml_status take_memory(settling* t)
{
    const size_t nodes = (size_t)t->s->node_count;
    const size_t rows = (size_t)t->s->row_count;
    const size_t joints = (size_t)t->sim->model->all.joint_count;
    pool* p = &t->memory;

    t->flat = nodes * POSE_WIDTH * sizeof(double);
    t->at_rest = tml__pool_take(p, nodes * POSE_WIDTH, sizeof(double));
    t->x = tml__pool_take(p, nodes * POSE_WIDTH, sizeof(double));
    t->trial = tml__pool_take(p, nodes * POSE_WIDTH, sizeof(double));
    t->a = tml__pool_take(p, nodes * 6, sizeof(double));
    t->a_trial = tml__pool_take(p, nodes * 6, sizeof(double));
    t->push = tml__pool_take(p, nodes * 6, sizeof(double));
    t->push_trial = tml__pool_take(p, nodes * 6, sizeof(double));
    t->lambda = tml__pool_take(p, rows, sizeof(double));
    t->lambda_trial = tml__pool_take(p, rows, sizeof(double));
    t->hints = tml__pool_take(p, joints * TML_AXES, sizeof(double));
    const bool is_complete = t->at_rest && t->x && t->trial && t->a && t->a_trial && t->push &&
                             t->push_trial && t->lambda && t->lambda_trial && t->hints;
    return is_complete ? TML_OK : tml__fail(&t->sim->why, TML_NO_MEMORY, "out of memory");
}

// ---- looking

// Targets of the instant that do not move: statics knows no rates.
static void hold_targets(settling* t)
{
    tml_sim* sim = t->sim;
    for (int i = 0; i < sim->model->control_count; i++) {
        sim->given[i] = (drive){.value = sim->controls[i]};
    }
    tml__maximal_time(t->s, sim->time, sim->given);
    for (int i = 0; i < sim->model->all.joint_count * TML_AXES; i++) {
        t->s->targets.servo[i].rate = 0.0;
        t->s->targets.servo[i].acceleration = 0.0;
    }
}

static double largest_of(const double* values, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) largest = tml__larger(largest, values[i]);
    return largest;
}

// Accelerations from rest at x, the multipliers of compliant and rigid rows there, and M a.
static tml_status look(settling* t, const double* x, double* a, double* lambda, double* push)
{
    maximal_system* s = t->s;
    const tml_status status = tml__maximal_accelerate(s, x, t->at_rest, a, lambda);
    if (status != TML_OK) return status;

    for (int n = 0; n < s->node_count; n++) {
        const int b = s->model->node_body[n];
        const vec3 spin = m3_apply_t(s->bodies[b].R, v3_load(&a[6 * n + 3]));
        v3_store(&push[6 * n], v3_scale(s->model->bodies[b].mass, v3_load(&a[6 * n])));
        v3_store(&push[6 * n + 3],
                 m3_apply(s->bodies[b].R, m3_apply(s->model->bodies[b].inertia, spin)));
    }
    return isfinite(largest_of(a, 6 * s->node_count)) ? TML_OK : TML_NOT_CONVERGED;
}

static void remember(settling* t)
{
    for (int j = 0; j < t->sim->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!t->sim->model->joints[j].axis[k].is_free) continue;
            t->hints[j * TML_AXES + k] = tml__maximal_coordinate(t->s, j, (tml_axis)k);
        }
    }
    memcpy(t->s->hints, t->hints,
           (size_t)t->sim->model->all.joint_count * TML_AXES * sizeof(double));
}

// ---- limits: those that a pose has passed engage, those that would pull let go

static bool engage_limits(settling* t)
{
    maximal_system* s = t->s;
    bool has_engaged = false;
    for (int i = 0; i < s->limit_count; i++) {
        const limit_room room = tml__maximal_limit_room(s, i);
        if (s->sides[i] != LIMIT_OFF) continue;
        if (room.lower < 0.0) s->sides[i] = LIMIT_LOWER;
        if (room.upper < 0.0) s->sides[i] = LIMIT_UPPER;
        has_engaged = has_engaged || s->sides[i] != LIMIT_OFF;
    }
    return has_engaged;
}

static bool release_limits(settling* t)
{
    maximal_system* s = t->s;
    bool has_released = false;
    for (int i = 0; i < s->limit_count; i++) {
        const double push = t->lambda[s->limits[i].row];
        if ((s->sides[i] == LIMIT_LOWER && push < 0.0) ||
            (s->sides[i] == LIMIT_UPPER && push > 0.0)) {
            s->sides[i] = LIMIT_OFF;
            has_released = true;
        }
    }
    return has_released;
}

// ---- a step

// K + mu M and the rows at x into the matrix.
static void fill(settling* t, double mu)
{
    maximal_system* s = t->s;

    tml__maximal_place(s, t->x, t->at_rest);
    tml__maximal_rows(s);
    memset(s->lifts, 0, ((size_t)s->model->all.body_count + 1) * sizeof *s->lifts);  // no rates
    tml__maximal_fill_mass(s);
    double* node = tml__kkt_values(s->matrix)->node;
    for (int i = 0; i < 36 * s->node_count; i++) node[i] *= mu;
    tml__maximal_fill_stiffness(s, t->lambda, 1.0);
    tml__maximal_fill_rows(s, 1.0);
}

// The step into s->dx and its largest part.
static tml_status direct(settling* t, double* update)
{
    maximal_system* s = t->s;

    fill(t, t->damping);
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = -(s->C[row] + s->compliance[row] * t->lambda[row]);
    }
    for (int i = 0; i < s->limit_count; i++) {
        if (s->sides[i] == LIMIT_OFF) s->dl[s->limits[i].row] = 0.0;
    }
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    t->iterations++;
    tml_status status = tml__kkt_factor(s->matrix, &s->bad_row);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, t->push, s->dl, s->dx, s->dl);
    *update = status == TML_OK ? largest_of(s->dx, 6 * s->node_count) : 0.0;
    return status == TML_OK && !isfinite(*update) ? TML_SINGULAR : status;
}

// Work of the forces along a step from x to the trial pose.
static double work_along(const settling* t)
{
    double sum = 0.0;
    for (int n = 0; n < t->s->node_count; n++) {
        const double* from = &t->x[n * POSE_WIDTH];
        const double* to = &t->trial[n * POSE_WIDTH];
        const quat p = {from[3], from[4], from[5], from[6]};
        quat d = q_mul((quat){to[3], to[4], to[5], to[6]}, q_conj(p));
        if (d.w < 0.0) d = q_scale(-1.0, d);
        const double sine = v3_norm(q_vec(d));
        const double angle = sine > 0.0 ? 2.0 * tml__atan2(sine, d.w) / sine : 2.0;
        const vec3 shift = v3_sub(v3_load(to), v3_load(from));
        const vec3 turn = v3_scale(angle, q_vec(d));
        for (int k = 0; k < 3; k++) {
            sum += (t->push[6 * n + k] + t->push_trial[6 * n + k]) * v3_at(shift, k) +
                   (t->push[6 * n + 3 + k] + t->push_trial[6 * n + 3 + k]) * v3_at(turn, k);
        }
    }
    return 0.5 * sum;
}

// Put the trial pose a step away, back onto the rows, and look there.
static tml_status try_step(settling* t)
{
    maximal_system* s = t->s;
    const double tolerance = 0.1 * t->sim->settings.tolerance;

    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_displace(&t->trial[n * POSE_WIDTH], &t->x[n * POSE_WIDTH], &s->dx[6 * n], 1.0);
    }
    tml_status status = tml__maximal_project_position(s, t->trial, tolerance);
    if (status == TML_OK && engage_limits(t)) {
        status = tml__maximal_project_position(s, t->trial, tolerance);
    }
    if (status != TML_OK) return status;
    return look(t, t->trial, t->a_trial, t->lambda_trial, t->push_trial);
}

static void take_step(settling* t)
{
    double* swap = t->x;
    t->x = t->trial;
    t->trial = swap;
    swap = t->a;
    t->a = t->a_trial;
    t->a_trial = swap;
    swap = t->push;
    t->push = t->push_trial;
    t->push_trial = swap;
    swap = t->lambda;
    t->lambda = t->lambda_trial;
    t->lambda_trial = swap;
    remember(t);
}

// The body that would move off fastest, and how fast.
static tml_status describe_failure(settling* t, const char* what)
{
    int worst = 0;
    for (int i = 0; i < 6 * t->s->node_count; i++) {
        if (fabs(t->a[i]) > fabs(t->a[worst])) worst = i;
    }
    const int body = t->sim->model->node_body[worst / 6];
    return tml__fail(&t->sim->why, TML_NOT_CONVERGED,
                     "%s after %d iterations: body '%s' still accelerates at %.3g %s", what,
                     t->iterations, t->sim->model->all.bodies[body].name, fabs(t->a[worst]),
                     worst % 6 < 3 ? "m/s^2" : "rad/s^2");
}

// Downhill; within rounding of rest the work is noise, and a shorter way to go is enough.
static bool is_better(const settling* t, double update)
{
    const int width = 6 * t->s->node_count;
    const bool is_near = update <= 1e-6;
    return (is_near && largest_of(t->a_trial, width) <= largest_of(t->a, width) + 1e-9) ||
           work_along(t) >= 0.0;
}

// Steps until the last one, hardly damped, moves nothing, or until rounding is all that is left.
static tml_status walk(settling* t, const tml_statics_settings* settings)
{
    maximal_system* s = t->s;
    tml_status status = look(t, t->x, t->a, t->lambda, t->push);
    if (status != TML_OK) {
        return tml__maximal_describe_failure(s, status, NULL, &t->sim->why);
    }
    remember(t);
    const double floor = least_damping * t->scale;
    int stalls = 0;
    t->damping = t->scale;
    while (t->iterations < settings->max_iterations) {
        double update = 0.0;
        // a limit that holds a body back that wants to leave says nothing about rest
        if (release_limits(t)) {
            status = look(t, t->x, t->a, t->lambda, t->push);
            if (status != TML_OK) break;
        }
        const bool is_plain = t->damping <= floor;
        status = direct(t, &update);
        if (status == TML_OK && is_plain && update <= settings->tolerance) return TML_OK;
        // too far for the linearisation: a shorter step, of those that more damping offers
        const bool is_far = status == TML_OK && update > most_turn;
        if (status == TML_OK && !is_far) status = try_step(t);
        if (status == TML_OK && !is_far && is_better(t, update)) {
            const double before = largest_of(t->a, 6 * s->node_count);
            take_step(t);
            // directions that meet no force (a rod's own spin) turn rounding into motion for ever
            const double now = largest_of(t->a, 6 * s->node_count);
            stalls = now <= rounding * t->scale && now > 0.5 * before ? stalls + 1 : 0;
            if (stalls >= 3) return TML_OK;
            t->damping = 0.1 * t->damping > floor ? 0.1 * t->damping : floor;
            continue;
        }
        t->damping *= 4.0;
        if (t->damping > most_damping * t->scale) break;
    }
    return describe_failure(t, "no equilibrium was found");
}

// ---- stability: the stiffness on the motions that the rows leave

// Numbers in [-1, 1), mixed well enough that vectors of different n are independent.
static void scatter(double* out, int count, int n)
{
    for (int i = 0; i < count; i++) {
        uint64_t z = 0x9e3779b97f4a7c15u * ((uint64_t)n * 0x100000001u + (uint64_t)i + 1u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        out[i] = (double)(z >> 11) * 0x1p-52 - 1.0;
    }
}

static double mass_product(const settling* t, const double* u, const double* v)
{
    const maximal_system* s = t->s;
    double sum = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const int b = s->model->node_body[n];
        const body_data* body = &s->model->bodies[b];
        const vec3 p = m3_apply_t(s->bodies[b].R, v3_load(&u[6 * n + 3]));
        const vec3 q = m3_apply_t(s->bodies[b].R, v3_load(&v[6 * n + 3]));
        sum += body->mass * v3_dot(v3_load(&u[6 * n]), v3_load(&v[6 * n])) +
               v3_dot(p, m3_apply(body->inertia, q));
    }
    return sum;
}

// The part of v beside the motions found so far, normalised in the mass norm; false: nothing is left.
static bool make_normal(const settling* t, const double* const* Z, int count, double* v)
{
    const int width = 6 * t->s->node_count;
    const double before = sqrt(mass_product(t, v, v));
    if (!(before > 0.0)) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            const double along = mass_product(t, Z[k], v);
            for (int i = 0; i < width; i++) v[i] -= along * Z[k][i];
        }
    }
    const double after = sqrt(mass_product(t, v, v));
    if (!(after > 1e-8 * before)) return false;
    for (int i = 0; i < width; i++) v[i] /= after;
    return true;
}

// A basis of the motions that the rows leave, orthonormal in the mass norm: scattered pushes, and
// what the rows make of them. -1: more than the analysis takes, or no memory.
static int free_motions(settling* t, double** Z)
{
    maximal_system* s = t->s;
    const int width = 6 * s->node_count;

    tml__maximal_place(s, t->x, t->at_rest);
    tml__maximal_rows(s);
    tml__maximal_fill_mass(s);
    tml__maximal_fill_rows(s, -1.0);
    if (tml__kkt_factor(s->matrix, &s->bad_row) != TML_OK) return -1;
    for (int count = 0;; count++) {
        if (count > TML_STATICS_FREEDOMS) return -1;
        Z[count] = tml__pool_take(&t->memory, (size_t)width, sizeof(double));
        if (Z[count] == NULL) return -1;
        scatter(s->ahead_dx, width, count);
        for (int n = 0; n < s->node_count; n++) {
            const int b = s->model->node_body[n];
            const body_data* body = &s->model->bodies[b];
            double* r = &s->ahead_dx[6 * n];
            v3_store(r, v3_scale(body->mass, v3_load(r)));
            v3_store(r + 3, m3_apply(s->bodies[b].R, m3_apply(body->inertia, v3_load(r + 3))));
        }
        memset(s->dl, 0, (size_t)s->row_count * sizeof(double));
        if (tml__kkt_solve(s->matrix, s->ahead_dx, s->dl, Z[count], s->dl) != TML_OK) return -1;
        if (largest_of(Z[count], width) < 1e-9) return count;
        if (!make_normal(t, (const double* const*)Z, count, Z[count])) return count;
    }
}

// z_i . K z_j, what compliant rows store included, symmetric part.
static void reduce_stiffness(settling* t, double* const* Z, int count, double* reduced)
{
    maximal_system* s = t->s;
    double* none = t->lambda_trial;
    const double* E = s->compliance;

    fill(t, 0.0);
    memset(none, 0, (size_t)s->row_count * sizeof(double));
    memset(reduced, 0, (size_t)count * (size_t)count * sizeof(double));
    for (int j = 0; j < count; j++) {
        tml__kkt_apply(s->matrix, Z[j], none, s->ahead_dx, s->dl);
        // what the motion does to compliant rows comes back as a force
        for (int row = 0; row < s->row_count; row++) {
            s->dl[row] = E[row] > 0.0 ? -s->dl[row] / E[row] : 0.0;
        }
        memset(s->dx, 0, (size_t)s->node_count * 6 * sizeof(double));
        tml__kkt_apply(s->matrix, s->dx, s->dl, s->residual, s->ahead_dl);
        for (int i = 0; i < count; i++) {
            double sum = 0.0;
            for (int k = 0; k < 6 * s->node_count; k++) {
                sum += Z[i][k] * (s->ahead_dx[k] + s->residual[k]);
            }
            reduced[i * count + j] += 0.5 * sum;
            reduced[j * count + i] += 0.5 * sum;
        }
    }
}

static void judge(settling* t, tml_statics_report* report)
{
    double* Z[TML_STATICS_FREEDOMS + 1];
    report->stability = TML_STABILITY_UNKNOWN;
    const int count = free_motions(t, Z);
    report->freedoms = count;
    if (count < 0) return;
    double* reduced = tml__pool_take(&t->memory, (size_t)count * (size_t)count, sizeof(double));
    double* values = tml__pool_take(&t->memory, (size_t)count, sizeof(double));
    if (reduced == NULL || values == NULL) return;

    reduce_stiffness(t, Z, count, reduced);
    tml__symmetric_eigenvalues(count, reduced, count, values);
    report->stability = TML_STABLE;
    report->softest = count > 0 ? values[0] : 0.0;
    const double size = count > 0 ? tml__larger(fabs(values[0]), values[count - 1]) : 0.0;
    for (int i = 0; i < count; i++) {
        const bool is_neutral = fabs(values[i]) <= 1e-10 * tml__larger(size, t->scale);
        if (is_neutral) report->neutral++;
        if (!is_neutral && values[i] < 0.0) report->unstable++;
    }
    if (report->neutral > 0) report->stability = TML_NEUTRAL;
    if (report->unstable > 0) report->stability = TML_UNSTABLE;
}

// ---- the call

static tml_status check(tml_sim* sim, const tml_statics_settings* settings)
{
    if (!sim->form->solves_kinematics && sim->soft == NULL) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "statics works on simulations of formulation 'quaternion' with a bdf "
                         "integrator, not on '%s' with '%s'",
                         tml_formulation_name(sim->settings.formulation),
                         tml_integrator_name(sim->settings.integrator));
    }
    if (sim->model->all.nonholonomic_count > 0) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "statics does not know nonholonomic '%s': where tied velocities come to "
                         "rest depends on the way there",
                         sim->model->all.nonholonomics[0].name);
    }
    if (!(settings->tolerance >= 1e-14 && settings->tolerance <= 1e-2) ||
        settings->max_iterations < 1 || settings->load_steps < 1) {
        return tml__fail(
            &sim->why, TML_BAD_ARGUMENT,
            "statics needs a tolerance in [1e-14, 1e-2], and iterations and load steps "
            "of 1 or more, but has %g, %d and %d",
            settings->tolerance, settings->max_iterations, settings->load_steps);
    }
    return TML_OK;
}

// The stiffness that gravity or the first accelerations suggest: what moves a metre in a second.
static double expected_stiffness(settling* t)
{
    double largest = v3_norm(t->sim->model->all.gravity);
    if (look(t, t->x, t->a, t->lambda, t->push) == TML_OK) {
        largest = tml__larger(largest, largest_of(t->a, 6 * t->s->node_count));
    }
    return isfinite(largest) && largest > 1e-6 ? largest : 1e-6;
}

static void measure_way(const settling* t, tml_statics_report* report)
{
    for (int n = 0; n < t->s->node_count; n++) {
        const double* from = &t->sim->past_q[0][n * POSE_WIDTH];
        const double* to = &t->x[n * POSE_WIDTH];
        const quat p = q_normalize((quat){from[3], from[4], from[5], from[6]});
        const quat d = q_mul((quat){to[3], to[4], to[5], to[6]}, q_conj(p));
        const double angle = 2.0 * tml__atan2(v3_norm(q_vec(d)), fabs(d.w));
        const double shift = v3_norm(v3_sub(v3_load(to), v3_load(from)));
        if (shift > report->moved) report->moved = shift;
        if (angle > report->turned) report->turned = angle;
    }
}

static tml_status settle(settling* t, const tml_statics_settings* settings,
                         tml_statics_report* report)
{
    tml_status status = take_memory(t);
    if (status != TML_OK) return status;
    memcpy(t->x, t->sim->past_q[0], t->flat);
    hold_targets(t);
    t->scale = expected_stiffness(t);
    for (int part = 1; part <= settings->load_steps && status == TML_OK; part++) {
        t->s->load = (double)part / settings->load_steps;
        status = walk(t, settings);
    }
    t->s->load = 1.0;
    if (status != TML_OK) return status;

    report->iterations = t->iterations;
    report->imbalance = largest_of(t->a, 6 * t->s->node_count);
    measure_way(t, report);
    judge(t, report);
    return tml__sim_adopt(t->sim, t->x, t->at_rest, t->hints, t->s->sides);
}

static tml_status settle_sim(tml_sim* sim, const tml_statics_settings* settings,
                             tml_statics_report* report)
{
    tml_status status = check(sim, settings);
    if (status != TML_OK) return status;

    if (sim->soft != NULL) {
        status = tml__soft_settle(sim, settings, report);
        tml__kkt_forget(sim->system->matrix);
        tml__sim_forget_answers(sim);
        return status;
    }
    settling t = {.sim = sim, .s = sim->system};
    const size_t joints = (size_t)sim->model->all.joint_count;
    double* hints =
        tml__pool_copy(&t.memory, sim->system->hints, joints * TML_AXES, sizeof(double));
    if (joints > 0 && hints == NULL) {
        status = tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    } else {
        status = settle(&t, settings, report);
    }
    if (status != TML_OK) {
        if (joints > 0 && hints != NULL) {
            memcpy(sim->system->hints, hints, joints * TML_AXES * sizeof(double));
        }
        memcpy(sim->system->sides, sim->sides,
               (size_t)sim->system->limit_count * sizeof *sim->sides);
    }
    tml__kkt_forget(sim->system->matrix);
    tml__sim_forget_answers(sim);
    tml__pool_destroy(&t.memory);
    return status;
}

tml_status tml_sim_settle(tml_sim* sim, const tml_statics_settings* settings,
                          tml_statics_report* report)
{
    tml_statics_report unused;
    if (report == NULL) report = &unused;
    *report = (tml_statics_report){.stability = TML_STABILITY_UNKNOWN};
    if (sim == NULL || sim->is_dead || settings == NULL) return TML_BAD_ARGUMENT;
    tml_status status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = settle_sim(sim, settings, report);
    tml__lean_shut(sim);
    return status;
}
