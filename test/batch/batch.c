// Batches: rows are simulations of their own, bit for bit, with any number of threads; a row that fails
// keeps its state and leaves the others alone.
#include "test/io/scene_text.h"

#include <trammel/trammel.h>

#include <stdbool.h>

// A cart with a motor and a pole, a box on a slope of friction, and a servo.
#define WORLD(friction, formulation, integrator)                                                   \
    "{'trammel': 1, 'bodies': ["                                                                   \
    " {'name': 'world', 'shapes': [{'type': 'plane', 'friction': " friction "}]},"                 \
    " {'name': 'cart', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [0, 0, 1]},"             \
    " {'name': 'pole', 'mass': 0.3, 'inertia': [0.02, 0.02, 0.001], 'position': [0, 0, 1.5]},"     \
    " {'name': 'box', 'mass': 2, 'position': [1, 1, 0.102], 'velocity': [1, 0.4, 0],"              \
    "  'shapes': [{'type': 'box', 'size': [0.2, 0.2, 0.2], 'friction': " friction "}]}],"          \
    "'joints': ["                                                                                  \
    " {'name': 'rail', 'type': 'prismatic', 'base': 'world', 'follower': 'cart',"                  \
    "  'axis': [1, 0, 0], 'actuation': 'force', 'control': 0},"                                    \
    " {'name': 'pin', 'type': 'revolute', 'base': 'cart', 'follower': 'pole',"                     \
    "  'position': [0, 0, 1], 'axis': [0, 1, 0],"                                                  \
    "  'servo': {'rx': {'target': 0.2, 'stiffness': 3, 'damping': 0.1}}}],"                        \
    "'simulation': {'formulation': '" formulation "', 'integrator': '" integrator "',"             \
    "  'step': 0.004, 'contact': true}}"

static const char* const worlds[] = {WORLD("0.3", "quaternion", "bdf1"),
                                     WORLD("0.3", "generalized", "semi_implicit_euler"),
                                     WORLD("0.3", "quaternion", "bdf2")};

enum {
    ROWS = 7,
    STEPS = 40,
    BODIES = 3
};

typedef struct run {
    tml_scene* scene;
    tml_model* model;
    tml_sim_settings settings;
    tml_batch* batch;
} run;

static tml_sim* simulate(const run* r)
{
    tml_sim* sim = NULL;
    tml_sim_settings settings = r->settings;
    settings.threads = 1;
    CHECK(tml_sim_create(r->model, &settings, &sim) == TML_OK);
    return sim;
}

static run start(const char* text, int rows, int threads)
{
    run r = {.scene = scene_from(text)};
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    r.settings = tml_scene_settings(r.scene)->sim;
    r.settings.threads = threads;
    const tml_status status = tml_batch_create(r.model, &r.settings, rows, &r.batch);
    if (status != TML_OK) printf("%s\n", tml_batch_message(r.batch, -1));
    CHECK(status == TML_OK);
    return r;
}

