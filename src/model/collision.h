// model/collision.h - the contacts of a model: its shapes and who may touch whom.
//
// Bodies that a joint joins do not touch unless it says "collide"; a joint that holds nothing (six
// freedoms) joins nobody. Bodies named by an exclusion never touch; fixed bodies and the world do not
// touch each other.
#ifndef TML_MODEL_COLLISION_H
#define TML_MODEL_COLLISION_H

#include "base/pool.h"
#include "geom/collision.h"
#include "model/model.h"

// Placements are of centres of mass, indexed as the bodies of the model; the world comes last, at
// tml__world.
tml_status tml__model_collision(const tml_model* model, const tml_allocator* allocator,
                                message* why, collision** out);

// The shapes of bodies in their order, then those of the world, with placements as above; NULL without memory.
collider_def* tml__model_colliders(const tml_model* model, pool* memory, int* count);

// Points of deformables against the shapes of bodies, and nothing else. Point k is "body" tml__world + 1
// + k; bodies that carry some of its deformable do not touch it.
typedef struct collision_points {
    int count;
    const int* deformable;  // per point
    const tml_shape_def*
        shapes;  // per deformable: of its points; borrowed as long as the collision is
} collision_points;

tml_status tml__soft_collision(const tml_model* model, const collision_points* points,
                               const tml_allocator* allocator, message* why, collision** out);

#endif
