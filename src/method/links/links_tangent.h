// method/links/links_tangent.h - how steps of links without loops follow their start and what links are made of.
//
// Links are a tree of bodies with one force (3 numbers, world axes) a joint. Everything is at linear cost and
// in linear memory: a step's Newton matrix, or its transpose, is solved link by link from the tips
// to the root and back.                                                            [notes 9.3 5]
#ifndef TML_METHOD_LINKS_LINKS_TANGENT_H
#define TML_METHOD_LINKS_LINKS_TANGENT_H

#include "method/affine/partials.h"
#include "method/links/links.h"

// A link in the matrix. With the force f of its inner joint,
//     A dx + B w = h + f,   C dx + D w = k + push x f,   dx - row x w = motion of the joint's point
// where A, B, C, D, h and k gather what outer links add to its own mass, K and right-hand sides.
typedef struct link_block {
    vec3 push, row;          // arms of the inner joint on the link,
    vec3 push_out, row_out;  // and on the link it hangs on
    mat3 A, B, C, D;  // once it is eliminated A is force by motion, B turn and C shift by force
    vec3 h, k;        // then shift and turn without f
    vec3 z;           // and motion of the joint's point without f
} link_block;

typedef struct link_tree {
    const tml_model* model;  // borrowed
    tml_allocator allocator;
    int count;         // nodes
    int* order;        // nodes, each after the one it hangs on
    int* parent;       // per node: -1: nothing that moves
    int* joint;        // per node: towards the root; -1: it floats
    bool* is_child_F;  // per node: it is the follower of that joint
    double* drag;      // 2 per node: N s/m and N m s
    mat3* R_end;       // per node: where velocities or poses are projected
    link_block* block;
    double *x, *c;          // 6 and 3 per node: right-hand sides, then solution
    double* change;         // 6 per node: what a projection adds to velocities
    vec3 *impulse, *omega;  // per node: of its inner joint; the angular velocity after it
} link_tree;

tml_status tml__link_tree_create(const link_system* l, link_tree** out);
void tml__link_tree_destroy(link_tree* t);

// Where poses and velocities are, 6 numbers a node each, and the parameters.
typedef struct link_inputs {
    double *pose, *velocity;
    const parameter_set* in;
} link_inputs;

// A part of a step between flat states: `q`, `v` at its start, `x` at its end, forces of joints in `lambda` (3 a
// joint, on the link).
typedef struct link_part {
    affine_stage stage;
    const double *q, *v, *x, *lambda;
} link_part;

// Forwards: pose and velocity of the start become those of the end. Backwards: gradients of the end become
// those of the start, and those by the parameters grow.
void tml__link_part_product(link_tree* t, const link_part* part, partial_direction way,
                            const link_inputs* by);

// Velocities v (flat) at the poses x (flat) projected onto the joints, the same way: `by` in place.
void tml__link_settle_product(link_tree* t, const double* x, const double* v, partial_direction way,
                              const link_inputs* by);

// Poses next to x brought back onto the joints: `by->pose` in place.
void tml__link_close_product(link_tree* t, const double* x, partial_direction way,
                             const link_inputs* by);

#endif
