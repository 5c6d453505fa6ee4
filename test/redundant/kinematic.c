// test/redundant/kinematic.c - mechanisms without a freedom left: positions from the rows alone, then
// forces, give what the general way gives.                                      [QRBD (33) Sec 6.3]
#include "math/quat.h"
#include "test/check.h"
#include "test/sim/world.h"

typedef struct driven {
    const char* scene;
    int steps;
} driven;

static const driven scenes[] = {
    {"stewart-platform", 30},  {"delta-robot", 30},     {"jansen-leg", 30},   {"scissor-lift", 20},
    {"overactuated-leg", 20},  {"gazelle-like", 15},    {"iron-man-like", 8}, {"robot-arm", 20},
    {"four-legged-table", 10}, {"rack-and-pinion", 20},
};

enum {
    SCENES = sizeof scenes / sizeof scenes[0]
};

static double larger(double a, double b) { return a > b || a != a ? a : b; }

static double between(tml_vec3 a, tml_vec3 b) { return v3_max(v3_sub(a, b)); }

typedef struct disagreement {
    double pose;      // m, and components of unit quaternions
    double velocity;  // m/s, rad/s
    double load;      // N, N m
    double scale;     // the largest load
    double gap;
} disagreement;

static void compare(const tml_sim* a, const tml_sim* b, disagreement* d)
{
    const tml_model* m = tml_sim_model(a);
    for (int i = 0; i < tml_model_body_count(m); i++) {
        const tml_pose p = tml_sim_pose(a, (tml_body){i});
        const tml_pose q = tml_sim_pose(b, (tml_body){i});
        const tml_velocity u = tml_sim_velocity(a, (tml_body){i});
        const tml_velocity v = tml_sim_velocity(b, (tml_body){i});
        const quat turn = q_mul(q_conj(p.q), q.q);  // either sign is the same pose
        d->pose = larger(between(p.p, q.p), d->pose);
        d->pose = larger(v3_max(q_vec(turn)), d->pose);
        d->velocity = larger(between(u.linear, v.linear), d->velocity);
        d->velocity = larger(between(u.angular, v.angular), d->velocity);
    }
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        double of_a[TML_AXES];
        double of_b[TML_AXES];
        tml_sim_joint_multipliers(a, (tml_joint){j}, of_a);
        tml_sim_joint_multipliers(b, (tml_joint){j}, of_b);
        for (int k = 0; k < TML_AXES; k++) {
            d->load = larger(fabs(of_a[k] - of_b[k]), d->load);
            d->scale = larger(fabs(of_a[k]), d->scale);
        }
        const tml_load x = tml_sim_joint_load(a, (tml_joint){j});
        const tml_load y = tml_sim_joint_load(b, (tml_joint){j});
        d->load = larger(between(x.force, y.force), d->load);
        d->load = larger(between(x.moment, y.moment), d->load);
    }
    d->gap = larger(tml_sim_gap(a), larger(tml_sim_gap(b), d->gap));
}

static void check_scene(const driven* c, tml_integrator integrator)
{
    world w = world_build(scenes_find(c->scene)->build);
    tml_sim* two_step = NULL;
    tml_sim* general = NULL;
    disagreement d = {0.0, 0.0, 0.0, 0.0, 0.0};

    w.settings.integrator = integrator;
    w.settings.solver = TML_SOLVER_TWO_STEP;
    CHECK(tml_sim_create(w.model, &w.settings, &two_step) == TML_OK);
    w.settings.solver = TML_SOLVER_AUGMENTED;
    CHECK(tml_sim_create(w.model, &w.settings, &general) == TML_OK);
    CHECK_TEXT(tml_sim_get_report(two_step).solver, "two_step");
    CHECK_TEXT(tml_sim_get_report(general).solver, "augmented");
    compare(two_step, general, &d);
    for (int k = 0; k < c->steps && check_failures == 0; k++) {
        CHECK(tml_sim_step(two_step, NULL) == TML_OK);
        CHECK(tml_sim_step(general, NULL) == TML_OK);
        compare(two_step, general, &d);
    }
    printf("%-18s %-6s pose %.1e, velocity %.1e, load %.1e of %.3g, gap %.1e\n", c->scene,
           tml_integrator_name(integrator), d.pose, d.velocity, d.load, d.scale, d.gap);
    CHECK(d.pose <= 1e-10);                        // the tolerance of a step
    CHECK(d.velocity <= 1e-10 / w.settings.step);  // and what h makes of it
    CHECK(d.load <= 1e-7 * d.scale);               // asked for
    CHECK(d.gap <= 1e-10);
    CHECK(d.scale > 1.0);  // there was something to hold
    tml_sim_destroy(two_step);
    tml_sim_destroy(general);
    world_end(&w);
}

TEST(two_steps_give_the_trajectory_and_loads_of_the_general_way)
{
    for (int i = 0; i < SCENES; i++) check_scene(&scenes[i], TML_TIME_BDF2);
}

TEST(every_implicit_integrator_may_take_two_steps)
{
    static const tml_integrator others[] = {TML_TIME_BDF1, TML_TIME_BDF4, TML_TIME_SDIRK2};
    const driven leg = {"jansen-leg", 12};
    const driven platform = {"stewart-platform", 12};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check_scene(&leg, others[i]);
        check_scene(&platform, others[i]);
    }
}

TEST(auto_takes_two_steps_for_all_that_cannot_move_by_itself)
{
    for (int i = 0; i < scenes_untouched_count(); i++) {
        const char* name = scenes_at(i)->name;
        if (strcmp(name, "hoberman-sphere") == 0) continue;  // its doctor takes seconds
        world w = world_build(scenes_at(i)->build);
        tml_doctor* doctor = NULL;
        CHECK(tml_doctor_create(w.model, &doctor) == TML_OK);
        CHECK(world_start(&w) == TML_OK);
        const int is_two_step = strcmp(tml_sim_get_report(w.sim).solver, "two_step") == 0;
        CHECK(is_two_step == (tml_doctor_get_report(doctor).mobility == 0));
        tml_doctor_destroy(doctor);
        world_end(&w);
    }
}

// With fewer rows than unknowns they are free motion and correction: test/scenario/two_step.c.
TEST(two_steps_are_refused_where_a_freedom_is_left_in_spite_of_all_rows)
{
    static const char* const names[] = {"four-bar",      "two-hinge-door", "bricard",
                                        "hoberman-ring", "satellite-like", "andrews"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        world w = world_build(scenes_find(names[i])->build);
        w.settings.solver = TML_SOLVER_TWO_STEP;
        CHECK(world_start(&w) == TML_UNSUPPORTED);
        CHECK_CONTAINS(tml_sim_message(w.sim), "can still move");
        world_end(&w);
    }
}

TEST(two_steps_are_refused_to_the_explicit_baseline)
{
    world w = world_build(scenes_find("jansen-leg")->build);
    w.settings.solver = TML_SOLVER_TWO_STEP;
    w.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    CHECK(world_start(&w) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_sim_message(w.sim), "implicit integrator");
    world_end(&w);
}
