// geom/surface.c - contacts of a convex piece with a surface of triangles.
#include "geom/surface.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct surface {
    tml_allocator allocator;
    const tml_shape_def* shape;  // borrowed arrays
    int triangle_count;
    int* neighbour;   // 3 per triangle: the triangle across edge k, -1: none
    vec3* normal;     // per triangle
    aabb_tree* tree;  // of triangles
    aabb box;
    int* found;  // SURFACE_MOST_TRIANGLES
};

// ---- triangles of either kind

static vec3 grid_point(const tml_shape_def* s, int row, int column)
{
    const double x = s->size.x * ((double)column / (s->columns - 1) - 0.5);
    const double y = s->size.y * ((double)row / (s->rows - 1) - 0.5);
    return v3(x, y, s->heights[(size_t)row * (size_t)s->columns + (size_t)column]);
}

// Cell c has its low corner at (row, column); triangle 0 is below its diagonal, 1 above.
static void grid_triangle(const tml_shape_def* s, int index, vec3 out[3])
{
    const int cell = index / 2;
    const int row = cell / (s->columns - 1);
    const int column = cell % (s->columns - 1);
    if (index % 2 == 0) {
        out[0] = grid_point(s, row, column);
        out[1] = grid_point(s, row, column + 1);
        out[2] = grid_point(s, row + 1, column + 1);
    } else {
        out[0] = grid_point(s, row, column);
        out[1] = grid_point(s, row + 1, column + 1);
        out[2] = grid_point(s, row + 1, column);
    }
}

static void triangle_corners(const surface* s, int index, vec3 out[3])
{
    if (s->shape->kind == TML_SHAPE_HEIGHTFIELD) {
        grid_triangle(s->shape, index, out);
        return;
    }
    for (int k = 0; k < 3; k++) out[k] = s->shape->vertices[s->shape->triangles[3 * index + k]];
}

// ---- neighbours

// Across the edges 01, 12, 20 of a grid triangle.
static void grid_neighbours(const tml_shape_def* s, int index, int out[3])
{
    const int across = s->columns - 1;
    const int cell = index / 2;
    const int row = cell / across;
    const int column = cell % across;
    if (index % 2 == 0) {
        out[0] = row > 0 ? 2 * (cell - across) + 1 : -1;
        out[1] = column + 1 < across ? 2 * (cell + 1) + 1 : -1;
        out[2] = index + 1;
    } else {
        out[0] = index - 1;
        out[1] = row + 2 < s->rows ? 2 * (cell + across) : -1;
        out[2] = column > 0 ? 2 * (cell - 1) : -1;
    }
}

typedef struct mesh_side {
    int low, high;
    int place;  // 3 * triangle + edge
} mesh_side;

