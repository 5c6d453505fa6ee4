// linalg/augmented.c - KKT systems by elimination of the multipliers on the node graph.
//
// Every row is given a small extra compliance delta, which makes its multiplier explicit:
//
//     C x + (E + delta) l = c   ->   l = P (c - C x),   P = 1/(E + delta)
//     A x = r + C^T P c,             A = K + C^T P C
//
// (of a two-sided system C^T is D^T throughout)
//
// and A is factored by blocks; rows are never ordered or tested for rank. The error that delta makes
// is removed by correction passes, which are iterative refinement with the factor of A:
//
//     A dx = force + C^T P rest,   dl = P (rest - C dx),   x += dx,   l += dl
//     rest  <- rest - C dx - E dl = delta dl               what the rows still lack
//     force <- force - K dx + C^T dl                       what the nodes still lack
//
// A pass cuts the error by about delta/(sigma + delta), sigma an eigenvalue of C K^-1 C^T + E, and
// by what rounding costs in A. With delta_i = |C_i|^2/(kappa max K) the first is about 1/kappa, the
// second epsilon kappa (max K/min K); kappa balances the two. Redundant rows have sigma = 0: they
// share their load as delta tells, their force C^T l is right all the same, and
// tml__kkt_least_norm finds the multipliers that mean something. Where c contradicts itself, x
// solves the rows in the least-squares sense and the rest stays: tml__kkt_row_residual.
#include "linalg/augmented.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// A solution is good when no node lacks more than this, relative to its loads,
static const double enough = 1e-14;
// and no solution when passes do not get below this.
static const double failure = 1e-7;
// A node with next to no load feels the rounding of the most loaded one.
static const double least_load = 1e-9;
enum {
    PLAIN_PASSES = 2,  // the first ones without acceleration
    PATIENCE = 3,      // passes in a row that may fail to halve the error
    MAX_PASSES = 30,
    SOFT_PASSES = 3,
};

static const double kappa_min = 1e3;
static const double kappa_max = 1e6;
static const double digits_left = 1e-3;  // relative error of the lightest node in the factor

static void destroy(kkt* k)
{
    augmented* g = k->state;
    if (g == NULL) return;

    const tml_allocator* memory = &k->allocator;
    tml__block_destroy(g->a);
    tml__release(memory, g->group);
    tml__release(memory, (void*)g->place);
    tml__release(memory, (void*)g->pair_place);
    double* const arrays[] = {g->node,   g->pair,    g->row,       g->push,       g->compliance,
                              g->square, g->length,  g->rest,      g->pull,       g->delta,
                              g->weight, g->step,    g->l,         g->x,          g->next,
                              g->force,  g->applied, g->stiffness, g->load,       g->q_force,
                              g->q_rest, g->last_x,  g->last_l,    g->last_force, g->last_rest};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) tml__release(memory, arrays[i]);
    tml__release(memory, g->entry_at);
    tml__release(memory, g->product);
    tml__release(memory, g);
    k->state = NULL;
}

static bool has_same_nodes(const kkt* k, int i, int j)
{
    const int* a = k->row_node + k->row_start[i];
    const int* b = k->row_node + k->row_start[j];
    const int count = k->row_start[i + 1] - k->row_start[i];
    if (k->row_start[j + 1] - k->row_start[j] != count) return false;

    for (int e = 0; e < count; e++) {
        if (a[e] != b[e]) return false;
    }
    return true;
}

// Count the groups, the blocks they add to and the pairs of nodes they couple; write them when
// there is somewhere to write to.
typedef struct group_count {
    int groups;
    long long places;
    long long pairs;
} group_count;

static group_count visit_groups(const kkt* k, row_group* group, int* pair_node)
{
    group_count n = {0};

    for (int i = 0; i < k->row_count; i++) {
        if (i > 0 && has_same_nodes(k, i - 1, i)) {
            if (group != NULL) group[n.groups - 1].row_count++;
            continue;
        }
        const int nodes = k->row_start[i + 1] - k->row_start[i];
        if (group != NULL)
            group[n.groups] = (row_group){i, 1, nodes, k->row_start[i], (int)n.places};
        const int* node = k->row_node + k->row_start[i];
        for (int a = 0; pair_node != NULL && a < nodes; a++) {
            for (int b = 0; b < a; b++) {
                *pair_node++ = node[a];
                *pair_node++ = node[b];
            }
        }
        n.groups++;
        n.places += (long long)nodes * nodes;
        n.pairs += (long long)nodes * (nodes - 1) / 2;
    }
    return n;
}

