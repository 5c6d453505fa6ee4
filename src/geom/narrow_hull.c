// geom/narrow_hull.c - contacts of two polytopes, rounded or not.
//
// GJK, EPA or the axes of boxes give a normal and the vertices that decide it. Where a face of either
// body looks along that normal, the other is clipped against it; else the contact is the pair of
// vertices, edges or both that the vertices name, recomputed from them exactly.  [DCON App C]
#include "geom/narrow.h"

// ---- the nearest features

static void from_simplex(const simplex* s, nearest_pair* out)
{
    out->count = s->count < 3 ? s->count : 3;
    out->a = v3_zero();
    out->b = v3_zero();
    for (int k = 0; k < s->count; k++) {
        if (k < 3) out->pair[k] = s->pair[k];
        out->a = v3_axpy(out->a, s->weight[k], s->pair[k].a);
        out->b = v3_axpy(out->b, s->weight[k], s->pair[k].b);
    }
    const vec3 v = v3_sub(out->a, out->b);
    out->distance = v3_norm(v);
    out->n = v3_scale(1.0 / out->distance, v);
}

// Weights of the point of a triangle nearest to the origin, by areas; equal ones on a sliver.
static void from_depth(const epa_result* e, nearest_pair* out)
{
    *out = (nearest_pair){.n = e->n, .distance = -e->depth, .count = 3};
    const vec3 p = e->pair[0].y;
    const vec3 q = e->pair[1].y;
    const vec3 r = e->pair[2].y;
    const vec3 n = v3_cross(v3_sub(q, p), v3_sub(r, p));
    const double square = v3_dot(n, n);
    double w[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    if (square > 0.0) {
        w[0] = v3_dot(n, v3_cross(q, r)) / square;
        w[1] = v3_dot(n, v3_cross(r, p)) / square;
        w[2] = 1.0 - w[0] - w[1];
    }
    for (int k = 0; k < 3; k++) {
        out->pair[k] = e->pair[k];
        out->a = v3_axpy(out->a, w[k], e->pair[k].a);
        out->b = v3_axpy(out->b, w[k], e->pair[k].b);
    }
}

static support_pair vertex_pair(const convex* a, const convex* b, int va, int vb)
{
    support_pair s = {.a = convex_vertex(a, va), .b = convex_vertex(b, vb), .va = va, .vb = vb};
    s.y = v3_sub(s.a, s.b);
    return s;
}

static void keep_axis(const sat_result* s, nearest_pair* out)
{
    out->n = s->n;
    out->distance = s->separation;
    out->count = 0;
    out->axis = *s;
}

// Three pairs that name the features that the axis came from, where they are not known yet.
static void complete(const convex* a, const convex* b, nearest_pair* out)
{
    if (out->count > 0) return;
    const sat_result* s = &out->axis;
    out->count = 3;
    int va;
    int vb;
    tml__convex_support(a, v3_neg(s->n), &va);
    tml__convex_support(b, s->n, &vb);
    for (int k = 0; k < 3; k++) {
        int i = va;
        int j = vb;
        if (s->feature == SAT_FACE_A) {
            i = a->hull->face_vertex[a->hull->face_start[s->index_a] + k];
        } else if (s->feature == SAT_FACE_B) {
            j = b->hull->face_vertex[b->hull->face_start[s->index_b] + k];
        } else {
            i = a->hull->edges[s->index_a].v[k > 0];
            j = b->hull->edges[s->index_b].v[k > 1];
        }
        out->pair[k] = vertex_pair(a, b, i, j);
    }
    out->a = out->pair[0].a;
    out->b = out->pair[0].b;
}

// Does the vertex of `other` that is deepest along -n lie over the face of a box that n leaves? Then no
// points of the two are nearer than the planes. Along the face's own axis it cannot be inside.
static bool is_over_face(const convex* box, int face, const convex* other, vec3 n)
{
    int vertex;
    const vec3 x = tml__convex_support(other, v3_neg(n), &vertex);
    const vec3 at = m3_apply_t(box->R, v3_sub(x, box->p));
    const vec3 h = box->hull->half_size;
    for (int k = 0; k < 3; k++) {
        if (k != face / 2 && !(fabs(v3_at(at, k)) < v3_at(h, k))) return false;
    }
    return true;
}

// Are the nearest points of the lines through two edges inside both?
static bool do_edges_cross(const convex* a, const convex* b, const sat_result* s)
{
    const int* va = a->hull->edges[s->index_a].v;
    const int* vb = b->hull->edges[s->index_b].v;
    const vec3 p = convex_vertex(a, va[0]);
    const vec3 q = convex_vertex(b, vb[0]);
    const vec3 u = v3_sub(convex_vertex(a, va[1]), p);
    const vec3 w = v3_sub(convex_vertex(b, vb[1]), q);
    const vec3 d = v3_sub(q, p);
    const double uu = v3_dot(u, u);
    const double ww = v3_dot(w, w);
    const double uw = v3_dot(u, w);
    const double det = uu * ww - uw * uw;
    const double along_a = v3_dot(d, u) * ww - v3_dot(d, w) * uw;
    const double along_b = v3_dot(d, u) * uw - v3_dot(d, w) * uu;
    return along_a > 0.0 && along_a < det && along_b > 0.0 && along_b < det;
}

// Are the features of an axis that parts two boxes the nearest ones? If a point of each lies on the two
// planes across the axis, straight over the other, nothing is nearer.
static bool are_nearest(const convex* a, const convex* b, const sat_result* s)
{
    if (s->feature == SAT_FACE_A) return is_over_face(a, s->index_a, b, v3_neg(s->n));
    if (s->feature == SAT_FACE_B) return is_over_face(b, s->index_b, a, s->n);
    return s->index_a >= 0 && s->index_b >= 0 && do_edges_cross(a, b, s);
}

static bool has_volume(const convex* c)
{
    return c->kind != CONVEX_POLYTOPE || c->hull->face_count > 2;
}

static tml_status overlap(const convex* a, const convex* b, const simplex* s, nearest_pair* out)
{
    epa_result e;
    tml_status status = tml__epa(a, b, s, &e);
    if (status == TML_OK) {
        from_depth(&e, out);
        return TML_OK;
    }
    if (a->kind != CONVEX_POLYTOPE || b->kind != CONVEX_POLYTOPE) return TML_SINGULAR;
    // every direction tried one by one: the same answer where rounding stopped the expansion
    sat_result axis;
    status = tml__sat(a, b, (double)HUGE_VAL, &axis);
    if (status == TML_OK) keep_axis(&axis, out);
    return status;
}

tml_status tml__nearest_direction(const convex* a, const convex* b, double margin,
                                  nearest_pair* out, bool* is_near)
{
    const double reach = margin + a->offset + b->offset;
    *is_near = true;
    const bool are_boxes = a->kind == CONVEX_POLYTOPE && b->kind == CONVEX_POLYTOPE &&
                           a->hull->is_box && b->hull->is_box;
    if (are_boxes) {
        sat_result axis;
        const tml_status status = tml__sat(a, b, reach, &axis);
        if (status != TML_OK) return status;
        *is_near = axis.separation <= reach;
        if (!*is_near) return TML_OK;
        // apart, the nearest features are often, but need not be, those of the axis
        if (axis.separation <= 0.0 || are_nearest(a, b, &axis)) {
            keep_axis(&axis, out);
            return TML_OK;
        }
    }
    simplex s;
    const gjk_result result = tml__gjk(a, b, reach, &s);
    if (result == GJK_FAR) {
        *is_near = false;
        return TML_OK;
    }
    if (result == GJK_SEPARATE) {
        from_simplex(&s, out);
        const double size = tml__convex_size(a) + tml__convex_size(b);
        // nearer than this the direction between the points has lost half its digits
        const bool is_clear = out->distance > 1e-10 * size;
        if (is_clear || !(has_volume(a) || has_volume(b))) return TML_OK;
    }
    return overlap(a, b, &s, out);
}

tml_status tml__nearest_features(const convex* a, const convex* b, double margin, nearest_pair* out,
                                 bool* is_near)
{
    const tml_status status = tml__nearest_direction(a, b, margin, out, is_near);
    if (status == TML_OK && *is_near) complete(a, b, out);
    return status;
}

// ---- vertices and edges

static int distinct(const nearest_pair* near, bool of_a, int out[3])
{
    int count = 0;
    for (int k = 0; k < near->count; k++) {
        const int v = of_a ? near->pair[k].va : near->pair[k].vb;
        bool is_new = true;
        for (int i = 0; i < count; i++) is_new = is_new && out[i] != v;
        if (is_new) out[count++] = v;
    }
    return count;
}

static element line_between(const convex* c, int u, int v)
{
    return element_edge(convex_vertex(c, u), convex_vertex(c, v), c->offset);
}

static int edge_number(const polytope* p, int u, int v)
{
    for (int k = 0; k < p->edge_count; k++) {
        const int* e = p->edges[k].v;
        if ((e[0] == u && e[1] == v) || (e[0] == v && e[1] == u)) return k;
    }
    // across a merged face: two numbers of vertices make one that no edge has
    return p->edge_count + (u < v ? u : v);
}

static element vertex_element(const convex* c, int v)
{
    return element_point(convex_vertex(c, v), c->offset);
}

// An end of one edge above the other: where it lies inside (or, with `ends`, at the ends) it holds
// the edges apart.
static tml_status add_end(const convex* a, const convex* b, int end, const int edge[2],
                          bool end_is_a, double margin, manifold* m)
{
    const convex* of_end = end_is_a ? a : b;
    const convex* of_line = end_is_a ? b : a;
    const vec3 x = convex_vertex(of_end, end);
    const vec3 from = convex_vertex(of_line, edge[0]);
    const vec3 u = v3_sub(convex_vertex(of_line, edge[1]), from);
    const double t = v3_dot(v3_sub(x, from), u) / v3_dot(u, u);
    if (end_is_a ? t < 0.0 || t > 1.0 : t <= 0.0 || t >= 1.0) return TML_OK;
    const element point = vertex_element(of_end, end);
    const element line = line_between(of_line, edge[0], edge[1]);
    const int number = edge_number(of_line->hull, edge[0], edge[1]);
    const contact_feature f = {
        .kind = FEATURE_WITNESS, .a = end_is_a ? point : line, .b = end_is_a ? line : point};
    const uint64_t id = end_is_a ? feature_id(ID_VERTEX_EDGE, end, number)
                                 : feature_id(ID_EDGE_VERTEX, number, end);
    return tml__manifold_add(m, &f, v3_zero(), id, margin);
}

static tml_status add_parallel(const convex* a, const convex* b, const int va[2], const int vb[2],
                               double margin, manifold* m)
{
    tml_status status = TML_OK;
    for (int k = 0; k < 2 && status == TML_OK; k++) {
        status = add_end(a, b, va[k], vb, true, margin, m);
        if (status == TML_OK) status = add_end(a, b, vb[k], va, false, margin, m);
    }
    return status;
}

static tml_status add_edges(const convex* a, const convex* b, const int va[2], const int vb[2],
                            const nearest_pair* near, double margin, manifold* m)
{
    const contact_feature f = {.kind = FEATURE_WITNESS,
                               .a = line_between(a, va[0], va[1]),
                               .b = line_between(b, vb[0], vb[1])};
    const int ea = edge_number(a->hull, va[0], va[1]);
    const int eb = edge_number(b->hull, vb[0], vb[1]);
    const double cosine = fabs(v3_dot(f.a.axis, f.b.axis));
    tml_status status = tml__manifold_add(m, &f, near->n, feature_id(ID_EDGE_EDGE, ea, eb), margin);
    // rods side by side need two points to rest on; boxes have faces for that
    const bool are_bare = a->hull->face_count == 0 || b->hull->face_count == 0;
    if (status == TML_SINGULAR || (are_bare && cosine > ALIGNED_COSINE)) {
        status = add_parallel(a, b, va, vb, margin, m);
    }
    return status;
}

// The vertex of one body that is deepest under a face of the other.
static tml_status add_below_face(const convex* a, const convex* b, bool face_is_a, vec3 n,
                                 double margin, manifold* m)
{
    const convex* of_face = face_is_a ? a : b;
    const convex* other = face_is_a ? b : a;
    double cosine;
    const int face = tml__aligned_face(of_face, face_is_a ? v3_neg(n) : n, &cosine);
    if (face < 0) return TML_SINGULAR;
    const vec3 normal = m3_apply(of_face->R, of_face->hull->face_normal[face]);
    const int on = of_face->hull->face_vertex[of_face->hull->face_start[face]];
    int v;
    tml__convex_support(other, v3_neg(normal), &v);
    const element plane = element_face(convex_vertex(of_face, on), normal);
    const element point = vertex_element(other, v);
    const contact_feature f = {
        .kind = FEATURE_WITNESS, .a = face_is_a ? plane : point, .b = face_is_a ? point : plane};
    const uint64_t id =
        face_is_a ? feature_id(ID_FACE_VERTEX, face, v) : feature_id(ID_VERTEX_FACE, v, face);
    return tml__manifold_add(m, &f, n, id, margin);
}

static tml_status add_witness(const convex* a, const convex* b, const nearest_pair* near,
                              double margin, manifold* m)
{
    int va[3] = {0, 0, 0};
    int vb[3] = {0, 0, 0};
    const int na = distinct(near, true, va);
    const int nb = distinct(near, false, vb);
    if (na == 2 && nb == 2) return add_edges(a, b, va, vb, near, margin, m);
    if (na >= 3) return add_below_face(a, b, true, near->n, margin, m);
    if (nb >= 3) return add_below_face(a, b, false, near->n, margin, m);

    contact_feature f = {.kind = FEATURE_WITNESS};
    f.a = na == 1 ? vertex_element(a, va[0]) : line_between(a, va[0], va[1]);
    f.b = nb == 1 ? vertex_element(b, vb[0]) : line_between(b, vb[0], vb[1]);
    uint64_t id = feature_id(ID_VERTEX_VERTEX, va[0], vb[0]);
    if (nb == 2) id = feature_id(ID_VERTEX_EDGE, va[0], edge_number(b->hull, vb[0], vb[1]));
    if (na == 2) id = feature_id(ID_EDGE_VERTEX, edge_number(a->hull, va[0], va[1]), vb[0]);
    return tml__manifold_add(m, &f, near->n, id, margin);
}

static double deepest_gap(const manifold* m)
{
    double least = HUGE_VAL;
    for (int i = 0; i < m->count; i++) {
        if (m->contacts[i].gap < least) least = m->contacts[i].gap;
    }
    return least;
}

tml_status tml__hull_contacts(const convex* a, const convex* b, nearest_pair* near, double margin,
                              manifold* m)
{
    double cosine_a;
    double cosine_b;
    const int face_a = tml__aligned_face(a, v3_neg(near->n), &cosine_a);
    const int face_b = tml__aligned_face(b, near->n, &cosine_b);
    // between faces that are as well aligned the choice is always the same one
    const bool use_a = cosine_a > cosine_b + 1e-6;
    tml_status status = TML_OK;
    if (use_a && cosine_a > ALIGNED_COSINE) {
        status = tml__clip(a, face_a, b, true, margin, m);
    } else if (cosine_b > ALIGNED_COSINE) {
        status = tml__clip(b, face_b, a, false, margin, m);
    }
    // where clipping a face that is only nearly aligned missed the nearest features, they come too
    const double nearest = near->distance - a->offset - b->offset;
    const double size = tml__convex_size(a) + tml__convex_size(b);
    if (status != TML_OK || deepest_gap(m) <= nearest + 1e-6 * size) return status;
    complete(a, b, near);
    return add_witness(a, b, near, margin, m);
}
