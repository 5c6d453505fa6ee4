// test/linalg/augmented.c - redundant, contradictory, nearly dependent and compliant rows in the
// augmented engine.
//
// Redundant rows are made from independent ones by known combinations, so the independent system
// solved densely is the oracle for motion and force, and each combination is a vector n with
// C^T n = 0, which tells the least norm: n . W mu = 0.
#include "linalg/kkt.h"
#include "test/check.h"
#include "test/linalg/sample.h"

#include <stdint.h>

enum {
    NODES = 9,
    JOINT_ROWS = 4,
    SPARE = 2,
    ALL = JOINT_ROWS + SPARE
};

// A chain whose joints have 4 independent rows and 2 that are combinations of these.
typedef struct redundant {
    sample full;
    sample independent;
    kkt* augmented;
    kkt* dense;
    double mix[NODES][SPARE][JOINT_ROWS];
} redundant;

static kkt* make(const sample* s, kkt_method method)
{
    message why = {""};
    kkt* k = NULL;
    const kkt_pattern p = sample_pattern(s);
    if (tml__kkt_create(&p, method, NULL, &why, &k) != TML_OK) {
        printf("cannot create: %s\n", why.text);
        exit(1);
    }
    return k;
}

static int entries_of(const sample* s, int row)
{
    return s->row_start[row + 1] - s->row_start[row];
}

static redundant redundant_make(double mass_ratio, uint64_t seed)
{
    dice d = {seed};
    redundant t = {.full = sample_chain(NODES, ALL),
                   .independent = sample_chain(NODES, JOINT_ROWS)};
    sample_spread_masses(&t.full, mass_ratio, &d);
    for (int a = 0; a < NODES; a++) t.independent.mass[a] = t.full.mass[a];
    t.augmented = make(&t.full, KKT_AUGMENTED);
    t.dense = make(&t.independent, KKT_DENSE);
    kkt_values* v = tml__kkt_values(t.dense);
    kkt_values* w = tml__kkt_values(t.augmented);
    sample_fill(&t.independent, v, &d);
    memcpy(w->node, v->node, 36 * NODES * sizeof(double));
    for (int joint = 0; joint < NODES; joint++) {
        const int count = 6 * entries_of(&t.independent, JOINT_ROWS * joint);
        const double* from = v->row + 6 * t.independent.row_start[JOINT_ROWS * joint];
        double* to = w->row + 6 * t.full.row_start[ALL * joint];
        for (int i = 0; i < JOINT_ROWS * count; i++) to[i] = from[i];
        for (int spare = 0; spare < SPARE; spare++) {
            for (int r = 0; r < JOINT_ROWS; r++) {
                const double m = t.mix[joint][spare][r] = dice_range(&d, -1.0, 1.0);
                for (int i = 0; i < count; i++) {
                    to[(JOINT_ROWS + spare) * count + i] += m * from[r * count + i];
                }
            }
        }
    }
    return t;
}

static void redundant_free(redundant* t)
{
    tml__kkt_destroy(t->augmented);
    tml__kkt_destroy(t->dense);
    sample_free(&t->full);
    sample_free(&t->independent);
}

// c of the full system from that of the independent one
static void spread_rows(const redundant* t, const double* c, double* full)
{
    for (int joint = 0; joint < NODES; joint++) {
        for (int r = 0; r < ALL; r++) {
            double value = r < JOINT_ROWS ? c[JOINT_ROWS * joint + r] : 0.0;
            for (int i = 0; r >= JOINT_ROWS && i < JOINT_ROWS; i++) {
                value += t->mix[joint][r - JOINT_ROWS][i] * c[JOINT_ROWS * joint + i];
            }
            full[ALL * joint + r] = value;
        }
    }
}

// lambda of the independent rows with the same force
static void fold_rows(const redundant* t, const double* full, double* l)
{
    for (int joint = 0; joint < NODES; joint++) {
        for (int i = 0; i < JOINT_ROWS; i++) {
            double value = full[ALL * joint + i];
            for (int s = 0; s < SPARE; s++) {
                value += t->mix[joint][s][i] * full[ALL * joint + JOINT_ROWS + s];
            }
            l[JOINT_ROWS * joint + i] = value;
        }
    }
}

typedef struct answer {
    double x[6 * NODES];
    double l[ALL * NODES];
} answer;

