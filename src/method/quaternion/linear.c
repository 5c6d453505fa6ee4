// method/quaternion/linear.c - steps of the quaternion formulation as linear maps.     [QRBD Sec 7]
//
// A step is one or two implicit stages, or an extrapolated start, then perhaps multipliers of the
// finished state and a projection of its velocities. Each piece is linearised where it stands. A
// stage solves
//     c_q E(x, lambda; hats, parameters) = 0,   C(x; parameters) + compliance lambda = 0
// with the Newton matrix A of its solution, so that
//     forwards    A (dx, c_q dlambda) = -(c_q dE, dC)
//     backwards   A^T z = (g_x, g_lambda / c_q),  g_E = -c_q z_E,  g_C = -z_C   [QRBD Alg 1 (37) (38)]
// differs: [QRBD Alg 1] keeps 14 unknowns a body; here velocities and unit length are eliminated as
// in the step itself (notes, section 4).
#include "diff/contact.h"
#include "diff/start.h"
#include "diff/work.h"
#include "method/quaternion/stage.h"

#include <string.h>

enum {
    EXACT_PASSES = 30
};

static void add(int count, double scale, const double* x, double* to)
{
    for (int i = 0; i < count; i++) to[i] += scale * x[i];
}

// ---- one stage

// A stage: its numbers, its solution, and the changes or gradients that belong to them.
typedef struct stage_point {
    form_stage stage;
    const double* x;  // flat positions of the solution
    const double* lambda;
    double *dq_hat, *dv_hat;  // in
    double *dx, *dlambda;     // out: flat positions, multipliers
} stage_point;

static void place_stage(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    newton_merit merit;

    tml__instant_targets(i);
    memcpy(s->x, p->x, (size_t)i->sim->width * sizeof(double));
    memcpy(s->lambda, p->lambda, (size_t)s->row_count * sizeof(double));
    tml__quat_residual(s, &p->stage, &merit);
}

// E and the rows by everything but the pose and the multipliers.
static void stage_product(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const quat_inertia_point inertia = {s, &p->stage};
    const partial_point at = {.has_forces = true,
                              .lambda = p->lambda,
                              .self = &inertia,
                              .inertia = tml__quat_inertia_columns};

    clear(w->velocity, 6 * s->node_count);
    if (i->way == PARTIAL_FORWARD) {
        tml__quat_hat_product(s, &p->stage, i->way, p->dq_hat, p->dv_hat, w->E, w->velocity);
        tml__damping_product(s, i->way, w->velocity, w->E);
    } else {
        tml__damping_product(s, i->way, w->velocity, w->E);
        tml__quat_hat_product(s, &p->stage, i->way, p->dq_hat, p->dv_hat, w->E, w->velocity);
    }
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
}

static tml_status factor_stage(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    tml__quat_matrix(s, &p->stage);
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    const tml_status status = tml__kkt_factor(s->matrix, &s->bad_row);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
}

// What the last solve could not give the rows, of what they were asked for (work->rows).
static void note_conflict(const instant* i)
{
    const maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    int row = -1;
    const double left = tml__kkt_row_residual(s->matrix, &row);
    double asked = 0.0;

    for (int k = 0; k < s->row_count; k++) asked = tml__larger(asked, w->rows[k]);
    // m or rad for a unit of change: less is rounding
    if (!(asked > 1e-9) || !(left > w->conflict * asked)) return;
    w->conflict = left / asked;
    w->conflict_row = row;
}

static tml_status stage_forward(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const double c_q = p->stage.c_q;

    tml_status status = TML_OK;
    clear(w->E, six);
    clear(w->rows, s->row_count);
    if (!i->is_push_alone) {
        stage_product(i, p);
        status = factor_stage(i, p);
    }
    if (status != TML_OK) return status;
    for (int k = 0; k < six && i->push != NULL; k++) w->E[k] -= i->push[k];
    for (int k = 0; k < six; k++) w->E[k] *= -c_q;
    for (int k = 0; k < s->row_count; k++) w->rows[k] = -w->rows[k];
    status = tml__kkt_solve(s->matrix, w->E, w->rows, w->dx, w->dl);
    note_conflict(i);
    for (int k = 0; k < s->row_count; k++) p->dlambda[k] = w->dl[k] / c_q;
    tml__pose_to_flat(i->way, p->x, s->node_count, w->dx, p->dx);
    return status;
}

