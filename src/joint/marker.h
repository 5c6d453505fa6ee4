// joint/marker.h - all that a joint, force or contact ever sees of a body.
#ifndef TML_JOINT_MARKER_H
#define TML_JOINT_MARKER_H

#include "math/mat3.h"

// A point of a body and three axes fixed to the body there, all in world coordinates.
// The axes are orthonormal on a rigid body and only nearly so on an affine one.
typedef struct marker {
    vec3 point;
    vec3 axis[3];
} marker;

// The axes turned: column k of `turn` says which combination of the old axes the new axis k is.
static inline marker marker_turn(const marker* m, const mat3* turn)
{
    marker out = {.point = m->point};
    for (int k = 0; k < 3; k++) {
        out.axis[k] = v3_scale(turn->m[0][k], m->axis[0]);
        out.axis[k] = v3_axpy(out.axis[k], turn->m[1][k], m->axis[1]);
        out.axis[k] = v3_axpy(out.axis[k], turn->m[2][k], m->axis[2]);
    }
    return out;
}

#endif
