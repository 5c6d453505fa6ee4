// test/model/memory.c - every single allocation of a spec and a model fails once.
//
// Specs and models take their memory from malloc, so this program brings the library's own
// base/memory.c with a malloc that can say no; the linker then leaves the library's copy out.
#include "test/check.h"

typedef struct heap {
    int live;       // blocks that are not freed yet
    int countdown;  // allocations until one fails; negative: never
    int failures;
} heap;

static heap the_heap;

static void* counted_malloc(size_t bytes)
{
    if (the_heap.countdown == 0) {
        the_heap.countdown = -1;
        the_heap.failures++;
        return NULL;
    }
    if (the_heap.countdown > 0) the_heap.countdown--;
    void* block = malloc(bytes);
    if (block != NULL) the_heap.live++;
    return block;
}

static void counted_free(void* block)
{
    if (block != NULL) the_heap.live--;
    free(block);
}

// the library's file, its two calls led to the heap above
#define malloc counted_malloc
#define free   counted_free
#include "base/memory.c"
#undef malloc
#undef free

#include "model/topology.h"

// ---- something of everything

static const double times[3] = {0.0, 1.0, 2.0};

static void add_joints(tml_spec* spec, int count)
{
    const tml_control table = {
        .kind = TML_CONTROL_CUBIC, .count = 3, .times = times, .samples = times};
    for (int i = 0; i < count; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.kind = TML_JOINT_REVOLUTE;
        def.base = (tml_body){i - 1};
        def.follower = (tml_body){i};
        def.axis_of[TML_AXIS_RX].actuation = TML_FORCE;
        def.axis_of[TML_AXIS_RX].control = table;
        def.axis_of[TML_AXIS_RX].has_servo = 1;
        def.axis_of[TML_AXIS_RX].servo_target = table;
        tml_spec_add_joint(spec, &def);
    }
}

static void add_forces(tml_spec* spec)
{
    const tml_point points[2] = {{{0}, {0.0, 0.0, 0.0}}, {{-1}, {1.0, 0.0, 0.0}}};
    const tml_control table = {
        .kind = TML_CONTROL_TABLE, .count = 3, .times = times, .samples = times};
    const tml_coupling_term term = {{0}, TML_AXIS_RX, 1, {1.0}};
    tml_coupling_def coupling = tml_coupling_def_default();
    coupling.term_count = 1;
    coupling.terms = &term;
    tml_spec_add_coupling(spec, &coupling);
    tml_spring_def spring = tml_spring_def_default();
    spring.point_count = 2;
    spring.points = points;
    spring.law = TML_SPRING_TABLE;
    spring.table_count = 3;
    spring.table_extensions = times;
    spring.table_forces = times;
    spring.force = table;
    tml_spec_add_spring(spec, &spring);
    tml_wrench_def wrench = tml_wrench_def_default();
    wrench.body = (tml_body){0};
    wrench.force[1] = wrench.torque[2] = table;
    tml_spec_add_wrench(spec, &wrench);
    tml_drag_def drag = tml_drag_def_default();
    drag.body = (tml_body){0};
    tml_spec_add_drag(spec, &drag);
}

// Enough of everything that lists, name tables and pools have to grow.
static void fill(tml_spec* spec)
{
    enum {
        BODIES = 40
    };
    const tml_shape_def shape = tml_shape_def_default();
    tml_spec_set_name(spec, "everything");
    for (int i = 0; i < 9; i++) tml_spec_add_world_shape(spec, &shape);
    for (int i = 0; i < BODIES; i++) {
        tml_body_def def = tml_body_def_default();
        def.shape_count = 1;
        def.shapes = &shape;
        tml_spec_add_body(spec, &def);
    }
    add_joints(spec, BODIES);
    add_forces(spec);
}

// ---- failing

TEST(any_allocation_of_a_spec_may_fail)
{
    int failed = 0;
    for (int k = 0;; k++) {
        the_heap = (heap){.countdown = k};
        tml_spec* spec = tml_spec_create();
        if (spec != NULL) fill(spec);
        const int has_failed = the_heap.failures;
        if (spec == NULL) {
            CHECK(has_failed == 1);
        } else if (has_failed) {
            // the spec knows, says so and cannot be built
            tml_model* model = NULL;
            CHECK(tml_spec_status(spec) == TML_NO_MEMORY);
            CHECK_TEXT(tml_spec_message(spec), "out of memory");
            CHECK(tml_spec_build(spec, &model) == TML_NO_MEMORY);
            CHECK(model == NULL);
        } else {
            CHECK(tml_spec_status(spec) == TML_OK);
        }
        tml_spec_destroy(spec);
        CHECK(the_heap.live == 0);
        if (!has_failed) break;
        failed++;
    }
    CHECK(failed > 20);  // tables, lists and pools: all were met
}

TEST(any_allocation_of_a_build_may_fail_and_the_spec_stays_usable)
{
    the_heap = (heap){.countdown = -1};
    tml_spec* spec = tml_spec_create();
    fill(spec);
    const int before = the_heap.live;
    int failed = 0;
    for (int k = 0;; k++) {
        tml_model* model = NULL;
        the_heap.countdown = k;
        the_heap.failures = 0;
        const tml_status status = tml_spec_build(spec, &model);
        const int has_failed = the_heap.failures;
        the_heap.countdown = -1;
        CHECK(status == (has_failed ? TML_NO_MEMORY : TML_OK));
        CHECK((model == NULL) == (has_failed != 0));
        if (has_failed) CHECK_TEXT(tml_spec_message(spec), "out of memory");
        tml_model_destroy(model);
        CHECK(the_heap.live == before);
        if (!has_failed) break;
        failed++;
    }
    CHECK(failed > 5);
    tml_spec_destroy(spec);
    CHECK(the_heap.live == 0);
}

TEST(the_topology_asks_for_memory_and_gives_it_back)
{
    the_heap = (heap){.countdown = -1};
    tml_spec* spec = tml_spec_create();
    fill(spec);
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    const int before = the_heap.live;
    for (int k = 0; k < 4; k++) {
        topology out;
        the_heap.countdown = k;
        CHECK(tml__topology(model, NULL, &out) == TML_NO_MEMORY);
        CHECK(the_heap.live == before);
    }
    the_heap.countdown = -1;
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    CHECK(the_heap.live == 0);
}
