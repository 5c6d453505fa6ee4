// sim/contact_bounce.c - what has met in a step with contact: velocities into each other are taken away, or
// turned round. An island whose impulses win more energy than MISJUDGED of what they move loses its
// restitution for the step; islands beside it keep theirs.     [notes, contact section 6]
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

enum {
    BOUNCE_PASSES = 16
};

// Does a contact bounce in this step? It must be faster than forces alone make it in two: what only
// rests does not.
static bool bounces(const tml_sim* sim, const contact* k, int row)
{
    const sim_touch* w = sim->touch;
    return k->restitution > 0.0 && -w->before[row] > 2.0 * fabs(w->after[row]) &&
           w->rows->kinds[row].kind == LCP_UNILATERAL;
}

// Which contacts are closed at the end, and the rates they must have: w->after where they bounce, and w->kept, the rate
// that a formula of several steps gives what stays (`rate`, before rows have turned). w->after held what
// forces alone change the rate by within the step. Answers whether bodies have met.
static bool list_closed(tml_sim* sim, const touch_plan* plan, const double* rate)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    const bool is_multistep = sim->form->contact == FORM_CONTACT_FORCE;
    const double still = 10.0 * sim->settings.tolerance / t->h;
    bool has_met = false;

    for (int i = 0; i < t->contact_count; i++) {
        const contact* k = &sim->contacts->found[i];
        const int at = t->contact_row[i];
        const bool is_hard = t->kinds[at].kind == LCP_UNILATERAL && t->give[at] == 0.0;
        const bool does_bounce = plan->order < 2 && bounces(sim, k, at);
        w->is_old[i] = is_multistep && t->labels_before[at] == LCP_HELD && !does_bounce;
        // where all goes on as it was nothing new has met
        const bool may_meet = plan->order < 2 || w->is_old[i];
        w->is_closed[at] = is_hard && may_meet && w->seen[at] * t->h <= t->slop;
        // the slower of the speeds at both ends of the step: a ball thrown up wins nothing by
        // meeting the ceiling early
        const double speed = fmin(-w->before[at], -(w->before[at] + w->after[at]));
        w->after[at] = does_bounce ? k->restitution * speed : 0.0;
        has_met |= w->is_closed[at] && !w->is_old[i] && rate[at] < w->after[at] - still;
        for (int n = 0; n <= t->friction_rows[i]; n++) {
            // what slides is not asked to slide as it did
            const bool is_kept = w->is_old[i] && t->labels[at + n] == LCP_HELD;
            w->kept[at + n] = is_kept ? rate[at + n] : 0.0;
            if (n > 0) w->after[at + n] = 0.0;
        }
    }
    return has_met;
}

// Are velocities to be changed? Of sweeps nothing more is asked where the end of the step has the velocity that
// moved it. Where nothing has met and rows have merely turned, a fifth of what weight changes in a step (or of 1 m/s^2,
// where nothing weighs) is left as it is: the next step begins there, and heaps that rest are spared a problem.
static bool must_change(const tml_sim* sim, const touch_plan* plan, const double* rate,
                        bool has_met)
{
    const sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    const bool is_rough = t->sweeps > 0 && plan->share == plan->reach;
    const double slow = 0.2 * t->h * fmax(v3_norm(sim->model->all.gravity), 1.0);
    const double still = w->has_end && !has_met ? slow : 10.0 * sim->settings.tolerance / t->h;
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        const double over = rate[at] - w->after[at] - w->kept[at];
        if (!w->is_closed[at] || (is_rough && !(w->after[at] > 0.0))) continue;
        if (over < -still || (over > still && t->f[at] > 0.0)) return true;
    }
    return false;
}

static double largest(const double* x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Velocities after the impulses f, from those before in `from` (NULL: rest), into w->motion.
tml_status tml__touch_push_velocities(tml_sim* sim, const double* f, const double* from)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    tml__touch_push(t, f, w->wrench);
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
        const double over = rate[i] - w->asked[i];
        if (t->kinds_other[i].kind == LCP_BOX) continue;
        if (t->labels_other[i] == LCP_HELD) worst = fmax(worst, fabs(over));
        if (t->labels_other[i] == LCP_OFF && t->kinds_other[i].kind == LCP_UNILATERAL) {
            worst = fmax(worst, -over);
        }
    }
    return worst;
}

