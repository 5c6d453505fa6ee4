// analysis/closing.c - damped Gauss-Newton steps in the mass norm until rows hold, then a walk along the
// closed rows to the nearest poses.
//
//   symbol   meaning
//   x0       where distances are measured from (c->from)
//   phi      world rotation vector from a body's orientation to its orientation in x0
//   size_i   C_i M^-1 C_i^T: one row on its own would close by a move of mass norm |C_i| / sqrt(size_i)
//
// A step solves  [ M  -C^T ; C  slack ] [d; mu] = [0; -C],  slack_i = damping size_i, which is
// Levenberg's damping seen from the rows: it minimises |d|_M^2 + sum (C_i + C d)^2 / slack_i.
#include "analysis/closing.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_damping = 1e-10;  // where a slack is needed: dependent rows stay solvable
static const double most_damping = 1e8;     // no step this small helps: it has come to rest
static const double most_turn = 0.6;        // rad a step: rows are trigonometric in the angles
static const double least_consistency = 0.1;

// ---- memory

static size_t flat_bytes(const closing* c)
{
    return (size_t)c->s->node_count * POSE_WIDTH * sizeof(double);
}

static size_t hint_bytes(const closing* c)
{
    return (size_t)c->s->model->all.joint_count * TML_AXES * sizeof(double);
}

static tml_status take_memory(closing* c)
{
    const size_t nodes = (size_t)c->s->node_count;
    const size_t joints = (size_t)c->s->model->all.joint_count;
    const tml_allocator* a = &c->allocator;

    c->from = tml__allocate(a, nodes * POSE_WIDTH, sizeof(double));
    c->kept = tml__allocate(a, nodes * POSE_WIDTH, sizeof(double));
    c->trial = tml__allocate(a, nodes * POSE_WIDTH, sizeof(double));
    c->size = tml__allocate(a, (size_t)c->s->row_count, sizeof(double));
    c->force = tml__allocate(a, nodes * 6, sizeof(double));
    c->step = tml__allocate(a, nodes * 6, sizeof(double));
    c->hints = tml__allocate(a, joints * TML_AXES, sizeof(double));
    const bool is_complete = c->from && c->kept && c->trial && c->size && c->force && c->step;
    return is_complete && c->hints ? TML_OK : TML_NO_MEMORY;
}

tml_status tml__closing_create(const tml_model* model, const derivation* how,
                               const tml_allocator* allocator, message* why, closing** out)
{
    *out = NULL;
    closing* c = tml__allocate(allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    c->allocator = *allocator;
    c->tolerance = 1e-10;
    c->budget = 2000;
    c->patience = 300;
    c->passes = 300;
    tml_status status = tml__derive(model, how, why, &c->model);
    if (status == TML_OK) {
        status = tml__maximal_create(c->model, KKT_AUGMENTED, allocator, why, &c->s);
    }
    if (status == TML_OK) c->s->is_still = true;
    if (status == TML_OK && take_memory(c) != TML_OK) {
        status = tml__fail(why, TML_NO_MEMORY, "out of memory");
    }
    if (status != TML_OK) {
        tml__closing_destroy(c);
        return status;
    }
    tml__maximal_time(c->s, 0.0, NULL);
    *out = c;
    return TML_OK;
}

void tml__closing_destroy(closing* c)
{
    if (c == NULL) return;
    const tml_allocator a = c->allocator;
    tml__maximal_destroy(c->s);
    tml__maximal_destroy(c->spare);
    tml_model_destroy(c->model);
    tml__release(&a, c->from);
    tml__release(&a, c->kept);
    tml__release(&a, c->trial);
    tml__release(&a, c->size);
    tml__release(&a, c->force);
    tml__release(&a, c->step);
    tml__release(&a, c->hints);
    tml__release(&a, c);
}

// ---- poses

static quat orientation(const double* x) { return q_normalize((quat){x[3], x[4], x[5], x[6]}); }

static void put_body(double* x, vec3 c, quat q)
{
    v3_store(x, c);
    x[3] = q.w;
    x[4] = q.x;
    x[5] = q.y;
    x[6] = q.z;
}

void tml__closing_load(const tml_model* m, const tml_pose* poses, double* x)
{
    for (int n = 0; n < m->node_count; n++) {
        const int b = m->node_body[n];
        const quat q = q_normalize(poses[b].q);
        put_body(&x[(size_t)n * POSE_WIDTH], v3_add(poses[b].p, q_rotate(q, m->bodies[b].com)), q);
    }
}

void tml__closing_store(const tml_model* m, const double* x, tml_pose* poses)
{
    for (int n = 0; n < m->node_count; n++) {
        const int b = m->node_body[n];
        const quat q = orientation(&x[(size_t)n * POSE_WIDTH]);
        const vec3 c = v3_load(&x[(size_t)n * POSE_WIDTH]);
        poses[b] = (tml_pose){.p = v3_sub(c, q_rotate(q, m->bodies[b].com)), .q = q};
    }
}

// ---- looking

double tml__closing_look(closing* c)
{
    tml__maximal_place(c->s, c->s->x, NULL);
    return tml__maximal_rows(c->s);
}

void tml__closing_remember(closing* c)
{
    maximal_system* s = c->s;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            if (!s->model->joints[j].axis[k].is_free) continue;
            s->hints[j * TML_AXES + k] = tml__maximal_coordinate(s, j, (tml_axis)k);
        }
    }
}

