// io/scene_deformables.c - deformables: lists of vertices and tetrahedra, or files that hold them.
#include "io/mesh.h"
#include "io/scene_internal.h"
#include "io/tetrahedra.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- lists

// The items of a list, `width` numbers each; NULL when it is not such a list.
static double* read_rows(const element* e, const char* key, int width, int* count)
{
    const json* list = tml__need(e, key);
    char what[200];
    snprintf(what, sizeof what, "%s of %s", key, e->label);
    if (list == NULL || !tml__is_list(e->r, list, what)) return NULL;
    *count = tml__json_count(list);
    if (*count > TML_DEFORMABLE_MOST) {
        tml__refuse(e->r, list, TML_BAD_ARGUMENT, "%s: %d are more than the %d that it may have",
                    what, *count, (int)TML_DEFORMABLE_MOST);
        return NULL;
    }
    double* out = tml__take(e->r, width * *count, sizeof *out);
    size_t at = 0;
    for (const json* item = list->first; out != NULL && item != NULL && e->r->status == TML_OK;
         item = item->next, at += (size_t)width) {
        if (width == 1) {
            out[at] = tml__number(e->r, item, what, ANY_NUMBER);
        } else {
            tml__numbers(e->r, item, what, width, &out[at]);
        }
    }
    return e->r->status == TML_OK ? out : NULL;
}

// Numbers that are vertices, `width` an item of the list under `key`.
static int* read_vertices(const element* e, const char* key, int width, int vertex_count,
                          int* count)
{
    const double* numbers = read_rows(e, key, width, count);
    int* out = numbers != NULL ? tml__take(e->r, width * *count, sizeof *out) : NULL;
    for (int i = 0; out != NULL && i < width * *count; i++) {
        const bool is_vertex =
            numbers[i] >= 0.0 && numbers[i] < vertex_count && floor(numbers[i]) >= numbers[i];
        if (!is_vertex) {
            tml__refuse(e->r, tml__find(e, key), TML_BAD_ARGUMENT,
                        "%s of %s: entry %d names vertex %g, but there are %d", key, e->label,
                        i / width, numbers[i], vertex_count);
            return NULL;
        }
        out[i] = (int)numbers[i];
    }
    return out;
}

static const tml_vec3* read_points(const element* e, const char* key, int* count)
{
    const double* x = read_rows(e, key, 3, count);
    tml_vec3* points = x != NULL ? tml__take(e->r, *count, sizeof *points) : NULL;
    for (int i = 0; points != NULL && i < *count; i++) points[i] = v3_load(&x[3 * (size_t)i]);
    return points;
}

static void read_lists(const element* e, tml_deformable_def* def)
{
    def->vertices = read_points(e, "vertices", &def->vertex_count);
    if (def->vertices == NULL) return;
    if (tml__find(e, "tetrahedra") == NULL) return;
    def->tetrahedra = read_vertices(e, "tetrahedra", 4, def->vertex_count, &def->tetrahedron_count);
}

// ---- files

static void read_file(const element* e, tml_deformable_def* def)
{
    const char* path = tml__read_path(e, "file");
    if (path == NULL) return;
    tetrahedra_data mesh;
    message why;
    const tml_status status = tml__tetrahedra_read_file(path, &e->r->scratch, &mesh, &why);
    if (status != TML_OK) {
        tml__refuse(e->r, tml__find(e, "file"), status, "file of %s: %s", e->label, why.text);
        return;
    }
    def->vertex_count = mesh.vertex_count;
    def->vertices = mesh.vertices;
    def->tetrahedron_count = mesh.tetrahedron_count;
    def->tetrahedra = mesh.tetrahedra;
}

static void read_shape(const element* e, tml_deformable_def* def)
{
    const bool has_lists = tml__find(e, "vertices") != NULL || tml__find(e, "tetrahedra") != NULL;
    if (tml__find(e, "file") != NULL && has_lists) {
        tml__refuse(e->r, tml__find(e, "file"), TML_BAD_ARGUMENT,
                    "%s has a file and lists of vertices or tetrahedra: give one of them",
                    e->label);
    } else if (tml__find(e, "file") != NULL) {
        read_file(e, def);
    } else {
        read_lists(e, def);
    }
}

// ---- surfaces

