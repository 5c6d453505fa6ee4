// method/affine/partials.c - products with the derivatives of an affine step by everything but its end.
//
// Markers, arms and axes where forces act are means of those at both ends,
//     axis = (1 - phi) axis(start) + phi axis(end),
// so a change is told end by end, each with its share, by ordinary rotations: a joint's marker that turns
// in its body turns at both ends, a body that starts turned only at one. The discrete gradients of
// coordinates do not care which end is called the first, so how their weights follow the start is
// how they follow the end of the step taken backwards.
#include "method/affine/partials.h"

#include "joint/tangent.h"

#include <string.h>

// ---- instants

rigid tml__affine_body_at(const affine_system* a, int body, affine_end end)
{
    rigid at = a->s->bodies[body];
    const int node = a->s->model->bodies[body].node;
    if (node < 0) return at;
    const affine_body* b = &a->body[node];
    at.c = end == AFFINE_START ? b->x : end == AFFINE_END ? v3_add(b->x, b->move) : b->x_before;
    at.R = end == AFFINE_START ? b->R : end == AFFINE_END ? b->R_end : b->R_before;
    return at;
}

double* tml__affine_pose_of(const affine_product* p, int body, affine_end end)
{
    const int node = p->a->s->model->bodies[body].node;
    if (node < 0 || end == AFFINE_END) return NULL;
    if (end == AFFINE_START) return &p->by->pose[6 * node];
    return p->stage->rule == AFFINE_BDF2 ? &p->by->pose_before[6 * node] : NULL;
}

static double share_of(const affine_stage* stage, affine_end end)
{
    return tml__affine_share(stage, end);
}

// ---- inertia

static bool has_before(const affine_product* p) { return p->stage->rule == AFFINE_BDF2; }

// One body by its pose and velocity at an instant.
static void inertia_by_past(const affine_product* p, int n, affine_end end, double* pose,
                            double* velocity)
{
    const affine_body* b = &p->a->body[n];
    const double mass = p->a->s->model->bodies[p->a->s->model->node_body[n]].mass;
    const affine_moments m = tml__affine_moments(b, p->a->S[n]);
    const affine_slopes s = tml__affine_inertia_slopes(b, p->a->S[n], &m, mass, p->stage, end);
    double* E = &p->E[6 * n];

    for (int k = 0; k < 3; k++) {
        affine_emit(p, &pose[k], &E[k], s.shift);
        affine_emit(p, &velocity[k], &E[k], s.speed);
    }
    affine_carry(p, s.turn, pose + 3, E + 3);
    affine_carry(p, s.spin, velocity + 3, E + 3);
}

static void body_parameters(const affine_product* p, int n)
{
    const tml_model* m = p->a->s->model;
    const affine_body* b = &p->a->body[n];
    const double beta = p->stage->beta;
    const int body = m->node_body[n];
    const mat3 A = m3_add(m3_scale(1.0 - p->stage->phi, b->R), m3_scale(p->stage->phi, b->R_end));
    const mat3 change = m3_scale(1.0 / beta, m3_sub(b->R_end, b->R_hat));
    const vec3 pull = v3_scale(1.0 / beta, v3_sub(b->move, b->x_hat));
    double* mine = &p->by->in->body[BODY_PARAMETERS * body];
    double* E = &p->E[6 * n];
    vec3 torque[6];

    for (int k = 0; k < 3; k++) {
        affine_emit(p, &mine[0], &E[k], v3_at(pull, k) - v3_at(m->all.gravity, k));
        affine_emit(p, &p->by->in->gravity[k], &E[k], -m->bodies[body].mass);
    }
    tml__affine_torques(change, A, torque);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) affine_emit(p, &mine[1 + i], &E[3 + k], v3_at(torque[i], k));
    }
}

// ---- what a joint transmits

// How its wrench turns with the axes at one end.
typedef struct end_bend {
    vec3 force;     // the multipliers of gaps along the base's axes there
    mat3 D_F, D_B;  // of the torque on the follower
} end_bend;

// What acts along one of its coordinates, together.
typedef struct axis_push {
    bool is_on;
    coordinate_step step;
    rigid_gradient g;                // where forces act
    double Q;                        //
    double by[AFFINE_ENDS];          // dQ by the coordinate at each instant
    double value, rate;              // of the force's law
    const axis_data* forced;         // NULL: none
    const drive* servo;              //
    rigid_gradient at[AFFINE_ENDS];  // gradients of the coordinate at each instant
} axis_push;

