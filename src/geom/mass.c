// geom/mass.c - mass, centre of mass and inertia of solid shapes.
//
// Each shape contributes the closed form of a homogeneous solid about its own centre; the sum is
// taken about the common centre of mass in a second pass, so that no large terms cancel.
//
//   rho   density, kg/m^3             V   volume, m^3
//   r     radius, m                   L   length along z, m
//   d     from the common centre of mass to that of the shape, m
#include "math/quat.h"

#include <trammel/shape.h>

#include <stdbool.h>

// What one shape weighs: its mass, and its inertia about its own centre of mass in its own axes.
typedef struct solid {
    double mass;
    vec3 centre;
    mat3 inertia;
} solid;

// A solid whose axes are principal and whose centre is the origin.
static solid centred(double mass, double xx, double yy, double zz)
{
    return (solid){mass, v3_zero(), m3_diagonal(xx, yy, zz)};
}

static solid ellipsoid(double rho, vec3 radii)
{
    const double a2 = radii.x * radii.x;
    const double b2 = radii.y * radii.y;
    const double c2 = radii.z * radii.z;
    const double m = rho * 4.0 / 3.0 * TML_PI * radii.x * radii.y * radii.z;

    return centred(m, m * (b2 + c2) / 5.0, m * (a2 + c2) / 5.0, m * (a2 + b2) / 5.0);
}

static solid cylinder(double rho, double r, double L)
{
    const double m = rho * TML_PI * r * r * L;
    const double across = m * (3.0 * r * r + L * L) / 12.0;

    return centred(m, across, across, m * r * r / 2.0);
}

static solid box(double rho, vec3 size)
{
    const double a2 = size.x * size.x;
    const double b2 = size.y * size.y;
    const double c2 = size.z * size.z;
    const double m = rho * size.x * size.y * size.z;

    return centred(m, m * (b2 + c2) / 12.0, m * (a2 + c2) / 12.0, m * (a2 + b2) / 12.0);
}

// A cylinder and the two halves of a sphere of mass s. The centre of a half lies 3/8 r beyond the
// end of the cylinder; moving both halves there from the centre of the sphere adds
//     s ((L/2 + 3/8 r)^2 - (3/8 r)^2) = s (L^2/4 + 3/8 r L)
static solid capsule(double rho, double r, double L)
{
    solid sum = cylinder(rho, r, L);
    const solid ball = ellipsoid(rho, v3(r, r, r));
    const double moved = ball.mass * (L * L / 4.0 + 3.0 / 8.0 * r * L);

    sum.mass += ball.mass;
    sum.inertia = m3_add(sum.inertia, m3_add(ball.inertia, m3_diagonal(moved, moved, 0.0)));
    return sum;
}

// Whether the triangles close: the sum of their areas as vectors is that of the holes.
static bool is_closed(const tml_shape_def* s)
{
    vec3 sum = v3_zero();
    double total = 0.0;
    for (int t = 0; t < s->triangle_count; t++) {
        const int* v = &s->triangles[3 * t];
        const vec3 a = s->vertices[v[0]];
        const vec3 area = v3_cross(v3_sub(s->vertices[v[1]], a), v3_sub(s->vertices[v[2]], a));
        sum = v3_add(sum, area);
        total += v3_norm(area);
    }
    // the vertices of files have six digits or so
    return v3_norm(sum) <= 1e-5 * total;
}

// Tetrahedra from the middle of the vertices to every triangle, those that look back counted
// negative. Of a tetrahedron with one corner at 0 and the others at a, b, c, of volume V,
//     int x dV = V (a + b + c)/4
//     int x x^T dV = V/20 (a a^T + b b^T + c c^T + (a + b + c)(a + b + c)^T)
static solid mesh(double rho, const tml_shape_def* s)
{
    vec3 middle = v3_zero();
    for (int i = 0; i < s->vertex_count; i++) {
        middle = v3_axpy(middle, 1.0 / s->vertex_count, s->vertices[i]);
    }
    double volume = 0.0;
    vec3 first = v3_zero();
    mat3 second = m3_zero();
    for (int t = 0; t < s->triangle_count; t++) {
        const int* v = &s->triangles[3 * t];
        const vec3 a = v3_sub(s->vertices[v[0]], middle);
        const vec3 b = v3_sub(s->vertices[v[1]], middle);
        const vec3 c = v3_sub(s->vertices[v[2]], middle);
        const vec3 sum = v3_add(a, v3_add(b, c));
        const double V = v3_dot(a, v3_cross(b, c)) / 6.0;
        const mat3 squares = m3_add(m3_add(m3_outer(a, a), m3_outer(b, b)),
                                    m3_add(m3_outer(c, c), m3_outer(sum, sum)));
        volume += V;
        first = v3_axpy(first, V / 4.0, sum);
        second = m3_add(second, m3_scale(V / 20.0, squares));
    }
    // triangles that look inwards all together are a closed surface too
    const double sign = volume < 0.0 ? -1.0 : 1.0;
    const double m = sign * rho * volume;
    if (!(fabs(volume) > 0.0)) return (solid){0};
    const vec3 d = v3_scale(1.0 / volume, first);
    second = m3_sub(m3_scale(sign * rho, second), m3_scale(m, m3_outer(d, d)));
    const double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    return (solid){m, v3_add(middle, d), m3_sub(m3_diagonal(trace, trace, trace), second)};
}

