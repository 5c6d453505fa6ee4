// method/evaluate.c - where the bodies are, what the rows say, what pushes.
#include "force/axis.h"
#include "method/maximal.h"

#include <math.h>

void tml__maximal_displace(double* x, const double* from, const double* motion, double fraction)
{
    const quat q = {from[3], from[4], from[5], from[6]};
    const quat turned = q_turn(q, v3_scale(fraction, v3_load(motion + 3)));

    v3_store(x, v3_axpy(v3_load(from), fraction, v3_load(motion)));
    x[3] = turned.w;
    x[4] = turned.x;
    x[5] = turned.y;
    x[6] = turned.z;
}

void tml__maximal_time(maximal_system* s, double t, const drive* given)
{
    const tml_model* m = s->model;

    // nothing that follows time, or what time says is known
    const bool is_known =
        s->is_aimed && (!s->has_targets || (given == NULL && !s->is_given && t == s->t));
    s->t = t;
    if (is_known) return;
    s->is_given = given != NULL;
    if (s->rows == NULL) return;  // lean, and folded: no targets at all
    s->is_aimed = true;
    s->placements++;
    tml__drives_eval(m, t, given, &s->targets);
    for (int j = 0; j < m->all.joint_count; j++) {
        tml__joint_turn(&m->joints[j], &s->rows[j], &s->targets.axis[j * TML_AXES], &s->turns[j]);
    }
}

// omega = 2 G(q) w; w scales with |q| where a method leaves the sphere
static void hasten(rigid* b, const double* p, const double* u)
{
    const quat raw = {p[3], p[4], p[5], p[6]};
    const quat w = {u[3], u[4], u[5], u[6]};
    b->v = v3_load(u);
    b->omega = v3_scale(2.0 / q_dot(raw, raw), q_G(raw, w));
}

void tml__maximal_hasten(maximal_system* s, const double* x, const double* v)
{
    for (int n = 0; n < s->node_count; n++) {
        hasten(&s->bodies[s->model->node_body[n]], &x[n * POSE_WIDTH], &v[n * POSE_WIDTH]);
    }
}

void tml__maximal_load_body(const double* p, const double* u, rigid* b)
{
    const quat raw = {p[3], p[4], p[5], p[6]};
    b->c = v3_load(p);
    b->q = q_normalize(raw);
    b->R = q_matrix(b->q);
    b->v = v3_zero();
    b->omega = v3_zero();
    if (u != NULL) hasten(b, p, u);
}

static void place_bodies(maximal_system* s, const double* x, const double* v)
{
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        tml__maximal_load_body(&x[n * POSE_WIDTH], v != NULL ? &v[n * POSE_WIDTH] : NULL,
                               &s->bodies[m->node_body[n]]);
    }
}

void tml__maximal_place(maximal_system* s, const double* x, const double* v)
{
    place_bodies(s, x, v);
    tml__maximal_frames(s);
}

// Joints that nothing drives are turned by nothing and have no targets: one of each serves them all.
static const joint_turn no_turn = {.has_base = false};
static const drive no_targets[TML_AXES] = {{0}};

const joint_turn* tml__maximal_turn(const maximal_system* s, int joint)
{
    return s->has_targets ? &s->turns[joint] : &no_turn;
}

const drive* tml__maximal_targets(const maximal_system* s, int joint)
{
    return s->has_targets ? &s->targets.axis[joint * TML_AXES] : no_targets;
}

static inline void frame_of(const maximal_system* s, int j, joint_frame* out)
{
    const joint_data* joint = &s->model->joints[j];
    tml__joint_frame(joint, tml__maximal_turn(s, j), &s->bodies[joint->follower],
                     &s->bodies[joint->base], out);
}

static void put_frames(maximal_system* s)
{
    for (int j = 0; j < s->model->all.joint_count; j++) frame_of(s, j, &s->frames[j]);
}

void tml__maximal_frames(maximal_system* s)
{
    s->placements++;
    put_frames(s);
    s->framed = s->placements;
}

// ---- rows

