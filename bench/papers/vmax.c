// bench/papers/vmax.c - our side of the tables in papers/VMAX/README.md.
//
//     bench/vmax [WORD] [FILE]   only the parts whose title contains the word; all by default. The part
//                                "Fig 4a" also writes its curves to FILE, a recording for `trammel plot`;
//                                "Fig 4c" takes a word of its own ("spherical, open", "closed"),
//                                "Fig 6" a range of lengths
//
// Every figure of that page is a figure that this program printed.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "bench/peers/scenes.h"
#include "linalg/kkt.h"
#include "scenes/scenes.h"
#include "sim/sim_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void leave(const char* what, const char* why)
{
    fprintf(stderr, "vmax: %s: %s\n", what, why);
    exit(1);
}

typedef struct bench_run {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
    tml_sim_settings settings;
} bench_run;

static void close_run(bench_run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

static bench_run open_scene(const char* name)
{
    bench_run r = {.scene = tml_scene_create()};
    if (r.scene == NULL || scenes_fill(r.scene, scenes_find(name)) != TML_OK ||
        tml_scene_build(r.scene, &r.model) != TML_OK) {
        leave(name, "cannot be built");
    }
    r.settings = tml_scene_settings(r.scene)->sim;
    r.settings.formulation = TML_FORM_VARIATIONAL;
    r.settings.integrator = TML_TIME_VARIATIONAL;
    r.settings.step = 0.01;
    return r;
}

// A scene written out, as a user would write it.
static bench_run open_text(const char* text)
{
    bench_run r = {.scene = tml_scene_create()};
    if (r.scene == NULL || tml_scene_read_text(r.scene, text, strlen(text), "vmax") != TML_OK ||
        tml_scene_build(r.scene, &r.model) != TML_OK) {
        leave("scene", tml_scene_message(r.scene));
    }
    r.settings = tml_scene_settings(r.scene)->sim;
    return r;
}

static void start(bench_run* r)
{
    tml_sim_destroy(r->sim);
    if (tml_sim_create(r->model, &r->settings, &r->sim) != TML_OK) {
        leave("start", tml_sim_message(r->sim));
    }
}

static double energy_of(const bench_run* r)
{
    const tml_energy e = tml_sim_energy(r->sim);
    return e.kinetic + e.potential;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Fig 4a: energy of a double pendulum over an hour

typedef struct curve {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
} curve;

static const curve curves[] = {
    {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
    {"bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2},
    {"semi_implicit_euler", TML_FORM_QUATERNION, TML_TIME_SEMI_IMPLICIT_EULER},
    {"heun", TML_FORM_VARIATIONAL, TML_TIME_HEUN},
};

enum {
    CURVES = sizeof curves / sizeof *curves,
    HOUR_STEPS = 360000,
    SAMPLE_STEPS = 200,  // 2 s: the curves of the plot
    SAMPLES = HOUR_STEPS / SAMPLE_STEPS
};

// Least squares over windows of a minute: samples closer to each other are not independent.
typedef struct fit {
    double slope, error;  // J/s, and one standard deviation of it
    double first, last;   // largest distance from the start, in the first and the last fifth
} fit;

static fit fit_line(const double* minute, int count)
{
    double t = 0.0;
    double y = 0.0;
    double tt = 0.0;
    double ty = 0.0;
    for (int i = 0; i < count; i++) {
        t += i;
        y += minute[i];
    }
    t /= count;
    y /= count;
    for (int i = 0; i < count; i++) {
        tt += (i - t) * (i - t);
        ty += (i - t) * (minute[i] - y);
    }
    const double slope = ty / tt;
    double rest = 0.0;
    for (int i = 0; i < count; i++) {
        const double off = minute[i] - y - slope * (i - t);
        rest += off * off;
    }
    return (fit){.slope = slope / 60.0, .error = sqrt(rest / (count - 2) / tt) / 60.0};
}

static fit run_hour(const curve* c, double* samples)
{
    enum {
        MINUTES = 60
    };
    double minute[MINUTES] = {0.0};
    double first = 0.0;
    double last = 0.0;
    bench_run r = open_scene("double-pendulum");
    r.settings.formulation = c->formulation;
    r.settings.integrator = c->integrator;
    start(&r);
    const double before = energy_of(&r);
    for (int i = 0; i < HOUR_STEPS; i++) {
        // a baseline may leave all numbers: the rest of its curve is empty
        if (tml_sim_step(r.sim, NULL) != TML_OK) {
            printf("  %-20s stopped at %.2f s: %s\n", c->name, tml_sim_time(r.sim),
                   tml_sim_message(r.sim));
            for (int k = i / SAMPLE_STEPS; k < SAMPLES; k++) samples[k] = (double)NAN;
            close_run(&r);
            return (fit){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
        }
        const double off = energy_of(&r) - before;
        minute[i / (HOUR_STEPS / MINUTES)] += off / (HOUR_STEPS / MINUTES);
        if (i < HOUR_STEPS / 5 && fabs(off) > first) first = fabs(off);
        if (i >= HOUR_STEPS / 5 * 4 && fabs(off) > last) last = fabs(off);
        if ((i + 1) % SAMPLE_STEPS == 0) samples[i / SAMPLE_STEPS] = off;
    }
    fit out = fit_line(minute, MINUTES);
    out.first = first;
    out.last = last;
    printf("  %-20s slope %+.2e +- %.1e J/s, largest |E - E0| %.3e J in the first 12 minutes, "
           "%.3e J in the last, gap %.1e\n",
           c->name, out.slope, out.error, first, last, tml_sim_get_report(r.sim).max_gap);
    close_run(&r);
    return out;
}

static void fig_4a(const char* path)
{
    static double samples[CURVES][SAMPLES];
    for (int k = 0; k < CURVES; k++) run_hour(&curves[k], samples[k]);
    if (path == NULL) return;
    FILE* file = fopen(path, "w");
    if (file == NULL) leave(path, "cannot be written");
    fprintf(file, "t");
    for (int k = 0; k < CURVES; k++) fprintf(file, ",energy.%s", curves[k].name);
    for (int i = 0; i < SAMPLES; i++) {
        fprintf(file, "\n%.17g", 0.01 * SAMPLE_STEPS * (i + 1));
        for (int k = 0; k < CURVES; k++) fprintf(file, ",%.17g", samples[k][i]);
    }
    fprintf(file, "\n");
    fclose(file);
}

// ---- Fig 4b: drift of a closed four-bar

static void fig_4b(const char* path)
{
    (void)path;
    bench_run r = open_scene("four-bar");
    start(&r);
    const double before = energy_of(&r);
    double band = 0.0;
    for (int i = 0; i < 100000; i++) {
        if (tml_sim_step(r.sim, NULL) != TML_OK) leave("four-bar", tml_sim_message(r.sim));
        if (fabs(energy_of(&r) - before) > band) band = fabs(energy_of(&r) - before);
    }
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("  four-bar, 1e5 steps of 10 ms: largest gap %.1e, energy within %.2e J of %.2f J, "
           "%.2f iterations a step, %lld steps beside singular poses\n",
           report.max_gap, band, before, (double)report.newton_iterations / 1e5,
           report.fallback_steps);
    close_run(&r);
}

// ---- Fig 4c, 5: pendulums of many links

static bench_run open_chain(int links, const char* joint, const char* pose, bool is_closed)
{
    char text[640];
    snprintf(
        text, sizeof text,
        "{\"trammel\": 1, \"name\": \"chain\", \"bodies\": [], \"generate\": [{\"type\": "
        "\"chain\", \"name\": \"c\", \"links\": %d, \"joint\": \"%s\", \"link\": {\"length\": 1, "
        "\"radius\": 0.05, \"mass\": 1}, \"start\": [0, 0, 0], \"pose\": \"%s\", \"anchored\": "
        "true, \"closed\": %s}], \"simulation\": {\"formulation\": \"variational\", \"step\": "
        "0.01}}",
        links, joint, pose, is_closed ? "true" : "false");
    return open_text(text);
}

// What a builder adds to an empty scene.
static bench_run open_spec(void (*add)(tml_spec* spec, int count), int count)
{
    bench_run r = {.scene = tml_scene_create()};
    if (r.scene == NULL) leave("scene", "no memory");
    add(tml_scene_spec(r.scene), count);
    if (tml_scene_build(r.scene, &r.model) != TML_OK) leave("scene", tml_scene_message(r.scene));
    r.settings = tml_scene_settings(r.scene)->sim;
    r.settings.formulation = TML_FORM_VARIATIONAL;
    r.settings.integrator = TML_TIME_VARIATIONAL;
    r.settings.step = 0.01;
    return r;
}

// Hinges in the plane of the zigzag, so that the loop can move.
static void add_loop(tml_spec* spec, int links)
{
    peer_add_chain(spec, TML_JOINT_REVOLUTE, links, 1);
}

static bench_run open_loop(int links) { return open_spec(add_loop, links); }

enum {
    FIRST_STEPS = 2,   // from rest; memory is touched for the first time
    TIMED_STEPS = 10,  // the same stretch of the motion for every length
    ROUNDS = 6,
    RUNS_A_ROUND = 20,  // of short chains; long ones run once
    SIZES = 6
};

static const int sizes[SIZES] = {1, 10, 50, 100, 1000, 10000};

// The paper's. In the thirteenth step ten thousand hinges pull at their root so hard that 10 ms is beyond
// what docs/variational.md says a taut chain allows: it would be divided, so the twelfth is the last.
static const double chain_step = 0.01;

// A chain of one length, and all its times.
typedef struct timed_chain {
    bench_run run;
    double fastest[TIMED_STEPS];            // each step in the fastest of its runs
    double seconds[ROUNDS * RUNS_A_ROUND];  // a step, in each run
    int run_count;
    double iterations;  // a step
} timed_chain;

// One run from rest.
static void time_steps(timed_chain* c)
{
    bench_run* r = &c->run;
    start(r);
    double total = 0.0;
    long long before = 0;
    for (int i = -FIRST_STEPS; i < TIMED_STEPS; i++) {
        if (i == 0) before = tml_sim_get_report(r->sim).newton_iterations;
        const double begin = processor_seconds();
        if (tml_sim_step(r->sim, NULL) != TML_OK) leave("chain", tml_sim_message(r->sim));
        const double seconds = processor_seconds() - begin;
        if (i < 0) continue;
        total += seconds;
        if (c->run_count == 0 || seconds < c->fastest[i]) c->fastest[i] = seconds;
    }
    c->seconds[c->run_count++] = total / TIMED_STEPS;
    c->iterations = (double)(tml_sim_get_report(r->sim).newton_iterations - before) / TIMED_STEPS;
}

// Of a step: each in the fastest of its runs, and the median of whole runs.
static double fastest_of(const timed_chain* c)
{
    double sum = 0.0;
    for (int i = 0; i < TIMED_STEPS; i++) sum += c->fastest[i];
    return sum / TIMED_STEPS;
}

static double median_of(const timed_chain* c) { return c->seconds[c->run_count / 2]; }

static int compare_seconds(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// Hinges about one direction, closed to a loop, have three redundant rows, which only `augmented` keeps.
static bench_run open_timed(int links, const char* joint, bool is_closed)
{
    const bool is_hinged = strcmp(joint, "revolute") == 0;
    bench_run r =
        is_hinged && is_closed ? open_loop(links) : open_chain(links, joint, "zigzag", is_closed);
    r.settings.solver = is_hinged && is_closed ? TML_SOLVER_AUGMENTED : TML_SOLVER_NODES;
    r.settings.step = chain_step;
    return r;
}

// Flops of a factorisation are counted from the pattern; the time is the processor's.
static void print_chain(timed_chain* c, int links)
{
    const tml_sim_report report = tml_sim_get_report(c->run.sim);
    const kkt_statistics matrix = tml__kkt_statistics(c->run.sim->system->matrix);
    qsort(c->seconds, (size_t)c->run_count, sizeof *c->seconds, compare_seconds);
    printf("    %6d links: %6.0f flops a link, us a link and step: %7.3f fastest, %7.3f median, "
           "%.2f iterations, gap %.1e\n",
           links, matrix.factor_flops / links, 1e6 * fastest_of(c) / links,
           1e6 * median_of(c) / links, c->iterations, report.max_gap);
}

static double exponent(double first, double last) { return log(last / first) / log(100.0); }

// Lengths take turns, so that a slow phase of the machine is everybody's. Other work only adds, so the
// fastest time is the one that was disturbed least. It is taken step by step: a run of a long chain takes
// half a second, which is rarely left alone, one of a short chain a few milliseconds, which often are.
static void time_chains(const char* joint, bool is_closed)
{
    static timed_chain chains[SIZES];
    const int shortest = is_closed ? 1 : 0;  // too short to move
    memset(chains, 0, sizeof chains);
    for (int i = shortest; i < SIZES; i++) {
        chains[i].run = open_timed(sizes[i], joint, is_closed);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = shortest; i < SIZES; i++) {
            const int runs = sizes[i] <= 100 ? RUNS_A_ROUND : 1;
            for (int k = 0; k < runs; k++) time_steps(&chains[i]);
        }
    }
    printf("  %s, %s\n", joint, is_closed ? "closed" : "open");
    for (int i = shortest; i < SIZES; i++) print_chain(&chains[i], sizes[i]);
    const timed_chain* a = &chains[SIZES - 3];
    const timed_chain* b = &chains[SIZES - 1];
    printf("    exponent from 100 to 10000 links: %.3f by the fastest, %.3f by the medians\n",
           exponent(fastest_of(a), fastest_of(b)), exponent(median_of(a), median_of(b)));
    fflush(stdout);
    for (int i = shortest; i < SIZES; i++) close_run(&chains[i].run);
}

// All four, or those whose name contains a word.
static void fig_5(const char* word)
{
    static const char* const joints[] = {"revolute", "spherical"};
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s, %s", joints[k % 2], k < 2 ? "open" : "closed");
        if (word == NULL || strstr(name, word) != NULL) time_chains(joints[k % 2], k >= 2);
    }
}

// ---- Fig 4d, 8: convergence and tolerances

static void fig_4d(const char* path)
{
    (void)path;
    static const int lengths[] = {1, 10, 100, 1000};
    static const double tolerances[] = {1e-6, 1e-8, 1e-10};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
            bench_run r = open_chain(lengths[i], "revolute", "horizontal", false);
            r.settings.tolerance = tolerances[k];
            start(&r);
            const int steps = 20;
            int done = 0;
            while (done < steps && tml_sim_step(r.sim, NULL) == TML_OK) done++;
            const tml_sim_report report = tml_sim_get_report(r.sim);
            printf("  %5d links, tolerance %.0e: %.2f iterations a step over %d steps, gap %.1e\n",
                   lengths[i], tolerances[k], (double)report.newton_iterations / steps, done,
                   report.max_gap);
            close_run(&r);
        }
    }
}

// ---- Fig 6: chains of four-bars through their singular poses

static void run_segments(int segments)
{
    bench_run r = open_spec(peer_add_rhombi, segments);
    start(&r);
    const double before = energy_of(&r);
    const double scale = 9.81 * 4.0 * segments * segments * sqrt(0.5);
    double off = 0.0;
    int done = 0;
    tml_status status = TML_OK;
    const double begin = processor_seconds();
    while (done < 1000 && status == TML_OK) {
        status = tml_sim_step(r.sim, NULL);
        if (status != TML_OK) break;
        done++;
        off = fmax(off, fabs(energy_of(&r) - before));
    }
    const double seconds = processor_seconds() - begin;
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("  %2d segments: %4d steps, %8.3f ms a step, %.2f iterations, largest |dE| %.1e of the "
           "drop, gap %.1e, %lld pieces of divided steps, %lld steps at order 1%s%.90s\n",
           segments, done, 1e3 * seconds / (done > 0 ? done : 1),
           (double)report.newton_iterations / (done > 0 ? done : 1), off / scale, report.max_gap,
           report.substeps, report.fallback_steps, status == TML_OK ? "" : "; ",
           status == TML_OK ? "" : tml_sim_message(r.sim));
    fflush(stdout);
    close_run(&r);
}

// All lengths, or those of a range like 40-50.
static void fig_6(const char* range)
{
    int first = 1;
    int last = 50;
    if (range != NULL && sscanf(range, "%d-%d", &first, &last) != 2) {
        leave("Fig 6", "the second argument is a range of segments, as in 40-50");
    }
    for (int segments = first; segments <= last; segments++) run_segments(segments);
}

typedef struct part {
    const char* title;
    void (*run)(const char* path);
} part;

static const part parts[] = {
    {"Fig 4a: an hour of a double pendulum", fig_4a},
    {"Fig 4b: drift of a closed loop", fig_4b},
    {"Fig 4c, 5: pendulums of many links", fig_5},
    {"Fig 4d, 8: Newton", fig_4d},
    {"Fig 6: chains of four-bars", fig_6},
};

int main(int argc, char** argv)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (argc > 1 && strstr(parts[i].title, argv[1]) == NULL) continue;
        printf("%s\n", parts[i].title);
        fflush(stdout);
        parts[i].run(argc > 2 ? argv[2] : NULL);
    }
    return 0;
}
