// method/affine/flex_matrix.c - the exact Newton matrix of bodies of finite stiffness, and projections.
//
//   [ M + beta K   -G^T ] [dq          ]     K: stress, forces, and lambda times the curvature of rows
//   [ C'            E   ] [beta dlambda]     G: gradients where forces act, C': gradients at the end
//
// Points and axes of a body are q w, its four columns q times w = (1, p) or (0, axis). A gap and a dot are
// products of two of them, so that their second derivative by the columns k and l of two bodies is
// w_k w_l times the unit matrix, and nothing else.
#include "method/affine/flex.h"

#include <string.h>

typedef struct columns4 {
    double w[4];
} columns4;

static columns4 point4(vec3 p) { return (columns4){{1.0, p.x, p.y, p.z}}; }
static columns4 axis4(vec3 p) { return (columns4){{0.0, p.x, p.y, p.z}}; }

// block += scale (row column^T) x H
static void add_product(spot to, double scale, columns4 row, columns4 column, mat3 H)
{
    if (to.at == NULL) return;
    for (int l = 0; l < 4; l++) {
        for (int k = 0; k < 4; k++) {
            tml__affine_add3(to, 3 * k, 3 * l, scale * row.w[k] * column.w[l], H);
        }
    }
}

// Second derivatives of a sum of atoms, times scale.
static void add_curvature(const joint_spots* to, const flex_atoms* atoms, double scale)
{
    const mat3 I = m3_identity();
    for (int m = 0; m < atoms->count; m++) {
        const flex_atom* one = &atoms->atom[m];
        const columns4 b = axis4(one->b);
        const columns4 f = one->is_gap ? point4(one->x_F) : axis4(one->f);
        const double w = scale * atoms->weight[m] * (one->is_gap ? 1.0 : one->sign);
        add_product(to->FB, w, f, b, I);
        add_product(to->BF, w, b, f, I);
        if (!one->is_gap) continue;
        add_product(to->BB, -w, b, point4(one->x_B), I);
        add_product(to->BB, -w, point4(one->x_B), b, I);
    }
}

static void add_column(spot to, int column, double scale, const double g[FLEX_WIDTH])
{
    if (to.at == NULL) return;
    double* at = to.at + (ptrdiff_t)column * to.stride;
    for (int i = 0; i < FLEX_WIDTH; i++) at[i] += scale * g[i];
}

static void add_row(spot to, int row, double scale, const double g[FLEX_WIDTH])
{
    if (to.at == NULL) return;
    for (int i = 0; i < FLEX_WIDTH; i++) to.at[(ptrdiff_t)i * to.stride + row] += scale * g[i];
}

static void add_diagonal(const joint_spots* to, int row, double value)
{
    to->rr.at[(ptrdiff_t)row * to->rr.stride + row] += value;
}

static void add_gradients(const joint_spots* to, int row, const flex_gradient* push,
                          double push_scale, const flex_gradient* move, double move_scale)
{
    add_column(to->Fr, row, -push_scale, push->F);
    add_column(to->Br, row, -push_scale, push->B);
    add_row(to->rF, row, move_scale, move->F);
    add_row(to->rB, row, move_scale, move->B);
}

// How far a unit of a row's multiplier, over beta, opens it by inertia alone: g M^-1 g.
static double answer_of(const affine_system* a, int body, const double g[FLEX_WIDTH])
{
    const tml_model* m = a->s->model;
    const int node = m->bodies[body].node;
    if (node < 0) return 0.0;
    const mat3 by = m3_inverse(a->S[node]);
    double sum = v3_dot(v3_load(g), v3_load(g)) / m->bodies[body].mass;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            sum += by.m[k][l] * v3_dot(v3_load(g + 3 + 3 * k), v3_load(g + 3 + 3 * l));
        }
    }
    return sum;
}

// Rows that others imply whatever the bodies do (two hinges of a door) leave the matrix without an
// inverse. With this much of a row's own answer on its diagonal it has one, and of all multipliers those
// that change least are found. Only updates feel it, so that what Newton converges to is as it was.
//                                                                                     [notes 6]
static const double enough = 1e-10;

static void add_own(const affine_system* a, const joint_spots* to, int row, int joint,
                    const flex_gradient* g)
{
    const joint_data* j = &a->s->model->joints[joint];
    add_diagonal(to, row, enough * (answer_of(a, j->follower, g->F) + answer_of(a, j->base, g->B)));
}

