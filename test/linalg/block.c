// test/linalg/block.c - the block engine against plain dense elimination, and its variants against
// each other.
#include "linalg/block.h"

#include "linalg/block_internal.h"
#include "test/check.h"
#include "test/linalg/sample.h"

// A random graph with widths, and the same matrix written out densely (row-major, node order).
typedef struct matrix {
    int nodes, pairs, n;
    int width[64];
    int first[65];
    int pair[2 * 256];
    double* dense;
} matrix;

typedef enum width_mix {
    ALL_SIX,
    ALL_THREE,
    ALL_TWELVE,
    MIXED,  // 3, 6 and 12
    ANY,    // 1 to 12
    WIDTH_MIXES,
} width_mix;

static int width_of(width_mix mix, dice* d)
{
    const int bodies[] = {3, 6, 12};
    switch (mix) {
    case ALL_SIX: return 6;
    case ALL_THREE: return 3;
    case ALL_TWELVE: return 12;
    case MIXED: return bodies[dice_below(d, 3)];
    case ANY:
    case WIDTH_MIXES: break;
    }
    return 1 + dice_below(d, 12);
}

// Diagonally dominant by nodes, unsymmetric unless `is_symmetric`; repeated pairs included.
static matrix matrix_make(int nodes, int chords, width_mix mix, bool is_symmetric, dice* d)
{
    matrix m = {.nodes = nodes};
    for (int a = 0; a < nodes; a++) {
        m.width[a] = width_of(mix, d);
        m.first[a + 1] = m.first[a] + m.width[a];
    }
    m.n = m.first[nodes];
    for (int a = 1; a < nodes; a++) {
        m.pair[2 * m.pairs] = a;
        m.pair[2 * m.pairs++ + 1] = dice_below(d, a);
    }
    for (int i = 0; i < chords && nodes > 2; i++) {
        const int a = dice_below(d, nodes);
        m.pair[2 * m.pairs] = a;
        m.pair[2 * m.pairs++ + 1] = (a + 1 + dice_below(d, nodes - 1)) % nodes;
    }
    m.dense = sample_take((size_t)m.n * (size_t)m.n, sizeof(double));
    for (int p = -nodes; p < m.pairs; p++) {
        const int a = p < 0 ? p + nodes : m.pair[2 * p];
        const int c = p < 0 ? p + nodes : m.pair[2 * p + 1];
        for (int i = m.first[a]; i < m.first[a + 1]; i++) {
            for (int j = m.first[c]; j < m.first[c + 1]; j++) {
                const double size = i == j ? 0.0 : 1.0;
                m.dense[i * m.n + j] += size * dice_range(d, -1.0, 1.0);
                if (a != c) m.dense[j * m.n + i] += dice_range(d, -1.0, 1.0);
            }
        }
    }
    for (int i = 0; i < m.n; i++) {
        for (int j = 0; is_symmetric && j < i; j++) m.dense[i * m.n + j] = m.dense[j * m.n + i];
    }
    for (int i = 0; i < m.n; i++) {
        double sum = 1.0;
        for (int j = 0; j < m.n; j++) sum += fabs(m.dense[i * m.n + j]);
        m.dense[i * m.n + i] = is_symmetric ? sum : 0.3 * sum;
    }
    return m;
}

static block* block_make(const matrix* m, block_kind kind)
{
    const block_pattern p = {m->nodes, m->width, m->pairs, m->pair, NULL};
    message why = {""};
    block* b = NULL;
    if (tml__block_create(&p, kind, NULL, &why, &b) != TML_OK) {
        printf("cannot create: %s\n", why.text);
        exit(1);
    }
    return b;
}

static void block_fill(block* b, const matrix* m)
{
    tml__block_clear(b);
    for (int a = 0; a < m->nodes; a++) {
        for (int c = 0; c < m->nodes; c++) {
            double* to = tml__block_at(b, a, c);
            if (to == NULL) continue;
            const int stride = tml__block_stride(m->width[a]);
            for (int i = 0; i < m->width[a]; i++) {
                for (int j = 0; j < m->width[c]; j++) {
                    to[stride * j + i] += m->dense[(m->first[a] + i) * m->n + m->first[c] + j];
                }
            }
        }
    }
}

