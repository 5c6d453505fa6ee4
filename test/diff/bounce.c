// test/diff/bounce.c - gradients through impacts against event-driven closed forms, and gradients that find
// their way where contacts block them.                                   [DCON Sec IV-D App E Fig 3 Fig 4]
#include "test/diff/mechanisms.h"
#include "test/scenario/touching.h"

#include <stdbool.h>

static const method methods[] = {
    {.form = TML_FORM_GENERALIZED, .integrator = TML_TIME_SEMI_IMPLICIT_EULER},
    {.form = TML_FORM_GENERALIZED, .integrator = TML_TIME_PROJECTED},
    {.form = TML_FORM_QUATERNION, .integrator = TML_TIME_BDF1},
    {.form = TML_FORM_QUATERNION, .integrator = TML_TIME_BDF2},
    {.form = TML_FORM_VARIATIONAL, .integrator = TML_TIME_VARIATIONAL},
    {.form = TML_FORM_AFFINE, .integrator = TML_TIME_BDF1},
    {.form = TML_FORM_AFFINE, .integrator = TML_TIME_BDF2},
    {.form = TML_FORM_AFFINE, .integrator = TML_TIME_ENERGY},
    {.form = TML_FORM_AFFINE, .integrator = TML_TIME_ENERGY_DAMPED},
};

enum {
    METHODS = sizeof methods / sizeof *methods
};

static tml_sim_settings bounce_settings(method by, double step)
{
    tml_sim_settings s = settings_for(by);
    s.contact.is_on = 1;
    s.step = step;
    return s;
}

static void print_method(method by)
{
    printf("%s %s: ", tml_formulation_name(by.form), tml_integrator_name(by.integrator));
}

typedef struct ball {
    tml_vec3 at, velocity;
    double mass, radius, restitution;
} ball;

static tml_body add_ball(tml_spec* spec, const char* name, const ball* b)
{
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(b->radius, 0, 0), 0.0);
    tml_body_def body = tml_body_def_default();
    shape.restitution = b->restitution;
    body.name = name;
    body.mass = b->mass;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.4 * b->mass * b->radius * b->radius;
    body.pose.p = b->at;
    body.velocity.linear = b->velocity;
    body.shapes = &shape;
    body.shape_count = 1;
    return tml_spec_add_body(spec, &body);
}

static void add_slider(tml_spec* spec, tml_body body, tml_vec3 at, tml_vec3 axis, bool is_driven)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_PRISMATIC;
    def.base = TML_WORLD;
    def.follower = body;
    def.position = at;
    def.axis = axis;
    def.collide = 1;
    if (is_driven) def.axis_of[TML_AXIS_TX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &def);
}

// Two balls on one line; the first meets the second.
static tml_model* two_balls(double second_mass, double restitution)
{
    tml_spec* spec = tml_spec_create();
    const ball a = {{0, 0, 0}, {1, 0, 0}, 1.0, 0.1, restitution};
    const ball b = {{0.253, 0, 0}, {0, 0, 0}, second_mass, 0.1, restitution};
    add_slider(spec, add_ball(spec, "first", &a), a.at, v3(1, 0, 0), false);
    add_slider(spec, add_ball(spec, "second", &b), b.at, v3(1, 0, 0), false);
    tml_spec_set_gravity(spec, v3_zero());
    return build(spec);
}

