// geom/collision.c - the pipeline: place, find pairs, touch.
#include "geom/collision.h"

#include "base/memory.h"
#include "geom/axis_sweep.h"
#include "geom/collider.h"

// Two colliders that touch in their own way.
typedef struct chosen_pair {
    uint64_t key;  // of their numbers
    bool is_apart;
    double friction, restitution;
} chosen_pair;

struct collision {
    tml_allocator allocator;
    pool memory;  // hulls
    int count;
    collider* colliders;
    axis_sweep* sweep;  // NULL: there are too many colliders for it, or a crowd
    bool is_swept;      // the detection in progress has its pairs from there, not from the tree
    aabb_tree* tree;
    int crowd;       // colliders before this number are of one group: none of them touches another
    int* found;      // count: partners of one collider
    int* nearby;     // count: what comes near a stretch of the crowd
    int stretch;     // the last that was asked for; -1: none yet
    int near_count;  //
    int plane_count;
    int* planes;
    int exclude_count;
    uint64_t* exclude;   // sorted pairs of bodies
    int* exclude_start;  // per body, and the end: its pairs with those of higher number
    int body_count;      // of bodies that have a collider, and those of lower number
    int pair_count;
    collision_pair* pairs;  // of all shapes of two bodies; sorted by bodies, the smaller first
    int chosen_count;
    chosen_pair* chosen;  // of two shapes; sorted
    bool takes_larger_friction;
    double fat;             // of boxes in the tree
    double smallest;        // radius among those that move
    const double* reach;    // per body, borrowed; NULL: nobody moves on
    contact_filter filter;  // of what is farther than the margin
    // of the detection in progress
    double margin;
    int room;
    int contact_count;
    contact* contacts;
    surface_contacts* on_surface;
    collision_statistics statistics;
};

// ---- creation

static uint64_t pair_key(int a, int b)
{
    const uint64_t low = (uint64_t)(uint32_t)(a < b ? a : b);
    const uint64_t high = (uint64_t)(uint32_t)(a < b ? b : a);
    return low << 32 | high;
}

static void sort_keys(uint64_t* list, int count)
{
    for (int step = count / 2; step > 0; step /= 2) {
        for (int i = step; i < count; i++) {
            const uint64_t x = list[i];
            int j = i;
            for (; j >= step && list[j - step] > x; j -= step) list[j] = list[j - step];
            list[j] = x;
        }
    }
}

static void sort_numbers(int* list, int count)
{
    for (int step = count / 2; step > 0; step /= 2) {
        for (int i = step; i < count; i++) {
            const int x = list[i];
            int j = i;
            for (; j >= step && list[j - step] > x; j -= step) list[j] = list[j - step];
            list[j] = x;
        }
    }
}

static tml_status reserve(collision* c, const collision_def* def)
{
    const size_t n = (size_t)def->collider_count;
    const tml_allocator* allocator = &c->allocator;
    c->colliders = tml__allocate(allocator, n, sizeof *c->colliders);
    c->found = tml__allocate(allocator, n, sizeof *c->found);
    c->nearby = tml__allocate(allocator, n, sizeof *c->nearby);
    c->planes = tml__allocate(allocator, n, sizeof *c->planes);
    c->exclude = tml__allocate(allocator, (size_t)def->exclude_count, sizeof *c->exclude);
    for (int i = 0; i < def->collider_count; i++) {
        const int body = def->colliders[i].body;
        if (body >= c->body_count) c->body_count = body + 1;
    }
    c->exclude_start =
        tml__allocate(allocator, (size_t)c->body_count + 1, sizeof *c->exclude_start);
    c->pairs = tml__allocate(allocator, (size_t)def->pair_count, sizeof *c->pairs);
    c->chosen = tml__allocate(allocator, (size_t)def->pair_count, sizeof *c->chosen);
    c->on_surface = tml__allocate(allocator, 1, sizeof *c->on_surface);
    const bool is_short = c->colliders == NULL || c->found == NULL || c->nearby == NULL ||
                          c->planes == NULL || c->exclude == NULL || c->exclude_start == NULL ||
                          c->pairs == NULL || c->chosen == NULL || c->on_surface == NULL;
    return is_short ? TML_NO_MEMORY : TML_OK;
}

