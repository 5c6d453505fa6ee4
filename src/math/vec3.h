// math/vec3.h - vectors of three, by value.
#ifndef TML_MATH_VEC3_H
#define TML_MATH_VEC3_H

#include <trammel/base.h>

#include <math.h>

typedef tml_vec3 vec3;

static inline vec3 v3(double x, double y, double z) { return (vec3){x, y, z}; }
static inline vec3 v3_zero(void) { return (vec3){0.0, 0.0, 0.0}; }
static inline vec3 v3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 v3_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 v3_neg(vec3 a) { return (vec3){-a.x, -a.y, -a.z}; }
static inline vec3 v3_scale(double s, vec3 a) { return (vec3){s * a.x, s * a.y, s * a.z}; }

// a + s b
static inline vec3 v3_axpy(vec3 a, double s, vec3 b)
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v3_norm(vec3 a) { return sqrt(v3_dot(a, a)); }

// Largest |component|.
static inline double v3_max(vec3 a)
{
    const double xy = fabs(a.x) > fabs(a.y) ? fabs(a.x) : fabs(a.y);
    return xy > fabs(a.z) ? xy : fabs(a.z);
}

// The component of index 0, 1 or 2.
static inline double v3_at(vec3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

static inline void v3_set(vec3* a, int i, double value)
{
    double* component = i == 0 ? &a->x : i == 1 ? &a->y : &a->z;
    *component = value;
}

static inline vec3 v3_unit(int i)
{
    return (vec3){i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
}

static inline vec3 v3_load(const double* p) { return (vec3){p[0], p[1], p[2]}; }

static inline void v3_store(double* p, vec3 a)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

static inline int v3_is_finite(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
