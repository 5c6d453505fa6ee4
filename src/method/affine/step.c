// method/affine/step.c - one step: prediction, Newton, what is accepted, and closing velocities.
//                                                                                  [notes 9.4]
// Newton starts where the velocities lead and takes full steps; only a body that would turn by more
// than a radian is held back. A line search does not help here: rows and forces that are far from
// balance for one link say nothing about the others. What does not converge, turns too far or gains
// energy is refused, and the caller takes smaller steps.
#include "method/affine/flex.h"
#include "method/affine/partials.h"
#include "method/affine/points.h"
#include "method/jump.h"

#include <string.h>

// A body may turn this much in one iteration, rad.
static const double clamp = 1.0;

// Once the last update was this small, the next would be its square: below rounding.
static const double quadratic = 1e-7;

// A factor is used again after an update of at most this (m, rad), as long as each is so much shorter than
// the one before. Such updates shrink by a share only: they end at a share of the tolerance.
static const double longest_kept = 1e-2;
static const double slowest_kept = 0.1;
static const double enough_kept = 1e-3;

// ---- states

static void leave_out_rows(affine_system* a)
{
    for (int row = 0; row < a->s->row_count; row++) {
        a->is_dropped[row] = a->is_redundant[row] || a->row_first[row] < 0;
        a->was_dropped[row] = a->is_redundant[row];
        a->trial[row] = 0.0;
    }
}

// What contacts push where the step starts: velocities jump.
static void jolt(affine_system* a, int node, const double push[6])
{
    const body_data* body = &a->s->model->bodies[a->s->model->node_body[node]];
    affine_body* b = &a->body[node];
    const mat3 J = m3_mul_bt(m3_mul(b->R, body->inertia), b->R);
    b->v = v3_axpy(b->v, 1.0 / body->mass, v3_load(push));
    b->omega = v3_add(b->omega, m3_apply(m3_inverse(J), v3_load(push + 3)));
}

void tml__affine_load(affine_system* a, const double* q, const double* v)
{
    tml__maximal_place(a->s, q, v);
    leave_out_rows(a);
    for (int n = 0; n < a->s->node_count; n++) {
        const rigid* b = &a->s->bodies[a->s->model->node_body[n]];
        affine_body* to = &a->body[n];
        to->x = b->c;
        to->v = b->v;
        to->omega = b->omega;
        to->R = b->R;
        to->turned = v3_zero();
        if (a->s->jolt != NULL) jolt(a, n, &a->s->jolt[6 * n]);
    }
}

void tml__affine_load_before(affine_system* a, const double* q, const double* v)
{
    tml__maximal_place(a->s, q, v);
    for (int n = 0; n < a->s->node_count; n++) {
        const rigid* b = &a->s->bodies[a->s->model->node_body[n]];
        affine_body* to = &a->body[n];
        to->x_before = b->c;
        to->v_before = b->v;
        to->omega_before = b->omega;
        to->R_before = b->R;
    }
    for (int i = 0; i < a->s->forced_count; i++) {
        const joint_axis_id id = a->s->forced[i];
        const joint_data* j = &a->s->model->joints[id.joint];
        joint_frame at;
        tml__joint_frame(j, &a->s->turns[id.joint], &a->s->bodies[j->follower],
                         &a->s->bodies[j->base], &at);
        a->axis_before[i] = tml__coordinate_value(j, id.axis, &at.F, &at.B,
                                                  tml__maximal_hint(a->s, id.joint, id.axis));
    }
    tml__affine_spring_before(a);
}

void tml__affine_go_on(affine_system* a)
{
    for (int n = 0; n < a->s->node_count; n++) {
        affine_body* b = &a->body[n];
        if (a->flex == NULL) b->turned = v3_add(b->turned, tml__affine_cayley(b));
        b->x = v3_add(b->x, b->move);
        b->v = b->v_end;
        b->omega = b->omega_end;
        b->R = b->R_end;
        if (a->flex != NULL) a->flex->body[n].U = a->flex->body[n].U_end;
    }
}

void tml__affine_store(const affine_system* a, double* q, double* v)
{
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const mat3 R = a->flex != NULL ? tml__flex_rotation(b->R_end) : b->R_end;
        const quat turn = tml__q_from_matrix(R);
        double* x = &q[n * POSE_WIDTH];
        v3_store(x, v3_add(b->x, b->move));
        x[3] = turn.w;
        x[4] = turn.x;
        x[5] = turn.y;
        x[6] = turn.z;
        tml__maximal_store_velocity(x, b->v_end, b->omega_end, &v[n * POSE_WIDTH]);
    }
}

