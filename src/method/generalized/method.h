// method/generalized/method.h - what a simulation in joint coordinates keeps, for its linear maps.
#ifndef TML_METHOD_GENERALIZED_METHOD_H
#define TML_METHOD_GENERALIZED_METHOD_H

#include "method/generalized/contact.h"
#include "sim/sim_internal.h"

// The three parts of what is kept beside poses and rates of the bodies.
typedef struct generalized_kept {
    double* numbers;
    double* rates;
    double* accelerations;
} generalized_kept;

// The last step before its rows were settled, for derivatives; only where there are rows.
typedef struct generalized_record {
    double* numbers;
    double* rates;
    double* impulse;           // per row of the maximal system
    const double* settled;     // of rates that settle, where stages were taken
    const double* slope_q[4];  // of the stages
    const double* slope_v[4];
} generalized_record;

generalized_record tml__generalized_record_of(const tml_sim* sim);

// Rates of the last step before islands gave back what they had won, where sim->islands says that some did.
double* tml__generalized_won(const tml_sim* sim);

gen_motion* tml__generalized_motion(const tml_sim* sim);
gen_touch* tml__generalized_touch(const tml_sim* sim);  // NULL: nothing touches
generalized_kept tml__generalized_parts_of(const tml_sim* sim, double* own);

#endif
