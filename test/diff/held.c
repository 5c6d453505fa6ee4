// test/diff/held.c - derivatives of runs in joint coordinates that touch while loops, drives, couplings and limits hold
// them, against differences of whole runs.                                                   [DCON (6)-(16)]
#include "test/diff/touching.h"

// How a foot meets the ground.
typedef struct footing {
    double friction, restitution;
    double gap;  // m
    tml_vec3 velocity;
} footing;

static const footing sticks = {1.5, 0.0, 2e-3, {0.05, 0.02, -0.5}};
static const footing slides = {0.2, 0.0, 2e-3, {1.5, 0.3, -0.5}};
static const footing bounces = {0.2, 0.7, 2e-3, {1.5, 0.3, -0.9}};
static const footing overlaps = {0.2, 0.0, -1e-3, {1.5, 0.3, -0.5}};

enum {
    RADIUS_CM = 10
};

// A rod with a ball beneath it, which is a gap above the ground; no ball where there is no footing.
static tml_body add_foot(tml_spec* spec, const char* name, tml_vec3 at, double mass,
                         const footing* f)
{
    const double radius = 0.01 * RADIUS_CM;
    tml_shape_def ball = shape_of(TML_SHAPE_SPHERE, v3(radius, 0, 0), f != NULL ? f->friction : 0);
    tml_body_def def = tml_body_def_default();
    def.name = name;
    def.mass = mass;
    def.inertia[0] = 0.02 * mass;
    def.inertia[1] = 0.05 * mass;
    def.inertia[2] = 0.06 * mass;
    def.inertia[3] = 0.003 * mass;
    def.com = (tml_vec3){0.03, -0.02, 0.01};
    def.pose.p = at;
    if (f != NULL) {
        ball.restitution = f->restitution;
        ball.pose.p.z = radius + f->gap - at.z;
        def.shapes = &ball;
        def.shape_count = 1;
        def.velocity.linear = f->velocity;
    }
    return tml_spec_add_body(spec, &def);
}

// Four bodies in a loop that flies, in space (a ball and a universal joint among its hinges: one row for each motion that
// it forbids) or in a plane (hinges alone: three rows too many); the coupler has a foot.
static tml_model* loop_of(const footing* f, bool is_planar, double compliance)
{
    static const tml_vec3 at[4] = {
        {0.7, 0.2, 1.1}, {0.1, 0.0, 0.75}, {0.5, 0.2, 0.6}, {1.1, 0.4, 0.8}};
    static const tml_vec3 point[4] = {
        {-0.2, 0.0, 0.9}, {0.2, 0.0, 0.7}, {1.0, 0.4, 0.6}, {1.6, 0.4, 1.0}};
    static const tml_vec3 axis[4] = {{0, 1, 0}, {0, 1, 0}, {0.2, 1, 0}, {0.3, 1, 0.1}};
    static const char* const names[4] = {"base", "crank", "coupler", "rocker"};
    static const tml_joint_kind kinds[4] = {TML_JOINT_REVOLUTE, TML_JOINT_SPHERICAL,
                                            TML_JOINT_UNIVERSAL, TML_JOINT_REVOLUTE};
    tml_spec* spec = tml_spec_create();
    tml_body bodies[4];
    add_ground(spec, f->friction, 0.0);
    for (int i = 0; i < 4; i++) {
        bodies[i] = add_foot(spec, names[i], at[i], 0.6 + 0.2 * i, i == 2 ? f : NULL);
    }
    for (int i = 0; i < 4; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = is_planar ? TML_JOINT_REVOLUTE : kinds[i];
        def.base = bodies[i];
        def.follower = bodies[(i + 1) % 4];
        def.position = point[i];
        def.axis = is_planar ? axis[0] : axis[i];
        if (i == 3)
            def.axis_of[TML_AXIS_TX].compliance = def.axis_of[TML_AXIS_RZ].compliance = compliance;
        tml_spec_add_joint(spec, &def);
    }
    return build(spec);
}

static tml_model* loop_on(const footing* f) { return loop_of(f, false, 0.0); }
static tml_model* four_bar_on(const footing* f) { return loop_of(f, true, 0.0); }

