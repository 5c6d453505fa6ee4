// sim/contact_step.c - one step with contact, of every formulation in maximal coordinates.
//                                                          [notes, contact section 6]
// A formulation's own step is the only thing that knows how its bodies move. It is asked with a push on
// every body (a force held through the step, or an impulse where the step starts), tells how far the
// bodies went, and the impulses are found again from that by the complementarity problem of
// contact/problem.c: two or three passes, until every law is met to the tolerance.
//
//   before   what overlaps is parted by a shift of where the step starts, which adds no velocity
//   step     gap + J d >= 0, friction against the way that was slid
//   after    what has met keeps no velocity into the other body, or bounces: impulses on velocities
//
// Forces held through the step suit backward differences, whose end decides everything: while the
// same bodies touch in the same way their order stays, and whatever changes that is met by implicit
// Euler and begins a new history. Impulses at the nodes of time suit the variational step and the
// means of the affine one: half of what carries a resting body is pushed at either end, so that the
// balance of momenta holds at every node and no impact is reflected.
#include "sim/contact_step.h"

#include "base/request.h"
#include "sim/contact_internal.h"
#include "sim/sim_internal.h"

#include <trammel/contact.h>

#include <math.h>
#include <string.h>

enum {
    IDLE = 3,   // passes that do not halve what the best one has left: more of them will not
    HASTY = 6,  // passes before a circle is suspected
    CALM = 32,  // passes in all where there is one
    LEMKE_ROWS = 24,
    SHORTEST_STEPS = 16  // substeps that are short enough for passes
};

// Of the way from pass to pass: the shortest that is tried against circles.
#define SHORTEST 0.125

// Of the margin: what passes that go round in a circle may leave.
#define CIRCLE 1e-2

// ---- memory

enum {
    REQUESTS = 28
};

static int list_requests(const tml_sim* sim, sim_touch* w, size_t rows, request list[REQUESTS])
{
    const size_t nodes = (size_t)sim->model->node_count;
    const size_t held = (size_t)sim->system->row_count;
    const size_t full = rows < LCP_FULL_ROWS ? rows : LCP_FULL_ROWS;
    const size_t soft = sim->soft != NULL ? (size_t)sim->soft->width : 0;
    const request all[REQUESTS] = {
        {&w->acceleration, 6 * nodes, sizeof(double)},
        {&w->motion, 6 * nodes, sizeof(double)},
        {&w->wrench, 6 * nodes, sizeof(double)},
        {&w->q_start, POSE_WIDTH * nodes + soft, sizeof(double)},
        {&w->before, rows, sizeof(double)},
        {&w->opening, rows, sizeof(double)},
        {&w->seen, rows, sizeof(double)},
        {&w->after, rows, sizeof(double)},
        {&w->total, rows, sizeof(double)},
        {&w->is_closed, rows, 1},
        {&w->shift_labels, rows, 1},
        {&w->shift_f, rows, sizeof(double)},
        {&w->shift, 6 * nodes, sizeof(double)},
        {&w->v_met, POSE_WIDTH * nodes, sizeof(double)},
        {&w->start, (size_t)sim->model->all.body_count + 1, sizeof *w->start},
        {&w->ends, rows / 3, sizeof *w->ends},
        {&w->is_followed, rows / 3, sizeof *w->is_followed},
        {&w->kept, rows, sizeof *w->kept},
        {&w->asked, rows, sizeof *w->asked},
        {&w->closed, rows, sizeof *w->closed},
        {&w->is_replaced, rows / 3, sizeof *w->is_replaced},
        {&w->is_old, rows / 3, sizeof *w->is_old},
        {&w->turning, rows, sizeof *w->turning},
        {&w->is_turned, rows / 3, sizeof *w->is_turned},
        {&w->push, 6 * nodes, sizeof *w->push},
        {&w->dx, 6 * nodes, sizeof *w->dx},
        {&w->dl, held, sizeof *w->dl},
        {&w->matrix, full * full, sizeof *w->matrix},
    };
    for (int i = 0; i < REQUESTS; i++) list[i] = all[i];
    return REQUESTS;
}

void tml__sim_touch_destroy(tml_sim* sim, sim_touch* w)
{
    if (w == NULL) return;
    request list[REQUESTS];
    const int count = list_requests(sim, w, 0, list);
    tml__release_all(&sim->settings.allocator, list, count);
    tml__touch_destroy(w->rows);
    tml__lcp_destroy(w->there);
    tml__release(&sim->settings.allocator, w);
}

