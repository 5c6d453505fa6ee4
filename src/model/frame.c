// model/frame.c - the axes of a joint from what the definition gives.
#include "math/mat3.h"
#include "model/spec.h"

// a_x is given; a_y = e x a_x, e the world axis with the smallest |component| of a_x (the first on
// ties); a_z completes a right-handed frame.
static void complete(vec3 x, vec3 axes[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(v3_at(x, k)) < fabs(v3_at(x, least))) least = k;
    }
    const vec3 y = v3_cross(v3_unit(least), x);

    axes[0] = x;
    axes[1] = v3_scale(1.0 / v3_norm(y), y);
    axes[2] = v3_cross(axes[0], axes[1]);
}

// Given axes must be orthonormal to 1e-9; what is left of that is removed, so that rotations made
// from them are rotations to the last bit.
static tml_status check_given(const tml_joint_def* def, const vec3 given[3], vec3 axes[3],
                              message* why)
{
    const double dots[6] = {
        v3_dot(given[0], given[0]) - 1.0, v3_dot(given[1], given[1]) - 1.0,
        v3_dot(given[2], given[2]) - 1.0, v3_dot(given[0], given[1]),
        v3_dot(given[1], given[2]),       v3_dot(given[2], given[0]),
    };
    for (int k = 0; k < 6; k++) {
        if (!(fabs(dots[k]) <= 2e-9)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "joint '%s': axes must be orthonormal to 1e-9, but are off by %.2g",
                             def->name, fabs(dots[k]));
        }
    }
    if (v3_dot(v3_cross(given[0], given[1]), given[2]) < 0.0) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': axes must be right-handed", def->name);
    }
    axes[0] = v3_scale(1.0 / v3_norm(given[0]), given[0]);
    const vec3 z = v3_cross(axes[0], given[1]);
    axes[2] = v3_scale(1.0 / v3_norm(z), z);
    axes[1] = v3_cross(axes[2], axes[0]);
    return TML_OK;
}

tml_status tml__joint_axes(const tml_joint_def* def, int is_follower, tml_vec3 axes[3],
                           message* why)
{
    const int own = is_follower && def->has_follower_frame;
    const int has_axes = own ? def->has_follower_axes : def->has_axes;
    const vec3* given = own ? def->follower_axes : def->axes;
    const vec3 axis = own ? def->follower_axis : def->axis;

    if (has_axes) return check_given(def, given, axes, why);

    const double length = v3_norm(axis);
    if (length == 0.0) {
        for (int k = 0; k < 3; k++) axes[k] = v3_unit(k);
        return TML_OK;
    }
    // |axis| outside 1e-12 .. 1e12: no reliable direction
    if (!(length > 1e-12 && length < 1e12)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': axis has no usable length (%g)",
                         def->name, length);
    }
    complete(v3_scale(1.0 / length, axis), axes);
    return TML_OK;
}
