// scenes/machine.c - mechanisms that are driven: a robot arm, a slider-crank, gears.
#include "scenes/builders.h"
#include "scenes/parts.h"
#include "scenes/scenes.h"

static const double density = 2000.0;  // kg/m^3, between plastic and aluminium

// ---- the robot arm: hinges about z y y x y x, from the shoulder to the hand

enum {
    ARM_JOINTS = 6
};

// A control that starts and ends at rest: amplitude (1 - cos(2 pi f t)).
static tml_control back_and_forth(double amplitude, double frequency)
{
    return tml_control_sine(amplitude, amplitude, frequency, -1.57079632679489661923);
}

// A natural spline that also has no slope at its ends, because its second derivatives at the
// points are 0, a, -a, 0, -a, a, 0 with a = 1.2: there and back, at rest at both ends.
static const double wrist_times[7] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
static const double wrist_samples[7] = {0.0, 0.2, 1.0, 1.2, 1.0, 0.2, 0.0};

static tml_control arm_control(int joint)
{
    static const double amplitudes[ARM_JOINTS - 1] = {0.6, 0.35, -0.5, 0.4, 0.45};

    if (joint < ARM_JOINTS - 1) return back_and_forth(amplitudes[joint], (joint % 2 + 1) / 3.0);
    return (tml_control){TML_CONTROL_CUBIC, 0.0, 0.0, 0.0, 0.0, 7, wrist_times, wrist_samples};
}

// The link that follows a hinge. Its frame stands at the hinge; it reaches to the next one.
static tml_body add_arm_link(tml_spec* spec, int joint, tml_vec3 hinge, tml_vec3 next)
{
    static const char* const names[ARM_JOINTS] = {"turret",  "upper_arm", "forearm",
                                                  "wrist_1", "wrist_2",   "hand"};
    const double width = 0.11 - 0.012 * joint;
    const tml_vec3 reach = vec(next.x - hinge.x, next.y - hinge.y, next.z - hinge.z);
    const tml_vec3 middle = vec(0.5 * reach.x, 0.5 * reach.y, 0.5 * reach.z);
    tml_shape_def shapes[2] = {
        shape_box(vec(reach.x + width, width, reach.z + width), middle,
                  joint % 2 ? COLOR_LIGHT : COLOR_BLUE),
        shape_cylinder(0.55 * width, 1.2 * width, vec(0.0, 0.0, 0.0), turn_z_to_y(), COLOR_DARK)};
    const tml_body_def link = body_of(names[joint], shapes, 2, density, hinge);

    return tml_spec_add_body(spec, &link);
}

void scene_robot_arm(tml_spec* spec, tml_run_settings* settings)
{
    static const char* const names[ARM_JOINTS] = {"base", "shoulder", "elbow",
                                                  "roll", "pitch",    "twist"};
    static const tml_vec3 axes[ARM_JOINTS] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0},
                                              {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    static const tml_vec3 hinges[ARM_JOINTS + 1] = {
        {0.0, 0.0, 0.2},  {0.0, 0.0, 0.4},  {0.0, 0.0, 0.85}, {0.15, 0.0, 0.85},
        {0.4, 0.0, 0.85}, {0.5, 0.0, 0.85}, {0.6, 0.0, 0.85}};
    const tml_shape_def pedestal =
        shape_cylinder(0.12, 0.2, vec(0.0, 0.0, 0.1), turn_none(), COLOR_DARK);
    tml_body last = TML_WORLD;

    tml_spec_add_world_shape(spec, &pedestal);
    for (int i = 0; i < ARM_JOINTS; i++) {
        const tml_body body = add_arm_link(spec, i, hinges[i], hinges[i + 1]);
        tml_joint_def joint =
            joint_of(names[i], TML_JOINT_REVOLUTE, last, body, hinges[i], axes[i]);
        joint.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
        joint.axis_of[TML_AXIS_RX].control = arm_control(i);
        tml_spec_add_joint(spec, &joint);
        last = body;
    }
    run_for(settings, 0.005, 6.0);
}

// ---- the showcase: crank (hinge about x), rod (ball at the crank, cross at the slider), slider
//      along y. 3 bodies, 5 + 3 + 4 + 5 = 17 rows, one freedom: nothing is held twice.

