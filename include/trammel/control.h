// trammel/control.h - a number that changes with time: what actuators, servos and wrenches follow.
#ifndef TRAMMEL_CONTROL_H
#define TRAMMEL_CONTROL_H

#include <trammel/base.h>

TML_BEGIN_C

typedef enum tml_control_kind {
    TML_CONTROL_NONE = 0,  // zero, and tml_control_is_given answers false
    TML_CONTROL_CONSTANT,
    TML_CONTROL_SINE,   // value + amplitude sin(2 pi frequency t + phase)
    TML_CONTROL_TABLE,  // linear between the points, ends held
    TML_CONTROL_CUBIC,  // natural cubic spline through the points, ends held
} tml_control_kind;

// Copied, table included, when the element that uses it is added to a spec.
typedef struct tml_control {
    tml_control_kind kind;
    double value;           // constant, or offset of the sine
    double amplitude;       // sine
    double frequency;       // sine, Hz
    double phase;           // sine, rad
    int count;              // table: points
    const double* times;    // table: strictly increasing, s
    const double* samples;  // table: value at each time
} tml_control;

static inline tml_control tml_control_constant(double value)
{
    tml_control control = {TML_CONTROL_CONSTANT, value, 0.0, 0.0, 0.0, 0, NULL, NULL};
    return control;
}

static inline tml_control tml_control_sine(double offset, double amplitude, double frequency,
                                           double phase)
{
    tml_control control = {TML_CONTROL_SINE, offset, amplitude, frequency, phase, 0, NULL, NULL};
    return control;
}

TML_END_C

#endif
