// bench/scenes/nets.c - nets, trees and heavy chains in every engine, at large steps and at small ones.
//
//     bench/nets [WORD] [ENGINE]    only scenes whose name contains WORD, engines that contain ENGINE
//
// The scenes of MABD's Figs. 11 to 14 as the engines can be told them. Iterations hardly help an engine
// whose joints are met at the level of velocities; small steps do. So each scene runs at several steps
// and the cost is also stated per 10 ms of simulated time. Energy is over the weight times half of the
// extent at the start. Nothing damps: every loss is the method's.
#include "bench/peers/peer.h"
#include "bench/peers/scenes.h"

#include <stdio.h>
#include <string.h>

typedef struct net_case {
    const char* name;
    const char* generate;
    double duration;
    double steps[4];  // s; 0: no more
} net_case;

#define NET(rows)                                                                                  \
    "{\"type\": \"net\", \"name\": \"n\", \"rows\": " rows ", \"columns\": " rows                  \
    ", \"pitch\": 0.1, "                                                                           \
    "\"link\": {\"length\": 0.08, \"radius\": 0.005, \"mass\": 0.008}, \"pinned\": \"edge\"}"

static const net_case cases[] = {
    {"net 10 x 10", NET("10"), 3.0, {1.0 / 30.0, 0.01, 1e-3}},
    {"net 20 x 20", NET("20"), 3.0, {1.0 / 30.0, 0.01, 1e-3}},
    {"net 50 x 50", NET("50"), 3.0, {0.01, 1e-3}},
    {"100 links with 1000 times the end mass",
     "{\"type\": \"chain\", \"name\": \"c\", \"links\": 100, \"joint\": \"spherical\", \"link\": "
     "{\"length\": 0.1, \"radius\": 0.01, \"mass\": 0.04}, \"pose\": \"zigzag\", \"anchored\": "
     "true, "
     "\"end_mass\": 40}",
     4.0,
     {0.01, 1e-3, 1e-4}},
    {"tree of 2000",
     "{\"type\": \"tree\", \"name\": \"t\", \"links\": 2000, \"seed\": 1, \"link\": {\"length\": "
     "0.1, "
     "\"radius\": 0.01, \"mass\": 0.04}}",
     2.0,
     {0.01, 1e-3}},
    {"coil of 1024",
     "{\"type\": \"chain\", \"name\": \"c\", \"links\": 1024, \"joint\": \"spherical\", \"link\": "
     "{\"length\": 0.1, \"radius\": 0.01, \"mass\": 0.04}, \"pose\": \"coil\", \"anchored\": true}",
     2.0,
     {0.01, 1e-3}},
};

static void print_result(const peer_engine* e, const peer_result* r, double step)
{
    printf("    %-26s", e->name);
    if (r->verdict == PEER_REFUSED) {
        printf(" %.100s\n", r->why);
        return;
    }
    printf(" %10.3f ms, %10.3f ms for 10 ms  gap %8.1e m  dE %+9.1e  %s", r->mean_ms,
           r->mean_ms * 0.01 / step, r->gap, r->energy, peer_verdict_name(r->verdict));
    if (r->verdict != PEER_RAN) printf(" at %.3f s", r->reached);
    if (r->verdict == PEER_STOPPED) printf(": %.60s", r->why);
    printf("\n");
    fflush(stdout);
}

static int run_case(const net_case* c, const char* word)
{
    char text[1024];
    char why[PEER_WHY];
    snprintf(text, sizeof text, "{\"trammel\": 1, \"bodies\": [], \"generate\": [%s]}",
             c->generate);
    peer_scene* scene = peer_scene_text(text, 0, why);
    if (scene == NULL) {
        fprintf(stderr, "nets: %s: %s\n", c->name, why);
        return 1;
    }
    printf("%s: %d bodies, %d joints, %g s\n", c->name, scene->body_count, scene->joint_count,
           c->duration);
    for (int k = 0; k < 4 && c->steps[k] > 0.0; k++) {
        const peer_run run = {.step = c->steps[k],
                              .duration = c->duration,
                              .budget = 4.0,
                              .scale = peer_scene_scale(scene)};
        printf("  at %.4g s\n", c->steps[k]);
        for (int e = 0; e < peer_engine_count(); e++) {
            const peer_engine* engine = peer_engine_at(e);
            if (word != NULL && strstr(engine->name, word) == NULL) continue;
            const peer_result r = peer_measure(engine, scene, &run);
            print_result(engine, &r, c->steps[k]);
        }
    }
    peer_scene_destroy(scene);
    return 0;
}

int main(int argc, char** argv)
{
    int failed = 0;
    peer_print_engines();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc > 1 && strstr(cases[i].name, argv[1]) == NULL) continue;
        failed += run_case(&cases[i], argc > 2 ? argv[2] : NULL);
    }
    return failed > 0;
}
