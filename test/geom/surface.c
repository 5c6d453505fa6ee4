// Contacts with surfaces of triangles: a flat one is a plane, a bowl is a ball seen from inside, seams
// are not felt.
#include "geom/surface.h"

#include "test/geom/pieces.h"

// ---- surfaces

static tml_shape_def flat_grid(double* heights, int rows, int columns, double size)
{
    tml_shape_def s = tml_shape_def_default();
    s.kind = TML_SHAPE_HEIGHTFIELD;
    s.size = v3(size, size, 0.0);
    s.rows = rows;
    s.columns = columns;
    s.heights = heights;
    return s;
}

enum {
    GRID = 21
};

static double paraboloid(double x, double y) { return 0.1 * (x * x + y * y); }

static void fill_heights(double* heights, double (*height)(double x, double y))
{
    for (int i = 0; i < GRID * GRID; i++) {
        const double x = 4.0 * ((double)(i % GRID) / (GRID - 1) - 0.5);
        const double y = 4.0 * ((double)(i / GRID) / (GRID - 1) - 0.5);
        heights[i] = height != NULL ? height(x, y) : 0.0;
    }
}

// The same grid as a mesh.
static void grid_mesh(const double* heights, tml_vec3* vertices, int* triangles, tml_shape_def* s)
{
    *s = tml_shape_def_default();
    s->kind = TML_SHAPE_MESH;
    for (int i = 0; i < GRID * GRID; i++) {
        vertices[i] = v3(4.0 * ((double)(i % GRID) / (GRID - 1) - 0.5),
                         4.0 * ((double)(i / GRID) / (GRID - 1) - 0.5), heights[i]);
    }
    int k = 0;
    for (int row = 0; row < GRID - 1; row++) {
        for (int column = 0; column < GRID - 1; column++) {
            const int i = row * GRID + column;
            const int two[6] = {i, i + 1, i + GRID + 1, i, i + GRID + 1, i + GRID};
            memcpy(&triangles[k], two, sizeof two);
            k += 6;
        }
    }
    s->vertex_count = GRID * GRID;
    s->vertices = vertices;
    s->triangle_count = k / 3;
    s->triangles = triangles;
}

static surface* make(const tml_shape_def* s)
{
    surface* out = NULL;
    message why = {{0}};
    CHECK(tml__surface_create(s, "ground", NULL, &why, &out) == TML_OK);
    return out;
}

static const mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

TEST(everything_that_lies_on_a_flat_grid_touches_it_like_a_plane)
{
    random_source r = random_start(131);
    double heights[GRID * GRID];
    fill_heights(heights, NULL);
    const tml_shape_def grid = flat_grid(heights, GRID, GRID, 4.0);
    surface* s = make(&grid);
    for (sample_kind kind = SAMPLE_SPHERE; kind < SAMPLE_KINDS; kind++) {
        for (int k = 0; k < 200; k++) {
            pool memory = {.first = NULL};
            sample_piece a;
            sample_make(&r, &memory, kind, &a);
            const vec3 at = v3(random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0), 0.0);
            sample_place(&a, at, random_quat(&r));
            // a little into the ground
            const double lowest = -sample_reach(&a, v3(0.0, 0.0, -1.0));
            a.p.core.p.z -= lowest + 1e-3;
            surface_contacts found;
            CHECK(tml__surface_contacts(s, v3_zero(), &upright, &a.p, 0.01, &found) == TML_OK);
            CHECK(found.count > 0);
            double deepest = HUGE_VAL;
            for (int i = 0; i < found.count; i++) {
                // seams are not felt: every normal is up
                CHECK_NEAR(found.contacts[i].normal.z, 1.0, 1e-3);
                deepest = fmin(deepest, found.contacts[i].gap);
                if (i > 0) CHECK(found.contacts[i].id > found.contacts[i - 1].id);
            }
            CHECK_NEAR(deepest, -1e-3, 1.3e-4);  // a cylinder that lies flat misses up to 1.2e-4
            tml__pool_destroy(&memory);
        }
    }
    tml__surface_destroy(s);
}

