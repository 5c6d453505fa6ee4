// One step as a function of a state and controls: it is the step of a simulation, and its derivatives are
// those of differences, through balls, loops, motors and contact.
#include "test/io/scene_text.h"

#include <trammel/trammel.h>

#include <stdbool.h>

// A ball, a universal joint with a slide, a servo, a force motor, a body that flies.
static const char* const tree =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'a', 'mass': 1, 'inertia': [0.1, 0.2, 0.25], 'position': [1, 0, 0],"
    "  'com': [0.1, 0, 0.2]},"
    " {'name': 'b', 'mass': 2, 'inertia': [0.1, 0.2, 0.25], 'position': [1, 1, 0]},"
    " {'name': 'c', 'mass': 1, 'inertia': [0.3, 0.2, 0.3], 'position': [0, 0, 3]}],"
    "'joints': ["
    " {'name': 'ball', 'type': 'spherical', 'base': 'world', 'follower': 'a',"
    "  'position': [0.5, 0, 0], 'actuation': 'force'},"
    " {'name': 'cross', 'free': {'translation': 'y', 'rotation': 'zx'}, 'base': 'a',"
    "  'follower': 'b', 'position': [1, 0.5, 0], 'actuation': {'rz': 'force'},"
    "  'stiffness': {'ty': 30}, 'damping': {'ty': 2},"
    "  'servo': {'rx': {'target': 0.3, 'stiffness': 5, 'damping': 1}}}]}";

// A driven crank that leads a loop, with a coupling.
static const char* const loop =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'crank', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [0, 0, 0.25]},"
    " {'name': 'rod', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [1, 0, 0.75]},"
    " {'name': 'rocker', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [2, 0, 0.5]},"
    " {'name': 'flag', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [2, 0.5, 1]}],"
    "'joints': ["
    " {'name': 'motor', 'type': 'revolute', 'base': 'world', 'follower': 'crank',"
    "  'position': [0, 0, 0], 'axis': [0, 1, 0], 'actuation': 'position', 'control': 0},"
    " {'name': 'left', 'type': 'revolute', 'base': 'crank', 'follower': 'rod',"
    "  'position': [0, 0, 0.5], 'axis': [0, 1, 0]},"
    " {'name': 'right', 'type': 'revolute', 'base': 'rod', 'follower': 'rocker',"
    "  'position': [2, 0, 1], 'axis': [0, 1, 0]},"
    " {'name': 'foot', 'type': 'revolute', 'base': 'world', 'follower': 'rocker',"
    "  'position': [2, 0, 0], 'axis': [0, 1, 0]},"
    " {'name': 'pole', 'type': 'revolute', 'base': 'rocker', 'follower': 'flag',"
    "  'position': [2, 0.2, 1], 'axis': [0, 0, 1], 'actuation': 'force'}]}";

// A box that slides, with a hinge on it that a motor turns.
static const char* const sliding =
    "{'trammel': 1, 'bodies': [{'name': 'world', 'shapes': [{'type': 'plane', 'friction': 0.3}]},"
    " {'name': 'box', 'mass': 2, 'position': [0, 0, 0.1], 'velocity': [2, 0.3, 0],"
    "  'shapes': [{'type': 'box', 'size': [0.2, 0.3, 0.2], 'friction': 0.3}]},"
    " {'name': 'arm', 'mass': 0.5, 'inertia': [0.01, 0.02, 0.02], 'position': [0.2, 0, 0.3]}],"
    "'joints': [{'name': 'hinge', 'type': 'revolute', 'base': 'box', 'follower': 'arm',"
    "  'position': [0, 0, 0.2], 'axis': [0, 1, 0], 'actuation': 'force'}],"
    "'simulation': {'contact': true}}";

enum {
    MOST = 40
};

typedef struct run {
    tml_scene* scene;
    tml_model* model;
    tml_sim_settings settings;
    tml_step* step;
    tml_dynamics* d;  // moves states
    int nq, nv, nu;
    double q[MOST], v[MOST], u[MOST];
} run;

static run start(const char* text, tml_integrator integrator, double h)
{
    run r = {.scene = scene_from(text)};
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    r.settings = tml_scene_settings(r.scene)->sim;
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = integrator;
    r.settings.step = h;
    const tml_status status = tml_step_create(r.model, &r.settings, &r.step);
    if (status != TML_OK) printf("%s\n", tml_step_message(r.step));
    CHECK(status == TML_OK);
    CHECK(tml_dynamics_create(r.model, NULL, &r.d) == TML_OK);
    r.nq = tml_step_position_count(r.step);
    r.nv = tml_step_rate_count(r.step);
    r.nu = tml_step_control_count(r.step);
    CHECK(r.nq == tml_dynamics_position_count(r.d) && r.nv == tml_dynamics_rate_count(r.d));
    tml_step_initial(r.step, r.q, r.v);
    return r;
}

