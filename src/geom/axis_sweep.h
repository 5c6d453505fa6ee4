// geom/axis_sweep.h - which boxes may overlap, found by going along one axis.
//
// Boxes are sorted by where they begin along the axis on which they spread most, and each is compared
// with those that begin before it ends. A few thousand bodies are compared with a tenth of each other
// by that, one box after the other in memory and without a branch that cannot be foretold, which is a
// tenth of what walking down a tree costs. The order is kept: it hardly changes from step to step.
// Where too many begin before others end, or too many overlap, it says so and the caller asks a tree.
#ifndef TML_GEOM_AXIS_SWEEP_H
#define TML_GEOM_AXIS_SWEEP_H

#include "geom/aabb_tree.h"

typedef struct axis_sweep axis_sweep;  // opaque

enum {
    AXIS_SWEEP_MOST = 1 << 15  // boxes; for more a tree is the better way in any case
};

tml_status tml__axis_sweep_create(int capacity, const tml_allocator* allocator, axis_sweep** out);
void tml__axis_sweep_destroy(axis_sweep* s);  // NULL is fine

// The boxes of a detection, in rising order of their numbers: begin, add each, then find.
void tml__axis_sweep_begin(axis_sweep* s);
void tml__axis_sweep_add(axis_sweep* s, int number, const aabb* box);

// All pairs of boxes that are nearer than `margin`, and some that are a little farther. False: there are
// too many to look at; nothing is known then.
bool tml__axis_sweep_find(axis_sweep* s, double margin);

// After that: the boxes of higher number that box `number` may overlap, in rising order.
int tml__axis_sweep_partners(const axis_sweep* s, int number, const int** list);

#endif
