// test/model/topology.c - trees, loops and components of the graph of bodies and joints.
#include "model/topology.h"

#include "test/check.h"
#include "test/random.h"

#include <string.h>

enum {
    MOST = 64
};

// A graph by its joints: pairs of base and follower, -1 the world.
typedef struct graph {
    const char* name;
    int bodies, joints;
    int pair[12][2];
    int fixed;  // bodies from this index on are welded to the world
    int loops, components, depth;
} graph;

static const graph graphs[] = {
    {"nothing", 0, 0, {{0}}, 99, 0, 1, 0},
    {"a free body", 1, 0, {{0}}, 99, 0, 2, 0},
    {"a grounded pendulum", 1, 1, {{-1, 0}}, 99, 0, 1, 1},
    {"a pendulum told the other way", 1, 1, {{0, -1}}, 99, 0, 1, 1},
    {"a double pendulum", 2, 2, {{-1, 0}, {0, 1}}, 99, 0, 1, 2},
    {"a four-bar", 3, 4, {{-1, 0}, {0, 1}, {1, 2}, {2, -1}}, 99, 1, 1, 2},
    {"a floating ring", 3, 3, {{0, 1}, {1, 2}, {2, 0}}, 99, 1, 2, 1},
    {"two hinges of a door", 1, 2, {{-1, 0}, {-1, 0}}, 99, 1, 1, 1},
    {"a floating tree", 4, 3, {{0, 1}, {0, 2}, {2, 3}}, 99, 0, 2, 2},
    {"two pendulums and a stone", 3, 2, {{-1, 0}, {-1, 1}}, 99, 0, 2, 1},
    {"a parallel platform", 4, 6, {{-1, 0}, {-1, 1}, {-1, 2}, {0, 3}, {1, 3}, {2, 3}}, 99, 2, 1, 2},
    // a body that is welded to the world is the world: what hangs on two of them closes a loop
    {"a pendulum on a fixed body", 2, 1, {{1, 0}}, 1, 0, 1, 1},
    {"a bar between two fixed bodies", 3, 2, {{1, 0}, {2, 0}}, 1, 1, 1, 1},
    {"a bar between a fixed body and the world", 2, 2, {{1, 0}, {-1, 0}}, 1, 1, 1, 1},
    {"fixed bodies only", 2, 0, {{0}}, 0, 0, 1, 0},
};

static tml_model* model_of(const graph* g)
{
    tml_spec* spec = tml_spec_create();
    for (int i = 0; i < g->bodies; i++) {
        tml_body_def def = tml_body_def_default();
        def.is_fixed = i >= g->fixed;
        tml_spec_add_body(spec, &def);
    }
    for (int i = 0; i < g->joints; i++) {
        tml_joint_def def = tml_joint_def_default();
        def.base = (tml_body){g->pair[i][0]};
        def.follower = (tml_body){g->pair[i][1]};
        tml_spec_add_joint(spec, &def);
    }
    tml_model* model = NULL;
    CHECK(tml_spec_build(spec, &model) == TML_OK);
    tml_spec_destroy(spec);
    return model;
}

TEST(loops_components_and_depth_are_counted)
{
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++) {
        const graph* g = &graphs[i];
        tml_model* m = model_of(g);
        topology out;
        CHECK(tml__topology(m, NULL, &out) == TML_OK);
        if (out.loops != g->loops || out.components != g->components || out.max_depth != g->depth) {
            printf("%s: %d loops, %d components, depth %d\n", g->name, out.loops, out.components,
                   out.max_depth);
        }
        CHECK(out.loops == g->loops);
        CHECK(out.components == g->components);
        CHECK(out.max_depth == g->depth);
        CHECK(tml_model_summarise(m).loops == g->loops);
        tml_model_destroy(m);
    }
}

// A random tree with every joint turned at random: each body hangs on a joint that touches it, and
// following these joints leads to a root.
TEST(every_body_of_a_tree_hangs_on_one_joint)
{
    random_source r = random_start(421);
    tml_spec* spec = tml_spec_create();
    tml_body_def body = tml_body_def_default();
    for (int i = 0; i < MOST; i++) {
        tml_spec_add_body(spec, &body);
        if (i == 40) continue;  // starts a tree of its own
        const int other = i == 0   ? -1
                          : i > 40 ? 40 + random_below(&r, i - 40)
                                   : random_below(&r, i);
        tml_joint_def def = tml_joint_def_default();
        const bool is_turned = random_below(&r, 2) == 0;
        def.base = (tml_body){is_turned ? i : other};
        def.follower = (tml_body){is_turned ? other : i};
        tml_spec_add_joint(spec, &def);
    }
    tml_model* m = NULL;
    CHECK(tml_spec_build(spec, &m) == TML_OK);
    int parent[MOST];
    topology out;
    CHECK(tml__topology(m, parent, &out) == TML_OK);
    CHECK(out.loops == 0 && out.components == 2);
    for (int i = 0; i < MOST; i++) {
        CHECK((parent[i] == -1) == (i == 40));
        int steps = 0;
        int at = i;
        while (at != MOST && parent[at] >= 0 && steps <= MOST) {
            const joint_data* j = &m->joints[parent[at]];
            CHECK(j->base == at || j->follower == at);
            at = j->base == at ? j->follower : j->base;
            steps++;
        }
        CHECK(steps <= out.max_depth);
        CHECK(at ==
              (i >= 40 ? 40 : MOST));  // the free tree ends at its root, the others at the world
    }
    tml_model_destroy(m);
    tml_spec_destroy(spec);
}