// Contacts are found within Newton's iterations where these are of the bodies alone.
static bool takes_together(const tml_sim* sim)
{
    return sim->form->takes_contacts && sim->soft == NULL && !tml__is_flex(sim) &&
           sim->settings.contact.pgs_iterations == 0 && sim->contacts->is_led == NULL;
}

tml_status tml__sim_touch_create(tml_sim* sim, int max_contacts, sim_touch** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    // a formulation whose own equations hold the contacts poses no problem
    const int room = sim->contacts->is_led != NULL ? 1 : max_contacts;
    const touch_settings settings = {.max_contacts = room,
                                     .stiffness = sim->settings.contact.stiffness,
                                     .margin = sim->contacts->margin,
                                     .sweeps = sim->settings.contact.pgs_iterations};
    *out = NULL;
    sim_touch* w = tml__allocate(allocator, 1, sizeof *w);
    if (w == NULL) return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    tml_status status = tml__touch_create(sim->system, &settings, allocator, &sim->why, &w->rows);
    request list[REQUESTS];
    const int count = status == TML_OK ? list_requests(sim, w, (size_t)w->rows->capacity, list) : 0;
    if (status == TML_OK && tml__take_all(allocator, list, count) != TML_OK) {
        status = tml__fail(&sim->why, TML_NO_MEMORY, "out of memory");
    }
    if (status == TML_OK && takes_together(sim)) {
        const int full = w->rows->capacity < LCP_FULL_ROWS ? w->rows->capacity : LCP_FULL_ROWS;
        status = tml__lcp_create(full, LEMKE_ROWS, allocator, &sim->why, &w->there);
    }
    if (status != TML_OK) {
        tml__sim_touch_destroy(sim, w);
        return status;
    }
    *out = w;
    return TML_OK;
}

tml_status tml_sim_reserve(tml_sim* sim, int max_contacts)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    if (sim->contacts == NULL) {
        return tml__fail(&sim->why, TML_UNSUPPORTED, "this simulation has no contact");
    }
    if (max_contacts <= sim->contacts->capacity) return TML_OK;
    if (max_contacts > TML_CONTACTS_MOST) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "room for %d contacts: at most %d",
                         max_contacts, TML_CONTACTS_MOST);
    }
    if (sim->form->contact == FORM_CONTACT_OWN) return sim->form->reserve(sim, max_contacts);
    sim_touch* larger = NULL;
    tml_status status = TML_OK;
    // links that touch pose no problem
    if (sim->touch != NULL) status = tml__sim_touch_create(sim, max_contacts, &larger);
    if (status == TML_OK && sim->form->reserve != NULL)
        status = sim->form->reserve(sim, max_contacts);
    if (status == TML_OK) status = tml__contacts_reserve(sim->contacts, max_contacts, &sim->why);
    if (status != TML_OK) {
        tml__sim_touch_destroy(sim, larger);
        return status;
    }
    tml__sim_touch_destroy(sim, sim->touch);
    sim->touch = larger;
    return TML_OK;
}

// ---- motions as 6 numbers a node

static quat turn_of(const double* x) { return (quat){x[3], x[4], x[5], x[6]}; }

// Velocities, from flat rates.
void tml__touch_velocities(const tml_sim* sim, const double* q, const double* v, double* out)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* u = &v[n * POSE_WIDTH];
        const quat raw = turn_of(&q[n * POSE_WIDTH]);
        v3_store(&out[6 * n], v3_load(u));
        v3_store(&out[6 * n + 3], v3_scale(2.0 / q_dot(raw, raw), q_G(raw, turn_of(u))));
    }
}

static vec3 rotation_between(quat from, quat to)
{
    return tml__q_log(q_mul(q_normalize(to), q_conj(q_normalize(from))));
}

// The mean velocity that leads from one flat state to another within h.
static void mean_motion(const tml_sim* sim, const double* from, const double* to, double h,
                        double* out)
{
    for (int n = 0; n < sim->model->node_count; n++) {
        const double* a = &from[n * POSE_WIDTH];
        const double* b = &to[n * POSE_WIDTH];
        v3_store(&out[6 * n], v3_scale(1.0 / h, v3_sub(v3_load(b), v3_load(a))));
        v3_store(&out[6 * n + 3], v3_scale(1.0 / h, rotation_between(turn_of(a), turn_of(b))));
    }
}

