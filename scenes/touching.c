// scenes/touching.c - floors, walls and solid bodies.
#include "scenes/touching.h"

void touch_for(tml_run_settings* settings, double step, double duration)
{
    settings->sim.formulation = TML_FORM_GENERALIZED;
    settings->sim.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    settings->sim.contact.is_on = 1;
    run_for(settings, step, duration);
}

tml_shape_def rough(tml_shape_def shape, double friction, double restitution)
{
    shape.friction = friction;
    shape.restitution = restitution;
    return shape;
}

void add_floor(tml_spec* spec, double friction)
{
    tml_shape_def plane = tml_shape_def_default();
    plane.kind = TML_SHAPE_PLANE;
    plane.friction = friction;
    tml_spec_add_world_shape(spec, &plane);
}

void add_wall(tml_spec* spec, tml_vec3 size, tml_vec3 position, tml_quat orientation,
              double friction)
{
    tml_shape_def wall = rough(shape_box(size, position, COLOR_LIGHT), friction, 0.0);
    wall.pose.q = orientation;
    tml_spec_add_world_shape(spec, &wall);
}

tml_body add_solid_body(tml_spec* spec, const char* name, tml_shape_def shape, double density,
                        tml_pose pose, tml_velocity velocity)
{
    tml_body_def body = body_of(name, &shape, 1, density, pose.p);
    body.pose.q = pose.q;
    body.velocity = velocity;
    return tml_spec_add_body(spec, &body);
}

tml_body add_resting_body(tml_spec* spec, const char* name, tml_shape_def shape, double density,
                          tml_vec3 position)
{
    const tml_velocity rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return add_solid_body(spec, name, shape, density, (tml_pose){position, turn_none()}, rest);
}