typedef struct joint_point {
    const affine_product* p;
    int joint;
    const joint_data* data;
    joint_frame frame[AFFINE_ENDS];
    rigid F[AFFINE_ENDS], B[AFFINE_ENDS];
    axis_push axis[COORDINATES];
    vec3 force;                 // of gaps, where forces act
    end_bend all[AFFINE_ENDS];  // start and end
    end_bend dots[AFFINE_ENDS];
} joint_point;

static void place_joint(joint_point* q)
{
    const affine_system* a = q->p->a;
    const int ends = has_before(q->p) ? AFFINE_ENDS : AFFINE_BEFORE;
    for (int e = 0; e < ends; e++) {
        q->F[e] = tml__affine_body_at(a, q->data->follower, (affine_end)e);
        q->B[e] = tml__affine_body_at(a, q->data->base, (affine_end)e);
        tml__joint_frame(q->data, &a->force_turns[q->joint], &q->F[e], &q->B[e], &q->frame[e]);
    }
}

// The coordinate over the step; on from here it is part of what is pushed.
static axis_push* push_along(joint_point* q, int axis)
{
    axis_push* push = &q->axis[axis];
    const affine_system* a = q->p->a;
    const double hint = tml__maximal_hint(a->s, q->joint, (tml_axis)axis);
    const int ends = has_before(q->p) ? AFFINE_ENDS : AFFINE_BEFORE;
    if (push->is_on) return push;
    push->is_on = true;
    tml__affine_coordinate(a, q->p->stage, q->joint, (tml_axis)axis, &push->step);
    push->g = tml__affine_pull(&a->force_frames[q->joint], &push->step.middle);
    for (int e = 0; e < ends; e++) {
        push->at[e] = tml__coordinate_rigid(q->data, (tml_axis)axis, hint, &q->frame[e]).g;
    }
    return push;
}

static void add_forced(joint_point* q, int forced)
{
    const affine_system* a = q->p->a;
    const affine_stage* stage = q->p->stage;
    const joint_axis_id id = a->s->forced[forced];
    const axis_data* data = tml__joint_axis(q->data, (int)id.axis);
    const int at = tml__axis_slot(id.joint, (int)id.axis);
    const drive none = {0};
    const bool is_torque = tml__axis_is_base_torque(q->data, (int)id.axis);
    const drive* control = is_torque ? &none : &a->force_targets.axis[at];
    const affine_rate by = affine_rate_of(stage);

    if (is_torque) {
        for (int e = 0; e < AFFINE_BEFORE; e++) {
            const vec3 axis = q->frame[e].B.axis[(int)id.axis - 3];
            const vec3 t = v3_scale(a->force_targets.axis[at].value, axis);
            q->all[e].D_B = m3_sub(q->all[e].D_B, m3_skew(t));
        }
        if (!tml__axis_is_sprung(data)) return;
    }
    axis_push* push = push_along(q, (int)id.axis);
    const coordinate_step* s = &push->step;
    push->forced = data;
    push->servo = &a->force_targets.servo[at];
    push->value = (1.0 - stage->phi) * s->start + stage->phi * s->end;
    push->rate = (s->end - s->start) / by.span;
    if (by.lag > 0.0) push->rate -= (s->start - a->axis_before[forced]) / by.lag;
    const axis_force f = tml__axis_force(data, push->value, push->rate, control, push->servo);
    push->Q += f.Q;
    push->by[AFFINE_START] += (1.0 - stage->phi) * f.dQ_ds - f.dQ_drate / by.span;
    push->by[AFFINE_END] += stage->phi * f.dQ_ds + f.dQ_drate / by.span;
    if (!(by.lag > 0.0)) return;
    push->by[AFFINE_START] -= f.dQ_drate / by.lag;
    push->by[AFFINE_BEFORE] += f.dQ_drate / by.lag;
}

// c1 q + c2 q^2 + ...: how its mean slope between p and q follows p; see equations.c for the end.
static double slope_by_start(const tml_coupling_term* term, double p, double q)
{
    double power = 1.0;
    double quotient = 0.0;
    double change = 0.0;
    double sum = 0.0;
    for (int d = 0; d < term->degree; d++) {
        change = change * p + quotient;
        quotient = quotient * p + power;
        power *= q;
        sum += term->coefficient[d] * change;
    }
    return sum;
}

