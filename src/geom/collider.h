// geom/collider.h - a shape made ready to touch: its piece or its surface, and its box.
#ifndef TML_GEOM_COLLIDER_H
#define TML_GEOM_COLLIDER_H

#include "geom/collision.h"
#include "geom/surface.h"

typedef struct collider {
    collider_def def;
    vec3 offset;  // of the shape from the reference point, body axes
    mat3 turn;    //
    piece p;      // of everything but surfaces; placed in the world
    surface* s;   // NULL: a piece
    polytope hull, prism, segment;
    double margin;  // m: it touches so far from its surface
    double radius;  // of the core about its origin; infinite planes: 0
    aabb box;       // world, tight
} collider;

tml_status tml__collider_create(const collider_def* def, pool* memory,
                                const tml_allocator* allocator, message* why, collider* out);
void tml__collider_destroy(collider* c);

// Move it with its body and recompute its box.
void tml__collider_place(collider* c, const placement* body);

#endif
