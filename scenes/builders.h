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
void scene_chaplygin_sleigh(tml_spec* spec, tml_run_settings* settings);
void scene_rolling_disc(tml_spec* spec, tml_run_settings* settings);

// loops.c, squeezer.c: closed loops with a known solution
void scene_four_bar(tml_spec* spec, tml_run_settings* settings);
void scene_bricard(tml_spec* spec, tml_run_settings* settings);
void scene_n_four_bar(tml_spec* spec, tml_run_settings* settings);
void scene_andrews(tml_spec* spec, tml_run_settings* settings);

// The bodies and joints of "n-four-bar" with any number of windows.
void scenes_add_four_bars(tml_spec* spec, int windows);

// mechanisms.c: held more often than needed
void scene_two_hinge_door(tml_spec* spec, tml_run_settings* settings);
void scene_four_legged_table(tml_spec* spec, tml_run_settings* settings);
void scene_parallelogram_chain(tml_spec* spec, tml_run_settings* settings);
void scene_scissor_lift(tml_spec* spec, tml_run_settings* settings);

// walking.c
void scene_jansen_leg(tml_spec* spec, tml_run_settings* settings);
void scene_overactuated_leg(tml_spec* spec, tml_run_settings* settings);

// robots.c: parallel robots
void scene_stewart_platform(tml_spec* spec, tml_run_settings* settings);
void scene_delta_robot(tml_spec* spec, tml_run_settings* settings);

// transmission.c: couplings
void scene_gear_train(tml_spec* spec, tml_run_settings* settings);
void scene_rack_and_pinion(tml_spec* spec, tml_run_settings* settings);

// hoberman.c
void scene_hoberman_ring(tml_spec* spec, tml_run_settings* settings);
void scene_hoberman_sphere(tml_spec* spec, tml_run_settings* settings);

// figures.c: as large as the published ones
void scene_iron_man_like(tml_spec* spec, tml_run_settings* settings);
void scene_gazelle_like(tml_spec* spec, tml_run_settings* settings);
void scene_satellite_like(tml_spec* spec, tml_run_settings* settings);

// contact.c: bodies that touch
void scene_rolling_ball(tml_spec* spec, tml_run_settings* settings);
void scene_bouncing_balls(tml_spec* spec, tml_run_settings* settings);
void scene_box_stack(tml_spec* spec, tml_run_settings* settings);
void scene_slope(tml_spec* spec, tml_run_settings* settings);
void scene_dominoes(tml_spec* spec, tml_run_settings* settings);
void scene_newtons_cradle(tml_spec* spec, tml_run_settings* settings);
void scene_spinning_box(tml_spec* spec, tml_run_settings* settings);
void scene_gripper(tml_spec* spec, tml_run_settings* settings);
void scene_jointed_pairs(tml_spec* spec, tml_run_settings* settings);
void scene_pair_pile(tml_spec* spec, tml_run_settings* settings);

// The bodies and joints of "jointed-pairs" with any number of pairs.
void scenes_add_pairs(tml_spec* spec, int pairs);

// panda.c: a manipulator
void scene_panda_stack(tml_spec* spec, tml_run_settings* settings);

// heaps.c: hundreds of jointed bodies
void scene_falling_joints(tml_spec* spec, tml_run_settings* settings);

// catch.c: a net and a soft figure
void scene_net_catch(tml_spec* spec, tml_run_settings* settings);

// nets.c: nets of jointed links that fall onto things
void scene_net_on_cylinder(tml_spec* spec, tml_run_settings* settings);
void scene_cloak(tml_spec* spec, tml_run_settings* settings);
void scene_ragdolls(tml_spec* spec, tml_run_settings* settings);

// jumpers.c: robots and a figure on the ground
void scene_jump_worm(tml_spec* spec, tml_run_settings* settings);
void scene_catapult(tml_spec* spec, tml_run_settings* settings);
void scene_ragdoll(tml_spec* spec, tml_run_settings* settings);

#endif
