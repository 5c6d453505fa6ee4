// method/generalized/joint_dynamics.c - the tree of joint coordinates and its rows, asked at a state that the caller gives.
#include "method/generalized/motion.h"
#include "sim/lean.h"

#include <trammel/dynamics.h>

#include <math.h>
#include <string.h>

struct tml_dynamics {
    const tml_model* model;  // borrowed
    tml_allocator allocator;
    message why;
    bool is_dead;
    maximal_system* s;
    gen_motion* motion;
    double *q, *v;
    double* column;        // scratch: 2 per rate
    double* multiplier;    // scratch: per row of the maximal system
    vec3 *force, *torque;  // scratch: per body and the world
};

// ---- creation

static tml_status take(tml_dynamics* d)
{
    const tml_allocator* a = &d->allocator;
    const gen_tree* t = d->motion->tree;
    const size_t bodies = (size_t)d->model->all.body_count + 1;
    d->q = tml__allocate(a, (size_t)t->number_count, sizeof *d->q);
    d->v = tml__allocate(a, (size_t)t->column_count, sizeof *d->v);
    d->column = tml__allocate(a, 2 * (size_t)t->column_count, sizeof *d->column);
    d->multiplier = tml__allocate(a, (size_t)d->s->row_count, sizeof *d->multiplier);
    d->force = tml__allocate(a, bodies, sizeof *d->force);
    d->torque = tml__allocate(a, bodies, sizeof *d->torque);
    const bool is_whole = d->q != NULL && d->v != NULL && d->column != NULL &&
                          d->multiplier != NULL && d->force != NULL && d->torque != NULL;
    return is_whole ? TML_OK : tml__fail(&d->why, TML_NO_MEMORY, "out of memory");
}

static tml_status check_model(tml_dynamics* d)
{
    const definitions* all = &d->model->all;
    if (all->deformable_count > 0) {
        return tml__fail(&d->why, TML_UNSUPPORTED,
                         "joint coordinates know no deformables, such as '%.200s'",
                         all->deformables[0].name);
    }
    if (all->nonholonomic_count > 0) {
        return tml__fail(&d->why, TML_UNSUPPORTED,
                         "joint coordinates know no rows between velocities, such as '%.200s'",
                         all->nonholonomics[0].name);
    }
    return TML_OK;
}

// The initial state of the model, flat, as the maximal system takes it.
static void load_initial(const tml_dynamics* d, double* x, double* v)
{
    const tml_model* m = d->model;
    for (int n = 0; n < m->node_count; n++) {
        const body_data* b = &m->bodies[m->node_body[n]];
        double* to = &x[(size_t)n * POSE_WIDTH];
        v3_store(to, b->c);
        to[3] = b->q.w;
        to[4] = b->q.x;
        to[5] = b->q.y;
        to[6] = b->q.z;
        tml__maximal_store_velocity(to, b->v, b->omega, &v[(size_t)n * POSE_WIDTH]);
    }
}

// Stand where d->q and d->v say.
static void look(tml_dynamics* d) { tml__gen_look(d->motion, d->q, d->v); }

static tml_status create(tml_dynamics* d)
{
    tml_status status = check_model(d);
    if (status == TML_OK) {
        status = tml__maximal_create(d->model, KKT_NONE, &d->allocator, &d->why, &d->s);
    }
    // a mass matrix is wanted, as contacts want one
    const gen_motion_settings settings = {.has_contact = true};
    if (status == TML_OK) {
        status = tml__gen_motion_create(d->s, &settings, &d->allocator, &d->why, &d->motion);
    }
    if (status == TML_OK) status = take(d);
    if (status != TML_OK) return status;
    tml__maximal_time(d->s, 0.0, NULL);
    load_initial(d, d->motion->x, d->motion->v);
    tml__maximal_place(d->s, d->motion->x, d->motion->v);
    tml__gen_read(d->motion->tree, d->s, d->q, d->v);
    look(d);
    return TML_OK;
}

tml_status tml_dynamics_create(const tml_model* model, const tml_allocator* allocator,
                               tml_dynamics** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL) return TML_BAD_ARGUMENT;
    tml_dynamics* d = tml__allocate(allocator, 1, sizeof *d);
    if (d == NULL) return TML_NO_MEMORY;
    *out = d;
    d->model = model;
    if (allocator != NULL) d->allocator = *allocator;
    const tml_status status = create(d);
    d->is_dead = status != TML_OK;
    return status;
}

