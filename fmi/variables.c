// fmi/variables.c - names such as "pin.rx.rate" taken apart from behind: elements may have points in theirs.
#include "fmi/variables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const axis_words[] = {"tx", "ty", "tz", "rx", "ry", "rz", NULL};
static const char* const push_words[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};

static int find_word(const char* word, const char* const* words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0) return i;
    }
    return -1;
}

// "a.b.c" -> "a.b" and "c".
static bool split(const char* name, char head[512], const char** tail)
{
    const char* point = strrchr(name, '.');
    if (point == NULL || point == name || (size_t)(point - name) >= 512) return false;
    memcpy(head, name, (size_t)(point - name));
    head[point - name] = '\0';
    *tail = point + 1;
    return true;
}

static bool keep_name(unit_variable* v, const char* name)
{
    return snprintf(v->name, sizeof v->name, "%s", name) < (int)sizeof v->name;
}

static int find_control(const tml_model* model, int joint, int axis, tml_actuation* actuation)
{
    for (int c = 0; c < tml_model_control_count(model); c++) {
        tml_joint of;
        tml_axis along;
        if (tml_model_control(model, c, &of, &along, actuation) != TML_OK) continue;
        if (of.index == joint && (int)along == axis) return c;
    }
    return -1;
}

bool unit_find_input(const tml_model* model, const char* name, unit_variable* out)
{
    static const char suffix[] = ".input";
    char whole[512];
    char head[512];
    const char* tail = NULL;
    const size_t length = strlen(name);
    const size_t rest = sizeof suffix - 1;
    *out = (unit_variable){.is_input = true};
    if (length >= sizeof whole || !keep_name(out, name)) return false;
    memcpy(whole, name, length + 1);
    const bool has_suffix = length > rest && strcmp(whole + length - rest, suffix) == 0;
    if (has_suffix) whole[length - rest] = '\0';
    if (!split(whole, head, &tail)) return false;
    const int axis = find_word(tail, axis_words);
    const int joint = tml_model_find_joint(model, head).index;
    if (axis >= 0 && joint >= 0) {
        out->kind = UNIT_CONTROL;
        tml_actuation actuation;
        out->index = find_control(model, joint, axis, &actuation);
        if (out->index < 0) return false;
        out->unit = actuation == TML_POSITION ? axis < 3 ? "m" : "rad"
                    : axis < 3                          ? "N"
                                                        : "N.m";
        out->start = tml_model_control_value(model, out->index, 0.0);
        // the coordinate of the same axis may be an output
        return has_suffix || snprintf(out->name, sizeof out->name, "%.500s%s", name, suffix) <
                                 (int)sizeof out->name;
    }
    if (has_suffix) return false;
    out->kind = UNIT_PUSH;
    out->index = tml_model_find_body(model, head).index;
    out->component = find_word(tail, push_words);
    out->unit = out->component < 3 ? "N" : "N.m";
    return out->index >= 0 && out->component >= 0;
}

typedef struct body_word {
    const char* word;
    tml_quantity_kind kind;
    int component;
    const char* unit;
} body_word;

static const body_word body_words[] = {
    {"px", TML_QUANTITY_POSITION, 0, "m"},
    {"py", TML_QUANTITY_POSITION, 1, "m"},
    {"pz", TML_QUANTITY_POSITION, 2, "m"},
    {"qw", TML_QUANTITY_QUATERNION, 0, ""},
    {"qx", TML_QUANTITY_QUATERNION, 1, ""},
    {"qy", TML_QUANTITY_QUATERNION, 2, ""},
    {"qz", TML_QUANTITY_QUATERNION, 3, ""},
    {"vx", TML_QUANTITY_VELOCITY, 0, "m/s"},
    {"vy", TML_QUANTITY_VELOCITY, 1, "m/s"},
    {"vz", TML_QUANTITY_VELOCITY, 2, "m/s"},
    {"wx", TML_QUANTITY_ANGULAR_VELOCITY, 0, "rad/s"},
    {"wy", TML_QUANTITY_ANGULAR_VELOCITY, 1, "rad/s"},
    {"wz", TML_QUANTITY_ANGULAR_VELOCITY, 2, "rad/s"},
};

static bool find_of_body(const tml_model* model, const char* head, const char* tail,
                         unit_variable* out)
{
    const int body = tml_model_find_body(model, head).index;
    for (size_t i = 0; body >= 0 && i < sizeof body_words / sizeof *body_words; i++) {
        const body_word* w = &body_words[i];
        if (strcmp(w->word, tail) != 0) continue;
        out->quantity = (tml_quantity){.kind = w->kind, .index = body, .component = w->component};
        out->unit = w->unit;
        return true;
    }
    return false;
}

static bool is_free(const tml_model* model, int joint, int axis)
{
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(model, (tml_joint){joint}, axes);
    for (int k = 0; k < count; k++) {
        if ((int)axes[k] == axis) return true;
    }
    return false;
}

