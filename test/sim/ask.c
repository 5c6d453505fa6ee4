// test/sim/ask.c - a step is a function of what is asked: the same ask gives the same bits, in any order of asks and on
// any thread, and nothing of it is left in the simulation.
#include "sim/advance.h"
#include "test/check.h"
#include "test/scenario/run.h"

#include <pthread.h>

static const struct {
    const char* scene;
    tml_formulation formulation;
    tml_integrator integrator;
    bool touches;
} cases[] = {
    {"double-pendulum", TML_FORM_QUATERNION, TML_TIME_BDF2, false},
    {"double-pendulum", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, false},
    {"double-pendulum", TML_FORM_AFFINE, TML_TIME_SHAKE, false},
    {"double-pendulum", TML_FORM_GENERALIZED, TML_TIME_RK4, false},
    {"four-bar", TML_FORM_QUATERNION, TML_TIME_SDIRK2, false},
    {"four-bar", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, false},
    {"half-cheetah", TML_FORM_QUATERNION, TML_TIME_BDF1, true},
    {"half-cheetah", TML_FORM_VARIATIONAL, TML_TIME_VARIATIONAL, true},
    {"half-cheetah", TML_FORM_AFFINE, TML_TIME_ENERGY, true},
    {"half-cheetah", TML_FORM_GENERALIZED, TML_TIME_SEMI_IMPLICIT_EULER, true},
};

enum {
    CASES = sizeof cases / sizeof *cases,
    BEFORE = 5  // steps that were taken
};

static void open_case(run* r, int i)
{
    CHECK(run_open(r, cases[i].scene) == TML_OK);
    r->settings.formulation = cases[i].formulation;
    r->settings.integrator = cases[i].integrator;
    r->settings.contact.is_on = cases[i].touches;
    CHECK(run_start(r) == TML_OK);
    for (int k = 0; k < BEFORE; k++) CHECK(tml_sim_step(r->sim, NULL) == TML_OK);
}

// The answer to an ask for `share` of the step: positions and rates, the caller's memory.
static void answer(tml_sim* sim, double share, double* out)
{
    step_ask ask = tml__step_ask(sim, NULL);
    int has_changed = 0;
    ask.h *= share;
    ask.whole *= share;
    ask.is_impact = share < 1.0;
    memcpy(sim->system->sides, sim->sides, (size_t)sim->system->limit_count * sizeof *sim->sides);
    CHECK(tml__step_attempt(sim, &ask, &has_changed) == TML_OK);
    CHECK(sim->ask == NULL);
    memcpy(out, sim->next.q, (size_t)sim->width * sizeof *out);
    memcpy(out + sim->width, sim->next.v, (size_t)sim->width * sizeof *out);
}

static double* take(const tml_sim* sim)
{
    double* numbers = calloc(2 * (size_t)sim->width, sizeof *numbers);
    CHECK(numbers != NULL);
    return numbers;
}

TEST(the_same_ask_gives_the_same_bits_in_any_order)
{
    for (int i = 0; i < CASES; i++) {
        run r;
        open_case(&r, i);
        const size_t bytes = 2 * (size_t)r.sim->width * sizeof(double);
        double* before = take(r.sim);
        memcpy(before, r.sim->past_q[0], bytes / 2);
        memcpy(before + r.sim->width, r.sim->past_v[0], bytes / 2);
        double* whole[2] = {take(r.sim), take(r.sim)};
        double* half[2] = {take(r.sim), take(r.sim)};
        answer(r.sim, 1.0, whole[0]);
        answer(r.sim, 0.5, half[0]);
        answer(r.sim, 0.5, half[1]);
        answer(r.sim, 1.0, whole[1]);
        CHECK(memcmp(whole[0], whole[1], bytes) == 0);
        CHECK(memcmp(half[0], half[1], bytes) == 0);
        CHECK(memcmp(whole[0], half[0], bytes) != 0);
        // the accepted state and the settings are as they were
        CHECK(tml_sim_get_settings(r.sim)->step == r.settings.step);
        CHECK(memcmp(before, r.sim->past_q[0], bytes / 2) == 0);
        CHECK(memcmp(before + r.sim->width, r.sim->past_v[0], bytes / 2) == 0);
        answer(r.sim, 1.0, whole[1]);
        CHECK(tml_sim_step(r.sim, NULL) == TML_OK);
        CHECK(memcmp(whole[0], r.sim->past_q[0], bytes / 2) == 0);
        for (int k = 0; k < 2; k++) {
            free(whole[k]);
            free(half[k]);
        }
        free(before);
        run_close(&r);
    }
}

typedef struct errand {
    run r;
    double* out;
} errand;

static void* go(void* self)
{
    errand* e = self;
    answer(e->r.sim, 0.5, e->out);
    answer(e->r.sim, 1.0, e->out);
    return NULL;
}

TEST(two_threads_with_a_workspace_each_answer_with_the_same_bits)
{
    for (int i = 0; i < CASES; i++) {
        errand e[2];
        pthread_t thread[2];
        for (int k = 0; k < 2; k++) {
            open_case(&e[k].r, i);
            e[k].out = take(e[k].r.sim);
        }
        for (int k = 0; k < 2; k++) CHECK(pthread_create(&thread[k], NULL, go, &e[k]) == 0);
        for (int k = 0; k < 2; k++) CHECK(pthread_join(thread[k], NULL) == 0);
        const size_t bytes = 2 * (size_t)e[0].r.sim->width * sizeof(double);
        CHECK(memcmp(e[0].out, e[1].out, bytes) == 0);
        for (int k = 0; k < 2; k++) {
            free(e[k].out);
            run_close(&e[k].r);
        }
    }
}
