// test/diff/contact_energy.c - steps whose contacts would have won energy, which was taken off the velocities
// in the end (sim/island.c), against differences of whole runs.
#include "diff/derivatives.h"
#include "test/diff/touching.h"

static tml_shape_def egg(double friction)
{
    return shape_of(TML_SHAPE_ELLIPSOID, v3(0.1, 0.14, 0.2), friction);
}

// An egg that slides off a stone: the world takes part.
static tml_model* egg_at(double speed)
{
    tml_spec* spec = tml_spec_create();
    tml_shape_def stone = shape_of(TML_SHAPE_SPHERE, v3(0.4, 0.0, 0.0), 0.0);
    tml_spec_add_world_shape(spec, &stone);
    const tml_pose pose = {{0.03, 0.02, 0.501}, {0.7071067811865476, 0.0, 0.7071067811865476, 0.0}};
    add_leaden(spec, "egg", egg(0.0), pose, (tml_vec3){speed, 0.3, -0.1}, (tml_vec3){1.0, 6.0, 2.0},
               (tml_vec3){0.01, 0.005, -0.01});
    return build(spec);
}

static tml_model* egg_on_a_stone(void) { return egg_at(1.4); }

// A rod between a point of one body and one of another; the first one turns it.
static void strut(tml_spec* spec, tml_body base, tml_vec3 from, tml_body body, tml_vec3 to)
{
    tml_body_def rod = tml_body_def_default();
    rod.name = "strut";
    rod.mass = 0.7;
    rod.inertia[0] = rod.inertia[1] = 0.02;
    rod.inertia[2] = 0.01;
    rod.pose.p = v3_scale(0.5, v3_add(from, to));
    const tml_body link = tml_spec_add_body(spec, &rod);
    add_joint(spec, TML_JOINT_UNIVERSAL, base, link, from, (tml_vec3){1.0, 0.1, 0.0});
    add_joint(spec, TML_JOINT_SPHERICAL, link, body, to, (tml_vec3){1.0, 0.0, 0.0});
}

