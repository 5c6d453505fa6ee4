// test/geom/mapping.c - mappings: derivatives against differences, power, composition.
#include "geom/mapping.h"

#include "test/check.h"
#include "test/random.h"

enum {
    FRAMES = 3,
    POINTS = 5,
    OUTS = 6
};

// Every output hangs on up to three inputs; a rigid attachment first, skinning after it.
typedef struct fixture {
    mapping map;
    mapping_term terms[3 * OUTS];
    int first[OUTS + 1];
    double q[7 * FRAMES];
    double v[6 * FRAMES];
    double f[3 * OUTS];
} fixture;

static vec3 any(random_source* r, double size)
{
    return v3(random_between(r, -size, size), random_between(r, -size, size),
              random_between(r, -size, size));
}

static void make(fixture* t, mapping_kind kind, random_source* r)
{
    int count = 0;
    t->map = (mapping){kind, FRAMES, OUTS, t->first, t->terms};
    for (int i = 0; i < OUTS; i++) {
        t->first[i] = count;
        for (int k = 0; k <= i % 3; k++) {
            t->terms[count++] = (mapping_term){
                (i + k) % FRAMES, i % 3 == 0 ? 1.0 : random_between(r, 0.1, 1.0), any(r, 1.0)};
        }
    }
    t->first[OUTS] = count;
    const int places = kind == MAPPING_FRAMES ? 7 : 3;
    for (int n = 0; n < FRAMES; n++) {
        v3_store(&t->q[places * n], any(r, 2.0));
        if (kind != MAPPING_FRAMES) continue;
        const quat q =
            q_normalize((quat){random_between(r, -1.0, 1.0), random_between(r, -1.0, 1.0),
                               random_between(r, -1.0, 1.0), random_between(r, -1.0, 1.0)});
        const double numbers[4] = {q.w, q.x, q.y, q.z};
        memcpy(&t->q[7 * n + 3], numbers, sizeof numbers);
    }
    for (int i = 0; i < 6 * FRAMES; i++) t->v[i] = random_between(r, -1.0, 1.0);
    for (int i = 0; i < 3 * OUTS; i++) t->f[i] = random_between(r, -1.0, 1.0);
}

// q moved by `e` along u: frames turn by the rotation vector e times their angular part.
static void moved(const fixture* t, const double* u, double e, double* q)
{
    memcpy(q, t->q, sizeof t->q);
    for (int n = 0; n < FRAMES; n++) {
        if (t->map.kind == MAPPING_POINTS) {
            v3_store(&q[3 * n], v3_axpy(v3_load(&q[3 * n]), e, v3_load(&u[3 * n])));
            continue;
        }
        double* p = &q[7 * n];
        v3_store(p, v3_axpy(v3_load(p), e, v3_load(&u[6 * n])));
        const quat turned =
            q_turn((quat){p[3], p[4], p[5], p[6]}, v3_scale(e, v3_load(&u[6 * n + 3])));
        const double numbers[4] = {turned.w, turned.x, turned.y, turned.z};
        memcpy(p + 3, numbers, sizeof numbers);
    }
}

typedef void (*quantity)(const fixture* t, const double* q, double* out);

static void places(const fixture* t, const double* q, double* out)
{
    tml__mapping_apply(&t->map, q, out);
}
static void velocities(const fixture* t, const double* q, double* out)
{
    tml__mapping_push(&t->map, q, t->v, out);
}
static void forces(const fixture* t, const double* q, double* out)
{
    tml__mapping_pull(&t->map, q, t->f, out);
}

// The largest |central difference along u - expected| at steps e and e/2.
static void difference(const fixture* t, quantity f, const double* u, const double* expected,
                       int count, double error[2])
{
    for (int r = 0; r < 2; r++) {
        const double e = r == 0 ? 2e-3 : 1e-3;
        double q[7 * FRAMES];
        double up[6 * FRAMES + 3 * OUTS];
        double down[6 * FRAMES + 3 * OUTS];
        moved(t, u, e, q);
        f(t, q, up);
        moved(t, u, -e, q);
        f(t, q, down);
        error[r] = 0.0;
        for (int i = 0; i < count; i++) {
            error[r] = fmax(error[r], fabs((up[i] - down[i]) / (2.0 * e) - expected[i]));
        }
    }
}

