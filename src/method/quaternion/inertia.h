// method/quaternion/inertia.h - the inertial part of one body's residual, reduced to 6 unknowns.
#ifndef TML_METHOD_QUATERNION_INERTIA_H
#define TML_METHOD_QUATERNION_INERTIA_H

#include "method/maximal.h"

// What a relation of time/ says about one quaternion: q' = w, w = w_hat + c_v w', q = q_hat + c_q w'.
typedef struct quat_relation {
    double c_v, c_q;
    quat q_hat, w_hat;
} quat_relation;

// At the unit quaternion q with rotation R and inertia J (body axes): omega and torque alone, or with
// their derivatives K and W.
void tml__quat_motion(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                      node_inertia* out);
void tml__quat_inertia(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                       node_inertia* out);

// How torque and omega (world axes) follow the relation: the columns are q_hat (w x y z), then w_hat.
typedef struct hat_columns {
    vec3 torque[8], omega[8];
} hat_columns;

void tml__quat_hat_columns(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                           hat_columns* out);

#endif
