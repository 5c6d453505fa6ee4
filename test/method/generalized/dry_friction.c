// test/method/generalized/dry_friction.c - dry friction of joints: stick, slip and slopes.
//
// The law of a step, (H (u+ - u)) / h + c = f with f = -F sign(u+) or u+ = 0 and |f| <= F, is read off states
// with the mass matrix and bias of tml_dynamics, which know nothing of friction.
#include "test/check.h"
#include "test/random.h"

#include <trammel/trammel.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LINKS = 4
};

typedef struct running {
    tml_scene* scene;
    tml_model* model;
    tml_sim* sim;
} running;

static tml_sim_settings settings_of(const running* r, tml_integrator integrator, double step)
{
    tml_sim_settings s = tml_scene_settings(r->scene)->sim;
    s.formulation = TML_FORM_GENERALIZED;
    s.integrator = integrator;
    s.contact.is_on = false;
    s.step = step;
    return s;
}

static bool read(const char* text, running* r)
{
    *r = (running){.scene = tml_scene_create()};
    const bool is_read = tml_scene_read_text(r->scene, text, strlen(text), "dry.xml") == TML_OK &&
                         tml_scene_build(r->scene, &r->model) == TML_OK;
    if (!is_read) printf("%s\n", tml_scene_message(r->scene));
    CHECK(is_read);
    return is_read;
}

static bool start(const char* text, tml_integrator integrator, double step, running* r)
{
    if (!read(text, r)) return false;
    const tml_sim_settings s = settings_of(r, integrator, step);
    const bool is_made = tml_sim_create(r->model, &s, &r->sim) == TML_OK;
    if (!is_made) printf("%s\n", tml_sim_message(r->sim));
    CHECK(is_made);
    return is_made;
}

static void stop(running* r)
{
    tml_sim_destroy(r->sim);
    tml_model_destroy(r->model);
    tml_scene_destroy(r->scene);
}

