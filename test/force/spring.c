// test/force/spring.c - springs and tendons: derivatives, energy, balance, and no length at all.
#include "force/spring.h"

#include "test/difference.h"
#include "test/random.h"

enum {
    BODIES = 3,
    POINTS = 4,
    UNKNOWNS = 6 * (BODIES + 1)  // the world too: its blocks must be right even if nobody asks
};

// Which bodies a path visits; BODIES stands for the world.
typedef struct path {
    int count;
    int body[POINTS];
} path;

static const path paths[] = {
    {2, {0, 1}},       {2, {0, 3}},       {2, {3, 2}},       {2, {0, 0}},       {3, {0, 1, 2}},
    {3, {0, 1, 0}},    {3, {3, 0, 3}},    {3, {0, 0, 1}},    {4, {0, 1, 2, 3}}, {4, {0, 1, 0, 1}},
    {4, {1, 1, 1, 1}}, {4, {2, 3, 3, 0}}, {4, {0, 1, 1, 2}},
};

enum {
    PATHS = sizeof paths / sizeof *paths
};

static const double knots[] = {-0.8, -0.2, 0.1, 0.7};
static const double heights[] = {-30.0, -4.0, 1.0, 40.0};

// What one test runs on.
typedef struct bench {
    tml_spec* spec;
    tml_model* model;
    spring_data* spring;
    rigid bodies[BODIES + 1];
    lift lifts[BODIES + 1];
    vec3 r[POINTS], u[POINTS], g[POINTS], e[POINTS];
    double inverse[POINTS];
    spring_state state;
    double t;
} bench;

static void place_anywhere(bench* b, random_source* r)
{
    for (int i = 0; i <= BODIES; i++) {
        const quat q = random_quat(r);
        b->bodies[i] = (rigid){.c = random_vec3(r, 1.0),
                               .q = q,
                               .R = q_matrix(q),
                               .v = random_vec3(r, 2.0),
                               .omega = random_vec3(r, 2.0)};
        b->lifts[i].g = random_between(r, 0.5, 2.0);
        for (int k = 0; k < 9; k++) b->lifts[i].W.m[k / 3][k % 3] = random_between(r, -2.0, 2.0);
    }
    b->t = random_between(r, 0.0, 5.0);
}

static bool bench_create(const path* which, tml_spring_law law, double damping, random_source* r,
                         bench* b)
{
    *b = (bench){.spec = tml_spec_create()};
    for (int i = 0; i < BODIES; i++) {
        tml_body_def body = tml_body_def_default();
        body.com = random_vec3(r, 0.2);
        tml_spec_add_body(b->spec, &body);
    }
    tml_point points[POINTS];
    for (int i = 0; i < which->count; i++) {
        points[i].body = (tml_body){which->body[i] == BODIES ? -1 : which->body[i]};
        points[i].position = random_vec3(r, 0.5);
    }
    tml_spring_def def = tml_spring_def_default();
    def.point_count = which->count;
    def.points = points;
    def.stiffness = random_between(r, 10.0, 50.0);
    def.damping = damping;
    def.law = law;
    def.table_count = 4;
    def.table_extensions = knots;
    def.table_forces = heights;
    if (damping > 0.0) def.force = tml_control_sine(3.0, 2.0, 0.7, 0.2);
    if (damping > 0.0 && law == TML_SPRING_QUADRATIC) {
        // lengths of 0.5 to 12 m are 1.155 to 1.27 optimal ones, speeds of 20 m/s 0.4 of the fastest:
        // away from the corners that its curves have in their bends, but for standing still
        def.muscle.force = 30.0;
        def.muscle.optimal_length = 100.0;
        def.muscle.tendon_length = -115.0;
        def.muscle.vmax = 0.5;
        def.muscle.fvmax = 2.0;
        def.muscle.activation = tml_control_sine(0.5, 0.4, 0.3, 0.1);
    }
    tml_spec_add_spring(b->spec, &def);
    CHECK(tml_spec_build(b->spec, &b->model) == TML_OK);
    if (b->model == NULL) return false;
    b->spring = &b->model->springs[0];
    b->state = (spring_state){.r = b->r, .u = b->u, .g = b->g, .e = b->e, .inverse = b->inverse};
    place_anywhere(b, r);
    return true;
}

