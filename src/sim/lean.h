// sim/lean.h - simulations that keep no rows: what is asked about them is computed joint by joint.
//
// A million ball joints need neither rows nor frames nor targets between steps. Where a simulation is
// lean, its accepted state is poses, rates, multipliers and how often each joint's angles have gone
// round; everything else is found when it is asked for. What needs the arrays of method/maximal.h all
// the same (teleports, statics, saving) opens them and shuts them again.
#ifndef TML_SIM_LEAN_H
#define TML_SIM_LEAN_H

#include "sim/sim_internal.h"

static inline bool tml__is_lean(const tml_sim* sim) { return sim->system->is_lean; }

// Controls at the accepted state: where joints that lead bodies have them (answer.c).
void tml__sim_aim(tml_sim* sim);

// The caller's controls at the instant that was aimed at; NULL: those of the model.
static inline const drive* tml__lean_given(const tml_sim* sim)
{
    return sim->system->is_given ? sim->given : NULL;
}

// A joint at flat positions.
void tml__lean_frame(const tml_sim* sim, const double* q, int joint, joint_frame* out);

// The largest gap at flat positions; not finite where one is not. Of bodies that are led: how far they are from
// where the controls have them, at the instant that was aimed at, m or rad.
double tml__lean_gap(const tml_sim* sim, const double* q);

// Stretches of joints that threads look at: one number is kept for each.
int tml__lean_stretches(const tml_model* m);

// The same at positions that will be accepted, and the turns of angles counted on the way there.
double tml__lean_inspect(tml_sim* sim, const double* to);

// Are all numbers of the next state finite, and its positions no farther than that? False tells that
// one may not be.
bool tml__lean_is_fine(tml_sim* sim, double farthest);

// Angles of joints that lead bodies begin on the turn of their targets.
void tml__lean_choose_turns(tml_sim* sim);

// A free coordinate of the accepted state, its turns counted.
double tml__lean_coordinate(const tml_sim* sim, int joint, tml_axis axis);

// How bodies that are led move at the accepted state, which was aimed at, and what a chain is moored to (method/links/lean_loads.c). Then
// forces of links may be asked for, and after these what joints that lead bodies transmit, by sim->system->touching;
// and what one of them does. False: it leads none.
void tml__lean_move_led(tml_sim* sim);
void tml__lean_find_led_loads(tml_sim* sim);
bool tml__lean_led_load(const tml_sim* sim, int joint, tml_load* out);

// What contacts and springs push with at the accepted state, 6 a node; `touching`: contacts alone, NULL: none.
const double* tml__lean_felt(tml_sim* sim, const double* touching);

tml_energy tml__lean_energy(const tml_sim* sim);

// The arrays of sim->system, its hints those of the accepted state; and back. They nest.
// Of simulations that are not lean nothing changes.
tml_status tml__lean_open(tml_sim* sim);
void tml__lean_shut(tml_sim* sim);

#endif
