// model/inputs.c - what follows a control of its own beside actuated axes, numbered.
#include "model/inputs.h"

// Walks along all of them; `take` answers true to stop.
typedef bool (*take_input)(void* with, const tml_input* input, const control_data* control);

static bool walk_servos(const tml_model* m, take_input take, void* with)
{
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            const tml_input input = {TML_INPUT_SERVO, j, k, m->all.joints[j].name};
            if (a->has_servo && take(with, &input, &a->servo_target)) return true;
        }
    }
    return false;
}

static bool walk_tendons(const tml_model* m, take_input take, void* with)
{
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* s = &m->springs[i];
        tml_input input = {TML_INPUT_TENDON, i, 0, m->all.springs[i].name};
        if (s->point_count == 0) continue;  // ends on a deformable
        if (s->force.is_given && take(with, &input, &s->force)) return true;
        input.kind = TML_INPUT_ACTIVATION;
        if (s->muscle.force != 0.0 && take(with, &input, &s->activation)) return true;
    }
    return false;
}

static bool walk_wrenches(const tml_model* m, take_input take, void* with)
{
    for (int i = 0; i < 6 * m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i / 6];
        const int k = i % 6;
        const tml_input input = {k < 3 ? TML_INPUT_FORCE : TML_INPUT_TORQUE, i / 6, k % 3,
                                 m->all.wrenches[i / 6].name};
        if (take(with, &input, k < 3 ? &w->force[k] : &w->torque[k - 3])) return true;
    }
    return false;
}

static void walk(const tml_model* m, take_input take, void* with)
{
    if (walk_servos(m, take, with)) return;
    if (walk_tendons(m, take, with)) return;
    (void)walk_wrenches(m, take, with);
}

typedef struct search {
    int wanted;  // -1: none
    int count;
    tml_input input;
    const control_data* control;  // NULL: not found
} search;

static bool look(void* with, const tml_input* input, const control_data* control)
{
    search* s = with;
    if (s->count++ != s->wanted) return false;
    s->input = *input;
    s->control = control;
    return true;
}

int tml_model_input_count(const tml_model* model)
{
    search s = {.wanted = -1};
    if (model != NULL) walk(model, look, &s);
    return s.count;
}

tml_status tml_model_input(const tml_model* model, int index, tml_input* out)
{
    search s = {.wanted = index};
    if (model != NULL && index >= 0) walk(model, look, &s);
    if (s.control == NULL) return TML_BAD_ARGUMENT;
    *out = s.input;
    return TML_OK;
}

double tml_model_input_value(const tml_model* model, int index, double time)
{
    search s = {.wanted = index};
    if (model != NULL && index >= 0) walk(model, look, &s);
    return s.control != NULL ? tml__control_eval(s.control, time).value : 0.0;
}

typedef struct listing {
    double time;
    double* to;
} listing;

static bool list(void* with, const tml_input* input, const control_data* control)
{
    listing* l = with;
    (void)input;
    *l->to++ = tml__control_eval(control, l->time).value;
    return false;
}

void tml__inputs_eval(const tml_model* m, double time, double* out)
{
    listing l = {time, out};
    walk(m, list, &l);
}
