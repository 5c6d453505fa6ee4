// geom/polytope.h - convex polytopes: vertices, faces and edges that know each other.
//
// A point has one vertex, a segment two vertices and an edge, a triangle two faces back to back. All
// else is a solid whose faces are convex polygons, counter-clockwise seen from outside.
#ifndef TML_GEOM_POLYTOPE_H
#define TML_GEOM_POLYTOPE_H

#include "base/pool.h"
#include "math/mat3.h"

typedef struct polytope_edge {
    int v[2];  // vertices
    int f[2];  // faces; -1: none
} polytope_edge;

typedef struct polytope {
    int vertex_count;
    const vec3* vertices;
    int face_count;
    const int* face_start;    // face_count + 1: its vertices are face_vertex[face_start[f]] ...
    const int* face_vertex;   //
    const vec3* face_normal;  // unit, outward
    int edge_count;           //
    const polytope_edge* edges;
    const int* neighbour_start;  // vertex_count + 1: vertices that share an edge with a vertex
    const int* neighbours;       //
    double size;                 // largest distance of a vertex from the origin of the shape
    int is_box;                  // made by tml__polytope_box with these half edges
    vec3 half_size;              //
} polytope;

enum {
    // feature ids have 18 bits, and there are up to 6 sides of faces for a vertex
    POLYTOPE_MAX_VERTICES = 1 << 15
};

// Faces as loops of vertices: face f has face_size[f] of them, one loop after the other. Everything is
// copied into the pool. TML_BAD_ARGUMENT: the loops are no closed surface.
tml_status tml__polytope_build(pool* memory, int vertex_count, const vec3* vertices, int face_count,
                               const int* face_size, const int* loops, polytope* out);

tml_status tml__polytope_point(pool* memory, polytope* out);                        // at the origin
tml_status tml__polytope_segment(pool* memory, double half_length, polytope* out);  // along z
tml_status tml__polytope_box(pool* memory, vec3 half_size, polytope* out);

// The edge of a box between two of its corners, -1: none. Corner k is at +x, +y, +z where bits 0, 1, 2 of k are
// set, and edges stand by their lower corners, then by their higher ones.
static inline int box_edge_between(int u, int v)
{
    static const signed char by_corner[7][5] = {
        // towards the corner that differs by 1, 2 or 4
        {-1, 0, 1, -1, 2},  {-1, -1, 3, -1, 4},   {-1, 5, -1, -1, 6},   {-1, -1, -1, -1, 7},
        {-1, 8, 9, -1, -1}, {-1, -1, 10, -1, -1}, {-1, 11, -1, -1, -1},
    };
    const int low = u < v ? u : v;
    const int apart = u ^ v;
    return low < 7 && apart < 5 ? by_corner[low][apart] : -1;
}

// A prism along z whose corners lie on a circle. At most 64 sides.
tml_status tml__polytope_prism(pool* memory, int sides, double radius, double half_length,
                               polytope* out);

// A triangle needs no memory of its own: `storage` holds its vertices and normals.
typedef struct polytope_triangle {
    vec3 vertices[3];
    vec3 normals[2];
} polytope_triangle;
tml_status tml__polytope_triangle(polytope_triangle* storage, polytope* out);

// The vertex farthest along `direction` (in the frame of the shape). Where several are as far, which
// one depends on the polytope and the direction alone.
int tml__polytope_support(const polytope* p, vec3 direction);

#endif
