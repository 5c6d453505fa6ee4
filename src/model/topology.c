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

static tml_status span_all(const tml_model* m, const tml_allocator* memory, int* parent_joint,
                           topology* out)
{
    const size_t bodies = (size_t)m->all.body_count + 1;
    adjacency a = {
        .start = tml__allocate(memory, bodies + 1, sizeof(int)),
        .of = tml__allocate(memory, 2 * (size_t)m->all.joint_count, sizeof(int)),
    };
    int* depth = tml__allocate(memory, bodies, sizeof(int));
    int* queue = tml__allocate(memory, bodies, sizeof(int));
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
    tml__release(memory, a.start);
    tml__release(memory, a.of);
    tml__release(memory, depth);
    tml__release(memory, queue);
    return status;
}

tml_status tml__topology(const tml_model* m, int* parent_joint, topology* out)
{
    return span_all(m, NULL, parent_joint, out);
}

// ---- which joints are on loops

// The spanning tree seen from its bodies.
typedef struct span {
    const tml_model* m;
    int* parent_joint;  // per body, -1 for roots and the world
    int* depth;         // per body: joints to the root
    int* group;  // per body: union-find; bodies that loops tie together, named by the topmost
} span;

static int parent_of(const span* s, int body)
{
    const int j = s->parent_joint[body];
    if (j < 0) return -1;
    const int base = vertex_of(s->m, s->m->joints[j].base);
    return base == body ? vertex_of(s->m, s->m->joints[j].follower) : base;
}

static void measure_depths(const span* s)
{
    for (int b = 0; b < s->m->all.body_count; b++) {
        int steps = 0;
        int up = b;
        while (s->depth[up] == 0 && parent_of(s, up) >= 0) {
            up = parent_of(s, up);
            steps++;
        }
        const int known = s->depth[up];
        for (int at = b; at != up; at = parent_of(s, at), steps--) s->depth[at] = known + steps;
    }
}

static int find_group(int* group, int body)
{
    while (group[body] != body) {
        group[body] = group[group[body]];
        body = group[body];
    }
    return body;
}

// A joint beside the tree closes a loop with the joints of the tree between its bodies.
static void close_loop(const span* s, int joint, bool* is_on_loop)
{
    int a = find_group(s->group, vertex_of(s->m, s->m->joints[joint].base));
    int b = find_group(s->group, vertex_of(s->m, s->m->joints[joint].follower));

    is_on_loop[joint] = true;
    while (a != b) {
        int* deeper = s->depth[a] > s->depth[b] ? &a : &b;
        is_on_loop[s->parent_joint[*deeper]] = true;
        s->group[*deeper] = parent_of(s, *deeper);
        *deeper = find_group(s->group, *deeper);
    }
}

// Every body is a group of its own to begin with. Release it, whatever the status.
static tml_status take_span(const tml_model* m, const tml_allocator* memory, span* s)
{
    const size_t bodies = (size_t)m->all.body_count + 1;
    topology all;
    *s = (span){.m = m,
                .parent_joint = tml__allocate(memory, bodies, sizeof(int)),
                .depth = tml__allocate(memory, bodies, sizeof(int)),
                .group = tml__allocate(memory, bodies, sizeof(int))};
    if (!s->parent_joint || !s->depth || !s->group) return TML_NO_MEMORY;
    const tml_status status = span_all(m, memory, s->parent_joint, &all);
    if (status != TML_OK) return status;
    s->parent_joint[tml__world(m)] = -1;
    measure_depths(s);
    for (int b = 0; b <= m->all.body_count; b++) s->group[b] = b;
    return TML_OK;
}

static void release_span(const tml_allocator* memory, span* s)
{
    tml__release(memory, s->parent_joint);
    tml__release(memory, s->depth);
    tml__release(memory, s->group);
}

static bool is_beside_tree(const span* s, int joint)
{
    const int base = vertex_of(s->m, s->m->joints[joint].base);
    const int follower = vertex_of(s->m, s->m->joints[joint].follower);
    return s->parent_joint[base] != joint && s->parent_joint[follower] != joint;
}

tml_status tml__topology_loops(const tml_model* m, const tml_allocator* memory, bool* is_on_loop)
{
    span s;
    const tml_status status = take_span(m, memory, &s);
    if (status == TML_OK) {
        for (int j = 0; j < m->all.joint_count; j++) is_on_loop[j] = false;
        for (int j = 0; j < m->all.joint_count; j++) {
            if (is_beside_tree(&s, j)) close_loop(&s, j, is_on_loop);
        }
    }
    release_span(memory, &s);
    return status;
}

// ---- which loops hang together

// The deeper of two bodies on its way to where they meet.
static int* deeper_of(const span* s, int* a, int* b) { return s->depth[*a] > s->depth[*b] ? a : b; }

// The joints of a loop become one group: those of the tree are named by the body that they hold, and `top` is the
// body where the joints of a group, which are a part of the tree, end.
static void join_loop(const span* s, int joint, int* top, int* one_of)
{
    int a = vertex_of(s->m, s->m->joints[joint].base);
    int b = vertex_of(s->m, s->m->joints[joint].follower);
    int first = -1;
    while (a != b) {
        int* deeper = deeper_of(s, &a, &b);
        const int other = deeper == &a ? b : a;
        const int own = find_group(s->group, *deeper);
        // the way to the top of its group is the group's; they may meet below
        int next = top[own];
        if (s->depth[next] < s->depth[other]) next = parent_of(s, *deeper);
        if (first < 0) first = own;
        first = find_group(s->group, first);
        if (first != own) {
            s->group[own] = first;
            if (s->depth[top[own]] < s->depth[top[first]]) top[first] = top[own];
        }
        *deeper = next;
    }
    one_of[joint] = first;
}

tml_status tml__topology_groups(const tml_model* m, const tml_allocator* memory, int* group)
{
    span s;
    int* top = tml__allocate(memory, (size_t)m->all.body_count + 1, sizeof(int));
    tml_status status = take_span(m, memory, &s);
    if (top == NULL) status = TML_NO_MEMORY;
    if (status == TML_OK) {
        for (int b = 0; b <= m->all.body_count; b++) top[b] = parent_of(&s, b);
        for (int j = 0; j < m->all.joint_count; j++) group[j] = -1;
        for (int j = 0; j < m->all.joint_count; j++) {
            if (is_beside_tree(&s, j)) join_loop(&s, j, top, group);
        }
        // joints beside the tree know one of their group; those of the tree follow it
        for (int j = 0; j < m->all.joint_count; j++) {
            if (group[j] >= 0) group[j] = find_group(s.group, group[j]);
        }
        for (int b = 0; b <= m->all.body_count; b++) top[b] = -1;
        for (int j = 0; j < m->all.joint_count; j++) {
            if (group[j] >= 0) top[group[j]] = group[j];
        }
        for (int b = 0; b < m->all.body_count; b++) {
            if (s.parent_joint[b] >= 0) group[s.parent_joint[b]] = top[find_group(s.group, b)];
        }
    }
    tml__release(memory, top);
    release_span(memory, &s);
    return status;
}
