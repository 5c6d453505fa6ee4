// test/mujoco/reference.h - what MuJoCo 3.12.0 makes of the micro-models.
// Printed by tools/mujoco_reference; do not edit.
#ifndef TRAMMEL_TEST_MUJOCO_REFERENCE_H
#define TRAMMEL_TEST_MUJOCO_REFERENCE_H

// clang-format off
typedef struct touching_pair {
    const char* file;
    const char* a;
    const char* b;
    double friction;
    int dimensions;
} touching_pair;

static const touching_pair touching_pairs[] = {
    {"contacts_joined.xml", "arm", "base", 0.25, 3},
    {"contacts_joined.xml", "arm", "floor", 1, 3},
    {"contacts_joined.xml", "arm", "tray", 1, 3},
    {"contacts_joined.xml", "base", "floor", 1, 3},
    {"contacts_joined.xml", "base", "hand", 1, 3},
    {"contacts_joined.xml", "hand", "tray", 1, 3},
    {"contacts_joined.xml", "lid", "tray", 1, 3},
    {"contacts_masks.xml", "a", "b", 0.90000000000000002, 3},
    {"contacts_masks.xml", "b", "c", 0.29999999999999999, 3},
    {"contacts_masks.xml", "b", "floor", 0.90000000000000002, 3},
    {"contacts_masks.xml", "e", "f", 1, 3},
    {"contacts_masks.xml", "e", "floor", 0.55000000000000004, 3},
    {"contacts_masks.xml", "f", "floor", 0, 1},
};

typedef struct moved_joint {
    const char* file;
    const char* joint;
    double time;
    double value;
    double rate;
} moved_joint;

static const moved_joint moved_joints[] = {
    {"motion_activation.xml", "upper", 0.4, 0.35424087660040859, 0.95313346515536235},
    {"motion_activation.xml", "lower", 0.4, 1.1094500860748289, 1.510916737913776},
    {"motion_activation.xml", "slide", 0.4, 0.85624917044158821, 3.2474351668784345},
    {"motion_armature.xml", "upper", 0.4, 1.3749677108670948, 3.8628162599340481},
    {"motion_armature.xml", "lower", 0.4, -0.063785516531380024, 2.823884476127422},
    {"motion_armature.xml", "slide", 0.4, 0.13151785659329582, 0.98983974868213032},
    {"motion_free.xml", "upper", 0.4, 1.3606627969634268, 4.082267000569189},
    {"motion_free.xml", "lower", 0.4, 0.72309053976913928, 9.1843027811828932},
    {"motion_gain.xml", "upper", 0.4, 1.3034475349648234, 2.5550021277497033},
    {"motion_gain.xml", "lower", 0.4, -0.1993475784212525, 0.2375522451834097},
    {"motion_gain.xml", "slide", 0.4, 0.65017066532777179, 4.3177788816514386},
    {"motion_hip.xml", "yaw", 0.4, 2.2372723763693569, 8.1174790996806099},
    {"motion_hip.xml", "roll", 0.4, -0.24810094340636385, 4.2780600832761513},
    {"motion_hip.xml", "pitch", 0.4, 1.425325799493508, 2.6167417956930006},
    {"motion_servo.xml", "upper", 0.4, 0.31644495897086122, 0.12518310076239653},
    {"motion_servo.xml", "lower", 0.4, 1.8097041402282006, 6.2940661973211789},
    {"motion_servo.xml", "slide", 0.4, 0.14743035442779343, -0.055902702797134336},
    {"motion_velocity.xml", "upper", 0.4, 1.3464342906322795, 1.4333520404003544},
    {"motion_velocity.xml", "lower", 0.4, -0.034908323092321628, 6.2188996011617377},
    {"motion_velocity.xml", "slide", 0.4, 0.16550138697107739, 1.2464639446341605},
};

// clang-format on
#endif
