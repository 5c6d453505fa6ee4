// test/scenario/affine_energy.c - the affine formulation: joints closed, energy never grows.
#include "test/scenario/affine.h"

// Conservative scenes: nothing but gravity, joints and springs without dampers.
static const char* const conservative[] = {
    "pendulum",  "double-pendulum", "universal-pendulum", "free-pendulum",       "t-handle",
    "heavy-top", "heavy-top-150",   "flyball-governor",   "spherical-chain",     "revolute-chain",
    "four-bar",  "bricard",         "n-four-bar",         "parallelogram-chain",
};

// What may come from rounding: Newton goes on where more than 1e-12 of the energy that moves is left (work
// that cancels counts too, hence four times that), and differences of potentials cancel to 1e-13 of
// their size.
static double allowed(const affine_record* out)
{
    return 4e-12 * (1e-3 + out->size) + 1e-13 * fabs(out->first);
}

TEST(energy_never_grows_at_any_step_and_joints_stay_closed)  // [notes 9.2]
{
    static const tml_integrator both[2] = {TML_TIME_ENERGY, TML_TIME_ENERGY_DAMPED};
    static const double steps[2] = {0.01, 0.05};
    for (size_t i = 0; i < sizeof conservative / sizeof *conservative; i++) {
        for (int k = 0; k < 4; k++) {
            run r;
            CHECK(run_open(&r, conservative[i]) == TML_OK);
            r.settings.formulation = TML_FORM_AFFINE;
            r.settings.integrator = both[k % 2];
            r.settings.solver = TML_SOLVER_AUTO;
            r.settings.step = steps[k / 2];
            CHECK(run_start(&r) == TML_OK);
            const affine_record out = run_record(&r, 30);
            const bool is_good = out.steps == 30 && out.gap <= 1e-10 && out.rise <= allowed(&out);
            CHECK(is_good);
            if (!is_good) print_record(conservative[i], &r, &out);
            run_close(&r);
        }
    }
}

// Springs by discrete gradients: what joints, springs and compliant rows give and take balances, so
// that theta = 1/2 loses only what the projection of velocities takes.
TEST(springs_and_compliant_rows_balance_exactly)
{
    const char* text =
        "{\"trammel\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [0.02, 0.03, "
        "0.04], "
        "\"position\": [0.3, 0, 0], \"angular_velocity\": [1, 2, 3]},"
        "{\"name\": \"b\", \"mass\": 2, \"inertia\": [0.05, 0.03, 0.04], \"position\": [0.9, 0, "
        "0]}],"
        "\"joints\": [{\"name\": \"ball\", \"type\": \"spherical\", \"base\": \"world\", "
        "\"follower\": \"a\", "
        "\"position\": [0, 0, 0]},"
        "{\"name\": \"cross\", \"type\": \"universal\", \"base\": \"a\", \"follower\": \"b\", "
        "\"position\": "
        "[0.6, 0, 0], \"axis\": [0, 1, 0], \"stiffness\": 5, \"rest\": {\"rx\": 0.4}, "
        "\"compliance\": {\"tz\": 1e-3, \"rz\": 1e-2}}],"
        "\"forces\": [{\"type\": \"spring\", \"a\": [\"b\", [0.1, 0.1, 0]], \"b\": [\"world\", [1, "
        "1, 1]], "
        "\"stiffness\": 20, \"rest_length\": 0.5, \"law\": \"quadratic\"},"
        "{\"type\": \"spring\", \"a\": [\"a\", [0, 0.1, 0]], \"b\": [\"world\", [0, 1, 0]], "
        "\"rest_length\": 0.5, \"law\": {\"table\": [[-1, -9], [0, 0], [0.2, 5], [1, 8]]}}]}";
    run r;
    CHECK(run_text(&r, text) == TML_OK);
    r.settings.step = 0.02;
    CHECK(run_start(&r) == TML_OK);
    const affine_record out = run_record(&r, 200);
    print_record("springs and compliance", &r, &out);
    CHECK(out.steps == 200);
    CHECK(out.rise <= allowed(&out));
    // four seconds of motion with 10 J in it: the projection takes less than 2 %, second order
    CHECK(out.first - out.last < 0.02 * out.size);
    run_close(&r);
}

// theta = 1 loses what the identity says and no less than the projection: compare with theta = 1/2.
TEST(the_damped_step_loses_more_than_the_other)
{
    run r[2];
    for (int k = 0; k < 2; k++) {
        CHECK(run_text(&r[k], CHAIN_TEXT(16, "spherical", "zigzag", "")) == TML_OK);
        r[k].settings.integrator = k == 0 ? TML_TIME_ENERGY : TML_TIME_ENERGY_DAMPED;
        CHECK(run_start(&r[k]) == TML_OK);
    }
    const affine_record a = run_record(&r[0], 100);
    const affine_record b = run_record(&r[1], 100);
    CHECK(b.last < a.last);
    run_close(&r[0]);
    run_close(&r[1]);
}

