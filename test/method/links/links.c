// test/method/links/links.c - chain and tree elimination against the block matrix.
#include "method/links/links.h"

#include "linalg/lanes.h"
#include "method/affine/method.h"
#include "method/links/method.h"
#include "sim/sim_internal.h"
#include "test/scenario/affine.h"

// A hub with five arms, one of which forks, flying and spinning; and drag on two of its bodies.
static const char star[] =
    "{\"trammel\": 1, \"gravity\": [0, 0, -3], \"bodies\": ["
    "{\"name\": \"hub\", \"mass\": 2, \"inertia\": [0.02, 0.03, 0.04, 0.001, 0.002, -0.001], "
    "\"com\": [0.02, 0.01, 0], \"angular_velocity\": [0.5, 1, 2], \"velocity\": [0.1, 0, 1]},"
    "{\"name\": \"a\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0.5, 0, 0]},"
    "{\"name\": \"b\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0, 0.5, 0]},"
    "{\"name\": \"c\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0, 0, 0.5]},"
    "{\"name\": \"d\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [-0.5, 0, 0]},"
    "{\"name\": \"e\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0, -0.5, 0]},"
    "{\"name\": \"f\", \"mass\": 0.3, \"inertia\": [0.001, 0.002, 0.002], \"position\": [0.8, 0.1, "
    "0]},"
    "{\"name\": \"g\", \"mass\": 0.3, \"inertia\": [0.001, 0.002, 0.002], \"position\": [0.8, "
    "-0.1, 0]}],"
    "\"joints\": ["
    "{\"name\": \"1\", \"type\": \"spherical\", \"base\": \"hub\", \"follower\": \"a\", "
    "\"position\": [0.2, 0, 0]},"
    "{\"name\": \"2\", \"type\": \"spherical\", \"base\": \"b\", \"follower\": \"hub\", "
    "\"position\": [0, 0.2, 0]},"
    "{\"name\": \"3\", \"type\": \"spherical\", \"base\": \"hub\", \"follower\": \"c\", "
    "\"position\": [0, 0, 0.2], "
    "\"axis\": [1, 2, 3]},"
    "{\"name\": \"4\", \"type\": \"spherical\", \"base\": \"d\", \"follower\": \"hub\", "
    "\"position\": [-0.2, 0, 0]},"
    "{\"name\": \"5\", \"type\": \"spherical\", \"base\": \"hub\", \"follower\": \"e\", "
    "\"position\": [0, -0.2, 0]},"
    "{\"name\": \"6\", \"type\": \"spherical\", \"base\": \"a\", \"follower\": \"f\", "
    "\"position\": [0.7, 0, 0]},"
    "{\"name\": \"7\", \"type\": \"spherical\", \"base\": \"a\", \"follower\": \"g\", "
    "\"position\": [0.7, 0, 0.1]}],"
    "\"forces\": [{\"type\": \"drag\", \"body\": \"c\", \"linear\": 0.8, \"angular\": 0.02, "
    "\"wind\": [1, 2, 0]},"
    "{\"type\": \"drag\", \"body\": \"hub\", \"linear\": 0.1, \"angular\": 0}]}";

