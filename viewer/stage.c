// viewer/stage.c - keeps frames, walks over them, and lets the simulation go on.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "viewer/stage.h"

#include "viewer/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double slider_time = 0.12;  // s in which a driven axis follows its slider
enum {
    MOST_CONTACTS = 1 << 22
};

static const double fastest = 1000.0;
static const double slowest = 1e-3;

double stage_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- opening and closing

static tml_status create_sim(stage* s, const tml_sim_settings* settings, tml_sim** out)
{
    const tml_status status = tml_sim_create(s->model, settings, out);
    if (status == TML_OK) return TML_OK;
    // a refused simulation is good for its message only
    snprintf(s->message, sizeof s->message, "%s",
             *out != NULL ? tml_sim_message(*out) : tml_status_name(status));
    tml_sim_destroy(*out);
    *out = NULL;
    return status;
}

static tml_status take_controls(stage* s)
{
    const int count = tml_model_control_count(s->model);
    const size_t n = (size_t)count + 1;
    s->controls = calloc(n, sizeof *s->controls);
    s->given = calloc(n, sizeof *s->given);
    s->is_driven = calloc(n, 1);
    const size_t m = (size_t)tml_model_input_count(s->model) + 1;
    s->inputs = calloc(m, sizeof *s->inputs);
    s->given_inputs = calloc(m, sizeof *s->given_inputs);
    s->is_input_driven = calloc(m, 1);
    const bool has_inputs = s->inputs && s->given_inputs && s->is_input_driven;
    return s->controls && s->given && s->is_driven && has_inputs ? TML_OK : TML_NO_MEMORY;
}

static void init(stage* s, const tml_model* model, size_t budget)
{
    *s = (stage){.model = model, .speed = 1.0, .stride = 1, .budget = budget};
    s->push.body = -1;
}

tml_status stage_open_live(stage* s, const tml_model* model, const tml_sim_settings* settings,
                           size_t budget)
{
    init(s, model, budget);
    s->settings = *settings;
    s->has_velocity = s->has_joints = s->has_energy = s->has_gap = true;
    s->has_contacts = settings->contact.is_on != 0;
    tml_status status = take_controls(s);
    if (status == TML_OK) status = frames_prepare(s);
    if (status == TML_OK) status = create_sim(s, settings, &s->sim);
    if (status == TML_OK && !frames_keep(s)) status = TML_NO_MEMORY;
    return status;
}

tml_status stage_open_recording(stage* s, const tml_model* model, const tml_recording* recording,
                                size_t budget)
{
    init(s, model, budget);
    s->recording = recording;
    tml_status status = take_controls(s);
    if (status == TML_OK) status = frames_read(s);
    if (status == TML_OK) s->cursor = s->frames[0]->time;
    return status;
}

void stage_close(stage* s)
{
    frames_clear(s);
    tml_sim_destroy(s->sim);
    tml_sim_destroy(s->ghost);
    free(s->frames);
    free(s->coordinate_first);
    free(s->scratch);
    free(s->soft_vertices);
    free(s->soft_points);
    free(s->controls);
    free(s->given);
    free(s->is_driven);
    free(s->inputs);
    free(s->given_inputs);
    free(s->is_input_driven);
    *s = (stage){0};
}

// ---- steps of the simulation

static void say(stage* s, const char* text)
{
    snprintf(s->message, sizeof s->message, "%s", text);
    s->version++;
}

// The controls of the next step: sliders where they hold an axis, the model's own elsewhere.
// Positions follow a slider softly, because a jump would be an infinite force.
static const double* controls_of_step(stage* s)
{
    if (s->driven_count == 0) return NULL;
    const double h = s->settings.step;
    const double share = h / (h + slider_time);
    for (int i = 0; i < tml_model_control_count(s->model); i++) {
        if (s->is_driven[i]) {
            s->given[i] += share * (s->controls[i] - s->given[i]);
        } else {
            s->given[i] = tml_model_control_value(s->model, i, tml_sim_time(s->sim) + h);
        }
    }
    return s->given;
}

// The same for servos and the like; targets of servos follow their sliders softly too.
static void give_inputs(stage* s)
{
    if (s->driven_input_count == 0) return;
    const double h = s->settings.step;
    const double share = h / (h + slider_time);
    const int count = tml_model_input_count(s->model);
    for (int i = 0; i < count; i++) {
        if (s->is_input_driven[i]) {
            s->given_inputs[i] += share * (s->inputs[i] - s->given_inputs[i]);
        } else {
            s->given_inputs[i] = tml_model_input_value(s->model, i, tml_sim_time(s->sim) + h);
        }
    }
    (void)tml_sim_set_inputs(s->sim, s->given_inputs);
    if (s->ghost != NULL) (void)tml_sim_set_inputs(s->ghost, s->given_inputs);
}

