// test/method/generalized/stiff.c - springs at the end of the step in joint coordinates: the closed form of
// implicit Euler along columns and paths, agreement with maximal coordinates elsewhere, and contact beside
// them.                                                                              [COOK Sec 7]
#include "test/check.h"
#include "test/scenario/touching.h"

#include <stdbool.h>

static tml_status start(run* r, tml_spec* spec, tml_formulation formulation, double step)
{
    const tml_status status = run_freeze(r, spec);
    if (status != TML_OK) return status;
    r->settings.formulation = formulation;
    r->settings.integrator = TML_TIME_BDF1;
    r->settings.step = step;
    return run_start(r);
}

static tml_body add_block(tml_spec* spec, double mass, tml_vec3 at)
{
    tml_body_def def = tml_body_def_default();
    def.mass = mass;
    for (int k = 0; k < 3; k++) def.inertia[k] = 0.1 * mass;
    def.pose.p = at;
    return tml_spec_add_body(spec, &def);
}

static tml_joint_def joint_along_x(tml_joint_kind kind, tml_body base, tml_body follower)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.axis = v3(1.0, 0.0, 0.0);
    return def;
}

static void add_path(tml_spec* spec, tml_body a, tml_vec3 at_a, tml_body b, tml_vec3 at_b,
                     double stiffness, double damping)
{
    const tml_point points[2] = {{a, at_a}, {b, at_b}};
    tml_spring_def def = {.point_count = 2, .points = points, .stiffness = stiffness};
    def.damping = damping;
    def.rest_length = 1.0;
    tml_spec_add_spring(spec, &def);
}

// x+ = x + h u+ and m u+ = m u - h (k x+ + d u+), whatever h sqrt(k/m) is: here 0.3 and 300.
TEST(a_slider_on_a_spring_steps_by_implicit_euler)
{
    for (int i = 0; i < 4; i++) {
        const bool is_path = i % 2 == 1;
        const double k = i / 2 == 0 ? 2e3 : 2e9;
        const double d = i / 2 == 0 ? 3.0 : 3e4;
        const double m = 2.0;
        const double h = 0.01;
        tml_spec* spec = tml_spec_create();
        run r;
        tml_spec_set_gravity(spec, v3_zero());
        const tml_body b = add_block(spec, m, v3(1.1, 0.0, 0.0));
        tml_joint_def slide = joint_along_x(TML_JOINT_PRISMATIC, TML_WORLD, b);
        if (is_path) {
            add_path(spec, TML_WORLD, v3_zero(), b, v3_zero(), k, d);
        } else {
            slide.axis_of[TML_AXIS_TX].stiffness = k;
            slide.axis_of[TML_AXIS_TX].damping = d;
            slide.axis_of[TML_AXIS_TX].rest = -0.1;
        }
        tml_spec_add_joint(spec, &slide);
        CHECK(start(&r, spec, TML_FORM_GENERALIZED, h) == TML_OK);
        double x = 0.1;
        double u = 0.0;
        for (int n = 0; n < 50; n++) {
            CHECK(run_step(&r) == TML_OK);
            u = (m * u - h * k * x) / (m + h * d + h * h * k);
            x += h * u;
            // the spring alone would make h k x / m of speed, whose rounding stays
            const double rounding = 1e-15 * (1.0 + h * k * 0.1 / m);
            CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, u, rounding + 1e-13);
            CHECK_NEAR(tml_sim_pose(r.sim, b).p.x, 1.0 + x, h * rounding + 1e-14);
        }
        run_close(&r);
    }
}

