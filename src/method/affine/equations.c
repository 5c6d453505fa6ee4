// method/affine/equations.c - what must vanish at the end of a step.
//
//   m (move - x_hat) / beta   - forces  - sum lambda n        = 0        N
//   tau(P A^T)                - torques - sum lambda t        = 0        N m
//   C(end) = 0, or for compliant rows  C(where forces act) + e lambda = 0
//
// Gradients n, t and all applied forces belong to the bodies where forces act. With phi = 1/2 the
// gradient of every row and coordinate is a discrete one: times the motion of the step it is the
// change of the row, so that joints do no work and springs store what they take.
#include "method/affine/flex.h"

#include <string.h>

static bool is_mean(const affine_stage* stage) { return stage->phi == 0.5; }

// ---- where bodies and joints are

void tml__affine_place(affine_system* a, const affine_stage* stage)
{
    maximal_system* s = a->s;
    const tml_model* m = s->model;
    const affine_rate rate = affine_rate_of(stage);

    s->placements++;  // frames and rows by hand
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        rigid* end = &s->bodies[m->node_body[n]];
        rigid* at = &a->force_bodies[m->node_body[n]];
        end->c = v3_add(b->x, b->move);
        end->R = b->R_end;
        at->c = v3_axpy(b->x, stage->phi, b->move);
        at->R = m3_add(m3_scale(1.0 - stage->phi, b->R), m3_scale(stage->phi, b->R_end));
        // velocities for whatever resists motion: means over the step, or those of its end
        const mat3 past = tml__affine_past(b, stage);
        at->v = v3_scale(1.0 / rate.span, b->move);
        at->omega = v3_scale(0.5 / rate.span, affine_tau(m3_mul_bt(b->R_end, past)));
        if (rate.lag > 0.0) at->v = v3_axpy(at->v, -1.0 / rate.lag, v3_sub(b->x, b->x_before));
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        const joint_data* joint = &m->joints[j];
        tml__joint_frame(joint, &s->turns[j], &s->bodies[joint->follower], &s->bodies[joint->base],
                         &s->frames[j]);
        tml__joint_frame(joint, &a->force_turns[j], &a->force_bodies[joint->follower],
                         &a->force_bodies[joint->base], &a->force_frames[j]);
    }
}

// ---- gradients where forces act

void tml__affine_coordinate(const affine_system* a, const affine_stage* stage, int joint,
                            tml_axis axis, coordinate_step* out)
{
    const maximal_system* s = a->s;
    const joint_data* j = &s->model->joints[joint];
    const double hint = tml__maximal_hint(s, joint, axis);
    const joint_frame* start = &a->start_frames[joint];
    const joint_frame* at = &a->force_frames[joint];
    const joint_frame* end = &s->frames[joint];
    const marker_pair ends[3] = {{&start->F, &start->B}, {&at->F, &at->B}, {&end->F, &end->B}};

    tml__coordinate_step(j, axis, ends, hint, out);
    if (is_mean(stage)) return;
    out->middle = out->last;
    if (stage->phi > 0.0) return;
    tml__coordinate_eval(j, axis, &start->F, &start->B, hint, &out->middle);
    memset(out->middle.cross, 0, sizeof out->middle.cross);
}

rigid_gradient tml__affine_pull(const joint_frame* frame, const coordinate_value* s)
{
    rigid_gradient g = {.n = v3_zero()};
    for (int m = 0; m < s->count; m++) {
        const atom_value* one = &s->atom[m];
        const vec3 t_F = v3_add(v3_cross(frame->r_F, one->point_F), v3_cross(one->f, one->axis_F));
        const vec3 t_B = v3_add(v3_cross(frame->r_B, one->point_B), v3_cross(one->b, one->axis_B));
        g.n = v3_axpy(g.n, s->weight[m], one->point_F);
        g.t_F = v3_axpy(g.t_F, s->weight[m], t_F);
        g.t_B = v3_axpy(g.t_B, s->weight[m], t_B);
    }
    return g;
}

static void joint_gradients(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const joint_row* row = &s->rows[j].row[r];
            rigid_gradient* g = &a->force_gradient[s->first_row[j] + r];
            if (row->kind == ROW_ANGLE) {
                coordinate_step q;
                tml__affine_coordinate(a, stage, j, row->axis, &q);
                *g = tml__affine_pull(&a->force_frames[j], &q.middle);
                continue;
            }
            const drive* target = &a->force_targets.axis[j * TML_AXES + (int)row->axis];
            *g = tml__row_eval(&s->model->joints[j], row, &a->force_frames[j], target).g;
        }
    }
}

void tml__affine_term_slope(const tml_coupling_term* term, double p, double q, double* slope,
                            double* bend)
{
    double power = 1.0;     // p^(d-1)
    double quotient = 0.0;  // (q^d - p^d) / (q - p)
    double change = 0.0;    // its derivative by q
    *slope = 0.0;
    *bend = 0.0;
    for (int d = 0; d < term->degree; d++) {
        change = change * q + quotient;
        quotient = quotient * q + power;
        power *= p;
        *slope += term->coefficient[d] * quotient;
        *bend += term->coefficient[d] * change;
    }
}