static tml_status stage_backward(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const double c_q = p->stage.c_q;

    tml_status status = i->is_push_alone ? TML_OK : factor_stage(i, p);
    if (status != TML_OK) return status;
    clear(w->dx, six);
    tml__pose_to_flat(i->way, p->x, s->node_count, w->dx, p->dx);
    for (int k = 0; k < s->row_count; k++) w->dl[k] = p->dlambda[k] / c_q;
    status = tml__kkt_solve_transposed(s->matrix, w->dx, w->dl, w->E, w->rows);
    for (int k = 0; k < six; k++) w->E[k] *= -c_q;
    for (int k = 0; k < s->row_count; k++) w->rows[k] = -w->rows[k];
    for (int k = 0; k < six && i->push != NULL; k++) i->push[k] -= w->E[k];
    if (i->is_push_alone) return status;
    stage_product(i, p);
    tml__instant_controls(i);
    return status;
}

// ---- a stage whose rows leave no freedom                                         [QRBD (33) Sec 6.3]
//
// Positions follow the rows alone, C dx = -dC, and multipliers carry what the motion needs,
// C^T dl = K dx + c_q dE, dl = c_q dlambda. Rows may be redundant both ways, so the Newton matrix has no use;
// with masses N = [M -C^T; C 0] answers both:
//     N (dx, .) = (0, -dC),   N (0, dl) = (-(K dx + c_q dE), 0)

static tml_status factor_masses(const instant* i)
{
    maximal_system* s = i->sim->system;
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    const tml_status status = tml__maximal_factor_position(s);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
}

// The derivative of the equations by the pose, times a motion; or its transpose.
static void stiffness_product(const instant* i, const stage_point* p, double* motion, double* E)
{
    maximal_system* s = i->sim->system;
    tml__quat_matrix(s, &p->stage);
    if (i->way == PARTIAL_FORWARD) {
        tml__kkt_add_blocks(s->matrix, motion, E);
    } else {
        tml__kkt_add_blocks_transposed(s->matrix, E, motion);
    }
}

static tml_status kinematic_forward(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const double c_q = p->stage.c_q;

    clear(w->E, six);
    clear(w->rows, s->row_count);
    stage_product(i, p);
    for (int k = 0; k < s->row_count; k++) w->rows[k] = -w->rows[k];
    for (int k = 0; k < six; k++) w->E[k] *= c_q;
    clear(w->impulse, six);
    tml_status status = factor_masses(i);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, w->impulse, w->rows, w->dx, w->dl);
    if (status != TML_OK) return status;
    note_conflict(i);
    stiffness_product(i, p, w->dx, w->E);
    for (int k = 0; k < six; k++) w->E[k] = -w->E[k];
    clear(w->rows, s->row_count);
    status = factor_masses(i);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, w->E, w->rows, w->impulse, w->dl);
    for (int k = 0; k < s->row_count; k++) p->dlambda[k] = w->dl[k] / c_q;
    tml__pose_to_flat(i->way, p->x, s->node_count, w->dx, p->dx);
    return status;
}

static tml_status kinematic_backward(const instant* i, const stage_point* p)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const double c_q = p->stage.c_q;

    for (int k = 0; k < s->row_count; k++) w->dl[k] = p->dlambda[k] / c_q;
    clear(w->impulse, six);
    tml_status status = factor_masses(i);
    if (status == TML_OK) {
        status = tml__kkt_solve_transposed(s->matrix, w->impulse, w->dl, w->E, w->rows);
    }
    if (status != TML_OK) return status;
    for (int k = 0; k < six; k++) w->E[k] = -w->E[k];
    clear(w->dx, six);
    tml__pose_to_flat(i->way, p->x, s->node_count, w->dx, p->dx);
    stiffness_product(i, p, w->dx, w->E);
    clear(w->dl, s->row_count);
    status = factor_masses(i);
    if (status == TML_OK) {
        status = tml__kkt_solve_transposed(s->matrix, w->dx, w->dl, w->impulse, w->rows);
    }
    if (status != TML_OK) return status;
    for (int k = 0; k < s->row_count; k++) w->rows[k] = -w->rows[k];
    for (int k = 0; k < six; k++) w->E[k] *= c_q;
    stage_product(i, p);
    tml__instant_controls(i);
    return TML_OK;
}

