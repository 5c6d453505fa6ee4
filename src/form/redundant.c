// form/redundant.c - multipliers that are not unique, and mechanisms that cannot move.
#include "form/maximal.h"

#include <math.h>

tml_status tml__maximal_least_norm(maximal_system* s, double* lambda)
{
    if (!s->may_be_redundant || tml__kkt_method(s->matrix) != KKT_AUGMENTED) return TML_OK;
    // the blocks of the matrix stay as they are: only rows are asked for
    tml__kkt_values(s->matrix)->is_two_sided = false;
    tml__maximal_fill_rows(s, 1.0);
    const tml_status status = tml__kkt_least_norm(s->matrix, s->weight, lambda);
    if (status != TML_NOT_CONVERGED) return status;
    // at a singular pose rows lose their independence, and with it the least norm its meaning: the
    // multipliers stay the ones that were found, which balance as well
    s->unsettled_loads++;
    return TML_OK;
}

static tml_status factor_mass(maximal_system* s)
{
    tml__maximal_fill_mass(s);
    tml__maximal_fill_rows(s, -1.0);
    return tml__kkt_factor(s->matrix, &s->bad_row);
}

// A push in every direction at once moves something unless nothing can move.
bool tml__maximal_is_fully_constrained(maximal_system* s, const double* x)
{
    const tml_model* m = s->model;
    // what ties velocities leaves positions undetermined
    if (s->node_count == 0 || s->limit_count > 0 || s->tie_count > 0) return false;

    tml__maximal_place(s, x, NULL);
    tml__maximal_rows(s);
    if (factor_mass(s) != TML_OK) return false;
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = 0.0;
        if (s->compliance[row] > 0.0) return false;  // it gives way
    }
    // accelerations of order 1 on every body, in no special direction
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const vec3 push = {1.0, 0.7 - 0.01 * (n % 13), -0.4 + 0.02 * (n % 7)};
        const vec3 turn = {-0.5 + 0.03 * (n % 5), 0.9, 0.3 - 0.02 * (n % 11)};
        v3_store(&s->residual[6 * n], v3_scale(body->mass, push));
        v3_store(&s->residual[6 * n + 3],
                 m3_apply(s->bodies[m->node_body[n]].R, m3_apply(body->inertia, turn)));
    }
    if (tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl) != TML_OK) return false;
    double largest = 0.0;
    for (int i = 0; i < 6 * s->node_count; i++) {
        if (!(fabs(s->dx[i]) <= largest)) largest = fabs(s->dx[i]);
    }
    return largest < 1e-7;
}
