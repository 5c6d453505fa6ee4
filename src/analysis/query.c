// analysis/query.c - rays, distances and neighbours among the shapes of a model at poses that the caller gives.
#include "base/memory.h"
#include "base/pool.h"
#include "geom/aabb_tree.h"
#include "geom/collider.h"
#include "geom/ray.h"
#include "model/check.h"
#include "model/collision.h"

#include <trammel/query.h>

#include <math.h>
#include <stdlib.h>

enum {
    NOTHING = -2,  // index of no body
    DOUBLINGS = 20
};

struct tml_query {
    tml_allocator allocator;
    const tml_model* model;
    pool memory;          // of the colliders
    collider* colliders;  // those that collide
    int count;
    int* found;       // of the tree
    aabb_tree* tree;  // of all but planes; NULL: it could not be made
    surface_contacts on_surface;
    message message;
};

// ---- life

static tml_status make_colliders(tml_query* q)
{
    pool scratch = {.allocator = &q->allocator};
    int all = 0;
    const collider_def* defs = tml__model_colliders(q->model, &scratch, &all);
    tml_status status = TML_OK;
    q->colliders = tml__allocate(&q->allocator, (size_t)all + 1, sizeof *q->colliders);
    q->found = tml__allocate(&q->allocator, (size_t)all + 1, sizeof *q->found);
    if (defs == NULL || q->colliders == NULL || q->found == NULL) status = TML_NO_MEMORY;
    for (int i = 0; i < all && status == TML_OK; i++) {
        if (!defs[i].shape->collide) continue;
        status = tml__collider_create(&defs[i], &q->memory, &q->allocator, &q->message,
                                      &q->colliders[q->count++]);
    }
    tml__pool_destroy(&scratch);
    if (status == TML_OK) status = tml__aabb_tree_create(q->count, &q->allocator, &q->tree);
    return status == TML_NO_MEMORY ? tml__fail(&q->message, status, "out of memory") : status;
}

tml_status tml_query_create(const tml_model* model, const tml_allocator* allocator, tml_query** out)
{
    if (out == NULL) return TML_BAD_ARGUMENT;
    *out = NULL;
    if (model == NULL) return TML_BAD_ARGUMENT;
    tml_query* q = tml__allocate(allocator, 1, sizeof *q);
    if (q == NULL) return TML_NO_MEMORY;
    if (allocator != NULL) q->allocator = *allocator;
    q->model = model;
    q->memory.allocator = &q->allocator;
    *out = q;
    const tml_status status = make_colliders(q);
    return status == TML_OK ? tml_query_place(q, NULL) : status;
}

void tml_query_destroy(tml_query* q)
{
    if (q == NULL) return;
    const tml_allocator allocator = q->allocator;
    for (int i = 0; i < q->count; i++) tml__collider_destroy(&q->colliders[i]);
    tml__pool_destroy(&q->memory);
    tml__aabb_tree_destroy(q->tree);
    tml__release(&allocator, q->colliders);
    tml__release(&allocator, q->found);
    tml__release(&allocator, q);
}

const char* tml_query_message(const tml_query* q)
{
    return q != NULL ? q->message.text : TML__NO_OBJECT;
}

// ---- where bodies stand

static bool is_pose(const tml_pose* x)
{
    const double square = x->q.w * x->q.w + x->q.x * x->q.x + x->q.y * x->q.y + x->q.z * x->q.z;
    return isfinite(x->p.x) && isfinite(x->p.y) && isfinite(x->p.z) && isfinite(square) &&
           square > 0.0;
}

static placement placement_of(const tml_query* q, int body, const tml_pose* poses)
{
    if (body >= tml__world(q->model)) return (placement){v3_zero(), m3_identity()};
    const tml_pose x = poses != NULL ? poses[body] : q->model->all.bodies[body].pose;
    const mat3 R = q_matrix(q_normalize(x.q));
    return (placement){v3_add(x.p, m3_apply(R, q->model->bodies[body].com)), R};
}

