// test/scenario/limits.c - stops: reached, held, pushed against, left.
//
// A limit is an inequality row on a coordinate. It holds to the tolerance, it only pushes inwards,
// a body that meets it does not bounce, and it lets go when the push ends.
#include "model/spec.h"
#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/math/random.h"
#include "test/scenario/room.h"
#include "test/scenario/run.h"

static const tml_joint only = {0};
static const double tolerance = 1e-10;

static double coordinate(const run* r, int index)
{
    double all[TML_AXES] = {0.0};
    return tml_sim_joint_coordinates(r->sim, only, all) > index ? all[index] : (double)NAN;
}

// ---- the flap: a pendulum between two stops at -0.2 and 0.5 rad

typedef struct flap_history {
    int hits, leaves, refusals;
    double lowest, highest;
    double rise;  // largest gain of energy over a step
    double speed_at_stop;
} flap_history;

static flap_history swing(tml_integrator integrator, double step)
{
    flap_history out = {.lowest = 9.0, .highest = -9.0};
    int was_at_stop = 0;
    run r;
    CHECK(run_begin(&r, "flap", integrator, step) == TML_OK);
    double energy = run_energy(&r);
    for (int k = 0; k < 2.0 / step; k++) {
        if (run_step(&r) != TML_OK) {
            out.refusals++;
            break;
        }
        const double q = coordinate(&r, 0);
        const double now = run_energy(&r);
        const int is_at_stop = fabs(q + 0.2) <= tolerance || fabs(q - 0.5) <= tolerance;
        const double push = tml_sim_joint_load(r.sim, only).moment.x;
        if (q < out.lowest) out.lowest = q;
        if (q > out.highest) out.highest = q;
        out.rise = larger_of(now - energy, out.rise);
        out.hits += is_at_stop && !was_at_stop;
        out.leaves += was_at_stop && !is_at_stop;
        if (is_at_stop) {
            const double speed = fabs(tml_sim_velocity(r.sim, (tml_body){0}).angular.y);
            out.speed_at_stop = larger_of(speed, out.speed_at_stop);
            // inwards is up at the lower stop and down at the upper one
            CHECK(q < 0.0 ? push >= 0.0 : push <= 0.0);
        }
        energy = now;
        was_at_stop = is_at_stop;
    }
    run_close(&r);
    return out;
}

// The step of an affine formula that meets a stop ends at rest there, as that of the quaternion formulation does,
// with and without contact. Where it goes on is what both formulas make of the same swing: apart by what the step
// is wrong by, of first order at least, beside a step's difference in when they meet the stop.
TEST(a_flap_of_affine_bodies_meets_its_stops_as_others_do)
{
    static const struct {
        tml_integrator affine, other;
    } pairs[] = {{TML_TIME_BDF1, TML_TIME_BDF1},
                 {TML_TIME_BDF2, TML_TIME_BDF2},
                 {TML_TIME_ENERGY_DAMPED, TML_TIME_BDF1},
                 {TML_TIME_ENERGY, TML_TIME_BDF2}};
    for (int i = 0; i < 8; i++) {
        double apart[2] = {0.0, 0.0};
        for (int fine = 0; fine < 2; fine++) {
            const double h = fine ? 2.5e-3 : 5e-3;
            run r[2];
            int hits = 0;
            double speed = 0.0;
            for (int k = 0; k < 2; k++) {
                CHECK(run_open(&r[k], "flap") == TML_OK);
                r[k].settings.formulation = k == 0 ? TML_FORM_AFFINE : TML_FORM_QUATERNION;
                run_integrate(&r[k], k == 0 ? pairs[i / 2].affine : pairs[i / 2].other);
                r[k].settings.contact.is_on = i % 2;
                r[k].settings.step = h;
                CHECK(run_start(&r[k]) == TML_OK);
            }
            for (int n = 0; n < 0.7 / h; n++) {
                for (int k = 0; k < 2; k++) CHECK(run_step(&r[k]) == TML_OK);
                const double q = coordinate(&r[0], 0);
                apart[fine] = larger_of(apart[fine], fabs(q - coordinate(&r[1], 0)));
                if (fabs(q + 0.2) > tolerance && fabs(q - 0.5) > tolerance) continue;
                hits++;
                speed = larger_of(speed, fabs(tml_sim_velocity(r[0].sim, (tml_body){0}).angular.y));
            }
            CHECK(hits > 0);
            CHECK_NEAR(speed, 0.0, 1e-12);  // inelastic
            for (int k = 0; k < 2; k++) run_close(&r[k]);
        }
        printf("flap, affine %s%s: %.1e and %.1e rad apart\n",
               tml_integrator_name(pairs[i / 2].affine), i % 2 ? ", contact on" : "", apart[0],
               apart[1]);
        CHECK(apart[1] < 0.6 * apart[0]);
    }
}

