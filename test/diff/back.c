// Gradients that go back step by step: the same bits as in one call, and policies in the loop in one pass.
#include "test/diff/mechanisms.h"

enum {
    STEPS = 12,
    BODIES = 3,
    GAINS = 4
};

// A cart with a pole, both pushed, and a ball behind.
static tml_model* driven_cart(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body cart = add_rod(spec, "cart", (tml_vec3){0.0, 0.0, 0.0}, 1.2);
    const tml_body pole = add_rod(spec, "pole", (tml_vec3){0.0, 0.0, 0.5}, 0.7);
    const tml_body tail = add_rod(spec, "tail", (tml_vec3){-0.5, 0.0, 0.0}, 0.4);
    tml_joint_def rail = tml_joint_def_default();
    rail.kind = TML_JOINT_PRISMATIC;
    rail.base = TML_WORLD;
    rail.follower = cart;
    rail.axis = (tml_vec3){1, 0, 0};
    rail.axis_of[TML_AXIS_TX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &rail);
    tml_joint_def pin = tml_joint_def_default();
    pin.kind = TML_JOINT_REVOLUTE;
    pin.base = cart;
    pin.follower = pole;
    pin.axis = (tml_vec3){0, 1, 0};
    pin.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &pin);
    add_joint(spec, TML_JOINT_SPHERICAL, cart, tail, (tml_vec3){-0.2, 0, 0}, (tml_vec3){1, 0, 0});
    return build(spec);
}

static const method methods[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_QUATERNION, TML_TIME_SDIRK2, TML_START_ACCURATE},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
    {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE},
    {TML_FORM_GENERALIZED, TML_TIME_PROJECTED, TML_START_ACCURATE},
};

enum {
    METHODS = sizeof methods / sizeof *methods
};

// What a policy sees: the angle of the pole and its rate, and the way of the cart.
static void observe(tml_quantity q[3], int step)
{
    q[0] = (tml_quantity){TML_QUANTITY_COORDINATE, 1, TML_AXIS_RX, step};
    q[1] = (tml_quantity){TML_QUANTITY_RATE, 1, TML_AXIS_RX, step};
    q[2] = (tml_quantity){TML_QUANTITY_COORDINATE, 0, TML_AXIS_TX, step};
}

// Two controls by four gains, the second squared so that the policy bends.
static void act(const double gain[GAINS], const double seen[3], double u[2])
{
    u[0] = gain[0] * seen[0] + gain[1] * seen[1] * seen[1];
    u[1] = gain[2] * seen[2] + gain[3] * seen[0];
}

// Costs: the last angle, half the square of every control.
static double closed_loop(const method* how, size_t memory, const double gain[GAINS],
                          double slope[GAINS])
{
    tml_model* m = driven_cart();
    const tml_sim_settings s = settings_for(*how);
    tml_derivatives* d = NULL;
    CHECK(tml_derivatives_create(m, &s, memory, &d) == TML_OK);
    double seen[STEPS + 1][3];
    double u[STEPS + 1][2];
    tml_quantity q[3];
    double cost = 0.0;
    for (int k = 0; k <= STEPS; k++) {
        observe(q, k);
        CHECK(tml_derivatives_values(d, 3, q, seen[k]) == TML_OK);
        if (k == STEPS) break;
        act(gain, seen[k], u[k + 1]);
        CHECK(tml_derivatives_step(d, u[k + 1]) == TML_OK);
        for (int c = 0; c < 2; c++) cost += 0.5 * u[k + 1][c] * u[k + 1][c];
    }
    cost += seen[STEPS][0];
    if (slope != NULL) {
        double weights[3] = {1.0, 0.0, 0.0};
        for (int i = 0; i < GAINS; i++) slope[i] = 0.0;
        CHECK(tml_derivatives_back_begin(d, 0, NULL) == TML_OK);
        for (int k = STEPS; k > 0; k--) {
            double by[2];
            const double* x = seen[k - 1];
            observe(q, k);
            CHECK(tml_derivatives_back_at(d) == k);
            CHECK(tml_derivatives_back_seed(d, 3, q, weights) == TML_OK);
            CHECK(tml_derivatives_back_step(d, by) == TML_OK);
            for (int c = 0; c < 2; c++) by[c] += u[k][c];
            slope[0] += by[0] * x[0];
            slope[1] += by[0] * x[1] * x[1];
            slope[2] += by[1] * x[2];
            slope[3] += by[1] * x[0];
            weights[0] = by[0] * gain[0] + by[1] * gain[3];
            weights[1] = by[0] * gain[1] * 2.0 * x[1];
            weights[2] = by[1] * gain[2];
        }
        CHECK(tml_derivatives_back_end(d, 0, NULL, NULL) == TML_OK);
    }
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
    return cost;
}

