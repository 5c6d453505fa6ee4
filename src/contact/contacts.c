// contact/contacts.c - finding contacts, knowing them again, keeping them.
#include "contact/contacts.h"

#include "base/memory.h"
#include "model/collision.h"
#include "solve/lcp.h"

#include <math.h>
#include <string.h>

// ---- memory

typedef struct request {
    void* where;
    size_t count, size;
} request;

enum {
    REQUESTS = 12,
    ROOM_LEAST = 32,
    ROOM_PER_COLLIDER = 8,
    ROOM_MOST = 2000,  // unless asked for
};

static int list_requests(sim_contacts* c, int capacity, request list[REQUESTS])
{
    const size_t room = (size_t)capacity;
    const size_t wrenches = 6 * (size_t)c->model->node_count;
    const request all[] = {
        {&c->found, room, sizeof *c->found},          {&c->labels, 3 * room, sizeof *c->labels},
        {&c->forces, 3 * room, sizeof *c->forces},    {&c->order, room, sizeof *c->order},
        {&c->now.list, room, sizeof *c->now.list},    {&c->next.list, room, sizeof *c->next.list},
        {&c->now.wrenches, wrenches, sizeof(double)}, {&c->next.wrenches, wrenches, sizeof(double)},
        {&c->ahead, room, sizeof *c->ahead},          {&c->ahead_order, room, sizeof(int)},
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
    request list[REQUESTS] = {{NULL, 0, 0}};
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
    larger.now.used = larger.now.count;
    larger.next.count = larger.next.used = 0;
    release_lists(c);
    *c = larger;
    return TML_OK;
}

// ---- creation

static int usual_room(const sim_contacts* c)
{
    const long long room =
        ROOM_LEAST + (long long)ROOM_PER_COLLIDER * tml__collision_moving(c->shapes);
    return room < ROOM_MOST ? (int)room : ROOM_MOST;
}

// A tenth of the smallest thing that moves, at most 2 cm.
static double usual_margin(const sim_contacts* c)
{
    const double smallest = tml__collision_smallest(c->shapes);
    return smallest > 0.0 && smallest < 0.2 ? 0.1 * smallest : 0.02;
}

static tml_status fill(sim_contacts* c, const tml_sim_settings* settings, message* why)
{
    const size_t bodies = (size_t)c->model->all.body_count + 1;
    const bool is_on = settings->contact.is_on;
    const collision_def nothing = {.collider_count = 0};
    const tml_status status = is_on
                                  ? tml__model_collision(c->model, &c->allocator, why, &c->shapes)
                                  : tml__collision_create(&nothing, &c->allocator, why, &c->shapes);
    if (status != TML_OK) return status;
    c->places = tml__allocate(&c->allocator, bodies, sizeof *c->places);
    c->reach = tml__allocate(&c->allocator, bodies, sizeof *c->reach);
    c->step = settings->step;
    c->margin = settings->contact.margin > 0.0 ? settings->contact.margin : usual_margin(c);
    const int room =
        settings->contact.max_contacts > 0 ? settings->contact.max_contacts : usual_room(c);
    if (c->places != NULL && c->reach != NULL && take_lists(c, room) == TML_OK) return TML_OK;
    return tml__fail(why, TML_NO_MEMORY, "out of memory for %d contacts", room);
}

tml_status tml__contacts_create(const tml_model* model, const tml_sim_settings* settings,
                                message* why, sim_contacts** out)
{
    *out = NULL;
    sim_contacts* c = tml__allocate(&settings->allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    c->model = model;
    c->allocator = settings->allocator;
    const tml_status status = fill(c, settings, why);
    if (status != TML_OK) {
        tml__contacts_destroy(c);
        return status;
    }
    *out = c;
    return TML_OK;
}

void tml__contacts_destroy(sim_contacts* c)
{
    if (c == NULL) return;
    const tml_allocator allocator = c->allocator;
    release_lists(c);
    tml__collision_destroy(c->shapes);
    tml__release(&allocator, c->places);
    tml__release(&allocator, c->reach);
    tml__release(&allocator, c);
}

// ---- finding

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

// How fast a contact opens, m/s.
static double opening_rate(const contact* k, const rigid* bodies)
{
    const rigid* a = &bodies[k->body_a];
    const rigid* b = &bodies[k->body_b];
    const vec3 u = v3_add(a->v, v3_cross(a->omega, v3_sub(k->point, a->c)));
    const vec3 v = v3_add(b->v, v3_cross(b->omega, v3_sub(k->point, b->c)));
    return v3_dot(k->normal, v3_sub(u, v));
}

// Fastest of the contacts that close by more than a margin in a step; see sim_contacts.
static void note_speed(sim_contacts* c, int i, double speed)
{
    if (!(speed > c->fast_speed)) return;
    c->fastest = i;
    c->fast_speed = speed;
}

// What is remembered of a contact that was there before; NULL: it was not.
static void recall(const kept_contact* before, contact* k, unsigned char* labels, double* forces)
{
    // tangents follow from seed and normal
    if (before != NULL && memcmp(&k->seed, &before->seed, sizeof k->seed) != 0) {
        k->seed = before->seed;
        tml__contact_tangents(k);
    }
    const vec3 axes[3] = {k->normal, k->tangent[0], k->tangent[1]};
    for (int i = 0; i < 3; i++) {
        labels[i] = before != NULL ? before->labels[i] : LCP_UNKNOWN;
        forces[i] = before != NULL ? v3_dot(before->force, axes[i]) : 0.0;
    }
}

// -1, 0 or 1: where the kept contact of place `at` stands beside k.
static int side_of(const sim_contacts* c, int at, const contact* k)
{
    return compare(&c->now.list[c->order[at]], k->shape_a, k->shape_b, k->id);
}

// Both lists stand by pairs and ids, so that one walk along the kept ones serves all; where the found ones do
// not, it goes back. `bodies`: those that may be fast, NULL if there are none.
static void recall_all(sim_contacts* c, const rigid* bodies)
{
    const int count = (int)c->now.count;
    int at = 0;
    for (int i = 0; i < c->found_count; i++) {
        contact* k = &c->found[i];
        contact_fetch(c->found, i, c->found_count);
        while (at > 0 && side_of(c, at - 1, k) >= 0) at--;
        int side = 1;
        while (at < count && (side = side_of(c, at, k)) < 0) at++;
        const bool is_known = at < count && side == 0;
        recall(is_known ? &c->now.list[c->order[at]] : NULL, k, &c->labels[3 * i],
               &c->forces[3 * i]);
        if (bodies != NULL) note_speed(c, i, -opening_rate(k, bodies));
    }
}

static void place_all(sim_contacts* c, const rigid* bodies)
{
    const int world = tml__world(c->model);
    for (int i = 0; i <= world; i++) c->places[i] = (placement){bodies[i].c, bodies[i].R};
}

// A detection and the bodies that it is about.
typedef struct moving_bodies {
    const sim_contacts* c;
    const rigid* bodies;
} moving_bodies;

// Of what is found beyond the margin only what comes within it in this step.
static bool comes_near(const void* with, const contact* k)
{
    const moving_bodies* m = with;
    return !(k->gap + m->c->step * opening_rate(k, m->bodies) > m->c->margin);
}

// Bodies faster than half a margin a step are looked for as far ahead as they go. Answers whether there
// are any.
static bool find_reach(sim_contacts* c, const rigid* bodies)
{
    const int world = tml__world(c->model);
    bool is_fast = false;
    for (int i = 0; i <= world; i++) {
        const double way = i < world ? c->step * v3_norm(bodies[i].v) - 0.5 * c->margin : 0.0;
        c->reach[i] = way > 0.0 ? way : 0.0;
        is_fast |= way > 0.0;
    }
    return is_fast;
}

void tml__contacts_note_fast(const sim_contacts* c, tml_sim_report* report)
{
    if (c->fastest < 0 || !(c->fast_speed > report->fast_speed)) return;
    const int world = tml__world(c->model);
    const contact* k = &c->found[c->fastest];
    report->fast_a = k->body_a == world ? TML_WORLD : (tml_body){k->body_a};
    report->fast_b = k->body_b == world ? TML_WORLD : (tml_body){k->body_b};
    report->fast_speed = c->fast_speed;
}

// Other frictions and restitutions of a model whose numbers were changed (perturb.c).
static void shift_numbers(sim_contacts* c)
{
    const double* shift = c->model->contact_shift;
    for (int i = 0; i < c->found_count && shift != NULL; i++) {
        contact* k = &c->found[i];
        const int bodies[2] = {k->body_a, k->body_b};
        for (int b = 0; b < 2; b++) {
            if (bodies[b] >= c->model->all.body_count) continue;
            k->friction += shift[2 * bodies[b]];
            k->restitution += shift[2 * bodies[b] + 1];
        }
    }
}

tml_status tml__contacts_detect(sim_contacts* c, const rigid* bodies, message* why)
{
    place_all(c, bodies);
    const bool is_fast = find_reach(c, bodies);
    const moving_bodies moving = {c, bodies};
    const contact_filter filter = {comes_near, &moving};
    tml__collision_set_reach(c->shapes, is_fast ? c->reach : NULL, is_fast ? &filter : NULL);
    c->found_count = 0;
    const tml_status status = tml__collision_detect(c->shapes, c->places, c->margin, c->capacity,
                                                    c->found, &c->found_count, why);
    tml__collision_set_reach(c->shapes, NULL, NULL);  // the filter ends here
    if (status != TML_OK) return status;
    shift_numbers(c);
    c->fastest = -1;
    c->fast_speed = c->margin / c->step;
    sort_kept(c);
    recall_all(c, is_fast ? bodies : NULL);
    return TML_OK;
}

// -1, 0 or 1 by colliders and features.
static int compare_contacts(const contact* a, const contact* b)
{
    if (a->shape_a != b->shape_a) return a->shape_a < b->shape_a ? -1 : 1;
    if (a->shape_b != b->shape_b) return a->shape_b < b->shape_b ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

// They were found pair by pair, so that insertion has little to do.
static void sort_ahead(sim_contacts* c)
{
    for (int i = 0; i < c->ahead_count; i++) {
        int at = i;
        while (at > 0 && compare_contacts(&c->ahead[c->ahead_order[at - 1]], &c->ahead[i]) > 0) {
            c->ahead_order[at] = c->ahead_order[at - 1];
            at--;
        }
        c->ahead_order[at] = i;
    }
}

tml_status tml__contacts_look_ahead(sim_contacts* c, const rigid* bodies, message* why)
{
    place_all(c, bodies);
    tml__collision_set_reach(c->shapes, NULL, NULL);
    c->ahead_count = 0;
    const tml_status status = tml__collision_detect(c->shapes, c->places, c->margin, c->capacity,
                                                    c->ahead, &c->ahead_count, why);
    if (status == TML_OK) sort_ahead(c);
    return status;
}

const contact* tml__contacts_ahead(const sim_contacts* c, int i)
{
    int low = 0;
    int high = c->ahead_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int side = compare_contacts(&c->ahead[c->ahead_order[middle]], &c->found[i]);
        if (side == 0) return &c->ahead[c->ahead_order[middle]];
        if (side < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// ---- keeping

void tml__contacts_clear_next(sim_contacts* c)
{
    contact_set* next = &c->next;
    const int64_t used = next->used > next->count ? next->used : next->count;
    memset(next->list, 0, (size_t)used * sizeof *next->list);
    next->used = 0;
    memset(next->wrenches, 0, 6 * (size_t)c->model->node_count * sizeof(double));
    next->count = 0;
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
    c->next.used = c->next.count;
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
    to->push = v3_dot(force, k->normal);
    for (int n = 0; n < 3 && n < label_count; n++) to->labels[n] = labels[n];
    add_wrench(c, k->body_a, force, v3_sub(k->point, bodies[k->body_a].c));
    add_wrench(c, k->body_b, v3_neg(force), v3_sub(k->point, bodies[k->body_b].c));
}

void tml__contacts_accept(sim_contacts* c)
{
    const contact_set before = c->now;
    c->now = c->next;
    c->next = before;
}
