// test/diff/mechanisms.h - mechanisms, lists of all parameters and quantities, and the one comparison:
// derivatives of whole runs against differences of whole runs, and forwards against backwards.
//                                          [QRBD Sec 7 Alg 1 (37) (38)] [QRBD (39)-(41) Alg 2]
#ifndef TRAMMEL_TEST_DIFF_MECHANISMS_H
#define TRAMMEL_TEST_DIFF_MECHANISMS_H

#include "scenes/scenes.h"
#include "test/check.h"

#include <trammel/trammel.h>

#include <math.h>
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
static inline tml_model* double_pendulum(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "a", (tml_vec3){0.5, 0.0, 0.0}, 1.2);
    const tml_body b = add_rod(spec, "b", (tml_vec3){1.5, 0.1, 0.0}, 0.7);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, a, (tml_vec3){0, 0, 0}, (tml_vec3){0, 1, 0});
    add_joint(spec, TML_JOINT_UNIVERSAL, a, b, (tml_vec3){1, 0, 0}, (tml_vec3){0, 0, 1});
    return build(spec);
}

// Two sprung links with Rayleigh damping, a tendon that stiffens and a muscle beside a spring.
static inline tml_model* damped_arm(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body link[2];
    const tml_vec3 at[2] = {{0.5, 0.0, 0.0}, {1.5, 0.1, 0.0}};
    for (int i = 0; i < 2; i++) {
        tml_joint_def def = tml_joint_def_default();
        link[i] = add_rod(spec, i == 0 ? "upper" : "lower", at[i], 1.2 - 0.5 * i);
        def.kind = i == 0 ? TML_JOINT_REVOLUTE : TML_JOINT_UNIVERSAL;
        def.base = i == 0 ? TML_WORLD : link[0];
        def.follower = link[i];
        def.position = (tml_vec3){(double)i, 0, 0};
        def.axis = (tml_vec3){0, 1.0 - i, i};
        def.axis_of[TML_AXIS_RX].stiffness = 15.0;
        def.axis_of[TML_AXIS_RX].damping = 0.2;
        def.axis_of[TML_AXIS_RX].rest = 0.1;
        tml_spec_add_joint(spec, &def);
    }
    const tml_point path[3] = {
        {TML_WORLD, {0.0, 0.5, 1.0}}, {link[0], {0.1, 0.2, 0.1}}, {link[1], {0.2, 0.0, -0.1}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 3;
    spring.points = path;
    spring.stiffness = 12.0;
    spring.damping = 0.4;
    spring.rest_length = 1.3;
    spring.law = TML_SPRING_QUADRATIC;
    tml_spec_add_spring(spec, &spring);
    spring.point_count = 2;
    spring.law = TML_SPRING_LINEAR;
    spring.muscle = tml_muscle_default();
    spring.muscle.force = 30.0;
    spring.muscle.optimal_length = 0.8;  // stretched here, so that it pulls passively too
    spring.muscle.activation = tml_control_constant(0.6);
    tml_spec_add_spring(spec, &spring);
    tml_spec_set_rayleigh(spec, 0.8, 0.02);
    return build(spec);
}

// A planar four-bar of hinges about y: three rows too many.
static inline tml_model* four_bar(void)
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

// A spring or tendon along the points, drag on the third body, a wrench on another.
static inline void add_forces(tml_spec* spec, const tml_point* ends, int count, tml_body pushed)
{
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = count;
    spring.points = ends;
    spring.stiffness = 30.0;
    spring.damping = 0.5;
    spring.rest_length = 1.5;
    tml_spec_add_spring(spec, &spring);
    tml_drag_def drag = tml_drag_def_default();
    drag.body = (tml_body){2};
    drag.linear = 0.2;
    drag.angular = 0.05;
    tml_spec_add_drag(spec, &drag);
    tml_wrench_def wrench = tml_wrench_def_default();
    wrench.body = pushed;
    wrench.point = (tml_vec3){0.1, 0.2, 0.0};
    wrench.force[0] = tml_control_constant(1.5);
    wrench.torque[1] = tml_control_constant(0.2);
    tml_spec_add_wrench(spec, &wrench);
}

// A chain of one joint of each kind, sprung and damped along whatever is free, with a spring, a drag
// and a wrench.
static inline tml_model* every_joint(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int kind = TML_JOINT_PRISMATIC; kind < TML_JOINT_FREE; kind++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", kind);
        const tml_vec3 at = {0.3 * kind, 0.05 * kind, 0.02 * kind * kind};
        const tml_body body = add_rod(spec, name, at, 0.5 + 0.1 * kind);
        tml_joint_def def = tml_joint_def_default();
        def.kind = (tml_joint_kind)kind;
        def.base = last;
        def.follower = body;
        def.position = (tml_vec3){at.x - 0.15, at.y, at.z};
        def.axis = (tml_vec3){0.3, 1.0, 0.2 * kind};
        for (int k = 0; k < TML_AXES; k++) {
            const char* slides = tml_joint_kind_slides(def.kind);
            const char* turns = tml_joint_kind_turns(def.kind);
            const char letter = "xyz"[k % 3];
            if (strchr(k < 3 ? slides : turns, letter) == NULL) continue;
            def.axis_of[k].stiffness = 20.0 + k;
            def.axis_of[k].damping = 0.3 + 0.1 * k;
            def.axis_of[k].rest = 0.05;
        }
        tml_spec_add_joint(spec, &def);
        last = body;
    }
    const tml_point ends[3] = {
        {TML_WORLD, {1.0, 1.0, 2.0}}, {{3}, {0.1, 0.0, 0.1}}, {{6}, {-0.1, 0.05, 0.0}}};
    add_forces(spec, ends, 3, (tml_body){5});
    return build(spec);
}

// The four-bar with an out-of-plane load, which its redundant rows share by their weights.
static inline tml_model* loaded_four_bar(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "crank", (tml_vec3){0.0, 0.0, 0.25}, 0.8);
    const tml_body b = add_rod(spec, "coupler", (tml_vec3){0.5, 0.0, 0.6}, 1.1);
    const tml_body c = add_rod(spec, "rocker", (tml_vec3){1.1, 0.0, 0.35}, 0.6);
    const tml_vec3 point[4] = {{0, 0, 0}, {0, 0, 0.5}, {1, 0, 0.7}, {1.2, 0, 0}};
    const tml_body base[4] = {TML_WORLD, a, b, TML_WORLD};
    const tml_body follower[4] = {a, b, c, c};
    for (int j = 0; j < 4; j++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_REVOLUTE;
        def.base = base[j];
        def.follower = follower[j];
        def.position = point[j];
        def.axis = (tml_vec3){0, 1, 0};
        for (int k = 0; k < TML_AXES; k++) def.axis_of[k].weight = 1.0 + 0.5 * j + 0.2 * k;
        tml_spec_add_joint(spec, &def);
    }
    tml_wrench_def wrench = tml_wrench_def_default();
    wrench.body = b;
    wrench.point = (tml_vec3){0.1, 0.2, 0.0};
    wrench.force[1] = tml_control_constant(7.0);
    wrench.torque[0] = tml_control_constant(2.0);
    tml_spec_add_wrench(spec, &wrench);
    return build(spec);
}