// A plate that swings on two balls of its own and holds a second one by a ball and a rod: a loop of few
// bodies whose joints are of all kinds of sides.
static const char frame[] =
    "{\"trammel\": 1, \"bodies\": ["
    "{\"name\": \"plate\", \"mass\": 2, \"inertia\": [0.02, 0.03, 0.04, 0.001, 0.002, -0.001]},"
    "{\"name\": \"arm\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0.5, 0, 0]},"
    "{\"name\": \"rod\", \"mass\": 0.3, \"inertia\": [0.001, 0.002, 0.002], \"position\": [0.4, 0, "
    "-0.3]},"
    "{\"name\": \"tail\", \"mass\": 0.3, \"inertia\": [0.001, 0.002, 0.002], \"position\": [0.8, "
    "0, "
    "-0.1]}],"
    "\"joints\": ["
    "{\"name\": \"1\", \"type\": \"spherical\", \"base\": \"world\", \"follower\": \"plate\", "
    "\"position\": [0, 0.2, 0], \"axis\": [1, 2, 3]},"
    "{\"name\": \"2\", \"type\": \"spherical\", \"base\": \"plate\", \"follower\": \"arm\", "
    "\"position\": [0.2, 0.1, 0]},"
    "{\"name\": \"3\", \"type\": \"spherical\", \"base\": \"rod\", \"follower\": \"arm\", "
    "\"position\": [0.6, 0, -0.2]},"
    "{\"name\": \"4\", \"type\": \"spherical\", \"base\": \"rod\", \"follower\": \"plate\", "
    "\"position\": [0.1, -0.1, -0.3]},"
    "{\"name\": \"5\", \"type\": \"spherical\", \"base\": \"tail\", \"follower\": \"arm\", "
    "\"position\": [0.7, 0, 0]}],"
    "\"forces\": [{\"type\": \"drag\", \"body\": \"rod\", \"linear\": 0.8, \"angular\": 0.02, "
    "\"wind\": [1, 2, 0]}]}";

static const struct {
    const char* name;
    const char* text;
    double step;
} scenes[] = {
    {"chain of 21", CHAIN_TEXT(21, "spherical", "zigzag", ""), 0.004},
    {"free chain", CHAIN_TEXT(9, "spherical", "coil", ", \"anchored\": false"), 0.004},
    {"chain, end mass", CHAIN_TEXT(10, "spherical", "horizontal", ", \"end_mass\": 20"), 0.004},
    {"tree of 60", TREE_TEXT(60), 0.004},
    {"star", star, 0.01},
    // segments of three, the last one of two; and of one
    {"chain of 23", CHAIN_TEXT(23, "spherical", "coil", ""), 0.004},
    {"chain of 7", CHAIN_TEXT(7, "spherical", "coil", ", \"end_mass\": 2"), 0.004},
};

// with loops: nets, by the factor of the dual
// A chain that hangs alone, one that a tree carries, a ring and a net in one scene: four components, two with loops.
static const char mixed[] =
    "{\"trammel\": 1, \"bodies\": [], \"generate\": ["
    "{\"type\": \"chain\", \"name\": \"c\", \"links\": 9, \"joint\": \"spherical\", \"pose\": "
    "\"zigzag\", \"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": 0.1}},"
    "{\"type\": \"chain\", \"name\": \"free\", \"links\": 5, \"joint\": \"spherical\", \"pose\": "
    "\"coil\", \"anchored\": false, \"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": "
    "0.1}},"
    "{\"type\": \"tree\", \"name\": \"t\", \"links\": 20, \"seed\": 3, \"link\": {\"length\": "
    "0.05, "
    "\"radius\": 0.005, \"mass\": 0.1}},"
    "{\"type\": \"chain\", \"name\": \"ring\", \"links\": 8, \"joint\": \"spherical\", \"pose\": "
    "\"coil\", \"closed\": true, \"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": 0.1}},"
    "{\"type\": \"net\", \"name\": \"n\", \"rows\": 3, \"columns\": 3, \"pitch\": 0.1, \"link\": "
    "{\"length\": 0.08, \"radius\": 0.005, \"mass\": 0.008}, \"pinned\": \"edge\"}],"
    "\"joints\": [{\"name\": \"on\", \"type\": \"spherical\", \"base\": \"t.12\", \"follower\": "
    "\"free.1\"}]}";

static const struct {
    const char* name;
    const char* text;
    double step;
} nets[] = {
    {"frame", frame, 0.004},
    {"closed chain", CHAIN_TEXT(16, "spherical", "coil", ", \"closed\": true"), 0.002},
    {"net of 3 x 3", NET_TEXT(3), 0.004},
    {"net of 5 x 5", NET_TEXT(5), 0.004},
    {"tree of 60", TREE_TEXT(60), 0.004},
    {"mixed", mixed, 0.004},
};

