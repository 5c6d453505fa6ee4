// trammel/derivatives.h - derivatives of a whole run by what the run depends on.
//
// A tml_derivatives object runs a model like a simulation does and remembers how. Afterwards it
// answers for every step at once
//     forwards    how do recorded quantities change when parameters change in one direction?
//     backwards   what is the gradient of a weighted sum of quantities by all parameters?
// with the exact derivatives of the discrete steps: of the numbers that the simulation computes, not
// of the continuous motion they approximate. One backward pass costs about as much as running twice,
// whatever the number of parameters. docs/derivatives.md says what is covered.
#ifndef TRAMMEL_DERIVATIVES_H
#define TRAMMEL_DERIVATIVES_H

#include <trammel/sim.h>

TML_BEGIN_C

typedef struct tml_derivatives tml_derivatives;  // opaque; made by tml_derivatives_create

// What a run depends on. `index` is a body, joint, spring or control; `component` as listed.
typedef enum tml_parameter_kind {
    TML_PARAMETER_GRAVITY,           // -; x y z
    TML_PARAMETER_MASS,              // body
    TML_PARAMETER_INERTIA,           // body; xx yy zz xy xz yz
    TML_PARAMETER_COM,               // body; x y z in the body frame, inertia about it unchanged
    TML_PARAMETER_POSE,              // body, initial; shift x y z, then rotation vector, world axes
    TML_PARAMETER_VELOCITY,          // body, initial; linear of the body frame, then angular
    TML_PARAMETER_JOINT_POSITION,    // joint; x y z, world axes in the initial poses, both frames
    TML_PARAMETER_JOINT_TURN,        // joint; rotation vector of both frames' axes, likewise
    TML_PARAMETER_JOINT_STIFFNESS,   // joint; axis tx ... rz, likewise below
    TML_PARAMETER_JOINT_DAMPING,     //
    TML_PARAMETER_JOINT_REST,        //
    TML_PARAMETER_SERVO_STIFFNESS,   //
    TML_PARAMETER_SERVO_DAMPING,     //
    TML_PARAMETER_JOINT_WEIGHT,      // of held and driven axes in least-norm loads
    TML_PARAMETER_SPRING_STIFFNESS,  // spring
    TML_PARAMETER_SPRING_DAMPING,    // spring
    TML_PARAMETER_SPRING_REST,       // spring: its rest length
    TML_PARAMETER_FRICTION,          // body: added to the coefficient of all its contacts
    TML_PARAMETER_RESTITUTION,       // body: likewise
    TML_PARAMETER_CONTROL,  // control, given to step `step` (1 is the first); 0: to all of them
    TML_PARAMETER_KINDS,
} tml_parameter_kind;

typedef struct tml_parameter {
    tml_parameter_kind kind;
    int index;
    int component;
    int step;  // TML_PARAMETER_CONTROL only
} tml_parameter;

// What is asked about the state after step `step`; 0 is the initial state.
typedef enum tml_quantity_kind {
    TML_QUANTITY_POSITION,          // body; x y z of its frame
    TML_QUANTITY_QUATERNION,        // body; w x y z
    TML_QUANTITY_VELOCITY,          // body; x y z of its frame's origin
    TML_QUANTITY_ANGULAR_VELOCITY,  // body; x y z
    TML_QUANTITY_CONTACT_FORCE,     // body; x y z: mean over the step of what its contacts push, N
    TML_QUANTITY_COORDINATE,        // joint; a free axis tx ... rz
    TML_QUANTITY_RATE,              // joint; the rate of that coordinate
    TML_QUANTITY_FORCE,             // joint; x y z of its load, least-norm where rows are redundant
    TML_QUANTITY_MOMENT,            // joint; x y z
    TML_QUANTITY_KINETIC,           // -
    TML_QUANTITY_POTENTIAL,         // -
    TML_QUANTITY_KINDS,
} tml_quantity_kind;

typedef struct tml_quantity {
    tml_quantity_kind kind;
    int index;
    int component;
    int step;
} tml_quantity;

TML_API const char* tml_parameter_kind_name(tml_parameter_kind kind);  // "mass"
TML_API const char* tml_quantity_kind_name(tml_quantity_kind kind);    // "position"
TML_API bool tml_parameter_kind_find(const char* name,
                                     tml_parameter_kind* out);  // false: no such name