static tml_status create_block(kkt* k, message* why)
{
    augmented* g = k->state;
    const group_count count = visit_groups(k, NULL, NULL);
    const long long pairs = count.pairs + k->pair_count;
    if (count.places > INT_MAX || pairs > INT_MAX / 2) {
        return tml__fail(why, TML_UNSUPPORTED, "rows that touch many nodes couple %lld pairs",
                         pairs);
    }
    g->group_count = count.groups;
    g->group = tml__allocate(&k->allocator, (size_t)count.groups, sizeof(row_group));
    g->place = tml__allocate(&k->allocator, (size_t)count.places, sizeof(double*));
    int* pair_node = tml__allocate(&k->allocator, 2 * (size_t)pairs, sizeof(int));
    if (!g->group || !g->place || !pair_node) {
        tml__release(&k->allocator, pair_node);
        return tml__fail(why, TML_NO_MEMORY, "no memory for %lld coupled nodes", pairs);
    }
    visit_groups(k, g->group, pair_node);
    for (int i = 0; i < 2 * k->pair_count; i++) pair_node[2 * count.pairs + i] = k->pair_node[i];

    const block_pattern pattern = {
        .node_count = k->node_count, .pair_count = (int)pairs, .pair_node = pair_node};
    const tml_status status = tml__block_create(&pattern, BLOCK_LU, &k->allocator, why, &g->a);
    tml__release(&k->allocator, pair_node);
    return status;
}

static bool take_arrays(kkt* k)
{
    augmented* g = k->state;
    const size_t nodes = (size_t)k->node_count;
    const size_t rows = (size_t)k->row_count;
    const size_t pairs = (size_t)k->pair_count;
    const size_t entries = (size_t)k->entry_count;
    const struct {
        double** array;
        size_t count;
    } wanted[] = {{&g->node, BLOCK_SIZE * nodes},
                  {&g->pair, 2 * BLOCK_SIZE * pairs},
                  {&g->row, PAD * entries},
                  {&g->push, PAD * entries},
                  {&g->compliance, rows},
                  {&g->square, rows},
                  {&g->length, rows},
                  {&g->delta, rows},
                  {&g->weight, rows},
                  {&g->rest, rows},
                  {&g->pull, rows},
                  {&g->step, rows},
                  {&g->l, rows},
                  {&g->x, PAD * nodes},
                  {&g->force, PAD * nodes},
                  {&g->next, PAD * nodes},
                  {&g->stiffness, nodes},
                  {&g->applied, nodes},
                  {&g->load, nodes},
                  {&g->q_force, PAD * nodes},
                  {&g->q_rest, rows},
                  {&g->last_x, PAD * nodes},
                  {&g->last_l, rows},
                  {&g->last_force, PAD * nodes},
                  {&g->last_rest, rows}};

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        *wanted[i].array = tml__allocate(&k->allocator, wanted[i].count, sizeof(double));
        if (*wanted[i].array == NULL) return false;
    }
    g->entry_at = tml__allocate(&k->allocator, entries, sizeof(int));
    g->product = tml__allocate(&k->allocator, nodes + 2 * pairs, sizeof(block_product));
    g->pair_place = tml__allocate(&k->allocator, 2 * pairs, sizeof(double*));
    return g->entry_at && g->product && g->pair_place;
}

static void find_places(kkt* k)
{
    augmented* g = k->state;

    for (int e = 0; e < k->entry_count; e++) {
        g->entry_at[e] = PAD * g->a->e.position[k->row_node[e]];
    }
    for (int j = 0; j < k->node_count; j++) {
        g->product[j] = (block_product){g->node + BLOCK_SIZE * (size_t)j, PAD * j, PAD * j};
    }
    block_product* product = g->product + k->node_count;
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        const int at_a = PAD * g->a->e.position[a];
        const int at_b = PAD * g->a->e.position[b];
        const double* coupling = g->pair + 2 * BLOCK_SIZE * (size_t)p;
        product[2 * p] = (block_product){coupling, at_b, at_a};
        product[2 * p + 1] = (block_product){coupling + BLOCK_SIZE, at_a, at_b};
        g->pair_place[2 * p] = tml__block_at(g->a, a, b);
        g->pair_place[2 * p + 1] = tml__block_at(g->a, b, a);
    }
    for (int i = 0; i < g->group_count; i++) {
        const row_group* group = &g->group[i];
        const int* node = k->row_node + k->row_start[group->row];
        double** place = g->place + group->place;
        for (int a = 0; a < group->node_count; a++) {
            for (int b = 0; b < group->node_count; b++) {
                *place++ = tml__block_at(g->a, node[a], node[b]);
            }
        }
    }
}

