// method/accelerate.c - the equations at one instant: accelerations, and the nearest
// velocities and positions that the rows allow.
//
// All three use the index-1 matrix [M -C^T; C 0]. Rows with compliance are springs here: their
// force is known from the position, and the row is switched off.
#include "method/jump.h"

#include <math.h>
#include <string.h>

// Linear equations that nobody corrects afterwards are solved as exactly as the solver can.
enum {
    EXACT_PASSES = 30,
    NEWTON_PASSES = 2,     // enough where an iteration corrects the rest
    QUICK_ITERATIONS = 2,  // long chains hear of their far ends late: then exact ones
    SOFT_PASSES = 3,       // redundant rows that contradict each other a little
    MANY_SOFT_PASSES = 12  // the same in large mechanisms
};

// The multipliers of compliant rows at the evaluated positions, zero elsewhere.
static void compliant_multipliers(const maximal_system* s, double* lambda)
{
    for (int row = 0; row < s->row_count; row++) {
        lambda[row] = s->compliance[row] > 0.0 ? -s->C[row] / s->compliance[row] : 0.0;
    }
}

static bool is_compliant(const maximal_system* s, int row) { return s->compliance[row] > 0.0; }

static row_motion coordinate_motion(const maximal_system* s, int joint, tml_axis axis)
{
    const joint_data* j = &s->model->joints[joint];
    rigid_bend bend = {.force = v3_zero()};
    tml__bend_coordinate(j, axis, tml__maximal_hint(s, joint, axis), &s->frames[joint], 1.0, &bend);
    return (row_motion){.bias = tml__bend_velocity(&s->frames[joint], &bend,
                                                   &s->bodies[j->follower], &s->bodies[j->base])};
}

void tml__maximal_row_motions(const maximal_system* s, double* rate, double* bias)
{
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) {
        const joint_data* joint = &m->joints[j];
        const joint_turn* turn = tml__maximal_turn(s, j);
        const drive* targets = tml__maximal_targets(s, j);
        for (int r = 0; r < s->rows[j].count; r++) {
            const joint_row* row = &s->rows[j].row[r];
            const row_motion motion =
                tml__row_motion(joint, row, turn, &s->frames[j], &s->bodies[joint->follower],
                                &s->bodies[joint->base], &targets[row->axis]);
            rate[s->first_row[j] + r] = motion.rate;
            bias[s->first_row[j] + r] = motion.bias;
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const int row = s->first_coupling + i;
        rate[row] = 0.0;
        bias[row] = 0.0;
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const tml_coupling_term* term = &m->all.couplings[i].terms[t - s->first_term[i]];
            const joint_data* j = &m->joints[term->joint.index];
            const double q1 =
                rigid_rate(&s->term_gradient[t], &s->bodies[j->follower], &s->bodies[j->base]);
            const row_motion motion = coordinate_motion(s, term->joint.index, term->axis);
            bias[row] += s->term_slope[t] * motion.bias + s->term_bend[t] * q1 * q1;
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        rate[limit->row] = 0.0;
        bias[limit->row] = 0.0;
        if (s->sides[i] != LIMIT_OFF) {
            bias[limit->row] = coordinate_motion(s, limit->joint, limit->of).bias;
        }
    }
    tml__maximal_tie_motions(s, rate, bias);
}

// How fast the bodies' velocities open each row.
void tml__maximal_row_rates(const maximal_system* s, double* out)
{
    const tml_model* m = s->model;

    for (int j = 0; j < m->all.joint_count; j++) {
        const rigid* F = &s->bodies[m->joints[j].follower];
        const rigid* B = &s->bodies[m->joints[j].base];
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            out[row] = rigid_rate(&s->gradient[row], F, B);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        const int row = s->first_coupling + i;
        out[row] = 0.0;
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const int joint = m->all.couplings[i].terms[t - s->first_term[i]].joint.index;
            const joint_data* j = &m->joints[joint];
            out[row] += s->term_slope[t] * rigid_rate(&s->term_gradient[t], &s->bodies[j->follower],
                                                      &s->bodies[j->base]);
        }
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        const joint_data* j = &m->joints[limit->joint];
        out[limit->row] = 0.0;
        if (s->sides[i] == LIMIT_OFF) continue;
        out[limit->row] =
            rigid_rate(&s->gradient[limit->row], &s->bodies[j->follower], &s->bodies[j->base]);
    }
    tml__maximal_tie_rates(s, out);
}