// Twice the room for contacts; false when there is no more to be had.
static bool make_room(stage* s)
{
    const int more = s->contact_room > 0 ? 2 * s->contact_room : 1024;
    if (more > MOST_CONTACTS || tml_sim_reserve(s->sim, more) != TML_OK) return false;
    s->contact_room = more;
    return true;
}

// One step of the simulation and its ghost; false when it failed and the stage stands still.
static bool take_step(stage* s)
{
    const double* controls = controls_of_step(s);
    give_inputs(s);
    tml_status status = tml_sim_step(s->sim, controls);
    while (status == TML_TOO_MANY_CONTACTS && make_room(s)) {
        status = tml_sim_step(s->sim, controls);
    }
    if (status != TML_OK) {
        s->has_failed = true;
        s->is_playing = false;
        snprintf(s->message, sizeof s->message, "stopped at t = %.6g s: %.900s",
                 tml_sim_time(s->sim), tml_sim_message(s->sim));
        s->version++;
        return false;
    }
    // a ghost that fails stays where it is
    if (s->ghost != NULL && !s->ghost_has_failed && tml_sim_step(s->ghost, controls) != TML_OK) {
        s->ghost_has_failed = true;
        snprintf(s->message, sizeof s->message, "the ghost stopped at t = %.6g s: %.900s",
                 tml_sim_time(s->ghost), tml_sim_message(s->ghost));
        s->version++;
    }
    s->taken++;
    s->head = tml_sim_time(s->sim);
    if (s->taken % s->stride == 0 && !frames_keep(s)) {
        s->is_playing = false;
        say(s, "no memory for another frame");
        return false;
    }
    return true;
}

// ---- the clock

void stage_advance(stage* s, double elapsed, double allowed)
{
    if (!s->is_playing) return;
    const double start = stage_clock();
    const double before = s->cursor;
    double target = s->cursor + s->speed * elapsed;
    const double newest = s->frames[s->frame_count - 1]->time;

    if (s->sim == NULL || target <= newest) {
        if (target >= newest && s->sim == NULL) {
            target = newest;
            s->is_playing = false;
            s->version++;
        }
        s->cursor = target;
    } else {
        while (s->head < target && stage_clock() - start < allowed && take_step(s)) continue;
        s->cursor = target < s->head ? target : s->head;
        // what was missed is missed: a slow simulation runs slower, it does not catch up
    }
    s->shown = frames_find(s, s->cursor);
    if (elapsed > 0.0) {
        const double rate = (s->cursor - before) / elapsed;
        s->rate += 0.1 * (rate - s->rate);
    }
}

void stage_play(stage* s, bool is_playing)
{
    if (is_playing && s->has_failed && s->shown >= s->frame_count - 1) return;
    const bool is_at_end = s->sim == NULL && s->shown >= s->frame_count - 1;
    if (is_playing && is_at_end) stage_seek(s, s->frames[0]->time);
    s->is_playing = is_playing;
    s->version++;
}

void stage_seek(stage* s, double time)
{
    const double first = s->frames[0]->time;
    const double last = s->frames[s->frame_count - 1]->time;
    s->cursor = time < first ? first : time > last ? last : time;
    s->shown = frames_find(s, s->cursor);
    s->is_playing = false;
    s->version++;
}

void stage_step(stage* s, int count)
{
    s->is_playing = false;
    s->version++;
    for (; count < 0 && s->shown > 0; count++) s->shown--;
    for (; count > 0 && s->shown < s->frame_count - 1; count--) s->shown++;
    while (count > 0 && s->sim != NULL && !s->has_failed) {
        // one kept frame on
        const double head = s->head;
        if (!take_step(s)) break;
        s->shown = s->frame_count - 1;
        if (s->frames[s->shown]->time > head) count--;
    }
    s->cursor = s->frames[s->shown]->time;
}

void stage_set_speed(stage* s, double speed)
{
    if (!(speed >= slowest && speed <= fastest)) return;
    s->speed = speed;
    s->version++;
}

// ---- restarting and switching

// The history begins anew at the simulation's present state.
static bool begin_history(stage* s)
{
    frames_clear(s);
    s->stride = 1;
    s->taken = 0;
    s->has_failed = false;
    s->shown = 0;
    s->head = s->cursor = tml_sim_time(s->sim);
    s->version++;
    return frames_prepare(s) == TML_OK && frames_keep(s);
}

void stage_restart(stage* s)
{
    tml_sim* sim = NULL;
    tml_sim* ghost = NULL;

    if (s->sim == NULL) {
        stage_seek(s, s->frames[0]->time);
        return;
    }
    if (create_sim(s, &s->settings, &sim) != TML_OK) return;
    if (s->ghost != NULL && create_sim(s, &s->ghost_settings, &ghost) != TML_OK) {
        tml_sim_destroy(sim);
        return;
    }
    tml_sim_destroy(s->sim);
    tml_sim_destroy(s->ghost);
    s->sim = sim;
    s->ghost = ghost;
    s->message[0] = '\0';
    s->push.body = -1;
    s->ghost_has_failed = false;
    if (!begin_history(s)) say(s, "no memory for the history");
}

