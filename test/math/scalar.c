// test/math/scalar.c - our sine, cosine, atan2, asin and exp against the long double library.
#include "math/scalar.h"

#include "test/check.h"
#include "test/math/random.h"

#include <float.h>

enum {
    POINTS = 400000
};

// |actual - exact| in units of the last place of the exact value.
static double error_in_ulp(double actual, long double exact)
{
    int exponent = 0;
    frexp((double)exact, &exponent);
    return (double)fabsl(((long double)actual - exact) / (long double)ldexp(1.0, exponent - 53));
}

static void keep_larger(double* largest, double value)
{
    if (!(value <= *largest)) *largest = value;  // a NaN stays and fails
}

// 80-bit values are good to 2^-11 ulp of a double; a platform without them has no reference.
#define NEED_LONG_DOUBLE()                                                                         \
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) SKIP("long double is no wider than double here")

// 0.5 ulp is the final rounding; the rest is the rounding of r^2 in the series.
TEST(sin_and_cos_are_within_one_ulp_up_to_1e5)
{
    NEED_LONG_DOUBLE();
    random_source r = random_start(__LINE__);
    double worst_sin = 0.0;
    double worst_cos = 0.0;

    for (int i = 0; i < POINTS; i++) {
        const double range = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 10.0 : 1e5;
        const double x = random_between(&r, -range, range);
        keep_larger(&worst_sin, error_in_ulp(tml__sin(x), sinl((long double)x)));
        keep_larger(&worst_cos, error_in_ulp(tml__cos(x), cosl((long double)x)));
    }
    printf("largest error: sin %.3f ulp, cos %.3f ulp\n", worst_sin, worst_cos);
    CHECK(worst_sin < 0.85);
    CHECK(worst_cos < 0.85);
}

// Where the reduction cancels most: the doubles on both sides of the multiples of pi/2.
TEST(sin_and_cos_are_within_one_ulp_next_to_multiples_of_a_right_angle)
{
    NEED_LONG_DOUBLE();
    double worst = 0.0;
    for (int k = 1; k < 63000; k++) {
        const double middle = k * (TML_PI / 2.0);
        const double x[3] = {nextafter(middle, 0.0), middle, nextafter(middle, 1e9)};
        for (int i = 0; i < 3; i++) {
            keep_larger(&worst, error_in_ulp(tml__sin(x[i]), sinl((long double)x[i])));
            keep_larger(&worst, error_in_ulp(tml__cos(x[i]), cosl((long double)x[i])));
        }
    }
    CHECK(worst < 0.85);
}

// Beyond 1e5 the error may grow, but not faster than the spacing of the doubles themselves.
TEST(sin_and_cos_of_large_arguments_lose_digits_in_proportion)
{
    NEED_LONG_DOUBLE();
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 2000; i++) {
        const double x = random_between(&r, 1.0, 2.0) * ldexp(1.0, 17 + i % 32);
        const double allowed = DBL_EPSILON * (2.0 + x);
        CHECK_NEAR(tml__sin(x), (double)sinl((long double)x), allowed);
        CHECK_NEAR(tml__cos(x), (double)cosl((long double)x), allowed);
    }
    const double huge[] = {0x1p50, 1e16, 1e200, DBL_MAX};
    for (int i = 0; i < 4; i++) {
        const double s = tml__sin(huge[i]);
        const double c = tml__cos(-huge[i]);
        CHECK_NEAR(s * s + c * c, 1.0, 4.0 * DBL_EPSILON);
    }
}

// Independent of any library: the addition theorem ties values at three arguments together.
TEST(sin_obeys_the_addition_theorem)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 2000; i++) {
        const double a = ldexp((double)(int)random_between(&r, -4e6, 4e6), -20);
        const double b = ldexp((double)(int)random_between(&r, -4e6, 4e6), -20);
        const double expected = tml__sin(a) * tml__cos(b) + tml__cos(a) * tml__sin(b);
        CHECK_NEAR(tml__sin(a + b), expected, 4.0 * DBL_EPSILON);  // a + b is exact
    }
}

