// test/opt/problem.c - objectives, their gradients and their minima.
#include "opt/minimise.h"
#include "test/check.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- minimisers on a function whose minimum is known

static bool rosenbrock(void* self, const double* x, double* value, double* gradient)
{
    (void)self;
    const double a = 1.0 - x[0];
    const double b = x[1] - x[0] * x[0];
    *value = a * a + 100.0 * b * b;
    if (gradient == NULL) return true;
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    return true;
}

TEST(quasi_newton_finds_the_end_of_rosenbrocks_valley)
{
    const double lower[2] = {-10.0, -10.0};
    const double upper[2] = {10.0, 10.0};
    const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = rosenbrock};
    const minimise_settings s = {.iterations = 200, .tolerance = 1e-9};
    double x[2] = {-1.2, 1.0};
    tml_optimize_report r;
    CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
    CHECK(r.has_converged);
    // a gradient of 1e-9 over the smallest curvature, 0.4
    CHECK_NEAR(x[0], 1.0, 1e-8);
    CHECK_NEAR(x[1], 1.0, 1e-8);
}

// A valley with a crease: its slope jumps along y = x^2, where its minimum is.
static bool creased(void* self, const double* x, double* value, double* gradient)
{
    (void)self;
    const double a = 1.0 - x[0];
    const double b = x[1] - x[0] * x[0];
    const double side = b > 0.0 ? 8.0 : -8.0;
    *value = a * a + side * b;
    if (gradient == NULL) return true;
    gradient[0] = -2.0 * a - 2.0 * side * x[0];
    gradient[1] = side;
    return true;
}

// No slope is small anywhere near that minimum, but those of both sides cancel each other there.
TEST(the_end_of_a_creased_valley_is_found_and_known)
{
    const double lower[2] = {-10.0, -10.0};
    const double upper[2] = {10.0, 10.0};
    const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = creased};
    const minimise_settings s = {.iterations = 2000, .tolerance = 1e-2};
    double x[2] = {-1.2, 2.0};
    tml_optimize_report r;
    CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
    CHECK(r.has_converged);
    CHECK(r.gradient <= 1e-2);
    // along the crease the slope is 2 (1 - x): 1e-2, and slopes of 1e-4 around count, which bend by 16
    CHECK_NEAR(x[0], 1.0, 1e-2);
    CHECK_NEAR(x[1], 1.0, 2e-2);
    double value = 0.0;
    double gradient[2];
    creased(NULL, x, &value, gradient);
    CHECK(fabs(gradient[1]) == 8.0);
}

// Where the objective itself jumps, its slopes tell nothing: no minimum may be claimed.
static bool stepped(void* self, const double* x, double* value, double* gradient)
{
    (void)self;
    *value = x[0] + (x[0] < 0.25 ? 1.0 : 0.0);
    if (gradient != NULL) gradient[0] = 1.0;
    return true;
}

TEST(at_the_edge_of_a_step_nothing_is_claimed)
{
    const double lower[1] = {-0.5};
    const double upper[1] = {10.0};
    const objective f = {.count = 1, .lower = lower, .upper = upper, .evaluate = stepped};
    const minimise_settings s = {.iterations = 300, .tolerance = 1e-6};
    double x[1] = {0.5};
    tml_optimize_report r;
    CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
    CHECK(!r.has_converged);
    CHECK(x[0] >= 0.25);
    CHECK(x[0] < 0.2501);
}

typedef struct watched {
    int calls, after;  // how often progress was asked; stop after so often
    int evaluations;
} watched;

static bool stepped_and_counted(void* self, const double* x, double* value, double* gradient)
{
    ((watched*)self)->evaluations++;
    return stepped(NULL, x, value, gradient);
}

static bool stop_after(void* self, const tml_optimize_report* report, const double* x)
{
    watched* w = self;
    (void)report;
    CHECK(x[0] >= 0.25);  // the best point, never a trial beyond the edge
    return ++w->calls >= w->after;
}