static void keep(closing* c)
{
    memcpy(c->kept, c->s->x, flat_bytes(c));
    memcpy(c->hints, c->s->hints, hint_bytes(c));
}

static double go_back(closing* c)
{
    memcpy(c->s->x, c->kept, flat_bytes(c));
    memcpy(c->s->hints, c->hints, hint_bytes(c));
    return tml__closing_look(c);
}

// ---- the linear system

// a . I^-1 a of a body at its present orientation.
static double turning_size(const maximal_system* s, int body, vec3 a)
{
    const vec3 local = m3_apply_t(s->bodies[body].R, a);
    return v3_dot(local, m3_apply(m3_inverse(s->model->bodies[body].inertia), local));
}

static double gradient_size(const maximal_system* s, const joint_data* j, const rigid_gradient* g)
{
    const body_data* F = &s->model->bodies[j->follower];
    const body_data* B = &s->model->bodies[j->base];
    double size = 0.0;
    if (F->node >= 0) size += v3_dot(g->n, g->n) / F->mass + turning_size(s, j->follower, g->t_F);
    if (B->node >= 0) size += v3_dot(g->n, g->n) / B->mass + turning_size(s, j->base, g->t_B);
    return size;
}

// The size of every row; 0 for rows that do not act, by the flags that the matrix was filled with.
static void measure_rows(closing* c)
{
    const maximal_system* s = c->s;
    const tml_model* m = s->model;
    const double* off = tml__kkt_values(s->matrix)->compliance;
    double largest = 0.0;

    for (int j = 0; j < m->all.joint_count; j++) {
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            c->size[row] = gradient_size(s, &m->joints[j], &s->gradient[row]);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        double size = 0.0;
        for (int t = s->first_term[i]; t < s->first_term[i + 1]; t++) {
            const int joint = m->all.couplings[i].terms[t - s->first_term[i]].joint.index;
            size += s->term_slope[t] * s->term_slope[t] *
                    gradient_size(s, &m->joints[joint], &s->term_gradient[t]);
        }
        c->size[s->first_coupling + i] = size;
    }
    for (int i = 0; i < s->tie_count; i++) {
        const int body = m->nonholonomics[s->tie_of[i]].body;
        const vec3 lever = v3_cross(s->ties[i].r, s->ties[i].n);
        if (m->bodies[body].node < 0) continue;
        c->size[s->first_tie + i] = 1.0 / m->bodies[body].mass + turning_size(s, body, lever);
    }
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        c->size[limit->row] = gradient_size(s, &m->joints[limit->joint], &s->gradient[limit->row]);
    }
    for (int row = 0; row < s->row_count; row++) {
        if (off[row] == 0.0 && c->size[row] > largest) largest = c->size[row];
    }
    for (int row = 0; row < s->row_count; row++) {
        // a row between bodies that never move has no size; it must not divide by zero
        if (!(c->size[row] > 1e-12 * largest)) c->size[row] = largest > 0.0 ? 1e-12 * largest : 1.0;
        if (off[row] != 0.0) c->size[row] = 0.0;
    }
}

