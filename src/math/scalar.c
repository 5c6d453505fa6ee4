// math/scalar.c - sine, cosine, arc tangent, arc sine and exponential in plain arithmetic.
//
// Each function follows the same three steps: bring the argument near zero by subtracting a known
// constant, carried as an unevaluated sum of two doubles (a `pair`) so that nothing is lost; sum
// the Taylor series there, smallest terms first; put the constant back. All polynomials are plain
// Taylor series, long enough that what they leave out is below 2^-60 of the result.
//
// Measured against 80-bit libm on random arguments (test/math/scalar.c): sin 0.78, cos 0.80,
// atan2 0.51, asin 0.51, exp 0.67 ulp at most.
#include "math/scalar.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The exact or nearly exact number hi + lo, with |lo| at most half an ulp of hi.
typedef struct pair {
    double hi;
    double lo;
} pair;

// a + b without error, whatever their sizes.
static pair sum(double a, double b)
{
    const double s = a + b;
    const double b_part = s - a;
    const double a_part = s - b_part;
    return (pair){s, (a - a_part) + (b - b_part)};
}

// The upper half of the digits of a. |a| < 2^990, or the product overflows.
static double upper(double a)
{
    const double c = 134217729.0 * a;  // 2^27 + 1
    return c - (c - a);
}

// a * b without error. |a|, |b| < 2^500 and the product above 2^-900.
static pair product(double a, double b)
{
    const double a_up = upper(a);
    const double b_up = upper(b);
    const double a_low = a - a_up;
    const double b_low = b - b_up;
    const double p = a * b;
    return (pair){p, a_low * b_low - (((p - a_up * b_up) - a_low * b_up) - a_up * b_low)};
}

