// test/sim/failure.c - a step that fails says why, by name, and leaves no trace.
//
// Every case runs two simulations side by side. One of them is asked for impossible steps now and
// then; after each refusal its saved bytes and all of its answers must be those of the other, and
// both must go on with the same bits.
#include "test/check.h"
#include "test/sim/mechanisms.h"
#include "test/sim/world.h"

static double small_sway(int k) { return 0.002 * (k % 4); }

// Pressed against a stop, then slowly away from it: engaging, holding and letting go.
static double push_and_pull(int k) { return k < 8 ? 20.0 : -2.0; }

typedef struct failing_case {
    const char* name;
    world_builder build;
    double (*good)(int k);  // the one control of a step that works
    double bad;             // and of one that does not
    tml_status status;
    const char* says[3];  // all of these stand in the message
    int spares_baseline;  // the semi-implicit baseline takes any finite target in its stride
} failing_case;

// clang-format off
static const failing_case cases[] = {
    {"target out of reach", build_ladder, small_sway, 0.6, TML_INFEASIBLE,
     {"contradict the joints", "'floor' tx: target 0.", "nearest reachable 0.4"}, 1},
    {"huge jump of a target", build_ladder, small_sway, 1e9, TML_NOT_CONVERGED,
     {"e+0", "joint 'floor' (gap along tx)", "body '"}, 1},
    {"a target whose rate overflows", build_ladder, small_sway, 1.7e308, TML_NOT_CONVERGED,
     {"not finite", "joint 'floor' (gap along tx)", ""}, 0},
    {"a target that is not a number", build_ladder, small_sway, (double)NAN, TML_BAD_ARGUMENT,
     {"nan", "joint 'floor'", "tx"}, 0},
    {"an infinite target", build_ladder, small_sway, -(double)INFINITY, TML_BAD_ARGUMENT,
     {"-inf", "joint 'floor'", "tx"}, 0},
    {"a drive through a stop", build_against_stop, small_sway, 0.6, TML_INFEASIBLE,
     {"contradict the joints", "'drive' tx: target 0.6", "nearest reachable 0.5"}, 1},
    {"a motor beyond all numbers", build_presser, push_and_pull, -1e307, TML_NOT_CONVERGED,
     {"inf", "body 'body'", ""}, 1},
    {"a motor that is not a number", build_presser, push_and_pull, (double)NAN, TML_BAD_ARGUMENT,
     {"nan", "joint 'rail'", "tx"}, 0},
};
// clang-format on

enum {
    CASES = sizeof cases / sizeof *cases
};

static void check_refusal(const failing_case* c, tml_sim* sim, const char* where)
{
    const tml_status status = tml_sim_step(sim, &c->bad);
    const char* text = tml_sim_message(sim);

    if (status != c->status) {
        printf("%s, %s: %s (%s)\n", c->name, where, tml_status_name(status), text);
    }
    CHECK(status == c->status);
    for (int i = 0; i < 3; i++) CHECK_CONTAINS(text, c->says[i]);
}

// Steps `tried` and `spotless` together; now and then `tried` is refused first, once or twice.
static void run_case(const failing_case* c, const tml_sim_settings* settings)
{
    world w = world_build(c->build);
    tml_sim* tried = NULL;
    tml_sim* spotless = NULL;
    world_integrate(&w.settings, settings->integrator);
    w.settings.solver = settings->solver;
    char where[80];
    snprintf(where, sizeof where, "%s, %s", tml_integrator_name(settings->integrator),
             tml_solver_name(settings->solver));

    CHECK(tml_sim_create(w.model, &w.settings, &tried) == TML_OK);
    CHECK(tml_sim_create(w.model, &w.settings, &spotless) == TML_OK);
    for (int k = 0; k < 16 && check_failures == 0; k++) {
        // every other time nothing was asked since the last step, so that answers are made now
        if (k % 2 == 0) CHECK(world_agree(tried, spotless));
        if (k % 5 == 0) check_refusal(c, tried, where);
        if (k % 10 == 0) {
            CHECK(world_agree(tried, spotless));
            check_refusal(c, tried, where);
        }
        const double control = c->good(k);
        CHECK(tml_sim_step(tried, &control) == TML_OK);
        CHECK(tml_sim_step(spotless, &control) == TML_OK);
    }
    CHECK(world_agree(tried, spotless));
    if (check_failures > 0) printf("in case '%s', %s\n", c->name, where);
    tml_sim_destroy(tried);
    tml_sim_destroy(spotless);
    world_end(&w);
}

static const tml_integrator few[] = {TML_TIME_BDF2, TML_TIME_SDIRK2_PARESCHI_RUSSO,
                                     TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_VARIATIONAL};

// Every integrator with the dense solver; one of each kind where only the solver is another.
static void run_cases(tml_solver solver)
{
    const tml_integrator* integrators = solver == TML_SOLVER_DENSE ? world_integrators : few;
    const int count = solver == TML_SOLVER_DENSE ? WORLD_INTEGRATORS : 4;
    for (int i = 0; i < CASES; i++) {
        for (int n = 0; n < count; n++) {
            tml_sim_settings settings = tml_sim_settings_default();
            settings.integrator = integrators[n];
            settings.solver = solver;
            if (cases[i].spares_baseline && settings.integrator == TML_TIME_SEMI_IMPLICIT_EULER) {
                continue;
            }
            const int before = check_failures;
            check_failures = 0;
            run_case(&cases[i], &settings);
            check_failures += before;
        }
    }
}

