// test/scenario/projected.c - integrator 'projected': no motion wins energy at any step, what floats keeps its
// momentum, and what used to explode does not; random trees of every joint, then chains and built-in scenes.
#include "math/scalar.h"
#include "test/check.h"
#include "test/joint/sample.h"
#include "test/scenario/floating.h"
#include "test_paths.h"

#include <math.h>

enum {
    MOST_BODIES = 12,
    TREES = 24
};

static tml_body add_random_body(tml_spec* spec, random_source* r)
{
    tml_body_def def = tml_body_def_default();
    const mat3 J = random_inertia(r);
    const double size = pow(10.0, random_between(r, -1.5, 0.5));
    def.mass = pow(10.0, random_between(r, -2.0, 1.0));
    const double scale = def.mass * size * size;
    const double inertia[6] = {scale * J.m[0][0], scale * J.m[1][1], scale * J.m[2][2],
                               scale * J.m[0][1], scale * J.m[0][2], scale * J.m[1][2]};
    memcpy(def.inertia, inertia, sizeof inertia);
    def.com = random_vec3(r, 0.3 * size);
    def.pose = (tml_pose){random_vec3(r, 0.5), random_quat(r)};
    def.velocity = (tml_velocity){random_vec3(r, 3.0), random_vec3(r, 20.0)};
    return tml_spec_add_body(spec, &def);
}

// Bodies on earlier bodies or on the world (`is_held`), or flying; joints of every kind, either way round.
static tml_model* random_tree(int seed, bool is_held, bool slides, tml_vec3 gravity)
{
    static const tml_joint_kind turning[4] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                              TML_JOINT_SPHERICAL, TML_JOINT_FIXED};
    random_source r = random_start((uint64_t)seed + 1);
    tml_spec* spec = tml_spec_create();
    const int count = 2 + random_below(&r, MOST_BODIES - 1);
    tml_model* m = NULL;
    tml_spec_set_gravity(spec, gravity);
    for (int i = 0; i < count; i++) {
        const tml_body body = add_random_body(spec, &r);
        const int other = random_below(&r, i + 1) - 1;
        if (other < 0 && !is_held) continue;  // flies
        const tml_body to = other < 0 ? TML_WORLD : (tml_body){other};
        const bool is_turned = random_below(&r, 2) == 0;
        tml_joint_def def = tml_joint_def_default();
        def.kind =
            slides ? (tml_joint_kind)((i + seed) % TML_JOINT_KINDS) : turning[(i + seed) % 4];
        def.base = is_turned ? body : to;
        def.follower = is_turned ? to : body;
        def.position = random_vec3(&r, 0.5);
        def.has_axes = 1;
        set_axes(&r, def.axes);
        tml_spec_add_joint(spec, &def);
    }
    if (tml_spec_build(spec, &m) != TML_OK) printf("tree %d: %s\n", seed, tml_spec_message(spec));
    tml_spec_destroy(spec);
    return m;
}

static run start_tree(int seed, bool is_held, bool slides, tml_vec3 gravity, double step)
{
    run r = {.model = random_tree(seed, is_held, slides, gravity),
             .settings = tml_sim_settings_default()};
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_PROJECTED;
    r.settings.step = step;
    CHECK(r.model != NULL && run_start(&r) == TML_OK);
    return r;
}

// Steps of 10 ms to 1 s, in which bodies turn by up to 20 rad. What slides is some hundred metres away after 6 s, and
// the rounding of that is no longer that of the mass matrix alone.
TEST(kinetic_energy_never_rises_whatever_the_tree_and_the_step)
{
    static const double steps[3] = {0.01, 0.1, 1.0};
    double worst = 0.0;
    double least = 1.0;
    for (int k = 0; k < 3; k++) {
        for (int seed = 0; seed < TREES; seed++) {
            run r = start_tree(seed, seed % 2 == 0, k < 2, v3_zero(), steps[k]);
            const double first = tml_sim_energy(r.sim).kinetic;
            double before = first;
            for (int n = 0; n < 60; n++) {
                if (run_step(&r) != TML_OK) CHECK(false);
                const double now = tml_sim_energy(r.sim).kinetic;
                worst = larger_of(worst, (now - before) / first);
                before = now;
            }
            if (k == 0 && before / first < least) least = before / first;
            run_close(&r);
        }
    }
    printf(
        "largest rise in a step %.1e of the kinetic energy, least that was left after 0.6 s %.3f\n",
        worst, least);
    CHECK(worst <= 1e-10);
}