static int compare_sides(const void* first, const void* second)
{
    const mesh_side* a = first;
    const mesh_side* b = second;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

// Edges that exactly two triangles share make them neighbours; others are borders.
static tml_status mesh_neighbours(surface* s)
{
    const int total = 3 * s->triangle_count;
    mesh_side* sides = tml__allocate(&s->allocator, (size_t)total, sizeof *sides);
    if (sides == NULL) return TML_NO_MEMORY;
    for (int i = 0; i < total; i++) {
        const int u = s->shape->triangles[i];
        const int v = s->shape->triangles[i - i % 3 + (i + 1) % 3];
        sides[i] = (mesh_side){u < v ? u : v, u < v ? v : u, i};
        s->neighbour[i] = -1;
    }
    qsort(sides, (size_t)total, sizeof *sides, compare_sides);
    for (int i = 0; i < total;) {
        int j = i;
        while (j < total && sides[j].low == sides[i].low && sides[j].high == sides[i].high) j++;
        if (j - i == 2) {
            s->neighbour[sides[i].place] = sides[i + 1].place / 3;
            s->neighbour[sides[i + 1].place] = sides[i].place / 3;
        }
        i = j;
    }
    tml__release(&s->allocator, sides);
    return TML_OK;
}

// ---- life

static aabb box_of(const vec3 x[3])
{
    aabb box = {x[0], x[0]};
    for (int k = 1; k < 3; k++) {
        const aabb corner = {x[k], x[k]};
        box = tml__aabb_union(&box, &corner);
    }
    return box;
}

static tml_status place_triangles(surface* s, const char* what, message* why)
{
    for (int i = 0; i < s->triangle_count; i++) {
        vec3 x[3];
        triangle_corners(s, i, x);
        const vec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
        const double length = v3_norm(n);
        if (!(length > 0.0) || !isfinite(length)) {
            return tml__fail(why, TML_BAD_ARGUMENT, "%s: triangle %d has no area", what, i);
        }
        s->normal[i] = v3_scale(1.0 / length, n);
        const aabb box = box_of(x);
        s->box = i == 0 ? box : tml__aabb_union(&s->box, &box);
        tml__aabb_tree_place(s->tree, i, &box, 0.0);
        if (s->shape->kind == TML_SHAPE_HEIGHTFIELD) {
            grid_neighbours(s->shape, i, &s->neighbour[3 * i]);
        }
    }
    return s->shape->kind == TML_SHAPE_MESH ? mesh_neighbours(s) : TML_OK;
}

tml_status tml__surface_create(const tml_shape_def* shape, const char* what,
                               const tml_allocator* allocator, message* why, surface** out)
{
    *out = NULL;
    surface* s = tml__allocate(allocator, 1, sizeof *s);
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "%s: out of memory", what);
    if (allocator != NULL) s->allocator = *allocator;
    s->shape = shape;
    s->triangle_count = shape->kind == TML_SHAPE_HEIGHTFIELD
                            ? 2 * (shape->rows - 1) * (shape->columns - 1)
                            : shape->triangle_count;
    const size_t n = (size_t)s->triangle_count;
    s->neighbour = tml__allocate(&s->allocator, 3 * n, sizeof *s->neighbour);
    s->normal = tml__allocate(&s->allocator, n, sizeof *s->normal);
    s->found = tml__allocate(&s->allocator, SURFACE_MOST_TRIANGLES, sizeof *s->found);
    tml_status status = tml__aabb_tree_create(s->triangle_count, &s->allocator, &s->tree);
    if (status != TML_OK || s->neighbour == NULL || s->normal == NULL || s->found == NULL) {
        status = tml__fail(why, TML_NO_MEMORY, "%s: out of memory", what);
    } else {
        status = place_triangles(s, what, why);
    }
    if (status != TML_OK) {
        tml__surface_destroy(s);
        return status;
    }
    *out = s;
    return TML_OK;
}

void tml__surface_destroy(surface* s)
{
    if (s == NULL) return;
    const tml_allocator allocator = s->allocator;
    tml__aabb_tree_destroy(s->tree);
    tml__release(&allocator, s->neighbour);
    tml__release(&allocator, s->normal);
    tml__release(&allocator, s->found);
    tml__release(&allocator, s);
}

const aabb* tml__surface_box(const surface* s) { return &s->box; }

// ---- which normals are real

// What of the triangle, body b, a contact touches: 0 to 2 a vertex, 3 to 5 an edge, 6 its face, 7 a
// face of the other body.
typedef enum triangle_part {
    PART_EDGE = 3,
    PART_FACE = 6,
    PART_OTHER = 7,
} triangle_part;

static int edge_of_neighbour(int place)
{
    // the neighbour list of the triangle polytope: 0: 1 2, 1: 0 2, 2: 0 1; edges 01, 12, 20
    static const int edges[6] = {0, 2, 0, 1, 2, 1};
    return place >= 0 && place < 6 ? edges[place] : 0;
}

