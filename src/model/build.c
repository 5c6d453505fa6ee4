// model/build.c - freezing a spec into a model: deep copies, centre-of-mass frames, numbering.
//
// A body definition speaks of a body frame; the equations of motion want the centre of mass. The
// shift happens here and nowhere else: joints and forces leave with points measured from the
// centre of mass, and the state starts at the centre of mass.
#include "base/memory.h"
#include "model/catalogue.h"
#include "model/deformable.h"
#include "model/model.h"
#include "model/topology.h"

#include <string.h>

// ---- copying the definitions

static void* copy_list(tml_model* m, const void* list, int count, size_t size)
{
    return tml__pool_copy(&m->memory, list, (size_t)count, size);
}

static tml_status copy_bodies(tml_model* m, const definitions* from)
{
    m->all.bodies = copy_list(m, from->bodies, from->body_count, sizeof *from->bodies);
    if (m->all.bodies == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < from->body_count; i++) {
        tml_body_def* b = &m->all.bodies[i];
        b->name = tml__pool_text(&m->memory, b->name);
        b->shapes = tml__shapes_share(&m->memory, b->shapes, b->shape_count, i > 0 ? b - 1 : NULL);
        if (b->name == NULL || b->shapes == NULL) return TML_NO_MEMORY;
        if (!tml__names_add(m->body_names, b->name, i)) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_joints(tml_model* m, const definitions* from)
{
    m->all.joints = copy_list(m, from->joints, from->joint_count, sizeof *from->joints);
    if (m->all.joints == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < from->joint_count; i++) {
        const tml_joint_def def = tml__joint_expand(&from->joints[i]);
        joint_entry* j = &m->all.joints[i];
        if (tml__joint_store(&def, &m->memory, j) != TML_OK) return TML_NO_MEMORY;
        j->name = tml__pool_text(&m->memory, def.name);
        if (j->name == NULL || !tml__names_add(m->joint_names, j->name, i)) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_couplings(tml_model* m, const definitions* from)
{
    m->all.couplings = copy_list(m, from->couplings, from->coupling_count, sizeof *from->couplings);
    if (m->all.couplings == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < from->coupling_count; i++) {
        tml_coupling_def* c = &m->all.couplings[i];
        c->name = tml__pool_text(&m->memory, c->name);
        c->terms = copy_list(m, c->terms, c->term_count, sizeof *c->terms);
        if (c->name == NULL || c->terms == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_nonholonomics(tml_model* m, const definitions* from)
{
    m->all.nonholonomics =
        copy_list(m, from->nonholonomics, from->nonholonomic_count, sizeof *from->nonholonomics);
    if (m->all.nonholonomics == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < from->nonholonomic_count; i++) {
        tml_nonholonomic_def* n = &m->all.nonholonomics[i];
        n->name = tml__pool_text(&m->memory, n->name);
        if (n->name == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_forces(tml_model* m, const definitions* from)
{
    m->all.springs = copy_list(m, from->springs, from->spring_count, sizeof *from->springs);
    m->all.wrenches = copy_list(m, from->wrenches, from->wrench_count, sizeof *from->wrenches);
    m->all.drags = copy_list(m, from->drags, from->drag_count, sizeof *from->drags);
    if (!m->all.springs || !m->all.wrenches || !m->all.drags) return TML_NO_MEMORY;

    for (int i = 0; i < from->spring_count; i++) {
        tml_spring_def* s = &m->all.springs[i];
        s->name = tml__pool_text(&m->memory, s->name);
        s->points = copy_list(m, s->points, s->point_count, sizeof *s->points);
        s->table_extensions = copy_list(m, s->table_extensions, s->table_count, sizeof(double));
        s->table_forces = copy_list(m, s->table_forces, s->table_count, sizeof(double));
        if (!s->name || !s->points || !s->table_extensions || !s->table_forces) {
            return TML_NO_MEMORY;
        }
        const tml_spring_def* given = &from->springs[i];
        if (tml__control_copy(&given->force, &m->memory, &s->force) != TML_OK ||
            tml__control_copy(&given->muscle.activation, &m->memory, &s->muscle.activation) !=
                TML_OK) {
            return TML_NO_MEMORY;
        }
    }
    for (int i = 0; i < from->wrench_count; i++) {
        tml_wrench_def* w = &m->all.wrenches[i];
        w->name = tml__pool_text(&m->memory, w->name);
        if (w->name == NULL) return TML_NO_MEMORY;
        for (int k = 0; k < 3; k++) {
            const tml_wrench_def* given = &from->wrenches[i];
            if (tml__control_copy(&given->force[k], &m->memory, &w->force[k]) != TML_OK ||
                tml__control_copy(&given->torque[k], &m->memory, &w->torque[k]) != TML_OK) {
                return TML_NO_MEMORY;
            }
        }
    }
    for (int i = 0; i < from->drag_count; i++) {
        m->all.drags[i].name = tml__pool_text(&m->memory, m->all.drags[i].name);
        if (m->all.drags[i].name == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_deformables(tml_model* m, const definitions* from)
{
    m->all.deformables =
        copy_list(m, from->deformables, from->deformable_count, sizeof *from->deformables);
    if (m->all.deformables == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < from->deformable_count; i++) {
        tml_deformable_def* d = &m->all.deformables[i];
        if (tml__deformable_copy(&from->deformables[i], &m->memory, d) != TML_OK) {
            return TML_NO_MEMORY;
        }
        d->name = tml__pool_text(&m->memory, d->name);
        if (d->name == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_sensors(tml_model* m, const definitions* from)
{
    m->all.sensors = copy_list(m, from->sensors, from->sensor_count, sizeof *from->sensors);
    if (m->all.sensors == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < from->sensor_count; i++) {
        m->all.sensors[i].name = tml__pool_text(&m->memory, m->all.sensors[i].name);
        if (m->all.sensors[i].name == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status copy_definitions(tml_model* m, const definitions* from)
{
    m->all = *from;
    m->all.name = tml__pool_text(&m->memory, from->name);
    m->all.world_shapes = tml__shapes_copy(&m->memory, from->world_shapes, from->world_shape_count);
    m->all.excludes = copy_list(m, from->excludes, from->exclude_count, sizeof *from->excludes);
    m->all.pairs = copy_list(m, from->pairs, from->pair_count, sizeof *from->pairs);
    if (!m->all.name || !m->all.world_shapes || !m->all.excludes || !m->all.pairs) {
        return TML_NO_MEMORY;
    }

    tml_status status = copy_bodies(m, from);
    if (status == TML_OK) status = copy_joints(m, from);
    if (status == TML_OK) status = copy_couplings(m, from);
    if (status == TML_OK) status = copy_nonholonomics(m, from);
    if (status == TML_OK) status = copy_forces(m, from);
    if (status == TML_OK) status = copy_deformables(m, from);
    if (status == TML_OK) status = copy_sensors(m, from);
    return status;
}

// ---- deriving what formulations need

static body_data derive_body(const tml_body_def* def)
{
    const double* i = def->inertia;
    const quat q = q_normalize(def->pose.q);
    const vec3 r = q_rotate(q, def->com);

    return (body_data){
        .mass = def->mass,
        .inertia = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}},
        .com = def->com,
        .node = -1,
        .c = v3_add(def->pose.p, r),
        .q = q,
        .v = v3_add(def->velocity.linear, v3_cross(def->velocity.angular, r)),
        .omega = def->velocity.angular,
    };
}

static tml_status derive_bodies(tml_model* m)
{
    const int count = m->all.body_count;
    m->bodies = tml__pool_take(&m->memory, (size_t)count + 1, sizeof *m->bodies);
    m->node_body = tml__pool_take(&m->memory, (size_t)count, sizeof *m->node_body);
    if (m->bodies == NULL || m->node_body == NULL) return TML_NO_MEMORY;

    for (int i = 0; i < count; i++) {
        body_data* b = &m->bodies[i];
        *b = derive_body(&m->all.bodies[i]);
        if (m->all.bodies[i].is_fixed) {
            b->v = v3_zero();
            b->omega = v3_zero();
        } else {
            b->node = m->node_count;
            m->node_body[m->node_count++] = i;
        }
    }
    m->bodies[count] =
        (body_data){.mass = 1.0, .inertia = m3_identity(), .node = -1, .q = q_identity()};
    return TML_OK;
}

// A world point or axes in the frame of a body, from its centre of mass.
static vec3 localise(const body_data* b, vec3 world)
{
    return m3_apply_t(q_matrix(b->q), v3_sub(world, b->c));
}

static mat3 localise_axes(const body_data* b, const vec3 axes[3])
{
    const mat3 R = q_matrix(b->q);
    return m3_columns(m3_apply_t(R, axes[0]), m3_apply_t(R, axes[1]), m3_apply_t(R, axes[2]));
}

// The letters that turn, in order, then the rest; and whether that is an even permutation.
static void derive_turns(const char* letters, joint_data* j)
{
    int count = 0;
    for (const char* p = letters; *p != '\0'; p++) j->turn[count++] = *p - 'x';
    j->turn_count = count;
    // one letter: continue cyclically, so that (i, j, k) is right-handed
    if (count == 1) {
        j->turn[1] = (j->turn[0] + 1) % 3;
        j->turn[2] = (j->turn[0] + 2) % 3;
    } else if (count == 2) {
        j->turn[2] = 3 - j->turn[0] - j->turn[1];
    } else if (count == 0) {
        for (int k = 0; k < 3; k++) j->turn[k] = k;
    }
    j->parity = (j->turn[1] - j->turn[0] + 3) % 3 == 1 ? 1.0 : -1.0;
}

static bool is_free(const joint_freedom* freedom, int k)
{
    return strchr(k < 3 ? freedom->slides : freedom->turns, "xyz"[k % 3]) != NULL;
}

static tml_status derive_axis(tml_model* m, const tml_joint_axis* def, axis_data* out)
{
    *out = (axis_data){
        .actuation = def->actuation,
        .control_index = def->actuation != TML_PASSIVE ? m->control_count++ : -1,
        .has_servo = def->has_servo != 0,
        .servo_stiffness = def->servo_stiffness,
        .servo_damping = def->servo_damping,
        .stiffness = def->stiffness,
        .damping = def->damping + m->all.rayleigh_stiffness * def->stiffness,
        .rest = def->rest,
        .has_force_limits = def->has_force_limits != 0,
        .force_lower = def->force_lower,
        .force_upper = def->force_upper,
        .armature = def->armature,
        .friction = def->friction,
        .has_limits = def->has_limits != 0,
        .lower = def->lower,
        .upper = def->upper,
        .compliance = def->compliance,
        .weight = def->weight,
    };
    if (def->armature > 0.0) m->has_armature = true;
    const tml_status status = tml__control_prepare(&def->control, &m->memory, &out->control);
    if (status != TML_OK) return status;
    return tml__control_prepare(&def->servo_target, &m->memory, &out->servo_target);
}

// The axes of a joint that is neither driven nor sprung nor bounded: one set serves all joints with
// the same freedom.
static const axis_data* plain_axes(tml_model* m, const joint_freedom* freedom)
{
    int mask = 0;
    for (int k = 0; k < TML_AXES; k++) mask |= is_free(freedom, k) << k;
    if (m->plain_axes[mask] != NULL) return m->plain_axes[mask];

    axis_data* axes = tml__pool_take(&m->memory, TML_AXES, sizeof *axes);
    if (axes == NULL) return NULL;
    for (int k = 0; k < TML_AXES; k++) {
        axes[k].is_free = is_free(freedom, k);
        axes[k].control_index = -1;
        axes[k].weight = 1.0;
    }
    m->plain_axes[mask] = axes;
    return axes;
}

// Rates of three angles are singular at gimbal lock: their dampers hold back the angular velocity instead.
static void derive_dots(axis_data* axes, joint_data* j)
{
    axis_data* dots = axes + TML_AXES;
    bool is_sprung = false;
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
        is_sprung |= axes[k].damping > 0.0 || axes[k].stiffness > 0.0 || axes[k].has_servo;
        axes[k].spin_damping = axes[k].damping;
        axes[k].damping = 0.0;
    }
    if (!is_sprung) return;
    for (int a = 0; a < 3; a++) {
        dots[a] = (axis_data){.is_free = true, .is_dot = true, .control_index = -1, .weight = 1.0};
    }
    tml__damp_dots(axes, dots);
    j->dots = dots;
}

static tml_status derive_axes(tml_model* m, const joint_entry* entry, const joint_freedom* freedom,
                              joint_data* j)
{
    if (entry->axis_of == NULL) {
        j->axis = plain_axes(m, freedom);
        return j->axis != NULL ? TML_OK : TML_NO_MEMORY;
    }
    axis_data* axes = tml__pool_take(&m->memory, TML_AXES + 3, sizeof *axes);
    if (axes == NULL) return TML_NO_MEMORY;
    j->axis = axes;
    for (int k = 0; k < TML_AXES; k++) {
        if (entry->axis_of[k].actuation != TML_PASSIVE) {
            m->control_axes[m->control_count] = (control_axis){(int)(j - m->joints), (tml_axis)k};
        }
        const tml_status status = derive_axis(m, &entry->axis_of[k], &axes[k]);
        if (status != TML_OK) return status;
        axes[k].is_free = is_free(freedom, k);
        if (axis_is_dry(&axes[k])) m->dry_count++;
    }
    // turns whose order a joint names itself are those of a gimbal, with bearings of their own
    if (j->turn_count == 3 && entry->kind != TML_JOINT_CUSTOM) derive_dots(axes, j);
    return TML_OK;
}

static tml_status derive_joint(tml_model* m, const joint_entry* entry, joint_data* j)
{
    const tml_joint_def expanded = tml__joint_expand(entry);
    const tml_joint_def* def = &expanded;
    const joint_freedom freedom = tml__joint_freedom(def);
    j->base = def->base.index < 0 ? tml__world(m) : def->base.index;
    j->follower = def->follower.index < 0 ? tml__world(m) : def->follower.index;

    const body_data* B = &m->bodies[j->base];
    const body_data* F = &m->bodies[j->follower];
    const vec3 point_F = def->has_follower_frame ? def->follower_position : def->position;
    vec3 axes[3];

    j->point_B = localise(B, def->position);
    j->point_F = localise(F, point_F);
    tml__joint_axes(def, 0, axes, NULL);
    j->axes_B = localise_axes(B, axes);
    tml__joint_axes(def, 1, axes, NULL);
    j->axes_F = localise_axes(F, axes);
    derive_turns(freedom.turns, j);

    const tml_status status = derive_axes(m, entry, &freedom, j);
    if (status != TML_OK) return status;
    for (int k = 0; k < TML_AXES; k++) {
        if (!j->axis[k].is_free || j->axis[k].actuation == TML_POSITION) m->row_count++;
    }
    return TML_OK;
}

tml_status tml__spring_law_of(tml_model* m, const tml_spring_def* def, double length,
                              spring_data* s)
{
    s->point_count = def->point_count;
    s->stiffness = def->stiffness;
    s->damping = def->damping;
    s->rayleigh = m->all.rayleigh_stiffness;
    s->rest_length = def->rest_length < 0.0 ? length : def->rest_length;
    s->law = def->law;
    s->table_count = def->table_count;
    s->table_extensions = def->table_extensions;
    s->table_forces = def->table_forces;
    s->muscle = def->muscle;
    const tml_status status =
        tml__control_prepare(&def->muscle.activation, &m->memory, &s->activation);
    if (status != TML_OK) return status;
    return tml__control_prepare(&def->force, &m->memory, &s->force);
}

static tml_status derive_spring(tml_model* m, const tml_spring_def* def, spring_data* s)
{
    // bodies know nothing of it: its points are found when vertices have numbers
    if (tml__is_soft_spring(def)) return TML_OK;
    const size_t count = (size_t)def->point_count;
    s->body = tml__pool_take(&m->memory, count, sizeof *s->body);
    s->point = tml__pool_take(&m->memory, count, sizeof *s->point);
    if (s->body == NULL || s->point == NULL) return TML_NO_MEMORY;

    double length = 0.0;
    vec3 last = v3_zero();
    for (int i = 0; i < def->point_count; i++) {
        const tml_point* p = &def->points[i];
        s->body[i] = p->body.index < 0 ? tml__world(m) : p->body.index;
        const body_data* b = &m->bodies[s->body[i]];
        s->point[i] = v3_sub(p->position, b->com);
        const vec3 world = v3_add(b->c, q_rotate(b->q, s->point[i]));
        if (i > 0) length += v3_norm(v3_sub(world, last));
        last = world;
    }
    return tml__spring_law_of(m, def, length, s);
}

static tml_status derive_wrench(tml_model* m, const tml_wrench_def* def, wrench_data* w)
{
    w->body = def->body.index;
    w->point = v3_sub(def->point, m->bodies[w->body].com);
    for (int k = 0; k < 3; k++) {
        if (tml__control_prepare(&def->force[k], &m->memory, &w->force[k]) != TML_OK ||
            tml__control_prepare(&def->torque[k], &m->memory, &w->torque[k]) != TML_OK) {
            return TML_NO_MEMORY;
        }
    }
    return TML_OK;
}

// Directions are taken at unit length. The rows across a plane's normal are world axes, as those of a
// joint with that axis would be.
static nonholonomic_data derive_nonholonomic(const tml_model* m, const tml_nonholonomic_def* def)
{
    nonholonomic_data n = {
        .kind = def->kind,
        .body = def->body.index,
        .point = v3_sub(def->point, m->bodies[def->body.index].com),
        .is_sphere = v3_norm(def->axis) == 0.0,
        .radius = def->radius,
    };
    if (!n.is_sphere) n.axis = v3_scale(1.0 / v3_norm(def->axis), def->axis);
    if (def->kind == TML_KNIFE_EDGE) return n;

    const double length = v3_norm(def->plane_normal);
    const tml_joint_def frame = {.axis = def->plane_normal};
    vec3 axes[3];
    tml__joint_axes(&frame, 0, axes, NULL);
    n.normal = axes[0];
    n.across[0] = axes[1];
    n.across[1] = axes[2];
    n.offset = def->plane_offset / length;
    return n;
}

// Room to say which axis each control drives.
static tml_status take_control_axes(tml_model* m)
{
    size_t count = 0;
    for (int j = 0; j < m->all.joint_count; j++) {
        const tml_joint_axis* axes = m->all.joints[j].axis_of;
        for (int k = 0; axes != NULL && k < TML_AXES; k++) {
            count += axes[k].actuation != TML_PASSIVE;
        }
    }
    m->control_axes = tml__pool_take(&m->memory, count, sizeof *m->control_axes);
    return m->control_axes != NULL ? TML_OK : TML_NO_MEMORY;
}

static tml_status derive_all(tml_model* m)
{
    tml_status status = derive_bodies(m);
    if (status == TML_OK) status = take_control_axes(m);
    if (status != TML_OK) return status;

    m->joints = tml__pool_take(&m->memory, (size_t)m->all.joint_count, sizeof *m->joints);
    m->springs = tml__pool_take(&m->memory, (size_t)m->all.spring_count, sizeof *m->springs);
    m->wrenches = tml__pool_take(&m->memory, (size_t)m->all.wrench_count, sizeof *m->wrenches);
    m->nonholonomics =
        tml__pool_take(&m->memory, (size_t)m->all.nonholonomic_count, sizeof *m->nonholonomics);
    if (!m->joints || !m->springs || !m->wrenches || !m->nonholonomics) return TML_NO_MEMORY;

    for (int i = 0; i < m->all.joint_count && status == TML_OK; i++) {
        status = derive_joint(m, &m->all.joints[i], &m->joints[i]);
    }
    for (int i = 0; i < m->all.spring_count && status == TML_OK; i++) {
        status = derive_spring(m, &m->all.springs[i], &m->springs[i]);
    }
    for (int i = 0; i < m->all.wrench_count && status == TML_OK; i++) {
        status = derive_wrench(m, &m->all.wrenches[i], &m->wrenches[i]);
    }
    m->row_count += m->all.coupling_count;
    for (int i = 0; i < m->all.nonholonomic_count; i++) {
        m->nonholonomics[i] = derive_nonholonomic(m, &m->all.nonholonomics[i]);
        m->row_count += tml__nonholonomic_rows(&m->nonholonomics[i]);
    }
    return status == TML_OK ? tml__derive_deformables(m) : status;
}

tml_status tml_spec_build(tml_spec* spec, tml_model** model)
{
    if (spec == NULL || model == NULL) return TML_BAD_ARGUMENT;
    *model = NULL;
    if (spec->status != TML_OK) return spec->status;

    tml_model* m = tml__allocate(NULL, 1, sizeof *m);
    if (m == NULL) return tml__fail(&spec->why, TML_NO_MEMORY, "out of memory");
    m->body_names = tml__names_create();
    m->joint_names = tml__names_create();

    tml_status status = m->body_names && m->joint_names ? TML_OK : TML_NO_MEMORY;
    if (status == TML_OK) status = copy_definitions(m, &spec->all);
    if (status == TML_OK) status = derive_all(m);
    if (status == TML_OK) {
        topology graph;
        status = tml__topology(m, NULL, &graph);
        m->loops = graph.loops;
    }
    if (status != TML_OK) {
        tml_model_destroy(m);
        return tml__fail(&spec->why, status, "out of memory");
    }
    *model = m;
    return TML_OK;
}

void tml_model_destroy(tml_model* model)
{
    if (model == NULL) return;
    tml__names_destroy(model->body_names);
    tml__names_destroy(model->joint_names);
    tml__pool_destroy(&model->memory);
    tml__release(NULL, model);
}
