// test/linalg/kkt.c - every engine solves the same saddle systems.
//
// The oracle is the product tml__kkt_apply (checked itself against a matrix written out by hand)
// and, for the transposed solve, the dot product identity y . M x = M^T y . x.
#include "linalg/kkt.h"

#include "test/check.h"
#include "test/linalg/sample.h"

#include <stdint.h>

typedef struct engine_row {
    const char* name;
    kkt_method method;
} engine_row;

static const engine_row engines[] = {
    {"dense", KKT_DENSE},
#ifdef TRAMMEL_KLU
    {"klu", KKT_KLU},
#endif
    {"augmented", KKT_AUGMENTED},
    {"nodes", KKT_NODES},
    {"two_step", KKT_TWO_STEP},
};

enum {
    ENGINE_COUNT = sizeof engines / sizeof engines[0]
};

static kkt* make(const sample* s, kkt_method method)
{
    message why = {""};
    kkt* k = NULL;
    const kkt_pattern p = sample_pattern(s);
    const tml_status status = tml__kkt_create(&p, method, NULL, &why, &k);
    if (status != TML_OK) {
        printf("cannot create: %s\n", why.text);
        check_failures++;
    }
    return k;
}

// Everything a solve needs, sized for one system.
typedef struct trial {
    size_t n, m;
    double *r, *c, *dx, *dl, *out_r, *out_c;
} trial;

static trial trial_make(const sample* s)
{
    trial t = {.n = 6 * (size_t)s->node_count, .m = (size_t)s->row_count};
    t.r = sample_take(t.n, sizeof(double));
    t.dx = sample_take(t.n, sizeof(double));
    t.out_r = sample_take(t.n, sizeof(double));
    t.c = sample_take(t.m, sizeof(double));
    t.dl = sample_take(t.m, sizeof(double));
    t.out_c = sample_take(t.m, sizeof(double));
    return t;
}

static void trial_free(trial* t)
{
    free(t->r);
    free(t->dx);
    free(t->out_r);
    free(t->c);
    free(t->dl);
    free(t->out_c);
}

// Residual of row block and column block, each against the largest term it is made of.
static double relative_residual(kkt* k, const sample* s, trial* t)
{
    double worst = 0.0;
    const kkt_values* v = tml__kkt_values(k);
    tml__kkt_apply(k, t->dx, t->dl, t->out_r, t->out_c);

    for (int i = 0; i < s->row_count; i++) {
        double scale = fabs(t->c[i]) + fabs(v->compliance[i] * t->dl[i]);
        for (int e = s->row_start[i]; e < s->row_start[i + 1]; e++) {
            for (int j = 0; j < 6; j++)
                scale += fabs(v->row[6 * e + j] * t->dx[6 * s->row_node[e] + j]);
        }
        const double value = fabs(t->out_c[i] - t->c[i]) / (scale + 1e-300);
        if (!(value <= worst)) worst = value;
    }
    // a force is compared with the largest force of its node
    double* scale = sample_take(t->n, sizeof(double));
    for (size_t i = 0; i < t->n; i++) {
        scale[i] = fabs(t->r[i]);
        for (size_t j = 0; j < 6; j++) {
            scale[i] += fabs(v->node[36 * (i / 6) + 6 * (i % 6) + j] * t->dx[i / 6 * 6 + j]);
        }
    }
    for (int i = 0; i < s->row_count; i++) {
        for (int e = s->row_start[i]; e < s->row_start[i + 1]; e++) {
            for (int j = 0; j < 6; j++)
                scale[6 * s->row_node[e] + j] += fabs(v->row[6 * e + j] * t->dl[i]);
        }
    }
    for (size_t i = 0; i < t->n; i++) {
        double node = 0.0;
        for (size_t j = 0; j < 6; j++) node = fmax(node, scale[i / 6 * 6 + j]);
        const double value = fabs(t->out_r[i] - t->r[i]) / (node + 1e-300);
        if (!(value <= worst)) worst = value;
    }
    free(scale);
    return worst;
}

