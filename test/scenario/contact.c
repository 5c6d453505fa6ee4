// test/scenario/contact.c - touching bodies whose motion is known in closed form, and what must hold
// whatever they do.
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/look.h"
#include "test/scenario/touching.h"

static const tml_vec3 brick = {0.4, 0.3, 0.2};

TEST(a_brick_holds_below_the_friction_angle_and_slides_above_it)
{
    const double mu = 0.4;
    for (int k = 0; k < 2; k++) {
        const double angle = atan(mu) + (k == 0 ? -1e-6 : 1e-3);
        tml_spec* spec = tml_spec_create();
        run r;
        add_ground(spec, 1.0, angle);  // of a pair the smaller friction counts
        const tml_body b =
            add_solid(spec, "brick", shape_of(TML_SHAPE_BOX, brick, mu), v3(0.0, 0.0, 0.1));
        CHECK(touch_start(&r, spec, 1e-3) == TML_OK);
        CHECK(run_steps(&r, 500) == TML_OK);
        const double speed = k == 0 ? 0.0 : 9.81 * (sin(angle) - mu * cos(angle)) * 0.5;
        CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, speed, 1e-11);
        CHECK_NEAR(tml_sim_pose(r.sim, b).p.z, 0.1, 1e-12);
        CHECK_NEAR(force_on(&r, b).z, 24.0 * 9.81 * cos(angle), 1e-8);
        run_close(&r);
    }
}

TEST(a_sliding_ball_rolls_at_five_sevenths)
{
    tml_spec* spec = tml_spec_create();
    run r;
    tml_body_def ball = tml_body_def_default();
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.3);
    add_ground(spec, 0.3, 0.0);
    ball.mass = 2.0;
    for (int k = 0; k < 3; k++) ball.inertia[k] = 0.4 * 2.0 * 0.01;
    ball.pose.p = v3(0.0, 0.0, 0.1);
    ball.velocity.linear = v3(2.0, 0.0, 0.0);
    ball.shapes = &shape;
    ball.shape_count = 1;
    const tml_body b = tml_spec_add_body(spec, &ball);
    CHECK(touch_start(&r, spec, 1e-3) == TML_OK);
    CHECK(run_steps(&r, 300) == TML_OK);  // it rolls after 2 v0 / (7 mu g) = 0.194 s
    CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, 10.0 / 7.0, 1e-11);
    CHECK_NEAR(tml_sim_velocity(r.sim, b).angular.y, 100.0 / 7.0, 1e-10);
    run_close(&r);
}

// Ten cubes on each other: nothing moves, every contact plane carries what is above it.
static void check_stack(int steps)
{
    enum {
        CUBES = 10
    };
    tml_spec* spec = tml_spec_create();
    run r;
    const tml_vec3 size = {0.2, 0.2, 0.2};
    add_ground(spec, 0.5, 0.0);
    for (int i = 0; i < CUBES; i++) {
        char name[24];
        snprintf(name, sizeof name, "cube.%d", i);
        add_solid(spec, name, shape_of(TML_SHAPE_BOX, size, 0.5), v3(0.0, 0.0, 0.1 + 0.2 * i));
    }
    CHECK(touch_start(&r, spec, 5e-3) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    for (int i = 0; i < CUBES; i++) {
        const tml_pose p = tml_sim_pose(r.sim, (tml_body){i});
        // rounding of 1e-16 a step may walk, sticking friction does not bring it back
        CHECK_NEAR(p.p.x, 0.0, 1e-11);
        CHECK_NEAR(p.p.z, 0.1 + 0.2 * i, 1e-11);
        CHECK_NEAR(force_on(&r, (tml_body){i}).z, 8.0 * 9.81, 1e-7);
    }
    const tml_sim_report report = tml_sim_get_report(r.sim);
    CHECK(report.max_penetration < 1e-11);
    CHECK(report.max_complementarity < 1e-10);
    CHECK(report.contact_unpolished == 0);
    run_close(&r);
}

TEST(a_stack_of_ten_stands_still) { check_stack(60); }

TEST(a_stack_of_ten_stands_still_for_a_minute)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("needs TRAMMEL_TEST_LONG=1: takes a minute");
    check_stack(12000);
}

