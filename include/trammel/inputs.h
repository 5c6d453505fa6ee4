// trammel/inputs.h - what acts beside actuated axes, as numbers that a caller sets: targets of servos, forces
// of tendons, activations of muscles, wrenches.
//
// In the model each of them follows a control of its own, a function of time. A simulation can be told to
// hold numbers instead, all of them at once, until it is told otherwise.
#ifndef TRAMMEL_INPUTS_H
#define TRAMMEL_INPUTS_H

#include <trammel/sim.h>

TML_BEGIN_C

typedef enum tml_input_kind {
    TML_INPUT_SERVO,       // index: joint, component: axis; m or rad
    TML_INPUT_TENDON,      // index: spring or tendon; N
    TML_INPUT_ACTIVATION,  // index: spring or tendon with a muscle; 0 to 1
    TML_INPUT_FORCE,       // index: wrench, component: x y z; N
    TML_INPUT_TORQUE,      // index: wrench, component: x y z; N m
} tml_input_kind;

typedef struct tml_input {
    tml_input_kind kind;
    int index;
    int component;
    const char* name;  // of the joint, the tendon or the wrench; as long as the model lives
} tml_input;

// Servos joint by joint and axis by axis, then tendons that have a control or a muscle (force before
// activation), then three forces and three torques a wrench. Springs that end on deformables have none.
TML_API int tml_model_input_count(const tml_model* model);
TML_API tml_status tml_model_input(const tml_model* model, int index, tml_input* out);
// What the model's own control says at a time; 0 where there is none of that index.
TML_API double tml_model_input_value(const tml_model* model, int index, double time);

// Hold all inputs at these values from the next step on; a servo's target then stands still. NULL: those of
// the model again. They are no part of a saved state. The first call allocates.
TML_API tml_status tml_sim_set_inputs(tml_sim* sim, const double* values);
TML_API void tml_sim_inputs(const tml_sim* sim, double* out);  // as they act now

TML_END_C

#endif
