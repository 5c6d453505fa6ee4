// sim/linear_instant.c - the equations of one instant as linear maps: closing positions, settling
// velocities, accelerations. All three have the matrix [M -C^T; C 0].
//
//   positions      M dx - C^T l = 0                            C dx + C_given = 0
//   velocities     M (u - u_raw) - C^T l = 0                   C' (x, u) = 0
//   accelerations  M a + gyro - forces - C^T lambda = 0        C''(x, u, a) = 0
//
// Forwards: the change of the left sides by everything given, then one solve. Backwards: one
// transposed solve, then the same changes transposed.
#include "sim/linear_work.h"

#include <string.h>

enum {
    EXACT_PASSES = 30
};

static void clear(double* x, int count) { memset(x, 0, (size_t)count * sizeof *x); }

static void add(int count, const double* x, double* to)
{
    for (int i = 0; i < count; i++) to[i] += x[i];
}

static tml_status factor(const instant* i)
{
    maximal_system* s = i->sim->system;
    tml__kkt_set_passes(s->matrix, EXACT_PASSES);
    const tml_status status = tml__maximal_factor_position(s);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
}

// Forwards: work->dx and dl from the changes E and rows of the left sides.
// Backwards: gradients by E and rows from those by dx and dl.
static tml_status solve(const instant* i)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const bool is_forward = i->way == PARTIAL_FORWARD;
    double* r = is_forward ? w->E : w->dx;
    double* c = is_forward ? w->rows : w->dl;
    double* x = is_forward ? w->dx : w->E;
    double* l = is_forward ? w->dl : w->rows;

    tml_status status = factor(i);
    if (status != TML_OK) return status;
    status = is_forward ? tml__kkt_solve(s->matrix, r, c, x, l)
                        : tml__kkt_solve_transposed(s->matrix, r, c, x, l);
    if (status != TML_OK)
        return tml__fail(&i->sim->why, status, "a linearised step has no solution");
    for (int k = 0; k < six; k++) x[k] = -x[k];
    for (int k = 0; k < s->row_count; k++) l[k] = -l[k];
    return TML_OK;
}

// ---- inertia

// Where the inertial part stands: velocities or accelerations times mass, with or without the
// gyroscopic torque.
typedef struct inertia_point {
    const maximal_system* s;
    const double* motion;  // 6 a node; NULL: zeros
    bool has_gyro;
} inertia_point;

static void inertia_columns_of(const void* self, int node, inertia_columns* out)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const inertia_point* at = self;
    const rigid* body = &at->s->bodies[at->s->model->node_body[node]];

    *out = (inertia_columns){.linear = v3_zero()};
    if (at->motion == NULL) return;
    out->linear = v3_load(&at->motion[6 * node]);
    const vec3 alpha = m3_apply_t(body->R, v3_load(&at->motion[6 * node + 3]));
    const vec3 omega = m3_apply_t(body->R, body->omega);
    for (int i = 0; i < 6; i++) {
        mat3 unit = m3_zero();
        unit.m[row[i]][column[i]] = 1.0;
        unit.m[column[i]][row[i]] = 1.0;
        vec3 torque = m3_apply(unit, alpha);
        if (at->has_gyro) torque = v3_add(torque, v3_cross(omega, m3_apply(unit, omega)));
        out->turn[i] = m3_apply(body->R, torque);
    }
}

// d(I x) = (I [x] - [I x]) dphi for a vector x that stays
static mat3 turned_inertia(mat3 I, vec3 x)
{
    return m3_sub(m3_mul(I, m3_skew(x)), m3_skew(m3_apply(I, x)));
}

static void carry3(partial_direction way, const mat3* M, double* input, double* output)
{
    tml__carry(way, &M->m[0][0], 3, 3, input, output);
}

// The inertial part by poses, and by velocities where it is gyroscopic.
static void inertia_product(const instant* i, const inertia_point* at, double* pose,
                            double* velocity, double* E)
{
    const tml_model* m = i->sim->model;

    for (int n = 0; n < at->s->node_count; n++) {
        const int b = m->node_body[n];
        const rigid* body = &at->s->bodies[b];
        const mat3 I = m3_mul_bt(m3_mul(body->R, m->bodies[b].inertia), body->R);
        mat3 by_pose = turned_inertia(I, v3_load(&at->motion[6 * n + 3]));
        if (at->has_gyro) {
            const mat3 spin = m3_skew(body->omega);
            by_pose = m3_add(by_pose, m3_mul(spin, turned_inertia(I, body->omega)));
            const mat3 by_omega = m3_sub(m3_mul(spin, I), m3_skew(m3_apply(I, body->omega)));
            carry3(i->way, &by_omega, &velocity[6 * n + 3], &E[6 * n + 3]);
        }
        carry3(i->way, &by_pose, &pose[6 * n + 3], &E[6 * n + 3]);
    }
}

// Blocks of s->matrix, as filled, by poses.
static void block_product(const instant* i, double* pose, double* E)
{
    if (i->way == PARTIAL_FORWARD) {
        tml__kkt_add_blocks(i->sim->system->matrix, pose, E);
    } else {
        tml__kkt_add_blocks_transposed(i->sim->system->matrix, E, pose);
    }
}

static void clear_left_sides(const instant* i)
{
    if (i->way == PARTIAL_BACKWARD) return;
    clear(i->work->E, 6 * i->sim->system->node_count);
    clear(i->work->rows, i->sim->system->row_count);
}

// ---- positions

