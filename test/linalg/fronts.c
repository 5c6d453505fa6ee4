// test/linalg/fronts.c - factorisation by fronts against the block engine.            [notes 9.7]
#include "linalg/fronts.h"

#include "linalg/dissect.h"
#include "test/check.h"
#include "test/linalg/sample.h"

typedef struct example {
    int nodes, pairs;
    int* pair;
} example;

static example example_make(int nodes, int pairs)
{
    return (example){nodes, 0, sample_take(2 * (size_t)pairs, sizeof(int))};
}

static void join(example* e, int a, int b)
{
    e->pair[2 * e->pairs] = a;
    e->pair[2 * e->pairs++ + 1] = b;
}

// A random tree with chords; repeated pairs included.
static example random_graph(int nodes, int chords, dice* d)
{
    example e = example_make(nodes, nodes + chords);
    for (int a = 1; a < nodes; a++) join(&e, a, dice_below(d, a));
    for (int i = 0; i < chords && nodes > 2; i++) {
        const int a = dice_below(d, nodes);
        join(&e, a, (a + 1 + dice_below(d, nodes - 1)) % nodes);
    }
    return e;
}

// A grid of n x n nodes.
static example grid(int n)
{
    example e = example_make(n * n, 2 * n * n);
    for (int i = 0; i < n * n; i++) {
        if (i % n + 1 < n) join(&e, i, i + 1);
        if (i / n + 1 < n) join(&e, i, i + n);
    }
    return e;
}

// Three grids that know nothing of each other, and nodes that know nobody.
static example islands(void)
{
    example e = example_make(3 * 25 + 4, 200);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 25; i++) {
            if (i % 5 < 4) join(&e, 25 * k + i, 25 * k + i + 1);
            if (i / 5 < 4) join(&e, 25 * k + i, 25 * k + i + 5);
        }
    }
    return e;
}

static example clique(int n)
{
    example e = example_make(n, n * n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) join(&e, i, k);
    }
    return e;
}

// A cube of n x n x n nodes: separators wide enough for several chunks of columns.
static example cube(int n)
{
    example e = example_make(n * n * n, 3 * n * n * n);
    for (int i = 0; i < n * n * n; i++) {
        if (i % n + 1 < n) join(&e, i, i + 1);
        if (i / n % n + 1 < n) join(&e, i, i + n);
        if (i / (n * n) + 1 < n) join(&e, i, i + n * n);
    }
    return e;
}

enum {
    EXAMPLES = 11
};

static example make(int which, dice* d)
{
    switch (which) {
    case 0: return random_graph(1, 0, d);
    case 1: return random_graph(2, 0, d);
    case 2: return random_graph(40, 0, d);
    case 3: return random_graph(60, 30, d);
    case 4: return random_graph(120, 200, d);
    case 5: return grid(9);
    case 6: return grid(20);
    case 7: return islands();
    case 8: return cube(8);
    case 9: return clique(77);
    default: return clique(31);
    }
}

static block_pattern pattern_of(const example* e, const int* width)
{
    return (block_pattern){
        .node_count = e->nodes, .width = width, .pair_count = e->pairs, .pair_node = e->pair};
}

// The same unsymmetric values in both, their symmetric part positive definite by dominance.
static void fill(const example* e, dice* d, fronts* f, block* b)
{
    const int stride = tml__block_stride(3);
    tml__fronts_clear(f);
    if (b != NULL) tml__block_clear(b);
    for (int p = -e->nodes; p < 2 * e->pairs; p++) {
        const int row = p < 0 ? p + e->nodes : e->pair[p];
        const int column = p < 0 ? row : e->pair[p ^ 1];
        double* x = tml__fronts_at(f, row, column);
        double* y = b != NULL ? tml__block_at(b, row, column) : NULL;
        for (int k = 0; k < 9; k++) {
            const bool is_diagonal = p < 0 && k % 4 == 0;
            const double value = dice_range(d, -1.0, 1.0) + (is_diagonal ? 40.0 : 0.0);
            x[k] += value;
            if (y != NULL) y[k / 3 * stride + k % 3] += value;
        }
    }
}