// Mass matrix, rows, and their sizes at the placed bodies.
void tml__closing_fill(closing* c)
{
    tml__maximal_fill_mass(c->s);
    tml__maximal_fill_rows(c->s, -1.0);
    measure_rows(c);
}

bool tml__closing_switch(closing* c)
{
    message why;
    if (c->spare != NULL) return false;
    // the same model gives the same pattern, so the two systems can trade their matrices
    tml_status status = tml__maximal_create(c->model, KKT_KLU, &c->allocator, &why, &c->spare);
    if (status == TML_UNSUPPORTED) {
        status = tml__maximal_create(c->model, KKT_DENSE, &c->allocator, &why, &c->spare);
    }
    if (status != TML_OK) return false;
    kkt* pivoting = c->spare->matrix;
    c->spare->matrix = c->s->matrix;
    c->s->matrix = pivoting;
    return true;
}

// Slack on the rows that act, then factor and solve for `force` and `rows`.
static tml_status solve_with(closing* c, double slack, const double* rows, int refinements)
{
    maximal_system* s = c->s;
    double* E = tml__kkt_values(s->matrix)->compliance;
    const bool is_exact = c->spare == NULL && slack <= least_damping;

    for (int row = 0; row < s->row_count; row++) {
        E[row] = c->size[row] > 0.0 ? slack * c->size[row] : 1.0;
        if (is_exact && c->size[row] > 0.0) E[row] = 0.0;
        s->lambda[row] = 0.0;
    }
    if (is_exact) refinements = 0;
    c->spent++;
    c->budget--;
    tml_status status = tml__kkt_factor(s->matrix, &s->bad_row);
    for (int pass = 0; pass <= refinements && status == TML_OK; pass++) {
        // what the slack left open is put back on the right-hand side
        for (int row = 0; row < s->row_count; row++) {
            s->dl[row] = c->size[row] > 0.0 ? rows[row] + E[row] * s->lambda[row] : 0.0;
        }
        status = tml__kkt_solve(s->matrix, c->force, s->dl, c->step, s->lambda);
    }
    return status;
}

tml_status tml__closing_solve(closing* c, double stiffness, const double* rows, int refinements)
{
    // no slack, or one that is as small beside C (stiffness M)^-1 C^T
    const double slack = c->spare == NULL ? least_damping : least_damping / stiffness;
    return solve_with(c, slack, rows, refinements);
}

void tml__closing_move(closing* c, const double* base, double fraction)
{
    for (int n = 0; n < c->s->node_count; n++) {
        tml__maximal_displace(&c->s->x[(size_t)n * POSE_WIDTH], &base[(size_t)n * POSE_WIDTH],
                              &c->step[6 * (size_t)n], fraction);
    }
}

// The part of the step that turns no body too far.
static double cautious(const closing* c)
{
    double turn = 0.0;
    for (int n = 0; n < c->s->node_count; n++) {
        const double angle = v3_norm(v3_load(&c->step[6 * (size_t)n + 3]));
        if (!(angle <= turn)) turn = angle;
    }
    return turn > most_turn ? most_turn / turn : 1.0;
}

// ---- closing

static double open_squares(const closing* c)
{
    double sum = 0.0;
    for (int row = 0; row < c->s->row_count; row++) {
        if (c->size[row] > 0.0) sum += c->s->C[row] * c->s->C[row] / c->size[row];
    }
    return sum;
}

// A joint may come back from the far side but not go there.
static bool is_same_side(double now, double before)
{
    return now >= least_consistency || now >= before;
}

typedef struct descent {
    double gap;
    double damping;
    int stalls;  // steps in a row that hardly helped
} descent;