static void finish(run* r)
{
    tml_step_destroy(r->step);
    tml_dynamics_destroy(r->d);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

static void take(run* r, const double* q, const double* v, const double* u, double* q1, double* v1)
{
    const tml_status status = tml_step_take(r->step, 0.0, q, v, u, q1, v1);
    if (status != TML_OK) printf("%s\n", tml_step_message(r->step));
    CHECK(status == TML_OK);
}

TEST(a_step_is_that_of_a_simulation)
{
    static const tml_integrator integrators[] = {TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_RK4,
                                                 TML_TIME_FORWARD_EULER};
    for (int i = 0; i < 3; i++) {
        run r = start(tree, integrators[i], 0.002);
        tml_sim* sim = NULL;
        CHECK(tml_sim_create(r.model, &r.settings, &sim) == TML_OK);
        for (int k = 0; k < 50; k++) {
            double q[MOST], v[MOST];
            for (int c = 0; c < r.nu; c++) r.u[c] = sin(0.1 * k + c);
            CHECK(tml_sim_step(sim, r.u) == TML_OK);
            CHECK(tml_step_take(r.step, 0.002 * k, r.q, r.v, r.u, r.q, r.v) == TML_OK);
            CHECK(tml_dynamics_follow(r.d, sim) == TML_OK);
            tml_dynamics_state(r.d, q, v, NULL, NULL);
            for (int n = 0; n < r.nq; n++) CHECK_NEAR(r.q[n], q[n], 1e-12);
            for (int n = 0; n < r.nv; n++) CHECK_NEAR(r.v[n], v[n], 1e-11);
        }
        tml_sim_destroy(sim);
        finish(&r);
    }
}

TEST(the_same_arguments_give_the_same_bits)
{
    run r = start(sliding, TML_TIME_SEMI_IMPLICIT_EULER, 0.002);
    double q[2][MOST], v[2][MOST], other[MOST];
    r.u[0] = 0.4;
    take(&r, r.q, r.v, r.u, q[0], v[0]);
    for (int k = 0; k < 10; k++) take(&r, q[0], v[0], NULL, other, other + r.nq);
    take(&r, r.q, r.v, r.u, q[1], v[1]);
    CHECK(memcmp(q[0], q[1], (size_t)r.nq * sizeof(double)) == 0);
    CHECK(memcmp(v[0], v[1], (size_t)r.nv * sizeof(double)) == 0);
    finish(&r);
}

// The new state at a state moved by h along column c of (q, v, u), less that at -h, over 2 h.
static void difference(run* r, int c, double h, double* out)
{
    double end[2][2 * MOST];
    for (int side = 0; side < 2; side++) {
        double q[MOST], v[MOST], u[MOST];
        double motion[MOST] = {0.0};
        const double by = side == 0 ? -h : h;
        memcpy(v, r->v, sizeof v);
        memcpy(u, r->u, sizeof u);
        if (c < r->nv) motion[c] = by;
        tml_dynamics_move(r->d, r->q, motion, q);
        if (c >= r->nv && c < 2 * r->nv) v[c - r->nv] += by;
        if (c >= 2 * r->nv) u[c - 2 * r->nv] += by;
        take(r, q, v, u, end[side], end[side] + MOST);
    }
    tml_dynamics_difference(r->d, end[0], end[1], out);
    for (int i = 0; i < r->nv; i++) {
        out[i] /= 2.0 * h;
        out[r->nv + i] = (end[1][MOST + i] - end[0][MOST + i]) / (2.0 * h);
    }
}

// `closed`: only directions that keep loops closed can be differenced; bit c says column c is one.
static void check_jacobian(run* r, double tolerance)
{
    const int n = 2 * r->nv;
    static double A[4 * MOST * MOST], B[2 * MOST * MOST];
    double q1[MOST], v1[MOST];
    take(r, r->q, r->v, r->u, q1, v1);
    CHECK(tml_step_jacobian(r->step, A, B) == TML_OK);
    // products: forwards, and backwards, of two rows at once
    static double state[4 * MOST], control[2 * MOST], out[4 * MOST], weights[4 * MOST];
    static double back[4 * MOST], back_control[2 * MOST];
    for (int i = 0; i < 2 * n; i++) {
        state[i] = sin(1.0 + 1.7 * i);
        weights[i] = cos(2.0 + 0.9 * i);
    }
    for (int i = 0; i < 2 * r->nu; i++) control[i] = cos(3.0 * i);
    CHECK(tml_step_jvp(r->step, 2, state, control, out) == TML_OK);
    CHECK(tml_step_vjp(r->step, 2, weights, back, back_control) == TML_OK);
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            double back_sum = 0.0;
            double size = 1.0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * state[row * n + k];
                back_sum += A[k * n + i] * weights[row * n + k];
                size += fabs(A[i * n + k]) + fabs(A[k * n + i]);
            }
            for (int k = 0; k < r->nu; k++) sum += B[i * r->nu + k] * control[row * r->nu + k];
            CHECK_NEAR(out[row * n + i], sum, 1e-11 * size);
            CHECK_NEAR(back[row * n + i], back_sum, 1e-11 * size);
        }
        for (int c = 0; c < r->nu; c++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += B[k * r->nu + c] * weights[row * n + k];
            CHECK_NEAR(back_control[row * r->nu + c], sum, 1e-9);
        }
    }
    for (int c = 0; c < n + r->nu; c++) {
        double coarse[2 * MOST], fine[2 * MOST];
        difference(r, c, 2e-4, coarse);
        difference(r, c, 1e-4, fine);
        for (int i = 0; i < n; i++) {
            // extrapolated, so that what is left is of the fourth order
            const double slope = (4.0 * fine[i] - coarse[i]) / 3.0;
            const double exact = c < n ? A[i * n + c] : B[i * r->nu + c - n];
            if (!(fabs(exact - slope) <= tolerance * (1.0 + fabs(slope)))) {
                printf("by %d of %d, number %d: %.9g, differences %.9g\n", c, n, i, exact, slope);
            }
            CHECK_NEAR(exact, slope, tolerance * (1.0 + fabs(slope)));
        }
    }
}