// Gaussian elimination with partial pivoting on a copy: the independent answer.
static void dense_solve(const matrix* m, bool is_transposed, double* x)
{
    const int n = m->n;
    double* a = sample_take((size_t)n * (size_t)n, sizeof(double));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = is_transposed ? m->dense[j * n + i] : m->dense[i * n + j];
        }
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++) p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        for (int j = 0; j < n; j++) {
            const double t = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = t;
        }
        const double t = x[k];
        x[k] = x[p];
        x[p] = t;
        for (int i = k + 1; i < n; i++) {
            const double l = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= l * a[k * n + j];
            x[i] -= l * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    free(a);
}

static void check_solves(int nodes, int chords, width_mix mix, block_kind kind, uint64_t seed)
{
    dice d = {seed};
    matrix m = matrix_make(nodes, chords, mix, kind == BLOCK_CHOLESKY, &d);
    block* b = block_make(&m, kind);
    block_fill(b, &m);
    int bad = 7;
    CHECK(tml__block_factor(b, &bad) == TML_OK);
    CHECK(bad == -1);

    const size_t n = (size_t)m.n;
    double* x = sample_take(n, sizeof(double));
    double* expected = sample_take(n, sizeof(double));
    for (int transposed = 0; transposed < 2; transposed++) {
        sample_random(x, n, 1.0, &d);
        memcpy(expected, x, n * sizeof(double));
        dense_solve(&m, transposed, expected);
        if (transposed)
            tml__block_solve_transposed(b, 1, x);
        else
            tml__block_solve(b, 1, x);
        const double size = largest(expected, n);
        // condition below 1e3 by construction
        for (size_t i = 0; i < n; i++) CHECK_NEAR(x[i], expected[i], 1e-12 * size);
    }
    free(x);
    free(expected);
    free(m.dense);
    tml__block_destroy(b);
}

TEST(lu_solves_agree_with_dense_elimination_for_all_widths)
{
    for (int mix = 0; mix < WIDTH_MIXES; mix++) {
        for (int i = 0; i < 12; i++) {
            const int nodes[] = {1, 2, 3, 7, 20, 30};
            check_solves(nodes[i / 2], i % 2 * 10, (width_mix)mix, BLOCK_LU,
                         1000 + (uint64_t)(100 * mix + i));
        }
    }
}

TEST(cholesky_solves_agree_with_dense_elimination_for_all_widths)
{
    for (int mix = 0; mix < WIDTH_MIXES; mix++) {
        for (int i = 0; i < 12; i++) {
            const int nodes[] = {1, 2, 3, 7, 20, 30};
            check_solves(nodes[i / 2], i % 2 * 10, (width_mix)mix, BLOCK_CHOLESKY,
                         2000 + (uint64_t)(100 * mix + i));
        }
    }
}

// What a symmetric factor does not need must not matter: it is NaN here.
TEST(a_general_matrix_with_symmetric_values_can_be_factored_as_such)
{
    for (int mix = 0; mix < WIDTH_MIXES; mix++) {
        dice d = {2500 + (uint64_t)mix};
        matrix m = matrix_make(20, 10, (width_mix)mix, true, &d);
        const size_t n = (size_t)m.n;
        block* b = block_make(&m, BLOCK_LU);
        block* half = block_make(&m, BLOCK_CHOLESKY);
        double* x = sample_take(n, sizeof(double));
        double* expected = sample_take(n, sizeof(double));
        block_fill(b, &m);
        for (int a = 0; a < m.nodes; a++) {
            for (int c = 0; c < m.nodes; c++) {
                double* unused = tml__block_at(half, a, c) == NULL ? tml__block_at(b, a, c) : NULL;
                if (unused != NULL) unused[0] = (double)NAN;
            }
        }
        CHECK(tml__block_factor_as(b, BLOCK_CHOLESKY, NULL) == TML_OK);
        sample_random(x, n, 1.0, &d);
        memcpy(expected, x, n * sizeof(double));
        dense_solve(&m, false, expected);
        tml__block_solve(b, 1, x);
        // condition below 1e3 by construction
        for (size_t i = 0; i < n; i++) CHECK_NEAR(x[i], expected[i], 1e-12 * largest(expected, n));

        // and in general again
        tml__block_clear_below(b, BLOCK_LU);
        block_fill(b, &m);
        CHECK(tml__block_factor(b, NULL) == TML_OK);
        memcpy(x, expected, n * sizeof(double));
        for (size_t i = 0; i < n; i++) {
            x[i] = 0.0;
            for (size_t j = 0; j < n; j++) x[i] += m.dense[i * n + j] * expected[j];
        }
        tml__block_solve(b, 1, x);
        for (size_t i = 0; i < n; i++) CHECK_NEAR(x[i], expected[i], 1e-12 * largest(expected, n));
        free(x);
        free(expected);
        free(m.dense);
        tml__block_destroy(b);
        tml__block_destroy(half);
    }
}

