// test/force/axis.c - motors, springs, dampers and servos on a joint coordinate.
#include "force/axis.h"

#include "test/check.h"
#include "test/random.h"

static axis_data random_axis(random_source* r, tml_actuation actuation, bool has_servo)
{
    return (axis_data){
        .is_free = true,
        .actuation = actuation,
        .has_servo = has_servo,
        .servo_stiffness = random_between(r, 1.0, 9.0),
        .servo_damping = random_between(r, 1.0, 9.0),
        .stiffness = random_between(r, 1.0, 9.0),
        .damping = random_between(r, 1.0, 9.0),
        .rest = random_between(r, -1.0, 1.0),
    };
}

TEST(each_part_adds_its_force)
{
    const drive control = {.value = 7.0, .rate = 100.0};
    const drive servo = {.value = 0.5, .rate = -0.25};
    axis_data a = {.is_free = true, .stiffness = 4.0, .damping = 2.0, .rest = 0.1};
    // spring and damper alone; the control of a passive axis is not a motor
    CHECK_NEAR(tml__axis_force(&a, 0.6, 3.0, &control, &servo).Q, -4.0 * 0.5 - 6.0, 1e-15);
    a.actuation = TML_POSITION;
    CHECK_NEAR(tml__axis_force(&a, 0.6, 3.0, &control, &servo).Q, -8.0, 1e-15);
    a.actuation = TML_FORCE;
    CHECK_NEAR(tml__axis_force(&a, 0.6, 3.0, &control, &servo).Q, -1.0, 1e-15);
    a.has_servo = true;
    a.servo_stiffness = 10.0;
    a.servo_damping = 3.0;
    // 10 (0.5 - 0.6) + 3 (-0.25 - 3)
    CHECK_NEAR(tml__axis_force(&a, 0.6, 3.0, &control, &servo).Q, -1.0 - 1.0 - 9.75, 1e-14);
}

// Q is linear in s and in its rate: one difference quotient is exact up to rounding.
TEST(derivatives_match_differences)
{
    random_source r = random_start(71);
    for (int repeat = 0; repeat < 300; repeat++) {
        const axis_data a = random_axis(&r, (tml_actuation)(repeat % 3), repeat % 2 == 0);
        const drive control = {.value = random_between(&r, -5.0, 5.0)};
        const drive servo = {.value = random_between(&r, -1.0, 1.0),
                             .rate = random_between(&r, -1.0, 1.0)};
        const double s = random_between(&r, -1.0, 1.0);
        const double rate = random_between(&r, -1.0, 1.0);
        const axis_force at = tml__axis_force(&a, s, rate, &control, &servo);
        const double by_s = tml__axis_force(&a, s + 0.5, rate, &control, &servo).Q -
                            tml__axis_force(&a, s - 0.5, rate, &control, &servo).Q;
        const double by_rate = tml__axis_force(&a, s, rate + 0.5, &control, &servo).Q -
                               tml__axis_force(&a, s, rate - 0.5, &control, &servo).Q;
        CHECK_NEAR(at.dQ_ds, by_s, 2e-14);
        CHECK_NEAR(at.dQ_drate, by_rate, 2e-14);
    }
}

TEST(the_axis_spring_stores_what_it_gives_back)
{
    random_source r = random_start(72);
    for (int repeat = 0; repeat < 100; repeat++) {
        axis_data a = random_axis(&r, TML_PASSIVE, false);
        a.damping = 0.0;
        const drive none = {0};
        const double s = random_between(&r, -1.0, 1.0);
        // quadratic: the central difference is exact up to rounding
        const double slope = tml__axis_energy(&a, s + 0.5) - tml__axis_energy(&a, s - 0.5);
        CHECK_NEAR(tml__axis_force(&a, s, 0.0, &none, &none).Q, -slope, 2e-14);
        CHECK(tml__axis_energy(&a, a.rest) == 0.0);
    }
}

TEST(an_axis_is_forced_when_something_acts_on_it)
{
    const axis_data nothing = {.is_free = true};
    axis_data a = nothing;
    CHECK(!tml__axis_is_forced(&a));
    a.actuation = TML_POSITION;
    CHECK(!tml__axis_is_forced(&a));
    a.actuation = TML_FORCE;
    CHECK(tml__axis_is_forced(&a));
    a = nothing;
    a.stiffness = 1.0;
    CHECK(tml__axis_is_forced(&a));
    a = nothing;
    a.damping = 1.0;
    CHECK(tml__axis_is_forced(&a));
    a = nothing;
    a.has_servo = true;
    CHECK(tml__axis_is_forced(&a));
    a.is_free = false;
    CHECK(!tml__axis_is_forced(&a));
}

TEST(only_three_driven_rotations_are_a_torque_along_the_base)  // [QRBD Tab 7]
{
    for (int mix = 0; mix < 27; mix++) {
        axis_data axes[TML_AXES] = {{.is_free = false}};
        const joint_data j = {.turn_count = 3, .turn = {0, 1, 2}, .axis = axes};
        int forces = 0;
        for (int k = 0; k < 3; k++) {
            const int digit = k == 0 ? mix % 3 : k == 1 ? mix / 3 % 3 : mix / 9;
            axes[3 + k].is_free = true;
            axes[3 + k].actuation = (tml_actuation)digit;
            forces += digit == TML_FORCE;
        }
        CHECK(tml__joint_has_base_torque(&j) == (forces == 3));
    }
    const axis_data axes[TML_AXES] = {
        [3] = {.actuation = TML_FORCE}, [4] = {.actuation = TML_FORCE}};
    const joint_data two = {.turn_count = 2, .turn = {0, 1, 2}, .axis = axes};
    CHECK(!tml__joint_has_base_torque(&two));
}

TEST(a_motor_alone_is_no_spring)
{
    axis_data a = {.is_free = true, .actuation = TML_FORCE, .rest = 0.5};
    CHECK(!tml__axis_is_sprung(&a));
    a.damping = 1.0;
    CHECK(tml__axis_is_sprung(&a));
}
