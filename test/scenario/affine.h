// test/scenario/affine.h - generated chains, trees and nets for tests of the affine formulation.
#ifndef TRAMMEL_TEST_SCENARIO_AFFINE_H
#define TRAMMEL_TEST_SCENARIO_AFFINE_H

#include "test/check.h"
#include "test/scenario/run.h"

#include <stdbool.h>
#include <time.h>

// A scene from its text; the affine formulation with `energy` at 10 ms unless changed.
static inline tml_status run_text(run* r, const char* text)
{
    *r = (run){.scene = tml_scene_create()};
    tml_status status = tml_scene_read_text(r->scene, text, strlen(text), "test");
    if (status == TML_OK) status = tml_scene_build(r->scene, &r->model);
    if (status != TML_OK) printf("scene: %s\n", tml_scene_message(r->scene));
    r->settings = tml_sim_settings_default();
    r->settings.formulation = TML_FORM_AFFINE;
    r->settings.integrator = TML_TIME_ENERGY;
    return status;
}

// Links of 5 cm and 0.1 kg, as in the notes, section 9.5.
#define CHAIN_TEXT(links, joint, pose, more)                                                       \
    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"chain\", \"name\": \"c\", "      \
    "\"links\": " #links ", \"joint\": \"" joint "\", \"link\": {\"length\": 0.05, \"radius\": "   \
    "0.005, \"mass\": 0.1}, \"pose\": \"" pose "\"" more "}]}"

#define NET_TEXT(rows)                                                                             \
    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"net\", \"name\": \"n\", "        \
    "\"rows\": " #rows ", \"columns\": " #rows ", \"pitch\": 0.1, \"link\": {\"length\": 0.08, "   \
    "\"radius\": 0.005, \"mass\": 0.008}, \"pinned\": \"edge\"}]}"

#define TREE_TEXT(links)                                                                           \
    "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"tree\", \"name\": \"t\", "       \
    "\"links\": " #links ", \"seed\": 7, \"link\": {\"length\": 0.05, \"radius\": 0.005, "         \
    "\"mass\": 0.1}}]}"

// What a run of many steps has shown.
typedef struct affine_record {
    long long steps;
    double gap;   // largest, m
    double rise;  // largest between two steps, J
    double size;  // largest kinetic energy, J
    double first, last;
    double seconds;  // of the processor, in steps alone
} affine_record;

static inline affine_record run_record(run* r, int steps)
{
    affine_record out = {.first = run_energy(r)};
    double energy = out.first;
    for (int k = 0; k < steps; k++) {
        const clock_t before = clock();
        if (run_step(r) != TML_OK) break;
        out.seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
        const double now = run_energy(r);
        out.gap = larger_of(out.gap, tml_sim_gap(r->sim));
        out.rise = larger_of(out.rise, now - energy);
        out.size = larger_of(out.size, tml_sim_energy(r->sim).kinetic);
        energy = now;
        out.steps++;
    }
    out.last = energy;
    return out;
}

static inline void print_record(const char* name, const run* r, const affine_record* out)
{
    const tml_sim_report report = tml_sim_get_report(r->sim);
    const double steps = (double)(report.steps > 0 ? report.steps : 1);
    const double bodies = (double)report.newton_iterations * tml_model_body_count(r->model);
    printf(
        "%-26s %-13s h %-8g %6lld steps, %5.2f iterations of %.2f of the bodies, %5lld substeps, "
        "gap %.1e, largest rise %.1e J, E %.6g -> %.6g J, %.3g ms a step\n",
        name, tml_integrator_name(r->settings.integrator), r->settings.step, out->steps,
        (double)report.newton_iterations / steps,
        bodies > 0.0 ? (double)report.newton_bodies / bodies : 1.0, report.substeps, out->gap,
        out->rise, out->first, out->last, 1e3 * out->seconds / steps);
    fflush(stdout);
}

#endif
