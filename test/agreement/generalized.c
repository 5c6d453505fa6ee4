// test/agreement/generalized.c - joint coordinates against maximal ones.
//
// The generalized formulation shares rows and forces with the others, but neither unknowns nor
// solver nor integrators. Every joint, every drive, between the world and a body and between two
// bodies that fly; then mechanisms with loops. Poses, velocities, coordinates and loads must be
// those of the quaternion formulation, at the order of the method.
#include "test/agreement/joint_cases.h"
#include "test/check.h"

static const tml_joint only = {0};

typedef struct outcome {
    tml_pose pose;
    tml_velocity velocity;
    tml_load load;
    double coordinate[TML_AXES];
    double gap;
} outcome;

static outcome follow(const joint_case* c, drive_mode mode, int has_base, tml_formulation form,
                      tml_integrator integrator, int steps)
{
    outcome out = {.gap = HUGE_VAL};
    run r;
    CHECK(run_freeze(&r, spec_of(c, mode, has_base)) == TML_OK);
    r.settings.formulation = form;
    r.settings.integrator = integrator;
    r.settings.step = 0.2 / steps;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const tml_body follower = tml_model_joint(r.model, only).follower;
    out.pose = tml_sim_pose(r.sim, follower);
    out.velocity = tml_sim_velocity(r.sim, follower);
    out.load = tml_sim_joint_load(r.sim, only);
    tml_sim_joint_coordinates(r.sim, only, out.coordinate);
    out.gap = tml_sim_get_report(r.sim).max_gap;
    run_close(&r);
    return out;
}

typedef struct errors {
    double pose, velocity, load, coordinate;
} errors;

static errors compare(const outcome* a, const outcome* b)
{
    errors e = {.pose = pose_distance(&a->pose, &b->pose)};
    e.velocity = larger_of(v3_max(v3_sub(a->velocity.linear, b->velocity.linear)),
                           v3_max(v3_sub(a->velocity.angular, b->velocity.angular)));
    e.load = larger_of(v3_max(v3_sub(a->load.force, b->load.force)),
                       v3_max(v3_sub(a->load.moment, b->load.moment)));
    for (int k = 0; k < TML_AXES; k++) {
        e.coordinate = larger_of(fabs(a->coordinate[k] - b->coordinate[k]), e.coordinate);
    }
    return e;
}

static void keep_largest(errors* to, const errors* e)
{
    to->pose = larger_of(e->pose, to->pose);
    to->velocity = larger_of(e->velocity, to->velocity);
    to->load = larger_of(e->load, to->load);
    to->coordinate = larger_of(e->coordinate, to->coordinate);
}

static void print_case(const joint_case* c, int mode, int has_base)
{
    printf("  in %s '%s' '%s', %s, %s\n",
           c->kind == TML_JOINT_CUSTOM ? "custom" : tml_joint_kind_name(c->kind), slides_of(c),
           turns_of(c), drive_names[mode], has_base ? "two bodies" : "world");
}

TEST(every_joint_and_drive_moves_and_loads_as_in_maximal_coordinates)
{
    errors worst = {0};
    for (int j = 0; j < JOINTS; j++) {
        for (int mode = 0; mode < DRIVES; mode++) {
            for (int has_base = 0; has_base < 2; has_base++) {
                const joint_case* c = &joint_cases[j];
                const drive_mode how = (drive_mode)mode;
                const int before = check_failures;
                const outcome truth =
                    follow(c, how, has_base, TML_FORM_QUATERNION, TML_TIME_BDF6, 160);
                const outcome ours =
                    follow(c, how, has_base, TML_FORM_GENERALIZED, TML_TIME_RK4, 120);
                const errors e = compare(&ours, &truth);
                CHECK_NEAR(ours.gap, 0.0, 1e-10);
                // order 4 at h = 1.7 ms, rates of a few rad/s: (h w)^4 / 120 is 1e-10 or so, in
                // accelerations and loads of 1e2 N some hundred times as much
                CHECK(e.pose < 2e-9);
                CHECK(e.velocity < 1e-7);
                CHECK(e.load < 1e-5);
                CHECK(e.coordinate < 2e-9);
                keep_largest(&worst, &e);
                if (check_failures > before) print_case(c, mode, has_base);
            }
        }
    }
    printf("rk4 against quaternion bdf6: pose %.1e, velocity %.1e, load %.1e, coordinate %.1e\n",
           worst.pose, worst.velocity, worst.load, worst.coordinate);
}

