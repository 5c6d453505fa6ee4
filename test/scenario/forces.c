// test/scenario/forces.c - springs, dampers, servos, drag, wrenches, compliance and couplings
// against motions that are known in closed form.
#include "test/check.h"
#include "test/scenario/run.h"

static double coordinate(const run* r, int joint)
{
    double all[TML_AXES] = {0.0};
    return tml_sim_joint_coordinates(r->sim, (tml_joint){joint}, all) > 0 ? all[0] : (double)NAN;
}

// ---- one body on one free axis: x is its coordinate

typedef struct rig {
    tml_spec* spec;
    tml_body_def body;
    tml_joint_def joint;
} rig;

static const double mass = 1.7;
static const double moment = 0.03;  // about x, kg m^2

// A slide or a hinge along world x, without gravity.
static rig rig_of(tml_joint_kind kind)
{
    rig r = {.spec = tml_spec_create(), .body = tml_body_def_default()};
    r.body.mass = mass;
    r.body.inertia[0] = moment;
    r.body.inertia[1] = r.body.inertia[2] = 0.02;
    r.joint = tml_joint_def_default();
    r.joint.kind = kind;
    r.joint.axis = v3(1.0, 0.0, 0.0);
    tml_spec_set_gravity(r.spec, v3_zero());
    return r;
}

static tml_joint_axis* axis_of(rig* r)
{
    return &r->joint.axis_of[r->joint.kind == TML_JOINT_PRISMATIC ? TML_AXIS_TX : TML_AXIS_RX];
}

static void finish(rig* g, run* r)
{
    g->joint.follower = tml_spec_add_body(g->spec, &g->body);
    tml_spec_add_joint(g->spec, &g->joint);
    CHECK(run_freeze(r, g->spec) == TML_OK);
}

typedef double (*closed_form)(double t);

// The largest distance of the coordinate from a closed form over `duration`.
static double distance_from(run* r, closed_form x, tml_integrator integrator, int steps,
                            double duration)
{
    double off = 0.0;
    r->settings.integrator = integrator;
    r->settings.step = duration / steps;
    CHECK(run_start(r) == TML_OK);
    for (int k = 0; k <= steps; k++) {
        off = larger_of(fabs(coordinate(r, 0) - x(tml_sim_time(r->sim))), off);
        if (k < steps) CHECK(run_step(r) == TML_OK);
    }
    return off;
}

// Errors must vanish at the order of the method; the model is given up.
static void check_closed_form(run* r, const char* what, closed_form x, double duration)
{
    for (int order = 2; order <= 4; order += 2) {
        const tml_integrator bdf = (tml_integrator)((int)TML_TIME_BDF1 + order - 1);
        const double coarse = distance_from(r, x, bdf, 200, duration);
        const double fine = distance_from(r, x, bdf, 400, duration);
        printf("%-28s bdf%d: off by %.1e, order %.2f\n", what, order, fine, log2(coarse / fine));
        // 1e-11: rounding where the method is exact
        CHECK(fine < 1e-11 || log2(coarse / fine) > order - 0.1);
        CHECK(fine < (order == 2 ? 2e-3 : 1e-6));
    }
    run_close(r);
}

// ---- springs and dampers on an axis

static const double stiffness = 60.0;
static const double damping = 3.0;
static const double rest = 0.12;

static double undamped(double t)
{
    const double w = sqrt(stiffness / mass);
    return rest * (1.0 - cos(w * t));
}

static double damped_with(double inertia, double k, double d, double target, double t)
{
    const double decay = 0.5 * d / inertia;
    const double w = sqrt(k / inertia - decay * decay);
    return target * (1.0 - exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t)));
}

static double damped(double t) { return damped_with(mass, stiffness, damping, rest, t); }
static double damped_turn(double t) { return damped_with(moment, 2.0, 0.06, rest, t); }

TEST(an_axis_spring_oscillates_at_its_frequency)
{
    rig g = rig_of(TML_JOINT_PRISMATIC);
    run r;
    axis_of(&g)->stiffness = stiffness;
    axis_of(&g)->rest = rest;
    finish(&g, &r);
    check_closed_form(&r, "axis spring", undamped, 1.0);
}

TEST(an_axis_spring_with_damper_decays_at_its_rate)
{
    rig g = rig_of(TML_JOINT_PRISMATIC);
    run r;
    axis_of(&g)->stiffness = stiffness;
    axis_of(&g)->damping = damping;
    axis_of(&g)->rest = rest;
    finish(&g, &r);
    check_closed_form(&r, "axis spring and damper", damped, 1.0);
}

