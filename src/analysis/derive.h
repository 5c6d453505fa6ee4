// analysis/derive.h - a model again with some axes driven otherwise: what assembling stands on when it
// lets actuators go or drives a joint by hand.
#ifndef TML_ANALYSIS_DERIVE_H
#define TML_ANALYSIS_DERIVE_H

#include "model/model.h"

// One axis that is driven linearly from one value at t = 0 to another at t = 1.
typedef struct axis_change {
    int joint;  // -1: none
    tml_axis axis;
    double from, to;
} axis_change;

typedef enum derive_actuators {
    DERIVE_AS_IS,     // position actuators follow their controls
    DERIVE_RELEASED,  // they become passive
    DERIVE_HELD,      // they hold the values given
} derive_actuators;

typedef struct derivation {
    derive_actuators actuators;
    const double* held;  // DERIVE_HELD: one value per actuated axis
    axis_change change;
} derivation;

// Bodies, joints and couplings of a model. Forces, motors, springs and servos are left out, for they
// move nothing here. The caller owns *out.
tml_status tml__derive(const tml_model* m, const derivation* how, message* why, tml_model** out);

#endif
