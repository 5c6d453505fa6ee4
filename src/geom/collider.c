// geom/collider.c - from the definition of a shape to what the narrow phase works on.
#include "geom/collider.h"

#include "geom/hull.h"
#include "math/quat.h"

#include <stdio.h>

static void set_core(collider* c, convex_kind kind, double offset)
{
    c->p.kind = PIECE_HULL;
    c->p.core.kind = kind;
    c->p.core.hull = &c->hull;
    c->p.core.offset = offset;
}

static tml_status make_cylinder(collider* c, pool* memory)
{
    const vec3 size = c->def.shape->size;
    c->p.kind = PIECE_CYLINDER;
    c->p.core.kind = CONVEX_CYLINDER;
    c->p.core.size = v3(size.x, size.x, 0.5 * size.z);
    c->p.prism = &c->prism;
    c->p.segment = &c->segment;
    const tml_status status =
        tml__polytope_prism(memory, CYLINDER_SIDES, size.x, 0.5 * size.z, &c->prism);
    return status == TML_OK ? tml__polytope_segment(memory, 0.5 * size.z, &c->segment) : status;
}

static tml_status make_surface(collider* c, const char* what, const tml_allocator* allocator,
                               message* why)
{
    if (!c->def.is_fixed) {
        return tml__fail(why, TML_BAD_ARGUMENT, "%s: a heightfield cannot touch where it moves",
                         what);
    }
    return tml__surface_create(c->def.shape, what, allocator, why, &c->s);
}

static tml_status make(collider* c, const char* what, pool* memory, const tml_allocator* allocator,
                       message* why)
{
    const tml_shape_def* s = c->def.shape;
    switch (s->kind) {
    case TML_SHAPE_SPHERE:
        set_core(c, CONVEX_POLYTOPE, s->size.x);
        return tml__polytope_point(memory, &c->hull);
    case TML_SHAPE_CAPSULE:
        set_core(c, CONVEX_POLYTOPE, s->size.x);
        return s->size.z > 0.0 ? tml__polytope_segment(memory, 0.5 * s->size.z, &c->hull)
                               : tml__polytope_point(memory, &c->hull);
    case TML_SHAPE_BOX:
        set_core(c, CONVEX_POLYTOPE, 0.0);
        return tml__polytope_box(memory, v3_scale(0.5, s->size), &c->hull);
    case TML_SHAPE_CYLINDER: return make_cylinder(c, memory);
    case TML_SHAPE_ELLIPSOID:
        set_core(c, CONVEX_ELLIPSOID, 0.0);
        c->p.kind = PIECE_ELLIPSOID;
        c->p.core.size = s->size;
        return TML_OK;
    case TML_SHAPE_PLANE: c->p.kind = PIECE_PLANE; return TML_OK;
    case TML_SHAPE_MESH:
        if (c->def.is_fixed && !s->hull) return make_surface(c, what, allocator, why);
        set_core(c, CONVEX_POLYTOPE, 0.0);
        return tml__hull(memory, s->vertex_count, s->vertices, what, why, &c->hull);
    case TML_SHAPE_HEIGHTFIELD: return make_surface(c, what, allocator, why);
    case TML_SHAPE_KINDS: break;
    }
    return TML_BAD_ARGUMENT;
}

tml_status tml__collider_create(const collider_def* def, pool* memory,
                                const tml_allocator* allocator, message* why, collider* out)
{
    char what[160];
    snprintf(what, sizeof what, "shape %d of body '%.100s'", def->shape_index, def->body_name);
    *out = (collider){.def = *def,
                      .offset = v3_sub(def->shape->pose.p, def->reference),
                      .margin = def->shape->margin,
                      .turn = q_matrix(q_normalize(def->shape->pose.q))};
    tml__fail(why, TML_BAD_ARGUMENT, "%s: it has no extent to touch with", what);
    const tml_status status = make(out, what, memory, allocator, why);
    if (status == TML_NO_MEMORY) tml__fail(why, status, "%s: out of memory", what);
    if (status == TML_OK && out->p.kind != PIECE_PLANE && out->s == NULL) {
        out->radius = tml__convex_size(&out->p.core) + out->p.core.offset;
    }
    return status;
}

void tml__collider_destroy(collider* c) { tml__surface_destroy(c->s); }

// The box around a turned box.
static aabb turned_box(const aabb* box, vec3 p, const mat3* R)
{
    const vec3 centre = v3_scale(0.5, v3_add(box->low, box->high));
    const vec3 half = v3_scale(0.5, v3_sub(box->high, box->low));
    const vec3 at = v3_add(p, m3_apply(*R, centre));
    vec3 reach;
    for (int k = 0; k < 3; k++) {
        const vec3 row = m3_row(*R, k);
        v3_set(&reach, k, fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z);
    }
    return (aabb){v3_sub(at, reach), v3_add(at, reach)};
}

// Of a ball or a rod, the most of any crowd, without asking for the farthest vertex six times.
static aabb rod_box(const convex* core)
{
    const vec3 a = convex_vertex(core, 0);
    const vec3 b = convex_vertex(core, core->hull->vertex_count - 1);
    const aabb ends[2] = {{a, a}, {b, b}};
    return aabb_grown(tml__aabb_union(&ends[0], &ends[1]), core->offset);
}

static aabb piece_box(const piece* p)
{
    aabb box;
    for (int k = 0; k < 3; k++) {
        const vec3 axis = v3_unit(k);
        int vertex;
        const vec3 high = tml__convex_support(&p->core, axis, &vertex);
        const vec3 low = tml__convex_support(&p->core, v3_neg(axis), &vertex);
        v3_set(&box.high, k, v3_at(high, k) + p->core.offset);
        v3_set(&box.low, k, v3_at(low, k) - p->core.offset);
    }
    return box;
}

void tml__collider_place(collider* c, const placement* body)
{
    c->p.core.R = m3_mul(body->R, c->turn);
    c->p.core.p = v3_add(body->p, m3_apply(body->R, c->offset));
    if (c->s != NULL) {
        c->box = turned_box(tml__surface_box(c->s), c->p.core.p, &c->p.core.R);
    } else if (c->p.kind == PIECE_HULL && c->hull.is_box) {
        const aabb box = {v3_neg(c->hull.half_size), c->hull.half_size};
        c->box = turned_box(&box, c->p.core.p, &c->p.core.R);
    } else if (c->p.kind == PIECE_HULL && c->hull.vertex_count <= 2) {
        c->box = rod_box(&c->p.core);
    } else if (c->p.kind != PIECE_PLANE) {
        c->box = piece_box(&c->p);
    }
    if (c->margin > 0.0 && c->p.kind != PIECE_PLANE) c->box = aabb_grown(c->box, c->margin);
}
