// Derivatives of whole runs against differences of whole runs, and forwards against backwards.
#include "test/diff/mechanisms.h"
#include "test/diff/touching.h"

TEST(one_step_follows_the_physics_of_a_double_pendulum)
{
    check_physics(double_pendulum, quaternion_by(TML_TIME_BDF1), 1, "bdf1, 1 step");
    check_physics(double_pendulum, quaternion_by(TML_TIME_SDIRK2), 1, "sdirk2, 1 step");
    check_physics(double_pendulum, quaternion_by(TML_TIME_SDIRK2_PARESCHI_RUSSO), 1,
                  "pareschi-russo, 1 step");
    check_physics(double_pendulum, quaternion_by(TML_TIME_BDF2), 1, "accurate start");
}

TEST(eight_steps_follow_the_physics_of_a_double_pendulum)
{
    check_physics(double_pendulum, quaternion_by(TML_TIME_BDF1), 8, "bdf1");
    check_physics(double_pendulum, (method){TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_SDIRK2},
                  8, "bdf2, sdirk2 start");
    check_physics(double_pendulum, quaternion_by(TML_TIME_BDF2), 8, "bdf2");
    check_physics(double_pendulum, quaternion_by(TML_TIME_BDF4), 8, "bdf4");
    check_physics(double_pendulum, quaternion_by(TML_TIME_SDIRK2), 8, "sdirk2");
    check_physics(double_pendulum, quaternion_by(TML_TIME_SDIRK2_PARESCHI_RUSSO), 20,
                  "pareschi-russo");
}

TEST(a_redundant_loop_has_the_same_derivatives)
{
    check_physics(four_bar, quaternion_by(TML_TIME_BDF1), 8, "bdf1, four-bar");
    check_physics(four_bar, quaternion_by(TML_TIME_BDF2), 8, "bdf2, four-bar");
}

TEST(designs_change_motions_loads_and_energies_of_a_double_pendulum)
{
    check_design(double_pendulum, quaternion_by(TML_TIME_BDF1), 1, "design, bdf1, 1 step");
    check_design(double_pendulum, quaternion_by(TML_TIME_BDF2), 1, "design, accurate start");
    check_design(double_pendulum, quaternion_by(TML_TIME_BDF2), 8, "design, bdf2");
}

TEST(rayleigh_damping_and_muscles_act)  // [COOK Sec 4]
{
    check_design(damped_arm, quaternion_by(TML_TIME_BDF1), 4, "damped arm, bdf1");
    check_design(damped_arm, quaternion_by(TML_TIME_BDF2), 4, "damped arm, bdf2");
}

TEST(designs_change_a_chain_of_every_joint)
{
    check_thinned(every_joint, quaternion_by(TML_TIME_BDF2), 3, "every joint, bdf2");
}

TEST(least_norm_loads_with_weights_follow_the_physics)
{
    check_loads(quaternion_by(TML_TIME_BDF2), 0, "least-norm loads, at rest");
    check_loads(quaternion_by(TML_TIME_BDF2), 6, "least-norm loads");
}

TEST(limits_push_while_everything_else_changes)
{
    check_limit(quaternion_by(TML_TIME_BDF1), 6, "limit, bdf1");
    check_limit(quaternion_by(TML_TIME_BDF2), 6, "limit, bdf2");
}

TEST(controls_of_every_kind_are_parameters)
{
    check_controls(quaternion_by(TML_TIME_BDF2), "controls");
}

// A planar four-bar whose crank is driven: no freedom is left, and three rows are too many.
static tml_model* driven_four_bar(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "crank", (tml_vec3){0.0, 0.0, 0.25}, 0.8);
    const tml_body b = add_rod(spec, "coupler", (tml_vec3){0.5, 0.0, 0.6}, 1.1);
    const tml_body c = add_rod(spec, "rocker", (tml_vec3){1.1, 0.0, 0.35}, 0.6);
    const tml_vec3 y = {0, 1, 0};
    tml_joint_def crank = tml_joint_def_default();
    crank.kind = TML_JOINT_REVOLUTE;
    crank.base = TML_WORLD;
    crank.follower = a;
    crank.axis = y;
    crank.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    tml_spec_add_joint(spec, &crank);
    add_joint(spec, TML_JOINT_REVOLUTE, a, b, (tml_vec3){0, 0, 0.5}, y);
    add_joint(spec, TML_JOINT_REVOLUTE, b, c, (tml_vec3){1, 0, 0.7}, y);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, c, (tml_vec3){1.2, 0, 0}, y);
    return build(spec);
}