static void coupling_row(maximal_system* s, int i)
{
    const tml_coupling_def* c = &s->model->all.couplings[i];
    double sum = c->offset;

    for (int k = 0; k < c->term_count; k++) {
        const int at = s->first_term[i] + k;
        const tml_coupling_term* term = &c->terms[k];
        const int j = term->joint.index;
        const double hint = s->hints[j * TML_AXES + (int)term->axis];
        const coordinate_rigid q =
            tml__coordinate_rigid(&s->model->joints[j], term->axis, hint, &s->frames[j]);

        // Horner for c1 q + c2 q^2 + ..., its slope and its second derivative
        double value = 0.0;
        double slope = 0.0;
        double bend = 0.0;
        for (int d = term->degree - 1; d >= 0; d--) {
            bend = bend * q.value + 2.0 * slope;
            slope = slope * q.value + value;
            value = value * q.value + term->coefficient[d];
        }
        bend = bend * q.value + 2.0 * slope;
        slope = slope * q.value + value;
        value = value * q.value;

        sum += value;
        s->term_gradient[at] = q.g;
        s->term_slope[at] = slope;
        s->term_bend[at] = bend;
    }
    s->C[s->first_coupling + i] = sum;
}

static void limit_rows(maximal_system* s)
{
    for (int i = 0; i < s->limit_count; i++) {
        const limit_row* limit = &s->limits[i];
        s->C[limit->row] = 0.0;
        if (s->sides[i] == LIMIT_OFF) continue;

        const joint_data* joint = &s->model->joints[limit->joint];
        const axis_data* axis = &joint->axis[limit->axis];
        const double hint = tml__maximal_hint(s, limit->joint, limit->of);
        const coordinate_rigid q =
            tml__coordinate_rigid(joint, limit->of, hint, &s->frames[limit->joint]);
        const double bound = s->sides[i] == LIMIT_LOWER ? axis->lower : axis->upper;
        s->C[limit->row] = limit->side == LIMIT_OFF ? q.value - bound : q.value;
        s->gradient[limit->row] = q.g;
    }
}

static inline void rows_of(maximal_system* s, int j, const joint_frame* frame)
{
    const int first = s->first_row[j];
    tml__rows_eval(&s->model->joints[j], &s->rows[j], frame, tml__maximal_targets(s, j),
                   &s->C[first], &s->gradient[first]);
}

double tml__maximal_rows(maximal_system* s)
{
    const tml_model* m = s->model;
    double largest = 0.0;

    for (int j = 0; j < m->all.joint_count; j++) {
        rows_of(s, j, &s->frames[j]);
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            // a compliant row gives way; it is no gap
            if (!(s->compliance[row] > 0.0)) largest = tml__larger(largest, s->C[row]);
        }
    }
    for (int i = 0; i < m->all.coupling_count; i++) {
        coupling_row(s, i);
        if (m->all.couplings[i].compliance > 0.0) continue;
        largest = tml__larger(largest, s->C[s->first_coupling + i]);
    }
    largest = tml__larger(largest, tml__maximal_tie_rows(s));
    limit_rows(s);
    for (int i = 0; i < s->limit_count; i++) {
        largest = tml__larger(largest, s->C[s->limits[i].row]);
    }
    return largest;
}

// Is what stands there the pose x? Then rows, which follow from it, are there too, and velocities are set
// on the way; else they are those of some bodies only.
static bool hasten_there(maximal_system* s, const double* x, const double* v)
{
    for (int n = 0; n < s->node_count; n++) {
        rigid* b = &s->bodies[s->model->node_body[n]];
        const double* p = &x[n * POSE_WIDTH];
        const quat q = q_normalize((quat){p[3], p[4], p[5], p[6]});
        if (b->c.x != p[0] || b->c.y != p[1] || b->c.z != p[2]) return false;
        if (b->q.w != q.w || b->q.x != q.x || b->q.y != q.y || b->q.z != q.z) return false;
        hasten(b, p, &v[n * POSE_WIDTH]);
    }
    return true;
}

// One walk over the joints instead of three: in long mechanisms that is what their memory can bear.
// Frames are the largest part of it, so whoever needs rows alone does not keep them.
static void stand_plainly(maximal_system* s, bool has_frames)
{
    joint_frame passing;
    s->gap = 0.0;
    s->consistency = 1.0;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        joint_frame* frame = has_frames ? &s->frames[j] : &passing;
        frame_of(s, j, frame);
        rows_of(s, j, frame);
        const double consistency = tml__joint_consistency(&s->rows[j], frame);
        s->consistency = tml__smaller(s->consistency, consistency);
        for (int row = s->first_row[j]; row < s->first_row[j + 1]; row++) {
            s->gap = tml__larger(s->gap, s->C[row]);
        }
    }
}

