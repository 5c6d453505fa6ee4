// trammel/deformable.h - soft things: points with mass, held together by elastic tetrahedra.
#ifndef TRAMMEL_DEFORMABLE_H
#define TRAMMEL_DEFORMABLE_H

#include <trammel/joint.h>

TML_BEGIN_C

typedef enum tml_material {
    TML_MATERIAL_LINEAR,       // small strains only: large rotations swell
    TML_MATERIAL_COROTATED,    // the strain of F beside its nearest rotation
    TML_MATERIAL_NEO_HOOKEAN,  // stable neo-Hookean: volumes resist, also from inside out
    TML_MATERIALS,
} tml_material;

TML_API const char* tml_material_name(tml_material material);
TML_API bool tml_material_find(const char* name, tml_material* out);  // false: no such name

enum {
    TML_DEFORMABLE_MOST = 1 << 24  // vertices or tetrahedra of one
};

enum {
    TML_EMBEDDED = -1  // an attachment of a point, not of a vertex
};

// A vertex that a body carries along, or any point of a tetrahedron: it keeps its place in the body
// frame.
typedef struct tml_attachment {
    int vertex;         // or TML_EMBEDDED: the point at `position`
    tml_body body;      // TML_WORLD holds it where it is
    tml_vec3 position;  // of the rest shape, world coordinates
} tml_attachment;

// A deformable as it is at rest, in world coordinates; it begins at rest there. Without tetrahedra it
// is a set of particles.
typedef struct tml_deformable_def {
    const char* name;  // NULL: "deformableN"
    int vertex_count;
    const tml_vec3* vertices;
    int tetrahedron_count;
    const int* tetrahedra;  // 4 vertices each, either way round
    double young;           // Pa
    double poisson;         // in (-1, 0.5)
    double density;         // kg/m^3
    tml_material material;
    bool is_consistent;  // the mass matrix of the shape functions, instead of lumps at the vertices
    double friction;     // of its outer vertices, with contact
    double thickness;    // m: how far outside of its outer vertices it touches
    double vertex_mass;  // kg, of every vertex beside its share of the tetrahedra
    tml_vec3 velocity;   // initial, of all vertices that are free
    int fixed_count;
    const int* fixed;  // vertices that never move
    int attachment_count;
    const tml_attachment* attachments;
    // what is seen instead of its own outside: points that follow the tetrahedra they lie in
    int surface_vertex_count;          // 0: none
    const tml_vec3* surface_vertices;  // at rest, world coordinates
    int surface_triangle_count;
    const int* surface_triangles;  // 3 points each, outwards
    int touches_by_surface;  // with contact: the points of the surface touch, not the outer vertices
} tml_deformable_def;

// Rubber: 1e6 Pa, 0.3, 1000 kg/m^3, co-rotated, lumped; no vertices.
TML_API tml_deformable_def tml_deformable_def_default(void);

TML_END_C

#endif
