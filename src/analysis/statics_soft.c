// analysis/statics_soft.c - equilibrium of deformables, alone or with the bodies that they hang on.
//
// A stage without velocities (c_v = 0, q_hat the present shape) asks for M (q - q_hat) / c = F + C^T
// lambda: a step of a motion that forgets its speed. As c grows it becomes F + C^T lambda = 0 itself,
// with the exact stiffness and the geometric one; small c lead there from afar, downhill. [COOK Sec 8]
#include "analysis/statics_soft.h"

#include "base/pool.h"
#include "math/eigen.h"
#include "method/quaternion/attached.h"

#include <math.h>
#include <string.h>

static const double first_length = 1e-4;  // s^2: c of the first stage
static const double least_length = 1e-16;
static const double enough = 1e4;  // s^2: what moves slower than once in 10 minutes still falls
static const double most = 1e12;
static const double rounding = 1e-9;  // of gravity (and 1 m/s^2): less than this may be rounding
static const int vain_stages = 3;

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

// Longer and longer stages until nothing moves. Where a freedom meets no force rounding alone moves it,
// the farther the longer the stage is, or keeps long stages from converging: then it ends where
// next to nothing accelerates, after several that did not lead on.
static tml_status walk(soft_settling* t)
{
    const double calm = rounding * (v3_norm(t->sim->model->all.gravity) + 1.0);
    double c = first_length;
    int vain = 0;  // stages that did not lead on from where all is calm
    bool is_calm = false;
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
            vain += is_calm;
            if (c < least_length) return TML_NOT_CONVERGED;
            continue;
        }
        if (c >= enough && moved <= t->settings->tolerance) return TML_OK;
        is_calm = t->left <= calm;
        vain = is_calm ? vain + (c >= most) : 0;
        if (vain >= vain_stages)
            return TML_OK;  // after a stage: its multipliers are those of the pose
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

// ---- stability

// Of deformables alone: is the stiffness positive, and what is its smallest eigenvalue over the mass?
static void judge_alone(soft_settling* t, tml_statics_report* report)
{
    sim_soft* f = t->sim->soft;
    const double* q = t->q + f->first;
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

// With bodies, K + mu M = mu (M + c K), c = 1 / mu, is positive on the motions that the rows leave where it is
// so for the free vertices and, once these are eliminated, for the bodies (inertias add up: Haynsworth).
typedef struct body_stiffness {
    int width;       // 6 a node
    int rank;        // of the rows
    double* matrix;  // width x width, symmetric part
    double* rows;    // row_count x width; reduced in place
    int* pivot;      // per row of `rows` up to the rank: its column
    unsigned char* is_pivot;
    double* basis;  // width x width: column k is a motion that the rows leave
    double* product;
    double* reduced;
    double* values;
} body_stiffness;

static bool take_stiffness(soft_settling* t, body_stiffness* b)
{
    const maximal_system* s = t->sim->system;
    pool* p = &t->memory;
    b->width = 6 * s->node_count;
    const size_t width = (size_t)b->width;
    const size_t rows = (size_t)s->row_count + 1;
    b->matrix = tml__pool_take(p, width * width, sizeof(double));
    b->rows = tml__pool_take(p, rows * width, sizeof(double));
    b->pivot = tml__pool_take(p, rows, sizeof(int));
    b->is_pivot = tml__pool_take(p, width, 1);
    b->basis = tml__pool_take(p, width * width, sizeof(double));
    b->product = tml__pool_take(p, width * width, sizeof(double));
    b->reduced = tml__pool_take(p, width * width, sizeof(double));
    b->values = tml__pool_take(p, width, sizeof(double));
    return b->matrix && b->rows && b->pivot && b->is_pivot && b->basis && b->product &&
           b->reduced && b->values;
}

// The matrix of the stage, column by column; what compliant rows store is part of it.
static void read_matrix(soft_settling* t, double c, body_stiffness* b)
{
    maximal_system* s = t->sim->system;
    const int n = b->width;
    tml__maximal_fill_rows(s, 1.0);  // a stage of negative c has left compliant rows out
    memset(b->matrix, 0, (size_t)n * (size_t)n * sizeof(double));
    memset(s->lambda_start, 0, (size_t)s->row_count * sizeof(double));
    for (int j = 0; j < n; j++) {
        memset(s->ahead_dx, 0, (size_t)n * sizeof(double));
        s->ahead_dx[j] = 1.0;
        tml__kkt_apply(s->matrix, s->ahead_dx, s->lambda_start, s->dx, s->dl);
        for (int i = 0; i < n; i++) {
            b->matrix[i * n + j] += 0.5 * s->dx[i];
            b->matrix[j * n + i] += 0.5 * s->dx[i];
        }
        for (int row = 0; row < s->row_count; row++) b->rows[row * n + j] = s->dl[row];
    }
    for (int row = 0; row < s->row_count; row++) {
        double* r = &b->rows[row * n];
        if (!(s->compliance[row] > 0.0)) continue;
        for (int k = 0; k < n * n; k++)
            b->matrix[k] += c / s->compliance[row] * r[k / n] * r[k % n];
        memset(r, 0, (size_t)n * sizeof(double));
    }
}

// Rows become unit rows in their pivot columns; what depends on others is left out.
static void eliminate_rows(const soft_settling* t, body_stiffness* b)
{
    const int n = b->width;
    const int count = t->sim->system->row_count;
    b->rank = 0;
    memset(b->is_pivot, 0, (size_t)n);
    for (; b->rank < count; b->rank++) {
        int best = b->rank * n;
        for (int k = b->rank * n; k < count * n; k++) {
            if (fabs(b->rows[k]) > fabs(b->rows[best])) best = k;
        }
        const double pivot = b->rows[best];
        if (!(fabs(pivot) > 1e-9)) return;  // rows are lengths and sines: of the size of one
        double* top = &b->rows[b->rank * n];
        double* from = &b->rows[best / n * n];
        for (int k = 0; k < n; k++) {
            const double kept = top[k];
            top[k] = from[k] / pivot;
            if (from != top) from[k] = kept;
        }
        b->pivot[b->rank] = best % n;
        b->is_pivot[best % n] = 1;
        for (int row = 0; row < count; row++) {
            const double share = b->rows[row * n + best % n];
            if (row == b->rank || share == 0.0) continue;
            for (int k = 0; k < n; k++) b->rows[row * n + k] -= share * top[k];
        }
    }
}

// Z^T A Z over the motions Z that the rows leave; how many these are.
static int reduce_matrix(body_stiffness* b)
{
    const int n = b->width;
    int count = 0;
    memset(b->basis, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++) {
        if (b->is_pivot[j]) continue;
        b->basis[j * n + count] = 1.0;
        for (int k = 0; k < b->rank; k++) b->basis[b->pivot[k] * n + count] = -b->rows[k * n + j];
        count++;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < count; k++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) sum += b->matrix[i * n + j] * b->basis[j * n + k];
            b->product[i * n + k] = sum;
        }
    }
    for (int k = 0; k < count * count; k++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += b->basis[i * n + k / count] * b->product[i * n + k % count];
        b->reduced[k] = sum;
    }
    return count;
}