tml_status tml__linear_close(const instant* i, const double* q, double* raw, double* out)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const inertia_point inertia = {.s = s};
    const partial_point at = {.lambda = w->push, .self = &inertia, .inertia = inertia_columns_of};

    clear(w->push, s->row_count);
    tml__instant_targets(i);
    tml__maximal_place(s, q, NULL);
    tml__maximal_rows(s);
    clear_left_sides(i);
    if (i->way == PARTIAL_FORWARD) {
        tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
        tml__row_product(s, &at, i->way, raw, NULL, w->rows);
        const tml_status status = solve(i);
        for (int k = 0; k < six; k++) out[k] = raw[k] + w->dx[k];
        return status;
    }
    memcpy(w->dx, out, (size_t)six * sizeof *out);
    clear(w->dl, s->row_count);
    add(six, out, raw);
    const tml_status status = solve(i);
    if (status != TML_OK) return status;
    tml__row_product(s, &at, i->way, raw, NULL, w->rows);
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__instant_controls(i);
    return TML_OK;
}

// ---- velocities

// The projection itself again: velocity changes and impulses, and the bodies as it left them.
static tml_status settle_again(const instant* i, const double* q, const double* v)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    double change = 0.0;

    tml__instant_targets(i);
    memcpy(w->v, v, (size_t)i->sim->width * sizeof *v);
    const tml_status status = tml__maximal_project_velocity(s, q, w->v, &change);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
    memcpy(w->impulse, s->dx, (size_t)(6 * s->node_count) * sizeof *w->impulse);
    memcpy(w->push, s->dl, (size_t)s->row_count * sizeof *w->push);
    tml__maximal_place(s, q, w->v);
    tml__maximal_rows(s);
    return TML_OK;
}

// M (u - u_raw) - C^T l and C' by everything but u - u_raw and l themselves.
static void settle_product(const instant* i, double* pose, double* raw)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const inertia_point inertia = {.s = s, .motion = w->impulse};
    const partial_point at = {
        .level = 1, .lambda = w->push, .self = &inertia, .inertia = inertia_columns_of};

    inertia_product(i, &inertia, pose, NULL, w->E);
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_bending(s, w->push, 1.0);
    block_product(i, pose, w->E);
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__row_product(s, &at, i->way, pose, raw, w->rows);
}

tml_status tml__linear_settle(const instant* i, const double* q, const double* v, double* pose,
                              double* raw, double* out)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;

    tml_status status = settle_again(i, q, v);
    if (status != TML_OK) return status;
    clear_left_sides(i);
    if (i->way == PARTIAL_FORWARD) {
        settle_product(i, pose, raw);
        status = solve(i);
        for (int k = 0; k < six; k++) out[k] = raw[k] + w->dx[k];
        return status;
    }
    memcpy(w->dx, out, (size_t)six * sizeof *out);
    clear(w->dl, s->row_count);
    add(six, out, raw);
    status = solve(i);
    if (status != TML_OK) return status;
    settle_product(i, pose, raw);
    tml__instant_controls(i);
    return TML_OK;
}

// ---- accelerations

static void accelerate_product(const instant* i, double* pose, double* velocity)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const inertia_point inertia = {.s = s, .motion = w->acceleration, .has_gyro = true};
    const partial_point at = {.level = 2,
                              .has_forces = true,
                              .lambda = w->lambda,
                              .acceleration = w->acceleration,
                              .self = &inertia,
                              .inertia = inertia_columns_of};
    const lift none = {0.0, {{{0.0}}}};

    inertia_product(i, &inertia, pose, velocity, w->E);
    tml__kkt_clear(s->matrix);
    for (int b = 0; b <= s->model->all.body_count; b++) s->lifts[b] = none;
    tml__maximal_fill_stiffness(s, w->lambda, 1.0);
    block_product(i, pose, w->E);
    tml__damping_product(s, i->way, velocity, w->E);
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__row_product(s, &at, i->way, pose, velocity, w->rows);
}

// Rows that give way would push with what their positions ask for: not linearised here.
static tml_status refuse_compliance(const instant* i)
{
    const maximal_system* s = i->sim->system;
    for (int row = 0; row < s->row_count; row++) {
        char name[256];
        if (!(s->compliance[row] > 0.0)) continue;
        tml__maximal_row_name(s, row, name, sizeof name);
        return tml__fail(
            &i->sim->why, TML_UNSUPPORTED,
            "%s is compliant: the multipliers and accurate starts of such a model have "
            "no derivatives in this version",
            name);
    }
    return TML_OK;
}

tml_status tml__linear_accelerate(const instant* i, const double* q, const double* v, double* pose,
                                  double* velocity, double* acceleration, double* lambda)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;

    tml_status status = refuse_compliance(i);
    if (status != TML_OK) return status;
    tml__instant_targets(i);
    status = tml__maximal_accelerate(s, q, v, w->acceleration, w->lambda);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
    clear_left_sides(i);
    if (i->way == PARTIAL_FORWARD) {
        accelerate_product(i, pose, velocity);
        status = solve(i);
        memcpy(acceleration, w->dx, (size_t)six * sizeof *w->dx);
        memcpy(lambda, w->dl, (size_t)s->row_count * sizeof *w->dl);
        return status;
    }
    memcpy(w->dx, acceleration, (size_t)six * sizeof *w->dx);
    memcpy(w->dl, lambda, (size_t)s->row_count * sizeof *w->dl);
    status = solve(i);
    if (status != TML_OK) return status;
    accelerate_product(i, pose, velocity);
    tml__instant_controls(i);
    return TML_OK;
}
