// geom/narrow_curved.c - contacts of cylinders and ellipsoids.
//
// A cylinder that lies on its side or stands on a cap is as good as flat: its side is a rounded
// segment, its cap a prism, and the code for polytopes makes the manifold. Everywhere else the
// elements near the normal that GJK or EPA found are tried in pairs: the closest points of each pair
// are exact, and the pair is right when the planes across them touch both bodies. Of several such
// pairs the one farthest apart is the answer, because no direction separates bodies by more than
// their distance.
#include "geom/narrow.h"

// Within this angle (rad) of its axis a cap counts as flat, and of the plane across it the side.
// The prism of 16 sides then misses at most 0.019 * 0.01 of the radius.
#define FLAT_ANGLE 0.01

enum {
    MOST_CANDIDATES = 24
};

// Codes of elements in ids of curved contacts, beside numbers of vertices, edges and faces.
enum {
    CODE_SIDE = 1,
    CODE_RIM = 2,  // and 3: at -z and +z
    CODE_CAP = 4,  // and 5
    CODE_ELLIPSOID = 6,
    CODE_VERTEX = 1 << 16,  // + number of the vertex
    CODE_EDGE = 2 << 16,
    CODE_FACE = 3 << 16
};

typedef struct candidate {
    element e;
    int code;
} candidate;

typedef struct candidates {
    int count;
    candidate list[MOST_CANDIDATES];
} candidates;

static void add_candidate(candidates* c, element e, int code)
{
    if (c->count < MOST_CANDIDATES) c->list[c->count++] = (candidate){e, code & 0x3ffff};
}

// ---- what a piece may touch with

static void cylinder_candidates(const piece* p, vec3 outward, candidates* out)
{
    const convex* c = &p->core;
    const vec3 u = m3_column(c->R, 2);
    const int top = v3_dot(u, outward) >= 0.0;
    const vec3 axis = top ? u : v3_neg(u);
    const vec3 cap = v3_axpy(c->p, c->size.z, axis);
    add_candidate(out, element_rim(cap, axis, c->size.x), CODE_RIM + top);
    add_candidate(out, element_line(c->p, u, c->size.x), CODE_SIDE);
    add_candidate(out, element_face(cap, axis), CODE_CAP + top);
}

// One name an edge, from whichever end it is met: the half of it that begins at its lower corner. Names decide what a
// contact was in the step before, and which end GJK meets is decided by rounding.
static int name_of_edge(const polytope* hull, int v, int half)
{
    const int w = hull->neighbours[half];
    for (int i = hull->neighbour_start[w]; w < v && i < hull->neighbour_start[w + 1]; i++) {
        if (hull->neighbours[i] == v) return i;
    }
    return half;
}

static void hull_candidates(const piece* p, vec3 outward, const nearest_pair* near, bool of_a,
                            candidates* out)
{
    const convex* c = &p->core;
    const polytope* hull = c->hull;
    double cosine;
    const int face = tml__aligned_face(c, outward, &cosine);
    if (face >= 0) {
        const int on = hull->face_vertex[hull->face_start[face]];
        add_candidate(out,
                      element_face(convex_vertex(c, on), m3_apply(c->R, hull->face_normal[face])),
                      CODE_FACE + face);
    }
    for (int k = 0; k < near->count; k++) {
        const int v = of_a ? near->pair[k].va : near->pair[k].vb;
        bool is_new = true;
        for (int i = 0; i < k; i++) {
            is_new = is_new && v != (of_a ? near->pair[i].va : near->pair[i].vb);
        }
        if (!is_new) continue;
        const vec3 x = convex_vertex(c, v);
        add_candidate(out, element_point(x, c->offset), CODE_VERTEX + v);
        for (int i = hull->neighbour_start == NULL ? 0 : hull->neighbour_start[v];
             hull->neighbour_start != NULL && i < hull->neighbour_start[v + 1]; i++) {
            const vec3 d = v3_sub(convex_vertex(c, hull->neighbours[i]), x);
            add_candidate(out, element_line(x, v3_scale(1.0 / v3_norm(d), d), c->offset),
                          CODE_EDGE + (name_of_edge(hull, v, i) & 0xffff));
        }
    }
}

