// test/scenario/brick.h - a body without joints that swings and turns, for tests of time formulas.
#ifndef TRAMMEL_TEST_SCENARIO_BRICK_H
#define TRAMMEL_TEST_SCENARIO_BRICK_H

#include "test/check.h"
#include "test/scenario/run.h"

// A brick on a spring from one of its corners to the world: it swings and turns, without a row.
static inline tml_spec* brick_on_a_spring(double rest_length, tml_vec3 corner)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def brick = tml_body_def_default();
    brick.mass = 1.5;
    brick.inertia[0] = 0.02;
    brick.inertia[1] = 0.03;
    brick.inertia[2] = 0.045;
    brick.pose.p = (tml_vec3){0.3, 0.1, -0.4};
    brick.velocity.angular = (tml_vec3){1.0, -2.0, 3.0};
    if (corner.x == 0.0) brick.velocity.angular = (tml_vec3){0.0, 0.0, 0.0};
    const tml_body body = tml_spec_add_body(spec, &brick);
    const tml_point points[2] = {{TML_WORLD, {0.0, 0.0, 0.0}}, {body, corner}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = points;
    spring.stiffness = 60.0;
    spring.rest_length = rest_length;
    CHECK(tml_spec_add_spring(spec, &spring) == TML_OK);
    return spec;
}

// How far two poses differ, m and numbers of quaternions.
static inline double brick_apart(tml_pose a, tml_pose b)
{
    const double sign = q_dot(a.q, b.q) < 0.0 ? -1.0 : 1.0;
    const vec3 d = v3_sub(a.p, b.p);
    double most = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    most = fmax(most, fmax(fabs(a.q.w - sign * b.q.w), fabs(a.q.x - sign * b.q.x)));
    return fmax(most, fmax(fabs(a.q.y - sign * b.q.y), fabs(a.q.z - sign * b.q.z)));
}

#endif
