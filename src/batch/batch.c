// batch/batch.c - states in rows, one workspace a thread.
//
// A row is the bytes of tml__sim_take: all that the next step depends on. A thread puts them into its
// workspace, a simulation like any other, steps, and takes them again.
#include "base/memory.h"
#include "base/team.h"
#include "sim/linear.h"

#include <trammel/assemble.h>
#include <trammel/batch.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct row {
    void* state;
    size_t bytes, room;
    char* why;  // NULL: it has not failed
} row;

// What a thread works with.
typedef struct workspace {
    tml_sim* sim;
    double* shift;  // of contacts: 2 a body
} workspace;

struct tml_batch {
    const tml_model* model;  // borrowed
    tml_sim_settings settings;
    message why;
    bool is_dead;
    int count;
    row* rows;
    row start;
    int thread_count;
    workspace* workspaces;
    team* team;
    double* inputs;      // per row; NULL: those of the model; likewise
    tml_load* wrenches;  // per row and body
    tml_vec3* gravity;   // per row
    double* shift;       // per row and body 2
};

static bool is_alive(const tml_batch* b) { return b != NULL && !b->is_dead; }

// ---- rows and workspaces

static void release_row(const tml_allocator* a, row* r)
{
    tml__release(a, r->state);
    tml__release(a, r->why);
}

// The state of a workspace into a row. Rows grow with their contacts, and a little ahead of them.
static tml_status take_row(const tml_batch* b, const tml_sim* sim, row* r)
{
    const size_t bytes = tml__sim_bytes(sim);
    if (bytes > r->room) {
        const size_t room = r->state == NULL ? bytes : bytes + bytes / 8;
        void* larger = tml__allocate(&b->settings.allocator, room, 1);
        if (larger == NULL) return TML_NO_MEMORY;
        tml__release(&b->settings.allocator, r->state);
        r->state = larger;
        r->room = room;
    }
    tml__sim_take(sim, r->state);
    r->bytes = bytes;
    return TML_OK;
}

// Contacts that a row keeps need room where it is put.
static tml_status put_row(const row* r, tml_sim* sim)
{
    const int kept = tml__sim_contacts_in(r->state);
    if (sim->contacts != NULL && kept > sim->contacts->capacity) {
        const tml_status status = tml_sim_reserve(sim, kept);
        if (status != TML_OK) return status;
    }
    tml__sim_put(sim, r->state);
    return TML_OK;
}

static void note_failure(const tml_batch* b, row* r, const char* why)
{
    const size_t length = strlen(why) + 1;
    tml__release(&b->settings.allocator, r->why);
    r->why = tml__allocate(&b->settings.allocator, length, 1);
    if (r->why != NULL) memcpy(r->why, why, length);
}

static void forgive(const tml_batch* b, row* r)
{
    if (r->why == NULL) return;
    tml__release(&b->settings.allocator, r->why);
    r->why = NULL;
}

// What acts on a row beside its controls.
static tml_status set_hands(const tml_batch* b, int i, const workspace* w)
{
    const size_t bodies = (size_t)b->model->all.body_count;
    const size_t inputs = b->inputs != NULL ? (size_t)tml_model_input_count(b->model) : 0;
    const size_t at = (size_t)i;
    tml_status status = TML_OK;
    if (b->gravity != NULL) status = tml_sim_set_gravity(w->sim, b->gravity[at]);
    if (status == TML_OK && b->inputs != NULL) {
        status = tml_sim_set_inputs(w->sim, b->inputs + at * inputs);
    }
    if (status == TML_OK && b->wrenches != NULL) {
        status = tml_sim_set_wrenches(w->sim, b->wrenches + at * bodies);
    }
    if (b->shift != NULL) memcpy(w->shift, b->shift + at * 2 * bodies, 2 * bodies * sizeof(double));
    return status;
}

// ---- all rows by all threads

typedef struct job job;
typedef tml_status row_work(const job* j, int i, tml_sim* sim);

