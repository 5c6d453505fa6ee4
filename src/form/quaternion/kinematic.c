// form/quaternion/kinematic.c - one implicit stage of a mechanism without a freedom left.
//
// Where position actuators and joints determine every pose, positions need no forces: Newton on the
// rows alone finds them, the relation of the stage gives velocities and accelerations, and one more
// solve with the same matrix gives the multipliers that this motion needs.      [QRBD (33) Sec 6.3]
// With M d - C^T l = -E and C d = 0 a mechanism that cannot move has d = 0, so C^T l = E.
#include "form/quaternion/stage.h"

#include <math.h>
#include <string.h>

enum {
    EXACT_PASSES = 30
};

// Of the forces that the motion needs, the share that rows may leave unexplained.
static const double imbalance = 1e-4;

tml_status tml__quat_solve_kinematic(maximal_system* s, const form_stage* stage,
                                     const newton_settings* settings, newton_report* report)
{
    s->bad_row = -1;
    tml_status status = tml__maximal_close_nearby(s, settings, report);
    if (status != TML_OK) return status;
    // the multipliers need the matrix of this pose; that of an update within the tolerance ago will do
    if (report->factorisations < report->iterations) {
        status = tml__maximal_factor_position(s);
        report->factorisations++;
    }
    if (status != TML_OK) return status;

    // what the motion needs, with no row pushing
    newton_merit merit;
    memset(s->lambda, 0, (size_t)s->row_count * sizeof(double));
    tml__quat_residual(s, stage, &merit);
    const double needed = merit.merit;
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] = -s->residual[i];
    memset(s->dl, 0, (size_t)s->row_count * sizeof(double));
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
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
