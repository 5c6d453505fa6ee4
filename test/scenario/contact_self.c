// test/scenario/contact_self.c - chains touch themselves: links that have no neighbour in common meet like any
// other bodies. A chain that lands on its end buckles and heaps upon itself.
#include "test/check.h"
#include "test/scenario/touching.h"

enum {
    LINKS = 12
};

static const double length = 0.1;  // from joint to joint, m

// Upright, leaning by a hundredth, its end 10 cm above the ground.
static tml_spec* column(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body last = {0};
    add_ground(spec, 0.5, 0.0);
    CHECK(tml_spec_set_neighbours(spec, 2) == TML_OK);
    for (int i = 0; i < LINKS; i++) {
        const tml_shape_def shape = shape_of(TML_SHAPE_CAPSULE, v3(0.02, 0.0, 0.06), 0.4);
        char name[24];
        snprintf(name, sizeof name, "link.%d", i);
        const tml_body link =
            add_solid(spec, name, shape, v3(1e-3 * i, 7e-4 * i, 0.15 + length * i));
        tml_joint_def ball = tml_joint_def_default();
        ball.name = name;
        ball.kind = TML_JOINT_SPHERICAL;
        ball.base = last;
        ball.follower = link;
        ball.position = v3(1e-3 * (i - 0.5), 7e-4 * (i - 0.5), 0.1 + length * i);
        if (i > 0) tml_spec_add_joint(spec, &ball);
        last = link;
    }
    return spec;
}

typedef struct method {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
    double stiffness;
} method;

static const method methods[] = {
    {"quaternion bdf1", TML_FORM_QUATERNION, TML_TIME_BDF1, 0.0},
    {"quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2, 0.0},
    {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 0.0},
    {"affine energy", TML_FORM_AFFINE, TML_TIME_ENERGY, 0.0},
    {"affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, 0.0},
    {"generalized", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, 0.0},
    {"affine energy_damped, 1e4 N/m", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED, 1e4},
};

typedef struct outcome {
    int pushes;      // between two links
    int near;        // between links that are neighbours, or have one in common
    double rise;     // of steps that push,
    double divided;  // and of those in parts, of which some may push nothing, J
    double top;
} outcome;

// Notes the contacts of the last step; true: one of them pushes.
static int look(const run* r, outcome* o)
{
    int is_pushed = 0;
    for (int i = 0; i < tml_sim_contact_count(r->sim); i++) {
        const tml_contact c = tml_sim_contact(r->sim, i);
        is_pushed = is_pushed || v3_norm(c.force) > 0.0;
        if (c.a.index < 0 || c.b.index < 0) continue;
        o->pushes += v3_norm(c.force) > 0.0;
        o->near += abs(c.a.index - c.b.index) <= 2;
    }
    return is_pushed;
}

// One second: it has come down and lies. The top is that of the highest link in the end.
static outcome drop(const method* m)
{
    outcome o = {.top = -HUGE_VAL};
    run r;
    CHECK(run_freeze(&r, column()) == TML_OK);
    r.settings.formulation = m->formulation;
    r.settings.integrator = m->integrator;
    r.settings.step = 5e-3;
    r.settings.contact.is_on = 1;
    r.settings.contact.stiffness = m->stiffness;
    CHECK(run_start(&r) == TML_OK);
    double before = run_energy(&r);
    for (int n = 0; n < 200; n++) {
        const long long parts = tml_sim_get_report(r.sim).substeps;
        const tml_status status = tml_sim_step(r.sim, NULL);
        if (status != TML_OK) printf("%s: %s\n", m->name, tml_sim_message(r.sim));
        CHECK(status == TML_OK);
        if (status != TML_OK) break;
        const double now = run_energy(&r);
        // in the air, and in parts of a step that touch nothing, variational and bdf2 have waves of their own
        const int is_pushed = look(&r, &o);
        if (tml_sim_get_report(r.sim).substeps != parts) {
            o.divided = fmax(o.divided, now - before);
        } else if (is_pushed) {
            o.rise = fmax(o.rise, now - before);
        }
        before = now;
    }
    for (int i = 0; i < LINKS; i++) o.top = fmax(o.top, tml_sim_pose(r.sim, (tml_body){i}).p.z);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("%-30s gap %.1e, overlap %.1e m, %lld substeps, %d pushes between links, top at %.3f m, "
           "rise %.1e J, in parts %.1e J\n",
           m->name, report.max_gap, report.max_penetration, (long long)report.substeps, o.pushes,
           o.top, o.rise, o.divided);
    CHECK(report.max_gap <= 1e-10);
    run_close(&r);
    return o;
}

TEST(a_chain_that_lands_on_its_end_heaps_upon_itself)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const outcome o = drop(&methods[i]);
        CHECK(o.near == 0);
        CHECK(o.pushes > 20);
        // it stood 1.25 m high
        CHECK(o.top < 0.25);
        // of 8.4 J
        CHECK(o.rise < 1e-9);
        CHECK(o.divided < 1e-9);
    }
}