static int touched_part(uint64_t id)
{
    const int kind = (int)(id >> 36 & 15);
    const int b = (int)(id & 0x3ffff);
    switch ((id_kind)kind) {
    case ID_VERTEX_VERTEX:
    case ID_EDGE_VERTEX: return b < 3 ? b : PART_OTHER;
    case ID_VERTEX_EDGE:
    case ID_EDGE_EDGE: return PART_EDGE + (b < 3 ? b : 0);
    case ID_VERTEX_FACE: return PART_FACE;
    case ID_CURVED:
        if (b >> 16 == 1) return b & 0xffff;
        return b >> 16 == 2 ? PART_EDGE + edge_of_neighbour(b & 0xffff) : PART_FACE;
    case ID_FACE_VERTEX:
    case ID_CUT_A:
    case ID_CUT_B:
    case ID_CORNER_A:
    case ID_CORNER_B:
    case ID_FACETED: break;
    }
    return PART_OTHER;
}

// A normal over a seam of a flat surface is that of its triangles, to rounding.
#define SEAM_SLACK 1e-9

// Whether n leans over edge k of triangle t no farther than its neighbour allows, both ways.
static bool is_over_edge(const surface* s, int t, int k, vec3 n)
{
    const int other = s->neighbour[3 * t + k];
    if (other < 0) return v3_dot(n, s->normal[t]) > 0.0;  // a border is round
    vec3 x[3];
    triangle_corners(s, t, x);
    vec3 e = v3_sub(x[(k + 1) % 3], x[k]);
    e = v3_scale(1.0 / v3_norm(e), e);
    // out of the neighbour, across the edge that it runs along the other way
    const vec3 out_of_other = v3_cross(s->normal[other], e);
    const vec3 out_of_own = v3_cross(e, s->normal[t]);
    return v3_dot(n, out_of_other) >= -SEAM_SLACK && v3_dot(n, out_of_own) >= -SEAM_SLACK;
}

// Whether triangle `t` stays below the plane across n through p, one of its corners; which, in *corner.
static bool is_below(const surface* s, int t, vec3 p, vec3 n, int* corner)
{
    vec3 x[3];
    bool is_low = true;
    double least = HUGE_VAL;
    triangle_corners(s, t, x);
    for (int k = 0; k < 3; k++) {
        const vec3 d = v3_sub(x[k], p);
        const double length = v3_norm(d);
        is_low = is_low && v3_dot(n, d) <= SEAM_SLACK * length;
        if (length < least) *corner = k;
        least = fmin(least, length);
    }
    return is_low;
}

enum {
    MOST_AROUND = 64  // triangles about a corner, one way round
};

// Whether all triangles about corner k of triangle t stay below the plane across n: then a face may lie on it.
static bool is_over_corner(const surface* s, int t, int k, vec3 n)
{
    vec3 x[3];
    triangle_corners(s, t, x);
    for (int way = 0; way < 2; way++) {
        int at = t;
        int corner = k;
        for (int i = 0; at >= 0 && (at != t || i == 0); i++) {
            if (i == MOST_AROUND || !is_below(s, at, x[k], n, &corner)) return false;
            at = s->neighbour[3 * at + (way == 0 ? corner : (corner + 2) % 3)];
        }
    }
    return true;
}

// A face of the body lies on an edge or a corner of the surface, a ridge or a peak.
static bool is_ridge(const surface* s, int t, uint64_t id, vec3 n)
{
    const id_kind kind = (id_kind)(id >> 36 & 15);
    const int number = (int)(id & 0x3ffff);
    if (number >= 3) return false;
    if (kind == ID_FACE_VERTEX) return is_over_corner(s, t, number, n);
    return kind == ID_CUT_B && is_over_edge(s, t, number, n);
}

// n: in the frame of the surface, from it to the body.
static bool is_real(const surface* s, int t, uint64_t id, vec3 n)
{
    const double front = v3_dot(n, s->normal[t]);
    if (!(front > 0.0)) return false;
    const int part = touched_part(id);
    // faces that look at each other, whichever of them gave the normal
    if (part == PART_FACE || part == PART_OTHER) {
        return front > ALIGNED_COSINE || is_ridge(s, t, id, n);
    }
    if (part >= PART_EDGE) return is_over_edge(s, t, part - PART_EDGE, n);
    return is_over_edge(s, t, part, n) && is_over_edge(s, t, (part + 2) % 3, n);
}