// ---- what a step would do without contact, and how far a push reaches

static touch_plan plan_of(const tml_sim* sim, int order)
{
    static const double c[7] = {0.0,         1.0,          2.0 / 3.0,   6.0 / 11.0,
                                12.0 / 25.0, 60.0 / 137.0, 60.0 / 147.0};
    if (sim->form->contact == FORM_CONTACT_FORCE) {
        return (touch_plan){order, c[order] * c[order], c[order] * c[order], c[order]};
    }
    const tml_integrator integrator = sim->settings.integrator;
    const bool is_end = integrator == TML_TIME_BDF1 || integrator == TML_TIME_BDF2 ||
                        integrator == TML_TIME_ENERGY_DAMPED;
    return (touch_plan){0, is_end ? 1.0 : 0.5, 1.0, 0.0};
}

// The mean velocity of the step if nothing touched, by the accelerations at its start.
static void predict(tml_sim* sim, const touch_plan* plan)
{
    sim_touch* w = sim->touch;
    const double h = step_h(sim);

    if (plan->order > 1) {
        time_history past = {.h = h, .count = plan->order};
        time_relation relation = {.v_hat = sim->v_hat, .q_hat = sim->q_hat};
        for (int k = 0; k < plan->order; k++) {
            past.q[k] = step_past_q(sim, k);
            past.v[k] = step_past_v(sim, k);
        }
        tml__bdf(&past, plan->order, sim->width, &relation);
        mean_motion(sim, step_q(sim), relation.q_hat, h, w->motion);
    } else {
        tml__touch_velocities(sim, step_q(sim), step_v(sim), w->motion);
    }
    for (int i = 0; i < 6 * sim->model->node_count; i++) {
        w->motion[i] += plan->share * h * w->acceleration[i];
    }
}

// What rows will have become, gaps and what they give way included.
static void look(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    tml__touch_rates(t, w->motion, w->seen);
    for (int i = 0; i < t->row_count; i++) w->seen[i] += t->gap[i] / t->h;
}

// ---- passes

tml_status tml__touch_describe(tml_sim* sim, tml_status status, int row)
{
    char name[256];
    tml__touch_name(sim->touch->rows, sim->contacts->found, row, name, sizeof name);
    return tml__fail(&sim->why, status,
                     "no contact forces were found: residual %.2g, worst between %s",
                     sim->touch->rows->report.residual, name);
}

static tml_status solve(tml_sim* sim, double reach, const double* guess)
{
    touch_set* t = sim->touch->rows;
    const tml_status status = tml__touch_solve(t, sim->touch->seen, reach, guess, &sim->why);
    if (status == TML_NOT_CONVERGED) return tml__touch_describe(sim, status, t->report.worst_row);
    if (status != TML_OK) return status;
    sim->report.contact_problems += t->report.islands;
    sim->report.contact_hits += t->report.solved_by[LCP_BY_PREVIOUS];
    sim->report.contact_unpolished += t->report.unpolished;
    sim->report.max_complementarity = fmax(sim->report.max_complementarity, t->report.residual);
    return TML_OK;
}

tml_status tml__touch_solve_seen(tml_sim* sim, double reach) { return solve(sim, reach, NULL); }

// The formulation's own step with the impulses as they stand.
void tml__touch_put_push(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const bool is_held = sim->form->contact == FORM_CONTACT_FORCE;
    tml__touch_push(w->rows, w->rows->f, w->wrench);
    for (int i = 0; is_held && i < 6 * sim->system->node_count; i++) w->wrench[i] /= w->rows->h;
}

tml_status tml__touch_step_with_push(tml_sim* sim)
{
    step_ask pushed = *sim->ask;
    tml__touch_put_push(sim);
    if (sim->form->contact == FORM_CONTACT_FORCE)
        pushed.wrench = sim->touch->wrench;
    else
        pushed.impulse = sim->touch->wrench;
    return tml__step_once(sim, &pushed);
}

void tml__touch_see(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    mean_motion(sim, step_q(sim), sim->next.q, t->h, w->motion);
    look(sim);
    for (int i = 0; i < t->row_count; i++) w->seen[i] += t->give[i] * t->f[i];
}

