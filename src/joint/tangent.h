// joint/tangent.h - how a joint's rows, coordinates and wrenches change when something is changed:
// bodies moved, velocities and accelerations altered, the joint's markers shifted and turned in
// their bodies (design changes), targets moved.
//
// Derivatives of trajectories ask for rows at three levels: the row itself, its rate and its second
// time derivative along the motion. All three are answered together.
#ifndef TML_JOINT_TANGENT_H
#define TML_JOINT_TANGENT_H

#include "joint/rigid.h"

// Changes of one body and of the marker that sits on it, world axes.
typedef struct side_tangent {
    vec3 c, phi;          // of the pose: shift of the centre of mass, rotation vector
    vec3 v, omega;        // of the velocities
    vec3 a, alpha;        // of the accelerations
    vec3 point, turning;  // of the marker in the body: shift of the point, turn of the axes
} side_tangent;

typedef struct joint_tangent {
    side_tangent F, B;
    drive target[TML_AXES];
} joint_tangent;

// A joint in motion.
typedef struct joint_motion {
    const joint_data* joint;
    const joint_rows* rows;
    const joint_turn* turn;
    const joint_frame* frame;
    const rigid *F, *B;
    vec3 a_F, alpha_F, a_B, alpha_B;  // accelerations; zeros where only values and rates count
    const drive* targets;             // TML_AXES of them
} joint_motion;

// A number along the motion: itself, its rate, its second time derivative.
typedef struct levels {
    double at[3];
} levels;

// The change of a row, or of a coordinate.
levels tml__row_tangent(const joint_motion* m, const joint_row* row, const joint_tangent* d);
levels tml__coordinate_tangent(const joint_motion* m, tml_axis axis, const joint_tangent* d);

// The rate and the second time derivative of a coordinate itself; its value is not filled.
levels tml__coordinate_levels(const joint_motion* m, tml_axis axis);

// Shifts of the markers' points and turns of their axes, world axes: a change, or a gradient by it.
typedef struct marker_change {
    vec3 point_F, turning_F, point_B, turning_B;
} marker_change;

// The gradient of a row, its rate or its second derivative (level 0, 1, 2) by a change of the markers. False
// for angles, which have none in closed form here.
bool tml__row_marker_slopes(const joint_motion* m, const joint_row* row, int level,
                            marker_change* out);

// The same by the motion of one body: poses and velocities.
typedef struct motion_slopes {
    vec3 c, phi, v, omega;
} motion_slopes;

bool tml__row_motion_slopes(const joint_motion* m, const joint_row* row, int level,
                            motion_slopes* follower, motion_slopes* base);

// How the targets' turning of the markers changes: the turn that the change adds to the turned axes
// of each side, world axes.
void tml__turn_tangent(const joint_motion* m, const joint_tangent* d, vec3* follower, vec3* base);

// A wrench on follower and base about their centres of mass.
typedef struct joint_wrench {
    vec3 f_F, t_F, f_B, t_B;
} joint_wrench;

// The change of the wrench that `bend` describes when the markers shift and turn in their bodies.
joint_wrench tml__marker_wrench(const joint_frame* frame, const rigid_bend* bend,
                                const joint_tangent* d);

#endif
