// sim/save.c - a simulation's state as bytes: all that the next step depends on.
//
// The layout is private to one build and one model. A header refuses anything else: it carries the
// sizes, a fingerprint of the mechanism and a checksum of all bytes.
#include "sim/lean.h"
#include "sim/linear.h"
#include "sim/sensor.h"
#include "sim/soft_contact.h"

#include <trammel/state.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Without padding, whose bytes nobody would set.
typedef struct save_header {
    char magic[8];
    uint64_t checksum;   // of everything behind it, the rest of the header included
    uint64_t mechanism;  // fingerprint of bodies and joints
    uint64_t bytes;
    int nodes, rows, limits, joints, controls;
    int past_count;
    int formulation, integrator;
    long long step_index;
    double time, step, start_time;
    tml_sim_report report;
} save_header;

_Static_assert(sizeof(save_header) == 8 + 3 * sizeof(uint64_t) + 8 * sizeof(int) +
                                          sizeof(long long) + 3 * sizeof(double) +
                                          sizeof(tml_sim_report),
               "the header of a saved state has padding");

static const char magic[8] = "tmlsim4";

// FNV-1a: the offset basis to start from, then one multiplication a byte.
static const uint64_t hash_start = 0xcbf29ce484222325u;

static uint64_t hash(uint64_t h, const void* data, size_t bytes)
{
    const unsigned char* p = data;
    for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static uint64_t hash_body(uint64_t h, const tml_body_def* def, const body_data* b)
{
    h = hash(h, def->name, strlen(def->name) + 1);
    h = hash(h, &b->node, sizeof b->node);
    h = hash(h, &b->mass, sizeof b->mass);
    h = hash(h, &b->inertia, sizeof b->inertia);
    return hash(h, &b->com, sizeof b->com);
}

static uint64_t hash_joint(uint64_t h, const joint_entry* def, const joint_data* j)
{
    h = hash(h, def->name, strlen(def->name) + 1);
    h = hash(h, &j->base, sizeof j->base);
    h = hash(h, &j->follower, sizeof j->follower);
    h = hash(h, &j->point_B, sizeof j->point_B);
    h = hash(h, &j->point_F, sizeof j->point_F);
    h = hash(h, &j->axes_B, sizeof j->axes_B);
    h = hash(h, &j->axes_F, sizeof j->axes_F);
    h = hash(h, &j->turn, sizeof j->turn);
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &j->axis[k];
        const int kind[3] = {a->is_free, (int)a->actuation, a->has_limits};
        const double numbers[3] = {a->compliance, a->has_limits ? a->lower : 0.0,
                                   a->has_limits ? a->upper : 0.0};
        h = hash(h, kind, sizeof kind);
        h = hash(h, numbers, sizeof numbers);
    }
    return h;
}

static uint64_t hash_coupling(uint64_t h, const tml_coupling_def* c)
{
    h = hash(h, c->name, strlen(c->name) + 1);
    h = hash(h, &c->offset, sizeof c->offset);
    h = hash(h, &c->compliance, sizeof c->compliance);
    for (int t = 0; t < c->term_count; t++) {
        const tml_coupling_term* term = &c->terms[t];
        const int what[3] = {term->joint.index, (int)term->axis, term->degree};
        h = hash(h, what, sizeof what);
        h = hash(h, term->coefficient, (size_t)term->degree * sizeof(double));
    }
    return h;
}

static uint64_t hash_deformable(uint64_t h, const tml_deformable_def* d)
{
    h = hash(h, d->name, strlen(d->name) + 1);
    h = hash(h, d->vertices, (size_t)d->vertex_count * sizeof *d->vertices);
    h = hash(h, d->tetrahedra, 4 * (size_t)d->tetrahedron_count * sizeof *d->tetrahedra);
    h = hash(h, d->fixed, (size_t)d->fixed_count * sizeof *d->fixed);
    if (d->touches_by_surface) {
        const size_t points = (size_t)d->surface_vertex_count;
        h = hash(h, d->surface_vertices, points * sizeof *d->surface_vertices);
    }
    for (int i = 0; i < d->attachment_count; i++) {
        const int what[2] = {d->attachments[i].vertex, d->attachments[i].body.index};
        const tml_vec3 at = d->attachments[i].position;
        const double place[3] = {at.x, at.y, at.z};
        h = hash(h, what, sizeof what);
        if (d->attachments[i].vertex == TML_EMBEDDED) h = hash(h, place, sizeof place);
    }
    return h;
}

