// sim/limits.c - which limits act at the end of a step.
//
// A limit that acts is an ordinary row; its multiplier is positive when it pushes the coordinate
// up. It holds while it pushes inwards. Contact is inelastic: the step that meets a limit ends on
// it, and the velocity into it is removed when the multistep history restarts.
//
// Which limits act is a complementarity problem: 0 <= push, 0 <= distance, one of them zero. It is solved
// by block principal pivoting on the step itself, so that what holds, holds to the tolerance of Newton:
// all that is out of order changes sides at once while that lowers how many there are, and the last of
// them alone otherwise, which comes to an end wherever the rows do not depend on each other (Murty). The
// forces of contacts beside them are good to their own tolerance, and different in every pass: limits
// that graze may then go in circles.
#include "sim/limits.h"

#include "math/scalar.h"

#include <math.h>
#include <string.h>

static limit_side decide(limit_room room, limit_side side, double lambda, double tolerance)
{
    if (side == LIMIT_LOWER) return lambda < 0.0 ? LIMIT_OFF : side;
    if (side == LIMIT_UPPER) return lambda > 0.0 ? LIMIT_OFF : side;
    if (room.lower < -tolerance) return LIMIT_LOWER;
    if (room.upper < -tolerance) return LIMIT_UPPER;
    return LIMIT_OFF;
}

enum {
    HASTY_PASSES = 8,  // in a row that change all at once and do not help
    MOST_PASSES = 24   // that let go beside contacts; without them many more for each limit,
};
enum {
    PASSES_A_LIMIT = 20
};

limit_passes tml__limits_start(const tml_sim* sim)
{
    const int limits = sim->system->limit_count;
    const int more = sim->touch != NULL ? 0 : PASSES_A_LIMIT * limits;
    return (limit_passes){
        .most = MOST_PASSES + more, .fewest = limits + 1, .patience = HASTY_PASSES};
}

// The side that a limit should be on, by where the step ended.
static limit_side wanted(const tml_sim* sim, int i)
{
    const maximal_system* s = sim->system;
    const limit_row* limit = &s->limits[i];
    const double push = sim->form->judges_limits_by_step ? sim->limit_push[i]  // of its last part
                                                         : sim->next.lambda[limit->row];
    return decide(tml__maximal_limit_room(s, i), s->sides[i], push, sim->settings.tolerance);
}

// Change the sides of limits that are out of order; of what only engages where passes go in circles.
static int change_sides(tml_sim* sim, int first, bool may_let_go)
{
    maximal_system* s = sim->system;
    int changed = 0;
    for (int i = first; i < s->limit_count; i++) {
        const limit_side side = wanted(sim, i);
        if (side == s->sides[i] || (side == LIMIT_OFF && !may_let_go)) continue;
        s->sides[i] = side;
        changed++;
    }
    return changed;
}

int tml__limits_update(tml_sim* sim, const double* controls, limit_passes* passes)
{
    const maximal_system* s = sim->system;
    int wrong = 0;

    tml__sim_time(sim, step_h(sim), controls);
    tml__sim_place(sim, sim->next.q, sim->next.v, sim->next.own);
    for (int i = 0; i < s->limit_count; i++) {
        if (wanted(sim, i) == s->sides[i]) continue;
        wrong++;
        passes->last = i;
    }
    if (wrong == 0) return 0;
    memcpy(sim->next.sides, s->sides, (size_t)s->limit_count * sizeof *s->sides);
    if (wrong < passes->fewest) {
        passes->fewest = wrong;
        passes->patience = HASTY_PASSES;
    }
    if (passes->count++ < passes->most) {
        return change_sides(sim, passes->patience-- > 0 ? 0 : passes->last, true);
    }
    const int changed = change_sides(sim, 0, false);
    if (changed == 0) sim->report.unsettled_limits++;
    return changed;
}

// sim->next.sides are free until a step is accepted.
void tml__limits_step_back(tml_sim* sim, const limit_passes* passes)
{
    maximal_system* s = sim->system;
    const limit_side changed = s->sides[passes->last];
    memcpy(s->sides, sim->next.sides, (size_t)s->limit_count * sizeof *s->sides);
    s->sides[passes->last] = changed;
    sim->why = (message){0};
}

tml_status tml__limits_describe(tml_sim* sim, const limit_passes* passes)
{
    const limit_row* limit = &sim->system->limits[passes->last];
    return tml__fail(
        &sim->why, TML_NOT_CONVERGED,
        "limits keep engaging and letting go within one step of %g s, among them %s of "
        "joint '%.200s'",
        step_h(sim), tml_axis_name(limit->axis), sim->model->all.joints[limit->joint].name);
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

// ---- where a history begins

// The side of a limit that its coordinate touches, with the bodies placed.
static limit_side touching(const tml_sim* sim, int i)
{
    const limit_room room = tml__maximal_limit_room(sim->system, i);
    if (room.lower <= sim->settings.tolerance) return LIMIT_LOWER;
    return room.upper <= sim->settings.tolerance ? LIMIT_UPPER : LIMIT_OFF;
}

// Engage what touches a limit and moves into it faster than `least` (negative: also what rests
// there). Answers how many.
static int engage_touching(tml_sim* sim, double least)
{
    maximal_system* s = sim->system;
    int engaged = 0;

    tml__maximal_place(s, sim->past_q[0], sim->past_v[0]);
    tml__maximal_rows(s);
    for (int i = 0; i < s->limit_count; i++) {
        const limit_side side = touching(sim, i);
        if (s->sides[i] != LIMIT_OFF || side == LIMIT_OFF) continue;
        const double rate = tml__maximal_coordinate_rate(s, s->limits[i].joint, s->limits[i].of);
        if (!((double)side * rate > least)) continue;
        s->sides[i] = side;
        engaged++;
    }
    return engaged;
}

// Let go the limit that pulls most; false when none does.
static bool release_one(tml_sim* sim)
{
    maximal_system* s = sim->system;
    double most = 0.0;
    int which = -1;
    for (int i = 0; i < s->limit_count; i++) {
        // a lower limit pushes up: its multiplier is positive
        const double pull = (double)s->sides[i] * sim->lambda[s->limits[i].row];
        if (pull <= most) continue;
        most = pull;
        which = i;
    }
    if (which >= 0) s->sides[which] = LIMIT_OFF;
    return which >= 0;
}

tml_status tml__limits_begin(tml_sim* sim, double* change)
{
    maximal_system* s = sim->system;
    const double still = 1e-12;  // m/s, rad/s: what projection leaves
    const size_t bytes = (size_t)s->limit_count * sizeof *s->sides;
    tml_status status = TML_OK;

    memset(s->sides, 0, bytes);
    *change = 0.0;
    do {
        double step = 0.0;
        status = tml__maximal_project_velocity(s, sim->past_q[0], sim->past_v[0], &step);
        *change = tml__larger(*change, step);
    } while (status == TML_OK && engage_touching(sim, still) > 0);
    if (status == TML_OK) {
        engage_touching(sim, -1e-9);  // what rests on a limit, or was stopped there
        do {
            status = tml__maximal_accelerate(s, sim->past_q[0], sim->past_v[0],
                                             sim->start.acceleration, sim->lambda);
        } while (status == TML_OK && release_one(sim));
    }
    if (status == TML_OK) memcpy(sim->sides, s->sides, bytes);
    return status;
}