static void keep_pairs(collision* c, const collision_def* def)
{
    c->exclude_count = def->exclude_count;
    for (int i = 0; i < def->exclude_count; i++) {
        c->exclude[i] = pair_key(def->exclude[2 * i], def->exclude[2 * i + 1]);
    }
    sort_keys(c->exclude, c->exclude_count);
    for (int body = 0, k = 0; body <= c->body_count; body++) {
        while (k < c->exclude_count && c->exclude[k] < pair_key(body, body)) k++;
        c->exclude_start[body] = k;
    }
    for (int i = 0; i < def->pair_count; i++) {
        const collision_pair pair = def->pairs[i];
        if (pair.shape_a >= 0) continue;
        const uint64_t key = pair_key(pair.body_a, pair.body_b);
        int j = c->pair_count++;
        for (; j > 0 && pair_key(c->pairs[j - 1].body_a, c->pairs[j - 1].body_b) > key; j--) {
            c->pairs[j] = c->pairs[j - 1];
        }
        c->pairs[j] = pair;
    }
}

static tml_status make_colliders(collision* c, const collision_def* def, message* why)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < def->collider_count; i++) {
        if (!def->colliders[i].shape->collide) continue;
        collider* made = &c->colliders[c->count];
        const tml_status status =
            tml__collider_create(&def->colliders[i], &c->memory, &c->allocator, why, made);
        c->count++;  // what was begun is destroyed with the others
        if (status != TML_OK) return status;
        if (made->s == NULL && made->p.kind == PIECE_PLANE)
            c->planes[c->plane_count++] = c->count - 1;
        if (made->radius > 0.0 && made->radius < smallest) smallest = made->radius;
        if (made->def.is_fixed || !(made->radius > 0.0)) continue;
        if (!(c->smallest > 0.0) || made->radius < c->smallest) c->smallest = made->radius;
    }
    // a tenth of the smallest body: rarely left within a step, and not much larger than needed
    c->fat = smallest < HUGE_VAL ? 0.1 * smallest : 0.0;
    return TML_OK;
}

// The collider of a shape; -1: it does not touch.
static int collider_of(const collision* c, int body, int shape)
{
    for (int i = 0; i < c->count; i++) {
        if (c->colliders[i].def.body == body && c->colliders[i].def.shape_index == shape) return i;
    }
    return -1;
}

static void keep_chosen(collision* c, const collision_def* def)
{
    for (int i = 0; i < def->pair_count; i++) {
        const collision_pair* p = &def->pairs[i];
        if (p->shape_a < 0) continue;
        const int a = collider_of(c, p->body_a, p->shape_a);
        const int b = collider_of(c, p->body_b, p->shape_b);
        if (a < 0 || b < 0) continue;
        const chosen_pair one = {pair_key(a, b), p->is_apart, p->friction, p->restitution};
        int j = c->chosen_count++;
        for (; j > 0 && c->chosen[j - 1].key > one.key; j--) c->chosen[j] = c->chosen[j - 1];
        c->chosen[j] = one;
    }
}

// Links of a chain or a net come first and are all of one group: they look for the others alone, and neither
// the tree nor the sweep need hold them. Less than half of all is no crowd.
static void find_crowd(collision* c)
{
    const int group = c->count > 0 ? c->colliders[0].def.shape->group : 0;
    if (group == 0) return;
    while (c->crowd < c->count && c->colliders[c->crowd].def.shape->group == group) c->crowd++;
    if (2 * c->crowd < c->count) c->crowd = 0;
}

