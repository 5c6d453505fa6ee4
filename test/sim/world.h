// test/sim/world.h - what the tests of sim/ share: a simulation with all that it stands on, all of
// its answers as bytes, and a mechanism that uses every feature at once.
#ifndef TRAMMEL_TEST_SIM_WORLD_H
#define TRAMMEL_TEST_SIM_WORLD_H

#include "scenes/scenes.h"

#include <trammel/trammel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
    tml_sim_settings settings;
    double duration;
} world;

typedef void (*world_builder)(tml_spec* spec, tml_run_settings* settings);

// Every integrator that runs every mechanism, each with the first formulation that has it.
static const tml_integrator world_integrators[] = {
    TML_TIME_BDF1,
    TML_TIME_BDF2,
    TML_TIME_BDF3,
    TML_TIME_BDF4,
    TML_TIME_BDF5,
    TML_TIME_BDF6,
    TML_TIME_SDIRK2,
    TML_TIME_SDIRK2_PARESCHI_RUSSO,
    TML_TIME_SEMI_IMPLICIT_EULER,
    TML_TIME_VARIATIONAL,
    TML_TIME_VARIATIONAL4,
};

enum {
    WORLD_INTEGRATORS = sizeof world_integrators / sizeof *world_integrators
};

static inline tml_formulation world_formulation(tml_integrator integrator)
{
    int f = 0;
    while (f < TML_FORMULATIONS - 1 && !tml_pairing_exists((tml_formulation)f, integrator)) f++;
    return (tml_formulation)f;
}

static inline void world_integrate(tml_sim_settings* settings, tml_integrator integrator)
{
    settings->formulation = world_formulation(integrator);
    settings->integrator = integrator;
}

// What a filled scene says; a refusal is printed and leaves no model.
static inline void world_take(world* w)
{
    const tml_run_settings* how = tml_scene_settings(w->scene);
    tml_spec* spec = tml_scene_spec(w->scene);

    if (tml_spec_build(spec, &w->model) != TML_OK) {
        printf("the test's own model is refused: %s\n", tml_spec_message(spec));
    }
    w->settings = how->sim;
    w->duration = how->duration;
}

// The model alone, settings as the builder chose them.
static inline world world_build(world_builder build)
{
    world w = {.scene = tml_scene_create()};
    tml_run_settings* how = tml_scene_settings(w.scene);

    how->sim = tml_sim_settings_default();
    build(tml_scene_spec(w.scene), how);
    world_take(&w);
    return w;
}

// The same of a built-in scene, which may be JSON.
static inline world world_fill(const scene_entry* entry)
{
    world w = {.scene = tml_scene_create()};

    scenes_fill(w.scene, entry);
    world_take(&w);
    return w;
}

static inline tml_status world_start(world* w)
{
    return tml_sim_create(w->model, &w->settings, &w->sim);
}

static inline void world_end(world* w)
{
    tml_sim_destroy(w->sim);
    tml_model_destroy(w->model);
    tml_scene_destroy(w->scene);
    *w = (world){0};
}

// ---- everything that can be asked, as bytes

typedef struct blob {
    unsigned char* data;
    size_t used, capacity;
} blob;

static inline void blob_add(blob* b, const void* data, size_t bytes)
{
    if (b->used + bytes > b->capacity) {
        b->capacity = 2 * (b->used + bytes);
        unsigned char* wide = realloc(b->data, b->capacity);
        if (wide == NULL) abort();
        b->data = wide;
    }
    if (bytes > 0) memcpy(b->data + b->used, data, bytes);
    b->used += bytes;
}

static inline void blob_free(blob* b)
{
    free(b->data);
    *b = (blob){0};
}

static inline int blob_equal(const blob* a, const blob* b)
{
    return a->used == b->used && memcmp(a->data, b->data, a->used) == 0;
}

// Poses, velocities, loads, coordinates, multipliers, energy, gap and time: doubles only.
static inline void blob_add_answers(blob* b, const tml_sim* sim)
{
    const tml_model* m = tml_sim_model(sim);
    const double time = tml_sim_time(sim);
    const tml_energy energy = tml_sim_energy(sim);
    const double gap = tml_sim_gap(sim);

    blob_add(b, &time, sizeof time);
    blob_add(b, &energy, sizeof energy);
    blob_add(b, &gap, sizeof gap);
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const tml_pose pose = tml_sim_pose(sim, (tml_body){i});
        const tml_velocity velocity = tml_sim_velocity(sim, (tml_body){i});
        blob_add(b, &pose, sizeof pose);
        blob_add(b, &velocity, sizeof velocity);
    }
    for (int i = 0; i < tml_model_joint_count(m); i++) {
        const tml_load load = tml_sim_joint_load(sim, (tml_joint){i});
        double coordinates[TML_AXES] = {0.0};
        double multipliers[TML_AXES];
        tml_sim_joint_coordinates(sim, (tml_joint){i}, coordinates);
        tml_sim_joint_multipliers(sim, (tml_joint){i}, multipliers);
        blob_add(b, &load, sizeof load);
        blob_add(b, coordinates, sizeof coordinates);
        blob_add(b, multipliers, sizeof multipliers);
    }
}

static inline void blob_add_report(blob* b, const tml_sim* sim)
{
    const tml_sim_report r = tml_sim_get_report(sim);
    const long long counts[] = {r.steps,    r.newton_iterations, r.substeps,
                                r.restarts, r.fallback_starts,   r.fallback_steps};
    const double numbers[] = {r.max_gap, r.velocity_correction};

    blob_add(b, counts, sizeof counts);
    blob_add(b, numbers, sizeof numbers);
    blob_add(b, r.solver, strlen(r.solver));
}

static inline void blob_add_saved(blob* b, const tml_sim* sim)
{
    const size_t bytes = tml_sim_state_size(sim);
    void* state = malloc(bytes);
    if (state == NULL || tml_sim_save(sim, state) != TML_OK) abort();
    blob_add(b, state, bytes);
    free(state);
}

// The saved state, every answer and the report.
static inline blob world_snapshot(const tml_sim* sim)
{
    blob b = {0};
    blob_add_saved(&b, sim);
    blob_add_answers(&b, sim);
    blob_add_report(&b, sim);
    return b;
}

static inline int world_agree(const tml_sim* a, const tml_sim* b)
{
    blob of_a = world_snapshot(a);
    blob of_b = world_snapshot(b);
    const int agree = blob_equal(&of_a, &of_b);
    blob_free(&of_a);
    blob_free(&of_b);
    return agree;
}

#endif
