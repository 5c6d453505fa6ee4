// diff/closure.c - do changes of a design break a closed loop?                [QRBD Sec 7]
//
// Redundant rows agree because the design says so: three hinges of a planar four-bar add nothing to the
// first one's plane. Tilt one of them and they contradict each other, the loop locks, and nothing that
// depends on it has a derivative. Combinations z of rows that push nothing, C^T z = 0, tell: no motion
// answers z . dC, so a parameter with z . dC/dp other than zero asks for what cannot be had. One random
// combination sees all parameters in one backward product; two, that chance does not hide one.
#include "method/instant.h"
#include "sim/linear.h"

#include <math.h>
#include <string.h>

// A number in [-1, 1] that depends on the row and the trial alone.
static double scattered(int row, int trial)
{
    uint64_t x = (uint64_t)row * 2 + (uint64_t)trial + 1;
    x *= 0x9E3779B97F4A7C15u;  // the golden ratio, as splitmix64 has it
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1.0;
}

bool tml__linear_may_break(const tml_sim* sim)
{
    const maximal_system* s = sim->system;
    if (s->is_lean || !s->may_be_redundant || tml__kkt_method(s->matrix) != KKT_AUGMENTED) {
        return false;
    }
    return !tml__maximal_has_compliance(s);
}

tml_status tml__linear_closure(tml_sim* sim, int trial, const run_inputs* in, double* rows,
                               double* E)
{
    maximal_system* s = sim->system;
    const inertia_point still = {.s = s};
    // E is zero, so that no multiplier counts
    const partial_point at = {.lambda = rows, .self = &still, .inertia = tml__inertia_columns};
    const long long before = s->unsettled_loads;
    double largest = 0.0;

    tml__sim_forget_answers(sim);
    tml__sim_answer(sim);  // targets, bodies and rows of the accepted state
    for (int row = 0; row < s->row_count; row++) rows[row] = scattered(row, trial);
    const tml_status status = tml__maximal_least_norm(s, rows);
    const bool is_settled = s->unsettled_loads == before;
    s->unsettled_loads = before;
    if (status != TML_OK) return status;
    for (int row = 0; row < s->row_count; row++) {
        rows[row] = scattered(row, trial) - rows[row];
        largest = tml__larger(largest, rows[row]);
    }
    // at a singular pose more rows depend on each other than the design says
    const double scale = is_settled && largest > 1e-8 ? 1.0 / largest : 0.0;
    for (int row = 0; row < s->row_count; row++) rows[row] *= scale;
    memset(E, 0, (size_t)(6 * s->node_count) * sizeof *E);
    tml__parameter_product(s, &at, PARTIAL_BACKWARD, &in->form, E, rows);
    return TML_OK;
}
