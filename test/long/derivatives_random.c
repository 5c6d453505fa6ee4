// A million random derivative steps, in parts: small trees and loops of any joints over the ground, that land, slide, bounce
// and tumble, in every formulation, forwards and backwards, by every kind of contact slopes. No number that is none, no
// status without a sentence, forwards and backwards agree.
//
//     TRAMMEL_TEST_LONG=1 TRAMMEL_TEST_PART=7 build/test/long_derivatives_random     part 7 of 124
//
// A part is some 8300 steps, two fifths of them forwards.
#include "test/diff/mechanisms.h"
#include "test/random.h"
#include "test/scenario/touching.h"

#include <stdbool.h>

enum {
    STEPS = 25,
    SCENES = 40,  // of one part, for each method
    MOST = 4      // bodies
};

static const method methods[] = {
    {TML_FORM_QUATERNION, TML_TIME_BDF2, TML_START_ACCURATE},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_ENERGY, TML_START_ACCURATE},
    {TML_FORM_AFFINE, TML_TIME_BDF1, TML_START_ACCURATE},
    {TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, TML_START_ACCURATE},
};

static tml_body add_any_body(tml_spec* spec, random_source* r, int i)
{
    static const tml_shape_kind kinds[4] = {TML_SHAPE_SPHERE, TML_SHAPE_BOX, TML_SHAPE_CAPSULE,
                                            TML_SHAPE_ELLIPSOID};
    tml_shape_def shape =
        shape_of(kinds[random_below(r, 4)], v3(0.06, 0.08, 0.1), random_between(r, 0.1, 1.0));
    tml_mass_properties mass = {0};
    tml_body_def body = tml_body_def_default();
    char name[24];
    shape.restitution = random_below(r, 3) == 0 ? random_between(r, 0.1, 0.9) : 0.0;
    shape.density = 1000.0;
    CHECK(tml_shapes_mass(&shape, 1, &mass) == TML_OK);
    snprintf(name, sizeof name, "body.%d", i);
    body.name = name;
    body.pose = (tml_pose){random_vec3(r, 0.05), random_quat(r)};
    body.pose.p.x += 0.3 * i;
    body.pose.p.z = random_between(r, 0.09, 0.17);
    body.mass = mass.mass;
    for (int k = 0; k < 6; k++) body.inertia[k] = mass.inertia[k];
    body.velocity.linear = random_vec3(r, 1.0);
    body.velocity.linear.z -= 1.0;
    body.velocity.angular = random_vec3(r, 4.0);
    body.shapes = &shape;
    body.shape_count = 1;
    return tml_spec_add_body(spec, &body);
}

static void tie(tml_spec* spec, random_source* r, tml_joint_kind kind, tml_body base,
                tml_body follower, double x)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = kind;
    def.base = base;
    def.follower = follower;
    def.position = v3(x, random_between(r, -0.1, 0.1), random_between(r, 0.1, 0.3));
    def.axis = v3(random_between(r, -1.0, 1.0), 1.0, random_between(r, -1.0, 1.0));
    tml_spec_add_joint(spec, &def);
}

// A tree of any joints; each fourth one is closed to a loop by a ball.
static tml_model* any_scene(int salt)
{
    random_source r = random_start((uint64_t)salt);
    tml_spec* spec = tml_spec_create();
    const int bodies = 1 + random_below(&r, MOST);
    tml_body list[MOST];
    add_ground(spec, random_between(&r, 0.1, 1.0), 0.0);
    for (int i = 0; i < bodies; i++) {
        list[i] = add_any_body(spec, &r, i);
        if (i == 0 || random_below(&r, 4) == 0) continue;
        tie(spec, &r, (tml_joint_kind)random_below(&r, TML_JOINT_FREE), list[i - 1], list[i],
            0.3 * i - 0.15);
    }
    if (bodies == MOST && random_below(&r, 2) == 0) {
        tie(spec, &r, TML_JOINT_SPHERICAL, list[0], list[MOST - 1], 0.45);
    }
    return build(spec);
}

typedef struct tally {
    long long steps, scenes, failed, refused, touched;
    double dot;
} tally;

static int list_inputs(const tml_model* m, tml_parameter* out)
{
    int count = 0;
    for (int k = 0; k < 3; k++) out[count++] = (tml_parameter){TML_PARAMETER_GRAVITY, 0, k, 0};
    for (int b = 0; b < tml_model_body_count(m); b++) {
        out[count++] = (tml_parameter){TML_PARAMETER_MASS, b, 0, 0};
        out[count++] = (tml_parameter){TML_PARAMETER_FRICTION, b, 0, 0};
        for (int k = 0; k < 6; k++) {
            out[count++] = (tml_parameter){TML_PARAMETER_INERTIA, b, k, 0};
            out[count++] = (tml_parameter){TML_PARAMETER_VELOCITY, b, k, 0};
            out[count++] = (tml_parameter){TML_PARAMETER_POSE, b, k, 0};
        }
    }
    return count;
}

