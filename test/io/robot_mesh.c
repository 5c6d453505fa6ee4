// Meshes of robot models: found, scaled, turned and mirrored as the format says, and never read from
// outside of the folders that the model may use.
#define _XOPEN_SOURCE 700  // NOLINT: the name is POSIX's own; mkdir, symlink

#include "test/check.h"
#include "test_paths.h"

#include <trammel/trammel.h>

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER TEST_BINARY_DIR "/robot_mesh"

// A tetrahedron of volume 1/6 with its right angle in the origin.
static const char corner[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                             "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void put(const char* path, const char* text)
{
    FILE* f = fopen(path, "wb");
    CHECK(f != NULL);
    if (f == NULL) return;
    fputs(text, f);
    fclose(f);
}

static void prepare(void)
{
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/model", 0777);
    mkdir(FOLDER "/model/meshes", 0777);
    mkdir(FOLDER "/other", 0777);
    put(FOLDER "/model/meshes/corner.obj", corner);
    put(FOLDER "/other/corner.obj", corner);
    put(FOLDER "/model/looks.dae", "<COLLADA/>");
    (void)!symlink("../other/corner.obj", FOLDER "/model/link.obj");
}

static tml_scene* read_model(const char* name, const char* text, const char* packages)
{
    char path[512];
    prepare();
    snprintf(path, sizeof path, FOLDER "/model/%s", name);
    put(path, text);
    tml_scene* scene = tml_scene_create();
    tml_load_options options = tml_load_options_default();
    options.packages = packages;
    CHECK(tml_scene_set_load_options(scene, &options) == TML_OK);
    const tml_status status = tml_scene_read_file(scene, path);
    if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
    CHECK(status == TML_OK);
    return scene;
}

static tml_model* build(tml_scene* scene)
{
    tml_model* model = NULL;
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    return model;
}

static const tml_body_def* body(const tml_model* model, int index)
{
    return tml_model_body(model, (tml_body){index});
}

static bool has_lint(tml_scene* scene, const char* piece)
{
    for (int i = 0; i < tml_scene_lint_count(scene); i++) {
        if (strstr(tml_scene_lint(scene, i), piece) != NULL) return true;
    }
    return false;
}

static void check_point(tml_vec3 x, double a, double b, double c)
{
    CHECK_NEAR(x.x, a, 1e-15);
    CHECK_NEAR(x.y, b, 1e-15);
    CHECK_NEAR(x.z, c, 1e-15);
}

TEST(mjcf_meshes_are_moved_turned_and_scaled_in_this_order)
{
    tml_scene* scene = read_model(
        "a.xml",
        "<mujoco><compiler meshdir='meshes'/><asset>"
        "<mesh name='plain' file='corner.obj'/>"
        "<mesh name='moved' file='corner.obj' scale='2 3 -4' refpos='1 0 0'"
        " refquat='0.70710678118654757 0 0 0.70710678118654757'/></asset>"
        "<worldbody><body name='b'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<geom type='mesh' mesh='plain' pos='0 0 5' rgba='1 0 0 1' contype='0' conaffinity='0'/>"
        "<geom type='mesh' mesh='moved' group='3'/></body></worldbody></mujoco>",
        NULL);
    tml_model* model = build(scene);
    const tml_body_def* b = body(model, 0);
    CHECK(b->shape_count == 2);
    const tml_shape_def* plain = &b->shapes[0];
    CHECK(plain->kind == TML_SHAPE_MESH && plain->vertex_count == 4 && plain->triangle_count == 4);
    CHECK(plain->pose.p.z == 5.0 && !plain->collide && !plain->hidden && plain->color[0] == 255);
    check_point(plain->vertices[3], 0, 0, 1);

    // x -> scale * R^T (x - refpos); R turns x to y, so R^T takes (-1, 0, 0) to (0, 1, 0)
    const tml_shape_def* moved = &b->shapes[1];
    CHECK(moved->collide && moved->hidden);
    check_point(moved->vertices[0], 0, 3, 0);
    check_point(moved->vertices[1], 0, 0, 0);
    check_point(moved->vertices[2], 2, 3, 0);
    check_point(moved->vertices[3], 0, 3, -4);
    // a mirrored mesh still has its outside outside: positive volume, 2 * 3 * 4 / 6
    tml_shape_def one = *moved;
    tml_mass_properties p;
    one.density = 1.0;
    CHECK(tml_shapes_mass(&one, 1, &p) == TML_OK);
    CHECK_NEAR(p.mass, 4.0, 1e-14);
    CHECK(!has_lint(scene, "neither drawn"));
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(points_in_an_mjcf_model_are_drawn_as_their_hull)
{
    tml_scene* scene = read_model(
        "p.xml",
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 .2 .2 .2'/></asset>"
        "<worldbody><body><freejoint/><geom type='mesh' mesh='m' density='600'/></body></worldbody>"
        "</mujoco>",
        NULL);
    tml_model* model = build(scene);
    const tml_body_def* b = body(model, 0);
    CHECK(b->shape_count == 1 && b->shapes[0].vertex_count == 4);
    CHECK_NEAR(b->mass, 100.0, 1e-12);
    tml_shape_def one = b->shapes[0];
    tml_mass_properties p;
    one.density = 600.0;
    CHECK(tml_shapes_mass(&one, 1, &p) == TML_OK);
    CHECK_NEAR(p.mass, 100.0, 1e-12);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

#define LINK(mesh)                                                                                 \
    "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/>"              \
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"                        \
    "<visual><geometry><mesh filename='" mesh "'/></geometry></visual>"                            \
    "<collision><geometry><box size='1 1 1'/></geometry></collision></link>"                       \
    "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>"

TEST(urdf_meshes_come_from_the_folder_or_from_packages_that_are_named)
{
    static const struct {
        const char* text;
        const char* packages;
        const char* lint;  // NULL: it is read
    } cases[] = {
        {LINK("meshes/corner.obj"), NULL, NULL},
        {LINK("package:///meshes/corner.obj"), NULL, NULL},
        {LINK("package://tools/corner.obj"), "x=y,tools=" FOLDER "/other", NULL},
        {LINK("../other/corner.obj"), "tools=" FOLDER "/other", NULL},
        {LINK("package://tools/corner.obj"), "tool=" FOLDER "/other", "mesh of an unknown package"},
        {LINK("package://tools/corner.obj"), NULL, "mesh of an unknown package"},
        {LINK("package://tools"), NULL, "mesh of an unknown package"},
        {LINK("package://tools/../model/meshes/corner.obj"), "tools=" FOLDER "/other",
         "mesh outside of the model"},
        {LINK("package:////etc/passwd"), NULL, "mesh outside of the model"},
        {LINK("../other/corner.obj"), NULL, "mesh outside of the model"},
        {LINK("meshes/../../other/corner.obj"), NULL, "mesh outside of the model"},
        {LINK(FOLDER "/other/corner.obj"), NULL, "mesh outside of the model"},
        {LINK("file://" FOLDER "/model/meshes/corner.obj"), NULL, "mesh outside of the model"},
        {LINK("link.obj"), NULL, "mesh outside of the model"},
        {LINK("meshes/missing.obj"), NULL, "mesh file"},
        {LINK("looks.dae"), NULL, "mesh that is neither STL nor OBJ"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tml_scene* scene = read_model("r.urdf", cases[i].text, cases[i].packages);
        tml_model* model = build(scene);
        const tml_body_def* b = body(model, 0);
        const bool is_read = b->shape_count == 2 && b->shapes[0].kind == TML_SHAPE_MESH;
        if (is_read != (cases[i].lint == NULL)) printf("case %zu\n", i);
        CHECK(is_read == (cases[i].lint == NULL));
        if (cases[i].lint != NULL) CHECK(has_lint(scene, cases[i].lint));
        // what is there to touch is seen only where there is nothing better
        CHECK(b->shapes[b->shape_count - 1].hidden == is_read);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}

TEST(a_damaged_mesh_is_refused_with_its_file)
{
    prepare();
    put(FOLDER "/model/meshes/broken.obj", "v 0 0 0\nv 1 0 nan\n");
    put(FOLDER "/model/broken.urdf", LINK("meshes/broken.obj"));
    tml_scene* scene = tml_scene_create();
    CHECK(tml_scene_read_file(scene, FOLDER "/model/broken.urdf") == TML_BAD_FILE);
    CHECK_CONTAINS(tml_scene_message(scene), "broken.obj:2:");
    tml_scene_destroy(scene);
}

TEST(what_is_hidden_stays_hidden_in_a_written_model)
{
    static const char* const files[] = {FOLDER "/model/written.xml"};
    // a box that is looked at and one that is only touched
    tml_scene* scene =
        read_model("h.xml",
                   "<mujoco><worldbody><body name='b'><freejoint/>"
                   "<geom type='box' size='1 1 1' contype='0' conaffinity='0'/>"
                   "<geom type='sphere' size='1' group='3'/></body></worldbody></mujoco>",
                   NULL);
    CHECK(tml_scene_write_file(scene, files[0]) == TML_OK);
    tml_scene* again = tml_scene_create();
    CHECK(tml_scene_read_file(again, files[0]) == TML_OK);
    tml_model* model = build(again);
    CHECK(body(model, 0)->shape_count == 2);
    CHECK(!body(model, 0)->shapes[0].hidden && body(model, 0)->shapes[1].hidden);
    tml_model_destroy(model);
    tml_scene_destroy(again);
    tml_scene_destroy(scene);
}

TEST(sdf_meshes_are_read_too)
{
    tml_scene* scene = read_model(
        "s.sdf",
        "<sdf version='1.7'><model name='m'><link name='l'><visual name='v'><geometry><mesh>"
        "<uri>model://tools/corner.obj</uri><scale>2 2 2</scale></mesh></geometry></visual></link>"
        "</model></sdf>",
        "tools=" FOLDER "/other");
    tml_model* model = build(scene);
    const tml_body_def* b = body(model, 0);
    CHECK(b->shape_count == 1 && b->shapes[0].kind == TML_SHAPE_MESH);
    check_point(b->shapes[0].vertices[1], 2, 0, 0);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

TEST(public_models_show_their_meshes)
{
    static const struct {
        const char* path;
        int meshes;  // geoms that name one, by the README of the set; links of five_bar that have one
    } models[] = {{"mjcf/agility_cassie/cassie.xml", 25}, {"mjcf/robotiq_2f85/2f85.xml", 24},
                  {"mjcf/iit_softfoot/softfoot.xml", 54}, {"mjcf/trossen_wx250s/wx250s.xml", 20},
                  {"mjcf/skydio_x2/x2.xml", 1},           {"mjcf/wonik_allegro/left_hand.xml", 21},
                  {"urdf/five_bar/robot.urdf", 5}};
    if (access(TEST_SOURCE_DIR "/../shared/models/README.md", R_OK) != 0) {
        SKIP("the shared models are not there");
    }
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[512];
        int count = 0;
        snprintf(path, sizeof path, TEST_SOURCE_DIR "/../shared/models/%s", models[i].path);
        tml_scene* scene = tml_scene_create();
        CHECK(tml_scene_read_file(scene, path) == TML_OK);
        tml_model* model = build(scene);
        int world = 0;
        const tml_shape_def* shapes = tml_model_world_shapes(model, &world);
        for (int k = 0; k < world; k++) count += shapes[k].kind == TML_SHAPE_MESH;
        for (int b = 0; b < tml_model_body_count(model); b++) {
            const tml_body_def* def = body(model, b);
            for (int k = 0; k < def->shape_count; k++) {
                count += def->shapes[k].kind == TML_SHAPE_MESH;
            }
        }
        if (count != models[i].meshes) printf("%s: %d\n", models[i].path, count);
        CHECK(count == models[i].meshes);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}

// ---- written again

static int shapes_of(const tml_model* m, int body)
{
    return tml_model_body(m, (tml_body){body})->shape_count;
}

// The same mesh on two bodies and another one: two files, and shapes with the same bits.
TEST(meshes_are_written_beside_the_model_and_read_back)
{
    static const char text[] =
        "<mujoco><compiler angle='radian' inertiafromgeom='false' meshdir='meshes'/><asset>"
        "<mesh name='c' file='corner.obj'/><mesh name='d' file='corner.obj' scale='.3 .7 "
        "1.1'/></asset>"
        "<worldbody><body name='a'><joint name='p' axis='0 0 1'/><inertial pos='0 0 0' mass='1' "
        "diaginertia='1 1 1'/>"
        "<geom type='mesh' mesh='c' pos='.1 .2 .3'/></body>"
        "<body name='b' pos='3 0 0'><joint name='q' axis='0 1 0'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom type='mesh' mesh='c'/>"
        "<geom type='mesh' mesh='d' euler='.1 .2 .3'/></body></worldbody></mujoco>";
    static const char* const out[2] = {FOLDER "/out/robot.xml", FOLDER "/out/arm.urdf"};
    static const char* const files[2][3] = {
        {FOLDER "/out/robot.mesh0.obj", FOLDER "/out/robot.mesh1.obj",
         FOLDER "/out/robot.mesh2.obj"},
        {FOLDER "/out/arm.mesh0.obj", FOLDER "/out/arm.mesh1.obj", FOLDER "/out/arm.mesh2.obj"}};
    tml_scene* scene = read_model("robot.xml", text, NULL);
    tml_model* model = build(scene);
    mkdir(FOLDER "/out", 0777);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) remove(files[k][i]);
        const tml_status status = tml_scene_write_file(scene, out[k]);
        if (status != TML_OK) printf("%s\n", tml_scene_message(scene));
        CHECK(status == TML_OK);
        CHECK(access(files[k][0], R_OK) == 0 && access(files[k][1], R_OK) == 0);
        CHECK(access(files[k][2], R_OK) != 0);
        tml_scene* again = tml_scene_create();
        CHECK(tml_scene_read_file(again, out[k]) == TML_OK);
        CHECK(tml_scene_lint_count(again) <= 2);
        tml_model* copy = build(again);
        for (int b = 0; b < 2 && copy != NULL; b++) {
            CHECK(shapes_of(copy, b) == shapes_of(model, b));
            for (int i = 0; i < shapes_of(model, b) && i < shapes_of(copy, b); i++) {
                const tml_shape_def* s = &tml_model_body(model, (tml_body){b})->shapes[i];
                const tml_shape_def* c = &tml_model_body(copy, (tml_body){b})->shapes[i];
                CHECK(c->vertex_count == s->vertex_count && c->triangle_count == s->triangle_count);
                CHECK(memcmp(c->vertices, s->vertices,
                             (size_t)s->vertex_count * sizeof *s->vertices) == 0);
            }
        }
        tml_model_destroy(copy);
        tml_scene_destroy(again);
    }
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}
