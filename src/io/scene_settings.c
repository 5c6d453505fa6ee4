// io/scene_settings.c - how a scene asks to be run.
//
// Keys of the format that this version does not simulate are refused by name unless they say what
// would happen anyway.
#include "io/scene_internal.h"

#include <trammel/contact.h>

#include <stdio.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,
    MAX_ITERATIONS = 10000,
    MAX_CONTACTS = TML_CONTACTS_MOST,
    MAX_SWEEPS = 10000
};

tml_run_settings tml__run_settings_default(void)
{
    return (tml_run_settings){.sim = tml_sim_settings_default(), .duration = 10.0};
}

static void read_method(const element* e, tml_run_settings* settings)
{
    const char* formulations[TML_FORMULATIONS + 1] = {NULL};
    const char* integrators[TML_INTEGRATORS + 1] = {NULL};
    for (int i = 0; i < TML_FORMULATIONS; i++) {
        formulations[i] = tml_formulation_name((tml_formulation)i);
    }
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        integrators[i] = tml_integrator_name((tml_integrator)i);
    }
    const int formulation = tml__read_word(e, "formulation", formulations);
    if (formulation >= 0) settings->sim.formulation = (tml_formulation)formulation;

    const int integrator = tml__read_word(e, "integrator", integrators);
    settings->has_integrator = integrator >= 0;
    settings->sim.integrator = integrator >= 0
                                   ? (tml_integrator)integrator
                                   : tml_formulation_default_integrator(settings->sim.formulation);
}

static void read_solver(const element* e, tml_run_settings* settings)
{
    const char* name = tml__read_text(e, "solver");
    if (name == NULL || tml_solver_find(name, &settings->sim.solver)) return;

    const char* words[TML_SOLVERS + 1] = {NULL};
    for (int i = 0; i < TML_SOLVERS; i++) words[i] = tml_solver_name((tml_solver)i);
    tml__read_word(e, "solver", words);
}

static void check_range(const element* e, const char* key, double value, double least, double most)
{
    if (tml__find(e, key) == NULL || (value >= least && value <= most)) return;
    tml__refuse(e->r, tml__find(e, key), TML_BAD_ARGUMENT,
                "%s of %s must be from %g to %g, but is %g", key, e->label, least, most, value);
}

static void read_numbers(const element* e, tml_run_settings* settings)
{
    tml_sim_settings* sim = &settings->sim;

    tml__read_number(e, "step", POSITIVE, &sim->step);
    if (sim->step > 1e3) check_range(e, "step", sim->step, 0.0, 1e3);
    tml__read_number(e, "duration", NOT_NEGATIVE, &settings->duration);
    tml__read_number(e, "tolerance", POSITIVE, &sim->tolerance);
    check_range(e, "tolerance", sim->tolerance, 1e-15, 1e-2);
    tml__read_integer(e, "max_iterations", 1, MAX_ITERATIONS, &sim->max_iterations);
    tml__read_integer(e, "threads", 1, MAX_THREADS, &sim->threads);
    tml__read_number(e, "baumgarte", NOT_NEGATIVE, &sim->implicit.baumgarte);

    static const char* const starts[] = {
        [TML_START_ACCURATE] = "accurate", [TML_START_SDIRK2] = "sdirk2", NULL};
    const int start = tml__read_word(e, "start", starts);
    if (start >= 0) sim->implicit.start = (tml_start)start;
}

// true, false or an object that says how.
static void read_contact(const element* e, tml_sim_settings* sim)
{
    static const char* const keys[] = {"max_contacts", "margin", "stiffness", "sweeps", NULL};
    const json* value = tml__find(e, "contact");
    if (value == NULL) return;
    if (value->kind != JSON_OBJECT) {
        tml__read_bool(e, "contact", &sim->contact.is_on);
        return;
    }
    const element c = tml__open(e->r, value, "contact", -1, keys);
    sim->contact.is_on = 1;
    tml__read_integer(&c, "max_contacts", 1, MAX_CONTACTS, &sim->contact.max_contacts);
    tml__read_number(&c, "margin", POSITIVE, &sim->contact.margin);
    check_range(&c, "margin", sim->contact.margin, 0.0, 1.0);
    tml__read_number(&c, "stiffness", POSITIVE, &sim->contact.stiffness);
    tml__read_integer(&c, "sweeps", 1, MAX_SWEEPS, &sim->contact.pgs_iterations);
}

// ---- formulas with coefficients of their own

static void read_newmark(const element* e, tml_sim_settings* sim)
{
    static const char* const keys[] = {"gamma", "beta", NULL};
    const json* value = tml__find(e, "newmark");
    if (value == NULL) return;
    const element n = tml__open(e->r, value, "newmark", -1, keys);
    tml__read_number(&n, "gamma", NOT_NEGATIVE, &sim->implicit.newmark_gamma);
    tml__read_number(&n, "beta", NOT_NEGATIVE, &sim->implicit.newmark_beta);
    check_range(&n, "gamma", sim->implicit.newmark_gamma, 0.5, 1.0);
    check_range(&n, "beta", sim->implicit.newmark_beta, 0.08, 1.0);
}

