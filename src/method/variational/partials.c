// method/variational/partials.c - products with the derivatives of a variational step.
//
// The interval looks the same however the world is turned, so turning both ends by phi turns its
// momentum p, its chord velocity and its t by phi as well: what the start does to them is
//     dp = (-[p] - K) dphi,   domega = (-[omega] - W) dphi,   dt = (-[t] - T) dphi
// with K, W and T of the end (turn.h).
#include "method/variational/partials.h"

#include "method/instant.h"
#include "method/variational/work.h"

#include <string.h>

static void clear(double* x, int count)
{
    if (count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

static void carry(partial_direction way, double* input, double* output, double slope)
{
    if (way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

static void carry_all(partial_direction way, int count, double* input, double* output, double slope)
{
    for (int i = 0; i < count; i++) carry(way, &input[i], &output[i], slope);
}

static void carry3(partial_direction way, mat3 M, double* input, double* output)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) carry(way, &input[c], &output[r], M.m[r][c]);
    }
}

// ---- memory

tml_status tml__var_tangent_create(const maximal_system* s, var_tangent* out)
{
    double** const sixes[] = {&out->start,       &out->middle, &out->middle_pose,
                              &out->middle_rate, &out->motion, &out->sum};
    bool is_whole = true;
    *out = (var_tangent){.start = NULL};
    for (size_t i = 0; i < sizeof sixes / sizeof *sixes; i++) {
        *sixes[i] = tml__allocate(&s->allocator, 6 * (size_t)s->node_count, sizeof(double));
        is_whole = is_whole && *sixes[i] != NULL;
    }
    out->rows = tml__allocate(&s->allocator, (size_t)s->row_count, sizeof(double));
    return is_whole && out->rows != NULL ? TML_OK : TML_NO_MEMORY;
}

void tml__var_tangent_destroy(const maximal_system* s, var_tangent* t)
{
    double* const all[] = {t->start,  t->middle, t->middle_pose, t->middle_rate,
                           t->motion, t->sum,    t->rows};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tml__release(&s->allocator, all[i]);
    *t = (var_tangent){.start = NULL};
}

// ---- what several products share

// Node and pair blocks of the matrix, as filled, by poses.
static void block_product(const maximal_system* s, partial_direction way, double* pose, double* E)
{
    if (way == PARTIAL_FORWARD) {
        tml__kkt_add_blocks(s->matrix, pose, E);
    } else {
        tml__kkt_add_blocks_transposed(s->matrix, E, pose);
    }
}

static mat3 world_inertia(const maximal_system* s, int node)
{
    const int b = s->model->node_body[node];
    const mat3 R = s->bodies[b].R;
    return m3_mul_bt(m3_mul(R, s->model->bodies[b].inertia), R);
}

// Parameters of nobody's rows: those that come out are dropped, and none go in.
static void parameters(maximal_system* s, const partial_point* at, partial_direction way,
                       const parameter_set* in, double* E, double* dropped)
{
    clear(dropped, s->row_count);
    tml__parameter_product(s, at, way, in, E, dropped);
}

static void held_multipliers(variational* w)
{
    const maximal_system* s = w->system;
    for (int row = 0; row < s->row_count; row++) {
        w->hold[row] = s->compliance[row] > 0.0 ? 0.0 : s->lambda[row];
    }
}

// ---- the start

void tml__var_start_product(variational* w, const var_step* step, partial_direction way,
                            const parameter_set* in, const var_tangent* t, double* pose,
                            double* velocity)
{
    maximal_system* s = w->system;
    const double scale = -2.0 / step->h;
    const inertia_point inertia = {.s = s, .motion = t->motion};
    const partial_point at = {.lambda = w->hold, .self = &inertia, .inertia = tml__inertia_columns};

    tml__maximal_place(s, step->q, step->v);
    tml__maximal_rows(s);
    held_multipliers(w);
    for (int n = 0; n < s->node_count; n++) {
        const int b = s->model->node_body[n];
        v3_store(&t->motion[6 * n], v3_scale(scale, s->bodies[b].v));
        v3_store(&t->motion[6 * n + 3], v3_scale(scale, s->bodies[b].omega));
        carry_all(way, 3, &velocity[6 * n], &t->start[6 * n], scale * s->model->bodies[b].mass);
        carry3(way, m3_scale(scale, world_inertia(s, n)), &velocity[6 * n + 3],
               &t->start[6 * n + 3]);
    }
    tml__inertia_product(&inertia, way, pose, NULL, t->start);
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_bending(s, w->hold, 1.0);
    block_product(s, way, pose, t->start);
    parameters(s, &at, way, in, t->start, t->rows);
}

// ---- the middle

void tml__var_middle_product(variational* w, const var_step* step, partial_direction way,
                             const parameter_set* in, const var_tangent* t)
{
    maximal_system* s = w->system;
    const inertia_point still = {.s = s};
    const partial_point at = {
        .has_forces = true, .lambda = w->give, .self = &still, .inertia = tml__inertia_columns};
    const lift none = {0.0, {{{0.0}}}};

    if (!tml__var_looks_at_middle(w)) {
        parameter_set weight = {0};
        if (in != NULL) weight = *in;
        weight.wants &= WANT_BODIES;
        if (weight.wants != 0) parameters(s, &at, way, &weight, t->middle, t->rows);
        return;
    }
    w->step = step;
    tml__var_look_at_middle(w);
    w->step = NULL;
    for (int b = 0; b <= s->model->all.body_count; b++) s->lifts[b] = none;
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_stiffness(s, w->give, 1.0);
    block_product(s, way, t->middle_pose, t->middle);
    tml__damping_product(s, way, t->middle_rate, t->middle);
    if (in != NULL) parameters(s, &at, way, in, t->middle, t->rows);
}

void tml__var_motion_product(variational* w, const var_step* step, partial_direction way,
                             double* start, double* end, const var_tangent* t)
{
    const maximal_system* s = w->system;

    for (int n = 0; n < s->node_count; n++) {
        const var_turn* turn = &w->turn[n];
        const mat3 tilt = m3_skew(turn->t);
        double* pose = &t->middle_pose[6 * n];
        double* rate = &t->middle_rate[6 * n];
        if (start != NULL) {
            double* from = &start[6 * n];
            const mat3 spun = m3_add(m3_skew(turn->omega), turn->W);
            carry_all(way, 3, from, pose, 0.5);
            carry_all(way, 3, from, rate, -1.0 / step->h);
            carry3(way, m3_scale(0.5, m3_add(m3_identity(), tilt)), from + 3, pose + 3);
            carry3(way, m3_scale(-1.0, spun), from + 3, rate + 3);
        }
        if (end != NULL) {
            double* to = &end[6 * n];
            carry_all(way, 3, to, pose, 0.5);
            carry_all(way, 3, to, rate, 1.0 / step->h);
            carry3(way, m3_scale(0.5, m3_sub(m3_identity(), tilt)), to + 3, pose + 3);
            carry3(way, turn->W, to + 3, rate + 3);
        }
    }
}

// ---- the balance of momenta

// h p by the inertia of a node, of which it is a linear function.
static void interval_inertia(const variational* w, const var_step* step, partial_direction way,
                             const parameter_set* in, int node, double* E)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const maximal_system* s = w->system;
    const double* q = &step->q[node * POSE_WIDTH];
    const double* x = &s->x[node * POSE_WIDTH];
    const quat from = q_normalize((quat){q[3], q[4], q[5], q[6]});
    const quat to = q_normalize((quat){x[3], x[4], x[5], x[6]});
    double* mine = &in->body[BODY_PARAMETERS * s->model->node_body[node]];

    for (int k = 0; k < 3; k++) carry(way, &mine[0], &E[k], x[k] - q[k]);
    for (int i = 0; i < 6; i++) {
        mat3 unit = m3_zero();
        var_turn turn;
        unit.m[row[i]][column[i]] = 1.0;
        unit.m[column[i]][row[i]] = 1.0;
        tml__var_turn(&unit, from, to, step->h, &turn);
        for (int k = 0; k < 3; k++) {
            carry(way, &mine[1 + i], &E[3 + k], step->h * v3_at(turn.momentum, k));
        }
    }
}