static void bench_destroy(bench* b)
{
    tml_model_destroy(b->model);
    tml_spec_destroy(b->spec);
}

// Choose the rest length so that the path is stretched by `extension`.
static void stretch(bench* b, double extension)
{
    tml__spring_eval(b->spring, b->bodies, b->t, &b->state);
    b->spring->rest_length = b->state.length - extension;
}

// The wrench on every body, the world last.
static void wrenches(bench* b, const rigid* bodies, double out[UNKNOWNS])
{
    memset(out, 0, UNKNOWNS * sizeof *out);
    tml__spring_eval(b->spring, bodies, b->t, &b->state);
    for (int i = 0; i < b->spring->point_count; i++) {
        const vec3 f = tml__spring_force(&b->state, i);
        double* at = &out[6 * b->spring->body[i]];
        v3_store(at, v3_add(v3_load(at), f));
        v3_store(at + 3, v3_add(v3_load(at + 3), v3_cross(b->state.r[i], f)));
    }
}

// One body moved along one of its six directions, its velocity following by the lift.
static void move_one(const bench* b, int unknown, double amount, rigid out[BODIES + 1])
{
    memcpy(out, b->bodies, sizeof b->bodies);
    rigid* body = &out[unknown / 6];
    const lift* up = &b->lifts[unknown / 6];
    const vec3 step = v3_scale(amount, v3_unit(unknown % 3));
    if (unknown % 6 < 3) {
        body->c = v3_add(body->c, step);
        body->v = v3_axpy(body->v, up->g, step);
    } else {
        body->q = q_turn(body->q, step);
        body->R = q_matrix(body->q);
        body->omega = v3_add(body->omega, m3_apply(up->W, step));
    }
}

static void exact_matrix(bench* b, double out[UNKNOWNS][UNKNOWNS])
{
    memset(out, 0, sizeof(double[UNKNOWNS][UNKNOWNS]));
    tml__spring_eval(b->spring, b->bodies, b->t, &b->state);
    for (int i = 0; i < b->spring->point_count; i++) {
        for (int k = 0; k < b->spring->point_count; k++) {
            double block[36];
            tml__spring_block(b->spring, &b->state, b->bodies, b->lifts, i, k, block);
            for (int m = 0; m < 36; m++) {
                const int row = 6 * b->spring->body[i] + m / 6;
                out[row][6 * b->spring->body[k] + m % 6] += block[m];
            }
        }
    }
}

static slope compare_blocks(bench* b, double step)
{
    double exact[UNKNOWNS][UNKNOWNS];
    slope all = {0};
    exact_matrix(b, exact);
    for (int k = 0; k < UNKNOWNS; k++) {
        double quotient[2][UNKNOWNS];
        for (int half = 0; half < 2; half++) {
            const double e = half ? 0.5 * step : step;
            rigid moved[BODIES + 1];
            double plus[UNKNOWNS];
            double minus[UNKNOWNS];
            move_one(b, k, e, moved);
            wrenches(b, moved, plus);
            move_one(b, k, -e, moved);
            wrenches(b, moved, minus);
            for (int i = 0; i < UNKNOWNS; i++) quotient[half][i] = (plus[i] - minus[i]) / (2.0 * e);
        }
        for (int i = 0; i < UNKNOWNS; i++) {
            slope_add(&all, exact[i][k], quotient[0][i], quotient[1][i]);
        }
    }
    return all;
}

// Extensions inside each piece of the table and beyond both of its ends; smooth laws take them too.
static const double extensions[] = {-1.1, -0.5, -0.05, 0.4, 1.0};

