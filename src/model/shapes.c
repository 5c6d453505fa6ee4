// model/shapes.c - shapes: what makes one acceptable, and deep copies.
#include "math/vec3.h"
#include "model/check.h"
#include "model/spec.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// ---- checks

static tml_status check_mesh(const tml_shape_def* s, const char* what, message* why)
{
    if (s->vertex_count < 3 || s->triangle_count < 1 || s->vertex_count > TML_MESH_MOST ||
        s->triangle_count > TML_MESH_MOST || s->vertices == NULL || s->triangles == NULL) {
        return tml__fail(
            why, TML_BAD_ARGUMENT,
            "%s: a mesh has 3 to %d vertices and 1 to %d triangles, but this one has %d "
            "and %d",
            what, TML_MESH_MOST, TML_MESH_MOST, s->vertex_count, s->triangle_count);
    }
    for (int i = 0; i < s->vertex_count; i++) {
        if (!v3_is_finite(s->vertices[i]) || v3_max(s->vertices[i]) > 1e30) {
            return tml__fail(why, TML_BAD_ARGUMENT, "%s: vertex %d is not finite, or beyond 1e30 m",
                             what, i);
        }
    }
    for (int i = 0; i < 3 * s->triangle_count; i++) {
        if (s->triangles[i] < 0 || s->triangles[i] >= s->vertex_count) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "%s: triangle %d: %d is none of its %d vertices", what, i / 3,
                             s->triangles[i], s->vertex_count);
        }
    }
    return TML_OK;
}

static tml_status check_grid(const tml_shape_def* s, const char* what, message* why)
{
    if (s->rows < 2 || s->columns < 2 || s->rows > TML_GRID_MOST || s->columns > TML_GRID_MOST ||
        s->heights == NULL || !(s->size.x > 0.0) || !(s->size.y > 0.0)) {
        return tml__fail(why, TML_BAD_ARGUMENT,
                         "%s: a heightfield has 2 to %d rows and columns over a positive size, but "
                         "this one has %d and %d over (%g, %g) m",
                         what, TML_GRID_MOST, s->rows, s->columns, s->size.x, s->size.y);
    }
    for (int i = 0; i < s->rows * s->columns; i++) {
        if (!(fabs(s->heights[i]) <= 1e30)) {
            return tml__fail(why, TML_BAD_ARGUMENT,
                             "%s: the height in row %d and column %d is %g m", what, i / s->columns,
                             i % s->columns, s->heights[i]);
        }
    }
    return TML_OK;
}

tml_status tml__check_shape_lists(const tml_shape_def* shape, const char* what, message* why)
{
    if (shape->kind == TML_SHAPE_MESH) return check_mesh(shape, what, why);
    return shape->kind == TML_SHAPE_HEIGHTFIELD ? check_grid(shape, what, why) : TML_OK;
}

// ---- copies

// Lists of other kinds are not looked at.
static bool copy_lists(pool* memory, tml_shape_def* s)
{
    if (s->kind == TML_SHAPE_MESH) {
        const size_t corners = 3 * (size_t)s->triangle_count;
        s->vertices =
            tml__pool_copy(memory, s->vertices, (size_t)s->vertex_count, sizeof *s->vertices);
        s->triangles = tml__pool_copy(memory, s->triangles, corners, sizeof *s->triangles);
        return s->vertices != NULL && s->triangles != NULL;
    }
    if (s->kind == TML_SHAPE_HEIGHTFIELD) {
        const size_t count = (size_t)s->rows * (size_t)s->columns;
        s->heights = tml__pool_copy(memory, s->heights, count, sizeof *s->heights);
        return s->heights != NULL;
    }
    return true;
}

tml_shape_def* tml__shapes_copy(pool* memory, const tml_shape_def* shapes, int count)
{
    tml_shape_def* out = tml__pool_copy(memory, shapes, (size_t)count, sizeof *shapes);
    for (int i = 0; i < count && out != NULL; i++) {
        if (!copy_lists(memory, &out[i])) return NULL;
        if (out[i].name == NULL) continue;
        out[i].name = tml__pool_text(memory, out[i].name);
        if (out[i].name == NULL) return NULL;
    }
    return out;
}

static bool is_same_vector(tml_vec3 a, tml_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Equal, and without lists of their own.
static bool is_same_shape(const tml_shape_def* a, const tml_shape_def* b)
{
    const bool has_lists = a->kind == TML_SHAPE_MESH || a->kind == TML_SHAPE_HEIGHTFIELD;
    return !has_lists && a->kind == b->kind && is_same_vector(a->size, b->size) &&
           is_same_vector(a->pose.p, b->pose.p) && a->pose.q.w == b->pose.q.w &&
           a->pose.q.x == b->pose.q.x && a->pose.q.y == b->pose.q.y && a->pose.q.z == b->pose.q.z &&
           a->density == b->density && a->friction == b->friction &&
           a->restitution == b->restitution && a->collide == b->collide && a->hidden == b->hidden &&
           a->group == b->group && a->mask == b->mask && a->groups == b->groups &&
           a->priority == b->priority && a->dimensions == b->dimensions &&
           a->torsion == b->torsion && a->margin == b->margin && a->rolling == b->rolling &&
           a->name == NULL && b->name == NULL && memcmp(a->color, b->color, sizeof a->color) == 0;
}

const tml_shape_def* tml__shapes_share(pool* memory, const tml_shape_def* shapes, int count,
                                       const tml_body_def* last)
{
    bool is_same = last != NULL && last->shape_count == count;
    for (int i = 0; i < count && is_same; i++)
        is_same = is_same_shape(&shapes[i], &last->shapes[i]);
    return is_same ? last->shapes : tml__shapes_copy(memory, shapes, count);
}
