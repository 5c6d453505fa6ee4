// test/nodal/orders.c - time formulas on a soft block: orders, energy, damping.
#include "math/scalar.h"
#include "test/check.h"
#include "test/nodal/bar.h"
#include "time/relation.h"

enum {
    MOST = 64  // numbers in a state here
};

typedef struct point {
    double q[MOST], v[MOST], a[MOST];
} point;

typedef struct block_test {
    bar b;
    nodal_system* s;
    int n;
} block_test;

// A cube of soft rubber held by four corners, thrown: large strains, all of them smooth.
static block_test block_start(tml_material material, double alpha, double beta)
{
    block_test t = {.b = bar_make(1, 1, 1, 1.0, 1.0, 1.0)};
    t.b.material = tml__elastic(material, 2e3, 0.3);
    t.b.density = 100.0;
    t.b.parts.gravity = v3(0.0, 0.0, -9.81);
    t.b.parts.damping_mass = alpha;
    t.b.parts.damping_stiffness = beta;
    for (int v = 0; v < 4; v++) t.b.is_held[v] = true;
    t.s = bar_system(&t.b);
    t.n = tml__nodal_width(t.s);
    return t;
}

static void block_end(block_test* t)
{
    tml__nodal_destroy(t->s);
    bar_free(&t->b);
}

static void accelerate(const block_test* t, point* p)
{
    tml__nodal_forces(t->s, p->q, p->v, p->a);
    CHECK(tml__nodal_unmass(t->s, p->a, p->a) == TML_OK);
}

static point initial(const block_test* t)
{
    point p = {.q = {0.0}};
    tml__nodal_rest(t->s, p.q);
    for (int i = 0; i < t->n; i++) p.v[i] = 0.5 * sin(1.0 + 2.0 * i);
    accelerate(t, &p);
    return p;
}

static point blend(const point* p, const double* dq, const double* dv, double h, int n)
{
    point r = {.q = {0.0}};
    for (int i = 0; i < n; i++) {
        r.q[i] = p->q[i] + h * dq[i];
        r.v[i] = p->v[i] + h * dv[i];
    }
    return r;
}

// The classical Runge-Kutta step, as the independent judge.
static point judge_step(const block_test* t, const point* p, double h)
{
    point k2 = blend(p, p->v, p->a, 0.5 * h, t->n);
    accelerate(t, &k2);
    point k3 = blend(p, k2.v, k2.a, 0.5 * h, t->n);
    accelerate(t, &k3);
    point k4 = blend(p, k3.v, k3.a, h, t->n);
    accelerate(t, &k4);
    point r = *p;
    for (int i = 0; i < t->n; i++) {
        r.q[i] += h / 6.0 * (p->v[i] + 2.0 * k2.v[i] + 2.0 * k3.v[i] + k4.v[i]);
        r.v[i] += h / 6.0 * (p->a[i] + 2.0 * k2.a[i] + 2.0 * k3.a[i] + k4.a[i]);
    }
    accelerate(t, &r);
    return r;
}

static point judge(const block_test* t, point p, double time, int steps)
{
    for (int k = 0; k < steps; k++) p = judge_step(t, &p, time / steps);
    return p;
}

typedef enum formula {
    BDF,
    NEWMARK,
    MULTISTEP
} formula;

typedef struct method {
    formula kind;
    int order;         // BDF
    newmark nm;        // NEWMARK
    tml_multistep ms;  // MULTISTEP
} method;

