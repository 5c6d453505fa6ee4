// test/diff/contact.c - derivatives of whole runs that touch, in maximal coordinates: against differences of
// whole runs, forwards against backwards, and against joint coordinates as the step shrinks.
//                                                                       [DCON (6)-(16), notes 1.2 1.4]
#include "test/diff/touching.h"

// A sliding ball whose centre of mass is not its centre: it leans on its rows as it turns.
static tml_model* lopsided_ball(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    const tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    tml_body_def ball = tml_body_def_default();
    ball.name = "ball";
    ball.mass = 1.0;
    ball.inertia[0] = 0.004;
    ball.inertia[1] = 0.005;
    ball.inertia[2] = 0.006;
    ball.com = (tml_vec3){0.02, -0.01, 0.015};
    ball.pose.p.z = 0.1021;
    ball.velocity.linear = (tml_vec3){2.0, 0.9, -0.4};
    ball.velocity.angular = (tml_vec3){1.0, 2.0, 0.5};
    ball.shapes = &shape;
    ball.shape_count = 1;
    tml_spec_add_body(spec, &ball);
    return build(spec);
}

// A sled on two feet in a guide that lets it along x and up: the guide takes up how the feet share its weight.
static tml_model* sled(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_shape_def feet[2] = {shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3),
                             shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3)};
    feet[0].pose.p.x = -0.2;
    feet[1].pose.p.x = 0.2;
    tml_body_def body = tml_body_def_default();
    body.name = "sled";
    body.mass = 2.0;
    body.inertia[0] = 0.02;
    body.inertia[1] = 0.03;
    body.inertia[2] = 0.04;
    body.pose.p.z = 0.102;
    body.velocity.linear = (tml_vec3){1.0, 0.0, -0.4};
    body.shapes = feet;
    body.shape_count = 2;
    tml_joint_def guide = tml_joint_def_default();
    guide.kind = TML_JOINT_RECTANGULAR;
    guide.base = TML_WORLD;
    guide.follower = tml_spec_add_body(spec, &body);
    guide.position = (tml_vec3){0.0, 0.0, 0.1};
    guide.has_axes = 1;
    guide.axes[0] = (tml_vec3){1.0, 0.0, 0.0};
    guide.axes[1] = (tml_vec3){0.0, 0.0, 1.0};
    guide.axes[2] = (tml_vec3){0.0, -1.0, 0.0};
    guide.collide = 1;
    tml_spec_add_joint(spec, &guide);
    return build(spec);
}

// A box that lands flat and leaves again, sliding.
static tml_model* bouncing_box(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_shape_def shape = shape_of(TML_SHAPE_BOX, v3(0.4, 0.3, 0.2), 0.3);
    shape.restitution = 0.5;
    tml_pose pose = upright;
    pose.p.z = 0.1021;
    add_moving(spec, "box", shape, pose, (tml_vec3){1.0, 0.2, -0.8}, v3_zero());
    return build(spec);
}

// A box that slides on a box that sticks, from where both land.
static tml_model* sliding_stack(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    const tml_pose above = {{0.02, 0.01, 0.302}, {1.0, 0.0, 0.0, 0.0}};
    add_moving(spec, "top", shape_of(TML_SHAPE_BOX, v3(0.2, 0.2, 0.2), 0.3), above,
               (tml_vec3){1.0, 0.2, -0.4}, v3_zero());
    const tml_pose below = {{0.0, 0.0, 0.101}, {1.0, 0.0, 0.0, 0.0}};
    add_moving(spec, "base", shape_of(TML_SHAPE_BOX, v3(0.4, 0.4, 0.2), 0.3), below,
               (tml_vec3){0.0, 0.0, -0.3}, v3_zero());
    return build(spec);
}

// Sanitizers look for errors of memory at ten times the price: every second scene and affine integrator shows
// them; gcc's and clang's builds compare the numbers of all.
static const size_t every = 1 + CHECK_IS_SANITIZED;