// Slopes gathered at a kink are costly runs: progress is asked for each, and ends it.
TEST(a_search_around_a_kink_can_be_ended)
{
    const double lower[1] = {-0.5};
    const double upper[1] = {10.0};
    watched w[2] = {{.after = 1000000}, {.after = 0}};
    const minimise_settings s = {.iterations = 300, .tolerance = 1e-6};
    tml_optimize_report r;
    for (int k = 0; k < 2; k++) {
        objective f = {.self = &w[k],
                       .count = 1,
                       .lower = lower,
                       .upper = upper,
                       .evaluate = stepped_and_counted,
                       .progress = stop_after};
        double x[1] = {0.5};
        if (k == 1) w[1].after = w[0].calls - 10;
        CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
        CHECK(!r.has_converged);
        CHECK(x[0] >= 0.25);
        CHECK(r.evaluations == w[k].evaluations);
    }
    // 64 slopes are gathered, four runs after each answer; the last answer and ten more do not come
    CHECK(w[0].calls > r.iterations + 60);
    CHECK(w[1].calls == w[0].calls - 10);
    CHECK(w[1].evaluations == w[0].evaluations - 44);
}

typedef struct failing {
    int left;  // allocations that still succeed
    int live;
} failing;

static void* take_or_fail(void* context, size_t bytes)
{
    failing* f = context;
    if (f->left-- <= 0) return NULL;
    f->live++;
    return malloc(bytes);
}

static void give_back(void* context, void* memory)
{
    if (memory != NULL) ((failing*)context)->live--;
    free(memory);
}

// The memory of a kink is taken when one is met.
TEST(no_memory_for_a_kink_is_told)
{
    const double lower[1] = {-0.5};
    const double upper[1] = {10.0};
    const objective f = {.count = 1, .lower = lower, .upper = upper, .evaluate = stepped};
    const minimise_settings s = {.iterations = 300, .tolerance = 1e-6};
    for (int k = 0; k < 4; k++) {
        failing memory = {.left = k};
        const tml_allocator allocator = {
            .allocate = take_or_fail, .release = give_back, .context = &memory};
        double x[1] = {0.5};
        tml_optimize_report r;
        const tml_status status = tml__minimise_lbfgs(&f, &s, &allocator, x, &r);
        CHECK(status == (k < 3 ? TML_NO_MEMORY : TML_OK));  // its own, and two blocks of the kink
        CHECK((x[0] == 0.5) == (k < 3));
        CHECK(memory.live == 0);
    }
}

// Longer steps that end at the same corner of the bounds are one run.
static bool falling(void* self, const double* x, double* value, double* gradient)
{
    (void)self;
    *value = 3.0 * x[0] - x[1];
    if (gradient == NULL) return true;
    gradient[0] = 3.0;
    gradient[1] = -1.0;
    return true;
}

TEST(a_corner_of_the_bounds_is_run_once)
{
    const double lower[2] = {-0.1, -0.1};
    const double upper[2] = {0.1, 0.1};
    const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = falling};
    const minimise_settings s = {.iterations = 10, .tolerance = 1e-9};
    double x[2] = {0.0, 0.0};
    tml_optimize_report r;
    CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
    CHECK(r.has_converged);
    CHECK_NEAR(x[0], -0.1, 0.0);
    CHECK_NEAR(x[1], 0.1, 0.0);
    CHECK(r.iterations == 1);
    CHECK(r.evaluations == 2);  // the start and the corner
}

// With x at most 0.5 the minimum is at (0.5, 0.25), held by the bound.
TEST(bounds_hold_what_the_gradient_pushes_out)
{
    const double lower[2] = {-10.0, -10.0};
    const double upper[2] = {0.5, 10.0};
    const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = rosenbrock};
    const minimise_settings s = {.iterations = 300, .tolerance = 1e-9};
    double x[2] = {-1.2, 1.0};
    tml_optimize_report r;
    CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
    CHECK(r.has_converged);
    CHECK_NEAR(x[0], 0.5, 0.0);
    CHECK_NEAR(x[1], 0.25, 1e-10);
}

TEST(random_search_gets_there_too_and_twice_the_same_way)
{
    const double lower[2] = {-10.0, -10.0};
    const double upper[2] = {10.0, 10.0};
    const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = rosenbrock};
    const minimise_settings s = {.iterations = 20000, .seed = 7};
    double x[2][2] = {{-1.2, 1.0}, {-1.2, 1.0}};
    tml_optimize_report r;
    for (int k = 0; k < 2; k++) CHECK(tml__minimise_random(&f, &s, NULL, x[k], &r) == TML_OK);
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
    CHECK(r.value < 1e-6);
}

