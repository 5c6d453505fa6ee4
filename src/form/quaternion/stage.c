// form/quaternion/stage.c - one implicit stage: residual, matrix, Newton.       [QRBD (12) (25)-(29)]
//
//   E = inertia(q) - forces(q, v) - C_x^T lambda = 0          6 numbers a node, times c_q
//   C(q, t) + compliance lambda = 0                           one number a row
//
// Velocities are not unknowns: they follow positions by the relation of the stage.
#include "form/quaternion/stage.h"

#include "base/clock.h"
#include "form/quaternion/inertia.h"

#include <math.h>
#include <string.h>

// Newton corrects what a linear solve leaves: one inner correction is the best bargain, until slow
// progress (a singular pose nearby) asks for more.
enum {
    NEWTON_PASSES = 2,
    PATIENT_ITERATIONS = 6,
    PATIENT_PASSES = 30
};

static double clock_if(const maximal_system* s) { return s->is_measured ? tml__clock() : 0.0; }

static quat_relation relation_of(const form_stage* stage, int node)
{
    const double* q_hat = &stage->q_hat[node * POSE_WIDTH];
    const double* v_hat = &stage->v_hat[node * POSE_WIDTH];
    return (quat_relation){
        .c_v = stage->c_v,
        .c_q = stage->c_q,
        .q_hat = {q_hat[3], q_hat[4], q_hat[5], q_hat[6]},
        .w_hat = {v_hat[3], v_hat[4], v_hat[5], v_hat[6]},
    };
}

// The inertial part of the residual; velocities on the way.
static void inertial_residual(maximal_system* s)
{
    const tml_model* m = s->model;
    const form_stage* stage = s->stage;
    const double g = stage->c_v / stage->c_q;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const quat_relation relation = relation_of(stage, n);
        rigid* body = &s->bodies[b];
        node_inertia* inertia = &s->inertia[n];
        tml__quat_motion(&m->bodies[b].inertia, body->q, &body->R, &relation, inertia);

        const vec3 moved = v3_sub(body->c, v3_load(&stage->q_hat[n * POSE_WIDTH]));
        body->v = v3_axpy(v3_load(&stage->v_hat[n * POSE_WIDTH]), g, moved);
        body->omega = inertia->omega;
        v3_store(&s->residual[6 * n], v3_scale(m->bodies[b].mass / stage->c_q, moved));
        v3_store(&s->residual[6 * n + 3], inertia->torque);
    }
}

// How the inertial part and the velocities follow positions: only a matrix asks.
static void inertial_slopes(maximal_system* s)
{
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const quat_relation relation = relation_of(s->stage, n);
        const rigid* body = &s->bodies[b];
        tml__quat_inertia(&m->bodies[b].inertia, body->q, &body->R, &relation, &s->inertia[n]);
        s->lifts[b] = (lift){.g = s->stage->c_v / s->stage->c_q, .W = s->inertia[n].W};
    }
}

// Rows that give way: C + compliance lambda. Rows that nothing can close ask for no multiplier.
static void add_compliance(maximal_system* s)
{
    for (int row = 0; row < s->row_count; row++) s->C[row] += s->compliance[row] * s->lambda[row];
    for (int j = 0; j < s->model->all.joint_count; j++) {
        if (!tml__maximal_is_idle(s, j)) continue;
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) s->C[row] = 0.0;
    }
}

// Everything in metres and radians: forces over mass, torques over the mean moment of inertia.
static double merit_of(const maximal_system* s)
{
    const tml_model* m = s->model;
    double sum = 0.0;

    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3* J = &body->inertia;
        const double moment = (J->m[0][0] + J->m[1][1] + J->m[2][2]) / 3.0;
        const vec3 f = v3_scale(1.0 / body->mass, v3_load(&s->residual[6 * n]));
        const vec3 t = v3_scale(1.0 / moment, v3_load(&s->residual[6 * n + 3]));
        sum += v3_dot(f, f) + v3_dot(t, t);
    }
    for (int row = 0; row < s->row_count; row++) sum += s->C[row] * s->C[row];
    return sum;
}

static void evaluate(void* self, newton_merit* out)
{
    maximal_system* s = self;
    const double start = clock_if(s);

    tml__maximal_place(s, s->x, NULL);
    inertial_residual(s);
    out->row = tml__maximal_rows(s);
    out->consistency = tml__maximal_consistency(s);
    tml__maximal_forces(s);
    tml__maximal_subtract_rows(s, s->lambda, s->residual);
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] *= s->stage->c_q;
    add_compliance(s);
    out->merit = merit_of(s);

    s->assembly_seconds += clock_if(s) - start;
}

static void fill_matrix(maximal_system* s)
{
    const tml_model* m = s->model;
    const double c_q = s->stage->c_q;
    kkt_values* values = tml__kkt_values(s->matrix);

    tml__kkt_clear(s->matrix);
    inertial_slopes(s);
    for (int n = 0; n < s->node_count; n++) {
        double* block = &values->node[36 * n];
        const mat3* K = &s->inertia[n].K;
        for (int i = 0; i < 3; i++) {
            block[7 * i] = m->bodies[m->node_body[n]].mass;
            for (int k = 0; k < 3; k++) block[(3 + i) * 6 + 3 + k] = c_q * K->m[i][k];
        }
    }
    tml__maximal_fill_stiffness(s, s->lambda, c_q);
    tml__maximal_fill_rows(s, 1.0 / c_q);
}