// Factor and solve with one instruction set; everything that comes out, in `out`.
static bool run_with(const matrix* m, block_kind kind, block_isa isa, const double* rhs,
                     double* out)
{
    block* b = block_make(m, kind);
    const bool is_supported = tml__block_use(b, isa);
    if (is_supported) {
        const size_t n = (size_t)m->n;
        CHECK(tml__block_isa(b) == isa);
        block_fill(b, m);
        CHECK(tml__block_factor(b, NULL) == TML_OK);
        memcpy(out, rhs, 2 * n * sizeof(double));
        tml__block_solve(b, 1, out);
        tml__block_solve_transposed(b, 1, out + n);
        out[2 * n] = tml__block_quality(b).pivot;
        out[2 * n + 1] = tml__block_quality(b).growth;
    }
    tml__block_destroy(b);
    return is_supported;
}

TEST(all_instruction_sets_give_the_same_bits)
{
    const char* names[] = {"plain", "AVX2", "AVX-512"};
    for (int mix = 0; mix < WIDTH_MIXES; mix++) {
        for (int kind = BLOCK_LU; kind <= BLOCK_CHOLESKY; kind++) {
            dice d = {3000 + (uint64_t)mix};
            matrix m = matrix_make(25, 20, (width_mix)mix, kind == BLOCK_CHOLESKY, &d);
            const size_t n = (size_t)m.n;
            double* rhs = sample_take(2 * n, sizeof(double));
            double* plain = sample_take(2 * n + 2, sizeof(double));
            double* other = sample_take(2 * n + 2, sizeof(double));
            sample_random(rhs, 2 * n, 1.0, &d);
            CHECK(run_with(&m, (block_kind)kind, BLOCK_PLAIN, rhs, plain));
            for (int isa = BLOCK_AVX2; isa <= BLOCK_AVX512; isa++) {
                if (!run_with(&m, (block_kind)kind, (block_isa)isa, rhs, other)) {
                    printf("not on this machine: %s\n", names[isa]);
                    continue;
                }
                CHECK(memcmp(plain, other, (2 * n + 2) * sizeof(double)) == 0);
            }
            free(rhs);
            free(plain);
            free(other);
            free(m.dense);
        }
    }
}

// The sum that assembles C^T P C, against three plain loops as well.
TEST(outer_sums_agree_in_all_instruction_sets)
{
    enum {
        ROWS = 5,
        STEP = 16
    };
    dice d = {3500};
    double row[ROWS * STEP] __attribute__((aligned(64))) = {0};
    double weight[ROWS];
    double start[48] __attribute__((aligned(64))) = {0};
    for (int i = 0; i < ROWS * STEP; i++) row[i] = i % 8 < 6 ? dice_range(&d, -1.0, 1.0) : 0.0;
    for (int i = 0; i < ROWS; i++) weight[i] = dice_range(&d, 1.0, 1e6);
    for (int i = 0; i < 48; i++) start[i] = i % 8 < 6 ? dice_range(&d, -1.0, 1.0) : 0.0;

    double plain[48];
    for (int isa = BLOCK_PLAIN; isa <= BLOCK_AVX512; isa++) {
        const block_kernels* kernels = tml__block_kernels((block_isa)isa);
        if (kernels == NULL) continue;
        double sum[48] __attribute__((aligned(64)));
        memcpy(sum, start, sizeof sum);
        kernels->add_outer(&(outer_sum){sum, ROWS, row, row + 8, STEP, weight});
        if (isa == BLOCK_PLAIN) memcpy(plain, sum, sizeof plain);
        CHECK(memcmp(sum, plain, sizeof sum) == 0);
        for (int i = 0; i < 36; i++) {
            double expected = start[8 * (i % 6) + i / 6];
            for (int l = 0; l < ROWS; l++) {
                expected += weight[l] * row[STEP * l + i / 6] * row[STEP * l + 8 + i % 6];
            }
            CHECK_NEAR(sum[8 * (i % 6) + i / 6], expected, 1e-9);  // sums of 1e6
        }
    }
}

