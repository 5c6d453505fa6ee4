// io/scene_joints.c - joints: what is held, where, and what drives and bounds what is free.
#include "io/scene_internal.h"
#include "math/vec3.h"
#include "model/check.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Which axes a key may speak of.
typedef enum axis_need {
    FREE_AXIS,      // one that the joint leaves free
    ACTUATED_AXIS,  // free, and driven by position or force
    ROW_AXIS,       // one with a row: held, or actuated by position
} axis_need;

enum {
    RECORDED_NAME = 320  // room for a column of a recording
};

typedef struct joint_reader {
    element e;
    tml_joint_def def;
} joint_reader;

static bool axis_fits(const tml_joint_def* def, int axis, axis_need need)
{
    const bool is_free = tml__joint_is_free(def, (tml_axis)axis) != 0;
    const tml_actuation actuation = def->axis_of[axis].actuation;

    switch (need) {
    case FREE_AXIS: return is_free;
    case ACTUATED_AXIS: return is_free && actuation != TML_PASSIVE;
    case ROW_AXIS: return !is_free || actuation == TML_POSITION;
    }
    return false;
}

// "rx ry" for the message; "none".
static const char* axes_that_fit(const tml_joint_def* def, axis_need need, char out[24])
{
    size_t n = 0;
    for (int k = 0; k < TML_AXES; k++) {
        if (!axis_fits(def, k, need)) continue;
        n +=
            (size_t)snprintf(out + n, 24 - n, "%s%s", n > 0 ? " " : "", tml_axis_name((tml_axis)k));
    }
    return n > 0 ? out : "none";
}

static int axis_find(const char* name)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (strcmp(name, tml_axis_name((tml_axis)k)) == 0) return k;
    }
    return -1;
}

// The axis that a member of a by-axis object is about; -1 when it is refused.
static int axis_of(joint_reader* j, const json* member, const char* key, axis_need need)
{
    static const char* const reasons[] = {
        [FREE_AXIS] = "is held by the joint; free are",
        [ACTUATED_AXIS] = "is not actuated, so it takes no control; actuated are",
        [ROW_AXIS] = "has no row, because it is free; rows are on",
    };
    const int axis = axis_find(member->key);
    if (axis < 0) {
        tml__refuse(j->e.r, member, TML_BAD_ARGUMENT,
                    "unknown axis '%.40s' in %s of %s; axes are tx ty tz rx ry rz", member->key,
                    key, j->e.label);
        return -1;
    }
    if (!axis_fits(&j->def, axis, need)) {
        char fitting[24];
        tml__refuse(j->e.r, member, TML_BAD_ARGUMENT, "%s of %s: %s %s %s", key, j->e.label,
                    member->key, reasons[need], axes_that_fit(&j->def, need, fitting));
        return -1;
    }
    return axis;
}

// The value of a key that must be an object by axis; NULL when absent or refused.
static const json* by_axis(joint_reader* j, const char* key)
{
    const json* value = tml__find(&j->e, key);
    if (value == NULL || value->kind == JSON_OBJECT) return value;
    tml__refuse(j->e.r, value, TML_BAD_ARGUMENT, "%s of %s must be an object by axis name, not %s",
                key, j->e.label, tml__json_kind_name(value));
    return NULL;
}

static void describe(const joint_reader* j, const char* key, const char* axis, char out[240])
{
    snprintf(out, 240, "%s%s%s of %s", key, axis != NULL ? " " : "", axis != NULL ? axis : "",
             j->e.label);
}

// ---- what is free

static void read_letters(const element* e, const char* key, char out[4])
{
    const char* letters = tml__read_text(e, key);
    if (letters == NULL) return;

    bool is_good = strlen(letters) <= 3;
    for (const char* p = letters; *p != '\0' && is_good; p++) {
        is_good = *p >= 'x' && *p <= 'z' && strchr(p + 1, *p) == NULL;
    }
    if (!is_good) {
        tml__refuse(e->r, tml__find(e, key), TML_BAD_ARGUMENT,
                    "%s in %s must be different letters of x, y, z, not \"%.20s\"", key, e->label,
                    letters);
        return;
    }
    memcpy(out, letters, strlen(letters) + 1);
}

