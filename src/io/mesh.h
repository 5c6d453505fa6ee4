// io/mesh.h - triangles from STL (text or binary) and OBJ files.
//
// The files are read with bounds on everything. Vertices that have the same coordinates become one;
// triangles without area are left out. Of an OBJ only `v` and `f` count: polygons are cut into
// triangles from their first corner, and what describes looks is skipped.
#ifndef TML_IO_MESH_H
#define TML_IO_MESH_H

#include "base/message.h"
#include "base/pool.h"

enum {
    MESH_MOST = 1 << 22  // vertices or triangles
};
#define MESH_MAX_BYTES ((size_t)256 << 20)  // of a file

typedef struct mesh_data {
    int vertex_count;
    tml_vec3* vertices;
    int triangle_count;
    int* triangles;  // 3 per triangle
} mesh_data;

// Read a file whose name ends in .stl or .obj (in any case). The arrays belong to the pool.
// TML_BAD_FILE with "FILE:LINE: what is wrong" or, in a binary file, "FILE: triangle N: ...".
tml_status tml__mesh_read_file(const char* path, pool* memory, mesh_data* out, message* why);

// The same from memory: `name` gives the ending and stands in messages.
tml_status tml__mesh_read(const char* bytes, size_t length, const char* name, pool* memory,
                          mesh_data* out, message* why);

#endif
