// test/method/quaternion/full_system.h - the paper's equations with all their unknowns.
//
// 14 unknowns a body, c q v w, and one multiplier a row; F1 to F5 and C as the paper and the notes
// state them, quaternions scalar last, nothing eliminated and nothing taken from the library:
//     F1 = (c - c_p)/h - v      F3 = m (v - v_p)/h - m g - f
//     F2 = (q - q_p)/h - w      F4 = 2 R J H(q) w' + 4 G(q) H(w)^T J H(q) w - tau,  w' = (w - w_p)/h
//     F5 = q.q - 1              C  = rows of Table 7, corrected           [QRBD (10) (12) Tab 1 Tab 7]
// Derivatives by complex steps of 1e-100, which are exact up to rounding.
#ifndef TRAMMEL_TEST_METHOD_QUATERNION_FULL_SYSTEM_H
#define TRAMMEL_TEST_METHOD_QUATERNION_FULL_SYSTEM_H

#include "math/quat.h"
#include "math/small.h"

#include <complex.h>
#include <stdbool.h>
#include <string.h>

typedef double complex number;

enum {
    FULL_BODIES = 3,
    FULL_ROWS = 18,
    FULL_WIDTH = 14,
    FULL_UNKNOWNS = FULL_BODIES * FULL_WIDTH + FULL_ROWS,
    // where the parts of a body start
    AT_C = 0,
    AT_Q = 3,
    AT_V = 7,
    AT_W = 10,
};

typedef struct full_row {
    bool is_gap;
    int follower, base;  // body, -1: the world
    vec3 point_F, point_B;
    vec3 axis_F, axis_B;  // body axes, turned by the targets; a gap uses axis_B
    double target, sign;
} full_row;

typedef struct full_system {
    int body_count, row_count;
    double mass[FULL_BODIES];
    mat3 J[FULL_BODIES];
    vec3 gravity;
    full_row row[FULL_ROWS];
    double h;                               // of the stage
    double past[FULL_BODIES * FULL_WIDTH];  // y_p
    double y[FULL_BODIES * FULL_WIDTH];     // the iterate
    double lambda[FULL_ROWS];               // its multipliers
    double step[FULL_UNKNOWNS];             // of the last Newton iteration
    double matrix[FULL_UNKNOWNS * FULL_UNKNOWNS];
} full_system;

// ---- three and four complex numbers

typedef struct full_matrix {
    number m[3][4];
} full_matrix;

// With v = (x, y, z) of q: G = [w I + [v], -v], H = [w I - [v], -v].
static inline full_matrix full_G(const number q[4])
{
    return (full_matrix){
        {{q[3], -q[2], q[1], -q[0]}, {q[2], q[3], -q[0], -q[1]}, {-q[1], q[0], q[3], -q[2]}}};
}

static inline full_matrix full_H(const number q[4])
{
    return (full_matrix){
        {{q[3], q[2], -q[1], -q[0]}, {-q[2], q[3], q[0], -q[1]}, {q[1], -q[0], q[3], -q[2]}}};
}

static inline void full_apply(full_matrix A, const number v[4], number out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = A.m[i][0] * v[0] + A.m[i][1] * v[1] + A.m[i][2] * v[2] + A.m[i][3] * v[3];
    }
}

static inline void full_apply_t(full_matrix A, const number v[3], number out[4])
{
    for (int k = 0; k < 4; k++) out[k] = A.m[0][k] * v[0] + A.m[1][k] * v[1] + A.m[2][k] * v[2];
}

// R(q) a = G H^T a, for a vector of the body.
static inline void full_rotate(const number q[4], const number a[3], number out[3])
{
    number b[4];
    full_apply_t(full_H(q), a, b);
    full_apply(full_G(q), b, out);
}

static inline void full_rotate_real(const number q[4], vec3 a, number out[3])
{
    const number b[3] = {a.x, a.y, a.z};
    full_rotate(q, b, out);
}

static inline void full_inertia(const mat3* J, const number a[3], number out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = J->m[i][0] * a[0] + J->m[i][1] * a[1] + J->m[i][2] * a[2];
    }
}

