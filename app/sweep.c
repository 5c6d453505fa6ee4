// app/sweep.c - `trammel sweep`: one scene run many times, on threads or, started by mpirun, on ranks.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "app/sweep.h"

#include "app/interrupts.h"
#include "app/json.h"
#include "app/ranks.h"
#include "app/run.h"
#include "app/swept.h"
#include "app/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const option sweep_options[] = {
    {"out", OPTION_TEXT, "FILE", "the results (.npz); SWEEP with that ending when left out", 0, 0},
    {"range", OPTION_TEXT, "A:B", "only rows A to B - 1, for arrays of jobs", 0, 0},
    {"row", OPTION_WHOLE, "N", "run row N alone and record it into --out (.csv, .npz, .glb, ...)",
     0, 9e15},
    {"record", OPTION_TEXT, "LIST", "of --row, as run has it", 0, 0},
    {"assemble", OPTION_FLAG, NULL, "close open joints first", 0, 0},
    {"mpi", OPTION_FLAG, NULL, "use MPI although no mpirun is recognised", 0, 0},
    {"progress", OPTION_WHOLE, "SECONDS", "a line that often, where stderr is no terminal", 1, 1e6},
    {"json", OPTION_FLAG, NULL, "print the summary as JSON", 0, 0},
};

typedef struct sweeping {
    const char* path;  // of SWEEP
    char out[4096];
    loaded scene;
    tml_sweep_def def;
    tml_sweep* sweep;
    tml_sweep_options options;
    tml_sweep_report report;
    char* scene_text;
    char* sweep_text;
    rank_group ranks;
    // progress
    bool is_terminal, has_line;
    double between, told;
} sweeping;

// ---- opening

static int no_memory(const char* name)
{
    app_error("%s: no memory", name);
    return APP_FAILED;
}

enum {
    MOST_BYTES = (1 << 28) + 1
};

// The whole file, or as much as shows that it is no text; NULL with an error line. The caller frees it.
static char* read_whole(const char* path)
{
    if (access(path, F_OK) == 0 && !is_plain_file(path)) {
        app_error("%s: cannot be read: it is not a plain file", path);
        return NULL;
    }
    FILE* file = fopen(path, "rb");
    struct stat about;
    if (file != NULL && fstat(fileno(file), &about) == 0 && about.st_size >= MOST_BYTES) {
        app_error("%s: cannot be read: it is larger than 256 MiB", path);
        fclose(file);
        return NULL;
    }
    char* text = NULL;
    size_t length = 0;
    size_t room = 0;
    bool is_good = file != NULL;
    bool is_text = true;
    while (is_good && is_text && !feof(file)) {
        if (room - length < 4096) {
            room = 2 * room + 8192;
            char* longer = realloc(text, room);
            if (longer == NULL) break;
            text = longer;
        }
        const size_t part = fread(text + length, 1, room - length - 1, file);
        is_text = memchr(text + length, 0, part) == NULL;
        length += part;
        is_good = !ferror(file);
    }
    if (!is_good || text == NULL) app_error("%s: %s", path, strerror(errno));
    if (file != NULL) fclose(file);
    if (!is_good || text == NULL) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

static int name_out(sweeping* w, const arguments* given)
{
    const char* out = option_text(given, "out");
    const char* slash = strrchr(w->path, '/');
    const char* dot = strrchr(w->path, '.');
    const size_t stem =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - w->path) : strlen(w->path);
    const int length = out != NULL
                           ? snprintf(w->out, sizeof w->out, "%s", out)
                           : snprintf(w->out, sizeof w->out, "%.*s.npz", (int)stem, w->path);
    if (length < 1 || (size_t)length >= sizeof w->out) {
        app_error("--out: the name is too long");
        return APP_BAD_INPUT;
    }
    if (option_is_given(given, "row")) return APP_DONE;
    if ((size_t)length > 4 && strcmp(w->out + length - 4, ".npz") == 0) return APP_DONE;
    app_error("--out %s: results of a sweep are a .npz", w->out);
    return APP_BAD_INPUT;
}

