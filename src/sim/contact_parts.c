// sim/contact_parts.c - a step whose contacts come to no end, in parts.
//
// Bodies that turn by a good part of a radian in a step answer a push by more than its matrix says, and the
// passes of sim/contact_step.c may not settle. In half the step they turn half as far. Parts are taken as all steps
// are that meet something, in `quaternion` by implicit Euler, and a new history begins after them.
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

#include <string.h>

// The state that a part has ended at is where the next one starts.
static void go_on(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const size_t bytes = (size_t)sim->width * sizeof(double);
    memcpy(w->q_part, sim->next.q, bytes);
    memcpy(w->v_part, sim->next.v, bytes);
    sim->past_q[0] = w->q_part;
    sim->past_v[0] = w->v_part;
}

static tml_status advance_parts(tml_sim* sim, const double* controls, int parts, int* has_changed)
{
    double* const q = sim->past_q[0];
    double* const v = sim->past_v[0];
    const double h = sim->settings.step;
    const int was_impact = sim->is_impact;
    tml_status status = TML_OK;

    sim->settings.step = h / parts;
    sim->part_count = parts;
    for (int k = 0; k < parts && status == TML_OK; k++) {
        sim->part = k;
        sim->is_impact = 1;
        if (k > 0) go_on(sim);
        status = tml__sim_touch_advance(sim, controls, has_changed);
    }
    sim->settings.step = h;
    sim->part_count = 1;
    sim->part = 0;
    sim->is_impact = was_impact;
    sim->past_q[0] = q;
    sim->past_v[0] = v;
    return status;
}

tml_status tml__sim_touch_divide(tml_sim* sim, const double* controls, int* has_changed)
{
    const message why = sim->why;  // of the whole step
    tml_status status = TML_NOT_CONVERGED;
    for (int parts = 2; parts <= MOST_PARTS && status == TML_NOT_CONVERGED; parts *= 2) {
        const tml_sim_report before = sim->report;
        status = advance_parts(sim, controls, parts, has_changed);
        if (status != TML_OK) {
            // parts that were found before one was not are none of the run's, but for what they cost
            const long long iterations = sim->report.newton_iterations;
            sim->report = before;
            sim->report.newton_iterations = iterations;
            continue;
        }
        *has_changed = 1;
        sim->report.substeps += parts;
        if (sim->trace == NULL) continue;
        sim->trace->pieces = parts;
        sim->trace->has_touched = true;  // in one of them
    }
    if (status == TML_NOT_CONVERGED) sim->why = why;
    if (status == TML_OK) sim->why = (message){0};
    return status;
}
