// test/scenario/articulated.c - the built-in scenes of manipulators and long chains: what they are for is
// done when they end.
#include "math/pose.h"
#include "test/check.h"
#include "test/scenario/touching.h"

static tml_vec3 place_of(const run* r, const char* name)
{
    const tml_body body = tml_model_find_body(r->model, name);
    CHECK(body.index >= 0);
    return tml_sim_pose(r->sim, body).p;
}

// How far a box is from where it should stand.
static double off(const run* r, int box)
{
    char name[24];
    snprintf(name, sizeof name, "box.%d", box);
    return v3_norm(v3_sub(place_of(r, name), v3(0.45, 0.24, 0.025 + 0.05 * box)));
}

// The arm lets go of the first box after 5.1 s; of the last after 20.4 s, when the tower stands.
TEST(the_manipulator_stacks_its_boxes)
{
    const int is_long = getenv("TRAMMEL_TEST_LONG") != NULL;
    const int boxes = is_long ? 4 : 1;
    run r;
    CHECK(run_open(&r, "panda-stack") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    const tml_vec3 before = place_of(&r, "box.3");
    double height = 0.0;
    tml_status status = TML_OK;
    for (int k = 0; k < (is_long ? 10700 : 2550) && status == TML_OK; k++) {
        status = tml_sim_step(r.sim, NULL);
        height = tml__larger(height, place_of(&r, "box.0").z);
    }
    CHECK(status == TML_OK);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("gap %.1e, overlap %.1e m, first box lifted to %.3f m\n", report.max_gap,
           report.max_penetration, height);
    CHECK(report.max_gap < 1e-10);
    // carried 12 cm above where it stood
    CHECK_NEAR(height, 0.145, 0.01);
    for (int i = 0; i < boxes; i++) {
        // servos of some kN m a radian lag behind by a millimetre where the fingers close
        CHECK_NEAR(off(&r, i), 0.0, 2e-3);
    }
    // what was not touched has not moved: it rests on four corners, within the slop of contact
    if (!is_long) CHECK_NEAR(v3_norm(v3_sub(place_of(&r, "box.3"), before)), 0.0, 1e-5);
    run_close(&r);
}

// ---- chains over sheaves

// A small one: 120 links over one sheave, no friction.
static const char small_pulley[] =
    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"pulley\", \"name\": \"p\","
    "\"links\": 120, \"link\": {\"length\": 0.05, \"radius\": 0.01, \"mass\": 0.05},"
    "\"sheaves\": 1, \"radius\": 0.5, \"height\": 2, \"end_mass\": 20,"
    "\"drive\": {\"table\": [[0, 0], [1, 0], [2, 0.5], [2.5, 0.5], [2.7, 0], [9, 0]]}}],"
    "\"simulation\": {\"formulation\": \"affine\", \"integrator\": \"bdf1\", \"step\": 0.01,"
    "\"contact\": {\"stiffness\": 1e6, \"margin\": 0.002}}}";

// By `nodes`, where planes of contacts stay as the step found them, and by `chain`, drawn by its first joint.
static void lift_and_let_go(tml_integrator integrator, const char* solver)
{
    run r = {.scene = tml_scene_create()};
    CHECK(tml_scene_read_text(r.scene, small_pulley, strlen(small_pulley), "small") == TML_OK);
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    r.settings = tml_scene_settings(r.scene)->sim;
    r.settings.integrator = integrator;
    CHECK(run_start(&r) == TML_OK);
    CHECK(strcmp(tml_sim_get_report(r.sim).solver, solver) == 0);
    const double before = place_of(&r, "p.120").z;
    CHECK(run_steps(&r, 95) == TML_OK);

    // along a rope without friction the tension differs by its weight times the height: at its start
    // it carries the anchor and what hangs deeper than the start
    const double hanging = 20.0 + 1.0 * (0.0 - (place_of(&r, "p.120").z + 0.031 * cbrt(20.0)));
    const tml_load load = tml_sim_joint_load(r.sim, (tml_joint){0});
    // one link of eighty on the sheave is 1 kg/m times 0.05 m; steps of implicit Euler have settled
    CHECK_NEAR(v3_norm(load.force), 9.81 * hanging, 9.81 * 0.05);

    CHECK(run_steps(&r, 150) == TML_OK);  // lifted, and at rest for 0.4 s
    // contacts of 10 N at 1e6 N/m give way by some 1e-5 m, more at rest than at the start
    CHECK_NEAR(place_of(&r, "p.120").z - before, 0.5, 1e-3);
    CHECK(run_steps(&r, 255) == TML_OK);  // let go, fallen, caught and at rest again
    CHECK_NEAR(place_of(&r, "p.120").z - before, 0.0, 2e-3);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%s: %.1f iterations a step, %lld substeps, gain %.1e\n", solver,
           (double)report.newton_iterations / (double)report.steps, report.substeps,
           report.max_gain);
    CHECK(report.max_gap < 1e-10);
    if (integrator == TML_TIME_ENERGY_DAMPED) CHECK(report.max_gain <= 1e-9);
    run_close(&r);
}