TEST(a_failed_step_leaves_no_trace_with_the_dense_solver) { run_cases(TML_SOLVER_DENSE); }

TEST(a_failed_step_leaves_no_trace_with_klu)
{
#ifndef TRAMMEL_KLU
    SKIP("built without KLU");
#else
    run_cases(TML_SOLVER_KLU);
#endif
}

TEST(a_failed_step_leaves_no_trace_with_the_augmented_solver) { run_cases(TML_SOLVER_AUGMENTED); }

// ---- too few iterations

TEST(one_iteration_is_too_few_and_says_so)
{
    world w = world_build(scenes_find("double-pendulum")->build);
    tml_sim* patient = NULL;
    w.settings.step = 0.5;  // in the shortest substeps, too
    CHECK(tml_sim_create(w.model, &w.settings, &patient) == TML_OK);
    w.settings.max_iterations = 1;
    w.settings.implicit.start =
        TML_START_SDIRK2;  // the accurate start does not iterate on the stages
    CHECK(world_start(&w) == TML_OK);

    blob before = world_snapshot(w.sim);
    for (int k = 0; k < 3; k++) {
        CHECK(tml_sim_step(w.sim, NULL) == TML_NOT_CONVERGED);
        CHECK_CONTAINS(tml_sim_message(w.sim), "after 1 iterations");
        CHECK_CONTAINS(tml_sim_message(w.sim), "joint '");
        CHECK_CONTAINS(tml_sim_message(w.sim), "body '");
    }
    blob after = world_snapshot(w.sim);
    CHECK(blob_equal(&before, &after));

    // what failed can be handed to a simulation with more patience
    const size_t bytes = tml_sim_state_size(w.sim);
    void* state = malloc(bytes);
    CHECK(tml_sim_save(w.sim, state) == TML_OK);
    CHECK(tml_sim_step(patient, NULL) == TML_OK);
    CHECK(tml_sim_restore(patient, state, bytes) == TML_OK);
    CHECK(world_agree(patient, w.sim));
    CHECK(tml_sim_step(patient, NULL) == TML_OK);

    free(state);
    blob_free(&before);
    blob_free(&after);
    tml_sim_destroy(patient);
    world_end(&w);
}

// ---- refusals before the first step

static void check_door(tml_solver solver)
{
    world w = world_build(build_door);
    w.settings.solver = solver;
    CHECK(world_start(&w) == TML_SINGULAR);
    const char* text = tml_sim_message(w.sim);
    // one of the two hinges, by name, with the axis of the row
    CHECK(strstr(text, "joint 'low' (") != NULL || strstr(text, "joint 'high' (") != NULL);
    CHECK_CONTAINS(text, "depends on other rows");
    CHECK(strstr(text, "gap along t") != NULL || strstr(text, "turn about r") != NULL);
    world_end(&w);
}

TEST(redundant_rows_are_refused_by_the_dense_solver_by_name) { check_door(TML_SOLVER_DENSE); }

TEST(redundant_rows_are_refused_by_klu_by_name)
{
#ifndef TRAMMEL_KLU
    SKIP("built without KLU");
#else
    check_door(TML_SOLVER_KLU);
#endif
}

static int is_reached(tml_status status, const tml_status* seen, int count)
{
    for (int i = 0; i < count; i++) {
        if (seen[i] == status) return 1;
    }
    return 0;
}

static void* refuse_memory(void* context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return NULL;
}

static void release_nothing(void* context, void* memory)
{
    (void)context;
    (void)memory;
}

TEST(every_status_of_this_version_can_be_reached)
{
    world w = world_build(build_ladder);
    world door = world_build(build_door);
    tml_sim* other = NULL;
    tml_scene* missing = tml_scene_create();
    const double bad[3] = {(double)NAN, 0.6, 1e9};
    tml_status seen[8];

    seen[0] = world_start(&w);
    seen[1] = tml_sim_step(w.sim, &bad[0]);
    seen[2] = tml_sim_step(w.sim, &bad[1]);
    seen[7] = tml_sim_step(w.sim, &bad[2]);
    door.settings.solver = TML_SOLVER_DENSE;
    seen[3] = world_start(&door);
    seen[4] = tml_scene_read_file(missing, "no/such/scene.json");
    w.settings.integrator = TML_TIME_RK4;
    seen[5] = tml_sim_create(w.model, &w.settings, &other);
    CHECK_CONTAINS(tml_sim_message(other), "rk4");
    tml_sim_destroy(other);
    w.settings.integrator = TML_TIME_BDF2;
    w.settings.allocator = (tml_allocator){refuse_memory, release_nothing, NULL};
    seen[6] = tml_sim_create(w.model, &w.settings, &other);
    CHECK(other == NULL);

    // contacts and progress callbacks come later
    const tml_status wanted[] = {TML_OK,       TML_BAD_ARGUMENT, TML_NOT_CONVERGED, TML_INFEASIBLE,
                                 TML_SINGULAR, TML_UNSUPPORTED,  TML_BAD_FILE,      TML_NO_MEMORY};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!is_reached(wanted[i], seen, 8)) printf("not seen: %s\n", tml_status_name(wanted[i]));
        CHECK(is_reached(wanted[i], seen, 8));
    }
    tml_scene_destroy(missing);
    world_end(&door);
    world_end(&w);
}
