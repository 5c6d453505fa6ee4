// viewer/meshes.c - finds the distinct meshes of a model and packs their triangles for the page.
#include "viewer/meshes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A million triangles are 18 MB on the way and 72 MB in the page; three million open in seconds.
const mesh_limits mesh_limits_view = {.each = 1000000, .all = 3000000};
// half a million are 12 MB of base64 in a page that is mailed
const mesh_limits mesh_limits_report = {.each = 500000, .all = 500000};

static bool is_mesh(const tml_shape_def* s)
{
    return s->kind == TML_SHAPE_MESH || s->kind == TML_SHAPE_HEIGHTFIELD;
}

static int triangles_of(const tml_shape_def* s)
{
    return s->kind == TML_SHAPE_MESH ? s->triangle_count : 2 * (s->rows - 1) * (s->columns - 1);
}

static size_t vertex_bytes(const tml_shape_def* s)
{
    return (size_t)s->vertex_count * sizeof *s->vertices;
}

static size_t triangle_bytes(const tml_shape_def* s)
{
    return 3 * (size_t)s->triangle_count * sizeof *s->triangles;
}

static size_t height_bytes(const tml_shape_def* s)
{
    return (size_t)s->rows * (size_t)s->columns * sizeof *s->heights;
}

static unsigned long long mix(unsigned long long h, const void* bytes, size_t length)
{
    const unsigned char* p = bytes;
    for (size_t i = 0; i < length; i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static unsigned long long hash_of(const tml_shape_def* s)
{
    unsigned long long h = 14695981039346656037u;
    if (s->kind == TML_SHAPE_MESH) {
        h = mix(h, s->vertices, vertex_bytes(s));
        return mix(h, s->triangles, triangle_bytes(s));
    }
    h = mix(h, &s->size, sizeof s->size);
    return mix(h, s->heights, height_bytes(s));
}

static bool is_same(const tml_shape_def* a, const tml_shape_def* b)
{
    if (a->kind != b->kind) return false;
    if (a->kind == TML_SHAPE_MESH) {
        return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
               memcmp(a->vertices, b->vertices, vertex_bytes(a)) == 0 &&
               memcmp(a->triangles, b->triangles, triangle_bytes(a)) == 0;
    }
    return a->rows == b->rows && a->columns == b->columns && a->size.x == b->size.x &&
           a->size.y == b->size.y && memcmp(a->heights, b->heights, height_bytes(a)) == 0;
}

static int find_hashed(const mesh_list* list, const tml_shape_def* shape, unsigned long long hash)
{
    for (int i = 0; i < list->count; i++) {
        if (list->entries[i].hash == hash && is_same(list->entries[i].shape, shape)) return i;
    }
    return -1;
}

int meshes_find(const mesh_list* list, const tml_shape_def* shape)
{
    return is_mesh(shape) ? find_hashed(list, shape, hash_of(shape)) : -1;
}

static bool make_room(mesh_list* list)
{
    if (list->count < list->capacity) return true;
    const int capacity = list->capacity > 0 ? 2 * list->capacity : 16;
    mesh_entry* larger = realloc(list->entries, (size_t)capacity * sizeof *larger);
    if (larger == NULL) {
        list->is_broken = true;
        return false;
    }
    list->entries = larger;
    list->capacity = capacity;
    return true;
}

static void collect_shapes(const tml_shape_def* shapes, int count, int body, mesh_limits* left,
                           mesh_list* out)
{
    for (int k = 0; k < count; k++) {
        const tml_shape_def* s = &shapes[k];
        if (!is_mesh(s) || s->hidden) continue;
        const unsigned long long hash = hash_of(s);
        if (find_hashed(out, s, hash) >= 0 || !make_room(out)) continue;
        const int triangles = triangles_of(s);
        const bool is_drawn = triangles <= left->each && triangles <= left->all;
        if (is_drawn) left->all -= triangles;
        out->entries[out->count++] = (mesh_entry){
            .shape = s, .hash = hash, .body = body, .triangles = triangles, .is_drawn = is_drawn};
    }
}

void meshes_collect(const tml_model* model, mesh_limits most, mesh_list* out)
{
    int count = 0;
    const tml_shape_def* world = tml_model_world_shapes(model, &count);

    *out = (mesh_list){0};
    collect_shapes(world, count, -1, &most, out);
    for (int b = 0; b < tml_model_body_count(model); b++) {
        const tml_body_def* def = tml_model_body(model, (tml_body){b});
        collect_shapes(def->shapes, def->shape_count, b, &most, out);
    }
}

void meshes_free(mesh_list* list)
{
    free(list->entries);
    *list = (mesh_list){0};
}

void meshes_describe(const tml_model* model, const mesh_list* list, text* out)
{
    text_put(out, ",\"meshes\":[");
    for (int i = 0; i < list->count; i++) {
        const mesh_entry* e = &list->entries[i];
        text_comma(out, i);
        text_format(out, "{\"triangles\":%d,\"drawn\":%s,\"body\":", e->triangles,
                    e->is_drawn ? "true" : "false");
        text_string(out, e->body >= 0 ? tml_model_body_name(model, (tml_body){e->body}) : "world");
        text_put(out, "}");
    }
    text_put(out, "]");
    if (list->is_broken) out->is_broken = true;
}

static void put_float(text* out, double x)
{
    const float f = (float)x;
    text_put_bytes(out, &f, sizeof f);
}

static void put_index(text* out, int i)
{
    const uint32_t u = (uint32_t)i;
    text_put_bytes(out, &u, sizeof u);
}

static void pack_heightfield(const tml_shape_def* s, text* out)
{
    put_index(out, s->rows * s->columns);
    put_index(out, triangles_of(s));
    for (int i = 0; i < s->rows; i++) {
        for (int j = 0; j < s->columns; j++) {
            put_float(out, s->size.x * ((double)j / (s->columns - 1) - 0.5));
            put_float(out, s->size.y * ((double)i / (s->rows - 1) - 0.5));
            put_float(out, s->heights[i * s->columns + j]);
        }
    }
    for (int i = 0; i + 1 < s->rows; i++) {
        for (int j = 0; j + 1 < s->columns; j++) {
            const int at = i * s->columns + j;
            const int corners[6] = {
                at, at + 1, at + s->columns + 1, at, at + s->columns + 1, at + s->columns};
            for (int k = 0; k < 6; k++) put_index(out, corners[k]);
        }
    }
}

void meshes_pack(const tml_shape_def* s, text* out)
{
    if (s->kind == TML_SHAPE_HEIGHTFIELD) {
        pack_heightfield(s, out);
        return;
    }
    put_index(out, s->vertex_count);
    put_index(out, s->triangle_count);
    for (int i = 0; i < s->vertex_count; i++) {
        put_float(out, s->vertices[i].x);
        put_float(out, s->vertices[i].y);
        put_float(out, s->vertices[i].z);
    }
    for (int i = 0; i < 3 * s->triangle_count; i++) put_index(out, s->triangles[i]);
}