static void ellipsoid_candidates(const piece* p, candidates* out)
{
    const convex* c = &p->core;
    const vec3 r = c->size;
    const mat3 square = m3_mul_bt(m3_mul(c->R, m3_diagonal(r.x * r.x, r.y * r.y, r.z * r.z)), c->R);
    add_candidate(out, element_ellipsoid(c->p, square), CODE_ELLIPSOID);
}

static void list_candidates(const piece* p, const nearest_pair* near, bool of_a, candidates* out)
{
    const vec3 outward = of_a ? v3_neg(near->n) : near->n;
    out->count = 0;
    switch (p->kind) {
    case PIECE_HULL: hull_candidates(p, outward, near, of_a, out); break;
    case PIECE_CYLINDER: cylinder_candidates(p, outward, out); break;
    case PIECE_ELLIPSOID: ellipsoid_candidates(p, out); break;
    case PIECE_PLANE: break;
    }
}

// ---- flat parts

// What stands for the piece where it is flat; false where it is not.
static bool flat_part(const piece* p, vec3 outward, convex* out)
{
    *out = p->core;
    if (p->kind == PIECE_HULL) return true;
    if (p->kind != PIECE_CYLINDER) return false;
    const vec3 u = m3_column(p->core.R, 2);
    const double along = fabs(v3_dot(u, outward));
    const double across = v3_norm(v3_cross(u, outward));
    out->kind = CONVEX_POLYTOPE;
    if (across < FLAT_ANGLE) {
        out->hull = p->prism;
        return true;
    }
    out->hull = p->segment;
    out->offset = p->core.size.x;
    return along < FLAT_ANGLE;
}

// Whether a flat part lies along the plane of contact with more than a point.
static bool is_laid(const convex* c, vec3 outward)
{
    double cosine;
    if (tml__aligned_face(c, outward, &cosine) >= 0 && cosine > ALIGNED_COSINE) return true;
    // an edge nearly in the plane: among those of the support vertex
    int v;
    tml__convex_support(c, outward, &v);
    if (c->hull->neighbour_start == NULL) return false;
    for (int i = c->hull->neighbour_start[v]; i < c->hull->neighbour_start[v + 1]; i++) {
        const vec3 d = v3_sub(convex_vertex(c, c->hull->neighbours[i]), convex_vertex(c, v));
        if (fabs(v3_dot(d, outward)) < FLAT_ANGLE * v3_norm(d)) return true;
    }
    return false;
}

static tml_status flat_contacts(const convex* a, const convex* b, double margin, manifold* m)
{
    nearest_pair near;
    bool is_near;
    const tml_status status = tml__nearest_features(a, b, margin, &near, &is_near);
    if (status != TML_OK || !is_near) return status;
    return tml__hull_contacts(a, b, &near, margin, m);
}

// ---- curved parts

// The distance of the planes across n that touch the two bodies, rounding included.
static double plane_distance(const piece* a, const piece* b, vec3 n)
{
    int vertex;
    const vec3 x = tml__convex_support(&a->core, v3_neg(n), &vertex);
    const vec3 y = tml__convex_support(&b->core, n, &vertex);
    return v3_dot(n, v3_sub(x, y)) - a->core.offset - b->core.offset;
}

typedef struct best_pair {
    bool is_found;
    double distance;
    contact_feature feature;
    vec3 n;
    int code_a, code_b;
} best_pair;

static void try_pair(const piece* a, const piece* b, const candidate* ca, const candidate* cb,
                     vec3 start, best_pair* best)
{
    witness w;
    if (tml__witness(&ca->e, &cb->e, start, &w) != TML_OK) return;
    const double distance = w.d - ca->e.offset - cb->e.offset;
    const double planes = plane_distance(a, b, w.n);
    const double size = tml__convex_size(&a->core) + tml__convex_size(&b->core);
    // the elements must be those that the planes touch; the closest points are good to rounding
    if (!(fabs(distance - planes) <= 1e-9 * size)) return;
    // a clear improvement, so that equal candidates do not take turns
    if (best->is_found && !(distance > best->distance + 1e-12 * size)) return;
    *best = (best_pair){true, distance, {.kind = FEATURE_WITNESS, .a = ca->e, .b = cb->e},
                        w.n,  ca->code, cb->code};
}