// Each loop adds one joint that no body hangs on.
TEST(joints_that_close_loops_are_the_rest)
{
    tml_model* m = model_of(&graphs[10]);
    int parent[4];
    int used[6] = {0};
    topology out;
    CHECK(tml__topology(m, parent, &out) == TML_OK);
    for (int i = 0; i < 4; i++) used[parent[i]]++;
    int closing = 0;
    for (int i = 0; i < 6; i++) closing += used[i] == 0;
    CHECK(closing == out.loops);
    tml_model_destroy(m);
}

static int root_of(const int* group, int i)
{
    while (group[i] != i) i = group[i];
    return i;
}

// How many parts the graph has without one of its joints; the world and fixed bodies are one vertex.
static int parts_without(const tml_model* m, int joint)
{
    const int world = m->all.body_count;
    int group[MOST + 1];
    int parts = 0;
    for (int b = 0; b <= world; b++) group[b] = m->bodies[b].node >= 0 ? b : world;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (j == joint) continue;
        group[root_of(group, m->joints[j].base)] = root_of(group, m->joints[j].follower);
    }
    for (int b = 0; b <= world; b++) parts += group[b] == b;
    return parts;
}

static int vertex_of(const tml_model* m, int body)
{
    return m->bodies[body].node >= 0 ? body : m->all.body_count;
}

// Where a joint ends when a body is taken away.
static int end_without(const tml_model* m, int joint, int body)
{
    const int base = vertex_of(m, m->joints[joint].base);
    return base == body ? vertex_of(m, m->joints[joint].follower) : base;
}

// Joints on loops that no single body parts when it is taken away are of one group, and no others are.
static void check_groups(const tml_model* m, const bool* is_on_loop, const char* name)
{
    const int joints = m->all.joint_count;
    static bool are_apart[2 * MOST][2 * MOST];
    int group[2 * MOST];
    memset(are_apart, 0, sizeof are_apart);
    for (int v = 0; v <= m->all.body_count; v++) {
        int part[MOST + 1];
        for (int b = 0; b <= m->all.body_count; b++) part[b] = vertex_of(m, b);
        for (int j = 0; j < joints; j++) {
            const int base = vertex_of(m, m->joints[j].base);
            const int follower = vertex_of(m, m->joints[j].follower);
            if (base != v && follower != v) part[root_of(part, base)] = root_of(part, follower);
        }
        for (int a = 0; a < joints; a++) {
            const int root = root_of(part, end_without(m, a, v));
            for (int b = 0; b < a; b++) {
                if (root != root_of(part, end_without(m, b, v))) are_apart[a][b] = true;
            }
        }
    }
    CHECK(tml__topology_groups(m, NULL, group) == TML_OK);
    for (int a = 0; a < joints; a++) {
        const bool is_within = end_without(m, a, m->all.body_count) == m->all.body_count;
        CHECK((group[a] >= 0) == (is_on_loop[a] && !is_within));
        for (int b = 0; b < a; b++) {
            if (group[a] < 0 || group[b] < 0) continue;
            const bool is_same = group[a] == group[b];
            if (is_same == are_apart[a][b]) printf("%s: joints %d and %d\n", name, a, b);
            CHECK(is_same == !are_apart[a][b]);
        }
    }
}

// What falls apart without a joint hangs on it; on a loop nothing does.
static void check_loops(const tml_model* m, const char* name)
{
    bool is_on_loop[2 * MOST];
    const int parts = parts_without(m, -1);
    CHECK(tml__topology_loops(m, NULL, is_on_loop) == TML_OK);
    for (int j = 0; j < m->all.joint_count; j++) {
        const bool falls_apart = parts_without(m, j) > parts;
        if (is_on_loop[j] == falls_apart) printf("%s: joint %d\n", name, j);
        CHECK(is_on_loop[j] == !falls_apart);
    }
    check_groups(m, is_on_loop, name);
}

TEST(joints_on_loops_are_those_without_which_nothing_falls_apart)
{
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        tml_model* m = model_of(&graphs[i]);
        check_loops(m, graphs[i].name);
        tml_model_destroy(m);
    }
    // trees with a few joints more, in no order
    random_source r = random_start(11);
    for (int round = 0; round < 200; round++) {
        tml_spec* spec = tml_spec_create();
        const int bodies = 2 + random_below(&r, MOST - 2);
        const int joints = bodies + random_below(&r, 12);
        for (int i = 0; i < bodies; i++) {
            tml_body_def def = tml_body_def_default();
            def.is_fixed = i == 5;
            tml_spec_add_body(spec, &def);
        }
        for (int j = 0; j < joints; j++) {
            tml_joint_def def = tml_joint_def_default();
            const int a = j < bodies ? j : random_below(&r, bodies);
            const int b = random_below(&r, j < bodies ? a + 1 : bodies) - 1;
            if (a == b) continue;
            def.base = (tml_body){j % 2 == 0 ? a : b};
            def.follower = (tml_body){j % 2 == 0 ? b : a};
            tml_spec_add_joint(spec, &def);
        }
        tml_model* m = NULL;
        CHECK(tml_spec_build(spec, &m) == TML_OK);
        if (m != NULL) check_loops(m, "random");
        tml_model_destroy(m);
        tml_spec_destroy(spec);
    }
}
