// geom/element.h - the local pieces of surface that touch, and the closest points between two.
//
// However a pair of shapes is tested, a contact is in the end a pair of *elements*: points, lines,
// faces, rims of cylinders and ellipsoids, each with a rounding radius around it (a sphere is a
// rounded point, a capsule or the side of a cylinder a rounded line). An element is all that a
// contact remembers of its shape, in world coordinates, and all that its derivative needs.
//
// One formula serves every pair. The closest points a and b lie along the normal n, from B to A,
//
//     a - b = d n                                     d: distance of the elements, may be negative
//
// and a small motion changes n, a and b by solving                              [DCON App C]
//
//     (H_A + H_B + d I) dn - T U ds + T W dt = T (da - db)_material + H_A (w_A x n) + H_B (w_B x n)
//     u . dn = -n . (w_A x u)   for every flat direction u of A, and so for w of B
//
// H: how the support point of an element moves as the normal turns (0 for a point, a curvature
// radius for a rim). U, W: directions in which an element is flat (a line has one, a face two) and
// the contact may slide; T = I - n n^T. A singular system is a pair without unique normal.
#ifndef TML_GEOM_ELEMENT_H
#define TML_GEOM_ELEMENT_H

#include "math/mat3.h"

typedef enum element_kind {
    ELEMENT_POINT,
    ELEMENT_LINE,  // through `point`, along `axis`
    ELEMENT_FACE,  // through `point`, outward normal `axis`
    ELEMENT_RIM,   // circle about `point`, axis `axis`, radius `radius`
    ELEMENT_ELLIPSOID,
} element_kind;

typedef struct element {
    element_kind kind;
    vec3 point;
    vec3 axis;  // unit
    double
        radius;  // of a rim, m; of a line how far it goes from `point`, 0: without end; of a point that is
                 // the end of an edge how far that goes from there along `axis`, 0: of none
    double offset;  // rounding radius, m
    mat3 square;    // of an ellipsoid: R diag(radii^2) R^T
} element;

static inline element element_point(vec3 point, double offset)
{
    return (element){.kind = ELEMENT_POINT, .point = point, .offset = offset};
}

static inline element element_line(vec3 point, vec3 axis, double offset)
{
    return (element){.kind = ELEMENT_LINE, .point = point, .axis = axis, .offset = offset};
}

// From one point to another, which is not the same; it ends there.
static inline element element_edge(vec3 from, vec3 to, double offset)
{
    const vec3 d = v3_sub(to, from);
    const double length = v3_norm(d);
    element edge = element_line(from, v3_scale(1.0 / length, d), offset);
    edge.radius = length;
    return edge;
}

static inline element element_face(vec3 point, vec3 normal)
{
    return (element){.kind = ELEMENT_FACE, .point = point, .axis = normal};
}

static inline element element_rim(vec3 centre, vec3 axis, double radius)
{
    return (element){.kind = ELEMENT_RIM, .point = centre, .axis = axis, .radius = radius};
}

static inline element element_ellipsoid(vec3 centre, mat3 square)
{
    return (element){.kind = ELEMENT_ELLIPSOID, .point = centre, .square = square};
}

typedef struct witness {
    vec3 n;    // from b to a, unit
    double d;  // n . (a - b): distance of the elements without their rounding, m
    vec3 a;    // closest points of the elements without their rounding
    vec3 b;
} witness;

// The closest points of two elements. `start` is a normal near the one wanted: it decides the side
// where two are possible and starts the iteration where one is needed.
// TML_SINGULAR: no unique normal (points that coincide, parallel lines, a rim seen along its axis).
// TML_NOT_CONVERGED: the iteration did not settle; `start` was too far off.
tml_status tml__witness(const element* a, const element* b, vec3 start, witness* out);

// Columns of the derivatives below: (omega_A, v_A, omega_B, v_B), twists of the two bodies in world
// axes about the world's origin: a point x of A moves with v_A + omega_A x x.
enum {
    TWIST_COLUMNS = 12
};

typedef struct witness_slope {
    double d[TWIST_COLUMNS];
    vec3 n[TWIST_COLUMNS];
    vec3 a[TWIST_COLUMNS];
    vec3 b[TWIST_COLUMNS];
} witness_slope;

// Columns `first` to `last` - 1. TML_SINGULAR as above.
tml_status tml__witness_slope(const element* a, const element* b, const witness* w, int first,
                              int last, witness_slope* out);

// Two unit vectors that make a right-handed frame with n: u x v = n.
static inline void tangent_frame(vec3 n, vec3* u, vec3* v)
{
    // the axis with the smallest share of n is the farthest from parallel
    const double x = fabs(n.x);
    const double y = fabs(n.y);
    const double z = fabs(n.z);
    const vec3 e = v3_unit(x <= y && x <= z ? 0 : y <= z ? 1 : 2);
    const vec3 t = v3_cross(e, n);
    *u = v3_scale(1.0 / v3_norm(t), t);
    *v = v3_cross(n, *u);
}

#endif
