// test/sim/api.c - the promises of trammel/sim.h: arguments, settings, threads, texts, and where a
// simulation starts.
#include "test/check.h"
#include "test/sim/everything.h"
#include "test/sim/space.h"
#include "test/sim/world.h"

#include <limits.h>
#include <pthread.h>

// ---- arguments

static int is_unit_pose(tml_pose p)
{
    return p.p.x == 0.0 && p.p.y == 0.0 && p.p.z == 0.0 && p.q.w == 1.0 && p.q.x == 0.0 &&
           p.q.y == 0.0 && p.q.z == 0.0;
}

// All that can be asked about a body, a joint and a whole that are not there.
static void check_nothing(const tml_sim* sim, int index)
{
    const tml_velocity v = tml_sim_velocity(sim, (tml_body){index});
    const tml_load load = tml_sim_joint_load(sim, (tml_joint){index});
    double out[TML_AXES] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};

    CHECK(is_unit_pose(tml_sim_pose(sim, (tml_body){index})));
    CHECK(length(v.linear) == 0.0 && length(v.angular) == 0.0);
    CHECK(length(load.force) == 0.0 && length(load.moment) == 0.0);
    CHECK(tml_sim_joint_coordinates(sim, (tml_joint){index}, out) == 0);
    CHECK(out[0] == 1.0 && out[5] == 6.0);
    tml_sim_joint_multipliers(sim, (tml_joint){index}, out);
    for (int k = 0; k < TML_AXES; k++) CHECK(out[k] == 0.0);
}

// A simulation that is not one: NULL, or one whose creation failed.
static void check_dead(tml_sim* sim)
{
    char text[8] = "before";
    double state[4096];

    check_nothing(sim, 0);
    CHECK(tml_sim_step(sim, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_time(sim) == 0.0);
    CHECK(tml_sim_gap(sim) == 0.0);
    CHECK(tml_sim_energy(sim).kinetic == 0.0 && tml_sim_energy(sim).potential == 0.0);
    CHECK(tml_sim_state_size(sim) == 0);
    CHECK(tml_sim_save(sim, state) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_restore(sim, state, sizeof state) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_explain(sim, text, sizeof text) == 0);
    CHECK(text[0] == '\0');
    CHECK(tml_sim_get_report(sim).steps == 0);
    CHECK(tml_sim_get_report(sim).solver != NULL);
    CHECK(tml_sim_message(sim) != NULL);
    tml_sim_measure(sim, 1);
}

TEST(null_is_no_simulation_and_nobody_minds)
{
    check_dead(NULL);
    CHECK(tml_sim_model(NULL) == NULL);
    CHECK(tml_sim_get_settings(NULL) == NULL);
    tml_sim_destroy(NULL);
    tml_model_destroy(NULL);
    tml_spec_destroy(NULL);
    tml_scene_destroy(NULL);
}

TEST(creating_from_nothing_is_refused)
{
    world w = world_build(build_presser);
    tml_sim* sim = (tml_sim*)&w;  // must be overwritten
    CHECK(tml_sim_create(NULL, &w.settings, &sim) == TML_BAD_ARGUMENT);
    CHECK(sim == NULL);
    CHECK(tml_sim_create(w.model, NULL, &sim) == TML_BAD_ARGUMENT);
    CHECK(sim == NULL);
    CHECK(tml_sim_create(w.model, &w.settings, NULL) == TML_BAD_ARGUMENT);
    world_end(&w);
}

TEST(ids_out_of_range_answer_zeros)
{
    world w = world_build(build_everything);
    const int bad[] = {-1,
                       -2,
                       INT_MIN,
                       INT_MAX,
                       tml_model_body_count(w.model),
                       tml_model_joint_count(w.model) + 1};
    CHECK(world_start(&w) == TML_OK);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check_nothing(w.sim, bad[i]);
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
    }
    CHECK(is_unit_pose(tml_sim_pose(w.sim, TML_WORLD)));
    world_end(&w);
}

