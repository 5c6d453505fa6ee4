// app/targets.h - following targets: what `ik` and `assemble --targets` share.
#ifndef TRAMMEL_APP_TARGETS_H
#define TRAMMEL_APP_TARGETS_H

#include "app/load.h"

// The axes that a motion is told by: those that position actuators drive or, where there are none,
// all that are free.
typedef struct motion_axis {
    tml_joint joint;
    tml_axis axis;
    int is_driven;
    double* values;  // one per time
} motion_axis;

typedef struct motion {
    tml_targets targets;
    int time_count;
    double* times;
    int axis_count;
    motion_axis* axes;
    tml_pose* first;      // poses at the first time, one per body
    double* last_length;  // per target: distance at the last time, m
    double* last_angle;   // per target, rad
    double worst_length;  // over all times
    double worst_angle;
    double worst_gap;
    int iterations;
} motion;

// Read TARGETS and follow them, at t = 0 only when `is_moving` is false. An exit code; errors have
// been printed.
int motion_follow(const loaded* l, const char* path, bool is_moving, motion* out);
void motion_free(motion* m);

// Put the motion into the scene: poses at the first time, controls as tables. False: no memory, or
// refused.
bool motion_write(const motion* m, const loaded* l, const char* path);

#endif
