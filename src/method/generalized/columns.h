// method/generalized/columns.h - motors, springs, dampers and servos along the tree's own columns.
//
// The maximal system knows them as wrenches between two bodies, which follow poses, velocities and markers. Seen
// from the column they act along they are one number, Q(s, s'), whatever the bodies do:
//
//     tau_k -= Q,     d tau_k = -(dQ/ds dq_k + dQ/ds' du_k + dQ by the axis' own parameters)
//
// Products that take them so (product.h) leave them out of the wrenches.
#ifndef TML_METHOD_GENERALIZED_COLUMNS_H
#define TML_METHOD_GENERALIZED_COLUMNS_H

#include "force/axis.h"
#include "method/generalized/motion.h"
#include "method/generalized/tangent.h"
#include "method/partials.h"

typedef struct gen_column_push {
    joint_axis_id id;
    int column;
    double value, rate;
    axis_force f;
} gen_column_push;

typedef struct gen_columns {
    int count;
    gen_column_push* list;
    bool* is_apart;  // per axis of every joint: in the list
    tml_allocator allocator;
} gen_columns;

tml_status tml__gen_columns_create(const gen_motion* m, const tml_allocator* allocator,
                                   gen_columns* out);
void tml__gen_columns_release(gen_columns* c);

// What they push with at the placed bodies.
void tml__gen_columns_look(const gen_motion* m, gen_columns* c);

// d_tau grows by their changes; or gradients by everything else grow by `pulled`, those by tau. Positions and
// rates of `x`; NULL: they do not change.
void tml__gen_columns_product(const gen_motion* m, const gen_columns* c, partial_direction way,
                              const gen_column_change* x, const parameter_set* in,
                              const double* pulled, double* d_tau);

#endif
