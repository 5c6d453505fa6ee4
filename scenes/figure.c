// scenes/figure.c - the modules of large figures. See figure.h for what each counts.
#include "scenes/figure.h"

#include <math.h>
#include <stdio.h>

enum {
    NAME_LENGTH = 64
};
static const double motor_frequency = 0.5;  // Hz
static const double lightest = 3e-4;        // kg
static const double heaviest = 10.0;        // kg

// ---- masses

// lightest (heaviest/lightest)^u for u uniform in [0, 1). Each binary digit of u contributes a root
// of the one before, so that square roots are all that is needed.
static double next_mass(figure* f)
{
    double mass = lightest;
    double factor = heaviest / lightest;

    // a linear congruence modulo 2^64; its high bits are the good ones
    f->random = f->random * 6364136223846793005u + 1442695040888963407u;
    for (int bit = 63; bit >= 32; bit--) {
        factor = sqrt(factor);
        if ((f->random >> bit) & 1u) mass *= factor;
    }
    return mass;
}

// ---- bodies

static void join(char name[NAME_LENGTH], const char* first, const char* second)
{
    snprintf(name, NAME_LENGTH, "%s.%s", first, second);
}

// A cylinder from a to b, and an arm from a to `arm`, which weighs nothing.
typedef struct rod_def {
    const char* name;
    tml_vec3 a, b, axis;
    double radius;
    int color;
    tml_vec3 arm;  // equal to a: none
} rod_def;

static tml_vec3 to_body(const tml_pose* pose, tml_vec3 point)
{
    const tml_quat back = {pose->q.w, -pose->q.x, -pose->q.y, -pose->q.z};
    return rotate(back, minus(point, pose->p));
}

// Body x along the rod, body z as near to the axis of its hinges as can be.
static tml_quat turn_rod(const rod_def* def)
{
    const tml_vec3 along = unit_of(minus(def->b, def->a));
    const int is_parallel = fabs(dot_of(along, def->axis)) > 0.99;

    return turn_axes(along, across_of(along, is_parallel ? farthest_axis(along) : def->axis));
}

static tml_body add_rod(figure* f, const rod_def* def)
{
    const double length = length_of(minus(def->b, def->a));
    const double mass = next_mass(f);
    const double r2 = def->radius * def->radius;
    const double across = mass * (3.0 * r2 + length * length) / 12.0;
    tml_body_def body =
        body_at(def->name, mass, vec(0.5 * mass * r2, across, across), middle_of(def->a, def->b));
    tml_shape_def shapes[2];

    body.pose.q = turn_rod(def);
    shapes[0] = shape_capsule(def->radius, length, vec(0.0, 0.0, 0.0), turn_z_to_x(), def->color);
    body.shapes = shapes;
    body.shape_count = 1;
    if (length_of(minus(def->arm, def->a)) > 0.0) {
        shapes[1] = shape_strut(0.5 * def->radius, to_body(&body.pose, def->a),
                                to_body(&body.pose, def->arm), COLOR_DARK);
        body.shape_count = 2;
    }
    return tml_spec_add_body(f->spec, &body);
}

static tml_body add_limb(figure* f, const limb_def* def, tml_vec3 arm)
{
    const rod_def rod = {def->name, def->hinge, def->tip, def->axis, def->radius, def->color, arm};
    return add_rod(f, &rod);
}

tml_body figure_add_box(figure* f, const char* name, tml_vec3 centre, tml_vec3 size, int color)
{
    const double mass = next_mass(f);
    const tml_vec3 square = vec(size.x * size.x, size.y * size.y, size.z * size.z);
    const tml_shape_def shape = shape_box(size, vec(0.0, 0.0, 0.0), color);
    tml_body_def body = body_at(
        name, mass,
        scaled_by(mass / 12.0, vec(square.y + square.z, square.z + square.x, square.x + square.y)),
        centre);

    body.shapes = &shape;
    body.shape_count = 1;
    return tml_spec_add_body(f->spec, &body);
}

// ---- modules

tml_body figure_add_bracket(figure* f, const char* name, tml_body base, tml_vec3 centre,
                            tml_vec3 size, int color)
{
    const tml_body body = figure_add_box(f, name, centre, size, color);
    char joint[NAME_LENGTH];

    join(joint, name, "bolt");
    add_joint(f->spec, joint, TML_JOINT_FIXED, base, body, centre, vec(0.0, 0.0, 0.0));
    return body;
}

limb figure_add_hinge(figure* f, const limb_def* def)
{
    const tml_body body = add_limb(f, def, def->hinge);
    char joint[NAME_LENGTH];

    join(joint, def->name, "motor");
    add_motor(f->spec, joint, def->base, body, def->hinge, def->axis,
              swing(def->amplitude, motor_frequency));
    return (limb){def->base, body, def->hinge, def->axis, def->amplitude};
}

// The four points of a loop at load. Both arms stand across the line from hinge to crank; the crank
// is the shorter one, so that it could turn further than the limb.
typedef struct loop_points {
    tml_vec3 crank_tip, limb_tip;
} loop_points;