// Rows were frozen where the step starts, but bodies turn and points slide: let the gaps that rows
// come from end as they really are there.
tml_status tml__touch_follow_gaps(tml_sim* sim, bool is_of_all)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    const tml_status status = tml__touch_follow(sim);
    if (status != TML_OK) return status;
    tml__touch_rates(t, w->motion, t->response);
    for (int i = 0; i < t->contact_count; i++) {
        const double gap_end = w->ends[i].gap;
        const int at = t->contact_row[i];
        const bool is_hard = t->kinds[at].kind == LCP_UNILATERAL && t->give[at] == 0.0;
        if (!w->is_followed[i] || !is_hard) continue;
        if (!is_of_all && t->labels[at] != LCP_HELD && !(gap_end < -t->slop)) continue;
        const double straight = w->opening[at] + t->h * t->response[at];
        const double start = w->opening[at] <= t->slop ? 0.0 : w->opening[at];
        t->gap[at] = start + (gap_end - straight);
    }
    return TML_OK;
}

// Less than the slop is left of a row, and no pass makes it less.
static void leave_open(tml_sim* sim, double violation)
{
    sim->touch->is_open = true;
    sim->report.contact_unpolished++;
    sim->report.max_complementarity = fmax(sim->report.max_complementarity, violation);
}

// Remember the impulses of a pass that broke the laws least.
static void keep_best(tml_sim* sim, double violation, double* best)
{
    const touch_set* t = sim->touch->rows;
    if (!(violation < *best)) return;
    *best = violation;
    memcpy(sim->touch->total, t->f, (size_t)t->row_count * sizeof(double));
    memcpy(t->labels_other, t->labels, (size_t)t->row_count);
}

// Labels that no pass settles (a contact that grazes, friction about to slip) go round in a circle of
// micrometres. What the best of them leaves is taken where the next step mends it, and told.
static tml_status take_best(tml_sim* sim, double best)
{
    touch_set* t = sim->touch->rows;
    memcpy(t->f, sim->touch->total, (size_t)t->row_count * sizeof(double));
    memcpy(t->labels, t->labels_other, (size_t)t->row_count);
    tml_status status = tml__touch_step_with_push(sim);
    if (status != TML_OK) return status;
    tml__touch_see(sim);
    status = tml__touch_follow_gaps(sim, false);
    if (status != TML_OK) return status;
    tml__touch_see(sim);
    leave_open(sim, best);
    return TML_OK;
}

// The impulses of the step before, for heaps that are swept: what rests is then carried at once.
static const double* recall(const tml_sim* sim)
{
    const touch_set* t = sim->touch->rows;
    double* guess = sim->touch->total;  // free until the step is made
    if (t->sweeps == 0) return NULL;
    for (int i = 0; i < t->contact_count; i++) {
        for (int n = 0; n <= t->friction_rows[i]; n++) {
            guess[t->contact_row[i] + n] = t->h * sim->contacts->forces[3 * i + n];
        }
    }
    return guess;
}

// Impulses a share of the way from those before to those of the problem: both keep within their bounds,
// and so does what lies between.
static void go_part_of_the_way(touch_set* t, double share)
{
    for (int i = 0; i < t->row_count; i++) {
        t->f[i] = t->f_start[i] + share * (t->f[i] - t->f_start[i]);
    }
}

// A step may answer a push by more than its matrix says, because bodies turn: passes then overshoot, and
// go round in a circle. Shorter ones do not. What they come to counts only where a whole one leaves it
// as it is, since between two answers a contact may push and be open.
static double next_share(double share, int pass, double violation, double last, double tolerance)
{
    if (pass < HASTY) return 1.0;
    if (share < 1.0 && violation <= 0.1 * tolerance) return 1.0;
    if (share == 1.0) return 0.5;
    return violation > 0.7 * last && share > SHORTEST ? 0.5 * share : share;
}

// Labels as they were before an attempt.
static void forget_attempt(tml_sim* sim)
{
    touch_set* t = sim->touch->rows;
    for (int i = 0; i < t->row_count; i++) {
        if (t->kinds[i].kind != LCP_BOX) t->labels[i] = t->labels_before[i];
    }
}

// Gaps as they are where the step starts: an attempt has bent them.
static void restore_gaps(tml_sim* sim)
{
    const sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    if (t->stiffness > 0.0) return;
    for (int i = 0; i < t->row_count; i++) {
        t->gap[i] = w->opening[i] <= t->slop ? 0.0 : w->opening[i];
    }
}