TEST(redundant_consistent_rows_give_the_motion_and_force_of_the_independent_ones)
{
    const double ratios[] = {1.0, 1e5, 1e8};
    for (int i = 0; i < 30; i++) {
        redundant t = redundant_make(ratios[i % 3], 100 + (uint64_t)i);
        dice d = {(uint64_t)i};
        double r[6 * NODES];
        double c[JOINT_ROWS * NODES];
        double c_full[ALL * NODES];
        double folded[JOINT_ROWS * NODES];
        sample_random(r, 6 * NODES, 1.0, &d);
        sample_random(c, JOINT_ROWS * NODES, 1e-2, &d);
        for (int a = 0; a < 6 * NODES; a++) r[a] *= t.full.mass[a / 6];
        spread_rows(&t, c, c_full);
        CHECK(tml__kkt_factor(t.dense, NULL) == TML_OK);
        CHECK(tml__kkt_factor(t.augmented, NULL) == TML_OK);
        for (int transposed = 0; transposed < 2; transposed++) {
            answer expected;
            answer got;
            if (transposed) {
                CHECK(tml__kkt_solve_transposed(t.dense, r, c, expected.x, expected.l) == TML_OK);
                CHECK(tml__kkt_solve_transposed(t.augmented, r, c_full, got.x, got.l) == TML_OK);
            } else {
                CHECK(tml__kkt_solve(t.dense, r, c, expected.x, expected.l) == TML_OK);
                CHECK(tml__kkt_solve(t.augmented, r, c_full, got.x, got.l) == TML_OK);
            }
            CHECK(tml__kkt_row_residual(t.augmented, NULL) < 1e-13);
            fold_rows(&t, got.l, folded);
            const double size_x = largest(expected.x, 6 * NODES);
            const double size_l = largest(expected.l, JOINT_ROWS * NODES);
            // random joints: condition about 1e3
            for (int a = 0; a < 6 * NODES; a++) CHECK_NEAR(got.x[a], expected.x[a], 1e-11 * size_x);
            for (int a = 0; a < JOINT_ROWS * NODES; a++) {
                CHECK_NEAR(folded[a], expected.l[a], 1e-10 * size_l);
            }
        }
        redundant_free(&t);
    }
}

// Two rows with one gradient that ask for different things: the motion goes half way.
TEST(contradicting_rows_meet_half_way_and_are_reported)
{
    for (int i = 0; i < 10; i++) {
        dice d = {200 + (uint64_t)i};
        sample s = sample_chain(5, 4);
        kkt* k = make(&s, KKT_AUGMENTED);
        kkt_values* v = tml__kkt_values(k);
        sample_fill(&s, v, &d);
        const int joint = dice_below(&d, 5);
        const int one = 4 * joint;
        const int two = 4 * joint + 2;
        const int count = 6 * entries_of(&s, one);
        for (int j = 0; j < count; j++) {
            v->row[6 * s.row_start[two] + j] = v->row[6 * s.row_start[one] + j];
        }
        double r[30];
        double c[20];
        double x[30];
        double l[20];
        double out_r[30];
        double out_c[20];
        sample_random(r, 30, 1.0, &d);
        sample_random(c, 20, 1e-2, &d);
        c[two] = c[one] + 0.006;
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, c, x, l) == TML_OK);
        int worst = -1;
        CHECK_NEAR(tml__kkt_row_residual(k, &worst), 0.003, 1e-12);
        CHECK(worst == one || worst == two);
        tml__kkt_apply(k, x, l, out_r, out_c);
        for (int row = 0; row < 20; row++) {
            const double off = row == one ? 0.003 : row == two ? -0.003 : 0.0;
            CHECK_NEAR(out_c[row] - c[row], off, 1e-12);
        }
        // the forces balance, to what rounding left of 0.003 times a stiffness of 1e6
        for (int a = 0; a < 30; a++) CHECK_NEAR(out_r[a], r[a], 1e-10);
        // and the multipliers are those of the motion, without what the two rows push each other
        CHECK(fabs(l[one]) < 100.0 && fabs(l[two]) < 100.0);
        CHECK_NEAR(l[one], l[two], 1e-10);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

