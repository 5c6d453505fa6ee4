// test/redundant/determinism.c - redundant mechanisms, saved and restored at every tenth step, go on
// with the same bits: nothing of a factor, a penalty or a least norm is carried along unseen.
#include "test/check.h"
#include "test/sim/world.h"

#include <inttypes.h>
#include <stdint.h>

typedef struct repeated {
    const char* scene;
    int steps;
} repeated;

static const repeated scenes[] = {
    {"four-bar", 60},       {"bricard", 60},           {"andrews", 60},
    {"two-hinge-door", 60}, {"four-legged-table", 40}, {"jansen-leg", 40},
    {"delta-robot", 40},    {"overactuated-leg", 40},  {"hoberman-ring", 30},
    {"satellite-like", 30}, {"gazelle-like", 30},
};

enum {
    SCENES = sizeof scenes / sizeof scenes[0]
};

// FNV-1a over all answers of a step.
static uint64_t hash_step(uint64_t h, const tml_sim* sim)
{
    blob answers = {0};
    blob_add_answers(&answers, sim);
    for (size_t i = 0; i < answers.used; i++) h = (h ^ answers.data[i]) * 0x100000001b3u;
    blob_free(&answers);
    return h;
}

// A new simulation in the place of an old one, with the old one's state.
static void replace(const world* w, tml_sim** sim)
{
    const size_t bytes = tml_sim_state_size(*sim);
    unsigned char* state = malloc(bytes);
    tml_sim* fresh = NULL;
    CHECK(state != NULL && tml_sim_save(*sim, state) == TML_OK);
    CHECK(tml_sim_create(w->model, &w->settings, &fresh) == TML_OK);
    CHECK(tml_sim_restore(fresh, state, bytes) == TML_OK);
    tml_sim_destroy(*sim);
    *sim = fresh;
    free(state);
}

// every: replace the simulation after that many steps; 0: never. failing: and let a step fail first.
static uint64_t run_hash(const repeated* c, tml_solver solver, int every, int failing)
{
    world w = world_build(scenes_find(c->scene)->build);
    uint64_t h = 0xcbf29ce484222325u;
    w.settings.solver = solver;
    CHECK(world_start(&w) == TML_OK);
    for (int k = 1; k <= c->steps && check_failures == 0; k++) {
        if (failing > 0 && k % failing == 0 && tml_model_control_count(w.model) > 0) {
            double absurd[64];
            for (int i = 0; i < 64; i++) absurd[i] = i % 2 ? 1e6 : -1e6;
            CHECK(tml_model_control_count(w.model) <= 64);
            CHECK(tml_sim_step(w.sim, absurd) != TML_OK);
        }
        CHECK(tml_sim_step(w.sim, NULL) == TML_OK);
        h = hash_step(h, w.sim);
        if (every > 0 && k % every == 0) replace(&w, &w.sim);
    }
    world_end(&w);
    return h;
}

TEST(saving_and_restoring_every_tenth_step_keeps_every_bit)
{
    static const tml_solver solvers[] = {TML_SOLVER_AUTO, TML_SOLVER_AUGMENTED};
    for (int i = 0; i < SCENES; i++) {
        for (int n = 0; n < 2; n++) {
            const uint64_t straight = run_hash(&scenes[i], solvers[n], 0, 0);
            const uint64_t restored = run_hash(&scenes[i], solvers[n], 10, 0);
            if (straight != restored) {
                printf("%s, %s: %016" PRIx64 " and %016" PRIx64 "\n", scenes[i].scene,
                       tml_solver_name(solvers[n]), straight, restored);
            }
            CHECK(straight == restored);
        }
    }
}

// The first steps look back on the start.
TEST(saving_and_restoring_after_every_step_keeps_every_bit)
{
    for (int i = 0; i < SCENES; i++) {
        const repeated few = {scenes[i].scene, 12};
        const uint64_t straight = run_hash(&few, TML_SOLVER_AUTO, 0, 0);
        CHECK(straight == run_hash(&few, TML_SOLVER_AUTO, 1, 0));
    }
}

// Targets beyond all reach, in turn up and down: the solver has been at work before it gives up.
TEST(a_step_that_failed_leaves_no_bit_behind)
{
    static const char* const driven[] = {"stewart-platform", "overactuated-leg", "scissor-lift"};
    for (size_t i = 0; i < sizeof driven / sizeof driven[0]; i++) {
        const repeated few = {driven[i], 12};
        const uint64_t straight = run_hash(&few, TML_SOLVER_AUTO, 0, 0);
        CHECK(straight == run_hash(&few, TML_SOLVER_AUTO, 0, 5));
        CHECK(straight == run_hash(&few, TML_SOLVER_AUTO, 4, 3));
    }
}
