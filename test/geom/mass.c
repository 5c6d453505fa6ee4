// Mass properties of shapes: against integration over a fine grid, and against each other.
#include "math/quat.h"
#include "test/check.h"

#include <trammel/shape.h>

static tml_shape_def shape(tml_shape_kind kind, double x, double y, double z, double density)
{
    tml_shape_def s = tml_shape_def_default();
    s.kind = kind;
    s.size = (tml_vec3){x, y, z};
    s.density = density;
    return s;
}

static int is_inside(const tml_shape_def* s, vec3 p)
{
    const vec3 a = s->size;
    const double rr = p.x * p.x + p.y * p.y;
    switch (s->kind) {
    case TML_SHAPE_SPHERE: return rr + p.z * p.z < a.x * a.x;
    case TML_SHAPE_ELLIPSOID:
        return p.x * p.x / (a.x * a.x) + p.y * p.y / (a.y * a.y) + p.z * p.z / (a.z * a.z) < 1.0;
    case TML_SHAPE_CYLINDER: return rr < a.x * a.x && fabs(p.z) < a.z / 2.0;
    case TML_SHAPE_BOX:
        return fabs(p.x) < a.x / 2.0 && fabs(p.y) < a.y / 2.0 && fabs(p.z) < a.z / 2.0;
    case TML_SHAPE_CAPSULE: {
        const double beyond = fabs(p.z) - a.z / 2.0;
        return rr + (beyond > 0.0 ? beyond * beyond : 0.0) < a.x * a.x;
    }
    case TML_SHAPE_PLANE:
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_MESH:
    case TML_SHAPE_KINDS: break;
    }
    return 0;
}

// The integrals of dm, x dm and (x.x I - x x^T) dm over small cubes of the body frame.
static tml_mass_properties integrate(const tml_shape_def* shapes, int count, double reach)
{
    enum {
        N = 120
    };
    const double h = 2.0 * reach / N;
    double mass = 0.0;
    vec3 moment = v3_zero();
    mat3 J = m3_zero();

    for (int i = 0; i < N * N * N; i++) {
        const vec3 x = v3((i % N + 0.5) * h - reach, (i / N % N + 0.5) * h - reach,
                          (i / N / N + 0.5) * h - reach);
        for (int k = 0; k < count; k++) {
            const vec3 local = q_rotate(q_conj(shapes[k].pose.q), v3_sub(x, shapes[k].pose.p));
            if (!is_inside(&shapes[k], local)) continue;
            const double dm = shapes[k].density * h * h * h;
            mass += dm;
            moment = v3_axpy(moment, dm, x);
            J = m3_sub(J, m3_scale(dm, m3_skew_skew(x, x)));
        }
    }
    const vec3 com = v3_scale(1.0 / mass, moment);
    J = m3_add(J, m3_scale(mass, m3_skew_skew(com, com)));
    return (tml_mass_properties){
        mass, com, {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]}};
}

static void check_same(const tml_mass_properties* a, const tml_mass_properties* b, double relative)
{
    const double size = b->inertia[0] + b->inertia[1] + b->inertia[2];
    CHECK_NEAR(a->mass, b->mass, relative * b->mass);
    CHECK_NEAR(a->com.x, b->com.x, relative);
    CHECK_NEAR(a->com.y, b->com.y, relative);
    CHECK_NEAR(a->com.z, b->com.z, relative);
    for (int k = 0; k < 6; k++) CHECK_NEAR(a->inertia[k], b->inertia[k], relative * size);
}

