// test/opt/ddp.c - the linear-quadratic method: exact on a linear problem, and a cart that swings its pole up.
#include "test/check.h"

#include <trammel/trammel.h>

#include <stdlib.h>

enum {
    MOST = 400
};

static tml_body add_block(tml_spec* spec, const char* name, tml_vec3 at, double mass)
{
    tml_body_def body = tml_body_def_default();
    body.name = name;
    body.mass = mass;
    body.pose.p = at;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.03 * mass;
    return tml_spec_add_body(spec, &body);
}

static void add_joint(tml_spec* spec, tml_joint_kind kind, tml_body base, tml_body follower,
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
static tml_model* cart(int has_pole)
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

static void open_task(task* t, int has_pole, double step, int steps, tml_formulation formulation,
                      int knots)
{
    tml_sim_settings s = tml_sim_settings_default();
    s.formulation = formulation;
    s.integrator =
        formulation == TML_FORM_GENERALIZED ? TML_TIME_SEMI_IMPLICIT_EULER : TML_TIME_BDF1;
    s.step = step;
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
                                 .method = TML_METHOD_DDP,
                                 .iterations = 400,
                                 .tolerance = 1e-9};
    t->model = cart(has_pole);
    CHECK(tml_problem_create(t->model, &s, &def, &t->problem) == TML_OK);
}

static void close_task(task* t)
{
    tml_problem_destroy(t->problem);
    tml_model_destroy(t->model);
}

static double largest(const double* x, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// One linear-quadratic problem is the whole problem: one iteration and one to see it, up to what mu
// (1e-3, then less) leaves. The gradient there is the adjoint's, which knows nothing of Riccati.
TEST(a_linear_problem_is_solved_at_once)
{
    enum {
        STEPS = 50
    };
    static task t;
    tml_optimize_report r;
    double value = 0.0;
    open_task(&t, 0, 0.02, STEPS, TML_FORM_GENERALIZED, STEPS);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_OK);
    CHECK(r.has_converged);
    CHECK(r.iterations <= 8);
    CHECK(tml_problem_evaluate(t.problem, t.x, &value, t.gradient) == TML_OK);
    CHECK_NEAR(value, r.value, 1e-12);
    CHECK(largest(t.gradient, STEPS) <= 1e-8);
    // 1 m within 1 s, from rest to rest: the best effort is 6 - 12 t newtons, up to the step
    CHECK_NEAR(t.x[0], 6.0, 0.2);
    CHECK_NEAR(t.x[STEPS - 1], -6.0, 0.2);
    close_task(&t);
}

TEST(a_cart_swings_its_pole_up)
{
    enum {
        STEPS = 150
    };
    static task t;
    tml_optimize_report r;
    double value = 0.0;
    open_task(&t, 1, 0.02, STEPS, TML_FORM_GENERALIZED, STEPS);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_OK);
    printf("swing up: objective %.4g -> %.4g in %d iterations, %d runs\n", r.first, r.value,
           r.iterations, r.evaluations);
    CHECK(r.has_converged);
    CHECK(r.value < 0.1);
    CHECK(tml_problem_evaluate(t.problem, t.x, &value, t.gradient) == TML_OK);
    // of an objective of 0.05 over 150 controls of some newtons
    CHECK(largest(t.gradient, STEPS) <= 1e-6);
    close_task(&t);
}

TEST(what_the_method_cannot_do_is_refused_by_name)
{
    static task t;
    tml_optimize_report r;
    open_task(&t, 0, 0.02, 50, TML_FORM_GENERALIZED, 10);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_problem_message(t.problem), "another number of knots");
    close_task(&t);
    open_task(&t, 0, 0.02, 50, TML_FORM_QUATERNION, 50);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_problem_message(t.problem), "'quaternion'");
    close_task(&t);
}
