// form/quaternion/inertia.h - the inertial part of one body's residual, reduced to 6 unknowns.
#ifndef TML_FORM_QUATERNION_INERTIA_H
#define TML_FORM_QUATERNION_INERTIA_H

#include "math/quat.h"

// What a relation of time/ says about one quaternion: q' = w, w = w_hat + c_v w', q = q_hat + c_q w'.
typedef struct quat_relation {
    double c_v, c_q;
    quat q_hat, w_hat;
} quat_relation;

typedef struct quat_inertia {
    vec3 omega;   // angular velocity, world
    vec3 torque;  // rate of angular momentum as the discretisation sees it, world
    mat3 K;       // d(torque)/d(phi), world rotation vector
    mat3 W;       // d(omega)/d(phi)
} quat_inertia;

// At the unit quaternion q with rotation R and inertia J (body axes).
void tml__quat_inertia(const mat3* J, quat q, const mat3* R, const quat_relation* relation,
                       quat_inertia* out);

#endif
