// test/joint/coordinate.c - what a joint leaves free, read back from poses made from it.
#include "test/difference.h"
#include "test/joint/sample.h"

static const double step = 0x1p-8;

// values around 1 to 9 (1e-15 of them, times the turns an angle may be off), over 0x1p-8
static const double noise = 1e-11;

// e^4 / 480 = 5e-13 times the fifth derivative: up to 2000 for three rotations
static double rest_of(const joint_sample* s) { return s->j->turn_count == 3 ? 2e-9 : 2e-11; }

typedef void sample_test(joint_sample* s, const joint_case* c, random_source* r);

// Every order of turns, with all slides free, many times.
static void visit_turns(sample_test* test, random_source* r, int repeats)
{
    for (int t = 0; t < 16; t++) {
        const joint_case c = {.kind = TML_JOINT_CUSTOM, .slides = "xyz", .turns = all_turns[t]};
        joint_sample s;
        if (!sample_create(&c, r, &s)) return;
        for (int i = 0; i < repeats; i++) {
            const int before = check_failures;
            sample_any_targets(&s, r);
            sample_assemble(&s, r);
            test(&s, &c, r);
            if (check_failures > before) case_print(&c);
        }
        sample_destroy(&s);
    }
}

static double value_at(const joint_sample* s, int axis, const rigid* F, const rigid* B)
{
    joint_frame frame;
    sample_frame(s, F, B, &frame);
    return tml__coordinate_value(s->j, (tml_axis)axis, &frame.F, &frame.B, s->coordinates[axis]);
}

// ---- values

static void check_value(joint_sample* s, const joint_case* c, random_source* r)
{
    (void)r;
    for (int k = 0; k < TML_AXES; k++) {
        if (!case_is_free(c, k)) continue;
        // roundings of rotations; asin and atan2 near 0.8 rad at most double them; 9 rad unwrapped
        CHECK_NEAR(value_at(s, k, &s->F, &s->B), s->coordinates[k], 1e-14);
    }
}

TEST(coordinates_that_made_a_pose_are_read_back_from_it)
{
    random_source r = random_start(21);
    visit_turns(check_value, &r, 200);
}

static void check_both_ways(joint_sample* s, const joint_case* c, random_source* r)
{
    sample_open(s, r);
    joint_frame frame;
    sample_frame(s, &s->F, &s->B, &frame);
    for (int k = 0; k < TML_AXES; k++) {
        if (!case_is_free(c, k)) continue;
        const double hint = random_between(r, -30.0, 30.0);
        coordinate_value full;
        tml__coordinate_eval(s->j, (tml_axis)k, &frame.F, &frame.B, hint, &full);
        const double value = tml__coordinate_value(s->j, (tml_axis)k, &frame.F, &frame.B, hint);
        CHECK(full.value == value);
        if (k >= 3) CHECK(fabs(value - hint) <= TML_PI * (1.0 + 1e-15));
    }
}

TEST(angles_stay_within_half_a_turn_of_the_hint)
{
    random_source r = random_start(22);
    visit_turns(check_both_ways, &r, 200);
}

// Turn one letter at a time by small steps, the last value as the hint.
static void unwind(joint_sample* s, random_source* r, int letter, double direction)
{
    const bool is_middle = s->j->turn_count == 3 && letter == s->j->turn[1];
    const double limit = is_middle ? 1.5 : 22.0;  // three and a half turns; a middle angle has none
    double last = 0.0;
    for (double angle = 0.0; angle < limit; angle += 0.3) {
        s->coordinates[3 + letter] = direction * angle;
        sample_assemble(s, r);
        joint_frame frame;
        sample_frame(s, &s->F, &s->B, &frame);
        last = tml__coordinate_value(s->j, (tml_axis)(3 + letter), &frame.F, &frame.B, last);
        // at 1.5 rad asin loses 1 / cos = 14 of the roundings
        CHECK_NEAR(last, direction * angle, 4e-14);
    }
}

static void check_unwinding(joint_sample* s, const joint_case* c, random_source* r)
{
    for (int letter = 0; letter < 3; letter++) {
        if (!case_is_free(c, 3 + letter)) continue;
        unwind(s, r, letter, 1.0);
        sample_any_targets(s, r);
        unwind(s, r, letter, -1.0);
        sample_any_targets(s, r);
    }
}

TEST(angles_are_unwrapped_over_several_turns)
{
    random_source r = random_start(23);
    visit_turns(check_unwinding, &r, 2);
}

