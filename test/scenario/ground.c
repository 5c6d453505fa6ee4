// test/scenario/ground.c - bodies on grounds of triangles, convex meshes, and pairs that do not touch.
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/touching.h"
#include "test/sim/world.h"

enum {
    GRID = 33
};

// A grid of 4 m by 4 m.
static void add_grid(tml_spec* spec, double (*height)(double x, double y))
{
    static double heights[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++) {
        heights[i] =
            height(4.0 * (i % GRID) / (GRID - 1) - 2.0, 4.0 * (i / GRID) / (GRID - 1) - 2.0);
    }
    tml_shape_def grid = tml_shape_def_default();
    grid.kind = TML_SHAPE_HEIGHTFIELD;
    grid.size = v3(4.0, 4.0, 0.0);
    grid.rows = grid.columns = GRID;
    grid.heights = heights;
    grid.friction = 0.3;
    CHECK(tml_spec_add_world_shape(spec, &grid) == TML_OK);
}

static double flat(double x, double y)
{
    (void)x;
    (void)y;
    return 0.0;
}

// The same slide as on a plane: seams are not felt.
TEST(a_ball_rolls_over_the_seams_of_a_grid_as_over_a_plane)
{
    tml_spec* spec = tml_spec_create();
    run r;
    tml_body_def ball = tml_body_def_default();
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.3);
    add_grid(spec, flat);
    ball.mass = 2.0;
    for (int k = 0; k < 3; k++) ball.inertia[k] = 0.4 * 2.0 * 0.01;
    ball.pose.p = v3(-1.03, 0.37, 0.1);
    ball.velocity.linear = v3(2.0, 0.0, 0.0);
    ball.shapes = &shape;
    ball.shape_count = 1;
    const tml_body b = tml_spec_add_body(spec, &ball);
    CHECK(touch_start(&r, spec, 1e-3) == TML_OK);
    CHECK(run_steps(&r, 600) == TML_OK);  // seven seams and some diagonals
    CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, 10.0 / 7.0, 1e-11);
    CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.y, 0.0, 1e-11);
    CHECK_NEAR(tml_sim_pose(r.sim, b).p.z, 0.1, 1e-12);
    run_close(&r);
}

TEST(a_brick_rests_on_a_grid_and_is_carried)
{
    tml_spec* spec = tml_spec_create();
    run r;
    add_grid(spec, flat);
    const tml_body b = add_solid(spec, "brick", shape_of(TML_SHAPE_BOX, v3(0.7, 0.5, 0.2), 0.3),
                                 v3(0.211, -0.137, 0.1));
    CHECK(touch_start(&r, spec, 5e-3) == TML_OK);
    CHECK(run_steps(&r, 100) == TML_OK);
    CHECK_NEAR(tml_sim_pose(r.sim, b).p.z, 0.1, 1e-11);
    CHECK_NEAR(tml_sim_pose(r.sim, b).p.x, 0.211, 1e-10);
    CHECK_NEAR(force_on(&r, b).z, 70.0 * 9.81, 1e-6);
    run_close(&r);
}

static double bowl(double x, double y) { return 0.15 * (x * x + y * y); }

// Whatever bounces around in a bowl loses energy, stays in it and comes to rest near the bottom.
TEST(bodies_in_a_bowl_settle_near_its_bottom)
{
    tml_spec* spec = tml_spec_create();
    run r;
    add_grid(spec, bowl);
    const tml_vec3 size = {0.12, 0.12, 0.2};
    static const tml_shape_kind kinds[3] = {TML_SHAPE_SPHERE, TML_SHAPE_CAPSULE, TML_SHAPE_BOX};
    for (int i = 0; i < 3; i++) {
        char name[24];
        snprintf(name, sizeof name, "body.%d", i);
        add_solid(spec, name, shape_of(kinds[i], size, 0.5), v3(0.5 * i - 0.5, 0.31, 0.5));
    }
    CHECK(touch_start(&r, spec, 2e-3) == TML_OK);
    tml_energy energy = tml_sim_energy(r.sim);
    const double first = energy.kinetic + energy.potential;
    CHECK(run_steps(&r, 1000) == TML_OK);
    energy = tml_sim_energy(r.sim);
    CHECK(energy.kinetic + energy.potential < first);
    for (int i = 0; i < 3; i++) {
        const tml_vec3 p = tml_sim_pose(r.sim, (tml_body){i}).p;
        CHECK(fabs(p.x) < 1.2 && fabs(p.y) < 1.2 && p.z > 0.04 && p.z < 0.6);
    }
    CHECK(tml_sim_get_report(r.sim).max_penetration < 1e-3);
    run_close(&r);
}

