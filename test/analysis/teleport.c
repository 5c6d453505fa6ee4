// test/analysis/teleport.c - joints set by hand in running simulations, and whole states.
#include "test/analysis/teleports.h"
#include "test/check.h"

TEST(random_teleports_assemble_or_say_why)
{
    // 25 each: a few hundred
    for (int i = 0; i < TELEPORT_SCENES; i++) teleport_at_random(teleport_scenes[i], 25);
}

// The walk that begins with the hundredth leads a ball joint to where its angles jump.
TEST(turns_are_counted_where_angles_jump) { teleport_at_random("stewart-platform", 150); }

// Twice around: the crank of the four-bar goes to any angle, B stays above the line from A to D, and
// everything is where the circles of coupler and rocker meet.
TEST(the_crank_goes_around_and_the_coupler_stays_on_its_side)
{
    loop_scene s = loop_open("four-bar");
    tml_sim* sim = teleport_start(&s);
    random_source r = random_start(3);
    const tml_joint crank = tml_model_find_joint(s.model, "O");

    for (int k = 0; k < 60; k++) {
        const double value = random_between(&r, -7.0, 7.0);
        CHECK(tml_sim_set_joint(sim, crank, TML_AXIS_RX, value) == TML_OK);
        double q[TML_AXES];
        tml_sim_joint_coordinates(sim, crank, q);
        CHECK_NEAR(q[0], value, 1e-9);  // unwrapped, not only up to whole turns

        // the crank stands upright at the start
        const vec3 A = v3(-0.4 * sin(value), 0.4 * cos(value), 0.0);
        const vec3 D = v3(1.1, 0.0, 0.0);
        const vec3 AD = v3_sub(D, A);
        const double along = (v3_dot(AD, AD) + 1.0 * 1.0 - 0.8 * 0.8) / (2.0 * v3_norm(AD));
        const double aside = sqrt(1.0 - along * along);
        const vec3 e = v3_scale(1.0 / v3_norm(AD), AD);
        const vec3 B = v3_add(A, v3(along * e.x - aside * e.y, along * e.y + aside * e.x, 0.0));
        const tml_pose coupler = tml_sim_pose(sim, (tml_body){1});
        CHECK_NEAR(v3_norm(v3_sub(coupler.p, v3_scale(0.5, v3_add(A, B)))), 0.0, 1e-9);
    }
    tml_sim_destroy(sim);
    loop_close(&s);
}

// The rocker cannot swing all around: the answer says how far it gets, and nothing has changed.
TEST(what_cannot_follow_is_named_and_the_state_stays)
{
    loop_scene s = loop_open("four-bar");
    tml_sim* sim = teleport_start(&s);
    const tml_joint rocker = tml_model_find_joint(s.model, "D");
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    blob before = world_snapshot(sim);

    CHECK(tml_sim_set_joint(sim, rocker, TML_AXIS_RX, 3.0) == TML_INFEASIBLE);
    CHECK_CONTAINS(tml_sim_message(sim), "joint 'D'");
    CHECK_CONTAINS(tml_sim_message(sim), "follows as far as");
    // the end is where crank and coupler fold, |OB| = 1.0 - 0.4: the angle of the triangle O D B there,
    // less the one at the start; found to the 256th part of a step of 0.2 rad
    const double AD = sqrt(1.1 * 1.1 + 0.4 * 0.4);
    const double along = (AD * AD + 1.0 - 0.8 * 0.8) / (2.0 * AD);
    const double aside = sqrt(1.0 - along * along);
    const double start =
        atan2(0.4 + (-0.4 * along + 1.1 * aside) / AD, (1.1 * along + 0.4 * aside) / AD - 1.1);
    const double end = acos(-1.0) - acos((1.1 * 1.1 + 0.8 * 0.8 - 0.6 * 0.6) / (2.0 * 1.1 * 0.8));
    const char* reached = strstr(tml_sim_message(sim), "as far as ");
    CHECK_NEAR(reached != NULL ? strtod(reached + 10, NULL) : 0.0, end - start, 0.2 / 256.0);
    blob after = world_snapshot(sim);
    CHECK(blob_equal(&before, &after));
    blob_free(&after);

    // and the next step is the one it would have been
    tml_sim* twin = teleport_start(&s);
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(twin, NULL) == TML_OK);
    CHECK(tml_sim_step(sim, NULL) == TML_OK);
    CHECK(tml_sim_step(twin, NULL) == TML_OK);
    CHECK(world_agree(sim, twin));
    blob_free(&before);
    tml_sim_destroy(twin);
    tml_sim_destroy(sim);
    loop_close(&s);
}