static tml_status create(kkt* k, message* why)
{
    if (k->node_count > INT_MAX / PAD) {
        return tml__fail(why, TML_UNSUPPORTED, "%d nodes are too many", k->node_count);
    }
    k->state = tml__allocate(&k->allocator, 1, sizeof(augmented));
    if (k->state == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for a block solver");

    const tml_status status = create_block(k, why);
    if (status != TML_OK) return status;
    if (!take_arrays(k)) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %d nodes and %d rows", k->node_count,
                         k->row_count);
    }
    find_places(k);
    augmented* g = k->state;
    g->kernels = tml__row_kernels(tml__block_isa(g->a));
    g->rows = (row_set){g->group_count, g->group, g->row, g->entry_at};
    return TML_OK;
}

static double larger(double a, double b) { return a > b ? a : b; }

static double largest_of_six(const double* v)
{
    double largest = 0.0;
    for (int i = 0; i < KKT_WIDTH; i++) largest = larger(largest, fabs(v[i]));
    return largest;
}

// A row-major 6 x 6 block to padded columns.
static void turn_block(const double* from, double* restrict to)
{
    for (int j = 0; j < KKT_WIDTH; j++) {
        for (int i = 0; i < KKT_WIDTH; i++) to[PAD * j + i] = from[KKT_WIDTH * i + j];
    }
}

static void freeze_push(kkt* k)
{
    augmented* g = k->state;

    g->is_two_sided = k->values.is_two_sided;
    for (int e = 0; g->is_two_sided && e < k->entry_count; e++) {
        const double* from = k->values.push + KKT_WIDTH * (size_t)e;
        for (int j = 0; j < KKT_WIDTH; j++) g->push[PAD * (size_t)e + (size_t)j] = from[j];
    }
}

// Keep the values as they stand, in our own layout.
void tml__augmented_freeze(kkt* k)
{
    augmented* g = k->state;
    const kkt_values* v = &k->values;

    for (int j = 0; j < k->node_count; j++) {
        double* to = g->node + BLOCK_SIZE * (size_t)j;
        turn_block(v->node + KKT_BLOCK * (size_t)g->a->e.node[j], to);
        g->stiffness[j] = 0.0;
        for (int i = 0; i < KKT_WIDTH; i++) {
            g->stiffness[j] = larger(g->stiffness[j], largest_of_six(to + PAD * i));
        }
    }
    for (int p = 0; p < 2 * k->pair_count; p++) {
        turn_block(v->pair + KKT_BLOCK * (size_t)p, g->pair + BLOCK_SIZE * (size_t)p);
    }
    for (int i = 0; i < k->row_count; i++) {
        double square = 0.0;
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const double* from = v->row + KKT_WIDTH * (size_t)e;
            double* to = g->row + PAD * (size_t)e;
            for (int j = 0; j < KKT_WIDTH; j++) {
                to[j] = from[j];
                square += from[j] * from[j];
            }
        }
        g->square[i] = square;
        g->length[i] = sqrt(square);
        g->compliance[i] = v->compliance[i];
    }
    freeze_push(k);
}

// The gradients that rows are closed by, and those that multipliers push along.
static const double* closing(const augmented* g, kkt_side side)
{
    return g->is_two_sided && side == KKT_TRANSPOSED ? g->push : g->row;
}

static const double* pushing(const augmented* g, kkt_side side)
{
    return g->is_two_sided && side == KKT_PLAIN ? g->push : g->row;
}

