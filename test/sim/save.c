// test/sim/save.c - a restored simulation goes on with the same bits, and nothing else is restored.
#include "model/spec.h"
#include "test/check.h"
#include "test/sim/everything.h"
#include "test/sim/world.h"

#include <stdint.h>

enum {
    STEPS = 40,
    EVERY = 10
};

// What is run. The step is chosen so that limits engage and let go within the steps of the test.
typedef struct save_case {
    const char* name;  // of a built-in scene, or of the builder's mechanism
    world_builder build;
    double step;   // 0: the scene's
    int is_given;  // controls come from the caller instead of the model
    int is_slow;   // few integrators are enough
} save_case;

static const save_case cases[] = {
    {"everything", build_everything, 0.005, 0, 0},
    {"everything, given controls", build_everything, 0.005, 1, 1},
    {"pressed against a stop", build_presser, 0.01, 1, 0},
    {"flap", NULL, 0.02, 0, 0},
    {"gears", NULL, 0.0, 0, 0},
    {"robot-arm", NULL, 0.0, 1, 1},
    {"showcase", NULL, 0.0, 0, 1},
    {"joint-zoo", NULL, 0.0, 0, 1},
    {"flyball-governor", NULL, 2e-5, 0, 1},
    {"heavy-top", NULL, 0.0, 0, 0},
    {"spherical-chain", NULL, 0.0, 0, 1},
};

enum {
    CASES = sizeof cases / sizeof *cases
};

static world build_case(const save_case* c)
{
    world w = world_build(c->build != NULL ? c->build : scenes_find(c->name)->build);
    if (c->step > 0.0) w.settings.step = c->step;
    return w;
}

// The controls of step k: positions speed up evenly from where they start, forces change sign once.
static tml_status step(tml_sim* sim, const save_case* c, int k)
{
    double controls[16];
    const tml_model* model = tml_sim_model(sim);
    for (int i = 0; i < tml_model_control_count(model); i++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        tml_model_control(model, i, &joint, &axis, &actuation);
        const double push = (k < STEPS / 2 ? 10.0 : -10.0) * (axis < TML_AXIS_RX ? 1.0 : 0.01);
        controls[i] = actuation == TML_FORCE ? push : 1e-5 * k * k * (i + 1);
    }
    return tml_sim_step(sim, c->is_given ? controls : NULL);
}

static tml_status run(tml_sim* sim, const save_case* c, int from, int to)
{
    tml_status status = TML_OK;
    for (int k = from; k < to && status == TML_OK; k++) status = step(sim, c, k);
    if (status != TML_OK) printf("%s: %s\n", c->name, tml_sim_message(sim));
    return status;
}

// From a state saved at step `from`: a new simulation, or one that has been elsewhere, must end
// where the one that was never interrupted ends.
static void check_continuation(const world* w, const save_case* c, const blob* saved, int from,
                               const blob* end)
{
    const int is_astray = from / EVERY % 2;
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(w->model, &w->settings, &sim) == TML_OK);
    if (is_astray) CHECK(run(sim, c, 3, 10) == TML_OK);
    CHECK(tml_sim_restore(sim, saved->data, saved->used) == TML_OK);
    blob again = {0};
    blob_add_saved(&again, sim);
    CHECK(blob_equal(saved, &again));
    blob_free(&again);

    CHECK(run(sim, c, from, STEPS) == TML_OK);
    blob last = world_snapshot(sim);
    CHECK(blob_equal(end, &last));
    if (check_failures > 0) {
        printf("%s, %s, %s, from step %d%s\n", c->name, tml_integrator_name(w->settings.integrator),
               tml_solver_name(w->settings.solver), from, is_astray ? ", after going astray" : "");
    }
    blob_free(&last);
    tml_sim_destroy(sim);
}

static void check_case_of(const save_case* c, tml_formulation formulation,
                          tml_integrator integrator, tml_solver solver)
{
    world w = build_case(c);
    blob saved[STEPS / EVERY] = {{0}};
    w.settings.formulation = formulation;
    w.settings.integrator = integrator;
    w.settings.solver = solver;
    CHECK(world_start(&w) == TML_OK);
    for (int k = 0; k < STEPS / EVERY; k++) {
        blob_add_saved(&saved[k], w.sim);
        CHECK(run(w.sim, c, k * EVERY, (k + 1) * EVERY) == TML_OK);
    }
    blob end = world_snapshot(w.sim);
    for (int k = 0; k < STEPS / EVERY && check_failures == 0; k++) {
        check_continuation(&w, c, &saved[k], k * EVERY, &end);
    }
    for (int k = 0; k < STEPS / EVERY; k++) blob_free(&saved[k]);
    blob_free(&end);
    world_end(&w);
}

