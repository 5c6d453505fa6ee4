// model/check.c - the checks a definition must pass before it enters a spec.
#include "model/check.h"

#include "math/mat3.h"
#include "model/catalogue.h"
#include "model/control.h"
#include "model/deformable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_finite3(tml_vec3 a) { return v3_is_finite(a) != 0; }

// Principal moments must be positive and each at most the sum of the others; rounding in files
// (slender rods, flat plates) is forgiven to 1e-6 of the largest.
static tml_status check_inertia(const tml_body_def* def, message* why)
{
    const double* i = def->inertia;
    for (int k = 0; k < 6; k++) {
        if (!isfinite(i[k])) {
            return tml__fail(why, TML_BAD_ARGUMENT, "body '%s': inertia is not finite", def->name);
        }
    }
    const mat3 J = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
    vec3 moments;
    mat3 axes;
    tml__m3_eigen(J, &moments, &axes);

    if (!(moments.x > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "body '%s': inertia must be positive definite, but its principal moments "
                         "are %g, %g, %g kg m^2",
                         def->name, moments.x, moments.y, moments.z);
    }
    if (moments.z > (moments.x + moments.y) * (1.0 + 1e-6)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "body '%s': inertia violates the triangle inequality: principal moment %g "
                         "exceeds the sum of the others, %g + %g kg m^2",
                         def->name, moments.z, moments.x, moments.y);
    }
    return TML_OK;
}

tml_status tml__check_shape(const tml_shape_def* shape, const char* what, message* why)
{
    const tml_vec3 size = shape->size;
    const tml_quat q = shape->pose.q;
    const double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);

    if ((unsigned)shape->kind >= TML_SHAPE_KINDS) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%s: unknown kind (%d)", what, (int)shape->kind);
    }
    if (!is_finite3(size) || size.x < 0.0 || size.y < 0.0 || size.z < 0.0) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%s: size must be finite and not negative, but is (%g, %g, %g) m", what,
                         size.x, size.y, size.z);
    }
    if (!is_finite3(shape->pose.p) || !(fabs(norm - 1.0) < 1e-6)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%s: position must be finite and orientation a unit quaternion", what);
    }
    if (!isfinite(shape->density) || shape->density < 0.0 || !isfinite(shape->friction) ||
        shape->friction < 0.0 || !(shape->restitution >= 0.0 && shape->restitution <= 1.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%s: density and friction must be finite and not negative, restitution "
                         "in [0, 1]",
                         what);
    }
    const int d = shape->dimensions;
    if (!(d == 1 || d == 3 || d == 4 || d == 6) ||
        !(shape->torsion >= 0.0 && isfinite(shape->torsion)) ||
        !(shape->margin >= 0.0 && isfinite(shape->margin)) ||
        !(shape->rolling >= 0.0 && isfinite(shape->rolling))) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%s: contact has 1, 3, 4 or 6 dimensions, not %d; torsion and rolling are "
                         "finite and not negative",
                         what, d);
    }
    return tml__check_shape_lists(shape, what, why);
}

static tml_status check_shapes(const tml_body_def* def, message* why)
{
    if (def->shape_count < 0 || (def->shape_count > 0 && def->shapes == NULL)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "body '%s': its list of %d shapes does not exist",
                         def->name, def->shape_count);
    }
    for (int i = 0; i < def->shape_count; i++) {
        char element[160];
        snprintf(element, sizeof element, "shape %d of body '%.120s'", i, def->name);
        const tml_status status = tml__check_shape(&def->shapes[i], element, why);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

// Numbers beyond this are no lengths, speeds or masses; a few of them multiplied still are numbers.
static const double largest = 1e50;

static bool is_usable(tml_vec3 a) { return v3_is_finite(a) && v3_max(a) <= largest; }

// v3_max: the largest |component|
static tml_status check_sizes(const tml_body_def* def, message* why)
{
    static const char* const names[] = {"position", "com", "velocity", "angular_velocity"};
    const tml_vec3 values[] = {def->pose.p, def->com, def->velocity.linear, def->velocity.angular};
    for (int k = 0; k < 4; k++) {
        if (is_usable(values[k])) continue;
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "body '%s': %s (%g, %g, %g) is beyond what can be simulated (%g)",
                         def->name, names[k], values[k].x, values[k].y, values[k].z, largest);
    }
    double most = def->mass;
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(def->inertia[k]));
    if (most <= largest) return TML_OK;
    return tml__fail(why, TML_BAD_ARGUMENT,
                     "body '%s': mass or inertia (%g) is beyond what can be simulated (%g)",
                     def->name, most, largest);
}

