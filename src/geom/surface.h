// geom/surface.h - surfaces made of triangles that never move: fixed meshes and heightfields.
//
// A surface has a front, where the normals of its triangles point; a body that touches from there
// meets one triangle at a time. Contacts with an edge or a vertex whose normal no neighbouring
// triangle allows are not real: the neighbour has a better one. So a ball rolls over the seams of a
// flat mesh without feeling them.
#ifndef TML_GEOM_SURFACE_H
#define TML_GEOM_SURFACE_H

#include "base/message.h"
#include "geom/aabb_tree.h"
#include "geom/narrow.h"
#include "geom/ray.h"

#include <trammel/shape.h>

typedef struct surface surface;  // opaque

// From a shape of kind TML_SHAPE_MESH or TML_SHAPE_HEIGHTFIELD, whose arrays are borrowed.
// TML_BAD_ARGUMENT: a triangle without area; `why` names it.
tml_status tml__surface_create(const tml_shape_def* shape, const char* what,
                               const tml_allocator* allocator, message* why, surface** out);
void tml__surface_destroy(surface* s);

const aabb* tml__surface_box(const surface* s);  // in the frame of the shape

enum {
    SURFACE_MOST_CONTACTS = CONTACTS_MOST,  // of one piece with one surface
    SURFACE_MOST_TRIANGLES = 1024           // under one piece
};

typedef struct surface_contacts {
    int count;
    contact contacts[SURFACE_MOST_CONTACTS];  // in the order of their ids
    int faceted;
} surface_contacts;

// Contacts of a piece, body a, with the surface, body b, placed at `p`, `R`.
// TML_TOO_MANY_CONTACTS: more triangles under the piece than can be looked at.
tml_status tml__surface_contacts(surface* s, vec3 p, const mat3* R, const piece* a, double margin,
                                 surface_contacts* out);

// Where a ray first meets the front of the surface placed at `p`, `R`; false: nowhere within its reach.
bool tml__surface_ray(surface* s, vec3 p, const mat3* R, const ray* r, ray_hit* out);

#endif
