// sim/trace.c - keeping how a step went.
#include "sim/trace.h"

#include <string.h>

tml_status tml__trace_create(const tml_allocator* allocator, const maximal_system* s, int width,
                             int stages, step_trace* out)
{
    const size_t limits = (size_t)s->limit_count;
    *out = (step_trace){
        .width = width, .rows = s->row_count, .limits = s->limit_count, .stages = stages};
    bool is_whole = true;
    for (int k = 0; k < stages; k++) {
        out->x[k] = tml__allocate(allocator, (size_t)width, sizeof(double));
        out->lambda[k] = tml__allocate(allocator, (size_t)s->row_count, sizeof(double));
        is_whole = is_whole && out->x[k] != NULL && out->lambda[k] != NULL;
    }
    out->sides = tml__allocate(allocator, limits, sizeof *out->sides);
    if (is_whole && out->sides != NULL) return TML_OK;
    tml__trace_destroy(allocator, out);
    return TML_NO_MEMORY;
}

void tml__trace_destroy(const tml_allocator* allocator, step_trace* trace)
{
    for (int k = 0; k < trace->stages; k++) {
        tml__release(allocator, trace->x[k]);
        tml__release(allocator, trace->lambda[k]);
    }
    tml__release(allocator, trace->sides);
    *trace = (step_trace){.kind = TRACE_UNKNOWN};
}

void tml__trace_copy(step_trace* to, const step_trace* from)
{
    step_trace copy = *from;
    for (int k = 0; k < from->stages; k++) {
        copy.x[k] = to->x[k];
        copy.lambda[k] = to->lambda[k];
        memcpy(copy.x[k], from->x[k], (size_t)from->width * sizeof(double));
        memcpy(copy.lambda[k], from->lambda[k], (size_t)from->rows * sizeof(double));
    }
    copy.sides = to->sides;
    memcpy(copy.sides, from->sides, (size_t)from->limits * sizeof *copy.sides);
    *to = copy;
}

void tml__trace_begin(step_trace* trace)
{
    if (trace == NULL) return;
    trace->kind = TRACE_UNKNOWN;
    trace->has_state_multipliers = false;
    trace->has_restarted = false;
    trace->has_touched = false;
    trace->was_impact = false;
    trace->pieces = 0;
}

void tml__trace_stage(step_trace* trace, int stage, const maximal_system* s)
{
    if (trace == NULL) return;
    memcpy(trace->x[stage], s->x, (size_t)trace->width * sizeof(double));
    memcpy(trace->lambda[stage], s->lambda, (size_t)trace->rows * sizeof(double));
}
