// test/model/control.c - controls: values, rates and accelerations, tables and natural splines.
#include "model/control.h"

#include "math/scalar.h"
#include "math/small.h"
#include "test/difference.h"
#include "test/math/random.h"

enum {
    MOST = 24
};

// A control ready to be evaluated, with the pool its spline lives in.
typedef struct prepared {
    pool memory;
    control_data data;
} prepared;

static prepared prepare(const tml_control* c)
{
    prepared out = {{.first = NULL}, {.second = NULL}};
    message why = {""};
    CHECK(tml__control_check(c, "it", &why) == TML_OK);
    CHECK(tml__control_prepare(c, &out.memory, &out.data) == TML_OK);
    return out;
}

static drive eval(const prepared* p, double t) { return tml__control_eval(&p->data, t); }

// Rate against differences of the value, acceleration against differences of the rate.
static void check_slopes(const prepared* p, double t, double noise, double rest)
{
    const double step = 0x1p-8;
    slope rate = {0};
    slope acceleration = {0};
    double first[2];
    double second[2];
    for (int half = 0; half < 2; half++) {
        const double e = half ? 0.5 * step : step;
        first[half] = (eval(p, t + e).value - eval(p, t - e).value) / (2.0 * e);
        second[half] = (eval(p, t + e).rate - eval(p, t - e).rate) / (2.0 * e);
    }
    slope_add(&rate, eval(p, t).rate, first[0], first[1]);
    slope_add(&acceleration, eval(p, t).acceleration, second[0], second[1]);
    CHECK_SLOPE("rate", &rate, noise, rest);
    CHECK_SLOPE("acceleration", &acceleration, noise, rest);
}

// ---- constants and sines

TEST(a_control_that_is_not_given_is_zero)
{
    const tml_control none = {.kind = TML_CONTROL_NONE, .value = 3.0};
    prepared p = prepare(&none);
    CHECK(!p.data.is_given);
    CHECK(eval(&p, 1.0).value == 0.0 && eval(&p, 1.0).rate == 0.0);
}

TEST(a_constant_does_not_move)
{
    const tml_control c = tml_control_constant(-2.5);
    prepared p = prepare(&c);
    const drive d = eval(&p, 17.0);
    CHECK(p.data.is_given);
    CHECK(d.value == -2.5 && d.rate == 0.0 && d.acceleration == 0.0);
}

TEST(a_sine_is_offset_plus_amplitude_sin)
{
    random_source r = random_start(301);
    for (int i = 0; i < 100; i++) {
        const double offset = random_between(&r, -2.0, 2.0);
        const double amplitude = random_between(&r, 0.5, 2.0);
        const double frequency = random_between(&r, 0.05, 0.5);
        const double phase = random_between(&r, -6.0, 6.0);
        const double t = random_between(&r, 0.0, 10.0);
        const tml_control c = tml_control_sine(offset, amplitude, frequency, phase);
        prepared p = prepare(&c);
        const double w = 2.0 * TML_PI * frequency;
        // an argument of up to 40 rad, rounded: 7e-15, and w^2 = 10 of it in the acceleration
        CHECK_NEAR(eval(&p, t).value, offset + amplitude * sin(w * t + phase), 2e-14);
        CHECK_NEAR(eval(&p, t).acceleration, -amplitude * w * w * sin(w * t + phase), 2e-13);
        // 2e-14 (3 of it in the rate) over 0x1p-8; e^4 / 480 = 5e-13 times w^6 = 1e3 at most
        check_slopes(&p, t, 2e-11, 1e-9);
    }
}

// ---- linear tables

static const double times[] = {0.5, 1.0, 3.0, 3.25};
static const double samples[] = {2.0, -1.0, 4.0, 4.5};
static const tml_control linear = {
    .kind = TML_CONTROL_TABLE, .count = 4, .times = times, .samples = samples};

TEST(a_table_is_linear_between_its_points_and_holds_its_ends)
{
    prepared p = prepare(&linear);
    CHECK(eval(&p, -1.0).value == 2.0 && eval(&p, -1.0).rate == 0.0);
    CHECK(eval(&p, 0.5).value == 2.0 && eval(&p, 0.5).rate == -6.0);
    CHECK_NEAR(eval(&p, 0.75).value, 0.5, 1e-15);
    CHECK_NEAR(eval(&p, 2.0).value, 1.5, 1e-15);
    CHECK_NEAR(eval(&p, 2.0).rate, 2.5, 1e-15);
    CHECK(eval(&p, 3.0).value == 4.0 && eval(&p, 3.0).rate == 2.0);
    CHECK(eval(&p, 3.25).value == 4.5 && eval(&p, 3.25).rate == 0.0);
    CHECK(eval(&p, 99.0).value == 4.5 && eval(&p, 99.0).rate == 0.0);
    CHECK(eval(&p, 2.0).acceleration == 0.0);
    check_slopes(&p, 2.0, 1e-12, 1e-12);  // no curvature: rounding only
    tml__pool_destroy(&p.memory);
}

