// test/analysis/assemble.c - open joints closed: every loop scene pulled apart and put together again.
#include "scenes/builders.h"
#include "test/check.h"
#include "test/sim/loops.h"
#include "test/sim/mechanisms.h"
#include "test/sim/world.h"

static const char* const loops[] = {
    "four-bar",          "bricard",          "andrews",     "two-hinge-door",
    "four-legged-table", "scissor-lift",     "jansen-leg",  "showcase",
    "overactuated-leg",  "stewart-platform", "delta-robot", "gear-train",
    "robot-arm",         "rack-and-pinion",  "joint-zoo",   "flyball-governor",
};

enum {
    LOOPS = sizeof loops / sizeof loops[0]
};

// Pull apart, assemble, and ask an independent model for the gaps.
static void pull_apart(const char* name, double length, double angle, uint64_t salt)
{
    loop_scene s = loop_open(name);
    random_source r = random_start(salt);
    tml_pose* start = loop_scatter(&s, &r, length, angle);
    tml_pose* poses = calloc((size_t)s.bodies, sizeof *poses);
    tml_assemble_settings settings = tml_assemble_settings_default();
    tml_assemble_report report;
    char why[1024];

    settings.start = start;
    const tml_status status =
        tml_model_assemble(s.model, &settings, poses, &report, why, sizeof why);
    if (status != TML_OK) printf("%s: %s\n", name, why);
    CHECK(status == TML_OK);
    CHECK(report.gap_before > 0.1 * length);
    CHECK(report.gap_after <= 1e-10);
    // the model made from the answer; 1e-12 for frames carried to and fro
    CHECK(loop_gap(&s, poses) <= 1e-10 + 1e-12);
    // nothing flies away, and the distance is what the definitions say
    CHECK(report.moved <= 4.0 * (length + angle * s.size));
    CHECK_NEAR(report.distance, sqrt(loop_distance(&s, start, poses)), 1e-9 * report.distance);
    free(start);
    free(poses);
    loop_close(&s);
}

TEST(loops_open_by_millimetres_close)
{
    for (int i = 0; i < LOOPS; i++) pull_apart(loops[i], 0.002, 0.01, (uint64_t)i);
}

TEST(loops_open_by_tens_of_centimetres_and_degrees_close)
{
    for (int i = 0; i < LOOPS; i++) {
        for (uint64_t k = 0; k < 3; k++) pull_apart(loops[i], 0.2, 0.4, 100 * k + (uint64_t)i);
    }
}

TEST(a_closed_model_stays_where_it_is)
{
    for (int i = 0; i < LOOPS; i++) {
        loop_scene s = loop_open(loops[i]);
        tml_pose* poses = calloc((size_t)s.bodies, sizeof *poses);
        const tml_assemble_settings settings = tml_assemble_settings_default();
        tml_assemble_report report;
        CHECK(tml_model_assemble(s.model, &settings, poses, &report, NULL, 0) == TML_OK);
        CHECK(report.moved <= 1e-9);
        CHECK(report.turned <= 1e-9);
        free(poses);
        loop_close(&s);
    }
}

// A pendulum on a pin through which its rod does not pass: the nearest pose has a closed form. For a
// point held at the origin and inertia large in all directions the body only shifts.
TEST(a_heavy_body_shifts_and_a_light_one_turns_as_the_mass_norm_says)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.name = "rod";
    def.mass = 2.0;
    const double J = 0.5;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = J;
    def.pose.p = (tml_vec3){1.0, 0.0, 0.0};
    const tml_body body = tml_spec_add_body(spec, &def);
    tml_joint_def pin = tml_joint_def_default();
    pin.kind = TML_JOINT_REVOLUTE;
    pin.follower = body;
    pin.axis = (tml_vec3){0.0, 0.0, 1.0};
    pin.has_follower_frame = 1;
    // the hole of the rod is 0.001 m above the pin
    const double h = 0.001;
    pin.follower_position = (tml_vec3){0.0, h, 0.0};
    pin.follower_axis = pin.axis;
    tml_spec_add_joint(spec, &pin);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);

    tml_pose pose;
    tml_assemble_report report;
    const tml_assemble_settings settings = tml_assemble_settings_default();
    CHECK(tml_model_assemble(model, &settings, &pose, &report, NULL, 0) == TML_OK);
    CHECK_NEAR(report.gap_before, h, 1e-15);

    // c(theta) = R(theta) (c0 - hole): minimise m |c - c0|^2 + J theta^2 over the one angle, by Newton
    // on differences
    const double a[2] = {1.0, -h};
    double theta = 0.0;
    for (int k = 0; k < 50; k++) {
        const double x = cos(theta) * a[0] - sin(theta) * a[1];
        const double y = sin(theta) * a[0] + cos(theta) * a[1];
        const double slope = 2.0 * 2.0 * ((x - 1.0) * -y + y * x) + 2.0 * J * theta;
        const double bend = 2.0 * 2.0 * (x * x + y * y - (x - 1.0) * x - y * y) + 2.0 * J;
        theta -= slope / bend;
    }
    CHECK_NEAR(2.0 * asin(pose.q.z), theta, 1e-10);
    CHECK_NEAR(pose.p.x, cos(theta) * a[0] - sin(theta) * a[1], 1e-10);
    CHECK_NEAR(pose.p.y, sin(theta) * a[0] + cos(theta) * a[1], 1e-10);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

