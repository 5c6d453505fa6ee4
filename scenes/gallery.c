// scenes/gallery.c - scenes that show one feature each.
#include "scenes/builders.h"
#include "scenes/parts.h"

#include <math.h>
#include <stdio.h>

// ---- the joint zoo

// Every free axis gets a soft spring that pulls it away from where it starts, so that everything
// moves and nothing falls out of sight.
static void soften_free_axes(tml_joint_def* joint)
{
    for (const char* p = tml_joint_kind_slides(joint->kind); *p != '\0'; p++) {
        tml_joint_axis* axis = &joint->axis_of[TML_AXIS_TX + (*p - 'x')];
        axis->stiffness = 120.0;
        axis->damping = 0.5;
        axis->rest = 0.1;
    }
    for (const char* p = tml_joint_kind_turns(joint->kind); *p != '\0'; p++) {
        tml_joint_axis* axis = &joint->axis_of[TML_AXIS_RX + (*p - 'x')];
        axis->stiffness = 0.5;
        axis->damping = 0.01;
        axis->rest = 0.3;
    }
}

static void add_exhibit(tml_spec* spec, tml_joint_kind kind, tml_vec3 place)
{
    char name[32];
    tml_shape_def shapes[2] = {shape_box(vec(0.12, 0.08, 0.3), vec(0.03, 0.04, -0.2), COLOR_BLUE),
                               shape_sphere(0.03, vec(0.0, 0.0, 0.0), COLOR_BRASS)};
    const tml_shape_def mount =
        shape_box(vec(0.1, 0.1, 0.04), sum(place, vec(0.0, 0.0, 0.06)), COLOR_DARK);

    snprintf(name, sizeof name, "%s_body", tml_joint_kind_name(kind));
    const tml_body_def body = body_of(name, shapes, 2, 300.0, place);
    const tml_body follower = tml_spec_add_body(spec, &body);
    tml_joint_def joint =
        joint_of(tml_joint_kind_name(kind), kind, TML_WORLD, follower, place, vec(0.0, 0.0, 0.0));
    // y of the joint is up, so that planes stand upright
    joint.has_axes = 1;
    joint.axes[0] = vec(1.0, 0.0, 0.0);
    joint.axes[1] = vec(0.0, 0.0, 1.0);
    joint.axes[2] = vec(0.0, -1.0, 0.0);
    soften_free_axes(&joint);
    tml_spec_add_joint(spec, &joint);
    tml_spec_add_world_shape(spec, &mount);
}

void scene_joint_zoo(tml_spec* spec, tml_run_settings* settings)
{
    for (int i = 0; i < TML_JOINT_KINDS; i++) {
        const int row = i / 6;
        add_exhibit(spec, (tml_joint_kind)i, vec(0.6 * (i % 6), 1.0 * row, 1.0));
    }
    run_for(settings, 0.005, 10.0);
}

// ---- the spring net

enum {
    NET_SIDE = 5
};
static const double net_pitch = 0.2;  // m

static void add_net_spring(tml_spec* spec, tml_point a, tml_point b)
{
    const tml_point ends[2] = {a, b};
    tml_spring_def spring = tml_spring_def_default();

    spring.point_count = 2;
    spring.points = ends;
    spring.stiffness = 200.0;
    spring.damping = 0.5;
    spring.rest_length = 0.9 * net_pitch;  // a little tight, so that the net is flat but not slack
    tml_spec_add_spring(spec, &spring);
}

static tml_vec3 net_place(int row, int column)
{
    return vec(column * net_pitch, row * net_pitch, 1.0);
}

void scene_spring_net(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 here = vec(0.0, 0.0, 0.0);
    tml_point knots[NET_SIDE][NET_SIDE];

    for (int i = 0; i < NET_SIDE; i++) {
        for (int j = 0; j < NET_SIDE; j++) {
            char name[32];
            tml_shape_def shape = shape_sphere(0.03, here, (i + j) % 2 ? COLOR_BRASS : COLOR_GREEN);
            snprintf(name, sizeof name, "knot.%d.%d", i, j);
            const tml_body_def knot = body_of(name, &shape, 1, 1000.0, net_place(i, j));
            knots[i][j] = (tml_point){tml_spec_add_body(spec, &knot), here};
            if (i > 0) add_net_spring(spec, knots[i - 1][j], knots[i][j]);
            if (j > 0) add_net_spring(spec, knots[i][j - 1], knots[i][j]);
        }
    }
    for (int k = 0; k < 4; k++) {
        const int i = k / 2 * (NET_SIDE - 1);
        const int j = k % 2 * (NET_SIDE - 1);
        const tml_vec3 place = net_place(i, j);
        // a frame around the net, one pitch outside of its corners
        const tml_point corner = {TML_WORLD, vec(place.x + (j > 0 ? net_pitch : -net_pitch),
                                                 place.y + (i > 0 ? net_pitch : -net_pitch), 1.0)};
        add_net_spring(spec, corner, knots[i][j]);
    }
    run_for(settings, 0.005, 5.0);
}

