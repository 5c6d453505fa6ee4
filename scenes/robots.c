// scenes/robots.c - parallel robots: a platform on six legs, and a delta robot. Every rod is held by
// a cross at one end and a ball at the other, so that none can spin about its own axis.
#include "scenes/builders.h"
#include "scenes/links.h"

#include <math.h>
#include <stdio.h>

static const double density = 2000.0;  // kg/m^3
static const tml_vec3 none = {0.0, 0.0, 0.0};

// Directions in the plane, sixty degrees apart.
static tml_vec3 sixth(int k)
{
    static const double root = 0.86602540378443864676;  // sqrt(3)/2
    static const double cosine[6] = {1.0, 0.5, -0.5, -1.0, -0.5, 0.5};
    const double sine[6] = {0.0, root, root, 0.0, -root, -root};
    const int i = (k % 6 + 6) % 6;

    return vec(cosine[i], sine[i], 0.0);
}

// Across such a direction, counter-clockwise.
static tml_vec3 tangent(int k)
{
    const tml_vec3 d = sixth(k);
    return vec(-d.y, d.x, 0.0);
}

// A point at a radius and a distance aside, at a height.
static tml_vec3 around(int k, double radius, double aside, double height)
{
    const tml_vec3 flat = sum(scaled_by(radius, sixth(k)), scaled_by(aside, tangent(k)));
    return vec(flat.x, flat.y, height);
}

static tml_body add_disc(tml_spec* spec, const char* name, tml_vec3 centre, double radius,
                         double height)
{
    tml_shape_def disc = shape_cylinder(radius, height, none, turn_none(), COLOR_LIGHT);
    const tml_body_def body = body_of(name, &disc, 1, density, centre);

    return tml_spec_add_body(spec, &body);
}

// ---- the platform on six legs: cross on the ground, slide, ball. 13 bodies, 78 rows, rank 78.

typedef struct stewart_leg {
    int index;
    tml_vec3 foot, head;
    tml_body platform;
    tml_control control;  // of its length
} stewart_leg;

static void add_stewart_leg(tml_spec* spec, const stewart_leg* leg)
{
    static const char* const parts[5] = {"barrel", "piston", "cross", "slide", "ball"};
    const tml_vec3 along = minus(leg->head, leg->foot);
    const tml_vec3 barrel_end = sum(leg->foot, scaled_by(0.55, along));
    const tml_vec3 piston_end = sum(leg->foot, scaled_by(0.45, along));
    char names[5][32];

    for (int i = 0; i < 5; i++) snprintf(names[i], sizeof names[i], "%s.%d", parts[i], leg->index);
    const link_def barrel = link_between(names[0], leg->foot, barrel_end, 0.03, COLOR_BLUE);
    const link_def piston = link_between(names[1], piston_end, leg->head, 0.015, COLOR_STEEL);
    const tml_body lower = add_link(spec, &barrel);
    const tml_body upper = add_link(spec, &piston);

    add_cross(spec, names[2], TML_WORLD, lower, leg->foot, along);
    tml_joint_def slide =
        joint_of(names[3], TML_JOINT_PRISMATIC, lower, upper, barrel_end, unit_of(along));
    slide.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    slide.axis_of[TML_AXIS_TX].control = leg->control;
    tml_spec_add_joint(spec, &slide);
    add_joint(spec, names[4], TML_JOINT_SPHERICAL, upper, leg->platform, leg->head, none);
}

