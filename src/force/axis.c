// force/axis.c - Q = motor - k (s - rest) - d s' + kp (target - s) + kd (target' - s').
//
// A motor and a servo, together, give no more than the force limits of their axis.
#include "force/axis.h"

// The motor and the servo, as far as they go.
static axis_force drive_force(const axis_data* a, double s, double rate, const drive* control,
                              const drive* servo)
{
    axis_force out = {0};
    if (a->actuation == TML_FORCE) out.Q = control->value;
    if (a->has_servo) {
        out.Q += a->servo_stiffness * (servo->value - s) + a->servo_damping * (servo->rate - rate);
        out.dQ_ds = -a->servo_stiffness;
        out.dQ_drate = -a->servo_damping;
    }
    if (!a->has_force_limits || (out.Q >= a->force_lower && out.Q <= a->force_upper)) return out;
    return (axis_force){.Q = out.Q < a->force_lower ? a->force_lower : a->force_upper};
}

axis_force tml__axis_force(const axis_data* a, double s, double rate, const drive* control,
                           const drive* servo)
{
    axis_force out = {
        .Q = -a->stiffness * (s - a->rest) - a->damping * rate,
        .dQ_ds = -a->stiffness,
        .dQ_drate = -a->damping,
    };
    if (a->has_force_limits) {
        const axis_force by = drive_force(a, s, rate, control, servo);
        return (axis_force){out.Q + by.Q, out.dQ_ds + by.dQ_ds, out.dQ_drate + by.dQ_drate};
    }
    // the same sums without limits, in the order that stored trajectories have
    if (a->actuation == TML_FORCE) out.Q += control->value;
    if (a->has_servo) {
        out.Q += a->servo_stiffness * (servo->value - s) + a->servo_damping * (servo->rate - rate);
        out.dQ_ds -= a->servo_stiffness;
        out.dQ_drate -= a->servo_damping;
    }
    return out;
}

double tml__axis_drive(const axis_data* a, double s, double rate, const drive* control,
                       const drive* servo)
{
    return drive_force(a, s, rate, control, servo).Q;
}

double tml__axis_energy(const axis_data* a, double s)
{
    return 0.5 * a->stiffness * (s - a->rest) * (s - a->rest);
}

bool tml__axis_is_sprung(const axis_data* a)
{
    return a->stiffness != 0.0 || a->damping != 0.0 || a->has_servo || a->is_dot;
}

bool tml__axis_is_forced(const axis_data* a)
{
    return a->is_free && (a->actuation == TML_FORCE || tml__axis_is_sprung(a));
}

bool tml__axis_is_base_torque(const joint_data* j, int axis)
{
    return axis >= TML_AXIS_RX && axis < TML_AXES && tml__joint_has_base_torque(j);
}

bool tml__joint_has_base_torque(const joint_data* j)
{
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
        if (j->axis[k].armature > 0.0) return false;  // its motor turns with the coordinate
    }
    return j->turn_count == 3 && j->axis[TML_AXIS_RX].actuation == TML_FORCE &&
           j->axis[TML_AXIS_RY].actuation == TML_FORCE &&
           j->axis[TML_AXIS_RZ].actuation == TML_FORCE;
}