// ---- contacts

typedef struct surface_job {
    surface* s;
    vec3 p;
    const mat3* R;
    const piece* a;
    double margin;
    surface_contacts* out;
} surface_job;

// Contacts of one flat region are a manifold, however many triangles it has: of those that share a
// normal, four remain.
static void thin_out(surface_contacts* out)
{
    contact group[SURFACE_MOST_CONTACTS];
    contact kept[SURFACE_MOST_CONTACTS];
    bool is_taken[SURFACE_MOST_CONTACTS] = {false};
    int count = 0;
    for (int i = 0; i < out->count; i++) {
        if (is_taken[i]) continue;
        int size = 0;
        for (int j = i; j < out->count; j++) {
            const double cosine = v3_dot(out->contacts[i].normal, out->contacts[j].normal);
            if (is_taken[j] || !(cosine > ALIGNED_COSINE)) continue;
            is_taken[j] = true;
            group[size++] = out->contacts[j];
        }
        size = tml__contacts_reduce(group, size, 4);
        for (int j = 0; j < size; j++) kept[count++] = group[j];
    }
    for (int i = 0; i < count; i++) out->contacts[i] = kept[i];
    out->count = tml__contacts_reduce(out->contacts, count, count);
}

static void keep(const surface_job* job, int t, const contact* c)
{
    surface_contacts* out = job->out;
    contact kept = *c;
    kept.id |= (uint64_t)t << 40;
    if (out->count == SURFACE_MOST_CONTACTS) thin_out(out);
    // a surface of so many different slopes under one body: the first directions it has stay
    if (out->count < SURFACE_MOST_CONTACTS) out->contacts[out->count++] = kept;
}

static bool is_under(const convex* triangle, vec3 n, vec3 x)
{
    for (int k = 0; k < 3; k++) {
        const vec3 from = convex_vertex(triangle, k);
        const vec3 edge = v3_sub(convex_vertex(triangle, (k + 1) % 3), from);
        if (v3_dot(v3_cross(n, edge), v3_sub(x, from)) < 0.0) return false;
    }
    return true;
}

// A body that sank into the triangle leaves by its front: its faces clipped, and its lowest point
// where that is under this triangle and not another.
static tml_status add_sunk(const surface_job* job, const piece* triangle, manifold* m)
{
    const convex* c = &triangle->core;
    const convex* body = &job->a->core;
    const vec3 n = m3_apply(c->R, c->hull->face_normal[0]);
    if (job->a->kind == PIECE_HULL) {
        const tml_status status = tml__clip(c, 0, body, false, job->margin, m);
        if (status != TML_OK) return status;
    }
    int vertex;
    const vec3 x = tml__convex_support(body, v3_neg(n), &vertex);
    if (!is_under(c, n, x)) return TML_OK;
    if (job->a->kind == PIECE_HULL) {
        const contact_feature f = {.kind = FEATURE_WITNESS,
                                   .a = element_point(x, body->offset),
                                   .b = element_face(convex_vertex(c, 0), n)};
        return tml__manifold_add(m, &f, n, feature_id(ID_VERTEX_FACE, vertex, 0), job->margin);
    }
    piece plane = {.kind = PIECE_PLANE, .core = {.p = convex_vertex(c, 0)}};
    vec3 u;
    vec3 v;
    tangent_frame(n, &u, &v);
    plane.core.R = m3_columns(u, v, n);
    return tml__plane_contacts(&plane, job->a, false, job->margin, m);
}

