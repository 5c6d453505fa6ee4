// geom/epa.c - how deep the origin lies inside a Minkowski difference, by growing a polytope in it.
//
// The nearest face of the polytope is pushed out to the support point beyond it until there is none:
// then it is a face of the difference itself. On curved bodies it is only near one, and the caller
// finishes with the closest points of the elements it sees there.
#include "geom/gjk.h"

#include <stdbool.h>

enum {
    MOST_POINTS = 160,
    MOST_FACES = 2 * MOST_POINTS,
    MOST_HORIZON = 3 * MOST_POINTS
};

typedef struct epa_face {
    int v[3];  // counter-clockwise from outside
    vec3 n;
    double distance;  // of its plane from the origin
    bool is_gone;
} epa_face;

typedef struct expansion {
    const convex* a;
    const convex* b;
    double size;
    int point_count;
    support_pair point[MOST_POINTS];
    int face_count;
    epa_face face[MOST_FACES];
    vec3 inside;  // a point within the polytope
} expansion;

static support_pair support(const expansion* e, vec3 direction)
{
    support_pair s;
    s.a = tml__convex_support(e->a, direction, &s.va);
    s.b = tml__convex_support(e->b, v3_neg(direction), &s.vb);
    s.y = v3_sub(s.a, s.b);
    return s;
}

// ---- the first tetrahedron

// Add the support along a direction or its opposite when it leaves the span of the points so far:
// `n` is a unit vector across that span.
static bool add_across(expansion* e, vec3 n)
{
    for (int sign = 0; sign < 2; sign++) {
        const vec3 d = sign == 0 ? n : v3_neg(n);
        const support_pair s = support(e, d);
        // a spread below 1e-9 of the size is no volume to grow in
        if (!(v3_dot(d, v3_sub(s.y, e->point[0].y)) > 1e-9 * e->size)) continue;
        e->point[e->point_count++] = s;
        return true;
    }
    return false;
}

static bool spread_line(expansion* e)
{
    for (int axis = 0; axis < 3; axis++) {
        if (add_across(e, v3_unit(axis))) return true;
    }
    return false;
}

static bool spread_plane(expansion* e)
{
    vec3 u = v3_sub(e->point[1].y, e->point[0].y);
    const double length = v3_norm(u);
    if (!(length > 0.0)) return false;
    u = v3_scale(1.0 / length, u);
    vec3 v;
    vec3 w;
    const vec3 least = v3_unit(fabs(u.x) <= fabs(u.y) && fabs(u.x) <= fabs(u.z) ? 0
                               : fabs(u.y) <= fabs(u.z)                         ? 1
                                                                                : 2);
    v = v3_cross(u, least);
    v = v3_scale(1.0 / v3_norm(v), v);
    w = v3_cross(u, v);
    return add_across(e, v) || add_across(e, w);
}

static bool spread_volume(expansion* e)
{
    const vec3 n =
        v3_cross(v3_sub(e->point[1].y, e->point[0].y), v3_sub(e->point[2].y, e->point[0].y));
    const double length = v3_norm(n);
    if (!(length > 1e-18 * e->size * e->size)) return false;
    return add_across(e, v3_scale(1.0 / length, n));
}

// Whether the points so far span a figure of their count less one dimensions.
static bool is_spread(const expansion* e)
{
    const support_pair* p = e->point;
    const double least = 1e-9 * e->size;
    if (e->point_count == 2) return v3_norm(v3_sub(p[1].y, p[0].y)) > least;
    const vec3 n = v3_cross(v3_sub(p[1].y, p[0].y), v3_sub(p[2].y, p[0].y));
    const double area = v3_norm(n);
    if (e->point_count == 3) return area > least * e->size;
    return fabs(v3_dot(n, v3_sub(p[3].y, p[0].y))) > least * area;
}

// The points of the simplex that span something, then more until there is a volume.
static tml_status first_points(expansion* e, const simplex* start)
{
    e->point[0] = start->pair[0];
    e->point_count = 1;
    for (int k = 1; k < start->count; k++) {
        e->point[e->point_count++] = start->pair[k];
        if (!is_spread(e)) e->point_count--;
    }
    if (e->point_count == 1 && !spread_line(e)) return TML_SINGULAR;
    if (e->point_count == 2 && !spread_plane(e)) return TML_SINGULAR;
    if (e->point_count == 3 && !spread_volume(e)) return TML_SINGULAR;
    return TML_OK;
}

// ---- faces

static tml_status add_face(expansion* e, int i, int j, int k)
{
    if (e->face_count >= MOST_FACES) return TML_NOT_CONVERGED;
    const vec3 a = e->point[i].y;
    vec3 n = v3_cross(v3_sub(e->point[j].y, a), v3_sub(e->point[k].y, a));
    const double length = v3_norm(n);
    if (!(length > 1e-24 * e->size * e->size)) return TML_NOT_CONVERGED;  // a sliver
    n = v3_scale(1.0 / length, n);
    epa_face* f = &e->face[e->face_count++];
    *f = (epa_face){.v = {i, j, k}, .n = n, .distance = v3_dot(n, a)};
    // counter-clockwise from outside
    if (v3_dot(n, e->inside) > f->distance) {
        f->v[1] = k;
        f->v[2] = j;
        f->n = v3_neg(n);
        f->distance = -f->distance;
    }
    return TML_OK;
}

