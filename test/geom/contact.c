// Contacts by the pair of elements they are made of: values against their definition, derivatives
// against differences of the re-solved contact.                               [DCON App C]
#include "geom/contact.h"

#include "test/difference.h"
#include "test/random.h"

// ---- elements that touch or nearly do

static mat3 random_square(random_source* r)
{
    const mat3 R = q_matrix(random_quat(r));
    const double a = random_between(r, 0.3, 1.0);
    const double b = random_between(r, 0.3, 1.0);
    const double c = random_between(r, 0.3, 1.0);
    return m3_mul_bt(m3_mul(R, m3_diagonal(a * a, b * b, c * c)), R);
}

static vec3 random_unit(random_source* r) { return q_rotate(random_quat(r), v3(0.0, 0.0, 1.0)); }

static element random_element(random_source* r, element_kind kind)
{
    element e = {.kind = kind,
                 .point = random_vec3(r, 0.2),
                 .axis = random_unit(r),
                 .radius = random_between(r, 0.3, 0.8)};
    if (kind == ELEMENT_ELLIPSOID) e.square = random_square(r);
    if (kind == ELEMENT_POINT || kind == ELEMENT_LINE) e.offset = random_between(r, 0.0, 0.5);
    return e;
}

// A pair a distance of about 3 apart along z, or overlapping where `apart` is 0.
static contact_feature random_witness(random_source* r, element_kind a, element_kind b,
                                      double apart)
{
    contact_feature f = {.kind = FEATURE_WITNESS};
    f.a = random_element(r, a);
    f.b = random_element(r, b);
    f.a.point.z += apart;
    // faces look at each other's bodies
    if (a == ELEMENT_FACE && f.a.axis.z > 0.0) f.a.axis = v3_neg(f.a.axis);
    if (b == ELEMENT_FACE && f.b.axis.z < 0.0) f.b.axis = v3_neg(f.b.axis);
    return f;
}

// A line of one body across a side plane of the other, above a face that belongs to either.
static contact_feature random_cut(random_source* r, int line_is_a, int face_is_a)
{
    contact_feature f = {.kind = FEATURE_CUT, .face_is_a = face_is_a};
    element line = element_line(random_vec3(r, 0.5), random_unit(r), random_between(r, 0.0, 0.3));
    element plane = element_face(random_vec3(r, 0.5), random_unit(r));
    while (fabs(v3_dot(line.axis, plane.axis)) < 0.3) plane.axis = random_unit(r);
    f.a = line_is_a ? line : plane;
    f.b = line_is_a ? plane : line;
    f.face = element_face(random_vec3(r, 0.5), random_unit(r));
    return f;
}

// ---- the same feature after a small rigid motion of one body

static void move_element(element* e, vec3 omega, vec3 v)
{
    const mat3 R = q_matrix(q_exp(omega));
    e->point = v3_add(v, m3_apply(R, e->point));
    e->axis = m3_apply(R, e->axis);
    e->square = m3_mul_bt(m3_mul(R, e->square), R);
}

static contact_feature moved_feature(const contact_feature* f, int column, double step)
{
    contact_feature out = *f;
    const int is_of_a = column < 6;
    const vec3 omega = column % 6 < 3 ? v3_scale(step, v3_unit(column % 3)) : v3_zero();
    const vec3 v = column % 6 < 3 ? v3_zero() : v3_scale(step, v3_unit(column % 3));
    move_element(is_of_a ? &out.a : &out.b, omega, v);
    if (f->kind == FEATURE_CUT && f->face_is_a == is_of_a) move_element(&out.face, omega, v);
    return out;
}

enum {
    VALUES = CONTACT_ROWS + 6
};

// gap, normal, point and tangents of the moved feature
static void values_of(const contact* at, int column, double step, double out[VALUES])
{
    contact c = *at;
    c.feature = moved_feature(&at->feature, column, step);
    CHECK(tml__feature_value(&c.feature, at->normal, &c) == TML_OK);
    tml__contact_tangents(&c);
    out[0] = c.gap;
    v3_store(out + 1, c.normal);
    v3_store(out + 4, c.point);
    v3_store(out + 7, c.tangent[0]);
    v3_store(out + 10, c.tangent[1]);
}

