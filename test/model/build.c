// test/model/build.c - from a spec to a frozen model: copies, frames, centres of mass, counts.
#include "model/model.h"
#include "test/check.h"
#include "test/random.h"

static tml_model* build(tml_spec* spec)
{
    tml_model* model = NULL;
    const tml_status status = tml_spec_build(spec, &model);
    if (status != TML_OK) printf("%s\n", tml_spec_message(spec));
    CHECK(status == TML_OK);
    return model;
}

// ---- deep copies

// Everything a caller hands over by pointer, in one block that can be wiped.
typedef struct originals {
    char names[8][16];
    tml_body_def body[2];
    tml_shape_def shapes[2];
    tml_joint_def joint;
    double times[3], values[3];
    tml_coupling_def coupling;
    tml_coupling_term term;
    tml_spring_def spring;
    tml_point points[2];
    double extensions[2], forces[2];
    tml_wrench_def wrench;
    tml_drag_def drag;
} originals;

static void fill(originals* o)
{
    static const char* const names[8] = {"scene", "a", "b", "pin", "gear", "coil", "push", "air"};
    *o = (originals){.times = {0.0, 1.0, 2.0}, .values = {0.0, 0.5, 0.0}};
    for (int i = 0; i < 8; i++) strcpy(o->names[i], names[i]);
    for (int i = 0; i < 2; i++) {
        o->shapes[i] = tml_shape_def_default();
        o->shapes[i].size.x = 0.25 + i;
        o->body[i] = tml_body_def_default();
        o->body[i].name = o->names[1 + i];
        o->body[i].shape_count = 2;
        o->body[i].shapes = o->shapes;
        o->extensions[i] = i;
        o->forces[i] = 3.0 * i;
    }
    const tml_control table = {
        .kind = TML_CONTROL_CUBIC, .count = 3, .times = o->times, .samples = o->values};
    o->joint = tml_joint_def_default();
    o->joint.name = o->names[3];
    o->joint.kind = TML_JOINT_REVOLUTE;
    o->joint.base = (tml_body){0};
    o->joint.follower = (tml_body){1};
    o->joint.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    o->joint.axis_of[TML_AXIS_RX].control = table;
    o->joint.axis_of[TML_AXIS_RX].has_servo = 1;
    o->joint.axis_of[TML_AXIS_RX].servo_target = table;
    o->term = (tml_coupling_term){{0}, TML_AXIS_RX, 2, {1.0, 0.5}};
    o->coupling = tml_coupling_def_default();
    o->coupling.name = o->names[4];
    o->coupling.term_count = 1;
    o->coupling.terms = &o->term;
    o->points[0] = (tml_point){{0}, {0.1, 0.2, 0.3}};
    o->points[1] = (tml_point){{-1}, {1.0, 2.0, 3.0}};
    o->spring = tml_spring_def_default();
    o->spring.name = o->names[5];
    o->spring.point_count = 2;
    o->spring.points = o->points;
    o->spring.law = TML_SPRING_TABLE;
    o->spring.table_count = 2;
    o->spring.table_extensions = o->extensions;
    o->spring.table_forces = o->forces;
    o->spring.force = table;
    o->wrench = tml_wrench_def_default();
    o->wrench.name = o->names[6];
    o->wrench.body = (tml_body){1};
    for (int k = 0; k < 3; k++) o->wrench.force[k] = o->wrench.torque[k] = table;
    o->drag = tml_drag_def_default();
    o->drag.name = o->names[7];
    o->drag.body = (tml_body){1};
}

static tml_spec* hand_over(const originals* o)
{
    tml_spec* spec = tml_spec_create();
    tml_shape_def floor = tml_shape_def_default();
    floor.kind = TML_SHAPE_PLANE;
    tml_spec_set_name(spec, o->names[0]);
    tml_spec_add_world_shape(spec, &floor);
    for (int i = 0; i < 2; i++) tml_spec_add_body(spec, &o->body[i]);
    tml_spec_add_joint(spec, &o->joint);
    tml_spec_add_coupling(spec, &o->coupling);
    tml_spec_add_spring(spec, &o->spring);
    tml_spec_add_wrench(spec, &o->wrench);
    tml_spec_add_drag(spec, &o->drag);
    CHECK_TEXT(tml_spec_message(spec), "");
    return spec;
}

