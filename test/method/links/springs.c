// test/method/links/springs.c - links with springs to what stands still or is led, with damping by mass, and moored to what
// moves: against `nodes`, forces against differences, energy, threads and saved states.        [MABD Sec 6]
#include "method/links/springs.h"

#include "method/affine/method.h"
#include "method/links/method.h"
#include "method/links/prescribed.h"
#include "test/method/links/contact.h"
#include "test/scenario/affine.h"

#include <stdarg.h>

enum {
    TEXT = 60000,
    LINKS = 70,  // as few as `auto` leaves to `nodes`, and some more
};

static char* add(char* at, const char* format, ...) __attribute__((format(printf, 2, 3)));
static char* add(char* at, const char* format, ...)
{
    va_list values;
    va_start(values, format);
    at += vsnprintf(at, 4000, format, values);
    va_end(values);
    return at;
}

// A led hand that swings and turns, and a cart on rails; both beside the chain.
static const char led_bodies[] =
    "{\"name\": \"hand\", \"mass\": 0.7, \"inertia\": [0.02, 0.03, 0.01], \"position\": [0.2, 0.1, "
    "-0.3]}, {\"name\": \"cart\", \"mass\": 2, \"inertia\": [0.1, 0.2, 0.3], \"position\": [0, 0, "
    "0.1]}";
static const char led_joints[] =
    "{\"name\": \"wave\", \"type\": \"free\", \"base\": \"cart\", \"follower\": \"hand\", "
    "\"position\": [0.1, 0, -0.3], \"actuation\": \"position\", \"control\": {\"tx\": {\"sine\": "
    "{\"offset\": 0, \"amplitude\": 0.05, \"frequency\": 1, \"phase\": 0}}, \"ty\": 0, \"tz\": 0, "
    "\"rx\": {\"sine\": {\"offset\": 0, \"amplitude\": 0.2, \"frequency\": 1, \"phase\": 0}}, "
    "\"ry\": 0, \"rz\": 0}}, {\"name\": \"rails\", \"type\": \"prismatic\", \"base\": \"world\", "
    "\"follower\": \"cart\", \"position\": [0, 0, 0.1], \"axis\": [1, 0, 0], \"actuation\": "
    "\"position\", \"control\": {\"table\": [[0, 0], [0.1, 0.01], [0.3, 0.2], [0.6, 0.1]], "
    "\"interpolation\": \"cubic\"}}";

static const char to_world[] = "{\"name\": \"root\", \"type\": \"spherical\", \"base\": \"world\", "
                               "\"follower\": \"l0\", \"position\": [0, 0, 0]}";

static const char springs[] =
    "{\"type\": \"spring\", \"name\": \"s0\", \"a\": [\"hand\", [0, 0.02, 0.01]], \"b\": [\"l20\", "
    "[0.01, 0.004, 0]], \"stiffness\": 4, \"rest_length\": 0.1, \"damping\": 0.3}, {\"type\": "
    "\"spring\", \"name\": \"s1\", \"a\": [\"l20\", [-0.01, 0, 0.003]], \"b\": [\"world\", [0.3, "
    "-0.4, 0.2]], \"stiffness\": 6, \"law\": \"quadratic\"}, {\"type\": \"tendon\", \"name\": "
    "\"s2\", \"points\": [[\"world\", [1, 0.5, 0.5]], [\"l45\", [0.01, 0.005, 0]], [\"cart\", [0, "
    "0, 0.1]], [\"l45\", [-0.01, 0, 0]]], \"stiffness\": 0.5, \"rest_length\": 0.5, \"force\": "
    "{\"sine\": {\"offset\": 0.1, \"amplitude\": 0.05, \"frequency\": 4, \"phase\": 0}}}, "
    "{\"type\": "
    "\"spring\", \"name\": \"s3\", \"a\": [\"hand\", [0, 0, 0]], \"b\": [\"world\", [0, 0.3, 0]], "
    "\"stiffness\": 30, \"rest_length\": 0}, {\"type\": \"spring\", \"name\": \"s4\", \"a\": "
    "[\"world\", [1.5, 0, 0]], \"b\": [\"l69\", [0.01, 0, 0]], \"stiffness\": 2, \"rest_length\": "
    "0}";

