// test/diff/touching.h - formulations whose contacts have no derivatives say so, and not a number.
#ifndef TRAMMEL_TEST_DIFF_TOUCHING_H
#define TRAMMEL_TEST_DIFF_TOUCHING_H

#include "test/diff/mechanisms.h"
#include "test/scenario/touching.h"

// A ball that falls for ten steps, then meets the ground.
static inline tml_model* falling_ball(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, (tml_vec3){0.1, 0, 0}, 0.3);
    tml_body_def ball = tml_body_def_default();
    add_ground(spec, 0.3, 0.0);
    ball.name = "ball";
    ball.mass = 1.0;
    ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 0.004;
    ball.pose.p.z = 0.15;
    ball.shapes = &shape;
    ball.shape_count = 1;
    tml_spec_add_body(spec, &ball);
    return build(spec);
}

// Derivatives before the ball lands, none after it.
static inline void check_refused_contact(method by)
{
    tml_model* m = falling_ball();
    tml_sim_settings s = settings_for(by);
    s.has_contact = 1;
    tml_derivatives* d = remembered(m, &s, 30);
    const tml_parameter down = {TML_PARAMETER_GRAVITY, 0, 2, 0};
    const tml_quantity early = {TML_QUANTITY_POSITION, 0, 2, 5};
    const tml_quantity late = {TML_QUANTITY_POSITION, 0, 2, 30};
    const double one = 1.0;
    double slope = 0.0;
    CHECK(tml_derivatives_gradient(d, 1, &early, &one, 1, &down, &slope) == TML_OK);
    CHECK(slope > 0.0);
    CHECK(tml_derivatives_gradient(d, 1, &late, &one, 1, &down, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "bodies touch in a step");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

#endif
