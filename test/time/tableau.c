// test/time/tableau.c - the numbers of every time formula against the conditions that define them.
//
// The tables are tried on polynomials: a formula of order k is exact for degree k and wrong by a
// known amount for degree k + 1. Nothing of the library's own arithmetic is used to say what is
// right.
#include "test/check.h"
#include "time/relation.h"

static const double root_half = 0.70710678118654752440;

// t^m and its derivative, also for m = 0.
static double power(double t, int m)
{
    double y = 1.0;
    for (int i = 0; i < m; i++) y *= t;
    return y;
}

static double slope(double t, int m) { return m == 0 ? 0.0 : m * power(t, m - 1); }
static double bend(double t, int m) { return m < 2 ? 0.0 : m * (m - 1) * power(t, m - 2); }

// What is missing at t = 1 when q = t^m, v = q', a = v' are put into the relation of a BDF whose
// states stand at 1 - h, 1 - 2h, ...; the defect of v is that of the formula itself.
static void bdf_defect(int order, int m, double h, double* defect_q, double* defect_v)
{
    double q[TIME_PAST];
    double v[TIME_PAST];
    double q_hat;
    double v_hat;
    time_history past = {.h = h, .count = order};
    time_relation relation = {.q_hat = &q_hat, .v_hat = &v_hat};

    for (int k = 0; k < order; k++) {
        const double t = 1.0 - h * (k + 1);
        q[k] = power(t, m);
        v[k] = slope(t, m);
        past.q[k] = &q[k];
        past.v[k] = &v[k];
    }
    tml__bdf(&past, order, 1, &relation);
    *defect_v = slope(1.0, m) - (v_hat + relation.c_v * bend(1.0, m));
    *defect_q = power(1.0, m) - (q_hat + relation.c_q * bend(1.0, m));
}

TEST(backward_differences_are_exact_up_to_their_order)
{
    for (int order = 1; order <= TIME_PAST; order++) {
        for (int m = 0; m <= order; m++) {
            double defect_q = 1.0;
            double defect_v = 1.0;
            bdf_defect(order, m, 0.25, &defect_q, &defect_v);
            // coefficients up to 450/147 on numbers up to 1: a dozen roundings
            CHECK_NEAR(defect_q, 0.0, 2e-14);
            CHECK_NEAR(defect_v, 0.0, 1e-13);  // degree 6 has slopes up to 6
        }
    }
}

// y = t^(k+1): the k-th backward difference formula leaves beta (k!) h^(k+1), because the first
// difference that it drops, of order k + 1, is (k + 1)! h^(k+1) and enters divided by k + 1.
TEST(backward_differences_miss_the_next_degree_by_their_known_constant)
{
    static const double beta[TIME_PAST] = {1.0,       2.0 / 3.0,  6.0 / 11.0,
                                           12.0 / 25, 60.0 / 137, 60.0 / 147};
    double factorial = 1.0;
    for (int order = 1; order <= TIME_PAST; order++) {
        const double h = 0.25;
        double defect_q = 0.0;
        double defect_v = 0.0;
        factorial *= order;
        // v = (k+2) t^(k+1) is the polynomial of degree k + 1 here
        bdf_defect(order, order + 2, h, &defect_q, &defect_v);
        const double expected = -(order + 2) * beta[order - 1] * factorial * power(h, order + 1);
        CHECK_NEAR(defect_v / expected, 1.0, 1e-9);  // cancellation leaves 1e-13 of 1e-4
    }
}

TEST(names_map_to_their_orders)
{
    for (int k = 1; k <= 6; k++) {
        CHECK(tml__bdf_order((tml_integrator)(TML_TIME_BDF1 + k - 1)) == k);
    }
    CHECK(tml__bdf_order(TML_TIME_SDIRK2) == 0);
    CHECK(tml__bdf_order(TML_TIME_RK4) == 0);
    CHECK(tml__dirk(TML_TIME_BDF2) == NULL);
}

// ---- Runge-Kutta                                                                  [QRBD App A]

static const tml_integrator runge_kuttas[2] = {TML_TIME_SDIRK2, TML_TIME_SDIRK2_PARESCHI_RUSSO};

TEST(runge_kutta_rows_sum_to_their_times)
{
    for (int i = 0; i < 2; i++) {
        const dirk* m = tml__dirk(runge_kuttas[i]);
        for (int s = 0; s < 2; s++) CHECK_NEAR(m->a[s][0] + m->a[s][1], m->c[s], 1e-16);
        CHECK(m->a[0][1] == 0.0);         // diagonally implicit
        CHECK(m->a[0][0] == m->a[1][1]);  // singly so
        CHECK_NEAR(m->a[0][0], 1.0 - root_half, 1e-16);
    }
}

