// linalg/augmented.c - KKT systems by elimination of the multipliers on the node graph.
//
// Every row is given a small extra compliance delta, which makes its multiplier explicit:
//
//     C x + (E + delta) l = c   ->   l = P (c - C x),   P = 1/(E + delta)
//     A x = r + C^T P c,             A = K + C^T P C
//
// (of a two-sided system C^T is D^T throughout)
//
// and A is factored by blocks (augmented_factor.c); rows are never ordered or tested for rank. The error that delta makes
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
// Passes are in augmented_solve.c; here are the layout, and what the engine answers.
#include "linalg/augmented.h"

#include <limits.h>

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
    g->rows = (row_set){g->group_count, g->group, g->row, g->entry_at, g->a->is_long};
    return TML_OK;
}

static void forget(kkt* k)
{
    augmented* g = k->state;
    g->is_general = false;
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
    tml__augmented_apply_inverse(k, KKT_PLAIN);
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
                            .penalty = {g->kappa[0], g->kappa[1]},
                            .full_penalty = augmented_kappa_max,
                            .is_symmetric = g->a->factored_as == BLOCK_CHOLESKY,
                            .passes = g->passes};
}

static double row_residual(const kkt* k, int* row)
{
    const augmented* g = k->state;

    *row = g->worst_row;
    return g->row_residual;
}

const kkt_engine tml__kkt_augmented = {.checks_values = true,
                                       .create = create,
                                       .destroy = destroy,
                                       .factor = tml__augmented_factor,
                                       .solve = tml__augmented_solve,
                                       .statistics = statistics,
                                       .forget = forget,
                                       .row_residual = row_residual,
                                       .least_norm = tml__augmented_least_norm,
                                       .relax = relax};
