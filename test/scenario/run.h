// test/scenario/run.h - a built-in scene, a model and a simulation in one hand, for tests.
#ifndef TRAMMEL_TEST_SCENARIO_RUN_H
#define TRAMMEL_TEST_SCENARIO_RUN_H

#include "math/quat.h"
#include "scenes/scenes.h"

#include <stdio.h>

typedef struct run {
    tml_scene* scene;  // NULL where the model was not made from a scene
    tml_model* model;
    tml_sim* sim;
    tml_sim_settings settings;
} run;

static inline void run_close(run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
    *r = (run){0};
}

// Build a scene; the settings are the scene's, ready to be changed before run_start.
static inline tml_status run_open(run* r, const char* name)
{
    const scene_entry* entry = scenes_find(name);
    *r = (run){.scene = tml_scene_create()};
    if (entry == NULL || r->scene == NULL) return TML_BAD_ARGUMENT;

    tml_status status = scenes_fill(r->scene, entry);
    if (status == TML_OK) status = tml_scene_build(r->scene, &r->model);
    if (status != TML_OK) printf("scene %s: %s\n", name, tml_scene_message(r->scene));
    r->settings = tml_scene_settings(r->scene)->sim;
    return status;
}

// Freeze a spec that the test has filled; the spec is given up.
static inline tml_status run_freeze(run* r, tml_spec* spec)
{
    *r = (run){.settings = tml_sim_settings_default()};
    const tml_status status = tml_spec_build(spec, &r->model);
    if (status != TML_OK) printf("model: %s\n", tml_spec_message(spec));
    tml_spec_destroy(spec);
    return status;
}

// A new simulation with the settings as they stand; an older one is dropped.
static inline tml_status run_start(run* r)
{
    tml_sim_destroy(r->sim);
    r->sim = NULL;
    const tml_status status = tml_sim_create(r->model, &r->settings, &r->sim);
    if (status != TML_OK) printf("start: %s\n", tml_sim_message(r->sim));
    return status;
}

// A formula of order 3 for rows: a fifth of Adams-Moulton's beside BDF3. Its beta dies out at -0.23.
static inline tml_multistep run_multistep(void)
{
    return (tml_multistep){.steps = 3,
                           .alpha = {5.0 / 3, -2.6, 1.2, -4.0 / 15},
                           .beta = {53.0 / 60, 8.0 / 60, -1.0 / 60, 0.0}};
}

// An integrator with its numbers; newmark's are damped, as rows of joints ask.
static inline void run_integrate(run* r, tml_integrator integrator)
{
    const int is_newmark = integrator == TML_TIME_NEWMARK;
    const int is_multistep = integrator == TML_TIME_LINEAR_MULTISTEP;
    r->settings.implicit.multistep = is_multistep ? run_multistep() : (tml_multistep){.steps = 0};
    r->settings.integrator = integrator;
    r->settings.implicit.newmark_gamma = is_newmark ? 0.6 : 0.5;
    r->settings.implicit.newmark_beta = is_newmark ? 0.3025 : 0.25;
}

// A scene started with an integrator and a step of the test's choice.
static inline tml_status run_begin(run* r, const char* name, tml_integrator integrator, double step)
{
    const tml_status status = run_open(r, name);
    if (status != TML_OK) return status;
    // with the scene's formulation, or the first one that has the integrator
    for (int f = 0; !tml_pairing_exists(r->settings.formulation, integrator); f++) {
        if (f == TML_FORMULATIONS) return TML_UNSUPPORTED;
        r->settings.formulation = (tml_formulation)f;
    }
    run_integrate(r, integrator);
    r->settings.step = step;
    return run_start(r);
}

static inline tml_status run_step(run* r)
{
    const tml_status status = tml_sim_step(r->sim, NULL);
    if (status != TML_OK) {
        printf("%s, h = %g s, t = %g s: %s\n", tml_integrator_name(r->settings.integrator),
               r->settings.step, tml_sim_time(r->sim), tml_sim_message(r->sim));
    }
    return status;
}

static inline tml_status run_steps(run* r, int count)
{
    tml_status status = TML_OK;
    for (int k = 0; k < count && status == TML_OK; k++) status = run_step(r);
    return status;
}

static inline double run_energy(const run* r)
{
    const tml_energy energy = tml_sim_energy(r->sim);
    return energy.kinetic + energy.potential;
}

// Integrators that hold every row at every accepted step.
static inline int holds_rows(tml_integrator integrator)
{
    return integrator != TML_TIME_SDIRK2_PARESCHI_RUSSO &&
           integrator != TML_TIME_SEMI_IMPLICIT_EULER;
}

static inline double larger_of(double a, double b)
{
    return a > b || a != a ? a : b;  // a NaN stays
}

#endif
