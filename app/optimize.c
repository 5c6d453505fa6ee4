// app/optimize.c - `trammel gradient` and `trammel optimize`: numbers of a scene that make something
// small, and how the objective follows them.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/interrupts.h"
#include "app/json.h"
#include "app/ranks.h"
#include "app/run.h"
#include "app/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const option gradient_options[] = {
    {"json", OPTION_FLAG, NULL, "print objective and gradient as JSON", 0, 0},
};

static const option optimize_options[] = {
    {"method", OPTION_TEXT, "NAME",
     "of docs/problem.md (lbfgs, shooting, ...), instead of the problem's", 0, 0},
    {"iterations", OPTION_WHOLE, "N", "at most so many, instead of the problem's", 0, 1e9},
    {"out", OPTION_TEXT, "FILE",
     "record the best run (.csv, .npz, .glb, .mcap), the scene beside it", 0, 0},
    {"history", OPTION_TEXT, "FILE", "CSV of the search: t (runs), objective, gradient, seconds", 0,
     0},
    {"json", OPTION_FLAG, NULL, "print the best point as JSON", 0, 0},
};

typedef struct opened {
    const char* path;
    loaded scene;
    tml_problem_def def;
    tml_problem* problem;
    double* x;
    double* gradient;
    struct opened* others;  // the other trajectories
    tml_problem** list;     // their problems
    int other_count;
} opened;

static void close_problem(opened* o)
{
    for (int i = 0; i < o->other_count; i++) close_problem(&o->others[i]);
    free(o->others);
    free(o->list);
    tml_problem_destroy(o->problem);
    tml_problem_def_destroy(&o->def);
    unload(&o->scene);
    free(o->x);
    free(o->gradient);
}

static int open_own(const arguments* given, const char* path, opened* o)
{
    char scene[1024];
    char why[1024] = "";
    arguments words = *given;
    o->path = path;
    tml_status status = tml_problem_read_scene(o->path, scene, sizeof scene, why, sizeof why);
    if (status != TML_OK) {
        app_error("%s", why);
        return app_exit_code(status);
    }
    words.positionals[0] = scene;
    const int code = load_closed(&words, &o->scene);
    o->scene.path = o->scene.name = o->path;  // the words above do not live on
    if (code != APP_DONE) return code;
    const tml_run_settings* settings = loaded_settings(&o->scene);
    status = tml_problem_read_file(o->path, o->scene.model, settings->sim.step, settings->duration,
                                   &o->def, why, sizeof why);
    if (status != TML_OK) {
        app_error("%s", why);
        return app_exit_code(status);
    }
    const char* method = option_text(given, "method");
    if (method != NULL && !tml_method_find(method, &o->def.method)) {
        char names[256] = "";
        for (int i = 0; i < TML_METHODS; i++) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                     tml_method_name((tml_method)i));
        }
        app_error("unknown method '%s': there are %s", method, names);
        return APP_BAD_INPUT;
    }
    if (option_is_given(given, "iterations")) {
        o->def.iterations = (int)option_whole(given, "iterations");
        o->def.polish = 0;  // what is asked for is that many
    }
    status = tml_problem_create(o->scene.model, &settings->sim, &o->def, &o->problem);
    const size_t count = (size_t)o->def.variable_count;
    o->x = calloc(count + 1, sizeof *o->x);
    o->gradient = calloc(count + 1, sizeof *o->gradient);
    if (status == TML_OK && (o->x == NULL || o->gradient == NULL)) status = TML_NO_MEMORY;
    if (status != TML_OK) {
        app_error("%s: %s", o->path, tml_problem_message(o->problem));
        return app_exit_code(status);
    }
    for (size_t i = 0; i < count; i++) o->x[i] = o->def.variables[i].start;
    return APP_DONE;
}

// The problem and, where it names some, the others whose objectives are added: on threads, or on the ranks that mpirun
// started.
static int open_problem(const arguments* given, opened* o, const rank_group* ranks)
{
    int code = open_own(given, given->positionals[0], o);
    const int count = o->def.trajectory_count;
    if (code != APP_DONE || (count == 0 && ranks->of.self == NULL)) return code;
    o->others = calloc((size_t)count + 1, sizeof *o->others);
    o->list = calloc((size_t)count + 1, sizeof(tml_problem*));
    if (o->others == NULL || o->list == NULL) {
        app_error("%s: no memory", o->path);
        return APP_FAILED;
    }
    for (int i = 0; i < count && code == APP_DONE; i++) {
        opened* other = &o->others[o->other_count++];
        code = open_own(given, o->def.trajectories[i], other);
        o->list[i] = other->problem;
        if (code == APP_DONE && other->def.trajectory_count > 0) {
            app_error("%s: a trajectory of %s has no trajectories itself", other->path, o->path);
            code = APP_BAD_INPUT;
        }
    }
    if (code != APP_DONE) return code;
    const int threads = option_is_given(given, "threads") ? (int)option_whole(given, "threads") : 1;
    const tml_status status = tml_problem_join(o->problem, count, o->list, threads,
                                               ranks->of.self != NULL ? &ranks->of : NULL);
    if (status == TML_OK) return APP_DONE;
    app_error("%s: %s", o->path, tml_problem_message(o->problem));
    return app_exit_code(status);
}

