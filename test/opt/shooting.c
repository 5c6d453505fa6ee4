// test/opt/shooting.c - multiple shooting: exact on a linear problem, and through balls and contact.
#include "test/opt/cart.h"

#include <string.h>

static int is_missing(tml_status status, const char* message)
{
    if (status != TML_UNSUPPORTED || strstr(message, "IPOPT") == NULL) return 0;
    printf("skipped: %s\n", message);
    return 1;
}

// The answer of one Riccati sweep (test/opt/ddp.c); the gradient there is the adjoint's, which knows nothing of
// stretches.
TEST(a_linear_problem_ends_where_its_gradient_does)
{
    enum {
        STEPS = 50
    };
    static task t;
    tml_optimize_report r;
    double value = 0.0;
    open_task(&t, TML_METHOD_SHOOTING, 0, STEPS, TML_FORM_GENERALIZED, STEPS);
    const tml_status status = tml_problem_optimize(t.problem, t.x, NULL, NULL, &r);
    if (!is_missing(status, tml_problem_message(t.problem))) {
        CHECK(status == TML_OK);
        printf("cart: %d iterations, %d runs, objective %.6g, slope %.1e, defect %.1e\n",
               r.iterations, r.evaluations, r.value, r.gradient, r.defect);
        CHECK(r.has_converged);
        CHECK(r.defect <= 1e-8);
        CHECK(tml_problem_evaluate(t.problem, t.x, &value, t.gradient) == TML_OK);
        CHECK_NEAR(value, r.value, 0.0);
        // IPOPT's tolerance is 1e-9 of a scaled problem; weights of 100 undo the scale
        CHECK(largest(t.gradient, STEPS) <= 1e-6);
        // 1 m within 1 s, from rest to rest: the best effort is 6 - 12 t newtons, up to the step
        CHECK_NEAR(t.x[0], 6.0, 0.2);
        CHECK_NEAR(t.x[STEPS - 1], -6.0, 0.2);
    }
    close_task(&t);
}

