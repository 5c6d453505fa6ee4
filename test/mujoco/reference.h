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
    {"motion_free.xml", "upper", 0.5, 1.9741301565384075, 7.5167479999823374},
    {"motion_free.xml", "lower", 0.5, 0.8642546159320007, -5.8085912513005926},
};

// clang-format on
#endif