static tml_status linear_stage(const instant* i, const stage_point* p)
{
    const bool is_forward = i->way == PARTIAL_FORWARD;
    tml_status status = TML_OK;
    if (!i->is_push_alone) place_stage(i, p);
    if (i->sim->is_kinematic) {
        status = is_forward ? kinematic_forward(i, p) : kinematic_backward(i, p);
    } else {
        status = is_forward ? stage_forward(i, p) : stage_backward(i, p);
    }
    if (status == TML_OK || i->sim->why.text[0] != '\0') return status;
    return tml__fail(&i->sim->why, status, "a linearised stage has no solution");
}

// v = v_hat + g (x - q_hat), as changes or gradients
static void relate_velocity(partial_direction way, int n, double g, const stage_point* p,
                            double* dv)
{
    if (way == PARTIAL_FORWARD) {
        memcpy(dv, p->dv_hat, (size_t)n * sizeof *dv);
        add(n, g, p->dx, dv);
        add(n, -g, p->dq_hat, dv);
    } else {
        add(n, 1.0, dv, p->dv_hat);
        add(n, g, dv, p->dx);
        add(n, -g, dv, p->dq_hat);
    }
}

// ---- backward differences

static time_history history_of(const tml_sim* sim, int order)
{
    time_history past = {.h = step_h(sim), .count = order};
    for (int k = 0; k < order; k++) {
        past.q[k] = step_past_q(sim, k);
        past.v[k] = step_past_v(sim, k);
    }
    return past;
}

static tml_status linear_bdf(const instant* i, double* dlambda)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const int n = sim->width;
    const int order = i->trace->order;
    const time_history past = history_of(sim, order);
    time_relation relation = {.v_hat = w->v_hat, .q_hat = w->q_hat};
    double* dq = i->x->next;
    double* dv = i->x->next + n;

    tml__bdf(&past, order, n, &relation);
    const stage_point p = {
        .stage = {relation.c_v, relation.c_q, relation.v_hat, relation.q_hat},
        .x = i->trace->x[0],
        .lambda = i->trace->lambda[0],
        .dq_hat = w->dq_hat,
        .dv_hat = w->dv_hat,
        .dx = dq,
        .dlambda = dlambda,
    };
    const double g = relation.c_v / relation.c_q;
    double* past_q[TIME_PAST] = {NULL};
    double* past_v[TIME_PAST] = {NULL};
    for (int k = 0; k < order; k++) {
        past_q[k] = i->x->past[k];
        past_v[k] = i->x->past[k] + n;
    }
    if (i->way == PARTIAL_FORWARD) {
        time_history d = {.h = past.h, .count = order};
        time_relation d_relation = {.v_hat = w->dv_hat, .q_hat = w->dq_hat};
        for (int k = 0; k < order; k++) {
            d.q[k] = past_q[k];
            d.v[k] = past_v[k];
        }
        tml__bdf(&d, order, n, &d_relation);
        const tml_status status = linear_stage(i, &p);
        relate_velocity(i->way, n, g, &p, dv);
        return status;
    }
    clear(w->dq_hat, n);
    clear(w->dv_hat, n);
    relate_velocity(i->way, n, g, &p, dv);
    const tml_status status = linear_stage(i, &p);
    tml__bdf_transposed(order, past.h, n, w->dv_hat, w->dq_hat, past_q, past_v);
    return status;
}

// ---- Runge-Kutta