void tml_dynamics_destroy(tml_dynamics* d)
{
    if (d == NULL) return;
    const tml_allocator a = d->allocator;
    tml__release(&a, d->q);
    tml__release(&a, d->v);
    tml__release(&a, d->column);
    tml__release(&a, d->multiplier);
    tml__release(&a, d->force);
    tml__release(&a, d->torque);
    tml__gen_motion_destroy(d->motion);
    tml__maximal_destroy(d->s);
    tml__release(&a, d);
}

static bool is_alive(const tml_dynamics* d) { return d != NULL && !d->is_dead; }

const char* tml_dynamics_message(const tml_dynamics* d)
{
    return d != NULL ? d->why.text : TML__NO_OBJECT;
}

int tml_dynamics_position_count(const tml_dynamics* d)
{
    return is_alive(d) ? d->motion->tree->number_count : 0;
}

int tml_dynamics_rate_count(const tml_dynamics* d)
{
    return is_alive(d) ? d->motion->tree->column_count : 0;
}

static tml_dynamics_place place_of(const gen_tree* t, int at)
{
    const gen_body* b = &t->bodies[at];
    tml_dynamics_place out = {0};
    if (b->link_count == 0) return out;
    const gen_link* first = &t->links[b->link];
    out = (tml_dynamics_place){first->number, 0, first->column, 0};
    for (int i = b->link; i < b->link + b->link_count; i++) {
        out.position_count += t->links[i].kind == LINK_BALL ? 4 : t->links[i].count;
        out.rate_count += t->links[i].count;
    }
    return out;
}

tml_dynamics_place tml_dynamics_joint(const tml_dynamics* d, tml_joint joint)
{
    for (int at = 0; is_alive(d) && at < d->motion->tree->body_count; at++) {
        if (joint.index >= 0 && d->motion->tree->bodies[at].joint == joint.index) {
            return place_of(d->motion->tree, at);
        }
    }
    return (tml_dynamics_place){0};
}

tml_dynamics_place tml_dynamics_body(const tml_dynamics* d, tml_body body)
{
    const bool is_there = is_alive(d) && body.index >= 0 && body.index < d->model->all.body_count;
    const int at = is_there ? d->motion->tree->index[body.index] : -1;
    if (at < 0 || d->motion->tree->bodies[at].joint >= 0) return (tml_dynamics_place){0};
    return place_of(d->motion->tree, at);
}

tml_dynamics_place tml_dynamics_axis(const tml_dynamics* d, tml_joint joint, tml_axis axis)
{
    const gen_tree* t = is_alive(d) ? d->motion->tree : NULL;
    for (int i = 0; t != NULL && i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int owner = t->bodies[t->column_body[link->column]].joint;
        if (link->kind == LINK_BALL || owner < 0 || owner != joint.index) continue;
        for (int k = 0; k < link->count; k++) {
            const int own = (link->kind == LINK_TURN ? 3 : 0) + link->letter[k];
            if (own == (int)axis) {
                return (tml_dynamics_place){link->number + k, 1, link->column + k, 1};
            }
        }
    }
    return (tml_dynamics_place){-1, 0, -1, 0};
}

// ---- states

static tml_status check_state(tml_dynamics* d, double time, const double* q, const double* v)
{
    const gen_tree* t = d->motion->tree;
    for (int i = 0; i < t->number_count; i++) {
        if (isfinite(q[i])) continue;
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "position number %d must be finite, but is %g",
                         i, q[i]);
    }
    for (int i = 0; i < t->column_count && v != NULL; i++) {
        if (isfinite(v[i])) continue;
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "rate %d must be finite, but is %g", i, v[i]);
    }
    for (int i = 0; i < t->link_count; i++) {
        const double* p = &q[t->links[i].number];
        if (t->links[i].kind != LINK_BALL) continue;
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] > 0.0) continue;
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "position numbers %d to %d are a quaternion and must not be zero",
                         t->links[i].number, t->links[i].number + 3);
    }
    if (!isfinite(time)) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT, "the time must be finite, but is %g", time);
    }
    return TML_OK;
}

tml_status tml_dynamics_set(tml_dynamics* d, double time, const double* q, const double* v)
{
    if (!is_alive(d) || q == NULL) return TML_BAD_ARGUMENT;
    const tml_status status = check_state(d, time, q, v);
    if (status != TML_OK) return status;
    const gen_tree* t = d->motion->tree;
    memcpy(d->q, q, (size_t)t->number_count * sizeof *q);
    memset(d->v, 0, (size_t)t->column_count * sizeof *d->v);
    if (v != NULL) memcpy(d->v, v, (size_t)t->column_count * sizeof *v);
    for (int i = 0; i < t->link_count; i++) {
        double* p = &d->q[t->links[i].number];
        if (t->links[i].kind != LINK_BALL) continue;
        const quat unit = q_normalize((quat){p[0], p[1], p[2], p[3]});
        p[0] = unit.w;
        p[1] = unit.x;
        p[2] = unit.y;
        p[3] = unit.z;
    }
    tml__maximal_time(d->s, time, NULL);
    look(d);
    return TML_OK;
}

