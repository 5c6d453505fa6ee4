// method/partials.c - products with the partial derivatives of the equations by the parameters.
//
// Everything is said once, as "this output changes by so much when that input does" (emit); the
// direction decides whether that carries a direction forwards or a gradient backwards. So the two
// cannot disagree. Markers alone are said twice, because there are twelve numbers of them a joint: at once
// forwards, gathered backwards; forwards and backwards are compared in test/diff.
#include "force/axis.h"
#include "joint/tangent.h"
#include "method/partials_product.h"

#include <string.h>

static void emit_gradient(const product* p, double* input, const joint_data* j,
                          const rigid_gradient* g, double Q)
{
    emit_wrench(p, input, j->follower, v3_scale(Q, g->n), v3_scale(Q, g->t_F));
    emit_wrench(p, input, j->base, v3_scale(-Q, g->n), v3_scale(Q, g->t_B));
}

// ---- the layout of the parameters

static int point_count(const tml_model* m)
{
    int count = m->all.wrench_count;
    for (int i = 0; i < m->all.spring_count; i++) count += m->springs[i].point_count;
    return count;
}

int tml__first_spring_point(const maximal_system* s, int spring)
{
    int first = 0;
    for (int i = 0; i < spring; i++) first += s->model->springs[i].point_count;
    return first;
}

int tml__first_wrench_point(const maximal_system* s)
{
    return tml__first_spring_point(s, s->model->all.spring_count);
}

size_t tml__parameter_count(const maximal_system* s)
{
    const definitions* all = &s->model->all;
    return 3 + BODY_PARAMETERS * (size_t)all->body_count +
           (2 * MARKER_PARAMETERS + TML_AXES * AXIS_PARAMETERS) * (size_t)all->joint_count +
           SPRING_PARAMETERS * (size_t)all->spring_count + 3 * (size_t)point_count(s->model);
}

parameter_set tml__parameter_set(const maximal_system* s, double* numbers)
{
    const definitions* all = &s->model->all;
    parameter_set p = {.wants = WANT_ALL, .gravity = numbers};
    p.body = p.gravity + 3;
    p.marker = p.body + BODY_PARAMETERS * (size_t)all->body_count;
    p.axis = p.marker + 2 * MARKER_PARAMETERS * (size_t)all->joint_count;
    p.spring = p.axis + TML_AXES * AXIS_PARAMETERS * (size_t)all->joint_count;
    p.point = p.spring + SPRING_PARAMETERS * (size_t)all->spring_count;
    return p;
}

// ---- bodies and gravity

void tml__unit_moments(mat3 R, vec3 x, vec3 out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const vec3 own = m3_apply_t(R, x);

    for (int i = 0; i < 6; i++) {
        const vec3 along = v3_scale(v3_at(own, column[i]), m3_column(R, row[i]));
        const vec3 across = v3_scale(v3_at(own, row[i]), m3_column(R, column[i]));
        out[i] = i < 3 ? along : v3_add(along, across);
    }
}

// Forces of Rayleigh damping, against the momentum.                             [COOK Sec 4]
static void add_mass_damping(const product* p, const rigid* body, inertia_columns* columns)
{
    const double rate = p->at->has_forces ? p->s->model->all.rayleigh_mass : 0.0;
    vec3 moment[6];

    if (rate == 0.0) return;
    columns->linear = v3_axpy(columns->linear, rate, body->v);
    tml__unit_moments(body->R, body->omega, moment);
    for (int i = 0; i < 6; i++) columns->turn[i] = v3_axpy(columns->turn[i], rate, moment[i]);
}

static void body_parameters(const product* p, const parameter_set* in)
{
    const tml_model* m = p->s->model;
    const double load = p->at->has_forces ? p->s->load : 0.0;

    for (int n = 0; n < p->s->node_count; n++) {
        const int b = m->node_body[n];
        double* mine = &in->body[BODY_PARAMETERS * b];
        double* E = &p->E[6 * n];
        inertia_columns columns;
        p->at->inertia(p->at->self, n, &columns);
        add_mass_damping(p, &p->s->bodies[b], &columns);
        for (int k = 0; k < 3; k++) {
            const double weight = load * v3_at(m->all.gravity, k);
            emit(p, &mine[0], &E[k], v3_at(columns.linear, k) - weight);
            emit(p, &in->gravity[k], &E[k], -load * m->bodies[b].mass);
            for (int i = 0; i < 6; i++) {
                emit(p, &mine[1 + i], &E[3 + k], v3_at(columns.turn[i], k));
            }
        }
    }
}

