// diff/perturb.c - copies of a frozen model with other numbers.
#include "diff/perturb.h"

#include "method/instant.h"

#include <string.h>

enum {
    CLOSING_STEPS = 8,
    CLOSING_PASSES = 30
};

static void* duplicate(const tml_allocator* a, const void* from, size_t count, size_t size)
{
    void* copy = tml__allocate(a, count, size);
    if (copy != NULL && count > 0) memcpy(copy, from, count * size);
    return copy;
}

void tml__perturb_destroy(const tml_sim* sim, tml_model* m)
{
    const tml_allocator* a = &sim->settings.allocator;
    if (m == NULL) return;
    for (int j = 0; m->joints != NULL && j < m->all.joint_count; j++) {
        union {
            const axis_data* given;
            void* own;
        } axis = {.given = m->joints[j].axis};
        if (axis.given != sim->model->joints[j].axis) tml__release(a, axis.own);
    }
    for (int i = 0; m->springs != NULL && i < m->all.spring_count; i++) {
        tml__release(a, m->springs[i].point);
    }
    tml__release(a, m->bodies);
    tml__release(a, m->joints);
    tml__release(a, m->springs);
    tml__release(a, m->wrenches);
    tml__release(a, m->contact_shift);
    tml__release(a, m);
}

static bool is_zero(const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] != 0.0) return false;
    }
    return true;
}

// The numbers of a joint's axes stay as they are: they are shared then (a million joints have 1.6 GB of them).
static bool shares_axes(const parameter_set* in, size_t joint)
{
    const size_t count = (size_t)TML_AXES * AXIS_PARAMETERS;
    return is_zero(&in->axis[joint * count], count);
}

// Arrays of its own wherever a number may change.
static tml_model* copy_model(const tml_sim* sim, const parameter_set* in)
{
    const tml_allocator* a = &sim->settings.allocator;
    const tml_model* from = sim->model;
    tml_model* m = duplicate(a, from, 1, sizeof *from);
    if (m == NULL) return NULL;
    const size_t joints = (size_t)from->all.joint_count;
    const size_t springs = (size_t)from->all.spring_count;
    m->bodies = duplicate(a, from->bodies, (size_t)from->all.body_count + 1, sizeof *m->bodies);
    m->wrenches = duplicate(a, from->wrenches, (size_t)from->all.wrench_count, sizeof *m->wrenches);
    m->joints = tml__allocate(a, joints, sizeof *m->joints);
    m->springs = tml__allocate(a, springs, sizeof *m->springs);
    m->contact_shift = tml__allocate(a, 2 * (size_t)from->all.body_count, sizeof(double));
    bool is_whole = m->contact_shift != NULL && m->bodies != NULL && m->wrenches != NULL &&
                    m->joints != NULL && m->springs != NULL;
    for (size_t j = 0; is_whole && j < joints; j++) {
        m->joints[j] = from->joints[j];
        if (shares_axes(in, j)) continue;
        const bool has_dots = from->joints[j].dots != NULL;  // behind the axes
        m->joints[j].axis = duplicate(a, from->joints[j].axis, TML_AXES + (has_dots ? 3 : 0),
                                      sizeof *from->joints[j].axis);
        is_whole = m->joints[j].axis != NULL;
        if (has_dots && is_whole) m->joints[j].dots = m->joints[j].axis + TML_AXES;
    }
    for (size_t i = 0; is_whole && i < springs; i++) {
        m->springs[i] = from->springs[i];
        m->springs[i].point =
            duplicate(a, from->springs[i].point, (size_t)from->springs[i].point_count,
                      sizeof *from->springs[i].point);
        is_whole = m->springs[i].point != NULL;
    }
    if (is_whole) return m;
    tml__perturb_destroy(sim, m);
    return NULL;
}

static void change_marker(const double* change, vec3* point, mat3* axes)
{
    *point = v3_add(*point, v3_load(change));
    *axes = m3_mul(q_matrix(q_exp(v3_load(change + 3))), *axes);
}

static void change_joint(tml_model* m, int j, const parameter_set* in)
{
    joint_data* joint = &m->joints[j];
    const double* markers = &in->marker[2 * MARKER_PARAMETERS * j];
    axis_data axes[TML_AXES];
    union {
        const axis_data* given;
        axis_data* own;
    } axis = {.given = joint->axis};

    change_marker(markers, &joint->point_F, &joint->axes_F);
    change_marker(markers + MARKER_PARAMETERS, &joint->point_B, &joint->axes_B);
    if (shares_axes(in, (size_t)j)) return;
    memcpy(axes, joint->axis, sizeof axes);
    for (int k = 0; k < TML_AXES; k++) {
        const double* a = &in->axis[(j * TML_AXES + k) * AXIS_PARAMETERS];
        axes[k].stiffness += a[AXIS_STIFFNESS];
        *(joint->dots != NULL && k >= TML_AXIS_RX ? &axes[k].spin_damping : &axes[k].damping) +=
            a[AXIS_DAMPING];
        axes[k].rest += a[AXIS_REST];
        axes[k].servo_stiffness += a[AXIS_SERVO_STIFFNESS];
        axes[k].servo_damping += a[AXIS_SERVO_DAMPING];
        axes[k].weight += a[AXIS_WEIGHT];
    }
    memcpy(axis.own, axes, sizeof axes);
    if (joint->dots != NULL) tml__damp_dots(axis.own, axis.own + TML_AXES);
}

