// method/affine/method.h - the affine formulation as a method.
#ifndef TML_METHOD_AFFINE_METHOD_H
#define TML_METHOD_AFFINE_METHOD_H

#include "method/affine/affine.h"
#include "sim/sim_internal.h"

affine_system* tml__affine_of(const tml_sim* sim);  // NULL: links

enum {
    AFFINE_DAMPED = 16  // substeps this short of `energy` are damped
};

// The stage of the step that is asked for, and of one that was taken. `energy` damps substeps of which there are
// so many in the step.
affine_stage tml__affine_stage(const tml_sim* sim, int damped_count);
affine_stage tml__affine_stage_again(const tml_sim* sim, const step_trace* trace);

newton_settings tml__affine_newton(const tml_sim* sim);

// What method/links shares: the sentence for a body that turns too far or for energy that grows, the trace of a step, and
// the text of `explain` around that of the solver.
tml_status tml__affine_describe(tml_sim* sim, const affine_report* report);
void tml__affine_note(tml_sim* sim, bool is_unprojected);
void tml__affine_explain(const tml_sim* sim, const char* solver, char* text, size_t capacity);

// Rows that say what others say are left out of the matrix (redundant.c), found by the doctor unless that takes
// long: because loops that hang together are many (nets, lattices), or because there are many loops.
typedef enum doctor_cost {
    DOCTOR_CHEAP,
    DOCTOR_SLOW,
    DOCTOR_DEAR,
} doctor_cost;

doctor_cost tml__affine_doctor_cost(const tml_model* m, const tml_allocator* memory);
tml_status tml__affine_drop_redundant(tml_sim* sim, affine_system* a, doctor_cost cost);

// Compliant contacts (compliant.c): room for them; the contacts of a step, which are part of its own equations, and their
// forces after it.
tml_status tml__affine_reserve(tml_sim* sim, int max_contacts);
void tml__affine_release_touch(tml_sim* sim);
void tml__affine_lead(tml_sim* sim, const contact* contacts, int count);
vec3 tml__affine_led_force(const tml_sim* sim, int i);

// Steps of the affine formulation as linear maps (method/affine/linear.c).
extern const struct step_linear tml__affine_linear;

#endif
