// trammel/contact.h - where bodies touch each other, and deformables bodies.
//
// With `contact.is_on` in its settings a simulation lets shapes touch: hard contact with dry friction
// and restitution, as complementarity. Shapes say what they are made of; joints keep their two
// bodies from touching each other unless they say `collide`.
#ifndef TRAMMEL_CONTACT_H
#define TRAMMEL_CONTACT_H

#include <trammel/sim.h>

TML_BEGIN_C

enum {
    TML_CONTACTS_MOST =
        333333  // of tml_contact_settings.max_contacts: three rows each, a million rows
};

typedef struct tml_contact {
    tml_body a, b;      // TML_WORLD where the world touches; a.index is -2 where a deformable does
    tml_vec3 point;     // m, world
    tml_vec3 normal;    // from b to a
    double gap;         // m, at the start of the step; negative: overlap
    tml_vec3 force;     // on a, N, world axes, over the step
    int deformable;     // whose vertex touches b; -1: a is a body
    int vertex;         // of it; -1
    int surface_point;  // of it, where its surface touches; -1
} tml_contact;

// The contacts of the last accepted step, near ones without force included.
TML_API int tml_sim_contact_count(const tml_sim* sim);
TML_API tml_contact tml_sim_contact(const tml_sim* sim, int index);

// Make room for more contacts, after a step answered TML_TOO_MANY_CONTACTS; the state stays, bit
// for bit, and the next step is that of a simulation which had the room from the start. Less room
// than there is changes nothing. TML_UNSUPPORTED: the simulation has no contact.
TML_API tml_status tml_sim_reserve(tml_sim* sim, int max_contacts);

TML_END_C

#endif
