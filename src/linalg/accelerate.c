// linalg/accelerate.c - correction passes that converge where rows are almost dependent.
//
// A plain pass cuts the error of a direction by delta/(sigma + delta). A few directions with small
// sigma (a mechanism close to a singular position) would take many passes. So a pass is not
// taken as it is: the step is made conjugate to the one before and scaled to leave the smallest
// residual (generalised conjugate residuals with one term kept). With q = M z the change of the
// residual rho = (force, rest) that the step z = (dx, dl) brings,
//
//     beta = <q, q'>/<q', q'>,   z -= beta z',   q -= beta q'       (primes: the step before)
//     alpha = <rho, q>/<q, q>,   (x, l) += alpha z,   rho -= alpha q
//
// in the norm of energy: f^2/K for forces, P w^2 for rows. A few slow directions then cost
// about as many passes as there are of them.
#include "linalg/augmented.h"

#include <math.h>
#include <string.h>

// A step is (sigma + delta)/sigma long; beyond this the direction is rounding more than anything.
static const double longest = 1e5;

// The energy of two residuals.
static double dot(const kkt* k, const double* force_a, const double* rest_a, const double* force_b,
                  const double* rest_b)
{
    const augmented* g = k->state;
    double sum = 0.0;

    for (int j = 0; j < k->node_count; j++) {
        const double* diagonal = g->node + BLOCK_SIZE * (size_t)j;
        for (int i = 0; i < KKT_WIDTH; i++) {
            // a massless direction has no energy of its own; its rows speak for it
            const double mass = fabs(diagonal[(PAD + 1) * i]);
            const double product = force_a[PAD * j + i] * force_b[PAD * j + i];
            if (mass > 0.0) sum += product / mass;
        }
    }
    for (int i = 0; i < k->row_count; i++) sum += g->weight[i] * rest_a[i] * rest_b[i];
    return sum;
}

// a <- a + s b
static void add_scaled(double* restrict a, double s, const double* restrict b, int count)
{
    for (int i = 0; i < count; i++) a[i] += s * b[i];
}

void tml__augmented_begin_step(kkt* k)
{
    augmented* g = k->state;
    const size_t nodes = PAD * (size_t)k->node_count;

    if (nodes > 0) memcpy(g->q_force, g->force, nodes * sizeof(double));
}

bool tml__augmented_end_step(kkt* k)
{
    augmented* g = k->state;
    double* dx = g->a->vector;
    const int n = PAD * k->node_count;
    const int m = k->row_count;

    // take the step back; q is what it changed, force and rest are again what they were
    add_scaled(g->x, -1.0, dx, n);
    add_scaled(g->l, -1.0, g->step, m);
    for (int i = 0; i < n; i++) {
        const double after = g->force[i];
        g->force[i] = g->q_force[i];
        g->q_force[i] -= after;
    }
    // the pass has found q_rest = C dx + E dl itself: a difference of rests would lose it where
    // rows contradict each other
    add_scaled(g->rest, 1.0, g->q_rest, m);
    double drift = 1.0;
    if (g->last_size > 0.0) {
        const double beta =
            -dot(k, g->q_force, g->q_rest, g->last_force, g->last_rest) / g->last_size;
        add_scaled(dx, beta, g->last_x, n);
        add_scaled(g->step, beta, g->last_l, m);
        add_scaled(g->q_force, beta, g->last_force, n);
        add_scaled(g->q_rest, beta, g->last_rest, m);
        drift += beta * g->last_drift;
    }
    const double size = dot(k, g->q_force, g->q_rest, g->q_force, g->q_rest);
    const double gain = dot(k, g->force, g->rest, g->q_force, g->q_rest);
    const double alpha = size > 0.0 ? gain / size : 0.0;
    if (!(fabs(alpha) < longest)) return false;
    add_scaled(g->x, alpha, dx, n);
    add_scaled(g->l, alpha, g->step, m);
    add_scaled(g->force, -alpha, g->q_force, n);
    add_scaled(g->rest, -alpha, g->q_rest, m);

    g->drift += alpha * drift;
    g->last_drift = drift;
    g->last_size = size;
    if (n > 0) memcpy(g->last_x, dx, (size_t)n * sizeof(double));
    if (n > 0) memcpy(g->last_force, g->q_force, (size_t)n * sizeof(double));
    for (int i = 0; i < m; i++) {
        g->last_l[i] = g->step[i];
        g->last_rest[i] = g->q_rest[i];
    }
    return true;
}
