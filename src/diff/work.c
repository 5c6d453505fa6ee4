// diff/work.c - scratch, targets and small maps of linearised steps.
#include "diff/work.h"

#include "diff/contact.h"

#include <string.h>

// ---- what a run depends on

size_t tml__run_input_count(const tml_sim* sim)
{
    const size_t bodies = (size_t)sim->model->all.body_count;
    return tml__parameter_count(sim->system) + (INITIAL_NUMBERS + 3 + 2) * bodies;
}

run_inputs tml__run_inputs(const tml_sim* sim, double* numbers)
{
    run_inputs in = {.form = tml__parameter_set(sim->system, numbers)};
    in.initial = numbers + tml__parameter_count(sim->system);
    in.com = in.initial + INITIAL_NUMBERS * (size_t)sim->model->all.body_count;
    in.contact = in.com + 3 * (size_t)sim->model->all.body_count;
    return in;
}

static void shift(partial_direction way, double* com, double* point)
{
    for (int k = 0; k < 3; k++) {
        if (way == PARTIAL_FORWARD) {
            point[k] -= com[k];
        } else {
            com[k] -= point[k];
        }
    }
}

void tml__spread_com(const tml_sim* sim, partial_direction way, const run_inputs* in)
{
    const tml_model* m = sim->model;
    const int world = tml__world(m);

    for (int j = 0; j < m->all.joint_count; j++) {
        double* markers = &in->form.marker[2 * MARKER_PARAMETERS * j];
        const joint_data* joint = &m->joints[j];
        if (joint->follower != world) shift(way, &in->com[3 * joint->follower], markers);
        if (joint->base != world)
            shift(way, &in->com[3 * joint->base], markers + MARKER_PARAMETERS);
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        double* points = &in->form.point[3 * tml__first_spring_point(sim->system, i)];
        for (int k = 0; k < m->springs[i].point_count; k++) {
            const int body = m->springs[i].body[k];
            if (body != world) shift(way, &in->com[3 * body], &points[3 * k]);
        }
    }
    double* points = &in->form.point[3 * tml__first_wrench_point(sim->system)];
    for (int i = 0; i < m->all.wrench_count; i++) {
        if (m->wrenches[i].body == world) continue;
        shift(way, &in->com[3 * m->wrenches[i].body], &points[3 * i]);
    }
}

// ---- scratch

tml_status tml__linear_work_create(tml_sim* sim, linear_work** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    const size_t six = 6 * (size_t)sim->model->node_count;
    const size_t rows = (size_t)sim->system->row_count;
    const size_t width = (size_t)sim->width;
    linear_work* w = tml__allocate(allocator, 1, sizeof *w);
    *out = w;
    if (w == NULL) return TML_NO_MEMORY;
    w->allocator = *allocator;
    double** const sixes[] = {&w->E,        &w->dx,      &w->pose,         &w->raw,
                              &w->velocity, &w->impulse, &w->acceleration, &w->acceleration_d};
    double** const ones[] = {&w->rows, &w->dl, &w->lambda, &w->lambda_d, &w->push, &w->spring};
    double** const wides[] = {&w->q_hat,  &w->v_hat,   &w->dq_hat,  &w->dv_hat,  &w->q,
                              &w->v,      &w->dx7,     &w->k_q[0],  &w->k_q[1],  &w->k_v[0],
                              &w->k_v[1], &w->dk_q[0], &w->dk_q[1], &w->dk_v[0], &w->dk_v[1]};
    const size_t n6 = sizeof sixes / sizeof *sixes;
    const size_t n1 = sizeof ones / sizeof *ones;
    const size_t nw = sizeof wides / sizeof *wides;

    w->memory = tml__allocate(allocator, n6 * six + n1 * rows + nw * width, sizeof(double));
    if (w->memory == NULL) return TML_NO_MEMORY;
    double* at = w->memory;
    for (size_t k = 0; k < n6; k++, at += six) *sixes[k] = at;
    for (size_t k = 0; k < n1; k++, at += rows) *ones[k] = at;
    for (size_t k = 0; k < nw; k++, at += width) *wides[k] = at;
    return TML_OK;
}

void tml__linear_work_destroy(tml_sim* sim, linear_work* work)
{
    if (work == NULL) return;
    tml__touch_linear_destroy(sim, work->touch);
    tml__release(&sim->settings.allocator, work->memory);
    tml__release(&sim->settings.allocator, work);
}

void tml__linear_forget_conflict(linear_work* work)
{
    work->conflict = 0.0;
    work->conflict_row = -1;
}

