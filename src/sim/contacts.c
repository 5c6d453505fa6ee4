// sim/contacts.c - finding contacts, knowing them again, keeping them.
#include "sim/contacts.h"

#include "base/memory.h"
#include "sim/colliders.h"
#include "solve/lcp.h"

#include <math.h>
#include <string.h>

// ---- memory

typedef struct request {
    void* where;
    size_t count, size;
} request;

enum {
    REQUESTS = 8,
    ROOM_LEAST = 32,
    ROOM_PER_COLLIDER = 8,
    ROOM_MOST = 600,  // unless asked for: the matrix of the contacts is full
};

static int list_requests(sim_contacts* c, int capacity, request list[REQUESTS])
{
    const size_t room = (size_t)capacity;
    const size_t wrenches = 6 * (size_t)c->model->node_count;
    const request all[] = {
        {&c->found, room, sizeof *c->found},           {&c->labels, 3 * room, sizeof *c->labels},
        {&c->order, room, sizeof *c->order},           {&c->now.list, room, sizeof *c->now.list},
        {&c->next.list, room, sizeof *c->next.list},   {&c->now.wrenches, wrenches, sizeof(double)},
        {&c->next.wrenches, wrenches, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}

static void release_lists(sim_contacts* c)
{
    request list[REQUESTS];
    const int count = list_requests(c, 0, list);
    for (int i = 0; i < count; i++) {
        void* memory = NULL;
        memcpy(&memory, list[i].where, sizeof memory);
        tml__release(&c->allocator, memory);
    }
}

static tml_status take_lists(sim_contacts* c, int capacity)
{
    request list[REQUESTS];
    const int count = list_requests(c, capacity, list);
    for (int i = 0; i < count; i++) {
        void* memory = tml__allocate(&c->allocator, list[i].count, list[i].size);
        memcpy(list[i].where, &memory, sizeof memory);
        if (memory == NULL) return TML_NO_MEMORY;
    }
    c->capacity = capacity;
    return TML_OK;
}

tml_status tml__contacts_reserve(sim_contacts* c, int capacity, message* why)
{
    sim_contacts larger = *c;
    request list[REQUESTS];
    const int count = list_requests(&larger, 0, list);
    for (int i = 0; i < count; i++) {
        void* none = NULL;
        memcpy(list[i].where, &none, sizeof none);
    }
    if (take_lists(&larger, capacity) != TML_OK) {
        release_lists(&larger);
        return tml__fail(why, TML_NO_MEMORY, "out of memory for %d contacts", capacity);
    }
    memcpy(larger.now.list, c->now.list, (size_t)c->now.count * sizeof *c->now.list);
    memcpy(larger.now.wrenches, c->now.wrenches, 6 * (size_t)c->model->node_count * sizeof(double));
    release_lists(c);
    *c = larger;
    return TML_OK;
}

// ---- creation

static unsigned char* apart(sim_contacts* c, int a, int b)
{
    const size_t width = (size_t)c->model->all.body_count + 1;
    const size_t low = (size_t)(a < b ? a : b);
    const size_t high = (size_t)(a < b ? b : a);
    return &c->is_kept_apart[low * width + high];
}

static void keep_apart(sim_contacts* c)
{
    const tml_model* m = c->model;
    const int world = tml__world(m);
    for (int a = 0; a <= world; a++) {
        for (int b = a; b <= world; b++) {
            const bool is_fixed = m->bodies[a].node < 0 && m->bodies[b].node < 0;
            *apart(c, a, b) = a == b || is_fixed;
        }
    }
    for (int j = 0; j < m->all.joint_count; j++) {
        if (!m->all.joints[j].collide) *apart(c, m->joints[j].base, m->joints[j].follower) = 1;
    }
}

static int usual_room(const sim_contacts* c)
{
    int moving = 0;
    for (int i = 0; i < c->collider_count; i++) moving += !c->colliders[i].is_fixed;
    const long long room = ROOM_LEAST + (long long)ROOM_PER_COLLIDER * moving;
    return room < ROOM_MOST ? (int)room : ROOM_MOST;
}

static tml_status fill(sim_contacts* c, const tml_sim_settings* settings)
{
    const size_t bodies = (size_t)c->model->all.body_count + 1;
    const size_t colliders = (size_t)tml__colliders_count(c->model);
    c->colliders = tml__allocate(&c->allocator, colliders, sizeof *c->colliders);
    c->is_kept_apart = tml__allocate(&c->allocator, bodies, bodies);
    if (c->colliders == NULL || c->is_kept_apart == NULL) return TML_NO_MEMORY;
    const tml_status status = tml__colliders_fill(c);
    if (status != TML_OK) return status;
    keep_apart(c);
    c->margin =
        settings->contact_margin > 0.0 ? settings->contact_margin : tml__colliders_margin(c);
    return take_lists(c, settings->max_contacts > 0 ? settings->max_contacts : usual_room(c));
}

tml_status tml__contacts_create(const tml_model* model, const tml_sim_settings* settings,
                                message* why, sim_contacts** out)
{
    *out = NULL;
    sim_contacts* c = tml__allocate(&settings->allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    c->model = model;
    c->allocator = settings->allocator;
    c->memory.allocator = &c->allocator;
    const tml_status status = fill(c, settings);
    if (status != TML_OK) {
        tml__contacts_destroy(c);
        return tml__fail(why, status,
                         status == TML_NO_MEMORY ? "out of memory" : "a shape cannot collide");
    }
    *out = c;
    return TML_OK;
}

void tml__contacts_destroy(sim_contacts* c)
{
    if (c == NULL) return;
    const tml_allocator allocator = c->allocator;
    release_lists(c);
    tml__pool_destroy(&c->memory);
    tml__release(&allocator, c->colliders);
    tml__release(&allocator, c->is_kept_apart);
    tml__release(&allocator, c);
}

// ---- finding

static void place(collider* c, const rigid* body)
{
    c->p.core.p = v3_add(body->c, m3_apply(body->R, c->at));
    c->p.core.R = m3_mul(body->R, c->turn);
}

// Can the two be within the margin?
static bool is_near(const collider* a, const collider* b, double margin)
{
    const bool has_plane = a->p.kind == PIECE_PLANE || b->p.kind == PIECE_PLANE;
    const vec3 d = v3_sub(a->p.core.p, b->p.core.p);
    if (has_plane) {
        const bool is_a = a->p.kind == PIECE_PLANE;
        const collider* plane = is_a ? a : b;
        const collider* other = is_a ? b : a;
        const vec3 n = m3_column(plane->p.core.R, 2);
        const double height = v3_dot(n, v3_sub(other->p.core.p, plane->p.core.p));
        return other->p.kind != PIECE_PLANE && height - other->radius <= margin;
    }
    const double reach = a->radius + b->radius + margin;
    return v3_dot(d, d) <= reach * reach;
}

static const char* body_name(const sim_contacts* c, int body)
{
    return body < c->model->all.body_count ? c->model->all.bodies[body].name : "world";
}

// -1, 0 or 1 by colliders and features.
static int compare(const kept_contact* k, int a, int b, uint64_t id)
{
    if (k->collider_a != a) return k->collider_a < a ? -1 : 1;
    if (k->collider_b != b) return k->collider_b < b ? -1 : 1;
    return k->id < id ? -1 : k->id > id;
}

// Kept contacts stand by colliders, because they were found so; within a pair they are sorted by
// insertion.
static void sort_kept(sim_contacts* c)
{
    for (int i = 0; i < (int)c->now.count; i++) {
        const kept_contact* k = &c->now.list[i];
        int at = i;
        while (at > 0 &&
               compare(&c->now.list[c->order[at - 1]], k->collider_a, k->collider_b, k->id) > 0) {
            c->order[at] = c->order[at - 1];
            at--;
        }
        c->order[at] = i;
    }
}

static const kept_contact* find_kept(const sim_contacts* c, const contact* k)
{
    int low = 0;
    int high = (int)c->now.count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const kept_contact* at = &c->now.list[c->order[middle]];
        const int side = compare(at, k->shape_a, k->shape_b, k->id);
        if (side == 0) return at;
        if (side < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// Colliders, material and memory of a new contact.
static void complete(sim_contacts* c, int a, int b, contact* k, unsigned char* labels)
{
    const collider* A = &c->colliders[a];
    const collider* B = &c->colliders[b];
    k->body_a = A->body;
    k->body_b = B->body;
    k->shape_a = a;
    k->shape_b = b;
    k->friction = A->friction < B->friction ? A->friction : B->friction;
    k->restitution = A->restitution > B->restitution ? A->restitution : B->restitution;
    const kept_contact* before = find_kept(c, k);
    k->seed = before != NULL ? before->seed : tml__contact_seed(k->normal);
    tml__contact_tangents(k);
    for (int i = 0; i < 3; i++) labels[i] = before != NULL ? before->labels[i] : LCP_UNKNOWN;
}

static tml_status detect_pair(sim_contacts* c, int a, int b, message* why)
{
    manifold m;
    const collider* A = &c->colliders[a];
    const collider* B = &c->colliders[b];
    const tml_status status = tml__narrow(&A->p, &B->p, c->margin, &m);
    if (status != TML_OK) {
        return tml__fail(why, status, "no normal between '%s' and '%s': their shapes coincide",
                         body_name(c, A->body), body_name(c, B->body));
    }
    if (c->found_count + m.count > c->capacity) {
        return tml__fail(why, TML_TOO_MANY_CONTACTS,
                         "more than %d contacts, at '%s' and '%s': raise max_contacts, or call "
                         "tml_sim_reserve and step again",
                         c->capacity, body_name(c, A->body), body_name(c, B->body));
    }
    for (int i = 0; i < m.count; i++) {
        c->found[c->found_count] = m.contacts[i];
        complete(c, a, b, &c->found[c->found_count], &c->labels[3 * c->found_count]);
        c->found_count++;
    }
    return TML_OK;
}

tml_status tml__contacts_detect(sim_contacts* c, const rigid* bodies, message* why)
{
    c->found_count = 0;
    sort_kept(c);
    for (int i = 0; i < c->collider_count; i++) {
        place(&c->colliders[i], &bodies[c->colliders[i].body]);
    }
    for (int a = 0; a < c->collider_count; a++) {
        for (int b = a + 1; b < c->collider_count; b++) {
            const collider* A = &c->colliders[a];
            const collider* B = &c->colliders[b];
            if (*apart(c, A->body, B->body) || !is_near(A, B, c->margin)) continue;
            const tml_status status = detect_pair(c, a, b, why);
            if (status != TML_OK) return status;
        }
    }
    return TML_OK;
}

// ---- keeping

void tml__contacts_clear_next(sim_contacts* c)
{
    memset(c->next.list, 0, (size_t)c->capacity * sizeof *c->next.list);
    memset(c->next.wrenches, 0, 6 * (size_t)c->model->node_count * sizeof(double));
    c->next.count = 0;
}

static void add_wrench(sim_contacts* c, int body, vec3 force, vec3 arm)
{
    const int node = c->model->bodies[body].node;
    if (node < 0) return;
    double* w = &c->next.wrenches[6 * node];
    v3_store(w, v3_add(v3_load(w), force));
    v3_store(w + 3, v3_add(v3_load(w + 3), v3_cross(arm, force)));
}

void tml__contacts_keep(sim_contacts* c, int i, vec3 force, const rigid* bodies,
                        const unsigned char* labels, int label_count)
{
    const contact* k = &c->found[i];
    kept_contact* to = &c->next.list[c->next.count++];
    to->id = k->id;
    to->collider_a = k->shape_a;
    to->collider_b = k->shape_b;
    to->body_a = k->body_a;
    to->body_b = k->body_b;
    to->seed = k->seed;
    to->point = k->point;
    to->normal = k->normal;
    to->force = force;
    to->gap = k->gap;
    for (int n = 0; n < label_count; n++) to->labels[n] = labels[n];
    add_wrench(c, k->body_a, force, v3_sub(k->point, bodies[k->body_a].c));
    add_wrench(c, k->body_b, v3_neg(force), v3_sub(k->point, bodies[k->body_b].c));
}

void tml__contacts_accept(sim_contacts* c)
{
    const contact_set before = c->now;
    c->now = c->next;
    c->next = before;
}
