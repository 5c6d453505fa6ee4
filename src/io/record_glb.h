// io/record_glb.h - the meshes and height fields of a glTF file: collected, described, written.
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

#endif
