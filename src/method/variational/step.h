// method/variational/step.h - one step of the variational integrator in maximal coordinates.
//                                                                             [VMAX (26)-(33)]
#ifndef TML_METHOD_VARIATIONAL_STEP_H
#define TML_METHOD_VARIATIONAL_STEP_H

#include "method/maximal.h"

// Where the multipliers of a step push.
typedef enum var_push {
    VAR_PUSH_START,  // along the rows at its start, as least action asks
    // along the rows at its end: next to a singular pose, where rows at the start and at the end ask
    // for opposite pushes, this is what still has a solution. It is of first order.
    VAR_PUSH_END,
} var_push;

// What a step starts from, borrowed.
typedef struct var_step {
    double h;  // may be negative: compositions step back
    var_push push;
    const double* q;     // 7 a node
    const double* v;     // 7 a node: rates that the rows allow
    const double* jolt;  // 6 a node: impulses at the start, N s and N m s; NULL: none
    // set the targets for the instant `dt` after the start
    void (*set_time)(void* clock, double dt);
    void* clock;
} var_step;

typedef struct variational variational;  // workspace

tml_status tml__var_create(maximal_system* s, message* why, variational** out);
void tml__var_destroy(variational* w);  // NULL is fine

// Are there forces at the middle of the interval, beside weight?
bool tml__var_looks_at_middle(const variational* w);

// Solve a step from the guess in s->x and s->lambda. On success they hold the end of the step and
// the multipliers of its first node, and `v` the rates at the end before the rows there have had
// their say: tml__maximal_settle follows.
tml_status tml__var_solve(variational* w, const var_step* step, const newton_settings* settings,
                          newton_report* report, double* v);

// The same in pieces, for a caller that adds to the equations: where a step begins, the residual and
// the matrix of an iterate, and rates at the end of the last one (v NULL: they are not wanted).
void tml__var_open(variational* w, const var_step* step);
void tml__var_evaluate(void* self, newton_merit* out);
void tml__var_matrix(void* self);
void tml__var_close(variational* w, double* v);

// The residual at s->x and s->lambda: h times the balance of momenta in s->residual, rows in s->C.
void tml__var_residual(variational* w, const var_step* step, newton_merit* out);

// The same, and the rates at the end before the rows there have had their say: a step that was solved,
// looked at again.
void tml__var_end(variational* w, const var_step* step, double* v);

// The matrix of the residual, filled; multipliers in units of 2 / h^2.
void tml__var_fill(variational* w, const var_step* step);

#endif
