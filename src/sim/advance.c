// sim/advance.c - from the accepted state to the next one: a step, or the same in substeps.
#include "sim/advance.h"

#include "sim/account.h"
#include "sim/branch.h"
#include "sim/limits.h"
#include "sim/links.h"
#include "sim/links_contact.h"
#include "sim/soft_contact.h"

#include <string.h>

// ---- asking

step_ask tml__step_ask(const tml_sim* sim, const double* controls)
{
    const double h = sim->settings.step;
    return (step_ask){.from = {sim->past_q[0], sim->past_v[0], sim->lambda, sim->own},
                      .h = h,
                      .whole = h,
                      .controls = controls,
                      .count = 1};
}

const step_ask* tml__ask_stand(tml_sim* sim, const step_ask* ask)
{
    const step_ask* outer = sim->ask;
    sim->ask = ask;
    return outer;
}

tml_status tml__step_once(tml_sim* sim, const step_ask* ask)
{
    const step_ask* outer = tml__ask_stand(sim, ask);
    sim->system->touching = ask->wrench;
    sim->system->jolt = ask->impulse;
    const tml_status status = sim->pairing->advance(sim, ask->controls);
    sim->system->touching = NULL;
    sim->system->jolt = NULL;
    tml__ask_stand(sim, outer);
    return status;
}

// ---- one step

static tml_status advance_bodies(tml_sim* sim, int* has_changed)
{
    if (sim->placed_links != NULL) return tml__lean_touch_advance(sim);
    if (sim->touch == NULL) return tml__step_once(sim, sim->ask);
    return tml__sim_touch_advance(sim, sim->ask->controls, has_changed);
}

// Deformables that meet something, or part from it, end a history as bodies do: implicit Euler takes
// them there. A start knows no contact.
static tml_status advance_soft(tml_sim* sim, int* has_changed)
{
    const int order = tml__bdf_order(sim->settings.integrator);
    int count = 0;
    tml__soft_touch_keep_none(sim->soft);
    if (sim->form->touches_in_parts) {
        const tml_status status = advance_bodies(sim, has_changed);
        tml__soft_touch_end(sim->soft);
        return status;
    }
    tml_status status =
        tml__soft_touch_begin(sim->soft, step_q(sim), step_v(sim), step_h(sim), &count, &sim->why);
    if (status != TML_OK || count == 0) {
        return status == TML_OK ? advance_bodies(sim, has_changed) : status;
    }
    step_ask ask = *sim->ask;
    const step_ask* outer = tml__ask_stand(sim, &ask);
    if (sim->past_count < order) ask.is_impact = true;
    status = advance_bodies(sim, has_changed);
    if (status == TML_OK && order > 1 && tml__soft_touch_has_changed(sim->soft)) {
        *has_changed = 1;
        if (!ask.is_impact) {
            ask.is_impact = true;
            status = advance_bodies(sim, has_changed);
        }
    }
    tml__ask_stand(sim, outer);
    if (status == TML_OK) tml__soft_touch_keep(sim->soft);
    tml__soft_touch_end(sim->soft);
    return status;
}

// Repeat the step until the limits that act are those that should.
static tml_status decide_limits(tml_sim* sim, step_ask* ask, int* has_changed)
{
    maximal_system* s = sim->system;
    const bool has_soft = sim->soft != NULL && sim->soft->touch != NULL;
    limit_passes passes = tml__limits_start(sim);
    const double removed = sim->report.contact_removed;
    bool has_stepped_back = false;

    for (int pass = 0; pass <= 2 * (passes.most + s->limit_count); pass++) {
        tml__trace_begin(sim->trace);
        sim->report.contact_removed = removed;  // that of the last pass counts
        tml_status status =
            has_soft ? advance_soft(sim, has_changed) : advance_bodies(sim, has_changed);
        if (status == TML_NOT_CONVERGED && pass > 0 && !has_stepped_back) {
            has_stepped_back = true;
            tml__limits_step_back(sim, &passes);
            continue;
        }
        if (status != TML_OK) return status;
        if (s->limit_count == 0 || sim->owns_limits) return TML_OK;
        has_stepped_back = false;
        if (tml__limits_update(sim, ask->controls, &passes) == 0) return TML_OK;
        *has_changed = 1;
        ask->is_impact = sim->settings.integrator != TML_TIME_SEMI_IMPLICIT_EULER &&
                         sim->settings.integrator != TML_TIME_PROJECTED;
    }
    return tml__limits_describe(sim, &passes);
}

tml_status tml__step_attempt(tml_sim* sim, const step_ask* ask, int* has_changed)
{
    step_ask now = *ask;
    const step_ask* outer = tml__ask_stand(sim, &now);
    tml__kkt_forget(sim->system->matrix);
    *has_changed = 0;
    const tml_status status = decide_limits(sim, &now, has_changed);
    tml__ask_stand(sim, outer);
    return status;
}

