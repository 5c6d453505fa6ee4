// Hands on a running simulation: a push is a wrench like those of the model, bit for bit; and a
// simulation goes on from another one's state with another method, time and angles included.
#include "test/io/scene_text.h"

#include <trammel/trammel.h>

static const char* const swing =
    "{'trammel': 1, 'bodies': [{'name': 'rod', 'mass': 2, 'inertia': [0.02, 0.2, 0.2],"
    " 'position': [0.5, 0, 0], 'com': [0.1, 0, 0.05]}],"
    " 'joints': [{'name': 'pin', 'type': 'universal', 'base': 'world', 'follower': 'rod',"
    " 'axes': [[0, 1, 0], [0, 0, 1], [1, 0, 0]]}]}";

// A motor that turns all the time and carries a pendulum.
static const char* const spinner =
    "{'trammel': 1, 'bodies': [{'name': 'crank', 'mass': 1, 'inertia': [0.1, 0.1, 0.1]},"
    " {'name': 'bob', 'mass': 1, 'inertia': [0.01, 0.08, 0.08], 'position': [1.5, 0, 0]}],"
    " 'joints': [{'name': 'motor', 'type': 'revolute', 'base': 'world', 'follower': 'crank',"
    " 'axis': [0, 0, 1], 'actuation': 'position', 'control': {'table': [[0, 0], [100, 500]]}},"
    " {'name': 'pin', 'type': 'revolute', 'base': 'crank', 'follower': 'bob',"
    " 'position': [1, 0, 0], 'axis': [0, 1, 0]}]}";

typedef struct run {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} run;

static run start(const char* text, const char* more)
{
    // the text ends with its brace; what more there is goes before it
    static char whole[4096];
    snprintf(whole, sizeof whole, "%.*s%s}", (int)strlen(text) - 1, text, more);
    run r = {.scene = scene_from(whole)};
    CHECK(tml_scene_build(r.scene, &r.model) == TML_OK);
    CHECK(tml_sim_create(r.model, &tml_scene_settings(r.scene)->sim, &r.sim) == TML_OK);
    return r;
}

static void finish(run* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

// The largest difference of two poses.
static double apart(const tml_sim* a, const tml_sim* b, int body)
{
    const tml_pose p = tml_sim_pose(a, (tml_body){body});
    const tml_pose q = tml_sim_pose(b, (tml_body){body});
    const double d[7] = {p.p.x - q.p.x, p.p.y - q.p.y, p.p.z - q.p.z, p.q.w - q.q.w,
                         p.q.x - q.q.x, p.q.y - q.q.y, p.q.z - q.q.z};
    double largest = 0.0;
    for (int k = 0; k < 7; k++) {
        if (!(fabs(d[k]) <= largest)) largest = fabs(d[k]);
    }
    return largest;
}

static int is_same_pose(const tml_sim* a, const tml_sim* b, int body)
{
    const tml_pose p = tml_sim_pose(a, (tml_body){body});
    const tml_pose q = tml_sim_pose(b, (tml_body){body});
    return memcmp(&p, &q, sizeof p) == 0;
}

// Another simulation of the model, by a formulation's default integrator; NULL where it has none.
static tml_sim* simulate(const run* r, tml_formulation formulation)
{
    tml_sim_settings settings = *tml_sim_get_settings(r->sim);
    tml_sim* sim = NULL;
    settings.formulation = formulation;
    settings.integrator = tml_formulation_default_integrator(formulation);
    if (!tml_pairing_exists(formulation, settings.integrator)) return NULL;
    CHECK(tml_sim_create(r->model, &settings, &sim) == TML_OK);
    return sim;
}

TEST(a_push_is_a_wrench_of_the_model_bit_for_bit)
{
    run without = start(swing, "");
    run with = start(swing, ", 'forces': [{'type': 'wrench', 'body': 'rod', 'point': [0.4, 0.1, 0],"
                            " 'force': [1, -2, 3], 'torque': [0.1, 0.2, -0.3]}]");
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        tml_sim* pushed = simulate(&without, (tml_formulation)f);
        tml_sim* wrench = simulate(&with, (tml_formulation)f);
        if (pushed == NULL || wrench == NULL) continue;
        CHECK(tml_sim_push(pushed, (tml_body){0}, (tml_vec3){0.4, 0.1, 0.0},
                           (tml_vec3){1.0, -2.0, 3.0}, (tml_vec3){0.1, 0.2, -0.3}) == TML_OK);
        for (int k = 0; k < 40; k++) {
            CHECK(tml_sim_step(pushed, NULL) == TML_OK);
            CHECK(tml_sim_step(wrench, NULL) == TML_OK);
        }
        // where Newton starts from the multipliers of the state before, those of the first step
        // differ, and with them what it leaves within the tolerance
        const double slack = f == TML_FORM_QUATERNION || f == TML_FORM_GENERALIZED ? 0.0 : 1e-12;
        CHECK_NEAR(apart(pushed, wrench, 0), 0.0, slack);
        // and let go, it is the model without it
        CHECK(tml_sim_push(pushed, TML_WORLD, (tml_vec3){0}, (tml_vec3){0}, (tml_vec3){0}) ==
              TML_OK);
        CHECK(tml_sim_step(pushed, NULL) == TML_OK);
        CHECK(tml_sim_step(wrench, NULL) == TML_OK);
        CHECK(!is_same_pose(pushed, wrench, 0));
        tml_sim_destroy(pushed);
        tml_sim_destroy(wrench);
    }
    finish(&without);
    finish(&with);
}

