// test/scenario/limits_of_balls.c - limits on the angles of balls, met anywhere.
#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/run.h"

// A rod on a ball whose angles have limits, thrown; every second one has another on a ball at its end.
static tml_spec* thrown_balls(random_source* r, tml_joint_def joints[2])
{
    tml_spec* spec = tml_spec_create();
    tml_body last = TML_WORLD;
    const int count = 1 + random_below(r, 2);
    for (int i = 0; i < count; i++) {
        tml_body_def rod = tml_body_def_default();
        rod.mass = random_between(r, 0.5, 2.0);
        rod.inertia[0] = rod.mass * random_between(r, 0.002, 0.02);
        rod.inertia[1] = rod.inertia[2] = rod.mass * random_between(r, 0.01, 0.03);
        rod.pose.p = v3(0.25 + 0.5 * i, 0.0, 0.0);
        rod.velocity.angular = random_vec3(r, 5.0);
        tml_joint_def* j = &joints[i];
        *j = tml_joint_def_default();
        j->kind = TML_JOINT_SPHERICAL;
        j->base = last;
        j->follower = last = tml_spec_add_body(spec, &rod);
        j->position = v3(0.5 * i, 0.0, 0.0);
        j->axis = random_vec3(r, 1.0);
        for (int k = TML_AXIS_RX; k < TML_AXES; k++) {
            tml_joint_axis* a = &j->axis_of[k];
            if (random_below(r, 3) > 0) continue;
            a->has_limits = 1;
            a->lower = -random_between(r, 0.1, k == TML_AXIS_RY ? 1.5 : 3.0);
            a->upper = random_between(r, 0.1, k == TML_AXIS_RY ? 1.5 : 3.0);
        }
        tml_spec_add_joint(spec, j);
    }
    return spec;
}

// By how much an angle is beyond, as far as it means something: next to gimbal lock it is told by its cosine.
static double beyond(const tml_joint_def* j, const double q[3])
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const tml_joint_axis* a = &j->axis_of[TML_AXIS_RX + k];
        if (!a->has_limits) continue;
        const double by = larger_of(a->lower - q[k], q[k] - a->upper);
        const double less = 2.0 * TML_PI - (a->upper - a->lower) - by;  // the other way round
        const double nearest = k == 1 || by < less ? by : less;
        const double radius = k == 1 ? 1.0 : fabs(tml__cos(q[1]));
        if (by > 0.0) most = larger_of(most, radius * tml__sin(fmin(nearest, 0.5 * TML_PI)));
    }
    return most;
}

// Angles of a ball mean nothing where the middle one is a quarter of a turn; the walls between what a limit allows
// and what not go on through there.
TEST(limits_of_balls_hold_through_gimbal_lock_in_every_formulation)
{
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        double most = 0.0;
        double rise = 0.0;
        for (unsigned seed = 0; seed < 40; seed++) {
            random_source random = random_start(700 + seed);
            tml_joint_def joints[2];
            run r;
            CHECK(run_freeze(&r, thrown_balls(&random, joints)) == TML_OK);
            r.settings.formulation = (tml_formulation)f;
            r.settings.integrator = tml_formulation_default_integrator((tml_formulation)f);
            r.settings.step = 5e-3;
            CHECK(run_start(&r) == TML_OK);
            const double scale = fabs(run_energy(&r)) + 5.0;
            double energy = run_energy(&r);
            for (int n = 0; n < 200; n++) {
                const tml_status status = run_step(&r);
                CHECK(status == TML_OK);
                if (status != TML_OK) {
                    printf("    %s, ball %u, step %d: %s\n",
                           tml_formulation_name((tml_formulation)f), seed, n,
                           tml_sim_message(r.sim));
                    break;
                }
                rise = larger_of(rise, (run_energy(&r) - energy) / scale);
                energy = run_energy(&r);
                for (int k = 0; k < tml_model_joint_count(r.model); k++) {
                    double q[TML_AXES];
                    tml_sim_joint_coordinates(r.sim, (tml_joint){k}, q);
                    most = larger_of(most, beyond(&joints[k], q));
                }
            }
            run_close(&r);
        }
        printf("%s: beyond by %.1e, rises by %.1e of the energy\n",
               tml_formulation_name((tml_formulation)f), most, rise);
        CHECK(most < 1e-9);
        // what the methods themselves are wrong by in a step of 5 ms
        CHECK(rise < 5e-3);
    }
}
