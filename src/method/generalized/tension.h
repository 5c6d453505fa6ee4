// method/generalized/tension.h - what hangs on a body makes it stiff: a weight on a lever turns it back.
//
// A weight F at the end of a lever l of a body holds back its turning with the stiffness
// (F . l) 1 - (F l^T + l F^T)/2, which explicit gravity follows up to a step of 2/omega only; chains with heavy
// ends would need tiny steps. Added to the moments of inertia wherever a step weighs a change of velocities,
//
//     T = h^2/4 K,   K = |g| sum M (|l| 1 - l l^T/|l|)
//
// with M the mass at and beyond the lever's end, is at least the positive part of that: so the implicit midpoint
// rule treats a linear spring, and changes of a velocity are slowed by a share of second order. K belongs to
// the body's own axes; nothing is added to rows that move bodies without turning them, and momentum stays.
#ifndef TML_METHOD_GENERALIZED_TENSION_H
#define TML_METHOD_GENERALIZED_TENSION_H

#include "method/generalized/dampers.h"

// K / |g| of every body in its own axes: levers and masses do not change. t->composite is used up.
void tml__gen_tension_list(gen_tree* t, mat3* held);

// Added to t->drag of every body of the placed tree.
void tml__gen_tension_add(gen_tree* t, const mat3* held, double h);

// T omega added to 6 numbers a node, bodies moving as the maximal system says; and how it follows everything,
// in the terms of dampers.h.
void tml__gen_tension_subtract(const gen_motion* m, double h, double* E);
void tml__gen_tension_product(const gen_motion* m, double h, partial_direction way,
                              const gen_damper_numbers* x);

#endif
