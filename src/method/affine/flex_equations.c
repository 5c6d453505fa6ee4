// method/affine/flex_equations.c - what must vanish at the end of a step of bodies of finite stiffness.
//
//   m (move - x_hat)/beta          - forces                  - sum lambda n         = 0        N
//   (A+ - A_hat) S / beta + P      - forces x points         - sum lambda dC/dA     = 0        N m
//   C(end) = 0
//
// P is the force of the stress. A force f at the body's point p acts on (x, A) as (f, f p^T): a point is
// linear in the unknowns. The work over a step is the forces times the motion, without any turn to
// account for.
#include "method/affine/flex.h"

#include <string.h>

// ---- gradients

static void add_vector(double out[FLEX_WIDTH], double scale, vec3 f, double at, vec3 p)
{
    const double w[4] = {at, p.x, p.y, p.z};
    for (int k = 0; k < 4; k++) {
        out[3 * k] += scale * w[k] * f.x;
        out[3 * k + 1] += scale * w[k] * f.y;
        out[3 * k + 2] += scale * w[k] * f.z;
    }
}

flex_gradient tml__flex_gradient(const flex_atoms* atoms)
{
    flex_gradient g = {{0.0}, {0.0}};
    for (int m = 0; m < atoms->count; m++) {
        const flex_atom* one = &atoms->atom[m];
        const atom_value* v = &one->value;
        const double w = atoms->weight[m];
        add_vector(g.F, w, v->point_F, 1.0, one->x_F);
        add_vector(g.F, w, v->axis_F, 0.0, one->f);
        add_vector(g.B, w, v->point_B, 1.0, one->x_B);
        add_vector(g.B, w, v->axis_B, 0.0, one->b);
    }
    return g;
}

flex_atoms tml__flex_coordinate(const affine_system* a, int joint, tml_axis axis,
                                const coordinate_value* at)
{
    const joint_data* j = &a->s->model->joints[joint];
    flex_atoms out = {.count = at->count};
    angle_term terms[4];
    angle_law law;
    if ((int)axis >= 3) tml__angle_terms(j, axis, terms, &law);
    for (int m = 0; m < at->count; m++) {
        flex_atom* one = &out.atom[m];
        *one = (flex_atom){.value = at->atom[m], .is_gap = (int)axis < 3, .sign = 1.0};
        one->x_F = j->point_F;
        one->x_B = j->point_B;
        one->b = m3_column(j->axes_B, one->is_gap ? (int)axis : terms[m].base);
        if (!one->is_gap) one->f = m3_column(j->axes_F, terms[m].follower);
        out.weight[m] = at->weight[m];
    }
    return out;
}

// A gap or a dot between the axes that `turn` has turned.
static flex_atoms held_row(const joint_data* j, const joint_row* row, const joint_turn* turn,
                           const joint_frame* at)
{
    const mat3 F = turn->has_follower ? m3_mul(j->axes_F, turn->follower) : j->axes_F;
    const mat3 B = turn->has_base ? m3_mul(j->axes_B, turn->base) : j->axes_B;
    flex_atom one = {.x_F = j->point_F, .x_B = j->point_B, .sign = row->a.sign};
    if (row->kind == ROW_GAP) {
        one.is_gap = true;
        one.b = m3_column(j->axes_B, row->a.b);
        one.value = atom_gap(at->B.axis[row->a.b], &at->F, &at->B, 0.0);
    } else {
        one.f = m3_column(F, row->a.f);
        one.b = m3_column(B, row->a.b);
        one.value = atom_dot(at->F_turned.axis[row->a.f], at->B_turned.axis[row->a.b], row->a.sign);
    }
    return (flex_atoms){.count = 1, .atom = {one}, .weight = {1.0}};
}

flex_atoms tml__flex_row(const affine_system* a, const affine_stage* stage, int joint, int row)
{
    const joint_row* r = &a->s->rows[joint].row[row];
    if (r->kind != ROW_ANGLE) {
        return held_row(&a->s->model->joints[joint], r, &a->force_turns[joint],
                        &a->force_frames[joint]);
    }
    coordinate_step q;
    tml__affine_coordinate(a, stage, joint, r->axis, &q);
    return tml__flex_coordinate(a, joint, r->axis, &q.middle);
}

// The gradient of a coordinate at the end of the step.
static flex_gradient end_gradient(const affine_system* a, int joint, tml_axis axis)
{
    const maximal_system* s = a->s;
    const joint_frame* at = &s->frames[joint];
    coordinate_value q;
    tml__coordinate_eval(&s->model->joints[joint], axis, &at->F, &at->B,
                         tml__maximal_hint(s, joint, axis), &q);
    const flex_atoms atoms = tml__flex_coordinate(a, joint, axis, &q);
    return tml__flex_gradient(&atoms);
}