double tml__linear_conflict(const linear_work* work, int* row)
{
    *row = work->conflict_row;
    return work->conflict;
}

// ---- targets

// How value, rate and acceleration of an axis' target follow the controls at both ends of the step.
typedef struct control_slopes {
    double value[2], rate[2];  // by the control before, by the control now
} control_slopes;

static control_slopes slopes_of(const instant* i, const axis_data* a)
{
    const tml_sim* sim = i->sim;
    // of the whole step, whichever part of it this is
    const double h = sim->ask != NULL ? sim->ask->whole : step_h(sim);
    const double dt = i->dt + (sim->ask != NULL ? sim->ask->offset : 0.0);
    control_slopes s = {.value = {0.0, 1.0}};
    if (a->actuation == TML_POSITION && !i->is_answer) {
        s.value[0] = (h - dt) / h;
        s.value[1] = dt / h;
        s.rate[0] = -1.0 / h;
        s.rate[1] = 1.0 / h;
    }
    return s;
}

static double* target_of(const instant* i, int joint, int axis)
{
    return &i->x->inputs.form.axis[(joint * TML_AXES + axis) * AXIS_PARAMETERS + AXIS_TARGET];
}

// As answer.c sets them once the step is accepted.
static void answer_targets(const instant* i)
{
    tml_sim* sim = i->sim;
    const double t = sim->time + i->dt;
    for (int c = 0; c < sim->model->control_count; c++) {
        const control_axis* id = &sim->model->control_axes[c];
        sim->given[c] = tml__control_eval(&sim->model->joints[id->joint].axis[id->axis].control, t);
        if (i->controls != NULL) sim->given[c].value = i->controls[c];
    }
    tml__maximal_time(sim->system, t, sim->model->control_count > 0 ? sim->given : NULL);
}

void tml__instant_targets(const instant* i)
{
    const tml_model* m = i->sim->model;

    if (i->is_answer) {
        answer_targets(i);
    } else if (i->trace != NULL) {
        tml__sim_time(i->sim, i->dt, i->controls);
    } else {
        tml__maximal_time(i->sim->system, i->sim->time, NULL);
    }
    for (int c = 0; c < m->control_count; c++) {
        const control_axis* id = &m->control_axes[c];
        double* target = target_of(i, id->joint, (int)id->axis);
        target[0] = target[1] = target[2] = 0.0;
        // the model's own controls are no inputs
        if (i->way == PARTIAL_BACKWARD || i->controls == NULL || i->x->now == NULL) continue;
        const control_slopes s = slopes_of(i, &m->joints[id->joint].axis[id->axis]);
        target[0] = s.value[0] * i->x->before[c] + s.value[1] * i->x->now[c];
        target[1] = s.rate[0] * i->x->before[c] + s.rate[1] * i->x->now[c];
    }
}

void tml__instant_controls(const instant* i)
{
    const tml_model* m = i->sim->model;

    if (i->way == PARTIAL_FORWARD) return;
    for (int c = 0; c < m->control_count; c++) {
        const control_axis* id = &m->control_axes[c];
        double* target = target_of(i, id->joint, (int)id->axis);
        if (i->controls != NULL && i->x->now != NULL) {
            const control_slopes s = slopes_of(i, &m->joints[id->joint].axis[id->axis]);
            i->x->before[c] += s.value[0] * target[0] + s.rate[0] * target[1];
            i->x->now[c] += s.value[1] * target[0] + s.rate[1] * target[1];
        }
        target[0] = target[1] = target[2] = 0.0;
    }
}

// ---- small maps

void tml__carry(partial_direction way, const double* M, int inputs, int outputs, double* input,
                double* output)
{
    for (int r = 0; r < outputs; r++) {
        for (int c = 0; c < inputs; c++) {
            if (way == PARTIAL_FORWARD) {
                output[r] += M[r * inputs + c] * input[c];
            } else {
                input[c] += M[r * inputs + c] * output[r];
            }
        }
    }
}

static quat quat_at(const double* p) { return (quat){p[3], p[4], p[5], p[6]}; }

static quat unit_quat(int k) { return (quat){k == 0, k == 1, k == 2, k == 3}; }

static void set_column(double* M, int inputs, int column, vec3 a)
{
    for (int r = 0; r < 3; r++) M[r * inputs + column] = v3_at(a, r);
}

static void set_quat_column(double* M, int inputs, int column, quat a)
{
    M[column] = a.w;
    M[inputs + column] = a.x;
    M[2 * inputs + column] = a.y;
    M[3 * inputs + column] = a.z;
}