enum {
    SCENES = sizeof scenes / sizeof *scenes,
    NETS = sizeof nets / sizeof *nets,
    STEPS = 30
};

static bool open_text(run* r, const char* text, double step, tml_solver solver,
                      tml_integrator integrator)
{
    if (run_text(r, text) != TML_OK) return false;
    r->settings.solver = solver;
    r->settings.integrator = integrator;
    r->settings.step = step;
    return run_start(r) == TML_OK;
}

static bool open_with(run* r, int scene, tml_solver solver, tml_integrator integrator)
{
    return open_text(r, scenes[scene].text, scenes[scene].step, solver, integrator);
}

// How far two runs are apart.
typedef struct distance {
    double place, rate, load;
    double size;  // of the largest load
} distance;

static distance compare(const run* a, const run* b)
{
    distance d = {.size = 1.0};
    for (int k = 0; k < tml_model_body_count(a->model); k++) {
        const tml_pose p = tml_sim_pose(a->sim, (tml_body){k});
        const tml_pose q = tml_sim_pose(b->sim, (tml_body){k});
        const tml_velocity u = tml_sim_velocity(a->sim, (tml_body){k});
        const tml_velocity v = tml_sim_velocity(b->sim, (tml_body){k});
        d.place = larger_of(d.place, v3_norm(v3_sub(p.p, q.p)));
        d.place = larger_of(d.place, v3_norm(q_vec(q_mul(p.q, q_conj(q.q)))));
        d.rate = larger_of(d.rate, v3_norm(v3_sub(u.linear, v.linear)));
        d.rate = larger_of(d.rate, v3_norm(v3_sub(u.angular, v.angular)));
    }
    for (int j = 0; j < tml_model_joint_count(a->model); j++) {
        const tml_load f = tml_sim_joint_load(a->sim, (tml_joint){j});
        const tml_load g = tml_sim_joint_load(b->sim, (tml_joint){j});
        d.load = larger_of(d.load, v3_norm(v3_sub(f.force, g.force)));
        d.size = larger_of(d.size, v3_norm(g.force));
    }
    return d;
}

// Hands that push and turn some of the links, in both.
static void push(run* a, run* b)
{
    const vec3 point = v3(0.01, 0.02, -0.01);
    const vec3 force = v3(0.3, -0.2, 0.5);
    const vec3 torque = v3(1e-3, 2e-3, -1e-3);
    CHECK(tml_sim_push(a->sim, (tml_body){3}, point, force, torque) == TML_OK);
    CHECK(tml_sim_push(b->sim, (tml_body){3}, point, force, torque) == TML_OK);
    // others on the same link, on its neighbour and on the last
    const int last = tml_model_body_count(a->model) - 1;
    const int bodies[] = {last, 3, 2};
    for (int i = 0; i < 3; i++) {
        const vec3 other = v3(0.1 * i, -0.1, 0.05);
        const vec3 on_axis = v3(0.01, 0.0, 0.0);  // nothing that spins a rod of 8 g about itself
        const tml_body body = {bodies[i]};
        CHECK(tml_sim_add_push(a->sim, body, on_axis, other, v3_zero()) == TML_OK);
        CHECK(tml_sim_add_push(b->sim, body, on_axis, other, v3_zero()) == TML_OK);
    }
    CHECK(tml_sim_push_count(a->sim) == 4);
}

// The same equations solved to the same tolerance in two ways: 30 steps apart by what Newton
// leaves, 1e-10 a step at most, and over the step 1e-8 in velocities. A zigzag that falls apart
// spreads that a thousandfold.
static void check_near(const char* name, const run* a, const run* b, tml_integrator integrator)
{
    const distance d = compare(a, b);
    // velocities of the damped step open joints a little, and what that means for loads
    // depends on the axes rows are written in: only projected ones are compared
    const bool has_loads = integrator == TML_TIME_ENERGY;
    const bool is_near = d.place < 1e-7 && d.rate < 5e-5 && (!has_loads || d.load < 1e-5 * d.size);
    CHECK(is_near);
    if (is_near) return;
    printf("%s: %.1e m, %.1e m/s, %.1e N of %.1e\n", name, d.place, d.rate, d.load, d.size);
}