// Join the processes that mpirun started; only the first of them talks.
static int begin_ranks(rank_group* ranks)
{
    ranks->count = 1;
    const int code = ranks_are_wanted() ? ranks_begin(ranks) : APP_DONE;
    if (code == APP_DONE && ranks->rank != 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0) (void)dup2(nowhere, STDOUT_FILENO);
        if (nowhere >= 0) close(nowhere);
    }
    return code;
}

static void describe(const opened* o, int i, char* text, size_t capacity)
{
    const tml_variable* v = &o->def.variables[i];
    tml_parameter_describe(o->scene.model, &v->parameter, text, capacity);
    if (v->parameter.index == TML_EVERY_BODY) {
        static const char* const axes[6] = {"tx", "ty", "tz", "rx", "ry", "rz"};
        snprintf(text, capacity, "velocity %s of every body", axes[v->parameter.component]);
    }
    const size_t length = strlen(text);
    if (v->knot_count > 1) {
        snprintf(text + length, capacity - length, ", knot %d", v->knot);
    }
}

// ---- what slopes are worth

typedef struct flag_line {
    const char* name;
    int steps, first;
    const char* text;  // NULL: nothing to be said about it
} flag_line;

enum {
    FLAGS = 4
};

static void list_flags(const opened* o, flag_line list[FLAGS])
{
    const tml_derivatives_flags f = tml_problem_last_flags(o->problem);
    list[0] = (flag_line){"tied", f.tied_steps, f.first_tied,
                          "a contact neither pushed nor parted: slopes hold on one side only"};
    list[1] = (flag_line){"rank", f.rank_steps, f.first_rank,
                          "contacts were nearly dependent on each other: their forces' slopes are "
                          "uncertain"};
    list[2] = (flag_line){"shift", f.shift_steps, f.first_shift, NULL};  // slopes are exact
    list[3] = (flag_line){"unsettled", f.unsettled_steps, f.first_unsettled,
                          "contact forces did not settle to the tolerance: slopes are those of the "
                          "labels they ended with"};
}

static void tell_flags(const opened* o)
{
    flag_line list[FLAGS];
    list_flags(o, list);
    for (int i = 0; i < FLAGS; i++) {
        if (list[i].steps == 0 || list[i].text == NULL) continue;
        printf("note: in %d steps, first in step %d, %s\n", list[i].steps, list[i].first,
               list[i].text);
    }
}

static void print_flags(json_object* out, const opened* o)
{
    flag_line list[FLAGS];
    int count = 0;
    list_flags(o, list);
    json_list_begin(out, "flags");
    for (int i = 0; i < FLAGS; i++) {
        if (list[i].steps == 0) continue;
        json_list_item(count++);
        printf("{\"flag\": \"%s\", \"steps\": %d, \"first_step\": %d}", list[i].name, list[i].steps,
               list[i].first);
    }
    json_list_end(count);
}

// The gradient at the best point once more, for its flags. Without contacts there are none, and a search
// without slopes needs none.
static void look_at_best(const opened* o)
{
    double value = 0.0;
    if (!loaded_settings(&o->scene)->sim.contact.is_on) return;
    if (o->def.method == TML_METHOD_RANDOM) return;
    if (tml_problem_evaluate(o->problem, o->x, &value, o->gradient) != TML_OK) {
        app_error("%s: no slopes at the best point: %s", o->path, tml_problem_message(o->problem));
    }
}

// ---- gradient

static void tell_gradient(const opened* o, double value)
{
    printf("objective %.17g\n", value);
    for (int i = 0; i < o->def.variable_count; i++) {
        char name[256];
        describe(o, i, name, sizeof name);
        printf("%-56s %22.15g\n", name, o->gradient[i]);
    }
    tell_flags(o);
}

