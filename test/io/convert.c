// Scenes and models written in another format move as they did.
#include "math/pose.h"
#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <stdbool.h>

#define MODELS TEST_SOURCE_DIR "/../shared/models/"
#define FOLDER TEST_BINARY_DIR

enum {
    STEPS = 20
};

static tml_scene* read_file(const char* path)
{
    tml_scene* scene = tml_scene_create();
    // `quaternion` has no rotors, and URDF neither
    tml_load_options options = tml_load_options_default();
    options.without_armature = true;
    if (scene != NULL) tml_scene_set_load_options(scene, &options);
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
    // what a file asks for by itself depends on its format
    settings.formulation = TML_FORM_QUATERNION;
    settings.integrator = TML_TIME_BDF2;
    settings.contact.is_on = false;
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

// ---- velocities at load

// A free trunk, on it a universal joint of two hinges, a slide, a ball: 7 + 2 + 1 + 4 positions, 6 + 2 +
// 1 + 3 rates. The key starts `fraction` seconds after the one of fraction zero.
static tml_scene* moving_robot(double fraction)
{
    static const double rate[12] = {0.3, -0.2, 0.5,  0.7, -0.4, 0.2,
                                    1.1, -0.6, 0.25, 0.8, -0.9, 0.35};
    const quat trunk = q_normalize((quat){0.9, 0.1, -0.3, 0.2});
    const quat ball = q_normalize((quat){0.8, -0.2, 0.3, 0.4});
    const quat a = q_mul(trunk, q_exp(v3_scale(fraction, v3_load(rate + 3))));
    const quat b = q_mul(ball, q_exp(v3_scale(fraction, v3_load(rate + 9))));
    char text[2400];
    const double f = fraction;
    snprintf(
        text, sizeof text,
        "<mujoco><compiler angle='radian'/><worldbody>"
        "<body name='trunk'><freejoint/><inertial pos='.1 0 0' mass='2' diaginertia='.1 .2 .2'/>"
        "<body name='arm' pos='.2 .1 0' euler='.1 .2 .3'><joint axis='0 1 0' pos='.05 0 0'/>"
        "<joint axis='1 0 0' pos='.05 0 0'/>"
        "<inertial pos='0 0 .2' mass='1' diaginertia='.02 .02 .01'/>"
        "<body name='rod' pos='0 .3 .2'><joint type='slide' axis='0 .6 .8'/>"
        "<inertial pos='0 0 .1' mass='.5' diaginertia='.01 .01 .01'/>"
        "<body name='hand' pos='0 .1 .1'><joint type='ball' pos='0 0 -.05'/>"
        "<inertial pos='.02 0 0' mass='.3' diaginertia='.002 .003 .004'/>"
        "</body></body></body></body></worldbody><keyframe><key name='k' qpos='%.17g %.17g %.17g"
        " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g' qvel='%.17g %.17g"
        " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g'/></keyframe></mujoco>",
        1 + f * rate[0], 2 + f * rate[1], 3 + f * rate[2], a.w, a.x, a.y, a.z, 0.3 + f * rate[6],
        -0.5 + f * rate[7], 0.1 + f * rate[8], b.w, b.x, b.y, b.z, rate[0], rate[1], rate[2],
        rate[3], rate[4], rate[5], rate[6], rate[7], rate[8], rate[9], rate[10], rate[11]);
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_text(scene, text, strlen(text), "moving.xml");
    if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
    CHECK(status == TML_OK);
    return scene;
}

// The largest difference between the velocities at load and central differences of the poses.
static double rate_error(double h)
{
    double worst = 0.0;
    tml_scene* scenes[3] = {moving_robot(-h), moving_robot(0.0), moving_robot(h)};
    tml_model* models[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) CHECK(tml_scene_build(scenes[i], &models[i]) == TML_OK);
    for (int i = 0; models[2] != NULL && i < tml_model_body_count(models[1]); i++) {
        const tml_body_def* b[3];
        for (int k = 0; k < 3; k++) b[k] = tml_model_body(models[k], (tml_body){i});
        const vec3 v = v3_scale(0.5 / h, v3_sub(b[2]->pose.p, b[0]->pose.p));
        const vec3 w = v3_scale(1.0 / h, q_vec(q_mul(b[2]->pose.q, q_conj(b[0]->pose.q))));
        worst = tml__larger(worst, v3_max(v3_sub(v, b[1]->velocity.linear)));
        worst = tml__larger(worst, v3_max(v3_sub(w, b[1]->velocity.angular)));
    }
    for (int i = 0; i < 3; i++) {
        tml_model_destroy(models[i]);
        tml_scene_destroy(scenes[i]);
    }
    return worst;
}

TEST(velocities_of_a_keyframe_are_those_that_the_poses_move_with)
{
    const double coarse = rate_error(1e-3);
    const double fine = rate_error(5e-4);
    CHECK(coarse < 1e-5);
    CHECK_NEAR(coarse / fine, 4.0, 0.1);  // central differences
}

TEST(velocities_at_load_survive_mjcf_and_are_refused_by_urdf)
{
    tml_scene* scene = moving_robot(0.0);
    CHECK(tml_scene_write_file(scene, FOLDER "/moving.xml") == TML_OK);
    tml_scene* again = read_file(FOLDER "/moving.xml");
    // files hold 17 digits: what is left is rounding, of the start and over 20 steps
    if (again != NULL) CHECK_NEAR(difference(scene, again), 0.0, 1e-12);
    tml_scene_destroy(again);
    CHECK(tml_scene_write_file(scene, FOLDER "/moving.urdf") == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_scene_message(scene), "moves at load");
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

// A gear, slides with turns, and a joint that starts at -asin(0.6), which the gear doubles.
static const char geared[] =
    "{\"trammel\": 1, \"bodies\": ["
    "{\"name\": \"a\", \"mass\": 1, \"inertia\": [0.1, 0.2, 0.2], \"position\": [0.5, 0, 0]},"
    "{\"name\": \"b\", \"mass\": 2, \"inertia\": [0.1, 0.2, 0.25], \"position\": [1.5, 0, 0]},"
    "{\"name\": \"c\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1], \"position\": [0, 3, 0]}],"
    "\"joints\": [{\"name\": \"one\", \"type\": \"revolute\", \"base\": \"world\", "
    "\"follower\": \"a\", \"axes\": [[0, 1, 0], [0, 0, 1], [1, 0, 0]], \"follower_frame\": "
    "{\"axes\": [[0, 1, 0], [-0.6, 0, 0.8], [0.8, 0, 0.6]]}}, {\"name\": \"two\", \"type\": "
    "\"revolute\", \"base\": \"a\", \"follower\": \"b\", \"position\": [1, 0, 0], \"axis\": [0, 1, "
    "0]}, {\"name\": \"float\", \"free\": {\"translation\": \"xz\", \"rotation\": \"zy\"}, "
    "\"base\": \"world\", \"follower\": \"c\", \"position\": [0, 3, 0.1]}],"
    "\"couplings\": [{\"name\": \"gear\", \"terms\": [[\"two.rx\", 1], [\"one.rx\", -2]], "
    "\"offset\": -1.2870022175865687}]}";

TEST(gears_and_starts_away_from_zero_survive_both_formats)
{
    static const char* const endings[] = {"xml", "urdf"};
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_text(scene, geared, strlen(geared), "geared");
    if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
    CHECK(status == TML_OK);
    for (int i = 0; i < 2 && status == TML_OK; i++) {
        char out[400];
        snprintf(out, sizeof out, FOLDER "/convert_geared.%s", endings[i]);
        const tml_status written = tml_scene_write_file(scene, out);
        if (written != TML_OK) printf("%s\n", tml_scene_message(scene));
        CHECK(written == TML_OK);
        tml_scene* again = read_file(out);
        CHECK(again != NULL);
        if (again != NULL) CHECK_NEAR(difference(scene, again), 0.0, 1e-11);
        tml_scene_destroy(again);
    }
    tml_scene_destroy(scene);
}

TEST(bodies_that_never_touch_are_written_to_mjcf)
{
    static const char text[] =
        "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\".1\"/></body><body "
        "name=\"b\" "
        "pos=\"1 0 0\"><freejoint/><geom size=\".1\"/></body></worldbody><contact><exclude "
        "body1=\"a\" body2=\"b\"/><exclude body1=\"world\" body2=\"b\"/></contact></mujoco>";
    char* written[2] = {NULL, NULL};
    size_t length = 0;
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_text(scene, text, strlen(text), "text") == TML_OK);
    CHECK(tml_scene_write_file(scene, FOLDER "/convert_exclude.xml") == TML_OK);
    tml_scene* again = read_file(FOLDER "/convert_exclude.xml");
    CHECK(again != NULL);
    CHECK(tml_scene_write_text(scene, &written[0], &length) == TML_OK);
    if (again != NULL) CHECK(tml_scene_write_text(again, &written[1], &length) == TML_OK);
    CHECK_CONTAINS(written[0], "\"exclude\": [[\"a\", \"b\"], [\"world\", \"b\"]]");
    CHECK_CONTAINS(written[1], "\"exclude\": [[\"a\", \"b\"], [\"world\", \"b\"]]");
    tml_text_free(written[0]);
    tml_text_free(written[1]);
    tml_scene_destroy(again);
    tml_scene_destroy(scene);
}

TEST(a_contact_pair_of_geoms_is_one_of_shapes)
{
    static const char text[] =
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body "
        "name='a'><freejoint/>"
        "<geom name='ball' size='.1'/></body></worldbody><contact><pair geom1='floor' geom2='ball' "
        "friction='.3 .3 0 0 0'/></contact></mujoco>";
    static const char wrong[] =
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>"
        "</worldbody><contact>\n<pair geom1='x' geom2='y'/></contact></mujoco>";
    char* written = NULL;
    size_t length = 0;
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_text(scene, text, strlen(text), "text") == TML_OK);
    CHECK(tml_scene_write_text(scene, &written, &length) == TML_OK);
    CHECK_CONTAINS(
        written,
        "\"a\": \"world\", \"b\": \"a\", \"shape_a\": 0, \"shape_b\": 0, \"friction\": 0.3");
    tml_text_free(written);
    tml_scene_destroy(scene);
    scene = tml_scene_create();
    CHECK(tml_scene_read_text(scene, wrong, strlen(wrong), "text") == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "text:2: there is no geom 'x'");
    tml_scene_destroy(scene);
}