static uint64_t hash_nonholonomic(uint64_t h, const tml_nonholonomic_def* n)
{
    const int what[2] = {(int)n->kind, n->body.index};
    const double numbers[11] = {n->point.x,        n->point.y,        n->point.z,
                                n->axis.x,         n->axis.y,         n->axis.z,
                                n->radius,         n->plane_normal.x, n->plane_normal.y,
                                n->plane_normal.z, n->plane_offset};
    h = hash(h, n->name, strlen(n->name) + 1);
    h = hash(h, what, sizeof what);
    return hash(h, numbers, sizeof numbers);
}

// What a state is a state of: everything that says which states are possible at all, limits and
// couplings included. Gravity, springs, other forces, servos, weights and controls may differ: they
// only say how it goes on.
static uint64_t fingerprint(const tml_model* m)
{
    uint64_t h = hash_start;
    for (int i = 0; i < m->all.body_count; i++) {
        h = hash_body(h, &m->all.bodies[i], &m->bodies[i]);
    }
    for (int i = 0; i < m->all.joint_count; i++) {
        h = hash_joint(h, &m->all.joints[i], &m->joints[i]);
    }
    for (int i = 0; i < m->all.coupling_count; i++) h = hash_coupling(h, &m->all.couplings[i]);
    for (int i = 0; i < m->all.deformable_count; i++) {
        h = hash_deformable(h, &m->all.deformables[i]);
    }
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        h = hash_nonholonomic(h, &m->all.nonholonomics[i]);
    }
    return h;
}

static uint64_t checksum_of(const void* state, size_t bytes)
{
    const size_t from = offsetof(save_header, mechanism);
    return hash(hash_start, (const unsigned char*)state + from, bytes - from);
}

// Each part of the state in turn: its address and its size.
typedef struct part {
    void* data;
    size_t bytes;
} part;

enum {
    MAX_PARTS = 2 * TIME_PAST + 13
};

// `turns` instead of hints: what lean simulations keep of them between steps.
// Contacts that a saved state has room for.
static size_t all_kept(const tml_sim* sim)
{
    return sim->contacts != NULL ? (size_t)sim->contacts->capacity : 0;
}

// `kept`: contacts of the list.
static int list_parts(const tml_sim* sim, bool has_turns, size_t kept, part parts[MAX_PARTS])
{
    const size_t joints = (size_t)sim->model->all.joint_count;
    const size_t width = (size_t)sim->width * sizeof(double);
    int count = 0;
    for (int k = 0; k < sim->past_kept; k++) {
        parts[count++] = (part){sim->past_q[k], width};
        parts[count++] = (part){sim->past_v[k], width};
    }
    parts[count++] = (part){sim->lambda, (size_t)sim->system->row_count * sizeof(double)};
    parts[count++] = (part){sim->sides, (size_t)sim->system->limit_count * sizeof *sim->sides};
    parts[count++] = (part){sim->own, sim->own_width * sizeof(double)};
    parts[count++] = (part){sim->controls, (size_t)sim->model->control_count * sizeof(double)};
    if (has_turns) {
        parts[count++] = (part){sim->turns, 2 * joints * sizeof *sim->turns};
    } else {
        parts[count++] = (part){sim->system->hints, joints * TML_AXES * sizeof(double)};
    }
    if (sim->contacts != NULL) {
        contact_set* now = &sim->contacts->now;
        parts[count++] = (part){&now->count, sizeof now->count};
        parts[count++] = (part){now->list, kept * sizeof *now->list};
        parts[count++] = (part){now->wrenches, 6 * (size_t)sim->model->node_count * sizeof(double)};
    }
    parts[count++] = (part){sim->drive_rates, (size_t)sim->model->control_count * sizeof(double)};
    parts[count++] = (part){sim->account, sizeof *sim->account};
    parts[count++] = (part){sim->before, tml__sensors_width(sim->model) * sizeof(double)};
    soft_kept_set* soft = tml__soft_touch_kept(sim->soft);
    if (soft != NULL) {
        parts[count++] = (part){&soft->count, sizeof soft->count};
        parts[count++] = (part){soft->list, (size_t)soft->capacity * sizeof *soft->list};
    }
    return count;
}

