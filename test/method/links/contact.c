// test/method/links/contact.c - chains that touch the world: forces against differences, closed forms, another
// solver, threads and saved states.                              [notes, contact section 6] [MABD Sec 6]
#include "test/method/links/contact.h"

#include "method/affine/method.h"
#include "method/links/method.h"
#include "test/scenario/affine.h"

// A chain over sheaves of 0.2 m: links of 2 cm and 1 g.
#define PULLEY_TEXT(links, sheaves, more)                                                          \
    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"pulley\", \"name\": \"c\", "     \
    "\"links\": " #links ", \"link\": {\"length\": 0.02, \"radius\": 0.004, \"mass\": 0.001}, "    \
    "\"sheaves\": " #sheaves ", \"radius\": 0.2, \"height\": 1, " more "}]}"

static tml_status start(run* r, const char* text, tml_solver solver, double step)
{
    const tml_status status = run_text(r, text);
    if (status != TML_OK) return status;
    r->settings.integrator = TML_TIME_ENERGY_DAMPED;
    r->settings.step = step;
    r->settings.solver = solver;
    r->settings.contact.is_on = 1;
    r->settings.contact.stiffness = 1e5;
    r->settings.contact.margin = 2e-3;
    return run_start(r);
}

// ---- the forces themselves

static void check_slopes(const char* more, bool slides)
{
    char text[600];
    run r;
    slope found = {0};
    int closed = 0;
    int sliding = 0;
    snprintf(text, sizeof text, PULLEY_TEXT(150, 1, "\"end_mass\": 40, \"sink\": 3.8e-4, %s"),
             more);
    CHECK(start(&r, text, TML_SOLVER_AUTO, 2e-3) == TML_OK);
    CHECK(run_steps(&r, 3) == TML_OK);
    link_system* l = tml__links_of(r.sim);
    CHECK(l != NULL && links_are_touched(l));
    for (int i = 0; l != NULL && i < l->touch->link_count; i++) {
        const link_contact* c = &l->touch->contacts[l->touch->list[l->touch->links[i].first]];
        CHECK(tml__links_touch_evaluate(l) == TML_OK);
        if (!(c->gap_end < -1e-4)) continue;
        closed++;
        sliding += c->kind > 1;
        for (int column = 0; column < 6; column++) add_column(l, i, column, &found);
    }
    printf("  %d links touch, %d slide; derivatives of %.3g N/m to %.1e\n", closed, sliding,
           found.scale, found.extrapolated);
    CHECK(closed > 20 && (sliding == closed) == slides);
    // gaps of half a millimetre are differences of metres, 1e-16 m, times 1e5 N/m over the step
    CHECK(slope_is_right(&found, 1e5 * 4e-16 / 5e-7, 1e-3));
    run_close(&r);
}

TEST(forces_and_torques_of_contacts_have_their_derivatives)
{
    check_slopes("\"friction\": 0", false);
    check_slopes("\"friction\": 0.5", false);
    check_slopes("\"friction\": 0.01, \"start_mass\": 20", true);
}

// ---- closed forms