// The objective lies: it is flat left of 1, while the slopes point to the right all the same, as slopes that look
// beyond a contact do. Who asks whether a step helps stays where he is.
static bool plateau(void* self, const double* x, double* value, double* gradient)
{
    (void)self;
    const double off = x[0] > 1.0 ? x[0] - 3.0 : -2.0;
    *value = off * off;
    if (gradient != NULL) gradient[0] = 2.0 * (x[0] - 3.0);
    return true;
}

TEST(gradient_steps_cross_a_plateau)
{
    const double lower[1] = {-10.0};
    const double upper[1] = {10.0};
    const objective f = {.count = 1, .lower = lower, .upper = upper, .evaluate = plateau};
    const minimise_settings s = {.iterations = 300, .tolerance = 1e-12};
    double x[1] = {-1.0};
    tml_optimize_report r;
    CHECK(tml__minimise_lbfgs(&f, &s, NULL, x, &r) == TML_OK);
    CHECK_NEAR(r.value, 4.0, 0.0);
    x[0] = -1.0;
    CHECK(tml__minimise_adam(&f, &s, NULL, x, &r) == TML_OK);
    // 4 to go in steps of at most 0.1, which shrink to nothing over 300
    CHECK_NEAR(x[0], 3.0, 1e-3);
    CHECK_NEAR(r.value, (x[0] - 3.0) * (x[0] - 3.0), 0.0);
}

// Each method of NLopt, free and held by a bound; the slopes end the search, not NLopt's own tests.
TEST(the_methods_of_nlopt_find_both_minima)
{
    static const tml_method methods[3] = {TML_METHOD_NLOPT_LBFGS, TML_METHOD_NLOPT_SLSQP,
                                          TML_METHOD_NLOPT_MMA};
    const double lower[2] = {-10.0, -10.0};
    for (int k = 0; k < 6; k++) {
        const double edge = k % 2 == 0 ? 10.0 : 0.5;
        const double upper[2] = {edge, 10.0};
        const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = rosenbrock};
        // moving asymptotes are slow in a bent valley, and come to a halt at a slope of 2e-8
        const minimise_settings s = {.iterations = 20000, .tolerance = 1e-7};
        double x[2] = {-1.2, 1.0};
        tml_optimize_report r;
        const tml_status status = tml__minimise_nlopt(&f, &s, methods[k / 2], NULL, x, &r);
        if (status == TML_UNSUPPORTED) {
            printf("skipped: built without NLopt\n");
            return;
        }
        CHECK(status == TML_OK);
        printf("%s: %d evaluations, slope %.1e\n", tml_method_name(methods[k / 2]), r.evaluations,
               r.gradient);
        CHECK(r.has_converged);
        CHECK(r.evaluations >= r.iterations);
        // a slope of 1e-7 over the smallest curvature, 0.4, in both directions; a held variable is exact
        CHECK_NEAR(x[0], k % 2 == 0 ? 1.0 : 0.5, k % 2 == 0 ? 5e-7 : 0.0);
        CHECK_NEAR(x[1], k % 2 == 0 ? 1.0 : 0.25, k % 2 == 0 ? 1e-6 : 1e-9);
    }
}

// Left of -1 there is no value: the search keeps the best point on the right.
static bool half_known(void* self, const double* x, double* value, double* gradient)
{
    (void)self;
    if (x[0] < -1.0) return false;
    *value = x[0] + x[1] * x[1];
    if (gradient != NULL) {
        gradient[0] = 1.0;
        gradient[1] = 2.0 * x[1];
    }
    return true;
}

TEST(where_runs_fail_the_best_point_so_far_is_kept)
{
    const double lower[2] = {-10.0, -10.0};
    const double upper[2] = {10.0, 10.0};
    const objective f = {.count = 2, .lower = lower, .upper = upper, .evaluate = half_known};
    const minimise_settings s = {.iterations = 50, .tolerance = 1e-8};
    for (int k = TML_METHOD_NLOPT_LBFGS; k <= TML_METHOD_NLOPT_MMA; k++) {
        double x[2] = {2.0, 1.0};
        double nowhere[2] = {-2.0, 1.0};
        tml_optimize_report r;
        const tml_status status = tml__minimise_nlopt(&f, &s, (tml_method)k, NULL, x, &r);
        if (status == TML_UNSUPPORTED) {
            printf("skipped: built without NLopt\n");
            return;
        }
        CHECK(status == TML_OK);
        CHECK(!r.has_converged);
        CHECK(r.value < 3.0);
        CHECK_NEAR(x[0] + x[1] * x[1], r.value, 0.0);
        CHECK(tml__minimise_nlopt(&f, &s, (tml_method)k, NULL, nowhere, &r) == TML_NOT_CONVERGED);
    }
}