// One stage: hats from the state and the rates before, then the stage, then its rates. Changes of
// rates are in work->dk_q and dk_v.
static tml_status linear_dirk_stage(const instant* step, const dirk* method, int k, double* dx,
                                    double* dlambda)
{
    tml_sim* sim = step->sim;
    linear_work* w = step->work;
    const int n = sim->width;
    const double h = step_h(sim);
    const dirk_rates rates = {.q = {w->k_q[0], w->k_q[1]}, .v = {w->k_v[0], w->k_v[1]}};
    const dirk_rates d_rates = {.q = {w->dk_q[0], w->dk_q[1]}, .v = {w->dk_v[0], w->dk_v[1]}};
    instant i = *step;
    time_relation relation = {.v_hat = w->v_hat, .q_hat = w->q_hat};
    time_relation d = {.v_hat = w->dv_hat, .q_hat = w->dq_hat};
    double* past = step->x->past[0];

    i.dt = method->c[k] * h;
    tml__dirk_stage(method, k, h, step_q(sim), step_v(sim), &rates, n, &relation);
    const stage_point p = {
        .stage = {relation.c_v, relation.c_q, relation.v_hat, relation.q_hat},
        .x = step->trace->x[k],
        .lambda = step->trace->lambda[k],
        .dq_hat = w->dq_hat,
        .dv_hat = w->dv_hat,
        .dx = dx,
        .dlambda = dlambda,
    };
    const double g = relation.c_v / relation.c_q;
    if (step->way == PARTIAL_FORWARD) {
        tml__dirk_stage(method, k, h, past, past + n, &d_rates, n, &d);
        const tml_status status = linear_stage(&i, &p);
        d.c_v = relation.c_v;
        d.c_q = relation.c_q;
        tml__dirk_rate(&d, dx, n, w->dk_q[k], w->dk_v[k]);
        return status;
    }
    // k_v = (k_q - v_hat) / c_v,  k_q = v_hat + g (x - q_hat)
    clear(w->dq_hat, n);
    clear(w->dv_hat, n);
    add(n, 1.0 / relation.c_v, w->dk_v[k], w->dk_q[k]);
    add(n, -1.0 / relation.c_v, w->dk_v[k], w->dv_hat);
    relate_velocity(step->way, n, g, &p, w->dk_q[k]);
    const tml_status status = linear_stage(&i, &p);
    // v_hat = v + h sum a k_v,  q_hat = q + h sum a k_q + c_v v_hat
    add(n, relation.c_v, w->dq_hat, w->dv_hat);
    add(n, 1.0, w->dq_hat, past);
    add(n, 1.0, w->dv_hat, past + n);
    for (int j = 0; j < k; j++) {
        add(n, h * method->a[k][j], w->dq_hat, w->dk_q[j]);
        add(n, h * method->a[k][j], w->dv_hat, w->dk_v[j]);
    }
    return status;
}

// The rates of both stages again, from their solutions.
static void repeat_rates(const instant* i, const dirk* method)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const dirk_rates rates = {.q = {w->k_q[0], w->k_q[1]}, .v = {w->k_v[0], w->k_v[1]}};
    time_relation relation = {.v_hat = w->v_hat, .q_hat = w->q_hat};

    for (int k = 0; k < TRACE_STAGES; k++) {
        tml__dirk_stage(method, k, step_h(sim), step_q(sim), step_v(sim), &rates, sim->width,
                        &relation);
        tml__dirk_rate(&relation, i->trace->x[k], sim->width, w->k_q[k], w->k_v[k]);
    }
}

static tml_status dirk_forward(const instant* i, const dirk* method, double* dlambda)
{
    linear_work* w = i->work;
    const int n = i->sim->width;
    const dirk_rates d_rates = {.q = {w->dk_q[0], w->dk_q[1]}, .v = {w->dk_v[0], w->dk_v[1]}};
    const double* past = i->x->past[0];
    double* dq = i->x->next;

    tml_status status = TML_OK;
    for (int k = 0; k < TRACE_STAGES && status == TML_OK; k++) {
        status = linear_dirk_stage(i, method, k, dq, dlambda);
    }
    if (method->is_stiffly_accurate) {
        memcpy(dq + n, w->dk_q[1], (size_t)n * sizeof *dq);
    } else {
        tml__dirk_close(method, step_h(i->sim), past, past + n, &d_rates, n, dq, dq + n);
    }
    return status;
}