static void check_scenes(method by, const char* name)
{
    const bool has_balance = by.form == TML_FORM_AFFINE && by.integrator != TML_TIME_ENERGY;
    const kinks smooth = {.has_balance = has_balance};
    char what[64];
    const struct {
        builder make;
        kinks k;
        int steps;
        const char* what;
    } scenes[] = {
        {sliding_ball, smooth, 1, "ball lands"},
        {sliding_ball, smooth, 5, "ball slides"},
        {lopsided_ball, smooth, 5, "lopsided ball slides"},
        {bouncing_ball, {.has_restitution = true}, 5, "ball bounces"},
        {ball_at_the_ceiling, {.has_restitution = true}, 3, "ball meets the ceiling"},
        {sliding_box, {.has_flat_box = true}, 5, "box slides"},
        {bouncing_box, {.has_flat_box = true, .has_restitution = true}, 3, "box bounces"},
        {sliding_stack, {.has_flat_box = true}, 4, "box slides on a box"},
        {sled, {.has_flat_box = true, .is_guided = true}, 4, "sled slides"},
        {landing_pair, smooth, 5, "pair lands"},
        {deep_pair, {.has_overlap = true}, 2, "pair overlaps"},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i += every) {
        snprintf(what, sizeof what, "%s %s", name, scenes[i].what);
        check_touching(scenes[i].make, by, scenes[i].k, scenes[i].steps, what);
    }
}

TEST(backward_differences_that_touch_have_their_derivatives)
{
    check_scenes(quaternion_by(TML_TIME_BDF1), "bdf1");
    check_scenes(quaternion_by(TML_TIME_BDF2), "bdf2");
}

TEST(variational_steps_that_touch_have_their_derivatives)
{
    check_scenes((method){TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
                 "variational");
}

TEST(affine_steps_that_touch_have_their_derivatives)
{
    static const tml_integrator integrators[] = {TML_TIME_BDF1, TML_TIME_BDF2, TML_TIME_ENERGY,
                                                 TML_TIME_ENERGY_DAMPED};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i += every) {
        char name[32];
        snprintf(name, sizeof name, "affine %s", tml_integrator_name(integrators[i]));
        check_scenes((method){TML_FORM_AFFINE, integrators[i], TML_START_ACCURATE}, name);
    }
}

// ---- steps in parts

// A box that turns by more than a radian in a step of 20 ms.
static tml_model* whirling_box(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.5, 0.0);
    add_moving(spec, "box", shape_of(TML_SHAPE_BOX, v3(0.2, 0.15, 0.1), 0.5),
               (tml_pose){{0.0, 0.0, 0.1285},
                          {0.41677354510064246, 0.16990768025685668, 0.78657261389497757,
                           0.42277028675676681}},
               (tml_vec3){0.5, 0.2, -1.0}, (tml_vec3){78.8, -31.1, 9.7});
    return build(spec);
}

// Steps that touch and are divided: Newton is given few iterations, too few for a whole one.
typedef struct divided_run {
    builder make;
    method by;
    int steps, iterations;
    double h, change, error;
} divided_run;