static tml_status touch_triangle(const surface_job* job, int t)
{
    polytope_triangle storage;
    polytope hull;
    piece triangle = {.kind = PIECE_HULL,
                      .core = {.kind = CONVEX_POLYTOPE, .p = job->p, .R = *job->R}};
    triangle_corners(job->s, t, storage.vertices);
    if (tml__polytope_triangle(&storage, &hull) != TML_OK) return TML_OK;  // none since creation
    triangle.core.hull = &hull;
    manifold m;
    tml_status status = tml__narrow(job->a, &triangle, job->margin, &m);
    // a body through the plane of the triangle may leave no direction to leave by but the front
    bool is_sunk = status == TML_SINGULAR;
    int kept = 0;
    for (int i = 0; i < m.count && status == TML_OK; i++) {
        is_sunk = is_sunk || m.contacts[i].gap < 0.0;
        const contact* c = &m.contacts[i];
        if (!is_real(job->s, t, c->id, m3_apply_t(*job->R, c->normal))) continue;
        keep(job, t, &m.contacts[i]);
        kept++;
    }
    job->out->faceted += kept > 0 ? m.faceted : 0;
    if (kept > 0 || !is_sunk) return status == TML_SINGULAR ? TML_OK : status;
    m.count = 0;
    status = add_sunk(job, &triangle, &m);
    for (int i = 0; i < m.count && status == TML_OK; i++) keep(job, t, &m.contacts[i]);
    return status;
}

// The box around a piece in the frame of the surface.
static aabb box_in_frame(const piece* a, vec3 p, const mat3* R, double margin)
{
    aabb box;
    for (int k = 0; k < 3; k++) {
        const vec3 axis = m3_column(*R, k);
        int vertex;
        const vec3 high = tml__convex_support(&a->core, axis, &vertex);
        const vec3 low = tml__convex_support(&a->core, v3_neg(axis), &vertex);
        v3_set(&box.high, k, v3_dot(axis, v3_sub(high, p)) + a->core.offset + margin);
        v3_set(&box.low, k, v3_dot(axis, v3_sub(low, p)) - a->core.offset - margin);
    }
    return box;
}

static void sort_numbers(int* list, int count)
{
    for (int i = 1; i < count; i++) {
        const int x = list[i];
        int j = i;
        for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];
        list[j] = x;
    }
}

tml_status tml__surface_contacts(surface* s, vec3 p, const mat3* R, const piece* a, double margin,
                                 surface_contacts* out)
{
    out->count = 0;
    out->faceted = 0;
    if (a->kind == PIECE_PLANE) return TML_UNSUPPORTED;
    const aabb box = box_in_frame(a, p, R, margin);
    const int count = tml__aabb_tree_query(s->tree, &box, -1, s->found, SURFACE_MOST_TRIANGLES);
    if (count > SURFACE_MOST_TRIANGLES) return TML_TOO_MANY_CONTACTS;
    sort_numbers(s->found, count);
    const surface_job job = {s, p, R, a, margin, out};
    for (int i = 0; i < count; i++) {
        const tml_status status = touch_triangle(&job, s->found[i]);
        if (status != TML_OK) return status;
    }
    thin_out(out);
    return TML_OK;
}

// ---- rays

typedef struct sight {
    const surface* s;
    ray r;  // in the frame of the shape; its reach ends at the nearest hit so far
    ray_hit hit;
    bool is_hit;
} sight;

static bool sight_meets(const void* context, const aabb* box)
{
    const sight* see = context;
    return tml__ray_meets_box(&see->r, box->low, box->high);
}

static void sight_look(void* context, int triangle)
{
    sight* see = context;
    vec3 corner[3];
    triangle_corners(see->s, triangle, corner);
    if (!tml__ray_triangle(corner, &see->r, &see->hit)) return;
    see->r.reach = see->hit.distance;
    see->is_hit = true;
}

bool tml__surface_ray(surface* s, vec3 p, const mat3* R, const ray* r, ray_hit* out)
{
    sight see = {.s = s, .r = tml__ray_within(r, p, R)};
    const aabb_walk walk = {sight_meets, sight_look, &see};
    tml__aabb_tree_walk(s->tree, &walk);
    if (see.is_hit) *out = (ray_hit){see.hit.distance, m3_apply(*R, see.hit.normal)};
    return see.is_hit;
}
