// force/axis.h - what acts along a free joint coordinate: motor, spring, damper, servo.
#ifndef TML_FORCE_AXIS_H
#define TML_FORCE_AXIS_H

#include "model/model.h"

// A generalized force on a coordinate s with rate s', and its derivatives.
typedef struct axis_force {
    double Q;
    double dQ_ds;
    double dQ_drate;
} axis_force;

// `control` is the force control (ignored unless the axis is force-actuated and the motor acts
// along the coordinate), `servo` the servo's target.
axis_force tml__axis_force(const axis_data* a, double s, double rate, const drive* control,
                           const drive* servo);

// What the motor and the servo give of it, within the force limits of their axis.
double tml__axis_drive(const axis_data* a, double s, double rate, const drive* control,
                       const drive* servo);

// Energy stored in the axis spring.
double tml__axis_energy(const axis_data* a, double s);

// Does anything act on this coordinate?
bool tml__axis_is_forced(const axis_data* a);

// Does anything but a motor act on it?
bool tml__axis_is_sprung(const axis_data* a);

// All three rotations driven by force: the motor is a torque along the base's axes instead.
bool tml__joint_has_base_torque(const joint_data* j);
bool tml__axis_is_base_torque(const joint_data* j, int axis);

#endif