// A cube given as a mesh falls and rests like the box.
TEST(a_mesh_that_moves_touches_with_its_hull)
{
    static const tml_vec3 corners[9] = {{-.1, -.1, -.1}, {.1, -.1, -.1}, {-.1, .1, -.1},
                                        {.1, .1, -.1},   {-.1, -.1, .1}, {.1, -.1, .1},
                                        {-.1, .1, .1},   {.1, .1, .1},   {0, 0, 0}};
    static const int triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    tml_spec* spec = tml_spec_create();
    run r;
    add_ground(spec, 0.5, 0.0);
    tml_shape_def mesh = tml_shape_def_default();
    mesh.kind = TML_SHAPE_MESH;
    mesh.density = 1000.0;
    mesh.vertex_count = 9;
    mesh.vertices = corners;
    mesh.triangle_count = 12;
    mesh.triangles = triangles;
    const tml_body b = add_solid(spec, "cube", mesh, v3(0.0, 0.0, 0.1));
    CHECK(touch_start(&r, spec, 5e-3) == TML_OK);
    CHECK(run_steps(&r, 100) == TML_OK);
    CHECK_NEAR(tml_sim_pose(r.sim, b).p.z, 0.1, 1e-12);
    CHECK_NEAR(force_on(&r, b).z, 8.0 * 9.81, 1e-8);
    run_close(&r);
}

// Of two bricks above the ground one is excluded from touching it.
TEST(excluded_bodies_fall_through)
{
    tml_spec* spec = tml_spec_create();
    run r;
    add_ground(spec, 0.5, 0.0);
    const tml_vec3 size = {0.2, 0.2, 0.2};
    const tml_body a =
        add_solid(spec, "stays", shape_of(TML_SHAPE_BOX, size, 0.5), v3(0.0, 0.0, 0.1));
    const tml_body b =
        add_solid(spec, "falls", shape_of(TML_SHAPE_BOX, size, 0.5), v3(1.0, 0.0, 0.1));
    CHECK(tml_spec_add_exclusion(spec, b, TML_WORLD) == TML_OK);
    CHECK(touch_start(&r, spec, 1e-2) == TML_OK);
    CHECK(run_steps(&r, 100) == TML_OK);
    CHECK_NEAR(tml_sim_pose(r.sim, a).p.z, 0.1, 1e-12);
    CHECK(tml_sim_pose(r.sim, b).p.z < -4.0);
    run_close(&r);
}

// The pair's own friction counts, not that of the shapes: without any, a brick slides as on ice.
TEST(a_pair_has_a_friction_of_its_own)
{
    tml_spec* spec = tml_spec_create();
    run r;
    const double angle = 0.1;
    add_ground(spec, 0.5, angle);
    const tml_body b = add_solid(spec, "brick", shape_of(TML_SHAPE_BOX, v3(0.4, 0.3, 0.2), 0.5),
                                 v3(0.0, 0.0, 0.1));
    tml_pair_def pair = tml_pair_def_default();
    pair.a = TML_WORLD;
    pair.b = b;
    pair.friction = 0.0;
    CHECK(tml_spec_add_pair(spec, &pair) == TML_OK);
    CHECK(touch_start(&r, spec, 1e-3) == TML_OK);
    CHECK(run_steps(&r, 500) == TML_OK);
    CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, 9.81 * sin(angle) * 0.5, 1e-11);
    run_close(&r);
}

// A cylinder that slides on its side rolls at two thirds of its speed, whatever it lies on.
TEST(a_sliding_cylinder_rolls_at_two_thirds_on_every_ground)
{
    for (int k = 0; k < 3; k++) {
        tml_spec* spec = tml_spec_create();
        run r;
        if (k == 0) add_ground(spec, 0.3, 0.0);
        if (k == 1) add_grid(spec, flat);
        if (k == 2) {
            tml_shape_def table = shape_of(TML_SHAPE_BOX, v3(6.0, 6.0, 0.2), 0.3);
            table.pose.p.z = -0.1;
            CHECK(tml_spec_add_world_shape(spec, &table) == TML_OK);
        }
        tml_body_def roll = tml_body_def_default();
        tml_shape_def shape = shape_of(TML_SHAPE_CYLINDER, v3(0.1, 0.0, 0.3), 0.3);
        const double inertia[3] = {3.0 * 0.01 + 0.09, 3.0 * 0.01 + 0.09, 6.0 * 0.01};
        roll.mass = 2.0;
        for (int i = 0; i < 3; i++) roll.inertia[i] = 2.0 * inertia[i] / 12.0;
        roll.pose = (tml_pose){v3(-1.03, 0.013, 0.1), q_about(0, 0.5 * TML_PI)};
        roll.velocity.linear = v3(2.0, 0.0, 0.0);
        roll.shapes = &shape;
        roll.shape_count = 1;
        const tml_body b = tml_spec_add_body(spec, &roll);
        CHECK(touch_start(&r, spec, 1e-3) == TML_OK);
        CHECK(run_steps(&r, 400) == TML_OK);  // it rolls after v0 / (3 mu g) = 0.227 s
        // the rims of a cylinder that turned by rounding are rounding apart in height
        CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, 4.0 / 3.0, 1e-9);
        CHECK_NEAR(tml_sim_velocity(r.sim, b).angular.y, 40.0 / 3.0, 1e-8);
        CHECK_NEAR(tml_sim_pose(r.sim, b).p.z, 0.1, 1e-9);
        run_close(&r);
    }
}