static void print_variables(json_object* out, const opened* o, int has_gradient)
{
    json_list_begin(out, "variables");
    for (int i = 0; i < o->def.variable_count; i++) {
        char name[256];
        describe(o, i, name, sizeof name);
        json_list_item(i);
        printf("{\"name\": ");
        json_quoted(name);
        printf(", \"value\": %.17g", o->x[i]);
        if (has_gradient) printf(", \"gradient\": %.17g", o->gradient[i]);
        printf("}");
    }
    json_list_end(o->def.variable_count);
}

static int run_gradient(const arguments* given)
{
    opened o = {.path = ""};
    rank_group ranks = {.rank = 0};
    int code = begin_ranks(&ranks);
    if (code == APP_DONE) code = open_problem(given, &o, &ranks);
    double value = 0.0;
    if (code == APP_DONE) {
        const tml_status status = tml_problem_evaluate(o.problem, o.x, &value, o.gradient);
        if (status != TML_OK) {
            app_error("%s: %s", o.path, tml_problem_message(o.problem));
            code = app_exit_code(status);
        }
    }
    if (code == APP_DONE && option_is_given(given, "json")) {
        json_object out = json_open();
        json_text(&out, "status", "ok");
        json_number(&out, "objective", value);
        print_variables(&out, &o, 1);
        print_flags(&out, &o);
        json_close(&out);
    } else if (code == APP_DONE) {
        tell_gradient(&o, value);
    }
    close_problem(&o);
    if (code == APP_DONE) code = app_finish_output();
    ranks_end(&ranks, code);
    return code;
}

// ---- optimize

typedef struct searching {
    int is_shown;
    FILE* history;  // NULL: none is wanted
    double start;   // s, of the monotonic clock
    const rank_group* ranks;
} searching;

// What one process has heard ends the search of all, in the same iteration: none waits for one that has left.
static bool is_to_end(const searching* s)
{
    const tml_ranks* all = &s->ranks->of;
    double heard = interrupts_came();
    return all->self == NULL ? heard != 0.0 : all->add(all->self, &heard, 1) != 0 || heard != 0.0;
}

static int show_progress(void* self, const tml_optimize_report* report, const double* x)
{
    const searching* s = self;
    (void)x;
    if (s->is_shown) {
        fprintf(terminal_raw(), "\r%6d iterations  objective %.6e  gradient %.2e ",
                report->iterations, report->value, report->gradient);
    }
    if (s->history != NULL) {
        fprintf(s->history, "%d,%.17g,%.6g,%.3f\n", report->evaluations, report->value,
                report->gradient, clock_seconds() - s->start);
    }
    return is_to_end(s);
}

// ---- what is kept of a search

static int open_history(const arguments* given, searching* s)
{
    const char* path = option_text(given, "history");
    s->start = clock_seconds();
    if (path == NULL) return APP_DONE;
    s->history = fopen(path, "w");
    if (s->history == NULL) {
        app_error("--history %s: %s", path, strerror(errno));
        return APP_BAD_INPUT;
    }
    fprintf(s->history, "t,objective,gradient,seconds\n");
    return APP_DONE;
}

static int close_history(const arguments* given, searching* s, const tml_optimize_report* r)
{
    if (s->history == NULL) return APP_DONE;
    fprintf(s->history, "%d,%.17g,%.6g,%.3f\n", r->evaluations, r->value, r->gradient,
            clock_seconds() - s->start);
    if (fclose(s->history) == 0) return APP_DONE;
    app_error("--history %s: %s", option_text(given, "history"), strerror(errno));
    return APP_FAILED;
}

typedef struct recording {
    const char* path;
    tml_recorder* recorder;
    char why[512];
} recording;

static tml_status record_state(void* self, const tml_sim* sim)
{
    recording* r = self;
    tml_status status = TML_OK;
    if (r->recorder == NULL) {
        status = tml_recorder_create(sim, r->path, TML_RECORD_POSE | TML_RECORD_VELOCITY, r->why,
                                     sizeof r->why, &r->recorder);
    }
    return status == TML_OK ? tml_recorder_write(r->recorder, sim) : status;
}

// The best run into a file, the scene beside it so that `view` shows shapes.
static int record_best(const arguments* given, opened* o)
{
    recording r = {.path = option_text(given, "out")};
    char scene[1024];
    if (r.path == NULL) return APP_DONE;
    const char* dot = strrchr(r.path, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - r.path) : strlen(r.path);
    snprintf(scene, sizeof scene, "%.*s.scene.json", (int)(stem < 1000 ? stem : 1000), r.path);
    const tml_status status = tml_problem_replay(o->problem, o->x, record_state, &r);
    const tml_status closed = r.recorder != NULL ? tml_recorder_close(r.recorder) : TML_OK;
    if (status != TML_OK || closed != TML_OK) {
        app_error("--out %s: %s", r.path,
                  r.why[0] != '\0'   ? r.why
                  : closed != TML_OK ? strerror(errno)
                                     : tml_problem_message(o->problem));
        return APP_FAILED;
    }
    if (tml_scene_write_file(o->scene.scene, scene) == TML_OK) return APP_DONE;
    app_error("%s", tml_scene_message(o->scene.scene));
    return APP_FAILED;
}

