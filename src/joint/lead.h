// joint/lead.h - bodies that are led: joints that hold or drive every axis say where their follower is.
#ifndef TML_JOINT_LEAD_H
#define TML_JOINT_LEAD_H

#include "joint/rigid.h"

// Is every axis that the joint leaves free driven by position?
bool tml__joint_leads(const joint_data* j);

// Per body and the world: does it never move, or hang on such a body by a joint that leads?
void tml__find_led(const tml_model* m, bool* is_led);

// The drives of a joint's axes at time t; `given`: the caller's controls, NULL: those of the model.
void tml__joint_drives(const joint_data* j, double t, const drive* given, drive out[TML_AXES]);

// A point that moves.
typedef struct point_motion {
    vec3 x, v, a;
} point_motion;

// How a body's velocities change: of the centre of mass, and about it; world axes.
typedef struct rigid_acceleration {
    vec3 linear, angular;
} rigid_acceleration;

// Where the slides of a joint have the point that it holds of its follower, whatever turns that; of_B NULL: no
// accelerations.
point_motion tml__joint_lead_point(const joint_data* j, const drive axis[TML_AXES], const rigid* B,
                                   const rigid_acceleration* of_B);

// Pose and rates of the follower where the coordinates have these values and rates; held axes: zero.
void tml__joint_lead(const joint_data* j, const drive axis[TML_AXES], const rigid* B, rigid* F);

// The follower's accelerations, at the poses and rates that tml__joint_lead gives.
rigid_acceleration tml__joint_lead_acceleration(const joint_data* j, const drive axis[TML_AXES],
                                                const rigid* B, const rigid_acceleration* of_B,
                                                const rigid* F);

#endif
