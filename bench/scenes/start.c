// bench/scenes/start.c - what an accurate start costs, beside ordinary steps.
//
//     bench/start [LINKS]      chains of up to so many links, 10000 by default
//
// Multistep methods begin with states that another formula makes (src/method/quaternion/start.c). One line a case,
// as CSV: processor time to create the simulation, of its first step, and of an ordinary step once
// the formula runs by itself; how many ordinary steps the first one costs; how often the equations
// of motion were solved for it, and whether it fell back; and the bytes of model and simulation for
// each body (of glibc's malloc, its own overhead included).
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "scenes/scenes.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    ORDINARY = 8  // steps of which the fastest counts
};

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double bytes_in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static tml_status timed_step(tml_sim* sim, double* seconds)
{
    const double before = cpu_seconds();
    const tml_status status = tml_sim_step(sim, NULL);
    *seconds = cpu_seconds() - before;
    return status;
}

// One simulation; answers 0 when all its steps were accepted.
static int measure(const char* name, const tml_model* model, const tml_sim_settings* settings,
                   double model_bytes)
{
    tml_sim* sim = NULL;
    const double bytes_before = bytes_in_use();
    const double before = cpu_seconds();
    tml_status status = tml_sim_create(model, settings, &sim);
    const double create = cpu_seconds() - before;
    const double sim_bytes = bytes_in_use() - bytes_before;
    const double bodies = tml_model_body_count(model);
    double first = 0.0;
    double ordinary = 0.0;

    if (status == TML_OK) status = timed_step(sim, &first);
    const tml_sim_report start = tml_sim_get_report(sim);
    // six start states, and twice as many steps that still look back on them, at most
    for (int k = 0; k < 18 && status == TML_OK; k++) status = tml_sim_step(sim, NULL);
    for (int k = 0; k < ORDINARY && status == TML_OK; k++) {
        double seconds = 0.0;
        status = timed_step(sim, &seconds);
        if (k == 0 || seconds < ordinary) ordinary = seconds;
    }
    if (status == TML_OK) {
        printf("%s,%d,%s,%g,%.3f,%.3f,%.4f,%.1f,%lld,%lld,%.0f,%.0f\n", name,
               tml_model_body_count(model), tml_integrator_name(settings->integrator),
               settings->step, 1e3 * create, 1e3 * first, 1e3 * ordinary, first / ordinary,
               start.start_evaluations, start.fallback_starts, model_bytes / bodies,
               sim_bytes / bodies);
    } else {
        fprintf(stderr, "%s: %s\n", name, sim != NULL ? tml_sim_message(sim) : "no memory");
    }
    fflush(stdout);
    tml_sim_destroy(sim);
    return status != TML_OK;
}

static int measure_scene(const scene_entry* entry)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_status status = scenes_fill(scene, entry);
    const double before = bytes_in_use();
    if (status == TML_OK) status = tml_scene_build(scene, &model);
    const double model_bytes = bytes_in_use() - before;
    int failed = status != TML_OK;
    if (!failed) {
        const tml_run_settings* run = tml_scene_settings(scene);
        failed = measure(entry->name, model, &run->sim, model_bytes);
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return failed;
}

static int measure_chain(int links, tml_joint_kind joint)
{
    const scene_chain chain = {"link",    links,           joint,           0.1, 0.012, 0.1,
                               TML_WORLD, {0.0, 0.0, 0.0}, CHAIN_HORIZONTAL};
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_sim_settings settings = tml_sim_settings_default();
    char name[64];

    snprintf(name, sizeof name, "%s chain", tml_joint_kind_name(joint));
    settings.step = 2e-3;
    scenes_add_chain(spec, &chain);
    const double before = bytes_in_use();
    int failed = tml_spec_build(spec, &model) != TML_OK;
    const double model_bytes = bytes_in_use() - before;
    if (!failed) failed = measure(name, model, &settings, model_bytes);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return failed;
}

int main(int argc, char** argv)
{
    const long most = argc > 1 ? strtol(argv[1], NULL, 10) : 10000;
    int failed = 0;

    printf("case,bodies,integrator,step,create_ms,first_ms,step_ms,steps_per_start,evaluations,"
           "fallbacks,model_bytes,sim_bytes\n");
    for (int i = 0; i < scenes_untouched_count(); i++) failed += measure_scene(scenes_at(i));
    for (long links = 100; links <= most; links *= 10) {
        failed += measure_chain((int)links, TML_JOINT_SPHERICAL);
        failed += measure_chain((int)links, TML_JOINT_REVOLUTE);
    }
    return failed > 0;
}
