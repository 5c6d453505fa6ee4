// test/redundant/windows.h - the N-four-bar mechanism beside its stored solution.
#ifndef TRAMMEL_TEST_REDUNDANT_WINDOWS_H
#define TRAMMEL_TEST_REDUNDANT_WINDOWS_H

#include "scenes/builders.h"
#include "test/check.h"
#include "test/scenario/run.h"
#include "test/scenario/table.h"

typedef struct window_errors {
    double place;   // of the first crank's end, m
    double branch;  // of any link from the parallelograms' pose: components of unit vectors
    double gap;     // m
} window_errors;

// Body x runs along each link: cranks all point where the first one does, couplers stay level.
static inline double windows_off_branch(const run* r, int windows)
{
    const vec3 x = {1.0, 0.0, 0.0};
    const vec3 first =
        q_rotate(tml_sim_pose(r->sim, tml_model_find_body(r->model, "crank.0")).q, x);
    double worst = 0.0;
    for (int i = 0; i <= windows; i++) {
        char name[32];
        snprintf(name, sizeof name, "crank.%d", i);
        const quat q = tml_sim_pose(r->sim, tml_model_find_body(r->model, name)).q;
        worst = larger_of(v3_max(v3_sub(q_rotate(q, x), first)), worst);
        if (i == windows) break;
        snprintf(name, sizeof name, "coupler.%d", i);
        const quat level = tml_sim_pose(r->sim, tml_model_find_body(r->model, name)).q;
        worst = larger_of(v3_max(v3_sub(q_rotate(level, x), x)), worst);
    }
    return worst;
}

static inline window_errors windows_follow(int windows, const table* t, double duration, int rate)
{
    const int stride = (int)(0.01 * rate + 0.5);
    const int rows = (int)(duration / 0.01 + 0.5) + 1;
    tml_spec* spec = tml_spec_create();
    window_errors worst = {0.0, 0.0, 0.0};
    char names[2][32];
    run r;

    snprintf(names[0], sizeof names[0], "B0x_N%d", windows);
    snprintf(names[1], sizeof names[1], "B0y_N%d", windows);
    scenes_add_four_bars(spec, windows);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.integrator = TML_TIME_BDF2;
    r.settings.step = 0.01 / stride;
    CHECK(run_start(&r) == TML_OK);
    for (int row = 0; row < rows && check_failures == 0; row++) {
        const vec3 middle = tml_sim_pose(r.sim, tml_model_find_body(r.model, "crank.0")).p;
        const double dx = 2.0 * middle.x - table_at(t, row, names[0]);
        const double dy = 2.0 * middle.y - table_at(t, row, names[1]);
        worst.place = larger_of(larger_of(fabs(dx), fabs(dy)), worst.place);
        worst.branch = larger_of(windows_off_branch(&r, windows), worst.branch);
        if (row + 1 < rows) CHECK(run_steps(&r, stride) == TML_OK);
    }
    worst.gap = tml_sim_get_report(r.sim).max_gap;
    run_close(&r);
    return worst;
}

// The error against the file falls at order 2 and no link leaves the pose of a parallelogram.
static inline void check_windows_order(int windows, double duration, int rate)
{
    table t;
    if (!table_open(&t, "../shared/reference/n_fourbar.csv")) {
        SKIP("no ../shared/reference beside the project");
    }
    const window_errors coarse = windows_follow(windows, &t, duration, rate);
    const window_errors fine = windows_follow(windows, &t, duration, 2 * rate);
    const double order = log2(coarse.place / fine.place);
    printf(
        "%2d windows, %.1f s, %d steps/s: place %.1e order %.2f, off the branch %.1e, gap %.1e\n",
        windows, duration, 2 * rate, fine.place, order, fine.branch, fine.gap);
    CHECK(order > 1.85 && order < 2.3);  // the next term of the expansion
    // in line the rows hold the pose to second order only: gaps of 1e-15 leave sqrt(1e-15) at most
    CHECK(fine.branch <= 3e-8);
    CHECK(fine.gap <= 1e-10);
    table_close(&t);
}

#endif
