// joint/tangent.c - exact changes of rows and coordinates, their rates and accelerations.
//
// An axis b that turns with angular velocity W and acceleration A moves by
//     b' = W x b        b'' = A x b + W x (W x b)
// and a change that turns it by psi and alters W and A by dW and dA changes these by
//     db = psi x b      db' = dW x b + W x db
//     db'' = dA x b + A x db + dW x (W x b) + W x (dW x b) + W x (W x db).
// Points are c + r with r such a vector. Rows are products of two of these vectors, angles are
// directions of pairs of such products; the rest is the product rule.
#include "joint/tangent.h"

// A vector along the motion, and its change.
typedef struct vector_jet {
    vec3 x[3], d[3];
} vector_jet;

// A number along the motion, and its change.
typedef struct number_jet {
    double x[3], d[3];
} number_jet;

// Angular velocity and acceleration that carry a vector, and how they and the vector's direction
// change.
typedef struct turning {
    vec3 W, A, psi, dW, dA;
} turning;

static vector_jet turn_jet(vec3 b, const turning* t, vec3 shift)
{
    vector_jet j = {.x = {b}};
    const vec3 db = v3_add(v3_cross(t->psi, b), shift);

    j.x[1] = v3_cross(t->W, b);
    j.x[2] = v3_add(v3_cross(t->A, b), v3_cross(t->W, j.x[1]));
    j.d[0] = db;
    j.d[1] = v3_add(v3_cross(t->dW, b), v3_cross(t->W, db));
    j.d[2] = v3_add(v3_add(v3_cross(t->dA, b), v3_cross(t->A, db)),
                    v3_add(v3_cross(t->dW, j.x[1]), v3_cross(t->W, j.d[1])));
    return j;
}

static turning body_turning(const rigid* body, vec3 alpha, const side_tangent* d)
{
    return (turning){.W = body->omega, .A = alpha, .psi = d->phi, .dW = d->omega, .dA = d->alpha};
}

// The joint's point on one side.
static vector_jet point_jet(const rigid* body, vec3 r, vec3 a, vec3 alpha, const side_tangent* d)
{
    const turning t = body_turning(body, alpha, d);
    vector_jet j = turn_jet(r, &t, d->point);

    j.x[0] = v3_add(j.x[0], body->c);
    j.x[1] = v3_add(j.x[1], body->v);
    j.x[2] = v3_add(j.x[2], a);
    j.d[0] = v3_add(j.d[0], d->c);
    j.d[1] = v3_add(j.d[1], d->v);
    j.d[2] = v3_add(j.d[2], d->a);
    return j;
}

// Axes that are fixed to the body, turned in it by a design change.
static turning fixed_turning(const rigid* body, vec3 alpha, const side_tangent* d)
{
    turning t = body_turning(body, alpha, d);
    t.psi = v3_add(t.psi, d->turning);
    return t;
}

static number_jet dot_jets(const vector_jet* a, const vector_jet* b, double scale)
{
    number_jet j;
    const vec3* x = a->x;
    const vec3* y = b->x;
    const vec3* dx = a->d;
    const vec3* dy = b->d;

    j.x[0] = v3_dot(x[0], y[0]);
    j.x[1] = v3_dot(x[1], y[0]) + v3_dot(x[0], y[1]);
    j.x[2] = v3_dot(x[2], y[0]) + 2.0 * v3_dot(x[1], y[1]) + v3_dot(x[0], y[2]);
    j.d[0] = v3_dot(dx[0], y[0]) + v3_dot(x[0], dy[0]);
    j.d[1] = v3_dot(dx[1], y[0]) + v3_dot(x[1], dy[0]) + v3_dot(dx[0], y[1]) + v3_dot(x[0], dy[1]);
    j.d[2] = v3_dot(dx[2], y[0]) + v3_dot(x[2], dy[0]) +
             2.0 * (v3_dot(dx[1], y[1]) + v3_dot(x[1], dy[1])) + v3_dot(dx[0], y[2]) +
             v3_dot(x[0], dy[2]);
    for (int k = 0; k < 3; k++) {
        j.x[k] *= scale;
        j.d[k] *= scale;
    }
    return j;
}