TEST(a_torsion_spring_with_damper_decays_at_its_rate)
{
    rig g = rig_of(TML_JOINT_REVOLUTE);
    run r;
    axis_of(&g)->stiffness = 2.0;
    axis_of(&g)->damping = 0.06;
    axis_of(&g)->rest = rest;
    finish(&g, &r);
    check_closed_form(&r, "torsion spring and damper", damped_turn, 1.0);
}

// ---- servos

TEST(a_servo_answers_a_step_like_a_spring_and_damper)
{
    rig g = rig_of(TML_JOINT_REVOLUTE);
    run r;
    tml_joint_axis* a = axis_of(&g);
    a->has_servo = 1;
    a->servo_target = tml_control_constant(rest);
    a->servo_stiffness = 2.0;
    a->servo_damping = 0.06;
    finish(&g, &r);
    check_closed_form(&r, "servo, constant target", damped_turn, 1.0);
}

static const double ramp_times[2] = {0.0, 100.0};
static const double ramp_values[2] = {0.0, 50.0};

// Behind a ramp v t the error e = v t - x obeys m e'' + d e' + k e = 0 from e' = v.
static double behind_ramp(double t)
{
    const double decay = 0.5 * 0.06 / moment;
    const double w = sqrt(2.0 / moment - decay * decay);
    return 0.5 * t - 0.5 * exp(-decay * t) * sin(w * t) / w;
}

TEST(a_servo_catches_up_with_a_ramp)
{
    rig g = rig_of(TML_JOINT_REVOLUTE);
    run r;
    tml_joint_axis* a = axis_of(&g);
    a->has_servo = 1;
    a->servo_target = (tml_control){
        .kind = TML_CONTROL_TABLE, .count = 2, .times = ramp_times, .samples = ramp_values};
    a->servo_stiffness = 2.0;
    a->servo_damping = 0.06;
    finish(&g, &r);
    check_closed_form(&r, "servo, moving target", behind_ramp, 2.0);
}

// ---- point springs

// Between the world and a body on a slide, in line with it.
TEST(a_point_spring_in_line_with_a_slide_is_an_axis_spring)
{
    rig g = rig_of(TML_JOINT_PRISMATIC);
    run r;
    g.joint.follower = tml_spec_add_body(g.spec, &g.body);
    tml_spec_add_joint(g.spec, &g.joint);
    const tml_point ends[2] = {{TML_WORLD, {-2.0, 0.0, 0.0}}, {g.joint.follower, {0.3, 0.0, 0.0}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = ends;
    spring.stiffness = stiffness;
    spring.damping = damping;
    spring.rest_length = 2.3 + rest;
    tml_spec_add_spring(g.spec, &spring);
    CHECK(run_freeze(&r, g.spec) == TML_OK);
    check_closed_form(&r, "point spring and damper", damped, 1.0);
}

// Two free bodies on a spring: the reduced mass sets the frequency, the middle stays.
TEST(two_free_bodies_on_a_spring_oscillate_about_their_centre_of_mass)
{
    double off[2];
    for (int level = 0; level < 2; level++) {
        tml_spec* spec = tml_spec_create();
        tml_body_def a = tml_body_def_default();
        tml_body_def b = tml_body_def_default();
        run r;
        tml_spec_set_gravity(spec, v3_zero());
        a.mass = 2.0;
        b.mass = 3.0;
        b.pose.p = v3(0.6, 0.0, 0.8);  // 1 m apart
        const tml_point ends[2] = {{tml_spec_add_body(spec, &a), {0.0, 0.0, 0.0}},
                                   {tml_spec_add_body(spec, &b), {0.0, 0.0, 0.0}}};
        tml_spring_def spring = tml_spring_def_default();
        spring.point_count = 2;
        spring.points = ends;
        spring.stiffness = stiffness;
        spring.rest_length = 0.9;
        tml_spec_add_spring(spec, &spring);
        CHECK(run_freeze(&r, spec) == TML_OK);
        r.settings.step = 0.005 / (1 << level);
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 200 << level) == TML_OK);
        const vec3 p = tml_sim_pose(r.sim, (tml_body){0}).p;
        const vec3 q = tml_sim_pose(r.sim, (tml_body){1}).p;
        const double w = sqrt(stiffness * (1.0 / 2.0 + 1.0 / 3.0));
        off[level] = fabs(v3_norm(v3_sub(q, p)) - (0.9 + 0.1 * cos(w * 1.0)));
        const vec3 middle = v3_add(v3_scale(0.4, p), v3_scale(0.6, q));
        // a velocity is a difference of positions over h: 400 steps of a few roundings
        CHECK_NEAR(v3_max(v3_sub(middle, v3(0.36, 0.0, 0.48))), 0.0, 1e-12);
        run_close(&r);
    }
    CHECK_NEAR(log2(off[0] / off[1]), 2.0, 0.1);
}