// What closed rows push in the step so far, which impulses at the end take the place of; f_other begins there. Where
// something bounces they are added instead: the first press bodies together, the second push them apart.
static void note_closed(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    double* bounce = w->asked;
    memset(bounce, 0, (size_t)t->row_count * sizeof *bounce);
    for (int i = 0; i < t->contact_count; i++) {
        bounce[t->contact_row[i]] = w->after[t->contact_row[i]] > 0.0 ? 1.0 : 0.0;
    }
    tml__touch_sum_islands(t, bounce);
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        w->is_replaced[i] = w->is_closed[at] != 0 && !(bounce[at] > 0.0);
        for (int n = 0; n <= t->friction_rows[i]; n++) {
            w->closed[at + n] = w->is_replaced[i] ? t->f[at + n] : 0.0;
            w->asked[at + n] = w->after[at + n] + w->kept[at + n];
        }
    }
    memcpy(t->f_other, w->closed, (size_t)t->row_count * sizeof *t->f_other);
    tml__touch_close(t, w->is_closed);
}

// Impulses f_other of the whole step, in place of those it had, that give the closed rows the rates that are asked, from the
// velocities in `from`; `rate` goes from what rows have to what they then have. They push and do not pull, but may be
// less than what moved the step: a body that rolls on a rounded one follows it.
static tml_status find_impulses(tml_sim* sim, double* rate, const double* from)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    double* more = t->f_start;
    tml__touch_rates(t, from, rate);
    note_closed(sim);
    // rounding of velocities that are about to change, or what the step itself may leave
    const double rounding = 1e-14 * (1.0 + largest(rate, t->row_count));
    const double still = 10.0 * sim->settings.tolerance / t->h;
    const double enough = fmax(rounding, 1e-3 * still);
    memcpy(w->motion, from, 6 * (size_t)sim->model->node_count * sizeof *from);
    // what rests has its answer already, as good as the step has made it
    if (rate_violation(sim, rate) <= still) return TML_OK;
    for (int pass = 0; pass < BOUNCE_PASSES; pass++) {
        tml_status status = tml__touch_bounce(t, rate, w->asked, &sim->why);
        if (status == TML_NOT_CONVERGED)
            return tml__touch_describe(sim, status, t->report.worst_row);
        for (int i = 0; i < t->row_count; i++) more[i] = t->f_other[i] - w->closed[i];
        if (status == TML_OK) status = tml__touch_push_velocities(sim, more, from);
        if (status != TML_OK) return status;
        tml__touch_rates(t, w->motion, rate);
        if (t->sweeps > 0 || rate_violation(sim, rate) <= enough) break;
    }
    return TML_OK;
}

// Of the energy that impulses move to and fro: what rows frozen at the start of the step may misjudge.
#define MISJUDGED 1e-3

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
        const double f = t->f[i] - w->closed[i] + t->f_other[i];
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

static void store_velocities(tml_sim* sim, const double* motion)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        tml__maximal_store_velocity(&sim->next.q[n * POSE_WIDTH], v3_load(&motion[6 * n]),
                                    v3_load(&motion[6 * n + 3]), &sim->next.v[n * POSE_WIDTH]);
    }
}

// Impulses that take velocities into each other away, or turn them round, at the end of the step.
static tml_status bounce(tml_sim* sim, double* rate, const double* from)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    tml_status status = find_impulses(sim, rate, from);
    if (status == TML_OK && drop_bounces(sim, rate, from)) {
        status = find_impulses(sim, rate, from);
    }
    if (status != TML_OK) return status;
    store_velocities(sim, w->motion);
    for (int i = 0; i < t->row_count; i++) w->total[i] += t->f_other[i] - w->closed[i];
    return TML_OK;
}