// Momentum m g t, and none where nothing pulls: rounding of a few hundred steps.
TEST(what_floats_keeps_its_linear_momentum_to_rounding)
{
    const tml_vec3 gravity = {1.0, -2.0, -9.81};
    double worst = 0.0;
    for (int seed = 0; seed < TREES; seed++) {
        run r = start_tree(seed, false, true, gravity, 0.01);
        const momentum first = momentum_of(&r);
        double mass = 0.0;
        for (int i = 0; i < tml_model_body_count(r.model); i++) {
            mass += tml_model_body(r.model, (tml_body){i})->mass;
        }
        CHECK(run_steps(&r, 100) == TML_OK);
        const momentum last = momentum_of(&r);
        const vec3 expected = v3_axpy(first.linear, mass * tml_sim_time(r.sim), gravity);
        const double error = v3_norm(v3_sub(last.linear, expected));
        worst = larger_of(worst, error / (v3_norm(first.linear) + mass * 10.0));
        run_close(&r);
    }
    printf("linear momentum of what floats: %.1e of itself after 100 steps of 10 ms\n", worst);
    CHECK(worst < 1e-12);
}

// ---- chains: links of a tenth of a metre, ends as heavy as a hundred of them

typedef struct swing {
    double highest, lowest, kinetic;
} swing;

static swing follow(run* r, int steps)
{
    swing out = {-HUGE_VAL, HUGE_VAL, 0.0};
    for (int k = 0; k < steps; k++) {
        const tml_energy e = tml_sim_energy(r->sim);
        out.highest = larger_of(out.highest, e.kinetic + e.potential);
        out.lowest = fmin(out.lowest, e.kinetic + e.potential);
        out.kinetic = larger_of(out.kinetic, e.kinetic);
        if (run_step(r) != TML_OK) {
            CHECK(false);
            return out;
        }
    }
    return out;
}

static tml_spec* chain_of(tml_joint_kind kind, int links, double end_mass, double tilt)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    const tml_vec3 along = {cos(tilt), 0.0, -sin(tilt)};
    for (int i = 0; i < links; i++) {
        tml_body_def def = tml_body_def_default();
        def.mass = i == links - 1 && end_mass > 0.0 ? end_mass : 0.1;
        const double inertia[6] = {def.mass * 5e-5, def.mass * 1e-3, def.mass * 1e-3, 0, 0, 0};
        memcpy(def.inertia, inertia, sizeof inertia);
        def.pose.p = v3_scale(0.1 * i + 0.05, along);
        def.pose.q = q_exp(v3(0.0, tilt, 0.0));
        const tml_body body = tml_spec_add_body(spec, &def);
        tml_joint_def joint = tml_joint_def_default();
        joint.kind = kind;
        joint.base = last;
        joint.follower = body;
        joint.position = v3_scale(0.1 * i, along);
        joint.axis = i % 2 == 0 ? v3(0.0, 1.0, 0.0) : v3(0.3, 0.9, 0.1);
        tml_spec_add_joint(spec, &joint);
        last = body;
    }
    return spec;
}

// Everything that turns, at 10 ms, where semi_implicit_euler and rk4 explode: of the kinetic energy at most a
// twentieth is won, by gravity that is taken at the start of the step, and that comes back.
TEST(chains_of_every_turning_joint_do_not_explode)
{
    static const tml_joint_kind kinds[4] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_SPHERICAL, TML_JOINT_CYLINDRICAL};
    static const int links[3] = {5, 20, 100};
    for (int k = 0; k < 4; k++) {
        for (int n = 0; n < 3; n++) {
            for (int heavy = 0; heavy < 2; heavy++) {
                run r;
                tml_spec* spec = chain_of(kinds[k], links[n], heavy * 10.0, 0.3 * k);
                CHECK(run_freeze(&r, spec) == TML_OK);
                r.settings.formulation = TML_FORM_GENERALIZED;
                r.settings.integrator = TML_TIME_PROJECTED;
                r.settings.step = 0.01;
                CHECK(run_start(&r) == TML_OK);
                const double first = run_energy(&r);
                const swing s = follow(&r, n < 2 ? 200 : 40);
                const double won = (s.highest - first) / s.kinetic;
                printf("%3d %-11s links, end %s: won %8.1e, lost %.3f of the kinetic energy\n",
                       links[n], tml_joint_kind_name(kinds[k]), heavy ? "heavy" : "light", won,
                       (first - s.lowest) / s.kinetic);
                CHECK(won < 0.05);
                run_close(&r);
            }
        }
    }
}

