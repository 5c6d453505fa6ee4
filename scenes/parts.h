// scenes/parts.h - the pieces that scenes are put together from.
#ifndef TRAMMEL_SCENES_PARTS_H
#define TRAMMEL_SCENES_PARTS_H

#include <trammel/trammel.h>

// A colour as it is written in a scene, 0xc8963e. A few that go together:
enum {
    COLOR_STEEL = 0x8c99a8,
    COLOR_BRASS = 0xc8963e,
    COLOR_RED = 0xb4483c,
    COLOR_BLUE = 0x3c6eb4,
    COLOR_GREEN = 0x5a9a5a,
    COLOR_DARK = 0x3a3f47,
    COLOR_LIGHT = 0xd8dce2,
};

static inline tml_vec3 vec(double x, double y, double z) { return (tml_vec3){x, y, z}; }

tml_vec3 cross(tml_vec3 a, tml_vec3 b);
tml_vec3 sum(tml_vec3 a, tml_vec3 b);
tml_vec3 rotate(tml_quat q, tml_vec3 a);

// Orientations that need no sine: body x along the world axis named.
tml_quat turn_none(void);
tml_quat turn_z_to_x(void);  // for shapes along z that should lie along x
tml_quat turn_z_to_y(void);
tml_quat turn_x_to_down(void);  // body x along -z

tml_shape_def shape_box(tml_vec3 size, tml_vec3 position, int color);
tml_shape_def shape_sphere(double radius, tml_vec3 position, int color);
tml_shape_def shape_cylinder(double radius, double length, tml_vec3 position, tml_quat orientation,
                             int color);
tml_shape_def shape_capsule(double radius, double length, tml_vec3 position, tml_quat orientation,
                            int color);

// A body at rest without shapes: mass and diagonal inertia about its centre of mass.
tml_body_def body_at(const char* name, double mass, tml_vec3 inertia, tml_vec3 position);

// A body whose mass, centre of mass and inertia follow from its shapes, all of one density.
// The shapes are borrowed until the body is added.
tml_body_def body_of(const char* name, tml_shape_def* shapes, int count, double density,
                     tml_vec3 position);

// Velocity of a frame that turns with the body about a fixed point.
tml_velocity spin_about(tml_vec3 point, tml_vec3 omega, tml_vec3 origin);

tml_joint_def joint_of(const char* name, tml_joint_kind kind, tml_body base, tml_body follower,
                       tml_vec3 position, tml_vec3 axis);

// The steps that a scene asks for.
void run_for(tml_run_settings* settings, double step, double duration);

#endif