static const char* const pair =
    "{'trammel': 1, 'bodies': [{'name': 'a', 'mass': 2, 'inertia': [0.02, 0.2, 0.2],"
    " 'position': [0.5, 0, 0], 'com': [0.1, 0, 0.05]},"
    " {'name': 'b', 'mass': 1, 'inertia': [0.02, 0.1, 0.1], 'position': [1.5, 0, 0]}],"
    " 'joints': [{'name': 'pin', 'type': 'universal', 'base': 'world', 'follower': 'a',"
    " 'axes': [[0, 1, 0], [0, 0, 1], [1, 0, 0]]},"
    " {'name': 'elbow', 'type': 'revolute', 'base': 'a', 'follower': 'b', 'position': [1, 0, 0],"
    " 'axis': [0, 1, 0]}]}";

TEST(many_pushes_are_so_many_wrenches_of_the_model)
{
    run without = start(pair, "");
    run with = start(pair, ", 'forces': ["
                           "{'type': 'wrench', 'body': 'a', 'point': [0.4, 0.1, 0],"
                           " 'force': [1, -2, 3], 'torque': [0.1, 0.2, -0.3]},"
                           "{'type': 'wrench', 'body': 'b', 'point': [0, 0.1, 0],"
                           " 'force': [0, -1, 2], 'torque': [0, 0, 0]},"
                           "{'type': 'wrench', 'body': 'a', 'point': [0, 0.1, 0.2],"
                           " 'force': [0.5, 0, 0.5], 'torque': [0, 0.1, 0]}]");
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        tml_sim* pushed = simulate(&without, (tml_formulation)f);
        tml_sim* wrench = simulate(&with, (tml_formulation)f);
        if (pushed == NULL || wrench == NULL) continue;
        const tml_vec3 none = {0.0, 0.0, 0.0};
        // what acts on a body is replaced by tml_sim_push and kept by tml_sim_add_push
        CHECK(tml_sim_push(pushed, (tml_body){0}, none, (tml_vec3){9.0, 9.0, 9.0}, none) == TML_OK);
        CHECK(tml_sim_push(pushed, (tml_body){0}, (tml_vec3){0.4, 0.1, 0.0},
                           (tml_vec3){1.0, -2.0, 3.0}, (tml_vec3){0.1, 0.2, -0.3}) == TML_OK);
        CHECK(tml_sim_push(pushed, (tml_body){1}, (tml_vec3){0.0, 0.1, 0.0},
                           (tml_vec3){0.0, -1.0, 2.0}, none) == TML_OK);
        CHECK(tml_sim_add_push(pushed, (tml_body){0}, (tml_vec3){0.0, 0.1, 0.2},
                               (tml_vec3){0.5, 0.0, 0.5}, (tml_vec3){0.0, 0.1, 0.0}) == TML_OK);
        CHECK(tml_sim_push_count(pushed) == 3);
        for (int k = 0; k < 40; k++) {
            CHECK(tml_sim_step(pushed, NULL) == TML_OK);
            CHECK(tml_sim_step(wrench, NULL) == TML_OK);
        }
        // as above
        const double slack = f == TML_FORM_QUATERNION || f == TML_FORM_GENERALIZED ? 0.0 : 1e-12;
        CHECK_NEAR(apart(pushed, wrench, 0), 0.0, slack);
        CHECK_NEAR(apart(pushed, wrench, 1), 0.0, 4.0 * slack);
        tml_sim_destroy(pushed);
        tml_sim_destroy(wrench);
    }
    finish(&without);
    finish(&with);
}

