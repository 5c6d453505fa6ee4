// test/scenario/two_step.c - free motion and correction by compliance gives what the one system gives.
//                                                                [COOK (227) (266)-(273)]
#include "scenes/scenes.h"
#include "test/check.h"

#include <trammel/trammel.h>

typedef struct twin {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim[2];  // two steps; the one system
} twin;

static twin open(const char* name)
{
    twin t = {.scene = tml_scene_create()};
    CHECK(scenes_fill(t.scene, scenes_find(name)) == TML_OK);
    CHECK(tml_scene_build(t.scene, &t.model) == TML_OK);
    return t;
}

static void start(twin* t, tml_formulation formulation, tml_integrator integrator)
{
    tml_sim_settings settings = tml_scene_settings(t->scene)->sim;
    settings.formulation = formulation;
    settings.integrator = integrator;
    settings.tolerance = 1e-13;
    for (int k = 0; k < 2; k++) {
        settings.solver = k == 0 ? TML_SOLVER_TWO_STEP : TML_SOLVER_AUGMENTED;
        CHECK(tml_sim_create(t->model, &settings, &t->sim[k]) == TML_OK);
    }
    CHECK_TEXT(tml_sim_get_report(t->sim[0]).solver, "two_step");
}

static void stop(twin* t)
{
    for (int k = 0; k < 2; k++) tml_sim_destroy(t->sim[k]);
    tml_model_destroy(t->model);
    tml_scene_destroy(t->scene);
}

static double far(tml_vec3 a, tml_vec3 b)
{
    return fmax(fabs(a.x - b.x), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

// The largest distance of a body, and of a joint's force relative to the largest of them.
static void compare(const twin* t, double* place, double* force)
{
    double largest = 1.0;
    double off = 0.0;
    for (int b = 0; b < tml_model_body_count(t->model); b++) {
        const tml_body body = {b};
        *place =
            fmax(*place, far(tml_sim_pose(t->sim[0], body).p, tml_sim_pose(t->sim[1], body).p));
    }
    for (int j = 0; j < tml_model_joint_count(t->model); j++) {
        const tml_vec3 a = tml_sim_joint_load(t->sim[0], (tml_joint){j}).force;
        const tml_vec3 b = tml_sim_joint_load(t->sim[1], (tml_joint){j}).force;
        off = fmax(off, far(a, b));
        largest = fmax(largest, far(b, (tml_vec3){0.0, 0.0, 0.0}));
    }
    *force = fmax(*force, off / largest);
}

TEST(two_steps_equal_the_one_system)
{
    static const struct {
        const char* name;
        tml_formulation formulation;
        tml_integrator integrator;
        int steps;
    } cases[] = {
        {"pendulum", TML_FORM_QUATERNION, TML_TIME_BDF2, 100},
        {"double-pendulum", TML_FORM_QUATERNION, TML_TIME_BDF2, 60},
        {"heavy-top", TML_FORM_QUATERNION, TML_TIME_BDF4, 100},
        {"spherical-chain", TML_FORM_QUATERNION, TML_TIME_BDF2, 40},
        {"joint-zoo", TML_FORM_QUATERNION, TML_TIME_BDF1, 40},
        {"gears", TML_FORM_QUATERNION, TML_TIME_SDIRK2, 40},
        {"spring-net", TML_FORM_QUATERNION, TML_TIME_BDF2, 40},
        {"double-pendulum", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 60},
        {"spherical-chain", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        twin t = open(cases[i].name);
        double place = 0.0;
        double force = 0.0;
        start(&t, cases[i].formulation, cases[i].integrator);
        for (int n = 0; n < cases[i].steps && check_failures == 0; n++) {
            CHECK(tml_sim_step(t.sim[0], NULL) == TML_OK);
            CHECK(tml_sim_step(t.sim[1], NULL) == TML_OK);
            compare(&t, &place, &force);
        }
        printf("%-16s %-12s %-12s %.1e m, %.1e of the forces\n", cases[i].name,
               tml_formulation_name(cases[i].formulation), tml_integrator_name(cases[i].integrator),
               place, force);
        CHECK(place < 1e-12);
        // forces are accelerations times masses: rounding of places over h^2
        CHECK(force < 1e-7);
        stop(&t);
    }
}

// F(q) + C^T lambda = 0 by free displacements and a correction: the same equilibrium and the same loads
// as by the one system.                                                          [COOK Sec 8.3 (227)]
TEST(two_steps_find_the_equilibrium_of_the_one_system)
{
    static const char* const names[] = {"double-pendulum", "spherical-chain", "spring-net"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        twin t = open(names[i]);
        double place = 0.0;
        double force = 0.0;
        start(&t, TML_FORM_QUATERNION, TML_TIME_BDF2);
        for (int k = 0; k < 2; k++) {
            const tml_statics_settings settings = tml_statics_settings_default();
            tml_statics_report report;
            CHECK(tml_sim_settle(t.sim[k], &settings, &report) == TML_OK);
        }
        compare(&t, &place, &force);
        printf("%-16s at rest: %.1e m, %.1e of the forces\n", names[i], place, force);
        // both stop where the next step is below the tolerance of statics, 1e-10
        CHECK(place < 1e-9);
        CHECK(force < 1e-8);
        stop(&t);
    }
}