// The new method goes on from the newest state; the history stays.
void stage_set_method(stage* s, tml_formulation formulation, tml_integrator integrator, double step)
{
    tml_sim_settings wanted = s->settings;
    tml_sim* sim = NULL;

    if (s->sim == NULL) return;
    wanted.formulation = formulation;
    wanted.integrator = integrator;
    wanted.step = step;
    if (integrator != TML_TIME_SEMI_IMPLICIT_EULER) wanted.implicit.baumgarte = 0.0;
    // a solver that was chosen for another formulation need not exist for this one
    if (formulation != s->settings.formulation) wanted.solver = TML_SOLVER_AUTO;
    s->version++;
    if (create_sim(s, &wanted, &sim) != TML_OK) return;
    if (tml_sim_follow(sim, s->sim) != TML_OK) {
        snprintf(s->message, sizeof s->message, "%s cannot go on from here: %.900s",
                 tml_integrator_name(integrator), tml_sim_message(sim));
        tml_sim_destroy(sim);
        return;
    }
    tml_sim_destroy(s->sim);
    s->sim = sim;
    s->settings = wanted;
    s->has_failed = false;
    s->message[0] = '\0';
    stage_set_push(s, &s->push);
    s->shown = s->frame_count - 1;
    s->cursor = s->frames[s->shown]->time;
}

// A ghost goes on from the newest state, so that the history stays; where nothing was simulated yet
// that is the start, and *restart* lets both begin there.
void stage_set_ghost(stage* s, bool is_on, tml_formulation formulation, tml_integrator integrator)
{
    tml_sim* ghost = NULL;
    tml_sim_settings wanted = s->settings;

    if (s->sim == NULL || (!is_on && s->ghost == NULL)) return;
    s->version++;
    if (is_on) {
        wanted.formulation = formulation;
        wanted.integrator = integrator;
        wanted.solver = TML_SOLVER_AUTO;
        if (integrator != TML_TIME_SEMI_IMPLICIT_EULER) wanted.implicit.baumgarte = 0.0;
        if (create_sim(s, &wanted, &ghost) != TML_OK) return;
    }
    if (is_on && s->taken > 0 && tml_sim_follow(ghost, s->sim) != TML_OK) {
        snprintf(s->message, sizeof s->message, "the ghost cannot go on from here: %.900s",
                 tml_sim_message(ghost));
        tml_sim_destroy(ghost);
        return;
    }
    if (!frames_reshape(s, is_on)) {
        say(s, "no memory for the ghost's part of the history");
        tml_sim_destroy(ghost);
        return;
    }
    if (is_on) s->ghost_settings = wanted;
    tml_sim_destroy(s->ghost);
    s->ghost = ghost;
    s->ghost_has_failed = false;
}

// ---- hands

void stage_set_push(stage* s, const stage_push* push)
{
    s->push = *push;
    if (s->sim == NULL) return;
    tml_sim_push(s->sim, TML_WORLD, push->point, push->force, push->torque);  // one at a time
    const tml_status status =
        tml_sim_push(s->sim, (tml_body){push->body}, push->point, push->force, push->torque);
    if (status != TML_OK) {
        s->push.body = -1;
        say(s, tml_sim_message(s->sim));
    }
}

void stage_set_control(stage* s, int index, bool is_driven, double value)
{
    if (s->sim == NULL || index < 0 || index >= tml_model_control_count(s->model)) return;
    if (is_driven && s->driven_count == 0) {
        // the first slider: all others go on from where the model's controls are
        for (int i = 0; i < tml_model_control_count(s->model); i++) {
            s->given[i] = tml_model_control_value(s->model, i, tml_sim_time(s->sim));
        }
    }
    s->driven_count += (int)is_driven - (int)s->is_driven[index];
    s->is_driven[index] = is_driven;
    s->controls[index] = value;
    s->version++;
}

void stage_set_input(stage* s, int index, bool is_driven, double value)
{
    const int count = tml_model_input_count(s->model);
    if (s->sim == NULL || index < 0 || index >= count) return;
    if (is_driven && s->driven_input_count == 0) {
        for (int i = 0; i < count; i++) {
            s->given_inputs[i] = tml_model_input_value(s->model, i, tml_sim_time(s->sim));
        }
    }
    s->driven_input_count += (int)is_driven - (int)s->is_input_driven[index];
    s->is_input_driven[index] = is_driven;
    s->inputs[index] = value;
    if (s->driven_input_count == 0) {
        (void)tml_sim_set_inputs(s->sim, NULL);
        if (s->ghost != NULL) (void)tml_sim_set_inputs(s->ghost, NULL);
    }
    s->version++;
}