// ---- joints

static joint_motion motion_of(const product* p, int joint)
{
    const maximal_system* s = p->s;
    const joint_data* j = &s->model->joints[joint];
    const double* a = p->at->acceleration;
    const int F = s->model->bodies[j->follower].node;
    const int B = s->model->bodies[j->base].node;

    return (joint_motion){
        .joint = j,
        .rows = &s->rows[joint],
        .turn = &s->turns[joint],
        .frame = &s->frames[joint],
        .F = &s->bodies[j->follower],
        .B = &s->bodies[j->base],
        .a_F = a != NULL && F >= 0 ? v3_load(&a[6 * F]) : v3_zero(),
        .alpha_F = a != NULL && F >= 0 ? v3_load(&a[6 * F + 3]) : v3_zero(),
        .a_B = a != NULL && B >= 0 ? v3_load(&a[6 * B]) : v3_zero(),
        .alpha_B = a != NULL && B >= 0 ? v3_load(&a[6 * B + 3]) : v3_zero(),
        .targets = &s->targets.axis[joint * TML_AXES],
    };
}

// A row that gives way stays at the level of positions only, unless somebody asks for its rate; a row of a joint between bodies that
// never move is switched off.
static bool is_off(const product* p, int row)
{
    return p->at->level > 0 && !p->at->has_yielding_rates && p->s->compliance[row] > 0.0;
}

static joint_tangent tangent_of(const marker_change* c)
{
    return (joint_tangent){.F = {.point = c->point_F, .turning = c->turning_F},
                           .B = {.point = c->point_B, .turning = c->turning_B}};
}

// A row or coordinate with gradient g by shifts and turns of the markers alone: the gradient by a body's
// rotation less what the arms of its points take part in.
static marker_change marker_slopes(const joint_frame* frame, const rigid_gradient* g)
{
    return (marker_change){.point_F = g->n,
                           .turning_F = v3_sub(g->t_F, v3_cross(frame->r_F, g->n)),
                           .point_B = v3_neg(g->n),
                           .turning_B = v3_add(g->t_B, v3_cross(frame->r_B, g->n))};
}

static double along(const marker_change* slopes, const marker_change* c)
{
    return v3_dot(slopes->point_F, c->point_F) + v3_dot(slopes->turning_F, c->turning_F) +
           v3_dot(slopes->point_B, c->point_B) + v3_dot(slopes->turning_B, c->turning_B);
}

static void add_slopes(marker_change* to, double scale, const marker_change* slopes)
{
    to->point_F = v3_axpy(to->point_F, scale, slopes->point_F);
    to->turning_F = v3_axpy(to->turning_F, scale, slopes->turning_F);
    to->point_B = v3_axpy(to->point_B, scale, slopes->point_B);
    to->turning_B = v3_axpy(to->turning_B, scale, slopes->turning_B);
}

// Rows of the joint, limits on it left out.
static void emit_rows(const product* p, int joint, double* input, const joint_motion* m,
                      const joint_tangent* d)
{
    const maximal_system* s = p->s;
    if (tml__maximal_is_idle(s, joint)) return;
    for (int r = 0; r < s->rows[joint].count; r++) {
        const int row = s->first_row[joint] + r;
        if (is_off(p, row)) continue;
        const levels change = tml__row_tangent(m, &s->rows[joint].row[r], d);
        emit(p, input, &p->rows[row], change.at[p->at->level]);
    }
}

// What pushes along one coordinate of a joint.
typedef struct axis_push {
    coordinate_rigid q;
    double rate;
    axis_force f;
    bool is_along;  // a force acts along the coordinate
    vec3 torque;    // a motor along the base's axis instead
} axis_push;

