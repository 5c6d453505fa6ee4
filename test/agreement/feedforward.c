// test/agreement/feedforward.c - driving by position, then by the forces that it took.
//
// A chain of a hinge, a universal joint, a ball and a slide is driven by position. Its coordinates
// read back as commanded, and its multipliers are what motors would have to deliver: the same
// chain, driven by force with these, makes the same motion.
#include "test/check.h"
#include "test/scenario/run.h"

enum {
    LINKS = 4,
    DRIVES = 7,  // 1 + 2 + 3 + 1 driven axes
    KNOTS = 9,
    MAX_STEPS = 800
};

static const tml_joint_kind kinds[LINKS] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_SPHERICAL, TML_JOINT_PRISMATIC};

// ---- commands

static const double knot_times[KNOTS] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};

// Smooth curves through zero, sampled at the knots; amplitudes stay clear of gimbal lock.
static double amplitude(int drive) { return drive == DRIVES - 1 ? 0.06 : 0.5 - 0.05 * drive; }
static double pulsation(int drive) { return 3.0 + 0.4 * drive; }  // rad/s

static double curve(int drive, double t)
{
    return amplitude(drive) * (sin(pulsation(drive) * t + drive) - sin(drive));
}

typedef struct commands {
    tml_control_kind kind;
    double samples[DRIVES][KNOTS];
} commands;

static commands sampled(tml_control_kind kind)
{
    commands c = {.kind = kind};
    for (int d = 0; d < DRIVES; d++) {
        for (int k = 0; k < KNOTS; k++) c.samples[d][k] = curve(d, knot_times[k]);
    }
    return c;
}

// Linear between the knots, or the natural cubic spline: second derivatives m by the tridiagonal
// system m0 + 4 m1 + m2 = 6 (y0 - 2 y1 + y2) / h^2, zero at both ends, by plain relaxation.
static double command_at(const commands* c, int drive, double t)
{
    if (c->kind == TML_CONTROL_SINE) return curve(drive, t);
    const double* y = c->samples[drive];
    const double h = 0.1;
    int i = (int)(t / h + 1e-9);
    if (i > KNOTS - 2) i = KNOTS - 2;
    const double b = t / h - i;
    const double a = 1.0 - b;
    const double linear = a * y[i] + b * y[i + 1];
    if (c->kind == TML_CONTROL_TABLE) return linear;

    double m[KNOTS] = {0.0};
    for (int sweep = 0; sweep < 60; sweep++) {
        for (int k = 1; k < KNOTS - 1; k++) {
            const double bend = 6.0 * (y[k - 1] - 2.0 * y[k] + y[k + 1]) / (h * h);
            m[k] = 0.25 * (bend - m[k - 1] - m[k + 1]);
        }
    }
    return linear + h * h / 6.0 * ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]);
}

// ---- the chain

static int free_axes(tml_joint_kind kind, int axes[TML_AXES])
{
    int count = 0;
    for (const char* p = tml_joint_kind_slides(kind); *p != '\0'; p++) axes[count++] = *p - 'x';
    for (const char* p = tml_joint_kind_turns(kind); *p != '\0'; p++) axes[count++] = 3 + *p - 'x';
    return count;
}

typedef struct drive_plan {
    tml_actuation actuation;
    const tml_control* controls;     // one per drive, NULL: none
    const tml_velocity* velocities;  // of the links at the start, NULL: at rest
} drive_plan;

static tml_spec* chain_of(const drive_plan* plan)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    int drive = 0;
    for (int i = 0; i < LINKS; i++) {
        tml_body_def link = tml_body_def_default();
        const double inertia[6] = {0.004, 0.01, 0.009, 0.0004, -0.0003, 0.0006};
        link.mass = 1.0 - 0.15 * i;
        for (int k = 0; k < 6; k++) link.inertia[k] = inertia[k];
        link.com = v3(0.14, 0.02, -0.03);
        link.pose.p = v3(0.3 * i, 0.05 * i, 0.0);
        if (plan->velocities != NULL) link.velocity = plan->velocities[i];
        const tml_body body = tml_spec_add_body(spec, &link);

        tml_joint_def joint = tml_joint_def_default();
        int axes[TML_AXES];
        joint.kind = kinds[i];
        joint.base = last;
        joint.follower = body;
        joint.position = link.pose.p;
        joint.axis = v3(0.0, 0.6, 0.8);
        const int count = free_axes(kinds[i], axes);
        for (int k = 0; k < count; k++, drive++) {
            joint.axis_of[axes[k]].actuation = plan->actuation;
            if (plan->controls != NULL) joint.axis_of[axes[k]].control = plan->controls[drive];
        }
        tml_spec_add_joint(spec, &joint);
        last = body;
    }
    CHECK(drive == DRIVES);
    return spec;
}

