// geom/soup.h - what a body bounded by triangles weighs by the rule of MuJoCo.
//
// tml_shapes_mass weighs closed meshes exactly. Models made for MuJoCo also come with meshes that do
// not close, and their masses were found by this rule; their loader asks here.
#ifndef TML_GEOM_SOUP_H
#define TML_GEOM_SOUP_H

#include "math/mat3.h"

#include <stdbool.h>

typedef struct triangle_soup {
    int count;
    vec3* corners;  // three a triangle
} triangle_soup;

// Volume, centre of mass and inertia about it at density 1, each triangle's pyramid counted as
// positive: exact for bodies that are star-shaped about the centre of their surface. False when
// there is no volume.
bool tml__soup_weigh(const triangle_soup* s, double* volume, vec3* com, mat3* inertia);

#endif