// Rows: d(x of the first, of the second at the end)/d(both at the start).
static void bounce_rows(method by, double second_mass, double restitution,
                        tml_contact_slopes slopes, double rows[2][2])
{
    tml_model* m = two_balls(second_mass, restitution);
    const tml_sim_settings s = bounce_settings(by, 0.01);
    tml_derivatives* d = remembered(m, &s, 20);
    CHECK(tml_derivatives_set_contact_slopes(d, slopes) == TML_OK);
    const tml_parameter from[2] = {{TML_PARAMETER_POSE, 0, 0, 0}, {TML_PARAMETER_POSE, 1, 0, 0}};
    for (int i = 0; i < 2; i++) {
        const tml_quantity end = {TML_QUANTITY_POSITION, i, 0, 20};
        const double one = 1.0;
        CHECK(tml_derivatives_gradient(d, 1, &end, &one, 2, from, rows[i]) == TML_OK);
        for (int k = 0; k < 2; k++) {
            double slope = 0.0;
            CHECK(tml_derivatives_forward(d, 1, &from[k], &one, 1, &end, &slope) == TML_OK);
            CHECK_NEAR(slope, rows[i][k], 1e-12);
        }
    }
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// nimblephysics issue 97: two equal balls hand their motion over. The second ends where the first would
// have. In maximal coordinates as exactly as a step meets its equations.
TEST(two_equal_balls_hand_their_gradients_over_exactly)
{
    for (int k = 0; k < METHODS; k++) {
        double rows[2][2];
        const double error = methods[k].form == TML_FORM_GENERALIZED ? 0.0 : 1e-12;
        bounce_rows(methods[k], 1.0, 1.0, TML_SLOPES_CONTINUOUS_BOUNCE, rows);
        print_method(methods[k]);
        printf("first (%.17g, %.17g), second (%.17g, %.17g)\n", rows[0][0], rows[0][1], rows[1][0],
               rows[1][1]);
        CHECK(fabs(rows[1][0] - 1.0) <= error && fabs(rows[1][1]) <= error);
        CHECK(fabs(rows[0][0]) <= error && fabs(rows[0][1] - 1.0) <= error);
    }
    // of the steps as they are: which step the impact falls into does not change with where it starts
    double rows[2][2];
    bounce_rows(methods[0], 1.0, 1.0, TML_SLOPES_EXACT, rows);
    CHECK_NEAR(rows[1][0], 0.0, 1e-14);
    CHECK_NEAR(rows[1][1], 1.0, 1e-14);
}

// x1' = x1 - (1 + e) m2/(m1 + m2) (x1 - x2), and the other way round: [notes, section 1.6]
TEST(unequal_balls_share_their_gradients_by_their_masses)
{
    static const double exact[2][2] = {{-0.35, 1.35}, {0.45, 0.55}};
    for (int k = 0; k < METHODS; k++) {
        double rows[2][2];
        double worst = 0.0;
        bounce_rows(methods[k], 3.0, 0.8, TML_SLOPES_CONTINUOUS_BOUNCE, rows);
        for (int i = 0; i < 4; i++) {
            worst = fmax(worst, fabs(rows[i / 2][i % 2] - exact[i / 2][i % 2]));
        }
        print_method(methods[k]);
        printf("masses 1:3, restitution 0.8: error %.2e\n", worst);
        CHECK(worst <= 1e-10);
    }
}

// ---- oblique impacts

// Two balls that fly freely, frictionless: where they are and how they move after time T, by events.
typedef struct flight {
    double x[2][3], v[2][3];
} flight;

static flight fly(flight f, const double mass[2], double distance, double e, double T)
{
    double d[3];
    double u[3];
    for (int k = 0; k < 3; k++) {
        d[k] = f.x[0][k] - f.x[1][k];
        u[k] = f.v[0][k] - f.v[1][k];
    }
    const double a = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const double b = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
    const double c = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - distance * distance;
    const double t = (-b - sqrt(b * b - a * c)) / a;
    double speed = 0.0;
    double n[3];
    for (int k = 0; k < 3; k++) {
        n[k] = (d[k] + t * u[k]) / distance;
        speed += n[k] * u[k];
    }
    const double impulse = -(1.0 + e) * speed / (1.0 / mass[0] + 1.0 / mass[1]);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            const double after = f.v[i][k] + (i == 0 ? impulse : -impulse) / mass[i] * n[k];
            f.x[i][k] += t * f.v[i][k] + (T - t) * after;
            f.v[i][k] = after;
        }
    }
    return f;
}