double tml__maximal_stand(maximal_system* s, const double* x, const double* v)
{
    if (!s->is_plain) {
        tml__maximal_place(s, x, v);
        return tml__maximal_rows(s);
    }
    const bool is_there = v != NULL && s->stood == s->placements && hasten_there(s, x, v);
    const bool is_filled = s->filled == s->placements;
    const bool is_framed = s->framed == s->placements;
    s->placements++;
    if (is_there) {
        if (is_filled) s->filled = s->placements;
        if (!is_framed) put_frames(s);
    } else {
        place_bodies(s, x, v);
        stand_plainly(s, true);
    }
    s->stood = s->placements;
    s->framed = s->placements;
    return s->gap;
}

double tml__maximal_stand_briefly(maximal_system* s, const double* x)
{
    if (!s->is_plain) return tml__maximal_stand(s, x, NULL);
    s->placements++;
    place_bodies(s, x, NULL);
    stand_plainly(s, false);
    s->stood = s->placements;
    return s->gap;
}

double tml__maximal_consistency(const maximal_system* s)
{
    if (s->is_plain && s->stood == s->placements) return s->consistency;
    double least = 1.0;
    for (int j = 0; j < s->model->all.joint_count; j++) {
        least = tml__smaller(least, tml__joint_consistency(&s->rows[j], &s->frames[j]));
    }
    return least;
}

// ---- forces

static void push(maximal_system* s, int body, vec3 force, vec3 torque)
{
    s->force[body] = v3_add(s->force[body], force);
    s->torque[body] = v3_add(s->torque[body], torque);
}

static void push_gradient(maximal_system* s, const joint_data* j, const rigid_gradient* g, double Q)
{
    push(s, j->follower, v3_scale(Q, g->n), v3_scale(Q, g->t_F));
    push(s, j->base, v3_scale(-Q, g->n), v3_scale(Q, g->t_B));
}

static void axis_forces(maximal_system* s)
{
    for (int i = 0; i < s->forced_count; i++) {
        const joint_axis_id id = s->forced[i];
        const joint_data* j = &s->model->joints[id.joint];
        const int at = tml__axis_slot(id.joint, (int)id.axis);
        const axis_data* a = tml__joint_axis(j, (int)id.axis);
        const drive* control = &s->targets.axis[at];
        drive none = {0};

        if (s->is_apart != NULL && !a->is_dot && s->is_apart[at]) continue;
        // three driven rotations: a torque along the base's axes                   [QRBD Tab 7]
        if (tml__axis_is_base_torque(j, (int)id.axis)) {
            const vec3 torque =
                v3_scale(control->value, s->frames[id.joint].B.axis[(int)id.axis - 3]);
            push(s, j->follower, v3_zero(), torque);
            push(s, j->base, v3_zero(), v3_neg(torque));
            control = &none;
            // the torque is regular at gimbal lock, where the coordinate is not
            if (!tml__axis_is_sprung(a)) continue;
        }
        const coordinate_rigid q = tml__coordinate_rigid(
            j, id.axis, tml__maximal_hint(s, id.joint, id.axis), &s->frames[id.joint]);
        const double rate = rigid_rate(&q.g, &s->bodies[j->follower], &s->bodies[j->base]);
        const axis_force f = tml__axis_force(a, q.value, rate, control, &s->targets.servo[at]);
        push_gradient(s, j, &q.g, f.Q);
    }
}

// -rayleigh times the momentum.                                                     [COOK Sec 4]
static void mass_damping(maximal_system* s)
{
    const tml_model* m = s->model;
    const double rate = m->all.rayleigh_mass;

    for (int n = 0; rate > 0.0 && n < s->node_count; n++) {
        const int i = m->node_body[n];
        const rigid* b = &s->bodies[i];
        const vec3 spin = m3_apply(m->bodies[i].inertia, m3_apply_t(b->R, b->omega));
        push(s, i, v3_scale(-rate * m->bodies[i].mass, b->v),
             v3_scale(-rate, m3_apply(b->R, spin)));
    }
}

