// scenes/links.c - links between points, hinges and motors, from square roots alone.
#include "scenes/links.h"

#include <math.h>

static const double density = 2000.0;  // kg/m^3, between plastic and aluminium
static const double pi = 3.14159265358979323846;

// ---- vectors and orientations

tml_vec3 minus(tml_vec3 a, tml_vec3 b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
tml_vec3 scaled_by(double s, tml_vec3 a) { return vec(s * a.x, s * a.y, s * a.z); }
tml_vec3 middle_of(tml_vec3 a, tml_vec3 b) { return scaled_by(0.5, sum(a, b)); }
double dot_of(tml_vec3 a, tml_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length_of(tml_vec3 a) { return sqrt(dot_of(a, a)); }
tml_vec3 unit_of(tml_vec3 a) { return scaled_by(1.0 / length_of(a), a); }

tml_vec3 across_of(tml_vec3 direction, tml_vec3 wish)
{
    const tml_vec3 u = unit_of(direction);
    const tml_vec3 once = minus(wish, scaled_by(dot_of(u, wish), u));

    // a second pass takes away what rounding left of u in a nearly parallel wish
    return unit_of(minus(once, scaled_by(dot_of(u, once), u)));
}

// The quaternion of a rotation matrix with columns x, y, z. Of the four numbers the largest comes
// from a root and the others from quotients by it, so that nothing cancels.
static tml_quat from_columns(tml_vec3 x, tml_vec3 y, tml_vec3 z)
{
    const double squares[4] = {1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z,
                               1.0 - x.x - y.y + z.z};  // 4 w^2, 4 x^2, 4 y^2, 4 z^2
    int best = 0;

    for (int k = 1; k < 4; k++) {
        if (squares[k] > squares[best]) best = k;
    }
    const double twice = sqrt(squares[best]);
    const double s = 0.5 / twice;
    switch (best) {
    case 0: return (tml_quat){0.5 * twice, s * (y.z - z.y), s * (z.x - x.z), s * (x.y - y.x)};
    case 1: return (tml_quat){s * (y.z - z.y), 0.5 * twice, s * (y.x + x.y), s * (z.x + x.z)};
    case 2: return (tml_quat){s * (z.x - x.z), s * (y.x + x.y), 0.5 * twice, s * (z.y + y.z)};
    default: return (tml_quat){s * (x.y - y.x), s * (z.x + x.z), s * (z.y + y.z), 0.5 * twice};
    }
}

tml_quat turn_axes(tml_vec3 x, tml_vec3 z) { return from_columns(x, cross(z, x), z); }

tml_vec3 farthest_axis(tml_vec3 direction)
{
    const double x = fabs(direction.x);
    const double y = fabs(direction.y);
    const double z = fabs(direction.z);

    if (x <= y && x <= z) return vec(1.0, 0.0, 0.0);
    return y <= z ? vec(0.0, 1.0, 0.0) : vec(0.0, 0.0, 1.0);
}

tml_quat turn_z_along(tml_vec3 direction)
{
    return turn_axes(across_of(direction, farthest_axis(direction)), unit_of(direction));
}

// The foot of the triangle's height on a -> b, then the height to the left.
tml_vec3 meet(tml_vec3 a, double r_a, tml_vec3 b, double r_b, tml_vec3 normal)
{
    const double base = length_of(minus(b, a));
    const tml_vec3 along = unit_of(minus(b, a));
    const double foot = (base * base + r_a * r_a - r_b * r_b) / (2.0 * base);
    const double height = sqrt(r_a * r_a - foot * foot);

    return sum(a, sum(scaled_by(foot, along), scaled_by(height, cross(normal, along))));
}

// ---- links

link_def link_between(const char* name, tml_vec3 a, tml_vec3 b, double radius, int color)
{
    const double length = length_of(minus(b, a));
    const double mass = density * pi * radius * radius * length;

    return (link_def){
        .name = name,
        .a = a,
        .b = b,
        .normal = {0.0, 0.0, 1.0},
        .mass = mass,
        .axial = 0.5 * mass * radius * radius,
        .across = mass * (3.0 * radius * radius + length * length) / 12.0,
        .radius = radius,
        .color = color,
    };
}

tml_body add_link(tml_spec* spec, const link_def* def)
{
    const tml_vec3 along = minus(def->b, def->a);
    const tml_shape_def shape =
        shape_capsule(def->radius, length_of(along), vec(0.0, 0.0, 0.0), turn_z_to_x(), def->color);
    tml_body_def body = body_at(def->name, def->mass, vec(def->axial, def->across, def->across),
                                middle_of(def->a, def->b));

    body.pose.q = turn_axes(unit_of(along), across_of(along, def->normal));
    body.velocity = def->velocity;
    body.shapes = &shape;
    body.shape_count = 1;
    return tml_spec_add_body(spec, &body);
}

tml_shape_def shape_strut(double radius, tml_vec3 a, tml_vec3 b, int color)
{
    const tml_vec3 along = minus(b, a);

    return shape_capsule(radius, length_of(along), middle_of(a, b), turn_z_along(along), color);
}

// ---- joints and their controls

tml_joint add_joint(tml_spec* spec, const char* name, tml_joint_kind kind, tml_body base,
                    tml_body follower, tml_vec3 point, tml_vec3 axis)
{
    const tml_joint_def joint = joint_of(name, kind, base, follower, point, axis);

    return tml_spec_add_joint(spec, &joint);
}

tml_joint add_hinge(tml_spec* spec, const char* name, tml_body base, tml_body follower,
                    tml_vec3 point, tml_vec3 axis)
{
    return add_joint(spec, name, TML_JOINT_REVOLUTE, base, follower, point, axis);
}

tml_joint add_motor(tml_spec* spec, const char* name, tml_body base, tml_body follower,
                    tml_vec3 point, tml_vec3 axis, tml_control control)
{
    tml_joint_def joint = joint_of(name, TML_JOINT_REVOLUTE, base, follower, point, axis);

    joint.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    joint.axis_of[TML_AXIS_RX].control = control;
    return tml_spec_add_joint(spec, &joint);
}

tml_joint add_cross(tml_spec* spec, const char* name, tml_body base, tml_body rod, tml_vec3 point,
                    tml_vec3 along)
{
    tml_joint_def joint = joint_of(name, TML_JOINT_UNIVERSAL, base, rod, point, vec(0.0, 0.0, 0.0));

    joint.has_axes = 1;
    joint.axes[2] = unit_of(along);
    joint.axes[0] = across_of(along, farthest_axis(along));
    joint.axes[1] = cross(joint.axes[2], joint.axes[0]);
    return tml_spec_add_joint(spec, &joint);
}

tml_control swing(double amplitude, double frequency)
{
    return tml_control_sine(amplitude, amplitude, frequency, -1.57079632679489661923);
}
