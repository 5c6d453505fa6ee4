// test/solve/newton.c - the Newton loop on equations that can be solved by hand.
//
// A square root: its derivative is known, it changes, and what Newton and a fixed factor leave of an
// error can be told in advance.
#include "solve/newton.h"

#include "test/check.h"

#include <stdbool.h>

// x^2 = square, by Newton from `x`; the "matrix" is 2 x where it was last factored.
typedef struct root {
    double square;
    double x, start, step, ahead;
    double factor;
    double softness;  // of each step, the part that a poor factor leaves undone
    bool ends_unseen;
    int factorisations, adopted, evaluations;
} root;

static double residual(const root* r) { return r->x * r->x - r->square; }

static void evaluate(void* self, newton_merit* out)
{
    root* r = self;
    const double e = residual(r);
    r->evaluations++;
    *out = (newton_merit){.merit = e * e, .row = fabs(e), .consistency = 1.0};
}

static tml_status direct(void* self, double* update)
{
    root* r = self;
    r->factor = 2.0 * r->x / (1.0 - r->softness);
    r->factorisations++;
    r->start = r->x;
    r->step = -residual(r) / r->factor;
    *update = fabs(r->step);
    return TML_OK;
}

static tml_status look_ahead(void* self, double* update)
{
    root* r = self;
    r->ahead = -residual(r) / r->factor;
    *update = fabs(r->ahead);
    return TML_OK;
}

static void adopt(void* self)
{
    root* r = self;
    r->adopted++;
    r->start = r->x;
    r->step = r->ahead;
}

static void move(void* self, double fraction)
{
    root* r = self;
    r->x = r->start + fraction * r->step;
}

static tml_status find(root* r, bool may_reuse, int max_iterations, newton_report* report)
{
    const newton_problem problem = {.self = r,
                                    .evaluate = evaluate,
                                    .direct = direct,
                                    .look_ahead = look_ahead,
                                    .adopt = may_reuse ? adopt : NULL,
                                    .move = move,
                                    .ends_unseen = r->ends_unseen};
    const newton_settings settings = {
        .tolerance = 1e-10, .max_iterations = max_iterations, .min_consistency = 0.1};
    return tml__newton(&problem, &settings, report);
}

TEST(far_from_the_root_every_step_has_a_matrix_of_its_own)
{
    root r = {.square = 2.0, .x = 10.0};
    newton_report report;
    CHECK(find(&r, false, 30, &report) == TML_OK);
    CHECK_NEAR(r.x, 1.41421356237309505, 1e-15);
    CHECK(report.iterations == r.factorisations && report.factorisations == r.factorisations);
    CHECK(report.update <= 1e-10);
}

// From 1e-4 away: the next error of Newton is e^2/(2 x) = 3.5e-9, that of each step with the old factor
// e_0 e/x, so 7e-5 of the one before: 2.5e-13, 2e-17.
TEST(near_the_root_one_factor_does)
{
    root r = {.square = 2.0, .x = 1.41421356237309505 + 1e-4};
    newton_report report;
    CHECK(find(&r, true, 30, &report) == TML_OK);
    CHECK_NEAR(r.x, 1.41421356237309505, 4e-16);  // two roundings of x
    CHECK(r.factorisations == 1 && report.factorisations == 1);
    CHECK(r.adopted == 2 && report.iterations == 3);
    CHECK(report.update <= 1e-10 && report.last.row <= 1e-10);
}

TEST(reused_factors_give_the_root_of_full_newton)  // [QRBD Sec 6]
{
    for (int i = 0; i < 60; i++) {
        const double away = pow(10.0, -0.25 * i);  // 1 ... 1e-15
        root full = {.square = 3.0, .x = 1.7320508075688772 + away};
        root quick = full;
        newton_report full_report;
        newton_report quick_report;
        CHECK(find(&full, false, 30, &full_report) == TML_OK);
        CHECK(find(&quick, true, 30, &quick_report) == TML_OK);
        CHECK_NEAR(quick.x, full.x, 1e-15);
        CHECK(quick_report.factorisations <= full_report.factorisations);
    }
}

