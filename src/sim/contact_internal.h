// sim/contact_internal.h - what the files of a step with contact share.
#ifndef TML_SIM_CONTACT_INTERNAL_H
#define TML_SIM_CONTACT_INTERNAL_H

#include "sim/contact_step.h"

typedef struct touch_plan {
    int order;     // of backward differences; 0: a formulation of one step
    double share;  // of the accelerations that moves bodies within the step: h^2 share
    double reach;  // of a push: h^2 reach
    double
        c;  // of the accelerations at the end that velocities there have, of backward differences
} touch_plan;

// Velocities as 6 numbers a node, from flat rates.
void tml__touch_velocities(const tml_sim* sim, const double* q, const double* v, double* out);

// The sentence for a problem that was not solved.
tml_status tml__touch_describe(tml_sim* sim, tml_status status, int row);

// Velocities after the impulses f, from those before in `from` (NULL: rest), into w->motion.
tml_status tml__touch_push_velocities(tml_sim* sim, const double* f, const double* from);

// A step is made with the impulses as they stand, t->f, that push for so long.
tml_status tml__touch_step_with_push(tml_sim* sim);
void tml__touch_put_push(tml_sim* sim);  // they have changed while it is made

// What rows have become at sim->next.q, m/s, into w->seen; with the gaps that they really have there, of those that hold
// or of all.
void tml__touch_see(tml_sim* sim);
tml_status tml__touch_follow_gaps(tml_sim* sim, bool is_of_all);

// Impulses that obey the laws, from what was seen.
tml_status tml__touch_solve_seen(tml_sim* sim, double reach);

// A step in which contacts are found within the iterations of its own Newton method, from t->f and labels on
// (contact_newton.c). TML_NOT_CONVERGED: it found none.
tml_status tml__touch_step_together(tml_sim* sim, double reach);

// Contacts as they have become at sim->next, into w->ends, and their rows into rows_ahead (contact_ends.c).
tml_status tml__touch_follow(tml_sim* sim);

enum {
    MOST_TURNING_SUBSTEPS = 8  // of a step, where contacts turn too far in longer ones
};

// Contacts that push and turn too far for one step ask for a shorter one, and so does what has come to overlap where no
// row knew of it: TML_NOT_CONVERGED.
tml_status tml__touch_check_step(tml_sim* sim);

// Contact i has the rows of its start at the end, too.
void tml__touch_keep_row(tml_sim* sim, int i);

// Of what rows turn within the step, the share that velocities at its end do not have yet; and what that pushes, into
// w->wrench. False: nothing pushes.
double tml__touch_turned_share(const touch_plan* plan);
bool tml__touch_turned_push(tml_sim* sim, double share);

// The end of a step that was made: velocities along rows as they have turned, what has met, and what was pushed.
tml_status tml__touch_finish(tml_sim* sim, const touch_plan* plan, bool* has_met);

// What islands have won at sim->next, taken off its velocities (contact_energy.c).
void tml__touch_withhold(tml_sim* sim);

#endif
