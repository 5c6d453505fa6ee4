// examples/02_robot_arm.c - drive a robot arm with controls of your own, given step by step.
#include <trammel/trammel.h>

#include <stdio.h>

enum {
    JOINTS = 6
};

// From 0 to 1 while u goes from 0 to 1; at rest at both ends.
static double smooth(double u)
{
    return u < 1.0 ? u * u * u * (10.0 + u * (-15.0 + 6.0 * u)) : 1.0;
}

int main(int argc, char** argv)
{
    // `trammel scene robot-arm --out robot-arm.json` writes it
    const char* path = argc > 1 ? argv[1] : "robot-arm.json";

    // 1. what exists: six hinges, each with a row that holds it at its control
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    if (tml_scene_read_file(scene, path) != TML_OK || tml_scene_build(scene, &model) != TML_OK) {
        fprintf(stderr, "%s\n", tml_scene_message(scene));
        return 1;
    }

    // 2. how to move it
    tml_sim_settings settings = tml_sim_settings_default();
    settings.step = 0.005;
    tml_sim* sim = NULL;
    tml_status status = tml_sim_create(model, &settings, &sim);

    // 3. move it: all hinges reach their goals after two seconds and stay there for one
    static const double goals[JOINTS] = {0.8, 0.5, -0.9, 0.7, 0.6, -1.2};  // rad
    for (int k = 1; k <= 600 && status == TML_OK; k++) {
        double controls[JOINTS];
        for (int i = 0; i < JOINTS; i++) controls[i] = goals[i] * smooth(k * settings.step / 2.0);
        status = tml_sim_step(sim, controls);
    }

    // 4. ask: the multiplier of a driven axis is the torque that its motor gives
    if (status == TML_OK) {
        double torque[TML_AXES];
        const tml_vec3 p = tml_sim_pose(sim, tml_model_find_body(model, "hand")).p;
        tml_sim_joint_multipliers(sim, tml_model_find_joint(model, "shoulder"), torque);
        printf("hand at %.9f %.9f %.9f m\n", p.x, p.y, p.z);
        printf("shoulder motor holds %.6f N m\n", torque[TML_AXIS_RX]);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status != TML_OK;
}
