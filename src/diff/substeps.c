// diff/substeps.c - an accepted step as a linear map: as one step, or, where it was divided, its substeps are taken
// again and linearised one after the other.
#include "diff/substeps.h"

#include "sim/advance.h"
#include "sim/trace.h"

#include <string.h>

// One substep: where it starts, and how it went.
typedef struct entry {
    step_ask ask;
    double *q, *v, *lambda, *own;
    step_trace trace;
} entry;

typedef struct entry_list {
    int count;
    entry* list;
    double* memory;
    double* between[2];  // state vectors at the ends of substeps
    size_t vector;       // numbers in one
} entry_list;

static void release(tml_sim* sim, entry_list* entries)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    for (int k = 0; k < entries->count && entries->list != NULL; k++) {
        tml__trace_destroy(allocator, &entries->list[k].trace);
    }
    tml__release(allocator, entries->list);
    tml__release(allocator, entries->memory);
}

// Numbers that a step leads from and to, what comes behind a state vector included.
static size_t vector_count(const substeps_call* c)
{
    const step_linear* l = c->linear;
    const size_t state = l->state_count != NULL ? l->state_count(c->sim) : tml__flat_count(c->sim);
    return state + (l->extra_count != NULL ? l->extra_count(c->sim) : 0);
}

static tml_status take_memory(const substeps_call* c, entry_list* out)
{
    tml_sim* sim = c->sim;
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t width = (size_t)sim->width;
    const size_t rows = (size_t)sim->system->row_count;
    const size_t each = 2 * width + rows + sim->own_width;
    const size_t count = (size_t)c->trace->division.count;
    *out = (entry_list){.count = (int)count, .vector = vector_count(c)};
    out->list = tml__allocate(allocator, count, sizeof *out->list);
    out->memory = tml__allocate(allocator, count * each + 2 * out->vector, sizeof(double));
    tml_status status = out->list != NULL && out->memory != NULL ? TML_OK : TML_NO_MEMORY;
    for (int k = 0; k < out->count && status == TML_OK; k++) {
        entry* e = &out->list[k];
        e->q = out->memory + (size_t)k * each;
        e->v = e->q + width;
        e->lambda = e->v + width;
        e->own = e->lambda + rows;
        status = tml__trace_create(allocator, sim->system, sim->width, c->trace->stages, &e->trace);
    }
    if (status != TML_OK) return tml__fail(&sim->why, status, "out of memory");
    out->between[0] = out->memory + count * each;
    out->between[1] = out->between[0] + out->vector;
    return TML_OK;
}

static void start_at(const tml_sim* sim, entry* e, const double* q, const double* v,
                     const double* lambda, const double* own)
{
    const size_t bytes = (size_t)sim->width * sizeof(double);
    memcpy(e->q, q, bytes);
    memcpy(e->v, v, bytes);
    memcpy(e->lambda, lambda, (size_t)sim->system->row_count * sizeof(double));
    memcpy(e->own, own, sim->own_width * sizeof(double));
    e->ask.from.q = e->q;
    e->ask.from.v = e->v;
    e->ask.from.lambda = e->lambda;
    e->ask.from.own = e->own;
}

// Of methods whose only stage is the state that a step ends at.
static void end_at(entry* e, double* q, double* lambda)
{
    e->trace.x[0] = q;
    e->trace.lambda[0] = lambda;
}