TEST(the_order_of_rotations_matters)
{
    random_source r = random_start(24);
    const joint_case xz = {.kind = TML_JOINT_CUSTOM, .slides = "", .turns = "xz"};
    const joint_case zx = {.kind = TML_JOINT_CUSTOM, .slides = "", .turns = "zx"};
    joint_sample first;
    joint_sample second;
    if (!sample_create(&xz, &r, &first) || !sample_create(&zx, &r, &second)) return;
    const double angles[TML_AXES] = {0.0, 0.0, 0.0, 0.7, 0.0, 0.4};
    const mat3 a = relative_rotation(first.j, angles, NULL);
    const mat3 b = relative_rotation(second.j, angles, NULL);
    CHECK(first.j->parity == -1.0 && second.j->parity == 1.0);
    CHECK(fabs(a.m[0][2] - b.m[0][2]) > 0.1);
    CHECK_NEAR(a.m[0][2], 0.0, 1e-16);  // the row of x against z: held in the order x, z
    CHECK_NEAR(b.m[2][0], 0.0, 1e-16);  // and the row of z against x in the order z, x
    sample_destroy(&first);
    sample_destroy(&second);
}

// At gimbal lock two of three angles mean the same: values must still be numbers.
TEST(values_stay_finite_at_gimbal_lock)
{
    random_source r = random_start(25);
    for (int t = 10; t < 16; t++) {
        const joint_case c = {.kind = TML_JOINT_CUSTOM, .slides = "", .turns = all_turns[t]};
        joint_sample s;
        if (!sample_create(&c, &r, &s)) return;
        sample_any_targets(&s, &r);
        for (int side = -1; side <= 1; side += 2) {
            const int middle = 3 + s.j->turn[1];
            s.coordinates[middle] = side * 0.5 * TML_PI;
            sample_assemble(&s, &r);
            // asin near 1: half of the digits
            CHECK_NEAR(value_at(&s, middle, &s.F, &s.B), side * 0.5 * TML_PI, 1e-7);
            CHECK(isfinite(value_at(&s, 3 + s.j->turn[0], &s.F, &s.B)));
            CHECK(isfinite(value_at(&s, 3 + s.j->turn[2], &s.F, &s.B)));
        }
        sample_destroy(&s);
    }
}

// ---- gradients

static void check_slope(const joint_sample* s, int axis)
{
    joint_frame frame;
    double exact[MOTION];
    slope all = {0};
    sample_frame(s, &s->F, &s->B, &frame);
    const coordinate_rigid at =
        tml__coordinate_rigid(s->j, (tml_axis)axis, s->coordinates[axis], &frame);
    gradient_flat(&at.g, exact);
    for (int k = 0; k < MOTION; k++) {
        double quotient[2];
        for (int half = 0; half < 2; half++) {
            const double e = half ? 0.5 * step : step;
            rigid F;
            rigid B;
            sample_displaced(s, k, e, &F, &B);
            const double plus = value_at(s, axis, &F, &B);
            sample_displaced(s, k, -e, &F, &B);
            quotient[half] = (plus - value_at(s, axis, &F, &B)) / (2.0 * e);
        }
        slope_add(&all, exact[k], quotient[0], quotient[1]);
    }
    CHECK_SLOPE(tml_axis_name((tml_axis)axis), &all, noise, rest_of(s));
}

static void check_gradient(joint_sample* s, const joint_case* c, random_source* r)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (case_is_free(c, k)) check_slope(s, k);
    }
    sample_open(s, r);
    for (int k = 0; k < TML_AXES; k++) {
        if (case_is_free(c, k)) check_slope(s, k);
    }
}

TEST(coordinate_gradients_match_differences_on_and_off_the_manifold)
{
    random_source r = random_start(26);
    visit_turns(check_gradient, &r, 50);
}

// ---- measures of bounds

// r sin(angle - bound) by the definition, r the cosine of the middle angle; of this one sin(r2) - sin(b) over cos(b).
static double measure_by_angles(const joint_data* j, const double coordinates[TML_AXES], int letter,
                                double bound)
{
    const double middle = coordinates[3 + j->turn[1]];
    if (letter == j->turn[1]) return (tml__sin(middle) - tml__sin(bound)) / tml__cos(bound);
    return tml__cos(middle) * tml__sin(coordinates[3 + letter] - bound);
}

