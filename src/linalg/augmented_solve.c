// linalg/augmented_solve.c - correction passes: solutions of a KKT system by the factor of A.
//
// There are two kinds of solutions. The exact one goes on until every node has what it asked for to the
// last digit. The quick one is for callers that correct the rest themselves, like Newton: a few
// passes, and what the last one leaves is not even looked at.
#include "linalg/augmented.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A solution is good when no node lacks more than this, relative to its loads,
static const double enough = 1e-14;
// and no solution when passes do not get below this.
static const double failure = 1e-7;
// A node with next to no load feels the rounding of the most loaded one.
static const double least_load = 1e-9;
// What rows push is a contradiction among them when the nodes feel less than this of it, and nothing
// else when they feel less than that.
static const double contradiction = 0.1;
static const double pure_contradiction = 1e-3;
// The part of K that is not in the factor may change this much of a solution in a pass: two passes then
// leave a thousandth, less than what an iterate changes the matrix by where its factor serves again.
static const double slowest = 0.03;
enum {
    PLAIN_PASSES = 2,  // the first ones without acceleration
    PATIENCE = 3,      // passes in a row that may fail to halve the error
    SOFT_PASSES = 3,
};

// The gradients that rows are closed by.
static const double* closing(const augmented* g, kkt_side side)
{
    return g->is_two_sided && side == KKT_TRANSPOSED ? g->push : g->row;
}

// The rows with other gradients.
static row_set rows_along(const augmented* g, const double* gradient)
{
    row_set rows = g->rows;
    rows.gradient = gradient;
    return rows;
}

void tml__augmented_scatter(const kkt* k, kkt_side side, const double* y, double* v)
{
    const augmented* g = k->state;
    const row_set rows = rows_along(g, augmented_pushing(g, side));
    g->kernels->scatter(&rows, y, v);
}

void tml__augmented_gather(const kkt* k, kkt_side side, const double* v, double* products)
{
    const augmented* g = k->state;
    const row_set rows = rows_along(g, closing(g, side));
    g->kernels->gather(&rows, v, products);
}

// y -= b^T x
static void subtract_transposed(const double* b, const double* x, double* restrict y)
{
    for (int j = 0; j < KKT_WIDTH; j++) {
        double sum = 0.0;
        for (int i = 0; i < KKT_WIDTH; i++) sum += b[PAD * j + i] * x[i];
        y[j] -= sum;
    }
}

// y -= the sum of products, or of the transposed ones
static void subtract_products(const augmented* g, kkt_side side, const block_product* product,
                              int count, const double* x, double* y)
{
    if (side == KKT_PLAIN) {
        g->kernels->subtract(product, count, x, y);
        return;
    }
    for (int n = 0; n < count; n++) {
        // the transpose of the block of (a, b) belongs to (b, a)
        subtract_transposed(product[n].block, x + product[n].to, y + product[n].from);
    }
}

// next = force + C^T P rest
static void gather(kkt* k, kkt_side side)
{
    augmented* g = k->state;

    for (int i = 0; i < k->row_count; i++) g->pull[i] = g->weight[i] * g->rest[i];
    if (k->node_count > 0) memcpy(g->next, g->force, PAD * (size_t)k->node_count * sizeof(double));
    tml__augmented_scatter(k, side, g->pull, g->next);
}

// What a pass does with the rows; `force` NULL: the nodes' forces are not asked for.
static void pass_rows(kkt* k, kkt_side side, const double* dx, double* force)
{
    augmented* g = k->state;
    const row_set rows = rows_along(g, closing(g, side));
    const row_pass pass = {.push = augmented_pushing(g, side),
                           .dx = dx,
                           .weight = g->weight,
                           .delta = g->delta,
                           .compliance = g->compliance,
                           .rest = g->rest,
                           .l = g->l,
                           .step = g->step,
                           .change = g->q_rest,
                           .pull = g->pull,
                           .force = force,
                           .next = g->next};
    g->kernels->pass(&rows, &pass);
}