static void point_forces(maximal_system* s)
{
    const tml_model* m = s->model;

    for (int i = 0; i < m->all.spring_count; i++) {
        const spring_data* spring = &m->springs[i];
        tml__spring_eval(spring, s->bodies, s->t, &s->spring);
        for (int p = 0; p < spring->point_count; p++) {
            const vec3 f = tml__spring_force(&s->spring, p);
            push(s, spring->body[p], f, v3_cross(s->spring.r[p], f));
        }
    }
    for (int i = 0; i < m->all.wrench_count; i++) {
        const wrench_data* w = &m->wrenches[i];
        vec3 f;
        vec3 torque;
        for (int k = 0; k < 3; k++) {
            v3_set(&f, k, s->load * tml__control_eval(&w->force[k], s->t).value);
            v3_set(&torque, k, s->load * tml__control_eval(&w->torque[k], s->t).value);
        }
        const vec3 r = m3_apply(s->bodies[w->body].R, w->point);
        push(s, w->body, f, v3_add(torque, v3_cross(r, f)));
    }
    for (int i = 0; i < s->push_count; i++) {
        const hand_push* p = &s->pushes[i];
        const vec3 r = m3_apply(s->bodies[p->body].R, p->point);
        push(s, p->body, p->force, v3_add(p->torque, v3_cross(r, p->force)));
    }
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        const rigid* b = &s->bodies[d->body.index];
        push(s, d->body.index, v3_scale(-d->linear, v3_sub(b->v, d->wind)),
             v3_scale(-d->angular, b->omega));
    }
}

void tml__maximal_forces(maximal_system* s)
{
    const tml_model* m = s->model;

    for (int b = 0; b <= m->all.body_count; b++) {
        s->force[b] = v3_scale(s->load * m->bodies[b].mass, m->all.gravity);
        s->torque[b] = v3_zero();
    }
    axis_forces(s);
    point_forces(s);
    mass_damping(s);
    for (int n = 0; n < s->node_count && s->touching != NULL; n++) {
        const int b = m->node_body[n];
        s->force[b] = v3_add(s->force[b], v3_load(&s->touching[6 * n]));
        s->torque[b] = v3_add(s->torque[b], v3_load(&s->touching[6 * n + 3]));
    }
}

// ---- rows as forces

static void subtract(const maximal_system* s, int body, vec3 force, vec3 torque, double* residual)
{
    const int node = s->model->bodies[body].node;
    if (node < 0) return;
    double* r = &residual[6 * node];
    v3_store(r, v3_sub(v3_load(r), force));
    v3_store(r + 3, v3_sub(v3_load(r + 3), torque));
}

static void subtract_gradient(const maximal_system* s, const joint_data* j, const rigid_gradient* g,
                              double lambda, double* residual)
{
    subtract(s, j->follower, v3_scale(lambda, g->n), v3_scale(lambda, g->t_F), residual);
    subtract(s, j->base, v3_scale(-lambda, g->n), v3_scale(lambda, g->t_B), residual);
}

// The wrench on one body of a joint, taken off row by row.
typedef struct wrench_sum {
    vec3 force, torque;
} wrench_sum;

static inline wrench_sum load_wrench(const maximal_system* s, int body, const double* residual)
{
    const int node = s->model->bodies[body].node;
    if (node < 0) return (wrench_sum){v3_zero(), v3_zero()};
    return (wrench_sum){v3_load(&residual[6 * node]), v3_load(&residual[6 * node + 3])};
}

static inline void store_wrench(const maximal_system* s, int body, wrench_sum w, double* residual)
{
    const int node = s->model->bodies[body].node;
    if (node < 0) return;
    v3_store(&residual[6 * node], w.force);
    v3_store(&residual[6 * node + 3], w.torque);
}

