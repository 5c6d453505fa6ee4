// test/scenario/affine_state.c - affine simulations saved and restored, and refused steps.
#include "test/scenario/affine.h"

enum {
    STEPS = 12,
    MAX_BODIES = 128
};

static const char* const scenes[] = {
    "pendulum", "flap", "four-bar", "bricard", "joint-zoo", "showcase", "spherical-chain", "gears",
};

enum {
    SCENES = sizeof scenes / sizeof *scenes
};

static bool open_scene(run* r, int i)
{
    if (run_open(r, scenes[i]) != TML_OK) return false;
    r->settings.formulation = TML_FORM_AFFINE;
    r->settings.integrator = TML_TIME_ENERGY;
    r->settings.solver = TML_SOLVER_AUTO;
    r->settings.step = 0.02;
    return run_start(r) == TML_OK;
}

static int look(const run* r, tml_pose pose[MAX_BODIES], tml_velocity velocity[MAX_BODIES])
{
    const int count = tml_model_body_count(r->model);
    for (int b = 0; b < count && b < MAX_BODIES; b++) {
        pose[b] = tml_sim_pose(r->sim, (tml_body){b});
        velocity[b] = tml_sim_velocity(r->sim, (tml_body){b});
    }
    return count < MAX_BODIES ? count : MAX_BODIES;
}

static bool is_same(const run* r, const tml_pose* pose, const tml_velocity* velocity)
{
    tml_pose p[MAX_BODIES];
    tml_velocity v[MAX_BODIES];
    const size_t count = (size_t)look(r, p, v);
    return memcmp(p, pose, count * sizeof *p) == 0 && memcmp(v, velocity, count * sizeof *v) == 0;
}

TEST(a_restored_affine_simulation_goes_on_with_the_same_bits)
{
    for (int i = 0; i < SCENES; i++) {
        run r;
        tml_pose pose[MAX_BODIES];
        tml_velocity velocity[MAX_BODIES];
        CHECK(open_scene(&r, i));
        CHECK(run_steps(&r, STEPS) == TML_OK);
        const size_t bytes = tml_sim_state_size(r.sim);
        void* state = malloc(bytes);
        CHECK(tml_sim_save(r.sim, state) == TML_OK);
        CHECK(run_steps(&r, STEPS) == TML_OK);
        look(&r, pose, velocity);
        // in the same simulation, and in a new one
        for (int k = 0; k < 2; k++) {
            if (k == 1) CHECK(run_start(&r) == TML_OK);
            CHECK(tml_sim_restore(r.sim, state, bytes) == TML_OK);
            CHECK(run_steps(&r, STEPS) == TML_OK);
            CHECK(is_same(&r, pose, velocity));
        }
        free(state);
        run_close(&r);
    }
}

// A push beyond all numbers: a status, a sentence, the state as it was, and the same way on.
TEST(a_refused_affine_step_changes_nothing)
{
    const vec3 none = {0.0, 0.0, 0.0};
    const vec3 beyond = {1e300, -1e300, 1e300};
    for (int i = 0; i < SCENES; i++) {
        run r;
        tml_pose pose[2][MAX_BODIES];
        tml_velocity velocity[2][MAX_BODIES];
        CHECK(open_scene(&r, i));
        CHECK(run_steps(&r, STEPS) == TML_OK);
        look(&r, pose[0], velocity[0]);
        CHECK(run_step(&r) == TML_OK);
        look(&r, pose[1], velocity[1]);

        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, STEPS) == TML_OK);
        CHECK(tml_sim_push(r.sim, (tml_body){0}, none, beyond, beyond) == TML_OK);
        const tml_status status = tml_sim_step(r.sim, NULL);
        CHECK(status > TML_OK);
        CHECK(strlen(tml_sim_message(r.sim)) > 20);
        CHECK(is_same(&r, pose[0], velocity[0]));
        CHECK(tml_sim_push(r.sim, (tml_body){-1}, none, none, none) == TML_OK);
        CHECK(run_step(&r) == TML_OK);
        CHECK(is_same(&r, pose[1], velocity[1]));
        run_close(&r);
    }
}

// Rigid bodies are the same in both formulations: so are the bits.
TEST(quaternion_takes_the_energy_step_of_affine)
{
    for (int i = 0; i < SCENES; i++) {
        for (int is_damped = 0; is_damped < 2; is_damped++) {
            tml_pose pose[MAX_BODIES];
            tml_velocity velocity[MAX_BODIES];
            run r;
            CHECK(open_scene(&r, i));
            r.settings.integrator = is_damped ? TML_TIME_ENERGY_DAMPED : TML_TIME_ENERGY;
            CHECK(run_start(&r) == TML_OK);
            CHECK(run_steps(&r, STEPS) == TML_OK);
            look(&r, pose, velocity);
            r.settings.formulation = TML_FORM_QUATERNION;
            CHECK(run_start(&r) == TML_OK);
            CHECK(run_steps(&r, STEPS) == TML_OK);
            CHECK(is_same(&r, pose, velocity));
            run_close(&r);
        }
    }
}
