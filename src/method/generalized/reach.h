// method/generalized/reach.h - which contacts a step that is swept can meet.
//
// More than half of the contacts of a heap are open: they were seen because they are nearer than the margin,
// and this step does not close them. Rows for them cost as much as others and carry nothing. A swept step
// leaves out those that its motion before impulses would not bring half the way, looks afterwards at where
// the impulses take them, and poses those that are met after all (contact.c, local.h). What it poses depends on
// velocities at the contacts alone, never on an order or on a count.
#ifndef TML_METHOD_GENERALIZED_REACH_H
#define TML_METHOD_GENERALIZED_REACH_H

#include "geom/contact.h"
#include "method/generalized/tree.h"

// What is asked again and again about a contact that may not be met: one line of a cache.
typedef struct gen_spot {
    vec3 point, normal;
    double gap;
    int a, b;  // its bodies in the tree, -1: fixed
} gen_spot;

gen_spot tml__gen_spot_of(const gen_tree* t, const contact* k);

// How fast a contact opens when bodies move so (one twist a body of the tree), m/s.
double tml__gen_opening(const gen_tree* t, const twist* motions, const gen_spot* k);

// May a step of length h meet a contact that did not push before? `start` and `free`: motions at its start
// and by forces other than those of contacts; gaps up to the slop always count as met.
bool tml__gen_may_meet(const gen_tree* t, const gen_spot* k, const twist* start, const twist* free,
                       double h, double slop);

#endif
