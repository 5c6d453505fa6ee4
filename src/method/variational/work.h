// method/variational/work.h - the workspace of variational steps: of the steps themselves (step.c) and of
// their derivatives (partials.c).
#ifndef TML_METHOD_VARIATIONAL_WORK_H
#define TML_METHOD_VARIATIONAL_WORK_H

#include "method/variational/step.h"
#include "method/variational/turn.h"

struct variational {
    maximal_system* system;  // borrowed
    bool has_forces;         // beside weight: the middle must be looked at
    const var_step* step;    // the one in progress
    bool is_brief;           // frames of joints at its iterates are of no use to anybody
    bool has_weights;        // `wrench` is weight and nothing else,
    vec3 gravity;            // of this

    double* momentum;  // 6 a node: linear and angular, at the start
    double* wrench;    // 6 a node: force and torque at the middle
    var_turn* turn;    // per node, of the iterate where the middle is looked at
    double* spin;      // 3 a node: angular momentum of the interval
    double* push;  // 6 an entry: gradients at the start; zero in compliant rows. The matrix's own
    double*
        own_push;  // unless it pushes along others: in compliant rows, with ties. NULL: it does not
    double* bent;  // 6 an entry: gradients at the middle
    double* x_middle;  // 7 a node
    double* C_middle;  // per row
    double* give;      // per row: multipliers of compliant rows, else zero
    double* hold;      // per row: those of the others
};

// w->turn of the iterate: how every node turns from the start, and how that follows the iterate.
void tml__var_turn_all(variational* w);

// Bodies half way, with the velocity of the chord and how that follows the pose there; compliant
// rows evaluated. w->step and w->turn are those of the step.
void tml__var_look_at_middle(variational* w);

#endif