// "A:B", "A:" or ":B".
static int read_range(sweeping* w, const arguments* given)
{
    const char* text = option_text(given, "range");
    const long long rows = tml_sweep_row_count(w->sweep);
    long long first = 0;
    long long end = rows;
    if (text == NULL) return APP_DONE;
    const char* colon = strchr(text, ':');
    char* rest = NULL;
    bool is_good = colon != NULL;
    errno = 0;
    if (is_good && colon != text) {
        first = strtoll(text, &rest, 10);
        is_good = rest == colon;
    }
    if (is_good && colon[1] != '\0') {
        end = strtoll(colon + 1, &rest, 10);
        is_good = *rest == '\0';
    }
    if (!is_good || errno != 0 || first < 0 || first >= end || end > rows) {
        app_error("--range %s: give rows as FIRST:END with 0 <= FIRST < END <= %lld", text, rows);
        return APP_BAD_INPUT;
    }
    w->options.first = first;
    w->options.count = end - first;
    return APP_DONE;
}

static int open_sweep(sweeping* w, const arguments* given)
{
    char why[1024] = "";
    w->path = given->positionals[1];
    int code = name_out(w, given);
    if (code == APP_DONE) code = load(given, &w->scene);
    if (code == APP_DONE && option_is_given(given, "assemble")) {
        tml_assemble_report ignored;
        code = assemble_in_place(&w->scene, &ignored, why, sizeof why);
    }
    if (code != APP_DONE) return code;
    w->sweep_text = read_whole(w->path);
    if (w->sweep_text == NULL) return APP_BAD_INPUT;
    tml_run_settings* settings = tml_scene_settings(w->scene.scene);
    settings->sim.threads = 1;  // --threads is about rows, and no part of what the results are of
    tml_status status =
        tml_sweep_read_text(w->sweep_text, strlen(w->sweep_text), w->path, w->scene.model,
                            settings->sim.step, settings->duration, &w->def, why, sizeof why);
    if (status != TML_OK) {
        app_error("%s", why);
        return app_exit_code(status);
    }
    status = tml_sweep_create(w->scene.model, &settings->sim, &w->def, &w->sweep);
    if (status == TML_OK) return read_range(w, given);
    app_error("%s: %s", w->path, tml_sweep_message(w->sweep));
    return app_exit_code(status);
}

static void close_sweep(sweeping* w)
{
    tml_sweep_destroy(w->sweep);
    tml_sweep_def_destroy(&w->def);
    unload(&w->scene);
    tml_text_free(w->scene_text);
    free(w->sweep_text);
}

// ---- progress

static int show(void* self, const tml_sweep_report* r, double seconds)
{
    sweeping* w = self;
    if (interrupts_came()) return 1;
    if (w->ranks.rank != 0 || seconds - w->told < w->between) return 0;
    w->told = seconds;
    const long long left = r->wanted - r->found - r->computed;
    const double rate = seconds > 0.0 ? (double)r->computed / seconds : 0.0;
    char text[RATE_CHARS];
    char wait[32] = "";
    if (rate > 0.0) snprintf(wait, sizeof wait, "  %.0f s left", (double)left / rate);
    fprintf(terminal_raw(), "%s%lld of %lld rows  %s rows/s%s%s", w->is_terminal ? "\r" : "",
            r->found + r->computed, r->wanted, rate_text(rate, text), wait,
            w->is_terminal ? "\033[K" : "\n");
    fflush(terminal_raw());
    w->has_line = w->is_terminal;
    return 0;
}

static void prepare_progress(sweeping* w, const arguments* given)
{
    w->is_terminal = isatty(STDERR_FILENO) == 1;
    w->between = w->is_terminal ? 0.1 : 1e18;
    if (option_is_given(given, "progress")) {
        w->between = option_number(given, "progress");
        w->is_terminal = false;
    }
    w->options.progress = show;
    w->options.self = w;
}

// ---- telling