TEST(refusals_have_sentences_and_change_nothing)
{
    static const struct {
        const char* scene;
        const char* joint;
        tml_axis axis;
        double value;
        const char* piece;
    } cases[] = {
        {"pendulum", NULL, TML_AXIS_TX, 0.1, "holds tx"},
        {"robot-arm", "elbow", TML_AXIS_RX, 0.1, "position actuator"},
        {"pendulum", NULL, TML_AXIS_RX, (double)NAN, "no value"},
        {"pendulum", NULL, TML_AXIS_RX, 1e9, "too far"},
        {"flap", NULL, TML_AXIS_RX, 100.0, "outside its limits"},
    };
    for (int i = 0; i < 5; i++) {
        loop_scene s = loop_open(cases[i].scene);
        tml_sim* sim = teleport_start(&s);
        blob before = world_snapshot(sim);
        const tml_joint joint =
            cases[i].joint != NULL ? tml_model_find_joint(s.model, cases[i].joint) : (tml_joint){0};
        CHECK(tml_sim_set_joint(sim, joint, cases[i].axis, cases[i].value) == TML_BAD_ARGUMENT);
        CHECK_CONTAINS(tml_sim_message(sim), cases[i].piece);
        blob after = world_snapshot(sim);
        CHECK(blob_equal(&before, &after));
        blob_free(&before);
        blob_free(&after);
        tml_sim_destroy(sim);
        loop_close(&s);
    }
    CHECK(tml_sim_set_joint(NULL, (tml_joint){0}, TML_AXIS_RX, 0.0) == TML_BAD_ARGUMENT);
}

// A pendulum set to an angle keeps its angular velocity, and swings on from there: the twin that was
// built there does the same.
TEST(velocities_survive_as_far_as_the_joints_allow)
{
    loop_scene s = loop_open("pendulum");
    tml_sim* sim = teleport_start(&s);
    const tml_joint pin = {0};
    for (int k = 0; k < 20; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    const tml_velocity before = tml_sim_velocity(sim, (tml_body){0});
    const double time = tml_sim_time(sim);

    CHECK(tml_sim_set_joint(sim, pin, TML_AXIS_RX, 2.5) == TML_OK);
    const tml_velocity after = tml_sim_velocity(sim, (tml_body){0});
    const tml_pose pose = tml_sim_pose(sim, (tml_body){0});
    CHECK(tml_sim_time(sim) == time);
    // the velocity of the centre now follows from the turning
    const vec3 v = v3_cross(after.angular, pose.p);
    CHECK_NEAR(v3_norm(v3_sub(v, after.linear)), 0.0, 1e-12);
    // and a hinge turns on as fast as it did, but for what BDF2 had left beside the rows (h^2 = 1e-4)
    CHECK(v3_norm(before.angular) > 1.0);
    CHECK_NEAR(v3_norm(v3_sub(after.angular, before.angular)), 0.0, 1e-3);
    CHECK(tml_sim_get_report(sim).restarts == 1);

    // a second simulation, told the same state outright
    tml_sim* twin = teleport_start(&s);
    CHECK(tml_sim_set_state(twin, &pose, &after) == TML_OK);
    for (int k = 0; k < 50; k++) {
        CHECK(tml_sim_step(sim, NULL) == TML_OK);
        CHECK(tml_sim_step(twin, NULL) == TML_OK);
    }
    const tml_pose a = tml_sim_pose(sim, (tml_body){0});
    const tml_pose b = tml_sim_pose(twin, (tml_body){0});
    CHECK_NEAR(v3_norm(v3_sub(a.p, b.p)), 0.0, 1e-9);
    tml_sim_destroy(twin);
    tml_sim_destroy(sim);
    loop_close(&s);
}

// Velocities used to shrink from teleport to teleport, down to numbers that no solver could handle.
TEST(a_door_moved_a_thousand_times_swings_as_fast_as_ever)
{
    loop_scene s = loop_open("two-hinge-door");
    tml_sim* sim = teleport_start(&s);
    random_source r = random_start(17);
    for (int k = 0; k < 5; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    // the first takes out what BDF2 had left beside the rows
    CHECK(tml_sim_set_joint(sim, (tml_joint){0}, TML_AXIS_RX, 0.1) == TML_OK);
    const double before = v3_norm(tml_sim_velocity(sim, (tml_body){0}).angular);
    CHECK(before > 0.1);
    for (int k = 0; k < 1000; k++) {
        const double value = random_between(&r, -3.0, 3.0);
        CHECK(tml_sim_set_joint(sim, (tml_joint){k % 2}, TML_AXIS_RX, value) == TML_OK);
    }
    // a thousand roundings
    CHECK_NEAR(v3_norm(tml_sim_velocity(sim, (tml_body){0}).angular), before, 1e-11 * before);
    tml_sim_destroy(sim);
    loop_close(&s);
}

TEST(a_state_that_does_not_close_is_refused_or_assembled)
{
    loop_scene s = loop_open("delta-robot");
    tml_sim* sim = teleport_start(&s);
    random_source r = random_start(8);
    tml_pose* poses = loop_scatter(&s, &r, 0.01, 0.05);
    blob before = world_snapshot(sim);

    CHECK(tml_sim_set_state(sim, poses, NULL) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(sim), "do not close");
    blob after = world_snapshot(sim);
    CHECK(blob_equal(&before, &after));
    CHECK(tml_sim_set_nearest_state(sim, poses, NULL) == TML_OK);
    CHECK(tml_sim_gap(sim) <= 1e-10);
    // its actuators hold it: it is back where it was
    const tml_pose platform = tml_sim_pose(sim, (tml_body){0});
    CHECK_NEAR(v3_norm(v3_sub(platform.p, tml_model_body(s.model, (tml_body){0})->pose.p)), 0.0,
               1e-9);
    CHECK(tml_sim_step(sim, NULL) == TML_OK);
    blob_free(&before);
    blob_free(&after);
    free(poses);
    tml_sim_destroy(sim);
    loop_close(&s);
}
