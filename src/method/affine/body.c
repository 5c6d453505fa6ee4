// method/affine/body.c - one body: rotations, inertial torque and its exact derivative.
//
// The body's mass enters by its second moments, so the momentum of R is R' S and
//     P = (R+ - R_hat) S / beta                                                     [notes 9.2]
// is a matrix force. A rotation feels tau(P A^T), with A where forces act. A world rotation vector w
// of R+ changes P by [w] R+ S / beta and A by phi [w] R+, so with Z = R+ S A^T / beta and
// W = P R+^T
//     d tau = (tr Z I - Z) w - phi (tr W I - W^T) w                                 [notes 9.3]
#include "method/affine/affine.h"

static double square_sum(mat3 a)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) sum += a.m[i][j] * a.m[i][j];
    }
    return sum;
}

// Newton-Schulz, R <- R (3 I - R^T R)/2, converges for singular values below sqrt(3): larger
// matrices are scaled first.                                                       [notes 1]
mat3 tml__affine_polar(mat3 a)
{
    enum {
        STEPS = 40
    };
    const double size = square_sum(a);
    if (size > 4.0) a = m3_scale(sqrt(3.0 / size), a);
    for (int step = 0; step < STEPS; step++) {
        mat3 e = m3_mul(m3_transpose(a), a);
        for (int i = 0; i < 3; i++) e.m[i][i] -= 1.0;
        a = m3_sub(a, m3_scale(0.5, m3_mul(a, e)));
        // the error squares: what was below 1e-9 is now below rounding
        if (square_sum(e) < 1e-18) break;
    }
    return a;
}

affine_torque tml__affine_torque(const affine_body* b, const mat3* S, const affine_stage* stage)
{
    const mat3 A = m3_add(m3_scale(1.0 - stage->phi, b->R), m3_scale(stage->phi, b->R_end));
    const mat3 P = m3_scale(1.0 / stage->beta, m3_mul(m3_sub(b->R_end, b->R_hat), *S));
    const mat3 Z = m3_scale(1.0 / stage->beta, m3_mul_bt(m3_mul(b->R_end, *S), A));
    const mat3 W = m3_mul_bt(P, b->R_end);

    return (affine_torque){
        .torque = affine_tau(m3_mul_bt(P, A)),
        .K = m3_sub(affine_lever(Z), m3_scale(stage->phi, affine_lever(m3_transpose(W)))),
    };
}

vec3 tml__affine_cayley(const affine_body* b)
{
    // R+ R^T turns by alpha: its skew part is sin(alpha) n, its trace 1 + 2 cos(alpha)
    const mat3 turn = m3_mul_bt(b->R_end, b->R);
    const double trace = turn.m[0][0] + turn.m[1][1] + turn.m[2][2];
    return v3_scale(2.0 / (1.0 + trace), affine_tau(turn));
}

// [w] R
static mat3 spin(vec3 omega, mat3 R) { return m3_mul(m3_skew(omega), R); }

void tml__affine_predict(affine_body* b, const affine_stage* stage)
{
    const mat3 U = spin(b->omega, b->R);
    b->x_hat = v3_scale(stage->h, b->v);
    b->R_hat = m3_add(b->R, m3_scale(stage->h, U));
    b->move = b->x_hat;
    b->R_end = tml__affine_polar(b->R_hat);
    if (stage->rule != AFFINE_BDF2) return;

    // q_hat = (4 q - q-)/3 + c (4 u - u-)/3, c = 2h/3                                [notes 2]
    const double c = 2.0 / 3.0 * stage->h;
    const mat3 U_before = spin(b->omega_before, b->R_before);
    const vec3 dx = v3_scale(1.0 / 3.0, v3_sub(b->x, b->x_before));
    const vec3 dv = v3_scale(c / 3.0, v3_sub(v3_scale(4.0, b->v), b->v_before));
    const mat3 dR = m3_scale(1.0 / 3.0, m3_sub(m3_scale(4.0, b->R), b->R_before));
    const mat3 dU = m3_scale(c / 3.0, m3_sub(m3_scale(4.0, U), U_before));
    b->x_hat = v3_add(dx, dv);
    b->R_hat = m3_add(dR, dU);
}

mat3 tml__affine_past(const affine_body* b, const affine_stage* stage)
{
    if (stage->rule != AFFINE_BDF2) return b->R;
    return m3_scale(1.0 / 3.0, m3_sub(m3_scale(4.0, b->R), b->R_before));
}

// The full rate of R at the end, and the velocity.
static mat3 rates_of(affine_body* b, const affine_stage* stage)
{
    if (stage->rule == AFFINE_BDF2) {
        const double by_c = 1.5 / stage->h;
        const mat3 past = tml__affine_past(b, stage);
        const vec3 dx = v3_scale(1.0 / 3.0, v3_sub(b->x, b->x_before));
        b->v_end = v3_scale(by_c, v3_sub(b->move, dx));
        return m3_scale(by_c, m3_sub(b->R_end, past));
    }
    const double past = (1.0 - stage->theta) / stage->theta;
    const double now = 1.0 / (stage->theta * stage->h);
    b->v_end = v3_sub(v3_scale(now, b->move), v3_scale(past, b->v));
    return m3_sub(m3_scale(now, m3_sub(b->R_end, b->R)), m3_scale(past, spin(b->omega, b->R)));
}

void tml__affine_close(affine_body* b, const mat3* S, const affine_stage* stage)
{
    const mat3 U_end = rates_of(b, stage);
    // the rotation with the same angular momentum: I w = tau(U S R^T)               [notes 9.2]
    const mat3 S_world = m3_mul_bt(m3_mul(b->R_end, *S), b->R_end);
    const vec3 momentum = affine_tau(m3_mul_bt(m3_mul(U_end, *S), b->R_end));
    b->omega_end = m3_apply(m3_inverse(affine_lever(S_world)), momentum);
}
