// diff/load.c - how a joint's load follows the state, the multipliers and the parameters.
//                                                                       [QRBD (39)-(41) Alg 2]
// A load is a force and a torque along the base's axes, made of multipliers and of what acts along
// free axes. Where rows may be redundant the multipliers are the weighted least-norm ones,
//     mu = Pi lambda,   Pi = W^-1 C G^+ C^T,   G = C^T W^-1 C,
// and with C nu = W mu
//     d(mu) = Pi d(lambda) + (I - Pi) W^-1 (dC nu - dW mu) + W^-1 C G^+ dC^T (lambda - mu).
// For a gradient g on mu that is
//     g_lambda = Pi^T g,   nu . dC^T s,   -s . dW mu,   y . dC^T (lambda - mu),
//     s = W^-1 (I - Pi^T) g,   C y = Pi^T g,   Pi^T = W Pi W^-1,
// where dC^T s is the ordinary geometric stiffness with multipliers s. nu and y are determined up to
// motions that no row sees, and these do not matter: s and lambda - mu push nothing.
// differs: [QRBD (41)] evaluates with the reduced multipliers; it must be the least-norm ones.
#include "diff/work.h"
#include "force/axis.h"
#include "joint/tangent.h"

#include <string.h>

// What acts along one axis of the joint, motors, springs, limits and couplings together.
typedef struct axis_load {
    bool is_on;
    coordinate_rigid q;
    double Q, dQ_ds, dQ_drate;
    double rate;
    vec3 torque;  // a motor along the base's axis instead
} axis_load;

typedef struct load_point {
    tml_sim* sim;
    joint_motion m;
    int joint;
    axis_load axis[COORDINATES];
    rigid_bend all, dots;
    vec3 force, torque;  // world axes, about the follower's joint point
    bool is_force;
    int k;
} load_point;

static vec3 arm_free(const load_point* p, const rigid_gradient* g)
{
    return v3_sub(g->t_F, v3_cross(p->m.frame->r_F, g->n));
}

// Force or torque along the k-th base axis of a unit along a gradient.
static double share(const load_point* p, const rigid_gradient* g)
{
    const vec3 b = p->m.frame->B.axis[p->k];
    return p->is_force ? v3_dot(b, g->n) : v3_dot(b, arm_free(p, g));
}

// Limits push along coordinates of their own, or along that of the axis.
static bool is_limited(const maximal_system* s, int limit, int joint, int k)
{
    const limit_row* row = &s->limits[limit];
    return row->joint == joint && (int)row->of == k && s->sides[limit] != LIMIT_OFF;
}

static void add_measure(load_point* p, int k, const double* mu)
{
    const maximal_system* s = p->sim->system;
    axis_load* out = &p->axis[k];
    for (int i = 0; i < s->limit_count; i++) {
        if (!is_limited(s, i, p->joint, k)) continue;
        out->is_on = true;
        out->q = tml__coordinate_rigid(p->m.joint, (tml_axis)k, 0.0, p->m.frame);
        out->Q += mu[s->limits[i].row];
    }
}

static void add_axis(load_point* p, int k, const double* mu)
{
    const maximal_system* s = p->sim->system;
    const joint_data* j = p->m.joint;
    const axis_data* a = tml__joint_axis(j, k);
    const int at = tml__axis_slot(p->joint, k);
    axis_load* out = &p->axis[k];
    const drive zero = {0};
    const drive* control = &s->targets.axis[at];
    const bool is_forced = tml__axis_is_forced(a);
    const bool is_base = is_forced && tml__axis_is_base_torque(j, k);

    if (is_base) {
        out->torque = v3_scale(control->value, p->m.frame->B.axis[k - 3]);
        control = &zero;
    }
    out->is_on = is_forced && (!is_base || tml__axis_is_sprung(a));
    for (int i = 0; i < s->limit_count; i++) {
        out->is_on = out->is_on || is_limited(s, i, p->joint, k);
    }
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        const tml_coupling_def* c = &s->model->all.couplings[i];
        for (int t = 0; t < c->term_count; t++) {
            out->is_on =
                out->is_on || (c->terms[t].joint.index == p->joint && (int)c->terms[t].axis == k);
        }
    }
    if (!out->is_on) return;
    const double hint = tml__maximal_hint(s, p->joint, (tml_axis)k);
    out->q = tml__coordinate_rigid(j, (tml_axis)k, hint, p->m.frame);
    out->rate = rigid_rate(&out->q.g, p->m.F, p->m.B);
    if (is_forced) {
        const axis_force f =
            tml__axis_force(a, out->q.value, out->rate, control, &s->targets.servo[at]);
        out->Q = f.Q;
        out->dQ_ds = f.dQ_ds;
        out->dQ_drate = f.dQ_drate;
    }
    for (int i = 0; i < s->limit_count; i++) {
        if (is_limited(s, i, p->joint, k)) out->Q += mu[s->limits[i].row];
    }
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        const tml_coupling_def* c = &s->model->all.couplings[i];
        for (int t = 0; t < c->term_count; t++) {
            if (c->terms[t].joint.index != p->joint || (int)c->terms[t].axis != k) continue;
            out->Q += mu[s->first_coupling + i] * s->term_slope[s->first_term[i] + t];
            out->dQ_ds += mu[s->first_coupling + i] * s->term_bend[s->first_term[i] + t];
        }
    }
}

