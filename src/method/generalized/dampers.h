// method/generalized/dampers.h - dampers and springs that a step takes at its end, as linear maps.
//
// Those along columns are numbers beside H. Those along the three turns of balls follow the pose: what acts
// against the rates w is a wrench along the gradients g of the damped coordinates,
//     -scale d g (g . w),
// in the maximal system as it is placed, with its bodies moving as w says. So do drag and Rayleigh damping where
// they count as inertia (stiff.h): -scale (c v, d omega) and -scale alpha (m v, J omega). Here are these wrenches, and
// how they follow poses, velocities, markers, masses and the dampers, for the products of product.h.
#ifndef TML_METHOD_GENERALIZED_DAMPERS_H
#define TML_METHOD_GENERALIZED_DAMPERS_H

#include "method/generalized/motion.h"
#include "method/partials.h"

typedef struct gen_damper_numbers {
    double *pose, *velocity, *E;  // 6 a node
    const parameter_set* in;      // NULL: none
} gen_damper_numbers;

// Does anything damp beside the columns?
bool tml__gen_has_dampers(const gen_motion* m);

// Subtract the wrenches from 6 numbers a node.
void tml__gen_damper_subtract(const gen_motion* m, double scale, double* E);

// E by everything else, or the other way.
void tml__gen_damper_product(const gen_motion* m, double scale, partial_direction way,
                             const gen_damper_numbers* x);

// Springs and servos along the three turns of balls that a carried motion takes where its step of h ends hold back the
// rates there like dampers h k would: -h^2 k g (g . w), and how that follows the same.
void tml__gen_ball_spring_subtract(const gen_motion* m, double h, double* E);
void tml__gen_ball_spring_product(const gen_motion* m, double h, partial_direction way,
                                  const gen_damper_numbers* x);

// r -= scale (d damping) w + spring_scale (d stiffness) w_spring along the columns that are damped or sprung,
// or gradients the other way. spring_scale 0: springs are taken at the start.
typedef struct gen_column_scales {
    double damping, spring;
    const double *w, *w_spring;  // per column
} gen_column_scales;
void tml__gen_column_product(const gen_motion* m, const gen_column_scales* at,
                             partial_direction way, const parameter_set* in, double* r);

#endif