// Atwood's machine: two weights on a light chain over a sheave without friction. Of steps h by implicit
// Euler the way after n of them is a h^2 n (n + 1) / 2.
TEST(weights_on_a_chain_fall_as_atwood_says)  // [MABD Sec 6]
{
    enum {
        STEPS = 60
    };
    static const double h = 5e-3;
    static const double light = 20.0;
    static const double heavy = 30.0;
    run r;
    CHECK(start(&r,
                PULLEY_TEXT(133, 1,
                            "\"start_mass\": 20, \"end_mass\": 30, \"sink\": 2.3e-4, "
                            "\"friction\": 0"),
                TML_SOLVER_CHAIN, h) == TML_OK);
    const double before = tml_sim_pose(r.sim, (tml_body){133}).p.z;
    const affine_record record = run_record(&r, STEPS);
    const double fallen = before - tml_sim_pose(r.sim, (tml_body){133}).p.z;
    const tml_sim_report report = tml_sim_get_report(r.sim);
    // 1 m to the left, half a turn, and what is left of 2.66 m to the right, 50 g/m
    const double uneven = 0.05 * (133 * 0.02 - 1.0 - 0.2042 * TML_PI - 1.0);
    const double a = 9.81 * (heavy - light + uneven) / (heavy + light + 0.132);
    print_record("Atwood's machine", &r, &record);
    printf("  fallen %.5f m, closed form %.5f m, deepest overlap %.2g m\n", fallen,
           0.5 * a * h * h * STEPS * (STEPS + 1), report.max_penetration);
    CHECK(record.steps == STEPS);
    // the chain's own weight shifts by 0.4 m of 50 g/m, and links are chords: (L / R)^2 / 8 = 1e-3
    CHECK_NEAR(fallen / (0.5 * a * h * h * STEPS * (STEPS + 1)), 1.0, 4e-3);
    CHECK(record.rise <= 1e-9 * record.size);
    CHECK(record.gap <= 1e-10);
    // 240 N of tension by a chord of 0.02 m: 240 * 0.02 / 0.204 / 1e5 m, and as much again while it sways
    CHECK(report.max_penetration < 5e-4);
    CHECK(report.newton_iterations < 8 * report.steps);
    run_close(&r);
}

// ---- what is stored

// Links come onto the sheave by their ends and lie on their sides when the step ends, 0.09 mm deeper than the
// ends: what contacts are told to have stored there is what the next step finds where it starts, and the energy falls.
TEST(what_contacts_have_stored_is_what_the_next_step_finds)
{
    enum {
        STEPS = 40
    };
    run r;
    CHECK(start(&r,
                PULLEY_TEXT(133, 1,
                            "\"start_mass\": 20, \"end_mass\": 60, \"sink\": 3e-4, "
                            "\"friction\": 0.02"),
                TML_SOLVER_CHAIN, 0.01) == TML_OK);
    double most = 0.0;
    double apart = 0.0;
    double before = tml_sim_energy(r.sim).kinetic + tml_sim_energy(r.sim).potential;
    double rise = 0.0;
    int came = 0;
    int whole = 0;
    for (int k = 0; k < STEPS; k++) {
        const sim_contacts* c = r.sim->contacts;
        double told = 0.0;
        double found = 0.0;
        for (int i = 0; i < (int)c->now.count; i++) {
            told += 0.5 * c->now.list[i].push * c->now.list[i].push / 1e5;
        }
        const long long substeps = tml_sim_get_report(r.sim).substeps;
        CHECK(run_steps(&r, 1) == TML_OK);
        // of a divided step the contacts are those of its last substep
        const bool is_whole = tml_sim_get_report(r.sim).substeps == substeps;
        whole += is_whole;
        for (int i = 0; i < c->found_count; i++) {
            const double depth = fmax(-c->found[i].gap, 0.0);
            const element* rod = &c->found[i].feature.a;
            found += 0.5 * 1e5 * depth * depth;
            came += rod->kind == ELEMENT_POINT && rod->radius > 0.0 && depth > 0.0;
        }
        const double after = tml_sim_energy(r.sim).kinetic + tml_sim_energy(r.sim).potential;
        most = fmax(most, found);
        if (is_whole) apart = fmax(apart, fabs(found - told));
        rise = fmax(rise, after - before);
        before = after;
    }
    printf("  stored up to %.3f J, told and found apart by %.1e J; largest rise %.1e J; %d ends\n",
           most, apart, rise, came);
    CHECK(most > 0.1 && came > 10 && whole > STEPS / 2);
    CHECK(apart <= 1e-9 * most);
    CHECK(rise <= 0.0);
    run_close(&r);
}

