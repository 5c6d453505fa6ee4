// analysis/assemble.c - open joints closed: the nearest poses in which every row holds.
//
// First from the given poses. Where that comes to rest with rows open, or a joint stands on its far
// side already, bodies are hung along a spanning tree and the loops closed from there; the nearest
// poses are looked for around the given ones all the same.
#include "analysis/closing.h"

#include <trammel/assemble.h>

#include <stdio.h>
#include <string.h>

tml_assemble_settings tml_assemble_settings_default(void)
{
    return (tml_assemble_settings){.tolerance = 1e-10, .max_iterations = 2000};
}

static double largest_row(const closing* c)
{
    double largest = 0.0;
    for (int row = 0; row < c->s->row_count; row++) {
        if (fabs(c->s->C[row]) > largest) largest = fabs(c->s->C[row]);
    }
    return largest;
}

tml_status tml__assemble(closing* c)
{
    const size_t bytes = (size_t)c->s->node_count * POSE_WIDTH * sizeof(double);
    tml_status status = TML_INFEASIBLE;
    double left_open = HUGE_VAL;

    memcpy(c->s->x, c->from, bytes);
    tml__closing_look(c);
    tml__closing_remember(c);
    if (tml__maximal_consistency(c->s) > 0.0) {
        status = tml__closing_assemble(c);
        left_open = largest_row(c);
    }
    if (status != TML_INFEASIBLE) return status;

    memcpy(c->kept, c->s->x, bytes);
    memset(c->s->sides, 0, (size_t)c->s->limit_count * sizeof *c->s->sides);
    status = tml__closing_tree_start(c);
    if (status == TML_OK) status = tml__closing_assemble(c);
    if (status == TML_INFEASIBLE && left_open < largest_row(c)) {
        memcpy(c->s->x, c->kept, bytes);
        tml__closing_look(c);
    }
    return status;
}

static vec3 turn_between(const double* a, const double* b)
{
    const quat p = q_normalize((quat){a[3], a[4], a[5], a[6]});
    const quat q = q_normalize((quat){b[3], b[4], b[5], b[6]});
    return tml__q_log(q_mul(q, q_conj(p)));
}

static void report_motion(const closing* c, tml_assemble_report* report)
{
    const tml_model* m = c->s->model;
    double sum = 0.0;

    for (int n = 0; n < m->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const double* from = &c->from[(size_t)n * POSE_WIDTH];
        const double* to = &c->s->x[(size_t)n * POSE_WIDTH];
        const vec3 d = v3_sub(v3_load(to), v3_load(from));
        const vec3 phi = turn_between(from, to);
        const quat q = q_normalize((quat){to[3], to[4], to[5], to[6]});
        const vec3 local = q_rotate(q_conj(q), phi);
        sum += body->mass * v3_dot(d, d) + v3_dot(local, m3_apply(body->inertia, local));
        if (v3_norm(d) > report->moved) {
            report->moved = v3_norm(d);
            report->most = (tml_body){m->node_body[n]};
        }
        if (v3_norm(phi) > report->turned) report->turned = v3_norm(phi);
    }
    report->distance = sqrt(sum);
}

static tml_status check(const tml_model* model, const tml_assemble_settings* settings, message* why)
{
    if (!(settings->tolerance >= 1e-15 && settings->tolerance <= 1e-2)) {
        return tml__fail(why, TML_BAD_ARGUMENT, "tolerance must be in [1e-15, 1e-2], but is %g",
                         settings->tolerance);
    }
    for (int b = 0; settings->start != NULL && b < model->all.body_count; b++) {
        const tml_pose* pose = &settings->start[b];
        const double square = q_dot(pose->q, pose->q);
        if (v3_is_finite(pose->p) && square > 0.25 && square < 4.0) continue;
        return tml__fail(why, TML_BAD_ARGUMENT, "the start of body '%s' is not a pose",
                         model->all.bodies[b].name);
    }
    return TML_OK;
}

static void initial_poses(const tml_model* m, tml_pose* poses)
{
    for (int b = 0; b < m->all.body_count; b++) {
        const body_data* body = &m->bodies[b];
        poses[b] = (tml_pose){v3_sub(body->c, q_rotate(body->q, body->com)), body->q};
    }
}

static tml_status run(const tml_model* model, const tml_assemble_settings* settings,
                      tml_pose* poses, tml_assemble_report* report, message* why)
{
    const derivation plain = {.actuators = DERIVE_AS_IS, .change = {.joint = -1}};
    closing* c = NULL;
    tml_status status = check(model, settings, why);
    if (status == TML_OK) {
        status = tml__closing_create(model, &plain, &settings->allocator, why, &c);
    }
    if (status != TML_OK) return status;

    c->tolerance = settings->tolerance;
    c->budget = settings->max_iterations;
    initial_poses(model, poses);
    tml__closing_load(model, settings->start != NULL ? settings->start : poses, c->from);
    memcpy(c->s->x, c->from, (size_t)c->s->node_count * POSE_WIDTH * sizeof(double));
    report->gap_before = tml__closing_look(c);

    status = tml__assemble(c);
    report->gap_after = tml__closing_look(c);
    report->slope = c->slope;
    report->iterations = c->spent;
    report_motion(c, report);
    tml__closing_store(model, c->s->x, poses);
    if (status != TML_OK) tml__closing_describe(c, status, why);
    tml__closing_destroy(c);
    return status;
}

tml_status tml_model_assemble(const tml_model* model, const tml_assemble_settings* settings,
                              tml_pose* poses, tml_assemble_report* report, char* why,
                              size_t capacity)
{
    message text = {{0}};
    tml_assemble_report own;
    if (report == NULL) report = &own;
    *report = (tml_assemble_report){.most = {-1}};
    if (why != NULL && capacity > 0) why[0] = '\0';
    if (model == NULL || settings == NULL || poses == NULL) return TML_BAD_ARGUMENT;

    const tml_status status = run(model, settings, poses, report, &text);
    if (why != NULL && capacity > 0) snprintf(why, capacity, "%s", text.text);
    return status;
}
