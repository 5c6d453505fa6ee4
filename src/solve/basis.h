// solve/basis.h - rows taken one by one: does each add something to those before it?
//
// Gram-Schmidt, twice per row, in the order given: unlike a pivoted factorisation it keeps the
// earlier of two dependent rows, which is what people expect of a report.
#ifndef TML_SOLVE_BASIS_H
#define TML_SOLVE_BASIS_H

#include "base/message.h"
#include "base/pool.h"

#include <stdbool.h>

typedef struct row_basis {
    int width;       // numbers in a row
    int capacity;    // rows it can keep
    int rank;        // rows kept
    double* q;       // rank x width: orthonormal
    double* L;       // rank x capacity: kept row k = sum_i L[k][i] q_i
    int* place;      // width: of the row at hand, the numbers that it has
    double* value;   //
    double kept;     // smallest part that a kept row added, relative to its size; 1 when none
    double dropped;  // largest part that a refused row would have added; 0 when none
} row_basis;

tml_status tml__basis_create(pool* memory, int width, int capacity, row_basis* out);

// Offer a row, scaled to order one. Kept when what is left of it exceeds tolerance times its size,
// or times 1 where it is smaller. When it is refused,
// weight[k], k < rank, says how it depends: row = sum_k weight[k] (kept row k).
// scratch: width + capacity doubles.
bool tml__basis_add(row_basis* b, const double* row, double tolerance, double* weight,
                    double* scratch);

// The smallest singular value of the kept rows, and the motion (width numbers, length 1) that they
// nearly allow. scratch: 2 rank doubles. 0 when nothing is kept.
double tml__basis_smallest(const row_basis* b, double* motion, double* scratch);

#endif
