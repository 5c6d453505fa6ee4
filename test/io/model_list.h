// test/io/model_list.h - every public model of the shared set, for the tests that go over all of them.
#ifndef TRAMMEL_TEST_IO_MODEL_LIST_H
#define TRAMMEL_TEST_IO_MODEL_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct model_entry {
    const char* kind;  // folder and ending
    const char* folder;
    const char* file;     // without its ending
    const char* refusal;  // NULL: it loads
    bool weighs_meshes;   // its masses come from mesh files
} model_entry;

static const model_entry entries[] = {
    {"mjcf", "agility_cassie", "cassie", NULL, false},
    {"mjcf", "aloha", "aloha", NULL, false},
    {"mjcf", "dm_control_suite", "acrobot", NULL, false},
    {"mjcf", "dm_control_suite", "ball_in_cup", NULL, false},
    {"mjcf", "dm_control_suite", "cartpole", NULL, false},
    {"mjcf", "dm_control_suite", "cheetah", NULL, false},
    {"mjcf", "dm_control_suite", "finger", NULL, false},
    {"mjcf", "dm_control_suite", "fish", NULL, false},
    {"mjcf", "dm_control_suite", "hopper", NULL, false},
    {"mjcf", "dm_control_suite", "humanoid", NULL, false},
    {"mjcf", "dm_control_suite", "manipulator", NULL, false},
    {"mjcf", "dm_control_suite", "pendulum", NULL, false},
    {"mjcf", "dm_control_suite", "point_mass", NULL, false},
    {"mjcf", "dm_control_suite", "reacher", NULL, false},
    {"mjcf", "dm_control_suite", "stacker", NULL, false},
    {"mjcf", "dm_control_suite", "walker", NULL, false},
    {"mjcf", "franka_emika_panda", "panda", NULL, false},
    {"mjcf", "gymnasium", "ant", NULL, false},
    {"mjcf", "gymnasium", "half_cheetah", NULL, false},
    {"mjcf", "gymnasium", "hopper", NULL, false},
    {"mjcf", "gymnasium", "humanoid", NULL, false},
    {"mjcf", "gymnasium", "inverted_double_pendulum", NULL, false},
    {"mjcf", "gymnasium", "inverted_pendulum", NULL, false},
    {"mjcf", "gymnasium", "reacher", NULL, false},
    {"mjcf", "gymnasium", "swimmer", NULL, false},
    {"mjcf", "gymnasium", "walker2d_v5", NULL, false},
    {"mjcf", "iit_softfoot", "softfoot", NULL, false},
    {"mjcf", "kuka_iiwa_14", "iiwa14", NULL, false},
    {"mjcf", "mujoco_car", "car", NULL, false},
    {"mjcf", "mujoco_dominos", "dominos", NULL, false},
    {"mjcf", "mujoco_humanoid", "22_humanoids", NULL, false},
    {"mjcf", "mujoco_humanoid", "humanoid", NULL, false},
    {"mjcf", "mujoco_newton_cradle", "newton_cradle", NULL, false},
    {"mjcf", "mujoco_slider_crank", "slider_crank", NULL, false},
    {"mjcf", "mujoco_tendon_arm", "arm26", NULL, false},
    {"mjcf", "newton_constraints", "constraints", NULL, false},
    {"mjcf", "pal_talos", "talos", NULL, false},
    {"mjcf", "robotiq_2f85", "2f85", NULL, true},
    {"mjcf", "skydio_x2", "x2", NULL, false},
    {"mjcf", "trossen_wx250s", "wx250s", NULL, false},
    {"mjcf", "unitree_go2", "go2", NULL, false},
    {"mjcf", "unitree_h1", "h1", NULL, false},
    {"mjcf", "universal_robots_ur5e", "ur5e", NULL, false},
    {"mjcf", "wonik_allegro", "left_hand", NULL, true},
    {"mjcf", "wonik_allegro", "right_hand", NULL, true},
    {"sdf", "drake_four_bar", "four_bar", NULL, false},
    {"sdf", "pinocchio_parallel", "parallel", NULL, false},
    {"urdf", "acrobot", "acrobot", NULL, false},
    {"urdf", "anymal_b", "anymal", NULL, false},
    {"urdf", "atlas", "atlas_convex_hull", NULL, false},
    {"urdf", "atlas", "atlas_minimal_contact", NULL, false},
    {"urdf", "cassie_like", "robot", NULL, false},
    {"urdf", "cassie_v2", "cassie_v2", NULL, false},
    {"urdf", "digit_like_2legs", "robot", NULL, false},
    {"urdf", "disney_robot", "robot", NULL, false},
    {"urdf", "dojo_fourbar", "fourbar", NULL, false},
    {"urdf", "double_pendulum", "double_pendulum", NULL, false},
    {"urdf", "double_pendulum", "double_pendulum_continuous", NULL, false},
    {"urdf", "double_pendulum", "double_pendulum_simple", NULL, false},
    {"urdf", "five_bar", "robot", NULL, false},
    {"urdf", "hyq", "hyq_no_sensors", NULL, false},
    {"urdf", "kangaroo_like_2legs", "robot", NULL, false},
    {"urdf", "minitaur", "minitaur", NULL, false},
    {"urdf", "panda", "panda", NULL, false},
    {"urdf", "pr2", "pr2_simplified", NULL, false},
    {"urdf", "quadruped_simple", "quadruped", NULL, false},
    {"urdf", "robot_delta", "robot", NULL, false},
    {"urdf", "romeo", "romeo_small", "triangle inequality", false},
    {"urdf", "simple_humanoid", "simple_humanoid", NULL, false},
    {"urdf", "solo12", "solo12", NULL, false},
    {"urdf", "talos_like", "robot", NULL, false},
    {"urdf", "ur5", "ur5_robot", NULL, false},
};

enum {
    ENTRIES = sizeof entries / sizeof *entries
};

#endif