static void add_coordinate_rows(joint_point* q)
{
    const affine_system* a = q->p->a;
    const maximal_system* s = a->s;
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (limit->joint != q->joint || s->sides[i] == LIMIT_OFF) continue;
        push_along(q, (int)limit->of)->Q += a->lambda[limit->row];
    }
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        const double lambda = a->lambda[s->first_coupling + i];
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const tml_coupling_term* term = &s->model->all.couplings[i].terms[t - s->first_term[i]];
            if (term->joint.index != q->joint) continue;
            axis_push* push = push_along(q, (int)term->axis);
            push->Q += lambda * a->term_slope[t];
            push->by[AFFINE_END] += lambda * a->term_bend[t];
            if (q->p->stage->phi != 0.5) continue;
            push->by[AFFINE_START] +=
                lambda * slope_by_start(term, push->step.start, push->step.end);
        }
    }
}

// A dot's torque lambda (f x b) by the axes of one end.
static void bend_dot(vec3 f, vec3 b, vec3 f_end, vec3 b_end, double lambda, end_bend* to)
{
    to->D_F = m3_add(to->D_F, m3_scale(lambda, m3_skew_skew(b, f_end)));
    to->D_B = m3_sub(to->D_B, m3_scale(lambda, m3_skew_skew(f, b_end)));
}

static void add_held_rows(joint_point* q)
{
    const affine_system* a = q->p->a;
    const maximal_system* s = a->s;
    const joint_frame* at = &a->force_frames[q->joint];

    for (int r = 0; r < s->rows[q->joint].count; r++) {
        const joint_row* row = &s->rows[q->joint].row[r];
        const double lambda = a->lambda[s->first_row[q->joint] + r];
        if (row->kind == ROW_ANGLE) push_along(q, (int)row->axis)->Q += lambda;
        if (row->kind == ROW_GAP) q->force = v3_axpy(q->force, lambda, at->B.axis[row->a.b]);
        for (int e = 0; e < AFFINE_BEFORE; e++) {
            const joint_frame* end = &q->frame[e];
            if (row->kind == ROW_GAP) {
                q->all[e].force = v3_axpy(q->all[e].force, lambda, end->B.axis[row->a.b]);
            }
            if (row->kind != ROW_DOT) continue;
            end_bend* const to[2] = {&q->all[e], &q->dots[e]};
            for (int k = 0; k < 2; k++) {
                bend_dot(at->F_turned.axis[row->a.f], at->B_turned.axis[row->a.b],
                         end->F_turned.axis[row->a.f], end->B_turned.axis[row->a.b],
                         row->a.sign * lambda, to[k]);
            }
        }
    }
}

// What is pushed along a coordinate bends with its axes, and its weights follow both ends.
static void bend_axis(joint_point* q, int axis, affine_end end)
{
    const affine_product* p = q->p;
    const axis_push* push = &q->axis[axis];
    const double share = share_of(p->stage, end);
    coordinate_step step = push->step;
    end_bend* to = &q->all[end];

    if (!(share > 0.0)) return;
    if (end == AFFINE_START) {
        const joint_frame* start = &q->frame[AFFINE_START];
        const joint_frame* at = &p->a->force_frames[q->joint];
        const joint_frame* last = &q->frame[AFFINE_END];
        const marker_pair ends[3] = {
            {&last->F, &last->B}, {&at->F, &at->B}, {&start->F, &start->B}};
        tml__coordinate_step(q->data, (tml_axis)axis, ends, push->step.end, &step);
    }
    if (axis < 3) {  // a translation: a gap
        to->force = v3_axpy(to->force, push->Q, step.last.atom[0].b);
        return;
    }
    for (int m = 0; m < step.middle.count; m++) {
        const atom_value* at = &step.middle.atom[m];
        const atom_value* there = &step.last.atom[m];
        const vec3 torque = v3_cross(at->f, at->b);
        bend_dot(at->f, at->b, there->f, there->b, push->Q * step.middle.weight[m], to);
        for (int n = 0; n < step.middle.count; n++) {
            // the weights follow the atoms of an end as they are, not by its share
            const vec3 change = v3_cross(step.last.atom[n].f, step.last.atom[n].b);
            const mat3 outer =
                m3_scale(push->Q * step.middle.cross[m][n] / share, m3_outer(torque, change));
            to->D_F = m3_add(to->D_F, outer);
            to->D_B = m3_sub(to->D_B, outer);
        }
    }
}

