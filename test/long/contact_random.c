// A million random contact steps in each formulation, in parts: heaps of any shapes
// from any pose, each second body tied to the one below, at steps from 1 to 8 ms. Every step ends with
// finite numbers or with a status and a sentence, and after a failure the accepted state is what it was,
// bit for bit.
//
//     TRAMMEL_TEST_LONG=1 TRAMMEL_TEST_PART=7 build/test/long_contact_random     part 7 of 100
//
// A part is 10 000 steps in each formulation.
#include "test/check.h"
#include "test/scenario/touching.h"

enum {
    STEPS = 250,  // of one heap
    HEAPS = 40,   // of one part
    MOST = 6,
    OWN_STEPS = 8  // without contact
};

typedef struct tally {
    long long steps, failed, problems, unpolished;
    double gap, overlap;
    double rise;      // of energy in a step, J
    double own_rise;  // of the same step without contact, where that step's was the largest
    double touched;   // the largest rise of what contacts push, of steps that were not divided,
    double lifted;    // and of what next to rest was lifted out of an overlap
} tally;

static void read_state(const run* r, int bodies, double* out)
{
    for (int i = 0; i < bodies; i++) {
        const tml_pose p = tml_sim_pose(r->sim, (tml_body){i});
        const tml_velocity v = tml_sim_velocity(r->sim, (tml_body){i});
        memcpy(out + 13 * i, &p, sizeof p);
        memcpy(out + 13 * i + 7, &v, sizeof v);
    }
}

static int is_finite(const double* x, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) return 0;
    }
    return 1;
}

static double energy_of(const tml_sim* sim)
{
    const tml_energy e = tml_sim_energy(sim);
    return e.kinetic + e.potential;
}

// By how much the energy would rise in a step if nothing touched from this state on: the formula's own error.
// Backward differences start anew there, and their transient takes some steps.
static double rise_without_contact(const run* r, int bodies, const double* state)
{
    tml_sim_settings settings = r->settings;
    tml_pose poses[MOST];
    tml_velocity velocities[MOST];
    tml_sim* sim = NULL;
    for (int i = 0; i < bodies; i++) {
        memcpy(&poses[i], state + 13 * i, sizeof poses[i]);
        memcpy(&velocities[i], state + 13 * i + 7, sizeof velocities[i]);
    }
    settings.contact.is_on = 0;
    CHECK(tml_sim_create(r->model, &settings, &sim) == TML_OK);
    CHECK(tml_sim_set_state(sim, poses, velocities) == TML_OK);
    double rise = -HUGE_VAL;
    for (int k = 0; k < OWN_STEPS; k++) {
        const double before = energy_of(sim);
        // where even that fails the formula is far beyond what it can follow
        const tml_status status = tml_sim_step(sim, NULL);
        rise = status == TML_OK ? fmax(rise, energy_of(sim) - before) : HUGE_VAL;
        if (status != TML_OK) break;
    }
    tml_sim_destroy(sim);
    return rise;
}

static void note_rise(const run* r, int bodies, const double* state, double rise, tally* t)
{
    if (!(rise > 1e-3) || !(rise > t->rise)) return;
    t->rise = rise;
    t->own_rise = rise_without_contact(r, bodies, state);
}

static void run_heap(run* r, int bodies, tally* t)
{
    double before[13 * MOST];
    double after[13 * MOST];
    read_state(r, bodies, before);
    double energy = energy_of(r->sim);
    double energies[HEAP_MOST];
    double later[HEAP_MOST];
    heap_energies(r, bodies, energies);
    for (int n = 0; n < STEPS; n++) {
        const long long parts = tml_sim_get_report(r->sim).substeps;
        const tml_status status = tml_sim_step(r->sim, NULL);
        t->steps++;
        read_state(r, bodies, after);
        CHECK(is_finite(after, 13 * bodies));
        if (status != TML_OK) {
            t->failed++;
            printf("    h = %g, t = %.3f: %s\n", r->settings.step, tml_sim_time(r->sim),
                   tml_sim_message(r->sim));
            CHECK(tml_sim_message(r->sim)[0] != '\0');
            CHECK(memcmp(before, after, sizeof(double) * 13 * (size_t)bodies) == 0);
            return;
        }
        const double now = energy_of(r->sim);
        note_rise(r, bodies, before, now - energy, t);
        heap_energies(r, bodies, later);
        if (tml_sim_get_report(r->sim).substeps == parts) {
            t->touched =
                fmax(t->touched, heap_touched_rise(r, bodies, energies, later, &t->lifted));
        }
        memcpy(energies, later, sizeof energies);
        memcpy(before, after, sizeof before);
        energy = now;
    }
}

static void run_part(const char* name, tml_formulation formulation, tml_integrator integrator)
{
    const char* part = getenv("TRAMMEL_TEST_PART");
    const int first = HEAPS * (part != NULL ? atoi(part) : 0);
    tally t = {0};
    for (int k = first; k < first + HEAPS; k++) {
        static const double steps[4] = {1e-3, 2e-3, 4e-3, 8e-3};
        const int bodies = 2 + k % (MOST - 1);
        run r;
        CHECK(run_freeze(&r, heap_of(1000 + k, bodies)) == TML_OK);
        r.settings.formulation = formulation;
        r.settings.integrator = integrator;
        r.settings.step = steps[k / 5 % 4];
        r.settings.contact.is_on = 1;
        CHECK(run_start(&r) == TML_OK);
        run_heap(&r, bodies, &t);
        const tml_sim_report report = tml_sim_get_report(r.sim);
        t.problems += report.contact_problems;
        t.unpolished += report.contact_unpolished;
        t.gap = fmax(t.gap, report.max_gap);
        t.overlap = fmax(t.overlap, report.max_penetration);
        run_close(&r);
    }
    printf("%-22s %lld steps, %lld failed with a reason; %lld problems, %lld not exact; gap %.1e, "
           "overlap %.1e m, rise %.1e J (%.1e without contact), %.1e J of what is pushed, %.1e J "
           "lifted "
           "at rest\n",
           name, t.steps, t.failed, t.problems, t.unpolished, t.gap, t.overlap, t.rise, t.own_rise,
           t.touched, t.lifted);
    CHECK(t.gap <= 1e-10);
    CHECK(t.touched <= 1e-6);
    // bodies next to rest that a step lifts have no motion to pay with: some micrometres of 60 N
    CHECK(t.lifted <= 1e-3);
    // refusals are rare: one heap in twenty at most
    CHECK(t.failed <= HEAPS / 20);
}

TEST(quaternion)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run_part("quaternion bdf2", TML_FORM_QUATERNION, TML_TIME_BDF2);
}

TEST(variational)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run_part("variational", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL);
}

TEST(affine)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run_part("affine energy", TML_FORM_AFFINE, TML_TIME_ENERGY);
    run_part("affine energy_damped", TML_FORM_AFFINE, TML_TIME_ENERGY_DAMPED);
}

TEST(generalized)
{
    if (getenv("TRAMMEL_TEST_LONG") == NULL) SKIP("takes minutes; set TRAMMEL_TEST_LONG");
    run_part("generalized", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER);
}