// The same symmetric values in both, one side in the fronts. Every fifth node has a negative diagonal if
// the matrix is to be indefinite.
static void fill_symmetric(const example* e, dice* d, fronts* f, block* b, bool is_definite)
{
    const int stride = tml__block_stride(3);
    tml__fronts_clear(f);
    if (b != NULL) tml__block_clear(b);
    for (int p = -e->nodes; p < e->pairs; p++) {
        const int row = p < 0 ? p + e->nodes : e->pair[2 * p];
        const int column = p < 0 ? row : e->pair[2 * p + 1];
        const double sign = !is_definite && row % 5 == 1 ? -1.0 : 1.0;
        double value[9];
        for (int k = 0; k < 9; k++) value[k] = dice_range(d, -1.0, 1.0);
        for (int k = 0; p < 0 && k < 9; k++) {
            if (k / 3 > k % 3) value[k] = value[3 * (k % 3) + k / 3];
            if (k % 4 == 0) value[k] += 200.0 * sign;
        }
        double* one = tml__fronts_at(f, row, column);
        double* other = tml__fronts_at(f, column, row);
        CHECK(p < 0 || (one == NULL) != (other == NULL));
        for (int k = 0; k < 9; k++) {
            const int across = 3 * (k % 3) + k / 3;
            if (one != NULL) one[k] += value[k];
            if (p >= 0 && other != NULL) other[across] += value[k];
            if (b == NULL) continue;
            tml__block_at(b, row, column)[k / 3 * stride + k % 3] += value[k];
            if (p >= 0) tml__block_at(b, column, row)[across / 3 * stride + across % 3] += value[k];
        }
    }
}

static fronts* fronts_as(const example* e, block_kind kind)
{
    fronts* f = NULL;
    message why = {""};
    const tml_allocator allocator = {0};
    const block_pattern pattern = pattern_of(e, NULL);
    CHECK(tml__fronts_create(&pattern, kind, &allocator, &why, &f) == TML_OK);
    return f;
}

static fronts* fronts_of(const example* e) { return fronts_as(e, BLOCK_LU); }

static block* block_of(const example* e)
{
    block* b = NULL;
    message why = {""};
    const tml_allocator allocator = {0};
    int* width = sample_take((size_t)e->nodes, sizeof(int));
    for (int i = 0; i < e->nodes; i++) width[i] = 3;
    const block_pattern pattern = pattern_of(e, width);
    CHECK(tml__block_create(&pattern, BLOCK_LU, &allocator, &why, &b) == TML_OK);
    free(width);
    return b;
}

// Two eliminations of one well conditioned matrix: a few hundred roundings.
TEST(solutions_are_those_of_the_block_engine)
{
    dice d = {7};
    for (int i = 0; i < EXAMPLES; i++) {
        example e = make(i, &d);
        fronts* f = fronts_of(&e);
        block* b = block_of(&e);
        double* x = sample_take(3 * (size_t)e.nodes, sizeof(double));
        double* y = sample_take(3 * (size_t)e.nodes, sizeof(double));
        double* left = sample_take(3 * (size_t)e.nodes, sizeof(double));
        fill(&e, &d, f, b);
        for (int k = 0; k < 3 * e.nodes; k++) x[k] = y[k] = left[k] = dice_range(&d, -1.0, 1.0);
        CHECK(tml__fronts_factor(f, 0.0, NULL) == TML_OK);
        CHECK(tml__block_factor(b, NULL) == TML_OK);
        tml__fronts_solve(f, 1, x);
        tml__block_solve(b, 1, y);
        tml__fronts_subtract_product(f, x, left);
        for (int k = 0; k < 3 * e.nodes; k++) {
            CHECK_NEAR(x[k], y[k], 1e-14);
            CHECK_NEAR(left[k], 0.0, 1e-13);
        }
        CHECK(tml__fronts_pivot(f) > 0.01);
        tml__fronts_destroy(f);
        tml__block_destroy(b);
        free(x);
        free(y);
        free(left);
        free(e.pair);
    }
}

