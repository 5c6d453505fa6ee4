// sim/branch.h - loops keep to their branch.
//
// Where two branches of a loop cross, the velocities of both meet the rows, and a step that begins or ends there may go
// on along either: rows do not hold the bodies apart, so that weight, or what Newton leaves, decides. Velocities are
// continuous, though, where nothing strikes and nothing but weight pushes: a step that changes those of a mechanism by more
// than a tenth, though its motors do not, is taken once more, in parts. What is smooth spreads over the parts, and the
// step is kept as it was; what stays in one part, however short, is a jump to another branch, and the parts that do
// without it are kept.
#ifndef TML_SIM_BRANCH_H
#define TML_SIM_BRANCH_H

#include "sim/sim_internal.h"

// Are steps watched: has it loops, nothing that strikes, and a formula that tells velocities as they are?
bool tml__branch_is_watched(const tml_sim* sim);

// The same whatever the formula: substeps that were found where the whole step was not may have gone another way.
bool tml__branch_may_be_left(const tml_sim* sim);

// A mechanism whose velocities a step has changed for no reason.
typedef struct branch_suspect {
    int mechanism;
    double change, speed;  // m/s
} branch_suspect;

// After a step (sim->next): is there one?
bool tml__branch_find(tml_sim* sim, const double* controls, branch_suspect* out);

// How much the velocities of a mechanism differ between a flat state and sim->next, m/s (method/jump.h).
double tml__branch_change(tml_sim* sim, int mechanism, const double* q, const double* v);

// The same step in substeps: it ends `apart` from where the whole one did, and changes velocities by `worst` in one of
// them at most. `is_last`: shorter ones will not be tried.
typedef enum branch_way {
    BRANCH_SAME,
    BRANCH_ELSEWHERE,
    BRANCH_UNKNOWN,
} branch_way;

branch_way tml__branch_judge(const branch_suspect* which, double apart, double worst, bool is_last);

#endif
