// linalg/saddle.h - the whole matrix [ K -C^T ; C E ] as one scaled list of scalar entries.
//
// The dense and the KLU engine both factor S M S, where M is the saddle matrix and S a diagonal of
// powers of two (so scaling rounds nothing). S makes K's largest entries about 1 on every node,
// then every row's: a light body then weighs as much as a heavy one, and a pivot that is small
// against its column means rank deficiency and not just a small mass.
#ifndef TML_LINALG_SADDLE_H
#define TML_LINALG_SADDLE_H

#include "linalg/kkt_internal.h"

typedef struct saddle {
    int size;        // 6 node_count + row_count
    int slot_count;  // scalar entries, repeated ones counted each time
    int* row;        // of each slot
    int* column;
    double* scale;  // S, one per unknown
    double* b;      // right-hand side, solution and residual, scaled
    double* x;
    double* residual;
} saddle;

// TML_UNSUPPORTED when the entries cannot be counted by an int.
tml_status tml__saddle_create(saddle* s, const kkt* k, message* why);
void tml__saddle_destroy(saddle* s, const tml_allocator* allocator);

// Choose S for the values as they stand and write the scaled value of every slot.
void tml__saddle_values(saddle* s, const kkt* k, double* value);

// b = S (r, c); (dx, dl) = S x, false when that is not finite.
void tml__saddle_load(saddle* s, const kkt* k, const double* r, const double* c);
bool tml__saddle_store(const saddle* s, const kkt* k, double* dx, double* dl);

#endif
