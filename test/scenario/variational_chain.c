// test/scenario/variational_chain.c - chains by least action: through singular poses, and the largest step
// that a taut chain allows.                                                        [VMAX Fig 5 Fig 6]
#include "test/check.h"
#include "test/scenario/run.h"

// A link from `from`, of length `length` along `along`, which `turn` makes of x; a thin rod of 1 kg.
static tml_body add_link(tml_spec* spec, vec3 from, vec3 along, quat turn, double length)
{
    tml_body_def def = tml_body_def_default();
    memset(def.inertia, 0, sizeof def.inertia);
    def.inertia[0] = 1e-4 * length * length;
    def.inertia[1] = length * length / 12.0;
    def.inertia[2] = def.inertia[1];
    def.pose.p = v3_axpy(from, 0.5 * length, along);
    def.pose.q = turn;
    return tml_spec_add_body(spec, &def);
}

static void add_hinge(tml_spec* spec, tml_body base, tml_body follower, vec3 point)
{
    tml_joint_def def = tml_joint_def_default();
    def.kind = TML_JOINT_REVOLUTE;
    def.base = base;
    def.follower = follower;
    def.position = point;
    def.axis = v3(0.0, 1.0, 0.0);
    tml_spec_add_joint(spec, &def);
}

// Links of 1 m in a standing zigzag, hinged to the world at both ends.
static tml_spec* closed_chain(int links)
{
    tml_spec* spec = tml_spec_create();
    vec3 at = v3_zero();
    tml_body last = TML_WORLD;
    for (int i = 0; i < links; i++) {
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        const quat turn = q_about(1, -side * atan(1.0));
        const vec3 along = q_rotate(turn, v3_unit(0));
        const tml_body link = add_link(spec, at, along, turn, 1.0);
        add_hinge(spec, last, link, at);
        at = v3_add(at, along);
        last = link;
    }
    add_hinge(spec, TML_WORLD, last, at);
    return spec;
}

static tml_status start(run* r, tml_spec* spec, double step)
{
    const tml_status status = run_freeze(r, spec);
    if (status != TML_OK) return status;
    r->settings.formulation = TML_FORM_VARIATIONAL;
    r->settings.integrator = TML_TIME_VARIATIONAL;
    r->settings.step = step;
    return run_start(r);
}

// The largest distance of the energy from its start, over what can fall.
static double run_closed(double step)
{
    const int links = 10;
    const double drop = 0.25 * 9.81 * links * links;  // J, as bench/chains counts
    const int steps = (int)(10.0 / step + 0.5);
    double off = 0.0;
    run r;
    CHECK(start(&r, closed_chain(links), step) == TML_OK);
    const double before = run_energy(&r);
    for (int i = 0; i < steps; i++) {
        CHECK(run_step(&r) == TML_OK);
        off = larger_of(fabs(run_energy(&r) - before), off);
    }
    const tml_sim_report report = tml_sim_get_report(r.sim);
    printf("10 s at %g ms: energy within %.1e of the drop, %lld pieces, %lld steps at order 1, gap "
           "%.1e\n",
           1e3 * step, off / drop, report.substeps, report.fallback_steps, report.max_gap);
    CHECK(report.fallback_steps == 0);
    CHECK(report.max_gap <= 1e-10);
    run_close(&r);
    return off / drop;
}

// Links that fold onto each other are singular poses. A step that meets one is divided before the rows
// at its end are asked, for these are of order 1.
TEST(a_closed_chain_of_hinges_passes_its_singular_poses_at_order_2)
{
    // whips that last a few steps cost 0.30 at 10 ms; the motion is chaotic, so that a quarter of the
    // step need not give a sixteenth
    CHECK(run_closed(0.01) < 0.5);
    CHECK(run_closed(0.0025) < 0.1);
}

// ---- the largest step of a taut chain

enum {
    HANGING = 50
};

// Hanging links that are turned by a microradian to and fro.
static tml_spec* hanging_chain(double length)
{
    tml_spec* spec = tml_spec_create();
    vec3 at = v3_zero();
    tml_body last = TML_WORLD;
    for (int i = 0; i < HANGING; i++) {
        const double side = i % 2 == 0 ? 1e-6 : -1e-6;
        const quat turn = q_about(1, 2.0 * atan(1.0) + side);
        const vec3 along = q_rotate(turn, v3_unit(0));
        const tml_body link = add_link(spec, at, along, turn, length);
        add_hinge(spec, last, link, at);
        at = v3_axpy(at, length, along);
        last = link;
    }
    return spec;
}

// How far a link gets from the vertical line through the pin in 300 steps; 0.1 mm is far enough. And how many substeps
// that took.
static double swing(double step, double length, long long* substeps)
{
    double most = 0.0;
    run r;
    CHECK(start(&r, hanging_chain(length), step) == TML_OK);
    for (int i = 0; i < 300 && most < 1e-4; i++) {
        CHECK(run_step(&r) == TML_OK);
        for (int k = 0; k < HANGING; k++) {
            most = larger_of(fabs(tml_sim_pose(r.sim, (tml_body){k}).p.x), most);
        }
    }
    *substeps = tml_sim_get_report(r.sim).substeps;
    run_close(&r);
    return most;
}

// Rows push along the directions that they have at the start of a step, so what swings across a taut
// chain is stepped explicitly. Its fastest mode has links turning to and fro: w^2 = T l / (m l^2 / 12) with
// the tension T, at most the weight, and steps of w h > 2 grow. Prediction and line search
// cannot help there: the next iterate is not where the motion is.
TEST(a_taut_chain_allows_steps_up_to_the_root_of_ml_over_3t)
{
    const double length = 0.1;
    const double limit = sqrt(length / (3.0 * HANGING * 9.81));
    long long substeps[2];
    const double below = swing(0.95 * limit, length, &substeps[0]);
    const double above = swing(1.2 * limit, length, &substeps[1]);
    printf("limit %.2f ms: swing %.1e m at 0.95 of it, %.1e m at 1.2 with %lld substeps\n",
           1e3 * limit, below, above, substeps[1]);
    CHECK(below < 1e-5);  // 1e-6 rad of 0.1 m is where it began; slow modes gather some of it
    CHECK(substeps[0] == 0);
    // 300 steps of exponential growth are more than 0.1 mm: the account divides them, and nothing grows
    CHECK(substeps[1] > 0);
    CHECK(above < 1e-4);
}