static sample random_sample(int kind, dice* d)
{
    sample s = {0};
    switch (kind) {
    case 0: s = sample_chain(1, 3); break;
    case 1: s = sample_chain(4, 5); break;
    case 2: s = sample_chain(30, 5); break;
    case 3: s = sample_loops(12, 16, 3, d); break;
    case 4: s = sample_loops(40, 60, 3, d); break;
    default:
        s = sample_make(7, 20, 6);
        for (int i = 0; i < 12; i++) sample_row(&s, i % 7, (i + 2) % 7, (i + 3) % 7);
        break;
    }
    return s;
}

enum {
    SAMPLE_KINDS = 6
};

static void add_pairs(sample* s, dice* d)
{
    if (s->node_count < 3) return;
    for (int i = 0; i < 3; i++) {
        const int a = dice_below(d, s->node_count - 1);
        sample_pair(s, a, a + 1);
    }
    sample_pair(s, s->pair_node[1], s->pair_node[0]);  // repeated, the other way round
}

TEST(apply_is_the_matrix_that_the_header_draws)
{
    dice d = {1};
    sample s = sample_make(2, 2, 1);
    sample_row(&s, 0, 1, -1);
    sample_row(&s, 1, -1, -1);
    sample_pair(&s, 1, 0);
    kkt* k = make(&s, KKT_DENSE);
    kkt_values* v = tml__kkt_values(k);
    sample_fill(&s, v, &d);
    v->compliance[1] = 0.25;

    double m[14][14] = {{0}};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            m[i][j] = v->node[6 * i + j];
            m[6 + i][6 + j] = v->node[36 + 6 * i + j];
            m[6 + i][j] = v->pair[6 * i + j];       // K_ab with a = 1, b = 0
            m[i][6 + j] = v->pair[36 + 6 * i + j];  // K_ba
        }
        m[12][i] = v->row[i];
        m[12][6 + i] = v->row[6 + i];
        m[13][6 + i] = v->row[12 + i];
    }
    for (int i = 0; i < 12; i++) {
        m[i][12] = -m[12][i];
        m[i][13] = -m[13][i];
    }
    m[13][13] = 0.25;

    double x[14];
    double y[14];
    sample_random(x, 14, 1.0, &d);
    tml__kkt_apply(k, x, x + 12, y, y + 12);
    for (int i = 0; i < 14; i++) {
        double expected = 0.0;
        for (int j = 0; j < 14; j++) expected += m[i][j] * x[j];
        CHECK_NEAR(y[i], expected, 1e-15);  // a few roundings of numbers below 1
    }
    tml__kkt_destroy(k);
    sample_free(&s);
}

TEST(solves_leave_residuals_at_round_off_for_mass_ratios_up_to_1e8)
{
    const double ratios[] = {1.0, 1e5, 1e8};
    for (int e = 0; e < ENGINE_COUNT; e++) {
        for (int kind = 0; kind < 3 * SAMPLE_KINDS; kind++) {
            dice d = {100 + (uint64_t)kind};
            sample s = random_sample(kind % SAMPLE_KINDS, &d);
            add_pairs(&s, &d);
            sample_spread_masses(&s, ratios[kind / SAMPLE_KINDS], &d);
            kkt* k = make(&s, engines[e].method);
            sample_fill(&s, tml__kkt_values(k), &d);
            trial t = trial_make(&s);
            sample_random(t.r, t.n, 1.0, &d);
            sample_random(t.c, t.m, 1e-2, &d);

            int bad = 7;
            CHECK(tml__kkt_factor(k, &bad) == TML_OK);
            CHECK(bad == -1);
            CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
            CHECK_NEAR(relative_residual(k, &s, &t), 0.0, 1e-13);  // the promise of the engines

            trial_free(&t);
            tml__kkt_destroy(k);
            sample_free(&s);
        }
    }
}

