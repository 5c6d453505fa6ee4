// test/linalg/krylov.c - iterative solutions against those of fronts and of the block engine.   [notes 6]
#include "linalg/krylov.h"

#include "linalg/fronts.h"
#include "test/check.h"
#include "test/linalg/sample.h"

typedef struct example {
    int nodes, pairs;
    int* pair;
    krylov* k;
    fronts* f;
} example;

static void join(example* e, int a, int b)
{
    e->pair[2 * e->pairs] = a;
    e->pair[2 * e->pairs++ + 1] = b;
}

static void create(example* e)
{
    const tml_allocator heap = {0};
    message why = {""};
    const block_pattern pattern = {
        .node_count = e->nodes, .pair_count = e->pairs, .pair_node = e->pair};
    CHECK(tml__krylov_create(&pattern, &heap, &why, &e->k) == TML_OK);
    CHECK(tml__fronts_create(&pattern, BLOCK_LU, &heap, &why, &e->f) == TML_OK);
}

static void destroy(example* e)
{
    tml__krylov_destroy(e->k);
    tml__fronts_destroy(e->f);
    free(e->pair);
}

// n x n nodes, pairs listed twice; a tree whose tips have the smallest numbers.
static example grid(int n)
{
    example e = {.nodes = n * n, .pair = sample_take(8 * (size_t)(n * n), sizeof(int))};
    for (int i = 0; i < n * n; i++) {
        if (i % n + 1 < n) join(&e, i, i + 1);
        if (i / n + 1 < n) join(&e, i + n, i);
        if (i / n + 1 < n) join(&e, i, i + n);
    }
    create(&e);
    return e;
}

static example tree(int nodes, dice* d)
{
    example e = {.nodes = nodes, .pair = sample_take(2 * (size_t)nodes, sizeof(int))};
    for (int a = 0; a + 1 < nodes; a++) join(&e, a, a + 1 + dice_below(d, nodes - a - 1));
    create(&e);
    return e;
}

// A Laplacian with blocks, nearly singular, and something unsymmetric: the duals of nets are such.
static void fill(example* e, dice* d, double ground)
{
    tml__krylov_clear(e->k);
    tml__fronts_clear(e->f);
    for (int p = 0; p < e->pairs; p++) {
        const int a = e->pair[2 * p];
        const int b = e->pair[2 * p + 1];
        const int at[4][2] = {{a, a}, {b, b}, {a, b}, {b, a}};
        double skew[9];
        for (int c = 0; c < 9; c++) skew[c] = dice_range(d, -0.03, 0.03);
        for (int i = 0; i < 4; i++) {
            double* x = tml__krylov_at(e->k, at[i][0], at[i][1]);
            double* y = tml__fronts_at(e->f, at[i][0], at[i][1]);
            for (int c = 0; c < 9; c++) {
                double value = c % 4 == 0 ? 1.0 : 0.0;
                if (i > 1) value = skew[c] - value;
                x[c] += value;
                y[c] += value;
            }
        }
    }
    for (int n = 0; n < e->nodes; n++) {
        for (int c = 0; c < 9; c += 4) {
            tml__krylov_at(e->k, n, n)[c] += ground;
            tml__fronts_at(e->f, n, n)[c] += ground;
        }
    }
}

static double solve_both(example* e, dice* d, double tolerance, krylov_report* report)
{
    const size_t n = 3 * (size_t)e->nodes;
    double* x = sample_take(n, sizeof(double));
    double* y = sample_take(n, sizeof(double));
    double apart = 0.0;
    double size = 0.0;
    for (size_t i = 0; i < n; i++) x[i] = y[i] = dice_range(d, -1.0, 1.0);
    CHECK(tml__krylov_prepare(e->k, NULL) == TML_OK);
    CHECK(tml__krylov_solve(e->k, tolerance, 2000, x, report) == TML_OK);
    CHECK(report->rest <= tolerance);
    CHECK(tml__fronts_factor(e->f, 0.0, NULL) == TML_OK);
    tml__fronts_solve(e->f, 1, y);
    for (size_t i = 0; i < n; i++) {
        apart = fmax(apart, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    free(x);
    free(y);
    return apart / size;
}

TEST(solutions_are_those_of_the_factor)
{
    dice d = {5};
    for (int i = 0; i < 8; i++) {
        example e = grid(4 + 7 * i);
        krylov_report report;
        fill(&e, &d, 0.01);
        const double apart = solve_both(&e, &d, 1e-12, &report);
        printf("grid of %d: %d iterations, %.2g from the factor\n", e.nodes, report.iterations,
               apart);
        // what is left of the right-hand side, times a condition of 8 / 0.01
        CHECK(apart < 1e-9);
        destroy(&e);
    }
}

// No block of a tree's factor is outside of its pattern where tips come first.
TEST(of_a_tree_the_incomplete_factor_is_the_factor)
{
    dice d = {6};
    for (int i = 0; i < 10; i++) {
        example e = tree(2 + 30 * i, &d);
        krylov_report report;
        fill(&e, &d, 0.3);
        CHECK(solve_both(&e, &d, 1e-13, &report) < 1e-12);
        CHECK(report.iterations <= 2);  // one, and one for the rounding of the first
        destroy(&e);
    }
}

TEST(what_is_not_reached_is_said)
{
    dice d = {7};
    example e = grid(30);
    krylov_report report;
    double* x = sample_take(3 * (size_t)e.nodes, sizeof(double));
    fill(&e, &d, 1e-6);
    for (int i = 0; i < 3 * e.nodes; i++) x[i] = 1.0;
    CHECK(tml__krylov_prepare(e.k, NULL) == TML_OK);
    CHECK(tml__krylov_solve(e.k, 1e-12, 5, x, &report) == TML_NOT_CONVERGED);
    CHECK(report.iterations == 5);
    CHECK(report.rest > 1e-12);
    // nothing is asked for, and nothing is answered
    memset(x, 0, 3 * (size_t)e.nodes * sizeof(double));
    CHECK(tml__krylov_solve(e.k, 1e-12, 5, x, &report) == TML_OK);
    CHECK(x[0] == 0.0 && report.iterations == 0);
    // a node without a block of its own
    int bad = -1;
    tml__krylov_clear(e.k);
    CHECK(tml__krylov_prepare(e.k, &bad) == TML_SINGULAR);
    CHECK(bad == 0);
    free(x);
    destroy(&e);
}