void tml__var_balance_product(variational* w, const var_step* step, partial_direction way,
                              const parameter_set* in, const var_tangent* t, double* pose,
                              double* E)
{
    const maximal_system* s = w->system;
    const double h = step->h;
    const double c_q = 0.5 * h * h;

    for (int n = 0; n < s->node_count; n++) {
        const var_turn* turn = &w->turn[n];
        const double mass = s->model->bodies[s->model->node_body[n]].mass;
        const mat3 to_start = m3_sub(m3_identity(), m3_skew(turn->t));
        const mat3 p = m3_add(m3_skew(turn->momentum), turn->K);
        const mat3 bend = m3_add(m3_skew(turn->t), turn->T);
        const mat3 lever = m3_mul(m3_skew(v3_load(&w->wrench[6 * n + 3])), bend);
        const mat3 by_pose = m3_sub(m3_scale(c_q, lever), m3_scale(h, p));

        carry_all(way, 3, &pose[6 * n], &E[6 * n], -mass);
        carry3(way, by_pose, &pose[6 * n + 3], &E[6 * n + 3]);
        carry_all(way, 6, &t->start[6 * n], &E[6 * n], c_q);
        carry_all(way, 3, &t->middle[6 * n], &E[6 * n], c_q);
        carry3(way, m3_scale(c_q, to_start), &t->middle[6 * n + 3], &E[6 * n + 3]);
        if ((in->wants & WANT_BODIES) != 0) {
            interval_inertia(w, step, way, in, n, &E[6 * n]);
        }
    }
}

