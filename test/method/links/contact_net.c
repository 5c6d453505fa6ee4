// test/method/links/contact_net.c - nets that touch bodies that are led: closed forms, forces against differences,
// another solver, and bits.                                      [notes, contact section 6] [MABD Sec 6]
#include "method/affine/method.h"
#include "method/links/method.h"
#include "method/links/prescribed.h"
#include "scenes/nets.h"
#include "sim/lean.h"
#include "test/method/links/contact.h"
#include "test/scenario/affine.h"

#include <float.h>
#include <stdarg.h>

// ---- scenes

enum {
    TEXT = 20000,
    SIDE = 3  // points of a net along a side
};

static const char led_capsule[] = "{\"name\": \"led\", \"position\": [0.1, 0, 0], \"shapes\": "
                                  "[{\"type\": \"capsule\", \"radius\": 0.05, "
                                  "\"length\": 0.6, \"density\": 1000, \"friction\": 0.4, "
                                  "\"orientation\": [0.70710678118654757, 0, "
                                  "0.70710678118654757, 0]}]}";
static const char led_joint[] = "{\"name\": \"lead\", \"type\": \"free\", \"base\": \"world\", "
                                "\"follower\": \"led\", \"position\": [0.1, 0, 0], "
                                "\"actuation\": \"position\", \"control\": {\"tx\": {\"sine\": "
                                "{\"offset\": 0, \"amplitude\": 0.02, "
                                "\"frequency\": 2, \"phase\": 0}}, \"ty\": 0, \"tz\": {\"sine\": "
                                "{\"offset\": 0, \"amplitude\": 0.01, "
                                "\"frequency\": 3, \"phase\": 0}}, \"rx\": {\"sine\": {\"offset\": "
                                "0, \"amplitude\": 0.5, \"frequency\": 2, "
                                "\"phase\": 0}}, \"ry\": 0, \"rz\": {\"sine\": {\"offset\": 0, "
                                "\"amplitude\": 0.1, \"frequency\": 2, \"phase\": "
                                "0}}}}";

static char* add(char* at, const char* format, ...) __attribute__((format(printf, 2, 3)));
static char* add(char* at, const char* format, ...)
{
    va_list values;
    va_start(values, format);
    at += vsnprintf(at, 4000, format, values);
    va_end(values);
    return at;
}

// A net of SIDE x SIDE balls and the rods between them, at a height, slightly askew; then a body, and a joint.
static void write_net(char* text, double height, const char* body, const char* joint)
{
    static const double pitch = 0.1;
    char* at = add(text, "{\"trammel\": 1, \"bodies\": [");
    for (int k = 0; k < SIDE * SIDE; k++) {
        at = add(at,
                 "{\"name\": \"b%d\", \"position\": [%g, %g, %g], \"shapes\": [{\"type\": "
                 "\"sphere\", \"radius\": "
                 "0.01, \"density\": 1000, \"friction\": 0.5, \"group\": 1}]},\n",
                 k, pitch * (k % SIDE) + 0.013, pitch * (k / SIDE - 1) + 0.007, height);
    }
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < SIDE * (SIDE - 1); k++) {
            const int i = way == 0 ? k / (SIDE - 1) : k / SIDE;
            const int j = way == 0 ? k % (SIDE - 1) : k % SIDE;
            at = add(at,
                     "{\"name\": \"r%d%d\", \"position\": [%g, %g, %g], \"shapes\": [{\"type\": "
                     "\"capsule\", "
                     "\"radius\": 0.008, \"length\": 0.064, \"density\": 1000, \"friction\": 0.5, "
                     "\"group\": 1, "
                     "\"orientation\": [0.70710678118654757, %s]}]},\n",
                     way, k, pitch * (j + 0.5 * (1 - way)) + 0.013,
                     pitch * (i - 1 + 0.5 * way) + 0.007, height,
                     way == 0 ? "0, 0.70710678118654757, 0" : "0.70710678118654757, 0, 0");
        }
    }
    at = add(at, "%s], \"joints\": [%s", body, joint);
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < SIDE * (SIDE - 1); k++) {
            const int i = way == 0 ? k / (SIDE - 1) : k / SIDE;
            const int j = way == 0 ? k % (SIDE - 1) : k % SIDE;
            for (int end = 0; end < 2; end++) {
                const int ball = (i + way * end) * SIDE + j + (1 - way) * end;
                const double x = pitch * j + 0.013 + (1 - way) * (end == 0 ? 0.01 : 0.09);
                const double y = pitch * (i - 1) + 0.007 + way * (end == 0 ? 0.01 : 0.09);
                at = add(at,
                         ",\n{\"name\": \"j%d%d%d\", \"type\": \"spherical\", \"base\": \"b%d\", "
                         "\"follower\": "
                         "\"r%d%d\", \"position\": [%.17g, %.17g, %g]}",
                         way, k, end, ball, way, k, x, y, height);
            }
        }
    }
    add(at, "]}");
}

