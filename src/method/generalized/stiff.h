// method/generalized/stiff.h - springs taken where a step ends.                        [COOK Sec 7]
//
// What is sprung has a length l with gradient g = dl/dq along the columns, stiffness k and damping d, and
// pulls with T. At the end of the step, T+ = T + k h g.u+ + d g.(u+ - u), linearised once:
//
//   along a column   (H + h D + h^2 K) (u+ - u) = h (tau - c) - h^2 K u + ...
//   elsewhere        a row with a compliance, g.u+ + f / (h (k h + d)) = d g.u / (k h + d),
//                    whose impulse f = -h (T+ - T) joins those of loops and contacts
//
// so that the tree keeps its sparsity. Drag, and Rayleigh damping by mass, are inertia of bodies beside H, for the
// same reason. How g itself turns is left at the start of the step; where a spring softens (k < 0) it stays explicit.
#ifndef TML_METHOD_GENERALIZED_STIFF_H
#define TML_METHOD_GENERALIZED_STIFF_H

#include "method/generalized/motion.h"

// May anything that is sprung be a row of its own, or want the mass matrix?
bool tml__gen_has_stiff_rows(const gen_motion* m);

// Which forced axes are columns; once.
void tml__gen_list_forced_columns(gen_motion* m);

// Servos that give all they can damp no more: m->damping of their columns, with everything looked at.
void tml__gen_list_saturated(gen_motion* m);

// How hard spring and servo of an axis pull now: a servo that gives all it can pulls no harder.
double tml__gen_axis_stiffness(const gen_motion* m, int joint, tml_axis axis);

// What the springs of columns add to H and to the forces, with everything looked at at these rates.
void tml__gen_stiffen(gen_motion* m, double h, const double* rates);

// Does anything that holds back bodies count as inertia of theirs?
bool tml__gen_soaks(const gen_motion* m);

// What drag and Rayleigh damping add to the inertias of bodies, where these are placed.  [COOK Sec 4]
void tml__gen_soak(gen_motion* m, double h);

// The other springs, as rows.
void tml__gen_append_stiff(gen_motion* m, gen_rows* r, double h, const double* rates);

#endif