static void check_order(const double error[2], const char* what)
{
    // linear maps are exact to rounding over the step; the others fall fourfold
    const bool is_right = error[0] < 1e-11 || (error[0] / error[1] > 3.5 && error[0] < 1e-4);
    if (!is_right) printf("%s: %g, then %g\n", what, error[0], error[1]);
    CHECK(is_right);
}

TEST(velocities_bias_and_bending_are_derivatives)
{
    random_source r = random_start(5);
    for (int k = 0; k < 40; k++) {
        fixture t;
        double out[6 * FRAMES + 3 * OUTS];
        double error[2];
        make(&t, k % 2 == 0 ? MAPPING_FRAMES : MAPPING_POINTS, &r);
        // J v is how places change along v
        tml__mapping_push(&t.map, t.q, t.v, out);
        difference(&t, places, t.v, out, 3 * OUTS, error);
        check_order(error, "push");
        // J' v is how J v changes along v
        tml__mapping_bias(&t.map, t.q, t.v, out);
        difference(&t, velocities, t.v, out, 3 * OUTS, error);
        check_order(error, "bias");
        // (dJ^T f) u is how J^T f changes along u
        double u[6 * FRAMES];
        for (int i = 0; i < 6 * FRAMES; i++) u[i] = random_between(&r, -1.0, 1.0);
        tml__mapping_bend(&t.map, t.q, t.f, u, out);
        difference(&t, forces, u, out, tml__mapping_motions(&t.map), error);
        check_order(error, "bend");
    }
}

// f_in . v_in = f_out . v_out, and with momenta for forces twice the kinetic energy.    [COOK (289)]
TEST(power_is_the_same_on_both_sides)
{
    random_source r = random_start(6);
    for (int k = 0; k < 100; k++) {
        fixture t;
        double f_in[6 * FRAMES];
        double v_out[3 * OUTS];
        make(&t, k % 2 == 0 ? MAPPING_FRAMES : MAPPING_POINTS, &r);
        tml__mapping_push(&t.map, t.q, t.v, v_out);
        for (int momentum = 0; momentum < 2; momentum++) {
            double f_out[3 * OUTS];
            for (int i = 0; i < 3 * OUTS; i++) {
                f_out[i] = momentum ? (0.5 + i % 4) * v_out[i] : t.f[i];
            }
            tml__mapping_pull(&t.map, t.q, f_out, f_in);
            double in = 0.0;
            double out = 0.0;
            for (int i = 0; i < tml__mapping_motions(&t.map); i++) in += f_in[i] * t.v[i];
            for (int i = 0; i < 3 * OUTS; i++) out += f_out[i] * v_out[i];
            CHECK_NEAR(in, out, 2e-14 * (1.0 + fabs(out)));  // sums of some twenty terms
        }
    }
}

