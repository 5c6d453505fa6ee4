// test/joint/atom.c - the two relations between markers, by their own definition.
#include "joint/atom.h"

#include "test/difference.h"
#include "test/random.h"

static marker random_marker(random_source* r)
{
    marker m = {.point = random_vec3(r, 1.0)};
    for (int k = 0; k < 3; k++) m.axis[k] = random_vec3(r, 1.0);  // nothing need be orthonormal
    return m;
}

TEST(a_gap_measures_along_the_base_axis_less_its_target)  // [QRBD (15) (16) (21)]
{
    const marker F = {.point = {1.3, 0.2, -0.4}};
    const marker B = {.point = {1.0, 0.1, 0.5}, .axis = {{0.6, 0.8, 0.0}}};
    const atom a = {.kind = ATOM_GAP, .b = 0};
    CHECK_NEAR(tml__atom_eval(&a, &F, &B, 0.0).C, 0.6 * 0.3 + 0.8 * 0.1, 1e-16);
    CHECK_NEAR(tml__atom_eval(&a, &F, &B, 0.25).C, 0.6 * 0.3 + 0.8 * 0.1 - 0.25, 1e-16);
}

TEST(a_dot_is_the_sign_times_the_product_of_two_axes)  // [QRBD (19)]
{
    const marker F = {.axis = {[1] = {0.5, -0.5, 2.0}}};
    const marker B = {.axis = {[2] = {1.0, 2.0, 3.0}}};
    const atom a = {.kind = ATOM_DOT, .f = 1, .b = 2, .sign = -1.0};
    CHECK_NEAR(tml__atom_eval(&a, &F, &B, 7.0).C, -(0.5 - 1.0 + 6.0), 1e-15);
}

// Atoms are bilinear in markers, so one difference quotient is exact up to rounding.
TEST(atom_gradients_are_those_of_free_points_and_axes)
{
    random_source r = random_start(51);
    for (int repeat = 0; repeat < 200; repeat++) {
        marker F = random_marker(&r);
        marker B = random_marker(&r);
        const atom a = {.kind = repeat % 2 ? ATOM_GAP : ATOM_DOT,
                        .f = random_below(&r, 3),
                        .b = random_below(&r, 3),
                        .sign = repeat % 4 < 2 ? 1.0 : -1.0};
        const atom_value at = tml__atom_eval(&a, &F, &B, 0.3);
        vec3* const moved[4] = {&F.point, &B.point, &F.axis[a.f], &B.axis[a.b]};
        const vec3 gradient[4] = {at.point_F, at.point_B, at.axis_F, at.axis_B};
        for (int m = 0; m < 4; m++) {
            for (int k = 0; k < 3; k++) {
                const vec3 kept = *moved[m];
                v3_set(moved[m], k, v3_at(kept, k) + 0.25);
                const double plus = tml__atom_eval(&a, &F, &B, 0.3).C;
                v3_set(moved[m], k, v3_at(kept, k) - 0.25);
                const double minus = tml__atom_eval(&a, &F, &B, 0.3).C;
                *moved[m] = kept;
                CHECK_NEAR(v3_at(gradient[m], k), (plus - minus) / 0.5, 1e-14);  // roundings
            }
        }
    }
}

TEST(turning_a_marker_combines_its_axes_by_columns)
{
    random_source r = random_start(52);
    const marker m = random_marker(&r);
    const mat3 turn = q_matrix(q_about(2, 0.5));
    const marker out = marker_turn(&m, &turn);
    const vec3 x = v3_axpy(v3_scale(cos(0.5), m.axis[0]), sin(0.5), m.axis[1]);
    const vec3 y = v3_axpy(v3_scale(-sin(0.5), m.axis[0]), cos(0.5), m.axis[1]);
    CHECK_NEAR(v3_max(v3_sub(out.axis[0], x)), 0.0, 1e-15);
    CHECK_NEAR(v3_max(v3_sub(out.axis[1], y)), 0.0, 1e-15);
    CHECK_NEAR(v3_max(v3_sub(out.axis[2], m.axis[2])), 0.0, 1e-15);
    CHECK(memcmp(&out.point, &m.point, sizeof m.point) == 0);
}
