// analysis/events.c - two looks at a simulation, compared.
#include "base/memory.h"
#include "math/vec3.h"
#include "model/model.h"

#include <trammel/events.h>
#include <trammel/state.h>

#include <math.h>
#include <stdlib.h>

// Two bodies that touch; the world as the last of them, deformables behind it.
typedef struct pair {
    int a, b;
    vec3 force;  // on a, of all its contacts
} pair;

// A coordinate that has limits.
typedef struct limited {
    tml_joint joint;
    tml_axis axis;
    int coordinate;
    double lower, upper;
    int side;     // where it was at the last look: -1, 0, +1
    double rate;  // and how fast it moved
} limited;

typedef struct pair_list {
    pair* list;
    int count, room;
} pair_list;

struct tml_events {
    tml_allocator allocator;
    const tml_model* model;
    double tolerance;
    int limit_count;
    limited* limits;
    double* coordinates;
    double* rates;
    pair_list before, now;
    tml_event* list;
    int count, room;
};

// ---- life

static int list_limits(tml_events* e, limited* out)
{
    int count = 0;
    const int coordinates = tml_model_coordinate_count(e->model);
    for (int i = 0; i < coordinates; i++) {
        limited l = {.coordinate = i};
        tml_model_coordinate(e->model, i, &l.joint, &l.axis);
        const tml_joint_axis axis = tml_model_joint(e->model, l.joint).axis_of[l.axis];
        if (!axis.has_limits) continue;
        l.lower = axis.lower;
        l.upper = axis.upper;
        if (out != NULL) out[count] = l;
        count++;
    }
    return count;
}

tml_status tml_events_create(const tml_model* model, double tolerance,
                             const tml_allocator* allocator, tml_events** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL || !(tolerance >= 0.0) || !isfinite(tolerance)) return TML_BAD_ARGUMENT;
    tml_events* e = tml__allocate(allocator, 1, sizeof *e);
    if (e == NULL) return TML_NO_MEMORY;
    if (allocator != NULL) e->allocator = *allocator;
    e->model = model;
    e->tolerance = tolerance > 0.0 ? tolerance : 1e-6;
    e->limit_count = list_limits(e, NULL);
    const size_t coordinates = (size_t)tml_model_coordinate_count(model);
    e->limits = tml__allocate(&e->allocator, (size_t)e->limit_count + 1, sizeof *e->limits);
    e->coordinates = tml__allocate(&e->allocator, coordinates + 1, sizeof *e->coordinates);
    e->rates = tml__allocate(&e->allocator, coordinates + 1, sizeof *e->rates);
    if (e->limits == NULL || e->coordinates == NULL || e->rates == NULL) {
        tml_events_destroy(e);
        return TML_NO_MEMORY;
    }
    list_limits(e, e->limits);
    *out = e;
    return TML_OK;
}

void tml_events_destroy(tml_events* e)
{
    if (e == NULL) return;
    const tml_allocator allocator = e->allocator;
    void* parts[] = {e->limits, e->coordinates, e->rates, e->before.list, e->now.list, e->list};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) tml__release(&allocator, parts[i]);
    tml__release(&allocator, e);
}

void tml_events_forget(tml_events* e)
{
    if (e == NULL) return;
    e->before.count = e->count = 0;
    for (int i = 0; i < e->limit_count; i++) e->limits[i].side = 0;
}

int tml_events_count(const tml_events* e) { return e != NULL ? e->count : 0; }

tml_event tml_events_at(const tml_events* e, int index)
{
    static const tml_event none = {.a = {-1}, .b = {-1}, .deformable = -1, .joint = {-1}};
    return e != NULL && index >= 0 && index < e->count ? e->list[index] : none;
}

// ---- who touches whom

static bool reserve(const tml_events* e, pair_list* p, int count)
{
    if (count <= p->room) return true;
    pair* list = tml__allocate(&e->allocator, 2 * (size_t)count, sizeof *list);
    if (list == NULL) return false;
    tml__release(&e->allocator, p->list);
    *p = (pair_list){list, 0, 2 * count};
    return true;
}

