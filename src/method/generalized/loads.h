// method/generalized/loads.h - the multipliers of the tree's own rows as a linear map.
//
// What a joint of the tree transmits is what everything beyond it takes to move: W summed over it
// (product.h), with the multipliers of all other rows among what pushes. Split along the joint's rows that
// is tml__gen_complete; here is how it follows the state, its accelerations, the other rows' multipliers
// and the parameters.
#ifndef TML_METHOD_GENERALIZED_LOADS_H
#define TML_METHOD_GENERALIZED_LOADS_H

#include "method/generalized/product.h"

typedef struct gen_load_point {
    const double *numbers, *rates, *accelerations;
    const double* lambda;  // of all rows
    double* other;         // scratch per row: those that the tree does not hold
    double* six;           // scratch, 6 a node
} gen_load_point;

// Changes or gradients.
typedef struct gen_load_numbers {
    double *positions, *rates, *accelerations;  // per column
    double* given;  // per row: multipliers of rows that the tree does not hold
    double* all;    // per row
    double* pose;   // 6 a node: backwards, gradients by poses that the caller carries on
    double*
        touching;  // 6 a node: of what contacts push with, about centres of mass; NULL: nothing touches
    parameter_set in;
} gen_load_numbers;

// Forwards x->all is overwritten. Backwards everything else grows, but x->pose, which is overwritten.
void tml__gen_load_product(gen_product* p, partial_direction way, const gen_load_point* at,
                           const gen_load_numbers* x);

#endif