// `steps` steps of h; the past that a multistep formula needs comes from the judge.
static point march(const block_test* t, const method* m, double h, int steps)
{
    const newton_settings tight = {.tolerance = 1e-13, .max_iterations = 50};
    const int needed = m->kind == BDF ? m->order : m->kind == MULTISTEP ? m->ms.steps : 1;
    static point past[TIME_PAST];  // newest first
    double v_hat[MOST];
    double q_hat[MOST];
    past[needed - 1] = initial(t);
    for (int k = needed - 2; k >= 0; k--) past[k] = judge(t, past[k + 1], h, 200);
    for (int step = needed - 1; step < steps; step++) {
        time_relation r = {.v_hat = v_hat, .q_hat = q_hat};
        time_history history = {.h = h, .count = needed};
        const double* a[TIME_PAST];
        for (int k = 0; k < needed; k++) {
            history.q[k] = past[k].q;
            history.v[k] = past[k].v;
            a[k] = past[k].a;
        }
        if (m->kind == BDF) tml__bdf(&history, m->order, t->n, &r);
        if (m->kind == MULTISTEP) tml__multistep(&m->ms, &history, a, t->n, &r);
        if (m->kind == NEWMARK) {
            tml__newmark(&m->nm, h, past[0].q, past[0].v, past[0].a, t->n, &r);
        }
        const nodal_stage stage = {r.c_v, r.c_q, r.v_hat, r.q_hat};
        newton_report report;
        point next = past[0];
        CHECK(tml__nodal_solve_stage(t->s, &stage, &tight, false, next.q, &report) == TML_OK);
        tml__relation_velocity(&r, next.q, t->n, next.v);
        for (int i = 0; i < t->n; i++) next.a[i] = (next.v[i] - v_hat[i]) / r.c_v;
        for (int k = needed - 1; k > 0; k--) past[k] = past[k - 1];
        past[0] = next;
    }
    return past[0];
}

static double distance(const point* a, const point* b, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a->q[i] - b->q[i]);
        if (!(d <= largest)) largest = d;
    }
    return largest;
}

static double order_of(const block_test* t, const method* m, double time, int steps)
{
    const point exact = judge(t, initial(t), time, 4000);
    const point coarse = march(t, m, time / steps, steps);
    const point fine = march(t, m, time / (2 * steps), 2 * steps);
    const double e1 = distance(&coarse, &exact, t->n);
    const double e2 = distance(&fine, &exact, t->n);
    return log(e1 / e2) / log(2.0);
}

// Measured between two steps, so within a few tenths of the order.
TEST(backward_differences_have_their_orders_on_a_soft_block)  // [COOK (99) Sec 7]
{
    block_test t = block_start(TML_MATERIAL_NEO_HOOKEAN, 0.0, 0.0);
    for (int order = 1; order <= 6; order++) {
        const method m = {.kind = BDF, .order = order};
        const double measured = order_of(&t, &m, 0.4, order < 5 ? 200 : 80);
        printf("bdf%d: order %.2f\n", order, measured);
        CHECK_NEAR(measured, order, 0.35);
    }
    block_end(&t);
}

TEST(newmark_is_of_order_two_at_one_half_and_of_order_one_beside_it)  // [COOK (164)]
{
    block_test t = block_start(TML_MATERIAL_COROTATED, 0.0, 0.0);
    const method mean = {.kind = NEWMARK, .nm = {0.5, 0.25}};
    const method linear = {.kind = NEWMARK, .nm = {0.5, 1.0 / 6.0}};
    const method damped = {.kind = NEWMARK, .nm = {0.6, 0.3025}};
    CHECK_NEAR(order_of(&t, &mean, 0.4, 100), 2.0, 0.1);
    CHECK_NEAR(order_of(&t, &linear, 0.4, 100), 2.0, 0.1);
    CHECK_NEAR(order_of(&t, &damped, 0.4, 400), 1.0, 0.2);
    block_end(&t);
}