static void finish(run* r)
{
    tml_batch_destroy(r->batch);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

static double control_of(int row, int step) { return 3.0 * sin(0.3 * row + 0.1 * step); }

// Is a row the simulation? Poses, velocities, loads and contacts.
static bool is_row(const run* r, int row, const tml_sim* sim)
{
    tml_sim* own = simulate(r);
    tml_pose p[2][BODIES];
    tml_velocity v[2][BODIES];
    tml_load f[2][2];
    const tml_sim* both[2] = {sim, own};
    CHECK(tml_batch_read(r->batch, row, own) == TML_OK);
    bool is_same = tml_sim_time(own) == tml_sim_time(sim) &&
                   tml_sim_contact_count(own) == tml_sim_contact_count(sim);
    for (int k = 0; k < 2; k++) {
        tml_sim_poses(both[k], p[k]);
        tml_sim_velocities(both[k], v[k]);
        tml_sim_loads(both[k], f[k]);
    }
    is_same = is_same && memcmp(p[0], p[1], sizeof p[0]) == 0 &&
              memcmp(v[0], v[1], sizeof v[0]) == 0 && memcmp(f[0], f[1], sizeof f[0]) == 0;
    tml_sim_destroy(own);
    return is_same;
}

static tml_status step_all(run* r, int step, tml_status* status)
{
    double controls[ROWS];
    for (int i = 0; i < ROWS; i++) controls[i] = control_of(i, step);
    return tml_batch_step(r->batch, NULL, controls, 1, status);
}

TEST(rows_are_simulations_bit_for_bit_with_any_number_of_threads)
{
    for (int w = 0; w < 3; w++) {
        for (int threads = 1; threads <= 3; threads++) {
            run r = start(worlds[w], ROWS, threads);
            for (int k = 0; k < STEPS; k++) CHECK(step_all(&r, k, NULL) == TML_OK);
            for (int i = 0; i < ROWS; i++) {
                tml_sim* sim = simulate(&r);
                for (int k = 0; k < STEPS; k++) {
                    const double control = control_of(i, k);
                    CHECK(tml_sim_step(sim, &control) == TML_OK);
                }
                CHECK(is_row(&r, i, sim));
                tml_sim_destroy(sim);
            }
            finish(&r);
        }
    }
}

TEST(arrays_of_a_batch_are_those_of_its_rows)
{
    run r = start(worlds[0], ROWS, 2);
    for (int k = 0; k < STEPS; k++) CHECK(step_all(&r, k, NULL) == TML_OK);
    double got[TML_BATCH_KINDS][ROWS * 7 * BODIES];
    for (int kind = 0; kind < TML_BATCH_KINDS; kind++) {
        CHECK(tml_batch_width(r.batch, (tml_batch_kind)kind) <= 7 * BODIES);
        CHECK(tml_batch_get(r.batch, (tml_batch_kind)kind, got[kind]) == TML_OK);
    }
    tml_sim* sim = simulate(&r);
    for (int i = 0; i < ROWS; i++) {
        tml_pose poses[BODIES];
        tml_velocity velocities[BODIES];
        tml_load loads[2];
        double q[2], u[2];
        CHECK(tml_batch_read(r.batch, i, sim) == TML_OK);
        tml_sim_poses(sim, poses);
        tml_sim_velocities(sim, velocities);
        tml_sim_loads(sim, loads);
        tml_sim_coordinates(sim, q);
        tml_sim_rates(sim, u);
        CHECK(got[TML_BATCH_TIME][i] == tml_sim_time(sim));
        CHECK(memcmp(&got[TML_BATCH_POSES][i * 7 * BODIES], poses, sizeof poses) == 0);
        CHECK(memcmp(&got[TML_BATCH_VELOCITIES][i * 6 * BODIES], velocities, sizeof velocities) ==
              0);
        CHECK(memcmp(&got[TML_BATCH_LOADS][i * 12], loads, sizeof loads) == 0);
        CHECK(memcmp(&got[TML_BATCH_COORDINATES][2 * i], q, sizeof q) == 0);
        CHECK(memcmp(&got[TML_BATCH_RATES][2 * i], u, sizeof u) == 0);
        CHECK(got[TML_BATCH_CONTROLS][i] == control_of(i, STEPS - 1));
        CHECK(got[TML_BATCH_ENERGY][2 * i] == tml_sim_energy(sim).kinetic);
        double force = 0.0;
        for (int k = 0; k < tml_sim_contact_count(sim); k++) {
            force += tml_sim_contact(sim, k).force.z;  // all of the box
        }
        CHECK_NEAR(got[TML_BATCH_FORCES][(i * BODIES + 2) * 3 + 2], force, 1e-12);
        CHECK(force > 10.0);
    }
    tml_sim_destroy(sim);
    finish(&r);
}

TEST(a_row_that_fails_keeps_its_state_and_the_others_go_on)
{
    run r = start(worlds[0], ROWS, 2);
    double controls[ROWS] = {0.0};
    tml_status status[ROWS];
    CHECK(tml_batch_step(r.batch, NULL, controls, 5, NULL) == TML_OK);
    tml_sim* before = simulate(&r);
    CHECK(tml_batch_read(r.batch, 3, before) == TML_OK);
    controls[3] = (double)NAN;
    CHECK(tml_batch_step(r.batch, NULL, controls, 2, status) == TML_BAD_ARGUMENT);
    for (int i = 0; i < ROWS; i++) CHECK((status[i] == TML_BAD_ARGUMENT) == (i == 3));
    CHECK_CONTAINS(tml_batch_message(r.batch, 3), "rail");
    CHECK_CONTAINS(tml_batch_message(r.batch, -1), "row 3");
    CHECK_TEXT(tml_batch_message(r.batch, 2), "");
    CHECK(is_row(&r, 3, before));
    double times[ROWS];
    CHECK(tml_batch_get(r.batch, TML_BATCH_TIME, times) == TML_OK);
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(times[i], 0.004 * (i == 3 ? 5 : 7), 1e-15);
    controls[3] = 0.0;
    CHECK(tml_batch_step(r.batch, NULL, controls, 1, NULL) == TML_OK);
    CHECK_TEXT(tml_batch_message(r.batch, 3), "");
    CHECK(tml_batch_step(r.batch, NULL, NULL, -1, NULL) == TML_BAD_ARGUMENT);
    tml_sim_destroy(before);
    finish(&r);
}

TEST(room_for_contacts_grows_where_it_is_needed)
{
    run r = start(worlds[0], 2, 1);
    tml_batch_destroy(r.batch);
    r.settings.contact.max_contacts = 1;
    CHECK(tml_batch_create(r.model, &r.settings, 2, &r.batch) == TML_OK);
    r.settings.contact.max_contacts = 0;
    const size_t before = tml_batch_bytes(r.batch);
    CHECK(tml_batch_step(r.batch, NULL, NULL, 20, NULL) == TML_OK);
    CHECK(tml_batch_bytes(r.batch) > before);
    tml_sim* sim = simulate(&r);
    for (int k = 0; k < 20; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    CHECK(tml_sim_contact_count(sim) == 4);
    CHECK(is_row(&r, 0, sim) && is_row(&r, 1, sim));
    tml_sim_destroy(sim);
    finish(&r);
}

TEST(rows_of_a_mask_are_stepped_and_reset)
{
    run r = start(worlds[1], ROWS, 2);
    const unsigned char even[ROWS] = {1, 0, 1, 0, 1, 0, 1};
    double times[ROWS];
    CHECK(tml_batch_step(r.batch, NULL, NULL, 3, NULL) == TML_OK);
    CHECK(tml_batch_step(r.batch, even, NULL, 2, NULL) == TML_OK);
    CHECK(tml_batch_get(r.batch, TML_BATCH_TIME, times) == TML_OK);
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(times[i], 0.004 * (even[i] ? 5 : 3), 1e-15);
    tml_batch_reset(r.batch, even);
    tml_sim* fresh = simulate(&r);
    for (int i = 0; i < ROWS; i++) CHECK(is_row(&r, i, fresh) == (even[i] == 1));
    // another place to begin from, and rows copied by hand
    CHECK(tml_sim_step(fresh, NULL) == TML_OK);
    CHECK(tml_batch_set_start(r.batch, fresh) == TML_OK);
    tml_batch_reset(r.batch, NULL);
    for (int i = 0; i < ROWS; i++) CHECK(is_row(&r, i, fresh));
    CHECK(tml_sim_step(fresh, NULL) == TML_OK);
    CHECK(tml_batch_write(r.batch, 2, fresh) == TML_OK);
    CHECK(tml_batch_copy_row(r.batch, 2, 5) == TML_OK);
    CHECK(is_row(&r, 5, fresh) && !is_row(&r, 4, fresh));
    CHECK(tml_batch_copy_row(r.batch, 2, ROWS) == TML_BAD_ARGUMENT);
    CHECK(tml_batch_read(r.batch, -1, fresh) == TML_BAD_ARGUMENT);
    tml_sim_destroy(fresh);
    finish(&r);
}

TEST(each_row_has_its_own_inputs_wrenches_and_gravity)
{
    run r = start(worlds[0], ROWS, 2);
    double inputs[ROWS];
    tml_vec3 gravity[ROWS];
    tml_load wrenches[ROWS * BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    for (int i = 0; i < ROWS; i++) {
        inputs[i] = 0.1 * i - 0.2;
        gravity[i] = (tml_vec3){0.1 * i, 0.0, -9.0 - 0.2 * i};
        wrenches[i * BODIES + 2].force.x = 0.5 * i;
    }
    CHECK(tml_model_input_count(r.model) == 1);
    CHECK(tml_batch_set_inputs(r.batch, inputs) == TML_OK);
    CHECK(tml_batch_set_gravity(r.batch, gravity) == TML_OK);
    CHECK(tml_batch_set_wrenches(r.batch, wrenches) == TML_OK);
    CHECK(tml_batch_step(r.batch, NULL, NULL, STEPS, NULL) == TML_OK);
    double energy[2 * ROWS];
    CHECK(tml_batch_get(r.batch, TML_BATCH_ENERGY, energy) == TML_OK);
    for (int i = 0; i < ROWS; i++) {
        tml_sim* sim = simulate(&r);
        tml_pose a[BODIES], b[BODIES];
        CHECK(tml_sim_set_inputs(sim, &inputs[i]) == TML_OK);
        CHECK(tml_sim_set_gravity(sim, gravity[i]) == TML_OK);
        CHECK(tml_sim_set_wrenches(sim, &wrenches[i * BODIES]) == TML_OK);
        for (int k = 0; k < STEPS; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
        CHECK(energy[2 * i + 1] == tml_sim_energy(sim).potential);
        tml_sim_poses(sim, a);
        CHECK(tml_batch_read(r.batch, i, sim) == TML_OK);
        tml_sim_poses(sim, b);
        CHECK(memcmp(a, b, sizeof a) == 0);
        tml_sim_destroy(sim);
    }
    // let go, rows are the model's again
    CHECK(tml_batch_set_inputs(r.batch, NULL) == TML_OK);
    CHECK(tml_batch_set_gravity(r.batch, NULL) == TML_OK);
    CHECK(tml_batch_set_wrenches(r.batch, NULL) == TML_OK);
    tml_batch_reset(r.batch, NULL);
    CHECK(tml_batch_step(r.batch, NULL, NULL, 5, NULL) == TML_OK);
    tml_sim* sim = simulate(&r);
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    for (int i = 0; i < ROWS; i++) CHECK(is_row(&r, i, sim));
    gravity[1].y = (double)INFINITY;
    CHECK(tml_batch_set_gravity(r.batch, gravity) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_batch_message(r.batch, -1), "gravity of row 1");
    tml_sim_destroy(sim);
    finish(&r);
}

// The smaller friction of a pair counts, and both are shifted alike by their bodies; the floor's is that of the
// world, so that the box meets the floor with a model's own number.
TEST(frictions_of_rows_are_those_of_models)
{
    run r = start(worlds[0], 2, 1);
    run smooth = start(WORLD("0.1", "quaternion", "bdf1"), 1, 1);
    double shift[2 * 2 * BODIES] = {0.0};
    shift[2 * BODIES + 2 * 2] = 0.1 - 0.3;  // of the box in row 1
    CHECK(tml_batch_set_contact_shift(r.batch, shift) == TML_OK);
    CHECK(tml_batch_step(r.batch, NULL, NULL, STEPS, NULL) == TML_OK);
    CHECK(tml_batch_step(smooth.batch, NULL, NULL, STEPS, NULL) == TML_OK);
    double a[2 * 7 * BODIES], b[7 * BODIES];
    CHECK(tml_batch_get(r.batch, TML_BATCH_POSES, a) == TML_OK);
    CHECK(tml_batch_get(smooth.batch, TML_BATCH_POSES, b) == TML_OK);
    // 0.3 - 0.2 is 0.1 but for rounding
    CHECK_NEAR(a[7 * BODIES + 14], b[14], 1e-12);
    CHECK(fabs(a[14] - b[14]) > 1e-3);
    finish(&r);
    finish(&smooth);
}

TEST(states_are_set_row_by_row_and_bad_ones_refused)
{
    run r = start(worlds[1], 3, 2);
    double q[6] = {0.1, 0.2, (double)NAN, 0.0, 0.3, -0.4};
    double got[6];
    tml_status status[3];
    CHECK(tml_batch_set_coordinates(r.batch, NULL, q, NULL, status) == TML_BAD_ARGUMENT);
    CHECK(status[0] == TML_OK && status[1] == TML_BAD_ARGUMENT && status[2] == TML_OK);
    CHECK_CONTAINS(tml_batch_message(r.batch, 1), "rail");
    CHECK(tml_batch_get(r.batch, TML_BATCH_COORDINATES, got) == TML_OK);
    CHECK_NEAR(got[0], 0.1, 1e-15);
    CHECK_NEAR(got[2], 0.0, 1e-15);
    CHECK_NEAR(got[5], -0.4, 1e-14);
    // all poses at once: row 1 with the poses of row 0
    tml_pose poses[3 * BODIES];
    const unsigned char second[3] = {0, 1, 0};
    CHECK(tml_batch_get(r.batch, TML_BATCH_POSES, (double*)poses) == TML_OK);
    memcpy(&poses[BODIES], &poses[0], BODIES * sizeof *poses);
    CHECK(tml_batch_set_states(r.batch, second, poses, NULL, NULL) == TML_OK);
    CHECK(tml_batch_get(r.batch, TML_BATCH_COORDINATES, got) == TML_OK);
    CHECK_NEAR(got[2], 0.1, 1e-14);
    CHECK_NEAR(got[3], 0.2, 1e-14);
    finish(&r);
}

TEST(batches_that_cannot_be_are_refused)
{
    run r = start(worlds[0], 1, 1);
    tml_batch* b = NULL;
    CHECK(tml_batch_create(r.model, &r.settings, 0, &b) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_batch_message(b, -1), "1 row");
    tml_batch_destroy(b);
    tml_sim_settings settings = r.settings;
    settings.step = -1.0;
    CHECK(tml_batch_create(r.model, &settings, 2, &b) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_batch_message(b, -1), "step");
    CHECK(tml_batch_step(b, NULL, NULL, 1, NULL) == TML_BAD_ARGUMENT);
    tml_batch_destroy(b);
    settings = r.settings;
    settings.step = 0.001;
    tml_sim* other = NULL;
    CHECK(tml_sim_create(r.model, &settings, &other) == TML_OK);
    CHECK(tml_batch_write(r.batch, 0, other) == TML_BAD_ARGUMENT);
    tml_sim_destroy(other);
    finish(&r);
}

// A row is its state: no matrices, no scratch.
TEST(rows_take_little_memory)
{
    run r = start(worlds[0], 1000, 2);
    CHECK(tml_batch_bytes(r.batch) < 1000u * 4096u);
    CHECK(tml_batch_step(r.batch, NULL, NULL, 1, NULL) == TML_OK);
    CHECK(tml_batch_bytes(r.batch) < 1000u * 4096u);
    finish(&r);
}