// A joint about y at the world's origin that turns no further than `upper`, rad.
static inline void add_limited(tml_spec* spec, tml_joint_kind kind, tml_body follower, double upper)
{
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = kind;
    hinge.base = TML_WORLD;
    hinge.follower = follower;
    hinge.axis = (tml_vec3){0, 1, 0};
    hinge.axis_of[TML_AXIS_RX].has_limits = 1;
    hinge.axis_of[TML_AXIS_RX].lower = -1.0;
    hinge.axis_of[TML_AXIS_RX].upper = upper;
    tml_spec_add_joint(spec, &hinge);
}

static inline void add_limited_hinge(tml_spec* spec, tml_body follower, double upper)
{
    add_limited(spec, TML_JOINT_REVOLUTE, follower, upper);
}

// A link that leans on the limit of its hinge, or of one turn of its ball, with another one hanging from it.
static inline tml_model* leaning(tml_joint_kind kind)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.name = "a";
    def.mass = 1.2;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 0.05;
    def.pose.p = (tml_vec3){0.5, 0.0, 0.0};
    const tml_body a = tml_spec_add_body(spec, &def);
    const tml_body b = add_rod(spec, "b", (tml_vec3){1.5, 0.1, 0.0}, 0.7);
    add_limited(spec, kind, a, 0.0);
    add_joint(spec, TML_JOINT_UNIVERSAL, a, b, (tml_vec3){1, 0, 0}, (tml_vec3){0, 0, 1});
    return build(spec);
}