TEST(wrenches_of_all_bodies_act_at_their_centres_of_mass)
{
    run a = start(pair, "");
    run b = start(pair, "");
    const tml_load all[2] = {{{1.0, 2.0, 3.0}, {0.1, 0.0, 0.2}},
                             {{0.0, -1.0, 0.5}, {0.0, 0.0, 0.1}}};
    CHECK(tml_sim_set_wrenches(a.sim, all) == TML_OK);
    CHECK(tml_sim_push(b.sim, (tml_body){0}, (tml_vec3){0.1, 0.0, 0.05}, all[0].force,
                       all[0].moment) == TML_OK);
    CHECK(tml_sim_push(b.sim, (tml_body){1}, (tml_vec3){0.0, 0.0, 0.0}, all[1].force,
                       all[1].moment) == TML_OK);
    for (int k = 0; k < 20; k++) {
        CHECK(tml_sim_step(a.sim, NULL) == TML_OK);
        CHECK(tml_sim_step(b.sim, NULL) == TML_OK);
    }
    CHECK(is_same_pose(a.sim, b.sim, 0) && is_same_pose(a.sim, b.sim, 1));
    tml_load bad[2] = {all[0], all[1]};
    bad[1].moment.y = (double)INFINITY;
    CHECK(tml_sim_set_wrenches(a.sim, bad) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(a.sim), "'b'");
    CHECK(tml_sim_push_count(a.sim) == 2);
    CHECK(tml_sim_set_wrenches(a.sim, NULL) == TML_OK);
    CHECK(tml_sim_push_count(a.sim) == 0);
    finish(&a);
    finish(&b);
}

// The same bits as a model that has that gravity, from the first step on and in every pairing.
TEST(gravity_at_run_time_is_that_of_a_model)
{
    run heavy = start(pair, "");
    run light = start(pair, ", 'gravity': [0.5, 0, -1.6]");
    int runs = 0;
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        for (int i = 0; i < TML_INTEGRATORS; i++) {
            tml_sim_settings settings = tml_scene_settings(heavy.scene)->sim;
            settings.formulation = (tml_formulation)f;
            settings.integrator = (tml_integrator)i;
            tml_sim* a = NULL;
            tml_sim* b = NULL;
            if (tml_pairing_exists(settings.formulation, settings.integrator) &&
                tml_sim_create(heavy.model, &settings, &a) == TML_OK &&
                tml_sim_create(light.model, &settings, &b) == TML_OK) {
                CHECK(tml_sim_set_gravity(a, (tml_vec3){0.5, 0.0, -1.6}) == TML_OK);
                CHECK(tml_sim_gravity(a).z == -1.6 && tml_model_gravity(heavy.model).z == -9.81);
                CHECK(tml_sim_model(a) == heavy.model);
                CHECK(tml_sim_reset(a) == TML_OK);  // accelerations at the start are others now
                for (int k = 0; k < 10; k++) {
                    const tml_status status = tml_sim_step(b, NULL);
                    CHECK(tml_sim_step(a, NULL) == status);
                }
                CHECK(is_same_pose(a, b, 0) && is_same_pose(a, b, 1));
                CHECK(tml_sim_energy(a).potential == tml_sim_energy(b).potential);
                runs++;
            }
            tml_sim_destroy(a);
            tml_sim_destroy(b);
        }
    }
    CHECK(runs >= 15);
    CHECK(tml_sim_set_gravity(heavy.sim, (tml_vec3){(double)NAN, 0.0, 0.0}) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_gravity(heavy.sim).z == -9.81);
    finish(&heavy);
    finish(&light);
}