static int compare(const pair* x, const pair* y)
{
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static int in_order(const void* x, const void* y) { return compare(x, y); }

// Contacts that push, one entry a pair.
static void list_pairs(const tml_events* e, const tml_sim* sim, pair_list* out)
{
    const int world = tml_model_body_count(e->model);
    const int count = tml_sim_contact_count(sim);
    out->count = 0;
    for (int i = 0; i < count; i++) {
        const tml_contact k = tml_sim_contact(sim, i);
        if (!(v3_dot(k.force, k.force) > 0.0)) continue;
        const int a = k.deformable >= 0 ? world + 1 + k.deformable
                      : k.a.index < 0   ? world
                                        : k.a.index;
        const int b = k.b.index < 0 ? world : k.b.index;
        const bool is_turned = b < a && k.deformable < 0;
        out->list[out->count++] =
            (pair){is_turned ? b : a, is_turned ? a : b, is_turned ? v3_neg(k.force) : k.force};
    }
    qsort(out->list, (size_t)out->count, sizeof *out->list, in_order);
    int kept = 0;
    for (int i = 0; i < out->count; i++) {
        if (kept > 0 && compare(&out->list[kept - 1], &out->list[i]) == 0) {
            out->list[kept - 1].force = v3_add(out->list[kept - 1].force, out->list[i].force);
        } else {
            out->list[kept++] = out->list[i];
        }
    }
    out->count = kept;
}

static void add_pair(tml_events* e, tml_event_kind kind, double time, const pair* p)
{
    const int world = tml_model_body_count(e->model);
    tml_event out = {.kind = kind, .time = time, .deformable = -1, .joint = {-1}};
    out.a.index = p->a > world ? -2 : p->a == world ? TML_WORLD.index : p->a;
    out.b.index = p->b == world ? TML_WORLD.index : p->b;
    if (p->a > world) out.deformable = p->a - world - 1;
    if (kind == TML_EVENT_TOUCH) out.strength = v3_norm(p->force);
    e->list[e->count++] = out;
}

// Those of `from` that `other` has not.
static void add_missing(tml_events* e, tml_event_kind kind, double time, const pair_list* from,
                        const pair_list* other)
{
    for (int i = 0, k = 0; i < from->count; i++) {
        while (k < other->count && compare(&other->list[k], &from->list[i]) < 0) k++;
        const bool is_there = k < other->count && compare(&other->list[k], &from->list[i]) == 0;
        if (!is_there) add_pair(e, kind, time, &from->list[i]);
    }
}

// ---- limits

static int side_of(const tml_events* e, const limited* l)
{
    const double x = e->coordinates[l->coordinate];
    if (x <= l->lower + e->tolerance) return -1;
    return x >= l->upper - e->tolerance ? 1 : 0;
}

static void add_limits(tml_events* e, tml_event_kind kind, double time)
{
    for (int i = 0; i < e->limit_count; i++) {
        const limited* l = &e->limits[i];
        const int side = side_of(e, l);
        if (side == l->side) continue;
        const int told = kind == TML_EVENT_LIMIT ? side : l->side;
        if (told == 0) continue;
        e->list[e->count++] = (tml_event){
            .kind = kind,
            .time = time,
            .a = {TML_WORLD.index},
            .b = {TML_WORLD.index},
            .deformable = -1,
            .joint = l->joint,
            .axis = l->axis,
            .side = told,
            .strength = kind == TML_EVENT_LIMIT ? told * l->rate : 0.0,
        };
    }
}

tml_status tml_events_look(tml_events* e, const tml_sim* sim)
{
    if (e == NULL || sim == NULL || tml_sim_model(sim) != e->model) return TML_BAD_ARGUMENT;
    const double time = tml_sim_time(sim);
    if (!reserve(e, &e->now, tml_sim_contact_count(sim))) return TML_NO_MEMORY;
    list_pairs(e, sim, &e->now);
    const int most = e->before.count + e->now.count + 2 * e->limit_count;
    if (most > e->room) {
        tml_event* list = tml__allocate(&e->allocator, 2 * (size_t)most, sizeof *list);
        if (list == NULL) return TML_NO_MEMORY;
        tml__release(&e->allocator, e->list);
        e->list = list;
        e->room = 2 * most;
    }
    tml_sim_coordinates(sim, e->coordinates);
    tml_sim_rates(sim, e->rates);
    e->count = 0;
    add_missing(e, TML_EVENT_PART, time, &e->before, &e->now);
    add_limits(e, TML_EVENT_LEAVE, time);
    add_missing(e, TML_EVENT_TOUCH, time, &e->now, &e->before);
    add_limits(e, TML_EVENT_LIMIT, time);
    for (int i = 0; i < e->limit_count; i++) {
        e->limits[i].side = side_of(e, &e->limits[i]);
        e->limits[i].rate = e->rates[e->limits[i].coordinate];
    }
    const pair_list seen = e->before;
    e->before = e->now;
    e->now = seen;
    return TML_OK;
}
