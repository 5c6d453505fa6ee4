// Derivatives of runs by the affine formulation: against differences, forwards against backwards.
//                                                                          [MABD Sec 3] [notes 9]
#include "test/diff/mechanisms.h"
#include "test/diff/touching.h"

static const tml_integrator integrators[4] = {TML_TIME_ENERGY, TML_TIME_ENERGY_DAMPED,
                                              TML_TIME_BDF1, TML_TIME_BDF2};

static method affine(int k)
{
    return (method){TML_FORM_AFFINE, integrators[k], TML_START_ACCURATE};
}

static const char* name_of(int k, const char* what)
{
    static char text[128];
    snprintf(text, sizeof text, "%s, affine %s", what, tml_integrator_name(integrators[k]));
    return text;
}

TEST(affine_steps_follow_the_physics_of_a_double_pendulum)
{
    for (int k = 0; k < 4; k++) {
        check_physics(double_pendulum, affine(k), 1, name_of(k, "1 step"));
        check_physics(double_pendulum, affine(k), 8, name_of(k, "pendulum"));
    }
}

// A link that turns by 3 rad in a step of 0.1 s. Newton is not given the iterations that takes, so
// halves are taken, and told part by part. The two steps of bdf2 converge all the same.
static tml_model* fast_link(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.name = "link";
    def.mass = 1.2;
    def.inertia[0] = 0.02;
    def.inertia[1] = 0.05;
    def.inertia[2] = 0.06;
    def.inertia[3] = 0.003;
    def.pose.p = (tml_vec3){0.1, 0.0, 0.0};
    def.velocity.angular = (tml_vec3){0.0, 30.0, 0.0};
    const tml_body body = tml_spec_add_body(spec, &def);
    add_joint(spec, TML_JOINT_REVOLUTE, TML_WORLD, body, (tml_vec3){0, 0, 0}, (tml_vec3){0, 1, 0});
    return build(spec);
}