// Impulses and the step that goes with them, found together. False: they were not.
static bool finds_together(tml_sim* sim, const touch_plan* plan)
{
    touch_set* t = sim->touch->rows;
    const message why = sim->why;
    int row = -1;
    predict(sim, plan);
    look(sim);
    memset(t->f, 0, (size_t)t->row_count * sizeof *t->f);
    memcpy(t->f_start, t->f, (size_t)t->row_count * sizeof *t->f);
    tml_status status = solve(sim, plan->reach, NULL);
    if (status == TML_OK) status = tml__touch_step_together(sim, plan->reach);
    if (status == TML_OK) {
        tml__touch_see(sim);
        status = tml__touch_follow_gaps(sim, false);
        tml__touch_see(sim);
    }
    const double tolerance = 10.0 * sim->settings.tolerance / t->h;
    if (status == TML_OK &&
        tml__touch_violation(t, sim->touch->seen, plan->reach, &row) <= tolerance)
        return true;
    sim->why = why;
    return false;
}

// Passes over whole steps ask the matrix of the start. Where that does not tell what steps answer, a shorter step is better
// than passes, as long as there is one.
static bool has_passes(const tml_sim* sim)
{
    return !sim->touch->has_matrix || sim->ask->count >= SHORTEST_STEPS;
}

// Impulses and the step that goes with them.
static tml_status iterate(tml_sim* sim, const touch_plan* plan)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    const double tolerance = 10.0 * sim->settings.tolerance / t->h;
    int row = -1;
    double violation = 0.0;
    double last = HUGE_VAL;
    double best = HUGE_VAL;
    double share = 1.0;
    bool is_whole = true;
    int idle = 0;

    w->is_open = false;
    if (takes_together(sim)) {
        if (finds_together(sim, plan)) return TML_OK;
        forget_attempt(sim);
        restore_gaps(sim);
        if (!has_passes(sim)) {
            return tml__fail(
                &sim->why, TML_NOT_CONVERGED,
                "no contact forces were found within Newton's iterations: what touches turns or is "
                "pulled too far in this step; use a smaller one");
        }
    }
    predict(sim, plan);
    look(sim);
    memset(t->f, 0, (size_t)t->row_count * sizeof *t->f);
    const double* guess = recall(sim);
    for (int pass = 0; pass < CALM; pass++) {
        memcpy(t->f_start, t->f, (size_t)t->row_count * sizeof *t->f);
        tml_status status = solve(sim, plan->reach, guess);
        if (share < 1.0) go_part_of_the_way(t, share);
        if (status == TML_OK) status = tml__touch_step_with_push(sim);
        if (status != TML_OK) return status;
        tml__touch_see(sim);
        guess = NULL;
        // what sweeps leave is an overlap that the next step begins by parting
        if (t->sweeps > 0) return TML_OK;
        status = tml__touch_follow_gaps(sim, false);
        if (status != TML_OK) return status;
        tml__touch_see(sim);
        violation = tml__touch_violation(t, w->seen, plan->reach, &row);
        is_whole = !(share < 1.0);
        if (!is_whole) {
            share = next_share(share, pass, violation, last, tolerance);
            last = violation;
            continue;
        }
        // one pass more is cheap while passes converge, and forces are the better for it
        if (violation <= (pass < HASTY ? 0.1 : 1.0) * tolerance) return TML_OK;
        idle = violation < 0.5 * best ? 0 : idle + 1;
        keep_best(sim, violation, &best);
        // rows that nearly depend on each other have forces that are good to the sweeps only: what is
        // left counts as touching, and the report says how much it was
        if (violation * t->h <= t->slop && violation > 0.5 * last) break;
        // what a pass may leave in the end needs no more of them
        if (idle >= IDLE && best * t->h <= CIRCLE * sim->contacts->margin) break;
        // within the slop passes converge, however slowly: the last digits are theirs
        const bool is_open = violation * t->h > t->slop;
        share = is_open ? next_share(share, pass, violation, last, tolerance) : 1.0;
        last = violation;
    }
    if (is_whole && violation * t->h <= t->slop) {
        leave_open(sim, violation);
        return TML_OK;
    }
    if (best * t->h <= CIRCLE * sim->contacts->margin) return take_best(sim, best);
    char name[256];
    tml__touch_name(t, sim->contacts->found, row, name, sizeof name);
    return tml__fail(&sim->why, TML_NOT_CONVERGED,
                     "contact forces did not settle in %d passes: %.2g m are left between %s", CALM,
                     violation * t->h, name);
}

