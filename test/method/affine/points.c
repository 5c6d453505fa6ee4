// test/method/affine/points.c - Newton updates by the dual of points against the Newton matrix itself, and what
// friction that sticks for an iteration leaves.                          [notes, contact section 6] [MABD Sec 6]
#include "method/affine/points.h"

#include "method/affine/method.h"
#include "scenes/nets.h"
#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/random.h"
#include "test/scenario/touching.h"

#include <string.h>

// A net on four pins under two rods on a ball joint with springs of both kinds, about to touch it.
static tml_spec* net_and_rods(void)
{
    tml_spec* spec = tml_spec_create();
    const net_def net = {.name = "net",
                         .rows = 3,
                         .columns = 3,
                         .corner = {-0.1, -0.1, 0.0},
                         .pitch = 0.1,
                         .ball = 0.012,
                         .rod = 0.01,
                         .density = 1000.0,
                         .friction = 0.4,
                         .group = 1};
    const tml_body first = add_net(spec, &net);
    tml_joint_def joint = tml_joint_def_default();
    joint.kind = TML_JOINT_SPHERICAL;
    for (int k = 0; k < 4; k++) {
        char name[16];
        snprintf(name, sizeof name, "pin.%d", k);
        joint.name = name;
        joint.base = TML_WORLD;
        joint.follower = (tml_body){first.index + 2 * (k % 2) + 6 * (k / 2)};
        // above the balls: pins in line with the rods could hold the flat net by no finite force
        joint.position = v3(-0.1 + 0.2 * (k % 2), -0.1 + 0.2 * (k / 2), 0.012);
        tml_spec_add_joint(spec, &joint);
    }
    const tml_shape_def rod = shape_of(TML_SHAPE_CAPSULE, v3(0.02, 0.0, 0.1), 0.3);
    const tml_body upper = add_solid(spec, "upper", rod, v3(0.03, 0.0, 0.1805));
    const tml_body lower = add_solid(spec, "lower", rod, v3(0.03, 0.0, 0.0805));
    joint.name = "knee";
    joint.base = upper;
    joint.follower = lower;
    joint.position = v3(0.03, 0.0, 0.1305);
    for (int k = 3; k < TML_AXES; k++) {
        joint.axis_of[k].stiffness = 0.3;
        joint.axis_of[k].damping = 0.02;
    }
    tml_spec_add_joint(spec, &joint);
    const tml_point points[3] = {
        {upper, v3(0.02, 0.0, 0.01)}, {lower, v3(0.02, 0.01, 0.0)}, {TML_WORLD, v3(0.0, 0.0, 0.5)}};
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.stiffness = 200.0;
    spring.damping = 1.0;
    for (int k = 0; k < 2; k++) {
        const tml_point ends[2] = {points[0], points[k + 1]};
        spring.name = k == 0 ? "cord" : "string";
        spring.points = ends;
        spring.rest_length = k == 0 ? 0.13 : 0.33;
        tml_spec_add_spring(spec, &spring);
    }
    return spec;
}

static tml_status start(run* r, tml_integrator integrator)
{
    const tml_status status = run_freeze(r, net_and_rods());
    if (status != TML_OK) return status;
    r->settings.formulation = TML_FORM_AFFINE;
    r->settings.integrator = integrator;
    r->settings.step = 2e-3;
    r->settings.contact.is_on = 1;
    r->settings.contact.stiffness = 2e3;
    return run_start(r);
}

// Somewhere near the last step's end, with joints open and forces that balance nothing.
static void shake(affine_system* a, random_source* random)
{
    for (int n = 0; n < a->s->node_count; n++) {
        affine_body* b = &a->body[n];
        b->move = v3_add(b->move, random_vec3(random, 2e-3));
        b->R_end = m3_mul(q_matrix(q_exp(random_vec3(random, 0.3))), b->R_end);
    }
    for (int row = 0; row < a->s->row_count; row++) {
        a->lambda[row] += random_between(random, -3.0, 3.0);
    }
}

static void fill_sides(maximal_system* s, random_source* random)
{
    for (int i = 0; i < 6 * s->node_count; i++) s->dx[i] = random_between(random, -1e-3, 1e-3);
    for (int row = 0; row < s->row_count; row++) s->dl[row] = random_between(random, -1e-3, 1e-3);
}

static double distance(const double* a, const double* b, int count)
{
    double most = 0.0;
    double size = 0.0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return most / size;
}

TEST(updates_by_the_dual_are_those_of_the_matrix)
{
    static const tml_integrator integrators[2] = {TML_TIME_ENERGY_DAMPED, TML_TIME_BDF1};
    enum {
        MOST = 600
    };
    static double dx[MOST], dl[MOST];
    int pushing = 0;
    double worst = 0.0;
    for (int m = 0; m < 2; m++) {
        random_source random = random_start(17);
        run r;
        CHECK(start(&r, integrators[m]) == TML_OK);
        affine_system* a = tml__affine_of(r.sim);
        CHECK(a != NULL && a->points != NULL);
        CHECK(6 * a->s->node_count <= MOST && a->s->row_count <= MOST);
        const double h = r.settings.step;
        const affine_stage stage = {h, 1.0, h * h, m == 0 ? 0.5 : 1.0, AFFINE_MEAN};
        for (int k = 0; k < 60; k++) {
            CHECK(run_step(&r) == TML_OK);
            shake(a, &random);
            tml__affine_evaluate(a, &stage);
            fill_sides(a->s, &random);
            memcpy(dx, a->s->dx, 6 * (size_t)a->s->node_count * sizeof *dx);
            memcpy(dl, a->s->dl, (size_t)a->s->row_count * sizeof *dl);
            CHECK(tml__points_factor(a->points, &stage) == TML_OK);
            tml__points_solve(a->points);
            for (int i = 0; i < 6 * a->s->node_count; i++) {
                const double swap = a->s->dx[i];
                a->s->dx[i] = dx[i];
                dx[i] = swap;
            }
            for (int row = 0; row < a->s->row_count; row++) {
                const double swap = a->s->dl[row];
                a->s->dl[row] = dl[row];
                dl[row] = swap;
            }
            CHECK(tml__affine_factor(a, &stage) == TML_OK);
            pushing += a->coupling_count > 0;
            tml__affine_solve_coupled(a);
            worst = fmax(worst, distance(dx, a->s->dx, 6 * a->s->node_count));
            worst = fmax(worst, distance(dl, a->s->dl, a->s->row_count));
        }
        run_close(&r);
    }
    printf("  farthest %.1e, %d of 120 with contacts that couple\n", worst, pushing);
    CHECK(worst < 1e-6);  // GMRES leaves 1e-8 of the right-hand side
    CHECK(pushing > 30);
}

// Friction that passes from sliding one way to sliding the other is taken to stick for an iteration: rods that
// roll and slide on a net settle in a few iterations of undivided steps, and no energy comes of it.
TEST(rods_fall_on_a_net_in_few_iterations)
{
    run r;
    CHECK(start(&r, TML_TIME_ENERGY_DAMPED) == TML_OK);
    CHECK(run_steps(&r, 400) == TML_OK);
    const tml_sim_report report = tml_sim_get_report(r.sim);
    const double iterations = (double)report.newton_iterations / (double)report.steps;
    printf("  %.2f iterations a step, %lld substeps, gain %.1e\n", iterations, report.substeps,
           report.max_gain);
    CHECK(report.max_gain <= 1e-12);  // rounding, of kinetic energy and work
    CHECK(report.substeps <= 8 && iterations < 6.0);
    run_close(&r);
}
