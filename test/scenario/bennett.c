// test/scenario/bennett.c - Bennett's linkage in joint coordinates: four hinges askew that turn, because one row of
// their loop depends on the others wherever it is closed, and nowhere else.
#include "math/scalar.h"
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/run.h"

#include <math.h>
#include <string.h>

typedef struct frame {
    mat3 R;
    vec3 p;
} frame;

static mat3 turn(vec3 axis, double angle) { return q_matrix(q_exp(v3_scale(angle, axis))); }

// To the next hinge: about this one, along the link, and by its twist.
static frame next_hinge(frame f, double angle, double length, double twist)
{
    const mat3 R = m3_mul(f.R, turn(v3_unit(2), angle));
    return (frame){m3_mul(R, turn(v3_unit(0), twist)),
                   v3_add(f.p, v3_scale(length, m3_column(R, 0)))};
}

static tml_body add_link(tml_spec* spec, vec3 from, vec3 to, double mass, random_source* r)
{
    tml_body_def def = tml_body_def_default();
    const mat3 J = random_inertia(r);
    const double inertia[6] = {0.05 * J.m[0][0], 0.05 * J.m[1][1], 0.05 * J.m[2][2],
                               0.05 * J.m[0][1], 0.05 * J.m[0][2], 0.05 * J.m[1][2]};
    memcpy(def.inertia, inertia, sizeof inertia);
    def.mass = mass;
    def.pose.p = v3_scale(0.5, v3_add(from, to));
    return tml_spec_add_body(spec, &def);
}

// Lengths and twists as Bennett asks, a / sin alpha = b / sin beta, at any angle.
static tml_spec* bennett(int seed)
{
    random_source r = random_start((uint64_t)seed + 7);
    tml_spec* spec = tml_spec_create();
    const double alpha = random_between(&r, 0.4, 1.2);
    const double beta = alpha + random_between(&r, 0.1, 0.5);
    const double a = random_between(&r, 0.2, 0.4);
    const double b = a * sin(beta) / sin(alpha);
    const double first = random_between(&r, 0.6, 2.4);
    const double ratio = sin(0.5 * (beta + alpha)) / sin(0.5 * (beta - alpha));
    const double second = 2.0 * atan(ratio / tan(0.5 * first));
    const double angles[4] = {first, second, -first, -second};
    frame f[5] = {{m3_identity(), v3_zero()}};
    for (int i = 0; i < 4; i++) {
        f[i + 1] = next_hinge(f[i], angles[i], i % 2 == 0 ? a : b, i % 2 == 0 ? alpha : beta);
    }
    CHECK(v3_norm(f[4].p) < 1e-14);
    tml_body links[4] = {{0}, {0}, {0}, TML_WORLD};
    for (int i = 0; i < 3; i++) {
        links[i] = add_link(spec, f[i].p, f[i + 1].p, random_between(&r, 0.2, 1.0), &r);
    }
    for (int i = 0; i < 4; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_REVOLUTE;
        def.base = i == 0 ? TML_WORLD : links[i - 1];
        def.follower = links[i];
        if (i == 3) {
            def.base = links[2];
            def.follower = TML_WORLD;
        }
        def.position = f[i].p;
        def.axis = m3_column(f[i].R, 2);
        tml_spec_add_joint(spec, &def);
    }
    return spec;
}

// The stages of a step stand off the closed poses, where the loop's rows seem independent: their accelerations were
// beyond all bounds, and 1.05 J became 234 J.
TEST(bennett_linkages_keep_their_energy)
{
    static const struct {
        tml_integrator integrator;
        double step, error;  // of the largest kinetic energy
    } methods[3] = {
        {TML_TIME_RK4, 1e-3, 1e-6}, {TML_TIME_RK4, 5e-3, 1e-3}, {TML_TIME_PROJECTED, 5e-3, 0.1}};
    for (int i = 0; i < 3; i++) {
        double worst = 0.0;
        for (int seed = 0; seed < 12; seed++) {
            run r;
            CHECK(run_freeze(&r, bennett(seed)) == TML_OK);
            r.settings.formulation = TML_FORM_GENERALIZED;
            r.settings.integrator = methods[i].integrator;
            r.settings.step = methods[i].step;
            CHECK(run_start(&r) == TML_OK);
            const double first = run_energy(&r);
            double kinetic = 0.0;
            double error = 0.0;
            for (double t = 0.0; t < 1.0; t += methods[i].step) {
                if (run_step(&r) != TML_OK) {
                    CHECK(false);
                    break;
                }
                kinetic = larger_of(kinetic, tml_sim_energy(r.sim).kinetic);
                error = larger_of(error, fabs(run_energy(&r) - first));
            }
            if (!(error <= methods[i].error * kinetic))
                printf("linkage %d: %.1e\n", seed, error / kinetic);
            CHECK(kinetic > 0.05);  // it moves
            worst = larger_of(worst, error / kinetic);
            run_close(&r);
        }
        printf("%s, %g s: energy to %.1e of the kinetic\n",
               tml_integrator_name(methods[i].integrator), methods[i].step, worst);
        CHECK(worst <= methods[i].error);
    }
}
