// Rays against membership, which is tried point by point; distances against separating planes; both through the
// public calls, on shapes of every kind in random places.
#include "test/check.h"
#include "test/random.h"

#include <trammel/trammel.h>

enum {
    BODIES = 7,
    MOST = 32
};

typedef struct stand {
    tml_spec* spec;
    tml_model* model;
    tml_query* query;
    tml_shape_def shapes[BODIES];
    tml_pose poses[BODIES];  // of bodies
} stand;

static const vec3 tetrahedron[4] = {
    {0.4, 0.0, -0.2}, {-0.3, 0.4, -0.25}, {-0.3, -0.35, -0.2}, {0.05, 0.0, 0.5}};
static const int faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static tml_shape_def random_shape(random_source* r, tml_shape_kind kind)
{
    tml_shape_def s = tml_shape_def_default();
    s.kind = kind;
    s.size =
        v3(random_between(r, 0.2, 0.5), random_between(r, 0.2, 0.5), random_between(r, 0.2, 0.6));
    s.pose = (tml_pose){random_vec3(r, 0.2), random_quat(r)};
    if (kind == TML_SHAPE_MESH) {
        s.vertex_count = 4;
        s.vertices = tetrahedron;
        s.triangle_count = 4;
        s.triangles = faces;
    }
    return s;
}

// One body a kind of shape, away from each other or not.
static stand stand_start(random_source* r, double spread)
{
    static const tml_shape_kind kinds[BODIES] = {
        TML_SHAPE_SPHERE, TML_SHAPE_ELLIPSOID, TML_SHAPE_CAPSULE, TML_SHAPE_CYLINDER,
        TML_SHAPE_BOX,    TML_SHAPE_MESH,      TML_SHAPE_BOX};
    stand s = {.spec = tml_spec_create()};
    for (int i = 0; i < BODIES; i++) {
        tml_body_def b = tml_body_def_default();
        s.shapes[i] = random_shape(r, kinds[i]);
        s.poses[i] = (tml_pose){random_vec3(r, spread), random_quat(r)};
        b.mass = 1.0;
        for (int k = 0; k < 3; k++) b.inertia[k] = 1.0;
        b.com = random_vec3(r, 0.3);
        b.shape_count = 1;
        b.shapes = &s.shapes[i];
        tml_spec_add_body(s.spec, &b);
    }
    CHECK(tml_spec_build(s.spec, &s.model) == TML_OK);
    CHECK(tml_query_create(s.model, NULL, &s.query) == TML_OK);
    CHECK(tml_query_place(s.query, s.poses) == TML_OK);
    return s;
}

static void stand_end(stand* s)
{
    tml_query_destroy(s->query);
    tml_model_destroy(s->model);
    tml_spec_destroy(s->spec);
}

// ---- shapes by their own words, without the library's code

static vec3 into(tml_pose at, vec3 x) { return m3_apply_t(q_matrix(at.q), v3_sub(x, at.p)); }

// At most 0 inside, in no particular unit.
static double outside(const tml_shape_def* s, vec3 x)
{
    const vec3 h = s->size;
    const double across = sqrt(x.x * x.x + x.y * x.y);
    switch (s->kind) {
    case TML_SHAPE_SPHERE: return v3_norm(x) - h.x;
    case TML_SHAPE_ELLIPSOID: return v3_norm(v3(x.x / h.x, x.y / h.y, x.z / h.z)) - 1.0;
    case TML_SHAPE_CAPSULE: {
        const double z = fmax(fabs(x.z) - 0.5 * h.z, 0.0);
        return sqrt(across * across + z * z) - h.x;
    }
    case TML_SHAPE_CYLINDER: return fmax(across - h.x, fabs(x.z) - 0.5 * h.z);
    case TML_SHAPE_BOX:
        return fmax(fabs(x.x) - 0.5 * h.x, fmax(fabs(x.y) - 0.5 * h.y, fabs(x.z) - 0.5 * h.z));
    case TML_SHAPE_MESH: {
        double most = -HUGE_VAL;
        for (int f = 0; f < 4; f++) {
            const vec3 a = tetrahedron[faces[3 * f]];
            const vec3 n = v3_cross(v3_sub(tetrahedron[faces[3 * f + 1]], a),
                                    v3_sub(tetrahedron[faces[3 * f + 2]], a));
            most = fmax(most, v3_dot(n, v3_sub(x, a)) / v3_norm(n));
        }
        return most;
    }
    case TML_SHAPE_PLANE:
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_KINDS: break;
    }
    return HUGE_VAL;
}

