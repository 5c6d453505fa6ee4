// test/scenario/soft_contact.c - deformables that touch bodies: closed forms, momentum, the same as a
// body that is a point, and what happens where there is no room.
#include "test/scenario/soft.h"

static soft_box box;

static tml_sim_settings touching(tml_integrator integrator, double step)
{
    tml_sim_settings settings = tml_sim_settings_default();
    settings.integrator = integrator;
    settings.step = step;
    settings.contact.is_on = 1;
    return settings;
}

// A particle on the floor, thrown along x; with a body far away where the integrator is one of bodies.
static tml_model* thrown_beside(tml_vec3 place, tml_vec3 velocity, double friction, bool has_body)
{
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 1;
    def.vertices = &place;
    def.vertex_mass = 0.7;
    def.velocity = velocity;
    def.friction = friction;
    tml_spec_add_deformable(spec, &def);
    soft_floor(spec, friction);
    tml_body_def far = tml_body_def_default();
    far.pose.p = (tml_vec3){5.0, 0.0, 1.0};
    if (has_body) tml_spec_add_body(spec, &far);
    return soft_build(spec);
}

static tml_model* thrown(tml_vec3 place, tml_vec3 velocity, double friction)
{
    return thrown_beside(place, velocity, friction, false);
}

// v - mu g t, and at rest after v^2 / (2 mu g).
static void slide(tml_formulation formulation, tml_integrator integrator)
{
    static const double mu = 0.4;
    static const double speed = 1.5;
    const double far = speed * speed / (2.0 * mu * 9.81);
    double error[2];
    for (int k = 0; k < 2; k++) {
        const double step = k == 0 ? 0.004 : 0.002;
        const bool has_body = formulation != TML_FORM_QUATERNION;
        tml_model* model = thrown_beside((tml_vec3){0}, (tml_vec3){speed, 0.0, 0.0}, mu, has_body);
        tml_sim_settings settings = touching(integrator, step);
        settings.formulation = formulation;
        tml_sim* sim = soft_sim(model, &settings);
        soft_run(sim, (int)(1.0 / step));
        const tml_vec3 x = tml_sim_vertex(sim, 0, 0);
        error[k] = fabs(x.x - far);
        CHECK_NEAR(x.y, 0.0, 1e-12);
        CHECK_NEAR(x.z, 0.0, 1e-9);  // ten tolerances
        CHECK_NEAR(tml_sim_vertex_velocity(sim, 0, 0).x, 0.0, 1e-9);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
    printf("%s: slides %.4f m, off by %.1e and %.1e\n", tml_formulation_name(formulation), far,
           error[0], error[1]);
    // the step in which it stops, and the one in which it starts to slide, are implicit Euler's
    CHECK(error[0] < speed * 0.004 && error[1] < 0.75 * error[0]);
}

TEST(a_particle_slides_as_far_as_friction_lets_it)
{
    slide(TML_FORM_QUATERNION, TML_TIME_BDF2);
    slide(TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL);
}

TEST(a_particle_that_falls_stays_on_the_floor)
{
    for (int order = 1; order <= 2; order++) {
        tml_model* model = thrown((tml_vec3){0.0, 0.0, 0.3}, (tml_vec3){0.0, 0.0, -2.0}, 0.5);
        const tml_sim_settings settings =
            touching(order == 1 ? TML_TIME_BDF1 : TML_TIME_BDF2, 0.01);
        tml_sim* sim = soft_sim(model, &settings);
        double lowest = 1.0;
        for (int k = 0; k < 100; k++) {
            soft_run(sim, 1);
            lowest = fmin(lowest, tml_sim_vertex(sim, 0, 0).z);
        }
        CHECK(lowest >= -1e-9);  // ten tolerances
        CHECK_NEAR(tml_sim_vertex(sim, 0, 0).z, 0.0, 1e-9);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// A column on a smooth floor under its weight: rho g H^2 / (2 E) shorter, with nothing sideways.
TEST(a_column_settles_by_its_own_weight)
{
    const double young = 4e4;
    const double density = 1000.0;
    const double height = 0.4;
    soft_fill(&box, (const int[3]){2, 2, 8}, (tml_vec3){-0.1, -0.1, 0.0},
              (tml_vec3){0.2, 0.2, height});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    def.young = young;
    def.poisson = 0.0;
    def.density = density;
    def.material = TML_MATERIAL_LINEAR;
    def.friction = 0.0;
    tml_spec_add_deformable(spec, &def);
    tml_spec_set_rayleigh(spec, 0.0, 0.02);
    soft_floor(spec, 0.0);
    tml_model* model = soft_build(spec);
    const tml_sim_settings settings = touching(TML_TIME_BDF1, 0.01);
    tml_sim* sim = soft_sim(model, &settings);
    soft_run(sim, 150);
    double top = 0.0;
    int count = 0;
    double lowest = 1.0;
    for (int i = 0; i < box.vertex_count; i++) {
        const double z = tml_sim_vertex(sim, 0, i).z;
        lowest = fmin(lowest, z);
        if (box.vertices[i].z < height - 1e-9) continue;
        top += z;
        count++;
    }
    const double expected = density * 9.81 * height * height / (2.0 * young);
    const double found = height - top / count;
    printf("the column is %.5f m shorter, %.5f by its weight\n", found, expected);
    // lumps add up to those of a bar of eight elements, whose ends are exact; what still swings
    CHECK_NEAR(found, expected, 1e-3 * expected);
    CHECK(lowest >= -1e-9);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// ---- with bodies

// Momentum and angular momentum of a cube of equal lumps by tetrahedra, and of a ball.
static void momentum_of(const tml_sim* sim, double density, double out[6])
{
    static double mass[SOFT_VERTICES];
    const tml_model* model = tml_sim_model(sim);
    memset(mass, 0, sizeof mass);
    const double share = 0.25 * density * 0.3 * 0.3 * 0.3 / box.tetrahedron_count;
    for (int i = 0; i < 4 * box.tetrahedron_count; i++) mass[box.tetrahedra[i]] += share;
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; i <= box.vertex_count; i++) {
        const bool is_ball = i == box.vertex_count;
        const tml_body ball = {0};
        const tml_vec3 x = is_ball ? tml_sim_pose(sim, ball).p : tml_sim_vertex(sim, 0, i);
        const tml_velocity twist = tml_sim_velocity(sim, ball);
        const tml_vec3 v = is_ball ? twist.linear : tml_sim_vertex_velocity(sim, 0, i);
        const double m = is_ball ? tml_model_body(model, ball)->mass : mass[i];
        const double inertia = tml_model_body(model, ball)->inertia[0];
        out[0] += m * v.x;
        out[1] += m * v.y;
        out[2] += m * v.z;
        out[3] += m * (x.y * v.z - x.z * v.y) + (is_ball ? inertia * twist.angular.x : 0.0);
        out[4] += m * (x.z * v.x - x.x * v.z) + (is_ball ? inertia * twist.angular.y : 0.0);
        out[5] += m * (x.x * v.y - x.y * v.x) + (is_ball ? inertia * twist.angular.z : 0.0);
    }
}

// A spinning ball meets a soft cube in free space: what one gains the other loses. Answers by how much
// the angular momentum has changed.
static double collide(tml_formulation formulation, tml_integrator integrator, double step)
{
    soft_fill(&box, (const int[3]){2, 2, 2}, (tml_vec3){-0.15, -0.15, -0.15},
              (tml_vec3){0.3, 0.3, 0.3});
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_shape_def sphere = tml_shape_def_default();
    sphere.size.x = 0.1;
    tml_body_def ball = tml_body_def_default();
    ball.mass = 4.0;
    ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 0.4 * 4.0 * 0.01;
    ball.pose.p = (tml_vec3){0.03, 0.02, 0.3};
    ball.velocity.linear = (tml_vec3){0.2, 0.0, -2.0};
    ball.velocity.angular = (tml_vec3){3.0, -5.0, 2.0};
    ball.shape_count = 1;
    ball.shapes = &sphere;
    tml_spec_add_body(spec, &ball);
    tml_deformable_def def = soft_def(&box);
    def.young = 5e4;
    def.density = 500.0;
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    tml_spec_add_deformable(spec, &def);
    tml_model* model = soft_build(spec);
    tml_sim_settings settings = touching(integrator, step);
    settings.formulation = formulation;
    tml_sim* sim = soft_sim(model, &settings);
    double before[6];
    double after[6];
    momentum_of(sim, 500.0, before);
    soft_run(sim, (int)(0.2 / step + 0.5));
    momentum_of(sim, 500.0, after);
    // the cube has been hit
    CHECK(tml_sim_vertex_velocity(sim, 0, 0).z < -0.1);
    for (int k = 0; k < 3; k++) {
        // Newton's tolerance of 1e-10 m in steps of 0.25 ms, times 17 kg and eight hundred of them, at most
        CHECK_NEAR(after[k], before[k], 4e-4);
    }
    double turned = 0.0;
    for (int k = 3; k < 6; k++) turned = fmax(turned, fabs(after[k] - before[k]));
    printf("%s %s: angular momentum %.4f %.4f %.4f, changed by %.2e\n",
           tml_formulation_name(formulation), tml_integrator_name(integrator), before[3], before[4],
           before[5], turned);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return turned;
}

TEST(a_ball_and_a_soft_cube_exchange_momentum)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } cases[] = {{TML_FORM_QUATERNION, TML_TIME_BDF1},
                 {TML_FORM_AFFINE, TML_TIME_BDF1},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4}};
    for (int i = 0; i < 6; i++) {
        // implicit Euler itself loses angular momentum, a quarter as much at a quarter of the step; in
        // `variational` only arms that stay those of the start do
        const double coarse = collide(cases[i].formulation, cases[i].integrator, 0.001);
        const double fine = collide(cases[i].formulation, cases[i].integrator, 0.00025);
        CHECK(coarse < 0.02 && fine < 0.4 * coarse);
    }
}