static void check_divided(const divided_run* r, const char* what)
{
    tml_model* m = r->make();
    tml_sim_settings s = settings_for(r->by);
    s.contact.is_on = 1;
    s.step = r->h;
    s.tolerance = 1e-13;
    s.max_iterations = r->iterations;
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(m, &s, &sim) == TML_OK);
    for (int k = 0; k < r->steps; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    const tml_sim_report report = tml_sim_get_report(sim);
    CHECK(report.substeps > 0 && report.contact_problems > 0);
    tml_sim_destroy(sim);
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    everything_by_design(m, &e);
    want_parameters(&e, TML_PARAMETER_FRICTION, 0, 1);
    if (tml_model_control_count(m) > 0) {
        e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_CONTROL, 0, 0, r->steps};
    }
    // what lands in the first part of a step rests in the next: a centre of mass beside the ball's makes it strike
    // on one side
    const kinks balance = {.has_restitution = true, .has_balance = true};
    int kept = 0;
    for (int i = 0; i < e.parameter_count; i++) {
        if (!is_kink(&balance, &e.parameters[i])) e.parameters[kept++] = e.parameters[i];
    }
    e.parameter_count = kept;
    motions(m, &e, r->steps);
    char name[128];
    snprintf(name, sizeof name, "%s %s, %s in parts (%lld)", tml_formulation_name(r->by.form),
             tml_integrator_name(r->by.integrator), what, (long long)report.substeps);
    tml_derivatives* d = driven_run(m, &s, r->steps, 0.01);
    compare_touching(d, &e, r->change, r->error, false, name);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

TEST(parts_of_steps_that_touch_have_their_derivatives)
{
    const method bdf1 = quaternion_by(TML_TIME_BDF1);
    const method bdf2 = quaternion_by(TML_TIME_BDF2);
    const method variational = {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE};
    const method energy = {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE};
    const method damped = {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, TML_START_ACCURATE};
    // where parameters that differ a little are divided alike: else the run itself jumps between them
    check_divided(&(divided_run){sliding_ball, bdf1, 2, 3, 0.02, 1e-5, 1e-6}, "ball slides");
    check_divided(&(divided_run){sliding_ball, bdf2, 2, 3, 0.02, 1e-5, 1e-6}, "ball slides");
    check_divided(&(divided_run){sliding_ball, variational, 2, 3, 0.016, 1e-4, 1e-6},
                  "ball slides");
    check_divided(&(divided_run){whirling_box, variational, 1, 40, 0.02, 1e-4, 1e-6}, "box whirls");
    // velocities of what ends a step are good to 1e-14 m over the step: differences are larger where forces follow them
    check_divided(&(divided_run){landing_pair, bdf1, 2, 4, 0.016, 2e-4, 1e-6}, "pair lands");
    check_divided(&(divided_run){landing_pair, variational, 2, 4, 0.016, 1e-4, 1e-6}, "pair lands");
    check_divided(&(divided_run){landing_pair, energy, 2, 3, 0.05, 1e-4, 1e-6}, "pair lands");
    check_divided(&(divided_run){landing_pair, damped, 2, 3, 0.05, 1e-4, 1e-6}, "pair lands");
}

// ---- bounces by the limit of short steps

// A ball on a driven arm that bounces off the ground, slipping.
static tml_model* bouncing_pair(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    shape.restitution = 0.6;
    const tml_vec3 down = {0.4, 0.05, -0.8};
    const tml_body a = add_leaden(spec, "left", shape, (tml_pose){{-0.3, 0, 0.1021}, {1, 0, 0, 0}},
                                  down, v3_zero(), (tml_vec3){0.01, 0.02, -0.01});
    const tml_body b = add_moving(spec, "right", shape_of(TML_SHAPE_SPHERE, v3(0.12, 0, 0), 0.1),
                                  (tml_pose){{0.3, 0.1, 0.4}, {1, 0, 0, 0}}, down, v3_zero());
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_REVOLUTE;
    def.base = a;
    def.follower = b;
    def.position = (tml_vec3){0.0, 0.05, 0.25};
    def.axis = (tml_vec3){0.1, 1.0, 0.0};
    def.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
    tml_spec_add_joint(spec, &def);
    return build(spec);
}