// LINKS rods of 2 cm along x from the origin, slightly askew, with the joint that holds the first of them.
static void write_chain(char* text, const char* head, const char* root, const char* forces)
{
    char* at = add(text, "{\"trammel\": 1, %s \"bodies\": [%s", head, led_bodies);
    for (int k = 0; k < LINKS; k++) {
        at = add(at,
                 ",\n{\"name\": \"l%d\", \"mass\": 0.01, \"inertia\": [1e-7, 3.5e-7, 3.3e-7], "
                 "\"position\": [%.17g, 0, 0]}",
                 k, 0.02 * k + 0.01);
    }
    at = add(at, "], \"joints\": [%s, %s", led_joints, root);
    for (int k = 1; k < LINKS; k++) {
        at = add(at,
                 ",\n{\"name\": \"j%d\", \"type\": \"spherical\", \"base\": \"l%d\", \"follower\": "
                 "\"l%d\", \"position\": [%.17g, 0, 0]}",
                 k, k - 1, k, 0.02 * k);
    }
    add(at, "], \"forces\": [%s]}", forces);
}

static tml_status start(run* r, const char* text, tml_solver solver, tml_integrator integrator,
                        double step)
{
    const tml_status status = run_text(r, text);
    if (status != TML_OK) return status;
    r->settings.integrator = integrator;
    r->settings.step = step;
    r->settings.solver = solver;
    r->settings.tolerance = 1e-12;
    return run_start(r);
}

static const char* solver_of(const run* r) { return tml_sim_get_report(r->sim).solver; }

// ---- another solver

typedef struct distance {
    double way, rate, load, energy;
} distance;

// Rates of led bodies are those of the drives here; `nodes` has them so where it projects velocities, and else those of the
// chord. Loads follow from rates, those of all joints: without a projection both solvers' are off the rows.
static distance apart(const run* a, const run* b)
{
    const int led = a->settings.integrator == TML_TIME_ENERGY ? 0 : 2;
    distance out = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < tml_model_body_count(a->model); k++) {
        const tml_pose p = tml_sim_pose(a->sim, (tml_body){k});
        const tml_pose q = tml_sim_pose(b->sim, (tml_body){k});
        const tml_velocity u = tml_sim_velocity(a->sim, (tml_body){k});
        const tml_velocity v = tml_sim_velocity(b->sim, (tml_body){k});
        out.way = larger_of(out.way, v3_norm(v3_sub(p.p, q.p)));
        out.way = larger_of(out.way, 1.0 - fabs(q_dot(p.q, q.q)));
        if (k >= led) out.rate = larger_of(out.rate, v3_norm(v3_sub(u.linear, v.linear)));
    }
    for (int k = 0; led == 0 && k < tml_model_joint_count(a->model); k++) {
        const tml_load f = tml_sim_joint_load(a->sim, (tml_joint){k});
        const tml_load g = tml_sim_joint_load(b->sim, (tml_joint){k});
        out.load = larger_of(out.load, v3_norm(v3_sub(f.force, g.force)));
        out.load = larger_of(out.load, v3_norm(v3_sub(f.moment, g.moment)));
    }
    if (led == 0) out.energy = fabs(run_energy(a) - run_energy(b));
    return out;
}

