// method/jump.h - velocities that rows ask for next to a singular pose.
//
// There rows hardly tell the motions of two branches apart, and a pose that closes them to 1e-10 may be 1e-5 off its
// own branch: the little that is left of their rates then asks for velocities of another branch. The motion of the
// step itself knows where it goes. A jump is several times what a projection may change; where the rate of a row asks
// for it (a motor's jumps, a limit is met) it is none. Every mechanism is judged by its own bodies and rows.
#ifndef TML_METHOD_JUMP_H
#define TML_METHOD_JUMP_H

#include "method/maximal.h"

// The largest of a mechanism, m/s: how fast the centre of mass moves and a point a radius of gyration from it turns.
struct jump_sizes {
    double first;   // where the step starts
    double speed;   // where it ends, by its own motion
    double change;  // within the step
    double jump;    // that the rows ask for
    double
        rate;  // of the rows by the step's own motion; those of angles count where the radius ends
    double push;    // what forces alone would do within the step
    double spin;    // where it ends, rad/s
    double radius;  // the largest radius of gyration, m
};

// A body's velocities before and after the step's motion, and what is to be added to these.
typedef struct jump_body {
    vec3 v, omega;
    vec3 v_end, omega_end;
    vec3 dv, domega;
} jump_body;

// Into s->jumps, one a mechanism: nothing; the body of a node; the rates of rows, when all bodies have been added.
void tml__jump_clear(maximal_system* s);
void tml__jump_add(maximal_system* s, int node, const jump_body* b);
void tml__jump_add_rates(maximal_system* s, const double* rates);

// What s->force and s->torque (without weight, if that is told) do within h.
void tml__jump_add_push(maximal_system* s, double h, bool has_weight);

// is_half: rows push half of what they must at either end of the step, so that the end has to take what forces did alone.
// They are evaluated for that at the placed bodies where it looks like a jump.
typedef struct jump_step {
    const double* rates;
    double h, tolerance;
    bool is_half;
} jump_step;

// Does any mechanism jump, all bodies having been added?
bool tml__jump_is(maximal_system* s, const jump_step* step);

// Number the mechanisms: bodies that joints and couplings tie together, directly or through others that move.
void tml__jump_find_mechanisms(maximal_system* s);

#endif
