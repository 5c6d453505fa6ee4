// test/scenario/variational.c - what least action promises: order, momentum, energy, closed joints.
//                                                                         [VMAX Sec 3, Fig 4 Fig 6]
#include "test/check.h"
#include "test/scenario/floating.h"
#include "test/scenario/run.h"

#include <stdbool.h>

static tml_status begin(run* r, const char* name, tml_integrator integrator, double step)
{
    const tml_status status = run_open(r, name);
    if (status != TML_OK) return status;
    r->settings.formulation = TML_FORM_VARIATIONAL;
    r->settings.integrator = integrator;
    r->settings.step = step;
    return run_start(r);
}

// ---- order

// Everything a state says, at the end of a run.
typedef struct ending {
    double pose[64 * 7], velocity[64 * 6], load[64 * 6];
    int bodies, joints;
} ending;

static void look(const run* r, ending* out)
{
    out->bodies = tml_model_body_count(r->model);
    out->joints = tml_model_joint_count(r->model);
    for (int i = 0; i < out->bodies; i++) {
        const tml_pose pose = tml_sim_pose(r->sim, (tml_body){i});
        const tml_velocity velocity = tml_sim_velocity(r->sim, (tml_body){i});
        const double sign = pose.q.w < 0.0 ? -1.0 : 1.0;  // q and -q are one pose
        const double p[7] = {pose.p.x,        pose.p.y,        pose.p.z,       sign * pose.q.w,
                             sign * pose.q.x, sign * pose.q.y, sign * pose.q.z};
        memcpy(&out->pose[7 * i], p, sizeof p);
        v3_store(&out->velocity[6 * i], velocity.linear);
        v3_store(&out->velocity[6 * i + 3], velocity.angular);
    }
    for (int i = 0; i < out->joints; i++) {
        const tml_load load = tml_sim_joint_load(r->sim, (tml_joint){i});
        v3_store(&out->load[6 * i], load.force);
        v3_store(&out->load[6 * i + 3], load.moment);
    }
}

static double farthest(const double* a, const double* b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) most = larger_of(fabs(a[i] - b[i]), most);
    return most;
}

typedef struct errors {
    double pose, velocity, load;
} errors;

static errors distance(const ending* a, const ending* b)
{
    return (errors){farthest(a->pose, b->pose, 7 * a->bodies),
                    farthest(a->velocity, b->velocity, 6 * a->bodies),
                    farthest(a->load, b->load, 6 * a->joints)};
}

static bool run_to(const char* name, tml_integrator integrator, double time, int steps, ending* out)
{
    run r;
    bool is_good = begin(&r, name, integrator, time / steps) == TML_OK;
    r.settings.tolerance = 1e-12;
    is_good = is_good && run_start(&r) == TML_OK && run_steps(&r, steps) == TML_OK;
    CHECK(is_good);
    if (is_good) look(&r, out);
    run_close(&r);
    return is_good;
}

typedef struct order_case {
    const char* scene;
    tml_integrator integrator;
    double time;
    int steps, order;
} order_case;

// Springs, dampers, servos, position and force actuation, couplings, compliant rows, loops: the
// scenes between them have all of it.
static const order_case order_cases[] = {
    {"double-pendulum", TML_TIME_VARIATIONAL, 0.5, 100, 2},
    {"t-handle", TML_TIME_VARIATIONAL, 0.2, 200, 2},
    {"universal-pendulum", TML_TIME_VARIATIONAL, 0.5, 100, 2},
    {"flyball-governor", TML_TIME_VARIATIONAL, 0.2, 100, 2},
    {"four-bar", TML_TIME_VARIATIONAL, 0.2, 50, 2},
    {"showcase", TML_TIME_VARIATIONAL, 0.2, 100, 2},
    {"spring-net", TML_TIME_VARIATIONAL, 0.2, 60, 2},
    {"gears", TML_TIME_VARIATIONAL, 0.4, 60, 2},
    {"double-pendulum", TML_TIME_VARIATIONAL4, 0.5, 25, 4},
    {"t-handle", TML_TIME_VARIATIONAL4, 0.2, 50, 4},
    {"four-bar", TML_TIME_VARIATIONAL4, 0.2, 10, 4},
    {"spring-net", TML_TIME_VARIATIONAL4, 0.2, 30, 4},
    {"double-pendulum", TML_TIME_HEUN, 0.5, 200, 2},
    {"t-handle", TML_TIME_HEUN, 0.2, 400, 2},
};

