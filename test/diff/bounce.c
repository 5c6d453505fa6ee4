// test/diff/bounce.c - gradients through impacts against event-driven closed forms, and gradients that find
// their way where contacts block them.                                   [DCON Sec IV-D App E Fig 3 Fig 4]
#include "test/diff/mechanisms.h"
#include "test/scenario/touching.h"

#include <stdbool.h>

static tml_sim_settings bounce_settings(double step)
{
    tml_sim_settings s = settings_for(quaternion_by(TML_TIME_SEMI_IMPLICIT_EULER));
    s.formulation = TML_FORM_GENERALIZED;
    s.has_contact = 1;
    s.step = step;
    return s;
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
static void bounce_rows(double second_mass, double restitution, tml_contact_slopes slopes,
                        double rows[2][2])
{
    tml_model* m = two_balls(second_mass, restitution);
    const tml_sim_settings s = bounce_settings(0.01);
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
            CHECK_NEAR(slope, rows[i][k], 1e-14);
        }
    }
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// nimblephysics issue 97: two equal balls hand their motion over. The second ends where the first would
// have.
TEST(two_equal_balls_hand_their_gradients_over_exactly)
{
    double rows[2][2];
    bounce_rows(1.0, 1.0, TML_SLOPES_CONTINUOUS_BOUNCE, rows);
    printf("first (%.17g, %.17g), second (%.17g, %.17g)\n", rows[0][0], rows[0][1], rows[1][0],
           rows[1][1]);
    CHECK(rows[1][0] == 1.0 && rows[1][1] == 0.0);
    CHECK(rows[0][0] == 0.0 && rows[0][1] == 1.0);
    // of the steps as they are: which step the impact falls into does not change with where it starts
    bounce_rows(1.0, 1.0, TML_SLOPES_EXACT, rows);
    CHECK_NEAR(rows[1][0], 0.0, 1e-14);
    CHECK_NEAR(rows[1][1], 1.0, 1e-14);
}

// x1' = x1 - (1 + e) m2/(m1 + m2) (x1 - x2), and the other way round: [notes, section 1.6]
TEST(unequal_balls_share_their_gradients_by_their_masses)
{
    double rows[2][2];
    bounce_rows(3.0, 0.8, TML_SLOPES_CONTINUOUS_BOUNCE, rows);
    CHECK_NEAR(rows[0][0], -0.35, 1e-8);
    CHECK_NEAR(rows[0][1], 1.35, 1e-8);
    CHECK_NEAR(rows[1][0], 0.45, 1e-8);
    CHECK_NEAR(rows[1][1], 0.55, 1e-8);
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
TEST(oblique_impacts_follow_event_driven_closed_forms)
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
    const tml_sim_settings s = bounce_settings(h);
    tml_derivatives* d = remembered(m, &s, 1);
    CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE) == TML_OK);
    double worst = 0.0;
    for (int p = 0; p < 12; p++) {
        const tml_parameter by = {p < 6 ? TML_PARAMETER_POSE : TML_PARAMETER_VELOCITY, p / 3 % 2,
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
            CHECK(tml_derivatives_forward(d, 1, &by, &one, 1, &end, &exact) == TML_OK);
            const double closed = (4.0 * slope[1][q] - slope[0][q]) / 3.0;
            worst = fmax(worst, fabs(exact - closed) / fmax(1.0, fabs(closed)));
        }
    }
    printf("oblique impact: largest error %.2e\n", worst);
    CHECK(worst <= 1e-8);
    tml_derivatives_destroy(d);
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
TEST(complementarity_aware_gradients_leave_both_toys)
{
    for (int which = 0; which < 2; which++) {
        tml_model* m = toy(which == 1);
        const tml_sim_settings s = bounce_settings(0.01);
        const double target = which == 0 ? 0.6 : 0.15;
        double force[TOY_STEPS] = {0};
        double gradient[TOY_STEPS];
        tml_derivatives* d = NULL;
        CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_OK);
        const double before = toy_loss(d, force, target, gradient);
        CHECK(largest(gradient) == 0.0);
        CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_COMPLEMENTARITY_AWARE) == TML_OK);
        toy_loss(d, force, target, gradient);
        CHECK(largest(gradient) > 1e-6);
        CHECK(tml_derivatives_last_flags(d).other_label_steps > 0);
        const double after = descend(d, target, which == 0 ? 30.0 : 2500.0, 300);
        printf("toy %d: loss %.4g, after 300 steps of descent %.4g\n", which, before, after);
        CHECK(after < 0.1 * before);
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}