// The balls are a tenth of a nanometre apart: within the step the normal does not turn, which is what a
// step sees. [notes, section 10: the curvature of J inside the bounce]
static void check_oblique(method by)
{
    const double mass[2] = {1.0, 2.5};
    const double e = 0.7;
    const double h = 1e-3;
    const double apart = 0.3 + 1e-10;
    const double n[3] = {0.6, 0.64, 0.48};
    const flight start = {{{apart * n[0], apart * n[1], apart * n[2]}, {0, 0, 0}},
                          {{-1.1, -0.4, 0.3}, {0.2, 0.5, -0.1}}};
    tml_spec* spec = tml_spec_create();
    const double radius[2] = {0.1, 0.2};
    for (int i = 0; i < 2; i++) {
        const ball b = {{start.x[i][0], start.x[i][1], start.x[i][2]},
                        {start.v[i][0], start.v[i][1], start.v[i][2]},
                        mass[i],
                        radius[i],
                        e};
        add_ball(spec, i == 0 ? "first" : "second", &b);
    }
    tml_spec_set_gravity(spec, v3_zero());
    tml_model* m = build(spec);
    const tml_sim_settings s = bounce_settings(by, h);
    tml_derivatives* d = remembered(m, &s, 1);
    CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE) == TML_OK);
    double worst = 0.0;
    for (int p = 0; p < 12; p++) {
        const tml_parameter input = {p < 6 ? TML_PARAMETER_POSE : TML_PARAMETER_VELOCITY, p / 3 % 2,
                                     p % 3, 0};
        // central differences of the closed form at two sizes, extrapolated; the impact stays ahead in time
        // for the formula, wherever it is
        double slope[2][12];
        for (int level = 0; level < 2; level++) {
            const double size = level == 0 ? 2e-4 : 1e-4;
            flight f[2] = {start, start};
            for (int side = 0; side < 2; side++) {
                const double by_how_much = side == 0 ? size : -size;
                if (p < 6) {
                    f[side].x[p / 3 % 2][p % 3] += by_how_much;
                } else {
                    f[side].v[p / 3 % 2][p % 3] += by_how_much;
                }
                f[side] = fly(f[side], mass, 0.3, e, h);
            }
            for (int q = 0; q < 12; q++) {
                const double up = q < 6 ? f[0].x[q / 3][q % 3] : f[0].v[q / 3 % 2][q % 3];
                const double down = q < 6 ? f[1].x[q / 3][q % 3] : f[1].v[q / 3 % 2][q % 3];
                slope[level][q] = (up - down) / (2.0 * size);
            }
        }
        for (int q = 0; q < 12; q++) {
            const tml_quantity end = {q < 6 ? TML_QUANTITY_POSITION : TML_QUANTITY_VELOCITY,
                                      q / 3 % 2, q % 3, 1};
            const double one = 1.0;
            double exact = 0.0;
            CHECK(tml_derivatives_forward(d, 1, &input, &one, 1, &end, &exact) == TML_OK);
            const double closed = (4.0 * slope[1][q] - slope[0][q]) / 3.0;
            worst = fmax(worst, fabs(exact - closed) / fmax(1.0, fabs(closed)));
        }
    }
    print_method(by);
    printf("oblique impact: largest error %.2e\n", worst);
    CHECK(worst <= 1e-8);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

TEST(oblique_impacts_follow_event_driven_closed_forms)
{
    for (int k = 0; k < METHODS; k++) check_oblique(methods[k]);
}

// ---- forces beside the impact

// What a run ends at and how it began: one number each, and the slopes of its closed form or of an accurate
// solution by events.
typedef struct event_run {
    const tml_model* model;
    tml_parameter by[2];  // where it starts, how fast
    tml_quantity end[2];  // where it ends, how fast; steps are set below
    double slope[2][2];   // of end by start
    double time;
} event_run;

// Largest error of all four slopes with this step; forwards against backwards.
static double event_error(const event_run* r, method by, double h)
{
    const tml_sim_settings s = bounce_settings(by, h);
    const int steps = (int)lround(r->time / h);
    tml_derivatives* d = remembered(r->model, &s, steps);
    CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE) == TML_OK);
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        tml_quantity end = r->end[i];
        const double one = 1.0;
        double back[2];
        end.step = steps;
        CHECK(tml_derivatives_gradient(d, 1, &end, &one, 2, r->by, back) == TML_OK);
        for (int k = 0; k < 2; k++) {
            double slope = 0.0;
            CHECK(tml_derivatives_forward(d, 1, &r->by[k], &one, 1, &end, &slope) == TML_OK);
            // rounding over h, which adds up from step to step
            const double rounding = steps <= 125 ? 1e-12 : 2e-11;
            CHECK_NEAR(slope, back[k], rounding * fmax(1.0, fabs(slope)));
            worst = fmax(worst, fabs(slope - r->slope[i][k]) / fmax(1.0, fabs(r->slope[i][k])));
        }
    }
    tml_derivatives_destroy(d);
    return worst;
}