// Nothing to move and nothing consistent in c: x = 0 and everything is left over.
TEST(a_pure_contradiction_moves_nothing)
{
    sample s = sample_chain(1, 2);
    dice d = {3};
    kkt* k = make(&s, KKT_AUGMENTED);
    kkt_values* v = tml__kkt_values(k);
    sample_fill(&s, v, &d);
    for (int j = 0; j < 6; j++) v->row[6 + j] = v->row[j];
    const double r[6] = {0};
    const double c[2] = {1e-3, -1e-3};
    double x[6];
    double l[2];
    CHECK(tml__kkt_factor(k, NULL) == TML_OK);
    CHECK(tml__kkt_solve(k, r, c, x, l) == TML_OK);
    CHECK_NEAR(tml__kkt_row_residual(k, NULL), 1e-3, 1e-15);
    for (int j = 0; j < 6; j++) CHECK_NEAR(x[j], 0.0, 1e-15);
    tml__kkt_destroy(k);
    sample_free(&s);
}

static void check_least_norm(double mass_ratio, const double* weights, uint64_t seed)
{
    redundant t = redundant_make(mass_ratio, seed);
    dice d = {seed};
    double lambda[ALL * NODES];
    double mu[ALL * NODES];
    double force[JOINT_ROWS * NODES];
    double expected[JOINT_ROWS * NODES];
    sample_random(lambda, ALL * NODES, 10.0, &d);
    memcpy(mu, lambda, sizeof mu);
    fold_rows(&t, lambda, expected);
    CHECK(tml__kkt_factor(t.augmented, NULL) == TML_OK);
    CHECK(tml__kkt_least_norm(t.augmented, weights, mu) == TML_OK);
    fold_rows(&t, mu, force);
    for (int i = 0; i < JOINT_ROWS * NODES; i++) CHECK_NEAR(force[i], expected[i], 1e-10);
    for (int joint = 0; joint < NODES; joint++) {
        for (int s = 0; s < SPARE; s++) {
            // n = (mix, -1) is force-free
            const int at = ALL * joint;
            double sum = -(weights ? weights[at + JOINT_ROWS + s] : 1.0) * mu[at + JOINT_ROWS + s];
            double size = fabs(sum);
            for (int i = 0; i < JOINT_ROWS; i++) {
                const double term = (weights ? weights[at + i] : 1.0) * mu[at + i];
                sum += t.mix[joint][s][i] * term;
                size += fabs(term);
            }
            CHECK_NEAR(sum, 0.0, 1e-11 * size);
        }
    }
    redundant_free(&t);
}

TEST(least_norm_keeps_the_force_and_has_no_force_free_part)
{
    const double ratios[] = {1.0, 1e5, 1e8};
    for (int i = 0; i < 15; i++) {
        dice d = {400 + (uint64_t)i};
        double weights[ALL * NODES];
        for (int r = 0; r < ALL * NODES; r++) weights[r] = exp(dice_range(&d, -4.0, 4.0));
        check_least_norm(ratios[i % 3], NULL, 500 + (uint64_t)i);
        check_least_norm(ratios[i % 3], weights, 600 + (uint64_t)i);
    }
}

TEST(relaxed_multipliers_push_the_same_and_lose_what_pushes_nothing)
{
    redundant t = redundant_make(1.0, 600);
    dice d = {601};
    double lambda[ALL * NODES];
    double idle[ALL * NODES] = {0.0};
    double force[6 * NODES];
    double none[6 * NODES];
    double before[JOINT_ROWS * NODES];
    double after[JOINT_ROWS * NODES];
    double lost[JOINT_ROWS * NODES];

    sample_random(lambda, ALL * NODES, 10.0, &d);
    for (int joint = 0; joint < NODES; joint++) {
        // n = (mix, -1) pushes nothing
        for (int i = 0; i < JOINT_ROWS; i++) idle[ALL * joint + i] = 1e3 * t.mix[joint][0][i];
        idle[ALL * joint + JOINT_ROWS] = -1e3;
    }
    fold_rows(&t, lambda, before);
    CHECK(tml__kkt_factor(t.augmented, NULL) == TML_OK);
    tml__kkt_relax(t.augmented, lambda, force);
    fold_rows(&t, lambda, after);
    // P = 1e6 K: a millionth of a push of 10 and more, times what this chain makes of it
    for (int i = 0; i < JOINT_ROWS * NODES; i++) CHECK_NEAR(after[i], before[i], 1e-3);

    // the force that comes back is the difference, and not rounded off to nothing
    double all[ALL * NODES] = {0.0};
    double rows[ALL * NODES];
    double zero[6 * NODES] = {0.0};
    for (int i = 0; i < JOINT_ROWS * NODES; i++) lost[i] = before[i] - after[i];
    for (int joint = 0; joint < NODES; joint++) {
        for (int i = 0; i < JOINT_ROWS; i++) all[ALL * joint + i] = lost[JOINT_ROWS * joint + i];
    }
    tml__kkt_apply(t.augmented, zero, all, none, rows);
    CHECK(largest(force, 6 * NODES) > 1e-9);
    for (int i = 0; i < 6 * NODES; i++) CHECK_NEAR(force[i], -none[i], 1e-11);

    tml__kkt_relax(t.augmented, idle, force);
    CHECK(largest(idle, ALL * NODES) < 1e-3);  // of 1e3, a millionth of it at most
    CHECK(largest(force, 6 * NODES) < 1e-8);   // 1e3 in, rounding out
    redundant_free(&t);
}

