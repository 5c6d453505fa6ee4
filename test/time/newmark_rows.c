// test/time/newmark_rows.c - Newmark's formulas with a row at the level of positions: damped above
// gamma = 1/2, weakly unstable at it.                                           [COOK Sec 7.5 (203)]
//
// A point of 1 kg on a rod of 1 m in a plane, m a = g + x lambda, (x.x - 1)/2 = 0, with the relation of
// time/ between a, v and x. What is wrong with an acceleration along the rod stays in the formula: by
// the row x is right whatever a was, so a' = -(1/2 - beta)/beta a and v' follow from the past alone.
// At (1/2, 1/4) the factor is -1: the error of the multiplier changes its sign from step to step, never
// dies out, and what turns the rod makes it grow. For bodies on joints see time/order and
// scenario/newmark.
#include "test/check.h"
#include "time/relation.h"

static const double weight = 9.81;

typedef struct pendulum {
    double x[2], v[2], a[2];
    double lambda;
} pendulum;

// lambda of a state by its own place and velocity: x.a + v.v = 0.
static double exact_lambda(const pendulum* p)
{
    return weight * p->x[1] - p->v[0] * p->v[0] - p->v[1] * p->v[1];
}

static pendulum released(double wrong)
{
    pendulum p = {.x = {1.0, 0.0}};
    p.lambda = exact_lambda(&p);
    p.a[0] = p.lambda * p.x[0] + wrong;
    p.a[1] = p.lambda * p.x[1] - weight;
    return p;
}

// One Newton step of (x, lambda); the largest part of it.
static double iterate(const time_relation* r, double x[2], double* lambda)
{
    const double s = 1.0 - r->c_q * *lambda;
    double e[2];
    for (int k = 0; k < 2; k++) {
        const double force = *lambda * x[k] - (k == 1 ? weight : 0.0);
        e[k] = (x[k] - r->q_hat[k]) - r->c_q * force;
    }
    const double C = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0);
    // s dx - c_q x dl = -e,  x.dx = -C
    const double square = x[0] * x[0] + x[1] * x[1];
    const double dl = (x[0] * e[0] + x[1] * e[1] - s * C) / (r->c_q * square);
    double largest = 0.0;
    for (int k = 0; k < 2; k++) {
        const double dx = (r->c_q * x[k] * dl - e[k]) / s;
        largest = fmax(largest, fabs(dx));
        x[k] += dx;
    }
    *lambda += dl;
    return largest;
}

static void step(const newmark* method, double h, pendulum* p)
{
    double v_hat[2];
    double q_hat[2];
    time_relation r = {.v_hat = v_hat, .q_hat = q_hat};
    tml__newmark(method, h, p->x, p->v, p->a, 2, &r);
    double x[2] = {p->x[0] + h * p->v[0], p->x[1] + h * p->v[1]};
    int k = 0;
    while (iterate(&r, x, &p->lambda) > 1e-15 && k < 30) k++;
    CHECK(k < 30);
    for (int i = 0; i < 2; i++) {
        p->x[i] = x[i];
        p->a[i] = (x[i] - q_hat[i]) / r.c_q;
        p->v[i] = v_hat[i] + r.c_v * p->a[i];
    }
}

// The angle and its rate after a second, by the classical Runge-Kutta method in many small steps.
static void follow_angle(double y[2])
{
    const int steps = 20000;
    const double h = 1.0 / steps;
    y[0] = y[1] = 0.0;
    for (int n = 0; n < steps; n++) {
        static const double at[4] = {0.0, 0.5, 0.5, 1.0};
        static const double share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        double k[2] = {0.0, 0.0};
        double sum[2] = {0.0, 0.0};
        for (int i = 0; i < 4; i++) {
            const double z[2] = {y[0] + at[i] * h * k[0], y[1] + at[i] * h * k[1]};
            k[0] = z[1];
            k[1] = -weight * cos(z[0]);
            sum[0] += share[i] * k[0];
            sum[1] += share[i] * k[1];
        }
        y[0] += h * sum[0];
        y[1] += h * sum[1];
    }
}

typedef struct errors {
    double place, force;
    double swing;  // of the multiplier from step to step, largest
} errors;

static errors run(const newmark* method, int steps)
{
    double y[2];
    follow_angle(y);
    pendulum p = released(0.0);
    double before[2] = {p.lambda, p.lambda};
    errors e = {0.0, 0.0, 0.0};
    for (int n = 0; n < steps; n++) {
        step(method, 1.0 / steps, &p);
        if (n > 1) e.swing = fmax(e.swing, 0.25 * fabs(p.lambda - 2.0 * before[0] + before[1]));
        before[1] = before[0];
        before[0] = p.lambda;
    }
    e.place = fmax(fabs(p.x[0] - cos(y[0])), fabs(p.x[1] - sin(y[0])));
    e.force = fabs(p.lambda - (weight * sin(y[0]) - y[1] * y[1]));
    return e;
}

static void print(const newmark* method, const errors* coarse, const errors* fine)
{
    printf("gamma %.2f: places %.1e, order %.2f; joint force %.1e, order %.2f, swings by %.1e N\n",
           method->gamma, fine->place, log2(coarse->place / fine->place), fine->force,
           log2(coarse->force / fine->force), fine->swing);
}

TEST(above_a_half_places_and_joint_forces_are_of_first_order)
{
    const newmark method = {0.6, 0.3025};
    const errors coarse = run(&method, 800);
    const errors fine = run(&method, 1600);
    print(&method, &coarse, &fine);
    CHECK_NEAR(log2(coarse.place / fine.place), 1.0, 0.1);
    CHECK_NEAR(log2(coarse.force / fine.force), 1.0, 0.1);
}

TEST(at_a_half_places_are_of_second_order)
{
    const newmark method = {0.5, 0.25};
    const errors coarse = run(&method, 400);
    const errors fine = run(&method, 800);
    print(&method, &coarse, &fine);
    CHECK_NEAR(log2(coarse.place / fine.place), 2.0, 0.1);
}

// A multiplier that starts 1 mN wrong: how wrong it still is after so many steps of 10 ms.
static double left_over(const newmark* method, int steps)
{
    pendulum right = released(0.0);
    pendulum wrong = released(1e-3);
    for (int n = 0; n < steps; n++) {
        step(method, 0.01, &right);
        step(method, 0.01, &wrong);
    }
    return (wrong.lambda - right.lambda) / 1e-3;
}

TEST(the_trapezoidal_rule_never_forgets_a_wrong_joint_force)
{
    const newmark trapezoidal = {0.5, 0.25};
    const newmark damped = {0.6, 0.3025};
    double before = 0.9;
    for (int steps = 100; steps <= 1600; steps *= 4) {
        const double kept = left_over(&trapezoidal, steps);
        const double next = left_over(&trapezoidal, steps + 1);
        printf("%d steps: %.3f, then %.3f of the error left at 1/2, %.1e at 0.6\n", steps, kept,
               next, left_over(&damped, steps));
        // it changes its sign from step to step and becomes larger
        CHECK(kept * next < 0.0 && fabs(kept) > before);
        before = fabs(kept);
        // what the wrong first step did to the motion itself stays: h^2 of it
        CHECK(fabs(left_over(&damped, steps)) < 1e-4);
    }
}
