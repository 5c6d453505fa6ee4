// test/long/net_catch.c - the net of affine links that catches a soft figure and is wound up: joints stay
// closed, and the figure stays in it.                                               [MABD Fig 18]
#include "scenes/scenes.h"
#include "test/check.h"

#include <trammel/trammel.h>

#include <stdlib.h>

TEST(a_net_catches_a_soft_figure_and_holds_it_while_it_is_wound_up)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("TRAMMEL_TEST_LONG=1 runs it, for minutes");
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    CHECK(scenes_fill(scene, scenes_find("net-catch")) == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_sim_create(model, &tml_scene_settings(scene)->sim, &sim) == TML_OK);
    const int vertices = tml_model_deformable(model, 0)->vertex_count;
    double lowest = 10.0;
    for (int k = 0; k < 240; k++) {
        if (tml_sim_step(sim, NULL) != TML_OK) {
            printf("step %d: %s\n", k, tml_sim_message(sim));
            check_failures++;
            break;
        }
        for (int i = 0; i < vertices; i++) lowest = fmin(lowest, tml_sim_vertex(sim, 0, i).z);
    }
    const tml_sim_report report = tml_sim_get_report(sim);
    printf("largest gap %.1e m, lowest vertex %.3f m\n", report.max_gap, lowest);
    CHECK(report.max_gap <= 1e-10);  // the tolerance
    CHECK(lowest > 0.9);             // the net hangs at 0.93 to 1.1 m
    CHECK(isfinite(lowest));
    // wound up: the bars have turned against each other, by half a radian each
    for (int k = 0; k < 2; k++) {
        const tml_body bar = tml_model_find_body(model, k == 0 ? "left" : "right");
        const tml_quat q = tml_sim_pose(sim, bar).q;
        CHECK_NEAR(2.0 * atan2(q.x, q.w), k == 0 ? 0.5 : -0.5, 1e-9);  // ten tolerances
    }
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}
