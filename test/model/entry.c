// test/model/entry.c - joints as they are kept: nothing of a definition is lost, and plain ones are small.
#include "model/model.h"
#include "test/check.h"

static tml_joint_def full_definition(void)
{
    static const double times[2] = {0.0, 1.0};
    static const double samples[2] = {0.0, 0.5};
    tml_joint_def def = tml_joint_def_default();
    def.name = "j";
    def.kind = TML_JOINT_CUSTOM;
    memcpy(def.free_translation, "xy", 3);
    memcpy(def.free_rotation, "zx", 3);
    def.follower = (tml_body){0};
    def.position = (tml_vec3){1.0, 2.0, 3.0};
    def.has_axes = 1;
    def.has_follower_frame = 1;
    def.has_follower_axes = 1;
    def.follower_position = (tml_vec3){4.0, 5.0, 6.0};
    for (int k = 0; k < 3; k++) {
        double* axes = &def.axes[k].x;
        double* follower_axes = &def.follower_axes[k].x;
        axes[k] = 1.0;
        follower_axes[(k + 1) % 3] = 1.0;
    }
    def.collide = 1;
    def.axis_of[0] = (tml_joint_axis){.actuation = TML_POSITION, .weight = 2.0, .compliance = 0.1};
    def.axis_of[0].control =
        (tml_control){.kind = TML_CONTROL_TABLE, .count = 2, .times = times, .samples = samples};
    def.axis_of[1].has_limits = 1;
    def.axis_of[1].upper = 7.0;
    def.axis_of[3].stiffness = 8.0;
    def.axis_of[3].rest = 9.0;
    def.axis_of[5].has_servo = 1;
    def.axis_of[5].servo_target = tml_control_sine(0.0, 1.0, 2.0, 0.0);
    def.axis_of[5].servo_damping = 10.0;
    return def;
}

TEST(nothing_of_a_definition_is_lost)
{
    pool memory = {.first = NULL};
    joint_entry entry;
    const tml_joint_def def = full_definition();
    CHECK(tml__joint_store(&def, &memory, &entry) == TML_OK);
    const tml_joint_def back = tml__joint_expand(&entry);

    CHECK(back.kind == def.kind && back.base.index == -1 && back.follower.index == 0);
    CHECK_TEXT(back.free_translation, "xy");
    CHECK_TEXT(back.free_rotation, "zx");
    CHECK(memcmp(&back.position, &def.position, sizeof def.position) == 0);
    CHECK(back.has_axes && memcmp(back.axes, def.axes, sizeof def.axes) == 0);
    CHECK(back.has_follower_frame && back.has_follower_axes && back.collide);
    CHECK(memcmp(&back.follower_position, &def.follower_position, sizeof def.position) == 0);
    CHECK(memcmp(back.follower_axes, def.follower_axes, sizeof def.axes) == 0);
    CHECK(back.axis_of[0].actuation == TML_POSITION && back.axis_of[0].control.count == 2);
    CHECK(back.axis_of[0].control.times != def.axis_of[0].control.times);  // a copy
    CHECK_NEAR(back.axis_of[0].control.samples[1], 0.5, 0.0);
    CHECK_NEAR(back.axis_of[0].weight, 2.0, 0.0);
    CHECK_NEAR(back.axis_of[0].compliance, 0.1, 0.0);
    CHECK(back.axis_of[1].has_limits);
    CHECK_NEAR(back.axis_of[1].upper, 7.0, 0.0);
    CHECK_NEAR(back.axis_of[3].stiffness, 8.0, 0.0);
    CHECK_NEAR(back.axis_of[3].rest, 9.0, 0.0);
    CHECK(back.axis_of[5].has_servo && back.axis_of[5].servo_target.kind == TML_CONTROL_SINE);
    CHECK_NEAR(back.axis_of[5].servo_damping, 10.0, 0.0);
    tml__pool_destroy(&memory);
}

// Each thing that can be said about an axis keeps the axes; saying nothing keeps none.
TEST(only_what_is_said_takes_room)
{
    enum {
        WAYS = 11
    };
    for (int way = 0; way <= WAYS; way++) {
        pool memory = {.first = NULL};
        joint_entry entry;
        tml_joint_def def = tml_joint_def_default();
        tml_joint_axis* a = &def.axis_of[4];
        double* const numbers[7] = {&a->stiffness,  &a->damping,         &a->rest,
                                    &a->compliance, &a->servo_stiffness, &a->servo_damping,
                                    &a->weight};
        if (way < 7) *numbers[way] = 0.5;
        if (way == 7) a->actuation = TML_FORCE;
        if (way == 8) a->has_limits = 1;
        if (way == 9) a->has_servo = 1;
        if (way == 10) a->control = tml_control_constant(1.0);
        CHECK(tml__joint_store(&def, &memory, &entry) == TML_OK);
        CHECK((entry.axis_of != NULL) == (way < WAYS));
        CHECK(entry.frames == NULL);
        tml__pool_destroy(&memory);
    }
}

// What a million links cost: before, a definition took 1648 bytes and its derived form 1808.
TEST(a_plain_joint_is_small)
{
    CHECK(sizeof(joint_entry) <= 112);
    CHECK(sizeof(joint_data) <= 256);
}
