// sim/advance.c - from the accepted state to the next one: a step, or the same in substeps.
#include "sim/advance.h"

#include "sim/account.h"
#include "sim/branch.h"
#include "sim/lean.h"
#include "sim/lean_contact.h"
#include "sim/limits.h"
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

typedef tml_status (*step_function)(tml_sim* sim, const double* controls);

static step_function step_of(const tml_sim* sim)
{
    return sim->form->advance != NULL ? sim->form->advance : sim->pairing->advance;
}

tml_status tml__step_once(tml_sim* sim, const step_ask* ask)
{
    const step_ask* outer = tml__ask_stand(sim, ask);
    sim->system->touching = ask->wrench;
    sim->system->jolt = ask->impulse;
    const tml_status status = step_of(sim)(sim, ask->controls);
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
    // of substeps that share out the forces of a step only the first one begins anew
    if (!sim->form->touches_in_parts || sim->ask->offset == 0.0)
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

// Formulas that look back have no steps of another length behind them.
static bool has_history(const tml_sim* sim)
{
    return sim->form->is_multistep || sim->past_kept > 1;
}

enum {
    LONG_LEVEL =
        4,  // parts this short are tried again and again; longer ones, once or twice in a step
    FORCED_LEVEL = 4,  // where no part this short is found, what costs order may help
    EVEN_LEVELS = 6    // substeps of one length are tried down to this
};

// The substep of 2^-level that starts after so many units: lengths are the step's by powers of two, so that they add up
// to it. Where nothing is kept aside (lean simulations) a substep starts from what the one before it has left.
static step_ask substep(const tml_sim* sim, const step_ask* whole, int at, int level,
                        bool is_forced)
{
    step_ask ask = *whole;
    ask.count = 1 << level;
    ask.h = whole->h / ask.count;
    ask.offset = at * (whole->h / SUBSTEP_UNITS);
    ask.is_impact = has_history(sim);
    ask.is_forced = is_forced || level >= FORCED_LEVEL;
    if (at == 0) return ask;
    if (sim->sub_q != NULL)
        ask.from = (state_view){sim->sub_q, sim->sub_v, sim->sub_lambda, sim->sub_own};
    else
        ask.from = (state_view){sim->next.q, sim->next.v, sim->next.lambda, sim->next.own};
    return ask;
}

step_ask tml__substep_ask(const tml_sim* sim, const double* controls, const step_division* how,
                          int at)
{
    const step_ask whole = tml__step_ask(sim, controls);
    return substep(sim, &whole, at, how->level[at], how->is_forced);
}

// The state that a substep has ended at is where the next one starts.
static void go_on(tml_sim* sim)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    if (sim->sub_q == NULL) return;
    memcpy(sim->sub_q, sim->next.q, bytes);
    memcpy(sim->sub_v, sim->next.v, bytes);
    if (sim->own_width > 0) memcpy(sim->sub_own, sim->next.own, sim->own_width * sizeof(double));
    memcpy(sim->sub_lambda, sim->next.lambda, (size_t)sim->system->row_count * sizeof(double));
}

// A step being divided, and what came of it.
typedef struct division {
    step_division how;
    int has_changed;
    double worst;  // of a suspect: the largest change of velocities in a substep (branch.h), m/s
    energy_account account;  // of the state that it has come to
} division;

static void keep_division(tml_sim* sim, const division* d)
{
    sim->report.substeps += d->how.count;
    if (sim->trace != NULL) sim->trace->division = d->how;
}

static void copy_sides(const tml_sim* sim, limit_side* to, const limit_side* from)
{
    if (sim->system->limit_count == 0) return;
    memcpy(to, from, (size_t)sim->system->limit_count * sizeof *to);
}

static bool has_other_sides(const tml_sim* sim)
{
    const size_t bytes = (size_t)sim->system->limit_count * sizeof(limit_side);
    return bytes > 0 && memcmp(sim->sub_sides, sim->system->sides, bytes) != 0;
}