static void add_outer(spot to, const double g[FLEX_WIDTH], const double h[FLEX_WIDTH], double scale)
{
    for (int k = 0; k < FLEX_WIDTH; k++) add_column(to, k, scale * h[k], g);
}

static void add_rank_one(const joint_spots* to, const flex_gradient* push,
                         const flex_gradient* move, double scale)
{
    add_outer(to->FF, push->F, move->F, scale);
    add_outer(to->FB, push->F, move->B, scale);
    add_outer(to->BF, push->B, move->F, scale);
    add_outer(to->BB, push->B, move->B, scale);
}

// Q times the derivative of a coordinate's push: of its atoms, and of their weights.
static void add_bending(const affine_system* a, const affine_stage* stage, int joint, tml_axis axis,
                        const joint_spots* to, const coordinate_step* q, double Q)
{
    const flex_atoms middle = tml__flex_coordinate(a, joint, axis, &q->middle);
    const flex_atoms last = tml__flex_coordinate(a, joint, axis, &q->last);
    add_curvature(to, &middle, -stage->beta * stage->phi * Q);
    if ((int)axis < 3) return;
    for (int m = 0; m < middle.count; m++) {
        const flex_atoms one = {.count = 1, .atom = {middle.atom[m]}, .weight = {1.0}};
        const flex_gradient push = tml__flex_gradient(&one);
        flex_atoms sum = last;
        for (int n = 0; n < last.count; n++) sum.weight[n] = q->middle.cross[m][n];
        const flex_gradient move = tml__flex_gradient(&sum);
        add_rank_one(to, &push, &move, -stage->beta * Q);
    }
}

// ---- rows

static void joint_rows_blocks(affine_system* a, const affine_stage* stage, int j)
{
    const maximal_system* s = a->s;
    const joint_spots* to = &a->joints[j];
    for (int r = 0; r < s->rows[j].count; r++) {
        const joint_row* row = &s->rows[j].row[r];
        const int at = s->first_row[j] + r;
        if (row->kind == ROW_ANGLE) {
            coordinate_step q;
            tml__affine_coordinate(a, stage, j, row->axis, &q);
            add_bending(a, stage, j, row->axis, to, &q, a->lambda[at]);
        } else {
            const flex_atoms atoms = tml__flex_row(a, stage, j, r);
            add_curvature(to, &atoms, -stage->beta * stage->phi * a->lambda[at]);
        }
        if (a->is_dropped[at]) {
            add_diagonal(to, r, 1.0);
            continue;
        }
        const double compliance = s->compliance[at];
        add_gradients(to, r, &a->flex->push[at], 1.0, &a->flex->move[at],
                      compliance > 0.0 ? stage->phi : 1.0);
        if (compliance > 0.0)
            add_diagonal(to, r, compliance / stage->beta);
        else
            add_own(a, to, r, j, &a->flex->move[at]);
    }
}

static void coupling_blocks(affine_system* a, const affine_stage* stage, int i)
{
    const maximal_system* s = a->s;
    const int row = s->first_coupling + i;
    const double compliance = s->compliance[row];
    const double share = compliance > 0.0 ? stage->phi : 1.0;

    for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
        const tml_coupling_term* term = &s->model->all.couplings[i].terms[t - s->first_term[i]];
        const joint_spots* to = &a->terms[t];
        const flex_gradient* push = &a->flex->push_term[t];
        const flex_gradient* move = &a->flex->move_term[t];
        coordinate_step q;
        if (!a->is_dropped[row]) {
            add_gradients(to, 0, push, a->term_slope[t], move, share * s->term_slope[t]);
        }
        tml__affine_coordinate(a, stage, term->joint.index, term->axis, &q);
        add_bending(a, stage, term->joint.index, term->axis, to, &q,
                    a->lambda[row] * a->term_slope[t]);
        add_rank_one(to, push, move, -stage->beta * a->lambda[row] * a->term_bend[t]);
    }
    const joint_spots* first = &a->terms[s->first_term[i]];
    if (s->first_term[i + 1] == s->first_term[i]) return;
    if (a->is_dropped[row]) add_diagonal(first, 0, 1.0);
    if (compliance > 0.0) add_diagonal(first, 0, compliance / stage->beta);
}