// ---- runs

// A pendulum of two rods with a motor in the elbow.
static tml_model* arm(void)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_body last = TML_WORLD;
    for (int i = 0; i < 2; i++) {
        tml_body_def body = tml_body_def_default();
        body.name = i == 0 ? "upper" : "lower";
        body.mass = 1.0 + 0.5 * i;
        body.pose.p = (tml_vec3){0.5 + i, 0.0, 0.0};
        const tml_body b = tml_spec_add_body(spec, &body);
        tml_joint_def joint = tml_joint_def_default();
        joint.name = i == 0 ? "shoulder" : "elbow";
        joint.kind = TML_JOINT_REVOLUTE;
        joint.base = last;
        joint.follower = b;
        joint.position = (tml_vec3){i, 0.0, 0.0};
        joint.axis = (tml_vec3){0.0, 1.0, 0.0};
        if (i == 1) joint.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
        tml_spec_add_joint(spec, &joint);
        last = b;
    }
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

static tml_variable variable(tml_parameter_kind kind, int index, int component, double start)
{
    return (tml_variable){.parameter = {kind, index, component, 0},
                          .start = start,
                          .lower = -(double)INFINITY,
                          .upper = (double)INFINITY,
                          .scale = 1.0};
}

// Differences of the objective at two step sizes, extrapolated, against the gradient.
TEST(gradients_of_an_objective_are_its_slopes)
{
    tml_model* m = arm();
    const int steps = 20;
    tml_variable v[6] = {
        variable(TML_PARAMETER_MASS, 1, 0, 1.5),
        variable(TML_PARAMETER_JOINT_POSITION, 1, 0, 0.0),
        variable(TML_PARAMETER_VELOCITY, 0, 4, 0.3),
        variable(TML_PARAMETER_CONTROL, 0, 0, 1.0),
        variable(TML_PARAMETER_CONTROL, 0, 0, 0.5),
        variable(TML_PARAMETER_CONTROL, 0, 0, -0.5),
    };
    for (int k = 0; k < 3; k++) {
        v[3 + k].knot = k;
        v[3 + k].knot_count = 3;
    }
    const tml_term t[4] = {
        {.quantity = {TML_QUANTITY_POSITION, 1, 0, 0},
         .has_target = 1,
         .target = 1.0,
         .weight = 2.0,
         .first = steps,
         .last = steps},
        {.quantity = {TML_QUANTITY_RATE, 0, TML_AXIS_RX, 0},
         .has_target = 1,
         .target = 0.2,
         .weight = 0.5,
         .first = 1,
         .last = steps},
        {.quantity = {.index = 0}, .is_effort = 1, .weight = 0.1, .first = 1, .last = steps},
        {.quantity = {TML_QUANTITY_KINETIC, 0, 0, 0}, .weight = 0.3, .first = 7, .last = 7},
    };
    const tml_problem_def def = {
        .steps = steps, .variable_count = 6, .variables = v, .term_count = 4, .terms = t};
    tml_sim_settings s = tml_sim_settings_default();
    s.tolerance = 1e-12;
    tml_problem* p = NULL;
    double x[6], g[6], value = 0.0;
    CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
    for (int i = 0; i < 6; i++) x[i] = v[i].start;
    CHECK(tml_problem_evaluate(p, x, &value, g) == TML_OK);
    CHECK(value > 0.0);
    for (int i = 0; i < 6; i++) {
        double slope[2] = {0.0, 0.0};
        for (int half = 0; half < 2; half++) {
            const double e = half ? 5e-4 : 1e-3;
            double up = 0.0, down = 0.0;
            double y[6];
            memcpy(y, x, sizeof y);
            y[i] = x[i] + e;
            CHECK(tml_problem_evaluate(p, y, &up, NULL) == TML_OK);
            y[i] = x[i] - e;
            CHECK(tml_problem_evaluate(p, y, &down, NULL) == TML_OK);
            slope[half] = (up - down) / (2.0 * e);
        }
        // e^4 and rounding over e
        CHECK_NEAR(g[i], (4.0 * slope[1] - slope[0]) / 3.0, 1e-8 * (1.0 + fabs(g[i])));
    }
    tml_problem_destroy(p);
    tml_model_destroy(m);
}

