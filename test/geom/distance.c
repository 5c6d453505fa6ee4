// Distance and depth of convex bodies against exhaustive tests of all their features.
#include "geom/hull.h"
#include "geom/narrow.h"
#include "test/check.h"
#include "test/random.h"

// ---- bodies

static polytope random_hull(random_source* r, pool* memory, int most)
{
    vec3 points[64];
    const int count = 4 + random_below(r, most - 3);
    for (int i = 0; i < count; i++) points[i] = random_vec3(r, 0.5);
    polytope p = {0};
    message why;
    CHECK(tml__hull(memory, count, points, "hull", &why, &p) == TML_OK);
    return p;
}

static convex placed(const polytope* p, vec3 at, quat q)
{
    return (convex){.kind = CONVEX_POLYTOPE, .hull = p, .p = at, .R = q_matrix(q)};
}

// ---- exhaustive answers

static double point_to_segment(vec3 x, vec3 a, vec3 b)
{
    const vec3 u = v3_sub(b, a);
    const double t = fmin(fmax(v3_dot(v3_sub(x, a), u) / v3_dot(u, u), 0.0), 1.0);
    return v3_norm(v3_sub(x, v3_axpy(a, t, u)));
}

// Distance of two segments by their four ends and, where the feet lie inside, the perpendicular.
static double segment_to_segment(vec3 a, vec3 b, vec3 c, vec3 d)
{
    double best = fmin(fmin(point_to_segment(a, c, d), point_to_segment(b, c, d)),
                       fmin(point_to_segment(c, a, b), point_to_segment(d, a, b)));
    const vec3 u = v3_sub(b, a);
    const vec3 w = v3_sub(d, c);
    const vec3 n = v3_cross(u, w);
    const double square = v3_dot(n, n);
    if (square > 1e-20) {
        const vec3 y = v3_sub(c, a);
        const double s = v3_dot(v3_cross(y, w), n) / square;
        const double t = v3_dot(v3_cross(y, u), n) / square;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
            best = fmin(best, fabs(v3_dot(n, y)) / sqrt(square));
        }
    }
    return best;
}

// Distance of a point from a convex face polygon, when it projects inside; else infinite.
static double point_to_face(vec3 x, const convex* c, int f)
{
    const polytope* p = c->hull;
    const vec3 n = m3_apply(c->R, p->face_normal[f]);
    const int start = p->face_start[f];
    const int count = p->face_start[f + 1] - start;
    for (int i = 0; i < count; i++) {
        const vec3 a = convex_vertex(c, p->face_vertex[start + i]);
        const vec3 b = convex_vertex(c, p->face_vertex[start + (i + 1) % count]);
        if (v3_dot(v3_cross(n, v3_sub(b, a)), v3_sub(x, a)) < 0.0) return HUGE_VAL;
    }
    return fabs(v3_dot(n, v3_sub(x, convex_vertex(c, p->face_vertex[start]))));
}

static double faces_to_vertices(const convex* a, const convex* b)
{
    double best = HUGE_VAL;
    for (int f = 0; f < a->hull->face_count; f++) {
        for (int v = 0; v < b->hull->vertex_count; v++) {
            best = fmin(best, point_to_face(convex_vertex(b, v), a, f));
        }
    }
    return best;
}

static double exhaustive_distance(const convex* a, const convex* b)
{
    double best = fmin(faces_to_vertices(a, b), faces_to_vertices(b, a));
    for (int i = 0; i < a->hull->edge_count; i++) {
        const int* u = a->hull->edges[i].v;
        for (int j = 0; j < b->hull->edge_count; j++) {
            const int* v = b->hull->edges[j].v;
            best = fmin(best, segment_to_segment(convex_vertex(a, u[0]), convex_vertex(a, u[1]),
                                                 convex_vertex(b, v[0]), convex_vertex(b, v[1])));
        }
    }
    return best;
}

// min over A of n . x - max over B of n . x
static double project(const convex* a, const convex* b, vec3 n)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int i = 0; i < a->hull->vertex_count; i++) {
        low = fmin(low, v3_dot(n, convex_vertex(a, i)));
    }
    for (int i = 0; i < b->hull->vertex_count; i++) {
        high = fmax(high, v3_dot(n, convex_vertex(b, i)));
    }
    return low - high;
}

// The largest separation over every face normal and every cross product of edges.
static double exhaustive_separation(const convex* a, const convex* b)
{
    double best = -HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        const convex* c = side ? b : a;
        for (int f = 0; f < c->hull->face_count; f++) {
            const vec3 n = m3_apply(c->R, c->hull->face_normal[f]);
            best = fmax(best, fmax(project(a, b, n), project(a, b, v3_neg(n))));
        }
    }
    for (int i = 0; i < a->hull->edge_count; i++) {
        const int* u = a->hull->edges[i].v;
        const vec3 along = v3_sub(convex_vertex(a, u[1]), convex_vertex(a, u[0]));
        for (int j = 0; j < b->hull->edge_count; j++) {
            const int* v = b->hull->edges[j].v;
            vec3 n = v3_cross(along, v3_sub(convex_vertex(b, v[1]), convex_vertex(b, v[0])));
            const double length = v3_norm(n);
            if (length < 1e-9) continue;
            n = v3_scale(1.0 / length, n);
            best = fmax(best, fmax(project(a, b, n), project(a, b, v3_neg(n))));
        }
    }
    return best;
}