static void check_case(const save_case* c, tml_integrator integrator, tml_solver solver)
{
    check_case_of(c, world_formulation(integrator), integrator, solver);
}

TEST(a_restored_simulation_in_joint_coordinates_continues_with_the_same_bits)
{
    for (int i = 0; i < CASES && check_failures == 0; i++) {
        check_case_of(&cases[i], TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER,
                      TML_SOLVER_AUTO);
        check_case_of(&cases[i], TML_FORM_GENERALIZED, TML_TIME_FORWARD_EULER, TML_SOLVER_AUTO);
        check_case_of(&cases[i], TML_FORM_GENERALIZED, TML_TIME_RK4, TML_SOLVER_AUTO);
    }
}

TEST(a_restored_simulation_continues_with_the_same_bits)
{
    for (int i = 0; i < CASES && check_failures == 0; i++) {
        // every third of the list: BDF1, BDF4 and the two-stage method of the paper
        for (int n = 0; n < WORLD_INTEGRATORS && check_failures == 0; n++) {
            if (cases[i].is_slow && n % 3 != 0) continue;
            check_case(&cases[i], world_integrators[n], TML_SOLVER_AUTO);
        }
    }
}

// A solver that remembers something from step to step would show here.
TEST(a_restored_simulation_continues_with_the_same_bits_whatever_the_solver)
{
    for (int i = 0; i < CASES && check_failures == 0; i++) {
        check_case(&cases[i], TML_TIME_BDF2, TML_SOLVER_AUGMENTED);
        check_case(&cases[i], TML_TIME_VARIATIONAL, TML_SOLVER_AUGMENTED);
#ifdef TRAMMEL_KLU
        check_case(&cases[i], TML_TIME_BDF2, TML_SOLVER_KLU);
#endif
    }
}

// The cases above would prove little if nothing had happened in them.
TEST(limits_engage_and_let_go_between_the_saved_states)
{
    for (int i = 0; i < 4; i++) {
        world w = build_case(&cases[i]);
        CHECK(world_start(&w) == TML_OK);
        CHECK(run(w.sim, &cases[i], 0, STEPS) == TML_OK);
        CHECK(tml_sim_get_report(w.sim).restarts >= (i == 2 ? 2 : 1));
        world_end(&w);
    }
}

// ---- what is refused

typedef struct two_worlds {
    world from, to;
    blob saved;
} two_worlds;

static void open_two(two_worlds* t, world from, world to)
{
    *t = (two_worlds){.from = from, .to = to};
    CHECK(world_start(&t->from) == TML_OK);
    CHECK(world_start(&t->to) == TML_OK);
    CHECK(tml_sim_step(t->from.sim, NULL) == TML_OK);
    blob_add_saved(&t->saved, t->from.sim);
}

static void close_two(two_worlds* t)
{
    blob_free(&t->saved);
    world_end(&t->from);
    world_end(&t->to);
}

// Refused, with a sentence, and nothing has changed.
static void check_refused(tml_sim* sim, const void* state, size_t bytes, const char* piece)
{
    blob before = world_snapshot(sim);
    CHECK(tml_sim_restore(sim, state, bytes) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(sim), piece);
    blob after = world_snapshot(sim);
    CHECK(blob_equal(&before, &after));
    blob_free(&before);
    blob_free(&after);
}

TEST(a_state_of_another_model_is_refused)
{
    // one body on one spherical joint each, the same step: every count agrees
    two_worlds t;
    open_two(&t, world_build(scenes_find("heavy-top")->build),
             world_build(scenes_find("heavy-top-150")->build));
    CHECK(tml_sim_state_size(t.from.sim) == tml_sim_state_size(t.to.sim));
    check_refused(t.to.sim, t.saved.data, t.saved.used, "another model");
    close_two(&t);

    open_two(&t, world_build(scenes_find("pendulum")->build),
             world_build(scenes_find("double-pendulum")->build));
    check_refused(t.to.sim, t.saved.data, t.saved.used, "another model");
    close_two(&t);
}

// Limits, couplings and compliances say which states there are; the same names and counts do not.
TEST(a_state_with_other_limits_or_couplings_is_refused)
{
    for (int way = 0; way < 4; way++) {
        two_worlds t;
        world other = world_build(build_everything);
        definitions* all = &tml_scene_spec(other.scene)->all;
        for (int j = 0; j < all->joint_count && way < 2; j++) {
            for (int k = 0; k < TML_AXES && all->joints[j].axis_of != NULL; k++) {
                tml_joint_axis* a = &all->joints[j].axis_of[k];
                if (way == 0 && a->has_limits) a->upper += 1.0;
                if (way == 1) a->weight = 2.0;  // changes loads only: accepted
            }
        }
        if (way == 2) all->couplings[0].offset += 1e-12;
        if (way == 3) all->gravity.x = 1.0;  // says how it goes on: accepted
        tml_model_destroy(other.model);
        CHECK(tml_scene_build(other.scene, &other.model) == TML_OK);
        open_two(&t, world_build(build_everything), other);
        if (way == 0 || way == 2) {
            check_refused(t.to.sim, t.saved.data, t.saved.used, "another model");
        } else {
            CHECK(tml_sim_restore(t.to.sim, t.saved.data, t.saved.used) == TML_OK);
        }
        close_two(&t);
    }
}

