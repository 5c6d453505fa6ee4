// A model in joint coordinates: mass matrix, bias, inverse and forward dynamics, Jacobians, against closed
// forms, differences, energies and the steps of the library.
#include "math/quat.h"
#include "test/io/scene_text.h"

#include <trammel/trammel.h>

#include <stdbool.h>

// Slides and turns of all sorts, a ball, a joint that runs against the tree, and a body that flies with
// another on it.
static const char* const zoo =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'a', 'mass': 1, 'inertia': [0.1, 0.2, 0.25], 'position': [1, 0, 0],"
    "  'com': [0.1, 0, 0.2], 'velocity': [0, 0.4, 0.2], 'angular_velocity': [0.3, 0.2, 0.9]},"
    " {'name': 'b', 'mass': 2, 'inertia': [0.1, 0.2, 0.25], 'position': [1, 1, 0],"
    "  'velocity': [0.3, 0, 0.2], 'angular_velocity': [-0.7, 0.2, 0.4]},"
    " {'name': 'c', 'mass': 1, 'inertia': [0.3, 0.2, 0.3], 'position': [1, 1, 1],"
    "  'velocity': [0.1, -0.4, 0.2], 'angular_velocity': [0.1, 0.8, 0.2]},"
    " {'name': 'd', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [2, 1, 1],"
    "  'velocity': [0.1, 0.4, 0.2], 'angular_velocity': [0.1, 0.3, -0.2]},"
    " {'name': 'e', 'mass': 3, 'inertia': [0.1, 0.15, 0.1], 'position': [0, 1, 5],"
    "  'com': [0, 0.1, 0], 'velocity': [0.1, 0.4, 0.5], 'angular_velocity': [1.1, 0.3, -0.2]},"
    " {'name': 'f', 'mass': 0.5, 'inertia': [0.1, 0.1, 0.1], 'position': [0, 2, 5],"
    "  'velocity': [0.1, 0.4, 0.5], 'angular_velocity': [0.1, 0.3, -0.2]}],"
    "'joints': ["
    " {'name': 'slot', 'type': 'slot', 'base': 'world', 'follower': 'a', 'position': [0.5, 0, 0],"
    "  'axis': [1, 2, 3], 'stiffness': {'tx': 50}, 'damping': {'tx': 1}},"
    " {'name': 'cross', 'free': {'translation': 'y', 'rotation': 'zx'}, 'base': 'a',"
    "  'follower': 'b', 'position': [1, 0.5, 0],"
    "  'servo': {'rz': {'target': 0.3, 'stiffness': 5, 'damping': 1}}},"
    " {'name': 'hinge', 'type': 'revolute', 'base': 'c', 'follower': 'b', 'position': [1, 1, 0.5],"
    "  'axis': [1, 1, 0], 'actuation': 'force', 'control': 0.7},"
    " {'name': 'screw', 'type': 'cylindrical', 'base': 'd', 'follower': 'c',"
    "  'position': [1.5, 1, 1], 'axis': [0, 1, 1]},"
    " {'name': 'elbow', 'type': 'universal', 'base': 'e', 'follower': 'f',"
    "  'position': [0, 1.5, 5]}],"
    "'forces': [{'type': 'spring', 'a': ['d', [0, 0, 0]], 'b': ['world', [0, 0, 0]],"
    "  'stiffness': 10, 'rest_length': 1, 'damping': 0.5},"
    " {'type': 'wrench', 'body': 'c', 'force': [1, 2, 3], 'torque': [0, 0.3, 0]},"
    " {'type': 'drag', 'body': 'f', 'linear': 0.3, 'angular': 0.1}]}";

