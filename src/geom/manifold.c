// geom/manifold.c - contacts of faces: clipping one against the other, and keeping a stable few.
//
// The polygon of the incident face is cut by the planes through the sides of the reference face
// (Sutherland and Hodgman). Every corner remembers where it came from, because that decides how
// it moves: a vertex of the incident face, an edge of it cut by a side, or a corner of the reference
// face, carried along its normal to the incident face.                        [DCON App C]
#include "geom/narrow.h"

#include <stddef.h>
#include <string.h>

// ---- adding

// A contact is large, so it is made where it will stay: its feature is written into the first place that is
// free, and `keep_next` decides whether it counts.

static contact_feature* next_feature(manifold* m)
{
    contact* c = &m->contacts[m->count];
    memset(c, 0, sizeof *c);
    return &c->feature;
}

static tml_status keep_next(manifold* m, vec3 start, uint64_t id, double margin)
{
    contact* c = &m->contacts[m->count];
    const tml_status status = tml__feature_value(&c->feature, start, c);
    if (status != TML_OK) return status;
    if (!(c->gap <= margin)) return TML_OK;
    for (int i = 0; i < m->count; i++) {
        if (m->contacts[i].id == id) return TML_OK;
    }
    c->id = id;
    if (m->count == MANIFOLD_MOST) {
        m->count = tml__contacts_reduce(m->contacts, m->count, MANIFOLD_MOST - 1);
        m->contacts[m->count] = *c;
    }
    m->count++;
    return TML_OK;
}

tml_status tml__manifold_add(manifold* m, const contact_feature* feature, vec3 start, uint64_t id,
                             double margin)
{
    contact* c = &m->contacts[m->count];
    memset(c, 0, offsetof(contact, feature));
    c->feature = *feature;
    return keep_next(m, start, id, margin);
}

// ---- a stable few

static double area_of(vec3 n, vec3 a, vec3 b, vec3 c)
{
    return v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, a)));
}

// Candidates must be clearly better, so that a tilt too small to see does not change the choice.
static bool is_better(double value, double best) { return value > best + 1e-3 * fabs(best); }

static double extent(const contact* list, int count)
{
    double largest = 0.0;
    for (int i = 1; i < count; i++) {
        const double d = v3_norm(v3_sub(list[i].point, list[0].point));
        if (d > largest) largest = d;
    }
    return largest;
}

// The first in the order of ids that no other undercuts by 1e-4 of the extent.
static int deepest(const contact* list, int count)
{
    const double slack = 1e-4 * extent(list, count);
    int best = 0;
    for (int i = 1; i < count; i++) {
        if (list[i].gap < list[best].gap - slack) best = i;
    }
    return best;
}

// Ids do not depend on where the clipping began.
static void sort_by_id(contact* list, int count)
{
    for (int i = 1; i < count; i++) {
        if (list[i - 1].id < list[i].id) continue;
        const contact c = list[i];
        int j = i;
        for (; j > 0 && list[j - 1].id > c.id; j--) list[j] = list[j - 1];
        list[j] = c;
    }
}

static int farthest(const contact* list, int count, int from)
{
    int best = from;
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        const vec3 d = v3_sub(list[i].point, list[from].point);
        if (i != from && is_better(v3_dot(d, d), most)) {
            most = v3_dot(d, d);
            best = i;
        }
    }
    return best;
}

// The contact that adds the most area on one side of the line i j.
static int widest(const contact* list, int count, int i, int j, double side)
{
    int best = -1;
    double most = 0.0;
    for (int k = 0; k < count; k++) {
        const double area =
            side * area_of(list[i].normal, list[i].point, list[j].point, list[k].point);
        if (k != i && k != j && is_better(area, most)) {
            most = area;
            best = k;
        }
    }
    return best;
}

// Where to begin: the deepest contact, or, where no contact is clearly deeper than those at the rim
// of the patch, one at the rim.
static int begin(const contact* list, int count)
{
    const int low = deepest(list, count);
    const int far = farthest(list, count, low);
    return list[far].gap <= list[low].gap + 1e-4 * extent(list, count) ? far : low;
}