tml_status tml_query_place(tml_query* q, const tml_pose* poses)
{
    if (q == NULL || q->tree == NULL) return TML_BAD_ARGUMENT;
    for (int b = 0; poses != NULL && b < tml__world(q->model); b++) {
        if (is_pose(&poses[b])) continue;
        return tml__fail(&q->message, TML_BAD_ARGUMENT, "the pose of body '%.200s' is none",
                         q->model->all.bodies[b].name);
    }
    for (int i = 0; i < q->count; i++) {
        collider* c = &q->colliders[i];
        const placement at = placement_of(q, c->def.body, poses);
        tml__collider_place(c, &at);
        if (c->p.kind != PIECE_PLANE || c->s != NULL) {
            tml__aabb_tree_place(q->tree, i, &c->box, 0.0);
        }
    }
    return TML_OK;
}

static bool is_plane(const collider* c) { return c->s == NULL && c->p.kind == PIECE_PLANE; }

static tml_body body_of(const tml_query* q, const collider* c)
{
    return (tml_body){c->def.body < tml__world(q->model) ? c->def.body : TML_WORLD.index};
}

// ---- rays

typedef struct line_of_sight {
    const tml_query* query;
    ray r;  // its reach ends at the nearest hit so far
    int ignored;
    ray_hit hit;
    int collider;  // -1: none
} line_of_sight;

static bool sees_box(const void* context, const aabb* box)
{
    const line_of_sight* see = context;
    return tml__ray_meets_box(&see->r, box->low, box->high);
}

static void look_at(void* context, int i)
{
    line_of_sight* see = context;
    const collider* c = &see->query->colliders[i];
    ray_hit hit;
    if (body_of(see->query, c).index == see->ignored) return;
    const bool is_hit = c->s != NULL
                            ? tml__surface_ray(c->s, c->p.core.p, &c->p.core.R, &see->r, &hit)
                            : tml__ray_piece(&c->p, &see->r, &hit);
    if (!is_hit) return;
    // of shapes that are entered at the same place, the first, whatever the order of the tree
    const bool is_later = see->collider >= 0 && i > see->collider;
    if (is_later && hit.distance == see->hit.distance) return;
    see->hit = hit;
    see->collider = i;
    see->r.reach = hit.distance;
}

static tml_hit cast(tml_query* q, const tml_ray* from)
{
    line_of_sight see = {.query = q, .ignored = from->ignored.index, .collider = -1};
    see.r =
        (ray){from->from, v3_scale(1.0 / v3_norm(from->direction), from->direction), from->reach};
    for (int i = 0; i < q->count; i++) {
        if (is_plane(&q->colliders[i])) look_at(&see, i);
    }
    const aabb_walk walk = {sees_box, look_at, &see};
    tml__aabb_tree_walk(q->tree, &walk);
    tml_hit out = {.body = {NOTHING}, .shape = -1, .distance = from->reach};
    out.point = v3_axpy(from->from, see.r.reach, see.r.along);
    if (see.collider < 0) return out;
    out.body = body_of(q, &q->colliders[see.collider]);
    out.shape = q->colliders[see.collider].def.shape_index;
    out.distance = see.hit.distance;
    out.normal = see.hit.normal;
    return out;
}

tml_status tml_query_rays(tml_query* q, int count, const tml_ray* rays, tml_hit* out)
{
    if (q == NULL || q->tree == NULL || count < 0) return TML_BAD_ARGUMENT;
    if (count > 0 && (rays == NULL || out == NULL)) return TML_BAD_ARGUMENT;
    for (int i = 0; i < count; i++) {
        const double length = v3_norm(rays[i].direction);
        const bool is_good = v3_is_finite(rays[i].from) && isfinite(length) && length > 0.0 &&
                             isfinite(rays[i].reach) && rays[i].reach >= 0.0;
        if (is_good) continue;
        return tml__fail(&q->message, TML_BAD_ARGUMENT,
                         "ray %d: a start, a direction that is not zero and a reach are wanted", i);
    }
    for (int i = 0; i < count; i++) out[i] = cast(q, &rays[i]);
    return TML_OK;
}

// ---- distances

