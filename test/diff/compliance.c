// Derivatives of runs whose joints give way (`compliance`): against differences, forwards against backwards.
//                                                                             [QRBD (9)] [COOK (273)]
#include "test/diff/mechanisms.h"

#include <stdbool.h>

// Two links, hung softly in two ways of five and tied softly to each other; and a coupling that gives way.
static tml_model* soft_pendulum(bool has_coupling)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    tml_joint joint[2];
    for (int i = 0; i < 2; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = i == 0 ? TML_JOINT_REVOLUTE : TML_JOINT_UNIVERSAL;
        def.base = last;
        def.follower =
            add_rod(spec, i == 0 ? "a" : "b", (tml_vec3){0.5 + i, 0.1 * i, 0.0}, 1.2 - 0.5 * i);
        def.position = (tml_vec3){(double)i, 0.0, 0.0};
        def.axis = (tml_vec3){0.1, 1.0 - i, (double)i};
        def.axis_of[TML_AXIS_TX].compliance = 1e-3;
        def.axis_of[TML_AXIS_TZ].compliance = 2e-3;
        if (i == 0) def.axis_of[TML_AXIS_RY].compliance = 3e-2;
        joint[i] = tml_spec_add_joint(spec, &def);
        last = def.follower;
    }
    if (!has_coupling) return build(spec);
    tml_coupling_def tie = tml_coupling_def_default();
    const tml_coupling_term terms[2] = {
        {.joint = joint[0], .axis = TML_AXIS_RX, .coefficient = {1.0, 0.3}, .degree = 2},
        {.joint = joint[1], .axis = TML_AXIS_RX, .coefficient = {-0.7}, .degree = 1}};
    tie.terms = terms;
    tie.term_count = 2;
    tie.compliance = 5e-2;
    tml_spec_add_coupling(spec, &tie);
    return build(spec);
}

static const method methods[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF1, TML_START_ACCURATE},
    {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_QUATERNION, TML_TIME_SDIRK2, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_BDF1, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, TML_START_ACCURATE},
};

static const char* name_of(method by, const char* what)
{
    static char text[128];
    snprintf(text, sizeof text, "%s %s, %s", tml_formulation_name(by.form),
             tml_integrator_name(by.integrator), what);
    return text;
}

// Differences of 0.3 %: a shift of 3 % stretches what gives way by a tenth of its length.
static void check_soft(method by, int steps, bool is_design, const char* what)
{
    // an accurate start of rows that may be redundant leaves its correction of poses out
    tml_model* m = soft_pendulum(by.integrator != TML_TIME_BDF2 || by.form == TML_FORM_AFFINE);
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, steps);
    static everything e;
    memset(&e, 0, sizeof e);
    if (!is_design) bodies_by_physics(m, &e);
    if (is_design) everything_by_design(m, &e);
    motions(m, &e, steps);
    if (is_design) loads_and_energies(m, &e, steps);
    // loads among them: multipliers are differences over h^2
    check_by(d, 3e-3, &e, 1e-6, is_design ? 1e-11 : 1e-12, name_of(by, what));
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

TEST(joints_that_give_way_follow_the_physics)
{
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        check_soft(methods[k], 1, false, "1 step");
        check_soft(methods[k], 6, false, "6 steps");
    }
}

TEST(designs_change_motions_loads_and_energies_of_joints_that_give_way)
{
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        check_soft(methods[k], 4, true, "design");
    }
}

TEST(variational_steps_of_joints_that_give_way_are_refused_by_name)
{
    tml_model* m = soft_pendulum(false);
    const tml_sim_settings s =
        settings_for((method){TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE});
    tml_derivatives* d = remembered(m, &s, 1);
    const tml_parameter mass = {TML_PARAMETER_MASS, 0, 0, 0};
    const tml_quantity end = {TML_QUANTITY_POSITION, 0, 0, 1};
    const double one = 1.0;
    double slope = 0.0;
    CHECK(tml_derivatives_gradient(d, 1, &end, &one, 1, &mass, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "is compliant");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}