void tml__affine_aim(affine_system* a)
{
    maximal_system* s = a->s;
    const size_t joints = (size_t)s->model->all.joint_count;

    memcpy(a->force_targets.axis, s->targets.axis, joints * TML_AXES * sizeof *s->targets.axis);
    memcpy(a->force_targets.servo, s->targets.servo, joints * TML_AXES * sizeof *s->targets.servo);
    memcpy(a->force_turns, s->turns, joints * sizeof *s->turns);
    a->force_time = s->t;
}

// ---- prediction

// Frames and compliant rows at the start of the step.
static void mark_start(affine_system* a)
{
    maximal_system* s = a->s;
    const tml_model* m = s->model;

    s->placements++;  // frames and rows by hand
    for (int n = 0; n < s->node_count; n++) {
        s->bodies[m->node_body[n]].c = a->body[n].x;
        s->bodies[m->node_body[n]].R = a->body[n].R;
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        const joint_data* joint = &m->joints[j];
        tml__joint_frame(joint, &s->turns[j], &s->bodies[joint->follower], &s->bodies[joint->base],
                         &s->frames[j]);
    }
    tml__maximal_rows(s);
    memcpy(a->C_start, s->C, (size_t)s->row_count * sizeof(double));
    memcpy(a->start_frames, s->frames, (size_t)m->all.joint_count * sizeof *s->frames);
}

// ---- Newton

// The largest part of an update, and the iterate moved by it.
static double move(affine_system* a, const affine_stage* stage)
{
    maximal_system* s = a->s;
    double largest = 0.0;

    for (int n = 0; n < s->node_count; n++) {
        affine_body* b = &a->body[n];
        vec3 turn = v3_scale(a->share, v3_load(&s->dx[6 * n + 3]));
        const vec3 shift = v3_scale(a->share, v3_load(&s->dx[6 * n]));
        const double angle = v3_norm(turn);
        for (int k = 0; k < 6; k++) largest = tml__larger(largest, s->dx[6 * n + k]);
        if (angle > clamp) turn = v3_scale(clamp / angle, turn);
        b->move = v3_add(b->move, shift);
        b->R_end = m3_mul(q_matrix(q_exp(turn)), b->R_end);
    }
    for (int row = 0; row < s->row_count; row++)
        a->lambda[row] += a->share * s->dl[row] / stage->beta;
    return largest;
}

// ---- what a partner asks                                                        (maximal.h)

typedef struct asked {
    affine_system* a;
    const affine_stage* stage;
} asked;

static void place_end(void* self, const double* dx, double* q)
{
    const affine_system* a = ((asked*)self)->a;
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const mat3 R = m3_mul(q_matrix(q_exp(v3_load(&dx[6 * n + 3]))), b->R_end);
        const quat turn = tml__q_from_matrix(R);
        double* to = &q[n * POSE_WIDTH];
        v3_store(to, v3_add(v3_add(b->x, b->move), v3_load(&dx[6 * n])));
        to[3] = turn.w;
        to[4] = turn.x;
        to[5] = turn.y;
        to[6] = turn.z;
    }
}

// The solution of the iteration itself stands in s->dx and s->dl, and goes back there.
static tml_status answer(void* self, const double* side, double* dx, double* dl)
{
    affine_system* a = ((asked*)self)->a;
    maximal_system* s = a->s;
    const size_t six = 6 * (size_t)s->node_count * sizeof(double);
    const size_t rows = (size_t)s->row_count * sizeof(double);
    memcpy(s->ahead_dx, s->dx, six);
    memcpy(s->ahead_dl, s->dl, rows);
    memcpy(s->dx, side, six);
    memset(s->dl, 0, rows);
    tml__affine_solve(a);
    memcpy(dx, s->dx, six);
    memcpy(dl, s->dl, rows);
    memcpy(s->dx, s->ahead_dx, six);
    memcpy(s->dl, s->ahead_dl, rows);
    return TML_OK;
}

