// test/diff/generalized.c - derivatives of whole runs in joint coordinates: every kind of link without
// contact, then bodies that stick, slide, part and bounce, against differences of whole runs and against
// closed forms.                                                      [DCON (6)-(16) (19) (22) Sec IV-D App E]
#include "test/diff/touching.h"
#include "test/random.h"

static tml_sim_settings joint_settings(tml_integrator integrator, bool has_contact)
{
    tml_sim_settings s = settings_for(quaternion_by(integrator));
    s.formulation = TML_FORM_GENERALIZED;
    s.contact.is_on = has_contact;
    return s;
}

// A body that flies with a hinge, a universal joint, a slider and a ball on it; springs and dampers along
// everything, a motor, a spring between points, drag, a wrench.
static tml_model* flying_tree(void)
{
    static const tml_joint_kind kinds[4] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_PRISMATIC, TML_JOINT_SPHERICAL};
    static const int base[4] = {0, 1, 0, 3};
    tml_spec* spec = tml_spec_create();
    add_rod(spec, "root", (tml_vec3){0.0, 0.0, 0.0}, 1.3);
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "link%d", i);
        const tml_vec3 at = {0.4 + 0.4 * i, 0.1 * i, 0.05 * i * i};
        const tml_body body = add_rod(spec, name, at, 0.5 + 0.1 * i);
        tml_joint_def def = tml_joint_def_default();
        def.kind = kinds[i];
        // one joint the other way round: the tree runs against it
        def.base = i == 1 ? body : (tml_body){base[i]};
        def.follower = i == 1 ? (tml_body){base[i]} : body;
        def.position = (tml_vec3){at.x - 0.15, at.y, at.z};
        def.axis = (tml_vec3){0.3, 1.0, 0.2 * i};
        for (int k = 0; k < TML_AXES; k++) {
            const char* free =
                k < 3 ? tml_joint_kind_slides(def.kind) : tml_joint_kind_turns(def.kind);
            if (strchr(free, "xyz"[k % 3]) == NULL) continue;
            def.axis_of[k].stiffness = 5.0 + k;
            def.axis_of[k].damping = 0.3 + 0.1 * k;
            def.axis_of[k].rest = 0.05;
            if (i == 0) def.axis_of[k].actuation = TML_FORCE;
        }
        tml_spec_add_joint(spec, &def);
    }
    const tml_point ends[2] = {{TML_WORLD, {1.0, 1.0, 2.0}}, {{2}, {0.1, 0.0, 0.1}}};
    add_forces(spec, ends, 2, (tml_body){3});
    return build(spec);
}

TEST(runs_of_every_link_have_their_derivatives)
{
    static const tml_integrator integrators[4] = {
        TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_FORWARD_EULER, TML_TIME_RK4, TML_TIME_PROJECTED};
    for (int i = 0; i < 4; i++) {
        for (int steps = i % 3 == 0 ? 1 : 9; steps <= 9; steps += 8) {
            tml_model* m = flying_tree();
            const tml_sim_settings s = joint_settings(integrators[i], false);
            tml_derivatives* d = driven_run(m, &s, steps, 0.5);
            static everything e;
            memset(&e, 0, sizeof e);
            bodies_by_physics(m, &e);
            everything_by_design(m, &e);
            want_parameters(&e, TML_PARAMETER_SPRING_STIFFNESS, 0, 1);
            want_parameters(&e, TML_PARAMETER_SPRING_DAMPING, 0, 1);
            want_parameters(&e, TML_PARAMETER_SPRING_REST, 0, 1);
            e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_CONTROL, 0, 0, 1};
            motions(m, &e, steps);
            loads_and_energies(m, &e, steps);
            check(d, &e, 1e-6, 1e-12, "tree");
            tml_derivatives_destroy(d);
            tml_model_destroy(m);
        }
    }
}

// ---- contact

static method joint_by(tml_integrator integrator)
{
    return (method){TML_FORM_GENERALIZED, integrator, TML_START_ACCURATE};
}