// ---- the end

void tml__var_row_product(variational* w, const var_step* step, partial_direction way,
                          const parameter_set* in, const var_tangent* t, double* rows)
{
    maximal_system* s = w->system;
    const inertia_point still = {.s = s};
    const partial_point at = {.lambda = t->rows, .self = &still, .inertia = tml__inertia_columns};

    if ((in->wants & (WANT_MARKERS | WANT_AXES)) == 0) return;
    step->set_time(step->clock, step->h);
    tml__maximal_place(s, s->x, NULL);
    tml__maximal_rows(s);
    clear(t->rows, s->row_count);  // nothing pushes here
    clear(t->sum, 6 * s->node_count);
    tml__parameter_product(s, &at, way, in, t->sum, rows);
}

// D^T by the multipliers, 6 a node.
static void push_product(const variational* w, partial_direction way, double scale, double* lambda,
                         double* P)
{
    const kkt_pattern p = tml__kkt_pattern(w->system->matrix);
    for (int row = 0; row < w->system->row_count; row++) {
        for (int e = p.row_start[row]; e < p.row_start[row + 1]; e++) {
            for (int k = 0; k < 6; k++) {
                carry(way, &lambda[row], &P[6 * p.row_node[e] + k], scale * w->push[6 * e + k]);
            }
        }
    }
}

// P' by S, N and the multipliers
static void momentum_product(const variational* w, const var_step* step, partial_direction way,
                             const var_tangent* t, double* lambda, double* P)
{
    const int six = 6 * w->system->node_count;
    carry_all(way, six, t->start, P, -0.5 * step->h);
    carry_all(way, six, t->middle, P, -step->h);
    push_product(w, way, 0.5 * step->h, lambda, P);
}

// P' less what the pose and the inertia alone make of it: M dV', and dV' from that.
void tml__var_hand_product(variational* w, const var_step* step, partial_direction way,
                           const parameter_set* in, const var_tangent* t, const double* v,
                           double* const motion[3])
{
    maximal_system* s = w->system;
    const inertia_point inertia = {.s = s, .motion = t->motion};
    const partial_point at = {.lambda = w->hold, .self = &inertia, .inertia = tml__inertia_columns};
    parameter_set bodies = *in;
    double* pose = motion[VAR_HAND_POSE];
    double* velocity = motion[VAR_HAND_VELOCITY];
    double* sum = t->sum;

    bodies.wants &= WANT_BODIES;
    clear(sum, 6 * s->node_count);
    clear(w->hold, s->row_count);  // nothing pushes here
    tml__maximal_place(s, s->x, v);
    for (int n = 0; n < s->node_count; n++) {
        const rigid* b = &s->bodies[s->model->node_body[n]];
        // the inertial part is subtracted
        v3_store(&t->motion[6 * n], v3_neg(b->v));
        v3_store(&t->motion[6 * n + 3], v3_neg(b->omega));
    }
    if (way == PARTIAL_FORWARD) {
        momentum_product(w, step, way, t, motion[VAR_HAND_LAMBDA], sum);
        tml__inertia_product(&inertia, way, pose, NULL, sum);
        if (bodies.wants != 0) parameters(s, &at, way, &bodies, sum, t->rows);
    }
    for (int n = 0; n < s->node_count; n++) {
        const double mass = s->model->bodies[s->model->node_body[n]].mass;
        const mat3 over = m3_inverse(world_inertia(s, n));
        carry_all(way, 3, &sum[6 * n], &velocity[6 * n], 1.0 / mass);
        carry3(way, over, &sum[6 * n + 3], &velocity[6 * n + 3]);
    }
    if (way == PARTIAL_BACKWARD) {
        if (bodies.wants != 0) parameters(s, &at, way, &bodies, sum, t->rows);
        tml__inertia_product(&inertia, way, pose, NULL, sum);
        momentum_product(w, step, way, t, motion[VAR_HAND_LAMBDA], sum);
    }
}
