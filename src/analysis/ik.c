// analysis/ik.c - inverse kinematics with loops: points and orientations of bodies reach for targets
// while every row stays exact.
//
//   minimise  sum_k w_k (|p_k - target_k|^2 + |phi_k|^2)   over poses that close all rows
//
// Levenberg-Marquardt along the closed rows. A step solves [ H + e M  -C^T; C 0 ] with H = sum w J^T J
// of the targets, on the blocks of their bodies; e pulls to the present poses only, so that nothing
// of it is left where the steps end. Of all ways to reach a target the mass norm picks the gentlest.
#include "analysis/closing.h"
#include "base/memory.h"

#include <trammel/assemble.h>

#include <math.h>
#include <string.h>

static const double least_pull = 1e-4;  // of the targets' weight per mass
static const double most_pull = 1e8;    // no step this small helps: it has come to rest

typedef struct target_data {
    tml_target def;
    int body;
    vec3 point;  // from the centre of mass, body axes
    control_data position[3];
    vec3 place;  // at the time of the last solve
} target_data;

struct tml_ik {
    const tml_model* model;  // borrowed
    closing* c;
    tml_allocator allocator;
    pool memory;
    int count;
    target_data* targets;
    double* accepted;  // 7 per node: the poses of the last solve
    double* direction;
    double* hints;
    double scale;  // weight per mass
    message why;
    int is_dead;
};

tml_target tml_target_default(void)
{
    return (tml_target){.body = {-1}, .orientation = {1.0, 0.0, 0.0, 0.0}, .weight = 1.0};
}

// ---- errors of the targets

typedef struct target_error {
    vec3 arm;     // from the centre of mass to the point, world
    vec3 length;  // from the point to where it should be
    vec3 angle;   // rotation vector from the body to how it should stand
} target_error;

static vec3 rotation_to(quat from, quat to)
{
    quat d = q_mul(to, q_conj(from));
    if (d.w < 0.0) d = q_scale(-1.0, d);
    const double sine = v3_norm(q_vec(d));
    return sine > 0.0 ? v3_scale(2.0 * tml__atan2(sine, d.w) / sine, q_vec(d)) : v3_zero();
}

static target_error error_of(const tml_ik* ik, const target_data* t)
{
    const rigid* b = &ik->c->s->bodies[t->body];
    target_error e = {.arm = m3_apply(b->R, t->point), .length = v3_zero(), .angle = v3_zero()};
    if (t->def.has_position) e.length = v3_sub(t->place, v3_add(b->c, e.arm));
    if (t->def.has_orientation) e.angle = rotation_to(b->q, t->def.orientation);
    return e;
}

static double sum_of_squares(const tml_ik* ik)
{
    double sum = 0.0;
    for (int i = 0; i < ik->count; i++) {
        const target_error e = error_of(ik, &ik->targets[i]);
        sum += ik->targets[i].def.weight * (v3_dot(e.length, e.length) + v3_dot(e.angle, e.angle));
    }
    return sum;
}

static void add3(double* block, int row, int column, double scale, mat3 a)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) block[(row + i) * 6 + column + k] += scale * a.m[i][k];
    }
}

// w J^T J and w J^T e of one target: J = [1, -[r]] on the point, [0, 1] on the orientation.
static void add_target(tml_ik* ik, const target_data* t)
{
    const int node = ik->model->bodies[t->body].node;
    const target_error e = error_of(ik, t);
    const double w = t->def.weight;
    double* block = &tml__kkt_values(ik->c->s->matrix)->node[36 * (size_t)node];
    double* force = &ik->c->force[6 * (size_t)node];

    if (t->def.has_position) {
        const mat3 r = m3_skew(e.arm);
        add3(block, 0, 0, w, m3_identity());
        add3(block, 0, 3, -w, r);
        add3(block, 3, 0, w, r);
        add3(block, 3, 3, -w, m3_mul(r, r));
    }
    if (t->def.has_orientation) add3(block, 3, 3, w, m3_identity());
    v3_store(force, v3_axpy(v3_load(force), w, e.length));
    const vec3 torque = v3_add(v3_cross(e.arm, e.length), e.angle);
    v3_store(force + 3, v3_axpy(v3_load(force + 3), w, torque));
}