static double outside_body(const stand* s, int body, vec3 world)
{
    return outside(&s->shapes[body], into(s->shapes[body].pose, into(s->poses[body], world)));
}

static bool is_hit_near(const stand* s, const tml_ray* ray, const tml_hit* hit)
{
    const vec3 way = v3_scale(1.0 / v3_norm(ray->direction), ray->direction);
    // just before it is outside of all it did not start in, just behind it is inside of what is hit
    const vec3 behind = v3_axpy(ray->from, hit->distance + 1e-7, way);
    return outside_body(s, hit->body.index, hit->point) < 1e-9 &&
           outside_body(s, hit->body.index, hit->point) > -1e-9 &&
           outside_body(s, hit->body.index, behind) < 1e-9;
}

TEST(a_ray_enters_where_a_walk_along_it_first_finds_itself_inside)
{
    random_source r = random_start(31);
    int hits = 0;
    int met[BODIES] = {0};
    for (int round = 0; round < 60; round++) {
        stand s = stand_start(&r, 0.7);
        for (int k = 0; k < 40; k++) {
            const vec3 from = random_vec3(&r, 3.0);
            const vec3 to = random_vec3(&r, 1.0);
            const tml_ray ray = {
                from, v3_scale(random_between(&r, 0.1, 5.0), v3_sub(to, from)), 4.0, {-2}};
            tml_hit hit;
            CHECK(tml_query_rays(s.query, 1, &ray, &hit) == TML_OK);
            const vec3 way = v3_scale(1.0 / v3_norm(ray.direction), ray.direction);
            bool starts_in[BODIES];
            for (int b = 0; b < BODIES; b++) starts_in[b] = outside_body(&s, b, from) < 0.0;
            // a thousand places along the way
            double first = HUGE_VAL;
            for (int i = 0; i <= 1000 && first > 4.0; i++) {
                const vec3 x = v3_axpy(from, 0.004 * i, way);
                for (int b = 0; b < BODIES; b++) {
                    if (!starts_in[b] && outside_body(&s, b, x) < 0.0)
                        first = fmin(first, 0.004 * i);
                }
            }
            const bool is_hit = hit.body.index >= 0;
            // a walk in steps misses corners that are cut, and nothing else
            if (first <= 4.0) CHECK(is_hit && hit.distance <= first);
            if (!is_hit) {
                CHECK(hit.distance == 4.0 && hit.shape == -1);
                continue;
            }
            hits++;
            met[hit.body.index]++;
            CHECK(!starts_in[hit.body.index] && hit.shape == 0);
            CHECK(is_hit_near(&s, &ray, &hit));
            if (hit.distance < first - 0.004) {
                // a corner: the walk went over it between two steps
                CHECK(outside_body(&s, hit.body.index, v3_axpy(hit.point, 0.004, way)) > -0.01);
            }
            CHECK_NEAR(v3_norm(hit.normal), 1.0, 1e-12);
            CHECK(v3_dot(hit.normal, way) < 1e-9);
            // the normal leads out, the other way in
            CHECK(outside_body(&s, hit.body.index, v3_axpy(hit.point, 1e-6, hit.normal)) > 0.0);
        }
        stand_end(&s);
    }
    CHECK(hits > 800);
    for (int b = 0; b < BODIES; b++) CHECK(met[b] > 40);
}

