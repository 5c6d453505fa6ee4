// Compliant contacts between bodies that both move, as part of the affine Newton matrix: closed forms, what is
// conserved, and how Newton converges with what couples them kept apart.  [notes, contact section 6]
#include "test/check.h"
#include "test/scenario/touching.h"

#include <stdbool.h>

static const double stiffness = 1e5;

static tml_status start(run* r, tml_spec* spec, tml_integrator integrator)
{
    const tml_status status = run_freeze(r, spec);
    if (status != TML_OK) return status;
    r->settings.formulation = TML_FORM_AFFINE;
    r->settings.integrator = integrator;
    r->settings.step = 5e-3;
    r->settings.contact.is_on = 1;
    r->settings.contact.stiffness = stiffness;
    return run_start(r);
}

// Cubes of 8 kg on four corners each: contact i of a stack of n carries n - i cubes, and gives way by
// their weight over 4 k.
TEST(a_stack_sinks_as_far_as_its_springs_say)  // [MABD Sec 6]
{
    enum {
        CUBES = 4
    };
    static const tml_integrator integrators[2] = {TML_TIME_ENERGY_DAMPED, TML_TIME_BDF1};
    for (int m = 0; m < 2; m++) {
        tml_spec* spec = tml_spec_create();
        run r;
        add_ground(spec, 0.5, 0.0);
        for (int i = 0; i < CUBES; i++) {
            char name[24];
            snprintf(name, sizeof name, "cube.%d", i);
            add_solid(spec, name, shape_of(TML_SHAPE_BOX, v3(0.2, 0.2, 0.2), 0.5),
                      v3(0.0, 0.0, 0.1 + 0.2 * i));
        }
        CHECK(start(&r, spec, integrators[m]) == TML_OK);
        CHECK(run_steps(&r, 600) == TML_OK);
        double sunk = 0.0;
        for (int i = 0; i < CUBES; i++) {
            sunk += (CUBES - i) * 8.0 * 9.81 / (4.0 * stiffness);
            // 3 s of a damped spring of 2.7 kHz: nothing of its motion is left
            CHECK_NEAR(tml_sim_pose(r.sim, (tml_body){i}).p.z, 0.1 + 0.2 * i - sunk, 1e-9);
        }
        const tml_sim_report report = tml_sim_get_report(r.sim);
        printf("  %.2f Newton iterations a step, %lld pieces of divided steps\n",
               (double)report.newton_iterations / (double)report.steps, report.substeps);
        CHECK(report.newton_iterations <= 3 * report.steps);
        run_close(&r);
    }
}

// Two bodies that meet in space, off their centres: forces are equal and opposite at one point.
TEST(bodies_that_meet_keep_their_momenta)
{
    tml_spec* spec = tml_spec_create();
    run r;
    vec3 before[2];
    vec3 after[2];
    tml_spec_set_gravity(spec, v3_zero());
    const double at[2] = {-0.3, 0.3};
    for (int i = 0; i < 2; i++) {
        tml_shape_def shape = shape_of(TML_SHAPE_BOX, v3(0.2, 0.3, 0.1), 0.4);
        tml_body_def body = tml_body_def_default();
        body.name = i == 0 ? "left" : "right";
        body.mass = 2.0 + i;
        body.inertia[0] = 0.02;
        body.inertia[1] = 0.01;
        body.inertia[2] = 0.03;
        body.pose.p = v3(at[i], 0.08 * i, 0.02 * i);
        body.velocity.linear = v3(i == 0 ? 1.0 : -1.0, 0.1, 0.0);
        body.velocity.angular = v3(0.3, -0.2, 0.5 * i);
        body.shapes = &shape;
        body.shape_count = 1;
        tml_spec_add_body(spec, &body);
    }
    CHECK(start(&r, spec, TML_TIME_ENERGY_DAMPED) == TML_OK);
    bool has_met = false;
    double energy = tml_sim_energy(r.sim).kinetic;
    for (int k = 0; k <= 100; k++) {
        vec3* to = k == 0 ? before : after;
        to[0] = to[1] = v3_zero();
        for (int i = 0; i < 2; i++) {
            const tml_pose p = tml_sim_pose(r.sim, (tml_body){i});
            const tml_velocity v = tml_sim_velocity(r.sim, (tml_body){i});
            const mat3 R = q_matrix(p.q);
            const vec3 w = m3_apply_t(R, v.angular);
            const vec3 spin = m3_apply(R, v3(0.02 * w.x, 0.01 * w.y, 0.03 * w.z));
            to[0] = v3_axpy(to[0], 2.0 + i, v.linear);
            to[1] = v3_add(to[1], v3_axpy(spin, 2.0 + i, v3_cross(p.p, v.linear)));
        }
        if (k == 100) break;
        CHECK(run_step(&r) == TML_OK);
        has_met = has_met || v3_norm(force_on(&r, (tml_body){0})) > 1.0;
        const tml_energy now = tml_sim_energy(r.sim);
        CHECK(now.kinetic + now.potential <= energy + 1e-12);
        energy = now.kinetic + now.potential;
    }
    CHECK(has_met);
    CHECK_NEAR(v3_norm(v3_sub(after[0], before[0])), 0.0, 1e-9);
    // arms are those where a step began, so that the moment is kept to the way of a step only
    printf("  angular momentum changed by %.1e of %.1e\n", v3_norm(v3_sub(after[1], before[1])),
           v3_norm(before[1]));
    CHECK(v3_norm(v3_sub(after[1], before[1])) < 2e-3 * v3_norm(before[1]));
    run_close(&r);
}
