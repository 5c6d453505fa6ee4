// joint/tree.h - a spanning tree of the joints, and rows seen through its free motions.
//
// Joints are taken into the tree in the order of the file, so an earlier joint is never the one
// that closes a loop. The rows of tree joints are independent of everything before them; only the
// rows of loop joints, couplings and actuators can be redundant, and they are so exactly when they
// are on the tree's free motions. That shrinks a rank question from all rows over all bodies to
// loop rows over joint freedoms.
#ifndef TML_JOINT_TREE_H
#define TML_JOINT_TREE_H

#include "joint/rigid.h"
#include "math/spatial.h"

typedef struct joint_tree {
    const tml_model* model;  // borrowed
    pool memory;
    rigid* bodies;        // initial poses, the world last
    joint_frame* frames;  // per joint, at the initial poses, targets not applied
    bool* is_in_tree;     // per joint
    int* parent_joint;    // per body: -1 for a root (and for bodies that never move)
    int* parent;          // per body: body on the other side of that joint, -1 for a root
    int* order;           // moving bodies, parents first
    int order_count;
    int* first;  // per body: its first coordinate
    int* count;  // per body: how many
    int coordinate_count;
    twist* motion;  // per coordinate: how the body and all beyond it move, about the world's origin
} joint_tree;

// `may_hold`, one per joint: which joints may be in the tree; NULL: all. What those left out would
// have held becomes a root of its own. `allocator`: borrowed; NULL: malloc.
tml_status tml__tree_create(const tml_model* m, const bool* may_hold,
                            const tml_allocator* allocator, joint_tree* out);
void tml__tree_destroy(joint_tree* tree);

// Frames and motions with the bodies (the world last) elsewhere; the tree itself stays.
void tml__tree_place(joint_tree* tree, const rigid* bodies);

// Add scale * (rate of a function with this gradient, for a unit of each coordinate) to out.
void tml__tree_project(const joint_tree* tree, const joint_data* j, const rigid_gradient* g,
                       double scale, double* out);

// The coordinates that can change the relative motion of two bodies, each once, unsorted; returns
// how many. `out` has room for all coordinates.
int tml__tree_path(const joint_tree* tree, int body_a, int body_b, int* out);

#endif