TEST(a_flap_stays_between_its_stops_and_never_gains_energy)
{
    static const double steps[] = {1e-3, 1e-2, 0.1};
    for (int i = TML_TIME_BDF1; i <= TML_TIME_SDIRK2; i++) {
        const int order = i == TML_TIME_SDIRK2 ? 1 : i - (int)TML_TIME_BDF1 + 1;
        for (int k = 0; k < 3; k++) {
            const double h = steps[k];
            const flap_history f = swing((tml_integrator)i, h);
            CHECK(f.refusals == 0);
            CHECK(f.lowest >= -0.2 - tolerance && f.highest <= 0.5 + tolerance);
            CHECK_NEAR(f.speed_at_stop, 0.0, 1e-12);  // inelastic
            // 16 J; the flap swings at 5.4 rad/s: what a step of this order may be wrong by
            CHECK(f.rise <= (order == 1 ? 1e-13 : 16.0 * pow(6.0 * h, order + 1)));
            // implicit Euler at 0.1 s damps so much that the stops are out of reach
            if (i == TML_TIME_BDF1 && k == 2) continue;
            CHECK(f.hits == 2 && f.leaves == 2);
        }
    }
}

// ---- a weight on a vertical rail: everything in closed form

static const double mass = 2.0;
static const double gravity = 9.81;

// A force that grows from 0 at 0.5 s to twice the weight at 1 s.
static const double lift_times[3] = {0.0, 0.5, 1.0};
static const double lift_forces[3] = {0.0, 0.0, 2.0 * 2.0 * 9.81};

static double lift_at(double t) { return t < 0.5 ? 0.0 : 2.0 * mass * gravity * (t - 0.5) / 0.5; }

static tml_spec* rail(double lower, double upper)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.mass = mass;
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = TML_JOINT_PRISMATIC;
    joint.follower = tml_spec_add_body(spec, &body);
    joint.axis = v3(0.0, 0.0, 1.0);
    tml_joint_axis* axis = &joint.axis_of[TML_AXIS_TX];
    axis->has_limits = 1;
    axis->lower = lower;
    axis->upper = upper;
    axis->actuation = TML_FORCE;
    axis->control = (tml_control){
        .kind = TML_CONTROL_TABLE, .count = 3, .times = lift_times, .samples = lift_forces};
    tml_spec_add_joint(spec, &joint);
    return spec;
}

// Falls 0.3 m until 0.247 s, rests, leaves when the lift equals the weight at 0.75 s, and then
// rises by 4 g / 6 (t - 0.75)^3.
static double follow_rail(tml_integrator integrator, double h)
{
    run r;
    double off = 0.0;
    double left_at = 0.0;
    CHECK(run_freeze(&r, rail(-0.3, 10.0)) == TML_OK);
    r.settings.integrator = integrator;
    r.settings.step = h;
    CHECK(run_start(&r) == TML_OK);
    for (int k = 1; k <= (int)(0.95 / h + 0.5); k++) {
        CHECK(run_step(&r) == TML_OK);
        const double t = tml_sim_time(r.sim);
        const double x = coordinate(&r, 0);
        const double load = tml_sim_joint_load(r.sim, only).force.x;
        const double rise = t - 0.75;
        CHECK(x >= -0.3 - tolerance);
        if (t < 0.24) {
            off = larger_of(fabs(x + 0.5 * gravity * t * t), off);
            CHECK_NEAR(load, 0.0, 1e-12);
        } else if (t > 0.26 && t < 0.749) {
            CHECK_NEAR(x, -0.3, tolerance);
            // the stop carries what the lift does not; h^2 noise of the multiplier
            CHECK_NEAR(load, mass * gravity, 1e-15 * 100.0 * mass / (h * h) + 1e-10);
        } else if (t > 0.76) {
            off = larger_of(fabs(x + 0.3 - 4.0 * gravity / 6.0 * rise * rise * rise), off);
            CHECK_NEAR(load, lift_at(t), 1e-12);
        }
        if (x > -0.3 + 1e-9 && t > 0.3 && left_at == 0.0) left_at = t;
    }
    CHECK(left_at > 0.75 - 1e-9 && left_at < 0.75 + 4.0 * h + 0.005);
    CHECK(tml_sim_get_report(r.sim).restarts == 2);
    run_close(&r);
    return off;
}

