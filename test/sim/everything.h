// test/sim/everything.h - one mechanism with every feature: all actuations, limits, servos,
// couplings, compliance, springs, tendons, wrenches, drag, fixed bodies, several trees.
#ifndef TRAMMEL_TEST_SIM_EVERYTHING_H
#define TRAMMEL_TEST_SIM_EVERYTHING_H

#include "test/sim/mechanisms.h"

typedef struct everything {
    tml_body carriage, arm, wheel, hand, bob, platform, slab, puck;
} everything;

// Along x: motor, spring, damper and a stop that is met after some hundredths of a second.
static inline void add_rail(tml_spec* spec, const everything* e)
{
    tml_joint_def rail = link_of("rail", TML_JOINT_PRISMATIC, TML_WORLD, e->carriage,
                                 (tml_vec3){0.1, 0.0, 0.0}, (tml_vec3){1.0, 0.0, 0.0});
    tml_joint_axis* x = &rail.axis_of[TML_AXIS_TX];
    x->actuation = TML_FORCE;
    x->control = tml_control_sine(25.0, 5.0, 1.5, 0.4);
    x->stiffness = 40.0;
    x->damping = 2.0;
    x->rest = 0.1;
    x->has_limits = 1;
    x->lower = -0.2;
    x->upper = 0.03;
    tml_spec_add_joint(spec, &rail);
}

// A shoulder with a servo, and a wheel on the arm that a coupling ties to it.
static inline void add_shoulder(tml_spec* spec, const everything* e)
{
    tml_joint_def shoulder = link_of("shoulder", TML_JOINT_REVOLUTE, e->carriage, e->arm,
                                     (tml_vec3){0.1, 0.1, 0.0}, (tml_vec3){0.0, 1.0, 0.2});
    tml_joint_axis* turn = &shoulder.axis_of[TML_AXIS_RX];
    turn->has_servo = 1;
    turn->servo_target = tml_control_sine(0.1, 0.3, 0.8, 0.0);
    turn->servo_stiffness = 20.0;
    turn->servo_damping = 1.0;
    const tml_joint_def axle = link_of("axle", TML_JOINT_REVOLUTE, e->arm, e->wheel,
                                       (tml_vec3){0.3, 0.1, 0.1}, (tml_vec3){0.0, 0.0, 1.0});
    const tml_joint a = tml_spec_add_joint(spec, &shoulder);
    const tml_joint b = tml_spec_add_joint(spec, &axle);
    const tml_coupling_term terms[2] = {{a, TML_AXIS_RX, 1, {1.0}},
                                        {b, TML_AXIS_RX, 2, {0.5, 0.05}}};
    tml_coupling_def gear = tml_coupling_def_default();
    gear.name = "gear";
    gear.terms = terms;
    gear.term_count = 2;
    tml_spec_add_coupling(spec, &gear);
}

// A cross of which one axis is driven by position, and a ball driven by a torque in base axes.
static inline void add_wrist(tml_spec* spec, const everything* e)
{
    tml_joint_def wrist = link_of("wrist", TML_JOINT_UNIVERSAL, e->arm, e->hand,
                                  (tml_vec3){0.4, 0.1, 0.0}, (tml_vec3){0.3, 1.0, 0.0});
    wrist.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
    wrist.axis_of[TML_AXIS_RX].control = tml_control_sine(0.0, 0.4, 0.9, 0.0);
    wrist.axis_of[TML_AXIS_RY].stiffness = 3.0;
    wrist.axis_of[TML_AXIS_RY].damping = 0.05;
    wrist.axis_of[TML_AXIS_RY].rest = -0.2;
    tml_joint_def ball = link_of("ball", TML_JOINT_SPHERICAL, e->hand, e->bob,
                                 (tml_vec3){0.6, 0.1, 0.0}, (tml_vec3){1.0, 1.0, 1.0});
    for (int k = TML_AXIS_RX; k <= TML_AXIS_RZ; k++) {
        ball.axis_of[k].actuation = TML_FORCE;
        ball.axis_of[k].control = tml_control_sine(0.1, 0.2, 0.5 + 0.2 * k, 0.3 * k);
    }
    ball.axis_of[TML_AXIS_RZ].damping = 0.02;
    tml_spec_add_joint(spec, &wrist);
    tml_spec_add_joint(spec, &ball);
}

