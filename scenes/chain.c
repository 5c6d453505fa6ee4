// scenes/chain.c - chains of any length.
#include "scenes/builders.h"
#include "scenes/parts.h"
#include "scenes/scenes.h"

#include <stdio.h>

// The inertia of a solid cylinder along x.
static tml_vec3 cylinder_inertia(double mass, double radius, double length)
{
    const double axial = 0.5 * mass * radius * radius;
    const double across = 0.5 * axial + mass * length * length / 12.0;

    return vec(axial, across, across);
}

tml_body scenes_add_chain(tml_spec* spec, const scene_chain* chain)
{
    static const int colors[2] = {COLOR_STEEL, COLOR_BRASS};
    const tml_quat turn = chain->direction == CHAIN_HANGING ? turn_x_to_down() : turn_none();
    const tml_vec3 along = rotate(turn, vec(chain->length, 0.0, 0.0));
    const tml_vec3 inertia = cylinder_inertia(chain->mass, chain->radius, chain->length);
    tml_body last = chain->base;

    for (int i = 0; i < chain->links; i++) {
        const tml_vec3 start = sum(chain->start, vec(i * along.x, i * along.y, i * along.z));
        const tml_vec3 centre = sum(start, vec(0.5 * along.x, 0.5 * along.y, 0.5 * along.z));
        const tml_shape_def shape = shape_cylinder(chain->radius, chain->length, vec(0.0, 0.0, 0.0),
                                                   turn_z_to_x(), colors[i % 2]);
        char name[64];
        char joint_name[80];

        snprintf(name, sizeof name, "%s.%d", chain->name, i);
        snprintf(joint_name, sizeof joint_name, "%s.joint.%d", chain->name, i);
        tml_body_def link = body_at(name, chain->mass, inertia, centre);
        link.pose.q = turn;
        link.shapes = &shape;
        link.shape_count = 1;
        const tml_body body = tml_spec_add_body(spec, &link);
        const tml_joint_def joint =
            joint_of(joint_name, chain->joint, last, body, start, vec(0.0, 1.0, 0.0));
        tml_spec_add_joint(spec, &joint);
        last = body;
    }
    return last;
}

static void add_level_chain(tml_spec* spec, tml_run_settings* settings, tml_joint_kind joint)
{
    const scene_chain chain = {
        "link", 20, joint, 0.1, 0.012, 0.1, TML_WORLD, vec(0.0, 0.0, 0.0), CHAIN_HORIZONTAL};

    scenes_add_chain(spec, &chain);
    run_for(settings, 0.002, 5.0);
}

void scene_spherical_chain(tml_spec* spec, tml_run_settings* settings)
{
    add_level_chain(spec, settings, TML_JOINT_SPHERICAL);
}

void scene_revolute_chain(tml_spec* spec, tml_run_settings* settings)
{
    add_level_chain(spec, settings, TML_JOINT_REVOLUTE);
}