int tml__contacts_reduce(contact* list, int count, int most)
{
    sort_by_id(list, count);
    if (count <= most) return count;
    bool is_kept[CONTACTS_MOST] = {false};
    const int first = begin(list, count);
    const int second = farthest(list, count, first);
    const int left = widest(list, count, first, second, 1.0);
    const int right = widest(list, count, first, second, -1.0);
    is_kept[first] = is_kept[second] = true;
    if (left >= 0) is_kept[left] = true;
    if (right >= 0) is_kept[right] = true;

    // what is left of `most` goes to those that come first
    int kept = 0;
    for (int i = 0; i < count; i++) kept += is_kept[i] ? 1 : 0;
    for (int i = 0; i < count && kept < most; i++) {
        if (is_kept[i]) continue;
        is_kept[i] = true;
        kept++;
    }
    int out = 0;
    for (int i = 0; i < count; i++) {
        if (is_kept[i]) list[out++] = list[i];
    }
    return out;
}

// ---- clipping

enum {
    POLYGON_MOST = 96,    // corners while clipping; faces with more are thinned
    CORNER_VERTEX = 0,    // vertex `index` of the incident body
    CORNER_CUT = 1,       // edge `index` of the incident body, side `side` of the reference face
    CORNER_REFERENCE = 2  // vertex `index` of the reference body
};

typedef struct corner {
    vec3 x;
    int kind;
    int index;
    int side;
    int edge;  // what runs from here to the next corner: an edge of the incident body, or
               // -1 - side of the reference face
} corner;

typedef struct polygon {
    int count;
    corner corners[POLYGON_MOST];
} polygon;

static int find_edge(const polytope* p, int u, int v)
{
    if (p->is_box) return box_edge_between(u, v);
    for (int k = 0; k < p->edge_count; k++) {
        const int* e = p->edges[k].v;
        if ((e[0] == u && e[1] == v) || (e[0] == v && e[1] == u)) return k;
    }
    return -1;
}

static void add_corner(polygon* p, corner c)
{
    if (p->count < POLYGON_MOST) p->corners[p->count++] = c;
}

// The incident face as a polygon; an edge or a vertex where the body has no faces.
static void open_polygon(const convex* c, int face, polygon* out)
{
    const polytope* p = c->hull;
    out->count = 0;
    if (face < 0) {
        for (int v = 0; v < p->vertex_count; v++) {
            add_corner(out, (corner){.x = convex_vertex(c, v), .index = v, .edge = 0});
        }
        return;
    }
    const int start = p->face_start[face];
    const int count = p->face_start[face + 1] - start;
    // a face of very many sides gives up some of its corners evenly
    const int stride = (count + POLYGON_MOST / 2 - 1) / (POLYGON_MOST / 2);
    for (int i = 0; i < count; i += stride) {
        const int v = p->face_vertex[start + i];
        const int next = p->face_vertex[start + (i + stride) % count];
        add_corner(out, (corner){.x = convex_vertex(c, v),
                                 .index = v,
                                 .edge = stride == 1 ? find_edge(p, v, next) : p->edge_count});
    }
}

// The outward plane through a side of the reference face, which begins at `point`.
typedef struct side_plane {
    vec3 point, axis;
} side_plane;

enum {
    SIDES_KEPT = 16
};

// The reference face: its plane and, of a face of few sides, those through its sides as far as they were used.
typedef struct reference_face {
    const convex* body;
    int face;
    int side_count;
    vec3 n;
    vec3 on;  // its first vertex
    side_plane sides[SIDES_KEPT];
} reference_face;

// `side` is at most one beyond the last, which is the first again.
static int side_vertex(const reference_face* r, int side)
{
    const polytope* p = r->body->hull;
    return p->face_vertex[p->face_start[r->face] + (side < r->side_count ? side : 0)];
}

static side_plane make_side(const reference_face* r, int side)
{
    const vec3 a = convex_vertex(r->body, side_vertex(r, side));
    const vec3 b = convex_vertex(r->body, side_vertex(r, side + 1));
    const vec3 m = v3_cross(v3_sub(b, a), r->n);
    return (side_plane){a, v3_scale(1.0 / v3_norm(m), m)};
}

static side_plane side_of(const reference_face* r, int side)
{
    return side < SIDES_KEPT ? r->sides[side] : make_side(r, side);
}

