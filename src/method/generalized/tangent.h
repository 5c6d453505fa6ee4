// method/generalized/tangent.h - how the bodies of a placed tree move when what places them changes.
//
// One walk from the roots outwards carries changes of positions, rates and accelerations of the
// columns, and of the markers between which the links stand, to every body:
//
//     Z   its displacement           dS = Z x S, Z beyond the column's link
//     V   change of its velocity     V = V_in + Z x S u + S du
//     A   of its acceleration        A = A_in + Z x S a + S da + V x S u + v x (Z x S u + S du)
//
// and one walk back carries gradients the other way. Both are linear in the number of columns, and about
// the tree's own points of reference (t->origin), which count as fixed.
#ifndef TML_METHOD_GENERALIZED_TANGENT_H
#define TML_METHOD_GENERALIZED_TANGENT_H

#include "method/generalized/tree.h"

// Where a walk stands: rates of the columns, and their accelerations (NULL: A is not asked for).
typedef struct gen_walk_point {
    const double* rates;
    const double* accelerations;
    bool
        is_still;  // accelerations know nothing of velocities: the last two terms of A are left out
} gen_walk_point;

// Changes per column, or gradients that grow. NULL: none.
typedef struct gen_column_change {
    double* positions;
    double* rates;
    double* accelerations;
    twist* inner;  // per body: displacement of the marker on its parent, and of everything beyond
    twist* outer;  // per body: of the body against its own marker
} gen_column_change;

typedef struct gen_tangent {
    const gen_tree* tree;  // borrowed
    tml_allocator allocator;
    twist *own, *pushed, *v;  // per link: S u, S a, motion beyond it
    // changes per body, and per link beyond it
    twist *Z, *V, *A, *link_Z;
    // gradients by them, as wrenches; callers add, a walk back uses them up
    wrench *g_Z, *g_V, *g_A, *link_g_Z;
} gen_tangent;

tml_status tml__gen_tangent_create(const gen_tree* t, const tml_allocator* allocator,
                                   gen_tangent** out);
void tml__gen_tangent_destroy(gen_tangent* w);  // NULL is fine

// Forwards: fills Z, V, A.
void tml__gen_tangent_forward(gen_tangent* w, const gen_walk_point* at,
                              const gen_column_change* change);

// Backwards: `gradient` grows by what the gradients of the bodies say; these are cleared.
void tml__gen_tangent_backward(gen_tangent* w, const gen_walk_point* at,
                               const gen_column_change* gradient);

// The other way round: positions and rates of the columns from Z and V of all bodies, as they stand in
// w, less what the markers do. Backwards w->g_Z and w->g_V grow, and so do gradients by markers.
void tml__gen_tangent_read(gen_tangent* w, const double* rates, const gen_column_change* out);
void tml__gen_tangent_read_back(gen_tangent* w, const double* rates,
                                const gen_column_change* gradient);

// Rates of the columns of one body, at most 6, that move it so against its parent as the tree is placed.
void tml__gen_column_rates(const gen_tree* t, int body, twist motion, double* rates);

mat3 tml__right_jacobian(vec3 x);

// Positions after a move by `rates` over h, by the positions before and by the rates. Forwards `after` is
// overwritten; backwards the other two grow.
void tml__gen_move_product(const gen_tree* t, bool is_forward, const double* rates, double h,
                           double* positions, double* change, double* after);

// A displacement of a body as the gradient of one: the six numbers of a twist are those of a wrench.
static inline twist wr_as_twist(wrench f) { return (twist){f.moment, f.force}; }

#endif
