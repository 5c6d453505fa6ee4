// model/control.h - evaluating a control: its value and its first two time derivatives.
#ifndef TML_MODEL_CONTROL_H
#define TML_MODEL_CONTROL_H

#include "base/message.h"
#include "base/pool.h"

#include <trammel/control.h>

// A value that moves: what a position row, a servo or a restart needs to know of a control.
typedef struct drive {
    double value;
    double rate;
    double acceleration;
} drive;

// A control with its table copied and, for the spline, its second derivatives solved.
typedef struct control_data {
    tml_control def;
    const double* second;  // cubic: second derivative at each point
    int is_given;
} control_data;

// Check and copy. `what` names the element for the message.
tml_status tml__control_check(const tml_control* c, const char* what, message* why);
tml_status tml__control_copy(const tml_control* c, pool* memory, tml_control* out);
tml_status tml__control_prepare(const tml_control* c, pool* memory, control_data* out);

drive tml__control_eval(const control_data* c, double t);

#endif