// Mass matrix and rows where the step ends.
static tml_status factor_end(tml_sim* sim)
{
    maximal_system* s = sim->system;
    tml__maximal_place(s, sim->next.q, sim->next.v);
    tml__maximal_rows(s);
    const tml_status status = tml__maximal_factor_position(s);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    return TML_OK;
}

// No row is asked for anything at the end.
static void forget_bounce(sim_touch* w)
{
    touch_set* t = w->rows;
    memset(t->f_other, 0, (size_t)t->row_count * sizeof *t->f_other);
    memset(w->closed, 0, (size_t)t->row_count * sizeof *w->closed);
    w->has_solved = false;
    for (int i = 0; i < t->row_count; i++) {
        t->kinds_other[i] = (lcp_row){.kind = LCP_BOX};
        t->labels_other[i] = LCP_LOWER;
    }
}

// Velocities at the end as rows have turned, in `from` too.
static tml_status turn(tml_sim* sim, const touch_plan* plan, double* from)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    w->turned = t->sweeps > 0 ? 0.0 : tml__touch_turned_share(plan);
    w->has_end = tml__touch_turned_push(sim, w->turned);
    if (!w->has_end) return TML_OK;
    tml_status status = factor_end(sim);
    if (status != TML_OK) return status;
    status = tml__kkt_solve(sim->system->matrix, w->wrench, t->none, w->motion, t->dl);
    if (status != TML_OK) return tml__fail(&sim->why, status, "a push of contacts has no answer");
    for (int i = 0; i < 6 * sim->model->node_count; i++) from[i] += w->motion[i];
    store_velocities(sim, from);
    return TML_OK;
}

// Bodies that bounce meet at some time within the step, and nothing turns meanwhile.
static void keep_bounces(tml_sim* sim)
{
    const touch_set* t = sim->touch->rows;
    for (int i = 0; i < t->contact_count; i++) {
        if (bounces(sim, &sim->contacts->found[i], t->contact_row[i])) tml__touch_keep_row(sim, i);
    }
}

// Velocities along rows as they are at the end.
static tml_status settle(tml_sim* sim, const touch_plan* plan, const double* from, bool has_met)
{
    double* rate = sim->touch->rows->w;  // the problem's own answer is no longer needed
    tml__touch_rates(sim->touch->rows, from, rate);
    if (!must_change(sim, plan, rate, has_met)) return TML_OK;
    // rows that have turned have left their factor
    const tml_status status = sim->touch->has_end ? TML_OK : factor_end(sim);
    sim->touch->has_end = sim->touch->has_solved = true;
    return status == TML_OK ? bounce(sim, rate, from) : status;
}

tml_status tml__touch_finish(tml_sim* sim, const touch_plan* plan, bool* has_met)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    double* from = w->acceleration;  // free once the change by forces is known
    double* rate = t->w;

    tml__touch_rates(t, w->acceleration, w->after);
    for (int i = 0; i < t->row_count; i++) w->after[i] *= t->h;
    memcpy(w->total, t->f, (size_t)t->row_count * sizeof *w->total);
    memcpy(w->v_met, sim->next.v, POSE_WIDTH * (size_t)sim->model->node_count * sizeof(double));
    tml__touch_velocities(sim, sim->next.q, sim->next.v, from);
    forget_bounce(w);
    tml_status status = tml__touch_follow(sim);
    if (status == TML_OK) status = tml__touch_check_step(sim);
    if (status != TML_OK) return status;
    if (plan->order < 2) keep_bounces(sim);
    tml__touch_swap_ends(t);
    status = tml__touch_lift(t, &sim->why);
    tml__touch_rates(t, from, rate);
    *has_met = list_closed(sim, plan, rate);
    tml__touch_swap_ends(t);
    if (status == TML_OK) status = turn(sim, plan, from);
    if (status != TML_OK) return status;
    tml__touch_swap_ends(t);
    status = settle(sim, plan, from, *has_met);
    tml__touch_swap_ends(t);
    if (status == TML_OK) tml__touch_withhold(sim);
    return status;
}
