// form/affine/links.c - links in the order of their tree, eight side by side.
#include "form/affine/links.h"

#include "force/axis.h"
#include "linalg/lanes.h"

#include <string.h>

// ---- which models fit

static bool is_ball(const tml_model* m, const joint_data* j)
{
    if (m->bodies[j->base].node < 0 && m->bodies[j->follower].node < 0) return false;
    for (int k = 0; k < TML_AXES; k++) {
        const axis_data* a = &j->axis[k];
        const bool is_held = k < 3 && !a->is_free && a->compliance == 0.0;
        const bool is_loose = k >= 3 && a->is_free && a->actuation == TML_PASSIVE &&
                              !tml__axis_is_forced(a) && !a->has_limits;
        if (!is_held && !is_loose) return false;
    }
    return true;
}

bool tml__links_fit(const tml_model* m)
{
    if (m->node_count == 0 || m->loops > 0 || m->all.coupling_count > 0 ||
        m->all.spring_count > 0 || m->all.wrench_count > 0 || m->all.rayleigh_mass > 0.0) {
        return false;
    }
    // bodies welded to the world may close loops that the count of joints does not know
    if (m->node_count < m->all.body_count) return false;
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!is_ball(m, &m->joints[j])) return false;
    }
    return true;
}

// ---- the order: breadth first, so that the outer neighbours of a link follow each other

typedef struct walk {
    int* start;  // per body and one more: its joints
    int* list;
    int* link;  // per body: its place, -1: not yet
} walk;

static void list_joints(const tml_model* m, walk* w)
{
    const int bodies = m->all.body_count + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < m->all.joint_count; j++) {
            const int ends[2] = {m->joints[j].base, m->joints[j].follower};
            for (int e = 0; e < 2; e++) {
                if (pass == 0)
                    w->start[ends[e]]++;
                else
                    w->list[--w->start[ends[e]]] = j;
            }
        }
        // counts become ends, which the second pass turns into starts
        for (int b = 1; pass == 0 && b <= bodies; b++) w->start[b] += w->start[b - 1];
    }
}

static void append(link_system* l, walk* w, int body, int parent, int joint)
{
    const int link = l->count++;
    w->link[body] = link;
    l->node[link] = l->s->model->bodies[body].node;
    l->parent[link] = parent;
    l->joint[link] = joint;
}

// Everything that hangs on a body and has no place yet.
static void append_outer(link_system* l, walk* w, int body, int link)
{
    const tml_model* m = l->s->model;
    const int first = l->count;
    // joints are listed backwards
    for (int i = w->start[body + 1] - 1; i >= w->start[body]; i--) {
        const joint_data* j = &m->joints[w->list[i]];
        const int other = j->base == body ? j->follower : j->base;
        if (m->bodies[other].node >= 0 && w->link[other] < 0) {
            append(l, w, other, link, w->list[i]);
        }
    }
    if (link < 0) return;
    l->first_child[link] = first;
    l->child_count[link] = l->count - first;
    if (l->child_count[link] > l->most_children) l->most_children = l->child_count[link];
}

static void order_links(link_system* l, walk* w)
{
    const tml_model* m = l->s->model;
    int next = 0;

    for (int b = 0; b <= m->all.body_count; b++) w->link[b] = -1;
    append_outer(l, w, tml__world(m), -1);
    for (int b = 0; b <= m->all.body_count; b++) {
        for (; next < l->count; next++) {
            append_outer(l, w, m->node_body[l->node[next]], next);
        }
        if (b < m->all.body_count && w->link[b] < 0) append(l, w, b, -2, -1);
    }
    l->is_chain = true;
    for (int k = 1; k < l->count; k++) l->is_chain = l->is_chain && l->parent[k] == k - 1;
}

// ---- constants

static vec3 point_on(const joint_data* j, int body)
{
    return j->follower == body ? j->point_F : j->point_B;
}

enum {
    AIR = 5  // linear, angular, wind
};

// Drag of each body; several on one add up, the wind weighing with its drag. NULL: none at all.
static tml_status find_air(const link_system* l, double** air)
{
    const tml_model* m = l->s->model;
    *air = NULL;
    if (m->all.drag_count == 0) return TML_OK;
    *air = tml__allocate(&l->allocator, AIR * (size_t)m->all.body_count, sizeof(double));
    if (*air == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < m->all.drag_count; i++) {
        const tml_drag_def* d = &m->all.drags[i];
        double* a = &(*air)[AIR * d->body.index];
        const double sum = a[0] + d->linear;
        for (int k = 0; k < 3 && sum > 0.0; k++) {
            a[2 + k] = (a[2 + k] * a[0] + v3_at(d->wind, k) * d->linear) / sum;
        }
        a[0] = sum;
        a[1] += d->angular;
    }
    return TML_OK;
}

