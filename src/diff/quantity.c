// diff/quantity.c - quantities of an accepted state, and how they follow it and the parameters.
//
// Each quantity is one number. Its gradient by the pose and the velocity of the nodes it looks at is
// written down once; the direction decides whether a change or a gradient is carried along it.
#include "diff/work.h"
#include "force/axis.h"
#include "joint/tangent.h"
#include "method/instant.h"
#include "sim/lean.h"

#include <string.h>

// The slopes of one quantity.
typedef struct quantity_product {
    tml_sim* sim;
    linear_work* work;
    partial_direction way;
    double* state;
    const run_inputs* in;
    double* value;
    // where poses and velocities are told as 6 numbers a node, instead of `state`
    double *pose, *velocity;
    const int* slot;  // per node: which of several values its energy belongs to; NULL: there is one
} quantity_product;

static void emit(const quantity_product* p, double* input, double slope)
{
    if (p->way == PARTIAL_FORWARD) {
        *p->value += slope * *input;
    } else {
        *input += slope * *p->value;
    }
}

// A quantity with slopes `pose` and `velocity` (6 numbers each) by those of a body.
static void emit_body(const quantity_product* p, int body, const double pose[6],
                      const double velocity[6])
{
    const tml_sim* sim = p->sim;
    const int n = sim->model->bodies[body].node;
    if (n < 0) return;
    const double* q = &step_q(sim)[POSE_WIDTH * n];
    const double* v = &step_v(sim)[POSE_WIDTH * n];
    double* dq = p->state + POSE_WIDTH * n;
    double* dv = p->state + sim->width + POSE_WIDTH * n;
    double d_pose[6];
    double d_velocity[6];

    for (int k = 0; k < 6 && p->pose != NULL; k++) {
        emit(p, &p->pose[6 * n + k], pose[k]);
        emit(p, &p->velocity[6 * n + k], velocity[k]);
    }
    if (p->pose != NULL) return;
    if (p->way == PARTIAL_FORWARD) {
        tml__flat_to_pose(p->way, q, 1, dq, d_pose);
        tml__rate_to_velocity(p->way, q, v, 1, dq, dv, d_velocity);
        for (int k = 0; k < 6; k++) {
            *p->value += pose[k] * d_pose[k] + velocity[k] * d_velocity[k];
        }
        return;
    }
    for (int k = 0; k < 6; k++) {
        d_pose[k] = pose[k] * *p->value;
        d_velocity[k] = velocity[k] * *p->value;
    }
    tml__rate_to_velocity(p->way, q, v, 1, dq, dv, d_velocity);
    tml__flat_to_pose(p->way, q, 1, dq, d_pose);
}

// The same of what belongs to a body, where each slot has a value of its own.
static quantity_product part_of(const quantity_product* p, int body)
{
    const int n = p->sim->model->bodies[body].node;
    quantity_product part = *p;
    if (p->slot != NULL && n >= 0) part.value = &p->value[p->slot[n]];
    return part;
}

