// model/spec.c - filling a spec: copy, name, check, append.
#include "model/spec.h"

#include "base/memory.h"
#include "math/mat3.h"
#include "model/catalogue.h"
#include "model/check.h"
#include "model/control.h"
#include "model/deformable.h"
#include "model/names.h"
#include "model/sensor.h"

#include <stdio.h>
#include <string.h>

// ---- definitions as they start

tml_body_def tml_body_def_default(void)
{
    const double moment = 0.4 * 0.1 * 0.1;  // solid sphere: 2/5 m r^2
    return (tml_body_def){.mass = 1.0,
                          .inertia = {moment, moment, moment, 0.0, 0.0, 0.0},
                          .pose = {.q = {1.0, 0.0, 0.0, 0.0}}};
}

tml_joint_def tml_joint_def_default(void)
{
    tml_joint_def def = {.kind = TML_JOINT_FIXED, .base = {-1}, .follower = {-1}};
    for (int k = 0; k < TML_AXES; k++) def.axis_of[k].weight = 1.0;
    return def;
}

tml_coupling_def tml_coupling_def_default(void) { return (tml_coupling_def){.weight = 1.0}; }

tml_muscle tml_muscle_default(void)
{
    return (tml_muscle){.lmin = 0.5, .lmax = 1.6, .vmax = 1.5, .fpmax = 1.3, .fvmax = 1.2};
}

tml_spring_def tml_spring_def_default(void)
{
    return (tml_spring_def){.rest_length = -1.0, .muscle = tml_muscle_default()};
}

tml_wrench_def tml_wrench_def_default(void) { return (tml_wrench_def){.body = {-1}}; }

tml_nonholonomic_def tml_nonholonomic_def_default(void)
{
    return (tml_nonholonomic_def){
        .kind = TML_KNIFE_EDGE, .body = {-1}, .plane_normal = {0.0, 0.0, 1.0}};
}

tml_drag_def tml_drag_def_default(void) { return (tml_drag_def){.body = {-1}}; }

tml_pair_def tml_pair_def_default(void)
{
    return (tml_pair_def){
        .a = {-1}, .b = {-1}, .shape_a = -1, .shape_b = -1, .friction = -1.0, .restitution = -1.0};
}

// ---- the spec itself

tml_spec* tml_spec_create(void)
{
    tml_spec* spec = tml__allocate(NULL, 1, sizeof *spec);
    if (spec == NULL) return NULL;

    spec->all.gravity = (tml_vec3){0.0, 0.0, -9.81};
    spec->all.name = "";
    spec->body_names = tml__names_create();
    spec->joint_names = tml__names_create();
    spec->other_names = tml__names_create();
    spec->sensor_names = tml__names_create();
    if (spec->body_names == NULL || spec->joint_names == NULL || spec->other_names == NULL ||
        spec->sensor_names == NULL) {
        tml_spec_destroy(spec);
        return NULL;
    }
    return spec;
}

void tml_spec_destroy(tml_spec* spec)
{
    if (spec == NULL) return;
    tml__names_destroy(spec->body_names);
    tml__names_destroy(spec->joint_names);
    tml__names_destroy(spec->other_names);
    tml__names_destroy(spec->sensor_names);
    tml__release(NULL, spec->all.bodies);
    tml__release(NULL, spec->all.world_shapes);
    tml__release(NULL, spec->all.joints);
    tml__release(NULL, spec->all.couplings);
    tml__release(NULL, spec->all.nonholonomics);
    tml__release(NULL, spec->all.springs);
    tml__release(NULL, spec->all.wrenches);
    tml__release(NULL, spec->all.drags);
    tml__release(NULL, spec->all.excludes);
    tml__release(NULL, spec->all.pairs);
    tml__release(NULL, spec->all.deformables);
    tml__release(NULL, spec->all.sensors);
    tml__pool_destroy(&spec->memory);
    tml__release(NULL, spec);
}

int tml_spec_body_count(const tml_spec* spec) { return spec != NULL ? spec->all.body_count : 0; }
tml_status tml_spec_status(const tml_spec* spec)
{
    return spec != NULL ? spec->status : TML_BAD_ARGUMENT;
}
const char* tml_spec_message(const tml_spec* spec)
{
    return spec != NULL ? spec->why.text : TML__NO_OBJECT;
}

