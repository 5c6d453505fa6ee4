// analysis/derive.c - copies of models with other actuation, and specs with other initial poses.
#include "analysis/derive.h"

#include "math/quat.h"

#include <trammel/assemble.h>

// ---- other actuation

// Only geometry: limits, weight and compliance, and a position control where it stays.
static void adapt_axis(const derivation* how, const axis_data* a, tml_joint_axis* axis)
{
    const tml_joint_axis given = *axis;

    *axis = (tml_joint_axis){.weight = given.weight, .compliance = given.compliance};
    axis->has_limits = given.has_limits;
    axis->lower = given.lower;
    axis->upper = given.upper;
    if (a->actuation != TML_POSITION) return;
    // compliance is the row's, and a released axis has no row
    if (how->actuators == DERIVE_RELEASED) {
        axis->compliance = 0.0;
        return;
    }
    axis->actuation = TML_POSITION;
    axis->control = how->actuators == DERIVE_HELD
                        ? tml_control_constant(how->held[a->control_index])
                        : given.control;
}

static void add_joints(const tml_model* m, const derivation* how, tml_spec* spec)
{
    static const double times[2] = {0.0, 1.0};
    const double samples[2] = {how->change.from, how->change.to};
    const tml_control ramp = {
        .kind = TML_CONTROL_TABLE, .count = 2, .times = times, .samples = samples};

    for (int j = 0; j < m->all.joint_count; j++) {
        tml_joint_def def = tml__joint_expand(&m->all.joints[j]);
        for (int k = 0; k < TML_AXES; k++) {
            adapt_axis(how, &m->joints[j].axis[k], &def.axis_of[k]);
        }
        if (j == how->change.joint) {
            def.axis_of[how->change.axis] =
                (tml_joint_axis){.weight = 1.0, .actuation = TML_POSITION, .control = ramp};
        }
        tml_spec_add_joint(spec, &def);
    }
}

tml_status tml__derive(const tml_model* m, const derivation* how, message* why, tml_model** out)
{
    *out = NULL;
    tml_spec* spec = tml_spec_create();
    if (spec == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");

    for (int b = 0; b < m->all.body_count; b++) {
        tml_body_def def = m->all.bodies[b];
        def.shape_count = 0;
        tml_spec_add_body(spec, &def);
    }
    add_joints(m, how, spec);
    for (int i = 0; i < m->all.coupling_count; i++) {
        tml_spec_add_coupling(spec, &m->all.couplings[i]);
    }
    const tml_status status = tml_spec_build(spec, out);
    if (status != TML_OK) tml__fail(why, status, "%s", tml_spec_message(spec));
    tml_spec_destroy(spec);
    return status;
}

// ---- other poses

static vec3 carry_point(const tml_pose* from, const tml_pose* to, vec3 p)
{
    const vec3 local = q_rotate(q_conj(from->q), v3_sub(p, from->p));
    return v3_add(to->p, q_rotate(to->q, local));
}

static vec3 carry_axis(const tml_pose* from, const tml_pose* to, vec3 a)
{
    return q_rotate(to->q, q_rotate(q_conj(from->q), a));
}

static const tml_pose still = {.q = {1.0, 0.0, 0.0, 0.0}};

// Both frames of a joint in full, carried along with their bodies.
static void carry_joint(const definitions* all, const tml_pose* poses, joint_entry* joint)
{
    const tml_joint_def expanded = tml__joint_expand(joint);
    const tml_joint_def* def = &expanded;
    const int body[2] = {def->base.index, def->follower.index};
    vec3 axes[2][3];
    vec3 point[2] = {def->position,
                     def->has_follower_frame ? def->follower_position : def->position};

    for (int side = 0; side < 2; side++) {
        const bool moves = body[side] >= 0 && !all->bodies[body[side]].is_fixed;
        const tml_pose* from = moves ? &all->bodies[body[side]].pose : &still;
        const tml_pose* to = moves ? &poses[body[side]] : &still;
        tml__joint_axes(def, side, axes[side], NULL);
        for (int k = 0; k < 3; k++) axes[side][k] = carry_axis(from, to, axes[side][k]);
        point[side] = carry_point(from, to, point[side]);
    }
    joint->position = point[0];
    joint->axis = v3_zero();
    joint->frames->has_axes = 1;
    joint->frames->has_follower_frame = 1;
    joint->frames->follower_position = point[1];
    joint->frames->follower_axis = v3_zero();
    joint->frames->has_follower_axes = 1;
    for (int k = 0; k < 3; k++) {
        joint->frames->axes[k] = axes[0][k];
        joint->frames->follower_axes[k] = axes[1][k];
    }
}

// A rest length that was left to the initial poses must not change with them.
static void settle_spring(const definitions* all, tml_spring_def* spring)
{
    if (spring->rest_length >= 0.0) return;
    double length = 0.0;
    vec3 last = v3_zero();
    for (int i = 0; i < spring->point_count; i++) {
        const tml_point* p = &spring->points[i];
        const tml_pose* pose = p->body.index >= 0 ? &all->bodies[p->body.index].pose : &still;
        const vec3 at = v3_add(pose->p, q_rotate(q_normalize(pose->q), p->position));
        if (i > 0) length += v3_norm(v3_sub(at, last));
        last = at;
    }
    spring->rest_length = length;
}

tml_status tml_spec_set_poses(tml_spec* spec, const tml_pose* poses)
{
    if (spec == NULL || poses == NULL) return TML_BAD_ARGUMENT;
    if (spec->status != TML_OK) return spec->status;
    definitions* all = &spec->all;

    for (int b = 0; b < all->body_count; b++) {
        const quat q = poses[b].q;
        const bool is_unit = fabs(q_dot(q, q) - 1.0) <= 1e-9;
        if (!all->bodies[b].is_fixed && !(v3_is_finite(poses[b].p) && is_unit)) {
            return TML_BAD_ARGUMENT;
        }
    }
    // room for both frames first: nothing moves when there is none
    for (int j = 0; j < all->joint_count; j++) {
        joint_frames** frames = &all->joints[j].frames;
        if (*frames == NULL) *frames = tml__pool_take(&spec->memory, 1, sizeof **frames);
        if (*frames == NULL) return TML_NO_MEMORY;
    }
    for (int i = 0; i < all->spring_count; i++) settle_spring(all, &all->springs[i]);
    for (int j = 0; j < all->joint_count; j++) carry_joint(all, poses, &all->joints[j]);
    for (int b = 0; b < all->body_count; b++) {
        if (all->bodies[b].is_fixed) continue;
        all->bodies[b].pose = (tml_pose){.p = poses[b].p, .q = q_normalize(poses[b].q)};
    }
    return TML_OK;
}

tml_status tml_spec_set_control(tml_spec* spec, tml_joint joint, tml_axis axis,
                                const tml_control* control)
{
    if (spec == NULL || control == NULL || joint.index < 0 ||
        joint.index >= spec->all.joint_count || (unsigned)axis >= TML_AXES) {
        return TML_BAD_ARGUMENT;
    }
    tml_joint_axis* axes = spec->all.joints[joint.index].axis_of;
    tml_joint_axis* a = axes != NULL ? &axes[axis] : NULL;
    if (a == NULL || a->actuation == TML_PASSIVE ||
        tml__control_check(control, "control", NULL) != TML_OK) {
        return TML_BAD_ARGUMENT;
    }
    tml_control copy;
    const tml_status status = tml__control_copy(control, &spec->memory, &copy);
    if (status == TML_OK) a->control = copy;
    return status;
}
