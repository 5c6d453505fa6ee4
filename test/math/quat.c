// test/math/quat.c - the identities that every quaternion formula of the library leans on.
//
// The paper writes G and H as 3 x 4 matrices on scalar-last quaternions; quat.h writes them as
// products on scalar-first ones. Both forms are compared here, and all that follows from them.
#include "math/quat.h"

#include "test/check.h"
#include "test/math/random.h"

#include <float.h>

enum {
    ROUNDS = 200
};

// entries of size one, sums of up to a dozen products: a few roundings
static const double FEW_ROUNDINGS = 16.0 * DBL_EPSILON;

#define CHECK_VEC3(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        const vec3 check_difference = v3_sub((actual), (expected));                                \
        CHECK_NEAR(v3_max(check_difference), 0.0, (tolerance));                                    \
    } while (0)

#define CHECK_QUAT(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        const quat check_difference = q_sub((actual), (expected));                                 \
        CHECK_NEAR(sqrt(q_dot(check_difference, check_difference)), 0.0, (tolerance));             \
    } while (0)

#define CHECK_MAT3(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        const mat3 check_difference = m3_sub((actual), (expected));                                \
        for (int row = 0; row < 3; row++) {                                                        \
            CHECK_NEAR(v3_max(m3_row(check_difference, row)), 0.0, (tolerance));                   \
        }                                                                                          \
    } while (0)

static vec3 any_vector(random_source* r)
{
    const double x = random_between(r, -1.0, 1.0);
    const double y = random_between(r, -1.0, 1.0);
    return v3(x, y, random_between(r, -1.0, 1.0));
}

// Not unit.
static quat any_quat(random_source* r)
{
    const vec3 v = any_vector(r);
    return (quat){random_between(r, -1.0, 1.0), v.x, v.y, v.z};
}

static quat any_rotation(random_source* r) { return q_normalize(any_quat(r)); }

// The 3 x 4 matrices as printed, applied to the scalar-last form of v.           [QRBD Tab 1]
static vec3 printed_G(quat q, quat v)
{
    return v3(q.w * v.x - q.z * v.y + q.y * v.z - q.x * v.w,
              q.z * v.x + q.w * v.y - q.x * v.z - q.y * v.w,
              -q.y * v.x + q.x * v.y + q.w * v.z - q.z * v.w);
}

static vec3 printed_H(quat q, quat v)
{
    return v3(q.w * v.x + q.z * v.y - q.y * v.z - q.x * v.w,
              -q.z * v.x + q.w * v.y + q.x * v.z - q.y * v.w,
              q.y * v.x - q.x * v.y + q.w * v.z - q.z * v.w);
}

// H(q)^T b = Hhat(b) q with the printed 4 x 4 matrix.
static quat printed_H_hat(vec3 b, quat q)
{
    return (quat){.x = b.z * q.y - b.y * q.z + b.x * q.w,
                  .y = -b.z * q.x + b.x * q.z + b.y * q.w,
                  .z = b.y * q.x - b.x * q.y + b.z * q.w,
                  .w = -b.x * q.x - b.y * q.y - b.z * q.z};
}

TEST(G_and_H_are_the_matrices_of_the_paper)  // [QRBD Tab 1]
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_quat(&r);
        const quat v = any_quat(&r);
        const vec3 b = any_vector(&r);
        CHECK_VEC3(q_G(q, v), printed_G(q, v), FEW_ROUNDINGS);
        CHECK_VEC3(q_H(q, v), printed_H(q, v), FEW_ROUNDINGS);
        CHECK_QUAT(q_Ht(q, b), printed_H_hat(b, q), FEW_ROUNDINGS);
    }
}

TEST(Gt_and_Ht_are_the_transposes)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_quat(&r);
        const quat v = any_quat(&r);
        const vec3 a = any_vector(&r);
        CHECK_NEAR(q_dot(q_Gt(q, a), v), v3_dot(a, q_G(q, v)), FEW_ROUNDINGS);
        CHECK_NEAR(q_dot(q_Ht(q, a), v), v3_dot(a, q_H(q, v)), FEW_ROUNDINGS);
    }
}