// One damped step; true when it was taken.
static bool descend(closing* c, descent* d)
{
    maximal_system* s = c->s;

    tml__closing_fill(c);
    const double before = open_squares(c);
    const double consistency = tml__maximal_consistency(s);
    memset(c->force, 0, (size_t)s->node_count * 6 * sizeof(double));
    for (int row = 0; row < s->row_count; row++) s->lambda_start[row] = -s->C[row];
    // without damping what the slack leaves open is taken up at once
    const int refinements = d->damping > least_damping ? 0 : 3;
    if (solve_with(c, d->damping, s->lambda_start, refinements) != TML_OK) {
        if (tml__closing_switch(c)) d->damping *= 0.1;  // that was no fault of the step
        return false;
    }

    memcpy(c->trial, s->x, flat_bytes(c));
    const double fraction = cautious(c);
    tml__closing_move(c, c->trial, fraction);
    const double gap = tml__closing_look(c);
    const double after = open_squares(c);
    const bool is_better = after <= before * (1.0 - 1e-4 * fraction) || gap < d->gap;
    if (isfinite(after) && after <= before && is_better &&
        is_same_side(tml__maximal_consistency(s), consistency)) {
        d->stalls = after > 0.999 * before ? d->stalls + 1 : 0;
        d->gap = gap;
        tml__closing_remember(c);
        return true;
    }
    memcpy(s->x, c->trial, flat_bytes(c));
    tml__closing_look(c);
    return false;
}

static tml_status close_rows(closing* c)
{
    descent d = {.gap = tml__closing_look(c), .damping = least_damping};

    for (int k = 0; k < c->patience && d.damping < most_damping && d.stalls < 20; k++) {
        if (d.gap == 0.0) return TML_OK;
        if (c->budget <= 0) return d.gap <= c->tolerance ? TML_OK : TML_NOT_CONVERGED;
        const double before = d.gap;
        if (descend(c, &d)) {
            d.damping = d.damping * 0.01 > least_damping ? d.damping * 0.01 : least_damping;
            // closed, and rounding has the last word
            if (before <= c->tolerance && d.gap > 0.25 * before) return TML_OK;
            if (d.gap <= 1e-15) return TML_OK;
        } else {
            if (d.gap <= c->tolerance) return TML_OK;
            d.damping *= 10.0;
        }
    }
    return d.gap <= c->tolerance ? TML_OK : TML_INFEASIBLE;
}

tml_status tml__closing_close(closing* c)
{
    const tml_status status = close_rows(c);
    tml__closing_remember(c);
    return status;
}

// ---- the nearest

// phi with exp(phi) q = to, |phi| <= pi.
static vec3 rotation_between(quat q, quat to)
{
    quat d = q_mul(to, q_conj(q));
    if (d.w < 0.0) d = q_scale(-1.0, d);
    const vec3 v = q_vec(d);
    const double sine = v3_norm(v);
    // below 1e-8 the angle is twice the sine to the last bit
    const double factor = sine < 1e-8 ? 2.0 / d.w : 2.0 * tml__atan2(sine, d.w) / sine;
    return v3_scale(factor, v);
}

// (theta / 2) cot(theta / 2) brought to the form that the inverse left Jacobian of rotations needs:
//   J_l^-1(phi) a = a - phi x a / 2 + k phi x (phi x a),   k = (1 - (theta/2) cot(theta/2)) / theta^2
static vec3 inverse_left(vec3 phi, vec3 a)
{
    const double theta = v3_norm(phi);
    const double half = 0.5 * theta;
    // below 1e-3 the series 1/12 + theta^2 / 720 is exact to 1e-15
    const double k = theta < 1e-3
                         ? 1.0 / 12.0 + theta * theta / 720.0
                         : (1.0 - half * tml__cos(half) / tml__sin(half)) / (theta * theta);
    const vec3 once = v3_cross(phi, a);
    return v3_add(v3_axpy(a, -0.5, once), v3_scale(k, v3_cross(phi, once)));
}

