// test/math/small.c - dense factorisations and 6 x 6 kernels, against plain loops and each other.
#include "math/small.h"

#include "math/mat6.h"
#include "test/check.h"
#include "test/math/random.h"

#include <float.h>

enum {
    MAX = 40,
    ROUNDS = 60
};

static void fill(random_source* r, int count, double* a)
{
    for (int i = 0; i < count; i++) a[i] = random_between(r, -1.0, 1.0);
}

// A diagonal of about n keeps the condition number below ten.
static void add_diagonal(int n, double* a, int ld, double value)
{
    for (int i = 0; i < n; i++) a[i * ld + i] += value;
}

// y = a x of an m x n matrix, summed plainly.
static void apply(int m, int n, const double* a, int ld, const double* x, double* y)
{
    for (int i = 0; i < m; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) y[i] += a[i * ld + j] * x[j];
    }
}

static void apply_transposed(int m, int n, const double* a, int ld, const double* x, double* y)
{
    for (int j = 0; j < n; j++) {
        y[j] = 0.0;
        for (int i = 0; i < m; i++) y[j] += a[i * ld + j] * x[i];
    }
}

static double largest_difference(int n, const double* a, const double* b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= largest)) largest = fabs(a[i] - b[i]);
    }
    return largest;
}

TEST(lu_solves_plain_and_transposed)
{
    random_source r = random_start(__LINE__);
    for (int round = 0; round < ROUNDS; round++) {
        const int n = 1 + round % 20;
        const int ld = n + round % 3;
        double a[20 * 22];
        double factor[20 * 22];
        double x[20];
        double b[20];
        int pivot[20];
        fill(&r, n * ld, a);
        fill(&r, n, x);
        add_diagonal(n, a, ld, 2.0 * n);
        memcpy(factor, a, sizeof a);
        CHECK(tml__lu_factor(n, factor, ld, pivot) == TML_OK);

        apply(n, n, a, ld, x, b);
        tml__lu_solve(n, factor, ld, pivot, b);
        CHECK_NEAR(largest_difference(n, b, x), 0.0, 100.0 * DBL_EPSILON);

        apply_transposed(n, n, a, ld, x, b);
        tml__lu_solve_transposed(n, factor, ld, pivot, b);
        CHECK_NEAR(largest_difference(n, b, x), 0.0, 100.0 * DBL_EPSILON);
    }
}

// Without pivoting the first would divide by zero and the second lose every digit.
TEST(lu_pivots)
{
    double a[9] = {0, 1, 0, 1e-20, 1, 1, 1, 1, 2};
    double b[3] = {2, 5 + 1e-20, 9};  // x = (1, 2, 3)
    int pivot[3];
    CHECK(tml__lu_factor(3, a, 3, pivot) == TML_OK);
    tml__lu_solve(3, a, 3, pivot, b);
    CHECK_NEAR(b[0], 1.0, 8.0 * DBL_EPSILON);
    CHECK_NEAR(b[1], 2.0, 8.0 * DBL_EPSILON);
    CHECK_NEAR(b[2], 3.0, 8.0 * DBL_EPSILON);
}

TEST(lu_and_ldlt_report_singular_matrices_and_nan)
{
    int pivot[3];
    double dependent[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1};
    double empty_column[9] = {1, 0, 3, 2, 0, 6, 1, 0, 1};
    double bad[4] = {(double)NAN, 1, 1, 1};
    double infinite[4] = {HUGE_VAL, 1, 1, 1};
    CHECK(tml__lu_factor(3, dependent, 3, pivot) == TML_SINGULAR);
    CHECK(tml__lu_factor(3, empty_column, 3, pivot) == TML_SINGULAR);
    CHECK(tml__lu_factor(2, bad, 2, pivot) == TML_SINGULAR);
    CHECK(tml__lu_factor(2, infinite, 2, pivot) == TML_SINGULAR);

    double rank_one[4] = {1, 0, 2, 4};
    double nan_below[4] = {1, 0, (double)NAN, 4};
    CHECK(tml__ldlt_factor(2, rank_one, 2) == TML_SINGULAR);
    CHECK(tml__ldlt_factor(2, nan_below, 2) == TML_SINGULAR);
    CHECK(tml__lu_factor(0, NULL, 0, NULL) == TML_OK);
    CHECK(tml__ldlt_factor(0, NULL, 0) == TML_OK);
}

