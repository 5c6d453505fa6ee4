// test/diff/contact_energy.c - steps whose contacts would have won energy, which was taken off the velocities
// in the end (sim/touch_energy.c), against differences of whole runs.
#include "test/diff/touching.h"

static tml_shape_def egg(double friction)
{
    return shape_of(TML_SHAPE_ELLIPSOID, v3(0.1, 0.14, 0.2), friction);
}

// An egg that slides off a stone: the world takes part.
static tml_model* egg_on_a_stone(void)
{
    tml_spec* spec = tml_spec_create();
    tml_shape_def stone = shape_of(TML_SHAPE_SPHERE, v3(0.4, 0.0, 0.0), 0.0);
    tml_spec_add_world_shape(spec, &stone);
    const tml_pose pose = {{0.03, 0.02, 0.501}, {0.7071067811865476, 0.0, 0.7071067811865476, 0.0}};
    add_leaden(spec, "egg", egg(0.0), pose, (tml_vec3){1.4, 0.3, -0.1}, (tml_vec3){1.0, 6.0, 2.0},
               (tml_vec3){0.01, 0.005, -0.01});
    return build(spec);
}

// Two eggs that a spring presses together and that slide round each other, one with a ball hanging on it by a joint
// that a spring straightens: nothing else is near, and momenta stay.
static tml_model* floating_eggs(void)
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
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.base = b;
    hinge.follower = c;
    hinge.position = (tml_vec3){0.4, 0.05, 0.0};
    hinge.axis = (tml_vec3){0.2, 1.0, 0.1};
    hinge.axis_of[TML_AXIS_RX].stiffness = 3.0;
    tml_spec_add_joint(spec, &hinge);
    return build(spec);
}

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

// What was taken in so many steps, J.
static double withheld_in(builder make, method by, int steps)
{
    tml_model* m = make();
    tml_sim_settings s = settings_for(by);
    tml_sim* sim = NULL;
    s.has_contact = 1;
    CHECK(tml_sim_create(m, &s, &sim) == TML_OK);
    for (int k = 0; k < steps; k++) CHECK(tml_sim_step(sim, NULL) == TML_OK);
    const double withheld = tml_sim_get_report(sim).contact_withheld;
    tml_sim_destroy(sim);
    tml_model_destroy(m);
    return withheld;
}

TEST(velocities_that_were_taken_off_have_their_derivatives)
{
    static const method energy = {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE};
    static const method variational = {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL,
                                       TML_START_ACCURATE};
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