// ---- gaps

// The base's axis, and what lies between the points.
typedef struct gap_jets {
    vector_jet b, gap;
} gap_jets;

static gap_jets jets_of_gap(const joint_motion* m, int axis, const joint_tangent* d)
{
    const joint_frame* frame = m->frame;
    const turning t = fixed_turning(m->B, m->alpha_B, &d->B);
    const vector_jet F = point_jet(m->F, frame->r_F, m->a_F, m->alpha_F, &d->F);
    const vector_jet B = point_jet(m->B, frame->r_B, m->a_B, m->alpha_B, &d->B);
    gap_jets out = {.b = turn_jet(frame->B.axis[axis], &t, v3_zero())};

    for (int k = 0; k < 3; k++) {
        out.gap.x[k] = v3_sub(F.x[k], B.x[k]);
        out.gap.d[k] = v3_sub(F.d[k], B.d[k]);
    }
    return out;
}

static number_jet gap_jet(const joint_motion* m, int axis, const joint_tangent* d)
{
    const gap_jets j = jets_of_gap(m, axis, d);
    return dot_jets(&j.b, &j.gap, 1.0);
}

// ---- dots between turned axes

static vec3 combine(const marker* m, vec3 a)
{
    vec3 sum = v3_scale(a.x, m->axis[0]);
    sum = v3_axpy(sum, a.y, m->axis[1]);
    return v3_axpy(sum, a.z, m->axis[2]);
}

// How the rotation by letters, its spin and the change of its spin follow their targets; the twin
// of spin_of in rows.c, in the fixed frame.
typedef struct spin_change {
    vec3 turn, spin, change;
} spin_change;

static spin_change follow_targets(const int* letters, int count, const drive* targets,
                                  const drive* d)
{
    mat3 R = m3_identity();
    vec3 spin = v3_zero();
    spin_change out = {.turn = v3_zero()};

    for (int n = 0; n < count; n++) {
        const drive* p = &targets[3 + letters[n]];
        const drive* dp = &d[3 + letters[n]];
        const vec3 axis = m3_column(R, letters[n]);
        const vec3 d_axis = v3_cross(out.turn, axis);
        const vec3 own = v3_scale(p->rate, axis);
        const vec3 d_own = v3_axpy(v3_scale(dp->rate, axis), p->rate, d_axis);

        out.change = v3_add(out.change, v3_add(v3_cross(out.spin, own), v3_cross(spin, d_own)));
        out.change = v3_axpy(out.change, dp->acceleration, axis);
        out.change = v3_axpy(out.change, p->acceleration, d_axis);
        spin = v3_add(spin, own);
        out.spin = v3_add(out.spin, d_own);
        out.turn = v3_axpy(out.turn, dp->value, axis);
        R = m3_mul(R, q_matrix(q_about(letters[n], p->value)));
    }
    return out;
}

static spin_change base_change(const joint_motion* m, const joint_tangent* d)
{
    if (!m->turn->has_base) return (spin_change){.turn = v3_zero()};
    return follow_targets(&m->rows->base_letter, 1, m->targets, d->target);
}

static spin_change follower_change(const joint_motion* m, const joint_tangent* d)
{
    const bool all = m->rows->turns_all;
    const int* letters = all ? m->joint->turn : &m->rows->follower_letter;
    if (!m->turn->has_follower) return (spin_change){.turn = v3_zero()};
    return follow_targets(letters, all ? 3 : 1, m->targets, d->target);
}

