// sim/inputs.c - inputs that a caller sets: arrays of the model that are the simulation's own, with constants
// in place of the model's controls.
#include "model/inputs.h"

#include "sim/sim_internal.h"

#include <math.h>
#include <string.h>

typedef struct sim_inputs {
    joint_data* joints;
    axis_data* axes;  // TML_AXES per joint with a servo
    spring_data* springs;
    wrench_data* wrenches;
} sim_inputs;

static void release(const tml_allocator* a, sim_inputs* in)
{
    if (in == NULL) return;
    tml__release(a, in->joints);
    tml__release(a, in->axes);
    tml__release(a, in->springs);
    tml__release(a, in->wrenches);
    tml__release(a, in);
}

void tml__inputs_destroy(tml_sim* sim) { release(&sim->settings.allocator, sim->inputs); }

static bool has_servo(const joint_data* j)
{
    for (int k = 0; k < TML_AXES; k++) {
        if (j->axis[k].has_servo) return true;
    }
    return false;
}

static bool take(const tml_model* m, const tml_allocator* a, sim_inputs* in)
{
    size_t servos = 0;
    for (int j = 0; j < m->all.joint_count; j++) servos += has_servo(&m->joints[j]);
    in->joints = tml__allocate(a, (size_t)m->all.joint_count, sizeof *in->joints);
    in->axes = tml__allocate(a, servos * TML_AXES, sizeof *in->axes);
    in->springs = tml__allocate(a, (size_t)m->all.spring_count, sizeof *in->springs);
    in->wrenches = tml__allocate(a, (size_t)m->all.wrench_count, sizeof *in->wrenches);
    return in->joints != NULL && in->axes != NULL && in->springs != NULL && in->wrenches != NULL;
}

static void fill(const tml_model* m, sim_inputs* in)
{
    axis_data* axes = in->axes;
    for (int j = 0; j < m->all.joint_count; j++) {
        in->joints[j] = m->joints[j];
        if (!has_servo(&m->joints[j])) continue;
        memcpy(axes, m->joints[j].axis, TML_AXES * sizeof *axes);
        in->joints[j].axis = axes;
        axes += TML_AXES;
    }
    for (int i = 0; i < m->all.spring_count; i++) in->springs[i] = m->springs[i];
    for (int i = 0; i < m->all.wrench_count; i++) in->wrenches[i] = m->wrenches[i];
}

static double hold(control_data* control, double value)
{
    *control = (control_data){.def = tml_control_constant(value), .is_given = 1};
    return value;
}

// In the order of tml_model_input.
static void set_values(const tml_model* m, sim_inputs* in, const double* values)
{
    axis_data* axes = in->axes;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!has_servo(&m->joints[j])) continue;
        for (int k = 0; k < TML_AXES; k++) {
            if (axes[k].has_servo) hold(&axes[k].servo_target, *values++);
        }
        axes += TML_AXES;
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        spring_data* s = &in->springs[i];
        if (s->point_count == 0) continue;
        if (s->force.is_given) hold(&s->force, *values++);
        if (s->muscle.force != 0.0) hold(&s->activation, *values++);
    }
    for (int i = 0; i < 6 * m->all.wrench_count; i++) {
        wrench_data* w = &in->wrenches[i / 6];
        hold(i % 6 < 3 ? &w->force[i % 6] : &w->torque[i % 6 - 3], *values++);
    }
}

static tml_status check_values(tml_sim* sim, const double* values)
{
    const int count = tml_model_input_count(sim->given_model);
    for (int i = 0; i < count; i++) {
        tml_input input;
        if (isfinite(values[i])) continue;
        (void)tml_model_input(sim->given_model, i, &input);
        return tml__fail(&sim->why, TML_BAD_ARGUMENT,
                         "input %d, of '%.200s', must be finite, but is %g", i, input.name,
                         values[i]);
    }
    return TML_OK;
}

// The arrays that all else looks at.
static void point_at(tml_sim* sim, joint_data* joints, spring_data* springs, wrench_data* wrenches)
{
    sim->own_model.joints = joints;
    sim->own_model.springs = springs;
    sim->own_model.wrenches = wrenches;
    sim->system->is_aimed = false;
    tml__sim_forget_answers(sim);
}

tml_status tml_sim_set_inputs(tml_sim* sim, const double* values)
{
    if (sim == NULL || sim->is_dead) return TML_BAD_ARGUMENT;
    const tml_model* m = sim->given_model;
    sim->account->is_open = 0.0;  // what servos have stored jumps with their targets
    if (values == NULL) {
        point_at(sim, m->joints, m->springs, m->wrenches);
        return TML_OK;
    }
    const tml_status status = check_values(sim, values);
    if (status != TML_OK) return status;
    if (sim->inputs == NULL) {
        const tml_allocator* a = &sim->settings.allocator;
        sim_inputs* in = tml__allocate(a, 1, sizeof *in);
        if (in == NULL || !take(m, a, in)) {
            release(a, in);
            return tml__fail(&sim->why, TML_NO_MEMORY, "out of memory for inputs");
        }
        fill(m, in);
        sim->inputs = in;
    }
    set_values(m, sim->inputs, values);
    point_at(sim, sim->inputs->joints, sim->inputs->springs, sim->inputs->wrenches);
    return TML_OK;
}

void tml_sim_inputs(const tml_sim* sim, double* out)
{
    if (sim != NULL && !sim->is_dead) tml__inputs_eval(sim->model, sim->time, out);
}
