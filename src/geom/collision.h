// geom/collision.h - what touches what: shapes of bodies in, contacts out.
//
//     poses -> boxes along the axes -> tree -> pairs -> narrow phase -> contacts
//
// The contacts of a detection depend on the poses alone, not on what was detected before. They come in
// the order of their shapes and ids. Nothing is allocated after creation. Whoever steps remembers
// contacts from step to step: their seeds, labels and forces.
#ifndef TML_GEOM_COLLISION_H
#define TML_GEOM_COLLISION_H

#include "base/message.h"
#include "geom/contact.h"

#include <trammel/shape.h>

#include <stdbool.h>

typedef struct collider_def {
    int body;                    // index into the placements
    vec3 reference;              // the point of the body that its placement places, body frame
    int is_fixed;                // fixed ones do not touch each other
    int side;                    // those of one side do not, either; 0: of none
    int shape_index;             // of its body, for messages
    const char* body_name;       // borrowed
    const tml_shape_def* shape;  // borrowed
} collider_def;

// Two bodies with numbers of their own, or two of their shapes, which touch whatever else keeps them
// apart.
typedef struct collision_pair {
    int body_a, body_b;
    int shape_a, shape_b;  // shape_index of a collider; both -1: all
    bool is_apart;         // these two shapes never touch
    double friction;       // negative: as the shapes say
    double restitution;    // negative: as the shapes say
} collision_pair;

typedef struct collision_def {
    int collider_count;
    const collider_def* colliders;
    int exclude_count;
    const int* exclude;  // 2 per entry: bodies that never touch
    int pair_count;
    const collision_pair* pairs;
    bool takes_larger_friction;  // of two shapes; else the smaller
} collision_def;

// Where a body is: the world position of its reference point, and its axes.
typedef struct placement {
    vec3 p;
    mat3 R;
} placement;

typedef struct collision collision;  // opaque

// Shapes with collide = 0 are left out. A mesh is its convex hull when it can move and its triangles
// when it cannot. TML_BAD_ARGUMENT: a shape cannot touch (a heightfield that moves, a hull without
// volume); `why` names it.
tml_status tml__collision_create(const collision_def* def, const tml_allocator* allocator,
                                 message* why, collision** out);
void tml__collision_destroy(collision* c);

// Find the contacts at these placements, one per body: those with a gap of at most `margin`, at most
// `room` of them. Their tangents have the seed of a new contact.
// TML_TOO_MANY_CONTACTS: there is not that much room. TML_SINGULAR: two shapes coincide so that no
// normal exists. `why` names the bodies; what `out` and `count` hold then is of no use.
tml_status tml__collision_detect(collision* c, const placement* bodies, double margin, int room,
                                 contact* out, int* count, message* why);

// Which of the contacts beyond the margin count.
typedef struct contact_filter {
    bool (*is_wanted)(const void* with, const contact* k);
    const void* with;
} contact_filter;

// How far bodies may move before the next detection, per body and borrowed for detections to come: pairs
// are then seen within the margin and what both may move, and what is seen beyond the margin is asked about
// (filter NULL: all of it counts). reach NULL: none of them moves.
void tml__collision_set_reach(collision* c, const double* reach, const contact_filter* filter);

int tml__collision_moving(const collision* c);       // shapes that can move
double tml__collision_smallest(const collision* c);  // radius of the smallest of them; 0: none

// What the last detection did.
typedef struct collision_statistics {
    int colliders;
    int candidates;  // pairs whose boxes overlap
    int touching;    // pairs with a contact
    int faceted;     // contacts whose normal turns with body b: no exact features were found
} collision_statistics;

collision_statistics tml__collision_statistics(const collision* c);

// Is this collider a plane, whose face has no edges?
bool tml__collision_is_plane(const collision* c, int collider);

#endif