static void coupling_gradients(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const tml_coupling_term* term = &s->model->all.couplings[i].terms[t - s->first_term[i]];
            coordinate_step q;
            tml__affine_coordinate(a, stage, term->joint.index, term->axis, &q);
            a->force_terms[t] = tml__affine_pull(&a->force_frames[term->joint.index], &q.middle);
            a->term_slope[t] = s->term_slope[t];
            a->term_bend[t] = s->term_bend[t];
            if (stage->phi == 1.0) continue;
            tml__affine_term_slope(term, q.start, is_mean(stage) ? q.end : q.start,
                                   &a->term_slope[t], &a->term_bend[t]);
            if (stage->phi == 0.0) a->term_bend[t] = 0.0;
        }
    }
}

static void limit_gradients(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        coordinate_step q;
        if (s->sides[i] == LIMIT_OFF) continue;
        tml__affine_coordinate(a, stage, limit->joint, limit->of, &q);
        a->force_gradient[limit->row] = tml__affine_pull(&a->force_frames[limit->joint], &q.middle);
    }
}

// ---- forces

// Take a wrench away from the residual of a body.
void tml__affine_push(affine_system* a, int body, vec3 force, vec3 torque)
{
    const int node = a->s->model->bodies[body].node;
    if (node < 0) return;
    double* r = &a->residual[6 * node];
    v3_store(r, v3_sub(v3_load(r), force));
    v3_store(r + 3, v3_sub(v3_load(r + 3), torque));
}

static void push_gradient(affine_system* a, const joint_data* j, const rigid_gradient* g, double Q)
{
    tml__affine_push(a, j->follower, v3_scale(Q, g->n), v3_scale(Q, g->t_F));
    tml__affine_push(a, j->base, v3_scale(-Q, g->n), v3_scale(Q, g->t_B));
}

axis_force tml__affine_axis_force(const affine_system* a, const affine_stage* stage, int forced,
                                  const coordinate_step* q)
{
    const joint_axis_id id = a->s->forced[forced];
    const affine_rate by = affine_rate_of(stage);
    const joint_data* j = &a->s->model->joints[id.joint];
    const int at = tml__axis_slot(id.joint, (int)id.axis);
    const drive none = {0};
    const bool is_torque = tml__axis_is_base_torque(j, (int)id.axis);
    const drive* control = is_torque ? &none : &a->force_targets.axis[at];
    const double value = (1.0 - stage->phi) * q->start + stage->phi * q->end;
    double rate = (q->end - q->start) / by.span;
    if (by.lag > 0.0) rate -= (q->start - a->axis_before[forced]) / by.lag;
    axis_force f = tml__axis_force(tml__joint_axis(j, (int)id.axis), value, rate, control,
                                   &a->force_targets.servo[at]);
    // by the value at the end of the step
    f.dQ_ds = stage->phi * f.dQ_ds + f.dQ_drate / by.span;
    f.dQ_drate = 0.0;
    return f;
}

static void axis_forces(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->forced_count; i++) {
        const joint_axis_id id = s->forced[i];
        const joint_data* j = &s->model->joints[id.joint];

        // three driven rotations: a torque along the base's axes                   [QRBD Tab 7]
        if (tml__axis_is_base_torque(j, (int)id.axis)) {
            const double value = a->force_targets.axis[id.joint * TML_AXES + (int)id.axis].value;
            const vec3 torque = v3_scale(value, a->force_frames[id.joint].B.axis[(int)id.axis - 3]);
            tml__affine_push(a, j->follower, v3_zero(), torque);
            tml__affine_push(a, j->base, v3_zero(), v3_neg(torque));
            if (!tml__axis_is_sprung(&j->axis[id.axis])) continue;
        }
        coordinate_step q;
        tml__affine_coordinate(a, stage, id.joint, id.axis, &q);
        const rigid_gradient g = tml__affine_pull(&a->force_frames[id.joint], &q.middle);
        push_gradient(a, j, &g, tml__affine_axis_force(a, stage, i, &q).Q);
    }
}

// R J R^T, of the start (phi = 0), of the end (1) or their mean.
mat3 tml__affine_inertia(const affine_system* a, int node, double phi)
{
    const affine_body* b = &a->body[node];
    const mat3 J = a->s->model->bodies[a->s->model->node_body[node]].inertia;
    const mat3 start = m3_mul_bt(m3_mul(b->R, J), b->R);
    const mat3 end = m3_mul_bt(m3_mul(b->R_end, J), b->R_end);
    return m3_add(m3_scale(1.0 - phi, start), m3_scale(phi, end));
}

