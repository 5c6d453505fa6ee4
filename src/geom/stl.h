// geom/stl.h - triangles of STL files, binary or text, and what a body bounded by them weighs.
#ifndef TML_GEOM_STL_H
#define TML_GEOM_STL_H

#include "base/message.h"
#include "base/pool.h"
#include "math/mat3.h"

#include <stdbool.h>

typedef struct triangle_soup {
    int count;
    vec3* corners;  // three a triangle
} triangle_soup;

// Read a file's text. Sizes are checked against what is there before anything is allocated.
// TML_BAD_FILE with a sentence: truncated, not STL, a coordinate that is not finite.
tml_status tml__stl_read(pool* memory, const char* text, size_t length, triangle_soup* out,
                         message* why);

// Volume, centre of mass and inertia about it at density 1, each triangle's pyramid counted as
// positive: what MuJoCo weighs meshes by, exact for bodies that are star-shaped about the centre of
// their surface. False when there is no volume.
bool tml__soup_weigh(const triangle_soup* s, double* volume, vec3* com, mat3* inertia);

#endif
