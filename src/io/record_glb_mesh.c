// io/record_glb_mesh.c - triangles of meshes and height fields in a glTF file, each set once.
//
// They have positions and indices only: a viewer then shades every triangle flat, as glTF asks of it.
#include "base/memory.h"
#include "io/record_glb.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void tml__glb_format(writer* w, const char* format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    tml__put(w, text);
}

const tml_shape_def* tml__glb_shapes(const tml_model* model, int index, int* count)
{
    if (index < 0) return tml_model_world_shapes(model, count);
    const tml_body_def* def = tml_model_body(model, (tml_body){index});
    *count = def->shape_count;
    return def->shapes;
}

// ---- surfaces

static size_t count_vertices(const tml_shape_def* s)
{
    return s->kind == TML_SHAPE_MESH ? (size_t)s->vertex_count
                                     : (size_t)s->rows * (size_t)s->columns;
}

static size_t count_triangles(const tml_shape_def* s)
{
    return s->kind == TML_SHAPE_MESH ? (size_t)s->triangle_count
                                     : 2 * (size_t)(s->rows - 1) * (size_t)(s->columns - 1);
}

static vec3 vertex_of(const tml_shape_def* s, size_t i)
{
    if (s->kind == TML_SHAPE_MESH) return s->vertices[i];
    const size_t columns = (size_t)s->columns;
    return v3(s->size.x * ((double)(i % columns) / (s->columns - 1) - 0.5),
              s->size.y * ((double)(i / columns) / (s->rows - 1) - 0.5), s->heights[i]);
}

// The corners of triangle t; the two over one cell of a grid share its diagonal.
static void triangle_of(const tml_shape_def* s, size_t t, uint32_t out[3])
{
    if (s->kind == TML_SHAPE_MESH) {
        for (int k = 0; k < 3; k++) out[k] = (uint32_t)s->triangles[3 * t + (size_t)k];
        return;
    }
    const uint32_t columns = (uint32_t)s->columns;
    const uint32_t cell = (uint32_t)(t / 2);
    const uint32_t at = cell / (columns - 1) * columns + cell % (columns - 1);
    out[0] = at;
    out[1] = t % 2 == 0 ? at + 1 : at + columns + 1;
    out[2] = t % 2 == 0 ? at + columns + 1 : at + columns;
}