// Differences of runs say nothing about them (test/diff/bounce.c has closed forms): forwards against backwards,
// by every parameter.
static void check_transpose(builder make, method by, const char* what)
{
    const int steps = 3;
    tml_model* m = make();
    tml_sim_settings s = settings_for(by);
    tml_derivatives_report r;
    static everything e;
    memset(&e, 0, sizeof e);
    s.contact.is_on = 1;
    tml_derivatives* d = driven_run(m, &s, steps, 2.0);
    CHECK(tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE) == TML_OK);
    bodies_by_physics(m, &e);
    everything_by_design(m, &e);
    want_parameters(&e, TML_PARAMETER_FRICTION, 0, 1);
    want_parameters(&e, TML_PARAMETER_RESTITUTION, 0, 1);
    motions(m, &e, steps);
    energies_and_coordinates(m, &e, steps);
    const tml_status status =
        tml_derivatives_check(d, 1e-4, e.parameter_count, e.parameters, e.quantity_count,
                              e.quantities, &r, table, sizeof table);
    if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
    CHECK(status == TML_OK);
    printf("%s by %s, %s by short steps: %d pairs, dot product %.2e\n",
           tml_formulation_name(by.form), tml_integrator_name(by.integrator), what, r.pair_count,
           r.dot_product);
    CHECK(r.dot_product <= 1e-12);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

static const method bouncing_methods[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF1, TML_START_ACCURATE},
    {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
};

TEST(bounces_by_short_steps_have_their_transpose)
{
    for (size_t i = 0; i < sizeof bouncing_methods / sizeof *bouncing_methods; i += every) {
        check_transpose(bouncing_ball, bouncing_methods[i], "ball bounces");
        check_transpose(ball_at_the_ceiling, bouncing_methods[i], "ball meets the ceiling");
        check_transpose(bouncing_box, bouncing_methods[i], "box bounces");
        check_transpose(bouncing_pair, bouncing_methods[i], "pair bounces");
    }
}

// ---- against joint coordinates

// A ball on the ground that slides and begins to turn: no impact, so that slopes have a limit.
static tml_model* ball_on_the_ground(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    const tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    add_moving(spec, "ball", shape, upright, (tml_vec3){2.0, 0.8, 0.0}, (tml_vec3){0.0, 2.0, 0.5});
    return build(spec);
}

enum {
    ASKED = 6,
    TOLD = 4
};

