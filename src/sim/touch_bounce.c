// sim/touch_bounce.c - what has met in a step with contact: velocities into each other are taken away, or
// turned round. An island whose impulses win more energy than MISJUDGED of what they move loses its
// restitution for the step; islands beside it keep theirs.     [notes, contact section 6]
#include "sim/sim_internal.h"
#include "sim/touch_internal.h"

#include <math.h>
#include <string.h>

enum {
    BOUNCE_PASSES = 8
};

// Does a contact bounce in this step? It must be faster than forces alone make it in two: what only
// rests does not.
static bool bounces(const tml_sim* sim, const contact* k, int row)
{
    const sim_touch* w = sim->touch;
    return k->restitution > 0.0 && -w->before[row] > 2.0 * fabs(w->after[row]) &&
           w->rows->kinds[row].kind == LCP_UNILATERAL;
}

// Which rows are closed at the end, and the rates they must have. w->after holds what forces alone
// change the rate by within the step. Answers whether velocities are to be changed.
static bool list_closed(tml_sim* sim, const touch_plan* plan, const double* rate)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    const bool is_multistep = sim->form->contact == FORM_CONTACT_FORCE;
    // of sweeps nothing more is asked where the end of the step has the velocity that moved it
    const bool is_rough = t->sweeps > 0 && plan->share == plan->reach;
    const double still = 10.0 * sim->settings.tolerance / t->h;
    bool is_needed = false;

    for (int i = 0; i < t->contact_count; i++) {
        const contact* k = &sim->contacts->found[i];
        const int at = t->contact_row[i];
        // a contact that stays has the velocity that the formula gives it
        const bool is_old = is_multistep && t->labels_before[at] == LCP_HELD;
        const bool is_hard = t->kinds[at].kind == LCP_UNILATERAL && t->give[at] == 0.0;
        const bool does_bounce = bounces(sim, k, at);
        w->is_closed[at] = is_hard && w->seen[at] * t->h <= t->slop && (!is_old || does_bounce);
        // the slower of the speeds at both ends of the step: a ball thrown up wins nothing by
        // meeting the ceiling early
        const double speed = fmin(-w->before[at], -(w->before[at] + w->after[at]));
        w->after[at] = does_bounce ? k->restitution * speed : 0.0;
        const bool is_done = is_rough && !does_bounce;
        is_needed |= w->is_closed[at] && !is_done && rate[at] < w->after[at] - still;
        for (int n = 1; n <= t->friction_rows[i]; n++) w->after[at + n] = 0.0;
    }
    return is_needed;
}

static double largest(const double* x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Velocities after the impulses f_other, from those before in `from` (NULL: rest), into w->motion.
tml_status tml__touch_push_velocities(tml_sim* sim, const double* from)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    tml__touch_push(t, t->f_other, w->wrench);
    const tml_status status =
        tml__kkt_solve(sim->system->matrix, w->wrench, t->none, w->motion, t->dl);
    for (int i = 0; i < 6 * sim->model->node_count && from != NULL; i++) w->motion[i] += from[i];
    return status;
}

// The violation of the rows that the last problem of velocities was about.
static double rate_violation(const tml_sim* sim, const double* rate)
{
    const sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    double worst = 0.0;
    for (int i = 0; i < t->row_count; i++) {
        const double over = rate[i] - w->after[i];
        if (t->kinds_other[i].kind == LCP_BOX) continue;
        if (t->labels_other[i] == LCP_HELD) worst = fmax(worst, fabs(over));
        if (t->labels_other[i] == LCP_OFF && t->kinds_other[i].kind == LCP_UNILATERAL) {
            worst = fmax(worst, -over);
        }
    }
    return worst;
}

// Impulses f_other that give the closed rows the rates w->after, from the velocities in `from`; `rate` goes
// from what rows have to what they then have.
static tml_status find_impulses(tml_sim* sim, double* rate, const double* from)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    tml__touch_rates(t, from, rate);
    memset(t->f_other, 0, (size_t)t->row_count * sizeof *t->f_other);
    memcpy(t->labels_other, t->labels, (size_t)t->row_count);
    // rounding of velocities that are about to change
    const double enough = 1e-12 * (1.0 + largest(rate, t->row_count));
    for (int pass = 0; pass < BOUNCE_PASSES; pass++) {
        tml_status status = tml__touch_bounce(t, rate, w->after, w->is_closed, &sim->why);
        if (status == TML_NOT_CONVERGED)
            return tml__touch_describe(sim, status, t->report.worst_row);
        if (status == TML_OK) status = tml__touch_push_velocities(sim, from);
        if (status != TML_OK) return status;
        tml__touch_rates(t, w->motion, rate);
        if (rate_violation(sim, rate) <= enough || t->sweeps > 0) break;
    }
    return TML_OK;
}

