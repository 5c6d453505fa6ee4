// trammel/shape.h - what a body looks like and, with a density, what it weighs.
#ifndef TRAMMEL_SHAPE_H
#define TRAMMEL_SHAPE_H

#include <trammel/base.h>

TML_BEGIN_C

typedef enum tml_shape_kind {
    TML_SHAPE_SPHERE,       // size.x = radius; 0 is a point
    TML_SHAPE_ELLIPSOID,    // size = radii
    TML_SHAPE_CAPSULE,      // size.x = radius, size.z = length of the cylindrical part, along z
    TML_SHAPE_CYLINDER,     // size.x = radius, size.z = length, along z
    TML_SHAPE_BOX,          // size = full edge lengths
    TML_SHAPE_PLANE,        // normal z; everything below it is inside
    TML_SHAPE_HEIGHTFIELD,  // heights over a grid of size.x by size.y about the origin; never moves
    TML_SHAPE_MESH,         // triangles, counter-clockwise from outside; touches as its convex hull
                            // where it moves and with its triangles where it is fixed
    TML_SHAPE_KINDS,
} tml_shape_kind;

typedef struct tml_shape_def {
    tml_shape_kind kind;
    tml_vec3 size;       // m
    tml_pose pose;       // in the body frame
    double density;      // kg/m^3; 0: none
    double friction;     // of a touching pair the smaller counts (tml_spec_set_friction_rule)
    double restitution;  // of a touching pair the larger counts
    bool collide;
    int group;    // shapes of one group do not touch each other; 0: of none
    bool hidden;  // touches and weighs, but is not drawn
    unsigned char color[3];

    // Two shapes touch where the mask of one has a bit of the groups of the other (contype and
    // conaffinity of MJCF); 1 and 1 by default: all do.
    unsigned mask, groups;
    int priority;  // of a touching pair, friction is that of the shape with more of it
    // directions that contact resists, of a pair the larger: 1 (no friction), 3, 4 (torsion too) or
    // 6 (rolling too)
    int dimensions;
    double torsion;    // m: torque about the normal over normal force; where `dimensions` is 4 or 6
    double rolling;    // m: the same about the tangents; where it is 6
    double margin;     // m: it touches so far from its surface; of a touching pair the sum counts
    bool hull;         // TML_SHAPE_MESH: touches as its convex hull where it is fixed too
    const char* name;  // NULL: none; copied by the spec

    // TML_SHAPE_MESH; copied by the spec
    int vertex_count;
    const tml_vec3* vertices;  // m, in the frame of the shape
    int triangle_count;
    const int* triangles;  // 3 vertices each

    // TML_SHAPE_HEIGHTFIELD; copied by the spec
    int rows;               // along y, at least 2
    int columns;            // along x, at least 2
    const double* heights;  // m: rows x columns, from the corner of least x and y, x first
} tml_shape_def;

enum {
    TML_MESH_MOST = 1 << 22,  // vertices or triangles of a mesh
    TML_GRID_MOST = 2048,     // rows or columns of a heightfield
};

TML_API tml_shape_def tml_shape_def_default(void);
TML_API const char* tml_shape_kind_name(tml_shape_kind kind);
TML_API bool tml_shape_kind_find(const char* name, tml_shape_kind* out);  // false: no such name

// Mass properties of a set of shapes: each contributes density x volume.
typedef struct tml_mass_properties {
    double mass;
    tml_vec3 com;       // in the body frame
    double inertia[6];  // xx yy zz xy xz yz about com, body axes
} tml_mass_properties;

// TML_BAD_ARGUMENT when a shape has no volume (plane, heightfield, zero size, a mesh that is not
// closed).
TML_API tml_status tml_shapes_mass(const tml_shape_def* shapes, int count,
                                   tml_mass_properties* out);

TML_END_C

#endif
