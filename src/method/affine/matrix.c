// method/affine/matrix.c - the exact Newton matrix of a step.                        [notes 9.3]
//
//   [ beta K   -G^T ] [motion     ]     K: inertia, forces and the bending of rows
//   [ C'        E   ] [beta dlambda]    G: gradients where forces act, C': gradients at the end
//
// Values of the forces belong to where forces act, variations to the end of the step, phi times as
// large. With f the force of a joint's gaps there, f+ the same multipliers on the axes of the end,
// r+ the follower's arm at the end and m the base's arm to the follower's point where forces act,
//     d f_F = -phi [f+] w_B
//     d t_F =  phi [f][r+] w_F - phi [r][f+] w_B
//     d t_B =  phi [f](dx_F - dx_B) - phi [f][r+] w_F + phi [m][f+] w_B
// and a dot's torque lambda (f x b) turns by phi lambda ([b][f+] w_F - [f][b+] w_B).
#include "method/affine/flex.h"
#include "method/affine/partials.h"

#include <string.h>

void tml__affine_add3(spot to, int row, int column, double scale, mat3 m)
{
    if (to.at == NULL) return;
    for (int k = 0; k < 3; k++) {
        double* line = to.at + (ptrdiff_t)(column + k) * to.stride + row;
        for (int i = 0; i < 3; i++) line[i] += scale * m.m[i][k];
    }
}

// ---- bending

typedef struct mixed_bend {
    vec3 force, force_end;
    mat3 D_F, D_B;  // of the follower's torque, not counting phi
} mixed_bend;

static void bend_dot(vec3 f, vec3 b, vec3 f_end, vec3 b_end, double lambda, mixed_bend* bend)
{
    bend->D_F = m3_add(bend->D_F, m3_scale(lambda, m3_skew_skew(b, f_end)));
    bend->D_B = m3_sub(bend->D_B, m3_scale(lambda, m3_skew_skew(f, b_end)));
}

static void bend_coordinate(const coordinate_step* q, double phi, double Q, mixed_bend* bend)
{
    const coordinate_value* at = &q->middle;
    const coordinate_value* end = &q->last;

    if (v3_dot(at->atom[0].point_F, at->atom[0].point_F) > 0.0) {  // a translation: a gap
        bend->force = v3_axpy(bend->force, Q, at->atom[0].b);
        bend->force_end = v3_axpy(bend->force_end, Q, end->atom[0].b);
        return;
    }
    for (int m = 0; m < at->count; m++) {
        bend_dot(at->atom[m].f, at->atom[m].b, end->atom[m].f, end->atom[m].b, Q * at->weight[m],
                 bend);
        const vec3 torque = v3_cross(at->atom[m].f, at->atom[m].b);
        for (int n = 0; n < at->count && phi > 0.0; n++) {
            // the weights follow the atoms at the end as they are, not phi times
            const vec3 change = v3_cross(end->atom[n].f, end->atom[n].b);
            const mat3 outer = m3_scale(Q * at->cross[m][n] / phi, m3_outer(torque, change));
            bend->D_F = m3_add(bend->D_F, outer);
            bend->D_B = m3_sub(bend->D_B, outer);
        }
    }
}

static void add_bend(const affine_system* a, int joint, const joint_spots* to,
                     const mixed_bend* bend, double scale)
{
    const joint_frame* at = &a->force_frames[joint];
    const joint_frame* end = &a->s->frames[joint];
    const vec3 f = bend->force;
    const mat3 skew = m3_skew(f);
    const mat3 skew_end = m3_skew(bend->force_end);
    const mat3 t_F = m3_add(m3_skew_skew(f, end->r_F), bend->D_F);
    const mat3 t_FB = m3_sub(bend->D_B, m3_skew_skew(at->r_F, bend->force_end));
    const mat3 t_BB = m3_sub(m3_skew_skew(at->arm_B, bend->force_end), bend->D_B);

    tml__affine_add3(to->FF, 3, 3, scale, t_F);
    tml__affine_add3(to->FB, 0, 3, -scale, skew_end);
    tml__affine_add3(to->FB, 3, 3, scale, t_FB);
    tml__affine_add3(to->BF, 3, 0, scale, skew);
    tml__affine_add3(to->BF, 3, 3, -scale, t_F);
    tml__affine_add3(to->BB, 0, 3, scale, skew_end);
    tml__affine_add3(to->BB, 3, 0, -scale, skew);
    tml__affine_add3(to->BB, 3, 3, scale, t_BB);
}