TEST(lu_of_a_matrix_with_a_late_nan_is_singular)
{
    double a[9] = {4, 1, 1, 1, 4, (double)NAN, 1, 1, 4};
    int pivot[3];
    CHECK(tml__lu_factor(3, a, 3, pivot) == TML_SINGULAR);
}

// Quasi-definite: positive on the first half, negative on the second, as in a KKT matrix with
// compliance. The upper triangle is not read.
TEST(ldlt_agrees_with_lu_on_definite_and_quasi_definite_matrices)
{
    random_source r = random_start(__LINE__);
    for (int round = 0; round < ROUNDS; round++) {
        const int n = 1 + round % 16;
        const int split = round % 2 == 0 ? n : n / 2;
        double a[16 * 17];
        double lower[16 * 17];
        double b[16];
        double x[16];
        int pivot[16];
        const int ld = n + 1;
        fill(&r, n * ld, a);
        for (int i = 0; i < n; i++) {
            a[i * ld + i] = i < split ? 2.0 * n : -2.0 * n;
            for (int j = 0; j < i; j++) a[i * ld + j] = a[j * ld + i];
        }
        fill(&r, n, b);
        memcpy(x, b, sizeof b);
        memcpy(lower, a, sizeof a);
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) lower[i * ld + j] = (double)NAN;
        }

        CHECK(tml__ldlt_factor(n, lower, ld) == TML_OK);
        tml__ldlt_solve(n, lower, ld, b);
        CHECK(tml__lu_factor(n, a, ld, pivot) == TML_OK);
        tml__lu_solve(n, a, ld, pivot, x);
        CHECK_NEAR(largest_difference(n, b, x), 0.0, 100.0 * DBL_EPSILON);

        int positive = 0;
        for (int i = 0; i < n; i++) positive += lower[i * ld + i] > 0.0;
        CHECK(positive == split);  // the signs of D are those of the eigenvalues
    }
}

// pivoted QR -------------------------------------------------------------------------------------

typedef struct qr_case {
    double original[MAX * MAX];
    double a[MAX * MAX];
    double tau[MAX];
    double scratch[MAX];
    int column[MAX];
    pivoted_qr qr;
} qr_case;

static void start_qr(qr_case* c, int m, int n, int ld)
{
    c->qr = (pivoted_qr){m, n, ld, c->a, c->tau, c->column};
    memcpy(c->a, c->original, sizeof c->a);
    tml__qr_factor(&c->qr, c->scratch);
}

// original = left right, with `rank` columns in the middle.
static void make_of_rank(random_source* r, int m, int n, int ld, int rank, double* a)
{
    double left[MAX * MAX];
    double right[MAX * MAX];
    fill(r, m * rank, left);
    fill(r, rank * n, right);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            a[i * ld + j] = 0.0;
            for (int k = 0; k < rank; k++) a[i * ld + j] += left[i * rank + k] * right[k * n + j];
        }
    }
}

// Q R gives each pivoted column back; Q keeps lengths; the diagonal falls.
TEST(qr_rebuilds_the_matrix_tall_wide_and_square)
{
    random_source r = random_start(__LINE__);
    static qr_case c;
    for (int round = 0; round < ROUNDS; round++) {
        const int m = 1 + (7 * round) % 23;
        const int n = 1 + (5 * round) % 19;
        const int ld = n + round % 2;
        fill(&r, MAX * MAX, c.original);
        start_qr(&c, m, n, ld);

        for (int j = 0; j < n; j++) {
            double column[MAX] = {0};
            double expected[MAX];
            for (int i = 0; i <= j && i < m; i++) column[i] = c.a[i * ld + j];
            tml__qr_apply_q(&c.qr, column);
            for (int i = 0; i < m; i++) expected[i] = c.original[i * ld + c.column[j]];
            CHECK_NEAR(largest_difference(m, column, expected), 0.0, 64.0 * DBL_EPSILON);
        }
        for (int k = 1; k < m && k < n; k++) {
            const double before = fabs(c.a[(k - 1) * ld + k - 1]);
            CHECK(fabs(c.a[k * ld + k]) <= before * (1.0 + 64.0 * DBL_EPSILON));
        }
    }
}

