// fmi/variables.h - the names of a unit's inputs and outputs, and what they are in a simulation.
//
// Inputs: JOINT.AXIS.input of an actuated axis (found by JOINT.AXIS too), and BODY.fx to BODY.mz, a force at the body frame's origin and a
// moment, world axes. Outputs: the columns of recordings.
#ifndef TRAMMEL_FMI_VARIABLES_H
#define TRAMMEL_FMI_VARIABLES_H

#include <trammel/trammel.h>

#include <stdbool.h>

typedef enum unit_kind {
    UNIT_CONTROL,  // input
    UNIT_PUSH,     // input
    UNIT_QUANTITY,
    UNIT_TOTAL,  // energy
    UNIT_GAP,
} unit_kind;

typedef struct unit_variable {
    char name[512];
    bool is_input;
    unit_kind kind;
    int index;              // of the control, or of the body that is pushed
    int component;          // of the push: force x y z, moment x y z
    tml_quantity quantity;  // its step is not used
    const char* unit;       // "m", "rad/s", ...; "" without
    double start;           // of an input
} unit_variable;

// Find what a name means; false: nothing in this model is called so.
bool unit_find_input(const tml_model* model, const char* name, unit_variable* out);
bool unit_find_output(const tml_model* model, const char* name, unit_variable* out);

// The present value of an output.
double unit_value(const tml_sim* sim, const unit_variable* v);

#endif
