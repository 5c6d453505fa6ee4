// test/scenario/nonholonomic.c - bodies whose velocities are tied, against closed forms: Chaplygin's
// sleigh, the steady circles of a tilted disc, a sphere down a slope, a cart on two wheels.  [COOK (196)]
#include "test/check.h"
#include "test/scenario/run.h"

// ---- Chaplygin's sleigh
//
// A blade at the frame's origin that cannot slip sideways, the centre of mass a ahead of it. With
// J = I + m a^2, V = sqrt(2 E / m) and x = (a m / J) V t, from rest along the blade:
//     v = V tanh x,  omega = sqrt(m / J) V / cosh x,  heading = sqrt(J / m) / a (2 atan(e^x) - pi / 2)

static const double mass = 2.0, moment = 0.3, ahead = 0.4, spin = 3.0;

static tml_spec* sleigh(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    tml_joint_def ice = tml_joint_def_default();
    tml_nonholonomic_def blade = tml_nonholonomic_def_default();

    body.mass = mass;
    body.inertia[0] = body.inertia[1] = 0.2;
    body.inertia[2] = moment;
    body.com = (tml_vec3){ahead, 0.0, 0.0};
    body.velocity.angular = (tml_vec3){0.0, 0.0, spin};
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    blade.body = ice.follower = tml_spec_add_body(spec, &body);
    ice.kind = TML_JOINT_PLANAR;
    ice.base = TML_WORLD;
    tml_spec_add_joint(spec, &ice);
    blade.axis = (tml_vec3){0.0, 1.0, 0.0};
    tml_spec_add_nonholonomic(spec, &blade);
    return spec;
}

static tml_status sleigh_start(run* r, tml_integrator integrator, double step)
{
    const tml_status status = run_freeze(r, sleigh());
    for (int f = 0; !tml_pairing_exists((tml_formulation)f, integrator); f++) {
        r->settings.formulation = (tml_formulation)(f + 1);
    }
    r->settings.integrator = integrator;
    r->settings.step = step;
    r->settings.tolerance = 1e-12;
    return status == TML_OK ? run_start(r) : status;
}

