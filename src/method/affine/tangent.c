// method/affine/tangent.c - one body of an affine step: how its inertia and its velocities at the end follow the
// ends of the step, in closed form.
//
// With tau([w] Z) = lever(Z) w, lever(Z) = tr(Z) I - Z, and
//     tau([omega] [w] Z) = ([Z omega] - omega tau(Z)^T) w,   tau(Y [w]^T) = -lever(Y^T) w
// every change of a rotation is a matrix times its rotation vector w.               [notes 9.2 9.3]
#include "method/affine/partials.h"

double tml__affine_share(const affine_stage* stage, affine_end end)
{
    if (end == AFFINE_BEFORE) return 0.0;
    return end == AFFINE_START ? 1.0 - stage->phi : stage->phi;
}

// What follows R by a factor and U = [omega] R by another, seen through tau( . S X^T), Z = R S X^T.
static mat3 by_turn(mat3 Z, vec3 omega, double of_R, double of_U)
{
    const mat3 plain = m3_scale(of_R, affine_lever(Z));
    if (of_U == 0.0) return plain;
    const mat3 swung = m3_sub(m3_skew(m3_apply(Z, omega)), m3_outer(omega, affine_tau(Z)));
    return m3_add(plain, m3_scale(of_U, swung));
}

// ---- inertia

// R_hat and x_hat by the pose and the velocity at an instant.
typedef struct hat_weights {
    double pose, velocity;
} hat_weights;

static hat_weights weights_of(const affine_stage* stage, affine_end end)
{
    const double c = 2.0 / 3.0 * stage->h;
    if (stage->rule != AFFINE_BDF2) return (hat_weights){1.0, stage->h};
    if (end == AFFINE_START) return (hat_weights){4.0 / 3.0, 4.0 / 3.0 * c};
    return (hat_weights){-1.0 / 3.0, -1.0 / 3.0 * c};
}

affine_moments tml__affine_moments(const affine_body* b, mat3 S)
{
    const mat3 RS = m3_mul(b->R, S);
    return (affine_moments){.start = m3_mul_bt(RS, b->R),
                            .end = m3_mul_bt(m3_mul(b->R_end, S), b->R_end),
                            .mixed = m3_mul_bt(RS, b->R_end)};
}

// a + h [omega] a
static mat3 led_on(mat3 a, vec3 omega, double h)
{
    const vec3 w = v3_scale(h, omega);
    mat3 out = a;
    for (int c = 0; c < 3; c++) {
        out.m[0][c] += w.y * a.m[2][c] - w.z * a.m[1][c];
        out.m[1][c] += w.z * a.m[0][c] - w.x * a.m[2][c];
        out.m[2][c] += w.x * a.m[1][c] - w.y * a.m[0][c];
    }
    return out;
}

// (R_end - R_hat) S R^T and (R_end - R_hat) S R_end^T
static mat3 pull_at_start(const affine_body* b, mat3 S, const affine_moments* m,
                          const affine_stage* stage)
{
    if (stage->rule == AFFINE_BDF2) return m3_mul_bt(m3_mul(m3_sub(b->R_end, b->R_hat), S), b->R);
    return m3_sub(m3_transpose(m->mixed), led_on(m->start, b->omega, stage->h));
}

affine_slopes tml__affine_inertia_slopes(const affine_body* b, mat3 S, const affine_moments* m,
                                         double mass, const affine_stage* stage, affine_end end)
{
    const double over = 1.0 / stage->beta;
    const hat_weights w = weights_of(stage, end);
    const double share = tml__affine_share(stage, end);
    const bool is_start = end == AFFINE_START;
    const vec3 omega = is_start ? b->omega : b->omega_before;
    affine_slopes out = {.shift = -mass * w.pose * over, .speed = -mass * w.velocity * over};
    mat3 Z = m3_add(m3_scale(1.0 - stage->phi, m->start), m3_scale(stage->phi, m->mixed));

    if (!is_start) {
        const mat3 A = m3_add(m3_scale(1.0 - stage->phi, b->R), m3_scale(stage->phi, b->R_end));
        Z = m3_mul_bt(m3_mul(b->R_before, S), A);
    }
    const mat3 lever = affine_lever(Z);
    out.turn = by_turn(Z, omega, -w.pose * over, -w.velocity * over);
    out.spin = m3_scale(-w.velocity * over, lever);
    if (share > 0.0) {
        const mat3 W = m3_transpose(pull_at_start(b, S, m, stage));
        out.turn = m3_sub(out.turn, m3_scale(share * over, affine_lever(W)));
    }
    return out;
}

