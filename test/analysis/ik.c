// test/analysis/ik.c - targets: arms and parallel robots follow circles, and stretch for what is too far.
#include "test/check.h"
#include "test/sim/loops.h"
#include "test/sim/world.h"

static const double pi = 3.14159265358979323846;

// A circle about `centre` in the plane of x and y, one turn a second.
static tml_target circle_target(tml_body body, tml_vec3 point, tml_vec3 centre, double radius)
{
    tml_target t = tml_target_default();
    t.body = body;
    t.point = point;
    t.has_position = 1;
    t.position[0] = tml_control_sine(centre.x, radius, 1.0, pi / 2.0);
    t.position[1] = tml_control_sine(centre.y, radius, 1.0, 0.0);
    t.position[2] = tml_control_constant(centre.z);
    return t;
}

// Follow a circle and compare the point with the circle itself, poses taken from the answer.
static void follow(const char* name, const char* body_name, tml_vec3 point, tml_vec3 centre,
                   double radius)
{
    loop_scene s = loop_open(name);
    const tml_body body = tml_model_find_body(s.model, body_name);
    const tml_target target = circle_target(body, point, centre, radius);
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_pose* poses = calloc((size_t)s.bodies, sizeof *poses);
    tml_ik* ik = NULL;
    CHECK(tml_ik_create(s.model, &target, 1, &settings, &ik) == TML_OK);

    for (int k = 0; k <= 40; k++) {
        const double t = k / 40.0;
        CHECK(tml_ik_solve(ik, t) == TML_OK);
        const tml_pose pose = tml_ik_pose(ik, body);
        const vec3 at = v3_add(pose.p, q_rotate(pose.q, point));
        const vec3 wanted = v3(centre.x + radius * cos(2.0 * pi * t),
                               centre.y + radius * sin(2.0 * pi * t), centre.z);
        CHECK_NEAR(v3_norm(v3_sub(at, wanted)), 0.0, 1e-9);
        CHECK(tml_ik_gap(ik) <= 1e-10);
    }
    double length = 1.0;
    double angle = 1.0;
    tml_ik_error(ik, 0, &length, &angle);
    CHECK(length <= 1e-9);
    CHECK(angle == 0.0);
    tml_ik_destroy(ik);
    free(poses);
    loop_close(&s);
}

TEST(the_robot_arm_follows_a_circle)
{
    const tml_vec3 tip = {0.05, 0.0, 0.0};
    follow("robot-arm", "hand", tip, (tml_vec3){0.45, 0.1, 0.6}, 0.12);
}

TEST(the_delta_robot_follows_a_circle)
{
    loop_scene s = loop_open("delta-robot");
    const tml_vec3 at = tml_model_body(s.model, tml_model_find_body(s.model, "platform"))->pose.p;
    loop_close(&s);
    follow("delta-robot", "platform", (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){0.0, 0.0, at.z}, 0.1);
}

// The whole pose of the platform, legs free: position and orientation are met together, and each leg
// is as long as the distance of its ends says.
TEST(the_stewart_platform_takes_a_pose)
{
    loop_scene s = loop_open("stewart-platform");
    const tml_body body = tml_model_find_body(s.model, "platform");
    tml_target target = tml_target_default();
    target.body = body;
    target.has_position = 1;
    target.position[0] = tml_control_constant(0.05);
    target.position[1] = tml_control_constant(-0.04);
    target.position[2] = tml_control_constant(0.85);
    target.has_orientation = 1;
    target.orientation = q_exp(v3(0.1, -0.05, 0.15));
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_ik* ik = NULL;
    CHECK(tml_ik_create(s.model, &target, 1, &settings, &ik) == TML_OK);
    CHECK(tml_ik_solve(ik, 0.0) == TML_OK);

    double length = 1.0;
    double angle = 1.0;
    tml_ik_error(ik, 0, &length, &angle);
    CHECK(length <= 1e-9);
    CHECK(angle <= 1e-9);
    for (int k = 0; k < 6; k++) {
        char name[32];
        snprintf(name, sizeof name, "slide.%d", k);
        const tml_joint slide = tml_model_find_joint(s.model, name);
        snprintf(name, sizeof name, "cross.%d", k);
        const vec3 foot = tml_model_joint(s.model, tml_model_find_joint(s.model, name)).position;
        snprintf(name, sizeof name, "ball.%d", k);
        const vec3 head = tml_model_joint(s.model, tml_model_find_joint(s.model, name)).position;
        const vec3 local = v3_sub(head, tml_model_body(s.model, body)->pose.p);
        const vec3 now = v3_add(v3(0.05, -0.04, 0.85), q_rotate(target.orientation, local));
        CHECK_NEAR(tml_ik_coordinate(ik, slide, TML_AXIS_TX),
                   v3_norm(v3_sub(now, foot)) - v3_norm(v3_sub(head, foot)), 1e-9);
    }
    tml_ik_destroy(ik);
    loop_close(&s);
}

