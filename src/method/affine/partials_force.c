// method/affine/partials_force.c - springs, wrenches, drag and damping of an affine step by everything but its end.
#include "method/affine/partials.h"

// ---- springs and tendons

// A segment of a path at all instants.
typedef struct segment {
    vec3 e;                    // the direction of its pull where forces act
    vec3 at[AFFINE_ENDS];      // its direction there
    double bend[AFFINE_ENDS];  // de = bend (I - e at^T) d(segment there)
} segment;

// A spring over the step.
typedef struct spring_point {
    const affine_product* p;
    const spring_data* data;
    double T;                // tension
    double by[AFFINE_ENDS];  // by the length at each instant
    double by_rest, by_stiffness, by_damping;
    double length[AFFINE_ENDS];
} spring_point;

static int ends_of(const affine_product* p)
{
    return p->stage->rule == AFFINE_BDF2 ? AFFINE_ENDS : AFFINE_BEFORE;
}

static vec3 point_at(const spring_point* q, int i, affine_end end)
{
    const rigid body = tml__affine_body_at(q->p->a, q->data->body[i], end);
    return v3_add(body.c, m3_apply(body.R, q->data->point[i]));
}

static segment segment_of(const spring_point* q, int i)
{
    const double phi = q->p->stage->phi;
    segment out = {.e = v3_zero()};
    double length[AFFINE_ENDS] = {0.0};
    vec3 d[AFFINE_ENDS] = {{0.0, 0.0, 0.0}};

    for (int e = 0; e < ends_of(q->p); e++) {
        d[e] = v3_sub(point_at(q, i + 1, (affine_end)e), point_at(q, i, (affine_end)e));
        length[e] = v3_norm(d[e]);
        // < 1e-12 m: no direction, as in the step itself
        if (length[e] > 1e-12) out.at[e] = v3_scale(1.0 / length[e], d[e]);
    }
    const double both = length[AFFINE_START] + length[AFFINE_END];
    if (phi == 0.5 && both > 1e-12) {
        out.e = v3_scale(1.0 / both, v3_add(d[AFFINE_START], d[AFFINE_END]));
        out.bend[AFFINE_START] = out.bend[AFFINE_END] = 1.0 / both;
    } else if (phi == 1.0 && length[AFFINE_END] > 1e-12) {
        out.e = out.at[AFFINE_END];
        out.bend[AFFINE_END] = 1.0 / length[AFFINE_END];
    }
    return out;
}

static void measure(spring_point* q)
{
    for (int e = 0; e < ends_of(q->p); e++) {
        q->length[e] = 0.0;
        for (int i = 0; i + 1 < q->data->point_count; i++) {
            q->length[e] +=
                v3_norm(v3_sub(point_at(q, i + 1, (affine_end)e), point_at(q, i, (affine_end)e)));
        }
    }
}

// The rate of a number that is known at all instants.
static double rate_of(affine_rate by, const double at[AFFINE_ENDS])
{
    const double rate = (at[AFFINE_END] - at[AFFINE_START]) / by.span;
    return by.lag > 0.0 ? rate - (at[AFFINE_START] - at[AFFINE_BEFORE]) / by.lag : rate;
}

// The tension follows a rate by `damping`, and what the rate is of follows the lengths by `slope`.
static void follow_rate(spring_point* q, affine_rate by, double damping, const double* slope)
{
    q->by[AFFINE_END] += damping * slope[AFFINE_END] / by.span;
    q->by[AFFINE_START] -= damping * slope[AFFINE_START] / by.span;
    if (by.lag == 0.0) return;
    q->by[AFFINE_START] -= damping * slope[AFFINE_START] / by.lag;
    q->by[AFFINE_BEFORE] += damping * slope[AFFINE_BEFORE] / by.lag;
}

// The spring without its muscle, of unit stiffness: what its own numbers act on.
static spring_data unit_spring(const spring_data* s)
{
    spring_data unit = *s;
    unit.muscle.force = 0.0;
    unit.stiffness = 1.0;
    return unit;
}

