// test/math/vec3.c - vectors of three: products, components, storage.
#include "math/vec3.h"

#include "test/check.h"
#include "test/math/random.h"

#include <float.h>

static vec3 any_vector(random_source* r)
{
    const double x = random_between(r, -1.0, 1.0);
    const double y = random_between(r, -1.0, 1.0);
    return v3(x, y, random_between(r, -1.0, 1.0));
}

static int equal(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

TEST(cross_is_perpendicular_and_of_the_right_length)
{
    random_source r = random_start(__LINE__);
    for (int i = 0; i < 200; i++) {
        const vec3 a = any_vector(&r);
        const vec3 b = any_vector(&r);
        const vec3 c = v3_cross(a, b);
        CHECK_NEAR(v3_dot(a, c), 0.0, 8.0 * DBL_EPSILON);
        CHECK_NEAR(v3_dot(b, c), 0.0, 8.0 * DBL_EPSILON);
        // |a x b|^2 + (a . b)^2 = |a|^2 |b|^2, which is at most 9
        CHECK_NEAR(v3_dot(c, c) + v3_dot(a, b) * v3_dot(a, b), v3_dot(a, a) * v3_dot(b, b),
                   16.0 * DBL_EPSILON);
    }
    CHECK(equal(v3_cross(v3_unit(0), v3_unit(1)), v3_unit(2)));
    CHECK(equal(v3_cross(v3_unit(1), v3_unit(2)), v3_unit(0)));
}

TEST(sums_and_multiples)
{
    const vec3 a = v3(1.0, -2.0, 3.0);
    const vec3 b = v3(0.5, 4.0, -8.0);
    CHECK(equal(v3_add(a, b), v3(1.5, 2.0, -5.0)));
    CHECK(equal(v3_sub(a, b), v3(0.5, -6.0, 11.0)));
    CHECK(equal(v3_axpy(a, 2.0, b), v3(2.0, 6.0, -13.0)));
    CHECK(equal(v3_add(v3_scale(-1.0, a), a), v3_zero()));
    CHECK(equal(v3_neg(a), v3(-1.0, 2.0, -3.0)));
    CHECK(v3_max(b) == 8.0 && v3_max(a) == 3.0 && v3_max(v3(-5.0, 1.0, 2.0)) == 5.0);
    CHECK(v3_norm(v3(2.0, -3.0, 6.0)) == 7.0);
}

TEST(components_by_index_and_storage)
{
    vec3 a = v3_zero();
    for (int i = 0; i < 3; i++) {
        v3_set(&a, i, i + 1.0);
        CHECK(v3_at(a, i) == i + 1.0);
        CHECK(v3_at(v3_unit(i), i) == 1.0 && v3_norm(v3_unit(i)) == 1.0);
    }
    CHECK(equal(a, v3(1.0, 2.0, 3.0)));

    double stored[3];
    v3_store(stored, a);
    CHECK(equal(v3_load(stored), a));
}

TEST(finite_means_every_component)
{
    CHECK(v3_is_finite(v3(1.0, 2.0, DBL_MAX)));
    CHECK(!v3_is_finite(v3(1.0, (double)NAN, 0.0)));
    CHECK(!v3_is_finite(v3(1.0, 0.0, -HUGE_VAL)));
}
