// diff/step_links.h - steps of links as linear maps: what diff/step_affine.c hands on where a simulation is lean.
#ifndef TML_DIFF_STEP_LINKS_H
#define TML_DIFF_STEP_LINKS_H

#include "sim/linear.h"

// Its own state vector: poses (6 a node), then velocities (6 a node), world axes.
size_t tml__links_linear_count(const tml_sim* sim);
void tml__links_linear_flatten(tml_sim* sim, partial_direction way, double* own, double* flat);

tml_status tml__links_linear_check(tml_sim* sim, const tml_quantity* quantity);
tml_status tml__links_linear_create(tml_sim* sim, linear_work** out);
void tml__links_linear_destroy(tml_sim* sim, linear_work* work);
tml_status tml__links_linear_start(tml_sim* sim, linear_work* work, partial_direction way,
                                   const run_inputs* in, double* state);
tml_status tml__links_linear_step(tml_sim* sim, linear_work* work, const step_trace* trace,
                                  const double* controls, partial_direction way,
                                  const step_numbers* x);

#endif
