// method/affine/linear.c - steps of the affine formulation as linear maps.                [notes 9]
//
// A step solves
//     beta r(end; start, before, parameters) = 0,   C(end; parameters) = 0
// with the Newton matrix A of its solution; then velocities follow the ends, and `energy` projects them:
//     forwards    A (dx, beta dlambda) = -(beta dr, dC)
//     backwards   A^T z = (g_x, 0),   g_r = -beta z_r,   g_C = -z_C
// Only poses and velocities are carried on (6 numbers a node each). The multipliers of a state are those of its
// accelerations.
#include "diff/contact.h"
#include "diff/start.h"
#include "diff/work.h"
#include "method/affine/flexible.h"
#include "method/affine/method.h"
#include "method/affine/partials.h"

#include <string.h>

// The step: what it was asked for, and its solution.
typedef struct affine_piece {
    affine_stage stage;
    double *x, *lambda;
} affine_piece;

typedef struct own_work {
    double *pose, *velocity;                // 6 a node: where the step starts
    double *pose_before, *velocity_before;  // one step before
    double *end, *raw, *settled;  // at its end: pose, velocities before and after projection
    double* rows;                 // per row, scratch
    double* rates;                // flat rates before the projection
    double* finished;             // flat rates of the finished state,
    double* restarted;            // and where a limit has changed
} own_work;

// ---- memory

enum {
    OWN_ARRAYS = 11
};

static void list_arrays(const tml_sim* sim, own_work* own, double** list[OWN_ARRAYS],
                        size_t counts[OWN_ARRAYS])
{
    const size_t six = 6 * (size_t)sim->system->node_count;
    const size_t rows = (size_t)sim->system->row_count;
    const size_t width = (size_t)sim->width;
    double** const all[OWN_ARRAYS] = {
        &own->pose,  &own->velocity, &own->pose_before, &own->velocity_before,
        &own->end,   &own->raw,      &own->settled,     &own->rows,
        &own->rates, &own->finished, &own->restarted};
    const size_t sizes[OWN_ARRAYS] = {six, six, six, six, six, six, six, rows, width, width, width};
    memcpy(list, all, sizeof all);
    memcpy(counts, sizes, sizeof sizes);
}

static void destroy(tml_sim* sim, linear_work* work)
{
    if (work == NULL) return;
    const tml_allocator* allocator = &sim->settings.allocator;
    own_work* own = work->own;
    double** list[OWN_ARRAYS];
    size_t counts[OWN_ARRAYS];
    if (own != NULL) {
        list_arrays(sim, own, list, counts);
        for (int i = 0; i < OWN_ARRAYS; i++) tml__release(allocator, *list[i]);
        tml__release(allocator, own);
    }
    tml__linear_work_destroy(sim, work);
}

// ---- accelerations

static tml_status accelerate(tml_sim* sim, const double* q, const double* v, double* acceleration,
                             double* lambda)
{
    return tml__affine_accelerate(tml__affine_of(sim), q, v, acceleration, lambda);
}

// With the rows that `accelerate` has left out.
static tml_status solve_mass(tml_sim* sim, partial_direction way, const double* r, const double* c,
                             double* x, double* l)
{
    maximal_system* s = sim->system;
    affine_system* a = tml__affine_of(sim);
    const tml_status status = tml__affine_factor_mass(a);
    if (status != TML_OK) return status;
    copy(s->dx, r, 6 * s->node_count);
    for (int k = 0; k < s->row_count; k++) s->dl[k] = a->is_dropped[k] ? 0.0 : c[k];
    if (way == PARTIAL_FORWARD) {
        tml__affine_solve(a);
    } else {
        tml__affine_solve_transposed(a);
    }
    copy(x, s->dx, 6 * s->node_count);
    for (int k = 0; k < s->row_count; k++) l[k] = a->is_dropped[k] ? 0.0 : s->dl[k];
    return TML_OK;
}

static const accelerator mass_matrix = {accelerate, solve_mass};

