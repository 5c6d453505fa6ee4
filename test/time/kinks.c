// test/time/kinks.c - what controls that jump or bend cost a multistep method, measured.
//
// Histories are not restarted there: nobody tells the integrator where a control bends, and a step
// that straddles the place is wrong whatever follows. docs/solver.md says what these tests measure.
#include "test/check.h"
#include "test/scenario/run.h"

static const tml_joint only = {0};
static const double mass = 2.0;

// A mass on a rail along x, without gravity, driven by a table.
static tml_status open_rail(run* r, tml_actuation actuation, const double* times,
                            const double* samples, int count)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    tml_joint_def rail = tml_joint_def_default();
    body.mass = mass;
    tml_spec_set_gravity(spec, v3_zero());
    rail.kind = TML_JOINT_PRISMATIC;
    rail.follower = tml_spec_add_body(spec, &body);
    rail.axis = v3(1.0, 0.0, 0.0);
    rail.axis_of[TML_AXIS_TX].actuation = actuation;
    rail.axis_of[TML_AXIS_TX].control = (tml_control){
        .kind = TML_CONTROL_TABLE, .count = count, .times = times, .samples = samples};
    tml_spec_add_joint(spec, &rail);
    return run_freeze(r, spec);
}

// The largest error of the position in steps of h until t = 1 s, off the places where tables bend.
static double error_of(int bends, double h)
{
    // force: 0, then 3 N from 0.5 s on; or rising by 6 N/s from 0.5 s on
    static const double times[2][4] = {{0.0, 0.5, 0.5 + 1e-12, 2.0}, {0.0, 0.5, 1.0, 2.0}};
    static const double forces[2][4] = {{0.0, 0.0, 3.0, 3.0}, {0.0, 0.0, 3.0, 9.0}};
    run r;
    double largest = 0.0;
    CHECK(open_rail(&r, TML_FORCE, times[bends], forces[bends], 4) == TML_OK);
    r.settings.step = h;
    CHECK(run_start(&r) == TML_OK);
    while (tml_sim_time(r.sim) < 1.0 && run_step(&r) == TML_OK) {
        const double s = tml_sim_time(r.sim) - 0.5;
        const double exact = s < 0.0 ? 0.0
                             : bends ? 6.0 * s * s * s / 6.0 / mass
                                     : 3.0 * s * s / 2.0 / mass;
        largest = larger_of(fabs(tml_sim_pose(r.sim, (tml_body){0}).p.x - exact), largest);
    }
    run_close(&r);
    return largest;
}

// The steps are chosen so that the place is a sixth into a step at both sizes.
TEST(a_force_that_jumps_costs_an_order_and_one_that_bends_none)
{
    const double coarse = 3.0 / 301.0;  // 0.5 s are 50 1/6 steps
    const double fine = 3.0 / 601.0;    // and 100 1/6
    const double jump[2] = {error_of(0, coarse), error_of(0, fine)};
    const double bend[2] = {error_of(1, coarse), error_of(1, fine)};
    const double ratio = log2(coarse / fine);

    printf("force jumps: off by %.1e, %.1e m; bends: %.1e, %.1e m\n", jump[0], jump[1], bend[0],
           bend[1]);
    CHECK_NEAR(log2(jump[0] / jump[1]) / ratio, 1.0, 0.15);
    CHECK_NEAR(log2(bend[0] / bend[1]) / ratio, 2.0, 0.15);
}

// A position table that bends asks for a jump of the velocity: positions are met at every step, and
// the motor's force is the impulse m dv over a step, larger the shorter the step is.
TEST(a_position_that_bends_is_met_and_costs_an_impulse)
{
    static const double times[3] = {0.0, 0.5, 2.0};
    static const double places[3] = {0.0, 0.0, 1.5};  // at rest, then 1 m/s
    double impulse[2] = {0.0, 0.0};
    for (int level = 0; level < 2; level++) {
        run r;
        const double h = level == 0 ? 0.01 : 0.005;
        CHECK(open_rail(&r, TML_POSITION, times, places, 3) == TML_OK);
        r.settings.step = h;
        CHECK(run_start(&r) == TML_OK);
        while (tml_sim_time(r.sim) < 1.0 - 1e-9 && run_step(&r) == TML_OK) {
            const double t = tml_sim_time(r.sim);
            CHECK_NEAR(tml_sim_pose(r.sim, (tml_body){0}).p.x, t < 0.5 ? 0.0 : t - 0.5, 1e-10);
            impulse[level] += h * tml_sim_joint_load(r.sim, only).force.x;
        }
        // the formula rings for a few steps; what it gives in all is the impulse
        CHECK_NEAR(impulse[level], mass * 1.0, 1e-9);
        CHECK_NEAR(tml_sim_velocity(r.sim, (tml_body){0}).linear.x, 1.0, 1e-9);
        run_close(&r);
    }
}
