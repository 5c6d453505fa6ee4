// geom/embed.h - points that tetrahedra carry: which one holds each, and with what weights.
#ifndef TML_GEOM_EMBED_H
#define TML_GEOM_EMBED_H

#include "geom/mapping.h"

// Borrowed. None of the tetrahedra is flat.
typedef struct embed_mesh {
    const vec3* vertices;
    int count;
    const int* corners;  // 4 a tetrahedron
} embed_mesh;

typedef struct embed_worst {
    int point;  // the one that is farthest outside
    double
        weight;  // its smallest: 0 or more is inside, -1 is as far outside as its tetrahedron is high
} embed_worst;

// Four terms a point, whose inputs are vertices. A point belongs to the tetrahedron in which its
// smallest weight is largest: the one that holds it, or else the one that it is least outside of.
tml_status tml__embed(const embed_mesh* mesh, int count, const vec3* points, mapping_term* terms,
                      embed_worst* worst);

#endif
