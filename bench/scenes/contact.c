// bench/scenes/contact.c - what a step with contact costs, and how well it keeps its laws.
//
//     bench/contact [STEPS] [MODELS]   steps of each scene at most, 300 by default; 0: only the other
//                                      engines. Robots are read from MODELS (../shared/models)
//
// One line a scene, as CSV: processor time a step, contacts at the end, problems, the share of them with an
// exact answer, the share that the labels of the step before solved, the largest residual of
// complementarity, the deepest overlap and the largest joint gap. Then 200 jointed pairs and a humanoid
// in every engine of bench/peers: processor time, overlap and gap, by one yardstick for all.
#include "base/clock.h"
#include "bench/peers/peer.h"
#include "bench/peers/scenes.h"
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
        printf("%s,%d,%lld,%.1f,%d,%lld,%.2f,%.1f,%.1e,%.1e,%.1e\n", entry->name,
               tml_model_body_count(model), report.steps,
               1e6 * spent / (double)(report.steps > 0 ? report.steps : 1),
               tml_sim_contact_count(sim), report.contact_problems,
               100.0 - 100.0 * (double)report.contact_unpolished / problems,
               100.0 * (double)report.contact_hits / problems, report.max_complementarity,
               report.max_penetration, report.max_gap);
        fflush(stdout);
    }
    if (status != TML_OK) printf("# %s: %s\n", entry->name, tml_sim_message(sim));
    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_scene_destroy(scene);
    return status != TML_OK;
}

// ---- the same scenes in other engines

static void print_peer(const char* scene, const peer_engine* e, const peer_result* r)
{
    if (r->verdict == PEER_REFUSED) {
        printf("# %s, %s: %.120s\n", scene, e->name, r->why);
        return;
    }
    printf("%s,%s,%.4f,%.4f,%.1e,%.1e,%.1e,%d,%s %.2f s%s%.80s\n", scene, e->name, r->mean_ms,
           r->step_ms, r->overlap, r->settled_overlap, r->gap, r->touching,
           peer_verdict_name(r->verdict), r->reached, r->why[0] != '\0' ? ": " : "", r->why);
    fflush(stdout);
}

// Bodies fall, and lie: 2 s, or what 8 s of processor time reach.
static void beside(const char* name, peer_scene* scene, const char* why, double step)
{
    if (scene == NULL) {
        printf("# %s: %s\n", name, why);
        return;
    }
    const peer_run run = {.step = step,
                          .duration = 2.0,
                          .budget = 8.0,
                          .scale = peer_scene_scale(scene),
                          .sample_steps = 10,
                          .is_piled = 1};
    for (int e = 0; e < peer_engine_count(); e++) {
        const peer_result r = peer_measure(peer_engine_at(e), scene, &run);
        print_peer(name, peer_engine_at(e), &r);
    }
    peer_scene_destroy(scene);
}

static void compare(const char* models)
{
    char why[PEER_WHY];
    char path[1024];
    peer_print_engines();
    printf("scene,engine,mean_ms,median_ms,overlap_m,settled_overlap_m,gap_m,contacts,verdict\n");
    snprintf(path, sizeof path, "%s/mjcf/dm_control_suite/humanoid.xml", models);
    peer_scene* humanoid = peer_scene_robot(path, 1, why);
    beside("humanoid", humanoid, why, 2e-3);
    peer_scene* pile = peer_scene_pile(200, why);
    beside("200 pairs", pile, why, 0.01);
}

int main(int argc, char** argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 300;
    int failed = 0;
    printf("scene,bodies,steps,us_a_step,contacts,problems,exact_percent,hits_percent,residual,"
           "overlap_m,gap\n");
    for (int i = scenes_untouched_count(); i < scenes_small_count() && most > 0; i++) {
        failed += measure(scenes_at(i), most);
    }
    compare(argc > 2 ? argv[2] : "../shared/models");
    return failed > 0;
}
