// diff/perturb.h - a model with slightly different numbers, for differences of whole runs.
#ifndef TML_DIFF_PERTURB_H
#define TML_DIFF_PERTURB_H

#include "sim/linear.h"

// What closing began from: flat poses, and how bodies were to move, 6 a node. NULL: nothing was closed.
typedef struct closed_from {
    double *given, *wanted;
} closed_from;

void tml__closed_from_release(const tml_sim* sim, closed_from* from);

// The model of `sim` with every input changed by the given number (a finite step, com spread by
// tml__spread_com already), poses closed again where that opened a joint. Shares definitions with the
// model it came from, which must outlive it. Freed by tml__perturb_destroy,
// `from` by tml__closed_from_release, whatever the status.
tml_status tml__perturb(const tml_sim* sim, const run_inputs* change, message* why,
                        closed_from* from, tml_model** out);
void tml__perturb_destroy(const tml_sim* sim, tml_model* model);  // NULL is fine

#endif
