// diff/instant.c - the equations of one instant as linear maps: closing positions, settling
// velocities, accelerations. All three have the matrix [M -C^T; C 0].
//
//   positions      M dx - C^T l = 0                            C dx + C_given = 0
//   velocities     M (u - u_raw) - C^T l = 0                   C' (x, u) = 0
//   accelerations  M a + gyro - forces - C^T lambda = 0        C''(x, u, a) = 0
//
// Forwards: the change of the left sides by everything given, then one solve. Backwards: one
// transposed solve, then the same changes transposed.
#include "method/instant.h"

#include "diff/work.h"

#include <string.h>

enum {
    EXACT_PASSES = 30,
    CLOSINGS = 12  // far more than Newton takes from an integrated pose
};

// One step of closing joints.
typedef struct closing {
    double *x, *dx, *push;
    double* motion;     // dx without what was wished for: what masses resist
    closing_wish wish;  // of the first step
} closing;

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

static tml_status solve_matrix(const instant* i, const double* r, const double* c, double* x,
                               double* l)
{
    maximal_system* s = i->sim->system;
    const tml_status status = factor(i);
    if (status != TML_OK) return status;
    return i->way == PARTIAL_FORWARD ? tml__kkt_solve(s->matrix, r, c, x, l)
                                     : tml__kkt_solve_transposed(s->matrix, r, c, x, l);
}

// Forwards: work->dx and dl from the changes E and rows of the left sides.
// Backwards: gradients by E and rows from those by dx and dl.
static tml_status solve_by(const instant* i, const accelerator* by)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const bool is_forward = i->way == PARTIAL_FORWARD;
    double* r = is_forward ? w->E : w->dx;
    double* c = is_forward ? w->rows : w->dl;
    double* x = is_forward ? w->dx : w->E;
    double* l = is_forward ? w->dl : w->rows;

    const tml_status status =
        by != NULL ? by->solve(i->sim, i->way, r, c, x, l) : solve_matrix(i, r, c, x, l);
    // who solves instead says why himself
    if (status != TML_OK && by == NULL)
        tml__fail(&i->sim->why, status, "a linearised step has no solution");
    if (status != TML_OK) return status;
    for (int k = 0; k < six; k++) x[k] = -x[k];
    for (int k = 0; k < s->row_count; k++) l[k] = -l[k];
    return TML_OK;
}

static tml_status solve(const instant* i) { return solve_by(i, NULL); }

