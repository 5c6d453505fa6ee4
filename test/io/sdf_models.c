// test/io/sdf_models.c - SDF files of several models, of models within models, and of models in other files.
#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <sys/stat.h>

#define PI   3.14159265358979323846
#define LINK "<link name='link'><inertial><mass>2</mass></inertial></link>"

static tml_scene* read_text(const char* text, tml_status wanted)
{
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_text(scene, text, strlen(text), "world.sdf");
    if (status != wanted) printf("%s\n", tml_scene_message(scene));
    CHECK(status == wanted);
    return scene;
}

static tml_vec3 place_of(tml_scene* scene, const char* name)
{
    tml_model* model = NULL;
    tml_vec3 p = {(double)NAN, (double)NAN, (double)NAN};
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    if (model == NULL) return p;
    const tml_body body = tml_model_find_body(model, name);
    CHECK(body.index >= 0);
    if (body.index >= 0) p = tml_model_body(model, body)->pose.p;
    tml_model_destroy(model);
    return p;
}

static void check_place(tml_scene* scene, const char* name, double x, double y, double z)
{
    const tml_vec3 p = place_of(scene, name);
    CHECK_NEAR(p.x, x, 1e-12);
    CHECK_NEAR(p.y, y, 1e-12);
    CHECK_NEAR(p.z, z, 1e-12);
}

TEST(two_models_of_a_world_may_use_the_same_names)
{
    tml_scene* scene =
        read_text("<sdf version='1.9'><world name='w'><model name='a'><pose>1 0 0 0 0 0</pose>" LINK
                  "</model><model name='b'><pose>0 2 0 0 0 0</pose>" LINK "</model></world></sdf>",
                  TML_OK);
    check_place(scene, "a::link", 1.0, 0.0, 0.0);
    check_place(scene, "b::link", 0.0, 2.0, 0.0);
    tml_scene_destroy(scene);
}

TEST(a_model_alone_keeps_its_plain_names)
{
    tml_scene* scene =
        read_text("<sdf version='1.9'><model name='a'>" LINK "</model></sdf>", TML_OK);
    check_place(scene, "link", 0.0, 0.0, 0.0);
    tml_scene_destroy(scene);
}

// The inner model is turned by 90 degrees about z and stands at (1, 0, 0): its frame's (0.5, 0, 0) is (1, 0.5, 0).
// The outer joint names the inner link, the inner joint its own.
TEST(a_model_within_a_model_stands_in_its_frame_and_is_named_through_it)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><model name='outer'>" LINK
        "<model name='inner'><pose>1 0 0 0 0 1.5707963267948966</pose>" LINK
        "<link name='tip'><pose>0.5 0 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>"
        "<joint name='j' type='revolute'><parent>link</parent><child>tip</child><axis><xyz>0 0 1"
        "</xyz></axis></joint></model>"
        "<joint name='j' "
        "type='revolute'><parent>link</parent><child>inner::link</child><axis><xyz>0 "
        "1 0</xyz></axis></joint></model></sdf>",
        TML_OK);
    check_place(scene, "inner::link", 1.0, 0.0, 0.0);
    check_place(scene, "inner::tip", 1.0, 0.5, 0.0);
    tml_model* model = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_model_joint_count(model) == 2);
    CHECK(tml_model_find_joint(model, "inner::j").index >= 0);
    CHECK(tml_model_find_joint(model, "j").index >= 0);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

// A joint to a model means its canonical link, the first where it names none.
TEST(a_joint_to_a_model_holds_its_canonical_link)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><model name='outer'>" LINK
        "<model name='inner' canonical_link='two'><link name='one'/><link name='two'/>"
        "<joint name='w' type='fixed'><parent>two</parent><child>one</child></joint></model>"
        "<joint name='j' type='prismatic'><parent>link</parent><child>inner</child><axis><xyz>0 0 1"
        "</xyz></axis></joint></model></sdf>",
        TML_OK);
    tml_model* model = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_model_body_count(model) == 2);
    CHECK(tml_model_joint_count(model) == 1);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(a_name_that_no_model_has_is_refused_with_its_line)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><model name='m'>" LINK
        "\n<joint name='j' type='fixed'><parent>link</parent><child>inner::link</child></joint>"
        "</model></sdf>",
        TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "world.sdf:2:");
    tml_scene_destroy(scene);
}

static tml_model* build(tml_scene* scene)
{
    tml_model* model = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    return model;
}

