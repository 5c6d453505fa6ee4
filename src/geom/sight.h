// geom/sight.h - how far a sensor sees to the surface of a shape, touching or only drawn, from within too.
#ifndef TML_GEOM_SIGHT_H
#define TML_GEOM_SIGHT_H

#include "math/pose.h"

#include <trammel/shape.h>

// The least t >= 0 at which from + t along meets the surface of a shape that stands at `at`; negative: nowhere. `along`
// has length one. From within, the surface is met from inside; a plane only from above.
double tml__sight(const tml_shape_def* shape, pose at, vec3 from, vec3 along);

#endif
