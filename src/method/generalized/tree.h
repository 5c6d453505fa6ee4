// method/generalized/tree.h - a model as trees of joint coordinates.
//
// Bodies hang on the world, or fly as roots of their own, through the joints of a spanning tree. A
// joint is a short chain of links: its slides together, then each turn, or all three turns at once
// (a ball, whose positions are a quaternion and whose rates are the angular velocity in the axes of
// the outer marker). Seen from the outside every column of a link is fixed in the frame beyond that
// link, which is what the recursions and their derivatives need. A root that flies has three slides
// along the world's axes and a ball. Joints that the tree leaves out are rows (rows.h).
//
// Spatial vectors are in world axes about the centre of mass of the root, so that a heap of bodies
// far from the world's origin loses no digits.
#ifndef TML_METHOD_GENERALIZED_TREE_H
#define TML_METHOD_GENERALIZED_TREE_H

#include "math/spatial.h"
#include "method/maximal.h"

// Does a rotor turn with one of its turns? Three such turns stay three coordinates: the rotor goes with its own.
static inline bool gen_has_rotor(const joint_data* j)
{
    return j->axis[TML_AXIS_RX].armature > 0.0 || j->axis[TML_AXIS_RY].armature > 0.0 ||
           j->axis[TML_AXIS_RZ].armature > 0.0;
}

typedef enum link_kind {
    LINK_SLIDE,
    LINK_TURN,
    LINK_BALL,
} link_kind;

typedef struct gen_link {
    link_kind kind;
    int count;      // columns
    int column;     // the first of them
    int number;     // the first of its position numbers: one a column, four for a ball
    int letter[3];  // which axes of the marker
    double sign;    // -1 where the tree runs against the joint, from the follower to the base
} gen_link;

// A marker fixed to a body: its point from the centre of mass, and its axes.
typedef struct gen_marker {
    vec3 point;
    quat turn;
} gen_marker;

typedef struct gen_body {
    int body;         // of the model
    int parent;       // in the tree; -1: the parent never moves, or there is none
    int parent_body;  // of the model; the world for a root that flies
    int joint;        // -1: flies
    int root;         // in the tree
    int link, link_count;
    int column, column_count;
    int last_column;  // its own last one, or that of the nearest body inwards that has any; -1
    gen_marker inner, outer;
    double mass;
    mat3 inertia;
} gen_body;

typedef struct gen_tree {
    const tml_model* model;  // borrowed
    tml_allocator allocator;
    int body_count;
    gen_body* bodies;  // parents first
    int* index;        // per body of the model: where it is in the tree, -1 when it never moves
    bool* is_held;     // per joint: is it in the tree?
    int link_count;
    gen_link* links;
    int column_count;    // rates
    int number_count;    // position numbers
    int* column_parent;  // the column next inwards, -1: none
    int* column_body;    // the body it moves, in the tree
    int* depth;          // columns inwards of it
    double* armature;    // of rotors, beside H

    // where things are, filled by tml__gen_place
    vec3* c;          // centres of mass
    quat* turn;       // orientations
    mat3* R;          //
    vec3* origin;     // what spatial vectors are about: the root's centre of mass
    twist* S;         // per column
    twist* velocity;  // per body
    twist* drift;     // per body: acceleration relative to its parent when no rate changes
    spatial_inertia* I;

    // scratch of the recursions
    wrench* applied;  // per body, forces from outside, about the origin
    wrench* carried;  // per body: what its joint transmits to it
    twist* acceleration;
    spatial_inertia* composite;
    double* articulated;  // 36 per body
    double* U;            // 36 per body: 6 per column
    double* D;            // 36 per body
    double* u;            // per column
    spatial_inertia*
        drag;  // per body: what drag and Rayleigh damping add to I wherever H has an added diagonal,
    bool has_drag;   // if it does
    bool is_still;   // dynamics leave out what velocities add: Coriolis forces and drift (carry.h)
    double* beside;  // per column two: added to H between it and the one before it, and the one
                     // before that, wherever a diagonal is added; zero but for balls

    // the mass matrix and its factor: row i holds the columns inwards of i, then i itself; made on
    // wish only, because a long chain does without
    size_t* row_start;
    double* mass_matrix;
    size_t mass_entries;
} gen_tree;

// `has_mass_matrix`: memory for tml__gen_mass and tml__gen_factor is taken too.
tml_status tml__gen_create(const tml_model* model, bool has_mass_matrix,
                           const tml_allocator* allocator, message* why, gen_tree** out);
void tml__gen_destroy(gen_tree* t);  // NULL is fine

// Memory for the mass matrix where it was not taken at creation: derivatives want it.
tml_status tml__gen_take_mass_matrix(gen_tree* t);

// Put everything where the position numbers say, moving as the rates say (NULL: at rest).
void tml__gen_place(gen_tree* t, const double* numbers, const double* rates);

// Moving otherwise where it is placed.
void tml__gen_set_rates(gen_tree* t, const double* rates);

// The placed bodies as flat poses and rates; v may be NULL.
void tml__gen_flatten(const gen_tree* t, double* x, double* v);

// Position numbers and rates of the bodies as placed in s; angles on the branch of its hints.
void tml__gen_read(const gen_tree* t, const maximal_system* s, double* numbers, double* rates);

// Position numbers moved by fraction times a motion (one number a column); in place is fine.
void tml__gen_move(const gen_tree* t, const double* from, const double* motion, double fraction,
                   double* to);

// The motion that leads from one set of position numbers to another: tml__gen_move backwards.
void tml__gen_way(const gen_tree* t, const double* from, const double* to, double* motion);

// Time derivatives of the position numbers at the given rates.
void tml__gen_number_rates(const gen_tree* t, const double* numbers, const double* rates,
                           double* out);

// How the placed bodies move at other rates, one twist a body about its origin.
void tml__gen_motions(const gen_tree* t, const double* rates, twist* out);

// The body's own first and last column, for sums over what moves it.
static inline int gen_last_column(const gen_tree* t, int body)
{
    return body >= 0 ? t->bodies[body].last_column : -1;
}

#endif
