// geom/soup.c - what a body bounded by triangles weighs, each pyramid counted as positive.
#include "geom/soup.h"

typedef struct face {
    vec3 a, b, c;
    vec3 normal;    // twice the area long
    vec3 centroid;  // of the corners
} face;

static face face_of(const triangle_soup* s, int i)
{
    const vec3* p = &s->corners[3 * i];
    return (face){p[0], p[1], p[2], v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])),
                  v3_scale(1.0 / 3.0, v3_add(p[0], v3_add(p[1], p[2])))};
}

// The pyramid over a face with its tip at `from`, always positive.
static double pyramid(const face* f, vec3 from)
{
    return fabs(v3_dot(v3_sub(f->centroid, from), f->normal)) / 6.0;
}

// The centre of the surface.
static vec3 surface_centre(const triangle_soup* s)
{
    double area = 0.0;
    vec3 sum = v3_zero();
    for (int i = 0; i < s->count; i++) {
        const face f = face_of(s, i);
        const double twice = v3_norm(f.normal);
        area += twice;
        sum = v3_axpy(sum, twice, f.centroid);
    }
    return area > 0.0 ? v3_scale(1.0 / area, sum) : v3_zero();
}

// Second moments of a pyramid with its tip in the origin:
//   V/20 (s s^T + a a^T + b b^T + c c^T),  s = a + b + c
bool tml__soup_weigh(const triangle_soup* s, double* volume, vec3* com, mat3* inertia)
{
    const vec3 tip = surface_centre(s);
    vec3 first = v3_zero();
    *volume = 0.0;
    for (int i = 0; i < s->count; i++) {
        const face f = face_of(s, i);
        const double V = pyramid(&f, tip);
        const vec3 centre = v3_add(v3_scale(0.75, f.centroid), v3_scale(0.25, tip));
        *volume += V;
        first = v3_axpy(first, V, centre);
    }
    if (!(*volume > 0.0) || !isfinite(*volume)) return false;
    *com = v3_scale(1.0 / *volume, first);

    // once more about the centre of mass: pyramids that count as positive weigh differently from there
    mat3 second = m3_zero();
    *volume = 0.0;
    for (int i = 0; i < s->count; i++) {
        const face f = face_of(s, i);
        const double V = pyramid(&f, *com);
        *volume += V;
        const vec3 a = v3_sub(f.a, *com);
        const vec3 b = v3_sub(f.b, *com);
        const vec3 c = v3_sub(f.c, *com);
        const vec3 sum = v3_add(a, v3_add(b, c));
        const mat3 products = m3_add(m3_add(m3_outer(sum, sum), m3_outer(a, a)),
                                     m3_add(m3_outer(b, b), m3_outer(c, c)));
        second = m3_add(second, m3_scale(V / 20.0, products));
    }
    const double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    *inertia = m3_sub(m3_diagonal(trace, trace, trace), second);
    return true;
}