static void carry3(partial_direction way, const mat3* M, double* input, double* output)
{
    tml__carry(way, &M->m[0][0], 3, 3, input, output);
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

// One step of closing joints, from the pose x by the motion dx with the pushes l:
//     M (dx - wish) - C^T l = 0,   C_x dx + C = 0,   then x moves by dx.
// Its change by the pose before (in) and after (out); C_x dx is C' with the velocities dx.
static void closing_product(const instant* i, const closing* c, double* pose)
{
    const double* push = c->push;
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const inertia_point inertia = {.s = s, .motion = c->motion};
    const partial_point at = {.lambda = push, .self = &inertia, .inertia = tml__inertia_columns};
    const inertia_point still = {.s = s};
    const partial_point rate = {
        .level = 1, .lambda = w->push, .self = &still, .inertia = tml__inertia_columns};

    tml__inertia_product(&inertia, i->way, pose, NULL, w->E);
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_bending(s, push, 1.0);
    block_product(i, pose, w->E);
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__row_product(s, &at, i->way, pose, NULL, w->rows);
    // the second half: rows by the motion; nothing pushes
    clear(w->push, s->row_count);
    tml__parameter_product(s, &rate, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__row_product(s, &rate, i->way, pose, NULL, w->rows);
}

// Targets that stand still have no rates that could change.
static void forget_rates(const instant* i)
{
    const tml_model* m = i->sim->model;
    for (int k = 0; k < m->control_count; k++) {
        const control_axis* id = &m->control_axes[k];
        const int first = (id->joint * TML_AXES + (int)id->axis) * AXIS_PARAMETERS;
        i->x->inputs.form.axis[first + AXIS_TARGET_RATE] = 0.0;
        i->x->inputs.form.axis[first + AXIS_TARGET_ACCELERATION] = 0.0;
    }
}

// Bodies at x with the velocities dx, and targets that stand still.
static void place_closing(const instant* i, const double* x, const double* dx)
{
    maximal_system* s = i->sim->system;
    const tml_model* m = s->model;

    tml__instant_targets(i);
    for (int k = 0; k < m->all.joint_count * TML_AXES; k++) {
        s->targets.axis[k].rate = 0.0;
        s->targets.axis[k].acceleration = 0.0;
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        tml__joint_turn(&m->joints[j], &s->rows[j], &s->targets.axis[j * TML_AXES], &s->turns[j]);
    }
    forget_rates(i);
    tml__maximal_place(s, x, NULL);
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[m->node_body[n]];
        b->v = v3_load(&dx[6 * n]);
        b->omega = v3_load(&dx[6 * n + 3]);
    }
    tml__maximal_rows(s);
}

// A pose that was turned by theta and then by dtheta more: R(theta) dphi + J(theta) dtheta, J the left
// Jacobian of the rotation vector.
void tml__turn_product(partial_direction way, vec3 theta, double* before, double* more,
                       double* after)
{
    const mat3 R = q_matrix(q_exp(theta));
    mat3 J;
    for (int k = 0; k < 3; k++) {
        const vec3 column = tml__q_exp_rate(theta, v3_unit(k));
        for (int c = 0; c < 3; c++) J.m[c][k] = v3_at(column, c);
    }
    carry3(way, &R, before, after);
    carry3(way, &J, more, after);
}

// `pose` in place: forwards from before the step to after it, backwards the other way.
static tml_status close_step(const instant* i, const closing* c, double* pose)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;

    place_closing(i, c->x, c->dx);
    clear_left_sides(i);
    if (i->way == PARTIAL_FORWARD) {
        closing_product(i, c, pose);
        if (c->wish.change != NULL) tml__add_momenta(s, -1.0, c->wish.change, w->E);
        const tml_status status = solve(i);
        for (int n = 0; n < s->node_count; n++) {
            double after[3] = {0.0, 0.0, 0.0};
            tml__turn_product(i->way, v3_load(&c->dx[6 * n + 3]), &pose[6 * n + 3],
                              &w->dx[6 * n + 3], after);
            for (int k = 0; k < 3; k++) {
                pose[6 * n + k] += w->dx[6 * n + k];
                pose[6 * n + 3 + k] = after[k];
            }
        }
        return status;
    }
    clear(w->dl, s->row_count);
    clear(w->dx, six);
    for (int n = 0; n < s->node_count; n++) {
        double before[3] = {0.0, 0.0, 0.0};
        tml__turn_product(i->way, v3_load(&c->dx[6 * n + 3]), before, &w->dx[6 * n + 3],
                          &pose[6 * n + 3]);
        for (int k = 0; k < 3; k++) {
            w->dx[6 * n + k] = pose[6 * n + k];
            pose[6 * n + 3 + k] = before[k];
        }
    }
    const tml_status status = solve(i);
    if (status != TML_OK) return status;
    closing_product(i, c, pose);
    if (c->wish.change != NULL) tml__add_momenta(s, -1.0, w->E, c->wish.change);
    forget_rates(i);
    tml__instant_controls(i);
    return TML_OK;
}

// The steps of closing from q, again: at most CLOSINGS of them, the last one at the closed pose and of
// no length. Redundant rows contradict each other off the closed poses, where exact steps would go
// astray: of those only the last step is taken, and what the correction itself changes is left out.
static tml_status repeat_closing(const instant* i, const double* q, const double* closed,
                                 closing_wish wish, closing* list, int* count)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const size_t width = (size_t)i->sim->width * sizeof(double);
    const double enough = i->sim->settings.tolerance;
    double* x = w->k_q[1];

    memcpy(x, q, width);
    *count = 0;
    while (*count < CLOSINGS - 1 && !s->may_be_redundant) {
        closing* c = &list[*count];
        memcpy(c->x, x, width);
        clear(c->dx, 6 * s->node_count);
        place_closing(i, c->x, c->dx);
        double open = 0.0;
        for (int row = 0; row < s->row_count; row++) {
            w->dl[row] = s->compliance[row] > 0.0 ? 0.0 : -s->C[row];
            open = tml__larger(open, w->dl[row]);
        }
        c->wish = *count == 0 ? wish : (closing_wish){NULL, NULL};
        if (open <= enough && c->wish.motion == NULL) break;
        tml_status status = factor(i);
        clear(w->dx, 6 * s->node_count);
        if (c->wish.motion != NULL) tml__add_momenta(s, 1.0, c->wish.motion, w->dx);
        if (status == TML_OK) status = tml__kkt_solve(s->matrix, w->dx, w->dl, c->dx, c->push);
        if (status != TML_OK) return status;
        for (int n = 0; n < s->node_count; n++) {
            tml__maximal_displace(&x[POSE_WIDTH * n], &x[POSE_WIDTH * n], &c->dx[6 * n], 1.0);
        }
        for (int k = 0; k < 6 * s->node_count; k++) {
            c->motion[k] = c->dx[k] - (c->wish.motion != NULL ? c->wish.motion[k] : 0.0);
        }
        ++*count;
    }
    closing* last = &list[(*count)++];
    memcpy(last->x, closed, width);
    clear(last->dx, 6 * s->node_count);
    clear(last->motion, 6 * s->node_count);
    clear(last->push, s->row_count);
    return TML_OK;
}