// a / b, good to about 100 bits.
static pair quotient(pair a, pair b)
{
    const double q = a.hi / b.hi;
    const pair p = product(q, b.hi);
    const double rest = ((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo);
    return sum(q, rest / b.hi);
}

// Round to the nearest integer, |x| < 2^51: the sum has no room for a fraction.
static double nearest(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

// 2^n for -1022 <= n <= 1023.
static double power_of_two(int n)
{
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// sin and cos ------------------------------------------------------------------------------------

// x = n pi/2 + r with |r| <= pi/4 or a little more; answers r and sets *quadrant = n mod 4.
//
// pi/2 is split into three parts, of 33, 33 and 53 bits, so that n times the first two is exact
// for n < 2^20. Beyond, the product is rounded, and r is off by no more than x itself may be.
static pair reduce_angle(double x, int* quadrant)
{
    // above 2^50 neighbouring doubles are a quarter of a radian apart: no angle is left
    if (fabs(x) >= 0x1p50) {
        *quadrant = 0;
        return (pair){0.0, 0.0};
    }

    const double n = nearest(x * 0x1.45f306dc9c883p-1);
    *quadrant = (int)((int64_t)n & 3);

    const double first = x - n * 0x1.921fb544p+0;  // exact: the two are close
    const pair second = sum(first, -n * 0x1.0b4611a6p-34);
    return sum(second.hi, second.lo - n * 0x1.3198a2e037073p-69);
}

// sin(r.hi + r.lo) near zero, by sin(a + b) = sin a + b cos a.
static double sin_near_zero(pair r)
{
    const double z = r.hi * r.hi;
    double s = 1.0 / 355687428096000.0;  // 1/17!
    s = s * z - 1.0 / 1307674368000.0;   // 1/15!
    s = s * z + 1.0 / 6227020800.0;      // 1/13!
    s = s * z - 1.0 / 39916800.0;        // 1/11!
    s = s * z + 1.0 / 362880.0;          // 1/9!
    s = s * z - 1.0 / 5040.0;            // 1/7!
    s = s * z + 1.0 / 120.0;             // 1/5!
    s = s * z - 1.0 / 6.0;               // 1/3!
    return r.hi + (r.hi * z * s + r.lo * (1.0 - 0.5 * z));
}

// cos(r.hi + r.lo) near zero, by cos(a + b) = cos a - b sin a.
static double cos_near_zero(pair r)
{
    const double z = r.hi * r.hi;
    double s = -1.0 / 6402373705728000.0;  // 1/18!
    s = s * z + 1.0 / 20922789888000.0;    // 1/16!
    s = s * z - 1.0 / 87178291200.0;       // 1/14!
    s = s * z + 1.0 / 479001600.0;         // 1/12!
    s = s * z - 1.0 / 3628800.0;           // 1/10!
    s = s * z + 1.0 / 40320.0;             // 1/8!
    s = s * z - 1.0 / 720.0;               // 1/6!
    s = s * z + 1.0 / 24.0;                // 1/4!

    const pair start = sum(1.0, -0.5 * z);
    return start.hi + (start.lo + (z * z * s - r.hi * r.lo));
}

double tml__sin(double x)
{
    if (!isfinite(x)) return x - x;   // NaN
    if (fabs(x) < 0x1p-27) return x;  // x^3/6 is below half an ulp; keeps the sign of zero

    int quadrant = 0;
    const pair r = reduce_angle(x, &quadrant);
    const double s = quadrant % 2 == 0 ? sin_near_zero(r) : cos_near_zero(r);
    return quadrant < 2 ? s : -s;
}

double tml__cos(double x)
{
    if (!isfinite(x)) return x - x;  // NaN

    int quadrant = 0;
    const pair r = reduce_angle(x, &quadrant);
    const double s = quadrant % 2 == 0 ? cos_near_zero(r) : sin_near_zero(r);
    return quadrant == 0 || quadrant == 3 ? s : -s;
}

void tml__sin_cos(double x, double* s, double* c)
{
    if (!isfinite(x)) {
        *s = *c = x - x;  // NaN
        return;
    }
    int quadrant = 0;
    const pair r = reduce_angle(x, &quadrant);
    const double near_s = sin_near_zero(r);
    const double near_c = cos_near_zero(r);
    const double sine = quadrant % 2 == 0 ? near_s : near_c;
    const double cosine = quadrant % 2 == 0 ? near_c : near_s;
    *s = fabs(x) < 0x1p-27 ? x : (quadrant < 2 ? sine : -sine);
    *c = quadrant == 0 || quadrant == 3 ? cosine : -cosine;
}

// arc tangent and arc sine -----------------------------------------------------------------------

static const pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// atan(k/8), k = 0 .. 8
static const pair atan_eighths[9] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// atan(t) for t in [0, 1]: with c the nearest eighth,
//   atan t = atan c + atan d,   d = (t - c) / (1 + c t),   |d| <= 1/16
static pair atan_unit(pair t)
{
    const int k = (int)nearest(8.0 * t.hi);
    const double c = 0.125 * k;

    const pair c_t = product(c, t.hi);
    const pair below = sum(1.0, c_t.hi);
    const pair denominator = {below.hi, below.lo + (c_t.lo + c * t.lo)};
    const pair numerator = sum(t.hi - c, t.lo);  // the difference is exact
    const pair d = k == 0 ? t : quotient(numerator, denominator);

    const double z = d.hi * d.hi;
    double s = -1.0 / 15.0;
    s = s * z + 1.0 / 13.0;
    s = s * z - 1.0 / 11.0;
    s = s * z + 1.0 / 9.0;
    s = s * z - 1.0 / 7.0;
    s = s * z + 1.0 / 5.0;
    s = s * z - 1.0 / 3.0;

    const pair a = sum(atan_eighths[k].hi, d.hi);
    return sum(a.hi, a.lo + (atan_eighths[k].lo + d.lo + d.hi * z * s));
}

static pair subtract(pair a, pair b)
{
    const pair d = sum(a.hi, -b.hi);
    return sum(d.hi, d.lo + (a.lo - b.lo));
}

// The angle in [0, pi/2] of the point (x, y) with x, y >= 0, one of them positive, both finite
// and within the range of `product`.
static pair angle_in_first_quadrant(pair y, pair x)
{
    if (y.hi > x.hi) return subtract(half_pi, atan_unit(quotient(x, y)));
    return atan_unit(quotient(y, x));
}

// The angle in [0, pi/2] of any point of the first quadrant but the origin.
static pair angle_of_point(double y, double x)
{
    const double small = y < x ? y : x;
    const double large = y < x ? x : y;

    if (isinf(large)) {
        const double ratio = isinf(small) ? 1.0 : 0.0;
        return y < x ? angle_in_first_quadrant((pair){ratio, 0.0}, (pair){1.0, 0.0})
                     : angle_in_first_quadrant((pair){1.0, 0.0}, (pair){ratio, 0.0});
    }

    // below 2^-60 the arc tangent is the ratio itself, and dividing rounds once
    const double ratio = small / large;
    if (ratio < 0x1p-60) {
        const pair tiny = {ratio, 0.0};
        return y < x ? tiny : subtract(half_pi, tiny);
    }

    const double scale = large > 0x1p400 ? 0x1p-600 : large < 0x1p-300 ? 0x1p600 : 1.0;
    return angle_in_first_quadrant((pair){y * scale, 0.0}, (pair){x * scale, 0.0});
}

double tml__atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) return x + y;
    if (x == 0.0 && y == 0.0) return y;  // no direction: the angle is taken as zero

    pair angle = angle_of_point(fabs(y), fabs(x));
    if (signbit(x)) angle = subtract(pi, angle);
    return signbit(y) ? -angle.hi : angle.hi;
}

// asin x is the angle of the point (sqrt(1 - x^2), x).
double tml__asin(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) >= 1.0) return x > 0.0 ? half_pi.hi : -half_pi.hi;
    if (fabs(x) < 0x1p-27) return x;  // x^3/6 is below half an ulp

    const double y = fabs(x);
    const pair square = product(y, y);
    const pair rest = subtract((pair){1.0, 0.0}, square);
    const double root = sqrt(rest.hi);
    const pair root_square = product(root, root);
    const double correction =
        ((rest.hi - root_square.hi) - root_square.lo + rest.lo) / (2.0 * root);

    const pair angle = angle_in_first_quadrant((pair){y, 0.0}, (pair){root, correction});
    return x < 0.0 ? -angle.hi : angle.hi;
}