static void check_contents(const tml_model* m)
{
    CHECK_TEXT(tml_model_name(m), "scene");
    CHECK_TEXT(tml_model_body_name(m, (tml_body){1}), "b");
    CHECK_TEXT(tml_model_joint_name(m, (tml_joint){0}), "pin");
    CHECK(tml_model_find_body(m, "a").index == 0 && tml_model_find_body(m, "c").index == -2);
    CHECK(tml_model_find_body(m, "world").index == -1);
    CHECK(tml_model_find_joint(m, "pin").index == 0 && tml_model_find_joint(m, "x").index == -2);
    CHECK(tml_model_body(m, (tml_body){0})->shapes[1].size.x == 1.25);
    CHECK(m->all.world_shape_count == 1 && m->all.world_shapes[0].kind == TML_SHAPE_PLANE);
    CHECK_TEXT(m->all.couplings[0].name, "gear");
    CHECK(m->all.couplings[0].terms[0].coefficient[1] == 0.5);
    CHECK_TEXT(m->all.springs[0].name, "coil");
    CHECK(m->all.springs[0].points[1].position.z == 3.0);
    CHECK(m->springs[0].table_forces[1] == 3.0 && m->springs[0].table_extensions[1] == 1.0);
    CHECK_TEXT(m->all.wrenches[0].name, "push");
    CHECK_TEXT(m->all.drags[0].name, "air");
    CHECK(tml__control_eval(&m->joints[0].axis[TML_AXIS_RX].control, 1.0).value == 0.5);
    CHECK(tml__control_eval(&m->joints[0].axis[TML_AXIS_RX].servo_target, 1.0).value == 0.5);
    CHECK(tml__control_eval(&m->springs[0].force, 1.0).value == 0.5);
    CHECK(tml__control_eval(&m->wrenches[0].torque[2], 1.0).value == 0.5);
}

TEST(a_model_outlives_the_definitions_and_the_spec)
{
    originals* o = malloc(sizeof *o);
    fill(o);
    tml_spec* spec = hand_over(o);
    memset(o, 0x5a, sizeof *o);  // what was handed over may change at once,
    tml_model* first = build(spec);
    tml_model* second = build(spec);  // a spec may be built again,
    free(o);
    tml_spec_destroy(spec);  // and goes its own way
    if (first != NULL && second != NULL) {
        check_contents(first);
        tml_model_destroy(first);
        check_contents(second);
    }
    tml_model_destroy(second);
}

TEST(a_spec_grows_after_it_was_built)
{
    originals o;
    fill(&o);
    tml_spec* spec = hand_over(&o);
    tml_model* small = build(spec);
    tml_body_def more = tml_body_def_default();
    for (int i = 0; i < 100; i++) tml_spec_add_body(spec, &more);
    tml_model* large = build(spec);
    CHECK(tml_model_body_count(small) == 2);
    CHECK(tml_model_body_count(large) == 102);
    CHECK(tml_model_find_body(large, "body57").index == 57);
    tml_model_destroy(small);
    tml_model_destroy(large);
    tml_spec_destroy(spec);
}

// ---- centres of mass