tml_status tml_dynamics_follow(tml_dynamics* d, const tml_sim* sim)
{
    if (!is_alive(d)) return TML_BAD_ARGUMENT;
    if (sim == NULL || sim->is_dead || sim->given_model != d->model) {
        return tml__fail(&d->why, TML_BAD_ARGUMENT,
                         "only a simulation of the same model can be followed");
    }
    for (int j = 0; j < d->model->all.joint_count; j++) {
        double values[TML_AXES];
        tml_axis axes[TML_AXES];
        const int count = tml_sim_joint_coordinates(sim, (tml_joint){j}, values);
        (void)tml_model_joint_axes(d->model, (tml_joint){j}, axes);
        for (int k = 0; k < count; k++) d->s->hints[j * TML_AXES + (int)axes[k]] = values[k];
    }
    tml__maximal_time(d->s, sim->time, NULL);
    tml__maximal_place(d->s, sim->past_q[0], sim->past_v[0]);
    tml__gen_read(d->motion->tree, d->s, d->q, d->v);
    look(d);
    return TML_OK;
}

// The body frame of something that has its centre of mass at c.
static void tell_body(const tml_dynamics* d, int b, tml_pose* pose, tml_velocity* velocity)
{
    const rigid* body = &d->s->bodies[b];
    const vec3 r = q_rotate(body->q, d->model->bodies[b].com);
    if (pose != NULL) *pose = (tml_pose){v3_sub(body->c, r), body->q};
    if (velocity != NULL) {
        *velocity = (tml_velocity){v3_sub(body->v, v3_cross(body->omega, r)), body->omega};
    }
}

void tml_dynamics_state(const tml_dynamics* d, double* q, double* v, tml_pose* poses,
                        tml_velocity* velocities)
{
    if (!is_alive(d)) return;
    const gen_tree* t = d->motion->tree;
    if (q != NULL) memcpy(q, d->q, (size_t)t->number_count * sizeof *q);
    if (v != NULL) memcpy(v, d->v, (size_t)t->column_count * sizeof *v);
    for (int b = 0; b < d->model->all.body_count; b++) {
        tell_body(d, b, poses != NULL ? &poses[b] : NULL,
                  velocities != NULL ? &velocities[b] : NULL);
    }
}

void tml_dynamics_move(const tml_dynamics* d, const double* q, const double* motion, double* out)
{
    if (q == NULL || motion == NULL || out == NULL) return;
    if (is_alive(d)) tml__gen_move(d->motion->tree, q, motion, 1.0, out);
}

void tml_dynamics_difference(const tml_dynamics* d, const double* from, const double* to,
                             double* out)
{
    if (from == NULL || to == NULL || out == NULL) return;
    if (is_alive(d)) tml__gen_way(d->motion->tree, from, to, out);
}

// ---- dynamics

void tml_dynamics_mass_matrix(tml_dynamics* d, double* M)
{
    if (M == NULL) return;
    if (!is_alive(d)) return;
    gen_tree* t = d->motion->tree;
    const int n = t->column_count;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    tml__gen_mass(t, NULL);
    for (int i = 0; i < n; i++) {
        const double* row = gen_mass_row(t, i);
        for (int j = i; j >= 0; j = t->column_parent[j]) {
            M[(size_t)i * (size_t)n + (size_t)j] = row[t->depth[j]];
            M[(size_t)j * (size_t)n + (size_t)i] = row[t->depth[j]];
        }
    }
}

// Gravity alone acts on the bodies; until apply_all.
static void apply_gravity(tml_dynamics* d)
{
    const tml_model* m = d->model;
    for (int b = 0; b <= m->all.body_count; b++) {
        d->force[b] = v3_scale(m->bodies[b].mass, m->all.gravity);
        d->torque[b] = v3_zero();
    }
    tml__gen_apply(d->motion->tree, d->force, d->torque);
}

static void apply_all(tml_dynamics* d)
{
    tml__gen_apply(d->motion->tree, d->s->force, d->s->torque);
}

void tml_dynamics_inverse(tml_dynamics* d, const double* a, double* tau)
{
    if (tau == NULL) return;
    if (!is_alive(d)) return;
    apply_gravity(d);
    tml__gen_inverse(d->motion->tree, a, tau);
    apply_all(d);
}