// ---- gradients as columns and rows

static void store6(double out[6], vec3 n, vec3 t)
{
    v3_store(out, n);
    v3_store(out + 3, t);
}

static void add_column(spot to, int column, double scale, const double g[6])
{
    if (to.at == NULL) return;
    for (int i = 0; i < 6; i++) to.at[(ptrdiff_t)column * to.stride + i] += scale * g[i];
}

static void add_row(spot to, int row, double scale, const double g[6])
{
    if (to.at == NULL) return;
    for (int i = 0; i < 6; i++) to.at[(ptrdiff_t)i * to.stride + row] += scale * g[i];
}

// Row number `row` of its spots: where it pushes, and how the end moves it.
static void add_gradients(const joint_spots* to, int row, const rigid_gradient* push,
                          double push_scale, const rigid_gradient* move, double move_scale)
{
    double F[6];
    double B[6];
    store6(F, push->n, push->t_F);
    store6(B, v3_neg(push->n), push->t_B);
    add_column(to->Fr, row, -push_scale, F);
    add_column(to->Br, row, -push_scale, B);
    store6(F, move->n, move->t_F);
    store6(B, v3_neg(move->n), move->t_B);
    add_row(to->rF, row, move_scale, F);
    add_row(to->rB, row, move_scale, B);
}

static void add_diagonal(const joint_spots* to, int row, double value)
{
    to->rr.at[(ptrdiff_t)row * to->rr.stride + row] += value;
}

static void add_outer(spot to, const double g[6], const double h[6], double scale)
{
    if (to.at == NULL) return;
    for (int k = 0; k < 6; k++) add_column(to, k, scale * h[k], g);
}

// scale * push (x) move over the bodies of a joint.
static void add_rank_one(const joint_spots* to, const rigid_gradient* push,
                         const rigid_gradient* move, double scale)
{
    double p_F[6], p_B[6], m_F[6], m_B[6];
    store6(p_F, push->n, push->t_F);
    store6(p_B, v3_neg(push->n), push->t_B);
    store6(m_F, move->n, move->t_F);
    store6(m_B, v3_neg(move->n), move->t_B);
    add_outer(to->FF, p_F, m_F, scale);
    add_outer(to->FB, p_F, m_B, scale);
    add_outer(to->BF, p_B, m_F, scale);
    add_outer(to->BB, p_B, m_B, scale);
}

// ---- rows

// Switched off: its multiplier stays.
static void rest_row(const joint_spots* to, int row) { add_diagonal(to, row, 1.0); }

// The axes of the end of the step, turned by the targets of where forces act: what the turned axes
// there follow, phi times.
typedef struct turned_axes {
    marker F, B;
} turned_axes;

static turned_axes turn_end(const affine_system* a, int j)
{
    const joint_turn* turn = &a->force_turns[j];
    const joint_frame* end = &a->s->frames[j];
    return (turned_axes){
        .F = turn->has_follower ? marker_turn(&end->F, &turn->follower) : end->F,
        .B = turn->has_base ? marker_turn(&end->B, &turn->base) : end->B,
    };
}

static void joint_rows_blocks(affine_system* a, const affine_stage* stage, int j)
{
    const maximal_system* s = a->s;
    const joint_spots* to = &a->joints[j];
    const turned_axes turned = turn_end(a, j);
    mixed_bend bend = {.force = v3_zero()};

    for (int r = 0; r < s->rows[j].count; r++) {
        const joint_row* row = &s->rows[j].row[r];
        const int at = s->first_row[j] + r;
        const double lambda = a->lambda[at];
        const joint_frame* force = &a->force_frames[j];
        const joint_frame* end = &s->frames[j];

        if (row->kind == ROW_GAP) {
            bend.force = v3_axpy(bend.force, lambda, force->B.axis[row->a.b]);
            bend.force_end = v3_axpy(bend.force_end, lambda, end->B.axis[row->a.b]);
        } else if (row->kind == ROW_DOT) {
            bend_dot(force->F_turned.axis[row->a.f], force->B_turned.axis[row->a.b],
                     turned.F.axis[row->a.f], turned.B.axis[row->a.b], row->a.sign * lambda, &bend);
        } else {
            coordinate_step q;
            tml__affine_coordinate(a, stage, j, row->axis, &q);
            bend_coordinate(&q, stage->phi, lambda, &bend);
        }
        if (a->is_dropped[at]) {
            rest_row(to, r);
            continue;
        }
        const double compliance = s->compliance[at];
        add_gradients(to, r, &a->force_gradient[at], 1.0, &s->gradient[at],
                      compliance > 0.0 ? stage->phi : 1.0);
        if (compliance > 0.0) add_diagonal(to, r, compliance / stage->beta);
    }
    add_bend(a, j, to, &bend, -stage->beta * stage->phi);
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
        const rigid_gradient* g = &s->term_gradient[t];
        coordinate_step q;
        mixed_bend bend = {.force = v3_zero()};
        if (!a->is_dropped[row]) {
            add_gradients(to, 0, &a->force_terms[t], a->term_slope[t], g, share * s->term_slope[t]);
        }
        tml__affine_coordinate(a, stage, term->joint.index, term->axis, &q);
        bend_coordinate(&q, stage->phi, a->lambda[row] * a->term_slope[t], &bend);
        add_bend(a, term->joint.index, to, &bend, -stage->beta * stage->phi);
        add_rank_one(to, &a->force_terms[t], g, -stage->beta * a->lambda[row] * a->term_bend[t]);
    }
    const joint_spots* first = &a->terms[s->first_term[i]];
    if (s->first_term[i + 1] == s->first_term[i]) return;
    if (a->is_dropped[row]) rest_row(first, 0);
    if (compliance > 0.0) add_diagonal(first, 0, compliance / stage->beta);
}