tml_status tml__check_body(const tml_body_def* def, message* why)
{
    const char* name = def->name;
    if (!isfinite(def->mass) || !(def->mass > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "body '%s': mass must be positive, but is %g kg",
                         name, def->mass);
    }
    if (!is_finite3(def->com) || !is_finite3(def->pose.p)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "body '%s': position or com is not finite", name);
    }
    if (!is_finite3(def->velocity.linear) || !is_finite3(def->velocity.angular)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "body '%s': velocity is not finite", name);
    }
    const tml_quat q = def->pose.q;
    const double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(fabs(norm - 1.0) < 1e-6)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "body '%s': orientation must be a unit quaternion, but its length is %g",
                         name, norm);
    }
    tml_status status = check_sizes(def, why);
    if (status == TML_OK) status = check_inertia(def, why);
    return status == TML_OK ? check_shapes(def, why) : status;
}

int tml__joint_is_free(const tml_joint_def* def, tml_axis axis)
{
    const joint_freedom freedom = tml__joint_freedom(def);
    const int letter = "xyz"[(int)axis % 3];
    return strchr((int)axis < 3 ? freedom.slides : freedom.turns, letter) != NULL;
}

static tml_status check_letters(const tml_joint_def* def, const char* letters, size_t capacity,
                                message* why)
{
    if (memchr(letters, '\0', capacity) == NULL) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': too many free axes", def->name);
    }
    for (const char* p = letters; *p != '\0'; p++) {
        if (*p < 'x' || *p > 'z' || strchr(p + 1, *p) != NULL) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "joint '%s': free axes must be different letters of x, y, z, but are "
                             "\"%s\"",
                             def->name, letters);
        }
    }
    return TML_OK;
}

static int body_exists(const definitions* all, tml_body body)
{
    return body.index >= -1 && body.index < all->body_count;
}

static const char* name_of(const definitions* all, tml_body body)
{
    return body.index == -1 ? "world" : all->bodies[body.index].name;
}

tml_status tml__check_pair(const definitions* all, tml_body a, tml_body b, const char* what,
                           message* why)
{
    if (!body_exists(all, a) || !body_exists(all, b)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%s: one of the bodies %d and %d does not exist",
                         what, a.index, b.index);
    }
    if (a.index != b.index) return TML_OK;
    return tml__fail(why, TML_BAD_ARGUMENT, "%s: body '%s' is paired with itself", what,
                     name_of(all, a));
}

static tml_status check_control(const tml_joint_def* def, int k, const tml_control* c,
                                const char* what, message* why)
{
    char element[160];
    snprintf(element, sizeof element, "joint '%s': %s %s", def->name, what,
             tml_axis_name((tml_axis)k));
    return tml__control_check(c, element, why);
}

