// sim/step_affine.h - what the affine formulation brings to the table of pairing.c.
#ifndef TML_SIM_STEP_AFFINE_H
#define TML_SIM_STEP_AFFINE_H

#include "sim/sim_internal.h"

bool tml__affine_wants_matrix(const tml_model* m);
tml_status tml__affine_parts_create(tml_sim* sim);
void tml__affine_parts_destroy(tml_sim* sim);
tml_status tml__affine_start(tml_sim* sim, double* change);
tml_status tml__affine_multipliers(tml_sim* sim, double* lambda);
const char* tml__affine_solver_name(const tml_sim* sim);
kkt_statistics tml__affine_statistics(const tml_sim* sim);
tml_status tml__advance_affine(tml_sim* sim, const double* controls);

#endif