static const tml_vec3 crank_centre = {0.0, 0.0, 1.5};
static const tml_vec3 crank_pin = {0.0, 0.25, 1.5};  // at load
// the rod is 1 m long and its slider runs 0.4 m beside the crank: y = 0.25 + sqrt(1 - 0.4^2)
static const tml_vec3 slider_start = {0.4, 1.16651513899116800, 1.5};

static tml_body add_crank(tml_spec* spec)
{
    tml_shape_def shapes[3] = {
        shape_cylinder(0.3, 0.03, vec(0.0, 0.0, 0.0), turn_z_to_x(), COLOR_RED),
        shape_sphere(0.035, vec(0.0, 0.25, 0.0), COLOR_LIGHT),
        shape_cylinder(0.03, 0.2, vec(-0.1, 0.0, 0.0), turn_z_to_x(), COLOR_DARK)};
    const tml_body_def crank = body_of("crank", shapes, 3, density, crank_centre);
    const tml_body body = tml_spec_add_body(spec, &crank);

    // a servo that follows 0.4 turns a second and pulls the crank up to speed; the chain by itself
    // would swing with 0.5 Hz, so it answers with wide swings that stay below the slider
    static const double times[2] = {0.0, 1000.0};
    static const double turns[2] = {0.0, 800.0 * 3.14159265358979323846};
    tml_joint_def motor =
        joint_of("motor", TML_JOINT_REVOLUTE, TML_WORLD, body, crank_centre, vec(1.0, 0.0, 0.0));
    motor.axis_of[TML_AXIS_RX].has_servo = 1;
    motor.axis_of[TML_AXIS_RX].servo_target =
        (tml_control){TML_CONTROL_TABLE, 0.0, 0.0, 0.0, 0.0, 2, times, turns};
    motor.axis_of[TML_AXIS_RX].servo_stiffness = 60.0;
    motor.axis_of[TML_AXIS_RX].servo_damping = 20.0;
    tml_spec_add_joint(spec, &motor);
    return body;
}

static tml_body add_slider(tml_spec* spec)
{
    tml_shape_def shapes[2] = {shape_box(vec(0.14, 0.2, 0.1), vec(0.0, 0.0, 0.0), COLOR_BLUE),
                               shape_sphere(0.04, vec(0.0, 0.0, -0.06), COLOR_LIGHT)};
    const tml_body_def slider = body_of("slider", shapes, 2, density, slider_start);
    const tml_body body = tml_spec_add_body(spec, &slider);
    const tml_joint_def rail =
        joint_of("rail", TML_JOINT_PRISMATIC, TML_WORLD, body, slider_start, vec(0.0, 1.0, 0.0));

    tml_spec_add_joint(spec, &rail);
    return body;
}

// Body y along the rod, from the pin to the slider.
static void add_rod(tml_spec* spec, tml_body crank, tml_body slider)
{
    const tml_vec3 along = vec(slider_start.x - crank_pin.x, slider_start.y - crank_pin.y, 0.0);
    const tml_vec3 middle = vec(crank_pin.x + 0.5 * along.x, crank_pin.y + 0.5 * along.y, 1.5);
    tml_shape_def shape = shape_capsule(0.02, 0.96, vec(0.0, 0.0, 0.0), turn_z_to_y(), COLOR_BRASS);
    tml_body_def rod = body_of("rod", &shape, 1, density, middle);

    // about -z by the angle whose sine is 0.4; half of it by sqrt((1 -+ cos)/2)
    rod.pose.q = (tml_quat){0.97890631293070329, 0.0, 0.0, -0.20430964368921992};
    const tml_body body = tml_spec_add_body(spec, &rod);

    const tml_joint_def ball =
        joint_of("ball", TML_JOINT_SPHERICAL, crank, body, crank_pin, vec(0.0, 0.0, 0.0));
    // turns about the vertical of the slider, then about the axis across the rod
    tml_joint_def cross_joint =
        joint_of("cross", TML_JOINT_UNIVERSAL, slider, body, slider_start, vec(0.0, 0.0, 0.0));
    cross_joint.has_axes = 1;
    cross_joint.axes[0] = vec(0.0, 0.0, 1.0);
    cross_joint.axes[1] = vec(-along.y, along.x, 0.0);
    cross_joint.axes[2] = vec(-along.x, -along.y, 0.0);
    tml_spec_add_joint(spec, &ball);
    tml_spec_add_joint(spec, &cross_joint);
}

