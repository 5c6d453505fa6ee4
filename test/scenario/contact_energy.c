// test/scenario/contact_energy.c - impulses of contacts win no energy in maximal coordinates, whatever
// restitution, friction and the points of a body that strikes are.
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/touching.h"
#include "test/sim/world.h"

typedef struct method {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
} method;

static const method methods[] = {
    {"quaternion bdf1", TML_FORM_QUATERNION, TML_TIME_BDF1},
    {"quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2},
    {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
    {"variational4", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4},
    {"affine energy", TML_FORM_AFFINE, TML_TIME_ENERGY},
    {"affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},
    {"affine bdf1", TML_FORM_AFFINE, TML_TIME_BDF1},
    {"affine bdf2", TML_FORM_AFFINE, TML_TIME_BDF2},
    {"affine shake", TML_FORM_AFFINE, TML_TIME_SHAKE},
};

enum {
    METHODS = (int)(sizeof methods / sizeof *methods)
};

static tml_status start_by(run* r, tml_spec* spec, const method* m)
{
    const tml_status status = run_freeze(r, spec);
    if (status != TML_OK) return status;
    r->settings.formulation = m->formulation;
    r->settings.integrator = m->integrator;
    r->settings.step = 1e-3;
    r->settings.has_contact = 1;
    return run_start(r);
}

// Newton's restitution wins energy where a body strikes with several points and much friction: what comes
// in along the ground leaves along the normal. Impulses that would do so leave the bounces out.
static double throw_rods(const method* m, double* energy)
{
    random_source random = random_start(7);
    double rise = 0.0;
    for (int k = 0; k < 12; k++) {
        tml_shape_def shape = shape_of(TML_SHAPE_BOX, v3(0.5, 0.06, 0.06), 1.5);
        tml_mass_properties mass = {0};
        tml_body_def rod = tml_body_def_default();
        tml_spec* spec = tml_spec_create();
        run r;
        shape.density = 1000.0;
        shape.restitution = 0.8;
        tml_shapes_mass(&shape, 1, &mass);
        rod.mass = mass.mass;
        for (int i = 0; i < 6; i++) rod.inertia[i] = mass.inertia[i];
        rod.pose = (tml_pose){v3(0.0, 0.0, 0.4), random_quat(&random)};
        rod.velocity.linear = v3_add(v3(3.0, 0.0, -2.0), random_vec3(&random, 1.0));
        rod.velocity.angular = random_vec3(&random, 10.0);
        rod.shapes = &shape;
        rod.shape_count = 1;
        add_ground(spec, 1.5, 0.0);
        tml_spec_add_body(spec, &rod);
        CHECK(start_by(&r, spec, m) == TML_OK);
        double before = run_energy(&r);
        *energy = fmax(*energy, before);
        for (int n = 0; n < 600 && tml_sim_step(r.sim, NULL) == TML_OK; n++) {
            const double now = run_energy(&r);
            rise = fmax(rise, now - before);
            before = now;
        }
        run_close(&r);
    }
    return rise;
}

TEST(bounces_of_rough_rods_win_no_energy)
{
    for (int i = 0; i < METHODS; i++) {
        double energy = 0.0;
        const double rise = throw_rods(&methods[i], &energy);
        printf("%s: largest rise %.1e J of %.0f\n", methods[i].name, rise, energy);
        // a hundredth of what impulses move may be misjudged by rows of the start of the step; without
        // the rule all of them win 0.7 J
        CHECK(rise < 2e-2);
    }
}
