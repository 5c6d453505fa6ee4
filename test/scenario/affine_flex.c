// test/scenario/affine_flex.c - affine bodies of finite stiffness against closed forms, rigid links and
// themselves at smaller steps.                                                     [MABD Sec 3] [notes 9.6]
#include "test/agreement/joint_cases.h"
#include "test/scenario/affine.h"

#include <trammel/derivatives.h>

// ---- a bar that hangs from a pin

// 1 m long, 10 cm square, 200 kg/m^3.
#define BAR_TEXT                                                                                   \
    "{\"trammel\": 1, \"bodies\": [{\"name\": \"bar\", \"mass\": 2.0, \"position\": [0, 0, "       \
    "-0.5], "                                                                                      \
    "\"shapes\": [{\"type\": \"box\", \"size\": [0.1, 0.1, 1.0]}]}], \"joints\": [{\"type\": "     \
    "\"spherical\", \"base\": \"world\", \"follower\": \"bar\", \"position\": [0, 0, 0]}]"

static const double density = 200.0;

// How much longer the bar is, by where its middle is.
static double strain_of(const run* r)
{
    return -2.0 * tml_sim_pose(r->sim, (tml_body){0}).p.z - 1.0;
}

// Stretched by its own weight: rho g L / 2E of its length, a half of it at the middle. Green's stress law
// makes that (1 + e)(e + e^2/2) of the strain e, the co-rotated one e itself.
TEST(a_hanging_bar_stretches_as_the_closed_form_says)
{
    static const double youngs[3] = {1e4, 1e6, 1e8};
    for (int i = 0; i < 6; i++) {
        run r;
        CHECK(run_text(&r, BAR_TEXT ", \"rayleigh\": {\"stiffness\": 0.5}}") == TML_OK);
        const bool is_green = i < 3;
        r.settings.affine.young = youngs[i % 3];
        r.settings.affine.poisson = 0.3;
        r.settings.affine.strain = is_green ? TML_STRAIN_GREEN : TML_STRAIN_COROTATED;
        r.settings.integrator = is_green ? TML_TIME_ENERGY_DAMPED : TML_TIME_BDF1;
        r.settings.step = 0.1;
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 300) == TML_OK);  // 60 times the damper's half second
        const double expected = density * 9.81 / (2.0 * r.settings.affine.young);
        const double e = strain_of(&r);
        const double law = is_green ? (1.0 + e) * (e + 0.5 * e * e) : e;
        printf("young %-6g %-10s strain %.9g, closed form %.9g\n", r.settings.affine.young,
               is_green ? "green" : "corotated", law, expected);
        // rounding of a metre, and what the step has not settled
        CHECK_NEAR(law, expected, 1e-9 * expected + 1e-14);
        run_close(&r);
    }
}

// Let go unstretched it swings about that by 1 - cos(w t), w^2 = 3 E / (rho L^2) without Poisson's effect:
// half its mass moves with the middle, a twelfth of L^2 m with the strain. Order 2, where the step
// follows it.
TEST(a_bar_vibrates_at_its_frequency)
{
    double error[2];
    const double young = 1e7;
    const double w = sqrt(3.0 * young / density);
    for (int i = 0; i < 2; i++) {
        run r;
        CHECK(run_text(&r, BAR_TEXT ", \"gravity\": [0, 0, -9.81e-3]}") == TML_OK);
        r.settings.affine.young = young;
        r.settings.affine.poisson = 0.0;
        r.settings.tolerance = 1e-14;  // it swings by 1e-7 m
        r.settings.step = i == 0 ? 4e-5 : 2e-5;
        CHECK(run_start(&r) == TML_OK);
        error[i] = 0.0;
        const double size = density * 9.81e-3 / (2.0 * young);
        while (tml_sim_time(r.sim) < 0.05 && run_step(&r) == TML_OK) {
            const double expected = size * (1.0 - cos(w * tml_sim_time(r.sim)));
            error[i] = larger_of(error[i], fabs(strain_of(&r) - expected) / size);
        }
        run_close(&r);
    }
    printf("vibration: error %.3g and %.3g of its size at 0.015 and 0.008 rad a step\n", error[0],
           error[1]);
    // (hw)^2 / 12 of the phase, 19 rad; the strain itself, 1e-7, bends the law by less
    CHECK(error[0] < 1e-3);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.4);
}