static solid solid_of(const tml_shape_def* s)
{
    switch (s->kind) {
    case TML_SHAPE_SPHERE: return ellipsoid(s->density, v3(s->size.x, s->size.x, s->size.x));
    case TML_SHAPE_ELLIPSOID: return ellipsoid(s->density, s->size);
    case TML_SHAPE_CAPSULE: return capsule(s->density, s->size.x, s->size.z);
    case TML_SHAPE_CYLINDER: return cylinder(s->density, s->size.x, s->size.z);
    case TML_SHAPE_BOX: return box(s->density, s->size);
    case TML_SHAPE_MESH: return mesh(s->density, s);
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_PLANE:
    case TML_SHAPE_KINDS: break;
    }
    return (solid){0};
}

// Whether the shape encloses a volume; a capsule without length is a sphere.
static bool has_volume(const tml_shape_def* s)
{
    const vec3 a = s->size;
    switch (s->kind) {
    case TML_SHAPE_SPHERE: return a.x > 0.0;
    case TML_SHAPE_CAPSULE: return a.x > 0.0 && a.z >= 0.0;
    case TML_SHAPE_CYLINDER: return a.x > 0.0 && a.z > 0.0;
    case TML_SHAPE_ELLIPSOID:
    case TML_SHAPE_BOX: return a.x > 0.0 && a.y > 0.0 && a.z > 0.0;
    case TML_SHAPE_MESH: return is_closed(s) && mesh(1.0, s).mass > 0.0;
    case TML_SHAPE_HEIGHTFIELD:
    case TML_SHAPE_PLANE:
    case TML_SHAPE_KINDS: break;
    }
    return false;
}

static vec3 centre_of(const solid* body, const tml_pose* pose)
{
    return v3_add(pose->p, m3_apply(q_matrix(q_normalize(pose->q)), body->centre));
}

// R I R^T + m (d.d I - d d^T)
static mat3 inertia_about(const solid* body, quat q, vec3 d)
{
    const mat3 R = q_matrix(q_normalize(q));
    const mat3 own = m3_mul_bt(m3_mul(R, body->inertia), R);

    return m3_sub(own, m3_scale(body->mass, m3_skew_skew(d, d)));
}

tml_status tml_shapes_mass(const tml_shape_def* shapes, int count, tml_mass_properties* out)
{
    if ((shapes == NULL && count > 0) || out == NULL) return TML_BAD_ARGUMENT;
    double mass = 0.0;
    vec3 first_moment = v3_zero();
    for (int i = 0; i < count; i++) {
        const tml_shape_def* s = &shapes[i];
        if (!has_volume(s) || !(s->density >= 0.0)) return TML_BAD_ARGUMENT;
        const solid body = solid_of(s);
        mass += body.mass;
        first_moment = v3_axpy(first_moment, body.mass, centre_of(&body, &s->pose));
    }
    if (!(mass > 0.0) || !isfinite(mass)) return TML_BAD_ARGUMENT;

    const vec3 com = v3_scale(1.0 / mass, first_moment);
    mat3 J = m3_zero();
    for (int i = 0; i < count; i++) {
        const solid body = solid_of(&shapes[i]);
        const vec3 d = v3_sub(centre_of(&body, &shapes[i].pose), com);
        J = m3_add(J, inertia_about(&body, shapes[i].pose.q, d));
    }
    *out = (tml_mass_properties){
        .mass = mass,
        .com = com,
        .inertia = {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]},
    };
    return TML_OK;
}
