// scenes/links.h - what mechanisms are put together from: links between points, hinges, motors.
//
// Sines and cosines are never called: directions come from points, half angles from square roots,
// so that a scene is the same bits everywhere.
#ifndef TRAMMEL_SCENES_LINKS_H
#define TRAMMEL_SCENES_LINKS_H

#include "scenes/parts.h"

// ---- vectors and orientations

tml_vec3 minus(tml_vec3 a, tml_vec3 b);
tml_vec3 scaled_by(double s, tml_vec3 a);
tml_vec3 middle_of(tml_vec3 a, tml_vec3 b);
double dot_of(tml_vec3 a, tml_vec3 b);
double length_of(tml_vec3 a);
tml_vec3 unit_of(tml_vec3 a);

// A unit vector at right angles to a direction: the one nearest to `wish`, which must not be
// parallel to it.
tml_vec3 across_of(tml_vec3 direction, tml_vec3 wish);

// The world axis that is farthest from a direction.
tml_vec3 farthest_axis(tml_vec3 direction);

// The orientation of a frame with these x and z axes, which are perpendicular unit vectors.
tml_quat turn_axes(tml_vec3 x, tml_vec3 z);

// For shapes along z that should lie along a direction.
tml_quat turn_z_along(tml_vec3 direction);

// The point at distance r_a from a and r_b from b in the plane across `normal`, on the left of
// a -> b for an eye that the normal points to.
tml_vec3 meet(tml_vec3 a, double r_a, tml_vec3 b, double r_b, tml_vec3 normal);

// ---- links

// A straight uniform link: the frame in its middle, body x from a to b, body z along `normal`
// made perpendicular to it.
typedef struct link_def {
    const char* name;
    tml_vec3 a, b, normal;
    double mass;           // kg
    double axial, across;  // inertia about body x, and about y and z, kg m^2
    double radius;         // of the capsule that is drawn, m
    int color;
    tml_velocity velocity;
} link_def;

// The mass and inertia of a solid cylinder of this radius and density; normal z, at rest.
link_def link_between(const char* name, tml_vec3 a, tml_vec3 b, double radius, int color);
tml_body add_link(tml_spec* spec, const link_def* def);

// A capsule between two points of the body frame.
tml_shape_def shape_strut(double radius, tml_vec3 a, tml_vec3 b, int color);

// ---- joints and their controls

tml_joint add_joint(tml_spec* spec, const char* name, tml_joint_kind kind, tml_body base,
                    tml_body follower, tml_vec3 point, tml_vec3 axis);
tml_joint add_hinge(tml_spec* spec, const char* name, tml_body base, tml_body follower,
                    tml_vec3 point, tml_vec3 axis);

// A hinge whose angle follows a control.
tml_joint add_motor(tml_spec* spec, const char* name, tml_body base, tml_body follower,
                    tml_vec3 point, tml_vec3 axis, tml_control control);

// A universal joint for a rod: turns about x then y, both across the rod at load.
tml_joint add_cross(tml_spec* spec, const char* name, tml_body base, tml_body rod, tml_vec3 point,
                    tml_vec3 along);

// amplitude (1 - cos(2 pi frequency t)): zero and at rest at load.
tml_control swing(double amplitude, double frequency);

#endif
