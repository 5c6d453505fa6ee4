// test/sim/allocation.c - steps take no memory; when there is none, every call says so and leaks
// nothing.
//
// A simulation takes its memory from the allocator of its settings; specs, models and scenes take
// theirs from malloc, in base/memory.c alone. That file is compiled into this program once more,
// over a malloc that counts and can be told to fail; the library's own copy is then not linked.
#include <stddef.h>
#include <stdlib.h>

static void* counted_malloc(size_t bytes);
static void counted_free(void* memory);

#define malloc counted_malloc
#define free   counted_free
#include "base/memory.c"
#undef malloc
#undef free

#include "test/check.h"
#include "test/sim/everything.h"
#include "test/sim/soft_world.h"
#include "test/sim/world.h"

// Calls since the last reset, blocks not yet given back, and which call fails (-1: none).
typedef struct account {
    long long calls;
    long long live;
    long long failing;
} account;

static account library = {.failing = -1};

static void* take(account* a, size_t bytes)
{
    if (a->calls++ == a->failing) return NULL;
    void* memory = malloc(bytes);
    if (memory != NULL) a->live++;
    return memory;
}

static void give_back(account* a, void* memory)
{
    if (memory != NULL) a->live--;
    free(memory);
}

static void* counted_malloc(size_t bytes) { return take(&library, bytes); }
static void counted_free(void* memory) { give_back(&library, memory); }
static void* take_for_sim(void* context, size_t bytes) { return take(context, bytes); }
static void release_for_sim(void* context, void* memory) { give_back(context, memory); }

static tml_allocator allocator_of(account* a)
{
    return (tml_allocator){take_for_sim, release_for_sim, a};
}

// ---- steps

// Everything a caller does between creating and destroying, none of which may allocate.
static void use(tml_sim* sim, int steps)
{
    unsigned char state[1 << 16];
    char text[256];
    const double nothing[64] = {(double)NAN};
    const int controls = tml_model_control_count(tml_sim_model(sim));

    for (int k = 0; k < steps; k++) {
        CHECK(tml_sim_step(sim, NULL) == TML_OK);
        if (controls > 0) CHECK(tml_sim_step(sim, nothing) == TML_BAD_ARGUMENT);
        tml_sim_energy(sim);
        tml_sim_gap(sim);
        tml_sim_get_report(sim);
    }
    tml_sim_explain(sim, text, sizeof text);
    if (tml_sim_state_size(sim) > sizeof state) return;
    CHECK(tml_sim_save(sim, state) == TML_OK);
    CHECK(tml_sim_restore(sim, state, tml_sim_state_size(sim)) == TML_OK);
    CHECK(tml_sim_step(sim, NULL) == TML_OK);
}

static void check_steps_in(world w, tml_formulation formulation, tml_solver solver,
                           tml_integrator integrator, int steps)
{
    account own = {.failing = -1};
    w.settings.formulation = formulation;
    w.settings.integrator = integrator;
    w.settings.solver = solver;
    w.settings.allocator = allocator_of(&own);
    // explicit steps need small ones where springs are stiff
    if (formulation == TML_FORM_GENERALIZED || integrator == TML_TIME_SEMI_IMPLICIT_EULER) {
        w.settings.step *= 0.01;
    }

    const long long before = library.calls;
    CHECK(world_start(&w) == TML_OK);
    CHECK(own.calls > 0);
    const long long taken = own.calls;
    use(w.sim, steps);
    CHECK(own.calls == taken);
    CHECK(library.calls == before);  // not even the creation goes around the allocator
    if (check_failures > 0) {
        printf("%s with %s, %s\n", tml_model_name(w.model), tml_integrator_name(integrator),
               tml_solver_name(solver));
    }
    tml_sim_destroy(w.sim);
    w.sim = NULL;
    CHECK(own.live == 0);
    world_end(&w);
}

static void check_steps_of(world_builder build, tml_formulation formulation, tml_solver solver,
                           tml_integrator integrator, int steps)
{
    check_steps_in(world_build(build), formulation, solver, integrator, steps);
}