// Bit for bit, in every quadrant and where sin has a way of its own.
TEST(sin_cos_together_are_sin_and_cos)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 20000; i++) {
        const double x = ldexp(random_between(&r, -1.0, 1.0), i % 64 - 40);
        double s = 0.0;
        double c = 0.0;
        tml__sin_cos(x, &s, &c);
        CHECK(s == tml__sin(x) && signbit(s) == signbit(tml__sin(x)) && c == tml__cos(x));
    }
    double s = 0.0;
    double c = 0.0;
    tml__sin_cos(HUGE_VAL, &s, &c);
    CHECK(isnan(s) && isnan(c));
}

TEST(sin_and_cos_keep_signs_zeros_and_nan)
{
    CHECK(tml__sin(0.0) == 0.0 && !signbit(tml__sin(0.0)));
    CHECK(tml__sin(-0.0) == 0.0 && signbit(tml__sin(-0.0)));
    CHECK(tml__cos(0.0) == 1.0);
    CHECK(tml__sin(-1.3) == -tml__sin(1.3));
    CHECK(tml__cos(-1.3) == tml__cos(1.3));
    CHECK(tml__sin(DBL_MIN / 4.0) == DBL_MIN / 4.0);
    CHECK(isnan(tml__sin(HUGE_VAL)) && isnan(tml__sin(-HUGE_VAL)) && isnan(tml__sin(nan(""))));
    CHECK(isnan(tml__cos(HUGE_VAL)) && isnan(tml__cos(-HUGE_VAL)) && isnan(tml__cos(nan(""))));
}

// The pairs carry the result to far below an ulp, so only the final rounding is left.
TEST(atan2_is_rounded_nearly_correctly_in_every_quadrant)
{
    NEED_LONG_DOUBLE();
    random_source r = random_start(__LINE__);
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const int spread = i % 3 == 0 ? 0 : i % 3 == 1 ? 20 : 300;
        const double y =
            random_between(&r, -1.0, 1.0) * ldexp(1.0, (int)random_between(&r, -spread, spread));
        const double x =
            random_between(&r, -1.0, 1.0) * ldexp(1.0, (int)random_between(&r, -spread, spread));
        keep_larger(&worst, error_in_ulp(tml__atan2(y, x), atan2l((long double)y, (long double)x)));
    }
    printf("largest error: atan2 %.3f ulp\n", worst);
    CHECK(worst < 0.51);
}

TEST(atan2_of_extreme_sizes_neither_overflows_nor_underflows)
{
    const double sizes[] = {DBL_TRUE_MIN, 3e-320, DBL_MIN, 1e-200, 1.0, 1e200, DBL_MAX};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            const double expected = (double)atan2l((long double)sizes[i], (long double)sizes[j]);
            const double ulp = nextafter(expected, HUGE_VAL) - expected;
            CHECK_NEAR(tml__atan2(sizes[i], sizes[j]), expected, ulp);
        }
    }
}

TEST(atan2_knows_the_axes_zeros_and_infinities)
{
    const double inf = HUGE_VAL;
    CHECK(tml__atan2(0.0, 1.0) == 0.0 && !signbit(tml__atan2(0.0, 1.0)));
    CHECK(tml__atan2(-0.0, 1.0) == 0.0 && signbit(tml__atan2(-0.0, 1.0)));
    CHECK(tml__atan2(0.0, -1.0) == TML_PI);
    CHECK(tml__atan2(-0.0, -1.0) == -TML_PI);
    CHECK(tml__atan2(1.0, 0.0) == TML_PI / 2.0);
    CHECK(tml__atan2(-1.0, -0.0) == -TML_PI / 2.0);
    CHECK(tml__atan2(0.0, 0.0) == 0.0);
    CHECK(tml__atan2(0.0, -0.0) == 0.0);
    CHECK(tml__atan2(1.0, 1.0) == TML_PI / 4.0);
    CHECK(tml__atan2(3.0, inf) == 0.0);
    CHECK(tml__atan2(-3.0, -inf) == -TML_PI);
    CHECK(tml__atan2(inf, 3.0) == TML_PI / 2.0);
    CHECK(tml__atan2(inf, inf) == TML_PI / 4.0);
    CHECK(tml__atan2(-inf, -inf) == -(double)(3.0L * 3.14159265358979323846L / 4.0L));
    CHECK(isnan(tml__atan2(nan(""), 1.0)) && isnan(tml__atan2(1.0, nan(""))));
}