// ---- motion

typedef struct poses {
    int count;
    tml_pose pose[40];
} poses;

static poses poses_after(run* r, double step, double time)
{
    poses out = {0};
    r->settings.step = step;
    CHECK(run_start(r) == TML_OK);
    CHECK(run_steps(r, (int)(time / step + 0.5)) == TML_OK);
    out.count = tml_model_body_count(r->model);
    for (int i = 0; i < out.count; i++) out.pose[i] = tml_sim_pose(r->sim, (tml_body){i});
    return out;
}

static double distance(const poses* a, const poses* b)
{
    double largest = 0.0;
    for (int i = 0; i < a->count; i++) {
        largest = larger_of(largest, pose_distance(&a->pose[i], &b->pose[i]));
    }
    return largest;
}

static const char* const chain_of_4 = CHAIN_TEXT(4, "spherical", "zigzag", "");
static const char* const hinges_of_4 = CHAIN_TEXT(4, "revolute", "horizontal", "");

// Two links nearly as thick as they are long: all their vibrations can be followed.
#define THICK_TEXT(joint)                                                                          \
    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"chain\", \"name\": \"c\", "      \
    "\"links\": 2, \"joint\": \"" joint "\", \"link\": {\"length\": 0.05, \"radius\": 0.02, "      \
    "\"mass\": 0.1}, \"pose\": \"zigzag\"}]}"

static const char* const thick_balls = THICK_TEXT("spherical");
static const char* const thick_hinges = THICK_TEXT("revolute");

TEST(every_integrator_has_its_order)
{
    static const struct {
        tml_integrator id;
        tml_strain strain;
        int order;
    } cases[] = {
        {TML_TIME_ENERGY, TML_STRAIN_GREEN, 2},   {TML_TIME_ENERGY_DAMPED, TML_STRAIN_GREEN, 1},
        {TML_TIME_BDF1, TML_STRAIN_GREEN, 1},     {TML_TIME_BDF2, TML_STRAIN_GREEN, 2},
        {TML_TIME_BDF2, TML_STRAIN_COROTATED, 2},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const size_t k = i / 2;
        run r;
        poses at[3];
        CHECK(run_text(&r, i % 2 == 0 ? thick_balls : thick_hinges) == TML_OK);
        r.settings.affine.young = 1e4;  // vibrations of 90 to 300 rad/s
        r.settings.integrator = cases[k].id;
        r.settings.affine.strain = cases[k].strain;
        for (int n = 0; n < 3; n++) at[n] = poses_after(&r, 5e-4 / (1 << n), 0.1);
        const double order = log2(distance(&at[0], &at[1]) / distance(&at[1], &at[2]));
        printf("%-14s %-10s order %.2f\n", tml_integrator_name(cases[k].id),
               cases[k].strain == TML_STRAIN_GREEN ? "green" : "corotated", order);
        // between h, h/2 and h/4 the next order still counts: a fifth of one
        CHECK_NEAR(order, cases[k].order, cases[k].order == 2 ? 0.2 : 0.35);
        run_close(&r);
    }
}

// As young grows the motion becomes that of rigid links at the same step, in proportion to 1 / young:
// stretches do, and vibrations that the step does not follow are damped away.
TEST(stiff_bodies_move_as_rigid_links_do)
{
    static const tml_integrator integrators[3] = {TML_TIME_ENERGY, TML_TIME_ENERGY_DAMPED,
                                                  TML_TIME_BDF2};
    for (int i = 0; i < 6; i++) {
        run r;
        CHECK(run_text(&r, i % 2 == 0 ? chain_of_4 : hinges_of_4) == TML_OK);
        r.settings.integrator = integrators[i / 2];
        const poses rigid = poses_after(&r, 0.01, 0.3);
        double apart[3];
        for (int k = 0; k < 3; k++) {
            r.settings.affine.young = 1e9 * pow(10.0, k);
            const poses at = poses_after(&r, 0.01, 0.3);
            apart[k] = distance(&at, &rigid);
        }
        printf("%-14s %s: %.3g, %.3g, %.3g from rigid links at 1e9, 1e10, 1e11 Pa\n",
               tml_integrator_name(r.settings.integrator), i % 2 == 0 ? "balls" : "hinges",
               apart[0], apart[1], apart[2]);
        CHECK_NEAR(apart[0] / apart[1], 10.0, 1.5);
        CHECK(apart[2] < 0.2 * apart[1]);
        run_close(&r);
    }
}