// Two eggs that a spring presses together and that slide round each other, one with a ball hanging on it by a joint
// that a spring straightens: nothing else is near, and momenta stay. Or the ball hangs on a ball joint, and a strut closes
// a loop.
static tml_model* eggs_that_float(bool has_loop)
{
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, v3_zero());
    const tml_pose left = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    const tml_pose right = {{0.2005, 0.01, 0.02}, {1.0, 0.0, 0.0, 0.0}};
    const tml_pose far = {{0.6, 0.1, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    const tml_body a = add_leaden(spec, "left", egg(0.0), left, (tml_vec3){0.3, 0.1, 0.0},
                                  (tml_vec3){1.0, 2.0, -3.0}, (tml_vec3){0.01, 0.0, 0.01});
    const tml_body b = add_leaden(spec, "right", egg(0.0), right, (tml_vec3){-0.4, 0.5, 1.0},
                                  (tml_vec3){-2.0, 4.0, 1.0}, v3_zero());
    const tml_body c = add_moving(spec, "far", shape_of(TML_SHAPE_SPHERE, v3(0.08, 0, 0), 0.0), far,
                                  v3_zero(), (tml_vec3){0.0, 1.0, 0.0});
    const tml_point ends[2] = {{a, {0.0, 0.0, 0.0}}, {b, {0.0, 0.0, 0.0}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.points = ends;
    spring.point_count = 2;
    spring.stiffness = 2000.0;
    spring.rest_length = 0.1;
    tml_spec_add_spring(spec, &spring);
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = has_loop ? TML_JOINT_SPHERICAL : TML_JOINT_REVOLUTE;
    hinge.base = b;
    hinge.follower = c;
    hinge.position = (tml_vec3){0.4, 0.05, 0.0};
    hinge.axis = (tml_vec3){0.2, 1.0, 0.1};
    if (!has_loop) hinge.axis_of[TML_AXIS_RX].stiffness = 3.0;
    tml_spec_add_joint(spec, &hinge);
    if (has_loop) strut(spec, b, (tml_vec3){0.3, 0.1, 0.15}, c, (tml_vec3){0.62, 0.15, 0.12});
    return build(spec);
}

static tml_model* floating_eggs(void) { return eggs_that_float(false); }
static tml_model* floating_loop(void) { return eggs_that_float(true); }

// An egg that rolls on the ground: backward differences win in some steps of that.
static tml_model* rolling_egg(void)
{
    tml_spec* spec = tml_spec_create();
    random_source r = random_start(19);
    add_ground(spec, 0.3, 0.0);
    const tml_pose pose = {{0.0, 0.0, 0.22}, random_quat(&r)};
    tml_vec3 velocity = random_vec3(&r, 2.0);
    velocity.z = -1.5;
    add_moving(spec, "egg", egg(0.3), pose, velocity, random_vec3(&r, 10.0));
    return build(spec);
}

// An egg that hangs on a strut from the world and slides over a stone.
static tml_model* hanging_egg(void)
{
    tml_spec* spec = tml_spec_create();
    tml_shape_def stone = shape_of(TML_SHAPE_SPHERE, v3(0.4, 0.0, 0.0), 0.0);
    tml_spec_add_world_shape(spec, &stone);
    const tml_pose pose = {{0.03, 0.02, 0.5005},
                           {0.7071067811865476, 0.0, 0.7071067811865476, 0.0}};
    const tml_body body = add_leaden(spec, "egg", egg(0.0), pose, (tml_vec3){-0.83, -0.4, -0.98},
                                     (tml_vec3){-8.0, 8.4, -0.7}, (tml_vec3){0.01, 0.005, -0.01});
    strut(spec, TML_WORLD, (tml_vec3){-0.4, 0.1, 1.2}, body, (tml_vec3){-0.1, 0.02, 0.55});
    return build(spec);
}

// What was taken in so many steps, J.
static double withheld_in(builder make, method by, int steps)
{
    tml_model* m = make();
    tml_sim_settings s = settings_for(by);
    tml_sim* sim = NULL;
    s.contact.is_on = 1;
    CHECK(tml_sim_create(m, &s, &sim) == TML_OK);
    for (int k = 0; k < steps; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    const double withheld = tml_sim_get_report(sim).contact_removed;
    tml_sim_destroy(sim);
    tml_model_destroy(m);
    return withheld;
}

TEST(velocities_that_were_taken_off_have_their_derivatives)
{
    static const method energy = {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE};
    static const method variational = {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL,
                                       TML_START_ACCURATE};
    static const method semi_implicit = {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER,
                                         TML_START_ACCURATE};
    static const method forward = {TML_FORM_GENERALIZED, TML_TIME_FORWARD_EULER,
                                   TML_START_ACCURATE};
    static const method projected = {TML_FORM_GENERALIZED, TML_TIME_PROJECTED, TML_START_ACCURATE};
    static const method by_bdf1 = {TML_FORM_GENERALIZED, TML_TIME_BDF1, TML_START_ACCURATE};
    static const kinks slippery = {.is_slippery = true, .has_overlap = true};
    static const kinks coarse = {.is_slippery = true, .has_overlap = true, .change = 2e-3};
    static const kinks rough = {.has_overlap = true, .change = 1e-5};
    const struct {
        builder make;
        method by;
        int steps;
        kinks k;
        const char* name;
    } runs[] = {
        {egg_on_a_stone, energy, 6, {.is_slippery = true, .change = 2e-4}, "egg on a stone"},
        {egg_on_a_stone, variational, 6, {.is_slippery = true, .change = 2e-4}, "egg on a stone"},
        {floating_eggs, energy, 6, {.is_slippery = true, .change = 2e-4}, "floating eggs"},
        {floating_eggs, variational, 6, {.is_slippery = true, .change = 2e-4}, "floating eggs"},
        {rolling_egg, quaternion_by(TML_TIME_BDF2), 13, {.change = 1e-3}, "rolling egg"},
        {egg_on_a_stone, forward, 6, slippery, "egg on a stone"},
        {floating_eggs, semi_implicit, 6, slippery, "floating eggs"},
        {floating_eggs, forward, 6, slippery, "floating eggs"},
        {floating_loop, semi_implicit, 6, slippery, "floating loop"},
        {hanging_egg, semi_implicit, 6, coarse, "hanging egg"},
        {hanging_egg, by_bdf1, 6, coarse, "hanging egg"},
        {rolling_egg, semi_implicit, 13, rough, "rolling egg"},
        {rolling_egg, projected, 13, rough, "rolling egg"},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char what[80];
        const double withheld = withheld_in(runs[i].make, runs[i].by, runs[i].steps);
        snprintf(what, sizeof what, "%s by %s, %.1e J withheld", runs[i].name,
                 tml_integrator_name(runs[i].by.integrator), withheld);
        CHECK(withheld > 1e-4);  // of some 10 J
        check_touching(runs[i].make, runs[i].by, runs[i].k, runs[i].steps, what);
    }
}

// ---- steps in joint coordinates, one after the other

enum {
    MANY_STEPS = 6,
    MOST_STATE = 40
};

// Kinetic energy after the run, of an egg that started so fast.
static double kinetic_of(double speed, const tml_sim_settings* s)
{
    tml_model* m = egg_at(speed);
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(m, s, &sim) == TML_OK);
    for (int k = 0; k < MANY_STEPS; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    const double kinetic = tml_sim_energy(sim).kinetic;
    tml_sim_destroy(sim);
    tml_model_destroy(m);
    return kinetic;
}

// A quantity at the end by one number of the first state, through the matrix of every step.
static double by_matrices(tml_derivatives* d, int number, const tml_quantity* quantity)
{
    static double A[MOST_STATE * MOST_STATE];
    const int n = (int)d->state_count;
    double row[MOST_STATE];
    double x[MOST_STATE] = {0.0};
    double sum = 0.0;
    x[number] = 1.0;
    for (int k = 1; k <= quantity->step; k++) {
        double next[MOST_STATE] = {0.0};
        CHECK(tml__step_matrix(d, k, A, NULL) == TML_OK);
        for (int c = 0; c < n; c++) {
            for (int i = 0; i < n; i++) next[i] += A[c * n + i] * x[c];
        }
        memcpy(x, next, sizeof x);
    }
    CHECK(tml__quantity_row(d, quantity, row) == TML_OK);
    for (int i = 0; i < n; i++) sum += row[i] * x[i];
    return sum;
}

// Forwards, backwards, and by matrices; of the egg by differences at two sizes too. The body whose speed changes flies
// by itself and is the first: its columns begin with slides along the world's axes.
TEST(derivatives_agree_four_ways)
{
    const tml_parameter speed = {TML_PARAMETER_VELOCITY, 0, 0, 0};
    const tml_quantity kinetic = {TML_QUANTITY_KINETIC, 0, 0, MANY_STEPS};
    const double one = 1.0;
    for (int loop = 0; loop < 2; loop++) {
        const method by = {TML_FORM_GENERALIZED,
                           loop ? TML_TIME_SEMI_IMPLICIT_EULER : TML_TIME_FORWARD_EULER,
                           TML_START_ACCURATE};
        tml_sim_settings s = settings_for(by);
        s.contact.is_on = 1;
        tml_model* m = loop ? floating_loop() : egg_on_a_stone();
        tml_derivatives* d = remembered(m, &s, MANY_STEPS);
        double forward = 0.0;
        double backward = 0.0;
        CHECK(tml_sim_get_report(tml_derivatives_sim(d)).contact_removed > 1e-3);
        CHECK(tml_derivatives_forward(d, 1, &speed, &one, 1, &kinetic, &forward) == TML_OK);
        CHECK(tml_derivatives_gradient(d, 1, &kinetic, &one, 1, &speed, &backward) == TML_OK);
        const double product = by_matrices(d, (int)d->state_count / 2, &kinetic);
        printf("forwards %.15g, backwards %.15g, by matrices %.15g\n", forward, backward, product);
        CHECK_NEAR(backward, forward, 1e-12 * fabs(forward));
        CHECK_NEAR(product, forward, 1e-12 * fabs(forward));
        double error[2] = {0.0};
        for (int k = 0; k < 2 && !loop; k++) {
            const double e = k == 0 ? 2e-3 : 1e-3;
            const double rise = kinetic_of(1.4 + e, &s) - kinetic_of(1.4 - e, &s);
            error[k] = rise / (2.0 * e) - forward;
        }
        if (!loop) {
            printf("differences are %.2e and %.2e off\n", error[0], error[1]);
            CHECK(fabs(error[0]) < 1e-5);  // e^2 times a third derivative over 6
            CHECK_NEAR(error[1] / error[0], 0.25, 0.02);
        }
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}
