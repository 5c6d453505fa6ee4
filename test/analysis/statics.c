// test/analysis/statics.c - equilibria against closed forms, against runs that settle, and what stability
// says about them.                                                          [COOK Sec 8]
#include "test/check.h"

#include <trammel/trammel.h>

typedef struct rest {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
    tml_statics_report report;
    tml_status status;
} rest;

static rest load_scene(const char* text)
{
    rest r = {.scene = tml_scene_create()};
    if (tml_scene_read_text(r.scene, text, strlen(text), "test") != TML_OK ||
        tml_scene_build(r.scene, &r.model) != TML_OK ||
        tml_sim_create(r.model, &tml_scene_settings(r.scene)->sim, &r.sim) != TML_OK) {
        printf("the test's own scene is refused: %s %s\n", tml_scene_message(r.scene),
               tml_sim_message(r.sim));
        check_failures++;
    }
    return r;
}

static rest settle(const char* text, int load_steps)
{
    tml_statics_settings settings = tml_statics_settings_default();
    settings.load_steps = load_steps;
    rest r = load_scene(text);
    r.status = tml_sim_settle(r.sim, &settings, &r.report);
    return r;
}

static void end(rest* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

// A rod of length 1 and mass 2 on a hinge about y at the origin, at an angle below level.
static const char* rod(double angle, const char* extra)
{
    static char text[2000];
    const double c = cos(angle);
    const double s = sin(angle);
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"bodies\": [{\"name\": \"rod\", \"mass\": 2, \"inertia\": [0.01, "
             "0.2, 0.2], \"position\": [%.17g, 0, %.17g], \"orientation\": [%.17g, 0, %.17g, 0]}], "
             "\"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"base\": \"world\", "
             "\"follower\": \"rod\", \"position\": [0, 0, 0], \"axis\": [0, 1, 0]%s}]}",
             0.5 * c, -0.5 * s, cos(0.5 * angle), sin(0.5 * angle), extra);
    return text;
}

static const double weight = 2.0 * 9.81;
static const double moment = 0.2 + 2.0 * 0.25;  // about the hinge

// ---- closed forms

TEST(a_pendulum_hangs_and_its_stiffness_is_its_frequency)
{
    rest r = settle(rod(0.3, ""), 1);
    CHECK(r.status == TML_OK);
    const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
    CHECK_NEAR(pose.p.x, 0.0, 1e-10);  // the tolerance of the last move
    CHECK_NEAR(pose.p.z, -0.5, 1e-10);
    CHECK(r.report.stability == TML_STABLE && r.report.freedoms == 1);
    CHECK_NEAR(r.report.softest, weight * 0.5 / moment, 1e-9);
    const tml_load load = tml_sim_joint_load(r.sim, (tml_joint){0});
    CHECK_NEAR(load.force.x * load.force.x + load.force.y * load.force.y +
                   load.force.z * load.force.z,
               weight * weight, 1e-8);
    CHECK(tml_sim_energy(r.sim).kinetic == 0.0);
    CHECK(tml_sim_gap(r.sim) <= 1e-10);
    end(&r);
}

// Upside down it is balanced, so it stays, and says what it is: -m g l / J.
TEST(a_pendulum_upside_down_stays_and_is_unstable)
{
    rest r = settle(rod(-1.5707963267948966, ""), 1);
    CHECK(r.status == TML_OK);
    CHECK_NEAR(tml_sim_pose(r.sim, (tml_body){0}).p.z, 0.5, 1e-12);
    CHECK(r.report.stability == TML_UNSTABLE && r.report.unstable == 1);
    CHECK_NEAR(r.report.softest, -weight * 0.5 / moment, 1e-9);
    end(&r);
}

// A spring of the hinge holds it up when k > m g l, softened by gravity.
TEST(a_spring_holds_an_inverted_pendulum_up_when_it_is_stiff_enough)
{
    rest r = settle(rod(-1.5707963267948966, ", \"stiffness\": 15"), 1);
    CHECK(r.status == TML_OK && r.report.stability == TML_STABLE);
    CHECK_NEAR(r.report.softest, (15.0 - weight * 0.5) / moment, 1e-9);
    end(&r);
    r = settle(rod(-1.5707963267948966, ", \"stiffness\": 9"), 1);
    CHECK(r.status == TML_OK && r.report.stability == TML_UNSTABLE);
    end(&r);
    // pushed over, the weak spring finds the leaning pose: k q = m g l cos(angle)
    r = settle(rod(-1.4, ", \"stiffness\": 9, \"rest\": -0.1"), 1);
    CHECK(r.status == TML_OK && r.report.stability == TML_STABLE);
    double q[6];
    tml_sim_joint_coordinates(r.sim, (tml_joint){0}, q);
    CHECK_NEAR(9.0 * (q[0] + 0.1), weight * 0.5 * cos(-1.4 + q[0]), 1e-8);
    end(&r);
}