static void read_kind(joint_reader* j)
{
    static const char* const free_keys[] = {"translation", "rotation", NULL};
    reader* r = j->e.r;
    const json* type = tml__find(&j->e, "type");
    const json* given_free = tml__find(&j->e, "free");

    if ((type == NULL) == (given_free == NULL)) {
        tml__refuse(r, j->e.object, TML_BAD_ARGUMENT, "%s needs either 'type' or 'free'%s",
                    j->e.label, type != NULL ? ", not both" : "");
        return;
    }
    if (given_free != NULL) {
        char kind[180];
        snprintf(kind, sizeof kind, "free of %.150s", j->e.label);
        const element e = tml__open(r, given_free, kind, -1, free_keys);
        j->def.kind = TML_JOINT_CUSTOM;
        read_letters(&e, "translation", j->def.free_translation);
        read_letters(&e, "rotation", j->def.free_rotation);
        return;
    }
    const char* words[TML_JOINT_KINDS + 1] = {NULL};
    for (int i = 0; i < TML_JOINT_KINDS; i++) words[i] = tml_joint_kind_name((tml_joint_kind)i);
    const int kind = tml__read_word(&j->e, "type", words);
    if (kind >= 0) j->def.kind = (tml_joint_kind)kind;
}

// ---- where it is

// `axis` or `axes`, or neither. Answers whether one was given.
static bool read_axes(const element* e, tml_vec3* axis, bool* has_axes, tml_vec3 axes[3])
{
    const json* one = tml__find(e, "axis");
    const json* three = tml__find(e, "axes");
    if (one != NULL && three != NULL) {
        tml__refuse(e->r, three, TML_BAD_ARGUMENT, "%s has both 'axis' and 'axes'", e->label);
    }
    if (one != NULL) {
        tml__read_vector(e, "axis", axis);
        *has_axes = 0;
        if (v3_max(*axis) == 0.0) {
            tml__refuse(e->r, one, TML_BAD_ARGUMENT, "axis of %s must not be zero", e->label);
        }
    }
    if (three != NULL) {
        char what[200];
        snprintf(what, sizeof what, "axes of %s", e->label);
        if (!tml__is_list(e->r, three, what)) return true;
        if (tml__json_count(three) != 3) {
            tml__refuse(e->r, three, TML_BAD_ARGUMENT, "%s must be three vectors, not %d", what,
                        tml__json_count(three));
            return true;
        }
        const json* item = three->first;
        for (int k = 0; k < 3; k++, item = item->next) {
            double x[3] = {0.0, 0.0, 0.0};
            tml__numbers(e->r, item, what, 3, x);
            axes[k] = v3_load(x);
        }
        *has_axes = 1;
    }
    return one != NULL || three != NULL;
}

// What the follower's frame leaves out is taken from the base's.
static void read_follower_frame(joint_reader* j)
{
    static const char* const keys[] = {"position", "axis", "axes", NULL};
    const json* value = tml__find(&j->e, "follower_frame");
    if (value == NULL) return;

    char kind[180];
    snprintf(kind, sizeof kind, "follower_frame of %.150s", j->e.label);
    const element e = tml__open(j->e.r, value, kind, -1, keys);
    tml_joint_def* def = &j->def;
    def->has_follower_frame = 1;
    def->follower_position = def->position;
    tml__read_vector(&e, "position", &def->follower_position);
    if (read_axes(&e, &def->follower_axis, &def->has_follower_axes, def->follower_axes)) return;

    def->follower_axis = def->axis;
    def->has_follower_axes = def->has_axes;
    for (int k = 0; k < 3; k++) def->follower_axes[k] = def->axes[k];
}

static void read_bodies(joint_reader* j)
{
    const json* base = tml__need(&j->e, "base");
    const json* follower = tml__need(&j->e, "follower");

    if (base != NULL) j->def.base = tml__body(&j->e, base, "base");
    if (follower != NULL) j->def.follower = tml__body(&j->e, follower, "follower");
}

// ---- what drives it

static tml_actuation actuation_find(joint_reader* j, const json* value, const char* what)
{
    static const char* const names[] = {
        [TML_PASSIVE] = "passive", [TML_POSITION] = "position", [TML_FORCE] = "force"};
    const char* word = tml__text(j->e.r, value, what);
    if (word == NULL) return TML_PASSIVE;

    for (int i = 0; i < 3; i++) {
        if (strcmp(word, names[i]) == 0) return (tml_actuation)i;
    }
    tml__refuse(j->e.r, value, TML_BAD_ARGUMENT,
                "%s must be \"passive\", \"position\" or \"force\", not \"%.40s\"", what, word);
    return TML_PASSIVE;
}

static void refuse_no_axis(joint_reader* j, const json* value, const char* key)
{
    tml__refuse(j->e.r, value, TML_BAD_ARGUMENT, "%s of %s: the joint has no axis that takes it",
                key, j->e.label);
}