TEST(a_table_of_one_point_is_a_constant)
{
    for (int kind = TML_CONTROL_TABLE; kind <= TML_CONTROL_CUBIC; kind++) {
        tml_control c = linear;
        c.kind = (tml_control_kind)kind;
        c.count = 1;
        prepared p = prepare(&c);
        for (double t = 0.0; t < 2.0; t += 0.25) {
            CHECK(eval(&p, t).value == 2.0 && eval(&p, t).rate == 0.0);
        }
        tml__pool_destroy(&p.memory);
    }
}

// ---- natural cubic splines

// Random points at uneven times.
typedef struct points {
    double t[MOST], y[MOST];
    tml_control control;
} points;

static void any_points(points* p, int count, random_source* r)
{
    double t = random_between(r, -1.0, 1.0);
    for (int i = 0; i < count; i++) {
        p->t[i] = t;
        p->y[i] = random_between(r, -1.0, 1.0);
        t += random_between(r, 0.1, 1.0);
    }
    p->control =
        (tml_control){.kind = TML_CONTROL_CUBIC, .count = count, .times = p->t, .samples = p->y};
}

// The definition, as a dense system in the four coefficients of every piece,
//     s_i(t) = a + b u + c u^2 + d u^3,  u = t - t_i:
// both end values of each piece, equal slope and curvature where pieces meet, none at the ends.
static void solve_densely(const points* p, int count, double* coefficients)
{
    static double A[4 * MOST * 4 * MOST];
    int pivot[4 * MOST];
    const int pieces = count - 1;
    const int n = 4 * pieces;
    int row = 0;
    memset(A, 0, sizeof A);
    memset(coefficients, 0, (size_t)n * sizeof *coefficients);
    for (int i = 0; i < pieces; i++) {
        const double h = p->t[i + 1] - p->t[i];
        const double end[4] = {1.0, h, h * h, h * h * h};
        A[row * n + 4 * i] = 1.0;
        coefficients[row++] = p->y[i];
        for (int k = 0; k < 4; k++) A[row * n + 4 * i + k] = end[k];
        coefficients[row++] = p->y[i + 1];
        if (i + 1 == pieces) break;
        for (int k = 1; k < 4; k++) A[row * n + 4 * i + k] = k * end[k - 1];
        A[row++ * n + 4 * (i + 1) + 1] = -1.0;
        A[row * n + 4 * i + 2] = 2.0;
        A[row * n + 4 * i + 3] = 6.0 * h;
        A[row++ * n + 4 * (i + 1) + 2] = -2.0;
    }
    A[row++ * n + 2] = 2.0;
    A[row * n + n - 2] = 2.0;
    A[row++ * n + n - 1] = 6.0 * (p->t[count - 1] - p->t[count - 2]);
    CHECK(row == n);
    CHECK(tml__lu_factor(n, A, n, pivot) == TML_OK);
    tml__lu_solve(n, A, n, pivot, coefficients);
}

static void compare_densely(int count, random_source* r)
{
    points p;
    double c[4 * MOST];
    any_points(&p, count, r);
    solve_densely(&p, count, c);
    prepared s = prepare(&p.control);
    for (int i = 0; i + 1 < count; i++) {
        for (int k = 0; k < 5; k++) {
            const double h = p.t[i + 1] - p.t[i];
            const double u = 0.2 * k * h;
            const double* a = &c[4 * i];
            const drive d = eval(&s, p.t[i] + u);
            const double value = a[0] + u * (a[1] + u * (a[2] + u * a[3]));
            const double rate = a[1] + u * (2.0 * a[2] + u * 3.0 * a[3]);
            const double acceleration = 2.0 * a[2] + 6.0 * a[3] * u;
            // pieces of 0.1 s make coefficients of up to 1e4 in a system conditioned 1e4
            CHECK_NEAR(d.value, value, 1e-12);
            CHECK_NEAR(d.rate, rate, 1e-11);
            CHECK_NEAR(d.acceleration, acceleration, 1e-9);
        }
    }
    tml__pool_destroy(&s.memory);
}

TEST(a_cubic_control_is_the_natural_spline)
{
    random_source r = random_start(302);
    for (int count = 2; count <= MOST; count++) {
        for (int repeat = 0; repeat < 3; repeat++) compare_densely(count, &r);
    }
}