static void clear_if_forward(partial_direction way, double* output, int count)
{
    if (way == PARTIAL_FORWARD) memset(output, 0, (size_t)count * sizeof *output);
}

static void carry_vector(partial_direction way, double* input, double* output)
{
    for (int k = 0; k < 3; k++) {
        if (way == PARTIAL_FORWARD) {
            output[k] += input[k];
        } else {
            input[k] += output[k];
        }
    }
}

// dq = G^T dphi / 2
void tml__pose_to_flat(partial_direction way, const double* q, int nodes, double* pose,
                       double* flat)
{
    clear_if_forward(way, flat, POSE_WIDTH * nodes);
    for (int n = 0; n < nodes; n++) {
        double M[12];
        const quat at = quat_at(&q[POSE_WIDTH * n]);
        for (int k = 0; k < 3; k++) set_quat_column(M, 3, k, q_scale(0.5, q_Gt(at, v3_unit(k))));
        carry_vector(way, &pose[6 * n], &flat[POSE_WIDTH * n]);
        tml__carry(way, M, 3, 4, &pose[6 * n + 3], &flat[POSE_WIDTH * n + 3]);
    }
}

// dphi = 2 G dq / |q|^2: a quaternion that is not unit counts as the unit one in its direction
void tml__flat_to_pose(partial_direction way, const double* q, int nodes, double* flat,
                       double* pose)
{
    clear_if_forward(way, pose, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        double M[12];
        const quat at = quat_at(&q[POSE_WIDTH * n]);
        const double scale = 2.0 / q_dot(at, at);
        for (int k = 0; k < 4; k++) set_column(M, 4, k, v3_scale(scale, q_G(at, unit_quat(k))));
        carry_vector(way, &flat[POSE_WIDTH * n], &pose[6 * n]);
        tml__carry(way, M, 4, 3, &flat[POSE_WIDTH * n + 3], &pose[6 * n + 3]);
    }
}

// omega = 2 G(q) w / |q|^2 with G(q) w = vec(w conj(q))
void tml__rate_to_velocity(partial_direction way, const double* q, const double* v, int nodes,
                           double* dq, double* dv, double* velocity)
{
    clear_if_forward(way, velocity, 6 * nodes);
    for (int n = 0; n < nodes; n++) {
        double by_q[12];
        double by_w[12];
        const quat at = quat_at(&q[POSE_WIDTH * n]);
        const quat w = quat_at(&v[POSE_WIDTH * n]);
        const double scale = 2.0 / q_dot(at, at);
        const vec3 omega = v3_scale(scale, q_G(at, w));
        for (int k = 0; k < 4; k++) {
            const quat unit = unit_quat(k);
            const vec3 turned = v3_scale(scale, q_G(unit, w));
            set_column(by_w, 4, k, v3_scale(scale, q_G(at, unit)));
            set_column(by_q, 4, k, v3_axpy(turned, -scale * q_dot(at, unit), omega));
        }
        carry_vector(way, &dv[POSE_WIDTH * n], &velocity[6 * n]);
        tml__carry(way, by_q, 4, 3, &dq[POSE_WIDTH * n + 3], &velocity[6 * n + 3]);
        tml__carry(way, by_w, 4, 3, &dv[POSE_WIDTH * n + 3], &velocity[6 * n + 3]);
    }
}

// w = G(q)^T omega / 2; `omega` has 6 numbers a node
void tml__velocity_to_rate(partial_direction way, const double* q, const double* omega, int nodes,
                           double* dq, double* velocity, double* dv)
{
    clear_if_forward(way, dv, POSE_WIDTH * nodes);
    for (int n = 0; n < nodes; n++) {
        double by_q[16];
        double by_omega[12];
        const quat at = quat_at(&q[POSE_WIDTH * n]);
        const vec3 spin = v3_load(&omega[6 * n + 3]);
        for (int k = 0; k < 4; k++) {
            set_quat_column(by_q, 4, k, q_scale(0.5, q_Gt(unit_quat(k), spin)));
        }
        for (int k = 0; k < 3; k++) {
            set_quat_column(by_omega, 3, k, q_scale(0.5, q_Gt(at, v3_unit(k))));
        }
        carry_vector(way, &velocity[6 * n], &dv[POSE_WIDTH * n]);
        tml__carry(way, by_q, 4, 4, &dq[POSE_WIDTH * n + 3], &dv[POSE_WIDTH * n + 3]);
        tml__carry(way, by_omega, 3, 4, &velocity[6 * n + 3], &dv[POSE_WIDTH * n + 3]);
    }
}
