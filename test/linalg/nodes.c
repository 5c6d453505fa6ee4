// test/linalg/nodes.c - rows as unknowns of the block matrix: what the order costs.  [VMAX Alg 3-4]
#include "linalg/kkt.h"
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
        // nodes of 9 unknowns, columns padded to 12: 200 diagonal blocks, 199 below and above
        CHECK(tree.unknowns == 1800);
        CHECK(tree.factor_entries == (200LL + 2 * 199) * 9 * 12);
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