static const tml_integrator both[2] = {TML_TIME_ENERGY, TML_TIME_ENERGY_DAMPED};

TEST(chain_and_tree_agree_with_the_block_matrix)
{
    for (int i = 0; i < 4 * SCENES; i++) {
        run a;
        run b;
        const tml_solver solver = i / 2 < SCENES ? TML_SOLVER_TREE : TML_SOLVER_AUTO;
        CHECK(open_with(&a, i / 2 % SCENES, solver, both[i % 2]));
        CHECK(open_with(&b, i / 2 % SCENES, TML_SOLVER_NODES, both[i % 2]));
        push(&a, &b);
        CHECK(run_steps(&a, STEPS) == TML_OK && run_steps(&b, STEPS) == TML_OK);
        check_near(scenes[i / 2 % SCENES].name, &a, &b, both[i % 2]);
        run_close(&a);
        run_close(&b);
    }
}

// Three stretches of branches and what carries them; the passes of one iteration end with the first of the
// next, unless it is likely to be the last.
TEST(branches_in_several_stretches_agree_with_the_block_matrix)
{
    static const char text[] = TREE_TEXT(700);
    for (int i = 0; i < 2; i++) {
        run a;
        run b;
        CHECK(open_text(&a, text, 0.004, TML_SOLVER_AUTO, both[i]));
        CHECK(open_text(&b, text, 0.004, TML_SOLVER_NODES, both[i]));
        CHECK(tml__links_of(a.sim)->stretch_count > 3);
        push(&a, &b);
        CHECK(run_steps(&a, 8) == TML_OK && run_steps(&b, 8) == TML_OK);
        check_near("tree of 700", &a, &b, both[i]);
        run_close(&a);
        run_close(&b);
    }
}

// By one factor, and by conjugate gradients.
TEST(nets_agree_with_the_block_matrix)
{
    for (int n = 0; n < 4 * NETS; n++) {
        const int i = n / 2;
        const tml_solver solver = n % 2 == 0 ? TML_SOLVER_DUAL : TML_SOLVER_CG;
        const double step = nets[i / 2].step;
        run a;
        run b;
        CHECK(open_text(&a, nets[i / 2].text, step, solver, both[i % 2]));
        CHECK(open_text(&b, nets[i / 2].text, step, TML_SOLVER_NODES, both[i % 2]));
        // the first loads: two eliminations of one matrix, or 1e-12 left of one, times its condition
        const distance first = compare(&a, &b);
        CHECK_NEAR(first.load, 0.0, (n % 2 == 0 ? 1e-10 : 1e-9) * first.size);
        CHECK_NEAR(first.rate, 0.0, 1e-12);
        push(&a, &b);
        CHECK(run_steps(&a, STEPS) == TML_OK && run_steps(&b, STEPS) == TML_OK);
        check_near(nets[i / 2].name, &a, &b, both[i % 2]);
        CHECK_TEXT(tml_sim_get_report(a.sim).solver, tml_solver_name(solver));
        CHECK(tml_sim_gap(a.sim) <= 1e-13);
        run_close(&a);
        run_close(&b);
    }
}

