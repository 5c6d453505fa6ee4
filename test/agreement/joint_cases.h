// test/agreement/joint_cases.h - every joint and every way to drive it, on the world or on another body.
//
// Nothing is special: centres of mass lie off the frames, inertias are full, axes oblique, bodies
// already moving.
#ifndef TRAMMEL_TEST_AGREEMENT_JOINT_CASES_H
#define TRAMMEL_TEST_AGREEMENT_JOINT_CASES_H

#include "test/scenario/run.h"

typedef struct joint_case {
    tml_joint_kind kind;
    const char* slides;  // of a custom joint
    const char* turns;
} joint_case;

static const joint_case joint_cases[] = {
    {TML_JOINT_FIXED, "", ""},       {TML_JOINT_PRISMATIC, "", ""},
    {TML_JOINT_REVOLUTE, "", ""},    {TML_JOINT_RECTANGULAR, "", ""},
    {TML_JOINT_CYLINDRICAL, "", ""}, {TML_JOINT_PIN_IN_SLOT, "", ""},
    {TML_JOINT_UNIVERSAL, "", ""},   {TML_JOINT_CARTESIAN, "", ""},
    {TML_JOINT_PLANAR, "", ""},      {TML_JOINT_SPHERICAL, "", ""},
    {TML_JOINT_SLOT, "", ""},        {TML_JOINT_FREE, "", ""},
    {TML_JOINT_CUSTOM, "yz", "zx"},  {TML_JOINT_CUSTOM, "z", "yz"},
    {TML_JOINT_CUSTOM, "", "zyx"},   {TML_JOINT_CUSTOM, "xy", "yxz"},
};

enum {
    JOINTS = sizeof joint_cases / sizeof *joint_cases
};

typedef enum drive_mode {
    DRIVE_PASSIVE,
    DRIVE_POSITION,
    DRIVE_FORCE,
    DRIVE_MIXED,  // position, force, passive, position, ... over the free axes
    DRIVES
} drive_mode;

static const char* const drive_names[DRIVES] = {"passive", "position", "force", "mixed"};

// The free axes of a case, as a string of letters for slides and turns.
static inline const char* slides_of(const joint_case* c)
{
    return c->kind == TML_JOINT_CUSTOM ? c->slides : tml_joint_kind_slides(c->kind);
}

static inline const char* turns_of(const joint_case* c)
{
    return c->kind == TML_JOINT_CUSTOM ? c->turns : tml_joint_kind_turns(c->kind);
}

static inline tml_actuation actuation_of(drive_mode mode, int index)
{
    static const tml_actuation mixed[3] = {TML_POSITION, TML_FORCE, TML_PASSIVE};
    if (mode == DRIVE_POSITION) return TML_POSITION;
    if (mode == DRIVE_FORCE) return TML_FORCE;
    return mode == DRIVE_MIXED ? mixed[index % 3] : TML_PASSIVE;
}

// ---- the model

static const double pi = 3.14159265358979323846;

// Smooth, different for every axis, and zero at the start where it is a position.
static inline tml_control control_of(tml_actuation actuation, int axis)
{
    const double frequency = 0.7 + 0.2 * axis;
    const double phase = 0.3 + 0.5 * axis;
    if (actuation == TML_FORCE)
        return tml_control_sine(0.4, axis < 3 ? 3.0 : 0.2, frequency, phase);
    const double amplitude = axis < 3 ? 0.08 : 0.25;
    return tml_control_sine(-amplitude * sin(phase), amplitude, frequency, phase);
}

static inline void drive_axis(tml_joint_def* joint, int axis, drive_mode mode, int index)
{
    tml_joint_axis* a = &joint->axis_of[axis];
    a->actuation = actuation_of(mode, index);
    if (a->actuation != TML_PASSIVE) a->control = control_of(a->actuation, axis);
}

static inline tml_joint_def joint_def_of(const joint_case* c, drive_mode mode)
{
    tml_joint_def joint = tml_joint_def_default();
    int index = 0;
    joint.kind = c->kind;
    snprintf(joint.free_translation, sizeof joint.free_translation, "%s", c->slides);
    snprintf(joint.free_rotation, sizeof joint.free_rotation, "%s", c->turns);
    joint.position = v3(0.21, -0.13, 0.32);
    // a rotation with numbers that are exact: columns of a quaternion (1, 2, 3, 4) / sqrt(30)
    const mat3 R = q_matrix(q_normalize((quat){1.0, 2.0, 3.0, 4.0}));
    joint.has_axes = 1;
    for (int k = 0; k < 3; k++) joint.axes[k] = m3_column(R, k);
    for (const char* p = slides_of(c); *p != '\0'; p++) drive_axis(&joint, *p - 'x', mode, index++);
    for (const char* p = turns_of(c); *p != '\0'; p++) {
        drive_axis(&joint, 3 + *p - 'x', mode, index++);
    }
    return joint;
}

static inline tml_body_def heavy_body(void)
{
    tml_body_def body = tml_body_def_default();
    const double inertia[6] = {0.05, 0.07, 0.04, 0.004, -0.006, 0.003};
    body.name = "base";
    body.mass = 2.5;
    body.com = v3(0.05, -0.03, 0.02);
    for (int i = 0; i < 6; i++) body.inertia[i] = inertia[i];
    body.pose.q = q_normalize((quat){0.9, 0.2, -0.3, 0.1});
    body.velocity = (tml_velocity){{0.4, -0.3, 0.8}, {0.7, -0.5, 0.9}};
    return body;
}

static inline tml_body_def light_body(void)
{
    tml_body_def body = tml_body_def_default();
    const double inertia[6] = {0.02, 0.015, 0.025, -0.002, 0.001, 0.0015};
    body.name = "follower";
    body.mass = 1.2;
    body.com = v3(-0.04, 0.06, 0.03);
    for (int i = 0; i < 6; i++) body.inertia[i] = inertia[i];
    body.pose.p = v3(0.35, -0.2, 0.25);
    body.pose.q = q_normalize((quat){0.7, -0.4, 0.5, 0.2});
    body.velocity = (tml_velocity){{-0.2, 0.5, 0.3}, {-0.8, 1.1, 0.6}};
    return body;
}

static inline tml_spec* spec_of(const joint_case* c, drive_mode mode, int has_base)
{
    tml_spec* spec = tml_spec_create();
    const tml_body_def heavy = heavy_body();
    const tml_body_def light = light_body();
    tml_joint_def joint = joint_def_of(c, mode);

    joint.base = has_base ? tml_spec_add_body(spec, &heavy) : TML_WORLD;
    joint.follower = tml_spec_add_body(spec, &light);
    tml_spec_add_joint(spec, &joint);
    return spec;
}

// The largest difference of two poses, m and rad.
static inline double pose_distance(const tml_pose* a, const tml_pose* b)
{
    const double sign = q_dot(a->q, b->q) < 0.0 ? -1.0 : 1.0;
    const quat d = q_sub(a->q, q_scale(sign, b->q));
    const double shift = v3_max(v3_sub(a->p, b->p));
    return larger_of(shift, 2.0 * sqrt(q_dot(d, d)));
}

#endif