// Remember the first refusal; later ones are usually its consequences.
static tml_status refuse(tml_spec* spec, tml_status status, const message* why)
{
    if (status != TML_OK && spec->status == TML_OK) {
        spec->status = status;
        if (status == TML_NO_MEMORY)
            tml__fail(&spec->why, status, "out of memory");
        else if (why != NULL)
            spec->why = *why;
    }
    return status;
}

// Whether there is anything to add; a definition that is NULL is remembered like a wrong one.
static bool is_given(tml_spec* spec, const void* def)
{
    message why;
    if (spec == NULL) return false;
    if (def != NULL) return true;
    tml__fail(&why, TML_BAD_ARGUMENT, "a definition is NULL");
    refuse(spec, TML_BAD_ARGUMENT, &why);
    return false;
}

// Room for one more element of `size` bytes; the list doubles.
static tml_status grow(void* list_address, int count, int* capacity, size_t size)
{
    if (count < *capacity) return TML_OK;
    void* list = NULL;
    memcpy(&list, list_address, sizeof list);  // a pointer of any type, so no plain assignment
    const int wide = *capacity == 0 ? 8 : *capacity * 2;
    if (wide <= *capacity) return TML_NO_MEMORY;
    void* memory = tml__allocate(NULL, (size_t)wide, size);
    if (memory == NULL) return TML_NO_MEMORY;
    if (count > 0) memcpy(memory, list, (size_t)count * size);
    tml__release(NULL, list);
    memcpy(list_address, &memory, sizeof memory);
    *capacity = wide;
    return TML_OK;
}

// Copy a name, or make one from a word and a number, and refuse it when it is taken.
static tml_status take_name(tml_spec* spec, name_table* table, const char* given, const char* word,
                            int index, const char** out)
{
    char made[64];
    if (given == NULL) {
        snprintf(made, sizeof made, "%s%d", word, index);
        for (int k = 2; tml__names_find(table, made) >= 0; k++) {  // somebody is called so already
            snprintf(made, sizeof made, "%s%d_%d", word, index, k);
        }
        given = made;
    }
    message why;
    if (given[0] == '\0' || (table == spec->body_names && strcmp(given, "world") == 0)) {
        tml__fail(&why, TML_BAD_ARGUMENT, "%s %d: '%s' cannot be its name", word, index, given);
        return refuse(spec, TML_BAD_ARGUMENT, &why);
    }
    if (tml__names_find(table, given) >= 0) {
        tml__fail(&why, TML_BAD_ARGUMENT, "%s '%s': the name is used twice", word, given);
        return refuse(spec, TML_BAD_ARGUMENT, &why);
    }
    *out = tml__pool_text(&spec->memory, given);
    if (*out == NULL || !tml__names_add(table, *out, index)) {
        return refuse(spec, TML_NO_MEMORY, NULL);
    }
    return TML_OK;
}

void tml_spec_set_name(tml_spec* spec, const char* name)
{
    if (spec == NULL) return;
    const char* copy = name != NULL ? tml__pool_text(&spec->memory, name) : "";
    if (copy == NULL)
        refuse(spec, TML_NO_MEMORY, NULL);
    else
        spec->all.name = copy;
}

void tml_spec_set_rayleigh(tml_spec* spec, double mass, double stiffness)
{
    if (spec == NULL) return;
    if (mass >= 0.0 && stiffness >= 0.0 && isfinite(mass) && isfinite(stiffness)) {
        spec->all.rayleigh_mass = mass;
        spec->all.rayleigh_stiffness = stiffness;
        return;
    }
    message why;
    tml__fail(&why, TML_BAD_ARGUMENT, "rayleigh must be finite and not negative, not %g and %g",
              mass, stiffness);
    refuse(spec, TML_BAD_ARGUMENT, &why);
}

void tml_spec_set_gravity(tml_spec* spec, tml_vec3 gravity)
{
    if (spec == NULL) return;
    if (v3_is_finite(gravity)) {
        spec->all.gravity = gravity;
        return;
    }
    message why;
    tml__fail(&why, TML_BAD_ARGUMENT, "gravity is not finite");
    refuse(spec, TML_BAD_ARGUMENT, &why);
}