// ---- the start

// Move the start of the step out of overlaps. True: it was moved.
static tml_status part(tml_sim* sim, bool* is_moved)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    tml_status status = tml__touch_part(t, is_moved, &sim->why);
    if (status == TML_NOT_CONVERGED) {
        return tml__fail(&sim->why, status, "bodies overlap and no move parts them");
    }
    w->is_moved = status == TML_OK && *is_moved;
    if (w->is_moved) {
        memcpy(w->shift_labels, t->labels_other, (size_t)t->row_count);
        memcpy(w->shift_f, t->f_other, (size_t)t->row_count * sizeof(double));
        status = tml__touch_push_velocities(sim, t->f_other, NULL);
        memcpy(w->shift, w->motion, 6 * (size_t)sim->model->node_count * sizeof(double));
    }
    for (int i = 0; i < t->row_count; i++) {
        const bool is_normal = t->kinds[i].kind == LCP_UNILATERAL;
        w->opening[i] = status == TML_OK && *is_moved && is_normal ? t->w_other[i] : t->gap[i];
        if (t->stiffness > 0.0) continue;
        t->gap[i] = w->opening[i] <= t->slop ? 0.0 : w->opening[i];
    }
    if (status != TML_OK || !*is_moved) return status;
    for (int n = 0; n < sim->model->node_count; n++) {
        tml__maximal_displace(&w->q_start[n * POSE_WIDTH], &step_q(sim)[n * POSE_WIDTH],
                              &w->motion[6 * n], 1.0);
    }
    if (sim->soft == NULL) return TML_OK;
    const int bodies = sim->soft->first;
    memcpy(w->q_start + bodies, step_q(sim) + bodies, (size_t)sim->soft->width * sizeof(double));
    tml__soft_follow(sim->soft, w->q_start, NULL);
    return TML_OK;
}

// Contacts, their rows and their matrix where the step starts.
static tml_status prepare(tml_sim* sim, const double* controls, bool* is_moved)
{
    sim_touch* w = sim->touch;
    sim_contacts* c = sim->contacts;
    maximal_system* s = sim->system;

    w->is_open = false;
    tml__sim_time(sim, 0.0, controls);
    tml_status status =
        tml__maximal_accelerate(s, step_q(sim), step_v(sim), w->acceleration, sim->next.lambda);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    const int count = c->found_count;
    tml__islands_note(sim);
    memcpy(w->start, s->bodies, ((size_t)sim->model->all.body_count + 1) * sizeof *w->start);
    tml__touch_pose(w->rows, c->found, count, step_h(sim), c->labels);
    status = tml__touch_matrix(w->rows, &sim->why);
    if (status == TML_TOO_MANY_CONTACTS) return status;
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &sim->why);
    tml__touch_velocities(sim, step_q(sim), step_v(sim), w->motion);
    tml__touch_rates(w->rows, w->motion, w->before);
    for (int i = 0; i < 6 * sim->model->node_count; i++) {
        w->motion[i] += step_h(sim) * w->acceleration[i];
    }
    tml__touch_let_creep(w->rows, w->motion);
    for (int i = 0; i < count; i++) {
        const double closing = -w->before[w->rows->contact_row[i]] * step_h(sim);
        sim->report.max_penetration = fmax(sim->report.max_penetration, -c->found[i].gap);
        if (closing > c->margin) sim->report.fast_contacts++;
    }
    return part(sim, is_moved);
}

// ---- histories

// Do the same bodies touch in the same way as in the step before?
static bool has_labels_changed(const tml_sim* sim)
{
    const touch_set* t = sim->touch->rows;
    int held = 0;
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        const bool was_held = t->labels_before[at] == LCP_HELD;
        held += was_held;
        if (was_held != (t->labels[at] == LCP_HELD)) return true;
        if (!was_held) continue;
        for (int n = 1; n <= t->friction_rows[i]; n++) {
            if (t->labels[at + n] != t->labels_before[at + n]) return true;
        }
    }
    const contact_set* now = &sim->contacts->now;
    for (int64_t i = 0; i < now->count; i++) held -= now->list[i].labels[0] == LCP_HELD;
    return held != 0;
}