// A fine mesh in tetrahedra whose vertices bodies carry: two mappings one after the other act as the
// product of their Jacobians, stiffness and bias included.                    [COOK (290) Sec 9]
TEST(mappings_compose)
{
    random_source r = random_start(7);
    fixture rigid;
    make(&rigid, MAPPING_FRAMES, &r);
    double x[3 * OUTS];
    tml__mapping_apply(&rigid.map, rigid.q, x);
    vec3 corner[4];
    for (int a = 0; a < 4; a++) corner[a] = v3_load(&x[3 * a]);
    const vec3 inside = v3_scale(
        0.25, v3_add(v3_add(corner[0], corner[1]), v3_add(corner[2], v3_scale(1.0, corner[3]))));
    double weight[4];
    CHECK(tml__barycentric(corner, v3_add(inside, v3(0.01, 0.02, -0.01)), weight));
    const int first[3] = {0, 4, 10};
    mapping_term terms[10];
    for (int a = 0; a < 4; a++) terms[a] = (mapping_term){a, weight[a], v3_zero()};
    for (int a = 0; a < OUTS; a++) terms[4 + a] = (mapping_term){a, 1.0 / OUTS, v3_zero()};
    const mapping fine = {MAPPING_POINTS, OUTS, 2, first, terms};

    double y[6];
    tml__mapping_apply(&fine, x, y);
    // barycentric coordinates give the point back
    CHECK(v3_norm(v3_sub(v3_load(y), v3_add(inside, v3(0.01, 0.02, -0.01)))) < 1e-13);
    // velocities through both, against differences of both
    double v_x[3 * OUTS];
    double v_y[6];
    tml__mapping_push(&rigid.map, rigid.q, rigid.v, v_x);
    tml__mapping_push(&fine, x, v_x, v_y);
    double error[2];
    for (int k = 0; k < 2; k++) {
        const double e = k == 0 ? 2e-3 : 1e-3;
        double q[7 * FRAMES];
        double up[6];
        double down[6];
        moved(&rigid, rigid.v, e, q);
        tml__mapping_apply(&rigid.map, q, x);
        tml__mapping_apply(&fine, x, up);
        moved(&rigid, rigid.v, -e, q);
        tml__mapping_apply(&rigid.map, q, x);
        tml__mapping_apply(&fine, x, down);
        error[k] = 0.0;
        for (int i = 0; i < 6; i++) {
            error[k] = fmax(error[k], fabs((up[i] - down[i]) / (2.0 * e) - v_y[i]));
        }
    }
    check_order(error, "composed push");
    // and the power of a force on the fine mesh
    const double f_y[6] = {0.3, -0.2, 0.7, -0.1, 0.9, 0.4};
    double f_x[3 * OUTS];
    double f_q[6 * FRAMES];
    tml__mapping_pull(&fine, x, f_y, f_x);
    tml__mapping_pull(&rigid.map, rigid.q, f_x, f_q);
    double in = 0.0;
    double out = 0.0;
    for (int i = 0; i < 6 * FRAMES; i++) in += f_q[i] * rigid.v[i];
    for (int i = 0; i < 6; i++) out += f_y[i] * v_y[i];
    CHECK_NEAR(in, out, 2e-14);
}

// The mass of points on a frame is that of a rigid body: J^T M J about its origin.
TEST(carried_masses_make_the_inertia_of_a_body)
{
    const vec3 points[2] = {{0.3, -0.2, 0.5}, {-0.1, 0.4, 0.2}};
    const double mass[2] = {2.0, 3.0};
    const int first[3] = {0, 1, 2};
    const mapping_term terms[2] = {{0, 1.0, points[0]}, {0, 1.0, points[1]}};
    const mapping m = {MAPPING_FRAMES, 1, 2, first, terms};
    const double q[7] = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0};
    const double turn[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    double v[6];
    double p[6];
    double in[6];
    tml__mapping_push(&m, q, turn, v);
    for (int i = 0; i < 6; i++) p[i] = mass[i / 3] * v[i];
    tml__mapping_pull(&m, q, p, in);
    double izz = 0.0;
    double ixz = 0.0;
    for (int k = 0; k < 2; k++) {
        izz += mass[k] * (points[k].x * points[k].x + points[k].y * points[k].y);
        ixz -= mass[k] * points[k].x * points[k].z;
    }
    CHECK_NEAR(in[5], izz, 1e-15);
    CHECK_NEAR(in[3], ixz, 1e-15);
}

TEST(a_flat_tetrahedron_has_no_barycentric_coordinates)
{
    const vec3 flat[4] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
    double weight[4];
    CHECK(!tml__barycentric(flat, v3(0.1, 0.1, 0.0), weight));
}