// Of the energy that impulses move to and fro: what rows frozen at the start of the step may misjudge.
#define MISJUDGED 1e-2

// What all impulses of the step win beyond what may be misjudged, into w->seen: per row the sum over its
// island. Work is f . (J u+ + J u_free) / 2, and without any impulse rows would have J u_free = J u - A f;
// A couples no islands, so that the work of each is its own.
static void judge_islands(const tml_sim* sim, const double* rate, const double* from)
{
    const sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    double* gain = w->seen;  // the step is made
    tml__touch_rates(t, from, gain);
    tml__touch_respond(t, t->f, t->response);
    for (int i = 0; i < t->row_count; i++) {
        const double f = t->f[i] + t->f_other[i];
        const double alone = gain[i] - (t->response[i] - t->give[i] * t->f[i]);
        const double work = 0.5 * f * (alone + rate[i]);
        const double size = 0.5 * fabs(f) * (fabs(alone) + fabs(rate[i]));
        gain[i] = work - MISJUDGED * size;
    }
    tml__touch_sum_islands(t, gain);
}

static bool has_bounces(const sim_touch* w)
{
    const touch_set* t = w->rows;
    for (int i = 0; i < t->contact_count; i++) {
        if (w->after[t->contact_row[i]] > 0.0) return true;
    }
    return false;
}

// Newton's restitution may win energy where contacts of different restitution, friction and joints meet in
// one step. Without it the laws alone keep the work of an island from being positive. Answers whether any
// was dropped.
static bool drop_bounces(const tml_sim* sim, const double* rate, const double* from)
{
    const sim_touch* w = sim->touch;
    if (!has_bounces(w)) return false;
    judge_islands(sim, rate, from);
    bool has_dropped = false;
    for (int i = 0; i < w->rows->contact_count; i++) {
        const int at = w->rows->contact_row[i];
        if (!(w->seen[at] > 0.0)) continue;
        has_dropped |= w->after[at] > 0.0;
        w->after[at] = 0.0;
    }
    return has_dropped;
}

// Impulses that take velocities into each other away, or turn them round, at the end of the step.
static tml_status bounce(tml_sim* sim, double* rate, const double* from)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    maximal_system* s = sim->system;

    tml__maximal_place(s, sim->next.q, sim->next.v);
    tml__maximal_rows(s);
    tml_status status = tml__maximal_factor_position(s);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    status = find_impulses(sim, rate, from);
    if (status == TML_OK && drop_bounces(sim, rate, from)) {
        status = find_impulses(sim, rate, from);
    }
    if (status != TML_OK) return status;
    memcpy(w->v_met, sim->next.v, POSE_WIDTH * (size_t)s->node_count * sizeof *w->v_met);
    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_store_velocity(&sim->next.q[n * POSE_WIDTH], v3_load(&w->motion[6 * n]),
                                    v3_load(&w->motion[6 * n + 3]), &sim->next.v[n * POSE_WIDTH]);
    }
    for (int i = 0; i < t->row_count; i++) w->total[i] += t->f_other[i];
    return TML_OK;
}

// What has met, and what was pushed.
tml_status tml__touch_finish(tml_sim* sim, const touch_plan* plan, bool* has_met)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    const double h = t->h;
    double* rate = t->w;             // the problem's own answer is no longer needed
    double* from = w->acceleration;  // free once the change by forces is known

    tml__touch_rates(t, w->acceleration, w->after);
    for (int i = 0; i < t->row_count; i++) w->after[i] *= h;
    memcpy(w->total, t->f, (size_t)t->row_count * sizeof *w->total);
    tml__touch_velocities(sim, sim->next.q, sim->next.v, from);
    tml__touch_rates(t, from, rate);
    *has_met = list_closed(sim, plan, rate);
    return *has_met ? bounce(sim, rate, from) : TML_OK;
}
