// io/scene_shapes.c - the shapes of a body: sizes, looks, materials, grids and meshes.
#include "io/mesh.h"
#include "io/scene_internal.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

#define COMMON_SHAPE_KEYS                                                                          \
    "type", "position", "orientation", "color", "density", "friction", "restitution", "collide",   \
        "group", "hidden", "mask", "groups", "priority", "dimensions", "torsion", "rolling",       \
        "margin", "name"

static const char* const shape_keys[TML_SHAPE_KINDS][24] = {
    [TML_SHAPE_SPHERE] = {COMMON_SHAPE_KEYS, "radius"},
    [TML_SHAPE_ELLIPSOID] = {COMMON_SHAPE_KEYS, "radii"},
    [TML_SHAPE_CAPSULE] = {COMMON_SHAPE_KEYS, "radius", "length"},
    [TML_SHAPE_CYLINDER] = {COMMON_SHAPE_KEYS, "radius", "length"},
    [TML_SHAPE_BOX] = {COMMON_SHAPE_KEYS, "size"},
    [TML_SHAPE_PLANE] = {COMMON_SHAPE_KEYS},
    [TML_SHAPE_HEIGHTFIELD] = {COMMON_SHAPE_KEYS, "size", "heights"},
    [TML_SHAPE_MESH] = {COMMON_SHAPE_KEYS, "file", "vertices", "triangles", "hull"},
};

static void read_kind(const element* e, tml_shape_def* shape)
{
    const json* type = tml__need(e, "type");
    const char* name = type != NULL ? tml__read_text(e, "type") : NULL;
    if (name == NULL || tml_shape_kind_find(name, &shape->kind)) return;

    const char* words[TML_SHAPE_KINDS + 1] = {NULL};
    for (int i = 0; i < TML_SHAPE_KINDS; i++) words[i] = tml_shape_kind_name((tml_shape_kind)i);
    tml__read_word(e, "type", words);
}

static void need_number(const element* e, const char* key, number_range range, double* out)
{
    if (tml__need(e, key) != NULL) tml__read_number(e, key, range, out);
}

static void need_lengths(const element* e, const char* key, tml_vec3* out)
{
    const json* value = tml__need(e, key);
    if (value == NULL) return;
    tml__read_vector(e, key, out);
    const bool is_positive = out->x > 0.0 && out->y > 0.0 && out->z > 0.0;
    if (!is_positive) {
        tml__refuse(e->r, value, TML_BAD_ARGUMENT, "%s of %s must be positive", key, e->label);
    }
}

// ---- heightfields

// A list of rows, all of the same length.
static void read_heights(const element* e, const json* list, tml_shape_def* shape)
{
    char what[200];
    snprintf(what, sizeof what, "heights of %s", e->label);
    if (!tml__is_list(e->r, list, what)) return;
    shape->rows = tml__json_count(list);
    if (list->first != NULL && tml__is_list(e->r, list->first, what)) {
        shape->columns = tml__json_count(list->first);
    }
    const bool fits = shape->rows >= 2 && shape->columns >= 2 && shape->rows <= TML_GRID_MOST &&
                      shape->columns <= TML_GRID_MOST;
    if (e->r->status == TML_OK && !fits) {
        tml__refuse(e->r, list, TML_BAD_ARGUMENT,
                    "%s must be 2 to %d rows of as many numbers, not %d of %d", what, TML_GRID_MOST,
                    shape->rows, shape->columns);
    }
    if (e->r->status != TML_OK) return;
    double* heights = tml__take(e->r, shape->rows * shape->columns, sizeof *heights);
    if (heights == NULL) return;
    int row = 0;
    for (const json* item = list->first; item != NULL && e->r->status == TML_OK;
         item = item->next, row++) {
        tml__numbers(e->r, item, what, shape->columns,
                     &heights[(size_t)row * (size_t)shape->columns]);
    }
    shape->heights = heights;
}

static void read_heightfield(const element* e, tml_shape_def* shape)
{
    const json* size = tml__need(e, "size");
    const json* heights = tml__need(e, "heights");
    if (size == NULL || heights == NULL) return;
    char what[200];
    double extent[2] = {0.0, 0.0};
    snprintf(what, sizeof what, "size of %s", e->label);
    tml__numbers(e->r, size, what, 2, extent);
    if (e->r->status == TML_OK && !(extent[0] > 0.0 && extent[1] > 0.0)) {
        tml__refuse(e->r, size, TML_BAD_ARGUMENT, "%s must be positive", what);
    }
    shape->size = v3(extent[0], extent[1], 0.0);
    read_heights(e, heights, shape);
}

