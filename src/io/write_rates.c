// io/write_rates.c - how a scene moves at load, as rates of the coordinates of its joints.
//
// About the follower's joint point a slide is a velocity along an axis of the base, and a turn a
// rotation about an axis that the turns before it have moved, so both are found apart.
#include "io/write_robot.h"

#include <math.h>

static pose pose_of(const robot_writer* t, int body)
{
    return body >= 0 ? t->all->bodies[body].pose : pose_identity();
}

static tml_velocity velocity_of(const robot_writer* t, int body)
{
    return body >= 0 ? t->all->bodies[body].velocity : (tml_velocity){{0, 0, 0}, {0, 0, 0}};
}

// The velocity of what moves with a body at a point of the world.
static vec3 velocity_at(const robot_writer* t, int body, vec3 point)
{
    const tml_velocity v = velocity_of(t, body);
    return v3_add(v.linear, v3_cross(v.angular, v3_sub(point, pose_of(t, body).p)));
}

bool tml__tree_moves(const robot_writer* t, int body)
{
    const tml_velocity v = velocity_of(t, body);
    return v3_max(v.linear) > 0.0 || v3_max(v.angular) > 0.0;
}

vec3 tml__tree_spin(const robot_writer* t, int joint)
{
    const int follower = t->joints[joint].follower.index;
    const vec3 omega = v3_sub(velocity_of(t, follower).angular,
                              velocity_of(t, t->joints[joint].base.index).angular);
    return q_rotate(q_conj(pose_of(t, follower).q), omega);
}

// The rates about up to three axes whose sum is omega; neighbours stand at right angles, but the
// first and the last need not. False where they lie in one plane.
static bool split(int count, const vec3 axis[3], vec3 omega, double* rate)
{
    for (int k = 0; k < count; k++) rate[k] = v3_dot(axis[k], omega);
    if (count < 3) return true;
    const double volume = v3_dot(axis[0], v3_cross(axis[1], axis[2]));
    if (fabs(volume) < 1e-9) return false;
    rate[0] = v3_dot(omega, v3_cross(axis[1], axis[2])) / volume;
    rate[1] = v3_dot(axis[0], v3_cross(omega, axis[2])) / volume;
    rate[2] = v3_dot(axis[0], v3_cross(axis[1], omega)) / volume;
    return true;
}

void tml__tree_rates(robot_writer* t, int joint, double out[TML_AXES])
{
    const tml_joint_def* def = &t->joints[joint];
    const joint_chain* c = &t->chains[joint];
    const int base = def->base.index;
    const int follower = def->follower.index;
    const pose frame = pose_mul(pose_of(t, base), c->base);
    const vec3 point = pose_apply(pose_of(t, follower), c->follower.p);
    vec3 v = v3_sub(velocity_at(t, follower, point), velocity_at(t, base, point));
    vec3 omega = v3_sub(velocity_of(t, follower).angular, velocity_of(t, base).angular);
    const double size = 1.0 + v3_max(v) + v3_max(omega);
    vec3 turns[3];
    quat q = frame.q;
    int slides = 0;

    for (; slides < c->count && c->axis[slides] < TML_AXIS_RX; slides++) {
        const vec3 along = m3_column(q_matrix(frame.q), (int)c->axis[slides]);
        out[slides] = v3_dot(along, v);
        v = v3_axpy(v, -out[slides], along);
    }
    for (int k = slides; k < c->count; k++) {
        const int letter = (int)c->axis[k] - TML_AXIS_RX;
        turns[k - slides] = m3_column(q_matrix(q), letter);
        q = q_mul(q, q_about(letter, c->value[k]));
    }
    const bool is_split = split(c->count - slides, turns, omega, out + slides);
    for (int k = slides; k < c->count && is_split; k++) {
        omega = v3_axpy(omega, -out[k], turns[k - slides]);
    }
    // rounding of velocities that a file gives with 17 digits; anything more is not the joint's
    if (!is_split || v3_max(v) > 1e-9 * size || v3_max(omega) > 1e-9 * size) {
        tml__tree_refuse(
            t, "the velocities at load of joint '%.120s' are none that its coordinates can have",
            def->name);
    }
}