// Two hinged rods of 1 m reach for a point at 3 m in their plane: the nearest they come is 2 m along
// the line to it.
TEST(what_is_out_of_reach_is_met_in_the_least_squares_sense)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int i = 0; i < 2; i++) {
        tml_body_def def = tml_body_def_default();
        def.pose.p = (tml_vec3){i + 0.5, 0.0, 0.0};
        const tml_body body = tml_spec_add_body(spec, &def);
        tml_joint_def hinge = tml_joint_def_default();
        hinge.kind = TML_JOINT_REVOLUTE;
        hinge.base = last;
        hinge.follower = body;
        hinge.position = (tml_vec3){i, 0.0, 0.0};
        hinge.axis = (tml_vec3){0.0, 0.0, 1.0};
        tml_spec_add_joint(spec, &hinge);
        last = body;
    }
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);

    // out of the plane too: the error is then the distance from the circle of radius 2
    tml_target target = tml_target_default();
    target.body = last;
    target.point = (tml_vec3){0.5, 0.0, 0.0};
    target.has_position = 1;
    target.position[0] = tml_control_constant(3.0 * 0.6);
    target.position[1] = tml_control_constant(3.0 * 0.8);
    target.position[2] = tml_control_constant(0.5);
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_ik* ik = NULL;
    CHECK(tml_ik_create(model, &target, 1, &settings, &ik) == TML_OK);
    CHECK(tml_ik_solve(ik, 0.0) == TML_OK);
    const tml_pose pose = tml_ik_pose(ik, last);
    const vec3 tip = v3_add(pose.p, q_rotate(pose.q, target.point));
    // the tip moves with the square of the elbow's angle, and so does what is left of the error
    CHECK_NEAR(tip.x, 2.0 * 0.6, 1e-6);
    CHECK_NEAR(tip.y, 2.0 * 0.8, 1e-6);
    double length = 0.0;
    double angle = 0.0;
    tml_ik_error(ik, 0, &length, &angle);
    CHECK_NEAR(length, sqrt(1.0 + 0.25), 1e-9);
    CHECK(tml_ik_gap(ik) <= 1e-10);
    tml_ik_destroy(ik);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// Two points of one free body pulled to places 3 m apart, weights 3 and 1: the middle is shared 1 : 3.
TEST(weights_share_what_cannot_be_met)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    const tml_body body = tml_spec_add_body(spec, &def);
    tml_joint_def rail = tml_joint_def_default();
    rail.kind = TML_JOINT_PRISMATIC;
    rail.follower = body;
    rail.axis = (tml_vec3){1.0, 0.0, 0.0};
    tml_spec_add_joint(spec, &rail);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_target targets[2] = {tml_target_default(), tml_target_default()};
    for (int i = 0; i < 2; i++) {
        targets[i].body = body;
        targets[i].has_position = 1;
        targets[i].position[0] = tml_control_constant(i == 0 ? 1.0 : 4.0);
        targets[i].position[1] = tml_control_constant(0.0);
        targets[i].position[2] = tml_control_constant(0.0);
    }
    targets[0].weight = 3.0;
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_ik* ik = NULL;
    CHECK(tml_ik_create(model, targets, 2, &settings, &ik) == TML_OK);
    CHECK(tml_ik_solve(ik, 0.0) == TML_OK);
    CHECK_NEAR(tml_ik_pose(ik, body).p.x, (3.0 * 1.0 + 1.0 * 4.0) / 4.0, 1e-10);
    tml_ik_destroy(ik);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// The same rail with a stop before the target.
TEST(targets_respect_limits)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    const tml_body body = tml_spec_add_body(spec, &def);
    tml_joint_def rail = tml_joint_def_default();
    rail.kind = TML_JOINT_PRISMATIC;
    rail.follower = body;
    rail.axis = (tml_vec3){1.0, 0.0, 0.0};
    rail.axis_of[TML_AXIS_TX].has_limits = 1;
    rail.axis_of[TML_AXIS_TX].lower = -0.25;
    rail.axis_of[TML_AXIS_TX].upper = 0.5;
    tml_spec_add_joint(spec, &rail);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    static const double times[3] = {0.0, 1.0, 2.0};
    static const double places[3] = {0.2, 3.0, -3.0};
    tml_target target = tml_target_default();
    target.body = body;
    target.has_position = 1;
    target.position[0] =
        (tml_control){.kind = TML_CONTROL_TABLE, .count = 3, .times = times, .samples = places};
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_ik* ik = NULL;
    CHECK(tml_ik_create(model, &target, 1, &settings, &ik) == TML_OK);
    static const double expected[3] = {0.2, 0.5, -0.25};
    for (int k = 0; k < 3; k++) {
        CHECK(tml_ik_solve(ik, times[k]) == TML_OK);
        CHECK_NEAR(tml_ik_pose(ik, body).p.x, expected[k], 1e-10);
    }
    tml_ik_destroy(ik);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

TEST(bad_targets_are_refused_with_a_sentence)
{
    loop_scene s = loop_open("robot-arm");
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_target target = tml_target_default();
    tml_ik* ik = NULL;
    CHECK(tml_ik_create(s.model, &target, 1, &settings, &ik) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_ik_message(ik), "never moves");
    CHECK(tml_ik_solve(ik, 0.0) == TML_BAD_ARGUMENT);
    tml_ik_destroy(ik);
    target.body = (tml_body){0};
    CHECK(tml_ik_create(s.model, &target, 1, &settings, &ik) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_ik_message(ik), "needs a position or an orientation");
    tml_ik_destroy(ik);
    tml_ik_destroy(NULL);
    loop_close(&s);
}