TEST(qr_applies_an_orthogonal_matrix_and_its_transpose)
{
    random_source r = random_start(__LINE__);
    static qr_case c;
    fill(&r, MAX * MAX, c.original);
    start_qr(&c, 17, 9, 9);
    for (int k = 0; k < 17; k++) {
        double e[MAX] = {0};
        double expected[MAX] = {0};
        e[k] = expected[k] = 1.0;
        tml__qr_apply_q(&c.qr, e);
        double length2 = 0.0;
        for (int i = 0; i < 17; i++) length2 += e[i] * e[i];
        CHECK_NEAR(length2, 1.0, 32.0 * DBL_EPSILON);
        tml__qr_apply_qt(&c.qr, e);
        CHECK_NEAR(largest_difference(17, e, expected), 0.0, 32.0 * DBL_EPSILON);
    }
}

TEST(qr_finds_the_rank_and_names_the_dependence)
{
    random_source r = random_start(__LINE__);
    static qr_case c;
    for (int round = 0; round < ROUNDS; round++) {
        const int m = 12 + round % 9;
        const int n = 8 + round % 11;
        const int rank = round % 8;
        make_of_rank(&r, m, n, n, rank, c.original);
        start_qr(&c, m, n, n);
        CHECK(tml__qr_rank(&c.qr, 1e-11) == rank);

        // each later column is the stated combination of the first ones
        for (int k = rank; k < n; k++) {
            double weight[MAX];
            tml__qr_dependence(&c.qr, rank, k, weight);
            for (int i = 0; i < m; i++) {
                double s = 0.0;
                for (int j = 0; j < rank; j++) s += weight[j] * c.original[i * n + c.column[j]];
                CHECK_NEAR(s, c.original[i * n + c.column[k]], 1e-12);  // eps, cond to 1e3
            }
        }
    }
}

// A dependence hidden by eight orders of magnitude is still told from a small but real direction.
TEST(qr_rank_tells_small_from_dependent)
{
    static qr_case c;
    const double rows[16] = {1, 0, 0, 1, 0, 1e-8, 0, 1e-8, 0, 0, 1, 1, 0, 0, 0, 0};
    memcpy(c.original, rows, sizeof rows);
    start_qr(&c, 4, 4, 4);
    CHECK(tml__qr_rank(&c.qr, 1e-12) == 3);
    CHECK(tml__qr_rank(&c.qr, 1e-6) == 2);

    memset(c.original, 0, sizeof c.original);
    start_qr(&c, 5, 3, 3);
    CHECK(tml__qr_rank(&c.qr, 1e-12) == 0);
    start_qr(&c, 0, 3, 3);
    CHECK(tml__qr_rank(&c.qr, 1e-12) == 0);
    CHECK(c.column[0] == 0 && c.column[2] == 2);
}

TEST(qr_solves_square_systems_like_lu)
{
    random_source r = random_start(__LINE__);
    static qr_case c;
    for (int round = 0; round < ROUNDS; round++) {
        const int n = 1 + round % 15;
        double factor[MAX * MAX];
        double b[MAX];
        double x[MAX];
        double y[MAX];
        int pivot[MAX];
        fill(&r, MAX * MAX, c.original);
        add_diagonal(n, c.original, n, 2.0 * n);
        fill(&r, n, b);
        memcpy(y, b, sizeof b);
        memcpy(factor, c.original, sizeof factor);
        start_qr(&c, n, n, n);
        tml__qr_solve(&c.qr, n, b, x);
        CHECK(tml__lu_factor(n, factor, n, pivot) == TML_OK);
        tml__lu_solve(n, factor, n, pivot, y);
        CHECK_NEAR(largest_difference(n, x, y), 0.0, 100.0 * DBL_EPSILON);
    }
}