// Anywhere but with a short segment between two bodies: high derivatives grow as 1 / length^6.
static void place_apart(bench* b, double extension, random_source* r)
{
    for (bool is_short = true; is_short;) {
        place_anywhere(b, r);
        stretch(b, extension);
        is_short = false;
        for (int i = 0; i + 1 < b->spring->point_count; i++) {
            const bool is_inside = b->spring->body[i] == b->spring->body[i + 1];
            if (!is_inside && b->inverse[i] > 2.0) is_short = true;
        }
    }
}

// forces of 100 N, rounded (2e-14), over 0x1p-10, in a hundred entries
static const double noise = 5e-10;

// e^4 / 480 = 2e-15 times a fifth derivative of 5! 100 N / (0.5 m)^6 = 8e5
static const double left = 1e-8;

static void check_blocks(const path* which, tml_spring_law law, random_source* r)
{
    bench b;
    if (!bench_create(which, law, 5.0, r, &b)) return;
    for (int i = 0; i < 5; i++) {
        place_apart(&b, extensions[i], r);
        const slope all = compare_blocks(&b, 0x1p-10);
        if (!slope_is_right(&all, noise, left)) {
            printf("path of %d from body %d, law %d, extension %g\n", which->count, which->body[0],
                   (int)law, extensions[i]);
        }
        CHECK_SLOPE("blocks", &all, noise, left);
    }
    bench_destroy(&b);
}

TEST(blocks_match_differences_with_velocities_that_follow)  // [COOK (39)-(53)]
{
    random_source r = random_start(61);
    for (int repeat = 0; repeat < 5; repeat++) {
        for (int p = 0; p < PATHS; p++) {
            check_blocks(&paths[p], TML_SPRING_LINEAR, &r);
            check_blocks(&paths[p], TML_SPRING_QUADRATIC, &r);
            check_blocks(&paths[p], TML_SPRING_TABLE, &r);
        }
    }
}

// ---- energy

static void check_energy(const path* which, tml_spring_law law, random_source* r)
{
    bench b;
    if (!bench_create(which, law, 0.0, r, &b)) return;
    for (int i = 0; i < 5; i++) {
        place_apart(&b, extensions[i], r);
        double force[UNKNOWNS];
        slope all = {0};
        wrenches(&b, b.bodies, force);
        for (int k = 0; k < UNKNOWNS; k++) {
            double quotient[2];
            for (int half = 0; half < 2; half++) {
                const double e = half ? 0x1p-11 : 0x1p-10;
                rigid moved[BODIES + 1];
                move_one(&b, k, e, moved);
                const double plus = tml__spring_energy(b.spring, moved);
                move_one(&b, k, -e, moved);
                quotient[half] = (plus - tml__spring_energy(b.spring, moved)) / (2.0 * e);
            }
            slope_add(&all, -force[k], quotient[0], quotient[1]);
        }
        // energies of 50 J are rounded as forces of 100 N are
        CHECK_SLOPE("energy", &all, noise, left);
    }
    bench_destroy(&b);
}

TEST(force_is_minus_the_gradient_of_the_energy)
{
    random_source r = random_start(62);
    for (int repeat = 0; repeat < 5; repeat++) {
        for (int p = 0; p < PATHS; p++) {
            check_energy(&paths[p], TML_SPRING_LINEAR, &r);
            check_energy(&paths[p], TML_SPRING_QUADRATIC, &r);
            check_energy(&paths[p], TML_SPRING_TABLE, &r);
        }
    }
}

// ---- the laws themselves, along x from the world

