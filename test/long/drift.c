// test/long/drift.c - hours of a machine's life: nothing opens, nothing runs away.
//
// Tens of thousands of steps a scene, so it runs only where TRAMMEL_TEST_LONG is set.
#include "test/check.h"
#include "test/scenario/run.h"

typedef struct long_run {
    const char* scene;
    double step, duration;  // s
    int is_passive;         // no motors: energy can only be lost
} long_run;

static const long_run long_runs[] = {
    {"pendulum", 5e-3, 500.0, 1},
    {"double-pendulum", 2e-3, 100.0, 1},
    {"universal-pendulum", 5e-3, 500.0, 1},
    {"heavy-top", 2e-4, 20.0, 1},
    {"spherical-chain", 5e-3, 60.0, 1},
    {"flap", 2e-3, 100.0, 1},
    {"spring-net", 5e-3, 60.0, 1},
    {"joint-zoo", 5e-3, 60.0, 1},
    {"flyball-governor", 1e-3, 30.0, 1},
    {"robot-arm", 5e-3, 100.0, 0},
    {"showcase", 2e-3, 60.0, 0},
    {"gears", 2e-3, 60.0, 0},
};

static void live(const long_run* l)
{
    run r;
    CHECK(run_begin(&r, l->scene, TML_TIME_BDF2, l->step) == TML_OK);
    const double before = run_energy(&r);
    const double scale = tml_sim_energy(r.sim).kinetic + 1.0;
    double highest = before;
    const long count = (long)(l->duration / l->step + 0.5);
    for (long k = 0; k < count; k++) {
        if (run_step(&r) != TML_OK) {
            CHECK(0);
            break;
        }
        if (k % 16 == 0) highest = larger_of(run_energy(&r), highest);
    }
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%-20s %6ld steps: gap %.1e, energy %+.2e J of %.2e, %lld restarts\n", l->scene, count,
           report.max_gap, run_energy(&r) - before, before, report.restarts);
    CHECK(report.steps == count);
    CHECK_NEAR(report.max_gap, 0.0, 1e-10);
    // BDF2 may gain its own error for a while, a thousandth at these steps
    if (l->is_passive) CHECK(highest - before < 5e-3 * scale);
    run_close(&r);
}

TEST(long_lives_keep_joints_closed_and_energy_in_bounds)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("set TRAMMEL_TEST_LONG to run it");
    for (size_t i = 0; i < sizeof long_runs / sizeof *long_runs; i++) live(&long_runs[i]);
}