static void add_hanging_chain(tml_spec* spec, tml_body slider)
{
    const tml_vec3 start = vec(slider_start.x, slider_start.y, slider_start.z - 0.1);
    const scene_chain chain = {"chain", 8,     TML_JOINT_SPHERICAL, 0.12, 0.014, 0.08,
                               slider,  start, CHAIN_HANGING};
    const tml_vec3 end = vec(start.x, start.y, start.z - 8 * 0.12);
    const tml_body last = scenes_add_chain(spec, &chain);
    tml_shape_def shape = shape_sphere(0.07, vec(0.0, 0.0, -0.07), COLOR_RED);
    const tml_body_def weight = body_of("weight", &shape, 1, density, end);
    const tml_body body = tml_spec_add_body(spec, &weight);
    const tml_joint_def hook =
        joint_of("hook", TML_JOINT_SPHERICAL, last, body, end, vec(0.0, 0.0, 0.0));

    tml_spec_add_joint(spec, &hook);
}

void scene_showcase(tml_spec* spec, tml_run_settings* settings)
{
    const tml_shape_def stand = shape_box(vec(0.12, 0.3, 1.6), vec(-0.26, 0.0, 0.8), COLOR_DARK);
    const tml_shape_def rail =
        shape_cylinder(0.02, 1.2, vec(0.4, 1.05, 1.56), turn_z_to_y(), COLOR_STEEL);

    tml_spec_add_world_shape(spec, &stand);
    tml_spec_add_world_shape(spec, &rail);
    const tml_body crank = add_crank(spec);
    const tml_body slider = add_slider(spec);
    add_rod(spec, crank, slider);
    add_hanging_chain(spec, slider);
    run_for(settings, 0.002, 10.0);
}

// ---- gears

// A wheel about z of which one spoke is heavy, so that gravity plays along.
static tml_body add_wheel(tml_spec* spec, const char* name, double radius, tml_vec3 centre)
{
    tml_shape_def shapes[3] = {
        shape_cylinder(radius, 0.03, vec(0.0, 0.0, 0.0), turn_none(), COLOR_BRASS),
        shape_box(vec(0.9 * radius, 0.2 * radius, 0.05), vec(0.5 * radius, 0.0, 0.0), COLOR_RED),
        shape_cylinder(0.02, 0.1, vec(0.0, 0.0, 0.0), turn_none(), COLOR_DARK)};
    const tml_body_def wheel = body_of(name, shapes, 3, density, centre);

    return tml_spec_add_body(spec, &wheel);
}

// Radii 0.2 and 0.1 m that roll on each other: 0.2 q_large + 0.1 q_small = 0.
void scene_gears(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 centres[2] = {vec(0.0, 0.0, 0.0), vec(0.3, 0.0, 0.0)};
    const tml_vec3 axis = vec(0.0, 0.0, 1.0);

    tml_spec_set_gravity(spec, vec(0.0, -9.81, 0.0));
    const tml_body large = add_wheel(spec, "large", 0.2, centres[0]);
    const tml_body small = add_wheel(spec, "small", 0.1, centres[1]);
    tml_joint_def shaft = joint_of("shaft", TML_JOINT_REVOLUTE, TML_WORLD, large, centres[0], axis);
    const tml_joint_def axle =
        joint_of("axle", TML_JOINT_REVOLUTE, TML_WORLD, small, centres[1], axis);

    shaft.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    shaft.axis_of[TML_AXIS_RX].control = tml_control_sine(0.0, 3.0, 0.5, 0.0);
    shaft.axis_of[TML_AXIS_RX].damping = 0.05;
    const tml_joint a = tml_spec_add_joint(spec, &shaft);
    const tml_joint b = tml_spec_add_joint(spec, &axle);
    const tml_coupling_term terms[2] = {{a, TML_AXIS_RX, 1, {0.2}}, {b, TML_AXIS_RX, 1, {0.1}}};
    tml_coupling_def mesh = tml_coupling_def_default();

    mesh.name = "teeth";
    mesh.term_count = 2;
    mesh.terms = terms;
    tml_spec_add_coupling(spec, &mesh);
    run_for(settings, 0.002, 10.0);
}
