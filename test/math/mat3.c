// test/math/mat3.c - 3 x 3 matrices: their laws, and eigenvectors of symmetric ones.
#include "math/mat3.h"

#include "test/check.h"
#include "test/math/random.h"

#include <float.h>

enum {
    ROUNDS = 200
};

// entries of size one, sums of a few products
static const double FEW_ROUNDINGS = 16.0 * DBL_EPSILON;

static vec3 any_vector(random_source* r)
{
    const double x = random_between(r, -1.0, 1.0);
    const double y = random_between(r, -1.0, 1.0);
    return v3(x, y, random_between(r, -1.0, 1.0));
}

static mat3 any_matrix(random_source* r)
{
    const vec3 a = any_vector(r);
    const vec3 b = any_vector(r);
    return m3_columns(a, b, any_vector(r));
}

// Largest |entry| of a - b.
static double distance(mat3 a, mat3 b)
{
    const mat3 d = m3_sub(a, b);
    const double upper = fmax(v3_max(m3_row(d, 0)), v3_max(m3_row(d, 1)));
    return isnan(m3_determinant(d)) ? (double)NAN : fmax(upper, v3_max(m3_row(d, 2)));
}

TEST(products_obey_their_laws)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const mat3 a = any_matrix(&r);
        const mat3 b = any_matrix(&r);
        const vec3 x = any_vector(&r);
        const vec3 y = any_vector(&r);

        // (a b) x = a (b x);  y . a x = a^T y . x;  a b^T is the product with the transpose
        const vec3 twice = v3_sub(m3_apply(m3_mul(a, b), x), m3_apply(a, m3_apply(b, x)));
        CHECK_NEAR(v3_max(twice), 0.0, FEW_ROUNDINGS);
        CHECK_NEAR(v3_dot(y, m3_apply(a, x)), v3_dot(m3_apply_t(a, y), x), FEW_ROUNDINGS);
        CHECK_NEAR(distance(m3_transpose(m3_mul_bt(a, b)), m3_mul_bt(b, a)), 0.0, FEW_ROUNDINGS);
        const mat3 s = m3_add(b, m3_transpose(b));
        CHECK_NEAR(distance(m3_congruence(a, s), m3_mul_bt(m3_mul(a, s), a)), 0.0,
                   8.0 * FEW_ROUNDINGS);  // two products in a row
        CHECK_NEAR(m3_determinant(m3_mul(a, b)), m3_determinant(a) * m3_determinant(b),
                   4.0 * FEW_ROUNDINGS);
    }
}

TEST(rows_and_columns_are_where_they_should_be)
{
    const mat3 a = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
    CHECK(m3_row(a, 1).x == 4.0 && m3_row(a, 1).z == 6.0);
    CHECK(m3_column(a, 2).x == 3.0 && m3_column(a, 2).z == 9.0);
    CHECK(m3_transpose(a).m[0][2] == 7.0 && m3_transpose(a).m[2][0] == 3.0);
    CHECK(distance(m3_columns(m3_column(a, 0), m3_column(a, 1), m3_column(a, 2)), a) == 0.0);
}

TEST(skew_outer_and_skew_skew_are_cross_products)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const vec3 a = any_vector(&r);
        const vec3 b = any_vector(&r);
        const vec3 x = any_vector(&r);
        const vec3 twice = v3_cross(a, v3_cross(b, x));
        const vec3 outer = v3_scale(v3_dot(b, x), a);

        CHECK_NEAR(v3_max(v3_sub(m3_apply(m3_skew(a), x), v3_cross(a, x))), 0.0, FEW_ROUNDINGS);
        CHECK_NEAR(v3_max(v3_sub(m3_apply(m3_skew_skew(a, b), x), twice)), 0.0, FEW_ROUNDINGS);
        CHECK_NEAR(v3_max(v3_sub(m3_apply(m3_outer(a, b), x), outer)), 0.0, FEW_ROUNDINGS);
    }
}

TEST(inverse_undoes_the_matrix)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const mat3 a = m3_add(any_matrix(&r), m3_diagonal(4.0, 4.0, 4.0));  // condition below 10
        CHECK_NEAR(distance(m3_mul(a, m3_inverse(a)), m3_identity()), 0.0, 10.0 * FEW_ROUNDINGS);
        CHECK_NEAR(distance(m3_mul(m3_inverse(a), a), m3_identity()), 0.0, 10.0 * FEW_ROUNDINGS);
    }
}