static tml_status begin(run* r, const char* text, tml_solver solver, double step)
{
    const tml_status status = run_text(r, text);
    if (status != TML_OK) return status;
    r->settings.integrator = TML_TIME_ENERGY_DAMPED;
    r->settings.step = step;
    r->settings.solver = solver;
    r->settings.contact.is_on = 1;
    r->settings.contact.stiffness = 1e3;
    r->settings.contact.margin = 5e-3;
    return TML_OK;
}

static tml_status start(run* r, const char* text, tml_solver solver, double step)
{
    const tml_status status = begin(r, text, solver, step);
    return status == TML_OK ? run_start(r) : status;
}

// ---- closed forms

// A ball at rest is put on a belt: friction takes it along until it rolls, at 2/7 of the belt's speed, whatever
// the friction is. From there on no force along the belt is left.
TEST(a_ball_on_a_belt_rolls_at_two_sevenths)  // [MABD Sec 6]
{
    static const char text[] =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"ball\", \"position\": [0, 0, 0.09996], "
        "\"shapes\": [{\"type\": "
        "\"sphere\", \"radius\": 0.1, \"density\": 1000, \"friction\": 0.3, \"group\": 1}]},"
        "{\"name\": \"belt\", \"position\": [0, 0, -0.1], \"shapes\": [{\"type\": \"box\", "
        "\"size\": [8, 1, 0.2], "
        "\"density\": 100, \"friction\": 0.3}]}], \"joints\": [{\"name\": \"lead\", \"type\": "
        "\"prismatic\", "
        "\"base\": \"world\", \"follower\": \"belt\", \"axis\": [1, 0, 0], \"actuation\": "
        "\"position\", "
        "\"control\": {\"table\": [[0, 0], [10, 14]]}}]}";
    const double speed = 1.4;
    double off[2];
    for (int k = 0; k < 2; k++) {
        const double h = k == 0 ? 2e-3 : 5e-4;
        run r;
        CHECK(begin(&r, text, TML_SOLVER_DUAL, h) == TML_OK);
        r.settings.contact.stiffness = 1e6;
        CHECK(run_start(&r) == TML_OK);
        CHECK(tml__links_of(r.sim) != NULL && tml__links_of(r.sim)->led != NULL);
        CHECK(run_steps(&r, (int)(0.08 / h + 0.5)) == TML_OK);  // it slides until 0.136 s
        const double sliding = tml_sim_velocity(r.sim, (tml_body){0}).linear.x;
        CHECK(run_steps(&r, (int)(0.12 / h + 0.5)) == TML_OK);
        const tml_velocity v = tml_sim_velocity(r.sim, (tml_body){0});
        const double on_belt = v.linear.x - speed - v.angular.y * 0.1;
        off[k] = v.linear.x - 2.0 / 7.0 * speed;
        printf("  %.6f m/s while it slides (mu g t: %.6f), %.6f when it rolls (2/7: %.6f), slip "
               "%.1e\n",
               sliding, 0.3 * 9.81 * 0.08, v.linear.x, 2.0 / 7.0 * speed, on_belt);
        // its weight wants a depth of 4.11e-5 m and it begins with 4e-5
        CHECK_NEAR(sliding, 0.3 * 9.81 * 0.08, 1e-3 * sliding);
        CHECK(fabs(on_belt) < 1e-3 * speed);  // creeps by f / k a step
        CHECK(tml_sim_gap(r.sim) < 1e-14);
        run_close(&r);
    }
    // spins are damped at order 1, and the belt goes on driving them; besides this the arm of friction is
    // shorter by the depth, 4e-4 of the radius
    CHECK(off[0] > 0.0 && fabs(off[1]) < 0.35 * off[0]);
    CHECK(fabs(off[1]) < 2e-3 * speed);
}

