// method/generalized/step_product.h - one step in joint coordinates as a linear map, forwards and backwards,
// with what touches.                                                            [DCON (6)-(16)]
//
// The step of method/generalized/contact.h with its labels frozen, for one direction of change or one
// gradient at linear cost: no n x n matrix is formed. Everything by which a step may change goes in at
// once: positions and rates before it, the parameters of method/partials.h, and those of contacts.
#ifndef TML_METHOD_GENERALIZED_STEP_PRODUCT_H
#define TML_METHOD_GENERALIZED_STEP_PRODUCT_H

#include "geom/bend.h"
#include "method/generalized/border.h"
#include "method/generalized/product.h"
#include "method/generalized/step_rows.h"

typedef enum gen_step_mode {
    STEP_EXACT,              // of the step as it is
    STEP_CONTINUOUS_BOUNCE,  // positions by the limit of short steps where contacts bounce
    STEP_AWARE,              // gradients only: labels that let gradients through, a heuristic
} gen_step_mode;

// What a step was made of: the touch and the motion hold the rest of it.
typedef struct gen_step_record {
    double h;
    const double* numbers;      // before it
    const double* rates;        //
    const double* rates_after;  //
    bool has_new_rates;         // positions move by the rates after it, not before
    const contact* contacts;
    // rows that hold beside contacts go through it (step_held.h), and rates_after are those that contacts leave; NULL: none
    gen_step_rows* held;
    gen_step_rows*
        carrier;  // velocities are carried (carry.h); NULL: they change by impulses alone
    const double* numbers_after;  // then
} gen_step_record;

// Changes or gradients.
typedef struct gen_step_numbers {
    double *positions, *rates;              // before, per column
    double *positions_after, *rates_after;  // after
    parameter_set in;
    double* contact;  // 2 a body: added to friction and to restitution of all its contacts
    double* com;  // 3 a body: of its centre of mass, body axes; shapes stay with the body's frame
    // 6 a node, after: the mean force of its contacts, and its moment about where the centre of mass was before; NULL:
    // nobody asks. STEP_EXACT only
    double* forces;
    double* multipliers;  // per row of the maximal system, after; NULL: nobody asks
} gen_step_numbers;

typedef struct gen_step_product {
    gen_motion* motion;  // borrowed
    gen_touch* touch;    // borrowed; NULL: nothing touches
    gen_product* inverse;
    gen_tangent* after;  // the walk with the rates after the step
    tml_allocator allocator;
    gen_border border;
    gen_border parted;  // rows that the shift out of overlaps closes; none where there is no shift
    gen_step_record record;
    gen_step_mode mode;
    bool is_tied, is_rank_doubtful;
    bool has_shift;          // overlaps were parted by a shift
    bool is_shifting;        // the gradient in progress goes through the shift
    bool took_other_labels;  // STEP_AWARE: the last gradient went through labels of its own

    contact_bend* bends;            // per contact whose normal row holds
    const unsigned char* used;      // per row: the labels in force
    unsigned char* labels;          // per row: those of STEP_AWARE
    wrench* outside;                // per body
    twist* v_after;                 // per body: its motion after the step
    twist *inner, *outer;           // per body
    double* r;                      // per column
    double *move, *from;            //
    double* there;                  //
    double* rates_there;            // where one contact bounces,
    double *a, *a_after;            // and accelerations on either side of that
    double *change, *acceleration;  // u+ - u, and over h
    bool has_dampers;               // beside columns (dampers.h)
    bool is_elsewhere;              // the motion does not stand at the step, but its positions do
    twist* least_v;                 // per body: motion u of step_least.c or step_shift.c
    double *least_u, *zero;         // per column
    double *least, *least_g;        // per row
    double* g;                      // per row
    double* d_f;                    // per row: changes of impulses, or gradients by them
    double* e;                      // per row: of the gaps that the shift closes
    unsigned char* shifted;         // per row: LCP_HELD where the shift closes it
    double* pushes;                 // per row of the maximal system: what it pushes with
    double *row_value, *row_rate;   // the same: changes of rows and of what they see of a motion
    double *impulse, *numbers;      // of the push, before rows were closed; and where it led to
    int bend_room, row_room;
} gen_step_product;

tml_status tml__gen_step_product_create(gen_motion* m, const tml_allocator* allocator, message* why,
                                        gen_step_product** out);
void tml__gen_step_product_destroy(gen_step_product* s);  // NULL is fine

// Stand at a step that was just taken. TML_UNSUPPORTED: rows of loops, drives or couplings by other slopes than
// those of the step; TML_SINGULAR: a
// degenerate contact, or contacts that bounce in STEP_CONTINUOUS_BOUNCE and have no unique forces. `why` says.
tml_status tml__gen_step_product_at(gen_step_product* s, gen_touch* touch, gen_step_mode mode,
                                    const gen_step_record* record, message* why);

// Do contacts share a push in more than one way, so that their forces have no slopes, or moments on wish? Dear: for
// whoever asks for these.
bool tml__step_has_free_split(gen_step_product* s, bool has_moments);

// positions_after, rates_after and forces are overwritten.
tml_status tml__gen_step_product_forward(gen_step_product* s, const gen_step_numbers* x,
                                         message* why);

// Everything but what is after the step grows.
tml_status tml__gen_step_product_backward(gen_step_product* s, const gen_step_numbers* x,
                                          message* why);

#endif
