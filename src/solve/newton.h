// solve/newton.h - the one Newton loop: full steps where they help, shorter ones where they do not, and
// steps with the last factor where these converge as well.
#ifndef TML_SOLVE_NEWTON_H
#define TML_SOLVE_NEWTON_H

#include "base/message.h"

#include <stdbool.h>

// How good an iterate is.
typedef struct newton_merit {
    double merit;        // sum of squares of everything that should be zero, in m and rad
    double row;          // largest |row|
    double consistency;  // smallest consistency value: 1 assembled, 0 or less flipped
} newton_merit;

// A nonlinear problem as the loop sees it. The problem owns its iterate.
typedef struct newton_problem {
    void* self;
    // residual at the iterate
    void (*evaluate)(void* self, newton_merit* out);
    // matrix at the iterate, factored, and the full step; *update is its largest part (m, rad)
    tml_status (*direct)(void* self, double* update);
    // the largest part of the step that the last factor makes of the residual at the iterate: how
    // far there is still to go, measured as the last step was. May be NULL.
    tml_status (*look_ahead)(void* self, double* update);
    // make that the full step, from the iterate as it stands. May be NULL: the loop then never goes
    // on with a factor it has used.
    void (*adopt)(void* self);
    // iterate = (iterate at the last `direct` or `adopt`) + fraction * step
    void (*move)(void* self, double fraction);
    // `direct` changes the equations, too (contacts inside): merits of two iterates do not compare, and whole steps are
    // taken
    bool is_changing;
    // nobody reads what `evaluate` left: the last step is not evaluated where it is sure to be the last
    bool ends_unseen;
} newton_problem;

typedef struct newton_settings {
    double tolerance;        // for rows and for the last update
    int max_iterations;      //
    double min_consistency;  // backtrack below this                          [QRBD Sec 4]
    double rounding;         // an update of this length may be nothing else; 0: none is
} newton_settings;

typedef struct newton_report {
    int iterations;      // steps taken,
    int factorisations;  // and how many of them had a matrix of their own
    int backtracks;
    bool is_loose;  // accepted by what is left of the equations, not by the last update
    newton_merit last;
    double update;
} newton_report;

// TML_NOT_CONVERGED: the iterations ran out, no step along the direction helps, or the residual of
// the first iterate is not finite.
// Other statuses come from `direct`. The iterate is then wherever it got to.
tml_status tml__newton(const newton_problem* problem, const newton_settings* settings,
                       newton_report* report);

#endif