static void limit_blocks(affine_system* a, const affine_stage* stage, int i)
{
    const maximal_system* s = a->s;
    const limit_row* limit = &s->limits[i];
    const joint_spots* to = &a->limits[i];
    coordinate_step q;
    mixed_bend bend = {.force = v3_zero()};

    if (s->sides[i] == LIMIT_OFF || a->is_dropped[limit->row]) {
        rest_row(to, 0);
        return;
    }
    add_gradients(to, 0, &a->force_gradient[limit->row], 1.0, &s->gradient[limit->row], 1.0);
    tml__affine_coordinate(a, stage, limit->joint, limit->of, &q);
    bend_coordinate(&q, stage->phi, a->lambda[limit->row], &bend);
    add_bend(a, limit->joint, to, &bend, -stage->beta * stage->phi);
}

// ---- applied forces

static void axis_blocks(affine_system* a, const affine_stage* stage, int forced)
{
    const joint_axis_id id = a->s->forced[forced];
    const joint_data* j = &a->s->model->joints[id.joint];
    const joint_spots* to = &a->joints[id.joint];
    mixed_bend bend = {.force = v3_zero()};
    coordinate_step q;

    if (tml__axis_is_base_torque(j, (int)id.axis)) {
        // a torque t along a base axis: dt = -phi [t+] w_B
        const double value = a->force_targets.axis[id.joint * TML_AXES + (int)id.axis].value;
        const vec3 t = v3_scale(value, a->s->frames[id.joint].B.axis[(int)id.axis - 3]);
        bend.D_B = m3_scale(-1.0, m3_skew(t));
        add_bend(a, id.joint, to, &bend, -stage->beta * stage->phi);
        if (!tml__axis_is_sprung(&j->axis[id.axis])) return;
        bend = (mixed_bend){.force = v3_zero()};
    }
    tml__affine_coordinate(a, stage, id.joint, id.axis, &q);
    const axis_force f = tml__affine_axis_force(a, stage, forced, &q);
    const rigid_gradient push = tml__affine_pull(&a->force_frames[id.joint], &q.middle);
    const rigid_gradient move = tml__affine_pull(&a->s->frames[id.joint], &q.last);
    add_rank_one(to, &push, &move, -stage->beta * f.dQ_ds);
    bend_coordinate(&q, stage->phi, f.Q, &bend);
    add_bend(a, id.joint, to, &bend, -stage->beta * stage->phi);
}

static spot body_spot(const affine_system* a, int body)
{
    const int node = a->s->model->bodies[body].node;
    return node >= 0 ? a->bodies[node] : (spot){NULL, 0};
}