// The same steps by links and by `nodes`, which has rows, springs and drives as every mechanism has them.
static void check_twins(const char* text, tml_solver solver, const char* name,
                        tml_integrator integrator)
{
    run r[2];
    distance most = {0.0, 0.0, 0.0, 0.0};
    CHECK(start(&r[0], text, solver, integrator, 2e-3) == TML_OK);
    CHECK(start(&r[1], text, TML_SOLVER_NODES, integrator, 2e-3) == TML_OK);
    CHECK(strcmp(solver_of(&r[0]), name) == 0);
    CHECK(strcmp(solver_of(&r[1]), "nodes") == 0);
    for (int step = 0; step < 25; step++) {
        const distance now = apart(&r[0], &r[1]);
        most.way = larger_of(most.way, now.way);
        most.rate = larger_of(most.rate, now.rate);
        most.load = larger_of(most.load, now.load);
        most.energy = larger_of(most.energy, now.energy);
        for (int k = 0; k < 2; k++) CHECK(run_step(&r[k]) == TML_OK);
    }
    const vec3 tip = tml_sim_pose(r[0].sim, (tml_body){LINKS + 1}).p;
    printf("  %s, %s: %.1e m, %.1e m/s, %.1e N, %.1e J apart; the tip has moved by %.3f m\n", name,
           tml_integrator_name(integrator), most.way, most.rate, most.load, most.energy,
           v3_norm(v3_sub(tip, v3(0.02 * LINKS - 0.01, 0.0, 0.0))));
    // a step that one of them takes in parts is another step
    for (int k = 0; k < 2; k++) CHECK(tml_sim_get_report(r[k].sim).substeps == 0);
    CHECK(most.way < 1e-9);
    CHECK(most.rate < 1e-7);
    // by accelerations of links of 10 g, which follow the springs' forces on them
    CHECK(most.load < 1e-6);
    CHECK(most.energy < 1e-9);
    CHECK(tml_sim_get_report(r[0].sim).max_gain <= 1e-9);
    for (int k = 0; k < 2; k++) run_close(&r[k]);
}

TEST(springs_of_links_are_those_of_nodes)
{
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    write_chain(text, "", to_world, springs);
    check_twins(text, TML_SOLVER_AUTO, "chain", TML_TIME_ENERGY_DAMPED);
    check_twins(text, TML_SOLVER_CHAIN, "chain", TML_TIME_ENERGY);
    check_twins(text, TML_SOLVER_DUAL, "dual", TML_TIME_ENERGY_DAMPED);
    free(text);
}

TEST(damping_by_mass_is_that_of_nodes)
{
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    write_chain(text, "\"rayleigh\": {\"mass\": 3, \"stiffness\": 0.01},", to_world, springs);
    check_twins(text, TML_SOLVER_AUTO, "chain", TML_TIME_ENERGY_DAMPED);
    check_twins(text, TML_SOLVER_CHAIN, "chain", TML_TIME_ENERGY);
    write_chain(text, "\"rayleigh\": {\"mass\": 3},", to_world, "");
    check_twins(text, TML_SOLVER_TREE, "tree", TML_TIME_ENERGY_DAMPED);
    check_twins(text, TML_SOLVER_DUAL, "dual", TML_TIME_ENERGY);
    free(text);
}

// By its first joint a chain hangs on a slide that is driven, on all three of them, on a led body, either way round.
TEST(moored_chains_go_where_nodes_go)
{
    static const char* const roots[] = {
        "{\"name\": \"root\", \"type\": \"slot\", \"base\": \"world\", \"follower\": \"l0\", "
        "\"position\": [0, 0, 0], \"axis\": [0, 0.6, 0.8], \"actuation\": {\"tx\": \"position\"}, "
        "\"control\": {\"tx\": {\"sine\": {\"offset\": 0, \"amplitude\": 0.05, \"frequency\": 3, "
        "\"phase\": 0}}}}",
        "{\"name\": \"root\", \"type\": \"free\", \"base\": \"hand\", \"follower\": \"l0\", "
        "\"position\": [0, 0, 0], \"actuation\": {\"tx\": \"position\", \"ty\": \"position\", "
        "\"tz\": \"position\"}, \"control\": {\"tx\": {\"sine\": {\"offset\": 0, \"amplitude\": "
        "0.02, \"frequency\": 5, \"phase\": 0}}, \"ty\": 0, \"tz\": {\"table\": [[0, 0], [0.1, "
        "0.01], [0.2, 0]], \"interpolation\": \"cubic\"}}}",
        "{\"name\": \"root\", \"type\": \"spherical\", \"base\": \"hand\", \"follower\": \"l0\", "
        "\"position\": [0, 0, 0]}",
        "{\"name\": \"root\", \"type\": \"spherical\", \"base\": \"l0\", \"follower\": \"hand\", "
        "\"position\": [0, 0, 0]}",
    };
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    for (size_t k = 0; k < sizeof roots / sizeof *roots; k++) {
        write_chain(text, "", roots[k], k % 2 == 0 ? "" : springs);
        check_twins(text, TML_SOLVER_AUTO, "chain", TML_TIME_ENERGY_DAMPED);
        check_twins(text, TML_SOLVER_CHAIN, "chain", TML_TIME_ENERGY);
    }
    free(text);
}

