// test/time/order.c - how fast errors fall, for positions, velocities and joint forces.
//
// The universal pendulum is nonlinear, spatial and held by four rows; its oracle (universal.h)
// shares nothing with the library. Errors are the largest over every step of half a second, the
// first ones included, so a start that is worse than its method cannot hide.
#include "test/check.h"
#include "test/scenario/run.h"
#include "test/time/universal.h"

enum {
    SAMPLES = 1024,  // states of the oracle over the whole time
    SUBSTEPS = 64,   // of RK4 between two of them: 7.6e-6 s, errors below rounding
    FIRST = 12       // steps that are looked at one by one
};

static const double duration = 0.5;
static const tml_body bob = {0};
static const tml_joint cross = {0};
static universal_answer known[SAMPLES + 1];

static void prepare(void)
{
    static int is_prepared;
    if (is_prepared) return;
    is_prepared = 1;

    universal_state s = universal_start();
    for (int k = 0; k <= SAMPLES; k++) {
        known[k] = universal_solve(&s);
        for (int i = 0; i < SUBSTEPS; i++) universal_advance(&s, duration / SAMPLES / SUBSTEPS);
    }
}

enum {
    POSITION,
    VELOCITY,
    SPIN,
    FORCE,
    MOMENT,
    QUANTITIES
};

static const char* const quantity_names[QUANTITIES] = {"position", "velocity", "spin", "force",
                                                       "moment"};

typedef struct errors {
    double largest[QUANTITIES];
    double first_force[FIRST + 1];  // at the start and after each of the first steps
    double early_force;             // the largest over the first half of the time
} errors;

static void compare(const run* r, const universal_answer* a, double out[QUANTITIES])
{
    const tml_velocity v = tml_sim_velocity(r->sim, bob);
    const tml_load load = tml_sim_joint_load(r->sim, cross);

    out[POSITION] = v3_max(v3_sub(tml_sim_pose(r->sim, bob).p, a->position));
    out[VELOCITY] = v3_max(v3_sub(v.linear, a->velocity));
    out[SPIN] = v3_max(v3_sub(v.angular, a->omega));
    out[FORCE] = v3_max(v3_sub(load.force, a->force));
    out[MOMENT] = v3_max(v3_sub(load.moment, a->moment));
}

// The whole time in `steps` steps.
static errors measure(tml_integrator integrator, tml_start start, int steps)
{
    errors e = {.largest = {0.0}};
    run r;
    prepare();
    CHECK(run_open(&r, "universal-pendulum") == TML_OK);
    run_integrate(&r, integrator);
    r.settings.implicit.start = start;
    r.settings.step = duration / steps;
    CHECK(run_start(&r) == TML_OK);

    for (int k = 0; k <= steps; k++) {
        double now[QUANTITIES];
        compare(&r, &known[k * (SAMPLES / steps)], now);
        for (int i = 0; i < QUANTITIES; i++) e.largest[i] = larger_of(now[i], e.largest[i]);
        if (k <= FIRST) e.first_force[k] = now[FORCE];
        if (2 * k <= steps) e.early_force = larger_of(now[FORCE], e.early_force);
        if (k < steps && run_step(&r) != TML_OK) {
            CHECK(0);
            break;
        }
    }
    CHECK(tml_sim_get_report(r.sim).fallback_starts == 0);
    run_close(&r);
    return e;
}

static double order_of(double coarse, double fine) { return log2(coarse / fine); }

// clang-format off
typedef struct order_case {
    tml_integrator integrator;
    int steps;                  // of the coarse run: in the asymptotic range, forces above rounding
    double order[QUANTITIES];   // position, velocity, spin, force, moment
} order_case;

// Runge-Kutta loses orders on constrained motion: an independent two-unknown pendulum written out
// by hand loses the same. The forces of both, and of the first steps of BDF, are those of the
// state. The first force of the baseline lacks its centripetal part at any step size, because the
// velocities at both ends of that step obey the rows of its beginning. The trapezoidal rule is weakly
// unstable with rows: what the first step leaves wrong with a force, O(h), is repeated with changing sign
// and grows by as much with every step, n h after n of them.
//                                                          [QRBD (48)-(50) (52) Sec 5.1 App A App D] [COOK Sec 7.5]
static const order_case order_cases[] = {
    {TML_TIME_BDF1, 256, {1, 1, 1, 1, 1}},
    {TML_TIME_BDF2, 256, {2, 2, 2, 2, 2}},
    {TML_TIME_BDF3, 128, {3, 3, 3, 3, 3}},
    {TML_TIME_BDF4, 64,  {4, 4, 4, 4, 4}},
    {TML_TIME_BDF5, 64,  {5, 5, 5, 5, 5}},
    {TML_TIME_BDF6, 32,  {6, 6, 6, 6, 6}},
    {TML_TIME_SDIRK2, 256, {1, 1, 1, 1, 1}},
    {TML_TIME_SDIRK2_PARESCHI_RUSSO, 256, {2, 1, 1, 1, 1}},
    {TML_TIME_SEMI_IMPLICIT_EULER, 256, {1, 1, 1, 0, 0}},
    {TML_TIME_CRANK_NICOLSON, 256, {2, 2, 2, 0, 0}},
    {TML_TIME_NEWMARK, 256, {1, 1, 1, 1, 1}},
    {TML_TIME_LINEAR_MULTISTEP, 128, {3, 3, 3, 3, 3}},
    {TML_TIME_ENERGY, 256, {2, 2, 2, 2, 2}},
    {TML_TIME_ENERGY_DAMPED, 256, {1, 1, 1, 1, 1}},
};
// clang-format on