// B' = B T: its axes lead the base's by T's spin.
static turning base_turning(const joint_motion* m, const joint_tangent* d)
{
    const marker* B = &m->frame->B;
    const spin_change s = base_change(m, d);
    const turning fixed = fixed_turning(m->B, m->alpha_B, &d->B);
    const vec3 own = combine(B, m->turn->base_spin);
    const vec3 change = combine(B, m->turn->base_change);
    const vec3 d_own = v3_add(v3_cross(fixed.psi, own), combine(B, s.spin));
    const vec3 d_change = v3_add(v3_cross(fixed.psi, change), combine(B, s.change));
    turning t = fixed;

    t.psi = v3_add(fixed.psi, combine(B, s.turn));
    t.W = v3_add(fixed.W, own);
    t.dW = v3_add(fixed.dW, d_own);
    t.A = v3_add(fixed.A, v3_add(change, v3_cross(fixed.W, own)));
    t.dA = v3_add(v3_add(fixed.dA, d_change),
                  v3_add(v3_cross(fixed.dW, own), v3_cross(fixed.W, d_own)));
    return t;
}

// F' = F T^T: its axes lag behind the follower's by T's spin, seen in F'.
static turning follower_turning(const joint_motion* m, const joint_tangent* d)
{
    const marker* F = &m->frame->F_turned;
    const spin_change s = follower_change(m, d);
    turning t = fixed_turning(m->F, m->alpha_F, &d->F);
    t.psi = v3_sub(t.psi, combine(F, s.turn));

    const vec3 own = v3_neg(combine(F, m->turn->follower_spin));
    const vec3 change = v3_neg(combine(F, m->turn->follower_change));
    const vec3 d_own = v3_sub(v3_cross(t.psi, own), combine(F, s.spin));
    const vec3 d_change = v3_sub(v3_cross(t.psi, change), combine(F, s.change));
    const vec3 W = v3_add(t.W, own);
    const vec3 dW = v3_add(t.dW, d_own);

    t.A = v3_add(t.A, v3_add(change, v3_cross(W, own)));
    t.dA = v3_add(v3_add(t.dA, d_change), v3_add(v3_cross(dW, own), v3_cross(W, d_own)));
    t.W = W;
    t.dW = dW;
    return t;
}

// The two axes of a dot as they turn, with what targets add to the bodies' spins.
typedef struct dot_axes {
    turning t_f, t_b;
    vector_jet f, b;
} dot_axes;

static dot_axes axes_of_dot(const joint_motion* m, const atom* a, const joint_tangent* d)
{
    dot_axes out = {.t_f = follower_turning(m, d), .t_b = base_turning(m, d)};
    out.f = turn_jet(m->frame->F_turned.axis[a->f], &out.t_f, v3_zero());
    out.b = turn_jet(m->frame->B_turned.axis[a->b], &out.t_b, v3_zero());
    return out;
}

static number_jet dot_jet(const joint_motion* m, const atom* a, const joint_tangent* d)
{
    const dot_axes j = axes_of_dot(m, a, d);
    return dot_jets(&j.f, &j.b, a->sign);
}

void tml__turn_tangent(const joint_motion* m, const joint_tangent* d, vec3* follower, vec3* base)
{
    *follower = v3_neg(combine(&m->frame->F_turned, follower_change(m, d).turn));
    *base = combine(&m->frame->B, base_change(m, d).turn);
}

// ---- coordinates