// Is every eigenvalue of the stiffness over the mass above `value` (not zero)?
static bool is_above(soft_settling* t, body_stiffness* b, double value, int* freedoms)
{
    tml_sim* sim = t->sim;
    sim_soft* f = sim->soft;
    const size_t bodies = (size_t)sim->model->node_count * POSE_WIDTH;
    const double c = -1.0 / value;  // K - value M = -value (M + c K)
    const form_stage stage = {0.0, c, t->rest, t->q};
    memcpy(sim->system->x, t->q, bodies * sizeof(double));
    memcpy(f->x, t->q + bodies, (size_t)f->width * sizeof(double));
    if (!tml__nodal_is_definite(f->nodes, -value, t->q + f->first)) return false;
    if (tml__soft_fill_stage(f, &stage) != TML_OK) return false;
    read_matrix(t, c, b);
    eliminate_rows(t, b);
    const int count = reduce_matrix(b);
    *freedoms = f->free_width + count;
    if (count == 0) return true;
    const double sign = c > 0.0 ? 1.0 : -1.0;
    for (int k = 0; k < count * count; k++) b->reduced[k] *= sign;
    tml__symmetric_eigenvalues(count, b->reduced, count, b->values);
    return b->values[0] > 0.0;
}

// The smallest eigenvalue lies above `low`: to four digits, by halving.
static double find_softest(soft_settling* t, body_stiffness* b, double low)
{
    double high = 16.0 * low;
    int unused;
    while (high < 1e16 && is_above(t, b, high, &unused)) high *= 16.0;
    low = high / 16.0;
    while (high > (1.0 + 1e-4) * low) {
        const double middle = sqrt(low * high);
        if (is_above(t, b, middle, &unused)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return sqrt(low * high);
}

static void judge(soft_settling* t, tml_statics_report* report)
{
    const double small = 1e-6 * (v3_norm(t->sim->model->all.gravity) + 1.0);
    body_stiffness b = {0};
    report->stability = TML_STABILITY_UNKNOWN;
    report->freedoms = -1;
    if (t->sim->model->node_count == 0) {
        judge_alone(t, report);
        return;
    }
    if (6 * t->sim->model->node_count > TML_STATICS_FREEDOMS || !take_stiffness(t, &b)) return;
    if (is_above(t, &b, small, &report->freedoms)) {
        report->stability = TML_STABLE;
        report->softest = find_softest(t, &b, small);
        return;
    }
    const bool is_neutral = is_above(t, &b, -small, &report->freedoms);
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
