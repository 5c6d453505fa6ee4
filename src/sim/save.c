// sim/save.c - a simulation's state as bytes: all that the next step depends on.
//
// The layout is private to one build and one model; a header refuses anything else.
#include "sim/sim_internal.h"

#include <string.h>

typedef struct save_header {
    char magic[8];
    unsigned long long bytes;
    int nodes, rows, limits, joints, controls;
    int past_count;
    long long step_index;
    double time, step;
    tml_integrator integrator;
    tml_sim_report report;
} save_header;

static const char magic[8] = "tmlsim1";

// Each part of the state in turn: its address and its size.
typedef struct part {
    void* data;
    size_t bytes;
} part;

enum {
    MAX_PARTS = 2 * TIME_PAST + 4
};

static int list_parts(const tml_sim* sim, part parts[MAX_PARTS])
{
    const size_t width = (size_t)sim->width * sizeof(double);
    int count = 0;
    for (int k = 0; k < TIME_PAST; k++) {
        parts[count++] = (part){sim->past_q[k], width};
        parts[count++] = (part){sim->past_v[k], width};
    }
    parts[count++] = (part){sim->lambda, (size_t)sim->system->row_count * sizeof(double)};
    parts[count++] = (part){sim->sides, (size_t)sim->system->limit_count * sizeof *sim->sides};
    parts[count++] = (part){sim->controls, (size_t)sim->model->control_count * sizeof(double)};
    parts[count++] =
        (part){sim->system->hints, (size_t)sim->model->all.joint_count * TML_AXES * sizeof(double)};
    return count;
}

size_t tml_sim_state_size(const tml_sim* sim)
{
    if (sim == NULL || sim->is_dead) return 0;
    part parts[MAX_PARTS];
    const int count = list_parts(sim, parts);
    size_t bytes = sizeof(save_header);
    for (int i = 0; i < count; i++) bytes += parts[i].bytes;
    return bytes;
}

static save_header header_of(const tml_sim* sim)
{
    save_header h;
    memset(&h, 0, sizeof h);  // padding too: equal states give equal bytes
    memcpy(h.magic, magic, sizeof magic);
    h.bytes = tml_sim_state_size(sim);
    h.nodes = sim->model->node_count;
    h.rows = sim->system->row_count;
    h.limits = sim->system->limit_count;
    h.joints = sim->model->all.joint_count;
    h.controls = sim->model->control_count;
    h.past_count = sim->past_count;
    h.step_index = sim->step_index;
    h.time = sim->time;
    h.step = sim->settings.step;
    h.integrator = sim->settings.integrator;
    h.report = sim->report;
    h.report.solver = NULL;
    return h;
}

tml_status tml_sim_save(const tml_sim* sim, void* state)
{
    if (sim == NULL || sim->is_dead || state == NULL) return TML_BAD_ARGUMENT;
    const save_header h = header_of(sim);
    unsigned char* to = state;
    part parts[MAX_PARTS];
    const int count = list_parts(sim, parts);

    memcpy(to, &h, sizeof h);
    to += sizeof h;
    for (int i = 0; i < count; i++) {
        memcpy(to, parts[i].data, parts[i].bytes);
        to += parts[i].bytes;
    }
    return TML_OK;
}

tml_status tml_sim_restore(tml_sim* sim, const void* state, size_t bytes)
{
    if (sim == NULL || sim->is_dead || state == NULL) return TML_BAD_ARGUMENT;
    const save_header own = header_of(sim);
    save_header h;
    if (bytes < sizeof h) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the saved state is cut short");
    }
    memcpy(&h, state, sizeof h);
    const bool fits = memcmp(h.magic, magic, sizeof magic) == 0 && h.bytes == own.bytes &&
                      bytes == own.bytes && h.nodes == own.nodes && h.rows == own.rows &&
                      h.limits == own.limits && h.joints == own.joints &&
                      h.controls == own.controls && h.integrator == own.integrator &&
                      h.step == own.step && h.past_count >= 1 && h.past_count <= PAST_COUNTED;
    if (!fits) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "the saved state belongs to another model, integrator or step");
    }
    const unsigned char* from = (const unsigned char*)state + sizeof h;
    part parts[MAX_PARTS];
    const int count = list_parts(sim, parts);
    for (int i = 0; i < count; i++) {
        memcpy(parts[i].data, from, parts[i].bytes);
        from += parts[i].bytes;
    }
    memcpy(sim->system->sides, sim->sides, (size_t)sim->system->limit_count * sizeof *sim->sides);
    sim->past_count = h.past_count;
    sim->step_index = h.step_index;
    sim->time = h.time;
    sim->report = h.report;
    sim->has_answers = 0;
    return TML_OK;
}
