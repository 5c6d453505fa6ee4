// test/opt/ddp.c - the linear-quadratic method: exact on a linear problem, and a cart that swings its pole up.
#include "test/opt/cart.h"

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
    open_task(&t, TML_METHOD_DDP, 0, STEPS, TML_FORM_GENERALIZED, STEPS);
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
    open_task(&t, TML_METHOD_DDP, 1, STEPS, TML_FORM_GENERALIZED, STEPS);
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
    open_task(&t, TML_METHOD_DDP, 0, 50, TML_FORM_GENERALIZED, 10);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_problem_message(t.problem), "another number of knots");
    close_task(&t);
    open_task(&t, TML_METHOD_DDP, 0, 50, TML_FORM_QUATERNION, 50);
    CHECK(tml_problem_optimize(t.problem, t.x, NULL, NULL, &r) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_problem_message(t.problem), "'quaternion'");
    close_task(&t);
}
