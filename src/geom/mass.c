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

// What one shape weighs: its mass and its principal moments about its own centre and axes.
typedef struct solid {
    double mass;
    vec3 moments;
} solid;

static solid ellipsoid(double rho, vec3 radii)
{
    const double a2 = radii.x * radii.x;
    const double b2 = radii.y * radii.y;
    const double c2 = radii.z * radii.z;
    const double m = rho * 4.0 / 3.0 * TML_PI * radii.x * radii.y * radii.z;

    return (solid){m, {m * (b2 + c2) / 5.0, m * (a2 + c2) / 5.0, m * (a2 + b2) / 5.0}};
}

static solid cylinder(double rho, double r, double L)
{
    const double m = rho * TML_PI * r * r * L;
    const double across = m * (3.0 * r * r + L * L) / 12.0;

    return (solid){m, {across, across, m * r * r / 2.0}};
}

static solid box(double rho, vec3 size)
{
    const double a2 = size.x * size.x;
    const double b2 = size.y * size.y;
    const double c2 = size.z * size.z;
    const double m = rho * size.x * size.y * size.z;

    return (solid){m, {m * (b2 + c2) / 12.0, m * (a2 + c2) / 12.0, m * (a2 + b2) / 12.0}};
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
    sum.moments = v3_add(sum.moments, v3_add(ball.moments, v3(moved, moved, 0.0)));
    return sum;
}

static solid solid_of(const tml_shape_def* s)
{
    switch (s->kind) {
    case TML_SHAPE_SPHERE: return ellipsoid(s->density, v3(s->size.x, s->size.x, s->size.x));
    case TML_SHAPE_ELLIPSOID: return ellipsoid(s->density, s->size);
    case TML_SHAPE_CAPSULE: return capsule(s->density, s->size.x, s->size.z);
    case TML_SHAPE_CYLINDER: return cylinder(s->density, s->size.x, s->size.z);
    case TML_SHAPE_BOX: return box(s->density, s->size);
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
    case TML_SHAPE_PLANE:
    case TML_SHAPE_KINDS: break;
    }
    return false;
}

// R diag(moments) R^T + m (d.d I - d d^T)
static mat3 inertia_about(const solid* body, quat q, vec3 d)
{
    const mat3 R = q_matrix(q_normalize(q));
    const mat3 own =
        m3_mul_bt(m3_mul(R, m3_diagonal(body->moments.x, body->moments.y, body->moments.z)), R);

    return m3_sub(own, m3_scale(body->mass, m3_skew_skew(d, d)));
}

tml_status tml_shapes_mass(const tml_shape_def* shapes, int count, tml_mass_properties* out)
{
    double mass = 0.0;
    vec3 first_moment = v3_zero();
    for (int i = 0; i < count; i++) {
        const tml_shape_def* s = &shapes[i];
        if (!has_volume(s) || !(s->density >= 0.0)) return TML_BAD_ARGUMENT;
        const solid body = solid_of(s);
        mass += body.mass;
        first_moment = v3_axpy(first_moment, body.mass, s->pose.p);
    }
    if (!(mass > 0.0) || !isfinite(mass)) return TML_BAD_ARGUMENT;

    const vec3 com = v3_scale(1.0 / mass, first_moment);
    mat3 J = m3_zero();
    for (int i = 0; i < count; i++) {
        const solid body = solid_of(&shapes[i]);
        J = m3_add(J, inertia_about(&body, shapes[i].pose.q, v3_sub(shapes[i].pose.p, com)));
    }
    *out = (tml_mass_properties){
        .mass = mass,
        .com = com,
        .inertia = {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]},
    };
    return TML_OK;
}