static void read_actuation(joint_reader* j)
{
    const json* value = tml__find(&j->e, "actuation");
    if (value == NULL) return;

    char what[240];
    if (value->kind == JSON_TEXT) {
        describe(j, "actuation", NULL, what);
        const tml_actuation actuation = actuation_find(j, value, what);
        int count = 0;
        for (int k = 0; k < TML_AXES; k++) {
            if (!axis_fits(&j->def, k, FREE_AXIS)) continue;
            j->def.axis_of[k].actuation = actuation;
            count++;
        }
        if (count == 0 && actuation != TML_PASSIVE) refuse_no_axis(j, value, "actuation");
        return;
    }
    value = by_axis(j, "actuation");
    if (value == NULL) return;
    for (const json* member = value->first; member != NULL; member = member->next) {
        const int axis = axis_of(j, member, "actuation", FREE_AXIS);
        if (axis < 0) return;
        describe(j, "actuation", member->key, what);
        j->def.axis_of[axis].actuation = actuation_find(j, member, what);
    }
}

// What the coordinate along an axis is to be; a recording that names no column holds it as the joint's own.
static tml_control coordinate_control(const joint_reader* j, int axis, const json* value,
                                      const char* what)
{
    char now[RECORDED_NAME];
    char before[RECORDED_NAME];  // as recordings of version 0.1 have it
    const char* const own[2] = {now, before};
    const char* name = j->def.name != NULL ? j->def.name : "";
    int place = 0;
    for (int k = 0; k < axis; k++) place += axis_fits(&j->def, k, FREE_AXIS);
    snprintf(now, sizeof now, "%s.%s", name, tml_axis_name((tml_axis)axis));
    snprintf(before, sizeof before, "%s.q%d", name, place);
    return tml__control_of(j->e.r, value, what, j->def.name != NULL ? own : NULL);
}

// A recorded coordinate is no force: that must be named.
static tml_control axis_control(const joint_reader* j, int axis, const json* value,
                                const char* what)
{
    return j->def.axis_of[axis].actuation == TML_POSITION ? coordinate_control(j, axis, value, what)
                                                          : tml__control(j->e.r, value, what);
}

// A recording that names no column has one for every axis of the joint.
static bool is_whole_recording(const json* value)
{
    return tml__json_find(value, "recording") != NULL && tml__json_find(value, "column") == NULL;
}

// A bare control goes to the only actuated axis.
static void read_bare_control(joint_reader* j, const json* value)
{
    int axis = -1;
    int count = 0;
    for (int k = 0; k < TML_AXES; k++) {
        if (!axis_fits(&j->def, k, ACTUATED_AXIS)) continue;
        axis = k;
        count++;
    }
    char what[240];
    describe(j, "control", NULL, what);
    if (count > 0 && is_whole_recording(value)) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!axis_fits(&j->def, k, ACTUATED_AXIS)) continue;
            j->def.axis_of[k].control = axis_control(j, k, value, what);
        }
    } else if (count == 1) {
        j->def.axis_of[axis].control = axis_control(j, axis, value, what);
    } else if (count == 0) {
        tml__refuse(j->e.r, value, TML_BAD_ARGUMENT,
                    "%s is given, but no axis of the joint is actuated", what);
    } else {
        tml__refuse(j->e.r, value, TML_BAD_ARGUMENT,
                    "%s must be an object by axis name, because %d axes are actuated", what, count);
    }
}

static void read_controls(joint_reader* j)
{
    const json* value = tml__find(&j->e, "control");
    if (value == NULL) return;
    if (tml__is_control(value)) {
        read_bare_control(j, value);
        return;
    }
    value = by_axis(j, "control");
    if (value == NULL) return;
    for (const json* member = value->first; member != NULL; member = member->next) {
        const int axis = axis_of(j, member, "control", ACTUATED_AXIS);
        if (axis < 0) return;
        char what[240];
        describe(j, "control", member->key, what);
        j->def.axis_of[axis].control = axis_control(j, axis, member, what);
    }
}

static void read_servo(joint_reader* j, const json* member, int k)
{
    tml_joint_axis* axis = &j->def.axis_of[k];
    static const char* const keys[] = {"target", "stiffness", "damping", NULL};
    char what[240];
    describe(j, "servo", member->key, what);
    const element e = tml__open(j->e.r, member, what, -1, keys);

    axis->has_servo = 1;
    const json* target = tml__need(&e, "target");
    if (target != NULL) axis->servo_target = coordinate_control(j, k, target, what);
    tml__read_number(&e, "stiffness", NOT_NEGATIVE, &axis->servo_stiffness);
    tml__read_number(&e, "damping", NOT_NEGATIVE, &axis->servo_damping);
}

static void read_servos(joint_reader* j)
{
    const json* value = by_axis(j, "servo");
    if (value == NULL) return;
    for (const json* member = value->first; member != NULL; member = member->next) {
        const int axis = axis_of(j, member, "servo", FREE_AXIS);
        if (axis < 0) return;
        read_servo(j, member, axis);
    }
}

// ---- what bounds and softens it

// Two bounds of each axis, through `set`.
typedef void (*bounds_setter)(tml_joint_axis* axis, const double bounds[2]);