static void mass_damping_blocks(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;
    const double rate = m->all.rayleigh_mass;
    const double span = affine_rate_of(stage).span;

    for (int n = 0; rate > 0.0 && n < a->s->node_count; n++) {
        const int i = m->node_body[n];
        const spot to = body_spot(a, i);
        const affine_body* b = &a->body[n];
        const mat3 end = tml__affine_inertia(a, n, 1.0);
        const mat3 mean = tml__affine_inertia(a, n, stage->phi);
        const vec3 omega = a->force_bodies[i].omega;
        const mat3 past = tml__affine_past(b, stage);
        const mat3 rate_turn = m3_scale(0.5 / span, affine_lever(m3_mul_bt(b->R_end, past)));
        const mat3 turn = m3_sub(m3_mul(end, m3_skew(omega)), m3_skew(m3_apply(end, omega)));
        tml__affine_add3(to, 0, 0, stage->beta * rate * m->bodies[i].mass / span, m3_identity());
        tml__affine_add3(to, 3, 3, stage->beta * rate,
                         m3_add(m3_mul(mean, rate_turn), m3_scale(stage->phi, turn)));
    }
}

static void force_blocks(affine_system* a, const affine_stage* stage)
{
    const tml_model* m = a->s->model;

    for (int i = 0; i < a->s->forced_count; i++) axis_blocks(a, stage, i);
    tml__affine_spring_blocks(a, stage);
    mass_damping_blocks(a, stage);
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 f;
        for (int k = 0; k < 3; k++)
            v3_set(&f, k, tml__control_eval(&w->force[k], a->force_time).value);
        const vec3 r_end = m3_apply(a->s->bodies[w->body].R, w->point);
        tml__affine_add3(body_spot(a, w->body), 3, 3, -stage->beta * stage->phi,
                         m3_skew_skew(f, r_end));
    }
    for (int i = 0; i < a->s->push_count; i++) {
        const hand_push* p = &a->s->pushes[i];
        const vec3 r_end = m3_apply(a->s->bodies[p->body].R, p->point);
        tml__affine_add3(body_spot(a, p->body), 3, 3, -stage->beta * stage->phi,
                         m3_skew_skew(p->force, r_end));
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const spot to = body_spot(a, d->body.index);
        if (to.at == NULL) continue;
        const affine_body* b = &a->body[m->bodies[d->body.index].node];
        const mat3 turn = m3_mul_bt(b->R_end, tml__affine_past(b, stage));
        const double span = affine_rate_of(stage).span;
        tml__affine_add3(to, 0, 0, stage->beta * d->linear / span, m3_identity());
        tml__affine_add3(to, 3, 3, 0.5 * stage->beta * d->angular / span, affine_lever(turn));
    }
}

// ---- the whole

// A node of loop rows without a regular block: some of its rows say what others say. Those that did
// so before are left out, or the last one; should that have been the wrong one, Newton finds it open
// and takes it back.
static bool drop_one(affine_system* a, int node)
{
    const maximal_system* s = a->s;
    int last = -1;
    bool has_dropped = false;
    if (node < s->node_count) return false;
    for (int row = 0; row < s->row_count; row++) {
        const int at = a->row_first[row];
        if (at < a->node_first[node] || at >= a->node_first[node + 1]) continue;
        if (a->is_dropped[row]) continue;
        last = row;
        if (!a->was_dropped[row]) continue;
        a->is_dropped[row] = true;
        has_dropped = true;
    }
    if (has_dropped || last < 0) return has_dropped;
    a->is_dropped[last] = true;
    a->was_dropped[last] = true;
    return true;
}

tml_status tml__affine_factor_filled(affine_system* a)
{
    int bad = -1;
    tml_status status = tml__block_factor(a->matrix, &bad);
    // pivots of a hinge near the root grow to the inertia of all that it carries across its axis, with
    // the cube of a chain's length: no digits are lost by that, and Newton checks what it is given
    if (bad < 0) status = TML_OK;
    a->s->bad_row = bad >= 0 ? a->node_row[bad] : -1;
    if (status == TML_SINGULAR && bad >= 0 && drop_one(a, bad)) return TML_NOT_CONVERGED;
    return status;
}

void tml__affine_fill_bodies(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const affine_torque inertia = tml__affine_torque(&a->body[n], &a->S[n], stage);
        tml__affine_add3(a->bodies[n], 0, 0, m->bodies[m->node_body[n]].mass, m3_identity());
        tml__affine_add3(a->bodies[n], 3, 3, stage->beta, inertia.K);
    }
    force_blocks(a, stage);
    tml__affine_soft_blocks(a, stage->beta);
}

void tml__affine_fill(affine_system* a, const affine_stage* stage)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    tml__block_clear(a->matrix);
    tml__affine_fill_bodies(a, stage);
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!tml__maximal_is_idle(s, j)) joint_rows_blocks(a, stage, j);
    }
    for (int i = 0; i < m->all.coupling_count; i++) coupling_blocks(a, stage, i);
    for (int i = 0; i < s->limit_count; i++) limit_blocks(a, stage, i);
    tml__affine_tie_blocks(a, stage);
}