// The scenes of the notes, section 9.5, in short form; test/long has them in full.
TEST(chains_and_nets_that_whip_run_through)
{
    static const struct {
        const char* name;
        const char* text;
        double step;
        int steps;
    } scenes[] = {
        {"chain 64, coiled", CHAIN_TEXT(64, "spherical", "coil", ""), 0.01, 120},
        {"chain 64, hinges", CHAIN_TEXT(64, "revolute", "horizontal", ""), 0.01, 200},
        {"chain 100, end mass", CHAIN_TEXT(100, "spherical", "zigzag", ", \"end_mass\": 100"), 0.01,
         150},
        {"chain 16, closed", CHAIN_TEXT(16, "spherical", "zigzag", ", \"closed\": true"), 0.01,
         200},
        {"tree 200", TREE_TEXT(200), 0.01, 100},
        {"net 6 x 6", NET_TEXT(6), 1.0 / 30.0, 60},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        run r;
        CHECK(run_text(&r, scenes[i].text) == TML_OK);
        r.settings.step = scenes[i].step;
        CHECK(run_start(&r) == TML_OK);
        const affine_record out = run_record(&r, scenes[i].steps);
        print_record(scenes[i].name, &r, &out);
        CHECK(out.steps == scenes[i].steps);
        CHECK(out.gap <= 1e-10);
        CHECK(out.rise <= allowed(&out));
        run_close(&r);
    }
}

// ---- wind

enum {
    LEAVES = 24
};
static const double drag = 0.05;  // N s/m
static const vec3 wind = {5.0, 1.0, 0.0};

static void write_tree_in_wind(char* text, size_t room)
{
    size_t at = (size_t)snprintf(
        text, room,
        "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"tree\", \"name\": \"t\", "
        "\"links\": %d, \"seed\": 7, \"link\": {\"length\": 0.05, \"radius\": 0.005, \"mass\": "
        "0.1}}], \"forces\": [",
        LEAVES);
    for (int k = 0; k < LEAVES; k++) {
        at += (size_t)snprintf(text + at, room - at,
                               "%s{\"type\": \"drag\", \"body\": \"t.%d\", \"linear\": %g, "
                               "\"wind\": [%g, %g, %g]}",
                               k > 0 ? "," : "", k, drag, wind.x, wind.y, wind.z);
    }
    snprintf(text + at, room - at, "]}");
}

// What the wind has done to a body that moved so far in a step, where its drag goes with the mean velocity.
static double wind_work(vec3 move, double h)
{
    return drag * v3_dot(v3_sub(wind, v3_scale(1.0 / h, move)), move);
}

// A wind may raise the energy, but by its work and not by more.                    [notes 9.4 9.9]
TEST(a_wind_gives_its_work_and_nothing_more)
{
    static const tml_solver solvers[2] = {TML_SOLVER_TREE, TML_SOLVER_NODES};
    static char text[8192];
    write_tree_in_wind(text, sizeof text);
    for (int i = 0; i < 4; i++) {
        run r;
        CHECK(run_text(&r, text) == TML_OK);
        r.settings.integrator = i % 2 == 0 ? TML_TIME_ENERGY : TML_TIME_ENERGY_DAMPED;
        r.settings.solver = solvers[i / 2];
        CHECK(run_start(&r) == TML_OK);
        double rise = 0.0;
        double gain = 0.0;
        double size = 1e-3;
        for (int k = 0; k < 100; k++) {
            vec3 before[LEAVES];
            double work = 0.0;
            const double energy = run_energy(&r);
            for (int b = 0; b < LEAVES; b++) before[b] = tml_sim_pose(r.sim, (tml_body){b}).p;
            CHECK(run_step(&r) == TML_OK);
            for (int b = 0; b < LEAVES; b++) {
                const vec3 now = tml_sim_pose(r.sim, (tml_body){b}).p;
                work += wind_work(v3_sub(now, before[b]), r.settings.step);
            }
            rise = larger_of(rise, run_energy(&r) - energy);
            gain = larger_of(gain, run_energy(&r) - energy - work);
            size = larger_of(size, tml_sim_energy(r.sim).kinetic + fabs(work));
        }
        const tml_sim_report report = tml_sim_get_report(r.sim);
        printf("tree in a wind by %s, %s: rises by %.1e J, beyond its work %.1e J, told %.1e\n",
               tml_integrator_name(r.settings.integrator), report.solver, rise, gain,
               report.max_gain);
        CHECK(report.substeps == 0);  // else the work is not that of the whole step's motion
        CHECK(rise > 1e-3);           // the wind does work
        // as `allowed` above; potentials of 24 links of 0.1 kg within a metre
        CHECK(gain <= 4e-12 * size + 1e-13 * 24.0);
        CHECK(report.max_gain <= 4e-12);
        run_close(&r);
    }
}