// A tendon over a point of the world and back is as stiff as four springs side by side.
TEST(a_tendon_that_runs_twice_pulls_twice)
{
    rig g = rig_of(TML_JOINT_PRISMATIC);
    run r;
    g.joint.follower = tml_spec_add_body(g.spec, &g.body);
    tml_spec_add_joint(g.spec, &g.joint);
    // world - body - world, all in line: the length changes by twice the coordinate
    const tml_point path[3] = {{TML_WORLD, {-2.0, 0.0, 0.0}},
                               {g.joint.follower, {0.0, 0.0, 0.0}},
                               {TML_WORLD, {-1.0, 0.0, 0.0}}};
    tml_spring_def tendon = tml_spring_def_default();
    tendon.point_count = 3;
    tendon.points = path;
    tendon.stiffness = stiffness / 4.0;
    tendon.damping = damping / 4.0;
    tendon.rest_length = 3.0 + 2.0 * rest;
    tml_spec_add_spring(g.spec, &tendon);
    CHECK(run_freeze(&r, g.spec) == TML_OK);
    check_closed_form(&r, "tendon, two strands", damped, 1.0);
}

// Nonlinear laws keep their energy: quadratic, and a table of three slopes.
TEST(nonlinear_springs_trade_energy_without_loss)
{
    static const double extensions[4] = {-0.5, -0.1, 0.1, 0.5};
    static const double forces[4] = {-20.0, -2.0, 2.0, 30.0};
    for (int law = 0; law < 2; law++) {
        double lost[2];
        for (int level = 0; level < 2; level++) {
            rig g = rig_of(TML_JOINT_PRISMATIC);
            run r;
            g.joint.follower = tml_spec_add_body(g.spec, &g.body);
            tml_spec_add_joint(g.spec, &g.joint);
            const tml_point ends[2] = {{TML_WORLD, {-2.0, 0.0, 0.0}},
                                       {g.joint.follower, {0.0, 0.0, 0.0}}};
            tml_spring_def spring = tml_spring_def_default();
            spring.point_count = 2;
            spring.points = ends;
            spring.rest_length = 1.7;  // 0.3 m stretched
            spring.law = law == 0 ? TML_SPRING_QUADRATIC : TML_SPRING_TABLE;
            spring.stiffness = 100.0;
            spring.table_count = 4;
            spring.table_extensions = extensions;
            spring.table_forces = forces;
            tml_spec_add_spring(g.spec, &spring);
            CHECK(run_freeze(&r, g.spec) == TML_OK);
            r.settings.step = 0.002 / (1 << level);
            CHECK(run_start(&r) == TML_OK);
            const double before = run_energy(&r);
            double lowest = before;
            double kinetic = 0.0;
            for (int k = 0; k < 500 << level; k++) {
                CHECK(run_step(&r) == TML_OK);
                if (run_energy(&r) < lowest) lowest = run_energy(&r);
                kinetic = larger_of(tml_sim_energy(r.sim).kinetic, kinetic);
            }
            lost[level] = (before - lowest) / before;
            CHECK(kinetic > 0.9 * before);  // it did move
            // by hand: 100/3 0.3^3 = 0.9 J, and 2 0.1 / 2 + (2 + 16) / 2 0.2 = 1.9 J
            CHECK_NEAR(before, law == 0 ? 0.9 : 1.9, 1e-12);
            run_close(&r);
        }
        CHECK(lost[0] < 2e-3 && lost[1] < 0.3 * lost[0]);
    }
}

// ---- implicit at large steps