// ---- the forces themselves

TEST(springs_have_their_derivatives)
{
    char* text = malloc(TEXT);
    run r;
    slope found = {0};
    CHECK(text != NULL);
    write_chain(text, "\"rayleigh\": {\"stiffness\": 0.01},", to_world, springs);
    CHECK(start(&r, text, TML_SOLVER_AUTO, TML_TIME_ENERGY_DAMPED, 4e-3) == TML_OK);
    CHECK(run_steps(&r, 5) == TML_OK);
    link_system* l = tml__links_of(r.sim);
    CHECK(l != NULL && links_are_touched(l) && l->touch->link_count == 3);
    for (int i = 0; l != NULL && i < l->touch->link_count; i++) {
        for (int column = 0; column < 6; column++) add_column(l, i, column, &found);
    }
    printf("  derivatives of %.3g N/m to %.1e\n", found.scale, found.extrapolated);
    // lengths are differences of metres, 1e-16 m, times 1e2 N/m over the step of 5e-7
    CHECK(slope_is_right(&found, 1e2 * 4e-16 / 5e-7, 1e-6));
    run_close(&r);
    free(text);
}

// ---- energy

// Hung between springs from the world it never gains; beside a hand that waves it gains what the hand does.
TEST(springs_of_links_store_what_they_take)
{
    static const char still[] =
        "{\"type\": \"spring\", \"a\": [\"world\", [0.4, 0.1, 0.2]], \"b\": [\"l20\", [0.01, "
        "0.004, 0]], \"stiffness\": 400}, {\"type\": \"spring\", \"a\": [\"l69\", [0.01, 0, 0]], "
        "\"b\": [\"world\", [1.6, 0, 0]], \"stiffness\": 900, \"rest_length\": 0, \"law\": "
        "\"quadratic\"}";
    static const tml_integrator integrators[] = {TML_TIME_ENERGY, TML_TIME_ENERGY_DAMPED};
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    for (int k = 0; k < 2; k++) {
        run r;
        write_chain(text, "", to_world, still);
        CHECK(start(&r, text, TML_SOLVER_AUTO, integrators[k], 0.02) == TML_OK);
        const tml_body led[2] = {tml_model_find_body(r.model, "hand"),
                                 tml_model_find_body(r.model, "cart")};
        double before = 0.0;
        double rise = 0.0;
        for (int step = 0; step <= 100; step++) {
            double own = run_energy(&r);
            for (int b = 0; b < 2;
                 b++) {  // the led ones go by themselves, through a wall of their own
                const tml_velocity v = tml_sim_velocity(r.sim, led[b]);
                const vec3 x = tml_sim_pose(r.sim, led[b]).p;
                const double mass = b == 0 ? 0.7 : 2.0;
                const vec3 inertia = b == 0 ? v3(0.02, 0.03, 0.01) : v3(0.1, 0.2, 0.3);
                const vec3 w = q_rotate(q_conj(tml_sim_pose(r.sim, led[b]).q), v.angular);
                own -= 0.5 * mass * v3_dot(v.linear, v.linear) + mass * 9.81 * x.z;
                own -=
                    0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
            }
            if (step > 0) rise = larger_of(rise, own - before);
            before = own;
            if (step < 100) CHECK(run_step(&r) == TML_OK);
        }
        const tml_sim_report report = tml_sim_get_report(r.sim);
        printf("  %s: largest rise %.1e J, gain %.1e, %.2f iterations a step, %lld substeps\n",
               tml_integrator_name(integrators[k]), rise, report.max_gain,
               (double)report.newton_iterations / (double)report.steps, report.substeps);
        CHECK(rise <= 1e-9);
        CHECK(report.max_gain <= 1e-9);
        CHECK(report.max_gap <= 1e-10);
        run_close(&r);
    }
    free(text);
}

