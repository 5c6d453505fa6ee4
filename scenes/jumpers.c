// scenes/jumpers.c - small robots and a figure that touch the ground.                 [DCON Sec VII]
//
// The worm and the catapult follow the paper's description in a vertical plane, x to the right and
// z up; bodies are solid boxes of water, where the paper's script leaves every inertia at one.
#include "scenes/builders.h"
#include "scenes/touching.h"

#include <stdio.h>

static const tml_vec3 origin = {0.0, 0.0, 0.0};
static const tml_vec3 sideways = {0.0, 1.0, 0.0};

// A body that may only shift in the plane.
static void hold_in_plane(tml_spec* spec, const char* name, tml_body body, tml_vec3 at)
{
    tml_joint_def plane = joint_of(name, TML_JOINT_RECTANGULAR, TML_WORLD, body, at, origin);
    plane.has_axes = 1;
    plane.collide = 1;  // the world is also the floor
    plane.axes[0] = vec(1.0, 0.0, 0.0);
    plane.axes[1] = vec(0.0, 0.0, 1.0);
    plane.axes[2] = vec(0.0, -1.0, 0.0);
    tml_spec_add_joint(spec, &plane);
}

// Three links of 0.05 x 0.25 from a point, each along its direction, hinged one to the next.
static void add_arm(tml_spec* spec, const char* name, tml_body base, tml_vec3 from,
                    const tml_vec3 along[3], double torque)
{
    tml_body last = base;
    for (int i = 0; i < 3; i++) {
        char text[32];
        const tml_vec3 end = sum(from, scaled_by(0.25, along[i]));
        const tml_shape_def shape =
            rough(shape_box(vec(0.25, 0.05, 0.05), origin, COLOR_GREEN), 0.8, 0.0);
        snprintf(text, sizeof text, "%s.%d", name, i);
        const tml_velocity rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        const tml_body link =
            add_solid_body(spec, text, shape, 1000.0,
                           (tml_pose){middle_of(from, end),
                                      turn_axes(along[i], across_of(along[i], vec(0.0, 0.0, 1.0)))},
                           rest);
        snprintf(text, sizeof text, "%s.hinge.%d", name, i);
        tml_joint_def hinge = joint_of(text, TML_JOINT_REVOLUTE, last, link, from, sideways);
        tml_joint_axis* axis = &hinge.axis_of[TML_AXIS_RX];
        axis->actuation = TML_FORCE;
        axis->control = tml_control_sine(0.0, torque, 1.5, 0.0);
        axis->damping = 0.05;
        tml_spec_add_joint(spec, &hinge);
        last = link;
        from = end;
    }
}

void scene_jump_worm(tml_spec* spec, tml_run_settings* settings)
{
    const double slant = 0.7071067811865476;
    const tml_vec3 along[3] = {{1.0, 0.0, 0.001}, {0.6, 0.0, 0.8}, {slant, 0.0, -slant}};
    tml_vec3 unit[3];
    for (int i = 0; i < 3; i++) unit[i] = unit_of(along[i]);

    add_floor(spec, 0.8);
    const tml_vec3 at = vec(0.0, 0.0, 0.1);
    const tml_body root = add_resting_body(
        spec, "root", rough(shape_box(vec(0.1, 0.1, 0.1), origin, COLOR_RED), 0.8, 0.0), 1000.0,
        at);
    hold_in_plane(spec, "plane", root, at);
    add_arm(spec, "link", root, at, unit, 1.0);
    touch_for(settings, 1e-3, 2.0);
}

void scene_catapult(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 along[3] = {{0.6, 0.0, 0.8}, {1.0, 0.0, 0.001}, {0.8, 0.0, 0.6}};
    tml_vec3 unit[3];
    for (int i = 0; i < 3; i++) unit[i] = unit_of(along[i]);

    add_floor(spec, 0.8);
    const tml_vec3 at = vec(0.38, 0.0, 0.62);
    const tml_body projectile = add_resting_body(
        spec, "projectile", rough(shape_box(vec(0.1, 0.1, 0.1), origin, COLOR_RED), 0.8, 0.0),
        500.0, at);
    hold_in_plane(spec, "plane", projectile, at);
    add_arm(spec, "arm", TML_WORLD, vec(0.0, 0.0, 0.3), unit, -4.0);
    touch_for(settings, 1e-3, 2.0);
}