static void add_jolts(void* self, const double* impulses)
{
    affine_system* a = ((asked*)self)->a;
    const double h = ((asked*)self)->stage->h;
    for (int n = 0; n < a->s->node_count; n++) {
        affine_body* b = &a->body[n];
        jolt(a, n, &impulses[6 * n]);
        b->x_hat = v3_scale(h, b->v);
        b->R_hat = m3_add(b->R, m3_scale(h, m3_mul(m3_skew(b->omega), b->R)));
    }
}

static tml_status ask_partner(affine_system* a, const affine_stage* stage)
{
    maximal_system* s = a->s;
    asked by = {a, stage};
    const maximal_answer answers = {&by, place_end, answer, add_jolts};
    return s->partner->correct(s->partner->self, &answers, s->dx, s->dl);
}

static tml_status iterate(affine_system* a, const affine_stage* stage, bool keeps_factor,
                          double* update)
{
    maximal_system* s = a->s;
    tml_status status = keeps_factor        ? TML_OK
                        : a->points != NULL ? tml__points_factor(a->points, stage)
                                            : tml__affine_factor(a, stage);
    if (status != TML_OK) return status;

    double* side = a->flex != NULL ? a->flex->dx : s->dx;
    for (int i = 0; i < a->width * s->node_count; i++) side[i] = -stage->beta * a->residual[i];
    for (int row = 0; row < s->row_count; row++) s->dl[row] = a->is_dropped[row] ? 0.0 : -s->C[row];
    if (a->guest.self != NULL) a->guest.correct(a->guest.self, s->dx);
    if (a->flex != NULL)
        tml__flex_solve(a);
    else if (a->points != NULL)
        tml__points_solve(a->points);
    else
        tml__affine_solve_coupled(a);
    if (s->partner != NULL) status = ask_partner(a, stage);
    if (status != TML_OK) return status;
    *update = a->flex != NULL ? tml__flex_move(a, stage) : move(a, stage);
    if (a->guest.self != NULL) *update = tml__larger(*update, a->guest.move(a->guest.self, s->dx));
    return isfinite(*update) ? TML_OK : TML_NOT_CONVERGED;
}

// The matrix of a guest need not be exact, so that its updates may shrink more slowly.
static bool is_settled(const affine_system* a, const affine_report* report, double before,
                       const newton_settings* settings)
{
    const double enough = a->guest.self != NULL ? settings->tolerance : quadratic;
    if (a->held > 0) return false;  // friction is not what the law says
    if (a->s->partner !=
        NULL) {  // its laws are met by updates, nothing else tells; its forces, as long as they shrink
        const bool is_met =
            report->gap <= settings->tolerance && report->update <= settings->tolerance;
        const bool may_shrink =
            report->update > 1e-5 * settings->tolerance && report->update < 0.5 * before;
        return is_met && (!may_shrink || report->iterations == settings->max_iterations);
    }
    if (report->has_kept) {
        const double little = enough_kept * settings->tolerance;
        return report->gap <= settings->tolerance &&
               (report->rest <= little || report->update <= little);
    }
    return report->gap <= settings->tolerance &&
           (report->rest <= settings->tolerance || report->update <= enough);
}

// Is the factor at hand good for another update? `before`: the update before the last.
static bool may_keep(const affine_system* a, const affine_report* report, double before)
{
    if (!a->shares_factors || a->s->partner != NULL || a->guest.self != NULL ||
        report->iterations == 0)
        return false;
    if (!(report->update <= longest_kept)) return false;
    return !report->has_kept || report->update <= slowest_kept * before;
}

// Rows that others imply are left out of the matrix and keep their multipliers. Where they are
// implied to first order only they open as the bodies move; then they are taken back for an
// iteration. If that closes them they stay: the pose was singular and no longer is. If it only helps
// by halves, no multiplier closes them exactly (rods between two pinned bodies in line), and the one
// that was found is good enough for the tolerance, or the next will be.
static bool take_back(affine_system* a, double tolerance)
{
    const maximal_system* s = a->s;
    double kept = 0.0;
    bool has_any = false;
    for (int row = 0; row < s->row_count; row++) {
        if (!a->is_dropped[row]) kept = tml__larger(kept, s->C[row]);
    }
    if (!(kept <= 0.01 * tolerance)) return false;  // what is open may follow from the others
    for (int row = 0; row < s->row_count; row++) {
        const bool may_open = a->is_dropped[row] && a->was_dropped[row];
        if (!may_open || fabs(s->C[row]) <= tolerance) continue;
        a->is_dropped[row] = false;
        a->trial[row] = fabs(s->C[row]);
        has_any = true;
    }
    return has_any;
}