// ---- tests

TEST(gjk_finds_the_distance_of_random_hulls)
{
    random_source r = random_start(101);
    int separate = 0;
    for (int k = 0; k < 400; k++) {
        pool memory = {.first = NULL};
        const polytope p = random_hull(&r, &memory, 30);
        const polytope q = random_hull(&r, &memory, 12);
        const convex a = placed(&p, random_vec3(&r, 1.5), random_quat(&r));
        const convex b = placed(&q, v3_zero(), random_quat(&r));
        simplex s;
        const gjk_result result = tml__gjk(&a, &b, HUGE_VAL, &s);
        const double sat = exhaustive_separation(&a, &b);
        CHECK(result == (sat > 0.0 ? GJK_SEPARATE : GJK_OVERLAP));
        if (result == GJK_SEPARATE) {
            separate++;
            // coordinates of order one, to a few roundings
            CHECK_NEAR(v3_norm(tml__simplex_nearest(&s)), exhaustive_distance(&a, &b), 1e-14);
            simplex t;
            const double d = v3_norm(tml__simplex_nearest(&s));
            CHECK(tml__gjk(&a, &b, 0.9 * d, &t) == GJK_FAR);
            CHECK(tml__gjk(&a, &b, 1.1 * d, &t) == GJK_SEPARATE);
        }
        tml__pool_destroy(&memory);
    }
    CHECK(separate > 100 && separate < 390);
}

TEST(epa_and_sat_find_the_depth_of_random_hulls)
{
    random_source r = random_start(102);
    int overlapping = 0;
    for (int k = 0; k < 600; k++) {
        pool memory = {.first = NULL};
        const polytope p = random_hull(&r, &memory, 24);
        const polytope q = random_hull(&r, &memory, 12);
        const vec3 place = random_vec3(&r, 0.6);
        const convex a = placed(&p, place, random_quat(&r));
        const convex b = placed(&q, v3_zero(), random_quat(&r));
        simplex s;
        if (tml__gjk(&a, &b, HUGE_VAL, &s) == GJK_OVERLAP) {
            overlapping++;
            const double depth = -exhaustive_separation(&a, &b);
            epa_result e;
            CHECK(tml__epa(&a, &b, &s, &e) == TML_OK);
            CHECK_NEAR(e.depth, depth, 1e-13);
            CHECK_NEAR(-project(&a, &b, e.n), depth, 1e-13);
            sat_result t;
            CHECK(tml__sat(&a, &b, (double)HUGE_VAL, &t) == TML_OK);
            // a face may win over an edge that is better by a billionth of the size
            CHECK_NEAR(-t.separation, depth, 2e-9);
            CHECK_NEAR(project(&a, &b, t.n), t.separation, 1e-13);
        }
        tml__pool_destroy(&memory);
    }
    CHECK(overlapping > 200);
}

// Boxes apart: GJK tells the distance, which every pair of features and the plane across its own
// direction confirm. The fifteen axes never see more, and as much where one of them is that direction.
// Returns whether one is.
static int check_boxes_apart(const convex* a, const convex* b, const sat_result* t)
{
    simplex s;
    const gjk_result result = tml__gjk(a, b, HUGE_VAL, &s);
    CHECK(result == GJK_SEPARATE);
    if (result != GJK_SEPARATE) return 0;
    const vec3 nearest = tml__simplex_nearest(&s);
    const double distance = v3_norm(nearest);
    // coordinates of order one, to a few roundings
    CHECK_NEAR(distance, exhaustive_distance(a, b), 1e-14);
    if (distance < 1e-6) return 0;  // too near for a direction
    const vec3 n = v3_scale(1.0 / distance, nearest);
    CHECK_NEAR(fmax(project(a, b, n), project(a, b, v3_neg(n))), distance, 1e-9);
    CHECK(t->separation <= distance + 2e-9);
    // whether the features of an axis are the nearest ones is decided without GJK, which must agree
    nearest_pair near;
    bool is_near;
    CHECK(tml__nearest_features(a, b, HUGE_VAL, &near, &is_near) == TML_OK && is_near);
    CHECK_NEAR(near.distance, distance, 2e-9);
    // the normal of nearly parallel edges has lost six digits
    if (distance > 1e-3) CHECK_NEAR(v3_dot(near.n, n), 1.0, 1e-9);
    // a direction off by 1e-9 loses that much of the width of a face
    const int is_axis = v3_norm(v3_cross(t->n, n)) < 1e-9;
    if (is_axis) CHECK_NEAR(t->separation, distance, 2e-9);
    return is_axis;
}