static int nearest_face(const expansion* e)
{
    int best = -1;
    for (int i = 0; i < e->face_count; i++) {
        if (e->face[i].is_gone) continue;
        if (best < 0 || e->face[i].distance < e->face[best].distance) best = i;
    }
    return best;
}

typedef struct horizon {
    int count;
    int from[MOST_HORIZON];
    int to[MOST_HORIZON];
} horizon;

// An edge that two removed faces share is inside the hole.
static bool add_edge(horizon* h, int from, int to)
{
    for (int i = 0; i < h->count; i++) {
        if (h->from[i] != to || h->to[i] != from) continue;
        h->count--;
        h->from[i] = h->from[h->count];
        h->to[i] = h->to[h->count];
        return true;
    }
    if (h->count >= MOST_HORIZON) return false;
    h->from[h->count] = from;
    h->to[h->count++] = to;
    return true;
}

// Take away what the new point sees and close the hole with it.
static tml_status push_out(expansion* e, int nearest, int point)
{
    horizon h = {.count = 0};
    const vec3 y = e->point[point].y;
    for (int i = 0; i < e->face_count; i++) {
        epa_face* f = &e->face[i];
        if (f->is_gone) continue;
        const bool is_seen = i == nearest || v3_dot(f->n, y) - f->distance > 1e-13 * e->size;
        if (!is_seen) continue;
        f->is_gone = true;
        for (int k = 0; k < 3; k++) {
            if (!add_edge(&h, f->v[k], f->v[(k + 1) % 3])) return TML_NOT_CONVERGED;
        }
    }
    // the places of faces that are gone are used again
    int kept = 0;
    for (int i = 0; i < e->face_count; i++) {
        if (!e->face[i].is_gone) e->face[kept++] = e->face[i];
    }
    e->face_count = kept;
    for (int i = 0; i < h.count; i++) {
        const tml_status status = add_face(e, h.from[i], h.to[i], point);
        if (status != TML_OK) return status;
    }
    return TML_OK;
}

static bool is_corner(const expansion* e, const epa_face* f, const support_pair* p)
{
    for (int k = 0; k < 3; k++) {
        const support_pair* q = &e->point[f->v[k]];
        if (p->va >= 0 && p->vb >= 0 && p->va == q->va && p->vb == q->vb) return true;
    }
    return false;
}

static void report(const expansion* e, const epa_face* f, epa_result* out)
{
    // the origin is `distance` inside along n: a moves by that much against n to part them
    out->n = v3_neg(f->n);
    out->depth = f->distance;
    for (int k = 0; k < 3; k++) out->pair[k] = e->point[f->v[k]];
}

static tml_status start_expansion(expansion* e, const simplex* start)
{
    const tml_status status = first_points(e, start);
    if (status != TML_OK) return status;
    e->inside = v3_zero();
    for (int k = 0; k < 4; k++) e->inside = v3_axpy(e->inside, 0.25, e->point[k].y);
    static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (int f = 0; f < 4; f++) {
        const tml_status added = add_face(e, corners[f][0], corners[f][1], corners[f][2]);
        if (added != TML_OK) return added;
    }
    return TML_OK;
}

tml_status tml__epa(const convex* a, const convex* b, const simplex* start, epa_result* out)
{
    expansion e = {.a = a, .b = b};
    e.size = tml__convex_size(a) + tml__convex_size(b) + v3_norm(v3_sub(a->p, b->p));
    const bool is_curved = a->kind != CONVEX_POLYTOPE || b->kind != CONVEX_POLYTOPE;
    // on curved bodies the elements that are seen from here finish the work
    const double enough = (is_curved ? 1e-9 : 1e-13) * e.size;
    const tml_status status = start_expansion(&e, start);
    if (status != TML_OK) return status;

    for (;;) {
        const int nearest = nearest_face(&e);
        if (nearest < 0) return TML_NOT_CONVERGED;
        const epa_face* f = &e.face[nearest];
        const support_pair next = support(&e, f->n);
        const double beyond = v3_dot(f->n, next.y) - f->distance;
        report(&e, f, out);
        if (beyond <= enough || is_corner(&e, f, &next)) return TML_OK;
        if (e.point_count >= MOST_POINTS) return is_curved ? TML_OK : TML_NOT_CONVERGED;
        e.point[e.point_count++] = next;
        const tml_status pushed = push_out(&e, nearest, e.point_count - 1);
        if (pushed != TML_OK) return is_curved ? TML_OK : pushed;
    }
}
