// method/variational/turn.h - a turn between two nodes of time as discrete mechanics sees it.
//
// A body goes from q to q' within h. With d = q^-1 q' = (w, u) the chord velocity is 2 u / h (body
// axes; the same at both ends, for u is the axis) and the discrete Lagrangian gives the momenta
// that the interval takes from its first node and hands to its last one:      [VMAX (29) (32) (33)]
//
//     p+ = (2 / h) (w J u + u x J u)      body axes at the start
//     p- = (2 / h) (w J u - u x J u)      body axes at the end
//
// The kinetic energy does not care how the world is turned, so both are one vector in world axes,
// R p+ = R' p- (Noether): the angular momentum of the interval.
#ifndef TML_METHOD_VARIATIONAL_TURN_H
#define TML_METHOD_VARIATIONAL_TURN_H

#include "math/quat.h"

typedef struct var_turn {
    vec3 momentum;  // of the interval about the centre of mass, world axes
    mat3 K;         // d(momentum)/d(phi), phi the world rotation vector of the end
    vec3 omega;     // chord velocity, world axes
    mat3 W;         // d(omega)/d(phi)
    vec3 t;         // tan(a quarter of the angle) along the axis: see step.c on the middle
    mat3 T;         // d(t)/d(phi)
} var_turn;

// The momentum alone: all that the balance needs where no force acts at the middle.
vec3 tml__var_momentum(const mat3* J, quat from, quat to, double h);

// How that follows the end: var_turn's K.
mat3 tml__var_stiffness(const mat3* J, quat from, quat to, double h);

void tml__var_turn(const mat3* J, quat from, quat to, double h, var_turn* out);

#endif
