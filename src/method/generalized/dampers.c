// method/generalized/dampers.c - dampers of balls, bodies and columns, and their derivatives.
#include "method/generalized/dampers.h"

#include "force/axis.h"
#include "joint/tangent.h"
#include "method/generalized/stiff.h"
#include "method/generalized/tension.h"

// What holds back a motion: dampers, or springs over a step.
typedef enum holding {
    HOLDING_DAMPERS,
    HOLDING_SPRINGS,
} holding;

// One held turn of a ball.
typedef struct ball_turn {
    int joint;
    tml_axis axis;
    holding kind;
    double damping;  // springs: their stiffness times the step
} ball_turn;

enum {
    MOST_TURNS = 12  // three angles and nine dots
};

// What of link i is damped, or sprung over h; how many.
static int list_turns(const gen_motion* m, int i, holding kind, double h,
                      ball_turn list[MOST_TURNS])
{
    const gen_tree* t = m->tree;
    const gen_link* link = &t->links[i];
    const int joint = t->bodies[t->column_body[link->column]].joint;
    int count = 0;
    if (link->kind != LINK_BALL || joint < 0) return 0;
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
        const axis_data* a = &t->model->joints[joint].axis[k];
        const double d = a->damping + (a->has_servo ? a->servo_damping : 0.0);
        const double s = h * (a->stiffness + (a->has_servo ? a->servo_stiffness : 0.0));
        const double c = kind == HOLDING_DAMPERS ? d : s;
        if (c > 0.0) list[count++] = (ball_turn){joint, (tml_axis)k, kind, c};
    }
    const joint_data* j = &t->model->joints[joint];
    for (int k = DOT_FIRST; k < COORDINATES && j->dots != NULL && kind == HOLDING_DAMPERS; k++) {
        list[count++] = (ball_turn){joint, (tml_axis)k, kind, tml__joint_axis(j, k)->damping};
    }
    return count;
}

bool tml__gen_has_dampers(const gen_motion* m)
{
    if (m->carry != NULL || tml__gen_soaks(m)) return true;
    for (int i = 0; i < m->tree->link_count; i++) {
        ball_turn list[MOST_TURNS];
        if (list_turns(m, i, HOLDING_DAMPERS, 0.0, list) > 0) return true;
    }
    return false;
}

static coordinate_rigid coordinate_of(const maximal_system* s, const ball_turn* turn)
{
    const double hint = tml__maximal_hint(s, turn->joint, turn->axis);
    return tml__coordinate_rigid(&s->model->joints[turn->joint], turn->axis, hint,
                                 &s->frames[turn->joint]);
}

static double rate_of(const maximal_system* s, const ball_turn* turn, const rigid_gradient* g)
{
    const joint_data* j = &s->model->joints[turn->joint];
    return rigid_rate(g, &s->bodies[j->follower], &s->bodies[j->base]);
}

// E of both bodies less Q along the gradient.
static void subtract(const maximal_system* s, int joint, const rigid_gradient* g, double Q,
                     double* E)
{
    const joint_data* j = &s->model->joints[joint];
    for (int side = 0; side < 2; side++) {
        const int node = s->model->bodies[side == 0 ? j->follower : j->base].node;
        if (node < 0) continue;
        double* to = &E[6 * node];
        v3_store(to, v3_axpy(v3_load(to), side == 0 ? -Q : Q, g->n));
        v3_store(to + 3, v3_axpy(v3_load(to + 3), -Q, side == 0 ? g->t_F : g->t_B));
    }
}

// ---- bodies

// What holds one back: force -linear v, torque -turn omega.
typedef struct body_drag {
    double linear;
    mat3 turn;
} body_drag;

static body_drag drag_of(const maximal_system* s, int body)
{
    const tml_model* m = s->model;
    const mat3 R = s->bodies[body].R;
    const mat3 J = m3_mul_bt(m3_mul(R, m->bodies[body].inertia), R);
    body_drag out = {m->all.rayleigh_mass * m->bodies[body].mass,
                     m3_scale(m->all.rayleigh_mass, J)};
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        if (d->body.index != body) continue;
        out.linear += d->linear;
        out.turn = m3_add(out.turn, m3_scale(d->angular, m3_identity()));
    }
    return out;
}

