// geom/sight.c - where a ray meets a shape: roots of quadratics, faces and triangles, in the frame of the shape.
#include "geom/sight.h"

#include <math.h>
#include <stddef.h>

static const double nowhere = -1.0;

static double nearer(double a, double b)
{
    if (!(a >= 0.0)) return b;
    return b >= 0.0 && b < a ? b : a;
}

// The roots of a t^2 + 2 b t + c, nearest first; false: none.
static bool roots(double a, double b, double c, double t[2])
{
    const double square = b * b - a * c;
    if (!(square >= 0.0) || !(a > 0.0)) return false;
    const double root = sqrt(square);
    t[0] = (-b - root) / a;
    t[1] = (-b + root) / a;
    return true;
}

static double ball(vec3 centre, double radius, vec3 p, vec3 d)
{
    double t[2];
    const vec3 r = v3_sub(p, centre);
    if (!roots(v3_dot(d, d), v3_dot(r, d), v3_dot(r, r) - radius * radius, t)) return nowhere;
    return t[0] >= 0.0 ? t[0] : t[1];
}

static double ellipsoid(vec3 s, vec3 p, vec3 d)
{
    const vec3 q = v3(p.x / s.x, p.y / s.y, p.z / s.z);
    return ball(v3_zero(), 1.0, q, v3(d.x / s.x, d.y / s.y, d.z / s.z));
}

// The side of a cylinder of half the length h.
static double side(double radius, double h, vec3 p, vec3 d)
{
    double t[2];
    double best = nowhere;
    const double c = p.x * p.x + p.y * p.y - radius * radius;
    if (!roots(d.x * d.x + d.y * d.y, p.x * d.x + p.y * d.y, c, t)) return nowhere;
    for (int k = 0; k < 2; k++) {
        if (fabs(p.z + t[k] * d.z) <= h) best = nearer(best, t[k]);
    }
    return best;
}

static double cylinder(double radius, double h, vec3 p, vec3 d)
{
    double best = side(radius, h, p, d);
    for (int k = -1; k <= 1 && d.z != 0.0; k += 2) {
        const double t = (k * h - p.z) / d.z;
        const double x = p.x + t * d.x;
        const double y = p.y + t * d.y;
        if (x * x + y * y <= radius * radius) best = nearer(best, t);
    }
    return best;
}

static double capsule(double radius, double h, vec3 p, vec3 d)
{
    double best = side(radius, h, p, d);
    for (int k = -1; k <= 1; k += 2) {
        double t[2];
        const vec3 r = v3_sub(p, v3(0.0, 0.0, k * h));
        if (!roots(v3_dot(d, d), v3_dot(r, d), v3_dot(r, r) - radius * radius, t)) continue;
        for (int i = 0; i < 2; i++) {
            if (k * (p.z + t[i] * d.z) >= h) best = nearer(best, t[i]);
        }
    }
    return best;
}

static double box(vec3 half, vec3 p, vec3 d)
{
    double best = nowhere;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3;
        const int j = (k + 2) % 3;
        for (int s = -1; s <= 1 && v3_at(d, k) != 0.0; s += 2) {
            const double t = (s * v3_at(half, k) - v3_at(p, k)) / v3_at(d, k);
            const vec3 x = v3_axpy(p, t, d);
            const bool is_on =
                fabs(v3_at(x, i)) <= v3_at(half, i) && fabs(v3_at(x, j)) <= v3_at(half, j);
            if (is_on) best = nearer(best, t);
        }
    }
    return best;
}

static double triangle(vec3 a, vec3 b, vec3 c, vec3 p, vec3 d)
{
    const vec3 u = v3_sub(b, a);
    const vec3 v = v3_sub(c, a);
    const vec3 across = v3_cross(d, v);
    const double det = v3_dot(u, across);
    if (det == 0.0) return nowhere;
    const vec3 r = v3_sub(p, a);
    const double x = v3_dot(r, across) / det;
    const vec3 q = v3_cross(r, u);
    const double y = v3_dot(d, q) / det;
    if (!(x >= 0.0 && y >= 0.0 && x + y <= 1.0)) return nowhere;
    return v3_dot(v, q) / det;
}

static double mesh(const tml_shape_def* s, vec3 p, vec3 d)
{
    double best = nowhere;
    for (int k = 0; k < s->triangle_count; k++) {
        const int* i = &s->triangles[3 * k];
        best =
            nearer(best, triangle(s->vertices[i[0]], s->vertices[i[1]], s->vertices[i[2]], p, d));
    }
    return best;
}

static vec3 grid_point(const tml_shape_def* s, int row, int column)
{
    return v3(s->size.x * ((double)column / (s->columns - 1) - 0.5),
              s->size.y * ((double)row / (s->rows - 1) - 0.5),
              s->heights[(size_t)row * (size_t)s->columns + (size_t)column]);
}

static double heightfield(const tml_shape_def* s, vec3 p, vec3 d)
{
    double best = nowhere;
    for (int row = 0; row + 1 < s->rows; row++) {
        for (int column = 0; column + 1 < s->columns; column++) {
            const vec3 a = grid_point(s, row, column);
            const vec3 b = grid_point(s, row, column + 1);
            const vec3 c = grid_point(s, row + 1, column + 1);
            const vec3 e = grid_point(s, row + 1, column);
            best = nearer(best, nearer(triangle(a, b, c, p, d), triangle(a, c, e, p, d)));
        }
    }
    return best;
}

double tml__sight(const tml_shape_def* shape, pose at, vec3 from, vec3 along)
{
    const vec3 p = pose_apply(pose_inverse(at), from);
    const vec3 d = q_rotate(q_conj(at.q), along);
    const vec3 s = shape->size;
    switch (shape->kind) {
    case TML_SHAPE_SPHERE: return ball(v3_zero(), s.x, p, d);
    case TML_SHAPE_ELLIPSOID: return ellipsoid(s, p, d);
    case TML_SHAPE_CAPSULE: return capsule(s.x, 0.5 * s.z, p, d);
    case TML_SHAPE_CYLINDER: return cylinder(s.x, 0.5 * s.z, p, d);
    case TML_SHAPE_BOX: return box(v3_scale(0.5, s), p, d);
    case TML_SHAPE_PLANE: return d.z < 0.0 ? -p.z / d.z : nowhere;
    case TML_SHAPE_HEIGHTFIELD: return heightfield(shape, p, d);
    case TML_SHAPE_MESH: return mesh(shape, p, d);
    case TML_SHAPE_KINDS: break;
    }
    return nowhere;
}