static double tension_at(tml_spring_law law, double length, double rest, double speed)
{
    random_source r = random_start(63);
    bench b;
    if (!bench_create(&paths[2], law, 0.0, &r, &b)) return 0.0;  // the world, then body 2
    b.spring->stiffness = 20.0;
    b.spring->damping = 3.0;
    b.spring->rest_length = rest;
    b.spring->point[0] = v3_zero();
    b.spring->point[1] = v3_zero();
    b.bodies[BODIES] = (rigid){.q = q_identity(), .R = m3_identity()};
    b.bodies[2] = (rigid){
        .c = v3(length, 0.0, 0.0), .q = q_identity(), .R = m3_identity(), .v = v3(speed, 1.0, 2.0)};
    tml__spring_eval(b.spring, b.bodies, 0.0, &b.state);
    const double tension = b.state.tension;
    CHECK_NEAR(b.state.length, length, 1e-15);
    CHECK_NEAR(b.state.rate, speed, 1e-15);
    // positive tension pulls body 2 back towards the world
    CHECK_NEAR(tml__spring_force(&b.state, 1).x, -tension, 1e-15 * fabs(tension));
    bench_destroy(&b);
    return tension;
}

TEST(laws_give_the_tension_they_promise)
{
    CHECK_NEAR(tension_at(TML_SPRING_LINEAR, 1.5, 1.0, 0.0), 10.0, 1e-14);
    CHECK_NEAR(tension_at(TML_SPRING_LINEAR, 0.5, 1.0, 2.0), -10.0 + 6.0, 1e-14);
    CHECK_NEAR(tension_at(TML_SPRING_QUADRATIC, 1.5, 1.0, 0.0), 5.0, 1e-14);
    CHECK_NEAR(tension_at(TML_SPRING_QUADRATIC, 0.5, 1.0, 0.0), -5.0, 1e-14);
    // the table: a knot, the middle of a piece, and both ends extended with their slopes
    CHECK_NEAR(tension_at(TML_SPRING_TABLE, 1.1, 1.0, 0.0), 1.0, 1e-13);
    CHECK_NEAR(tension_at(TML_SPRING_TABLE, 1.4, 1.0, 0.0), 20.5, 1e-13);
    CHECK_NEAR(tension_at(TML_SPRING_TABLE, 2.7, 1.0, 0.0), 40.0 + 65.0, 1e-13);
    CHECK_NEAR(tension_at(TML_SPRING_TABLE, 1.0, 2.0, 0.0), -30.0 - 0.2 * 26.0 / 0.6, 1e-13);
}

TEST(an_added_tension_follows_its_control)
{
    random_source r = random_start(64);
    bench b;
    if (!bench_create(&paths[4], TML_SPRING_LINEAR, 5.0, &r, &b)) return;
    b.t = 0.3;
    tml__spring_eval(b.spring, b.bodies, b.t, &b.state);
    const double expected = b.spring->stiffness * (b.state.length - b.spring->rest_length) +
                            5.0 * b.state.rate + 3.0 + 2.0 * sin(2.0 * TML_PI * 0.7 * 0.3 + 0.2);
    CHECK_NEAR(b.state.tension, expected, 1e-13);  // a sum of numbers up to 100
    bench_destroy(&b);
}

TEST(a_negative_rest_length_means_the_initial_length)
{
    random_source r = random_start(65);
    bench b;
    if (!bench_create(&paths[8], TML_SPRING_LINEAR, 0.0, &r, &b)) return;
    for (int i = 0; i <= BODIES; i++) {
        const body_data* body = &b.model->bodies[i];
        b.bodies[i] = (rigid){.c = body->c, .q = body->q, .R = q_matrix(body->q)};
    }
    tml__spring_eval(b.spring, b.bodies, 0.0, &b.state);
    CHECK(b.state.length > 0.1);
    CHECK_NEAR(b.state.tension, 0.0, 1e-13);  // stiffness 50 times a rounding
    bench_destroy(&b);
}

// ---- balance

