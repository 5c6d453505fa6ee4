// method/generalized/step_slope.h - derivatives of a step that touches, from its record.
//
// The step of method/generalized/contact.h with its labels frozen: which rows hold, slide or part does not
// change. Then everything is smooth, and one bordered system has every derivative      [DCON (6)-(16)]
//
//     M du+ - K df_C = r,     J_C du+ + E df_C = -g,      K = J_C^T + J_B^T (+-mu)
//
// with r and g by what is varied: positions (in the columns: tangents, never quaternions), rates,
// forces along the columns.
#ifndef TML_METHOD_GENERALIZED_STEP_SLOPE_H
#define TML_METHOD_GENERALIZED_STEP_SLOPE_H

#include "geom/bend.h"
#include "method/generalized/border.h"
#include "method/generalized/slope.h"

typedef enum slope_mode {
    SLOPE_EXACT,              // of the step as it is
    SLOPE_CONTINUOUS_BOUNCE,  // positions by the limit of short steps where contacts bounce
} slope_mode;

// Which columns are wanted; the others are left alone.
typedef enum slope_columns {
    SLOPE_BY_POSITIONS = 1,
    SLOPE_BY_RATES = 2,
    SLOPE_BY_FORCES = 4,
    SLOPE_BY_ALL = 7,
} slope_columns;

// All n x n, row-major; row: what changes, column: what is varied.
typedef struct gen_step_slope {
    gen_touch* touch;  // borrowed
    gen_slope* inverse;
    tml_allocator allocator;
    int n;
    unsigned wants;           // of slope_columns; all when created
    double *v_q, *v_v, *v_f;  // of the rates after the step, by positions, rates and forces before
    double *q_q, *q_v, *q_f;  // of the positions after it
    int held, independent;    // rows that hold, and those of them that count
    bool is_tied;             // some row neither pushes nor parts: the other side has other slopes
    bool is_rank_doubtful;    // a row was nearly taken for the other kind

    // scratch
    double *id_q, *id_v, *mass, *r_q;
    twist *before, *after;    // per link, motions inwards, about the world's origin
    wrench* fixed;            // per body
    twist* S;                 // per column, about the world's origin
    double* column;           // n
    int* path;                // columns that move a contact's bodies
    bool *moves_a, *moves_b;  // per column
    double* wide;             // n x 3n: all right-hand sides
} gen_step_slope;

tml_status tml__gen_step_slope_create(gen_touch* c, const tml_allocator* allocator, message* why,
                                      gen_step_slope** out);
void tml__gen_step_slope_destroy(gen_step_slope* s);  // NULL is fine

// For the last step of the touch: its contacts, the numbers it started from, the rates it ended with.
// Semi-implicit: positions move with the new rates.
// TML_UNSUPPORTED: rows of loops, drives or couplings, springs and limits of ball joints, forces
// between points, drag. TML_SINGULAR: contacts that slide have no unique forces. `why` says which.
tml_status tml__gen_step_slope(gen_step_slope* s, slope_mode mode, const contact* contacts,
                               double h, const double* numbers, const double* rates_after,
                               message* why);

#endif
