// math/mat3.c - eigenvalues and eigenvectors of a symmetric 3 x 3 matrix.
//
// Cyclic Jacobi: turn each of the three coordinate planes in turn so that its off-diagonal entry
// vanishes, until all of them have. It converges quadratically, needs no cases for repeated
// eigenvalues, and the vectors come out orthonormal to round-off.
#include "math/mat3.h"

// Turn the plane (p, q) so that a_pq becomes zero: a <- J^T a J, v <- v J.
static void rotate_plane(mat3* a, mat3* v, int p, int q)
{
    const double a_pq = a->m[p][q];
    // below a rounding of both diagonal entries: of equal ones it would be turned about by 45
    // degrees for ever, since it is too small to tell them apart
    const double size = sqrt(fabs(a->m[p][p])) * sqrt(fabs(a->m[q][q]));
    if (fabs(a_pq) <= 2.3e-16 * size) {
        a->m[p][q] = a->m[q][p] = 0.0;
        return;
    }

    // tan of the smaller of the two possible angles; a huge theta gives t = 0, which is right
    const double theta = (a->m[q][q] - a->m[p][p]) / (2.0 * a_pq);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;

    const int k = 3 - p - q;
    const double a_kp = a->m[k][p];
    const double a_kq = a->m[k][q];
    a->m[k][p] = a->m[p][k] = c * a_kp - s * a_kq;
    a->m[k][q] = a->m[q][k] = s * a_kp + c * a_kq;
    a->m[p][p] -= t * a_pq;
    a->m[q][q] += t * a_pq;
    a->m[p][q] = a->m[q][p] = 0.0;

    for (int i = 0; i < 3; i++) {
        const double v_ip = v->m[i][p];
        const double v_iq = v->m[i][q];
        v->m[i][p] = c * v_ip - s * v_iq;
        v->m[i][q] = s * v_ip + c * v_iq;
    }
}

// Swap eigenpairs i and j when they are out of order.
static void order(double* d, mat3* v, int i, int j)
{
    if (d[i] <= d[j]) return;

    const double swapped = d[i];
    d[i] = d[j];
    d[j] = swapped;
    for (int k = 0; k < 3; k++) {
        const double entry = v->m[k][i];
        v->m[k][i] = v->m[k][j];
        v->m[k][j] = entry;
    }
}

void tml__m3_eigen(mat3 a, vec3* values, mat3* vectors)
{
    enum {
        MAX_SWEEPS = 20
    };  // five are typical; the bound only matters for NaN
    mat3 v = m3_identity();

    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        if (a.m[0][1] == 0.0 && a.m[0][2] == 0.0 && a.m[1][2] == 0.0) break;
        rotate_plane(&a, &v, 0, 1);
        rotate_plane(&a, &v, 0, 2);
        rotate_plane(&a, &v, 1, 2);
    }

    double d[3] = {a.m[0][0], a.m[1][1], a.m[2][2]};
    order(d, &v, 0, 1);
    order(d, &v, 1, 2);
    order(d, &v, 0, 1);

    // a swap mirrors the frame; turning one vector round makes it right-handed again
    if (m3_determinant(v) < 0.0) {
        for (int k = 0; k < 3; k++) v.m[k][2] = -v.m[k][2];
    }
    *values = v3(d[0], d[1], d[2]);
    *vectors = v;
}