// A chain that runs around a sheave of 0.2 m at up to 2.7 m/s: in a step it would go 1.8 mm off it if it went straight on,
// which is where Newton begins, four times as deep as its links lie.
TEST(a_fast_chain_stays_on_its_sheave)
{
    enum {
        STEPS = 55
    };
    run r;
    CHECK(start(&r,
                PULLEY_TEXT(200, 1,
                            "\"start_mass\": 20, \"end_mass\": 60, \"sink\": 3e-4, "
                            "\"friction\": 0"),
                TML_SOLVER_CHAIN, 0.01) == TML_OK);
    const double before = tml_sim_pose(r.sim, (tml_body){200}).p.z;
    const affine_record record = run_record(&r, STEPS);
    const double fallen = before - tml_sim_pose(r.sim, (tml_body){200}).p.z;
    const tml_sim_report report = tml_sim_get_report(r.sim);
    print_record("a fast chain", &r, &record);
    printf("  fallen %.3f m\n", fallen);
    CHECK(record.steps == STEPS && fallen > 0.7);
    CHECK(record.rise <= 0.0);
    // 67 and 16 where the first iteration knows nothing of contacts that the straight way has left
    CHECK(report.substeps < 40);
    CHECK(report.newton_iterations < 12 * report.steps);
    run_close(&r);
}

// ---- the other solver

static vec3 anchor_after(const char* text, tml_solver solver, double step, int steps)
{
    run r;
    CHECK(start(&r, text, solver, step) == TML_OK);
    CHECK(run_steps(&r, steps) == TML_OK);
    const vec3 p = tml_sim_pose(r.sim, (tml_body){133}).p;
    run_close(&r);
    return p;
}

// `nodes` keeps the planes of the start of a step and `chain` follows the features: at small steps these are
// one law, with friction and without.
TEST(chain_and_nodes_agree_as_the_step_shrinks)
{
    static const char text[] =
        PULLEY_TEXT(133, 1, "\"end_mass\": 2, \"sink\": 1e-5, \"friction\": 0.1");
    double apart[3];
    for (int k = 0; k < 3; k++) {
        const int steps = 5 << (2 * k);
        const double h = 0.02 / steps;
        const vec3 a = anchor_after(text, TML_SOLVER_CHAIN, h, steps);
        const vec3 b = anchor_after(text, TML_SOLVER_NODES, h, steps);
        apart[k] = v3_norm(v3_sub(a, b));
    }
    // it sinks by some 3e-5 m; 1 ms is far below what its springs take
    printf("  apart by %.2e, %.2e, %.2e m at 4, 1, 0.25 ms\n", apart[0], apart[1], apart[2]);
    CHECK(apart[1] < 0.1 * apart[0]);
    CHECK(apart[1] < 5e-9 && apart[2] < 5e-9);
}

// A net looks at all its links in every iteration, and its contacts follow the same law. Here blocks of the chain settle one by
// one, and are not reduced again: what that leaves out is below what either is solved to. The first steps, before the
// chain, let go, is anything but smooth.
TEST(blocks_that_settle_alone_end_where_a_net_of_all_links_does)
{
    static const char text[] = PULLEY_TEXT(700, 5, "\"end_mass\": 20, \"sink\": 1.9e-4");
    const tml_solver solvers[2] = {TML_SOLVER_CHAIN, TML_SOLVER_DUAL};
    run r[2];
    double apart = 0.0;
    for (int k = 0; k < 2; k++) {
        CHECK(start(&r[k], text, solvers[k], 0.01) == TML_OK);
        CHECK(run_steps(&r[k], 5) == TML_OK);
    }
    for (int b = 0; b < 700; b++) {
        const vec3 x = tml_sim_pose(r[0].sim, (tml_body){b}).p;
        apart = fmax(apart, v3_norm(v3_sub(x, tml_sim_pose(r[1].sim, (tml_body){b}).p)));
    }
    printf("  700 links apart by %.1e m\n", apart);
    CHECK(apart < 1e-11);  // a tenth of what a joint of the net may be open by
    for (int k = 0; k < 2; k++) run_close(&r[k]);
}

// ---- the same bits

TEST(threads_and_saved_states_leave_the_bits_alone)
{
    static const char text[] =
        PULLEY_TEXT(700, 5, "\"end_mass\": 20, \"sink\": 1.9e-4, \"friction\": 0.02");
    check_same_bits(start, text, 4, 100, 3, 350);
}