// The points of both that a contact lies between.
static void ends_of(const contact* k, vec3* on_a, vec3* on_b)
{
    const contact_feature* f = &k->feature;
    witness w;
    if (f->kind == FEATURE_WITNESS && tml__witness(&f->a, &f->b, k->normal, &w) == TML_OK) {
        *on_a = v3_axpy(w.a, -f->a.offset, w.n);
        *on_b = v3_axpy(w.b, f->b.offset, w.n);
        return;
    }
    // a cut lies on the face
    *on_a = f->face_is_a ? k->point : v3_axpy(k->point, k->gap, k->normal);
    *on_b = f->face_is_a ? v3_axpy(k->point, -k->gap, k->normal) : k->point;
}

static void take(const contact* list, int count, bool is_flipped, tml_near* out)
{
    for (int i = 0; i < count; i++) {
        if (!(list[i].gap < out->distance)) continue;
        vec3 a;
        vec3 b;
        ends_of(&list[i], &a, &b);
        out->distance = list[i].gap;
        out->on_a = is_flipped ? b : a;
        out->on_b = is_flipped ? a : b;
        out->normal = is_flipped ? v3_neg(list[i].normal) : list[i].normal;
    }
}

// Cores that are apart have one pair of nearest points, and the rounding comes off between them. False: they are
// not, and what contact does about it counts.
static bool take_apart(const convex* a, const convex* b, double reach, tml_near* out, bool* is_far)
{
    simplex s;
    const gjk_result result = tml__gjk(a, b, reach + a->offset + b->offset, &s);
    *is_far = result == GJK_FAR;
    if (result != GJK_SEPARATE) return false;
    vec3 on_a = v3_zero();
    vec3 on_b = v3_zero();
    for (int k = 0; k < s.count; k++) {
        on_a = v3_axpy(on_a, s.weight[k], s.pair[k].a);
        on_b = v3_axpy(on_b, s.weight[k], s.pair[k].b);
    }
    const vec3 between = v3_sub(on_a, on_b);
    const double distance = v3_norm(between);
    if (!(distance > 1e-6)) return false;  // too little to point anywhere
    const vec3 n = v3_scale(1.0 / distance, between);
    const double gap = distance - a->offset - b->offset;
    if (!(gap <= reach && gap < out->distance)) return true;
    out->distance = gap;
    out->normal = n;
    out->on_a = v3_axpy(on_a, -a->offset, n);
    out->on_b = v3_axpy(on_b, b->offset, n);
    return true;
}

static tml_status between_pieces(const piece* a, const piece* b, double reach, tml_near* out)
{
    bool is_far = false;
    const bool has_plane = a->kind == PIECE_PLANE || b->kind == PIECE_PLANE;
    if (!has_plane && take_apart(&a->core, &b->core, reach, out, &is_far)) return TML_OK;
    if (is_far) return TML_OK;
    manifold m;
    const tml_status status = tml__narrow(a, b, reach, &m);
    if (status == TML_OK) take(m.contacts, m.count, false, out);
    return status;
}

// A wide look at a fine surface meets more triangles than can be looked at: so a narrow one first.
static tml_status above_surface(tml_query* q, const collider* body, const collider* on,
                                double reach, bool is_flipped, tml_near* out)
{
    double look = reach / (double)(1 << DOUBLINGS);
    for (int k = 0; k <= DOUBLINGS; k++, look *= 2.0) {
        const double margin = k == DOUBLINGS ? reach : look;
        const tml_status status = tml__surface_contacts(on->s, on->p.core.p, &on->p.core.R,
                                                        &body->p, margin, &q->on_surface);
        if (status != TML_OK) return status;
        take(q->on_surface.contacts, q->on_surface.count, is_flipped, out);
        if (q->on_surface.count > 0) return TML_OK;
    }
    return TML_OK;
}

// *out is replaced where these two are nearer than that and within reach.
static tml_status compare(tml_query* q, const collider* a, const collider* b, double reach,
                          tml_near* out)
{
    const double before = out->distance;
    tml_status status;
    if ((a->s != NULL || is_plane(a)) && (b->s != NULL || is_plane(b))) {
        return tml__fail(&q->message, TML_UNSUPPORTED,
                         "the distance of two shapes that are a plane, a heightfield or a fixed "
                         "mesh each (of '%.80s' and '%.80s')",
                         a->def.body_name, b->def.body_name);
    }
    if (a->s != NULL || b->s != NULL) {
        status =
            above_surface(q, a->s != NULL ? b : a, a->s != NULL ? a : b, reach, a->s != NULL, out);
    } else {
        status = between_pieces(&a->p, &b->p, reach, out);
    }
    if (status != TML_OK) {
        return tml__fail(&q->message, status,
                         "shape %d of '%.80s' and shape %d of '%.80s': no nearest points are found",
                         a->def.shape_index, a->def.body_name, b->def.shape_index,
                         b->def.body_name);
    }
    if (!(out->distance < before)) return TML_OK;
    out->shape_a = a->def.shape_index;
    out->shape_b = b->def.shape_index;
    return TML_OK;
}