// Two loops in space, one of them redundant (planar), a driven crank and a coupling.
static const char* const loops =
    "{'trammel': 1, 'bodies': ["
    " {'name': 'crank', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [0, 0, 0.5],"
    "  'orientation': [0.70710678118654757, 0, -0.70710678118654757, 0]},"
    " {'name': 'rod', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [1, 0, 1]},"
    " {'name': 'rocker', 'mass': 1, 'inertia': [0.01, 0.1, 0.1], 'position': [2, 0, 0.5],"
    "  'orientation': [0.70710678118654757, 0, -0.70710678118654757, 0]},"
    " {'name': 'gear', 'mass': 1, 'inertia': [0.05, 0.1, 0.05], 'position': [0, 0, -1]},"
    " {'name': 'arm', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [2, 1, 1]}],"
    "'joints': ["
    " {'name': 'root', 'type': 'revolute', 'base': 'world', 'follower': 'crank',"
    "  'position': [0, 0, 0], 'axis': [0, 1, 0]},"
    " {'name': 'left', 'type': 'revolute', 'base': 'crank', 'follower': 'rod',"
    "  'position': [0, 0, 1], 'axis': [0, 1, 0]},"
    " {'name': 'right', 'type': 'revolute', 'base': 'rod', 'follower': 'rocker',"
    "  'position': [2, 0, 1], 'axis': [0, 1, 0]},"
    " {'name': 'foot', 'type': 'revolute', 'base': 'world', 'follower': 'rocker',"
    "  'position': [2, 0, 0], 'axis': [0, 1, 0]},"
    " {'name': 'axle', 'type': 'revolute', 'base': 'world', 'follower': 'gear',"
    "  'position': [0, 0, -1], 'axis': [0, 1, 0]},"
    " {'name': 'motor', 'type': 'revolute', 'base': 'rocker', 'follower': 'arm',"
    "  'position': [2, 0.5, 1], 'axis': [0, 0, 1], 'actuation': 'position',"
    "  'control': {'sine': {'offset': 0, 'amplitude': 0.3, 'frequency': 1, 'phase': 0}}}],"
    "'couplings': [{'name': 'teeth', 'terms': [['root.rx', 2], ['axle.rx', 1]], 'offset': 0}]}";

typedef struct run {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
    tml_dynamics* d;
    int nq, nv;
} run;

static run start(const char* text, double step)
{
    run r = {.scene = scene_from(text)};
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    tml_sim_settings settings = tml_scene_settings(r.scene)->sim;
    settings.formulation = TML_FORM_GENERALIZED;
    settings.integrator = TML_TIME_RK4;
    settings.step = step;
    CHECK(tml_sim_create(r.model, &settings, &r.sim) == TML_OK);
    CHECK(tml_dynamics_create(r.model, NULL, &r.d) == TML_OK);
    r.nq = tml_dynamics_position_count(r.d);
    r.nv = tml_dynamics_rate_count(r.d);
    return r;
}

static void finish(run* r)
{
    tml_dynamics_destroy(r->d);
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

enum {
    MOST = 40
};

static void apply(const double* M, const double* x, int n, double* out)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < n; j++) out[i] += M[i * n + j] * x[j];
    }
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void noise(double* out, int n, double seed)
{
    for (int i = 0; i < n; i++) out[i] = sin(seed + 2.3 * i + 0.7 * seed * i);
}

