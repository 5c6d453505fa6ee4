// test/sim/projection.c - velocities at the start: what contradicts the joints is replaced by the
// nearest that does not, in the mass norm.
//
// The answer of the library is compared with one dense system written out here: with v_0 the given
// velocities of the three centres of mass and s the rates that the joints ask for,
//     minimise (v - v_0)^T M (v - v_0) / 2   subject to   J v = s
//     [ M  J^T ] [ v ]   [ M v_0 ]
//     [ J   0  ] [ y ] = [   s   ]
#include "test/check.h"
#include "test/math/random.h"
#include "test/sim/mechanisms.h"
#include "test/sim/space.h"
#include "test/sim/world.h"

enum {
    BODIES = 3,
    FREEDOMS = 6 * BODIES,
    ROWS = 14,
    SIZE = FREEDOMS + ROWS
};

// A hinge to the world, a ball on the hinged body, and a slider on that, driven along its axis.
static const tml_vec3 hinge_point = {0.1, -0.2, 0.3};
static const tml_vec3 hinge_axis = {0.6, 0.0, 0.8};
static const tml_vec3 ball_point = {0.5, 0.1, 0.2};
static const tml_vec3 slider_point = {0.8, 0.4, -0.1};
static const tml_vec3 slider_axis = {0.0, 1.0, 0.0};
static const double slider_rate = 0.7;  // of the control at the start, m/s

static tml_velocity given[BODIES];

static tml_vec3 random_vector(random_source* r)
{
    tml_vec3 v;
    v.x = random_between(r, -2.0, 2.0);
    v.y = random_between(r, -2.0, 2.0);
    v.z = random_between(r, -2.0, 2.0);
    return v;
}

static void build(tml_spec* spec, tml_run_settings* run)
{
    static const tml_vec3 places[BODIES] = {{0.3, 0.0, 0.2}, {0.7, 0.2, 0.1}, {0.9, 0.5, -0.2}};
    static const double masses[BODIES] = {2.0, 0.7, 1.3};
    tml_body body[BODIES];
    for (int i = 0; i < BODIES; i++) {
        tml_body_def def = tml_body_def_default();
        def.mass = masses[i];
        def.com = (tml_vec3){0.03, -0.02, 0.05};
        def.pose.p = places[i];
        def.pose.q = (tml_quat){0.5, -0.5, 0.5, 0.5};
        const double inertia[6] = {0.02, 0.03, 0.04, 0.003, -0.002, 0.001};
        for (int k = 0; k < 6; k++) def.inertia[k] = masses[i] * inertia[k];
        def.velocity = given[i];
        body[i] = tml_spec_add_body(spec, &def);
    }
    const tml_joint_def hinge =
        link_of("hinge", TML_JOINT_REVOLUTE, TML_WORLD, body[0], hinge_point, hinge_axis);
    const tml_joint_def ball =
        link_of("ball", TML_JOINT_SPHERICAL, body[0], body[1], ball_point, hinge_axis);
    tml_joint_def slider =
        link_of("slider", TML_JOINT_PRISMATIC, body[1], body[2], slider_point, slider_axis);
    const double pi = 3.14159265358979323846;
    slider.axis_of[TML_AXIS_TX].actuation = TML_POSITION;
    slider.axis_of[TML_AXIS_TX].control = tml_control_sine(0.0, slider_rate / (2.0 * pi), 1.0, 0.0);
    tml_spec_add_joint(spec, &hinge);
    tml_spec_add_joint(spec, &ball);
    tml_spec_add_joint(spec, &slider);
    run->sim.step = 0.01;
}

// ---- the dense system

static tml_vec3 unit(int k) { return (tml_vec3){k == 0, k == 1, k == 2}; }

static tml_vec3 centre_of(const tml_body_def* b)
{
    return plus(b->pose.p, turn(b->pose.q, b->com));
}

// Row `row` gets sign n.(v + omega x r) of a body's point, r from its centre of mass.
static void add_point(double* J, int row, int body, const tml_body_def* def, tml_vec3 point,
                      tml_vec3 n, double sign)
{
    const tml_vec3 arm = cross(minus(point, centre_of(def)), n);
    for (int k = 0; k < 3; k++) {
        J[row * FREEDOMS + 6 * body + k] += sign * component(n, k);
        J[row * FREEDOMS + 6 * body + 3 + k] += sign * component(arm, k);
    }
}

static void add_spin(double* J, int row, int body, tml_vec3 n, double sign)
{
    for (int k = 0; k < 3; k++) J[row * FREEDOMS + 6 * body + 3 + k] += sign * component(n, k);
}

static void write_rows(const tml_body_def* const def[BODIES], double* J, double* rate)
{
    const tml_vec3 across[2] = {{0.0, 1.0, 0.0}, {-0.8, 0.0, 0.6}};  // perpendicular to the hinge
    int row = 0;
    for (int k = 0; k < 3; k++) add_point(J, row++, 0, def[0], hinge_point, unit(k), 1.0);
    for (int k = 0; k < 2; k++) add_spin(J, row++, 0, across[k], 1.0);
    for (int k = 0; k < 3; k++) {
        add_point(J, row, 1, def[1], ball_point, unit(k), 1.0);
        add_point(J, row++, 0, def[0], ball_point, unit(k), -1.0);
    }
    for (int k = 0; k < 3; k++) {
        add_spin(J, row, 2, unit(k), 1.0);
        add_spin(J, row++, 1, unit(k), -1.0);
    }
    for (int k = 0; k < 3; k++) {
        rate[row] = slider_rate * component(slider_axis, k);
        add_point(J, row, 2, def[2], slider_point, unit(k), 1.0);
        add_point(J, row++, 1, def[1], slider_point, unit(k), -1.0);
    }
}