static void gather_joint(const affine_product* p, int joint, joint_point* q)
{
    *q = (joint_point){.p = p, .joint = joint, .data = &p->a->s->model->joints[joint]};
    place_joint(q);
    for (int i = 0; i < p->a->s->forced_count; i++) {
        if (p->a->s->forced[i].joint == joint) add_forced(q, i);
    }
    add_coordinate_rows(q);
    add_held_rows(q);
    for (int k = 0; k < COORDINATES; k++) {
        if (!q->axis[k].is_on) continue;
        if (k < 3) q->force = v3_axpy(q->force, q->axis[k].Q, q->axis[k].step.middle.atom[0].b);
        for (int e = 0; e < AFFINE_BEFORE; e++) bend_axis(q, k, (affine_end)e);
    }
}

// ---- changes of a joint

// A change at one instant: of marker points, arms and axes, world axes.
typedef struct end_tangent {
    vec3 c_F, c_B;        // centres of mass
    vec3 arm_F, arm_B;    // from them to the marker points
    vec3 turn_F, turn_B;  // of the axes
} end_tangent;

static double coordinate_slope(const joint_point* q, int axis, affine_end end, const end_tangent* d)
{
    const rigid_gradient* g = &q->axis[axis].at[end];
    const joint_frame* frame = &q->frame[end];
    const vec3 t_F = v3_sub(g->t_F, v3_cross(frame->r_F, g->n));
    const vec3 t_B = v3_add(g->t_B, v3_cross(frame->r_B, g->n));
    const vec3 moved = v3_sub(v3_add(d->c_F, d->arm_F), v3_add(d->c_B, d->arm_B));
    return v3_dot(g->n, moved) + v3_dot(t_F, d->turn_F) + v3_dot(t_B, d->turn_B);
}

static void emit_joint(const joint_point* q, double* input, vec3 f, vec3 t_F, vec3 t_B)
{
    affine_emit_wrench(q->p, input, q->data->follower, f, t_F);
    affine_emit_wrench(q->p, input, q->data->base, v3_neg(f), t_B);
}

static void emit_push(const joint_point* q, double* input, int axis, double dQ)
{
    const rigid_gradient* g = &q->axis[axis].g;
    emit_joint(q, input, v3_scale(dQ, g->n), v3_scale(dQ, g->t_F), v3_scale(dQ, g->t_B));
}

// The wrench by a change at all instants; bends[e] says how it turns.
static void emit_change(const joint_point* q, double* input, const end_tangent d[AFFINE_ENDS],
                        const end_bend bends[AFFINE_ENDS])
{
    const joint_frame* at = &q->p->a->force_frames[q->joint];
    vec3 df = v3_zero();
    vec3 torque = v3_zero();
    vec3 arm_F = v3_zero();
    vec3 arm_B = v3_zero();

    for (int e = 0; e < AFFINE_BEFORE; e++) {
        const double share = share_of(q->p->stage, (affine_end)e);
        const vec3 point = v3_add(d[e].c_F, d[e].arm_F);
        const vec3 turned =
            v3_add(m3_apply(bends[e].D_F, d[e].turn_F), m3_apply(bends[e].D_B, d[e].turn_B));
        df = v3_axpy(df, share, v3_cross(d[e].turn_B, bends[e].force));
        torque = v3_axpy(torque, share, turned);
        arm_F = v3_axpy(arm_F, share, d[e].arm_F);
        arm_B = v3_axpy(arm_B, share, v3_sub(point, d[e].c_B));
    }
    const vec3 t_F = v3_add(v3_cross(arm_F, q->force), v3_cross(at->r_F, df));
    const vec3 t_B = v3_add(v3_cross(arm_B, q->force), v3_cross(at->arm_B, df));
    emit_joint(q, input, df, v3_add(t_F, torque), v3_neg(v3_add(t_B, torque)));
}

static void emit_coordinates(const joint_point* q, double* input, const end_tangent d[AFFINE_ENDS])
{
    const int ends = has_before(q->p) ? AFFINE_ENDS : AFFINE_BEFORE;
    for (int k = 0; k < COORDINATES; k++) {
        const axis_push* push = &q->axis[k];
        double dQ = 0.0;
        if (!push->is_on) continue;
        for (int e = 0; e < ends; e++) {
            if (push->by[e] == 0.0) continue;
            dQ += push->by[e] * coordinate_slope(q, k, (affine_end)e, &d[e]);
        }
        if (dQ != 0.0) emit_push(q, input, k, dQ);
    }
}