// All 12 columns at the steps e and e / 2.
static void check_slope(const char* what, const contact* c)
{
    const double e = 1e-3;
    double exact[CONTACT_ROWS][TWIST_COLUMNS];
    double tangents[6][TWIST_COLUMNS];
    CHECK(tml__contact_slope(c, exact) == TML_OK);
    tml__contact_tangent_slope(c, exact, tangents);
    slope s = {0};
    for (int k = 0; k < TWIST_COLUMNS; k++) {
        double far[2][VALUES];
        double near[2][VALUES];
        values_of(c, k, e, far[0]);
        values_of(c, k, -e, far[1]);
        values_of(c, k, 0.5 * e, near[0]);
        values_of(c, k, -0.5 * e, near[1]);
        for (int i = 0; i < VALUES; i++) {
            const double value = i < CONTACT_ROWS ? exact[i][k] : tangents[i - CONTACT_ROWS][k];
            slope_add(&s, value, (far[0][i] - far[1][i]) / (2.0 * e),
                      (near[0][i] - near[1][i]) / e);
        }
    }
    // values of order one to a few roundings, over a step of 5e-4; the fourth derivative of a
    // contact whose curvature radius is 0.1 is about 1e5, times e^4 = 1e-12
    CHECK_SLOPE(what, &s, 1e-11, 2e-6);
}

static const char* const kind_names[] = {"point", "line", "face", "rim", "ellipsoid"};

// Whether the pair has a unique normal in general.
static int is_pair(element_kind a, element_kind b)
{
    const int flats_a = a == ELEMENT_FACE ? 2 : a == ELEMENT_LINE;
    const int flats_b = b == ELEMENT_FACE ? 2 : b == ELEMENT_LINE;
    return flats_a + flats_b <= 2;
}

TEST(every_pair_of_elements_has_the_derivatives_that_differences_show)
{
    random_source r = random_start(81);
    for (element_kind a = ELEMENT_POINT; a <= ELEMENT_ELLIPSOID; a++) {
        for (element_kind b = ELEMENT_POINT; b <= ELEMENT_ELLIPSOID; b++) {
            if (!is_pair(a, b)) continue;
            for (int k = 0; k < 60; k++) {
                contact c = {.feature = random_witness(&r, a, b, 3.0)};
                if (tml__feature_value(&c.feature, v3(0.0, 0.0, 1.0), &c) != TML_OK) continue;
                // lines that are nearly parallel, rims seen nearly along their axis: huge curvature
                double exact[CONTACT_ROWS][TWIST_COLUMNS];
                CHECK(tml__contact_slope(&c, exact) == TML_OK);
                double largest = 0.0;
                for (int i = 1; i < CONTACT_ROWS; i++) {
                    for (int j = 0; j < TWIST_COLUMNS; j++)
                        largest = fmax(largest, fabs(exact[i][j]));
                }
                if (largest > 10.0) continue;
                c.seed = tml__contact_seed(c.normal);
                tml__contact_tangents(&c);
                char what[64];
                snprintf(what, sizeof what, "%s - %s", kind_names[a], kind_names[b]);
                check_slope(what, &c);
            }
        }
    }
}

TEST(cuts_have_the_derivatives_that_differences_show)
{
    random_source r = random_start(82);
    for (int k = 0; k < 400; k++) {
        contact c = {.feature = random_cut(&r, k & 1, k & 2 ? 1 : 0)};
        CHECK(tml__feature_value(&c.feature, v3_zero(), &c) == TML_OK);
        c.seed = tml__contact_seed(c.normal);
        tml__contact_tangents(&c);
        check_slope("cut", &c);
    }
}