static void judge_trials(affine_system* a)
{
    const maximal_system* s = a->s;
    for (int row = 0; row < s->row_count; row++) {
        if (a->trial[row] > 0.0 && fabs(s->C[row]) > 0.01 * a->trial[row])
            a->is_dropped[row] = true;
        a->trial[row] = 0.0;
    }
}

enum {
    SURE = 4  // iterations before the way is cut short
};

// Where contacts part, meet, stick or slide anew and updates do not shrink, Newton goes to and fro over the
// corner: then only a part of the way is gone.
static double share_of(const affine_system* a, const affine_report* report, double before)
{
    const bool goes_round =
        a->corners > 0 && report->iterations >= SURE && report->update > 0.5 * before;
    if (!goes_round) return a->share < 0.5 ? 2.0 * a->share : 1.0;
    return a->share > 0.25 ? 0.5 * a->share : a->share;
}

static tml_status newton(affine_system* a, const affine_stage* stage,
                         const newton_settings* settings, affine_report* report)
{
    double before = 0.0;  // the update before the last
    a->share = 1.0;
    for (;;) {
        report->gap = tml__affine_evaluate(a, stage);
        report->rest = tml__affine_rest(a, stage);
        judge_trials(a);
        if (!isfinite(report->gap) || !isfinite(report->rest)) return TML_NOT_CONVERGED;
        if (report->iterations > 0 && is_settled(a, report, before, settings)) return TML_OK;
        if (report->iterations == settings->max_iterations) return TML_NOT_CONVERGED;
        // what the other rows leave open once they are closed
        const bool is_other =
            report->rest <= settings->tolerance && take_back(a, settings->tolerance);
        report->has_kept = !is_other && may_keep(a, report, before);
        if (a->corners > 0) report->has_kept = false;
        a->share = share_of(a, report, before);
        before = report->update;
        const tml_status status = iterate(a, stage, report->has_kept, &report->update);
        if (status != TML_OK) return status;
        report->iterations++;
    }
}

// ---- what is accepted

static bool has_turned_too_far(const affine_system* a)
{
    if (a->flex != NULL) return tml__flex_has_turned(a);
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        double trace = 0.0;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) trace += b->R.m[i][k] * b->R_end.m[i][k];
        }
        if (!(trace > affine_least_trace)) return true;
    }
    return false;
}

static double kinetic_energy(const affine_system* a, bool is_end)
{
    const tml_model* m = a->s->model;
    double sum = 0.0;
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const body_data* body = &m->bodies[m->node_body[n]];
        const vec3 v = is_end ? b->v_end : b->v;
        const vec3 omega = is_end ? m3_apply_t(b->R_end, b->omega_end) : m3_apply_t(b->R, b->omega);
        sum += 0.5 * (body->mass * v3_dot(v, v) + v3_dot(omega, m3_apply(body->inertia, omega)));
    }
    return sum;
}

// Joints do no work and theta >= 1/2 only takes energy, so that what is gained beyond the work of the
// forces, as a share of energy and work, is what Newton has left of the equations; much of it tells a
// false root.                                                                     [notes 9.4 9.9]
static const double rounding = 1e-12;
static const double refused = 1e-9;

static double gain_of(const affine_system* a)
{
    if (a->flex != NULL) return tml__flex_gain(a);
    const double before = kinetic_energy(a, false);
    const double after = kinetic_energy(a, true);
    return (after - (before + a->work)) / (1e-3 + before + a->work_size);
}

// Is s->dx, the change of velocities that makes the rows' rates nothing, one to another branch?
static bool is_jump(affine_system* a, const jump_step* step)
{
    maximal_system* s = a->s;
    tml__jump_clear(s);
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const double* d = &s->dx[6 * n];
        const jump_body moved = {b->v,         b->omega,   b->v_end,
                                 b->omega_end, v3_load(d), v3_load(d + 3)};
        tml__jump_add(s, n, &moved);
    }
    return tml__jump_is(s, step);
}

