// math/pose.h - rigid placements: x_outer = p + rotate(q, x_inner), chained and inverted.
#ifndef TML_MATH_POSE_H
#define TML_MATH_POSE_H

#include "math/quat.h"

typedef tml_pose pose;

static inline pose pose_identity(void) { return (pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}; }

static inline vec3 pose_apply(pose a, vec3 x) { return v3_add(a.p, q_rotate(a.q, x)); }

// First b, then a; the quaternion stays unit.
static inline pose pose_mul(pose a, pose b)
{
    return (pose){pose_apply(a, b.p), q_normalize(q_mul(a.q, b.q))};
}

static inline pose pose_inverse(pose a)
{
    const quat q = q_conj(a.q);
    return (pose){v3_neg(q_rotate(q, a.p)), q};
}

#endif