// Forces that count here, and are nobody else's.
static bool has_force(const product* p, int joint, int axis)
{
    const bool* is_apart = p->s->is_apart;
    return p->at->has_forces &&
           !(is_apart != NULL && axis < TML_AXES && is_apart[joint * TML_AXES + axis]);
}

static axis_push push_of(const product* p, int joint, int axis)
{
    const maximal_system* s = p->s;
    const joint_data* j = &s->model->joints[joint];
    const axis_data* a = tml__joint_axis(j, axis);
    const int at = tml__axis_slot(joint, axis);
    const drive* control = &s->targets.axis[at];
    const drive none = {0};
    axis_push out = {.is_along = has_force(p, joint, axis) && tml__axis_is_forced(a)};

    if (!out.is_along) return out;
    if (tml__axis_is_base_torque(j, axis)) {
        out.torque = v3_scale(control->value, s->frames[joint].B.axis[axis - 3]);
        control = &none;
        out.is_along = tml__axis_is_sprung(a);
        if (!out.is_along) return out;
    }
    const double hint = tml__maximal_hint(s, joint, (tml_axis)axis);
    out.q = tml__coordinate_rigid(j, (tml_axis)axis, hint, &s->frames[joint]);
    out.rate = rigid_rate(&out.q.g, &s->bodies[j->follower], &s->bodies[j->base]);
    out.f = tml__axis_force(a, out.q.value, out.rate, control, &s->targets.servo[at]);
    return out;
}

// The bend of everything that the joint transmits; of its dots alone in *dots.
static void bend_joint(const product* p, int joint, const axis_push push[COORDINATES],
                       rigid_bend* all, rigid_bend* dots)
{
    const maximal_system* s = p->s;
    const joint_data* j = &s->model->joints[joint];

    *all = (rigid_bend){.force = v3_zero()};
    *dots = *all;
    for (int r = 0; r < s->rows[joint].count; r++) {
        const joint_row* row = &s->rows[joint].row[r];
        const double lambda = p->at->lambda[s->first_row[joint] + r];
        if (lambda == 0.0) continue;
        const drive* target = &s->targets.axis[joint * TML_AXES + (int)row->axis];
        tml__bend_row(j, row, &s->frames[joint], target, lambda, all);
        if (row->kind == ROW_DOT) {
            tml__bend_row(j, row, &s->frames[joint], target, lambda, dots);
        }
    }
    for (int k = 0; k < COORDINATES; k = tml__next_force(j, k)) {
        all->D_B = m3_sub(all->D_B, m3_skew(push[k].torque));
        if (!push[k].is_along) continue;
        tml__bend_coordinate(j, (tml_axis)k, tml__maximal_hint(s, joint, (tml_axis)k),
                             &s->frames[joint], push[k].f.Q, all);
    }
}

static void emit_joint_wrench(const product* p, double* input, const joint_data* j,
                              const joint_wrench* w)
{
    emit_wrench(p, input, j->follower, w->f_F, w->t_F);
    emit_wrench(p, input, j->base, w->f_B, w->t_B);
}

// The markers of both sides: three shifts and three turns each, in body axes. All that a joint says of them is
// linear, so a change goes through it at once, and gradients gather before they are taken apart.
static marker_change world_change(const joint_motion* m, const double* in)
{
    return (marker_change){.point_F = m3_apply(m->F->R, v3_load(in)),
                           .turning_F = m3_apply(m->F->R, v3_load(in + 3)),
                           .point_B = m3_apply(m->B->R, v3_load(in + 6)),
                           .turning_B = m3_apply(m->B->R, v3_load(in + 9))};
}

static void grow_by_world(const joint_motion* m, const marker_change* g, double* in)
{
    v3_store(in, v3_add(v3_load(in), m3_apply_t(m->F->R, g->point_F)));
    v3_store(in + 3, v3_add(v3_load(in + 3), m3_apply_t(m->F->R, g->turning_F)));
    v3_store(in + 6, v3_add(v3_load(in + 6), m3_apply_t(m->B->R, g->point_B)));
    v3_store(in + 9, v3_add(v3_load(in + 9), m3_apply_t(m->B->R, g->turning_B)));
}