static const double none[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

// A body of the accepted state; lean simulations place none.
static rigid body_now(const tml_sim* sim, int body)
{
    const int n = sim->model->bodies[body].node;
    const body_data* fixed = &sim->model->bodies[body];
    if (!tml__is_lean(sim)) return sim->system->bodies[body];
    if (n < 0) return (rigid){.c = fixed->c, .q = fixed->q, .R = q_matrix(fixed->q)};
    const double* x = &step_q(sim)[POSE_WIDTH * n];
    const double* v = &step_v(sim)[POSE_WIDTH * n];
    const quat q = {x[3], x[4], x[5], x[6]};
    const quat w = {v[3], v[4], v[5], v[6]};
    return (rigid){.c = v3_load(x),
                   .q = q_normalize(q),
                   .R = q_matrix(q_normalize(q)),
                   .v = v3_load(v),
                   .omega = v3_scale(2.0 / q_dot(q, q), q_G(q, w))};
}

// ---- of one body

// p = c - r, r = R com:  dp_k = e_k.dc + (e_k x r).dphi - e_k.R dcom
static void position(const quantity_product* p, int body, int k)
{
    const body_data* b = &p->sim->model->bodies[body];
    const mat3 R = body_now(p->sim, body).R;
    double pose[6] = {0.0};
    pose[k] = 1.0;
    v3_store(pose + 3, v3_neg(v3_cross(m3_apply(R, b->com), v3_unit(k))));
    emit_body(p, body, pose, none);
    for (int c = 0; c < 3; c++) emit(p, &p->in->com[3 * body + c], -R.m[k][c]);
}

// v_p = v - omega x r
static void velocity(const quantity_product* p, int body, int k)
{
    const rigid now = body_now(p->sim, body);
    const rigid* at = &now;
    const vec3 r = m3_apply(at->R, p->sim->model->bodies[body].com);
    const vec3 e = v3_unit(k);
    double pose[6] = {0.0};
    double rate[6] = {0.0};

    // -e.(omega x (dphi x r)) = -((e x omega) x ... ): by the triple product
    const vec3 eo = v3_cross(e, at->omega);
    v3_store(pose + 3, v3_neg(v3_cross(r, eo)));
    v3_store(rate, e);
    v3_store(rate + 3, v3_neg(v3_cross(r, e)));
    emit_body(p, body, pose, rate);
    for (int c = 0; c < 3; c++) {
        emit(p, &p->in->com[3 * body + c], -v3_dot(eo, m3_column(at->R, c)));
    }
}

static void quaternion(const quantity_product* p, int body, int k)
{
    const int n = p->sim->model->bodies[body].node;
    if (n < 0) return;
    const double* x = &step_q(p->sim)[POSE_WIDTH * n + 3];
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    const double length = sqrt(square);
    for (int c = 0; c < 4; c++) {
        const double slope = ((c == k) - x[k] * x[c] / square) / length;
        emit(p, &p->state[POSE_WIDTH * n + 3 + c], slope);
    }
}

static void angular_velocity(const quantity_product* p, int body, int k)
{
    double rate[6] = {0.0};
    rate[3 + k] = 1.0;
    emit_body(p, body, none, rate);
}

// ---- of a joint

static joint_motion motion_of(const tml_sim* sim, int joint)
{
    const maximal_system* s = sim->system;
    const joint_data* j = &s->model->joints[joint];
    return (joint_motion){.joint = j,
                          .rows = &s->rows[joint],
                          .turn = &s->turns[joint],
                          .frame = &s->frames[joint],
                          .F = &s->bodies[j->follower],
                          .B = &s->bodies[j->base],
                          .targets = &s->targets.axis[joint * TML_AXES]};
}

// A coordinate (level 0) or its rate (level 1).
static void coordinate(const quantity_product* p, int joint, tml_axis axis, int level)
{
    const joint_motion m = motion_of(p->sim, joint);
    const int bodies[2] = {m.joint->follower, m.joint->base};

    for (int side = 0; side < 2; side++) {
        double slope[12];
        for (int k = 0; k < 12; k++) {
            joint_tangent d = {.F = {.c = v3_zero()}};
            side_tangent* t = side == 0 ? &d.F : &d.B;
            vec3* const parts[4] = {&t->c, &t->phi, &t->v, &t->omega};
            *parts[k / 3] = v3_unit(k % 3);
            slope[k] = tml__coordinate_tangent(&m, axis, &d).at[level];
        }
        emit_body(p, bodies[side], slope, slope + 6);
        double* markers =
            &p->in->form.marker[2 * MARKER_PARAMETERS * joint + side * MARKER_PARAMETERS];
        for (int k = 0; k < MARKER_PARAMETERS; k++) {
            joint_tangent d = {.F = {.c = v3_zero()}};
            side_tangent* t = side == 0 ? &d.F : &d.B;
            const vec3 unit = m3_column((side == 0 ? m.F : m.B)->R, k % 3);
            if (k < 3) {
                t->point = unit;
            } else {
                t->turning = unit;
            }
            emit(p, &markers[k], tml__coordinate_tangent(&m, axis, &d).at[level]);
        }
    }
}

// ---- energies

static void kinetic(const quantity_product* p)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const tml_model* m = p->sim->model;

    for (int n = 0; n < m->node_count; n++) {
        const int b = m->node_body[n];
        const rigid now = body_now(p->sim, b);
        const rigid* at = &now;
        const vec3 omega = m3_apply_t(at->R, at->omega);
        const vec3 L = m3_apply(at->R, m3_apply(m->bodies[b].inertia, omega));
        double* mine = &p->in->form.body[BODY_PARAMETERS * b];
        double pose[6] = {0.0};
        double rate[6];

        v3_store(pose + 3, v3_cross(L, at->omega));
        v3_store(rate, v3_scale(m->bodies[b].mass, at->v));
        v3_store(rate + 3, L);
        const quantity_product part = part_of(p, b);
        emit_body(&part, b, pose, rate);
        emit(&part, &mine[0], 0.5 * v3_dot(at->v, at->v));
        for (int k = 0; k < 6; k++) {
            const double product = v3_at(omega, row[k]) * v3_at(omega, column[k]);
            emit(&part, &mine[1 + k], k < 3 ? 0.5 * product : product);
        }
    }
}

