// Derivatives of runs by the variational formulation: against differences, forwards against backwards.
//                                                                            [VMAX (26)-(34)]
#include "test/diff/mechanisms.h"
#include "test/diff/touching.h"

static method variational(void)
{
    return (method){TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE};
}

static method composed(void)
{
    return (method){TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, TML_START_ACCURATE};
}

TEST(variational_steps_follow_the_physics_of_a_double_pendulum)
{
    check_physics(double_pendulum, variational(), 1, "variational, 1 step");
    check_physics(double_pendulum, variational(), 8, "variational");
    check_physics(double_pendulum, composed(), 1, "variational4, 1 step");
    check_physics(double_pendulum, composed(), 6, "variational4");
}

TEST(variational_steps_follow_the_physics_of_a_redundant_loop)
{
    check_physics(four_bar, variational(), 8, "variational, four-bar");
    check_physics(four_bar, composed(), 3, "variational4, four-bar");
}

TEST(designs_that_break_a_loop_have_no_slopes_in_variational_steps)
{
    check_broken(variational());
    check_broken(composed());
}

TEST(designs_change_variational_motions_loads_and_energies)
{
    check_design(double_pendulum, variational(), 1, "design, variational, 1 step");
    check_design(double_pendulum, variational(), 8, "design, variational");
    check_design(double_pendulum, composed(), 3, "design, variational4");
}

TEST(rayleigh_damping_and_muscles_act_on_variational_steps)  // [COOK Sec 4]
{
    check_design(damped_arm, variational(), 4, "damped arm, variational");
    check_design(damped_arm, composed(), 2, "damped arm, variational4");
}

TEST(designs_change_variational_steps_of_every_joint)
{
    check_thinned(every_joint, variational(), 3, "every joint, variational");
    check_thinned(every_joint, composed(), 1, "every joint, variational4");
}

TEST(least_norm_loads_of_variational_steps_follow_the_physics)
{
    check_loads(variational(), 6, "least-norm loads, variational");
}

TEST(limits_push_variational_steps)
{
    check_limit(variational(), 6, "limit, variational");
    check_limit(composed(), 4, "limit, variational4");
}

TEST(controls_of_variational_steps_are_parameters)
{
    check_controls(variational(), "controls, variational");
    check_controls(composed(), "controls, variational4");
}