// A ball of 0.5 m above the ground, whose normal is the x axis of the file: it falls along -x and rests.
TEST(a_plane_is_a_ground_and_its_normal_is_up)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><world name='w'><gravity>-9.81 0 0</gravity>"
        "<physics><max_step_size>0.002</max_step_size></physics>"
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry>"
        "<plane><normal>1 0 0</normal></plane></geometry></collision></link></model>"
        "<model name='ball'><pose>0.55 0 0 0 0 0</pose><link name='l'><collision name='c'>"
        "<geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model>"
        "</world></sdf>",
        TML_OK);
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    CHECK_NEAR(settings.step, 0.002, 0.0);
    CHECK(settings.contact.is_on);
    tml_model* model = build(scene);
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 500; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    CHECK_NEAR(tml_sim_pose(sim, tml_model_find_body(model, "ball::l")).p.x, 0.5, 1e-4);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(poses_in_degrees_as_quaternions_and_from_frames_of_the_world)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><world name='w'><frame name='table'><pose>0 0 2 0 0 0</pose></frame>"
        "<model name='a'><pose degrees='true'>1 0 0 0 0 90</pose>"
        "<link name='link'><pose>1 0 0 0 0 0</pose></link></model>"
        "<model name='b'><pose relative_to='table' rotation_format='quat_xyzw'>0 0 0 0 0 1 0</pose>"
        "<link name='link'><pose>1 0 0 0 0 0</pose></link></model>"
        "<model name='c' placement_frame='foot'><pose relative_to='b'>0 0 1 0 0 0</pose>"
        "<frame name='foot'><pose>0 0 -3 0 0 0</pose></frame><link name='link'/></model>"
        "</world></sdf>",
        TML_OK);
    check_place(scene, "a::link", 1.0, 1.0, 0.0);
    check_place(scene, "b::link", -1.0, 0.0, 2.0);
    check_place(scene, "c::link", 0.0, 0.0, 6.0);
    tml_scene_destroy(scene);
}

// A rope of 300 links, each from the one before: 64 were the most, and more were "relative to itself". Named the other way
// round each is found once too.
TEST(poses_relative_to_poses_may_be_many)
{
    enum {
        LINKS = 300
    };
    static char text[LINKS * 120 + 200];
    for (int turned = 0; turned < 2; turned++) {
        char* p = text + sprintf(text, "<sdf version='1.9'><model name='rope'>");
        for (int i = 0; i < LINKS; i++) {
            const int k = turned ? LINKS - 1 - i : i;
            p += sprintf(p, "<link name='l%d'>", k);
            if (k > 0) p += sprintf(p, "<pose relative_to='l%d'>0.5 0 0 0 0 0</pose>", k - 1);
            p += sprintf(p, "</link>");
        }
        sprintf(p, "</model></sdf>");
        tml_scene* scene = read_text(text, TML_OK);
        check_place(scene, "l299", 149.5, 0.0, 0.0);
        check_place(scene, "l0", 0.0, 0.0, 0.0);
        tml_scene_destroy(scene);
    }
    tml_scene* ring =
        read_text("<sdf version='1.9'><model name='m'><link name='a'><pose relative_to='b'/></link>"
                  "<link name='b'><pose relative_to='a'/></link></model></sdf>",
                  TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(ring), "is relative to itself");
    tml_scene_destroy(ring);
}

// A box of 2 x 1 x 1 m at 500 kg/m^3, and a ball of its own density beside it.
TEST(a_link_weighs_what_its_shapes_do_where_it_says_so)
{
    tml_scene* scene = read_text(
        "<sdf version='1.11'><model name='a'><link name='link'>"
        "<inertial auto='true'><density>500</density></inertial>"
        "<collision name='b'><geometry><box><size>2 1 1</size></box></geometry></collision>"
        "<visual name='v'><geometry><box><size>9 9 9</size></box></geometry></visual>"
        "<collision name='s'><density>300</density><pose>4 0 0 0 0 0</pose><geometry>"
        "<sphere><radius>0.5</radius></sphere></geometry></collision></link></model></sdf>",
        TML_OK);
    tml_model* model = build(scene);
    const tml_body_def link = *tml_model_body(model, tml_model_find_body(model, "link"));
    const double ball = 300.0 * 4.0 / 3.0 * PI * 0.125;
    CHECK_NEAR(link.mass, 1000.0 + ball, 1e-9);
    CHECK_NEAR(link.com.x, 4.0 * ball / (1000.0 + ball), 1e-12);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(limits_may_be_infinite_on_one_side_and_efforts_limit_forces)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><model name='a'>" LINK "<link name='arm'/>"
        "<joint name='j' type='revolute'><parent>link</parent><child>arm</child><axis>"
        "<xyz>0 0 1</xyz><limit><lower>-1</lower><upper>inf</upper><effort>7</effort></limit>"
        "</axis></joint></model></sdf>",
        TML_OK);
    tml_model* model = build(scene);
    const tml_joint_def j = tml_model_joint(model, tml_model_find_joint(model, "j"));
    const tml_joint_axis* rx = &j.axis_of[TML_AXIS_RX];
    CHECK(rx->has_limits && rx->has_force_limits);
    CHECK_NEAR(rx->lower, -1.0, 0.0);
    CHECK_NEAR(rx->force_upper, 7.0, 0.0);
    CHECK_NEAR(rx->force_lower, -7.0, 0.0);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