// m l^2 + J, m g l cos, at any angle.
TEST(a_pendulum_has_its_closed_form)
{
    run r =
        start("{'trammel': 1, 'bodies': [{'name': 'rod', 'mass': 2, 'inertia': [0.01, 0.3, 0.3],"
              " 'position': [0.5, 0, 0], 'com': [0.2, 0, 0]}], 'joints': [{'name': 'pin',"
              " 'type': 'revolute', 'base': 'world', 'follower': 'rod', 'position': [0, 0, 0],"
              " 'axis': [0, 1, 0]}]}",
              0.01);
    CHECK(r.nq == 1 && r.nv == 1);
    for (int i = 0; i < 5; i++) {
        const double q = 0.7 * i;
        const double v = 1.0 + i;
        const double a = 3.0;
        const double inertia = 2.0 * 0.49 + 0.3;
        double M, bias, tau, back, J[6];
        CHECK(tml_dynamics_set(r.d, 0.0, &q, &v) == TML_OK);
        tml_dynamics_mass_matrix(r.d, &M);
        tml_dynamics_bias(r.d, &bias);
        tml_dynamics_inverse(r.d, &a, &tau);
        CHECK_NEAR(M, inertia, 1e-14);
        // about y a positive turn lowers what is on the x axis
        CHECK_NEAR(bias, -2.0 * 9.81 * 0.7 * cos(q), 1e-13);
        CHECK_NEAR(tau, inertia * a + bias, 1e-13);
        CHECK(tml_dynamics_forward(r.d, &tau, &back, NULL) == TML_OK);
        CHECK_NEAR(back, a, 1e-13);
        CHECK(tml_dynamics_jacobian(r.d, (tml_body){0}, (tml_vec3){0.5, 0.0, 0.0}, J) == TML_OK);
        CHECK_NEAR(J[0], -sin(q), 1e-14);
        CHECK_NEAR(J[2], -cos(q), 1e-14);
        CHECK_NEAR(J[4], 1.0, 1e-14);
    }
    finish(&r);
}

TEST(numbers_of_joints_and_flying_bodies_have_their_places)
{
    run r = start(zoo, 0.001);
    CHECK(r.nv == 4 + 3 + 1 + 2 + 6 + 2 && r.nq == r.nv + 2);
    int seen[MOST] = {0};
    for (int j = 0; j < 5; j++) {
        const tml_dynamics_place p = tml_dynamics_joint(r.d, (tml_joint){j});
        for (int k = 0; k < p.rate_count; k++) seen[p.rate + k]++;
        CHECK(p.position_count == p.rate_count + (j == 0));
    }
    const tml_dynamics_place flying = tml_dynamics_body(r.d, (tml_body){4});
    CHECK(flying.position_count == 7 && flying.rate_count == 6);
    for (int k = 0; k < 6; k++) seen[flying.rate + k]++;
    for (int i = 0; i < r.nv; i++) CHECK(seen[i] == 1);
    CHECK(tml_dynamics_body(r.d, (tml_body){5}).rate_count == 0);
    // coordinates of slides and turns are the numbers themselves
    double q[MOST], v[MOST], coordinate[MOST], rate[MOST];
    for (int k = 0; k < 30; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, q, v, NULL, NULL);
    tml_sim_coordinates(r.sim, coordinate);
    tml_sim_rates(r.sim, rate);
    int found = 0;
    for (int i = 0; i < tml_model_coordinate_count(r.model); i++) {
        tml_joint joint;
        tml_axis axis;
        CHECK(tml_model_coordinate(r.model, i, &joint, &axis) == TML_OK);
        const tml_dynamics_place at = tml_dynamics_axis(r.d, joint, axis);
        if (at.position < 0) continue;
        found++;
        CHECK_NEAR(q[at.position], coordinate[i], 1e-13);
        CHECK_NEAR(v[at.rate], rate[i], 1e-12);
    }
    CHECK(found == 1 + 3 + 1 + 2 + 2);  // all but the turns of the ball
    CHECK(tml_dynamics_axis(r.d, (tml_joint){3}, TML_AXIS_TY).rate == -1);
    finish(&r);
}

