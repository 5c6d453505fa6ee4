// math/eigen.h - eigenvalues of small symmetric matrices.
#ifndef TML_MATH_EIGEN_H
#define TML_MATH_EIGEN_H

#include <stddef.h>

// Eigenvalues of the symmetric n x n matrix in the lower triangle of `a`, which is spoilt; smallest
// first. Jacobi's rotations: every eigenvalue to rounding of the largest. NaN in, NaN out.
void tml__symmetric_eigenvalues(int n, double* a, ptrdiff_t ld, double* values);

#endif