// y . M x = (M^T y) . x, so a transposed solve is checked with products of M alone:
// z = M^-T b satisfies z . (M x) = b . x for every x.
TEST(transposed_solves_belong_to_the_transposed_matrix)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
            dice d = {200 + (uint64_t)kind};
            sample s = random_sample(kind, &d);
            add_pairs(&s, &d);
            kkt* k = make(&s, engines[e].method);
            sample_fill(&s, tml__kkt_values(k), &d);
            for (int i = 0; i < s.row_count; i += 3) tml__kkt_values(k)->compliance[i] = 0.1;
            trial t = trial_make(&s);
            sample_random(t.r, t.n, 1.0, &d);
            sample_random(t.c, t.m, 1.0, &d);
            CHECK(tml__kkt_factor(k, NULL) == TML_OK);
            CHECK(tml__kkt_solve_transposed(k, t.r, t.c, t.dx, t.dl) == TML_OK);

            double* x = sample_take(t.n + t.m, sizeof(double));
            for (size_t j = 0; j < t.n + t.m; j++) {
                memset(x, 0, (t.n + t.m) * sizeof(double));
                x[j] = 1.0;
                tml__kkt_apply(k, x, x + t.n, t.out_r, t.out_c);
                double left = 0.0;
                double size = 0.0;
                for (size_t i = 0; i < t.n; i++) left += t.dx[i] * t.out_r[i];
                for (size_t i = 0; i < t.m; i++) left += t.dl[i] * t.out_c[i];
                for (size_t i = 0; i < t.n; i++) size += fabs(t.dx[i] * t.out_r[i]);
                for (size_t i = 0; i < t.m; i++) size += fabs(t.dl[i] * t.out_c[i]);
                const double right = j < t.n ? t.r[j] : t.c[j - t.n];
                CHECK_NEAR(left, right, 1e-13 * (1.0 + size));
            }
            free(x);
            trial_free(&t);
            tml__kkt_destroy(k);
            sample_free(&s);
        }
    }
}

TEST(engines_agree_with_the_dense_one)
{
    for (int e = 1; e < ENGINE_COUNT; e++) {
        for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
            dice d = {300 + (uint64_t)kind};
            sample s = random_sample(kind, &d);
            add_pairs(&s, &d);
            kkt* dense = make(&s, KKT_DENSE);
            kkt* other = make(&s, engines[e].method);
            dice same = d;
            sample_fill(&s, tml__kkt_values(dense), &d);
            sample_fill(&s, tml__kkt_values(other), &same);
            trial t = trial_make(&s);
            sample_random(t.r, t.n, 1.0, &d);
            sample_random(t.c, t.m, 1e-2, &d);
            CHECK(tml__kkt_factor(dense, NULL) == TML_OK);
            CHECK(tml__kkt_factor(other, NULL) == TML_OK);
            CHECK(tml__kkt_solve(dense, t.r, t.c, t.dx, t.dl) == TML_OK);
            CHECK(tml__kkt_solve(other, t.r, t.c, t.out_r, t.out_c) == TML_OK);
            const double size_x = largest(t.dx, t.n);
            const double size_l = largest(t.dl, t.m);
            // random rows: condition about 1e4
            for (size_t i = 0; i < t.n; i++) CHECK_NEAR(t.out_r[i], t.dx[i], 1e-11 * size_x);
            for (size_t i = 0; i < t.m; i++) CHECK_NEAR(t.out_c[i], t.dl[i], 1e-11 * size_l);
            trial_free(&t);
            tml__kkt_destroy(dense);
            tml__kkt_destroy(other);
            sample_free(&s);
        }
    }
}

// Newton rewrites the values many times: pivots may be reused, results may not depend on it.
TEST(repeated_factorisations_of_changing_values_stay_accurate)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        dice d = {42};
        sample s = random_sample(3, &d);
        kkt* k = make(&s, engines[e].method);
        trial t = trial_make(&s);
        for (int i = 0; i < 20; i++) {
            sample_spread_masses(&s, i % 4 == 3 ? 1e8 : 10.0, &d);
            sample_fill(&s, tml__kkt_values(k), &d);
            sample_random(t.r, t.n, 1.0, &d);
            sample_random(t.c, t.m, 1e-2, &d);
            CHECK(tml__kkt_factor(k, NULL) == TML_OK);
            CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
            CHECK_NEAR(relative_residual(k, &s, &t), 0.0, 1e-13);
        }
        trial_free(&t);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