// Rayleigh damping: the rate of the law's force.
static void pull_of_rate(spring_point* q, affine_rate by)
{
    const spring_data* s = q->data;
    const spring_data unit = unit_spring(s);
    double force[AFFINE_ENDS] = {0.0}, slope[AFFINE_ENDS] = {0.0};
    double own_slope[AFFINE_ENDS] = {0.0}, unit_force[AFFINE_ENDS] = {0.0};

    if (s->rayleigh == 0.0) return;
    for (int e = 0; e < ends_of(q->p); e++) {
        const double x = q->length[e] - s->rest_length;
        const spring_mean law = tml__spring_law(s, x);
        force[e] = law.force;
        slope[e] = law.slope;
        own_slope[e] = tml__spring_elastic(s, x).slope;
        unit_force[e] = tml__spring_elastic(&unit, x).force;
    }
    q->T += s->rayleigh * rate_of(by, force);
    follow_rate(q, by, s->rayleigh, slope);
    q->by_rest -= s->rayleigh * rate_of(by, own_slope);
    if (s->law != TML_SPRING_TABLE) q->by_stiffness += s->rayleigh * rate_of(by, unit_force);
}

// Tension and how it follows the lengths and its own numbers: the law of spring.c.
static void pull_of(spring_point* q)
{
    static const double one[AFFINE_ENDS] = {1.0, 1.0, 1.0};
    const affine_stage* stage = q->p->stage;
    const spring_data* s = q->data;
    const affine_rate rate = affine_rate_of(stage);
    const bool is_mean = stage->phi == 0.5;
    const double L = q->length[AFFINE_START];
    const double L_end = q->length[AFFINE_END];
    const double from = L - s->rest_length;
    const double to = L_end - s->rest_length;
    const spring_data unit = unit_spring(s);
    spring_data own = unit;
    own.stiffness = s->stiffness;
    const spring_mean law = is_mean ? tml__spring_mean(s, from, to) : tml__spring_law(s, to);
    const spring_mean back = is_mean ? tml__spring_mean(s, to, from) : (spring_mean){0};
    const spring_mean alone =
        is_mean ? tml__spring_mean(&own, from, to) : tml__spring_law(&own, to);
    const spring_mean alone_back = is_mean ? tml__spring_mean(&own, to, from) : (spring_mean){0};
    const double fast = rate_of(rate, q->length);
    const double t = q->p->a->force_time;
    const muscle_pull muscle = tml__spring_muscle(s, L + stage->phi * (L_end - L), fast, t);

    q->T = law.force + s->damping * fast + tml__control_eval(&s->force, t).value + muscle.force;
    q->by[AFFINE_END] = law.slope + stage->phi * muscle.by_length;
    q->by[AFFINE_START] = back.slope + (1.0 - stage->phi) * muscle.by_length;
    q->by[AFFINE_BEFORE] = 0.0;
    follow_rate(q, rate, s->damping + muscle.by_rate, one);
    q->by_rest = -(alone.slope + alone_back.slope);
    q->by_stiffness = 0.0;
    if (s->law != TML_SPRING_TABLE) {
        q->by_stiffness =
            is_mean ? tml__spring_mean(&unit, from, to).force : tml__spring_law(&unit, to).force;
    }
    q->by_damping = fast;
    pull_of_rate(q, rate);
}

// The arm of a point where forces act.
static vec3 arm_of(const spring_point* q, int i)
{
    return m3_apply(q->p->a->force_bodies[q->data->body[i]].R, q->data->point[i]);
}

// The force at point i for a unit of tension, from the segments that meet there.
static vec3 pull_at(const spring_point* q, int i)
{
    const vec3 before = i > 0 ? segment_of(q, i - 1).e : v3_zero();
    const vec3 after = i + 1 < q->data->point_count ? segment_of(q, i).e : v3_zero();
    return v3_sub(after, before);
}

static void emit_tension(const spring_point* q, double* input, double slope)
{
    for (int i = 0; i < q->data->point_count; i++) {
        const vec3 f = v3_scale(slope, pull_at(q, i));
        affine_emit_wrench(q->p, input, q->data->body[i], f, v3_cross(arm_of(q, i), f));
    }
}