TML_API bool tml_quantity_kind_find(const char* name, tml_quantity_kind* out);

// A sentence part such as "mass of body 'rod'"; at most `capacity` bytes, always terminated.
TML_API void tml_parameter_describe(const tml_model* model, const tml_parameter* parameter,
                                    char* text, size_t capacity);
TML_API void tml_quantity_describe(const tml_model* model, const tml_quantity* quantity, char* text,
                                   size_t capacity);

// Which slopes of steps that touch. Labels (which contacts push, stick, slide or part) are those of
// the run in the first two.
typedef enum tml_contact_slopes {
    TML_SLOPES_EXACT,              // of the steps as they are
    TML_SLOPES_CONTINUOUS_BOUNCE,  // positions by the limit of short steps where contacts bounce
    TML_SLOPES_COMPLEMENTARITY_AWARE,  // gradients only, a heuristic: labels that let them through
    TML_SLOPES,
} tml_contact_slopes;

TML_API const char* tml_contact_slopes_name(tml_contact_slopes slopes);  // "exact", ...

// What the last pass met. Counts of steps, and the first of them (-1: none).
typedef struct tml_derivatives_flags {
    int tied_steps, first_tied;  // a contact neither pushed nor parted: its other side differs
    int rank_steps, first_rank;  // contacts were nearly dependent on each other, or nearly not
    // overlaps were parted by a shift, whose slopes are exact; continuous_bounce leaves it out where contacts bounce
    int shift_steps, first_shift;
    int other_label_steps;  // complementarity-aware gradients took labels of their own
    // breaks_closure: parameters, of those asked for, whose change contradicts redundant rows (a hinge of
    // a planar four-bar tilted locks it). Their derivatives do not exist:
    // NAN, and tml_derivatives_message names the first of them
    int broken_parameters, first_broken;
    // contact forces did not settle: they obey their laws to max_complementarity of the report only, and slopes
    // are those of the labels that the step ended with
    int unsettled_steps, first_unsettled;
} tml_derivatives_flags;

// ---- running

// `memory` bounds what is kept of a run, in bytes; 0: 256 MB. A run that needs more keeps fewer
// states and repeats steps on the way back; repeated steps have the same bits.
// The model is borrowed and must outlive the object. When the call fails, *out is NULL or an object
// good only for tml_derivatives_message and tml_derivatives_destroy.
// TML_UNSUPPORTED: steps of this formulation have no derivatives in this version.
TML_API tml_status tml_derivatives_create(const tml_model* model, const tml_sim_settings* settings,
                                          size_t memory, tml_derivatives** out);
TML_API void tml_derivatives_destroy(tml_derivatives* d);  // NULL is fine
TML_API const char* tml_derivatives_message(const tml_derivatives* d);

// One step, as tml_sim_step. Controls are parameters where they are given (not NULL).
TML_API tml_status tml_derivatives_step(tml_derivatives* d, const double* controls);

// Change the model's numbers by `change` (one number a parameter, controls excepted), counted from the
// model as given, and forget the run. Where a change opens a joint, the nearest poses that close it
// are taken. On any status but TML_OK nothing has changed.
TML_API tml_status tml_derivatives_change(tml_derivatives* d, int count,
                                          const tml_parameter* parameters, const double* change);

// The number that a parameter has in a model: the value of masses, inertias, centres of mass, gravity,
// initial velocities, stiffnesses, dampings and rests, zero for poses, joint frames and controls.
TML_API double tml_parameter_value(const tml_model* model, const tml_parameter* parameter);

// Forget the run: back to the initial state.
TML_API void tml_derivatives_restart(tml_derivatives* d);

// Forget the run and begin a new one where it stands: derivatives from now on are with all that came before
// held fixed, so initial poses and velocities are no parameters. _restore goes to a state of
// tml_sim_save first (of tml_derivatives_sim), as it is; on any status but TML_OK nothing has changed.
TML_API tml_status tml_derivatives_begin(tml_derivatives* d);
TML_API tml_status tml_derivatives_restore(tml_derivatives* d, const void* state, size_t bytes);

TML_API int tml_derivatives_steps(const tml_derivatives* d);
TML_API const tml_sim* tml_derivatives_sim(const tml_derivatives* d);  // where the run stands

