// sim/memory.c - everything a simulation holds, taken once when it is created.
#include "sim/lean.h"
#include "sim/sensor.h"
#include "sim/sim_internal.h"

#include <string.h>

typedef struct request {
    void* where;  // the address of a pointer of any type
    size_t bytes;
} request;

enum {
    MAX_REQUESTS = 64
};

typedef struct request_list {
    request item[MAX_REQUESTS];
    int count;
} request_list;

static void want(request_list* list, void* where, size_t count, size_t size)
{
    // counts and sizes were checked when the model was built; their products fit in memory we have
    list->item[list->count++] = (request){where, count * size};
}

static void list_all(tml_sim* sim, request_list* list)
{
    const tml_model* m = sim->model;
    const size_t width = (size_t)sim->width;
    const size_t rows = sim->system != NULL ? (size_t)sim->system->row_count : 0;
    const size_t limits = sim->system != NULL ? (size_t)sim->system->limit_count : 0;
    const bool is_lean = sim->system != NULL && sim->system->is_lean;
    const size_t joints = is_lean ? 0 : (size_t)m->all.joint_count;
    const bool is_multistep = sim->form != NULL && sim->form->is_multistep;
    const int columns = sim->start.columns;
    const size_t start = columns > 0 ? (size_t)sim->start.width : 0;
    const size_t soft = sim->soft != NULL ? (size_t)sim->soft->width : 0;
    const size_t stages = is_multistep ? width : 0;
    const bool is_noted = sim->form != NULL && sim->form->notes_start;

    list->count = 0;
    for (int k = 0; k < sim->past_kept; k++) {
        want(list, &sim->past_q[k], width, sizeof(double));
        want(list, &sim->past_v[k], width, sizeof(double));
    }
    for (int k = 0; k < 2; k++) {
        want(list, &sim->rates.q[k], stages, sizeof(double));
        want(list, &sim->rates.v[k], stages, sizeof(double));
    }
    for (int k = 0; k < columns; k++) want(list, &sim->start.table[k], start, sizeof(double));
    want(list, &sim->start.y, start, sizeof(double));
    want(list, &sim->start.before, start, sizeof(double));
    want(list, &sim->start.f0, start, sizeof(double));
    want(list, &sim->start.f, start, sizeof(double));
    want(list, &sim->start.acceleration, is_lean ? 0 : 6 * (size_t)m->node_count, sizeof(double));
    want(list, &sim->start.soft_acceleration, soft, sizeof(double));
    want(list, &sim->lambda, rows, sizeof(double));
    want(list, &sim->sides, limits, sizeof *sim->sides);
    want(list, &sim->limit_push, limits, sizeof *sim->limit_push);
    want(list, &sim->controls, (size_t)m->control_count, sizeof(double));
    want(list, &sim->tried_controls, (size_t)m->control_count, sizeof(double));
    want(list, &sim->given, (size_t)m->control_count, sizeof *sim->given);
    want(list, &sim->next.q, width, sizeof(double));
    want(list, &sim->next.v, width, sizeof(double));
    want(list, &sim->next.lambda, rows, sizeof(double));
    want(list, &sim->next.sides, limits, sizeof *sim->next.sides);
    want(list, &sim->drive_rates, (size_t)m->control_count, sizeof(double));
    want(list, &sim->next_rates, (size_t)m->control_count, sizeof(double));
    want(list, &sim->account, 1, sizeof *sim->account);
    want(list, &sim->own, sim->own_width, sizeof(double));
    want(list, &sim->next.own, sim->own_width, sizeof(double));
    want(list, &sim->v_hat, is_noted ? width : stages, sizeof(double));
    want(list, &sim->q_hat, is_noted ? width : stages, sizeof(double));
    // rows that give way are springs, which a step need not follow (branch.h)
    const bool may_be_watched = sim->system != NULL && sim->system->may_be_redundant && !is_lean &&
                                !tml__maximal_has_compliance(sim->system);
    if (!is_lean) {  // zero bytes would be memory, too
        want(list, &sim->sub_q, width, sizeof(double));
        want(list, &sim->sub_v, width, sizeof(double));
        want(list, &sim->sub_own, sim->own_width, sizeof(double));
        want(list, &sim->sub_lambda, rows, sizeof(double));
        want(list, &sim->sub_sides, limits, sizeof *sim->sub_sides);
    }
    if (may_be_watched) {
        want(list, &sim->whole_q, width, sizeof(double));
        want(list, &sim->whole_v, width, sizeof(double));
    }
    want(list, &sim->reported, rows, sizeof(double));
    want(list, &sim->before, tml__sensors_width(m), sizeof(double));
    want(list, &sim->loads, joints, sizeof *sim->loads);
    want(list, &sim->coordinates, joints * TML_AXES, sizeof(double));
    want(list, &sim->stretch_gap, is_lean ? (size_t)tml__lean_stretches(m) : 0, sizeof(double));
    want(list, &sim->turns, is_lean ? 2 * (size_t)m->all.joint_count : 0, sizeof *sim->turns);
}

tml_status tml__sim_take_memory(tml_sim* sim)
{
    request_list list;
    list_all(sim, &list);
    for (int i = 0; i < list.count; i++) {
        void* memory = tml__allocate(&sim->settings.allocator, list.item[i].bytes, 1);
        memcpy(list.item[i].where, &memory, sizeof memory);
        if (memory == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

void tml__sim_release_memory(tml_sim* sim)
{
    request_list list;
    list_all(sim, &list);
    for (int i = 0; i < list.count; i++) {
        void* memory = NULL;
        memcpy(&memory, list.item[i].where, sizeof memory);
        tml__release(&sim->settings.allocator, memory);
    }
}
