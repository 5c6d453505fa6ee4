// test/method/quaternion/inertia.c - the inertial torque of one body and its derivatives.
#include "method/quaternion/inertia.h"

#include "test/difference.h"
#include "test/random.h"

static quat near_by(random_source* r, quat q, double size)
{
    const vec3 v = random_vec3(r, size);
    return q_add(q, (quat){random_between(r, -size, size), v.x, v.y, v.z});
}

// A relation with any numbers; the hats need not be unit, nor the rates tangent.
static quat_relation random_relation(random_source* r, quat q)
{
    return (quat_relation){
        .c_v = random_between(r, 0.3, 2.0),
        .c_q = random_between(r, 0.3, 2.0),
        .q_hat = near_by(r, q, 0.5),
        .w_hat = near_by(r, (quat){0.0, 0.0, 0.0, 0.0}, 1.0),
    };
}

static node_inertia inertia_at(const mat3* J, quat q, const quat_relation* relation)
{
    const mat3 R = q_matrix(q);
    node_inertia out;
    tml__quat_inertia(J, q, &R, relation, &out);
    return out;
}

// F4 as the paper writes it, with w and w' from the relation:
//   2 R J H(q) w' + 4 G(q) H(w)^T J H(q) w
TEST(torque_is_that_of_the_paper_with_the_rates_eliminated)  // [QRBD (10)]
{
    random_source r = random_start(81);
    for (int repeat = 0; repeat < 200; repeat++) {
        const mat3 J = random_inertia(&r);
        const quat q = random_quat(&r);
        const quat_relation relation = random_relation(&r, q);
        const quat change = q_scale(1.0 / relation.c_q, q_sub(q, relation.q_hat));
        const quat w = q_add(relation.w_hat, q_scale(relation.c_v, change));
        const vec3 momentum = m3_apply(J, q_H(q, w));
        const vec3 linear = q_rotate(q, m3_apply(J, q_H(q, change)));
        const vec3 gyro = q_G(q, q_Ht(w, momentum));
        const vec3 expected = v3_axpy(v3_scale(2.0, linear), 4.0, gyro);
        const node_inertia at = inertia_at(&J, q, &relation);
        // sums of numbers up to 10
        CHECK_NEAR(v3_max(v3_sub(at.torque, expected)), 0.0, 4e-15 * (1.0 + v3_max(expected)));
        CHECK_NEAR(v3_max(v3_sub(at.omega, v3_scale(2.0, q_G(q, w)))), 0.0, 4e-14);
    }
}

// For rates of a real motion the torque is d(J omega)/dt: J alpha + omega x J omega.
TEST(torque_of_a_real_motion_is_the_rate_of_angular_momentum)
{
    random_source r = random_start(82);
    for (int repeat = 0; repeat < 200; repeat++) {
        const mat3 J = random_inertia(&r);
        const quat q = random_quat(&r);
        const vec3 omega = random_vec3(&r, 3.0);
        const vec3 alpha = random_vec3(&r, 3.0);
        // q' = omega q / 2, q'' = alpha q / 2 + omega q' / 2
        const quat w = q_scale(0.5, q_Gt(q, omega));
        const quat change = q_scale(0.5, q_add(q_Gt(q, alpha), q_Gt(w, omega)));
        quat_relation relation = {.c_v = 0.7, .c_q = 0.4};
        relation.q_hat = q_sub(q, q_scale(relation.c_q, change));
        relation.w_hat = q_sub(w, q_scale(relation.c_v, change));

        const mat3 R = q_matrix(q);
        const mat3 world = m3_mul_bt(m3_mul(R, J), R);
        const vec3 expected =
            v3_add(m3_apply(world, alpha), v3_cross(omega, m3_apply(world, omega)));
        const node_inertia at = inertia_at(&J, q, &relation);
        CHECK_NEAR(v3_max(v3_sub(at.torque, expected)), 0.0, 1e-13);  // sums of numbers up to 20
        CHECK_NEAR(v3_max(v3_sub(at.omega, omega)), 0.0, 1e-13);
    }
}

static void check_slopes(const mat3* J, quat q, const quat_relation* relation)
{
    const double step = 0x1p-8;
    const node_inertia at = inertia_at(J, q, relation);
    slope torque = {0};
    slope omega = {0};
    for (int k = 0; k < 3; k++) {
        vec3 dT[2];
        vec3 dw[2];
        for (int half = 0; half < 2; half++) {
            const double e = half ? 0.5 * step : step;
            const node_inertia plus = inertia_at(J, q_turn(q, v3_scale(e, v3_unit(k))), relation);
            const node_inertia minus = inertia_at(J, q_turn(q, v3_scale(-e, v3_unit(k))), relation);
            dT[half] = v3_scale(0.5 / e, v3_sub(plus.torque, minus.torque));
            dw[half] = v3_scale(0.5 / e, v3_sub(plus.omega, minus.omega));
        }
        for (int i = 0; i < 3; i++) {
            slope_add(&torque, at.K.m[i][k], v3_at(dT[0], i), v3_at(dT[1], i));
            slope_add(&omega, at.W.m[i][k], v3_at(dw[0], i), v3_at(dw[1], i));
        }
    }
    // numbers up to 100 (rates of 10 rad/s squared, J 0.2), rounded to 1e-14, over 0x1p-8;
    // e^4 / 480 = 5e-13 times a fifth derivative of the same size
    CHECK_SLOPE("torque", &torque, 2e-11, 2e-10);
    CHECK_SLOPE("omega", &omega, 1e-11, 1e-10);
}

TEST(derivatives_match_differences_for_any_relation)
{
    random_source r = random_start(83);
    for (int repeat = 0; repeat < 300; repeat++) {
        const mat3 J = random_inertia(&r);
        const quat q = random_quat(&r);
        const quat_relation relation = random_relation(&r, q);
        check_slopes(&J, q, &relation);
    }
}

// The same at the relation of a real step: c_q = c_v^2, hats a step behind.
TEST(derivatives_match_differences_for_backward_differences)
{
    random_source r = random_start(84);
    for (int repeat = 0; repeat < 100; repeat++) {
        const mat3 J = random_inertia(&r);
        const quat before = random_quat(&r);
        const vec3 omega = random_vec3(&r, 5.0);
        const double h = 0.1;
        const quat w = q_scale(0.5, q_Gt(before, omega));
        const quat_relation relation = {
            .c_v = h, .c_q = h * h, .q_hat = q_add(before, q_scale(h, w)), .w_hat = w};
        check_slopes(&J, q_turn(before, v3_scale(h, omega)), &relation);
    }
}
