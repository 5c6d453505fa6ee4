// diff/derivatives.h - the inside of a run that remembers how it went.
#ifndef TML_DIFF_DERIVATIVES_H
#define TML_DIFF_DERIVATIVES_H

#include "diff/perturb.h"

// One moment of the run: the state after so many steps, and how the step there went.
typedef struct moment {
    void* state;       // bytes of tml__sim_take; NULL: dropped
    size_t bytes;      // room for it
    void* record;      // bytes of record_take; NULL: there is none
    step_trace trace;  // of the step that led here; not of the initial state
    bool has_trace;
} moment;

enum {
    NO_PASS = -2  // -1: it has gone over the start of the run
};

struct tml_derivatives {
    tml_sim* sim;      // owned
    tml_sim* base;     // of the model as given; the same until numbers are changed
    tml_model* model;  // with changed numbers; NULL: as given
    closed_from from;  // what its poses were closed from
    tml_allocator allocator;
    message why;
    bool is_dead;
    const step_linear* linear;
    linear_work* work;

    // the run
    bool begins_inside;  // not at the initial state: steps look back at what no one differentiates
    int steps;
    int capacity;        // of the lists below
    moment* moments;     // steps + 1 of them
    double* controls;    // control_count a step, from step 1 on; row 0 is not used
    char* has_controls;  // whether step k was given some
    size_t limit;        // bytes
    size_t largest_state, largest_record;  // bytes, so far
    int stride;                            // states whose step is a multiple of it are kept
    int replayed_from;                     // first step of the stretch that was run again; -1: none
    int replayed_to;
    step_trace trace;  // of the step in progress

    // numbers of a pass
    double* inputs;  // dense, see run_inputs
    size_t input_count;
    unsigned wants;               // groups of them that count in this pass, see parameter_group
    double* change;               // controls: control_count a step, from step 0 on
    double* ring[TIME_PAST + 1];  // state vectors,
    int ring_count;               // as many as a step looks back, and one
    double* outside;              // of states before the run: nothing comes from there
    size_t state_count;           // numbers in one
    size_t extra_count;           // and behind them, see step_linear
    bool wants_loads;             // in this pass
    bool wants_forces;            // of contacts, in this pass
    bool has_free_split;          // in the last step of it, see step_flags
    // a pass that goes back: the step behind which it stands, and what has been seeded there
    int back;
    bool is_stepwise;  // by the caller
    bool is_seeded;
    int seeded_split;  // kind of a quantity that needs to know how contacts share a push; -1: none
    double* flat;      // the flat one, where the formulation carries others; NULL: the same
    tml_contact_slopes slopes;
    tml_derivatives_flags flags;  // of the last pass
};

// Make step k ready: the state before it and its trace. Runs a stretch again where they were dropped.
tml_status tml__moments_need(tml_derivatives* d, int step);

// The simulation put where the run stood after so many steps.
tml_status tml__moments_visit(tml_derivatives* d, int step);

// The simulation was put elsewhere at the end of the run: so is the moment. How its step went stays.
tml_status tml__moments_retake(tml_derivatives* d);

// Back at the end of the run; and with what was run again still there.
void tml__moments_leave(tml_derivatives* d);
void tml__moments_stand_at_end(tml_derivatives* d);

// The model with other numbers, counted from the one given; only base, sim, inputs and why of *d are looked at. Freed
// by tml__perturb_destroy, *from by tml__closed_from_release, whatever the status.
tml_status tml__derivatives_model(tml_derivatives* d, int count, const tml_parameter* parameters,
                                  const double* change, closed_from* from, tml_model** out);

// ---- steps as matrices (pass.c), for methods that want them

// Columns of the step's map in the formulation's own state vector: A, state_count x state_count, and B,
// control_count of them; column after column.
tml_status tml__step_matrix(tml_derivatives* d, int step, double* A, double* B);

// The same along one direction: forwards from changes of the state before the step and of the controls before
// (position actuators come from there) and in it to the new state; backwards from weights of that to
// gradients of these. `is_first`: of this step, in this way.
typedef struct step_product {
    double *state, *before, *now;
    double* next;
} step_product;

tml_status tml__step_product(tml_derivatives* d, int step, partial_direction way, bool is_first,
                             const step_product* p);

// The slope of a quantity by the state after its step: state_count numbers.
tml_status tml__quantity_row(tml_derivatives* d, const tml_quantity* quantity, double* row);

// ---- parameters (parameter.c)

// A parameter is a weighted sum of dense inputs.
enum {
    MAX_SLOTS = 6
};

typedef struct parameter_slots {
    int count;
    double* at[MAX_SLOTS];
    double factor[MAX_SLOTS];
} parameter_slots;

// Everything but controls. TML_BAD_ARGUMENT with a sentence: there is no such parameter.
tml_status tml__parameter_check(tml_derivatives* d, const tml_parameter* p);
unsigned tml__parameter_group(const tml_parameter* p);
parameter_slots tml__parameter_slots(const tml_derivatives* d, const run_inputs* in,
                                     const tml_parameter* p);
// The same for finite changes, counted from the model as given.
parameter_slots tml__change_slots(const tml_derivatives* d, const run_inputs* in,
                                  const tml_parameter* p);
tml_status tml__quantity_check(tml_derivatives* d, const tml_quantity* q);

#endif