// The objective is a function of x alone: what was run before leaves no trace, not in the last bit.
TEST(an_objective_does_not_remember_what_was_asked_before)
{
    enum {
        VARIABLES = 7
    };
    tml_model* m = arm();
    const tml_variable v[VARIABLES] = {
        variable(TML_PARAMETER_MASS, 1, 0, 1.5),
        variable(TML_PARAMETER_JOINT_POSITION, 1, 2, 0.0),
        variable(TML_PARAMETER_JOINT_TURN, 1, 0, 0.0),
        variable(TML_PARAMETER_JOINT_TURN, 1, 1, 0.0),
        variable(TML_PARAMETER_POSE, 0, 4, 0.0),
        variable(TML_PARAMETER_VELOCITY, 0, 4, 0.3),
        variable(TML_PARAMETER_COM, 1, 0, 0.0),
    };
    const tml_term t = {.quantity = {TML_QUANTITY_KINETIC, 0, 0, 0}, .weight = 1.0, .last = 15};
    const tml_problem_def def = {
        .steps = 15, .variable_count = VARIABLES, .variables = v, .term_count = 1, .terms = &t};
    const double here[VARIABLES] = {1.7, 0.02, 0.03, 0.2, 0.4, 0.5, 0.04};
    const double there[VARIABLES] = {1.2, -0.05, -0.2, 0.1, -0.7, 1.5, -0.02};
    const tml_formulation forms[4] = {TML_FORM_QUATERNION, TML_FORM_VARIATIONAL, TML_FORM_AFFINE,
                                      TML_FORM_GENERALIZED};
    const tml_integrator integrators[4] = {TML_TIME_BDF2, TML_TIME_VARIATIONAL, TML_TIME_ENERGY,
                                           TML_TIME_SEMI_IMPLICIT_EULER};
    for (int k = 0; k < 4; k++) {
        tml_sim_settings s = tml_sim_settings_default();
        s.formulation = forms[k];
        s.integrator = integrators[k];
        s.tolerance = 1e-13;  // or what Newton leaves shows in differences
        tml_problem* p = NULL;
        double first = 0.0, between = 0.0, again = 0.0;
        double g[VARIABLES], g_again[VARIABLES];
        CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
        CHECK(tml_problem_evaluate(p, here, &first, g) == TML_OK);
        CHECK(tml_problem_evaluate(p, there, &between, g_again) == TML_OK);
        CHECK(between != first);
        CHECK(tml_problem_evaluate(p, here, &again, g_again) == TML_OK);
        CHECK(memcmp(&first, &again, sizeof first) == 0);
        CHECK(memcmp(g, g_again, sizeof g) == 0);
        // the poses are closed from the given ones, and so are the slopes
        for (int i = 0; i < VARIABLES; i++) {
            double y[VARIABLES];
            double ends[2];
            const double e = 1e-5;
            const double apart = 1e-6;  // of differences of 1e-5
            for (int side = 0; side < 2; side++) {
                memcpy(y, here, sizeof y);
                y[i] += side == 0 ? e : -e;
                CHECK(tml_problem_evaluate(p, y, &ends[side], NULL) == TML_OK);
            }
            CHECK_NEAR(g[i], (ends[0] - ends[1]) / (2.0 * e), apart * fabs(g[i]));
        }
        tml_problem_destroy(p);
    }
    tml_model_destroy(m);
}