static void position_controls(const commands* c, tml_control out[DRIVES])
{
    for (int d = 0; d < DRIVES; d++) {
        out[d] = (tml_control){
            .kind = c->kind, .count = KNOTS, .times = knot_times, .samples = c->samples[d]};
        if (c->kind != TML_CONTROL_SINE) continue;
        out[d] = tml_control_sine(-amplitude(d) * sin(d), amplitude(d),
                                  pulsation(d) / (2.0 * TML_PI), d);
    }
}

// What the drives do now: coordinates, multipliers.
static void read_drives(const run* r, double coordinate[DRIVES], double multiplier[DRIVES])
{
    int drive = 0;
    for (int j = 0; j < LINKS; j++) {
        double values[TML_AXES];
        double rows[TML_AXES];
        int axes[TML_AXES];
        const int count = free_axes(kinds[j], axes);
        CHECK(tml_sim_joint_coordinates(r->sim, (tml_joint){j}, values) == count);
        tml_sim_joint_multipliers(r->sim, (tml_joint){j}, rows);
        for (int k = 0; k < count; k++, drive++) {
            coordinate[drive] = values[k];
            multiplier[drive] = rows[axes[k]];
        }
    }
}

// A position run, recorded: entry 0 is the initial state.
typedef struct record {
    int steps;
    double step;
    double coordinate[MAX_STEPS + 1][DRIVES];
    double multiplier[MAX_STEPS + 1][DRIVES];
    tml_velocity velocity[LINKS];  // at the start
} record;

static record driven;  // too large for a stack

static void drive_by_position(const commands* c, tml_integrator integrator, tml_start start,
                              int steps)
{
    tml_control controls[DRIVES];
    run r;
    position_controls(c, controls);
    const drive_plan plan = {TML_POSITION, controls, NULL};
    CHECK(run_freeze(&r, chain_of(&plan)) == TML_OK);
    run_integrate(&r, integrator);
    r.settings.implicit.start = start;
    r.settings.step = 0.4 / steps;
    CHECK(run_start(&r) == TML_OK);
    driven.steps = steps;
    driven.step = r.settings.step;
    for (int i = 0; i < LINKS; i++) driven.velocity[i] = tml_sim_velocity(r.sim, (tml_body){i});
    read_drives(&r, driven.coordinate[0], driven.multiplier[0]);
    for (int k = 1; k <= steps; k++) {
        CHECK(run_step(&r) == TML_OK);
        read_drives(&r, driven.coordinate[k], driven.multiplier[k]);
    }
    run_close(&r);
}

// ---- following

static void check_following(tml_control_kind kind, tml_integrator integrator)
{
    const commands c = sampled(kind);
    drive_by_position(&c, integrator, TML_START_ACCURATE, 40);
    for (int k = 0; k <= driven.steps; k++) {
        for (int d = 0; d < DRIVES; d++) {
            const double t = k * driven.step;
            CHECK_NEAR(driven.coordinate[k][d], command_at(&c, d, t), 1e-10);  // the tolerance
        }
    }
}

TEST(a_driven_chain_follows_its_controls_exactly)
{
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        const tml_integrator integrator = (tml_integrator)i;
        if (!tml_pairing_exists(TML_FORM_QUATERNION, integrator)) continue;
        if (!holds_rows(integrator)) continue;
        check_following(TML_CONTROL_CUBIC, integrator);
        check_following(TML_CONTROL_TABLE, integrator);
        check_following(TML_CONTROL_SINE, integrator);
    }
}

// The same targets given by the caller at the end of each step instead of by tables.
TEST(a_driven_chain_follows_the_callers_targets_exactly)
{
    const commands c = sampled(TML_CONTROL_CUBIC);
    run r;
    const drive_plan plan = {TML_POSITION, NULL, NULL};
    CHECK(run_freeze(&r, chain_of(&plan)) == TML_OK);
    CHECK(tml_model_control_count(r.model) == DRIVES);
    CHECK(run_start(&r) == TML_OK);
    for (int k = 1; k <= 40; k++) {
        double targets[DRIVES];
        double coordinate[DRIVES];
        double multiplier[DRIVES];
        for (int d = 0; d < DRIVES; d++) targets[d] = command_at(&c, d, 0.01 * k);
        CHECK(tml_sim_step(r.sim, targets) == TML_OK);
        read_drives(&r, coordinate, multiplier);
        for (int d = 0; d < DRIVES; d++) CHECK_NEAR(coordinate[d], targets[d], 1e-10);
        CHECK_NEAR(tml_sim_gap(r.sim), 0.0, 1e-10);
    }
    run_close(&r);
}

