// method/quaternion/kinematic.c - one implicit stage of a mechanism without a freedom left.
//
// Where position actuators and joints determine every pose, positions need no forces: Newton on the
// rows alone finds them, the relation of the stage gives velocities and accelerations, and more
// solves with the same matrix give the multipliers that this motion needs.      [QRBD (33) Sec 6.3]
// With M d - C^T l = -E and C d = 0 a mechanism that cannot move has d = 0, so C^T l = E.
#include "method/quaternion/stage.h"

#include <string.h>

enum {
    EXACT_PASSES = 30,
    QUICK_PASSES = 4,
    QUICK_ROUNDS = 2
};

// Of the forces that the motion needs, the share that rows may leave unexplained,
static const double imbalance = 1e-4;
// and what rounding leaves of it in a mechanism of many bodies on top of each other.
static const double rounding = 1e-8;

// One round: what the rows still have to push.
static tml_status push(maximal_system* s, const form_stage* stage, int passes, newton_merit* merit)
{
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] = -s->residual[i];
    memset(s->dl, 0, (size_t)s->row_count * sizeof(double));
    tml__kkt_set_passes(s->matrix, passes);
    const tml_status status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl);
    if (status != TML_OK) return status;
    for (int row = 0; row < s->row_count; row++) s->lambda[row] += s->dl[row] / stage->c_q;
    merit->merit = tml__quat_balance(s, stage);
    return TML_OK;
}

// The multipliers of the motion at this pose, from where no row pushes. What quick rounds leave the
// equations themselves show, and the next round takes it up; an exact solve has the last word where
// they do not come down to rounding.
static tml_status balance(maximal_system* s, const form_stage* stage, double tolerance,
                          newton_merit* merit)
{
    tml_status status = TML_OK;
    const double needed = merit->merit;
    const double enough = rounding * rounding * needed;
    for (int round = 0; round < QUICK_ROUNDS && merit->merit > enough; round++) {
        status = push(s, stage, QUICK_PASSES, merit);
        if (status != TML_OK) return status;
    }
    if (!(merit->merit <= enough)) status = push(s, stage, EXACT_PASSES, merit);
    if (status != TML_OK) return status;
    // positions do not depend on forces here, so this only asks whether a freedom was overlooked: a
    // body that could move would miss its acceleration by far more than rounding
    return merit->merit <= imbalance * imbalance * needed + tolerance * tolerance
               ? TML_OK
               : TML_NOT_CONVERGED;
}

tml_status tml__quat_solve_kinematic(maximal_system* s, const form_stage* stage,
                                     const newton_settings* settings, newton_report* report)
{
    s->bad_row = -1;
    tml_status status = tml__maximal_close_nearby(s, settings, report);
    if (status != TML_OK) return status;
    // what the motion needs with no row pushing, and the rows where the last update has left them
    memset(s->lambda, 0, (size_t)s->row_count * sizeof(double));
    tml__quat_residual(s, stage, &report->last);
    if (!(report->last.row <= settings->tolerance)) return TML_NOT_CONVERGED;
    // the multipliers need the matrix of this pose: in a long tree an error of the rows adds up from body to
    // body; that of an update within the tolerance ago will do
    if (report->factorisations < report->iterations) {
        status = tml__maximal_factor_position(s);
        report->factorisations++;
    }
    return status == TML_OK ? balance(s, stage, settings->tolerance, &report->last) : status;
}
