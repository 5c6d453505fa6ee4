// diff/start.h - where a run begins, and the accurate start of multistep formulas, as linear
// maps.
#ifndef TML_DIFF_START_H
#define TML_DIFF_START_H

#include "diff/work.h"

// The initial state by what is given: poses closed, velocities projected, multipliers.
tml_status tml__linear_begin(tml_sim* sim, linear_work* work, partial_direction way,
                             const run_inputs* in, double* state);

// One body of it: (shift, turn, v, omega, com) to (dc, dphi), or (pose NULL) to its raw velocity, whose part
// by the pose is that of the closed pose.
void tml__linear_begin_body(const instant* i, int n, double* given, double* pose, double* closed,
                            double* raw);

// The extrapolated step of start.c.
tml_status tml__linear_accurate(const instant* step);

// Velocities (6 a node) of the bodies as they are placed; and of the projection of v at q.
void tml__linear_velocities(const maximal_system* s, double* velocity);
tml_status tml__linear_settled(const instant* i, const double* q, const double* v,
                               double* velocity);

// The same projection of a finished step, where a limit has changed: the rates of x->next by themselves
// and the poses there; v as they were before.
tml_status tml__linear_restart(const instant* i, const double* q, const double* v);

#endif
