// sim/contact_step.h - steps that touch, of every formulation in maximal coordinates.
#ifndef TML_SIM_CONTACT_STEP_H
#define TML_SIM_CONTACT_STEP_H

#include "contact/contacts.h"
#include "contact/problem.h"

// Workspace beside the contacts of a simulation.
typedef struct sim_touch {
    touch_set* rows;
    double* acceleration;      // 6 a node: at the start of the step, as if nothing touched
    double* motion;            // 6 a node
    double* wrench;            // 6 a node: of the pass in progress
    double* q_start;           // 7 a node: where the step starts, moved out of overlaps
    double* before;            // per row: rate at the start of the step, m/s
    double* opening;           // per row: its gap where the step starts, m
    double* seen;              // per row: what the step made of it, m/s
    double* after;             // per row: the rate that a bounce must have at the end,
    double* kept;              // and the one that what stays has by the formula;
    double* asked;             // both
    double* total;             // per row: all impulses of the step
    unsigned char* is_closed;  // per row

    // how the last step went, for whoever looks at it again (diff/contact.c)
    bool is_moved;                // it started at q_start, moved out of overlaps,
    unsigned char* shift_labels;  // per row: by the rows that hold here,
    double* shift_f;              // per row: pushed by so much, kg m,
    double* shift;                // 6 a node: and so far
    bool is_open;     // its rows were left before they obeyed their laws to the tolerance,
    bool has_met;     // bodies have met,
    bool has_end;     // velocities were changed in the end, by that or because rows have turned,
    bool has_solved;  // and impulses at the end have taken the place of those of the step,
    double turned;    // by this share of what they have turned,
    double* turning;  // per row: with these impulses;
    double* v_met;    // 7 a node: flat rates before that

    // contacts within Newton (contact_newton.c)
    double reach;     // of the plan
    bool has_matrix;  // that of the start did not tell what K answers, and `matrix` is asked
    double* push;     // 6 a node
    double *dx, *dl;  // 6 a node; per row of the system: what a push changes of the step
    double* matrix;   // rows x rows, at most LCP_FULL_ROWS of them
    lcp* there;       // for it

    rigid* start;       // body_count + 1, the world last: bodies where contacts were found
    contact* ends;      // per contact: what has become of it where the step ends (contact_ends.c),
    bool* is_followed;  // per contact: if it could be told;
    bool* is_old;       // per contact: what touched before, and keeps the rate of its formula;
    double* closed;     // per row: impulses of the step that those at its end take the place of
    bool* is_replaced;  // per contact: it has such
    bool* is_turned;    // and if its rows turn with it, which those of a bounce do not

} sim_touch;

tml_status tml__sim_touch_create(tml_sim* sim, int max_contacts, sim_touch** out);
void tml__sim_touch_destroy(tml_sim* sim, sim_touch* w);  // NULL is fine

// One step with whatever touches in it: sim->next, and the contacts to keep. In *has_changed: bodies
// met or parted, slid or stuck anew, so that a history ends here.
tml_status tml__sim_touch_advance(tml_sim* sim, const double* controls, int* has_changed);

#endif