// A plate on four balls, two of which would do with a rod more: six rows imply the others. The dual takes a
// small compliance and refines: the motion is the other solver's, and loads are the least of all.  [notes 6]
static const char held[] =
    "{\"trammel\": 1, \"bodies\": ["
    "{\"name\": \"plate\", \"mass\": 2, \"inertia\": [0.02, 0.03, 0.04]},"
    "{\"name\": \"arm\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0.5, 0, 0]},"
    "{\"name\": \"b\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0.9, 0, 0]},"
    "{\"name\": \"c\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [1.3, 0, 0]}],"
    "\"joints\": ["
    "{\"name\": \"1\", \"type\": \"spherical\", \"base\": \"world\", \"follower\": \"plate\", "
    "\"position\": [0, 0.2, 0]},"
    "{\"name\": \"2\", \"type\": \"spherical\", \"base\": \"plate\", \"follower\": \"world\", "
    "\"position\": [0, -0.2, 0]},"
    "{\"name\": \"3\", \"type\": \"spherical\", \"base\": \"plate\", \"follower\": \"arm\", "
    "\"position\": [0.3, 0.1, 0]},"
    "{\"name\": \"4\", \"type\": \"spherical\", \"base\": \"plate\", \"follower\": \"arm\", "
    "\"position\": [0.3, -0.1, 0]},"
    "{\"name\": \"5\", \"type\": \"spherical\", \"base\": \"arm\", \"follower\": \"b\", "
    "\"position\": [0.7, 0, 0]},"
    "{\"name\": \"6\", \"type\": \"spherical\", \"base\": \"b\", \"follower\": \"c\", "
    "\"position\": [1.1, 0, 0]}]}";

// Chains and trees too, where they are asked for by it; and what they cannot solve is a status.
TEST(conjugate_gradients_take_what_has_no_loop)
{
    for (int i = 0; i < 2; i++) {
        run a;
        run b;
        const char* text = i == 0 ? CHAIN_TEXT(40, "spherical", "zigzag", "") : TREE_TEXT(40);
        CHECK(open_text(&a, text, 0.002, TML_SOLVER_CG, TML_TIME_ENERGY));
        CHECK(open_text(&b, text, 0.002, TML_SOLVER_NODES, TML_TIME_ENERGY));
        CHECK(run_steps(&a, STEPS) == TML_OK && run_steps(&b, STEPS) == TML_OK);
        check_near("without loops", &a, &b, TML_TIME_ENERGY);
        CHECK_TEXT(tml_sim_get_report(a.sim).solver, "cg");
        char explained[4096];
        tml_sim_explain(a.sim, explained, sizeof explained);
        CHECK_CONTAINS(explained, "conjugate gradients (cg)");
        run_close(&a);
        run_close(&b);
    }
    run r;
    CHECK(run_text(&r, CHAIN_TEXT(5, "revolute", "horizontal", "")) == TML_OK);
    r.settings.solver = TML_SOLVER_CG;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "solver 'cg' needs");
    run_close(&r);
}

// A flat net that hangs by its corners holds by forces beyond all bounds: the search for them says how far it
// came, near which body, and what else there is; the state stays as it was.
TEST(conjugate_gradients_that_get_nowhere_say_so)
{
    run r;
    CHECK(open_text(&r,
                    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"net\", "
                    "\"name\": \"n\", \"rows\": 3, \"columns\": 3, \"pitch\": 0.1, \"link\": "
                    "{\"length\": 0.08, \"radius\": 0.005, \"mass\": 0.008}, \"pinned\": "
                    "\"corners\"}]}",
                    0.01, TML_SOLVER_CG, TML_TIME_ENERGY));
    const size_t bytes = (size_t)tml_model_body_count(r.model) * POSE_WIDTH * sizeof(double);
    double* before = malloc(bytes);
    CHECK(before != NULL);
    memcpy(before, r.sim->past_q[0], bytes);
    CHECK(tml_sim_step(r.sim, NULL) == TML_NOT_CONVERGED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "conjugate gradients leave ");
    CHECK_CONTAINS(tml_sim_message(r.sim), "near body 'n.");
    CHECK_CONTAINS(tml_sim_message(r.sim), "solver 'dual' factors");
    CHECK(memcmp(before, r.sim->past_q[0], bytes) == 0 && tml_sim_time(r.sim) == 0.0);
    free(before);
    run_close(&r);
}