// G(q) v = -G(v) q,  H(q) v = -H(v) q; so G(q) q = 0.
TEST(G_and_H_change_sign_when_their_arguments_swap)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_quat(&r);
        const quat v = any_quat(&r);
        CHECK_VEC3(q_G(q, v), v3_neg(q_G(v, q)), FEW_ROUNDINGS);
        CHECK_VEC3(q_H(q, v), v3_neg(q_H(v, q)), FEW_ROUNDINGS);
        CHECK_VEC3(q_G(q, q), v3_zero(), FEW_ROUNDINGS);
    }
}

// G G^T = H H^T = |q|^2 I.
TEST(G_and_H_have_orthogonal_rows)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_quat(&r);
        const vec3 a = any_vector(&r);
        const vec3 expected = v3_scale(q_dot(q, q), a);
        CHECK_VEC3(q_G(q, q_Gt(q, a)), expected, 4.0 * FEW_ROUNDINGS);  // |q|^2 reaches 4
        CHECK_VEC3(q_H(q, q_Ht(q, a)), expected, 4.0 * FEW_ROUNDINGS);
    }
}

// R = G H^T, also off the unit sphere, and R^T G = |q|^2 H.                      [QRBD Tab 1]
TEST(rotation_matrix_is_G_times_H_transposed)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_quat(&r);
        const quat v = any_quat(&r);
        const vec3 a = any_vector(&r);
        const double n2 = q_dot(q, q);
        CHECK_VEC3(m3_apply(q_matrix(q), a), q_G(q, q_Ht(q, a)), 4.0 * FEW_ROUNDINGS);
        CHECK_VEC3(m3_apply_t(q_matrix(q), q_G(q, v)), v3_scale(n2, q_H(q, v)),
                   8.0 * FEW_ROUNDINGS);
    }
}

TEST(rotation_by_a_unit_quaternion_is_a_rotation)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat p = any_rotation(&r);
        const quat q = any_rotation(&r);
        const mat3 R = q_matrix(q);
        const vec3 a = any_vector(&r);
        const quat sandwich = q_mul(q_mul(q, (quat){0.0, a.x, a.y, a.z}), q_conj(q));

        CHECK_MAT3(m3_mul_bt(R, R), m3_identity(), FEW_ROUNDINGS);
        CHECK_NEAR(m3_determinant(R), 1.0, FEW_ROUNDINGS);
        CHECK_VEC3(q_rotate(q, a), q_vec(sandwich), FEW_ROUNDINGS);
        CHECK_MAT3(q_matrix(q_mul(p, q)), m3_mul(q_matrix(p), R), FEW_ROUNDINGS);
    }
}

// G(q) H(v)^T = G(v) H(q)^T for every v, hence dR a = 2 G(q) H(dq)^T a. R is quadratic in q, so
// the central difference has no truncation error and any step tests it.
TEST(derivative_of_R_is_2_G_H_transposed)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_quat(&r);
        const quat dq = any_quat(&r);
        const vec3 a = any_vector(&r);
        const mat3 plus = q_matrix(q_add(q, dq));
        const mat3 minus = q_matrix(q_sub(q, dq));
        const vec3 difference = v3_scale(0.5, m3_apply(m3_sub(plus, minus), a));

        CHECK_VEC3(q_G(q, q_Ht(dq, a)), q_G(dq, q_Ht(q, a)), 4.0 * FEW_ROUNDINGS);
        CHECK_VEC3(v3_scale(2.0, q_G(q, q_Ht(dq, a))), difference, 16.0 * FEW_ROUNDINGS);
    }
}

// H(p) H(q)^T = (p . q) I + [a] with a = -H(q) p.
TEST(product_of_two_H_is_a_dot_and_a_cross)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat p = any_quat(&r);
        const quat q = any_quat(&r);
        const vec3 b = any_vector(&r);
        const vec3 a = v3_neg(q_H(q, p));
        const vec3 expected = v3_axpy(v3_cross(a, b), q_dot(p, q), b);
        CHECK_VEC3(q_H(p, q_Ht(q, b)), expected, 4.0 * FEW_ROUNDINGS);
    }
}

// qdot = G^T omega / 2 = H^T omega_b / 2, and back: omega = 2 G qdot, omega_b = 2 H qdot.
TEST(rates_and_angular_velocities_are_inverse_maps)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const quat q = any_rotation(&r);
        const vec3 omega = any_vector(&r);
        const vec3 omega_b = m3_apply_t(q_matrix(q), omega);
        const quat rate = q_scale(0.5, q_Gt(q, omega));

        CHECK_QUAT(q_scale(0.5, q_Ht(q, omega_b)), rate, FEW_ROUNDINGS);
        CHECK_VEC3(v3_scale(2.0, q_G(q, rate)), omega, FEW_ROUNDINGS);
        CHECK_VEC3(v3_scale(2.0, q_H(q, rate)), omega_b, FEW_ROUNDINGS);
        CHECK_NEAR(q_dot(q, rate), 0.0, FEW_ROUNDINGS);
    }
}

