// test/opt/cart.h - a cart on a rail with a force to choose at every knot, for the tests of methods.
#ifndef TML_TEST_OPT_CART_H
#define TML_TEST_OPT_CART_H

#include "test/check.h"

#include <trammel/trammel.h>

enum {
    MOST = 400
};

static inline tml_body add_block(tml_spec* spec, const char* name, tml_vec3 at, double mass)
{
    tml_body_def body = tml_body_def_default();
    body.name = name;
    body.mass = mass;
    body.pose.p = at;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.03 * mass;
    return tml_spec_add_body(spec, &body);
}

static inline void add_joint(tml_spec* spec, tml_joint_kind kind, tml_body base, tml_body follower,
                             tml_vec3 axis, int is_driven)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.axis = axis;
    if (is_driven) def.axis_of[TML_AXIS_TX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &def);
}

// A cart on a rail, perhaps with a pole that hangs on it.
static inline tml_model* cart(int has_pole)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    const tml_body body = add_block(spec, "cart", (tml_vec3){0, 0, 0}, 1.0);
    add_joint(spec, TML_JOINT_PRISMATIC, TML_WORLD, body, (tml_vec3){1, 0, 0}, 1);
    if (has_pole) {
        const tml_body pole = add_block(spec, "pole", (tml_vec3){0, 0, -0.3}, 0.3);
        add_joint(spec, TML_JOINT_REVOLUTE, body, pole, (tml_vec3){0, 1, 0}, 0);
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

typedef struct task {
    tml_model* model;
    tml_problem* problem;
    tml_variable variables[MOST];
    double x[MOST], gradient[MOST];
} task;

// A cart that should be 1 m further on and at rest after `steps`, or its pole upright.
static inline void open_task(task* t, tml_method method, int has_pole, int steps,
                             tml_formulation formulation, int knots)
{
    tml_sim_settings s = tml_sim_settings_default();
    s.formulation = formulation;
    s.integrator =
        formulation == TML_FORM_GENERALIZED ? TML_TIME_SEMI_IMPLICIT_EULER : TML_TIME_BDF1;
    s.step = 0.02;
    tml_term terms[5] = {
        {.quantity = {TML_QUANTITY_COORDINATE, 0, TML_AXIS_TX, 0}, .target = has_pole ? 0.0 : 1.0},
        {.quantity = {TML_QUANTITY_RATE, 0, TML_AXIS_TX, 0}},
        {.is_effort = 1},
        {.quantity = {TML_QUANTITY_COORDINATE, 1, TML_AXIS_RX, 0}, .target = 3.14159265358979},
        {.quantity = {TML_QUANTITY_RATE, 1, TML_AXIS_RX, 0}},
    };
    for (int i = 0; i < 5; i++) {
        terms[i].has_target = 1;
        terms[i].weight = 100.0;
        terms[i].first = terms[i].last = steps;
    }
    terms[2] = (tml_term){.is_effort = 1, .weight = 0.01, .first = 1, .last = steps};
    for (int k = 0; k < knots; k++) {
        t->variables[k] = (tml_variable){.parameter = {TML_PARAMETER_CONTROL, 0, 0, 0},
                                         .knot = k,
                                         .knot_count = knots,
                                         .lower = -1e3,
                                         .upper = 1e3,
                                         .scale = 1.0};
        t->x[k] = 0.0;
    }
    const tml_problem_def def = {.steps = steps,
                                 .variable_count = knots,
                                 .term_count = has_pole ? 5 : 3,
                                 .variables = t->variables,
                                 .terms = terms,
                                 .method = method,
                                 .iterations = 400,
                                 .tolerance = 1e-9};
    t->model = cart(has_pole);
    CHECK(tml_problem_create(t->model, &s, &def, &t->problem) == TML_OK);
}

static inline void close_task(task* t)
{
    tml_problem_destroy(t->problem);
    tml_model_destroy(t->model);
}

static inline double largest(const double* x, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
    return most;
}

#endif