TEST(least_norm_of_independent_rows_changes_nothing)
{
    dice d = {7};
    sample s = sample_chain(6, 5);
    kkt* k = make(&s, KKT_AUGMENTED);
    sample_fill(&s, tml__kkt_values(k), &d);
    double lambda[30];
    double mu[30];
    sample_random(lambda, 30, 10.0, &d);
    memcpy(mu, lambda, sizeof mu);
    CHECK(tml__kkt_factor(k, NULL) == TML_OK);
    CHECK(tml__kkt_least_norm(k, NULL, mu) == TML_OK);
    for (int i = 0; i < 30; i++) CHECK_NEAR(mu[i], lambda[i], 1e-10);
    tml__kkt_destroy(k);

    kkt* dense = make(&s, KKT_DENSE);
    sample_fill(&s, tml__kkt_values(dense), &d);
    CHECK(tml__kkt_factor(dense, NULL) == TML_OK);
    memcpy(mu, lambda, sizeof mu);
    CHECK(tml__kkt_least_norm(dense, NULL, mu) == TML_OK);
    CHECK(memcmp(mu, lambda, sizeof mu) == 0);
    CHECK(tml__kkt_row_residual(dense, NULL) == 0.0);
    tml__kkt_destroy(dense);
    sample_free(&s);
}

TEST(least_norm_leaves_compliant_and_inactive_rows_alone)
{
    redundant t = redundant_make(1.0, 800);
    kkt_values* v = tml__kkt_values(t.augmented);
    const int soft = ALL * 3 + 2;
    const int off = ALL * 5 + 4;
    v->compliance[soft] = 0.01;
    v->compliance[off] = 1.0;
    for (int j = 6 * t.full.row_start[off]; j < 6 * t.full.row_start[off + 1]; j++) v->row[j] = 0.0;
    dice d = {8};
    double lambda[ALL * NODES];
    double mu[ALL * NODES];
    sample_random(lambda, ALL * NODES, 10.0, &d);
    memcpy(mu, lambda, sizeof mu);
    CHECK(tml__kkt_factor(t.augmented, NULL) == TML_OK);
    CHECK(tml__kkt_least_norm(t.augmented, NULL, mu) == TML_OK);
    CHECK(mu[soft] == lambda[soft]);
    CHECK(mu[off] == lambda[off]);
    // the force of all rows is still the same: look at it through a product with x = 0
    double zero[6 * NODES] = {0};
    double before[6 * NODES];
    double after[6 * NODES];
    double rows[ALL * NODES];
    tml__kkt_apply(t.augmented, zero, lambda, before, rows);
    tml__kkt_apply(t.augmented, zero, mu, after, rows);
    for (int i = 0; i < 6 * NODES; i++) CHECK_NEAR(after[i], before[i], 1e-10);
    redundant_free(&t);
}

TEST(bad_weights_are_refused)
{
    redundant t = redundant_make(1.0, 900);
    double weights[ALL * NODES];
    double mu[ALL * NODES] = {0};
    for (int i = 0; i < ALL * NODES; i++) weights[i] = 1.0;
    weights[5] = 0.0;
    CHECK(tml__kkt_factor(t.augmented, NULL) == TML_OK);
    CHECK(tml__kkt_least_norm(t.augmented, weights, mu) == TML_BAD_ARGUMENT);
    weights[5] = (double)NAN;
    CHECK(tml__kkt_least_norm(t.augmented, weights, mu) == TML_BAD_ARGUMENT);
    redundant_free(&t);
}