TEST(rays_pass_over_who_looks_and_what_they_start_in)
{
    random_source r = random_start(32);
    stand s = stand_start(&r, 0.0);
    for (int b = 0; b < BODIES; b++) {
        const vec3 inside =
            v3_add(s.poses[b].p, m3_apply(q_matrix(s.poses[b].q), s.shapes[b].pose.p));
        tml_ray ray = {inside, {1.0, 0.0, 0.0}, 10.0, {-2}};
        tml_hit hit;
        CHECK(tml_query_rays(s.query, 1, &ray, &hit) == TML_OK);
        CHECK(hit.body.index != b);
        ray.from = v3_add(inside, v3(5.0, 0.0, 0.0));
        ray.direction = v3(-1.0, 0.0, 0.0);
        ray.ignored = (tml_body){b};
        CHECK(tml_query_rays(s.query, 1, &ray, &hit) == TML_OK);
        CHECK(hit.body.index != b);
    }
    stand_end(&s);
}

// ---- the world: a plane, a heightfield, a fixed mesh

static tml_query* ground_query(tml_spec** spec, tml_model** model)
{
    static double heights[9] = {0.0, 0.1, 0.2, 0.0, 0.3, 0.1, 0.0, 0.0, 0.0};
    tml_shape_def plane = tml_shape_def_default();
    plane.kind = TML_SHAPE_PLANE;
    plane.pose.p.z = -1.0;
    tml_shape_def field = tml_shape_def_default();
    field.kind = TML_SHAPE_HEIGHTFIELD;
    field.size = v3(2.0, 2.0, 0.0);
    field.rows = field.columns = 3;
    field.heights = heights;
    tml_shape_def mesh = tml_shape_def_default();
    mesh.kind = TML_SHAPE_MESH;
    mesh.pose.p = v3(5.0, 0.0, 0.0);
    mesh.vertex_count = mesh.triangle_count = 4;
    mesh.vertices = tetrahedron;
    mesh.triangles = faces;
    tml_body_def ball = tml_body_def_default();
    tml_shape_def sphere = tml_shape_def_default();
    sphere.size.x = 0.25;
    ball.mass = 1.0;
    for (int k = 0; k < 3; k++) ball.inertia[k] = 1.0;
    ball.pose.p = v3(0.1, 0.2, 2.0);
    ball.shape_count = 1;
    ball.shapes = &sphere;
    *spec = tml_spec_create();
    tml_spec_add_world_shape(*spec, &plane);
    tml_spec_add_world_shape(*spec, &field);
    tml_spec_add_world_shape(*spec, &mesh);
    tml_spec_add_body(*spec, &ball);
    CHECK(tml_spec_build(*spec, model) == TML_OK);
    tml_query* q;
    CHECK(tml_query_create(*model, NULL, &q) == TML_OK);
    return q;
}

