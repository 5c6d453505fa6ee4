// method/links/method.h - links as a method: affine bodies on ball joints, of which nothing is kept for each row.
#ifndef TML_METHOD_LINKS_METHOD_H
#define TML_METHOD_LINKS_METHOD_H

#include "method/affine/affine.h"
#include "method/links/links.h"
#include "sim/sim_internal.h"

// Of a simulation that is lean; NULL of others.
link_system* tml__links_of(const tml_sim* sim);

// The stage of the step that is asked for.
affine_stage tml__links_stage(const tml_sim* sim);

// What links hold is no longer the accepted state: the next step loads it again.
void tml__links_forget_state(tml_sim* sim);

// Are contacts compliant, and can links touch nothing but the world and bodies that are led (lean_contact.c)?
bool tml__lean_can_touch(const tml_sim* sim);

// Steps of links as linear maps (linear.c).
extern const struct step_linear tml__links_linear;

#endif