// ---- feeding forward

// Implicit Euler has no start and takes forces at the end of a step, so the recorded multipliers
// solve the very equations of the force-driven run.
TEST(multipliers_of_implicit_euler_reproduce_the_motion_to_rounding)
{
    const commands c = sampled(TML_CONTROL_CUBIC);
    double off = 0.0;
    run r;
    drive_by_position(&c, TML_TIME_BDF1, TML_START_SDIRK2, 40);
    const drive_plan plan = {TML_FORCE, NULL, driven.velocity};
    CHECK(run_freeze(&r, chain_of(&plan)) == TML_OK);
    r.settings.integrator = TML_TIME_BDF1;
    r.settings.implicit.start = TML_START_SDIRK2;  // the multipliers are those of the step itself
    r.settings.step = driven.step;
    CHECK(run_start(&r) == TML_OK);
    for (int k = 1; k <= driven.steps; k++) {
        double coordinate[DRIVES];
        double none[DRIVES];
        CHECK(tml_sim_step(r.sim, driven.multiplier[k]) == TML_OK);
        read_drives(&r, coordinate, none);
        for (int d = 0; d < DRIVES; d++) {
            off = larger_of(fabs(coordinate[d] - driven.coordinate[k][d]), off);
        }
    }
    printf("bdf1, fed forward: off by %.1e\n", off);
    // forces carry noise of 1e-16 / h^2 = 1e-12 of their 10 N, which 40 steps integrate twice; the
    // open chain spreads it by a factor of ten or so
    CHECK_NEAR(off, 0.0, 1e-10);
    run_close(&r);
}

// Largest distance of a run with the recorded multipliers as cubic tables from the driven one.
static double feed_forward(tml_integrator integrator, int steps)
{
    static double times[MAX_STEPS + 1];
    static double samples[DRIVES][MAX_STEPS + 1];
    const commands c = sampled(TML_CONTROL_SINE);  // smooth: a spline would stop at order 2
    tml_control controls[DRIVES];
    double off = 0.0;
    run r;

    drive_by_position(&c, integrator, TML_START_ACCURATE, steps);
    for (int k = 0; k <= steps; k++) {
        times[k] = k * driven.step;
        for (int d = 0; d < DRIVES; d++) samples[d][k] = driven.multiplier[k][d];
    }
    for (int d = 0; d < DRIVES; d++) {
        controls[d] = (tml_control){
            .kind = TML_CONTROL_CUBIC, .count = steps + 1, .times = times, .samples = samples[d]};
    }
    const drive_plan plan = {TML_FORCE, controls, driven.velocity};
    CHECK(run_freeze(&r, chain_of(&plan)) == TML_OK);
    r.settings.integrator = integrator;
    r.settings.step = driven.step;
    CHECK(run_start(&r) == TML_OK);
    for (int k = 1; k <= steps; k++) {
        double coordinate[DRIVES];
        double none[DRIVES];
        CHECK(run_step(&r) == TML_OK);
        read_drives(&r, coordinate, none);
        for (int d = 0; d < DRIVES; d++) {
            off = larger_of(fabs(coordinate[d] - driven.coordinate[k][d]), off);
        }
    }
    run_close(&r);
    return off;
}

TEST(multipliers_fed_forward_reproduce_the_motion_at_the_order_of_the_method)
{
    static const tml_integrator integrators[] = {TML_TIME_BDF1, TML_TIME_BDF2, TML_TIME_BDF3,
                                                 TML_TIME_SDIRK2};
    static const double orders[] = {1.0, 2.0, 3.0, 1.0};
    for (int i = 0; i < 4; i++) {
        const double coarse = feed_forward(integrators[i], 200);
        const double fine = feed_forward(integrators[i], 400);
        printf("%-7s fed forward: off by %.1e, order %.2f\n", tml_integrator_name(integrators[i]),
               fine, log2(coarse / fine));
        CHECK(log2(coarse / fine) > orders[i] - 0.2);
    }
}
