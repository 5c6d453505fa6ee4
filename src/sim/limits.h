// sim/limits.h - joint limits: inequality rows that engage, hold and let go.
#ifndef TML_SIM_LIMITS_H
#define TML_SIM_LIMITS_H

#include "sim/sim_internal.h"

// What the passes of one step have come to.
typedef struct limit_passes {
    int count;
    int most;      // that let go; after them every limit may engage once more
    int fewest;    // limits out of order in the best of them
    int patience;  // passes that may still change all of them at once
    int last;      // limit that was out of order in the last of them
} limit_passes;

limit_passes tml__limits_start(const tml_sim* sim);

// Compare sim->next with the limits, its bodies placed: what is passed, or pulls, is out of order.
// Answers how many are; 0: every limit is inside or pushes. Otherwise the sides for the next pass. Where
// passes go round in a circle, what has engaged stays, and the report counts the step if that pulls.
int tml__limits_update(tml_sim* sim, const double* controls, limit_passes* passes);

// Where the sides for a pass leave no solution: those of the pass before, but for one.
void tml__limits_step_back(tml_sim* sim, const limit_passes* passes);

// The sentence for passes that came to no end.
tml_status tml__limits_describe(tml_sim* sim, const limit_passes* passes);

// TML_BAD_ARGUMENT with a sentence when a coordinate starts outside its limits.
tml_status tml__limits_check_start(tml_sim* sim);

// Where a history begins: what touches a limit loses its velocity into it (part of *change), and is
// held there while it would be pushed through. Velocities and multipliers of the accepted state.
tml_status tml__limits_begin(tml_sim* sim, double* change);

#endif