TEST(a_state_of_another_integrator_or_step_is_refused)
{
    world other = world_build(scenes_find("pendulum")->build);
    two_worlds t;
    other.settings.integrator = TML_TIME_BDF3;
    open_two(&t, world_build(scenes_find("pendulum")->build), other);
    check_refused(t.to.sim, t.saved.data, t.saved.used, "integrator");
    close_two(&t);

    other = world_build(scenes_find("pendulum")->build);
    other.settings.step *= 0.5;
    open_two(&t, world_build(scenes_find("pendulum")->build), other);
    check_refused(t.to.sim, t.saved.data, t.saved.used, "step");
    close_two(&t);
}

TEST(a_state_that_is_cut_or_too_long_is_refused_at_every_length)
{
    two_worlds t;
    open_two(&t, world_build(build_presser), world_build(build_presser));
    for (size_t bytes = 0; bytes < t.saved.used; bytes++) {
        // a copy of exactly this length, so that a sanitizer sees a read beyond it
        unsigned char* cut = malloc(bytes > 0 ? bytes : 1);
        memcpy(cut, t.saved.data, bytes);
        CHECK(tml_sim_restore(t.to.sim, cut, bytes) == TML_BAD_ARGUMENT);
        free(cut);
    }
    const unsigned char one_more = 0;
    blob_add(&t.saved, &one_more, 1);
    check_refused(t.to.sim, t.saved.data, t.saved.used, "cut short or damaged");
    check_refused(t.to.sim, t.saved.data, 3, "cut short");
    CHECK(tml_sim_restore(t.to.sim, t.saved.data, t.saved.used - 1) == TML_OK);
    close_two(&t);
}

TEST(a_state_with_any_byte_damaged_is_refused)
{
    two_worlds t;
    open_two(&t, world_build(build_presser), world_build(build_presser));
    for (size_t i = 0; i < t.saved.used; i++) {
        for (int bit = 0; bit < 8; bit += 7) {
            t.saved.data[i] ^= (unsigned char)(1 << bit);
            CHECK(tml_sim_restore(t.to.sim, t.saved.data, t.saved.used) == TML_BAD_ARGUMENT);
            t.saved.data[i] ^= (unsigned char)(1 << bit);
        }
    }
    check_refused(t.to.sim, memset(t.saved.data, 0, 8), t.saved.used, "no saved state");
    close_two(&t);
}

// The sum that guards a state is no secret: FNV-1a over all but the first 16 bytes.
static void seal(unsigned char* state, size_t bytes)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 16; i < bytes; i++) h = (h ^ state[i]) * 0x100000001b3u;
    memcpy(state + 8, &h, sizeof h);
}

TEST(a_forged_number_of_contacts_is_refused)
{
    world w = world_build(scenes_find("spinning-box")->build);
    CHECK(world_start(&w) == TML_OK);
    CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
    const int64_t count = tml_sim_contact_count(w.sim);
    CHECK(count == 4);
    blob good = {0};
    blob_add_saved(&good, w.sim);
    int refused = 0;
    for (size_t at = 16; at + 8 <= good.used; at += 8) {
        int64_t here = 0;
        memcpy(&here, good.data + at, sizeof here);
        if (here != count) continue;
        const int64_t forged[2] = {-1, (int64_t)1 << 40};
        for (int i = 0; i < 2; i++) {
            memcpy(good.data + at, &forged[i], sizeof forged[i]);
            seal(good.data, good.used);
            const tml_status status = tml_sim_restore(w.sim, good.data, good.used);
            const char* text = tml_sim_message(w.sim);
            refused += status != TML_OK && strstr(text, "more contacts than") != NULL;
        }
        memcpy(good.data + at, &count, sizeof count);
        seal(good.data, good.used);
        CHECK(tml_sim_restore(w.sim, good.data, good.used) == TML_OK);
    }
    CHECK(refused == 2);
    blob_free(&good);
    world_end(&w);
}

TEST(nothing_is_no_state)
{
    world w = world_build(build_presser);
    CHECK(world_start(&w) == TML_OK);
    CHECK(tml_sim_restore(w.sim, NULL, 0) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_save(w.sim, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_state_size(NULL) == 0);
    CHECK(tml_sim_save(NULL, &w) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_restore(NULL, &w, sizeof w) == TML_BAD_ARGUMENT);
    world_end(&w);
}