TEST(errors_fall_at_the_order_of_the_method)
{
    for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; i++) {
        const order_case* c = &order_cases[i];
        const errors coarse = measure(c->integrator, TML_START_ACCURATE, c->steps);
        const errors fine = measure(c->integrator, TML_START_ACCURATE, 2 * c->steps);

        printf("%-22s", tml_integrator_name(c->integrator));
        for (int q = 0; q < QUANTITIES; q++) {
            const double order = order_of(coarse.largest[q], fine.largest[q]);
            printf(" %s %.2f (%.1e)", quantity_names[q], order, fine.largest[q]);
            // the next order of the expansion is still a few percent at these steps
            CHECK_NEAR(order, c->order[q], 0.12);
        }
        printf("\n");
    }
}

TEST(every_integrator_of_the_formulation_is_measured)
{
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        int is_listed = 0;
        for (size_t k = 0; k < sizeof order_cases / sizeof *order_cases; k++) {
            if ((int)order_cases[k].integrator == i) is_listed = 1;
        }
        CHECK(is_listed == tml_pairing_exists(TML_FORM_QUATERNION, (tml_integrator)i));
    }
}

// ---- the first forces

TEST(the_force_before_the_first_step_is_the_closed_form)
{
    for (int order = 1; order <= 6; order++) {
        const tml_integrator bdf = (tml_integrator)((int)TML_TIME_BDF1 + order - 1);
        const errors e = measure(bdf, TML_START_ACCURATE, 64);
        CHECK_NEAR(e.first_force[0], 0.0, 1e-13);  // of 15 N: a few dozen roundings
    }
}

// The largest error over the first quarter of a second, whatever step it belongs to.
TEST(joint_forces_have_the_order_of_the_method_from_the_first_step_on)
{
    for (int order = 1; order <= 6; order++) {
        const tml_integrator bdf = (tml_integrator)((int)TML_TIME_BDF1 + order - 1);
        const int steps = order <= 3 ? 256 : order <= 5 ? 64 : 32;
        const errors coarse = measure(bdf, TML_START_ACCURATE, steps);
        const errors fine = measure(bdf, TML_START_ACCURATE, 2 * steps);
        const double measured = order_of(coarse.early_force, fine.early_force);
        printf("bdf%d: forces of the first steps: order %.2f (%.1e N)\n", order, measured,
               fine.early_force);
        // a short window sees fewer of the steps that make the maximum: less even than above
        CHECK(measured > order - 0.25);
        for (int k = 1; k < order; k++) {
            CHECK_NEAR(fine.first_force[k], 0.0, 1e-12);  // the start: velocities to 1e-15 / h
        }
    }
}

// What the paper does for its first step: the forces of the first three steps of BDF2 are wrong
// by whole newtons, at every step size.                                             [QRBD Sec 8]
TEST(the_start_of_the_paper_leaves_three_wrong_forces)
{
    const errors coarse = measure(TML_TIME_BDF2, TML_START_SDIRK2, 128);
    const errors fine = measure(TML_TIME_BDF2, TML_START_SDIRK2, 256);

    for (int k = 1; k <= 3; k++) {
        CHECK(fine.first_force[k] > 0.4);  // of 15 N
        CHECK_NEAR(order_of(coarse.first_force[k], fine.first_force[k]), 0.0, 0.05);
    }
    for (int k = 4; k <= FIRST; k++) {
        CHECK_NEAR(order_of(coarse.first_force[k], fine.first_force[k]), 2.0, 0.05);
    }
    const errors accurate = measure(TML_TIME_BDF2, TML_START_ACCURATE, 256);
    for (int k = 1; k <= 3; k++) CHECK(accurate.first_force[k] < 1e-4 * fine.first_force[k]);
}

TEST(the_start_of_the_paper_holds_every_higher_bdf_at_order_two)
{
    for (int order = 3; order <= 6; order++) {
        const tml_integrator bdf = (tml_integrator)((int)TML_TIME_BDF1 + order - 1);
        const errors coarse = measure(bdf, TML_START_SDIRK2, 64);
        const errors fine = measure(bdf, TML_START_SDIRK2, 128);
        CHECK_NEAR(order_of(coarse.largest[POSITION], fine.largest[POSITION]), 2.0, 0.05);
    }
}
