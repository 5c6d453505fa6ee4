// method/generalized/carry.h - velocities of bodies carried from one pose of a tree to the next.
//
// Between two impulses nothing pushes, and a tree should move on along its own inertia. Instead of forces
// that depend on velocities (Coriolis, which no linearisation keeps from winning energy where chains fold),
// every body keeps its velocity V: that of its centre of mass in world axes, and its angular velocity in its
// own. What joints and rows do to it is a projection, in the metric of the masses M, on the motions that
// they allow at another pose:
//
//     P_q V = J u,   H(q) u = J^T M V,   rows kept
//
//     q_m = q (+) h/2 u,   J u_m = P_m V,   V* = 2 J u_m - V,   q+ = q (+) h u_m,   J u+ = P_+ V*
//
// A reflection 2 P - 1 changes no energy and a projection only takes some, so that none is won at any step,
// whatever the mechanism; what is taken is of higher order. Momentum along the world's axes of what floats
// is kept exactly. A free body turns by its own gyroscopic motion meanwhile (implicit midpoint), which
// changes no energy either.
#ifndef TML_METHOD_GENERALIZED_CARRY_H
#define TML_METHOD_GENERALIZED_CARRY_H

#include "method/generalized/rows.h"

typedef struct gen_motion gen_motion;

// Velocity of a body that it keeps: of its centre of mass in world axes, angular in its own axes.
typedef struct gen_carried {
    vec3 v, w;
} gen_carried;

// The last time that velocities were carried: what derivatives need.
typedef struct gen_carry {
    double h;
    double *numbers, *rates;          // before
    double *numbers_mid, *rates_mid;  // where it reflects
    double* open;                     // per row: how open it was before
    double *impulse_mid, *impulse_end;  // per row, N s
    gen_carried *before, *mid, *turned;  // per body: V, at the middle, and V*; before projections
} gen_carry;

tml_status tml__gen_carry_create(const gen_tree* t, int rows, const tml_allocator* allocator,
                                 gen_carry** out);
void tml__gen_carry_destroy(gen_carry* c, const tml_allocator* allocator);  // NULL is fine

// An angular velocity in body axes after h of free motion: I (w+ - w) + h m x I m = 0, m = (w + w+)/2. False: no
// such motion was found, and w+ = w.
bool tml__free_turn(mat3 inertia, vec3 w, double h, vec3* after);

// Rates from impulses (3 + 3 a body, about their centres): u with H u = J^T M V at the placed tree, factored when
// there is memory for it.
tml_status tml__gen_project(gen_motion* m, const gen_carried* V, double* rates);

// From numbers and rates over h, by way of the middle: where it leads to. Impulses of the rows grow.
tml_status tml__gen_carry_move(gen_motion* m, double h, const double* numbers, const double* rates,
                               double* numbers_after, double* impulse);

// Rates there, or where rows have been closed next to it; they settle on the rows.
tml_status tml__gen_carry_end(gen_motion* m, const double* numbers_after, double* rates_after,
                              double* impulse);

#endif