TEST(rows_that_others_imply_move_as_by_the_block_matrix_with_the_least_loads)
{
    run a;
    run b;
    run c;
    CHECK(open_text(&a, held, 0.004, TML_SOLVER_DUAL, TML_TIME_ENERGY));
    CHECK(open_text(&b, held, 0.004, TML_SOLVER_NODES, TML_TIME_ENERGY));
    CHECK(open_text(&c, held, 0.004, TML_SOLVER_AUTO, TML_TIME_ENERGY));
    CHECK_TEXT(tml_sim_get_report(c.sim).solver, "nodes");
    CHECK(run_steps(&a, STEPS) == TML_OK && run_steps(&b, STEPS) == TML_OK);
    const distance d = compare(&a, &b);
    CHECK(d.place < 1e-9 && d.rate < 1e-7);
    // a shift of 1e-10, and pivots of its size that are known to 1e-6
    CHECK_NEAR(d.load, 0.0, 1e-5 * d.size);
    CHECK(tml_sim_gap(a.sim) <= 1e-10);
    run_close(&a);
    run_close(&b);
    run_close(&c);
}

// Before the first step: loads by accelerations, and velocities that the joints allow.
TEST(the_first_loads_are_those_of_the_block_matrix)
{
    for (int i = 0; i < SCENES; i++) {
        run a;
        run b;
        CHECK(open_with(&a, i, TML_SOLVER_AUTO, TML_TIME_ENERGY));
        CHECK(open_with(&b, i, TML_SOLVER_NODES, TML_TIME_ENERGY));
        const double x = tml_sim_get_report(a.sim).velocity_correction;
        const double y = tml_sim_get_report(b.sim).velocity_correction;
        CHECK_NEAR(x, y, 1e-12 * (1.0 + y));
        for (int j = 0; j < tml_model_joint_count(a.model); j++) {
            const vec3 f = tml_sim_joint_load(a.sim, (tml_joint){j}).force;
            const vec3 g = tml_sim_joint_load(b.sim, (tml_joint){j}).force;
            // two eliminations of one matrix
            CHECK_NEAR(v3_norm(v3_sub(f, g)), 0.0, 1e-10 * (1.0 + v3_norm(g)));
        }
        run_close(&a);
        run_close(&b);
    }
}

TEST(auto_takes_the_chain_the_tree_the_dual_or_the_matrix)
{
    static const struct {
        const char* text;
        const char* solver;
    } cases[] = {
        {CHAIN_TEXT(5, "spherical", "horizontal", ""), "chain"},
        {CHAIN_TEXT(5, "revolute", "horizontal", ""), "nodes"},
        {CHAIN_TEXT(5, "spherical", "zigzag", ", \"closed\": true"), "dual"},
        {CHAIN_TEXT(5, "spherical", "horizontal", ", \"closed\": true"), "nodes"},  // taut
        {NET_TEXT(4), "dual"},
        {TREE_TEXT(40), "tree"},
        {star, "tree"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r;
        CHECK(run_text(&r, cases[i].text) == TML_OK);
        CHECK(run_start(&r) == TML_OK);
        CHECK_TEXT(tml_sim_get_report(r.sim).solver, cases[i].solver);
        run_close(&r);
    }
    run r;
    CHECK(run_text(&r, cases[1].text) == TML_OK);
    r.settings.solver = TML_SOLVER_TREE;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "ball joints");
    run_close(&r);
    CHECK(run_text(&r, star) == TML_OK);
    r.settings.solver = TML_SOLVER_CHAIN;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    run_close(&r);
}

// ---- instruction sets

