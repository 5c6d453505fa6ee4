// test/scenario/gap.c - joints stay closed: every scene, every integrator, every step size.
//
// A step is either accepted with all rows at the tolerance, or refused with a sentence and no
// trace. Two methods make no such promise and only have their gaps printed: Pareschi-Russo holds
// rows at its stages, the semi-implicit baseline does not test positions at all.
#include "test/check.h"
#include "test/scenario/run.h"

static const double tolerance = 1e-10;

typedef struct step_size {
    double step;  // s
    int count;    // of steps: few, because there are many scenes
} step_size;

static const step_size step_sizes[] = {{1e-4, 6}, {1e-3, 10}, {1e-2, 10}, {0.1, 8}};

enum {
    SIZES = sizeof step_sizes / sizeof *step_sizes,
    LARGE = 15,     // bodies: scenes above take fewer steps
    MANY = 60,      // above that only the default method at 10 ms, but for the long suite
    TOO_MANY = 200  // above that only the long suite
};

// Rows that the others already imply; what to do with them is the solver's choice, not ours here.
static int redundant_rows(const tml_model* model)
{
    tml_doctor* doctor = NULL;
    int rows = 0;
    if (tml_doctor_create(model, &doctor) == TML_OK) {
        rows = tml_doctor_get_report(doctor).redundant_rows;
    }
    tml_doctor_destroy(doctor);
    return rows;
}

typedef struct tally {
    long long accepted, refused;
    double gap;  // the largest
} tally;

// A refused step leaves every byte of the state as it was.
static void check_refusal(run* r, tml_status status, const void* before)
{
    const size_t bytes = tml_sim_state_size(r->sim);
    void* after = malloc(bytes);
    CHECK(after != NULL && tml_sim_save(r->sim, after) == TML_OK);
    CHECK(status > TML_OK);  // the numbers, not the caller, are at fault
    CHECK(tml_sim_message(r->sim)[0] != '\0');
    CHECK(after != NULL && memcmp(before, after, bytes) == 0);
    free(after);
}

static void take_steps(run* r, int count, tally* sum)
{
    void* before = malloc(tml_sim_state_size(r->sim));
    CHECK(before != NULL);
    for (int k = 0; k < count && before != NULL; k++) {
        CHECK(tml_sim_save(r->sim, before) == TML_OK);
        const tml_status status = tml_sim_step(r->sim, NULL);
        if (status != TML_OK) {
            check_refusal(r, status, before);
            sum->refused++;
            break;  // the next try would be the same
        }
        sum->accepted++;
        sum->gap = larger_of(tml_sim_gap(r->sim), sum->gap);
    }
    free(before);
}

typedef struct tallies {
    tally of[TML_INTEGRATORS][SIZES];
    int excused;  // scenes that this build cannot create
} tallies;

static void visit(run* r, const char* scene, tml_integrator integrator, int size, tallies* all)
{
    tally* sum = &all->of[integrator][size];
    tally own = {0, 0, 0.0};
    const int bodies = tml_model_body_count(r->model);
    const int factor = getenv("TRAMMEL_TEST_LONG") != NULL && bodies <= MANY ? 20 : 1;

    run_integrate(r, integrator);
    r->settings.step = step_sizes[size].step;
    r->settings.tolerance = tolerance;
    CHECK(run_start(r) == TML_OK);
    take_steps(r, factor * (bodies > LARGE ? 2 : step_sizes[size].count), &own);
    if (own.refused > 0) {
        printf("  %s refuses a step of %g s with %s: %s\n", scene, r->settings.step,
               tml_integrator_name(integrator), tml_sim_message(r->sim));
    }
    if (holds_rows(integrator)) CHECK_NEAR(own.gap, 0.0, tolerance);
    // and the simulation's own account of it is the same
    CHECK(tml_sim_get_report(r->sim).max_gap >= own.gap);
    sum->accepted += own.accepted;
    sum->refused += own.refused;
    sum->gap = larger_of(own.gap, sum->gap);
}

static int is_asked(const tml_model* model, tml_integrator integrator, int size)
{
    const int bodies = tml_model_body_count(model);
    if (bodies <= MANY || getenv("TRAMMEL_TEST_LONG") != NULL) return 1;
    return bodies <= TOO_MANY && integrator == TML_TIME_BDF2 && step_sizes[size].step == 1e-2;
}

// The integrators of the formulation; those that 'affine' carries out are asked there.
static int is_own(tml_integrator integrator)
{
    return tml_pairing_exists(TML_FORM_QUATERNION, integrator) && integrator != TML_TIME_ENERGY &&
           integrator != TML_TIME_ENERGY_DAMPED;
}