TEST(runge_kuttas_satisfy_the_conditions_of_order_two_and_not_three)
{
    for (int i = 0; i < 2; i++) {
        const dirk* m = tml__dirk(runge_kuttas[i]);
        CHECK_NEAR(m->b[0] + m->b[1], 1.0, 1e-16);
        CHECK_NEAR(m->b[0] * m->c[0] + m->b[1] * m->c[1], 0.5, 2e-16);
        const double third = m->b[0] * m->c[0] * m->c[0] + m->b[1] * m->c[1] * m->c[1];
        CHECK(fabs(third - 1.0 / 3.0) > 0.01);
    }
}

// R(infinity) = 1 - b^T A^-1 1 vanishes: what a stiff part has stored is gone after one step.
TEST(runge_kuttas_forget_infinitely_stiff_parts)
{
    for (int i = 0; i < 2; i++) {
        const dirk* m = tml__dirk(runge_kuttas[i]);
        const double x0 = 1.0 / m->a[0][0];
        const double x1 = (1.0 - m->a[1][0] * x0) / m->a[1][1];
        CHECK_NEAR(1.0 - (m->b[0] * x0 + m->b[1] * x1), 0.0, 1e-14);  // 1/gamma^2 = 12 roundings
    }
}

TEST(only_the_stiffly_accurate_one_ends_on_its_last_stage)
{
    const dirk* m = tml__dirk(TML_TIME_SDIRK2);
    CHECK(m->is_stiffly_accurate == 1);
    CHECK(m->b[0] == m->a[1][0] && m->b[1] == m->a[1][1] && m->c[1] == 1.0);
    CHECK_NEAR(m->a[1][0], root_half, 1e-16);  // the paper prints sqrt(2) - 1
    CHECK(tml__dirk(TML_TIME_SDIRK2_PARESCHI_RUSSO)->is_stiffly_accurate == 0);
}

// One step of q'' = -w^2 q, whose stages are linear equations solved by hand.
static void oscillate(const dirk* m, double h, double w, double* q, double* v)
{
    double k_q[2] = {0.0, 0.0};
    double k_v[2] = {0.0, 0.0};
    const dirk_rates rates = {.q = {&k_q[0], &k_q[1]}, .v = {&k_v[0], &k_v[1]}};
    double q_hat;
    double v_hat;
    double q_end = 0.0;
    double v_end = 0.0;
    time_relation relation = {.q_hat = &q_hat, .v_hat = &v_hat};

    for (int s = 0; s < 2; s++) {
        tml__dirk_stage(m, s, h, q, v, &rates, 1, &relation);
        // q = q_hat + c_q a with a = -w^2 q
        q_end = q_hat / (1.0 + relation.c_q * w * w);
        tml__dirk_rate(&relation, &q_end, 1, rates.q[s], rates.v[s]);
        CHECK_NEAR(k_v[s], -w * w * q_end, 1e-9 * w * w);  // a from differences: /(c_q) roundings
    }
    tml__relation_velocity(&relation, &q_end, 1, &v_end);
    if (!m->is_stiffly_accurate) tml__dirk_close(m, h, q, v, &rates, 1, &q_end, &v_end);
    *q = q_end;
    *v = v_end;
}

TEST(runge_kuttas_converge_with_order_two_on_an_oscillator)
{
    const double w = 3.0;
    for (int i = 0; i < 2; i++) {
        double error[2];
        for (int level = 0; level < 2; level++) {
            const int steps = 100 << level;
            double q = 1.0;
            double v = 0.0;
            for (int k = 0; k < steps; k++)
                oscillate(tml__dirk(runge_kuttas[i]), 1.0 / steps, w, &q, &v);
            error[level] = hypot(q - cos(w), (v + w * sin(w)) / w);
        }
        // 2, less what the next order contributes at w h = 0.03
        CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.02);
    }
}

// The velocity of q = t^m at t = 1 by extrapolation from `count` states before it: the one that the
// relation gives to the position found. The relation is made of numbers that no formula has.
static bool extrapolate_power(int m, int count, double h, double* v)
{
    double past_v[TIME_PAST];
    double v_hat = 0.375;
    double q_hat = -0.8125;
    const time_relation relation = {.c_v = 0.75, .c_q = 0.5, .v_hat = &v_hat, .q_hat = &q_hat};
    time_history past = {.h = h, .count = count};
    double q = 0.0;

    for (int k = 0; k < count; k++) {
        past_v[k] = slope(1.0 - h * (k + 1), m);
        past.v[k] = &past_v[k];
    }
    if (!tml__extrapolate(&past, &relation, 1, &q)) return false;
    tml__relation_velocity(&relation, &q, 1, v);
    return true;
}

