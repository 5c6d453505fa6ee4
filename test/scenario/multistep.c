// test/scenario/multistep.c - general linear multistep formulas for bodies: orders without joints and with them;
// formulas that cannot be are refused, with why.                                         [COOK (164)]
#include "test/check.h"
#include "test/scenario/brick.h"
#include "test/scenario/run.h"

#include <math.h>

static const tml_multistep adams_moulton_3 = {
    .steps = 2, .alpha = {1.0, -1.0, 0.0}, .beta = {5.0 / 12, 8.0 / 12, -1.0 / 12}};

// Implicit, of order 2, neither of a family's: rho = (z - 1)(z - 1/2), beta dies out at 0.34.
static const tml_multistep two_step = {
    .steps = 2, .alpha = {1.0, -1.5, 0.5}, .beta = {0.85, -0.45, 0.1}};

static const tml_multistep bdf4 = {
    .steps = 4, .alpha = {25.0 / 12, -4.0, 3.0, -4.0 / 3, 0.25}, .beta = {1.0, 0.0, 0.0, 0.0, 0.0}};

// ---- without joints

static tml_pose swing(const tml_multistep* formula, tml_integrator integrator, int steps)
{
    run r;
    CHECK(run_freeze(&r, brick_on_a_spring(0.35, (tml_vec3){0.1, 0.15, 0.05})) == TML_OK);
    r.settings.integrator = integrator;
    if (formula != NULL) r.settings.implicit.multistep = *formula;
    r.settings.step = 0.5 / steps;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const tml_pose end = tml_sim_pose(r.sim, (tml_body){0});
    run_close(&r);
    return end;
}

TEST(without_joints_a_body_that_turns_follows_each_formula_at_its_order)
{
    static const struct {
        const char* name;
        const tml_multistep* formula;
        double order;
    } cases[] = {{"Adams-Moulton 3", &adams_moulton_3, 3.0},
                 {"two steps", &two_step, 2.0},
                 {"bdf4", &bdf4, 4.0}};
    const tml_pose truth = swing(NULL, TML_TIME_BDF6, 2000);  // good to 1e-10
    for (int i = 0; i < 3; i++) {
        const double coarse =
            brick_apart(swing(cases[i].formula, TML_TIME_LINEAR_MULTISTEP, 150), truth);
        const double fine =
            brick_apart(swing(cases[i].formula, TML_TIME_LINEAR_MULTISTEP, 300), truth);
        printf("%s: order %.2f (%.1e)\n", cases[i].name, log2(coarse / fine), fine);
        // the next term is a tenth at these steps
        CHECK_NEAR(log2(coarse / fine), cases[i].order, 0.15);
    }
}

// The coefficients of a family are that family by other code, which puts rates along quaternions right: at
// the order of the formula.
TEST(backward_differences_by_their_coefficients_are_those_of_bdf)
{
    double apart[2];
    for (int k = 0; k < 2; k++) {
        apart[k] = brick_apart(swing(&bdf4, TML_TIME_LINEAR_MULTISTEP, 200 << k),
                               swing(NULL, TML_TIME_BDF4, 200 << k));
    }
    printf("bdf4 by coefficients: %.1e and %.1e from bdf4\n", apart[0], apart[1]);
    CHECK(apart[0] < 1e-6);  // below the error of the formula, 2e-6
    CHECK_NEAR(log2(apart[0] / apart[1]), 4.0, 0.3);
}

// ---- with joints

// A double pendulum against bdf6, all formulas that rows allow; joints stay closed.
static double pendulum(const tml_multistep* formula, tml_integrator integrator, int steps,
                       tml_pose* end)
{
    run r;
    CHECK(run_open(&r, "double-pendulum") == TML_OK);
    run_integrate(&r, integrator);
    if (formula != NULL) r.settings.implicit.multistep = *formula;
    r.settings.step = 0.5 / steps;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    *end = tml_sim_pose(r.sim, (tml_body){1});
    const double gap = tml_sim_get_report(r.sim).max_gap;
    run_close(&r);
    return gap;
}

TEST(with_joints_formulas_whose_beta_dies_out_keep_their_order)
{
    const tml_multistep three = run_multistep();
    const tml_multistep* const formulas[3] = {&two_step, &three, &bdf4};
    static const double orders[3] = {2.0, 3.0, 4.0};
    tml_pose truth;
    (void)pendulum(NULL, TML_TIME_BDF6, 2000, &truth);
    for (int i = 0; i < 3; i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            tml_pose end;
            const double gap = pendulum(formulas[i], TML_TIME_LINEAR_MULTISTEP, 250 << k, &end);
            CHECK(gap <= 1e-10);  // the tolerance
            error[k] = brick_apart(end, truth);
        }
        printf("order %g with joints: %.2f (%.1e)\n", orders[i], log2(error[0] / error[1]),
               error[1]);
        CHECK_NEAR(log2(error[0] / error[1]), orders[i], 0.15);
    }
}

// ---- what cannot be

static void check_refused(const char* scene, tml_formulation formulation, tml_multistep formula,
                          const char* why)
{
    run r;
    CHECK(run_open(&r, scene) == TML_OK);
    r.settings.formulation = formulation;
    r.settings.integrator = TML_TIME_LINEAR_MULTISTEP;
    r.settings.implicit.multistep = formula;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) < TML_OK);
    CHECK_CONTAINS(tml_sim_message(r.sim), why);
    run_close(&r);
}

TEST(formulas_that_cannot_be_are_refused_with_why)
{
    static const tml_multistep crooked = {
        .steps = 2, .alpha = {1.0, -1.0, 0.0}, .beta = {0.5, 0.4, 0.0}};
    // explodes by itself: rho has a root at -2
    static const tml_multistep wild = {
        .steps = 2, .alpha = {1.0, 1.0, -2.0}, .beta = {1.5, 0.5, 1.0}};
    // a double root at -1 grows, too, though slowly: rho = (z - 1)(z + 1)^2
    static const tml_multistep swinging = {
        .steps = 3, .alpha = {1.0, 1.0, -1.0, -1.0}, .beta = {2.0, 1.0, 1.0, 0.0}};
    // numbers whose sums overflow: implicit, but half a step is missing
    static const tml_multistep huge = {.steps = 1, .alpha = {1e308, -1e308}, .beta = {5e307, 0.0}};
    static const tml_multistep beyond = {.steps = 1, .alpha = {1e-308, -1e308}, .beta = {1.0, 0.0}};
    const char* const spin = "free-pendulum";
    check_refused(spin, TML_FORM_QUATERNION, huge, "straight line");
    check_refused(spin, TML_FORM_QUATERNION, beyond, "sum to zero");
    check_refused(spin, TML_FORM_QUATERNION, crooked, "straight line");
    check_refused(spin, TML_FORM_QUATERNION, wild, "zero-stable");
    check_refused(spin, TML_FORM_QUATERNION, swinging, "zero-stable");
    check_refused(spin, TML_FORM_QUATERNION, adams_moulton_3, "do not die out");
    check_refused(spin, TML_FORM_QUATERNION, (tml_multistep){.steps = 0}, "1 to 6 steps");
    check_refused(spin, TML_FORM_AFFINE, two_step, "does not run with integrator");
    check_refused(spin, TML_FORM_VARIATIONAL, two_step, "does not run with integrator");
    check_refused(spin, TML_FORM_GENERALIZED, two_step, "does not run with integrator");
}
