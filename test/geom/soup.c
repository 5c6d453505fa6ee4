// What triangles weigh by MuJoCo's rule, against closed forms.
#include "geom/soup.h"

#include "test/check.h"

// A box of edges 1, 2, 3 with a corner in the origin, as twelve triangles.
static void make_box(vec3 corners[36])
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int i = 0; i < 36; i++) {
        const int v = faces[i / 3][i % 3];
        corners[i] = v3(v & 1 ? 1.0 : 0.0, v & 2 ? 2.0 : 0.0, v & 4 ? 3.0 : 0.0);
    }
}

TEST(a_box_of_triangles_weighs_what_a_box_does)
{
    vec3 corners[36];
    make_box(corners);
    for (int k = 0; k < 2; k++) {
        const triangle_soup soup = {12, corners};
        double volume = 0.0;
        vec3 com;
        mat3 J;
        CHECK(tml__soup_weigh(&soup, &volume, &com, &J));
        CHECK_NEAR(volume, 6.0, 1e-14);
        CHECK_NEAR(v3_max(v3_sub(com, v3(0.5, 1.0, 1.5))), 0.0, 1e-15);
        // m (b^2 + c^2)/12; a few roundings of twelve pyramids
        const mat3 box = m3_diagonal(6.0 * 13.0 / 12.0, 6.0 * 10.0 / 12.0, 6.0 * 5.0 / 12.0);
        for (int i = 0; i < 9; i++) CHECK_NEAR(J.m[i / 3][i % 3], box.m[i / 3][i % 3], 1e-13);
        // a triangle that looks inwards weighs as much
        const vec3 first = corners[0];
        corners[0] = corners[1];
        corners[1] = first;
    }
}

TEST(what_has_no_volume_weighs_nothing)
{
    vec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const triangle_soup one = {1, flat};
    const triangle_soup none = {0, flat};
    double volume;
    vec3 com;
    mat3 J;
    CHECK(!tml__soup_weigh(&one, &volume, &com, &J));
    CHECK(!tml__soup_weigh(&none, &volume, &com, &J));
}