// m u+ = m u + h (f - c (u+ - w)) and J w+ = J w - h d w+, whatever h c / m is: here 0.1 and 1e5. On a
// slide, on a hinge, and of a body that flies.
TEST(drag_steps_by_implicit_euler)
{
    for (int i = 0; i < 6; i++) {
        const double h = 0.01;
        const double m = 2.0;
        const double c = i / 3 == 0 ? 20.0 : 2e7;
        const double d = i / 3 == 0 ? 4.0 : 4e6;
        const bool turns = i % 3 == 1;
        tml_spec* spec = tml_spec_create();
        run r;
        tml_spec_set_gravity(spec, v3(-9.81, 0.0, 0.0));
        const tml_body b = add_block(spec, m, v3_zero());
        const tml_joint_def joint =
            joint_along_x(turns ? TML_JOINT_REVOLUTE : TML_JOINT_PRISMATIC, TML_WORLD, b);
        if (i % 3 < 2) tml_spec_add_joint(spec, &joint);
        tml_wrench_def twist = {.body = b};
        twist.torque[0] = tml_control_constant(3.0);
        tml_spec_add_wrench(spec, &twist);
        const tml_drag_def drag = {.body = b, .linear = c, .angular = d, .wind = {0.5, 0.0, 0.0}};
        tml_spec_add_drag(spec, &drag);
        CHECK(start(&r, spec, TML_FORM_GENERALIZED, h) == TML_OK);
        const double J = 0.1 * m;
        double u = 0.0;
        double w = 0.0;
        for (int n = 0; n < 50; n++) {
            CHECK(run_step(&r) == TML_OK);
            u = (m * u + h * (-9.81 * m + c * 0.5)) / (m + h * c);
            w = (J * w + h * 3.0) / (J + h * d);
            const tml_velocity v = tml_sim_velocity(r.sim, b);
            // rounding of what is explicit, h c / m times the speed, and its share that is left
            if (!turns) CHECK_NEAR(v.linear.x, u, 1e-15 * (1.0 + h * c / m));
            if (i % 3 != 0) CHECK_NEAR(v.angular.x, w, 1e-15 * (1.0 + h * d / J));
        }
        run_close(&r);
    }
}

// (1 + h alpha) p+ = p + h f of every momentum p, whatever h alpha is: here 0.1 and 1e5. On a slide, on a hinge a
// metre from the centre of mass, and of a body that flies.                          [COOK Sec 4]
TEST(mass_damping_steps_by_implicit_euler)
{
    for (int i = 0; i < 6; i++) {
        const double h = 0.01;
        const double m = 2.0;
        const double rate = i / 3 == 0 ? 10.0 : 1e7;
        const bool turns = i % 3 == 1;
        tml_spec* spec = tml_spec_create();
        run r;
        tml_spec_set_gravity(spec, v3(-9.81, 0.0, 0.0));
        tml_spec_set_rayleigh(spec, rate, 0.0);
        const tml_body b = add_block(spec, m, v3(0.0, turns ? 1.0 : 0.0, 0.0));
        const tml_joint_def joint =
            joint_along_x(turns ? TML_JOINT_REVOLUTE : TML_JOINT_PRISMATIC, TML_WORLD, b);
        if (i % 3 < 2) tml_spec_add_joint(spec, &joint);
        tml_wrench_def twist = {.body = b};
        twist.torque[0] = tml_control_constant(3.0);
        tml_spec_add_wrench(spec, &twist);
        CHECK(start(&r, spec, TML_FORM_GENERALIZED, h) == TML_OK);
        const double J = 0.1 * m + (turns ? m : 0.0);
        double u = 0.0;
        double w = 0.0;
        for (int n = 0; n < 50; n++) {
            CHECK(run_step(&r) == TML_OK);
            u = (u - h * 9.81) / (1.0 + h * rate);
            w = (w + h * 3.0 / J) / (1.0 + h * rate);
            const tml_velocity v = tml_sim_velocity(r.sim, b);
            // rounding of what is explicit, h alpha times the speed; at h alpha = 0.1 that of ten steps adds up
            const double rounding = 1e-15 * (10.0 + h * rate);
            if (!turns) CHECK_NEAR(v.linear.x, u, rounding);
            if (i % 3 != 0) CHECK_NEAR(v.angular.x, w, rounding);
        }
        run_close(&r);
    }
}