TEST(halved_affine_steps_follow_the_physics)
{
    for (int k = 0; k < 3; k++) {
        tml_model* m = fast_link();
        tml_sim_settings s = settings_for(affine(k));
        s.step = 0.1;
        s.max_iterations = 3;  // more would do: what does not converge is halved
        tml_derivatives* d = remembered(m, &s, 2);
        CHECK(tml_sim_get_report(tml_derivatives_sim(d)).substeps > 0);
        everything e = {0};
        bodies_by_physics(m, &e);
        motions(m, &e, 2);
        check(d, &e, 1e-6, 1e-12, name_of(k, "halved"));
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

TEST(affine_steps_follow_the_physics_of_a_redundant_loop)
{
    for (int k = 0; k < 4; k++) check_physics(four_bar, affine(k), 8, name_of(k, "four-bar"));
}

TEST(designs_that_break_a_loop_have_no_slopes_in_affine_steps)
{
    for (int k = 0; k < 4; k++) check_broken(affine(k));
}

TEST(designs_change_affine_motions_loads_and_energies)
{
    for (int k = 0; k < 4; k++) {
        check_design(double_pendulum, affine(k), 1, name_of(k, "design, 1 step"));
        check_design(double_pendulum, affine(k), 6, name_of(k, "design"));
    }
}

TEST(rayleigh_damping_and_muscles_act_on_affine_steps)  // [COOK Sec 4]
{
    for (int k = 0; k < 4; k++) check_design(damped_arm, affine(k), 4, name_of(k, "damped arm"));
}

TEST(designs_change_affine_steps_of_every_joint)
{
    for (int k = 0; k < 4; k++) check_thinned(every_joint, affine(k), 3, name_of(k, "every joint"));
}

TEST(least_norm_loads_of_affine_steps_follow_the_physics)
{
    check_loads(affine(0), 0, name_of(0, "least-norm loads, at rest"));
    for (int k = 0; k < 4; k++) check_loads(affine(k), 6, name_of(k, "least-norm loads"));
}

TEST(limits_push_affine_steps)
{
    for (int k = 0; k < 4; k++) check_limit(affine(k), 6, name_of(k, "limit"));
}

// The upper link swings into its limit within the first step; the lower one goes on. A third one and a slot close a loop.
static tml_model* swing(bool has_loop)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.name = "a";
    def.mass = 1.2;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 0.05;
    def.inertia[3] = 0.004;
    def.pose.p = (tml_vec3){0.5, 0.0, 0.0};
    def.velocity.linear = (tml_vec3){0.0, 0.0, -6.0};
    def.velocity.angular = (tml_vec3){0.0, 12.0, 0.0};
    const tml_body a = tml_spec_add_body(spec, &def);
    const tml_body b = add_rod(spec, "b", (tml_vec3){1.2, 0.1, 0.3}, 0.7);
    add_limited_hinge(spec, a, 0.04);
    add_joint(spec, TML_JOINT_SPHERICAL, a, b, (tml_vec3){1, 0, 0}, (tml_vec3){0, 0, 1});
    if (has_loop) {
        const tml_body c = add_rod(spec, "c", (tml_vec3){1.6, 0.3, 0.9}, 0.5);
        const tml_vec3 slot = {0.2, 0.1, 1.0};
        add_joint(spec, TML_JOINT_SPHERICAL, b, c, (tml_vec3){1.4, 0.2, 0.6}, slot);
        add_joint(spec, TML_JOINT_SLOT, TML_WORLD, c, (tml_vec3){1.8, 0.3, 1.2}, slot);
    }
    return build(spec);
}

static tml_model* open_swing(void) { return swing(false); }
static tml_model* closed_swing(void) { return swing(true); }
static tml_model* landing_pair_at_its_limit(void) { return pair_within(0.102, 0.02); }

// The coordinate that is held does not move, and has nothing to be compared. A ball that lands has kinks:
// where its centre of mass moves (kinks, has_balance), and where it is lifted enough to miss the ground.
static void leave_out(everything* e, bool has_landed)
{
    int kept = 0;
    for (int i = 0; i < e->parameter_count; i++) {
        const tml_parameter p = e->parameters[i];
        const bool is_lift = p.kind == TML_PARAMETER_POSE && p.index == 0 && p.component == 2;
        const bool is_kinked = p.kind == TML_PARAMETER_COM || is_lift;
        if (!has_landed || !is_kinked) e->parameters[kept++] = p;
    }
    e->parameter_count = kept;
    kept = 0;
    for (int i = 0; i < e->quantity_count; i++) {
        const tml_quantity q = e->quantities[i];
        const bool is_axis = q.kind == TML_QUANTITY_COORDINATE || q.kind == TML_QUANTITY_RATE;
        if (!is_axis || q.index != 0) e->quantities[kept++] = q;
    }
    e->quantity_count = kept;
}

// `by`: a pose turns a link by that over its length, and it must start within its limit and still meet it.
// The ball has 2 mm to fall. Forces, and velocities of loops, are good to rounding over h^2 and h, which
// differences divide by `by`: hence 5e-6 where that is small beside them.
static void check_engaged(builder make, int k, bool has_contact, double by, double error,
                          const char* what)
{
    const bool has_landed = by < 1e-3;
    for (int steps = 1; steps <= 3; steps += 2) {
        tml_model* m = make();
        tml_sim_settings s = settings_for(affine(k));
        s.contact.is_on = has_contact;
        s.tolerance = 1e-15;  // so that differences see no noise
        tml_derivatives* d = remembered(m, &s, steps);
        CHECK(tml_sim_get_report(tml_derivatives_sim(d)).restarts >= (steps > 1));
        static everything e;
        memset(&e, 0, sizeof e);
        bodies_by_physics(m, &e);
        everything_by_design(m, &e);
        motions(m, &e, steps);
        loads_and_energies(m, &e, steps);
        leave_out(&e, has_landed);
        check_by(d, by, &e, error, 1e-12, name_of(k, what));
        tml_derivatives_destroy(d);
        tml_model_destroy(m);
    }
}

// A run projects velocities where a limit has changed, with and without contact or a loop.
TEST(limits_that_engage_beside_contact_or_a_loop_project_slopes_too)
{
    for (int k = 0; k < 4; k++) {
        check_engaged(open_swing, k, false, 5e-3, 1e-6, "meets a limit");
        check_engaged(open_swing, k, true, 5e-3, 1e-6, "meets a limit, contact on");
        check_engaged(closed_swing, k, false, 5e-3, 5e-6, "meets a limit, loop");
    }
}

TEST(limits_that_engage_as_bodies_touch_project_slopes_too)
{
    for (int k = 0; k < 4; k++) {
        check_engaged(landing_pair_at_its_limit, k, true, 3e-4, 5e-6, "lands at its limit");
    }
}

TEST(controls_of_affine_steps_are_parameters)
{
    for (int k = 0; k < 4; k++) check_controls(affine(k), name_of(k, "controls"));
}

TEST(bodies_of_finite_stiffness_are_refused_by_name)
{
    tml_model* m = double_pendulum();
    tml_sim_settings s = settings_for(affine(0));
    tml_derivatives* d = NULL;
    s.affine.young = 1e7;
    CHECK(tml_derivatives_create(m, &s, 0, &d) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "finite stiffness");
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}
