// diff/contact_parts.c - a step with contact that was taken in parts, as a linear map: its parts are taken
// again, and are linearised one after the other.
#include "diff/contact.h"
#include "sim/sim_internal.h"

#include <string.h>

// One part: where it starts, and how it went.
typedef struct part {
    double *q, *v;  // flat
    step_trace trace;
} part;

typedef struct part_list {
    int count;
    part* list;
    double* memory;
    double* between[2];  // state vectors at the ends of parts
} part_list;

static void release(tml_sim* sim, part_list* parts)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    for (int k = 0; k < parts->count && parts->list != NULL; k++) {
        tml__trace_destroy(allocator, &parts->list[k].trace);
    }
    tml__release(allocator, parts->list);
    tml__release(allocator, parts->memory);
}

static size_t vector_count(const tml_sim* sim)
{
    return tml__flat_count(sim) + tml__touch_force_count(sim);
}

static tml_status take_memory(const instant* i, part_list* out)
{
    tml_sim* sim = i->sim;
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t width = (size_t)sim->width;
    const size_t count = (size_t)i->trace->pieces;
    *out = (part_list){.count = i->trace->pieces};
    out->list = tml__allocate(allocator, count, sizeof *out->list);
    out->memory =
        tml__allocate(allocator, 2 * count * width + 2 * vector_count(sim), sizeof(double));
    tml_status status = out->list != NULL && out->memory != NULL ? TML_OK : TML_NO_MEMORY;
    for (int k = 0; k < out->count && status == TML_OK; k++) {
        part* p = &out->list[k];
        p->q = out->memory + 2 * (size_t)k * width;
        p->v = p->q + width;
        status = tml__trace_create(allocator, sim->system, sim->width, i->trace->stages, &p->trace);
    }
    if (status != TML_OK) return tml__fail(&sim->why, status, "out of memory");
    out->between[0] = out->memory + 2 * count * width;
    out->between[1] = out->between[0] + vector_count(sim);
    return TML_OK;
}

// The simulation stands where part k starts; `h` is the whole step's.
static void stand_at(tml_sim* sim, const part_list* parts, int k, double h)
{
    sim->settings.step = h / parts->count;
    sim->part_count = parts->count;
    sim->part = k;
    sim->is_impact = 1;
    sim->past_q[0] = parts->list[k].q;
    sim->past_v[0] = parts->list[k].v;
}

// As advance_parts of contact_parts.c.
static tml_status take_again(const instant* i, const part_list* parts)
{
    tml_sim* sim = i->sim;
    const double h = sim->settings.step;
    const size_t limits = (size_t)i->trace->limits;
    const tml_sim_report before = sim->report;
    step_trace* noted = sim->trace;
    tml_status status = TML_OK;
    copy(parts->list[0].q, sim->past_q[0], sim->width);
    copy(parts->list[0].v, sim->past_v[0], sim->width);
    tml__kkt_forget(sim->system->matrix);
    for (int k = 0; k < parts->count && status == TML_OK; k++) {
        part* p = &parts->list[k];
        int has_changed = 0;
        stand_at(sim, parts, k, h);
        sim->settings.step = h / parts->count;
        tml__trace_begin(&p->trace);
        sim->trace = &p->trace;
        status = tml__sim_touch_advance(sim, i->controls, &has_changed);
        memcpy(p->trace.sides, i->trace->sides, limits * sizeof *p->trace.sides);
        if (status != TML_OK || k + 1 == parts->count) continue;
        copy(parts->list[k + 1].q, sim->next.q, sim->width);
        copy(parts->list[k + 1].v, sim->next.v, sim->width);
    }
    parts->list[parts->count - 1].trace.has_restarted = i->trace->has_restarted;
    sim->settings.step = h;
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

// What part k looks back on and what it makes.
static step_numbers numbers_of(const instant* i, const part_list* parts, int k)
{
    step_numbers x = *i->x;
    for (int n = 1; n < TIME_PAST; n++) x.past[n] = NULL;
    if (k > 0) x.past[0] = parts->between[(k - 1) % 2];
    if (k + 1 < parts->count) x.next = parts->between[k % 2];
    if (k > 0 && i->way == PARTIAL_BACKWARD) clear(x.past[0], (int)vector_count(i->sim));
    return x;
}

tml_status tml__linear_touch_parts(const instant* i,
                                   tml_status (*step)(tml_sim* sim, linear_work* work,
                                                      const step_trace* trace,
                                                      const double* controls, partial_direction way,
                                                      const step_numbers* x))
{
    tml_sim* sim = i->sim;
    const double h = sim->settings.step;
    double* const q = sim->past_q[0];
    double* const v = sim->past_v[0];
    const int was_impact = sim->is_impact;
    step_flags all = {0};
    part_list parts;
    tml_status status = take_memory(i, &parts);
    if (status == TML_OK) status = take_again(i, &parts);
    for (int n = 0; n < parts.count && status == TML_OK; n++) {
        const int k = i->way == PARTIAL_FORWARD ? n : parts.count - 1 - n;
        step_flags flags = {0};
        step_numbers x = numbers_of(i, &parts, k);
        x.flags = &flags;
        stand_at(sim, &parts, k, h);
        status = step(sim, i->work, &parts.list[k].trace, i->controls, i->way, &x);
        gather_flags(&flags, &all);
    }
    sim->settings.step = h;
    sim->part_count = 1;
    sim->part = 0;
    sim->is_impact = was_impact;
    sim->past_q[0] = q;
    sim->past_v[0] = v;
    if (i->x->flags != NULL) *i->x->flags = all;
    release(sim, &parts);
    return status;
}
