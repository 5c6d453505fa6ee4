// contact/contacts.h - who touches whom: colliders of a model, contacts of a step, and what is
// remembered of them from step to step.
//
// Free of any formulation: it takes flat poses and hands out contact records; whoever solves for the
// forces hands them back. Contacts are known again by their colliders and features, so that friction
// keeps its axes and the solver its labels.
#ifndef TML_CONTACT_CONTACTS_H
#define TML_CONTACT_CONTACTS_H

#include "geom/collision.h"
#include "method/maximal.h"

#include <trammel/contact.h>

// What is kept of a contact; no padding, because it is saved byte for byte.
typedef struct kept_contact {
    uint64_t id;
    int collider_a, collider_b;
    int body_a, body_b;
    vec3 seed;
    vec3 point, normal, force;
    double gap;
    double push;  // N, along the normal where the step ends: what gives way has stored by it
    unsigned char labels[8];  // of normal and two friction rows
} kept_contact;

typedef struct contact_set {
    int64_t count;
    int64_t used;  // places of the list from here on are empty, as they are saved
    kept_contact* list;
    double* wrenches;  // 6 a node: force and torque of all contacts, N and N m
} contact_set;

typedef struct sim_contacts {
    const tml_model* model;  // borrowed
    tml_allocator allocator;
    int capacity;
    double margin;
    double step;  // s
    double*
        reach;  // per body and the world: how much farther than the margin it may move in a step
    collision* shapes;  // of the model
    placement* places;  // of bodies, the world last
    contact* found;     // of the step in progress, where it starts
    int found_count;
    int fastest;  // of these, the one that closes fastest beyond a margin a step; -1: none does
    double fast_speed;  // how fast, m/s
    const bool*
        is_led;      // per body and the world, borrowed: contacts belong to the equations of the
                     // formulation; NULL: they do not
    contact* ahead;  // where it ends
    int ahead_count;
    int* ahead_order;       // sorted for finding
    unsigned char* labels;  // 3 per found contact: of the step before, LCP_UNKNOWN for new ones
    double* forces;         // 3 per found contact: those of the step before along its axes now
    int* order;             // kept contacts, sorted for finding
    contact_set now;        // of the accepted state
    contact_set next;
} sim_contacts;

tml_status tml__contacts_create(const tml_model* model, const tml_sim_settings* settings,
                                message* why, sim_contacts** out);
void tml__contacts_destroy(sim_contacts* c);  // NULL is fine

// Room for more contacts; what is kept stays.
tml_status tml__contacts_reserve(sim_contacts* c, int capacity, message* why);

// All contacts within the margin at the bodies as placed. TML_TOO_MANY_CONTACTS: more than there is
// room for; TML_SINGULAR: two shapes coincide so that no normal exists. `why` says which.
tml_status tml__contacts_detect(sim_contacts* c, const rigid* bodies, message* why);

// Tell of the fastest contact of the last detection, if it is too fast for the margin and faster than
// what was told before.
void tml__contacts_note_fast(const sim_contacts* c, tml_sim_report* report);

// The same where the step ends, into c->ahead: what contacts become as bodies turn. Nothing is recalled.
tml_status tml__contacts_look_ahead(sim_contacts* c, const rigid* bodies, message* why);

// Contact i of c->found in c->ahead, NULL: its features no longer touch.
const contact* tml__contacts_ahead(const sim_contacts* c, int i);

// Write down contact i of the step with its mean force over it, and the labels of its rows.
void tml__contacts_clear_next(sim_contacts* c);
void tml__contacts_keep(sim_contacts* c, int i, vec3 force, const rigid* bodies,
                        const unsigned char* labels, int label_count);

// The step was accepted: its contacts are the ones to be asked about.
void tml__contacts_accept(sim_contacts* c);

#endif
