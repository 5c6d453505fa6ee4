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