static void change_bodies(tml_model* m, const run_inputs* in)
{
    for (int b = 0; b < m->all.body_count; b++) {
        body_data* body = &m->bodies[b];
        const double* own = &in->form.body[BODY_PARAMETERS * b];
        const double* J = own + 1;
        const vec3 p = v3_sub(body->c, q_rotate(body->q, body->com));

        if (body->node < 0) continue;
        body->mass += own[0];
        body->inertia = m3_add(
            body->inertia, (mat3){{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}});
        body->com = v3_add(body->com, v3_load(&in->com[3 * b]));
        body->c = v3_add(p, q_rotate(body->q, body->com));
    }
}

// Velocities of the body frames as given, at the poses as they are in the end.
static void change_velocities(const tml_model* from, tml_model* m, const run_inputs* in)
{
    for (int b = 0; b < m->all.body_count; b++) {
        const body_data* old = &from->bodies[b];
        body_data* body = &m->bodies[b];
        const double* initial = &in->initial[INITIAL_NUMBERS * b];
        if (body->node < 0) continue;
        const vec3 v = v3_sub(old->v, v3_cross(old->omega, q_rotate(old->q, old->com)));
        body->omega = v3_add(old->omega, v3_load(initial + 9));
        body->v = v3_add(v3_add(v, v3_load(initial + 6)),
                         v3_cross(body->omega, q_rotate(body->q, body->com)));
    }
}

// The wanted motion of every body, 6 a node.
static void want(const tml_model* m, const run_inputs* in, double* motion)
{
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        const double* initial = &in->initial[INITIAL_NUMBERS * m->node_body[n]];
        const vec3 phi = v3_load(initial + 3);
        v3_store(&motion[6 * n], v3_add(v3_load(initial), v3_cross(phi, q_rotate(b->q, b->com))));
        v3_store(&motion[6 * n + 3], phi);
    }
}

// One step towards closed joints in the metric of the mass matrix, solved as exactly as can be: a
// sloppy first step would close the joints too, but somewhere else. The first step goes from the poses
// as they were, so that poses off the rows never count: there redundant rows contradict each other.
// The largest row in *open.
static tml_status close_once(maximal_system* s, const double* wanted, double* x, double* open)
{
    tml__maximal_place(s, x, NULL);
    *open = tml__maximal_rows(s);
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = s->compliance[row] > 0.0 ? 0.0 : -s->C[row];
    }
    memset(s->residual, 0, (size_t)(6 * s->node_count) * sizeof *s->residual);
    // M times the wanted motion pulls towards the given poses
    if (wanted != NULL) tml__add_momenta(s, 1.0, wanted, s->residual);
    tml__kkt_set_passes(s->matrix, CLOSING_PASSES);
    tml_status status = tml__maximal_factor_position(s);
    if (status == TML_OK) {
        status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl);
    }
    for (int n = 0; n < s->node_count && status == TML_OK; n++) {
        double* at = &x[POSE_WIDTH * n];
        tml__maximal_displace(at, at, &s->dx[6 * n], 1.0);
    }
    return status;
}

// The nearest poses that close the joints.
static tml_status close_poses(const tml_sim* sim, tml_model* m, const run_inputs* change,
                              closed_from* from, message* why)
{
    const tml_allocator* a = &sim->settings.allocator;
    maximal_system* s = NULL;
    double open = 1.0;
    const size_t width = (size_t)(m->node_count * POSE_WIDTH);
    double* x = tml__allocate(a, width, sizeof *x);
    from->given = tml__allocate(a, width, sizeof *x);
    from->wanted = tml__allocate(a, 6 * (size_t)m->node_count, sizeof *x);
    const bool is_whole = x != NULL && from->given != NULL && from->wanted != NULL;
    tml_status status = is_whole ? TML_OK : TML_NO_MEMORY;

    if (status == TML_OK) status = tml__maximal_create(m, KKT_AUTO, a, why, &s);
    for (int n = 0; n < m->node_count && status == TML_OK; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        const double pose[POSE_WIDTH] = {b->c.x, b->c.y, b->c.z, b->q.w, b->q.x, b->q.y, b->q.z};
        memcpy(&x[POSE_WIDTH * n], pose, sizeof pose);
    }
    if (status == TML_OK) {
        memcpy(from->given, x, width * sizeof *x);
        want(m, change, from->wanted);
        // lean simulations keep none, and have nothing that would need them
        if (!sim->system->is_lean) {
            memcpy(s->hints, sim->coordinates,
                   (size_t)m->all.joint_count * TML_AXES * sizeof *s->hints);
        }
        tml__maximal_time(s, 0.0, NULL);
    }
    // what is left open would be noise in differences: down to rounding
    for (int k = 0; k < CLOSING_STEPS && status == TML_OK && (k < 2 || open > 1e-15); k++) {
        status = close_once(s, k == 0 ? from->wanted : NULL, x, &open);
    }
    if (status == TML_OK && !(open <= sim->settings.tolerance)) status = TML_NOT_CONVERGED;
    if (status != TML_OK) tml__fail(why, status, "the changed model cannot be closed");
    for (int n = 0; n < m->node_count && status == TML_OK; n++) {
        body_data* b = &m->bodies[m->node_body[n]];
        const double* p = &x[POSE_WIDTH * n];
        b->c = v3_load(p);
        b->q = (quat){p[3], p[4], p[5], p[6]};
    }
    tml__maximal_destroy(s);
    tml__release(a, x);
    return status;
}

