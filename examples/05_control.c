// examples/05_control.c - an arm under computed torque, and many copies of it: dynamics.h, batch.h.
#include <trammel/trammel.h>

#include <stdio.h>

enum {
    COPIES = 100
};

static tml_model* build_arm(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body before = TML_WORLD;
    tml_model* model = NULL;
    for (int i = 0; i < 2; i++) {
        tml_body_def link = tml_body_def_default();
        link.mass = 2.0 - i;
        link.pose.p = (tml_vec3){0.25 + 0.5 * i, 0.0, 0.0};
        tml_joint_def hinge = tml_joint_def_default();
        hinge.kind = TML_JOINT_REVOLUTE;
        hinge.base = before;
        hinge.follower = before = tml_spec_add_body(spec, &link);
        hinge.position = (tml_vec3){0.5 * i, 0.0, 0.0};
        hinge.axis = (tml_vec3){0.0, 1.0, 0.0};
        hinge.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
        tml_spec_add_joint(spec, &hinge);
    }
    if (tml_spec_build(spec, &model) != TML_OK) fprintf(stderr, "%s\n", tml_spec_message(spec));
    tml_spec_destroy(spec);
    return model;
}

int main(void)
{
    tml_model* model = build_arm();
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    settings.step = 5e-4;

    // 1. tau = M (-w^2 e - 2 w e') + bias makes the error e of each joint obey e'' + 2 w e' + w^2 e = 0
    const double target[2] = {-0.7, 0.4};
    const double w = 6.0;
    tml_sim* sim = NULL;
    tml_dynamics* dynamics = NULL;
    tml_status status = tml_sim_create(model, &settings, &sim);
    if (status == TML_OK) status = tml_dynamics_create(model, NULL, &dynamics);
    for (int k = 0; k < 1000 && status == TML_OK; k++) {
        double q[2], v[2], a[2], tau[2];
        tml_dynamics_follow(dynamics, sim);
        tml_dynamics_state(dynamics, q, v, NULL, NULL);
        for (int i = 0; i < 2; i++) a[i] = w * w * (target[i] - q[i]) - 2.0 * w * v[i];
        tml_dynamics_inverse(dynamics, a, tau);
        status = tml_sim_step(sim, tau);
    }
    double q[2] = {0.0, 0.0};
    if (status == TML_OK) tml_sim_coordinates(sim, q);
    printf("after %.3f s the shoulder is %.5f rad from its target\n", tml_sim_time(sim),
           q[0] - target[0]);

    // 2. a hundred arms let go under gravities of their own; none takes more memory than its state
    tml_batch* batch = NULL;
    tml_vec3 gravity[COPIES];
    double energy[COPIES][2];
    for (int i = 0; i < COPIES; i++) gravity[i] = (tml_vec3){0.0, 0.0, -0.1 * (i + 1)};
    if (status == TML_OK) status = tml_batch_create(model, &settings, COPIES, &batch);
    if (status == TML_OK) status = tml_batch_set_gravity(batch, gravity);
    if (status == TML_OK) status = tml_batch_step(batch, NULL, NULL, 200, NULL);
    if (status == TML_OK) status = tml_batch_get(batch, TML_BATCH_ENERGY, energy[0]);
    if (status == TML_OK) {
        printf("let go for 0.1 s, arm 1 moves with %.6e J and arm 100 with %.4f J\n", energy[0][0],
               energy[COPIES - 1][0]);
    }

    tml_batch_destroy(batch);
    tml_dynamics_destroy(dynamics);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return status != TML_OK;
}