// Errors of order h, by where in a step the impact falls.
static void check_events(const event_run* r, const char* what)
{
    for (int k = 0; k < METHODS; k++) {
        const double coarse = event_error(r, methods[k], 4e-3);
        const double fine = event_error(r, methods[k], 5e-4);
        print_method(methods[k]);
        printf("%s: error %.2e at 4 ms, %.2e at 0.5 ms\n", what, coarse, fine);
        CHECK(coarse <= 5e-2 && fine <= 6e-3);
    }
}

// A ball that falls, bounces and flies on: d(z, v)/d(z0, v0) = F(T - c) X F(c), the saltation matrix X between two
// flights.                                                                     [notes, section 1.6]
TEST(a_ball_that_falls_and_bounces_follows_its_closed_form)
{
    const double g = 9.81;
    const double e = 0.7;
    const double height = 0.2013;
    const double v0 = -0.5;
    const double T = 0.4;
    const ball b = {{0, 0, 0.1 + height}, {0, 0, v0}, 1.5, 0.1, e};
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.0, 0.0);
    tml_spec_set_gravity(spec, v3(0, 0, -g));
    add_ball(spec, "ball", &b);
    tml_model* m = build(spec);
    const double v = -sqrt(v0 * v0 + 2.0 * g * height);
    const double c = (v0 - v) / g;
    const double X = -(1.0 + e) * g / v;  // of the velocity by the height
    const double at[2][2] = {{-e, -e * c}, {X, X * c - e}};
    event_run r = {.model = m,
                   .by = {{TML_PARAMETER_POSE, 0, 2, 0}, {TML_PARAMETER_VELOCITY, 0, 2, 0}},
                   .end = {{TML_QUANTITY_POSITION, 0, 2, 0}, {TML_QUANTITY_VELOCITY, 0, 2, 0}},
                   .time = T};
    for (int k = 0; k < 2; k++) {
        r.slope[0][k] = at[0][k] + (T - c) * at[1][k];
        r.slope[1][k] = at[1][k];
    }
    check_events(&r, "falling ball");
    tml_model_destroy(m);
}

// A pendulum that strikes a wall, by events: angle and rate after time T.
typedef struct swing {
    double angle, rate;
} swing;

typedef struct pendulum {
    double stiffness;  // m g l / (m l^2 + I)
    double wall;       // angle of the impact
    double e;
} pendulum;

static swing swing_by(const pendulum* p, swing s, double h)
{
    const double k1 = -p->stiffness * sin(s.angle);
    const double k2 = -p->stiffness * sin(s.angle + 0.5 * h * s.rate);
    const double k3 = -p->stiffness * sin(s.angle + 0.5 * h * (s.rate + 0.5 * h * k1));
    const double k4 = -p->stiffness * sin(s.angle + h * (s.rate + 0.5 * h * k2));
    return (swing){s.angle + h * s.rate + h * h / 6.0 * (k1 + k2 + k3),
                   s.rate + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)};
}

static swing swing_for(const pendulum* p, swing s, double T)
{
    const double h = 1e-3;
    double left = T;
    while (left > 1e-12) {
        double step = fmin(h, left);
        swing next = swing_by(p, s, step);
        if (next.angle < p->wall && s.rate < 0.0) {
            step = (p->wall - s.angle) / s.rate;
            for (int k = 0; k < 8; k++) {
                next = swing_by(p, s, step);
                step -= (next.angle - p->wall) / next.rate;
            }
            next = swing_by(p, s, step);
            next.rate *= -p->e;
        }
        s = next;
        left -= step;
    }
    return s;
}

