// scenes/heaps.c - hundreds of jointed bodies that fall into a heap.                     [MABD Sec 6]
#include "scenes/builders.h"
#include "scenes/touching.h"

#include <math.h>
#include <stdio.h>

static const tml_vec3 origin = {0.0, 0.0, 0.0};

// A bowl of sixteen slabs that lean outwards by 45 degrees around a flat floor.
static void add_bowl(tml_spec* spec, double radius, double slant, double friction)
{
    const double half = sqrt(0.5);
    const double c = 0.5 * sqrt(2.0 + sqrt(2.0));  // of a sixteenth of a turn
    const double s = 0.5 * sqrt(2.0 - sqrt(2.0));
    const double thickness = 0.4;
    // as wide as the bowl is where the slabs end
    const double width = 2.0 * (radius + half * slant) * s / (1.0 + c) + 0.2;
    tml_vec3 out = vec(1.0, 0.0, 0.0);
    add_floor(spec, friction);
    for (int k = 0; k < 16; k++) {
        const tml_vec3 up = vec(half * out.x, half * out.y, half);
        const tml_vec3 inward = vec(-half * out.x, -half * out.y, half);
        const tml_vec3 foot = scaled_by(radius, out);
        const tml_vec3 middle =
            sum(foot, sum(scaled_by(0.5 * slant, up), scaled_by(-0.5 * thickness, inward)));
        add_wall(spec, vec(slant, width, thickness), middle, turn_axes(up, inward), friction);
        out = vec(c * out.x - s * out.y, s * out.x + c * out.y, 0.0);
    }
}

// The joint of a pair: ball, universal, hinge or slide in turn. The slide is held by a spring, so that
// its halves stay together.
static void join_pair(tml_spec* spec, int i, tml_body a, tml_body b, tml_vec3 at)
{
    static const tml_joint_kind kinds[4] = {TML_JOINT_SPHERICAL, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_REVOLUTE, TML_JOINT_PRISMATIC};
    const tml_joint_kind kind = kinds[i % 4];
    const tml_vec3 axis = kind == TML_JOINT_REVOLUTE ? vec(0.0, 1.0, 0.0) : vec(1.0, 0.0, 0.0);
    char name[24];
    snprintf(name, sizeof name, "pair.%d", i);
    tml_joint_def joint = joint_of(name, kind, a, b, at, axis);
    if (kind == TML_JOINT_PRISMATIC) {
        joint.axis_of[TML_AXIS_TX].stiffness = 500.0;
        joint.axis_of[TML_AXIS_TX].damping = 20.0;
    }
    tml_spec_add_joint(spec, &joint);
}

// 720 pairs of boxes, 180 with each of four joints, in twelve layers over a bowl. [MABD Fig 20]
void scene_falling_joints(tml_spec* spec, tml_run_settings* settings)
{
    static const int colors[4] = {COLOR_BLUE, COLOR_RED, COLOR_BRASS, COLOR_GREEN};
    add_bowl(spec, 1.1, 2.2, 0.5);
    for (int i = 0; i < 720; i++) {
        const int layer = i / 60;
        const double x = 0.47 * (i % 6 - 2.5) + 0.03 * (layer % 3 - 1);
        const double y = 0.24 * (i / 6 % 10 - 4.5) + 0.03 * (layer % 2);
        const double z = 1.2 + 0.22 * layer;
        tml_body half[2];
        for (int n = 0; n < 2; n++) {
            char name[24];
            snprintf(name, sizeof name, "box.%d", 2 * i + n);
            half[n] = add_resting_body(
                spec, name, rough(shape_box(vec(0.2, 0.1, 0.1), origin, colors[i % 4]), 0.5, 0.0),
                500.0, vec(x + 0.22 * n - 0.11, y, z));
        }
        join_pair(spec, i, half[0], half[1], vec(x, y, z));
    }
    settings->sim.contact.max_contacts = 16000;
    // slow boxes move a millimetre a step, and fast ones are looked for as far ahead as they go
    settings->sim.contact.margin = 0.005;
    settings->sim.contact.pgs_iterations = 20;
    touch_for(settings, 0.01, 5.0);
}
