// math/scalar.h - sine, cosine and friends that give the same bits on every machine.
//
// glibc picks FMA variants of these by the CPU it finds, so the step must not call them. Ours use
// plain arithmetic in a fixed order; sqrt and fabs are exact in IEEE 754 and come from libm.
// Accuracy: within 1 ulp or a little more (test/math measures it) for |x| < 1e5; larger arguments
// of sin and cos lose digits in proportion to x. NaN in, NaN out.
#ifndef TML_MATH_SCALAR_H
#define TML_MATH_SCALAR_H

#include <math.h>

#define TML_PI 3.14159265358979323846

double tml__sin(double x);
double tml__cos(double x);
void tml__sin_cos(double x, double* s, double* c);  // the same two numbers, in less time
double tml__atan2(double y, double x);              // (-pi, pi]; atan2(0, 0) = 0
double tml__asin(double x);                         // clamped to [-1, 1] first
double tml__exp(double x);
double tml__log(double x);  // natural; to 3 ulp

// A running largest of |value|, and a running smallest. A NaN, once met, stays: no later number may
// cover it up.
static inline double tml__larger(double largest, double value)
{
    const double size = fabs(value);
    return isnan(largest) || size <= largest ? largest : size;
}

static inline double tml__smaller(double smallest, double value)
{
    return isnan(smallest) || value >= smallest ? smallest : value;
}

#endif