// x += dx for what `next` asks for, and `next` zero; dx comes back in the vector of the block matrix.
static const double* advance(kkt* k, kkt_side side)
{
    augmented* g = k->state;
    double* dx = g->a->vector;

    if (k->node_count > 0) memcpy(dx, g->next, PAD * (size_t)k->node_count * sizeof(double));
    tml__augmented_apply_inverse(k, side);
    for (int i = 0; i < PAD * k->node_count; i++) {
        g->x[i] += dx[i];
        g->next[i] = 0.0;
    }
    return dx;
}

// One pass with what the last one left in `next`, and what it leaves there in turn.
static void correct(kkt* k, kkt_side side)
{
    augmented* g = k->state;
    const double* dx = advance(k, side);

    subtract_products(g, side, g->product, k->node_count + 2 * g->pair_count, dx, g->force);
    pass_rows(k, side, dx, g->force);
    for (int i = 0; i < PAD * k->node_count; i++) g->next[i] += g->force[i];
}

// A pass after which nobody asks what the nodes lack: only what the rows still push is left in `next`.
static void correct_last(kkt* k, kkt_side side)
{
    augmented* g = k->state;

    if (g->is_two_sided) {
        correct(k, side);
    } else {
        pass_rows(k, side, advance(k, side), NULL);
    }
}

// The largest |v|; several at a time, so that one need not wait for the other.
double tml__augmented_largest(const double* v, int count)
{
    double most[8] = {0.0};
    int i = 0;

    for (; i + 8 <= count; i += 8) {
        for (int j = 0; j < 8; j++) most[j] = augmented_larger(most[j], fabs(v[i + j]));
    }
    for (; i < count; i++) most[0] = augmented_larger(most[0], fabs(v[i]));
    for (int j = 1; j < 8; j++) most[0] = augmented_larger(most[0], most[j]);
    return most[0];
}

double tml__augmented_largest_product(const double* a, const double* b, int count)
{
    double most[8] = {0.0};
    int i = 0;

    for (; i + 8 <= count; i += 8) {
        for (int j = 0; j < 8; j++) most[j] = augmented_larger(most[j], fabs(a[i + j] * b[i + j]));
    }
    for (; i < count; i++) most[0] = augmented_larger(most[0], fabs(a[i] * b[i]));
    for (int j = 1; j < 8; j++) most[0] = augmented_larger(most[0], most[j]);
    return most[0];
}

static void note_row_residual(kkt* k)
{
    augmented* g = k->state;
    const double largest = tml__augmented_largest(g->rest, k->row_count);

    g->row_residual = 0.0;
    g->worst_row = -1;
    for (int i = 0; largest > 0.0 && i < k->row_count; i++) {
        if (fabs(g->rest[i]) != largest) continue;
        g->row_residual = largest;
        g->worst_row = i;
        return;
    }
}

// What the nodes still lack, C^T P rest included, each relative to the largest term it is made of:
// its loads, K x, row forces, and what the rows that still lack something would push. Rows that
// contradict each other push against each other, so they do not count, and redundant rows need no
// special case.
static double measure(kkt* k)
{
    augmented* g = k->state;
    double worst = 0.0;

    for (int j = 0; j < k->node_count; j++) {
        const double size = augmented_largest_of_six(g->x + PAD * (size_t)j);
        g->load[j] = augmented_larger(g->applied[j], g->stiffness[j] * size);
    }
    note_row_residual(k);
    for (int i = 0; i < k->row_count; i++) {
        const double lacking = fabs(g->rest[i]);
        const double push = g->length[i] * augmented_larger(fabs(g->l[i]), g->weight[i] * lacking);
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const int a = g->entry_at[e] / PAD;
            g->load[a] = augmented_larger(g->load[a], push);
        }
    }
    double largest = 0.0;
    for (int j = 0; j < k->node_count; j++) largest = augmented_larger(largest, g->load[j]);
    for (int j = 0; j < k->node_count; j++) {
        g->load[j] = augmented_larger(g->load[j], least_load * largest);
        const double lacking = augmented_largest_of_six(g->next + PAD * (size_t)j);
        if (!(lacking <= worst * g->load[j])) worst = lacking / g->load[j];
    }
    return worst;
}