// The joint with multipliers mu, at the bodies and rows as they stand.
static void load_at(tml_sim* sim, const tml_quantity* quantity, const double* mu, load_point* p)
{
    const maximal_system* s = sim->system;
    const int joint = quantity->index;
    const joint_data* j = &s->model->joints[joint];
    *p = (load_point){
        .sim = sim,
        .joint = joint,
        .is_force = quantity->kind == TML_QUANTITY_FORCE,
        .k = quantity->component,
        .m = {.joint = j,
              .rows = &s->rows[joint],
              .turn = &s->turns[joint],
              .frame = &s->frames[joint],
              .F = &s->bodies[j->follower],
              .B = &s->bodies[j->base],
              .targets = &s->targets.axis[joint * TML_AXES]},
    };
    for (int r = 0; r < s->rows[joint].count; r++) {
        const joint_row* row = &s->rows[joint].row[r];
        const int at = s->first_row[joint] + r;
        const drive* target = &p->m.targets[row->axis];
        tml__bend_row(j, row, p->m.frame, target, mu[at], &p->all);
        if (row->kind == ROW_DOT) tml__bend_row(j, row, p->m.frame, target, mu[at], &p->dots);
        p->force = v3_axpy(p->force, mu[at], s->gradient[at].n);
        p->torque = v3_axpy(p->torque, mu[at], arm_free(p, &s->gradient[at]));
    }
    for (int k = 0; k < COORDINATES; k++) {
        const bool is_measure = k >= TML_AXES && !tml__is_dot(k);
        if (tml__is_dot(k) && j->dots == NULL) break;
        if (is_measure)
            add_measure(p, k, mu);
        else
            add_axis(p, k, mu);
        p->torque = v3_add(p->torque, p->axis[k].torque);
        p->all.D_B = m3_sub(p->all.D_B, m3_skew(p->axis[k].torque));
        if (!p->axis[k].is_on) continue;
        tml__bend_coordinate(j, (tml_axis)k, tml__maximal_hint(s, joint, (tml_axis)k), p->m.frame,
                             p->axis[k].Q, &p->all);
        p->force = v3_axpy(p->force, p->axis[k].Q, p->axis[k].q.g.n);
        p->torque = v3_axpy(p->torque, p->axis[k].Q, arm_free(p, &p->axis[k].q.g));
    }
}

// The load's change at fixed multipliers, for a change of bodies, markers and targets.
static double slope_of(const load_point* p, const joint_tangent* d)
{
    const vec3 b = p->m.frame->B.axis[p->k];
    const vec3 turn_F = v3_add(d->F.phi, d->F.turning);
    const vec3 turn_B = v3_add(d->B.phi, d->B.turning);
    const vec3 db = v3_cross(turn_B, b);
    vec3 target_F, target_B;
    tml__turn_tangent(&p->m, d, &target_F, &target_B);
    const vec3 df = v3_cross(turn_B, p->all.force);
    vec3 dt = v3_add(m3_apply(p->all.D_F, turn_F), m3_apply(p->all.D_B, turn_B));
    dt = v3_add(dt, v3_add(m3_apply(p->dots.D_F, target_F), m3_apply(p->dots.D_B, target_B)));
    double sum =
        p->is_force ? v3_dot(db, p->force) + v3_dot(b, df) : v3_dot(db, p->torque) + v3_dot(b, dt);

    for (int k = 0; k < COORDINATES; k++) {
        const axis_load* a = &p->axis[k];
        if (!a->is_on) continue;
        const levels s = tml__coordinate_tangent(&p->m, (tml_axis)k, d);
        sum += (a->dQ_ds * s.at[0] + a->dQ_drate * s.at[1]) * share(p, &a->q.g);
    }
    return sum;
}