// The rod number i of a bent chain, and its joint to the one before, still of no kind.
static inline tml_joint_def bent_link(tml_spec* spec, const char* name, int i, tml_body last)
{
    const tml_vec3 at = {0.3 + 0.3 * i, 0.05 * i, 0.02 * i * i};
    tml_joint_def def = tml_joint_def_default();
    def.base = last;
    def.follower = add_rod(spec, name, at, 0.5 + 0.1 * i);
    def.position = (tml_vec3){at.x - 0.15, at.y, at.z};
    def.axis = (tml_vec3){0.3, 1.0, 0.2 * i};
    return def;
}

// Motors of both kinds: a hinge that is pushed, a universal joint that is driven, a ball that is turned
// by a torque, one that is driven in full, and a slider that is driven.
static inline tml_model* motors(void)
{
    static const tml_joint_kind kinds[5] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_SPHERICAL, TML_JOINT_SPHERICAL,
                                            TML_JOINT_CYLINDRICAL};
    static const tml_actuation actuation[5] = {TML_FORCE, TML_POSITION, TML_FORCE, TML_POSITION,
                                               TML_POSITION};
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        tml_joint_def def = bent_link(spec, name, i, last);
        def.kind = kinds[i];
        for (int k = 0; k < TML_AXES; k++) {
            const char* free =
                k < 3 ? tml_joint_kind_slides(def.kind) : tml_joint_kind_turns(def.kind);
            if (strchr(free, "xyz"[k % 3]) != NULL) def.axis_of[k].actuation = actuation[i];
        }
        tml_spec_add_joint(spec, &def);
        last = def.follower;
    }
    return build(spec);
}

// ---- lists of everything

enum {
    MANY = 1000
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

static inline void bodies_by_physics(const tml_model* m, everything* e)
{
    want_parameters(e, TML_PARAMETER_GRAVITY, 0, 3);
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_parameters(e, TML_PARAMETER_MASS, b, 1);
        want_parameters(e, TML_PARAMETER_INERTIA, b, 6);
        want_parameters(e, TML_PARAMETER_VELOCITY, b, 6);
        want_parameters(e, TML_PARAMETER_POSE, b, 6);
    }
}

static inline void motions(const tml_model* m, everything* e, int step)
{
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_quantities(e, TML_QUANTITY_POSITION, b, 3, step);
        want_quantities(e, TML_QUANTITY_QUATERNION, b, 4, step);
        want_quantities(e, TML_QUANTITY_VELOCITY, b, 3, step);
        want_quantities(e, TML_QUANTITY_ANGULAR_VELOCITY, b, 3, step);
    }
}

// Joint frames, centres of mass, joint springs and springs.
static void everything_by_design(const tml_model* m, everything* e)
{
    for (int b = 0; b < tml_model_body_count(m); b++) want_parameters(e, TML_PARAMETER_COM, b, 3);
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(m, (tml_joint){j}, axes);
        const tml_joint_def def = tml_model_joint(m, (tml_joint){j});
        want_parameters(e, TML_PARAMETER_JOINT_POSITION, j, 3);
        want_parameters(e, TML_PARAMETER_JOINT_TURN, j, 3);
        for (int k = 0; k < count; k++) {
            if (def.axis_of[axes[k]].stiffness == 0.0) continue;
            for (int kind = TML_PARAMETER_JOINT_STIFFNESS; kind <= TML_PARAMETER_JOINT_REST;
                 kind++) {
                e->parameters[e->parameter_count++] =
                    (tml_parameter){(tml_parameter_kind)kind, j, (int)axes[k], 0};
            }
        }
    }
}

static inline void loads_and_energies(const tml_model* m, everything* e, int step)
{
    want_quantities(e, TML_QUANTITY_KINETIC, 0, 1, step);
    want_quantities(e, TML_QUANTITY_POTENTIAL, 0, 1, step);
    for (int j = 0; j < tml_model_joint_count(m); j++) {
        tml_axis axes[TML_AXES];
        const int count = tml_model_joint_axes(m, (tml_joint){j}, axes);
        want_quantities(e, TML_QUANTITY_FORCE, j, 3, step);
        want_quantities(e, TML_QUANTITY_MOMENT, j, 3, step);
        for (int k = 0; k < count; k++) {
            e->quantities[e->quantity_count++] =
                (tml_quantity){TML_QUANTITY_COORDINATE, j, (int)axes[k], step};
            e->quantities[e->quantity_count++] =
                (tml_quantity){TML_QUANTITY_RATE, j, (int)axes[k], step};
        }
    }
}

