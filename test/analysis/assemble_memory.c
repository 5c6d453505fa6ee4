// test/analysis/assemble_memory.c - assembling, targets and teleports when memory runs out at any point:
// TML_NO_MEMORY, nothing leaked, the simulation as it was.
//
// base/memory.c is compiled into this program once more, over a malloc that can be told to fail; the
// library's own copy is then not linked.
#include <stddef.h>
#include <stdlib.h>

static void* counted_malloc(size_t bytes);
static void counted_free(void* memory);

#define malloc counted_malloc
#define free   counted_free
#include "base/memory.c"
#undef malloc
#undef free

#include "test/analysis/teleports.h"
#include "test/check.h"

static long long calls;
static long long live;
static long long failing = -1;

static void* counted_malloc(size_t bytes)
{
    if (calls++ == failing) return NULL;
    void* memory = malloc(bytes);
    if (memory != NULL) live++;
    return memory;
}

static void counted_free(void* memory)
{
    if (memory != NULL) live--;
    free(memory);
}

// Let one call after the other fail until the action needs no more of them.
typedef tml_status (*action)(void* context);

static int fail_each(action act, void* context)
{
    int failures = 0;
    for (long long k = 0;; k++) {
        const long long before = live;
        calls = 0;
        failing = k;
        const tml_status status = act(context);
        const int is_over = calls <= k;
        failing = -1;
        CHECK(live == before);
        if (is_over) {
            CHECK(status == TML_OK);
            return failures;
        }
        CHECK(status == TML_NO_MEMORY);
        if (status != TML_NO_MEMORY) return failures;
        failures++;
    }
}

static tml_status assemble(void* context)
{
    const loop_scene* s = context;
    tml_pose poses[16];
    const tml_assemble_settings settings = tml_assemble_settings_default();
    return tml_model_assemble(s->model, &settings, poses, NULL, NULL, 0);
}

TEST(assembling_without_memory_says_so)
{
    loop_scene s = loop_open("four-bar");
    CHECK(fail_each(assemble, &s) > 50);
    loop_close(&s);
}

static tml_status reach(void* context)
{
    const loop_scene* s = context;
    tml_target target = tml_target_default();
    target.body = (tml_body){0};
    target.has_orientation = 1;
    const tml_assemble_settings settings = tml_assemble_settings_default();
    tml_ik* ik = NULL;
    tml_status status = tml_ik_create(s->model, &target, 1, &settings, &ik);
    if (status == TML_OK) status = tml_ik_solve(ik, 0.0);
    tml_ik_destroy(ik);
    return status;
}

TEST(targets_without_memory_say_so)
{
    loop_scene s = loop_open("four-bar");
    CHECK(fail_each(reach, &s) > 50);
    loop_close(&s);
}

typedef struct moved {
    tml_sim* sim;
    blob before;
} moved;

static tml_status set_crank(void* context)
{
    const moved* m = context;
    const tml_status status = tml_sim_set_joint(m->sim, (tml_joint){0}, TML_AXIS_RX, 0.1);
    if (status != TML_OK) {
        failing = -1;
        const long long spent = calls;
        blob after = world_snapshot(m->sim);
        CHECK(blob_equal(&m->before, &after));
        blob_free(&after);
        calls = spent;
    }
    return status;
}

TEST(setting_a_joint_without_memory_changes_nothing)
{
    loop_scene s = loop_open("four-bar");
    moved m = {.sim = teleport_start(&s)};
    m.before = world_snapshot(m.sim);
    CHECK(fail_each(set_crank, &m) > 50);
    blob_free(&m.before);
    tml_sim_destroy(m.sim);
    loop_close(&s);
}