// Velocities at the end that the rows allow. `stage`: what led there; it may refuse a jump (NULL: none is refused).
static tml_status project(affine_system* a, const affine_stage* stage, double tolerance,
                          bool* is_left)
{
    maximal_system* s = a->s;
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[s->model->node_body[n]];
        b->v = a->body[n].v_end;
        b->omega = a->body[n].omega_end;
    }
    const tml_status status = tml__affine_factor_mass(a);
    if (status != TML_OK) return status;

    double* rate = s->dl;
    double* opening = s->lambda_start;
    tml__maximal_row_motions(s, rate, opening);
    tml__maximal_row_rates(s, opening);
    for (int row = 0; row < s->row_count; row++) {
        const bool is_off = a->is_dropped[row] || s->compliance[row] > 0.0;
        rate[row] = is_off ? 0.0 : -(rate[row] + opening[row]);
        opening[row] = rate[row];
    }
    memset(s->dx, 0, (size_t)s->node_count * 6 * sizeof *s->dx);
    tml__affine_solve(a);
    *is_left = false;
    if (stage != NULL && s->may_be_redundant) {
        const jump_step step = {opening, stage->h, tolerance, stage->rule == AFFINE_SHAKE};
        *is_left = is_jump(a, &step);
    }
    if (*is_left) return TML_OK;
    for (int n = 0; n < s->node_count; n++) {
        affine_body* b = &a->body[n];
        b->v_end = v3_add(b->v_end, v3_load(&s->dx[6 * n]));
        b->omega_end = v3_add(b->omega_end, v3_load(&s->dx[6 * n + 3]));
    }
    return TML_OK;
}

tml_status tml__affine_project(affine_system* a)
{
    bool is_left;
    return project(a, NULL, 0.0, &is_left);
}

// The second half of the forces, at the end of the step; rows follow by the projection.
static void add_half_push(affine_system* a, double h)
{
    maximal_system* s = a->s;
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[s->model->node_body[n]];
        b->v = a->body[n].v_end;
        b->omega = a->body[n].omega_end;
    }
    tml__maximal_forces(s);
    for (int n = 0; n < s->node_count; n++) {
        const int i = s->model->node_body[n];
        const body_data* body = &s->model->bodies[i];
        affine_body* b = &a->body[n];
        const mat3 J = m3_mul_bt(m3_mul(b->R_end, body->inertia), b->R_end);
        b->v_end = v3_axpy(b->v_end, 0.5 * h / body->mass, s->force[i]);
        b->omega_end = v3_axpy(b->omega_end, 0.5 * h, m3_apply(m3_inverse(J), s->torque[i]));
    }
}

// Velocities at the end, and whether energy appeared.
static tml_status close(affine_system* a, const affine_stage* stage, double tolerance,
                        affine_report* report)
{
    for (int n = 0; n < a->s->node_count; n++) {
        if (a->flex != NULL)
            tml__flex_close(a, stage, n);
        else
            tml__affine_close(&a->body[n], &a->S[n], stage);
    }
    if (stage->rule == AFFINE_SHAKE) add_half_push(a, stage->h);
    // the projection lowers the energy further, but for what motors that prescribe rates put in
    report->gain = stage->phi == 0.5 ? gain_of(a) : 0.0;
    report->has_gained = !(report->gain <= refused);
    const bool is_projected = stage->theta == 0.5 || stage->rule == AFFINE_SHAKE;
    if (report->has_gained) return TML_OK;
    if (is_projected && a->flex != NULL) return tml__flex_project(a, stage->h * stage->h);
    if (is_projected && a->guest.shares_momentum) return TML_OK;
    if (is_projected) return project(a, stage, tolerance, &report->is_unprojected);
    tml_status status = TML_OK;
    for (int n = 0; a->flex != NULL && status == TML_OK && n < a->s->node_count; n++) {
        status = tml__flex_settle(a, stage, n);
    }
    return status;
}

// What is left of the equations times the motion is energy too: where that shows, Newton goes on.
enum {
    EXTRA_ITERATIONS = 2
};

// Newton begins where bodies would go if contacts did not push: what pushes a light link under tension throws it far, were
// it not for the joints that press it back.
static void begin_without_jolts(affine_system* a, const affine_stage* stage)
{
    for (int n = 0; n < a->s->node_count; n++) {
        affine_body* b = &a->body[n];
        const affine_body pushed = *b;
        double back[6];
        for (int k = 0; k < 6; k++) back[k] = -a->s->jolt[6 * n + k];
        jolt(a, n, back);
        tml__affine_predict(b, stage);
        const affine_body alone = *b;
        *b = pushed;
        b->move = alone.move;
        b->R_end = alone.R_end;
    }
}

