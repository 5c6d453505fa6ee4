// method/generalized/step_rows.h - one step in joint coordinates whose rows hold it (loops, drives, couplings,
// limits), as a linear map, forwards and backwards. Nothing touches.
//
// A step is a sequence of solutions with the mass matrix M of its start, each with rows of its own:
//
//   push     M (u1 - u) = h (tau - c) + J(q)^T f,    C(q1)/h + (E/h^2) f = 0,  q1 = q moved by h u1
//            (old rates: J u1 + C(q)/h + (E/h^2) f = 0, q1 = q moved by h u)
//   close    M w = J(x)^T l,   J w + C(x) = 0,   x moved by w, until the rows are closed at q2
//   settle   M (u2 - u1) = J(q2)^T g,   J u2 + C_t = 0
//
// and each is differentiated as it stands: exact derivatives of the numbers that a run computes.
#ifndef TML_METHOD_GENERALIZED_STEP_ROWS_H
#define TML_METHOD_GENERALIZED_STEP_ROWS_H

#include "method/generalized/border.h"
#include "method/generalized/product.h"

// What a step was made of.
typedef struct gen_rows_record {
    double h;
    double tolerance;
    bool has_new_rates;           // positions move by the rates of the push
    bool is_undamped;             // M is H alone
    const double* numbers;        // before the step
    const double* rates;          //
    const double* numbers_moved;  // by the push
    const double* rates_pushed;   //
    const double* impulse;        // of the push, per row of the maximal system
    // a step that touches (step_held.h): rates and impulses before the rows were closed, numbers before overlaps
    // were parted; NULL: nothing touches
    const double *rates_touched, *impulse_touched, *numbers_pushed;
    const double* numbers_after;
    const double* rates_after;
    const double* impulse_settled;  // of rates that settle
} gen_rows_record;

// Changes or gradients. NULL: nobody asks for the multipliers.
typedef struct gen_rows_numbers {
    double *positions, *rates;              // before, per column
    double *positions_after, *rates_after;  // after
    double* multipliers;                    // after: all impulses over h, per row
    parameter_set in;
} gen_rows_numbers;

enum {
    GEN_CLOSINGS = 12  // far more than Newton takes
};

// One step of closing.
typedef struct gen_closing {
    double *x, *w, *push;
} gen_closing;

typedef struct gen_carry_product gen_carry_product;

typedef struct gen_step_rows {
    gen_carry_product* carry;  // NULL: rates change by impulses alone (carry.h)
    gen_motion* motion;        // borrowed
    gen_product* product;      // borrowed
    tml_allocator allocator;
    gen_border border;  // of the solution at hand
    gen_rows_record record;
    bool has_dampers;         // beside columns (dampers.h)
    double* closing_numbers;  // of all closings
    gen_closing closing[GEN_CLOSINGS];
    int closing_count;
    double *zero, *r, *tau, *w, *flow;     // per column
    double *q1, *u1, *q2;                  // per column: between the solutions
    double *g, *multipliers, *lambda;      // per row
    double *kept_rates, *kept_parameters;  // of targets while they stand still
} gen_step_rows;

// TML_OK or TML_NO_MEMORY.
tml_status tml__gen_step_rows_create(gen_motion* m, gen_product* p, const tml_allocator* allocator,
                                     message* why, gen_step_rows** out);
void tml__gen_step_rows_destroy(gen_step_rows* s);  // NULL is fine

// Stand at a step that was just taken; the targets are those of its end, sides of limits as they were.
// TML_UNSUPPORTED: rows that were not closed as the push means to. `why` says.
tml_status tml__gen_step_rows_at(gen_step_rows* s, const gen_rows_record* record, message* why);

// What is after the step is overwritten.
tml_status tml__gen_step_rows_forward(gen_step_rows* s, const gen_rows_numbers* x, message* why);

// What is before the step grows; what is after it is lost.
tml_status tml__gen_step_rows_backward(gen_step_rows* s, const gen_rows_numbers* x, message* why);

// ---- parts of it, for other steps

// A product at one instant: where the motion is looked at, and what of it counts.
typedef struct gen_rows_point {
    const double *numbers, *rates, *accelerations;
    gen_view view;
    bool is_held;  // targets stand still
} gen_rows_point;

// Forwards r += sign d(tau), and changes of the rows in s->product->rows. Backwards r holds gradients by r,
// and s->product->rows those by the rows.
void tml__gen_rows_carry(gen_step_rows* s, partial_direction way, const gen_rows_point* at,
                         const gen_column_change* change, const parameter_set* in, double sign,
                         double* r);

// The rows at a state that do not give way, as the border of the mass matrix as it is factored.
tml_status tml__gen_rows_open(gen_step_rows* s, const double* numbers, const double* rates,
                              message* why);

// Solve with them: r in place from r and s->product->rows, impulses added to s->multipliers. Backwards r in
// place, s->product->rows overwritten, gradients by s->multipliers on wish among what is given.
void tml__gen_rows_forward(gen_step_rows* s, double* r);
void tml__gen_rows_backward(gen_step_rows* s, double* r, bool has_multipliers);

// The rows of a step that touches, closed along the rates that contacts have left, whose changes stand in s->u1 and
// those of the impulses so far in s->multipliers; s->q1, s->u1 and s->multipliers receive those of the push as it ends.
//
//     M (u1 - u0) = J(q)^T p,   C(q1)/h + (E/h^2) (f + p) = 0,   q1 = q moved by h u1
//
// Backwards gradients by q1, u1 and impulses become those by u0 and f in the same places. Limits must be off.
tml_status tml__gen_close_product(gen_step_rows* s, partial_direction way,
                                  const gen_rows_record* record, const gen_rows_numbers* x,
                                  message* why);

// Closing and settling alone, with the mass matrix of record->numbers factored: x->positions are those it
// belongs to; x->positions_after and x->rates_after in place.
tml_status tml__gen_settle_product(gen_step_rows* s, partial_direction way,
                                   const gen_rows_record* record, const gen_rows_numbers* x,
                                   message* why);

#endif
