// test/method/quaternion/conditioning.c - the scaled matrix is as good at a microsecond as at 0.1 s.
//
// Force rows times c_q and multipliers over c_q make the matrix of a stage independent of the step
// in the limit [QRBD (30) Sec 6.1]; without the scaling its condition number grows without bound.
#include "math/small.h"
#include "scenes/scenes.h"
#include "sim/sim_internal.h"
#include "test/check.h"

enum {
    LARGEST = 200
};

// |A|_1 |A^-1|_1, by solving for every unit vector.
static double condition_of(const double* a, int n)
{
    static double factor[LARGEST * LARGEST];
    int pivot[LARGEST];
    double norm = 0.0;
    double inverse_norm = 0.0;
    memcpy(factor, a, (size_t)(n * n) * sizeof *a);
    CHECK(tml__lu_factor(n, factor, n, pivot) == TML_OK);
    for (int k = 0; k < n; k++) {
        double column[LARGEST] = {0};
        double sum = 0.0;
        double inverse_sum = 0.0;
        column[k] = 1.0;
        tml__lu_solve(n, factor, n, pivot, column);
        for (int i = 0; i < n; i++) {
            sum += fabs(a[i * n + k]);
            inverse_sum += fabs(column[i]);
        }
        norm = fmax(norm, sum);
        inverse_norm = fmax(inverse_norm, inverse_sum);
    }
    return norm * inverse_norm;
}

// The matrix of the last stage; `scale` undoes the scaling of forces and multipliers when not 1.
static double condition_at(const maximal_system* s, double scale)
{
    static double a[LARGEST * LARGEST];
    const int forces = 6 * s->node_count;
    const int n = forces + s->row_count;
    for (int k = 0; k < n; k++) {
        double unit[LARGEST] = {0};
        double column[LARGEST];
        unit[k] = 1.0;
        tml__kkt_apply(s->matrix, unit, unit + forces, column, column + forces);
        for (int i = 0; i < n; i++) {
            const double row_scale = i < forces ? 1.0 / scale : 1.0;
            const double column_scale = k >= forces ? scale : 1.0;
            a[i * n + k] = row_scale * column_scale * column[i];
        }
    }
    return condition_of(a, n);
}

typedef struct conditions {
    double scaled, plain;
} conditions;

// A few steps of BDF2 from the scene's start, at the step h.
static conditions run(const char* name, double h)
{
    conditions out = {0};
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    CHECK(scenes_fill(scene, scenes_find(name)) == TML_OK);
    CHECK(tml_scene_build(scene, &model) == TML_OK);
    tml_sim_settings settings = tml_scene_settings(scene)->sim;
    settings.integrator = TML_TIME_BDF2;
    settings.solver = TML_SOLVER_DENSE;
    settings.step = h;
    CHECK(tml_sim_create(model, &settings, &sim) == TML_OK);
    for (int k = 0; k < 4; k++) {
        const tml_status status = tml_sim_step(sim, NULL);
        if (status != TML_OK) printf("%s at %g s: %s\n", name, h, tml_sim_message(sim));
        CHECK(status == TML_OK);
    }
    CHECK(6 * sim->system->node_count + sim->system->row_count <= LARGEST);
    const double c = h * 2.0 / 3.0;
    out.scaled = condition_at(sim->system, 1.0);
    out.plain = condition_at(sim->system, c * c);
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return out;
}

TEST(conditioning_does_not_depend_on_the_step)  // [QRBD (30) Sec 6.1]
{
    static const char* const names[] = {"pendulum",  "double-pendulum", "universal-pendulum",
                                        "heavy-top", "robot-arm",       "showcase"};
    for (int i = 0; i < 6; i++) {
        const conditions finest = run(names[i], 1e-6);
        printf("%s: %.3g at 1e-6 s (plain %.1e);", names[i], finest.scaled, finest.plain);
        for (int decade = 1; decade <= 5; decade++) {
            const double h = pow(10.0, -decade);
            const conditions at = run(names[i], h);
            printf(" %.3g at %g s", at.scaled, h);
            // the limit of small steps, and what forces and spin weigh against inertia besides:
            // turns of a radian a step at 0.01 and 0.1 s, a tenth of that at 1e-3 s and below
            CHECK(at.scaled < 3.0 * finest.scaled && finest.scaled < 3.0 * at.scaled);
            if (decade >= 3) CHECK_NEAR(at.scaled / finest.scaled, 1.0, 0.1);
        }
        printf("\n");
        // and the scaling is what does it: plain forces lose six digits and more
        CHECK(finest.plain > 1e6 * finest.scaled);
    }
}