// ---- meshes

bool tml__read_mesh(const element* e, const char* key, mesh_data* out)
{
    const char* path = tml__read_path(e, key);
    message why;
    if (path == NULL) return false;
    const tml_status status = tml__mesh_read_file(path, &e->r->scratch, out, &why);
    if (status == TML_OK) return true;
    tml__refuse(e->r, tml__find(e, key), status, "%s of %s: %s", key, e->label, why.text);
    return false;
}

static void read_mesh_file(const element* e, tml_shape_def* shape)
{
    mesh_data mesh;
    if (!tml__read_mesh(e, "file", &mesh)) return;
    shape->vertex_count = mesh.vertex_count;
    shape->vertices = mesh.vertices;
    shape->triangle_count = mesh.triangle_count;
    shape->triangles = mesh.triangles;
}

// Rows of three numbers each.
static double* read_triples(const element* e, const char* key, int* count)
{
    const json* list = tml__need(e, key);
    char what[200];
    snprintf(what, sizeof what, "%s of %s", key, e->label);
    if (list == NULL || !tml__is_list(e->r, list, what)) return NULL;
    *count = tml__json_count(list);
    if (*count > TML_MESH_MOST) {
        tml__refuse(e->r, list, TML_BAD_ARGUMENT, "%s: %d are more than the %d of a mesh", what,
                    *count, TML_MESH_MOST);
        return NULL;
    }
    double* out = tml__take(e->r, 3 * *count, sizeof *out);
    int i = 0;
    for (const json* item = list->first; out != NULL && item != NULL && e->r->status == TML_OK;
         item = item->next, i += 3) {
        tml__numbers(e->r, item, what, 3, &out[i]);
    }
    return out;
}

static void read_mesh_lists(const element* e, tml_shape_def* shape)
{
    const double* x = read_triples(e, "vertices", &shape->vertex_count);
    const double* corners = read_triples(e, "triangles", &shape->triangle_count);
    if (x == NULL || corners == NULL || e->r->status != TML_OK) return;
    tml_vec3* vertices = tml__take(e->r, shape->vertex_count, sizeof *vertices);
    int* triangles = tml__take(e->r, 3 * shape->triangle_count, sizeof *triangles);
    if (vertices == NULL || triangles == NULL) return;
    for (int i = 0; i < shape->vertex_count; i++) vertices[i] = v3_load(&x[3 * i]);
    for (int i = 0; i < 3 * shape->triangle_count; i++) {
        const bool is_vertex = corners[i] >= 0.0 && corners[i] < shape->vertex_count &&
                               floor(corners[i]) >= corners[i];
        if (!is_vertex) {
            tml__refuse(e->r, tml__find(e, "triangles"), TML_BAD_ARGUMENT,
                        "triangle %d of %s: %g is none of its %d vertices", i / 3, e->label,
                        corners[i], shape->vertex_count);
            return;
        }
        triangles[i] = (int)corners[i];
    }
    shape->vertices = vertices;
    shape->triangles = triangles;
}

static void read_mesh(const element* e, tml_shape_def* shape)
{
    const bool has_lists = tml__find(e, "vertices") != NULL || tml__find(e, "triangles") != NULL;
    if (tml__find(e, "file") != NULL && has_lists) {
        tml__refuse(e->r, tml__find(e, "file"), TML_BAD_ARGUMENT,
                    "%s has a file and lists of vertices or triangles: give one of them", e->label);
        return;
    }
    if (has_lists) {
        read_mesh_lists(e, shape);
    } else if (tml__need(e, "file") != NULL) {
        read_mesh_file(e, shape);
    }
}

static void read_size(const element* e, tml_shape_def* shape)
{
    shape->size = v3_zero();
    switch (shape->kind) {
    case TML_SHAPE_SPHERE: need_number(e, "radius", NOT_NEGATIVE, &shape->size.x); break;
    case TML_SHAPE_ELLIPSOID: need_lengths(e, "radii", &shape->size); break;
    case TML_SHAPE_CAPSULE:
        need_number(e, "radius", POSITIVE, &shape->size.x);
        need_number(e, "length", NOT_NEGATIVE, &shape->size.z);
        break;
    case TML_SHAPE_CYLINDER:
        need_number(e, "radius", POSITIVE, &shape->size.x);
        need_number(e, "length", POSITIVE, &shape->size.z);
        break;
    case TML_SHAPE_BOX: need_lengths(e, "size", &shape->size); break;
    case TML_SHAPE_HEIGHTFIELD: read_heightfield(e, shape); break;
    case TML_SHAPE_MESH: read_mesh(e, shape); break;
    case TML_SHAPE_PLANE:
    case TML_SHAPE_KINDS: break;
    }
}