// Three turns away from zero: a ball comes back as one, a joint whose coordinates matter is refused.
TEST(three_turns_are_written_to_urdf_where_they_can_be_read_again)
{
    static const char ball[] =
        "<mujoco><worldbody><body name='a'><joint name='b' type='ball'/><inertial pos='.1 0 .3' "
        "mass='1' diaginertia='.1 .1 .1'/></body></worldbody>"
        "<keyframe><key qpos='.8 .1 .5 -.2'/></keyframe></mujoco>";
    static const char hinges[] =
        "<mujoco><worldbody><body name='a'><joint name='x' axis='1 0 0' damping='1'/>"
        "<joint name='y' axis='0 1 0'/><joint name='z' axis='0 0 1'/><inertial pos='.1 0 .3' "
        "mass='1' "
        "diaginertia='.1 .1 .1'/></body></worldbody><keyframe><key qpos='.1 .4 "
        ".2'/></keyframe></mujoco>";
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_text(scene, ball, strlen(ball), "text") == TML_OK);
    CHECK(tml_scene_write_file(scene, FOLDER "/convert_ball.urdf") == TML_OK);
    tml_scene* again = read_file(FOLDER "/convert_ball.urdf");
    CHECK(again != NULL);
    if (again != NULL) CHECK_NEAR(difference(scene, again), 0.0, 1e-12);
    tml_scene_destroy(again);
    tml_scene_destroy(scene);
    scene = tml_scene_create();
    CHECK(tml_scene_read_text(scene, hinges, strlen(hinges), "text") == TML_OK);
    CHECK(tml_scene_write_file(scene, FOLDER "/convert_hinges.urdf") == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_scene_message(scene),
                   "joint 'x+y+z' has three turns and starts with the second");
    tml_scene_destroy(scene);
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
