// test/sim/start.c - the accurate start: cheap everywhere, and better than the formula it serves.
#include "test/check.h"
#include "test/scenario/run.h"

#include <string.h>

// ---- what it costs

// Ten evaluations are the rule (three columns of the extrapolation table), 17 and 26 where a fourth
// or fifth column is needed; pieces of a stiff step come to a hundred at most. One evaluation is one
// factorisation, an ordinary step has three or four.
TEST(a_start_takes_few_evaluations_on_every_scene)
{
    int expensive = 0;
    for (int i = 0; i < scenes_untouched_count(); i++) {
        run r;
        CHECK(run_open(&r, scenes_at(i)->name) == TML_OK);
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_step(&r) == TML_OK);
        const tml_sim_report report = tml_sim_get_report(r.sim);
        if (report.start_evaluations > 17) {
            printf("%s: %lld evaluations\n", scenes_at(i)->name, report.start_evaluations);
            expensive++;
        }
        CHECK(report.start_evaluations > 0 && report.start_evaluations <= 100);
        CHECK(report.fallback_starts == 0);
        run_close(&r);
    }
    CHECK(expensive <= 1);  // the flyball governor: hw = 0.9 with its spring
}

TEST(a_start_takes_as_many_evaluations_for_long_chains_as_for_short_ones)
{
    for (int links = 5; links <= 500; links *= 10) {
        const scene_chain chain = {"link",    links,           TML_JOINT_SPHERICAL, 0.1, 0.012, 0.1,
                                   TML_WORLD, {0.0, 0.0, 0.0}, CHAIN_HORIZONTAL};
        run r;
        tml_spec* spec = tml_spec_create();
        scenes_add_chain(spec, &chain);
        CHECK(run_freeze(&r, spec) == TML_OK);
        r.settings.step = 2e-3;
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_step(&r) == TML_OK);
        CHECK(tml_sim_get_report(r.sim).start_evaluations <= 17);
        CHECK(tml_sim_get_report(r.sim).fallback_starts == 0);
        run_close(&r);
    }
}

// ---- what it is worth

// The largest distance of a body's origin between two simulations, m.
static double distance(const run* a, const run* b)
{
    double largest = 0.0;
    for (int i = 0; i < tml_model_body_count(a->model); i++) {
        const vec3 p = tml_sim_pose(a->sim, (tml_body){i}).p;
        const vec3 q = tml_sim_pose(b->sim, (tml_body){i}).p;
        largest = larger_of(v3_max(v3_sub(p, q)), largest);
    }
    return largest;
}

// How far the first two states of BDF2 are from a run with a step sixteen times shorter and two
// orders higher. The first state is the start's, the second the formula's own.
static void first_errors(const char* scene, double step, double out[2])
{
    enum {
        FINER = 16
    };
    run coarse;
    run fine;
    CHECK(run_begin(&coarse, scene, TML_TIME_BDF2, step) == TML_OK);
    CHECK(run_begin(&fine, scene, TML_TIME_BDF4, step / FINER) == TML_OK);
    for (int k = 0; k < 2; k++) {
        CHECK(run_step(&coarse) == TML_OK);
        CHECK(run_steps(&fine, FINER) == TML_OK);
        out[k] = distance(&coarse, &fine);
    }
    CHECK(tml_sim_get_report(coarse.sim).fallback_starts == 0);
    run_close(&coarse);
    run_close(&fine);
}

// Redundant rows are where an explicit start is hard: within the step the rows are met only nearly,
// and there they contradict each other (tml__maximal_accelerate_nearby).
TEST(the_start_is_far_better_than_the_first_step_of_the_formula)
{
    static const struct {
        const char* name;
        double step;
    } cases[] = {{"double-pendulum", 0.01},
                 {"four-bar", 0.01},
                 {"bricard", 0.01},
                 {"hoberman-sphere", 0.01},
                 {"two-hinge-door", 0.01}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double error[2];
        first_errors(cases[i].name, cases[i].step, error);
        printf("%-16s start %.1e m, first step of bdf2 %.1e m\n", cases[i].name, error[0],
               error[1]);
        CHECK(error[1] > 1e-9);              // the formula's error is there to be compared with
        CHECK(error[0] <= 0.02 * error[1]);  // a hundredth is aimed at
    }
}

// Stiff beyond what any explicit method could do: the report says so, and the run goes on.
TEST(a_start_that_is_too_stiff_falls_back_and_says_so)
{
    run r;
    tml_spec* spec = tml_spec_create();
    tml_body_def mass = tml_body_def_default();
    mass.pose.p = (tml_vec3){0.0, 0.0, -1.01};
    const tml_body bob = tml_spec_add_body(spec, &mass);
    const tml_point points[2] = {{TML_WORLD, {0.0, 0.0, 0.0}}, {bob, {0.0, 0.0, 0.0}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = points;
    spring.rest_length = 1.0;
    spring.stiffness = 1e8;  // 1e4 rad/s: a hundred radians a step
    tml_spec_add_spring(spec, &spring);
    CHECK(run_freeze(&r, spec) == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 3) == TML_OK);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    CHECK(report.fallback_starts == 1);
    CHECK(report.start_evaluations <= 100);
    run_close(&r);
}