// 0.5 m a turn: a nut of 2 kg with 1 kg m^2 falls with g / (1 + (2 pi / 0.5)^2 / 2).
TEST(a_screw_slides_as_it_turns)
{
    tml_scene* scene = read_text(
        "<sdf version='1.9'><model name='a'><link name='nut'><inertial><mass>2</mass></inertial>"
        "</link><joint name='j' type='screw'><parent>world</parent><child>nut</child>"
        "<screw_thread_pitch>0.5</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>"
        "</model></sdf>",
        TML_OK);
    tml_model* model = build(scene);
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    settings.step = 0.001;
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 500; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    const double a = 9.81 / (1.0 + 0.5 * (2.0 * PI / 0.5) * (2.0 * PI / 0.5));
    CHECK_NEAR(tml_sim_pose(sim, (tml_body){0}).p.z, -0.5 * a * 0.25, 0.01 * a);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

// One joint follows the other: q2 = -2 (q1 - 0.1) + 0.3, also where the model starts.
TEST(a_joint_that_mimics_another_is_coupled_to_it)
{
    tml_scene* scene = read_text(
        "<sdf version='1.11'><model name='a'>" LINK "<link name='one'/><link name='two'/>"
        "<joint name='j1' type='revolute'><parent>link</parent><child>one</child><axis><xyz>0 0 1"
        "</xyz></axis></joint>"
        "<joint name='j2' type='revolute'><parent>one</parent><child>two</child><axis><xyz>0 0 1"
        "</xyz><mimic joint='j1'><multiplier>-2</multiplier><offset>0.3</offset>"
        "<reference>0.1</reference></mimic></axis></joint></model></sdf>",
        TML_OK);
    tml_model* open = build(scene);
    tml_model* model = NULL;
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    tml_sim* sim = NULL;
    CHECK(tml_model_coupling_count(open) == 1);
    const tml_assemble_settings usual = tml_assemble_settings_default();
    tml_assemble_report report;
    tml_pose poses[3];
    char why[300] = "";
    CHECK(tml_model_assemble(open, &usual, poses, &report, why, sizeof why) == TML_OK);
    if (why[0] != '\0') printf("%s\n", why);
    CHECK(tml_spec_set_poses(tml_scene_spec(scene), poses) == TML_OK);
    model = build(scene);
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    double q[2][TML_AXES] = {{0.0}};
    for (int k = 0; k < 2; k++) {
        const tml_joint j = tml_model_find_joint(model, k == 0 ? "j1" : "j2");
        tml_sim_joint_coordinates(sim, j, q[k]);
    }
    CHECK_NEAR(q[1][0], -2.0 * (q[0][0] - 0.1) + 0.3, 1e-12);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_model_destroy(open);
    tml_scene_destroy(scene);
}

TEST(two_dashes_in_a_comment_refuse_nothing)
{
    tml_scene* scene = read_text("<sdf version='1.9'><!-- gz sim --help -- and so on -->"
                                 "<model name='a'><!--\n--record --\n-->" LINK "</model></sdf>",
                                 TML_OK);
    check_place(scene, "link", 0.0, 0.0, 0.0);
    tml_scene_destroy(scene);
    // what is no comment stays: the line of the error too
    scene = read_text("<sdf version='1.9'><!-- a -- \n b --><model name='a'><link name='l'>"
                      "<inertial><mass>-1</mass></inertial></link></model></sdf>",
                      TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_scene_message(scene), "world.sdf:2:");
    tml_scene_destroy(scene);
}

static void write_file(const char* path, const char* text)
{
    FILE* f = fopen(path, "wb");
    CHECK(f != NULL);
    if (f == NULL) return;
    fputs(text, f);
    fclose(f);
}

TEST(an_included_model_takes_the_name_and_place_of_its_include)
{
    static const char folder[] = TEST_BINARY_DIR "/sdf_models.files";
    static const char world[] = TEST_BINARY_DIR "/sdf_models.files/world.sdf";
    mkdir(folder, 0777);
    mkdir(TEST_BINARY_DIR "/sdf_models.files/cart", 0777);
    write_file(TEST_BINARY_DIR "/sdf_models.files/cart/model.sdf",
               "<sdf version='1.9'><model name='cart'><pose>9 9 9 0 0 0</pose>" LINK
               "</model></sdf>");
    write_file(
        world,
        "<sdf version='1.9'><world name='w'>"
        "<include><uri>model://cart</uri><name>first</name><pose>1 2 3 0 0 0</pose></include>"
        "<include><uri>cart</uri></include>"
        "<include><uri>https://fuel.gazebosim.org/1.0/a/models/b</uri></include>"
        "</world></sdf>");
    tml_scene* scene = tml_scene_create();
    const tml_status status = tml_scene_read_file(scene, world);
    if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
    CHECK(status == TML_OK);
    check_place(scene, "first::link", 1.0, 2.0, 3.0);
    check_place(scene, "cart::link", 9.0, 9.0, 9.0);
    bool is_said = false;
    for (int i = 0; i < tml_scene_lint_count(scene); i++) {
        if (strstr(tml_scene_lint(scene, i), "included model") != NULL) is_said = true;
    }
    CHECK(is_said);
    tml_scene_destroy(scene);
}

// Two points that make a hinge, 5e-8 m too far from each other on one of the bodies: no pose fits both.
TEST(connects_that_rounding_has_opened_are_a_hinge)
{
    static const char text[] =
        "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='p' axis='0 1 0'/><geom "
        "size='0.1' "
        "contype='0'/><site name='a1' pos='0 0 -0.5'/><site name='a2' pos='0 0.1 -0.5'/></body>"
        "<body name='b' pos='0.2 0 0.5'><freejoint/><geom size='0.1' contype='0'/>"
        "<site name='b1' pos='-0.2 0 0'/><site name='b2' pos='-0.2 0.10000005 "
        "0'/></body></worldbody>"
        "<equality><connect name='h' site1='a1' site2='b1'/><connect site1='a2' site2='b2'/>"
        "</equality></mujoco>";
    tml_scene* scene = read_text(text, TML_OK);
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_model_joint(model, tml_model_find_joint(model, "h")).kind == TML_JOINT_REVOLUTE);
    CHECK(tml_model_joint_count(model) == 2);
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 100; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    CHECK(tml_sim_gap(sim) < 1e-9);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

// A planar four-bar whose loop is 3e-8 m open across its plane, where nothing moves: it is absorbed, said, and runs.
TEST(a_loop_that_rounding_has_opened_is_absorbed)
{
    static const char text[] =
        "<mujoco><worldbody><site name='w' pos='0.4 0 0'/><site name='v' pos='0.4 0.1 0'/>"
        "<body name='a'><joint name='p' axis='0 1 0'/><geom size='0.05' mass='1' contype='0'/>"
        "<body name='b' pos='0 0 0.2'><joint name='q' axis='0 1 0'/><geom size='0.05' mass='1' "
        "contype='0'/><body name='c' pos='0.4 0 0'><joint name='r' axis='0 1 0'/><geom size='0.05' "
        "mass='1' contype='0'/><site name='c1' pos='0 3e-8 -0.2'/><site name='c2' pos='0 "
        "0.10000003 "
        "-0.2'/></body></body></body></worldbody><equality><connect name='h' site1='c1' site2='w'/>"
        "<connect site1='c2' site2='v'/></equality></mujoco>";
    tml_scene* scene = read_text(text, TML_OK);
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_model_summarise(model).max_gap < 1e-12);
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 100; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    bool is_said = false;
    for (int i = 0; i < tml_scene_lint_count(scene); i++) {
        if (strstr(tml_scene_lint(scene, i), "rounding has opened") != NULL) is_said = true;
    }
    CHECK(is_said);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}