TEST(asin_is_rounded_nearly_correctly)
{
    NEED_LONG_DOUBLE();
    random_source r = random_start(__LINE__);
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double near_one = 1.0 - ldexp(random_between(&r, 0.5, 1.0), -(i % 50));
        const double x = i % 2 == 0 ? random_between(&r, -1.0, 1.0) : near_one;
        keep_larger(&worst, error_in_ulp(tml__asin(x), asinl((long double)x)));
    }
    printf("largest error: asin %.3f ulp\n", worst);
    CHECK(worst < 0.51);
}

TEST(asin_clamps_and_keeps_zeros_and_nan)
{
    CHECK(tml__asin(1.0) == TML_PI / 2.0 && tml__asin(-1.0) == -TML_PI / 2.0);
    CHECK(tml__asin(1.0 + DBL_EPSILON) == TML_PI / 2.0 && tml__asin(-7.0) == -TML_PI / 2.0);
    CHECK(tml__asin(-0.0) == 0.0 && signbit(tml__asin(-0.0)));
    CHECK(isnan(tml__asin(nan(""))));
}

TEST(exp_is_within_one_ulp)
{
    NEED_LONG_DOUBLE();
    random_source r = random_start(__LINE__);
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double range = i % 2 == 0 ? 1.0 : 708.0;
        const double x = random_between(&r, -range, range);
        keep_larger(&worst, error_in_ulp(tml__exp(x), expl((long double)x)));
    }
    printf("largest error: exp %.3f ulp\n", worst);
    CHECK(worst < 0.75);
}

TEST(exp_meets_its_ends)
{
    CHECK(tml__exp(0.0) == 1.0 && tml__exp(-0.0) == 1.0);
    CHECK(tml__exp(HUGE_VAL) == HUGE_VAL && tml__exp(710.0) == HUGE_VAL);
    CHECK(isfinite(tml__exp(709.78)));
    CHECK(tml__exp(709.79) == HUGE_VAL);
    CHECK(tml__exp(-HUGE_VAL) == 0.0 && tml__exp(-746.0) == 0.0);
    CHECK(tml__exp(-745.0) == DBL_TRUE_MIN);
    CHECK_NEAR(tml__exp(-720.0), (double)expl(-720.0L), DBL_TRUE_MIN);  // subnormal, one unit
    CHECK(isnan(tml__exp(nan(""))));
}

TEST(log_is_within_three_ulp)
{
    random_source r = random_start(31);
    double worst = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double power = random_between(&r, -700.0, 700.0);
        const double x = i % 2 == 0 ? random_between(&r, 0.5, 2.0) : tml__exp(power);
        keep_larger(&worst, error_in_ulp(tml__log(x), logl((long double)x)));
    }
    printf("largest error: log %.3f ulp\n", worst);
    CHECK(worst < 3.0);
    CHECK(tml__log(1.0) == 0.0 && tml__log(0.0) == -HUGE_VAL && tml__log(HUGE_VAL) == HUGE_VAL);
    CHECK(isnan(tml__log(-1.0)) && isnan(tml__log(nan(""))));
}

// The promise of the header: the same bits everywhere. A change here changes every trajectory.
TEST(values_keep_their_bits)
{
    random_source r = {12345};
    uint64_t hash = 0;
    for (int i = 0; i < 1000; i++) {
        const double x = random_between(&r, -30.0, 30.0);
        const double y = random_between(&r, -30.0, 30.0);
        const double values[5] = {tml__sin(x), tml__cos(x), tml__atan2(y, x), tml__asin(x / 30.0),
                                  tml__exp(y)};
        for (int k = 0; k < 5; k++) {
            uint64_t bits = 0;
            memcpy(&bits, &values[k], sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    }
    if (hash != UINT64_C(0xf8fc257e97bb51ff)) printf("hash 0x%016llx\n", (unsigned long long)hash);
    CHECK(hash == UINT64_C(0xf8fc257e97bb51ff));
}