struct job {
    tml_batch* batch;
    const unsigned char* mask;
    row_work* work;
    bool keeps;  // what the work leaves becomes the row
    const double* controls;
    int steps;
    const double *coordinates, *rates;
    const tml_pose* poses;
    const tml_velocity* velocities;
    tml_batch_kind kind;
    int width;
    double* out;
    tml_status* status;  // per row
};

static void do_row(void* context, int i, int thread)
{
    const job* j = context;
    tml_batch* b = j->batch;
    row* r = &b->rows[i];
    const workspace* w = &b->workspaces[thread];
    if (j->mask != NULL && j->mask[i] == 0) return;
    tml_status status = put_row(r, w->sim);
    if (status == TML_OK && j->keeps) status = set_hands(b, i, w);
    if (status == TML_OK) status = j->work(j, i, w->sim);
    if (status != TML_OK) note_failure(b, r, tml_sim_message(w->sim));
    if (status == TML_OK && j->keeps) forgive(b, r);
    if (j->keeps) {
        const tml_status taken = take_row(b, w->sim, r);
        if (taken != TML_OK) {
            note_failure(b, r, "out of memory for the state of the row");
            status = taken;
        }
    }
    if (j->status != NULL) j->status[i] = status;
}

// The first failure counts. Statuses are the caller's, or scratch.
static tml_status run(job* j)
{
    tml_batch* b = j->batch;
    tml_status* own = NULL;
    if (j->status == NULL) {
        own = tml__allocate(&b->settings.allocator, (size_t)b->count, sizeof *own);
        if (own == NULL) return tml__fail(&b->why, TML_NO_MEMORY, "out of memory");
        j->status = own;
    }
    for (int i = 0; i < b->count; i++) j->status[i] = TML_OK;
    tml__team_run(b->team, 0, b->count, do_row, j);
    tml_status first = TML_OK;
    int failed = 0;
    for (int i = 0; i < b->count; i++) {
        if (j->status[i] == TML_OK) continue;
        if (failed++ > 0) continue;
        first = j->status[i];
        tml__fail(&b->why, first, "row %d: %.400s", i, tml_batch_message(b, i));
    }
    tml__release(&b->settings.allocator, own);
    return first;
}

// ---- creation

static tml_status create_workspace(tml_batch* b, int thread)
{
    workspace* w = &b->workspaces[thread];
    tml_sim_settings settings = b->settings;
    settings.threads = 1;
    const tml_status status = tml_sim_create(b->model, &settings, &w->sim);
    if (status != TML_OK) {
        const char* why = w->sim != NULL ? tml_sim_message(w->sim) : "out of memory";
        return tml__fail(&b->why, status, "%.400s", why);
    }
    return TML_OK;
}

static tml_status create(tml_batch* b, int threads)
{
    const tml_allocator* a = &b->settings.allocator;
    b->rows = tml__allocate(a, (size_t)b->count, sizeof *b->rows);
    tml_status status = tml__team_create(threads, a, &b->team);
    b->thread_count = tml__team_size(b->team);
    b->workspaces = tml__allocate(a, (size_t)b->thread_count, sizeof *b->workspaces);
    if (status != TML_OK || b->rows == NULL || b->workspaces == NULL) {
        return tml__fail(&b->why, TML_NO_MEMORY, "out of memory for %d rows", b->count);
    }
    for (int k = 0; k < b->thread_count; k++) {
        status = create_workspace(b, k);
        if (status != TML_OK) return status;
    }
    status = take_row(b, b->workspaces[0].sim, &b->start);
    for (int i = 0; i < b->count && status == TML_OK; i++) {
        status = take_row(b, b->workspaces[0].sim, &b->rows[i]);
    }
    return status == TML_OK ? TML_OK
                            : tml__fail(&b->why, status, "out of memory for %d rows", b->count);
}