void scene_stewart_platform(tml_spec* spec, tml_run_settings* settings)
{
    static const double amplitudes[6] = {0.06, 0.02, 0.05, 0.07, 0.01, 0.04};
    const tml_shape_def ground =
        shape_cylinder(0.7, 0.04, vec(0.0, 0.0, -0.05), turn_none(), COLOR_DARK);
    const tml_body platform = add_disc(spec, "platform", vec(0.0, 0.0, 0.8), 0.4, 0.04);

    tml_spec_add_world_shape(spec, &ground);
    for (int k = 0; k < 6; k++) {
        // two legs from each of three places on the ground, to the places left and right above
        const int is_left = k % 2 == 0;
        const int place = k / 2 * 2;
        const stewart_leg leg = {
            .index = k,
            .foot = around(place, 0.6, is_left ? 0.06 : -0.06, 0.0),
            .head = around(is_left ? place + 1 : place - 1, 0.35, is_left ? -0.1 : 0.1, 0.78),
            .platform = platform,
            .control = swing(amplitudes[k], k % 3 == 0 ? 0.5 : 0.25),
        };
        add_stewart_leg(spec, &leg);
    }
    run_for(settings, 0.01, 8.0);
}

// ---- the delta robot: three driven arms, each with two parallel rods to the platform, which can
//      only shift. 10 bodies, 60 rows, rank 60.

static const double delta_rod = 0.75;       // m
static const double delta_platform = 0.06;  // radius of the balls on the platform, m

// The height of the platform at load, from the triangle of a rod.
static double delta_height(tml_vec3 elbow, double elbow_radius)
{
    const double reach = elbow_radius - delta_platform;
    return elbow.z - sqrt(delta_rod * delta_rod - reach * reach);
}

static void add_delta_arm(tml_spec* spec, int index, tml_body platform, double height,
                          tml_control control)
{
    const int k = 2 * index;
    const tml_vec3 shoulder = around(k, 0.2, 0.0, 0.0);
    const tml_vec3 elbow = around(k, 0.2 + 0.24, 0.0, -0.18);
    char name[32];
    tml_shape_def shapes[2] = {shape_strut(0.02, none, minus(elbow, shoulder), COLOR_BLUE),
                               shape_strut(0.012, minus(around(k, 0.44, -0.06, -0.18), shoulder),
                                           minus(around(k, 0.44, 0.06, -0.18), shoulder),
                                           COLOR_DARK)};

    snprintf(name, sizeof name, "arm.%d", index);
    const tml_body_def def = body_of(name, shapes, 2, density, shoulder);
    const tml_body arm = tml_spec_add_body(spec, &def);
    snprintf(name, sizeof name, "motor.%d", index);
    add_motor(spec, name, TML_WORLD, arm, shoulder, tangent(k), control);

    for (int side = -1; side <= 1; side += 2) {
        const char* mark = side < 0 ? "right" : "left";
        const tml_vec3 top = around(k, 0.44, 0.06 * side, -0.18);
        const tml_vec3 bottom = around(k, delta_platform, 0.06 * side, height);
        snprintf(name, sizeof name, "rod.%d.%s", index, mark);
        const link_def rod = link_between(name, top, bottom, 0.008, COLOR_STEEL);
        const tml_body body = add_link(spec, &rod);
        snprintf(name, sizeof name, "cross.%d.%s", index, mark);
        add_cross(spec, name, arm, body, top, minus(bottom, top));
        snprintf(name, sizeof name, "ball.%d.%s", index, mark);
        add_joint(spec, name, TML_JOINT_SPHERICAL, body, platform, bottom, none);
    }
}

void scene_delta_robot(tml_spec* spec, tml_run_settings* settings)
{
    static const double amplitudes[3] = {-0.25, -0.15, 0.2};  // rad, down is positive
    static const double frequencies[3] = {0.5, 1.0, 0.75};    // Hz
    const double height = delta_height(vec(0.44, 0.0, -0.18), 0.44);
    const tml_shape_def base =
        shape_cylinder(0.25, 0.04, vec(0.0, 0.0, 0.04), turn_none(), COLOR_DARK);
    const tml_body platform = add_disc(spec, "platform", vec(0.0, 0.0, height - 0.01), 0.09, 0.02);

    tml_spec_add_world_shape(spec, &base);
    for (int i = 0; i < 3; i++) {
        add_delta_arm(spec, i, platform, height, swing(amplitudes[i], frequencies[i]));
    }
    run_for(settings, 0.005, 8.0);
}