static const char sled[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' axis='1 0 0' "
    "frictionloss='2'/><geom size='.1' mass='1'/></body></worldbody><actuator><motor joint='x'/>"
    "</actuator><keyframe><key qvel='1'/></keyframe></mujoco>";

// 1 m/s, 2 m/s^2: after k steps the rate is 1 - 0.002 k, and 500 of them are 0.2495 m.
TEST(a_sled_slides_its_way_and_stands)
{
    running r;
    if (start(sled, TML_TIME_SEMI_IMPLICIT_EULER, 1e-3, &r)) {
        double x = 0.0;
        double rate = 1.0;
        for (int k = 0; k < 700; k++) CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        tml_sim_coordinates(r.sim, &x);
        tml_sim_rates(r.sim, &rate);
        CHECK_NEAR(x, 0.2495, 1e-12);
        CHECK(rate == 0.0);
        // 1.999 N hold it, 3 N move it by 1 m/s^2
        double force = 1.999;
        for (int k = 0; k < 100; k++) CHECK(tml_sim_step(r.sim, &force) == TML_OK);
        tml_sim_rates(r.sim, &rate);
        CHECK(rate == 0.0);
        force = -3.0;
        for (int k = 0; k < 100; k++) CHECK(tml_sim_step(r.sim, &force) == TML_OK);
        tml_sim_rates(r.sim, &rate);
        CHECK_NEAR(rate, -0.1, 1e-12);
    }
    stop(&r);
}

// ---- chains at random

static void write_chain(random_source* source, char* text, size_t capacity)
{
    size_t used = 0;
    used += (size_t)snprintf(text, capacity, "<mujoco><worldbody>");
    for (int i = 0; i < LINKS; i++) {
        const double a = random_between(source, -1.0, 1.0);
        used += (size_t)snprintf(
            text + used, capacity - used,
            "<body pos='%g 0 0'><joint name='h%d' axis='%g 1 %g' frictionloss='%g'/><geom "
            "type='capsule' size='.03' fromto='0 0 0 .3 0 0' mass='%g'/>",
            i > 0 ? 0.3 : 0.0, i, 0.5 * a, random_between(source, -0.5, 0.5),
            random_between(source, 0.0, 1.5), random_between(source, 0.2, 1.0));
    }
    for (int i = 0; i < LINKS; i++)
        used += (size_t)snprintf(text + used, capacity - used, "</body>");
    used += (size_t)snprintf(text + used, capacity - used, "</worldbody><actuator>");
    for (int i = 0; i < LINKS; i++) {
        used += (size_t)snprintf(text + used, capacity - used, "<motor joint='h%d'/>", i);
    }
    snprintf(text + used, capacity - used, "</actuator></mujoco>");
}

// How far a step is off the law; *sticks and *slides count axes.
static double off_the_law(tml_dynamics* d, const running* r, const double* q, const double* u,
                          const double* tau, double h, int* sticks, int* slides)
{
    double M[LINKS * LINKS];
    double c[LINKS];
    double after[LINKS];
    double worst = 0.0;
    CHECK(tml_dynamics_set(d, 0.0, q, u) == TML_OK);
    tml_dynamics_mass_matrix(d, M);
    tml_dynamics_bias(d, c);
    tml_sim_rates(r->sim, after);
    for (int i = 0; i < LINKS; i++) {
        const tml_joint joint = {i};
        const double bound = tml_model_joint(r->model, joint).axis_of[TML_AXIS_RX].friction;
        double f = c[i] - tau[i];
        for (int k = 0; k < LINKS; k++) f += M[LINKS * i + k] * (after[k] - u[k]) / h;
        const bool is_still = fabs(after[i]) < 1e-9;
        const double off =
            is_still ? fmax(fabs(f) - bound, 0.0) : fabs(f + (after[i] > 0.0 ? bound : -bound));
        worst = fmax(worst, off);
        *sticks += is_still;
        *slides += !is_still;
    }
    return worst;
}

TEST(chains_obey_the_law_of_every_step)
{
    random_source source = {20261119};
    int sticks = 0;
    int slides = 0;
    for (int n = 0; n < 12; n++) {
        char text[4000];
        running r;
        tml_dynamics* d = NULL;
        write_chain(&source, text, sizeof text);
        const double h = 2e-3;
        if (start(text, TML_TIME_SEMI_IMPLICIT_EULER, h, &r) &&
            tml_dynamics_create(r.model, NULL, &d) == TML_OK) {
            double tau[LINKS];
            for (int i = 0; i < LINKS; i++) tau[i] = random_between(&source, -2.0, 2.0);
            double worst = 0.0;
            for (int k = 0; k < 300; k++) {
                double q[LINKS];
                double u[LINKS];
                tml_sim_coordinates(r.sim, q);
                tml_sim_rates(r.sim, u);
                CHECK(tml_sim_step(r.sim, tau) == TML_OK);
                worst = fmax(worst, off_the_law(d, &r, q, u, tau, h, &sticks, &slides));
            }
            CHECK_NEAR(worst, 0.0, 1e-8);
        }
        tml_dynamics_destroy(d);
        stop(&r);
    }
    CHECK(sticks > 500);  // both are met
    CHECK(slides > 500);
}

TEST(slopes_of_what_sticks_and_slides_agree_with_differences)
{
    random_source source = {7};
    for (int n = 0; n < 6; n++) {
        char text[4000];
        running r;
        write_chain(&source, text, sizeof text);
        tml_derivatives* d = NULL;
        if (!read(text, &r)) continue;
        const tml_sim_settings s = settings_of(&r, TML_TIME_SEMI_IMPLICIT_EULER, 2e-3);
        double tau[LINKS];
        for (int i = 0; i < LINKS; i++) tau[i] = random_between(&source, -2.0, 2.0);
        CHECK(tml_derivatives_create(r.model, &s, 0, &d) == TML_OK);
        tml_status status = TML_OK;
        for (int k = 0; k < 20 && status == TML_OK; k++) status = tml_derivatives_step(d, tau);
        tml_parameter by[LINKS];
        tml_quantity of[LINKS];
        for (int i = 0; i < LINKS; i++) {
            by[i] = (tml_parameter){.kind = TML_PARAMETER_CONTROL, .index = i};
            of[i] = (tml_quantity){
                .kind = TML_QUANTITY_RATE, .index = i, .component = TML_AXIS_RX, .step = 20};
        }
        tml_derivatives_report report = {0};
        if (status == TML_OK) {
            status = tml_derivatives_check(d, 1e-4, LINKS, by, LINKS, of, &report, NULL, 0);
        }
        if (status != TML_OK) printf("%s\n", tml_derivatives_message(d));
        CHECK(status == TML_OK);
        CHECK_NEAR(report.largest_error, 0.0, 1e-6);
        CHECK_NEAR(report.dot_product, 0.0, 1e-10);
        tml_derivatives_destroy(d);
        stop(&r);
    }
}

TEST(what_does_not_simulate_it_refuses_it_by_name)
{
    running r;
    if (read(sled, &r)) {
        tml_sim_settings s = settings_of(&r, TML_TIME_RK4, 1e-3);
        CHECK(tml_sim_create(r.model, &s, &r.sim) == TML_UNSUPPORTED);
        CHECK(strstr(tml_sim_message(r.sim), "dry friction of joint 'x'") != NULL);
        tml_sim_destroy(r.sim);
        s = tml_sim_settings_default();
        CHECK(tml_sim_create(r.model, &s, &r.sim) == TML_UNSUPPORTED);
    }
    stop(&r);
}