tml_status tml_batch_create(const tml_model* model, const tml_sim_settings* settings, int count,
                            tml_batch** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL) return TML_BAD_ARGUMENT;
    tml_batch* b = tml__allocate(&settings->allocator, 1, sizeof *b);
    if (b == NULL) return TML_NO_MEMORY;
    *out = b;
    b->model = model;
    b->settings = *settings;
    b->is_dead = true;
    if (count < 1) {
        return tml__fail(&b->why, TML_BAD_ARGUMENT, "a batch has 1 row or more, not %d", count);
    }
    if (settings->threads < 1) {
        return tml__fail(&b->why, TML_BAD_ARGUMENT, "threads must be 1 or more, but is %d",
                         settings->threads);
    }
    b->count = count;
    const tml_status status = create(b, settings->threads < count ? settings->threads : count);
    b->is_dead = status != TML_OK;
    return status;
}

void tml_batch_destroy(tml_batch* b)
{
    if (b == NULL) return;
    const tml_allocator a = b->settings.allocator;
    for (int i = 0; b->rows != NULL && i < b->count; i++) release_row(&a, &b->rows[i]);
    release_row(&a, &b->start);
    for (int k = 0; b->workspaces != NULL && k < b->thread_count; k++) {
        tml_sim_destroy(b->workspaces[k].sim);
        tml__release(&a, b->workspaces[k].shift);
    }
    tml__team_destroy(b->team);
    tml__release(&a, b->workspaces);
    tml__release(&a, b->rows);
    tml__release(&a, b->inputs);
    tml__release(&a, b->wrenches);
    tml__release(&a, b->gravity);
    tml__release(&a, b->shift);
    tml__release(&a, b);
}

int tml_batch_count(const tml_batch* b) { return is_alive(b) ? b->count : 0; }

size_t tml_batch_bytes(const tml_batch* b)
{
    size_t sum = 0;
    for (int i = 0; is_alive(b) && i < b->count; i++) sum += b->rows[i].room;
    return sum;
}

const char* tml_batch_message(const tml_batch* b, int i)
{
    if (b == NULL) return TML__NO_OBJECT;
    if (i < 0) return b->why.text;
    const bool has_failed = is_alive(b) && i < b->count && b->rows[i].why != NULL;
    return has_failed ? b->rows[i].why : "";
}

// ---- stepping

// More room for contacts, as often as it takes; the state stays meanwhile.
static tml_status step_once(tml_sim* sim, const double* controls)
{
    tml_status status = tml_sim_step(sim, controls);
    while (status == TML_TOO_MANY_CONTACTS) {
        const tml_status reserved = tml_sim_reserve(sim, 2 * sim->contacts->capacity);
        if (reserved != TML_OK) return reserved;
        status = tml_sim_step(sim, controls);
    }
    return status;
}

static tml_status step_row(const job* j, int i, tml_sim* sim)
{
    const size_t width = (size_t)j->batch->model->control_count;
    const double* controls = j->controls != NULL ? j->controls + (size_t)i * width : NULL;
    tml_status status = TML_OK;
    for (int k = 0; k < j->steps && status == TML_OK; k++) status = step_once(sim, controls);
    return status;
}

tml_status tml_batch_step(tml_batch* b, const unsigned char* mask, const double* controls,
                          int steps, tml_status* status)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    if (steps < 0) {
        return tml__fail(&b->why, TML_BAD_ARGUMENT, "%d steps cannot be taken", steps);
    }
    job j = {.batch = b,
             .mask = mask,
             .work = step_row,
             .keeps = true,
             .controls = controls,
             .steps = steps,
             .status = status};
    return run(&j);
}

// ---- setting states

static tml_status copy_row(const tml_batch* b, const row* from, row* to)
{
    if (from->bytes > to->room) {
        void* larger = tml__allocate(&b->settings.allocator, from->bytes, 1);
        if (larger == NULL) return TML_NO_MEMORY;
        tml__release(&b->settings.allocator, to->state);
        to->state = larger;
        to->room = from->bytes;
    }
    memcpy(to->state, from->state, from->bytes);
    to->bytes = from->bytes;
    forgive(b, to);
    return TML_OK;
}

void tml_batch_reset(tml_batch* b, const unsigned char* mask)
{
    for (int i = 0; is_alive(b) && i < b->count; i++) {
        if (mask != NULL && mask[i] == 0) continue;
        // rows never shrink, and a start that grew has made them as large
        (void)copy_row(b, &b->start, &b->rows[i]);
    }
}