static tml_status check_free_axis(const tml_joint_def* def, int k, message* why)
{
    const tml_joint_axis* a = &def->axis_of[k];
    const char* axis = tml_axis_name((tml_axis)k);
    const double numbers[] = {a->stiffness, a->damping, a->rest, a->servo_stiffness,
                              a->servo_damping};

    for (int i = 0; i < 5; i++) {
        if (!isfinite(numbers[i]) || (i != 2 && numbers[i] < 0.0)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "joint '%s': stiffness and damping of %s must be finite and not "
                             "negative",
                             def->name, axis);
        }
    }
    if (!(a->armature >= 0.0 && isfinite(a->armature)) ||
        !(a->friction >= 0.0 && isfinite(a->friction))) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': armature and friction of %s must be finite and not negative",
                         def->name, axis);
    }
    if (a->has_force_limits && !(a->force_lower <= 0.0 && a->force_upper >= 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': force limits of %s must be [low, high] around 0, but are "
                         "[%g, %g]",
                         def->name, axis, a->force_lower, a->force_upper);
    }
    if (a->has_limits && !(a->lower <= a->upper)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': limits of %s must be [low, high], but are [%g, %g]",
                         def->name, axis, a->lower, a->upper);
    }
    if (a->has_limits && a->actuation == TML_POSITION) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': %s is position-actuated and cannot have limits too",
                         def->name, axis);
    }
    if (a->has_servo && a->actuation == TML_POSITION) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': %s is position-actuated, so a servo could not move it",
                         def->name, axis);
    }
    const tml_status status = check_control(def, k, &a->control, "control of", why);
    return status != TML_OK ? status
                            : check_control(def, k, &a->servo_target, "servo target of", why);
}

// A held axis may only have a compliance and a weight.
static tml_status check_held_axis(const tml_joint_def* def, int k, message* why)
{
    const tml_joint_axis* a = &def->axis_of[k];
    const bool has_more = a->actuation != TML_PASSIVE || a->control.kind != TML_CONTROL_NONE ||
                          a->has_limits || a->stiffness != 0.0 || a->damping != 0.0 ||
                          a->rest != 0.0 || a->has_servo;
    if (!has_more) return TML_OK;
    return tml__fail(why, TML_BAD_ARGUMENT,
                     "joint '%s': %s is held by the joint, so it takes no actuation, control, "
                     "limits, spring or servo",
                     def->name, tml_axis_name((tml_axis)k));
}

static tml_status check_axis(const tml_joint_def* def, int k, message* why)
{
    const tml_joint_axis* a = &def->axis_of[k];
    const bool is_free = tml__joint_is_free(def, (tml_axis)k) != 0;
    const char* axis = tml_axis_name((tml_axis)k);

    if (!isfinite(a->compliance) || a->compliance < 0.0) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': compliance of %s must not be negative",
                         def->name, axis);
    }
    if (!isfinite(a->weight) || !(a->weight > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': weight of %s must be positive",
                         def->name, axis);
    }
    if ((unsigned)a->actuation > TML_FORCE) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': unknown actuation of %s (%d)",
                         def->name, axis, (int)a->actuation);
    }
    if (is_free && a->actuation == TML_PASSIVE && a->control.kind != TML_CONTROL_NONE) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': %s has a control but is passive; give it an actuation",
                         def->name, axis);
    }
    return is_free ? check_free_axis(def, k, why) : check_held_axis(def, k, why);
}

tml_status tml__check_joint(const definitions* all, const tml_joint_def* def, message* why)
{
    const char* name = def->name;
    if ((unsigned)def->kind > TML_JOINT_CUSTOM) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': unknown kind", name);
    }
    if (def->kind == TML_JOINT_CUSTOM) {
        tml_status status = check_letters(def, def->free_translation, 4, why);
        if (status == TML_OK) status = check_letters(def, def->free_rotation, 4, why);
        if (status != TML_OK) return status;
    }
    if (!body_exists(all, def->base) || !body_exists(all, def->follower)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': a body it names does not exist", name);
    }
    if (def->base.index == def->follower.index) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "joint '%s': base and follower are the same body '%s'", name,
                         def->base.index < 0 ? "world" : all->bodies[def->base.index].name);
    }
    if (!is_finite3(def->position) || !is_finite3(def->follower_position)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s': position is not finite", name);
    }
    tml_vec3 axes[3];
    tml_status status = tml__joint_axes(def, 0, axes, why);
    if (status == TML_OK) status = tml__joint_axes(def, 1, axes, why);
    for (int k = 0; k < TML_AXES && status == TML_OK; k++) status = check_axis(def, k, why);
    return status;
}