// "#rrggbb"
static void read_color(const element* e, unsigned char color[3])
{
    const char* text = tml__read_text(e, "color");
    if (text == NULL) return;

    unsigned rgb = 0;
    bool is_color = text[0] == '#' && strlen(text) == 7;
    for (int i = 1; is_color && i < 7; i++) {
        const char* digits = "0123456789abcdef0123456789ABCDEF";
        const char* digit = strchr(digits, text[i]);
        is_color = digit != NULL;
        if (is_color) rgb = 16 * rgb + (unsigned)(digit - digits) % 16;
    }
    if (!is_color) {
        tml__refuse(e->r, tml__find(e, "color"), TML_BAD_ARGUMENT,
                    "color of %s must look like \"#c8963e\", not \"%.20s\"", e->label, text);
        return;
    }
    for (int k = 0; k < 3; k++) color[k] = (unsigned char)(rgb >> (16 - 8 * k) & 0xff);
}

// A set of bits, as a number.
static void read_bits(const element* e, const char* key, unsigned* out)
{
    double bits = *out;
    tml__read_number(e, key, NOT_NEGATIVE, &bits);
    if (bits > 4294967295.0 || floor(bits) < bits) {
        tml__refuse(e->r, tml__find(e, key), TML_BAD_ARGUMENT,
                    "%s of %s must be a whole number of at most 32 bits, not %g", key, e->label,
                    bits);
        return;
    }
    *out = (unsigned)bits;
}

// Who may touch it, and how.
static void read_touch(const element* e, tml_shape_def* shape)
{
    read_bits(e, "mask", &shape->mask);
    read_bits(e, "groups", &shape->groups);
    tml__read_integer(e, "priority", -1000000, 1000000, &shape->priority);
    tml__read_integer(e, "dimensions", 1, 6, &shape->dimensions);
    tml__read_number(e, "margin", NOT_NEGATIVE, &shape->margin);
    tml__read_number(e, "torsion", NOT_NEGATIVE, &shape->torsion);
    tml__read_number(e, "rolling", NOT_NEGATIVE, &shape->rolling);
    const char* name = tml__read_text(e, "name");
    if (name != NULL) shape->name = name;
}

static tml_shape_def read_shape(reader* r, const json* value, const char* owner, int index)
{
    tml_shape_def shape = tml_shape_def_default();
    char kind[160];
    snprintf(kind, sizeof kind, "shape %d of %.120s", index, owner);
    const element e = tml__open(r, value, kind, -1, NULL);

    read_kind(&e, &shape);
    if (r->status != TML_OK) return shape;
    tml__check_keys(&e, shape_keys[shape.kind]);
    read_size(&e, &shape);
    tml__read_vector(&e, "position", &shape.pose.p);
    tml__read_orientation(&e, "orientation", &shape.pose.q);
    read_color(&e, shape.color);
    tml__read_number(&e, "density", NOT_NEGATIVE, &shape.density);
    tml__read_number(&e, "friction", NOT_NEGATIVE, &shape.friction);
    tml__read_number(&e, "restitution", NOT_NEGATIVE, &shape.restitution);
    if (shape.restitution > 1.0) {
        tml__refuse(r, tml__find(&e, "restitution"), TML_BAD_ARGUMENT,
                    "restitution of %s must be at most 1, but is %g", e.label, shape.restitution);
    }
    tml__read_bool(&e, "collide", &shape.collide);
    tml__read_integer(&e, "group", 0, 1000000, &shape.group);
    tml__read_bool(&e, "hidden", &shape.hidden);
    tml__read_bool(&e, "hull", &shape.hull);
    read_touch(&e, &shape);
    return shape;
}

// The shapes of an element; NULL and a count of 0 when it has none.
const tml_shape_def* tml__read_shapes(const element* e, int* count)
{
    const json* list = tml__find(e, "shapes");
    *count = 0;
    if (list == NULL) return NULL;

    char what[200];
    snprintf(what, sizeof what, "shapes of %s", e->label);
    if (!tml__is_list(e->r, list, what)) return NULL;
    tml_shape_def* shapes = tml__take(e->r, tml__json_count(list), sizeof *shapes);
    if (shapes == NULL) return NULL;

    for (const json* item = list->first; item != NULL && e->r->status == TML_OK;
         item = item->next) {
        shapes[*count] = read_shape(e->r, item, e->label, *count);
        (*count)++;
    }
    return shapes;
}