static void markers_forward(const product* p, int joint, const axis_push push[COORDINATES],
                            const rigid_bend* all, double* in)
{
    const maximal_system* s = p->s;
    const joint_data* j = &s->model->joints[joint];
    const joint_motion m = motion_of(p, joint);
    const marker_change change = world_change(&m, in);
    const joint_tangent d = tangent_of(&change);
    const joint_wrench w = tml__marker_wrench(m.frame, all, &d);
    double one = 1.0;

    emit_joint_wrench(p, &one, j, &w);
    if (p->at->level > 0) emit_rows(p, joint, &one, &m, &d);
    const bool has_rows = p->at->level == 0 && !tml__maximal_is_idle(s, joint);
    for (int row = s->first_row[joint]; row < s->first_row[joint + 1] && has_rows; row++) {
        const marker_change slopes = marker_slopes(m.frame, &s->gradient[row]);
        emit(p, &one, &p->rows[row], along(&slopes, &change));
    }
    for (int n = 0; n < COORDINATES; n = tml__next_force(j, n)) {
        if (!push[n].is_along) continue;
        const levels q = tml__coordinate_tangent(&m, (tml_axis)n, &d);
        emit_gradient(p, &one, j, &push[n].q.g,
                      push[n].f.dQ_ds * q.at[0] + push[n].f.dQ_drate * q.at[1]);
    }
}

// What a wrench on a body is worth: E shrinks by it.
typedef struct wrench_worth {
    vec3 force, torque;
} wrench_worth;

static wrench_worth worth_on(const product* p, int body)
{
    const int node = p->s->model->bodies[body].node;
    if (node < 0) return (wrench_worth){v3_zero(), v3_zero()};
    return (wrench_worth){v3_neg(v3_load(&p->E[6 * node])), v3_neg(v3_load(&p->E[6 * node + 3]))};
}

// tml__marker_wrench transposed.
static marker_change wrench_slopes(const joint_frame* frame, const rigid_bend* bend,
                                   const wrench_worth* F, const wrench_worth* B)
{
    const vec3 turn = v3_sub(F->torque, B->torque);
    const vec3 shift = v3_sub(v3_add(v3_sub(F->force, B->force), v3_cross(F->torque, frame->r_F)),
                              v3_cross(B->torque, frame->arm_B));
    return (marker_change){
        .point_F = v3_cross(bend->force, turn),
        .turning_F = m3_apply_t(bend->D_F, turn),
        .turning_B = v3_add(m3_apply_t(bend->D_B, turn), v3_cross(bend->force, shift)),
    };
}

static void row_slopes(const product* p, int joint, const joint_motion* m, marker_change* to)
{
    const maximal_system* s = p->s;
    if (tml__maximal_is_idle(s, joint)) return;
    for (int r = 0; r < s->rows[joint].count; r++) {
        const int row = s->first_row[joint] + r;
        if (p->rows[row] == 0.0 || is_off(p, row)) continue;
        const marker_change slopes =
            p->at->level > 0 ? tml__row_marker_slopes(m, &s->rows[joint].row[r], p->at->level)
                             : marker_slopes(m->frame, &s->gradient[row]);
        add_slopes(to, p->rows[row], &slopes);
    }
}

// Does a joint push nothing, and ask nothing of its rows?
static bool is_silent(const product* p, int joint, const axis_push push[COORDINATES])
{
    const maximal_system* s = p->s;
    for (int k = 0; k < COORDINATES; k = tml__next_force(&s->model->joints[joint], k)) {
        if (push[k].is_along || v3_dot(push[k].torque, push[k].torque) != 0.0) return false;
    }
    for (int row = s->first_row[joint]; row < s->first_row[joint + 1]; row++) {
        if (p->rows[row] != 0.0 || p->at->lambda[row] != 0.0) return false;
    }
    return true;
}

