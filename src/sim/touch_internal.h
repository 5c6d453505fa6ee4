// sim/touch_internal.h - what the files of a step with contact share.
#ifndef TML_SIM_TOUCH_INTERNAL_H
#define TML_SIM_TOUCH_INTERNAL_H

#include "sim/touch.h"

typedef struct touch_plan {
    int order;     // of backward differences; 0: a formulation of one step
    double share;  // of the accelerations that moves bodies within the step: h^2 share
    double reach;  // of a push: h^2 reach
} touch_plan;

// Velocities as 6 numbers a node, from flat rates.
void tml__touch_velocities(const tml_sim* sim, const double* q, const double* v, double* out);

// The sentence for a problem that was not solved.
tml_status tml__touch_describe(tml_sim* sim, tml_status status, int row);

// Velocities after the impulses f_other, from those before in `from` (NULL: rest), into w->motion.
tml_status tml__touch_push_velocities(tml_sim* sim, const double* from);

// The end of a step that was made: what has met, and what was pushed.
tml_status tml__touch_finish(tml_sim* sim, const touch_plan* plan, bool* has_met);

#endif