TEST(bodies_are_carried_to_their_centre_of_mass)
{
    random_source r = random_start(401);
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.com = (tml_vec3){0.3, -0.2, 0.5};
    def.pose = (tml_pose){random_vec3(&r, 1.0), random_quat(&r)};
    def.velocity = (tml_velocity){random_vec3(&r, 1.0), random_vec3(&r, 1.0)};
    for (int i = 0; i < 6; i++) def.inertia[i] = i < 3 ? 0.2 + 0.01 * i : 0.001 * i;
    tml_spec_add_body(spec, &def);

    tml_joint_def joint = tml_joint_def_default();
    joint.follower = (tml_body){0};
    joint.position = random_vec3(&r, 1.0);
    joint.axis = random_vec3(&r, 1.0);
    tml_spec_add_joint(spec, &joint);
    const tml_point points[2] = {{{0}, {0.1, 0.2, 0.3}}, {{-1}, {1.0, 0.0, 0.0}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = points;
    tml_spec_add_spring(spec, &spring);
    tml_wrench_def wrench = tml_wrench_def_default();
    wrench.body = (tml_body){0};
    wrench.point = (tml_vec3){0.7, 0.0, 0.0};
    tml_spec_add_wrench(spec, &wrench);

    tml_model* m = build(spec);
    const body_data* b = &m->bodies[0];
    const mat3 R = q_matrix(def.pose.q);
    const vec3 arm = m3_apply(R, def.com);
    CHECK_NEAR(v3_max(v3_sub(b->c, v3_add(def.pose.p, arm))), 0.0, 1e-15);
    const vec3 v = v3_add(def.velocity.linear, v3_cross(def.velocity.angular, arm));
    CHECK_NEAR(v3_max(v3_sub(b->v, v)), 0.0, 1e-15);
    CHECK_NEAR(v3_max(v3_sub(b->omega, def.velocity.angular)), 0.0, 0.0);
    CHECK(b->inertia.m[0][2] == def.inertia[4] && b->inertia.m[2][1] == def.inertia[5]);

    // the joint's point, from the centre of mass in body axes, is where it was in the world
    const joint_data* j = &m->joints[0];
    const vec3 point = v3_add(b->c, m3_apply(R, j->point_F));
    CHECK_NEAR(v3_max(v3_sub(point, joint.position)), 0.0, 2e-15);  // a few roundings
    CHECK_NEAR(v3_max(v3_sub(j->point_B, joint.position)), 0.0, 0.0);
    const mat3 axes = m3_mul(R, j->axes_F);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(v3_max(v3_sub(m3_column(axes, k), m3_column(j->axes_B, k))), 0.0, 2e-15);
    }
    CHECK_NEAR(v3_max(v3_sub(m->springs[0].point[0], v3(-0.2, 0.4, -0.2))), 0.0, 1e-16);
    CHECK_NEAR(v3_max(v3_sub(m->springs[0].point[1], v3(1.0, 0.0, 0.0))), 0.0, 0.0);
    CHECK_NEAR(v3_max(v3_sub(m->wrenches[0].point, v3(0.4, 0.2, -0.5))), 0.0, 1e-16);
    tml_model_destroy(m);
    tml_spec_destroy(spec);
}

TEST(fixed_bodies_have_no_node_and_no_velocity)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.velocity.linear.x = 1.0;
    def.velocity.angular.y = 2.0;
    def.com.z = 0.1;
    for (int i = 0; i < 4; i++) {
        def.is_fixed = i % 2;
        tml_spec_add_body(spec, &def);
    }
    tml_model* m = build(spec);
    CHECK(m->node_count == 2);
    CHECK(m->node_body[0] == 0 && m->node_body[1] == 2);
    CHECK(m->bodies[0].node == 0 && m->bodies[2].node == 1);
    CHECK(m->bodies[1].node == -1 && m->bodies[3].node == -1 && m->bodies[4].node == -1);
    CHECK_NEAR(v3_max(m->bodies[1].v), 0.0, 0.0);
    CHECK_NEAR(v3_max(m->bodies[1].omega), 0.0, 0.0);
    CHECK_NEAR(m->bodies[0].v.x, 1.0 + 2.0 * 0.1, 1e-16);  // the centre of mass swings
    const tml_model_summary summary = tml_model_summarise(m);
    CHECK(summary.bodies == 4 && summary.fixed_bodies == 2);
    CHECK_NEAR(summary.mass, 2.0, 0.0);  // of what can move
    tml_model_destroy(m);
    tml_spec_destroy(spec);
}

TEST(orientations_are_made_unit)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.pose.q = (tml_quat){0.7071068, 0.0, 0.0, -0.7071068};  // 1 + 2e-8 long
    tml_spec_add_body(spec, &def);
    tml_model* m = build(spec);
    const quat q = m->bodies[0].q;
    CHECK_NEAR(q_dot(q, q), 1.0, 4e-16);
    tml_model_destroy(m);
    tml_spec_destroy(spec);
}

// ---- letters and their parity

TEST(turns_are_completed_to_all_three_letters)
{
    static const struct {
        const char* turns;
        int letters[3];
        double parity;
    } cases[] = {
        {"", {0, 1, 2}, 1.0},     {"x", {0, 1, 2}, 1.0},   {"y", {1, 2, 0}, 1.0},
        {"z", {2, 0, 1}, 1.0},    {"xy", {0, 1, 2}, 1.0},  {"xz", {0, 2, 1}, -1.0},
        {"yx", {1, 0, 2}, -1.0},  {"yz", {1, 2, 0}, 1.0},  {"zx", {2, 0, 1}, 1.0},
        {"zy", {2, 1, 0}, -1.0},  {"xyz", {0, 1, 2}, 1.0}, {"xzy", {0, 2, 1}, -1.0},
        {"yxz", {1, 0, 2}, -1.0}, {"yzx", {1, 2, 0}, 1.0}, {"zxy", {2, 0, 1}, 1.0},
        {"zyx", {2, 1, 0}, -1.0},
    };
    for (int i = 0; i < 16; i++) {
        tml_spec* spec = tml_spec_create();
        tml_body_def body = tml_body_def_default();
        tml_spec_add_body(spec, &body);
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_CUSTOM;
        def.follower = (tml_body){0};
        strcpy(def.free_rotation, cases[i].turns);
        tml_spec_add_joint(spec, &def);
        tml_model* m = build(spec);
        const joint_data* j = &m->joints[0];
        CHECK(j->turn_count == (int)strlen(cases[i].turns));
        for (int k = 0; k < 3; k++) CHECK(j->turn[k] == cases[i].letters[k]);
        CHECK(j->parity == cases[i].parity);
        CHECK(tml_model_row_count(m) == 6 - j->turn_count);
        tml_model_destroy(m);
        tml_spec_destroy(spec);
    }
}