tml_status tml__affine_factor(affine_system* a, const affine_stage* stage)
{
    tml_status status;
    do {
        if (a->flex != NULL)
            tml__flex_fill(a, stage);
        else
            tml__affine_fill(a, stage);
        status = a->guest.self != NULL ? a->guest.fill(a->guest.self) : TML_OK;
        if (status == TML_OK) status = tml__affine_factor_filled(a);
    } while (status == TML_NOT_CONVERGED);
    return status;
}

static void fill_mass(affine_system* a)
{
    const maximal_system* s = a->s;
    const tml_model* m = s->model;

    tml__block_clear(a->matrix);
    tml__affine_tie_mass(a);
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3 R = s->bodies[m->node_body[n]].R;
        tml__affine_add3(a->bodies[n], 0, 0, body->mass, m3_identity());
        tml__affine_add3(a->bodies[n], 3, 3, 1.0, m3_mul_bt(m3_mul(R, body->inertia), R));
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        if (tml__maximal_is_idle(s, j)) continue;
        for (int r = 0; r < s->rows[j].count; r++) {
            const int row = s->first_row[j] + r;
            if (a->is_dropped[row] || s->compliance[row] > 0.0)
                rest_row(&a->joints[j], r);
            else
                add_gradients(&a->joints[j], r, &s->gradient[row], 1.0, &s->gradient[row], 1.0);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const int row = s->first_coupling + i;
        const bool is_off = a->is_dropped[row] || s->compliance[row] > 0.0;
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const rigid_gradient* g = &s->term_gradient[t];
            if (is_off) {
                if (t == s->first_term[i]) rest_row(&a->terms[t], 0);
                continue;
            }
            add_gradients(&a->terms[t], 0, g, s->term_slope[t], g, s->term_slope[t]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const int row = s->limits[i].row;
        if (s->sides[i] == LIMIT_OFF || a->is_dropped[row])
            rest_row(&a->limits[i], 0);
        else
            add_gradients(&a->limits[i], 0, &s->gradient[row], 1.0, &s->gradient[row], 1.0);
    }
}

tml_status tml__affine_factor_mass(affine_system* a)
{
    tml_status status;
    do {
        fill_mass(a);
        status = tml__affine_factor_filled(a);
    } while (status == TML_NOT_CONVERGED);
    return status;
}

typedef void (*block_solver)(block* b, int count, double* x);

static void solve_by(affine_system* a, block_solver solve)
{
    maximal_system* s = a->s;

    for (int n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 6; k++) a->unknowns[a->body_first[n] + k] = s->dx[6 * n + k];
    }
    for (int row = 0; row < s->row_count; row++) {
        if (a->row_first[row] >= 0) a->unknowns[a->row_first[row]] = s->dl[row];
    }
    solve(a->matrix, 1, a->unknowns);
    for (int n = 0; n < s->node_count; n++) {
        for (int k = 0; k < 6; k++) s->dx[6 * n + k] = a->unknowns[a->body_first[n] + k];
    }
    for (int row = 0; row < s->row_count; row++) {
        s->dl[row] = a->row_first[row] >= 0 ? a->unknowns[a->row_first[row]] : 0.0;
    }
}

void tml__affine_solve(affine_system* a) { solve_by(a, tml__block_solve); }

void tml__affine_solve_transposed(affine_system* a) { solve_by(a, tml__block_solve_transposed); }

void tml__affine_respond(affine_system* a, int count, double* room, double* bodies)
{
    const int nodes = a->s->node_count;
    const size_t unknowns = (size_t)a->node_first[a->matrix_nodes];
    const size_t width = 6 * (size_t)nodes;

    memset(room, 0, (size_t)count * unknowns * sizeof *room);
    for (int i = 0; i < count * nodes; i++) {
        double* to = &room[(size_t)(i / nodes) * unknowns + (size_t)a->body_first[i % nodes]];
        memcpy(to, &bodies[(size_t)(i / nodes) * width + 6 * (size_t)(i % nodes)], 6 * sizeof *to);
    }
    tml__block_solve(a->matrix, count, room);
    for (int i = 0; i < count * nodes; i++) {
        const double* from =
            &room[(size_t)(i / nodes) * unknowns + (size_t)a->body_first[i % nodes]];
        memcpy(&bodies[(size_t)(i / nodes) * width + 6 * (size_t)(i % nodes)], from,
               6 * sizeof *from);
    }
}