// No other assembled pose nearby is nearer: assembled again from poses a little off, all are farther
// from the start.
TEST(the_answer_is_the_nearest_of_its_neighbours)
{
    static const char* const names[] = {"four-bar", "bricard", "delta-robot", "joint-zoo"};
    for (int i = 0; i < 4; i++) {
        loop_scene s = loop_open(names[i]);
        random_source r = random_start(77 + (uint64_t)i);
        tml_pose* start = loop_scatter(&s, &r, 0.05, 0.2);
        tml_pose* nearest = calloc((size_t)s.bodies, sizeof *nearest);
        tml_pose* other = calloc((size_t)s.bodies, sizeof *other);
        tml_pose* off = calloc((size_t)s.bodies, sizeof *off);
        tml_assemble_settings settings = tml_assemble_settings_default();
        settings.start = start;
        CHECK(tml_model_assemble(s.model, &settings, nearest, NULL, NULL, 0) == TML_OK);
        const double least = loop_distance(&s, start, nearest);
        double farthest = 0.0;
        for (int k = 0; k < 10; k++) {
            for (int b = 0; b < s.bodies; b++) {
                off[b].p = v3_add(nearest[b].p, random_vec3(&r, 0.02));
                off[b].q = q_turn(nearest[b].q, random_vec3(&r, 0.02));
            }
            settings.start = off;
            CHECK(tml_model_assemble(s.model, &settings, other, NULL, NULL, 0) == TML_OK);
            const double distance = loop_distance(&s, start, other);
            CHECK(distance >= least * (1.0 - 1e-12));
            if (distance > farthest) farthest = distance;
        }
        // the neighbours do differ (delta-robot is driven and has only one pose)
        CHECK(i == 2 || farthest > least * (1.0 + 1e-6));
        free(start);
        free(nearest);
        free(other);
        free(off);
        loop_close(&s);
    }
}

// The coupler of the four-bar lies above the line from crank pin to ground pin at the start, and
// stays there: the other way to close the loop is never taken.
TEST(the_four_bar_stays_on_its_branch)
{
    loop_scene s = loop_open("four-bar");
    random_source r = random_start(5);
    for (int k = 0; k < 50; k++) {
        tml_pose* start = loop_scatter(&s, &r, 0.1, 0.2);
        tml_pose poses[3];
        tml_assemble_settings settings = tml_assemble_settings_default();
        settings.start = start;
        CHECK(tml_model_assemble(s.model, &settings, poses, NULL, NULL, 0) == TML_OK);
        // twice the middle of the crank is its pin A (O is the origin); B follows from the rocker
        const vec3 A = v3_scale(2.0, poses[0].p);
        const vec3 B = v3_sub(v3_scale(2.0, poses[2].p), v3(1.1, 0.0, 0.0));
        const vec3 D = v3(1.1, 0.0, 0.0);
        CHECK(v3_cross(v3_sub(D, A), v3_sub(B, A)).z > 0.0);
        CHECK_NEAR(v3_norm(v3_sub(B, A)), 1.0, 1e-9);
        free(start);
    }
    loop_close(&s);
}

TEST(a_flipped_joint_is_turned_back_by_the_tree)
{
    loop_scene s = loop_open("joint-zoo");
    tml_pose* start = calloc((size_t)s.bodies, sizeof *start);
    tml_pose* poses = calloc((size_t)s.bodies, sizeof *poses);
    for (int b = 0; b < s.bodies; b++) {
        start[b] = tml_model_body(s.model, (tml_body){b})->pose;
        start[b].q = q_turn(q_normalize(start[b].q), v3(0.3, 2.9, 0.2));
    }
    tml_assemble_settings settings = tml_assemble_settings_default();
    settings.start = start;
    char why[512];
    const tml_status status = tml_model_assemble(s.model, &settings, poses, NULL, why, sizeof why);
    if (status != TML_OK) printf("%s\n", why);
    CHECK(status == TML_OK);
    // the weld stands upright again
    const tml_body weld = tml_model_joint(s.model, (tml_joint){0}).follower;
    const quat now = poses[weld.index].q;
    const quat was = q_normalize(tml_model_body(s.model, weld)->pose.q);
    CHECK_NEAR(fabs(q_dot(now, was)), 1.0, 1e-12);
    free(start);
    free(poses);
    loop_close(&s);
}

// The ladder's foot is asked to stand 0.2 m farther out than its rod is long.
static void build_overstretched(tml_spec* spec, tml_run_settings* run)
{
    build_ladder(spec, run);
    const tml_control far = tml_control_constant(0.6);
    tml_spec_set_control(spec, (tml_joint){0}, TML_AXIS_TX, &far);
}