// Against the fourth-order member at half of the finest step.
TEST(positions_velocities_and_loads_converge_at_the_order_of_the_method)
{
    for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; i++) {
        const order_case* c = &order_cases[i];
        ending exact, coarse, fine;
        if (!run_to(c->scene, TML_TIME_VARIATIONAL4, c->time, 4 * c->steps, &exact)) continue;
        if (!run_to(c->scene, c->integrator, c->time, c->steps, &coarse)) continue;
        if (!run_to(c->scene, c->integrator, c->time, 2 * c->steps, &fine)) continue;
        const errors a = distance(&coarse, &exact);
        const errors b = distance(&fine, &exact);
        const double pose = log2(a.pose / b.pose);
        const double velocity = log2(a.velocity / b.velocity);
        const double load = a.load > 0.0 ? log2(a.load / b.load) : 0.0;
        printf("%-20s %-12s order %.2f in poses, %.2f in velocities, %.2f in loads; error %.1e\n",
               c->scene, tml_integrator_name(c->integrator), pose, velocity, load, b.pose);
        // half an order either way is the next term of the error
        CHECK(pose > c->order - 0.3 && pose < c->order + 0.8);
        CHECK(velocity > c->order - 0.3 && velocity < c->order + 0.8);
        if (c->integrator != TML_TIME_HEUN && a.load > 0.0) CHECK(load > c->order - 0.4);
    }
}

// ---- the equations of the paper

// Impulses, over the two halves of the steps that meet at the middle of three poses, that something
// beside inertia and weight must have given a body.
typedef struct impulse {
    vec3 force, torque;
} impulse;

static impulse impulse_at_middle(const run* r, tml_body body, const tml_pose pose[3])
{
    const tml_body_def* def = tml_model_body(r->model, body);
    const double h = r->settings.step;
    const double* I = def->inertia;
    const mat3 J = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    vec3 spin[2];
    for (int k = 0; k < 2; k++) {
        const vec3 w = v3_scale(2.0 / h, q_vec(q_mul(q_conj(pose[k].q), pose[k + 1].q)));
        const vec3 Jw = m3_apply(J, w);
        const double root = sqrt(4.0 / (h * h) - v3_dot(w, w));
        const vec3 gyro = v3_scale(k == 0 ? -1.0 : 1.0, v3_cross(w, Jw));
        spin[k] = q_rotate(pose[1].q, v3_scale(0.5 * h, v3_axpy(gyro, root, Jw)));
    }
    const vec3 jump = v3_sub(v3_add(pose[2].p, pose[0].p), v3_scale(2.0, pose[1].p));
    const vec3 weight = v3_scale(-h * def->mass, tml_model_gravity(r->model));
    return (impulse){v3_axpy(weight, def->mass / h, jump), v3_sub(spin[1], spin[0])};
}

