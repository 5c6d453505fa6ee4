// sim/advance.h - from the accepted state to the next one: a step, or the same in substeps.
//
// A step is asked for by value (step_ask). When its verdict is bad (nothing was found, or a loop has left its branch)
// the same step is asked for in halves, of which only what is refused again is divided further. This is the one place
// that decides so; no method divides its own steps.
#ifndef TML_SIM_ADVANCE_H
#define TML_SIM_ADVANCE_H

#include "sim/sim_internal.h"

// One step with limits decided and contacts solved, from any state: sim->next. In *has_changed: limits or contacts
// have, and a history ends here. The sides of limits (sim->system->sides) are those where it starts, and then those it
// ends with.
tml_status tml__step_attempt(tml_sim* sim, const step_ask* ask, int* has_changed);

// After a limit has engaged or let go: velocities that the rows allow, and a new history, at sim->next.
tml_status tml__step_restart(tml_sim* sim, const step_ask* ask);

// From the accepted state to sim->next, by the policy above.
tml_status tml__advance(tml_sim* sim, const double* controls, int* has_changed);

// The substep of a divided step that starts after `at` units of it; `from` is left to the caller.
step_ask tml__substep_ask(const tml_sim* sim, const double* controls, const step_division* how,
                          int at);

#endif
