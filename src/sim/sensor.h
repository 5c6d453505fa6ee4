// sim/sensor.h - what sensors keep between steps: velocities before the last one, where some measure accelerations.
#ifndef TML_SIM_SENSOR_H
#define TML_SIM_SENSOR_H

#include "sim/sim_internal.h"

#include <trammel/sensor.h>

size_t tml__sensors_width(
    const tml_model* m);  // numbers that are kept: 6 a node, and whether they are there
void tml__sensors_note(tml_sim* sim);    // before the accepted state changes by a step
void tml__sensors_forget(tml_sim* sim);  // it changes otherwise

#endif
