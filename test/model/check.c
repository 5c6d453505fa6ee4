// test/model/check.c - every refusal of a spec: its status, and a sentence that names the element.
//
// Each case starts from definitions that are accepted and spoils one thing.
#include "test/check.h"

#include <trammel/model.h>

// ---- what the cases spoil

typedef struct draft {
    tml_body_def body;
    tml_joint_def joint;
    tml_coupling_def coupling;
    tml_coupling_term term;
    tml_spring_def spring;
    tml_point points[2];
    double extensions[3], forces[3];
    tml_wrench_def wrench;
    tml_drag_def drag;
    tml_shape_def shape;
    tml_vec3 gravity;
} draft;

static void draft_start(draft* d)
{
    *d = (draft){.gravity = {0.0, 0.0, -9.81}};
    d->body = tml_body_def_default();
    d->body.name = "rod";
    d->shape = tml_shape_def_default();
    d->body.shape_count = 1;
    d->body.shapes = &d->shape;
    d->joint = tml_joint_def_default();
    d->joint.name = "pin";
    d->joint.kind = TML_JOINT_REVOLUTE;
    d->joint.follower = (tml_body){0};
    d->joint.axis = (tml_vec3){0.0, 1.0, 0.0};
    d->coupling = tml_coupling_def_default();
    d->coupling.name = "gear";
    d->coupling.term_count = 1;
    d->coupling.terms = &d->term;
    d->term = (tml_coupling_term){{0}, TML_AXIS_RX, 1, {1.0}};
    d->spring = tml_spring_def_default();
    d->spring.name = "coil";
    d->spring.point_count = 2;
    d->spring.points = d->points;
    d->spring.stiffness = 10.0;
    d->spring.law = TML_SPRING_TABLE;
    d->spring.table_count = 3;
    d->spring.table_extensions = d->extensions;
    d->spring.table_forces = d->forces;
    for (int i = 0; i < 3; i++) d->extensions[i] = d->forces[i] = i;
    d->points[0].body = TML_WORLD;
    d->points[1] = (tml_point){{0}, {1.0, 0.0, 0.0}};
    d->wrench = tml_wrench_def_default();
    d->wrench.name = "push";
    d->wrench.body = (tml_body){0};
    d->drag = tml_drag_def_default();
    d->drag.name = "air";
    d->drag.body = (tml_body){0};
}

static tml_spec* draft_add(const draft* d)
{
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, d->gravity);
    tml_spec_add_body(spec, &d->body);
    tml_spec_add_joint(spec, &d->joint);
    tml_spec_add_coupling(spec, &d->coupling);
    tml_spec_add_spring(spec, &d->spring);
    tml_spec_add_wrench(spec, &d->wrench);
    tml_spec_add_drag(spec, &d->drag);
    return spec;
}

static const double not_a_number = (double)NAN;
static const double infinite = (double)INFINITY;