static void subtract_joint(const maximal_system* s, int joint, const double* lambda,
                           double* residual)
{
    const joint_data* j = &s->model->joints[joint];
    wrench_sum F = load_wrench(s, j->follower, residual);
    wrench_sum B = load_wrench(s, j->base, residual);

    for (int row = s->first_row[joint]; row < s->first_row[joint + 1]; row++) {
        const rigid_gradient* g = &s->gradient[row];
        const vec3 force = v3_scale(lambda[row], g->n);
        F.force = v3_sub(F.force, force);
        F.torque = v3_sub(F.torque, v3_scale(lambda[row], g->t_F));
        B.force = v3_add(B.force, force);
        B.torque = v3_sub(B.torque, v3_scale(lambda[row], g->t_B));
    }
    store_wrench(s, j->follower, F, residual);
    store_wrench(s, j->base, B, residual);
}

void tml__maximal_subtract_rows(const maximal_system* s, const double* lambda, double* residual)
{
    const tml_model* m = s->model;

    for (int n = 0; n < s->node_count; n++) {
        const int b = m->node_body[n];
        subtract(s, b, s->force[b], s->torque[b], residual);
    }
    for (int j = 0; j < m->all.joint_count; j++) subtract_joint(s, j, lambda, residual);
    for (int i = 0; i < m->all.coupling_count; i++) {
        const tml_coupling_def* c = &m->all.couplings[i];
        for (int k = 0; k < c->term_count; k++) {
            const int at = s->first_term[i] + k;
            const double Q = lambda[s->first_coupling + i] * s->term_slope[at];
            subtract_gradient(s, &m->joints[c->terms[k].joint.index], &s->term_gradient[at], Q,
                              residual);
        }
    }
    tml__maximal_tie_forces(s, lambda, residual);
    for (int i = 0; i < s->limit_count; i++) {
        if (s->sides[i] == LIMIT_OFF) continue;
        const limit_row* limit = &s->limits[i];
        subtract_gradient(s, &m->joints[limit->joint], &s->gradient[limit->row], lambda[limit->row],
                          residual);
    }
}

// ---- coordinates and energy

double tml__maximal_coordinate(const maximal_system* s, int joint, tml_axis axis)
{
    const joint_frame* f = &s->frames[joint];
    return tml__coordinate_value(&s->model->joints[joint], axis, &f->F, &f->B,
                                 tml__maximal_hint(s, joint, axis));
}

// Between two walls that meet in a quarter turn of the middle angle: less than half a turn apart, what is beyond either
// is beyond; more, only what is beyond both, and the nearer one counts. Whole turns are told by the angle alone.
static double room_to(const maximal_system* s, const limit_row* limit, bool is_lower)
{
    const joint_data* j = &s->model->joints[limit->joint];
    const int letter = (int)limit->of % 3;
    const axis_data* a = &j->axis[limit->axis];
    const double range = a->upper - a->lower;
    const double below =
        -tml__maximal_coordinate(s, limit->joint, (tml_axis)(MEASURE_LOWER + letter));
    const double above =
        tml__maximal_coordinate(s, limit->joint, (tml_axis)(MEASURE_UPPER + letter));
    const double own = is_lower ? below : above;
    if (j->turn[1] == letter || range < TML_PI) return -own;
    if (range < 2.0 * TML_PI) {
        const bool is_nearer = is_lower ? below < above : above <= below;
        return is_nearer ? -own : HUGE_VAL;
    }
    const double q = tml__maximal_coordinate(s, limit->joint, limit->axis);
    const double left = is_lower ? q - a->lower : a->upper - q;
    return left > 0.5 * TML_PI ? HUGE_VAL : -own;
}

limit_room tml__maximal_limit_room(const maximal_system* s, int i)
{
    const limit_row* limit = &s->limits[i];
    const axis_data* axis = &s->model->joints[limit->joint].axis[limit->axis];
    if (limit->side == LIMIT_LOWER) return (limit_room){room_to(s, limit, true), HUGE_VAL};
    if (limit->side == LIMIT_UPPER) return (limit_room){HUGE_VAL, room_to(s, limit, false)};
    const double q = tml__maximal_coordinate(s, limit->joint, limit->axis);
    return (limit_room){q - axis->lower, axis->upper - q};
}

double tml__maximal_coordinate_rate(const maximal_system* s, int joint, tml_axis axis)
{
    const joint_data* j = &s->model->joints[joint];
    const coordinate_rigid q =
        tml__coordinate_rigid(j, axis, tml__maximal_hint(s, joint, axis), &s->frames[joint]);
    return rigid_rate(&q.g, &s->bodies[j->follower], &s->bodies[j->base]);
}

