// test/random.h - random vectors, rotations and rigid motions from the one source of test/math.
//
// The seed is printed once and can be set: TRAMMEL_TEST_SEED=7 build/test/joint_rows.
#ifndef TRAMMEL_TEST_RANDOM_H
#define TRAMMEL_TEST_RANDOM_H

#include "math/quat.h"
#include "test/math/random.h"

static inline int random_below(random_source* r, int count)
{
    return (int)(random_bits(r) % (uint64_t)count);
}

// Each component in [-size, size).
static inline vec3 random_vec3(random_source* r, double size)
{
    const double x = random_between(r, -size, size);
    const double y = random_between(r, -size, size);
    return v3(x, y, random_between(r, -size, size));
}

// A rotation by any angle about any axis: a point of the ball, put on the sphere.
static inline quat random_quat(random_source* r)
{
    for (;;) {
        const double w = random_between(r, -1.0, 1.0);
        const vec3 v = random_vec3(r, 1.0);
        const quat q = {w, v.x, v.y, v.z};
        const double square = q_dot(q, q);
        if (square > 0.01 && square < 1.0) return q_normalize(q);
    }
}

// A symmetric matrix that a body may have as inertia: principal moments in [0.1, 0.2], so that
// each is less than the sum of the others, turned any way.
static inline mat3 random_inertia(random_source* r)
{
    const double a = random_between(r, 0.1, 0.2);
    const double b = random_between(r, 0.1, 0.2);
    const double c = random_between(r, 0.1, 0.2);
    const mat3 R = q_matrix(random_quat(r));
    return m3_mul_bt(m3_mul(R, m3_diagonal(a, b, c)), R);
}

#endif