// ---- without header and checksum, for derivatives: what is put back was taken a moment ago

typedef struct take_header {
    long long step_index;
    double time, start_time;
    int past_count;
    int kept;  // contacts
} take_header;

_Static_assert(sizeof(take_header) % sizeof(double) == 0, "numbers behind it are aligned");

// A list that is half empty need not be kept whole.
static size_t kept_now(const tml_sim* sim)
{
    return sim->contacts != NULL ? (size_t)sim->contacts->now.count : 0;
}

size_t tml__sim_bytes(const tml_sim* sim)
{
    part parts[MAX_PARTS];
    const int count = list_parts(sim, tml__is_lean(sim), kept_now(sim), parts);
    size_t bytes = sizeof(take_header);
    for (int i = 0; i < count; i++) bytes += parts[i].bytes;
    return bytes;
}

void tml__sim_take(const tml_sim* sim, void* bytes)
{
    const take_header h = {sim->step_index, sim->time, sim->start_time, sim->past_count,
                           (int)kept_now(sim)};
    unsigned char* to = bytes;
    part parts[MAX_PARTS];
    const int count = list_parts(sim, tml__is_lean(sim), kept_now(sim), parts);

    memcpy(to, &h, sizeof h);
    to += sizeof h;
    for (int i = 0; i < count; i++) {
        memcpy(to, parts[i].data, parts[i].bytes);
        to += parts[i].bytes;
    }
}

// The parts of the state are others now: what follows from them.
static void tell_parts(tml_sim* sim)
{
    contact_set* now = sim->contacts != NULL ? &sim->contacts->now : NULL;
    // what an older state had beyond these, whose places are saved as empty ones
    if (now != NULL && now->used > now->count) {
        memset(&now->list[now->count], 0, (size_t)(now->used - now->count) * sizeof *now->list);
        now->used = now->count;
    }
    if (sim->system->limit_count > 0) {
        memcpy(sim->system->sides, sim->sides,
               (size_t)sim->system->limit_count * sizeof *sim->sides);
    }
    tml__sim_forget_answers(sim);
    sim->version++;
}

// The parts of the state from bytes.
static void put_parts(tml_sim* sim, bool has_turns, size_t kept, const unsigned char* from)
{
    part parts[MAX_PARTS];
    const int count = list_parts(sim, has_turns, kept, parts);
    for (int i = 0; i < count; i++) {
        memcpy(parts[i].data, from, parts[i].bytes);
        from += parts[i].bytes;
    }
    tell_parts(sim);
}

int tml__sim_contacts_in(const void* bytes)
{
    take_header h;
    memcpy(&h, bytes, sizeof h);
    return h.kept;
}

void tml__sim_put(tml_sim* sim, const void* bytes)
{
    take_header h;

    memcpy(&h, bytes, sizeof h);
    put_parts(sim, tml__is_lean(sim), (size_t)h.kept, (const unsigned char*)bytes + sizeof h);
    sim->step_index = h.step_index;
    sim->time = h.time;
    sim->start_time = h.start_time;
    sim->past_count = h.past_count;
}