static void check_steps(world_builder build, tml_solver solver, tml_integrator integrator,
                        int steps)
{
    check_steps_of(build, world_formulation(integrator), solver, integrator, steps);
}

static int count_unknowns(const scene_entry* entry)
{
    world w = world_build(entry->build);
    const int unknowns = 6 * tml_model_body_count(w.model) + tml_model_row_count(w.model);
    world_end(&w);
    return unknowns;
}

// Joint coordinates do not know such rows: test/scenario/nonholonomic.c.
static int ties_velocities(const scene_entry* entry)
{
    world w = world_build(entry->build);
    const int ties = tml_model_nonholonomic_count(w.model);
    world_end(&w);
    return ties > 0;
}

// Scenes with redundant rows are refused by the dense solver: they belong to the augmented one.
static int is_refused(const scene_entry* entry)
{
    world w = world_build(entry->build);
    w.settings.solver = TML_SOLVER_DENSE;
    const tml_status status = world_start(&w);
    CHECK(status == TML_OK || status == TML_SINGULAR);
    world_end(&w);
    return status != TML_OK;
}

TEST(no_step_of_a_built_in_scene_allocates_with_the_dense_solver)
{
    int stepped = 0;
    for (int i = 0; i < scenes_untouched_count(); i++) {
        const scene_entry* entry = scenes_at(i);
        const int unknowns = count_unknowns(entry);
        if (unknowns > 250 || is_refused(entry)) continue;
        stepped++;
        // a dense step of a large scene is slow: two kinds of step are enough
        if (unknowns > 80) {
            check_steps(entry->build, TML_SOLVER_DENSE, TML_TIME_BDF1, 2);
            check_steps(entry->build, TML_SOLVER_DENSE, TML_TIME_SDIRK2_PARESCHI_RUSSO, 1);
            continue;
        }
        for (int n = 0; n < WORLD_INTEGRATORS; n++) {
            check_steps(entry->build, TML_SOLVER_DENSE, world_integrators[n], 8);
        }
    }
    printf("%d of %d scenes stepped by the dense solver\n", stepped, scenes_untouched_count());
    CHECK(stepped >= 16);
}

TEST(no_step_of_a_built_in_scene_allocates_with_the_augmented_solver)
{
    for (int i = 0; i < scenes_untouched_count(); i++) {
        const scene_entry* entry = scenes_at(i);
        if (count_unknowns(entry) > 2000) continue;
        check_steps(entry->build, TML_SOLVER_AUGMENTED, TML_TIME_BDF2, 3);
        check_steps(entry->build, TML_SOLVER_AUGMENTED, TML_TIME_SEMI_IMPLICIT_EULER, 2);
        check_steps(entry->build, TML_SOLVER_AUGMENTED, TML_TIME_VARIATIONAL, 2);
    }
}

TEST(no_step_of_a_mechanism_with_everything_allocates)
{
    for (int n = 0; n < WORLD_INTEGRATORS; n++) {
        // 25 steps reach its stop
        check_steps(build_everything, TML_SOLVER_DENSE, world_integrators[n], 25);
        check_steps(build_everything, TML_SOLVER_AUGMENTED, world_integrators[n], 25);
    }
    check_steps(build_presser, TML_SOLVER_DENSE, TML_TIME_BDF2, 40);
}

// Shapes are part of the state, and the rows of joints nodes of their own.
TEST(no_step_of_bodies_of_finite_stiffness_allocates)
{
    static const tml_integrator integrators[] = {TML_TIME_ENERGY, TML_TIME_BDF2};
    for (int n = 0; n < 2; n++) {
        world w = world_build(build_everything);
        w.settings.affine.young = 1e8;
        check_steps_in(w, TML_FORM_AFFINE, TML_SOLVER_AUTO, integrators[n], 25);
    }
}

TEST(no_step_in_joint_coordinates_allocates)
{
    static const tml_integrator integrators[] = {TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_RK4};
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < scenes_untouched_count(); i++) {
            const scene_entry* entry = scenes_at(i);
            if (count_unknowns(entry) > 1000 || ties_velocities(entry)) continue;
            check_steps_of(entry->build, TML_FORM_GENERALIZED, TML_SOLVER_AUTO, integrators[n], 2);
        }
        check_steps_of(build_everything, TML_FORM_GENERALIZED, TML_SOLVER_AUTO, integrators[n], 25);
    }
}

