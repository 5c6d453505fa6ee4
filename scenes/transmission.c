// scenes/transmission.c - gears and racks: couplings between the coordinates of joints.
#include "scenes/builders.h"
#include "scenes/links.h"

#include <stdio.h>

static const double density = 2000.0;  // kg/m^3
static const tml_vec3 none = {0.0, 0.0, 0.0};
static const tml_vec3 y_axis = {0.0, 1.0, 0.0};
static const tml_vec3 z_axis = {0.0, 0.0, 1.0};

// c_a q_a + c_b q_b = 0.
static void tie(tml_spec* spec, const char* name, tml_coupling_term a, tml_coupling_term b)
{
    const tml_coupling_term terms[2] = {a, b};
    tml_coupling_def coupling = tml_coupling_def_default();

    coupling.name = name;
    coupling.term_count = 2;
    coupling.terms = terms;
    tml_spec_add_coupling(spec, &coupling);
}

static tml_coupling_term turning(double coefficient, tml_joint joint)
{
    return (tml_coupling_term){joint, TML_AXIS_RX, 1, {coefficient}};
}

static tml_coupling_term sliding(double coefficient, tml_joint joint)
{
    return (tml_coupling_term){joint, TML_AXIS_TX, 1, {coefficient}};
}

// ---- a gear train 1 : 27 that lifts a weight on a rack, and a crossed belt from the first shaft to
//      the last one that says the same once more: 5 bodies, 25 + 5 rows, one of them redundant.

enum {
    TRAIN_SHAFTS = 4
};

static const double pinion = 0.04;  // m
static const double wheel = 0.12;   // m

static tml_body add_shaft(tml_spec* spec, int index, tml_vec3 centre)
{
    const tml_quat lying = turn_z_to_y();
    char name[32];
    tml_shape_def shapes[3] = {
        shape_cylinder(pinion, 0.05, vec(0.0, 0.05, 0.0), lying, COLOR_STEEL),
        shape_box(vec(0.06, 0.052, 0.012), vec(0.0, 0.05, 0.0), COLOR_DARK),
        shape_cylinder(wheel, 0.03, none, lying, COLOR_BRASS)};

    snprintf(name, sizeof name, "shaft.%d", index);
    const tml_body_def shaft = body_of(name, shapes, index == 0 ? 2 : 3, density, centre);
    return tml_spec_add_body(spec, &shaft);
}

static tml_joint add_bearing(tml_spec* spec, int index, tml_body shaft, tml_vec3 centre)
{
    char name[32];

    snprintf(name, sizeof name, "bearing.%d", index);
    tml_joint_def bearing = joint_of(name, TML_JOINT_REVOLUTE, TML_WORLD, shaft, centre, y_axis);
    bearing.axis_of[TML_AXIS_RX].damping = 1e-3;
    if (index == 0) {
        // what balances the weight through the train, and a little more that comes and goes
        const double hold = 9.81 * density * 0.1 * 0.1 * 0.4 * pinion / 27.0;
        bearing.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
        bearing.axis_of[TML_AXIS_RX].control = tml_control_sine(hold, 0.2 * hold, 0.5, 0.0);
    }
    return tml_spec_add_joint(spec, &bearing);
}

void scene_gear_train(tml_spec* spec, tml_run_settings* settings)
{
    tml_joint bearing[TRAIN_SHAFTS] = {{0}};
    tml_vec3 centre = none;

    for (int i = 0; i < TRAIN_SHAFTS; i++) {
        const tml_body shaft = add_shaft(spec, i, centre);
        bearing[i] = add_bearing(spec, i, shaft, centre);
        centre = sum(centre, vec(wheel + pinion, 0.05, 0.0));
    }

    // the rack hangs at the far side of the last pinion
    const tml_vec3 place =
        vec((TRAIN_SHAFTS - 1) * (wheel + pinion) + pinion + 0.05, 0.05 * TRAIN_SHAFTS, 0.0);
    tml_shape_def bar = shape_box(vec(0.1, 0.1, 0.4), none, COLOR_BLUE);
    const tml_body_def weight = body_of("rack", &bar, 1, density, place);
    const tml_body rack = tml_spec_add_body(spec, &weight);
    const tml_joint guide =
        add_joint(spec, "guide", TML_JOINT_PRISMATIC, TML_WORLD, rack, place, z_axis);

    for (int i = 0; i + 1 < TRAIN_SHAFTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "mesh.%d", i);
        tie(spec, name, turning(pinion, bearing[i]), turning(wheel, bearing[i + 1]));
    }
    // a turn about y moves the far side of the pinion down
    tie(spec, "teeth", sliding(1.0, guide), turning(pinion, bearing[TRAIN_SHAFTS - 1]));
    tie(spec, "belt", turning(pinion / 9.0, bearing[0]),
        turning(3.0 * pinion, bearing[TRAIN_SHAFTS - 1]));
    run_for(settings, 0.005, 10.0);
}

