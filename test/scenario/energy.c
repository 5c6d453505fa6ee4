// test/scenario/energy.c - what each integrator loses or gains.           [QRBD Fig 4 Fig 5 Fig 6]
//
// The expected figures were measured with a prototype of the method that shares no code with the
// library (dense, 14 unknowns a body). They are stated with two digits, so the checks allow half a
// unit of the second.
#include "test/check.h"
#include "test/scenario/run.h"

typedef struct loss {
    double first, second, tenth;  // relative, after the first step, one second, ten seconds
} loss;

static loss handle_loss(tml_integrator integrator, tml_start start)
{
    loss out = {0.0, 0.0, 0.0};
    run r;
    CHECK(run_open(&r, "t-handle") == TML_OK);
    r.settings.integrator = integrator;
    r.settings.implicit.start = start;
    r.settings.step = 1e-3;
    CHECK(run_start(&r) == TML_OK);
    const double before = run_energy(&r);
    CHECK(run_steps(&r, 1) == TML_OK);
    out.first = run_energy(&r) / before - 1.0;
    CHECK(run_steps(&r, 999) == TML_OK);
    out.second = run_energy(&r) / before - 1.0;
    CHECK(run_steps(&r, 9000) == TML_OK);
    out.tenth = run_energy(&r) / before - 1.0;
    run_close(&r);
    return out;
}

// Half a unit of the second digit of a number like -5.6e-2.
static double half_digit(double value) { return 0.05 * pow(10.0, floor(log10(fabs(value)))); }

#define CHECK_TWO_DIGITS(actual, expected)                                                         \
    CHECK_NEAR((actual), (expected), 1.0001 * half_digit(expected))

TEST(the_t_handle_loses_energy_as_the_prototype_does)
{
    const loss bdf1 = handle_loss(TML_TIME_BDF1, TML_START_ACCURATE);
    const loss sdirk2 = handle_loss(TML_TIME_SDIRK2, TML_START_ACCURATE);
    const loss bdf2 = handle_loss(TML_TIME_BDF2, TML_START_SDIRK2);
    const loss russo = handle_loss(TML_TIME_SDIRK2_PARESCHI_RUSSO, TML_START_ACCURATE);
    const loss baseline = handle_loss(TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE);

    CHECK_TWO_DIGITS(bdf1.second, -1.9e-1);
    CHECK_TWO_DIGITS(bdf1.tenth, -7.0e-1);
    CHECK_NEAR(sdirk2.second, -5.6e-2, 1e-3);  // 5.655 stands beside the rounding of 5.6
    CHECK_TWO_DIGITS(sdirk2.tenth, -3.7e-1);
    CHECK_TWO_DIGITS(bdf2.second, -4.4e-5);
    CHECK_TWO_DIGITS(bdf2.tenth, -9.5e-5);
    CHECK_TWO_DIGITS(russo.first, -4.7e-5);
    CHECK_TWO_DIGITS(russo.second, -5.2e-5);
    CHECK_TWO_DIGITS(russo.tenth, -6.4e-5);
    CHECK_TWO_DIGITS(baseline.second, 1.5e-2);
    CHECK_TWO_DIGITS(baseline.tenth, 1.1e-1);

    // the order of the curves in the paper's figure
    CHECK(-bdf1.tenth > -sdirk2.tenth && -sdirk2.tenth > -bdf2.tenth && -bdf2.tenth > 0.0);
    CHECK(-russo.tenth < -bdf2.tenth);
}

TEST(an_accurate_start_loses_nothing_on_the_first_step)
{
    const loss accurate = handle_loss(TML_TIME_BDF2, TML_START_ACCURATE);
    const loss paper = handle_loss(TML_TIME_BDF2, TML_START_SDIRK2);
    CHECK_NEAR(accurate.first, 0.0, 1e-14);  // a few dozen roundings
    CHECK(paper.first < -1e-5);
    CHECK(fabs(accurate.tenth) < fabs(paper.tenth));
}