// How a run is stepped.
typedef struct method {
    tml_formulation form;
    tml_integrator integrator;
    tml_start start;
} method;

static inline method quaternion_by(tml_integrator integrator)
{
    return (method){TML_FORM_QUATERNION, integrator, TML_START_ACCURATE};
}

static inline tml_sim_settings settings_for(method by)
{
    tml_sim_settings s = tml_sim_settings_default();
    s.formulation = by.form;
    s.integrator = by.integrator;
    s.implicit.start = by.start;
    s.step = 0.01;
    s.tolerance = 1e-12;
    return s;
}

static inline tml_derivatives* remembered(const tml_model* m, const tml_sim_settings* s, int steps)
{
    tml_derivatives* d = NULL;
    tml_status status = tml_derivatives_create(m, s, 0, &d);
    for (int k = 0; k < steps && status == TML_OK; k++) status = tml_derivatives_step(d, NULL);
    if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
    CHECK(status == TML_OK);
    return d;
}

static char table[200000];

// The library's own check. Sanitizers look for errors of memory, which any parameter shows, at ten times the
// price: there every fourth is compared, while gcc's and clang's builds compare them all.
static inline tml_status differ(tml_derivatives* d, double step, const everything* e,
                                tml_derivatives_report* r)
{
    static tml_parameter some[MANY];
    int count = 0;
    for (int i = 0; i < e->parameter_count; i += CHECK_IS_SANITIZED ? 4 : 1) {
        some[count++] = e->parameters[i];
    }
    return tml_derivatives_check(d, step, count, some, e->quantity_count, e->quantities, r, table,
                                 sizeof table);
}

// Relative error against extrapolated differences, and of the dot product. Steps of 3 %: forces are
// only good to rounding over h^2, 1e-12 N, which differences divide by the step; extrapolation
// leaves (3 %)^6 = 1e-9.
static inline void check_by(tml_derivatives* d, double step, const everything* e, double error,
                            double dot, const char* what)
{
    tml_derivatives_report r;
    const tml_status status = differ(d, step, e, &r);
    if (status != TML_OK) printf("%s: %s\n", what, tml_derivatives_message(d));
    CHECK(status == TML_OK);
    printf("%s: %d pairs, error %.2e, dot product %.2e\n", what, r.pair_count, r.largest_error,
           r.dot_product);
    if (!(r.largest_error <= error) || getenv("TRAMMEL_TEST_PRINT") != NULL) puts(table);
    CHECK(r.largest_error <= error);
    CHECK(r.dot_product <= dot);
}

static inline void check(tml_derivatives* d, const everything* e, double error, double dot,
                         const char* what)
{
    check_by(d, 3e-2, e, error, dot, what);
}

typedef tml_model* (*builder)(void);

