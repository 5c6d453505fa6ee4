// geom/gjk.c - the point of a Minkowski difference nearest to the origin.
//
// Each round adds the support point farthest towards the origin and keeps the smallest part of the
// simplex that still holds the nearest point. That part always contains the newest point, so eight
// candidates are looked at; each is a projection with positive weights.
#include "geom/gjk.h"

#include <stdbool.h>

// ---- support

static vec3 cylinder_support(const convex* c, vec3 d)
{
    const double across = sqrt(d.x * d.x + d.y * d.y);
    const double r = across > 0.0 ? c->size.x / across : 0.0;  // along the axis: the centre will do
    return v3(r * d.x, r * d.y, d.z < 0.0 ? -c->size.z : c->size.z);
}

static vec3 ellipsoid_support(const convex* c, vec3 d)
{
    const vec3 s = v3(c->size.x * d.x, c->size.y * d.y, c->size.z * d.z);
    const double g = v3_norm(s);
    if (!(g > 0.0)) return v3_zero();  // no direction
    return v3(c->size.x * s.x / g, c->size.y * s.y / g, c->size.z * s.z / g);
}

vec3 tml__convex_support(const convex* c, vec3 direction, int* vertex)
{
    const vec3 d = m3_apply_t(c->R, direction);
    *vertex = -1;
    switch (c->kind) {
    case CONVEX_POLYTOPE:
        *vertex = tml__polytope_support(c->hull, d);
        return convex_vertex(c, *vertex);
    case CONVEX_CYLINDER: return convex_point(c, cylinder_support(c, d));
    case CONVEX_ELLIPSOID: return convex_point(c, ellipsoid_support(c, d));
    }
    return c->p;
}

double tml__convex_size(const convex* c)
{
    switch (c->kind) {
    case CONVEX_POLYTOPE: return c->hull->size;
    case CONVEX_CYLINDER: return sqrt(c->size.x * c->size.x + c->size.z * c->size.z);
    case CONVEX_ELLIPSOID: return v3_max(c->size);
    }
    return 0.0;
}

static support_pair support(const convex* a, const convex* b, vec3 direction)
{
    support_pair s;
    s.a = tml__convex_support(a, direction, &s.va);
    s.b = tml__convex_support(b, v3_neg(direction), &s.vb);
    s.y = v3_sub(s.a, s.b);
    return s;
}

// ---- the nearest part of a simplex

// A candidate part: which points, with which weights, how far.
typedef struct part {
    int count;
    int index[4];
    double weight[4];
    double square;  // distance squared
} part;

static void keep_if_nearer(const simplex* s, part* best, part candidate)
{
    vec3 v = v3_zero();
    for (int k = 0; k < candidate.count; k++) {
        if (!(candidate.weight[k] > 0.0)) return;
        v = v3_axpy(v, candidate.weight[k], s->pair[candidate.index[k]].y);
    }
    candidate.square = v3_dot(v, v);
    if (candidate.square < best->square) *best = candidate;
}

static void try_edge(const simplex* s, int i, int j, part* best)
{
    const vec3 a = s->pair[i].y;
    const vec3 u = v3_sub(s->pair[j].y, a);
    const double square = v3_dot(u, u);
    if (!(square > 0.0)) return;
    const double t = -v3_dot(a, u) / square;
    keep_if_nearer(s, best, (part){.count = 2, .index = {i, j}, .weight = {1.0 - t, t}});
}

static void try_triangle(const simplex* s, int i, int j, int k, part* best)
{
    const vec3 a = s->pair[i].y;
    const vec3 b = s->pair[j].y;
    const vec3 c = s->pair[k].y;
    const vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    const double square = v3_dot(n, n);
    if (!(square > 0.0)) return;
    // areas of the triangles that the projected origin makes with the sides
    const double wa = v3_dot(n, v3_cross(b, c)) / square;
    const double wb = v3_dot(n, v3_cross(c, a)) / square;
    keep_if_nearer(s, best,
                   (part){.count = 3, .index = {i, j, k}, .weight = {wa, wb, 1.0 - wa - wb}});
}