TEST(mechanisms_without_freedom_follow_their_drives_and_carry_their_loads)
{
    static const tml_integrator integrators[2] = {TML_TIME_BDF1, TML_TIME_BDF2};
    for (int n = 0; n < 2; n++) {
        tml_model* m = driven_four_bar();
        const tml_sim_settings s = settings_for(quaternion_by(integrators[n]));
        tml_derivatives* d = NULL;
        CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_OK);
        for (int k = 1; k <= 8; k++) {
            const double control = 0.02 * k - 0.001 * k * k;
            CHECK(tml_derivatives_step(d, &control) == TML_OK);
        }
        static everything e;
        memset(&e, 0, sizeof e);
        want_parameters(&e, TML_PARAMETER_GRAVITY, 0, 3);
        for (int b = 0; b < 3; b++) {
            want_parameters(&e, TML_PARAMETER_MASS, b, 1);
            want_parameters(&e, TML_PARAMETER_INERTIA, b, 6);
        }
        for (int k = 0; k <= 8; k += 4) {
            e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_CONTROL, 0, 0, k};
        }
        motions(m, &e, 8);
        loads_and_energies(m, &e, 8);
        // least-norm multipliers are projected to 1e-10 of the largest
        check(d, &e, 1e-6, 1e-9, "driven four-bar");
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