static void steps_of(int scene, block_isa isa, double* state, bool* is_there)
{
    const affine_stage stage = {.h = 0.004, .theta = 0.5, .beta = 0.5 * 0.004 * 0.004, .phi = 0.5};
    const newton_settings settings = {.tolerance = 1e-10, .max_iterations = 20};
    run r;
    CHECK(open_with(&r, scene, TML_SOLVER_TREE, TML_TIME_ENERGY));
    message why = {""};
    link_system* l = NULL;
    CHECK(tml__links_create(r.sim->system, LINKS_CHAIN_OR_TREE, NULL, &why, &l) == TML_OK);
    *is_there = tml__links_use(l, isa);
    tml__links_load(l, r.sim->past_q[0], r.sim->past_v[0], r.sim->lambda);
    for (int k = 0; k < 10; k++) {
        affine_report report;
        CHECK(tml__links_step(l, &stage, &settings, &report) == TML_OK);
        tml__links_go_on(l);
    }
    CHECK(l->row_count <= 40);
    memcpy(state, l->state, (size_t)l->row_count * LINK_STATE * LANES * sizeof(double));
    tml__links_destroy(l);
    run_close(&r);
}

TEST(every_instruction_set_gives_the_same_bits)
{
    enum {
        ROOM = 40 * LINK_STATE * LANES  // the tree of 60 has so many rows at most
    };
    for (int i = 0; i < SCENES; i++) {
        static double plain[ROOM];
        static double other[ROOM];
        bool is_there;
        memset(plain, 0, sizeof plain);
        steps_of(i, BLOCK_PLAIN, plain, &is_there);
        CHECK(is_there);
        for (int isa = BLOCK_AVX2; isa <= BLOCK_AVX512; isa++) {
            memset(other, 0, sizeof other);
            steps_of(i, (block_isa)isa, other, &is_there);
            if (is_there) CHECK(memcmp(plain, other, sizeof plain) == 0);
        }
    }
}

// A chain of equal links keeps its constants once, the ends apart.
TEST(equal_links_share_their_constants)
{
    run r;
    CHECK(run_text(&r, CHAIN_TEXT(2000, "spherical", "horizontal", "")) == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    message why = {""};
    link_system* l = NULL;
    CHECK(tml__links_create(r.sim->system, LINKS_CHAIN_OR_TREE, NULL, &why, &l) == TML_OK);
    CHECK(l->is_chain && l->count == 2000 && l->type_count <= 6);
    tml__links_destroy(l);
    run_close(&r);
}

// Free links: what gravity gives, and nothing else.
TEST(a_free_tree_keeps_its_momentum)
{
    run r;
    CHECK(open_with(&r, 1, TML_SOLVER_AUTO, TML_TIME_ENERGY));
    vec3 before[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 2; k++) {
        vec3 linear = v3_zero();
        vec3 angular = v3_zero();
        for (int i = 0; i < tml_model_body_count(r.model); i++) {
            const tml_body_def* def = tml_model_body(r.model, (tml_body){i});
            const tml_pose p = tml_sim_pose(r.sim, (tml_body){i});
            const tml_velocity v = tml_sim_velocity(r.sim, (tml_body){i});
            const vec3 w = q_rotate(q_conj(p.q), v.angular);
            const vec3 spin = {def->inertia[0] * w.x, def->inertia[1] * w.y, def->inertia[2] * w.z};
            linear = v3_axpy(linear, def->mass, v.linear);
            angular = v3_add(angular, v3_scale(def->mass, v3_cross(p.p, v.linear)));
            angular = v3_add(angular, q_rotate(p.q, spin));
        }
        if (k == 0) {
            before[0] = linear;
            before[1] = angular;
            CHECK(run_steps(&r, 50) == TML_OK);
            continue;
        }
        const double t = tml_sim_time(r.sim);
        const double mass = 0.9;
        const vec3 impulse = v3(0.0, 0.0, -9.81 * mass * t);
        // Newton's tolerance over 50 steps
        CHECK_NEAR(v3_norm(v3_sub(v3_sub(linear, before[0]), impulse)), 0.0, 1e-10);
        // gravity turns about the origin by m x_com x g; the centre stays where it was in x and y
        vec3 centre = v3_zero();
        for (int i = 0; i < tml_model_body_count(r.model); i++) {
            centre = v3_axpy(centre, 0.1 / mass, tml_sim_pose(r.sim, (tml_body){i}).p);
        }
        const vec3 expected = v3_add(before[1], v3_cross(centre, impulse));
        CHECK_NEAR(v3_norm(v3_sub(angular, expected)), 0.0, 1e-9);
    }
    run_close(&r);
}

// ---- threads

static void steps_with(const char* text, int threads, double* state, size_t room)
{
    run r;
    CHECK(run_text(&r, text) == TML_OK);
    r.settings.threads = threads;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 5) == TML_OK);
    const size_t count = (size_t)tml_model_body_count(r.model) * POSE_WIDTH;
    CHECK(2 * count <= room);
    memcpy(state, r.sim->past_q[0], count * sizeof *state);
    memcpy(state + count, r.sim->past_v[0], count * sizeof *state);
    run_close(&r);
}

