// io/choice.c - the words by which files choose parameters and quantities.
#include "io/choice.h"

#include "model/model.h"

#include <string.h>

static const words none = {{NULL}};
static const words vector = {{"x", "y", "z", NULL}};
static const words quaternion = {{"w", "x", "y", "z", NULL}};
static const words tensor = {{"xx", "yy", "zz", "xy", "xz", "yz", NULL}};
const words tml__axis_words = {{"tx", "ty", "tz", "rx", "ry", "rz", NULL}};

subject tml__parameter_subject(tml_parameter_kind kind)
{
    if (kind == TML_PARAMETER_GRAVITY) return OF_NOTHING;
    if (kind <= TML_PARAMETER_VELOCITY) return OF_BODY;
    if (kind == TML_PARAMETER_FRICTION || kind == TML_PARAMETER_RESTITUTION) return OF_BODY;
    if (kind >= TML_PARAMETER_SPRING_STIFFNESS && kind <= TML_PARAMETER_SPRING_REST) {
        return OF_SPRING;
    }
    return OF_JOINT;
}

const words* tml__parameter_words(tml_parameter_kind kind)
{
    switch (kind) {
    case TML_PARAMETER_INERTIA: return &tensor;
    case TML_PARAMETER_GRAVITY:
    case TML_PARAMETER_COM:
    case TML_PARAMETER_JOINT_POSITION:
    case TML_PARAMETER_JOINT_TURN: return &vector;
    case TML_PARAMETER_MASS:
    case TML_PARAMETER_FRICTION:
    case TML_PARAMETER_RESTITUTION:
    case TML_PARAMETER_SPRING_STIFFNESS:
    case TML_PARAMETER_SPRING_DAMPING:
    case TML_PARAMETER_SPRING_REST: return &none;
    case TML_PARAMETER_POSE:
    case TML_PARAMETER_VELOCITY:
    case TML_PARAMETER_JOINT_STIFFNESS:
    case TML_PARAMETER_JOINT_DAMPING:
    case TML_PARAMETER_JOINT_REST:
    case TML_PARAMETER_SERVO_STIFFNESS:
    case TML_PARAMETER_SERVO_DAMPING:
    case TML_PARAMETER_JOINT_WEIGHT:
    case TML_PARAMETER_CONTROL:
    case TML_PARAMETER_KINDS: break;
    }
    return &tml__axis_words;
}

subject tml__quantity_subject(tml_quantity_kind kind)
{
    if (kind <= TML_QUANTITY_CONTACT_FORCE) return OF_BODY;
    return kind <= TML_QUANTITY_MOMENT ? OF_JOINT : OF_NOTHING;
}

const words* tml__quantity_words(tml_quantity_kind kind)
{
    if (kind == TML_QUANTITY_QUATERNION) return &quaternion;
    if (kind == TML_QUANTITY_COORDINATE || kind == TML_QUANTITY_RATE) return &tml__axis_words;
    return kind >= TML_QUANTITY_KINETIC ? &none : &vector;
}

static int find_spring(const tml_model* m, const char* name)
{
    for (int i = 0; i < m->all.spring_count; i++) {
        if (strcmp(m->all.springs[i].name, name) == 0) return i;
    }
    return -1;
}

int tml__read_of(const element* e, const tml_model* model, subject of)
{
    reader* r = e->r;
    if (of == OF_NOTHING) return 0;
    const json* value = tml__need(e, "of");
    if (value == NULL) return 0;
    const char* name = tml__text(r, value, "of");
    if (r->status != TML_OK) return 0;
    const int index = of == OF_BODY    ? tml_model_find_body(model, name).index
                      : of == OF_JOINT ? tml_model_find_joint(model, name).index
                                       : find_spring(model, name);
    if (index < 0) {
        tml__refuse(r, value, TML_BAD_ARGUMENT, "%s: there is no %s '%.100s' that could move",
                    e->label,
                    of == OF_BODY    ? "body"
                    : of == OF_JOINT ? "joint"
                                     : "spring",
                    name);
    }
    return index < 0 ? 0 : index;
}

int tml__read_component(const element* e, const words* w, int* count)
{
    int all = 0;
    while (w->list[all] != NULL) all++;
    *count = all > 0 ? all : 1;
    if (tml__find(e, "component") == NULL) return 0;
    if (all == 0) {
        tml__refuse(e->r, tml__find(e, "component"), TML_BAD_ARGUMENT,
                    "%s is one number: it has no components", e->label);
        return 0;
    }
    const int index = tml__read_word(e, "component", w->list);
    *count = 1;
    return index < 0 ? 0 : index;
}

int tml__read_control(const element* e, const tml_model* model, int joint, int axis)
{
    for (int c = 0; c < model->control_count; c++) {
        const control_axis* id = &model->control_axes[c];
        if (id->joint == joint && (int)id->axis == axis) return c;
    }
    tml__refuse(e->r, e->object, TML_BAD_ARGUMENT, "%s: %s of joint '%s' is not actuated", e->label,
                tml_axis_name((tml_axis)axis), model->all.joints[joint].name);
    return 0;
}

bool tml__names_every_body(const element* e)
{
    const json* of = tml__find(e, "of");
    return of != NULL && strcmp(tml__text(e->r, of, "of"), "*") == 0;
}
