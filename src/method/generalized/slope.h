// method/generalized/slope.h - derivatives of inverse dynamics on a placed tree.
//
//     tau = H a + c(q, u) - (wrenches fixed in the world, and gravity)
//
// d tau/dq and d tau/du, columns by columns, dense n x n. Position changes are motions along the
// columns: plain numbers for slides and turns, a rotation in the axes of the outer marker for balls.
#ifndef TML_METHOD_GENERALIZED_SLOPE_H
#define TML_METHOD_GENERALIZED_SLOPE_H

#include "method/generalized/dynamics.h"

// How a column changes with the motion inwards of its link and beyond it.
typedef struct column_rates {
    twist S, first, second, carried;  // S, psi', psi'', S'
    twist both;                       // psi' + S'
} column_rates;

typedef struct gen_slope {
    gen_tree* tree;  // borrowed
    tml_allocator allocator;
    // per link: motion inwards of it and beyond it, acceleration inwards of it (gravity included)
    twist *v_in, *v_out, *a_in;
    // per body: sums over it and everything beyond
    spatial_inertia* I;
    double* B;      // 36
    wrench* force;  // I a + v x* I v
    wrench* fixed;  // what the world does
    int* link_of;   // per column
    column_rates* column;
} gen_slope;

tml_status tml__gen_slope_create(gen_tree* t, const tml_allocator* allocator, message* why,
                                 gen_slope** out);
void tml__gen_slope_destroy(gen_slope* s);  // NULL is fine

// Motions of the links for rates of the columns, on the tree as placed.
void tml__gen_link_motions(gen_slope* s, const double* rates);

// At rates u and accelerations a; `fixed`: per body of the tree, about its origin, NULL: none. The
// tree is placed there. dq, du: n x n, row-major, row = generalized force.
void tml__gen_inverse_slope(gen_slope* s, const double* u, const double* a, vec3 gravity,
                            const wrench* fixed, double* dq, double* du);

#endif
