// math/spatial.h - rigid motions, wrenches and inertias, all about one point in world axes.
//
//   twist    omega, and the velocity of the point of the body that is at the reference point
//   wrench   moment about the reference point, and force
//   inertia  mass, first moment m c, and second moment about the reference point
#ifndef TML_MATH_SPATIAL_H
#define TML_MATH_SPATIAL_H

#include "math/mat3.h"

typedef struct twist {
    vec3 omega, v;
} twist;

typedef struct wrench {
    vec3 moment, force;
} wrench;

typedef struct spatial_inertia {
    double mass;
    vec3 first;
    mat3 second;
} spatial_inertia;

static inline twist tw_zero(void) { return (twist){v3_zero(), v3_zero()}; }

static inline twist tw_add(twist a, twist b)
{
    return (twist){v3_add(a.omega, b.omega), v3_add(a.v, b.v)};
}

// a + s b
static inline twist tw_axpy(twist a, double s, twist b)
{
    return (twist){v3_axpy(a.omega, s, b.omega), v3_axpy(a.v, s, b.v)};
}

// a x b: how b changes when it is carried along by a.
static inline twist tw_cross(twist a, twist b)
{
    return (twist){v3_cross(a.omega, b.omega),
                   v3_add(v3_cross(a.omega, b.v), v3_cross(a.v, b.omega))};
}

static inline wrench wr_zero(void) { return (wrench){v3_zero(), v3_zero()}; }

static inline wrench wr_add(wrench a, wrench b)
{
    return (wrench){v3_add(a.moment, b.moment), v3_add(a.force, b.force)};
}

static inline wrench wr_scale(double s, wrench a)
{
    return (wrench){v3_scale(s, a.moment), v3_scale(s, a.force)};
}

static inline wrench wr_sub(wrench a, wrench b)
{
    return (wrench){v3_sub(a.moment, b.moment), v3_sub(a.force, b.force)};
}

// Power of a wrench on a motion.
static inline double sv_dot(twist a, wrench f)
{
    return v3_dot(a.omega, f.moment) + v3_dot(a.v, f.force);
}

// a x* f: how f changes when it is carried along by a.
static inline wrench tw_cross_wrench(twist a, wrench f)
{
    return (wrench){v3_add(v3_cross(a.omega, f.moment), v3_cross(a.v, f.force)),
                    v3_cross(a.omega, f.force)};
}

// A body of mass m at c, with inertia J about c, seen from the reference point.
static inline spatial_inertia si_of(double mass, vec3 c, mat3 J)
{
    // m (c.c I - c c^T) = -m [c][c]
    const mat3 shifted = m3_sub(J, m3_scale(mass, m3_skew_skew(c, c)));
    return (spatial_inertia){mass, v3_scale(mass, c), shifted};
}

static inline spatial_inertia si_add(spatial_inertia a, spatial_inertia b)
{
    return (spatial_inertia){a.mass + b.mass, v3_add(a.first, b.first), m3_add(a.second, b.second)};
}

static inline spatial_inertia si_scale(double s, spatial_inertia a)
{
    return (spatial_inertia){s * a.mass, v3_scale(s, a.first), m3_scale(s, a.second)};
}

// The momentum of a moving body.
static inline wrench si_apply(const spatial_inertia* I, twist a)
{
    return (wrench){v3_add(m3_apply(I->second, a.omega), v3_cross(I->first, a.v)),
                    v3_sub(v3_scale(I->mass, a.v), v3_cross(I->first, a.omega))};
}

#endif