// ---- the order of controls

TEST(controls_are_numbered_joint_by_joint_and_axis_by_axis)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    for (int i = 0; i < 2; i++) tml_spec_add_body(spec, &body);
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_FREE;
    def.follower = (tml_body){0};
    def.axis_of[TML_AXIS_RZ].actuation = TML_POSITION;
    def.axis_of[TML_AXIS_TY].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &def);
    def = tml_joint_def_default();
    def.kind = TML_JOINT_REVOLUTE;
    def.base = (tml_body){0};
    def.follower = (tml_body){1};
    def.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &def);

    tml_model* m = build(spec);
    static const int joints[3] = {0, 0, 1};
    static const tml_axis axes[3] = {TML_AXIS_TY, TML_AXIS_RZ, TML_AXIS_RX};
    static const tml_actuation kinds[3] = {TML_FORCE, TML_POSITION, TML_FORCE};
    CHECK(tml_model_control_count(m) == 3);
    for (int i = 0; i < 3; i++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        CHECK(tml_model_control(m, i, &joint, &axis, &actuation) == TML_OK);
        CHECK(joint.index == joints[i] && axis == axes[i] && actuation == kinds[i]);
    }
    tml_joint joint;
    tml_axis axis;
    tml_actuation actuation;
    CHECK(tml_model_control(m, 3, &joint, &axis, &actuation) == TML_BAD_ARGUMENT);
    CHECK(tml_model_control(m, -1, &joint, &axis, &actuation) == TML_BAD_ARGUMENT);

    tml_axis free_axes[TML_AXES];
    CHECK(tml_model_joint_axes(m, (tml_joint){0}, free_axes) == 6);
    CHECK(tml_model_joint_axes(m, (tml_joint){1}, free_axes) == 1);
    CHECK(free_axes[0] == TML_AXIS_RX);
    CHECK(tml_model_joint_axes(m, (tml_joint){2}, free_axes) == 0);
    CHECK(tml_model_row_count(m) == 6);  // one driven axis and five held ones
    CHECK(tml_model_summarise(m).position_actuators == 1);
    CHECK(tml_model_summarise(m).force_actuators == 2);
    CHECK(tml_model_body(m, (tml_body){2}) == NULL);
    CHECK(tml_model_joint(m, (tml_joint){-1}).name == NULL);
    tml_model_destroy(m);
    tml_spec_destroy(spec);
}

// ---- open joints

TEST(the_gap_of_an_open_joint_is_told_in_metres_and_radians)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    tml_spec_add_body(spec, &body);
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_PRISMATIC;
    def.follower = (tml_body){0};
    def.has_follower_frame = 1;
    // 0.5 along the free x, 0.03 across, turned by 0.2 about z
    def.follower_position = (tml_vec3){0.5, 0.03, 0.0};
    def.has_follower_axes = 1;
    def.follower_axes[0] = (tml_vec3){cos(0.2), sin(0.2), 0.0};
    def.follower_axes[1] = (tml_vec3){-sin(0.2), cos(0.2), 0.0};
    def.follower_axes[2] = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_joint(spec, &def);
    tml_model* m = build(spec);
    double length = -1.0;
    double angle = -1.0;
    CHECK(tml_model_joint_gap(m, (tml_joint){0}, &length, &angle) == TML_OK);
    CHECK_NEAR(length, 0.03, 1e-16);
    CHECK_NEAR(angle, 0.2, 1e-15);
    CHECK_NEAR(tml_model_summarise(m).max_gap, sin(0.2), 1e-15);
    CHECK(tml_model_joint_gap(m, (tml_joint){1}, &length, &angle) == TML_BAD_ARGUMENT);
    tml_model_destroy(m);
    tml_spec_destroy(spec);
}

TEST(an_empty_spec_builds_an_empty_model)
{
    tml_spec* spec = tml_spec_create();
    tml_model* m = build(spec);
    CHECK(tml_model_body_count(m) == 0 && tml_model_joint_count(m) == 0);
    CHECK_TEXT(tml_model_name(m), "");
    CHECK_NEAR(tml_model_gravity(m).z, -9.81, 0.0);
    CHECK(tml_model_summarise(m).loops == 0);
    tml_model_destroy(m);
    tml_spec_destroy(spec);
    tml_model_destroy(NULL);
    tml_spec_destroy(NULL);
}