TEST(a_solve_does_not_look_at_values_written_after_factor)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        dice d = {5};
        sample s = random_sample(1, &d);
        kkt* k = make(&s, engines[e].method);
        sample_fill(&s, tml__kkt_values(k), &d);
        trial t = trial_make(&s);
        sample_random(t.r, t.n, 1.0, &d);
        sample_random(t.c, t.m, 1e-2, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
        tml__kkt_clear(k);
        CHECK(largest(tml__kkt_values(k)->node, 36 * (size_t)s.node_count) == 0.0);
        CHECK(largest(tml__kkt_values(k)->row, 6 * (size_t)s.entry_count) == 0.0);
        CHECK(tml__kkt_solve(k, t.r, t.c, t.out_r, t.out_c) == TML_OK);
        for (size_t i = 0; i < t.n; i++) CHECK(t.out_r[i] == t.dx[i]);
        for (size_t i = 0; i < t.m; i++) CHECK(t.out_c[i] == t.dl[i]);
        // in place
        CHECK(tml__kkt_solve(k, t.r, t.c, t.r, t.c) == TML_OK);
        for (size_t i = 0; i < t.n; i++) CHECK(t.r[i] == t.dx[i]);
        for (size_t i = 0; i < t.m; i++) CHECK(t.c[i] == t.dl[i]);
        trial_free(&t);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

// Copies row `from` to row `to`, times a factor: both touch the same nodes.
static void repeat_row(const sample* s, kkt_values* v, int from, int to, double factor)
{
    const int count = 6 * (s->row_start[from + 1] - s->row_start[from]);
    for (int i = 0; i < count; i++) {
        v->row[6 * s->row_start[to] + i] = factor * v->row[6 * s->row_start[from] + i];
    }
}

TEST(redundant_rows_are_reported_singular_and_named)
{
    const double ratios[] = {1.0, 1e5, 1e8};
    const engine_row strict[] = {{"dense", KKT_DENSE},
#ifdef TRAMMEL_KLU
                                 {"klu", KKT_KLU}
#endif
    };
    for (size_t e = 0; e < sizeof strict / sizeof strict[0]; e++) {
        for (int i = 0; i < 60; i++) {
            dice d = {400 + (uint64_t)i};
            sample s = random_sample(1 + i % 2, &d);
            sample_spread_masses(&s, ratios[i % 3], &d);
            kkt* k = make(&s, strict[e].method);
            sample_fill(&s, tml__kkt_values(k), &d);
            const int joint = dice_below(&d, s.node_count);
            repeat_row(&s, tml__kkt_values(k), 5 * joint + 1, 5 * joint + 3,
                       dice_range(&d, 0.1, 3.0));
            int bad = -7;
            CHECK(tml__kkt_factor(k, &bad) == TML_SINGULAR);
            // the last one of the set, or nothing certain
            if (strict[e].method == KKT_DENSE)
                CHECK(bad == 5 * joint + 3);
            else
                CHECK(bad == -1 || bad == 5 * joint + 1 || bad == 5 * joint + 3);
            double x = 0.0;
            CHECK(tml__kkt_solve(k, &x, &x, &x, &x) == TML_BAD_ARGUMENT);
            tml__kkt_destroy(k);
            sample_free(&s);
        }
    }
}

// A loop whose rows depend on each other through all of its nodes, not pairwise.
TEST(a_combination_of_many_rows_is_reported_singular)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        if (engines[e].method == KKT_AUGMENTED) continue;
        for (int i = 0; i < 20; i++) {
            dice d = {450 + (uint64_t)i};
            const int nodes = 20;
            sample s = sample_make(nodes, 3 * nodes, 1);
            for (int a = 0; a < nodes; a++) sample_joint(&s, a, (a + 1) % nodes, 3);
            kkt* k = make(&s, engines[e].method);
            kkt_values* v = tml__kkt_values(k);
            sample_fill(&s, v, &d);
            // row 0 of each joint: g . (x_a - x_b) with one g: they add up to zero around the loop
            double g[6];
            sample_random(g, 6, 1.0, &d);
            for (int a = 0; a < nodes; a++) {
                for (int j = 0; j < 6; j++) {
                    v->row[6 * s.row_start[3 * a] + j] = g[j];
                    v->row[6 * s.row_start[3 * a] + 6 + j] = -g[j];
                }
            }
            int bad = -7;
            CHECK(tml__kkt_factor(k, &bad) == TML_SINGULAR);
            CHECK(bad == -1 || bad % 3 == 0);
            tml__kkt_destroy(k);
            sample_free(&s);
        }
    }
}