// Does a change move bodies or what joints hold? Where it does not, links are as closed as they were: to close them
// once more would take 5 kB a link.
static bool opens_joints(const tml_sim* sim, const run_inputs* change)
{
    const definitions* all = &sim->model->all;
    if (!sim->system->is_lean) return true;
    const size_t markers = 2 * MARKER_PARAMETERS * (size_t)all->joint_count;
    if (!is_zero(change->form.marker, markers)) return true;
    for (int b = 0; b < all->body_count; b++) {
        if (!is_zero(&change->initial[INITIAL_NUMBERS * b], 6)) return true;
    }
    return false;
}

// Leading minors, all positive.
static bool is_definite(const mat3* J)
{
    const double second = J->m[0][0] * J->m[1][1] - J->m[0][1] * J->m[0][1];
    return J->m[0][0] > 0.0 && second > 0.0 && m3_determinant(*J) > 0.0;
}

// Numbers that no body and no joint can have: the scene format refuses them too.
static tml_status refuse_impossible(const tml_model* m, message* why)
{
    for (int b = 0; b < m->all.body_count; b++) {
        const body_data* body = &m->bodies[b];
        if (body->node < 0) continue;
        if (!(body->mass > 0.0)) {
            return tml__fail(why, TML_BAD_ARGUMENT, "body '%s' would have a mass of %g kg",
                             m->all.bodies[b].name, body->mass);
        }
        if (!is_definite(&body->inertia)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "the inertia of body '%s' would not be positive definite",
                             m->all.bodies[b].name);
        }
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const double weight = m->joints[j].axis[k].weight;
            if (weight > 0.0) continue;
            return tml__fail(why, TML_BAD_ARGUMENT, "joint '%s' would have a weight of %g along %s",
                             m->all.joints[j].name, weight, tml_axis_name((tml_axis)k));
        }
    }
    return TML_OK;
}

void tml__closed_from_release(const tml_sim* sim, closed_from* from)
{
    tml__release(&sim->settings.allocator, from->given);
    tml__release(&sim->settings.allocator, from->wanted);
    *from = (closed_from){NULL, NULL};
}

tml_status tml__perturb(const tml_sim* sim, const run_inputs* change, message* why,
                        closed_from* from, tml_model** out)
{
    const parameter_set* in = &change->form;
    tml_model* m = copy_model(sim, in);
    *out = m;
    *from = (closed_from){NULL, NULL};
    if (m == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");

    m->all.gravity = v3_add(m->all.gravity, v3_load(in->gravity));
    change_bodies(m, change);
    for (int j = 0; j < m->all.joint_count; j++) change_joint(m, j, in);
    for (int i = 0; i < m->all.spring_count; i++) {
        const double* own = &in->spring[SPRING_PARAMETERS * i];
        const double* points = &in->point[3 * tml__first_spring_point(sim->system, i)];
        spring_data* spring = &m->springs[i];
        spring->stiffness += own[0];
        spring->damping += own[1];
        spring->rest_length += own[2];
        for (int k = 0; k < spring->point_count; k++) {
            spring->point[k] = v3_add(spring->point[k], v3_load(&points[3 * k]));
        }
    }
    const double* points = &in->point[3 * tml__first_wrench_point(sim->system)];
    for (int i = 0; i < m->all.wrench_count; i++) {
        m->wrenches[i].point = v3_add(m->wrenches[i].point, v3_load(&points[3 * i]));
    }
    for (int i = 0; i < 2 * m->all.body_count; i++) m->contact_shift[i] = change->contact[i];
    tml_status status = refuse_impossible(m, why);
    if (status == TML_OK && opens_joints(sim, change))
        status = close_poses(sim, m, change, from, why);
    if (status == TML_OK) change_velocities(sim->model, m, change);
    return status;
}
