// test/io/mujoco_contacts.c - masks, priorities, pairs and exclusions of MJCF say what they say to MuJoCo.
#include "math/quat.h"
#include "model/collision.h"
#include "test/check.h"
#include "test/mujoco/reference.h"
#include "test_paths.h"

#include <trammel/trammel.h>

enum {
    MOST_CONTACTS = 200
};

static tml_model* load(const char* file, tml_scene* scene)
{
    char path[600];
    tml_model* model = NULL;
    snprintf(path, sizeof path, "%s/test/mujoco/%s", TEST_SOURCE_DIR, file);
    const bool is_read =
        tml_scene_read_file(scene, path) == TML_OK && tml_scene_build(scene, &model) == TML_OK;
    if (!is_read) printf("%s\n", tml_scene_message(scene));
    CHECK(is_read);
    return model;
}

// Of the collider with this number: those of the bodies, then those of the world.
static const char* name_of(const tml_model* model, int collider)
{
    int world_count = 0;
    const tml_shape_def* of_world = tml_model_world_shapes(model, &world_count);
    const int bodies = tml_model_body_count(model);
    for (int i = 0, k = 0; i <= bodies; i++) {
        const tml_body_def* b = i < bodies ? tml_model_body(model, (tml_body){i}) : NULL;
        const tml_shape_def* shapes = b != NULL ? b->shapes : of_world;
        const int count = b != NULL ? b->shape_count : world_count;
        for (int s = 0; s < count; s++) {
            if (shapes[s].collide && k++ == collider) return shapes[s].name;
        }
    }
    return "?";
}

static bool is_pair(const char* a, const char* b, const touching_pair* of)
{
    return (strcmp(a, of->a) == 0 && strcmp(b, of->b) == 0) ||
           (strcmp(a, of->b) == 0 && strcmp(b, of->a) == 0);
}

// All contacts at load.
static int detect(const tml_model* model, contact* out)
{
    static placement places[MOST_CONTACTS];
    collision* c = NULL;
    message why = {{0}};
    int count = 0;
    CHECK(tml__model_collision(model, NULL, &why, &c) == TML_OK);
    if (c == NULL) return 0;
    const int bodies = tml_model_body_count(model);
    for (int i = 0; i < bodies; i++) {
        const tml_body_def* b = tml_model_body(model, (tml_body){i});
        const mat3 R = q_matrix(b->pose.q);
        places[i] = (placement){v3_add(b->pose.p, m3_apply(R, b->com)), R};
    }
    places[bodies] = (placement){v3_zero(), m3_diagonal(1.0, 1.0, 1.0)};
    CHECK(tml__collision_detect(c, places, 0.0, MOST_CONTACTS, out, &count, &why) == TML_OK);
    tml__collision_destroy(c);
    return count;
}

// Every pair of MuJoCo's is there with its friction, and there are no others.
static void check_model(const tml_model* model, const char* file)
{
    static contact found[MOST_CONTACTS];
    bool is_there[64] = {false};
    const int pairs = (int)(sizeof touching_pairs / sizeof *touching_pairs);
    const int count = detect(model, found);
    for (int i = 0; i < count; i++) {
        const char* a = name_of(model, found[i].shape_a);
        const char* b = name_of(model, found[i].shape_b);
        int at = -1;
        for (int k = 0; k < pairs; k++) {
            if (strcmp(touching_pairs[k].file, file) == 0 && is_pair(a, b, &touching_pairs[k]))
                at = k;
        }
        if (at < 0) printf("%s: '%s' and '%s' touch\n", file, a, b);
        CHECK(at >= 0);
        if (at < 0) continue;
        is_there[at] = true;
        CHECK_NEAR(found[i].friction, touching_pairs[at].friction, 0.0);
    }
    for (int k = 0; k < pairs; k++) {
        if (strcmp(touching_pairs[k].file, file) != 0 || is_there[k]) continue;
        printf("%s: '%s' and '%s' do not touch\n", file, touching_pairs[k].a, touching_pairs[k].b);
        CHECK(false);
    }
}

static const char* const files[] = {"contacts_masks.xml", "contacts_joined.xml"};

TEST(bodies_touch_whom_the_file_says_with_the_friction_it_says)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tml_scene* scene = tml_scene_create();
        tml_model* model = load(files[i], scene);
        if (model != NULL) check_model(model, files[i]);
        CHECK(tml_scene_settings(scene)->sim.contact.is_on);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}