static void joint_gradients(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const joint_row* row = &s->rows[j].row[r];
            const int at = s->first_row[j] + r;
            const flex_atoms push = tml__flex_row(a, stage, j, r);
            a->flex->push[at] = tml__flex_gradient(&push);
            if (row->kind == ROW_ANGLE) {
                a->flex->move[at] = end_gradient(a, j, row->axis);
                continue;
            }
            const flex_atoms move =
                held_row(&s->model->joints[j], row, &s->turns[j], &s->frames[j]);
            a->flex->move[at] = tml__flex_gradient(&move);
        }
    }
}

static void coupling_gradients(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const tml_coupling_term* term = &s->model->all.couplings[i].terms[t - s->first_term[i]];
            const int joint = term->joint.index;
            coordinate_step q;
            tml__affine_coordinate(a, stage, joint, term->axis, &q);
            const flex_atoms push = tml__flex_coordinate(a, joint, term->axis, &q.middle);
            a->flex->push_term[t] = tml__flex_gradient(&push);
            a->flex->move_term[t] = end_gradient(a, joint, term->axis);
            a->term_slope[t] = s->term_slope[t];
            a->term_bend[t] = s->term_bend[t];
            if (stage->phi == 1.0) continue;
            tml__affine_term_slope(term, q.start, q.end, &a->term_slope[t], &a->term_bend[t]);
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
        const flex_atoms push = tml__flex_coordinate(a, limit->joint, limit->of, &q.middle);
        a->flex->push[limit->row] = tml__flex_gradient(&push);
        a->flex->move[limit->row] = end_gradient(a, limit->joint, limit->of);
    }
}

// ---- forces

static double* residual_of(affine_system* a, int body)
{
    const int node = a->s->model->bodies[body].node;
    return node >= 0 ? &a->residual[FLEX_WIDTH * node] : NULL;
}

static void push_point(affine_system* a, int body, vec3 point, vec3 force)
{
    double* r = residual_of(a, body);
    if (r != NULL) add_vector(r, -1.0, force, 1.0, point);
}

static void push_matrix(affine_system* a, int body, mat3 P)
{
    double* r = residual_of(a, body);
    for (int c = 0; r != NULL && c < 9; c++) r[3 + c] -= P.m[c % 3][c / 3];
}

static void push_torque(affine_system* a, int body, vec3 torque)
{
    const mat3 A = a->force_bodies[body].R;
    push_matrix(a, body, flex_torque(torque, m3_transpose(m3_inverse(A))));
}

static void push_gradient(affine_system* a, const joint_data* j, const flex_gradient* g, double Q)
{
    double* F = residual_of(a, j->follower);
    double* B = residual_of(a, j->base);
    for (int c = 0; F != NULL && c < FLEX_WIDTH; c++) F[c] -= Q * g->F[c];
    for (int c = 0; B != NULL && c < FLEX_WIDTH; c++) B[c] -= Q * g->B[c];
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
            push_torque(a, j->follower, torque);
            push_torque(a, j->base, v3_neg(torque));
            if (!tml__axis_is_sprung(&j->axis[id.axis])) continue;
        }
        coordinate_step q;
        tml__affine_coordinate(a, stage, id.joint, id.axis, &q);
        const flex_atoms atoms = tml__flex_coordinate(a, id.joint, id.axis, &q.middle);
        const flex_gradient g = tml__flex_gradient(&atoms);
        push_gradient(a, j, &g, tml__affine_axis_force(a, stage, i, &q).Q);
    }
}

static void body_forces(affine_system* a)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        push_point(a, b, v3_zero(), v3_scale(m->bodies[b].mass, m->all.gravity));
    }
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 f;
        vec3 torque;
        for (int k = 0; k < 3; k++) {
            v3_set(&f, k, tml__control_eval(&w->force[k], a->force_time).value);
            v3_set(&torque, k, tml__control_eval(&w->torque[k], a->force_time).value);
        }
        push_point(a, w->body, w->point, f);
        push_torque(a, w->body, torque);
    }
    for (int i = 0; i < s->push_count; i++) {
        const hand_push* p = &s->pushes[i];
        push_point(a, p->body, p->point, p->force);
        push_torque(a, p->body, p->torque);
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const rigid* b = &a->force_bodies[d->body.index];
        push_point(a, d->body.index, v3_zero(), v3_scale(-d->linear, v3_sub(b->v, d->wind)));
        push_torque(a, d->body.index, v3_scale(-d->angular, b->omega));
    }
}

static void mass_damping(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    const double rate = m->all.rayleigh_mass;
    const double span = affine_rate_of(stage).span;

    for (int n = 0; rate > 0.0 && n < a->s->node_count; n++) {
        const int i = m->node_body[n];
        const affine_body* b = &a->body[n];
        const mat3 change = m3_sub(b->R_end, tml__affine_past(b, stage));
        push_point(a, i, v3_zero(), v3_scale(-rate * m->bodies[i].mass, a->force_bodies[i].v));
        push_matrix(a, i, m3_scale(-rate / span, m3_mul(change, a->S[n])));
    }
}

