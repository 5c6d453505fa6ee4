// test/scenario/account.c - the energy account: what nobody paid for is divided or refused, and what is paid for is not.
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/run.h"

static double total(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

// What was won, over the largest kinetic energy, of a run that ends on a status or after `steps`.
typedef struct outcome {
    tml_status status;
    double gain;
    char why[512];
} outcome;

static outcome run_to(run* r, int steps)
{
    outcome out = {.status = TML_OK};
    const double start = total(r->sim);
    double most = start;
    double swing = 0.0;
    for (int k = 0; k < steps && out.status == TML_OK; k++) {
        out.status = tml_sim_step(r->sim, NULL);
        if (out.status != TML_OK) break;
        most = fmax(most, total(r->sim));
        swing = fmax(swing, tml_sim_energy(r->sim).kinetic);
    }
    snprintf(out.why, sizeof out.why, "%s", tml_sim_message(r->sim));
    out.gain = (most - start) / fmax(swing, 1e-12);
    return out;
}

// Scenes that reached 1e10 to 1e256 J with status 0: each ends within a twentieth, or on a sentence about energy.
TEST(explosions_are_divided_or_refused)
{
    static const struct {
        const char* scene;
        tml_integrator integrator;
        double step;
    } cases[] = {
        {"revolute-chain", TML_TIME_SEMI_IMPLICIT_EULER, 0.01},
        {"revolute-chain", TML_TIME_RK4, 0.01},
        {"heavy-top", TML_TIME_SEMI_IMPLICIT_EULER, 0.001},
        {"heavy-top", TML_TIME_RK4, 0.01},
        {"t-handle", TML_TIME_SEMI_IMPLICIT_EULER, 0.01},
        {"t-handle", TML_TIME_RK4, 0.01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r;
        CHECK(run_open(&r, cases[i].scene) == TML_OK);
        r.settings.formulation = TML_FORM_GENERALIZED;
        r.settings.integrator = cases[i].integrator;
        r.settings.step = cases[i].step;
        CHECK(run_start(&r) == TML_OK);
        const outcome out = run_to(&r, (int)(1.0 / cases[i].step));
        printf("%s by %s at %g s: %s, won %.2g\n", cases[i].scene,
               tml_integrator_name(cases[i].integrator), cases[i].step, tml_status_name(out.status),
               out.gain);
        CHECK(out.gain < 0.1);  // of kinetic energy with what was won in it
        if (out.status != TML_OK) CHECK(strstr(out.why, "energy rose from") != NULL);
        run_close(&r);
    }
}

// A chain of random rods on random hinges or balls, thrown at random.
static tml_spec* random_chain(random_source* seed)
{
    tml_spec* spec = tml_spec_create();
    const int links = 2 + (int)(5.0 * random_between(seed, 0.0, 1.0));
    tml_body last = TML_WORLD;
    double x = 0.0;
    for (int i = 0; i < links; i++) {
        const double length = 0.1 + random_between(seed, 0.0, 1.0);
        const double mass = pow(10.0, 2.0 * random_between(seed, 0.0, 1.0) - 1.0);
        tml_body_def def = tml_body_def_default();
        def.mass = mass;
        const double across = mass * length * length / 12.0;
        def.inertia[0] = 0.1 * across;
        def.inertia[1] = across;
        def.inertia[2] = across;
        def.pose.p = (tml_vec3){x + 0.5 * length, 0.0, 0.0};
        const tml_body body = tml_spec_add_body(spec, &def);
        tml_joint_def joint = tml_joint_def_default();
        joint.kind =
            random_between(seed, 0.0, 1.0) < 0.5 ? TML_JOINT_REVOLUTE : TML_JOINT_SPHERICAL;
        joint.base = last;
        joint.follower = body;
        joint.position = (tml_vec3){x, 0.0, 0.0};
        joint.axis = (tml_vec3){0.0, random_between(seed, 0.0, 1.0), 1.0};
        joint.axis_of[TML_AXIS_RX].stiffness =
            joint.kind == TML_JOINT_REVOLUTE ? 0.02 * random_between(seed, 0.0, 1.0) : 0.0;
        tml_spec_add_joint(spec, &joint);
        last = body;
        x += length;
    }
    return spec;
}

// Whatever the mass, the joint, the step and the pairing: no run wins energy in silence.
TEST(random_chains_win_no_energy_in_silence)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } pairs[] = {
        {TML_FORM_QUATERNION, TML_TIME_BDF2},
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
        {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER},
        {TML_FORM_GENERALIZED, TML_TIME_RK4},
        {TML_FORM_AFFINE, TML_TIME_SHAKE},
    };
    static const double steps[] = {1e-3, 1e-2, 3e-2};
    for (int n = 0; n < 12; n++) {
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            random_source own = random_start(20261118u + (uint64_t)n);
            run r;
            CHECK(run_freeze(&r, random_chain(&own)) == TML_OK);
            r.settings.formulation = pairs[p].formulation;
            r.settings.integrator = pairs[p].integrator;
            r.settings.step = steps[n % 3];
            CHECK(run_start(&r) == TML_OK);
            const outcome out = run_to(&r, n % 3 == 0 ? 300 : 60);
            if (!(out.gain < 0.1)) {
                printf("chain %d by %s at %g s: won %.3g\n", n,
                       tml_integrator_name(pairs[p].integrator), steps[n % 3], out.gain);
            }
            CHECK(out.gain < 0.1);
            CHECK(out.status == TML_OK || out.why[0] != '\0');
            run_close(&r);
        }
    }
}

// What a hand does is paid for: taken in one step each.
TEST(what_is_paid_for_is_no_gain)
{
    run r;
    CHECK(run_open(&r, "pendulum") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    const tml_body rod = {0};
    CHECK(tml_sim_push(r.sim, rod, (tml_vec3){0}, (tml_vec3){0.0, 50.0, 0.0}, (tml_vec3){0}) ==
          TML_OK);
    double most = 0.0;
    const double start = total(r.sim);
    for (int k = 0; k < 100; k++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        most = fmax(most, total(r.sim) - start);
    }
    CHECK(most > 5.0);  // 50 N over half a metre and more
    CHECK(tml_sim_get_report(r.sim).substeps == 0);
    run_close(&r);
}
