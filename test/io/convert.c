// Scenes and models written in another format move as they did.
#include "math/pose.h"
#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#define MODELS TEST_SOURCE_DIR "/../shared/models/"
#define FOLDER TEST_BINARY_DIR

enum {
    STEPS = 20
};

static tml_scene* read_file(const char* path)
{
    tml_scene* scene = tml_scene_create();
    if (scene != NULL && tml_scene_read_file(scene, path) != TML_OK) {
        printf("%s\n", tml_scene_message(scene));
        tml_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

// Run a scene for a few steps; the caller destroys both.
static tml_sim* run(tml_scene* scene, tml_model** model)
{
    tml_sim* sim = NULL;
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    settings.step = 0.002;
    if (tml_scene_build(scene, model) != TML_OK) {
        printf("%s\n", tml_scene_message(scene));
        return NULL;
    }
    tml_status status = tml_sim_create(*model, &settings, &sim);
    for (int k = 0; k < STEPS && status == TML_OK; k++) status = tml_sim_step(sim, NULL);
    if (status != TML_OK) {
        printf("%s\n", tml_sim_message(sim));
        CHECK(status == TML_OK);
    }
    return sim;
}

// The largest difference of poses between two runs, bodies by their names.
static double difference(tml_scene* one, tml_scene* two)
{
    tml_model* models[2] = {NULL, NULL};
    tml_sim* a = run(one, &models[0]);
    tml_sim* b = run(two, &models[1]);
    double worst = a != NULL && b != NULL ? 0.0 : (double)INFINITY;
    for (int i = 0; a != NULL && b != NULL && i < tml_model_body_count(models[0]); i++) {
        const tml_body other =
            tml_model_find_body(models[1], tml_model_body_name(models[0], (tml_body){i}));
        if (other.index < 0) {
            printf("there is no body '%s'\n", tml_model_body_name(models[0], (tml_body){i}));
            worst = (double)INFINITY;
            continue;
        }
        const pose p = tml_sim_pose(a, (tml_body){i});
        const pose q = tml_sim_pose(b, other);
        worst = tml__larger(worst, v3_max(v3_sub(p.p, q.p)));
        worst = tml__larger(worst, v3_max(q_vec(q_mul(q_conj(p.q), q.q))));
    }
    tml_sim_destroy(a);
    tml_sim_destroy(b);
    tml_model_destroy(models[0]);
    tml_model_destroy(models[1]);
    return worst;
}

// Write as `ending`, read that, compare.
static void round_trip(const char* path, const char* ending, double tolerance)
{
    char out[400];
    snprintf(out, sizeof out, FOLDER "/convert_test.%s", ending);
    tml_scene* scene = read_file(path);
    CHECK(scene != NULL);
    if (scene == NULL) return;
    const tml_status status = tml_scene_write_file(scene, out);
    if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
    CHECK(status == TML_OK);
    tml_scene* again = status == TML_OK ? read_file(out) : NULL;
    CHECK(again != NULL);
    if (again != NULL) {
        const double worst = difference(scene, again);
        if (!(worst <= tolerance)) printf("%s as %s: off by %.3g\n", path, ending, worst);
        CHECK_NEAR(worst, 0.0, tolerance);
        tml_scene_destroy(again);
    }
    tml_scene_destroy(scene);
}

// ---- one mechanism, four times: a double pendulum about skew axes, built through the C interface

static tml_scene* build_by_hand(void)
{
    tml_scene* scene = tml_scene_create();
    tml_spec* spec = tml_scene_spec(scene);
    tml_body_def upper = tml_body_def_default();
    upper.name = "upper";
    upper.mass = 2.0;
    upper.com = (tml_vec3){0.0, 0.0, -0.25};
    memcpy(upper.inertia, (const double[]){0.05, 0.05, 0.01, 0.0, 0.0, 0.002},
           sizeof upper.inertia);
    upper.pose.p = (tml_vec3){0.0, 0.0, 1.0};
    tml_body_def lower = upper;
    lower.name = "lower";
    lower.mass = 1.0;
    lower.pose.p = (tml_vec3){0.0, 0.0, 0.5};
    const tml_body a = tml_spec_add_body(spec, &upper);
    const tml_body b = tml_spec_add_body(spec, &lower);
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.name = "shoulder";
    hinge.follower = a;
    hinge.position = upper.pose.p;
    hinge.axis = (tml_vec3){0.0, 1.0, 0.0};
    hinge.axis_of[TML_AXIS_RX].damping = 0.1;
    tml_spec_add_joint(spec, &hinge);
    hinge.name = "elbow";
    hinge.base = a;
    hinge.follower = b;
    hinge.position = lower.pose.p;
    hinge.axis = (tml_vec3){1.0, 0.0, 0.0};
    hinge.axis_of[TML_AXIS_RX] = tml_joint_def_default().axis_of[TML_AXIS_RX];
    hinge.axis_of[TML_AXIS_RX].stiffness = 3.0;
    hinge.axis_of[TML_AXIS_RX].rest = 0.5;
    tml_spec_add_joint(spec, &hinge);
    return scene;
}

static const char as_mjcf[] =
    "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"upper\" pos=\"0 0 1\">"
    "<inertial pos=\"0 0 -.25\" mass=\"2\" fullinertia=\".05 .05 .01 0 0 .002\"/>"
    "<joint name=\"shoulder\" axis=\"0 1 0\" damping=\".1\"/><body name=\"lower\" pos=\"0 0 -.5\">"
    "<inertial pos=\"0 0 -.25\" mass=\"1\" fullinertia=\".05 .05 .01 0 0 .002\"/>"
    "<joint name=\"elbow\" axis=\"1 0 0\" stiffness=\"3\" springref=\".5\"/></body></body>"
    "</worldbody></mujoco>";

static const char as_urdf[] =
    "<robot name=\"r\"><link name=\"upper\"><inertial><origin xyz=\"0 0 -.25\"/><mass value=\"2\"/>"
    "<inertia ixx=\".05\" iyy=\".05\" izz=\".01\" iyz=\".002\"/></inertial></link>"
    "<link name=\"lower\"><inertial><origin xyz=\"0 0 -.25\"/><mass value=\"1\"/>"
    "<inertia ixx=\".05\" iyy=\".05\" izz=\".01\" iyz=\".002\"/></inertial></link>"
    "<joint name=\"shoulder\" type=\"continuous\"><parent link=\"world\"/><child link=\"upper\"/>"
    "<origin xyz=\"0 0 1\"/><axis xyz=\"0 1 0\"/><dynamics damping=\".1\"/></joint>"
    "<joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child link=\"lower\"/>"
    "<origin xyz=\"0 0 -.5\"/><axis xyz=\"1 0 0\"/></joint><force_element><torsional_spring "
    "stiffness=\"3\" rest_angle=\".5\"><joint name=\"elbow\"/></torsional_spring></force_element>"
    "</robot>";

static const char as_json[] =
    "{\"trammel\": 1, \"bodies\": [{\"name\": \"upper\", \"mass\": 2, \"com\": [0, 0, -0.25], "
    "\"inertia\": [0.05, 0.05, 0.01, 0, 0, 0.002], \"position\": [0, 0, 1]}, {\"name\": \"lower\", "
    "\"mass\": 1, \"com\": [0, 0, -0.25], \"inertia\": [0.05, 0.05, 0.01, 0, 0, 0.002], "
    "\"position\": [0, 0, 0.5]}], \"joints\": [{\"name\": \"shoulder\", \"type\": \"revolute\", "
    "\"base\": \"world\", \"follower\": \"upper\", \"position\": [0, 0, 1], \"axis\": [0, 1, 0], "
    "\"damping\": 0.1}, {\"name\": \"elbow\", \"type\": \"revolute\", \"base\": \"upper\", "
    "\"follower\": \"lower\", \"position\": [0, 0, 0.5], \"axis\": [1, 0, 0], \"stiffness\": 3, "
    "\"rest\": 0.5}]}";

// Nothing but rounding in the frames of joints tells them apart: a few digits of 20 steps.
TEST(one_mechanism_in_four_formats_moves_alike)
{
    static const char* const texts[] = {as_mjcf, as_urdf, as_json};
    for (int i = 0; i < 3; i++) {
        tml_scene* hand = build_by_hand();
        tml_scene* other = tml_scene_create();
        const tml_status status = tml_scene_read_text(other, texts[i], strlen(texts[i]), "text");
        if (status != TML_OK) printf("%s\n", tml_scene_message(other));
        CHECK(status == TML_OK);
        CHECK_NEAR(difference(hand, other), 0.0, 1e-12);
        tml_scene_destroy(other);
        tml_scene_destroy(hand);
    }
}

TEST(a_scene_built_by_hand_survives_both_formats)
{
    static const char* const endings[] = {"xml", "urdf", "json"};
    for (int i = 0; i < 3; i++) {
        char out[400];
        snprintf(out, sizeof out, FOLDER "/convert_hand.%s", endings[i]);
        tml_scene* hand = build_by_hand();
        const tml_status status = tml_scene_write_file(hand, out);
        if (status != TML_OK) printf("%s\n", tml_scene_message(hand));
        CHECK(status == TML_OK);
        tml_scene* again = read_file(out);
        CHECK(again != NULL);
        if (again != NULL) CHECK_NEAR(difference(hand, again), 0.0, 1e-12);
        tml_scene_destroy(again);
        tml_scene_destroy(hand);
    }
}

// ---- public models. Their chains are longer and rounding grows along them: 1e-10 m is a millionth
// of what 20 steps of 2 ms let them fall.

TEST(public_models_survive_the_round_trip_through_mjcf)
{
    static const char* const files[] = {"mjcf/dm_control_suite/cartpole.xml",
                                        "mjcf/dm_control_suite/cheetah.xml",

                                        "mjcf/gymnasium/hopper.xml",
                                        "mjcf/mujoco_humanoid/humanoid.xml",
                                        "mjcf/franka_emika_panda/panda.xml",
                                        "mjcf/universal_robots_ur5e/ur5e.xml",
                                        "mjcf/robotiq_2f85/2f85.xml",
                                        "urdf/solo12/solo12.urdf",
                                        "mjcf/mujoco_newton_cradle/newton_cradle.xml",

                                        "sdf/pinocchio_parallel/parallel.sdf"};
    FILE* file = fopen(MODELS "README.md", "rb");
    if (file == NULL) SKIP("../shared/models is not there");
    fclose(file);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[400];
        snprintf(path, sizeof path, MODELS "%s", files[i]);
        round_trip(path, "xml", 1e-10);
    }
}

TEST(public_models_survive_the_round_trip_through_urdf)
{
    static const char* const files[] = {"mjcf/dm_control_suite/pendulum.xml",
                                        "mjcf/dm_control_suite/walker.xml",
                                        "mjcf/gymnasium/swimmer.xml",
                                        "mjcf/gymnasium/half_cheetah.xml",
                                        "urdf/solo12/solo12.urdf",
                                        "urdf/dojo_fourbar/fourbar.urdf",
                                        "urdf/minitaur/minitaur.urdf"};
    FILE* file = fopen(MODELS "README.md", "rb");
    if (file == NULL) SKIP("../shared/models is not there");
    fclose(file);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[400];
        snprintf(path, sizeof path, MODELS "%s", files[i]);
        round_trip(path, "urdf", 1e-10);
    }
}

TEST(what_a_format_cannot_say_is_refused_by_name)
{
    static const char text[] =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
        "\"forces\": [{\"type\": \"drag\", \"name\": \"air\", \"body\": \"a\", \"linear\": 1}]}";
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_text(scene, text, strlen(text), "text") == TML_OK);
    remove(FOLDER "/convert_refused.xml");
    CHECK(tml_scene_write_file(scene, FOLDER "/convert_refused.xml") == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_scene_message(scene), "drag 'air' is a force that the format cannot say");
    FILE* file = fopen(FOLDER "/convert_refused.xml", "rb");
    CHECK(file == NULL);
    if (file != NULL) fclose(file);
    tml_scene_destroy(scene);
}