// Every kind of quantity as a target and by itself, at one time and over the run: the gradient of each term by a
// mass, a link length, an initial rate and a torque against differences, extrapolated.
TEST(every_kind_of_term_has_its_slopes)
{
    enum {
        STEPS = 12,
        VARIABLES = 4
    };
    tml_model* m = arm();
    tml_variable v[VARIABLES] = {
        variable(TML_PARAMETER_MASS, 1, 0, 1.5),
        variable(TML_PARAMETER_JOINT_POSITION, 1, 0, 0.0),
        variable(TML_PARAMETER_VELOCITY, 0, 4, 0.3),
        variable(TML_PARAMETER_CONTROL, 0, 0, 1.0),
    };
    v[3].knot_count = 1;
    tml_sim_settings s = tml_sim_settings_default();
    s.tolerance = 1e-12;
    double worst = 0.0;
    for (int n = 0; n < 4 * TML_QUANTITY_KINDS; n++) {
        const tml_quantity_kind kind = (tml_quantity_kind)(n / 4);
        if (kind == TML_QUANTITY_CONTACT_FORCE) continue;  // nothing touches: test/diff/contact.c
        const int is_joint = kind >= TML_QUANTITY_COORDINATE && kind <= TML_QUANTITY_MOMENT;
        const int is_angle = kind == TML_QUANTITY_COORDINATE || kind == TML_QUANTITY_RATE;
        const int is_one = kind >= TML_QUANTITY_KINETIC;
        // the plane of the arm is xz: it turns about y, and moments of hinges are across their axes
        const int component = is_one                                      ? 0
                              : is_angle                                  ? (int)TML_AXIS_RX
                              : kind == TML_QUANTITY_QUATERNION           ? 2
                              : kind == TML_QUANTITY_ANGULAR_VELOCITY     ? 1
                              : kind == TML_QUANTITY_MOMENT               ? 0
                              : is_joint || kind <= TML_QUANTITY_VELOCITY ? 2
                                                                          : 0;
        const tml_term t = {.quantity = {kind, is_one ? 0 : 1, component, 0},
                            .has_target = n % 2,
                            .target = 0.4,
                            .weight = 0.7,
                            .first = n % 4 < 2 ? 5 : 1,
                            .last = n % 4 < 2 ? 5 : STEPS};
        const tml_problem_def def = {.steps = STEPS,
                                     .variable_count = VARIABLES,
                                     .variables = v,
                                     .term_count = 1,
                                     .terms = &t};
        tml_problem* p = NULL;
        double x[VARIABLES], g[VARIABLES], value = 0.0;
        double size = 1e-3;
        CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
        for (int i = 0; i < VARIABLES; i++) x[i] = v[i].start;
        CHECK(tml_problem_evaluate(p, x, &value, g) == TML_OK);
        for (int i = 0; i < VARIABLES; i++) size = fmax(size, fabs(g[i]));
        for (int i = 0; i < VARIABLES; i++) {
            double slope[2] = {0.0, 0.0};
            for (int half = 0; half < 2; half++) {
                const double e = half ? 5e-4 : 1e-3;
                double ends[2];
                for (int side = 0; side < 2; side++) {
                    double y[VARIABLES];
                    memcpy(y, x, sizeof y);
                    y[i] += side == 0 ? e : -e;
                    CHECK(tml_problem_evaluate(p, y, &ends[side], NULL) == TML_OK);
                }
                slope[half] = (ends[0] - ends[1]) / (2.0 * e);
            }
            const double off = fabs(g[i] - (4.0 * slope[1] - slope[0]) / 3.0) / size;
            worst = fmax(worst, off);
            // e^4, and rounding over e: loads of 1e-12 over h^2 and 1e-3
            CHECK(off <= 1e-6);
        }
        tml_problem_destroy(p);
    }
    printf("every kind of term: largest relative error %.1e\n", worst);
    tml_model_destroy(m);
}

// Two bodies on a ball joint fly freely.
static tml_model* pair(void)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    tml_joint_def joint = tml_joint_def_default();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < 2; i++) {
        tml_body_def body = tml_body_def_default();
        body.mass = 1.0 + i;
        body.pose.p = (tml_vec3){0.8 * i, 0.1 * i, -0.2 * i};
        body.com = (tml_vec3){0.0, 0.05, 0.02};
        const tml_body b = tml_spec_add_body(spec, &body);
        if (i == 0) joint.base = b;
        if (i == 1) joint.follower = b;
    }
    joint.kind = TML_JOINT_SPHERICAL;
    joint.position = (tml_vec3){0.4, 0.0, 0.0};
    tml_spec_add_joint(spec, &joint);
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