TEST(several_right_hand_sides_give_the_bits_of_one_at_a_time)
{
    dice d = {4000};
    matrix m = matrix_make(20, 12, MIXED, false, &d);
    block* b = block_make(&m, BLOCK_LU);
    block_fill(b, &m);
    CHECK(tml__block_factor(b, NULL) == TML_OK);
    enum {
        COUNT = 11
    };
    const size_t n = (size_t)m.n;
    double* one = sample_take(COUNT * n, sizeof(double));
    double* all = sample_take(COUNT * n, sizeof(double));
    for (int transposed = 0; transposed < 2; transposed++) {
        sample_random(one, COUNT * n, 1.0, &d);
        memcpy(all, one, COUNT * n * sizeof(double));
        void (*const solve)(block*, int, double*) =
            transposed ? tml__block_solve_transposed : tml__block_solve;
        for (size_t i = 0; i < COUNT; i++) solve(b, 1, one + i * n);
        solve(b, COUNT, all);
        CHECK(memcmp(one, all, COUNT * n * sizeof(double)) == 0);
    }
    free(one);
    free(all);
    free(m.dense);
    tml__block_destroy(b);
}

TEST(a_second_factorisation_after_clear_gives_the_same_bits)
{
    dice d = {5000};
    matrix m = matrix_make(20, 12, ALL_SIX, false, &d);
    block* b = block_make(&m, BLOCK_LU);
    const size_t n = (size_t)m.n;
    double* first = sample_take(n, sizeof(double));
    double* second = sample_take(n, sizeof(double));
    sample_random(first, n, 1.0, &d);
    memcpy(second, first, n * sizeof(double));
    block_fill(b, &m);
    CHECK(tml__block_factor(b, NULL) == TML_OK);
    tml__block_solve(b, 1, first);
    // a factorisation full of NaN in between leaves nothing behind
    block_fill(b, &m);
    *tml__block_at(b, 3, 3) = (double)NAN;
    CHECK(tml__block_factor(b, NULL) == TML_SINGULAR);
    block_fill(b, &m);
    CHECK(tml__block_factor(b, NULL) == TML_OK);
    tml__block_solve(b, 1, second);
    CHECK(memcmp(first, second, n * sizeof(double)) == 0);
    free(first);
    free(second);
    free(m.dense);
    tml__block_destroy(b);
}

TEST(a_vanishing_pivot_is_singular_and_names_the_node)
{
    for (int mix = 0; mix < WIDTH_MIXES; mix++) {
        for (int kind = BLOCK_LU; kind <= BLOCK_CHOLESKY; kind++) {
            dice d = {6000 + (uint64_t)mix};
            matrix m = matrix_make(8, 3, (width_mix)mix, kind == BLOCK_CHOLESKY, &d);
            // one unknown of node 5 is cut off from everything
            const int lost = m.first[5] + m.width[5] - 1;
            for (int i = 0; i < m.n; i++) {
                m.dense[lost * m.n + i] = 0.0;
                m.dense[i * m.n + lost] = 0.0;
            }
            block* b = block_make(&m, (block_kind)kind);
            block_fill(b, &m);
            int bad = -7;
            CHECK(tml__block_factor(b, &bad) == TML_SINGULAR);
            CHECK(bad == 5);
            free(m.dense);
            tml__block_destroy(b);
        }
    }
}

