// force/spring.h - springs and tendons: a tension along a path through points of bodies.
#ifndef TML_FORCE_SPRING_H
#define TML_FORCE_SPRING_H

#include "force/muscle.h"
#include "joint/rigid.h"

// Everything about a spring at one state; the arrays have one entry per point and belong to the
// caller.
typedef struct spring_state {
    double tension;       // N, positive pulls
    double dT_dL;         // how it follows the length, at this rate
    double dT_drate;      // the damping
    double dT_drest;      // how it follows the rest length
    double length, rate;  // of the whole path
    vec3* r;              // from the centre of mass to the point
    vec3* u;              // velocity of the point
    vec3* g;              // d(length)/d(point)
    vec3* e;              // unit vector of the segment that starts here
    double* inverse;      // 1 / its length; 0 where it has none
} spring_state;

void tml__spring_eval(const spring_data* s, const rigid* bodies, double t, spring_state* out);

// Force on point i, in world axes.
vec3 tml__spring_force(const spring_state* state, int i);

// d(wrench on the body of point i) / d(motion of the body of point k), velocities following
// positions by `lifts` (one per body). Row-major 6 x 6, overwritten.
void tml__spring_block(const spring_data* s, const spring_state* state, const rigid* bodies,
                       const lift* lifts, int i, int k, double block[36]);

double tml__spring_energy(const spring_data* s, const rigid* bodies);

// The law's mean force between two extensions, which times their difference is the energy stored,
// and its derivative by the second extension.
typedef struct spring_mean {
    double force, slope;
} spring_mean;

spring_mean tml__spring_mean(const spring_data* s, double from, double to);
spring_mean tml__spring_law(const spring_data* s, double extension);      // force and slope at one
spring_mean tml__spring_elastic(const spring_data* s, double extension);  // without a muscle

// What activation adds where there is a muscle; zeros where there is none.
muscle_pull tml__spring_muscle(const spring_data* s, double length, double rate, double t);

#endif