// Largest error of speed, spin and heading after two seconds, when it nearly runs straight.
static double sleigh_error(tml_integrator integrator, int steps)
{
    run r;
    const double J = moment + mass * ahead * ahead;
    const double V = spin * sqrt(J / mass);
    const double x = ahead * mass / J * V * 2.0;
    CHECK(sleigh_start(&r, integrator, 2.0 / steps) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const tml_velocity twist = tml_sim_velocity(r.sim, (tml_body){0});
    const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
    const double heading = sqrt(J / mass) / ahead * (2.0 * atan(exp(x)) - 0.5 * TML_PI);
    const double turned = 2.0 * atan2(pose.q.z, pose.q.w);
    const double along = twist.linear.x * cos(heading) + twist.linear.y * sin(heading);
    double error = fabs(along - V * tanh(x));
    error = larger_of(error, fabs(twist.angular.z - spin / cosh(x)));
    error = larger_of(error, fabs(sin(0.5 * (turned - heading))));
    run_close(&r);
    return error;
}

TEST(chaplygins_sleigh_runs_as_its_closed_form)
{
    static const struct {
        tml_integrator integrator;
        int steps;
        double order;
    } all[] = {
        {TML_TIME_BDF1, 800, 1.0},        {TML_TIME_BDF2, 400, 2.0},
        {TML_TIME_BDF3, 200, 3.0},        {TML_TIME_BDF4, 100, 4.0},
        {TML_TIME_SDIRK2, 400, 1.0},      {TML_TIME_SEMI_IMPLICIT_EULER, 800, 1.0},
        {TML_TIME_VARIATIONAL, 200, 2.0}, {TML_TIME_VARIATIONAL4, 50, 4.0},
        {TML_TIME_ENERGY, 200, 2.0},      {TML_TIME_ENERGY_DAMPED, 800, 1.0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double coarse = sleigh_error(all[i].integrator, all[i].steps);
        const double fine = sleigh_error(all[i].integrator, 2 * all[i].steps);
        const double order = log2(coarse / fine);
        printf("%-22s error %.2e, order %.2f\n", tml_integrator_name(all[i].integrator), fine,
               order);
        CHECK(order > all[i].order - 0.15);
        CHECK(fine < 0.02);
    }
}

// The blade's force is across all velocities that it allows: it does no work, and energy stays.
TEST(a_blade_does_no_work)
{
    run r;
    CHECK(sleigh_start(&r, TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    const double start = run_energy(&r);
    double least = start;
    double most = start;
    for (int k = 0; k < 20000; k++) {
        if (run_step(&r) != TML_OK) break;
        const tml_velocity twist = tml_sim_velocity(r.sim, (tml_body){0});
        const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
        const vec3 across = q_rotate(pose.q, (vec3){0.0, 1.0, 0.0});
        CHECK(fabs(v3_dot(across, twist.linear)) < 1e-11);  // the slip of the blade, m/s
        if (run_energy(&r) < least) least = run_energy(&r);
        if (run_energy(&r) > most) most = run_energy(&r);
    }
    printf("energy of 200 s: %.3e below, %.3e above its start of %.3g J\n", start - least,
           most - start, start);
    CHECK(most - least < 1e-3 * start);  // h^2 times the curvature of the path, once
    CHECK(fabs(run_energy(&r) - start) < 1e-3 * start);
    run_close(&r);
}

// ---- a tilted disc in steady circles
//
// Axis e at theta from the vertical, turning about it at Omega, spin w_e about e. Balance of moments
// about the centre, with the contact's force carrying weight and centripetal acceleration:
//     (I_s + m r^2) w_e Omega sin - I_t Omega^2 sin cos + m g r cos = 0
// and the centre runs on a circle of radius -r w_e / Omega.

static const double radius = 0.1, coin_mass = 0.5, theta = 1.2, turn_rate = 2.5;

static double coin_spin(double* circle)
{
    const double I_t = 0.25 * coin_mass * radius * radius;
    const double I_s = 2.0 * I_t;
    const double w = (I_t * turn_rate * turn_rate * sin(theta) * cos(theta) -
                      coin_mass * 9.81 * radius * cos(theta)) /
                     ((I_s + coin_mass * radius * radius) * turn_rate * sin(theta));
    *circle = -radius * w / turn_rate;
    return w;
}

static tml_spec* coin(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    tml_nonholonomic_def roll = tml_nonholonomic_def_default();
    double circle = 0.0;
    const double w = coin_spin(&circle);
    const vec3 e = {sin(theta), 0.0, cos(theta)};
    const vec3 up = {0.0, 0.0, 1.0};

    body.mass = coin_mass;
    body.inertia[0] = body.inertia[1] = 0.25 * coin_mass * radius * radius;
    body.inertia[2] = 0.5 * coin_mass * radius * radius;
    body.pose.p = (tml_vec3){circle, 0.0, radius * sin(theta)};
    body.pose.q = (tml_quat){cos(0.5 * theta), 0.0, sin(0.5 * theta), 0.0};
    body.velocity.angular = v3_axpy(v3_scale(w - turn_rate * cos(theta), e), turn_rate, up);
    body.velocity.linear = (tml_vec3){0.0, circle * turn_rate, 0.0};
    roll.body = tml_spec_add_body(spec, &body);
    roll.kind = TML_ROLLING;
    roll.axis = up;  // in the body
    roll.radius = radius;
    tml_spec_add_nonholonomic(spec, &roll);
    return spec;
}

// After one turn the centre is back; its largest distance from there, and from its height on the way.
static double coin_error(tml_formulation formulation, tml_integrator integrator, int steps)
{
    run r;
    double circle = 0.0;
    double error = 0.0;
    coin_spin(&circle);
    CHECK(run_freeze(&r, coin()) == TML_OK);
    r.settings.formulation = formulation;
    r.settings.integrator = integrator;
    r.settings.step = 2.0 * TML_PI / turn_rate / steps;
    r.settings.tolerance = 1e-12;
    CHECK(run_start(&r) == TML_OK);
    for (int k = 0; k < steps; k++) {
        if (run_step(&r) != TML_OK) return (double)NAN;
        const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
        error = larger_of(error, fabs(pose.p.z - radius * sin(theta)));
    }
    const vec3 end = tml_sim_pose(r.sim, (tml_body){0}).p;
    error = larger_of(error, v3_norm(v3_sub(end, (vec3){circle, 0.0, radius * sin(theta)})));
    CHECK(tml_sim_get_report(r.sim).max_gap < 1e-10);  // the rim stays on the plane
    run_close(&r);
    return error;
}

TEST(a_tilted_disc_rolls_in_circles)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
        int steps;
        double order;
    } all[] = {
        {TML_FORM_QUATERNION, TML_TIME_BDF2, 800, 2.0},
        {TML_FORM_QUATERNION, TML_TIME_BDF4, 400, 4.0},
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 400, 2.0},
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, 200, 4.0},
        {TML_FORM_AFFINE, TML_TIME_ENERGY, 400, 2.0},
        {TML_FORM_AFFINE, TML_TIME_BDF2, 800, 2.0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double coarse = coin_error(all[i].formulation, all[i].integrator, all[i].steps);
        const double fine = coin_error(all[i].formulation, all[i].integrator, 2 * all[i].steps);
        const double order = log2(coarse / fine);
        printf("%-22s error %.2e m, order %.2f\n", tml_integrator_name(all[i].integrator), fine,
               order);
        CHECK(order > all[i].order - 0.15);
        CHECK(fine < 0.02);
    }
}

// ---- a sphere down a slope: 5/7 of what sliding would give

// The formulas see turning by chords, so that a spin that grows is right at the order of the formula.
static double sphere_error(int steps)
{
    const double slope = 0.3;
    tml_spec* spec = tml_spec_create();
    tml_body_def ball = tml_body_def_default();
    tml_nonholonomic_def roll = tml_nonholonomic_def_default();
    run r;

    for (int k = 0; k < 3; k++) ball.inertia[k] = 0.4 * 0.01;
    roll.plane_normal = (tml_vec3){3.0 * sin(slope), 0.0, 3.0 * cos(slope)};  // any length
    roll.plane_offset = 3.0 * 0.25;
    ball.pose.p = v3_scale(0.35 / 3.0, roll.plane_normal);
    roll.body = tml_spec_add_body(spec, &ball);
    roll.kind = TML_ROLLING;
    roll.radius = 0.1;
    tml_spec_add_nonholonomic(spec, &roll);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.step = 1.0 / steps;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const tml_velocity twist = tml_sim_velocity(r.sim, (tml_body){0});
    const double speed = 5.0 / 7.0 * 9.81 * sin(slope);
    // no slip, whatever the step
    CHECK_NEAR(v3_norm(twist.linear), 0.1 * v3_norm(twist.angular), 1e-7);
    run_close(&r);
    return fabs(v3_norm(twist.linear) - speed);
}

TEST(a_sphere_rolls_down_a_slope)
{
    const double coarse = sphere_error(400);
    const double fine = sphere_error(800);
    printf("sphere: error %.2e m/s, order %.2f\n", fine, log2(coarse / fine));
    CHECK(log2(coarse / fine) > 1.85);
    CHECK(fine < 1e-3);
}

// ---- a cart on two wheels
//
// A deck that stays level, its centre of mass over the axle; a motor turns the left wheel. With b half the axle,
// (M + 2 I / R^2) v' = tau / R and (J + 2 I b^2 / R^2) omega' = -tau b / R, whatever the path. The heights of both
// wheels and one slip across the axle follow from other rows.

static const double wheel_radius = 0.2, half_axle = 0.3, motor = 0.1;

static void add_wheel(tml_spec* spec, tml_body deck, double side, double torque)
{
    tml_body_def wheel = tml_body_def_default();
    tml_joint_def hub = tml_joint_def_default();
    tml_nonholonomic_def roll = tml_nonholonomic_def_default();
    wheel.mass = 0.5;
    wheel.inertia[0] = wheel.inertia[2] = 0.005;
    wheel.inertia[1] = 0.01;
    wheel.pose.p = (tml_vec3){0.0, side, wheel_radius};
    wheel.velocity.linear = (tml_vec3){1.0, 0.0, 0.0};
    wheel.velocity.angular = (tml_vec3){0.0, 1.0 / wheel_radius, 0.0};
    roll.body = hub.follower = tml_spec_add_body(spec, &wheel);
    hub.kind = TML_JOINT_REVOLUTE;
    hub.base = deck;
    hub.position = wheel.pose.p;
    hub.axis = roll.axis = (tml_vec3){0.0, 1.0, 0.0};
    hub.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    hub.axis_of[TML_AXIS_RX].control = tml_control_constant(torque);
    tml_spec_add_joint(spec, &hub);
    roll.kind = TML_ROLLING;
    roll.radius = wheel_radius;
    roll.plane_normal = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_nonholonomic(spec, &roll);
}

static tml_spec* cart(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def deck = tml_body_def_default();
    tml_joint_def level = tml_joint_def_default();
    deck.mass = 3.0;
    for (int k = 0; k < 3; k++) deck.inertia[k] = 0.2 + 0.1 * k;
    deck.pose.p = (tml_vec3){0.0, 0.0, wheel_radius};
    deck.velocity.linear = (tml_vec3){1.0, 0.0, 0.0};
    level.follower = tml_spec_add_body(spec, &deck);
    level.kind = TML_JOINT_PLANAR;
    level.base = TML_WORLD;
    level.position = deck.pose.p;
    add_wheel(spec, level.follower, half_axle, motor);
    add_wheel(spec, level.follower, -half_axle, 0.0);
    tml_spec_add_joint(spec, &level);
    return spec;
}

static double cart_error(tml_formulation formulation, tml_integrator integrator, double step)
{
    run r;
    const double moment_of_all = 0.4 + 2.0 * (0.5 * half_axle * half_axle + 0.005);
    const double spun = 2.0 * 0.01 / (wheel_radius * wheel_radius);
    const double gain = motor / wheel_radius / (4.0 + spun);
    const double turn =
        -motor * half_axle / wheel_radius / (moment_of_all + spun * half_axle * half_axle);
    CHECK(run_freeze(&r, cart()) == TML_OK);
    r.settings.formulation = formulation;
    r.settings.integrator = integrator;
    r.settings.step = step;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, (int)(1.0 / step + 0.5)) == TML_OK);
    const tml_velocity twist = tml_sim_velocity(r.sim, (tml_body){0});
    const tml_pose pose = tml_sim_pose(r.sim, (tml_body){0});
    double error = fabs(v3_norm(twist.linear) - (1.0 + gain));
    error = larger_of(error, fabs(twist.angular.z - turn));
    error = larger_of(error, fabs(2.0 * atan2(pose.q.z, pose.q.w) - 0.5 * turn));
    CHECK(tml_sim_get_report(r.sim).max_gap <= 1e-10);
    run_close(&r);
    return error;
}