static void spring_potential(const quantity_product* p, int i)
{
    maximal_system* s = p->sim->system;
    const spring_data* spring = &s->model->springs[i];
    double* mine = &p->in->form.spring[SPRING_PARAMETERS * i];
    double* points = &p->in->form.point[3 * tml__first_spring_point(s, i)];

    tml__spring_eval(spring, s->bodies, s->t, &s->spring);
    const double x = s->spring.length - spring->rest_length;
    const double force = tml__spring_law(spring, x).force;
    for (int k = 0; k < spring->point_count; k++) {
        const vec3 g = v3_scale(force, s->spring.g[k]);
        double pose[6];
        v3_store(pose, g);
        v3_store(pose + 3, v3_cross(s->spring.r[k], g));
        emit_body(p, spring->body[k], pose, none);
        for (int c = 0; c < 3; c++) {
            emit(p, &points[3 * k + c], v3_dot(g, m3_column(s->bodies[spring->body[k]].R, c)));
        }
    }
    if (spring->law != TML_SPRING_TABLE) {
        const bool is_linear = spring->law == TML_SPRING_LINEAR;
        emit(p, &mine[0], is_linear ? 0.5 * x * x : x * x * fabs(x) / 3.0);
    }
    emit(p, &mine[2], -tml__spring_elastic(spring, x).force);
}

// The energy of a joint spring, k (s - rest)^2 / 2.
static void axis_potential(const quantity_product* p, joint_axis_id id)
{
    const maximal_system* s = p->sim->system;
    const axis_data* a = &s->model->joints[id.joint].axis[id.axis];
    double* mine = &p->in->form.axis[(id.joint * TML_AXES + (int)id.axis) * AXIS_PARAMETERS];
    if (a->stiffness == 0.0) return;
    const double x = tml__maximal_coordinate(s, id.joint, id.axis) - a->rest;

    double slope = 0.0;
    quantity_product q = *p;
    q.value = &slope;
    if (p->way == PARTIAL_BACKWARD) slope = a->stiffness * x * *p->value;
    coordinate(&q, id.joint, id.axis, 0);
    if (p->way == PARTIAL_FORWARD) *p->value += a->stiffness * x * slope;
    emit(p, &mine[AXIS_STIFFNESS], 0.5 * x * x);
    emit(p, &mine[AXIS_REST], -a->stiffness * x);
}

