// force/muscle.h - the pull of a muscle: how it follows its length, its rate and its activation.
#ifndef TML_FORCE_MUSCLE_H
#define TML_FORCE_MUSCLE_H

#include <trammel/force.h>

// A tension and its derivatives.
typedef struct muscle_pull {
    double force;      // N
    double by_length;  // N/m
    double by_rate;    // N s/m
} muscle_pull;

// What the activation makes of it, at a length (m) of the path and its rate (m/s).
muscle_pull tml__muscle_active(const tml_muscle* m, double activation, double length, double rate);

// What stretching alone makes: a force, its slope and how that bends, and the energy stored since it
// was slack.
typedef struct muscle_stretch {
    double force, slope, bend, energy;
} muscle_stretch;

muscle_stretch tml__muscle_passive(const tml_muscle* m, double length);

#endif
