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
