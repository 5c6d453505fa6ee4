// sim/lean_contact.h - links that touch the world, in simulations that keep no rows (lean.h).
#ifndef TML_SIM_LEAN_CONTACT_H
#define TML_SIM_LEAN_CONTACT_H

#include "contact/contacts.h"
#include "sim/sim_internal.h"
#include "sim/trace.h"

tml_status tml__lean_touch_create(tml_sim* sim);
void tml__lean_touch_destroy(tml_sim* sim);  // NULL is fine

// All bodies, the world last, at the accepted state.
const rigid* tml__lean_place(tml_sim* sim);

// Forces of what touches at the accepted state, in sim->system->touching: forces of joints follow from them.
tml_status tml__lean_touch_begin(tml_sim* sim);

// One step with whatever touches in it: sim->next, and the contacts to keep.
tml_status tml__lean_touch_advance(tml_sim* sim);

#endif