// A turn of more than 2 rad is beyond what the linearisation knows: shorten the whole step.
static double limit_turn(maximal_system* s)
{
    double turn = 0.0;
    double update = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const double shift = v3_norm(v3_load(&s->dx[6 * n]));
        const double angle = v3_norm(v3_load(&s->dx[6 * n + 3]));
        if (!(angle <= turn)) turn = angle;
        if (!(shift <= update)) update = shift;
    }
    if (turn > 2.0) {
        const double factor = 2.0 / turn;
        for (int i = 0; i < 6 * s->node_count; i++) s->dx[i] *= factor;
        for (int i = 0; i < s->row_count; i++) s->dl[i] *= factor;
    }
    return turn > update ? turn : update;
}

static void start_here(maximal_system* s)
{
    memcpy(s->x_start, s->x, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
    memcpy(s->lambda_start, s->lambda, (size_t)s->row_count * sizeof(double));
}

// Multipliers that redundant rows hold against each other push nothing where they were found, but they
// do after the next step: taken along from step to step they would grow and spoil its matrix.
static void relax_multipliers(maximal_system* s)
{
    double* force = s->ahead_dx;

    tml__kkt_relax(s->matrix, s->lambda, force);
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] -= s->stage->c_q * force[i];
}

static tml_status direct(void* self, double* update)
{
    maximal_system* s = self;
    const double begin = clock_if(s);

    fill_matrix(s);
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] = -s->residual[i];
    for (int i = 0; i < s->row_count; i++) s->dl[i] = -s->C[i];
    const double middle = clock_if(s);
    s->assembly_seconds += middle - begin;

    const int iteration = s->iterations++;
    const bool is_slow = iteration >= PATIENT_ITERATIONS;
    tml__kkt_set_passes(s->matrix, is_slow ? PATIENT_PASSES : NEWTON_PASSES);
    tml_status status = tml__kkt_factor(s->matrix, &s->bad_row);
    if (status == TML_OK && iteration == 0 && s->may_be_redundant) relax_multipliers(s);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl);
    s->solver_seconds += clock_if(s) - middle;
    if (status != TML_OK) return status;

    for (int i = 0; i < s->row_count; i++) s->dl[i] /= s->stage->c_q;
    start_here(s);
    *update = limit_turn(s);
    return TML_OK;
}

// What the factor of the last step makes of the residual here, by the same measure as `direct`.
static tml_status look_ahead(void* self, double* update)
{
    maximal_system* s = self;
    const double begin = clock_if(s);

    for (int i = 0; i < 6 * s->node_count; i++) s->ahead_dx[i] = -s->residual[i];
    for (int i = 0; i < s->row_count; i++) s->ahead_dl[i] = -s->C[i];
    const tml_status status =
        tml__kkt_solve(s->matrix, s->ahead_dx, s->ahead_dl, s->ahead_dx, s->ahead_dl);
    *update = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const double shift = v3_norm(v3_load(&s->ahead_dx[6 * n]));
        const double angle = v3_norm(v3_load(&s->ahead_dx[6 * n + 3]));
        if (!(shift <= *update)) *update = shift;
        if (!(angle <= *update)) *update = angle;
    }
    s->solver_seconds += clock_if(s) - begin;
    return status;
}

// Only steps far too short to turn a body by radians are adopted.
static void adopt(void* self)
{
    maximal_system* s = self;
    double* dx = s->dx;
    double* dl = s->dl;

    s->dx = s->ahead_dx;
    s->dl = s->ahead_dl;
    s->ahead_dx = dx;
    s->ahead_dl = dl;
    for (int i = 0; i < s->row_count; i++) s->dl[i] /= s->stage->c_q;
    start_here(s);
}

static void move(void* self, double fraction)
{
    maximal_system* s = self;
    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_displace(&s->x[n * POSE_WIDTH], &s->x_start[n * POSE_WIDTH], &s->dx[6 * n],
                              fraction);
    }
    for (int i = 0; i < s->row_count; i++) {
        s->lambda[i] = s->lambda_start[i] + fraction * s->dl[i];
    }
}

void tml__quat_residual(maximal_system* s, const form_stage* stage, newton_merit* out)
{
    s->stage = stage;
    evaluate(s, out);
    s->stage = NULL;
}

void tml__quat_matrix(maximal_system* s, const form_stage* stage)
{
    s->stage = stage;
    fill_matrix(s);
    s->stage = NULL;
}

tml_status tml__quat_solve_stage(maximal_system* s, const form_stage* stage,
                                 const newton_settings* settings, newton_report* report)
{
    const newton_problem problem = {.self = s,
                                    .evaluate = evaluate,
                                    .direct = direct,
                                    .look_ahead = look_ahead,
                                    .adopt = adopt,
                                    .move = move};

    s->stage = stage;
    s->bad_row = -1;
    s->iterations = 0;
    const tml_status status = tml__newton(&problem, settings, report);
    s->stage = NULL;
    return status;
}
