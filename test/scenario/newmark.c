// test/scenario/newmark.c - Newmark's formulas and the trapezoidal rule for bodies: orders and energy
// without joints; with them damped above gamma = 1/2, at it refused or, as the baseline
// crank_nicolson, seen to explode.                                         [COOK (151) Sec 7.5 (203)]
#include "test/check.h"
#include "test/scenario/brick.h"
#include "test/scenario/run.h"

#include <math.h>
#include <string.h>

static const tml_body first = {0};

static tml_pose swing(tml_integrator integrator, double gamma, int steps)
{
    run r;
    CHECK(run_freeze(&r, brick_on_a_spring(0.35, (tml_vec3){0.1, 0.15, 0.05})) == TML_OK);
    r.settings.integrator = integrator;
    r.settings.step = 0.5 / steps;
    if (integrator == TML_TIME_NEWMARK) {
        r.settings.implicit.newmark_gamma = gamma;
        r.settings.implicit.newmark_beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    }
    CHECK(run_start(&r) == TML_OK);
    for (int k = 0; k < steps; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    const tml_pose end = tml_sim_pose(r.sim, first);
    run_close(&r);
    return end;
}

// Against bdf6 at a step where it is good to 1e-10.
TEST(without_joints_errors_fall_at_order_two_and_one)
{
    static const struct {
        tml_integrator integrator;
        double gamma, order;
    } cases[] = {{TML_TIME_CRANK_NICOLSON, 0.5, 2.0},
                 {TML_TIME_NEWMARK, 0.5, 2.0},
                 {TML_TIME_NEWMARK, 0.6, 1.0}};
    const tml_pose truth = swing(TML_TIME_BDF6, 0.5, 2000);
    for (int i = 0; i < 3; i++) {
        const double coarse = brick_apart(swing(cases[i].integrator, cases[i].gamma, 200), truth);
        const double fine = brick_apart(swing(cases[i].integrator, cases[i].gamma, 400), truth);
        const double order = log2(coarse / fine);
        printf("%s, gamma %.1f: order %.2f (%.1e)\n", tml_integrator_name(cases[i].integrator),
               cases[i].gamma, order, fine);
        // the next term is a few hundredths at these steps
        CHECK_NEAR(order, cases[i].order, 0.1);
    }
}

// A spring of no length through the centre of mass is linear; nothing turns.
TEST(a_linear_oscillator_keeps_its_energy_to_rounding)
{
    for (int i = 0; i < 2; i++) {
        run r;
        CHECK(run_freeze(&r, brick_on_a_spring(0.0, (tml_vec3){0.0, 0.0, 0.0})) == TML_OK);
        r.settings.integrator = i == 0 ? TML_TIME_CRANK_NICOLSON : TML_TIME_NEWMARK;
        r.settings.step = 0.02;
        CHECK(run_start(&r) == TML_OK);
        const tml_energy begin = tml_sim_energy(r.sim);
        double most = 0.0;
        for (int k = 0; k < 2000; k++) {
            CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
            const tml_energy now = tml_sim_energy(r.sim);
            const double change = (now.kinetic + now.potential) - (begin.kinetic + begin.potential);
            most = fmax(most, fabs(change));
        }
        printf("%s: energy kept to %.1e J of %.1f J\n", tml_integrator_name(r.settings.integrator),
               most, begin.kinetic + begin.potential);
        // two thousand roundings of positions, times forces of 30 N
        CHECK(most < 1e-11);
        run_close(&r);
    }
}

// The damped formula, or at gamma = 1/2 the baseline that runs it with joints.
static void choose(run* r, double gamma)
{
    r->settings.integrator = gamma > 0.5 ? TML_TIME_NEWMARK : TML_TIME_CRANK_NICOLSON;
    if (gamma <= 0.5) return;
    r->settings.implicit.newmark_gamma = gamma;
    r->settings.implicit.newmark_beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
}

// How much the load of the first joint changes its mind from step to step, on average over the last steps.
static double swing_of_load(double gamma, int steps)
{
    run r;
    CHECK(run_open(&r, "double-pendulum") == TML_OK);
    choose(&r, gamma);
    r.settings.step = 1e-3;
    CHECK(run_start(&r) == TML_OK);
    double load[3] = {0.0, 0.0, 0.0};
    double sum = 0.0;
    for (int k = 0; k < steps; k++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        load[2] = load[1];
        load[1] = load[0];
        load[0] = tml_sim_joint_load(r.sim, (tml_joint){0}).force.z;
        if (k >= steps - 20) sum += 0.25 * fabs(load[0] - 2.0 * load[1] + load[2]) / 20.0;
    }
    CHECK(tml_sim_get_report(r.sim).max_gap < r.settings.tolerance);
    run_close(&r);
    return sum;
}

// Joints stay closed in both; forces converge in one.                                [COOK (203)]
TEST(with_joints_the_trapezoidal_rule_swings_and_a_damped_one_does_not)
{
    const double early = swing_of_load(0.5, 400);
    const double late = swing_of_load(0.5, 1600);
    const double damped = swing_of_load(0.6, 1600);
    printf("swing of a joint force: %.2e N after 0.4 s, %.2e N after 1.6 s; gamma 0.6: %.2e N\n",
           early, late, damped);
    CHECK(late > 2.0 * early);    // ever more
    CHECK(damped < 0.01 * late);  // what is left is the curvature of the force itself, h^2
}

// Energy above that of the start, the most of it in so many seconds of steps of 10 ms; when it first is
// above ten times that of the start.
static double gain(double gamma, double seconds, double* when)
{
    run r;
    CHECK(run_open(&r, "double-pendulum") == TML_OK);
    choose(&r, gamma);
    r.settings.step = 0.01;
    CHECK(run_start(&r) == TML_OK);
    const tml_energy begin = tml_sim_energy(r.sim);
    const double first_sum = begin.kinetic + begin.potential;
    double most = 0.0;
    *when = 0.0;
    for (int k = 0; k < (int)(100.0 * seconds); k++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        const tml_energy now = tml_sim_energy(r.sim);
        most = fmax(most, now.kinetic + now.potential - first_sum);
        if (*when == 0.0 && most > 9.0 * fabs(first_sum)) *when = tml_sim_time(r.sim);
    }
    run_close(&r);
    return most;
}

// Every step is accepted and every joint closed, and yet: shown, not hidden.
TEST(with_joints_the_trapezoidal_rule_explodes_and_a_damped_one_does_not)
{
    double when;
    double never;
    const double trapezoidal = gain(0.5, 6.0, &when);
    const double damped = gain(0.6, 20.0, &never);
    printf("energy of 2.45 J: crank_nicolson gains %.1e J in 6 s (tenfold at %.2f s), gamma 0.6 "
           "%.1e J in 20 s\n",
           trapezoidal, when, damped);
    CHECK(trapezoidal > 1e6 && when > 0.0);
    CHECK(damped <= 0.0 && never <= 0.0);  // never above that of the start
    // a little damping is not enough for steps of 10 ms
    const double little = gain(0.51, 12.0, &when);
    printf("gamma 0.51 gains %.1e J in 12 s (tenfold at %.2f s)\n", little, when);
    CHECK(little > 1e6);
}

static tml_status create(const char* scene, double gamma, double beta, const char* says)
{
    run r;
    if (scene != NULL) {
        CHECK(run_open(&r, scene) == TML_OK);
    } else {
        CHECK(run_freeze(&r, brick_on_a_spring(0.35, (tml_vec3){0.1, 0.15, 0.05})) == TML_OK);
    }
    r.settings.integrator = TML_TIME_NEWMARK;
    r.settings.implicit.newmark_gamma = gamma;
    r.settings.implicit.newmark_beta = beta;
    const tml_status status = tml_sim_create(r.model, &r.settings, &r.sim);
    if (status != TML_OK) CHECK(strstr(tml_sim_message(r.sim), says) != NULL);
    run_close(&r);
    return status;
}

// ---- how fast joints may turn

// A body a metre from its hinge, turning steadily. How much the changes of its joint force from step to
// step have grown between the first steps and the last ones.
static double growth_of_swing(double gamma, double turn)
{
    enum {
        STEPS = 600,
        WINDOW = 50
    };
    const double h = 0.01;
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    double force[3] = {0.0, 0.0, 0.0};
    double most[2] = {0.0, 0.0};
    run r;
    body.pose.p = (tml_vec3){1.0, 0.0, 0.0};
    body.velocity.angular = (tml_vec3){0.0, 0.0, turn / h};
    body.velocity.linear = (tml_vec3){0.0, turn / h, 0.0};
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.follower = tml_spec_add_body(spec, &body);
    hinge.axis = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_joint(spec, &hinge);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.integrator = TML_TIME_NEWMARK;
    r.settings.implicit.newmark_gamma = gamma;
    r.settings.implicit.newmark_beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    r.settings.step = h;
    CHECK(run_start(&r) == TML_OK);
    for (int n = 0; n < STEPS && tml_sim_step(r.sim, NULL) == TML_OK; n++) {
        force[2] = force[1];
        force[1] = force[0];
        force[0] = v3_norm(tml_sim_joint_load(r.sim, (tml_joint){0}).force);
        const double swing = fabs(force[0] - 2.0 * force[1] + force[2]);
        if (n >= 3 && n < WINDOW) most[0] = larger_of(swing, most[0]);
        if (n >= STEPS - WINDOW) most[1] = larger_of(swing, most[1]);
    }
    run_close(&r);
    return most[1] / most[0];
}

// Errors of accelerations along a row are multiplied by (gamma - 3/2) / (gamma + 1/2) in a step, and a
// joint that turns by theta feeds them by theta: they die out below 2 (gamma - 1/2) / (gamma + 1/2).
TEST(with_joints_the_damping_bounds_how_far_a_step_may_turn)
{
    static const double gammas[3] = {0.51, 0.52, 0.55};
    for (int i = 0; i < 3; i++) {
        const double bound = 2.0 * (gammas[i] - 0.5) / (gammas[i] + 0.5);
        const double below = growth_of_swing(gammas[i], 0.7 * bound);
        const double above = growth_of_swing(gammas[i], 2.0 * bound);
        printf(
            "gamma %.2f: turning by %.4f rad a step the swing is left by %.1e, by %.4f rad %.1e\n",
            gammas[i], 0.7 * bound, below, 2.0 * bound, above);
        CHECK(below < 1.0);
        // where gamma is near 1/2 the bound is sharp; farther away it is on the safe side
        CHECK(above > 10.0 || gammas[i] > 0.53);
    }
}

TEST(numbers_that_cannot_work_are_refused_with_those_that_do)
{
    static const char advice[] = "{\"gamma\": 0.6, \"beta\": 0.3025}";
    static const char bounds[] = "beta in [0.08, 1]";
    const char* jointed = "double-pendulum";
    CHECK(create(jointed, 0.5, 0.25, advice) == TML_BAD_ARGUMENT);
    CHECK(create(jointed, 0.5, 0.25, "gamma is 0.5 and beta 0.25") == TML_BAD_ARGUMENT);
    CHECK(create(jointed, 0.5, 0.25, "vertices that bodies carry") == TML_BAD_ARGUMENT);
    CHECK(create(jointed, 0.5, 0.3, advice) == TML_BAD_ARGUMENT);
    CHECK(create(jointed, 0.6, 0.3, advice) == TML_BAD_ARGUMENT);
    CHECK(create(jointed, 0.6, 0.3025, "") == TML_OK);
    CHECK(create(jointed, 0.55, 0.2756, "") == TML_OK);  // 0.275625 in four digits

    // without rows there is nothing to hold, and small steps may use small beta
    CHECK(create(NULL, 0.5, 0.25, "") == TML_OK);
    CHECK(create(NULL, 0.5, 1.0 / 12.0, "") == TML_OK);
    CHECK(create(NULL, 0.5, 0.07, bounds) == TML_BAD_ARGUMENT);
    CHECK(create(NULL, 0.5, 1e-300, bounds) == TML_BAD_ARGUMENT);
    CHECK(create(NULL, 0.5, (double)NAN, bounds) == TML_BAD_ARGUMENT);
    CHECK(create(NULL, 0.49, 0.25, bounds) == TML_BAD_ARGUMENT);
}