// Where the polygon's edge from p to q crosses side s.
static corner crossing(const corner* p, const corner* q, double hp, double hq, int s,
                       const reference_face* r)
{
    corner c = {.x = v3_axpy(p->x, hp / (hp - hq), v3_sub(q->x, p->x)), .side = s};
    if (p->edge >= 0) {
        c.kind = CORNER_CUT;
        c.index = p->edge;
    } else {
        // two sides of the face meet in a corner of it
        const int other = -1 - p->edge;
        const int next = other + 1 < r->side_count ? other + 1 : 0;
        c.kind = CORNER_REFERENCE;
        c.index = side_vertex(r, next == s ? s : other);
    }
    return c;
}

// What is left of a polygon inside side s, into `out`. False: all of it, and `out` is not touched.
static bool clip_side(const polygon* p, int s, reference_face* r, polygon* out)
{
    const side_plane plane = make_side(r, s);
    if (s < SIDES_KEPT) r->sides[s] = plane;
    double height[POLYGON_MOST];
    bool is_cut = false;
    for (int i = 0; i < p->count; i++) {
        height[i] = v3_dot(plane.axis, v3_sub(p->corners[i].x, plane.point));
        is_cut |= !(height[i] <= 0.0);
    }
    if (!is_cut) return false;
    out->count = 0;
    for (int i = 0; i < p->count; i++) {
        const int after = i + 1 < p->count ? i + 1 : 0;
        const corner* here = &p->corners[i];
        const double h = height[i];
        const double k = height[after];
        if (h <= 0.0) add_corner(out, *here);
        if ((h <= 0.0) == (k <= 0.0)) continue;
        corner c = crossing(here, &p->corners[after], h, k, s, r);
        // leaving: the side itself runs on from here; entering: the polygon's edge does
        c.edge = h <= 0.0 ? -1 - s : here->edge;
        add_corner(out, c);
    }
    return true;
}

// ---- features of what remains

typedef struct clip_job {
    reference_face r;
    const convex* incident;
    int incident_face;
    bool reference_is_a;
    double margin;
} clip_job;

// Of an element that is empty so far.
static void set_element(element* e, element_kind kind, vec3 point, vec3 axis, double offset)
{
    e->kind = kind;
    e->point = point;
    e->axis = axis;
    e->offset = offset;
}

// The feature of a corner, empty but for its kind, and in it the elements of the two bodies.
static contact_feature* open_feature(const clip_job* job, feature_kind kind, manifold* m,
                                     element** of_incident, element** of_reference)
{
    contact_feature* f = next_feature(m);
    f->kind = kind;
    *of_incident = job->reference_is_a ? &f->b : &f->a;
    *of_reference = job->reference_is_a ? &f->a : &f->b;
    if (kind == FEATURE_CUT) {
        set_element(&f->face, ELEMENT_FACE, job->r.on, job->r.n, 0.0);
        f->face_is_a = job->reference_is_a;
    }
    return f;
}

static tml_status add_vertex(const clip_job* job, const corner* c, uint64_t id, manifold* m)
{
    element* point;
    element* face;
    open_feature(job, FEATURE_WITNESS, m, &point, &face);
    set_element(point, ELEMENT_POINT, c->x, v3_zero(), job->incident->offset);
    set_element(face, ELEMENT_FACE, job->r.on, job->r.n, 0.0);
    return keep_next(m, job->r.n, id, job->margin);
}

static tml_status add_cut(const clip_job* job, const corner* c, uint64_t id, manifold* m)
{
    const convex* inc = job->incident;
    if (c->index >= inc->hull->edge_count) return TML_OK;  // a chord of a thinned face
    element* line;
    element* plane;
    open_feature(job, FEATURE_CUT, m, &line, &plane);
    const int* v = inc->hull->edges[c->index].v;
    const vec3 a = convex_vertex(inc, v[0]);
    const vec3 u = v3_sub(convex_vertex(inc, v[1]), a);
    set_element(line, ELEMENT_LINE, a, v3_scale(1.0 / v3_norm(u), u), inc->offset);
    const side_plane side = side_of(&job->r, c->side);
    set_element(plane, ELEMENT_FACE, side.point, side.axis, 0.0);
    return keep_next(m, job->r.n, id, job->margin);
}

static tml_status add_reference_corner(const clip_job* job, const corner* c, uint64_t id,
                                       manifold* m)
{
    const convex* inc = job->incident;
    if (job->incident_face < 0) return TML_OK;  // an edge has no plane to carry the corner to
    element* plane;
    element* line;
    open_feature(job, FEATURE_CUT, m, &plane, &line);
    const vec3 normal = m3_apply(inc->R, inc->hull->face_normal[job->incident_face]);
    const int on = inc->hull->face_vertex[inc->hull->face_start[job->incident_face]];
    set_element(plane, ELEMENT_FACE, convex_vertex(inc, on), normal, 0.0);
    set_element(line, ELEMENT_LINE, convex_vertex(job->r.body, c->index), job->r.n, 0.0);
    return keep_next(m, job->r.n, id, job->margin);
}