static void print_report(const sweeping* w)
{
    const tml_sweep_report* r = &w->report;
    char text[RATE_CHARS];
    printf("%lld rows of %s", r->wanted, w->path);
    if (r->wanted < r->rows) printf(", of %lld", r->rows);
    printf(": %lld done, %lld failed, %lld missing\n", r->done, r->failed, r->missing);
    if (r->found > 0) printf("%lld were there already, %lld are new\n", r->found, r->computed);
    if (r->computed > 0) {
        printf("%.3g s, %s rows/s, %d thread%s at rows %.1f %% of the time", r->seconds,
               rate_text((double)r->computed / r->seconds, text), r->workers,
               r->workers > 1 ? "s" : "", 100.0 * r->busy);
        if (w->ranks.count > 1) printf(", %d processes", w->ranks.count);
        printf("\n");
    }
    if (r->is_complete) {
        printf("%s; 'trammel report %s' shows it\n", w->out, w->out);
    } else {
        printf("%s.part, until no row is missing\n", w->out);
    }
}

static void print_json(const sweeping* w, const char* status)
{
    const tml_sweep_report* r = &w->report;
    json_object o = json_open();
    json_text(&o, "status", status);
    json_text(&o, "out", w->out);
    json_whole(&o, "rows", r->rows);
    json_whole(&o, "wanted", r->wanted);
    json_whole(&o, "found", r->found);
    json_whole(&o, "computed", r->computed);
    json_whole(&o, "done", r->done);
    json_whole(&o, "failed", r->failed);
    json_whole(&o, "missing", r->missing);
    json_truth(&o, "complete", r->is_complete);
    json_whole(&o, "ranks", w->ranks.count);
    json_whole(&o, "threads", r->workers);
    json_number(&o, "wall_seconds", r->seconds);
    json_number(&o, "busy", r->busy);
    json_close(&o);
}

// ---- one row

typedef struct one_row {
    tml_recorder* recorder;
    const char* path;
    int columns;
    char why[640];
    tml_status status;  // of the recording,
    tml_status closed;  // and of its end
} one_row;

static tml_status watch_row(void* self, const tml_sim* sim)
{
    one_row* o = self;
    if (sim == NULL) {
        if (o->recorder != NULL) o->closed = tml_recorder_close(o->recorder);
        o->recorder = NULL;
        return o->closed;
    }
    if (o->recorder == NULL) {
        o->status =
            tml_recorder_create(sim, o->path, o->columns, o->why, sizeof o->why, &o->recorder);
    }
    if (o->status == TML_OK) o->status = tml_recorder_write(o->recorder, sim);
    return o->status;
}

int sweep_record_row(tml_sweep* sweep, tml_scene* scene, long long row, const char* path,
                     int columns)
{
    one_row o = {.path = path, .columns = columns, .status = TML_OK};
    char beside[4096];
    const char* dot = strrchr(path, '.');
    const int length = snprintf(beside, sizeof beside, "%.*s.scene.json",
                                dot != NULL ? (int)(dot - path) : (int)strlen(path), path);
    if (length < 1 || (size_t)length >= sizeof beside) {
        app_error("%s: the name is too long", path);
        return APP_BAD_INPUT;
    }
    const tml_status status = tml_sweep_replay(sweep, row, watch_row, &o);
    const int error = errno;
    if (o.status != TML_OK || o.closed != TML_OK) {
        app_error("%s: %s", path,
                  o.why[0] != '\0' ? o.why : strerror(o.status != TML_OK ? error : errno));
        return APP_BAD_INPUT;
    }
    if (tml_scene_write_file(scene, beside) != TML_OK) {
        app_error("%s", tml_scene_message(scene));
        return APP_BAD_INPUT;
    }
    if (status == TML_OK) return APP_DONE;
    app_error("row %lld: %s", row, tml_sweep_message(sweep));
    return app_exit_code(status);
}