// Two nodes joined so stiffly that eliminating one leaves nothing of the other.
TEST(a_pivot_that_cancels_to_round_off_is_singular)
{
    const int pair[] = {0, 1};
    const int width[] = {3, 3};
    const block_pattern p = {2, width, 1, pair, NULL};
    for (int kind = BLOCK_LU; kind <= BLOCK_CHOLESKY; kind++) {
        message why = {""};
        block* b = NULL;
        CHECK(tml__block_create(&p, (block_kind)kind, NULL, &why, &b) == TML_OK);
        for (int a = 0; a < 2; a++) {
            for (int c = 0; c < 2; c++) {
                double* to = tml__block_at(b, a, c);
                for (int i = 0; to != NULL && i < 3; i++) to[4 * i + i] = a == c ? 0.1 : -0.1;
            }
        }
        CHECK(tml__block_factor(b, NULL) == TML_SINGULAR);
        tml__block_destroy(b);
    }
}

TEST(a_matrix_that_is_not_positive_definite_has_no_cholesky_factor)
{
    dice d = {7000};
    matrix m = matrix_make(6, 2, ALL_SIX, true, &d);
    m.dense[14 * m.n + 14] = -1.0;
    block* b = block_make(&m, BLOCK_CHOLESKY);
    block_fill(b, &m);
    CHECK(tml__block_factor(b, NULL) == TML_SINGULAR);
    free(m.dense);
    tml__block_destroy(b);
}

// No pivoting between nodes: a tiny diagonal block makes entries grow, and that is noticed.
TEST(growth_beyond_use_is_reported)
{
    const int pair[] = {0, 1};
    const block_pattern p = {2, NULL, 1, pair, NULL};
    message why = {""};
    block* b = NULL;
    CHECK(tml__block_create(&p, BLOCK_LU, NULL, &why, &b) == TML_OK);
    for (int a = 0; a < 2; a++) {
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < 6; i++) tml__block_at(b, a, c)[8 * i + i] = a == c ? 1e-9 : 1.0;
        }
    }
    CHECK(tml__block_factor(b, NULL) == TML_SINGULAR);
    CHECK(tml__block_quality(b).growth > 1e15);
    tml__block_destroy(b);
}

TEST(trees_have_no_fill_and_their_analysis_is_linear)
{
    const int sizes[] = {1, 2, 10, 1000, 200000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (int shape = 0; shape < 3; shape++) {
            dice d = {8000};
            const int n = sizes[s];
            int* pair = sample_take(2 * (size_t)n, sizeof(int));
            for (int a = 1; a < n; a++) {
                pair[2 * a - 2] = a;
                pair[2 * a - 1] = shape == 0 ? a - 1 : shape == 1 ? dice_below(&d, a) : 0;
            }
            elimination e;
            message why = {""};
            const graph g = {n, n - 1, pair, 0, NULL};
            CHECK(tml__elimination_create(&e, &g, NULL, &why) == TML_OK);
            CHECK(e.block_count == n - 1);
            CHECK(e.products == n - 1.0);
            tml__elimination_destroy(&e, NULL);
            free(pair);
        }
    }
}