// The residual of a least-squares solution is perpendicular to every column, full rank or not.
TEST(qr_least_squares_leaves_a_perpendicular_residual)
{
    random_source r = random_start(__LINE__);
    static qr_case c;
    for (int round = 0; round < ROUNDS; round++) {
        const int m = 14;
        const int n = 9;
        const int rank = 4 + round % 6;
        double b[MAX];
        double left[MAX];
        double x[MAX];
        double a_x[MAX];
        double along[MAX];
        const double zero[MAX] = {0};
        make_of_rank(&r, m, n, n, rank, c.original);
        fill(&r, m, b);
        memcpy(left, b, sizeof b);
        start_qr(&c, m, n, n);
        tml__qr_solve(&c.qr, rank, left, x);

        apply(m, n, c.original, n, x, a_x);
        double residual2 = 0.0;
        for (int i = 0; i < m; i++) {
            a_x[i] -= b[i];
            residual2 += a_x[i] * a_x[i];
        }
        apply_transposed(m, n, c.original, n, a_x, along);
        CHECK_NEAR(largest_difference(n, along, zero), 0.0, 1e-12);  // eps, cond up to 1e3

        double unmet2 = 0.0;
        for (int i = rank; i < m; i++) unmet2 += left[i] * left[i];
        CHECK_NEAR(unmet2, residual2, 1e-12);
    }
}

// 6 x 6 ------------------------------------------------------------------------------------------

// out = a b by the definition.
static void plain_product(const double* a, const double* b, double* out)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double s = a[6 * i] * b[j];
            for (int k = 1; k < 6; k++) s += a[6 * i + k] * b[6 * k + j];
            out[6 * i + j] = s;
        }
    }
}

// The kernels promise the order of summation, so the bits must agree.
TEST(m6_products_equal_the_definition_bit_for_bit)
{
    random_source r = random_start(__LINE__);
    for (int round = 0; round < ROUNDS; round++) {
        double a[36];
        double b[36];
        double turned[36];
        double expected[36];
        double actual[36];
        fill(&r, 36, a);
        fill(&r, 36, b);

        plain_product(a, b, expected);
        m6_mul(a, b, actual);
        CHECK(memcmp(actual, expected, sizeof actual) == 0);

        m6_transpose(a, turned);
        plain_product(turned, b, expected);
        m6_mul_at(a, b, actual);
        CHECK(memcmp(actual, expected, sizeof actual) == 0);

        m6_transpose(b, turned);
        plain_product(a, turned, expected);
        m6_mul_bt(a, b, actual);
        CHECK(memcmp(actual, expected, sizeof actual) == 0);

        plain_product(a, b, expected);
        for (int i = 0; i < 36; i++) expected[i] = b[i] - expected[i];
        m6_copy(b, actual);
        m6_mul_sub(a, b, actual);
        CHECK(memcmp(actual, expected, sizeof actual) == 0);
    }
}

TEST(m6_applications_agree_with_products)
{
    random_source r = random_start(__LINE__);
    double a[36];
    double x[6];
    double y[6];
    double expected[6];
    fill(&r, 36, a);
    fill(&r, 6, x);

    apply(6, 6, a, 6, x, expected);
    m6_apply(a, x, y);
    CHECK_NEAR(largest_difference(6, y, expected), 0.0, 8.0 * DBL_EPSILON);
    m6_apply_sub(a, x, y);
    CHECK(y[0] == 0.0 && y[5] == 0.0);

    apply_transposed(6, 6, a, 6, x, expected);
    m6_apply_t(a, x, y);
    CHECK_NEAR(largest_difference(6, y, expected), 0.0, 8.0 * DBL_EPSILON);
    m6_apply_t_sub(a, x, y);
    CHECK(y[0] == 0.0 && y[5] == 0.0);
}

TEST(m6_sums_and_identity)
{
    random_source r = random_start(__LINE__);
    double a[36];
    double b[36];
    double one[36];
    double actual[36];
    fill(&r, 36, a);
    m6_identity(one);
    m6_mul(a, one, actual);
    CHECK_NEAR(largest_difference(36, actual, a), 0.0, 0.0);

    m6_scale(-1.0, a, b);
    m6_add(b, actual);
    m6_zero(one);
    CHECK_NEAR(largest_difference(36, actual, one), 0.0, 0.0);
    m6_sub(b, actual);
    CHECK_NEAR(largest_difference(36, actual, a), 0.0, 0.0);
}
