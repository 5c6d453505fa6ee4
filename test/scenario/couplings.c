// test/scenario/couplings.c - rows that tie coordinates, and rows that give way.
#include "test/check.h"
#include "test/scenario/run.h"

static double coordinate(const run* r, int joint)
{
    double all[TML_AXES] = {0.0};
    return tml_sim_joint_coordinates(r->sim, (tml_joint){joint}, all) > 0 ? all[0] : (double)NAN;
}

// ---- gears

TEST(the_gears_of_the_scene_keep_their_ratio_and_share_the_torque)
{
    for (int i = TML_TIME_BDF1; i <= TML_TIME_SDIRK2; i++) {
        run r;
        CHECK(run_begin(&r, "gears", (tml_integrator)i, 0.005) == TML_OK);
        for (int k = 0; k < 200; k++) {
            CHECK(run_step(&r) == TML_OK);
            CHECK_NEAR(0.2 * coordinate(&r, 0) + 0.1 * coordinate(&r, 1), 0.0, 1e-10);
            // the teeth push both wheels with one force, over arms of 0.2 and 0.1 m; the large
            // wheel also feels its motor and its damper
            const double t = tml_sim_time(r.sim);
            const double motor = 3.0 * sin(2.0 * TML_PI * 0.5 * t);
            const double damper = -0.05 * tml_sim_velocity(r.sim, (tml_body){0}).angular.z;
            const double large = tml_sim_joint_load(r.sim, (tml_joint){0}).moment.x;
            const double small = tml_sim_joint_load(r.sim, (tml_joint){1}).moment.x;
            CHECK_NEAR(large - motor - damper, 2.0 * small, 1e-9);  // N m; noise of 1e-16 / h^2
        }
        run_close(&r);
    }
}

typedef struct wheels {
    tml_spec* spec;
    tml_joint joint[2];
    double inertia[2];  // of the coordinate: kg m^2, or kg for a slide
} wheels;

// Two bodies on the world along x, hinges or slides, the first one pushed by a constant force.
static wheels pair_of(tml_joint_kind first, tml_joint_kind second, double force)
{
    const tml_joint_kind kinds[2] = {first, second};
    wheels w = {.spec = tml_spec_create()};
    tml_spec_set_gravity(w.spec, v3_zero());
    for (int i = 0; i < 2; i++) {
        tml_body_def body = tml_body_def_default();
        tml_joint_def joint = tml_joint_def_default();
        body.mass = 1.5 + i;
        body.inertia[0] = 0.02 + 0.03 * i;
        body.inertia[1] = body.inertia[2] = 0.04;
        body.pose.p = v3(0.0, 0.5 * i, 0.0);
        joint.kind = kinds[i];
        joint.follower = tml_spec_add_body(w.spec, &body);
        joint.position = body.pose.p;
        joint.axis = v3(1.0, 0.0, 0.0);
        const int is_slide = kinds[i] == TML_JOINT_PRISMATIC;
        tml_joint_axis* axis = &joint.axis_of[is_slide ? TML_AXIS_TX : TML_AXIS_RX];
        if (i == 0) {
            axis->actuation = TML_FORCE;
            axis->control = tml_control_constant(force);
        }
        w.joint[i] = tml_spec_add_joint(w.spec, &joint);
        w.inertia[i] = is_slide ? body.mass : body.inertia[0];
    }
    return w;
}

static tml_axis free_axis(tml_joint_kind kind)
{
    return kind == TML_JOINT_PRISMATIC ? TML_AXIS_TX : TML_AXIS_RX;
}