static tml_status restart(tml_sim* sim)
{
    double change = 0.0;
    // without the matrix bodies are compliant, and velocities stay what the formula gives
    const tml_status status =
        sim->system->matrix == NULL || sim->has_lent_matrix
            ? TML_OK
            : tml__maximal_project_velocity(sim->system, sim->next.q, sim->next.v, &change);
    if (status != TML_OK) {
        return tml__maximal_describe_failure(sim->system, status, NULL, &sim->why);
    }
    if (sim->soft != NULL) tml__soft_follow(sim->soft, sim->next.q, sim->next.v);
    if (sim->form->begin == NULL) return TML_OK;
    // a body that stands goes on standing while a limit lets go
    if (sim->contacts != NULL && sim->form->touched != NULL) {
        sim->system->touching = sim->contacts->next.wrenches;
    }
    const tml_status begun = sim->form->begin(sim, &sim->next, sim->next.own);
    sim->system->touching = NULL;
    return begun;
}

tml_status tml__step_restart(tml_sim* sim, const step_ask* ask)
{
    const step_ask* outer = tml__ask_stand(sim, ask);
    const tml_status status = restart(sim);
    tml__ask_stand(sim, outer);
    return status;
}

// ---- substeps

// Substep k of 2^level: lengths are the step's by powers of two, so that they add up to it. Formulas that look back
// have no steps of another length behind them.
static step_ask substep(const tml_sim* sim, const step_ask* whole, int k, int level)
{
    step_ask ask = *whole;
    ask.count = 1 << level;
    ask.h = whole->h / ask.count;
    ask.offset = k * ask.h;
    ask.is_impact = sim->form->is_multistep || sim->past_kept > 1;
    if (k > 0) ask.from = (state_view){sim->sub_q, sim->sub_v, sim->sub_lambda, sim->sub_own};
    return ask;
}

step_ask tml__substep_ask(const tml_sim* sim, const double* controls, const step_trace* trace,
                          int k)
{
    const step_ask whole = tml__step_ask(sim, controls);
    return substep(sim, &whole, k, trace->level);
}

// The state that a substep has ended at is where the next one starts.
static void go_on(tml_sim* sim)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    memcpy(sim->sub_q, sim->next.q, bytes);
    memcpy(sim->sub_v, sim->next.v, bytes);
    memcpy(sim->sub_own, sim->next.own, sim->own_width * sizeof(double));
    memcpy(sim->sub_lambda, sim->next.lambda, (size_t)sim->system->row_count * sizeof(double));
}

// How a step was divided, and what came of it.
typedef struct division {
    int level;
    int has_changed;
    double worst;  // of a suspect: the largest change of velocities in a substep (branch.h), m/s
    energy_account account;  // of the state that it has come to
} division;

static void keep_division(tml_sim* sim, const division* d)
{
    sim->report.substeps += 1 << d->level;
    if (sim->trace != NULL) sim->trace->level = d->level;
}

static size_t sides_bytes(const tml_sim* sim)
{
    return (size_t)sim->system->limit_count * sizeof *sim->system->sides;
}

// Is what a step has won its own to win? Then the account goes on with it.
static tml_status judge(tml_sim* sim, const step_ask* ask, energy_account* account)
{
    energy_account to;
    if (!tml__account_is_kept(sim)) return TML_OK;
    tml__account_add(sim, ask, account, &to, &sim->next_gap);
    if (!tml__account_allows(account, &to, ask->count == 1 << SUBSTEP_LEVELS)) {
        return tml__account_describe(sim, ask, account, &to);
    }
    *account = to;
    return TML_OK;
}

// One substep, with the sides of limits as they were where it is refused.
static tml_status take(tml_sim* sim, const step_ask* ask, bool is_last, division* d)
{
    int has_changed = 0;
    memcpy(sim->sub_sides, sim->system->sides, sides_bytes(sim));
    tml_status status = tml__step_attempt(sim, ask, &has_changed);
    if (status == TML_OK) status = judge(sim, ask, &d->account);
    if (status == TML_OK && sim->suspect >= 0) {
        d->worst =
            tml__larger(d->worst, tml__branch_change(sim, sim->suspect, ask->from.q, ask->from.v));
    }
    const bool has_sides = memcmp(sim->sub_sides, sim->system->sides, sides_bytes(sim)) != 0;
    if (status == TML_OK && has_sides && !is_last) status = tml__step_restart(sim, ask);
    if (status == TML_OK)
        d->has_changed |= has_changed;
    else
        memcpy(sim->system->sides, sim->sub_sides, sides_bytes(sim));
    return status;
}

// The same step in so many substeps.
static tml_status take_all(tml_sim* sim, const step_ask* whole, int level, division* d)
{
    const int count = 1 << level;
    tml_status status = TML_OK;
    *d = (division){.level = level, .account = sim->first_account};
    memcpy(sim->system->sides, sim->sides, sides_bytes(sim));
    for (int k = 0; k < count && status == TML_OK; k++) {
        const step_ask ask = substep(sim, whole, k, level);
        if (k > 0) go_on(sim);
        status = take(sim, &ask, k + 1 == count, d);
    }
    return status;
}

