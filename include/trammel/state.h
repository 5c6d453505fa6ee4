// trammel/state.h - the state of a simulation as whole arrays, set anew, reset, and copied.
//
// What sim.h answers body by body and joint by joint is here one call: one array each, in the order
// of the model. Coordinates and rates are numbered joint by joint, the free axes of each in the order
// tx ty tz rx ry rz; tml_model_coordinate tells which is which.
#ifndef TRAMMEL_STATE_H
#define TRAMMEL_STATE_H

#include <trammel/contact.h>

TML_BEGIN_C

// ---- numbering

TML_API int tml_model_coordinate_count(const tml_model* model);  // free axes of all joints
// Joint and axis of a coordinate. TML_BAD_ARGUMENT: there is none of that index.
TML_API tml_status tml_model_coordinate(const tml_model* model, int index, tml_joint* joint,
                                        tml_axis* axis);
// The index of a free axis, -1 where the joint holds it or does not exist. Both cost a walk along
// the joints: keep what they answer.
TML_API int tml_model_find_coordinate(const tml_model* model, tml_joint joint, tml_axis axis);

// ---- reading, all of it at the last accepted state. A simulation that is NULL or was not created
// writes nothing.

// How fast the free coordinates of a joint change, in the order of tml_sim_joint_coordinates; returns
// how many. Next to the gimbal lock of three rotations (the middle one at a right angle) rates of the
// outer two exist no longer: they are the least that give the angular velocity.
TML_API int tml_sim_joint_rates(const tml_sim* sim, tml_joint joint, double out[TML_AXES]);

TML_API void tml_sim_poses(const tml_sim* sim, tml_pose* out);           // one a body
TML_API void tml_sim_velocities(const tml_sim* sim, tml_velocity* out);  // one a body
TML_API void tml_sim_coordinates(const tml_sim* sim, double* out);
TML_API void tml_sim_rates(const tml_sim* sim, double* out);
TML_API void tml_sim_loads(const tml_sim* sim, tml_load* out);   // one a joint
TML_API void tml_sim_controls(const tml_sim* sim, double* out);  // as they acted last
// The contacts of tml_sim_contact, at most `capacity` of them; returns how many there are.
TML_API int tml_sim_contacts(const tml_sim* sim, tml_contact* out, int capacity);

// ---- setting. These calls allocate. On any status but TML_OK the state is exactly what it was.

// Put the mechanism where all coordinates say; rates NULL: at rest. Bodies follow from joint to joint;
// loops then close at the nearest poses, so that coordinates on loops may end a little elsewhere, and
// velocities are the nearest that the rows allow. Bodies that no joint ties to the world stay where they
// are, and what hangs on them follows them. Controls of position actuators become their coordinates. Time
// stays.
TML_API tml_status tml_sim_set_coordinates(tml_sim* sim, const double* coordinates,
                                           const double* rates);

// The model's own controls at another time become those of the simulation, and poses and velocities
// (NULL: at rest) its state there, as tml_sim_set_state.
TML_API tml_status tml_sim_set_state_at(tml_sim* sim, double time, const tml_pose* poses,
                                        const tml_velocity* velocities);

// Back to where the simulation began, bit for bit, its report cleared. Forces, gravity and inputs that
// the caller has set (sim.h, inputs.h) stay.
TML_API tml_status tml_sim_reset(tml_sim* sim);

// The state of another simulation of the same model with the same formulation, integrator and step
// becomes that of `to`: it goes on with the same bits. A save and a restore without the bytes between.
// Allocates only where `from` has more contacts than `to` has room for.
TML_API tml_status tml_sim_copy(tml_sim* to, const tml_sim* from);

TML_END_C

#endif