static void markers_backward(const product* p, int joint, const axis_push push[COORDINATES],
                             const rigid_bend* all, double* in)
{
    const joint_data* j = &p->s->model->joints[joint];
    if (is_silent(p, joint, push)) return;
    const joint_motion m = motion_of(p, joint);
    const wrench_worth F = worth_on(p, j->follower);
    const wrench_worth B = worth_on(p, j->base);
    marker_change slopes = wrench_slopes(m.frame, all, &F, &B);

    row_slopes(p, joint, &m, &slopes);
    for (int n = 0; n < COORDINATES; n = tml__next_force(j, n)) {
        if (!push[n].is_along) continue;
        const rigid_gradient* g = &push[n].q.g;
        const double worth = v3_dot(g->n, v3_sub(F.force, B.force)) + v3_dot(g->t_F, F.torque) +
                             v3_dot(g->t_B, B.torque);
        const marker_change value = marker_slopes(m.frame, g);
        add_slopes(&slopes, worth * push[n].f.dQ_ds, &value);
        const double by_rate = worth * push[n].f.dQ_drate;
        if (by_rate == 0.0) continue;
        const marker_change rate = tml__coordinate_marker_slopes(&m, (tml_axis)n, 1);
        add_slopes(&slopes, by_rate, &rate);
    }
    grow_by_world(&m, &slopes, in);
}

static void marker_parameters(const product* p, int joint, const axis_push push[COORDINATES],
                              const rigid_bend* all, double* in)
{
    if (p->way == PARTIAL_FORWARD) {
        markers_forward(p, joint, push, all, in);
    } else {
        markers_backward(p, joint, push, all, in);
    }
}

// A control: the force of a motor, or the target of rows.
static void target_parameters(const product* p, int joint, int axis, const axis_push* push,
                              const rigid_bend* dots, double* in)
{
    const joint_data* j = &p->s->model->joints[joint];
    const axis_data* a = &j->axis[axis];

    if (a->actuation == TML_FORCE && has_force(p, joint, axis)) {
        if (tml__axis_is_base_torque(j, axis)) {
            const vec3 unit = p->s->frames[joint].B.axis[axis - 3];
            emit_wrench(p, &in[AXIS_TARGET], j->follower, v3_zero(), unit);
            emit_wrench(p, &in[AXIS_TARGET], j->base, v3_zero(), v3_neg(unit));
        } else {
            emit_gradient(p, &in[AXIS_TARGET], j, &push->q.g, 1.0);
        }
    }
    if (a->actuation != TML_POSITION) return;
    const joint_motion m = motion_of(p, joint);
    for (int k = 0; k <= p->at->level; k++) {
        joint_tangent d = {.F = {.c = v3_zero()}};
        drive* t = &d.target[axis];
        *t = (drive){.value = k == 0, .rate = k == 1, .acceleration = k == 2};
        emit_rows(p, joint, &in[AXIS_TARGET + k], &m, &d);
        if (k > 0) continue;
        // turned markers turn the torques of the dots
        tml__turn_tangent(&m, &d, &d.F.turning, &d.B.turning);
        const joint_wrench w = tml__marker_wrench(m.frame, dots, &d);
        emit_joint_wrench(p, &in[AXIS_TARGET], j, &w);
    }
}

static void axis_parameters(const product* p, int joint, int axis, const axis_push* push,
                            double* in)
{
    const joint_data* j = &p->s->model->joints[joint];
    const axis_data* a = &j->axis[axis];
    const drive* servo = &p->s->targets.servo[joint * TML_AXES + axis];
    const rigid_gradient* g = &push->q.g;

    if (!push->is_along) return;
    emit_gradient(p, &in[AXIS_STIFFNESS], j, g, -(push->q.value - a->rest));
    if (j->dots == NULL || axis < TML_AXIS_RX) {
        emit_gradient(p, &in[AXIS_DAMPING], j, g, -push->rate);
    }
    emit_gradient(p, &in[AXIS_REST], j, g, a->stiffness);
    if (!a->has_servo) return;
    emit_gradient(p, &in[AXIS_SERVO_STIFFNESS], j, g, servo->value - push->q.value);
    emit_gradient(p, &in[AXIS_SERVO_DAMPING], j, g, servo->rate - push->rate);
}

// By the dampers of the three turns.
static void dot_parameters(const product* p, const joint_data* j, int dot, const axis_push* push,
                           double* axes)
{
    if (!push->is_along) return;
    for (int k = 0; k < 3; k++) {
        double* in = &axes[AXIS_PARAMETERS * (TML_AXIS_RX + k)];
        const double share = tml__dot_share((dot - DOT_FIRST) / 3, k);
        emit_gradient(p, &in[AXIS_DAMPING], j, &push->q.g, -share * push->rate);
    }
}

