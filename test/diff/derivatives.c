// Derivatives of whole runs against differences of whole runs, and forwards against backwards.
#include "scenes/scenes.h"
#include "test/check.h"

#include <trammel/trammel.h>

#include <string.h>

// ---- mechanisms

static tml_body add_rod(tml_spec* spec, const char* name, tml_vec3 at, double mass)
{
    tml_body_def def = tml_body_def_default();
    def.name = name;
    def.mass = mass;
    def.inertia[0] = 0.02 * mass;
    def.inertia[1] = 0.05 * mass;
    def.inertia[2] = 0.06 * mass;
    def.inertia[3] = 0.003 * mass;
    def.inertia[4] = -0.002 * mass;
    def.com = (tml_vec3){0.03, -0.02, 0.01};
    def.pose.p = at;
    def.pose.q = (tml_quat){0.8, 0.0, 0.6, 0.0};
    def.velocity.angular = (tml_vec3){0.4, 1.5, -0.3};  // projected on what the joints allow
    return tml_spec_add_body(spec, &def);
}

static tml_joint add_joint(tml_spec* spec, tml_joint_kind kind, tml_body base, tml_body follower,
                           tml_vec3 at, tml_vec3 axis)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.position = at;
    def.axis = axis;
    return tml_spec_add_joint(spec, &def);
}

static tml_model* build(tml_spec* spec)
{
    tml_model* model = NULL;
    if (tml_spec_build(spec, &model) != TML_OK) printf("%s\n", tml_spec_message(spec));
    tml_spec_destroy(spec);
    return model;
}

// Two links on hinges in different directions, with spin.
static tml_model* double_pendulum(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "a", (tml_vec3){0.5, 0.0, 0.0}, 1.2);
    const tml_body b = add_rod(spec, "b", (tml_vec3){1.5, 0.1, 0.0}, 0.7);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, a, (tml_vec3){0, 0, 0}, (tml_vec3){0, 1, 0});
    add_joint(spec, TML_JOINT_UNIVERSAL, a, b, (tml_vec3){1, 0, 0}, (tml_vec3){0, 0, 1});
    return build(spec);
}

// A planar four-bar of hinges about y: three rows too many.
static tml_model* four_bar(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "crank", (tml_vec3){0.0, 0.0, 0.25}, 0.8);
    const tml_body b = add_rod(spec, "coupler", (tml_vec3){0.5, 0.0, 0.6}, 1.1);
    const tml_body c = add_rod(spec, "rocker", (tml_vec3){1.1, 0.0, 0.35}, 0.6);
    const tml_vec3 y = {0, 1, 0};
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, a, (tml_vec3){0, 0, 0}, y);
    add_joint(spec, TML_JOINT_REVOLUTE, a, b, (tml_vec3){0, 0, 0.5}, y);
    add_joint(spec, TML_JOINT_REVOLUTE, b, c, (tml_vec3){1, 0, 0.7}, y);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, c, (tml_vec3){1.2, 0, 0}, y);
    return build(spec);
}

// ---- lists of everything

enum {
    MANY = 400
};

typedef struct everything {
    int parameter_count, quantity_count;
    tml_parameter parameters[MANY];
    tml_quantity quantities[MANY];
} everything;

static void want_parameters(everything* e, tml_parameter_kind kind, int index, int components)
{
    for (int k = 0; k < components; k++) {
        e->parameters[e->parameter_count++] = (tml_parameter){kind, index, k, 0};
    }
}

static void want_quantities(everything* e, tml_quantity_kind kind, int index, int components,
                            int step)
{
    for (int k = 0; k < components; k++) {
        e->quantities[e->quantity_count++] = (tml_quantity){kind, index, k, step};
    }
}

static void bodies_by_physics(const tml_model* m, everything* e)
{
    want_parameters(e, TML_PARAMETER_GRAVITY, 0, 3);
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_parameters(e, TML_PARAMETER_MASS, b, 1);
        want_parameters(e, TML_PARAMETER_INERTIA, b, 6);
        want_parameters(e, TML_PARAMETER_VELOCITY, b, 6);
        want_parameters(e, TML_PARAMETER_POSE, b, 6);
    }
}