TEST(a_node_without_inertia_and_rows_is_singular_without_a_row)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        dice d = {6};
        sample s = sample_chain(3, 3);
        kkt* k = make(&s, engines[e].method);
        sample_fill(&s, tml__kkt_values(k), &d);
        for (int i = 0; i < 36; i++) tml__kkt_values(k)->node[72 + i] = 0.0;
        int bad = 7;
        CHECK(tml__kkt_factor(k, &bad) == TML_SINGULAR);
        CHECK(bad == -1);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

TEST(values_that_are_not_numbers_are_singular_and_name_their_row)
{
    const double poison[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int e = 0; e < ENGINE_COUNT; e++) {
        for (int i = 0; i < 4 * 3; i++) {
            dice d = {7};
            sample s = sample_chain(3, 3);
            sample_pair(&s, 0, 2);
            kkt* k = make(&s, engines[e].method);
            kkt_values* v = tml__kkt_values(k);
            sample_fill(&s, v, &d);
            double* places[] = {v->node + 40, v->pair + 50, v->row + 6 * s.row_start[5] + 3,
                                v->compliance + 5};
            *places[i / 3] = poison[i % 3];
            int bad = 7;
            CHECK(tml__kkt_factor(k, &bad) == TML_SINGULAR);
            CHECK(bad == (i / 3 < 2 ? -1 : 5));
            tml__kkt_destroy(k);
            sample_free(&s);
        }
    }
}

TEST(inactive_rows_change_nothing_and_return_their_right_hand_side)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        dice d = {8};
        sample s = sample_chain(12, 5);
        kkt* k = make(&s, engines[e].method);
        kkt_values* v = tml__kkt_values(k);
        sample_fill(&s, v, &d);
        for (int i = 0; i < s.row_count; i += 2) {
            for (int j = 6 * s.row_start[i]; j < 6 * s.row_start[i + 1]; j++) v->row[j] = 0.0;
            v->compliance[i] = 1.0;
        }
        trial t = trial_make(&s);
        sample_random(t.r, t.n, 1.0, &d);
        sample_random(t.c, t.m, 1e-2, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
        CHECK_NEAR(relative_residual(k, &s, &t), 0.0, 1e-13);
        for (int i = 0; i < s.row_count; i += 2) CHECK_NEAR(t.dl[i], t.c[i], 1e-17);
        trial_free(&t);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

// A row with compliance is a spring of stiffness 1/E: the same dx as K + g g^T / E.
TEST(a_compliant_row_is_a_spring)
{
    const double compliances[] = {1e-6, 1e-2, 1.0, 1e4};
    for (int i = 0; i < 4 * ENGINE_COUNT; i++) {
        dice d = {9};
        const double E = compliances[i % 4];
        sample with = sample_chain(1, 1);
        sample without = sample_chain(1, 0);
        kkt* k = make(&with, engines[i / 4].method);
        kkt* spring = make(&without, KKT_DENSE);
        kkt_values* v = tml__kkt_values(k);
        kkt_values* w = tml__kkt_values(spring);
        sample_fill(&with, v, &d);
        v->compliance[0] = E;
        double r[6];
        double c = 0.3;
        double dx[6];
        double dl = 0.0;
        double expected[6];
        sample_random(r, 6, 1.0, &d);
        // dl = (c - g dx)/E, so (K + g g^T/E) dx = r + g c/E
        double rhs[6];
        for (int a = 0; a < 6; a++) {
            rhs[a] = r[a] + v->row[a] * c / E;
            for (int b = 0; b < 6; b++) {
                w->node[6 * a + b] = v->node[6 * a + b] + v->row[a] * v->row[b] / E;
            }
        }
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_factor(spring, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, r, &c, dx, &dl) == TML_OK);
        CHECK(tml__kkt_solve(spring, rhs, &c, expected, &dl) == TML_OK);
        // the oracle itself loses digits in proportion to its stiffness
        for (int a = 0; a < 6; a++) CHECK_NEAR(dx[a], expected[a], 1e-13 * (100.0 + 1.0 / E));
        tml__kkt_destroy(k);
        tml__kkt_destroy(spring);
        sample_free(&with);
        sample_free(&without);
    }
}

