// app/targets.c - follows targets over time and turns the answer into control tables.
#include "app/targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double turn = 6.28318530717958647692;

// ---- room

static int count_axes(const tml_model* model, bool are_driven)
{
    int count = 0;
    for (int j = 0; j < tml_model_joint_count(model); j++) {
        tml_axis axes[TML_AXES];
        const int free_count = tml_model_joint_axes(model, (tml_joint){j}, axes);
        for (int i = 0; i < free_count; i++) {
            const tml_joint_def def = tml_model_joint(model, (tml_joint){j});
            count += !are_driven || def.axis_of[axes[i]].actuation == TML_POSITION;
        }
    }
    return count;
}

static void list_axes(const tml_model* model, bool are_driven, motion* m)
{
    int count = 0;
    for (int j = 0; j < tml_model_joint_count(model); j++) {
        tml_axis axes[TML_AXES];
        const int free_count = tml_model_joint_axes(model, (tml_joint){j}, axes);
        for (int i = 0; i < free_count; i++) {
            const tml_joint_def def = tml_model_joint(model, (tml_joint){j});
            const int is_driven = def.axis_of[axes[i]].actuation == TML_POSITION;
            if (are_driven && !is_driven) continue;
            m->axes[count++] = (motion_axis){{j}, axes[i], is_driven, NULL};
        }
    }
}

static bool take_room(const tml_model* model, bool is_moving, motion* m)
{
    const bool are_driven = count_axes(model, true) > 0;
    // a duration that is a multiple of the step but for round-off takes no extra step
    const double steps = ceil(m->targets.duration / m->targets.step - 1e-9);
    m->time_count = is_moving && steps > 0.0 ? (int)steps + 1 : 1;
    m->axis_count = count_axes(model, are_driven);
    m->times = calloc((size_t)m->time_count, sizeof *m->times);
    m->axes = calloc((size_t)m->axis_count + 1, sizeof *m->axes);
    m->first = calloc((size_t)tml_model_body_count(model) + 1, sizeof *m->first);
    m->last_length = calloc((size_t)m->targets.count, sizeof *m->last_length);
    m->last_angle = calloc((size_t)m->targets.count, sizeof *m->last_angle);
    if (!m->times || !m->axes || !m->first || !m->last_length || !m->last_angle) return false;
    list_axes(model, are_driven, m);
    for (int i = 0; i < m->axis_count; i++) {
        m->axes[i].values = calloc((size_t)m->time_count, sizeof(double));
        if (m->axes[i].values == NULL) return false;
    }
    for (int k = 0; k < m->time_count; k++) {
        const double t = (double)k * m->targets.step;
        m->times[k] = t < m->targets.duration ? t : m->targets.duration;
    }
    return true;
}

void motion_free(motion* m)
{
    for (int i = 0; m->axes != NULL && i < m->axis_count; i++) free(m->axes[i].values);
    free(m->times);
    free(m->axes);
    free(m->first);
    free(m->last_length);
    free(m->last_angle);
    tml_targets_destroy(&m->targets);
}

// ---- following

static double larger(double a, double b) { return a > b ? a : b; }

static void note(const tml_model* model, const tml_ik* ik, int k, motion* m)
{
    for (int i = 0; i < m->axis_count; i++) {
        m->axes[i].values[k] = tml_ik_coordinate(ik, m->axes[i].joint, m->axes[i].axis);
    }
    for (int b = 0; k == 0 && b < tml_model_body_count(model); b++) {
        m->first[b] = tml_ik_pose(ik, (tml_body){b});
    }
    for (int i = 0; i < m->targets.count; i++) {
        tml_ik_error(ik, i, &m->last_length[i], &m->last_angle[i]);
        m->worst_length = larger(m->worst_length, m->last_length[i]);
        m->worst_angle = larger(m->worst_angle, m->last_angle[i]);
    }
    m->worst_gap = larger(m->worst_gap, tml_ik_gap(ik));
}

// A scene starts with angles between half turns; the tables do too.
static void start_near_zero(motion* m)
{
    for (int i = 0; i < m->axis_count; i++) {
        motion_axis* a = &m->axes[i];
        if (a->axis < TML_AXIS_RX) continue;
        const double shift = turn * floor(a->values[0] / turn + 0.5);
        for (int k = 0; k < m->time_count && shift != 0.0; k++) a->values[k] -= shift;
    }
}

int motion_follow(const loaded* l, const char* path, bool is_moving, motion* out)
{
    char why[1024];
    *out = (motion){0};
    tml_status status =
        tml_targets_read_file(path, tml_scene_spec(l->scene), &out->targets, why, sizeof why);
    if (status != TML_OK) {
        app_error("%s", why);
        return app_exit_code(status);
    }
    if (!take_room(l->model, is_moving, out)) {
        app_error("%s: no memory", path);
        return APP_FAILED;
    }
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_ik* ik = NULL;
    status = tml_ik_create(l->model, out->targets.list, out->targets.count, &settings, &ik);
    for (int k = 0; k < out->time_count && status == TML_OK; k++) {
        status = tml_ik_solve(ik, out->times[k]);
        if (status == TML_OK) note(l->model, ik, k, out);
    }
    if (status != TML_OK) {
        app_error("%s: %s", l->name, ik != NULL ? tml_ik_message(ik) : tml_status_name(status));
    } else {
        out->iterations = tml_ik_iterations(ik);
        start_near_zero(out);
    }
    tml_ik_destroy(ik);
    return status == TML_OK ? APP_DONE : app_exit_code(status);
}

// ---- writing

bool motion_write(const motion* m, const loaded* l, const char* path)
{
    tml_spec* spec = tml_scene_spec(l->scene);
    tml_status status = tml_spec_set_poses(spec, m->first);

    for (int i = 0; i < m->axis_count && status == TML_OK; i++) {
        const motion_axis* a = &m->axes[i];
        const tml_control table = {.kind = TML_CONTROL_CUBIC,
                                   .count = m->time_count,
                                   .times = m->times,
                                   .samples = a->values};
        const tml_control constant = tml_control_constant(a->values[0]);
        if (!a->is_driven) continue;
        status =
            tml_spec_set_control(spec, a->joint, a->axis, m->time_count > 1 ? &table : &constant);
    }
    if (m->time_count > 1) tml_scene_settings(l->scene)->duration = m->targets.duration;
    if (status != TML_OK) {
        app_error("%s: the answer cannot be written: %s", path, tml_status_name(status));
        return false;
    }
    if (app_write_scene(l->scene, path) == TML_OK) return true;
    app_error("%s", tml_scene_message(l->scene));
    return false;
}