TEST(boxes_by_fifteen_axes_agree_with_all_directions)
{
    random_source r = random_start(103);
    pool memory = {.first = NULL};
    polytope p;
    polytope q;
    CHECK(tml__polytope_box(&memory, v3(0.5, 0.3, 0.4), &p) == TML_OK);
    CHECK(tml__polytope_box(&memory, v3(0.2, 0.6, 0.35), &q) == TML_OK);
    int edges = 0;
    int along_an_axis = 0;
    for (int k = 0; k < 5000; k++) {
        const vec3 place = random_vec3(&r, 1.0);
        const convex a = placed(&p, place, random_quat(&r));
        // parallel, tilted by a hair, and any way
        const quat turned = q_turn((quat){1.0, 0.0, 0.0, 0.0}, random_vec3(&r, 1e-6));
        const quat q_b = k % 3 == 0   ? tml__q_from_matrix(a.R)
                         : k % 3 == 1 ? q_mul(turned, tml__q_from_matrix(a.R))
                                      : random_quat(&r);
        const convex b = placed(&q, v3_zero(), q_b);
        sat_result t;
        CHECK(tml__sat(&a, &b, (double)HUGE_VAL, &t) == TML_OK);
        // where they overlap the deepest way out is one of the fifteen; apart, a direction that is no
        // face of the sum of both may see a wider gap than all that are
        const double exhaustive = exhaustive_separation(&a, &b);
        if (exhaustive <= 0.0) {
            CHECK_NEAR(t.separation, exhaustive, 2e-9);
        } else {
            CHECK(t.separation > -2e-9 && t.separation <= exhaustive + 2e-9);
            along_an_axis += check_boxes_apart(&a, &b, &t);
        }
        edges += t.feature == SAT_EDGES;
        if (t.feature != SAT_EDGES) continue;
        // both edges lie on the planes that touch the bodies
        const int* u = p.edges[t.index_a].v;
        const int* v = q.edges[t.index_b].v;
        const double gap = v3_dot(t.n, v3_sub(convex_vertex(&a, u[0]), convex_vertex(&b, v[0])));
        // the normal of edges a millionth of a radian from parallel has lost six digits
        CHECK_NEAR(gap, t.separation, 1e-9);
    }
    CHECK(edges > 200);
    CHECK(along_an_axis > 500);
    tml__pool_destroy(&memory);
}

// Touching, coincident and flat pairs: an answer or a status, never a number that is none.
TEST(degenerate_pairs_answer)
{
    pool memory = {.first = NULL};
    polytope box;
    polytope segment;
    polytope point;
    CHECK(tml__polytope_box(&memory, v3(0.5, 0.5, 0.5), &box) == TML_OK);
    CHECK(tml__polytope_segment(&memory, 0.5, &segment) == TML_OK);
    CHECK(tml__polytope_point(&memory, &point) == TML_OK);
    const polytope* const all[] = {&box, &segment, &point};
    static const vec3 offsets[] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0},
                                   {1, 1, 0}, {1, 1, 1}, {0, 0, 1}};
    const quat turns[] = {{1, 0, 0, 0}, q_about(0, 0.5 * TML_PI), q_about(1, 0.25 * TML_PI)};
    for (int i = 0; i < 3 * 3 * 6 * 3; i++) {
        const convex a = placed(all[i % 3], offsets[i / 9 % 6], turns[i / 54]);
        const convex b = placed(all[i / 3 % 3], v3_zero(), q_identity());
        simplex s;
        if (tml__gjk(&a, &b, HUGE_VAL, &s) != GJK_OVERLAP) {
            CHECK(v3_norm(tml__simplex_nearest(&s)) > 0.0);
            continue;
        }
        epa_result e;
        const tml_status status = tml__epa(&a, &b, &s, &e);
        const int has_volume = a.hull == &box || b.hull == &box;
        CHECK(has_volume ? status == TML_OK : status != TML_BAD_ARGUMENT);
        if (status == TML_OK) {
            CHECK(isfinite(e.depth) && e.depth > -1e-12);
            CHECK_NEAR(v3_norm(e.n), 1.0, 1e-14);
            CHECK_NEAR(e.depth, -project(&a, &b, e.n), 1e-13);
        }
    }
    tml__pool_destroy(&memory);
}

// Curved bodies: the depth of two unit balls as ellipsoids, the distance of two cylinders.
TEST(curved_bodies_come_near_their_closed_forms)
{
    random_source r = random_start(104);
    for (int k = 0; k < 100; k++) {
        convex a = {.kind = CONVEX_ELLIPSOID, .size = {1, 1, 1}, .R = m3_identity()};
        convex b = a;
        a.p = q_rotate(random_quat(&r), v3(random_between(&r, 0.5, 3.0), 0.0, 0.0));
        simplex s;
        const double d = v3_norm(a.p) - 2.0;
        if (tml__gjk(&a, &b, HUGE_VAL, &s) == GJK_SEPARATE) {
            CHECK_NEAR(v3_norm(tml__simplex_nearest(&s)), d, 1e-6);
        } else {
            epa_result e;
            CHECK(d < 1e-6 && tml__epa(&a, &b, &s, &e) == TML_OK);
            CHECK_NEAR(-e.depth, d, 2e-2);  // 160 points on a ball
        }
    }
}