TEST(no_rows_no_nodes_and_nothing_at_all_are_fine)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        dice d = {10};
        // free bodies only
        sample loose = sample_make(3, 0, 0);
        kkt* k = make(&loose, engines[e].method);
        sample_fill(&loose, tml__kkt_values(k), &d);
        trial t = trial_make(&loose);
        sample_random(t.r, t.n, 1.0, &d);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
        CHECK_NEAR(relative_residual(k, &loose, &t), 0.0, 1e-15);
        trial_free(&t);
        tml__kkt_destroy(k);
        sample_free(&loose);

        // rows on nothing: only their compliance is left
        sample rows = sample_make(0, 2, 0);
        sample_row(&rows, -1, -1, -1);
        sample_row(&rows, -1, -1, -1);
        k = make(&rows, engines[e].method);
        tml__kkt_values(k)->compliance[0] = 2.0;
        tml__kkt_values(k)->compliance[1] = 4.0;
        double nothing = 0.0;
        double c[2] = {1.0, 1.0};
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, &nothing, c, &nothing, c) == TML_OK);
        CHECK(c[0] == 0.5 && c[1] == 0.25);
        tml__kkt_destroy(k);
        sample_free(&rows);

        const kkt_pattern empty = {0};
        message why = {""};
        CHECK(tml__kkt_create(&empty, engines[e].method, NULL, &why, &k) == TML_OK);
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, &nothing, &nothing, &nothing, &nothing) == TML_OK);
        CHECK(tml__kkt_statistics(k).unknowns == 0);
        tml__kkt_destroy(k);
    }
    tml__kkt_destroy(NULL);
}

