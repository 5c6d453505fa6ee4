// test/long/derivatives.c - every parameter by every quantity, over longer runs and all integrators.
//
// Thousands of runs, so it runs only where TRAMMEL_TEST_LONG is set.
#include "test/diff/mechanisms.h"

static int is_long(void) { return getenv("TRAMMEL_TEST_LONG") != NULL; }

TEST(every_parameter_of_every_joint_has_its_derivatives)
{
    if (!is_long()) SKIP("set TRAMMEL_TEST_LONG=1");
    check_design(every_joint, quaternion_by(TML_TIME_BDF1), 10, "every joint, bdf1");
    check_design(every_joint, quaternion_by(TML_TIME_BDF2), 10, "every joint, bdf2");
    check_design(every_joint, quaternion_by(TML_TIME_BDF3), 10, "every joint, bdf3");
    check_design(every_joint, quaternion_by(TML_TIME_SDIRK2), 10, "every joint, sdirk2");
    check_physics(every_joint, quaternion_by(TML_TIME_BDF2), 10, "every joint's physics, bdf2");
}

TEST(every_integrator_follows_the_physics)
{
    if (!is_long()) SKIP("set TRAMMEL_TEST_LONG=1");
    for (int k = TML_TIME_BDF1; k <= TML_TIME_SDIRK2_PARESCHI_RUSSO; k++) {
        const tml_integrator integrator = (tml_integrator)k;
        const char* name = tml_integrator_name(integrator);
        check_physics(double_pendulum, quaternion_by(integrator), 25, name);
        check_physics(four_bar, quaternion_by(integrator), 25, name);
        check_physics(loaded_four_bar, quaternion_by(integrator), 25, name);
    }
}

// Formulation by formulation: every joint by every parameter, a redundant loop, a limit, motors.
TEST(every_formulation_has_its_table)
{
    static const method methods[9] = {
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_BDF1, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_BDF2, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, TML_START_ACCURATE},
        {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE},
        {TML_FORM_GENERALIZED, TML_TIME_FORWARD_EULER, TML_START_ACCURATE},
        {TML_FORM_GENERALIZED, TML_TIME_RK4, TML_START_ACCURATE},
    };
    if (!is_long()) SKIP("set TRAMMEL_TEST_LONG=1");
    for (int i = 0; i < 9; i++) {
        const method by = methods[i];
        char what[96];
        char name[64];
        snprintf(name, sizeof name, "%s %s", tml_formulation_name(by.form),
                 tml_integrator_name(by.integrator));
        snprintf(what, sizeof what, "%s, every joint", name);
        check_design(every_joint, by, 10, what);
        snprintf(what, sizeof what, "%s, physics", name);
        check_physics(every_joint, by, 10, what);
        snprintf(what, sizeof what, "%s, four-bar", name);
        check_physics(loaded_four_bar, by, 20, what);
        snprintf(what, sizeof what, "%s, limit", name);
        check_limit(by, 10, what);
    }
}

TEST(controls_of_motors_change_everything_else_too)
{
    if (!is_long()) SKIP("set TRAMMEL_TEST_LONG=1");
    check_physics(motors, quaternion_by(TML_TIME_BDF2), 10, "motors at rest");
    check_design(motors, quaternion_by(TML_TIME_BDF2), 10, "motors at rest, design");
}