static void slopes_of(method by, int steps, double out[TOLD][ASKED])
{
    static const tml_parameter asked[ASKED] = {
        {TML_PARAMETER_VELOCITY, 0, 0, 0}, {TML_PARAMETER_VELOCITY, 0, 4, 0},
        {TML_PARAMETER_MASS, 0, 0, 0},     {TML_PARAMETER_FRICTION, 0, 0, 0},
        {TML_PARAMETER_GRAVITY, 0, 2, 0},  {TML_PARAMETER_COM, 0, 0, 0}};
    static const tml_quantity told[TOLD] = {{TML_QUANTITY_POSITION, 0, 0, 0},
                                            {TML_QUANTITY_VELOCITY, 0, 1, 0},
                                            {TML_QUANTITY_ANGULAR_VELOCITY, 0, 1, 0},
                                            {TML_QUANTITY_KINETIC, 0, 0, 0}};
    tml_model* m = ball_on_the_ground();
    tml_sim_settings s = settings_for(by);
    s.contact.is_on = 1;
    s.step = 0.05 / steps;
    tml_derivatives* d = remembered(m, &s, steps);
    for (int k = 0; k < TOLD; k++) {
        tml_quantity q = told[k];
        const double one = 1.0;
        q.step = steps;
        CHECK(tml_derivatives_gradient(d, 1, &q, &one, ASKED, asked, out[k]) == TML_OK);
    }
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// The largest difference of slopes from those in joint coordinates, each in units of itself.
static double distance(method by, int steps)
{
    double ours[TOLD][ASKED];
    double theirs[TOLD][ASKED];
    double most = 0.0;
    const method joints = {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE};
    slopes_of(by, steps, ours);
    slopes_of(joints, steps, theirs);
    for (int k = 0; k < TOLD; k++) {
        for (int p = 0; p < ASKED; p++) {
            const double size = fmax(fabs(theirs[k][p]), 1e-2);
            most = fmax(most, fabs(ours[k][p] - theirs[k][p]) / size);
        }
    }
    return most;
}

TEST(slopes_of_every_formulation_meet_as_the_step_shrinks)
{
    static const method methods[] = {
        {TML_FORM_QUATERNION, TML_TIME_BDF1, TML_START_ACCURATE},
        {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
        {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_BDF1, TML_START_ACCURATE},
        {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const double coarse = distance(methods[i], 10);
        const double fine = distance(methods[i], 40);
        printf("%s by %s: %.2e at 5 ms, %.2e at 1.25 ms\n", tml_formulation_name(methods[i].form),
               tml_integrator_name(methods[i].integrator), coarse, fine);
        // joint coordinates are of first order: four times less, with half of that for what h leaves
        CHECK(fine < 0.5 * coarse);
        CHECK(fine < 0.05);
    }
}

// ---- what is not covered

TEST(what_contact_does_not_cover_is_refused_by_name)
{
    tml_model* m = lopsided_ball();
    const tml_parameter down = {TML_PARAMETER_GRAVITY, 0, 2, 0};
    const tml_quantity force = {TML_QUANTITY_CONTACT_FORCE, 0, 2, 3};
    const double one = 1.0;
    double slope = 0.0;
    tml_sim_settings s = settings_for(quaternion_by(TML_TIME_BDF1));
    s.contact.is_on = 1;
    tml_derivatives* d = remembered(m, &s, 3);
    CHECK(tml_derivatives_gradient(d, 1, &force, &one, 1, &down, &slope) == TML_OK);
    CHECK(slope < 0.0);  // a weaker pull presses less
    tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE);
    CHECK(tml_derivatives_gradient(d, 1, &force, &one, 1, &down, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "other than 'exact'");
    tml_derivatives_destroy(d);

    s.formulation = TML_FORM_GENERALIZED;
    s.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    d = remembered(m, &s, 3);
    CHECK(tml_derivatives_gradient(d, 1, &force, &one, 1, &down, &slope) == TML_OK);
    CHECK(slope < 0.0);
    tml_derivatives_set_contact_slopes(d, TML_SLOPES_CONTINUOUS_BOUNCE);
    CHECK(tml_derivatives_gradient(d, 1, &force, &one, 1, &down, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "slopes 'exact'");
    tml_derivatives_destroy(d);

    s.contact.is_on = 0;
    d = remembered(m, &s, 3);
    CHECK(tml_derivatives_gradient(d, 1, &force, &one, 1, &down, &slope) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_derivatives_message(d), "nothing touches body 'ball'");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Two feet of a sled share its weight in any way, and the moment of the guide goes with it.
TEST(forces_that_joints_take_up_have_no_slopes)
{
    tml_model* m = sled();
    const tml_parameter mass = {TML_PARAMETER_MASS, 0, 0, 0};
    const tml_parameter friction = {TML_PARAMETER_FRICTION, 0, 0, 0};
    const tml_quantity moment = {TML_QUANTITY_MOMENT, 0, 2, 3};
    const tml_quantity along = {TML_QUANTITY_VELOCITY, 0, 0, 3};
    const double one = 1.0;
    double slope = 0.0;
    tml_sim_settings s = settings_for(quaternion_by(TML_TIME_BDF1));
    s.contact.is_on = 1;
    tml_derivatives* d = remembered(m, &s, 3);
    CHECK(tml_derivatives_gradient(d, 1, &moment, &one, 1, &mass, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "step 3 has no derivatives of moment");
    CHECK(tml_derivatives_forward(d, 1, &mass, &one, 1, &moment, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "step 3 has no derivatives of moment");
    CHECK(tml_derivatives_gradient(d, 1, &along, &one, 1, &friction, &slope) == TML_OK);
    CHECK_NEAR(slope, -(0.4 + 0.03 * 9.81), 1e-9);  // all impulses of the ground, over the mass
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}