// A contact may keep its name and jump: the deepest point of a rim passes to the other side as a disc
// rocks over. It then strikes there, and a formula that looks back makes of the stop a speed away from
// the ground, which is energy. While contact is smooth, what is held moves along its normal by what
// the formula neglects, of order h^2 or less; more than a body's weight changes in a step (or 1 m/s^2,
// where nothing weighs), of order h, is a strike.
static bool has_struck(tml_sim* sim)
{
    sim_touch* w = sim->touch;
    touch_set* t = w->rows;
    const double slow = t->h * fmax(v3_norm(sim->model->all.gravity), 1.0);
    double* rate = t->w;  // the problem's own answer is no longer needed

    tml__touch_velocities(sim, sim->next.q, sim->next.v, w->motion);
    // along rows as they are there: those of the start know nothing of what curves
    tml__touch_swap_ends(t);
    tml__touch_rates(t, w->motion, rate);
    tml__touch_swap_ends(t);
    for (int i = 0; i < t->contact_count; i++) {
        const int at = t->contact_row[i];
        const bool is_hard = t->kinds[at].kind == LCP_UNILATERAL && t->give[at] == 0.0;
        if (is_hard && t->labels[at] == LCP_HELD && fabs(rate[at]) > slow) return true;
    }
    return false;
}

static bool is_pushed(const tml_sim* sim)
{
    const touch_set* t = sim->touch->rows;
    for (int i = 0; i < t->row_count; i++) {
        if (t->f[i] != 0.0) return true;
    }
    return false;
}

// Backward differences of their full order, as long as nothing changes. False: implicit Euler it is.
static bool goes_on_smoothly(tml_sim* sim)
{
    const int order = tml__bdf_order(sim->settings.integrator);
    if (order == 1 || step_is_impact(sim)) return false;
    const message why = sim->why;
    const tml_sim_report before = sim->report;
    const bool has_past = sim->past_count >= order;
    const touch_plan plan = plan_of(sim, has_past ? order : 1);
    tml_status status = TML_OK;

    if (has_past) {
        status = iterate(sim, &plan);
    } else {
        // a start knows no contact: it may be taken where none pushes
        predict(sim, &plan);
        look(sim);
        memset(sim->touch->rows->f, 0, (size_t)sim->touch->rows->row_count * sizeof(double));
        status = solve(sim, plan.reach, NULL);
        if (status == TML_OK && is_pushed(sim)) status = TML_NOT_CONVERGED;
        if (status == TML_OK) status = tml__touch_step_with_push(sim);
        if (status == TML_OK) {
            int row = -1;
            tml__touch_see(sim);
            if (tml__touch_violation(sim->touch->rows, sim->touch->seen, plan.reach, &row) > 0.0) {
                status = TML_NOT_CONVERGED;
            }
            if (status == TML_OK) status = tml__touch_follow(sim);
        }
    }
    if (status == TML_OK && !has_labels_changed(sim) && !has_struck(sim)) return true;
    sim->report = before;
    sim->why = why;
    forget_attempt(sim);
    return false;
}

// Compositions and formulas that look back are for smooth motions.
static tml_status iterate_anew(tml_sim* sim, const touch_plan* plan)
{
    step_ask anew = *sim->ask;
    anew.is_impact = true;
    const step_ask* outer = tml__ask_stand(sim, &anew);
    const tml_status status = iterate(sim, plan);
    tml__ask_stand(sim, outer);
    return status;
}

static tml_status advance_multistep(tml_sim* sim, bool is_moved, int* has_changed)
{
    sim_touch* w = sim->touch;
    w->has_met = w->has_end = false;
    if (!is_moved && goes_on_smoothly(sim)) {
        const touch_plan smooth = plan_of(sim, tml__bdf_order(sim->settings.integrator));
        return tml__touch_finish(sim, &smooth, &w->has_met);
    }
    const touch_plan plan = plan_of(sim, 1);
    tml_status status = iterate_anew(sim, &plan);
    if (status == TML_OK) status = tml__touch_finish(sim, &plan, &w->has_met);
    if (is_moved || w->has_met || has_labels_changed(sim) || has_struck(sim)) *has_changed = 1;
    return status;
}

