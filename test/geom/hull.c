// Convex hulls and polytopes: every point is inside, every edge has two faces, hostile sets refused.
#include "geom/hull.h"

#include "test/check.h"
#include "test/random.h"

enum {
    MOST = 2000
};

static tml_status make(pool* memory, int count, const vec3* points, polytope* out)
{
    message why = {{0}};
    const tml_status status = tml__hull(memory, count, points, "mesh", &why, out);
    if (status != TML_OK) CHECK_CONTAINS(why.text, "mesh: ");
    return status;
}

// Faces look outwards and hold every point; V - E + F = 2; each edge is part of its two faces.
static void check_polytope(const polytope* p, int count, const vec3* points)
{
    const double slack = 1e-12 * (1.0 + p->size);  // merged faces are flat to qhull's rounding
    CHECK(p->vertex_count - p->edge_count + p->face_count == 2);
    for (int f = 0; f < p->face_count; f++) {
        const vec3 on = p->vertices[p->face_vertex[p->face_start[f]]];
        for (int i = 0; i < count; i++) {
            CHECK(v3_dot(p->face_normal[f], v3_sub(points[i], on)) <= slack);
        }
    }
    for (int e = 0; e < p->edge_count; e++) {
        for (int side = 0; side < 2; side++) {
            const int f = p->edges[e].f[side];
            int found = 0;
            for (int k = p->face_start[f]; k < p->face_start[f + 1]; k++) {
                found += p->face_vertex[k] == p->edges[e].v[0];
                found += p->face_vertex[k] == p->edges[e].v[1];
            }
            CHECK(found == 2);
        }
    }
}

TEST(the_hull_of_random_points_holds_them_all)
{
    random_source r = random_start(91);
    static vec3 points[MOST];
    for (int k = 0; k < 60; k++) {
        const int count = 4 + random_below(&r, k < 50 ? 60 : 600);
        for (int i = 0; i < count; i++) points[i] = random_vec3(&r, 1.0 + k);
        pool memory = {.first = NULL};
        polytope p;
        CHECK(make(&memory, count, points, &p) == TML_OK);
        check_polytope(&p, count, points);
        tml__pool_destroy(&memory);
    }
}

TEST(coplanar_faces_are_merged)
{
    // a box with many points on its faces and inside
    random_source r = random_start(92);
    static vec3 points[MOST];
    int count = 0;
    for (int k = 0; k < 8; k++) {
        points[count++] = v3(k & 1 ? 1.0 : -1.0, k & 2 ? 2.0 : -2.0, k & 4 ? 3.0 : -3.0);
    }
    for (int k = 0; k < 300; k++) {
        vec3 x = v3(random_between(&r, -1.0, 1.0), random_between(&r, -2.0, 2.0),
                    random_between(&r, -3.0, 3.0));
        if (k % 2) v3_set(&x, k % 3, (k % 4 < 2 ? 1.0 : -1.0) * (1.0 + k % 3));
        points[count++] = x;
    }
    pool memory = {.first = NULL};
    polytope p;
    CHECK(make(&memory, count, points, &p) == TML_OK);
    CHECK(p.vertex_count == 8 && p.face_count == 6 && p.edge_count == 12);
    check_polytope(&p, count, points);
    tml__pool_destroy(&memory);
}

TEST(the_support_of_a_hull_is_its_farthest_vertex)
{
    random_source r = random_start(93);
    static vec3 points[MOST];
    for (int k = 0; k < 20; k++) {
        const int count = 10 + 40 * k;
        // on a sphere, so that the hull is large and the walk long
        for (int i = 0; i < count; i++) points[i] = q_rotate(random_quat(&r), v3(1.0, 0.0, 0.0));
        pool memory = {.first = NULL};
        polytope p;
        CHECK(make(&memory, count, points, &p) == TML_OK);
        for (int m = 0; m < 200; m++) {
            const vec3 d = random_vec3(&r, 1.0);
            const double found = v3_dot(d, p.vertices[tml__polytope_support(&p, d)]);
            for (int i = 0; i < count; i++) CHECK(v3_dot(d, points[i]) <= found + 1e-15);
        }
        tml__pool_destroy(&memory);
    }
}

