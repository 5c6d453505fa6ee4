// viewer/meshes.h - the meshes and height fields of a model, each distinct one once, by number.
//
// The description of a model names meshes by these numbers; their triangles travel by themselves, in
// binary, and a mesh that is too large to draw is told, not sent.
#ifndef TRAMMEL_VIEWER_MESHES_H
#define TRAMMEL_VIEWER_MESHES_H

#include "viewer/text.h"

#include <trammel/trammel.h>

typedef struct mesh_entry {
    const tml_shape_def* shape;  // borrowed from the model
    unsigned long long hash;     // of what it holds
    int body;                    // the first that has it, -1: the world
    int triangles;
    bool is_drawn;
} mesh_entry;

typedef struct mesh_list {
    mesh_entry* entries;
    int count, capacity;
    bool is_broken;  // memory ran out
} mesh_list;

typedef struct mesh_limits {
    int each, all;  // triangles
} mesh_limits;

// What a page can open in a few seconds, and what a report may weigh.
extern const mesh_limits mesh_limits_view, mesh_limits_report;

void meshes_collect(const tml_model* model, mesh_limits most, mesh_list* out);
void meshes_free(mesh_list* list);

// The number of a shape's mesh; -1 for a shape that is none.
int meshes_find(const mesh_list* list, const tml_shape_def* shape);

// "meshes":[{"triangles":N,"drawn":true,"body":"NAME"},...]
void meshes_describe(const tml_model* model, const mesh_list* list, text* out);

// The triangles of one: vertices and triangles as 32-bit counts, then floats, then 32-bit indices.
void meshes_pack(const tml_shape_def* shape, text* out);

#endif
