// bench/scenes/contact.c - what a step with contact costs, and how well it keeps its laws.
//
//     bench/contact [STEPS]      steps of each scene at most, 300 by default
//
// One line a scene, as CSV: processor time a step, contacts at the end, the share of problems that
// the labels of the step before solved, problems without an exact answer, the largest residual of
// complementarity, the deepest overlap and the largest joint gap.
#include "base/clock.h"
#include "scenes/builders.h"
#include "scenes/scenes.h"

#include <stdio.h>
#include <stdlib.h>

static int measure(const scene_entry* entry, int most)
{
    tml_scene* scene = tml_scene_create();
    tml_model* model = NULL;
    tml_sim* sim = NULL;
    tml_status status = scenes_fill(scene, entry);
    if (status == TML_OK) status = tml_scene_build(scene, &model);
    if (status == TML_OK) {
        status = tml_sim_create(model, &tml_scene_settings(scene)->sim, &sim);
    }
    if (status == TML_OK) {
        const tml_run_settings* run = tml_scene_settings(scene);
        const int all = (int)(run->duration / run->sim.step + 0.5);
        const int steps = all < most ? all : most;
        const double start = tml__clock();
        for (int k = 0; k < steps && status == TML_OK; k++) status = tml_sim_step(sim, NULL);
        const double spent = tml__clock() - start;
        const tml_sim_report report = tml_sim_get_report(sim);
        const double problems = (double)(report.contact_problems > 0 ? report.contact_problems : 1);
        printf("%s,%d,%lld,%.1f,%d,%.1f,%lld,%.1e,%.1e,%.1e\n", entry->name,
               tml_model_body_count(model), report.steps,
               1e6 * spent / (double)(report.steps > 0 ? report.steps : 1),
               tml_sim_contact_count(sim), 100.0 * (double)report.contact_hits / problems,
               report.contact_unpolished, report.max_complementarity, report.max_penetration,
               report.max_gap);
    }
    if (status != TML_OK) printf("# %s: %s\n", entry->name, tml_sim_message(sim));
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status != TML_OK;
}

int main(int argc, char** argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 300;
    int failed = 0;
    printf(
        "scene,bodies,steps,us_a_step,contacts,hits_percent,unpolished,residual,overlap_m,gap\n");
    for (int i = scenes_untouched_count(); i < scenes_count(); i++) {
        failed += measure(scenes_at(i), most > 0 ? most : 300);
    }
    return failed > 0;
}
