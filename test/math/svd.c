// test/math/svd.c - stretches and rotations put together again.
#include "math/svd.h"

#include "test/check.h"
#include "test/random.h"

static double off(mat3 a, mat3 b)
{
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double d = fabs(a.m[i][j] - b.m[i][j]);
            if (!(d <= largest)) largest = d;
        }
    }
    return largest;
}

static void check_parts(mat3 a)
{
    const mat3_svd d = tml__m3_svd(a);
    const double size = fabs(d.s.x);
    const mat3 again = m3_mul_bt(m3_mul(d.U, m3_diagonal(d.s.x, d.s.y, d.s.z)), d.V);
    CHECK(off(again, a) <= 4e-15 * size);
    CHECK(off(m3_mul_bt(d.U, d.U), m3_identity()) <= 4e-15);
    CHECK(off(m3_mul_bt(d.V, d.V), m3_identity()) <= 4e-15);
    CHECK_NEAR(m3_determinant(d.U), 1.0, 4e-15);
    CHECK_NEAR(m3_determinant(d.V), 1.0, 4e-15);
    CHECK(d.s.x >= d.s.y && d.s.y >= fabs(d.s.z) - 1e-15 * size);
    CHECK(m3_determinant(a) >= -1e-15 * size * size * size || d.s.z < 0.0);
}

TEST(any_matrix_is_stretches_between_rotations)
{
    random_source r = random_start(11);
    for (int k = 0; k < 3000; k++) {
        mat3 a;
        for (int i = 0; i < 9; i++) a.m[i / 3][i % 3] = random_between(&r, -1.0, 1.0);
        check_parts(a);
    }
}

TEST(flat_thin_and_vanished_matrices_have_parts_too)
{
    random_source r = random_start(12);
    for (int k = 0; k < 500; k++) {
        const mat3 U = q_matrix(random_quat(&r));
        const mat3 V = q_matrix(random_quat(&r));
        const double small[] = {0.0, 1e-300, 1e-18, 1e-12, 1e-6, -1e-6, 1.0, -1.0};
        const double z = small[k % 8];
        check_parts(m3_mul_bt(m3_mul(U, m3_diagonal(2.0, 1.0, z)), V));
        check_parts(m3_mul_bt(m3_mul(U, m3_diagonal(2.0, z, 0.0)), V));
        check_parts(m3_mul_bt(m3_mul(U, m3_diagonal(1.0, 1.0, 1.0)), V));
    }
    const mat3_svd none = tml__m3_svd(m3_zero());
    CHECK(none.s.x == 0.0 && none.s.y == 0.0 && none.s.z == 0.0);
    CHECK_NEAR(m3_determinant(none.U), 1.0, 0.0);
}