static void limit_blocks(affine_system* a, const affine_stage* stage, int i)
{
    const maximal_system* s = a->s;
    const limit_row* limit = &s->limits[i];
    const joint_spots* to = &a->limits[i];
    coordinate_step q;

    if (s->sides[i] == LIMIT_OFF || a->is_dropped[limit->row]) {
        add_diagonal(to, 0, 1.0);
        return;
    }
    add_gradients(to, 0, &a->flex->push[limit->row], 1.0, &a->flex->move[limit->row], 1.0);
    add_own(a, to, 0, limit->joint, &a->flex->move[limit->row]);
    tml__affine_coordinate(a, stage, limit->joint, limit->of, &q);
    add_bending(a, stage, limit->joint, limit->of, to, &q, a->lambda[limit->row]);
}

// ---- forces

static spot body_spot(const affine_system* a, int body)
{
    const int node = a->s->model->bodies[body].node;
    return node >= 0 ? a->bodies[node] : (spot){NULL, 0};
}

// The column of A's entry (i, k) of a block, rows of A.
static void add_entry(spot to, int i, int k, double scale, mat3 P)
{
    if (to.at == NULL) return;
    double* at = to.at + (ptrdiff_t)(3 + 3 * k + i) * to.stride + 3;
    for (int c = 0; c < 9; c++) at[c] += scale * P.m[c % 3][c / 3];
}

// -beta times the derivative of a torque's force by A itself: P = [t] A^-T / 2.
static void torque_block(affine_system* a, const affine_stage* stage, int body, vec3 torque)
{
    const spot to = body_spot(a, body);
    if (to.at == NULL) return;
    const mat3 X = m3_transpose(m3_inverse(a->force_bodies[body].R));
    const mat3 P = flex_torque(torque, X);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            mat3 turned = m3_zero();  // dA^T
            turned.m[k][i] = 1.0;
            add_entry(to, i, k, stage->beta * stage->phi, m3_mul(P, m3_mul(turned, X)));
        }
    }
}

// A torque value (A_base axis) on the follower and against it on the base.
static void base_torque_blocks(affine_system* a, const affine_stage* stage, joint_axis_id id)
{
    const joint_data* j = &a->s->model->joints[id.joint];
    const joint_spots* to = &a->joints[id.joint];
    const double value = a->force_targets.axis[id.joint * TML_AXES + (int)id.axis].value;
    const vec3 axis = m3_column(j->axes_B, (int)id.axis - 3);
    const vec3 torque = v3_scale(value, a->force_frames[id.joint].B.axis[(int)id.axis - 3]);
    const mat3 X_F = m3_transpose(m3_inverse(a->force_bodies[j->follower].R));
    const mat3 X_B = m3_transpose(m3_inverse(a->force_bodies[j->base].R));
    const double w[3] = {axis.x, axis.y, axis.z};
    torque_block(a, stage, j->follower, torque);
    torque_block(a, stage, j->base, v3_neg(torque));
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            const vec3 change = v3_scale(stage->phi * value * w[k], v3_unit(i));
            add_entry(to->FB, i, k, -stage->beta, flex_torque(change, X_F));
            add_entry(to->BB, i, k, stage->beta, flex_torque(change, X_B));
        }
    }
}

static void axis_blocks(affine_system* a, const affine_stage* stage, int forced)
{
    const joint_axis_id id = a->s->forced[forced];
    const joint_data* j = &a->s->model->joints[id.joint];
    const joint_spots* to = &a->joints[id.joint];
    coordinate_step q;

    if (tml__axis_is_base_torque(j, (int)id.axis)) {
        base_torque_blocks(a, stage, id);
        if (!tml__axis_is_sprung(&j->axis[id.axis])) return;
    }
    tml__affine_coordinate(a, stage, id.joint, id.axis, &q);
    const axis_force f = tml__affine_axis_force(a, stage, forced, &q);
    const flex_atoms middle = tml__flex_coordinate(a, id.joint, id.axis, &q.middle);
    const flex_atoms last = tml__flex_coordinate(a, id.joint, id.axis, &q.last);
    const flex_gradient push = tml__flex_gradient(&middle);
    const flex_gradient move = tml__flex_gradient(&last);
    add_rank_one(to, &push, &move, -stage->beta * f.dQ_ds);
    add_bending(a, stage, id.joint, id.axis, to, &q, f.Q);
}

static void spring_blocks(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        const int n = spring->point_count;
        const spring_mean T = tml__affine_spring_path(a, stage, spring);
        for (int p = 0; p < n * n; p++) {
            const mat3 H = tml__affine_spring_slope(a->path, n, T, p / n, p % n);
            add_product(a->springs[a->spring_first[i] + p], -stage->beta,
                        point4(spring->point[p / n]), point4(spring->point[p % n]), H);
        }
    }
}

