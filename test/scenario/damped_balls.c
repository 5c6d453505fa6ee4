// test/scenario/damped_balls.c - dampers of three turns hold back the angular velocity along the base's axes.
//
// A body whose three moments of inertia are J, on a ball at its centre of mass: each component of its angular velocity along
// an axis of the base dies away by exp(-c t/J), whatever its orientation, gimbal lock included.
#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/run.h"

static const double moment = 0.3;
static const double speed = 6.0;  // rad/s: most of a turn in the second of a run

static tml_spec* ball_with(tml_joint_kind kind, const double damping[3], quat base, vec3 spin)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    body.mass = 2.0;
    for (int k = 0; k < 3; k++) body.inertia[k] = moment;
    body.velocity.angular = spin;
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = kind;
    joint.follower = tml_spec_add_body(spec, &body);
    joint.axis = q_rotate(base, v3(1.0, 0.0, 0.0));
    for (int k = 0; k < 3; k++) joint.axis_of[TML_AXIS_RX + k].damping = damping[k];
    tml_spec_set_gravity(spec, v3_zero());
    tml_spec_add_joint(spec, &joint);
    return spec;
}

// How far the angular velocity after a second is from the closed form, of the speed.
static double wrong_by(tml_formulation f, double h, const double damping[3], quat base, vec3 spin)
{
    run r;
    CHECK(run_freeze(&r, ball_with(TML_JOINT_SPHERICAL, damping, base, spin)) == TML_OK);
    r.settings.formulation = f;
    r.settings.integrator = tml_formulation_default_integrator(f);
    r.settings.step = h;
    CHECK(run_start(&r) == TML_OK);
    tml_pose frames[2];
    tml_model_joint_frames(r.model, (tml_joint){0}, &frames[0], &frames[1]);
    vec3 right = v3_zero();
    for (int k = 0; k < 3; k++) {
        const vec3 axis = q_rotate(frames[0].q, v3_unit(k));
        right = v3_axpy(right, v3_dot(axis, spin) * tml__exp(-damping[k] / moment), axis);
    }
    for (int n = 0; n < (int)(1.0 / h + 0.5); n++) CHECK(run_step(&r) == TML_OK);
    const vec3 omega = tml_sim_velocity(r.sim, (tml_body){0}).angular;
    run_close(&r);
    return v3_norm(v3_sub(omega, right)) / speed;
}

TEST(turns_of_balls_die_away_as_their_dampers_say)
{
    random_source random = random_start(31);
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        double worst[2] = {0.0, 0.0};
        for (int i = 0; i < 12; i++) {
            // all alike, one alone, any three
            const double first = random_between(&random, 0.05, 0.4);
            const double damping[3] = {first,
                                       i % 3 == 0   ? first
                                       : i % 3 == 1 ? 0.0
                                                    : random_between(&random, 0.0, 0.4),
                                       i % 3 == 0   ? first
                                       : i % 3 == 1 ? 0.0
                                                    : random_between(&random, 0.0, 0.4)};
            const quat base = random_quat(&random);
            const vec3 spin = v3_scale(speed, q_rotate(random_quat(&random), v3(0.0, 0.0, 1.0)));
            for (int fine = 0; fine < 2; fine++) {
                const double h = fine ? 2.5e-3 : 5e-3;
                worst[fine] =
                    fmax(worst[fine], wrong_by((tml_formulation)f, h, damping, base, spin));
            }
        }
        printf("%s: off by %.1e at 5 ms, %.1e at 2.5 ms\n",
               tml_formulation_name((tml_formulation)f), worst[0], worst[1]);
        CHECK(worst[0] < 1e-2);
        CHECK(worst[1] < 0.6 * worst[0]);  // of first order at least
    }
}