TEST(a_box_on_a_grid_rests_on_its_four_corners)
{
    random_source r = random_start(132);
    pool memory = {.first = NULL};
    double heights[GRID * GRID];
    fill_heights(heights, NULL);
    const tml_shape_def grid = flat_grid(heights, GRID, GRID, 4.0);
    surface* s = make(&grid);
    sample_piece a;
    sample_make(&r, &memory, SAMPLE_BOX, &a);
    for (int k = 0; k < 100; k++) {
        const quat turn = q_about(2, random_between(&r, 0.0, 6.0));
        const vec3 at =
            v3(random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0), a.size.z - 1e-4);
        sample_place(&a, at, turn);
        surface_contacts found;
        CHECK(tml__surface_contacts(s, v3_zero(), &upright, &a.p, 0.01, &found) == TML_OK);
        CHECK(found.count == 4);
        // they span the whole face: the area of their quadrilateral is that of the bottom
        double spread = 0.0;
        for (int i = 0; i < found.count; i++) {
            const vec3 d = v3_sub(found.contacts[i].point, at);
            spread += sqrt(d.x * d.x + d.y * d.y);
            CHECK_NEAR(found.contacts[i].gap, -1e-4, 1e-14);
        }
        const double diagonal = sqrt(a.size.x * a.size.x + a.size.y * a.size.y);
        CHECK(spread > 3.4 * diagonal);  // cuts near a corner may stand for it
    }
    tml__pool_destroy(&memory);
    tml__surface_destroy(s);
}

static double roof(double x, double y) { return -0.5 * fabs(x) + 0.0 * y; }
static double peak(double x, double y) { return -0.4 * (fabs(x) + fabs(y)); }

// A face that lies on a ridge or on a peak touches neither of the slopes beside it.
TEST(a_face_lies_on_a_ridge_and_on_a_peak)
{
    random_source r = random_start(133);
    double (*const shapes[2])(double, double) = {roof, peak};
    for (int which = 0; which < 2; which++) {
        pool memory = {.first = NULL};
        double heights[GRID * GRID];
        fill_heights(heights, shapes[which]);
        const tml_shape_def grid = flat_grid(heights, GRID, GRID, 4.0);
        surface* s = make(&grid);
        sample_piece a;
        sample_make(&r, &memory, SAMPLE_BOX, &a);
        for (int k = 0; k < 200; k++) {
            // tilted across the ridge, by less than its slopes
            const quat tilt = q_about(1, random_between(&r, -0.3, 0.3));
            const vec3 n = q_rotate(tilt, v3(0.0, 0.0, 1.0));
            const double gap = random_between(&r, 1e-5, 5e-3);
            const quat turn = q_mul(tilt, q_about(2, random_between(&r, 0.0, 6.0)));
            sample_place(&a, v3_scale(a.size.z + gap, n), turn);
            surface_contacts found;
            CHECK(tml__surface_contacts(s, v3_zero(), &upright, &a.p, 0.01, &found) == TML_OK);
            int nearest = 0;
            for (int i = 1; i < found.count; i++) {
                if (found.contacts[i].gap < found.contacts[nearest].gap) nearest = i;
            }
            CHECK(found.count > 0);
            if (found.count == 0) continue;
            CHECK_NEAR(found.contacts[nearest].gap, gap, 1e-12);
            CHECK(v3_dot(found.contacts[nearest].normal, n) > 1.0 - 1e-12);
        }
        tml__pool_destroy(&memory);
        tml__surface_destroy(s);
    }
}