// All that eigenvectors promise: a V = V D, V^T V = I, det V = 1, ascending.
static void check_eigen(mat3 a, double scale)
{
    vec3 d;
    mat3 v;
    tml__m3_eigen(a, &d, &v);

    const mat3 d_matrix = m3_diagonal(d.x, d.y, d.z);
    CHECK_NEAR(distance(m3_mul(a, v), m3_mul(v, d_matrix)), 0.0, FEW_ROUNDINGS * scale);
    CHECK_NEAR(distance(m3_mul(m3_transpose(v), v), m3_identity()), 0.0, FEW_ROUNDINGS);
    CHECK_NEAR(m3_determinant(v), 1.0, FEW_ROUNDINGS);
    CHECK(d.x <= d.y && d.y <= d.z);
}

TEST(eigen_of_random_symmetric_matrices_of_any_scale)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 10 * ROUNDS; i++) {
        const double scale = ldexp(1.0, i % 200 - 100);
        const mat3 a = any_matrix(&r);
        check_eigen(m3_scale(scale, m3_add(a, m3_transpose(a))), 4.0 * scale);
    }
}

// Built from a known answer: V D V^T with D repeated, nearly repeated, or of very different sizes.
TEST(eigen_finds_repeated_and_spread_eigenvalues)
{
    const vec3 cases[] = {{1.0, 1.0, 1.0},
                          {1.0, 1.0, 2.0},
                          {-1.0, 2.0, 2.0},
                          {0.0, 0.0, 3.0},
                          {1.0, 1.0 + 1e-15, 1.0 + 1e-14},
                          {-1.0, 0.0, 1.0},
                          {1e-12, 1e-6, 1.0}};
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 7 * 50; i++) {
        const vec3 d = cases[i % 7];
        const mat3 b = any_matrix(&r);
        vec3 unused;
        mat3 v;
        tml__m3_eigen(m3_add(b, m3_transpose(b)), &unused, &v);

        const mat3 product = m3_mul_bt(m3_mul(v, m3_diagonal(d.x, d.y, d.z)), v);
        const mat3 a = m3_scale(0.5, m3_add(product, m3_transpose(product)));
        vec3 found;
        tml__m3_eigen(a, &found, &v);
        CHECK_NEAR(v3_max(v3_sub(found, d)), 0.0, FEW_ROUNDINGS * 4.0);
        check_eigen(a, 4.0);
    }
}

// Off-diagonal rounding between equal eigenvalues went round for twenty sweeps, which left the
// vectors sixty rotations away from orthonormal.
TEST(eigen_of_equal_moments_stays_orthonormal)
{
    const double tiny[] = {0x1p-53, 0x1p-54, -0x1p-54, 0x1p-55};
    for (int i = 0; i < 64; i++) {
        const double xy = tiny[i % 4];
        const double xz = tiny[i / 4 % 4];
        const double yz = tiny[i / 16];
        const mat3 a = {{{1.0, xy, xz}, {xy, 1.0, yz}, {xz, yz, 1.0}}};
        check_eigen(a, 1.0);
    }
}

TEST(eigen_of_diagonal_matrices_is_exact)
{
    vec3 d;
    mat3 v;
    tml__m3_eigen(m3_diagonal(3.0, 1.0, 2.0), &d, &v);
    CHECK(d.x == 1.0 && d.y == 2.0 && d.z == 3.0);
    CHECK(fabs(v.m[1][0]) == 1.0 && fabs(v.m[2][1]) == 1.0 && fabs(v.m[0][2]) == 1.0);
    check_eigen(m3_diagonal(3.0, 1.0, 2.0), 1.0);
    check_eigen(m3_zero(), 1.0);
}

TEST(eigen_of_nan_ends)
{
    vec3 d;
    mat3 v;
    mat3 a = m3_identity();
    a.m[0][1] = a.m[1][0] = (double)NAN;
    tml__m3_eigen(a, &d, &v);
    CHECK(isnan(d.x) || isnan(d.y) || isnan(d.z));
}