// Written as a scene and as MJCF, and read again.
static void check_written(const char* file, const char* ending)
{
    char path[600];
    tml_scene* scene = tml_scene_create();
    tml_scene* again = tml_scene_create();
    tml_model* model = load(file, scene);
    tml_model* copy = NULL;
    snprintf(path, sizeof path, "%s/%s%s", TEST_BINARY_DIR, file, ending);
    CHECK(tml_scene_write_file(scene, path) == TML_OK);
    const bool is_read = tml_scene_read_file(again, path) == TML_OK;
    if (!is_read) printf("%s\n", tml_scene_message(again));
    CHECK(is_read);
    CHECK(tml_scene_build(again, &copy) == TML_OK);
    CHECK(tml_scene_settings(again)->sim.contact.is_on);
    if (copy != NULL) check_model(copy, file);
    remove(path);
    tml_model_destroy(copy);
    tml_model_destroy(model);
    tml_scene_destroy(again);
    tml_scene_destroy(scene);
}

TEST(who_touches_whom_survives_the_way_through_a_scene_and_through_mjcf)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        check_written(files[i], ".json");
        check_written(files[i], ".xml");
    }
}

// Shapes that no mask lets touch leave contact off, and so does the flag.
TEST(contact_is_on_where_shapes_can_touch)
{
    static const char* const texts[3] = {
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/>"
        "<geom size='0.1'/></body></worldbody></mujoco>",
        "<mujoco><worldbody><geom type='plane' size='1 1 1' contype='2' conaffinity='2'/><body>"
        "<freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
        "<mujoco><option><flag contact='disable'/></option><worldbody><geom type='plane' "
        "size='1 1 1'/><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"};
    for (int i = 0; i < 3; i++) {
        tml_scene* scene = tml_scene_create();
        CHECK(tml_scene_read_text(scene, texts[i], strlen(texts[i]), "ball.xml") == TML_OK);
        CHECK(tml_scene_settings(scene)->sim.contact.is_on == (i == 0));
        CHECK(tml_scene_is_model(scene));
        tml_scene_destroy(scene);
    }
}

// A turntable on a post: the normal of its contact moves nothing, so nobody knows what presses it, and the
// rows of its friction were refused ("row 1: 0 is not the row of a normal force").
TEST(a_contact_whose_normal_moves_nothing_has_no_friction)
{
    static const char text[] =
        "<mujoco><worldbody><geom type='box' size='0.1 0.1 0.1'/><body pos='0 0 0.2'>"
        "<joint name='pin' axis='0 0 1'/><geom type='box' size='0.1 0.1 0.1'/></body></worldbody>"
        "<actuator><motor joint='pin'/></actuator><keyframe><key qpos='0' ctrl='0.1'/></keyframe>"
        "</mujoco>";
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    CHECK(tml_scene_read_text(scene, text, strlen(text), "turntable.xml") == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    CHECK(tml_sim_create(model, &tml_scene_settings(scene)->sim, &sim) == TML_OK);
    for (int k = 0; k < 50; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    // 8 kg of 0.2 m: I = m (a^2 + a^2) / 12
    const double inertia = 8.0 * 0.08 / 12.0;
    CHECK_NEAR(tml_sim_velocity(sim, (tml_body){0}).angular.z, 0.1 / inertia * 0.1, 1e-12);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
}

// In MuJoCo 3.12 margins of two geoms add up, and what rests, rests so far apart (softly: to 0.2 mm).
TEST(margins_keep_what_rests_apart)
{
    static const char* const shapes[] = {"type='sphere' size='.1'", "type='box' size='.2 .15 .1'",
                                         "type='cylinder' size='.1 .1'",
                                         "type='ellipsoid' size='.15 .12 .1'"};
    static const char* const grounds[] = {"type='plane' size='1 1 1'",
                                          "type='box' size='1 1 .5' pos='0 0 -.5'"};
    for (int n = 0; n < 8; n++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "<mujoco><worldbody><geom %s margin='.01'/><body pos='0 0 .14'><freejoint/><geom %s "
            "mass='1' margin='.02'/></body></worldbody></mujoco>",
            grounds[n / 4], shapes[n % 4]);
        tml_scene* scene = tml_scene_create();
        tml_model* model = NULL;
        tml_sim* sim = NULL;
        CHECK(tml_scene_read_text(scene, text, strlen(text), "margin.xml") == TML_OK);
        CHECK(tml_scene_build(scene, &model) == TML_OK);
        CHECK(tml_sim_create(model, &tml_scene_settings(scene)->sim, &sim) == TML_OK);
        for (int k = 0; k < 500; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
        CHECK_NEAR(tml_sim_pose(sim, (tml_body){0}).p.z, 0.13, 1e-5);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
        tml_scene_destroy(scene);
    }
}