mat3 tml__affine_torque_slope(const affine_body* b, const affine_moments* m,
                              const affine_stage* stage)
{
    const mat3 Z =
        m3_add(m3_scale(1.0 - stage->phi, m3_transpose(m->mixed)), m3_scale(stage->phi, m->end));
    const mat3 W = m3_sub(m->end, led_on(m->mixed, b->omega, stage->h));
    const mat3 turned = m3_scale(stage->phi, affine_lever(m3_transpose(W)));
    return m3_scale(1.0 / stage->beta, m3_sub(affine_lever(Z), turned));
}

// S = tr(J)/2 I - J, and tau(X S A^T) = sum S_ab (A_b x X_a) over columns.
void tml__affine_torques(mat3 X, mat3 A, vec3 out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    vec3 half = v3_zero();
    for (int i = 0; i < 6; i++) {
        const int a = row[i];
        const int b = column[i];
        out[i] = v3_neg(v3_cross(m3_column(A, b), m3_column(X, a)));
        if (i < 3) half = v3_axpy(half, -0.5, out[i]);
        if (i >= 3) out[i] = v3_sub(out[i], v3_cross(m3_column(A, a), m3_column(X, b)));
    }
    for (int i = 0; i < 3; i++) out[i] = v3_add(out[i], half);
}

// ---- velocities at the end

// x and R at an instant count as much in v and U, and the velocity at the start.
typedef struct rate_weights {
    double at[AFFINE_ENDS];
    double velocity;
} rate_weights;

static rate_weights rates_of(const affine_stage* stage)
{
    const double by_c = 1.5 / stage->h;
    if (stage->rule == AFFINE_BDF2) {
        return (rate_weights){.at = {-4.0 / 3.0 * by_c, by_c, by_c / 3.0}};
    }
    const double now = 1.0 / (stage->theta * stage->h);
    return (rate_weights){.at = {-now, now, 0.0}, .velocity = -(1.0 - stage->theta) / stage->theta};
}

// omega = I^-1 tau(U S R_end^T), I = lever(R_end S R_end^T)
affine_closing tml__affine_closing(const affine_body* b, mat3 S, const affine_moments* m,
                                   const affine_stage* stage)
{
    const rate_weights w = rates_of(stage);
    const mat3 I = affine_lever(m->end);
    const double before = w.at[AFFINE_BEFORE];
    affine_closing out = {.R_end = b->R_end, .over = m3_inverse(I)};
    mat3 V = m3_add(m3_scale(w.at[AFFINE_END], m->end), m3_scale(w.at[AFFINE_START], m->mixed));

    out.U = m3_add(m3_scale(w.at[AFFINE_END], b->R_end), m3_scale(w.at[AFFINE_START], b->R));
    if (w.velocity != 0.0) {
        const mat3 spun = m3_skew(v3_scale(w.velocity, b->omega));
        out.U = m3_add(out.U, m3_mul(spun, b->R));
        V = m3_add(V, m3_mul(spun, m->mixed));
    }
    if (before != 0.0) {
        const mat3 Y = m3_scale(before, m3_mul_bt(m3_mul(b->R_before, S), b->R_end));
        out.U = m3_add(out.U, m3_scale(before, b->R_before));
        V = m3_add(V, Y);
        out.by[AFFINE_BEFORE].turn = m3_mul(out.over, affine_lever(Y));
    }
    const vec3 momentum = affine_tau(V);
    out.omega = m3_apply(out.over, momentum);
    for (int e = 0; e < AFFINE_ENDS; e++) out.by[e].shift = w.at[e];

    // d(I omega) = (I [omega] - [I omega]) w at a fixed omega
    const mat3 end = m3_sub(m3_skew(momentum), affine_lever(m3_transpose(V)));
    mat3 turn = m3_sub(m3_mul(out.over, end), m3_skew(out.omega));
    for (int k = 0; k < 3; k++) turn.m[k][k] += w.at[AFFINE_END];
    out.by[AFFINE_END].turn = turn;

    affine_slopes* start = &out.by[AFFINE_START];
    start->speed = w.velocity;
    start->turn = m3_mul(out.over, by_turn(m->mixed, b->omega, w.at[AFFINE_START], w.velocity));
    if (w.velocity != 0.0) {
        start->spin = m3_mul(out.over, m3_scale(w.velocity, affine_lever(m->mixed)));
    }
    return out;
}

void tml__affine_closing_by_inertia(const affine_closing* c, vec3 out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const vec3 omega = m3_apply_t(c->R_end, c->omega);

    tml__affine_torques(c->U, c->R_end, out);
    for (int i = 0; i < 6; i++) {
        // less the change of the inertia times omega
        vec3 L = v3_scale(v3_at(omega, column[i]), m3_column(c->R_end, row[i]));
        if (i >= 3) L = v3_axpy(L, v3_at(omega, row[i]), m3_column(c->R_end, column[i]));
        out[i] = m3_apply(c->over, v3_sub(out[i], L));
    }
}