static void write_mass(const tml_body_def* const def[BODIES], double* A)
{
    for (int b = 0; b < BODIES; b++) {
        for (int k = 0; k < 3; k++) {
            const tml_vec3 column = spin_momentum(def[b]->inertia, def[b]->pose.q, unit(k));
            A[(6 * b + k) * SIZE + 6 * b + k] = def[b]->mass;
            for (int i = 0; i < 3; i++) {
                A[(6 * b + 3 + i) * SIZE + 6 * b + 3 + k] = component(column, i);
            }
        }
    }
}

static void store(tml_vec3 a, double* to)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

// Velocities of centres of mass and angular velocities, 6 a body.
static void write_given(const tml_body_def* const def[BODIES], double* v)
{
    for (int b = 0; b < BODIES; b++) {
        const tml_vec3 arm = turn(def[b]->pose.q, def[b]->com);
        store(plus(given[b].linear, cross(given[b].angular, arm)), v + 6 * b);
        store(given[b].angular, v + 6 * b + 3);
    }
}

static void find_nearest(const tml_model* model, double v_0[FREEDOMS], double v[FREEDOMS])
{
    static double A[SIZE * SIZE];
    static double J[ROWS * FREEDOMS];
    double b[SIZE] = {0.0};
    const tml_body_def* def[BODIES];
    memset(A, 0, sizeof A);
    memset(J, 0, sizeof J);
    for (int i = 0; i < BODIES; i++) def[i] = tml_model_body(model, (tml_body){i});

    write_given(def, v_0);
    write_mass(def, A);
    write_rows(def, J, b + FREEDOMS);
    for (int i = 0; i < FREEDOMS; i++) {
        for (int k = 0; k < FREEDOMS; k++) b[i] += A[i * SIZE + k] * v_0[k];
        for (int r = 0; r < ROWS; r++) {
            A[i * SIZE + FREEDOMS + r] = J[r * FREEDOMS + i];
            A[(FREEDOMS + r) * SIZE + i] = J[r * FREEDOMS + i];
        }
    }
    solve_small(SIZE, A, b);
    memcpy(v, b, FREEDOMS * sizeof *v);
}

// What the simulation starts with, in the same order.
static void read_started(const tml_sim* sim, double v[FREEDOMS])
{
    for (int i = 0; i < BODIES; i++) {
        const tml_body_def* def = tml_model_body(tml_sim_model(sim), (tml_body){i});
        const tml_velocity u = tml_sim_velocity(sim, (tml_body){i});
        const tml_vec3 arm = turn(def->pose.q, def->com);
        store(plus(u.linear, cross(u.angular, arm)), v + 6 * i);
        store(u.angular, v + 6 * i + 3);
    }
}

TEST(initial_velocities_are_the_nearest_ones_in_the_mass_norm)
{
    random_source r = random_start(7);
    for (int trial = 0; trial < 20; trial++) {
        double v_0[FREEDOMS];
        double nearest[FREEDOMS];
        double started[FREEDOMS];
        double largest = 0.0;
        for (int i = 0; i < BODIES; i++) {
            given[i] = (tml_velocity){random_vector(&r), random_vector(&r)};
        }
        world w = world_build(build);
        CHECK(world_start(&w) == TML_OK);
        find_nearest(w.model, v_0, nearest);
        read_started(w.sim, started);
        for (int k = 0; k < FREEDOMS; k++) {
            // two factorisations of a matrix of condition 1e3 or so
            CHECK_NEAR(started[k], nearest[k], 1e-12);
            if (fabs(nearest[k] - v_0[k]) > largest) largest = fabs(nearest[k] - v_0[k]);
        }
        CHECK(largest > 0.1);
        CHECK_NEAR(tml_sim_get_report(w.sim).velocity_correction, largest, 1e-12);
        world_end(&w);
    }
}

TEST(velocities_that_the_joints_allow_are_left_alone)
{
    double v_0[FREEDOMS];
    double nearest[FREEDOMS];
    double started[FREEDOMS];
    memset(given, 0, sizeof given);
    world w = world_build(build);
    CHECK(world_start(&w) == TML_OK);
    // what the first simulation starts with is allowed, so the second must keep it
    for (int i = 0; i < BODIES; i++) given[i] = tml_sim_velocity(w.sim, (tml_body){i});
    world_end(&w);

    w = world_build(build);
    CHECK(world_start(&w) == TML_OK);
    CHECK(tml_sim_get_report(w.sim).velocity_correction == 0.0);
    find_nearest(w.model, v_0, nearest);
    read_started(w.sim, started);
    for (int k = 0; k < FREEDOMS; k++) CHECK_NEAR(started[k], v_0[k], 1e-14);  // some roundings
    world_end(&w);
}