// ---- steering: a driven pinion shifts a rack, whose two tie rods turn the wheels. 6 bodies, 36
//      rows, rank 36.

static void add_steered_wheel(tml_spec* spec, const char* side, double y, tml_body rack)
{
    static const char* const parts[5] = {"wheel", "tie_rod", "kingpin", "cross", "ball"};
    const double out = y > 0.0 ? 1.0 : -1.0;
    const tml_vec3 pin = vec(0.0, y, 0.0);
    const tml_vec3 arm_end = vec(-0.12, y - 0.03 * out, 0.0);
    const tml_vec3 rack_end = vec(-0.15, 0.3 * out, 0.02);
    char names[5][32];
    tml_shape_def shapes[3] = {
        shape_cylinder(0.25, 0.12, vec(0.0, 0.1 * out, 0.0), turn_z_to_y(), COLOR_DARK),
        shape_strut(0.02, none, vec(0.0, 0.1 * out, 0.0), COLOR_STEEL),
        shape_strut(0.015, none, minus(arm_end, pin), COLOR_STEEL)};

    for (int i = 0; i < 5; i++) snprintf(names[i], sizeof names[i], "%s.%s", side, parts[i]);
    const tml_body_def def = body_of(names[0], shapes, 3, 500.0, pin);
    const link_def rod_def = link_between(names[1], rack_end, arm_end, 0.01, COLOR_BRASS);
    const tml_body knuckle = tml_spec_add_body(spec, &def);
    const tml_body rod = add_link(spec, &rod_def);
    add_hinge(spec, names[2], TML_WORLD, knuckle, pin, z_axis);
    add_cross(spec, names[3], rack, rod, rack_end, minus(arm_end, rack_end));
    add_joint(spec, names[4], TML_JOINT_SPHERICAL, rod, knuckle, arm_end, none);
}

void scene_rack_and_pinion(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 place = vec(-0.15, 0.0, 0.02);
    const tml_vec3 column = vec(-0.19, 0.0, 0.02);
    const double radius = 0.02;
    tml_shape_def bar = shape_strut(0.02, vec(0.0, -0.3, 0.0), vec(0.0, 0.3, 0.0), COLOR_BLUE);
    tml_shape_def gear[2] = {
        shape_cylinder(radius, 0.05, none, turn_none(), COLOR_BRASS),
        shape_cylinder(0.008, 0.3, vec(0.0, 0.0, 0.15), turn_none(), COLOR_RED)};
    const tml_body_def rack_def = body_of("rack", &bar, 1, density, place);
    const tml_body_def pinion_def = body_of("pinion", gear, 2, density, column);
    const tml_body rack = tml_spec_add_body(spec, &rack_def);
    const tml_body gear_body = tml_spec_add_body(spec, &pinion_def);
    const tml_joint guide =
        add_joint(spec, "guide", TML_JOINT_PRISMATIC, TML_WORLD, rack, place, y_axis);
    const tml_joint motor =
        add_motor(spec, "column", TML_WORLD, gear_body, column, z_axis, swing(1.2, 0.5));

    // the rack lies in front of the pinion, at +x: a turn about z moves it along +y
    tie(spec, "teeth", sliding(1.0, guide), turning(-radius, motor));
    add_steered_wheel(spec, "left", 0.6, rack);
    add_steered_wheel(spec, "right", -0.6, rack);
    run_for(settings, 0.005, 8.0);
}