// (turn(q, h omega) - turn(q, -h omega)) / 2h -> G^T omega / 2, with an error that falls fourfold.
TEST(derivative_of_turn_is_half_G_transposed_omega)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 20; i++) {
        const quat q = any_rotation(&r);
        const vec3 omega = v3_add(any_vector(&r), v3(2.0, 0.0, 0.0));
        const quat exact = q_scale(0.5, q_Gt(q, omega));
        double error[2];
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? 2e-3 : 1e-3;
            const quat plus = q_turn(q, v3_scale(h, omega));
            const quat minus = q_turn(q, v3_scale(-h, omega));
            const quat e = q_sub(q_scale(0.5 / h, q_sub(plus, minus)), exact);
            error[k] = sqrt(q_dot(e, e));
        }
        CHECK(error[1] < 1e-5);                      // |omega|^3 h^2 / 48
        CHECK_NEAR(error[0] / error[1], 4.0, 1e-3);  // second order
    }
}

// Rodrigues: R = I + sin(t) [n] + (1 - cos t) [n]^2.
TEST(exp_is_the_rotation_of_rodrigues)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < ROUNDS; i++) {
        const double angle = i % 2 == 0 ? random_between(&r, 0.0, 7.0) : ldexp(1.0, -i / 4);
        const vec3 v = any_vector(&r);
        const vec3 n = v3_scale(1.0 / v3_norm(v), v);
        const mat3 turn = m3_scale(sin(angle), m3_skew(n));
        const mat3 versine =
            m3_scale(2.0 * sin(angle / 2.0) * sin(angle / 2.0), m3_skew_skew(n, n));
        const mat3 expected = m3_add(m3_identity(), m3_add(turn, versine));
        const quat q = q_exp(v3_scale(angle, n));

        CHECK_MAT3(q_matrix(q), expected, FEW_ROUNDINGS);
        CHECK_NEAR(q_dot(q, q), 1.0, FEW_ROUNDINGS);
    }
}

TEST(exp_joins_its_series_without_a_step)
{
    const vec3 n = v3(0.6, 0.0, 0.8);
    const double angle[2] = {1e-4 * (1.0 - 1e-9), 1e-4 * (1.0 + 1e-9)};
    for (int k = 0; k < 2; k++) {
        const quat q = q_exp(v3_scale(angle[k], n));
        const double s = (double)sinl(0.5L * (long double)angle[k]);
        CHECK_NEAR(q.x, 0.6 * s, 4.0 * DBL_EPSILON * s);
        CHECK_NEAR(q.z, 0.8 * s, 4.0 * DBL_EPSILON * s);
    }
    CHECK_QUAT(q_exp(v3_zero()), q_identity(), 0.0);
}

TEST(turn_multiplies_from_the_left_and_stays_unit)
{
    random_source r = random_start(__LINE__);
    quat q = any_rotation(&r);
    for (int i = 0; i < 10000; i++) {
        const vec3 phi = any_vector(&r);
        const mat3 expected = m3_mul(q_matrix(q_exp(phi)), q_matrix(q));
        q = q_turn(q, phi);
        if (i % 100 == 0) CHECK_MAT3(q_matrix(q), expected, FEW_ROUNDINGS);
    }
    CHECK_NEAR(q_dot(q, q), 1.0, 4.0 * DBL_EPSILON);
}

TEST(about_turns_the_other_two_axes)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        const quat quarter = q_about(i, TML_PI / 2.0);
        CHECK_VEC3(q_rotate(quarter, v3_unit(j)), v3_unit(k), FEW_ROUNDINGS);
        CHECK_VEC3(q_rotate(quarter, v3_unit(k)), v3_neg(v3_unit(j)), FEW_ROUNDINGS);
        CHECK_VEC3(q_rotate(quarter, v3_unit(i)), v3_unit(i), FEW_ROUNDINGS);
    }
}

