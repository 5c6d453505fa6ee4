// examples/04_contact.c - a ball that is thrown without spin.
//
// It slides, and friction makes it turn, until it rolls at 5/7 of its first speed.
#include <trammel/trammel.h>

#include <stdio.h>

int main(int argc, char** argv)
{
    // `trammel scene rolling-ball --out rolling-ball.json` writes it
    const char* path = argc > 1 ? argv[1] : "rolling-ball.json";

    // 1. what exists: a ball on a floor, thrown at 2 m/s
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    if (tml_scene_read_file(scene, path) != TML_OK || tml_scene_build(scene, &model) != TML_OK) {
        fprintf(stderr, "%s\n", tml_scene_message(scene));
        return 1;
    }
    const tml_body ball = tml_model_find_body(model, "ball");

    // 2. how to move it: joint coordinates, and shapes that touch
    tml_sim_settings settings = tml_sim_settings_default();
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    settings.contact.is_on = 1;
    settings.step = 0.001;
    tml_sim* sim = NULL;
    tml_status status = tml_sim_create(model, &settings, &sim);

    // 3. move it, and look at speed, spin and what the floor does
    for (int k = 0; k <= 400 && status == TML_OK; k++) {
        if (k > 0 && k % 100 == 0) {
            const tml_velocity v = tml_sim_velocity(sim, ball);
            const tml_contact c = tml_sim_contact(sim, 0);
            printf("t = %.1f s: %.4f m/s, %.4f m/s by its spin; floor pushes %.3f N, rubs %.3f N\n",
                   tml_sim_time(sim), v.linear.x, 0.1 * v.angular.y, c.force.z, c.force.x);
        }
        status = tml_sim_step(sim, NULL);
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status != TML_OK;
}
