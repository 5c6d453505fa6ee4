// model/skin.c - what is drawn of a deformable: points that follow its vertices.          [COOK Sec 9]
//
// A surface that comes with the deformable may be finer than its tetrahedra: each of its points keeps
// its barycentric coordinates in the tetrahedron it lies in. Without one the outside is drawn as it is.
#include "geom/embed.h"
#include "model/deformable.h"

#include <math.h>
#include <string.h>

// ---- checks

static tml_status check_lists(const tml_deformable_def* def, message* why)
{
    if (def->surface_vertex_count < 3 || def->surface_triangle_count < 1 ||
        def->surface_vertex_count > TML_DEFORMABLE_MOST ||
        def->surface_triangle_count > TML_DEFORMABLE_MOST || def->surface_vertices == NULL ||
        def->surface_triangles == NULL) {
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "deformable '%s': its surface has %d points and %d triangles, but must have "
            "3 and 1 at least and %d at most",
            def->name, def->surface_vertex_count, def->surface_triangle_count,
            (int)TML_DEFORMABLE_MOST);
    }
    for (int i = 0; i < def->surface_vertex_count; i++) {
        const vec3 x = def->surface_vertices[i];
        if (v3_is_finite(x) && v3_max(x) <= 1e30) continue;
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': point %d of its surface is not finite, or beyond 1e30 m",
                         def->name, i);
    }
    for (int i = 0; i < 3 * def->surface_triangle_count; i++) {
        const int point = def->surface_triangles[i];
        if (point >= 0 && point < def->surface_vertex_count) continue;
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "deformable '%s': triangle %d of its surface names point %d, but there are "
            "%d",
            def->name, i / 3, point, def->surface_vertex_count);
    }
    return TML_OK;
}

static tml_status embed(const tml_deformable_def* def, pool* memory, mapping_term** terms,
                        embed_worst* worst)
{
    const embed_mesh mesh = {def->vertices, def->tetrahedron_count, def->tetrahedra};
    *terms = tml__pool_take(memory, 4 * (size_t)def->surface_vertex_count, sizeof **terms);
    if (*terms == NULL) return TML_NO_MEMORY;
    return tml__embed(&mesh, def->surface_vertex_count, def->surface_vertices, *terms, worst);
}

tml_status tml__check_skin(const tml_deformable_def* def, message* why)
{
    if (def->surface_vertex_count == 0 && def->surface_triangle_count == 0) {
        if (!def->touches_by_surface) return TML_OK;
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': its surface is to touch, but it has none", def->name);
    }
    if (def->tetrahedron_count == 0) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "deformable '%s': a surface follows tetrahedra, but there are none",
                         def->name);
    }
    tml_status status = check_lists(def, why);
    if (status != TML_OK) return status;
    pool scratch = {0};
    mapping_term* terms = NULL;
    embed_worst worst;
    status = embed(def, &scratch, &terms, &worst);
    tml__pool_destroy(&scratch);
    if (status != TML_OK) return tml__fail(why, status, "out of memory");
    // farther out than its tetrahedron is high, small strains would become large motions
    if (worst.weight >= -1.0) return TML_OK;
    const vec3 x = def->surface_vertices[worst.point];
    return tml__fail(
        why, TML_BAD_ARGUMENT,
        "deformable '%s': point %d of its surface, at (%g, %g, %g), lies outside of the "
        "tetrahedra, %.3g times the height of the nearest away",
        def->name, worst.point, x.x, x.y, x.z, -worst.weight);
}

tml_status tml__skin_copy(const tml_deformable_def* def, pool* memory, tml_deformable_def* out)
{
    out->surface_vertices =
        tml__pool_copy(memory, def->surface_vertices, (size_t)def->surface_vertex_count,
                       sizeof *def->surface_vertices);
    out->surface_triangles =
        tml__pool_copy(memory, def->surface_triangles, 3 * (size_t)def->surface_triangle_count,
                       sizeof *def->surface_triangles);
    return out->surface_vertices && out->surface_triangles ? TML_OK : TML_NO_MEMORY;
}

// ---- the points

static tml_status take_surface(const tml_deformable_def* def, pool* memory, soft_data* soft)
{
    mapping_term* terms = NULL;
    embed_worst worst;
    int* first =
        tml__pool_take(memory, (size_t)def->surface_vertex_count + 1, sizeof *soft->skin.first);
    const tml_status status = embed(def, memory, &terms, &worst);
    if (first == NULL || status != TML_OK) return TML_NO_MEMORY;
    for (int i = 0; i <= def->surface_vertex_count; i++) first[i] = 4 * i;
    soft->skin =
        (mapping){MAPPING_POINTS, def->vertex_count, def->surface_vertex_count, first, terms};
    soft->skin_triangle_count = def->surface_triangle_count;
    soft->skin_triangles = def->surface_triangles;
    return TML_OK;
}

// The vertices of the outside, or all of them where there is none, in their order.
static tml_status take_outside(const tml_deformable_def* def, pool* memory, soft_data* soft)
{
    const size_t vertices = (size_t)def->vertex_count;
    int* point = tml__pool_take(memory, vertices, sizeof *point);
    int* first = tml__pool_take(memory, vertices + 1, sizeof *first);
    mapping_term* terms = tml__pool_take(memory, vertices, sizeof *terms);
    int* triangles = tml__pool_take(memory, 3 * (size_t)soft->triangle_count, sizeof *triangles);
    if (!point || !first || !terms || !triangles) return TML_NO_MEMORY;
    for (int i = 0; i < 3 * soft->triangle_count; i++) point[soft->triangles[i]] = 1;
    int count = 0;
    for (int i = 0; i < def->vertex_count; i++) {
        if (point[i] == 0 && def->tetrahedron_count > 0) continue;
        terms[count] = (mapping_term){.input = i, .weight = 1.0};
        first[count] = count;
        point[i] = count++;
    }
    first[count] = count;
    for (int i = 0; i < 3 * soft->triangle_count; i++) triangles[i] = point[soft->triangles[i]];
    soft->skin = (mapping){MAPPING_POINTS, def->vertex_count, count, first, terms};
    soft->skin_triangle_count = soft->triangle_count;
    soft->skin_triangles = triangles;
    return TML_OK;
}

tml_status tml__derive_skin(const tml_deformable_def* def, pool* memory, soft_data* soft)
{
    return def->surface_vertex_count > 0 ? take_surface(def, memory, soft)
                                         : take_outside(def, memory, soft);
}

// ---- asking

tml_skin tml_model_skin(const tml_model* model, int deformable)
{
    if (model == NULL) return (tml_skin){0};
    if (tml_model_deformable(model, deformable) == NULL) return (tml_skin){0};
    const soft_data* soft = &model->soft[deformable];
    return (tml_skin){soft->skin.output_count, soft->skin_triangle_count, soft->skin_triangles};
}

void tml_model_skin_places(const tml_model* model, int deformable, const double* vertices,
                           double* points)
{
    if (model == NULL) return;
    if (tml_model_deformable(model, deformable) == NULL) return;
    tml__mapping_apply(&model->soft[deformable].skin, vertices, points);
}
