// method/quaternion/stage.c - one implicit stage: residual, matrix, Newton.       [QRBD (12) (25)-(29)]
//
//   E = inertia(q) - forces(q, v) - C_x^T lambda = 0          6 numbers a node, times c_q
//   C(q, t) + compliance lambda = 0                           one number a row
//
// Velocities are not unknowns: they follow positions by the relation of the stage.
#include "method/quaternion/stage.h"

#include "base/clock.h"
#include "method/quaternion/inertia.h"

#include <math.h>
#include <string.h>

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

static void subtract_forces(maximal_system* s)
{
    tml__maximal_subtract_rows(s, s->lambda, s->residual);
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] *= s->stage->c_q;
}

static void evaluate(void* self, newton_merit* out)
{
    maximal_system* s = self;
    const double start = clock_if(s);

    tml__maximal_place(s, s->x, NULL);
    inertial_residual(s);
    out->row = tml__maximal_rows(s);
    if (tml__maximal_has_levels(s)) out->row = tml__quat_level_rows(s);
    out->consistency = tml__maximal_consistency(s);
    tml__maximal_forces(s);
    subtract_forces(s);
    tml__maximal_give_way(s);
    out->merit = tml__maximal_merit(s);

    s->assembly_seconds += clock_if(s) - start;
}

static void fill_matrix(maximal_system* s)
{
    const tml_model* m = s->model;
    const double c_q = s->stage->c_q;
    kkt_values* values = tml__kkt_values(s->matrix);

    tml__kkt_clear_blocks(s->matrix);  // rows are written anew, one and all
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

static void adopt(void* self)
{
    maximal_system* s = self;
    tml__maximal_adopt(s, s->stage->c_q);
}

static tml_status direct(void* self, double* update)
{
    maximal_system* s = self;
    const double begin = clock_if(s);

    fill_matrix(s);
    s->assembly_seconds += clock_if(s) - begin;
    return tml__maximal_direct(s, s->stage->c_q, update);
}

void tml__quat_residual(maximal_system* s, const form_stage* stage, newton_merit* out)
{
    s->stage = stage;
    evaluate(s, out);
    s->stage = NULL;
}

double tml__quat_balance(maximal_system* s, const form_stage* stage)
{
    s->stage = stage;
    inertial_residual(s);
    subtract_forces(s);
    s->stage = NULL;
    return tml__maximal_merit(s);
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
    const newton_problem problem = {
        .self = s,
        .evaluate = evaluate,
        .direct = direct,
        .look_ahead = s->partner == NULL ? tml__maximal_look_ahead : NULL,
        .adopt = s->partner == NULL ? adopt : NULL,
        .move = tml__maximal_move,
        .is_changing = s->partner != NULL,
        .ends_unseen = true,  // what the step is judged by is evaluated at the accepted state
    };

    s->stage = stage;
    s->bad_row = -1;
    s->iterations = 0;
    const tml_status status = tml__newton(&problem, settings, report);
    s->stage = NULL;
    return status;
}