TEST(bodies_that_are_fixed_stay_where_they_are)
{
    world w = world_build(build_everything);
    CHECK(world_start(&w) == TML_OK);
    const tml_body platform = tml_model_find_body(w.model, "platform");
    for (int k = 0; k < 3; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
    CHECK(tml_sim_pose(w.sim, platform).p.x == -0.5);
    CHECK(tml_sim_pose(w.sim, platform).p.z == 0.1);
    CHECK(length(tml_sim_velocity(w.sim, platform).linear) == 0.0);
    world_end(&w);
}

// ---- settings

typedef struct bad_settings {
    void (*spoil)(tml_sim_settings* s);
    tml_status status;
    const char* says;
} bad_settings;

static void no_step(tml_sim_settings* s) { s->step = 0.0; }
static void backwards(tml_sim_settings* s) { s->step = -0.01; }
static void nan_step(tml_sim_settings* s) { s->step = (double)NAN; }
static void endless_step(tml_sim_settings* s) { s->step = (double)INFINITY; }
static void no_tolerance(tml_sim_settings* s) { s->tolerance = 0.0; }
static void nan_tolerance(tml_sim_settings* s) { s->tolerance = (double)NAN; }
static void wide_tolerance(tml_sim_settings* s) { s->tolerance = 1.0; }
static void no_iterations(tml_sim_settings* s) { s->max_iterations = 0; }
static void no_threads(tml_sim_settings* s) { s->threads = 0; }
static void odd_solver(tml_sim_settings* s) { s->solver = (tml_solver)99; }
static void odd_integrator(tml_sim_settings* s) { s->integrator = (tml_integrator)99; }
static void odd_formulation(tml_sim_settings* s) { s->formulation = (tml_formulation)-1; }
static void nan_baumgarte(tml_sim_settings* s) { s->implicit.baumgarte = (double)NAN; }
static void useless_baumgarte(tml_sim_settings* s) { s->implicit.baumgarte = 0.2; }
static void wrong_formulation(tml_sim_settings* s)
{
    s->formulation = TML_FORM_AFFINE;
    s->integrator = TML_TIME_SDIRK2;
}
static void wrong_pair(tml_sim_settings* s) { s->integrator = TML_TIME_SHAKE; }

static const bad_settings bad[] = {
    {no_step, TML_BAD_ARGUMENT, "step"},
    {backwards, TML_BAD_ARGUMENT, "-0.01"},
    {nan_step, TML_BAD_ARGUMENT, "step"},
    {endless_step, TML_BAD_ARGUMENT, "step"},
    {no_tolerance, TML_BAD_ARGUMENT, "tolerance"},
    {nan_tolerance, TML_BAD_ARGUMENT, "tolerance"},
    {wide_tolerance, TML_BAD_ARGUMENT, "tolerance"},
    {no_iterations, TML_BAD_ARGUMENT, "max_iterations"},
    {no_threads, TML_BAD_ARGUMENT, "threads"},
    {odd_solver, TML_BAD_ARGUMENT, "solver"},
    {odd_integrator, TML_BAD_ARGUMENT, "integrator"},
    {odd_formulation, TML_BAD_ARGUMENT, "formulation"},
    {nan_baumgarte, TML_BAD_ARGUMENT, "baumgarte"},
    {useless_baumgarte, TML_UNSUPPORTED, "semi_implicit_euler"},
    {wrong_formulation, TML_UNSUPPORTED, "affine"},
    {wrong_pair, TML_UNSUPPORTED, "shake"},
};

TEST(settings_out_of_range_are_refused_by_name)
{
    world w = world_build(build_presser);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tml_sim_settings s = w.settings;
        bad[i].spoil(&s);
        CHECK(tml_sim_create(w.model, &s, &w.sim) == bad[i].status);
        CHECK_CONTAINS(tml_sim_message(w.sim), bad[i].says);
        check_dead(w.sim);
        tml_sim_destroy(w.sim);
        w.sim = NULL;
    }
    world_end(&w);
}

TEST(a_zeroed_struct_of_settings_is_refused)
{
    world w = world_build(build_presser);
    const tml_sim_settings zero = {0};
    CHECK(tml_sim_create(w.model, &zero, &w.sim) != TML_OK);
    check_dead(w.sim);
    world_end(&w);
}

// ---- two simulations, one model, two threads

typedef struct runner {
    const tml_model* model;
    tml_sim_settings settings;
    blob trace;
} runner;

static void* run_alone(void* context)
{
    runner* r = context;
    tml_sim* sim = NULL;
    tml_status status = tml_sim_create(r->model, &r->settings, &sim);
    for (int k = 0; k < 60 && status == TML_OK; k++) {
        blob_add_answers(&r->trace, sim);
        status = tml_sim_step(sim, NULL);
    }
    tml_sim_destroy(sim);
    return NULL;
}

TEST(two_threads_may_share_a_model)
{
    world w = world_build(build_everything);
    runner alone[2] = {{.model = w.model, .settings = w.settings},
                       {.model = w.model, .settings = w.settings}};
    alone[1].settings.integrator = TML_TIME_SDIRK2;
    runner together[2] = {alone[0], alone[1]};
    pthread_t thread[2];

    for (int i = 0; i < 2; i++) run_alone(&alone[i]);
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&thread[i], NULL, run_alone, &together[i]) == 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        CHECK(alone[i].trace.used > 60 * 100 * sizeof(double));
        CHECK(blob_equal(&alone[i].trace, &together[i].trace));
        blob_free(&alone[i].trace);
        blob_free(&together[i].trace);
    }
    world_end(&w);
}