void tml_dynamics_bias(tml_dynamics* d, double* out)
{
    if (out == NULL) return;
    tml_dynamics_inverse(d, NULL, out);
}

void tml_dynamics_applied(tml_dynamics* d, double* out)
{
    if (out == NULL) return;
    if (!is_alive(d)) return;
    double* all = d->column;
    tml_dynamics_bias(d, out);
    tml__gen_inverse(d->motion->tree, NULL, all);
    for (int k = 0; k < d->motion->tree->column_count; k++) out[k] -= all[k];
}

// Rows that give way push as springs: added to a right-hand side.
static void push_compliant(tml_dynamics* d, double* rhs)
{
    gen_rows* r = d->motion->rows;
    if (r == NULL) return;
    tml__gen_rows_collect(r, true);
    for (int i = 0; i < r->count; i++) {
        const double give = d->s->compliance[r->row[i]];
        r->side[i] = give > 0.0 ? -d->s->C[r->row[i]] / give : 0.0;
    }
    tml__gen_rows_spread(r, r->side, rhs);
}

int tml_dynamics_row_count(tml_dynamics* d)
{
    if (!is_alive(d) || d->motion->rows == NULL) return 0;
    tml__gen_rows_collect(d->motion->rows, false);
    return d->motion->rows->count;
}

tml_status tml_dynamics_forward(tml_dynamics* d, const double* tau, double* a, double* multipliers)
{
    if (!is_alive(d) || a == NULL) return TML_BAD_ARGUMENT;
    gen_tree* t = d->motion->tree;
    gen_rows* r = d->motion->rows;
    double* rhs = d->column;
    tml__gen_inverse(t, NULL, rhs);
    for (int k = 0; k < t->column_count; k++) rhs[k] = (tau != NULL ? tau[k] : 0.0) - rhs[k];
    push_compliant(d, rhs);
    tml__gen_mass(t, NULL);
    const tml_status status = tml__gen_factor(t, &d->motion->bad_column);
    if (status != TML_OK) return tml__gen_describe_failure(d->motion, status, &d->why);
    memcpy(a, rhs, (size_t)t->column_count * sizeof *a);
    tml__gen_solve(t, a);
    if (tml_dynamics_row_count(d) == 0) return TML_OK;

    // the rows ask for accelerations: J a = -(how they curve), by the impulses H^-1 J^T f
    tml__gen_inverse(t, a, d->column + t->column_count);
    tml__gen_rows_lift(r, 0.0);
    tml__gen_rows_factor(r, r->count);
    tml__gen_rows_curve(r, d->motion->curve);
    for (int i = 0; i < r->count; i++) r->side[i] = -r->side[i];
    tml__gen_rows_solve(r);
    tml__gen_rows_push(r, r->side, a);
    if (multipliers != NULL) memcpy(multipliers, r->side, (size_t)r->count * sizeof *r->side);
    return TML_OK;
}

// ---- Jacobians

tml_status tml_dynamics_jacobian(const tml_dynamics* d, tml_body body, tml_vec3 point, double* out)
{
    if (!is_alive(d) || out == NULL || body.index >= d->model->all.body_count) {
        return TML_BAD_ARGUMENT;
    }
    const gen_tree* t = d->motion->tree;
    const size_t n = (size_t)t->column_count;
    memset(out, 0, 6 * n * sizeof *out);
    const int at = body.index >= 0 ? t->index[body.index] : -1;
    if (at < 0) return TML_OK;
    const vec3 local = v3_sub(point, d->model->bodies[body.index].com);
    const vec3 place = v3_add(t->c[at], m3_apply(t->R[at], local));
    const vec3 arm = v3_sub(place, t->origin[at]);
    for (int k = gen_last_column(t, at); k >= 0; k = t->column_parent[k]) {
        const twist* S = &t->S[k];
        const vec3 v = v3_add(S->v, v3_cross(S->omega, arm));
        for (int i = 0; i < 3; i++) {
            out[(size_t)i * n + (size_t)k] = v3_at(v, i);
            out[(size_t)(3 + i) * n + (size_t)k] = v3_at(S->omega, i);
        }
    }
    return TML_OK;
}

void tml_dynamics_rows(tml_dynamics* d, double* J)
{
    const int count = tml_dynamics_row_count(d);
    if (count == 0) return;
    const gen_rows* r = d->motion->rows;
    const size_t n = (size_t)d->motion->tree->column_count;
    memset(J, 0, (size_t)count * n * sizeof *J);
    for (int i = 0; i < count; i++) {
        for (size_t k = r->start[i]; k < r->start[i + 1]; k++) {
            J[(size_t)i * n + (size_t)r->column[k]] += r->j[k];
        }
    }
}
