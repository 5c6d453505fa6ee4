// Loops that stand far open are closed from the coordinates of their tree: where the rows of a joint,
// which are sines, say nothing, and masses are a million apart.
#include "test/check.h"

#include <trammel/trammel.h>

// A five-bar in a plane whose last link is welded to the tip of the other side, open by `angle` and
// half a metre. The hinges stand along z.
static tml_model* five_bar(double angle, tml_scene** scene)
{
    char text[4000];
    snprintf(
        text, sizeof text,
        "<robot name=\"five\"><link name=\"base\"/>"
        "<link name=\"a\"><inertial><origin xyz=\".3 0 0\"/><mass value=\"1\"/><inertia "
        "ixx=\".01\" iyy=\".03\" izz=\".03\"/></inertial></link>"
        "<link name=\"b\"><inertial><origin xyz=\".3 0 0\"/><mass value=\"1\"/><inertia "
        "ixx=\".01\" iyy=\".03\" izz=\".03\"/></inertial></link>"
        "<link name=\"tip\"><inertial><mass value=\"1e6\"/><inertia ixx=\"100\" "
        "iyy=\"100\" izz=\"100\"/></inertial></link>"
        "<link name=\"c\"><inertial><origin xyz=\".3 0 0\"/><mass value=\"1\"/><inertia "
        "ixx=\".01\" iyy=\".03\" izz=\".03\"/></inertial></link>"
        "<link name=\"d\"><inertial><origin xyz=\".3 0 0\"/><mass value=\"1\"/><inertia "
        "ixx=\".01\" iyy=\".03\" izz=\".03\"/></inertial></link>"
        "<joint name=\"j1\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
        "<origin xyz=\"0 0 0\" rpy=\"0 0 2\"/><axis xyz=\"0 0 1\"/></joint>"
        "<joint name=\"j2\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
        "<origin xyz=\".6 0 0\" rpy=\"0 0 -1\"/><axis xyz=\"0 0 1\"/></joint>"
        "<joint name=\"j3\" type=\"continuous\"><parent link=\"b\"/><child link=\"tip\"/>"
        "<origin xyz=\".6 0 0\" rpy=\"0 0 %.17g\"/><axis xyz=\"0 0 1\"/></joint>"
        "<joint name=\"j4\" type=\"continuous\"><parent link=\"base\"/><child link=\"c\"/>"
        "<origin xyz=\".5 0 0\" rpy=\"0 0 1\"/><axis xyz=\"0 0 1\"/></joint>"
        "<joint name=\"j5\" type=\"continuous\"><parent link=\"c\"/><child link=\"d\"/>"
        "<origin xyz=\".6 0 0\" rpy=\"0 0 .2\"/><axis xyz=\"0 0 1\"/></joint>"
        "<loop_joint name=\"loop\" type=\"fixed\"><link1 link=\"d\" xyz=\".6 0 0\" rpy=\"0 0 0\"/>"
        "<link2 link=\"tip\" xyz=\"0 0 0\" rpy=\"0 0 0\"/></loop_joint></robot>",
        angle);
    tml_model* model = NULL;
    *scene = tml_scene_create();
    CHECK(tml_scene_read_text(*scene, text, strlen(text), "five") == TML_OK);
    CHECK(tml_scene_build(*scene, &model) == TML_OK);
    return model;
}

// All around: at a right angle a sine has no slope, at half a turn it is zero.
TEST(a_loop_is_closed_however_far_it_was_turned)
{
    for (int k = 0; k < 12; k++) {
        tml_scene* scene = NULL;
        tml_model* model = five_bar(k * 0.5236, &scene);
        tml_pose poses[8];
        tml_assemble_report report;
        char why[512] = "";
        const tml_assemble_settings settings = tml_assemble_settings_default();
        const tml_status status =
            tml_model_assemble(model, &settings, poses, &report, why, sizeof why);
        if (status != TML_OK) printf("%d: %s\n", k, why);
        CHECK(status == TML_OK);
        CHECK(tml_spec_set_poses(tml_scene_spec(scene), poses) == TML_OK);
        tml_model* closed = NULL;
        CHECK(tml_scene_build(scene, &closed) == TML_OK);
        if (closed != NULL) CHECK_NEAR(tml_model_summarise(closed).max_gap, 0.0, 1e-10);
        tml_model_destroy(closed);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}

// Two bars that cannot reach each other stay a refusal with a reason.
TEST(what_cannot_be_closed_is_said_so)
{
    static const char text[] =
        "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"><inertial><mass "
        "value=\"1\"/><inertia "
        "ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link><joint name=\"j\" "
        "type=\"continuous\"><parent "
        "link=\"base\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/></joint><loop_joint name=\"far\" "
        "type=\"spherical\"><link1 link=\"base\" xyz=\"3 0 0\" rpy=\"0 0 0\"/><link2 link=\"a\" "
        "xyz=\"1 0 0\" rpy=\"0 0 0\"/></loop_joint></robot>";
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_pose poses[4];
    tml_assemble_report report;
    char why[512] = "";
    const tml_assemble_settings settings = tml_assemble_settings_default();
    CHECK(tml_scene_read_text(scene, text, strlen(text), "far") == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_model_assemble(model, &settings, poses, &report, why, sizeof why) == TML_INFEASIBLE);
    CHECK_CONTAINS(why, "cannot be assembled");
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}