static bool find_coordinate(const tml_model* model, const char* head, const char* tail, bool is_rate,
                            unit_variable* out)
{
    const int joint = tml_model_find_joint(model, head).index;
    const int axis = find_word(tail, axis_words);
    if (joint < 0 || axis < 0 || !is_free(model, joint, axis)) return false;
    out->quantity = (tml_quantity){.kind = is_rate ? TML_QUANTITY_RATE : TML_QUANTITY_COORDINATE,
                                   .index = joint,
                                   .component = axis};
    out->unit = axis < 3 ? is_rate ? "m/s" : "m" : is_rate ? "rad/s" : "rad";
    return true;
}

static bool find_load(const tml_model* model, const char* head, const char* tail,
                      unit_variable* out)
{
    const int joint = tml_model_find_joint(model, head).index;
    const int k = find_word(tail, push_words);
    if (joint < 0 || k < 0) return false;
    out->quantity = (tml_quantity){.kind = k < 3 ? TML_QUANTITY_FORCE : TML_QUANTITY_MOMENT,
                                   .index = joint,
                                   .component = k % 3};
    out->unit = k < 3 ? "N" : "N.m";
    return true;
}

bool unit_find_output(const tml_model* model, const char* name, unit_variable* out)
{
    static const char* const energies[] = {"energy.kinetic", "energy.potential", "energy.total",
                                           NULL};
    char head[512];
    char joint[512];
    const char* tail = NULL;
    const char* axis = NULL;
    *out = (unit_variable){.kind = UNIT_QUANTITY, .unit = ""};
    if (!keep_name(out, name)) return false;
    const int energy = find_word(name, energies);
    if (energy >= 0) {
        out->kind = energy == 2 ? UNIT_TOTAL : UNIT_QUANTITY;
        out->quantity.kind = energy == 0 ? TML_QUANTITY_KINETIC : TML_QUANTITY_POTENTIAL;
        out->unit = "J";
        return true;
    }
    if (strcmp(name, "gap") == 0) {
        out->kind = UNIT_GAP;
        return true;
    }
    if (!split(name, head, &tail)) return false;
    if (strcmp(tail, "rate") == 0 && split(head, joint, &axis) &&
        find_coordinate(model, joint, axis, true, out)) {
        return true;
    }
    return find_of_body(model, head, tail, out) ||
           find_coordinate(model, head, tail, false, out) || find_load(model, head, tail, out);
}

// ---- values

static double of_vector(tml_vec3 a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

static double coordinate(const tml_sim* sim, const tml_quantity* q)
{
    tml_axis axes[TML_AXES];
    double x[TML_AXES] = {0.0};
    const tml_joint joint = {q->index};
    const int count = tml_model_joint_axes(tml_sim_model(sim), joint, axes);
    if (q->kind == TML_QUANTITY_RATE) {
        tml_sim_joint_rates(sim, joint, x);
    } else {
        tml_sim_joint_coordinates(sim, joint, x);
    }
    for (int k = 0; k < count; k++) {
        if ((int)axes[k] == q->component) return x[k];
    }
    return (double)NAN;
}

static double quantity(const tml_sim* sim, const tml_quantity* q)
{
    const tml_body body = {q->index};
    const tml_joint joint = {q->index};
    const int k = q->component;
    switch (q->kind) {
    case TML_QUANTITY_POSITION: return of_vector(tml_sim_pose(sim, body).p, k);
    case TML_QUANTITY_QUATERNION: {
        const tml_quat r = tml_sim_pose(sim, body).q;
        return k == 0 ? r.w : k == 1 ? r.x : k == 2 ? r.y : r.z;
    }
    case TML_QUANTITY_VELOCITY: return of_vector(tml_sim_velocity(sim, body).linear, k);
    case TML_QUANTITY_ANGULAR_VELOCITY: return of_vector(tml_sim_velocity(sim, body).angular, k);
    case TML_QUANTITY_COORDINATE:
    case TML_QUANTITY_RATE: return coordinate(sim, q);
    case TML_QUANTITY_FORCE: return of_vector(tml_sim_joint_load(sim, joint).force, k);
    case TML_QUANTITY_MOMENT: return of_vector(tml_sim_joint_load(sim, joint).moment, k);
    case TML_QUANTITY_KINETIC: return tml_sim_energy(sim).kinetic;
    case TML_QUANTITY_POTENTIAL: return tml_sim_energy(sim).potential;
    case TML_QUANTITY_CONTACT_FORCE:
    case TML_QUANTITY_KINDS: break;
    }
    return (double)NAN;
}

double unit_value(const tml_sim* sim, const unit_variable* v)
{
    const tml_energy energy = tml_sim_energy(sim);
    switch (v->kind) {
    case UNIT_QUANTITY: return quantity(sim, &v->quantity);
    case UNIT_TOTAL: return energy.kinetic + energy.potential;
    case UNIT_GAP: return tml_sim_gap(sim);
    case UNIT_CONTROL:
    case UNIT_PUSH: break;
    }
    return (double)NAN;
}