// Three poses in a row of a double pendulum in the plane satisfy the discrete Euler-Lagrange
// equations: forces at the two pins explain the impulses of both rods, and their turning.
TEST(three_poses_in_a_row_satisfy_the_papers_equations)  // [VMAX (26)-(28) (30) (31) (33)]
{
    run r;
    tml_pose pose[2][3];
    CHECK(begin(&r, "double-pendulum", TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    r.settings.tolerance = 1e-13;
    CHECK(run_start(&r) == TML_OK);
    double worst = 0.0;
    for (int step = 0; step < 100; step++) {
        for (int b = 0; b < 2; b++) {
            pose[b][0] = pose[b][1];
            pose[b][1] = pose[b][2];
            pose[b][2] = tml_sim_pose(r.sim, (tml_body){b});
        }
        CHECK(run_step(&r) == TML_OK);
        if (step < 2) continue;
        const impulse upper = impulse_at_middle(&r, (tml_body){0}, pose[0]);
        const impulse lower = impulse_at_middle(&r, (tml_body){1}, pose[1]);
        const vec3 half_upper = q_rotate(pose[0][1].q, v3(0.5, 0.0, 0.0));
        const vec3 half_lower = q_rotate(pose[1][1].q, v3(0.5, 0.0, 0.0));
        const vec3 elbow = lower.force;  // on the lower rod, at its end -half_lower
        const vec3 shoulder = v3_add(upper.force, elbow);
        const vec3 on_lower = v3_neg(v3_cross(half_lower, elbow));
        const vec3 on_upper = v3_neg(v3_add(v3_cross(half_upper, shoulder),  //
                                            v3_cross(half_upper, elbow)));
        worst = larger_of(fabs(lower.torque.z - on_lower.z), worst);
        worst = larger_of(fabs(upper.torque.z - on_upper.z), worst);
    }
    // impulses of 0.1 N s from second differences: eps / h, and the tolerance over h
    CHECK_NEAR(worst, 0.0, 1e-11);
    run_close(&r);
}

TEST(a_free_body_keeps_the_momentum_of_the_papers_equation)  // [VMAX (33)]
{
    run r;
    tml_pose pose[3];
    CHECK(begin(&r, "t-handle", TML_TIME_VARIATIONAL, 0.001) == TML_OK);
    r.settings.tolerance = 1e-14;
    CHECK(run_start(&r) == TML_OK);
    for (int step = 0; step < 200; step++) {
        pose[0] = pose[1];
        pose[1] = pose[2];
        pose[2] = tml_sim_pose(r.sim, (tml_body){0});
        CHECK(run_step(&r) == TML_OK);
        if (step < 2) continue;
        const impulse left = impulse_at_middle(&r, (tml_body){0}, pose);
        // moments of 3e-4 kg m^2: J eps / h is 1e-16
        CHECK_NEAR(v3_norm(left.torque), 0.0, 1e-14);
    }
    run_close(&r);
}

// ---- momentum

TEST(a_floating_mechanism_keeps_its_momenta_to_rounding)
{
    static const tml_integrator integrators[] = {TML_TIME_VARIATIONAL, TML_TIME_VARIATIONAL4};
    for (int k = 0; k < 2; k++) {
        run r;
        CHECK(run_freeze(&r, floating_mechanism()) == TML_OK);
        r.settings.formulation = TML_FORM_VARIATIONAL;
        r.settings.integrator = integrators[k];
        r.settings.tolerance = 1e-13;
        CHECK(run_start(&r) == TML_OK);
        const momentum before = momentum_of(&r);
        CHECK(run_steps(&r, 1000) == TML_OK);
        const momentum after = momentum_of(&r);
        const double linear = v3_norm(v3_sub(after.linear, before.linear));
        const double angular = v3_norm(v3_sub(after.angular, before.angular));
        printf("%-12s 1000 steps: linear %.1e of %.1f, angular %.1e of %.1f\n",
               tml_integrator_name(integrators[k]), linear, v3_norm(before.linear), angular,
               v3_norm(before.angular));
        // 1000 steps (five each) of a dozen roundings of momenta of order 2: 1e-12 at worst
        CHECK_NEAR(linear, 0.0, 1e-11);
        CHECK_NEAR(angular, 0.0, 1e-11);
        run_close(&r);
    }
}

// ---- energy and gap

// Largest distance of the energy from where it began, in each fifth of a run.
static void energy_bands(run* r, int steps, double bands[5])
{
    const double before = run_energy(r);
    for (int k = 0; k < 5; k++) bands[k] = 0.0;
    for (int i = 0; i < steps; i++) {
        if (run_step(r) != TML_OK) {
            check_failures++;
            return;
        }
        const int fifth = 5 * i / steps;
        bands[fifth] = larger_of(fabs(run_energy(r) - before), bands[fifth]);
    }
}

TEST(the_energy_of_a_double_pendulum_stays_in_its_band)  // [VMAX Fig 4]
{
    run r;
    double bands[5];
    CHECK(begin(&r, "double-pendulum", TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    energy_bands(&r, 4000, bands);
    printf("double pendulum, 40 s at 10 ms: band %.2e J in the first fifth, %.2e J in the last\n",
           bands[0], bands[4]);
    CHECK(bands[0] < 0.3);  // J, of m g L n = 19.6 J; order 2 brings it down fourfold at 5 ms
    for (int k = 1; k < 5; k++)
        CHECK(bands[k] < 1.3 * bands[0]);  // chaos: no fifth is like another
    CHECK(tml_sim_get_report(r.sim).max_gap < 1e-12);
    run_close(&r);
}

TEST(the_fourth_order_member_has_a_narrower_band)
{
    run r;
    double bands[5];
    CHECK(begin(&r, "double-pendulum", TML_TIME_VARIATIONAL4, 0.01) == TML_OK);
    energy_bands(&r, 2000, bands);
    printf("variational4, 20 s at 10 ms: band %.2e J, then %.2e J\n", bands[0], bands[4]);
    CHECK(bands[0] < 1e-3);
    for (int k = 1; k < 5; k++) CHECK(bands[k] < 1e-3);
    run_close(&r);
}

TEST(heun_drifts_in_energy_and_opens_its_joints)  // [VMAX Sec 5 Fig 4]
{
    run r;
    CHECK(begin(&r, "double-pendulum", TML_TIME_HEUN, 0.01) == TML_OK);
    const double before = run_energy(&r);
    CHECK(run_steps(&r, 3000) == TML_OK);
    CHECK(fabs(run_energy(&r) - before) > 0.1);
    CHECK(tml_sim_get_report(r.sim).max_gap > 1e-6);
    run_close(&r);
}

TEST(the_four_bar_stays_closed_with_no_stabilisation)  // [VMAX (34) Fig 4]
{
    run r;
    CHECK(begin(&r, "four-bar", TML_TIME_VARIATIONAL, 0.01) == TML_OK);
    CHECK(run_steps(&r, 3000) == TML_OK);
    CHECK(tml_sim_get_report(r.sim).max_gap <= 1e-10);  // the tolerance
    run_close(&r);
}

// ---- failures

TEST(a_step_that_turns_a_body_too_far_is_divided_and_the_report_says_so)
{
    run r;
    CHECK(begin(&r, "t-handle", TML_TIME_VARIATIONAL, 0.1) == TML_OK);  // 1.5 rad a step
    const double before = run_energy(&r);
    CHECK(run_steps(&r, 10) == TML_OK);
    CHECK(tml_sim_get_report(r.sim).substeps >= 20);
    CHECK(tml_sim_get_report(r.sim).steps == 10);
    CHECK_NEAR(run_energy(&r) / before, 1.0, 0.3);  // three quarters of a radian a piece is coarse
    run_close(&r);
}

TEST(a_body_that_turns_too_fast_for_any_piece_is_named)
{
    run r;
    CHECK(begin(&r, "t-handle", TML_TIME_VARIATIONAL, 100.0) == TML_OK);
    const tml_pose before = tml_sim_pose(r.sim, (tml_body){0});
    CHECK(tml_sim_step(r.sim, NULL) == TML_NOT_CONVERGED);
    CHECK(strstr(tml_sim_message(r.sim), "turns by 1.5e+03 rad") != NULL);
    const tml_pose after = tml_sim_pose(r.sim, (tml_body){0});
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK(tml_sim_get_report(r.sim).substeps == 0);
    run_close(&r);
}

TEST(heun_refuses_limits_by_name)
{
    run r;
    CHECK(run_open(&r, "flap") == TML_OK);
    r.settings.formulation = TML_FORM_VARIATIONAL;
    r.settings.integrator = TML_TIME_HEUN;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(r.sim), "heun") != NULL);
    run_close(&r);
}

TEST(settings_that_it_cannot_honour_are_refused_by_name)
{
    run r;
    CHECK(run_open(&r, "pendulum") == TML_OK);
    r.settings.formulation = TML_FORM_VARIATIONAL;
    r.settings.integrator = TML_TIME_VARIATIONAL;
    r.settings.implicit.start = TML_START_SDIRK2;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(r.sim), "start") != NULL);
    tml_sim_destroy(r.sim);
    r.sim = NULL;
    r.settings.implicit.start = TML_START_ACCURATE;
    r.settings.implicit.baumgarte = 0.1;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(r.sim), "baumgarte") != NULL);
    tml_sim_destroy(r.sim);
    r.sim = NULL;
    r.settings.implicit.baumgarte = 0.0;
    r.settings.integrator = TML_TIME_BDF2;
    CHECK(tml_sim_create(r.model, &r.settings, &r.sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(r.sim), "trammel list") != NULL);
    run_close(&r);
}
