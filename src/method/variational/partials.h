// method/variational/partials.h - how one variational step follows where it starts, where it ends and what
// bodies are made of. Products only, forwards and backwards, at linear cost.  [VMAX (26) (33) (34)]
//
// With the momenta P at the start, the pushes D^T lambda there and the wrench W of the middle, G how a
// wrench of the middle acts at the start, p the momentum of the interval, c_q = h^2 / 2:
//     S = -(2 / h) P - D^T lambda,   N = -W
//     E = h p + c_q S + c_q G N,     C(end) = 0
//     P' = -(h / 2) S - h N          what the interval hands to its end
// All at a step that was solved: s->x and s->lambda are its solution and tml__var_end or
// tml__var_fill was the last to look at it.
#ifndef TML_METHOD_VARIATIONAL_PARTIALS_H
#define TML_METHOD_VARIATIONAL_PARTIALS_H

#include "method/partials.h"
#include "method/variational/step.h"

// Numbers that a linearised step passes through, 6 a node each; `rows` one a row, scratch.
typedef struct var_tangent {
    double *start, *middle;             // S and N
    double *middle_pose, *middle_rate;  // (dc, dphi) and velocities half way
    double *motion, *sum;               // scratch
    double* rows;
} var_tangent;

tml_status tml__var_tangent_create(const maximal_system* s, var_tangent* out);
void tml__var_tangent_destroy(const maximal_system* s, var_tangent* t);

// S by the pose and the velocity at the start and by the parameters.
void tml__var_start_product(variational* w, const var_step* step, partial_direction way,
                            const parameter_set* in, const var_tangent* t, double* pose,
                            double* velocity);

// N by the motion of the middle and by the parameters (NULL: those are held).
void tml__var_middle_product(variational* w, const var_step* step, partial_direction way,
                             const parameter_set* in, const var_tangent* t);

// The motion of the middle by that of the start and that of the end; either may be NULL: it is held.
void tml__var_motion_product(variational* w, const var_step* step, partial_direction way,
                             double* start, double* end, const var_tangent* t);

// E by S, by N, and by what h p is made of: pose at the start, masses and inertias.
void tml__var_balance_product(variational* w, const var_step* step, partial_direction way,
                              const parameter_set* in, const var_tangent* t, double* pose,
                              double* E);

// Rows at the end by the parameters.
void tml__var_row_product(variational* w, const var_step* step, partial_direction way,
                          const parameter_set* in, const var_tangent* t, double* rows);

// Velocities (6 a node) that the interval hands to its end, before the rows there have had their say, by
// S, N, the multipliers, the pose at the end and the parameters; `v` are the flat ones.
void tml__var_hand_product(variational* w, const var_step* step, partial_direction way,
                           const parameter_set* in, const var_tangent* t, const double* v,
                           double* const motion[3]);

enum {
    VAR_HAND_POSE,      // 6 a node, in: at the end
    VAR_HAND_LAMBDA,    // one a row, in: multipliers of the step
    VAR_HAND_VELOCITY,  // 6 a node, out
};

#endif
