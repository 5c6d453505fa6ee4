// app/compare.c - `trammel compare`: one scene by several formulations and integrators at once.
//
// Agreement between methods that share neither unknowns nor formulas is the strongest test that a
// result can have. All runs take the same steps; after each of them every body is compared with
// where the first run has it.
#include "app/json.h"
#include "app/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option compare_options[] = {
    {"formulations", OPTION_TEXT, "LIST", "a,b,... (every one that can run the scene)", 0, 0},
    {"integrators", OPTION_TEXT, "LIST", "c,d,... (the default of each formulation)", 0, 0},
    {"json", OPTION_FLAG, NULL, "print the comparison as JSON", 0, 0},
};

enum {
    MOST_RUNS = TML_FORMULATIONS * TML_INTEGRATORS,
    SHOWN = 40  // bodies of the table that people read
};

// How far a body has been from its place in the first run.
typedef struct apart {
    double distance;  // m, of the body frames
    double angle;     // rad
} apart;

typedef struct contestant {
    tml_formulation formulation;
    tml_integrator integrator;
    tml_sim* sim;
    apart* worst;  // per body
    double energy_before;
    char why[640];  // why it stopped, or never began; empty: it did neither
} contestant;

typedef struct comparison {
    loaded l;
    bool is_asked[TML_FORMULATIONS];  // by name, so that a refusal is an error
    bool wants[TML_FORMULATIONS];
    bool takes[TML_INTEGRATORS];
    bool has_integrators;
    contestant runs[MOST_RUNS];
    int count;
    contestant idle[TML_FORMULATIONS];  // those that cannot run the scene
    int idle_count;
    long long steps;
    bool is_over;  // a run has failed
} comparison;

// ---- who takes part

// Sets the flag of every name of a list; false, with an error line, when one is unknown.
static bool read_list(const char* option_name, const char* list, int count,
                      const char* (*name)(int), bool* is_on)
{
    while (*list != '\0') {
        const size_t length = strcspn(list, ",");
        int found = -1;
        for (int i = 0; i < count; i++) {
            if (strlen(name(i)) == length && strncmp(name(i), list, length) == 0) found = i;
        }
        if (found < 0) {
            app_error("--%s: unknown name '%.*s'", option_name, (int)length, list);
            return false;
        }
        is_on[found] = true;
        list += length;
        if (*list == ',') list++;
    }
    return true;
}

static const char* formulation_name(int i) { return tml_formulation_name((tml_formulation)i); }
static const char* integrator_name(int i) { return tml_integrator_name((tml_integrator)i); }

static bool read_lists(const arguments* given, comparison* c)
{
    const char* formulations = option_text(given, "formulations");
    const char* integrators = option_text(given, "integrators");

    c->has_integrators = integrators != NULL;
    if (formulations != NULL &&
        !read_list("formulations", formulations, TML_FORMULATIONS, formulation_name, c->is_asked)) {
        return false;
    }
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        c->wants[f] = formulations == NULL || c->is_asked[f];
    }
    return integrators == NULL ||
           read_list("integrators", integrators, TML_INTEGRATORS, integrator_name, c->takes);
}

// A simulation of one pair; what cannot run is set aside.
static int enter_pair(comparison* c, tml_formulation formulation, tml_integrator integrator)
{
    const int bodies = tml_model_body_count(c->l.model);
    contestant* next = &c->runs[c->count];
    tml_sim_settings settings = loaded_settings(&c->l)->sim;

    *next = (contestant){.formulation = formulation, .integrator = integrator};
    settings.formulation = formulation;
    settings.integrator = integrator;
    const tml_status status = tml_sim_create(c->l.model, &settings, &next->sim);
    if (status == TML_OK) {
        const tml_energy energy = tml_sim_energy(next->sim);
        next->energy_before = energy.kinetic + energy.potential;
        next->worst = calloc((size_t)bodies + 1, sizeof *next->worst);
        c->count++;
        if (next->worst != NULL) return APP_DONE;
        app_error("%s: no memory", c->l.name);
        return APP_FAILED;
    }
    snprintf(next->why, sizeof next->why, "%s",
             next->sim != NULL ? tml_sim_message(next->sim) : tml_status_name(status));
    tml_sim_destroy(next->sim);
    next->sim = NULL;
    // what lacks memory might run: it is not set aside
    if (c->is_asked[formulation] || status == TML_NO_MEMORY) {
        app_error("%s: %s, %s: %s", c->l.name, tml_formulation_name(formulation),
                  tml_integrator_name(integrator), next->why);
        return app_exit_code(status);
    }
    if (c->idle_count < TML_FORMULATIONS) c->idle[c->idle_count++] = *next;
    return APP_DONE;
}

