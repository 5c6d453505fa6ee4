// test/scenario/damping.c - Rayleigh damping in every formulation, against closed forms.  [COOK Sec 4]
#include "test/check.h"
#include "test/scenario/run.h"

static const double by_mass = 0.3, by_stiffness = 0.01;
static const double mass = 2.0, stiffness = 50.0;

// A slider on a spring, pulled out by 0.1 m: the spring is the joint's own, or one between points.
static tml_spec* slider(int is_joint_spring)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    tml_joint_def rail = tml_joint_def_default();

    body.mass = mass;
    body.pose.p = (tml_vec3){1.1, 0.0, 0.0};
    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    tml_spec_set_rayleigh(spec, by_mass, by_stiffness);
    rail.kind = TML_JOINT_PRISMATIC;
    rail.base = TML_WORLD;
    rail.follower = tml_spec_add_body(spec, &body);
    rail.axis = (tml_vec3){1.0, 0.0, 0.0};
    if (is_joint_spring) {
        rail.axis_of[TML_AXIS_TX].stiffness = stiffness;
        rail.axis_of[TML_AXIS_TX].rest = -0.1;
    }
    tml_spec_add_joint(spec, &rail);
    if (!is_joint_spring) {
        const tml_point ends[2] = {{TML_WORLD, {0.0, 0.0, 0.0}}, {rail.follower, {0.0, 0.0, 0.0}}};
        tml_spring_def spring = tml_spring_def_default();
        spring.points = ends;
        spring.point_count = 2;
        spring.stiffness = stiffness;
        spring.rest_length = 1.0;
        tml_spec_add_spring(spec, &spring);
    }
    return spec;
}

// x'' + (alpha + beta w^2) x' + w^2 x = 0 from 0.1 at rest.
static double closed_form(double t)
{
    const double w2 = stiffness / mass;
    const double half = 0.5 * (by_mass + by_stiffness * w2);
    const double w = sqrt(w2 - half * half);
    return 1.0 + 0.1 * exp(-half * t) * (cos(w * t) + half / w * sin(w * t));
}

typedef struct method {
    tml_formulation formulation;
    tml_integrator integrator;
    int steps;
    double order;
} method;

static const method methods[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF2, 200, 2.0},
    {TML_FORM_QUATERNION, TML_TIME_BDF4, 200, 4.0},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 200, 2.0},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, 200, 2.0},
    {TML_FORM_AFFINE, TML_TIME_BDF1, 400, 1.0},
    {TML_FORM_AFFINE, TML_TIME_BDF2, 200, 2.0},
    {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, 800, 1.0},
    {TML_FORM_GENERALIZED, TML_TIME_RK4, 50, 4.0},
};

static tml_status start(run* r, tml_spec* spec, const method* m, int steps)
{
    const tml_status status = run_freeze(r, spec);
    r->settings.formulation = m->formulation;
    r->settings.integrator = m->integrator;
    r->settings.step = 1.0 / steps;
    r->settings.tolerance = 1e-12;
    return status == TML_OK ? run_start(r) : status;
}

static double slider_error(int is_joint_spring, const method* m, int steps)
{
    run r;
    CHECK(start(&r, slider(is_joint_spring), m, steps) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const double error = fabs(tml_sim_pose(r.sim, (tml_body){0}).p.x - closed_form(1.0));
    run_close(&r);
    return error;
}

TEST(a_slider_decays_as_rayleigh_says)
{
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            const method* m = &methods[i];
            const double coarse = slider_error(k, m, m->steps);
            const double fine = slider_error(k, m, 2 * m->steps);
            const double order = log2(coarse / fine);
            printf("%-12s %-20s %s error %.2e m, order %.2f\n",
                   tml_formulation_name(m->formulation), tml_integrator_name(m->integrator),
                   k == 0 ? "spring" : "joint ", fine, order);
            CHECK(order > m->order - 0.2 || fine < 1e-11);
            CHECK(fine < 2e-3);
        }
    }
}

static double spin_momentum(const run* r)
{
    const double moments[3] = {0.01, 0.02, 0.025};
    const quat q = tml_sim_pose(r->sim, (tml_body){0}).q;
    const vec3 w = q_rotate(q_conj(q), tml_sim_velocity(r->sim, (tml_body){0}).angular);
    return v3_norm((vec3){moments[0] * w.x, moments[1] * w.y, moments[2] * w.z});
}