tml_body tml_spec_add_body(tml_spec* spec, const tml_body_def* def)
{
    if (!is_given(spec, def)) return (tml_body){-1};
    const int index = spec->all.body_count;
    tml_body_def copy = *def;
    message why = {{0}};

    tml_status status = take_name(spec, spec->body_names, def->name, "body", index, &copy.name);
    if (status == TML_OK) status = refuse(spec, tml__check_body(&copy, &why), &why);
    if (status == TML_OK) {
        status = grow(&spec->all.bodies, index, &spec->body_capacity, sizeof copy);
        copy.shapes = tml__shapes_share(&spec->memory, def->shapes, def->shape_count,
                                        index > 0 ? &spec->all.bodies[index - 1] : NULL);
        if (copy.shapes == NULL) status = TML_NO_MEMORY;
        refuse(spec, status, &why);
    }
    if (status == TML_OK) spec->all.bodies[spec->all.body_count++] = copy;
    return (tml_body){index};
}

tml_status tml_spec_add_world_shape(tml_spec* spec, const tml_shape_def* shape)
{
    if (!is_given(spec, shape)) return TML_BAD_ARGUMENT;
    char element[48];
    message why = {{0}};

    snprintf(element, sizeof element, "shape %d of the world", spec->all.world_shape_count);
    tml_status status = tml__check_shape(shape, element, &why);
    if (status == TML_OK) {
        status = grow(&spec->all.world_shapes, spec->all.world_shape_count,
                      &spec->world_shape_capacity, sizeof *shape);
    }
    const tml_shape_def* copy = status == TML_OK ? tml__shapes_copy(&spec->memory, shape, 1) : NULL;
    if (status == TML_OK && copy == NULL) status = TML_NO_MEMORY;
    if (status == TML_OK) spec->all.world_shapes[spec->all.world_shape_count++] = *copy;
    return refuse(spec, status, &why);
}

tml_joint tml_spec_add_joint(tml_spec* spec, const tml_joint_def* def)
{
    if (!is_given(spec, def)) return (tml_joint){-1};
    const int index = spec->all.joint_count;
    tml_joint_def copy = *def;
    joint_entry entry;
    message why = {{0}};

    tml_status status = take_name(spec, spec->joint_names, def->name, "joint", index, &copy.name);
    if (status == TML_OK) status = refuse(spec, tml__check_joint(&spec->all, &copy, &why), &why);
    if (status == TML_OK) {
        status = grow(&spec->all.joints, index, &spec->joint_capacity, sizeof entry);
    }
    if (status == TML_OK) status = tml__joint_store(&copy, &spec->memory, &entry);
    refuse(spec, status, &why);
    if (status == TML_OK) spec->all.joints[spec->all.joint_count++] = entry;
    return (tml_joint){index};
}

tml_status tml_spec_add_coupling(tml_spec* spec, const tml_coupling_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    tml_coupling_def copy = *def;
    message why = {{0}};

    tml_status status = take_name(spec, spec->other_names, def->name, "coupling",
                                  spec->all.coupling_count, &copy.name);
    if (status == TML_OK) status = tml__check_coupling(&spec->all, &copy, &why);
    if (status == TML_OK) {
        status = grow(&spec->all.couplings, spec->all.coupling_count, &spec->coupling_capacity,
                      sizeof copy);
        copy.terms =
            tml__pool_copy(&spec->memory, def->terms, (size_t)def->term_count, sizeof *def->terms);
        if (copy.terms == NULL) status = TML_NO_MEMORY;
    }
    if (status == TML_OK) spec->all.couplings[spec->all.coupling_count++] = copy;
    return refuse(spec, status, &why);
}

tml_status tml_spec_add_nonholonomic(tml_spec* spec, const tml_nonholonomic_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    tml_nonholonomic_def copy = *def;
    message why = {{0}};

    tml_status status = take_name(spec, spec->other_names, def->name, "nonholonomic",
                                  spec->all.nonholonomic_count, &copy.name);
    if (status == TML_OK) status = tml__check_nonholonomic(&spec->all, &copy, &why);
    if (status == TML_OK) {
        status = grow(&spec->all.nonholonomics, spec->all.nonholonomic_count,
                      &spec->nonholonomic_capacity, sizeof copy);
    }
    if (status == TML_OK) spec->all.nonholonomics[spec->all.nonholonomic_count++] = copy;
    return refuse(spec, status, &why);
}