// Thrown as one: the gradient by the throw, which moves every body, is the slope of the objective.
TEST(bodies_are_thrown_as_one)
{
    enum {
        STEPS = 20
    };
    tml_model* m = pair();
    tml_variable v[6];
    tml_term t[6];
    double x[6] = {0.3, -0.2, 0.5, 0.4, 1.0, -0.6};
    double g[6], value = 0.0;
    for (int k = 0; k < 6; k++) {
        v[k] = variable(TML_PARAMETER_VELOCITY, TML_EVERY_BODY, k, 0.0);
        t[k] = (tml_term){.quantity = {TML_QUANTITY_POSITION, k / 3, k % 3, 0},
                          .has_target = 1,
                          .target = 0.3 * k,
                          .weight = 1.0 + k,
                          .first = STEPS,
                          .last = STEPS};
    }
    const tml_problem_def def = {
        .steps = STEPS, .variable_count = 6, .variables = v, .term_count = 6, .terms = t};
    tml_sim_settings s = tml_sim_settings_default();
    s.tolerance = 1e-12;
    tml_problem* p = NULL;
    CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
    CHECK(tml_problem_evaluate(p, x, &value, g) == TML_OK);
    for (int i = 0; i < 6; i++) {
        double slope[2] = {0.0, 0.0};
        for (int half = 0; half < 2; half++) {
            const double e = half ? 5e-4 : 1e-3;
            double up = 0.0, down = 0.0;
            double y[6];
            memcpy(y, x, sizeof y);
            y[i] = x[i] + e;
            CHECK(tml_problem_evaluate(p, y, &up, NULL) == TML_OK);
            y[i] = x[i] - e;
            CHECK(tml_problem_evaluate(p, y, &down, NULL) == TML_OK);
            slope[half] = (up - down) / (2.0 * e);
        }
        // e^4 and rounding over e
        CHECK_NEAR(g[i], (4.0 * slope[1] - slope[0]) / 3.0, 1e-8 * (1.0 + fabs(g[i])));
    }
    tml_problem_destroy(p);
    tml_model_destroy(m);
}

// A slope that overflows is no slope: every method says so and leaves x, and none calls it a minimum.
TEST(slopes_that_are_not_finite_are_no_minimum)
{
    const tml_method methods[] = {TML_METHOD_LBFGS, TML_METHOD_ADAM, TML_METHOD_NLOPT_LBFGS};
    static const double sign[4] = {1.0, -1.0, 1.0, -1.0};
    static const int at[4] = {1, 3, 2, 4};
    tml_model* m = arm();
    tml_variable v = variable(TML_PARAMETER_CONTROL, 0, 0, 1.2);
    tml_term t[4] = {0};
    v.knot_count = 1;
    tml_problem_def def = {.steps = 4,
                           .variable_count = 1,
                           .variables = &v,
                           .term_count = 4,
                           .terms = t,
                           .iterations = 20,
                           .tolerance = 1e-3};
    const tml_sim_settings s = tml_sim_settings_default();
    for (int k = 0; k < 6; k++) {
        tml_problem* p = NULL;
        tml_optimize_report r = {0};
        double x = 1.2;
        // infinite by its scale; or not a number: 1.7e308 times 1.2 is infinite, and minus that in other steps. The
        // objective, half that times 1.2 and less again term by term, stays finite.
        for (int i = 0; i < 4; i++) {
            t[i] = (tml_term){.is_effort = 1,
                              .weight = k < 3 ? 1e300 : 1.7e308 * sign[i],
                              .first = at[i],
                              .last = at[i]};
        }
        v.scale = k < 3 ? 1e10 : 1.0;
        def.method = methods[k % 3];
        CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
        const tml_status status = tml_problem_optimize(p, &x, NULL, NULL, &r);
        if (status != TML_UNSUPPORTED) {
            CHECK(status == TML_NOT_CONVERGED);
            CHECK_CONTAINS(tml_problem_message(p), "slope of the objective by variable 0");
            CHECK_CONTAINS(tml_problem_message(p), k < 3 ? "inf" : "nan");
        }
        CHECK(!r.has_converged);
        CHECK(x == 1.2);
        tml_problem_destroy(p);
    }
    tml_model_destroy(m);
}

typedef struct centres {
    int count;
    double x[64];
    double mass[2];
} centres;

static tml_status note_centre(void* self, const tml_sim* sim)
{
    centres* c = self;
    double sum = 0.0;
    for (int i = 0; i < 2; i++) sum += c->mass[i] * tml_sim_pose(sim, (tml_body){i}).p.x;
    c->x[c->count++] = sum / (c->mass[0] + c->mass[1]);
    return c->count < 12 ? TML_OK : TML_BAD_ARGUMENT;
}