// Point k moves by `moved` at some instants, and its arm by `arm` where forces act.
static void emit_point(const spring_point* q, double* input, int k, const vec3 moved[AFFINE_ENDS],
                       vec3 arm)
{
    double dT = 0.0;
    for (int n = k - 1; n <= k; n++) {
        if (n < 0 || n + 1 >= q->data->point_count) continue;
        const segment s = segment_of(q, n);
        const double sign = n == k ? -1.0 : 1.0;
        vec3 de = v3_zero();
        for (int e = 0; e < ends_of(q->p); e++) {
            const double longer = v3_dot(s.at[e], moved[e]);
            dT += sign * q->by[e] * longer;
            de = v3_axpy(de, sign * s.bend[e], v3_axpy(moved[e], -longer, s.e));
        }
        // the segment pulls its first point along e, its last against it
        const vec3 f = v3_scale(q->T, de);
        affine_emit_wrench(q->p, input, q->data->body[n], f, v3_cross(arm_of(q, n), f));
        affine_emit_wrench(q->p, input, q->data->body[n + 1], v3_neg(f),
                           v3_neg(v3_cross(arm_of(q, n + 1), f)));
    }
    emit_tension(q, input, dT);
    affine_emit_wrench(q->p, input, q->data->body[k], v3_zero(),
                       v3_cross(arm, v3_scale(q->T, pull_at(q, k))));
}

static void spring_by_pose(const spring_point* q, int k, affine_end end)
{
    double* pose = tml__affine_pose_of(q->p, q->data->body[k], end);
    if (pose == NULL) return;
    const rigid body = tml__affine_body_at(q->p->a, q->data->body[k], end);
    const vec3 r = m3_apply(body.R, q->data->point[k]);
    const double share = end == AFFINE_START ? 1.0 - q->p->stage->phi : 0.0;
    for (int c = 0; c < 6; c++) {
        vec3 moved[AFFINE_ENDS] = {{0.0, 0.0, 0.0}};
        const vec3 turned = v3_cross(v3_unit(c % 3), r);
        moved[end] = c < 3 ? v3_unit(c) : turned;
        emit_point(q, &pose[c], k, moved, c < 3 ? v3_zero() : v3_scale(share, turned));
    }
}

static void spring_by_point(const spring_point* q, int k, double* in)
{
    for (int c = 0; c < 3; c++) {
        vec3 moved[AFFINE_ENDS] = {{0.0, 0.0, 0.0}};
        for (int e = 0; e < ends_of(q->p); e++) {
            const rigid body = tml__affine_body_at(q->p->a, q->data->body[k], (affine_end)e);
            moved[e] = m3_column(body.R, c);
        }
        emit_point(q, &in[c], k, moved, m3_column(q->p->a->force_bodies[q->data->body[k]].R, c));
    }
}

static void spring_product(const affine_product* p, int i)
{
    const maximal_system* s = p->a->s;
    const parameter_set* in = p->by->in;
    spring_point q = {.p = p, .data = &s->model->springs[i]};
    double* numbers = &in->spring[SPRING_PARAMETERS * i];
    double* points = &in->point[3 * tml__first_spring_point(s, i)];

    measure(&q);
    pull_of(&q);
    for (int k = 0; k < q.data->point_count; k++) {
        spring_by_pose(&q, k, AFFINE_START);
        spring_by_pose(&q, k, AFFINE_BEFORE);
        if ((in->wants & WANT_POINTS) != 0) spring_by_point(&q, k, &points[3 * k]);
    }
    if ((in->wants & WANT_SPRINGS) == 0) return;
    emit_tension(&q, &numbers[0], q.by_stiffness);
    emit_tension(&q, &numbers[1], q.by_damping);
    emit_tension(&q, &numbers[2], q.by_rest);
}

// ---- wrenches and drag

static void wrench_product(const affine_product* p, int i)
{
    const affine_system* a = p->a;
    const wrench_data* w = &a->s->model->wrenches[i];
    const parameter_set* in = p->by->in;
    double* point = &in->point[3 * (tml__first_wrench_point(a->s) + i)];
    double* pose = tml__affine_pose_of(p, w->body, AFFINE_START);
    const rigid start = tml__affine_body_at(a, w->body, AFFINE_START);
    const vec3 r = v3_scale(1.0 - p->stage->phi, m3_apply(start.R, w->point));
    vec3 f;

    for (int k = 0; k < 3; k++) {
        v3_set(&f, k, tml__control_eval(&w->force[k], a->force_time).value);
    }
    for (int k = 0; k < 3; k++) {
        const vec3 turned = v3_cross(v3_unit(k), r);
        const vec3 shift = m3_column(a->force_bodies[w->body].R, k);
        if (pose != NULL) {
            affine_emit_wrench(p, &pose[3 + k], w->body, v3_zero(), v3_cross(turned, f));
        }
        if ((in->wants & WANT_POINTS) != 0) {
            affine_emit_wrench(p, &point[k], w->body, v3_zero(), v3_cross(shift, f));
        }
    }
}

