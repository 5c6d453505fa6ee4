// scenes/builders.h - one function a built-in scene; scenes.c is their table.
#ifndef TRAMMEL_SCENES_BUILDERS_H
#define TRAMMEL_SCENES_BUILDERS_H

#include <trammel/trammel.h>

// reference.c: cases with a known solution
void scene_pendulum(tml_spec* spec, tml_run_settings* settings);
void scene_double_pendulum(tml_spec* spec, tml_run_settings* settings);
void scene_universal_pendulum(tml_spec* spec, tml_run_settings* settings);
void scene_free_pendulum(tml_spec* spec, tml_run_settings* settings);
void scene_t_handle(tml_spec* spec, tml_run_settings* settings);
void scene_heavy_top(tml_spec* spec, tml_run_settings* settings);
void scene_heavy_top_150(tml_spec* spec, tml_run_settings* settings);
void scene_flyball_governor(tml_spec* spec, tml_run_settings* settings);

// chain.c
void scene_spherical_chain(tml_spec* spec, tml_run_settings* settings);
void scene_revolute_chain(tml_spec* spec, tml_run_settings* settings);

// machine.c: driven mechanisms
void scene_robot_arm(tml_spec* spec, tml_run_settings* settings);
void scene_showcase(tml_spec* spec, tml_run_settings* settings);
void scene_gears(tml_spec* spec, tml_run_settings* settings);

// gallery.c: one feature each
void scene_joint_zoo(tml_spec* spec, tml_run_settings* settings);
void scene_spring_net(tml_spec* spec, tml_run_settings* settings);
void scene_flap(tml_spec* spec, tml_run_settings* settings);

#endif
