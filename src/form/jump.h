// form/jump.h - velocities that rows ask for next to a singular pose.
//
// There rows hardly tell the motions of two branches apart, and a pose that closes them to 1e-10 may be 1e-5 off its
// own branch: the little that is left of their rates then asks for velocities of another branch. The motion of the
// step itself knows where it goes. A jump is several times what a projection may change; where the rate of a row asks
// for it (a motor's jumps, a limit is met) it is none.
#ifndef TML_FORM_JUMP_H
#define TML_FORM_JUMP_H

#include "form/maximal.h"

// The largest of all bodies, m/s: how fast the centre of mass moves and a point a radius of gyration from it turns.
typedef struct jump_sizes {
    double speed;   // at the end of the step, by its own motion
    double change;  // within the step
    double jump;    // that the rows ask for
    double spin;    // rad/s
    double radius;  // the largest radius of gyration
} jump_sizes;

// A body's velocities before and after the step's motion, and what is to be added to these.
typedef struct jump_body {
    vec3 v, omega;
    vec3 v_end, omega_end;
    vec3 dv, domega;
} jump_body;

void tml__jump_add(jump_sizes* s, const body_data* data, const jump_body* b);

// `rates`: of the rows by the step's own motion, before they have had their say; h: the step; is_half: rows push half of
// what they must at either end of it, so that the end has to take what forces did alone. They are evaluated for that at
// the placed bodies (s->force, s->torque) where it looks like a jump.
typedef struct jump_step {
    const double* rates;
    double h, tolerance;
    bool is_half;
} jump_step;

bool tml__jump_is(const jump_sizes* sizes, maximal_system* s, const jump_step* step);

// A body's radius of gyration, and how fast it moves, as above.
double tml__jump_radius(const body_data* data);
double tml__jump_size(const body_data* data, vec3 v, vec3 omega);

// The largest rate of a row, m/s; those of angles count where a radius ends.
double tml__jump_fastest_row(const maximal_system* s, const double* rates, double radius);

#endif