// A body free in space: its momenta fall as exp(-alpha t), whatever its inertia.
TEST(momenta_of_a_free_body_fall_by_mass_damping_alone)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const method* m = &methods[i];
        tml_spec* spec = tml_spec_create();
        tml_body_def body = tml_body_def_default();
        run r;
        body.inertia[0] = 0.01;
        body.inertia[1] = 0.02;
        body.inertia[2] = 0.025;
        body.velocity.linear = (tml_vec3){1.0, 2.0, 0.5};
        body.velocity.angular = (tml_vec3){1.0, -2.0, 1.5};
        tml_spec_add_body(spec, &body);
        tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
        tml_spec_set_rayleigh(spec, by_mass, by_stiffness);
        CHECK(start(&r, spec, m, 2 * m->steps) == TML_OK);
        const double before = spin_momentum(&r);
        CHECK(run_steps(&r, 2 * m->steps) == TML_OK);
        const tml_velocity v = tml_sim_velocity(r.sim, (tml_body){0});
        const double fall = exp(-by_mass);
        // the error of the formula at these steps, as in the test above
        const double near = m->order > 1.5 ? 2e-4 : 4e-3;
        CHECK_NEAR(v.linear.y, 2.0 * fall, near);
        CHECK_NEAR(spin_momentum(&r) / before, fall, near);
        run_close(&r);
    }
}

TEST(negative_damping_is_refused)
{
    tml_spec* spec = tml_spec_create();
    tml_model* model = NULL;
    const tml_body_def body = tml_body_def_default();
    tml_spec_add_body(spec, &body);
    tml_spec_set_rayleigh(spec, -1.0, 0.0);
    CHECK(tml_spec_build(spec, &model) == TML_BAD_ARGUMENT);
    CHECK_CONTAINS(tml_spec_message(spec), "rayleigh");
    tml_spec_destroy(spec);
}

// A rod that spins in a ball joint whose damper is strong against its inertia: h d / I = 20, where an
// explicit damper would throw it. About its own axis the coordinates are that angle alone, so each
// step of generalized coordinates divides the spin by 1 + h d / I.
TEST(a_strong_damper_in_a_ball_joint_brakes_and_never_throws)
{
    const double inertia = 4e-6, damping = 0.08, h = 0.001, spin = 5.0;
    tml_spec* spec = tml_spec_create();
    tml_body_def rod = tml_body_def_default();
    tml_joint_def ball = tml_joint_def_default();
    run r;

    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    rod.mass = 0.15;
    rod.inertia[0] = inertia;
    rod.inertia[1] = rod.inertia[2] = 4e-3;
    rod.velocity.angular = (tml_vec3){spin, 0.0, 0.0};
    ball.kind = TML_JOINT_SPHERICAL;
    ball.base = TML_WORLD;
    ball.follower = tml_spec_add_body(spec, &rod);
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) ball.axis_of[k].damping = damping;
    tml_spec_add_joint(spec, &ball);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    r.settings.step = h;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_OK);
    double expected = spin;
    for (int k = 0; k < 5 && r.sim != NULL; k++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        expected /= 1.0 + h * damping / inertia;
        // a few roundings of the spin it had
        CHECK_NEAR(tml_sim_velocity(r.sim, ball.follower).angular.x, expected, 1e-14 * spin);
    }
    run_close(&r);
}

// The same rod tumbling about all axes: its energy never grows.
TEST(dampers_of_a_tumbling_ball_joint_take_energy_in_every_step)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def rod = tml_body_def_default();
    tml_joint_def ball = tml_joint_def_default();
    run r;

    tml_spec_set_gravity(spec, (tml_vec3){0.0, 0.0, 0.0});
    rod.mass = 0.15;
    rod.inertia[0] = 4e-6;
    rod.inertia[1] = rod.inertia[2] = 4e-3;
    rod.velocity.angular = (tml_vec3){3.0, 0.2, -0.1};
    ball.kind = TML_JOINT_SPHERICAL;
    ball.base = TML_WORLD;
    ball.follower = tml_spec_add_body(spec, &rod);
    for (int k = TML_AXIS_RX; k < TML_AXES; k++) ball.axis_of[k].damping = 0.01;
    tml_spec_add_joint(spec, &ball);
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.formulation = TML_FORM_GENERALIZED;
    r.settings.integrator = TML_TIME_SEMI_IMPLICIT_EULER;
    r.settings.step = 0.001;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_OK);
    double last = r.sim != NULL ? tml_sim_energy(r.sim).kinetic : 0.0;
    const double start = last;
    for (int k = 0; k < 2000 && r.sim != NULL; k++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        const double now = tml_sim_energy(r.sim).kinetic;
        CHECK(now <= last * (1.0 + 1e-12));  // roundings
        last = now;
    }
    CHECK(last < 0.1 * start);
    run_close(&r);
}
