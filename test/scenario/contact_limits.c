// test/scenario/contact_limits.c - joint limits beside contacts: maximal coordinates, which switch the rows of
// limits on while they push, find what `generalized` finds with limits as rows of the contact problem.
#include "test/check.h"
#include "test/scenario/touching.h"
#include "test/sim/world.h"

typedef struct method {
    const char* name;
    tml_formulation formulation;
    tml_integrator integrator;
} method;

static const method reference = {"generalized", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER};

static const method methods[] = {
    {"quaternion bdf1", TML_FORM_QUATERNION, TML_TIME_BDF1},
    {"quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2},
    {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
    {"affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},
    {"affine bdf1", TML_FORM_AFFINE, TML_TIME_BDF1},
};

typedef struct outcome {
    double angle;   // of the plank, rad
    vec3 ball;      // m
    double carry;   // largest force of the ball on the plank after the last step, N
    double beyond;  // how far the plank went past its limit at most, rad
} outcome;

// A plank falls on its limit, a ball on the plank; the impulse of the ball is handed on to the limit, and
// the ball rolls down while the limit carries both.
static outcome drop(const method* m, double step)
{
    static const double limit = 0.1;
    tml_spec* spec = tml_spec_create();
    run r;
    const tml_body ball = add_solid(
        spec, "ball", shape_of(TML_SHAPE_SPHERE, v3(0.1, 0.0, 0.0), 0.5), v3(0.3, 0.0, 1.2));
    const tml_body plank = add_solid(
        spec, "plank", shape_of(TML_SHAPE_BOX, v3(1.6, 0.2, 0.05), 0.5), v3(0.8, 0.0, 1.0));
    tml_joint_def hinge = tml_joint_def_default();
    hinge.kind = TML_JOINT_REVOLUTE;
    hinge.base = TML_WORLD;
    hinge.follower = plank;
    hinge.position = v3(0.0, 0.0, 1.0);
    hinge.axis = v3(0.0, 1.0, 0.0);
    hinge.axis_of[TML_AXIS_RX].has_limits = 1;
    hinge.axis_of[TML_AXIS_RX].lower = -0.5;
    hinge.axis_of[TML_AXIS_RX].upper = limit;
    const tml_joint j = tml_spec_add_joint(spec, &hinge);
    outcome out = {0};
    CHECK(run_freeze(&r, spec) == TML_OK);
    r.settings.formulation = m->formulation;
    r.settings.integrator = m->integrator;
    r.settings.step = step;
    r.settings.contact.is_on = 1;
    CHECK(run_start(&r) == TML_OK);
    double q[TML_AXES];
    for (int n = 0; n < (int)(0.6 / step + 0.5); n++) {
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        tml_sim_joint_coordinates(r.sim, j, q);
        out.beyond = fmax(out.beyond, q[0] - limit);
    }
    out.angle = q[0];
    out.ball = tml_sim_pose(r.sim, ball).p;
    out.carry = v3_norm(force_on(&r, ball));
    run_close(&r);
    return out;
}

TEST(limits_beside_contacts_are_those_of_joint_coordinates)
{
    const outcome exact = drop(&reference, 2.5e-4);
    printf("generalized: %.6f rad, ball at (%.5f, %.5f), %.3f N\n", exact.angle, exact.ball.x,
           exact.ball.z, exact.carry);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            const outcome o = drop(&methods[i], k == 0 ? 2e-3 : 1e-3);
            error[k] = v3_norm(v3_sub(o.ball, exact.ball)) + fabs(o.angle - exact.angle);
            printf("%s, %g ms: off by %.1e, %.3f N, beyond the limit by %.1e rad\n",
                   methods[i].name, k == 0 ? 2.0 : 1.0, error[k], o.carry, o.beyond);
            CHECK(o.beyond <= 1e-9);
            CHECK_NEAR(o.carry, exact.carry, 1e-4 * exact.carry);  // it rolls: one law, one answer
        }
        // a step of the ball at the metre a second it falls with
        CHECK(error[1] < 1e-3);
    }
}