TEST(no_step_of_bodies_that_touch_allocates)
{
    for (int i = scenes_untouched_count(); i < scenes_small_count(); i++) {
        check_steps_in(world_fill(scenes_at(i)), TML_FORM_GENERALIZED, TML_SOLVER_AUTO,
                       TML_TIME_SEMI_IMPLICIT_EULER, 3);
    }
}

TEST(no_step_of_deformables_allocates)
{
    // 60 steps of 5 ms: the grains lie on the floor, the door is on its way down
    check_steps(build_soft_world, TML_SOLVER_AUTO, TML_TIME_BDF1, 60);
    check_steps(build_soft_world, TML_SOLVER_AUTO, TML_TIME_BDF2, 60);
    check_steps(build_soft_world, TML_SOLVER_AUGMENTED, TML_TIME_BDF3, 20);
    check_steps_of(build_soft_world, TML_FORM_AFFINE, TML_SOLVER_AUTO, TML_TIME_ENERGY, 60);
    check_steps_of(build_soft_world, TML_FORM_AFFINE, TML_SOLVER_AUTO, TML_TIME_BDF2, 60);
}

// ---- creation without memory

// Fail each allocation of a creation in turn, until none is left to fail.
static void check_creation_in(world w, tml_formulation formulation, tml_solver solver,
                              tml_integrator integrator)
{
    int n = 0;
    tml_status status = TML_NO_MEMORY;
    w.settings.formulation = formulation;
    w.settings.solver = solver;
    w.settings.integrator = integrator;

    for (; n < 10000 && status == TML_NO_MEMORY; n++) {
        account own = {.failing = n};
        tml_sim* sim = NULL;
        w.settings.allocator = allocator_of(&own);
        status = tml_sim_create(w.model, &w.settings, &sim);
        CHECK(status == TML_OK || status == TML_NO_MEMORY);
        CHECK((status == TML_OK) == (own.calls <= n));  // a failed allocation is never swallowed
        if (status == TML_NO_MEMORY && sim != NULL) CHECK_CONTAINS(tml_sim_message(sim), "memory");
        if (sim != NULL && status != TML_OK) {
            CHECK(tml_sim_step(sim, NULL) == TML_BAD_ARGUMENT);
            CHECK(tml_sim_state_size(sim) == 0);
        }
        tml_sim_destroy(sim);
        CHECK(own.live == 0);
    }
    CHECK(status == TML_OK);
    CHECK(n > 50);  // there is much to fail; a loop that ends at once would prove nothing
    world_end(&w);
}

static void check_creation_of(world_builder build, tml_formulation formulation, tml_solver solver,
                              tml_integrator integrator)
{
    check_creation_in(world_build(build), formulation, solver, integrator);
}

static void check_creation(world_builder build, tml_solver solver, tml_integrator integrator)
{
    check_creation_of(build, world_formulation(integrator), solver, integrator);
}

TEST(any_allocation_of_a_simulation_may_fail)
{
    check_creation_of(build_everything, TML_FORM_GENERALIZED, TML_SOLVER_AUTO, TML_TIME_RK4);
    check_creation_of(scenes_find("gripper")->build, TML_FORM_GENERALIZED, TML_SOLVER_AUTO,
                      TML_TIME_SEMI_IMPLICIT_EULER);
    check_creation(build_everything, TML_SOLVER_DENSE, TML_TIME_BDF2);
    check_creation(build_presser, TML_SOLVER_DENSE, TML_TIME_SEMI_IMPLICIT_EULER);
    check_creation(scenes_find("spring-net")->build, TML_SOLVER_DENSE, TML_TIME_SDIRK2);
    check_creation(build_everything, TML_SOLVER_AUGMENTED, TML_TIME_BDF3);
    check_creation(build_everything, TML_SOLVER_AUGMENTED, TML_TIME_VARIATIONAL);
    check_creation(build_soft_world, TML_SOLVER_AUTO, TML_TIME_BDF2);
    world elastic = world_build(build_everything);
    elastic.settings.affine.young = 1e8;
    check_creation_in(elastic, TML_FORM_AFFINE, TML_SOLVER_AUTO, TML_TIME_ENERGY);
    check_creation(build_soft_world, TML_SOLVER_AUTO, TML_TIME_ENERGY);
#ifdef TRAMMEL_KLU
    check_creation(build_everything, TML_SOLVER_KLU, TML_TIME_BDF6);
#endif
}

