// test/scenario/contact_belt.c - chains that lie on half a wheel, stick to it and turn it, between two weights: contact
// that is redundant, friction included, under a tension of hundreds of times what a link weighs. Forces that a whole
// step is solved with press such a chain off its wheel; they are found within the iterations of the step.
#include "test/check.h"
#include "test/scenario/touching.h"

enum {
    STRAND = 3  // links that hang on either side
};

static const double length = 0.04;   // of a link, from joint to joint, m
static const double radius = 0.008;  // of a link, m
static const double duration = 0.08;

typedef struct belt {
    int arc;           // links on the wheel
    double link;       // kg
    double weight[2];  // kg
} belt;

static belt random_belt(random_source* r)
{
    belt b = {.arc = 8 + random_below(r, 5), .link = random_between(r, 0.01, 0.05)};
    b.weight[0] = random_between(r, 2.0, 4.0);
    b.weight[1] = b.weight[0] + random_between(r, 0.5, 2.0);
    return b;
}

// Middles of the links on the wheel, and joints between them, lie so far from its axle.
static double middle_of(const belt* b) { return 0.5 * length / tan(0.5 * TML_PI / b->arc); }
static double joint_of(const belt* b) { return 0.5 * length / sin(0.5 * TML_PI / b->arc); }

// A link that points along `angle` from z towards x.
static tml_body add_link(tml_spec* spec, const belt* b, tml_vec3 at, double angle)
{
    tml_shape_def shape = shape_of(TML_SHAPE_CAPSULE, v3(radius, 0.0, length - 2.0 * radius), 1.0);
    tml_body_def link = tml_body_def_default();
    shape.group = 1;
    link.mass = b->link;
    link.pose.p = at;
    link.pose.q = (tml_quat){cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
    link.inertia[0] = link.inertia[1] = b->link * length * length / 12.0;
    link.inertia[2] = 0.5 * b->link * radius * radius;
    link.shapes = &shape;
    link.shape_count = 1;
    return tml_spec_add_body(spec, &link);
}

static void join(tml_spec* spec, tml_body base, tml_body follower, tml_vec3 at)
{
    tml_joint_def ball = tml_joint_def_default();
    ball.kind = TML_JOINT_SPHERICAL;
    ball.base = base;
    ball.follower = follower;
    ball.position = at;
    tml_spec_add_joint(spec, &ball);
}

static tml_body add_weight(tml_spec* spec, double mass, double x)
{
    tml_body_def weight = tml_body_def_default();
    weight.mass = mass;
    weight.pose.p = v3(x, 0.0, -length * STRAND - 0.1);
    for (int i = 0; i < 3; i++) weight.inertia[i] = 0.01 * mass;
    return tml_spec_add_body(spec, &weight);
}

static void add_wheel(tml_spec* spec, const belt* b)
{
    const tml_shape_def shape =
        shape_of(TML_SHAPE_CYLINDER, v3(middle_of(b) - radius, 0.0, 0.1), 1.0);
    tml_body_def wheel = tml_body_def_default();
    wheel.name = "wheel";
    wheel.mass = 1.0;
    wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = 0.01;
    wheel.pose.q = (tml_quat){sqrt(0.5), -sqrt(0.5), 0.0, 0.0};
    wheel.shapes = &shape;
    wheel.shape_count = 1;
    tml_joint_def axle = tml_joint_def_default();
    axle.name = "axle";
    axle.kind = TML_JOINT_REVOLUTE;
    axle.follower = tml_spec_add_body(spec, &wheel);
    axle.axis = v3(0.0, 1.0, 0.0);
    tml_spec_add_joint(spec, &axle);
}

// From the first weight up, over the wheel and down to the second.
static tml_spec* build(const belt* b)
{
    tml_spec* spec = tml_spec_create();
    const double x = joint_of(b);
    const double turn = TML_PI / b->arc;
    add_wheel(spec, b);
    tml_body last = add_weight(spec, b->weight[0], -x);
    for (int k = STRAND - 1; k >= 0; k--) {
        const tml_body next = add_link(spec, b, v3(-x, 0.0, -length * (k + 0.5)), 0.0);
        join(spec, last, next, v3(-x, 0.0, -length * (k + 1)));
        last = next;
    }
    for (int k = 0; k < b->arc; k++) {
        const double at = TML_PI - turn * (k + 0.5);
        const double from = TML_PI - turn * k;
        const tml_body next =
            add_link(spec, b, v3(middle_of(b) * cos(at), 0.0, middle_of(b) * sin(at)), TML_PI - at);
        join(spec, last, next, v3(x * cos(from), 0.0, x * sin(from)));
        last = next;
    }
    for (int k = 0; k < STRAND; k++) {
        const tml_body next = add_link(spec, b, v3(x, 0.0, -length * (k + 0.5)), TML_PI);
        join(spec, last, next, v3(x, 0.0, -length * k));
        last = next;
    }
    join(spec, last, add_weight(spec, b->weight[1], x), v3(x, 0.0, -length * STRAND));
    return spec;
}

typedef struct method {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
    double step;
} method;

// How fast the wheel turns in the end, rad/s.
static double turn(const belt* b, const method* m)
{
    run r;
    CHECK(run_freeze(&r, build(b)) == TML_OK);
    r.settings.formulation = m->formulation;
    r.settings.integrator = m->integrator;
    r.settings.step = m->step;
    r.settings.contact.is_on = 1;
    CHECK(run_start(&r) == TML_OK);
    double rise = 0.0;
    double before = run_energy(&r);
    for (int n = 0; n < (int)(duration / m->step + 0.5); n++) {
        const tml_status status = tml_sim_step(r.sim, NULL);
        if (status != TML_OK) printf("%s: %s\n", m->name, tml_sim_message(r.sim));
        CHECK(status == TML_OK);
        if (status != TML_OK) break;
        rise = fmax(rise, run_energy(&r) - before);
        before = run_energy(&r);
    }
    const double speed =
        v3_norm(tml_sim_velocity(r.sim, tml_model_find_body(r.model, "wheel")).angular);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%2d links, %-22s %.5f rad/s, %4.1f iterations a step, %lld substeps, overlap %.1e m, "
           "rise %.1e J\n",
           b->arc, m->name, speed, (double)report.newton_iterations / (double)report.steps,
           (long long)report.substeps, report.max_penetration, rise);
    CHECK(report.max_gap <= 1e-10);
    CHECK(rise <= 1e-6);
    run_close(&r);
    return speed;
}

TEST(a_chain_that_sticks_to_a_wheel_turns_it)
{
    static const method reference = {"generalized", TML_FORM_GENERALIZED, TML_TIME_PROJECTED, 1e-3};
    static const method methods[] = {
        {"quaternion bdf1", TML_FORM_QUATERNION, TML_TIME_BDF1, 5e-3},
        {"quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2, 5e-3},
        {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 5e-3},
        {"affine energy", TML_FORM_AFFINE, TML_TIME_ENERGY, 5e-3},
        {"affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, 5e-3},
    };
    random_source random = random_start(77);
    for (int k = 0; k < 3; k++) {
        const belt b = random_belt(&random);
        const double speed = turn(&b, &reference);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            const double s = turn(&b, &methods[i]);
            CHECK_NEAR(s, speed, 0.02 * speed);
        }
    }
}
