// method/variational/method.h - the parts that a variational step is composed of, for whoever looks at them again.
#ifndef TML_METHOD_VARIATIONAL_METHOD_H
#define TML_METHOD_VARIATIONAL_METHOD_H

#include "method/variational/step.h"
#include "sim/sim_internal.h"

// One piece of a step: where it starts, and its solution.
typedef struct var_piece {
    double from, h;       // from: after the start of the step
    const double *q, *v;  // where it starts, flat:
    double* start;        // memory of its own for both; NULL: they are where the step starts
    double *x, *lambda;   // of its solution
} var_piece;

// Take the traced step again from the accepted state, with the same bits, and keep its pieces, whose arrays
// are the caller's. The state that a step may accept (sim->next) is lost.
tml_status tml__variational_again(tml_sim* sim, const double* controls, const step_trace* trace,
                                  var_piece* pieces);

// A piece as the formulation sees it; `clock` lives as long as the answer.
typedef struct var_clock {
    tml_sim* sim;
    const double* controls;
    double from;  // after the accepted state
} var_clock;

var_step tml__variational_step(const var_piece* piece, var_clock* clock);

// Steps of the variational formulation as linear maps (method/variational/linear.c).
extern const struct step_linear tml__variational_linear;

#endif