// The constants of eight links.
static void fill_type(const link_system* l, const double* air, int group, double* out)
{
    const tml_model* m = l->s->model;
    memset(out, 0, LINK_CONSTANTS * LANES * sizeof *out);
    for (int i = 0; i < LANES; i++) {
        double* lane = out + i;
        const int link = group * LANES + i;
        lane[LINK_MASS * LANES] = 1.0;  // beyond the last link: something regular
        for (int k = 0; k < 3; k++) lane[(LINK_S + k) * LANES] = 1.0;
        if (link >= l->count) continue;

        const int body = m->node_body[l->node[link]];
        const mat3 S = affine_second_moments(m->bodies[body].inertia);
        const double moments[6] = {S.m[0][0], S.m[1][1], S.m[2][2],
                                   S.m[0][1], S.m[0][2], S.m[1][2]};
        const vec3 inner =
            l->joint[link] >= 0 ? point_on(&m->joints[l->joint[link]], body) : v3_zero();
        const vec3 outer =
            l->child_count[link] > 0 ? v3_load(&l->outer[3 * l->first_child[link]]) : v3_zero();
        lane[LINK_MASS * LANES] = m->bodies[body].mass;
        for (int k = 0; k < 6; k++) lane[(LINK_S + k) * LANES] = moments[k];
        for (int k = 0; k < 3; k++) {
            lane[(LINK_INNER + k) * LANES] = v3_at(inner, k);
            lane[(LINK_OUTER + k) * LANES] = v3_at(outer, k);
        }
        for (int k = 0; k < AIR && air != NULL; k++) {
            lane[(LINK_DRAG + k) * LANES] = air[AIR * body + k];
        }
    }
}

enum {
    TYPE_SIZE = LINK_CONSTANTS * LANES,
    RECENT = 4,  // kinds of groups that are looked at before a new one is made
};

// Points of equal links differ by the rounding of the positions they were given with, 4e-12 m at
// 50 km; a fifth of the tolerance for gaps leaves room for that and no more.
static bool is_same_type(const double* a, const double* b)
{
    for (int i = 0; i < TYPE_SIZE; i++) {
        const bool is_point = i / LANES >= LINK_INNER && i / LANES < LINK_DRAG;
        if (!(fabs(a[i] - b[i]) <= (is_point ? 2e-11 : 0.0))) return false;
    }
    return true;
}

// Groups whose constants are those of one of the last few kinds share them. Without `types` the
// kinds are only counted.
static void find_types(link_system* l, const double* air, double* types)
{
    double recent[RECENT][TYPE_SIZE];
    int kind[RECENT];
    double own[TYPE_SIZE];

    l->type_count = 0;
    for (int group = 0; group < l->group_count; group++) {
        const int known = l->type_count < RECENT ? l->type_count : RECENT;
        int found = -1;
        fill_type(l, air, group, own);
        for (int k = 0; k < known && found < 0; k++) {
            if (is_same_type(recent[k], own)) found = kind[k];
        }
        if (found < 0) {
            found = l->type_count++;
            memcpy(recent[found % RECENT], own, sizeof own);
            kind[found % RECENT] = found;
            if (types != NULL) memcpy(types + (size_t)found * TYPE_SIZE, own, sizeof own);
        }
        l->group_type[group] = found;
    }
}

// ---- creation

static tml_status take(const tml_allocator* allocator, void* where, size_t count, size_t size)
{
    void* memory = tml__allocate(allocator, count, size);
    memcpy(where, &memory, sizeof memory);
    return memory != NULL ? TML_OK : TML_NO_MEMORY;
}