TEST(turning_about_an_axis_is_the_product_and_columns_are_the_matrix)
{
    random_source r = random_start(__LINE__);
    for (int n = 0; n < ROUNDS; n++) {
        const quat q = {random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0),
                        random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0)};
        const double angle = random_between(&r, -7.0, 7.0);
        for (int i = 0; i < 3; i++) {
            CHECK_QUAT(q_mul_about(q, i, angle), q_mul(q, q_about(i, angle)), FEW_ROUNDINGS);
            CHECK_VEC3(q_column(q, i), m3_column(q_matrix(q), i), 0.0);
        }
    }
}

TEST(normalize_of_nothing_is_the_identity)
{
    CHECK_QUAT(q_normalize((quat){0.0, 0.0, 0.0, 0.0}), q_identity(), 0.0);
    CHECK_QUAT(q_normalize((quat){0.0, -3.0, 0.0, 4.0}), ((quat){0.0, -0.6, 0.0, 0.8}),
               FEW_ROUNDINGS);
}

// Half turns and near half turns about every axis are where a careless formula divides by zero.
TEST(from_matrix_undoes_matrix_everywhere)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 20 * ROUNDS; i++) {
        quat q = any_rotation(&r);
        if (i % 4 == 1) q.w *= 1e-9;
        if (i % 4 == 2) q = (quat){1e-8 * q.w, q.x, 1e-12 * q.y, 1e-5 * q.z};
        if (i % 4 == 3) q = (quat){1e-8 * q.w, 1e-9 * q.x, q.y > 0.0 ? 1.0 : 0.0, q.z};
        q = q_normalize(q);

        const quat back = tml__q_from_matrix(q_matrix(q));
        const double sign = q_dot(back, q) < 0.0 ? -1.0 : 1.0;
        CHECK(back.w >= 0.0);
        CHECK_QUAT(q_scale(sign, back), q, FEW_ROUNDINGS);
    }
}

TEST(from_matrix_of_exact_half_turns)
{
    CHECK_QUAT(tml__q_from_matrix(m3_identity()), q_identity(), 0.0);
    CHECK_QUAT(tml__q_from_matrix(m3_diagonal(1.0, -1.0, -1.0)), ((quat){0.0, 1.0, 0.0, 0.0}), 0.0);
    CHECK_QUAT(tml__q_from_matrix(m3_diagonal(-1.0, 1.0, -1.0)), ((quat){0.0, 0.0, 1.0, 0.0}), 0.0);
    CHECK_QUAT(tml__q_from_matrix(m3_diagonal(-1.0, -1.0, 1.0)), ((quat){0.0, 0.0, 0.0, 1.0}), 0.0);
}

TEST(the_logarithm_is_the_exponential_backwards)
{
    const vec3 axis = v3_scale(1.0 / 3.0, v3(1.0, -2.0, 2.0));
    for (double angle = 0.0; angle < 3.1; angle += 0.1) {
        const vec3 phi = v3_scale(angle, axis);
        const vec3 back = tml__q_log(q_exp(phi));
        const vec3 other = tml__q_log(q_scale(-1.0, q_exp(phi)));
        CHECK_NEAR(v3_max(v3_sub(back, phi)), 0.0, 1e-14);
        CHECK_NEAR(v3_max(v3_sub(other, phi)), 0.0, 1e-14);
    }
}

// Central differences at two step sizes: the error falls fourfold, down to rounding.
TEST(the_rate_of_the_logarithm_matches_differences)
{
    const vec3 omega = v3(0.3, 0.7, -0.5);
    const vec3 axis = v3_scale(1.0 / 3.0, v3(2.0, 1.0, -2.0));
    static const double angles[] = {0.0, 1e-4, 5e-4, 2e-3, 0.1, 1.0, 2.0, 3.0};
    for (int i = 0; i < 8; i++) {
        const vec3 phi = v3_scale(angles[i], axis);
        const vec3 rate = tml__q_log_rate(phi, omega);
        double error[2];
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? 1e-3 : 5e-4;
            const vec3 ahead = tml__q_log(q_mul(q_exp(v3_scale(h, omega)), q_exp(phi)));
            const vec3 behind = tml__q_log(q_mul(q_exp(v3_scale(-h, omega)), q_exp(phi)));
            error[k] = v3_max(v3_sub(v3_scale(0.5 / h, v3_sub(ahead, behind)), rate));
        }
        // h^2 times a third derivative, which grows towards half a turn
        CHECK(error[0] < 1e-3);
        CHECK(error[1] < 0.3 * error[0] + 1e-11);
    }
}