// dphi is the row of the contact, [p x n; n] on a and its negative on b.          [DCON (25)]
TEST(the_gap_of_a_witness_moves_with_the_row_of_the_contact)
{
    random_source r = random_start(83);
    int seen = 0;
    for (element_kind a = ELEMENT_POINT; a <= ELEMENT_ELLIPSOID; a++) {
        for (element_kind b = ELEMENT_POINT; b <= ELEMENT_ELLIPSOID; b++) {
            for (int k = 0; k < 50 && is_pair(a, b); k++) {
                contact c = {.feature = random_witness(&r, a, b, 3.0)};
                if (tml__feature_value(&c.feature, v3(0.0, 0.0, 1.0), &c) != TML_OK) continue;
                double d[CONTACT_ROWS][TWIST_COLUMNS];
                if (tml__contact_slope(&c, d) != TML_OK) continue;
                const vec3 turn = v3_cross(c.point, c.normal);
                for (int i = 0; i < 3; i++) {
                    // lines may meet their perpendicular far away: rounding in proportion
                    const double slack =
                        1e-13 * (1.0 + v3_norm(c.point)) * (1.0 + v3_norm(c.point));
                    CHECK_NEAR(d[0][i], v3_at(turn, i), slack);
                    CHECK_NEAR(d[0][3 + i], v3_at(c.normal, i), slack);
                    CHECK_NEAR(d[0][6 + i], -v3_at(turn, i), slack);
                    CHECK_NEAR(d[0][9 + i], -v3_at(c.normal, i), slack);
                }
                seen++;
            }
        }
    }
    CHECK(seen > 500);
}

// The answer is a minimum: no other points of the two elements are nearer.
static vec3 sample_of(random_source* r, const element* e)
{
    const mat3 frame = q_matrix(random_quat(r));
    switch (e->kind) {
    case ELEMENT_LINE: return v3_axpy(e->point, random_between(r, -4.0, 4.0), e->axis);
    case ELEMENT_RIM: {
        vec3 u;
        vec3 v;
        tangent_frame(e->axis, &u, &v);
        const double angle = random_between(r, 0.0, 2.0 * TML_PI);
        return v3_axpy(v3_axpy(e->point, e->radius * cos(angle), u), e->radius * sin(angle), v);
    }
    case ELEMENT_ELLIPSOID: {
        const vec3 d = m3_column(frame, 0);
        const vec3 s = m3_apply(e->square, d);
        return v3_axpy(e->point, 1.0 / sqrt(v3_dot(d, s)), s);
    }
    case ELEMENT_FACE: {
        vec3 u;
        vec3 v;
        tangent_frame(e->axis, &u, &v);
        return v3_axpy(v3_axpy(e->point, random_between(r, -4.0, 4.0), u),
                       random_between(r, -4.0, 4.0), v);
    }
    case ELEMENT_POINT: break;
    }
    return e->point;
}

TEST(no_other_points_of_two_separate_elements_are_nearer)
{
    random_source r = random_start(84);
    for (element_kind a = ELEMENT_POINT; a <= ELEMENT_ELLIPSOID; a++) {
        for (element_kind b = ELEMENT_POINT; b <= ELEMENT_ELLIPSOID; b++) {
            for (int k = 0; k < 20 && is_pair(a, b); k++) {
                const contact_feature f = random_witness(&r, a, b, 3.0);
                witness w;
                if (tml__witness(&f.a, &f.b, v3(0.0, 0.0, 1.0), &w) != TML_OK) continue;
                if (w.d < 0.0) continue;
                CHECK_NEAR(v3_norm(v3_sub(v3_sub(w.a, w.b), v3_scale(w.d, w.n))), 0.0,
                           1e-12 * (1.0 + v3_norm(w.a)));
                for (int m = 0; m < 300; m++) {
                    const vec3 x = sample_of(&r, &f.a);
                    const vec3 y = sample_of(&r, &f.b);
                    // a rim is no convex body: only its near side counts
                    if (a == ELEMENT_RIM && v3_dot(v3_sub(x, w.a), w.n) < 0.0) continue;
                    if (b == ELEMENT_RIM && v3_dot(v3_sub(y, w.b), w.n) > 0.0) continue;
                    CHECK(v3_norm(v3_sub(x, y)) > w.d - 1e-12);
                }
            }
        }
    }
}