static int run_row(sweeping* w, const arguments* given)
{
    const long long row = option_whole(given, "row");
    const long long rows = tml_sweep_row_count(w->sweep);
    const char* list = option_text(given, "record");
    int columns = tml_record_usual(option_text(given, "out"));
    const char* bad = NULL;
    if (row >= rows) {
        app_error("--row %lld: %s has %lld rows, the last is %lld", row, w->path, rows, rows - 1);
        return APP_BAD_INPUT;
    }
    if (list != NULL && !tml_record_find(list, &columns, &bad)) {
        app_error("--record: unknown word at '%s'; 'trammel run --help' lists them", bad);
        return APP_BAD_INPUT;
    }
    if (!option_is_given(given, "out")) {
        app_error("--row needs --out: where to record the run");
        return APP_BAD_INPUT;
    }
    double* values = calloc((size_t)w->def.parameter_count, sizeof *values);
    if (values == NULL) return no_memory(w->path);
    tml_sweep_values(w->sweep, row, values);
    printf("row %lld\n", row);
    for (int i = 0; i < w->def.parameter_count; i++) {
        printf("  %-30s %.10g\n", w->def.parameters[i].name, values[i]);
    }
    free(values);
    return sweep_record_row(w->sweep, w->scene.scene, row, w->out, columns);
}

// ---- all rows

static int finish(sweeping* w, tml_status status, bool is_json)
{
    static const char* const words[] = {"ok", "failed", "interrupted"};
    const bool is_stopped = status == TML_CANCELLED && interrupts_came();
    const bool has_failed = w->def.failure == TML_FAILURE_STOP && w->report.failed > 0;
    const int code = status == TML_OK ? APP_DONE
                     : is_stopped     ? APP_INTERRUPTED
                     : has_failed     ? APP_FAILED
                                      : app_exit_code(status);
    if (w->has_line) fprintf(terminal_raw(), "\r\033[K");
    // one that only heard that another had failed adds nothing
    if (code != APP_DONE && !is_stopped && status != TML_CANCELLED) {
        app_error("%s: %s", w->path, tml_sweep_message(w->sweep));
    }
    if (w->ranks.rank != 0) return code;
    if (is_json) {
        print_json(w, words[code == APP_DONE ? 0 : is_stopped ? 2 : 1]);
    } else {
        print_report(w);
    }
    const int written = app_finish_output();
    return code != APP_DONE ? code : written;
}

static int run_rows(sweeping* w, const arguments* given)
{
    size_t length = 0;
    const bool is_mpi = w->ranks.count > 0 && w->ranks.of.self != NULL;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (tml_scene_write_text(w->scene.scene, &w->scene_text, &length) != TML_OK) {
        app_error("%s", tml_scene_message(w->scene.scene));
        return APP_BAD_INPUT;
    }
    forget_scene(&w->scene);
    w->options.threads = is_mpi || processors < 1 ? 1 : (int)processors;
    if (option_is_given(given, "threads")) w->options.threads = (int)option_whole(given, "threads");
    w->options.ranks = is_mpi ? &w->ranks.of : NULL;
    w->options.scene = w->scene_text;
    w->options.sweep = w->sweep_text;
    prepare_progress(w, given);
    interrupts_listen();
    const tml_status status = tml_sweep_run_file(w->sweep, w->out, &w->options, &w->report);
    return finish(w, status, option_is_given(given, "json"));
}

static int sweep(const arguments* given)
{
    sweeping w = {.options = tml_sweep_options_default()};
    const bool is_one = option_is_given(given, "row");
    int code = APP_DONE;
    w.ranks.count = 1;
    if (!is_one && (option_is_given(given, "mpi") || ranks_are_wanted())) {
        code = ranks_begin(&w.ranks);
    }
    if (code == APP_DONE) code = open_sweep(&w, given);
    if (code == APP_DONE) code = is_one ? run_row(&w, given) : run_rows(&w, given);
    close_sweep(&w);
    ranks_end(&w.ranks, code);
    return code;
}

const command command_sweep = {
    "sweep",
    "SCENE SWEEP",
    "run a scene many times with other numbers",
    "Runs a scene once for every row of a table of parameters (docs/scale.md describes SWEEP) and\n"
    "keeps what it asks for in one NPZ. --threads rows are run at a time: as many as there are\n"
    "processors, or, where mpirun started several processes that share the rows, one in each. "
    "Results\n"
    "are the same bytes however many threads and processes there are. What is interrupted or "
    "killed\n"
    "goes on where it was when the same command is given again.",
    {{sizeof sweep_options / sizeof sweep_options[0], sweep_options},
     {OVERRIDES, override_options}},
    2,
    2,
    sweep,
};