tml_status tml__check_coupling(const definitions* all, const tml_coupling_def* def, message* why)
{
    if (def->term_count < 1 || def->terms == NULL) {
        return tml__fail(why, TML_BAD_ARGUMENT, "coupling '%s': it has no terms", def->name);
    }
    if (!isfinite(def->offset) || !isfinite(def->compliance) || def->compliance < 0.0 ||
        !isfinite(def->weight) || !(def->weight > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "coupling '%s': offset must be finite, compliance not negative, weight "
                         "positive",
                         def->name);
    }
    for (int i = 0; i < def->term_count; i++) {
        const tml_coupling_term* term = &def->terms[i];
        if (term->joint.index < 0 || term->joint.index >= all->joint_count) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "coupling '%s': the joint of term %d does not exist", def->name, i);
        }
        const tml_joint_def joint = tml__joint_expand(&all->joints[term->joint.index]);
        if ((unsigned)term->axis >= TML_AXES || !tml__joint_is_free(&joint, term->axis)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "coupling '%s': axis %s of joint '%s' is not free", def->name,
                             tml_axis_name(term->axis), joint.name);
        }
        if (term->degree < 1 || term->degree > TML_COUPLING_DEGREE) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "coupling '%s': a term takes 1 to %d coefficients, not %d", def->name,
                             (int)TML_COUPLING_DEGREE, term->degree);
        }
        for (int k = 0; k < term->degree; k++) {
            if (!isfinite(term->coefficient[k])) {
                return tml__fail(why, TML_BAD_ARGUMENT,
                                 "coupling '%s': a coefficient of term %d is not finite", def->name,
                                 i);
            }
        }
    }
    return TML_OK;
}

static bool is_zero3(tml_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

tml_status tml__check_nonholonomic(const definitions* all, const tml_nonholonomic_def* def,
                                   message* why)
{
    if (def->body.index < 0 || def->body.index >= all->body_count) {
        return tml__fail(why, TML_BAD_ARGUMENT, "nonholonomic '%s': it needs a body", def->name);
    }
    if (!is_finite3(def->point) || !is_finite3(def->axis)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "nonholonomic '%s': point and axis must be finite",
                         def->name);
    }
    if (def->kind == TML_KNIFE_EDGE) {
        if (!is_zero3(def->axis)) return TML_OK;
        return tml__fail(why, TML_BAD_ARGUMENT, "nonholonomic '%s': its axis has no length",
                         def->name);
    }
    if (def->kind != TML_ROLLING) {
        return tml__fail(why, TML_BAD_ARGUMENT, "nonholonomic '%s': there is no kind %d", def->name,
                         (int)def->kind);
    }
    if (!isfinite(def->radius) || !(def->radius > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "nonholonomic '%s': radius must be positive, not %g", def->name,
                         def->radius);
    }
    if (!is_finite3(def->plane_normal) || is_zero3(def->plane_normal) ||
        !isfinite(def->plane_offset)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "nonholonomic '%s': its plane needs a normal and a finite offset",
                         def->name);
    }
    return TML_OK;
}

static tml_status check_spring_table(const tml_spring_def* def, message* why)
{
    if ((unsigned)def->law > TML_SPRING_TABLE) {
        return tml__fail(why, TML_BAD_ARGUMENT, "spring '%s': unknown law (%d)", def->name,
                         (int)def->law);
    }
    if (def->law != TML_SPRING_TABLE) return TML_OK;
    if (def->table_count < 2 || def->table_extensions == NULL || def->table_forces == NULL) {
        return tml__fail(why, TML_BAD_ARGUMENT, "spring '%s': its table needs two points or more",
                         def->name);
    }
    for (int i = 0; i < def->table_count; i++) {
        const bool rises = i == 0 || def->table_extensions[i] > def->table_extensions[i - 1];
        if (!rises || !isfinite(def->table_extensions[i]) || !isfinite(def->table_forces[i])) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "spring '%s': the extensions of its table must be finite and increase "
                             "strictly (point %d)",
                             def->name, i);
        }
    }
    return TML_OK;
}