TEST(the_definitions_that_the_cases_spoil_are_accepted)
{
    draft d;
    draft_start(&d);
    tml_spec* spec = draft_add(&d);
    tml_model* model = NULL;
    CHECK(tml_spec_status(spec) == TML_OK);
    CHECK_TEXT(tml_spec_message(spec), "");
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// ---- the cases: what is done, and what the sentence must say

typedef struct refusal {
    void (*spoil)(draft* d);
    const char* pieces[2];
} refusal;

// clang-format off
static void gravity_nan(draft* d) { d->gravity.y = not_a_number; }
static void mass_zero(draft* d) { d->body.mass = 0.0; }
static void mass_negative(draft* d) { d->body.mass = -2.0; }
static void mass_nan(draft* d) { d->body.mass = not_a_number; }
static void mass_infinite(draft* d) { d->body.mass = infinite; }
static void com_nan(draft* d) { d->body.com.x = not_a_number; }
static void position_infinite(draft* d) { d->body.pose.p.z = infinite; }
static void velocity_nan(draft* d) { d->body.velocity.angular.z = not_a_number; }
static void orientation_zero(draft* d) { d->body.pose.q.w = 0.0; }
static void orientation_long(draft* d) { d->body.pose.q.w = 1.001; }
static void orientation_nan(draft* d) { d->body.pose.q.x = not_a_number; }
static void inertia_nan(draft* d) { d->body.inertia[5] = not_a_number; }
static void inertia_zero(draft* d) { for (int i = 0; i < 6; i++) d->body.inertia[i] = 0.0; }
static void inertia_indefinite(draft* d) { d->body.inertia[3] = 1.0; }
static void inertia_triangle(draft* d) { d->body.inertia[1] = 1.0; }
static void body_unnamed(draft* d) { d->body.name = ""; }
static void body_named_world(draft* d) { d->body.name = "world"; }
static void shapes_missing(draft* d) { d->body.shapes = NULL; }
static void shapes_negative(draft* d) { d->body.shape_count = -1; }
static void shape_unknown(draft* d) { d->shape.kind = (tml_shape_kind)99; }
static void shape_negative(draft* d) { d->shape.size.x = -0.5; }
static void shape_nan(draft* d) { d->shape.size.z = not_a_number; }
static void shape_tilted(draft* d) { d->shape.pose.q.w = 2.0; }
static void shape_light(draft* d) { d->shape.density = -1.0; }
static void shape_bouncy(draft* d) { d->shape.restitution = 1.5; }
static void kind_unknown(draft* d) { d->joint.kind = (tml_joint_kind)77; }
static void letters_repeated(draft* d) { d->joint.kind = TML_JOINT_CUSTOM; strcpy(d->joint.free_rotation, "xx"); }
static void letters_wrong(draft* d) { d->joint.kind = TML_JOINT_CUSTOM; strcpy(d->joint.free_translation, "xw"); }
static void letters_endless(draft* d) { d->joint.kind = TML_JOINT_CUSTOM; memcpy(d->joint.free_rotation, "xyzx", 4); }
static void base_missing(draft* d) { d->joint.base.index = 5; }
static void follower_missing(draft* d) { d->joint.follower.index = -2; }
static void joint_on_itself(draft* d) { d->joint.base.index = 0; }
static void joint_world_world(draft* d) { d->joint.follower = TML_WORLD; }
static void joint_nowhere(draft* d) { d->joint.position.x = not_a_number; }
static void follower_nowhere(draft* d) { d->joint.follower_position.x = infinite; }
static void axis_nan(draft* d) { d->joint.axis.x = not_a_number; }
static void axis_tiny(draft* d) { d->joint.axis = (tml_vec3){1e-13, 0.0, 0.0}; }
static void axis_huge(draft* d) { d->joint.axis = (tml_vec3){1e13, 0.0, 0.0}; }
static void axes_skewed(draft* d)
{
    d->joint.has_axes = 1;
    d->joint.axes[0] = (tml_vec3){1.0, 0.0, 0.0};
    d->joint.axes[1] = (tml_vec3){1e-8, 1.0, 0.0};
    d->joint.axes[2] = (tml_vec3){0.0, 0.0, 1.0};
}
static void axes_left_handed(draft* d)
{
    d->joint.has_axes = 1;
    d->joint.axes[0] = (tml_vec3){1.0, 0.0, 0.0};
    d->joint.axes[1] = (tml_vec3){0.0, 1.0, 0.0};
    d->joint.axes[2] = (tml_vec3){0.0, 0.0, -1.0};
}
static void follower_axes_long(draft* d)
{
    d->joint.has_follower_frame = 1;
    d->joint.has_follower_axes = 1;
    d->joint.follower_axes[0] = (tml_vec3){2.0, 0.0, 0.0};
    d->joint.follower_axes[1] = (tml_vec3){0.0, 1.0, 0.0};
    d->joint.follower_axes[2] = (tml_vec3){0.0, 0.0, 1.0};
}
static tml_joint_axis* rx(draft* d) { return &d->joint.axis_of[TML_AXIS_RX]; }
static tml_joint_axis* ty(draft* d) { return &d->joint.axis_of[TML_AXIS_TY]; }
static void compliance_negative(draft* d) { ty(d)->compliance = -1.0; }
static void compliance_nan(draft* d) { ty(d)->compliance = not_a_number; }
static void weight_zero(draft* d) { ty(d)->weight = 0.0; }
static void weight_infinite(draft* d) { rx(d)->weight = infinite; }
static void held_actuated(draft* d) { ty(d)->actuation = TML_FORCE; }
static void held_controlled(draft* d) { ty(d)->control = tml_control_constant(1.0); }
static void held_limited(draft* d) { ty(d)->has_limits = 1; }
static void held_sprung(draft* d) { ty(d)->stiffness = 1.0; }
static void held_damped(draft* d) { ty(d)->damping = 1.0; }
static void held_rest(draft* d) { ty(d)->rest = 1.0; }
static void held_servo(draft* d) { ty(d)->has_servo = 1; }
static void actuation_unknown(draft* d) { rx(d)->actuation = (tml_actuation)5; }
static void passive_controlled(draft* d) { rx(d)->control = tml_control_constant(1.0); }
static void stiffness_negative(draft* d) { rx(d)->stiffness = -1.0; }
static void damping_nan(draft* d) { rx(d)->damping = not_a_number; }
static void rest_infinite(draft* d) { rx(d)->rest = infinite; }
static void servo_stiffness_negative(draft* d) { rx(d)->servo_stiffness = -3.0; }
static void limits_reversed(draft* d) { rx(d)->has_limits = 1; rx(d)->lower = 2.0; rx(d)->upper = 1.0; }
static void limits_nan(draft* d) { rx(d)->has_limits = 1; rx(d)->upper = not_a_number; }
static void limits_on_position(draft* d) { rx(d)->has_limits = 1; rx(d)->actuation = TML_POSITION; }
static void servo_on_position(draft* d)
{
    d->joint.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    d->joint.axis_of[TML_AXIS_RX].has_limits = 0;
    d->joint.axis_of[TML_AXIS_RX].has_servo = 1;
}
static void control_nan(draft* d) { rx(d)->actuation = TML_FORCE; rx(d)->control = tml_control_constant(not_a_number); }
static void servo_target_nan(draft* d) { rx(d)->has_servo = 1; rx(d)->servo_target = tml_control_constant(not_a_number); }
static void coupling_empty(draft* d) { d->coupling.term_count = 0; }
static void coupling_missing(draft* d) { d->coupling.terms = NULL; }
static void coupling_offset(draft* d) { d->coupling.offset = not_a_number; }
static void coupling_weight(draft* d) { d->coupling.weight = -1.0; }
static void coupling_compliance(draft* d) { d->coupling.compliance = -1.0; }
static void coupling_joint(draft* d) { d->term.joint.index = 3; }
static void coupling_held(draft* d) { d->term.axis = TML_AXIS_TX; }
static void coupling_axis(draft* d) { d->term.axis = (tml_axis)42; }
static void coupling_degree(draft* d) { d->term.degree = TML_COUPLING_DEGREE + 1; }
static void coupling_no_degree(draft* d) { d->term.degree = 0; }
static void coupling_coefficient(draft* d) { d->term.coefficient[0] = infinite; }
static void spring_one_point(draft* d) { d->spring.point_count = 1; }
static void spring_no_points(draft* d) { d->spring.points = NULL; }
static void spring_nobody(draft* d) { d->points[1].body.index = 9; }
static void spring_nowhere(draft* d) { d->points[0].position.y = not_a_number; }
static void spring_stiffness(draft* d) { d->spring.stiffness = -1.0; }
static void spring_damping(draft* d) { d->spring.damping = infinite; }
static void spring_rest(draft* d) { d->spring.rest_length = not_a_number; }
static void spring_law(draft* d) { d->spring.law = (tml_spring_law)8; }
static void spring_short_table(draft* d) { d->spring.table_count = 1; }
static void spring_no_table(draft* d) { d->spring.table_forces = NULL; }
static void spring_flat_table(draft* d) { d->extensions[2] = 1.0; }
static void spring_nan_table(draft* d) { d->forces[1] = not_a_number; }
static void spring_control(draft* d) { d->spring.force = tml_control_constant(not_a_number); }
static void wrench_world(draft* d) { d->wrench.body = TML_WORLD; }
static void wrench_nobody(draft* d) { d->wrench.body.index = 1; }
static void wrench_nowhere(draft* d) { d->wrench.point.z = not_a_number; }
static void wrench_control(draft* d) { d->wrench.torque[2] = tml_control_sine(0.0, not_a_number, 1.0, 0.0); }
static void drag_world(draft* d) { d->drag.body = TML_WORLD; }
static void drag_negative(draft* d) { d->drag.linear = -0.1; }
static void drag_angular(draft* d) { d->drag.angular = not_a_number; }
static void drag_wind(draft* d) { d->drag.wind.x = infinite; }

static const refusal refusals[] = {
    {gravity_nan, {"gravity", "finite"}},
    {mass_zero, {"body 'rod'", "mass must be positive, but is 0"}},
    {mass_negative, {"body 'rod'", "-2 kg"}},
    {mass_nan, {"body 'rod'", "mass"}},
    {mass_infinite, {"body 'rod'", "mass"}},
    {com_nan, {"body 'rod'", "com is not finite"}},
    {position_infinite, {"body 'rod'", "position"}},
    {velocity_nan, {"body 'rod'", "velocity is not finite"}},
    {orientation_zero, {"body 'rod'", "unit quaternion, but its length is 0"}},
    {orientation_long, {"body 'rod'", "1.001"}},
    {orientation_nan, {"body 'rod'", "unit quaternion"}},
    {inertia_nan, {"body 'rod'", "inertia is not finite"}},
    {inertia_zero, {"body 'rod'", "positive definite"}},
    {inertia_indefinite, {"body 'rod'", "principal moments are -0.996"}},
    {inertia_triangle, {"body 'rod'", "triangle inequality: principal moment 1 exceeds"}},
    {body_unnamed, {"body 0", "cannot be its name"}},
    {body_named_world, {"'world'", "cannot be its name"}},
    {shapes_missing, {"body 'rod'", "1 shapes"}},
    {shapes_negative, {"body 'rod'", "-1 shapes"}},
    {shape_unknown, {"shape 0 of body 'rod'", "unknown kind (99)"}},
    {shape_negative, {"shape 0 of body 'rod'", "-0.5"}},
    {shape_nan, {"shape 0 of body 'rod'", "size"}},
    {shape_tilted, {"shape 0 of body 'rod'", "unit quaternion"}},
    {shape_light, {"shape 0 of body 'rod'", "density"}},
    {shape_bouncy, {"shape 0 of body 'rod'", "restitution in [0, 1]"}},
    {kind_unknown, {"joint 'pin'", "unknown kind"}},
    {letters_repeated, {"joint 'pin'", "\"xx\""}},
    {letters_wrong, {"joint 'pin'", "\"xw\""}},
    {letters_endless, {"joint 'pin'", "too many free axes"}},
    {base_missing, {"joint 'pin'", "does not exist"}},
    {follower_missing, {"joint 'pin'", "does not exist"}},
    {joint_on_itself, {"joint 'pin'", "the same body 'rod'"}},
    {joint_world_world, {"joint 'pin'", "the same body 'world'"}},
    {joint_nowhere, {"joint 'pin'", "position is not finite"}},
    {follower_nowhere, {"joint 'pin'", "position is not finite"}},
    {axis_nan, {"joint 'pin'", "axis has no usable length"}},
    {axis_tiny, {"joint 'pin'", "1e-13"}},
    {axis_huge, {"joint 'pin'", "1e+13"}},
    {axes_skewed, {"joint 'pin'", "off by 1e-08"}},
    {axes_left_handed, {"joint 'pin'", "right-handed"}},
    {follower_axes_long, {"joint 'pin'", "off by 3"}},
    {compliance_negative, {"joint 'pin'", "compliance of ty"}},
    {compliance_nan, {"joint 'pin'", "compliance of ty"}},
    {weight_zero, {"joint 'pin'", "weight of ty"}},
    {weight_infinite, {"joint 'pin'", "weight of rx"}},
    {held_actuated, {"joint 'pin'", "ty is held"}},
    {held_controlled, {"joint 'pin'", "ty is held"}},
    {held_limited, {"joint 'pin'", "ty is held"}},
    {held_sprung, {"joint 'pin'", "ty is held"}},
    {held_damped, {"joint 'pin'", "ty is held"}},
    {held_rest, {"joint 'pin'", "ty is held"}},
    {held_servo, {"joint 'pin'", "ty is held"}},
    {actuation_unknown, {"joint 'pin'", "unknown actuation of rx (5)"}},
    {passive_controlled, {"joint 'pin'", "rx has a control but is passive"}},
    {stiffness_negative, {"joint 'pin'", "damping of rx"}},
    {damping_nan, {"joint 'pin'", "damping of rx"}},
    {rest_infinite, {"joint 'pin'", "rx"}},
    {servo_stiffness_negative, {"joint 'pin'", "rx"}},
    {limits_reversed, {"joint 'pin'", "[2, 1]"}},
    {limits_nan, {"joint 'pin'", "limits of rx"}},
    {limits_on_position, {"joint 'pin'", "rx is position-actuated and cannot have limits"}},
    {servo_on_position, {"joint 'pin'", "rx is position-actuated, so a servo could not move it"}},
    {control_nan, {"joint 'pin': control of rx", "not finite"}},
    {servo_target_nan, {"joint 'pin': servo target of rx", "not finite"}},
    {coupling_empty, {"coupling 'gear'", "no terms"}},
    {coupling_missing, {"coupling 'gear'", "no terms"}},
    {coupling_offset, {"coupling 'gear'", "offset"}},
    {coupling_weight, {"coupling 'gear'", "weight"}},
    {coupling_compliance, {"coupling 'gear'", "compliance"}},
    {coupling_joint, {"coupling 'gear'", "term 0"}},
    {coupling_held, {"coupling 'gear'", "axis tx of joint 'pin' is not free"}},
    {coupling_axis, {"coupling 'gear'", "is not free"}},
    {coupling_degree, {"coupling 'gear'", "not 9"}},
    {coupling_no_degree, {"coupling 'gear'", "not 0"}},
    {coupling_coefficient, {"coupling 'gear'", "coefficient of term 0"}},
    {spring_one_point, {"spring 'coil'", "two points"}},
    {spring_no_points, {"spring 'coil'", "two points"}},
    {spring_nobody, {"spring 'coil'", "point 1"}},
    {spring_nowhere, {"spring 'coil'", "point 0"}},
    {spring_stiffness, {"spring 'coil'", "stiffness"}},
    {spring_damping, {"spring 'coil'", "damping"}},
    {spring_rest, {"spring 'coil'", ""}},
    {spring_law, {"spring 'coil'", "unknown law (8)"}},
    {spring_short_table, {"spring 'coil'", "table needs two points"}},
    {spring_no_table, {"spring 'coil'", "table needs two points"}},
    {spring_flat_table, {"spring 'coil'", "(point 2)"}},
    {spring_nan_table, {"spring 'coil'", "(point 1)"}},
    {spring_control, {"spring 'coil'", "control is not finite"}},
    {wrench_world, {"wrench 'push'", "needs a body"}},
    {wrench_nobody, {"wrench 'push'", "needs a body"}},
    {wrench_nowhere, {"wrench 'push'", "finite point"}},
    {wrench_control, {"wrench 'push'", "control is not finite"}},
    {drag_world, {"drag 'air'", "needs a body"}},
    {drag_negative, {"drag 'air'", "not negative"}},
    {drag_angular, {"drag 'air'", "not negative"}},
    {drag_wind, {"drag 'air'", "finite"}},
};
// clang-format on

TEST(each_spoilt_definition_is_refused_by_name)
{
    const int count = (int)(sizeof refusals / sizeof *refusals);
    for (int i = 0; i < count; i++) {
        draft d;
        draft_start(&d);
        refusals[i].spoil(&d);
        tml_spec* spec = draft_add(&d);
        tml_model* model = (tml_model*)&d;  // anything but NULL
        CHECK(tml_spec_status(spec) == TML_BAD_ARGUMENT);
        CHECK_CONTAINS(tml_spec_message(spec), refusals[i].pieces[0]);
        CHECK_CONTAINS(tml_spec_message(spec), refusals[i].pieces[1]);
        CHECK(tml_spec_build(spec, &model) == TML_BAD_ARGUMENT);
        CHECK(model == NULL);
        tml_spec_destroy(spec);
    }
}

// ---- names

TEST(a_name_used_twice_is_refused)
{
    draft d;
    draft_start(&d);
    tml_spec* spec = tml_spec_create();
    tml_spec_add_body(spec, &d.body);
    tml_spec_add_body(spec, &d.body);
    CHECK_TEXT(tml_spec_message(spec), "body 'rod': the name is used twice");
    tml_spec_destroy(spec);

    spec = draft_add(&d);
    tml_spec_add_joint(spec, &d.joint);
    CHECK_TEXT(tml_spec_message(spec), "joint 'pin': the name is used twice");
    tml_spec_destroy(spec);

    // couplings and forces share their names, joints and bodies do not
    spec = draft_add(&d);
    d.wrench.name = "coil";
    CHECK(tml_spec_add_wrench(spec, &d.wrench) == TML_BAD_ARGUMENT);
    CHECK_TEXT(tml_spec_message(spec), "wrench 'coil': the name is used twice");
    tml_spec_destroy(spec);

    draft_start(&d);
    d.joint.name = "rod";
    spec = draft_add(&d);
    CHECK(tml_spec_status(spec) == TML_OK);
    tml_spec_destroy(spec);
}

TEST(elements_without_a_name_get_one)
{
    draft d;
    draft_start(&d);
    d.body.name = d.joint.name = d.coupling.name = NULL;
    d.spring.name = d.wrench.name = d.drag.name = NULL;
    tml_spec* spec = draft_add(&d);
    CHECK(tml_spec_status(spec) == TML_OK);
    CHECK(tml_spec_find_body(spec, "body0").index == 0);
    CHECK(tml_spec_find_body(spec, "world").index == -1);
    CHECK(tml_spec_find_body(spec, "nobody").index == -2);
    CHECK(tml_spec_find_joint(spec, "joint0").index == 0);
    CHECK(tml_spec_find_joint(spec, "world").index == -2);
    tml_spec_destroy(spec);
}

// ---- the first refusal counts

TEST(the_first_refusal_is_remembered)
{
    draft d;
    draft_start(&d);
    d.body.mass = -1.0;
    d.wrench.body.index = 44;
    tml_spec* spec = draft_add(&d);
    CHECK_CONTAINS(tml_spec_message(spec), "body 'rod'");
    tml_spec_destroy(spec);
}

TEST(a_name_of_any_length_fits_its_message)
{
    static char name[5000];
    memset(name, 'n', sizeof name - 1);
    draft d;
    draft_start(&d);
    d.body.name = name;
    d.body.mass = -1.0;
    tml_spec* spec = draft_add(&d);
    CHECK(strlen(tml_spec_message(spec)) > 500);
    tml_spec_destroy(spec);

    draft_start(&d);
    d.joint.name = name;
    rx(&d)->actuation = TML_FORCE;
    rx(&d)->control = tml_control_constant(not_a_number);
    spec = draft_add(&d);
    CHECK(tml_spec_status(spec) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "joint 'nnnn");
    tml_spec_destroy(spec);
}

// ---- what rounding in files must not spoil

TEST(slender_rods_and_rounded_quaternions_are_accepted)
{
    draft d;
    draft_start(&d);
    // a rod of zero thickness but for rounding, and a plate: one moment is the sum of the others
    const double moments[6] = {1e-9, 0.0833333333, 0.0833333333, 0.0, 0.0, 0.0};
    memcpy(d.body.inertia, moments, sizeof moments);
    d.body.pose.q = (tml_quat){0.7071068, 0.7071068, 0.0, 0.0};
    tml_spec* spec = draft_add(&d);
    CHECK(tml_spec_status(spec) == TML_OK);
    tml_spec_destroy(spec);

    draft_start(&d);
    const double plate[6] = {0.1, 0.2, 0.3000001, 0.0, 0.0, 0.0};
    memcpy(d.body.inertia, plate, sizeof plate);
    spec = draft_add(&d);
    CHECK(tml_spec_status(spec) == TML_OK);
    tml_spec_destroy(spec);
}

TEST(world_shapes_are_checked_too)
{
    tml_spec* spec = tml_spec_create();
    tml_shape_def shape = tml_shape_def_default();
    CHECK(tml_spec_add_world_shape(spec, &shape) == TML_OK);
    shape.size.x = not_a_number;
    CHECK(tml_spec_add_world_shape(spec, &shape) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "shape 1 of the world");
    tml_spec_destroy(spec);
}