static tml_status create(tml_sim* sim, linear_work** out)
{
    const tml_allocator* allocator = &sim->settings.allocator;
    double** list[OWN_ARRAYS];
    size_t counts[OWN_ARRAYS];
    const bool is_lent = sim->has_lent_matrix || sim->system->matrix == NULL;
    tml_status status = tml__maximal_add_matrix(sim->system, &sim->why);
    if (status == TML_OK) sim->has_lent_matrix = is_lent;
    if (status == TML_OK) status = tml__linear_work_create(sim, out);
    if (status != TML_OK) return status;
    own_work* own = tml__allocate(allocator, 1, sizeof *own);
    if (own == NULL) return TML_NO_MEMORY;
    (*out)->own = own;
    (*out)->accelerator = &mass_matrix;
    list_arrays(sim, own, list, counts);
    for (int i = 0; i < OWN_ARRAYS; i++) {
        *list[i] = tml__allocate(allocator, counts[i], sizeof(double));
        if (*list[i] == NULL) return TML_NO_MEMORY;
    }
    return TML_OK;
}

static tml_status check(tml_sim* sim, const tml_quantity* quantity)
{
    (void)quantity;
    if (tml__is_flex(sim)) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "steps of bodies of finite stiffness (young) have no derivatives in this "
                         "version");
    }
    if (sim->settings.integrator == TML_TIME_SHAKE) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "steps by 'shake' have no derivatives in this version");
    }
    if (tml__affine_of(sim)->flex != NULL) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "steps of bodies of finite stiffness (young %g Pa) have no derivatives in "
                         "this version",
                         sim->settings.affine.young);
    }
    return TML_OK;
}

// ---- the equations of a step

typedef struct piece_point {
    instant at;  // at its end
    const affine_piece* piece;
    const double *q, *v;  // flat, at its start
    affine_system* a;
    own_work* own;
} piece_point;

static affine_inputs inputs_of(const piece_point* p)
{
    return (affine_inputs){.pose = p->own->pose,
                           .velocity = p->own->velocity,
                           .pose_before = p->own->pose_before,
                           .velocity_before = p->own->velocity_before,
                           .pose_end = p->own->end,
                           .in = &p->at.x->inputs.form};
}

static instant instant_at(const piece_point* p, double dt)
{
    instant i = p->at;
    i.dt = dt;
    return i;
}

static double middle_of(const piece_point* p) { return p->piece->stage.phi * p->piece->stage.h; }

// The step as its solution left it, and the rates that follow.
static void look_again(const piece_point* p)
{
    tml_sim* sim = p->at.sim;
    affine_system* a = p->a;

    if (p->piece->stage.rule == AFFINE_BDF2) {
        tml__sim_time(sim, p->at.dt, p->at.controls);
        tml__affine_load_before(a, sim->past_q[1], sim->past_v[1]);
    }
    tml__affine_load(a, p->q, p->v);
    tml__sim_time(sim, middle_of(p), p->at.controls);
    tml__affine_aim(a);
    tml__sim_time(sim, p->at.dt, p->at.controls);
    tml__affine_look_again(a, &p->piece->stage, p->piece->x, p->piece->lambda);
    for (int n = 0; n < a->s->node_count; n++) {
        affine_body* b = &a->body[n];
        tml__affine_close(b, &a->S[n], &p->piece->stage);
        tml__maximal_store_velocity(&p->piece->x[n * POSE_WIDTH], b->v_end, b->omega_end,
                                    &p->own->rates[n * POSE_WIDTH]);
    }
}