typedef struct method {
    tml_integrator integrator;
    double order;
} method;

static const method methods[] = {
    {TML_TIME_SEMI_IMPLICIT_EULER, 1.0}, {TML_TIME_FORWARD_EULER, 1.0}, {TML_TIME_BDF1, 1.0},
    {TML_TIME_PROJECTED, 1.0},           {TML_TIME_RK4, 4.0},
};

enum {
    METHODS = sizeof methods / sizeof *methods
};

// Errors of poses and loads fall at the order of the method; coarse enough for rk4 to show it.
TEST(integrators_have_their_orders_on_every_joint)  // [DCON Sec IV]
{
    double least[METHODS] = {9.0, 9.0, 9.0, 9.0, 9.0};
    double least_load[METHODS] = {9.0, 9.0, 9.0, 9.0, 9.0};
    for (int j = 0; j < JOINTS; j++) {
        for (int mode = 0; mode < DRIVES; mode++) {
            const joint_case* c = &joint_cases[j];
            const drive_mode how = (drive_mode)mode;
            const int has_base = (j + mode) % 2;
            const outcome truth = follow(c, how, has_base, TML_FORM_QUATERNION, TML_TIME_BDF6, 320);
            for (int i = 0; i < METHODS; i++) {
                const int steps = methods[i].order > 1.0 ? 6 : 80;
                const outcome coarse =
                    follow(c, how, has_base, TML_FORM_GENERALIZED, methods[i].integrator, steps);
                const outcome fine = follow(c, how, has_base, TML_FORM_GENERALIZED,
                                            methods[i].integrator, 2 * steps);
                const errors e[2] = {compare(&coarse, &truth), compare(&fine, &truth)};
                const double order = log2(e[0].pose / e[1].pose);
                const double load_order = log2(e[0].load / e[1].load);
                const int before = check_failures;
                // half an order may hide where two terms of the error have opposite signs; the
                // truth is good to 1e-11 (loads 1e-8)
                if (e[1].pose > 1e-10) CHECK(order > methods[i].order - 0.5);
                if (e[1].load > 1e-7) CHECK(load_order > methods[i].order - 0.6);
                if (e[1].pose > 1e-10 && order < least[i]) least[i] = order;
                if (e[1].load > 1e-7 && load_order < least_load[i]) least_load[i] = load_order;
                if (check_failures > before) {
                    printf("%s: pose %.2e %.2e, load %.2e %.2e\n",
                           tml_integrator_name(methods[i].integrator), e[0].pose, e[1].pose,
                           e[0].load, e[1].load);
                    print_case(c, mode, has_base);
                }
            }
        }
    }
    for (int i = 0; i < METHODS; i++) {
        printf("%s: order of poses %.2f or more, of loads %.2f or more\n",
               tml_integrator_name(methods[i].integrator), least[i], least_load[i]);
    }
}

TEST(every_integrator_of_the_formulation_is_in_the_table)
{
    int count = 0;
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        if (tml_pairing_exists(TML_FORM_GENERALIZED, (tml_integrator)i)) count++;
    }
    CHECK(count == METHODS);
    for (int i = 0; i < METHODS; i++) {
        CHECK(tml_pairing_exists(TML_FORM_GENERALIZED, methods[i].integrator));
    }
}

// ---- mechanisms with loops, couplings, drives and limits

typedef struct mechanism {
    const char* name;
    double step, duration;
    double tolerance;  // of poses against bdf4 at half the step, m and rad
} mechanism;

// bdf4 and rk4 both have errors of order (h w)^4; fast scenes get smaller steps.
static const mechanism mechanisms[] = {
    {"four-bar", 5e-4, 0.5, 1e-8},
    {"bricard", 1e-3, 0.3, 1e-8},
    {"delta-robot", 1e-3, 0.3, 1e-8},
    {"stewart-platform", 1e-3, 0.2, 1e-8},
    {"gears", 1e-3, 0.3, 1e-8},
    {"gear-train", 1e-3, 0.2, 1e-8},
    {"jansen-leg", 1e-3, 0.3, 1e-8},
    {"parallelogram-chain", 1e-3, 0.3, 1e-8},
    {"andrews", 2e-5, 0.01, 1e-7},
    {"joint-zoo", 5e-4, 0.3, 1e-8},
    {"overactuated-leg", 1e-3, 0.2, 1e-8},
    {"flyball-governor", 5e-5, 0.05, 1e-7},
    {"showcase", 1e-3, 0.3, 1e-7},
    {"spring-net", 1e-3, 0.2, 1e-7},
};

