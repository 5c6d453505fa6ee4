// diff/substeps.h - an accepted step as a linear map, whether it was divided or not.
#ifndef TML_DIFF_SUBSTEPS_H
#define TML_DIFF_SUBSTEPS_H

#include "sim/linear.h"

typedef struct substeps_call {
    tml_sim* sim;  // stands where the step began
    const step_linear* linear;
    linear_work* work;
    const step_trace* trace;
    const double* controls;
    partial_direction way;
} substeps_call;

// What step_linear.step is to one substep.
tml_status tml__substeps_linear(const substeps_call* call, const step_numbers* x);

#endif
