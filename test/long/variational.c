// test/long/variational.c - what least action promises, over long times.            [VMAX Fig 4 Fig 6]
//
// The hour of a double pendulum is bench/papers/vmax.c; here are the runs that can fail.
#include "test/check.h"
#include "test/scenario/floating.h"

// The energy of ten minutes, as means of six seconds each: does a line through them rise or fall?
TEST(the_energy_of_a_double_pendulum_has_no_slope)  // [VMAX Fig 4]
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    enum {
        WINDOWS = 100,
        STEPS = 600
    };
    double mean[WINDOWS] = {0.0};
    double band = 0.0;
    run r;
    CHECK(run_begin(&r, "double-pendulum", TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    const double before = run_energy(&r);
    for (int w = 0; w < WINDOWS; w++) {
        for (int i = 0; i < STEPS; i++) {
            CHECK(run_step(&r) == TML_OK);
            const double off = run_energy(&r) - before;
            mean[w] += off / STEPS;
            band = larger_of(fabs(off), band);
        }
    }
    double ty = 0.0;
    double tt = 0.0;
    double all = 0.0;
    const double middle = 0.5 * (WINDOWS - 1);
    for (int w = 0; w < WINDOWS; w++) all += mean[w] / WINDOWS;
    for (int w = 0; w < WINDOWS; w++) {
        ty += (w - middle) * (mean[w] - all);
        tt += (w - middle) * (w - middle);
    }
    const double slope = ty / tt;
    double rest = 0.0;
    for (int w = 0; w < WINDOWS; w++) {
        const double off = mean[w] - all - slope * (w - middle);
        rest += off * off;
    }
    const double deviation = sqrt(rest / (WINDOWS - 2) / tt);
    printf("slope %.2e +- %.2e J a window, band %.3f J\n", slope, deviation, band);
    CHECK(fabs(slope) < 4.0 * deviation);  // four standard deviations: one chance in 16000
    CHECK(slope * WINDOWS < 0.01 * band);  // and next to nothing beside the band
    CHECK(band < 0.3);                     // J, of 19.6
    run_close(&r);
}

TEST(the_four_bar_stays_closed_for_1e5_steps)  // [VMAX Fig 4]
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run r;
    CHECK(run_begin(&r, "four-bar", TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    CHECK(run_steps(&r, 100000) == TML_OK);
    CHECK(tml_sim_get_report(r.sim).max_gap <= 1e-10);
    run_close(&r);
}

// Forty parallelograms through their dead points, where all links lie on one line.
TEST(chains_of_four_bars_pass_their_singular_poses_at_10_ms)  // [VMAX Fig 6]
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run r;
    CHECK(run_begin(&r, "n-four-bar", TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    const double before = run_energy(&r);
    CHECK(run_steps(&r, 1000) == TML_OK);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("1000 steps: energy %.2f -> %.2f J, gap %.1e, %lld steps at order 1, %lld substeps\n",
           before, run_energy(&r), report.max_gap, report.fallback_steps, report.substeps);
    CHECK(report.max_gap <= 1e-10);
    CHECK(fabs(run_energy(&r) - before) < 0.01 * before);  // what the few steps of order 1 cost
    run_close(&r);
}

TEST(a_floating_mechanism_keeps_its_momenta_over_1e5_steps)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run r;
    CHECK(run_freeze(&r, floating_mechanism()) == TML_OK);
    r.settings.formulation = TML_FORM_VARIATIONAL;
    r.settings.integrator = TML_TIME_VARIATIONAL;
    r.settings.tolerance = 1e-13;
    CHECK(run_start(&r) == TML_OK);
    const momentum before = momentum_of(&r);
    CHECK(run_steps(&r, 100000) == TML_OK);
    const momentum after = momentum_of(&r);
    const double linear = v3_norm(v3_sub(after.linear, before.linear));
    const double angular = v3_norm(v3_sub(after.angular, before.angular));
    printf("1e5 steps: linear %.1e of %.1f, angular %.1e of %.1f\n", linear, v3_norm(before.linear),
           angular, v3_norm(before.angular));
    // a dozen roundings of momenta of 2 a step, none with a favourite sign, but the mechanism ends a
    // kilometre from the origin that angular momentum is counted about
    CHECK_NEAR(linear, 0.0, 1e-10);
    CHECK_NEAR(angular, 0.0, 1e-9);
    run_close(&r);
}