// The squared mass norm of x0 - x, and minus half its gradient into c->force.
//   E = sum m |dc|^2 + b . J b,  b = R0^T phi = R^T phi;   -dE/2 = J_l^-1(phi) R0 J b on rotations
static double pull(closing* c)
{
    const tml_model* m = c->s->model;
    double sum = 0.0;

    for (int n = 0; n < m->node_count; n++) {
        const body_data* body = &m->bodies[m->node_body[n]];
        const double* to = &c->from[(size_t)n * POSE_WIDTH];
        const double* at = &c->s->x[(size_t)n * POSE_WIDTH];
        const vec3 d = v3_sub(v3_load(to), v3_load(at));
        const quat q0 = orientation(to);
        const vec3 phi = rotation_between(orientation(at), q0);
        const mat3 R0 = q_matrix(q0);
        const vec3 b = m3_apply_t(R0, phi);
        const vec3 Jb = m3_apply(body->inertia, b);

        sum += body->mass * v3_dot(d, d) + v3_dot(b, Jb);
        v3_store(&c->force[6 * (size_t)n], v3_scale(body->mass, d));
        v3_store(&c->force[6 * (size_t)n + 3], inverse_left(phi, m3_apply(R0, Jb)));
    }
    return sum;
}

// The step along the rows towards x0; what it promises (force . step) is the answer.
static tml_status aim(closing* c, double* promise)
{
    const int count = 6 * c->s->node_count;

    tml__closing_fill(c);
    for (int row = 0; row < c->s->row_count; row++) c->s->lambda_start[row] = 0.0;
    const tml_status status = solve_with(c, least_damping, c->s->lambda_start, 2);
    if (status != TML_OK && tml__closing_switch(c)) return aim(c, promise);
    *promise = 0.0;
    c->slope = 0.0;
    for (int i = 0; i < count && status == TML_OK; i++) {
        *promise += c->force[i] * c->step[i];
        if (!(fabs(c->step[i]) <= c->slope)) c->slope = fabs(c->step[i]);
    }
    return status;
}

// The same with the rows' own curvature under the multipliers of that step: Newton's step. False
// where it leads away, which is where x0 is nearest to nothing yet.
static bool aim_with_curvature(closing* c, double* promise)
{
    const int count = 6 * c->s->node_count;
    double* mu = c->s->dl;  // solve_with starts its multipliers anew

    for (int row = 0; row < c->s->row_count; row++) {
        mu[row] = c->size[row] > 0.0 ? c->s->lambda[row] : 0.0;
    }
    tml__maximal_fill_mass(c->s);
    tml__maximal_fill_rows(c->s, -1.0);
    tml__maximal_fill_stiffness(c->s, mu, 1.0);
    if (solve_with(c, least_damping, c->s->lambda_start, 2) != TML_OK) return false;

    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += c->force[i] * c->step[i];
    if (!(sum > 0.0)) return false;
    *promise = sum;
    return true;
}

// Try shorter and shorter parts of the step, each put back on the rows; false when none is nearer.
static bool take_part(closing* c, double energy, double promise, int most_halvings)
{
    double* direction = c->s->residual;  // closing uses c->step, nobody here uses the residual
    const size_t bytes = (size_t)c->s->node_count * 6 * sizeof(double);
    double fraction = cautious(c);

    keep(c);
    memcpy(direction, c->step, bytes);
    for (int halvings = 0; halvings < most_halvings && c->budget > 0; halvings++) {
        memcpy(c->step, direction, bytes);
        tml__closing_move(c, c->kept, fraction);
        // 1e-14: rounding of the energy itself
        const bool is_closed = tml__closing_close(c) == TML_OK;
        const double least = energy * (1.0 + 1e-14) - 1e-4 * fraction * promise;
        if (is_closed && pull(c) <= least) return true;
        go_back(c);
        fraction *= 0.5;
    }
    return false;
}