// Rows that contradict each other keep pushing P rest in every pass, forces that cancel on every
// node: take them out again, and the multipliers are the smallest ones in the metric of P.
static void drop_contradiction(kkt* k)
{
    augmented* g = k->state;
    for (int i = 0; i < k->row_count; i++) g->l[i] -= g->drift * g->pull[i];
}

// Correction passes until nothing is lacking any more, or nothing gets better. Returns what is
// lacking in the end.
static double iterate(kkt* k, kkt_side side, int plain_passes, int max_passes)
{
    augmented* g = k->state;
    double lacking = DBL_MAX;
    double best = DBL_MAX;
    int since_best = 0;

    g->last_size = 0.0;
    g->drift = 0.0;
    gather(k, side);
    for (g->passes = 0; g->passes < max_passes && since_best < PATIENCE && lacking > enough;
         g->passes++) {
        const bool is_plain = g->passes < plain_passes;
        if (!is_plain) tml__augmented_begin_step(k);
        correct(k, side);
        if (is_plain) {
            g->drift += 1.0;
        } else {
            if (!tml__augmented_end_step(k)) return DBL_MAX;
            gather(k, side);
        }
        lacking = measure(k);
        since_best = lacking < 0.5 * best ? 0 : since_best + 1;
        if (lacking < best) best = lacking;
    }
    return lacking;
}

// What the nodes lack apart from what the rows would still push.
static double imbalance(const kkt* k)
{
    const augmented* g = k->state;
    double worst = 0.0;

    for (int j = 0; j < k->node_count; j++) {
        const double lacking = augmented_largest_of_six(g->force + PAD * (size_t)j);
        if (!(lacking <= worst * g->load[j])) worst = lacking / g->load[j];
    }
    return worst;
}

// What errors of exact solutions are compared with; nobody else asks. After `load`.
static void note_sizes(kkt* k)
{
    augmented* g = k->state;

    for (int j = 0; j < k->node_count; j++) {
        const double* node = g->node + BLOCK_SIZE * (size_t)j;
        g->applied[j] = augmented_largest_of_six(g->force + PAD * (size_t)j);
        g->stiffness[j] = 0.0;
        for (int i = 0; i < KKT_WIDTH; i++) {
            g->stiffness[j] =
                augmented_larger(g->stiffness[j], augmented_largest_of_six(node + PAD * i));
        }
    }
}

static void load(kkt* k, kkt_side side, const double* r, const double* c)
{
    augmented* g = k->state;

    for (int j = 0; j < k->node_count; j++) {
        const double* from = r + (size_t)KKT_WIDTH * (size_t)g->a->e.node[j];
        for (int i = 0; i < PAD; i++) {
            g->x[PAD * j + i] = 0.0;
            // the padding too: what overflowed in an earlier solve must not come back
            g->force[PAD * j + i] = i < KKT_WIDTH ? from[i] : 0.0;
        }
    }
    for (int i = 0; i < k->row_count; i++) {
        g->l[i] = 0.0;
        g->rest[i] = side == KKT_PLAIN ? c[i] : -c[i];
    }
}

// False when the solution is not finite.
static bool store(const kkt* k, kkt_side side, double* dx, double* dl)
{
    const augmented* g = k->state;
    double check = 0.0;  // stays zero unless something is infinite or not a number

    for (int j = 0; j < k->node_count; j++) {
        double* to = dx + (size_t)KKT_WIDTH * (size_t)g->a->e.node[j];
        for (int i = 0; i < KKT_WIDTH; i++) {
            to[i] = g->x[PAD * j + i];
            check += 0.0 * to[i];
        }
    }
    for (int i = 0; i < k->row_count; i++) {
        dl[i] = side == KKT_PLAIN ? g->l[i] : -g->l[i];
        check += 0.0 * dl[i];
    }
    return check == 0.0;
}