TEST(a_weight_falls_on_its_stop_rests_and_is_lifted_off_in_time)
{
    for (int i = TML_TIME_BDF1; i <= TML_TIME_SDIRK2; i++) {
        const double coarse = follow_rail((tml_integrator)i, 2e-3);
        const double fine = follow_rail((tml_integrator)i, 1e-3);
        printf("%-7s off the closed form by %.1e, %.1e m\n", tml_integrator_name((tml_integrator)i),
               coarse, fine);
        // free fall by implicit Euler is off by g h t / 2; leaving one step late costs the speed
        // 2 g h^2, for the 0.2 s that remain, and the method's own error as much again
        CHECK(fine < (i == TML_TIME_BDF1 ? 0.5 * gravity * 1e-3 * 0.25 : 0.8 * gravity * 1e-6));
        CHECK(coarse < (i == TML_TIME_BDF1 ? 0.5 * gravity * 2e-3 * 0.25 : 0.8 * gravity * 4e-6));
    }
}

TEST(a_weight_that_starts_on_its_stop_stays_there)
{
    for (int i = TML_TIME_BDF1; i <= TML_TIME_SDIRK2; i++) {
        run r;
        CHECK(run_freeze(&r, rail(0.0, 1.0)) == TML_OK);
        r.settings.integrator = (tml_integrator)i;
        r.settings.step = 0.01;
        CHECK(run_start(&r) == TML_OK);
        // before the first step too
        CHECK_NEAR(tml_sim_joint_load(r.sim, only).force.x, mass * gravity, 1e-12);
        for (int k = 0; k < 40; k++) {
            CHECK(run_step(&r) == TML_OK);
            CHECK_NEAR(coordinate(&r, 0), 0.0, tolerance);
            CHECK_NEAR(tml_sim_joint_load(r.sim, only).force.x, mass * gravity, 1e-9);
        }
        run_close(&r);
    }
}

// A velocity into a stop that is touched ends there, and the report says so; one away from it stays,
// and so does free fall from an upper stop.
TEST(a_velocity_into_a_stop_is_lost_at_the_start)
{
    static const struct {
        double lower, upper, speed, left, load;
    } cases[] = {
        {0.0, 1.0, -2.0, 0.0, 1.0},    // into the floor: stops, carries its weight
        {0.0, 1.0, 2.0, 2.0, 0.0},     // up from the floor
        {-1.0, 0.0, 2.0, 0.0, 0.0},    // into the ceiling: stops, and falls off it
        {-1.0, 0.0, -2.0, -2.0, 0.0},  // down from the ceiling
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r;
        tml_spec* spec = rail(cases[i].lower, cases[i].upper);
        spec->all.bodies[0].velocity.linear.z = cases[i].speed;
        CHECK(run_freeze(&r, spec) == TML_OK);
        CHECK(run_start(&r) == TML_OK);
        const tml_sim_report report = tml_sim_get_report(r.sim);
        CHECK_NEAR(tml_sim_velocity(r.sim, (tml_body){0}).linear.z, cases[i].left, 1e-13);
        CHECK_NEAR(report.velocity_correction, fabs(cases[i].speed - cases[i].left), 1e-13);
        CHECK_NEAR(tml_sim_joint_load(r.sim, only).force.x, cases[i].load * mass * gravity, 1e-12);
        CHECK(run_step(&r) == TML_OK);
        run_close(&r);
    }
}

// Equal limits leave no room: the coordinate is held like a row.
TEST(limits_that_meet_hold_a_coordinate)
{
    run r;
    CHECK(run_freeze(&r, rail(0.0, 0.0)) == TML_OK);
    r.settings.step = 0.01;
    CHECK(run_start(&r) == TML_OK);
    for (int k = 0; k < 95; k++) {
        CHECK(run_step(&r) == TML_OK);
        CHECK_NEAR(coordinate(&r, 0), 0.0, tolerance);
    }
    run_close(&r);
}

// ---- many limits at once

static tml_vec3 random_vector(random_source* random, double size)
{
    return v3(random_between(random, -size, size), random_between(random, -size, size),
              random_between(random, -size, size));
}

// Three links on joints with limits on every free axis, some of them tight.
static tml_spec* tight_chain(random_source* random)
{
    static const tml_joint_kind kinds[] = {TML_JOINT_REVOLUTE,  TML_JOINT_UNIVERSAL,
                                           TML_JOINT_SPHERICAL, TML_JOINT_CYLINDRICAL,
                                           TML_JOINT_PLANAR,    TML_JOINT_PRISMATIC};
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int i = 0; i < 3; i++) {
        tml_body_def link = tml_body_def_default();
        tml_joint_def joint = tml_joint_def_default();
        link.pose.p = v3(0.3 * i + 0.15, 0.0, 0.0);
        link.velocity = (tml_velocity){random_vector(random, 1.0), random_vector(random, 3.0)};
        joint.kind = kinds[random_bits(random) % 6];
        joint.base = last;
        joint.follower = last = tml_spec_add_body(spec, &link);
        joint.position = v3(0.3 * i, 0.0, 0.0);
        joint.axis = random_vector(random, 1.0);
        room_limit(&joint, random, 0.05, 0.5);
        tml_spec_add_joint(spec, &joint);
    }
    return spec;
}