// ---- the forces themselves

TEST(forces_of_what_is_led_have_their_derivatives)
{
    char* text = malloc(TEXT);
    run r;
    slope found = {0};
    int closed = 0;
    int sliding = 0;
    CHECK(text != NULL);
    write_net(text, 0.0595, led_capsule, led_joint);
    CHECK(start(&r, text, TML_SOLVER_AUTO, 2e-3) == TML_OK);
    CHECK(run_steps(&r, 20) == TML_OK);
    link_system* l = tml__links_of(r.sim);
    CHECK(l != NULL && l->net != NULL && links_are_touched(l));
    for (int i = 0; l != NULL && i < l->touch->link_count; i++) {
        const touched_link* link = &l->touch->links[i];
        CHECK(tml__links_touch_evaluate(l) == TML_OK);
        const link_contact* c = &l->touch->contacts[l->touch->list[link->first]];
        if (link->count != 1 || !(c->gap_end < -1e-5)) continue;
        CHECK(c->led == 1);
        closed++;
        sliding += c->kind > 1;
        for (int column = 0; column < 6; column++) add_column(l, i, column, &found);
    }
    printf("  %d links touch, %d slide; derivatives of %.3g N/m to %.1e\n", closed, sliding,
           found.scale, found.extrapolated);
    CHECK(closed > 1);
    // gaps are differences of decimetres, 3e-17 m, times 1e3 N/m over the step of 5e-7
    CHECK(slope_is_right(&found, 1e3 * 1e-16 / 5e-7, 1e-3));
    run_close(&r);
    free(text);
}

// ---- another solver