static tml_status check_row(tml_batch* b, int i)
{
    if (i >= 0 && i < b->count) return TML_OK;
    return tml__fail(&b->why, TML_BAD_ARGUMENT, "there is no row %d of %d", i, b->count);
}

// A simulation that rows can be exchanged with.
static tml_status check_sim(tml_batch* b, const tml_sim* sim)
{
    const tml_sim* own = b->workspaces[0].sim;
    const bool fits = sim != NULL && !sim->is_dead && sim->given_model == b->model &&
                      sim->settings.formulation == own->settings.formulation &&
                      sim->settings.integrator == own->settings.integrator &&
                      sim->settings.step == own->settings.step &&
                      sim->own_width == own->own_width && sim->past_kept == own->past_kept &&
                      (sim->contacts != NULL) == (own->contacts != NULL);
    if (fits) return TML_OK;
    return tml__fail(&b->why, TML_BAD_ARGUMENT,
                     "a row can be exchanged only with a simulation of the same model and "
                     "settings");
}

tml_status tml_batch_set_start(tml_batch* b, const tml_sim* sim)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    tml_status status = check_sim(b, sim);
    if (status != TML_OK) return status;
    row larger = {0};
    status = take_row(b, sim, &larger);
    // resets must not fail for want of memory
    for (int i = 0; i < b->count && status == TML_OK; i++) {
        row* r = &b->rows[i];
        if (larger.bytes <= r->room) continue;
        void* state = tml__allocate(&b->settings.allocator, larger.bytes, 1);
        if (state == NULL) {
            status = TML_NO_MEMORY;
            break;
        }
        memcpy(state, r->state, r->bytes);
        tml__release(&b->settings.allocator, r->state);
        r->state = state;
        r->room = larger.bytes;
    }
    if (status != TML_OK) {
        release_row(&b->settings.allocator, &larger);
        return tml__fail(&b->why, status, "out of memory for the start of %d rows", b->count);
    }
    release_row(&b->settings.allocator, &b->start);
    b->start = larger;
    return TML_OK;
}

tml_status tml_batch_read(const tml_batch* batch, int i, tml_sim* sim)
{
    union {
        const tml_batch* given;
        tml_batch* own;
    } cast = {.given = batch};
    tml_batch* b = cast.own;  // its message
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    tml_status status = check_row(b, i);
    if (status == TML_OK) status = check_sim(b, sim);
    if (status != TML_OK) return status;
    status = put_row(&b->rows[i], sim);
    return status == TML_OK ? TML_OK : tml__fail(&b->why, status, "%.400s", tml_sim_message(sim));
}

tml_status tml_batch_write(tml_batch* b, int i, const tml_sim* sim)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    tml_status status = check_row(b, i);
    if (status == TML_OK) status = check_sim(b, sim);
    if (status != TML_OK) return status;
    status = take_row(b, sim, &b->rows[i]);
    if (status != TML_OK) return tml__fail(&b->why, status, "out of memory for row %d", i);
    forgive(b, &b->rows[i]);
    return TML_OK;
}

tml_status tml_batch_copy_row(tml_batch* b, int from, int to)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    tml_status status = check_row(b, from);
    if (status == TML_OK) status = check_row(b, to);
    if (status != TML_OK || from == to) return status;
    status = copy_row(b, &b->rows[from], &b->rows[to]);
    return status == TML_OK ? TML_OK : tml__fail(&b->why, status, "out of memory for row %d", to);
}

static tml_status place_row(const job* j, int i, tml_sim* sim)
{
    const size_t at = (size_t)i;
    const size_t width = (size_t)j->width;
    if (j->coordinates != NULL) {
        return tml_sim_set_coordinates(sim, j->coordinates + at * width,
                                       j->rates != NULL ? j->rates + at * width : NULL);
    }
    return tml_sim_set_state(sim, j->poses + at * width,
                             j->velocities != NULL ? j->velocities + at * width : NULL);
}