static void set_limits(tml_joint_axis* axis, const double bounds[2])
{
    axis->has_limits = 1;
    axis->lower = bounds[0];
    axis->upper = bounds[1];
}

static void set_force_limits(tml_joint_axis* axis, const double bounds[2])
{
    axis->has_force_limits = 1;
    axis->force_lower = bounds[0];
    axis->force_upper = bounds[1];
}

static void read_bounds(joint_reader* j, const char* key, bounds_setter set)
{
    const json* value = by_axis(j, key);
    if (value == NULL) return;
    for (const json* member = value->first; member != NULL; member = member->next) {
        const int axis = axis_of(j, member, key, FREE_AXIS);
        if (axis < 0) return;
        char what[240];
        double bounds[2] = {0.0, 0.0};
        describe(j, key, member->key, what);
        tml__numbers(j->e.r, member, what, 2, bounds);
        if (bounds[0] > bounds[1]) {
            tml__refuse(j->e.r, member, TML_BAD_ARGUMENT,
                        "%s must be [low, high], but are [%g, %g]", what, bounds[0], bounds[1]);
        }
        set(&j->def.axis_of[axis], bounds);
    }
}

// A number of each axis: one for all axes that can have it, or an object by axis name.
typedef struct axis_number {
    const char* key;
    size_t offset;  // in tml_joint_axis
    axis_need need;
    number_range range;
} axis_number;

static double* number_at(joint_reader* j, int axis, const axis_number* n)
{
    return (double*)(void*)((char*)&j->def.axis_of[axis] + n->offset);
}

static void read_axis_number(joint_reader* j, const axis_number* n)
{
    const json* value = tml__find(&j->e, n->key);
    if (value == NULL) return;

    char what[240];
    if (value->kind == JSON_NUMBER) {
        describe(j, n->key, NULL, what);
        const double number = tml__number(j->e.r, value, what, n->range);
        int count = 0;
        for (int k = 0; k < TML_AXES; k++) {
            if (!axis_fits(&j->def, k, n->need)) continue;
            *number_at(j, k, n) = number;
            count++;
        }
        if (count == 0) refuse_no_axis(j, value, n->key);
        return;
    }
    value = by_axis(j, n->key);
    if (value == NULL) return;
    for (const json* member = value->first; member != NULL; member = member->next) {
        const int axis = axis_of(j, member, n->key, n->need);
        if (axis < 0) return;
        describe(j, n->key, member->key, what);
        *number_at(j, axis, n) = tml__number(j->e.r, member, what, n->range);
    }
}

static void read_axis_numbers(joint_reader* j)
{
    static const axis_number numbers[] = {
        {"stiffness", offsetof(tml_joint_axis, stiffness), FREE_AXIS, NOT_NEGATIVE},
        {"damping", offsetof(tml_joint_axis, damping), FREE_AXIS, NOT_NEGATIVE},
        {"rest", offsetof(tml_joint_axis, rest), FREE_AXIS, ANY_NUMBER},
        {"armature", offsetof(tml_joint_axis, armature), FREE_AXIS, NOT_NEGATIVE},
        {"friction", offsetof(tml_joint_axis, friction), FREE_AXIS, NOT_NEGATIVE},
        {"compliance", offsetof(tml_joint_axis, compliance), ROW_AXIS, NOT_NEGATIVE},
        {"weight", offsetof(tml_joint_axis, weight), ROW_AXIS, POSITIVE},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) read_axis_number(j, &numbers[i]);
}

// ---- the joint

static void read_joint(reader* r, const json* value, int index)
{
    static const char* const keys[] = {
        "name",           "type",      "free",     "base",         "follower",  "position",
        "axis",           "axes",      "servo",    "limits",       "control",   "rest",
        "follower_frame", "actuation", "weight",   "damping",      "stiffness", "collide",
        "compliance",     "armature",  "friction", "force_limits", NULL};
    joint_reader j = {.e = tml__open(r, value, "joint", index, keys),
                      .def = tml_joint_def_default()};

    j.def.name = tml__read_name(&j.e);
    read_kind(&j);
    read_bodies(&j);
    tml__read_vector(&j.e, "position", &j.def.position);
    read_axes(&j.e, &j.def.axis, &j.def.has_axes, j.def.axes);
    read_follower_frame(&j);
    if (r->status != TML_OK) return;

    read_actuation(&j);  // first: it says which axes take a control and which have a row
    read_controls(&j);
    read_servos(&j);
    read_bounds(&j, "limits", set_limits);
    read_bounds(&j, "force_limits", set_force_limits);
    read_axis_numbers(&j);
    tml__read_bool(&j.e, "collide", &j.def.collide);
    tml__add_joint(r, value, &j.def);
}

void tml__read_joints(reader* r, const json* list)
{
    if (!tml__is_list(r, list, "'joints'")) return;

    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_joint(r, item, index++);
    }
}