static void check_measure_slope(const joint_sample* s, const joint_data* j, int of)
{
    joint_frame frame;
    double exact[MOTION];
    slope all = {0};
    sample_frame(s, &s->F, &s->B, &frame);
    const coordinate_rigid at = tml__coordinate_rigid(j, (tml_axis)of, 0.0, &frame);
    gradient_flat(&at.g, exact);
    for (int k = 0; k < MOTION; k++) {
        double quotient[2];
        for (int half = 0; half < 2; half++) {
            const double e = half ? 0.5 * step : step;
            double ends[2];
            for (int side = 0; side < 2; side++) {
                rigid F;
                rigid B;
                sample_displaced(s, k, side ? -e : e, &F, &B);
                sample_frame(s, &F, &B, &frame);
                ends[side] = tml__coordinate_value(j, (tml_axis)of, &frame.F, &frame.B, 0.0);
            }
            quotient[half] = (ends[0] - ends[1]) / (2.0 * e);
        }
        slope_add(&all, exact[k], quotient[0], quotient[1]);
    }
    CHECK_SLOPE("measure", &all, noise, rest_of(s));
}

static void check_measures(joint_sample* s, const joint_case* c, random_source* r)
{
    axis_data axes[TML_AXES];
    joint_data j = *s->j;
    if (strlen(c->turns) < 3) return;
    memcpy(axes, j.axis, sizeof axes);
    j.axis = axes;
    // at gimbal lock, too
    if (random_below(r, 3) == 0) {
        s->coordinates[3 + j.turn[1]] = random_below(r, 2) == 0 ? 0.5 * TML_PI : -0.5 * TML_PI;
        sample_assemble(s, r);
    }
    for (int letter = 0; letter < 3; letter++) {
        axis_data* a = &axes[3 + letter];
        a->lower = random_between(r, -1.3, 0.0);
        a->upper = random_between(r, 0.0, 1.3);
        for (int side = 0; side < 2; side++) {
            const int of = (side == 0 ? MEASURE_LOWER : MEASURE_UPPER) + letter;
            joint_frame frame;
            sample_frame(s, &s->F, &s->B, &frame);
            const double value = tml__coordinate_value(&j, (tml_axis)of, &frame.F, &frame.B, 0.0);
            // 1 / cos(1.3) = 4 times the rounding of a dot
            CHECK_NEAR(
                value,
                measure_by_angles(&j, s->coordinates, letter, side == 0 ? a->lower : a->upper),
                4e-15);
            check_measure_slope(s, &j, of);
        }
    }
}

TEST(measures_of_bounds_are_those_of_the_angles_and_have_slopes_at_gimbal_lock)
{
    random_source r = random_start(29);
    visit_turns(check_measures, &r, 40);
}

// Power: a force Q on coordinate k does Q times the rate of k, and nothing on the other free
// axes, so the gradients are dual to the free motions.
static void check_conjugate(joint_sample* s, const joint_case* c, random_source* r)
{
    (void)r;
    joint_frame frame;
    sample_frame(s, &s->F, &s->B, &frame);
    for (int k = 0; k < TML_AXES; k++) {
        if (!case_is_free(c, k)) continue;
        double g[MOTION];
        double motion[MOTION];
        const coordinate_rigid at =
            tml__coordinate_rigid(s->j, (tml_axis)k, s->coordinates[k], &frame);
        gradient_flat(&at.g, g);
        for (int n = 0; n < 6; n++) {
            common_motion(s, n, motion);
            CHECK_NEAR(along(g, motion), 0.0, 1e-14);  // roundings
        }
        for (int n = 0; n < TML_AXES; n++) {
            if (!case_is_free(c, n)) continue;
            free_motion(s, &frame, n, motion);
            CHECK_NEAR(along(g, motion), n == k ? 1.0 : 0.0, 2e-14);  // roundings
        }
    }
}

TEST(coordinate_forces_are_power_conjugate)
{
    random_source r = random_start(27);
    visit_turns(check_conjugate, &r, 100);
}

// The two free rotations of a universal joint: torque about the base's x, and about the follower's
// y (the paper prints the base's y, which is not conjugate).
TEST(force_actuation_of_a_universal_joint_follows_the_corrected_table)  // [QRBD Tab 7]
{
    random_source r = random_start(28);
    const joint_case c = {.kind = TML_JOINT_UNIVERSAL, .slides = "", .turns = "xy"};
    joint_sample s;
    if (!sample_create(&c, &r, &s)) return;
    sample_any_targets(&s, &r);
    sample_assemble(&s, &r);
    joint_frame frame;
    sample_frame(&s, &s.F, &s.B, &frame);
    const rigid_gradient x = tml__coordinate_rigid(s.j, TML_AXIS_RX, 0.0, &frame).g;
    const rigid_gradient y = tml__coordinate_rigid(s.j, TML_AXIS_RY, 0.0, &frame).g;
    CHECK_NEAR(v3_max(v3_sub(x.t_F, frame.B.axis[0])), 0.0, 4e-15);  // roundings
    CHECK_NEAR(v3_max(v3_sub(y.t_F, frame.F.axis[1])), 0.0, 4e-15);
    sample_destroy(&s);
}
