// method/power.h - what flows into bodies from outside: motors, servos, tendons, wrenches, hands and wind.
#ifndef TML_METHOD_POWER_H
#define TML_METHOD_POWER_H

#include "method/maximal.h"

// At placed bodies, with rows and targets evaluated.
typedef struct power_flow {
    double active;  // W, of what is driven; dampers, which only take, do not count
    double
        servo;  // J, what servos would give back at rest: half their stiffness times the square of what is left
} power_flow;

// `lambda`: the multipliers of rows there, of which motors have theirs.
power_flow tml__maximal_power(maximal_system* s, const double* lambda);

#endif
