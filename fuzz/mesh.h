// fuzz/mesh.h - any bytes as a mesh file of the given name: read, weighed and hulled.
#ifndef TRAMMEL_FUZZ_MESH_H
#define TRAMMEL_FUZZ_MESH_H

#include "geom/hull.h"
#include "io/mesh.h"

#include <trammel/trammel.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static inline void read_mesh(const uint8_t* data, size_t size, const char* name)
{
    pool memory = {0};
    mesh_data mesh;
    message why;
    if (tml__mesh_read((const char*)data, size, name, &memory, &mesh, &why) == TML_OK) {
        tml_shape_def shape = tml_shape_def_default();
        tml_mass_properties p;
        polytope hull;
        shape.kind = TML_SHAPE_MESH;
        shape.density = 1000.0;
        shape.vertex_count = mesh.vertex_count;
        shape.vertices = mesh.vertices;
        shape.triangle_count = mesh.triangle_count;
        shape.triangles = mesh.triangles;
        tml_shapes_mass(&shape, 1, &p);
        tml__hull(&memory, mesh.vertex_count, mesh.vertices, name, &why, &hull);
    }
    tml__pool_destroy(&memory);
}

#endif