// Rods of equal weight between two hooks: the horizontal force is one number H, and half way along
// rod i the vertical force is H tan(angle_i), which changes by a rod's weight from rod to rod.
TEST(a_chain_between_two_hooks_is_the_catenary_of_rods)
{
    rest r =
        settle("{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"chain\", \"name\": "
               "\"c\", \"links\": 24, \"joint\": \"spherical\", \"link\": {\"length\": 0.1, "
               "\"radius\": 0.005, \"mass\": 0.2}, \"pose\": \"zigzag\", \"closed\": true}]}",
               1);
    CHECK(r.status == TML_OK);
    double slope[24];
    for (int i = 0; i < 24; i++) {
        const tml_quat q = tml_sim_pose(r.sim, (tml_body){i}).q;
        // the rod's own axis, body x, in the world
        const double x = 1.0 - 2.0 * (q.y * q.y + q.z * q.z);
        const double z = 2.0 * (q.x * q.z - q.w * q.y);
        slope[i] = z / x;
    }
    // every rod may spin about itself
    CHECK(r.report.stability == TML_NEUTRAL && r.report.neutral == 24 && r.report.unstable == 0);
    const double difference = slope[1] - slope[0];
    for (int i = 1; i < 24; i++) CHECK_NEAR(slope[i] - slope[i - 1], difference, 1e-8);
    CHECK_NEAR(slope[0] + slope[23], 0.0, 1e-8);
    end(&r);
}

// A weight on a compliant row sinks by m g compliance.
TEST(a_compliant_row_gives_way_by_its_load)
{
    rest r = settle(rod(0.0, ", \"compliance\": {\"tz\": 0.001, \"tx\": 0.002, \"ty\": 0.002}"), 1);
    CHECK(r.status == TML_OK && r.report.stability == TML_STABLE && r.report.freedoms == 4);
    const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
    const double reach = -pose.p.z - 0.5;  // how far the hinge has come down; one of three axes
    CHECK(fabs(reach - 0.002 * weight) < 1e-9 || fabs(reach - 0.001 * weight) < 1e-9);
    end(&r);
}

// The rod comes down on its stop, which carries m g l cos(angle).
TEST(a_limit_carries_what_rests_on_it)
{
    rest r = settle(rod(0.1, ", \"limits\": {\"rx\": [-0.2, 0.4]}"), 1);
    CHECK(r.status == TML_OK);
    double q[6];
    tml_sim_joint_coordinates(r.sim, (tml_joint){0}, q);
    CHECK_NEAR(q[0], 0.4, 1e-10);
    CHECK_NEAR(fabs(tml_sim_joint_load(r.sim, (tml_joint){0}).moment.x), weight * 0.5 * cos(0.5),
               1e-8);
    CHECK(r.report.freedoms == 0 && r.report.stability == TML_STABLE);
    end(&r);
}

// ---- other ways to the same place

TEST(load_steps_end_where_one_step_does)
{
    const char* text = rod(0.2, ", \"stiffness\": 4");
    rest once = settle(text, 1);
    rest often = settle(text, 7);
    CHECK(once.status == TML_OK && often.status == TML_OK);
    const tml_pose a = tml_sim_pose(once.sim, (tml_body){0});
    const tml_pose b = tml_sim_pose(often.sim, (tml_body){0});
    CHECK_NEAR(a.p.x, b.p.x, 2e-10);
    CHECK_NEAR(a.p.z, b.p.z, 2e-10);
    end(&once);
    end(&often);
}

// A damped run creeps to the same pose; after 40 s exp(-c t / 2 J) is below 1e-11.
TEST(a_damped_run_settles_where_statics_says)
{
    const char* text = rod(0.2, ", \"stiffness\": 4, \"damping\": 1");
    rest r = settle(text, 1);
    rest run = load_scene(text);
    for (int k = 0; k < 4000; k++) CHECK(tml_sim_step(run.sim, NULL) == TML_OK);
    const tml_pose a = tml_sim_pose(r.sim, (tml_body){0});
    const tml_pose b = tml_sim_pose(run.sim, (tml_body){0});
    CHECK_NEAR(a.p.x, b.p.x, 1e-9);
    CHECK_NEAR(a.p.z, b.p.z, 1e-9);
    end(&r);
    end(&run);
}

TEST(at_rest_a_simulation_goes_on_resting)
{
    rest r = settle(rod(0.3, ", \"stiffness\": 4"), 1);
    const tml_pose before = tml_sim_pose(r.sim, (tml_body){0});
    for (int k = 0; k < 50; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    const tml_pose after = tml_sim_pose(r.sim, (tml_body){0});
    CHECK_NEAR(before.p.x, after.p.x, 1e-9);
    CHECK_NEAR(before.p.z, after.p.z, 1e-9);
    end(&r);
}

// ---- no equilibrium, and nothing is lost

TEST(what_falls_for_ever_is_named_and_left_where_it_was)
{
    const char* text =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"stone\", \"mass\": 1, \"inertia\": "
        "[1, 1, 1], \"velocity\": [1, 2, 3]}]}";
    rest r = load_scene(text);
    const size_t bytes = tml_sim_state_size(r.sim);
    void* before = calloc(1, bytes);
    void* after = calloc(1, bytes);
    tml_statics_settings settings = tml_statics_settings_default();
    CHECK(tml_sim_save(r.sim, before) == TML_OK);
    CHECK(tml_sim_settle(r.sim, &settings, &r.report) == TML_NOT_CONVERGED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "'stone'");
    CHECK(tml_sim_save(r.sim, after) == TML_OK);
    CHECK(memcmp(before, after, bytes) == 0);
    free(before);
    free(after);
    end(&r);
}

TEST(wrong_settings_and_no_simulation_are_refused)
{
    rest r = load_scene(rod(0.0, ""));
    tml_statics_settings settings = tml_statics_settings_default();
    settings.load_steps = 0;
    CHECK(tml_sim_settle(r.sim, &settings, NULL) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(r.sim), "load steps");
    CHECK(tml_sim_settle(NULL, &settings, NULL) == TML_BAD_ARGUMENT);
    CHECK(tml_sim_settle(r.sim, NULL, NULL) == TML_BAD_ARGUMENT);
    end(&r);
}
