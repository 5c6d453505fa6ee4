// test/linalg/nodes.c - rows as unknowns of the block matrix: what the order costs.  [VMAX Alg 3-4]
#include "linalg/kkt_internal.h"
#include "linalg/sweep.h"
#include "test/check.h"
#include "test/linalg/sample.h"

static kkt_statistics statistics_of(const sample* s)
{
    message why = {""};
    kkt* k = NULL;
    const kkt_pattern p = sample_pattern(s);
    CHECK(tml__kkt_create(&p, KKT_NODES, NULL, &why, &k) == TML_OK);
    const kkt_statistics out = tml__kkt_statistics(k);
    tml__kkt_destroy(k);
    return out;
}

static double chain_flops(int links, int rows)
{
    sample s = sample_chain(links, rows);
    const double flops = statistics_of(&s).factor_flops;
    sample_free(&s);
    return flops;
}

// A chain pinned at both ends: one joint too many for a tree.
static double loop_flops(int links, int rows)
{
    sample s = sample_make(links, (links + 1) * rows, 1);
    for (int a = 0; a < links; a++) sample_joint(&s, a, a - 1, rows);
    sample_joint(&s, links - 1, -1, rows);
    const double flops = statistics_of(&s).factor_flops;
    sample_free(&s);
    return flops;
}

// Counted, so exactly linear: equal differences for equal differences in length.
TEST(the_flops_of_a_chain_are_linear)  // [VMAX Fig 5]
{
    for (int rows = 3; rows <= 5; rows += 2) {
        const double a = chain_flops(100, rows);
        const double b = chain_flops(1100, rows);
        const double c = chain_flops(10100, rows);
        printf("%d rows a joint: %.0f flops a link\n", rows, (b - a) / 1000.0);
        CHECK_NEAR((c - b) / (9.0 * (b - a)), 1.0, 1e-12);  // roundings of the sum alone
    }
}

TEST(so_are_those_of_a_chain_closed_by_one_loop)
{
    for (int rows = 3; rows <= 5; rows += 2) {
        const double a = loop_flops(100, rows);
        const double b = loop_flops(1100, rows);
        const double c = loop_flops(10100, rows);
        printf("%d rows a joint, closed: %.0f flops a link\n", rows, (b - a) / 1000.0);
        CHECK_NEAR((c - b) / (9.0 * (b - a)), 1.0, 1e-12);
    }
}

// Leaves first, whatever the shape: a block below the diagonal for each joint between two bodies, so
// the numbers in the factor are those of the pattern.
TEST(a_tree_has_no_fill)  // [VMAX Alg 3]
{
    dice d = {3};
    for (int trial = 0; trial < 10; trial++) {
        sample s = sample_make(200, 3 * 200, 1);
        for (int a = 0; a < 200; a++) sample_joint(&s, a, a == 0 ? -1 : dice_below(&d, a), 3);
        const kkt_statistics tree = statistics_of(&s);
        // nodes of 9 unknowns: 200 blocks of the nodes with pivots (9) and exchanges (5), 199 times six
        // columns to the parent (6 * 9) and what its rows reach of it (6 * 3)
        CHECK(tree.unknowns == 1800);
        CHECK(tree.factor_entries == 200LL * (9 * 9 + 9 + 5) + 199LL * (6 * 9 + 6 * 3));
        sample_free(&s);
    }
}

// A limit joins the rows of its joint; a row over three bodies cannot join any.
TEST(rows_of_one_joint_share_its_node)
{
    sample plain = sample_chain(50, 5);
    sample limited = sample_make(50, 50 * 6, 1);
    for (int a = 0; a < 50; a++) sample_joint(&limited, a, a - 1, 5);
    for (int a = 0; a < 50; a++) sample_joint(&limited, a, a - 1, 1);
    const double a = statistics_of(&plain).factor_flops;
    const double b = statistics_of(&limited).factor_flops;
    CHECK(b < 1.4 * a);  // 12 unknowns a node instead of 11: (12 / 11)^3 = 1.3
    sample_free(&plain);
    sample_free(&limited);
}

// ---- trees in one sweep

