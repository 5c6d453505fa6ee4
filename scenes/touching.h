// scenes/touching.h - what scenes with contact are put together from.
#ifndef TRAMMEL_SCENES_TOUCHING_H
#define TRAMMEL_SCENES_TOUCHING_H

#include "scenes/links.h"

// Settings of a scene whose bodies touch.
void touch_for(tml_run_settings* settings, double step, double duration);

// The plane z = 0.
void add_floor(tml_spec* spec, double friction);

// A box that never moves, as a shape of the world.
void add_wall(tml_spec* spec, tml_vec3 size, tml_vec3 position, tml_quat orientation,
              double friction);

// A shape made to touch.
tml_shape_def rough(tml_shape_def shape, double friction, double restitution);

// A solid body of one shape, centred on it.
tml_body add_solid_body(tml_spec* spec, const char* name, tml_shape_def shape, double density,
                        tml_pose pose, tml_velocity velocity);

// The same, at rest and upright.
tml_body add_resting_body(tml_spec* spec, const char* name, tml_shape_def shape, double density,
                          tml_vec3 position);

#endif
