// test/method/suspects.c - what a stall is put down to, and gaps that sines do not show.
//
// Newton seldom stalls where one wants it to, so the sentence is asked for at states made by hand.
#include "method/maximal.h"
#include "test/check.h"

static tml_spec* one_body(tml_joint_kind kind)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.name = "plate";
    const tml_body plate = tml_spec_add_body(spec, &body);
    tml_joint_def joint = tml_joint_def_default();
    joint.name = "latch";
    joint.kind = kind;
    joint.follower = plate;
    tml_spec_add_joint(spec, &joint);
    return spec;
}

// The sentence about a stall with the plate turned by an angle about x, and moved.
static message stall_at(tml_spec* spec, double angle, vec3 at)
{
    const tml_allocator heap = {0};
    const newton_report report = {.iterations = 30, .update = 0.5};
    const quat q = q_about(0, angle);
    const double x[POSE_WIDTH] = {at.x, at.y, at.z, q.w, q.x, q.y, q.z};
    tml_model* model = NULL;
    maximal_system* s = NULL;
    message why = {""};

    CHECK(tml_spec_build(spec, &model) == TML_OK);
    CHECK(tml__maximal_create(model, KKT_DENSE, &heap, &why, &s) == TML_OK);
    tml__maximal_time(s, 0.0, NULL);
    tml__maximal_place(s, x, NULL);
    tml__maximal_rows(s);
    CHECK(tml__maximal_describe_failure(s, TML_NOT_CONVERGED, &report, &why) == TML_NOT_CONVERGED);
    tml__maximal_destroy(s);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return why;
}

TEST(a_joint_about_to_turn_over_is_named_with_its_consistency)
{
    // cos 75 degrees = 0.26
    const message why = stall_at(one_body(TML_JOINT_FIXED), 75.0 / 180.0 * TML_PI, v3_zero());
    CHECK_CONTAINS(why.text, "stalled after 30 iterations");
    CHECK_CONTAINS(why.text, "joint 'latch' is about to turn over (consistency 0.26)");
}

TEST(a_joint_that_is_off_by_less_is_no_suspect)
{
    const message why = stall_at(one_body(TML_JOINT_FIXED), 55.0 / 180.0 * TML_PI, v3_zero());
    CHECK_CONTAINS(why.text, "stalled");
    CHECK(strstr(why.text, "turn over") == NULL && strstr(why.text, "no direction") == NULL);
}

TEST(a_spring_without_a_length_is_named)
{
    for (int is_apart = 0; is_apart < 2; is_apart++) {
        tml_spec* spec = one_body(TML_JOINT_FREE);
        const tml_point points[2] = {{TML_WORLD, v3(0.3, 0.0, 0.0)}, {{0}, v3(0.1, 0.0, 0.0)}};
        tml_spring_def spring = tml_spring_def_default();
        spring.name = "rubber";
        spring.point_count = 2;
        spring.points = points;
        spring.stiffness = 10.0;
        spring.rest_length = 0.1;
        CHECK(tml_spec_add_spring(spec, &spring) == TML_OK);
        // the plate's point meets the world's where the plate has moved by their distance
        const message why = stall_at(spec, 0.0, v3(is_apart ? 0.19 : 0.2, 0.0, 0.0));
        const char* found = strstr(why.text, "spring 'rubber' has no length, hence no direction");
        CHECK((found != NULL) == !is_apart);
    }
}

// Rows are sines of angles: half a turn off all of them vanish, and the joint is as open as can be.
TEST(a_joint_half_a_turn_off_has_the_largest_gap)
{
    for (int turned = 0; turned < 2; turned++) {
        tml_spec* spec = tml_spec_create();
        tml_body_def body = tml_body_def_default();
        const tml_body plate = tml_spec_add_body(spec, &body);
        tml_joint_def joint = tml_joint_def_default();
        const double s = turned ? -1.0 : 1.0;  // half a turn about y
        joint.kind = TML_JOINT_REVOLUTE;
        joint.follower = plate;
        joint.has_axes = joint.has_follower_frame = joint.has_follower_axes = 1;
        for (int k = 0; k < 3; k++) {
            joint.axes[k] = v3_unit(k);
            joint.follower_axes[k] = v3_scale(k == 1 ? 1.0 : s, v3_unit(k));
        }
        tml_spec_add_joint(spec, &joint);
        tml_model* model = NULL;
        double length = 1.0;
        double angle = 1.0;
        CHECK(tml_spec_build(spec, &model) == TML_OK);
        CHECK(tml_model_summarise(model).max_gap == (turned ? 1.0 : 0.0));
        CHECK(tml_model_joint_gap(model, (tml_joint){0}, &length, &angle) == TML_OK);
        CHECK_NEAR(length, 0.0, 0.0);
        CHECK_NEAR(angle, turned ? TML_PI : 0.0, 1e-15);
        tml_model_destroy(model);
        tml_spec_destroy(spec);
    }
}