// An arm of two driven hinges that pushes a ball along the ground.
static tml_model* pushing_arm(const footing* f)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, f->friction, 0.0);
    tml_body last = TML_WORLD;
    for (int i = 0; i < 2; i++) {
        tml_joint_def def = tml_joint_def_default();
        const tml_vec3 at = {-0.6 + 0.4 * i, 0.02 * i, 0.5 - 0.2 * i};
        footing hand = *f;
        hand.gap = 0.1;
        hand.velocity = v3_zero();
        def.follower = add_foot(spec, i == 0 ? "upper" : "lower", at, 0.6, i == 0 ? NULL : &hand);
        def.kind = TML_JOINT_REVOLUTE;
        def.base = last;
        def.position = (tml_vec3){at.x - 0.2, at.y, at.z + 0.1};
        def.axis = (tml_vec3){0.1 * i, 1.0, 0.05};
        def.axis_of[TML_AXIS_RX].actuation = TML_POSITION;
        tml_spec_add_joint(spec, &def);
        last = def.follower;
    }
    tml_shape_def ball = shape_of(TML_SHAPE_SPHERE, v3(0.2, 0, 0), f->friction);
    const tml_pose pose = {{-0.2 + 0.2983, 0.05, 0.2 + f->gap}, {1.0, 0.0, 0.0, 0.0}};
    add_moving(spec, "load", ball, pose, (tml_vec3){-0.3, 0.05, -0.4}, v3_zero());
    return build(spec);
}

// Two wheels on a carriage that flies, geared three to two; one of them lands.
static tml_model* geared_wheels(const footing* f)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, f->friction, 0.0);
    const tml_body root = add_foot(spec, "carriage", (tml_vec3){0, 0, 0.4}, 1.5, NULL);
    tml_joint joints[2];
    for (int i = 0; i < 2; i++) {
        const tml_vec3 at = {-0.4 + 0.8 * i, 0.05 * i, 0.15 + f->gap + 0.1 * i};
        tml_shape_def ball = shape_of(TML_SHAPE_SPHERE, v3(0.15, 0, 0), f->friction);
        ball.restitution = f->restitution;
        const tml_body wheel =
            add_leaden(spec, i == 0 ? "left" : "right", ball, (tml_pose){at, {1, 0, 0, 0}},
                       f->velocity, (tml_vec3){0, 2.0, 0}, (tml_vec3){0.01, 0.0, 0.02});
        joints[i] = add_joint(spec, TML_JOINT_REVOLUTE, root, wheel, at, (tml_vec3){0.05, 1, 0.1});
    }
    tml_coupling_def law = tml_coupling_def_default();
    const tml_coupling_term terms[2] = {
        {.joint = joints[0], .axis = TML_AXIS_RX, .degree = 1, .coefficient = {3.0}},
        {.joint = joints[1], .axis = TML_AXIS_RX, .degree = 2, .coefficient = {-2.0, 0.3}}};
    law.terms = terms;
    law.term_count = 2;
    tml_spec_add_coupling(spec, &law);
    return build(spec);
}

// What a foot does in the last step.
typedef enum ending {
    ANYHOW,
    STICKING,
    SLIDING,
    PARTED,
} ending;

typedef struct wishes {
    bool has_design;  // joint frames may change: nothing is redundant
    bool has_shift;
    double amplitude;  // of controls
    ending ends;
    int foot;        // body
    bool is_locked;  // a limit holds: its coordinate has no slopes to be compared
} wishes;

// Each parameter (every third, unless TRAMMEL_TEST_LONG is set) by the differences that suit it. Rows are closed to some
// 1e-15 m, which forces show over h^2: differences of 1e-2 and more see nothing of it. Farther off than 1e-4 some land a
// step earlier or later, or slide where they stick, or begin beyond a limit, which is no run at all.
static void compare_each(tml_derivatives* d, const everything* e, bool has_shift, const char* what)
{
    static const double sizes[5] = {3e-2, 1e-2, 1e-3, 1e-4, 1e-5};
    tml_derivatives_report all;
    double worst = 0.0;
    int which = 0;
    CHECK(tml_derivatives_check(d, 1e-3, e->parameter_count, e->parameters, e->quantity_count,
                                e->quantities, &all, NULL, 0) == TML_OK);
    const int stride = getenv("TRAMMEL_TEST_LONG") != NULL ? 1 : CHECK_IS_SANITIZED ? 12 : 3;
    for (int i = 0; i < e->parameter_count; i += stride) {
        double least = HUGE_VAL;
        for (int k = 0; k < 5 && !(least <= 1e-6); k++) {
            tml_derivatives_report r;
            const tml_status status =
                tml_derivatives_check(d, sizes[k], 1, &e->parameters[i], e->quantity_count,
                                      e->quantities, &r, table, sizeof table);
            if (status == TML_OK) least = fmin(least, r.largest_error);
            if (status != TML_OK && k == 4) printf("%s: %s\n", what, tml_derivatives_message(d));
        }
        if (!(least <= 1e-6)) puts(table);
        if (!(least <= worst)) which = i;
        worst = fmax(worst, least);
    }
    const tml_derivatives_flags f = tml_derivatives_last_flags(d);
    printf("%s: %d parameters, %d quantities, error %.2e (number %d), dot product %.2e; tied %d, "
           "rank %d, shifted %d steps\n",
           what, e->parameter_count, e->quantity_count, worst, which, all.dot_product, f.tied_steps,
           f.rank_steps, f.shift_steps);
    CHECK(worst <= 1e-6);
    CHECK(all.dot_product <= 1e-12);
    CHECK((f.shift_steps > 0) == has_shift);
}