// A box that lands flat and spinning, with two arms on it that a gear couples: corners that slide and depend on each other
// beside a row that holds. The arms turn in the plane of the ground, and the box stays flat.
static tml_model* geared_box(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_pose pose = upright;
    pose.p.z = 0.1021;
    const tml_vec3 down = {0.2, 0.1, -0.4};
    const tml_body box = add_moving(spec, "box", shape_of(TML_SHAPE_BOX, v3(0.4, 0.3, 0.2), 0.3),
                                    pose, down, (tml_vec3){0.0, 0.0, 3.0});
    tml_coupling_term terms[2] = {{.degree = 1}};
    for (int i = 0; i < 2; i++) {
        const double side = i == 0 ? -1.0 : 1.0;
        pose.p = (tml_vec3){0.2 * side, 0.05, 0.25};
        const tml_body arm = add_moving(spec, i == 0 ? "left" : "right",
                                        shape_of(TML_SHAPE_SPHERE, v3(0.03, 0, 0), 0.3), pose, down,
                                        (tml_vec3){0.0, 0.0, 3.0});
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_REVOLUTE;
        def.base = box;
        def.follower = arm;
        def.position = (tml_vec3){0.1 * side, 0.0, 0.2021};
        def.axis = (tml_vec3){0.0, 0.0, 1.0};
        def.axis_of[TML_AXIS_RX].stiffness = 2.0;
        def.axis_of[TML_AXIS_RX].rest = 0.4;
        terms[i].joint = tml_spec_add_joint(spec, &def);
        terms[i].axis = TML_AXIS_RX;
        terms[i].degree = 1;
        terms[i].coefficient[0] = 1.0 + i;
    }
    tml_coupling_def gear = tml_coupling_def_default();
    gear.term_count = 2;
    gear.terms = terms;
    tml_spec_add_coupling(spec, &gear);
    return build(spec);
}

TEST(what_slides_sticks_and_bounces_has_its_derivatives)
{
    const method by = joint_by(TML_TIME_SEMI_IMPLICIT_EULER);
    const kinks smooth = {0};
    check_touching(sliding_ball, by, smooth, 1, "ball lands");
    check_touching(sliding_ball, by, smooth, 5, "ball slides");
    check_touching(bouncing_ball, by, (kinks){.has_restitution = true}, 5, "ball bounces");
    check_touching(sliding_box, by, (kinks){.has_flat_box = true}, 5, "box slides");
    check_touching(spinning_box, by, (kinks){.has_flat_box = true}, 1, "box lands spinning");
    const kinks spin = {.has_flat_box = true, .has_spin = true};
    check_touching(spinning_box, by, spin, 4, "box slides and spins");
    check_touching(geared_box, by, (kinks){.has_flat_box = true}, 1, "geared box lands spinning");
    // farther away its corners change, and nearer by differences see what Newton leaves
    check_touching(geared_box, by, (kinks){.has_flat_box = true, .has_spin = true, .change = 4e-5},
                   3, "geared box slides and spins");
    check_touching(landing_pair, by, smooth, 5, "pair lands");
    check_touching(deep_pair, by, (kinks){.has_overlap = true}, 1, "pair overlaps");
    check_touching(deep_pair, by, (kinks){.has_overlap = true}, 2, "pair was parted");
    check_touching(deep_pair, joint_by(TML_TIME_FORWARD_EULER), (kinks){.has_overlap = true}, 2,
                   "pair was parted, forward_euler");
}

TEST(carried_velocities_have_their_derivatives_beside_contacts)
{
    const method by = joint_by(TML_TIME_PROJECTED);
    const kinks smooth = {0};
    check_touching(sliding_ball, by, smooth, 1, "projected, ball lands");
    check_touching(sliding_ball, by, smooth, 5, "projected, ball slides");
    check_touching(bouncing_ball, by, (kinks){.has_restitution = true}, 5,
                   "projected, ball bounces");
    check_touching(sliding_box, by, (kinks){.has_flat_box = true}, 5, "projected, box slides");
    check_touching(landing_pair, by, smooth, 5, "projected, pair lands");
    check_touching(deep_pair, by, (kinks){.has_overlap = true}, 1, "projected, pair overlaps");
    check_touching(deep_pair, by, (kinks){.has_overlap = true}, 2, "projected, pair was parted");
}

// Steps that touch leave records. Of a run that outgrows its memory they are made anew, stretch by stretch.
TEST(records_of_steps_that_touch_have_the_same_bits_whatever_the_memory)
{
    enum {
        STEPS = 40
    };
    tml_model* m = landing_pair();
    tml_sim_settings s = settings_for(joint_by(TML_TIME_SEMI_IMPLICIT_EULER));
    s.contact.is_on = 1;
    const tml_quantity ends[2] = {{TML_QUANTITY_KINETIC, 0, 0, STEPS},
                                  {TML_QUANTITY_CONTACT_FORCE, 0, 2, STEPS}};
    const double weights[2] = {1.0, 0.5};
    const tml_parameter by[3] = {{TML_PARAMETER_MASS, 0, 0, 0},
                                 {TML_PARAMETER_VELOCITY, 0, 0, 0},
                                 {TML_PARAMETER_FRICTION, 0, 0, 0}};
    double first[3] = {0.0};
    static const size_t memories[3] = {0, 60000, 20000};  // bytes; 0: as much as usual
    for (int i = 0; i < 3; i++) {
        tml_derivatives* d = NULL;
        double gradient[3];
        CHECK(tml_derivatives_create(m, &s, memories[i], &d) == TML_OK);
        for (int k = 0; k < STEPS; k++) CHECK(tml_derivatives_step(d, NULL) == TML_OK);
        CHECK(tml_derivatives_gradient(d, 2, ends, weights, 3, by, gradient) == TML_OK);
        if (i == 0) memcpy(first, gradient, sizeof first);
        CHECK(memcmp(first, gradient, sizeof first) == 0);
        CHECK(gradient[0] != 0.0 && gradient[2] != 0.0);
        tml_derivatives_destroy(d);
    }
    tml_model_destroy(m);
}