static void check_within(const run* r)
{
    for (int j = 0; j < tml_model_joint_count(r->model); j++) {
        double values[TML_AXES];
        tml_axis axes[TML_AXES];
        const tml_joint_def joint = tml_model_joint(r->model, (tml_joint){j});
        const int count = tml_model_joint_axes(r->model, (tml_joint){j}, axes);
        tml_sim_joint_coordinates(r->sim, (tml_joint){j}, values);
        for (int k = 0; k < count; k++) {
            const tml_joint_axis* a = &joint.axis_of[axes[k]];
            CHECK(values[k] >= a->lower - tolerance && values[k] <= a->upper + tolerance);
        }
    }
}

// What holds pushes inwards: a lower limit up, an upper one down.
static void check_pushes(const run* r)
{
    const maximal_system* system = r->sim->system;
    for (int i = 0; i < system->limit_count; i++) {
        CHECK((double)r->sim->sides[i] * r->sim->lambda[system->limits[i].row] <= 0.0);
    }
}

typedef struct chain_outcome {
    double rise;  // of energy above the initial one, J
    long long restarts;
} chain_outcome;

// One second of the chain that the random source describes, which is not advanced.
static chain_outcome fall(random_source random, tml_integrator integrator, int steps)
{
    chain_outcome out = {0.0, 0};
    run r;
    CHECK(run_freeze(&r, tight_chain(&random)) == TML_OK);
    r.settings.step = 1.0 / steps;
    r.settings.integrator = integrator;
    CHECK(run_start(&r) == TML_OK);
    const double before = run_energy(&r);
    for (int k = 0; k < steps; k++) {
        if (run_step(&r) != TML_OK) {
            CHECK(0);
            break;
        }
        check_within(&r);
        check_pushes(&r);
        out.rise = larger_of(run_energy(&r) - before, out.rise);
    }
    CHECK_NEAR(tml_sim_get_report(r.sim).max_gap, 0.0, tolerance);
    out.restarts = tml_sim_get_report(r.sim).restarts;
    run_close(&r);
    return out;
}

TEST(chains_with_limits_everywhere_stay_within_them)
{
    random_source random = random_start(3);
    long long restarts = 0;
    for (int round = 0; round < 30; round++) {
        const random_source chain = random;
        tml_spec_destroy(tight_chain(&random));  // on to the next one

        const chain_outcome damped = fall(chain, TML_TIME_BDF1, 200);
        const chain_outcome coarse = fall(chain, TML_TIME_BDF2, 200);
        const chain_outcome fine = fall(chain, TML_TIME_BDF2, 400);
        restarts += coarse.restarts;
        // passive and inelastic: implicit Euler only loses, and what BDF2 gains is its error
        CHECK_NEAR(damped.rise, 0.0, 1e-9);
        CHECK(fine.rise < 0.5 * coarse.rise || fine.rise < 2e-4);  // of about 1 J
    }
    printf("%lld restarts in 30 chains\n", restarts);
    CHECK(restarts > 300);
}

// 0 <= distance, 0 <= push, one of them zero: in every formulation, at the end of every step. What variational
// steps tell of a limit is the mean of what moved positions, by which it is judged, and of what stops
// velocities at the end, which keeps all that has met its limit at rest and may pull at one of several.
TEST(limits_of_chains_are_complementary_in_every_formulation)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } kinds[] = {{TML_FORM_QUATERNION, TML_TIME_BDF1},         {TML_FORM_QUATERNION, TML_TIME_BDF2},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL}, {TML_FORM_AFFINE, TML_TIME_ENERGY},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},    {TML_FORM_AFFINE, TML_TIME_BDF2}};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        random_source random = random_start(4);
        long long restarts = 0;
        for (int round = 0; round < 20; round++) {
            run r;
            CHECK(run_freeze(&r, tight_chain(&random)) == TML_OK);
            r.settings.formulation = kinds[i].formulation;
            r.settings.integrator = kinds[i].integrator;
            r.settings.step = round % 2 ? 0.01 : 0.05;
            CHECK(run_start(&r) == TML_OK);
            for (int k = 0; k < 50; k++) {
                const tml_status status = run_step(&r);
                if (status != TML_OK) printf("%s\n", tml_sim_message(r.sim));
                CHECK(status == TML_OK);
                if (status != TML_OK) break;
                check_within(&r);
                if (kinds[i].formulation != TML_FORM_VARIATIONAL) check_pushes(&r);
            }
            restarts += tml_sim_get_report(r.sim).restarts;
            CHECK(tml_sim_get_report(r.sim).unsettled_limits == 0);
            run_close(&r);
        }
        printf("%s: %lld restarts\n", tml_integrator_name(kinds[i].integrator), restarts);
        CHECK(restarts > 100);
    }
}