// Drag: a force by the move, and a torque by tau(A+ past^T).
static void drag_blocks(affine_system* a, const affine_stage* stage, const tml_drag_def* d)
{
    const spot to = body_spot(a, d->body.index);
    if (to.at == NULL) return;
    const affine_body* b = &a->body[a->s->model->bodies[d->body.index].node];
    const double span = affine_rate_of(stage).span;
    const rigid* at = &a->force_bodies[d->body.index];
    const mat3 X = m3_transpose(m3_inverse(at->R));
    const mat3 past = tml__affine_past(b, stage);
    tml__affine_add3(to, 0, 0, stage->beta * d->linear / span, m3_identity());
    torque_block(a, stage, d->body.index, v3_scale(-d->angular, at->omega));
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            const vec3 change = affine_tau(m3_outer(v3_unit(i), m3_column(past, k)));
            add_entry(to, i, k, 0.5 * stage->beta * d->angular / span, flex_torque(change, X));
        }
    }
}

static void force_blocks(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    for (int i = 0; i < a->s->forced_count; i++) axis_blocks(a, stage, i);
    spring_blocks(a, stage);
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 torque;
        for (int k = 0; k < 3; k++) {
            v3_set(&torque, k, tml__control_eval(&w->torque[k], a->force_time).value);
        }
        torque_block(a, stage, w->body, torque);
    }
    for (int i = 0; i < a->s->push_count; i++) {
        torque_block(a, stage, a->s->pushes[i].body, a->s->pushes[i].torque);
    }
    for (int i = 0; i < m->all.drag_count; i++) drag_blocks(a, stage, &m->all.drags[i]);
}

// ---- bodies

// scale M, the masses of x and of the columns of A.
static void add_mass(affine_system* a, int node, double scale)
{
    const spot to = a->bodies[node];
    const tml_model* m = a->s->model;
    tml__affine_add3(to, 0, 0, scale * m->bodies[m->node_body[node]].mass, m3_identity());
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            tml__affine_add3(to, 3 + 3 * k, 3 + 3 * l, scale * a->S[node].m[k][l], m3_identity());
        }
    }
}

static void add_slope(spot to, double scale, const double slope[81])
{
    for (int k = 0; k < 9; k++) {
        double* at = to.at + (ptrdiff_t)(3 + k) * to.stride + 3;
        for (int i = 0; i < 9; i++) at[i] += scale * slope[9 * k + i];
    }
}

void tml__flex_fill(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;
    const double span = affine_rate_of(stage).span;

    tml__block_clear(a->matrix);
    for (int n = 0; n < s->node_count; n++) {
        double slope[81] = {0.0};
        tml__flex_stress(a, stage, n, slope);
        add_mass(a, n, 1.0 + stage->beta * m->all.rayleigh_mass / span);
        add_slope(a->bodies[n], stage->beta, slope);
    }
    force_blocks(a, stage);
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!tml__maximal_is_idle(s, j)) joint_rows_blocks(a, stage, j);
    }
    for (int i = 0; i < m->all.coupling_count; i++) coupling_blocks(a, stage, i);
    for (int i = 0; i < s->limit_count; i++) limit_blocks(a, stage, i);
}

void tml__flex_fill_mass(affine_system* a, double drag)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    tml__block_clear(a->matrix);
    for (int n = 0; n < s->node_count; n++) {
        double slope[81] = {0.0};
        add_mass(a, n, 1.0);
        if (drag > 0.0) tml__flex_drag(a, n, m3_zero(), slope);
        if (drag > 0.0) add_slope(a->bodies[n], drag, slope);
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        if (tml__maximal_is_idle(s, j)) continue;
        for (int r = 0; r < s->rows[j].count; r++) {
            const int row = s->first_row[j] + r;
            const flex_gradient* g = &a->flex->move[row];
            if (a->is_dropped[row] || s->compliance[row] > 0.0) {
                add_diagonal(&a->joints[j], r, 1.0);
            } else {
                add_gradients(&a->joints[j], r, g, 1.0, g, 1.0);
                add_own(a, &a->joints[j], r, j, g);
            }
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const int row = s->first_coupling + i;
        const bool is_off = a->is_dropped[row] || s->compliance[row] > 0.0;
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const flex_gradient* g = &a->flex->move_term[t];
            const double slope = s->term_slope[t];
            if (!is_off)
                add_gradients(&a->terms[t], 0, g, slope, g, slope);
            else if (t == s->first_term[i])
                add_diagonal(&a->terms[t], 0, 1.0);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const int row = s->limits[i].row;
        const flex_gradient* g = &a->flex->move[row];
        if (s->sides[i] == LIMIT_OFF || a->is_dropped[row])
            add_diagonal(&a->limits[i], 0, 1.0);
        else
            add_gradients(&a->limits[i], 0, g, 1.0, g, 1.0);
    }
}