static double value_of(tml_derivatives* d, tml_quantity_kind kind, int index, int component,
                       int step)
{
    const tml_quantity q = {kind, index, component, step};
    double value = 0.0;
    CHECK(tml_derivatives_values(d, 1, &q, &value) == TML_OK);
    return value;
}

static void check_ending(tml_derivatives* d, const footing* f, wishes w, int steps)
{
    double force[3];
    double share = 0.0;  // of what friction may hold
    for (int k = 0; k < 3; k++) {
        force[k] = value_of(d, TML_QUANTITY_CONTACT_FORCE, w.foot, k, steps);
    }
    if (w.ends == PARTED) CHECK(force[2] == 0.0);
    if (w.ends == ANYHOW || w.ends == PARTED) return;
    for (int k = 0; k < 2; k++) share = fmax(share, fabs(force[k]) / (f->friction * force[2]));
    CHECK(force[2] > 0.0);
    if (w.ends == STICKING) CHECK(share < 0.99);
    if (w.ends == SLIDING) CHECK_NEAR(share, 1.0, 1e-9);
}

static void check_held(tml_model* m, tml_integrator integrator, const footing* f, wishes w,
                       int steps, const char* what)
{
    tml_sim_settings s =
        settings_for((method){TML_FORM_GENERALIZED, integrator, TML_START_ACCURATE});
    s.contact.is_on = 1;
    s.tolerance = 1e-14;  // so that differences see no noise of rows that stay open
    tml_derivatives* d = driven_run(m, &s, steps, w.amplitude);
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    if (w.has_design) everything_by_design(m, &e);
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_parameters(&e, TML_PARAMETER_FRICTION, b, 1);
        if (f->restitution > 0.0) want_parameters(&e, TML_PARAMETER_RESTITUTION, b, 1);
    }
    for (int c = 0; c < tml_model_control_count(m); c++) {
        e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_CONTROL, c, 0, 1};
    }
    motions(m, &e, steps);
    loads_and_energies(m, &e, steps);
    int kept = 0;
    for (int i = 0; i < e.quantity_count; i++) {
        const tml_quantity q = e.quantities[i];
        const bool is_angle = q.kind == TML_QUANTITY_COORDINATE || q.kind == TML_QUANTITY_RATE;
        if (!w.is_locked || !is_angle) e.quantities[kept++] = q;
    }
    e.quantity_count = kept;
    for (int b = 0; b < tml_model_body_count(m); b++) {
        want_quantities(&e, TML_QUANTITY_CONTACT_FORCE, b, 3, steps);
    }
    compare_each(d, &e, w.has_shift, what);
    check_ending(d, f, w, steps);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

static void check_loops(tml_integrator by)
{
    wishes w = {.has_design = true, .foot = 2, .ends = STICKING};
    check_held(loop_on(&sticks), by, &sticks, w, 5, "loop sticks");
    w.ends = SLIDING;
    check_held(loop_on(&slides), by, &slides, w, 5, "loop slides");
    check_held(loop_of(&slides, false, 1e-3), by, &slides, w, 5, "loop that gives way slides");
    w.ends = PARTED;
    check_held(loop_on(&bounces), by, &bounces, w, 5, "loop bounces");
    w.ends = SLIDING;
    w.has_shift = true;
    check_held(loop_on(&overlaps), by, &overlaps, w, 2, "loop overlaps");
    check_held(loop_on(&slides), TML_TIME_FORWARD_EULER, &slides, w, 5, "loop, forward_euler");
    w = (wishes){.foot = 2, .ends = SLIDING};  // other frames would lock it
    check_held(four_bar_on(&slides), by, &slides, w, 5, "redundant loop slides");
}

TEST(loops_that_touch_have_their_derivatives)
{
    check_loops(TML_TIME_SEMI_IMPLICIT_EULER);
    check_loops(TML_TIME_PROJECTED);
}

