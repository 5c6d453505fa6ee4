// test/sim/mechanisms.h - mechanisms of the tests of sim/, each with what it is good for.
#ifndef TRAMMEL_TEST_SIM_MECHANISMS_H
#define TRAMMEL_TEST_SIM_MECHANISMS_H

#include <trammel/trammel.h>

// A body with an oblique inertia and its centre of mass beside the frame: nothing cancels.
static inline tml_body add_lump(tml_spec* spec, const char* name, double mass, tml_vec3 place)
{
    tml_body_def def = tml_body_def_default();
    def.name = name;
    def.mass = mass;
    const double inertia[6] = {0.011, 0.014, 0.009, 0.001, -0.0007, 0.0012};
    for (int k = 0; k < 6; k++) def.inertia[k] = mass * inertia[k];
    def.com = (tml_vec3){0.02, -0.03, 0.04};
    def.pose.p = place;
    def.pose.q = (tml_quat){0.5, 0.5, -0.5, 0.5};
    return tml_spec_add_body(spec, &def);
}

static inline tml_joint_def link_of(const char* name, tml_joint_kind kind, tml_body base,
                                    tml_body follower, tml_vec3 place, tml_vec3 axis)
{
    tml_joint_def def = tml_joint_def_default();
    def.name = name;
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.position = place;
    def.axis = axis;
    return def;
}

// A rod of 1 m whose ends slide along x (driven) and y: 18 rows on 18 freedoms, none redundant.
// The driven end cannot go beyond 1 m.
static inline void build_ladder(tml_spec* spec, tml_run_settings* run)
{
    const tml_body foot = add_lump(spec, "foot", 1.0, (tml_vec3){0.6, 0.0, 0.0});
    const tml_body head = add_lump(spec, "head", 1.5, (tml_vec3){0.0, 0.8, 0.0});
    const tml_body rod = add_lump(spec, "rod", 2.0, (tml_vec3){0.3, 0.4, 0.0});
    const tml_vec3 x = {1.0, 0.0, 0.0};
    const tml_vec3 y = {0.0, 1.0, 0.0};
    const tml_vec3 at_foot = {0.6, 0.0, 0.0};
    const tml_vec3 at_head = {0.0, 0.8, 0.0};
    const tml_vec3 along = {-0.6, 0.8, 0.0};

    tml_joint_def floor = link_of("floor", TML_JOINT_PRISMATIC, TML_WORLD, foot, at_foot, x);
    floor.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    const tml_joint_def wall = link_of("wall", TML_JOINT_PRISMATIC, TML_WORLD, head, at_head, y);
    const tml_joint_def ball = link_of("ball", TML_JOINT_SPHERICAL, foot, rod, at_foot, x);
    // the cross holds the rod's spin; both of its axes stay far from the rod's direction
    tml_joint_def cross = link_of("cross", TML_JOINT_UNIVERSAL, head, rod, at_head, along);
    cross.axis = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_joint(spec, &floor);
    tml_spec_add_joint(spec, &wall);
    tml_spec_add_joint(spec, &ball);
    tml_spec_add_joint(spec, &cross);
    run->sim.step = 0.01;
}

// A slider along x with a stop at 0.5 m, driven along x by a joint of its own: beyond the stop the
// drive and the stop contradict each other.
static inline void build_against_stop(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_vec3 x = {1.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 1.0, origin);
    tml_joint_def rail = link_of("rail", TML_JOINT_PRISMATIC, TML_WORLD, body, origin, x);
    rail.axis_of[TML_AXIS_TX].has_limits = 1;
    rail.axis_of[TML_AXIS_TX].lower = -0.5;
    rail.axis_of[TML_AXIS_TX].upper = 0.5;
    tml_joint_def pusher = link_of("drive", TML_JOINT_FREE, TML_WORLD, body, origin, x);
    pusher.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    tml_spec_add_joint(spec, &rail);
    tml_spec_add_joint(spec, &pusher);
    run->sim.step = 0.01;
}

// A door on two hinges: five of its ten rows are redundant, and nothing else is wrong.
static inline void build_door(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 z = {0.0, 0.0, 1.0};
    const tml_body door = add_lump(spec, "door", 1.0, (tml_vec3){0.5, 0.0, 1.0});
    const tml_joint_def low =
        link_of("low", TML_JOINT_REVOLUTE, TML_WORLD, door, (tml_vec3){0.0, 0.0, 0.5}, z);
    const tml_joint_def high =
        link_of("high", TML_JOINT_REVOLUTE, TML_WORLD, door, (tml_vec3){0.0, 0.0, 1.5}, z);
    tml_spec_add_joint(spec, &low);
    tml_spec_add_joint(spec, &high);
    run->sim.step = 0.01;
}

// A slider along x, pushed by a motor, with a stop at 0.01 m that is reached within some steps.
static inline void build_presser(tml_spec* spec, tml_run_settings* run)
{
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 1.0, origin);
    tml_joint_def rail =
        link_of("rail", TML_JOINT_CYLINDRICAL, TML_WORLD, body, origin, (tml_vec3){1.0, 0.0, 0.0});
    rail.axis_of[TML_AXIS_TX].actuation = TML_FORCE;
    rail.axis_of[TML_AXIS_TX].has_limits = 1;
    rail.axis_of[TML_AXIS_TX].lower = -0.01;
    rail.axis_of[TML_AXIS_TX].upper = 0.01;
    tml_spec_add_joint(spec, &rail);
    run->sim.step = 0.01;
}

#endif