// theta = atan2(S, C), from jets of S and C. The value itself stays zero: branches are others'
// business.
static number_jet direction_jet(const number_jet* S, const number_jet* C)
{
    const double *s = S->x, *c = C->x, *ds = S->d, *dc = C->d;
    // 0 only where the angle does not exist (gimbal lock): the caller sees infinities
    const double r2 = s[0] * s[0] + c[0] * c[0];
    const double d_r2 = 2.0 * (s[0] * ds[0] + c[0] * dc[0]);
    const double n1 = c[0] * s[1] - s[0] * c[1];
    const double n2 = c[0] * s[2] - s[0] * c[2];
    const double k = c[0] * c[1] + s[0] * s[1];
    const double d_n1 = dc[0] * s[1] + c[0] * ds[1] - ds[0] * c[1] - s[0] * dc[1];
    const double d_n2 = dc[0] * s[2] + c[0] * ds[2] - ds[0] * c[2] - s[0] * dc[2];
    const double d_k = dc[0] * c[1] + c[0] * dc[1] + ds[0] * s[1] + s[0] * ds[1];
    const double fraction = n1 * k / (r2 * r2);
    const double d_fraction = (d_n1 * k + n1 * d_k) / (r2 * r2) - 2.0 * fraction * d_r2 / r2;

    return (number_jet){
        .x = {0.0, n1 / r2, n2 / r2 - 2.0 * fraction},
        .d = {(c[0] * ds[0] - s[0] * dc[0]) / r2, d_n1 / r2 - n1 * d_r2 / (r2 * r2),
              d_n2 / r2 - n2 * d_r2 / (r2 * r2) - 2.0 * d_fraction},
    };
}

// The same for asin(S).
static number_jet asin_jet(const number_jet* S)
{
    const double *s = S->x, *ds = S->d;
    const double k2 = (1.0 - s[0]) * (1.0 + s[0]);  // 0 at gimbal lock, see above
    const double k = sqrt(k2);
    const double k3 = k * k2;

    return (number_jet){
        .x = {0.0, s[1] / k, s[2] / k + s[0] * s[1] * s[1] / k3},
        .d = {ds[0] / k, ds[1] / k + s[1] * s[0] * ds[0] / k3,
              ds[2] / k + s[2] * s[0] * ds[0] / k3 +
                  (ds[0] * s[1] * s[1] + 2.0 * s[0] * s[1] * ds[1]) / k3 +
                  3.0 * s[0] * s[0] * s[1] * s[1] * ds[0] / (k3 * k2)},
    };
}

static number_jet law_jet(angle_law law, const number_jet* S, const number_jet* C)
{
    if (law == LAW_SUM) return *S;
    return law == LAW_ASIN ? asin_jet(S) : direction_jet(S, C);
}

static number_jet angle_jet(const joint_motion* m, tml_axis axis, const joint_tangent* d)
{
    const turning t_f = fixed_turning(m->F, m->alpha_F, &d->F);
    const turning t_b = fixed_turning(m->B, m->alpha_B, &d->B);
    angle_term term[4];
    angle_law law;
    const int count = tml__angle_terms(m->joint, axis, term, &law);
    number_jet S = {.x = {0.0}};
    number_jet C = {.x = {0.0}};

    for (int n = 0; n < count; n++) {
        const vector_jet f = turn_jet(m->frame->F.axis[term[n].follower], &t_f, v3_zero());
        const vector_jet b = turn_jet(m->frame->B.axis[term[n].base], &t_b, v3_zero());
        const number_jet z = dot_jets(&f, &b, 1.0);
        for (int k = 0; k < 3; k++) {
            S.x[k] += term[n].s * z.x[k];
            S.d[k] += term[n].s * z.d[k];
            C.x[k] += term[n].c * z.x[k];
            C.d[k] += term[n].c * z.d[k];
        }
    }
    return law_jet(law, &S, &C);
}

static number_jet coordinate_jet(const joint_motion* m, tml_axis axis, const joint_tangent* d)
{
    return (int)axis < 3 ? gap_jet(m, (int)axis, d) : angle_jet(m, axis, d);
}

levels tml__coordinate_tangent(const joint_motion* m, tml_axis axis, const joint_tangent* d)
{
    const number_jet j = coordinate_jet(m, axis, d);
    return (levels){{j.d[0], j.d[1], j.d[2]}};
}

levels tml__coordinate_levels(const joint_motion* m, tml_axis axis)
{
    const joint_tangent none = {.F = {.c = v3_zero()}};
    const number_jet j = coordinate_jet(m, axis, &none);
    return (levels){{0.0, j.x[1], j.x[2]}};
}