// A box lands on its corners and an ellipsoid on the box, as random numbers throw them; the first are those of a scene
// whose slope was told as -26.28 where it was -42.22: forces nearest to those of the step before are no function of
// the state.
static tml_model* thrown_box(int seed)
{
    random_source r = random_start((uint64_t)seed);
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.6, 0.0);
    tml_body_def low = tml_body_def_default();
    tml_body_def top = tml_body_def_default();
    const double heavy[6] = {0.006, 0.008, 0.009, 0, 0, 0};
    const double light[6] = {0.005, 0.006, 0.004, 0, 0, 0};
    low.mass = 1.3;
    top.mass = 0.8;
    memcpy(low.inertia, heavy, sizeof heavy);
    memcpy(top.inertia, light, sizeof light);
    low.pose = (tml_pose){{0.0, 0.0, 0.24}, random_quat(&r)};
    top.pose = (tml_pose){{0.02, 0.03, 0.52}, random_quat(&r)};
    low.velocity = (tml_velocity){random_vec3(&r, 1.0), random_vec3(&r, 3.0)};
    top.velocity = (tml_velocity){random_vec3(&r, 0.3), random_vec3(&r, 3.0)};
    top.velocity.linear.z = -2.5;
    if (seed == 0) {
        low.pose.q = (tml_quat){0.8057224984418432, -0.302110949258706, -0.25680017184144815,
                                -0.43999306992819814};
        top.pose.q = (tml_quat){0.7574484315027064, -0.3518229904638435, -0.45079878459585937,
                                -0.31507604288816393};
        low.velocity =
            (tml_velocity){{0.02742641700535131, 0.9789858207551021, -0.9597346078528428},
                           {-1.0432807642988404, -2.5586794165303903, 2.049137381437254}};
        top.velocity =
            (tml_velocity){{-0.12157342887671907, -0.09495226468074391, -2.617380743175241},
                           {0.7033197354844991, -2.3279410372221143, -2.579599875720496}};
    }
    tml_shape_def box = shape_of(TML_SHAPE_BOX, v3(0.25, 0.2, 0.15), 0.4);
    tml_shape_def egg = shape_of(TML_SHAPE_ELLIPSOID, v3(0.15, 0.1, 0.08), 0.3);
    low.shapes = &box;
    top.shapes = &egg;
    low.shape_count = top.shape_count = 1;
    tml_spec_add_body(spec, &low);
    tml_spec_add_body(spec, &top);
    return build(spec);
}

// The smallest error of differences of three sizes: a run has labels that change nearby, and rounding. Where the run
// itself jumps, differences grow as they get smaller.
static double error_of_landing(tml_model* m, tml_integrator integrator, bool* jumps)
{
    enum {
        STEPS = 136
    };
    static const double sizes[3] = {1e-6, 1e-7, 1e-8};
    tml_sim_settings s = joint_settings(integrator, true);
    s.contact.is_on = 1;
    s.tolerance = 1e-12;
    s.step = 1e-3;
    tml_derivatives* d = driven_run(m, &s, STEPS, 0.0);
    static everything e;
    memset(&e, 0, sizeof e);
    e.parameters[e.parameter_count++] = (tml_parameter){TML_PARAMETER_VELOCITY, 0, 3, 0};
    want_quantities(&e, TML_QUANTITY_VELOCITY, 0, 3, STEPS);
    want_quantities(&e, TML_QUANTITY_VELOCITY, 1, 3, STEPS);
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        tml_derivatives_report r;
        const tml_status status =
            tml_derivatives_check(d, sizes[k], e.parameter_count, e.parameters, e.quantity_count,
                                  e.quantities, &r, table, sizeof table);
        if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
        if (status != TML_OK) continue;
        *jumps = least < HUGE_VAL && r.largest_error > 5.0 * least;
        least = fmin(least, r.largest_error);
    }
    tml_derivatives_destroy(d);
    return least;
}