void tml__sim_view(const tml_sim* sim, void* bytes, double** q, double** lambda)
{
    unsigned char* at = (unsigned char*)bytes + sizeof(take_header);
    *q = (double*)(void*)at;
    at += 2 * (size_t)sim->past_kept * (size_t)sim->width * sizeof(double);
    *lambda = (double*)(void*)at;
}

void tml__sim_clear(tml_sim* sim)
{
    part parts[MAX_PARTS];
    const int count = list_parts(sim, tml__is_lean(sim), all_kept(sim), parts);
    for (int i = 0; i < count; i++) memset(parts[i].data, 0, parts[i].bytes);
    if (sim->system->limit_count > 0) {
        memset(sim->system->sides, 0, (size_t)sim->system->limit_count * sizeof *sim->sides);
    }
    sim->step_index = 0;
    sim->time = sim->start_time = 0.0;
    sim->past_count = 0;
}

// ---- from one simulation to another

static tml_status check_copy(tml_sim* to, const tml_sim* from)
{
    part own[MAX_PARTS];
    part parts[MAX_PARTS];
    const bool is_alike = to->given_model == from->given_model &&
                          to->settings.formulation == from->settings.formulation &&
                          to->settings.integrator == from->settings.integrator &&
                          to->settings.step == from->settings.step &&
                          (to->contacts != NULL) == (from->contacts != NULL);
    bool fits = is_alike && tml__is_lean(to) == tml__is_lean(from);
    if (fits) {
        const int count = list_parts(from, tml__is_lean(from), kept_now(from), parts);
        fits = list_parts(to, tml__is_lean(to), kept_now(from), own) == count;
        for (int i = 0; fits && i < count; i++) fits = own[i].bytes == parts[i].bytes;
    }
    if (fits) return TML_OK;
    return tml__fail(&to->why, TML_BAD_ARGUMENT,
                     "a state can be copied only from a simulation of the same model with the same "
                     "formulation, integrator, step and contact settings");
}

tml_status tml_sim_copy(tml_sim* to, const tml_sim* from)
{
    if (to == NULL || to->is_dead) return TML_BAD_ARGUMENT;
    if (from == NULL || from->is_dead) {
        return tml__fail(&to->why, TML_BAD_ARGUMENT, "there is no simulation to copy from");
    }
    if (to == from) return TML_OK;
    tml_status status = check_copy(to, from);
    const size_t kept = kept_now(from);
    if (status == TML_OK && to->contacts != NULL && (int)kept > to->contacts->capacity) {
        status = tml_sim_reserve(to, from->contacts->capacity);
    }
    if (status != TML_OK) return status;
    part own[MAX_PARTS];
    part parts[MAX_PARTS];
    const int count = list_parts(from, tml__is_lean(from), kept, parts);
    (void)list_parts(to, tml__is_lean(to), kept, own);
    for (int i = 0; i < count; i++) memcpy(own[i].data, parts[i].data, parts[i].bytes);
    tell_parts(to);
    to->step_index = from->step_index;
    to->time = from->time;
    to->start_time = from->start_time;
    to->past_count = from->past_count;
    to->report = from->report;
    return TML_OK;
}

// ---- with them

size_t tml_sim_state_size(const tml_sim* sim)
{
    if (sim == NULL || sim->is_dead) return 0;
    part parts[MAX_PARTS];
    const int count = list_parts(sim, false, all_kept(sim), parts);
    size_t bytes = sizeof(save_header);
    for (int i = 0; i < count; i++) bytes += parts[i].bytes;
    return bytes;
}

static save_header header_of(const tml_sim* sim)
{
    save_header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof magic);
    h.mechanism = fingerprint(sim->model);
    h.bytes = tml_sim_state_size(sim);
    h.nodes = sim->model->node_count;
    h.rows = sim->system->row_count;
    h.limits = sim->system->limit_count;
    h.joints = sim->model->all.joint_count;
    h.controls = sim->model->control_count;
    h.past_count = sim->past_count;
    h.step_index = sim->step_index;
    h.time = sim->time;
    h.start_time = sim->start_time;
    h.step = sim->settings.step;
    h.formulation = (int)sim->settings.formulation;
    h.integrator = (int)sim->settings.integrator;
    h.report = sim->report;
    h.report.solver = NULL;
    return h;
}

