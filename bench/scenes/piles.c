// bench/scenes/piles.c - pairs of boxes falling into a container, in every engine: time, joint gaps,
// overlaps.
//
//     bench/piles [PAIRS] [ENGINE]   200 and 720 by default; ENGINE: a word of the names to run
//
// 4 s at 10 ms, as long as 20 s of processor time allow. The mean counts more than the median: the
// first half second is free fall. Overlaps are those of Trammel's own geometry at the poses that each
// engine answers, every tenth of a second; settled is at the end. Energy may only fall.
#include "bench/peers/peer.h"
#include "bench/peers/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_result(const peer_engine* e, const peer_result* r)
{
    printf("  %-26s", e->name);
    if (r->verdict == PEER_REFUSED) {
        printf(" %.110s\n", r->why);
        return;
    }
    printf(" %9.3f ms mean %9.3f ms median  gap %8.1e m  overlap %8.1e m, settled %8.1e m  %5d "
           "contacts  rise %+8.1e  %s",
           r->mean_ms, r->step_ms, r->gap, r->overlap, r->settled_overlap, r->touching, r->rise,
           peer_verdict_name(r->verdict));
    if (r->verdict != PEER_RAN) printf(" at %.2f s", r->reached);
    if (r->verdict == PEER_STOPPED) printf(": %.90s", r->why);
    printf("\n");
    fflush(stdout);
}

static int run_pile(int pairs, const char* word)
{
    char why[PEER_WHY];
    peer_scene* scene = peer_scene_pile(pairs, why);
    if (scene == NULL) {
        fprintf(stderr, "piles: %s\n", why);
        return 1;
    }
    const peer_run run = {.step = 0.01,
                          .duration = 4.0,
                          .budget = 20.0,
                          .scale = peer_scene_scale(scene),
                          .sample_steps = 10,
                          .is_piled = 1};
    printf("%d pairs\n", pairs);
    for (int e = 0; e < peer_engine_count(); e++) {
        const peer_engine* engine = peer_engine_at(e);
        if (word != NULL && strstr(engine->name, word) == NULL) continue;
        const peer_result r = peer_measure(engine, scene, &run);
        print_result(engine, &r);
    }
    peer_scene_destroy(scene);
    return 0;
}

int main(int argc, char** argv)
{
    const int only = argc > 1 ? atoi(argv[1]) : 0;
    const char* word = argc > 2 ? argv[2] : NULL;
    peer_print_engines();
    if (only > 0) return run_pile(only, word);
    const int failed = run_pile(200, word);
    return run_pile(720, word) || failed;
}