// As sim/advance.c took them.
static tml_status take_again(const substeps_call* c, const entry_list* entries)
{
    tml_sim* sim = c->sim;
    maximal_system* s = sim->system;
    const size_t sides = (size_t)s->limit_count * sizeof *s->sides;
    const tml_sim_report before = sim->report;
    step_trace* noted = sim->trace;
    tml_status status = TML_OK;
    if (sides > 0) memcpy(s->sides, sim->sides, sides);
    start_at(sim, &entries->list[0], sim->past_q[0], sim->past_v[0], sim->lambda, sim->own);
    for (int k = 0; k < entries->count && status == TML_OK; k++) {
        entry* e = &entries->list[k];
        const bool is_last = k + 1 == entries->count;
        int has_changed = 0;
        if (sides > 0) memcpy(sim->sub_sides, s->sides, sides);
        tml__trace_begin(&e->trace);
        sim->trace = &e->trace;
        status = tml__step_attempt(sim, &e->ask, &has_changed);
        if (sides > 0) memcpy(e->trace.sides, s->sides, sides);
        const bool has_sides = sides > 0 && memcmp(sim->sub_sides, s->sides, sides) != 0;
        e->trace.has_restarted = is_last ? c->trace->has_restarted : has_sides;
        if (is_last && e->trace.stages == 0) end_at(e, c->trace->x[0], c->trace->lambda[0]);
        if (status != TML_OK || is_last) continue;
        if (has_sides) status = tml__step_restart(sim, &e->ask);
        start_at(sim, e + 1, sim->next.q, sim->next.v, sim->next.lambda, sim->next.own);
        if (e->trace.stages == 0) end_at(e, (e + 1)->q, (e + 1)->lambda);
    }
    sim->trace = noted;
    sim->report = before;
    return status;
}

static void gather_flags(const step_flags* one, step_flags* all)
{
    all->is_tied |= one->is_tied;
    all->is_rank_doubtful |= one->is_rank_doubtful;
    all->has_shift |= one->has_shift;
    all->is_unsettled |= one->is_unsettled;
    all->has_free_split |= one->has_free_split;
    all->took_other_labels |= one->took_other_labels;
}

// What substep k looks back on and what it makes.
static step_numbers numbers_of(const substeps_call* c, const step_numbers* of,
                               const entry_list* entries, int k)
{
    step_numbers x = *of;
    for (int n = 1; n < TIME_PAST; n++) x.past[n] = NULL;
    if (k > 0) x.past[0] = entries->between[(k - 1) % 2];
    if (k + 1 < entries->count) x.next = entries->between[k % 2];
    if (k > 0 && c->way == PARTIAL_BACKWARD) {
        memset(x.past[0], 0, entries->vector * sizeof(double));
    }
    x.record = NULL;
    x.is_again = false;
    return x;
}

static tml_status linear_whole(const substeps_call* c, const step_numbers* x)
{
    const step_ask ask = tml__step_ask(c->sim, c->controls);
    const step_ask* outer = tml__ask_stand(c->sim, &ask);
    const tml_status status = c->linear->step(c->sim, c->work, c->trace, c->controls, c->way, x);
    tml__ask_stand(c->sim, outer);
    return status;
}

tml_status tml__substeps_linear(const substeps_call* c, const step_numbers* x)
{
    tml_sim* sim = c->sim;
    step_flags all = {0};
    entry_list entries;
    if (c->trace->division.count == 1) return linear_whole(c, x);
    tml_status status = take_memory(c, &entries);
    int at = 0;
    for (int k = 0; k < entries.count && status == TML_OK; k++) {
        const step_division* how = &c->trace->division;
        entries.list[k].ask = tml__substep_ask(sim, c->controls, how, at);
        at += SUBSTEP_UNITS >> how->level[at];
    }
    if (status == TML_OK) status = take_again(c, &entries);
    for (int n = 0; n < entries.count && status == TML_OK; n++) {
        const int k = c->way == PARTIAL_FORWARD ? n : entries.count - 1 - n;
        entry* e = &entries.list[k];
        step_flags flags = {0};
        step_numbers numbers = numbers_of(c, x, &entries, k);
        numbers.flags = &flags;
        const step_ask* outer = tml__ask_stand(sim, &e->ask);
        status = c->linear->step(sim, c->work, &e->trace, c->controls, c->way, &numbers);
        tml__ask_stand(sim, outer);
        gather_flags(&flags, &all);
    }
    if (x->flags != NULL) *x->flags = all;
    release(sim, &entries);
    return status;
}