// Nothing pushes the handle, so what is lost must come back as the step shrinks: an oscillating
// part at order 2, a lasting one at order 3.
TEST(the_loss_of_bdf2_falls_with_the_step)
{
    double lost[2];
    for (int level = 0; level < 2; level++) {
        run r;
        CHECK(run_begin(&r, "t-handle", TML_TIME_BDF2, 2e-3 / (1 << level)) == TML_OK);
        const double before = run_energy(&r);
        CHECK(run_steps(&r, 500 << level) == TML_OK);
        lost[level] = 1.0 - run_energy(&r) / before;
        run_close(&r);
    }
    CHECK(log2(lost[0] / lost[1]) > 1.95 && log2(lost[0] / lost[1]) < 3.05);
}

// ---- the top                                                                      [QRBD Fig 5]

typedef struct top_run {
    double loss, gap;
} top_run;

static top_run spin_top(tml_integrator integrator, tml_start start)
{
    run r;
    CHECK(run_open(&r, "heavy-top") == TML_OK);
    r.settings.integrator = integrator;
    r.settings.implicit.start = start;
    r.settings.step = 2e-4;
    CHECK(run_start(&r) == TML_OK);
    const double before = run_energy(&r);
    CHECK(run_steps(&r, 5000) == TML_OK);
    const top_run out = {run_energy(&r) / before - 1.0, tml_sim_get_report(r.sim).max_gap};
    printf("top, %-22s 1 s at 0.2 ms: energy %+.2e, gap %.1e m\n", tml_integrator_name(integrator),
           out.loss, out.gap);
    run_close(&r);
    return out;
}

TEST(only_two_methods_let_the_top_leave_its_tip)  // [QRBD App D]
{
    const top_run bdf1 = spin_top(TML_TIME_BDF1, TML_START_ACCURATE);
    const top_run sdirk2 = spin_top(TML_TIME_SDIRK2, TML_START_ACCURATE);
    const top_run bdf2 = spin_top(TML_TIME_BDF2, TML_START_SDIRK2);
    const top_run russo = spin_top(TML_TIME_SDIRK2_PARESCHI_RUSSO, TML_START_ACCURATE);
    const top_run baseline = spin_top(TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE);

    CHECK_NEAR(bdf1.gap, 0.0, 1e-13);  // lengths of 0.04 m: rounding, no drift
    CHECK_NEAR(bdf2.gap, 0.0, 1e-13);
    CHECK_NEAR(sdirk2.gap, 0.0, 1e-13);
    CHECK(russo.gap > 1e-9);
    CHECK(baseline.gap > 1e-5);
    CHECK(-bdf1.loss > -sdirk2.loss && -sdirk2.loss > -bdf2.loss && -bdf2.loss > 0.0);
    CHECK(fabs(russo.loss) < fabs(bdf2.loss));
}

// ---- large turns                                                                  [QRBD Fig 6]

TEST(a_free_pendulum_slows_down_as_the_prototype_does)
{
    static const double cases[][2] = {{10.0, 0.99}, {30.0, 0.87}, {90.0, 0.44}};
    const double speed = 17.453292519943295769;
    for (int i = 0; i < 3; i++) {
        run r;
        CHECK(run_open(&r, "free-pendulum") == TML_OK);
        r.settings.implicit.start = TML_START_SDIRK2;
        r.settings.step = cases[i][0] * TML_PI / 180.0 / speed;
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 10) == TML_OK);
        const double ratio = tml_sim_velocity(r.sim, (tml_body){0}).angular.z / speed;
        CHECK_NEAR(ratio, cases[i][1], 0.005);  // stated with two digits
        run_close(&r);
    }
}

// ---- laws that hold for any motion

// Total momentum and angular momentum about the origin, world axes.
static void momenta(const run* r, vec3* linear, vec3* angular)
{
    *linear = v3_zero();
    *angular = v3_zero();
    for (int b = 0; b < tml_model_body_count(r->model); b++) {
        const tml_body body = {b};
        const tml_body_def* def = tml_model_body(r->model, body);
        const tml_pose pose = tml_sim_pose(r->sim, body);
        const tml_velocity v = tml_sim_velocity(r->sim, body);
        const vec3 arm = q_rotate(pose.q, def->com);
        const vec3 p = v3_scale(def->mass, v3_add(v.linear, v3_cross(v.angular, arm)));
        const vec3 w = q_rotate(q_conj(pose.q), v.angular);
        const double* J = def->inertia;
        const vec3 spin = {J[0] * w.x + J[3] * w.y + J[4] * w.z,
                           J[3] * w.x + J[1] * w.y + J[5] * w.z,
                           J[4] * w.x + J[5] * w.y + J[2] * w.z};
        *linear = v3_add(*linear, p);
        *angular = v3_add(*angular, v3_cross(v3_add(pose.p, arm), p));
        *angular = v3_add(*angular, q_rotate(pose.q, spin));
    }
}