tml_status tml_batch_set_coordinates(tml_batch* b, const unsigned char* mask,
                                     const double* coordinates, const double* rates,
                                     tml_status* status)
{
    if (!is_alive(b) || coordinates == NULL) return TML_BAD_ARGUMENT;
    job j = {.batch = b,
             .mask = mask,
             .work = place_row,
             .keeps = true,
             .coordinates = coordinates,
             .rates = rates,
             .width = tml_model_coordinate_count(b->model),
             .status = status};
    return run(&j);
}

tml_status tml_batch_set_states(tml_batch* b, const unsigned char* mask, const tml_pose* poses,
                                const tml_velocity* velocities, tml_status* status)
{
    if (!is_alive(b) || poses == NULL) return TML_BAD_ARGUMENT;
    job j = {.batch = b,
             .mask = mask,
             .work = place_row,
             .keeps = true,
             .poses = poses,
             .velocities = velocities,
             .width = b->model->all.body_count,
             .status = status};
    return run(&j);
}

// ---- hands

// A copy of `width` numbers a row in place of *kept. NULL: none.
static tml_status keep(tml_batch* b, const char* what, const double* from, size_t width,
                       double** kept)
{
    const size_t count = (size_t)b->count * width;
    double* copy = NULL;
    for (size_t i = 0; from != NULL && i < count; i++) {
        if (isfinite(from[i])) continue;
        return tml__fail(&b->why, TML_BAD_ARGUMENT, "number %zu of the %s of row %zu is not finite",
                         i % width, what, i / width);
    }
    if (from != NULL) {
        copy = tml__allocate(&b->settings.allocator, count, sizeof *copy);
        if (copy == NULL) return tml__fail(&b->why, TML_NO_MEMORY, "out of memory for %s", what);
        if (count > 0) memcpy(copy, from, count * sizeof *copy);
    }
    tml__release(&b->settings.allocator, *kept);
    *kept = copy;
    return TML_OK;
}

tml_status tml_batch_set_inputs(tml_batch* b, const double* inputs)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    const size_t width = (size_t)tml_model_input_count(b->model);
    const tml_status status = keep(b, "inputs", inputs, width, &b->inputs);
    for (int k = 0; inputs == NULL && k < b->thread_count; k++) {
        (void)tml_sim_set_inputs(b->workspaces[k].sim, NULL);
    }
    return status;
}

tml_status tml_batch_set_wrenches(tml_batch* b, const tml_load* wrenches)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    double* kept = (double*)b->wrenches;
    const size_t width = 6 * (size_t)b->model->all.body_count;
    const tml_status status = keep(b, "wrenches", (const double*)wrenches, width, &kept);
    b->wrenches = (tml_load*)(void*)kept;
    for (int k = 0; wrenches == NULL && k < b->thread_count; k++) {
        (void)tml_sim_set_wrenches(b->workspaces[k].sim, NULL);
    }
    return status;
}

tml_status tml_batch_set_gravity(tml_batch* b, const tml_vec3* gravity)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    double* kept = (double*)b->gravity;
    const tml_status status = keep(b, "gravity", (const double*)gravity, 3, &kept);
    b->gravity = (tml_vec3*)(void*)kept;
    for (int k = 0; gravity == NULL && k < b->thread_count; k++) {
        (void)tml_sim_set_gravity(b->workspaces[k].sim, b->model->all.gravity);
    }
    return status;
}

tml_status tml_batch_set_contact_shift(tml_batch* b, const double* shift)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    const size_t width = 2 * (size_t)b->model->all.body_count;
    for (int k = 0; k < b->thread_count && shift != NULL; k++) {
        workspace* w = &b->workspaces[k];
        if (w->shift != NULL) continue;
        w->shift = tml__allocate(&b->settings.allocator, width, sizeof *w->shift);
        if (w->shift == NULL) return tml__fail(&b->why, TML_NO_MEMORY, "out of memory");
    }
    const tml_status status = keep(b, "contact shift", shift, width, &b->shift);
    if (status != TML_OK) return status;
    for (int k = 0; k < b->thread_count; k++) {
        workspace* w = &b->workspaces[k];
        w->sim->own_model.contact_shift = shift != NULL ? w->shift : b->model->contact_shift;
    }
    return TML_OK;
}