// A random tree with couplings along joints, either way round and some twice, limits, and two loops.
static sample sprung_tree(dice* d, int nodes)
{
    sample s = sample_make(nodes, 5 * nodes + 10, 2 * nodes);
    for (int a = 0; a < nodes; a++) {
        const int up = a == 0 || dice_below(d, 9) == 0 ? -1 : dice_below(d, a);
        sample_joint(&s, a, up, 3 + dice_below(d, 3));
        for (int i = dice_below(d, 3); i > 0 && up >= 0; i--) {
            const bool is_turned = dice_below(d, 2) == 0;
            sample_pair(&s, is_turned ? up : a, is_turned ? a : up);
        }
    }
    for (int loop = 0; loop < 2; loop++) {
        sample_joint(&s, nodes - 1 - loop, dice_below(d, nodes / 2), 2);
    }
    return s;
}

typedef struct both {
    kkt* k[2];
    double *r, *c, *dx[2], *dl[2];
    int n, m;
} both;

static both both_make(const sample* s, kkt_method first, kkt_method second, dice* d)
{
    both b = {.n = 6 * s->node_count, .m = s->row_count};
    const kkt_method methods[2] = {first, second};
    const kkt_pattern p = sample_pattern(s);
    message why = {""};
    for (int i = 0; i < 2; i++) {
        dice same = *d;
        CHECK(tml__kkt_create(&p, methods[i], NULL, &why, &b.k[i]) == TML_OK);
        kkt_values* v = tml__kkt_values(b.k[i]);
        sample_fill(s, v, &same);
        for (int e = 0; e < 6 * s->row_start[s->row_count]; e++) {
            v->push[e] = v->row[e] + dice_range(&same, -0.01, 0.01);
        }
        v->is_two_sided = true;
        b.dx[i] = sample_take((size_t)b.n, sizeof(double));
        b.dl[i] = sample_take((size_t)b.m, sizeof(double));
    }
    b.r = sample_take((size_t)b.n, sizeof(double));
    b.c = sample_take((size_t)b.m, sizeof(double));
    sample_random(b.r, (size_t)b.n, 1.0, d);
    sample_random(b.c, (size_t)b.m, 1.0, d);
    return b;
}

static void both_free(both* b)
{
    for (int i = 0; i < 2; i++) {
        tml__kkt_destroy(b->k[i]);
        free(b->dx[i]);
        free(b->dl[i]);
    }
    free(b->r);
    free(b->c);
}

static double distance(const double* a, const double* b, int count)
{
    double largest = 0.0;
    double size = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return largest / size;
}

TEST(a_sprung_tree_with_loops_is_solved_like_a_dense_matrix)  // [VMAX Alg 3-4]
{
    for (int trial = 0; trial < 20; trial++) {
        dice d = {900 + (uint64_t)trial};
        sample s = sprung_tree(&d, 10 + 2 * trial);
        both b = both_make(&s, KKT_NODES, KKT_DENSE, &d);
        for (int i = 0; i < 2; i++) CHECK(tml__kkt_factor(b.k[i], NULL) == TML_OK);
        for (int passes = 2; passes <= 30; passes += 28) {
            tml__kkt_set_passes(b.k[0], passes);
            for (int i = 0; i < 2; i++) {
                CHECK(tml__kkt_solve(b.k[i], b.r, b.c, b.dx[i], b.dl[i]) == TML_OK);
            }
            // the dense factor's own error: condition 1e4 of the largest of these samples
            CHECK_NEAR(distance(b.dx[0], b.dx[1], b.n), 0.0, 1e-11);
            CHECK_NEAR(distance(b.dl[0], b.dl[1], b.m), 0.0, 1e-11);
        }
        for (int i = 0; i < 2; i++) {
            CHECK(tml__kkt_solve_transposed(b.k[i], b.r, b.c, b.dx[i], b.dl[i]) == TML_OK);
        }
        CHECK_NEAR(distance(b.dx[0], b.dx[1], b.n), 0.0, 1e-11);
        CHECK_NEAR(distance(b.dl[0], b.dl[1], b.m), 0.0, 1e-11);
        both_free(&b);
        sample_free(&s);
    }
}