// The tree holds what is no crowd, collider i as leaf i - crowd.
static tml_status make_room_for_boxes(collision* c, message* why)
{
    find_crowd(c);
    tml_status status = tml__aabb_tree_create(c->count - c->crowd, &c->allocator, &c->tree);
    if (status == TML_OK && c->crowd == 0 && c->count <= AXIS_SWEEP_MOST) {
        status = tml__axis_sweep_create(c->count, &c->allocator, &c->sweep);
    }
    return status == TML_OK ? TML_OK : tml__fail(why, status, "out of memory for contacts");
}

tml_status tml__collision_create(const collision_def* def, const tml_allocator* allocator,
                                 message* why, collision** out)
{
    *out = NULL;
    collision* c = tml__allocate(allocator, 1, sizeof *c);
    if (c == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    if (allocator != NULL) c->allocator = *allocator;
    c->takes_larger_friction = def->takes_larger_friction;
    c->memory.allocator = &c->allocator;
    tml_status status = reserve(c, def);
    if (status != TML_OK) tml__fail(why, status, "out of memory for contacts");
    if (status == TML_OK) {
        keep_pairs(c, def);
        status = make_colliders(c, def, why);
        if (status == TML_OK) keep_chosen(c, def);
    }
    if (status == TML_OK) status = make_room_for_boxes(c, why);
    if (status != TML_OK) {
        tml__collision_destroy(c);
        return status;
    }
    *out = c;
    return TML_OK;
}

void tml__collision_destroy(collision* c)
{
    if (c == NULL) return;
    const tml_allocator allocator = c->allocator;
    for (int i = 0; i < c->count; i++) tml__collider_destroy(&c->colliders[i]);
    tml__aabb_tree_destroy(c->tree);
    tml__axis_sweep_destroy(c->sweep);
    tml__pool_destroy(&c->memory);
    tml__release(&allocator, c->colliders);
    tml__release(&allocator, c->found);
    tml__release(&allocator, c->nearby);
    tml__release(&allocator, c->planes);
    tml__release(&allocator, c->exclude);
    tml__release(&allocator, c->exclude_start);
    tml__release(&allocator, c->pairs);
    tml__release(&allocator, c->chosen);
    tml__release(&allocator, c->on_surface);
    tml__release(&allocator, c);
}

// ---- who may touch whom

static bool is_excluded(const collision* c, int body_a, int body_b)
{
    const uint64_t key = pair_key(body_a, body_b);
    const int first = body_a < body_b ? body_a : body_b;
    int low = c->exclude_start[first];
    int high = c->exclude_start[first + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (c->exclude[middle] == key) return true;
        if (c->exclude[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

static bool is_plane(const collider* c) { return c->s == NULL && c->p.kind == PIECE_PLANE; }
static bool is_ground(const collider* c) { return c->s != NULL || c->p.kind == PIECE_PLANE; }

bool tml__collision_is_plane(const collision* c, int i) { return is_plane(&c->colliders[i]); }

// NULL: nobody has chosen these two.
static const chosen_pair* find_chosen(const collision* c, const collider* a, const collider* b)
{
    if (c->chosen_count == 0) return NULL;
    const uint64_t key = pair_key((int)(a - c->colliders), (int)(b - c->colliders));
    int low = 0;
    int high = c->chosen_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (c->chosen[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool is_there = low < c->chosen_count && c->chosen[low].key == key;
    return is_there ? &c->chosen[low] : NULL;
}

static bool may_touch(const collision* c, const collider* a, const collider* b)
{
    const tml_shape_def* s = a->def.shape;
    const tml_shape_def* t = b->def.shape;
    if (a->def.body == b->def.body || (a->def.is_fixed && b->def.is_fixed)) return false;
    if (a->def.side != 0 && a->def.side == b->def.side) return false;
    // grounds do not meet: planes and surfaces of triangles have no edge to touch each other with
    if (is_ground(a) && is_ground(b)) return false;
    const chosen_pair* chosen = find_chosen(c, a, b);
    if (chosen != NULL) return !chosen->is_apart;
    if (s->group != 0 && s->group == t->group) return false;
    if ((s->mask & t->groups) == 0 && (t->mask & s->groups) == 0) return false;
    return !is_excluded(c, a->def.body, b->def.body);
}

// That of the shape with the higher priority, else the smaller or the larger of the two.
static double friction_between(const collision* c, const tml_shape_def* s, const tml_shape_def* t)
{
    if (s->priority != t->priority) {
        const tml_shape_def* first = s->priority > t->priority ? s : t;
        return first->dimensions == 1 ? 0.0 : first->friction;
    }
    if (s->dimensions == 1 && t->dimensions == 1) return 0.0;
    const bool is_first = (s->friction < t->friction) != c->takes_larger_friction;
    return is_first ? s->friction : t->friction;
}

// The pair's own numbers, or what the two shapes say: of their restitution the larger counts.
static void find_materials(const collision* c, const collider* a, const collider* b,
                           double* friction, double* restitution)
{
    const tml_shape_def* s = a->def.shape;
    const tml_shape_def* t = b->def.shape;
    *friction = friction_between(c, s, t);
    *restitution = s->restitution > t->restitution ? s->restitution : t->restitution;
    const chosen_pair* chosen = find_chosen(c, a, b);
    if (chosen != NULL) {
        if (chosen->friction >= 0.0) *friction = chosen->friction;
        if (chosen->restitution >= 0.0) *restitution = chosen->restitution;
        return;
    }
    const uint64_t key = pair_key(a->def.body, b->def.body);
    int low = 0;
    int high = c->pair_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (pair_key(c->pairs[middle].body_a, c->pairs[middle].body_b) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == c->pair_count || pair_key(c->pairs[low].body_a, c->pairs[low].body_b) != key) return;
    if (c->pairs[low].friction >= 0.0) *friction = c->pairs[low].friction;
    if (c->pairs[low].restitution >= 0.0) *restitution = c->pairs[low].restitution;
}

// ---- one pair

static tml_status name_pair(const collider* a, const collider* b, tml_status status, message* why)
{
    return tml__fail(why, status,
                     status == TML_SINGULAR
                         ? "no normal between '%.80s' and '%.80s': their shapes %d and %d coincide"
                         : "'%.80s' and '%.80s': too many triangles between their shapes %d and %d",
                     a->def.body_name, b->def.body_name, a->def.shape_index, b->def.shape_index);
}

static tml_status name_crowded(const collision* c, const collider* a, const collider* b,
                               message* why)
{
    return tml__fail(why, TML_TOO_MANY_CONTACTS,
                     "more than %d contacts, at '%.80s' and '%.80s': raise max_contacts, or call "
                     "tml_sim_reserve and step again",
                     c->room, a->def.body_name, b->def.body_name);
}

// What is farther than the margin was only seen because bodies move on.
static bool counts(const collision* c, const contact* k)
{
    if (!(k->gap > c->margin) || c->filter.is_wanted == NULL) return true;
    return c->filter.is_wanted(c->filter.with, k);
}

static tml_status add_contacts(collision* c, int ia, int ib, int count, contact* list, message* why)
{
    const collider* a = &c->colliders[ia];
    const collider* b = &c->colliders[ib];
    if (count == 0) return TML_OK;
    c->statistics.touching++;
    double friction;
    double restitution;
    find_materials(c, a, b, &friction, &restitution);
    for (int i = 0; i < count; i++) {
        contact* k = &list[i];
        k->body_a = a->def.body;
        k->body_b = b->def.body;
        if (!counts(c, k)) continue;
        if (c->contact_count == c->room) return name_crowded(c, a, b, why);
        k->shape_a = ia;
        k->shape_b = ib;
        k->friction = friction;
        k->restitution = restitution;
        k->seed = tml__contact_seed(k->normal);
        tml__contact_tangents(k);
        c->contacts[c->contact_count++] = *k;
    }
    return TML_OK;
}

// Shapes with margins touch as if they were thicker: the feature of one is rounded by so much more.
static void thicken(contact* list, int count, double margin)
{
    for (int i = 0; i < count && margin > 0.0; i++) {
        contact* k = &list[i];
        contact_feature* f = &k->feature;
        const bool is_a =
            f->kind == FEATURE_CUT ? f->a.kind == ELEMENT_LINE : f->a.kind != ELEMENT_FACE;
        element* e = is_a ? &f->a : &f->b;
        e->offset += margin;
        if (tml__feature_value(f, k->normal, k) != TML_OK) k->gap -= margin;
    }
}

static double reach_of(const collision* c, const collider* it)
{
    return c->reach != NULL ? c->reach[it->def.body] : 0.0;
}

static tml_status touch(collision* c, int ia, int ib, message* why)
{
    // a surface is always body b
    if (c->colliders[ia].s != NULL) return touch(c, ib, ia, why);
    const collider* a = &c->colliders[ia];
    const collider* b = &c->colliders[ib];
    const double thicker = a->margin + b->margin;
    const double margin = c->margin + reach_of(c, a) + reach_of(c, b) + thicker;
    c->statistics.candidates++;
    if (b->s != NULL) {
        surface_contacts* found = c->on_surface;
        const tml_status status =
            tml__surface_contacts(b->s, b->p.core.p, &b->p.core.R, &a->p, margin, found);
        if (status != TML_OK) return name_pair(a, b, status, why);
        c->statistics.faceted += found->faceted;
        thicken(found->contacts, found->count, thicker);
        return add_contacts(c, ia, ib, found->count, found->contacts, why);
    }
    manifold m;
    const tml_status status = tml__narrow(&a->p, &b->p, margin, &m);
    if (status != TML_OK) return name_pair(a, b, status, why);
    c->statistics.faceted += m.faceted;
    thicken(m.contacts, m.count, thicker);
    return add_contacts(c, ia, ib, m.count, m.contacts, why);
}

// ---- all pairs

// Whether a box reaches down to a plane.
static bool reaches_plane(const collision* c, const aabb* box, const collider* plane)
{
    const vec3 n = m3_column(plane->p.core.R, 2);
    const vec3 lowest =
        v3(n.x > 0.0 ? box->low.x : box->high.x, n.y > 0.0 ? box->low.y : box->high.y,
           n.z > 0.0 ? box->low.z : box->high.z);
    return v3_dot(n, v3_sub(lowest, plane->p.core.p)) <= c->margin + plane->margin;
}

enum {
    STRETCH = 32  // neighbours in a crowd ask together: where one is the next is not far
};

// The colliders in the tree after number `above` whose boxes come near.
static int ask_tree(collision* c, const aabb* box, int above, int* found)
{
    const int count = tml__aabb_tree_query(c->tree, box, above - c->crowd, found, c->count);
    for (int k = 0; k < count; k++) found[k] += c->crowd;
    return count;
}

// What comes near the stretch of the crowd that i belongs to.
static int near_stretch(collision* c, int i, const int** list)
{
    const int first = i / STRETCH * STRETCH;
    *list = c->nearby;
    if (c->stretch == first) return c->near_count;
    aabb around = c->colliders[i].box;
    for (int k = first; k < first + STRETCH && k < c->crowd; k++) {
        if (is_plane(&c->colliders[k])) continue;
        around = tml__aabb_union(&around, &c->colliders[k].box);
    }
    around = aabb_grown(around, c->margin);
    c->stretch = first;
    c->near_count = ask_tree(c, &around, c->crowd - 1, c->nearby);
    return c->near_count;
}

static int near_in_tree(collision* c, int i, const aabb* wide, const int** list)
{
    if (i < c->crowd) return near_stretch(c, i, list);
    *list = c->found;
    return ask_tree(c, wide, i, c->found);
}

// Those of higher number than i whose boxes come near its own, planes left out, into c->found.
static int near_boxes(collision* c, int i)
{
    const collider* me = &c->colliders[i];
    const aabb wide = aabb_grown(me->box, c->margin);
    const int* list;
    const int near = c->is_swept ? tml__axis_sweep_partners(c->sweep, i, &list)
                                 : near_in_tree(c, i, &wide, &list);
    int count = 0;
    for (int k = 0; k < near; k++) {
        const int j = list[k];
        if (aabb_overlap(&wide, &c->colliders[j].box)) c->found[count++] = j;
    }
    return count;
}

// The colliders of higher number that i may touch, in rising order.
static int partners_of(collision* c, int i)
{
    const collider* me = &c->colliders[i];
    int count = 0;
    if (is_plane(me)) {
        for (int j = i + 1; j < c->count; j++) {
            const collider* other = &c->colliders[j];
            if (!is_plane(other) && reaches_plane(c, &other->box, me)) c->found[count++] = j;
        }
        return count;
    }
    count = near_boxes(c, i);
    for (int k = 0; k < c->plane_count; k++) {
        const int j = c->planes[k];
        if (j > i && reaches_plane(c, &me->box, &c->colliders[j])) c->found[count++] = j;
    }
    sort_numbers(c->found, count);
    return count;
}

static void place_all(collision* c, const placement* bodies)
{
    for (int i = 0; i < c->count; i++) {
        collider* it = &c->colliders[i];
        tml__collider_place(it, &bodies[it->def.body]);
        if (reach_of(c, it) > 0.0) it->box = aabb_grown(it->box, reach_of(c, it));
    }
}

// Boxes into the sweep, or where that has too much to do into the tree: both find the same pairs.
static void find_near(collision* c)
{
    c->is_swept = c->sweep != NULL;
    if (c->is_swept) {
        tml__axis_sweep_begin(c->sweep);
        for (int i = 0; i < c->count; i++) {
            if (!is_plane(&c->colliders[i])) {
                tml__axis_sweep_add(c->sweep, i, &c->colliders[i].box);
            }
        }
        c->is_swept = tml__axis_sweep_find(c->sweep, c->margin);
    }
    c->stretch = -1;
    for (int i = c->crowd; i < c->count && !c->is_swept; i++) {
        const collider* it = &c->colliders[i];
        if (!is_plane(it)) tml__aabb_tree_place(c->tree, i - c->crowd, &it->box, c->fat);
    }
}

tml_status tml__collision_detect(collision* c, const placement* bodies, double margin, int room,
                                 contact* out, int* count, message* why)
{
    c->margin = margin;
    c->room = room;
    c->contacts = out;
    c->contact_count = 0;
    c->statistics = (collision_statistics){.colliders = c->count};
    place_all(c, bodies);
    find_near(c);
    for (int i = 0; i < c->count; i++) {
        const int partners = partners_of(c, i);
        for (int k = 0; k < partners; k++) {
            const int j = c->found[k];
            if (!may_touch(c, &c->colliders[i], &c->colliders[j])) continue;
            const tml_status status = touch(c, i, j, why);
            if (status != TML_OK) return status;
        }
    }
    *count = c->contact_count;
    return TML_OK;
}

void tml__collision_set_reach(collision* c, const double* reach, const contact_filter* filter)
{
    c->reach = reach;
    c->filter = filter != NULL ? *filter : (contact_filter){NULL, NULL};
}

int tml__collision_moving(const collision* c)
{
    int moving = 0;
    for (int i = 0; i < c->count; i++) moving += c->colliders[i].def.is_fixed ? 0 : 1;
    return moving;
}

double tml__collision_smallest(const collision* c) { return c->smallest; }

collision_statistics tml__collision_statistics(const collision* c) { return c->statistics; }