TEST(a_cart_on_two_wheels_runs_as_its_closed_form)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
        double order;
    } cases[] = {{TML_FORM_QUATERNION, TML_TIME_BDF2, 2.0},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 2.0},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY, 2.0},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double coarse = cart_error(cases[i].formulation, cases[i].integrator, 4e-3);
        const double fine = cart_error(cases[i].formulation, cases[i].integrator, 2e-3);
        const double order = log2(coarse / fine);
        printf("cart, %-14s error %.2e, order %.2f\n", tml_integrator_name(cases[i].integrator),
               fine, order);
        // about (t h) and (t h)^2 with t = 1 s: 2e-3 and 4e-6
        CHECK(fine < (cases[i].order > 1.5 ? 1e-5 : 1e-2));
        CHECK(order > cases[i].order - 0.15);
    }
}

// Affine steps: neither blade nor disc does work, so that energy never rises, at large steps either. (Damped
// by its steps a disc soon lies flat, where it touches nowhere in particular: only the blade is.)
TEST(energy_never_rises_on_a_blade_and_on_a_rim)
{
    for (int k = 0; k < 3; k++) {
        run r;
        CHECK(run_freeze(&r, k % 2 == 0 ? sleigh() : coin()) == TML_OK);
        r.settings.formulation = TML_FORM_AFFINE;
        r.settings.integrator = k < 2 ? TML_TIME_ENERGY : TML_TIME_ENERGY_DAMPED;
        r.settings.step = 0.05;
        CHECK(run_start(&r) == TML_OK);
        const double first = run_energy(&r);
        double energy = first;
        double rise = 0.0;
        for (int i = 0; i < 200 && run_step(&r) == TML_OK; i++) {
            rise = larger_of(rise, run_energy(&r) - energy);
            energy = run_energy(&r);
        }
        CHECK(tml_sim_time(r.sim) > 9.99);
        printf("%-14s of a %s: %.4g -> %.4g J, largest rise %.1e J, gap %.1e m\n",
               tml_integrator_name(r.settings.integrator), k % 2 == 0 ? "blade" : "rim", first,
               energy, rise, tml_sim_get_report(r.sim).max_gap);
        // what Newton leaves, 1e-9 of the energies involved, as every step of `energy` may
        CHECK(rise <= 1e-9 * (1e-3 + fabs(first)));
        CHECK(tml_sim_get_report(r.sim).max_gap <= 1e-10);
        run_close(&r);
    }
}

// ---- refusals

TEST(what_cannot_roll_is_refused)
{
    run r;
    CHECK(run_freeze(&r, sleigh()) == TML_OK);
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_sim_message(r.sim), "nonholonomic0");
    run_close(&r);

    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    tml_nonholonomic_def roll = tml_nonholonomic_def_default();
    roll.body = tml_spec_add_body(spec, &body);
    roll.kind = TML_ROLLING;
    roll.radius = 0.1;
    roll.axis = (tml_vec3){1.0, 0.0, 0.0};
    tml_spec_add_nonholonomic(spec, &roll);  // at the plane, not over it
    CHECK(run_freeze(&r, spec) == TML_OK);
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_sim_message(r.sim), "-0.1 m over its plane");
    run_close(&r);
}