TEST(a_bad_pattern_is_refused_with_a_sentence)
{
    const int start[] = {0, 2};
    const int twice[] = {1, 1};
    const int outside[] = {0, 2};
    const int same[] = {1, 1};
    const kkt_pattern bad[] = {
        {.node_count = 2, .row_count = 1, .row_start = start, .row_node = twice},
        {.node_count = 2, .row_count = 1, .row_start = start, .row_node = outside},
        {.node_count = 2, .pair_count = 1, .pair_node = same},
        {.node_count = 2, .pair_count = 1, .pair_node = outside},
        {.node_count = -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        message why = {""};
        kkt* k = NULL;
        CHECK(tml__kkt_create(&bad[i], KKT_DENSE, NULL, &why, &k) == TML_BAD_ARGUMENT);
        CHECK(k == NULL);
        CHECK(strlen(why.text) > 10);
    }
}

#ifndef TRAMMEL_KLU
TEST(a_build_without_klu_says_so)
{
    message why = {""};
    kkt* k = NULL;
    const kkt_pattern empty = {0};
    CHECK(tml__kkt_create(&empty, KKT_KLU, NULL, &why, &k) == TML_UNSUPPORTED);
    CHECK_CONTAINS(why.text, "KLU");
}
#endif

TEST(every_failing_allocation_is_no_memory_and_leaks_nothing)
{
    dice d = {11};
    sample s = sample_loops(8, 10, 3, &d);
    add_pairs(&s, &d);
    const kkt_pattern p = sample_pattern(&s);
    for (int e = 0; e < ENGINE_COUNT; e++) {
        bool is_done = false;
        int fail_at = 0;
        for (; !is_done && fail_at < 200; fail_at++) {
            counting c = {.fail_at = fail_at};
            const tml_allocator allocator = {counted_allocate, counted_release, &c};
            message why = {""};
            kkt* k = NULL;
            const tml_status status = tml__kkt_create(&p, engines[e].method, &allocator, &why, &k);
            is_done = c.calls <= fail_at;
            CHECK(status == (is_done ? TML_OK : TML_NO_MEMORY));
            CHECK((k != NULL) == is_done);
            CHECK(is_done || strlen(why.text) > 0);
            tml__kkt_destroy(k);
            CHECK(c.live == 0);
        }
        CHECK(is_done);
        CHECK(fail_at > 10);
    }
    sample_free(&s);
}

TEST(factor_and_solve_take_no_memory)
{
    for (int e = 0; e < ENGINE_COUNT; e++) {
        if (engines[e].method == KKT_KLU) continue;  // KLU takes its own
        dice d = {12};
        sample s = sample_loops(8, 10, 3, &d);
        const kkt_pattern p = sample_pattern(&s);
        counting c = {.fail_at = -1};
        const tml_allocator allocator = {counted_allocate, counted_release, &c};
        message why = {""};
        kkt* k = NULL;
        CHECK(tml__kkt_create(&p, engines[e].method, &allocator, &why, &k) == TML_OK);
        sample_fill(&s, tml__kkt_values(k), &d);
        trial t = trial_make(&s);
        const int before = c.calls;
        CHECK(tml__kkt_factor(k, NULL) == TML_OK);
        CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
        CHECK(tml__kkt_solve_transposed(k, t.r, t.c, t.dx, t.dl) == TML_OK);
        CHECK(c.calls == before);
        trial_free(&t);
        tml__kkt_destroy(k);
        CHECK(c.live == 0);
        sample_free(&s);
    }
}

TEST(auto_is_dense_for_small_systems_and_augmented_for_large_ones)
{
    const int nodes[] = {3, 30};
    const kkt_method expected[] = {KKT_DENSE, KKT_AUGMENTED};
    for (int i = 0; i < 2; i++) {
        sample s = sample_chain(nodes[i], 5);
        kkt* k = make(&s, KKT_AUTO);
        CHECK(tml__kkt_method(k) == expected[i]);
        CHECK(tml__kkt_statistics(k).unknowns == 11 * nodes[i]);
        tml__kkt_destroy(k);
        sample_free(&s);
    }
}

// Two passes leave what a Newton iteration corrects itself; all of them leave rounding.
TEST(fewer_passes_leave_more)
{
    dice d = {13};
    sample s = random_sample(4, &d);
    kkt* k = make(&s, KKT_AUGMENTED);
    sample_fill(&s, tml__kkt_values(k), &d);
    trial t = trial_make(&s);
    sample_random(t.r, t.n, 1.0, &d);
    sample_random(t.c, t.m, 1e-2, &d);
    CHECK(tml__kkt_factor(k, NULL) == TML_OK);
    tml__kkt_set_passes(k, 1);
    CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
    CHECK(tml__kkt_statistics(k).passes == 1);
    const double one = relative_residual(k, &s, &t);
    tml__kkt_set_passes(k, 2);
    CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
    const double two = relative_residual(k, &s, &t);
    tml__kkt_set_passes(k, 30);
    CHECK(tml__kkt_solve(k, t.r, t.c, t.dx, t.dl) == TML_OK);
    CHECK_NEAR(relative_residual(k, &s, &t), 0.0, 1e-13);
    CHECK(one > 1e-9 && one < 1e-2);
    CHECK(two > 1e-15 && two < 1e-3 * one);
    trial_free(&t);
    tml__kkt_destroy(k);
    sample_free(&s);
}
