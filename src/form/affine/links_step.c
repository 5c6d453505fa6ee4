// form/affine/links_step.c - one step of links: prediction, Newton, what is accepted. [notes 9.4]
#include "form/affine/links.h"
#include "linalg/lanes.h"

#include <string.h>

// A link may turn by 2.5 rad in a step: see form/affine/step.c. 1 + 2 cos(2.5)
static const double least_trace = -0.60228723;

// Once the last update was this small, the next would be its square: below rounding.
static const double quadratic = 1e-7;

enum {
    EXTRA_ITERATIONS = 2  // where what is left of the equations shows in the energy
};

static double* state_at(const link_system* l, int link)
{
    return l->state + (size_t)(link / LANES) * LINK_STATE * LANES + link % LANES;
}

static void put(double* lane, int row, int count, const double* values)
{
    for (int k = 0; k < count; k++) lane[(row + k) * LANES] = values[k];
}

static void get(const double* lane, int row, int count, double* values)
{
    for (int k = 0; k < count; k++) values[k] = lane[(row + k) * LANES];
}

// ---- states

void tml__links_load(link_system* l, const double* q, const double* v, const double* lambda)
{
    const maximal_system* s = l->s;
    for (int k = 0; k < l->count; k++) {
        const double* p = &q[l->node[k] * POSE_WIDTH];
        const double* u = &v[l->node[k] * POSE_WIDTH];
        const quat raw = {p[3], p[4], p[5], p[6]};
        const quat w = {u[3], u[4], u[5], u[6]};
        const mat3 R = q_matrix(q_normalize(raw));
        const vec3 omega = v3_scale(2.0 / q_dot(raw, raw), q_G(raw, w));
        double* lane = state_at(l, k);
        const double spin[3] = {omega.x, omega.y, omega.z};
        memcpy(&l->x[3 * k], p, 3 * sizeof(double));
        put(lane, LINK_V, 3, u);
        put(lane, LINK_OMEGA, 3, spin);
        put(lane, LINK_R, 9, &R.m[0][0]);
        const double none[3] = {0.0, 0.0, 0.0};
        put(lane, LINK_FORCE, 3, l->joint[k] >= 0 ? &lambda[s->first_row[l->joint[k]]] : none);
    }
}

void tml__links_store(const link_system* l, double* q, double* v, double* lambda)
{
    for (int k = 0; k < l->count; k++) {
        const double* lane = state_at(l, k);
        double* x = &q[l->node[k] * POSE_WIDTH];
        double move[3], linear[3], spin[3];
        mat3 R;
        get(lane, LINK_MOVE, 3, move);
        get(lane, LINK_END, 9, &R.m[0][0]);
        get(lane, LINK_EX, 3, linear);
        get(lane, LINK_KE, 3, spin);
        const quat turn = tml__q_from_matrix(R);
        for (int i = 0; i < 3; i++) x[i] = l->x[3 * k + i] + move[i];
        x[3] = turn.w;
        x[4] = turn.x;
        x[5] = turn.y;
        x[6] = turn.z;
        tml__maximal_store_velocity(x, v3_load(linear), v3_load(spin), &v[l->node[k] * POSE_WIDTH]);
        if (l->joint[k] >= 0) get(lane, LINK_FORCE, 3, &lambda[l->s->first_row[l->joint[k]]]);
    }
}

static void copy_rows(const link_system* l, int from, int to, int count)
{
    for (int group = 0; group < l->group_count; group++) {
        double* state = l->state + (size_t)group * LINK_STATE * LANES;
        memcpy(state + to * LANES, state + from * LANES, (size_t)count * LANES * sizeof(double));
    }
}

void tml__links_go_on(link_system* l)
{
    for (int k = 0; k < l->count; k++) {
        const double* lane = state_at(l, k);
        for (int i = 0; i < 3; i++) l->x[3 * k + i] += lane[(LINK_MOVE + i) * LANES];
    }
    copy_rows(l, LINK_EX, LINK_V, 3);
    copy_rows(l, LINK_KE, LINK_OMEGA, 3);
    copy_rows(l, LINK_END, LINK_R, 9);
}