TEST(forces_along_a_path_balance_about_any_point)
{
    random_source r = random_start(66);
    for (int p = 0; p < PATHS; p++) {
        bench b;
        double w[UNKNOWNS];
        if (!bench_create(&paths[p], TML_SPRING_QUADRATIC, 5.0, &r, &b)) return;
        stretch(&b, 0.7);
        wrenches(&b, b.bodies, w);
        vec3 force = v3_zero();
        vec3 moment = v3_zero();
        for (int i = 0; i <= BODIES; i++) {
            force = v3_add(force, v3_load(&w[6 * i]));
            moment = v3_add(moment, v3_add(v3_load(&w[6 * i + 3]),
                                           v3_cross(b.bodies[i].c, v3_load(&w[6 * i]))));
        }
        // sums of a few numbers up to 100
        CHECK_NEAR(v3_max(force), 0.0, 1e-13);
        CHECK_NEAR(v3_max(moment), 0.0, 2e-13);
        bench_destroy(&b);
    }
}

TEST(damping_takes_energy_out)
{
    random_source r = random_start(67);
    for (int repeat = 0; repeat < 200; repeat++) {
        bench b;
        double with[UNKNOWNS];
        double without[UNKNOWNS];
        if (!bench_create(&paths[repeat % PATHS], TML_SPRING_LINEAR, 0.0, &r, &b)) return;
        wrenches(&b, b.bodies, without);
        b.spring->damping = 2.5;
        wrenches(&b, b.bodies, with);
        double power = 0.0;
        for (int i = 0; i <= BODIES; i++) {
            for (int k = 0; k < 3; k++) {
                power += (with[6 * i + k] - without[6 * i + k]) * v3_at(b.bodies[i].v, k);
                power +=
                    (with[6 * i + 3 + k] - without[6 * i + 3 + k]) * v3_at(b.bodies[i].omega, k);
            }
        }
        CHECK_NEAR(power, -2.5 * b.state.rate * b.state.rate, 1e-11);  // sums up to 1e3
        bench_destroy(&b);
    }
}

// ---- no length

static void check_finite(bench* b)
{
    double w[UNKNOWNS];
    double exact[UNKNOWNS][UNKNOWNS];
    wrenches(b, b->bodies, w);
    exact_matrix(b, exact);
    for (int i = 0; i < UNKNOWNS; i++) {
        CHECK(isfinite(w[i]));
        for (int k = 0; k < UNKNOWNS; k++) CHECK(isfinite(exact[i][k]));
    }
    CHECK(isfinite(tml__spring_energy(b->spring, b->bodies)));
}

// Every point of the path at the world's origin.
static void collapse(bench* b)
{
    for (int i = 0; i <= BODIES; i++) b->bodies[i].c = v3_zero();
    for (int i = 0; i < b->spring->point_count; i++) b->spring->point[i] = v3_zero();
}

TEST(a_spring_without_length_gives_finite_numbers_and_no_force)
{
    random_source r = random_start(68);
    for (int p = 0; p < PATHS; p++) {
        for (int law = 0; law < 3; law++) {
            bench b;
            double w[UNKNOWNS];
            if (!bench_create(&paths[p], (tml_spring_law)law, 5.0, &r, &b)) return;
            collapse(&b);
            check_finite(&b);
            wrenches(&b, b.bodies, w);
            CHECK(b.state.length == 0.0);
            for (int i = 0; i < UNKNOWNS; i++) CHECK(w[i] == 0.0);
            bench_destroy(&b);
        }
    }
}

TEST(one_segment_without_length_leaves_the_others_alone)
{
    random_source r = random_start(69);
    bench b;
    if (!bench_create(&paths[12], TML_SPRING_LINEAR, 5.0, &r, &b)) return;  // bodies 0 1 1 2
    b.spring->point[2] = b.spring->point[1];
    check_finite(&b);
    const slope all = compare_blocks(&b, 0x1p-10);  // the middle segment stays without length
    CHECK_SLOPE("blocks", &all, noise, left);       // as above
    bench_destroy(&b);
}
