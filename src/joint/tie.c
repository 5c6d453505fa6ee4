// joint/tie.c - rows that tie the velocities of one body.
#include "joint/tie.h"

#include <math.h>

// Edge and point are fixed in the body: they turn with it.
static int knife_edge(const nonholonomic_data* tie, const rigid* body, tie_row* out)
{
    const vec3 n = m3_apply(body->R, tie->axis);
    const vec3 r = m3_apply(body->R, tie->point);

    *out = (tie_row){.is_velocity = true,
                     .n = n,
                     .r = r,
                     .P = m3_scale(-1.0, m3_skew(n)),
                     .Q = m3_scale(-1.0, m3_skew(r))};
    return 1;
}

// sin of the angle between a disc's axis e and the normal; below this no lowest point can be told.
static const double flat = 1e-9;

// From the centre to the lowest point, d = -radius s / |s| with s = N - (N.e) e, and its slope:
//     ds = -(e (e x N)^T - (N.e) [e]) dphi,    d|s| = -(N.e) / |s| (e x N) . dphi
static void lowest_point(const nonholonomic_data* tie, const rigid* body, vec3* d, mat3* slope)
{
    const vec3 N = tie->normal;

    *slope = m3_zero();
    *d = v3_scale(-tie->radius, N);
    if (tie->is_sphere) return;

    const vec3 e = m3_apply(body->R, tie->axis);
    const double along = v3_dot(N, e);
    const vec3 s = v3_axpy(N, -along, e);
    const double size = v3_norm(s);
    if (size < flat) return;  // never reached by a step that ends well: tml__tie_is_flat
    const vec3 across = v3_cross(e, N);
    const mat3 turn = m3_sub(m3_scale(along, m3_skew(e)), m3_outer(e, across));
    const mat3 stretch = m3_scale(along / (size * size), m3_outer(s, across));
    *d = v3_scale(-tie->radius / size, s);
    *slope = m3_scale(-tie->radius / size, m3_add(turn, stretch));
}

static int rolling(const nonholonomic_data* tie, const rigid* body, tie_row out[TIE_ROWS])
{
    const vec3 centre = m3_apply(body->R, tie->point);
    vec3 d;
    mat3 slope;
    lowest_point(tie, body, &d, &slope);

    const tie_row row = {.is_velocity = true,
                         .n = tie->normal,
                         .r = v3_add(centre, d),
                         .Q = m3_sub(slope, m3_skew(centre))};
    out[0] = out[1] = out[2] = row;
    out[0].is_velocity = false;
    out[0].C = v3_dot(tie->normal, v3_add(body->c, row.r)) - tie->offset;
    out[1].n = tie->across[0];
    out[2].n = tie->across[1];
    return 3;
}

int tml__tie_rows(const nonholonomic_data* tie, const rigid* body, tie_row out[TIE_ROWS])
{
    return tie->kind == TML_KNIFE_EDGE ? knife_edge(tie, body, out) : rolling(tie, body, out);
}

bool tml__tie_is_flat(const nonholonomic_data* tie, const rigid* body)
{
    if (tie->kind == TML_KNIFE_EDGE || tie->is_sphere) return false;
    return v3_norm(v3_cross(m3_apply(body->R, tie->axis), tie->normal)) < flat;
}

// d(n . (v + omega x r)) = dn . u + (n x omega) . dr
vec3 tml__tie_rate_slope(const tie_row* t, const rigid* body)
{
    const vec3 u = v3_add(body->v, v3_cross(body->omega, t->r));
    return v3_add(m3_apply_t(t->P, u), m3_apply_t(t->Q, v3_cross(t->n, body->omega)));
}

// d(r x n) = dr x n + r x dn
tie_bend tml__tie_bend(const tie_row* t)
{
    return (tie_bend){.force = t->P,
                      .torque = m3_sub(m3_mul(m3_skew(t->r), t->P), m3_mul(m3_skew(t->n), t->Q))};
}
