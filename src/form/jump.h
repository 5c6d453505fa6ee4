// form/jump.h - velocities that rows ask for next to a singular pose.
//
// There rows hardly tell the motions of two branches apart, and a pose that closes them to 1e-10 may be 1e-5 off its
// own branch: the little that is left of their rates then asks for velocities of another branch. The motion of the
// step itself knows where it goes. A jump is several times what a projection may change; where the rate of a row asks
// for it (a motor's jumps, a limit is met) it is none.
#ifndef TML_FORM_JUMP_H
#define TML_FORM_JUMP_H

#include "math/vec3.h"

#include <stdbool.h>

// The largest of all bodies, linear and angular.
typedef struct jump_sizes {
    double speed[2];   // at the end of the step, by its own motion
    double change[2];  // within the step
    double jump[2];    // that the rows ask for
} jump_sizes;

// A body's velocities before and after the step's motion, and what is to be added to these.
typedef struct jump_body {
    vec3 v, omega;
    vec3 v_end, omega_end;
    vec3 dv, domega;
} jump_body;

void tml__jump_add(jump_sizes* s, const jump_body* b);

// rate: the largest that the rows have by the step's own motion; h: the step; least: what moves a body by the
// tolerance within it.
bool tml__jump_is(const jump_sizes* s, double rate, double h, double least);

#endif
