// sim/perturb.h - a model with slightly different numbers, for differences of whole runs.
#ifndef TML_SIM_PERTURB_H
#define TML_SIM_PERTURB_H

#include "sim/linear.h"

// The model of `sim` with every input changed by the given number (a finite step, com spread by
// tml__spread_com already), poses closed again where that opened a joint. Shares definitions with the
// model it came from, which must outlive it. Freed by tml__perturb_destroy.
tml_status tml__perturb(const tml_sim* sim, const run_inputs* change, message* why,
                        tml_model** out);
void tml__perturb_destroy(const tml_sim* sim, tml_model* model);  // NULL is fine

#endif