// Whether the matrix is definite or not, L D L^T solves as LU does; and it says which it is.
TEST(symmetric_solutions_are_those_of_the_block_engine)
{
    dice d = {17};
    for (int i = 0; i < 2 * EXAMPLES; i++) {
        const bool is_definite = i < EXAMPLES;
        example e = make(i % EXAMPLES, &d);
        fronts* f = fronts_as(&e, BLOCK_CHOLESKY);
        block* b = block_of(&e);
        double* x = sample_take(6 * (size_t)e.nodes, sizeof(double));
        double* y = sample_take(6 * (size_t)e.nodes, sizeof(double));
        double* left = sample_take(3 * (size_t)e.nodes, sizeof(double));
        fill_symmetric(&e, &d, f, b, is_definite);
        for (int k = 0; k < 6 * e.nodes; k++) x[k] = y[k] = dice_range(&d, -1.0, 1.0);
        memcpy(left, x, 3 * (size_t)e.nodes * sizeof(double));
        CHECK(tml__fronts_factor(f, 0.0, NULL) == TML_OK);
        CHECK(tml__fronts_is_definite(f) == (is_definite || e.nodes == 1));
        CHECK(tml__block_factor(b, NULL) == TML_OK);
        tml__fronts_solve(f, 2, x);
        tml__block_solve(b, 2, y);
        tml__fronts_subtract_product(f, x, left);
        // diagonals of 200 and rows of at most 77 blocks: a few hundred roundings
        for (int k = 0; k < 6 * e.nodes; k++) CHECK_NEAR(x[k], y[k], 1e-14);
        for (int k = 0; k < 3 * e.nodes; k++) CHECK_NEAR(left[k], 0.0, 1e-13);
        tml__fronts_destroy(f);
        tml__block_destroy(b);
        free(x);
        free(y);
        free(left);
        free(e.pair);
    }
}

TEST(a_symmetric_factor_is_half_the_work_and_memory)
{
    example e = cube(8);
    fronts* half = fronts_as(&e, BLOCK_CHOLESKY);
    fronts* whole = fronts_of(&e);
    const fronts_statistics s = tml__fronts_statistics(half);
    const fronts_statistics w = tml__fronts_statistics(whole);
    CHECK_NEAR(s.flops / w.flops, 0.5, 1e-12);
    // the squares of own nodes are stored as squares
    CHECK((double)s.entries < 0.7 * (double)w.entries);
    tml__fronts_destroy(half);
    tml__fronts_destroy(whole);
    free(e.pair);
}

TEST(all_instruction_sets_give_the_same_bits)
{
    dice d = {8};
    for (int i = 0; i < 2 * EXAMPLES; i++) {
        const bool is_symmetric = i >= EXAMPLES;
        example e = make(i % EXAMPLES, &d);
        fronts* f = fronts_as(&e, is_symmetric ? BLOCK_CHOLESKY : BLOCK_LU);
        const size_t bytes = 3 * (size_t)e.nodes * sizeof(double);
        double* b = sample_take(1, bytes);
        double* plain = sample_take(1, bytes);
        double* x = sample_take(1, bytes);
        if (is_symmetric)
            fill_symmetric(&e, &d, f, NULL, true);
        else
            fill(&e, &d, f, NULL);
        for (int k = 0; k < 3 * e.nodes; k++) b[k] = dice_range(&d, -1.0, 1.0);
        for (int isa = BLOCK_PLAIN; isa <= BLOCK_AVX512; isa++) {
            if (!tml__fronts_use(f, (block_isa)isa)) continue;
            memcpy(x, b, bytes);
            CHECK(tml__fronts_factor(f, 0.0, NULL) == TML_OK);
            tml__fronts_solve(f, 1, x);
            if (isa == BLOCK_PLAIN) memcpy(plain, x, bytes);
            CHECK(memcmp(x, plain, bytes) == 0);
        }
        tml__fronts_destroy(f);
        free(b);
        free(plain);
        free(x);
        free(e.pair);
    }
}