static void tell_optimum(const opened* o, const tml_optimize_report* r)
{
    printf("%s: objective %.6g -> %.6g in %d iterations, %d runs; %s\n", o->path, r->first,
           r->value, r->iterations, r->evaluations,
           r->has_converged ? "converged" : "not converged");
    for (int i = 0; i < o->def.variable_count; i++) {
        char name[256];
        describe(o, i, name, sizeof name);
        printf("%-56s %22.15g\n", name, o->x[i]);
    }
    tell_flags(o);
}

static void tell_optimum_json(const opened* o, const tml_optimize_report* r)
{
    json_object out = json_open();
    json_text(&out, "status", interrupts_came() ? "interrupted" : "ok");
    json_text(&out, "method", tml_method_name(o->def.method));
    json_truth(&out, "converged", r->has_converged);
    json_whole(&out, "iterations", r->iterations);
    json_whole(&out, "evaluations", r->evaluations);
    json_number(&out, "first", r->first);
    json_number(&out, "objective", r->value);
    json_number(&out, "gradient", r->gradient);
    if (o->def.method == TML_METHOD_SHOOTING) json_number(&out, "defect", r->defect);
    print_variables(&out, o, 0);
    print_flags(&out, o);
    json_close(&out);
}

static int run_optimize(const arguments* given)
{
    opened o = {.path = ""};
    tml_optimize_report report = {0};
    rank_group ranks = {.rank = 0};
    searching s = {.is_shown = isatty(STDERR_FILENO), .ranks = &ranks};
    int code = begin_ranks(&ranks);
    const bool is_first = ranks.rank == 0;
    s.is_shown = s.is_shown && is_first;
    if (code == APP_DONE) code = open_problem(given, &o, &ranks);
    if (code == APP_DONE && is_first) code = open_history(given, &s);
    if (code == APP_DONE) {
        interrupts_listen();
        const tml_status status = tml_problem_optimize(o.problem, o.x, show_progress, &s, &report);
        if (s.is_shown) fputc('\n', terminal_raw());
        if (status != TML_OK) {
            app_error("%s: %s", o.path, tml_problem_message(o.problem));
            code = app_exit_code(status);
        }
        const int kept = is_first ? close_history(given, &s, &report) : APP_DONE;
        if (code == APP_DONE) code = kept;
        if (code == APP_DONE && is_first) code = record_best(given, &o);
        // with others it would be for all of them to look, and one may have heard Ctrl-C alone
        const bool is_alone = ranks.of.self == NULL;
        if (code == APP_DONE && !interrupts_came() && is_alone) look_at_best(&o);
    }
    if (code == APP_DONE && option_is_given(given, "json")) {
        tell_optimum_json(&o, &report);
    } else if (code == APP_DONE) {
        tell_optimum(&o, &report);
    }
    close_problem(&o);
    if (code == APP_DONE) code = app_finish_output();
    ranks_end(&ranks, code);
    return code == APP_DONE && interrupts_came() ? APP_INTERRUPTED : code;
}

const command command_gradient = {
    "gradient",
    "PROBLEM",
    "how an objective follows numbers of a scene",
    "Runs the scene that PROBLEM names (docs/problem.md) and prints the objective and its gradient "
    "by\n"
    "every variable, exact for the discrete steps, from one backward pass.",
    {{sizeof gradient_options / sizeof gradient_options[0], gradient_options},
     {OVERRIDES, override_options}},
    1,
    1,
    run_gradient,
};

const command command_optimize = {
    "optimize",
    "PROBLEM",
    "numbers of a scene that make an objective small",
    "Searches the variables of PROBLEM (docs/problem.md) for the smallest objective, within their\n"
    "bounds: by quasi-Newton methods on exact gradients, step by step (ddp), in stretches "
    "(shooting)\n"
    "or, to compare, by random search. Ctrl-C\n"
    "ends the search with the best point so far (exit status 130). Same input, same answer.",
    {{sizeof optimize_options / sizeof optimize_options[0], optimize_options},
     {OVERRIDES, override_options}},
    1,
    1,
    run_optimize,
};