static void body_forces(affine_system* a)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        tml__affine_push(a, b, v3_scale(m->bodies[b].mass, m->all.gravity), v3_zero());
    }
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 f;
        vec3 torque;
        for (int k = 0; k < 3; k++) {
            v3_set(&f, k, tml__control_eval(&w->force[k], a->force_time).value);
            v3_set(&torque, k, tml__control_eval(&w->torque[k], a->force_time).value);
        }
        const vec3 r = m3_apply(a->force_bodies[w->body].R, w->point);
        tml__affine_push(a, w->body, f, v3_add(torque, v3_cross(r, f)));
    }
    for (int i = 0; i < s->push_count; i++) {
        const hand_push* p = &s->pushes[i];
        const vec3 r = m3_apply(a->force_bodies[p->body].R, p->point);
        tml__affine_push(a, p->body, p->force, v3_add(p->torque, v3_cross(r, p->force)));
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const rigid* b = &a->force_bodies[d->body.index];
        tml__affine_push(a, d->body.index, v3_scale(-d->linear, v3_sub(b->v, d->wind)),
                         v3_scale(-d->angular, b->omega));
    }
}

// -rayleigh times the momentum of the chord, the inertia between those of both ends.
static void mass_damping(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    const double rate = m->all.rayleigh_mass;

    for (int n = 0; rate > 0.0 && n < a->s->node_count; n++) {
        const int i = m->node_body[n];
        const rigid* b = &a->force_bodies[i];
        const mat3 I = tml__affine_inertia(a, n, stage->phi);
        tml__affine_push(a, i, v3_scale(-rate * m->bodies[i].mass, b->v),
                         v3_scale(-rate, m3_apply(I, b->omega)));
    }
}

static void row_forces(affine_system* a)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;
    const double* lambda = a->lambda;

    for (int j = 0; j < m->all.joint_count; j++) {
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            push_gradient(a, &m->joints[j], &a->force_gradient[row], lambda[row]);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const int joint = m->all.couplings[i].terms[t - s->first_term[i]].joint.index;
            push_gradient(a, &m->joints[joint], &a->force_terms[t],
                          lambda[s->first_coupling + i] * a->term_slope[t]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (s->sides[i] == LIMIT_OFF) continue;
        push_gradient(a, &m->joints[limit->joint], &a->force_gradient[limit->row],
                      lambda[limit->row]);
    }
}

// What all forces have done over the step: by the equations of motion the kinetic energy's change.
static void count_work(affine_system* a)
{
    a->work = 0.0;
    a->work_size = 0.0;
    for (int n = 0; n < a->s->node_count; n++) {
        const double* r = &a->residual[6 * n];
        const double moved = -v3_dot(v3_load(r), a->body[n].move);
        const double turned = -v3_dot(v3_load(r + 3), tml__affine_cayley(&a->body[n]));
        a->work += moved + turned;
        a->work_size += fabs(moved) + fabs(turned);
    }
}

double tml__affine_evaluate(affine_system* a, const affine_stage* stage)
{
    if (a->flex != NULL) return tml__flex_evaluate(a, stage);
    maximal_system* s = a->s;

    tml__affine_place(a, stage);
    double gap = tml__maximal_rows(s);
    gap = tml__larger(gap, tml__affine_tie_rows(a, stage));
    joint_gradients(a, stage);
    coupling_gradients(a, stage);
    limit_gradients(a, stage);
    for (int row = 0; row < s->row_count; row++) {
        if (s->compliance[row] <= 0.0) continue;
        s->C[row] = (1.0 - stage->phi) * a->C_start[row] + stage->phi * s->C[row] +
                    s->compliance[row] * a->lambda[row];
    }
    memset(a->residual, 0, (size_t)s->node_count * 6 * sizeof *a->residual);
    axis_forces(a, stage);
    body_forces(a);
    mass_damping(a, stage);
    tml__affine_spring_forces(a, stage);
    tml__affine_soft_forces(a);
    row_forces(a);
    tml__affine_tie_forces(a);
    a->guest_rest = 0.0;
    if (a->guest.self != NULL) a->guest_rest = a->guest.evaluate(a->guest.self, a->residual);
    count_work(a);
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const double mass = s->model->bodies[s->model->node_body[n]].mass;
        const affine_torque inertia = tml__affine_torque(b, &a->S[n], stage);
        double* r = &a->residual[6 * n];
        v3_store(r, v3_axpy(v3_load(r), mass / stage->beta, v3_sub(b->move, b->x_hat)));
        v3_store(r + 3, v3_add(v3_load(r + 3), inertia.torque));
    }
    return gap;
}

double tml__affine_rest(const affine_system* a, const affine_stage* stage)
{
    if (a->flex != NULL) return tml__flex_rest(a, stage);
    const tml_model* m = a->s->model;
    double largest = a->guest_rest;

    for (int n = 0; n < a->s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3* J = &body->inertia;
        const double moment = (J->m[0][0] + J->m[1][1] + J->m[2][2]) / 3.0;
        const double* r = &a->residual[6 * n];
        for (int k = 0; k < 6; k++) {
            const double scale = stage->beta / (k < 3 ? body->mass : moment);
            largest = tml__larger(largest, scale * r[k]);
        }
    }
    return largest;
}