static tml_status find_tree(link_system* l)
{
    const tml_model* m = l->s->model;
    const tml_allocator* memory = &l->allocator;
    const size_t nodes = (size_t)m->node_count;
    const size_t bodies = (size_t)m->all.body_count + 1;
    walk w = {0};
    tml_status status = take(memory, &l->node, nodes, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->link_of, nodes, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->parent, nodes, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->joint, nodes, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->first_child, nodes, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->child_count, nodes, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->outer, 3 * nodes, sizeof(double));
    if (status == TML_OK) status = take(memory, &w.start, bodies + 1, sizeof(int));
    if (status == TML_OK) {
        status = take(memory, &w.list, 2 * (size_t)m->all.joint_count, sizeof(int));
    }
    if (status == TML_OK) status = take(memory, &w.link, bodies, sizeof(int));
    if (status == TML_OK) {
        list_joints(m, &w);
        order_links(l, &w);
        for (int k = 0; k < l->count; k++) {
            l->link_of[l->node[k]] = k;
            if (l->joint[k] < 0) continue;
            const joint_data* j = &m->joints[l->joint[k]];
            const int body = m->node_body[l->node[k]];
            v3_store(&l->outer[3 * k], point_on(j, j->base == body ? j->follower : j->base));
        }
    }
    tml__release(memory, w.start);
    tml__release(memory, w.list);
    tml__release(memory, w.link);
    return status;
}

static tml_status take_state(link_system* l)
{
    const tml_allocator* memory = &l->allocator;
    const size_t n = 3 * (size_t)l->most_children;
    const size_t groups = (size_t)l->group_count;
    const size_t ports = l->is_chain ? 16 : (size_t)l->count;

    double* air = NULL;
    l->port_mask = l->is_chain ? 15 : -1;
    tml_status status = take(memory, &l->group_type, groups, sizeof(int));
    if (status == TML_OK) status = find_air(l, &air);
    if (status == TML_OK) {
        find_types(l, air, NULL);
        status = take(memory, &l->types, (size_t)l->type_count * TYPE_SIZE, sizeof(double));
    }
    if (status == TML_OK) find_types(l, air, l->types);
    tml__release(memory, air);
    if (status == TML_OK) {
        status = take(memory, &l->state, groups * LINK_STATE * LANES, sizeof(double));
    }
    if (status == TML_OK) status = take(memory, &l->x, 3 * (size_t)l->count, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->port, ports, sizeof *l->port);
    if (status == TML_OK) status = take(memory, &l->sweep, SWEEP_ROWS * LANES, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->scratch, n * n + 4 * n, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->pivot, n, sizeof(int));
    if (status == TML_OK) {
        status = take(memory, &l->ports, (size_t)l->most_children, sizeof *l->ports);
    }
    return status;
}

tml_status tml__links_create(maximal_system* s, message* why, link_system** out)
{
    *out = NULL;
    link_system* l = tml__allocate(&s->allocator, 1, sizeof *l);
    if (l == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    l->s = s;
    l->allocator = s->allocator;
    l->group_count = (s->model->node_count + LANES - 1) / LANES;
    for (int isa = BLOCK_AVX512; l->kernels == NULL; isa--) {
        l->kernels = tml__links_kernels((block_isa)isa);
    }
    tml_status status = find_tree(l);
    if (status == TML_OK) status = take_state(l);
    if (status != TML_OK) {
        tml__links_destroy(l);
        return tml__fail(why, status, "out of memory");
    }
    // lanes beyond the last link stay where they are
    for (int k = l->count; k < l->group_count * LANES; k++) {
        double* lane = l->state + (size_t)(k / LANES) * LINK_STATE * LANES + k % LANES;
        for (int i = 0; i < 3; i++) {
            lane[(LINK_R + 4 * i) * LANES] = 1.0;
            lane[(LINK_END + 4 * i) * LANES] = 1.0;
        }
    }
    *out = l;
    return TML_OK;
}

void tml__links_destroy(link_system* l)
{
    if (l == NULL) return;
    const tml_allocator memory = l->allocator;
    tml__release(&memory, l->node);
    tml__release(&memory, l->link_of);
    tml__release(&memory, l->parent);
    tml__release(&memory, l->joint);
    tml__release(&memory, l->first_child);
    tml__release(&memory, l->child_count);
    tml__release(&memory, l->outer);
    tml__release(&memory, l->types);
    tml__release(&memory, l->group_type);
    tml__release(&memory, l->state);
    tml__release(&memory, l->x);
    tml__release(&memory, l->port);
    tml__release(&memory, l->sweep);
    tml__release(&memory, l->scratch);
    tml__release(&memory, l->pivot);
    tml__release(&memory, l->ports);
    tml__release(&memory, l);
}

bool tml__links_use(link_system* l, block_isa isa)
{
    const links_kernels* kernels = tml__links_kernels(isa);
    if (kernels != NULL) l->kernels = kernels;
    return kernels != NULL;
}
