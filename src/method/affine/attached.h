// method/affine/attached.h - deformables within the steps of the affine formulation.
#ifndef TML_METHOD_AFFINE_ATTACHED_H
#define TML_METHOD_AFFINE_ATTACHED_H

#include "method/affine/affine.h"
#include "sim/sim_internal.h"

typedef struct soft_affine soft_affine;

// Become the guest of the bodies; *out is released with sim->soft.
tml_status tml__soft_affine_create(tml_sim* sim, affine_system* a, soft_affine** out);

// The accepted state into sim->next: where a step begins, and its parts go on from there.
void tml__soft_affine_load(tml_sim* sim);

// One part of a step, forces at the instant t; the end of the vertices into sim->next, velocities of
// bodies and vertices settled together. While something touches, `energy` takes damped parts.
tml_status tml__soft_affine_step(tml_sim* sim, soft_affine* w, const affine_stage* stage, double t,
                                 const newton_settings* settings, affine_report* report);

#endif
