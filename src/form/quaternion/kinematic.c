// form/quaternion/kinematic.c - mechanisms without a freedom left, and multipliers that are not
// unique.
//
// Where position actuators and joints determine every pose, positions need no forces: Newton on the
// rows alone finds them, the relation of the stage gives velocities and accelerations, and one more
// solve with the same matrix gives the multipliers that this motion needs.      [QRBD (33) Sec 6.3]
// With M d - C^T l = -E and C d = 0 a mechanism that cannot move has d = 0, so C^T l = E.
#include "form/quaternion/system.h"

#include <math.h>
#include <string.h>

enum {
    EXACT_PASSES = 30
};

// Of the forces that the motion needs, the share that rows may leave unexplained.
static const double imbalance = 1e-4;

tml_status tml__quat_least_norm(quat_system* s, double* lambda)
{
    if (!s->may_be_redundant || tml__kkt_method(s->matrix) != KKT_AUGMENTED) return TML_OK;
    tml__quat_fill_mass(s);
    tml__quat_fill_rows(s, 1.0);
    const tml_status status = tml__kkt_least_norm(s->matrix, s->weight, lambda);
    if (status != TML_NOT_CONVERGED) return status;
    // at a singular pose rows lose their independence, and with it the least norm its meaning: the
    // multipliers stay the ones that were found, which balance as well
    s->unsettled_loads++;
    return TML_OK;
}

static tml_status factor_mass(quat_system* s)
{
    tml__quat_fill_mass(s);
    tml__quat_fill_rows(s, -1.0);
    return tml__kkt_factor(s->matrix, &s->bad_row);
}

// A push in every direction at once moves something unless nothing can move.
bool tml__quat_is_fully_constrained(quat_system* s, const double* x)
{
    const tml_model* m = s->model;
    if (s->node_count == 0 || s->limit_count > 0) return false;

    tml__quat_place(s, x, NULL);
    tml__quat_rows(s);
    if (factor_mass(s) != TML_OK) return false;
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = 0.0;
        if (s->compliance[row] > 0.0) return false;  // it gives way
    }
    // accelerations of order 1 on every body, in no special direction
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const vec3 push = {1.0, 0.7 - 0.01 * (n % 13), -0.4 + 0.02 * (n % 7)};
        const vec3 turn = {-0.5 + 0.03 * (n % 5), 0.9, 0.3 - 0.02 * (n % 11)};
        v3_store(&s->residual[6 * n], v3_scale(body->mass, push));
        v3_store(&s->residual[6 * n + 3],
                 m3_apply(s->bodies[m->node_body[n]].R, m3_apply(body->inertia, turn)));
    }
    if (tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl) != TML_OK) return false;
    double largest = 0.0;
    for (int i = 0; i < 6 * s->node_count; i++) {
        if (!(fabs(s->dx[i]) <= largest)) largest = fabs(s->dx[i]);
    }
    return largest < 1e-7;
}

tml_status tml__quat_solve_kinematic(quat_system* s, const quat_stage* stage,
                                     const newton_settings* settings, newton_report* report)
{
    s->bad_row = -1;
    tml_status status = tml__quat_close(s, settings, report);
    if (status != TML_OK) return status;

    // what the motion needs, with no row pushing
    newton_merit merit;
    memset(s->lambda, 0, (size_t)s->row_count * sizeof(double));
    tml__quat_residual(s, stage, &merit);
    const double needed = merit.merit;
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] = -s->residual[i];
    memset(s->dl, 0, (size_t)s->row_count * sizeof(double));
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    // the factor of the last iteration on positions, an update of at most the tolerance ago
    status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->lambda);
    if (status != TML_OK) return status;
    for (int row = 0; row < s->row_count; row++) s->lambda[row] /= stage->c_q;

    tml__quat_residual(s, stage, &merit);
    report->last = merit;
    // positions do not depend on forces here, so this only asks whether a freedom was overlooked: a
    // body that could move would miss its acceleration by far more than rounding
    const double rounding = settings->tolerance * settings->tolerance;
    return merit.merit <= imbalance * imbalance * needed + rounding ? TML_OK : TML_NOT_CONVERGED;
}