// ---- a step

static tml_status direct(tml_ik* ik, double pull, double* update)
{
    maximal_system* s = ik->c->s;
    double* node = NULL;

    tml__closing_fill(ik->c);
    node = tml__kkt_values(s->matrix)->node;
    for (int i = 0; i < 36 * s->node_count; i++) node[i] *= pull * ik->scale;
    memset(ik->c->force, 0, (size_t)s->node_count * 6 * sizeof(double));
    for (int i = 0; i < ik->count; i++) add_target(ik, &ik->targets[i]);
    memset(s->lambda_start, 0, (size_t)s->row_count * sizeof(double));
    const tml_status status = tml__closing_solve(ik->c, pull * ik->scale, s->lambda_start, 3);
    if (status != TML_OK && tml__closing_switch(ik->c)) return direct(ik, pull, update);

    *update = 0.0;
    for (int i = 0; i < 6 * s->node_count && status == TML_OK; i++) {
        if (!(fabs(ik->c->step[i]) <= *update)) *update = fabs(ik->c->step[i]);
    }
    memcpy(ik->direction, ik->c->step, (size_t)s->node_count * 6 * sizeof(double));
    return status;
}

static void keep(tml_ik* ik)
{
    const maximal_system* s = ik->c->s;
    memcpy(ik->accepted, s->x, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
    memcpy(ik->hints, s->hints, (size_t)ik->model->all.joint_count * TML_AXES * sizeof(double));
}

static void go_back(tml_ik* ik)
{
    maximal_system* s = ik->c->s;
    memcpy(s->x, ik->accepted, (size_t)s->node_count * POSE_WIDTH * sizeof(double));
    memcpy(s->hints, ik->hints, (size_t)ik->model->all.joint_count * TML_AXES * sizeof(double));
    tml__closing_look(ik->c);
}

// Limits that the poses have passed engage and stay for the rest of this solve: true when some did.
static bool engage_limits(tml_ik* ik)
{
    maximal_system* s = ik->c->s;
    bool has_engaged = false;
    for (int i = 0; i < s->limit_count; i++) {
        const limit_room room = tml__maximal_limit_room(s, i);
        if (s->sides[i] != LIMIT_OFF) continue;
        if (room.lower < -0.1 * ik->c->tolerance) s->sides[i] = LIMIT_LOWER;
        if (room.upper < -0.1 * ik->c->tolerance) s->sides[i] = LIMIT_UPPER;
        has_engaged = has_engaged || s->sides[i] != LIMIT_OFF;
    }
    return has_engaged;
}

// Limits whose multipliers pull let go: true when some did.
static bool release_limits(tml_ik* ik)
{
    maximal_system* s = ik->c->s;
    bool has_released = false;
    for (int i = 0; i < s->limit_count; i++) {
        const double push = s->lambda[s->limits[i].row];
        if ((s->sides[i] == LIMIT_LOWER && push < 0.0) ||
            (s->sides[i] == LIMIT_UPPER && push > 0.0)) {
            s->sides[i] = LIMIT_OFF;
            has_released = true;
        }
    }
    return has_released;
}

// The step, shortened so that no body turns far, and back onto the rows.
static bool try_step(tml_ik* ik, double update)
{
    const double fraction = update > 0.5 ? 0.5 / update : 1.0;
    memcpy(ik->c->step, ik->direction, (size_t)ik->c->s->node_count * 6 * sizeof(double));
    tml__closing_move(ik->c, ik->accepted, fraction);
    if (tml__closing_close(ik->c) != TML_OK) return false;
    if (engage_limits(ik)) return tml__closing_close(ik->c) == TML_OK;
    return true;
}

// Steps until nothing moves any more. The poses of `accepted` always close.
static tml_status reach(tml_ik* ik)
{
    double pull = least_pull;
    int small = 0;

    keep(ik);
    double error = sum_of_squares(ik);
    for (int pass = 0; pass < 300 && pull < most_pull && small < 3; pass++) {
        double update = 0.0;
        const tml_status status = direct(ik, pull, &update);
        if (status != TML_OK) return status;
        // a step that a limit holds back says nothing when that limit should let go
        if (release_limits(ik)) continue;
        if (update <= 1e-14) break;
        small = update <= 1e-11 ? small + 1 : 0;

        const bool is_closed = try_step(ik, update);
        const double now = is_closed ? sum_of_squares(ik) : HUGE_VAL;
        if (now <= error * (1.0 + 1e-14)) {
            error = now;
            keep(ik);
            pull = 0.1 * pull > least_pull ? 0.1 * pull : least_pull;
        } else {
            go_back(ik);
            pull *= 10.0;
        }
    }
    return TML_OK;
}

// ---- the object

static tml_status add_one(tml_ik* ik, int i, const tml_target* def)
{
    const tml_model* m = ik->model;
    target_data* t = &ik->targets[i];

    if (def->body.index < 0 || def->body.index >= m->all.body_count ||
        m->bodies[def->body.index].node < 0) {
        return tml__fail(&ik->why, TML_BAD_ARGUMENT, "target %d is on a body that never moves", i);
    }
    if (!isfinite(def->weight) || !(def->weight > 0.0) || !v3_is_finite(def->point) ||
        !(def->has_position || def->has_orientation)) {
        return tml__fail(&ik->why, TML_BAD_ARGUMENT,
                         "target %d needs a position or an orientation, and a positive weight", i);
    }
    t->def = *def;
    t->body = def->body.index;
    t->point = v3_sub(def->point, m->bodies[t->body].com);
    t->def.orientation = q_normalize(def->orientation);
    for (int k = 0; k < 3 && def->has_position; k++) {
        tml_status status = tml__control_check(&def->position[k], "target", &ik->why);
        if (status == TML_OK) {
            tml_control copy;
            status = tml__control_copy(&def->position[k], &ik->memory, &copy);
            if (status == TML_OK) {
                status = tml__control_prepare(&copy, &ik->memory, &t->position[k]);
            }
            if (status != TML_OK) tml__fail(&ik->why, status, "out of memory");
        }
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

static tml_status take_targets(tml_ik* ik, const tml_target* targets, int count)
{
    const size_t nodes = (size_t)ik->model->node_count;
    const size_t joints = (size_t)ik->model->all.joint_count;
    double mass = 0.0;
    double weight = 0.0;

    ik->targets = tml__pool_take(&ik->memory, (size_t)count, sizeof *ik->targets);
    ik->accepted = tml__pool_take(&ik->memory, nodes * POSE_WIDTH, sizeof(double));
    ik->direction = tml__pool_take(&ik->memory, nodes * 6, sizeof(double));
    ik->hints = tml__pool_take(&ik->memory, joints * TML_AXES, sizeof(double));
    if (!ik->targets || !ik->accepted || !ik->direction || !ik->hints) {
        return tml__fail(&ik->why, TML_NO_MEMORY, "out of memory");
    }
    ik->count = count;
    for (int i = 0; i < count; i++) {
        const tml_status status = add_one(ik, i, &targets[i]);
        if (status != TML_OK) return status;
        weight += targets[i].weight;
    }
    for (int n = 0; n < ik->model->node_count; n++) {
        mass += ik->model->bodies[ik->model->node_body[n]].mass;
    }
    ik->scale = weight / mass;
    return TML_OK;
}

static tml_status close_first(tml_ik* ik, const tml_assemble_settings* settings)
{
    const tml_model* m = ik->model;
    closing* c = ik->c;

    c->tolerance = settings->tolerance;
    c->budget = settings->max_iterations;
    if (settings->start != NULL) {
        tml__closing_load(m, settings->start, c->from);
    } else {
        for (int n = 0; n < m->node_count; n++) {
            const body_data* b = &m->bodies[m->node_body[n]];
            double* x = &c->from[(size_t)n * POSE_WIDTH];
            v3_store(x, b->c);
            x[3] = b->q.w;
            x[4] = b->q.x;
            x[5] = b->q.y;
            x[6] = b->q.z;
        }
    }
    const tml_status status = tml__assemble(c);
    if (status != TML_OK) tml__closing_describe(c, status, &ik->why);
    return status;
}

tml_status tml_ik_create(const tml_model* model, const tml_target* targets, int count,
                         const tml_assemble_settings* settings, tml_ik** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || settings == NULL || count < 0 || (count > 0 && targets == NULL)) {
        return TML_BAD_ARGUMENT;
    }
    tml_ik* ik = tml__allocate(&settings->allocator, 1, sizeof *ik);
    if (ik == NULL) return TML_NO_MEMORY;
    *out = ik;
    ik->model = model;
    ik->allocator = settings->allocator;
    ik->is_dead = 1;

    const derivation how = {.actuators = DERIVE_RELEASED, .change = {.joint = -1}};
    tml_status status = take_targets(ik, targets, count);
    if (status == TML_OK) {
        status = tml__closing_create(model, &how, &ik->allocator, &ik->why, &ik->c);
    }
    if (status == TML_OK) status = close_first(ik, settings);
    ik->is_dead = status != TML_OK;
    return status;
}

void tml_ik_destroy(tml_ik* ik)
{
    if (ik == NULL) return;
    const tml_allocator a = ik->allocator;
    tml__closing_destroy(ik->c);
    tml__pool_destroy(&ik->memory);
    tml__release(&a, ik);
}

tml_status tml_ik_solve(tml_ik* ik, double t)
{
    if (ik == NULL || ik->is_dead || !isfinite(t)) return TML_BAD_ARGUMENT;
    for (int i = 0; i < ik->count; i++) {
        for (int k = 0; k < 3; k++) {
            v3_set(&ik->targets[i].place, k,
                   tml__control_eval(&ik->targets[i].position[k], t).value);
        }
    }
    ik->c->budget = 5000;
    tml__closing_look(ik->c);
    const tml_status status = reach(ik);
    go_back(ik);
    if (status != TML_OK) {
        tml__fail(&ik->why, status, "at t = %g s the equations of the targets cannot be solved", t);
    }
    return status;
}

// ---- asking

const char* tml_ik_message(const tml_ik* ik) { return ik != NULL ? ik->why.text : TML__NO_OBJECT; }

tml_pose tml_ik_pose(const tml_ik* ik, tml_body body)
{
    const tml_pose none = {.q = {1.0, 0.0, 0.0, 0.0}};
    if (ik == NULL || ik->is_dead || body.index < 0 || body.index >= ik->model->all.body_count) {
        return none;
    }
    const rigid* b = &ik->c->s->bodies[body.index];
    const vec3 com = ik->model->bodies[body.index].com;
    return (tml_pose){.p = v3_sub(b->c, m3_apply(b->R, com)), .q = b->q};
}

double tml_ik_coordinate(const tml_ik* ik, tml_joint joint, tml_axis axis)
{
    if (ik == NULL || ik->is_dead || joint.index < 0 || joint.index >= ik->model->all.joint_count ||
        (unsigned)axis >= TML_AXES) {
        return 0.0;
    }
    return ik->c->s->hints[joint.index * TML_AXES + (int)axis];
}

void tml_ik_error(const tml_ik* ik, int target, double* length, double* angle)
{
    if (length == NULL || angle == NULL) return;
    *length = 0.0;
    *angle = 0.0;
    if (ik == NULL || ik->is_dead || target < 0 || target >= ik->count) return;
    const target_error e = error_of(ik, &ik->targets[target]);
    *length = v3_norm(e.length);
    *angle = v3_norm(e.angle);
}

double tml_ik_gap(const tml_ik* ik)
{
    double largest = 0.0;
    for (int row = 0; ik != NULL && !ik->is_dead && row < ik->c->s->row_count; row++) {
        if (fabs(ik->c->s->C[row]) > largest) largest = fabs(ik->c->s->C[row]);
    }
    return largest;
}

int tml_ik_iterations(const tml_ik* ik) { return ik != NULL && ik->c != NULL ? ik->c->spent : 0; }
