// geom/ray.h - where a ray enters a convex piece or a surface.
#ifndef TML_GEOM_RAY_H
#define TML_GEOM_RAY_H

#include "geom/narrow.h"

#include <stdbool.h>

typedef struct ray {
    vec3 from;
    vec3 along;  // unit
    double reach;
} ray;

typedef struct ray_hit {
    double distance;
    vec3 normal;  // outward
} ray_hit;

// In the frame that is at p, R.
ray tml__ray_within(const ray* r, vec3 p, const mat3* R);

// False: it does not enter within its reach. A ray that starts inside does not enter.
bool tml__ray_piece(const piece* p, const ray* r, ray_hit* out);

// From the front of a triangle, at most so far.
bool tml__ray_triangle(const vec3 corner[3], const ray* r, ray_hit* out);

// Does it pass through a box?
bool tml__ray_meets_box(const ray* r, vec3 low, vec3 high);

#endif