// The scene run by one formulation; answers false where it cannot start.
static int play(run* r, const mechanism* m, tml_formulation form, tml_integrator integrator,
                double step)
{
    if (run_open(r, m->name) != TML_OK) return 0;
    r->settings.formulation = form;
    r->settings.integrator = integrator;
    r->settings.step = step;
    r->settings.solver = TML_SOLVER_AUTO;
    if (run_start(r) != TML_OK) return 0;
    return run_steps(r, (int)(m->duration / step + 0.5)) == TML_OK;
}

TEST(loops_couplings_and_drives_move_and_load_as_in_maximal_coordinates)
{
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        const mechanism* m = &mechanisms[i];
        run ours;
        run theirs;
        const int is_ours = play(&ours, m, TML_FORM_GENERALIZED, TML_TIME_RK4, m->step);
        const int is_theirs = play(&theirs, m, TML_FORM_QUATERNION, TML_TIME_BDF4, 0.5 * m->step);
        CHECK(is_ours);
        CHECK(is_theirs);
        if (!is_ours || !is_theirs) continue;
        double pose = 0.0;
        double load = 0.0;
        double size = 0.0;
        for (int b = 0; b < tml_model_body_count(ours.model); b++) {
            const tml_pose p = tml_sim_pose(ours.sim, (tml_body){b});
            const tml_pose q = tml_sim_pose(theirs.sim, (tml_body){b});
            pose = larger_of(pose_distance(&p, &q), pose);
        }
        for (int j = 0; j < tml_model_joint_count(ours.model); j++) {
            const tml_load f = tml_sim_joint_load(ours.sim, (tml_joint){j});
            const tml_load g = tml_sim_joint_load(theirs.sim, (tml_joint){j});
            load = larger_of(v3_max(v3_sub(f.force, g.force)), load);
            load = larger_of(v3_max(v3_sub(f.moment, g.moment)), load);
            size = larger_of(larger_of(v3_max(g.force), v3_max(g.moment)), size);
        }
        printf("%-20s poses %.1e, loads %.1e of %.1e, gap %.1e\n", m->name, pose, load, size,
               tml_sim_get_report(ours.sim).max_gap);
        CHECK(pose < m->tolerance);
        CHECK(load < 1e-4 * (1.0 + size));  // loads see accelerations: a hundred times the poses
        CHECK(tml_sim_get_report(ours.sim).max_gap <= 1e-10);
        run_close(&ours);
        run_close(&theirs);
    }
}

// Rows that close a loop take no energy of their own: what the first-order step loses halves with
// the step, and is a seventh in 3 s at 1 ms. (Rates that were not those of the move lost a fifth.)
TEST(loops_keep_the_rates_that_moved_them)
{
    double lost[2];
    for (int k = 0; k < 2; k++) {
        run r;
        if (run_open(&r, "four-bar") != TML_OK) return;
        r.settings.formulation = TML_FORM_GENERALIZED;
        r.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
        r.settings.step = k == 0 ? 1e-3 : 5e-4;
        CHECK(run_start(&r) == TML_OK);
        const double start = run_energy(&r);
        CHECK(run_steps(&r, k == 0 ? 3000 : 6000) == TML_OK);
        lost[k] = 1.0 - run_energy(&r) / start;
        CHECK(tml_sim_get_report(r.sim).max_gap < 1e-12);
        run_close(&r);
    }
    printf(
        "four-bar, semi_implicit_euler: %.3f of the energy lost in 3 s at 1 ms, %.3f at 0.5 ms\n",
        lost[0], lost[1]);
    CHECK(lost[0] < 0.145);
    CHECK(lost[0] / lost[1] > 1.6 && lost[0] / lost[1] < 2.2);
}
