// examples/01_pendulum.c - the shortest complete program.
#include <trammel/trammel.h>

#include <stdio.h>

int main(void)
{
    // 1. what exists
    tml_spec* spec = tml_spec_create();

    tml_body_def bob = tml_body_def_default();
    bob.mass = 1.0;
    bob.pose.p = (tml_vec3){0.5, 0.0, 0.0};
    const tml_body body = tml_spec_add_body(spec, &bob);

    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.base = TML_WORLD;
    hinge.follower = body;
    hinge.axis = (tml_vec3){0.0, 1.0, 0.0};
    tml_spec_add_joint(spec, &hinge);

    tml_model* model = NULL;
    if (tml_spec_build(spec, &model) != TML_OK) {
        fprintf(stderr, "%s\n", tml_spec_message(spec));
        return 1;
    }

    // 2. how to move it: change these two lines to change the whole method
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_QUATERNION;
    settings.integrator = TML_TIME_BDF2;

    // 3. move it
    tml_sim* sim = NULL;
    tml_status status = tml_sim_create(model, &settings, &sim);
    for (int k = 0; k < 1000 && status == TML_OK; k++) {
        status = tml_sim_step(sim, NULL);
    }
    if (status == TML_OK) printf("z = %.12f m\n", tml_sim_pose(sim, body).p.z);

    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return status != TML_OK;
}