levels tml__row_tangent(const joint_motion* m, const joint_row* row, const joint_tangent* d)
{
    const number_jet j =
        row->kind == ROW_DOT ? dot_jet(m, &row->a, d) : coordinate_jet(m, row->axis, d);
    levels out = {{j.d[0], j.d[1], j.d[2]}};

    if (row->kind != ROW_DOT) {
        out.at[0] -= d->target[row->axis].value;
        out.at[1] -= d->target[row->axis].rate;
        out.at[2] -= d->target[row->axis].acceleration;
    }
    return out;
}

// ---- gradients

// A vector e that a body carries, e' = W x e, times another one, x: the gradient by e of the product, its rate
// or its second derivative. W goes over to the other side, (W x e).x = e.(x x W).
static vec3 carried_slope(const vec3 x[3], const rigid* body, vec3 alpha, int level)
{
    const vec3 once = v3_cross(x[0], body->omega);

    if (level == 0) return x[0];
    if (level == 1) return v3_add(x[1], once);
    const vec3 first = v3_axpy(x[2], 2.0, v3_cross(x[1], body->omega));
    return v3_add(first, v3_add(v3_cross(x[0], alpha), v3_cross(once, body->omega)));
}

// a x b along the motion
static void cross_jets(const vector_jet* a, const vector_jet* b, vec3 out[3])
{
    const vec3* x = a->x;
    const vec3* y = b->x;

    out[0] = v3_cross(x[0], y[0]);
    out[1] = v3_add(v3_cross(x[1], y[0]), v3_cross(x[0], y[1]));
    out[2] = v3_axpy(v3_add(v3_cross(x[2], y[0]), v3_cross(x[0], y[2])), 2.0, v3_cross(x[1], y[1]));
}

// A vector r that turns with W, times x: the gradient by a change of W.
static vec3 spun_slope(vec3 r, const vec3 x[3], vec3 W, int level)
{
    if (level == 0) return v3_zero();
    if (level == 1) return v3_cross(r, x[0]);
    const vec3 twice = v3_add(v3_cross(v3_cross(W, r), x[0]), v3_cross(r, v3_cross(x[0], W)));
    return v3_axpy(twice, 2.0, v3_cross(r, x[1]));
}

// A point of a body, times x: the gradients by the motion of the body.
static motion_slopes point_slopes(const rigid* body, vec3 r, vec3 alpha, const vec3 x[3], int level)
{
    motion_slopes out = {.c = x[level], .v = v3_zero()};
    if (level > 0) out.v = v3_scale(level, x[level - 1]);
    out.phi = v3_cross(r, carried_slope(x, body, alpha, level));
    out.omega = spun_slope(r, x, body->omega, level);
    return out;
}

static const joint_tangent no_change = {.F = {.c = {0.0, 0.0, 0.0}}};

// b.gap: a shift of a point is a vector that its body carries, a turn psi of the base changes the product by
// (psi x b).gap = psi.(b x gap).
static marker_change gap_slopes(const joint_motion* m, int axis, int level)
{
    const gap_jets j = jets_of_gap(m, axis, &no_change);
    marker_change out = {.turning_F = v3_zero()};
    vec3 turned[3];

    cross_jets(&j.b, &j.gap, turned);
    out.point_F = carried_slope(j.b.x, m->F, m->alpha_F, level);
    out.point_B = v3_neg(carried_slope(j.b.x, m->B, m->alpha_B, level));
    out.turning_B = carried_slope(turned, m->B, m->alpha_B, level);
    return out;
}

// Of the base, its point moves and its axis turns.
static void gap_by_motion(const joint_motion* m, int axis, int level, motion_slopes* F,
                          motion_slopes* B)
{
    const gap_jets j = jets_of_gap(m, axis, &no_change);
    const motion_slopes point = point_slopes(m->B, m->frame->r_B, m->alpha_B, j.b.x, level);
    const motion_slopes turned = point_slopes(m->B, j.b.x[0], m->alpha_B, j.gap.x, level);

    *F = point_slopes(m->F, m->frame->r_F, m->alpha_F, j.b.x, level);
    *B = (motion_slopes){.c = v3_neg(point.c),
                         .v = v3_neg(point.v),
                         .phi = v3_sub(turned.phi, point.phi),
                         .omega = v3_sub(turned.omega, point.omega)};
}