static tml_status dirk_backward(const instant* i, const dirk* method, double* dlambda)
{
    linear_work* w = i->work;
    const int n = i->sim->width;
    const double h = step_h(i->sim);
    double* past = i->x->past[0];
    double* dq = i->x->next;

    for (int k = 0; k < TRACE_STAGES; k++) {
        clear(w->dk_q[k], n);
        clear(w->dk_v[k], n);
    }
    if (method->is_stiffly_accurate) {
        memcpy(w->dk_q[1], dq + n, (size_t)n * sizeof *dq);
    } else {
        add(n, 1.0, dq, past);
        add(n, 1.0, dq + n, past + n);
        for (int k = 0; k < TRACE_STAGES; k++) {
            add(n, h * method->b[k], dq, w->dk_q[k]);
            add(n, h * method->b[k], dq + n, w->dk_v[k]);
        }
        clear(dq, n);
    }
    tml_status status = linear_dirk_stage(i, method, 1, dq, dlambda);
    if (status != TML_OK) return status;
    clear(w->dx7, n);
    clear(w->lambda_d, i->sim->system->row_count);
    return linear_dirk_stage(i, method, 0, w->dx7, w->lambda_d);
}

static tml_status linear_dirk(const instant* i, double* dlambda)
{
    const dirk* method =
        tml__dirk(i->trace->order == 1 ? TML_TIME_SDIRK2 : TML_TIME_SDIRK2_PARESCHI_RUSSO);
    repeat_rates(i, method);
    return i->way == PARTIAL_FORWARD ? dirk_forward(i, method, dlambda)
                                     : dirk_backward(i, method, dlambda);
}

// ---- the finished state

// Positions and velocities of the step before any projection, as the step found them.
static void repeat_state(const instant* i, double* q, double* v)
{
    const tml_sim* sim = i->sim;
    linear_work* w = i->work;
    const int n = sim->width;
    time_relation relation = {.v_hat = w->v_hat, .q_hat = w->q_hat};

    if (i->trace->kind == TRACE_BDF) {
        const time_history past = history_of(sim, i->trace->order);
        tml__bdf(&past, i->trace->order, n, &relation);
        memcpy(q, i->trace->x[0], (size_t)n * sizeof *q);
        tml__relation_velocity(&relation, q, n, v);
        return;
    }
    const bool is_stiff = i->trace->order == 1;
    const dirk* method = tml__dirk(is_stiff ? TML_TIME_SDIRK2 : TML_TIME_SDIRK2_PARESCHI_RUSSO);
    const dirk_rates rates = {.q = {w->k_q[0], w->k_q[1]}, .v = {w->k_v[0], w->k_v[1]}};
    repeat_rates(i, method);
    if (is_stiff) {
        memcpy(q, i->trace->x[1], (size_t)n * sizeof *q);
        memcpy(v, w->k_q[1], (size_t)n * sizeof *v);
    } else {
        tml__dirk_close(method, step_h(sim), step_q(sim), step_v(sim), &rates, n, q, v);
    }
}

// ---- a whole step

static tml_status formula(const instant* i, double* dlambda)
{
    const double* level = i->sim->settings.implicit.level;
    if (level[1] > 0.0 || level[2] > 0.0) {
        return tml__fail(&i->sim->why, TML_UNSUPPORTED,
                         "steps with constraint_level on velocities or accelerations have no "
                         "derivatives in this version");
    }
    switch (i->trace->kind) {
    case TRACE_BDF: return linear_bdf(i, dlambda);
    case TRACE_DIRK: return linear_dirk(i, dlambda);
    case TRACE_ACCURATE: return tml__linear_accurate(i);
    case TRACE_VARIATIONAL:
    case TRACE_AFFINE:
    case TRACE_UNKNOWN: break;
    }
    return tml__fail(&i->sim->why, TML_UNSUPPORTED,
                     "steps of integrator '%s' in formulation '%s' have no derivatives in this "
                     "version",
                     tml_integrator_name(i->sim->settings.integrator),
                     tml_formulation_name(i->sim->settings.formulation));
}

// ---- a step that touches

// Multipliers that the finished state tells again are nobody's here.
static tml_status touching_body(const instant* i)
{
    const int rows = i->sim->system->row_count;
    double* dlambda = i->x->next + 2 * i->sim->width;
    double* own = i->work->lambda_d;
    if (!i->trace->has_state_multipliers) return formula(i, dlambda);
    clear(i->way == PARTIAL_FORWARD ? dlambda : own, rows);
    return formula(i, own);
}

