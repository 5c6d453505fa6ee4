// model/ask.c - the questions a model answers.
#include "model/model.h"

#include <string.h>

static bool has_body(const tml_model* m, tml_body b)
{
    return b.index >= 0 && b.index < m->all.body_count;
}

static bool has_joint(const tml_model* m, tml_joint j)
{
    return j.index >= 0 && j.index < m->all.joint_count;
}

const char* tml_model_name(const tml_model* model) { return model != NULL ? model->all.name : ""; }
int tml_model_body_count(const tml_model* model)
{
    return model != NULL ? model->all.body_count : 0;
}
int tml_model_joint_count(const tml_model* model)
{
    return model != NULL ? model->all.joint_count : 0;
}
int tml_model_row_count(const tml_model* model) { return model != NULL ? model->row_count : 0; }
int tml_model_control_count(const tml_model* model)
{
    return model != NULL ? model->control_count : 0;
}
tml_vec3 tml_model_gravity(const tml_model* model)
{
    return model != NULL ? model->all.gravity : (tml_vec3){0};
}

const char* tml_model_body_name(const tml_model* model, tml_body body)
{
    if (model == NULL) return "";
    return has_body(model, body) ? model->all.bodies[body.index].name : "world";
}

const char* tml_model_joint_name(const tml_model* model, tml_joint joint)
{
    if (model == NULL) return "";
    return has_joint(model, joint) ? model->all.joints[joint.index].name : "?";
}

int tml_model_coupling_count(const tml_model* model)
{
    return model != NULL ? model->all.coupling_count : 0;
}

int tml_model_nonholonomic_count(const tml_model* model)
{
    return model != NULL ? model->all.nonholonomic_count : 0;
}

const char* tml_model_nonholonomic_name(const tml_model* model, int index)
{
    if (model == NULL) return "";
    const bool is_there = index >= 0 && index < model->all.nonholonomic_count;
    return is_there ? model->all.nonholonomics[index].name : "?";
}

const char* tml_model_coupling_name(const tml_model* model, int coupling)
{
    if (model == NULL) return "";
    const bool is_there = coupling >= 0 && coupling < model->all.coupling_count;
    return is_there ? model->all.couplings[coupling].name : "?";
}

tml_body tml_model_find_body(const tml_model* model, const char* name)
{
    if (model == NULL || name == NULL) return (tml_body){-1};
    if (strcmp(name, "world") == 0) return TML_WORLD;
    const int index = tml__names_find(model->body_names, name);
    return (tml_body){index >= 0 ? index : -2};
}

tml_joint tml_model_find_joint(const tml_model* model, const char* name)
{
    if (model == NULL || name == NULL) return (tml_joint){-1};
    const int index = tml__names_find(model->joint_names, name);
    return (tml_joint){index >= 0 ? index : -2};
}

const tml_body_def* tml_model_body(const tml_model* model, tml_body body)
{
    if (model == NULL) return NULL;
    return has_body(model, body) ? &model->all.bodies[body.index] : NULL;
}

tml_joint_def tml_model_joint(const tml_model* model, tml_joint joint)
{
    if (model == NULL) return (tml_joint_def){0};
    if (!has_joint(model, joint)) return tml_joint_def_default();
    return tml__joint_expand(&model->all.joints[joint.index]);
}

int tml_model_joint_axes(const tml_model* model, tml_joint joint, tml_axis out[TML_AXES])
{
    if (model == NULL || out == NULL) return 0;
    int count = 0;
    for (int k = 0; k < TML_AXES && has_joint(model, joint); k++) {
        if (model->joints[joint.index].axis[k].is_free) out[count++] = (tml_axis)k;
    }
    return count;
}

tml_status tml_model_control(const tml_model* model, int index, tml_joint* joint, tml_axis* axis,
                             tml_actuation* actuation)
{
    if (model == NULL || joint == NULL || axis == NULL || actuation == NULL)
        return TML_BAD_ARGUMENT;
    if (index < 0 || index >= model->control_count) return TML_BAD_ARGUMENT;
    const control_axis* c = &model->control_axes[index];
    *joint = (tml_joint){c->joint};
    *axis = c->axis;
    *actuation = model->joints[c->joint].axis[c->axis].actuation;
    return TML_OK;
}

double tml_model_control_value(const tml_model* model, int index, double time)
{
    if (model == NULL) return 0.0;
    tml_joint joint;
    tml_axis axis;
    tml_actuation actuation;
    if (tml_model_control(model, index, &joint, &axis, &actuation) != TML_OK) return 0.0;
    return tml__control_eval(&model->joints[joint.index].axis[axis].control, time).value;
}

int tml_model_spring_count(const tml_model* model)
{
    return model != NULL ? model->all.spring_count : 0;
}

const tml_spring_def* tml_model_spring(const tml_model* model, int spring)
{
    if (model == NULL) return NULL;
    const bool is_there = spring >= 0 && spring < model->all.spring_count;
    return is_there ? &model->all.springs[spring] : NULL;
}

int tml_model_wrench_count(const tml_model* model)
{
    return model != NULL ? model->all.wrench_count : 0;
}

const tml_wrench_def* tml_model_wrench(const tml_model* model, int wrench)
{
    if (model == NULL) return NULL;
    const bool is_there = wrench >= 0 && wrench < model->all.wrench_count;
    return is_there ? &model->all.wrenches[wrench] : NULL;
}

static tml_vec3 controls_at(const control_data c[3], double time)
{
    return (tml_vec3){tml__control_eval(&c[0], time).value, tml__control_eval(&c[1], time).value,
                      tml__control_eval(&c[2], time).value};
}

tml_status tml_model_wrench_value(const tml_model* model, int wrench, double time, tml_vec3* force,
                                  tml_vec3* torque)
{
    if (model == NULL) return TML_BAD_ARGUMENT;
    if (wrench < 0 || wrench >= model->all.wrench_count) return TML_BAD_ARGUMENT;
    *force = controls_at(model->wrenches[wrench].force, time);
    *torque = controls_at(model->wrenches[wrench].torque, time);
    return TML_OK;
}

tml_status tml_model_joint_frames(const tml_model* model, tml_joint joint, tml_pose* in_base,
                                  tml_pose* in_follower)
{
    if (model == NULL || in_base == NULL || in_follower == NULL) return TML_BAD_ARGUMENT;
    if (!has_joint(model, joint)) return TML_BAD_ARGUMENT;
    const joint_data* j = &model->joints[joint.index];
    // joint points are kept from the centre of mass
    *in_base =
        (tml_pose){v3_add(model->bodies[j->base].com, j->point_B), tml__q_from_matrix(j->axes_B)};
    *in_follower = (tml_pose){v3_add(model->bodies[j->follower].com, j->point_F),
                              tml__q_from_matrix(j->axes_F)};
    return TML_OK;
}

const tml_shape_def* tml_model_world_shapes(const tml_model* model, int* count)
{
    if (model == NULL || count == NULL) return NULL;
    *count = model->all.world_shape_count;
    return model->all.world_shapes;
}