static tml_status save(const tml_sim* sim, void* state)
{
    const save_header h = header_of(sim);
    unsigned char* to = state;
    part parts[MAX_PARTS];
    const int count = list_parts(sim, false, all_kept(sim), parts);

    memcpy(to, &h, sizeof h);
    to += sizeof h;
    for (int i = 0; i < count; i++) {
        memcpy(to, parts[i].data, parts[i].bytes);
        to += parts[i].bytes;
    }
    const uint64_t checksum = checksum_of(state, (size_t)h.bytes);
    memcpy((unsigned char*)state + offsetof(save_header, checksum), &checksum, sizeof checksum);
    return TML_OK;
}

// Lean simulations make the hints that are saved, and forget them again.
tml_status tml_sim_save(const tml_sim* sim, void* state)
{
    if (sim == NULL || sim->is_dead || state == NULL) return TML_BAD_ARGUMENT;
    union {
        const tml_sim* given;
        tml_sim* own;
    } cast = {.given = sim};
    tml_status status = tml__lean_open(cast.own);
    if (status != TML_OK) return status;
    status = save(sim, state);
    tml__lean_shut(cast.own);
    return status;
}

// The counts of what was kept lie within the room that their lists have.
static bool counts_fit(const tml_sim* sim, const unsigned char* from)
{
    part parts[MAX_PARTS];
    const int count = list_parts(sim, false, all_kept(sim), parts);
    const soft_kept_set* soft = tml__soft_touch_kept(sim->soft);
    for (int i = 0; i < count; i++) {
        int64_t kept = 0;
        int64_t room = -1;
        if (sim->contacts != NULL && parts[i].data == &sim->contacts->now.count) {
            room = sim->contacts->capacity;
        }
        if (soft != NULL && parts[i].data == &soft->count) room = soft->capacity;
        if (room >= 0) memcpy(&kept, from, sizeof kept);
        if (room >= 0 && (kept < 0 || kept > room)) return false;
        from += parts[i].bytes;
    }
    return true;
}

static tml_status restore(tml_sim* sim, const void* state, size_t bytes)
{
    const save_header own = header_of(sim);
    save_header h;
    if (bytes < sizeof h) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the saved state is cut short");
    }
    memcpy(&h, state, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "this is no saved state of this version");
    }
    if (h.bytes != bytes || h.checksum != checksum_of(state, bytes)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT, "the saved state is cut short or damaged");
    }
    const bool fits = h.mechanism == own.mechanism && h.bytes == own.bytes &&
                      h.nodes == own.nodes && h.rows == own.rows && h.limits == own.limits &&
                      h.joints == own.joints && h.controls == own.controls &&
                      h.formulation == own.formulation && h.integrator == own.integrator &&
                      h.step == own.step && h.past_count >= 1 && h.past_count <= PAST_COUNTED;
    if (!fits) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "the saved state belongs to another model, integrator or step");
    }
    if (!counts_fit(sim, (const unsigned char*)state + sizeof h)) {
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "the saved state has more contacts than there is room for");
    }
    put_parts(sim, false, all_kept(sim), (const unsigned char*)state + sizeof h);
    sim->past_count = h.past_count;
    sim->step_index = h.step_index;
    sim->time = h.time;
    sim->start_time = h.start_time;
    sim->report = h.report;
    return TML_OK;
}

tml_status tml_sim_restore(tml_sim* sim, const void* state, size_t bytes)
{
    if (sim == NULL || sim->is_dead || state == NULL) return TML_BAD_ARGUMENT;
    tml_status status = tml__lean_open(sim);
    if (status != TML_OK) return status;
    status = restore(sim, state, bytes);
    tml__lean_shut(sim);
    return status;
}