// f.b, both turned with their bodies by psi: psi.(f x b) and -psi.(f x b). What targets turn them by besides
// turns along, so psi alone is carried.
static marker_change dot_slopes(const joint_motion* m, const atom* a, int level)
{
    const dot_axes j = axes_of_dot(m, a, &no_change);
    marker_change out = {.point_F = v3_zero()};
    vec3 turned[3];

    cross_jets(&j.f, &j.b, turned);
    out.turning_F = v3_scale(a->sign, carried_slope(turned, m->F, m->alpha_F, level));
    out.turning_B = v3_scale(-a->sign, carried_slope(turned, m->B, m->alpha_B, level));
    return out;
}

// An axis x that turns with t on a body, times y: the gradient by the body's spin. What targets add to it,
// `own`, is seen from the body, so a change of its spin changes the angular acceleration by its product with own.
static vec3 axis_by_spin(const rigid* body, const turning* t, const vec3 x[3], const vec3 y[3],
                         int level)
{
    const vec3 own = v3_sub(t->W, body->omega);
    const vec3 out = spun_slope(x[0], y, t->W, level);
    return level == 2 ? v3_add(out, v3_cross(own, v3_cross(x[0], y[0]))) : out;
}

static void dot_by_motion(const joint_motion* m, const atom* a, int level, motion_slopes* F,
                          motion_slopes* B)
{
    const dot_axes j = axes_of_dot(m, a, &no_change);
    const marker_change turns = dot_slopes(m, a, level);
    const vec3 spin_F = axis_by_spin(m->F, &j.t_f, j.f.x, j.b.x, level);
    const vec3 spin_B = axis_by_spin(m->B, &j.t_b, j.b.x, j.f.x, level);

    *F = (motion_slopes){.phi = turns.turning_F, .omega = v3_scale(a->sign, spin_F)};
    *B = (motion_slopes){.phi = turns.turning_B, .omega = v3_scale(a->sign, spin_B)};
}

// Vectors of both sides that a change is multiplied with: turns, or changes of spins.
typedef struct both_sides {
    vec3 F, B;
} both_sides;

static void add_sides(both_sides* to, double scale, const both_sides* from)
{
    to->F = v3_axpy(to->F, scale, from->F);
    to->B = v3_axpy(to->B, scale, from->B);
}

static both_sides product_slopes(const joint_motion* m, const vector_jet* f, const vector_jet* b,
                                 bool by_spin, int level)
{
    vec3 turned[3];
    if (by_spin) {
        return (both_sides){spun_slope(f->x[0], b->x, m->F->omega, level),
                            spun_slope(b->x[0], f->x, m->B->omega, level)};
    }
    cross_jets(f, b, turned);
    return (both_sides){carried_slope(turned, m->F, m->alpha_F, level),
                        v3_neg(carried_slope(turned, m->B, m->alpha_B, level))};
}