static void motions(const tml_model* m, everything* e, int step)
{
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_quantities(e, TML_QUANTITY_POSITION, b, 3, step);
        want_quantities(e, TML_QUANTITY_QUATERNION, b, 4, step);
        want_quantities(e, TML_QUANTITY_VELOCITY, b, 3, step);
        want_quantities(e, TML_QUANTITY_ANGULAR_VELOCITY, b, 3, step);
    }
}

static tml_sim_settings settings_for(tml_integrator integrator, tml_start start)
{
    tml_sim_settings s = tml_sim_settings_default();
    s.integrator = integrator;
    s.start = start;
    s.step = 0.01;
    s.tolerance = 1e-12;
    return s;
}

static tml_derivatives* run(const tml_model* m, const tml_sim_settings* s, int steps)
{
    tml_derivatives* d = NULL;
    tml_status status = tml_derivatives_create(m, s, 0, &d);
    for (int k = 0; k < steps && status == TML_OK; k++) status = tml_derivatives_step(d, NULL);
    if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
    CHECK(status == TML_OK);
    return d;
}

static char table[200000];

// relative error against extrapolated differences and of the dot product
static void check(tml_derivatives* d, const everything* e, double error, double dot,
                  const char* what)
{
    tml_derivatives_report r;
    const tml_status status =
        tml_derivatives_check(d, 1e-2, e->parameter_count, e->parameters, e->quantity_count,
                              e->quantities, &r, table, sizeof table);
    if (status != TML_OK) printf("%s: %s\n", what, tml_derivatives_message(d));
    CHECK(status == TML_OK);
    printf("%s: %d pairs, error %.2e, dot product %.2e\n", what, r.pair_count, r.largest_error,
           r.dot_product);
    if (!(r.largest_error <= error) || getenv("TRAMMEL_TEST_PRINT") != NULL) puts(table);
    CHECK(r.largest_error <= error);
    CHECK(r.dot_product <= dot);
}

typedef tml_model* (*builder)(void);

static void check_physics(builder make, tml_integrator integrator, tml_start start, int steps,
                          const char* what)
{
    tml_model* m = make();
    const tml_sim_settings s = settings_for(integrator, start);
    tml_derivatives* d = run(m, &s, steps);
    everything e = {0};
    bodies_by_physics(m, &e);
    motions(m, &e, steps);
    check(d, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

TEST(one_step_follows_the_physics_of_a_double_pendulum)
{
    check_physics(double_pendulum, TML_TIME_BDF1, TML_START_ACCURATE, 1, "bdf1, 1 step");
    check_physics(double_pendulum, TML_TIME_SDIRK2, TML_START_ACCURATE, 1, "sdirk2, 1 step");
    check_physics(double_pendulum, TML_TIME_SDIRK2_PARESCHI_RUSSO, TML_START_ACCURATE, 1,
                  "pareschi-russo, 1 step");
    check_physics(double_pendulum, TML_TIME_BDF2, TML_START_ACCURATE, 1, "accurate start");
}

TEST(twenty_steps_follow_the_physics_of_a_double_pendulum)
{
    check_physics(double_pendulum, TML_TIME_BDF1, TML_START_ACCURATE, 20, "bdf1");
    check_physics(double_pendulum, TML_TIME_BDF2, TML_START_SDIRK2, 20, "bdf2, sdirk2 start");
    check_physics(double_pendulum, TML_TIME_BDF2, TML_START_ACCURATE, 20, "bdf2");
    check_physics(double_pendulum, TML_TIME_BDF4, TML_START_ACCURATE, 20, "bdf4");
    check_physics(double_pendulum, TML_TIME_SDIRK2, TML_START_ACCURATE, 20, "sdirk2");
    check_physics(double_pendulum, TML_TIME_SDIRK2_PARESCHI_RUSSO, TML_START_ACCURATE, 20,
                  "pareschi-russo");
}

TEST(a_redundant_loop_has_the_same_derivatives)
{
    check_physics(four_bar, TML_TIME_BDF1, TML_START_ACCURATE, 20, "bdf1, four-bar");
    check_physics(four_bar, TML_TIME_BDF2, TML_START_ACCURATE, 20, "bdf2, four-bar");
}