// x2 = n x1: the force sees I1 + n^2 I2, so x1 = F t^2 / 2 (I1 + n^2 I2). BDF2 is exact on it.
TEST(a_gear_adds_the_squared_ratio_of_the_inertia_behind_it)
{
    static const tml_joint_kind kinds[3][2] = {{TML_JOINT_REVOLUTE, TML_JOINT_REVOLUTE},
                                               {TML_JOINT_REVOLUTE, TML_JOINT_PRISMATIC},
                                               {TML_JOINT_PRISMATIC, TML_JOINT_REVOLUTE}};
    const double ratio = -2.5;
    for (int i = 0; i < 3; i++) {
        wheels w = pair_of(kinds[i][0], kinds[i][1], 0.6);
        run r;
        const tml_coupling_term terms[2] = {
            {w.joint[0], free_axis(kinds[i][0]), 1, {ratio}},
            {w.joint[1], free_axis(kinds[i][1]), 1, {-1.0}},
        };
        tml_coupling_def coupling = tml_coupling_def_default();
        coupling.term_count = 2;
        coupling.terms = terms;
        CHECK(tml_spec_add_coupling(w.spec, &coupling) == TML_OK);
        CHECK(run_freeze(&r, w.spec) == TML_OK);
        r.settings.step = 0.01;
        CHECK(run_start(&r) == TML_OK);
        const double inertia = w.inertia[0] + ratio * ratio * w.inertia[1];
        for (int k = 0; k < 50; k++) {
            CHECK(run_step(&r) == TML_OK);
            const double t = tml_sim_time(r.sim);
            // quaternions are not exact on a constant acceleration: h^2 of a turn of 0.5 rad
            CHECK_NEAR(coordinate(&r, 0), 0.5 * 0.6 / inertia * t * t, 1e-4);
            CHECK_NEAR(coordinate(&r, 1), ratio * coordinate(&r, 0), 1e-10);
            const tml_load load = tml_sim_joint_load(r.sim, w.joint[1]);
            const double behind = kinds[i][1] == TML_JOINT_PRISMATIC ? load.force.x : load.moment.x;
            CHECK_NEAR(behind, w.inertia[1] * ratio * 0.6 / inertia, 2e-3);
        }
        run_close(&r);
    }
}

// A cam: x2 = 0.3 x1 + 0.2 x1^2 - 0.1 x1^3, driven from the first; speed follows the slope.
TEST(a_polynomial_coupling_is_a_cam)
{
    double lost[2];
    for (int level = 0; level < 2; level++) {
        wheels w = pair_of(TML_JOINT_REVOLUTE, TML_JOINT_PRISMATIC, 0.9);
        run r;
        const tml_coupling_term terms[2] = {
            {w.joint[0], TML_AXIS_RX, 3, {0.3, 0.2, -0.1}},
            {w.joint[1], TML_AXIS_TX, 1, {-1.0}},
        };
        tml_coupling_def coupling = tml_coupling_def_default();
        coupling.term_count = 2;
        coupling.terms = terms;
        CHECK(tml_spec_add_coupling(w.spec, &coupling) == TML_OK);
        CHECK(run_freeze(&r, w.spec) == TML_OK);
        r.settings.step = 0.01 / (1 << level);
        CHECK(run_start(&r) == TML_OK);
        lost[level] = 0.0;
        for (int k = 0; k < 100 << level; k++) {
            CHECK(run_step(&r) == TML_OK);
            const double q = coordinate(&r, 0);
            CHECK_NEAR(coordinate(&r, 1), 0.3 * q + 0.2 * q * q - 0.1 * q * q * q, 1e-10);
            // the motor's work is all the energy there is
            const double imbalance = fabs(tml_sim_energy(r.sim).kinetic - 0.9 * q);
            lost[level] = larger_of(imbalance, lost[level]);
        }
        CHECK(coordinate(&r, 0) > 0.8);  // far enough for the cubic term to matter
        run_close(&r);
    }
    printf("cam: energy off by %.1e, %.1e J\n", lost[0], lost[1]);
    CHECK_NEAR(log2(lost[0] / lost[1]), 2.0, 0.2);
}

// An offset is part of the row, and coordinates that contradict it are refused by name.
TEST(a_coupling_that_does_not_hold_at_the_start_is_refused)
{
    wheels w = pair_of(TML_JOINT_REVOLUTE, TML_JOINT_REVOLUTE, 0.0);
    run r;
    const tml_coupling_term terms[2] = {{w.joint[0], TML_AXIS_RX, 1, {1.0}},
                                        {w.joint[1], TML_AXIS_RX, 1, {-1.0}}};
    tml_coupling_def coupling = tml_coupling_def_default();
    coupling.name = "belt";
    coupling.term_count = 2;
    coupling.terms = terms;
    coupling.offset = 0.1;
    CHECK(tml_spec_add_coupling(w.spec, &coupling) == TML_OK);
    CHECK(run_freeze(&r, w.spec) == TML_OK);
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_BAD_ARGUMENT);
    CHECK_TEXT(tml_sim_message(r.sim),
               "1 coupling is open at the start (tolerance 1e-10): coupling 'belt' off by 0.1");
    CHECK_NEAR(tml_model_summarise(r.model).max_gap, 0.1, 1e-15);
    CHECK(tml_model_coupling_count(r.model) == 1);
    CHECK_TEXT(tml_model_coupling_name(r.model, 0), "belt");
    CHECK_TEXT(tml_model_coupling_name(r.model, 1), "?");
    run_close(&r);
}

