// method/quaternion/stage.h - the steps of the quaternion formulation.              [QRBD Sec 3 Sec 6]
#ifndef TML_METHOD_QUATERNION_STAGE_H
#define TML_METHOD_QUATERNION_STAGE_H

#include "method/partials.h"

// Solve one implicit stage from the guess in s->x and s->lambda (stage.c). On success s->x,
// s->lambda hold the solution and the bodies are placed there with the stage's velocities.
tml_status tml__quat_solve_stage(maximal_system* s, const form_stage* stage,
                                 const newton_settings* settings, newton_report* report);

// The same for a mechanism whose rows leave no freedom (kinematic.c): positions from the rows alone,
// then multipliers from what the motion needs. TML_NOT_CONVERGED also when the forces do not
// balance, which means that a freedom is left after all.                            [QRBD (33) Sec 6.3]
tml_status tml__quat_solve_kinematic(maximal_system* s, const form_stage* stage,
                                     const newton_settings* settings, newton_report* report);

// The residual of a stage at s->x and s->lambda: forces in s->residual (times c_q), rows in s->C.
void tml__quat_residual(maximal_system* s, const form_stage* stage, newton_merit* out);

// The same forces again with other multipliers, of rows that do not give way; returns the merit.
double tml__quat_balance(maximal_system* s, const form_stage* stage);

// The Newton matrix of a stage where tml__quat_residual has evaluated it, into s->matrix.
void tml__quat_matrix(maximal_system* s, const form_stage* stage);

// Are rows asked on another level than that of positions? Then, at the placed bodies of the stage in
// progress, s->C is c of levels.c; the largest.
double tml__quat_level_rows(maximal_system* s);

// ---- derivatives of a stage that tml__quat_residual has evaluated (partials.c)

// E (6 a node, not times c_q) and the velocities (6 a node: linear, angular) by the hats (7 a node each),
// the pose held.
void tml__quat_hat_product(maximal_system* s, const form_stage* stage, partial_direction way,
                           double* q_hat, double* v_hat, double* E, double* velocities);

// The inertial part by mass and inertia; self is a quat_inertia_point.
typedef struct quat_inertia_point {
    const maximal_system* system;
    const form_stage* stage;
} quat_inertia_point;

void tml__quat_inertia_columns(const void* self, int node, inertia_columns* out);

// One step of the semi-implicit baseline, x, v and lambda in place (semi_implicit.c). [QRBD App D]
typedef struct quat_explicit {
    double t, h, baumgarte;
    const drive* given;  // targets at the end of the step, NULL: the model's
} quat_explicit;

tml_status tml__quat_semi_implicit(maximal_system* s, const quat_explicit* step, double* x,
                                   double* v, double* lambda);

#endif
