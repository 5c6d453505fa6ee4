// test/scenario/soft_statics.c - where deformables come to rest: against dynamics and closed forms.
#include "test/scenario/soft.h"

static soft_box box;
static int held[SOFT_VERTICES];
static int ends[SOFT_VERTICES];
static tml_attachment attachments[SOFT_VERTICES];

// A body carries the vertices of the box in the plane at x.
static void carry(tml_deformable_def* def, double x, tml_body body)
{
    def->attachment_count = soft_at(&box, x, ends);
    for (int i = 0; i < def->attachment_count; i++) {
        attachments[i] = (tml_attachment){.vertex = ends[i], .body = body};
    }
    def->attachments = attachments;
}

// A bar clamped at x = 0, with a block that it carries when there is one, damped.
static tml_model* hanging(bool has_block, tml_material material)
{
    const int cells[3] = {4, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = soft_def(&box);
    def.young = 3e5;
    def.material = material;
    def.fixed = held;
    def.fixed_count = soft_at(&box, 0.0, held);
    if (has_block) {
        tml_body_def block = tml_body_def_default();
        block.mass = 5.0;
        for (int k = 0; k < 3; k++) block.inertia[k] = 0.05;
        block.pose.p = (tml_vec3){1.1, 0.1, 0.1};
        const tml_body a = tml_spec_add_body(spec, &block);
        tml_body_def rod = tml_body_def_default();
        rod.mass = 1.0;
        rod.pose.p = (tml_vec3){1.4, 0.1, 0.1};
        const tml_body b = tml_spec_add_body(spec, &rod);
        tml_joint_def pin = tml_joint_def_default();
        pin.kind = TML_JOINT_REVOLUTE;
        pin.base = a;
        pin.follower = b;
        pin.position = (tml_vec3){1.2, 0.1, 0.1};
        pin.axis = (tml_vec3){0.0, 1.0, 0.0};
        pin.axis_of[TML_AXIS_RX].damping = 2.0;
        tml_spec_add_joint(spec, &pin);
        carry(&def, 1.0, a);
    }
    tml_spec_add_deformable(spec, &def);
    tml_spec_set_rayleigh(spec, 3.0, 0.01);
    return soft_build(spec);
}

TEST(statics_finds_the_shape_that_a_damped_motion_settles_to)
{
    for (int k = 0; k < 4; k++) {
        tml_model* model =
            hanging(k % 2 == 1, k / 2 == 0 ? TML_MATERIAL_NEO_HOOKEAN : TML_MATERIAL_COROTATED);
        tml_sim_settings settings = tml_sim_settings_default();
        settings.integrator = TML_TIME_BDF1;
        settings.step = 0.05;
        tml_sim* moving = soft_sim(model, &settings);
        tml_sim* still = soft_sim(model, &settings);
        if (moving == NULL || still == NULL) return;
        const tml_statics_settings how = tml_statics_settings_default();
        tml_statics_report report;
        if (tml_sim_settle(still, &how, &report) != TML_OK) {
            printf("%s\n", tml_sim_message(still));
            CHECK(false);
        }
        CHECK(report.imbalance < 1e-9);
        CHECK(report.stability == TML_STABLE);
        soft_run(moving, 1500);
        double worst = 0.0;
        for (int v = 0; v < box.vertex_count; v++) {
            const double off =
                soft_distance(tml_sim_vertex(moving, 0, v), tml_sim_vertex(still, 0, v));
            if (off > worst) worst = off;
        }
        printf("%s%s: sags by %.4f m in %d iterations; the settled motion differs by %.1e m\n",
               k / 2 == 0 ? "neo-Hookean" : "co-rotated", k % 2 == 1 ? " with a block" : "",
               report.moved, report.iterations, worst);
        CHECK(report.moved > 0.05);
        CHECK(worst < 1e-8);  // what is left of the motion after 75 s
        // at rest, and stays there
        soft_run(still, 10);
        CHECK(tml_sim_energy(still).kinetic < 1e-16);
        tml_sim_destroy(moving);
        tml_sim_destroy(still);
        tml_model_destroy(model);
    }
}

// One corner above its fixed face shears softest: 4 mu / (density b^2).
TEST(the_softest_mode_is_the_closed_form)
{
    static const tml_vec3 vertices[] = {
        {0.0, 0.0, 0.0}, {0.3, 0.0, 0.0}, {0.0, 0.2, 0.0}, {0.0, 0.0, 0.5}};
    static const int corners[] = {0, 1, 2, 3};
    tml_spec* spec = tml_spec_create();
    tml_deformable_def def = tml_deformable_def_default();
    def.vertex_count = 4;
    def.vertices = vertices;
    def.tetrahedron_count = 1;
    def.tetrahedra = corners;
    def.fixed_count = 3;
    def.fixed = corners;
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_spec_add_deformable(spec, &def);
    tml_model* model = soft_build(spec);
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = soft_sim(model, &settings);
    const tml_statics_settings how = tml_statics_settings_default();
    tml_statics_report report;
    CHECK(tml_sim_settle(sim, &how, &report) == TML_OK);
    const double mu = def.young / (2.0 * (1.0 + def.poisson));
    const double exact = 4.0 * mu / (def.density * 0.25);
    CHECK_NEAR(report.softest, exact, 1e-10 * exact);  // inverse iteration stops at 1e-13
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

// ---- a floating deformable, and one that nothing holds up

TEST(what_floats_is_neutral_and_what_falls_has_no_equilibrium)
{
    for (int k = 0; k < 2; k++) {
        const int cells[3] = {1, 1, 1};
        soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 1.0, 1.0});
        tml_spec* spec = tml_spec_create();
        tml_deformable_def def = soft_def(&box);
        tml_spec_add_deformable(spec, &def);
        if (k == 0) tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
        tml_model* model = soft_build(spec);
        const tml_sim_settings settings = tml_sim_settings_default();
        tml_sim* sim = soft_sim(model, &settings);
        const tml_statics_settings how = tml_statics_settings_default();
        tml_statics_report report;
        const tml_status status = tml_sim_settle(sim, &how, &report);
        CHECK(status == (k == 0 ? TML_OK : TML_NOT_CONVERGED));
        if (k == 0) CHECK(report.stability == TML_NEUTRAL);
        if (k == 1) {
            CHECK(soft_distance(tml_sim_vertex(sim, 0, 5), box.vertices[5]) == 0.0);
            CHECK(strlen(tml_sim_message(sim)) > 0);
        }
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// ---- torsion

// The turn of a cross-section about the bar's axis, from its corner vertices.
static double turn_at(const tml_sim* sim, double x, double middle)
{
    double turn = 0.0;
    int count = 0;
    for (int v = 0; v < box.vertex_count; v++) {
        const tml_vec3 from = box.vertices[v];
        const bool is_edge = fabs(fabs(from.y - middle) - middle) < 1e-12 &&
                             fabs(fabs(from.z - middle) - middle) < 1e-12;
        if (fabs(from.x - x) > 1e-12 || !is_edge) continue;
        const tml_vec3 to = tml_sim_vertex(sim, 0, v);
        turn += atan2(to.z - middle, to.y - middle) - atan2(from.z - middle, from.y - middle);
        count++;
    }
    return turn / count;
}

// A square bar of side a under a torque T twists by T / (0.140577 G a^4) a metre (Saint-Venant).
// ---- stability with bodies

// A body on a slide along x at the end of a soft bar of next to no mass, E A / L stiff, and pushed together sideways
// by a spring, L0 - d too long, which is F / d less stiff along x.
static tml_model* pressed(double push)
{
    const int cells[3] = {3, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){1.0, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_body_def block = tml_body_def_default();
    block.mass = 5.0;
    for (int k = 0; k < 3; k++) block.inertia[k] = 0.05;
    block.pose.p = (tml_vec3){1.1, 0.1, 0.1};
    const tml_body body = tml_spec_add_body(spec, &block);
    tml_joint_def slide = tml_joint_def_default();
    slide.kind = TML_JOINT_PRISMATIC;
    slide.follower = body;
    slide.axis = (tml_vec3){1.0, 0.0, 0.0};
    tml_spec_add_joint(spec, &slide);
    const tml_point points[2] = {{TML_WORLD, {1.1, -0.4, 0.1}}, {body, {0.0, 0.0, 0.0}}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = points;
    spring.stiffness = 1000.0;
    spring.rest_length = 0.5 + push / 1000.0;
    tml_spec_add_spring(spec, &spring);
    tml_deformable_def def = soft_def(&box);
    def.young = 1e4;
    def.poisson = 0.0;
    def.density = 1e-3;
    def.material = TML_MATERIAL_NEO_HOOKEAN;
    def.fixed = held;
    def.fixed_count = soft_at(&box, 0.0, held);
    carry(&def, 1.0, body);
    tml_spec_add_deformable(spec, &def);
    return soft_build(spec);
}

// By the default settings; NULL, and a failed check, where it cannot.
static tml_sim* settled(tml_model* model, tml_statics_report* report)
{
    const tml_sim_settings settings = tml_sim_settings_default();
    const tml_statics_settings how = tml_statics_settings_default();
    tml_sim* sim = soft_sim(model, &settings);
    const bool is_settled = sim != NULL && tml_sim_settle(sim, &how, report) == TML_OK;

    CHECK(is_settled);
    if (is_settled) return sim;
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    return NULL;
}

TEST(with_bodies_stability_and_the_softest_mode_are_the_closed_form)
{
    const double stiffness = 1e4 * 0.04;  // N/m
    static const double pushes[4] = {0.0, 100.0, 190.0, 210.0};
    for (int i = 0; i < 4; i++) {
        tml_model* model = pressed(pushes[i]);
        tml_statics_report report;
        tml_sim* sim = settled(model, &report);
        if (sim == NULL) return;
        const double expected = (stiffness - pushes[i] / 0.5) / 5.0;
        printf("pushed by %.0f N: %s, softest %.5f of %.5f / s^2, %d freedoms\n", pushes[i],
               tml_stability_name(report.stability), report.softest, expected, report.freedoms);
        CHECK(report.stability == (expected > 0.0 ? TML_STABLE : TML_UNSTABLE));
        CHECK(report.freedoms == 3 * 8 + 1);  // eight free vertices, one slide
        CHECK(report.moved < 1e-9);           // balanced as it is
        // halving ends at 1e-4 of it; the bar weighs 4e-5 kg of 5
        if (expected > 0.0) CHECK_NEAR(report.softest, expected, 2e-4 * stiffness / 5.0);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// A rod of 1 kg that hangs on a joint at the origin, with a stiff cube of 1 kg and side 0.1 m around its lower end.
static tml_model* pendulum(tml_joint_kind kind, double compliance, double young)
{
    const int cells[3] = {1, 1, 1};
    soft_fill(&box, cells, (tml_vec3){-0.05, -0.05, -1.05}, (tml_vec3){0.1, 0.1, 0.1});
    tml_spec* spec = tml_spec_create();
    tml_body_def rod = tml_body_def_default();
    rod.mass = 1.0;
    rod.inertia[0] = rod.inertia[1] = 0.083;
    rod.inertia[2] = 0.01;
    rod.pose.p = (tml_vec3){0.0, 0.0, -0.5};
    const tml_body body = tml_spec_add_body(spec, &rod);
    tml_joint_def pin = tml_joint_def_default();
    pin.kind = kind;
    pin.follower = body;
    if (kind == TML_JOINT_REVOLUTE) pin.axis = (tml_vec3){0.0, 1.0, 0.0};
    for (int k = 0; k < TML_AXES; k++) {
        const bool is_free = k >= TML_AXIS_RX && (kind == TML_JOINT_SPHERICAL || k == TML_AXIS_RX);
        if (!is_free) pin.axis_of[k].compliance = compliance;
    }
    tml_spec_add_joint(spec, &pin);
    tml_deformable_def def = soft_def(&box);
    def.young = young;
    def.density = 1000.0;
    carry(&def, -0.05, body);
    tml_spec_add_deformable(spec, &def);
    return soft_build(spec);
}

// The pivot gives way by u, the rod turns by a: 2 kg with 0.75 m from the pivot to their centre, and the
// cube's mass in its corners, 0.005 m^2 about its own centre.
TEST(a_pendulum_on_a_hinge_that_gives_way_is_stable_as_its_closed_form_says)
{
    static const double compliances[4] = {1e-3, 1e-6, 1e-12, 0.0};
    const double inertia = 0.083 + 0.25 + 1.0 + 0.005;
    for (int i = 0; i < 4; i++) {
        tml_model* model = pendulum(TML_JOINT_REVOLUTE, compliances[i], 1e8);
        tml_statics_report report;
        tml_sim* sim = settled(model, &report);
        if (sim == NULL) return;
        // (1 - 2 e x) (1.5 g - I x) = e (1.5 x)^2 with e the compliance: the smaller root
        const double e = compliances[i];
        const double moment = 1.5 * 9.81;
        const double half = 0.5 * (inertia + 2.0 * e * moment);
        const double expected =
            moment / (half + sqrt(half * half - e * (2.0 * inertia - 2.25) * moment));
        printf("compliance %g: %s, softest %.5f of %.5f / s^2\n", e,
               tml_stability_name(report.stability), report.softest, expected);
        CHECK(report.stability == TML_STABLE);
        CHECK(report.freedoms == 3 * 4 + (e > 0.0 ? 6 : 1));
        // halving ends at 1e-4 of it; the cube gives way by 1e-5 of its size
        CHECK_NEAR(report.softest, expected, 2e-4 * expected);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

// On a ball joint it may spin about the vertical: nothing stops that, but it ends.
TEST(a_pendulum_that_may_spin_about_itself_is_neutral)
{
    static const double youngs[3] = {1e5, 1e6, 1e8};
    for (int i = 0; i < 3; i++) {
        tml_model* model = pendulum(TML_JOINT_SPHERICAL, 0.0, youngs[i]);
        tml_statics_report report;
        tml_sim* sim = settled(model, &report);
        if (sim == NULL) return;
        printf("Young's modulus %g: %s after %d iterations, %.1e m/s^2 left, moved %.1e m\n",
               youngs[i], tml_stability_name(report.stability), report.iterations, report.imbalance,
               report.moved);
        CHECK(report.stability == TML_NEUTRAL && report.freedoms == 3 * 4 + 3);
        CHECK(report.imbalance <= 1e-9 * 10.81);  // what statics takes for rounding
        // the cube sags sideways by some thousandths of its size at most, and its rod hangs as askew
        CHECK(report.moved < 0.01);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
}

TEST(a_body_that_floats_with_its_deformable_is_neutral)
{
    const int cells[3] = {1, 1, 1};
    soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){0.2, 0.2, 0.2});
    tml_spec* spec = tml_spec_create();
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_body_def block = tml_body_def_default();
    block.pose.p = (tml_vec3){0.3, 0.1, 0.1};
    const tml_body body = tml_spec_add_body(spec, &block);
    tml_deformable_def def = soft_def(&box);
    carry(&def, 0.2, body);
    tml_spec_add_deformable(spec, &def);
    tml_model* model = soft_build(spec);
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = soft_sim(model, &settings);
    const tml_statics_settings how = tml_statics_settings_default();
    tml_statics_report report;
    CHECK(sim != NULL && tml_sim_settle(sim, &how, &report) == TML_OK);
    CHECK(report.stability == TML_NEUTRAL && report.freedoms == 3 * 4 + 6);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}

TEST(a_square_bar_twists_as_saint_venant_says)
{
    const double a = 0.1;
    const double torque = 0.05;
    double error[3] = {0.0, 0.0, 0.0};
    const bool is_long = getenv("TRAMMEL_TEST_LONG") != NULL;  // the third mesh takes seconds
    for (int r = 0; r < (is_long ? 3 : 2); r++) {
        const int n = 2 << r;
        const int cells[3] = {4 * n, n, n};
        soft_fill(&box, cells, (tml_vec3){0.0, 0.0, 0.0}, (tml_vec3){4.0 * a, a, a});
        tml_spec* spec = tml_spec_create();
        tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
        tml_body_def plate = tml_body_def_default();
        plate.pose.p = (tml_vec3){4.0 * a, 0.5 * a, 0.5 * a};
        const tml_body body = tml_spec_add_body(spec, &plate);
        tml_joint_def axle = tml_joint_def_default();
        axle.kind = TML_JOINT_CYLINDRICAL;
        axle.base = TML_WORLD;
        axle.follower = body;
        axle.position = plate.pose.p;
        axle.axis = (tml_vec3){1.0, 0.0, 0.0};
        tml_spec_add_joint(spec, &axle);
        tml_wrench_def twist = tml_wrench_def_default();
        twist.body = body;
        twist.torque[0] = (tml_control){.kind = TML_CONTROL_CONSTANT, .value = torque};
        tml_spec_add_wrench(spec, &twist);
        tml_deformable_def def = soft_def(&box);
        def.material = TML_MATERIAL_LINEAR;
        def.fixed = held;
        def.fixed_count = soft_at(&box, 0.0, held);
        carry(&def, 4.0 * a, body);
        tml_spec_add_deformable(spec, &def);
        tml_model* model = soft_build(spec);
        const tml_sim_settings settings = tml_sim_settings_default();
        tml_sim* sim = soft_sim(model, &settings);
        const tml_statics_settings how = tml_statics_settings_default();
        tml_statics_report report;
        if (sim == NULL || tml_sim_settle(sim, &how, &report) != TML_OK) {
            printf("%s\n", tml_sim_message(sim));
            CHECK(false);
            return;
        }
        const double seen = (turn_at(sim, 3.0 * a, 0.5 * a) - turn_at(sim, a, 0.5 * a)) / (2.0 * a);
        const double shear = def.young / (2.0 * (1.0 + def.poisson));
        const double exact = torque / (0.140577 * shear * a * a * a * a);
        error[r] = 1.0 - seen / exact;
        printf("%d cells across: twists by %.5f rad/m of %.5f, %.1f %% too stiff\n", n, seen, exact,
               100.0 * error[r]);
        tml_sim_destroy(sim);
        tml_model_destroy(model);
    }
    // tetrahedra of constant strain approach from the stiff side, their error with the square of the size
    // once the section has a few of them
    CHECK(error[0] / error[1] > 2.0 && error[1] > 0.0);
    if (is_long) CHECK(error[1] / error[2] > 3.0 && error[2] > 0.0 && error[2] < 0.1);
}