tml_status tml__closing_approach(closing* c)
{
    double last = HUGE_VAL;
    int stalls = 0;

    for (int pass = 0; pass < c->passes && c->budget > 0; pass++) {
        double promise = 0.0;
        const double energy = pull(c);
        const tml_status status = aim(c, &promise);
        if (status != TML_OK) return status;
        stalls = c->slope > 0.9 * last ? stalls + 1 : 0;
        last = c->slope;
        // below that the energy cannot tell two poses apart
        if (c->slope <= 1e-10 || promise <= 1e-14 * energy) break;
        if (stalls > 8 || (stalls > 2 && c->slope <= 1e-7)) break;
        if (aim_with_curvature(c, &promise) && take_part(c, energy, promise, 3)) continue;
        pull(c);
        if (aim(c, &promise) != TML_OK || !take_part(c, energy, promise, 12)) break;
    }
    return TML_OK;
}

// ---- joint limits

// Engage what is passed; when nothing is, let go what pulls. Answers how many changed. A limit that
// has let go once stays free unless it is passed again.
static int update_limits(closing* c)
{
    maximal_system* s = c->s;
    int changed = 0;

    for (int i = 0; i < s->limit_count; i++) {
        const limit_room room = tml__maximal_limit_room(s, i);
        if (s->sides[i] != LIMIT_OFF) continue;
        if (room.lower < -0.1 * c->tolerance) s->sides[i] = LIMIT_LOWER;
        if (room.upper < -0.1 * c->tolerance) s->sides[i] = LIMIT_UPPER;
        if (s->sides[i] != LIMIT_OFF) changed++;
    }
    for (int i = 0; i < s->limit_count && changed == 0; i++) {
        const double push = s->lambda[s->limits[i].row];
        const bool pulls = (s->sides[i] == LIMIT_LOWER && push < -1e-9) ||
                           (s->sides[i] == LIMIT_UPPER && push > 1e-9);
        if (!pulls) continue;
        s->sides[i] = LIMIT_OFF;
        changed++;
    }
    return changed;
}

tml_status tml__closing_assemble(closing* c)
{
    tml_status status = TML_OK;

    for (int pass = 0; pass <= 4 * c->s->limit_count + 1; pass++) {
        status = tml__closing_close(c);
        if (status == TML_OK) status = tml__closing_approach(c);
        if (status != TML_OK || c->s->limit_count == 0) return status;
        // multipliers of the last step say which limits pull
        double promise = 0.0;
        pull(c);
        status = aim(c, &promise);
        if (status != TML_OK || update_limits(c) == 0) return status;
    }
    return TML_NOT_CONVERGED;
}

// ---- for people

static void mark_largest(const closing* c, int* rows, int count)
{
    for (int k = 0; k < count; k++) {
        rows[k] = -1;
        for (int row = 0; row < c->s->row_count; row++) {
            bool is_taken = !(c->size[row] > 0.0);
            for (int i = 0; i < k; i++) is_taken = is_taken || rows[i] == row;
            if (is_taken) continue;
            if (rows[k] < 0 || fabs(c->s->C[row]) > fabs(c->s->C[rows[k]])) rows[k] = row;
        }
    }
}

void tml__closing_describe(const closing* c, tml_status status, message* why)
{
    char text[sizeof why->text - 200];
    size_t used = 0;
    int rows[6];
    text[0] = '\0';
    mark_largest(c, rows, 6);
    for (int k = 0; k < 6 && rows[k] >= 0; k++) {
        char name[120];
        if (fabs(c->s->C[rows[k]]) <= c->tolerance) break;
        tml__maximal_row_name(c->s, rows[k], name, sizeof name);
        const int length = snprintf(text + used, sizeof text - used, "%s%s by %.3g",
                                    k > 0 ? ", " : "", name, fabs(c->s->C[rows[k]]));
        if (length < 0 || (size_t)length >= sizeof text - used) break;
        used += (size_t)length;
    }
    if (status == TML_INFEASIBLE) {
        tml__fail(why, status, "it cannot be assembled from here; still open: %s", text);
    } else if (status == TML_NOT_CONVERGED) {
        tml__fail(why, status, "the iterations ran out while assembling; still open: %s", text);
    } else {
        tml__fail(why, status, "assembling failed: %s", tml_status_name(status));
    }
}
