// trammel/statics.h - where a mechanism comes to rest.
//
// Equilibrium is where the forces on every body, joint forces included, add up to nothing:
// F(q) + C^T lambda = 0 with every row closed. Settling walks there along the closed rows, downhill,
// so that of several equilibria it finds one that the present pose falls into; a pose that is
// already balanced, however precariously, is left where it is and called unstable.
#ifndef TRAMMEL_STATICS_H
#define TRAMMEL_STATICS_H

#include <trammel/sim.h>

TML_BEGIN_C

typedef struct tml_statics_settings {
    double tolerance;    // the last move of a body, m and rad; reached unless rounding is coarser
    int max_iterations;  // linear solves of all load steps together
    int load_steps;      // gravity and wrenches grow to their full size in this many equal parts
} tml_statics_settings;

TML_API tml_statics_settings tml_statics_settings_default(void);  // 1e-10, 500, 1

typedef enum tml_stability {
    TML_STABLE,             // every small push is answered by a force back
    TML_UNSTABLE,           // some push is not
    TML_NEUTRAL,            // some push meets no force at all, none runs away
    TML_STABILITY_UNKNOWN,  // more freedoms than the dense analysis takes
} tml_stability;

enum {
    TML_STATICS_FREEDOMS = 300  // most freedoms whose stability is told
};

typedef struct tml_statics_report {
    int iterations;
    double imbalance;  // largest acceleration that is left, m/s^2 or rad/s^2
    double moved;      // how far a centre of mass went at most, m
    double turned;     // and how far a body turned, rad
    tml_stability stability;
    int freedoms;    // independent motions that the rows leave, limits that push held
    int unstable;    // of them: directions that run away
    int neutral;     // of them: directions without a force
    double softest;  // smallest eigenvalue of the stiffness over the mass, 1/s^2: where it is
                     // positive, its root is the lowest natural frequency in rad/s
} tml_statics_report;

TML_API const char* tml_stability_name(tml_stability stability);

// Move a simulation to an equilibrium of its present targets and forces; it is then at rest there,
// its history begins anew and time stays. Only for simulations of the quaternion formulation.
// TML_NOT_CONVERGED: none was found; tml_sim_message names the body that still falls. TML_BAD_ARGUMENT,
// TML_UNSUPPORTED: see the message. On any status but TML_OK the simulation is as it was.
TML_API tml_status tml_sim_settle(tml_sim* sim, const tml_statics_settings* settings,
                                  tml_statics_report* report);

TML_END_C

#endif