// Springs at a ball, across a loop's hinge, along a path of three points, and a servo: all fall to the
// motion of maximal coordinates at order 1.
static tml_vec3 stiff_mechanism(tml_formulation formulation, double step)
{
    tml_spec* spec = tml_spec_create();
    run r;
    const tml_body a = add_block(spec, 1.0, v3(0.5, 0.0, 0.0));
    const tml_body b = add_block(spec, 2.0, v3(1.0, 0.0, -0.5));
    tml_joint_def ball = joint_along_x(TML_JOINT_SPHERICAL, TML_WORLD, a);
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
        ball.axis_of[k].stiffness = 300.0;
        ball.axis_of[k].damping = 5.0;
    }
    tml_spec_add_joint(spec, &ball);
    tml_joint_def hinge = joint_along_x(TML_JOINT_REVOLUTE, a, b);
    hinge.position = v3(1.0, 0.0, 0.0);
    hinge.axis = v3(0.0, 1.0, 0.0);
    hinge.axis_of[TML_AXIS_RX].has_servo = 1;
    hinge.axis_of[TML_AXIS_RX].servo_stiffness = 500.0;
    hinge.axis_of[TML_AXIS_RX].servo_damping = 10.0;
    tml_spec_add_joint(spec, &hinge);
    tml_joint_def slot = joint_along_x(TML_JOINT_FREE, TML_WORLD, b);
    slot.position = v3(1.0, 0.0, -0.5);
    slot.axis_of[TML_AXIS_TZ].stiffness = 2e3;
    slot.axis_of[TML_AXIS_TZ].damping = 30.0;
    slot.axis_of[TML_AXIS_TX].stiffness = 500.0;
    tml_spec_add_joint(spec, &slot);
    const tml_point points[3] = {{TML_WORLD, v3(0.0, 1.0, 0.0)}, {a, v3_zero()}, {b, v3_zero()}};
    const tml_spring_def tendon = {
        .point_count = 3, .points = points, .stiffness = 400.0, .damping = 4.0, .rest_length = 1.0};
    tml_spec_add_spring(spec, &tendon);
    CHECK(start(&r, spec, formulation, step) == TML_OK);
    CHECK(run_steps(&r, (int)(0.4 / step + 0.5)) == TML_OK);
    const tml_vec3 where = tml_sim_pose(r.sim, b).p;
    run_close(&r);
    return where;
}

TEST(springs_of_every_kind_agree_with_maximal_coordinates_at_order_one)
{
    const tml_vec3 truth = stiff_mechanism(TML_FORM_QUATERNION, 5e-5);
    double off[2];
    for (int k = 0; k < 2; k++) {
        const tml_vec3 at = stiff_mechanism(TML_FORM_GENERALIZED, k == 0 ? 4e-3 : 2e-3);
        off[k] = v3_norm(v3_sub(at, truth));
    }
    printf("off by %.2e m at 4 ms and %.2e m at 2 ms\n", off[0], off[1]);
    CHECK(off[1] < 0.02);
    CHECK(log2(off[0] / off[1]) > 0.8);
}

// A block of 4 kg on a stiff spring is pressed onto the ground by a stiffer one from above: the ground
// carries k_2 s_2 + m g - k_1 s_1.
TEST(stiff_springs_hold_beside_contacts)
{
    tml_spec* spec = tml_spec_create();
    run r;
    add_ground(spec, 0.5, 0.0);
    tml_body_def def = tml_body_def_default();
    tml_shape_def box = shape_of(TML_SHAPE_BOX, v3(0.2, 0.2, 0.2), 0.5);
    def.mass = 4.0;
    def.pose.p = v3(0.0, 0.0, 0.1);
    for (int k = 0; k < 3; k++) def.inertia[k] = 0.03;
    def.shapes = &box;
    def.shape_count = 1;
    const tml_body b = tml_spec_add_body(spec, &def);
    add_path(spec, TML_WORLD, v3(0.0, 0.0, 1.12), b, v3_zero(), 1e6, 0.0);   // pulls by 0.02 m
    add_path(spec, TML_WORLD, v3(0.0, 0.0, -0.95), b, v3_zero(), 5e5, 0.0);  // pulls by 0.05 m
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_BDF1;
    r.settings.step = 0.01;
    r.settings.contact.is_on = 1;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 100) == TML_OK);
    CHECK_NEAR(tml_sim_pose(r.sim, b).p.z, 0.1, 1e-6);
    CHECK_NEAR(force_on(&r, b).z, 4.0 * 9.81 + 5e5 * 0.05 - 1e6 * 0.02, 1e-6 * 1.5e6);
    run_close(&r);
}