TEST(what_lands_on_many_corners_has_the_derivatives_of_its_run)
{
    static const tml_integrator integrators[2] = {TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_PROJECTED};
    for (int i = 0; i < 2; i++) {
        int wrong = 0;
        int jumped = 0;
        for (int seed = 0; seed < 12; seed++) {
            tml_model* m = thrown_box(seed);
            bool jumps = false;
            const double error = error_of_landing(m, integrators[i], &jumps);
            printf("%s, box %d lands: error %.1e\n", tml_integrator_name(integrators[i]), seed,
                   error);
            if (!(error < 1e-4) && !jumps) wrong++;
            if (!(error < 1e-4) && jumps) jumped++;
            tml_model_destroy(m);
        }
        CHECK(wrong == 0);
        CHECK(jumped <= 1);
    }
}

// A spring that a force of the start of a step could not follow is a row without derivatives: the run goes on, its
// gradient is refused, and the same spring made soft has one.
TEST(stiff_springs_beside_contacts_are_refused_by_name)
{
    for (int is_stiff = 0; is_stiff < 2; is_stiff++) {
        tml_spec* spec = tml_spec_create();
        add_ground(spec, 0.3, 0.0);
        tml_shape_def ball = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
        tml_pose pose = {{0.0, 0.0, 0.101}, {1.0, 0.0, 0.0, 0.0}};
        const tml_vec3 speed = {0.5, 0.0, -0.5};
        const tml_body a = add_moving(spec, "a", ball, pose, speed, v3_zero());
        pose.p.x = 0.5;
        const tml_body b = add_moving(spec, "b", ball, pose, v3_zero(), v3_zero());
        const tml_point ends[2] = {{a, {0.0, 0.0, 0.05}}, {b, {0.0, 0.0, 0.05}}};
        tml_spring_def spring = tml_spring_def_default();
        spring.points = ends;
        spring.point_count = 2;
        spring.stiffness = is_stiff ? 1e6 : 10.0;
        spring.rest_length = 0.5;
        tml_spec_add_spring(spec, &spring);
        tml_model* m = build(spec);
        const tml_sim_settings s = joint_settings(TML_TIME_PROJECTED, true);
        tml_derivatives* d = NULL;
        tml_status status = tml_derivatives_create(m, &s, 0, &d);
        for (int k = 0; k < 5 && status == TML_OK; k++) status = tml_derivatives_step(d, NULL);
        const tml_parameter by = {TML_PARAMETER_VELOCITY, 0, 0, 0};
        const tml_quantity end = {TML_QUANTITY_VELOCITY, 1, 0, 5};
        const double one = 1.0;
        double slope = 0.0;
        if (status == TML_OK) {
            status = tml_derivatives_gradient(d, 1, &end, &one, 1, &by, &slope);
        }
        CHECK(status == (is_stiff ? TML_UNSUPPORTED : TML_OK));
        if (is_stiff) CHECK_CONTAINS(tml_derivatives_message(d), "semi_implicit_euler");
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

// Two balls of one piece on a guide: which of them the ground pushes is anybody's choice, what both do is not.
TEST(forces_that_a_weld_takes_up_have_no_slopes)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.0, 0.0);
    tml_shape_def ball = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.0);
    tml_pose pose = {{0.0, 0.0, 0.1}, {1.0, 0.0, 0.0, 0.0}};
    const tml_body left = add_moving(spec, "left", ball, pose, v3_zero(), v3_zero());
    pose.p.x = 0.5;
    const tml_body right = add_moving(spec, "right", ball, pose, v3_zero(), v3_zero());
    tml_joint_def guide = tml_joint_def_default();
    guide.kind = TML_JOINT_PRISMATIC;
    // what hangs on the world does not touch it: the guide holds a third body
    pose.p = (tml_vec3){0.25, 0.0, 0.5};
    guide.base = TML_WORLD;
    guide.follower = add_moving(spec, "top", ball, pose, v3_zero(), v3_zero());
    guide.axis = (tml_vec3){0.0, 0.0, 1.0};
    tml_spec_add_joint(spec, &guide);
    tml_joint_def weld = tml_joint_def_default();
    weld.kind = TML_JOINT_FIXED;
    weld.base = guide.follower;
    weld.follower = left;
    tml_spec_add_joint(spec, &weld);
    weld.follower = right;
    tml_spec_add_joint(spec, &weld);
    tml_model* m = build(spec);
    const tml_sim_settings s = joint_settings(TML_TIME_SEMI_IMPLICIT_EULER, true);
    tml_derivatives* d = driven_run(m, &s, 3, 0.0);
    const tml_parameter down = {TML_PARAMETER_GRAVITY, 0, 2, 0};
    const tml_quantity force = {TML_QUANTITY_CONTACT_FORCE, 0, 2, 3};
    const tml_quantity height = {TML_QUANTITY_POSITION, 0, 2, 3};
    const double one = 1.0;
    double slope = 0.0;
    CHECK(tml_derivatives_gradient(d, 1, &force, &one, 1, &down, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "step 3 has no derivatives of contact_force");
    CHECK(tml_derivatives_forward(d, 1, &down, &one, 1, &force, &slope) == TML_UNSUPPORTED);
    const tml_quantity load = {TML_QUANTITY_FORCE, 1, 2, 3};  // of a weld
    CHECK(tml_derivatives_gradient(d, 1, &load, &one, 1, &down, &slope) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "which take up how they share a push");
    CHECK(tml_derivatives_gradient(d, 1, &height, &one, 1, &down, &slope) == TML_OK);
    CHECK_NEAR(slope, 0.0, 1e-15);  // it stands
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Two balls on a hinge, kept in a plane, land on ground that gives way: nothing feels friction across the plane.
static tml_model* rod_in_a_plane(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    tml_pose pose = {{0.0, 0.0, 0.1005}, {cos(0.15), 0.0, sin(0.15), 0.0}};
    tml_shape_def ball = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    const tml_body root =
        add_moving(spec, "root", ball, pose, (tml_vec3){1.0, 0.0, -0.4}, v3_zero());
    pose.p = (tml_vec3){0.4, 0.0, 0.1003};
    const tml_body end = add_moving(spec, "end", ball, pose, (tml_vec3){1.0, 0.0, -0.4}, v3_zero());
    tml_joint_def plane = tml_joint_def_default();
    plane.kind = TML_JOINT_PLANAR;
    plane.base = TML_WORLD;
    plane.follower = root;
    plane.position = (tml_vec3){0.0, 0.0, 0.1005};
    plane.has_axes = 1;
    plane.axes[0] = (tml_vec3){1.0, 0.0, 0.0};
    plane.axes[1] = (tml_vec3){0.0, 0.0, 1.0};
    plane.axes[2] = (tml_vec3){0.0, -1.0, 0.0};
    plane.collide = 1;
    tml_spec_add_joint(spec, &plane);
    add_joint(spec, TML_JOINT_REVOLUTE, root, end, (tml_vec3){0.2, 0.0, 0.12},
              (tml_vec3){0.0, 1.0, 0.0});
    return build(spec);
}

TEST(friction_across_a_plane_is_left_out_of_compliant_contacts)
{
    tml_model* m = rod_in_a_plane();
    tml_sim_settings s = joint_settings(TML_TIME_SEMI_IMPLICIT_EULER, true);
    s.contact.stiffness = 1e4;
    s.tolerance = 1e-12;
    tml_derivatives* d = driven_run(m, &s, 6, 0.0);
    static everything e;
    memset(&e, 0, sizeof e);
    for (int b = 0; b < 2; b++) {
        want_parameters(&e, TML_PARAMETER_MASS, b, 1);
        want_parameters(&e, TML_PARAMETER_FRICTION, b, 1);
    }
    for (int b = 0; b < 2; b++) {
        for (int k = 0; k < 3; k += 2) {  // nothing moves across the plane
            e.quantities[e.quantity_count++] = (tml_quantity){TML_QUANTITY_POSITION, b, k, 6};
            e.quantities[e.quantity_count++] = (tml_quantity){TML_QUANTITY_VELOCITY, b, k, 6};
        }
    }
    // differences of 1e-4 of masses and coefficients, whose third derivatives are about one
    compare_touching(d, &e, 1e-4, 1e-6, false, "rod in a plane");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// ---- rows

// Hinges coupled by a quadratic law, one of them driven at the joint that closes a loop in space.
static tml_model* coupled(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    tml_joint joints[3];
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        const tml_vec3 at = {0.3 + 0.4 * i, 0.05 * i, 0.04 * i * i};
        const tml_body body = add_rod(spec, name, at, 0.6 + 0.1 * i);
        joints[i] = add_joint(spec, TML_JOINT_REVOLUTE, last, body,
                              (tml_vec3){at.x - 0.2, at.y, at.z}, (tml_vec3){0.1 * i, 1.0, 0.2});
        last = body;
    }
    tml_coupling_def law = tml_coupling_def_default();
    const tml_coupling_term terms[2] = {
        {.joint = joints[0], .axis = TML_AXIS_RX, .degree = 1, .coefficient = {1.0}},
        {.joint = joints[2], .axis = TML_AXIS_RX, .degree = 2, .coefficient = {-0.7, 0.4}}};
    law.terms = terms;
    law.term_count = 2;
    tml_spec_add_coupling(spec, &law);
    return build(spec);
}

// A crank that turns a rocker over a rod with a ball at one end and a universal joint at the other: a loop
// with one row for each motion it forbids.
static tml_spec* loop_in_space(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "crank", (tml_vec3){0.0, 0.0, 0.2}, 0.8);
    const tml_body b = add_rod(spec, "rod", (tml_vec3){0.5, 0.2, 0.5}, 1.1);
    const tml_body c = add_rod(spec, "rocker", (tml_vec3){1.1, 0.4, 0.35}, 0.6);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, a, (tml_vec3){0, 0, 0}, (tml_vec3){0, 1, 0});
    add_joint(spec, TML_JOINT_SPHERICAL, a, b, (tml_vec3){0, 0, 0.4}, (tml_vec3){0, 1, 0});
    add_joint(spec, TML_JOINT_UNIVERSAL, b, c, (tml_vec3){1, 0.4, 0.7}, (tml_vec3){0.2, 1, 0});
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, c, (tml_vec3){1.2, 0.4, 0},
              (tml_vec3){0.3, 1, 0.1});
    return spec;
}

