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

// After a step has been computed (sim->next): keep to the branch, as above.
tml_status tml__branch_follow(tml_sim* sim, const double* controls);

#endif