// Is there anything to be driven or sprung in this joint?
static bool has_axes(const product* p, int joint)
{
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &p->s->model->joints[joint].axis[k];
        if (a->control_index >= 0 || tml__axis_is_forced(a) || a->spin_damping > 0.0) return true;
    }
    return false;
}

static void joint_parameters(const product* p, const parameter_set* in)
{
    const tml_model* m = p->s->model;
    const bool wants_markers = (in->wants & WANT_MARKERS) != 0;

    for (int joint = 0; joint < m->all.joint_count; joint++) {
        axis_push push[COORDINATES];
        rigid_bend all;
        rigid_bend dots;
        double* axes = &in->axis[TML_AXES * AXIS_PARAMETERS * joint];
        const bool wants_axes = (in->wants & WANT_AXES) != 0 && has_axes(p, joint);
        if (!wants_markers && !wants_axes) continue;
        const joint_data* j = &m->joints[joint];
        for (int k = 0; k < COORDINATES; k = tml__next_force(j, k)) push[k] = push_of(p, joint, k);
        bend_joint(p, joint, push, &all, &dots);
        if (wants_markers) {
            marker_parameters(p, joint, push, &all, &in->marker[2 * MARKER_PARAMETERS * joint]);
        }
        for (int k = 0; k < TML_AXES && wants_axes; k++) {
            target_parameters(p, joint, k, &push[k], &dots, &axes[AXIS_PARAMETERS * k]);
            axis_parameters(p, joint, k, &push[k], &axes[AXIS_PARAMETERS * k]);
        }
        for (int k = DOT_FIRST; k < COORDINATES && wants_axes && j->dots != NULL; k++) {
            dot_parameters(p, j, k, &push[k], axes);
        }
    }
}

// ---- limits and couplings: rows on coordinates, whose markers are the joint's

// What is made of a coordinate, f(q), changes at a level by changes of q, q' and q'' times these; `factor` has
// the first three derivatives of f: (f(q))' = f1 q', (f(q))'' = f1 q'' + f2 q'^2.
static void level_factors(int level, const double factor[3], const levels* at, double out[3])
{
    const double rate = at->at[1];
    out[0] = factor[0];
    out[1] = 0.0;
    out[2] = 0.0;
    if (level == 1) {
        out[0] = factor[1] * rate;
        out[1] = factor[0];
    }
    if (level == 2) {
        out[0] = factor[1] * at->at[2] + factor[2] * rate * rate;
        out[1] = 2.0 * factor[1] * rate;
        out[2] = factor[0];
    }
}

static marker_change coordinate_markers(const product* p, const joint_motion* m, tml_axis axis,
                                        const double factor[3])
{
    const levels at = tml__coordinate_levels(m, axis);
    marker_change out = {.point_F = v3_zero()};
    double share[3];

    level_factors(p->at->level, factor, &at, share);
    for (int k = 0; k <= p->at->level; k++) {
        const marker_change slopes = tml__coordinate_marker_slopes(m, axis, k);
        add_slopes(&out, share[k], &slopes);
    }
    return out;
}

// One shift or turn of one marker, along the axes of its body.
static marker_change unit_marker(const joint_motion* m, int i)
{
    marker_change out = {.point_F = v3_zero()};
    vec3* const parts[4] = {&out.point_F, &out.turning_F, &out.point_B, &out.turning_B};
    *parts[i / 3] = m3_column(i < MARKER_PARAMETERS ? m->F->R : m->B->R, i % 3);
    return out;
}