TEST(a_stiff_spring_does_not_blow_up_at_any_step)
{
    static const tml_integrator stable[3] = {TML_TIME_BDF1, TML_TIME_BDF2, TML_TIME_SDIRK2};
    for (int i = 0; i < 3; i++) {
        rig g = rig_of(TML_JOINT_PRISMATIC);
        run r;
        axis_of(&g)->stiffness = 1e8;  // 1.2 kHz
        axis_of(&g)->rest = rest;
        finish(&g, &r);
        r.settings.integrator = stable[i];
        r.settings.step = 0.1;
        CHECK(run_start(&r) == TML_OK);
        double farthest = 0.0;
        for (int k = 0; k < 50; k++) {
            CHECK(run_step(&r) == TML_OK);
            farthest = larger_of(fabs(coordinate(&r, 0) - rest), farthest);
        }
        CHECK(farthest <= rest);                    // never beyond where it started
        CHECK_NEAR(coordinate(&r, 0), rest, 1e-6);  // and soon at rest
        run_close(&r);
    }
}

// ---- drag and wrenches

static double falling(double t)
{
    // m v' = -m g - c (v - wind): v tends to wind - m g / c
    const double c = 4.0;
    const double end = 0.8 - mass * 9.81 / c;
    const double rate = c / mass;
    return end * t + end / rate * (exp(-rate * t) - 1.0);
}

TEST(a_body_with_drag_falls_at_its_terminal_velocity)
{
    rig g = rig_of(TML_JOINT_PRISMATIC);
    run r;
    tml_drag_def drag = tml_drag_def_default();
    tml_spec_set_gravity(g.spec, v3(-9.81, 0.0, 0.0));
    g.joint.follower = tml_spec_add_body(g.spec, &g.body);
    tml_spec_add_joint(g.spec, &g.joint);
    drag.body = g.joint.follower;
    drag.linear = 4.0;
    drag.wind = v3(0.8, 3.0, -1.0);
    tml_spec_add_drag(g.spec, &drag);
    CHECK(run_freeze(&r, g.spec) == TML_OK);
    r.settings.step = 0.05;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 400) == TML_OK);
    // 20 s are 47 time constants
    CHECK_NEAR(tml_sim_velocity(r.sim, (tml_body){0}).linear.x, 0.8 - mass * 9.81 / 4.0, 1e-11);
    check_closed_form(&r, "drag in a wind", falling, 1.0);
}

static double spinning_down(double t)
{
    const double rate = 0.05 / moment;
    return 3.0 / rate * (1.0 - exp(-rate * t));
}

TEST(angular_drag_slows_a_wheel_exponentially)
{
    rig g = rig_of(TML_JOINT_REVOLUTE);
    run r;
    tml_drag_def drag = tml_drag_def_default();
    g.body.velocity.angular = v3(3.0, 0.0, 0.0);
    g.joint.follower = tml_spec_add_body(g.spec, &g.body);
    tml_spec_add_joint(g.spec, &g.joint);
    drag.body = g.joint.follower;
    drag.angular = 0.05;
    tml_spec_add_drag(g.spec, &drag);
    CHECK(run_freeze(&r, g.spec) == TML_OK);
    check_closed_form(&r, "angular drag", spinning_down, 1.0);
}

// A sine force and a sine torque: x = (A / I w^2) (w t - sin w t).
static double shaken(double t)
{
    const double w = 2.0 * TML_PI * 1.5;
    return 6.0 / (mass * w * w) * (w * t - sin(w * t));
}

static double twisted(double t)
{
    const double w = 2.0 * TML_PI * 1.5;
    return 0.2 / (moment * w * w) * (w * t - sin(w * t));
}

TEST(wrenches_push_and_twist)
{
    for (int i = 0; i < 2; i++) {
        rig g = rig_of(i == 0 ? TML_JOINT_PRISMATIC : TML_JOINT_REVOLUTE);
        run r;
        tml_wrench_def wrench = tml_wrench_def_default();
        g.joint.follower = tml_spec_add_body(g.spec, &g.body);
        tml_spec_add_joint(g.spec, &g.joint);
        wrench.body = g.joint.follower;
        wrench.point = v3(0.2, 0.4, -0.1);
        if (i == 0) wrench.force[0] = tml_control_sine(0.0, 6.0, 1.5, 0.0);
        if (i == 1) wrench.torque[0] = tml_control_sine(0.0, 0.2, 1.5, 0.0);
        tml_spec_add_wrench(g.spec, &wrench);
        CHECK(run_freeze(&r, g.spec) == TML_OK);
        check_closed_form(&r, i == 0 ? "wrench, force" : "wrench, torque",
                          i == 0 ? shaken : twisted, 1.0);
    }
}