// Five balls with gaps that take more than a step to close: the shock runs through, the last ball
// leaves with all the momentum and all the energy.
TEST(newtons_cradle_hands_momentum_and_energy_on)
{
    enum {
        BALLS = 5
    };
    tml_spec* spec = tml_spec_create();
    run r;
    tml_spec_set_gravity(spec, v3_zero());
    for (int i = 0; i < BALLS; i++) {
        tml_body_def ball = tml_body_def_default();
        tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.0);
        shape.restitution = 1.0;
        ball.mass = 1.0;
        for (int k = 0; k < 3; k++) ball.inertia[k] = 0.004;
        ball.pose.p = v3(0.21 * i, 0.0, 0.0);
        if (i == 0) ball.velocity.linear = v3(1.0, 0.0, 0.0);
        ball.shapes = &shape;
        ball.shape_count = 1;
        tml_spec_add_body(spec, &ball);
    }
    CHECK(touch_start(&r, spec, 1e-3) == TML_OK);
    CHECK(run_steps(&r, 200) == TML_OK);
    for (int i = 0; i < BALLS; i++) {
        const double speed = tml_sim_velocity(r.sim, (tml_body){i}).linear.x;
        CHECK_NEAR(speed, i == BALLS - 1 ? 1.0 : 0.0, 1e-13);
    }
    CHECK_NEAR(run_energy(&r), 0.5, 1e-13);
    run_close(&r);
}

// A pendulum that swings down onto a stop stays there, as rows of the same problem as contacts.
TEST(limits_are_part_of_the_problem)
{
    tml_spec* spec = tml_spec_create();
    run r;
    add_ground(spec, 0.5, 0.0);
    const tml_body b = add_solid(spec, "arm", shape_of(TML_SHAPE_BOX, v3(0.4, 0.05, 0.05), 0.5),
                                 v3(0.2, 0.0, 1.0));
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.base = TML_WORLD;
    hinge.follower = b;
    hinge.position = v3(0.0, 0.0, 1.0);
    hinge.axis = v3(0.0, 1.0, 0.0);
    hinge.axis_of[TML_AXIS_RX].has_limits = 1;
    hinge.axis_of[TML_AXIS_RX].lower = -0.2;
    hinge.axis_of[TML_AXIS_RX].upper = 0.3;
    const tml_joint j = tml_spec_add_joint(spec, &hinge);
    CHECK(touch_start(&r, spec, 2e-3) == TML_OK);
    CHECK(run_steps(&r, 500) == TML_OK);
    double q[TML_AXES];
    tml_sim_joint_coordinates(r.sim, j, q);
    CHECK_NEAR(q[0], 0.3, 1e-10);
    CHECK_NEAR(v3_norm(tml_sim_velocity(r.sim, b).angular), 0.0, 1e-12);
    // the stop carries the moment of the weight about the hinge, against the motion
    CHECK_NEAR(tml_sim_joint_load(r.sim, j).moment.x, -9.81 * 0.2 * cos(0.3), 1e-8);
    CHECK_NEAR(v3_norm(tml_sim_joint_load(r.sim, j).force), 9.81 * 1.0, 1e-8);
    run_close(&r);
}