// How much of what the rows still push, P rest, the nodes feel: little, where it is a contradiction among
// the rows.
static double felt_share(const kkt* k)
{
    const augmented* g = k->state;
    // the padding of a vector is zero
    const double force = tml__augmented_largest(g->next, PAD * k->node_count);
    const double terms = tml__augmented_largest_product(g->length, g->pull, k->row_count);
    return terms > 0.0 ? force / terms : 1.0;
}

// How much of the solution a further pass would change on behalf of the part of K that is not in the
// factor, (K - K^T)/2.
static double skew_share(kkt* k, kkt_side side)
{
    augmented* g = k->state;
    const int count = k->node_count + 2 * g->pair_count;
    const int length = PAD * k->node_count;
    double* change = g->a->vector;

    for (int i = 0; i < length; i++) change[i] = 0.0;
    subtract_products(g, KKT_TRANSPOSED, g->product, count, g->x, change);
    for (int i = 0; i < length; i++) change[i] = -change[i];
    subtract_products(g, KKT_PLAIN, g->product, count, g->x, change);
    tml__augmented_apply_inverse(k, side);
    const double largest = tml__augmented_largest(g->x, length);
    return largest > 0.0 ? 0.5 * tml__augmented_largest(change, length) / largest : 0.0;
}

// A few plain passes for callers that correct the rest themselves. The last pass before a
// contradiction is dropped must have had nothing else to do, so one more is taken where it had. False:
// the part of K that is not in the factor is too large to be left to passes.
static bool solve_quickly(kkt* k, kkt_side side)
{
    augmented* g = k->state;
    double before = 0.0;
    double size = 0.0;

    gather(k, side);
    for (g->passes = 0; g->passes < k->max_passes; g->passes++) {
        before = size;
        if (g->passes + 1 < k->max_passes) {
            correct(k, side);
        } else {
            correct_last(k, side);
        }
        if (g->has_skew) size = tml__augmented_largest(g->a->vector, PAD * k->node_count);
    }
    const double felt = felt_share(k);
    if (felt < contradiction && felt >= pure_contradiction) {
        correct_last(k, side);
        g->passes++;
    }
    g->drift = g->passes;
    if (felt < contradiction) drop_contradiction(k);
    note_row_residual(k);
    if (!g->has_skew || g->is_skew_small || size <= slowest * before) return true;
    g->is_skew_small = skew_share(k, side) <= slowest;
    return g->is_skew_small;
}

static tml_status solve_exactly(kkt* k, kkt_side side, const double* r, const double* c)
{
    if (iterate(k, side, PLAIN_PASSES, EXACT_PASSES) <= failure) {
        drop_contradiction(k);
        return TML_OK;
    }
    // Rows too close to each other to be told apart: a few plain passes treat their difference as
    // softly as a contradiction. The forces balance, and tml__kkt_row_residual has the rest.
    load(k, side, r, c);
    iterate(k, side, SOFT_PASSES, SOFT_PASSES);
    return imbalance(k) <= failure ? TML_OK : TML_NOT_CONVERGED;
}

// The transposed system K^T y + C^T m = r, -C y + E m = c is the plain one for K^T, -c and l = -m.
tml_status tml__augmented_solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                                double* dl)
{
    augmented* g = k->state;
    const bool is_exact = k->max_passes >= EXACT_PASSES;
    tml_status status = TML_OK;

    if (is_exact && g->has_skew) g->is = FACTORED_NOTHING;
    if (g->is != FACTORED_SYSTEM) status = tml__augmented_factor_system(k);
    if (status != TML_OK) return status;

    load(k, side, r, c);
    if (is_exact) {
        note_sizes(k);
        status = solve_exactly(k, side, r, c);
    } else if (!solve_quickly(k, side)) {
        g->is_general = true;
        status = tml__augmented_factor_system(k);
        if (status != TML_OK) return status;
        load(k, side, r, c);
        solve_quickly(k, side);
    }
    return store(k, side, dx, dl) ? status : TML_SINGULAR;
}
