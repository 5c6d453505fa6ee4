// sim/linear.h - an accepted step as a linear map: what diff/ asks of a simulation.
//
// A step that was accepted is differentiated where it stands: with the matrix of its solution and
// the exact partial derivatives of its equations. Every formulation answers through the one table
// step_linear, so that diff/ knows none of them. Each function serves both directions:
//     PARTIAL_FORWARD    changes of the inputs go in, changes of the outputs come out (overwritten)
//     PARTIAL_BACKWARD   gradients by the outputs go in, gradients by the inputs grow
//
// The simulation must stand where the step began (tml__sim_put), and the trace says how the step
// went. Numbers of a state, a "state vector":
//     positions (sim->width), rates (sim->width), multipliers (one a row)
// in the ambient space of the flat state: quaternions are four numbers, of which only changes along
// the unit sphere matter. A formulation may carry other numbers from step to step (state_count); then it
// says how the flat ones follow them (flatten).
#ifndef TML_SIM_LINEAR_H
#define TML_SIM_LINEAR_H

#include "method/partials.h"
#include "sim/sim_internal.h"

#include <trammel/derivatives.h>

// Everything a run depends on but its controls.
typedef struct run_inputs {
    parameter_set form;  // of the equations
    double* initial;     // INITIAL_NUMBERS a body: pose, then velocity
    double* com;         // 3 a body: of the centre of mass in the body frame
    double* contact;     // 2 a body: added to friction and restitution of all its contacts
    bool wants_loads;    // joint loads are asked for
    bool wants_forces;   // forces of contacts are
    const double*
        given;  // flat poses from which joints were closed (perturb.h); NULL: closed as they are
    const double* wanted;  // 6 a node: how bodies were to move from there
} run_inputs;

enum {
    INITIAL_NUMBERS = 12  // shift, rotation vector (world axes), velocity, angular velocity
};

size_t tml__run_input_count(const tml_sim* sim);
run_inputs tml__run_inputs(const tml_sim* sim, double* numbers);

// A centre of mass that shifts in its body takes along what is measured from it: markers and points
// of forces. Forwards: spread what stands in `com`; backwards: gather it there.
void tml__spread_com(const tml_sim* sim, partial_direction way, const run_inputs* in);

// What a step says about its own derivative.
typedef struct step_flags {
    bool is_tied;           // a contact neither pushes nor parts: the other side has other slopes
    bool is_rank_doubtful;  // contacts were nearly dependent, or nearly not
    bool has_shift;         // overlaps were parted by a shift
    bool is_unsettled;      // contact forces obey their laws to what the report says only
    // contacts share a push in any way: their forces have no slopes, nor loads
    bool has_free_split;
    bool took_other_labels;  // complementarity-aware: the gradient went through labels of its own
} step_flags;

// What one step looks back on and what it makes.
typedef struct step_numbers {
    double* past[TIME_PAST];  // state vectors, the newest first; NULL beyond past_kept
    double* before;           // controls at the start of the step; NULL: those of the model
    double* now;              // controls at its end
    run_inputs inputs;
    double* next;  // the new state vector
    tml_contact_slopes slopes;
    bool is_again;       // the same step as in the call before, in another direction
    const void* record;  // what it has left behind (record_take); NULL: it is taken again
    step_flags* flags;   // out; NULL: nobody asks
} step_numbers;

typedef struct linear_work linear_work;  // of the formulation

typedef struct step_linear {
    // numbers in its own state vector; NULL: the flat one
    size_t (*state_count)(const tml_sim* sim);
    // numbers behind them that a step makes and no later step looks at: loads follow them; NULL: none
    size_t (*extra_count)(const tml_sim* sim);
    bool has_contact_forces;  // these are the mean forces of contacts over the step, 6 a node
    bool has_step_loads;      // joint loads follow them: they are no function of the state alone
    // the flat state vector by its own, at the state where the simulation stands
    void (*flatten)(tml_sim* sim, linear_work* work, partial_direction way, const run_inputs* in,
                    double* own, double* flat);
    // a state as plain numbers, and the way from them to the state where the simulation stands, as its own
    // state vector; NULL: there is none
    size_t (*point_count)(const tml_sim* sim);
    void (*note)(const tml_sim* sim, double* point);
    void (*way)(const tml_sim* sim, const double* point, double* state);
    // TML_UNSUPPORTED with a sentence: what it cannot do of this quantity or run; NULL: anything
    tml_status (*check)(tml_sim* sim, const tml_quantity* quantity);
    tml_status (*create)(tml_sim* sim, linear_work** out);
    void (*destroy)(tml_sim* sim, linear_work* work);
    // inner solutions that a trace keeps; NULL: all
    int (*stage_count)(const tml_sim* sim);
    // what the step just accepted has left behind for `step`, as bytes; NULL or 0: nothing, it is taken again
    size_t (*record_bytes)(tml_sim* sim);
    void (*record_take)(tml_sim* sim, void* bytes);
    // the initial state by what is given
    tml_status (*start)(tml_sim* sim, linear_work* work, partial_direction way,
                        const run_inputs* in, double* state);
    // one step; `controls` as they were given to it
    tml_status (*step)(tml_sim* sim, linear_work* work, const step_trace* trace,
                       const double* controls, partial_direction way, const step_numbers* x);
} step_linear;

// A quantity of the state that the simulation stands at, by its state vector and by the inputs;
// `value` is one number (diff/quantity.c). Joint loads need what they are made of first.
tml_status tml__linear_quantity(tml_sim* sim, linear_work* work, partial_direction way,
                                const tml_quantity* quantity, double* state, const run_inputs* in,
                                double* value);

// The same of joint loads alone (diff/load.c). The targets among the inputs are those of the state.
tml_status tml__linear_load(tml_sim* sim, linear_work* work, partial_direction way,
                            const tml_quantity* quantity, double* state, const run_inputs* in,
                            double* value);

// Its value.
tml_status tml__quantity_value(tml_sim* sim, const tml_quantity* quantity, double* value);

// Redundant rows may ask for different things when a design changes: then the loop they close is
// broken, and nothing that depends on it has a derivative. The largest share of a change of rows that
// no motion could follow since the last forgetting, 0 to 1, and the row that lacked most.
void tml__linear_forget_conflict(linear_work* work);
double tml__linear_conflict(const linear_work* work, int* row);

// The same of all parameters at once, at the state where the simulation stands (diff/closure.c): a
// combination of redundant rows, at most 1, that no motion can change, by the parameters; the inputs grow.
// rows and E (6 a node) are scratch.
bool tml__linear_may_break(const tml_sim* sim);
tml_status tml__linear_closure(tml_sim* sim, int trial, const run_inputs* in, double* rows,
                               double* E);

static inline size_t tml__flat_count(const tml_sim* sim)
{
    return 2 * (size_t)sim->width + (size_t)sim->system->row_count;
}

// The state as bytes without the header and the checksum of tml_sim_save (save.c); as many as it needs, which
// changes with the contacts.
size_t tml__sim_bytes(const tml_sim* sim);
void tml__sim_take(const tml_sim* sim, void* bytes);
void tml__sim_put(tml_sim* sim, const void* bytes);

// How many contacts such bytes keep.
int tml__sim_contacts_in(const void* bytes);

// All of it zero, at time 0: what creation finds.
void tml__sim_clear(tml_sim* sim);

// Positions and multipliers among them.
void tml__sim_view(const tml_sim* sim, void* bytes, double** q, double** lambda);

#endif