// The pose of one of its bodies at one instant.
static void joint_by_pose(const joint_point* q, bool is_follower, affine_end end)
{
    double* pose = tml__affine_pose_of(q->p, is_follower ? q->data->follower : q->data->base, end);
    if (pose == NULL) return;
    for (int k = 0; k < 6; k++) {
        end_tangent d[AFFINE_ENDS] = {{.c_F = v3_zero()}};
        end_tangent* at = &d[end];
        const vec3 unit = v3_unit(k % 3);
        if (k < 3) {
            *(is_follower ? &at->c_F : &at->c_B) = unit;
        } else if (is_follower) {
            at->turn_F = unit;
            at->arm_F = v3_cross(unit, q->frame[end].r_F);
        } else {
            at->turn_B = unit;
            at->arm_B = v3_cross(unit, q->frame[end].r_B);
        }
        if (end != AFFINE_BEFORE) emit_change(q, &pose[k], d, q->all);
        emit_coordinates(q, &pose[k], d);
    }
}

// Shifts and turns of its markers in their bodies: at all instants at once.
static void joint_by_markers(const joint_point* q, double* in)
{
    for (int i = 0; i < 2 * MARKER_PARAMETERS; i++) {
        const bool is_follower = i < MARKER_PARAMETERS;
        const int k = i % MARKER_PARAMETERS;
        end_tangent d[AFFINE_ENDS] = {{.c_F = v3_zero()}};
        for (int e = 0; e < (has_before(q->p) ? AFFINE_ENDS : AFFINE_BEFORE); e++) {
            const vec3 unit = m3_column((is_follower ? q->F[e] : q->B[e]).R, k % 3);
            if (k < 3) {
                *(is_follower ? &d[e].arm_F : &d[e].arm_B) = unit;
            } else {
                *(is_follower ? &d[e].turn_F : &d[e].turn_B) = unit;
            }
        }
        emit_change(q, &in[i], d, q->all);
        emit_coordinates(q, &in[i], d);
    }
}

// ---- numbers of its axes

// Targets that turn the axes of dots.
static void driven_dots(const joint_point* q, int axis, double* input)
{
    const affine_system* a = q->p->a;
    end_tangent d[AFFINE_ENDS] = {{.c_F = v3_zero()}};
    end_bend bends[AFFINE_ENDS] = {q->dots[AFFINE_START], q->dots[AFFINE_END]};
    joint_tangent unit = {.F = {.c = v3_zero()}};

    unit.target[axis].value = 1.0;
    for (int e = 0; e < AFFINE_BEFORE; e++) {
        const joint_motion m = {.joint = q->data,
                                .rows = &a->s->rows[q->joint],
                                .turn = &a->force_turns[q->joint],
                                .frame = &q->frame[e],
                                .F = &q->F[e],
                                .B = &q->B[e],
                                .targets = &a->force_targets.axis[q->joint * TML_AXES]};
        tml__turn_tangent(&m, &unit, &d[e].turn_F, &d[e].turn_B);
    }
    emit_change(q, input, d, bends);
}

static void axis_parameters(const joint_point* q, int axis, double* in)
{
    const affine_system* a = q->p->a;
    const axis_data* data = &q->data->axis[axis];
    const axis_push* push = &q->axis[axis];

    if (data->actuation == TML_FORCE && tml__axis_is_base_torque(q->data, axis)) {
        const vec3 unit = a->force_frames[q->joint].B.axis[axis - 3];
        emit_joint(q, &in[AXIS_TARGET], v3_zero(), unit, v3_neg(unit));
    } else if (data->actuation == TML_FORCE) {
        emit_push(q, &in[AXIS_TARGET], axis, 1.0);
    } else if (data->actuation == TML_POSITION) {
        driven_dots(q, axis, &in[AXIS_TARGET]);
    }
    if (push->forced == NULL) return;
    emit_push(q, &in[AXIS_STIFFNESS], axis, -(push->value - data->rest));
    if (q->data->dots == NULL || axis < TML_AXIS_RX) {
        emit_push(q, &in[AXIS_DAMPING], axis, -push->rate);
    }
    emit_push(q, &in[AXIS_REST], axis, data->stiffness);
    if (!data->has_servo) return;
    emit_push(q, &in[AXIS_SERVO_STIFFNESS], axis, push->servo->value - push->value);
    emit_push(q, &in[AXIS_SERVO_DAMPING], axis, push->servo->rate - push->rate);
}