static void spring_forces(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        const spring_mean T = tml__affine_spring_path(a, stage, spring);
        for (int p = 0; p < spring->point_count; p++) {
            const vec3 pull = tml__affine_spring_pull(a->path, spring->point_count, p);
            push_point(a, spring->body[p], spring->point[p], v3_scale(-T.force, pull));
        }
    }
}

static void row_forces(affine_system* a)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) {
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            push_gradient(a, &m->joints[j], &a->flex->push[row], a->lambda[row]);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const int joint = m->all.couplings[i].terms[t - s->first_term[i]].joint.index;
            push_gradient(a, &m->joints[joint], &a->flex->push_term[t],
                          a->lambda[s->first_coupling + i] * a->term_slope[t]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (s->sides[i] == LIMIT_OFF) continue;
        push_gradient(a, &m->joints[limit->joint], &a->flex->push[limit->row],
                      a->lambda[limit->row]);
    }
}

// ---- the whole

// What all forces but the stress have done over the step.
static void count_work(affine_system* a)
{
    a->work = 0.0;
    a->work_size = 0.0;
    for (int n = 0; n < a->s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const double* r = &a->residual[FLEX_WIDTH * n];
        const mat3 change = m3_sub(b->R_end, b->R);
        const double moved = -v3_dot(v3_load(r), b->move);
        double turned = 0.0;
        for (int c = 0; c < 9; c++) turned -= r[3 + c] * change.m[c % 3][c / 3];
        a->work += moved + turned;
        a->work_size += fabs(moved) + fabs(turned);
    }
}

double tml__flex_evaluate(affine_system* a, const affine_stage* stage)
{
    maximal_system* s = a->s;

    tml__affine_place(a, stage);
    const double gap = tml__maximal_rows(s);
    joint_gradients(a, stage);
    coupling_gradients(a, stage);
    limit_gradients(a, stage);
    for (int row = 0; row < s->row_count; row++) {
        if (s->compliance[row] <= 0.0) continue;
        s->C[row] = (1.0 - stage->phi) * a->C_start[row] + stage->phi * s->C[row] +
                    s->compliance[row] * a->lambda[row];
    }
    memset(a->residual, 0, (size_t)s->node_count * FLEX_WIDTH * sizeof *a->residual);
    axis_forces(a, stage);
    body_forces(a);
    mass_damping(a, stage);
    spring_forces(a, stage);
    row_forces(a);
    count_work(a);
    for (int n = 0; n < s->node_count; n++) {
        const affine_body* b = &a->body[n];
        const int i = s->model->node_body[n];
        const vec3 away = v3_sub(b->move, b->x_hat);
        const mat3 turned = m3_mul(m3_sub(b->R_end, b->R_hat), a->S[n]);
        push_point(a, i, v3_zero(), v3_scale(-s->model->bodies[i].mass / stage->beta, away));
        push_matrix(a, i, m3_scale(-1.0 / stage->beta, turned));
        push_matrix(a, i, m3_scale(-1.0, tml__flex_stress(a, stage, n, NULL)));
    }
    return gap;
}

double tml__flex_rest(const affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    double largest = 0.0;
    for (int n = 0; n < a->s->node_count; n++) {
        const double mass = m->bodies[m->node_body[n]].mass;
        const mat3* S = &a->S[n];
        const double moment = (S->m[0][0] + S->m[1][1] + S->m[2][2]) / 3.0;
        const double* r = &a->residual[FLEX_WIDTH * n];
        for (int c = 0; c < FLEX_WIDTH; c++) {
            largest = tml__larger(largest, stage->beta / (c < 3 ? mass : moment) * r[c]);
        }
    }
    return largest;
}

// A may turn this much in one iteration, rad.
static const double clamp = 1.0;

// The update dA as a turn w and a rest: A <- exp(w) (A + dA - [w] A). It takes half the iterations
// of a sum where bodies turn and are stiff.                                                 [notes 9.6]
static void turn_and_strain(affine_body* b, mat3 dA)
{
    vec3 w = v3_scale(0.5, affine_tau(m3_mul_bt(dA, tml__flex_rotation(b->R_end))));
    const double angle = v3_norm(w);
    const mat3 rest = m3_sub(dA, m3_mul(m3_skew(w), b->R_end));
    if (angle > clamp) w = v3_scale(clamp / angle, w);
    b->R_end = m3_mul(q_matrix(q_exp(w)), m3_add(b->R_end, rest));
}

double tml__flex_move(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    double largest = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const double* dx = &a->flex->dx[FLEX_WIDTH * n];
        affine_body* b = &a->body[n];
        mat3 dA;
        for (int c = 0; c < FLEX_WIDTH; c++) largest = tml__larger(largest, dx[c]);
        for (int c = 0; c < 9; c++) dA.m[c % 3][c / 3] = dx[3 + c];
        b->move = v3_add(b->move, v3_load(dx));
        turn_and_strain(b, dA);
    }
    for (int row = 0; row < s->row_count; row++) a->lambda[row] += s->dl[row] / stage->beta;
    return largest;
}
