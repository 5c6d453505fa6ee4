// geom/hull.h - the convex hull of a set of points.
#ifndef TML_GEOM_HULL_H
#define TML_GEOM_HULL_H

#include "base/message.h"
#include "geom/polytope.h"

// The hull as a polytope, coplanar faces merged. TML_BAD_ARGUMENT: fewer than four points, points in
// one plane, or not finite; `why` says which of a shape that `what` names.
tml_status tml__hull(pool* memory, int count, const vec3* points, const char* what, message* why,
                     polytope* out);

#endif