// Is what a step has won its own to win? Then the account goes on with it.
static tml_status judge(tml_sim* sim, const step_ask* ask, energy_account* account)
{
    energy_account to;
    if (!tml__account_is_kept(sim)) return TML_OK;
    tml__account_add(sim, ask, account, &to, &sim->next_gap);
    if (!tml__account_allows(account, &to, ask->count >= 1 << EVEN_LEVELS)) {
        return tml__account_describe(sim, ask, account, &to);
    }
    *account = to;
    return TML_OK;
}

// One substep; where it is refused, the sides of limits and the report are as they were, but for what it cost.
static tml_status take(tml_sim* sim, const step_ask* ask, bool is_last, division* d)
{
    const tml_sim_report before = sim->report;
    int has_changed = 0;
    copy_sides(sim, sim->sub_sides, sim->system->sides);
    tml_status status = tml__step_attempt(sim, ask, &has_changed);
    if (status == TML_OK) status = judge(sim, ask, &d->account);
    if (status == TML_OK && sim->suspect >= 0) {
        d->worst =
            tml__larger(d->worst, tml__branch_change(sim, sim->suspect, ask->from.q, ask->from.v));
    }
    if (status == TML_OK && has_other_sides(sim) && !is_last) status = tml__step_restart(sim, ask);
    if (status == TML_OK) {
        d->has_changed |= has_changed;
        return TML_OK;
    }
    const tml_sim_report spent = sim->report;
    sim->report = before;
    sim->report.newton_iterations = spent.newton_iterations;
    sim->report.newton_bodies = spent.newton_bodies;
    sim->report.factorisations = spent.factorisations;
    copy_sides(sim, sim->system->sides, sim->sub_sides);
    return status;
}

// Can a shorter step do what this one could not? Rows that contradict each other do so at any length; in loops they may
// only seem to, next to a singular pose.
static bool is_hard(const tml_sim* sim, tml_status status)
{
    return status == TML_NOT_CONVERGED || status == TML_SINGULAR ||
           (status == TML_INFEASIBLE && sim->system->may_be_redundant);
}

// The same step in substeps: what is refused is halved, down to 2^-last of it, and after two halves the longer ones have
// their turn again; but none longer than 2^-least, nor, in this step, what was refused twice.
static tml_status take_all(tml_sim* sim, const step_ask* whole, int least, int last, bool is_forced,
                           division* d)
{
    int refused[SUBSTEP_LEVELS + 1] = {0};
    int level = least;
    *d = (division){.account = sim->first_account, .how.is_forced = is_forced};
    copy_sides(sim, sim->system->sides, sim->sides);
    for (int at = 0; at < SUBSTEP_UNITS;) {
        const int next = at + (SUBSTEP_UNITS >> level);
        const step_ask ask = substep(sim, whole, at, level, is_forced);
        const tml_status status = take(sim, &ask, next == SUBSTEP_UNITS, d);
        if (status != TML_OK) {
            if (!is_hard(sim, status) || level == last) return status;
            if (++refused[level] == 2 && level < LONG_LEVEL) least = level + 1;
            level++;
            continue;
        }
        d->how.level[at] = (unsigned char)level;
        d->how.count++;
        at = next;
        while (level > least && at % (SUBSTEP_UNITS >> (level - 1)) == 0) level--;
        if (at < SUBSTEP_UNITS) go_on(sim);
    }
    return TML_OK;
}

// How a step is divided: what is refused is halved from 2^-least on, down to 2^-last.
typedef struct division_plan {
    int least, last;
    bool is_forced;
} division_plan;

// In halves, and shorter where it must be; and if that leads nowhere, in short ones from the start. What costs order
// comes last.
static const division_plan plans[] = {
    {1, SUBSTEP_LEVELS, false}, {LONG_LEVEL, SUBSTEP_LEVELS, false}, {0, 3, true}};