// A heightfield and the mesh with the same triangles are one surface.
TEST(a_mesh_and_a_heightfield_with_the_same_triangles_agree)
{
    random_source r = random_start(133);
    double heights[GRID * GRID];
    static tml_vec3 vertices[GRID * GRID];
    static int triangles[6 * GRID * GRID];
    fill_heights(heights, paraboloid);
    const tml_shape_def grid = flat_grid(heights, GRID, GRID, 4.0);
    tml_shape_def mesh;
    grid_mesh(heights, vertices, triangles, &mesh);
    surface* s = make(&grid);
    surface* t = make(&mesh);
    int touching = 0;
    for (int k = 0; k < 400; k++) {
        pool memory = {.first = NULL};
        sample_piece a;
        sample_make(&r, &memory, (sample_kind)(k % SAMPLE_KINDS), &a);
        const vec3 at = random_vec3(&r, 1.2);
        sample_place(&a, v3(at.x, at.y, paraboloid(at.x, at.y) + 0.3), random_quat(&r));
        surface_contacts x;
        surface_contacts y;
        CHECK(tml__surface_contacts(s, v3_zero(), &upright, &a.p, 0.05, &x) == TML_OK);
        CHECK(tml__surface_contacts(t, v3_zero(), &upright, &a.p, 0.05, &y) == TML_OK);
        CHECK(x.count == y.count);
        for (int i = 0; i < x.count && x.count == y.count; i++) {
            touching++;
            CHECK(x.contacts[i].id == y.contacts[i].id);
            CHECK_NEAR(x.contacts[i].gap, y.contacts[i].gap, 1e-14);
            CHECK(isfinite(x.contacts[i].gap) && v3_is_finite(x.contacts[i].point));
            CHECK(x.contacts[i].normal.z > 0.0);
        }
        tml__pool_destroy(&memory);
    }
    CHECK(touching > 200);
    tml__surface_destroy(s);
    tml__surface_destroy(t);
}

// A ball in a bowl: the nearest of all triangles, found one by one.
static double distance_to_triangle(vec3 p, const vec3 t[3])
{
    const vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    bool is_inside = true;
    double best = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const vec3 u = v3_sub(t[(k + 1) % 3], t[k]);
        const vec3 d = v3_sub(p, t[k]);
        is_inside = is_inside && v3_dot(v3_cross(n, u), d) >= 0.0;
        const double s = fmin(fmax(v3_dot(d, u) / v3_dot(u, u), 0.0), 1.0);
        best = fmin(best, v3_norm(v3_axpy(d, -s, u)));
    }
    if (is_inside) best = fmin(best, fabs(v3_dot(n, v3_sub(p, t[0]))) / v3_norm(n));
    return best;
}

TEST(a_ball_in_a_bowl_is_as_near_as_the_nearest_triangle)
{
    random_source r = random_start(134);
    double heights[GRID * GRID];
    static tml_vec3 vertices[GRID * GRID];
    static int triangles[6 * GRID * GRID];
    fill_heights(heights, paraboloid);
    tml_shape_def mesh;
    grid_mesh(heights, vertices, triangles, &mesh);
    surface* s = make(&mesh);
    pool memory = {.first = NULL};
    sample_piece ball;
    sample_make(&r, &memory, SAMPLE_SPHERE, &ball);
    for (int k = 0; k < 500; k++) {
        const vec3 x = random_vec3(&r, 1.5);
        const vec3 at = v3(x.x, x.y, paraboloid(x.x, x.y) + random_between(&r, 0.02, 0.5));
        sample_place(&ball, at, q_identity());
        double nearest = HUGE_VAL;
        for (int t = 0; t < mesh.triangle_count; t++) {
            const vec3 corners[3] = {vertices[triangles[3 * t]], vertices[triangles[3 * t + 1]],
                                     vertices[triangles[3 * t + 2]]};
            nearest = fmin(nearest, distance_to_triangle(at, corners));
        }
        surface_contacts found;
        CHECK(tml__surface_contacts(s, v3_zero(), &upright, &ball.p, 0.05, &found) == TML_OK);
        double deepest = HUGE_VAL;
        for (int i = 0; i < found.count; i++) deepest = fmin(deepest, found.contacts[i].gap);
        if (nearest - ball.size.x < 0.05) CHECK_NEAR(deepest, nearest - ball.size.x, 1e-14);
        if (nearest - ball.size.x > 0.05) CHECK(found.count == 0);
    }
    tml__pool_destroy(&memory);
    tml__surface_destroy(s);
}

TEST(triangles_without_area_are_refused)
{
    const tml_vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const int triangle[3] = {0, 1, 2};
    tml_shape_def mesh = tml_shape_def_default();
    mesh.kind = TML_SHAPE_MESH;
    mesh.vertex_count = 3;
    mesh.vertices = vertices;
    mesh.triangle_count = 1;
    mesh.triangles = triangle;
    surface* s = NULL;
    message why;
    CHECK(tml__surface_create(&mesh, "ground", NULL, &why, &s) == TML_BAD_ARGUMENT && s == NULL);
    CHECK_CONTAINS(why.text, "triangle 0");
}