// A ball shot at a thin wall: seen in time while speed times step is below the margin, and counted as
// fast where it is not.
TEST(nothing_passes_through_a_wall_below_the_margin)
{
    for (int k = 0; k < 2; k++) {
        tml_spec* spec = tml_spec_create();
        run r;
        tml_shape_def wall = shape_of(TML_SHAPE_BOX, v3(0.002, 2.0, 2.0), 0.5);
        wall.pose.p = v3(1.0, 0.0, 0.0);
        tml_spec_add_world_shape(spec, &wall);
        tml_spec_set_gravity(spec, v3_zero());
        tml_body_def ball = tml_body_def_default();
        tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.5);
        ball.velocity.linear = v3(k == 0 ? 9.5 : 11.0, 0.0, 0.0);  // m/s; margin / step is 10
        ball.shapes = &shape;
        ball.shape_count = 1;
        for (int n = 0; n < 3; n++) ball.inertia[n] = 0.004;
        const tml_body b = tml_spec_add_body(spec, &ball);
        CHECK(run_freeze(&r, spec) == TML_OK);
        r.settings.formulation = TML_FORM_GENERALIZED;
        r.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
        r.settings.step = 1e-3;
        r.settings.contact.is_on = 1;
        r.settings.contact.margin = 0.01;
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 200) == TML_OK);
        CHECK_NEAR(tml_sim_pose(r.sim, b).p.x, 0.899, 1e-5);  // it stops where it touches
        CHECK((tml_sim_get_report(r.sim).fast_contacts > 0) == (k == 1));
        run_close(&r);
    }
}

// ---- whatever they do

enum {
    HEAP = 10
};

TEST(a_heap_keeps_its_joints_closed_and_wins_no_energy)
{
    long long problems = 0;
    long long hits = 0;
    long long unpolished = 0;
    const int is_long = getenv("TRAMMEL_TEST_LONG") != NULL;
    for (int salt = 0; salt < (is_long ? 40 : 2); salt++) {
        run r;
        CHECK(touch_start(&r, heap_of(salt, HEAP), 2e-3) == TML_OK);
        const double start = run_energy(&r);
        for (int k = 0; k < (is_long ? 3000 : 700); k++) {
            if (run_step(&r) != TML_OK) {
                CHECK(0);
                break;
            }
            // spinning bodies win some thousandths by semi-implicit Euler itself
            CHECK(run_energy(&r) < start * 1.01);
        }
        const tml_sim_report report = tml_sim_get_report(r.sim);
        CHECK(report.max_gap < 1e-10);
        CHECK(report.max_penetration < 5e-3);  // met at speed; v h is 1e-2 m
        problems += report.contact_problems;
        hits += report.contact_hits;
        unpolished += report.contact_unpolished;
        run_close(&r);
    }
    printf("%lld problems, %.1f %% by the labels before, %lld unpolished\n", problems,
           100.0 * (double)hits / (double)problems, unpolished);
    CHECK(problems > 1000);
    CHECK((double)unpolished < 0.001 * (double)problems);
}

TEST(too_many_contacts_leave_the_state_and_room_made_later_is_room_from_the_start)
{
    run small;
    run large;
    CHECK(run_freeze(&small, heap_of(3, HEAP)) == TML_OK);
    CHECK(run_freeze(&large, heap_of(3, HEAP)) == TML_OK);
    small.settings.formulation = large.settings.formulation = TML_FORM_GENERALIZED;
    small.settings.integrator = large.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    small.settings.step = large.settings.step = 2e-3;
    small.settings.contact.is_on = large.settings.contact.is_on = 1;
    small.settings.contact.max_contacts = 3;
    large.settings.contact.max_contacts = 60;
    CHECK(run_start(&small) == TML_OK);
    CHECK(run_start(&large) == TML_OK);
    int refused = 0;
    for (int k = 0; k < 400; k++) {
        blob before = look_at(&small);
        tml_status status = tml_sim_step(small.sim, NULL);
        if (status == TML_TOO_MANY_CONTACTS) {
            refused++;
            blob after = look_at(&small);
            CHECK(blob_equal(&before, &after));
            blob_free(&after);
            CHECK_CONTAINS(tml_sim_message(small.sim), "contacts");
            CHECK(tml_sim_reserve(small.sim, 3 + 10 * refused) == TML_OK);
            k--;
            blob_free(&before);
            continue;
        }
        CHECK(status == TML_OK);
        CHECK(run_step(&large) == TML_OK);
        blob_free(&before);
    }
    CHECK(refused > 0);
    blob a = look_at(&small);
    blob b = look_at(&large);
    CHECK(blob_equal(&a, &b));
    blob_free(&a);
    blob_free(&b);
    run_close(&small);
    run_close(&large);
}