// A solve that begins with the factorisation takes the same way: loops, couplings, refined or not.
TEST(factoring_and_solving_at_once_gives_the_bits_of_the_two_calls)
{
    for (int trial = 0; trial < 8; trial++) {
        dice d = {300 + (uint64_t)trial};
        sample s = sprung_tree(&d, 10 + 5 * trial);
        both b = both_make(&s, KKT_NODES, KKT_NODES, &d);
        int bad_row = 7;
        for (int i = 0; i < 2; i++) tml__kkt_set_passes(b.k[i], trial % 2 == 0 ? 2 : 30);
        CHECK(tml__kkt_factor(b.k[0], NULL) == TML_OK);
        CHECK(tml__kkt_solve(b.k[0], b.r, b.c, b.dx[0], b.dl[0]) == TML_OK);
        // in place, as a Newton step does it
        memcpy(b.dx[1], b.r, (size_t)b.n * sizeof(double));
        memcpy(b.dl[1], b.c, (size_t)b.m * sizeof(double));
        const kkt_sides sides = {b.dx[1], b.dl[1], b.dx[1], b.dl[1]};
        CHECK(tml__kkt_factor_solve(b.k[1], &sides, &bad_row) == TML_OK);
        CHECK(bad_row == -1);
        CHECK(memcmp(b.dx[0], b.dx[1], (size_t)b.n * sizeof(double)) == 0);
        CHECK(memcmp(b.dl[0], b.dl[1], (size_t)b.m * sizeof(double)) == 0);
        // and the factor it leaves is the same
        CHECK(tml__kkt_solve(b.k[1], b.r, b.c, b.dx[1], b.dl[1]) == TML_OK);
        CHECK(memcmp(b.dx[0], b.dx[1], (size_t)b.n * sizeof(double)) == 0);
        both_free(&b);
        sample_free(&s);
    }
}

// Who keeps the values to the last solve spares a copy of them, and nothing else; clearing forgets it.
TEST(a_refined_solve_has_the_same_bits_whether_the_values_are_copied_or_kept)
{
    for (int trial = 0; trial < 4; trial++) {
        dice d = {500 + (uint64_t)trial};
        sample s = sprung_tree(&d, 10 + 10 * trial);
        both b = both_make(&s, KKT_NODES, KKT_NODES, &d);
        for (int i = 0; i < 2; i++) {
            tml__kkt_set_passes(b.k[i], 30);
            tml__kkt_values(b.k[i])->is_kept = i == 1;
            const kkt_sides sides = {b.r, b.c, b.dx[i], b.dl[i]};
            CHECK(tml__kkt_factor_solve(b.k[i], &sides, NULL) == TML_OK);
        }
        CHECK(memcmp(b.dx[0], b.dx[1], (size_t)b.n * sizeof(double)) == 0);
        CHECK(memcmp(b.dl[0], b.dl[1], (size_t)b.m * sizeof(double)) == 0);
        // the first may write the next values before it solves again
        tml__kkt_clear(b.k[0]);
        CHECK(!tml__kkt_values(b.k[0])->is_kept && tml__kkt_values(b.k[1])->is_kept);
        for (int i = 0; i < 2; i++) {
            CHECK(tml__kkt_solve(b.k[i], b.r, b.c, b.dx[i], b.dl[i]) == TML_OK);
        }
        CHECK(memcmp(b.dx[0], b.dx[1], (size_t)b.n * sizeof(double)) == 0);
        CHECK(memcmp(b.dl[0], b.dl[1], (size_t)b.m * sizeof(double)) == 0);
        both_free(&b);
        sample_free(&s);
    }
}

// Who says that there are no couplings spares reading their zeros, and nothing else.
TEST(a_tree_without_couplings_gives_the_same_bits_whether_it_is_said_or_not)
{
    dice d = {77};
    sample s = sample_chain(40, 5);
    for (int a = 1; a < 40; a++) sample_pair(&s, a, a - 1);
    both b = both_make(&s, KKT_NODES, KKT_NODES, &d);
    for (int i = 0; i < 2; i++) {
        kkt_values* v = tml__kkt_values(b.k[i]);
        memset(v->pair, 0, 72 * (size_t)s.pair_count * sizeof(double));
        v->is_pairless = i == 1;
        CHECK(tml__kkt_factor(b.k[i], NULL) == TML_OK);
        CHECK(tml__kkt_solve(b.k[i], b.r, b.c, b.dx[i], b.dl[i]) == TML_OK);
    }
    CHECK(distance(b.dx[0], b.dx[1], b.n) == 0.0);
    CHECK(distance(b.dl[0], b.dl[1], b.m) == 0.0);
    // and clearing forgets it
    tml__kkt_clear(b.k[1]);
    CHECK(!tml__kkt_values(b.k[1])->is_pairless);
    both_free(&b);
    sample_free(&s);
}