TEST(boxes_triangles_and_segments_are_polytopes)
{
    pool memory = {.first = NULL};
    polytope p;
    CHECK(tml__polytope_box(&memory, v3(1.0, 2.0, 3.0), &p) == TML_OK);
    check_polytope(&p, p.vertex_count, p.vertices);
    for (int f = 0; f < 6; f++) {
        const vec3 expected = v3_scale(f % 2 ? 1.0 : -1.0, v3_unit(f / 2));
        CHECK(v3_norm(v3_sub(p.face_normal[f], expected)) <= 0.0);
    }
    CHECK(tml__polytope_segment(&memory, 0.5, &p) == TML_OK && p.edge_count == 1);
    CHECK(tml__polytope_support(&p, v3(0.0, 0.0, 1.0)) == 1);
    CHECK(tml__polytope_point(&memory, &p) == TML_OK && p.vertex_count == 1);
    polytope_triangle t = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    CHECK(tml__polytope_triangle(&t, &p) == TML_OK && p.face_normal[0].z == 1.0);
    t.vertices[2] = v3(2.0, 0.0, 0.0);
    CHECK(tml__polytope_triangle(&t, &p) == TML_BAD_ARGUMENT);
    // loops that are no closed surface
    const vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int sizes[4] = {3, 3, 3, 3};
    const int open[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 2, 3};
    const int wild[12] = {0, 2, 1, 0, 1, 9, 1, 2, 3, 0, 3, 2};
    CHECK(tml__polytope_build(&memory, 4, corners, 4, sizes, open, &p) == TML_BAD_ARGUMENT);
    CHECK(tml__polytope_build(&memory, 4, corners, 4, sizes, wild, &p) == TML_BAD_ARGUMENT);
    CHECK(tml__polytope_build(&memory, 4, corners, 3, sizes, open, &p) == TML_BAD_ARGUMENT);
    tml__pool_destroy(&memory);
}

TEST(the_edges_of_a_box_are_found_by_their_corners)
{
    pool memory = {.first = NULL};
    polytope p;
    CHECK(tml__polytope_box(&memory, v3(1.0, 2.0, 3.0), &p) == TML_OK);
    int found = 0;
    for (int u = 0; u < 8; u++) {
        for (int v = 0; v < 8; v++) {
            int expected = -1;
            for (int e = 0; e < p.edge_count; e++) {
                const int* ends = p.edges[e].v;
                if (ends[0] == (u < v ? u : v) && ends[1] == (u < v ? v : u)) expected = e;
            }
            CHECK(box_edge_between(u, v) == expected);
            found += expected >= 0;
        }
    }
    CHECK(found == 24);  // twelve edges, from either end
    tml__pool_destroy(&memory);
}

TEST(sets_without_a_hull_are_refused)
{
    pool memory = {.first = NULL};
    polytope p;
    vec3 points[50] = {{0.0, 0.0, 0.0}};
    CHECK(make(&memory, 3, points, &p) == TML_BAD_ARGUMENT);
    for (int i = 0; i < 50; i++) points[i] = v3(1.0, 2.0, 3.0);
    CHECK(make(&memory, 50, points, &p) == TML_BAD_ARGUMENT);
    for (int i = 0; i < 50; i++) points[i] = v3(i, 2.0 * i, 3.0);
    CHECK(make(&memory, 50, points, &p) == TML_BAD_ARGUMENT);
    for (int i = 0; i < 50; i++) points[i] = v3(i % 7, i / 7, 3.0);
    CHECK(make(&memory, 50, points, &p) == TML_BAD_ARGUMENT);
    points[7].y = nan("");
    CHECK(make(&memory, 50, points, &p) == TML_BAD_ARGUMENT);
    points[7].y = 1e200;
    CHECK(make(&memory, 50, points, &p) == TML_BAD_ARGUMENT);
    tml__pool_destroy(&memory);

    // more vertices than ids can number, all of them on a ball
    const int count = POLYTOPE_MAX_VERTICES + 100;
    vec3* many = malloc((size_t)count * sizeof *many);
    for (int i = 0; i < count; i++) {
        const double z = 1.0 - (2.0 * i + 1.0) / count;
        const double angle = 2.399963229728653 * i;
        many[i] = v3(sqrt(1.0 - z * z) * cos(angle), sqrt(1.0 - z * z) * sin(angle), z);
    }
    pool large = {.first = NULL};
    message why;
    CHECK(tml__hull(&large, count, many, "ball", &why, &p) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why.text, "more than 32768 vertices");
    tml__pool_destroy(&large);
    free(many);
}