// Segments, rows of a level, fronts and sums are the same whoever computes them.
TEST(any_number_of_threads_gives_the_same_bits)
{
    static const char* const texts[] = {CHAIN_TEXT(2600, "spherical", "coil", ""), TREE_TEXT(1500),
                                        NET_TEXT(20)};
    enum {
        ROOM = 2 * 2600 * POSE_WIDTH
    };
    static double one[ROOM];
    static double many[ROOM];
    for (int i = 0; i < 3; i++) {
        memset(one, 0, sizeof one);
        steps_with(texts[i], 1, one, ROOM);
        for (int threads = 2; threads <= 5; threads += 3) {
            memset(many, 0, sizeof many);
            steps_with(texts[i], threads, many, ROOM);
            CHECK(memcmp(one, many, sizeof one) == 0);
        }
    }
}

// Where one link whips and all others fall, only the blocks near it go on iterating, and what comes
// out is what iterating all of them gives: the tree looks at every link in every iteration. Both stop
// at the same tolerance; 25 steps of a coil that unwinds spread what it leaves a thousandfold.
TEST(newton_is_local_and_finds_the_same_motion)  // [notes 9.9]
{
    static const tml_solver solvers[2] = {TML_SOLVER_CHAIN, TML_SOLVER_TREE};
    enum {
        LINKS = 4100,  // nine blocks
        LOCAL_STEPS = 25
    };
    run r[2];
    for (int i = 0; i < 2; i++) {
        CHECK(run_text(&r[i], CHAIN_TEXT(4100, "spherical", "coil", "")) == TML_OK);
        r[i].settings.solver = solvers[i];
        r[i].settings.integrator = TML_TIME_ENERGY;
        r[i].settings.step = 0.01;
        CHECK(run_start(&r[i]) == TML_OK);
        CHECK(run_steps(&r[i], LOCAL_STEPS) == TML_OK);
    }
    double place = 0.0;
    for (int k = 0; k < LINKS; k++) {
        const tml_pose p = tml_sim_pose(r[0].sim, (tml_body){k});
        const tml_pose q = tml_sim_pose(r[1].sim, (tml_body){k});
        place = larger_of(place, v3_norm(v3_sub(p.p, q.p)));
        place = larger_of(place, v3_norm(q_vec(q_mul(p.q, q_conj(q.q)))));
    }
    const tml_sim_report local = tml_sim_get_report(r[0].sim);
    const tml_sim_report whole = tml_sim_get_report(r[1].sim);
    printf("local Newton: apart %.1e m, %lld iterations of %.2f of the links; %lld of all\n", place,
           local.newton_iterations,
           (double)local.newton_bodies / (double)(local.newton_iterations * LINKS),
           whole.newton_iterations);
    CHECK(place < 1e-7);
    CHECK(whole.newton_bodies == whole.newton_iterations * LINKS);
    CHECK(2 * local.newton_bodies < local.newton_iterations * LINKS);
    for (int i = 0; i < 2; i++) run_close(&r[i]);
}