// ---- asking

// The values of quantities of the run.
TML_API tml_status tml_derivatives_values(tml_derivatives* d, int count,
                                          const tml_quantity* quantities, double* values);

// Forwards: `change` has one number a parameter, the direction. `out` receives the derivative of
// every quantity along it.
TML_API tml_status tml_derivatives_forward(tml_derivatives* d, int parameter_count,
                                           const tml_parameter* parameters, const double* change,
                                           int quantity_count, const tml_quantity* quantities,
                                           double* out);

// For passes from now on; exact until then. Forward passes are not complementarity-aware.
TML_API tml_status tml_derivatives_set_contact_slopes(tml_derivatives* d,
                                                      tml_contact_slopes slopes);
TML_API tml_derivatives_flags tml_derivatives_last_flags(const tml_derivatives* d);

// Backwards: the gradient of sum_i weight_i quantity_i by every parameter.
TML_API tml_status tml_derivatives_gradient(tml_derivatives* d, int quantity_count,
                                            const tml_quantity* quantities, const double* weights,
                                            int parameter_count, const tml_parameter* parameters,
                                            double* gradient);

// Backwards step by step, for runs whose controls follow their states: what a policy saw of state k - 1 gets its share
// of the gradient by the controls of step k. One pass in all, from the end of the run:
//
//     tml_derivatives_back_begin(d, count, parameters);
//     for (int k = tml_derivatives_steps(d); k > 0; k--) {
//         tml_derivatives_back_seed(d, ...);           // quantities of step k with their weights
//         tml_derivatives_back_step(d, by_controls);   // one number a control of step k
//         ...                                          // by the policy: weights of quantities of step k - 1
//     }
//     tml_derivatives_back_seed(d, ...);               // of step 0
//     tml_derivatives_back_end(d, count, parameters, gradient);
//
// A step has any number of seeds, all before it is gone over. Controls that were not given to a step have no
// gradient: 0. Parameters are asked for where the pass begins; its end takes those or fewer, goes over all steps that
// are left, and their controls count as in tml_derivatives_gradient. A step of the run, another pass or a failure ends the pass.
TML_API tml_status tml_derivatives_back_begin(tml_derivatives* d, int parameter_count,
                                              const tml_parameter* parameters);
TML_API int tml_derivatives_back_at(
    const tml_derivatives* d);  // step of the next seed; -1: no pass
TML_API tml_status tml_derivatives_back_seed(tml_derivatives* d, int count,
                                             const tml_quantity* quantities, const double* weights);
TML_API tml_status tml_derivatives_back_step(tml_derivatives* d, double* controls);
TML_API tml_status tml_derivatives_back_end(tml_derivatives* d, int parameter_count,
                                            const tml_parameter* parameters, double* gradient);

// Does a change of this parameter keep the loops of the mechanism closed along the run? Where redundant
// rows close them (one hinge of a planar four-bar is tilted: it locks) no derivative exists, and what
// the functions above answer means nothing. Costs a forward pass.
// TML_INFEASIBLE: it breaks them; the message names a row.
TML_API tml_status tml_derivatives_check_closure(tml_derivatives* d,
                                                 const tml_parameter* parameter);

// ---- checking

typedef struct tml_derivatives_report {
    double largest_error;      // of |exact - differences| / scale over all pairs
    double scale;              // largest |derivative| met of the worst quantity
    int worst_parameter;       // of the lists given
    int worst_quantity;        //
    double exact, difference;  // at the worst pair
    double dot_product;        // |w . J v - v . J^T w| over |w . J v| for random v and w
    int pair_count;
} tml_derivatives_report;

// Compare the derivatives of the run as it stands with central differences at three step sizes,
// extrapolated (Ridders), parameter by parameter; `step` is the largest one, relative to each
// parameter's own size (0: 1e-2). Writes a table for people into `text` (may be NULL). The
// status is not TML_OK only where something could not be computed: judging is the caller's.
TML_API tml_status tml_derivatives_check(tml_derivatives* d, double step, int parameter_count,
                                         const tml_parameter* parameters, int quantity_count,
                                         const tml_quantity* quantities,
                                         tml_derivatives_report* report, char* text,
                                         size_t capacity);

TML_END_C

#endif