// What contacts push where the step starts: velocities jump by M^-1 push, J w = push for the spin, and
//     J dw = dpush - dphi x push - R dI R^T w + J (dphi x w).
// own->velocity in place: forwards it takes the jump, backwards pose, push and inertias take their shares.
static void jolt_product(const piece_point* p)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const maximal_system* s = p->at.sim->system;
    const parameter_set* in = &p->at.x->inputs.form;
    const bool has_bodies = (in->wants & WANT_BODIES) != 0;
    if (s->jolt == NULL) return;
    for (int n = 0; n < s->node_count; n++) {
        const int body = s->model->node_body[n];
        const body_data* data = &s->model->bodies[body];
        const vec3 push = v3_load(&s->jolt[6 * n]);
        const vec3 turn = v3_load(&s->jolt[6 * n + 3]);
        const mat3 R = p->a->body[n].R;
        const mat3 over = m3_inverse(m3_mul_bt(m3_mul(R, data->inertia), R));
        const vec3 w = m3_apply(over, turn);
        const vec3 inner = m3_apply_t(R, w);
        double* velocity = &p->own->velocity[6 * n];
        double* parameters = &in->body[BODY_PARAMETERS * body];
        const mat3 by_pose = m3_sub(m3_mul(over, m3_skew(turn)), m3_skew(w));
        tml__carry(p->at.way, &by_pose.m[0][0], 3, 3, &p->own->pose[6 * n + 3], velocity + 3);
        if (p->at.push != NULL) {
            const mat3 lighter = m3_scale(1.0 / data->mass, m3_identity());
            tml__carry(p->at.way, &lighter.m[0][0], 3, 3, &p->at.push[6 * n], velocity);
            tml__carry(p->at.way, &over.m[0][0], 3, 3, &p->at.push[6 * n + 3], velocity + 3);
        }
        for (int k = 0; k < BODY_PARAMETERS && has_bodies; k++) {
            double by[6] = {0};
            if (k == 0) {
                v3_store(by, v3_scale(-1.0 / (data->mass * data->mass), push));
            } else {
                vec3 unit = v3_zero();
                v3_set(&unit, row[k - 1], v3_at(inner, column[k - 1]));
                v3_set(&unit, column[k - 1], v3_at(inner, row[k - 1]));
                v3_store(by + 3, v3_neg(m3_apply(over, m3_apply(R, unit))));
            }
            tml__carry(p->at.way, by, 1, 6, &parameters[k], velocity);
        }
    }
}

static bool is_projected(const piece_point* p) { return p->piece->stage.theta == 0.5; }

static void residual_product(const piece_point* p)
{
    const instant i = instant_at(p, middle_of(p));
    const affine_inputs by = inputs_of(p);
    const affine_product product = {p->a, &p->piece->stage, i.way, &by, i.work->E};
    tml__instant_targets(&i);
    tml__affine_residual_product(&product);
    tml__instant_controls(&i);
}

// Rows that give way are told by both ends, (1 - phi) C(start) + phi C(end) + compliance lambda = 0.
// w->rows by the start, own->rows is scratch.
static void spring_product(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    linear_work* w = p->at.work;
    const double share = 1.0 - p->piece->stage.phi;
    double* rows = p->own->rows;
    const bool is_forward = p->at.way == PARTIAL_FORWARD;
    if (share == 0.0 || !tml__maximal_has_compliance(s)) return;
    tml__instant_targets(&p->at);
    tml__maximal_place(s, p->q, NULL);
    tml__maximal_rows(s);
    for (int k = 0; k < s->row_count; k++) {
        const bool is_spring = !is_forward && s->compliance[k] > 0.0;
        rows[k] = is_spring ? share * w->rows[k] : 0.0;
    }
    tml__linear_rows(p->at.sim, w, p->at.way, &p->at.x->inputs.form, p->own->pose, rows);
    for (int k = 0; k < s->row_count && is_forward; k++) {
        if (s->compliance[k] > 0.0) w->rows[k] += share * rows[k];
    }
    tml__instant_controls(&p->at);
}

// Rows by the parameters at the end, and by the start where they give way.
static void row_product(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    linear_work* w = p->at.work;
    const double share = p->piece->stage.phi;

    if (p->at.way == PARTIAL_BACKWARD) spring_product(p);
    for (int k = 0; k < s->row_count && p->at.way == PARTIAL_BACKWARD; k++) {
        if (s->compliance[k] > 0.0) w->rows[k] *= share;
    }
    if ((p->at.x->inputs.form.wants & (WANT_MARKERS | WANT_AXES)) != 0) {
        tml__instant_targets(&p->at);
        tml__maximal_place(s, p->piece->x, NULL);
        tml__maximal_rows(s);
        tml__linear_rows(p->at.sim, w, p->at.way, &p->at.x->inputs.form, NULL, w->rows);
        tml__instant_controls(&p->at);
    }
    if (p->at.way == PARTIAL_BACKWARD) return;
    for (int k = 0; k < s->row_count; k++) {
        if (s->compliance[k] > 0.0) w->rows[k] *= share;
    }
    spring_product(p);
}