// A file of triangles, or their lists.
static void read_surface(const element* e, tml_deformable_def* def)
{
    static const char* const keys[] = {"vertices", "triangles", NULL};
    const json* value = tml__find(e, "surface");
    if (value == NULL) return;
    if (value->kind == JSON_OBJECT) {
        char label[160];
        snprintf(label, sizeof label, "surface of %.120s", e->label);
        const element of = tml__open(e->r, value, label, -1, keys);
        def->surface_vertices = read_points(&of, "vertices", &def->surface_vertex_count);
        if (def->surface_vertices == NULL) return;
        def->surface_triangles = read_vertices(&of, "triangles", 3, def->surface_vertex_count,
                                               &def->surface_triangle_count);
        return;
    }
    mesh_data mesh;
    if (!tml__read_mesh(e, "surface", &mesh)) return;
    def->surface_vertex_count = mesh.vertex_count;
    def->surface_vertices = mesh.vertices;
    def->surface_triangle_count = mesh.triangle_count;
    def->surface_triangles = mesh.triangles;
}

// ---- the rest

static void read_attachments(const element* e, tml_deformable_def* def)
{
    static const char* const keys[] = {"vertex", "point", "body", NULL};
    const json* list = tml__find(e, "attachments");
    char what[200];
    snprintf(what, sizeof what, "attachments of %s", e->label);
    if (list == NULL || !tml__is_list(e->r, list, what)) return;
    tml_attachment* attachments = tml__take(e->r, tml__json_count(list), sizeof *attachments);
    if (attachments == NULL) return;
    int count = 0;
    for (const json* item = list->first; item != NULL && e->r->status == TML_OK;
         item = item->next) {
        char kind[160];
        snprintf(kind, sizeof kind, "attachment %d of %.120s", count, e->label);
        const element a = tml__open(e->r, item, kind, -1, keys);
        const json* body = tml__need(&a, "body");
        const bool is_point = tml__find(&a, "point") != NULL;
        if (body == NULL || (!is_point && tml__need(&a, "vertex") == NULL)) return;
        if (is_point && tml__find(&a, "vertex") != NULL) {
            tml__refuse(e->r, item, TML_BAD_ARGUMENT,
                        "%s has a vertex and a point: give one of them", kind);
            return;
        }
        attachments[count].vertex = TML_EMBEDDED;
        tml__read_integer(&a, "vertex", 0, TML_DEFORMABLE_MOST, &attachments[count].vertex);
        tml__read_vector(&a, "point", &attachments[count].position);
        attachments[count++].body = tml__body(&a, body, "body");
    }
    def->attachments = attachments;
    def->attachment_count = count;
}

static void read_deformable(reader* r, const json* value, int index)
{
    static const char* const keys[] = {
        "name",        "vertices",    "tetrahedra", "file",      "surface",  "young",
        "poisson",     "density",     "material",   "mass",      "velocity", "fixed",
        "vertex_mass", "attachments", "friction",   "thickness", "collide",  NULL};
    static const char* const masses[] = {"lumped", "consistent", NULL};
    static const char* const sides[] = {"vertices", "surface", NULL};
    const char* materials[TML_MATERIALS + 1] = {NULL};
    for (int i = 0; i < TML_MATERIALS; i++) materials[i] = tml_material_name((tml_material)i);

    const element e = tml__open(r, value, "deformable", index, keys);
    tml_deformable_def def = tml_deformable_def_default();
    def.name = tml__read_name(&e);
    read_shape(&e, &def);
    read_surface(&e, &def);
    tml__read_number(&e, "young", POSITIVE, &def.young);
    tml__read_number(&e, "poisson", ANY_NUMBER, &def.poisson);
    tml__read_number(&e, "density", NOT_NEGATIVE, &def.density);
    tml__read_number(&e, "vertex_mass", NOT_NEGATIVE, &def.vertex_mass);
    tml__read_number(&e, "friction", NOT_NEGATIVE, &def.friction);
    tml__read_number(&e, "thickness", NOT_NEGATIVE, &def.thickness);
    tml__read_vector(&e, "velocity", &def.velocity);
    const int material = tml__read_word(&e, "material", materials);
    if (material >= 0) def.material = (tml_material)material;
    def.is_consistent = tml__read_word(&e, "mass", masses) == 1;
    def.touches_by_surface = tml__read_word(&e, "collide", sides) == 1;
    if (r->status == TML_OK && tml__find(&e, "fixed") != NULL) {
        def.fixed = read_vertices(&e, "fixed", 1, def.vertex_count, &def.fixed_count);
    }
    read_attachments(&e, &def);
    if (r->status != TML_OK) return;
    tml_spec_add_deformable(r->spec, &def);
    tml__take_refusal(r, value);
}

void tml__read_deformables(reader* r, const json* list)
{
    if (!tml__is_list(r, list, "'deformables'")) return;
    int index = 0;
    for (const json* item = list->first; item != NULL && r->status == TML_OK; item = item->next) {
        read_deformable(r, item, index++);
    }
}
