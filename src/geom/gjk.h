// geom/gjk.h - distance or depth of two convex bodies, with the vertices that decide it.
//
// The iterations work on the Minkowski difference a - b and only see support points. What counts
// is what they end on: the pairs of support points that span the nearest face, from which exact
// features are read; the iterations themselves are never differentiated.     [DCON App C]
//
// Rounded shapes enter as their cores (a sphere is a point, a capsule a segment); the rounding is the
// caller's.
#ifndef TML_GEOM_GJK_H
#define TML_GEOM_GJK_H

#include "geom/polytope.h"

typedef enum convex_kind {
    CONVEX_POLYTOPE,
    CONVEX_CYLINDER,   // size.x radius, size.z half length, along z
    CONVEX_ELLIPSOID,  // size: radii
} convex_kind;

// A convex core, placed.
typedef struct convex {
    convex_kind kind;
    const polytope* hull;  // CONVEX_POLYTOPE; borrowed
    vec3 size;
    double offset;  // rounding, m
    vec3 p;         // x_world = p + R x
    mat3 R;
} convex;

static inline vec3 convex_point(const convex* c, vec3 x) { return v3_add(c->p, m3_apply(c->R, x)); }

static inline vec3 convex_vertex(const convex* c, int vertex)
{
    return convex_point(c, c->hull->vertices[vertex]);
}

// The farthest point of the core along a world direction; *vertex is its number, -1 on a curved
// surface.
vec3 tml__convex_support(const convex* c, vec3 direction, int* vertex);

double tml__convex_size(const convex* c);  // radius of a ball about p that holds the core

typedef struct support_pair {
    vec3 a, b;   // world
    vec3 y;      // a - b
    int va, vb;  // vertices; -1: curved
} support_pair;

typedef struct simplex {
    int count;  // 1 to 4
    support_pair pair[4];
    double weight[4];  // of the nearest point
} simplex;

typedef enum gjk_result {
    GJK_FAR,       // farther apart than `reach`
    GJK_SEPARATE,  // *nearest spans the nearest points
    GJK_OVERLAP,   // the cores touch or overlap; *nearest holds the common point
} gjk_result;

// `reach`: stop as soon as the cores are known to be farther apart than this.
gjk_result tml__gjk(const convex* a, const convex* b, double reach, simplex* nearest);

// The nearest point of a - b to the origin.
vec3 tml__simplex_nearest(const simplex* s);

// Depth of cores that overlap: the shortest translation of a that parts them is `depth` along n.
typedef struct epa_result {
    vec3 n;        // from b to a, unit
    double depth;  // >= 0 up to rounding
    support_pair pair[3];
} epa_result;

// TML_SINGULAR: the difference of the cores has no volume (two points, segments or triangles in one
// plane). TML_NOT_CONVERGED: rounding made the expansion inconsistent.
tml_status tml__epa(const convex* a, const convex* b, const simplex* start, epa_result* out);

// ---- sat.c: the same question for two polytopes, by trying every separating direction

typedef enum sat_feature {
    SAT_FACE_A,
    SAT_FACE_B,
    SAT_EDGES,
} sat_feature;

typedef struct sat_result {
    vec3 n;             // from b to a
    double separation;  // of the supporting planes along n; negative: depth
    sat_feature feature;
    int index_a, index_b;  // face, or edges
} sat_result;

// The direction of largest separation. Boxes: 15 axes. Others: all faces, and all edges of the two
// bodies whose arcs on the sphere of normals cross; exact, and costly for large hulls. Boxes that a
// direction parts by more than `reach` are not looked at further: that direction is the answer.
// TML_SINGULAR: there is no direction to try (points, parallel segments).
tml_status tml__sat(const convex* a, const convex* b, double reach, sat_result* out);

#endif
