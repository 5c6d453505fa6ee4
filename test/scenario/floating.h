// test/scenario/floating.h - a mechanism that nothing holds, and the momenta it must keep.
#ifndef TRAMMEL_TEST_SCENARIO_FLOATING_H
#define TRAMMEL_TEST_SCENARIO_FLOATING_H

#include "test/scenario/run.h"

#include <string.h>

typedef struct momentum {
    vec3 linear, angular;
} momentum;

// Linear, and angular about the origin.
static inline momentum momentum_of(const run* r)
{
    momentum sum = {v3_zero(), v3_zero()};
    for (int i = 0; i < tml_model_body_count(r->model); i++) {
        const tml_body_def* def = tml_model_body(r->model, (tml_body){i});
        const tml_pose pose = tml_sim_pose(r->sim, (tml_body){i});
        const tml_velocity velocity = tml_sim_velocity(r->sim, (tml_body){i});
        const double* I = def->inertia;
        const mat3 J = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
        const vec3 arm = q_rotate(pose.q, def->com);
        const vec3 c = v3_add(pose.p, arm);
        const vec3 p =
            v3_scale(def->mass, v3_add(velocity.linear, v3_cross(velocity.angular, arm)));
        const vec3 w = q_rotate(q_conj(pose.q), velocity.angular);
        const vec3 spin = q_rotate(pose.q, m3_apply(J, w));
        sum.linear = v3_add(sum.linear, p);
        sum.angular = v3_add(sum.angular, v3_add(spin, v3_cross(c, p)));
    }
    return sum;
}

// Four bodies with joints and springs between them that nothing holds, no gravity.
static inline tml_spec* floating_mechanism(void)
{
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, v3(0.0, 0.0, 0.0));
    tml_body bodies[4];
    for (int i = 0; i < 4; i++) {
        tml_body_def body = tml_body_def_default();
        const double inertia[6] = {0.02 + 0.01 * i, 0.05, 0.04, 0.002, -0.003, 0.001 * i};
        memcpy(body.inertia, inertia, sizeof inertia);
        body.mass = 1.0 + 0.3 * i;
        body.com = v3(0.02, -0.01 * i, 0.03);
        body.pose.p = v3(0.5 * i, 0.1 * i, -0.2);
        body.velocity = (tml_velocity){{0.3, -0.2, 0.1 * i}, {0.7, 1.5 - 0.6 * i, 0.4}};
        bodies[i] = tml_spec_add_body(spec, &body);
    }
    static const tml_joint_kind kinds[3] = {TML_JOINT_UNIVERSAL, TML_JOINT_SPHERICAL,
                                            TML_JOINT_CYLINDRICAL};
    for (int i = 0; i < 3; i++) {
        tml_joint_def joint = tml_joint_def_default();
        joint.kind = kinds[i];
        joint.base = bodies[i];
        joint.follower = bodies[i + 1];
        joint.position = v3(0.25 + 0.5 * i, 0.1 * i, 0.0);
        joint.axis = v3(0.6, 0.0, 0.8);
        if (i == 2) joint.axis_of[TML_AXIS_TX].stiffness = 40.0;
        tml_spec_add_joint(spec, &joint);
    }
    tml_spring_def spring = tml_spring_def_default();
    const tml_point ends[2] = {{bodies[0], {0.0, 0.2, 0.1}}, {bodies[3], {0.1, 0.0, -0.2}}};
    spring.points = ends;
    spring.point_count = 2;
    spring.stiffness = 30.0;
    spring.rest_length = 1.0;
    tml_spec_add_spring(spec, &spring);
    return spec;
}

#endif