// kappa max K: the stiffness that stands in for a rigid row of unit gradient, from the diagonal
// entries first .. first + 2 of the nodes (masses, or moments of inertia). kappa as large as the
// factor of A bears: eliminating rows must leave the lightest node a few digits.
static double choose_stiffness(const kkt* k, int first)
{
    const augmented* g = k->state;
    double most = 0.0;
    double least = DBL_MAX;

    // the trace does not care how the world is turned
    for (int j = 0; j < k->node_count; j++) {
        const double* entry = g->node + BLOCK_SIZE * (size_t)j;
        double trace = 0.0;
        for (int i = first; i < first + 3; i++) trace += entry[(PAD + 1) * i];
        const double size = fabs(trace) / 3.0;
        if (size > most) most = size;
        if (size < least) least = size;
    }
    if (!(most > 0.0)) return 1.0;  // no K at all: any stiffness will do

    double kappa = digits_left / DBL_EPSILON * (least / most);
    if (kappa < kappa_min) kappa = kappa_min;
    if (kappa > kappa_max) kappa = kappa_max;
    return kappa * most;
}

// Masses and moments of inertia have different units, and so have rows that shift and rows that
// only turn: each is compared with its own kind. delta = |C_i|^2 / stiffness, where the shift of a
// row that does both counts alone.
static double extra_compliance(const kkt* k, int row, double shift, double turn)
{
    const augmented* g = k->state;
    double linear = 0.0;
    double angular = 0.0;

    for (int e = k->row_start[row]; e < k->row_start[row + 1]; e++) {
        const double* c = g->row + PAD * (size_t)e;
        linear = larger(linear, c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        angular = larger(angular, c[3] * c[3] + c[4] * c[4] + c[5] * c[5]);
    }
    return linear > 0.0 ? linear / shift : angular / turn;
}

// delta and P; false when a row has neither gradient nor compliance, and *row names it.
static bool choose_weights(kkt* k, int* row)
{
    augmented* g = k->state;
    const double shift = choose_stiffness(k, 0);
    const double turn = choose_stiffness(k, 3);

    for (int i = 0; i < k->row_count; i++) {
        g->delta[i] = extra_compliance(k, i, shift, turn);
        const double total = g->compliance[i] + g->delta[i];
        if (!(total > DBL_MIN)) {
            *row = i;
            return false;
        }
        g->weight[i] = 1.0 / total;
    }
    return true;
}

void tml__augmented_add_rows(const kkt* k, const double* weight)
{
    const augmented* g = k->state;

    for (int i = 0; i < g->group_count; i++) {
        const row_group* group = &g->group[i];
        const double* row = g->row + PAD * (size_t)k->row_start[group->row];
        const double* push = pushing(g, KKT_PLAIN) + PAD * (size_t)k->row_start[group->row];
        double* const* place = g->place + group->place;
        for (int a = 0; a < group->node_count; a++) {
            for (int b = 0; b < group->node_count; b++) {
                const outer_sum sum = {.block = *place++,
                                       .count = group->row_count,
                                       .left = push + PAD * a,
                                       .right = row + PAD * b,
                                       .step = PAD * group->node_count,
                                       .weight = weight + group->row};
                g->a->kernels->add_outer(&sum);
            }
        }
    }
}

static void add_block(double* restrict to, const double* restrict from)
{
    for (int i = 0; i < BLOCK_SIZE; i++) to[i] += from[i];
}

tml_status tml__augmented_factor_system(kkt* k)
{
    augmented* g = k->state;

    g->is = FACTORED_NOTHING;
    tml__block_clear(g->a);
    if (k->node_count > 0) {
        memcpy(g->a->diagonal, g->node, BLOCK_SIZE * (size_t)k->node_count * sizeof(double));
    }
    for (int p = 0; p < 2 * k->pair_count; p++) {
        add_block(g->pair_place[p], g->pair + BLOCK_SIZE * (size_t)p);
    }
    tml__augmented_add_rows(k, g->weight);
    const tml_status status = tml__block_factor(g->a, NULL);
    if (status == TML_OK) g->is = FACTORED_SYSTEM;
    return status;
}

static tml_status factor(kkt* k, int* bad_row)
{
    tml__augmented_freeze(k);
    if (!choose_weights(k, bad_row)) return TML_SINGULAR;
    return tml__augmented_factor_system(k);
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
    const row_set rows = rows_along(g, pushing(g, side));
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

// force -= K dx, or K^T dx
static void subtract_stiffness(const kkt* k, kkt_side side, const double* dx)
{
    const augmented* g = k->state;
    const int count = k->node_count + 2 * k->pair_count;

    if (side == KKT_PLAIN) {
        g->kernels->subtract(g->product, count, dx, g->force);
        return;
    }
    for (int n = 0; n < count; n++) {
        // the transpose of the block of (a, b) belongs to (b, a)
        const block_product* p = &g->product[n];
        subtract_transposed(p->block, dx + p->to, g->force + p->from);
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

// What the kernel `pass` does, for rows that push along other gradients than those they are closed by.
static void pass_two_sided(kkt* k, kkt_side side, const double* dx)
{
    augmented* g = k->state;
    double* reach = g->q_rest;

    tml__augmented_gather(k, side, dx, reach);
    for (int i = 0; i < k->row_count; i++) {
        g->step[i] = g->weight[i] * (g->rest[i] - reach[i]);
        g->l[i] += g->step[i];
        g->rest[i] = g->delta[i] * g->step[i];
        g->q_rest[i] = reach[i] + g->compliance[i] * g->step[i];
        g->pull[i] = g->weight[i] * g->rest[i];
    }
    tml__augmented_scatter(k, side, g->step, g->force);
    tml__augmented_scatter(k, side, g->pull, g->next);
}

// One pass with what the last one left in `next`, and what it leaves there in turn; dx comes back
// in the vector of the block matrix.
static void correct(kkt* k, kkt_side side)
{
    augmented* g = k->state;
    double* dx = g->a->vector;

    if (k->node_count > 0) memcpy(dx, g->next, PAD * (size_t)k->node_count * sizeof(double));
    g->a->kernels->run(g->a, side == KKT_PLAIN ? BLOCK_SOLVE_LU : BLOCK_SOLVE_LU_TRANSPOSED, 1);
    for (int i = 0; i < PAD * k->node_count; i++) g->x[i] += dx[i];
    subtract_stiffness(k, side, dx);
    for (int i = 0; i < PAD * k->node_count; i++) g->next[i] = 0.0;
    if (g->is_two_sided) {
        pass_two_sided(k, side, dx);
    } else {
        const row_pass pass = {.dx = dx,
                               .weight = g->weight,
                               .delta = g->delta,
                               .compliance = g->compliance,
                               .rest = g->rest,
                               .l = g->l,
                               .step = g->step,
                               .change = g->q_rest,
                               .pull = g->pull,
                               .force = g->force,
                               .next = g->next};
        g->kernels->pass(&g->rows, &pass);
    }
    for (int i = 0; i < PAD * k->node_count; i++) g->next[i] += g->force[i];
}

static void note_row_residual(kkt* k)
{
    augmented* g = k->state;
    g->row_residual = 0.0;
    g->worst_row = -1;
    for (int i = 0; i < k->row_count; i++) {
        if (!(fabs(g->rest[i]) > g->row_residual)) continue;
        g->row_residual = fabs(g->rest[i]);
        g->worst_row = i;
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
        const double size = largest_of_six(g->x + PAD * (size_t)j);
        g->load[j] = larger(g->applied[j], g->stiffness[j] * size);
    }
    note_row_residual(k);
    for (int i = 0; i < k->row_count; i++) {
        const double lacking = fabs(g->rest[i]);
        const double push = g->length[i] * larger(fabs(g->l[i]), g->weight[i] * lacking);
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const int a = g->entry_at[e] / PAD;
            g->load[a] = larger(g->load[a], push);
        }
    }
    double largest = 0.0;
    for (int j = 0; j < k->node_count; j++) largest = larger(largest, g->load[j]);
    for (int j = 0; j < k->node_count; j++) {
        g->load[j] = larger(g->load[j], least_load * largest);
        const double lacking = largest_of_six(g->next + PAD * (size_t)j);
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
        const double lacking = largest_of_six(g->force + PAD * (size_t)j);
        if (!(lacking <= worst * g->load[j])) worst = lacking / g->load[j];
    }
    return worst;
}

static void load(kkt* k, kkt_side side, const double* r, const double* c)
{
    augmented* g = k->state;

    for (int j = 0; j < k->node_count; j++) {
        const double* from = r + (size_t)KKT_WIDTH * (size_t)g->a->e.node[j];
        g->applied[j] = largest_of_six(from);
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

// Is what the rows still lack mostly a contradiction among them, so that P rest pushes no node?
static bool is_contradiction(const kkt* k)
{
    const augmented* g = k->state;
    double force = 0.0;
    double terms = 0.0;

    for (int j = 0; j < k->node_count; j++) {
        force = larger(force, largest_of_six(g->next + PAD * (size_t)j));
    }
    for (int i = 0; i < k->row_count; i++) terms = larger(terms, g->length[i] * fabs(g->pull[i]));
    return force < 0.1 * terms;
}

// A few plain passes for callers that correct the rest themselves. The last pass before a
// contradiction is dropped must have had nothing else to do, so one more is taken then.
static void solve_quickly(kkt* k, kkt_side side)
{
    augmented* g = k->state;

    g->drift = 0.0;
    gather(k, side);
    for (g->passes = 0; g->passes < k->max_passes; g->passes++) {
        correct(k, side);
        g->drift += 1.0;
    }
    if (is_contradiction(k)) {
        correct(k, side);
        g->drift += 1.0;
        g->passes++;
        drop_contradiction(k);
    }
    note_row_residual(k);
}

// The transposed system K^T y + C^T m = r, -C y + E m = c is the plain one for K^T, -c and l = -m.
static tml_status solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl)
{
    augmented* g = k->state;
    if (g->is != FACTORED_SYSTEM) {
        const tml_status status = tml__augmented_factor_system(k);
        if (status != TML_OK) return status;
    }
    load(k, side, r, c);
    tml_status status = TML_OK;
    if (k->max_passes < MAX_PASSES) {
        solve_quickly(k, side);
    } else if (iterate(k, side, PLAIN_PASSES, MAX_PASSES) <= failure) {
        drop_contradiction(k);
    } else {
        // Rows too close to each other to be told apart: a few plain passes treat their difference as
        // softly as a contradiction. The forces balance, and tml__kkt_row_residual has the rest.
        load(k, side, r, c);
        iterate(k, side, SOFT_PASSES, SOFT_PASSES);
        status = imbalance(k) <= failure ? TML_OK : TML_NOT_CONVERGED;
    }
    return store(k, side, dx, dl) ? status : TML_SINGULAR;
}

// lambda' = P C A^-1 C^T lambda: what pushes nothing is gone, the rest stays but for delta/(sigma + delta)
// of it. Rows that give way keep their multipliers.
static void relax(kkt* k, double* lambda, double* force)
{
    augmented* g = k->state;
    double* z = g->a->vector;
    if (g->is != FACTORED_SYSTEM) return;

    for (int i = 0; i < k->row_count; i++) g->step[i] = g->compliance[i] > 0.0 ? 0.0 : lambda[i];
    for (int i = 0; i < PAD * k->node_count; i++) z[i] = 0.0;
    tml__augmented_scatter(k, KKT_PLAIN, g->step, z);
    g->a->kernels->run(g->a, BLOCK_SOLVE_LU, 1);
    tml__augmented_gather(k, KKT_PLAIN, z, g->q_rest);
    for (int i = 0; i < k->row_count; i++) {
        if (g->compliance[i] > 0.0) continue;
        const double kept = g->weight[i] * g->q_rest[i];
        g->step[i] = lambda[i] - kept;
        lambda[i] = kept;
    }
    for (int i = 0; i < PAD * k->node_count; i++) g->next[i] = 0.0;
    tml__augmented_scatter(k, KKT_PLAIN, g->step, g->next);
    for (int j = 0; j < k->node_count; j++) {
        double* to = force + (size_t)KKT_WIDTH * (size_t)g->a->e.node[j];
        for (int i = 0; i < KKT_WIDTH; i++) to[i] = g->next[PAD * j + i];
    }
}

static kkt_statistics statistics(const kkt* k)
{
    const augmented* g = k->state;
    const block_statistics s = tml__block_statistics(g->a);

    return (kkt_statistics){.unknowns = KKT_WIDTH * k->node_count + k->row_count,
                            .factor_entries = s.entries,
                            .factor_flops = s.flops,
                            .passes = g->passes};
}

static double row_residual(const kkt* k, int* row)
{
    const augmented* g = k->state;

    *row = g->worst_row;
    return g->row_residual;
}

const kkt_engine tml__kkt_augmented = {.create = create,
                                       .destroy = destroy,
                                       .factor = factor,
                                       .solve = solve,
                                       .statistics = statistics,
                                       .row_residual = row_residual,
                                       .least_norm = tml__augmented_least_norm,
                                       .relax = relax};
