// sim/colliders.h - the shapes of a model made ready to touch.
#ifndef TML_SIM_COLLIDERS_H
#define TML_SIM_COLLIDERS_H

#include "sim/contacts.h"

int tml__colliders_count(const tml_model* m);         // shapes that collide, the world's included
tml_status tml__colliders_fill(sim_contacts* s);      // into s->colliders, which has the room
double tml__colliders_margin(const sim_contacts* s);  // m, where nobody said one

#endif