// Every joint of the table, free and driven in every way, on the world and on a body: closed to the
// tolerance, and near the rigid motion.
TEST(every_joint_holds_soft_bodies)
{
    for (int i = 0; i < JOINTS * DRIVES * 2; i++) {
        const joint_case* c = &joint_cases[i / 2 / DRIVES];
        const drive_mode mode = (drive_mode)(i / 2 % DRIVES);
        run r;
        CHECK(run_freeze(&r, spec_of(c, mode, i % 2)) == TML_OK);
        r.settings.formulation = TML_FORM_AFFINE;
        r.settings.integrator = TML_TIME_ENERGY;
        const poses rigid = poses_after(&r, 0.005, 0.2);
        double apart[2];
        double gap = 0.0;
        for (int k = 0; k < 2; k++) {
            r.settings.affine.young = k == 0 ? 1e9 : 1e10;
            const poses at = poses_after(&r, 0.005, 0.2);
            apart[k] = distance(&at, &rigid);
            gap = larger_of(gap, tml_sim_get_report(r.sim).max_gap);
        }
        // tenfold; forty steps that each end with an update of 1e-7 at most leave some of its squares
        const bool is_near = apart[0] < 1e-3 && apart[1] < 0.15 * apart[0] + 2e-7;
        if (!is_near || !(gap <= 1e-10)) {
            printf("%s, %s, base %d: %.3g and %.3g from rigid, gap %.3g\n",
                   tml_joint_kind_name(c->kind), drive_names[mode], i % 2, apart[0], apart[1], gap);
        }
        CHECK(is_near);
        CHECK(gap <= 1e-10);
        run_close(&r);
    }
}

// ---- energy

TEST(energy_never_rises_however_soft_the_links)
{
    static const double youngs[4] = {1e6, 1e7, 1e8, 1e12};
    for (int i = 0; i < 8; i++) {
        run r;
        CHECK(run_text(&r, CHAIN_TEXT(12, "spherical", "coil", "")) == TML_OK);
        r.settings.affine.young = youngs[i / 2];
        r.settings.integrator = i % 2 == 0 ? TML_TIME_ENERGY : TML_TIME_ENERGY_DAMPED;
        CHECK(run_start(&r) == TML_OK);
        const affine_record out = run_record(&r, 100);
        char name[64];
        snprintf(name, sizeof name, "chain of 12, young %g", r.settings.affine.young);
        print_record(name, &r, &out);
        CHECK(out.steps == 100);
        CHECK(out.gap <= 1e-10);
        // the test of each step: 1e-9 of the kinetic energy and the work
        CHECK(out.rise <= 1e-9 * (1e-3 + out.size));
        run_close(&r);
    }
}

// A four-bar of hinges: rigid bodies leave three of its rows without a load of their own, elastic ones
// do not. A door on two hinges: rows that no body can tell apart are left out.       [notes 6]
TEST(loops_that_are_redundant_for_rigid_bodies_run)
{
    static const char* const names[2] = {"four-bar", "door"};
    for (int i = 0; i < 2; i++) {
        run r;
        if (i == 0) {
            CHECK(run_open(&r, "four-bar") == TML_OK);
        } else {
            CHECK(run_text(&r,
                           "{\"trammel\": 1, \"bodies\": [{\"name\": \"leaf\", \"position\": [0.5, "
                           "0, 0], \"mass\": 20, \"shapes\": [{\"type\": \"box\", \"size\": [1, "
                           "0.04, 2]}], \"angular_velocity\": [0, 0, 0]}], \"joints\": [{\"type\": "
                           "\"revolute\", \"base\": \"world\", \"follower\": \"leaf\", "
                           "\"position\": [0, 0, 0.8], \"axis\": [0, 0.6, 0.8]}, {\"type\": "
                           "\"revolute\", \"base\": \"world\", \"follower\": \"leaf\", "
                           "\"position\": [0, -0.6, 0], \"axis\": [0, 0.6, 0.8]}]}") == TML_OK);
        }
        r.settings.formulation = TML_FORM_AFFINE;
        r.settings.integrator = TML_TIME_ENERGY;
        r.settings.solver = TML_SOLVER_AUTO;
        r.settings.step = 0.005;
        r.settings.affine.young = 1e9;
        CHECK(run_start(&r) == TML_OK);
        const affine_record out = run_record(&r, 100);
        print_record(names[i], &r, &out);
        CHECK(out.steps == 100);
        CHECK(out.gap <= 1e-10);
        CHECK(out.rise <= 1e-9 * (1e-3 + out.size));
        run_close(&r);
    }
}