// What rows that give way store, C^2 / (2 compliance).
static void row_potential(const quantity_product* p)
{
    const tml_sim* sim = p->sim;
    const maximal_system* s = sim->system;
    linear_work* w = p->work;
    const int nodes = s->node_count;
    // links are held rigidly, and keep nothing for each row
    if (tml__is_lean(sim) || !tml__maximal_has_compliance(s)) return;
    clear(w->spring, s->row_count);
    clear(w->pose, 6 * nodes);
    if (p->way == PARTIAL_FORWARD) {
        tml__flat_to_pose(p->way, step_q(sim), nodes, p->state, w->pose);
        tml__linear_rows(p->sim, w, p->way, &p->in->form, w->pose, w->spring);
    }
    for (int k = 0; k < s->row_count; k++) {
        if (s->compliance[k] > 0.0) emit(p, &w->spring[k], s->C[k] / s->compliance[k]);
    }
    if (p->way == PARTIAL_FORWARD) return;
    tml__linear_rows(p->sim, w, p->way, &p->in->form, w->pose, w->spring);
    tml__flat_to_pose(p->way, step_q(sim), nodes, p->state, w->pose);
}

// A body that moves and holds an end of a spring; the world where none does.
static int moving_of(const tml_model* m, int spring)
{
    const spring_data* s = &m->springs[spring];
    for (int k = 0; k < s->point_count; k++) {
        if (m->bodies[s->body[k]].node >= 0) return s->body[k];
    }
    return tml__world(m);
}

static void potential(const quantity_product* p)
{
    const maximal_system* s = p->sim->system;
    const tml_model* m = s->model;

    for (int n = 0; n < m->node_count; n++) {
        const int b = m->node_body[n];
        const vec3 c = body_now(p->sim, b).c;
        double pose[6] = {0.0};
        v3_store(pose, v3_scale(-m->bodies[b].mass, m->all.gravity));
        const quantity_product part = part_of(p, b);
        emit_body(&part, b, pose, none);
        emit(&part, &p->in->form.body[BODY_PARAMETERS * b], -v3_dot(m->all.gravity, c));
        for (int k = 0; k < 3; k++) {
            emit(&part, &p->in->form.gravity[k], -m->bodies[b].mass * v3_at(c, k));
        }
    }
    for (int i = 0; i < m->all.spring_count; i++) {
        const int body = moving_of(m, i);
        const quantity_product part = part_of(p, body);
        // what stands still is in no slot
        if (p->slot == NULL || body != tml__world(m)) spring_potential(&part, i);
    }
    for (int i = 0; i < s->forced_count; i++) {
        if (tml__is_dot((int)s->forced[i].axis)) continue;  // it stores nothing
        const joint_data* j = &m->joints[s->forced[i].joint];
        const bool is_follower = m->bodies[j->follower].node >= 0;
        const quantity_product part = part_of(p, is_follower ? j->follower : j->base);
        axis_potential(&part, s->forced[i]);
    }
}

void tml__linear_energy(const instant* i, const energy_slots* of, double* value)
{
    const quantity_product p = {.sim = i->sim,
                                .work = i->work,
                                .way = i->way,
                                .in = &i->x->inputs,
                                .value = value,
                                .pose = of->pose,
                                .velocity = of->velocity,
                                .slot = of->slot};
    kinetic(&p);
    potential(&p);
}

// ---- all of them

static tml_status place(tml_sim* sim)
{
    tml__sim_forget_answers(sim);
    tml__sim_answer(sim);  // targets, bodies and rows of the accepted state
    return TML_OK;
}

// Behind the state vector, where the step has left it.
static void contact_force(const quantity_product* p, int body, int k)
{
    const int node = p->sim->model->bodies[body].node;
    emit(p, p->state + tml__flat_count(p->sim) + 6 * (size_t)node + (size_t)k, 1.0);
}

