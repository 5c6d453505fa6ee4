// Contact rows over the columns of mechanisms against the matrix they stand for: J G J^T with one solve of
// the whole system for every row.                                       [notes, contact section 6]
#include "contact/problem.h"

#include "sim/sim_internal.h"
#include "test/check.h"
#include "test/scenario/touching.h"

enum {
    MOST_ROWS = 600
};

// A J_j^T f of one row by the factor, seen by all rows.
static void answer_of(const touch_set* t, int j, double* wrench, double* motion, double* out)
{
    static double f[MOST_ROWS];
    memset(f, 0, sizeof f);
    f[j] = 1.0;
    tml__touch_push(t, f, wrench);
    CHECK(tml__kkt_solve(t->s->matrix, wrench, t->none, motion, t->dl) == TML_OK);
    tml__touch_rates(t, motion, out);
}

static void check_heap(tml_formulation formulation, tml_integrator integrator)
{
    static double wrench[6 * 64];
    static double motion[6 * 64];
    static double expected[MOST_ROWS];
    static double actual[MOST_ROWS];
    static double f[MOST_ROWS];
    run r;
    CHECK(run_freeze(&r, heap_of(3, 10)) == TML_OK);
    r.settings.formulation = formulation;
    r.settings.integrator = integrator;
    r.settings.step = 4e-3;
    r.settings.contact.is_on = 1;
    CHECK(run_start(&r) == TML_OK);
    CHECK(run_steps(&r, 150) == TML_OK);

    tml_sim* sim = r.sim;
    touch_set* t = sim->touch->rows;
    message why;
    tml__maximal_place(sim->system, sim->past_q[0], sim->past_v[0]);
    tml__maximal_rows(sim->system);
    CHECK(tml__maximal_factor_position(sim->system) == TML_OK);
    CHECK(tml__contacts_detect(sim->contacts, sim->system->bodies, &why) == TML_OK);
    tml__touch_pose(t, sim->contacts->found, sim->contacts->found_count, 4e-3,
                    sim->contacts->labels);
    CHECK(tml__touch_matrix(t, &why) == TML_OK);
    CHECK(t->row_count >= 18 && t->row_count <= MOST_ROWS);
    double largest = 0.0;
    double worst = 0.0;
    for (int j = 0; j < t->row_count; j++) {
        answer_of(t, j, wrench, motion, expected);
        memset(f, 0, sizeof f);
        f[j] = 1.0;
        tml__touch_respond(t, f, actual);
        for (int i = 0; i < t->row_count; i++) {
            largest = fmax(largest, fabs(expected[i]));
            worst = fmax(worst, fabs(actual[i] - expected[i]));
        }
    }
    printf("  %d rows over %d columns, %zu entries: off by %.1e of %.1e\n", t->row_count,
           t->column_count, t->start[t->row_count], worst, largest);
    // freedoms below 1e-10 of the free answer are left out
    CHECK(worst < 1e-9 * largest);
    // ten bodies, five of them jointed to the one below by three rows
    CHECK(t->column_count <= 6 * 10 - 3 * 5);
    run_close(&r);
}

TEST(rows_over_columns_are_what_the_whole_system_answers)
{
    check_heap(TML_FORM_QUATERNION, TML_TIME_BDF1);
    check_heap(TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL);
}

// A mechanism of more touched bodies than there is room for: a status and a sentence, the state stays.
TEST(more_contacts_than_room_are_refused_by_name)
{
    run r;
    CHECK(run_freeze(&r, heap_of(3, 10)) == TML_OK);
    r.settings.formulation = TML_FORM_QUATERNION;
    r.settings.integrator = TML_TIME_BDF1;
    r.settings.step = 4e-3;
    r.settings.contact.is_on = 1;
    r.settings.contact.max_contacts = 3;
    CHECK(run_start(&r) == TML_OK);
    tml_status status = TML_OK;
    for (int k = 0; k < 300 && status == TML_OK; k++) status = tml_sim_step(r.sim, NULL);
    CHECK(status == TML_TOO_MANY_CONTACTS);
    const tml_pose before = tml_sim_pose(r.sim, (tml_body){4});
    CHECK(tml_sim_step(r.sim, NULL) == TML_TOO_MANY_CONTACTS);
    const tml_pose after = tml_sim_pose(r.sim, (tml_body){4});
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK(tml_sim_reserve(r.sim, 100) == TML_OK);
    CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
    run_close(&r);
}

// Heaps that are swept: joints stay exact whatever the sweeps leave, overlaps stay small, and what comes
// to rest rests.
TEST(swept_heaps_keep_their_joints)
{
    static const struct {
        const char* name;
        tml_formulation formulation;
        tml_integrator integrator;
    } ways[] = {
        {"quaternion bdf1", TML_FORM_QUATERNION, TML_TIME_BDF1},
        {"variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL},
        {"affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED},
        {"generalized", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        run r;
        CHECK(run_open(&r, "jointed-pairs") == TML_OK);
        r.settings.formulation = ways[i].formulation;
        r.settings.integrator = ways[i].integrator;
        r.settings.contact.pgs_iterations = 20;
        CHECK(run_start(&r) == TML_OK);
        CHECK(run_steps(&r, 500) == TML_OK);
        const tml_sim_report report = tml_sim_get_report(r.sim);
        const double kinetic = tml_sim_energy(r.sim).kinetic;
        printf("  %-20s gap %.1e, overlap %.1e m, left %.1e of the speeds, %.1e J at the end\n",
               ways[i].name, report.max_gap, report.max_penetration, report.max_complementarity,
               kinetic);
        CHECK(report.max_gap < 1e-10);
        // met at 1.6 m/s with steps of 2 ms: a thirtieth of the way of one step
        CHECK(report.max_penetration < 1e-4);
        CHECK(kinetic < 1e-4);  // of 78 J
        run_close(&r);
    }
}
