// Which bodies of a model touch: joints, exclusions, pairs, fixed bodies, the world.
#include "model/collision.h"

#include "test/check.h"

static const char spaces[] = "";

// Balls of radius 0.1 in nearly one place, so that everything that may touch does.
static tml_body add_ball(tml_spec* spec, const char* name, int is_fixed)
{
    const tml_shape_def ball = tml_shape_def_default();
    tml_body_def def = tml_body_def_default();
    def.name = name;
    def.pose.p.x = 0.01 * (double)strlen(name);
    def.is_fixed = is_fixed;
    def.shape_count = 1;
    def.shapes = &ball;
    return tml_spec_add_body(spec, &def);
}

static void add_joint(tml_spec* spec, tml_body base, tml_body follower, tml_joint_kind kind,
                      int collide)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.collide = collide;
    tml_spec_add_joint(spec, &def);
}

// Whether two bodies have a contact, and its friction.
static int touches(const contact* list, int count, int a, int b, double* friction)
{
    for (int i = 0; i < count; i++) {
        const int is_pair = (list[i].body_a == a && list[i].body_b == b) ||
                            (list[i].body_a == b && list[i].body_b == a);
        if (!is_pair) continue;
        *friction = list[i].friction;
        return 1;
    }
    return 0;
}

TEST(joints_exclusions_and_pairs_decide_what_touches)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_ball(spec, "a", 0);
    const tml_body b = add_ball(spec, "bb", 0);
    const tml_body c = add_ball(spec, "ccc", 0);
    const tml_body d = add_ball(spec, "dddd", 0);
    const tml_body e = add_ball(spec, "eeeee", 1);
    tml_shape_def floor = tml_shape_def_default();
    floor.kind = TML_SHAPE_PLANE;
    CHECK(tml_spec_add_world_shape(spec, &floor) == TML_OK);
    add_joint(spec, a, b, TML_JOINT_REVOLUTE, 0);
    add_joint(spec, b, c, TML_JOINT_SPHERICAL, 1);
    add_joint(spec, TML_WORLD, c, TML_JOINT_FREE, 0);
    add_joint(spec, TML_WORLD, d, TML_JOINT_PLANAR, 0);
    CHECK(tml_spec_add_exclusion(spec, c, d) == TML_OK);
    tml_pair_def pair = tml_pair_def_default();
    pair.a = e;
    pair.b = a;
    pair.friction = 0.125;
    CHECK(tml_spec_add_pair(spec, &pair) == TML_OK);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);

    collision* shapes = NULL;
    message why = {{0}};
    CHECK(tml__model_collision(model, NULL, &why, &shapes) == TML_OK);
    placement places[6];
    contact list[40];
    int n = 0;
    for (int i = 0; i < 5; i++) {
        places[i] = (placement){tml_model_body(model, (tml_body){i})->pose.p, m3_identity()};
    }
    places[5] = (placement){v3_zero(), m3_identity()};
    CHECK(tml__collision_detect(shapes, places, 0.0, 40, list, &n, &why) == TML_OK);

    const int world = tml__world(model);
    double friction = 0.0;
    CHECK(!touches(list, n, a.index, b.index, &friction));  // joined
    CHECK(touches(list, n, b.index, c.index, &friction));   // joined, and may collide
    CHECK(touches(list, n, a.index, c.index, &friction) && friction == 0.5);
    CHECK(touches(list, n, a.index, e.index, &friction) && friction == 0.125);
    CHECK(!touches(list, n, c.index, d.index, &friction));  // excluded
    CHECK(touches(list, n, c.index, world, &friction));     // a free joint joins nobody
    CHECK(!touches(list, n, d.index, world, &friction));    // joined to the world
    CHECK(!touches(list, n, e.index, world, &friction));    // neither moves
    tml__collision_destroy(shapes);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

TEST(pairs_of_bodies_that_make_no_sense_are_refused)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_ball(spec, "a", 0);
    CHECK(tml_spec_add_exclusion(spec, a, a) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "paired with itself");
    CHECK(tml_spec_add_exclusion(spec, a, (tml_body){7}) == TML_BAD_ARGUMENT);
    tml_pair_def pair = tml_pair_def_default();
    pair.a = a;
    pair.restitution = 1.5;
    CHECK(tml_spec_add_pair(spec, &pair) == TML_BAD_ARGUMENT);
    pair.restitution = 1.0;
    pair.friction = nan(spaces);
    CHECK(tml_spec_add_pair(spec, &pair) == TML_BAD_ARGUMENT);
    tml_spec_destroy(spec);
}

TEST(meshes_and_grids_are_checked_and_copied)
{
    tml_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    double heights[4] = {0.0, 1.0, 2.0, 3.0};
    tml_shape_def shapes[2] = {tml_shape_def_default(), tml_shape_def_default()};
    shapes[0].kind = TML_SHAPE_MESH;
    shapes[0].vertex_count = shapes[0].triangle_count = 4;
    shapes[0].vertices = vertices;
    shapes[0].triangles = triangles;
    shapes[1].kind = TML_SHAPE_HEIGHTFIELD;
    shapes[1].size = (tml_vec3){1.0, 1.0, 0.0};
    shapes[1].rows = shapes[1].columns = 2;
    shapes[1].heights = heights;

    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.is_fixed = 1;
    def.shape_count = 2;
    def.shapes = shapes;
    const tml_body body = tml_spec_add_body(spec, &def);
    CHECK(tml_spec_add_world_shape(spec, &shapes[1]) == TML_OK);
    // the caller's lists may go
    memset(vertices, 0, sizeof vertices);
    memset(triangles, 0, sizeof triangles);
    memset(heights, 0, sizeof heights);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    const tml_shape_def* kept = tml_model_body(model, body)->shapes;
    int count = 0;
    CHECK(kept[0].vertices[3].z == 1.0 && kept[0].triangles[11] == 3);
    CHECK(kept[1].heights[3] == 3.0);
    CHECK(tml_model_world_shapes(model, &count)[0].heights[2] == 2.0 && count == 1);
    tml_model_destroy(model);

    spec = tml_spec_create();
    triangles[5] = 9;
    vertices[1].x = 1.0;
    CHECK(tml_spec_add_world_shape(spec, &shapes[0]) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "triangle 1: 9 is none of its 4 vertices");
    tml_spec_destroy(spec);
    spec = tml_spec_create();
    heights[1] = nan(spaces);
    CHECK(tml_spec_add_world_shape(spec, &shapes[1]) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "row 0 and column 1");
    tml_spec_destroy(spec);
}
