// io/tetrahedra.h - meshes of tetrahedra: Gmsh's .msh (2.2 and 4.1, ASCII) and TetGen's .node and .ele.
//
// Everything is bounded by what the file really holds. Only tetrahedra of four corners count: points,
// lines and triangles are skipped. Vertices are numbered in the order of the file from 0; those that
// belong to no tetrahedron are left out.
#ifndef TML_IO_TETRAHEDRA_H
#define TML_IO_TETRAHEDRA_H

#include "base/message.h"
#include "base/pool.h"

typedef struct tetrahedra_data {
    int vertex_count;
    tml_vec3* vertices;
    int tetrahedron_count;
    int* tetrahedra;  // 4 per tetrahedron
} tetrahedra_data;

// A file whose name ends in .msh, .node or .ele (in any case); of the last two the other one is found
// beside it. The arrays belong to the pool. TML_BAD_FILE with "FILE:LINE: what is wrong".
tml_status tml__tetrahedra_read_file(const char* path, pool* memory, tetrahedra_data* out,
                                     message* why);

// A text with the name that stands in messages.
typedef struct named_text {
    const char* name;
    const char* bytes;
    size_t length;
} named_text;

tml_status tml__tetrahedra_read_msh(named_text file, pool* memory, tetrahedra_data* out,
                                    message* why);
tml_status tml__tetrahedra_read_tetgen(named_text node, named_text ele, pool* memory,
                                       tetrahedra_data* out, message* why);

#endif