// Nothing can open or close a row between bodies that never move: it carries nothing.
TEST(a_coupling_of_fixed_bodies_only_disturbs_nobody)
{
    static const tml_solver solvers[] = {TML_SOLVER_AUTO, TML_SOLVER_DENSE, TML_SOLVER_KLU,
                                         TML_SOLVER_AUGMENTED};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        run r;
        tml_spec* spec = tml_spec_create();
        tml_body_def def = tml_body_def_default();
        tml_spec_add_body(spec, &def);
        def.is_fixed = 1;
        tml_joint_def hinge = tml_joint_def_default();
        hinge.kind = TML_JOINT_REVOLUTE;
        hinge.follower = tml_spec_add_body(spec, &def);
        const tml_coupling_term term = {tml_spec_add_joint(spec, &hinge), TML_AXIS_RX, 1, {1.0}};
        tml_coupling_def coupling = tml_coupling_def_default();
        coupling.term_count = 1;
        coupling.terms = &term;
        coupling.offset = 5e-11;  // open by less than the tolerance
        tml_spec_add_coupling(spec, &coupling);
        CHECK(run_freeze(&r, spec) == TML_OK);
        r.settings.solver = solvers[i];
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 10) == TML_OK);
        CHECK_NEAR(tml_sim_velocity(r.sim, (tml_body){0}).linear.z, -0.981, 1e-12);
        run_close(&r);
    }
}

// A long belt over one body: every term names the same two nodes.
TEST(a_coupling_may_name_the_same_joints_many_times)
{
    enum {
        TERMS = 40
    };
    wheels w = pair_of(TML_JOINT_REVOLUTE, TML_JOINT_REVOLUTE, 0.0);
    run r;
    tml_coupling_term terms[TERMS];
    for (int k = 0; k < TERMS; k++) {
        terms[k] = (tml_coupling_term){
            w.joint[k % 2], TML_AXIS_RX, 1, {k % 2 == 0 ? 1.0 / TERMS : -2.0 / TERMS}};
    }
    tml_coupling_def coupling = tml_coupling_def_default();
    coupling.term_count = TERMS;
    coupling.terms = terms;
    CHECK(tml_spec_add_coupling(w.spec, &coupling) == TML_OK);
    CHECK(run_freeze(&r, w.spec) == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 20) == TML_OK);
    double first[TML_AXES];
    double second[TML_AXES];
    tml_sim_joint_coordinates(r.sim, w.joint[0], first);
    tml_sim_joint_coordinates(r.sim, w.joint[1], second);
    CHECK_NEAR(first[0], 2.0 * second[0], 4e-10);  // the row to the tolerance, times TERMS / 20
    run_close(&r);
}

// ---- compliance

// A held axis that gives way by E per newton is a spring of 1 / E: the weight sinks and swings.
TEST(a_compliant_row_is_a_spring)
{
    const double E = 2e-3;  // m/N
    double off[2];
    for (int level = 0; level < 2; level++) {
        tml_spec* spec = tml_spec_create();
        tml_body_def body = tml_body_def_default();
        tml_joint_def joint = tml_joint_def_default();
        run r;
        body.mass = 1.5;
        joint.follower = tml_spec_add_body(spec, &body);
        joint.axis_of[TML_AXIS_TZ].compliance = E;
        tml_spec_add_joint(spec, &joint);
        CHECK(run_freeze(&r, spec) == TML_OK);
        r.settings.step = 0.002 / (1 << level);
        CHECK(run_start(&r) == TML_OK);
        const double w = sqrt(1.0 / (E * 1.5));
        const double sag = 1.5 * 9.81 * E;
        off[level] = 0.0;
        for (int k = 0; k < 200 << level; k++) {
            CHECK(run_step(&r) == TML_OK);
            const double t = tml_sim_time(r.sim);
            const vec3 p = tml_sim_pose(r.sim, (tml_body){0}).p;
            off[level] = larger_of(fabs(p.z + sag * (1.0 - cos(w * t))), off[level]);
            // the row's load is that of the spring, and the other rows do not move
            CHECK_NEAR(tml_sim_joint_load(r.sim, (tml_joint){0}).force.z, -p.z / E, 1e-9);
            CHECK_NEAR(tml_sim_gap(r.sim), 0.0, 1e-10);
        }
        run_close(&r);
    }
    printf("compliant row: off by %.1e, %.1e m\n", off[0], off[1]);
    CHECK_NEAR(log2(off[0] / off[1]), 2.0, 0.1);
}