// The facet through the nearest points: right in value, and said to be one.
static tml_status add_facet(const piece* a, const piece* b, const nearest_pair* near, double margin,
                            manifold* m)
{
    const contact_feature f = {
        .kind = FEATURE_WITNESS,
        .a = element_point(near->a, a->core.offset),
        .b = element_face(v3_axpy(near->b, b->core.offset, near->n), near->n)};
    const int before = m->count;
    const tml_status status =
        tml__manifold_add(m, &f, near->n, feature_id(ID_FACETED, 0, 0), margin);
    m->faceted += m->count - before;
    return status;
}

// Where a rim rests on a face, the other rim of the cylinder may rest there too.
static tml_status add_other_rim(const piece* cylinder, const best_pair* best, bool cylinder_is_a,
                                double margin, manifold* m)
{
    const element* face = cylinder_is_a ? &best->feature.b : &best->feature.a;
    const element* rim = cylinder_is_a ? &best->feature.a : &best->feature.b;
    if (face->kind != ELEMENT_FACE || rim->kind != ELEMENT_RIM) return TML_OK;
    contact_feature f = best->feature;
    element* other = cylinder_is_a ? &f.a : &f.b;
    other->point = v3_axpy(rim->point, -2.0 * cylinder->core.size.z, rim->axis);
    const int code_a = cylinder_is_a ? best->code_a ^ 1 : best->code_a;
    const int code_b = cylinder_is_a ? best->code_b : best->code_b ^ 1;
    return tml__manifold_add(m, &f, best->n, feature_id(ID_CURVED, code_a, code_b), margin);
}

static tml_status add_best(const piece* a, const piece* b, const nearest_pair* near, double margin,
                           manifold* m)
{
    candidates of_a;
    candidates of_b;
    list_candidates(a, near, true, &of_a);
    list_candidates(b, near, false, &of_b);
    best_pair best = {.is_found = false};
    // no pair is farther apart than the bodies: one that reaches what GJK found ends the search
    const double size = tml__convex_size(&a->core) + tml__convex_size(&b->core);
    const double apart = near->distance - a->core.offset - b->core.offset - 1e-9 * size;
    for (int i = 0; i < of_a.count; i++) {
        for (int j = 0; j < of_b.count; j++) {
            if (best.is_found && best.distance >= apart) break;
            try_pair(a, b, &of_a.list[i], &of_b.list[j], near->n, &best);
        }
    }
    if (!best.is_found) return add_facet(a, b, near, margin, m);
    tml_status status = tml__manifold_add(m, &best.feature, best.n,
                                          feature_id(ID_CURVED, best.code_a, best.code_b), margin);
    const bool is_face_b = b->kind == PIECE_HULL && b->core.hull->face_count > 0;
    const bool is_face_a = a->kind == PIECE_HULL && a->core.hull->face_count > 0;
    if (status == TML_OK && a->kind == PIECE_CYLINDER && is_face_b) {
        status = add_other_rim(a, &best, true, margin, m);
    }
    if (status == TML_OK && b->kind == PIECE_CYLINDER && is_face_a) {
        status = add_other_rim(b, &best, false, margin, m);
    }
    return status;
}

// ---- balls and rods on the side of a cylinder

// The point of a rod's core, or of a ball's, that is nearest to the axis of a cylinder.
typedef struct side_point {
    element e;
    int code;
} side_point;