// ---- asking

// Answers are made when they are asked for. Two simulations, one of them asked at every step: their
// saved bytes must agree all the way, and so must what they say in the end.
static void check_asking(world_builder build, tml_solver solver)
{
    world w = world_build(build);
    tml_sim* asked = NULL;
    w.settings.solver = solver;
    CHECK(world_start(&w) == TML_OK);
    CHECK(tml_sim_create(w.model, &w.settings, &asked) == TML_OK);
    for (int k = 0; k < 30 && check_failures == 0; k++) {
        blob answers = {0};
        blob saved[2] = {{0}};
        blob_add_answers(&answers, asked);
        blob_add_saved(&saved[0], asked);
        blob_add_saved(&saved[1], w.sim);
        CHECK(blob_equal(&saved[0], &saved[1]));
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        CHECK(tml_sim_step(asked, NULL) == TML_OK);
        blob_free(&answers);
        blob_free(&saved[0]);
        blob_free(&saved[1]);
    }
    CHECK(world_agree(w.sim, asked));
    if (check_failures > 0) printf("%s, %s\n", tml_model_name(w.model), tml_solver_name(solver));
    tml_sim_destroy(asked);
    world_end(&w);
}

TEST(asking_does_not_change_what_follows)
{
    check_asking(build_everything, TML_SOLVER_DENSE);
    check_asking(build_everything, TML_SOLVER_AUGMENTED);
    check_asking(build_door, TML_SOLVER_AUGMENTED);
    check_asking(scenes_find("four-bar")->build, TML_SOLVER_AUTO);
    check_asking(scenes_find("overactuated-leg")->build, TML_SOLVER_AUTO);
    check_asking(scenes_find("flap")->build, TML_SOLVER_AUTO);
}

// ---- texts

TEST(an_explanation_fits_any_room_it_is_given)
{
    world w = world_build(build_everything);
    CHECK(world_start(&w) == TML_OK);
    const size_t needs = tml_sim_explain(w.sim, NULL, 0);
    char* whole = malloc(needs + 1);
    CHECK(tml_sim_explain(w.sim, whole, needs + 1) == needs);
    CHECK(strlen(whole) == needs);
    CHECK_CONTAINS(whole, "wrist (universal, arm -> hand)");
    CHECK_CONTAINS(whole, "rx dot(driven)");
    CHECK_CONTAINS(whole, "bdf2");

    for (size_t room = 1; room <= needs; room += room < 40 ? 1 : 97) {
        char* text = malloc(room);  // exactly this much, so that a sanitizer sees one byte more
        CHECK(tml_sim_explain(w.sim, text, room) == needs);
        CHECK(strlen(text) == room - 1);
        CHECK(strncmp(text, whole, room - 1) == 0);
        free(text);
    }
    free(whole);
    world_end(&w);
}

TEST(a_report_counts_what_happened)
{
    world w = world_build(build_everything);
    w.settings.solver = TML_SOLVER_DENSE;
    CHECK(world_start(&w) == TML_OK);
    tml_sim_report r = tml_sim_get_report(w.sim);
    CHECK(r.steps == 0 && r.newton_iterations == 0 && r.restarts == 0 && r.fallback_starts == 0);
    CHECK(r.velocity_correction > 0.1);  // the driven wrist starts at 2.3 rad/s
    CHECK(r.max_gap == tml_sim_gap(w.sim));
    CHECK_TEXT(r.solver, "dense");

    double largest = r.max_gap;
    tml_sim_measure(w.sim, 1);
    for (int k = 1; k <= 30; k++) {
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        if (tml_sim_gap(w.sim) > largest) largest = tml_sim_gap(w.sim);
        CHECK(tml_sim_get_report(w.sim).steps == k);
        CHECK_NEAR(tml_sim_time(w.sim), k * 0.005, 1e-15);
    }
    r = tml_sim_get_report(w.sim);
    CHECK(r.newton_iterations >= 29);  // the first step is the start's; all others iterate
    CHECK(r.restarts == 1);            // the rail meets its stop
    CHECK(r.max_gap == largest);
    CHECK(r.assembly_seconds > 0.0 && r.solver_seconds > 0.0);
    CHECK(tml_sim_get_settings(w.sim)->integrator == TML_TIME_BDF2);
    CHECK(tml_sim_model(w.sim) == w.model);
    world_end(&w);
}