// An arm of two rods on balls, driven about all axes of both: motions of balls bend their chart.
static tml_model* ball_arm(void)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body last = TML_WORLD;
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < 2; i++) {
        const tml_body b = add_block(spec, i == 0 ? "upper" : "lower",
                                     (tml_vec3){0.2 + 0.4 * i, 0.0, 0.0}, 1.0 - 0.4 * i);
        tml_joint_def joint = tml_joint_def_default();
        joint.name = i == 0 ? "shoulder" : "elbow";
        joint.kind = TML_JOINT_SPHERICAL;
        joint.base = last;
        joint.follower = b;
        joint.position = (tml_vec3){0.4 * i, 0.0, 0.0};
        for (int k = TML_AXIS_RX; k <= TML_AXIS_RZ; k++) {
            joint.axis_of[k].actuation = TML_FORCE;
        }
        tml_spec_add_joint(spec, &joint);
        last = b;
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

// Both rods are led to rest in poses far from where they start; the run in one piece, by its adjoint, has the same
// minimum.
TEST(an_arm_of_balls_comes_to_rest_in_a_pose)
{
    enum {
        STEPS = 40,
        KNOTS = 6,
        CONTROLS = 6,
        TARGETS = 14
    };
    tml_variable v[KNOTS * CONTROLS];
    double x[KNOTS * CONTROLS] = {0.0};
    double gradient[KNOTS * CONTROLS];
    // turns of 1.4 and 0.9 rad about slanted axes
    const double pose[2][4] = {{0.764842, 0.214739, -0.386531, 0.46801},
                               {0.900447, -0.260981, 0.173987, 0.30012}};
    tml_term terms[TARGETS + CONTROLS];
    for (int i = 0; i < TARGETS; i++) {
        const int is_pose = i < 8;
        terms[i] = (tml_term){
            .quantity = {is_pose ? TML_QUANTITY_QUATERNION : TML_QUANTITY_ANGULAR_VELOCITY,
                         is_pose ? i / 4 : (i - 8) / 3, is_pose ? i % 4 : (i - 8) % 3, 0},
            .has_target = 1,
            .target = is_pose ? pose[i / 4][i % 4] : 0.0,
            .weight = is_pose ? 100.0 : 1.0,
            .first = STEPS,
            .last = STEPS};
    }
    for (int c = 0; c < CONTROLS; c++) {
        terms[TARGETS + c] = (tml_term){
            .quantity = {.index = c}, .is_effort = 1, .weight = 0.1, .first = 1, .last = STEPS};
        for (int k = 0; k < KNOTS; k++) {
            v[c * KNOTS + k] = (tml_variable){.parameter = {TML_PARAMETER_CONTROL, c, 0, 0},
                                              .knot = k,
                                              .knot_count = KNOTS,
                                              .lower = -20.0,
                                              .upper = 20.0,
                                              .scale = 2.0};
        }
    }
    const tml_problem_def def = {.steps = STEPS,
                                 .variable_count = KNOTS * CONTROLS,
                                 .term_count = TARGETS + CONTROLS,
                                 .variables = v,
                                 .terms = terms,
                                 .method = TML_METHOD_SHOOTING,
                                 .iterations = 150,
                                 .tolerance = 1e-7,
                                 .intervals = 5};
    tml_sim_settings s = tml_sim_settings_default();
    s.formulation = TML_FORM_GENERALIZED;
    s.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    s.step = 0.02;
    tml_model* m = ball_arm();
    tml_problem* p = NULL;
    tml_optimize_report r;
    tml_optimize_report other;
    double value = 0.0;
    CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
    const tml_status status = tml_problem_optimize(p, x, NULL, NULL, &r);
    if (!is_missing(status, tml_problem_message(p))) {
        CHECK(status == TML_OK);
        printf("balls: %d iterations, %d runs, objective %.6g -> %.6g, slope %.1e, defect %.1e\n",
               r.iterations, r.evaluations, r.first, r.value, r.gradient, r.defect);
        CHECK(tml_problem_evaluate(p, x, &value, gradient) == TML_OK);
        CHECK_NEAR(value, r.value, 0.0);
        CHECK(r.defect <= 1e-4);
        tml_problem_destroy(p);
        tml_problem_def same = def;
        same.method = TML_METHOD_LBFGS;
        same.iterations = 1000;
        memset(x, 0, sizeof x);
        CHECK(tml_problem_create(m, &s, &same, &p) == TML_OK);
        CHECK(tml_problem_optimize(p, x, NULL, NULL, &other) == TML_OK);
        printf("quasi-Newton: %.6g\n", other.value);
        // one minimum; in its flat valley the steps of the first method are short, and it is 1.3 % above it when
        // its iterations run out
        CHECK(r.value < 1.02 * other.value);
        CHECK(other.value < 1e-2 * other.first);
    }
    tml_problem_destroy(p);
    tml_model_destroy(m);
}

static int stop_after_three(void* self, const tml_optimize_report* report, const double* x)
{
    double* kept = self;
    kept[0] = report->value;
    kept[1] = x[0];
    return report->iterations >= 3;
}

TEST(a_search_that_is_stopped_keeps_its_best_run)
{
    static task t;
    tml_optimize_report r;
    double kept[2] = {0.0, 0.0};
    double value = 0.0;
    open_task(&t, TML_METHOD_SHOOTING, 1, 100, TML_FORM_GENERALIZED, 20);
    const tml_status status = tml_problem_optimize(t.problem, t.x, stop_after_three, kept, &r);
    if (!is_missing(status, tml_problem_message(t.problem))) {
        CHECK(status == TML_OK);
        CHECK(r.iterations == 3);
        CHECK(!r.has_converged);
        CHECK_NEAR(r.value, kept[0], 0.0);
        CHECK_NEAR(t.x[0], kept[1], 0.0);
        CHECK(r.value < r.first);
        CHECK(tml_problem_evaluate(t.problem, t.x, &value, NULL) == TML_OK);
        CHECK_NEAR(value, r.value, 0.0);
    }
    close_task(&t);
}

TEST(what_the_method_cannot_do_is_refused_by_name)
{
    static task t;
    tml_optimize_report r;
    open_task(&t, TML_METHOD_SHOOTING, 0, 50, TML_FORM_QUATERNION, 50);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_problem_message(t.problem), "'quaternion'");
    close_task(&t);
}
