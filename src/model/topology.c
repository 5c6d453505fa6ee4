// model/topology.c - components, spanning tree and loops, by union and breadth-first search.
#include "model/topology.h"

#include "base/memory.h"

// Joints around each body as compressed lists: of[start[b]] .. of[start[b + 1] - 1].
typedef struct adjacency {
    int* start;
    int* of;
} adjacency;

// A body that is welded to the world is the world: what it holds hangs there.
static int vertex_of(const tml_model* m, int body)
{
    return m->bodies[body].node >= 0 ? body : tml__world(m);
}

static void fill(const tml_model* m, adjacency* a)
{
    const int bodies = m->all.body_count + 1;
    for (int j = 0; j < m->all.joint_count; j++) {
        a->start[vertex_of(m, m->joints[j].base) + 1]++;
        a->start[vertex_of(m, m->joints[j].follower) + 1]++;
    }
    for (int b = 0; b < bodies; b++) a->start[b + 1] += a->start[b];
    for (int j = m->all.joint_count - 1; j >= 0; j--) {
        // filled from the back, so that each list ends up in joint order
        a->of[--a->start[vertex_of(m, m->joints[j].base) + 1]] = j;
        a->of[--a->start[vertex_of(m, m->joints[j].follower) + 1]] = j;
    }
    // the starts have slid down by one body: entry b + 1 now holds the start of b
    for (int b = 0; b < bodies; b++) a->start[b] = a->start[b + 1];
    a->start[bodies] = 2 * m->all.joint_count;
}

// Visit everything joined to `root`; answers the largest depth.
static int visit(const tml_model* m, const adjacency* a, int root, int* depth, int* queue,
                 int* parent_joint)
{
    int head = 0;
    int tail = 0;
    int deepest = 0;

    queue[tail++] = root;
    depth[root] = 1;
    while (head < tail) {
        const int b = queue[head++];
        for (int i = a->start[b]; i < a->start[b + 1]; i++) {
            const joint_data* j = &m->joints[a->of[i]];
            const int base = vertex_of(m, j->base);
            const int other = base == b ? vertex_of(m, j->follower) : base;
            if (depth[other] != 0) continue;
            depth[other] = depth[b] + 1;
            if (depth[b] > deepest) deepest = depth[b];
            if (parent_joint != NULL && other < m->all.body_count) {
                parent_joint[other] = a->of[i];
            }
            queue[tail++] = other;
        }
    }
    return deepest;
}

tml_status tml__topology(const tml_model* m, int* parent_joint, topology* out)
{
    const size_t bodies = (size_t)m->all.body_count + 1;
    adjacency a = {
        .start = tml__allocate(NULL, bodies + 1, sizeof(int)),
        .of = tml__allocate(NULL, 2 * (size_t)m->all.joint_count, sizeof(int)),
    };
    int* depth = tml__allocate(NULL, bodies, sizeof(int));
    int* queue = tml__allocate(NULL, bodies, sizeof(int));
    tml_status status = TML_NO_MEMORY;
    if (!a.start || !a.of || !depth || !queue) goto done;

    fill(m, &a);
    *out = (topology){0};
    for (int b = 0; parent_joint != NULL && b < m->all.body_count; b++) parent_joint[b] = -1;

    // the world first, so that grounded mechanisms hang from it
    for (int k = 0; k <= m->all.body_count; k++) {
        const int root = k == 0 ? tml__world(m) : k - 1;
        if (depth[root] != 0 || vertex_of(m, root) != root) continue;
        const int deepest = visit(m, &a, root, depth, queue, parent_joint);
        if (deepest > out->max_depth) out->max_depth = deepest;
        out->components++;
    }
    out->loops = m->all.joint_count - m->node_count - 1 + out->components;
    status = TML_OK;
done:
    tml__release(NULL, a.start);
    tml__release(NULL, a.of);
    tml__release(NULL, depth);
    tml__release(NULL, queue);
    return status;
}