TEST(what_cannot_be_closed_is_named_with_its_gap)
{
    world w = world_build(build_overstretched);
    tml_pose poses[3];
    tml_assemble_report report;
    char why[1024];
    const tml_assemble_settings settings = tml_assemble_settings_default();
    CHECK(tml_model_assemble(w.model, &settings, poses, &report, why, sizeof why) ==
          TML_INFEASIBLE);
    CHECK_CONTAINS(why, "still open");
    CHECK_CONTAINS(why, "by 0.");
    CHECK(report.gap_after > 0.01);
    CHECK(report.gap_after < 0.3);
    world_end(&w);
}

// Hoberman's ring with the pin of one of its scissors held a second time, 2 cm further out on one bar:
// as if that bar were longer than its twin. No opening of the ring closes it.
static void build_misfit_ring(tml_spec* spec, tml_run_settings* run)
{
    scene_hoberman_ring(spec, run);
    tml_joint_def pin = tml_joint_def_default();
    pin.name = "misfit";
    pin.kind = TML_JOINT_SPHERICAL;
    pin.base = tml_spec_find_body(spec, "bar.0.1.0");
    pin.follower = tml_spec_find_body(spec, "bar.0.1.1");
    pin.position = (tml_vec3){0.20818484604075424, 0.0, 0.4085857659265566};
    pin.has_follower_frame = 1;
    pin.follower_position = (tml_vec3){pin.position.x + 0.02, 0.0, pin.position.z};
    tml_spec_add_joint(spec, &pin);
}

// The sphere of the same kind once went on for minutes, in steps that led nowhere.
TEST(many_loops_that_cannot_close_come_to_rest_and_say_where)
{
    world w = world_build(build_misfit_ring);
    tml_pose* poses = calloc((size_t)tml_model_body_count(w.model), sizeof *poses);
    tml_assemble_report report;
    char why[1024];
    const tml_assemble_settings settings = tml_assemble_settings_default();
    CHECK(tml_model_assemble(w.model, &settings, poses, &report, why, sizeof why) ==
          TML_INFEASIBLE);
    CHECK_CONTAINS(why, "still open");
    CHECK_CONTAINS(why, "misfit");
    // the two pins of one bar are 2 cm apart, whatever the others do: shared at best
    CHECK(report.gap_after > 0.005);
    CHECK(report.gap_after < 0.02);
    CHECK(report.iterations < settings.max_iterations / 2);
    free(poses);
    world_end(&w);
}

TEST(limits_hold_while_closing)
{
    tml_spec* spec = tml_spec_create();
    const tml_vec3 origin = {0.0, 0.0, 0.0};
    const tml_body body = add_lump(spec, "body", 1.0, origin);
    tml_joint_def rail =
        link_of("rail", TML_JOINT_PRISMATIC, TML_WORLD, body, origin, (tml_vec3){1.0, 0.0, 0.0});
    rail.axis_of[TML_AXIS_TX].has_limits = 1;
    rail.axis_of[TML_AXIS_TX].lower = -0.1;
    rail.axis_of[TML_AXIS_TX].upper = 0.2;
    tml_spec_add_joint(spec, &rail);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_pose start = tml_model_body(model, body)->pose;
    tml_pose pose;
    tml_assemble_settings settings = tml_assemble_settings_default();
    settings.start = &start;
    start.p = (tml_vec3){0.7, 0.3, 0.0};
    CHECK(tml_model_assemble(model, &settings, &pose, NULL, NULL, 0) == TML_OK);
    CHECK_NEAR(pose.p.x, 0.2, 1e-10);
    start.p = (tml_vec3){-0.7, 0.3, 0.0};
    CHECK(tml_model_assemble(model, &settings, &pose, NULL, NULL, 0) == TML_OK);
    CHECK_NEAR(pose.p.x, -0.1, 1e-10);
    start.p = (tml_vec3){0.05, 0.3, 0.0};
    CHECK(tml_model_assemble(model, &settings, &pose, NULL, NULL, 0) == TML_OK);
    CHECK_NEAR(pose.p.x, 0.05, 1e-9);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
}

TEST(bad_arguments_are_refused)
{
    loop_scene s = loop_open("four-bar");
    tml_pose poses[3];
    tml_assemble_settings settings = tml_assemble_settings_default();
    char why[256];
    settings.tolerance = 1.0;
    CHECK(tml_model_assemble(s.model, &settings, poses, NULL, why, sizeof why) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why, "tolerance");
    settings = tml_assemble_settings_default();
    tml_pose start[3] = {{.p = {(double)NAN, 0.0, 0.0}, .q = {1.0, 0.0, 0.0, 0.0}}};
    settings.start = start;
    CHECK(tml_model_assemble(s.model, &settings, poses, NULL, why, sizeof why) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(why, "crank");
    CHECK(tml_model_assemble(NULL, &settings, poses, NULL, why, sizeof why) == TML_BAD_ARGUMENT);
    CHECK(tml_spec_set_poses(tml_scene_spec(s.scene), start) == TML_BAD_ARGUMENT);
    loop_close(&s);
}