static tml_status advance_one_step(tml_sim* sim)
{
    const touch_plan plan = plan_of(sim, 0);
    tml_status status = iterate_anew(sim, &plan);
    return status == TML_OK ? tml__touch_finish(sim, &plan, &sim->touch->has_met) : status;
}

// Contacts to keep, with the mean force of the step.
static void keep(tml_sim* sim)
{
    sim_contacts* c = sim->contacts;
    const sim_touch* w = sim->touch;
    const touch_set* t = w->rows;
    tml__maximal_place(sim->system, step_q(sim), step_v(sim));
    for (int i = 0; i < c->found_count; i++) {
        const vec3 impulse = tml__touch_force(t, c->found, i, w->total);
        tml__contacts_keep(c, i, v3_scale(1.0 / t->h, impulse), sim->system->bodies,
                           &t->labels[t->contact_row[i]], 1 + t->friction_rows[i]);
    }
}

// The same where the formulation's own equations held the contacts. True: one of them pushes.
static bool keep_led(tml_sim* sim)
{
    sim_contacts* c = sim->contacts;
    bool has_led = false;
    tml__maximal_place(sim->system, step_q(sim), step_v(sim));
    for (int i = 0; i < c->found_count; i++) {
        const vec3 force = sim->form->led_force(sim, i);
        const unsigned char label = v3_dot(force, force) > 0.0 ? LCP_HELD : LCP_OFF;
        has_led = has_led || label == LCP_HELD;
        tml__contacts_keep(c, i, force, sim->system->bodies, &label, 1);
        sim->report.max_penetration = fmax(sim->report.max_penetration, -c->found[i].gap);
    }
    return has_led;
}

static bool has_pushed(const tml_sim* sim)
{
    for (int i = 0; i < sim->touch->rows->row_count; i++) {
        if (sim->touch->total[i] != 0.0) return true;
    }
    return false;
}

static bool was_pushed(const tml_sim* sim)
{
    const contact_set* now = &sim->contacts->now;
    for (int64_t i = 0; i < now->count; i++) {
        if (now->list[i].labels[0] == LCP_HELD) return true;
    }
    return false;
}

tml_status tml__sim_touch_advance(tml_sim* sim, const double* controls, int* has_changed)
{
    sim_contacts* c = sim->contacts;
    const bool is_multistep = sim->form->contact == FORM_CONTACT_FORCE;
    bool is_moved = false;

    tml__contacts_clear_next(c);
    tml__maximal_place(sim->system, step_q(sim), step_v(sim));
    tml_status status = tml__contacts_detect(c, sim->system->bodies, &sim->why);
    if (status != TML_OK) return status;
    const bool takes_led = c->is_led != NULL;
    if (takes_led) sim->form->lead(sim, c->found, c->found_count);
    if (c->found_count == 0) {
        // what was pushed has a velocity that no formula may look back beyond
        step_ask ask = *sim->ask;
        if (was_pushed(sim) && tml__bdf_order(sim->settings.integrator) > 1) ask.is_impact = true;
        if (is_multistep && was_pushed(sim)) *has_changed = 1;
        return tml__step_once(sim, &ask);
    }
    if (takes_led) {
        status = tml__step_once(sim, sim->ask);
        if (status != TML_OK) return status;
        const bool has_led = keep_led(sim);
        if (sim->trace != NULL) sim->trace->has_touched = has_led;
        return TML_OK;
    }
    tml__contacts_note_fast(c, &sim->report);
    status = prepare(sim, controls, &is_moved);
    if (status != TML_OK) return status;
    step_ask moved = *sim->ask;
    if (is_moved) moved.from.q = sim->touch->q_start;
    const step_ask* outer = tml__ask_stand(sim, &moved);
    status = is_multistep ? advance_multistep(sim, is_moved, has_changed) : advance_one_step(sim);
    tml__ask_stand(sim, outer);
    if (status == TML_OK) keep(sim);
    if (status == TML_OK && sim->trace != NULL) {
        sim->trace->has_touched = is_moved || has_pushed(sim);
        sim->trace->was_impact = step_is_impact(sim);
    }
    if (status != TML_OK || sim->form->touched == NULL) return status;
    sim->system->touching = c->next.wrenches;
    status = sim->form->touched(sim, controls);
    sim->system->touching = NULL;
    return status;
}