// Kinetic energy is that of the simulation, M a + bias - applied = tau and back again.
TEST(mass_matrix_inverse_and_forward_dynamics_belong_together)
{
    run r = start(zoo, 0.001);
    static double M[MOST * MOST];
    double q[MOST], v[MOST], a[MOST], Ma[MOST], bias[MOST], applied[MOST], tau[MOST], back[MOST];
    for (int k = 0; k < 50; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, q, v, NULL, NULL);
    tml_dynamics_mass_matrix(r.d, M);
    apply(M, v, r.nv, Ma);
    CHECK_NEAR(0.5 * dot(v, Ma, r.nv), tml_sim_energy(r.sim).kinetic, 1e-12);
    for (int i = 0; i < r.nv; i++) {
        for (int j = 0; j < i; j++) CHECK(M[i * r.nv + j] == M[j * r.nv + i]);
    }
    noise(a, r.nv, 0.3);
    apply(M, a, r.nv, Ma);
    tml_dynamics_bias(r.d, bias);
    tml_dynamics_applied(r.d, applied);
    tml_dynamics_inverse(r.d, a, tau);
    for (int i = 0; i < r.nv; i++) CHECK_NEAR(tau[i], Ma[i] + bias[i], 1e-11);
    for (int i = 0; i < r.nv; i++) tau[i] -= applied[i];
    CHECK(tml_dynamics_row_count(r.d) == 0);
    CHECK(tml_dynamics_forward(r.d, tau, back, NULL) == TML_OK);
    for (int i = 0; i < r.nv; i++) CHECK_NEAR(back[i], a[i], 1e-10);
    finish(&r);
}

// Central differences of the rates of steps before and after, at two steps: fourfold. The rates of a
// ball and of a flying body turn with it, and so do their accelerations.
static double step_error(const char* text, double h, int steps)
{
    run r = start(text, h);
    double before[MOST], now[MOST], after[MOST], a[MOST];
    double error = 0.0;
    for (int k = 0; k < steps - 1; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, NULL, before, NULL, NULL);
    CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, NULL, now, NULL, NULL);
    CHECK(tml_dynamics_forward(r.d, NULL, a, NULL) == TML_OK);
    CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, NULL, after, NULL, NULL);
    for (int i = 0; i < r.nv; i++) {
        error = fmax(error, fabs((after[i] - before[i]) / (2.0 * h) - a[i]));
    }
    finish(&r);
    return error;
}

TEST(forward_dynamics_are_those_of_steps)
{
    const double coarse = step_error(zoo, 2e-3, 40);
    const double fine = step_error(zoo, 1e-3, 80);
    CHECK(fine < 1e-3);
    CHECK_NEAR(coarse / fine, 4.0, 0.5);
    const double loops_coarse = step_error(loops, 2e-3, 40);
    const double loops_fine = step_error(loops, 1e-3, 80);
    CHECK(loops_fine < 1e-2);
    CHECK_NEAR(loops_coarse / loops_fine, 4.0, 0.5);
}

// J v is the velocity of the point, and the difference of its places along each column.
TEST(jacobians_are_velocities_and_differences)
{
    run r = start(zoo, 0.001);
    double q[MOST], v[MOST], J[6 * MOST], rates[6];
    const tml_vec3 point = {0.3, -0.2, 0.4};
    for (int k = 0; k < 50; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, q, v, NULL, NULL);
    for (int b = 0; b < 6; b++) {
        CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
        const tml_velocity u = tml_sim_velocity(r.sim, (tml_body){b});
        CHECK(tml_dynamics_jacobian(r.d, (tml_body){b}, (tml_vec3){0.0, 0.0, 0.0}, J) == TML_OK);
        for (int i = 0; i < 6; i++) rates[i] = dot(&J[i * r.nv], v, r.nv);
        CHECK_NEAR(rates[0], u.linear.x, 1e-12);
        CHECK_NEAR(rates[2], u.linear.z, 1e-12);
        CHECK_NEAR(rates[3], u.angular.x, 1e-12);
        CHECK_NEAR(rates[5], u.angular.z, 1e-12);

        CHECK(tml_dynamics_jacobian(r.d, (tml_body){b}, point, J) == TML_OK);
        for (int k = 0; k < r.nv; k++) {
            double place[2][3];
            const double h = 1e-5;
            for (int side = 0; side < 2; side++) {
                double motion[MOST] = {0.0};
                double moved[MOST];
                tml_pose poses[6];
                motion[k] = side == 0 ? -h : h;
                tml_dynamics_move(r.d, q, motion, moved);
                CHECK(tml_dynamics_set(r.d, 0.0, moved, NULL) == TML_OK);
                tml_dynamics_state(r.d, NULL, NULL, poses, NULL);
                const vec3 p = v3_add(poses[b].p, q_rotate(poses[b].q, point));
                v3_store(place[side], p);
                double way[MOST];
                tml_dynamics_difference(r.d, q, moved, way);
                CHECK_NEAR(way[k], motion[k], 1e-14);
            }
            for (int i = 0; i < 3; i++) {
                const double slope = (place[1][i] - place[0][i]) / (2.0 * h);
                CHECK_NEAR(J[i * r.nv + k], slope, 1e-8);  // h^2 and rounding over h
            }
        }
    }
    CHECK(tml_dynamics_jacobian(r.d, TML_WORLD, point, J) == TML_OK);
    for (int i = 0; i < 6 * r.nv; i++) CHECK(J[i] == 0.0);
    CHECK(tml_dynamics_jacobian(r.d, (tml_body){6}, point, J) == TML_BAD_ARGUMENT);
    finish(&r);
}