static void subtract_drags(const maximal_system* s, double scale, double* E)
{
    for (int n = 0; n < s->node_count; n++) {
        const int body = s->model->node_body[n];
        const rigid* b = &s->bodies[body];
        const body_drag drag = drag_of(s, body);
        double* to = &E[6 * n];
        v3_store(to, v3_axpy(v3_load(to), scale * drag.linear, b->v));
        v3_store(to + 3, v3_axpy(v3_load(to + 3), scale, m3_apply(drag.turn, b->omega)));
    }
}

static void subtract_turns(const gen_motion* m, holding kind, double scale, double* E)
{
    for (int i = 0; i < m->tree->link_count; i++) {
        ball_turn list[MOST_TURNS];
        const int count = list_turns(m, i, kind, scale, list);
        for (int k = 0; k < count; k++) {
            const coordinate_rigid q = coordinate_of(m->s, &list[k]);
            const double Q = -scale * list[k].damping * rate_of(m->s, &list[k], &q.g);
            subtract(m->s, list[k].joint, &q.g, Q, E);
        }
    }
}

void tml__gen_damper_subtract(const gen_motion* m, double scale, double* E)
{
    if (tml__gen_soaks(m)) subtract_drags(m->s, scale, E);
    if (m->carry != NULL) tml__gen_tension_subtract(m, scale, E);
    subtract_turns(m, HOLDING_DAMPERS, scale, E);
}

void tml__gen_ball_spring_subtract(const gen_motion* m, double h, double* E)
{
    subtract_turns(m, HOLDING_SPRINGS, h, E);
}

// ---- products

// One turn where it stands.
typedef struct turn_point {
    const maximal_system* s;
    const ball_turn* turn;
    double scale;
    rigid_gradient g;
    rigid_bend bend;  // of its wrench
    double FF[36], FB[36], BF[36], BB[36];
    joint_motion motion;
} turn_point;

static turn_point stand(const maximal_system* s, const ball_turn* turn, double scale)
{
    const joint_data* j = &s->model->joints[turn->joint];
    turn_point p = {.s = s,
                    .turn = turn,
                    .scale = scale,
                    .g = coordinate_of(s, turn).g,
                    .bend = {.force = v3_zero()},
                    .motion = {.joint = j,
                               .rows = &s->rows[turn->joint],
                               .turn = &s->turns[turn->joint],
                               .frame = &s->frames[turn->joint],
                               .F = &s->bodies[j->follower],
                               .B = &s->bodies[j->base],
                               .targets = &s->targets.axis[turn->joint * TML_AXES]}};
    const double Q = -scale * turn->damping * rate_of(s, turn, &p.g);
    tml__bend_coordinate(j, turn->axis, tml__maximal_hint(s, turn->joint, turn->axis),
                         p.motion.frame, Q, &p.bend);
    tml__bend_blocks(p.motion.frame, &p.bend, 1.0, p.FF, p.FB, p.BF, p.BB);
    return p;
}

static void emit(partial_direction way, double* input, double* output, double slope)
{
    if (way == PARTIAL_FORWARD) {
        *output += slope * *input;
    } else {
        *input += slope * *output;
    }
}

// E of both bodies by one input: less the change of the wrench, and less the change of Q along g.
static void emit_all(const turn_point* p, partial_direction way, double* input, const double* on_F,
                     const double* on_B, double Q, double* E)
{
    const joint_data* j = p->motion.joint;
    for (int side = 0; side < 2; side++) {
        const int node = p->s->model->bodies[side == 0 ? j->follower : j->base].node;
        const double* bent = side == 0 ? on_F : on_B;
        double along[6];
        if (node < 0) continue;
        v3_store(along, v3_scale(side == 0 ? Q : -Q, p->g.n));
        v3_store(along + 3, v3_scale(Q, side == 0 ? p->g.t_F : p->g.t_B));
        for (int k = 0; k < 6; k++) emit(way, input, &E[6 * node + k], -(along[k] + bent[k]));
    }
}

