// sim/limits.c - which limits act at the end of a step.
//
// A limit that acts is an ordinary row; its multiplier is positive when it pushes the coordinate
// up. It holds while it pushes inwards. Contact is inelastic: the step that meets a limit ends on
// it, and the velocity into it is removed when the multistep history restarts.
#include "sim/limits.h"

static limit_side decide(const axis_data* axis, limit_side side, double value, double lambda,
                         double tolerance)
{
    if (side == LIMIT_LOWER) return lambda < 0.0 ? LIMIT_OFF : side;
    if (side == LIMIT_UPPER) return lambda > 0.0 ? LIMIT_OFF : side;
    if (value < axis->lower - tolerance) return LIMIT_LOWER;
    if (value > axis->upper + tolerance) return LIMIT_UPPER;
    return LIMIT_OFF;
}

int tml__limits_update(tml_sim* sim, const double* controls, unsigned char* touched)
{
    maximal_system* s = sim->system;
    int changed = 0;

    tml__sim_time(sim, sim->settings.step, controls);
    tml__maximal_place(s, sim->next.q, sim->next.v);
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        const axis_data* axis = &sim->model->joints[limit->joint].axis[limit->axis];
        const double value = tml__maximal_coordinate(s, limit->joint, limit->axis);
        const limit_side side =
            decide(axis, s->sides[i], value, sim->next.lambda[limit->row], sim->settings.tolerance);
        if (side == s->sides[i] || (side == LIMIT_OFF && touched[i])) continue;
        if (side != LIMIT_OFF) touched[i] = 1;
        s->sides[i] = side;
        changed++;
    }
    return changed;
}

tml_status tml__limits_check_start(tml_sim* sim)
{
    maximal_system* s = sim->system;
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        const axis_data* axis = &sim->model->joints[limit->joint].axis[limit->axis];
        const double value = tml__maximal_coordinate(s, limit->joint, limit->axis);
        const double slack = sim->settings.tolerance;
        if (value >= axis->lower - slack && value <= axis->upper + slack) continue;
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "joint '%s': %s starts at %g, outside its limits [%g, %g]",
                         sim->model->all.joints[limit->joint].name, tml_axis_name(limit->axis),
                         value, axis->lower, axis->upper);
    }
    return TML_OK;
}