TEST(pairs_without_a_unique_normal_say_so)
{
    const vec3 up = v3(0.0, 0.0, 1.0);
    const vec3 x = v3(1.0, 0.0, 0.0);
    const element point = element_point(v3(1.0, 2.0, 3.0), 0.5);
    const element line = element_line(v3(1.0, 2.0, 3.0), up, 0.0);
    const element other = element_line(v3(2.0, 2.0, 3.0), up, 0.0);
    const element face = element_face(v3_zero(), up);
    const element rim = element_rim(v3(0.0, 0.0, 1.0), up, 0.5);
    const element ball = element_ellipsoid(v3(1.0, 2.0, 3.0), m3_zero());
    witness w;
    CHECK(tml__witness(&point, &point, x, &w) == TML_SINGULAR);
    CHECK(tml__witness(&point, &line, x, &w) == TML_SINGULAR);
    CHECK(tml__witness(&line, &other, x, &w) == TML_SINGULAR);
    CHECK(tml__witness(&line, &face, x, &w) == TML_SINGULAR);
    CHECK(tml__witness(&face, &face, x, &w) == TML_SINGULAR);
    CHECK(tml__witness(&rim, &face, x, &w) == TML_SINGULAR);
    CHECK(tml__witness(&ball, &point, x, &w) == TML_SINGULAR);

    contact c = {.feature = {FEATURE_CUT, line, element_face(v3_zero(), x), face, 0}};
    CHECK(tml__feature_value(&c.feature, x, &c) == TML_SINGULAR);
    double d[CONTACT_ROWS][TWIST_COLUMNS];
    CHECK(tml__contact_slope(&c, d) == TML_SINGULAR);
}

// The table of kernels has closed forms for these; the iteration must find them.
TEST(the_iteration_finds_the_closed_forms)
{
    // a sphere as an ellipsoid against a point
    const element ball = element_ellipsoid(v3(0.0, 0.0, 2.0), m3_diagonal(0.25, 0.25, 0.25));
    const element point = element_point(v3(0.0, 0.6, 1.2), 0.0);
    witness w;
    CHECK(tml__witness(&ball, &point, v3(0.0, 0.1, 0.9), &w) == TML_OK);
    CHECK_NEAR(w.d, 1.0 - 0.5, 1e-15);
    CHECK_NEAR(w.n.y, -0.6, 1e-15);
    CHECK_NEAR(w.n.z, 0.8, 1e-15);
    // a rim against a point outside: RV of the table
    const element rim = element_rim(v3(0.0, 0.0, 1.0), v3(0.0, 0.0, 1.0), 0.5);
    const element corner = element_point(v3(0.9, 0.0, 0.7), 0.0);
    CHECK(tml__witness(&rim, &corner, v3(-0.7, 0.2, 0.5), &w) == TML_OK);
    CHECK_NEAR(w.d, 0.5, 1e-15);
    CHECK_NEAR(w.a.x, 0.5, 1e-15);
    // two ellipsoids that overlap by 0.1 along z
    const element low = element_ellipsoid(v3_zero(), m3_diagonal(1.0, 0.25, 0.49));
    const element high = element_ellipsoid(v3(0.0, 0.0, 0.9), m3_diagonal(0.25, 1.0, 0.09));
    CHECK(tml__witness(&high, &low, v3(0.05, 0.05, 1.0), &w) == TML_OK);
    CHECK_NEAR(w.d, -0.1, 1e-14);
}

TEST(tangents_keep_their_seed_and_are_right_handed)
{
    contact c = {.normal = v3(0.0, 0.6, 0.8), .seed = v3(1.0, 0.0, 0.0)};
    tml__contact_tangents(&c);
    const vec3 cross = v3_cross(c.tangent[0], c.tangent[1]);
    CHECK_NEAR(v3_norm(v3_sub(cross, c.normal)), 0.0, 1e-15);
    CHECK(c.seed.x == 1.0);
    // a seed along the normal is replaced, not divided by
    c.seed = c.normal;
    tml__contact_tangents(&c);
    CHECK(v3_is_finite(c.tangent[0]) && fabs(v3_dot(c.seed, c.normal)) < 0.6);
}

// ---- ends of edges

static contact_feature edges_of(random_source* r, double angle)
{
    contact_feature f = {.kind = FEATURE_WITNESS};
    const vec3 u = random_unit(r);
    const vec3 across = v3_cross(u, random_unit(r));
    const vec3 w = v3_axpy(u, angle / v3_norm(across), across);
    f.a = element_line(random_vec3(r, 1.0), u, 0.1);
    f.b = element_line(random_vec3(r, 1.0), v3_scale(1.0 / v3_norm(w), w), 0.2);
    f.a.radius = random_between(r, 0.1, 2.0);
    f.b.radius = random_between(r, 0.1, 2.0);
    return f;
}