// A point of the core is nearest to the side, too, if it lies outside and between the caps.
static bool is_beside(const convex* cylinder, vec3 x, double* distance)
{
    const vec3 u = m3_column(cylinder->R, 2);
    const vec3 d = v3_sub(x, cylinder->p);
    const double along = v3_dot(u, d);
    *distance = v3_norm(v3_axpy(d, -along, u)) - cylinder->size.x;
    return fabs(along)<cylinder->size.z&& * distance> 1e-9 * cylinder->size.x;
}

// False: a rod that lies along the axis touches with more than a point.
static bool nearest_to_axis(const convex* core, const convex* cylinder, side_point* out, vec3* x)
{
    const vec3 u = m3_column(cylinder->R, 2);
    *x = convex_vertex(core, 0);
    *out = (side_point){element_point(*x, core->offset), CODE_VERTEX};
    if (core->hull->vertex_count == 1) return true;
    const vec3 other = convex_vertex(core, 1);
    element edge = element_edge(*x, other, core->offset);
    const double c = v3_dot(edge.axis, u);
    if (fabs(c) > ALIGNED_COSINE) return false;
    const vec3 d = v3_sub(cylinder->p, *x);
    const double s = (v3_dot(d, edge.axis) - c * v3_dot(d, u)) / (1.0 - c * c);
    if (s > 0.0 && s < edge.radius) {
        *x = v3_axpy(*x, s, edge.axis);
    } else {
        if (s > 0.0) edge = element_edge(other, *x, core->offset);
        edge.kind = ELEMENT_POINT;  // and remembers its edge
        *x = edge.point;
    }
    *out = (side_point){edge, CODE_EDGE};
    return true;
}

// In closed form what GJK and the candidates would find, and one contact whether the end of a rod or its side
// touches. False: not a rod across the side, or a ball beside it.
static bool touches_side(const piece* a, const piece* b, double margin, manifold* m,
                         tml_status* status)
{
    const bool a_is_round = a->kind == PIECE_HULL;
    const convex* core = a_is_round ? &a->core : &b->core;
    const convex* cylinder = a_is_round ? &b->core : &a->core;
    side_point p;
    vec3 x;
    double distance;
    *status = TML_OK;
    if ((a_is_round ? b : a)->kind != PIECE_CYLINDER || core->kind != CONVEX_POLYTOPE ||
        core->hull->vertex_count > 2)
        return false;
    if (!nearest_to_axis(core, cylinder, &p, &x) || !is_beside(cylinder, x, &distance))
        return false;
    // rounding is left to what is added
    if (distance - core->offset > margin + 1e-9 * cylinder->size.x) return true;
    const element side = element_line(cylinder->p, m3_column(cylinder->R, 2), cylinder->size.x);
    const int code = p.code & 0x3ffff;
    const vec3 d = v3_sub(x, cylinder->p);
    const vec3 out = v3_axpy(d, -v3_dot(side.axis, d), side.axis);
    const contact_feature f = {
        .kind = FEATURE_WITNESS, .a = a_is_round ? p.e : side, .b = a_is_round ? side : p.e};
    *status = tml__manifold_add(m, &f, a_is_round ? out : v3_neg(out),
                                a_is_round ? feature_id(ID_CURVED, code, CODE_SIDE)
                                           : feature_id(ID_CURVED, CODE_SIDE, code),
                                margin);
    return true;
}

tml_status tml__curved_contacts(const piece* a, const piece* b, double margin, manifold* m)
{
    nearest_pair near;
    bool is_near;
    tml_status on_side;
    if (touches_side(a, b, margin, m, &on_side)) return on_side;
    const tml_status status = tml__nearest_features(&a->core, &b->core, margin, &near, &is_near);
    if (status != TML_OK || !is_near) return status;
    convex flat_a;
    convex flat_b;
    const bool are_flat = flat_part(a, v3_neg(near.n), &flat_a) && flat_part(b, near.n, &flat_b);
    if (are_flat && is_laid(&flat_a, v3_neg(near.n)) && is_laid(&flat_b, near.n)) {
        const tml_status laid = flat_contacts(&flat_a, &flat_b, margin, m);
        if (laid != TML_OK || m->count > 0) return laid;
    }
    return add_best(a, b, &near, margin, m);
}