// A hundred links hang taut on a weight of a thousand of them: stiff by gravity alone, pushed from the side.
TEST(what_a_weight_makes_stiff_is_followed_at_any_step)
{
    static const double steps[3] = {0.01, 0.033, 0.1};
    for (int k = 0; k < 3; k++) {
        run r;
        tml_spec* spec = chain_of(TML_JOINT_SPHERICAL, 100, 100.0, 0.5 * TML_PI - 1e-3);
        CHECK(run_freeze(&r, spec) == TML_OK);
        r.settings.formulation = TML_FORM_GENERALIZED;
        r.settings.integrator = TML_TIME_PROJECTED;
        r.settings.step = steps[k];
        CHECK(run_start(&r) == TML_OK);
        const swing s = follow(&r, 100);
        // the pendulum of 10 m tilted by 1 mrad has 5 mJ a kilogram and metre of it
        const double all = 0.5e-6 * 110.0 * 9.81 * 10.0;
        printf("taut chain at %g s: kinetic energy up to %.2e J, of %.2e J\n", steps[k], s.kinetic,
               all);
        CHECK(s.kinetic < 1.2 * all);
        run_close(&r);
    }
}

// The scenes that showed it: energies of 1e83 J, 1e256 J and 3e10 J by what was there before.
TEST(built_in_scenes_that_exploded_do_not)
{
    static const struct {
        const char* name;
        double won, lost;  // of the kinetic energy, in 10 s at 10 ms
    } scenes[3] = {
        {"revolute-chain", 1e-3, 0.6}, {"heavy-top", 1e-6, 3e-3}, {"t-handle", 1e-12, 1e-12}};
    for (int i = 0; i < 3; i++) {
        run r;
        CHECK(run_open(&r, scenes[i].name) == TML_OK);
        r.settings.formulation = TML_FORM_GENERALIZED;
        r.settings.integrator = TML_TIME_PROJECTED;
        r.settings.step = 0.01;
        CHECK(run_start(&r) == TML_OK);
        const double first = run_energy(&r);
        const swing s = follow(&r, 1000);
        printf("%-15s won %8.1e, lost %8.1e of the kinetic energy\n", scenes[i].name,
               (s.highest - first) / s.kinetic, (first - s.lowest) / s.kinetic);
        CHECK(s.highest - first <= scenes[i].won * s.kinetic);
        CHECK(first - s.lowest <= scenes[i].lost * s.kinetic);
        run_close(&r);
    }
}

// ---- scenes that were found to explode, as a user would write them

static swing play(const char* file, double step, double duration, double* first)
{
    char path[512];
    run r = {.scene = tml_scene_create()};
    snprintf(path, sizeof path, TEST_SOURCE_DIR "/test/scenario/found/%s.json", file);
    tml_status status = tml_scene_read_file(r.scene, path);
    if (status == TML_OK) status = tml_scene_build(r.scene, &r.model);
    if (status != TML_OK) printf("%s: %s\n", path, tml_scene_message(r.scene));
    CHECK(status == TML_OK);
    r.settings = tml_scene_settings(r.scene)->sim;
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_PROJECTED;
    r.settings.step = step;
    CHECK(run_start(&r) == TML_OK);
    *first = run_energy(&r);
    const swing s = follow(&r, (int)(duration / step + 0.5));
    run_close(&r);
    return s;
}

TEST(scenes_that_were_found_to_explode_win_nothing)
{
    static const char* const files[3] = {"generalized_pile_explodes", "generalized_tree_explodes",
                                         "heavy20"};
    static const double steps[3] = {0.02, 0.01, 0.001};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double first = 0.0;
            const swing s = play(files[i], steps[k], 1.0, &first);
            printf("%-26s at %g s: won %8.1e, lost %.3f of the kinetic energy\n", files[i],
                   steps[k], (s.highest - first) / s.kinetic, (first - s.lowest) / s.kinetic);
            CHECK(s.highest - first <= 1e-3 * s.kinetic);
        }
    }
}

// A servo of 2263 N m on light links swings out to 131 J, by bdf2 and energy of quaternion alike, and comes to rest.
TEST(a_stiff_servo_swings_out_and_settles)
{
    static const double steps[3] = {0.01, 0.001, 1e-4};
    double peak = 0.0;
    for (int k = 0; k < 3; k++) {
        double first = 0.0;
        const swing s = play("generalized_robot_explodes", steps[k], 0.3, &first);
        printf("stiff servo at %g s: %.1f J\n", steps[k], s.kinetic);
        CHECK(s.kinetic < 135.0 && s.kinetic > peak);
        peak = s.kinetic;
    }
    CHECK_NEAR(peak, 131.44, 6.0);
}