// From every formulation to every other: time, poses and velocities stay.
TEST(a_formulation_goes_on_from_another)
{
    run r = start(swing, "");
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        for (int g = 0; g < TML_FORMULATIONS; g++) {
            tml_sim* from = simulate(&r, (tml_formulation)f);
            tml_sim* to = simulate(&r, (tml_formulation)g);
            if (from != NULL && to != NULL) {
                for (int k = 0; k < 20; k++) CHECK(tml_sim_step(from, NULL) == TML_OK);
                const tml_status status = tml_sim_follow(to, from);
                CHECK(status == TML_OK);
                if (status != TML_OK) printf("%d %d %s\n", f, g, tml_sim_message(to));
                const tml_pose p = tml_sim_pose(from, (tml_body){0});
                const tml_pose q = tml_sim_pose(to, (tml_body){0});
                CHECK(tml_sim_time(to) == tml_sim_time(from));
                // unknowns of another kind round differently; gaps are closed to 1e-10
                CHECK_NEAR(q.p.x, p.p.x, 1e-9);
                CHECK_NEAR(q.p.z, p.p.z, 1e-9);
                const tml_vec3 u = tml_sim_velocity(from, (tml_body){0}).linear;
                const tml_vec3 v = tml_sim_velocity(to, (tml_body){0}).linear;
                // velocities become those that the rows allow at the poses: where a step's own are
                // off by its order, by as much
                CHECK_NEAR(v.z, u.z, 1e-2 * (1.0 + fabs(u.z)));
                CHECK(tml_sim_step(to, NULL) == TML_OK);
            }
            tml_sim_destroy(from);
            tml_sim_destroy(to);
        }
    }
    finish(&r);
}

TEST(a_push_that_makes_no_sense_is_refused_and_changes_nothing)
{
    run a = start(swing, "");
    run b = start(swing, "");
    const tml_vec3 zero = {0.0, 0.0, 0.0};
    CHECK(tml_sim_push(a.sim, (tml_body){7}, zero, zero, zero) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_push(a.sim, (tml_body){0}, zero, (tml_vec3){(double)NAN, 0.0, 0.0}, zero) ==
          TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(a.sim), "'rod'");
    CHECK(tml_sim_push(NULL, (tml_body){0}, zero, zero, zero) == TML_BAD_ARGUMENT);
    for (int k = 0; k < 5; k++) {
        CHECK(tml_sim_step(a.sim, NULL) == TML_OK);
        CHECK(tml_sim_step(b.sim, NULL) == TML_OK);
    }
    CHECK(is_same_pose(a.sim, b.sim, 0));
    finish(&a);
    finish(&b);
}