// The coefficients under a key, newest first; how many in *count.
static void read_coefficients(const element* e, const char* key, int* count, double* out)
{
    const json* list = tml__need(e, key);
    char what[200];
    snprintf(what, sizeof what, "%s of %s", key, e->label);
    if (list == NULL || !tml__is_list(e->r, list, what)) return;
    *count = tml__json_count(list);
    if (*count < 2 || *count > TML_MULTISTEP_MOST + 1) {
        tml__refuse(e->r, list, TML_BAD_ARGUMENT, "%s must be 2 to %d numbers, not %d", what,
                    (int)TML_MULTISTEP_MOST + 1, *count);
        return;
    }
    tml__numbers(e->r, list, what, *count, out);
}

static void read_multistep(const element* e, tml_sim_settings* sim)
{
    static const char* const keys[] = {"alpha", "beta", NULL};
    const json* value = tml__find(e, "multistep");
    if (value == NULL) return;
    const element m = tml__open(e->r, value, "multistep", -1, keys);
    int alphas = 0;
    int betas = 0;
    read_coefficients(&m, "alpha", &alphas, sim->implicit.multistep.alpha);
    read_coefficients(&m, "beta", &betas, sim->implicit.multistep.beta);
    if (e->r->status != TML_OK) return;
    sim->implicit.multistep.steps = (alphas > betas ? alphas : betas) - 1;
}

// A word, or the three weights.                                                  [COOK (205)]
static void read_level(const element* e, tml_sim_settings* sim)
{
    static const char* const words[] = {"position", "velocity", "acceleration", NULL};
    const json* value = tml__find(e, "constraint_level");
    if (value == NULL) return;
    if (value->kind == JSON_ARRAY) {
        tml__numbers(e->r, value, "constraint_level", 3, sim->implicit.level);
        return;
    }
    const int word = tml__read_word(e, "constraint_level", words);
    for (int k = 0; k < 3 && word >= 0; k++) sim->implicit.level[k] = k == word ? 1.0 : 0.0;
}

static void read_stages(const element* e, tml_sim_settings* sim)
{
    static const char* const words[] = {
        [TML_UNKNOWN_POSITION] = "position", [TML_UNKNOWN_VELOCITY] = "velocity", NULL};
    const int unknowns = tml__read_word(e, "unknowns", words);
    if (unknowns >= 0) sim->implicit.unknowns = (tml_unknowns)unknowns;
    tml__read_bool(e, "linearised", &sim->implicit.is_linearised);
    read_newmark(e, sim);
    read_multistep(e, sim);
    read_level(e, sim);
}

// ---- affine bodies of finite stiffness

static void read_stiffness(const element* e, tml_sim_settings* sim)
{
    static const char* const strains[] = {
        [TML_STRAIN_GREEN] = "green", [TML_STRAIN_COROTATED] = "corotated", NULL};
    const bool has_young = tml__find(e, "young") != NULL;
    const json* poisson = tml__find(e, "poisson");
    tml__read_number(e, "young", POSITIVE, &sim->affine.young);
    tml__read_number(e, "poisson", ANY_NUMBER, &sim->affine.poisson);
    const int strain = tml__read_word(e, "strain", strains);
    if (strain >= 0) sim->affine.strain = (tml_strain)strain;
    if (e->r->status != TML_OK) return;
    if (poisson != NULL && !(sim->affine.poisson > -1.0 && sim->affine.poisson < 0.5)) {
        tml__refuse(e->r, poisson, TML_BAD_ARGUMENT,
                    "poisson of %s must lie between -1 and 0.5, but is %g", e->label,
                    sim->affine.poisson);
    } else if (poisson != NULL && !has_young) {
        tml__refuse(e->r, poisson, TML_BAD_ARGUMENT,
                    "poisson of %s needs young: without it bodies are rigid", e->label);
    } else if (strain == TML_STRAIN_COROTATED && !has_young) {
        tml__refuse(e->r, tml__find(e, "strain"), TML_BAD_ARGUMENT,
                    "strain of %s needs young: without it bodies are rigid", e->label);
    }
}

// ---- all of them

void tml__read_simulation(reader* r, const json* value)
{
    static const char* const keys[] = {
        "formulation",      "integrator", "step",    "duration",  "tolerance",  "max_iterations",
        "solver",           "contact",    "young",   "poisson",   "threads",    "start",
        "baumgarte",        "strain",     "newmark", "multistep", "linearised", "unknowns",
        "constraint_level", NULL};
    const element e = tml__open(r, value, "simulation", -1, keys);

    read_method(&e, &r->settings);
    read_solver(&e, &r->settings);
    read_numbers(&e, &r->settings);
    read_contact(&e, &r->settings.sim);
    read_stages(&e, &r->settings.sim);
    read_stiffness(&e, &r->settings.sim);
}
