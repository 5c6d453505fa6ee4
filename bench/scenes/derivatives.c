// bench/scenes/derivatives.c - what a gradient of a run costs, beside the run itself.
//
//     bench/derivatives [STEPS]           100 by default
//     bench/derivatives STEPS NAME        only scenes whose name begins so, as "chain of 100000"
//
// Two gigabytes are given to a run, so that no step is run again; a third argument says other bytes.
// One line a scene, as CSV: processor time of the run alone (tml_sim), of the run that remembers how
// it went, of one backward pass for the gradient of the last kinetic and potential energy by every
// mass, inertia, initial velocity and joint position, the number of these parameters, and the whole
// gradient (remembering run and backward pass) over the run alone; last the contacts solved in the run.
#define _POSIX_C_SOURCE 200809L  // NOLINT: the name is POSIX's own

#include "scenes/scenes.h"

#include <trammel/trammel.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What is asked for.
typedef struct bench {
    int steps;
    const char* name;
    size_t memory;
} bench;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct parameter_list {
    int count;
    tml_parameter* item;
} parameter_list;

static void add(parameter_list* list, tml_parameter_kind kind, int index, int components)
{
    for (int k = 0; k < components; k++) {
        list->item[list->count++] = (tml_parameter){kind, index, k, 0};
    }
}

static parameter_list all_parameters(const tml_model* m)
{
    const int bodies = tml_model_body_count(m);
    const int joints = tml_model_joint_count(m);
    const size_t most = 13 * (size_t)bodies + 3 * (size_t)joints;
    parameter_list list = {0, malloc(most * sizeof(tml_parameter))};
    for (int b = 0; b < bodies && list.item != NULL; b++) {
        if (tml_model_body(m, (tml_body){b})->is_fixed) continue;
        add(&list, TML_PARAMETER_MASS, b, 1);
        add(&list, TML_PARAMETER_INERTIA, b, 6);
        add(&list, TML_PARAMETER_VELOCITY, b, 6);
    }
    for (int j = 0; j < joints && list.item != NULL; j++) {
        add(&list, TML_PARAMETER_JOINT_POSITION, j, 3);
    }
    return list;
}

static int measure(const bench* b, const char* name, const tml_model* m,
                   const tml_sim_settings* settings)
{
    const int steps = b->steps;
    tml_sim* sim = NULL;
    tml_derivatives* d = NULL;
    const parameter_list list = all_parameters(m);
    double* gradient = malloc((size_t)(list.count + 1) * sizeof *gradient);
    tml_status status = tml_sim_create(m, settings, &sim);
    double start = cpu_seconds();
    for (int k = 0; k < steps && status == TML_OK; k++) status = tml_sim_step(sim, NULL);
    const double plain = cpu_seconds() - start;

    if (status == TML_OK) status = tml_derivatives_create(m, settings, b->memory, &d);
    start = cpu_seconds();
    for (int k = 0; k < steps && status == TML_OK; k++) status = tml_derivatives_step(d, NULL);
    const double kept = cpu_seconds() - start;

    const tml_quantity last[2] = {{TML_QUANTITY_KINETIC, 0, 0, steps},
                                  {TML_QUANTITY_POTENTIAL, 0, 0, steps}};
    const double weights[2] = {1.0, 1.0};
    start = cpu_seconds();
    if (status == TML_OK) {
        status = tml_derivatives_gradient(d, 2, last, weights, list.count, list.item, gradient);
    }
    const double back = cpu_seconds() - start;
    if (status == TML_OK) {
        printf("%s,%d,%.3g,%.3g,%.3g,%d,%.2f,%lld\n", name, steps, 1e3 * plain, 1e3 * kept,
               1e3 * back, list.count, (kept + back) / plain,
               tml_sim_get_report(sim).contact_problems);
        fflush(stdout);
    } else {
        printf("%s: %s\n", name, d != NULL ? tml_derivatives_message(d) : tml_sim_message(sim));
    }
    free(list.item);
    free(gradient);
    tml_derivatives_destroy(d);
    tml_sim_destroy(sim);
    return status != TML_OK;
}

static bool is_asked(const bench* b, const char* name)
{
    return strncmp(name, b->name, strlen(b->name)) == 0;
}

static int measure_scene(const bench* b, const char* name)
{
    if (!is_asked(b, name)) return 0;
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    int failed = 1;
    if (scene != NULL && scenes_fill(scene, scenes_find(name)) == TML_OK &&
        tml_spec_build(tml_scene_spec(scene), &model) == TML_OK) {
        tml_sim_settings settings = tml_scene_settings(scene)->sim;
        // robots that touch stay in joint coordinates
        if (!settings.contact.is_on) {
            settings.formulation = TML_FORM_QUATERNION;
            settings.integrator = TML_TIME_BDF2;
        }
        failed = measure(b, name, model, &settings);
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return failed;
}

static int measure_chain(const bench* b, int links, tml_formulation form, tml_integrator integrator)
{
    char name[64];
    snprintf(name, sizeof name, "chain of %d %s", links, tml_integrator_name(integrator));
    if (!is_asked(b, name)) return 0;
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    const scene_chain chain = {.name = "chain",
                               .links = links,
                               .joint = TML_JOINT_SPHERICAL,
                               .length = 0.1,
                               .radius = 0.01,
                               .mass = 0.1,
                               .base = TML_WORLD,
                               .direction = CHAIN_HORIZONTAL};
    int failed = 1;
    scenes_add_chain(spec, &chain);
    if (tml_spec_build(spec, &model) == TML_OK) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = form;
        settings.integrator = integrator;
        failed = measure(b, name, model, &settings);
    }
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return failed;
}

int main(int argc, char** argv)
{
    static const char* const scenes[] = {"double-pendulum", "four-bar",     "hoberman-ring",
                                         "hoberman-sphere", "gazelle-like", "flyball-governor",
                                         "half-cheetah",    "atlas"};
    const bench b = {.steps = argc > 1 ? atoi(argv[1]) : 100,
                     .name = argc > 2 ? argv[2] : "",
                     .memory = argc > 3 ? (size_t)atof(argv[3]) : (size_t)2 << 30};
    int failures = 0;

    printf("scene,steps,run_ms,remembering_ms,backward_ms,parameters,gradient_over_run,contact_"
           "problems\n");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (scenes_find(scenes[i]) != NULL) failures += measure_scene(&b, scenes[i]);
    }
    failures += measure_chain(&b, 100, TML_FORM_QUATERNION, TML_TIME_BDF2);
    failures += measure_chain(&b, 1000, TML_FORM_QUATERNION, TML_TIME_BDF2);
    failures += measure_chain(&b, 100, TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL);
    for (int links = 1000; links <= 100000; links *= 100) {
        failures += measure_chain(&b, links, TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED);
        failures += measure_chain(&b, links, TML_FORM_AFFINE, TML_TIME_ENERGY);
    }
    return failures > 0;
}