// An angle is linear in the changes of S, C and of their derivatives: what a change of one of these alone makes
// of the angle, times the gradient of that one.
static both_sides angle_slopes(const joint_motion* m, tml_axis axis, bool by_spin, int level)
{
    const turning t_f = fixed_turning(m->F, m->alpha_F, &no_change.F);
    const turning t_b = fixed_turning(m->B, m->alpha_B, &no_change.B);
    angle_term term[4];
    angle_law law;
    const int count = tml__angle_terms(m->joint, axis, term, &law);
    number_jet S = {.x = {0.0}};
    number_jet C = {.x = {0.0}};
    both_sides by_S[3] = {{v3_zero(), v3_zero()}};
    both_sides by_C[3] = {{v3_zero(), v3_zero()}};
    both_sides out = {v3_zero(), v3_zero()};

    for (int n = 0; n < count; n++) {
        const vector_jet f = turn_jet(m->frame->F.axis[term[n].follower], &t_f, v3_zero());
        const vector_jet b = turn_jet(m->frame->B.axis[term[n].base], &t_b, v3_zero());
        const number_jet z = dot_jets(&f, &b, 1.0);
        for (int k = 0; k <= level; k++) {
            const both_sides slopes = product_slopes(m, &f, &b, by_spin, k);
            S.x[k] += term[n].s * z.x[k];
            C.x[k] += term[n].c * z.x[k];
            add_sides(&by_S[k], term[n].s, &slopes);
            add_sides(&by_C[k], term[n].c, &slopes);
        }
    }
    for (int k = 0; k <= level; k++) {
        S.d[k] = 1.0;
        const number_jet along_S = law_jet(law, &S, &C);
        S.d[k] = 0.0;
        add_sides(&out, along_S.d[level], &by_S[k]);
        if (law != LAW_DIRECTION) continue;
        C.d[k] = 1.0;
        const number_jet along_C = direction_jet(&S, &C);
        C.d[k] = 0.0;
        add_sides(&out, along_C.d[level], &by_C[k]);
    }
    return out;
}

marker_change tml__coordinate_marker_slopes(const joint_motion* m, tml_axis axis, int level)
{
    if ((int)axis < 3) return gap_slopes(m, (int)axis, level);
    const both_sides turns = angle_slopes(m, axis, false, level);
    return (marker_change){.turning_F = turns.F, .turning_B = turns.B};
}

void tml__coordinate_motion_slopes(const joint_motion* m, tml_axis axis, int level,
                                   motion_slopes* follower, motion_slopes* base)
{
    if ((int)axis < 3) {
        gap_by_motion(m, (int)axis, level, follower, base);
        return;
    }
    const both_sides turns = angle_slopes(m, axis, false, level);
    const both_sides spins = angle_slopes(m, axis, true, level);
    *follower = (motion_slopes){.phi = turns.F, .omega = spins.F};
    *base = (motion_slopes){.phi = turns.B, .omega = spins.B};
}

marker_change tml__row_marker_slopes(const joint_motion* m, const joint_row* row, int level)
{
    return row->kind == ROW_DOT ? dot_slopes(m, &row->a, level)
                                : tml__coordinate_marker_slopes(m, row->axis, level);
}

void tml__row_motion_slopes(const joint_motion* m, const joint_row* row, int level,
                            motion_slopes* follower, motion_slopes* base)
{
    if (row->kind == ROW_DOT) {
        dot_by_motion(m, &row->a, level, follower, base);
    } else {
        tml__coordinate_motion_slopes(m, row->axis, level, follower, base);
    }
}

// ---- wrenches

// force f along the base's axes at the follower's point, and a torque t:
//   f_F = f, t_F = r_F x f + t      f_B = -f, t_B = -arm_B x f - t
// df = turn_B x f, dt = D_F turn_F + D_B turn_B; the base feels the follower's point, so that a
// shift of its own point changes nothing.
joint_wrench tml__marker_wrench(const joint_frame* frame, const rigid_bend* bend,
                                const joint_tangent* d)
{
    const vec3 df = v3_cross(d->B.turning, bend->force);
    const vec3 dt = v3_add(m3_apply(bend->D_F, d->F.turning), m3_apply(bend->D_B, d->B.turning));
    const vec3 arm = v3_cross(d->F.point, bend->force);

    return (joint_wrench){
        .f_F = df,
        .t_F = v3_add(v3_add(arm, v3_cross(frame->r_F, df)), dt),
        .f_B = v3_neg(df),
        .t_B = v3_neg(v3_add(v3_add(arm, v3_cross(frame->arm_B, df)), dt)),
    };
}
