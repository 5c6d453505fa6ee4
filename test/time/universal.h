// test/time/universal.h - the universal pendulum of scenes/reference.c in its two angles.
//
// An oracle that shares nothing with the library: R = Rx(a) Ry(b), body axes, moments about the
// fixed point, integrated by RK4 with steps so small that rounding is what remains.
//     x = (cos b, 0, sin b), y = (0, 1, 0), n = x cross y          joint axes, body frame
//     omega = a' x + b' y,   J_O omega' + omega x J_O omega = r x m g + torque n
// The components along x and y give a'' and b'', the one along n the joint's torque; the joint's
// force is m (acceleration - g).
#ifndef TRAMMEL_TEST_TIME_UNIVERSAL_H
#define TRAMMEL_TEST_TIME_UNIVERSAL_H

#include "math/mat3.h"

#include <math.h>

typedef struct universal_state {
    double angle[2];
    double rate[2];
} universal_state;

typedef struct universal_answer {
    vec3 position, velocity;  // of the centre of mass, world
    vec3 omega;               // world
    vec3 force, moment;       // on the body at the joint, world
    double second[2];         // a'', b''
} universal_answer;

static const double universal_mass = 1.5;
static const double universal_gravity = 9.81;

static inline universal_state universal_start(void)
{
    return (universal_state){{0.6, 0.4}, {1.0, -2.0}};
}

static inline vec3 universal_to_world(const universal_state* s, vec3 a)
{
    const double ca = cos(s->angle[0]);
    const double sa = sin(s->angle[0]);
    const double cb = cos(s->angle[1]);
    const double sb = sin(s->angle[1]);
    const vec3 y = {cb * a.x + sb * a.z, a.y, -sb * a.x + cb * a.z};
    return (vec3){y.x, ca * y.y - sa * y.z, sa * y.y + ca * y.z};
}

// J_O a = J a + m (|r|^2 a - (r.a) r)
static inline vec3 universal_inertia(vec3 r, vec3 a)
{
    const vec3 own = {0.03 * a.x, 0.05 * a.y, 0.02 * a.z};
    const vec3 shifted = v3_sub(v3_scale(v3_dot(r, r), a), v3_scale(v3_dot(r, a), r));
    return v3_axpy(own, universal_mass, shifted);
}

static inline universal_answer universal_solve(const universal_state* s)
{
    const vec3 r = {0.05, -0.02, -0.4};
    const double cb = cos(s->angle[1]);
    const double sb = sin(s->angle[1]);
    const vec3 x = {cb, 0.0, sb};
    const vec3 y = {0.0, 1.0, 0.0};
    const vec3 n = v3_cross(x, y);
    const vec3 omega = v3_axpy(v3_scale(s->rate[0], x), s->rate[1], y);
    const vec3 turning = v3_scale(s->rate[0] * s->rate[1], (vec3){-sb, 0.0, cb});

    // gravity in body axes
    const double gy = -universal_gravity * sin(s->angle[0]);
    const double gz = -universal_gravity * cos(s->angle[0]);
    const vec3 g = {-sb * gz, gy, cb * gz};

    const vec3 known =
        v3_sub(v3_scale(universal_mass, v3_cross(r, g)),
               v3_add(universal_inertia(r, turning), v3_cross(omega, universal_inertia(r, omega))));
    const vec3 Jx = universal_inertia(r, x);
    const vec3 Jy = universal_inertia(r, y);
    const double xx = v3_dot(x, Jx);
    const double xy = v3_dot(x, Jy);
    const double yy = v3_dot(y, Jy);
    const double kx = v3_dot(x, known);
    const double ky = v3_dot(y, known);
    const double det = xx * yy - xy * xy;

    universal_answer out;
    out.second[0] = (kx * yy - ky * xy) / det;
    out.second[1] = (ky * xx - kx * xy) / det;
    const double torque =
        out.second[0] * v3_dot(n, Jx) + out.second[1] * v3_dot(n, Jy) - v3_dot(n, known);
    const vec3 change =
        v3_axpy(v3_axpy(turning, out.second[0], x), out.second[1], y);  // omega' in body axes
    const vec3 acceleration = v3_add(v3_cross(change, r), v3_cross(omega, v3_cross(omega, r)));

    out.position = universal_to_world(s, r);
    out.velocity = universal_to_world(s, v3_cross(omega, r));
    out.omega = universal_to_world(s, omega);
    out.force = universal_to_world(s, v3_scale(universal_mass, v3_sub(acceleration, g)));
    out.moment = universal_to_world(s, v3_scale(torque, n));
    return out;
}

static inline universal_state universal_add(const universal_state* s, double h,
                                            const universal_state* slope)
{
    universal_state out = *s;
    for (int i = 0; i < 2; i++) {
        out.angle[i] += h * slope->angle[i];
        out.rate[i] += h * slope->rate[i];
    }
    return out;
}

static inline universal_state universal_slope(const universal_state* s)
{
    const universal_answer a = universal_solve(s);
    return (universal_state){{s->rate[0], s->rate[1]}, {a.second[0], a.second[1]}};
}

// One RK4 step.
static inline void universal_advance(universal_state* s, double h)
{
    const universal_state k1 = universal_slope(s);
    const universal_state s2 = universal_add(s, 0.5 * h, &k1);
    const universal_state k2 = universal_slope(&s2);
    const universal_state s3 = universal_add(s, 0.5 * h, &k2);
    const universal_state k3 = universal_slope(&s3);
    const universal_state s4 = universal_add(s, h, &k3);
    const universal_state k4 = universal_slope(&s4);

    *s = universal_add(s, h / 6.0, &k1);
    *s = universal_add(s, h / 3.0, &k2);
    *s = universal_add(s, h / 3.0, &k3);
    *s = universal_add(s, h / 6.0, &k4);
}

#endif
