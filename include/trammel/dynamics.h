// trammel/dynamics.h - a model in joint coordinates, for controllers: mass matrix, bias, inverse and forward
// dynamics, Jacobians.
//
// The bodies hang on the world by a spanning tree of joints, or fly. A state is nq position numbers q and nv
// rates v. A slide or a turn has one of each, its coordinate and the coordinate's rate; three turns of one
// joint have a unit quaternion (w x y z, follower in base) and the angular velocity in the follower's joint axes.
// A body that flies has its centre of mass and its orientation in the world, the velocity of its centre of
// mass in world axes and its angular velocity in its own. Joints that the tree leaves out, couplings and
// position actuators are rows: J v = 0 where their targets rest. Nothing here moves; no other
// object is changed. Matrices are dense and row-major.
#ifndef TRAMMEL_DYNAMICS_H
#define TRAMMEL_DYNAMICS_H

#include <trammel/state.h>

TML_BEGIN_C

typedef struct tml_dynamics tml_dynamics;  // opaque; made by tml_dynamics_create

// The model is borrowed and must outlive it; allocator NULL: malloc. It stands at the model's initial state at
// t = 0. When the call fails, *out is NULL or an object good only for tml_dynamics_message and
// tml_dynamics_destroy. TML_UNSUPPORTED: deformables and nonholonomic rows.
TML_API tml_status tml_dynamics_create(const tml_model* model, const tml_allocator* allocator,
                                       tml_dynamics** out);
TML_API void tml_dynamics_destroy(tml_dynamics* d);  // NULL is fine
TML_API const char* tml_dynamics_message(const tml_dynamics* d);

TML_API int tml_dynamics_position_count(const tml_dynamics* d);  // nq
TML_API int tml_dynamics_rate_count(const tml_dynamics* d);      // nv

// Where a joint of the tree, or a body that flies, has its numbers: first and count of each; counts of 0 for
// others. Slides come before turns, each in the order of tx ty tz and of the turns; the other way round where
// the tree runs from the follower to the base.
typedef struct tml_dynamics_place {
    int position, position_count;
    int rate, rate_count;
} tml_dynamics_place;

TML_API tml_dynamics_place tml_dynamics_joint(const tml_dynamics* d, tml_joint joint);
TML_API tml_dynamics_place tml_dynamics_body(const tml_dynamics* d, tml_body body);

// Where the coordinate of one axis is: first numbers of position and rate, both -1 where it has none of its own (it is
// held, one of three turns, or of a joint that the tree leaves out).
TML_API tml_dynamics_place tml_dynamics_axis(const tml_dynamics* d, tml_joint joint, tml_axis axis);

// ---- states

// Stand at a state and an instant, which all below speaks of. v NULL: at rest. Quaternions are normalised.
TML_API tml_status tml_dynamics_set(tml_dynamics* d, double time, const double* q, const double* v);
// Stand where a simulation of the same model stands; angles count on from its coordinates.
TML_API tml_status tml_dynamics_follow(tml_dynamics* d, const tml_sim* sim);
// The state, and how the bodies stand and move there (any may be NULL): for tml_sim_set_state.
TML_API void tml_dynamics_state(const tml_dynamics* d, double* q, double* v, tml_pose* poses,
                                tml_velocity* velocities);

// q moved along a motion of nv numbers (rates times time), quaternions on their sphere; and the motion that
// leads from one q to another. out may be an input.
TML_API void tml_dynamics_move(const tml_dynamics* d, const double* q, const double* motion,
                               double* out);
TML_API void tml_dynamics_difference(const tml_dynamics* d, const double* from, const double* to,
                                     double* out);

// ---- dynamics: M(q) a + bias = applied + tau + J^T lambda

TML_API void tml_dynamics_mass_matrix(tml_dynamics* d, double* M);  // nv x nv
// Coriolis and centrifugal forces, less gravity's: what inverse dynamics asks for at a = 0.
TML_API void tml_dynamics_bias(tml_dynamics* d, double* out);
// What all other forces of the model do: springs, tendons, wrenches, drag, springs, dampers and servos of
// joints, and force actuators at the model's own controls.
TML_API void tml_dynamics_applied(tml_dynamics* d, double* out);
// tau = M a + bias; a NULL: zero.
TML_API void tml_dynamics_inverse(tml_dynamics* d, const double* a, double* tau);
// Accelerations under tau (NULL: none) beside what the model applies, with all rows held. `multipliers`: one
// per row of tml_dynamics_row_count, NULL: not wanted; rows that follow from others carry nothing.
// TML_SINGULAR: a coordinate moves no mass.
TML_API tml_status tml_dynamics_forward(tml_dynamics* d, const double* tau, double* a,
                                        double* multipliers);

// ---- Jacobians

// Of a point of a body (body frame): six rows of nv numbers, velocity of the point, then angular velocity, both in
// world axes. TML_BAD_ARGUMENT: there is no such body. Zero for those that never move.
TML_API tml_status tml_dynamics_jacobian(const tml_dynamics* d, tml_body body, tml_vec3 point,
                                         double* out);
// The rows that hold at the state (limits and rows with compliance are none) and their J, count x nv.
TML_API int tml_dynamics_row_count(tml_dynamics* d);
TML_API void tml_dynamics_rows(tml_dynamics* d, double* J);

TML_END_C

#endif
