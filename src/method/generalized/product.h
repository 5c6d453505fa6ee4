// method/generalized/product.h - inverse dynamics of a tree, differentiated at linear cost both ways.
//
//     tau_i = sum over the bodies beyond of  S_i . W,    W = inertia - applied forces - `outside`
//
// W of a body follows its pose, velocity and acceleration (tangent.h), what is applied, and every
// parameter of method/partials.h; S_i is carried along. What acts from outside (contacts) is fixed in the
// world here; whoever knows how it follows the poses adds that between the two halves of a product.
#ifndef TML_METHOD_GENERALIZED_PRODUCT_H
#define TML_METHOD_GENERALIZED_PRODUCT_H

#include "method/generalized/columns.h"
#include "method/generalized/motion.h"
#include "method/generalized/tangent.h"
#include "method/partials.h"

// What W is made of beside `outside`, and at which level the rows of the maximal system are looked at.
typedef struct gen_view {
    bool has_inertia;
    bool is_still;         // of it, nothing that velocities add (carry.h)
    bool is_forced;        // what is applied
    bool is_apart;         // of it, what acts along columns is a number there (columns.h)
    const double* lambda;  // per row, borrowed: rows push with them; NULL: none does
    double damping;        // times the dampers beside columns, against the rates (dampers.h)
    double springing;      // h: springs of balls where a step of h ends, the same
    double level[3];       // rows: a sum of themselves, their rates and second derivatives
} gen_view;

typedef struct gen_product {
    gen_motion* motion;  // borrowed
    gen_tangent* walk;
    tml_allocator allocator;
    gen_view view;
    gen_columns columns;

    // where it stands
    const double* rates;    // borrowed until the next tml__gen_product_at
    double* accelerations;  // per column
    double* acceleration;   // 6 a node: of the centre of mass, and angular
    double* E;              // 6 a node: inertia less what is applied
    wrench* W;              // per body
    wrench* beyond;         // per body: summed over it and everything beyond
    bool has_forces;        // anything but gravity is applied
    bool has_other_forces;  // anything but gravity and what acts along columns

    // between the halves
    gen_column_change moved;  // forwards: what the bodies moved by, borrowed
    const double* pulled;     // backwards: gradients by tau, borrowed
    wrench* dW;            // forwards, per body: the caller adds changes of what acts from outside
    twist* Y;              // backwards, per body: gradients by W, for the caller's own terms
    twist *inner, *outer;  // per body: displacements by markers, or gradients

    // per row: changes by the last product forwards, or gradients that the next one backwards takes; of
    // the rows that the view's levels ask for
    double* rows;

    // scratch: 6 a node, and one a row
    double *pose, *velocity, *d_acceleration, *d_E, *none, *row_part;
} gen_product;

tml_status tml__gen_product_create(gen_motion* m, const tml_allocator* allocator,
                                   gen_product** out);
void tml__gen_product_destroy(gen_product* p);  // NULL is fine

// Put the motion at a state (tml__gen_look), what acts along columns apart.
void tml__gen_product_look(gen_product* p, const double* numbers, const double* rates);

// Stand there, with accelerations of the columns.
// `outside`: per body of the tree, about its origin; NULL: none.
void tml__gen_product_at(gen_product* p, const double* rates, const double* accelerations,
                         const wrench* outside);

// The same with another view, where tml__gen_look has put the motion; accelerations NULL: zero.
void tml__gen_product_view(gen_product* p, const double* rates, const double* accelerations,
                           const wrench* outside, const gen_view* view);

// Forwards, first half: bodies move (p->walk), p->dW is cleared. `change` without markers: those come
// from the parameters.
void tml__gen_product_move(gen_product* p, const gen_column_change* change,
                           const parameter_set* in);
// Second half: d tau, overwritten.
void tml__gen_product_forward(gen_product* p, const parameter_set* in, double* d_tau);

// Backwards, first half: gradients y by tau; p->Y is filled. The caller may add to p->walk->g_Z.
void tml__gen_product_pull(gen_product* p, const double* y);
// Second half: gradients grow.
void tml__gen_product_backward(gen_product* p, const gen_column_change* gradient,
                               const parameter_set* in);

// Poses and velocities of the centres of mass (p->pose, p->velocity: 6 a node) by Z and V of the walk,
// or gradients by Z and V, which grow, from those by poses and velocities. And the other way round.
void tml__gen_product_tell(gen_product* p);
void tml__gen_product_ask(gen_product* p);
void tml__gen_product_hear(gen_product* p);
void tml__gen_product_answer(gen_product* p);  // overwrites p->pose and p->velocity

// Displacements of the bodies by the markers among the parameters, or gradients by those.
void tml__gen_marker_product(const gen_tree* t, partial_direction way, const parameter_set* in,
                             twist* inner, twist* outer);

#endif