// Whatever the memory, the gradient has the same bits: steps that are run again are the same steps.
TEST(checkpoints_do_not_change_a_bit)
{
    tml_model* m = double_pendulum();
    const tml_sim_settings s = settings_for(quaternion_by(TML_TIME_BDF2));
    everything e = {0};
    bodies_by_physics(m, &e);
    motions(m, &e, 37);
    motions(m, &e, 60);
    double weights[MANY];
    double gradient[2][MANY];
    for (int i = 0; i < e.quantity_count; i++) weights[i] = 1.0 - 0.01 * i;
    for (int k = 0; k < 2; k++) {
        tml_derivatives* d = NULL;
        CHECK(tml_derivatives_create(m, &s, k == 0 ? 0 : 20000, &d) == TML_OK);
        for (int n = 0; n < 60; n++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
        CHECK(tml_derivatives_gradient(d, e.quantity_count, e.quantities, weights,
                                       e.parameter_count, e.parameters, gradient[k]) == TML_OK);
        tml_derivatives_destroy(d);
    }
    CHECK(memcmp(gradient[0], gradient[1], (size_t)e.parameter_count * sizeof(double)) == 0);
    tml_model_destroy(m);
}

TEST(a_gradient_by_a_design_that_breaks_a_loop_is_no_number)
{
    check_broken(quaternion_by(TML_TIME_BDF1));
    check_broken(quaternion_by(TML_TIME_BDF2));
}

// The same forwards, with the row that lacks most.
TEST(a_design_that_breaks_a_redundant_loop_is_told)
{
    tml_model* m = four_bar();
    const tml_sim_settings s = settings_for(quaternion_by(TML_TIME_BDF2));
    tml_derivatives* d = remembered(m, &s, 6);
    for (int k = 0; k < 3; k++) {
        const tml_parameter shift = {TML_PARAMETER_JOINT_POSITION, 1, k, 0};
        const tml_parameter tilt = {TML_PARAMETER_JOINT_TURN, 1, k, 0};
        CHECK(tml_derivatives_check_closure(d, &shift) == TML_OK);
        CHECK(tml_derivatives_check_closure(d, &tilt) == (k == 1 ? TML_OK : TML_INFEASIBLE));
        if (k != 1) CHECK_CONTAINS(tml_derivatives_message(d), "breaks a closed loop");
        CHECK(tml_derivatives_last_flags(d).broken_parameters == (k == 1 ? 0 : 1));
    }
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

TEST(what_is_not_there_is_refused_by_name)
{
    tml_model* m = double_pendulum();
    const tml_sim_settings s = settings_for(quaternion_by(TML_TIME_BDF2));
    tml_derivatives* d = remembered(m, &s, 2);
    const tml_quantity late = {TML_QUANTITY_POSITION, 0, 0, 3};
    const tml_quantity held = {TML_QUANTITY_COORDINATE, 0, TML_AXIS_TX, 1};
    const tml_parameter nobody = {TML_PARAMETER_MASS, 2, 0, 0};
    double value = 1.0;

    CHECK(tml_derivatives_values(d, 1, &late, &value) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "after step 3, but the run has 2 steps");
    CHECK(tml_derivatives_values(d, 1, &held, &value) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "is held");
    CHECK(tml_derivatives_forward(d, 1, &nobody, &value, 0, NULL, NULL) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "'mass' with index 2");
    tml_derivatives_destroy(d);

    tml_sim_settings other = s;
    other.formulation = TML_FORM_AFFINE;
    other.integrator = TML_TIME_SHAKE;
    CHECK(tml_derivatives_create(m, &other, 0, &d) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "'shake'");
    tml_derivatives_destroy(d);
    other = s;
    other.integrator = TML_TIME_CRANK_NICOLSON;
    CHECK(tml_derivatives_create(m, &other, 0, &d) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "'crank_nicolson' in formulation 'quaternion'");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// What no body and no joint can have is refused by name, and the model stays as it was.
TEST(impossible_changes_are_refused_by_name)
{
    tml_model* m = double_pendulum();
    const tml_sim_settings s = settings_for(quaternion_by(TML_TIME_BDF1));
    tml_derivatives* d = remembered(m, &s, 2);
    const tml_parameter what[3] = {{TML_PARAMETER_MASS, 1, 0, 0},
                                   {TML_PARAMETER_INERTIA, 0, 1, 0},
                                   {TML_PARAMETER_JOINT_WEIGHT, 1, TML_AXIS_TY, 0}};
    const double change[3] = {-0.7, -1.0, -1.0};
    const char* told[3] = {"body 'b' would have a mass of 0 kg",
                           "the inertia of body 'a' would not be positive definite",
                           "would have a weight of 0 along ty"};
    for (int i = 0; i < 3; i++) {
        CHECK(tml_derivatives_change(d, 1, &what[i], &change[i]) == TML_BAD_ARGUMENT);
        CHECK_CONTAINS(tml_derivatives_message(d), told[i]);
    }
    CHECK(tml_derivatives_steps(d) == 2);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// A rod that has fallen onto its limit and lies there: what a change did to its fall dies away by a factor a step, far
// below the smallest number, and what it does to the load is the closed form's, m g cos(0.5) / 2.
TEST(what_lies_at_a_limit_keeps_its_derivatives)
{
    static const method by[4] = {
        {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
        {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE}};
    enum {
        STEPS = 300
    };
    tml_spec* spec = tml_spec_create();
    tml_body_def rod = tml_body_def_default();
    rod.name = "rod";
    rod.mass = 1.5;
    rod.inertia[0] = rod.inertia[1] = rod.inertia[2] = 0.05;
    rod.pose.p = (tml_vec3){0.5, 0.0, 0.0};
    add_limited_hinge(spec, tml_spec_add_body(spec, &rod), 0.5);
    tml_model* m = build(spec);
    const tml_parameter mass = {TML_PARAMETER_MASS, 0, 0, 0};
    const tml_quantity height = {TML_QUANTITY_POSITION, 0, 2, STEPS};
    const tml_quantity moment = {TML_QUANTITY_MOMENT, 0, 0, STEPS};
    const double one = 1.0;
    for (int k = 0; k < 4; k++) {
        double slope = 1.0;
        tml_sim_settings s = settings_for(by[k]);
        s.step = 5e-3;
        tml_derivatives* d = remembered(m, &s, STEPS);
        CHECK(tml_derivatives_gradient(d, 1, &height, &one, 1, &mass, &slope) == TML_OK);
        CHECK_NEAR(slope, 0.0, 1e-12);
        CHECK(tml_derivatives_forward(d, 1, &mass, &one, 1, &height, &slope) == TML_OK);
        CHECK_NEAR(slope, 0.0, 1e-12);
        CHECK(tml_derivatives_gradient(d, 1, &moment, &one, 1, &mass, &slope) == TML_OK);
        CHECK_NEAR(fabs(slope), 0.5 * 9.81 * cos(0.5), 1e-8);
        tml_derivatives_destroy(d);
    }
    tml_model_destroy(m);
}
