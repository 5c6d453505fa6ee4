// test/linalg/dissect.c - nested dissection: an order of all nodes, the same solution, less work.
#include "linalg/dissect.h"

#include "linalg/block.h"
#include "test/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SIDE = 14,
    NODES = SIDE * SIDE * SIDE,
    PAIRS = 7 * NODES
};

// A cube of nodes, each coupled to those up to one step further along every axis.
static int pair[2 * PAIRS];

static graph cube(void)
{
    int count = 0;
    for (int n = 0; n < NODES; n++) {
        const int at[3] = {n / (SIDE * SIDE), n / SIDE % SIDE, n % SIDE};
        for (int way = 1; way < 8; way++) {
            const int to[3] = {at[0] + (way >> 2), at[1] + (way >> 1 & 1), at[2] + (way & 1)};
            if (to[0] >= SIDE || to[1] >= SIDE || to[2] >= SIDE) continue;
            pair[2 * count] = n;
            pair[2 * count++ + 1] = (to[0] * SIDE + to[1]) * SIDE + to[2];
        }
    }
    return (graph){.node_count = NODES, .pair_count = count, .pair_node = pair};
}

static double products_of(const graph* g)
{
    static const tml_allocator plain;
    elimination e = {0};
    message why = {{0}};
    CHECK(tml__elimination_create(&e, g, &plain, &why) == TML_OK);
    const double products = e.products;
    tml__elimination_destroy(&e, &plain);
    return products;
}

static int position[NODES];

// The same graph with its nodes numbered as they are to be eliminated.
static graph dissected(const graph* g)
{
    static int order[NODES];
    static int renamed[2 * PAIRS];
    static const tml_allocator plain;
    CHECK(tml__dissect(g, &plain, order) == TML_OK);
    for (int n = 0; n < NODES; n++) position[n] = -1;
    for (int k = 0; k < NODES; k++) position[order[k]] = k;
    for (int n = 0; n < NODES; n++) CHECK(position[n] >= 0);  // every node once
    for (int i = 0; i < 2 * g->pair_count; i++) renamed[i] = position[g->pair_node[i]];
    return (graph){.node_count = NODES,
                   .pair_count = g->pair_count,
                   .pair_node = renamed,
                   .last_count = NODES};
}

TEST(a_cube_is_dissected_with_less_work_than_by_minimum_degree)
{
    const graph g = cube();
    const double by_degree = products_of(&g);
    const graph cut = dissected(&g);
    const double by_cuts = products_of(&cut);
    printf("%d nodes: %.3g block products by minimum degree, %.3g by dissection\n", (int)NODES,
           by_degree, by_cuts);
    CHECK(by_cuts < by_degree);
}

TEST(the_order_does_not_depend_on_what_was_done_before)
{
    const graph g = cube();
    static int first[NODES];
    dissected(&g);
    memcpy(first, position, sizeof first);
    dissected(&g);
    CHECK(memcmp(first, position, sizeof first) == 0);
}

// Three unknowns a node, diagonally dominant; the same right-hand side both ways.
static void solve(const graph* g, const int* number, double* x)
{
    static int width[NODES];
    static const tml_allocator plain;
    for (int n = 0; n < NODES; n++) width[n] = 3;
    const block_pattern pattern = {NODES, width, g->pair_count, g->pair_node, NULL};
    block* b = NULL;
    message why = {{0}};
    CHECK(tml__block_create_last(&pattern, g->last_count, BLOCK_CHOLESKY, &plain, &why, &b) ==
          TML_OK);
    tml__block_clear(b);
    const int stride = tml__block_stride(3);
    for (int n = 0; n < NODES; n++) {
        double* own = tml__block_at(b, number[n], number[n]);
        for (int k = 0; k < 3; k++) own[(stride + 1) * k] = 20.0 + k;
    }
    for (int i = 0; i < g->pair_count; i++) {
        double* low = tml__block_at(b, g->pair_node[2 * i], g->pair_node[2 * i + 1]);
        double* high = tml__block_at(b, g->pair_node[2 * i + 1], g->pair_node[2 * i]);
        double* to = low != NULL ? low : high;
        for (int k = 0; k < 3; k++) to[(stride + 1) * k] = -1.0;
    }
    CHECK(tml__block_factor(b, NULL) == TML_OK);
    for (int i = 0; i < 3 * NODES; i++) x[3 * number[i / 3] + i % 3] = 1.0 + 0.1 * (i % 17);
    tml__block_solve(b, 1, x);
    tml__block_destroy(b);
}

TEST(both_orders_give_the_same_solution)
{
    static double x[3 * NODES];
    static double y[3 * NODES];
    static int same[NODES];
    const graph g = cube();
    for (int n = 0; n < NODES; n++) same[n] = n;
    solve(&g, same, x);
    const graph cut = dissected(&g);
    solve(&cut, position, y);
    double worst = 0.0;
    for (int i = 0; i < 3 * NODES; i++) {
        worst = fmax(worst, fabs(x[i] - y[3 * position[i / 3] + i % 3]));
    }
    CHECK(worst < 1e-13);  // roundings of numbers of size 1, the matrix has a condition below 10
}
