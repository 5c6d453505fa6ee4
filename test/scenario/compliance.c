// test/scenario/compliance.c - rows with compliance: as it fades they tend to the rigid joint, linearly.
//                                                                                    [COOK (273)]
#include "test/scenario/soft.h"

static tml_model* pendulum(double compliance)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def rod = tml_body_def_default();
    rod.mass = 1.3;
    rod.inertia[0] = 0.01;
    rod.inertia[1] = rod.inertia[2] = 0.09;
    rod.pose.p = (tml_vec3){0.5, 0.0, 0.0};
    const tml_body body = tml_spec_add_body(spec, &rod);
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.base = TML_WORLD;
    hinge.follower = body;
    hinge.axis = (tml_vec3){0.0, 1.0, 0.0};
    for (int k = 0; k < TML_AXES; k++) hinge.axis_of[k].compliance = compliance;
    tml_spec_add_joint(spec, &hinge);
    return soft_build(spec);
}

// Where the rod is after 0.4 s, and the force of its hinge, with steps that damp what a soft row rings.
static void swing(double compliance, double step, tml_vec3* place, tml_vec3* force)
{
    tml_model* model = pendulum(compliance);
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = TML_TIME_BDF1;
    settings.step = step;
    settings.tolerance = 1e-13;
    tml_sim* sim = soft_sim(model, &settings);
    soft_run(sim, (int)(0.4 / step + 0.5));
    *place = tml_sim_pose(sim, (tml_body){0}).p;
    *force = tml_sim_joint_load(sim, (tml_joint){0}).force;
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(compliance_tends_to_the_rigid_joint_linearly)
{
    tml_vec3 rigid;
    tml_vec3 rigid_force;
    double before[2] = {0.0, 0.0};
    swing(0.0, 0.01, &rigid, &rigid_force);
    for (int k = 0; k < 4; k++) {
        const double compliance = 1e-5 * pow(0.1, k);  // m/N and rad/(N m)
        tml_vec3 place;
        tml_vec3 force;
        swing(compliance, 0.01, &place, &force);
        const double off[2] = {soft_distance(place, rigid), soft_distance(force, rigid_force)};
        printf("compliance %.0e: %.2e m and %.2e N off\n", compliance, off[0], off[1]);
        if (k > 0) {
            // a tenth; of the first order in the compliance, whose square is still seen
            CHECK_NEAR(before[0] / off[0], 10.0, 0.5);
            CHECK_NEAR(before[1] / off[1], 10.0, 0.5);
        }
        before[0] = off[0];
        before[1] = off[1];
    }
}