TEST(rays_meet_planes_and_the_fronts_of_surfaces)
{
    tml_spec* spec;
    tml_model* model;
    tml_query* q = ground_query(&spec, &model);
    const tml_ray rays[5] = {
        {{3.0, 0.5, 2.0}, {0.0, 0.0, -2.0}, 10.0, {-2}},  // the plane, beside the field
        {{0.0, 0.0, 5.0}, {0.0, 0.0, -1.0}, 10.0, {0}},   // the middle of the field, past the ball
        {{-0.5, -0.5, 1.0}, {0.0, 0.0, -1.0}, 10.0, {-2}},  // on the diagonal between two triangles
        {{0.0, 0.0, -0.5}, {0.0, 0.0, 1.0}, 10.0, {0}},     // the field from behind: the sky
        {{8.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 10.0, {-2}},    // the mesh
    };
    tml_hit hits[5];
    CHECK(tml_query_rays(q, 5, rays, hits) == TML_OK);
    CHECK(hits[0].body.index == -1 && hits[0].shape == 0);
    CHECK_NEAR(hits[0].distance, 3.0, 1e-15);
    CHECK(hits[1].body.index == -1 && hits[1].shape == 1);
    CHECK_NEAR(hits[1].distance, 4.7, 1e-14);
    CHECK(hits[2].shape == 1);
    CHECK_NEAR(hits[2].point.z, 0.15, 1e-14);
    CHECK(hits[3].body.index == -2);
    CHECK(hits[4].shape == 2 && hits[4].normal.x > 0.0);
    CHECK_NEAR(
        outside(&(tml_shape_def){.kind = TML_SHAPE_MESH}, v3_sub(hits[4].point, v3(5, 0, 0))), 0.0,
        1e-12);
    tml_near near;
    CHECK(tml_query_distance(q, (tml_body){0}, TML_WORLD, 10.0, &near) == TML_OK);
    // the ball above the field: its centre's distance to the triangles, sampled finely
    double least = HUGE_VAL;
    for (int i = 0; i <= 400; i++) {
        for (int k = 0; k <= 400; k++) {
            const double x = -1.0 + 0.005 * i;
            const double y = -1.0 + 0.005 * k;
            const tml_ray down = {{x, y, 1.0}, {0.0, 0.0, -1.0}, 3.0, {0}};
            tml_hit hit;
            tml_query_rays(q, 1, &down, &hit);
            least = fmin(least, v3_norm(v3_sub(hit.point, v3(0.1, 0.2, 2.0))) - 0.25);
        }
    }
    CHECK_NEAR(near.distance, least, 2e-5);
    CHECK(near.shape_b == 1 && near.distance <= least + 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(near.on_a, near.on_b)), near.distance, 1e-12);
    CHECK(tml_query_distance(q, (tml_body){0}, TML_WORLD, 0.5, &near) == TML_OK);
    CHECK(isinf(near.distance) && near.shape_a == -1);
    tml_query_destroy(q);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// ---- distances

// max of n . x over a shape of a body, in world axes
static double reach_of(const stand* s, int body, vec3 n)
{
    const tml_shape_def* shape = &s->shapes[body];
    const mat3 R = q_matrix(s->poses[body].q);
    const vec3 centre = v3_add(s->poses[body].p, m3_apply(R, shape->pose.p));
    const vec3 d = m3_apply_t(q_matrix(shape->pose.q), m3_apply_t(R, n));
    const vec3 h = shape->size;
    double reach = 0.0;
    if (shape->kind == TML_SHAPE_SPHERE) reach = h.x;
    if (shape->kind == TML_SHAPE_CAPSULE) reach = h.x + 0.5 * h.z * fabs(d.z);
    if (shape->kind == TML_SHAPE_BOX) {
        reach = 0.5 * (h.x * fabs(d.x) + h.y * fabs(d.y) + h.z * fabs(d.z));
    }
    if (shape->kind == TML_SHAPE_CYLINDER) {
        reach = h.x * sqrt(d.x * d.x + d.y * d.y) + 0.5 * h.z * fabs(d.z);
    }
    if (shape->kind == TML_SHAPE_ELLIPSOID) reach = v3_norm(v3(h.x * d.x, h.y * d.y, h.z * d.z));
    if (shape->kind == TML_SHAPE_MESH) {
        reach = -HUGE_VAL;
        for (int i = 0; i < 4; i++) reach = fmax(reach, v3_dot(d, tetrahedron[i]));
    }
    return v3_dot(n, centre) + reach;
}

TEST(nearest_points_lie_on_both_shapes_and_planes_part_them_by_the_distance)
{
    random_source r = random_start(33);
    int apart = 0;
    int overlapping = 0;
    for (int round = 0; round < 40; round++) {
        stand s = stand_start(&r, 1.0);
        for (int a = 0; a < BODIES; a++) {
            for (int b = 0; b < BODIES; b++) {
                tml_near near;
                if (a == b) continue;
                CHECK(tml_query_distance(s.query, (tml_body){a}, (tml_body){b}, 20.0, &near) ==
                      TML_OK);
                CHECK(near.a.index == a && near.b.index == b && near.shape_a == 0);
                const vec3 n = near.normal;
                CHECK_NEAR(v3_norm(n), 1.0, 1e-9);
                // these planes part them by so much: they are no nearer, or no deeper
                const double parted = -reach_of(&s, a, v3_neg(n)) - reach_of(&s, b, n);
                if (near.distance < 0.0) {
                    // contact measures along faces that are almost matched (2 degrees), and takes
                    // caps for prisms
                    CHECK_NEAR(parted, near.distance, 0.02);
                    overlapping++;
                    continue;
                }
                CHECK_NEAR(parted, near.distance, 1e-7);
                apart++;
                // and these points are in them: they are no farther
                CHECK(outside_body(&s, a, near.on_a) < 1e-7 &&
                      outside_body(&s, b, near.on_b) < 1e-7);
                CHECK_NEAR(v3_norm(v3_sub(near.on_a, near.on_b)), near.distance, 1e-9);
            }
        }
        stand_end(&s);
    }
    CHECK(apart > 800 && overlapping > 60);
}

TEST(what_is_near_is_what_distances_say)
{
    random_source r = random_start(34);
    int listed = 0;
    for (int round = 0; round < 40; round++) {
        stand s = stand_start(&r, 1.0);
        // the probe is a copy of a body's shape where that body stands
        const int self = round % BODIES;
        tml_shape_def probe = s.shapes[self];
        probe.pose.p = v3_add(s.poses[self].p, m3_apply(q_matrix(s.poses[self].q), probe.pose.p));
        probe.pose.q = q_mul(s.poses[self].q, probe.pose.q);
        const double reach = round % 2 == 0 ? 0.0 : 0.4;
        // out of the way itself
        s.poses[self].p.x += 100.0;
        CHECK(tml_query_place(s.query, s.poses) == TML_OK);
        tml_near found[MOST];
        int count = -1;
        CHECK(tml_query_near(s.query, &probe, reach, found, MOST, &count) == TML_OK);
        s.poses[self].p.x -= 100.0;
        CHECK(tml_query_place(s.query, s.poses) == TML_OK);
        int next = 0;
        for (int b = 0; b < BODIES; b++) {
            tml_near near;
            if (b == self) continue;
            CHECK(tml_query_distance(s.query, (tml_body){self}, (tml_body){b}, reach, &near) ==
                  TML_OK);
            if (!(near.distance <= reach)) continue;
            CHECK(next < count && found[next].b.index == b && found[next].a.index == -2);
            if (next < count) CHECK_NEAR(found[next].distance, near.distance, 1e-9);
            next++;
        }
        CHECK(next == count);
        listed += count;
        stand_end(&s);
    }
    CHECK(listed > 20);
}

TEST(questions_without_sense_are_refused_with_a_sentence)
{
    random_source r = random_start(35);
    stand s = stand_start(&r, 1.0);
    tml_hit hit;
    tml_near near;
    int count;
    tml_ray ray = {{0, 0, 0}, {0, 0, 0}, 1.0, {-2}};
    CHECK(tml_query_rays(s.query, 1, &ray, &hit) == TML_BAD_ARGUMENT);
    ray.direction.x = (double)NAN;
    CHECK(tml_query_rays(s.query, 1, &ray, &hit) == TML_BAD_ARGUMENT);
    CHECK(strstr(tml_query_message(s.query), "ray 0") != NULL);
    CHECK(tml_query_distance(s.query, (tml_body){0}, (tml_body){0}, 1.0, &near) ==
          TML_BAD_ARGUMENT);
    CHECK(tml_query_distance(s.query, (tml_body){0}, (tml_body){99}, 1.0, &near) ==
          TML_BAD_ARGUMENT);
    CHECK(tml_query_distance(s.query, (tml_body){0}, (tml_body){1}, -1.0, &near) ==
          TML_BAD_ARGUMENT);
    tml_shape_def shape = tml_shape_def_default();
    shape.size.x = -1.0;
    CHECK(tml_query_near(s.query, &shape, 0.0, &near, 1, &count) == TML_BAD_ARGUMENT);
    CHECK(strstr(tml_query_message(s.query), "shape that is asked about") != NULL);
    s.poses[2].q = (tml_quat){0.0, 0.0, 0.0, 0.0};
    CHECK(tml_query_place(s.query, s.poses) == TML_BAD_ARGUMENT);
    CHECK(tml_query_create(NULL, NULL, &(tml_query*){NULL}) == TML_BAD_ARGUMENT);
    stand_end(&s);
}