TEST(rows_of_loops_hold_rates_and_carry_what_is_missing)
{
    run r = start(loops, 0.001);
    static double M[MOST * MOST], J[MOST * MOST];
    double v[MOST], a[MOST], Ma[MOST], bias[MOST], applied[MOST], lambda[MOST], tau[MOST];
    for (int k = 0; k < 100; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    CHECK(tml_dynamics_follow(r.d, r.sim) == TML_OK);
    tml_dynamics_state(r.d, NULL, v, NULL, NULL);
    const int rows = tml_dynamics_row_count(r.d);
    CHECK(rows == 5 + 1 + 1);  // one revolute of the planar loop, the coupling and the motor
    tml_dynamics_rows(r.d, J);
    for (int i = 0; i < rows; i++) {
        // the motor's row moves with its target: 0.3 cos(2 pi t) 2 pi
        const double expected = fabs(dot(&J[i * r.nv], v, r.nv)) > 0.1
                                    ? 0.3 * 6.283185307179586 * cos(0.6283185307179586)
                                    : 0.0;
        CHECK_NEAR(fabs(dot(&J[i * r.nv], v, r.nv)), expected, 1e-9);
    }
    noise(tau, r.nv, 0.9);
    CHECK(tml_dynamics_forward(r.d, tau, a, lambda) == TML_OK);
    tml_dynamics_mass_matrix(r.d, M);
    tml_dynamics_bias(r.d, bias);
    tml_dynamics_applied(r.d, applied);
    apply(M, a, r.nv, Ma);
    for (int i = 0; i < r.nv; i++) {
        double pulled = 0.0;
        for (int k = 0; k < rows; k++) pulled += J[k * r.nv + i] * lambda[k];
        CHECK_NEAR(Ma[i] + bias[i], applied[i] + tau[i] + pulled, 1e-10);
    }
    finish(&r);
}

TEST(states_that_are_none_are_refused)
{
    run r = start(zoo, 0.001);
    double q[MOST], v[MOST], again[MOST];
    tml_dynamics_state(r.d, q, v, NULL, NULL);
    q[2] = (double)NAN;
    CHECK(tml_dynamics_set(r.d, 0.0, q, v) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_dynamics_message(r.d), "number 2");
    tml_dynamics_state(r.d, again, NULL, NULL, NULL);
    CHECK(isfinite(again[2]));
    run other = start(loops, 0.001);
    CHECK(tml_dynamics_follow(r.d, other.sim) == TML_BAD_ARGUMENT);
    tml_dynamics* none = NULL;
    CHECK(tml_dynamics_create(NULL, NULL, &none) == TML_BAD_ARGUMENT && none == NULL);
    CHECK(tml_dynamics_rate_count(NULL) == 0);
    finish(&other);
    finish(&r);
}
