// joint/rigid.h - rows and coordinates of a joint between two rigid bodies.
//
// Every formulation that moves rigid bodies by twists (quaternion, variational, rigid affine) uses
// these: motions are (dc, dphi) per body, c the centre of mass, dphi a world rotation vector.
// Nothing a joint does depends on where the world's origin is, so a gradient is three vectors:
// force n on the follower, -n on the base, and a torque on each.
#ifndef TML_JOINT_RIGID_H
#define TML_JOINT_RIGID_H

#include "joint/rows.h"

// A rigid body at one instant.
typedef struct rigid {
    vec3 c;      // centre of mass
    quat q;      // unit
    mat3 R;      // of q
    vec3 v;      // velocity of the centre of mass
    vec3 omega;  // world axes
} rigid;

// How the velocities of an implicit step follow its positions: dv = g dc, domega = W dphi.
typedef struct lift {
    double g;
    mat3 W;
} lift;

// A joint at one state.
typedef struct joint_frame {
    vec3 r_F;    // from the follower's centre of mass to its joint point
    vec3 r_B;    // from the base's centre of mass to its joint point
    vec3 arm_B;  // from the base's centre of mass to the follower's joint point
    marker F, B;
    marker F_turned, B_turned;  // by the targets
} joint_frame;

void tml__joint_frame(const joint_data* j, const joint_turn* turn, const rigid* F, const rigid* B,
                      joint_frame* out);

typedef struct rigid_gradient {
    vec3 n;    // on the follower's centre of mass; -n on the base's
    vec3 t_F;  // on the follower's rotation
    vec3 t_B;  // on the base's rotation
} rigid_gradient;

typedef struct row_value {
    double C;
    rigid_gradient g;
} row_value;

// A row at the state of `frame`; `target` is the drive of the row's axis (zero where held).
row_value tml__row_eval(const joint_data* j, const joint_row* row, const joint_frame* frame,
                        const drive* target);

// All rows of a joint, whose targets are the drives of its axes.
void tml__rows_eval(const joint_data* j, const joint_rows* rows, const joint_frame* frame,
                    const drive targets[TML_AXES], double* C, rigid_gradient* g);

// Smallest consistency value of the joint: 1 when assembled, 0 or -1 when flipped. 1 when none.
double tml__joint_consistency(const joint_rows* rows, const joint_frame* frame);

// A coordinate with its gradient.
typedef struct coordinate_rigid {
    double value;
    rigid_gradient g;
} coordinate_rigid;

coordinate_rigid tml__coordinate_rigid(const joint_data* j, tml_axis axis, double hint,
                                       const joint_frame* frame);

// The derivative of wrenches along the gradients above: what force along the base's axes, and how
// its torque t on the follower (-t on the base) turns: dt = D_F dphi_F + D_B dphi_B.
typedef struct rigid_bend {
    vec3 force;
    mat3 D_F, D_B;
} rigid_bend;

void tml__bend_row(const joint_data* j, const joint_row* row, const joint_frame* frame,
                   const drive* target, double lambda, rigid_bend* bend);
void tml__bend_coordinate(const joint_data* j, tml_axis axis, double hint, const joint_frame* frame,
                          double force, rigid_bend* bend);

// Add scale times the derivative to the four 6 x 6 blocks (rows: wrench, columns: motion). A NULL
// block is a body that does not move.
void tml__bend_blocks(const joint_frame* frame, const rigid_bend* bend, double scale, double* FF,
                      double* FB, double* BF, double* BB);

// V^T (d wrench / dx) V for a unit force: the part of a coordinate's second time derivative that
// velocities alone make.
double tml__bend_velocity(const joint_frame* frame, const rigid_bend* bend, const rigid* F,
                          const rigid* B);

// What moves a row besides the bodies' accelerations.
typedef struct row_motion {
    double rate;  // dC/dt at fixed positions: the targets' part of the velocity equation
    double bias;  // d2C/dt2 at zero accelerations: velocities' and targets' part
} row_motion;

row_motion tml__row_motion(const joint_data* j, const joint_row* row, const joint_turn* turn,
                           const joint_frame* frame, const rigid* F, const rigid* B,
                           const drive* target);

// g . V: the rate of a row or coordinate by the bodies' velocities.
static inline double rigid_rate(const rigid_gradient* g, const rigid* F, const rigid* B)
{
    return v3_dot(g->n, v3_sub(F->v, B->v)) + v3_dot(g->t_F, F->omega) + v3_dot(g->t_B, B->omega);
}

// Targets of all joint axes and servos at time t; `given`, when not NULL, replaces what the
// model's controls say, one drive per actuated axis.
typedef struct drives {
    drive* axis;   // TML_AXES per joint: control
    drive* servo;  // TML_AXES per joint: servo target
} drives;

void tml__drives_eval(const tml_model* m, double t, const drive* given, drives* out);

#endif
