// app/assemble.c - `trammel assemble`: closes open joints and writes the scene that results.
#include "app/json.h"
#include "app/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option assemble_options[] = {
    {"targets", OPTION_TEXT, "FILE", "reach for these targets too, actuators let go", 0, 0},
    {"json", OPTION_FLAG, NULL, "print what was done as JSON", 0, 0},
};

// ---- telling

// The scene goes to standard output when it is called "-"; people then read standard error.
static FILE* people(const char* path) { return strcmp(path, "-") == 0 ? stderr : stdout; }

static void tell(const loaded* l, const tml_assemble_report* r, const char* path)
{
    FILE* to = people(path);
    fprintf(to, "%s: gap %.3g -> %.2g in %d iteration%s\n", tml_model_name(l->model), r->gap_before,
            r->gap_after, r->iterations, r->iterations == 1 ? "" : "s");
    if (r->most.index >= 0) {
        fprintf(to, "bodies moved by up to %.3g m ('%s') and turned by up to %.3g rad\n", r->moved,
                tml_model_body_name(l->model, r->most), r->turned);
    }
    if (to == stdout) fprintf(to, "written to %s\n", path);
}

static void tell_json(const char* status, const tml_model* model, const tml_assemble_report* r,
                      const char* why)
{
    json_object o = json_open();
    json_text(&o, "status", status);
    json_number(&o, "gap_before", r->gap_before);
    json_number(&o, "gap_after", r->gap_after);
    json_number(&o, "moved", r->moved);
    json_number(&o, "turned", r->turned);
    if (r->most.index >= 0) json_text(&o, "most", tml_model_body_name(model, r->most));
    json_number(&o, "distance", r->distance);
    json_whole(&o, "iterations", r->iterations);
    if (why[0] != '\0') json_text(&o, "message", why);
    json_close(&o);
}

// ---- closing

static int close_joints(const arguments* given, const loaded* l)
{
    const char* path = given->positionals[1];
    tml_pose* poses = calloc((size_t)tml_model_body_count(l->model) + 1, sizeof *poses);
    tml_assemble_report report;
    char why[1024];

    if (poses == NULL) {
        app_error("%s: no memory", l->name);
        return APP_FAILED;
    }
    const int code = assemble_loaded(l, poses, &report, why, sizeof why);
    bool is_fine = code == APP_DONE;
    if (is_fine) {
        is_fine = tml_spec_set_poses(tml_scene_spec(l->scene), poses) == TML_OK &&
                  app_write_scene(l->scene, path) == TML_OK;
        if (!is_fine) app_error("%s", tml_scene_message(l->scene));
    }
    free(poses);
    if (option_is_given(given, "json")) {
        tell_json(code == APP_DONE ? "ok" : "failed", l->model, &report, why);
    } else if (is_fine) {
        tell(l, &report, path);
    }
    if (code != APP_DONE) return code;
    return is_fine ? app_finish_output() : APP_BAD_INPUT;
}

// ---- reaching

static int reach_targets(const arguments* given, const loaded* l)
{
    motion m;
    int code = motion_follow(l, option_text(given, "targets"), false, &m);
    if (code == APP_DONE && !motion_write(&m, l, given->positionals[1])) code = APP_BAD_INPUT;
    if (code == APP_DONE && option_is_given(given, "json")) {
        json_object o = json_open();
        json_text(&o, "status", "ok");
        json_number(&o, "gap_before", tml_model_summarise(l->model).max_gap);
        json_number(&o, "gap_after", m.worst_gap);
        json_number(&o, "max_error", m.worst_length);
        json_number(&o, "max_angle_error", m.worst_angle);
        json_whole(&o, "iterations", m.iterations);
        json_close(&o);
    } else if (code == APP_DONE) {
        FILE* to = people(given->positionals[1]);
        fprintf(to, "%s: targets missed by up to %.3g m and %.3g rad, gap %.2g\n",
                tml_model_name(l->model), m.worst_length, m.worst_angle, m.worst_gap);
        if (to == stdout) fprintf(to, "written to %s\n", given->positionals[1]);
    }
    motion_free(&m);
    return code == APP_DONE ? app_finish_output() : code;
}

static int run_assemble(const arguments* given)
{
    loaded l = {0};
    if (strcmp(given->positionals[1], "-") == 0 && option_is_given(given, "json")) {
        app_error("--json and a scene on standard output do not go together: name a file");
        return APP_BAD_INPUT;
    }
    int code = load_told(given, &l);
    if (code == APP_DONE) {
        code =
            option_is_given(given, "targets") ? reach_targets(given, &l) : close_joints(given, &l);
    }
    unload(&l);
    return code;
}

const command command_assemble = {
    "assemble",
    "IN OUT",
    "close open joints: the nearest poses that fit",
    "Moves the bodies of a scene to the nearest poses, in the mass norm, in which every joint,\n"
    "coupling and position actuator (at t = 0) holds, and writes the scene that results ('-':\n"
    "to standard output). With\n"
    "--targets points of bodies reach for targets as well; position actuators are then let go and\n"
    "their controls follow. Exit status 1, and a list of what stays open, when it cannot be done.",
    {{sizeof assemble_options / sizeof assemble_options[0], assemble_options},
     {OVERRIDES, override_options}},
    2,
    2,
    run_assemble,
};