// ---- the flap

void scene_flap(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 axis = vec(0.0, 1.0, 0.0);
    const tml_vec3 hinge_point = vec(0.0, 0.0, 1.0);
    tml_shape_def shape = shape_box(vec(0.02, 0.4, 0.5), vec(0.0, 0.0, -0.25), COLOR_GREEN);
    const tml_shape_def lintel = shape_box(vec(0.08, 0.5, 0.06), vec(0.0, 0.0, 1.04), COLOR_DARK);
    tml_body_def flap = body_of("flap", &shape, 1, 500.0, hinge_point);

    flap.velocity.angular = vec(0.0, 4.0, 0.0);  // pushed open, 4 rad/s
    const tml_body body = tml_spec_add_body(spec, &flap);
    tml_joint_def hinge = joint_of("hinge", TML_JOINT_REVOLUTE, TML_WORLD, body, hinge_point, axis);
    hinge.axis_of[TML_AXIS_RX].has_limits = 1;
    hinge.axis_of[TML_AXIS_RX].lower = -0.2;
    hinge.axis_of[TML_AXIS_RX].upper = 0.5;
    hinge.axis_of[TML_AXIS_RX].damping = 0.02;
    tml_spec_add_joint(spec, &hinge);
    tml_spec_add_world_shape(spec, &lintel);
    run_for(settings, 0.002, 5.0);
}

// ---- tied velocities

// The blade is at the frame's origin, the centre of mass ahead of it.
void scene_chaplygin_sleigh(tml_spec* spec, tml_run_settings* settings)
{
    const tml_vec3 here = vec(0.0, 0.0, 0.0);
    tml_shape_def shapes[2] = {shape_box(vec(0.9, 0.5, 0.05), vec(0.4, 0.0, 0.1), COLOR_BLUE),
                               shape_box(vec(0.3, 0.01, 0.08), vec(0.0, 0.0, 0.04), COLOR_DARK)};
    tml_body_def sleigh = body_of("sleigh", shapes, 2, 100.0, here);

    sleigh.velocity.angular = vec(0.0, 0.0, 3.0);
    tml_nonholonomic_def blade = tml_nonholonomic_def_default();
    blade.name = "blade";
    blade.body = tml_spec_add_body(spec, &sleigh);
    blade.axis = vec(0.0, 1.0, 0.0);
    const tml_joint_def ice = joint_of("ice", TML_JOINT_PLANAR, TML_WORLD, blade.body, here, here);
    tml_spec_add_joint(spec, &ice);
    tml_spec_add_nonholonomic(spec, &blade);
    run_for(settings, 0.01, 5.0);
}

void scene_rolling_disc(tml_spec* spec, tml_run_settings* settings)
{
    const double radius = 0.1;
    const double tilt = 0.25;  // of its plane from upright
    const tml_shape_def ground = shape_box(vec(4.0, 4.0, 0.02), vec(0.0, 0.0, -0.01), COLOR_DARK);
    const tml_quat upright = {1.0, 0.0, 0.0, 0.0};
    tml_shape_def shape = shape_cylinder(radius, 0.01, vec(0.0, 0.0, 0.0), upright, COLOR_BRASS);
    tml_body_def disc = body_of("disc", &shape, 1, 8000.0, vec(0.0, 0.0, radius * cos(tilt)));
    const double half = 0.25 * 3.14159265358979323846 +
                        0.5 * tilt;  // the axis, z of the body, lies along -y, tilted

    disc.pose.q = (tml_quat){cos(half), sin(half), 0.0, 0.0};
    // rolling along x: the velocity of the rim's lowest point is zero
    disc.velocity.linear = vec(1.0, 0.0, 0.0);
    disc.velocity.angular = vec(0.0, cos(tilt) / radius, sin(tilt) / radius);
    tml_nonholonomic_def roll = tml_nonholonomic_def_default();
    roll.name = "roll";
    roll.kind = TML_ROLLING;
    roll.body = tml_spec_add_body(spec, &disc);
    roll.axis = vec(0.0, 0.0, 1.0);
    roll.radius = radius;
    tml_spec_add_nonholonomic(spec, &roll);
    tml_spec_add_world_shape(spec, &ground);
    run_for(settings, 0.005, 10.0);
}