static tml_status copy_spring(tml_spec* spec, const tml_spring_def* def, tml_spring_def* copy)
{
    const size_t count = def->law == TML_SPRING_TABLE ? (size_t)def->table_count : 0;

    copy->points =
        tml__pool_copy(&spec->memory, def->points, (size_t)def->point_count, sizeof *def->points);
    copy->table_count = (int)count;
    copy->table_extensions =
        tml__pool_copy(&spec->memory, def->table_extensions, count, sizeof(double));
    copy->table_forces = tml__pool_copy(&spec->memory, def->table_forces, count, sizeof(double));
    if (copy->points == NULL || copy->table_extensions == NULL || copy->table_forces == NULL) {
        return TML_NO_MEMORY;
    }
    const tml_status status = tml__control_copy(&def->force, &spec->memory, &copy->force);
    if (status != TML_OK) return status;
    return tml__control_copy(&def->muscle.activation, &spec->memory, &copy->muscle.activation);
}

tml_status tml_spec_add_spring(tml_spec* spec, const tml_spring_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    tml_spring_def copy = *def;
    message why = {{0}};

    tml_status status =
        take_name(spec, spec->other_names, def->name, "spring", spec->all.spring_count, &copy.name);
    if (status == TML_OK) status = tml__check_spring(&spec->all, &copy, &why);
    if (status == TML_OK) {
        status =
            grow(&spec->all.springs, spec->all.spring_count, &spec->spring_capacity, sizeof copy);
    }
    if (status == TML_OK) status = copy_spring(spec, def, &copy);
    if (status == TML_OK) spec->all.springs[spec->all.spring_count++] = copy;
    return refuse(spec, status, &why);
}

tml_status tml_spec_add_wrench(tml_spec* spec, const tml_wrench_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    tml_wrench_def copy = *def;
    message why = {{0}};

    tml_status status =
        take_name(spec, spec->other_names, def->name, "wrench", spec->all.wrench_count, &copy.name);
    if (status == TML_OK) status = tml__check_wrench(&spec->all, &copy, &why);
    if (status == TML_OK) {
        status =
            grow(&spec->all.wrenches, spec->all.wrench_count, &spec->wrench_capacity, sizeof copy);
    }
    for (int k = 0; k < 3 && status == TML_OK; k++) {
        status = tml__control_copy(&def->force[k], &spec->memory, &copy.force[k]);
        if (status == TML_OK) {
            status = tml__control_copy(&def->torque[k], &spec->memory, &copy.torque[k]);
        }
    }
    if (status == TML_OK) spec->all.wrenches[spec->all.wrench_count++] = copy;
    return refuse(spec, status, &why);
}

tml_status tml_spec_add_sensor(tml_spec* spec, const tml_sensor_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    tml_sensor_def copy = *def;
    message why = {{0}};
    tml_status status = take_name(spec, spec->sensor_names, def->name, "sensor",
                                  spec->all.sensor_count, &copy.name);
    if (status == TML_OK) status = tml__check_sensor(&spec->all, &copy, &why);
    if (status == TML_OK) {
        status =
            grow(&spec->all.sensors, spec->all.sensor_count, &spec->sensor_capacity, sizeof copy);
    }
    if (status == TML_OK) spec->all.sensors[spec->all.sensor_count++] = copy;
    return refuse(spec, status, &why);
}

tml_status tml_spec_add_drag(tml_spec* spec, const tml_drag_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    tml_drag_def copy = *def;
    message why = {{0}};

    tml_status status =
        take_name(spec, spec->other_names, def->name, "drag", spec->all.drag_count, &copy.name);
    if (status == TML_OK) status = tml__check_drag(&spec->all, &copy, &why);
    if (status == TML_OK) {
        status = grow(&spec->all.drags, spec->all.drag_count, &spec->drag_capacity, sizeof copy);
    }
    if (status == TML_OK) spec->all.drags[spec->all.drag_count++] = copy;
    return refuse(spec, status, &why);
}

tml_status tml_spec_set_neighbours(tml_spec* spec, int joints)
{
    if (spec == NULL) return TML_BAD_ARGUMENT;
    message why = {{0}};
    tml_status status = TML_OK;
    if (joints < 1 || joints > 2) {
        status = tml__fail(&why, TML_BAD_ARGUMENT,
                           "neighbours that do not touch are 1 or 2 joints apart, not %d", joints);
    } else {
        spec->all.neighbours = joints;
    }
    return refuse(spec, status, &why);
}