// Vertices touch as balls of the thickness; with a body beside, which is not touched, where the
// integrator is one of bodies.
TEST(what_is_thick_rests_that_far_above_the_floor)
{
    static const struct {
        tml_formulation formulation;
        tml_integrator integrator;
    } cases[] = {{TML_FORM_QUATERNION, TML_TIME_BDF2},
                 {TML_FORM_AFFINE, TML_TIME_ENERGY},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
                 {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4}};
    for (int form = 0; form < 4; form++) {
        const tml_vec3 place = {0.0, 0.0, 0.1};
        tml_spec* spec = tml_spec_create();
        tml_deformable_def def = tml_deformable_def_default();
        def.vertex_count = 1;
        def.vertices = &place;
        def.vertex_mass = 0.7;
        def.thickness = 0.03;
        tml_spec_add_deformable(spec, &def);
        soft_floor(spec, 0.5);
        tml_body_def far = tml_body_def_default();
        far.pose.p = (tml_vec3){5.0, 0.0, 1.0};
        if (form > 0) tml_spec_add_body(spec, &far);
        tml_model* model = soft_build(spec);
        tml_sim_settings settings = touching(cases[form].integrator, 0.01);
        settings.formulation = cases[form].formulation;
        tml_sim* sim = soft_sim(model, &settings);
        soft_run(sim, 40);
        CHECK_NEAR(tml_sim_vertex(sim, 0, 0).z, 0.03, 1e-9);  // ten tolerances
        CHECK_NEAR(tml_sim_vertex_velocity(sim, 0, 0).z, 0.0, 1e-6);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// A welded plate and a soft cube on it. Its contacts carry the cube; the weld carries both; they are told
// under the names of vertices, and a state that is put back has them too.
static void rest_on_plate(tml_formulation formulation, tml_integrator integrator)
{
    soft_fill(&box, (const int[3]){2, 2, 2}, (tml_vec3){-0.1, -0.1, 0.05},
              (tml_vec3){0.2, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_shape_def board = tml_shape_def_default();
    board.kind = TML_SHAPE_BOX;
    board.size = (tml_vec3){1.0, 1.0, 0.1};
    tml_body_def plate = tml_body_def_default();
    plate.mass = 2.0;
    plate.shape_count = 1;
    plate.shapes = &board;
    const tml_body body = tml_spec_add_body(spec, &plate);
    tml_joint_def weld = tml_joint_def_default();
    weld.kind = TML_JOINT_FIXED;
    weld.base = TML_WORLD;
    weld.follower = body;
    const tml_joint joint = tml_spec_add_joint(spec, &weld);
    tml_deformable_def def = soft_def(&box);
    def.young = 2e5;
    tml_spec_add_deformable(spec, &def);
    tml_spec_set_rayleigh(spec, 30.0, 0.0);
    tml_model* model = soft_build(spec);
    tml_sim_settings settings = touching(integrator, 0.005);
    settings.formulation = formulation;
    tml_sim* sim = soft_sim(model, &settings);
    soft_run(sim, 300);

    const double weight = 0.2 * 0.2 * 0.2 * 1000.0 * 9.81;
    double sum = 0.0;
    const int count = tml_sim_contact_count(sim);
    for (int i = 0; i < count; i++) {
        const tml_contact c = tml_sim_contact(sim, i);
        CHECK(c.deformable == 0 && c.b.index == body.index);
        CHECK(c.vertex >= 0 && fabs(box.vertices[c.vertex].z - 0.05) < 1e-12);  // a lower one
        CHECK(c.normal.z == 1.0 && c.force.z >= 0.0);
        sum += c.force.z;
    }
    const tml_load load = tml_sim_joint_load(sim, joint);
    printf("%s %s: %d contacts carry %.9f N of %.9f, the weld %.9f\n",
           tml_formulation_name(formulation), tml_integrator_name(integrator), count, sum, weight,
           load.force.z);
    CHECK(count == 9);
    // what still swings after 1.5 s with 30 / s: exp(-22)
    CHECK_NEAR(sum, weight, 1e-6 * weight);
    CHECK_NEAR(load.force.z, weight + 2.0 * 9.81, 1e-6 * weight);

    void* saved = malloc(tml_sim_state_size(sim));
    CHECK(tml_sim_save(sim, saved) == TML_OK);
    const tml_contact before = tml_sim_contact(sim, 4);
    soft_run(sim, 3);
    CHECK(tml_sim_restore(sim, saved, tml_sim_state_size(sim)) == TML_OK);
    const tml_contact again = tml_sim_contact(sim, 4);
    CHECK(memcmp(&before.force, &again.force, sizeof before.force) == 0);
    CHECK(before.vertex == again.vertex && tml_sim_contact_count(sim) == count);
    free(saved);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(a_plate_bears_what_rests_on_it_and_says_where)
{
    rest_on_plate(TML_FORM_QUATERNION, TML_TIME_BDF1);
    rest_on_plate(TML_FORM_QUATERNION, TML_TIME_BDF2);
    rest_on_plate(TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL);
    rest_on_plate(TML_FORM_AFFINE, TML_TIME_BDF1);
    rest_on_plate(TML_FORM_AFFINE, TML_TIME_ENERGY);
}

// ---- failures

TEST(too_many_contacts_stop_the_step_and_change_nothing)
{
    tml_vec3 grains[4] = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.2, 0.0, 0.0}, {0.3, 0.0, 0.0}};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 4;
    def.vertices = grains;
    def.vertex_mass = 1.0;
    tml_spec_add_deformable(spec, &def);
    soft_floor(spec, 0.5);
    tml_model* model = soft_build(spec);
    tml_sim_settings settings = touching(TML_TIME_BDF2, 0.01);
    settings.contact.max_contacts = 3;
    tml_sim* sim = soft_sim(model, &settings);
    CHECK(tml_sim_step(sim, NULL) == TML_TOO_MANY_CONTACTS);
    CHECK(strstr(tml_sim_message(sim), "more than 3 contacts") != NULL);
    CHECK(tml_sim_time(sim) == 0.0 && tml_sim_vertex(sim, 0, 3).z == 0.0);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(contact_that_cannot_be_honoured_is_refused)
{
    tml_model* model = thrown((tml_vec3){0}, (tml_vec3){0}, 0.5);
    tml_sim_settings settings = touching(TML_TIME_NEWMARK, 0.01);
    tml_sim* sim = NULL;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    tml_sim_destroy(sim);
    settings = touching(TML_TIME_BDF1, 0.01);
    settings.contact.stiffness = 1e5;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "hard in this version") != NULL);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// A particle strikes the floor beside a body that spins so fast that `variational` divides the step: the
// force that is recorded is the mean over all parts, whose impulse is the change of momentum.
TEST(forces_of_divided_steps_are_the_mean_of_their_parts)
{
    const double h = 0.01;
    const double mass = 0.7;
    const tml_vec3 place = {0.0, 0.0, 0.013};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 1;
    def.vertices = &place;
    def.vertex_mass = mass;
    def.velocity = (tml_vec3){0.0, 0.0, -1.0};
    tml_spec_add_deformable(spec, &def);
    soft_floor(spec, 0.0);
    tml_body_def top = tml_body_def_default();
    top.pose.p = (tml_vec3){5.0, 0.0, 3.0};
    for (int k = 0; k < 3; k++) top.inertia[k] = 0.1;
    top.velocity.angular = (tml_vec3){0.0, 0.0, 150.0};
    tml_spec_add_body(spec, &top);
    tml_model* model = soft_build(spec);
    tml_sim_settings settings = touching(TML_TIME_VARIATIONAL, h);
    settings.formulation = TML_FORM_VARIATIONAL;
    tml_sim* sim = soft_sim(model, &settings);
    double largest = 0.0;
    for (int n = 0; n < 5; n++) {
        const double before = tml_sim_vertex_velocity(sim, 0, 0).z;
        if (!soft_run(sim, 1)) break;
        const double gained = tml_sim_vertex_velocity(sim, 0, 0).z - before;
        double impulse = 0.0;
        for (int i = 0; i < tml_sim_contact_count(sim); i++) {
            impulse += h * tml_sim_contact(sim, i).force.z;
        }
        // what the tolerance of places, 1e-10 m, is as a velocity of the shortest part
        CHECK_NEAR(impulse, mass * (gained + 9.81 * h), 1e-6);
        largest = fmax(largest, impulse);
    }
    printf("struck by %.4f N s of %.4f; %lld parts in 5 steps\n", largest, mass * 1.1,
           (long long)tml_sim_get_report(sim).substeps);
    CHECK(largest > 0.6 && tml_sim_get_report(sim).substeps >= 10);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}