static vec3 corner_after(const char* text, tml_solver solver, double h, int steps)
{
    run r;
    CHECK(start(&r, text, solver, h) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const vec3 p = tml_sim_pose(r.sim, (tml_body){4}).p;
    CHECK(tml_sim_contact_count(r.sim) > 0);
    CHECK((tml__links_of(r.sim) != NULL) == (solver != TML_SOLVER_NODES));
    run_close(&r);
    return p;
}

// `nodes` keeps planes as the step found them, `dual` follows the features: the same law as steps shrink.
TEST(dual_and_nodes_agree_as_the_step_shrinks)
{
    char* text = malloc(TEXT);
    double apart[3];
    CHECK(text != NULL);
    write_net(text, 0.0601, led_capsule, led_joint);
    for (int k = 0; k < 3; k++) {
        const int steps = 15 << (2 * k);
        const double h = 0.06 / steps;
        const vec3 a = corner_after(text, TML_SOLVER_AUTO, h, steps);
        const vec3 b = corner_after(text, TML_SOLVER_NODES, h, steps);
        apart[k] = v3_norm(v3_sub(a, b));
    }
    printf("  apart by %.2e, %.2e, %.2e m at 4, 1, 0.25 ms\n", apart[0], apart[1], apart[2]);
    // order 1, but labels change at other instants of long steps: these are near each other already, and the
    // short one is nearer than a tenth of both; it has fallen by 2e-2 m
    CHECK(apart[0] < 5e-5 && apart[1] < 5e-5);
    CHECK(apart[2] < 0.1 * apart[0] && apart[2] < 0.1 * apart[1]);
    free(text);
}

// A root on a free joint, a fork on a universal one that hangs on it, a slider on that: poses, rates and loads
// of all three are those of another formulation, which has rows for them. Far above, a net falls.
// The links of `cloak` fall onto an arm at 1.2 m/s: light rods that friction rolls, and rods that are pressed along
// their axis and buckle. Links that circle are held back until all settle.
TEST(a_fine_net_lands_on_an_arm)
{
    const net_def net = {.name = "net",
                         .rows = 9,
                         .columns = 9,
                         .corner = {-0.1, -0.1, 0.13},
                         .pitch = 0.025,
                         .ball = 0.005,
                         .rod = 0.0025,
                         .density = 1000.0,
                         .friction = 0.6,
                         .group = 1};
    run r = {0};
    tml_spec* spec = tml_spec_create();
    tml_shape_def arm =
        shape_capsule(0.05, 0.4, (tml_vec3){0.0, 0.0, 0.0}, turn_z_to_y(), COLOR_BLUE);
    arm.friction = 0.6;
    CHECK(spec != NULL && tml_spec_add_world_shape(spec, &arm) == TML_OK);
    add_net(spec, &net);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.formulation = TML_FORM_AFFINE;
    r.settings.integrator = TML_TIME_ENERGY_DAMPED;
    r.settings.step = 0.01;
    r.settings.contact.is_on = 1;
    r.settings.contact.stiffness = 1e3;
    r.settings.contact.margin = 4e-3;
    CHECK(run_start(&r) == TML_OK);
    const affine_record out = run_record(&r, 60);
    print_record("a fine net lands", &r, &out);
    CHECK(out.steps == 60);
    CHECK(out.gap <= 1e-10);
    CHECK(out.rise <= 1e-12 * fabs(out.first));
    run_close(&r);
}

TEST(led_bodies_are_where_rows_have_them)
{
    static const char bodies[] =
        "{\"name\": \"slider\", \"mass\": 0.7, \"inertia\": [0.02, 0.03, 0.01], \"position\": "
        "[0.1, 0.5, 0.4]},"
        "{\"name\": \"root\", \"mass\": 2, \"inertia\": [0.1, 0.2, 0.3], \"position\": [0, 0, -1]},"
        "{\"name\": \"fork\", \"mass\": 1.5, \"inertia\": [0.05, 0.02, 0.04, 0.01, 0, 0.003], "
        "\"position\": "
        "[0.3, 0.2, -0.5]}";
    static const char joints[] =
        "{\"name\": \"slide\", \"type\": \"prismatic\", \"base\": \"fork\", \"follower\": "
        "\"slider\", "
        "\"position\": [0.2, 0.1, 0], \"axis\": [0, 0.6, 0.8], \"actuation\": \"position\", "
        "\"control\": "
        "{\"table\": [[0, 0], [0.1, 0.02], [0.2, 0.1], [0.4, 0]], \"interpolation\": \"cubic\"}},"
        "{\"name\": \"lead\", \"type\": \"free\", \"base\": \"world\", \"follower\": \"root\", "
        "\"position\": [0.1, 0, "
        "-1.1], \"axis\": [0.6, 0, 0.8], \"actuation\": \"position\", \"control\": {\"tx\": "
        "{\"sine\": {\"offset\": "
        "0, \"amplitude\": 0.3, \"frequency\": 1, \"phase\": 0}}, \"ty\": 0, \"tz\": {\"table\": "
        "[[0, 0], [0.1, "
        "0.05], [0.3, -0.1]], \"interpolation\": \"cubic\"}, \"rx\": {\"sine\": {\"offset\": 0, "
        "\"amplitude\": 0.4, "
        "\"frequency\": 1.5, \"phase\": 0}}, \"ry\": {\"sine\": {\"offset\": 0, \"amplitude\": "
        "0.2, \"frequency\": "
        "2, \"phase\": 0}}, \"rz\": {\"sine\": {\"offset\": 0, \"amplitude\": 0.6, \"frequency\": "
        "1, \"phase\": "
        "0}}}},"
        "{\"name\": \"hook\", \"type\": \"universal\", \"base\": \"root\", \"follower\": \"fork\", "
        "\"position\": [0.2, "
        "0, -0.8], \"actuation\": \"position\", \"control\": {\"rx\": {\"sine\": {\"offset\": 0, "
        "\"amplitude\": 0.5, "
        "\"frequency\": 1, \"phase\": 0}}, \"ry\": {\"sine\": {\"offset\": 0, \"amplitude\": -0.7, "
        "\"frequency\": "
        "1.2, \"phase\": 0}}}}";
    enum {
        FIRST = SIDE * SIDE + 2 * SIDE * (SIDE - 1)
    };
    char* text = malloc(TEXT);
    run r[2];
    CHECK(text != NULL);
    write_net(text, 5.0, bodies, joints);
    for (int k = 0; k < 2; k++) {
        CHECK(begin(&r[k], text, TML_SOLVER_AUTO, 2e-3) == TML_OK);
        if (k == 1) r[k].settings.formulation = TML_FORM_QUATERNION;
        if (k == 1) r[k].settings.integrator = TML_TIME_BDF4;
        CHECK(run_start(&r[k]) == TML_OK);
    }
    CHECK(tml__links_of(r[0].sim) != NULL && tml__links_of(r[0].sim)->led->count == 3);
    double way = 0.0;
    double rate = 0.0;
    double load = 0.0;
    for (int step = 0; step < 30; step++) {
        for (int k = 0; k < 2; k++) CHECK(run_step(&r[k]) == TML_OK);
        for (int b = 0; b < 3; b++) {
            const tml_pose p = tml_sim_pose(r[0].sim, (tml_body){FIRST + b});
            const tml_pose q = tml_sim_pose(r[1].sim, (tml_body){FIRST + b});
            const tml_velocity u = tml_sim_velocity(r[0].sim, (tml_body){FIRST + b});
            const tml_velocity v = tml_sim_velocity(r[1].sim, (tml_body){FIRST + b});
            const tml_load f = tml_sim_joint_load(r[0].sim, (tml_joint){b});
            const tml_load g = tml_sim_joint_load(r[1].sim, (tml_joint){b});
            way = larger_of(way, v3_norm(v3_sub(p.p, q.p)));
            way = larger_of(way, 1.0 - fabs(q_dot(p.q, q.q)));
            rate = larger_of(rate, v3_norm(v3_sub(u.linear, v.linear)));
            rate = larger_of(rate, v3_norm(v3_sub(u.angular, v.angular)));
            load = larger_of(load, v3_norm(v3_sub(f.force, g.force)));
            load = larger_of(load, v3_norm(v3_sub(f.moment, g.moment)));
        }
    }
    printf("  poses %.1e, rates %.1e, loads %.1e N apart\n", way, rate, load);
    CHECK(way < 1e-9);
    // backward differences of order 4 leave h^4 of motions of up to 12 rad/s
    CHECK(rate < 1e-5);
    CHECK(load < 1e-3);
    for (int k = 0; k < 2; k++) run_close(&r[k]);
    free(text);
}

enum {
    ROW = 300  // led bodies, one on the other
};

// A link that swings, and beside it ROW led bodies in a row of which the first turns about y: a rod, whose joints
// are written from the tip inwards.
static void write_row(char* text)
{
    char* at = add(
        text,
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"link\", \"position\": [0, -5, 0], "
        "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1, \"density\": 1000, \"group\": 1}]}");
    for (int k = 0; k < ROW; k++) {
        at = add(
            at,
            ",\n{\"name\": \"d%d\", \"mass\": 0.5, \"inertia\": [0.1, 0.2, 0.15], \"position\": "
            "[%.17g, 0, 0]}",
            k, 0.1 * (k + 1));
    }
    at = add(at, "], \"joints\": [{\"type\": \"spherical\", \"base\": \"world\", \"follower\": "
                 "\"link\", \"position\": [0.5, -5, 0]}");
    for (int k = ROW - 1; k >= 0; k--) {
        char base[16] = "world";
        if (k > 0) snprintf(base, sizeof base, "d%d", k - 1);
        at = add(
            at,
            ",\n{\"type\": \"revolute\", \"base\": \"%s\", \"follower\": \"d%d\", \"position\": "
            "[%.17g, 0, 0], \"axis\": [0, 1, 0], \"actuation\": \"position\", \"control\": %s}",
            base, k, 0.1 * k,
            k > 0 ? "0"
                  : "{\"sine\": {\"offset\": 0, \"amplitude\": 0.8, \"frequency\": 3, \"phase\": "
                    "0}}");
    }
    add(at, "]}");
}

// Newton and Euler of the rod's part beyond a joint, about it: along the rod, across it, and about y.
typedef struct rod_load {
    double along, across, moment;
} rod_load;

static rod_load beyond(int joint, double t)
{
    const double w = 6.0 * TML_PI;
    const double angle = 0.8 * sin(w * t);
    const double rate = 0.8 * w * cos(w * t);
    const double gathers = -w * w * angle;
    rod_load sum = {0.0, 0.0, 0.0};
    for (int i = joint; i < ROW; i++) {
        const double r = 0.1 * (i + 1);
        const double across = 0.5 * (r * gathers - 9.81 * cos(angle));
        sum.along += 0.5 * (-r * rate * rate - 9.81 * sin(angle));
        sum.across += across;
        sum.moment += 0.2 * gathers + (r - 0.1 * joint) * across;
    }
    return sum;
}

TEST(a_long_row_of_led_bodies_carries_what_a_rod_does)
{
    char* text = malloc((size_t)ROW * 400);
    run r;
    CHECK(text != NULL);
    write_row(text);
    CHECK(start(&r, text, TML_SOLVER_AUTO, 5e-3) == TML_OK);
    CHECK(tml__is_lean(r.sim) && tml__links_of(r.sim)->led->count == ROW);
    double worst = 0.0;
    for (int step = 0; step < 5; step++) {
        CHECK(run_step(&r) == TML_OK);
        for (int k = 0; k < ROW; k++) {
            const tml_load f = tml_sim_joint_load(r.sim, (tml_joint){ROW - k});
            const rod_load g = beyond(k, tml_sim_time(r.sim));
            const double force = hypot(g.along, g.across);
            worst = larger_of(worst, fabs(v3_norm(f.force) / force - 1.0));
            worst = larger_of(worst, fabs(f.moment.x / g.moment - 1.0));
            worst = larger_of(worst, hypot(f.moment.y, f.moment.z) / fabs(g.moment));
        }
    }
    printf("  loads of %d joints to %.1e\n", ROW, worst);
    // each turn on the way out adds an ulp or two to angles
    CHECK(worst < 4.0 * ROW * DBL_EPSILON);
    run_close(&r);
    free(text);
}

// A joint of a led body that is open at the start is refused, in the words that `nodes` has, whether or not
// anything is driven: a quarter turn of a weld, half a turn of a slider, whose sine is zero.
TEST(open_joints_of_led_bodies_are_refused)
{
    static const char body[] = "{\"name\": \"led\", \"mass\": 1, \"inertia\": [1, 1, 1], "
                               "\"position\": [0.5, 0, -0.2]}";
    static const char* const joints[] = {
        "{\"name\": \"weld\", \"type\": \"fixed\", \"base\": \"world\", \"follower\": \"led\", "
        "\"position\": [0.5, 0, -0.2], "
        "\"follower_frame\": {\"position\": [0.5, 0, -0.2], \"axis\": [0, 1, 0]}}",
        "{\"name\": \"slide\", \"type\": \"prismatic\", \"base\": \"world\", \"follower\": "
        "\"led\", \"position\": [0.5, 0, -0.2], \"axis\": [1, 0, 0], \"actuation\": \"position\", "
        "\"control\": 0, \"follower_frame\": {\"position\": [0.5, 0, -0.2], \"axes\": [[1, 0, 0], "
        "[0, 0, 1], [0, -1, 0]]}}",
        // each row within the tolerance, the angle as a whole beyond it: rows decide
        "{\"name\": \"near\", \"type\": \"fixed\", \"base\": \"world\", \"follower\": \"led\", "
        "\"position\": [0.5, 0, -0.2], \"follower_frame\": {\"position\": [0.5, 0, -0.2], "
        "\"axes\": [[1, 8e-11, 8e-11], [-8e-11, 1, 0], [-8e-11, 0, 1]]}}",
    };
    static const char* const why[] = {
        "1 joint is open at the start (tolerance 1e-10): 'weld' 0 m 1.57 rad",
        "1 joint is open at the start (tolerance 1e-10): 'slide' 0 m 3.14 rad",
    };
    static const tml_solver solvers[] = {TML_SOLVER_AUTO, TML_SOLVER_NODES};
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    for (int k = 0; k < 3; k++) {
        write_net(text, 5.0, body, joints[k]);
        for (int s = 0; s < 2; s++) {
            run r;
            CHECK(start(&r, text, solvers[s], 5e-3) == (k < 2 ? TML_BAD_ARGUMENT : TML_OK));
            CHECK(tml__is_lean(r.sim) == (solvers[s] == TML_SOLVER_AUTO));
            if (k < 2) CHECK_TEXT(tml_sim_message(r.sim), why[k]);
            run_close(&r);
        }
    }
    free(text);
}

// ---- the same bits

TEST(threads_and_saved_states_leave_the_bits_of_nets_alone)
{
    char* text = malloc(TEXT);
    CHECK(text != NULL);
    write_net(text, 0.0595, led_capsule, led_joint);
    check_same_bits(start, text, 6, 0, 0, 4);
    free(text);
}