// A slab welded to a fixed platform, giving way in two rows; a puck that is driven along a plane.
static inline void add_ground(tml_spec* spec, const everything* e)
{
    static const double times[4] = {0.0, 0.1, 0.3, 0.6};
    static const double samples[4] = {0.0, 0.004, -0.01, 0.02};
    tml_joint_def weld = link_of("weld", TML_JOINT_FIXED, e->platform, e->slab,
                                 (tml_vec3){-0.5, 0.0, 0.2}, (tml_vec3){0.0, 0.0, 0.0});
    weld.axis_of[TML_AXIS_TZ].compliance = 1e-4;
    weld.axis_of[TML_AXIS_RY].compliance = 1e-2;
    tml_joint_def plane = link_of("plane", TML_JOINT_PLANAR, TML_WORLD, e->puck,
                                  (tml_vec3){-1.0, 0.5, 0.0}, (tml_vec3){0.0, 0.0, 0.0});
    plane.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    plane.axis_of[TML_AXIS_TX].control =
        (tml_control){TML_CONTROL_CUBIC, 0.0, 0.0, 0.0, 0.0, 4, times, samples};
    plane.axis_of[TML_AXIS_TY].damping = 0.5;
    plane.axis_of[TML_AXIS_RZ].actuation = TML_FORCE;
    plane.axis_of[TML_AXIS_RZ].control = tml_control_sine(0.0, 0.05, 2.0, 0.1);
    tml_spec_add_joint(spec, &weld);
    tml_spec_add_joint(spec, &plane);
}

static inline void add_pulls(tml_spec* spec, const everything* e)
{
    static const double extensions[4] = {-0.2, 0.0, 0.1, 0.5};
    static const double forces[4] = {-4.0, 0.0, 3.0, 10.0};
    const tml_point ends[3] = {
        {TML_WORLD, {0.2, 0.0, 0.8}}, {e->arm, {0.05, 0.02, 0.03}}, {e->hand, {-0.03, 0.04, 0.05}}};
    tml_spring_def tendon = tml_spring_def_default();
    tendon.point_count = 3;
    tendon.points = ends;
    tendon.stiffness = 15.0;
    tendon.damping = 0.8;
    tendon.force = tml_control_sine(2.0, 1.0, 1.2, 0.0);
    const tml_point pair[2] = {{e->carriage, {0.0, 0.1, 0.0}}, {e->bob, {0.05, 0.0, 0.0}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = pair;
    spring.stiffness = 30.0;
    spring.rest_length = 0.3;
    spring.law = TML_SPRING_QUADRATIC;
    const tml_point far[2] = {{e->slab, {0.0, 0.05, 0.0}}, {e->puck, {0.0, 0.0, 0.05}}};
    tml_spring_def table = tml_spring_def_default();
    table.point_count = 2;
    table.points = far;
    table.law = TML_SPRING_TABLE;
    table.table_count = 4;
    table.table_extensions = extensions;
    table.table_forces = forces;
    table.damping = 0.3;
    tml_spec_add_spring(spec, &tendon);
    tml_spec_add_spring(spec, &spring);
    tml_spec_add_spring(spec, &table);
}

static inline void add_pushes(tml_spec* spec, const everything* e)
{
    tml_wrench_def wind = tml_wrench_def_default();
    wind.body = e->bob;
    wind.point = (tml_vec3){0.01, 0.05, -0.02};
    wind.force[1] = tml_control_sine(0.0, 1.5, 1.1, 0.2);
    wind.torque[2] = tml_control_constant(0.03);
    tml_drag_def drag = tml_drag_def_default();
    drag.body = e->puck;
    drag.linear = 0.7;
    drag.angular = 0.01;
    drag.wind = (tml_vec3){0.3, -0.2, 0.1};
    tml_spec_add_wrench(spec, &wind);
    tml_spec_add_drag(spec, &drag);
}

static inline void build_everything(tml_spec* spec, tml_run_settings* run)
{
    everything e;
    e.carriage = add_lump(spec, "carriage", 2.0, (tml_vec3){0.1, 0.0, 0.0});
    e.arm = add_lump(spec, "arm", 1.0, (tml_vec3){0.25, 0.1, 0.0});
    e.wheel = add_lump(spec, "wheel", 0.3, (tml_vec3){0.3, 0.1, 0.15});
    e.hand = add_lump(spec, "hand", 0.6, (tml_vec3){0.5, 0.1, 0.0});
    e.bob = add_lump(spec, "bob", 0.4, (tml_vec3){0.65, 0.1, -0.1});
    tml_body_def platform = tml_body_def_default();
    platform.name = "platform";
    platform.is_fixed = 1;
    platform.pose.p = (tml_vec3){-0.5, 0.0, 0.1};
    e.platform = tml_spec_add_body(spec, &platform);
    e.slab = add_lump(spec, "slab", 1.2, (tml_vec3){-0.5, 0.0, 0.3});
    e.puck = add_lump(spec, "puck", 0.8, (tml_vec3){-1.0, 0.5, 0.0});
    add_rail(spec, &e);
    add_shoulder(spec, &e);
    add_wrist(spec, &e);
    add_ground(spec, &e);
    add_pulls(spec, &e);
    add_pushes(spec, &e);
    run->sim.step = 0.005;
    run->duration = 1.0;
}

#endif