// ---- the same bits

static tml_status start_again(run* r, const char* text, tml_solver solver, double step)
{
    const tml_status status = run_text(r, text);
    r->settings.integrator = TML_TIME_ENERGY_DAMPED;
    r->settings.step = step;
    r->settings.solver = solver;
    return status == TML_OK ? run_start(r) : status;
}

TEST(threads_and_saved_states_leave_the_bits_of_sprung_chains_alone)
{
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    write_chain(text, "\"rayleigh\": {\"mass\": 1},",
                "{\"name\": \"root\", \"type\": \"spherical\", \"base\": \"hand\", \"follower\": "
                "\"l0\", \"position\": [0, 0, 0]}",
                springs);
    check_same_bits(start_again, text, 10, -1, 2, LINKS);
    free(text);
}

// ---- what is left to `nodes`

TEST(what_links_do_not_take_is_said)
{
    static const char between[] =
        "{\"type\": \"spring\", \"a\": [\"l10\", [0, 0, 0]], \"b\": [\"l12\", [0, 0, 0]], "
        "\"stiffness\": 10, \"rest_length\": 0}";
    char* text = malloc(TEXT);
    run r;
    CHECK(text != NULL);
    write_chain(text, "", to_world, between);
    CHECK(start(&r, text, TML_SOLVER_AUTO, TML_TIME_ENERGY_DAMPED, 4e-3) == TML_OK);
    CHECK(strcmp(solver_of(&r), "nodes") == 0);
    run_close(&r);
    CHECK(start(&r, text, TML_SOLVER_CHAIN, TML_TIME_ENERGY_DAMPED, 4e-3) == TML_UNSUPPORTED);
    run_close(&r);
    // springs and trees, and a net that is moored
    write_chain(text, "", to_world, springs);
    CHECK(start(&r, text, TML_SOLVER_TREE, TML_TIME_ENERGY_DAMPED, 4e-3) == TML_UNSUPPORTED);
    run_close(&r);
    write_chain(text, "",
                "{\"name\": \"root\", \"type\": \"spherical\", \"base\": \"hand\", \"follower\": "
                "\"l0\", \"position\": [0, 0, 0]}",
                "");
    CHECK(start(&r, text, TML_SOLVER_DUAL, TML_TIME_ENERGY_DAMPED, 4e-3) == TML_UNSUPPORTED);
    run_close(&r);
    free(text);
}

// A model with damping by mass: few links of it are left to the solver whose steps have derivatives, many are not.
TEST(few_links_keep_their_derivatives)
{
    for (int k = 0; k < 2; k++) {
        char text[400];
        run r;
        tml_derivatives* d = NULL;
        snprintf(text, sizeof text,
                 "{\"trammel\": 1, \"rayleigh\": {\"mass\": 1}, \"bodies\": [], \"generate\": "
                 "[{\"type\": \"chain\", \"name\": \"c\", \"links\": %d, \"joint\": "
                 "\"spherical\", \"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": "
                 "0.1}, \"pose\": \"horizontal\"}]}",
                 k == 0 ? 63 : 64);
        CHECK(start(&r, text, TML_SOLVER_AUTO, TML_TIME_ENERGY_DAMPED, 4e-3) == TML_OK);
        CHECK(strcmp(solver_of(&r), k == 0 ? "nodes" : "chain") == 0);
        const tml_status status = tml_derivatives_create(r.model, &r.settings, 0, &d);
        CHECK(status == (k == 0 ? TML_OK : TML_UNSUPPORTED));
        if (k == 1) CHECK_CONTAINS(tml_derivatives_message(d), "damping by mass");
        tml_derivatives_destroy(d);
        run_close(&r);
    }
}