static tml_status check_muscle(const tml_spring_def* def, message* why)
{
    const tml_muscle* m = &def->muscle;
    char element[160];
    if (m->force == 0.0) return TML_OK;
    if (!(m->force > 0.0) || !isfinite(m->force) || !(m->optimal_length > 0.0) ||
        !isfinite(m->optimal_length) || !isfinite(m->tendon_length)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "muscle '%s': force (%g N) and optimal length (%g m) must be finite and "
                         "positive, the tendon's length (%g m) finite",
                         def->name, m->force, m->optimal_length, m->tendon_length);
    }
    if (!(m->lmin >= 0.0) || !(m->lmin < 1.0) || !(m->lmax > 1.0) || !isfinite(m->lmax) ||
        !(m->vmax > 0.0) || !isfinite(m->vmax) || !(m->fpmax >= 0.0) || !isfinite(m->fpmax) ||
        !(m->fvmax >= 1.0) || !isfinite(m->fvmax)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "muscle '%s': needs 0 <= lmin < 1 < lmax, vmax > 0, fpmax >= 0 and fvmax "
                         ">= 1, not %g, %g, %g, %g and %g",
                         def->name, m->lmin, m->lmax, m->vmax, m->fpmax, m->fvmax);
    }
    snprintf(element, sizeof element, "the activation of muscle '%s'", def->name);
    return tml__control_check(&m->activation, element, why);
}

tml_status tml__check_spring(const definitions* all, const tml_spring_def* def, message* why)
{
    if (def->point_count < 2 || def->points == NULL) {
        return tml__fail(why, TML_BAD_ARGUMENT, "spring '%s': it needs two points or more",
                         def->name);
    }
    for (int i = 0; i < def->point_count; i++) {
        if (is_finite3(def->points[i].position) &&
            tml__handle_deformable(def->points[i].body) >= 0) {
            const tml_status status =
                tml__check_soft_point(all, &def->points[i], def->name, i, why);
            if (status != TML_OK) return status;
            continue;
        }
        if (!body_exists(all, def->points[i].body) || !is_finite3(def->points[i].position)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "spring '%s': point %d is on no body or not finite", def->name, i);
        }
    }
    if (!isfinite(def->stiffness) || def->stiffness < 0.0 || !isfinite(def->damping) ||
        def->damping < 0.0 || !isfinite(def->rest_length)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "spring '%s': stiffness and damping must be finite and not negative",
                         def->name);
    }
    tml_status status = check_spring_table(def, why);
    if (status == TML_OK) status = check_muscle(def, why);
    if (status != TML_OK) return status;

    char element[160];
    snprintf(element, sizeof element, "spring '%s'", def->name);
    return tml__control_check(&def->force, element, why);
}

tml_status tml__check_wrench(const definitions* all, const tml_wrench_def* def, message* why)
{
    if (!body_exists(all, def->body) || def->body.index < 0 || !is_finite3(def->point)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "wrench '%s': it needs a body and a finite point",
                         def->name);
    }
    char element[160];
    snprintf(element, sizeof element, "wrench '%s'", def->name);
    tml_status status = TML_OK;
    for (int k = 0; k < 3 && status == TML_OK; k++) {
        status = tml__control_check(&def->force[k], element, why);
        if (status == TML_OK) status = tml__control_check(&def->torque[k], element, why);
    }
    return status;
}

tml_status tml__check_drag(const definitions* all, const tml_drag_def* def, message* why)
{
    if (!body_exists(all, def->body) || def->body.index < 0) {
        return tml__fail(why, TML_BAD_ARGUMENT, "drag '%s': it needs a body", def->name);
    }
    if (!isfinite(def->linear) || def->linear < 0.0 || !isfinite(def->angular) ||
        def->angular < 0.0 || !is_finite3(def->wind)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "drag '%s': coefficients must be finite and not negative", def->name);
    }
    return TML_OK;
}
