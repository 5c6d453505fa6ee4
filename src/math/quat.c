// math/quat.c - from a rotation matrix to its quaternion.
#include "math/quat.h"

// The diagonal gives four times the square of each component,
//   4 w^2 = 1 + r00 + r11 + r22,   4 x^2 = 1 + r00 - r11 - r22, ...
// and sums and differences across it give four times the products of two. We take the largest
// square, at least 1, and divide the products by its root, so nothing cancels. Of the two
// quaternions, q and -q, the answer is the one with w >= 0.
quat tml__q_from_matrix(mat3 r)
{
    const double r00 = r.m[0][0];
    const double r11 = r.m[1][1];
    const double r22 = r.m[2][2];
    const double ww = 1.0 + r00 + r11 + r22;
    const double xx = 1.0 + r00 - r11 - r22;
    const double yy = 1.0 - r00 + r11 - r22;
    const double zz = 1.0 - r00 - r11 + r22;

    const double wx = r.m[2][1] - r.m[1][2];
    const double wy = r.m[0][2] - r.m[2][0];
    const double wz = r.m[1][0] - r.m[0][1];
    const double xy = r.m[1][0] + r.m[0][1];
    const double xz = r.m[0][2] + r.m[2][0];
    const double yz = r.m[2][1] + r.m[1][2];

    // each line is four times q times its largest component
    quat q = {ww, wx, wy, wz};
    if (xx > ww && xx >= yy && xx >= zz) {
        q = (quat){wx, xx, xy, xz};
    } else if (yy > ww && yy >= zz) {
        q = (quat){wy, xy, yy, yz};
    } else if (zz > ww) {
        q = (quat){wz, xz, yz, zz};
    }

    q = q_normalize(q);
    return q.w < 0.0 ? q_scale(-1.0, q) : q;
}

vec3 tml__q_log(quat q)
{
    if (q.w < 0.0) q = q_scale(-1.0, q);
    const double sine = v3_norm(q_vec(q));
    return sine > 0.0 ? v3_scale(2.0 * tml__atan2(sine, q.w) / sine, q_vec(q)) : v3_zero();
}

vec3 tml__q_log_rate(vec3 phi, vec3 omega)
{
    const double a = v3_norm(phi);
    const double half = 0.5 * a;
    // below 1e-3 rad the series 1/12 + a^2/720 is exact to rounding
    const double k = a < 1e-3 ? 1.0 / 12.0 + a * a / 720.0
                              : (1.0 - half * tml__cos(half) / tml__sin(half)) / (a * a);
    const vec3 once = v3_cross(phi, omega);
    return v3_axpy(v3_axpy(omega, -0.5, once), k, v3_cross(phi, once));
}

vec3 tml__q_exp_rate(vec3 phi, vec3 rate)
{
    const double a = v3_norm(phi);
    // below 1e-4 rad the series are exact to the last bit
    const double b = a < 1e-4 ? 0.5 - a * a / 24.0 : (1.0 - tml__cos(a)) / (a * a);
    const double c = a < 1e-4 ? 1.0 / 6.0 - a * a / 120.0 : (a - tml__sin(a)) / (a * a * a);
    const vec3 once = v3_cross(phi, rate);
    return v3_axpy(v3_axpy(rate, b, once), c, v3_cross(phi, once));
}
