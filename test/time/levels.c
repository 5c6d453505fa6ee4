// test/time/levels.c - rows on the level of positions, velocities, accelerations and of sums: how far
// joints open, and orders.                                                      [COOK (198)-(205)]
#include "test/check.h"

#include <trammel/trammel.h>

#include <stdbool.h>

// A double pendulum of a hinge and a ball joint that swings out of the plane.
static tml_model* pendulum(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body base = TML_WORLD;
    for (int i = 0; i < 2; i++) {
        tml_body_def rod = tml_body_def_default();
        rod.mass = 1.0 + i;
        for (int k = 0; k < 3; k++) rod.inertia[k] = k == 0 ? 0.01 : 0.08 + 0.01 * k;
        rod.pose.p = (tml_vec3){0.5 + i, 0.0, 0.0};
        rod.velocity.angular = (tml_vec3){0.0, 0.0, i * 1.5};
        const tml_body body = tml_spec_add_body(spec, &rod);
        tml_joint_def joint = tml_joint_def_default();
        joint.kind = i == 0 ? TML_JOINT_REVOLUTE : TML_JOINT_SPHERICAL;
        joint.base = base;
        joint.follower = body;
        joint.position = (tml_vec3){(double)i, 0.0, 0.0};
        joint.axis = (tml_vec3){0.0, 1.0, 0.0};
        tml_spec_add_joint(spec, &joint);
        base = body;
    }
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

typedef struct outcome {
    double gap;
    double numbers[8];
    double load;
} outcome;

static outcome run(const tml_model* model, tml_integrator integrator, const double level[3],
                   int steps)
{
    outcome out = {0};
    tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = NULL;
    settings.integrator = integrator;
    settings.step = 0.5 / steps;
    settings.tolerance = 1e-13;
    for (int k = 0; k < 3; k++) settings.implicit.level[k] = level[k];
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < steps; k++) {
        if (tml_sim_step(sim, NULL) == TML_OK) continue;
        printf("step %d: %s\n", k, tml_sim_message(sim));
        check_failures++;
        break;
    }
    const tml_pose p = tml_sim_pose(sim, (tml_body){1});
    const tml_velocity v = tml_sim_velocity(sim, (tml_body){1});
    const double numbers[8] = {p.p.x, p.p.y,      p.p.z,      p.q.x,
                               p.q.z, v.linear.x, v.linear.z, v.angular.y};
    for (int i = 0; i < 8; i++) out.numbers[i] = numbers[i];
    out.gap = tml_sim_get_report(sim).max_gap;
    out.load = tml_sim_joint_load(sim, (tml_joint){0}).force.z;
    tml_sim_destroy(sim);
    return out;
}

static double difference(const outcome* a, const outcome* b)
{
    double sum = 0.0;
    for (int i = 0; i < 8; i++) sum += pow(a->numbers[i] - b->numbers[i], 2.0);
    return sqrt(sum);
}

// The motion has the order of the formula on every level. Positions hold joints to the tolerance; on
// the other levels they open, at that order, and a sum that pulls them back (c'' + 2 g c' + g^2 c) opens
// them less than accelerations alone.
TEST(rows_on_every_level_have_the_order_of_the_formula)
{
    static const double g = 40.0;  // 1/s
    static const struct {
        const char* name;
        double weights[3];
        bool is_exact;
    } levels[] = {{"positions", {1.0, 0.0, 0.0}, true},
                  {"velocities", {0.0, 1.0, 0.0}, false},
                  {"accelerations", {0.0, 0.0, 1.0}, false},
                  {"their sum", {40.0 * 40.0, 2.0 * 40.0, 1.0}, false},
                  {"positions and velocities", {1.0, 0.05, 0.0}, false}};
    tml_model* model = pendulum();
    const outcome exact = run(model, TML_TIME_BDF6, levels[0].weights, 1600);
    double gaps[5] = {0.0};
    CHECK(levels[3].weights[0] == g * g);
    for (int order = 1; order <= 3; order++) {
        const tml_integrator integrator = (tml_integrator)((int)TML_TIME_BDF1 + order - 1);
        const int coarse = order == 1 ? 800 : 200;
        for (int i = 0; i < 5; i++) {
            const outcome a = run(model, integrator, levels[i].weights, coarse);
            const outcome b = run(model, integrator, levels[i].weights, 2 * coarse);
            const double seen = log2(difference(&a, &exact) / difference(&b, &exact));
            printf("bdf%d, %s: order %.2f, gap %.1e and %.1e\n", order, levels[i].name, seen, a.gap,
                   b.gap);
            CHECK_NEAR(seen, order, 0.25);
            // loads follow at the order too, as far as rounding (1e-13 m over h^2) lets them
            const double rounding = 1e-6;
            CHECK(fabs(b.load - exact.load) <
                  rounding + pow(0.5, order - 0.5) * fabs(a.load - exact.load));
            gaps[i] = b.gap;
            if (levels[i].is_exact) {
                CHECK(a.gap < 1e-12 && b.gap < 1e-12);
                continue;
            }
            CHECK(b.gap > 1e-11);
            CHECK_NEAR(log2(a.gap / b.gap), order, 0.3);
        }
        CHECK(gaps[3] < 0.5 * gaps[2]);
    }
    tml_model_destroy(model);
}

TEST(levels_that_cannot_be_honoured_are_refused)
{
    tml_model* model = pendulum();
    tml_sim_settings settings = tml_sim_settings_default();
    tml_sim* sim = NULL;
    settings.implicit.level[0] = 0.0;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_BAD_ARGUMENT);
    tml_sim_destroy(sim);
    settings.implicit.level[1] = 1.0;
    settings.formulation = TML_FORM_VARIATIONAL;
    settings.integrator = TML_TIME_VARIATIONAL;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "constraint_level") != NULL);
    tml_sim_destroy(sim);
    // the step of 'affine', which knows positions only
    settings.formulation = TML_FORM_QUATERNION;
    settings.integrator = TML_TIME_ENERGY;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_UNSUPPORTED);
    CHECK(strstr(tml_sim_message(sim), "constraint_level") != NULL);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
}
