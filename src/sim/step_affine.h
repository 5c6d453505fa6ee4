// sim/step_affine.h - the parts that an affine step was taken in, for whoever looks at them again.
#ifndef TML_SIM_STEP_AFFINE_H
#define TML_SIM_STEP_AFFINE_H

#include "method/links/links.h"
#include "sim/sim_internal.h"

// One part of a step. It starts where the part before ended; `v` is what the last one leaves.
typedef struct affine_piece {
    affine_stage stage;
    double from;     // s, after the accepted state
    double *x, *v;   // flat: positions at its end, and rates there (not of a step of one part)
    double* lambda;  // per row
} affine_piece;

affine_system* tml__affine_of(const tml_sim* sim);  // NULL: links
struct link_system* tml__links_of(const tml_sim* sim);

// Rows that say what others say are left out of the matrix (affine_redundant.c), found by the doctor unless that takes
// long: because loops that hang together are many (nets, lattices), or because there are many loops.
typedef enum doctor_cost {
    DOCTOR_CHEAP,
    DOCTOR_SLOW,
    DOCTOR_DEAR,
} doctor_cost;

doctor_cost tml__affine_doctor_cost(const tml_model* m, const tml_allocator* memory);
tml_status tml__affine_drop_redundant(tml_sim* sim, affine_system* a, doctor_cost cost);

typedef struct affine_pieces {
    int count;
    affine_piece* list;
    double* memory;
} affine_pieces;

// The parts of the traced step, taken again from the accepted state; a step of one part is in its trace and
// need not be taken. The state that a step may accept (sim->next) is lost. Release what comes, whatever
// the status.
tml_status tml__affine_take_pieces(tml_sim* sim, const double* controls, const step_trace* trace,
                                   affine_pieces* out);
void tml__affine_release_pieces(tml_sim* sim, affine_pieces* pieces);

// What links hold is no longer the accepted state: the next step loads it again.
void tml__affine_forget_state(tml_sim* sim);

// Contacts that give way and bodies that are led (affine_contact.c): do links take the contacts of this
// model and what it has beside balls; room for contacts; bodies that are led `dt` after the accepted state, and at it
// with the largest change of a rate; the contacts of a step, which are part of its own equations, and their forces after it.
bool tml__affine_links_take(const tml_sim* sim, const links_extras* extras);
tml_status tml__affine_reserve(tml_sim* sim, int max_contacts);
void tml__affine_release_touch(tml_sim* sim);
void tml__affine_lead_bodies(tml_sim* sim, double dt, const double* controls, bool is_end);
double tml__affine_start_led(tml_sim* sim, double* q, double* v);
void tml__affine_lead(tml_sim* sim, const contact* contacts, int count);
vec3 tml__affine_led_force(const tml_sim* sim, int i);
double tml__affine_led_depth(const tml_sim* sim, int i);

// Steps of the affine formulation as linear maps (diff/step_affine.c).
extern const struct step_linear tml__affine_linear;

#endif