static const double none[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

static double rate_slope(const turn_point* p, const joint_tangent* d)
{
    return -p->scale * p->turn->damping *
           tml__coordinate_tangent(&p->motion, p->turn->axis, d).at[1];
}

static void by_bodies(const turn_point* p, partial_direction way, const gen_damper_numbers* x)
{
    const joint_data* j = p->motion.joint;
    for (int side = 0; side < 2; side++) {
        const int node = p->s->model->bodies[side == 0 ? j->follower : j->base].node;
        if (node < 0) continue;
        for (int k = 0; k < 12; k++) {
            joint_tangent d = {.F = {.c = v3_zero()}};
            side_tangent* t = side == 0 ? &d.F : &d.B;
            vec3* const parts[4] = {&t->c, &t->phi, &t->v, &t->omega};
            double on_F[6] = {0.0};
            double on_B[6] = {0.0};
            *parts[k / 3] = v3_unit(k % 3);
            for (int r = 0; r < 6 && k < 6; r++) {
                on_F[r] = (side == 0 ? p->FF : p->FB)[6 * r + k];
                on_B[r] = (side == 0 ? p->BF : p->BB)[6 * r + k];
            }
            double* input = k < 6 ? &x->pose[6 * node + k] : &x->velocity[6 * node + k - 6];
            emit_all(p, way, input, on_F, on_B, rate_slope(p, &d), x->E);
        }
    }
}

static void by_markers(const turn_point* p, partial_direction way, const gen_damper_numbers* x)
{
    double* in = &x->in->marker[2 * MARKER_PARAMETERS * p->turn->joint];
    for (int i = 0; i < 2 * MARKER_PARAMETERS; i++) {
        const bool is_follower = i < MARKER_PARAMETERS;
        const int k = i % MARKER_PARAMETERS;
        joint_tangent d = {.F = {.c = v3_zero()}};
        side_tangent* side = is_follower ? &d.F : &d.B;
        const vec3 axis = m3_column((is_follower ? p->motion.F : p->motion.B)->R, k % 3);
        double on_F[6];
        double on_B[6];
        if (k < 3) {
            side->point = axis;
        } else {
            side->turning = axis;
        }
        const joint_wrench w = tml__marker_wrench(p->motion.frame, &p->bend, &d);
        v3_store(on_F, w.f_F);
        v3_store(on_F + 3, w.t_F);
        v3_store(on_B, w.f_B);
        v3_store(on_B + 3, w.t_B);
        emit_all(p, way, &in[i], on_F, on_B, rate_slope(p, &d), x->E);
    }
}

static void by_dampers(const turn_point* p, partial_direction way, const gen_damper_numbers* x)
{
    const int dot = (int)p->turn->axis - DOT_FIRST;
    for (int k = 0; k < 3 && dot >= 0; k++) {
        const int axis = p->turn->joint * TML_AXES + TML_AXIS_RX + k;
        const double share = -p->scale * tml__dot_share(dot / 3, k);
        emit_all(p, way, &x->in->axis[axis * AXIS_PARAMETERS + AXIS_DAMPING], none, none,
                 share * rate_of(p->s, p->turn, &p->g), x->E);
    }
    if (dot >= 0) return;
    const axis_data* a = &p->motion.joint->axis[p->turn->axis];
    double* in = &x->in->axis[(p->turn->joint * TML_AXES + (int)p->turn->axis) * AXIS_PARAMETERS];
    const bool is_damper = p->turn->kind == HOLDING_DAMPERS;
    const double slope = -p->scale * (is_damper ? 1.0 : p->scale) * rate_of(p->s, p->turn, &p->g);
    const int servo = is_damper ? AXIS_SERVO_DAMPING : AXIS_SERVO_STIFFNESS;
    const int own = is_damper ? AXIS_DAMPING : AXIS_STIFFNESS;
    // dampers of a ball are those of its dots
    if (!is_damper || p->motion.joint->dots == NULL) {
        emit_all(p, way, &in[own], none, none, slope, x->E);
    }
    if (a->has_servo) emit_all(p, way, &in[servo], none, none, slope, x->E);
}

static void emit_vec3(partial_direction way, double* input, double* output, vec3 slope)
{
    for (int k = 0; k < 3; k++) emit(way, input, &output[k], v3_at(slope, k));
}

// alpha M by mass and moments of inertia.                                            [COOK Sec 4]
static void drag_by_body(const maximal_system* s, int body, double scale, partial_direction way,
                         double* in, double* E)
{
    const rigid* b = &s->bodies[body];
    const double share = scale * s->model->all.rayleigh_mass;
    vec3 moment[6];
    tml__unit_moments(b->R, b->omega, moment);
    emit_vec3(way, &in[0], E, v3_scale(share, b->v));
    for (int i = 0; i < 6; i++) emit_vec3(way, &in[1 + i], E + 3, v3_scale(share, moment[i]));
}

// A turn phi carries the moments of inertia along: d (turn omega) = phi x (turn omega) - turn (phi x omega).
static void drag_products(const maximal_system* s, double scale, partial_direction way,
                          const gen_damper_numbers* x)
{
    const bool wants_bodies = x->in != NULL && (x->in->wants & WANT_BODIES) != 0;
    for (int n = 0; n < s->node_count; n++) {
        const int body = s->model->node_body[n];
        const vec3 omega = s->bodies[body].omega;
        const body_drag drag = drag_of(s, body);
        const vec3 torque = m3_apply(drag.turn, omega);
        double* E = &x->E[6 * n];
        for (int k = 0; k < 3; k++) {
            const vec3 e = v3_unit(k);
            const vec3 turned =
                v3_sub(v3_cross(e, torque), m3_apply(drag.turn, v3_cross(e, omega)));
            emit(way, &x->velocity[6 * n + k], &E[k], scale * drag.linear);
            emit_vec3(way, &x->velocity[6 * n + 3 + k], E + 3,
                      v3_scale(scale, m3_column(drag.turn, k)));
            emit_vec3(way, &x->pose[6 * n + 3 + k], E + 3, v3_scale(scale, turned));
        }
        if (wants_bodies)
            drag_by_body(s, body, scale, way, &x->in->body[BODY_PARAMETERS * body], E);
    }
}

static void turn_products(const gen_motion* m, holding kind, double scale, partial_direction way,
                          const gen_damper_numbers* x)
{
    for (int i = 0; i < m->tree->link_count; i++) {
        ball_turn list[MOST_TURNS];
        const int count = list_turns(m, i, kind, scale, list);
        for (int k = 0; k < count; k++) {
            const turn_point p = stand(m->s, &list[k], scale);
            by_bodies(&p, way, x);
            if (x->in == NULL) continue;
            if ((x->in->wants & WANT_MARKERS) != 0) by_markers(&p, way, x);
            if ((x->in->wants & WANT_AXES) != 0) by_dampers(&p, way, x);
        }
    }
}

void tml__gen_damper_product(const gen_motion* m, double scale, partial_direction way,
                             const gen_damper_numbers* x)
{
    if (tml__gen_soaks(m)) drag_products(m->s, scale, way, x);
    if (m->carry != NULL) tml__gen_tension_product(m, scale, way, x);
    turn_products(m, HOLDING_DAMPERS, scale, way, x);
}

void tml__gen_ball_spring_product(const gen_motion* m, double h, partial_direction way,
                                  const gen_damper_numbers* x)
{
    turn_products(m, HOLDING_SPRINGS, h, way, x);
}

// ---- along columns

void tml__gen_column_product(const gen_motion* m, const gen_column_scales* at,
                             partial_direction way, const parameter_set* in, double* r)
{
    const gen_tree* t = m->tree;
    if ((in->wants & WANT_AXES) == 0) return;
    for (int i = 0; i < t->link_count; i++) {
        const gen_link* link = &t->links[i];
        const int joint = t->bodies[t->column_body[link->column]].joint;
        if (joint < 0 || link->kind == LINK_BALL) continue;
        for (int k = 0; k < link->count; k++) {
            const int axis = (link->kind == LINK_SLIDE ? 0 : 3) + link->letter[k];
            const int column = link->column + k;
            const axis_data* a = &t->model->joints[joint].axis[axis];
            double* mine = &in->axis[(joint * TML_AXES + axis) * AXIS_PARAMETERS];
            if (!tml__axis_is_forced(a)) continue;
            const double damp = -at->damping * at->w[column];
            emit(way, &mine[AXIS_DAMPING], &r[column], damp);
            if (a->has_servo) emit(way, &mine[AXIS_SERVO_DAMPING], &r[column], damp);
            if (at->spring == 0.0) continue;
            const double spring = -at->spring * at->w_spring[column];
            emit(way, &mine[AXIS_STIFFNESS], &r[column], spring);
            if (a->has_servo) emit(way, &mine[AXIS_SERVO_STIFFNESS], &r[column], spring);
        }
    }
}
