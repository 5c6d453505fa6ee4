// test/math/eigen.c - eigenvalues against matrices made from known ones.
#include "math/eigen.h"

#include "test/check.h"
#include "test/random.h"

enum {
    SIZE = 24
};

// Q diag(value) Q^T, Q a product of random plane rotations, lower triangle in `a`.
static void make(random_source* r, int n, const double* value, double* a)
{
    double full[SIZE][SIZE] = {{0}};
    for (int i = 0; i < n; i++) full[i][i] = value[i];
    for (int turn = 0; n > 1 && turn < 4 * n; turn++) {
        const int p = (int)(random_between(r, 0.0, 1.0) * n);
        const int q = (p + 1 + (int)(random_between(r, 0.0, 1.0) * (n - 1))) % n;
        const double angle = random_between(r, 0.0, 6.0);
        const double c = cos(angle);
        const double s = sin(angle);
        for (int k = 0; k < n; k++) {
            const double x = full[p][k];
            const double y = full[q][k];
            full[p][k] = c * x - s * y;
            full[q][k] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
            const double x = full[k][p];
            const double y = full[k][q];
            full[k][p] = c * x - s * y;
            full[k][q] = s * x + c * y;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) a[i * SIZE + j] = full[i][j];
    }
}

// 4 n rotations leave about 4 n rounding errors of the largest entry.
TEST(eigenvalues_come_back_sorted)
{
    random_source r = random_start(7);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + round % SIZE;
        double value[SIZE];
        double a[SIZE * SIZE];
        double found[SIZE];
        for (int i = 0; i < n; i++) value[i] = -3.0 + 0.5 * i;
        make(&r, n, value, a);
        tml__symmetric_eigenvalues(n, a, SIZE, found);
        for (int i = 0; i < n; i++) CHECK_NEAR(found[i], value[i], 1e-15 * 4.0 * n * 10.0);
    }
}

TEST(equal_and_zero_eigenvalues_and_no_matrix_at_all_are_fine)
{
    random_source r = random_start(8);
    const double value[6] = {0.0, 0.0, 0.0, 2.0, 2.0, 2.0};
    double a[SIZE * SIZE];
    double found[SIZE];
    make(&r, 6, value, a);
    tml__symmetric_eigenvalues(6, a, SIZE, found);
    for (int i = 0; i < 6; i++) CHECK_NEAR(found[i], value[i], 1e-13);
    tml__symmetric_eigenvalues(0, a, SIZE, found);
}