// Branches by as many threads as one likes: factors, solutions, pivots and the node that has none are those of one
// thread.
TEST(any_number_of_threads_gives_the_same_bits)
{
    dice d = {12};
    for (int i = 0; i < 4; i++) {
        example e = i == 0 ? grid(40) : i == 1 ? cube(8) : i == 2 ? clique(77) : grid(60);
        const size_t bytes = 3 * (size_t)e.nodes * sizeof(double);
        double* b = sample_take(1, bytes);
        double* x[3];
        double pivot[3];
        int bad[3];
        for (int k = 0; k < 3 * e.nodes; k++) b[k] = dice_range(&d, -1.0, 1.0);
        const dice same = d;
        for (int k = 0; k < 3; k++) {
            static const int threads[3] = {1, 2, 5};
            team* all = NULL;
            fronts* f = fronts_of(&e);
            CHECK(tml__team_create(threads[k], NULL, &all) == TML_OK);
            CHECK(tml__fronts_share(f, all) == TML_OK);
            const fronts_statistics s = tml__fronts_statistics(f);
            if (k > 0)
                printf("%d threads share %.2f of the work\n", threads[k], s.shared / s.flops);
            // one front is all there is of a clique
            CHECK((s.shared > 0.2 * s.flops) == (k > 0 && i != 2));
            d = same;
            fill(&e, &d, f, NULL);
            x[k] = sample_take(1, bytes);
            memcpy(x[k], b, bytes);
            for (int again = 0; again < 3; again++) {
                CHECK(tml__fronts_factor(f, 0.0, NULL) == TML_OK);
            }
            pivot[k] = tml__fronts_pivot(f);
            tml__fronts_solve(f, 1, x[k]);
            CHECK(memcmp(x[k], x[0], bytes) == 0);
            CHECK(pivot[k] == pivot[0]);
            memset(tml__fronts_at(f, e.nodes / 2, e.nodes / 2), 0, 9 * sizeof(double));
            for (int p = 0; p < 2 * e.pairs; p++) {
                if (e.pair[p] != e.nodes / 2) continue;
                memset(tml__fronts_at(f, e.pair[p], e.pair[p ^ 1]), 0, 9 * sizeof(double));
            }
            CHECK(tml__fronts_factor(f, 0.0, &bad[k]) == TML_SINGULAR);
            CHECK(bad[k] == e.nodes / 2);
            tml__fronts_destroy(f);
            tml__team_destroy(all);
        }
        for (int k = 0; k < 3; k++) free(x[k]);
        free(b);
        free(e.pair);
    }
}