// The stage at its solution, factored.
static tml_status touching_answer(const instant* i, bool is_first, double* pose)
{
    tml_sim* sim = i->sim;
    maximal_system* s = sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const time_history past = history_of(sim, i->trace->order);
    time_relation relation = {.v_hat = w->v_hat, .q_hat = w->q_hat};
    tml__bdf(&past, i->trace->order, sim->width, &relation);
    const stage_point p = {
        .stage = {relation.c_v, relation.c_q, relation.v_hat, relation.q_hat},
        .x = i->trace->x[0],
        .lambda = i->trace->lambda[0],
    };
    if (is_first) {
        place_stage(i, &p);
        const tml_status status = factor_stage(i, &p);
        if (status != TML_OK) return status;
    }
    for (int k = 0; k < six; k++) w->E[k] = relation.c_q * i->push[k];
    clear(w->rows, s->row_count);
    const tml_status status = tml__kkt_solve(s->matrix, w->E, w->rows, pose, w->dl);
    if (status == TML_OK) return TML_OK;
    return tml__fail(&sim->why, status, "a push of contacts has no answer");
}

static tml_status touching_multipliers(const instant* i, const double* q, const double* v)
{
    tml_sim* sim = i->sim;
    const touch_set* t = sim->touch->rows;
    double* force = sim->touch->wrench;
    if (!i->trace->has_state_multipliers) return TML_OK;
    tml__touch_push(t, t->f, force);
    for (int k = 0; k < 6 * sim->system->node_count; k++) force[k] /= t->h;
    sim->system->touching = force;
    const tml_status status = tml__linear_multipliers(i, q, v);
    sim->system->touching = NULL;
    return status;
}

static tml_status touching_restart(const instant* i, const double* q, const double* v)
{
    return i->trace->has_restarted ? tml__linear_restart(i, q, v) : TML_OK;
}

static const touch_formula touching = {
    .is_force = true,
    .body = touching_body,
    .respond = touching_answer,
    .before = touching_multipliers,
    .after = touching_restart,
};

static tml_status step(tml_sim* sim, linear_work* w, const step_trace* trace,
                       const double* controls, partial_direction way, const step_numbers* x)
{
    const instant i = {.sim = sim,
                       .work = w,
                       .way = way,
                       .trace = trace,
                       .controls = controls,
                       .dt = step_h(sim),
                       .x = x};
    const int rows = sim->system->row_count;
    const bool is_accurate = trace->kind == TRACE_ACCURATE;
    double* dlambda = x->next + 2 * sim->width;
    double* own = w->lambda_d;  // multipliers of the formula, where nobody sees them
    tml_status status = TML_OK;

    sim->why.text[0] = '\0';
    memcpy(sim->system->sides, trace->sides, (size_t)trace->limits * sizeof *trace->sides);
    const bool is_aware = trace->kind == TRACE_BDF && tml__touch_is_aware(&i);
    if (trace->has_touched || is_aware) return tml__linear_touch(&i, &touching);
    tml__touch_forget_forces(sim, way, x->next);
    const bool is_finished_later = !is_accurate && trace->kind != TRACE_UNKNOWN &&
                                   (trace->has_state_multipliers || trace->has_restarted);
    if (way == PARTIAL_FORWARD) {
        status = formula(&i, is_finished_later && trace->has_state_multipliers ? own : dlambda);
        if (is_finished_later) repeat_state(&i, w->q, w->dx7);
        if (status == TML_OK && is_finished_later && trace->has_state_multipliers) {
            status = tml__linear_multipliers(&i, w->q, w->dx7);
        }
        if (status == TML_OK && is_finished_later && trace->has_restarted) {
            status = tml__linear_restart(&i, w->q, w->dx7);
        }
        return status;
    }
    if (is_finished_later) repeat_state(&i, w->q, w->dx7);
    if (is_finished_later && trace->has_restarted) {
        status = tml__linear_restart(&i, w->q, w->dx7);
    }
    if (status == TML_OK && is_finished_later && trace->has_state_multipliers) {
        status = tml__linear_multipliers(&i, w->q, w->dx7);
    }
    if (status != TML_OK) return status;
    if (is_finished_later && trace->has_state_multipliers) clear(own, rows);
    return formula(&i, is_finished_later && trace->has_state_multipliers ? own : dlambda);
}

const step_linear tml__quaternion_linear = {
    .create = tml__linear_work_create,
    .destroy = tml__linear_work_destroy,
    .extra_count = tml__touch_force_count,
    .has_contact_forces = true,
    .start = tml__linear_begin,
    .step = step,
};
