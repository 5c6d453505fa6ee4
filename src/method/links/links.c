// method/links/links.c - links in the order of their tree, and where each has its place.
#include "linalg/lanes.h"
#include "method/links/contact.h"
#include "method/links/net.h"
#include "method/links/prescribed.h"
#include "method/links/springs.h"

#include <string.h>

// ---- the order: breadth first, level by level

typedef struct walk {
    int* start;  // per body and one more: its joints
    int* list;
    int* order;    // bodies, the roots first
    int* parent;   // per body: another one; the world, or -1: none
    int* joint;    // per body: towards the root, -1: none
    int* level;    // per body: how far from the root; -1: not seen yet
    int* outer;    // per body: how many joints lead outwards
    int* slot;     // per body: its place
    int* stretch;  // per body: which part of a tree it belongs to
    int count;
    const links_led* led;  // bodies that are left out; NULL: none
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

static void append(walk* w, int body, int parent, int joint, int level)
{
    w->order[w->count++] = body;
    w->parent[body] = parent;
    w->joint[body] = joint;
    w->level[body] = level;
}

// Everything that hangs on a body and was not seen yet.
static void append_outer(const tml_model* m, walk* w, int body, int level)
{
    // joints are listed backwards
    for (int i = w->start[body + 1] - 1; i >= w->start[body]; i--) {
        const joint_data* j = &m->joints[w->list[i]];
        const int other = j->base == body ? j->follower : j->base;
        if (m->bodies[other].node < 0 || w->level[other] >= 0) continue;
        if (links_is_led(w->led, other)) continue;
        append(w, other, body, w->list[i], level);
        w->outer[body]++;
    }
}

// Roots of floating parts join the first level, so that levels never mix.
static void order_bodies(const tml_model* m, walk* w)
{
    for (int b = 0; b <= m->all.body_count; b++) w->level[b] = -1;
    append_outer(m, w, tml__world(m), 0);
    for (int i = 0; w->led != NULL && i < w->led->count; i++) {
        append_outer(m, w, w->led->list[i].body, 0);
    }
    int next = 0;
    for (int b = 0; b <= m->all.body_count; b++) {
        for (; next < w->count; next++) {
            append_outer(m, w, w->order[next], w->level[w->order[next]] + 1);
        }
        const bool is_root = b < m->all.body_count && w->level[b] < 0;
        if (is_root && !links_is_led(w->led, b)) append(w, b, -1, -1, 0);
    }
}

static bool is_chain(const walk* w)
{
    for (int k = 1; k < w->count; k++) {
        if (w->parent[w->order[k]] != w->order[k - 1]) return false;
    }
    return true;
}

// ---- places

static void settle(link_system* l, const walk* w, int body, int place)
{
    const tml_model* m = l->s->model;
    w->slot[body] = place;
    l->node[place] = m->bodies[body].node;
    l->joint[place] = w->joint[body];
    l->place_of[l->node[place]] = place;
    if (w->joint[body] < 0) return;
    const joint_data* j = &m->joints[w->joint[body]];
    const int other = j->base == body ? j->follower : j->base;
    const vec3 outer = tml__links_point(m, w->joint[body], other);
    if (l->is_chain && place == 0) {
        const bool is_driven = j->axis[0].is_free || j->axis[1].is_free || j->axis[2].is_free;
        l->anchor.to = l->anchor.from = outer;
        l->is_moored = is_driven || links_is_led(l->led, other);
        l->drawn = is_driven ? w->joint[body] : -1;
    }
    if (!l->is_chain && place < l->root_places) v3_store(&l->hung[3 * place], outer);
}

// As many equal segments as fill whole blocks.
static void lay_chain(link_system* l)
{
    l->item_count = (l->count + LANES * MOST_LENGTH - 1) / (LANES * MOST_LENGTH);
    l->length = (l->count + LANES * l->item_count - 1) / (LANES * l->item_count);
    l->segment_count = (l->count + l->length - 1) / l->length;
    l->item_count = (l->segment_count + LANES - 1) / LANES;
    l->row_count = l->item_count * l->length;
    l->root_places = 1;
}

static void settle_chain(link_system* l, const walk* w)
{
    for (int k = 0; k < l->count; k++) {
        const int segment = k / l->length;
        const int row = segment / LANES * l->length + k % l->length;
        settle(l, w, w->order[k], row * LANES + segment % LANES);
    }
}

// What a stretch of branches may weigh: little enough for the second cache (about 650 bytes a link), and
// enough stretches for some threads. It must not depend on how many there are.
static int most_of_stretch(int links)
{
    enum {
        STRETCHES = 24,
        LEAST = 256,
        MOST = 1024,
    };
    const int share = links / STRETCHES;
    return share < LEAST ? LEAST : share > MOST ? MOST : share;
}

// Whole branches of at most half that weight, packed one after the other. Roots and whatever carries more are
// stretch 0. `weight`: room for a number per body.
static void cut_branches(link_system* l, walk* w, int* weight)
{
    const int most = most_of_stretch(l->count);
    const int branch = most / 2;  // small ones pack better
    int packed = most;            // of the stretch that is being filled
    for (int k = 0; k < w->count; k++) weight[w->order[k]] = 1;
    for (int k = w->count - 1; k >= 0; k--) {
        const int body = w->order[k];
        if (w->level[body] > 0) weight[w->parent[body]] += weight[body];
    }
    l->stretch_count = 1;
    for (int k = 0; k < w->count; k++) {
        const int body = w->order[k];
        const int parent = w->parent[body];
        if (w->level[body] + 1 > l->depth) l->depth = w->level[body] + 1;
        w->stretch[body] = 0;
        if (w->level[body] == 0 || weight[body] > branch) continue;
        w->stretch[body] = w->stretch[parent];
        w->level[body] = w->level[parent] + 1;  // counted from where the branch begins
        if (w->stretch[body] > 0) continue;
        if (packed + weight[body] > most) {
            l->stretch_count++;
            packed = 0;
        }
        packed += weight[body];
        w->stretch[body] = l->stretch_count - 1;
        w->level[body] = 0;
    }
}

// Levels of all stretches follow each other; those of bodies are numbered through.
static void lay_tree(link_system* l, walk* w)
{
    int* first = l->stretch_level;  // how many, then the first
    for (int k = 0; k < w->count; k++) {
        const int body = w->order[k];
        int* levels = &first[w->stretch[body] + 1];
        if (w->level[body] + 1 > *levels) *levels = w->level[body] + 1;
    }
    for (int s = 0; s < l->stretch_count; s++) first[s + 1] += first[s];
    int* size = l->level_row;  // counts, then first rows
    for (int k = 0; k < w->count; k++) {
        const int body = w->order[k];
        w->level[body] += first[w->stretch[body]];
        size[w->level[body]]++;
    }
    const int levels = first[l->stretch_count];
    for (int level = 0; level <= levels; level++) {
        const int rows = (size[level] + LANES - 1) / LANES;
        size[level] = l->row_count;
        l->row_count += level < levels ? rows : 0;
    }
    l->item_count = l->row_count;
    l->root_places = l->level_row[1] * LANES;
}

// Within a level links with many outer joints come first, so that few lanes idle while others have
// one more to take in. `next` counts the places taken of each level.
static void settle_tree(link_system* l, const walk* w, int* next)
{
    int most = 0;
    for (int k = 0; k < w->count; k++) {
        if (w->outer[w->order[k]] > most) most = w->outer[w->order[k]];
    }
    for (int outer = most; outer >= 0; outer--) {
        for (int k = 0; k < w->count; k++) {
            const int body = w->order[k];
            if (w->outer[body] != outer) continue;
            const int level = w->level[body];
            const int place = l->level_row[level] * LANES + next[level]++;
            settle(l, w, body, place);
            l->first_child[place] = outer;
            if (outer > l->row_children[place / LANES]) l->row_children[place / LANES] = outer;
        }
    }
}

// Counts of outer joints become places in the list of children.
static void list_children(link_system* l, const walk* w)
{
    int total = 0;
    for (int place = 0; place < l->row_count * LANES; place++) {
        total += l->first_child[place];
        l->first_child[place] = total;
    }
    l->first_child[l->row_count * LANES] = total;
    for (int k = w->count - 1; k >= 0; k--) {
        const int body = w->order[k];
        const int parent = w->parent[body];
        if (parent < 0 || l->s->model->bodies[parent].node < 0) continue;
        l->children[--l->first_child[w->slot[parent]]] = w->slot[body];
    }
}

static vec3 inner_point(const link_system* l, int place)
{
    const tml_model* m = l->s->model;
    if (l->joint[place] < 0) return v3_zero();
    return tml__links_point(m, l->joint[place], m->node_body[l->node[place]]);
}

// The points of outer joints, where those who compute with them read them.
static tml_status take_branches(link_system* l)
{
    const tml_model* m = l->s->model;
    int count = 0;
    for (int row = 0; row < l->row_count; row++) {
        l->first_branch[row] = count;
        count += l->row_children[row];
    }
    l->branches = tml__allocate(&l->allocator, (size_t)count * 3 * LANES, sizeof(double));
    if (l->branches == NULL) return TML_NO_MEMORY;
    for (int place = 0; place < l->row_count * LANES; place++) {
        const int first = l->first_child[place];
        for (int c = first; c < l->first_child[place + 1]; c++) {
            const int body = m->node_body[l->node[place]];
            const vec3 outer = tml__links_point(m, l->joint[l->children[c]], body);
            const vec3 point = v3_sub(outer, inner_point(l, place));
            const size_t branch = (size_t)l->first_branch[place / LANES] + (size_t)(c - first);
            double* lane = l->branches + branch * 3 * LANES + place % LANES;
            for (int k = 0; k < 3; k++) lane[k * LANES] = v3_at(point, k);
        }
    }
    return TML_OK;
}

// ---- constants

enum {
    AIR = 5  // linear, angular, wind
};

// Drag of each body; several on one add up, the wind weighing with its drag. Damping by mass (rayleigh) is drag
// without wind to a body that shifts; how it resists turns is a matter of inertia. NULL: none at all.
static tml_status find_air(const link_system* l, double** air)
{
    const tml_model* m = l->s->model;
    *air = NULL;
    if (m->all.drag_count == 0 && !(m->all.rayleigh_mass > 0.0)) return TML_OK;
    *air = tml__allocate(&l->allocator, AIR * (size_t)m->all.body_count, sizeof(double));
    if (*air == NULL) return TML_NO_MEMORY;
    for (int b = 0; b < m->all.body_count; b++) {
        (*air)[AIR * b] = m->all.rayleigh_mass * m->bodies[b].mass;
    }
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

// The next place of a chain, -1: none.
static int next_in_chain(const link_system* l, int place)
{
    const int row = place / LANES;
    int next = place + LANES;
    if (row % l->length == l->length - 1) {
        const int segment = row / l->length * LANES + place % LANES + 1;
        next = segment / LANES * l->length * LANES + segment % LANES;
    }
    return next < l->row_count * LANES && l->node[next] >= 0 ? next : -1;
}

// The constants of one link.
static void fill_lane(const link_system* l, const double* air, int place, double* lane)
{
    const tml_model* m = l->s->model;
    const int body = m->node_body[l->node[place]];
    const mat3 S = affine_second_moments(m->bodies[body].inertia);
    const double moments[6] = {S.m[0][0], S.m[1][1], S.m[2][2], S.m[0][1], S.m[0][2], S.m[1][2]};
    const vec3 inner = inner_point(l, place);
    lane[LINK_MASS * LANES] = m->bodies[body].mass;
    for (int k = 0; k < 6; k++) lane[(LINK_S + k) * LANES] = moments[k];
    for (int k = 0; k < 3; k++) lane[(LINK_INNER + k) * LANES] = v3_at(inner, k);
    for (int k = 0; k < AIR && air != NULL; k++) {
        lane[(LINK_DRAG + k) * LANES] = air[AIR * body + k];
    }
    if (!l->is_chain) lane[LINK_JOINED * LANES] = l->joint[place] >= 0 ? 1.0 : 0.0;
    const int next = l->is_chain ? next_in_chain(l, place) : -1;
    if (next < 0) return;
    const vec3 outer = tml__links_point(m, l->joint[next], body);
    for (int k = 0; k < 3; k++) lane[(LINK_OUTER + k) * LANES] = v3_at(outer, k);
    lane[LINK_JOINED * LANES] = 1.0;
}

// The constants of eight places.
static void fill_type(const link_system* l, const double* air, int row, double* out)
{
    memset(out, 0, LINK_CONSTANTS * LANES * sizeof *out);
    for (int i = 0; i < LANES; i++) {
        double* lane = out + i;
        lane[LINK_MASS * LANES] = 1.0;  // where no link is: something regular
        for (int k = 0; k < 3; k++) lane[(LINK_S + k) * LANES] = 1.0;
        if (l->node[row * LANES + i] >= 0) fill_lane(l, air, row * LANES + i, lane);
    }
}

enum {
    TYPE_SIZE = LINK_CONSTANTS * LANES,
    RECENT = 4,  // kinds of rows that are looked at before a new one is made
};

// Points of equal links differ by the rounding of the positions they were given with, 4e-12 m at
// 50 km; a fifth of the tolerance for gaps leaves room for that and no more.
static const double same_point = 2e-11;

static bool is_same_type(const double* a, const double* b)
{
    for (int i = 0; i < TYPE_SIZE; i++) {
        const bool is_point = i / LANES >= LINK_INNER && i / LANES < LINK_DRAG;
        if (!(fabs(a[i] - b[i]) <= (is_point ? same_point : 0.0))) return false;
    }
    return true;
}

// Rows whose constants are those of one of the last few kinds share them. Without `types` the
// kinds are only counted.
static void find_types(link_system* l, const double* air, double* types)
{
    double recent[RECENT][TYPE_SIZE];
    int kind[RECENT];
    double own[TYPE_SIZE];

    l->type_count = 0;
    for (int row = 0; row < l->row_count; row++) {
        const int known = l->type_count < RECENT ? l->type_count : RECENT;
        int found = -1;
        fill_type(l, air, row, own);
        for (int k = 0; k < known && found < 0; k++) {
            if (is_same_type(recent[k], own)) found = kind[k];
        }
        if (found < 0) {
            found = l->type_count++;
            memcpy(recent[found % RECENT], own, sizeof own);
            kind[found % RECENT] = found;
            if (types != NULL) memcpy(types + (size_t)found * TYPE_SIZE, own, sizeof own);
        }
        l->row_type[row] = found;
    }
}

// A point is opposite to another within what equal links differ by.
static bool is_opposite(const double* type)
{
    for (int i = 0; i < 3 * LANES; i++) {
        const double sum = type[LINK_INNER * LANES + i] + type[LINK_OUTER * LANES + i];
        if (!(fabs(sum) <= same_point)) return false;
    }
    return true;
}

static void find_traits(link_system* l)
{
    for (int t = 0; t < l->type_count; t++) {
        double* type = l->types + (size_t)t * TYPE_SIZE;
        link_traits* traits = &l->traits[t];
        traits->is_principal = true;
        for (int i = 3 * LANES; i < 6 * LANES; i++) {
            if (type[LINK_S * LANES + i] != 0.0) traits->is_principal = false;
        }
        traits->is_symmetric = l->is_chain && is_opposite(type);
        for (int i = 0; i < 3 * LANES && traits->is_symmetric; i++) {
            type[LINK_OUTER * LANES + i] = -type[LINK_INNER * LANES + i];
        }
        for (int i = 0; i < 2 * LANES; i++) {
            if (type[LINK_DRAG * LANES + i] != 0.0) l->has_air = true;
            if (i >= LANES && type[LINK_DRAG * LANES + i] != 0.0) l->has_spin = true;
        }
    }
}

// ---- creation

static tml_status take(const tml_allocator* allocator, void* where, size_t count, size_t size)
{
    void* memory = tml__allocate(allocator, count, size);
    memcpy(where, &memory, sizeof memory);
    return memory != NULL ? TML_OK : TML_NO_MEMORY;
}

static tml_status take_walk(const tml_model* m, const tml_allocator* memory, walk* w)
{
    const size_t bodies = (size_t)m->all.body_count + 1;
    tml_status status = take(memory, &w->start, bodies + 1, sizeof(int));
    if (status == TML_OK) {
        status = take(memory, &w->list, 2 * (size_t)m->all.joint_count, sizeof(int));
    }
    int** const lists[] = {&w->order, &w->parent, &w->joint,  &w->level,
                           &w->outer, &w->slot,   &w->stretch};
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == TML_OK; i++) {
        status = take(memory, lists[i], bodies, sizeof(int));
    }
    return status;
}

static void release_walk(const tml_allocator* memory, walk* w)
{
    tml__release(memory, w->start);
    tml__release(memory, w->list);
    tml__release(memory, w->order);
    tml__release(memory, w->parent);
    tml__release(memory, w->joint);
    tml__release(memory, w->level);
    tml__release(memory, w->outer);
    tml__release(memory, w->slot);
    tml__release(memory, w->stretch);
}

static tml_status take_places(link_system* l)
{
    const tml_allocator* memory = &l->allocator;
    const size_t places = (size_t)l->row_count * LANES;
    tml_status status = take(memory, &l->node, places, sizeof(int));
    const size_t nodes = (size_t)l->s->model->node_count;
    if (status == TML_OK) status = take(memory, &l->place_of, nodes, sizeof(int));
    for (size_t k = 0; k < nodes && status == TML_OK; k++) l->place_of[k] = -1;
    if (status == TML_OK) status = take(memory, &l->joint, places, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->x, 3 * (size_t)l->root_places, sizeof(double));
    for (size_t k = 0; k < places && status == TML_OK; k++) l->node[k] = -1;
    return status;
}

static tml_status find_chain(link_system* l, const walk* w)
{
    lay_chain(l);
    const tml_status status = take_places(l);
    if (status == TML_OK) settle_chain(l, w);
    return status;
}

static tml_status find_tree(link_system* l, walk* w)
{
    const tml_allocator* memory = &l->allocator;
    int* next = NULL;
    tml_status status = take(memory, &l->level_row, (size_t)l->count + 2, sizeof(int));
    if (status == TML_OK) {
        cut_branches(l, w, w->slot);
        status = take(memory, &l->stretch_level, (size_t)l->stretch_count + 1, sizeof(int));
    }
    if (status == TML_OK) lay_tree(l, w);
    const size_t places = (size_t)l->row_count * LANES;
    if (status == TML_OK) status = take_places(l);
    if (status == TML_OK) status = take(memory, &l->first_child, places + 1, sizeof(int));
    if (status == TML_OK) status = take(memory, &l->children, (size_t)l->count, sizeof(int));
    if (status == TML_OK) {
        status = take(memory, &l->row_children, (size_t)l->row_count, sizeof(int));
    }
    if (status == TML_OK) status = take(memory, &l->up, places * UP, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->down, places * DOWN, sizeof(double));
    if (status == TML_OK) {
        status = take(memory, &l->hung, 3 * (size_t)l->root_places, sizeof(double));
    }
    if (status == TML_OK) {
        status = take(memory, &l->first_branch, (size_t)l->row_count, sizeof(int));
    }
    if (status == TML_OK) {
        status = take(memory, &l->response, places * RESPONSE_ROWS, sizeof(double));
    }
    if (status == TML_OK) status = take(memory, &next, (size_t)l->count, sizeof(int));
    if (status == TML_OK) {
        settle_tree(l, w, next);
        list_children(l, w);
        status = take_branches(l);
    }
    tml__release(memory, next);
    return status;
}

// Bodies with as many joints side by side, in the order of the model.
static tml_status find_net(link_system* l, const walk* w)
{
    const tml_model* m = l->s->model;
    l->row_count = (l->count + LANES - 1) / LANES;
    l->item_count = l->row_count;
    l->root_places = l->row_count * LANES;
    const tml_status status = take_places(l);
    if (status != TML_OK) return status;
    int most = 0;
    int place = 0;
    for (int b = 0; b < m->all.body_count; b++) {
        const int joints = w->start[b + 1] - w->start[b];
        if (joints > most) most = joints;
    }
    for (int joints = most; joints >= 0; joints--) {
        for (int b = 0; b < m->all.body_count; b++) {
            if (w->start[b + 1] - w->start[b] != joints || links_is_led(l->led, b)) continue;
            l->node[place] = m->bodies[b].node;
            l->place_of[l->node[place]] = place;
            place++;
        }
    }
    for (int k = 0; k < l->row_count * LANES; k++) l->joint[k] = -1;
    return TML_OK;
}

tml_status tml__links_is_chain(const tml_model* m, const tml_allocator* allocator, bool* out)
{
    walk w = {0};
    links_led* led = NULL;
    tml_status status = tml__links_led_create(m, allocator, &led);
    if (status == TML_OK) status = take_walk(m, allocator, &w);
    *out = false;
    if (status == TML_OK) {
        w.led = led;
        list_joints(m, &w);
        order_bodies(m, &w);
        *out = is_chain(&w);
    }
    release_walk(allocator, &w);
    tml__links_led_destroy(led, allocator);
    return status;
}

static tml_status find_places(link_system* l, links_shape shape)
{
    const tml_model* m = l->s->model;
    walk w = {.led = l->led};
    tml_status status = take_walk(m, &l->allocator, &w);
    if (status == TML_OK) {
        list_joints(m, &w);
        order_bodies(m, &w);
        l->count = w.count;
        l->is_chain = shape == LINKS_CHAIN_OR_TREE && is_chain(&w);
        if (shape == LINKS_NET || shape == LINKS_NET_ITERATED)
            status = find_net(l, &w);
        else
            status = l->is_chain ? find_chain(l, &w) : find_tree(l, &w);
    }
    release_walk(&l->allocator, &w);
    return status;
}

static tml_status take_types(link_system* l)
{
    const tml_allocator* memory = &l->allocator;
    double* air = NULL;
    tml_status status = take(memory, &l->row_type, (size_t)l->row_count, sizeof(int));
    if (status == TML_OK) status = find_air(l, &air);
    if (status == TML_OK) {
        find_types(l, air, NULL);
        status = take(memory, &l->types, (size_t)l->type_count * TYPE_SIZE, sizeof(double));
    }
    if (status == TML_OK)
        status = take(memory, &l->traits, (size_t)l->type_count, sizeof *l->traits);
    if (status == TML_OK) {
        find_types(l, air, l->types);
        find_traits(l);
    }
    tml__release(memory, air);
    return status;
}

static tml_status take_chain(link_system* l)
{
    const tml_allocator* memory = &l->allocator;
    const size_t blocks = (size_t)l->item_count;
    const size_t segments = blocks * LANES;
    tml_status status = take(memory, &l->ends, blocks * END_ROWS * LANES, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->head_force, 3 * (segments + 1), sizeof(double));
    if (status == TML_OK) {
        status = take(memory, &l->head_change, 3 * (segments + 1), sizeof(double));
    }
    if (status == TML_OK) status = take(memory, &l->head_next, 3 * (segments + 1), sizeof(double));
    if (status == TML_OK) status = take(memory, &l->steepness, blocks, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->pending, blocks, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->has_rested, blocks, sizeof(bool));
    if (status == TML_OK) status = take(memory, &l->offset, 3 * segments, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->span, 3 * segments, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->start, 3 * segments, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->thomas, 12 * segments, sizeof(double));
    if (status == TML_OK) {
        const size_t kept = (size_t)l->length * CHAIN_KEPT * LANES;
        status = take(memory, &l->scratch, kept * (size_t)tml__team_size(l->team), sizeof(double));
    }
    return status;
}

static tml_status take_state(link_system* l)
{
    const tml_allocator* memory = &l->allocator;
    const size_t rows = (size_t)l->row_count;
    const size_t items = (size_t)l->item_count;
    tml_status status = take_types(l);
    if (status == TML_OK)
        status = take(memory, &l->state, rows * LINK_STATE * LANES, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->row_axis, rows, sizeof(int));
    if (status == TML_OK) tml__links_find_axes(l);
    if (status == TML_OK) status = take(memory, &l->largest, items, sizeof(double));
    if (status == TML_OK) status = take(memory, &l->sums, items, sizeof *l->sums);
    if (status == TML_OK && l->is_chain) status = take_chain(l);
    return status;
}

tml_status tml__links_create(maximal_system* s, links_shape shape, team* threads, message* why,
                             link_system** out)
{
    *out = NULL;
    link_system* l = tml__allocate(&s->allocator, 1, sizeof *l);
    if (l == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    l->s = s;
    l->allocator = s->allocator;
    l->team = threads;
    l->drawn = -1;
    l->damping = s->model->all.rayleigh_mass;
    for (int isa = BLOCK_AVX512; !tml__links_use(l, (block_isa)isa); isa--) {
    }
    tml_status status = tml__links_led_create(s->model, &l->allocator, &l->led);
    if (status == TML_OK) status = find_places(l, shape);
    if (status == TML_OK) status = take_state(l);
    if (status != TML_OK) tml__fail(why, status, "out of memory");
    const bool is_iterated = shape == LINKS_NET_ITERATED;
    if (status == TML_OK && (shape == LINKS_NET || is_iterated)) {
        status = tml__net_create(l, is_iterated, why);
    }
    if (status != TML_OK) {
        tml__links_destroy(l);
        return status;
    }
    *out = l;
    return TML_OK;
}

void tml__links_destroy(link_system* l)
{
    if (l == NULL) return;
    const tml_allocator memory = l->allocator;
    void* const all[] = {l->node,          l->place_of,    l->joint,     l->types,
                         l->traits,        l->row_type,    l->state,     l->x,
                         l->largest,       l->sums,        l->ends,      l->head_force,
                         l->head_next,     l->head_change, l->steepness, l->pending,
                         l->has_rested,    l->offset,      l->span,      l->start,
                         l->thomas,        l->scratch,     l->level_row, l->first_child,
                         l->children,      l->up,          l->down,      l->hung,
                         l->first_branch,  l->branches,    l->response,  l->row_children,
                         l->stretch_level, l->row_axis};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tml__release(&memory, all[i]);
    tml__links_touch_destroy(l);
    tml__links_springs_destroy(l);
    tml__net_destroy(l->net, &memory);
    tml__links_led_destroy(l->led, &memory);
    tml__release(&memory, l);
}

static bool has_set(block_isa isa)
{
#if defined(__x86_64__)
    if (isa == BLOCK_AVX2) return __builtin_cpu_supports("avx2") != 0;
    if (isa == BLOCK_AVX512) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512dq");
    }
#endif
    return isa == BLOCK_PLAIN;
}

bool tml__links_use(link_system* l, block_isa isa)
{
    if (!has_set(isa)) return false;
    tml__chain_kernels(isa, &l->kernels);
    tml__tree_kernels(isa, &l->kernels);
    tml__body_kernels(isa, &l->kernels);
    tml__net_kernels(isa, &l->kernels);
    tml__back_kernels(isa, &l->kernels);
    return l->net == NULL || l->net->dual == NULL || tml__fronts_use(l->net->dual, isa);
}