static inline void check_physics(builder make, method by, int steps, const char* what)
{
    tml_model* m = make();
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, steps);
    everything e = {0};
    bodies_by_physics(m, &e);
    motions(m, &e, steps);
    check(d, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

static inline void check_design(builder make, method by, int steps, const char* what)
{
    tml_model* m = make();
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, steps);
    static everything e;
    memset(&e, 0, sizeof e);
    everything_by_design(m, &e);
    motions(m, &e, steps);
    loads_and_energies(m, &e, steps);
    check(d, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Every fourth parameter of many: test/long asks for all of them.
static inline void check_thinned(builder make, method by, int steps, const char* what)
{
    tml_model* m = make();
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, steps);
    static everything e;
    memset(&e, 0, sizeof e);
    everything_by_design(m, &e);
    int kept = 0;
    for (int i = 0; i < e.parameter_count; i += 4) e.parameters[kept++] = e.parameters[i];
    e.parameter_count = kept;
    motions(m, &e, steps);
    loads_and_energies(m, &e, steps);
    check(d, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Masses, gravity and weights move the loads of redundant rows; designs of a planar loop would break it.
static inline void check_loads(method by, int steps, const char* what)
{
    tml_model* m = loaded_four_bar();
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, steps);
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    for (int j = 0; j < 4; j++) {
        e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_JOINT_POSITION, j, 0, 0};
        e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_JOINT_POSITION, j, 2, 0};
        want_parameters(&e, TML_PARAMETER_JOINT_WEIGHT, j, TML_AXES);
    }
    loads_and_energies(m, &e, steps);
    // least-norm multipliers are projected to 1e-10 of the largest
    check(d, &e, 1e-6, 1e-9, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Hinges of a planar four-bar may move within its plane and along their axes; one that is tilted out of it
// locks the loop: gradients have no number there, and say so.
static inline void check_broken(method by)
{
    tml_model* m = four_bar();
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, 6);
    everything e = {0};
    want_parameters(&e, TML_PARAMETER_MASS, 1, 1);
    want_parameters(&e, TML_PARAMETER_JOINT_POSITION, 1, 3);
    want_parameters(&e, TML_PARAMETER_JOINT_TURN, 1, 3);
    const tml_quantity end = {TML_QUANTITY_KINETIC, 0, 0, 6};
    const double one = 1.0;
    double gradient[7] = {0.0};
    CHECK(tml_derivatives_gradient(d, 1, &end, &one, 7, e.parameters, gradient) == TML_OK);
    for (int i = 0; i < 7; i++) CHECK(isnan(gradient[i]) == (i == 4 || i == 6));
    CHECK(tml_derivatives_last_flags(d).broken_parameters == 2);
    CHECK(tml_derivatives_last_flags(d).first_broken == 4);
    CHECK_CONTAINS(tml_derivatives_message(d), "breaks a closed loop");
    CHECK(tml_derivatives_gradient(d, 1, &end, &one, 4, e.parameters, gradient) == TML_OK);
    CHECK(tml_derivatives_last_flags(d).broken_parameters == 0);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// A limit that pushes all the time. Poses and velocities would lift the link off it, or push it in.
static inline void check_limit_of(tml_joint_kind kind, method by, int steps, const char* what)
{
    tml_model* m = leaning(kind);
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, steps);
    const tml_quantity angle = {TML_QUANTITY_COORDINATE, 0, TML_AXIS_RX, steps};
    double value = -1.0;
    CHECK(tml_derivatives_values(d, 1, &angle, &value) == TML_OK);
    CHECK_NEAR(value, 0.0,
               1e-9);  // the link has not moved: without the limit it would fall 0.01 rad
    static everything e;
    memset(&e, 0, sizeof e);
    want_parameters(&e, TML_PARAMETER_GRAVITY, 0, 3);
    for (int b = 0; b < 2; b++) {
        want_parameters(&e, TML_PARAMETER_MASS, b, 1);
        want_parameters(&e, TML_PARAMETER_INERTIA, b, 6);
    }
    want_parameters(&e, TML_PARAMETER_VELOCITY, 1, 6);
    everything_by_design(m, &e);
    motions(m, &e, steps);
    loads_and_energies(m, &e, steps);
    check(d, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Of a ball the limit is a measure, no angle.
static inline void check_limit(method by, int steps, const char* what)
{
    char of_ball[160];
    snprintf(of_ball, sizeof of_ball, "%s, of a ball", what);
    check_limit_of(TML_JOINT_REVOLUTE, by, steps, what);
    check_limit_of(TML_JOINT_SPHERICAL, by, steps, of_ball);
}

// Controls given to eight steps: of all of them, and of single ones.
static inline void check_controls_by(method by, double step, const char* what)
{
    tml_model* m = motors();
    const int count = tml_model_control_count(m);
    tml_sim_settings s = settings_for(by);
    tml_derivatives* d = NULL;
    tml_status status = tml_derivatives_create(m, &s, 0, &d);
    for (int k = 1; k <= 8 && status == TML_OK; k++) {
        double controls[32];
        for (int c = 0; c < count; c++)
            controls[c] = 0.05 * sin(0.3 * k + c) - 0.05 * sin((double)c);
        status = tml_derivatives_step(d, controls);
    }
    CHECK(status == TML_OK);
    if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
    static everything e;
    memset(&e, 0, sizeof e);
    for (int c = 0; c < count && status == TML_OK; c++) {
        for (int k = 0; k <= 8; k += k == 0 ? 1 : k == 1 ? 2 : 5) {  // all, 1, 3, 8
            e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_CONTROL, c, 0, k};
        }
    }
    motions(m, &e, 8);
    loads_and_energies(m, &e, 8);
    // bodies are carried by three solves a step, and a watched run takes a quarter of the parameters: what is compared is
    // a small difference of large numbers
    const bool is_thin = CHECK_IS_SANITIZED && by.integrator == TML_TIME_PROJECTED;
    const double dot = is_thin ? 1e-11 : 1e-12;
    if (status == TML_OK) check_by(d, step, &e, 1e-6, dot, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

static inline void check_controls(method by, const char* what)
{
    check_controls_by(by, 3e-2, what);
}

#endif