// Two bodies on a joint in free fall: joint forces are internal, so momentum only gains m g t.
static tml_spec* falling_pair(tml_joint_kind kind)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def a = tml_body_def_default();
    tml_body_def b = tml_body_def_default();
    a.mass = 2.0;
    a.com = v3(0.03, -0.02, 0.01);
    a.velocity = (tml_velocity){{0.3, -0.2, 1.0}, {1.0, 2.0, -1.5}};
    b.pose.p = v3(0.4, 0.1, -0.2);
    b.inertia[3] = 5e-4;
    b.velocity = (tml_velocity){{-0.1, 0.4, 0.2}, {-2.0, 0.5, 1.0}};
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = kind;
    joint.base = tml_spec_add_body(spec, &a);
    joint.follower = tml_spec_add_body(spec, &b);
    joint.position = v3(0.2, 0.05, -0.1);
    joint.axis = v3(0.6, 0.0, 0.8);
    tml_spec_add_joint(spec, &joint);
    return spec;
}

// BDF keeps a linear invariant of the motion exactly: momentum is one, angular momentum is not.
TEST(joint_forces_never_change_the_momentum_of_a_falling_pair)
{
    for (int kind = 0; kind < TML_JOINT_KINDS; kind++) {
        run r;
        vec3 p[2];
        vec3 L[2];
        CHECK(run_freeze(&r, falling_pair((tml_joint_kind)kind)) == TML_OK);
        r.settings.step = 0.01;
        CHECK(run_start(&r) == TML_OK);
        momenta(&r, &p[0], &L[0]);
        CHECK(run_steps(&r, 50) == TML_OK);
        momenta(&r, &p[1], &L[1]);
        const vec3 gained = v3(0.0, 0.0, -9.81 * 3.0 * 0.5);
        // velocities are differences of positions over h: 50 steps of 1e-16 / 0.01 s
        CHECK_NEAR(v3_max(v3_sub(v3_sub(p[1], p[0]), gained)), 0.0, 1e-11);
        run_close(&r);
    }
}

// The moment of gravity about the origin is known, so what is missing is the method's error.
TEST(angular_momentum_of_a_falling_pair_converges)
{
    double off[2];
    for (int level = 0; level < 2; level++) {
        run r;
        vec3 p;
        vec3 L[2];
        vec3 moment = v3_zero();
        const double h = 2e-3 / (1 << level);
        CHECK(run_freeze(&r, falling_pair(TML_JOINT_UNIVERSAL)) == TML_OK);
        r.settings.step = h;
        CHECK(run_start(&r) == TML_OK);
        momenta(&r, &p, &L[0]);
        // the centre of mass follows a parabola: c = c0 + v0 t + g t^2 / 2, moment = m c x g
        const double t = 0.2;
        const vec3 c0 =
            v3_scale(1.0 / 3.0, v3_add(v3_scale(2.0, v3(0.03, -0.02, 0.01)), v3(0.4, 0.1, -0.2)));
        const vec3 g = v3(0.0, 0.0, -9.81);
        moment = v3_add(v3_scale(3.0 * t, v3_cross(c0, g)), v3_scale(0.5 * t * t, v3_cross(p, g)));
        CHECK(run_steps(&r, 100 << level) == TML_OK);
        momenta(&r, &p, &L[1]);
        off[level] = v3_max(v3_sub(v3_sub(L[1], L[0]), moment));
        run_close(&r);
    }
    printf("angular momentum off by %.1e, %.1e N m s\n", off[0], off[1]);
    CHECK(log2(off[0] / off[1]) > 1.9);  // order 2 at least
}