static tml_model* spatial_loop(void) { return build(loop_in_space()); }

// The same on a rocker whose hinge gives way along and about two axes, and a coupling that does.
static tml_model* yielding_loop(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "crank", (tml_vec3){0.0, 0.0, 0.2}, 0.8);
    const tml_body b = add_rod(spec, "rod", (tml_vec3){0.5, 0.2, 0.5}, 1.1);
    const tml_body c = add_rod(spec, "rocker", (tml_vec3){1.1, 0.4, 0.35}, 0.6);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, a, (tml_vec3){0, 0, 0}, (tml_vec3){0, 1, 0});
    add_joint(spec, TML_JOINT_SPHERICAL, a, b, (tml_vec3){0, 0, 0.4}, (tml_vec3){0, 1, 0});
    add_joint(spec, TML_JOINT_UNIVERSAL, b, c, (tml_vec3){1, 0.4, 0.7}, (tml_vec3){0.2, 1, 0});
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_REVOLUTE;
    def.follower = c;
    def.position = (tml_vec3){1.2, 0.4, 0};
    def.axis = (tml_vec3){0.3, 1, 0.1};
    def.axis_of[TML_AXIS_TX].compliance = 1e-3;
    def.axis_of[TML_AXIS_TZ].compliance = 2e-3;
    def.axis_of[TML_AXIS_RY].compliance = 5e-2;
    tml_spec_add_joint(spec, &def);
    return build(spec);
}

