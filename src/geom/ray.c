// geom/ray.c - rays in the frame of the piece: a convex body is where its parts' intervals overlap.
#include "geom/ray.h"

#include <math.h>

ray tml__ray_within(const ray* r, vec3 p, const mat3* R)
{
    return (ray){m3_apply_t(*R, v3_sub(r->from, p)), m3_apply_t(*R, r->along), r->reach};
}

// From where to where along the ray it is inside, and the normal where it enters.
typedef struct span {
    double in, out;
    vec3 normal;
} span;

static const span everywhere = {-HUGE_VAL, HUGE_VAL, {0.0, 0.0, 0.0}};
static const span nowhere = {HUGE_VAL, -HUGE_VAL, {0.0, 0.0, 0.0}};

static span both(span a, span b)
{
    return (span){a.in > b.in ? a.in : b.in, a.out < b.out ? a.out : b.out,
                  a.in > b.in ? a.normal : b.normal};
}

static bool enters(const span* s, const ray* r)
{
    return s->in <= s->out && s->in >= 0.0 && s->in <= r->reach;
}

static bool holds_start(const span* s) { return s->in < 0.0 && s->out > 0.0; }

// Below a plane: n . x <= height.
static span below(const ray* r, vec3 n, double height)
{
    const double over = v3_dot(n, r->from) - height;
    const double slope = v3_dot(n, r->along);
    if (slope < 0.0) return (span){-over / slope, HUGE_VAL, n};
    if (slope > 0.0) return (span){-HUGE_VAL, -over / slope, n};
    return over <= 0.0 ? everywhere : nowhere;
}

// In a ball of this radius about a point. The nearest point of the ray first: squares of long ways would cancel.
static span in_ball(const ray* r, vec3 centre, double radius)
{
    const vec3 away = v3_sub(r->from, centre);
    const double back = v3_dot(away, r->along);
    const vec3 nearest = v3_axpy(away, -back, r->along);
    const double square = radius * radius - v3_dot(nearest, nearest);
    if (!(square >= 0.0)) return nowhere;
    const double half = sqrt(square);
    const vec3 normal = v3_axpy(nearest, -half, r->along);
    return (span){-back - half, -back + half, v3_scale(1.0 / radius, normal)};
}

// In a cylinder about z without ends.
static span in_tube(const ray* r, double radius)
{
    const vec3 flat = v3(r->along.x, r->along.y, 0.0);
    const double speed = v3_norm(flat);
    const vec3 from = v3(r->from.x, r->from.y, 0.0);
    if (!(speed > 0.0)) return v3_dot(from, from) <= radius * radius ? everywhere : nowhere;
    const ray across = {from, v3_scale(1.0 / speed, flat), HUGE_VAL};
    const span s = in_ball(&across, v3_zero(), radius);
    return (span){s.in / speed, s.out / speed, s.normal};
}

static span in_slab(const ray* r, double half)
{
    return both(below(r, v3(0.0, 0.0, 1.0), half), below(r, v3(0.0, 0.0, -1.0), half));
}

static span in_ellipsoid(const ray* r, vec3 radii)
{
    const vec3 from = v3(r->from.x / radii.x, r->from.y / radii.y, r->from.z / radii.z);
    const vec3 way = v3(r->along.x / radii.x, r->along.y / radii.y, r->along.z / radii.z);
    const double stretch = v3_norm(way);
    const ray scaled = {from, v3_scale(1.0 / stretch, way), HUGE_VAL};
    const span s = in_ball(&scaled, v3_zero(), 1.0);
    const vec3 n = v3(s.normal.x / radii.x, s.normal.y / radii.y, s.normal.z / radii.z);
    const double length = v3_norm(n);
    return (span){s.in / stretch, s.out / stretch,
                  length > 0.0 ? v3_scale(1.0 / length, n) : v3_zero()};
}

static span in_hull(const ray* r, const polytope* hull)
{
    span s = everywhere;
    for (int f = 0; f < hull->face_count && s.in <= s.out; f++) {
        const vec3 n = hull->face_normal[f];
        const vec3 corner = hull->vertices[hull->face_vertex[hull->face_start[f]]];
        s = both(s, below(r, n, v3_dot(n, corner)));
    }
    return s;
}

// A rod with round ends is a tube and two balls: it is entered where the first of them is, and nowhere by a
// ray that starts in any of them.
static bool enter_rod(const ray* r, double half, double radius, span* out)
{
    const span parts[3] = {
        both(in_tube(r, radius), in_slab(r, half)),
        in_ball(r, v3(0.0, 0.0, half), radius),
        in_ball(r, v3(0.0, 0.0, -half), radius),
    };
    *out = nowhere;
    for (int k = 0; k < 3; k++) {
        if (parts[k].in <= parts[k].out && holds_start(&parts[k])) return false;
        if (enters(&parts[k], r) && parts[k].in < out->in) *out = parts[k];
    }
    return enters(out, r);
}

bool tml__ray_piece(const piece* p, const ray* r, ray_hit* out)
{
    const convex* c = &p->core;
    const ray own = tml__ray_within(r, c->p, &c->R);
    span s = nowhere;
    bool is_hit;
    if (p->kind == PIECE_HULL && c->offset > 0.0) {
        // the cores of balls and capsules: a point, or a segment along z
        is_hit = enter_rod(&own, c->hull->size, c->offset, &s);
    } else {
        if (p->kind == PIECE_PLANE) s = below(&own, v3(0.0, 0.0, 1.0), 0.0);
        if (p->kind == PIECE_HULL) s = in_hull(&own, c->hull);
        if (p->kind == PIECE_CYLINDER) s = both(in_tube(&own, c->size.x), in_slab(&own, c->size.z));
        if (p->kind == PIECE_ELLIPSOID) s = in_ellipsoid(&own, c->size);
        is_hit = enters(&s, &own);
    }
    if (is_hit) *out = (ray_hit){s.in, m3_apply(c->R, s.normal)};
    return is_hit;
}

bool tml__ray_triangle(const vec3 corner[3], const ray* r, ray_hit* out)
{
    const vec3 n = v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    const double slope = v3_dot(n, r->along);
    if (!(slope < 0.0)) return false;
    const double t = v3_dot(n, v3_sub(corner[0], r->from)) / slope;
    if (!(t >= 0.0 && t <= r->reach)) return false;
    const vec3 x = v3_axpy(r->from, t, r->along);
    // what passes between two triangles by rounding alone hits both
    const double slack = -1e-12 * v3_dot(n, n);
    for (int k = 0; k < 3; k++) {
        const vec3 edge = v3_sub(corner[(k + 1) % 3], corner[k]);
        if (v3_dot(v3_cross(edge, v3_sub(x, corner[k])), n) < slack) return false;
    }
    *out = (ray_hit){t, v3_scale(1.0 / v3_norm(n), n)};
    return true;
}

bool tml__ray_meets_box(const ray* r, vec3 low, vec3 high)
{
    double in = 0.0;
    double out = r->reach;
    for (int k = 0; k < 3; k++) {
        const double from = v3_at(r->from, k);
        const double along = v3_at(r->along, k);
        if (along == 0.0) {
            if (from < v3_at(low, k) || from > v3_at(high, k)) return false;
            continue;
        }
        const double a = (v3_at(low, k) - from) / along;
        const double b = (v3_at(high, k) - from) / along;
        if ((a < b ? a : b) > in) in = a < b ? a : b;
        if ((a < b ? b : a) < out) out = a < b ? b : a;
    }
    // a box without thickness, or one that is met at its edge, is met whatever the rounding
    return in <= out + 1e-12 * (1.0 + fabs(out));
}