// Every block the elimination of a random graph produces, found by playing it through.
TEST(the_pattern_is_the_one_of_elimination)
{
    enum {
        N = 30
    };
    for (uint64_t seed = 0; seed < 20; seed++) {
        dice d = {9000 + seed};
        int pair[2 * 3 * N];
        int pairs = 0;
        bool is_linked[N][N] = {{false}};
        bool is_late[N];
        for (int k = 0; k < N; k++) is_late[k] = seed % 2 == 1 && dice_below(&d, 3) == 0;
        for (; pairs < 2 * N; pairs++) {
            const int a = dice_below(&d, N);
            pair[2 * pairs] = a;
            pair[2 * pairs + 1] = (a + 1 + dice_below(&d, N - 1)) % N;
        }
        elimination e;
        message why = {""};
        const graph g = {N, pairs, pair, 0, is_late};
        CHECK(tml__elimination_create(&e, &g, NULL, &why) == TML_OK);
        for (int p = 0; p < pairs; p++) {
            const int i = e.position[pair[2 * p]];
            const int j = e.position[pair[2 * p + 1]];
            is_linked[i][j] = is_linked[j][i] = true;
            // rows come after their bodies
            const bool late_i = is_late[pair[2 * p]];
            const bool late_j = is_late[pair[2 * p + 1]];
            CHECK(late_i == late_j || (i > j) == late_i);
        }
        int blocks = 0;
        for (int k = 0; k < N; k++) {
            for (int i = k + 1; i < N; i++) {
                blocks += is_linked[i][k];
                CHECK((tml__elimination_find(&e, i, k) >= 0) == is_linked[i][k]);
                for (int j = k + 1; j < N; j++) {
                    if (i != j && is_linked[i][k] && is_linked[j][k]) is_linked[i][j] = true;
                }
            }
        }
        CHECK(blocks == e.block_count);
        tml__elimination_destroy(&e, NULL);
    }
}

TEST(statistics_count_blocks_and_fill)
{
    // a ring of five: eliminating it fills two blocks
    const int pair[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 1, 0};
    const block_pattern p = {5, NULL, 6, pair, NULL};
    message why = {""};
    block* b = NULL;
    CHECK(tml__block_create(&p, BLOCK_LU, NULL, &why, &b) == TML_OK);
    const block_statistics s = tml__block_statistics(b);
    CHECK(s.unknowns == 30);
    CHECK(s.blocks == 12);
    CHECK(s.fill == 2);
    CHECK(s.entries == 48 * (5 + 2 * 7));
    CHECK(s.flops > 0.0);
    CHECK(tml__block_at(b, 0, 1) != NULL && tml__block_at(b, 1, 0) != NULL);
    tml__block_destroy(b);
    tml__block_destroy(NULL);

    const block_pattern none = {0, NULL, 0, NULL, NULL};
    CHECK(tml__block_create(&none, BLOCK_CHOLESKY, NULL, &why, &b) == TML_OK);
    CHECK(tml__block_factor(b, NULL) == TML_OK);
    tml__block_solve(b, 1, NULL);
    tml__block_destroy(b);
}

TEST(a_bad_pattern_is_refused_with_a_sentence)
{
    const int wide[] = {6, 13};
    const int thin[] = {6, 0};
    const int same[] = {1, 1};
    const int outside[] = {0, 2};
    const block_pattern bad[] = {{2, wide, 0, NULL, NULL},
                                 {2, thin, 0, NULL, NULL},
                                 {2, NULL, 1, same, NULL},
                                 {2, NULL, 1, outside, NULL},
                                 {-1, NULL, 0, NULL, NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        message why = {""};
        block* b = NULL;
        CHECK(tml__block_create(&bad[i], BLOCK_LU, NULL, &why, &b) == TML_BAD_ARGUMENT);
        CHECK(b == NULL && strlen(why.text) > 10);
    }
}

TEST(every_failing_allocation_is_no_memory_and_leaks_nothing)
{
    dice d = {10000};
    matrix m = matrix_make(10, 5, MIXED, false, &d);
    const block_pattern p = {m.nodes, m.width, m.pairs, m.pair, NULL};
    bool is_done = false;
    for (int fail_at = 0; !is_done && fail_at < 100; fail_at++) {
        counting c = {.fail_at = fail_at};
        const tml_allocator allocator = {counted_allocate, counted_release, &c};
        message why = {""};
        block* b = NULL;
        const tml_status status = tml__block_create(&p, BLOCK_LU, &allocator, &why, &b);
        is_done = c.calls <= fail_at;
        CHECK(status == (is_done ? TML_OK : TML_NO_MEMORY));
        CHECK((b != NULL) == is_done);
        if (is_done) {
            const int before = c.calls;
            block_fill(b, &m);
            CHECK(tml__block_factor(b, NULL) == TML_OK);
            CHECK(c.calls == before);
        }
        tml__block_destroy(b);
        CHECK(c.live == 0);
    }
    CHECK(is_done);
    free(m.dense);
}