// ---- a figure that falls down a flight of stairs

typedef struct limb {
    const char* name;
    tml_vec3 from, to;
    double radius;
    int base;  // limb that it hangs on, -1: none
    int is_ball;
} limb;

static const limb limbs[] = {
    {"torso", {0.0, 0.0, 1.0}, {0.0, 0.0, 1.4}, 0.11, -1, 0},
    {"head", {0.0, 0.0, 1.6}, {0.0, 0.0, 1.68}, 0.1, 0, 1},
    {"arm.left", {0.0, 0.25, 1.4}, {0.0, 0.5, 1.4}, 0.05, 0, 1},
    {"arm.right", {0.0, -0.25, 1.4}, {0.0, -0.5, 1.4}, 0.05, 0, 1},
    {"hand.left", {0.0, 0.6, 1.4}, {0.0, 0.85, 1.4}, 0.04, 2, 0},
    {"hand.right", {0.0, -0.6, 1.4}, {0.0, -0.85, 1.4}, 0.04, 3, 0},
    {"thigh.left", {0.0, 0.12, 0.85}, {0.0, 0.12, 0.5}, 0.07, 0, 1},
    {"thigh.right", {0.0, -0.12, 0.85}, {0.0, -0.12, 0.5}, 0.07, 0, 1},
    {"shin.left", {0.0, 0.12, 0.4}, {0.0, 0.12, 0.1}, 0.05, 6, 0},
    {"shin.right", {0.0, -0.12, 0.4}, {0.0, -0.12, 0.1}, 0.05, 7, 0},
};

static void add_limb(tml_spec* spec, const limb* l, tml_vec3 lift, const tml_body* bodies,
                     tml_body* out)
{
    const tml_vec3 a = sum(l->from, lift);
    const tml_vec3 b = sum(l->to, lift);
    const tml_vec3 axis = minus(b, a);
    const tml_shape_def shape = rough(
        shape_capsule(l->radius, length_of(axis), origin, turn_z_along(unit_of(axis)), COLOR_BLUE),
        0.5, 0.0);
    char name[32];
    *out = add_resting_body(spec, l->name, shape, 1000.0, middle_of(a, b));
    if (l->base < 0) return;
    snprintf(name, sizeof name, "%s.joint", l->name);
    tml_joint_def joint = joint_of(name, l->is_ball ? TML_JOINT_SPHERICAL : TML_JOINT_REVOLUTE,
                                   bodies[l->base], *out, a, sideways);
    // joints resist a little; elbows and knees bend one way
    for (int k = TML_AXIS_RX; k <= TML_AXIS_RZ; k++) {
        if (l->is_ball) joint.axis_of[k].damping = 0.5;
    }
    if (!l->is_ball) {
        joint.axis_of[TML_AXIS_RX].damping = 0.5;
        joint.axis_of[TML_AXIS_RX].has_limits = 1;
        joint.axis_of[TML_AXIS_RX].lower = l->base < 4 ? -2.2 : -0.1;
        joint.axis_of[TML_AXIS_RX].upper = l->base < 4 ? 0.1 : 2.2;
    }
    tml_spec_add_joint(spec, &joint);
}

void scene_ragdoll(tml_spec* spec, tml_run_settings* settings)
{
    enum {
        LIMBS = sizeof limbs / sizeof *limbs,
        STAIRS = 6
    };
    tml_body bodies[LIMBS];
    add_floor(spec, 0.6);
    for (int i = 0; i < STAIRS; i++) {
        const double height = 0.2 * (STAIRS - i);
        add_wall(spec, vec(0.3, 2.0, height), vec(0.3 * i, 0.0, 0.5 * height), turn_none(), 0.6);
    }
    for (int i = 0; i < LIMBS; i++) {
        add_limb(spec, &limbs[i], vec(0.05, 0.0, 1.3), bodies, &bodies[i]);
    }
    touch_for(settings, 2e-3, 3.0);
}
