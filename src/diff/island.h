// diff/island.h - velocities of which islands gave back what they had won, as a linear map.
#ifndef TML_DIFF_ISLAND_H
#define TML_DIFF_ISLAND_H

#include "diff/work.h"

typedef struct island_slope island_slope;

// Where a step stands, and changes or gradients of it; 6 a node unless something else is said.
typedef struct island_linear {
    // values, borrowed
    const double *q0, *v0;  // flat: where the step starts,
    const double* q1;   // flat: where it ends, of which sim->islands->v_won are the rates before,
    const double* won;  // and these the velocities
    // changes: poses and velocities at the start and at the end
    double *pose0, *u0, *pose1, *u1;
    // scratch
    double *within, *momenta;  // values: motion within islands, and its momenta
    double *wrench, *more;
    int* slot;             // per node
    double* energy;        // per slot
    island_slope* slopes;  // per slot
} island_linear;

tml_status tml__island_linear_take(const tml_sim* sim, island_linear* t);
void tml__island_linear_release(const tml_sim* sim, island_linear* t);

// t->u1 from velocities before to velocities after; backwards the other way, and t->pose1, pose0 and u0 grow.
void tml__islands_forward(const instant* i, const island_linear* t);
void tml__islands_backward(const instant* i, const island_linear* t);

#endif
