// sim/account.h - the energy account of a run: what was won and nobody paid for.
//
// In every step energy may fall (dampers, impacts, formulas that damp) and may rise by what motors, servos, tendons,
// wrenches, hands and wind have done. What it rises by beyond that is the method's own error. Much of it is no result:
// above a hundredth of the largest kinetic energy that is explained, a step that wins more than a trace is refused and
// divided; above a twentieth nothing is accepted.                                        [notes, work balance]
#ifndef TML_SIM_ACCOUNT_H
#define TML_SIM_ACCOUNT_H

#include "sim/sim_internal.h"

// Are steps of this simulation judged? Not baselines, which are listed as such, links and bodies of finite stiffness,
// whose own steps keep their energy, and deformables.
bool tml__account_is_kept(const tml_sim* sim);

// Symplectic formulas keep another energy than that of the motion where springs are stiffer than steps can follow: what
// swings there stays in bounds, but they are wide, and nothing tells them from a gain.
bool tml__account_is_stiff(const tml_sim* sim);

// The account of the accepted state, begun there where there is none. The simulation's own does not change: a step that
// fails loses nothing.
void tml__account_open(tml_sim* sim, const double* controls, energy_account* out);

// After a step (sim->next, which was asked for): the account with it. Leaves the bodies at its end, and their gap
// in *gap.
void tml__account_add(tml_sim* sim, const step_ask* ask, const energy_account* from,
                      energy_account* to, double* gap);

// Work and what is unexplained, into a report; zeros where no account is kept.
void tml__account_tell(const tml_sim* sim, tml_sim_report* report);

// May a step lead from one account to the other? `is_last`: it cannot be divided further.
bool tml__account_allows(const energy_account* from, const energy_account* to, bool is_last);

// The sentence for a step that may not.
tml_status tml__account_describe(tml_sim* sim, const step_ask* ask, const energy_account* from,
                                 const energy_account* to);

#endif