static void close_product(const piece_point* p)
{
    const affine_inputs by = inputs_of(p);
    const affine_product product = {p->a, &p->piece->stage, p->at.way, &by, p->own->raw};
    tml__affine_close_product(&product);
}

static tml_status factor(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    const tml_status status = tml__affine_factor(p->a, &p->piece->stage);
    if (status == TML_OK) return TML_OK;
    return tml__maximal_describe_failure(s, status, NULL, &p->at.sim->why);
}

// own->pose and velocity from the start of the step to its end.
static tml_status piece_forward(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    linear_work* w = p->at.work;
    own_work* own = p->own;
    const int six = 6 * s->node_count;

    look_again(p);
    clear(w->E, six);
    clear(w->rows, s->row_count);
    jolt_product(p);
    tml_status status = factor(p);
    if (status != TML_OK) return status;
    residual_product(p);
    row_product(p);
    for (int k = 0; k < six; k++) s->dx[k] = -p->piece->stage.beta * w->E[k];
    for (int k = 0; k < s->row_count; k++) s->dl[k] = p->a->is_dropped[k] ? 0.0 : -w->rows[k];
    tml__affine_solve(p->a);
    copy(own->end, s->dx, six);
    clear(own->raw, six);
    close_product(p);
    copy(own->settled, own->raw, six);
    if (is_projected(p)) {
        status = tml__linear_settle(&p->at, p->piece->x, own->rates, own->end, own->raw,
                                    own->settled, NULL);
    } else {
        tml__maximal_place(s, p->piece->x, own->rates);
        copy(w->v, own->rates, p->at.sim->width);
    }
    copy(own->pose, own->end, six);
    copy(own->velocity, own->settled, six);
    return status;
}

// own->pose and velocity from gradients at the end of the step to those at its start.
static tml_status piece_backward(const piece_point* p)
{
    maximal_system* s = p->at.sim->system;
    linear_work* w = p->at.work;
    own_work* own = p->own;
    const int six = 6 * s->node_count;
    tml_status status = TML_OK;

    look_again(p);
    copy(own->end, own->pose, six);
    copy(own->raw, own->velocity, six);
    if (is_projected(p)) {
        copy(own->settled, own->velocity, six);
        clear(own->raw, six);
        status = tml__linear_settle(&p->at, p->piece->x, own->rates, own->end, own->raw,
                                    own->settled, NULL);
        if (status != TML_OK) return status;
        look_again(p);
    }
    clear(own->pose, six);
    clear(own->velocity, six);
    close_product(p);
    status = factor(p);
    if (status != TML_OK) return status;
    copy(s->dx, own->end, six);
    clear(s->dl, s->row_count);
    tml__affine_solve_transposed(p->a);
    for (int k = 0; k < six; k++) w->E[k] = -p->piece->stage.beta * s->dx[k];
    for (int k = 0; k < s->row_count; k++) w->rows[k] = p->a->is_dropped[k] ? 0.0 : -s->dl[k];
    residual_product(p);
    row_product(p);
    jolt_product(p);
    return TML_OK;
}

// ---- a whole step

static affine_piece piece_of(const instant* i)
{
    return (affine_piece){.stage = tml__affine_stage_again(i->sim, i->trace),
                          .x = i->trace->x[0],
                          .lambda = i->trace->lambda[0]};
}

static piece_point point_of(const instant* i, const affine_piece* piece)
{
    piece_point p = {.at = *i,
                     .piece = piece,
                     .q = step_q(i->sim),
                     .v = step_v(i->sim),
                     .a = tml__affine_of(i->sim),
                     .own = i->work->own};
    p.at.dt = piece->stage.h;
    return p;
}

static tml_status piece_product(const instant* i, const affine_piece* piece)
{
    const piece_point p = point_of(i, piece);
    return i->way == PARTIAL_FORWARD ? piece_forward(&p) : piece_backward(&p);
}

