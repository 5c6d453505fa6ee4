// bench/peers/table.c - which engines this program was built with.
#include "bench/peers/engines.h"

#include <stdio.h>

static const peer_engine* const lists[] = {
    peer_trammel,
#ifdef PEER_BULLET
    peer_bullet,
#endif
#ifdef PEER_MUJOCO
    peer_mujoco,
#endif
#ifdef PEER_ODE
    peer_ode,
#endif
#ifdef PEER_DART
    peer_dart,
#endif
#ifdef PEER_SIMBODY
    peer_simbody,
#endif
};

enum {
    LISTS = sizeof lists / sizeof *lists
};

int peer_engine_count(void)
{
    int count = 0;
    for (int k = 0; k < LISTS; k++) {
        for (const peer_engine* e = lists[k]; e->name != NULL; e++) count++;
    }
    return count;
}

const peer_engine* peer_engine_at(int index)
{
    for (int k = 0; k < LISTS; k++) {
        for (const peer_engine* e = lists[k]; e->name != NULL; e++) {
            if (index-- == 0) return e;
        }
    }
    return NULL;
}

void peer_print_engines(void)
{
    printf("engines:");
    for (int k = 0; k < LISTS; k++) printf(" %s", lists[k]->engine);
#ifdef PEER_MISSING
    printf("; left out: %s (make bench-peers installs them)", PEER_MISSING);
#endif
    printf("\n");
}