static void coordinate_row_markers(const product* p, int joint, tml_axis axis, int row,
                                   const double factor[3], double force, double* in)
{
    const joint_data* j = &p->s->model->joints[joint];
    if (p->way == PARTIAL_BACKWARD && force == 0.0 && p->rows[row] == 0.0) return;
    const joint_motion m = motion_of(p, joint);
    const double hint = tml__maximal_hint(p->s, joint, axis);
    const rigid_gradient g = tml__coordinate_rigid(j, axis, hint, m.frame).g;
    const marker_change value = tml__coordinate_marker_slopes(&m, axis, 0);
    const marker_change slopes = coordinate_markers(p, &m, axis, factor);
    rigid_bend bend = {.force = v3_zero()};

    tml__bend_coordinate(j, axis, hint, m.frame, force * factor[0], &bend);
    for (int i = 0; i < 2 * MARKER_PARAMETERS; i++) {
        const marker_change unit = unit_marker(&m, i);
        const joint_tangent d = tangent_of(&unit);
        const joint_wrench w = tml__marker_wrench(m.frame, &bend, &d);
        emit_joint_wrench(p, &in[i], j, &w);
        emit_gradient(p, &in[i], j, &g, force * factor[1] * along(&value, &unit));
        if (!is_off(p, row)) emit(p, &in[i], &p->rows[row], along(&slopes, &unit));
    }
}

// c1 q + c2 q^2 + ...: its first three derivatives.
static void slopes_of(const tml_coupling_term* term, double q, double out[3])
{
    out[0] = 0.0;
    out[1] = 0.0;
    out[2] = 0.0;
    for (int d = term->degree; d >= 1; d--) {
        const double c = term->coefficient[d - 1];
        out[0] = out[0] * q + d * c;
        if (d >= 2) out[1] = out[1] * q + d * (d - 1) * c;
        if (d >= 3) out[2] = out[2] * q + d * (d - 1) * (d - 2) * c;
    }
}

static void coordinate_rows(const product* p, const parameter_set* in)
{
    const maximal_system* s = p->s;
    const tml_model* m = s->model;

    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        const int row = s->first_coupling + i;
        if (tml__maximal_is_idle_coupling(s, i)) continue;
        for (int k = 0; k < c->term_count; k++) {
            const int joint = c->terms[k].joint.index;
            double factor[3];
            slopes_of(&c->terms[k], tml__maximal_coordinate(s, joint, c->terms[k].axis), factor);
            coordinate_row_markers(p, joint, c->terms[k].axis, row, factor, p->at->lambda[row],
                                   &in->marker[2 * MARKER_PARAMETERS * joint]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        const double factor[3] = {1.0, 0.0, 0.0};
        if (s->sides[i] == LIMIT_OFF) continue;
        coordinate_row_markers(p, limit->joint, limit->of, limit->row, factor,
                               p->at->lambda[limit->row],
                               &in->marker[2 * MARKER_PARAMETERS * limit->joint]);
    }
}

// ---- everything

void tml__parameter_product(maximal_system* s, const partial_point* at, partial_direction way,
                            const parameter_set* inputs, double* E, double* rows)
{
    const product p = {.s = s, .at = at, .way = way, .E = E, .rows = rows};
    if ((inputs->wants & WANT_BODIES) != 0) body_parameters(&p, inputs);
    if ((inputs->wants & (WANT_MARKERS | WANT_AXES)) != 0) joint_parameters(&p, inputs);
    if ((inputs->wants & WANT_MARKERS) != 0) coordinate_rows(&p, inputs);
    if (at->has_forces && (inputs->wants & (WANT_SPRINGS | WANT_POINTS)) != 0) {
        tml__force_parameters(&p, inputs);
    }
}

// ---- rows by poses and velocities

// Of one body by poses first, then by velocities.
static void add_motion(const motion_slopes* s, double scale, double out[12])
{
    const vec3 parts[4] = {s->c, s->phi, s->v, s->omega};
    for (int k = 0; k < 12; k++) out[k] += scale * v3_at(parts[k / 3], k % 3);
}

static void emit_motion(const product* p, int joint, int row, double slopes[2][12], double* poses,
                        double* velocities)
{
    const tml_model* m = p->s->model;
    for (int side = 0; side < 2; side++) {
        const joint_data* j = &m->joints[joint];
        const int node = m->bodies[side == 0 ? j->follower : j->base].node;
        for (int k = 0; k < 6 && node >= 0; k++) {
            emit(p, &poses[6 * node + k], &p->rows[row], slopes[side][k]);
            if (velocities == NULL) continue;
            emit(p, &velocities[6 * node + k], &p->rows[row], slopes[side][6 + k]);
        }
    }
}

static void joint_rows_by_motion(const product* p, int joint, double* poses, double* velocities)
{
    const maximal_system* s = p->s;
    const joint_motion m = motion_of(p, joint);
    if (tml__maximal_is_idle(s, joint)) return;

    for (int r = 0; r < s->rows[joint].count; r++) {
        const int row = s->first_row[joint] + r;
        motion_slopes F;
        motion_slopes B;
        double total[2][12] = {{0.0}};
        if (is_off(p, row) || (p->way != PARTIAL_FORWARD && p->rows[row] == 0.0)) continue;
        tml__row_motion_slopes(&m, &s->rows[joint].row[r], p->at->level, &F, &B);
        add_motion(&F, 1.0, total[0]);
        add_motion(&B, 1.0, total[1]);
        emit_motion(p, joint, row, total, poses, velocities);
    }
}

// A row on a coordinate, its part `factor` (derivatives of what is made of the coordinate).
static void coordinate_row_by_motion(const product* p, joint_axis_id id, int row,
                                     const double factor[3], double* poses, double* velocities)
{
    const joint_motion m = motion_of(p, id.joint);
    const levels at = tml__coordinate_levels(&m, id.axis);
    double total[2][12] = {{0.0}};
    double share[3];

    if (is_off(p, row)) return;
    level_factors(p->at->level, factor, &at, share);
    for (int k = 0; k <= p->at->level; k++) {
        motion_slopes F;
        motion_slopes B;
        tml__coordinate_motion_slopes(&m, id.axis, k, &F, &B);
        add_motion(&F, share[k], total[0]);
        add_motion(&B, share[k], total[1]);
    }
    emit_motion(p, id.joint, row, total, poses, velocities);
}

void tml__row_product(maximal_system* s, const partial_point* at, partial_direction way,
                      double* poses, double* velocities, double* rows)
{
    const product p = {.s = s, .at = at, .way = way, .rows = rows};
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) joint_rows_by_motion(&p, j, poses, velocities);
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        if (tml__maximal_is_idle_coupling(s, i)) continue;
        for (int k = 0; k < c->term_count; k++) {
            const joint_axis_id id = {c->terms[k].joint.index, c->terms[k].axis};
            double factor[3];
            slopes_of(&c->terms[k], tml__maximal_coordinate(s, id.joint, id.axis), factor);
            coordinate_row_by_motion(&p, id, s->first_coupling + i, factor, poses, velocities);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        const double factor[3] = {1.0, 0.0, 0.0};
        if (s->sides[i] == LIMIT_OFF) continue;
        coordinate_row_by_motion(&p, (joint_axis_id){limit->joint, limit->of}, limit->row, factor,
                                 poses, velocities);
    }
}