void tml_spec_set_friction_rule(tml_spec* spec, tml_friction_rule rule)
{
    if (spec == NULL) return;
    spec->all.takes_larger_friction = rule == TML_FRICTION_LARGER;
}

tml_status tml_spec_add_exclusion(tml_spec* spec, tml_body a, tml_body b)
{
    if (spec == NULL) return TML_BAD_ARGUMENT;
    message why = {{0}};
    tml_status status = tml__check_pair(&spec->all, a, b, "exclusion", &why);
    if (status == TML_OK) {
        status = grow(&spec->all.excludes, spec->all.exclude_count, &spec->exclude_capacity,
                      sizeof(body_pair));
    }
    if (status == TML_OK) spec->all.excludes[spec->all.exclude_count++] = (body_pair){a, b};
    return refuse(spec, status, &why);
}

static bool has_shape(const definitions* all, tml_body body, int shape)
{
    const int count = body.index < 0 ? all->world_shape_count : all->bodies[body.index].shape_count;
    return shape >= 0 && shape < count;
}

static tml_status check_pair_shapes(const definitions* all, const tml_pair_def* p, message* why)
{
    if (p->shape_a == -1 && p->shape_b == -1 && !p->is_apart) return TML_OK;
    if (has_shape(all, p->a, p->shape_a) && has_shape(all, p->b, p->shape_b)) return TML_OK;
    return tml__fail(why, TML_BAD_ARGUMENT,
                     "collision pair: one of the shapes %d and %d does not exist; give both of "
                     "them, or none",
                     p->shape_a, p->shape_b);
}

tml_status tml_spec_add_pair(tml_spec* spec, const tml_pair_def* def)
{
    if (!is_given(spec, def)) return TML_BAD_ARGUMENT;
    message why = {{0}};
    tml_status status = tml__check_pair(&spec->all, def->a, def->b, "collision pair", &why);
    if (status == TML_OK && (isnan(def->friction) || isinf(def->friction) ||
                             isnan(def->restitution) || def->restitution > 1.0)) {
        status = tml__fail(&why, TML_BAD_ARGUMENT,
                           "collision pair: friction must be finite and restitution at most 1, but "
                           "they are %g and %g",
                           def->friction, def->restitution);
    }
    if (status == TML_OK) status = check_pair_shapes(&spec->all, def, &why);
    if (status == TML_OK) {
        status = grow(&spec->all.pairs, spec->all.pair_count, &spec->pair_capacity, sizeof *def);
    }
    if (status == TML_OK) spec->all.pairs[spec->all.pair_count++] = *def;
    return refuse(spec, status, &why);
}

int tml_spec_add_deformable(tml_spec* spec, const tml_deformable_def* def)
{
    if (!is_given(spec, def)) return 0;
    const int index = spec->all.deformable_count;
    tml_deformable_def given = *def;
    tml_deformable_def copy;
    message why = {{0}};

    tml_status status =
        take_name(spec, spec->other_names, def->name, "deformable", index, &given.name);
    if (status == TML_OK) status = tml__check_deformable(&spec->all, &given, &why);
    if (status == TML_OK) {
        status = grow(&spec->all.deformables, index, &spec->deformable_capacity, sizeof copy);
    }
    if (status == TML_OK) status = tml__deformable_copy(&given, &spec->memory, &copy);
    if (status == TML_OK) spec->all.deformables[spec->all.deformable_count++] = copy;
    refuse(spec, status, &why);
    return index;
}

static int find(const name_table* table, const char* name)
{
    const int index = tml__names_find(table, name);
    return index >= 0 ? index : -2;
}

tml_body tml_spec_find_body(const tml_spec* spec, const char* name)
{
    if (spec == NULL || name == NULL) return (tml_body){-1};
    if (strcmp(name, "world") == 0) return TML_WORLD;
    return (tml_body){find(spec->body_names, name)};
}

tml_joint tml_spec_find_joint(const tml_spec* spec, const char* name)
{
    if (spec == NULL || name == NULL) return (tml_joint){-1};
    return (tml_joint){find(spec->joint_names, name)};
}