// Poses and velocities of the states that the step looks back on by their flat vectors.
static void past_product(const instant* i, const affine_piece* piece)
{
    const tml_sim* sim = i->sim;
    own_work* own = i->work->own;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    for (int k = 0; k <= (piece->stage.rule == AFFINE_BDF2 ? 1 : 0); k++) {
        double* past = i->x->past[k];
        double* pose = k == 0 ? own->pose : own->pose_before;
        double* velocity = k == 0 ? own->velocity : own->velocity_before;
        const double* q = step_past_q(sim, k);
        if (i->way == PARTIAL_FORWARD) {
            tml__flat_to_pose(i->way, q, nodes, past, pose);
            tml__rate_to_velocity(i->way, q, step_past_v(sim, k), nodes, past, past + n, velocity);
        } else {
            tml__rate_to_velocity(i->way, q, step_past_v(sim, k), nodes, past, past + n, velocity);
            tml__flat_to_pose(i->way, q, nodes, past, pose);
        }
    }
}

// The run has projected velocities where a limit has changed: it has the matrix for that, but for bodies that give way.
static bool has_restarted(const instant* i)
{
    return i->trace->has_restarted && !i->sim->has_lent_matrix;
}

// What follows such a formula, at its rates v: other velocities, and the multipliers that go with them.
static tml_status restart_product(const instant* i, const double* q, const double* v)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    own_work* own = w->own;
    instant told = *i;
    told.is_answer = true;

    tml_status status = TML_OK;
    if (i->way == PARTIAL_FORWARD) status = tml__linear_restart(i, q, v);
    if (status == TML_OK) status = tml__linear_settled(i, q, v, w->velocity);
    if (status != TML_OK) return status;
    copy(own->restarted, w->v, sim->width);
    sim->system->touching = i->is_touching ? sim->contacts->next.wrenches : NULL;
    status = tml__linear_multipliers(&told, q, own->restarted);
    sim->system->touching = NULL;
    if (status != TML_OK || i->way == PARTIAL_FORWARD) return status;
    return tml__linear_restart(i, q, v);
}

static tml_status step_forward(const instant* i, const affine_piece* piece)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    own_work* own = w->own;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    const double* q = piece->x;
    double* next = i->x->next;

    past_product(i, piece);
    const tml_status status = piece_product(i, piece);
    if (status != TML_OK) return status;
    // it has left the bodies at the finished state
    copy(own->finished, w->v, n);
    tml__linear_velocities(sim->system, own->settled);
    tml__pose_to_flat(i->way, q, nodes, own->pose, next);
    tml__velocity_to_rate(i->way, q, own->settled, nodes, next, own->velocity, next + n);
    instant told = *i;
    told.is_answer = true;
    if (i->is_touching) {
        clear(next + 2 * n, sim->system->row_count);
        return TML_OK;
    }
    if (has_restarted(i)) return restart_product(i, q, own->finished);
    return tml__linear_accelerate(&told, q, own->finished, own->pose, own->velocity,
                                  w->acceleration_d, next + 2 * n);
}

// Velocities and flat rates of the finished state.
static tml_status finished_state(const instant* i, const affine_piece* piece)
{
    own_work* own = i->work->own;
    const piece_point p = point_of(i, piece);
    tml_status status = TML_OK;
    look_again(&p);
    if (is_projected(&p)) {
        status = tml__linear_settled(i, p.piece->x, own->rates, own->settled);
        copy(own->finished, i->work->v, i->sim->width);
        return status;
    }
    copy(own->finished, own->rates, i->sim->width);
    tml__maximal_place(i->sim->system, p.piece->x, own->rates);
    tml__linear_velocities(i->sim->system, own->settled);
    return status;
}

