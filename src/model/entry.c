// model/entry.c - joints as they are kept: the rare parts of a definition apart from the common ones.
//
// A tml_joint_def is 1.6 kB, nearly all of it about actuators, limits, springs and frames that most
// joints do not have. A chain of a million links keeps a tenth of that.
#include "model/control.h"
#include "model/spec.h"

#include <stdbool.h>
#include <string.h>

// Does an axis say nothing beyond the default?
static bool is_plain(const tml_joint_axis* a)
{
    const bool is_driven = a->actuation != TML_PASSIVE || a->control.kind != TML_CONTROL_NONE ||
                           a->has_servo || a->servo_target.kind != TML_CONTROL_NONE;
    const double numbers[] = {a->stiffness,     a->damping,    a->rest,     a->servo_stiffness,
                              a->servo_damping, a->compliance, a->armature, a->friction};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i] < 0.0 || numbers[i] > 0.0) return false;
    }
    return !is_driven && !a->has_limits && !a->has_force_limits &&
           !(a->weight < 1.0 || a->weight > 1.0);
}

static tml_status store_frames(const tml_joint_def* def, pool* memory, joint_entry* out)
{
    if (!def->has_axes && !def->has_follower_frame) return TML_OK;
    out->frames = tml__pool_take(memory, 1, sizeof *out->frames);
    if (out->frames == NULL) return TML_NO_MEMORY;
    *out->frames = (joint_frames){.has_axes = def->has_axes,
                                  .has_follower_frame = def->has_follower_frame,
                                  .follower_position = def->follower_position,
                                  .follower_axis = def->follower_axis,
                                  .has_follower_axes = def->has_follower_axes};
    memcpy(out->frames->axes, def->axes, sizeof def->axes);
    memcpy(out->frames->follower_axes, def->follower_axes, sizeof def->follower_axes);
    return TML_OK;
}

static tml_status store_axes(const tml_joint_def* def, pool* memory, joint_entry* out)
{
    bool is_needed = false;
    for (int k = 0; k < TML_AXES; k++) is_needed = is_needed || !is_plain(&def->axis_of[k]);
    if (!is_needed) return TML_OK;
    out->axis_of = tml__pool_copy(memory, def->axis_of, TML_AXES, sizeof *out->axis_of);
    for (int k = 0; k < TML_AXES; k++) {
        const tml_joint_axis* from = &def->axis_of[k];
        if (out->axis_of == NULL ||
            tml__control_copy(&from->control, memory, &out->axis_of[k].control) != TML_OK ||
            tml__control_copy(&from->servo_target, memory, &out->axis_of[k].servo_target) !=
                TML_OK) {
            return TML_NO_MEMORY;
        }
    }
    return TML_OK;
}

tml_status tml__joint_store(const tml_joint_def* def, pool* memory, joint_entry* out)
{
    *out = (joint_entry){.name = def->name,
                         .kind = def->kind,
                         .base = def->base,
                         .follower = def->follower,
                         .collide = def->collide,
                         .position = def->position,
                         .axis = def->axis};
    memcpy(out->free_translation, def->free_translation, sizeof def->free_translation);
    memcpy(out->free_rotation, def->free_rotation, sizeof def->free_rotation);
    const tml_status status = store_frames(def, memory, out);
    return status == TML_OK ? store_axes(def, memory, out) : status;
}

tml_joint_def tml__joint_expand(const joint_entry* entry)
{
    tml_joint_def def = tml_joint_def_default();
    def.name = entry->name;
    def.kind = entry->kind;
    def.base = entry->base;
    def.follower = entry->follower;
    def.collide = entry->collide;
    def.position = entry->position;
    def.axis = entry->axis;
    memcpy(def.free_translation, entry->free_translation, sizeof def.free_translation);
    memcpy(def.free_rotation, entry->free_rotation, sizeof def.free_rotation);
    if (entry->frames != NULL) {
        const joint_frames* f = entry->frames;
        def.has_axes = f->has_axes;
        def.has_follower_frame = f->has_follower_frame;
        def.follower_position = f->follower_position;
        def.follower_axis = f->follower_axis;
        def.has_follower_axes = f->has_follower_axes;
        memcpy(def.axes, f->axes, sizeof def.axes);
        memcpy(def.follower_axes, f->follower_axes, sizeof def.follower_axes);
    }
    if (entry->axis_of != NULL) memcpy(def.axis_of, entry->axis_of, sizeof def.axis_of);
    return def;
}