static void check_drives(tml_integrator by)
{
    wishes w = {.has_design = true, .amplitude = 0.02};
    check_held(pushing_arm(&slides), by, &slides, w, 5, "arm pushes");
    w = (wishes){.has_design = true, .foot = 1, .ends = STICKING};
    check_held(geared_wheels(&sticks), by, &sticks, w, 5, "gears stick");
    w.ends = SLIDING;
    check_held(geared_wheels(&slides), by, &slides, w, 5, "gears slide");
    w.ends = PARTED;
    check_held(geared_wheels(&bounces), by, &bounces, w, 5, "gears bounce");
}

TEST(drives_and_couplings_that_touch_have_their_derivatives)
{
    check_drives(TML_TIME_SEMI_IMPLICIT_EULER);
    check_drives(TML_TIME_PROJECTED);
}

// A leg on a ball joint that turns no further than its limit, whose row follows all three turns.
static tml_model* leg_within(const footing* f, double range)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, f->friction, 0.0);
    const tml_body hip = add_foot(spec, "hip", (tml_vec3){0, 0, 1.0}, 2.0, NULL);
    const tml_body leg = add_foot(spec, "leg", (tml_vec3){0.1, 0.05, 0.6}, 0.8, f);
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_SPHERICAL;
    def.base = hip;
    def.follower = leg;
    def.position = (tml_vec3){0.0, 0.0, 0.8};
    def.axis = (tml_vec3){0.2, 1.0, 0.1};
    def.axis_of[TML_AXIS_RX].has_limits = 1;
    def.axis_of[TML_AXIS_RX].lower = -range;
    def.axis_of[TML_AXIS_RX].upper = range;
    tml_spec_add_joint(spec, &def);
    return build(spec);
}

static void check_met(tml_model* m, tml_integrator by, const footing* f, wishes w, double range,
                      const char* what)
{
    enum {
        STEPS = 6
    };
    tml_sim_settings s = settings_for((method){TML_FORM_GENERALIZED, by, TML_START_ACCURATE});
    s.contact.is_on = 1;
    tml_derivatives* d = driven_run(m, &s, STEPS, w.amplitude);
    double largest = 0.0;
    for (int k = 1; k <= STEPS; k++) {
        const double angle = value_of(d, TML_QUANTITY_COORDINATE, 0, TML_AXIS_RX, k);
        largest = fmax(largest, fabs(angle));
    }
    CHECK_NEAR(largest, range, 1e-9);
    tml_derivatives_destroy(d);
    check_held(m, by, f, w, STEPS, what);
}

static void check_limits_met(tml_integrator by)
{
    wishes w = {.has_design = true, .amplitude = 2.0};
    w.is_locked = true;
    check_met(pair_within(0.102, 0.1), by, &sticks, w, 0.1, "pair meets its limit");
    w.is_locked = false;
    check_met(leg_within(&slides, 0.02), by, &slides, w, 0.02, "leg meets its limit");
    w.has_shift = true;
    check_met(leg_within(&slides, 0.02), TML_TIME_FORWARD_EULER, &slides, w, 0.02,
              "leg meets its limit, forward_euler");
}

TEST(limits_that_are_met_while_something_touches_have_their_derivatives)
{
    check_limits_met(TML_TIME_SEMI_IMPLICIT_EULER);
    check_limits_met(TML_TIME_PROJECTED);
}

// Steps that rows hold leave no record and are taken again; those between leave one.
TEST(gradients_of_held_steps_have_the_same_bits_whatever_the_memory)
{
    enum {
        STEPS = 40
    };
    tml_model* m = leg_within(&bounces, 0.02);
    tml_sim_settings s = settings_for(
        (method){TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE});
    s.contact.is_on = 1;
    const tml_quantity end = {TML_QUANTITY_KINETIC, 0, 0, STEPS};
    const tml_parameter by[2] = {{TML_PARAMETER_MASS, 0, 0, 0}, {TML_PARAMETER_VELOCITY, 1, 0, 0}};
    const double one = 1.0;
    double first[2] = {0.0};
    static const size_t memories[3] = {0, 60000, 20000};  // bytes; 0: as much as usual
    for (int i = 0; i < 3; i++) {
        tml_derivatives* d = NULL;
        double gradient[2];
        CHECK(tml_derivatives_create(m, &s, memories[i], &d) == TML_OK);
        for (int k = 0; k < STEPS; k++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
        CHECK(tml_derivatives_gradient(d, 1, &end, &one, 2, by, gradient) == TML_OK);
        if (i == 0) memcpy(first, gradient, sizeof first);
        CHECK(memcmp(first, gradient, sizeof first) == 0);
        CHECK(gradient[0] != 0.0 && gradient[1] != 0.0);
        tml_derivatives_destroy(d);
    }
    tml_model_destroy(m);
}