TEST(a_solve_after_least_norm_gives_the_same_bits_as_before)
{
    redundant t = redundant_make(1e3, 1000);
    dice d = {9};
    double r[6 * NODES];
    double c[JOINT_ROWS * NODES];
    double c_full[ALL * NODES];
    answer before;
    answer after;
    sample_random(r, 6 * NODES, 1.0, &d);
    sample_random(c, JOINT_ROWS * NODES, 1e-2, &d);
    spread_rows(&t, c, c_full);
    CHECK(tml__kkt_factor(t.augmented, NULL) == TML_OK);
    CHECK(tml__kkt_solve(t.augmented, r, c_full, before.x, before.l) == TML_OK);
    double mu[ALL * NODES];
    memcpy(mu, before.l, sizeof mu);
    CHECK(tml__kkt_least_norm(t.augmented, NULL, mu) == TML_OK);
    CHECK(tml__kkt_solve(t.augmented, r, c_full, after.x, after.l) == TML_OK);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    redundant_free(&t);
}

// Rows at an angle of epsilon: sigma falls like epsilon squared, and the passes are accelerated.
TEST(nearly_dependent_rows_are_solved_as_the_dense_engine_does)
{
    const double angles[] = {1e-1, 1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 4; i++) {
        dice d = {1100 + (uint64_t)i};
        sample s = sample_chain(12, 4);
        kkt* k = make(&s, KKT_AUGMENTED);
        kkt* dense = make(&s, KKT_DENSE);
        kkt_values* v = tml__kkt_values(k);
        sample_fill(&s, v, &d);
        for (int joint = 2; joint < 12; joint += 3) {  // four such pairs in one system
            const int from = 6 * s.row_start[4 * joint];
            const int to = 6 * s.row_start[4 * joint + 1];
            for (int j = 0; j < 12; j++) {
                v->row[to + j] = v->row[from + j] + angles[i] * v->row[to + j];
            }
        }
        kkt_values* w = tml__kkt_values(dense);
        memcpy(w->node, v->node, 36 * 12 * sizeof(double));
        memcpy(w->row, v->row, 6 * (size_t)s.entry_count * sizeof(double));
        double r[72];
        double c[48];
        double x[72];
        double l[48];
        double x_dense[72];
        double l_dense[48];
        sample_random(r, 72, 1.0, &d);
        sample_random(c, 48, 1e-2, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_factor(dense, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, c, x, l) == TML_OK);
        CHECK(tml__kkt_solve(dense, r, c, x_dense, l_dense) == TML_OK);
        const double size = largest(x_dense, 72);
        const double size_l = largest(l_dense, 48);
        // the condition is 1/angle for x and its square for l, 1e3 of the joints besides
        const double tolerance = 1e-13 / angles[i];
        for (int a = 0; a < 72; a++) CHECK_NEAR(x[a], x_dense[a], tolerance * size);
        for (int a = 0; a < 48; a++) {
            CHECK_NEAR(l[a], l_dense[a], tolerance / angles[i] * size_l);
        }
        tml__kkt_destroy(k);
        tml__kkt_destroy(dense);
        sample_free(&s);
    }
}