// The rows of a joint have their say before and after: accelerations are others, and poses stay on a circle.
TEST(a_pendulum_that_strikes_a_wall_follows_events)
{
    const double length = 0.5;
    const double radius = 0.1;
    const double mass = 1.5;
    const double wall = -0.3;
    // the ball is given a speed and no spin: the joint makes of it what keeps its momentum
    const double share = length / (length * length + 0.4 * radius * radius);
    const pendulum p = {9.81 * share, wall, 0.6};
    const double angle = 0.4;
    const double speed = -0.5;
    const double T = 0.5;
    tml_spec* spec = tml_spec_create();
    tml_shape_def slab = shape_of(TML_SHAPE_BOX, v3(0.2, 4.0, 4.0), 0.0);
    slab.pose.p.x = length * sin(wall) - radius - 0.1;
    tml_spec_add_world_shape(spec, &slab);
    const ball b = {{length * sin(angle), 0, -length * cos(angle)},
                    {speed * cos(angle), 0, speed * sin(angle)},
                    mass,
                    radius,
                    p.e};
    tml_joint_def hinge = tml_joint_def_default();
    hinge.base = TML_WORLD;
    hinge.follower = add_ball(spec, "bob", &b);
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.axis = v3(0, 1, 0);
    hinge.collide = 1;
    tml_spec_add_joint(spec, &hinge);
    tml_model* m = build(spec);
    event_run r = {.model = m,
                   .by = {{TML_PARAMETER_POSE, 0, 0, 0}, {TML_PARAMETER_VELOCITY, 0, 0, 0}},
                   .end = {{TML_QUANTITY_POSITION, 0, 0, 0}, {TML_QUANTITY_VELOCITY, 0, 0, 0}},
                   .time = T};
    // a shift along x turns the arm by share cos(angle), a speed likewise
    for (int k = 0; k < 2; k++) {
        const double size = 1e-4;
        swing end[2];
        for (int side = 0; side < 2; side++) {
            const double change = (side == 0 ? size : -size) * share * cos(angle);
            swing s = {angle, share * speed};
            if (k == 0) s.angle += change;
            if (k == 1) s.rate += change;
            end[side] = swing_for(&p, s, T);
        }
        r.slope[0][k] = length * (sin(end[0].angle) - sin(end[1].angle)) / (2.0 * size);
        r.slope[1][k] = length *
                        (cos(end[0].angle) * end[0].rate - cos(end[1].angle) * end[1].rate) /
                        (2.0 * size);
    }
    check_events(&r, "pendulum");
    tml_model_destroy(m);
}

// ---- several at once

// A box that lands flat on four corners and leaves: its height is turned round, whoever of them does it.
TEST(a_box_that_bounces_on_four_corners_turns_round)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.0, 0.0);
    tml_shape_def shape = shape_of(TML_SHAPE_BOX, v3(0.4, 0.3, 0.2), 0.0);
    shape.restitution = 0.5;
    tml_body_def box = tml_body_def_default();
    box.name = "box";
    box.mass = 2.0;
    for (int k = 0; k < 3; k++) box.inertia[k] = 0.02 + 0.01 * k;
    box.pose.p.z = 0.1213;
    box.velocity.linear = v3(0.3, 0.0, -1.0);
    box.shapes = &shape;
    box.shape_count = 1;
    tml_spec_add_body(spec, &box);
    tml_spec_set_gravity(spec, v3_zero());
    tml_model* m = build(spec);
    for (int k = 0; k < METHODS; k++) {
        const tml_sim_settings s = bounce_settings(methods[k], 0.01);
        tml_derivatives* d = remembered(m, &s, 6);
        CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE) == TML_OK);
        const tml_parameter up = {TML_PARAMETER_POSE, 0, 2, 0};
        const tml_quantity end = {TML_QUANTITY_POSITION, 0, 2, 6};
        const double one = 1.0;
        double slope = 0.0;
        double back = 0.0;
        CHECK(tml_derivatives_forward(d, 1, &up, &one, 1, &end, &slope) == TML_OK);
        CHECK(tml_derivatives_gradient(d, 1, &end, &one, 1, &up, &back) == TML_OK);
        print_method(methods[k]);
        printf("box on four corners: %.17g, backwards %.17g\n", slope, back);
        CHECK_NEAR(slope, -0.5, 1e-9);
        CHECK_NEAR(slope, back, 1e-12);
        tml_derivatives_destroy(d);
    }
    tml_model_destroy(m);
}

