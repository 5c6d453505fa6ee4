// method/matrix.c - the blocks of the Newton matrix.
//
// All contributions are c_q times the derivative of the residual, which makes the conditioning
// independent of the step.                                                      [QRBD (30) Sec 6.1]
#include "force/axis.h"
#include "method/maximal.h"

#include <string.h>

static void add3(double* block, int row, int column, double scale, mat3 a)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) block[(row + i) * 6 + column + k] += scale * a.m[i][k];
    }
}

static void store_gradient(double* out, vec3 force, vec3 torque, double scale)
{
    v3_store(out, v3_scale(scale, force));
    v3_store(out + 3, v3_scale(scale, torque));
}

// ---- rows

void tml__maximal_store_row(const maximal_system* s, const joint_data* j, int row, double* out)
{
    const rigid_gradient* g = &s->gradient[row];

    if (s->model->bodies[j->follower].node >= 0) {
        store_gradient(out, g->n, g->t_F, 1.0);
        out += 6;
    }
    if (s->model->bodies[j->base].node >= 0) store_gradient(out, v3_neg(g->n), g->t_B, 1.0);
}

static void fill_row(maximal_system* s, const joint_data* j, int row)
{
    tml__maximal_store_row(s, j, row, &tml__kkt_values(s->matrix)->row[6 * s->joint_entry[row]]);
}

bool tml__maximal_is_idle(const maximal_system* s, int joint)
{
    const joint_data* j = &s->model->joints[joint];
    return s->model->bodies[j->follower].node < 0 && s->model->bodies[j->base].node < 0;
}

bool tml__maximal_is_idle_coupling(const maximal_system* s, int coupling)
{
    for (int t = 2 * s->first_term[coupling]; t < 2 * s->first_term[coupling + 1]; t++) {
        if (s->term_entry[t] >= 0) return false;
    }
    return true;
}

static void clear_row(maximal_system* s, const joint_data* j, int row)
{
    const int entries = (s->model->bodies[j->follower].node >= 0 ? 1 : 0) +
                        (s->model->bodies[j->base].node >= 0 ? 1 : 0);
    memset(&tml__kkt_values(s->matrix)->row[6 * s->joint_entry[row]], 0,
           (size_t)entries * 6 * sizeof(double));
    tml__kkt_values(s->matrix)->compliance[row] = 1.0;
}

static void add_entry(double* out, vec3 force, vec3 torque, double scale)
{
    v3_store(out, v3_axpy(v3_load(out), scale, force));
    v3_store(out + 3, v3_axpy(v3_load(out + 3), scale, torque));
}

// A coupling's row: terms may share bodies, so entries add up.
static void fill_coupling(maximal_system* s, int i, bool is_on)
{
    double* rows = tml__kkt_values(s->matrix)->row;
    for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
        for (int side = 0; side < 2; side++) {
            const int entry = s->term_entry[2 * t + side];
            if (entry >= 0) memset(&rows[6 * entry], 0, 6 * sizeof(double));
        }
    }
    for (int t = s->first_term[i]; t < s->first_term[i + 1] && is_on; t++) {
        const rigid_gradient* g = &s->term_gradient[t];
        const int follower = s->term_entry[2 * t];
        const int base = s->term_entry[2 * t + 1];
        if (follower >= 0) add_entry(&rows[6 * follower], g->n, g->t_F, s->term_slope[t]);
        if (base >= 0) add_entry(&rows[6 * base], v3_neg(g->n), g->t_B, s->term_slope[t]);
    }
}

// Rigid rows of a joint whose bodies both move: what they are made of is all that is read.
static void fill_pair_rows(maximal_system* s, int joint)
{
    kkt_values* values = tml__kkt_values(s->matrix);
    for (int row = s->first_row[joint]; row < s->first_row[joint + 1]; row++) {
        const rigid_gradient* g = &s->gradient[row];
        double* out = &values->row[6 * s->joint_entry[row]];
        store_gradient(out, g->n, g->t_F, 1.0);
        store_gradient(out + 6, v3_neg(g->n), g->t_B, 1.0);
        values->compliance[row] = 0.0;
    }
}