// ---- specs, models, scenes and the doctor without memory

static tml_status build_model(world_builder build, tml_model** model)
{
    tml_spec* spec = tml_spec_create();
    tml_run_settings run;
    if (spec == NULL) return TML_NO_MEMORY;

    build(spec, &run);
    const tml_status filled = tml_spec_status(spec);
    const tml_status status = tml_spec_build(spec, model);
    CHECK(filled == TML_OK || status == filled);  // the first refusal is the one that is reported
    if (status == TML_NO_MEMORY) CHECK_CONTAINS(tml_spec_message(spec), "memory");
    tml_spec_destroy(spec);
    return status;
}

static tml_status make_a_model_of(world_builder build)
{
    tml_model* model = NULL;
    const tml_status status = build_model(build, &model);
    CHECK((model != NULL) == (status == TML_OK));
    tml_model_destroy(model);
    return status;
}

static tml_status make_a_model(void) { return make_a_model_of(build_everything); }
static tml_status make_a_soft_model(void) { return make_a_model_of(build_soft_world); }

static char* scene_text;
static size_t scene_length;

static tml_status read_a_scene(void)
{
    tml_scene* scene = tml_scene_create();
    if (scene == NULL) return TML_NO_MEMORY;
    tml_status status = tml_scene_read_text(scene, scene_text, scene_length, "text");
    if (status == TML_NO_MEMORY) CHECK_CONTAINS(tml_scene_message(scene), "memory");
    tml_model* model = NULL;
    if (status == TML_OK) status = tml_scene_build(scene, &model);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status;
}

static tml_model* patient;

static tml_status see_the_doctor(void)
{
    tml_doctor* doctor = NULL;
    const tml_status status = tml_doctor_create(patient, &doctor);
    CHECK((doctor != NULL) == (status == TML_OK));
    tml_doctor_destroy(doctor);
    return status;
}

static void fail_each(tml_status (*act)(void), int least)
{
    const long long live = library.live;
    tml_status status = TML_NO_MEMORY;
    int n = 0;

    for (; n < 10000 && status == TML_NO_MEMORY; n++) {
        library.calls = 0;
        library.failing = n;
        status = act();
        library.failing = -1;
        CHECK(status == TML_OK || status == TML_NO_MEMORY);
        CHECK((status == TML_OK) == (library.calls <= n));
        CHECK(library.live == live);
        if (check_failures > 0) {
            printf("with allocation %d failing: %s\n", n, tml_status_name(status));
            return;
        }
    }
    CHECK(status == TML_OK);
    CHECK(n > least);
}

TEST(any_allocation_of_a_spec_or_model_may_fail)
{
    fail_each(make_a_model, 20);
    fail_each(make_a_soft_model, 40);
}

TEST(any_allocation_of_reading_a_scene_may_fail)
{
    world w = world_build(build_everything);
    CHECK(tml_scene_write_text(w.scene, &scene_text, &scene_length) == TML_OK);
    fail_each(read_a_scene, 20);
    tml_text_free(scene_text);
    world_end(&w);
    w = world_build(build_soft_world);
    CHECK(tml_scene_write_text(w.scene, &scene_text, &scene_length) == TML_OK);
    fail_each(read_a_scene, 40);
    tml_text_free(scene_text);
    world_end(&w);
}

TEST(any_allocation_of_the_doctor_may_fail)
{
    world w = world_build(build_door);
    patient = w.model;
    fail_each(see_the_doctor, 2);
    world_end(&w);
    w = world_build(build_ladder);
    patient = w.model;
    fail_each(see_the_doctor, 2);
    world_end(&w);
}