static loop_points arms_of(const limb_def* def, tml_vec3 crank)
{
    const tml_vec3 ground = minus(crank, def->hinge);
    const tml_vec3 side = cross(def->axis, ground);  // as long as the ground

    return (loop_points){sum(crank, scaled_by(0.3, side)), sum(def->hinge, scaled_by(0.36, side))};
}

// A crank on the base with its motor.
static tml_body add_crank(figure* f, const limb_def* def, tml_vec3 pivot, tml_vec3 tip,
                          tml_vec3 axis)
{
    char name[NAME_LENGTH];

    join(name, def->name, "crank");
    const rod_def crank = {name, pivot, tip, axis, 0.4 * def->radius, COLOR_RED, pivot};
    const tml_body body = add_rod(f, &crank);
    join(name, def->name, "motor");
    add_motor(f->spec, name, def->base, body, pivot, axis, swing(def->amplitude, motor_frequency));
    return body;
}

limb figure_add_rod(figure* f, const limb_def* def, tml_vec3 crank)
{
    const loop_points p = arms_of(def, crank);
    const tml_vec3 ground = unit_of(minus(crank, def->hinge));
    // leaning towards the ground line makes the loop spatial; it stays across the crank
    const tml_vec3 crank_axis = unit_of(sum(def->axis, scaled_by(0.3, ground)));
    char name[NAME_LENGTH];

    const tml_body body = add_limb(f, def, p.limb_tip);
    const tml_body crank_body = add_crank(f, def, crank, p.crank_tip, crank_axis);
    join(name, def->name, "rod");
    const rod_def rod_of = {name,        p.crank_tip, p.limb_tip, def->axis, 0.3 * def->radius,
                            COLOR_STEEL, p.crank_tip};
    const tml_body rod = add_rod(f, &rod_of);
    join(name, def->name, "cross");
    add_cross(f->spec, name, crank_body, rod, p.crank_tip, minus(p.limb_tip, p.crank_tip));
    join(name, def->name, "ball");
    add_joint(f->spec, name, TML_JOINT_SPHERICAL, rod, body, p.limb_tip, vec(0.0, 0.0, 0.0));
    join(name, def->name, "hinge");
    add_hinge(f->spec, name, def->base, body, def->hinge, def->axis);
    return (limb){def->base, body, def->hinge, def->axis, 0.0};
}

limb figure_add_four_bar(figure* f, const limb_def* def, tml_vec3 crank)
{
    const loop_points p = arms_of(def, crank);
    char name[NAME_LENGTH];

    const tml_body body = add_limb(f, def, p.limb_tip);
    const tml_body crank_body = add_crank(f, def, crank, p.crank_tip, def->axis);
    join(name, def->name, "coupler");
    const rod_def coupler_of = {name,        p.crank_tip, p.limb_tip, def->axis, 0.3 * def->radius,
                                COLOR_STEEL, p.crank_tip};
    const tml_body coupler = add_rod(f, &coupler_of);
    join(name, def->name, "crank_pin");
    add_hinge(f->spec, name, crank_body, coupler, p.crank_tip, def->axis);
    join(name, def->name, "limb_pin");
    add_hinge(f->spec, name, coupler, body, p.limb_tip, def->axis);
    join(name, def->name, "hinge");
    add_hinge(f->spec, name, def->base, body, def->hinge, def->axis);
    return (limb){def->base, body, def->hinge, def->axis, 0.0};
}

// A hinge with or without a motor.
static void add_maybe_motor(figure* f, const char* name, tml_joint_def joint, int is_driven,
                            double amplitude)
{
    joint.name = name;
    if (is_driven) {
        joint.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
        joint.axis_of[TML_AXIS_RX].control = swing(amplitude, motor_frequency);
    }
    tml_spec_add_joint(f->spec, &joint);
}

limb figure_add_coupled(figure* f, const limb* before, const limb_def* def, double aside,
                        coupled_drive drive)
{
    const tml_vec3 axis = before->axis;
    const tml_vec3 side = scaled_by(aside, unit_of(cross(axis, minus(def->hinge, before->hinge))));
    const tml_vec3 rod_base = sum(before->hinge, side);
    const tml_vec3 rod_tip = sum(def->hinge, side);
    const double angle = before->amplitude;
    char name[NAME_LENGTH];

    const tml_body body = add_limb(f, def, rod_tip);
    join(name, def->name, "rod");
    const rod_def rod_of = {name,        rod_base, rod_tip, axis, 0.3 * def->radius,
                            COLOR_STEEL, rod_base};
    const tml_body rod = add_rod(f, &rod_of);
    join(name, def->name, "hinge");
    add_maybe_motor(f, name, joint_of("", TML_JOINT_REVOLUTE, before->body, body, def->hinge, axis),
                    (drive & COUPLED_HINGE) != 0, -angle);
    join(name, def->name, "rod_base");
    add_maybe_motor(f, name, joint_of("", TML_JOINT_REVOLUTE, before->base, rod, rod_base, axis),
                    (drive & COUPLED_ROD) != 0, angle);
    join(name, def->name, "rod_tip");
    add_hinge(f->spec, name, rod, body, rod_tip, axis);
    return (limb){before->body, body, def->hinge, axis, -angle};
}
