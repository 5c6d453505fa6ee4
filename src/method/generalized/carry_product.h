// method/generalized/carry_product.h - carried velocities (carry.h) as a linear map, forwards and backwards.
//
// Every part of a motion is a chain of small maps: velocities of bodies at a pose, a free turn of each, a
// projection at the next pose, a reflection. Each is differentiated as it stands, values are found again.
#ifndef TML_METHOD_GENERALIZED_CARRY_PRODUCT_H
#define TML_METHOD_GENERALIZED_CARRY_PRODUCT_H

#include "method/generalized/step_rows.h"

// Changes of what a body keeps, or gradients by it.
typedef struct gen_carry_product {
    gen_step_rows* rows;  // borrowed
    tml_allocator allocator;
    double* memory;                 // of all below
    double *before, *mid, *turned;  // 6 a body
    double *positions, *rates;      // per column: of the part in progress
    double *mid_positions, *mid_rates;
    double *moved, *given;        //
    double* end_rates;            // values
    double* value;                // per row
    double* impulse;              // per row
    const double* numbers_after;  // where the motion ended, borrowed
    parameter_set in;
} gen_carry_product;

// TML_OK or TML_NO_MEMORY. From here on the motion remembers its parts.
tml_status tml__gen_carry_product_create(gen_step_rows* rows, const tml_allocator* allocator,
                                         message* why, gen_carry_product** out);
void tml__gen_carry_product_destroy(gen_carry_product* c);  // NULL is fine

// The mass matrix of the middle of the last part, factored; positions there are c->mid_positions.
tml_status tml__gen_carry_stand(gen_carry_product* c, message* why);
const double* tml__gen_carry_mid(const gen_carry_product* c);

// Numbers after a motion by those before it and by the rates. Forwards `moved` is overwritten, backwards
// positions and rates grow; c->mid_positions may have grown before. Impulses of rows are among
// rows->multipliers, or gradients by them, which stay.
tml_status tml__gen_carry_move_product(gen_carry_product* c, partial_direction way,
                                       const parameter_set* in, double* positions, double* rates,
                                       double* moved, message* why);

// Rates at its end by the positions there, after or before that: forwards after it, backwards before it.
// Forwards `rates` is overwritten, backwards positions grow.
tml_status tml__gen_carry_end_product(gen_carry_product* c, partial_direction way,
                                      const parameter_set* in, const double* numbers_after,
                                      double* positions, double* rates, message* why);

#endif
