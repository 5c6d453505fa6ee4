// bench/scenes/steps.c - what a step costs, from one body to a chain of a thousand.
//
//     bench/steps [SECONDS]      processor time to spend on each case, 1 by default
//
// One line a case, as CSV: time per step and per Newton iteration, the shares of assembly and of
// the linear solver (the rest is prediction, acceptance and the clocks themselves), and beside
// the speed what it bought: the largest gap, and the change of energy (of driven scenes, what the
// motors gave). The first steps, which start the time formula, are taken before the clock runs.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "scenes/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct bench_case {
    const char* name;
    const char* scene;  // a built-in one, or NULL for a chain
    int links;
    tml_joint_kind joint;
    double step;
} bench_case;

static const bench_case cases[] = {
    {"t-handle", "t-handle", 0, TML_JOINT_FREE, 1e-3},
    {"heavy-top", "heavy-top", 0, TML_JOINT_FREE, 2e-4},
    {"flyball-governor", "flyball-governor", 0, TML_JOINT_FREE, 1e-3},
    {"robot-arm", "robot-arm", 0, TML_JOINT_FREE, 5e-3},
    {"showcase", "showcase", 0, TML_JOINT_FREE, 2e-3},
    {"spherical chain", NULL, 10, TML_JOINT_SPHERICAL, 2e-3},
    {"spherical chain", NULL, 100, TML_JOINT_SPHERICAL, 2e-3},
    {"spherical chain", NULL, 1000, TML_JOINT_SPHERICAL, 2e-3},
    {"revolute chain", NULL, 10, TML_JOINT_REVOLUTE, 2e-3},
    {"revolute chain", NULL, 100, TML_JOINT_REVOLUTE, 2e-3},
    {"revolute chain", NULL, 1000, TML_JOINT_REVOLUTE, 2e-3},
};

enum {
    WARM_UP = 3
};

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static tml_status build(const bench_case* c, tml_scene* scene, tml_model** model)
{
    if (c->scene != NULL) {
        const tml_status status = scenes_fill(scene, scenes_find(c->scene));
        if (status != TML_OK) return status;
    } else {
        const scene_chain chain = {"link",    c->links,        c->joint,        0.1, 0.012, 0.1,
                                   TML_WORLD, {0.0, 0.0, 0.0}, CHAIN_HORIZONTAL};
        scenes_add_chain(tml_scene_spec(scene), &chain);
    }
    return tml_scene_build(scene, model);
}

// What a stretch of steps cost.
typedef struct stretch {
    long long steps;
    double iterations, seconds, assembly, solver;
} stretch;

static void print_line(const bench_case* c, const tml_sim* sim, const stretch* s, double gained)
{
    const tml_sim_report report = tml_sim_get_report(sim);
    const tml_model* model = tml_sim_model(sim);
    const double steps = (double)s->steps;

    printf("%s,%d,%d,%g,%s,%lld,%.3f,%.2f,%.3f,%.0f,%.0f,%.2g,%.2e\n", c->name,
           tml_model_body_count(model), tml_model_row_count(model), c->step, report.solver,
           s->steps, 1e6 * s->seconds / steps, s->iterations / steps,
           s->iterations > 0.0 ? 1e6 * s->seconds / s->iterations : 0.0,
           100.0 * s->assembly / s->seconds, 100.0 * s->solver / s->seconds, report.max_gap,
           gained);
}

static double total(tml_energy e) { return e.kinetic + e.potential; }

// Step until the time is spent, at least ten steps; answers 0 when all of them were accepted.
static int measure(const bench_case* c, tml_sim* sim, double budget)
{
    const double first = total(tml_sim_energy(sim));
    tml_status status = TML_OK;

    for (int k = 0; k < WARM_UP && status == TML_OK; k++) status = tml_sim_step(sim, NULL);
    tml_sim_measure(sim, 1);
    const tml_sim_report before = tml_sim_get_report(sim);
    const double start = cpu_seconds();
    stretch s = {0};
    while (status == TML_OK && (s.steps < 10 || cpu_seconds() - start < budget)) {
        status = tml_sim_step(sim, NULL);
        s.steps++;
    }
    s.seconds = cpu_seconds() - start;
    const tml_sim_report after = tml_sim_get_report(sim);
    s.iterations = (double)(after.newton_iterations - before.newton_iterations);
    s.assembly = after.assembly_seconds - before.assembly_seconds;
    s.solver = after.solver_seconds - before.solver_seconds;
    if (status == TML_OK) {
        print_line(c, sim, &s, total(tml_sim_energy(sim)) - first);
    } else {
        fprintf(stderr, "%s %d: %s\n", c->name, c->links, tml_sim_message(sim));
    }
    return status != TML_OK;
}

static int run_case(const bench_case* c, double budget)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    int failed = 1;

    settings.step = c->step;
    if (build(c, scene, &model) != TML_OK) {
        fprintf(stderr, "%s: %s\n", c->name, tml_scene_message(scene));
    } else if (tml_sim_create(model, &settings, &sim) != TML_OK) {
        fprintf(stderr, "%s: %s\n", c->name, sim != NULL ? tml_sim_message(sim) : "no memory");
    } else {
        failed = measure(c, sim, budget);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return failed;
}

int main(int argc, char** argv)
{
    const double budget = argc > 1 ? strtod(argv[1], NULL) : 1.0;
    int failed = 0;

    printf("case,bodies,rows,step,solver,steps,us_per_step,newton_per_step,us_per_iteration,"
           "assembly_percent,solver_percent,max_gap,energy_change\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        failed += run_case(&cases[i], budget);
        fflush(stdout);
    }
    return failed > 0;
}