// A row that says what another says: no pivot is left; with a shift and one refinement the equations are
// met all the same.                                                                   [notes 6]
TEST(a_repeated_row_is_singular_and_a_shift_with_refinement_solves_it)
{
    dice d = {9};
    example e = grid(6);
    fronts* f = fronts_of(&e);
    fill(&e, &d, f, NULL);
    const int n = e.nodes;
    double* x = sample_take(3 * (size_t)n, sizeof(double));
    double* b = sample_take(3 * (size_t)n, sizeof(double));
    double* r = sample_take(3 * (size_t)n, sizeof(double));
    // row and column 1 of node 14 become those of its unknown 0
    for (int k = 0; k < n; k++) {
        double* row = tml__fronts_at(f, 14, k);
        double* column = tml__fronts_at(f, k, 14);
        for (int c = 0; row != NULL && c < 3; c++) row[3 * c + 1] = row[3 * c];
        for (int c = 0; column != NULL && c < 3; c++) column[3 + c] = column[c];
    }
    double* own = tml__fronts_at(f, 14, 14);
    own[1] = own[3] = own[4] = own[0];
    for (int k = 0; k < 3 * n; k++) b[k] = dice_range(&d, -1.0, 1.0);
    b[3 * 14 + 1] = b[3 * 14];
    int bad = -1;
    CHECK(tml__fronts_factor(f, 0.0, &bad) == TML_SINGULAR);
    CHECK(bad == 14);

    CHECK(tml__fronts_factor(f, 1e-10, NULL) == TML_OK);
    CHECK(tml__fronts_pivot(f) < 1e-9 && tml__fronts_pivot(f) > 1e-11);
    memcpy(x, b, 3 * (size_t)n * sizeof(double));
    tml__fronts_solve(f, 1, x);
    memcpy(r, b, 3 * (size_t)n * sizeof(double));
    tml__fronts_subtract_product(f, x, r);
    tml__fronts_solve(f, 1, r);
    for (int k = 0; k < 3 * n; k++) x[k] += r[k];
    memcpy(r, b, 3 * (size_t)n * sizeof(double));
    tml__fronts_subtract_product(f, x, r);
    // the shift left 1e-10; a pivot that small is known to 1e-6, which a refinement leaves of that, and
    // rounding over the elimination adds to
    for (int k = 0; k < 3 * n; k++) CHECK_NEAR(r[k], 0.0, 1e-12);
    tml__fronts_destroy(f);
    free(x);
    free(b);
    free(r);
    free(e.pair);
}

// Every node once; and on a grid less work than minimum degree leaves: about n^3 block products against
// rather more.
TEST(dissection_is_an_order_and_saves_work_on_a_grid)
{
    dice d = {10};
    const tml_allocator allocator = {0};
    for (int i = 0; i < EXAMPLES; i++) {
        example e = make(i, &d);
        const graph g = {.node_count = e.nodes, .pair_count = e.pairs, .pair_node = e.pair};
        int* order = sample_take((size_t)e.nodes, sizeof(int));
        int* seen = sample_take((size_t)e.nodes, sizeof(int));
        CHECK(tml__dissect(&g, &allocator, order) == TML_OK);
        for (int k = 0; k < e.nodes; k++) seen[order[k]]++;
        for (int k = 0; k < e.nodes; k++) CHECK(seen[k] == 1);
        free(order);
        free(seen);
        free(e.pair);
    }
    example e = grid(60);
    fronts* f = fronts_of(&e);
    CHECK(tml__fronts_statistics(f).is_dissected);
    // the top separators: a column of 60 nodes, and no front much larger
    CHECK(tml__fronts_statistics(f).largest <= 3 * 2 * 60);
    tml__fronts_destroy(f);
    free(e.pair);
}

typedef struct rationed {
    int left, alive;
} rationed;

static void* take(void* context, size_t size)
{
    rationed* r = context;
    if (r->left-- <= 0) return NULL;
    r->alive++;
    return malloc(size);
}

static void give(void* context, void* memory)
{
    rationed* r = context;
    if (memory != NULL) r->alive--;
    free(memory);
}

TEST(every_failing_allocation_is_no_memory_and_leaks_nothing)
{
    example e = grid(30);
    const block_pattern pattern = pattern_of(&e, NULL);
    team* both = NULL;
    CHECK(tml__team_create(2, NULL, &both) == TML_OK);
    int fails = 0;
    for (int allowed = 0; allowed < 200; allowed++) {
        rationed r = {.left = allowed};
        const tml_allocator allocator = {take, give, &r};
        message why = {""};
        fronts* f = NULL;
        tml_status status = tml__fronts_create(&pattern, BLOCK_LU, &allocator, &why, &f);
        CHECK(status == TML_OK || (status == TML_NO_MEMORY && f == NULL));
        if (status == TML_OK) status = tml__fronts_share(f, both);
        CHECK(status == TML_OK || status == TML_NO_MEMORY);
        tml__fronts_destroy(f);
        CHECK(r.alive == 0);
        if (status == TML_OK) break;
        fails++;
    }
    CHECK(fails > 20);
    tml__team_destroy(both);
    free(e.pair);
}