static int count_subnormal(const double* x, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++) found += fpclassify(x[i]) == FP_SUBNORMAL ? 1 : 0;
    return found;
}

// A push on one link of a long chain dies away along it, and so does what closes its loop. Numbers
// that have no exponent left took most of the time of ten thousand links.
TEST(what_dies_away_along_a_chain_ends_at_zero)
{
    enum {
        LINKS = 3000
    };
    dice d = {41};
    sample s = sample_make(LINKS, (LINKS + 1) * 3, 1);
    for (int a = 0; a < LINKS; a++) sample_joint(&s, a, a - 1, 3);
    sample_joint(&s, LINKS - 1, -1, 3);
    both b = both_make(&s, KKT_NODES, KKT_AUGMENTED, &d);
    memset(b.c, 0, (size_t)b.m * sizeof(double));
    for (int i = 0; i < 2; i++) {
        tml__kkt_set_passes(b.k[i],
                            i == 0 ? 2 : 30);  // as they come: rests would be pushes of their own
        CHECK(tml__kkt_factor(b.k[i], NULL) == TML_OK);
    }
    for (int pushed = 0; pushed < LINKS; pushed += LINKS / 2 - 1) {
        memset(b.r, 0, (size_t)b.n * sizeof(double));
        for (int j = 0; j < 6; j++) b.r[6 * pushed + j] = 1.0;
        for (int i = 0; i < 2; i++) {
            CHECK(tml__kkt_solve(b.k[i], b.r, b.c, b.dx[i], b.dl[i]) == TML_OK);
        }
        CHECK(count_subnormal(b.dx[0], b.n) == 0 && count_subnormal(b.dl[0], b.m) == 0);
        // roundings of either solver, times the condition of a link's own 9 equations
        CHECK_NEAR(distance(b.dx[0], b.dx[1], b.n), 0.0, 1e-11);
        CHECK_NEAR(distance(b.dl[0], b.dl[1], b.m), 0.0, 1e-11);
        CHECK(tml__kkt_solve_transposed(b.k[0], b.r, b.c, b.dx[0], b.dl[0]) == TML_OK);
        CHECK(count_subnormal(b.dx[0], b.n) == 0 && count_subnormal(b.dl[0], b.m) == 0);
    }
    both_free(&b);
    sample_free(&s);
}

// A chain by hand, so that its instruction set can be chosen; as many rows a joint as said.
static void check_instruction_sets(int rows)
{
    enum {
        LINKS = 30,
        MOST = 6
    };
    int parent[LINKS];
    int order[LINKS];
    int owner[MOST * LINKS];
    int offset[MOST * LINKS];
    for (int a = 0; a < LINKS; a++) {
        parent[a] = a - 1;
        order[a] = LINKS - 1 - a;
        for (int i = 0; i < rows; i++) {
            owner[rows * a + i] = a;
            offset[rows * a + i] = 6 + i;
        }
    }
    dice d = {78};
    sample s = sample_chain(LINKS, rows);
    both b = both_make(&s, KKT_NODES, KKT_NODES, &d);
    const sweep_tree tree = {parent, order, owner, offset};
    for (int i = 0; i < 2; i++) {
        sweep* t = NULL;
        message why = {""};
        int bad = -1;
        CHECK(tml__sweep_fits(b.k[i], &tree));
        CHECK(tml__sweep_create(b.k[i], &tree, &why, &t) == TML_OK);
        if (!tml__sweep_use(t, i == 0 ? BLOCK_PLAIN : BLOCK_AVX2)) printf("no AVX2 here\n");
        CHECK(tml__sweep_factor(t, b.k[i], NULL, &bad) == TML_OK);
        CHECK(tml__sweep_solve(t, b.k[i], KKT_PLAIN, b.r, b.c, b.dx[i], b.dl[i]));
        tml__sweep_destroy(t, &b.k[i]->allocator);
    }
    CHECK(distance(b.dx[0], b.dx[1], b.n) == 0.0);
    CHECK(distance(b.dl[0], b.dl[1], b.m) == 0.0);
    both_free(&b);
    sample_free(&s);
}

TEST(every_instruction_set_sweeps_a_tree_to_the_same_bits)
{
    for (int rows = 1; rows <= 6; rows++) check_instruction_sets(rows);
}