// k velocities extrapolate degree k - 1 exactly, that is q = t^k; of the next degree they miss the k-th
// difference of (k + 1) t^k, (k + 1) k! h^k.
TEST(extrapolation_is_exact_up_to_its_order_and_misses_the_next_term)
{
    const double h = 1.0 / 64;  // small enough for all terms to shrink

    for (int count = 3; count <= TIME_PAST; count++) {
        double factorial = 1.0;
        for (int m = 2; m <= count; m++) factorial *= m;
        for (int m = 0; m <= count + 1; m++) {
            double v = 0.0;
            const bool is_smooth = extrapolate_power(m, count, h, &v);
            // without an acceleration there is nothing whose change could be small
            CHECK(is_smooth == (m >= 2));
            if (!is_smooth) continue;
            const double missed = m <= count ? 0.0 : (count + 1) * factorial * power(h, count);
            // velocities up to 7, in differences that add up 2^5 of their roundings
            CHECK_NEAR(slope(1.0, m) - v, missed, 1e-13);
        }
    }
}

// Adams-Bashforth with k velocities is exact for degree k; of the next degree it misses gamma_k k!
// h^(k+1) (k + 1), because the k-th difference of (k + 1) t^k is (k + 1) k! h^k.
TEST(integrated_velocities_are_exact_up_to_their_order_and_miss_the_next_term)
{
    static const double missing[TIME_PAST + 1] = {
        0.0, 0.0, 0.0, 3.0 / 8, 251.0 / 720, 95.0 / 288, 19087.0 / 60480};
    const double h = 1.0 / 64;

    for (int count = 3; count <= TIME_PAST; count++) {
        double factorial = 1.0;
        for (int m = 2; m <= count; m++) factorial *= m;
        for (int m = 2; m <= count + 1; m++) {
            double past_q[TIME_PAST];
            double past_v[TIME_PAST];
            time_history past = {.h = h, .count = count};
            double q = 0.0;
            for (int k = 0; k < count; k++) {
                past_q[k] = power(1.0 - h * (k + 1), m);
                past_v[k] = slope(1.0 - h * (k + 1), m);
                past.q[k] = &past_q[k];
                past.v[k] = &past_v[k];
            }
            CHECK(tml__integrate_past(&past, 1, &q));
            const double missed =
                m <= count ? 0.0 : missing[count] * (count + 1) * factorial * power(h, count + 1);
            CHECK_NEAR(1.0 - q, missed, 1e-15);  // sums of numbers up to 1, times h
        }
    }
}

TEST(extrapolation_refuses_jumps_and_short_histories_and_takes_turning_points)
{
    enum {
        ENTRIES = 19  // not a multiple of what is looked at together
    };
    double q[ENTRIES] = {0.0};
    double v[TIME_PAST][ENTRIES] = {{0.0}};
    double out[ENTRIES];
    // q = 0.01 v
    const time_relation relation = {.c_v = 0.01, .c_q = 1e-4, .v_hat = q, .q_hat = q};
    time_history past = {.h = 0.01, .count = TIME_PAST};
    for (int k = 0; k < TIME_PAST; k++) {
        past.q[k] = q;
        past.v[k] = v[k];
    }

    // v = t^2 + t about its zero: the velocity vanishes now, and nothing is wrong with that
    for (int k = 0; k < TIME_PAST; k++) v[k][ENTRIES - 1] = 0.01 * k * (0.01 * k - 1.0);
    CHECK(tml__extrapolate(&past, &relation, ENTRIES, out));
    CHECK_NEAR(out[ENTRIES - 1], 0.01 * 0.01 * (0.01 + 1.0), 1e-18);
    CHECK(out[0] == 0.0);

    past.count = 2;
    CHECK(!tml__extrapolate(&past, &relation, ENTRIES, out));

    // it was hit three steps ago: the states since then are smooth
    past.count = TIME_PAST;
    for (int k = 3; k < TIME_PAST; k++) v[k][ENTRIES - 1] += 10.0;
    CHECK(tml__extrapolate(&past, &relation, ENTRIES, out));
    CHECK_NEAR(out[ENTRIES - 1], 0.01 * 0.01 * (0.01 + 1.0), 1e-18);

    // two steps ago
    v[2][ENTRIES - 1] += 10.0;
    CHECK(!tml__extrapolate(&past, &relation, ENTRIES, out));

    // the last entry has been hit
    for (int k = 2; k < TIME_PAST; k++) v[k][ENTRIES - 1] -= 10.0;
    v[0][ENTRIES - 1] = 1.0;
    CHECK(!tml__extrapolate(&past, &relation, ENTRIES, out));
}