TEST(jacobians_of_trees_are_differences)
{
    static const tml_integrator integrators[] = {TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_RK4,
                                                 TML_TIME_BDF1};
    for (int i = 0; i < 3; i++) {
        run r = start(tree, integrators[i], 0.01);
        for (int k = 0; k < r.nv; k++) r.v[k] = 0.8 * sin(2.0 + 3.0 * k);
        for (int k = 0; k < r.nu; k++) r.u[k] = 2.0 * cos(1.0 + k);
        for (int k = 0; k < 20; k++) take(&r, r.q, r.v, r.u, r.q, r.v);
        check_jacobian(&r, 1e-8);  // rounding over the step of the differences
        finish(&r);
    }
}

TEST(jacobians_of_steps_that_slide_are_differences)
{
    run r = start(sliding, TML_TIME_SEMI_IMPLICIT_EULER, 0.002);
    r.u[0] = 0.4;
    for (int k = 0; k < 20; k++) take(&r, r.q, r.v, r.u, r.q, r.v);
    CHECK(r.v[0] > 1.0);
    double q1[MOST], v1[MOST];
    take(&r, r.q, r.v, r.u, q1, v1);
    static double A[4 * MOST * MOST];
    CHECK(tml_step_jacobian(r.step, A, NULL) == TML_OK);
    // sideways and forwards, by the rates along the plane and by the motor
    const int n = 2 * r.nv;
    for (int c = r.nv; c < r.nv + 2; c++) {
        double slope[2 * MOST];
        difference(&r, c, 1e-5, slope);
        for (int i = 0; i < n; i++) CHECK_NEAR(A[i * n + c], slope[i], 1e-5);
        CHECK(A[(c - r.nv) * n + c] > 0.001);
    }
    finish(&r);
}

// What the motor does to all of it, and how the loop follows.
TEST(controls_of_driven_loops_are_differences)
{
    run r = start(loop, TML_TIME_SEMI_IMPLICIT_EULER, 0.01);
    static double B[4 * MOST * MOST];
    double q1[MOST], v1[MOST];
    for (int k = 0; k < 10; k++) {
        r.u[0] = 0.01 * (k + 1);
        take(&r, r.q, r.v, r.u, r.q, r.v);
    }
    r.u[0] = 0.112;
    take(&r, r.q, r.v, r.u, q1, v1);
    CHECK(tml_step_jacobian(r.step, NULL, B) == TML_OK);
    const int n = 2 * r.nv;
    for (int c = 0; c < r.nu; c++) {
        double coarse[2 * MOST], fine[2 * MOST];
        difference(&r, n + c, 2e-4, coarse);
        difference(&r, n + c, 1e-4, fine);
        for (int i = 0; i < n; i++) {
            const double slope = (4.0 * fine[i] - coarse[i]) / 3.0;
            CHECK_NEAR(B[i * r.nu + c], slope, 1e-5 * (1.0 + fabs(slope)));
        }
    }
    CHECK_NEAR(B[0], 1.0, 1e-9);  // the crank goes where its motor does
    finish(&r);
}

TEST(steps_that_make_no_sense_are_refused)
{
    run r = start(tree, TML_TIME_SEMI_IMPLICIT_EULER, 0.002);
    double q[MOST], v[MOST], A[4 * MOST * MOST];
    CHECK(tml_step_jacobian(r.step, A, NULL) == TML_BAD_ARGUMENT);  // none was taken
    memcpy(q, r.q, sizeof q);
    q[1] = (double)NAN;
    CHECK(tml_step_take(r.step, 0.0, q, r.v, r.u, q, v) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_step_message(r.step), "position number 1");
    r.u[0] = (double)INFINITY;
    CHECK(tml_step_take(r.step, 0.0, r.q, r.v, r.u, q, v) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_step_message(r.step), "ball");
    CHECK(tml_step_vjp(r.step, 1, A, A, NULL) == TML_BAD_ARGUMENT);
    tml_step* other = NULL;
    r.settings.formulation = TML_FORM_QUATERNION;
    r.settings.integrator = TML_TIME_BDF2;
    CHECK(tml_step_create(r.model, &r.settings, &other) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_step_message(other), "quaternion");
    tml_step_destroy(other);
    finish(&r);
}