// exponential ------------------------------------------------------------------------------------

// e^x = 2^n e^r with |r| <= ln(2)/2; ln 2 is split so that n times its first part is exact.
double tml__exp(double x)
{
    if (isnan(x)) return x;
    if (x > 709.8) return HUGE_VAL;  // above the largest double
    if (x < -745.2) return 0.0;      // below half the smallest

    const double n = nearest(x * 0x1.71547652b82fep+0);
    const pair r = sum(x - n * 0x1.62e42fefa2p-1, -n * 0x1.9ef35793c7673p-41);

    const double z = r.hi;
    double s = 1.0 / 87178291200.0;  // 1/14!
    s = s * z + 1.0 / 6227020800.0;  // 1/13!
    s = s * z + 1.0 / 479001600.0;   // 1/12!
    s = s * z + 1.0 / 39916800.0;    // 1/11!
    s = s * z + 1.0 / 3628800.0;     // 1/10!
    s = s * z + 1.0 / 362880.0;      // 1/9!
    s = s * z + 1.0 / 40320.0;       // 1/8!
    s = s * z + 1.0 / 5040.0;        // 1/7!
    s = s * z + 1.0 / 720.0;         // 1/6!
    s = s * z + 1.0 / 120.0;         // 1/5!
    s = s * z + 1.0 / 24.0;          // 1/4!
    s = s * z + 1.0 / 6.0;           // 1/3!
    s = s * z + 0.5;                 // 1/2!

    const pair start = sum(1.0, r.hi);
    const double e_r = start.hi + (start.lo + (r.lo + z * z * s));

    // two factors, because 2^n alone may be out of range where the result is not
    const int half = (int)n / 2;
    return e_r * power_of_two(half) * power_of_two((int)n - half);
}

// logarithm --------------------------------------------------------------------------------------

// ln x = n ln 2 + ln m, m in [1/sqrt 2, sqrt 2); ln m = 2 atanh z, z = (m - 1)/(m + 1), |z| < 0.172,
// whose series falls by z^2 < 0.03 a term.
double tml__log(double x)
{
    if (isnan(x) || x < 0.0) return (double)NAN;
    if (x == 0.0) return -HUGE_VAL;
    if (isinf(x)) return x;

    int n = 0;
    double m = frexp(x, &n);  // exact
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2.0;
        n--;
    }
    const double z = (m - 1.0) / (m + 1.0);
    const double y = z * z;
    double s = 1.0 / 23.0;
    s = s * y + 1.0 / 21.0;
    s = s * y + 1.0 / 19.0;
    s = s * y + 1.0 / 17.0;
    s = s * y + 1.0 / 15.0;
    s = s * y + 1.0 / 13.0;
    s = s * y + 1.0 / 11.0;
    s = s * y + 1.0 / 9.0;
    s = s * y + 1.0 / 7.0;
    s = s * y + 1.0 / 5.0;
    s = s * y + 1.0 / 3.0;
    const double log_m = 2.0 * z + 2.0 * z * y * s;
    return (n * 0x1.9ef35793c7673p-41 + log_m) + n * 0x1.62e42fefa2p-1;
}