// At an angle of 1e-7 the small difference is lost to rounding: soft rows, balanced forces.
TEST(rows_that_cannot_be_told_apart_are_soft_and_forces_balance)
{
    for (int i = 0; i < 10; i++) {
        dice d = {1150 + (uint64_t)i};
        sample s = sample_chain(12, 4);
        kkt* k = make(&s, KKT_AUGMENTED);
        kkt_values* v = tml__kkt_values(k);
        sample_fill(&s, v, &d);
        for (int joint = 2; joint < 12; joint += 3) {
            const int from = 6 * s.row_start[4 * joint];
            const int to = 6 * s.row_start[4 * joint + 1];
            for (int j = 0; j < 12; j++) v->row[to + j] = v->row[from + j] + 1e-7 * v->row[to + j];
        }
        double r[72];
        double c[48];
        double x[72];
        double l[48];
        double out_r[72];
        double out_c[48];
        sample_random(r, 72, 1.0, &d);
        sample_random(c, 48, 1e-2, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, c, x, l) == TML_OK);
        tml__kkt_apply(k, x, l, out_r, out_c);
        const double size = largest(l, 48);
        for (int a = 0; a < 72; a++) CHECK_NEAR(out_r[a], r[a], 1e-7 * size);
        for (int a = 0; a < 48; a++) CHECK_NEAR(out_c[a], c[a], 1.5e-2);  // half a contradiction
        CHECK(tml__kkt_row_residual(k, NULL) > 1e-4);
        CHECK(largest(x, 72) < 100.0);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

// A gear ratio of a thousand or a row in millimetres must not change the motion.
TEST(rows_in_other_units_give_the_same_motion)
{
    for (int i = 0; i < 10; i++) {
        dice d = {1200 + (uint64_t)i};
        sample s = sample_chain(10, 5);
        kkt* k = make(&s, KKT_AUGMENTED);
        kkt_values* v = tml__kkt_values(k);
        sample_fill(&s, v, &d);
        double r[60];
        double c[50];
        double x[60];
        double l[50];
        double y[60];
        double m[50];
        sample_random(r, 60, 1.0, &d);
        sample_random(c, 50, 1e-2, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, c, x, l) == TML_OK);
        double unit[50];
        for (int row = 0; row < 50; row++) {
            unit[row] = exp(dice_range(&d, -9.0, 9.0));
            c[row] *= unit[row];
            for (int j = 6 * s.row_start[row]; j < 6 * s.row_start[row + 1]; j++) {
                v->row[j] *= unit[row];
            }
        }
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, c, y, m) == TML_OK);
        const double size = largest(x, 60);
        const double size_l = largest(l, 50);
        for (int a = 0; a < 60; a++) CHECK_NEAR(y[a], x[a], 1e-11 * size);
        for (int a = 0; a < 50; a++) CHECK_NEAR(m[a] * unit[a], l[a], 1e-10 * size_l);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

// A link without mass between two bodies, held by all six directions.
TEST(a_massless_node_that_is_held_is_fine)
{
    dice d = {1300};
    sample s = sample_chain(3, 3);
    s.row_count = 0;
    s.entry_count = 0;
    for (int i = 0; i < 3; i++) sample_row(&s, 0, 1, -1);
    for (int i = 0; i < 3; i++) sample_row(&s, 1, 2, -1);
    kkt* k = make(&s, KKT_AUGMENTED);
    kkt* dense = make(&s, KKT_DENSE);
    kkt_values* v = tml__kkt_values(k);
    sample_fill(&s, v, &d);
    for (int i = 0; i < 36; i++) v->node[36 + i] = 0.0;
    memcpy(tml__kkt_values(dense)->node, v->node, 108 * sizeof(double));
    memcpy(tml__kkt_values(dense)->row, v->row, 72 * sizeof(double));
    double r[18] = {0};
    double c[6];
    double x[18];
    double l[6];
    double x_dense[18];
    double l_dense[6];
    sample_random(r, 18, 1.0, &d);
    sample_random(c, 6, 1e-2, &d);
    CHECK(tml__kkt_factor(k, NULL) == TML_OK);
    CHECK(tml__kkt_factor(dense, NULL) == TML_OK);
    CHECK(tml__kkt_solve(k, r, c, x, l) == TML_OK);
    CHECK(tml__kkt_solve(dense, r, c, x_dense, l_dense) == TML_OK);
    for (int i = 0; i < 18; i++) CHECK_NEAR(x[i], x_dense[i], 1e-11 * largest(x_dense, 18));
    for (int i = 0; i < 6; i++) CHECK_NEAR(l[i], l_dense[i], 1e-11 * largest(l_dense, 6));
    tml__kkt_destroy(k);
    tml__kkt_destroy(dense);
    sample_free(&s);
}

TEST(a_row_without_gradient_and_compliance_is_singular_and_named)
{
    dice d = {1400};
    sample s = sample_chain(3, 3);
    kkt* k = make(&s, KKT_AUGMENTED);
    kkt_values* v = tml__kkt_values(k);
    sample_fill(&s, v, &d);
    for (int j = 6 * s.row_start[4]; j < 6 * s.row_start[5]; j++) v->row[j] = 0.0;
    int bad = -7;
    CHECK(tml__kkt_factor(k, &bad) == TML_SINGULAR);
    CHECK(bad == 4);
    tml__kkt_destroy(k);
    sample_free(&s);
}

