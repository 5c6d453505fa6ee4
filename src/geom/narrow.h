// geom/narrow.h - where two convex pieces touch, or nearly do.
//
// A piece is what a collider is made of: a plane, or a convex core with its rounding. The answer is a
// manifold of up to 8 contacts, each with the exact features that touch and an id made of them.
//
//   plane          with anything: every vertex, end or rim within the margin
//   sphere         a rounded point, capsule a rounded segment: cores by GJK, rounding added
//   box, hull      faces clipped against each other, or the two edges, or what is nearest
//   cylinder       its caps count as prisms, its side as a rounded segment, its rims exactly
//   ellipsoid      exactly, one contact
#ifndef TML_GEOM_NARROW_H
#define TML_GEOM_NARROW_H

#include "geom/contact.h"
#include "geom/gjk.h"

#include <stdbool.h>

typedef enum piece_kind {
    PIECE_PLANE,     // normal z of the core's frame
    PIECE_HULL,      // a polytope, rounded or not: point, segment, box, hull, triangle
    PIECE_CYLINDER,  // `prism` and `segment` stand for its caps and its side
    PIECE_ELLIPSOID,
} piece_kind;

typedef struct piece {
    piece_kind kind;
    convex core;
    const polytope* prism;    // PIECE_CYLINDER; borrowed
    const polytope* segment;  // PIECE_CYLINDER; borrowed
} piece;

enum {
    MANIFOLD_MOST = 8,
    CYLINDER_SIDES = 16  // of the prism that stands for a cap lying flat
};

typedef struct manifold {
    int count;
    contact contacts[MANIFOLD_MOST + 1];  // point, normal, gap, id and feature are filled; the last
                                          // place is for one that is only looked at
    int faceted;  // contacts whose exact features were not found: their normal turns with body b
} manifold;

// The contacts with a gap of at most `margin`.
// TML_SINGULAR: the pieces coincide so that no normal exists (points in one place, segments along
// each other). TML_UNSUPPORTED: two planes.
tml_status tml__narrow(const piece* a, const piece* b, double margin, manifold* out);

// ---- between the files of the narrow phase

// Kinds of features in ids; the two numbers beside them say which.
typedef enum id_kind {
    ID_VERTEX_VERTEX,
    ID_VERTEX_EDGE,
    ID_EDGE_VERTEX,
    ID_EDGE_EDGE,
    ID_VERTEX_FACE,
    ID_FACE_VERTEX,
    ID_CUT_A,     // edge of a, side of a face of b
    ID_CUT_B,     //
    ID_CORNER_A,  // corner of a face of a above a face of b
    ID_CORNER_B,  //
    ID_CURVED,    // codes of the elements
    ID_FACETED,
} id_kind;

static inline uint64_t feature_id(id_kind kind, int a, int b)
{
    return (uint64_t)kind << 36 | (uint64_t)(uint32_t)a << 18 | (uint64_t)(uint32_t)b;
}

// Where the pieces are nearest: a normal and the vertices that decide it.
typedef struct nearest_pair {
    vec3 n;           // from b to a
    double distance;  // of the cores along n; negative: depth
    vec3 a, b;        // nearest points of the cores
    int count;  // pairs, 1 to 3; 0: only n and distance are known, the rest follows from the axis
    support_pair pair[3];
    sat_result axis;
} nearest_pair;

// Two directions closer than this (2 degrees) are one where faces and edges are matched.
#define ALIGNED_COSINE 0.9994

// Evaluate the feature and append it when its gap is within the margin. A singular feature is
// reported, a full manifold takes no more.
tml_status tml__manifold_add(manifold* m, const contact_feature* feature, vec3 start, uint64_t id,
                             double margin);

// Sort by id and keep the deepest contact and those that span the largest area, `most` in all (at
// least 4), of at most CONTACTS_MOST; returns how many remain.
enum {
    CONTACTS_MOST = 64
};
int tml__contacts_reduce(contact* list, int count, int most);

// Clip the face, edge or vertex of `incident` that looks at a face of `reference` against the sides
// of that face; what remains within the margin is appended.
tml_status tml__clip(const convex* reference, int face, const convex* incident, bool reference_is_a,
                     double margin, manifold* m);

// The face whose outward normal is most along a world direction; -1 without faces.
int tml__aligned_face(const convex* c, vec3 direction, double* cosine);

// Contacts of two polytopes whose nearest features are known, or the axis that tells them.
tml_status tml__hull_contacts(const convex* a, const convex* b, nearest_pair* near, double margin,
                              manifold* m);

// Distance or depth of two cores and the direction; of two boxes perhaps only that, most contacts need no
// more. *is_near: they are no farther apart than the margin.
tml_status tml__nearest_direction(const convex* a, const convex* b, double margin,
                                  nearest_pair* out, bool* is_near);

// The same with all features.
tml_status tml__nearest_features(const convex* a, const convex* b, double margin, nearest_pair* out,
                                 bool* is_near);

tml_status tml__curved_contacts(const piece* a, const piece* b, double margin, manifold* m);
tml_status tml__plane_contacts(const piece* plane, const piece* other, bool plane_is_a,
                               double margin, manifold* m);

#endif