TEST(every_solid_shape_turned_and_moved_matches_integration_over_a_grid)
{
    const tml_shape_def solids[] = {
        shape(TML_SHAPE_SPHERE, 0.6, 0.0, 0.0, 3.0),
        shape(TML_SHAPE_ELLIPSOID, 0.7, 0.4, 0.5, 2.0),
        shape(TML_SHAPE_CAPSULE, 0.3, 0.0, 0.7, 1.5),
        shape(TML_SHAPE_CYLINDER, 0.4, 0.0, 1.1, 1.5),
        shape(TML_SHAPE_BOX, 0.5, 0.8, 1.1, 4.0),
    };
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        tml_shape_def s = solids[i];
        s.pose.p = (tml_vec3){0.1, -0.15, 0.05};
        s.pose.q = q_exp(v3(0.7, -0.4, 0.9));
        tml_mass_properties exact;
        CHECK(tml_shapes_mass(&s, 1, &exact) == TML_OK);
        const tml_mass_properties grid = integrate(&s, 1, 1.0);
        // a surface cell is in or out: the error is far below one cell, 1/60, of the size
        check_same(&exact, &grid, 2e-3);
    }
}

TEST(a_dumbbell_of_three_shapes_matches_integration_over_a_grid)
{
    tml_shape_def parts[3] = {
        shape(TML_SHAPE_SPHERE, 0.25, 0.0, 0.0, 5.0),
        shape(TML_SHAPE_BOX, 0.3, 0.3, 0.3, 2.0),
        shape(TML_SHAPE_CYLINDER, 0.2, 0.0, 0.6, 1.0),
    };
    parts[0].pose.p = (tml_vec3){0.013, 0.207, 0.611};
    parts[1].pose.p = (tml_vec3){0.3, 0.0, -0.5};
    parts[1].pose.q = q_exp(v3(0.2, 0.3, 0.0));
    parts[2].pose.q = q_exp(v3(0.1, -0.2, 0.0));
    tml_mass_properties exact;
    CHECK(tml_shapes_mass(parts, 3, &exact) == TML_OK);
    const tml_mass_properties grid = integrate(parts, 3, 1.0);
    check_same(&exact, &grid, 2e-3);  // as above
}

TEST(a_box_cut_in_two_weighs_what_the_whole_box_does)
{
    tml_shape_def whole = shape(TML_SHAPE_BOX, 1.0, 2.0, 3.0, 7.0);
    tml_shape_def parts[2] = {shape(TML_SHAPE_BOX, 1.0, 2.0, 1.0, 7.0),
                              shape(TML_SHAPE_BOX, 1.0, 2.0, 2.0, 7.0)};
    const quat q = q_exp(v3(0.3, 1.1, -0.2));
    whole.pose.q = parts[0].pose.q = parts[1].pose.q = q;
    whole.pose.p = (tml_vec3){3.0, -1.0, 2.0};
    parts[0].pose.p = v3_add(whole.pose.p, q_rotate(q, v3(0.0, 0.0, -1.0)));
    parts[1].pose.p = v3_add(whole.pose.p, q_rotate(q, v3(0.0, 0.0, 0.5)));

    tml_mass_properties a;
    tml_mass_properties b;
    CHECK(tml_shapes_mass(parts, 2, &a) == TML_OK);
    CHECK(tml_shapes_mass(&whole, 1, &b) == TML_OK);
    check_same(&a, &b, 1e-14);  // a few roundings
}

TEST(a_capsule_without_length_is_a_sphere_and_so_is_a_round_ellipsoid)
{
    const tml_shape_def sphere = shape(TML_SHAPE_SPHERE, 0.3, 0.0, 0.0, 1000.0);
    const tml_shape_def capsule = shape(TML_SHAPE_CAPSULE, 0.3, 0.0, 0.0, 1000.0);
    const tml_shape_def round = shape(TML_SHAPE_ELLIPSOID, 0.3, 0.3, 0.3, 1000.0);
    tml_mass_properties a;
    tml_mass_properties b;
    CHECK(tml_shapes_mass(&sphere, 1, &a) == TML_OK);
    CHECK_NEAR(a.mass, 113.09733552923255, 1e-12);                     // 4/3 pi r^3 rho
    CHECK_NEAR(a.inertia[1], 0.4 * 113.09733552923255 * 0.09, 1e-13);  // 2/5 m r^2
    CHECK(tml_shapes_mass(&capsule, 1, &b) == TML_OK);
    check_same(&b, &a, 1e-15);
    CHECK(tml_shapes_mass(&round, 1, &b) == TML_OK);
    check_same(&b, &a, 1e-15);
}