// Whether the origin lies strictly inside the four points.
static bool try_tetrahedron(const simplex* s, part* best)
{
    const vec3 a = s->pair[0].y;
    const vec3 b = s->pair[1].y;
    const vec3 c = s->pair[2].y;
    const vec3 d = s->pair[3].y;
    const double volume = v3_dot(v3_sub(b, a), v3_cross(v3_sub(c, a), v3_sub(d, a)));
    if (!(fabs(volume) > 0.0)) return false;
    const double wa = v3_dot(b, v3_cross(c, d)) / volume;
    const double wb = -v3_dot(a, v3_cross(c, d)) / volume;
    const double wc = v3_dot(a, v3_cross(b, d)) / volume;
    const double wd = 1.0 - wa - wb - wc;
    if (!(wa > 0.0 && wb > 0.0 && wc > 0.0 && wd > 0.0)) return false;
    *best = (part){.count = 4, .index = {0, 1, 2, 3}, .weight = {wa, wb, wc, wd}};
    return true;
}

// Reduce the simplex to the part nearest to the origin; the newest point is the last.
static void reduce(simplex* s)
{
    const int last = s->count - 1;
    const vec3 y = s->pair[last].y;
    part best = {.count = 1, .index = {last}, .weight = {1.0}, .square = v3_dot(y, y)};
    const bool is_inside = s->count == 4 && try_tetrahedron(s, &best);
    for (int i = 0; i < last && !is_inside; i++) {
        try_edge(s, i, last, &best);
        for (int j = 0; j < i; j++) try_triangle(s, j, i, last, &best);
    }
    simplex kept = {.count = best.count};
    for (int k = 0; k < best.count; k++) {
        kept.pair[k] = s->pair[best.index[k]];
        kept.weight[k] = best.weight[k];
    }
    *s = kept;
}

vec3 tml__simplex_nearest(const simplex* s)
{
    vec3 v = v3_zero();
    for (int k = 0; k < s->count; k++) v = v3_axpy(v, s->weight[k], s->pair[k].y);
    return v;
}

static bool is_known(const simplex* s, const support_pair* p)
{
    for (int k = 0; k < s->count; k++) {
        const support_pair* q = &s->pair[k];
        const bool is_vertex = p->va >= 0 && p->vb >= 0;
        if (is_vertex && q->va == p->va && q->vb == p->vb) return true;
        const vec3 apart = v3_sub(q->y, p->y);
        if (!is_vertex && !(v3_max(apart) > 0.0)) return true;
    }
    return false;
}

enum {
    MOST_ROUNDS = 128
};

gjk_result tml__gjk(const convex* a, const convex* b, double reach, simplex* nearest)
{
    const double size = tml__convex_size(a) + tml__convex_size(b) + v3_norm(v3_sub(a->p, b->p));
    const double touching = 1e-13 * size;  // nearer than this is rounding: the cores touch
    simplex s = {.count = 1, .weight = {1.0}};
    vec3 first = v3_sub(a->p, b->p);
    if (!(v3_max(first) > 0.0)) first = v3(1.0, 0.0, 0.0);
    s.pair[0] = support(a, b, v3_neg(first));
    gjk_result result = GJK_SEPARATE;

    for (int k = 0; k < MOST_ROUNDS; k++) {
        const vec3 v = tml__simplex_nearest(&s);
        const double distance = v3_norm(v);
        if (s.count == 4 || distance <= touching) {
            result = GJK_OVERLAP;
            break;
        }
        const support_pair next = support(a, b, v3_neg(v));
        const double bound = v3_dot(v, next.y) / distance;  // no point of the difference is nearer
        if (bound > reach) return GJK_FAR;
        // no progress beyond rounding
        if (distance - bound <= 1e-15 * size || is_known(&s, &next)) break;
        simplex grown = s;
        grown.pair[grown.count++] = next;
        reduce(&grown);
        const vec3 nearer = tml__simplex_nearest(&grown);
        if (grown.count < 4 && !(v3_dot(nearer, nearer) < distance * distance)) break;
        s = grown;
    }
    *nearest = s;
    return result;
}