tml_status tml__linear_close(const instant* i, const double* q, const double* closed,
                             closing_wish wish, double* raw, double* out)
{
    const maximal_system* s = i->sim->system;
    const size_t six = 6 * (size_t)s->node_count;
    const size_t rows = (size_t)s->row_count;
    const size_t width = (size_t)i->sim->width;
    const bool is_forward = i->way == PARTIAL_FORWARD;
    closing list[CLOSINGS];
    int count = 0;
    double* memory =
        tml__allocate(&i->work->allocator, CLOSINGS * (width + 2 * six + rows), sizeof(double));
    if (memory == NULL) return tml__fail(&i->sim->why, TML_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < CLOSINGS; k++) {
        double* at = memory + k * (width + 2 * six + rows);
        list[k] = (closing){
            .x = at, .dx = at + width, .motion = at + width + six, .push = at + width + 2 * six};
    }
    tml_status status = repeat_closing(i, q, closed, wish, list, &count);
    if (is_forward) memcpy(out, raw, six * sizeof *out);
    for (int k = 0; k < count && status == TML_OK; k++) {
        status = close_step(i, &list[is_forward ? k : count - 1 - k], out);
    }
    if (!is_forward) add((int)six, out, raw);
    tml__release(&i->work->allocator, memory);
    return status;
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
        .level = 1, .lambda = w->push, .self = &inertia, .inertia = tml__inertia_columns};

    tml__inertia_product(&inertia, i->way, pose, NULL, w->E);
    tml__kkt_clear(s->matrix);
    tml__maximal_fill_bending(s, w->push, 1.0);
    block_product(i, pose, w->E);
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__row_product(s, &at, i->way, pose, raw, w->rows);
}

tml_status tml__linear_settle(const instant* i, const double* q, const double* v, double* pose,
                              double* raw, double* out, double* push)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const size_t rows = (size_t)s->row_count * sizeof(double);

    tml_status status = settle_again(i, q, v);
    if (status != TML_OK) return status;
    clear_left_sides(i);
    if (i->way == PARTIAL_FORWARD) {
        settle_product(i, pose, raw);
        status = solve(i);
        for (int k = 0; k < six; k++) out[k] = raw[k] + w->dx[k];
        if (push != NULL) memcpy(push, w->dl, rows);
        return status;
    }
    memcpy(w->dx, out, (size_t)six * sizeof *out);
    clear(w->dl, s->row_count);
    if (push != NULL) memcpy(w->dl, push, rows);
    add(six, out, raw);
    status = solve(i);
    if (status != TML_OK) return status;
    settle_product(i, pose, raw);
    tml__instant_controls(i);
    return TML_OK;
}

// C delta is C' with the velocities delta and targets that stand still.
void tml__linear_kick_product(const instant* i, const double* q, const double* delta,
                              const double* push, double* pose)
{
    const maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    place_closing(i, q, delta);
    copy(w->impulse, delta, 6 * s->node_count);
    copy(w->push, push, s->row_count);
    clear(w->raw, 6 * s->node_count);
    settle_product(i, pose, w->raw);
    forget_rates(i);
    tml__instant_controls(i);
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
                              .inertia = tml__inertia_columns};
    const lift none = {0.0, {{{0.0}}}};

    tml__inertia_product(&inertia, i->way, pose, velocity, w->E);
    tml__kkt_clear(s->matrix);
    for (int b = 0; b <= s->model->all.body_count; b++) s->lifts[b] = none;
    tml__maximal_fill_stiffness(s, w->lambda, 1.0);
    block_product(i, pose, w->E);
    tml__damping_product(s, i->way, velocity, w->E);
    tml__parameter_product(s, &at, i->way, &i->x->inputs.form, w->E, w->rows);
    tml__row_product(s, &at, i->way, pose, velocity, w->rows);
    for (int k = 0; k < 6 * s->node_count && i->push != NULL; k++) {
        if (i->way == PARTIAL_FORWARD) {
            w->E[k] -= i->push[k];
        } else {
            i->push[k] -= w->E[k];
        }
    }
}

void tml__linear_rows(tml_sim* sim, linear_work* work, partial_direction way,
                      const parameter_set* in, double* pose, double* rows)
{
    maximal_system* s = sim->system;
    const inertia_point still = {.s = s};
    const partial_point at = {
        .lambda = work->push, .self = &still, .inertia = tml__inertia_columns};
    clear(work->push, s->row_count);  // nothing pushes
    clear(work->raw, 6 * s->node_count);
    tml__parameter_product(s, &at, way, in, work->raw, rows);
    if (pose != NULL) tml__row_product(s, &at, way, pose, NULL, rows);
}