TEST(a_chain_over_a_sheave_carries_and_lifts_its_anchor)
{
    lift_and_let_go(TML_TIME_BDF1, "nodes");
    lift_and_let_go(TML_TIME_ENERGY_DAMPED, "chain");
}

// The built-in one: a lift and a release.
TEST(the_pulley_of_1500_links_lifts_and_lets_go)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes some seconds; set TRAMMEL_TEST_LONG=1");
    run r;
    CHECK(run_open(&r, "pulley") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    // half a millimetre into each side of five sheaves, by its weight
    const double laid = place_of(&r, "chain.1500").z;
    CHECK(run_steps(&r, 45) == TML_OK);
    const double before = place_of(&r, "chain.1500").z;
    CHECK_NEAR(before - laid, -5e-3, 1e-3);
    CHECK(run_steps(&r, 195) == TML_OK);
    const double lifted = place_of(&r, "chain.1500").z - before;
    CHECK(run_steps(&r, 260) == TML_OK);
    const double left = place_of(&r, "chain.1500").z - before;
    printf("sunk by %.2e m, lifted by %.5f m, then %.1e m from where it was\n", laid - before,
           lifted, left);
    // friction holds some of the depth either way
    CHECK_NEAR(lifted, 1.0, 1e-3);
    CHECK_NEAR(left, 0.0, 1e-3);
    CHECK(tml_sim_get_report(r.sim).max_gap < 1e-10);
    CHECK(tml_sim_get_report(r.sim).max_gain <= 1e-9);
    run_close(&r);
}

// ---- a backbone between key frames

// The distance of the farthest link from the marker that draws at it.
static double farthest(const run* r, double* way)
{
    double worst = 0.0;
    *way = 0.0;
    for (int k = 0; k <= 140; k++) {
        char names[2][24];
        snprintf(names[0], sizeof names[0], "marker.%d", k);
        snprintf(names[1], sizeof names[1], "chain.%d", k < 140 ? 100 * k : 13999);
        const tml_body link = tml_model_find_body(r->model, names[1]);
        const pose at = tml_sim_pose(r->sim, link);
        const vec3 end = pose_apply(at, v3(k < 140 ? -0.005 : 0.005, 0.0, 0.0));
        const tml_vec3 drawn_to = place_of(r, names[0]);
        worst = tml__larger(worst, v3_norm(v3_sub(end, drawn_to)));
        *way = tml__larger(*way, v3_norm(v3_sub(drawn_to, v3(0.0, 0.0, 0.03 * k))));
    }
    return worst;
}

// At load every marker is where it draws; at the last key frame, half a second of rest later, too.
TEST(the_backbone_follows_its_key_frames)
{
    const int is_long = getenv("TRAMMEL_TEST_LONG") != NULL;
    run r;
    double way = 0.0;
    CHECK(run_open(&r, "backbone") == TML_OK);
    CHECK(tml_model_body_count(r.model) == 14141);
    CHECK(run_start(&r) == TML_OK);
    // 14000 points of the helix, rounded to micrometres in the file
    CHECK_NEAR(farthest(&r, &way), 0.0, 1e-6);
    CHECK(run_steps(&r, is_long ? 120 : 1) == TML_OK);
    const double left = farthest(&r, &way);
    printf("markers went up to %.2f m, links follow to %.4f m, gap %.1e\n", way, left,
           tml_sim_get_report(r.sim).max_gap);
    CHECK(tml_sim_get_report(r.sim).max_gap < 1e-10);
    CHECK(tml_sim_get_report(r.sim).max_gain <= 1e-9);
    CHECK(strcmp(tml_sim_get_report(r.sim).solver, "chain") == 0);
    if (is_long) CHECK(way > 0.3 && left < 0.02);
    run_close(&r);
}