// ---- one number's slopes

typedef struct carrier {
    partial_direction way;
    double* value;
} carrier;

static void emit(const carrier* c, double* input, double slope)
{
    if (c->way == PARTIAL_FORWARD) {
        *c->value += slope * *input;
    } else {
        *input += slope * *c->value;
    }
}

// By the dampers of three turns.
static void dot_slopes(const load_point* p, const carrier* c, const run_inputs* in)
{
    for (int dot = DOT_FIRST; dot < COORDINATES; dot++) {
        const axis_load* load = &p->axis[dot];
        if (!load->is_on) continue;
        const double worth = -load->rate * share(p, &load->q.g);
        for (int k = 0; k < 3; k++) {
            const int axis = p->joint * TML_AXES + TML_AXIS_RX + k;
            emit(c, &in->form.axis[axis * AXIS_PARAMETERS + AXIS_DAMPING],
                 tml__dot_share((dot - DOT_FIRST) / 3, k) * worth);
        }
    }
}

// Directly, at fixed multipliers: poses and velocities (6 a node), markers, targets, axis numbers.
static void direct_slopes(const load_point* p, const carrier* c, double* pose, double* velocity,
                          const run_inputs* in)
{
    const maximal_system* s = p->sim->system;
    const int bodies[2] = {p->m.joint->follower, p->m.joint->base};

    for (int side = 0; side < 2; side++) {
        const int node = s->model->bodies[bodies[side]].node;
        double* markers =
            &in->form.marker[2 * MARKER_PARAMETERS * p->joint + side * MARKER_PARAMETERS];
        for (int k = 0; k < 12 + MARKER_PARAMETERS; k++) {
            joint_tangent d = {.F = {.c = v3_zero()}};
            side_tangent* t = side == 0 ? &d.F : &d.B;
            vec3* const parts[6] = {&t->c, &t->phi, &t->v, &t->omega, &t->point, &t->turning};
            const vec3 unit = k < 12 ? v3_unit(k % 3) : m3_column(s->bodies[bodies[side]].R, k % 3);
            *parts[k / 3] = unit;
            if (k < 12 && node < 0) continue;
            double* input = k < 6    ? &pose[6 * node + k]
                            : k < 12 ? &velocity[6 * node + k - 6]
                                     : &markers[k - 12];
            emit(c, input, slope_of(p, &d));
        }
    }
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &p->m.joint->axis[k];
        const axis_load* load = &p->axis[k];
        double* mine = &in->form.axis[(p->joint * TML_AXES + k) * AXIS_PARAMETERS];
        const drive* servo = &s->targets.servo[p->joint * TML_AXES + k];
        if (a->actuation == TML_POSITION) {
            joint_tangent d = {.F = {.c = v3_zero()}};
            d.target[k].value = 1.0;
            emit(c, &mine[AXIS_TARGET], slope_of(p, &d));
        }
        if (a->actuation == TML_FORCE && tml__axis_is_base_torque(p->m.joint, k)) {
            if (!p->is_force && k - 3 == p->k) emit(c, &mine[AXIS_TARGET], 1.0);
        } else if (a->actuation == TML_FORCE) {
            emit(c, &mine[AXIS_TARGET], share(p, &load->q.g));
        }
        if (!load->is_on || !tml__axis_is_forced(a)) continue;
        const double unit = share(p, &load->q.g);
        emit(c, &mine[AXIS_STIFFNESS], -(load->q.value - a->rest) * unit);
        if (k < TML_AXIS_RX || p->m.joint->dots == NULL) {
            emit(c, &mine[AXIS_DAMPING], -load->rate * unit);
        }
        emit(c, &mine[AXIS_REST], a->stiffness * unit);
        if (!a->has_servo) continue;
        emit(c, &mine[AXIS_SERVO_STIFFNESS], (servo->value - load->q.value) * unit);
        emit(c, &mine[AXIS_SERVO_DAMPING], (servo->rate - load->rate) * unit);
    }
    dot_slopes(p, c, in);
}