TEST(a_restored_heap_continues_with_the_same_bits)
{
    run r;
    CHECK(touch_start(&r, heap_of(5, HEAP), 2e-3) == TML_OK);
    CHECK(run_steps(&r, 250) == TML_OK);
    const size_t bytes = tml_sim_state_size(r.sim);
    unsigned char* state = malloc(bytes);
    CHECK(tml_sim_save(r.sim, state) == TML_OK);
    CHECK(tml_sim_contact_count(r.sim) > 0);
    CHECK(run_steps(&r, 50) == TML_OK);
    blob first = look_at(&r);
    CHECK(run_start(&r) == TML_OK);
    CHECK(tml_sim_restore(r.sim, state, bytes) == TML_OK);
    CHECK(run_steps(&r, 50) == TML_OK);
    blob second = look_at(&r);
    CHECK(blob_equal(&first, &second));
    blob_free(&first);
    blob_free(&second);
    free(state);
    run_close(&r);
}

TEST(what_is_saved_has_nothing_of_contacts_that_are_gone)
{
    run r;
    CHECK(touch_start(&r, heap_of(5, HEAP), 2e-3) == TML_OK);
    const size_t bytes = tml_sim_state_size(r.sim);
    unsigned char* state = malloc(bytes);
    unsigned char* fresh = malloc(bytes);
    CHECK(tml_sim_save(r.sim, state) == TML_OK);
    CHECK(run_steps(&r, 3) == TML_OK);
    CHECK(tml_sim_save(r.sim, fresh) == TML_OK);
    const int few = tml_sim_contact_count(r.sim);
    CHECK(run_steps(&r, 250) == TML_OK);
    CHECK(tml_sim_contact_count(r.sim) > few);
    CHECK(tml_sim_restore(r.sim, state, bytes) == TML_OK);
    CHECK(run_steps(&r, 3) == TML_OK);
    CHECK(tml_sim_save(r.sim, state) == TML_OK);
    CHECK(memcmp(state, fresh, bytes) == 0);
    free(state);
    free(fresh);
    run_close(&r);
}

TEST(contact_is_refused_where_it_cannot_be_had)
{
    run r;
    CHECK(run_freeze(&r, heap_of(1, HEAP)) == TML_OK);
    r.settings.contact.is_on = 1;
    r.settings.integrator = TML_TIME_SDIRK2;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "sdirk2");
    tml_sim_destroy(r.sim);
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_RK4;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "rk4");
    run_close(&r);
}

// The built-in scenes with contact: their first steps, or all of them in the long tests.
TEST(scenes_that_touch_keep_their_joints_and_their_laws)
{
    const int is_long = getenv("TRAMMEL_TEST_LONG") != NULL;
    for (int i = scenes_untouched_count(); i < scenes_small_count(); i++) {
        run r;
        if (is_long && strcmp(scenes_at(i)->name, "pair-pile") == 0) continue;  // has its own test
        CHECK(run_open(&r, scenes_at(i)->name) == TML_OK);
        CHECK(run_start(&r) == TML_OK);
        const double duration = tml_scene_settings(r.scene)->duration;
        const int all = (int)(duration / r.settings.step + 0.5);
        CHECK(run_steps(&r, is_long || all < 100 ? all : 100) == TML_OK);
        const tml_sim_report report = tml_sim_get_report(r.sim);
        printf(
            "%-16s %lld problems, %.1f %% by the labels before, %lld unpolished, residual %.1e\n",
            scenes_at(i)->name, report.contact_problems,
            100.0 * (double)report.contact_hits / (double)(report.contact_problems + 1),
            report.contact_unpolished, report.max_complementarity);
        CHECK(report.max_gap < 1e-10);
        CHECK(report.max_penetration < 1e-4);
        // what is not exact to rounding is rare, and counted
        CHECK((double)report.contact_unpolished <= 0.001 * (double)report.contact_problems);
        CHECK(report.contact_unpolished > 0 || report.max_complementarity < 1e-10);
        run_close(&r);
    }
}