// Stiff springs beside light bodies: compliance from nothing to soft in one system.
TEST(compliance_of_any_size_agrees_with_the_dense_engine)
{
    for (int i = 0; i < 10; i++) {
        dice d = {1500 + (uint64_t)i};
        sample s = sample_chain(8, 5);
        sample_spread_masses(&s, 1e4, &d);
        kkt* k = make(&s, KKT_AUGMENTED);
        kkt* dense = make(&s, KKT_DENSE);
        dice same = d;
        sample_fill(&s, tml__kkt_values(k), &d);
        sample_fill(&s, tml__kkt_values(dense), &same);
        for (int row = 0; row < 40; row++) {
            const double E = row % 3 == 0 ? 0.0 : exp(dice_range(&d, -30.0, 3.0));
            tml__kkt_values(k)->compliance[row] = E;
            tml__kkt_values(dense)->compliance[row] = E;
        }
        double r[48];
        double c[40];
        answer got;
        answer expected;
        sample_random(r, 48, 1.0, &d);
        sample_random(c, 40, 1e-2, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_factor(dense, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, c, got.x, got.l) == TML_OK);
        CHECK(tml__kkt_solve(dense, r, c, expected.x, expected.l) == TML_OK);
        const double size = largest(expected.x, 48);
        const double size_l = largest(expected.l, 40);
        for (int a = 0; a < 48; a++) CHECK_NEAR(got.x[a], expected.x[a], 1e-11 * size);
        for (int a = 0; a < 40; a++) CHECK_NEAR(got.l[a], expected.l[a], 1e-10 * size_l);
        tml__kkt_destroy(k);
        tml__kkt_destroy(dense);
        sample_free(&s);
    }
}

// ---- K with a skew part

// The symmetric part of the values, and `share` of its size besides, in nodes and pairs.
static void make_skew(const sample* s, kkt_values* v, double share, dice* d)
{
    for (int a = 0; a < s->node_count; a++) {
        double* k = v->node + 36 * a;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < i; j++) {
                const double mean = 0.5 * (k[6 * i + j] + k[6 * j + i]);
                const double skew = share * sqrt(k[7 * i] * k[7 * j]) * dice_range(d, -1.0, 1.0);
                k[6 * i + j] = mean + skew;
                k[6 * j + i] = mean - skew;
            }
        }
    }
    for (int p = 0; p < s->pair_count; p++) {
        double* k = v->pair + 72 * p;
        const double size = 1e-2 * share * s->mass[s->pair_node[2 * p]];
        for (int i = 0; i < 36; i++) {
            const double skew = size * dice_range(d, -1.0, 1.0);
            const int mirrored = 36 + 6 * (i % 6) + i / 6;
            k[mirrored] = k[i] - skew;
            k[i] += skew;
        }
    }
}

// Two passes in both directions, against elimination with pivoting of the whole matrix.
static double two_pass_error(double share, bool* is_symmetric, uint64_t seed)
{
    dice d = {seed};
    sample s = sample_chain(NODES, JOINT_ROWS);
    for (int a = 1; a < NODES; a++) sample_pair(&s, a - 1, a);
    kkt* quick = make(&s, KKT_AUGMENTED);
    kkt* dense = make(&s, KKT_DENSE);
    kkt_values* v = tml__kkt_values(quick);
    sample_fill(&s, v, &d);
    make_skew(&s, v, share, &d);
    kkt_values* w = tml__kkt_values(dense);
    memcpy(w->node, v->node, 36 * NODES * sizeof(double));
    memcpy(w->pair, v->pair, 72 * (size_t)s.pair_count * sizeof(double));
    memcpy(w->row, v->row, 6 * (size_t)s.entry_count * sizeof(double));

    answer a;
    answer b;
    double r[6 * NODES];
    double c[ALL * NODES];
    double error = 0.0;
    sample_random(r, 6 * NODES, 1.0, &d);
    sample_random(c, (size_t)s.row_count, 1e-2, &d);
    tml__kkt_set_passes(quick, 2);
    CHECK(tml__kkt_factor(quick, NULL) == TML_OK && tml__kkt_factor(dense, NULL) == TML_OK);
    for (int side = 0; side < 2; side++) {
        CHECK((side ? tml__kkt_solve_transposed : tml__kkt_solve)(quick, r, c, a.x, a.l) == TML_OK);
        CHECK((side ? tml__kkt_solve_transposed : tml__kkt_solve)(dense, r, c, b.x, b.l) == TML_OK);
        for (int i = 0; i < 6 * NODES; i++) a.x[i] -= b.x[i];
        error = fmax(error, largest(a.x, 6 * NODES) / largest(b.x, 6 * NODES));
    }
    *is_symmetric = tml__kkt_statistics(quick).is_symmetric;
    tml__kkt_destroy(quick);
    tml__kkt_destroy(dense);
    sample_free(&s);
    return error;
}