TEST(a_policy_in_the_loop_has_its_gradient_in_one_pass)
{
    const double gain[GAINS] = {1.5, -0.3, 0.8, -0.6};
    for (int n = 0; n < METHODS; n++) {
        double slope[GAINS];
        double again[GAINS];
        closed_loop(&methods[n], 0, gain, slope);
        closed_loop(&methods[n], 20000, gain, again);  // steps are run again on the way back
        CHECK(memcmp(slope, again, sizeof slope) == 0);
        for (int i = 0; i < GAINS; i++) {
            double there[GAINS];
            double by[2];
            for (int side = 0; side < 2; side++) {
                memcpy(there, gain, sizeof there);
                there[i] += (side == 0 ? 1.0 : -1.0) * 1e-4;
                by[side] = closed_loop(&methods[n], 0, there, NULL);
            }
            CHECK_NEAR(slope[i], (by[0] - by[1]) / 2e-4, 1e-6 * (1.0 + fabs(slope[i])));
        }
    }
}

TEST(going_back_by_steps_has_the_bits_of_one_call)
{
    for (int n = 0; n < METHODS; n++) {
        tml_model* m = driven_cart();
        const tml_sim_settings s = settings_for(methods[n]);
        tml_derivatives* d = NULL;
        CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_OK);
        for (int k = 1; k <= STEPS; k++) {
            const double u[2] = {0.3 * k, -0.1 * k};
            CHECK(tml_derivatives_step(d, u) == TML_OK);
        }
        tml_quantity q[STEPS + 1][3];
        double weights[STEPS + 1][3];
        for (int k = 0; k <= STEPS; k++) {
            observe(q[k], k);
            q[k][2] = (tml_quantity){TML_QUANTITY_FORCE, 1, k % 3, k};
            for (int i = 0; i < 3; i++) weights[k][i] = 1.0 + 0.1 * i - 0.05 * k;
        }
        const tml_parameter by[5] = {{TML_PARAMETER_MASS, 1, 0, 0},
                                     {TML_PARAMETER_GRAVITY, 0, 2, 0},
                                     {TML_PARAMETER_JOINT_POSITION, 1, 0, 0},
                                     {TML_PARAMETER_CONTROL, 0, 0, 4},
                                     {TML_PARAMETER_CONTROL, 1, 0, 0}};
        double whole[5];
        double parts[5];
        CHECK(tml_derivatives_gradient(d, 3 * (STEPS + 1), &q[0][0], &weights[0][0], 5, by,
                                       whole) == TML_OK);
        double controls[STEPS + 1][2];
        CHECK(tml_derivatives_back_begin(d, 5, by) == TML_OK);
        for (int k = STEPS; k >= 0; k--) {
            CHECK(tml_derivatives_back_seed(d, 1, q[k], weights[k]) == TML_OK);
            CHECK(tml_derivatives_back_seed(d, 2, &q[k][1], &weights[k][1]) == TML_OK);
            if (k > 0) CHECK(tml_derivatives_back_step(d, controls[k]) == TML_OK);
        }
        CHECK(tml_derivatives_back_end(d, 5, by, parts) == TML_OK);
        CHECK(memcmp(whole, parts, sizeof whole) == 0);
        CHECK(controls[4][0] == whole[3]);
        CHECK(tml_derivatives_back_at(d) == -1);
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

TEST(a_pass_that_stands_elsewhere_is_told)
{
    tml_model* m = driven_cart();
    const tml_sim_settings s = settings_for(methods[4]);
    tml_derivatives* d = NULL;
    const tml_parameter mass = {TML_PARAMETER_MASS, 1, 0, 0};
    const tml_quantity early = {TML_QUANTITY_KINETIC, 0, 0, 1};
    const double one = 1.0;
    double out = 0.0;
    CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_OK);
    CHECK(tml_derivatives_back_step(d, NULL) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "no pass goes back");
    for (int k = 0; k < 3; k++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
    CHECK(tml_derivatives_back_begin(d, 0, NULL) == TML_OK);
    CHECK(tml_derivatives_back_seed(d, 1, &early, &one) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "stands at step 3");
    CHECK(tml_derivatives_back_end(d, 1, &mass, &out) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "not named where the pass began");
    for (int k = 3; k > 0; k--) CHECK(tml_derivatives_back_step(d, NULL) == TML_OK);
    CHECK(tml_derivatives_back_step(d, NULL) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "no step before it");
    CHECK(tml_derivatives_back_end(d, 0, NULL, NULL) == TML_OK);
    // the run goes on, and the pass is over
    CHECK(tml_derivatives_back_begin(d, 0, NULL) == TML_OK);
    CHECK(tml_derivatives_step(d, NULL) == TML_OK);
    CHECK(tml_derivatives_back_seed(d, 0, NULL, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_derivatives_steps(d) == 4);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}
