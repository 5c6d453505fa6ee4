// force/axis.c - Q = motor - k (s - rest) - d s' + kp (target - s) + kd (target' - s').
#include "force/axis.h"

axis_force tml__axis_force(const axis_data* a, double s, double rate, const drive* control,
                           const drive* servo)
{
    axis_force out = {
        .Q = -a->stiffness * (s - a->rest) - a->damping * rate,
        .dQ_ds = -a->stiffness,
        .dQ_drate = -a->damping,
    };
    if (a->actuation == TML_FORCE) out.Q += control->value;
    if (a->has_servo) {
        out.Q += a->servo_stiffness * (servo->value - s) + a->servo_damping * (servo->rate - rate);
        out.dQ_ds -= a->servo_stiffness;
        out.dQ_drate -= a->servo_damping;
    }
    return out;
}

double tml__axis_energy(const axis_data* a, double s)
{
    return 0.5 * a->stiffness * (s - a->rest) * (s - a->rest);
}

bool tml__axis_is_sprung(const axis_data* a)
{
    return a->stiffness != 0.0 || a->damping != 0.0 || a->has_servo;
}

bool tml__axis_is_forced(const axis_data* a)
{
    return a->is_free && (a->actuation == TML_FORCE || tml__axis_is_sprung(a));
}

bool tml__joint_has_base_torque(const joint_data* j)
{
    return j->turn_count == 3 && j->axis[TML_AXIS_RX].actuation == TML_FORCE &&
           j->axis[TML_AXIS_RY].actuation == TML_FORCE &&
           j->axis[TML_AXIS_RZ].actuation == TML_FORCE;
}
