// app/run.c - `trammel run`: simulates a scene, records it, tells what happened.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/run.h"

#include "app/interrupts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const option run_options[] = {
    {"out", OPTION_TEXT, "FILE", "record into FILE (.csv, .npz, .glb, .mcap), the scene beside it",
     0, 0},
    {"record", OPTION_TEXT, "LIST",
     "of pose,velocity,joints,energy,gap,sensors,contacts (pose,velocity)", 0, 0},
    {"every", OPTION_WHOLE, "N", "record every Nth step, and always the last", 1, 1e9},
    {"json", OPTION_FLAG, NULL, "print the summary as JSON", 0, 0},
};

// ---- recording

// "X.csv" -> "X.scene.json"
static bool name_scene_beside(run* r)
{
    const char* dot = strrchr(r->out, '.');
    const char* slash = strrchr(r->out, '/');
    const size_t stem =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - r->out) : strlen(r->out);
    const int length =
        snprintf(r->scene_out, sizeof r->scene_out, "%.*s.scene.json", (int)stem, r->out);

    if (length > 0 && (size_t)length < sizeof r->scene_out) return true;
    app_error("--out: the name is too long");
    return false;
}

// Whether two names lead to one file. A file that does not exist is no other.
static bool is_same_file(const char* a, const char* b)
{
    struct stat of_a;
    struct stat of_b;

    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static int open_recording(run* r, const arguments* given)
{
    const char* list = option_text(given, "record");
    int columns = tml_record_usual(option_text(given, "out"));
    const char* bad = NULL;

    if (list != NULL && !tml_record_find(list, &columns, &bad)) {
        app_error("--record: unknown word at '%s'; known are pose, velocity, joints, energy, gap, "
                  "contacts",
                  bad);
        return APP_BAD_INPUT;
    }
    r->out = option_text(given, "out");
    if (r->out == NULL) return APP_DONE;
    if (!name_scene_beside(r)) return APP_BAD_INPUT;
    if (is_same_file(r->input.path, r->scene_out) || is_same_file(r->input.path, r->out)) {
        app_error("--out %s would overwrite the scene it reads, %s", r->out, r->input.path);
        return APP_BAD_INPUT;
    }
    if (tml_recorder_create(r->sim, r->out, columns, r->why, sizeof r->why, &r->recorder) !=
        TML_OK) {
        app_error("%s", r->why);
        return APP_BAD_INPUT;
    }
    // the first state, every Nth, and the last
    tml_status status =
        tml_recorder_expect(r->recorder, r->step_count / r->every + 1, r->why, sizeof r->why);
    if (status != TML_OK) {
        app_error("--out %s: %s", r->out, r->why);
    } else {
        status = tml_scene_write_file(r->input.scene, r->scene_out);
        if (status != TML_OK) app_error("%s", tml_scene_message(r->input.scene));
    }
    if (status == TML_OK) return APP_DONE;
    // nothing is recorded
    (void)tml_recorder_close(r->recorder);
    r->recorder = NULL;
    app_discard(r->out);
    return app_exit_code(status);
}

static tml_status record(run* r, long long step)
{
    if (r->recorder == NULL || r->last_recorded == step) return TML_OK;
    r->last_recorded = step;
    return tml_recorder_write(r->recorder, r->sim);
}

// ---- stepping

static void fail_recording(run* r)
{
    r->outcome = RUN_FAILED;
    const int error = errno;
    const char* ending = strrchr(r->out, '.');
    const bool is_npz = ending != NULL && strcmp(ending, ".npz") == 0;
    snprintf(r->why, sizeof r->why, "writing %s failed: %s%s", r->out, strerror(error),
             error == EFBIG && is_npz ? " (an NPZ archive holds 4 GiB at most)" : "");
}

static void fail_step(run* r)
{
    r->outcome = RUN_FAILED;
    snprintf(r->why, sizeof r->why, "step %lld at t = %.6g s: %s",
             tml_sim_get_report(r->sim).steps + 1, tml_sim_time(r->sim), tml_sim_message(r->sim));
}

// What a step adds to the energy: work of drives and forces, errors of the integrator, and what the guard
// of restitution lets pass in maximal coordinates, a hundredth of what impulses of contacts move.
static void watch_energy(run* r, double* before)
{
    const tml_energy energy = tml_sim_energy(r->sim);
    const double now = energy.kinetic + energy.potential;

    r->energy_rise = fmax(r->energy_rise, now - *before);
    *before = now;
}

// Bodies that turn on joints, where the formula bounds how far they may.
static void watch_turns(run* r)
{
    const tml_model* model = r->input.model;
    const double h = tml_sim_get_settings(r->sim)->step;
    if (stable_turn(r->sim) < 0.0) return;
    for (int i = 0; i < tml_model_body_count(model); i++) {
        const tml_vec3 w = tml_sim_velocity(r->sim, (tml_body){i}).angular;
        r->turn = fmax(r->turn, h * sqrt(w.x * w.x + w.y * w.y + w.z * w.z));
    }
}

// A step, with twice the room for contacts as long as there are more than the shapes made expect.
static tml_status step_once(run* r)
{
    tml_status status = tml_sim_step(r->sim, NULL);
    int room = tml_sim_get_settings(r->sim)->contact.max_contacts;
    for (int k = 0; k < 12 && status == TML_TOO_MANY_CONTACTS && room == 0; k++) {
        const int more = 256 << k;
        if (tml_sim_reserve(r->sim, more) != TML_OK) break;
        status = tml_sim_step(r->sim, NULL);
    }
    return status;
}

// All steps, recording as asked. What goes wrong ends the loop and stays in r->outcome.
static void step_all(run* r)
{
    progress p = progress_start();
    long long done = 0;
    double energy = r->first.kinetic + r->first.potential;
    bool is_written = record(r, 0) == TML_OK;

    while (is_written && r->outcome == RUN_OK && done < r->step_count) {
        if (interrupts_came()) {
            r->outcome = RUN_INTERRUPTED;
            break;
        }
        const double before = clock_seconds();
        const tml_status status = step_once(r);
        r->wall += clock_seconds() - before;
        if (status != TML_OK) {
            fail_step(r);
            break;
        }
        done++;
        watch_energy(r, &energy);
        watch_turns(r);
        if (done % r->every == 0) is_written = record(r, done) == TML_OK;
        progress_show(&p, r, done);
    }
    // the last accepted state ends the recording, however the run ended
    if (is_written) is_written = record(r, done) == TML_OK;
    if (!is_written) fail_recording(r);
    progress_end(&p);
}

static void close_recording(run* r)
{
    if (r->recorder == NULL) return;
    const tml_status status = tml_recorder_finish(r->recorder);
    if (status != TML_OK && r->outcome != RUN_FAILED) fail_recording(r);
    r->recorded = tml_recorder_states(r->recorder);
    (void)tml_recorder_close(r->recorder);
    r->recorder = NULL;
}

// ---- the command

static int prepare(run* r, const arguments* given)
{
    const tml_run_settings* settings = loaded_settings(&r->input);
    // a duration that is a multiple of the step but for round-off takes no extra step
    const double count = ceil(settings->duration / settings->sim.step - 1e-9);

    if (!(count < 9e15)) {
        app_error("%s: %g s in steps of %g s are too many steps", r->input.name, settings->duration,
                  settings->sim.step);
        return APP_BAD_INPUT;
    }
    r->step_count = count > 0.0 ? (long long)count : 0;
    r->every = option_is_given(given, "every") ? option_whole(given, "every") : 1;
    r->last_recorded = -1;

    // a recording has its scene written beside it; else the model is all that a run needs
    if (!option_is_given(given, "out")) forget_scene(&r->input);
    int code = create_sim(&r->input, &r->sim, r->why, sizeof r->why);
    if (code != APP_DONE) return code;
    r->first = tml_sim_energy(r->sim);
    interrupts_listen();
    code = open_recording(r, given);
    if (code == APP_DONE) forget_scene(&r->input);
    return code;
}

static int simulate(run* r, const arguments* given)
{
    static const int codes[] = {
        [RUN_OK] = APP_DONE, [RUN_FAILED] = APP_FAILED, [RUN_INTERRUPTED] = APP_INTERRUPTED};
    const bool is_json = option_is_given(given, "json");
    int code = load_closed(given, &r->input);

    r->is_assembled = r->input.is_assembled;
    r->assembly = r->input.assembly;
    if (code == APP_DONE) code = prepare(r, given);
    if (code == APP_FAILED && r->input.model != NULL) {
        r->outcome = RUN_FAILED;
        if (is_json) summary_print_json(r);
    }
    if (code != APP_DONE) return code;

    step_all(r);
    close_recording(r);
    if (r->outcome == RUN_FAILED) app_error("%s: %s", r->input.name, r->why);
    if (is_json) {
        summary_print_json(r);
    } else {
        summary_print(r);
    }
    code = app_finish_output();
    return code != APP_DONE ? code : codes[r->outcome];
}

static int run_scene(const arguments* given)
{
    run r = {0};

    const int code = simulate(&r, given);
    if (r.recorder != NULL) (void)tml_recorder_close(r.recorder);
    tml_sim_destroy(r.sim);
    unload(&r.input);
    return code;
}

const command command_run = {
    "run",
    "SCENE",
    "simulate a scene",
    "Simulates a scene and prints what happened. A step that fails ends the run with exit status "
    "1\n"
    "and a sentence that says why; Ctrl-C ends it after the current step. What was recorded until\n"
    "then is kept and valid.",
    {{sizeof run_options / sizeof run_options[0], run_options}, {OVERRIDES, override_options}},
    1,
    1,
    run_scene,
};