// ---- what a user meets

static void check_refused(run* r, tml_status expected, const char* piece)
{
    tml_sim* sim = NULL;
    const tml_status status = tml_sim_create(r->model, &r->settings, &sim);
    CHECK(status == expected);
    CHECK_CONTAINS(tml_sim_message(sim), piece);
    tml_sim_destroy(sim);
}

TEST(what_soft_bodies_cannot_do_is_refused_by_name)
{
    run r;
    CHECK(run_text(&r, BAR_TEXT "}") == TML_OK);
    const tml_sim_settings fine = r.settings;
    r.settings.affine.young = -1.0;
    check_refused(&r, TML_BAD_ARGUMENT, "young must be positive");
    r.settings.affine.young = 1e9;
    r.settings.affine.poisson = 0.5;
    check_refused(&r, TML_BAD_ARGUMENT, "poisson between -1 and 0.5");
    r.settings = fine;
    r.settings.affine.strain = TML_STRAIN_COROTATED;
    check_refused(&r, TML_BAD_ARGUMENT, "needs young");
    r.settings.affine.young = 1e9;
    check_refused(&r, TML_UNSUPPORTED, "goes with 'bdf1' and 'bdf2', not with 'energy'");
    r.settings.affine.strain = TML_STRAIN_GREEN;
    r.settings.integrator = TML_TIME_SHAKE;
    check_refused(&r, TML_UNSUPPORTED, "'shake'");
    r.settings.integrator = TML_TIME_ENERGY;
    static const tml_solver rigid_only[] = {TML_SOLVER_CHAIN, TML_SOLVER_TREE, TML_SOLVER_DUAL,
                                            TML_SOLVER_CG};
    for (int i = 0; i < 4; i++) {
        char sentence[64];
        r.settings.solver = rigid_only[i];
        snprintf(sentence, sizeof sentence, "solved by 'nodes', not by '%s'",
                 tml_solver_name(rigid_only[i]));
        check_refused(&r, TML_UNSUPPORTED, sentence);
    }
    r.settings.solver = TML_SOLVER_AUTO;
    tml_derivatives* d = NULL;
    CHECK(tml_derivatives_create(r.model, &r.settings, 0, &d) == TML_UNSUPPORTED);
    CHECK_CONTAINS(tml_derivatives_message(d), "finite stiffness (young) have no derivatives");
    tml_derivatives_destroy(d);
    r.settings.formulation = TML_FORM_QUATERNION;
    r.settings.integrator = TML_TIME_BDF2;
    check_refused(&r, TML_UNSUPPORTED, "not those of 'quaternion'");
    run_close(&r);
}

// Saved and restored, a simulation goes on with the same bits: shapes are part of its state.
TEST(shapes_are_saved_and_restored)
{
    run r;
    CHECK(run_text(&r, CHAIN_TEXT(4, "spherical", "zigzag", "")) == TML_OK);
    r.settings.affine.young = 1e5;
    r.settings.integrator = TML_TIME_BDF2;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 10) == TML_OK);
    const size_t bytes = tml_sim_state_size(r.sim);
    void* state = malloc(bytes);
    CHECK(tml_sim_save(r.sim, state) == TML_OK);
    CHECK(run_steps(&r, 10) == TML_OK);
    const tml_pose first = tml_sim_pose(r.sim, (tml_body){3});
    CHECK(tml_sim_restore(r.sim, state, bytes) == TML_OK);
    CHECK(run_steps(&r, 10) == TML_OK);
    const tml_pose second = tml_sim_pose(r.sim, (tml_body){3});
    CHECK(memcmp(&first, &second, sizeof first) == 0);
    free(state);
    run_close(&r);
}
