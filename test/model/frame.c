// test/model/frame.c - the axes of a joint: given, completed from one, or the world's.
#include "model/spec.h"
#include "test/check.h"
#include "test/random.h"

static void axes_of(const tml_joint_def* def, int is_follower, vec3 axes[3])
{
    message why = {""};
    const tml_status status = tml__joint_axes(def, is_follower, axes, &why);
    if (status != TML_OK) printf("%s\n", why.text);
    CHECK(status == TML_OK);
}

static void check_orthonormal(const vec3 axes[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(v3_dot(axes[i], axes[k]), i == k ? 1.0 : 0.0, 4e-15);  // a few roundings
        }
    }
    CHECK_NEAR(v3_dot(v3_cross(axes[0], axes[1]), axes[2]), 1.0, 4e-15);
}

TEST(without_an_axis_the_frame_is_the_worlds)
{
    const tml_joint_def def = tml_joint_def_default();
    vec3 axes[3];
    axes_of(&def, 0, axes);
    for (int k = 0; k < 3; k++) CHECK_NEAR(v3_max(v3_sub(axes[k], v3_unit(k))), 0.0, 0.0);
}

// a_y = e x a_x with e the world axis of the smallest |component|, the first on ties.
TEST(one_axis_is_completed_by_the_rule_of_the_design)
{
    static const struct {
        vec3 axis;
        int e;
    } cases[] = {
        {{1.0, 0.0, 0.0}, 1},   {{0.0, 1.0, 0.0}, 0},  {{0.0, 0.0, 1.0}, 0},
        {{0.0, 0.0, -2.0}, 0},  {{1.0, 1.0, 1.0}, 0},  {{-1.0, 0.5, 0.5}, 1},
        {{0.3, 0.3, 0.1}, 2},   {{0.2, -0.1, 0.3}, 1}, {{1e-3, 1e-4, 1e-5}, 2},
        {{-3.0, 4.0, -5.0}, 0},
    };
    for (int i = 0; i < 10; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.axis = cases[i].axis;
        vec3 axes[3];
        axes_of(&def, 0, axes);
        check_orthonormal(axes);
        const vec3 x = v3_scale(1.0 / v3_norm(def.axis), def.axis);
        const vec3 y = v3_cross(v3_unit(cases[i].e), x);
        CHECK_NEAR(v3_max(v3_sub(axes[0], x)), 0.0, 2e-16);
        CHECK_NEAR(v3_max(v3_sub(axes[1], v3_scale(1.0 / v3_norm(y), y))), 0.0, 4e-16);
    }
}

TEST(given_axes_are_cleaned_of_their_last_rounding)
{
    random_source r = random_start(411);
    for (int repeat = 0; repeat < 100; repeat++) {
        const mat3 R = q_matrix(random_quat(&r));
        tml_joint_def def = tml_joint_def_default();
        def.has_axes = 1;
        for (int k = 0; k < 3; k++) {
            def.axes[k] = v3_add(m3_column(R, k), random_vec3(&r, 2e-10));
        }
        vec3 axes[3];
        axes_of(&def, 0, axes);
        check_orthonormal(axes);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(v3_max(v3_sub(axes[k], def.axes[k])), 0.0, 1e-9);  // no more than was off
        }
    }
}

TEST(the_follower_has_the_bases_frame_unless_it_has_its_own)
{
    tml_joint_def def = tml_joint_def_default();
    def.axis = (tml_vec3){0.0, 0.0, 1.0};
    def.follower_axis = (tml_vec3){0.0, 1.0, 0.0};
    vec3 base[3];
    vec3 follower[3];
    axes_of(&def, 0, base);
    axes_of(&def, 1, follower);
    for (int k = 0; k < 3; k++) CHECK_NEAR(v3_max(v3_sub(base[k], follower[k])), 0.0, 0.0);
    def.has_follower_frame = 1;
    axes_of(&def, 1, follower);
    CHECK_NEAR(v3_max(v3_sub(follower[0], v3(0.0, 1.0, 0.0))), 0.0, 0.0);
    axes_of(&def, 0, base);
    CHECK_NEAR(v3_max(v3_sub(base[0], v3(0.0, 0.0, 1.0))), 0.0, 0.0);
}