vec3 tml__maximal_coordinate_turn(const maximal_system* s, int joint, tml_axis axis)
{
    const joint_data* j = &s->model->joints[joint];
    return tml__coordinate_rigid(j, axis, s->hints[joint * TML_AXES + (int)axis], &s->frames[joint])
        .g.t_F;
}

// The place of a body's energy: by node where there are slots, else the one there is. NULL: nobody's.
static double* place_of(const maximal_system* s, const int* slot, int body, double* sums)
{
    const int node = s->model->bodies[body].node;
    if (slot == NULL) return sums;
    return node >= 0 ? &sums[slot[node]] : NULL;
}

static double body_kinetic(const maximal_system* s, int i)
{
    const body_data* body = &s->model->bodies[i];
    const rigid* b = &s->bodies[i];
    const vec3 omega = m3_apply_t(b->R, b->omega);
    return 0.5 * body->mass * v3_dot(b->v, b->v) +
           0.5 * v3_dot(omega, m3_apply(body->inertia, omega));
}

// Springs and axes hold the bodies of one slot together: that of any of their bodies that moves is theirs.
static double* spring_place(const maximal_system* s, const int* slot, int i, double* sums)
{
    const spring_data* spring = &s->model->springs[i];
    double* to = slot == NULL ? sums : NULL;
    for (int k = 0; k < spring->point_count && to == NULL; k++) {
        to = place_of(s, slot, spring->body[k], sums);
    }
    return to;
}

static double* joint_place(const maximal_system* s, const int* slot, int joint, double* sums)
{
    const joint_data* j = &s->model->joints[joint];
    double* to = place_of(s, slot, j->follower, sums);
    return to != NULL ? to : place_of(s, slot, j->base, sums);
}

// Rotors that turn with their axes.
static void add_armature(const maximal_system* s, const int* slot, double* kinetic)
{
    const tml_model* m = s->model;
    for (int j = 0; j < m->all.joint_count; j++) {
        for (int k = 0; k < TML_AXES; k++) {
            const axis_data* a = &m->joints[j].axis[k];
            if (!a->is_free || !(a->armature > 0.0)) continue;
            const double rate = tml__maximal_coordinate_rate(s, j, (tml_axis)k);
            double* to = joint_place(s, slot, j, kinetic);
            if (to != NULL) *to += 0.5 * a->armature * rate * rate;
        }
    }
}

void tml__maximal_add_energy(const maximal_system* s, const int* slot, double* kinetic,
                             double* potential)
{
    const tml_model* m = s->model;
    for (int n = 0; n < s->node_count; n++) {
        const int i = m->node_body[n];
        const int at = slot != NULL ? slot[n] : 0;
        kinetic[at] += body_kinetic(s, i);
        potential[at] -= m->bodies[i].mass * v3_dot(m->all.gravity, s->bodies[i].c);
    }
    if (m->has_armature) add_armature(s, slot, kinetic);
    for (int i = 0; i < m->all.spring_count; i++) {
        double* to = spring_place(s, slot, i, potential);
        if (to != NULL) *to += tml__spring_energy(&m->springs[i], s->bodies);
    }
    for (int i = 0; i < s->forced_count; i++) {
        const joint_axis_id id = s->forced[i];
        double* to = joint_place(s, slot, id.joint, potential);
        if (to == NULL || tml__is_dot((int)id.axis)) continue;
        *to += tml__axis_energy(&m->joints[id.joint].axis[id.axis],
                                tml__maximal_coordinate(s, id.joint, id.axis));
    }
}

void tml__maximal_energy(const maximal_system* s, double* kinetic, double* potential)
{
    *kinetic = 0.0;
    *potential = 0.0;
    tml__maximal_add_energy(s, NULL, kinetic, potential);
}

double tml__maximal_row_energy(const maximal_system* s)
{
    double energy = 0.0;
    for (int row = 0; row < s->row_count; row++) {
        if (s->compliance[row] > 0.0) energy += 0.5 * s->C[row] * s->C[row] / s->compliance[row];
    }
    return energy;
}
