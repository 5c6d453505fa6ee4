// model/sensor.h - what kinds of sensors need.
#ifndef TML_MODEL_SENSOR_H
#define TML_MODEL_SENSOR_H

#include "model/model.h"

typedef enum sensor_needs {
    SENSOR_NOTHING,
    SENSOR_FRAME,
    SENSOR_ZONE,     // about a frame
    SENSOR_CARRIED,  // a frame of a body that a joint carries
    SENSOR_BODY,     // that moves
    SENSOR_AXIS,
    SENSOR_SPRING,
} sensor_needs;

sensor_needs tml__sensor_needs(tml_sensor_kind kind);
bool tml__sensor_accelerates(tml_sensor_kind kind);  // needs the velocities before the last step

// The joint that carries a body: the first whose follower it is; -1: none.
int tml__sensor_carrier(const definitions* all, int body);

tml_status tml__check_sensor(const definitions* all, const tml_sensor_def* def, message* why);

#endif