// A pendulum that meets the limit of its hinge in the fourth step.
static tml_model* meeting_a_limit(void)
{
    tml_spec* spec = tml_spec_create();
    const tml_body a = add_rod(spec, "a", (tml_vec3){0.5, 0.0, 0.0}, 1.2);
    const tml_body b = add_rod(spec, "b", (tml_vec3){1.5, 0.1, 0.0}, 0.7);
    add_limited_hinge(spec, a, 0.02);
    add_joint(spec, TML_JOINT_UNIVERSAL, a, b, (tml_vec3){1, 0, 0}, (tml_vec3){0, 0, 1});
    return build(spec);
}

// Joints whose coordinates are columns, so stiff that h sqrt(k/m) is 3.
static tml_spec* stiff_chain(void)
{
    static const tml_joint_kind kinds[3] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_CYLINDRICAL};
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        tml_joint_def def = bent_link(spec, name, i, last);
        def.kind = kinds[i];
        for (int k = 0; k < TML_AXES; k++) {
            const char* free =
                k < 3 ? tml_joint_kind_slides(def.kind) : tml_joint_kind_turns(def.kind);
            if (strchr(free, "xyz"[k % 3]) == NULL) continue;
            def.axis_of[k].stiffness = 3000.0;
            def.axis_of[k].damping = 0.5;
            def.axis_of[k].rest = 0.02;
        }
        tml_spec_add_joint(spec, &def);
        last = def.follower;
    }
    return spec;
}

static tml_model* stiff_columns(void) { return build(stiff_chain()); }

// Bodies where drag holds back as much as inertia within a step, and Rayleigh damping twice as much.
static tml_model* soaked(tml_spec* spec, int bodies, double drag_size, double rate)
{
    for (int i = 0; i < bodies; i++) {
        tml_drag_def drag = tml_drag_def_default();
        drag.body = (tml_body){i};
        drag.linear = drag_size * (1.0 + i);
        drag.angular = 0.1 * drag_size;
        drag.wind = (tml_vec3){0.5, -0.3, 0.2};
        if (drag_size > 0.0) tml_spec_add_drag(spec, &drag);
    }
    tml_spec_set_rayleigh(spec, rate, 0.0);
    return build(spec);
}