// A replay sees the first state and every one after it; whoever watches can end it.
TEST(a_replay_shows_the_run_step_by_step)
{
    tml_model* m = pair();
    const tml_variable v = variable(TML_PARAMETER_VELOCITY, TML_EVERY_BODY, 0, 0.0);
    const tml_term t = {.quantity = {TML_QUANTITY_KINETIC, 0, 0, 0}, .weight = 1.0};
    const tml_problem_def def = {
        .steps = 20, .variable_count = 1, .variables = &v, .term_count = 1, .terms = &t};
    tml_sim_settings s = tml_sim_settings_default();
    tml_problem* p = NULL;
    centres c = {.mass = {1.0, 2.0}};
    const double speed = 0.7;
    CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
    CHECK(tml_problem_replay(p, &speed, note_centre, &c) == TML_BAD_ARGUMENT);
    CHECK(c.count == 12);
    // nothing turns, so the frames go as far as the centre does
    for (int k = 0; k < c.count; k++) CHECK_NEAR(c.x[k] - c.x[0], 0.7 * s.step * k, 1e-12);
    tml_problem_destroy(p);
    tml_model_destroy(m);
}

// A run with other masses and an elbow elsewhere is recorded; the search finds them back.
TEST(masses_and_lengths_are_found_back_from_a_motion)
{
    enum {
        STEPS = 30
    };
    tml_model* m = arm();
    tml_sim_settings s = tml_sim_settings_default();
    s.tolerance = 1e-12;
    const tml_parameter truth[2] = {{TML_PARAMETER_MASS, 1, 0, 0},
                                    {TML_PARAMETER_JOINT_POSITION, 1, 0, 0}};
    const double change[2] = {0.4, 0.07};
    tml_derivatives* d = NULL;
    tml_quantity q[2 * STEPS];
    double target[2 * STEPS];
    tml_term t[2 * STEPS];
    CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_OK);
    CHECK(tml_derivatives_change(d, 2, truth, change) == TML_OK);
    for (int k = 1; k <= STEPS; k++) {
        const double torque = 2.0 * sin(0.4 * k);
        CHECK(tml_derivatives_step(d, &torque) == TML_OK);
        for (int c = 0; c < 2; c++) {
            q[2 * k - 2 + c] = (tml_quantity){TML_QUANTITY_POSITION, c, 2, k};
        }
    }
    CHECK(tml_derivatives_values(d, 2 * STEPS, q, target) == TML_OK);
    for (int i = 0; i < 2 * STEPS; i++) {
        t[i] = (tml_term){.quantity = q[i],
                          .has_target = 1,
                          .target = target[i],
                          .weight = 1.0,
                          .first = q[i].step,
                          .last = q[i].step};
    }
    // the motor's torque is known: a broken line through every step, held by its bounds
    tml_variable v[2 + STEPS];
    v[0] = variable(TML_PARAMETER_MASS, 1, 0, 1.5);
    v[0].lower = 0.1;
    v[1] = variable(TML_PARAMETER_JOINT_POSITION, 1, 0, 0.0);
    v[1].scale = 0.1;
    for (int k = 0; k < STEPS; k++) {
        v[2 + k] = variable(TML_PARAMETER_CONTROL, 0, 0, 2.0 * sin(0.4 * (k + 1)));
        v[2 + k].lower = v[2 + k].upper = v[2 + k].start;
        v[2 + k].knot = k;
        v[2 + k].knot_count = STEPS;
    }
    const tml_problem_def def = {.steps = STEPS,
                                 .variable_count = 2 + STEPS,
                                 .variables = v,
                                 .term_count = 2 * STEPS,
                                 .terms = t,
                                 .iterations = 100,
                                 .tolerance = 1e-10};
    tml_problem* p = NULL;
    tml_optimize_report r;
    double x[2 + STEPS];
    CHECK(tml_problem_create(m, &s, &def, &p) == TML_OK);
    for (int i = 0; i < 2 + STEPS; i++) x[i] = v[i].start;
    CHECK(tml_problem_optimize(p, x, NULL, NULL, &r) == TML_OK);
    // the objective is quadratic in what is off: 1e-10 of gradient over its curvature of 1e-2
    CHECK_NEAR(x[0], 1.9, 1e-6);
    CHECK_NEAR(x[1], 0.07, 1e-7);
    printf("found back in %d iterations, %d runs: objective %.2e\n", r.iterations, r.evaluations,
           r.value);
    tml_problem_destroy(p);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}
