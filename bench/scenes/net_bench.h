// bench/scenes/net_bench.h - the nets of the notes, section 9.5, and the clock of the benches about them.
#ifndef TRAMMEL_BENCH_SCENES_NET_BENCH_H
#define TRAMMEL_BENCH_SCENES_NET_BENCH_H

#include <trammel/trammel.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

static inline double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline tml_status build_net(int rows, tml_model** model)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"trammel\": 1, \"bodies\": [], \"generate\": [{\"type\": \"net\", \"name\": \"n\", "
             "\"rows\": %d, \"columns\": %d, \"pitch\": 0.1, \"link\": {\"length\": 0.08, "
             "\"radius\": 0.005, \"mass\": 0.008}, \"pinned\": \"edge\"}]}",
             rows, rows);
    tml_scene* scene = tml_scene_create();
    tml_status status = tml_scene_read_text(scene, text, strlen(text), "bench");
    if (status == TML_OK) status = tml_scene_build(scene, model);
    if (status != TML_OK) printf("net,%d: %s\n", rows, tml_scene_message(scene));
    tml_scene_destroy(scene);
    return status;
}

#endif