// A status is fine where it says why.
static bool is_told(tml_derivatives* d, tml_status status, const char* what, int salt, tally* t)
{
    if (status == TML_OK) return true;
    t->refused++;
    CHECK(tml_derivatives_message(d)[0] != '\0');
    if (getenv("TRAMMEL_TEST_PRINT") != NULL) {
        printf("    scene %d, %s: %s\n", salt, what, tml_derivatives_message(d));
    }
    return false;
}

// Positions and velocities at the end by everything at the start, both ways.
static void pass_both_ways(tml_derivatives* d, const tml_model* m, int salt, int steps, tally* t)
{
    static tml_parameter by[3 + 20 * MOST];
    double change[3 + 20 * MOST];
    double gradient[3 + 20 * MOST];
    tml_quantity end[6 * MOST];
    double weight[6 * MOST];
    double out[6 * MOST];
    random_source r = random_start((uint64_t)salt + 77);
    const int inputs = list_inputs(m, by);
    int outputs = 0;
    for (int b = 0; b < tml_model_body_count(m); b++) {
        for (int k = 0; k < 6; k++) {
            end[outputs++] = (tml_quantity){k < 3 ? TML_QUANTITY_POSITION : TML_QUANTITY_VELOCITY,
                                            b, k % 3, steps};
        }
    }
    for (int i = 0; i < inputs; i++) change[i] = random_between(&r, -1.0, 1.0);
    for (int i = 0; i < outputs; i++) weight[i] = random_between(&r, -1.0, 1.0);
    tml_status status = tml_derivatives_gradient(d, outputs, end, weight, inputs, by, gradient);
    t->steps += steps;
    if (!is_told(d, status, "backwards", salt, t)) return;
    double back = 0.0;
    double size = 0.0;
    for (int i = 0; i < inputs; i++) {
        CHECK(isfinite(gradient[i]));
        back += gradient[i] * change[i];
        size += fabs(gradient[i] * change[i]);
    }
    if (salt % 3 == 2) return;  // complementarity-aware: there is no forward direction
    status = tml_derivatives_forward(d, inputs, by, change, outputs, end, out);
    t->steps += steps;
    if (!is_told(d, status, "forwards", salt, t)) return;
    double there = 0.0;
    for (int i = 0; i < outputs; i++) {
        CHECK(isfinite(out[i]));
        there += out[i] * weight[i];
    }
    t->dot = fmax(t->dot, fabs(there - back) / fmax(1e-3, size));
}

static void run_scene(int salt, method by, tally* t)
{
    static const double h[4] = {1e-3, 2e-3, 4e-3, 8e-3};
    tml_model* m = any_scene(salt);
    tml_sim_settings s = tml_sim_settings_default();
    tml_derivatives* d = NULL;
    s.formulation = by.form;
    s.integrator = by.integrator;
    s.step = h[salt % 4];
    s.contact.is_on = 1;
    tml_status status = tml_derivatives_create(m, &s, 0, &d);
    t->scenes++;
    int steps = 0;
    for (; steps < STEPS && status == TML_OK; steps++) {
        status = tml_derivatives_step(d, NULL);
        if (status == TML_OK) t->touched += tml_sim_contact_count(tml_derivatives_sim(d)) > 0;
    }
    if (status != TML_OK) {
        t->failed++;
        CHECK(d == NULL || tml_derivatives_message(d)[0] != '\0');
        steps--;
    }
    if (d != NULL && steps > 0) {
        // exact, continuous_bounce, complementarity_aware
        CHECK(tml_derivatives_set_contact_slopes(d, (tml_contact_slopes)(salt % 3)) == TML_OK);
        pass_both_ways(d, m, salt, steps, t);
    }
    tml_derivatives_destroy(d);
    tml_model_destroy(m);
}

TEST(no_derivative_is_ever_a_number_that_is_none)
{
    const char* part = getenv("TRAMMEL_TEST_PART");
    const bool is_long = getenv("TRAMMEL_TEST_LONG") != NULL;
    const int first = SCENES * (part != NULL ? atoi(part) : 0);
    const int count = is_long ? SCENES : 4;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        tally t = {0};
        for (int i = first; i < first + count; i++) run_scene(1000 + i, methods[k], &t);
        printf("%s %s: %lld scenes, %lld steps with contacts, %lld derivative steps, %lld runs "
               "ended with a reason, %lld "
               "passes refused with a reason, dot product %.1e\n",
               tml_formulation_name(methods[k].form), tml_integrator_name(methods[k].integrator),
               t.scenes, t.touched, t.steps, t.failed, t.refused, t.dot);
        CHECK(t.dot <= 1e-6);
    }
}
