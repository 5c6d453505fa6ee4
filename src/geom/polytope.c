// geom/polytope.c - building polytopes from their faces, and the farthest vertex along a direction.
#include "geom/polytope.h"

#include "math/scalar.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---- edges from loops

// A side of a face, with its vertices in rising order.
typedef struct side {
    int low, high;
    int face;
    bool is_forward;  // from low to high
} side;

static int compare_sides(const void* first, const void* second)
{
    const side* a = first;
    const side* b = second;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static int side_total(int face_count, const int* face_size)
{
    int total = 0;
    for (int f = 0; f < face_count; f++) {
        if (face_size[f] < 3 || total > 6 * POLYTOPE_MAX_VERTICES) return -1;
        total += face_size[f];
    }
    return total;
}

static bool list_sides(int vertex_count, int face_count, const int* face_size, const int* loops,
                       side* out)
{
    int k = 0;
    for (int f = 0; f < face_count; f++) {
        for (int i = 0; i < face_size[f]; i++) {
            const int u = loops[k + i];
            const int v = loops[k + (i + 1) % face_size[f]];
            if (u < 0 || v < 0 || u >= vertex_count || v >= vertex_count || u == v) return false;
            out[k + i] = (side){u < v ? u : v, u < v ? v : u, f, u < v};
        }
        k += face_size[f];
    }
    return true;
}

// Every edge belongs to two faces that run along it in opposite directions.
static bool pair_sides(side* sides, int total, polytope_edge* edges)
{
    if (total % 2 != 0) return false;
    qsort(sides, (size_t)total, sizeof *sides, compare_sides);
    for (int i = 0; i < total; i += 2) {
        const side* a = &sides[i];
        const side* b = &sides[i + 1];
        const bool is_pair =
            a->low == b->low && a->high == b->high && a->is_forward != b->is_forward;
        if (!is_pair) return false;
        if (i + 2 < total && sides[i + 2].low == a->low && sides[i + 2].high == a->high) {
            return false;
        }
        edges[i / 2] = (polytope_edge){{a->low, a->high}, {a->face, b->face}};
    }
    return true;
}

// ---- the rest of the tables

// Newell's normal: twice the area vector, good for polygons that are only nearly flat.
static vec3 loop_normal(const vec3* vertices, const int* loop, int count)
{
    vec3 sum = v3_zero();
    for (int i = 1; i + 1 < count; i++) {
        const vec3 a = v3_sub(vertices[loop[i]], vertices[loop[0]]);
        const vec3 b = v3_sub(vertices[loop[i + 1]], vertices[loop[0]]);
        sum = v3_add(sum, v3_cross(a, b));
    }
    return sum;
}

static bool fill_normals(const polytope* p, vec3* normals)
{
    for (int f = 0; f < p->face_count; f++) {
        const int start = p->face_start[f];
        const vec3 n =
            loop_normal(p->vertices, &p->face_vertex[start], p->face_start[f + 1] - start);
        const double length = v3_norm(n);
        if (!(length > 0.0) || !isfinite(length)) return false;
        normals[f] = v3_scale(1.0 / length, n);
    }
    return true;
}

static void fill_neighbours(const polytope* p, int* start, int* list)
{
    for (int i = 0; i <= p->vertex_count; i++) start[i] = 0;
    for (int e = 0; e < p->edge_count; e++) {
        start[p->edges[e].v[0] + 1]++;
        start[p->edges[e].v[1] + 1]++;
    }
    for (int i = 0; i < p->vertex_count; i++) start[i + 1] += start[i];
    // filled from the front with `start` as a cursor, which is moved back afterwards
    for (int e = 0; e < p->edge_count; e++) {
        const int* v = p->edges[e].v;
        list[start[v[0]]++] = v[1];
        list[start[v[1]]++] = v[0];
    }
    for (int i = p->vertex_count; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

static double size_of(const polytope* p)
{
    double largest = 0.0;
    for (int i = 0; i < p->vertex_count; i++) {
        const double r = v3_norm(p->vertices[i]);
        if (!(r <= largest)) largest = r;
    }
    return largest;
}

tml_status tml__polytope_build(pool* memory, int vertex_count, const vec3* vertices, int face_count,
                               const int* face_size, const int* loops, polytope* out)
{
    *out = (polytope){.vertex_count = vertex_count, .face_count = face_count};
    const int total = side_total(face_count, face_size);
    if (vertex_count < 1 || vertex_count > POLYTOPE_MAX_VERTICES || total < 0) {
        return TML_BAD_ARGUMENT;
    }
    out->edge_count = total / 2;
    out->vertices = tml__pool_copy(memory, vertices, (size_t)vertex_count, sizeof *vertices);
    out->face_vertex = tml__pool_copy(memory, loops, (size_t)total, sizeof *loops);
    int* start = tml__pool_take(memory, (size_t)face_count + 1, sizeof *start);
    vec3* normals = tml__pool_take(memory, (size_t)face_count, sizeof *normals);
    side* sides = tml__pool_take(memory, (size_t)total, sizeof *sides);
    polytope_edge* edges = tml__pool_take(memory, (size_t)total / 2 + 1, sizeof *edges);
    int* neighbour_start = tml__pool_take(memory, (size_t)vertex_count + 1, sizeof *start);
    int* neighbours = tml__pool_take(memory, (size_t)total + 1, sizeof *neighbours);
    if (out->vertices == NULL || out->face_vertex == NULL || start == NULL || normals == NULL ||
        sides == NULL || edges == NULL || neighbour_start == NULL || neighbours == NULL) {
        return TML_NO_MEMORY;
    }
    for (int f = 0; f < face_count; f++) start[f + 1] = start[f] + face_size[f];
    out->face_start = start;
    out->face_normal = normals;
    out->edges = edges;
    out->neighbour_start = neighbour_start;
    out->neighbours = neighbours;
    if (!list_sides(vertex_count, face_count, face_size, loops, sides) ||
        !pair_sides(sides, total, edges) || !fill_normals(out, normals)) {
        return TML_BAD_ARGUMENT;
    }
    fill_neighbours(out, neighbour_start, neighbours);
    out->size = size_of(out);
    return isfinite(out->size) ? TML_OK : TML_BAD_ARGUMENT;
}

// ---- the simple ones

tml_status tml__polytope_point(pool* memory, polytope* out)
{
    const vec3 origin = v3_zero();
    return tml__polytope_build(memory, 1, &origin, 0, NULL, NULL, out);
}

tml_status tml__polytope_segment(pool* memory, double half_length, polytope* out)
{
    static const polytope_edge edge = {{0, 1}, {-1, -1}};
    static const int start[3] = {0, 1, 2};
    static const int other[2] = {1, 0};
    const vec3 ends[2] = {v3(0.0, 0.0, -half_length), v3(0.0, 0.0, half_length)};
    const tml_status status = tml__polytope_build(memory, 2, ends, 0, NULL, NULL, out);
    out->edge_count = 1;
    out->edges = &edge;
    out->neighbour_start = start;
    out->neighbours = other;
    return status;
}

// Vertex k has the signs of its bits: x, y, z. Face 2 a is at -a, face 2 a + 1 at +a.
tml_status tml__polytope_box(pool* memory, vec3 half_size, polytope* out)
{
    static const int sizes[6] = {4, 4, 4, 4, 4, 4};
    // clang-format off
    static const int loops[24] = {
        0, 4, 6, 2,  1, 3, 7, 5,
        0, 1, 5, 4,  2, 6, 7, 3,
        0, 2, 3, 1,  4, 5, 7, 6,
    };
    // clang-format on
    vec3 vertices[8];
    for (int k = 0; k < 8; k++) {
        vertices[k] = v3(k & 1 ? half_size.x : -half_size.x, k & 2 ? half_size.y : -half_size.y,
                         k & 4 ? half_size.z : -half_size.z);
    }
    const tml_status status = tml__polytope_build(memory, 8, vertices, 6, sizes, loops, out);
    out->is_box = 1;
    out->half_size = half_size;
    return status;
}

enum {
    MOST_SIDES = 64
};

// Vertex k of the bottom is k, of the top sides + k; the caps are faces 0 and 1.
tml_status tml__polytope_prism(pool* memory, int sides, double radius, double half_length,
                               polytope* out)
{
    vec3 vertices[2 * MOST_SIDES];
    int sizes[MOST_SIDES + 2];
    int loops[6 * MOST_SIDES];
    if (sides < 3 || sides > MOST_SIDES) return TML_BAD_ARGUMENT;
    sizes[0] = sizes[1] = sides;
    for (int k = 0; k < sides; k++) {
        const double angle = 2.0 * TML_PI * k / sides;
        const double x = radius * tml__cos(angle);
        const double y = radius * tml__sin(angle);
        const int next = (k + 1) % sides;
        const int around[4] = {k, next, sides + next, sides + k};
        vertices[k] = v3(x, y, -half_length);
        vertices[sides + k] = v3(x, y, half_length);
        loops[k] = sides - 1 - k;
        loops[sides + k] = sides + k;
        sizes[2 + k] = 4;
        memcpy(&loops[2 * sides + 4 * k], around, sizeof around);
    }
    return tml__polytope_build(memory, 2 * sides, vertices, sides + 2, sizes, loops, out);
}

tml_status tml__polytope_triangle(polytope_triangle* storage, polytope* out)
{
    static const int face_start[3] = {0, 3, 6};
    static const int face_vertex[6] = {0, 1, 2, 2, 1, 0};
    static const polytope_edge edges[3] = {{{0, 1}, {0, 1}}, {{1, 2}, {0, 1}}, {{2, 0}, {0, 1}}};
    static const int neighbour_start[4] = {0, 2, 4, 6};
    static const int neighbours[6] = {1, 2, 0, 2, 0, 1};
    const vec3 n = loop_normal(storage->vertices, face_vertex, 3);
    const double length = v3_norm(n);
    if (!(length > 0.0) || !isfinite(length)) return TML_BAD_ARGUMENT;
    storage->normals[0] = v3_scale(1.0 / length, n);
    storage->normals[1] = v3_neg(storage->normals[0]);
    *out = (polytope){.vertex_count = 3,
                      .vertices = storage->vertices,
                      .face_count = 2,
                      .face_start = face_start,
                      .face_vertex = face_vertex,
                      .face_normal = storage->normals,
                      .edge_count = 3,
                      .edges = edges,
                      .neighbour_start = neighbour_start,
                      .neighbours = neighbours};
    out->size = size_of(out);
    return TML_OK;
}

// ---- support

enum {
    SCAN_LIMIT = 24  // up to here looking at every vertex is faster than walking
};

static int scan(const polytope* p, vec3 direction)
{
    int best = 0;
    double most = v3_dot(p->vertices[0], direction);
    for (int i = 1; i < p->vertex_count; i++) {
        const double along = v3_dot(p->vertices[i], direction);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

// Walk uphill along edges; on a convex polytope a vertex without higher neighbour is the highest.
int tml__polytope_support(const polytope* p, vec3 direction)
{
    if (p->is_box) {
        return (direction.x > 0.0 ? 1 : 0) | (direction.y > 0.0 ? 2 : 0) |
               (direction.z > 0.0 ? 4 : 0);
    }
    if (p->vertex_count <= SCAN_LIMIT) return scan(p, direction);
    int at = 0;
    double most = v3_dot(p->vertices[0], direction);
    for (int steps = 0; steps < p->vertex_count; steps++) {
        int next = at;
        for (int k = p->neighbour_start[at]; k < p->neighbour_start[at + 1]; k++) {
            const int i = p->neighbours[k];
            const double along = v3_dot(p->vertices[i], direction);
            if (along > most) {
                most = along;
                next = i;
            }
        }
        if (next == at) break;
        at = next;
    }
    return at;
}