static uint64_t mix(uint64_t h, const void* bytes, size_t length)
{
    const unsigned char* p = bytes;
    for (size_t i = 0; i < length; i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static uint64_t hash_of(const tml_shape_def* s)
{
    uint64_t h = 14695981039346656037u + (uint64_t)s->kind;
    for (size_t i = 0; i < count_vertices(s); i++) {
        const vec3 x = vertex_of(s, i);
        h = mix(h, &x, sizeof x);
    }
    for (size_t t = 0; t < count_triangles(s); t++) {
        uint32_t corners[3];
        triangle_of(s, t, corners);
        h = mix(h, corners, sizeof corners);
    }
    return h;
}

static bool is_same(const tml_shape_def* a, const tml_shape_def* b)
{
    if (a->kind != b->kind || count_vertices(a) != count_vertices(b) ||
        count_triangles(a) != count_triangles(b)) {
        return false;
    }
    for (size_t i = 0; i < count_vertices(a); i++) {
        const vec3 x = vertex_of(a, i);
        const vec3 y = vertex_of(b, i);
        if (memcmp(&x, &y, sizeof x) != 0) return false;
    }
    for (size_t t = 0; t < count_triangles(a); t++) {
        uint32_t p[3];
        uint32_t q[3];
        triangle_of(a, t, p);
        triangle_of(b, t, q);
        if (memcmp(p, q, sizeof p) != 0) return false;
    }
    return true;
}

// ---- collecting

static int find_surface(glb_meshes* m, const tml_shape_def* s)
{
    const uint64_t hash = hash_of(s);
    for (int i = 0; i < m->surface_count; i++) {
        if (m->surfaces[i].hash == hash && is_same(m->surfaces[i].shape, s)) return i;
    }
    m->surfaces[m->surface_count] = (glb_surface){s, hash, count_vertices(s), count_triangles(s)};
    return m->surface_count++;
}

static int find_mesh(glb_meshes* m, const tml_shape_def* s)
{
    const glb_mesh one = {find_surface(m, s), glb_color(s)};
    for (int i = 0; i < m->mesh_count; i++) {
        if (m->meshes[i].surface == one.surface && m->meshes[i].color == one.color) return i;
    }
    m->meshes[m->mesh_count] = one;
    return m->mesh_count++;
}

bool tml__glb_collect(const tml_model* model, glb_meshes* out)
{
    size_t total = 1;
    *out = (glb_meshes){0};
    for (int b = -1; b < tml_model_body_count(model); b++) {
        int count = 0;
        const tml_shape_def* shapes = tml__glb_shapes(model, b, &count);
        for (int i = 0; i < count; i++) total += glb_is_surface(&shapes[i]);
    }
    out->surfaces = malloc(total * sizeof *out->surfaces);
    out->meshes = malloc(total * sizeof *out->meshes);
    out->uses = malloc(total * sizeof *out->uses);
    if (out->surfaces == NULL || out->meshes == NULL || out->uses == NULL) return false;
    for (int b = -1; b < tml_model_body_count(model); b++) {
        int count = 0;
        const tml_shape_def* shapes = tml__glb_shapes(model, b, &count);
        for (int i = 0; i < count; i++) {
            if (glb_is_surface(&shapes[i]))
                out->uses[out->use_count++] = find_mesh(out, &shapes[i]);
        }
    }
    return true;
}

void tml__glb_free(glb_meshes* m)
{
    free(m->surfaces);
    free(m->meshes);
    free(m->uses);
    *m = (glb_meshes){0};
}

// ---- describing and writing

static void put_bounds(const tml_shape_def* s, writer* w)
{
    float low[3] = {0};
    float high[3] = {0};
    for (size_t i = 0; i < count_vertices(s); i++) {
        for (int k = 0; k < 3; k++) {
            const float x = (float)v3_at(vertex_of(s, i), k);
            if (i == 0 || x < low[k]) low[k] = x;
            if (i == 0 || x > high[k]) high[k] = x;
        }
    }
    // nine digits give every float back
    tml__glb_format(w, "\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0],
                    (double)low[1], (double)low[2], (double)high[0], (double)high[1],
                    (double)high[2]);
}

void tml__glb_accessors(const glb_meshes* m, int view, writer* w)
{
    size_t positions = 0;
    size_t indices = 0;
    for (int i = 0; i < m->surface_count; i++) {
        const glb_surface* s = &m->surfaces[i];
        tml__glb_format(w,
                        ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5126,"
                        "\"count\":%zu,\"type\":\"VEC3\",",
                        view, positions, s->vertices);
        put_bounds(s->shape, w);
        tml__glb_format(w,
                        "},{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5125,"
                        "\"count\":%zu,\"type\":\"SCALAR\"}",
                        view + 1, indices, 3 * s->triangles);
        positions += 3 * sizeof(float) * s->vertices;
        indices += 3 * sizeof(uint32_t) * s->triangles;
    }
}

size_t tml__glb_vertex_bytes(const glb_meshes* m)
{
    size_t sum = 0;
    for (int i = 0; i < m->surface_count; i++) sum += 3 * sizeof(float) * m->surfaces[i].vertices;
    return sum;
}

size_t tml__glb_index_bytes(const glb_meshes* m)
{
    size_t sum = 0;
    for (int i = 0; i < m->surface_count; i++) {
        sum += 3 * sizeof(uint32_t) * m->surfaces[i].triangles;
    }
    return sum;
}

void tml__glb_write(const glb_meshes* m, tml_recorder* r)
{
    for (int i = 0; i < m->surface_count; i++) {
        for (size_t v = 0; v < m->surfaces[i].vertices; v++) {
            const vec3 x = vertex_of(m->surfaces[i].shape, v);
            const float f[3] = {(float)x.x, (float)x.y, (float)x.z};
            tml__record_put(r, f, sizeof f);
        }
    }
    for (int i = 0; i < m->surface_count; i++) {
        for (size_t t = 0; t < m->surfaces[i].triangles; t++) {
            uint32_t corners[3];
            triangle_of(m->surfaces[i].shape, t, corners);
            tml__record_put(r, corners, sizeof corners);
        }
    }
}