// The load by the multipliers, one slope a row.
static void row_slopes(const load_point* p, double* g)
{
    const maximal_system* s = p->sim->system;

    memset(g, 0, (size_t)s->row_count * sizeof *g);
    for (int row = s->first_row[p->joint]; row < s->first_row[p->joint + 1]; row++) {
        g[row] = share(p, &s->gradient[row]);
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        if (limit->joint != p->joint || s->sides[i] == LIMIT_OFF) continue;
        g[limit->row] = share(p, &s->gradient[limit->row]);
    }
    for (int i = 0; i < s->model->all.coupling_count; i++) {
        const tml_coupling_def* c = &s->model->all.couplings[i];
        for (int t = 0; t < c->term_count; t++) {
            const int at = s->first_term[i] + t;
            if (c->terms[t].joint.index != p->joint) continue;
            g[s->first_coupling + i] += s->term_slope[at] * share(p, &s->term_gradient[at]);
        }
    }
}

// ---- least-norm multipliers

static void no_inertia(const void* self, int node, inertia_columns* out)
{
    (void)self;
    (void)node;
    *out = (inertia_columns){.linear = v3_zero()};
}

// A motion with the given row values, out of the range of C.
static tml_status motion_with_rows(tml_sim* sim, linear_work* w, const double* rows, double* motion)
{
    maximal_system* s = sim->system;
    tml__kkt_set_passes(s->matrix, 30);
    tml_status status = tml__maximal_factor_position(s);
    memset(w->E, 0, (size_t)(6 * s->node_count) * sizeof *w->E);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, w->E, rows, motion, w->dl);
    return status;
}

// Pi x in place, with the library's own projection.
static tml_status project(tml_sim* sim, double* x)
{
    maximal_system* s = sim->system;
    const long long before = s->unsettled_loads;
    const tml_status status = tml__maximal_least_norm(s, x);
    if (status == TML_OK && s->unsettled_loads == before) return TML_OK;
    s->unsettled_loads = before;
    return tml__fail(&sim->why, TML_SINGULAR,
                     "at this pose rows lose their independence: least-norm loads have no "
                     "derivative");
}

// value += factor (motion . dC^T multipliers) by poses and markers: slopes of a bilinear form.
static void bilinear(tml_sim* sim, linear_work* w, const carrier* c, const double* multipliers,
                     const double* motion, double* pose, const run_inputs* in)
{
    maximal_system* s = sim->system;
    const size_t six = (size_t)(6 * s->node_count);
    const partial_point at = {.lambda = multipliers, .inertia = no_inertia};
    double* E = w->E;

    // E = -C^T multipliers, so the form is -motion . dE
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_bending(s, multipliers, 1.0);
    memset(w->rows, 0, (size_t)s->row_count * sizeof *w->rows);
    if (c->way == PARTIAL_FORWARD) {
        memset(E, 0, six * sizeof *E);
        tml__kkt_add_blocks(s->matrix, pose, E);
        tml__parameter_product(s, &at, c->way, &in->form, E, w->rows);
        for (size_t k = 0; k < six; k++) *c->value -= motion[k] * E[k];
        return;
    }
    for (size_t k = 0; k < six; k++) E[k] = -motion[k] * *c->value;
    tml__kkt_add_blocks_transposed(s->matrix, E, pose);
    tml__parameter_product(s, &at, c->way, &in->form, E, w->rows);
}

// -s . dW mu
static void weight_slopes(const maximal_system* s, const carrier* c, const double* s_rows,
                          const double* mu, const run_inputs* in)
{
    if ((in->form.wants & WANT_AXES) == 0) return;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int r = 0; r < s->rows[j].count; r++) {
            const int axis = TML_AXES * j + (int)s->rows[j].row[r].axis;
            const int row = s->first_row[j] + r;
            emit(c, &in->form.axis[AXIS_PARAMETERS * axis + AXIS_WEIGHT], -s_rows[row] * mu[row]);
        }
    }
}