// ---- reading

int tml_batch_width(const tml_batch* b, tml_batch_kind kind)
{
    if (!is_alive(b)) return 0;
    switch (kind) {
    case TML_BATCH_TIME: return 1;
    case TML_BATCH_POSES: return 7 * b->model->all.body_count;
    case TML_BATCH_VELOCITIES: return 6 * b->model->all.body_count;
    case TML_BATCH_COORDINATES:
    case TML_BATCH_RATES: return tml_model_coordinate_count(b->model);
    case TML_BATCH_LOADS: return 6 * b->model->all.joint_count;
    case TML_BATCH_CONTROLS: return b->model->control_count;
    case TML_BATCH_ENERGY: return 2;
    case TML_BATCH_FORCES: return 3 * b->model->all.body_count;
    case TML_BATCH_KINDS: break;
    }
    return 0;
}

static void sum_contacts(const tml_sim* sim, double* out)
{
    const int count = tml_sim_contact_count(sim);
    memset(out, 0, 3 * (size_t)sim->model->all.body_count * sizeof *out);
    for (int i = 0; i < count; i++) {
        const tml_contact k = tml_sim_contact(sim, i);
        if (k.a.index >= 0) {
            double* a = &out[3 * k.a.index];
            v3_store(a, v3_add(v3_load(a), k.force));
        }
        if (k.b.index >= 0) {
            double* other = &out[3 * k.b.index];
            v3_store(other, v3_sub(v3_load(other), k.force));
        }
    }
}

static tml_status read_row(const job* j, int i, tml_sim* sim)
{
    double* out = j->out + (size_t)i * (size_t)j->width;
    switch (j->kind) {
    case TML_BATCH_TIME: *out = tml_sim_time(sim); break;
    case TML_BATCH_POSES: tml_sim_poses(sim, (tml_pose*)(void*)out); break;
    case TML_BATCH_VELOCITIES: tml_sim_velocities(sim, (tml_velocity*)(void*)out); break;
    case TML_BATCH_COORDINATES: tml_sim_coordinates(sim, out); break;
    case TML_BATCH_RATES: tml_sim_rates(sim, out); break;
    case TML_BATCH_LOADS: tml_sim_loads(sim, (tml_load*)(void*)out); break;
    case TML_BATCH_CONTROLS: tml_sim_controls(sim, out); break;
    case TML_BATCH_ENERGY: {
        const tml_energy energy = tml_sim_energy(sim);
        out[0] = energy.kinetic;
        out[1] = energy.potential;
        break;
    }
    case TML_BATCH_FORCES: sum_contacts(sim, out); break;
    case TML_BATCH_KINDS: break;
    }
    return TML_OK;
}

// Do answers depend on what acts on a row? Then it is set before it is asked.
static bool looks_at_hands(tml_batch_kind kind)
{
    return kind == TML_BATCH_LOADS || kind == TML_BATCH_ENERGY;
}

static tml_status read_row_with_hands(const job* j, int i, tml_sim* sim)
{
    const tml_batch* b = j->batch;
    for (int k = 0; k < b->thread_count; k++) {
        if (b->workspaces[k].sim != sim) continue;
        const tml_status status = set_hands(b, i, &b->workspaces[k]);
        if (status != TML_OK) return status;
    }
    return read_row(j, i, sim);
}

tml_status tml_batch_get(tml_batch* b, tml_batch_kind kind, double* out)
{
    if (!is_alive(b)) return TML_BAD_ARGUMENT;
    if ((unsigned)kind >= TML_BATCH_KINDS || out == NULL) {
        return tml__fail(&b->why, TML_BAD_ARGUMENT, "there is no such array of a batch");
    }
    job j = {.batch = b,
             .work = looks_at_hands(kind) ? read_row_with_hands : read_row,
             .kind = kind,
             .width = tml_batch_width(b, kind),
             .out = out};
    return run(&j);
}
