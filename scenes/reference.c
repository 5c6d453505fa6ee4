// scenes/reference.c - cases whose motion is known in closed form or to twelve digits.
//
// Body frames stand at the centres of mass wherever a known solution gives those, so that a
// recording can be compared column by column. Sines and cosines are written out, so that the
// scenes are the same bits everywhere.
#include "scenes/builders.h"
#include "scenes/parts.h"

// ---- pendulums: uniform rods of 1 m and 1 kg, body x along the rod, hinges about z, gravity -y

static tml_body_def rod(const char* name, tml_vec3 centre, const tml_shape_def* shape)
{
    tml_body_def body = body_at(name, 1.0, vec(1e-3, 1.0 / 12.0, 1.0 / 12.0), centre);

    body.shapes = shape;
    body.shape_count = 1;
    return body;
}

static tml_shape_def rod_shape(int color)
{
    return shape_capsule(0.02, 0.96, vec(0.0, 0.0, 0.0), turn_z_to_x(), color);
}

void scene_pendulum(tml_spec* spec, tml_run_settings* settings)
{
    const tml_shape_def shape = rod_shape(COLOR_BRASS);
    const tml_body_def body = rod("rod", vec(0.5, 0.0, 0.0), &shape);

    tml_spec_set_gravity(spec, vec(0.0, -9.81, 0.0));
    const tml_body follower = tml_spec_add_body(spec, &body);
    const tml_joint_def hinge = joint_of("hinge", TML_JOINT_REVOLUTE, TML_WORLD, follower,
                                         vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    tml_spec_add_joint(spec, &hinge);
    run_for(settings, 0.01, 10.0);
}

void scene_double_pendulum(tml_spec* spec, tml_run_settings* settings)
{
    // the second rod leans pi/6 above the first: 2 pi/3 from the downward vertical
    static const double cos_15 = 0.96592582628906828675;
    static const double sin_15 = 0.25881904510252076235;
    static const double cos_30 = 0.86602540378443864676;
    const tml_shape_def shapes[2] = {rod_shape(COLOR_BRASS), rod_shape(COLOR_BLUE)};
    const tml_body_def upper = rod("upper", vec(0.5, 0.0, 0.0), &shapes[0]);
    tml_body_def lower = rod("lower", vec(1.0 + 0.5 * cos_30, 0.25, 0.0), &shapes[1]);

    tml_spec_set_gravity(spec, vec(0.0, -9.81, 0.0));
    lower.pose.q = (tml_quat){cos_15, 0.0, 0.0, sin_15};
    const tml_body a = tml_spec_add_body(spec, &upper);
    const tml_body b = tml_spec_add_body(spec, &lower);
    const tml_joint_def shoulder = joint_of("shoulder", TML_JOINT_REVOLUTE, TML_WORLD, a,
                                            vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    const tml_joint_def elbow =
        joint_of("elbow", TML_JOINT_REVOLUTE, a, b, vec(1.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    tml_spec_add_joint(spec, &shoulder);
    tml_spec_add_joint(spec, &elbow);
    run_for(settings, 0.001, 3.0);
}

// Large angles per step: a step of 0.01 s turns the rod by 10 degrees.              [QRBD Fig 6]
void scene_free_pendulum(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 omega = vec(0.0, 0.0, 17.453292519943295769);
    const tml_shape_def shape = rod_shape(COLOR_GREEN);
    tml_body_def body = rod("rod", vec(0.5, 0.0, 0.0), &shape);

    tml_spec_set_gravity(spec, vec(0.0, 0.0, 0.0));
    body.velocity = spin_about(vec(0.0, 0.0, 0.0), omega, body.pose.p);
    const tml_body follower = tml_spec_add_body(spec, &body);
    const tml_joint_def hinge = joint_of("hinge", TML_JOINT_REVOLUTE, TML_WORLD, follower,
                                         vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    tml_spec_add_joint(spec, &hinge);
    run_for(settings, 0.01, 2.0);
}

// R = Rx(0.6) Ry(0.4), rates 1 and -2 rad/s. The joint's axes are the world's in the base and the
// body's in the follower, so that its coordinates are the two angles.
void scene_universal_pendulum(tml_spec* spec, tml_run_settings* settings)
{
    static const double sin_a = 0.5646424733950353572;  // of 0.6
    static const double cos_a = 0.82533561490967829724;
    static const double sin_b = 0.38941834230865049167;  // of 0.4
    static const double cos_b = 0.9210609940028850828;
    const tml_vec3 origin = vec(0.0, 0.0, 0.0);
    const tml_quat half_a = {0.95533648912560601964, 0.29552020666133957511, 0.0, 0.0};
    const tml_quat half_b = {0.98006657784124163112, 0.0, 0.19866933079506121546, 0.0};
    const tml_quat q = {half_a.w * half_b.w, half_a.x * half_b.w, half_a.w * half_b.y,
                        half_a.x * half_b.y};
    const tml_vec3 centre = rotate(q, vec(0.05, -0.02, -0.4));
    const tml_shape_def shapes[2] = {
        shape_box(vec(0.12, 0.1, 0.3), origin, COLOR_BLUE),
        shape_capsule(0.015, 0.4, vec(-0.025, 0.01, 0.2), turn_none(), COLOR_STEEL)};
    tml_body_def body = body_at("bob", 1.5, vec(0.03, 0.05, 0.02), centre);

    body.pose.q = q;
    body.velocity = spin_about(origin, vec(1.0, -2.0 * cos_a, -2.0 * sin_a), centre);
    body.shapes = shapes;
    body.shape_count = 2;
    const tml_body follower = tml_spec_add_body(spec, &body);

    tml_joint_def joint =
        joint_of("cross", TML_JOINT_UNIVERSAL, TML_WORLD, follower, origin, origin);
    joint.has_follower_frame = 1;
    joint.follower_position = origin;
    joint.has_follower_axes = 1;
    joint.follower_axes[0] = vec(cos_b, sin_a * sin_b, -cos_a * sin_b);
    joint.follower_axes[1] = vec(0.0, cos_a, sin_a);
    joint.follower_axes[2] = vec(sin_b, -sin_a * cos_b, cos_a * cos_b);
    tml_spec_add_joint(spec, &joint);
    run_for(settings, 0.005, 5.0);
}

// ---- turning bodies

void scene_t_handle(tml_spec* spec, tml_run_settings* settings)
{
    const tml_shape_def shapes[2] = {
        shape_cylinder(0.01, 0.1, vec(0.0, -0.01, 0.0), turn_z_to_x(), COLOR_STEEL),
        shape_cylinder(0.01, 0.06, vec(0.0, 0.03, 0.0), turn_z_to_y(), COLOR_RED)};
    tml_body_def body = body_at("handle", 0.5, vec(1.2e-4, 2.4e-4, 3.4e-4), vec(0.0, 0.0, 0.0));

    tml_spec_set_gravity(spec, vec(0.0, 0.0, 0.0));
    body.velocity.angular = vec(0.1, 15.0, 0.1);
    body.shapes = shapes;
    body.shape_count = 2;
    tml_spec_add_body(spec, &body);
    run_for(settings, 0.001, 10.0);
}

// The tip rests at the origin; the axis leans 5 degrees about x.
void scene_heavy_top(tml_spec* spec, tml_run_settings* settings)
{
    static const double sin_5 = 0.087155742747658173558;
    static const double cos_5 = 0.9961946980917455323;
    const tml_vec3 origin = vec(0.0, 0.0, 0.0);
    const tml_shape_def shapes[2] = {
        shape_cylinder(0.03, 0.012, origin, turn_none(), COLOR_BRASS),
        shape_capsule(0.003, 0.074, vec(0.0, 0.0, 0.0), turn_none(), COLOR_STEEL)};
    tml_body_def body =
        body_at("top", 0.2, vec(8e-5, 8e-5, 1e-4), vec(0.0, -0.04 * sin_5, 0.04 * cos_5));

    body.pose.q = (tml_quat){0.9990482215818577624, 0.043619387365335999782, 0.0, 0.0};
    body.velocity.angular = vec(0.0, -250.0 * sin_5, 250.0 * cos_5);  // along the axis
    body.shapes = shapes;
    body.shape_count = 2;
    const tml_body follower = tml_spec_add_body(spec, &body);
    const tml_joint_def tip =
        joint_of("tip", TML_JOINT_SPHERICAL, TML_WORLD, follower, origin, origin);
    tml_spec_add_joint(spec, &tip);
    run_for(settings, 0.0001, 2.0);
}

void scene_heavy_top_150(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 origin = vec(0.0, 0.0, 0.0);
    const tml_shape_def shapes[2] = {
        shape_cylinder(0.25, 0.1, origin, turn_z_to_y(), COLOR_RED),
        shape_capsule(0.02, 0.96, vec(0.0, -0.5, 0.0), turn_z_to_y(), COLOR_STEEL)};
    tml_body_def body = body_at("top", 15.0, vec(0.234375, 0.46875, 0.234375), vec(0.0, 1.0, 0.0));

    body.velocity = spin_about(origin, vec(0.0, 150.0, -4.61538), body.pose.p);
    body.shapes = shapes;
    body.shape_count = 2;
    const tml_body follower = tml_spec_add_body(spec, &body);
    const tml_joint_def tip =
        joint_of("tip", TML_JOINT_SPHERICAL, TML_WORLD, follower, origin, origin);
    tml_spec_add_joint(spec, &tip);
    run_for(settings, 0.0002, 2.0);
}

// ---- the flyball governor: stiff spring-dampers between the slider and the middle of each rod

typedef struct governor {
    tml_body shaft, slider;
    double side;  // +1 or -1, the side of the shaft that a rod hangs on
} governor;

// A rod with a ball of 5 kg at its end: 0.3 kg over 1 x 0.01 x 0.01 m and a point mass. The frame
// stands in the middle of the rod, where the spring pulls.
static tml_body add_governor_rod(tml_spec* spec, const governor* g, const char* name)
{
    static const double cos_15 = 0.96592582628906828675;
    static const double sin_15 = 0.25881904510252076235;
    static const double cos_30 = 0.86602540378443864676;
    const double com = 5.0 * 0.5 / 5.3;  // from the middle of the rod
    const double axial = 0.3 * 2e-4 / 12.0;
    const double across =
        0.3 * (1.0 + 1e-4) / 12.0 + 0.3 * com * com + 5.0 * (0.5 - com) * (0.5 - com);
    const tml_shape_def shapes[2] = {
        shape_box(vec(1.0, 0.01, 0.01), vec(0.0, 0.0, 0.0), COLOR_STEEL),
        shape_sphere(0.07, vec(0.5, 0.0, 0.0), COLOR_RED)};
    tml_body_def body = body_at(name, 5.3, vec(axial, across, across),
                                vec(g->side * (0.05 + 0.5 * cos_30), 0.0, 0.75));

    body.com = vec(com, 0.0, 0.0);
    // 30 degrees below the horizontal, away from the shaft
    body.pose.q = g->side > 0.0 ? (tml_quat){cos_15, 0.0, sin_15, 0.0}
                                : (tml_quat){0.0, -sin_15, 0.0, cos_15};
    body.velocity =
        spin_about(vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 6.2831853071795864769), body.pose.p);
    body.shapes = shapes;
    body.shape_count = 2;
    return tml_spec_add_body(spec, &body);
}

static void add_governor_side(tml_spec* spec, const governor* g)
{
    const int is_right = g->side > 0.0;
    const tml_body rod_body = add_governor_rod(spec, g, is_right ? "right" : "left");
    const tml_joint_def hinge =
        joint_of(is_right ? "right_hinge" : "left_hinge", TML_JOINT_REVOLUTE, g->shaft, rod_body,
                 vec(0.05 * g->side, 0.0, 1.0), vec(0.0, 1.0, 0.0));
    const tml_point ends[2] = {{g->slider, vec(0.05 * g->side, 0.0, 0.0)},
                               {rod_body, vec(0.0, 0.0, 0.0)}};
    tml_spring_def spring = tml_spring_def_default();

    tml_spec_add_joint(spec, &hinge);
    spring.name = is_right ? "right_spring" : "left_spring";
    spring.point_count = 2;
    spring.points = ends;
    spring.stiffness = 8e5;
    spring.damping = 4e4;
    spring.rest_length = 0.5;
    tml_spec_add_spring(spec, &spring);
}

void scene_flyball_governor(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 origin = vec(0.0, 0.0, 0.0);
    const tml_vec3 up = vec(0.0, 0.0, 1.0);
    const tml_vec3 omega = vec(0.0, 0.0, 6.2831853071795864769);
    const double across = 0.3 * (1.0 + 1e-4) / 12.0;
    const tml_shape_def bar = shape_box(vec(0.01, 0.01, 1.0), origin, COLOR_DARK);
    const tml_shape_def cube = shape_box(vec(0.1, 0.1, 0.1), origin, COLOR_BRASS);
    tml_body_def shaft =
        body_at("shaft", 0.3, vec(across, across, 0.3 * 2e-4 / 12.0), vec(0.0, 0.0, 0.5));
    tml_body_def slider = body_at("slider", 3.0, vec(0.005, 0.005, 0.005), vec(0.0, 0.0, 0.5));
    governor g;

    shaft.shapes = &bar;
    slider.shapes = &cube;
    shaft.shape_count = slider.shape_count = 1;
    shaft.velocity.angular = slider.velocity.angular = omega;
    g.shaft = tml_spec_add_body(spec, &shaft);
    g.slider = tml_spec_add_body(spec, &slider);

    const tml_joint_def bearing =
        joint_of("bearing", TML_JOINT_REVOLUTE, TML_WORLD, g.shaft, origin, up);
    const tml_joint_def guide =
        joint_of("guide", TML_JOINT_PRISMATIC, g.shaft, g.slider, slider.pose.p, up);
    tml_spec_add_joint(spec, &bearing);
    tml_spec_add_joint(spec, &guide);
    g.side = 1.0;
    add_governor_side(spec, &g);
    g.side = -1.0;
    add_governor_side(spec, &g);
    run_for(settings, 0.001, 10.0);
}