static int enter_all(comparison* c)
{
    int code = APP_DONE;
    for (int f = 0; f < TML_FORMULATIONS && code == APP_DONE; f++) {
        const tml_formulation formulation = (tml_formulation)f;
        const tml_integrator own = tml_formulation_default_integrator(formulation);
        for (int i = 0; i < TML_INTEGRATORS && code == APP_DONE; i++) {
            const tml_integrator integrator = (tml_integrator)i;
            const bool is_taken = c->has_integrators ? c->takes[i] : integrator == own;
            if (!c->wants[f] || !is_taken || !tml_pairing_exists(formulation, integrator)) continue;
            code = enter_pair(c, formulation, integrator);
        }
    }
    if (code == APP_DONE && c->count < 2) {
        app_error("%s: only %d pair%s of formulation and integrator can run this scene; a "
                  "comparison needs two",
                  c->l.name, c->count, c->count == 1 ? "" : "s");
        return APP_BAD_INPUT;
    }
    return code;
}

// ---- running

static double length(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

static apart apart_of(tml_pose a, tml_pose b)
{
    // the vector part of conj(a) b is the sine of half the angle; q and -q are one pose
    const double w = a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z;
    const double x = a.q.w * b.q.x - a.q.x * b.q.w - a.q.y * b.q.z + a.q.z * b.q.y;
    const double y = a.q.w * b.q.y - a.q.y * b.q.w - a.q.z * b.q.x + a.q.x * b.q.z;
    const double z = a.q.w * b.q.z - a.q.z * b.q.w - a.q.x * b.q.y + a.q.y * b.q.x;
    return (apart){length(a.p.x - b.p.x, a.p.y - b.p.y, a.p.z - b.p.z),
                   2.0 * atan2(length(x, y, z), fabs(w))};
}

static void measure(comparison* c)
{
    const int bodies = tml_model_body_count(c->l.model);
    for (int r = 1; r < c->count; r++) {
        for (int b = 0; b < bodies; b++) {
            const apart now = apart_of(tml_sim_pose(c->runs[0].sim, (tml_body){b}),
                                       tml_sim_pose(c->runs[r].sim, (tml_body){b}));
            apart* worst = &c->runs[r].worst[b];
            if (!(now.distance <= worst->distance)) worst->distance = now.distance;
            if (!(now.angle <= worst->angle)) worst->angle = now.angle;
        }
    }
}

// All runs step by step, until the end or until one fails.
static void run_all(comparison* c)
{
    const tml_run_settings* s = loaded_settings(&c->l);
    const long long count = llround(s->duration / s->sim.step);

    for (c->steps = 0; c->steps < count && !c->is_over; c->steps++) {
        for (int r = 0; r < c->count; r++) {
            contestant* run = &c->runs[r];
            if (tml_sim_step(run->sim, NULL) == TML_OK) continue;
            c->is_over = true;
            snprintf(run->why, sizeof run->why, "%s", tml_sim_message(run->sim));
            app_error("%s: %s, %s: step %lld at t = %g s: %s", c->l.name,
                      tml_formulation_name(run->formulation), tml_integrator_name(run->integrator),
                      c->steps + 1, tml_sim_time(run->sim), run->why);
        }
        if (c->is_over) break;
        measure(c);
    }
}

// ---- telling

// The largest of all bodies.
static apart largest(const comparison* c, const contestant* run)
{
    apart most = {0.0, 0.0};
    for (int b = 0; b < tml_model_body_count(c->l.model); b++) {
        if (!(run->worst[b].distance <= most.distance)) most.distance = run->worst[b].distance;
        if (!(run->worst[b].angle <= most.angle)) most.angle = run->worst[b].angle;
    }
    return most;
}

static double energy_change(const contestant* run)
{
    const tml_energy energy = tml_sim_energy(run->sim);
    return energy.kinetic + energy.potential - run->energy_before;
}

static void print_text(const comparison* c)
{
    const tml_run_settings* s = loaded_settings(&c->l);
    const int bodies = tml_model_body_count(c->l.model);

    printf("%s: %lld steps of %g s\n\n", tml_model_name(c->l.model), c->steps, s->sim.step);
    printf("    formulation  integrator              largest gap  energy change  apart from 1\n");
    for (int r = 0; r < c->count; r++) {
        const contestant* run = &c->runs[r];
        const apart most = largest(c, run);
        printf("%2d  %-12s %-22s  %11.2e  %+11.2e J", r + 1, tml_formulation_name(run->formulation),
               tml_integrator_name(run->integrator), tml_sim_get_report(run->sim).max_gap,
               energy_change(run));
        if (r > 0) printf("  %.2e m, %.2e rad", most.distance, most.angle);
        printf("\n");
    }
    for (int i = 0; i < c->idle_count; i++) {
        printf(" -  %-12s cannot run it: %s\n", tml_formulation_name(c->idle[i].formulation),
               c->idle[i].why);
    }
    for (int r = 1; r < c->count; r++) {
        printf("\nlargest difference of %d from 1, by body\n", r + 1);
        for (int b = 0; b < bodies && b < SHOWN; b++) {
            printf("  %-24s %.3e m  %.3e rad\n", tml_model_body_name(c->l.model, (tml_body){b}),
                   c->runs[r].worst[b].distance, c->runs[r].worst[b].angle);
        }
        if (bodies > SHOWN) printf("  and %d more\n", bodies - SHOWN);
    }
}

static void print_number(const char* key, double value, const char* end)
{
    printf("\"%s\": ", key);
    if (isfinite(value))
        printf("%.17g%s", value, end);
    else
        printf("null%s", end);
}

static void print_run(const comparison* c, const contestant* run)
{
    const apart most = largest(c, run);
    printf("{\"formulation\": \"%s\", \"integrator\": \"%s\", \"status\": \"%s\", ",
           tml_formulation_name(run->formulation), tml_integrator_name(run->integrator),
           run->why[0] == '\0' ? "ok" : "failed");
    print_number("max_gap", tml_sim_get_report(run->sim).max_gap, ", ");
    print_number("energy_change", energy_change(run), ", ");
    print_number("distance", most.distance, ", ");
    print_number("angle", most.angle, ", ");
    printf("\"bodies\": [");
    for (int b = 0; b < tml_model_body_count(c->l.model); b++) {
        printf("%s{\"body\": ", b > 0 ? ", " : "");
        json_quoted(tml_model_body_name(c->l.model, (tml_body){b}));
        printf(", ");
        print_number("distance", run->worst[b].distance, ", ");
        print_number("angle", run->worst[b].angle, "}");
    }
    printf("]}");
}

static void print_json(const comparison* c)
{
    json_object o = json_open();
    json_text(&o, "status", c->is_over ? "failed" : "ok");
    json_whole(&o, "steps", c->steps);
    json_number(&o, "step", loaded_settings(&c->l)->sim.step);
    json_list_begin(&o, "runs");
    for (int r = 0; r < c->count; r++) {
        json_list_item(r);
        print_run(c, &c->runs[r]);
    }
    json_list_end(c->count);
    json_list_begin(&o, "cannot_run");
    for (int i = 0; i < c->idle_count; i++) {
        json_list_item(i);
        printf("{\"formulation\": \"%s\", \"why\": ", tml_formulation_name(c->idle[i].formulation));
        json_quoted(c->idle[i].why);
        printf("}");
    }
    json_list_end(c->idle_count);
    json_close(&o);
}

static int compare(const arguments* given)
{
    comparison* c = calloc(1, sizeof *c);
    if (c == NULL) {
        app_error("no memory");
        return APP_FAILED;
    }
    int code = read_lists(given, c) ? load_closed(given, &c->l) : APP_BAD_INPUT;
    if (code == APP_DONE) code = enter_all(c);
    if (code == APP_DONE) {
        run_all(c);
        if (option_is_given(given, "json"))
            print_json(c);
        else
            print_text(c);
        code = app_finish_output();
        if (code == APP_DONE && c->is_over) code = APP_FAILED;
    }
    for (int r = 0; r < c->count; r++) {
        tml_sim_destroy(c->runs[r].sim);
        free(c->runs[r].worst);
    }
    unload(&c->l);
    free(c);
    return code;
}

const command command_compare = {
    "compare",
    "SCENE",
    "one scene by several formulations: how far do they agree?",
    "Runs a scene with several formulations and integrators side by side and prints the largest\n"
    "difference of every body from the first run, over the whole run. Every pair of the two lists\n"
    "that goes together takes part ('trammel list'). Halve --step to see them approach each other.",
    {{sizeof compare_options / sizeof compare_options[0], compare_options},
     {OVERRIDES, override_options}},
    1,
    1,
    compare,
};