TEST(clocks_stand_still_until_they_are_switched_on)
{
    world w = world_build(build_presser);
    CHECK(world_start(&w) == TML_OK);
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
    CHECK(tml_sim_get_report(w.sim).assembly_seconds == 0.0);
    CHECK(tml_sim_get_report(w.sim).solver_seconds == 0.0);
    world_end(&w);
}

// ---- open joints

static double opening[2];  // m along x, rad about z
static int open_count = 1;
static const char* open_name;

static void build_open(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const double c = cos(opening[1]);
    const double s = sin(opening[1]);
    for (int i = 0; i < open_count; i++) {
        const tml_body body = add_lump(spec, NULL, 1.0, origin);
        tml_joint_def weld = link_of(open_name, TML_JOINT_FIXED, TML_WORLD, body, origin, origin);
        weld.has_follower_frame = 1;
        weld.follower_position = (tml_vec3){opening[0], 0.0, 0.0};
        weld.has_follower_axes = 1;
        weld.follower_axes[0] = (tml_vec3){c, s, 0.0};
        weld.follower_axes[1] = (tml_vec3){-s, c, 0.0};
        weld.follower_axes[2] = (tml_vec3){0.0, 0.0, 1.0};
        tml_spec_add_joint(spec, &weld);
    }
    run->sim.step = 0.01;
}

static tml_status start_open(world* w, double gap, double angle, int count, const char* name)
{
    opening[0] = gap;
    opening[1] = angle;
    open_count = count;
    open_name = name;
    *w = world_build(build_open);
    return world_start(w);
}

TEST(open_joints_are_refused_with_their_gaps)
{
    world w;
    CHECK(start_open(&w, 0.012, 0.3, 1, "weld") == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(w.sim), "1 joint is open");
    CHECK_CONTAINS(tml_sim_message(w.sim), "'weld' 0.012 m 0.3 rad");
    check_dead(w.sim);
    world_end(&w);

    CHECK(start_open(&w, 0.0, 1e-9, 1, "weld") == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(w.sim), "'weld' 0 m 1e-09 rad");
    world_end(&w);

    // at the tolerance, which is 1e-10, a joint is closed
    CHECK(start_open(&w, 0.9e-10, 0.0, 1, "weld") == TML_OK);
    CHECK_NEAR(tml_sim_gap(w.sim), 0.9e-10, 1e-16);
    world_end(&w);
    CHECK(start_open(&w, 1.1e-10, 0.0, 1, "weld") == TML_BAD_ARGUMENT);
    world_end(&w);
}

TEST(many_open_joints_with_long_names_do_not_overflow_the_message)
{
    char name[400];
    world w;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    CHECK(start_open(&w, 0.5, 0.0, 1, name) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(w.sim), "nnn");
    CHECK_CONTAINS(tml_sim_message(w.sim), "0.5 m 0 rad");
    world_end(&w);
    CHECK(start_open(&w, 123.456789, 0.25, 200, NULL) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(w.sim), "200 joints are open");
    CHECK_CONTAINS(tml_sim_message(w.sim), "'joint0' 123 m 0.25 rad, 'joint1' 123 m");
    CHECK(strlen(tml_sim_message(w.sim)) < 1024);
    world_end(&w);
}

static void build_misplaced(tml_spec* spec, tml_run_settings* run)
{
    build_against_stop(spec, run);
    const tml_coupling_term term = {{0}, TML_AXIS_TX, 1, {1.0}};
    tml_coupling_def stuck = tml_coupling_def_default();
    stuck.name = "stuck";
    stuck.term_count = 1;
    stuck.terms = &term;
    stuck.offset = 0.25;
    tml_spec_add_coupling(spec, &stuck);
}

static void build_outside(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 1.0, origin);
    tml_joint_def rail = link_of("rail", TML_JOINT_PRISMATIC, TML_WORLD, body, origin, origin);
    rail.axis_of[TML_AXIS_TX].has_limits = 1;
    rail.axis_of[TML_AXIS_TX].lower = 0.1;
    rail.axis_of[TML_AXIS_TX].upper = 0.2;
    tml_spec_add_joint(spec, &rail);
    run->sim.step = 0.01;
}

TEST(couplings_and_limits_that_do_not_hold_at_the_start_are_named)
{
    world w = world_build(build_misplaced);
    CHECK(world_start(&w) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(w.sim), "coupling 'stuck'");
    world_end(&w);
    w = world_build(build_outside);
    CHECK(world_start(&w) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(w.sim), "joint 'rail': tx starts at 0, outside its limits");
    world_end(&w);
}