// A single short step says nothing about the next one, however short it is.
TEST(a_first_step_is_never_the_last_unless_it_is_rounding)
{
    root r = {.square = 2.0, .x = 1.41421356237309505 + 5e-11};
    newton_report report;
    CHECK(find(&r, true, 30, &report) == TML_OK);
    CHECK(report.iterations == 2 && report.factorisations == 1);

    r = (root){.square = 2.0, .x = 1.4142135623730951};
    CHECK(find(&r, true, 30, &report) == TML_OK);
    CHECK(report.iterations == 1);
}

// Steps of a factor that leaves 0.3 of the way are too slow to be taken from afar, but a settled iterate
// takes them: the tolerance is met from the start here, and the root is not.
TEST(a_settled_iterate_goes_on_while_it_comes_closer)
{
    root r = {.square = 2.0, .x = 1.41421356237309505 + 5e-11, .softness = 0.3};
    newton_report report;
    CHECK(find(&r, true, 30, &report) == TML_OK);
    CHECK_NEAR(r.x, 1.41421356237309505, 1e-15);  // a few roundings of x
    CHECK(report.factorisations == 1 && report.iterations > 5);
}

TEST(the_last_step_is_not_evaluated_where_nobody_looks)
{
    root seen = {.square = 2.0, .x = 1.41421356237309505 + 1e-4};
    root unseen = seen;
    newton_report report;
    unseen.ends_unseen = true;
    CHECK(find(&seen, true, 30, &report) == TML_OK);
    CHECK(find(&unseen, true, 30, &report) == TML_OK);
    CHECK(seen.x == unseen.x);
    CHECK(unseen.evaluations == seen.evaluations - 1);
}

TEST(steps_with_an_old_factor_count_as_iterations)
{
    root r = {.square = 2.0, .x = 1.41421356237309505 + 1e-4};
    newton_report report;
    CHECK(find(&r, true, 2, &report) == TML_NOT_CONVERGED);
    CHECK(report.iterations == 2 && report.factorisations == 1);
    r.x = 1.41421356237309505 + 1e-4;
    CHECK(find(&r, true, 3, &report) == TML_OK);
    CHECK(report.iterations == 3);
}

TEST(no_number_to_start_from_is_not_converged)
{
    root r = {.square = (double)NAN, .x = 1.0};
    newton_report report;
    CHECK(find(&r, true, 30, &report) == TML_NOT_CONVERGED);
    CHECK(report.iterations == 0);
}

// ---- next to a singular pose

// Every update has the same length, whatever it is made of, and leaves the same residual.
typedef struct noise {
    double merit, update;
} noise;

static void noise_evaluate(void* self, newton_merit* out)
{
    *out = (newton_merit){((noise*)self)->merit, 1e-12, 1.0};
}

static tml_status noise_direct(void* self, double* update)
{
    *update = ((noise*)self)->update;
    return TML_OK;
}

static void noise_move(void* self, double fraction)
{
    (void)self;
    (void)fraction;
}

static tml_status settle_noise(noise n, int iterations, newton_report* report)
{
    const newton_problem problem = {
        .self = &n, .evaluate = noise_evaluate, .direct = noise_direct, .move = noise_move};
    const newton_settings settings = {
        .tolerance = 1e-10, .max_iterations = iterations, .min_consistency = 0.1};
    return tml__newton(&problem, &settings, report);
}

TEST(updates_that_do_not_shrink_are_taken_where_everything_else_is_zero)
{
    newton_report report;
    CHECK(settle_noise((noise){5e-23, 1e-8}, 30, &report) == TML_OK);
    CHECK(report.is_loose && report.iterations == 30);
    // not before it has stalled, not with an update that moves something, not with a residual
    CHECK(settle_noise((noise){5e-23, 1e-8}, 10, &report) == TML_NOT_CONVERGED);
    CHECK(settle_noise((noise){5e-23, 1e-6}, 30, &report) == TML_NOT_CONVERGED);
    CHECK(settle_noise((noise){1e-18, 1e-8}, 30, &report) == TML_NOT_CONVERGED && !report.is_loose);
    // and what is short enough is no loose end
    CHECK(settle_noise((noise){5e-23, 1e-11}, 30, &report) == TML_OK && !report.is_loose);
}
