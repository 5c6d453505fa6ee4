// test/scenario/attached_forms.c - deformables that bodies carry, in every maximal formulation: orders
// against backward differences, momenta, energy, and vertices that stay where they are held.
#include "test/scenario/attached.h"

typedef struct form_case {
    tml_formulation formulation;
    tml_integrator integrator;
    double order;
    int steps;
} form_case;

static const form_case cases[] = {
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, 2.0, 200},
    {TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL4, 4.0, 40},
};

enum {
    CASES = sizeof cases / sizeof *cases
};

// The reference is another formulation with another formula: backward differences of order 6.
TEST(every_maximal_formulation_keeps_its_order_with_carried_vertices)
{
    for (int is_consistent = 0; is_consistent < 2; is_consistent++) {
        tml_model* model = clamped_with_block(is_consistent == 1);
        const outcome exact =
            run(model, TML_FORM_QUATERNION, TML_TIME_BDF6, is_consistent ? 2000 : 1200, 0.2);
        for (int i = 0; i < CASES; i++) {
            const form_case* c = &cases[i];
            double error[2];
            for (int r = 0; r < 2; r++) {
                const outcome got = run(model, c->formulation, c->integrator,
                                        (is_consistent ? 2 : 1) * c->steps << r, 0.2);
                error[r] = difference(&got, &exact);
            }
            const double seen = log2(error[0] / error[1]);
            printf("%s %s, %s masses: order %.2f (%.1e m/s left)\n",
                   tml_formulation_name(c->formulation), tml_integrator_name(c->integrator),
                   is_consistent ? "consistent" : "lumped", seen, error[1]);
            // what the next term of the error adds at these steps
            CHECK_NEAR(seen, c->order, 0.2);
        }
        tml_model_destroy(model);
    }
}

// Nothing outside acts: both momenta are kept to what Newton's tolerance leaves of them, for the
// equations are those of a discrete principle, or of mean rotations, that turns with space.
TEST(momenta_are_kept_by_carried_vertices)
{
    tml_model* model = two_blocks();
    for (int i = 0; i < CASES; i++) {
        tml_sim_settings settings = tml_sim_settings_default();
        settings.formulation = cases[i].formulation;
        settings.integrator = cases[i].integrator;
        settings.step = 0.01;
        settings.tolerance = 1e-12;
        tml_sim* sim = soft_sim(model, &settings);
        if (sim == NULL) continue;
        const momenta start = momenta_of(sim);
        soft_run(sim, 100);
        const momenta end = momenta_of(sim);
        const double linear = soft_distance(start.linear, end.linear);
        const double angular = soft_distance(start.angular, end.angular);
        printf("%s %s: momentum off by %.1e kg m/s, angular by %.1e kg m^2/s\n",
               tml_formulation_name(settings.formulation), tml_integrator_name(settings.integrator),
               linear, angular);
        CHECK(linear < 1e-9);
        CHECK(angular < 1e-9);
        CHECK(fabs(tml_sim_velocity(sim, (tml_body){0}).linear.z) > 0.05);
        tml_sim_destroy(sim);
    }
    tml_model_destroy(model);
}