// In 2, 4, 8, ... until none of them is refused.
static tml_status divide(tml_sim* sim, const step_ask* whole, division* d)
{
    tml_status status = TML_NOT_CONVERGED;
    const tml_sim_report before = sim->report;
    for (int level = 1; level <= SUBSTEP_LEVELS && status > TML_OK; level++) {
        // what parts before a refused one have counted is none of the run's, but for what it cost
        const long long iterations = sim->report.newton_iterations;
        sim->report = before;
        sim->report.newton_iterations = iterations;
        status = take_all(sim, whole, level, d);
    }
    return status;
}

// Contacts that belong to the equations of the bodies have had their step divided by those, and so have steps that
// divide themselves; but neither knows what it may win.
static bool may_divide(const tml_sim* sim, tml_status status, bool has_won)
{
    const bool is_hard =
        status == TML_NOT_CONVERGED || (status == TML_SINGULAR && sim->system->may_be_redundant);
    if (!is_hard || sim->sub_q == NULL || sim->soft != NULL) return false;
    if (has_won) return true;
    if (sim->contacts != NULL && sim->contacts->is_led != NULL) return false;
    // where a motor drives a loop through a singular pose, short steps find either branch, and nothing tells which
    if (sim->has_drives && tml__branch_may_be_left(sim)) return false;
    const bool touches = sim->contacts != NULL && sim->contacts->found_count > 0;
    return touches || !sim->form->divides_itself;
}

// ---- the policy

// Of loops: parts that do not jump lead elsewhere than the whole step did, and are to be kept; or they go the same way.
static bool leads_elsewhere(tml_sim* sim, const step_ask* whole, const branch_suspect* which,
                            division* d)
{
    const sim_state ended = {.q = sim->whole_q, .v = sim->whole_v};
    memcpy(ended.q, sim->next.q, (size_t)sim->width * sizeof(double));
    memcpy(ended.v, sim->next.v, (size_t)sim->width * sizeof(double));
    sim->suspect = which->mechanism;
    branch_way way = BRANCH_UNKNOWN;
    for (int level = 1; level <= SUBSTEP_LEVELS && way == BRANCH_UNKNOWN; level++) {
        if (take_all(sim, whole, level, d) != TML_OK) continue;
        const double apart = tml__branch_change(sim, which->mechanism, ended.q, ended.v);
        way = tml__branch_judge(which, apart, d->worst, level == SUBSTEP_LEVELS);
    }
    sim->suspect = -1;
    return way == BRANCH_ELSEWHERE;
}

static tml_status keep_to_branch(tml_sim* sim, const step_ask* whole, int* has_changed)
{
    branch_suspect which;
    const step_ask* outer = tml__ask_stand(sim, whole);
    const bool is_suspect =
        tml__branch_is_watched(sim) && tml__branch_find(sim, whole->controls, &which);
    tml__ask_stand(sim, outer);
    if (!is_suspect) return TML_OK;
    const tml_sim_report before = sim->report;
    division d;
    if (leads_elsewhere(sim, whole, &which, &d)) {
        keep_division(sim, &d);
        *has_changed |= d.has_changed;
        sim->next_account = d.account;
        return TML_OK;
    }
    memcpy(sim->system->sides, sim->sides, sides_bytes(sim));
    const tml_status status = tml__step_attempt(sim, whole, has_changed);
    sim->report = before;  // it was counted
    return status;
}

// Next to a singular pose, where the whole step had no solution, substeps may find one on another branch.
static bool has_left_branch(tml_sim* sim, const step_ask* whole)
{
    branch_suspect which;
    const step_ask* outer = tml__ask_stand(sim, whole);
    const bool has_left =
        tml__branch_may_be_left(sim) && tml__branch_find(sim, whole->controls, &which);
    tml__ask_stand(sim, outer);
    return has_left;
}

tml_status tml__advance(tml_sim* sim, const double* controls, int* has_changed)
{
    const step_ask whole = tml__step_ask(sim, controls);
    division d;

    if (sim->trace != NULL) sim->trace->level = 0;
    energy_account first = *sim->account;
    if (tml__account_is_kept(sim)) tml__account_open(sim, controls, &first);
    sim->first_account = first;
    sim->next_account = first;
    sim->next_gap = -1.0;
    tml_status status = tml__step_attempt(sim, &whole, has_changed);
    const bool is_found = status == TML_OK;
    if (is_found) status = judge(sim, &whole, &sim->next_account);
    if (status == TML_OK) return keep_to_branch(sim, &whole, has_changed);
    if (!may_divide(sim, status, is_found)) return status;

    const message why = sim->why;  // of the whole step
    status = divide(sim, &whole, &d);
    if (status == TML_OK && !is_found && has_left_branch(sim, &whole)) status = TML_NOT_CONVERGED;
    if (status > TML_OK) sim->why = why;
    if (status != TML_OK) return status;
    sim->why = (message){0};
    *has_changed = d.has_changed || sim->form->is_multistep || sim->past_kept > 1;
    sim->next_account = d.account;
    keep_division(sim, &d);
    return TML_OK;
}
