// math/svd.c - one-sided Jacobi: turn pairs of columns until all are at right angles.
#include "math/svd.h"

#include <stdbool.h>

// Turn columns p and q of b, and of v with them, to right angles. True when they were not.
static bool turn_columns(vec3* b, vec3* v, int p, int q)
{
    const double alpha = v3_dot(b[p], b[p]);
    const double beta = v3_dot(b[q], b[q]);
    const double gamma = v3_dot(b[p], b[q]);
    if (!(fabs(gamma) > 1e-16 * sqrt(alpha) * sqrt(beta))) return false;

    const double theta = (beta - alpha) / (2.0 * gamma);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;
    const vec3 bp = b[p];
    const vec3 vp = v[p];
    b[p] = v3_sub(v3_scale(c, bp), v3_scale(s, b[q]));
    b[q] = v3_add(v3_scale(s, bp), v3_scale(c, b[q]));
    v[p] = v3_sub(v3_scale(c, vp), v3_scale(s, v[q]));
    v[q] = v3_add(v3_scale(s, vp), v3_scale(c, v[q]));
    return true;
}

// The longer column first. The swap turns one of the two round, so that V stays a rotation.
static void order(vec3* b, vec3* v, int p, int q)
{
    if (!(v3_dot(b[p], b[p]) < v3_dot(b[q], b[q]))) return;
    const vec3 bp = b[p];
    const vec3 vp = v[p];
    b[p] = b[q];
    v[p] = v[q];
    b[q] = v3_neg(bp);
    v[q] = v3_neg(vp);
}

// Any unit vector at right angles to a unit vector.
static vec3 beside(vec3 u)
{
    const vec3 e = fabs(u.x) < 0.6 ? v3(1.0, 0.0, 0.0) : v3(0.0, 1.0, 0.0);
    const vec3 c = v3_cross(u, e);
    return v3_scale(1.0 / v3_norm(c), c);
}

mat3_svd tml__m3_svd(mat3 a)
{
    enum {
        MAX_SWEEPS = 30
    };  // five or six are typical
    vec3 b[3] = {m3_column(a, 0), m3_column(a, 1), m3_column(a, 2)};
    vec3 v[3] = {v3(1.0, 0.0, 0.0), v3(0.0, 1.0, 0.0), v3(0.0, 0.0, 1.0)};

    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        bool has_turned = turn_columns(b, v, 0, 1);
        has_turned = turn_columns(b, v, 0, 2) || has_turned;
        has_turned = turn_columns(b, v, 1, 2) || has_turned;
        if (!has_turned) break;
    }
    order(b, v, 0, 1);
    order(b, v, 1, 2);
    order(b, v, 0, 1);

    const double s0 = v3_norm(b[0]);
    const double s1 = v3_norm(b[1]);
    // below rounding of the largest a column has no direction of its own
    const vec3 u0 = s0 > 0.0 ? v3_scale(1.0 / s0, b[0]) : v3(1.0, 0.0, 0.0);
    vec3 u1 = beside(u0);
    if (s1 > 1e-15 * s0) {
        u1 = v3_axpy(b[1], -v3_dot(u0, b[1]), u0);
        u1 = v3_scale(1.0 / v3_norm(u1), u1);
    }
    const vec3 u2 = v3_cross(u0, u1);
    return (mat3_svd){.U = m3_columns(u0, u1, u2),
                      .V = m3_columns(v[0], v[1], v[2]),
                      .s = v3(s0, s1, v3_dot(u2, b[2]))};
}
