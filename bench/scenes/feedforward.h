// bench/scenes/feedforward.h - a motion driven by position, and the same mechanism driven by force.
//
// A model is copied from its definitions with its position actuators changed: other weights, or
// motors that deliver recorded torques while servos follow the recorded targets.
// For mechanisms of bodies and joints only: springs, wrenches, drags and couplings are not copied.
#ifndef TRAMMEL_BENCH_FEEDFORWARD_H
#define TRAMMEL_BENCH_FEEDFORWARD_H

#include <trammel/trammel.h>

#include <stdio.h>
#include <stdlib.h>

static inline void leave(const char* what, const char* why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static inline void* claim(size_t count, size_t bytes)
{
    void* memory = calloc(count > 0 ? count : 1, bytes);
    if (memory == NULL) leave("bench", "no memory");
    return memory;
}

// ---- what the actuators did, one series of steps + 1 samples an actuator

typedef struct motion {
    int steps, drives;
    double* time;
    double* coordinate;
    double* torque;
} motion;

static inline motion motion_create(int steps, int drives)
{
    const size_t samples = (size_t)(steps + 1);
    return (motion){.steps = steps,
                    .drives = drives,
                    .time = claim(samples, sizeof(double)),
                    .coordinate = claim(samples * (size_t)drives, sizeof(double)),
                    .torque = claim(samples * (size_t)drives, sizeof(double))};
}

static inline void motion_destroy(motion* m)
{
    free(m->time);
    free(m->coordinate);
    free(m->torque);
}

static inline size_t motion_at(const motion* m, int drive, int step)
{
    return (size_t)drive * (size_t)(m->steps + 1) + (size_t)step;
}

// The coordinate of an actuated axis now.
static inline double drive_coordinate(const tml_sim* sim, tml_joint joint, tml_axis axis)
{
    double values[TML_AXES];
    tml_axis axes[TML_AXES];
    const int count = tml_model_joint_axes(tml_sim_model(sim), joint, axes);

    tml_sim_joint_coordinates(sim, joint, values);
    for (int i = 0; i < count; i++) {
        if (axes[i] == axis) return values[i];
    }
    return 0.0;
}

static inline void motion_record(motion* m, int step, const tml_sim* sim)
{
    m->time[step] = tml_sim_time(sim);
    for (int d = 0; d < m->drives; d++) {
        tml_joint joint;
        tml_axis axis;
        tml_actuation actuation;
        double rows[TML_AXES];

        tml_model_control(tml_sim_model(sim), d, &joint, &axis, &actuation);
        tml_sim_joint_multipliers(sim, joint, rows);
        m->torque[motion_at(m, d, step)] = rows[axis];
        m->coordinate[motion_at(m, d, step)] = drive_coordinate(sim, joint, axis);
    }
}

// Run a model and write down what its actuators did.
static inline motion motion_of(const tml_model* model, const tml_sim_settings* settings, int steps)
{
    motion m = motion_create(steps, tml_model_control_count(model));
    tml_sim* sim = NULL;

    if (tml_sim_create(model, settings, &sim) != TML_OK) leave("start", tml_sim_message(sim));
    motion_record(&m, 0, sim);
    for (int k = 1; k <= steps; k++) {
        if (tml_sim_step(sim, NULL) != TML_OK) leave("step", tml_sim_message(sim));
        motion_record(&m, k, sim);
    }
    tml_sim_destroy(sim);
    return m;
}

// ---- the same mechanism, driven differently

typedef struct drive_plan {
    double weight;         // least-norm weight of the actuation rows; 0: as they are
    const motion* forced;  // motors deliver these torques; NULL: actuators stay position actuators
    double stiffness;      // of the servos beside them, N m/rad; 0: none
    double damping;        // N m s/rad
} drive_plan;

static inline void change_drive(tml_joint_axis* axis, const drive_plan* plan, int drive)
{
    if (plan->weight > 0.0) axis->weight = plan->weight;
    if (plan->forced == NULL) return;
    const motion* m = plan->forced;
    if (plan->stiffness > 0.0) {
        axis->has_servo = 1;
        axis->servo_target = axis->control;
        axis->servo_stiffness = plan->stiffness;
        axis->servo_damping = plan->damping;
    }
    axis->actuation = TML_FORCE;
    axis->control = (tml_control){.kind = TML_CONTROL_TABLE,
                                  .count = m->steps + 1,
                                  .times = m->time,
                                  .samples = &m->torque[motion_at(m, drive, 0)]};
}

static inline tml_model* driven_model(const tml_model* from, const drive_plan* plan)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    int drive = 0;

    if (spec == NULL) leave("bench", "no memory");
    tml_spec_set_gravity(spec, tml_model_gravity(from));
    for (int i = 0; i < tml_model_body_count(from); i++) {
        tml_spec_add_body(spec, tml_model_body(from, (tml_body){i}));
    }
    for (int j = 0; j < tml_model_joint_count(from); j++) {
        tml_joint_def def = tml_model_joint(from, (tml_joint){j});
        for (int k = 0; k < TML_AXES; k++) {
            if (def.axis_of[k].actuation != TML_POSITION) continue;
            change_drive(&def.axis_of[k], plan, drive++);
        }
        tml_spec_add_joint(spec, &def);
    }
    if (tml_spec_build(spec, &model) != TML_OK) leave("model", tml_spec_message(spec));
    tml_spec_destroy(spec);
    return model;
}

#endif
