// app/ik.c - `trammel ik`: inverse kinematics with loops, over time.
#include "app/json.h"
#include "app/targets.h"

#include <stdio.h>
#include <string.h>

static const option ik_options[] = {
    {"out", OPTION_TEXT, "FILE", "write the scene with the motion as control tables", 0, 0},
    {"json", OPTION_FLAG, NULL, "print times, coordinates and errors as JSON", 0, 0},
};

static void name_axis(const tml_model* model, const motion_axis* a, char* text, size_t capacity)
{
    snprintf(text, capacity, "%.200s.%s", tml_model_joint_name(model, a->joint),
             tml_axis_name(a->axis));
}

// What is in reach is met to round-off; a micrometre is far more than that, and far less than
// anybody would mean by "missed".
static bool is_reached(const motion* m)
{
    return m->worst_length <= 1e-6 && m->worst_angle <= 1e-6;
}

// ---- for people: the first and the last coordinates, and what is missed

static void tell(const loaded* l, const motion* m)
{
    const int last = m->time_count - 1;
    printf("%s: %d target%s, %d time%s, %d iterations, gap %.2g\n", tml_model_name(l->model),
           m->targets.count, m->targets.count == 1 ? "" : "s", m->time_count,
           m->time_count == 1 ? "" : "s", m->iterations, m->worst_gap);
    printf("missed by up to %.3g m and %.3g rad\n", m->worst_length, m->worst_angle);
    for (int i = 0; i < m->targets.count; i++) {
        printf("target %d on '%s': missed by %.3g m, %.3g rad at the end\n", i,
               tml_model_body_name(l->model, m->targets.list[i].body), m->last_length[i],
               m->last_angle[i]);
    }
    printf("\n%-24s %14s %14s\n", "coordinate", "at the start", "at the end");
    for (int i = 0; i < m->axis_count; i++) {
        char name[224];
        name_axis(l->model, &m->axes[i], name, sizeof name);
        printf("%-24s %14.9g %14.9g\n", name, m->axes[i].values[0], m->axes[i].values[last]);
    }
}

// ---- for programs

static void print_numbers(const double* values, int count)
{
    for (int k = 0; k < count; k++) printf("%s%.17g", k > 0 ? ", " : "", values[k]);
}

static void tell_json(const loaded* l, const motion* m)
{
    json_object o = json_open();
    json_text(&o, "status", is_reached(m) ? "ok" : "unreachable");
    json_truth(&o, "reached", is_reached(m));
    json_number(&o, "max_error", m->worst_length);
    json_number(&o, "max_angle_error", m->worst_angle);
    json_number(&o, "max_gap", m->worst_gap);
    json_whole(&o, "iterations", m->iterations);
    json_list_begin(&o, "times");
    print_numbers(m->times, m->time_count);
    json_list_end(0);
    json_list_begin(&o, "errors");
    for (int i = 0; i < m->targets.count; i++) {
        json_list_item(i);
        printf("{\"body\": ");
        json_quoted(tml_model_body_name(l->model, m->targets.list[i].body));
        printf(", \"length\": %.17g, \"angle\": %.17g}", m->last_length[i], m->last_angle[i]);
    }
    json_list_end(m->targets.count);
    json_list_begin(&o, "coordinates");
    for (int i = 0; i < m->axis_count; i++) {
        json_list_item(i);
        printf("{\"joint\": ");
        json_quoted(tml_model_joint_name(l->model, m->axes[i].joint));
        printf(", \"axis\": \"%s\", \"values\": [", tml_axis_name(m->axes[i].axis));
        print_numbers(m->axes[i].values, m->time_count);
        printf("]}");
    }
    json_list_end(m->axis_count);
    json_close(&o);
}

// ---- the command

static int run_ik(const arguments* given)
{
    loaded l = {0};
    motion m = {0};
    const char* path = option_text(given, "out");
    if (path != NULL && strcmp(path, "-") == 0) {
        app_error("--out: standard output takes the coordinates; name a file for the scene");
        return APP_BAD_INPUT;
    }
    int code = load_told(given, &l);

    if (code == APP_DONE) code = motion_follow(&l, given->positionals[1], true, &m);
    if (code == APP_DONE && path != NULL && !motion_write(&m, &l, path)) code = APP_BAD_INPUT;
    if (code == APP_DONE) {
        if (option_is_given(given, "json")) {
            tell_json(&l, &m);
        } else {
            tell(&l, &m);
        }
        code = app_finish_output();
        if (code == APP_DONE && !is_reached(&m)) {
            app_error("%s: targets are out of reach, missed by up to %.3g m and %.3g rad", l.name,
                      m.worst_length, m.worst_angle);
            code = APP_FAILED;
        }
    }
    motion_free(&m);
    unload(&l);
    return code;
}

const command command_ik = {
    "ik",
    "SCENE TARGETS",
    "inverse kinematics: joint coordinates that reach targets",
    "Finds poses in which points of bodies meet targets that may move over time, all joints "
    "closed\n"
    "and position actuators let go. Prints the coordinates of the driven axes (of all free axes\n"
    "where none is driven). With --out the scene is written with these coordinates as controls, "
    "so\n"
    "that running it repeats the motion. Targets out of reach are met as well as they can be, and\n"
    "the exit status is 1.",
    {{sizeof ik_options / sizeof ik_options[0], ik_options}, {OVERRIDES, override_options}},
    2,
    2,
    run_ik,
};