tml_status tml__linear_quantity(tml_sim* sim, linear_work* work, partial_direction way,
                                const tml_quantity* quantity, double* state, const run_inputs* in,
                                double* value)
{
    const quantity_product p = {
        .sim = sim, .work = work, .way = way, .state = state, .in = in, .value = value};
    const int i = quantity->index;
    const int k = quantity->component;

    place(sim);
    if (way == PARTIAL_FORWARD) *value = 0.0;
    switch (quantity->kind) {
    case TML_QUANTITY_POSITION: position(&p, i, k); return TML_OK;
    case TML_QUANTITY_QUATERNION: quaternion(&p, i, k); return TML_OK;
    case TML_QUANTITY_VELOCITY: velocity(&p, i, k); return TML_OK;
    case TML_QUANTITY_ANGULAR_VELOCITY: angular_velocity(&p, i, k); return TML_OK;
    case TML_QUANTITY_CONTACT_FORCE: contact_force(&p, i, k); return TML_OK;
    case TML_QUANTITY_COORDINATE: coordinate(&p, i, (tml_axis)k, 0); return TML_OK;
    case TML_QUANTITY_RATE: coordinate(&p, i, (tml_axis)k, 1); return TML_OK;
    case TML_QUANTITY_KINETIC: kinetic(&p); return TML_OK;
    case TML_QUANTITY_POTENTIAL: {
        potential(&p);
        row_potential(&p);
        return TML_OK;
    }
    case TML_QUANTITY_FORCE:
    case TML_QUANTITY_MOMENT: return tml__linear_load(sim, work, way, quantity, state, in, value);
    case TML_QUANTITY_KINDS: break;
    }
    return TML_BAD_ARGUMENT;
}

static double component(vec3 a, int k) { return v3_at(a, k); }

tml_status tml__quantity_value(tml_sim* sim, const tml_quantity* quantity, double* value)
{
    const tml_body body = {quantity->index};
    const tml_joint joint = {quantity->index};
    const int k = quantity->component;
    double q[4];

    switch (quantity->kind) {
    case TML_QUANTITY_POSITION: *value = component(tml_sim_pose(sim, body).p, k); return TML_OK;
    case TML_QUANTITY_QUATERNION: {
        const tml_pose pose = tml_sim_pose(sim, body);
        q[0] = pose.q.w, q[1] = pose.q.x, q[2] = pose.q.y, q[3] = pose.q.z;
        *value = q[k];
        return TML_OK;
    }
    case TML_QUANTITY_VELOCITY:
        *value = component(tml_sim_velocity(sim, body).linear, k);
        return TML_OK;
    case TML_QUANTITY_ANGULAR_VELOCITY:
        *value = component(tml_sim_velocity(sim, body).angular, k);
        return TML_OK;
    case TML_QUANTITY_CONTACT_FORCE:
        *value = sim->contacts->now.wrenches[6 * sim->model->bodies[quantity->index].node + k];
        return TML_OK;
    case TML_QUANTITY_COORDINATE:
    case TML_QUANTITY_RATE:
        place(sim);
        *value = quantity->kind == TML_QUANTITY_RATE
                     ? tml__maximal_coordinate_rate(sim->system, joint.index, (tml_axis)k)
                     : tml__maximal_coordinate(sim->system, joint.index, (tml_axis)k);
        return TML_OK;
    case TML_QUANTITY_FORCE:
        *value = component(tml_sim_joint_load(sim, joint).force, k);
        return TML_OK;
    case TML_QUANTITY_MOMENT:
        *value = component(tml_sim_joint_load(sim, joint).moment, k);
        return TML_OK;
    case TML_QUANTITY_KINETIC: *value = tml_sim_energy(sim).kinetic; return TML_OK;
    case TML_QUANTITY_POTENTIAL: *value = tml_sim_energy(sim).potential; return TML_OK;
    case TML_QUANTITY_KINDS: break;
    }
    return TML_BAD_ARGUMENT;
}