static bool is_body(const tml_query* q, tml_body body)
{
    return body.index >= TML_WORLD.index && body.index < tml__world(q->model);
}

static bool is_reach(double reach) { return isfinite(reach) && reach >= 0.0; }

tml_status tml_query_distance(tml_query* q, tml_body a, tml_body b, double reach, tml_near* out)
{
    if (q == NULL || q->tree == NULL || out == NULL) return TML_BAD_ARGUMENT;
    if (!is_body(q, a) || !is_body(q, b) || a.index == b.index || !is_reach(reach)) {
        return tml__fail(&q->message, TML_BAD_ARGUMENT,
                         "two bodies and a reach that is not negative are wanted");
    }
    tml_near best = {.a = a, .b = b, .shape_a = -1, .shape_b = -1, .distance = HUGE_VAL};
    for (int i = 0; i < q->count; i++) {
        if (body_of(q, &q->colliders[i]).index != a.index) continue;
        for (int j = 0; j < q->count; j++) {
            if (body_of(q, &q->colliders[j]).index != b.index) continue;
            const double look = best.distance < reach ? best.distance : reach;
            const tml_status status =
                compare(q, &q->colliders[i], &q->colliders[j], look > 0.0 ? look : 0.0, &best);
            if (status != TML_OK) return status;
        }
    }
    *out = best;
    return TML_OK;
}

// ---- what is near

static int in_order(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static const char* const asked = "the shape that is asked about";

static tml_status list_near(tml_query* q, const collider* probe, double reach, tml_near* out,
                            int capacity, int* count)
{
    const bool is_endless = is_plane(probe);
    const aabb box = aabb_grown(probe->box, reach);
    const int found = is_endless ? 0 : tml__aabb_tree_query(q->tree, &box, -1, q->found, q->count);
    qsort(q->found, (size_t)found, sizeof *q->found, in_order);
    *count = 0;
    for (int i = 0, k = 0; i < q->count; i++) {
        const bool is_found = k < found && q->found[k] == i;
        k += is_found;
        if (!is_found && !is_endless && !is_plane(&q->colliders[i])) continue;
        tml_near near = {.a = {NOTHING}, .distance = HUGE_VAL};
        const tml_status status = compare(q, probe, &q->colliders[i], reach, &near);
        if (status != TML_OK) return status;
        if (!(near.distance <= reach)) continue;
        near.b = body_of(q, &q->colliders[i]);
        if (*count < capacity) out[*count] = near;
        ++*count;
    }
    return TML_OK;
}

tml_status tml_query_near(tml_query* q, const tml_shape_def* shape, double reach, tml_near* out,
                          int capacity, int* count)
{
    if (q == NULL || q->tree == NULL || shape == NULL || count == NULL) return TML_BAD_ARGUMENT;
    if (capacity < 0 || (capacity > 0 && out == NULL)) return TML_BAD_ARGUMENT;
    if (!is_reach(reach)) {
        return tml__fail(&q->message, TML_BAD_ARGUMENT, "a reach that is not negative is wanted");
    }
    const tml_status checked = tml__check_shape(shape, asked, &q->message);
    if (checked != TML_OK) return checked;
    const collider_def def = {.body = tml__world(q->model), .body_name = asked, .shape = shape};
    const placement at = {v3_zero(), m3_identity()};
    pool memory = {.allocator = &q->allocator};
    collider probe;
    tml_status status = tml__collider_create(&def, &memory, &q->allocator, &q->message, &probe);
    if (status == TML_OK) {
        tml__collider_place(&probe, &at);
        status = list_near(q, &probe, reach, out, capacity, count);
    }
    tml__collider_destroy(&probe);
    tml__pool_destroy(&memory);
    return status;
}