static double largest_part(const double* dx, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        if (!(fabs(dx[i]) <= largest)) largest = fabs(dx[i]);
    }
    return largest;
}

static tml_status solve(maximal_system* s, int passes, const double* r, const double* c, double* dx,
                        double* dl)
{
    const kkt_sides sides = {r, c, dx, dl};
    tml__kkt_set_passes(s->matrix, passes);
    return tml__kkt_factor_solve(s->matrix, &sides, &s->bad_row);
}

// Forces, compliant rows and -omega x J omega into s->residual, with the rows as evaluated.
// `lambda` receives the multipliers of compliant rows.
static void pose(maximal_system* s, double* lambda)
{
    const tml_model* m = s->model;

    tml__maximal_forces(s);
    if (!s->is_plain) {
        compliant_multipliers(s, lambda);
        memset(s->residual, 0, (size_t)s->node_count * 6 * sizeof *s->residual);
        tml__maximal_subtract_rows(s, lambda, s->residual);
    }
    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        const rigid* body = &s->bodies[b];
        const vec3 omega = m3_apply_t(body->R, body->omega);
        const vec3 gyro = v3_cross(omega, m3_apply(m->bodies[b].inertia, omega));
        double* r = &s->residual[6 * n];
        // rows that do not give way push nothing yet
        const vec3 force = s->is_plain ? v3_sub(v3_zero(), s->force[b]) : v3_load(r);
        const vec3 torque = s->is_plain ? v3_sub(v3_zero(), s->torque[b]) : v3_load(r + 3);
        v3_store(r, v3_neg(force));
        v3_store(r + 3, v3_neg(v3_add(torque, m3_apply(body->R, gyro))));
    }
}

static void fill_index_1(maximal_system* s)
{
    tml__maximal_fill_mass(s);
    if (s->guest.self != NULL) s->guest.mass(s->guest.self);
    tml__maximal_fill_rows(s, -1.0);
    tml__kkt_values(s->matrix)->is_pairless = s->guest.self == NULL;
}

// The right-hand side of the acceleration-level equations: s->residual and s->dl. Bodies are placed
// and rows evaluated.
static void pose_accelerations(maximal_system* s, const double* x, const double* v, double* lambda)
{
    double* bias = s->dl;
    double* rate = s->lambda_start;

    pose(s, lambda);
    if (s->guest.self != NULL) s->guest.push(s->guest.self, x, v);
    tml__maximal_row_motions(s, rate, bias);
    for (int row = 0; row < s->row_count; row++) {
        bias[row] = !s->is_plain && is_compliant(s, row) ? lambda[row] : -bias[row];
    }
}

static tml_status accelerate(maximal_system* s, int passes, const double* x, const double* v,
                             double* acceleration, double* lambda)
{
    tml__maximal_stand(s, x, v);
    pose_accelerations(s, x, v, lambda);
    fill_index_1(s);
    return solve(s, passes, s->residual, s->dl, acceleration, lambda);
}

tml_status tml__maximal_accelerate(maximal_system* s, const double* x, const double* v,
                                   double* acceleration, double* lambda)
{
    return accelerate(s, EXACT_PASSES, x, v, acceleration, lambda);
}

tml_status tml__maximal_accelerate_nearby(maximal_system* s, const double* x, const double* v,
                                          double* acceleration, double* lambda)
{
    const int soft = s->node_count <= 300 ? SOFT_PASSES : MANY_SOFT_PASSES;
    return accelerate(s, s->may_be_redundant ? soft : EXACT_PASSES, x, v, acceleration, lambda);
}

// The change of velocities that the rows ask for into s->dx, its impulses into s->dl, and the rates of the
// rows before it, less, into s->lambda_start. `is_kept`: nobody writes to the matrix before the last solve with its factor.
static tml_status solve_velocity(maximal_system* s, bool is_kept, const double* x, const double* v)
{
    tml__maximal_stand(s, x, v);
    fill_index_1(s);
    tml__kkt_values(s->matrix)->is_kept = is_kept;

    double* rate = s->dl;
    double* opening = s->lambda_start;
    if (s->is_plain && !s->has_targets) {  // nothing but the bodies moves them
        tml__maximal_row_rates(s, rate);
        for (int row = 0; row < s->row_count; row++) rate[row] = -(0.0 + rate[row]);
    } else {
        tml__maximal_row_motions(s, rate, opening);
        tml__maximal_row_rates(s, opening);
        for (int row = 0; row < s->row_count; row++) {
            rate[row] = is_compliant(s, row) ? 0.0 : -(rate[row] + opening[row]);
        }
    }
    memcpy(opening, rate, (size_t)s->row_count * sizeof *rate);
    memset(s->residual, 0, (size_t)s->node_count * 6 * sizeof *s->residual);
    if (s->guest.self != NULL) s->guest.bring(s->guest.self, s->residual);
    return solve(s, EXACT_PASSES, s->residual, rate, s->dx, rate);
}

