// examples/03_joint_forces.c - what a hinge carries while a rod swings through.
//
// A uniform rod released level passes its lowest point with omega^2 = 3 g / L, so its hinge pulls
// with m g + m omega^2 L / 2 = 2.5 m g.
#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    // `trammel scene pendulum --out pendulum.json` writes it
    const char* path = argc > 1 ? argv[1] : "pendulum.json";

    // 1. what exists: a rod of 1 kg on a hinge
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    if (tml_scene_read_file(scene, path) != TML_OK || tml_scene_build(scene, &model) != TML_OK) {
        fprintf(stderr, "%s\n", tml_scene_message(scene));
        return 1;
    }
    const tml_joint hinge = tml_model_find_joint(model, "hinge");

    // 2. how to move it
    tml_sim_settings settings = tml_sim_settings_default();
    settings.step = 0.001;
    tml_sim* sim = NULL;
    tml_status status = tml_sim_create(model, &settings, &sim);

    // 3. move it for one second, and keep the largest force on the way
    double largest = 0.0;
    double when = 0.0;
    for (int k = 0; k < 1000 && status == TML_OK; k++) {
        status = tml_sim_step(sim, NULL);
        const tml_vec3 f = tml_sim_joint_load(sim, hinge).force;
        const double size = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
        if (size > largest) {
            largest = size;
            when = tml_sim_time(sim);
        }
    }
    if (status == TML_OK) {
        printf("largest hinge force %.4f N at t = %.3f s; 2.5 m g = %.4f N\n", largest, when,
               2.5 * 9.81);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status != TML_OK;
}
