// opt/kink.h - objectives whose slope jumps: where contacts begin or end a step earlier or later.
#ifndef TML_OPT_KINK_H
#define TML_OPT_KINK_H

#include "opt/minimise.h"

typedef enum kink_answer {
    KINK_LEFT,        // a better point was found: x, value and gradient are its
    KINK_STATIONARY,  // slopes around x cancel each other: x is a minimum, as far as slopes tell
    KINK_LOST,  // neither: the objective itself jumps, too many kinks meet, or progress said stop
    KINK_NO_MEMORY,  // nothing was tried
} kink_answer;

// Slopes so near, in typical changes, count as those of one point.
#define KINK_REACH 1e-4

// From x, where no step along the slope helps. `value` and `gradient` are those of x and follow it.
// Asks f->progress once a slope. *least: the largest slope that is left when slopes around x are combined as well as can be.
kink_answer tml__leave_kink(const objective* f, double tolerance, const tml_allocator* allocator,
                            double* x, double* value, double* gradient, double* least,
                            tml_optimize_report* report);

#endif