vec3 tml__maximal_spin(const double* x, const double* v)
{
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = {v[3], v[4], v[5], v[6]};
    return v3_scale(2.0 / q_dot(q, q), q_G(q, w));
}

static bool is_jump(maximal_system* s, const maximal_past* past, const double* x, const double* v)
{
    tml__jump_clear(s);
    for (int n = 0; n < s->node_count; n++) {
        const int at = n * POSE_WIDTH;
        const double* d = &s->dx[6 * n];
        const jump_body body = {v3_load(past->v + at),
                                tml__maximal_spin(past->x + at, past->v + at),
                                v3_load(v + at),
                                tml__maximal_spin(x + at, v + at),
                                v3_load(d),
                                v3_load(d + 3)};
        tml__jump_add(s, n, &body);
    }
    const jump_step step = {s->lambda_start, fabs(past->h), past->tolerance, true};
    return tml__jump_is(s, &step);
}

// v takes the change; the largest part of it is the answer.
static double take_velocity(maximal_system* s, const double* x, double* v)
{
    double change = 0.0;
    for (int n = 0; n < s->node_count; n++) {
        const vec3 dv = v3_load(&s->dx[6 * n]);
        const vec3 dw = v3_load(&s->dx[6 * n + 3]);
        const double largest = v3_max(dv) > v3_max(dw) ? v3_max(dv) : v3_max(dw);
        const double* p = &x[n * POSE_WIDTH];
        double* u = &v[n * POSE_WIDTH];
        if (largest > change) change = largest;
        tml__maximal_store_velocity(p, v3_add(v3_load(u), dv), v3_add(tml__maximal_spin(p, u), dw),
                                    u);
    }
    if (s->guest.self != NULL) s->guest.settled(s->guest.self, x, v);
    return change;
}

tml_status tml__maximal_project_velocity(maximal_system* s, const double* x, double* v,
                                         double* change)
{
    const tml_status status = solve_velocity(s, false, x, v);
    if (status == TML_OK) *change = take_velocity(s, x, v);
    return status;
}

// `impulse` NULL: nobody asks for them.
tml_status tml__maximal_settle(maximal_system* s, const maximal_past* past, const double* x,
                               double* v, double* acceleration, double* lambda, double* impulse,
                               bool* is_left)
{
    const tml_status status = solve_velocity(s, true, x, v);
    if (status != TML_OK) return status;
    *is_left = s->may_be_redundant && is_jump(s, past, x, v);
    if (*is_left && impulse != NULL) memset(impulse, 0, (size_t)s->row_count * sizeof *impulse);
    if (*is_left) return TML_OK;
    take_velocity(s, x, v);
    if (impulse != NULL) memcpy(impulse, s->dl, (size_t)s->row_count * sizeof *impulse);
    // only velocities have changed: joints stand where they did, and the matrix is that of the projection
    tml__maximal_hasten(s, x, v);
    if (s->tie_count > 0) tml__maximal_rows(s);
    pose_accelerations(s, x, v, lambda);
    return tml__kkt_solve(s->matrix, s->residual, s->dl, acceleration, lambda);
}

tml_status tml__maximal_impulse(maximal_system* s, double h, double baumgarte, double* dv,
                                double* lambda)
{
    double* rate = s->dl;
    double* opening = s->lambda_start;

    tml__maximal_rows(s);
    pose(s, lambda);
    fill_index_1(s);
    tml__maximal_row_motions(s, rate, opening);
    tml__maximal_row_rates(s, opening);
    for (int row = 0; row < s->row_count; row++) {
        // a limit is reached exactly; joints only as far as the stabilisation asks   [QRBD (49)]
        const double alpha = row >= s->first_limit ? 1.0 : baumgarte;
        const double closing = rate[row] + opening[row] + alpha / h * s->C[row];
        rate[row] = is_compliant(s, row) ? h * lambda[row] : -closing;
    }
    for (int i = 0; i < 6 * s->node_count; i++) s->residual[i] *= h;
    const tml_status status = solve(s, EXACT_PASSES, s->residual, rate, dv, lambda);
    for (int row = 0; row < s->row_count && status == TML_OK; row++) lambda[row] /= h;
    return status;
}