TEST(a_small_skew_part_is_left_to_the_passes_and_a_large_one_is_factored)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        bool is_symmetric[4];
        // none: what two passes leave of penalties of 1e6
        const double none = two_pass_error(0.0, &is_symmetric[0], 9000 + seed);
        const double little = two_pass_error(1e-3, &is_symmetric[1], 9000 + seed);
        const double some = two_pass_error(1e-2, &is_symmetric[2], 9000 + seed);
        const double much = two_pass_error(3.0, &is_symmetric[3], 9000 + seed);
        CHECK(is_symmetric[0] && is_symmetric[1] && !is_symmetric[3]);
        CHECK_NEAR(none, 0.0, 1e-9);
        // penalties are measured by the diagonal of K, and here the rest of it is three times as large
        CHECK_NEAR(much, 0.0, 9e-9);
        // a pass leaves a share of the error that grows with the skew part: ten times as much of it
        // is a hundred times as much error after two passes, unless it was factored after all
        CHECK(little > 1e-9 && little < 1e-4);
        CHECK(is_symmetric[2] ? some > 30.0 * little && some < 300.0 * little : some < 1e-9);
    }
}

// Where a pivot is negative there is no root, and the general factor does it.
TEST(a_matrix_that_is_not_positive_definite_is_factored_in_general)
{
    dice d = {9100};
    sample s = sample_chain(NODES, JOINT_ROWS);
    kkt* k = make(&s, KKT_AUGMENTED);
    kkt* dense = make(&s, KKT_DENSE);
    sample_fill(&s, tml__kkt_values(k), &d);
    kkt_values* v = tml__kkt_values(k);
    make_skew(&s, v, 0.0, &d);
    for (int a = 0; a < NODES; a++) {
        for (int i = 0; i < 36; i++) v->node[36 * a + i] *= a % 2 == 0 ? 1.0 : -1.0;
    }
    memcpy(tml__kkt_values(dense)->node, v->node, 36 * NODES * sizeof(double));
    memcpy(tml__kkt_values(dense)->row, v->row, 6 * (size_t)s.entry_count * sizeof(double));
    answer a;
    answer b;
    double r[6 * NODES];
    double c[ALL * NODES] = {0.0};
    sample_random(r, 6 * NODES, 1.0, &d);
    CHECK(tml__kkt_factor(k, NULL) == TML_OK && tml__kkt_factor(dense, NULL) == TML_OK);
    CHECK(!tml__kkt_statistics(k).is_symmetric);
    CHECK(tml__kkt_solve(k, r, c, a.x, a.l) == TML_OK);
    CHECK(tml__kkt_solve(dense, r, c, b.x, b.l) == TML_OK);
    for (int i = 0; i < 6 * NODES; i++) {
        CHECK_NEAR(a.x[i], b.x[i], 1e-10 * largest(b.x, 6 * NODES));
    }
    // what was learned is forgotten where a step begins
    for (int a_node = 0; a_node < NODES; a_node++) {
        for (int i = 0; i < 36; i++) v->node[36 * a_node + i] *= a_node % 2 == 0 ? 1.0 : -1.0;
    }
    CHECK(tml__kkt_factor(k, NULL) == TML_OK && !tml__kkt_statistics(k).is_symmetric);
    tml__kkt_forget(k);
    CHECK(tml__kkt_factor(k, NULL) == TML_OK && tml__kkt_statistics(k).is_symmetric);
    tml__kkt_destroy(k);
    tml__kkt_destroy(dense);
    sample_free(&s);
}