// What slows a body down, linear times its velocity and angular times its spin, by poses in the past.
static void slowing_product(const affine_product* p, int body, double linear, mat3 angular)
{
    const affine_system* a = p->a;
    const int node = a->s->model->bodies[body].node;
    const affine_rate by = affine_rate_of(p->stage);
    const bool is_bdf2 = p->stage->rule == AFFINE_BDF2;

    for (int e = 0; e < AFFINE_ENDS; e++) {
        double* pose = tml__affine_pose_of(p, body, (affine_end)e);
        if (pose == NULL || node < 0) continue;
        const affine_body* b = &a->body[node];
        const bool is_start = e == AFFINE_START;
        const double lag = by.lag > 0.0 ? 1.0 / by.lag : 0.0;
        const double speed = is_start ? -1.0 / by.span - lag : lag;
        const double part = !is_bdf2 ? 1.0 : is_start ? 4.0 / 3.0 : -1.0 / 3.0;
        const mat3 R = is_start ? b->R : b->R_before;
        for (int k = 0; k < 3; k++) {
            // omega = tau(R_end past^T) / (2 span)
            const mat3 past = m3_scale(part, m3_mul(m3_skew(v3_unit(k)), R));
            const vec3 omega = v3_scale(0.5 / by.span, affine_tau(m3_mul_bt(b->R_end, past)));
            affine_emit_wrench(p, &pose[k], body, v3_scale(-linear * speed, v3_unit(k)), v3_zero());
            affine_emit_wrench(p, &pose[3 + k], body, v3_zero(), v3_neg(m3_apply(angular, omega)));
        }
    }
}

static void drag_product(const affine_product* p, const tml_drag_def* d)
{
    slowing_product(p, d->body.index, d->linear, m3_scale(d->angular, m3_identity()));
}

// Rayleigh damping, against the momentum: also by masses, and by the turn of the inertia at the start.
static void mass_damping_product(const affine_product* p, int node)
{
    const affine_system* a = p->a;
    const tml_model* m = a->s->model;
    const int body = m->node_body[node];
    const double rate = m->all.rayleigh_mass;
    const double phi = p->stage->phi;
    const affine_body* b = &a->body[node];
    const vec3 v = a->force_bodies[body].v;
    const vec3 omega = a->force_bodies[body].omega;
    const mat3 start = tml__affine_inertia(a, node, 0.0);
    const mat3 turn = m3_sub(m3_mul(start, m3_skew(omega)), m3_skew(m3_apply(start, omega)));
    double* pose = tml__affine_pose_of(p, body, AFFINE_START);
    double* mine = &p->by->in->body[BODY_PARAMETERS * body];
    vec3 at_start[6], at_end[6];

    slowing_product(p, body, rate * m->bodies[body].mass,
                    m3_scale(rate, tml__affine_inertia(a, node, phi)));
    affine_carry(p, m3_scale(rate * (1.0 - phi), turn), pose + 3, &p->E[6 * node + 3]);
    if ((p->by->in->wants & WANT_BODIES) == 0) return;
    affine_emit_wrench(p, &mine[0], body, v3_scale(-rate, v), v3_zero());
    tml__unit_moments(b->R, omega, at_start);
    tml__unit_moments(b->R_end, omega, at_end);
    for (int i = 0; i < 6; i++) {
        const vec3 mean = v3_axpy(v3_scale(1.0 - phi, at_start[i]), phi, at_end[i]);
        affine_emit_wrench(p, &mine[1 + i], body, v3_zero(), v3_scale(-rate, mean));
    }
}

void tml__affine_force_product(const affine_product* p)
{
    const definitions* all = &p->a->s->model->all;
    for (int i = 0; i < all->spring_count; i++) spring_product(p, i);
    for (int i = 0; i < all->wrench_count; i++) wrench_product(p, i);
    for (int i = 0; i < all->drag_count; i++) drag_product(p, &all->drags[i]);
    if (all->rayleigh_mass == 0.0) return;
    for (int n = 0; n < p->a->s->node_count; n++) mass_damping_product(p, n);
}