// Adams and Moulton's formula over two past states, order 3; BDF2 written as a general formula is
// BDF2, number for number.
TEST(general_multistep_formulas_have_theirs)
{
    block_test t = block_start(TML_MATERIAL_NEO_HOOKEAN, 0.2, 0.002);
    const method adams = {.kind = MULTISTEP,
                          .ms = {2, {1.0, -1.0, 0.0}, {5.0 / 12, 8.0 / 12, -1.0 / 12}}};
    const double measured = order_of(&t, &adams, 0.4, 100);
    printf("adams-moulton 3: order %.2f\n", measured);
    CHECK_NEAR(measured, 3.0, 0.3);

    const method general = {.kind = MULTISTEP,
                            .ms = {2, {1.0, -4.0 / 3, 1.0 / 3}, {2.0 / 3, 0.0, 0.0}}};
    const method bdf2 = {.kind = BDF, .order = 2};
    const point a = march(&t, &general, 0.01, 20);
    const point b = march(&t, &bdf2, 0.01, 20);
    CHECK(distance(&a, &b, t.n) < 1e-13);
    block_end(&t);
}

// The trapezoidal rule keeps the energy of a linear oscillator: 2000 steps of rounding.
TEST(the_trapezoidal_rule_keeps_the_energy_of_a_linear_block)
{
    block_test t = block_start(TML_MATERIAL_LINEAR, 0.0, 0.0);
    const method mean = {.kind = NEWMARK, .nm = {0.5, 0.25}};
    double kinetic = 0.0;
    double potential = 0.0;
    const point start = initial(&t);
    tml__nodal_energy(t.s, start.q, start.v, &kinetic, &potential);
    const double before = kinetic + potential;
    const point end = march(&t, &mean, 0.05, 2000);
    tml__nodal_energy(t.s, end.q, end.v, &kinetic, &potential);
    CHECK_NEAR(kinetic + potential, before, 1e-9 * fabs(before));
    block_end(&t);
}

// One Newton step is exact where forces are linear.
TEST(linearised_and_converged_steps_agree_on_linear_forces)  // [COOK (127)]
{
    block_test t = block_start(TML_MATERIAL_LINEAR, 0.3, 0.01);
    const newton_settings tight = {.tolerance = 1e-13, .max_iterations = 50};
    double v_hat[MOST];
    double q_hat[MOST];
    const point p = initial(&t);
    time_relation r = {.v_hat = v_hat, .q_hat = q_hat};
    const time_history history = {.h = 0.05, .count = 1, .q = {p.q}, .v = {p.v}};
    tml__bdf(&history, 1, t.n, &r);
    const nodal_stage stage = {r.c_v, r.c_q, r.v_hat, r.q_hat};
    newton_report report;
    point once = p;
    point often = p;
    CHECK(tml__nodal_solve_stage(t.s, &stage, &tight, true, once.q, &report) == TML_OK);
    CHECK(tml__nodal_solve_stage(t.s, &stage, &tight, false, often.q, &report) == TML_OK);
    CHECK(distance(&once, &often, t.n) < 1e-13);
    block_end(&t);
}

// Rayleigh damping takes energy away, at the rate v . (alpha M - beta K) v.
TEST(damping_takes_energy_away_at_its_rate)  // [COOK (123)]
{
    block_test t = block_start(TML_MATERIAL_NEO_HOOKEAN, 0.5, 0.01);
    block_test plain = block_start(TML_MATERIAL_NEO_HOOKEAN, 0.0, 0.0);
    const point p = initial(&t);
    double with[MOST];
    double without[MOST];
    tml__nodal_forces(t.s, p.q, p.v, with);
    tml__nodal_forces(plain.s, p.q, p.v, without);
    double power = 0.0;
    for (int i = 0; i < t.n; i++) power += p.v[i] * (with[i] - without[i]);
    double mass[MOST];
    double K[MOST * MOST];
    tml__nodal_mass(t.s, p.v, mass);
    tml__nodal_stiffness(t.s, p.q, K);
    double expected = 0.0;
    for (int i = 0; i < t.n; i++) {
        expected -= 0.5 * p.v[i] * mass[i];
        for (int j = 0; j < t.n; j++) expected += 0.01 * p.v[i] * K[i * t.n + j] * p.v[j];
    }
    CHECK(expected < 0.0);
    CHECK_NEAR(power, expected, 1e-10 * fabs(expected));
    block_end(&t);
    block_end(&plain);
}