// ---- gradients that contacts block

// A ball of which only the height is free, on the ground or on a platform that is driven, weightless.
static tml_model* toy(bool has_platform)
{
    tml_spec* spec = tml_spec_create();
    const ball b = {{0, 0, 0.1}, {0, 0, 0}, 1.0, 0.1, 0.0};
    tml_spec_set_gravity(spec, v3(0, 0, has_platform ? 0.0 : -9.81));
    if (!has_platform) add_ground(spec, 0.0, 0.0);
    const tml_body body = add_ball(spec, "ball", &b);
    add_slider(spec, body, b.at, v3(0, 0, 1), !has_platform);
    if (has_platform) {
        const tml_shape_def box = shape_of(TML_SHAPE_BOX, v3(0.4, 0.4, 0.1), 0.0);
        const tml_vec3 at = {0, 0, -0.0505};
        const tml_body platform = add_solid(spec, "platform", box, at);
        add_slider(spec, platform, at, v3(0, 0, 1), true);
    }
    return build(spec);
}

enum {
    TOY_STEPS = 50
};

// (height - target)^2 after the run, and its gradient by the force at every step.
static double toy_loss(tml_derivatives* d, const double* force, double target, double* gradient)
{
    const tml_quantity height = {TML_QUANTITY_POSITION, 0, 2, TOY_STEPS};
    tml_parameter by[TOY_STEPS];
    double value = 0.0;
    tml_derivatives_restart(d);
    for (int k = 1; k <= TOY_STEPS; k++) {
        by[k - 1] = (tml_parameter){TML_PARAMETER_CONTROL, 0, 0, k};
        CHECK(tml_derivatives_step(d, &force[k - 1]) == TML_OK);
    }
    CHECK(tml_derivatives_values(d, 1, &height, &value) == TML_OK);
    const double weight = 2.0 * (value - target);
    const tml_status status =
        tml_derivatives_gradient(d, 1, &height, &weight, TOY_STEPS, by, gradient);
    if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
    CHECK(status == TML_OK);
    return (value - target) * (value - target);
}

static double largest(const double* x)
{
    double most = 0.0;
    for (int k = 0; k < TOY_STEPS; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// Steepest descent with a fixed step; the loss at its end.
static double descend(tml_derivatives* d, double target, double rate, int iterations)
{
    double force[TOY_STEPS] = {0};
    double gradient[TOY_STEPS];
    double loss = toy_loss(d, force, target, gradient);
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < TOY_STEPS; k++) force[k] -= rate * gradient[k];
        loss = toy_loss(d, force, target, gradient);
    }
    return loss;
}

// [DCON Fig 3 Fig 4]: a ball on the ground whose motor is too weak to lift it, and a ball above a platform that
// has not met it yet: true gradients are zero in both.
static void check_toys(method by)
{
    for (int which = 0; which < 2; which++) {
        tml_model* m = toy(which == 1);
        const tml_sim_settings s = bounce_settings(by, 0.01);
        const double target = which == 0 ? 0.6 : 0.15;
        double force[TOY_STEPS] = {0};
        double gradient[TOY_STEPS];
        tml_derivatives* d = NULL;
        CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_OK);
        const double before = toy_loss(d, force, target, gradient);
        CHECK(largest(gradient) <= 1e-9);
        CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_COMPLEMENTARITY_AWARE) == TML_OK);
        toy_loss(d, force, target, gradient);
        CHECK(largest(gradient) > 1e-6);
        CHECK(tml_derivatives_last_flags(d).other_label_steps > 0);
        const int iterations = by.form == TML_FORM_GENERALIZED ? 300 : 40;
        const double rate = (which == 0 ? 30.0 : 2500.0) * 300 / iterations;
        const double after = descend(d, target, rate, iterations);
        print_method(by);
        printf("toy %d: loss %.4g, after %d steps of descent %.4g\n", which, before, iterations,
               after);
        CHECK(after < 0.1 * before);
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

TEST(complementarity_aware_gradients_leave_both_toys)
{
    for (int k = 0; k < METHODS; k++) {
        if (methods[k].integrator != TML_TIME_BDF2) check_toys(methods[k]);
    }
}
