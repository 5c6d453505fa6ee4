// io/write_joints.c - joints as JSON: only what differs from a plain joint.
#include "io/writer.h"
#include "math/vec3.h"
#include "model/check.h"

#include <float.h>
#include <stddef.h>

// ---- what is said by axis

typedef enum entry_kind {
    ENTRY_ACTUATION,
    ENTRY_CONTROL,
    ENTRY_SERVO,
    ENTRY_LIMITS,
    ENTRY_FORCE_LIMITS,
    ENTRY_NUMBER,
} entry_kind;

typedef struct axis_entry {
    const char* key;
    size_t offset;  // of a number in tml_joint_axis
    double usual;   // value of a number that need not be written
    entry_kind kind;
    bool is_of_rows;  // means nothing on a free axis without a row
} axis_entry;

static const axis_entry axis_entries[] = {
    {"actuation", 0, 0.0, ENTRY_ACTUATION, false},
    {"control", 0, 0.0, ENTRY_CONTROL, false},
    {"servo", 0, 0.0, ENTRY_SERVO, false},
    {"limits", 0, 0.0, ENTRY_LIMITS, false},
    {"force_limits", 0, 0.0, ENTRY_FORCE_LIMITS, false},
    {"stiffness", offsetof(tml_joint_axis, stiffness), 0.0, ENTRY_NUMBER, false},
    {"damping", offsetof(tml_joint_axis, damping), 0.0, ENTRY_NUMBER, false},
    {"rest", offsetof(tml_joint_axis, rest), 0.0, ENTRY_NUMBER, false},
    {"armature", offsetof(tml_joint_axis, armature), 0.0, ENTRY_NUMBER, false},
    {"friction", offsetof(tml_joint_axis, friction), 0.0, ENTRY_NUMBER, false},
    {"compliance", offsetof(tml_joint_axis, compliance), 0.0, ENTRY_NUMBER, true},
    {"weight", offsetof(tml_joint_axis, weight), 1.0, ENTRY_NUMBER, true},
};

static double number_of(const tml_joint_axis* a, const axis_entry* entry)
{
    return *(const double*)(const void*)((const char*)a + entry->offset);
}

static bool is_given(const tml_joint_axis* a, const axis_entry* entry)
{
    switch (entry->kind) {
    case ENTRY_ACTUATION: return a->actuation != TML_PASSIVE;
    case ENTRY_CONTROL: return a->control.kind != TML_CONTROL_NONE;
    case ENTRY_SERVO: return a->has_servo != 0;
    case ENTRY_LIMITS: return a->has_limits != 0;
    case ENTRY_FORCE_LIMITS: return a->has_force_limits != 0;
    case ENTRY_NUMBER: {
        const double number = number_of(a, entry);
        return number < entry->usual || number > entry->usual;
    }
    }
    return false;
}

static void put_servo(writer* w, const tml_joint_axis* a)
{
    tml__put_open(w, "{");
    tml__put_key(w, "target");
    tml__put_control(w, &a->servo_target);
    tml__write_number(w, "stiffness", a->servo_stiffness);
    tml__write_number(w, "damping", a->servo_damping);
    tml__put_close(w, "}");
}

// JSON has no infinity; a program may leave one side open, and the largest double is as far.
static double within_doubles(double a)
{
    return a > DBL_MAX ? DBL_MAX : a < -DBL_MAX ? -DBL_MAX : a;
}

static void put_bounds(writer* w, double lower, double upper)
{
    const double bounds[2] = {within_doubles(lower), within_doubles(upper)};
    tml__put_numbers(w, bounds, 2);
}

static void put_entry(writer* w, const tml_joint_axis* a, const axis_entry* entry)
{
    switch (entry->kind) {
    case ENTRY_ACTUATION:
        tml__put_string(w, a->actuation == TML_POSITION ? "position" : "force");
        break;
    case ENTRY_CONTROL: tml__put_control(w, &a->control); break;
    case ENTRY_SERVO: put_servo(w, a); break;
    case ENTRY_LIMITS: put_bounds(w, a->lower, a->upper); break;
    case ENTRY_FORCE_LIMITS: put_bounds(w, a->force_lower, a->force_upper); break;
    case ENTRY_NUMBER: tml__put_number(w, number_of(a, entry)); break;
    }
}

static void write_entry(writer* w, const tml_joint_def* j, const axis_entry* entry)
{
    bool is_open = false;
    for (int k = 0; k < TML_AXES; k++) {
        const tml_joint_axis* a = &j->axis_of[k];
        const bool has_row = !tml__joint_is_free(j, (tml_axis)k) || a->actuation == TML_POSITION;
        if (!is_given(a, entry) || (entry->is_of_rows && !has_row)) continue;
        if (!is_open) {
            tml__put_key(w, entry->key);
            tml__put_open(w, "{");
            is_open = true;
        }
        tml__put_key(w, tml_axis_name((tml_axis)k));
        put_entry(w, a, entry);
    }
    if (is_open) tml__put_close(w, "}");
}

// ---- where it is

static void write_axes(writer* w, tml_vec3 axis, int has_axes, const tml_vec3 axes[3])
{
    if (!has_axes) {
        tml__write_vector_unless_zero(w, "axis", axis);
        return;
    }
    tml__put_key(w, "axes");
    tml__put_open(w, "[");
    for (int k = 0; k < 3; k++) {
        tml__put_comma(w);
        tml__put_vector(w, axes[k]);
    }
    tml__put_close(w, "]");
}

// Axes left out here would be taken from the base, so world axes are written out.
static void write_follower_frame(writer* w, const tml_joint_def* j)
{
    static const tml_vec3 world[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const bool is_world = !j->has_follower_axes && v3_max(j->follower_axis) <= 0.0;

    if (!j->has_follower_frame) return;
    tml__put_key(w, "follower_frame");
    tml__put_open(w, "{");
    tml__write_vector(w, "position", j->follower_position);
    write_axes(w, j->follower_axis, j->has_follower_axes || is_world,
               is_world ? world : j->follower_axes);
    tml__put_close(w, "}");
}

static void write_kind(writer* w, const tml_joint_def* j)
{
    if (j->kind != TML_JOINT_CUSTOM) {
        tml__write_text(w, "type", tml_joint_kind_name(j->kind));
        return;
    }
    tml__put_key(w, "free");
    tml__put_open(w, "{");
    tml__write_text(w, "translation", j->free_translation);
    tml__write_text(w, "rotation", j->free_rotation);
    tml__put_close(w, "}");
}

void tml__write_joint(writer* w, int index)
{
    const tml_joint_def expanded = tml__joint_expand(&w->all->joints[index]);
    const tml_joint_def* j = &expanded;

    tml__put_open(w, "{");
    tml__write_text(w, "name", j->name);
    write_kind(w, j);
    tml__write_text(w, "base", tml__body_name(w, j->base));
    tml__write_text(w, "follower", tml__body_name(w, j->follower));
    tml__write_vector(w, "position", j->position);
    write_axes(w, j->axis, j->has_axes, j->axes);
    write_follower_frame(w, j);
    for (size_t i = 0; i < sizeof axis_entries / sizeof *axis_entries; i++) {
        write_entry(w, j, &axis_entries[i]);
    }
    if (j->collide) tml__write_true(w, "collide");
    tml__put_close(w, "}");
}