static tml_model* dragged(void) { return soaked(stiff_chain(), 3, 50.0, 0.0); }
static tml_model* mass_damped(void) { return soaked(stiff_chain(), 3, 0.0, 200.0); }
static tml_model* dragged_loop(void) { return soaked(loop_in_space(), 3, 50.0, 200.0); }

static tml_model* dragged_ball(void)
{
    tml_spec* spec = tml_spec_create();
    add_ground(spec, 0.3, 0.0);
    const tml_pose pose = {{0.0, 0.0, 0.1021}, {1.0, 0.0, 0.0, 0.0}};
    tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0, 0), 0.3);
    add_moving(spec, "ball", shape, pose, (tml_vec3){2.0, 0.5, -0.4}, (tml_vec3){1.0, 2.0, 0.5});
    return soaked(spec, 1, 2.0, 5.0);
}

// A chain that whips, of links of 0.4 m: at 40 rad/s a step of carried velocities is made in four parts. With
// `has_loop` its end is held by a spherical joint, so that rows go through all of them; 15 rad/s make two.
static tml_model* whip(bool has_loop)
{
    static const tml_joint_kind kinds[4] = {TML_JOINT_REVOLUTE, TML_JOINT_UNIVERSAL,
                                            TML_JOINT_SPHERICAL, TML_JOINT_REVOLUTE};
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    for (int i = 0; i < 4; i++) {
        tml_body_def def = tml_body_def_default();
        const double inertia[6] = {0.004 + 0.001 * i, 0.02, 0.017, 0.001, -0.0005, 0.0008};
        memcpy(def.inertia, inertia, sizeof inertia);
        def.mass = 0.4 + 0.1 * i;
        def.pose.p = (tml_vec3){0.2 + 0.4 * i, 0.05 * i, 0.02 * i * i};
        def.com = (tml_vec3){0.01, -0.02, 0.015};
        def.velocity.angular = (tml_vec3){
            2.0 * i, has_loop ? (i % 2 == 0 ? 15.0 : -18.0) : (i % 2 == 0 ? 40.0 : -50.0), 3.0};
        const tml_body body = tml_spec_add_body(spec, &def);
        const tml_vec3 at = {0.4 * i, 0.05 * i - 0.02, 0.02 * i * i};
        add_joint(spec, kinds[i], last, body, at, (tml_vec3){0.1 * i, 1.0, 0.2});
        last = body;
    }
    if (has_loop) {
        add_joint(spec, TML_JOINT_SPHERICAL, last, TML_WORLD, (tml_vec3){1.6, 0.1, 0.2},
                  (tml_vec3){0, 1, 0});
    }
    return build(spec);
}

static tml_model* open_whip(void) { return whip(false); }