void tml__maximal_store_velocity(const double* x, vec3 linear, vec3 omega, double* v)
{
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = q_scale(0.5, q_Gt(q, omega));
    v3_store(v, linear);
    v[3] = w.w;
    v[4] = w.x;
    v[5] = w.y;
    v[6] = w.z;
}

// ---- positions: Newton on the rows alone, in the metric of the mass matrix

static void position_merit(void* self, newton_merit* out)
{
    maximal_system* s = self;
    tml__maximal_place(s, s->x, NULL);
    out->row = tml__maximal_rows(s);
    out->consistency = tml__maximal_consistency(s);
    out->merit = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        if (!is_compliant(s, row)) out->merit += s->C[row] * s->C[row];
    }
}

// What every row that does not give way lacks, into `rest`.
static void position_rest(const maximal_system* s, double* rest)
{
    for (int row = 0; row < s->row_count; row++) {
        rest[row] = is_compliant(s, row) ? 0.0 : -s->C[row];
    }
}

static void start_here(maximal_system* s)
{
    memcpy(s->x_start, s->x, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
}

tml_status tml__maximal_factor_position(maximal_system* s)
{
    s->is_still = true;
    tml__maximal_fill_mass(s);
    tml__maximal_fill_rows(s, -1.0);
    s->is_still = false;
    return tml__kkt_factor(s->matrix, &s->bad_row);
}

static tml_status position_direct(void* self, double* update)
{
    maximal_system* s = self;
    memset(s->residual, 0, (size_t)s->node_count * 6 * sizeof *s->residual);
    position_rest(s, s->dl);
    const bool is_slow = s->iterations++ >= QUICK_ITERATIONS;
    tml__kkt_set_passes(s->matrix, is_slow ? EXACT_PASSES : NEWTON_PASSES);
    tml_status status = tml__maximal_factor_position(s);
    if (status == TML_OK) status = tml__kkt_solve(s->matrix, s->residual, s->dl, s->dx, s->dl);
    if (status != TML_OK) return status;

    *update = largest_part(s->dx, 6 * s->node_count);
    start_here(s);
    return TML_OK;
}

static tml_status position_ahead(void* self, double* update)
{
    maximal_system* s = self;
    position_rest(s, s->ahead_dl);
    const tml_status status =
        tml__kkt_solve(s->matrix, s->residual, s->ahead_dl, s->ahead_dx, s->ahead_dl);
    *update = largest_part(s->ahead_dx, 6 * s->node_count);
    return status;
}

static void position_adopt(void* self)
{
    maximal_system* s = self;
    double* dx = s->dx;

    s->dx = s->ahead_dx;
    s->ahead_dx = dx;
    start_here(s);
}

static void position_move(void* self, double fraction)
{
    maximal_system* s = self;
    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_displace(&s->x[n * POSE_WIDTH], &s->x_start[n * POSE_WIDTH], &s->dx[6 * n],
                              fraction);
    }
}

tml_status tml__maximal_close(maximal_system* s, const newton_settings* settings,
                              newton_report* report)
{
    const newton_problem problem = {
        .self = s, .evaluate = position_merit, .direct = position_direct, .move = position_move};
    s->iterations = 0;
    return tml__newton(&problem, settings, report);
}

tml_status tml__maximal_close_nearby(maximal_system* s, const newton_settings* settings,
                                     newton_report* report)
{
    const newton_problem problem = {.self = s,
                                    .evaluate = position_merit,
                                    .direct = position_direct,
                                    .look_ahead = position_ahead,
                                    .adopt = position_adopt,
                                    .move = position_move,
                                    .ends_unseen = true};
    s->iterations = 0;
    return tml__newton(&problem, settings, report);
}

tml_status tml__maximal_project_position(maximal_system* s, double* x, double tolerance)
{
    const newton_settings settings = {
        .tolerance = tolerance, .max_iterations = 20, .min_consistency = 0.1};
    const size_t bytes = (size_t)s->node_count * POSE_WIDTH * sizeof(double);
    newton_report report;

    memcpy(s->x, x, bytes);
    const tml_status status = tml__maximal_close(s, &settings, &report);
    if (status == TML_OK) memcpy(x, s->x, bytes);
    return status;
}