void tml__maximal_fill_rows(maximal_system* s, double scale)
{
    const tml_model* m = s->model;
    kkt_values* values = tml__kkt_values(s->matrix);
    double* E = values->compliance;

    // plain rows are the same whatever the scale: they may be there already
    const bool stands = s->is_plain && s->stood == s->placements;
    if (stands && values->has_rows && s->filled == s->placements) return;
    values->has_rows = stands;
    s->filled = stands ? s->placements : -1;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (s->is_plain && s->joint_pair[j] >= 0) {
            fill_pair_rows(s, j);
            continue;
        }
        for (int r = 0; r < s->rows[j].count; r++) {
            const int row = s->first_row[j] + r;
            const double compliance = m->joints[j].axis[s->rows[j].row[r].axis].compliance;
            if ((compliance > 0.0 && scale < 0.0) || tml__maximal_is_idle(s, j)) {
                clear_row(s, &m->joints[j], row);
                continue;
            }
            fill_row(s, &m->joints[j], row);
            E[row] = compliance > 0.0 ? compliance * scale : 0.0;
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const double compliance = m->all.couplings[i].compliance;
        const bool is_on =
            (compliance == 0.0 || scale >= 0.0) && !tml__maximal_is_idle_coupling(s, i);
        fill_coupling(s, i, is_on);
        E[s->first_coupling + i] = !is_on ? 1.0 : compliance > 0.0 ? compliance * scale : 0.0;
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (s->sides[i] == LIMIT_OFF) {
            clear_row(s, &m->joints[limit->joint], limit->row);
        } else {
            fill_row(s, &m->joints[limit->joint], limit->row);
            E[limit->row] = 0.0;
        }
    }
    tml__maximal_fill_ties(s);  // last: a two-sided stage copies the others
}

// ---- mass

void tml__maximal_fill_mass(maximal_system* s)
{
    const tml_model* m = s->model;
    kkt_values* values = tml__kkt_values(s->matrix);

    if (s->is_plain)
        tml__kkt_clear_pairs(s->matrix);
    else
        tml__kkt_clear(s->matrix);
    for (int n = 0; n < s->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const mat3 R = s->bodies[m->node_body[n]].R;
        double* block = &values->node[36 * n];
        memset(block, 0, 36 * sizeof *block);
        add3(block, 0, 0, body->mass, m3_identity());
        add3(block, 3, 3, 1.0, m3_mul_bt(m3_mul(R, body->inertia), R));
    }
}

// ---- stiffness

// The four blocks of a joint's two bodies; NULL for one that does not move.
typedef struct joint_blocks {
    double *FF, *FB, *BF, *BB;
} joint_blocks;

static joint_blocks blocks_of(maximal_system* s, int joint)
{
    kkt_values* values = tml__kkt_values(s->matrix);
    const joint_data* j = &s->model->joints[joint];
    const int F = s->model->bodies[j->follower].node;
    const int B = s->model->bodies[j->base].node;
    const int pair = s->joint_pair[joint];

    return (joint_blocks){
        .FF = F >= 0 ? &values->node[36 * F] : NULL,
        .BB = B >= 0 ? &values->node[36 * B] : NULL,
        .FB = pair >= 0 ? &values->pair[72 * pair] : NULL,
        .BF = pair >= 0 ? &values->pair[72 * pair + 36] : NULL,
    };
}

static void add_bend(maximal_system* s, int joint, const rigid_bend* bend, double scale)
{
    const joint_blocks b = blocks_of(s, joint);
    tml__bend_blocks(&s->frames[joint], bend, scale, b.FF, b.FB, b.BF, b.BB);
}

static void add_outer(double* block, const double a[6], const double b[6], double scale)
{
    if (block == NULL) return;
    for (int i = 0; i < 6; i++) {
        const double factor = scale * a[i];
        for (int k = 0; k < 6; k++) block[6 * i + k] += factor * b[k];
    }
}

// scale * g (x) h over the bodies of a joint, h given for follower and base.
static void add_rank_one(maximal_system* s, int joint, const rigid_gradient* g, const double h_F[6],
                         const double h_B[6], double scale)
{
    const joint_blocks b = blocks_of(s, joint);
    double g_F[6];
    double g_B[6];
    store_gradient(g_F, g->n, g->t_F, 1.0);
    store_gradient(g_B, v3_neg(g->n), g->t_B, 1.0);
    add_outer(b.FF, g_F, h_F, scale);
    add_outer(b.FB, g_F, h_B, scale);
    add_outer(b.BF, g_B, h_F, scale);
    add_outer(b.BB, g_B, h_B, scale);
}

