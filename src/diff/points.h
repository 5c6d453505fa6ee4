// diff/points.h - states as points that a simulation can be put at.
//
// step_linear (sim/linear.h) notes the state of a formulation as plain numbers, a point, and finds the
// way from a point to where the simulation stands. Here is the opposite: the simulation goes to a point
// and on along a motion (numbers as in its state vector). Motions are a chart of the states around the
// point; balls bend it, which tml__chart_inverse and tml__chart_transposed count in.
#ifndef TML_DIFF_POINTS_H
#define TML_DIFF_POINTS_H

#include "sim/sim_internal.h"

// TML_UNSUPPORTED: this formulation has no points.
tml_status tml__sim_go(tml_sim* sim, const double* point, const double* motion);

// How far each number of a motion may go for the chart to hold: 1.8 rad for those of a ball, so that it
// turns by less than pi; infinite elsewhere.
void tml__chart_reach(const tml_sim* sim, double* reach);

// With T the change of the state vector where a motion ends by the motion:
// x <- T^-1 x, and x <- T^T x.
void tml__chart_inverse(const tml_sim* sim, const double* motion, double* x);
void tml__chart_transposed(const tml_sim* sim, const double* motion, double* x);

#endif