TEST(shapes_without_volume_or_weight_are_refused)
{
    const tml_shape_def bad[] = {
        shape(TML_SHAPE_PLANE, 1.0, 1.0, 1.0, 1.0),
        shape(TML_SHAPE_SPHERE, 0.0, 0.0, 0.0, 1.0),
        shape(TML_SHAPE_BOX, 1.0, 0.0, 1.0, 1.0),
        shape(TML_SHAPE_BOX, 1.0, 1.0, 1.0, 0.0),
        shape(TML_SHAPE_CYLINDER, 1.0, 0.0, -1.0, 1.0),
        shape(TML_SHAPE_SPHERE, 1.0, 0.0, 0.0, -1.0),
    };
    tml_mass_properties out;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(tml_shapes_mass(&bad[i], 1, &out) == TML_BAD_ARGUMENT);
    }
    CHECK(tml_shapes_mass(NULL, 0, &out) == TML_BAD_ARGUMENT);
}

TEST(every_shape_kind_is_found_by_its_name)
{
    for (int i = 0; i < TML_SHAPE_KINDS; i++) {
        tml_shape_kind found = TML_SHAPE_KINDS;
        CHECK(tml_shape_kind_find(tml_shape_kind_name((tml_shape_kind)i), &found));
        CHECK((int)found == i);
    }
    tml_shape_kind found = TML_SHAPE_KINDS;
    CHECK(!tml_shape_kind_find("cone", &found));
}

// ---- meshes

// The box as triangles, its vertices moved by `at`.
static void fill_mesh(vec3 half, vec3 at, tml_vec3 vertices[8], tml_shape_def* s)
{
    static const int corners[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    for (int k = 0; k < 8; k++) {
        vertices[k] = v3_add(
            at, v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z));
    }
    *s = tml_shape_def_default();
    s->kind = TML_SHAPE_MESH;
    s->density = 700.0;
    s->vertex_count = 8;
    s->vertices = vertices;
    s->triangle_count = 12;
    s->triangles = corners;
}

TEST(a_box_of_triangles_weighs_what_the_box_weighs)
{
    const vec3 half = {0.25, 0.5, 0.125};
    const vec3 at = {3.0, -2.0, 7.0};
    const quat q = q_normalize((quat){0.9, 0.1, -0.3, 0.2});
    tml_vec3 vertices[8];
    tml_shape_def mesh;
    fill_mesh(half, at, vertices, &mesh);
    mesh.pose.q = q;
    tml_shape_def box = shape(TML_SHAPE_BOX, 0.5, 1.0, 0.25, 700.0);
    box.pose = (tml_pose){q_rotate(q, at), q};
    tml_mass_properties x;
    tml_mass_properties y;
    CHECK(tml_shapes_mass(&mesh, 1, &x) == TML_OK && tml_shapes_mass(&box, 1, &y) == TML_OK);
    CHECK_NEAR(x.mass, y.mass, 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(x.com, y.com)), 0.0, 1e-14);
    for (int k = 0; k < 6; k++) CHECK_NEAR(x.inertia[k], y.inertia[k], 1e-12);

    // inside out it weighs the same; with a hole it has no volume
    int turned[36];
    for (int k = 0; k < 36; k++) turned[k] = mesh.triangles[k - k % 3 + (3 - k % 3) % 3];
    mesh.triangles = turned;
    CHECK(tml_shapes_mass(&mesh, 1, &y) == TML_OK);
    CHECK_NEAR(y.mass, x.mass, 1e-12);
    CHECK_NEAR(y.inertia[0], x.inertia[0], 1e-12);
    mesh.triangle_count = 11;
    CHECK(tml_shapes_mass(&mesh, 1, &y) == TML_BAD_ARGUMENT);
}