// Where a motor drives a loop through a singular pose, substeps are alike: shorter and shorter ones would creep up to the
// pose, and nothing would tell on which branch to go on.
static const division_plan even_plans[] = {
    {1, 1, false}, {2, 2, false}, {3, 3, false}, {4, 4, true}, {5, 5, true},
    {6, 6, true},  {0, 0, true},  {1, 1, true},  {2, 2, true}, {3, 3, true}};

static tml_status divide(tml_sim* sim, const step_ask* whole, division* d)
{
    const bool is_forceable = sim->form->can_be_forced && sim->system->may_be_redundant;
    const bool is_even = is_forceable && sim->has_drives;
    const division_plan* list = is_even ? even_plans : plans;
    const int count = is_even ? 10 : is_forceable ? 3 : 2;
    tml_status status = TML_NOT_CONVERGED;
    for (int k = 0; k < count && is_hard(sim, status); k++) {
        status = take_all(sim, whole, list[k].least, list[k].last, list[k].is_forced, d);
    }
    return status;
}

static bool may_divide(const tml_sim* sim, tml_status status, bool has_won)
{
    if (!is_hard(sim, status)) return false;
    if (sim->sub_q == NULL && !tml__is_lean(sim)) return false;
    if (has_won) return true;
    // where a motor drives a loop through a singular pose, short steps find either branch, and nothing tells which
    return sim->form->keeps_branch || !sim->has_drives || !tml__branch_may_be_left(sim);
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
    for (int level = 1; level <= EVEN_LEVELS && way == BRANCH_UNKNOWN; level++) {
        // next to the pose a substep may be refused
        const int last = sim->form->keeps_branch ? SUBSTEP_LEVELS : level;
        if (take_all(sim, whole, level, last, false, d) != TML_OK) continue;
        const double apart = tml__branch_change(sim, which->mechanism, ended.q, ended.v);
        way = tml__branch_judge(which, apart, d->worst, level == EVEN_LEVELS);
    }
    sim->suspect = -1;
    return way == BRANCH_ELSEWHERE;
}

// A step that was found, whole or divided (`taken`; NULL: whole), has to stand up to substeps where its velocities have
// changed for no reason.
static tml_status keep_to_branch(tml_sim* sim, const step_ask* whole, division* taken,
                                 int* has_changed)
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
        if (taken != NULL) {
            *taken = d;
            return TML_OK;
        }
        keep_division(sim, &d);
        *has_changed |= d.has_changed;
        sim->next_account = d.account;
        return TML_OK;
    }
    copy_sides(sim, sim->system->sides, sim->sides);
    const tml_status status =
        taken != NULL ? divide(sim, whole, taken) : tml__step_attempt(sim, whole, has_changed);
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

    if (sim->trace != NULL) sim->trace->division.count = 1;
    energy_account first = *sim->account;
    if (tml__account_is_kept(sim)) tml__account_open(sim, controls, &first);
    sim->first_account = first;
    sim->next_account = first;
    sim->next_gap = -1.0;
    tml_status status = tml__step_attempt(sim, &whole, has_changed);
    const bool is_found = status == TML_OK;
    if (is_found) status = judge(sim, &whole, &sim->next_account);
    if (status == TML_OK) return keep_to_branch(sim, &whole, NULL, has_changed);
    if (!may_divide(sim, status, is_found)) return status;

    const message why = sim->why;  // of the whole step
    status = divide(sim, &whole, &d);
    if (status == TML_OK && sim->form->keeps_branch) {
        status = keep_to_branch(sim, &whole, &d, has_changed);
    } else if (status == TML_OK && !is_found && has_left_branch(sim, &whole)) {
        status = TML_NOT_CONVERGED;
    }
    if (status > TML_OK) sim->why = why;
    if (status != TML_OK) return status;
    sim->why = (message){0};
    *has_changed = d.has_changed || sim->form->is_multistep;
    sim->next_account = d.account;
    keep_division(sim, &d);
    return TML_OK;
}