static tml_status step_backward(const instant* i, const affine_piece* piece)
{
    tml_sim* sim = i->sim;
    linear_work* w = i->work;
    own_work* own = w->own;
    const int n = sim->width;
    const int nodes = sim->model->node_count;
    const double* q = piece->x;
    double* next = i->x->next;

    tml_status status = finished_state(i, piece);
    if (status == TML_OK && !i->is_touching && has_restarted(i)) {
        status = restart_product(i, q, own->finished);  // multipliers have no gradient any more
    }
    if (status != TML_OK) return status;
    clear(own->pose, 6 * nodes);
    clear(own->velocity, 6 * nodes);
    clear(own->pose_before, 6 * nodes);
    clear(own->velocity_before, 6 * nodes);
    tml__velocity_to_rate(i->way, q, own->settled, nodes, next, own->velocity, next + n);
    tml__pose_to_flat(i->way, q, nodes, own->pose, next);
    if (!i->is_touching && !is_zero(next + 2 * n, sim->system->row_count)) {
        instant told = *i;
        told.is_answer = true;
        clear(w->acceleration_d, 6 * nodes);
        status = tml__linear_accelerate(&told, q, own->finished, own->pose, own->velocity,
                                        w->acceleration_d, next + 2 * n);
    }
    if (status == TML_OK) status = piece_product(i, piece);
    if (status == TML_OK) past_product(i, piece);
    return status;
}

// ---- a step that touches

static tml_status body(const instant* i)
{
    const affine_piece piece = piece_of(i);
    return i->way == PARTIAL_FORWARD ? step_forward(i, &piece) : step_backward(i, &piece);
}

static tml_status touching_body(const instant* i)
{
    maximal_system* s = i->sim->system;
    s->jolt = tml__touch_jolt(i->sim);
    const tml_status status = body(i);
    s->jolt = NULL;
    return status;
}

// The end by velocities that jump at the start.
static tml_status touching_answer(const instant* i, bool is_first, double* pose)
{
    tml_sim* sim = i->sim;
    maximal_system* s = sim->system;
    linear_work* w = i->work;
    own_work* own = w->own;
    const int six = 6 * s->node_count;
    const affine_piece piece = piece_of(i);
    const piece_point p = point_of(i, &piece);
    tml_status status = TML_OK;
    s->jolt = tml__touch_jolt(sim);
    clear(own->pose, six);
    clear(own->velocity, six);
    clear(own->pose_before, six);
    clear(own->velocity_before, six);
    clear(w->E, six);
    if (is_first) look_again(&p);
    jolt_product(&p);
    if (is_first) status = factor(&p);
    if (status == TML_OK) residual_product(&p);
    s->jolt = NULL;
    for (int k = 0; k < six; k++) s->dx[k] = -p.piece->stage.beta * w->E[k];
    clear(s->dl, s->row_count);
    if (status == TML_OK) tml__affine_solve(p.a);
    copy(pose, s->dx, six);
    return status;
}

// Multipliers of the state that has been touched.
static tml_status touching_multipliers(const instant* i, const double* q, const double* v)
{
    tml_sim* sim = i->sim;
    instant told = *i;
    told.is_touching = true;
    if (has_restarted(i)) return restart_product(&told, q, v);
    told.is_answer = true;
    sim->system->touching = sim->contacts->next.wrenches;
    const tml_status status = tml__linear_multipliers(&told, q, v);
    sim->system->touching = NULL;
    return status;
}

static const touch_formula touching = {
    .body = touching_body,
    .respond = touching_answer,
    .after = touching_multipliers,
};

static tml_status step(tml_sim* sim, linear_work* w, const step_trace* trace,
                       const double* controls, partial_direction way, const step_numbers* x)
{
    const instant i = {.sim = sim,
                       .work = w,
                       .way = way,
                       .trace = trace,
                       .controls = controls,
                       .dt = step_h(sim),
                       .x = x};

    sim->why.text[0] = '\0';
    if (trace->kind != TRACE_AFFINE) {
        return tml__fail(&sim->why, TML_UNSUPPORTED,
                         "a step ended next to a singular pose, where rows do not tell velocities: "
                         "it has no derivatives");
    }
    memcpy(sim->system->sides, trace->sides, (size_t)trace->limits * sizeof *trace->sides);
    if (trace->has_touched || tml__touch_is_aware(&i)) return tml__linear_touch(&i, &touching);
    tml__touch_forget_forces(sim, way, x->next);
    return body(&i);
}

static int stage_count(const tml_sim* sim)
{
    (void)sim;
    return 1;
}

const step_linear tml__affine_linear = {
    .extra_count = tml__touch_force_count,
    .has_contact_forces = true,
    .stage_count = stage_count,
    .check = check,
    .create = create,
    .destroy = destroy,
    .start = tml__linear_begin,
    .step = step,
};