static tml_status add_corner_contact(const clip_job* job, const corner* c, uint64_t id, manifold* m)
{
    if (c->kind == CORNER_VERTEX) return add_vertex(job, c, id, m);
    return c->kind == CORNER_CUT ? add_cut(job, c, id, m) : add_reference_corner(job, c, id, m);
}

static uint64_t corner_id(const clip_job* job, const corner* c)
{
    const bool is_a = job->reference_is_a;
    if (c->kind == CORNER_VERTEX) {
        return is_a ? feature_id(ID_FACE_VERTEX, job->r.face, c->index)
                    : feature_id(ID_VERTEX_FACE, c->index, job->r.face);
    }
    if (c->kind == CORNER_CUT) {
        const int side = job->r.body->hull->face_start[job->r.face] + c->side;
        return is_a ? feature_id(ID_CUT_B, side, c->index) : feature_id(ID_CUT_A, c->index, side);
    }
    return is_a ? feature_id(ID_CORNER_A, c->index, job->incident_face)
                : feature_id(ID_CORNER_B, job->incident_face, c->index);
}

// A corner by its number in the polygon.
typedef struct named_corner {
    uint64_t id;
    int number;
} named_corner;

// Few corners go by their ids, as their contacts will stand in the end: corners are moved more cheaply. Where
// some of many give way to later ones the order of the polygon counts.
static void name_corners(const clip_job* job, const polygon* p, named_corner* out)
{
    for (int i = 0; i < p->count; i++) {
        const named_corner it = {corner_id(job, &p->corners[i]), i};
        int at = i;
        for (; at > 0 && p->count <= MANIFOLD_MOST && out[at - 1].id > it.id; at--) {
            out[at] = out[at - 1];
        }
        out[at] = it;
    }
}

int tml__aligned_face(const convex* c, vec3 direction, double* cosine)
{
    const polytope* p = c->hull;
    const vec3 d = m3_apply_t(c->R, direction);
    int best = -1;
    double most = -2.0;
    for (int f = 0; f < p->face_count; f++) {
        const vec3 n = p->face_normal[f];
        // normals of a box have one component each
        const double along = p->is_box ? v3_at(d, f / 2) * v3_at(n, f / 2) : v3_dot(d, n);
        // the first of faces that are as good, so that parallel faces do not take turns
        const bool is_more = along > most + 1e-12;
        most = is_more ? along : most;
        best = is_more ? f : best;
    }
    *cosine = most;
    return best;
}

tml_status tml__clip(const convex* reference, int face, const convex* incident, bool reference_is_a,
                     double margin, manifold* m)
{
    const polytope* p = reference->hull;
    clip_job job;
    job.incident = incident;
    job.reference_is_a = reference_is_a;
    job.margin = margin;
    job.r.body = reference;
    job.r.face = face;
    job.r.side_count = p->face_start[face + 1] - p->face_start[face];
    job.r.n = m3_apply(reference->R, p->face_normal[face]);
    job.r.on = convex_vertex(reference, side_vertex(&job.r, 0));
    double cosine;
    job.incident_face = tml__aligned_face(incident, v3_neg(job.r.n), &cosine);
    polygon turns[2];  // what is left after a side, and after the next
    polygon* poly = &turns[0];
    open_polygon(incident, job.incident_face, poly);
    for (int s = 0; s < job.r.side_count && poly->count > 0; s++) {
        polygon* left = poly == turns ? &turns[1] : turns;
        if (clip_side(poly, s, &job.r, left)) poly = left;
    }
    named_corner names[POLYGON_MOST];
    name_corners(&job, poly, names);
    for (int i = 0; i < poly->count; i++) {
        const corner* c = &poly->corners[names[i].number];
        const tml_status status = add_corner_contact(&job, c, names[i].id, m);
        // a cut along its plane adds nothing that its neighbours do not say
        if (status != TML_OK && status != TML_SINGULAR) return status;
    }
    m->count = tml__contacts_reduce(m->contacts, m->count, 4);
    return TML_OK;
}