// Two hundred pairs in a container, until the lower layers lie on each other: every step ends, no
// joint opens, and what is not exact is as rare as in the other scenes.
TEST(two_hundred_pairs_fall_on_each_other)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("needs TRAMMEL_TEST_LONG=1: takes minutes");
    run r;
    CHECK(run_open(&r, "pair-pile") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 1500) == TML_OK);  // its whole run
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("pair-pile: %lld problems, %lld not exact, residual %.1e, gap %.1e, overlap %.1e m\n",
           report.contact_problems, report.contact_unpolished, report.max_complementarity,
           report.max_gap, report.max_penetration);
    CHECK(report.max_gap < 1e-10);
    CHECK(report.max_penetration < 1e-2);  // met at up to 5 m/s: v h
    // 99.9 % of the steps; what is not exact is nearly so
    CHECK(report.contact_unpolished * 1000 <= report.steps);
    CHECK(report.max_complementarity < (report.contact_unpolished > 0 ? 1e-5 : 1e-10));
    run_close(&r);
}

// Joints leave the worm a plane to move in: friction across it would be any force at all, and is none.
TEST(a_mechanism_in_a_plane_feels_no_friction_across_it)
{
    run r;
    CHECK(run_open(&r, "jump-worm") == TML_OK);
    CHECK(run_start(&r) == TML_OK);
    double along = 0.0;
    double across = 0.0;
    for (int k = 0; k < 600 && check_failures == 0; k++) {
        CHECK(run_step(&r) == TML_OK);
        for (int i = 0; i < tml_sim_contact_count(r.sim); i++) {
            const vec3 force = tml_sim_contact(r.sim, i).force;
            along = larger_of(fabs(force.x), along);
            across = larger_of(fabs(force.y), across);
        }
    }
    CHECK(along > 0.1);
    CHECK(across < 1e-9);  // rounding of some hundred newtons
    run_close(&r);
}

// Up on everything that the world's shapes touch.
static double push_of_the_world(const run* r)
{
    double sum = 0.0;
    for (int i = 0; i < tml_sim_contact_count(r->sim); i++) {
        const tml_contact k = tml_sim_contact(r->sim, i);
        if (k.b.index == TML_WORLD.index) sum += k.force.z;
        if (k.a.index == TML_WORLD.index) sum -= k.force.z;
    }
    return sum;
}

// Jaws hold a box that stands on the floor, and a drive holds the jaws: how much of the weight the drive
// carries is anybody's choice. Formulations choose differently (docs/contact.md), but the sum is given;
// and once the box is off the floor so is the drive's share.
TEST(drive_and_floor_carry_what_there_is)
{
    static const tml_formulation forms[2] = {TML_FORM_GENERALIZED, TML_FORM_QUATERNION};
    static const tml_integrator times[2] = {TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_BDF1};
    double height[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        run r;
        CHECK(run_open(&r, "gripper") == TML_OK);
        r.settings.formulation = forms[k];
        r.settings.integrator = times[k];
        CHECK(run_start(&r) == TML_OK);
        const tml_joint hoist = tml_model_find_joint(r.model, "lift");
        const tml_body box = tml_model_find_body(r.model, "box");
        const double weight = 9.81 * (0.5 + 1.0 + 2.0 * 0.8);  // box, palm, jaws
        CHECK(run_steps(&r, 350) == TML_OK);                   // 0.7 s: the jaws are closed
        // in the joint's axes: x is up
        const double share = tml_sim_joint_load(r.sim, hoist).force.x;
        printf("%s: the drive carries %.1f N, the floor %.1f N\n", tml_formulation_name(forms[k]),
               share, push_of_the_world(&r));
        CHECK_NEAR(share + push_of_the_world(&r), weight, 1e-6);
        CHECK(run_steps(&r, 1150) == TML_OK);  // 3 s: lifted, at rest
        CHECK_NEAR(tml_sim_joint_load(r.sim, hoist).force.x, weight, 1e-6);
        height[k] = tml_sim_pose(r.sim, box).p.z;
        run_close(&r);
    }
    CHECK(height[0] > 0.4);
    CHECK_NEAR(height[0], height[1], 1e-6);
}
