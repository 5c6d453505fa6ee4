// Bodies that go farther in a step than the margin sees, and shapes that are told not to touch: in every
// formulation.
#include "test/check.h"
#include "test/scenario/touching.h"

typedef struct method {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
} method;

static const method methods[] = {
    {"quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2},
    {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
    {"affine energy", TML_FORM_AFFINE, TML_TIME_ENERGY},
    {"generalized", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER},
};

enum {
    METHODS = (int)(sizeof methods / sizeof *methods)
};

static tml_status start_by(run* r, tml_spec* spec, const method* m)
{
    return start_touching(r, spec, m->formulation, m->integrator, 0.01);
}

// A ball of 2 cm at 30 m/s makes 30 cm a step; the wall is 1 cm thick. It stops at the wall, and the
// report names the two and tells how fast they met.
TEST(a_bullet_does_not_pass_a_sheet)
{
    for (int i = 0; i < METHODS; i++) {
        tml_spec* spec = tml_spec_create();
        run r;
        tml_shape_def wall = shape_of(TML_SHAPE_BOX, v3(0.01, 2.0, 2.0), 0.0);
        wall.pose.p = v3(2.0, 0.0, 0.0);
        tml_spec_add_world_shape(spec, &wall);
        tml_spec_set_gravity(spec, v3_zero());
        tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.02, 0.0, 0.0), 0.0);
        tml_body_def ball = tml_body_def_default();
        ball.name = "bullet";
        ball.mass = 0.1;
        for (int k = 0; k < 3; k++) ball.inertia[k] = 0.4 * 0.1 * 4e-4;
        ball.velocity.linear = v3(30.0, 0.0, 0.0);
        ball.shapes = &shape;
        ball.shape_count = 1;
        const tml_body b = tml_spec_add_body(spec, &ball);
        CHECK(start_by(&r, spec, &methods[i]) == TML_OK);
        CHECK(run_steps(&r, 20) == TML_OK);
        const tml_sim_report report = tml_sim_get_report(r.sim);
        // at the surface of the wall, less the radius; nothing pulls it away again
        CHECK_NEAR(tml_sim_pose(r.sim, b).p.x, 2.0 - 0.005 - 0.02, 1e-6);
        CHECK_NEAR(tml_sim_velocity(r.sim, b).linear.x, 0.0, 1e-7);
        CHECK(report.fast_contacts > 0);
        CHECK_NEAR(report.fast_speed, 30.0, 1e-9);
        CHECK(report.fast_a.index + report.fast_b.index == -1);  // body 0 and the world
        run_close(&r);
    }
}

// Two balls above each other over the ground: they touch unless they share a group.
TEST(shapes_of_a_group_do_not_touch_each_other)
{
    for (int i = 0; i < 2 * METHODS; i++) {
        const int is_grouped = i % 2;
        tml_spec* spec = tml_spec_create();
        run r;
        tml_shape_def shape = shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.5);
        shape.group = is_grouped ? 7 : 0;
        add_ground(spec, 0.5, 0.0);
        add_solid(spec, "lower", shape, v3(0.0, 0.0, 0.1));
        const tml_body upper = add_solid(spec, "upper", shape, v3(0.0, 0.0, 0.3));
        CHECK(start_by(&r, spec, &methods[i / 2]) == TML_OK);
        CHECK(run_steps(&r, 50) == TML_OK);
        CHECK_NEAR(tml_sim_pose(r.sim, upper).p.z, is_grouped ? 0.1 : 0.3, 1e-6);
        run_close(&r);
    }
}
