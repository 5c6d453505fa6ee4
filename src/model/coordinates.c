// model/coordinates.c - the free axes of all joints, numbered.
#include "model/model.h"

#include <trammel/state.h>

static int free_count(const joint_data* j)
{
    int count = 0;
    for (int k = 0; k < TML_AXES; k++) count += j->axis[k].is_free;
    return count;
}

int tml_model_coordinate_count(const tml_model* model)
{
    int count = 0;
    for (int j = 0; model != NULL && j < model->all.joint_count; j++) {
        count += free_count(&model->joints[j]);
    }
    return count;
}

tml_status tml_model_coordinate(const tml_model* model, int index, tml_joint* joint, tml_axis* axis)
{
    if (joint == NULL || axis == NULL) return TML_BAD_ARGUMENT;
    int first = 0;
    if (model == NULL || index < 0) return TML_BAD_ARGUMENT;
    for (int j = 0; j < model->all.joint_count; j++) {
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(model, (tml_joint){j}, axes);
        if (index < first + count) {
            *joint = (tml_joint){j};
            *axis = axes[index - first];
            return TML_OK;
        }
        first += count;
    }
    return TML_BAD_ARGUMENT;
}

int tml_model_find_coordinate(const tml_model* model, tml_joint joint, tml_axis axis)
{
    int first = 0;
    if (model == NULL || joint.index < 0 || joint.index >= model->all.joint_count) return -1;
    if ((unsigned)axis >= TML_AXES || !model->joints[joint.index].axis[axis].is_free) return -1;
    for (int j = 0; j < joint.index; j++) first += free_count(&model->joints[j]);
    for (int k = 0; k < (int)axis; k++) first += model->joints[joint.index].axis[k].is_free;
    return first;
}