// By the dampers of the three turns.
static void dot_parameters(const joint_point* q, int dot, double* axes)
{
    for (int k = 0; k < 3; k++) {
        double* in = &axes[AXIS_PARAMETERS * (TML_AXIS_RX + k)];
        const double share = tml__dot_share((dot - DOT_FIRST) / 3, k);
        emit_push(q, &in[AXIS_DAMPING], dot, -share * q->axis[dot].rate);
    }
}

static void joint_product(const affine_product* p, int joint)
{
    const parameter_set* in = p->by->in;
    joint_point q;

    gather_joint(p, joint, &q);
    for (int side = 0; side < 2; side++) {
        joint_by_pose(&q, side == 0, AFFINE_START);
        if (has_before(p)) joint_by_pose(&q, side == 0, AFFINE_BEFORE);
    }
    if ((in->wants & WANT_MARKERS) != 0) {
        joint_by_markers(&q, &in->marker[2 * MARKER_PARAMETERS * joint]);
    }
    for (int k = 0; k < TML_AXES && (in->wants & WANT_AXES) != 0; k++) {
        axis_parameters(&q, k, &in->axis[(TML_AXES * joint + k) * AXIS_PARAMETERS]);
    }
    const bool has_dots = (in->wants & WANT_AXES) != 0 && q.data->dots != NULL;
    for (int k = DOT_FIRST; k < COORDINATES && has_dots; k++) {
        dot_parameters(&q, k, &in->axis[TML_AXES * joint * AXIS_PARAMETERS]);
    }
}

// ---- the whole residual

void tml__affine_residual_product(const affine_product* p)
{
    const maximal_system* s = p->a->s;
    const affine_inputs* by = p->by;

    for (int n = 0; n < s->node_count; n++) {
        inertia_by_past(p, n, AFFINE_START, &by->pose[6 * n], &by->velocity[6 * n]);
        if (has_before(p)) {
            inertia_by_past(p, n, AFFINE_BEFORE, &by->pose_before[6 * n],
                            &by->velocity_before[6 * n]);
        }
        if ((by->in->wants & WANT_BODIES) != 0) body_parameters(p, n);
    }
    for (int j = 0; j < s->model->all.joint_count; j++) joint_product(p, j);
    tml__affine_force_product(p);
}

// ---- velocities at the end

static void carry_motion(const affine_product* p, const affine_slopes* s, double* pose,
                         double* velocity, double* out)
{
    for (int k = 0; k < 3; k++) {
        affine_emit(p, &pose[k], &out[k], s->shift);
        if (velocity != NULL) affine_emit(p, &velocity[k], &out[k], s->speed);
    }
    affine_carry(p, s->turn, pose + 3, out + 3);
    if (velocity != NULL) affine_carry(p, s->spin, velocity + 3, out + 3);
}

void tml__affine_close_product(const affine_product* p)
{
    const tml_model* m = p->a->s->model;
    for (int n = 0; n < p->a->s->node_count; n++) {
        const affine_body* b = &p->a->body[n];
        const int body = m->node_body[n];
        const affine_moments moments = tml__affine_moments(b, p->a->S[n]);
        const affine_closing c = tml__affine_closing(b, p->a->S[n], &moments, p->stage);
        double* out = &p->E[6 * n];

        carry_motion(p, &c.by[AFFINE_END], &p->by->pose_end[6 * n], NULL, out);
        carry_motion(p, &c.by[AFFINE_START], &p->by->pose[6 * n], &p->by->velocity[6 * n], out);
        if (has_before(p)) {
            carry_motion(p, &c.by[AFFINE_BEFORE], &p->by->pose_before[6 * n], NULL, out);
        }
        if ((p->by->in->wants & WANT_BODIES) == 0) continue;
        double* mine = &p->by->in->body[BODY_PARAMETERS * body];
        vec3 spin[6];
        tml__affine_closing_by_inertia(&c, spin);
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 3; k++)
                affine_emit(p, &mine[1 + i], &out[3 + k], v3_at(spin[i], k));
        }
    }
}
