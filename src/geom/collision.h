// geom/collision.h - what touches what: shapes of bodies in, contacts out.
//
//     poses -> boxes along the axes -> tree -> pairs -> narrow phase -> contacts
//
// The contacts of a detection depend on the poses alone, not on what was detected before, but for the
// seeds of their tangents, which a contact keeps while it lives. They come in the order of their
// shapes and ids. Nothing is allocated after creation.
#ifndef TML_GEOM_COLLISION_H
#define TML_GEOM_COLLISION_H

#include "base/message.h"
#include "geom/contact.h"

#include <trammel/shape.h>

typedef struct collider_def {
    int body;                    // index into the poses
    int is_fixed;                // fixed ones do not touch each other
    int shape_index;             // of its body, for messages
    const char* body_name;       // borrowed
    const tml_shape_def* shape;  // borrowed
} collider_def;

// Two bodies with numbers of their own.
typedef struct collision_pair {
    int body_a, body_b;
    double friction;     // negative: as the shapes say
    double restitution;  // negative: as the shapes say
} collision_pair;

typedef struct collision_def {
    int collider_count;
    const collider_def* colliders;
    int exclude_count;
    const int* exclude;  // 2 per entry: bodies that never touch
    int pair_count;
    const collision_pair* pairs;
    int max_contacts;
    double margin;  // m: contacts this far apart are reported
} collision_def;

typedef struct collision collision;  // opaque

// Shapes with collide = 0 are left out. A mesh is its convex hull when it can move and its triangles
// when it cannot. TML_BAD_ARGUMENT: a shape cannot touch (a heightfield that moves, a hull without
// volume); `why` names it.
tml_status tml__collision_create(const collision_def* def, const tml_allocator* allocator,
                                 message* why, collision** out);
void tml__collision_destroy(collision* c);

// Find the contacts at these poses (one per body, unit quaternions).
// TML_TOO_MANY_CONTACTS: more than were reserved. TML_SINGULAR: two shapes coincide so that no normal
// exists. In both cases `why` names the bodies, and the contacts of before stay.
tml_status tml__collision_detect(collision* c, const tml_pose* poses, message* why);

const contact* tml__collision_contacts(const collision* c, int* count);

// For each contact its index among those of the detection before; -1: it is new.
const int* tml__collision_previous(const collision* c);

// Take these contacts as those of the detection before (a state that was saved). At most
// max_contacts of them.
void tml__collision_restore(collision* c, const contact* contacts, int count);

// What the last detection did.
typedef struct collision_statistics {
    int colliders;
    int candidates;  // pairs whose boxes overlap
    int touching;    // pairs with a contact
    int faceted;     // contacts whose normal turns with body b: no exact features were found
} collision_statistics;

collision_statistics tml__collision_statistics(const collision* c);

#endif
