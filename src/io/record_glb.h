// io/record_glb.h - parts of a glTF file: meshes and height fields, and deformables.
#ifndef TML_IO_RECORD_GLB_H
#define TML_IO_RECORD_GLB_H

#include "io/record.h"
#include "io/writer.h"

typedef struct glb_surface {
    const tml_shape_def* shape;  // the first that has these triangles
    uint64_t hash;
    size_t vertices, triangles;
} glb_surface;

// A surface in a color: what glTF calls a mesh.
typedef struct glb_mesh {
    int surface;
    uint32_t color;
} glb_mesh;

typedef struct glb_meshes {
    int surface_count, mesh_count, use_count, capacity;
    glb_surface* surfaces;
    glb_mesh* meshes;
    int* uses;  // the mesh of each such shape, in the order of bodies and shapes, the world first
} glb_meshes;

// The shapes of body `index`, -1 for the world.
const tml_shape_def* tml__glb_shapes(const tml_model* model, int index, int* count);

static inline uint32_t glb_color(const tml_shape_def* s)
{
    return (uint32_t)s->color[0] << 16 | (uint32_t)s->color[1] << 8 | s->color[2];
}

static inline bool glb_is_surface(const tml_shape_def* s)
{
    return !s->hidden && (s->kind == TML_SHAPE_MESH || s->kind == TML_SHAPE_HEIGHTFIELD);
}

__attribute__((format(printf, 2, 3))) void tml__glb_format(writer* w, const char* format, ...);

bool tml__glb_collect(const tml_model* model, glb_meshes* out);  // false without memory
void tml__glb_free(glb_meshes* m);

// Two accessors a surface, positions in `view` and indices in `view` + 1, each after a comma.
void tml__glb_accessors(const glb_meshes* m, int view, writer* w);
size_t tml__glb_vertex_bytes(const glb_meshes* m);
size_t tml__glb_index_bytes(const glb_meshes* m);
void tml__glb_write(const glb_meshes* m, tml_recorder* r);  // all positions, then all indices

// ---- deformables (record_glb_soft.c)

typedef struct glb_soft {
    const tml_model* model;
    int count;
    const double* kept;  // states: `rows` of them, `stride` numbers each
    size_t rows, stride;
    size_t keys, every;        // states that are shown; 0: nothing moves
    size_t points, triangles;  // of all
    double* place;             // of one
    double* base;              //
    double* rest;              //
} glb_soft;

bool tml__glb_soft_prepare(const tml_recorder* r, glb_soft* out);  // false without memory
void tml__glb_soft_free(glb_soft* f);

// Each after a comma. Views: `view` has positions, then come times and weights,
// where anything moves, then indices, where there are triangles.
void tml__glb_soft_meshes(const glb_soft* f, size_t first_accessor, int material, writer* w);
void tml__glb_soft_accessors(const glb_soft* f, int view, writer* w);
// One sampler that all share, and a channel each.
void tml__glb_soft_samplers(const glb_soft* f, size_t first_accessor, bool is_first, writer* w);
void tml__glb_soft_channels(const glb_soft* f, size_t sampler, size_t first_node, bool is_first,
                            writer* w);
size_t tml__glb_soft_position_bytes(const glb_soft* f);
size_t tml__glb_soft_index_bytes(const glb_soft* f);
size_t tml__glb_soft_weight_bytes(const glb_soft* f);
void tml__glb_soft_write(const glb_soft* f, tml_recorder* r);  // all of these views

#endif