// C^T l of an instant, or C x: rows as they stand.
static void rows_across(const instant* i, partial_direction way, double* x, double* l)
{
    maximal_system* s = i->sim->system;
    const partial_point at = {.lambda = i->work->push};
    tml__row_product(s, &at, way, x, NULL, l);
}

// Rows that give way push with lambda = -C / compliance, whatever the accelerations: w->spring and E.
static void springs_forward(const instant* i, double* pose)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    if (!tml__maximal_has_compliance(s)) return;
    clear(w->spring, s->row_count);
    tml__linear_rows(i->sim, w, i->way, &i->x->inputs.form, pose, w->spring);
    for (int k = 0; k < s->row_count; k++) {
        const double c = s->compliance[k];
        w->spring[k] = c > 0.0 ? -w->spring[k] / c : 0.0;
    }
    clear(w->raw, 6 * s->node_count);
    rows_across(i, PARTIAL_BACKWARD, w->raw, w->spring);
    for (int k = 0; k < 6 * s->node_count; k++) w->E[k] -= w->raw[k];
}

// w->spring: gradients by what they push; w->E by the equations.
static void springs_backward(const instant* i, double* pose)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    if (!tml__maximal_has_compliance(s)) return;
    clear(w->dl, s->row_count);
    rows_across(i, PARTIAL_FORWARD, w->E, w->dl);
    for (int k = 0; k < s->row_count; k++) {
        const double c = s->compliance[k];
        w->spring[k] = c > 0.0 ? -(w->spring[k] - w->dl[k]) / c : 0.0;
    }
    tml__linear_rows(i->sim, w, i->way, &i->x->inputs.form, pose, w->spring);
}

tml_status tml__linear_accelerate(const instant* i, const double* q, const double* v, double* pose,
                                  double* velocity, double* acceleration, double* lambda)
{
    maximal_system* s = i->sim->system;
    linear_work* w = i->work;
    const int six = 6 * s->node_count;
    const accelerator* by = w->accelerator;

    tml__instant_targets(i);
    tml_status status = by != NULL ? by->accelerate(i->sim, q, v, w->acceleration, w->lambda)
                                   : tml__maximal_accelerate(s, q, v, w->acceleration, w->lambda);
    if (status != TML_OK) return tml__maximal_describe_failure(s, status, NULL, &i->sim->why);
    clear_left_sides(i);
    if (i->way == PARTIAL_FORWARD) {
        accelerate_product(i, pose, velocity);
        springs_forward(i, pose);
        status = solve_by(i, by);
        for (int k = 0; k < s->row_count; k++) {
            if (s->compliance[k] > 0.0) w->dl[k] = w->spring[k];
        }
        memcpy(acceleration, w->dx, (size_t)six * sizeof *w->dx);
        memcpy(lambda, w->dl, (size_t)s->row_count * sizeof *w->dl);
        return status;
    }
    memcpy(w->dx, acceleration, (size_t)six * sizeof *w->dx);
    memcpy(w->dl, lambda, (size_t)s->row_count * sizeof *w->dl);
    for (int k = 0; k < s->row_count; k++) {
        w->spring[k] = s->compliance[k] > 0.0 ? w->dl[k] : 0.0;
        if (s->compliance[k] > 0.0) w->dl[k] = 0.0;
    }
    status = solve_by(i, by);
    if (status != TML_OK) return status;
    accelerate_product(i, pose, velocity);
    springs_backward(i, pose);
    tml__instant_controls(i);
    return TML_OK;
}

tml_status tml__linear_multipliers(const instant* i, const double* q, const double* v)
{
    linear_work* w = i->work;
    const int n = i->sim->width;
    const int nodes = i->sim->model->node_count;
    double* dq = i->x->next;
    double* dv = dq + n;
    double* dlambda = dv + n;

    if (i->way == PARTIAL_FORWARD) {
        tml__flat_to_pose(i->way, q, nodes, dq, w->pose);
        tml__rate_to_velocity(i->way, q, v, nodes, dq, dv, w->velocity);
        return tml__linear_accelerate(i, q, v, w->pose, w->velocity, w->acceleration_d, dlambda);
    }
    clear(w->pose, 6 * nodes);
    clear(w->velocity, 6 * nodes);
    clear(w->acceleration_d, 6 * nodes);
    const tml_status status =
        tml__linear_accelerate(i, q, v, w->pose, w->velocity, w->acceleration_d, dlambda);
    tml__rate_to_velocity(i->way, q, v, nodes, dq, dv, w->velocity);
    tml__flat_to_pose(i->way, q, nodes, dq, w->pose);
    clear(dlambda, i->sim->system->row_count);
    return status;
}