static inline void full_cross(const number a[3], const number b[3], number out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline number full_dot(const number a[3], const number b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- rows

typedef struct full_load {
    number f[3], tau[3];
} full_load;

static inline void add_load(full_load* to, double sign, const number f[3], const number tau[3])
{
    for (int k = 0; k < 3; k++) {
        to->f[k] += sign * f[k];
        to->tau[k] += sign * tau[k];
    }
}

// Where a body is: of the iterate, or the world.
static inline const number* full_body(const number* y, int body)
{
    static const number world[FULL_WIDTH] = {[AT_Q + 3] = 1.0};
    return body < 0 ? world : &y[body * FULL_WIDTH];
}

// The value of a row; lambda times its force and torque onto the two bodies.
static inline number full_row_value(const full_row* row, const number* y, number lambda,
                                    full_load* load_F, full_load* load_B)
{
    const number* F = full_body(y, row->follower);
    const number* B = full_body(y, row->base);
    number w[3];
    number force[3] = {0};
    number torque_F[3];
    number torque_B[3];
    number C = 0.0;
    full_rotate_real(&B[AT_Q], row->axis_B, w);
    if (row->is_gap) {
        number r_F[3];
        number r_B[3];
        number m_B[3];
        number d[3];
        full_rotate_real(&F[AT_Q], row->point_F, r_F);
        full_rotate_real(&B[AT_Q], row->point_B, r_B);
        for (int k = 0; k < 3; k++) {
            m_B[k] = r_F[k] + F[AT_C + k] - B[AT_C + k];
            d[k] = m_B[k] - r_B[k];
            force[k] = lambda * w[k];
        }
        C = full_dot(w, d) - row->target;
        full_cross(r_F, force, torque_F);
        full_cross(m_B, force, torque_B);
    } else {
        number u[3];
        number normal[3];
        full_rotate_real(&F[AT_Q], row->axis_F, u);
        C = row->sign * full_dot(u, w);
        full_cross(u, w, normal);
        for (int k = 0; k < 3; k++) torque_F[k] = row->sign * lambda * normal[k];
        memcpy(torque_B, torque_F, sizeof torque_B);
    }
    add_load(load_F, 1.0, force, torque_F);
    add_load(load_B, -1.0, force, torque_B);
    return C;
}

// ---- the whole residual, scaled as in Section 6.1: F1, F2 times h, F3, F4 times h^2

static inline void full_body_residual(const full_system* s, int b, const number* y,
                                      const full_load* load, number* out)
{
    const double h = s->h;
    const double g[3] = {s->gravity.x, s->gravity.y, s->gravity.z};
    const double* p = &s->past[b * FULL_WIDTH];
    number rate[4];
    for (int k = 0; k < 3; k++) out[k] = y[AT_C + k] - p[AT_C + k] - h * y[AT_V + k];
    for (int k = 0; k < 4; k++) {
        out[3 + k] = y[AT_Q + k] - p[AT_Q + k] - h * y[AT_W + k];
        rate[k] = (y[AT_W + k] - p[AT_W + k]) / h;
    }
    for (int k = 0; k < 3; k++) {
        const number change = (y[AT_V + k] - p[AT_V + k]) / h;
        out[7 + k] = h * h * (s->mass[b] * (change - g[k]) - load->f[k]);
    }
    number a[3];
    number momentum[3];
    number swing[4];
    number gyro[3];
    number linear[3];
    full_apply(full_H(&y[AT_Q]), rate, a);
    full_inertia(&s->J[b], a, momentum);
    full_rotate(&y[AT_Q], momentum, linear);
    full_apply(full_H(&y[AT_Q]), &y[AT_W], a);
    full_inertia(&s->J[b], a, momentum);
    full_apply_t(full_H(&y[AT_W]), momentum, swing);
    full_apply(full_G(&y[AT_Q]), swing, gyro);
    for (int k = 0; k < 3; k++) {
        out[10 + k] = h * h * (2.0 * linear[k] + 4.0 * gyro[k] - load->tau[k]);
    }
    out[13] = -1.0;
    for (int k = 0; k < 4; k++) out[13] += y[AT_Q + k] * y[AT_Q + k];
}

static inline void full_residual(const full_system* s, const number* y, const number* lambda,
                                 number* out)
{
    full_load load[FULL_BODIES + 1] = {{{0}, {0}}};
    number* C = &out[s->body_count * FULL_WIDTH];
    for (int i = 0; i < s->row_count; i++) {
        const full_row* row = &s->row[i];
        const int F = row->follower < 0 ? FULL_BODIES : row->follower;
        const int B = row->base < 0 ? FULL_BODIES : row->base;
        C[i] = full_row_value(row, y, lambda[i], &load[F], &load[B]);
    }
    for (int b = 0; b < s->body_count; b++) {
        full_body_residual(s, b, &y[b * FULL_WIDTH], &load[b], &out[b * FULL_WIDTH]);
    }
}

// ---- one Newton step

// What an unknown is measured in, so that the matrix does not depend on h: v, w in 1/h, lambda in
// 1/h^2.
static inline double full_unit(const full_system* s, int k)
{
    if (k >= s->body_count * FULL_WIDTH) return 1.0 / (s->h * s->h);
    return k % FULL_WIDTH >= AT_V ? 1.0 / s->h : 1.0;
}

static inline void full_read(const full_system* s, number* y)
{
    const int bodies = s->body_count * FULL_WIDTH;
    for (int i = 0; i < bodies; i++) y[i] = s->y[i];
    for (int i = 0; i < s->row_count; i++) y[bodies + i] = s->lambda[i];
}

static inline int full_size(const full_system* s)
{
    return s->body_count * FULL_WIDTH + s->row_count;
}

// The scaled Jacobian, row-major, full_size wide.
static inline void full_jacobian(const full_system* s, double* out)
{
    const int size = full_size(s);
    const int bodies = s->body_count * FULL_WIDTH;
    const double tiny = 1e-100;
    number y[FULL_UNKNOWNS] = {0};
    number F[FULL_UNKNOWNS];
    full_read(s, y);
    for (int k = 0; k < size; k++) {
        const number kept = y[k];
        y[k] += tiny * (number)I;
        full_residual(s, y, y + bodies, F);
        y[k] = kept;
        for (int i = 0; i < size; i++) out[i * size + k] = full_unit(s, k) * cimag(F[i]) / tiny;
    }
}

// The full Newton step from the iterate, into s->step, in the unknowns' own units.
static inline tml_status full_newton_step(full_system* s)
{
    const int size = full_size(s);
    const int bodies = s->body_count * FULL_WIDTH;
    int pivot[FULL_UNKNOWNS];
    number y[FULL_UNKNOWNS] = {0};
    number F[FULL_UNKNOWNS];
    full_jacobian(s, s->matrix);
    full_read(s, y);
    full_residual(s, y, y + bodies, F);
    for (int i = 0; i < size; i++) s->step[i] = -creal(F[i]);
    const tml_status status = tml__lu_factor(size, s->matrix, size, pivot);
    if (status == TML_OK) tml__lu_solve(size, s->matrix, size, pivot, s->step);
    for (int i = 0; i < size; i++) s->step[i] *= full_unit(s, i);
    return status;
}

#endif