// Redundant rows, and nothing else, excuse a scene that cannot be created.
static void visit_scene(const char* scene, tallies* all)
{
    run r;
    CHECK(run_open(&r, scene) == TML_OK);
    const tml_status status = tml_sim_create(r.model, &r.settings, &r.sim);
    if (status != TML_OK) {
        CHECK(status == TML_SINGULAR && redundant_rows(r.model) > 0);
        all->excused++;
    }
    for (int i = 0; i < TML_INTEGRATORS && status == TML_OK; i++) {
        if (!is_own((tml_integrator)i)) continue;
        for (int k = 0; k < SIZES; k++) {
            if (is_asked(r.model, (tml_integrator)i, k)) {
                visit(&r, scene, (tml_integrator)i, k, all);
            }
        }
    }
    run_close(&r);
}

TEST(every_scene_keeps_its_joints_closed_at_every_step_size)
{
    static tallies all;
    for (int s = 0; s < scenes_untouched_count(); s++) visit_scene(scenes_at(s)->name, &all);

    for (int i = 0; i < TML_INTEGRATORS; i++) {
        if (!is_own((tml_integrator)i)) continue;
        for (int k = 0; k < SIZES; k++) {
            const tally* sum = &all.of[i][k];
            printf("%-22s h = %-6g %4lld steps, %lld refused, largest gap %.1e%s\n",
                   tml_integrator_name((tml_integrator)i), step_sizes[k].step, sum->accepted,
                   sum->refused, sum->gap, holds_rows((tml_integrator)i) ? "" : " (not promised)");
            CHECK(sum->accepted > 0);
        }
    }
    printf("%d scenes, %d with redundant rows not run\n", scenes_untouched_count(), all.excused);
    // no step of a millisecond is too long for any of these scenes
    for (int i = TML_TIME_BDF1; i <= TML_TIME_SDIRK2; i++) {
        CHECK(all.of[i][0].refused == 0 && all.of[i][1].refused == 0);
    }
}

// ---- large turns                                                                  [QRBD Fig 6]

// Of those that hold rows: stable at any step.
static int is_stable(tml_integrator integrator)
{
    return integrator == TML_TIME_BDF1 || integrator == TML_TIME_BDF2 ||
           integrator == TML_TIME_SDIRK2;
}

static double turned_by(const run* r)
{
    double all[TML_AXES] = {0.0};
    tml_sim_joint_coordinates(r->sim, (tml_joint){0}, all);
    return all[0];
}

// The rod without gravity turns at 17.45 rad/s, so a step is an angle.
static void turn(tml_integrator integrator, double angle)
{
    run r;
    const double speed = 17.453292519943295769;
    CHECK(run_begin(&r, "free-pendulum", integrator, angle / speed) == TML_OK);
    double gap = 0.0;
    double last = 0.0;
    int taken = 0;
    while (taken < 10 && run_step(&r) == TML_OK) {
        gap = larger_of(tml_sim_gap(r.sim), gap);
        taken++;
        // quaternions have a second root from which the rod would turn back
        const double now = turned_by(&r);
        if (is_stable(integrator)) CHECK(now > last && now < last + 1.01 * angle);
        last = now;
    }
    // BDF above order 2 is not stable at such angles and may end in a refusal, gaps closed
    CHECK(taken == 10 || !is_stable(integrator));
    if (holds_rows(integrator)) CHECK_NEAR(gap, 0.0, tolerance);
    if (integrator == TML_TIME_BDF2 || !holds_rows(integrator)) {
        printf("%-22s %.1f rad a step: gap %.1e, speed %.3f of the first\n",
               tml_integrator_name(integrator), angle, gap,
               tml_sim_velocity(r.sim, (tml_body){0}).angular.z / speed);
    }
    run_close(&r);
}

TEST(a_free_pendulum_stays_on_its_hinge_up_to_three_radians_a_step)
{
    static const double angles[] = {0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        if (!is_own((tml_integrator)i)) continue;
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            turn((tml_integrator)i, angles[k]);
        }
    }
}

// ---- small steps

// Sec. 6.1 scales the equations so that the tolerance can be met at any step.     [QRBD Sec 6.1]
TEST(newton_meets_its_tolerance_from_a_microsecond_to_a_tenth_of_a_second)
{
    static const char* const scenes[] = {"pendulum",   "double-pendulum", "universal-pendulum",
                                         "t-handle",   "heavy-top",       "heavy-top-150",
                                         "robot-arm",  "showcase",        "gears",
                                         "spring-net", "spherical-chain", "joint-zoo"};
    static const double steps[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};

    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        long long iterations = 0;
        long long count = 0;
        double gap = 0.0;
        for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
            run r;
            CHECK(run_begin(&r, scenes[i], TML_TIME_BDF2, steps[k]) == TML_OK);
            CHECK(run_steps(&r, 10) == TML_OK);
            const tml_sim_report report = tml_sim_get_report(r.sim);
            iterations += report.newton_iterations;
            count += report.steps - 1;  // the first is the start's
            gap = larger_of(report.max_gap, gap);
            run_close(&r);
        }
        printf("h = %-6g %.1f Newton iterations a step, gap %.1e\n", steps[k],
               (double)iterations / (double)count, gap);
        CHECK_NEAR(gap, 0.0, tolerance);
    }
}