// The motor has turned 4.5 rad, more than half a turn, when the other method takes over.
TEST(another_method_goes_on_from_the_same_state_at_the_same_time)
{
    run r = start(spinner, "");
    for (int k = 0; k < 90; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);

    for (int i = 0; i < TML_INTEGRATORS; i++) {
        tml_sim_settings settings = *tml_sim_get_settings(r.sim);
        tml_sim* next = NULL;
        settings.integrator = (tml_integrator)i;
        settings.step = 0.001;
        if (!tml_pairing_exists(settings.formulation, settings.integrator)) continue;
        if (tml_sim_create(r.model, &settings, &next) != TML_OK) {
            tml_sim_destroy(next);
            continue;  // a method that needs settings of its own
        }
        CHECK(tml_sim_follow(next, r.sim) == TML_OK);
        CHECK(tml_sim_time(next) == tml_sim_time(r.sim));
        CHECK(is_same_pose(next, r.sim, 0) && is_same_pose(next, r.sim, 1));
        double q[TML_AXES];
        CHECK(tml_sim_joint_coordinates(next, (tml_joint){0}, q) == 1);
        CHECK_NEAR(q[0], 5.0 * 0.9, 1e-10);  // the tolerance of the rows

        for (int k = 0; k < 100; k++) CHECK(tml_sim_step(next, NULL) == TML_OK);
        // 100 steps of a thousandth; a sum of two roundings
        CHECK_NEAR(tml_sim_time(next), 1.0, 1e-15);
        tml_sim_joint_coordinates(next, (tml_joint){0}, q);
        // drifting baselines are off by their order; the others hold the motor's row
        CHECK_NEAR(q[0], 5.0, 1e-2);
        tml_sim_destroy(next);
    }
    finish(&r);
}

// Switching back and forth between bdf2 and bdf3 stays near the run without: what
// differs is a restart, O(h^2).
TEST(switching_changes_the_motion_no_more_than_the_methods_differ)
{
    double error[2];
    for (int pass = 0; pass < 2; pass++) {
        const double h = pass == 0 ? 0.01 : 0.005;
        run r = start(spinner, "");
        tml_sim_settings settings = *tml_sim_get_settings(r.sim);
        tml_sim* fine = NULL;
        tml_sim* now = NULL;
        settings.step = 1e-3;
        settings.integrator = TML_TIME_BDF4;
        CHECK(tml_sim_create(r.model, &settings, &fine) == TML_OK);
        for (int k = 0; k < 800; k++) CHECK(tml_sim_step(fine, NULL) == TML_OK);
        settings.step = h;
        settings.integrator = TML_TIME_BDF2;
        CHECK(tml_sim_create(r.model, &settings, &now) == TML_OK);
        for (int part = 0; part < 4; part++) {
            tml_sim* next = NULL;
            for (int k = 0; k < (pass + 1) * 20; k++) CHECK(tml_sim_step(now, NULL) == TML_OK);
            settings.integrator = part % 2 == 0 ? TML_TIME_BDF3 : TML_TIME_BDF2;
            CHECK(tml_sim_create(r.model, &settings, &next) == TML_OK);
            CHECK(tml_sim_follow(next, now) == TML_OK);
            tml_sim_destroy(now);
            now = next;
        }
        const tml_vec3 p = tml_sim_pose(now, (tml_body){1}).p;
        const tml_vec3 q = tml_sim_pose(fine, (tml_body){1}).p;
        CHECK_NEAR(tml_sim_time(now), tml_sim_time(fine), 1e-12);
        error[pass] = fabs(p.x - q.x) + fabs(p.y - q.y) + fabs(p.z - q.z);
        tml_sim_destroy(now);
        tml_sim_destroy(fine);
        finish(&r);
    }
    CHECK(error[0] < 5e-3);
    CHECK(error[1] < 0.35 * error[0]);  // second order: a quarter, with room for the next term
}

TEST(a_simulation_of_another_model_is_not_followed)
{
    run a = start(swing, "");
    run b = start(spinner, "");
    const size_t bytes = tml_sim_state_size(a.sim);
    void* before = malloc(bytes);
    void* after = malloc(bytes);
    CHECK(tml_sim_save(a.sim, before) == TML_OK);
    CHECK(tml_sim_follow(a.sim, b.sim) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(a.sim), "same model");
    CHECK(tml_sim_follow(a.sim, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_save(a.sim, after) == TML_OK);
    CHECK(memcmp(before, after, bytes) == 0);
    free(before);
    free(after);
    finish(&a);
    finish(&b);
}