// ---- forces by velocities

bool tml__has_damping(const tml_model* m)
{
    if (m->all.drag_count > 0 || m->all.rayleigh_mass > 0.0) return true;
    for (int i = 0; i < m->all.spring_count; i++) {
        if (m->springs[i].damping != 0.0 || m->springs[i].rayleigh > 0.0) return true;
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (a->damping != 0.0 || a->spin_damping != 0.0 ||
                (a->has_servo && a->servo_damping != 0.0))
                return true;
        }
    }
    return false;
}

// Stiffness with velocities that follow poses one to one, less stiffness with velocities that do not.
static void fill_damping(maximal_system* s)
{
    const lift one = {1.0, m3_identity()};
    const int bodies = s->model->all.body_count;

    tml__kkt_clear(s->matrix);
    for (int b = 0; b <= bodies; b++) s->lifts[b] = one;
    tml__maximal_fill_forces(s, 1.0);
    for (int b = 0; b <= bodies; b++) s->lifts[b] = no_lift;
    tml__maximal_fill_forces(s, -1.0);
}

void tml__damping_product(maximal_system* s, partial_direction way, double* velocities, double* E)
{
    if (!tml__has_damping(s->model)) return;
    fill_damping(s);
    if (way == PARTIAL_FORWARD) {
        tml__kkt_add_blocks(s->matrix, velocities, E);
    } else {
        tml__kkt_add_blocks_transposed(s->matrix, E, velocities);
    }
}