tml_status tml__affine_step(affine_system* a, const affine_stage* stage,
                            const newton_settings* settings, affine_report* report)
{
    mark_start(a);
    if (a->flex != NULL) tml__flex_stage(a, stage);
    for (int n = 0; n < a->s->node_count; n++) {
        if (a->flex != NULL)
            tml__flex_predict(a, stage, n);
        else
            tml__affine_predict(&a->body[n], stage);
    }
    if (a->s->jolt != NULL && a->flex == NULL) begin_without_jolts(a, stage);
    return tml__affine_repeat(a, stage, settings, report);
}

tml_status tml__affine_repeat(affine_system* a, const affine_stage* stage,
                              const newton_settings* settings, affine_report* report)
{
    *report = (affine_report){0};
    a->s->bad_row = -1;
    tml_status status = newton(a, stage, settings, report);
    for (int extra = 0; status == TML_OK; extra++) {
        report->has_turned = has_turned_too_far(a);
        if (report->has_turned) return TML_NOT_CONVERGED;
        status = close(a, stage, settings->tolerance, report);
        const bool shows = extra == 0 && report->gain > rounding;
        if (status != TML_OK || !(report->has_gained || shows)) return status;
        if (extra == EXTRA_ITERATIONS) return TML_NOT_CONVERGED;
        a->share = 1.0;
        status = iterate(a, stage, false, &report->update);
        report->iterations++;
        report->gap = tml__affine_evaluate(a, stage);
        report->rest = tml__affine_rest(a, stage);
        if (!(report->gap <= settings->tolerance) || a->held > 0) return TML_NOT_CONVERGED;
    }
    return status;
}

// ---- a step that was solved, again

void tml__affine_look_again(affine_system* a, const affine_stage* stage, const double* x,
                            const double* lambda)
{
    mark_start(a);
    for (int n = 0; n < a->s->node_count; n++) {
        const double* to = &x[n * POSE_WIDTH];
        affine_body* b = &a->body[n];
        tml__affine_predict(b, stage);
        b->move = v3_sub(v3_load(to), b->x);
        b->R_end = q_matrix(q_normalize((quat){to[3], to[4], to[5], to[6]}));
    }
    memcpy(a->lambda, lambda, (size_t)a->s->row_count * sizeof *lambda);
    tml__affine_evaluate(a, stage);
}

// ---- at one state

tml_status tml__affine_accelerate(affine_system* a, const double* q, const double* v,
                                  double* acceleration, double* lambda)
{
    maximal_system* s = a->s;
    const tml_model* m = s->model;

    leave_out_rows(a);
    tml__maximal_place(s, q, v);
    tml__maximal_rows(s);
    tml__maximal_forces(s);
    for (int row = 0; row < s->row_count; row++) {
        lambda[row] = s->compliance[row] > 0.0 ? -s->C[row] / s->compliance[row] : 0.0;
    }
    memset(s->dx, 0, (size_t)s->node_count * 6 * sizeof *s->dx);
    tml__maximal_subtract_rows(s, lambda, s->dx);
    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const rigid* body = &s->bodies[b];
        const vec3 omega = m3_apply_t(body->R, body->omega);
        const vec3 gyro = v3_cross(omega, m3_apply(m->bodies[b].inertia, omega));
        double* r = &s->dx[6 * n];
        v3_store(r, v3_neg(v3_load(r)));
        v3_store(r + 3, v3_neg(v3_add(v3_load(r + 3), m3_apply(body->R, gyro))));
    }
    tml__maximal_row_motions(s, s->lambda_start, s->dl);
    for (int row = 0; row < s->row_count; row++) {
        const bool is_off = a->is_dropped[row] || s->compliance[row] > 0.0;
        s->dl[row] = is_off ? lambda[row] : -s->dl[row];
    }
    const tml_status status = tml__affine_factor_mass(a);
    if (status != TML_OK) return status;
    tml__affine_solve(a);
    memcpy(acceleration, s->dx, (size_t)s->node_count * 6 * sizeof *s->dx);
    memcpy(lambda, s->dl, (size_t)s->row_count * sizeof *lambda);
    return TML_OK;
}
