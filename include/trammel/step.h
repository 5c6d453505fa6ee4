// trammel/step.h - one step as a function of a state and controls, with its derivatives: for control, learning and
// whoever writes a chain rule of his own.
//
// States are those of dynamics.h: position numbers q and rates v, in the order of tml_dynamics of the same model.
// Derivatives are by 2 nv numbers of a state: a motion of q (tml_dynamics_move), then a change of v; and by
// controls. All are those of the step as it was taken, contacts and limits as it met them. Formulation
// `generalized` only; docs/derivatives.md says what its integrators know. Matrices are row-major.
#ifndef TRAMMEL_STEP_H
#define TRAMMEL_STEP_H

#include <trammel/derivatives.h>
#include <trammel/dynamics.h>

TML_BEGIN_C

typedef struct tml_step tml_step;  // opaque; made by tml_step_create

// The model is borrowed and must outlive it. When the call fails, *out is NULL or an object good only for
// tml_step_message and tml_step_destroy. TML_UNSUPPORTED: another formulation than `generalized`.
TML_API tml_status tml_step_create(const tml_model* model, const tml_sim_settings* settings,
                                   tml_step** out);
TML_API void tml_step_destroy(tml_step* s);  // NULL is fine
TML_API const char* tml_step_message(const tml_step* s);

TML_API int tml_step_position_count(const tml_step* s);  // nq
TML_API int tml_step_rate_count(const tml_step* s);      // nv
TML_API int tml_step_control_count(const tml_step* s);   // nu

// The initial state of the model. Arrays may be NULL.
TML_API void tml_step_initial(tml_step* s, double* q, double* v);

// From (q, v) at `time` to (q1, v1) one step later. `controls`: as tml_sim_step; position actuators move there from
// their coordinates in q. The loops of q are taken to be closed. Nothing is remembered from the call before: the same
// arguments give the same bits. (q1, v1) may be (q, v). On any status but TML_OK they are as they were, and
// derivatives are refused until the next step.
TML_API tml_status tml_step_take(tml_step* s, double time, const double* q, const double* v,
                                 const double* controls, double* q1, double* v1);

// Of the step taken last. A: 2 nv x 2 nv by the state, B: 2 nv x nu by controls; either may be NULL.
TML_API tml_status tml_step_jacobian(tml_step* s, double* A, double* B);
// `count` directions at once, one a row: out = A state + B control, 2 nv each; state or controls NULL: zero.
TML_API tml_status tml_step_jvp(tml_step* s, int count, const double* state, const double* controls,
                                double* out);
// `count` weights of the new state at once, 2 nv a row: state = A' weights, controls = B' weights, either may be NULL.
TML_API tml_status tml_step_vjp(tml_step* s, int count, const double* weights, double* state,
                                double* controls);
// What the last derivative met; see derivatives.h.
TML_API tml_derivatives_flags tml_step_last_flags(const tml_step* s);

TML_END_C

#endif