TEST(a_spline_meets_its_points_without_a_jump_in_slope_or_curvature)
{
    random_source r = random_start(303);
    points p;
    any_points(&p, 12, &r);
    prepared s = prepare(&p.control);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(eval(&s, p.t[i]).value, p.y[i], 1e-15);
        if (i == 0 || i == 11) continue;
        const double e = 1e-9;
        const drive left = eval(&s, p.t[i] - e);
        const drive right = eval(&s, p.t[i] + e);
        CHECK_NEAR(left.rate, right.rate, 1e-6);                     // 2 e times curvatures of 200
        CHECK_NEAR(left.acceleration, right.acceleration, 1e-4);     // 2 e times jerks of 1e4
        check_slopes(&s, 0.5 * (p.t[i] + p.t[i + 1]), 1e-10, 1e-9);  // cubics of 1e3: rounding
    }
    CHECK_NEAR(eval(&s, p.t[0]).acceleration, 0.0, 1e-12);  // natural
    CHECK_NEAR(eval(&s, p.t[11] - 1e-12).acceleration, 0.0, 1e-7);
    CHECK(eval(&s, p.t[0] - 0.1).rate == 0.0 && eval(&s, p.t[11]).rate == 0.0);
    tml__pool_destroy(&s.memory);
}

TEST(a_spline_of_two_points_is_a_line)
{
    random_source r = random_start(304);
    points p;
    any_points(&p, 2, &r);
    prepared s = prepare(&p.control);
    const double slope_of = (p.y[1] - p.y[0]) / (p.t[1] - p.t[0]);
    const drive d = eval(&s, 0.25 * p.t[0] + 0.75 * p.t[1]);
    CHECK_NEAR(d.value, 0.25 * p.y[0] + 0.75 * p.y[1], 1e-15);
    CHECK_NEAR(d.rate, slope_of, 1e-14);
    CHECK(d.acceleration == 0.0);
    tml__pool_destroy(&s.memory);
}

// ---- copies and refusals

TEST(a_copied_table_outlives_the_original)
{
    double t[3] = {0.0, 1.0, 2.0};
    double y[3] = {5.0, 6.0, 7.0};
    const tml_control c = {.kind = TML_CONTROL_TABLE, .count = 3, .times = t, .samples = y};
    pool memory = {.first = NULL};
    tml_control copy;
    control_data data;
    CHECK(tml__control_copy(&c, &memory, &copy) == TML_OK);
    CHECK(tml__control_prepare(&copy, &memory, &data) == TML_OK);
    for (int i = 0; i < 3; i++) t[i] = y[i] = -99.0;
    CHECK(tml__control_eval(&data, 0.5).value == 5.5);
    tml__pool_destroy(&memory);
}

TEST(a_copy_of_a_sine_drops_stray_table_pointers)
{
    tml_control c = tml_control_sine(1.0, 2.0, 3.0, 4.0);
    c.count = 1000000;
    c.times = times;
    pool memory = {.first = NULL};
    tml_control copy;
    CHECK(tml__control_copy(&c, &memory, &copy) == TML_OK);
    CHECK(copy.count == 0 && copy.times == NULL && copy.samples == NULL);
    tml__pool_destroy(&memory);
}

static void refuses(const tml_control* c, const char* piece)
{
    message why = {""};
    CHECK(tml__control_check(c, "joint 'knee': control of rx", &why) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why.text, "joint 'knee': control of rx");
    CHECK_CONTAINS(why.text, piece);
}

TEST(bad_controls_are_refused_with_their_place_and_number)
{
    const double nan_times[] = {0.0, (double)NAN, 2.0};
    const double equal_times[] = {0.0, 1.0, 1.0};
    const double falling_times[] = {0.0, 2.0, 1.0};
    const double infinite[] = {0.0, 1.0, (double)INFINITY};
    const double good[] = {0.0, 1.0, 2.0};
    tml_control c = tml_control_constant((double)NAN);
    refuses(&c, "not finite");
    c = tml_control_sine(0.0, 1.0, (double)INFINITY, 0.0);
    refuses(&c, "not finite");
    for (int kind = TML_CONTROL_TABLE; kind <= TML_CONTROL_CUBIC; kind++) {
        c = (tml_control){.kind = (tml_control_kind)kind};
        refuses(&c, "empty");
        c = (tml_control){
            .kind = (tml_control_kind)kind, .count = -1, .times = good, .samples = good};
        refuses(&c, "empty");
        c = (tml_control){.kind = (tml_control_kind)kind, .count = 3, .times = good};
        refuses(&c, "empty");
        c.samples = infinite;
        refuses(&c, "point 2 of its control is not finite");
        c.samples = good;
        c.times = nan_times;
        refuses(&c, "point 1 of its control is not finite");
        c.times = equal_times;
        refuses(&c, "point 2 is at 1 s after 1 s");
        c.times = falling_times;
        refuses(&c, "point 2 is at 1 s after 2 s");
    }
    c = tml_control_constant(1.0);
    c.kind = (tml_control_kind)17;
    refuses(&c, "kind");
}