void tml__links_forget_forces(link_system* l)
{
    for (int group = 0; group < l->group_count; group++) {
        double* state = l->state + (size_t)group * LINK_STATE * LANES;
        memset(state + LINK_FORCE * LANES, 0, 3 * LANES * sizeof(double));
    }
}

// ---- solving

static links_call call_of(link_system* l, links_mode mode, const affine_stage* stage)
{
    return (links_call){
        .l = l,
        .mode = mode,
        .stage = *stage,
        .gravity = l->s->model->all.gravity,
        .sweep = l->sweep,
    };
}

static tml_status iterate(links_call* call, double* update)
{
    const tml_status status = tml__links_inwards(call);
    if (status != TML_OK) return status;
    *update = tml__links_outwards(call);
    return isfinite(*update) ? TML_OK : TML_NOT_CONVERGED;
}

static tml_status newton(links_call* call, const newton_settings* settings, affine_report* report)
{
    do {
        if (report->iterations == settings->max_iterations) return TML_NOT_CONVERGED;
        const tml_status status = iterate(call, &report->update);
        report->iterations++;
        if (status != TML_OK) return status;
    } while (!(report->update <= quadratic));
    return TML_OK;
}

// Velocities at the end; whether a link turned too far or energy appeared.
static tml_status close(links_call* call, affine_report* report)
{
    links_sums sums = {.trace = 3.0};
    for (int group = 0; group < call->l->group_count; group++) {
        call->group = group;
        call->l->kernels->close(call, &sums);
    }
    const double pushed = tml__links_push_work(call->l);
    sums.work += pushed;
    sums.work_size += fabs(pushed);
    const double scale = 1e-3 + sums.before + sums.work_size;
    report->has_turned = !(sums.trace > least_trace);
    report->has_gained = !(sums.after <= sums.before + sums.work + 1e-9 * scale);
    return report->has_turned ? TML_NOT_CONVERGED : TML_OK;
}

tml_status tml__links_step(link_system* l, const affine_stage* stage,
                           const newton_settings* settings, affine_report* report)
{
    links_call call = call_of(l, LINKS_STEP, stage);
    *report = (affine_report){0};
    tml__links_start(&call);
    tml_status status = newton(&call, settings, report);
    if (status == TML_OK) status = close(&call, report);
    for (int extra = 0; status == TML_OK && report->has_gained; extra++) {
        if (extra == EXTRA_ITERATIONS) return TML_NOT_CONVERGED;
        status = iterate(&call, &report->update);
        report->iterations++;
        if (status == TML_OK) status = close(&call, report);
    }
    if (status != TML_OK || stage->theta != 0.5) return status;

    double change = 0.0;
    links_call project = call_of(l, LINKS_PROJECT, stage);
    return iterate(&project, &change);
}

tml_status tml__links_project(link_system* l, double* change)
{
    const affine_stage none = {.h = 1.0, .theta = 1.0, .beta = 1.0, .phi = 0.5};
    links_call call = call_of(l, LINKS_PROJECT, &none);

    copy_rows(l, LINK_R, LINK_END, 9);
    copy_rows(l, LINK_V, LINK_EX, 3);
    copy_rows(l, LINK_OMEGA, LINK_KE, 3);
    for (int group = 0; group < l->group_count; group++) {
        double* state = l->state + (size_t)group * LINK_STATE * LANES;
        memset(state + LINK_MOVE * LANES, 0, 3 * LANES * sizeof(double));
    }
    const tml_status status = iterate(&call, change);
    if (status == TML_OK) tml__links_go_on(l);
    return status;
}

tml_status tml__links_forces(link_system* l)
{
    const affine_stage none = {.h = 1.0, .theta = 1.0, .beta = 1.0, .phi = 0.5};
    links_call call = call_of(l, LINKS_FORCES, &none);
    double change = 0.0;

    tml__links_forget_forces(l);
    return iterate(&call, &change);
}

void tml__links_forces_out(const link_system* l, double* lambda)
{
    for (int k = 0; k < l->count; k++) {
        if (l->joint[k] < 0) continue;
        get(state_at(l, k), LINK_FORCE, 3, &lambda[l->s->first_row[l->joint[k]]]);
    }
}