// d(rate)/d(motion): by the gradient's own turning and by the velocities that follow positions.
static void rate_gradient(const maximal_system* s, int joint, const rigid_gradient* g,
                          const rigid_bend* unit, double h_F[6], double h_B[6])
{
    const joint_data* j = &s->model->joints[joint];
    const rigid* F = &s->bodies[j->follower];
    const rigid* B = &s->bodies[j->base];
    const lift* up_F = &s->lifts[j->follower];
    const lift* up_B = &s->lifts[j->base];
    double FF[36] = {0};
    double FB[36] = {0};
    double BF[36] = {0};
    double BB[36] = {0};
    double V_F[6];
    double V_B[6];

    tml__bend_blocks(&s->frames[joint], unit, 1.0, FF, FB, BF, BB);
    store_gradient(V_F, F->v, F->omega, 1.0);
    store_gradient(V_B, B->v, B->omega, 1.0);
    store_gradient(h_F, v3_scale(up_F->g, g->n), m3_apply_t(up_F->W, g->t_F), 1.0);
    store_gradient(h_B, v3_scale(-up_B->g, g->n), m3_apply_t(up_B->W, g->t_B), 1.0);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            h_F[k] += V_F[i] * FF[6 * i + k] + V_B[i] * BF[6 * i + k];
            h_B[k] += V_F[i] * FB[6 * i + k] + V_B[i] * BB[6 * i + k];
        }
    }
}

static void fill_forced_axis(maximal_system* s, joint_axis_id id, double c_q)
{
    const joint_data* j = &s->model->joints[id.joint];
    const int at = tml__axis_slot(id.joint, (int)id.axis);
    const axis_data* a = tml__joint_axis(j, (int)id.axis);
    const double hint = tml__maximal_hint(s, id.joint, id.axis);
    const drive* control = &s->targets.axis[at];
    const drive none = {0};

    if (s->is_apart != NULL && !a->is_dot && s->is_apart[at]) return;
    if (tml__axis_is_base_torque(j, (int)id.axis)) {
        // torque t along a base axis: dt = -[t] dphi_B
        const vec3 t = v3_scale(control->value, s->frames[id.joint].B.axis[(int)id.axis - 3]);
        const rigid_bend turn = {.D_B = m3_scale(-1.0, m3_skew(t))};
        add_bend(s, id.joint, &turn, -c_q);
        control = &none;
        if (!tml__axis_is_sprung(a)) return;
    }
    const coordinate_rigid q = tml__coordinate_rigid(j, id.axis, hint, &s->frames[id.joint]);
    const double rate = rigid_rate(&q.g, &s->bodies[j->follower], &s->bodies[j->base]);
    const axis_force f = tml__axis_force(a, q.value, rate, control, &s->targets.servo[at]);

    rigid_bend unit = {.force = v3_zero()};
    double h_F[6];
    double h_B[6];
    tml__bend_coordinate(j, id.axis, hint, &s->frames[id.joint], 1.0, &unit);
    rate_gradient(s, id.joint, &q.g, &unit, h_F, h_B);

    // dQ along the motion, then Q times the bending of the gradient
    double g_F[6];
    double g_B[6];
    store_gradient(g_F, q.g.n, q.g.t_F, f.dQ_ds);
    store_gradient(g_B, v3_neg(q.g.n), q.g.t_B, f.dQ_ds);
    for (int i = 0; i < 6; i++) {
        h_F[i] = g_F[i] + f.dQ_drate * h_F[i];
        h_B[i] = g_B[i] + f.dQ_drate * h_B[i];
    }
    add_rank_one(s, id.joint, &q.g, h_F, h_B, -c_q);
    add_bend(s, id.joint, &unit, -c_q * f.Q);
}

// lambda times the bending of one coordinate, and lambda times a curvature along its gradient.
static void fill_coordinate(maximal_system* s, int joint, tml_axis axis, const rigid_gradient* g,
                            double force, double curvature)
{
    const double hint = tml__maximal_hint(s, joint, axis);
    rigid_bend bend = {.force = v3_zero()};
    tml__bend_coordinate(&s->model->joints[joint], axis, hint, &s->frames[joint], force, &bend);
    add_bend(s, joint, &bend, -1.0);
    if (curvature == 0.0) return;

    double g_F[6];
    double g_B[6];
    store_gradient(g_F, g->n, g->t_F, 1.0);
    store_gradient(g_B, v3_neg(g->n), g->t_B, 1.0);
    add_rank_one(s, joint, g, g_F, g_B, -curvature);
}