// Two of its three steps are made in two parts; small differences change none of that.
static void check_held_whip(method by, const char* what)
{
    tml_model* m = whip(true);
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, 3);
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    everything_by_design(m, &e);
    motions(m, &e, 3);
    loads_and_energies(m, &e, 3);
    check_by(d, 1e-3, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// A limit engages in the same step whatever the differences do: they are small.
static void check_meeting(method by, const char* what)
{
    tml_model* m = meeting_a_limit();
    const tml_sim_settings s = settings_for(by);
    tml_derivatives* d = remembered(m, &s, 7);
    double highest = 0.0;
    for (int k = 1; k <= 7; k++) {
        const tml_quantity angle = {TML_QUANTITY_COORDINATE, 0, TML_AXIS_RX, k};
        double value = 0.0;
        CHECK(tml_derivatives_values(d, 1, &angle, &value) == TML_OK);
        highest = fmax(highest, value);
    }
    CHECK_NEAR(highest, 0.02, 1e-9);  // it has met it
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    everything_by_design(m, &e);
    motions(m, &e, 7);
    loads_and_energies(m, &e, 7);
    // rounding of 1e-14 over differences of 1e-3 is 1e-11, of slopes of 1e-5
    check_by(d, 1e-3, &e, 1e-6, 1e-12, what);
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

// Without springs bdf1 is semi_implicit_euler: it need not be asked twice.
TEST(loops_drives_and_limits_have_their_derivatives)
{
    static const tml_integrator integrators[4] = {
        TML_TIME_SEMI_IMPLICIT_EULER, TML_TIME_FORWARD_EULER, TML_TIME_RK4, TML_TIME_PROJECTED};
    for (int i = 0; i < 4; i++) {
        const method by = joint_by(integrators[i]);
        const char* name = tml_integrator_name(integrators[i]);
        char what[64];
        snprintf(what, sizeof what, "%s, motors", name);
        // a drive that jumps by 3 cm within a step leaves stages of rk4 far from their rows
        check_controls_by(by, integrators[i] == TML_TIME_RK4 ? 3e-3 : 3e-2, what);
        snprintf(what, sizeof what, "%s, four-bar", name);
        check_physics(four_bar, by, 6, what);
        snprintf(what, sizeof what, "%s, redundant loads", name);
        check_loads(by, 5, what);
        snprintf(what, sizeof what, "%s, leaning", name);
        check_limit(by, 6, what);
        snprintf(what, sizeof what, "%s, coupled hinges", name);
        check_design(coupled, by, 5, what);
        snprintf(what, sizeof what, "%s, loop in space", name);
        check_design(spatial_loop, by, 5, what);
        snprintf(what, sizeof what, "%s, loop that gives way", name);
        check_design(yielding_loop, by, 5, what);
        snprintf(what, sizeof what, "%s, loop that gives way, bodies", name);
        check_physics(yielding_loop, by, 5, what);
        snprintf(what, sizeof what, "%s, meets a limit", name);
        check_meeting(by, what);
        snprintf(what, sizeof what, "%s, every joint", name);
        check_thinned(every_joint, by, 4, what);
    }
    check_broken(joint_by(TML_TIME_SEMI_IMPLICIT_EULER));
    check_broken(joint_by(TML_TIME_RK4));
    check_design(damped_arm, joint_by(TML_TIME_SEMI_IMPLICIT_EULER), 4,
                 "damped arm");  // [COOK Sec 4]
    check_design(damped_arm, joint_by(TML_TIME_RK4), 4, "damped arm, rk4");
    check_design(stiff_columns, joint_by(TML_TIME_BDF1), 4, "bdf1, stiff columns");
    check_physics(stiff_columns, joint_by(TML_TIME_BDF1), 4, "bdf1, stiff columns, bodies");
    check_limit(joint_by(TML_TIME_BDF1), 6, "bdf1, leaning");
    check_design(stiff_columns, joint_by(TML_TIME_PROJECTED), 4, "projected, stiff columns");
    check_physics(stiff_columns, joint_by(TML_TIME_PROJECTED), 4,
                  "projected, stiff columns, bodies");
    check_design(damped_arm, joint_by(TML_TIME_PROJECTED), 4, "projected, damped arm");
    check_design(open_whip, joint_by(TML_TIME_PROJECTED), 3, "projected, whip");
    check_physics(open_whip, joint_by(TML_TIME_PROJECTED), 3, "projected, whip, bodies");
    check_held_whip(joint_by(TML_TIME_PROJECTED), "projected, held whip");
}

// What is taken at the end of the step as inertia follows poses, rates and masses.   [COOK Sec 4 Sec 7]
TEST(drag_and_mass_damping_at_the_end_of_a_step_have_their_derivatives)
{
    const method by = joint_by(TML_TIME_BDF1);
    const method carried = joint_by(TML_TIME_PROJECTED);
    check_design(dragged_loop, carried, 4, "projected, both, loop in space");
    check_physics(dragged_loop, carried, 4, "projected, both, loop in space, bodies");
    check_touching(dragged_ball, carried, (kinks){0}, 5, "projected, both, ball slides");
    check_design(dragged, by, 4, "bdf1, drag");
    check_physics(dragged, by, 4, "bdf1, drag, bodies");
    check_design(mass_damped, by, 4, "bdf1, mass damping");
    check_physics(mass_damped, by, 4, "bdf1, mass damping, bodies");
    check_design(dragged_loop, by, 4, "bdf1, both, loop in space");
    check_physics(dragged_loop, by, 4, "bdf1, both, loop in space, bodies");
    check_touching(dragged_ball, by, (kinks){0}, 1, "bdf1, both, ball lands");
    check_touching(dragged_ball, by, (kinks){0}, 5, "bdf1, both, ball slides");
}

// Loads of the first state, where no step has been made.
TEST(loads_before_the_first_step_have_their_derivatives)
{
    tml_model* m = spatial_loop();
    const tml_sim_settings s = settings_for(joint_by(TML_TIME_RK4));
    tml_derivatives* d = remembered(m, &s, 1);
    static everything e;
    memset(&e, 0, sizeof e);
    bodies_by_physics(m, &e);
    everything_by_design(m, &e);
    loads_and_energies(m, &e, 0);
    check(d, &e, 1e-6, 1e-12, "loads at the start");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}