// The least distance of points of two edges. It is convex along each of them, and so is the least over one of
// them along the other: two nested searches that narrow by the golden section need nothing else.
static double nearest_on(const element* line, vec3 x)
{
    const vec3 d = v3_sub(x, line->point);
    double t = v3_dot(d, line->axis);
    t = t < 0.0 ? 0.0 : t > line->radius ? line->radius : t;
    return v3_norm(v3_axpy(d, -t, line->axis));
}

static double searched_distance(const element* a, const element* b)
{
    const double golden = 0.6180339887498949;
    double low = 0.0;
    double high = a->radius;
    for (int k = 0; k < 100; k++) {
        const double s = high - golden * (high - low);
        const double t = low + golden * (high - low);
        const double at_s = nearest_on(b, v3_axpy(a->point, s, a->axis));
        const double at_t = nearest_on(b, v3_axpy(a->point, t, a->axis));
        if (at_s < at_t) {
            high = t;
        } else {
            low = s;
        }
    }
    return nearest_on(b, v3_axpy(a->point, 0.5 * (low + high), a->axis));
}

TEST(lines_end_where_their_edges_do)
{
    random_source r = random_start(65);
    int ended = 0;
    for (int k = 0; k < 2000; k++) {
        // any way, and a rod along another, whose lines meet far away
        const contact_feature before = edges_of(&r, k % 2 == 0 ? 1.0 : 0.05);
        contact_feature after = before;
        contact c = {.id = 0};
        contact lines = {.id = 0};
        // seen from where they are apart
        const vec3 cross = v3_cross(before.a.axis, before.b.axis);
        const double apart = v3_dot(cross, v3_sub(before.a.point, before.b.point));
        const vec3 start = apart < 0.0 ? v3_neg(cross) : cross;
        tml__feature_end(&after, start);
        ended += after.a.kind == ELEMENT_POINT || after.b.kind == ELEMENT_POINT;
        CHECK(tml__feature_value(&after, start, &c) == TML_OK);
        CHECK(v3_dot(c.normal, start) > 0.0);
        // the search ends within 1e-8 of the place, where the distance is level
        const double distance = searched_distance(&before.a, &before.b);
        CHECK_NEAR(c.gap + 0.3, distance, 1e-9);
        // from the other side they have crossed: nothing changes, and the overlap stays one, but where the lines cross
        // beyond an edge
        const bool is_within = after.a.kind == ELEMENT_LINE && after.b.kind == ELEMENT_LINE;
        after = before;
        tml__feature_end(&after, v3_neg(start));
        CHECK(tml__feature_value(&after, v3_neg(start), &c) == TML_OK);
        CHECK(tml__feature_value(&before, v3_neg(start), &lines) == TML_OK);
        if (is_within) CHECK(c.gap == lines.gap && c.gap < -0.3);
        if (!is_within) CHECK_NEAR(c.gap + 0.3, distance, 1e-9);
    }
    CHECK(ended > 1000 && ended < 2000);
}

// A rod beside a limb that points away from it, and turns: its line passes through that of the limb, far behind
// the rod. The distance of the edges hardly changes, and no overlap may come of it.
TEST(a_rod_that_points_at_a_limb_may_turn)
{
    const vec3 out = v3_unit(0);
    double last = 0.0;
    for (int k = -100; k <= 100; k++) {
        const double turn = 1e-3 * k;  // in the plane across the limb, and a little along it
        contact_feature f = {.kind = FEATURE_WITNESS};
        const vec3 axis = v3(0.8, turn, 0.6);
        contact c = {.id = 0};
        f.a = element_line(v3(0.145, 0.0, 0.0), v3_scale(1.0 / v3_norm(axis), axis), 0.0025);
        f.b = element_line(v3(0.0, 0.0, -0.1), v3_unit(2), 0.14);
        f.a.radius = 0.01;
        f.b.radius = 0.2;
        tml__feature_end(&f, out);
        CHECK(tml__feature_value(&f, out, &c) == TML_OK);
        CHECK_NEAR(c.gap, 0.145 - 0.1425, 1e-12);  // that of the near end
        if (k > -100) CHECK_NEAR(c.gap, last, 1e-12);
        last = c.gap;
    }
}