void tml__maximal_fill_bending(maximal_system* s, const double* lambda, double c_q)
{
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) {
        rigid_bend bend = {.force = v3_zero()};
        for (int r = 0; r < s->rows[j].count; r++) {
            const joint_row* row = &s->rows[j].row[r];
            tml__bend_row(&m->joints[j], row, &s->frames[j],
                          &s->targets.axis[j * TML_AXES + (int)row->axis],
                          lambda[s->first_row[j] + r], &bend);
        }
        add_bend(s, j, &bend, -c_q);
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const double force = c_q * lambda[s->first_coupling + i];
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const tml_coupling_term* term = &m->all.couplings[i].terms[t - s->first_term[i]];
            fill_coordinate(s, term->joint.index, term->axis, &s->term_gradient[t],
                            force * s->term_slope[t], force * s->term_bend[t]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (s->sides[i] == LIMIT_OFF) continue;
        fill_coordinate(s, limit->joint, limit->of, &s->gradient[limit->row],
                        c_q * lambda[limit->row], 0.0);
    }
    tml__maximal_fill_tie_bending(s, lambda, c_q);
}

static void fill_spring(maximal_system* s, int i, double c_q)
{
    const tml_model* m = s->model;
    const spring_data* spring = &m->springs[i];
    kkt_values* values = tml__kkt_values(s->matrix);
    const int* table = &s->point_pair[s->spring_pair[i]];
    const int n = spring->point_count;
    double block[36];

    tml__spring_eval(spring, s->bodies, s->t, &s->spring);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            const int node_a = m->bodies[spring->body[a]].node;
            const int node_b = m->bodies[spring->body[b]].node;
            if (node_a < 0 || node_b < 0) continue;
            const int pair = table[1 + n + table[1 + a] * table[0] + table[1 + b]];
            // a pair stores (lower node, higher node) first
            double* to = node_a == node_b ? &values->node[36 * node_a]
                                          : &values->pair[72 * pair + (node_a < node_b ? 0 : 36)];
            tml__spring_block(spring, &s->spring, s->bodies, s->lifts, a, b, block);
            for (int k = 0; k < 36; k++) to[k] -= c_q * block[k];
        }
    }
}

// rayleigh times m v and I omega: I = R J R^T turns with the body, d(I omega) = (I [omega] - [I omega])
// dphi, and velocities follow positions.
static void fill_mass_damping(maximal_system* s, double c_q)
{
    const tml_model* m = s->model;
    const double rate = m->all.rayleigh_mass;

    for (int n = 0; rate > 0.0 && n < s->node_count; n++) {
        const int i = m->node_body[n];
        const rigid* b = &s->bodies[i];
        const lift* up = &s->lifts[i];
        const mat3 I = m3_mul_bt(m3_mul(b->R, m->bodies[i].inertia), b->R);
        const mat3 turn =
            m3_sub(m3_mul(I, m3_add(up->W, m3_skew(b->omega))), m3_skew(m3_apply(I, b->omega)));
        double* block = &tml__kkt_values(s->matrix)->node[36 * n];
        add3(block, 0, 0, c_q * rate * m->bodies[i].mass * up->g, m3_identity());
        add3(block, 3, 3, c_q * rate, turn);
    }
}

void tml__maximal_fill_stiffness(maximal_system* s, const double* lambda, double c_q)
{
    tml__maximal_fill_bending(s, lambda, c_q);
    tml__maximal_fill_forces(s, c_q);
}

void tml__maximal_fill_forces(maximal_system* s, double c_q)
{
    const tml_model* m = s->model;
    kkt_values* values = tml__kkt_values(s->matrix);

    for (int i = 0; i < s->forced_count; i++) fill_forced_axis(s, s->forced[i], c_q);
    for (int i = 0; i < m->all.spring_count; i++) fill_spring(s, i, c_q);
    fill_mass_damping(s, c_q);

    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        const int node = m->bodies[w->body].node;
        if (node < 0) continue;
        vec3 f;
        for (int k = 0; k < 3; k++) {
            v3_set(&f, k, s->load * tml__control_eval(&w->force[k], s->t).value);
        }
        const vec3 r = m3_apply(s->bodies[w->body].R, w->point);
        add3(&values->node[36 * node], 3, 3, -c_q, m3_skew_skew(f, r));
    }
    for (int i = 0; i < s->push_count; i++) {
        const hand_push* p = &s->pushes[i];
        const vec3 r = m3_apply(s->bodies[p->body].R, p->point);
        add3(&values->node[36 * m->bodies[p->body].node], 3, 3, -c_q, m3_skew_skew(p->force, r));
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const int node = m->bodies[d->body.index].node;
        if (node < 0) continue;
        const lift* up = &s->lifts[d->body.index];
        add3(&values->node[36 * node], 0, 0, c_q * d->linear * up->g, m3_identity());
        add3(&values->node[36 * node], 3, 3, c_q * d->angular, up->W);
    }
}