// The part of the load that its multipliers carry, by the multipliers of the step. g: slopes by the
// least-norm ones, lost.
static tml_status least_norm_slopes(tml_sim* sim, linear_work* w, const carrier* c, double* g,
                                    const double* mu, double* pose, double* dlambda,
                                    const run_inputs* in)
{
    maximal_system* s = sim->system;
    double* s_rows = w->push;
    double* pi_g = w->dl;

    for (int k = 0; k < s->row_count; k++) pi_g[k] = g[k] / s->weight[k];
    tml_status status = project(sim, pi_g);
    if (status != TML_OK) return status;
    for (int k = 0; k < s->row_count; k++) {
        pi_g[k] *= s->weight[k];
        s_rows[k] = (g[k] - pi_g[k]) / s->weight[k];
        g[k] = pi_g[k];
        emit(c, &dlambda[k], pi_g[k]);
    }
    weight_slopes(s, c, s_rows, mu, in);
    // nu . dC^T s
    for (int k = 0; k < s->row_count; k++) w->rows[k] = s->weight[k] * mu[k];
    status = motion_with_rows(sim, w, w->rows, w->dx);
    if (status != TML_OK) return tml__fail(&sim->why, status, "a joint load has no derivative");
    bilinear(sim, w, c, s_rows, w->dx, pose, in);
    // y . dC^T (lambda - mu)
    status = motion_with_rows(sim, w, g, w->dx);
    if (status != TML_OK) return tml__fail(&sim->why, status, "a joint load has no derivative");
    for (int k = 0; k < s->row_count; k++) s_rows[k] = sim->reported[k] - mu[k];
    bilinear(sim, w, c, s_rows, w->dx, pose, in);
    return TML_OK;
}

// The multipliers of the state before they are made least-norm ones, into sim->reported.
static tml_status own_multipliers(tml_sim* sim)
{
    sim->has_loads = 0;
    memcpy(sim->reported, step_lambda(sim),
           (size_t)sim->system->row_count * sizeof *step_lambda(sim));
    if (sim->form->multipliers == NULL) return TML_OK;
    if (sim->contacts != NULL) sim->system->touching = sim->contacts->now.wrenches;
    const tml_status status = sim->form->multipliers(sim, sim->reported);
    sim->system->touching = NULL;
    if (status == TML_OK) return TML_OK;
    return tml__fail(&sim->why, status, "at this pose a joint load has no derivative");
}

tml_status tml__linear_load(tml_sim* sim, linear_work* work, partial_direction way,
                            const tml_quantity* quantity, double* state, const run_inputs* in,
                            double* value)
{
    maximal_system* s = sim->system;
    const int n = sim->width;
    const int nodes = s->node_count;
    const double* q = step_q(sim);
    const double* v = step_v(sim);
    double* dlambda = state + 2 * n;
    double* mu = work->lambda;
    double* g = work->lambda_d;
    const carrier c = {way, value};
    const bool is_redundant = s->may_be_redundant && tml__kkt_method(s->matrix) == KKT_AUGMENTED;
    load_point p;

    if (tml__sim_touches_at_start(sim)) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "joint loads before the first step, where bodies touch, have no "
                         "derivatives in this version");
    }

    tml_status status = own_multipliers(sim);
    if (status != TML_OK) return status;
    memcpy(mu, sim->reported, (size_t)s->row_count * sizeof *mu);
    if (is_redundant) {
        status = project(sim, mu);
        if (status != TML_OK) return status;
    }
    load_at(sim, quantity, mu, &p);
    row_slopes(&p, g);
    memset(work->pose, 0, (size_t)(6 * nodes) * sizeof(double));
    memset(work->velocity, 0, (size_t)(6 * nodes) * sizeof(double));
    if (way == PARTIAL_FORWARD) {
        tml__flat_to_pose(way, q, nodes, state, work->pose);
        tml__rate_to_velocity(way, q, v, nodes, state, state + n, work->velocity);
    }
    direct_slopes(&p, &c, work->pose, work->velocity, in);
    if (is_redundant) {
        status = least_norm_slopes(sim, work, &c, g, mu, work->pose, dlambda, in);
    } else {
        for (int k = 0; k < s->row_count; k++) emit(&c, &dlambda[k], g[k]);
    }
    if (status == TML_OK && way == PARTIAL_BACKWARD) {
        tml__rate_to_velocity(way, q, v, nodes, state, state + n, work->velocity);
        tml__flat_to_pose(way, q, nodes, state, work->pose);
    }
    return status;
}
