// sim/limits.h - joint limits: inequality rows that engage, hold and let go.
#ifndef TML_SIM_LIMITS_H
#define TML_SIM_LIMITS_H

#include "sim/sim_internal.h"

// Compare sim->next with the limits, its bodies placed: engage what is passed, let go what pulls.
// Answers how many changed; `touched` (one per limit) counts how often each has engaged in this step: at
// most twice, and after that it does not let go again before the next.
int tml__limits_update(tml_sim* sim, const double* controls, unsigned char* touched);

// TML_BAD_ARGUMENT with a sentence when a coordinate starts outside its limits.
tml_status tml__limits_check_start(tml_sim* sim);

// Where a history begins: what touches a limit loses its velocity into it (part of *change), and is
// held there while it would be pushed through. Velocities and multipliers of the accepted state.
tml_status tml__limits_begin(tml_sim* sim, double* change);

#endif
