// test/scenario/robots.c - the robots that are built in, on the ground: what they weigh, how freely
// they move, and that the ground carries them.
#include "test/check.h"
#include "test/scenario/touching.h"
#include "test/sim/world.h"

static double mass_of(const tml_model* model)
{
    double sum = 0.0;
    for (int b = 0; b < tml_model_body_count(model); b++) {
        sum += tml_model_body(model, (tml_body){b})->mass;
    }
    return sum;
}

// Atlas of the model set: 33 freedoms, 175.1 kg, twelve contacts.
TEST(atlas_stands_on_twelve_points)
{
    run r;
    CHECK(run_open(&r, "atlas") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    CHECK_NEAR(mass_of(r.model), 175.118, 1e-3);
    CHECK(run_steps(&r, 1500) == TML_OK);
    CHECK(tml_sim_contact_count(r.sim) == 12);
    // servos of 3 kN m a radian sag a little and sway at some hertz: the weight to 2 %
    const double weight = 9.81 * mass_of(r.model);
    CHECK_NEAR(-force_on(&r, TML_WORLD).z, weight, 0.02 * weight);
    CHECK(tml_sim_get_report(r.sim).max_gap < 1e-10);
    run_close(&r);
}

// What the back carries in the first 30 ms, from the start on: servos take it up while limits of the legs let
// go and the feet stand. Explicit and implicit first-order steps of 1 ms differ by some per cent; a load
// that missed the ground would be off by half.
static void back_loads(tml_formulation formulation, tml_integrator integrator, double load[31])
{
    run r;
    CHECK(run_open(&r, "atlas") == TML_OK);
    r.settings.formulation = formulation;
    r.settings.integrator = integrator;
    r.settings.step = 1e-3;
    CHECK(run_start(&r) == TML_OK);
    const tml_joint back = tml_model_find_joint(r.model, "back_bkz");
    for (int k = 0; k <= 30; k++) {
        load[k] = v3_norm(tml_sim_joint_load(r.sim, back).force);
        CHECK(run_step(&r) == TML_OK);
    }
    run_close(&r);
}

TEST(every_formulation_tells_what_the_back_of_atlas_carries)
{
    double by_joints[31];
    double load[31];
    back_loads(TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, by_joints);
    for (int m = 0; m < 4; m++) {
        static const tml_formulation formulations[4] = {TML_FORM_QUATERNION, TML_FORM_QUATERNION,
                                                        TML_FORM_VARIATIONAL, TML_FORM_AFFINE};
        static const tml_integrator integrators[4] = {TML_TIME_BDF1, TML_TIME_BDF2,
                                                      TML_TIME_VARIATIONAL, TML_TIME_ENERGY};
        back_loads(formulations[m], integrators[m], load);
        for (int k = 0; k <= 30; k++) CHECK_NEAR(load[k], by_joints[k], 0.05 * by_joints[k]);
    }
}

// It falls 0.1 m onto its feet and comes to rest on them: the springs of its joints carry it.
TEST(half_cheetah_comes_to_rest_on_its_feet)
{
    run r;
    CHECK(run_open(&r, "half-cheetah") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    CHECK_NEAR(mass_of(r.model), 14.0, 1e-9);
    CHECK(run_steps(&r, 4000) == TML_OK);
    CHECK(tml_sim_contact_count(r.sim) >= 2);
    CHECK_NEAR(-force_on(&r, TML_WORLD).z, 14.0 * 9.81, 0.01 * 14.0 * 9.81);
    run_close(&r);
}
