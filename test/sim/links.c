// test/sim/links.c - simulations that keep no rows answer as those that do.
#include "sim/lean.h"
#include "test/scenario/affine.h"

// Two links that spin fast about their length and about the joint, in opposite ways.
static const char spinning[] =
    "{\"trammel\": 1, \"bodies\": ["
    "{\"name\": \"a\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0.5, 0, 0], "
    "\"angular_velocity\": [9, 0.3, 2]},"
    "{\"name\": \"b\", \"mass\": 1, \"inertia\": [0.02, 0.02, 0.01], \"position\": [1.5, 0, 0], "
    "\"angular_velocity\": [-7, 0.5, 1], \"velocity\": [0, 2.5, -0.8]}],"
    "\"joints\": ["
    "{\"name\": \"1\", \"type\": \"spherical\", \"base\": \"world\", \"follower\": \"a\", "
    "\"position\": [0, 0, 0], \"axis\": [1, 2, 3]},"
    "{\"name\": \"2\", \"type\": \"spherical\", \"base\": \"b\", \"follower\": \"a\", "
    "\"position\": [1, 0, 0]}]}";

static bool open_spinning(run* r, tml_solver solver)
{
    if (run_text(r, spinning) != TML_OK) return false;
    r->settings.solver = solver;
    r->settings.step = 0.005;
    return run_start(r) == TML_OK;
}

static void compare(const run* a, const run* b, double* angle, double* largest)
{
    for (int j = 0; j < 2; j++) {
        double x[TML_AXES];
        double y[TML_AXES];
        CHECK(tml_sim_joint_coordinates(a->sim, (tml_joint){j}, x) == 3);
        CHECK(tml_sim_joint_coordinates(b->sim, (tml_joint){j}, y) == 3);
        for (int k = 0; k < 3; k++) {
            *angle = larger_of(*angle, x[k] - y[k]);
            *largest = larger_of(*largest, y[k]);
        }
    }
}

// The same angles, turns counted, as where the coordinates of every step are kept: two solvers of
// the same equations, 1e-10 a step apart, which the spin spreads.
TEST(angles_that_go_round_are_counted)
{
    run lean;
    run full;
    CHECK(open_spinning(&lean, TML_SOLVER_TREE) && open_spinning(&full, TML_SOLVER_NODES));
    CHECK(tml__is_lean(lean.sim) && !tml__is_lean(full.sim));
    double angle = 0.0;
    double largest = 0.0;
    for (int k = 0; k < 400; k++) {
        CHECK(run_step(&lean) == TML_OK && run_step(&full) == TML_OK);
        compare(&lean, &full, &angle, &largest);
    }
    CHECK(angle < 1e-5);
    CHECK(largest > 8.0);  // more than a whole turn
    CHECK_NEAR(run_energy(&lean), run_energy(&full), 1e-6);

    // a saved state keeps the turns
    const size_t bytes = tml_sim_state_size(lean.sim);
    void* state = malloc(bytes);
    CHECK(tml_sim_save(lean.sim, state) == TML_OK);
    CHECK(run_start(&lean) == TML_OK);
    CHECK(tml_sim_restore(lean.sim, state, bytes) == TML_OK);
    compare(&lean, &full, &angle, &largest);
    CHECK(angle < 1e-5);
    // and between steps nothing is left of the arrays
    CHECK(lean.sim->system->rows == NULL && lean.sim->system->frames == NULL);
    free(state);
    run_close(&lean);
    run_close(&full);
}

// Another simulation goes on from where a lean one stands, and the other way.
TEST(lean_and_full_simulations_follow_each_other)
{
    run lean;
    CHECK(open_spinning(&lean, TML_SOLVER_TREE));
    run full = {.model = lean.model, .settings = lean.settings};
    full.settings.solver = TML_SOLVER_NODES;
    CHECK(tml_sim_create(full.model, &full.settings, &full.sim) == TML_OK);
    CHECK(run_steps(&lean, 300) == TML_OK);
    CHECK(tml_sim_follow(full.sim, lean.sim) == TML_OK);
    double angle = 0.0;
    double largest = 0.0;
    compare(&lean, &full, &angle, &largest);
    CHECK(angle < 1e-9);  // the same poses
    CHECK(run_steps(&full, 50) == TML_OK);
    CHECK(tml_sim_follow(lean.sim, full.sim) == TML_OK);
    compare(&lean, &full, &angle, &largest);
    CHECK(angle < 1e-9 && largest > 6.3);
    tml_sim_destroy(full.sim);
    run_close(&lean);
}

// A million links fit a small machine: what a link of a chain takes, model and all.
TEST(a_link_of_a_chain_is_small)
{
    run r;
    CHECK(run_text(&r, CHAIN_TEXT(20, "spherical", "coil", "")) == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    CHECK(tml__is_lean(r.sim));
    CHECK(r.sim->system->hints == NULL && r.sim->system->gradient == NULL);
    CHECK(r.sim->past_kept == 1);
    // equal links share their shape
    const tml_body_def* first = tml_model_body(r.model, (tml_body){0});
    const tml_body_def* last = tml_model_body(r.model, (tml_body){19});
    CHECK(first->shapes == last->shapes);
    run_close(&r);
}
