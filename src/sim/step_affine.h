// sim/step_affine.h - the parts that an affine step was taken in, for whoever looks at them again.
#ifndef TML_SIM_STEP_AFFINE_H
#define TML_SIM_STEP_AFFINE_H

#include "form/affine/affine.h"
#include "sim/sim_internal.h"

// One part of a step. It starts where the part before ended; `v` is what the last one leaves.
typedef struct affine_piece {
    affine_stage stage;
    double from;     // s, after the accepted state
    double *x, *v;   // flat: positions at its end, and rates there (not of a step of one part)
    double* lambda;  // per row
} affine_piece;

affine_system* tml__affine_of(const tml_sim* sim);  // NULL: links
struct link_system* tml__links_of(const tml_sim* sim);

// Take the traced step again from the accepted state and keep its parts, whose arrays are the caller's;
// a step of one part need not be taken. The state that a step may accept (sim->next) is lost.
tml_status tml__affine_again(tml_sim* sim, const double* controls, const step_trace* trace,
                             affine_piece* pieces);

// Steps of the affine formulation as linear maps (linear_affine.c).
extern const struct step_linear tml__affine_linear;

#endif
