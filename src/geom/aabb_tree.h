// geom/aabb_tree.h - a tree of boxes along the axes: what may touch, without looking at every pair.
//
// Leaves are numbered by the caller, 0 to capacity - 1, and hold a fattened box, so that a small motion
// changes nothing. A leaf that leaves its fat box is taken out and put in where it enlarges the
// tree least; rotations keep the tree low. What a query finds does not depend on the history of the
// tree, only the order does: callers sort.
#ifndef TML_GEOM_AABB_TREE_H
#define TML_GEOM_AABB_TREE_H

#include "math/vec3.h"

#include <stdbool.h>

typedef struct aabb {
    vec3 low, high;
} aabb;

static inline bool aabb_overlap(const aabb* a, const aabb* b)
{
    // all six at once: which of them fails cannot be foretold, and a wrong guess costs more than six
    return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) & (a->low.y <= b->high.y) &
           (b->low.y <= a->high.y) & (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
}

static inline bool aabb_holds(const aabb* outer, const aabb* inner)
{
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y &&
           outer->low.z <= inner->low.z && inner->high.x <= outer->high.x &&
           inner->high.y <= outer->high.y && inner->high.z <= outer->high.z;
}

static inline aabb aabb_grown(aabb a, double by)
{
    const vec3 d = {by, by, by};
    return (aabb){v3_sub(a.low, d), v3_add(a.high, d)};
}

aabb tml__aabb_union(const aabb* a, const aabb* b);

typedef struct aabb_tree aabb_tree;  // opaque

tml_status tml__aabb_tree_create(int capacity, const tml_allocator* allocator, aabb_tree** out);
void tml__aabb_tree_destroy(aabb_tree* t);

// Put a leaf in, or move it; nothing happens while `box` stays in the fat box of the leaf.
void tml__aabb_tree_place(aabb_tree* t, int leaf, const aabb* box, double fat);

// The leaves of higher number than `above` whose fat boxes overlap `box`: at most `room` of them go to
// `found`; returns how many there are.
int tml__aabb_tree_query(aabb_tree* t, const aabb* box, int above, int* found, int room);

// Asks `look` about the leaves whose boxes a line of sight may meet: `meets` says that of a box. Both see what
// `look` has found before, so that what lies behind it is passed over.
typedef struct aabb_walk {
    bool (*meets)(const void* context, const aabb* box);
    void (*look)(void* context, int leaf);
    void* context;
} aabb_walk;
void tml__aabb_tree_walk(aabb_tree* t, const aabb_walk* walk);

int tml__aabb_tree_height(const aabb_tree* t);  // 0 with one leaf, -1 when empty

#endif