TEST(the_gap_of_an_edge_does_not_jump_where_it_ends)
{
    random_source r = random_start(66);
    for (int k = 0; k < 200; k++) {
        const double apart = random_between(&r, 0.01, 0.2);
        const vec3 up = v3(0.0, 0.0, 1.0);
        contact at[2];
        for (int side = 0; side < 2; side++) {
            // the foot on b is a billionth within its end, and beyond
            contact_feature f = {.kind = FEATURE_WITNESS};
            f.a = element_line(v3(1.0 + (side == 0 ? -1e-9 : 1e-9), -1.0, apart), v3_unit(1), 0.3);
            f.b = element_line(v3(0.0, 0.0, 0.0), v3_unit(0), 0.1);
            f.a.radius = 2.0;
            f.b.radius = 1.0;
            tml__feature_end(&f, up);
            CHECK(f.b.kind == (side == 0 ? ELEMENT_LINE : ELEMENT_POINT));
            CHECK(tml__feature_value(&f, up, &at[side]) == TML_OK);
        }
        CHECK_NEAR(at[0].gap, at[1].gap, 1e-12);
        CHECK_NEAR(v3_max(v3_sub(at[0].normal, at[1].normal)), 0.0, 1e-6);
        CHECK_NEAR(v3_max(v3_sub(at[0].point, at[1].point)), 0.0, 1e-6);
    }
}

// A rod that was found by its end, and has turned since: whatever of it is nearest then, the gap is its distance
// from the line, and changes as the derivatives say.
TEST(an_end_that_knows_its_edge_becomes_the_side_of_the_rod)
{
    random_source r = random_start(67);
    int sides = 0;
    int others = 0;
    for (int k = 0; k < 500; k++) {
        // links of 12 mm on a sheave of 0.3 m, 0.5 mm deep, tilted by up to 0.05 rad
        const double tilt = random_between(&r, -0.05, 0.05);
        const vec3 axis = v3(cos(tilt), random_between(&r, -0.2, 0.2), sin(tilt));
        const element line = element_line(v3_zero(), v3_unit(1), 0.3);
        const vec3 near = v3(random_between(&r, -0.012, 0.0), 0.0, 0.3035);
        const element rod = element_edge(near, v3_axpy(near, 0.012 / v3_norm(axis), axis), 0.004);
        contact_feature f = {.kind = FEATURE_WITNESS, .a = rod, .b = line};
        f.a.kind = ELEMENT_POINT;
        contact_feature turned = {.kind = FEATURE_WITNESS, .a = f.b, .b = f.a};
        contact c = {.id = 0};
        contact swapped = {.id = 0};
        tml__feature_end(&f, v3_unit(2));
        tml__feature_end(&turned, v3_neg(v3_unit(2)));
        sides += f.a.kind == ELEMENT_LINE;
        others += f.a.kind == ELEMENT_POINT && v3_norm(v3_sub(f.a.point, near)) > 0.01;
        CHECK(tml__feature_value(&f, v3_unit(2), &c) == TML_OK);
        CHECK(tml__feature_value(&turned, v3_neg(v3_unit(2)), &swapped) == TML_OK);
        element axis_of_sheave = element_edge(v3(0.0, -1.0, 0.0), v3(0.0, 1.0, 0.0), 0.3);
        CHECK_NEAR(c.gap + 0.304, searched_distance(&rod, &axis_of_sheave), 1e-9);
        CHECK_NEAR(swapped.gap, c.gap, 1e-15);
    }
    CHECK(sides > 50 && others > 50 && sides + others < 450);
}

// The derivatives of one body are those of both.
TEST(the_columns_of_one_body_are_those_of_both)
{
    random_source r = random_start(68);
    for (int k = 0; k < 100; k++) {
        contact c = {.id = 0, .feature = edges_of(&r, 1.0)};
        double both[CONTACT_ROWS][TWIST_COLUMNS];
        double one[CONTACT_ROWS][TWIST_COLUMNS] = {{0.0}};
        CHECK(tml__feature_value(&c.feature, v3_unit(k % 3), &c) == TML_OK);
        CHECK(tml__contact_slope(&c, both) == TML_OK);
        CHECK(tml__contact_slope_of(&c, true, one) == TML_OK);
        CHECK(tml__contact_slope_of(&c, false, one) == TML_OK);
        CHECK(memcmp(one, both, sizeof both) == 0);
    }
}