void tml__flex_solve(affine_system* a)
{
    maximal_system* s = a->s;
    double* dx = a->flex->dx;
    for (int n = 0; n < s->node_count; n++) {
        memcpy(&a->unknowns[a->body_first[n]], &dx[FLEX_WIDTH * n], FLEX_WIDTH * sizeof *dx);
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->row_first[row] >= 0) a->unknowns[a->row_first[row]] = s->dl[row];
    }
    tml__block_solve(a->matrix, 1, a->unknowns);
    for (int n = 0; n < s->node_count; n++) {
        memcpy(&dx[FLEX_WIDTH * n], &a->unknowns[a->body_first[n]], FLEX_WIDTH * sizeof *dx);
    }
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = a->row_first[row] >= 0 ? a->unknowns[a->row_first[row]] : 0.0;
    }
}

// ---- velocities

// The rate at which velocities of the end open a row along a gradient.
static double rate_along(const affine_system* a, int joint, const flex_gradient* g)
{
    const tml_model* m = a->s->model;
    const int node[2] = {m->bodies[m->joints[joint].follower].node,
                         m->bodies[m->joints[joint].base].node};
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (node[side] < 0) continue;
        const double* w = side == 0 ? g->F : g->B;
        const mat3* U = &a->flex->body[node[side]].U_end;
        sum += v3_dot(v3_load(w), a->body[node[side]].v_end);
        for (int c = 0; c < 9; c++) sum += w[3 + c] * U->m[c % 3][c / 3];
    }
    return sum;
}

static void row_rates(const affine_system* a, double* out)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            out[row] = rate_along(a, j, &a->flex->move[row]);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        double* sum = &out[s->first_coupling + i];
        *sum = 0.0;
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const int joint = m->all.couplings[i].terms[t - s->first_term[i]].joint.index;
            *sum += s->term_slope[t] * rate_along(a, joint, &a->flex->move_term[t]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const int row = s->limits[i].row;
        const bool is_off = s->sides[i] == LIMIT_OFF;
        out[row] = is_off ? 0.0 : rate_along(a, s->limits[i].joint, &a->flex->move[row]);
    }
}

// The least of |u* - u|^2_M + drag |strain rate of u*|^2_Cr over all u* that the rows allow: no part of
// it can raise the energy, and turns and moves of the whole feel none of it.
tml_status tml__flex_project(affine_system* a, double drag)
{
    maximal_system* s = a->s;
    double* dx = a->flex->dx;
    tml_status status;
    do {
        tml__flex_fill_mass(a, drag);
        status = tml__affine_factor_filled(a);
    } while (status == TML_NOT_CONVERGED);
    if (status != TML_OK) return status;

    double* rate = s->dl;
    double* opening = s->lambda_start;
    tml__maximal_row_motions(s, rate, opening);
    row_rates(a, opening);
    for (int row = 0; row < s->row_count; row++) {
        const bool is_off = a->is_dropped[row] || s->compliance[row] > 0.0;
        rate[row] = is_off ? 0.0 : -(rate[row] + opening[row]);
    }
    memset(dx, 0, (size_t)s->node_count * FLEX_WIDTH * sizeof *dx);
    for (int n = 0; drag > 0.0 && n < s->node_count; n++) {
        const mat3 P = tml__flex_drag(a, n, a->flex->body[n].U_end, NULL);
        for (int c = 0; c < 9; c++) dx[FLEX_WIDTH * n + 3 + c] = -drag * P.m[c % 3][c / 3];
    }
    tml__flex_solve(a);
    for (int n = 0; n < s->node_count; n++) {
        affine_body* b = &a->body[n];
        mat3* U = &a->flex->body[n].U_end;
        b->v_end = v3_add(b->v_end, v3_load(&dx[FLEX_WIDTH * n]));
        for (int c = 0; c < 9; c++) U->m[c % 3][c / 3] += dx[FLEX_WIDTH * n + 3 + c];
        b->omega_end = tml__flex_spin(a, n, b->R_end, *U);
    }
    return TML_OK;
}
