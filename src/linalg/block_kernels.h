// linalg/block_kernels.h - small dense blocks: products and triangular solves on padded columns.
//
// Each piece is written with vectors of 4 and of 8 doubles and without any, chosen by a constant
// `isa` that disappears when the piece is inlined into a function compiled for that instruction
// set. Every element sees the same operations in the same order whatever the width, products
// are never fused with sums, and so all of them give the same bits.
//
// Blocks are column-major; a column of `width` entries takes `stride` (4, 8 or 12) doubles. The
// padding is carried along and never reaches an entry.
#ifndef TML_LINALG_BLOCK_KERNELS_H
#define TML_LINALG_BLOCK_KERNELS_H

#include "linalg/block_internal.h"
#include "math/lanes.h"

#include <math.h>

// AVX-512 always has fused products, and gcc's vectoriser uses them in spite of
// -ffp-contract=off; vectors written by hand it leaves alone.
#if defined(__clang__)
#define FOR_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq")))
#else
#define FOR_AVX512                                                                                 \
    __attribute__((target("avx512f,avx512vl,avx512dq"), optimize("no-tree-vectorize")))
#endif

typedef double v4 __attribute__((vector_size(32), may_alias));
typedef double v8 __attribute__((vector_size(64), aligned(32), may_alias));

// What comes after the end of a page is waited for, line by line, unless it was asked for. So who goes
// through more than BLOCK_LONG numbers asks for what comes some places later; short ones, which
// caches hold, would only lose by that.
enum {
    LINE = 8,       // doubles
    AHEAD = 2,      // where a place takes as long as memory does,
    FAR_AHEAD = 8,  // and where it is soon done
};

KERNEL void fetch(const double* from, int count)
{
    for (int k = 0; k < count; k += LINE) __builtin_prefetch(from + k);
}

// x (rows by cols) -= y (rows by inner) * z (inner by cols)
typedef struct shape {
    int rows;
    int stride;  // of x and y
    int inner;
    int cols;
    int z_inner;  // how far apart z's entries are along the inner index
    int z_cols;   // and along the columns
} shape;

enum {
    TILE = 6
};  // columns of x that are kept in registers

// Four rows, `tile` columns at a time.
KERNEL void product4(double* restrict x, const double* restrict y, const double* restrict z,
                     shape s, int tile)
{
    for (int c = 0; c < s.cols; c += tile) {
        v4 sum[TILE];
#pragma GCC unroll 6
        for (int t = 0; t < tile; t++) sum[t] = *(const v4*)(x + s.stride * (c + t));
#pragma GCC unroll 6
        for (int l = 0; l < s.inner; l++) {
            const v4 left = *(const v4*)(y + s.stride * l);
#pragma GCC unroll 6
            for (int t = 0; t < tile; t++) sum[t] -= left * z[s.z_inner * l + s.z_cols * (c + t)];
        }
#pragma GCC unroll 6
        for (int t = 0; t < tile; t++) *(v4*)(x + s.stride * (c + t)) = sum[t];
    }
}

// Eight rows.
KERNEL void product8(double* restrict x, const double* restrict y, const double* restrict z,
                     shape s, int tile)
{
    for (int c = 0; c < s.cols; c += tile) {
        v8 sum[TILE];
#pragma GCC unroll 6
        for (int t = 0; t < tile; t++) sum[t] = *(const v8*)(x + s.stride * (c + t));
#pragma GCC unroll 6
        for (int l = 0; l < s.inner; l++) {
            const v8 left = *(const v8*)(y + s.stride * l);
#pragma GCC unroll 6
            for (int t = 0; t < tile; t++) sum[t] -= left * z[s.z_inner * l + s.z_cols * (c + t)];
        }
#pragma GCC unroll 6
        for (int t = 0; t < tile; t++) *(v8*)(x + s.stride * (c + t)) = sum[t];
    }
}

KERNEL void product_plain(double* restrict x, const double* restrict y, const double* restrict z,
                          shape s)
{
    for (int c = 0; c < s.cols; c++) {
        for (int l = 0; l < s.inner; l++) {
            const double right = z[s.z_inner * l + s.z_cols * c];
            for (int r = 0; r < s.rows; r++) x[s.stride * c + r] -= y[s.stride * l + r] * right;
        }
    }
}

// x -= y z, `tile` columns at a time
KERNEL void product_tiled(double* restrict x, const double* restrict y, const double* restrict z,
                          shape s, block_isa isa, int tile)
{
    if (isa == BLOCK_PLAIN) {
        product_plain(x, y, z, s);
    } else if (isa == BLOCK_AVX512 && s.stride == 8) {
        product8(x, y, z, s, tile);
    } else {
        for (int r = 0; r < s.rows; r += 4) product4(x + r, y + r, z, s, tile);
    }
}

// The same address, which the compiler takes for another one. 36 factors of a product spread over vectors do not
// fit into the registers: kept for the next product they would be stored and loaded, eight times as wide.
KERNEL const double* read_again(const double* p)
{
    __asm__("" : "+r"(p));
    return p;
}

// A 6 x 6 block begins at zero: written as vectors, because a loop becomes a call or a string instruction
// that takes longer to start than this takes.
KERNEL void clear_six(double* x, block_isa isa)
{
    const v8 zero = {0.0};
    if (isa == BLOCK_PLAIN) {
        for (int i = 0; i < BLOCK_SIX_SIZE; i++) x[i] = 0.0;
        return;
    }
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) *(v8*)(x + BLOCK_SIX_STRIDE * c) = zero;
}

// x -= y^T z for one column z of `rows` entries; y has `cols` columns.
KERNEL void product_transposed(double* restrict x, const double* restrict y,
                               const double* restrict z, int rows, int stride, int cols)
{
    for (int c = 0; c < cols; c++) {
        double sum = 0.0;
        for (int r = 0; r < rows; r++) sum += y[stride * c + r] * z[r];
        x[c] -= sum;
    }
}

// Six columns of 8 rows sum up lane by lane over the blocks, sum[c] += y[c] * z for one column z of 8. In
// the end lanes are added up, ((0 + 4) + 2) + ((1 + 5) + 3); the padding is left out.

// Lanes 0 + 4, 1 + 5, 2 and 3.
KERNEL void fold_once(const v4* low, const v4* high, v4* out)
{
    *out = __builtin_shufflevector(*low + *high, *low, 0, 1, 6, 7);
}

// Of each of four, (r[0] + r[2]) + (r[1] + r[3]).
KERNEL void fold_four(const v4 r[4], v4* out)
{
    const v4 even01 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
    const v4 even23 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
    const v4 odd01 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const v4 odd23 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    const v4 even = __builtin_shufflevector(even01, even23, 0, 1, 4, 5) +
                    __builtin_shufflevector(even01, even23, 2, 3, 6, 7);
    const v4 odd = __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5) +
                   __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7);
    *out = even + odd;
}

// x -= the sums of six columns; x[6] and x[7], the padding, stay as they are.
KERNEL void subtract_six(double* x, const v4 once[BLOCK_SIX])
{
    v4 first;
    v4 last;
    fold_four(once, &first);
    fold_four(once + 2, &last);
    *(v4*)x -= first;
    x[4] -= last[2];
    x[5] -= last[3];
}

// x -= the sum over `count` blocks y_i of y_i^T z_i, all 6 x 6.
KERNEL void products_transposed8(double* x, const double* y, const int* row, int count,
                                 const double* z)
{
    v8 sum[BLOCK_SIX] = {{0.0}};
    v4 once[BLOCK_SIX];
    for (int i = 0; i < count; i++, y += BLOCK_SIX_SIZE) {
        const v8 right = *(const v8*)(z + (size_t)BLOCK_SIX_STRIDE * (size_t)row[i]);
#pragma GCC unroll 6
        for (int c = 0; c < BLOCK_SIX; c++)
            sum[c] += *(const v8*)(y + BLOCK_SIX_STRIDE * c) * right;
    }
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) {
        const v4 low = __builtin_shufflevector(sum[c], sum[c], 0, 1, 2, 3);
        const v4 high = __builtin_shufflevector(sum[c], sum[c], 4, 5, 6, 7);
        fold_once(&low, &high, &once[c]);
    }
    // in one piece: the nodes below read it in one piece, and soon
    v4 first;
    v4 last;
    const v4 zero = {0.0};
    fold_four(once, &first);
    fold_four(once + 2, &last);
    last = __builtin_shufflevector(last, zero, 2, 3, 4, 5);
    *(v8*)x -= __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
}

KERNEL void products_transposed4(double* x, const double* y, const int* row, int count,
                                 const double* z)
{
    v4 low[BLOCK_SIX] = {{0.0}};
    v4 high[BLOCK_SIX] = {{0.0}};
    v4 once[BLOCK_SIX];
    for (int i = 0; i < count; i++, y += BLOCK_SIX_SIZE) {
        const double* right = z + (size_t)BLOCK_SIX_STRIDE * (size_t)row[i];
        const v4 right_low = *(const v4*)right;
        const v4 right_high = *(const v4*)(right + 4);
#pragma GCC unroll 6
        for (int c = 0; c < BLOCK_SIX; c++) {
            low[c] += *(const v4*)(y + BLOCK_SIX_STRIDE * c) * right_low;
            high[c] += *(const v4*)(y + BLOCK_SIX_STRIDE * c + 4) * right_high;
        }
    }
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) fold_once(&low[c], &high[c], &once[c]);
    subtract_six(x, once);
}

KERNEL void products_transposed_plain(double* x, const double* y, const int* row, int count,
                                      const double* z)
{
    double sum[BLOCK_SIX][BLOCK_SIX] = {{0.0}};
    for (int i = 0; i < count; i++, y += BLOCK_SIX_SIZE) {
        const double* right = z + (size_t)BLOCK_SIX_STRIDE * (size_t)row[i];
        for (int c = 0; c < BLOCK_SIX; c++) {
            for (int r = 0; r < BLOCK_SIX; r++) {
                sum[c][r] += y[BLOCK_SIX_STRIDE * c + r] * right[r];
            }
        }
    }
    for (int c = 0; c < BLOCK_SIX; c++) {
        const double* lane = sum[c];
        x[c] -= ((lane[0] + lane[4]) + lane[2]) + ((lane[1] + lane[5]) + lane[3]);
    }
}

// x -= sum of y_i^T z_i: the blocks follow each other, z_i is node row[i] of the vector z.
KERNEL void products_transposed(double* x, const double* y, const int* row, int count,
                                const double* z, block_isa isa)
{
    if (isa == BLOCK_PLAIN) products_transposed_plain(x, y, row, count, z);
    if (isa == BLOCK_AVX2) products_transposed4(x, y, row, count, z);
    if (isa == BLOCK_AVX512) products_transposed8(x, y, row, count, z);
}

// z_i -= y_i x for `count` blocks, all 6 x 6: the blocks follow each other, z_i is node row[i] of the vector z,
// and x, another node of it, is read once.
KERNEL void products_six8(double* z, const double* y, const int* row, int count, const double* x)
{
    v8 right[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) right[c] = (v8){0.0} + x[c];
    for (int i = 0; i < count; i++, y += BLOCK_SIX_SIZE) {
        double* to = z + (size_t)BLOCK_SIX_STRIDE * (size_t)row[i];
        v8 sum = *(const v8*)to;
#pragma GCC unroll 6
        for (int c = 0; c < BLOCK_SIX; c++)
            sum -= *(const v8*)(y + BLOCK_SIX_STRIDE * c) * right[c];
        *(v8*)to = sum;
    }
}

KERNEL void products_six4(double* z, const double* y, const int* row, int count, const double* x)
{
    v4 right[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) right[c] = (v4){0.0} + x[c];
    for (int i = 0; i < count; i++, y += BLOCK_SIX_SIZE) {
        double* to = z + (size_t)BLOCK_SIX_STRIDE * (size_t)row[i];
        v4 low = *(const v4*)to;
        v4 high = *(const v4*)(to + 4);
#pragma GCC unroll 6
        for (int c = 0; c < BLOCK_SIX; c++) {
            low -= *(const v4*)(y + BLOCK_SIX_STRIDE * c) * right[c];
            high -= *(const v4*)(y + BLOCK_SIX_STRIDE * c + 4) * right[c];
        }
        *(v4*)to = low;
        *(v4*)(to + 4) = high;
    }
}

KERNEL void products_six_plain(double* z, const double* y, const int* row, int count,
                               const double* x)
{
    for (int i = 0; i < count; i++, y += BLOCK_SIX_SIZE) {
        double* to = z + (size_t)BLOCK_SIX_STRIDE * (size_t)row[i];
        for (int c = 0; c < BLOCK_SIX; c++) {
            for (int r = 0; r < BLOCK_SIX; r++) to[r] -= y[BLOCK_SIX_STRIDE * c + r] * x[c];
        }
    }
}

KERNEL void products_six(double* z, const double* y, const int* row, int count, const double* x,
                         block_isa isa)
{
    if (isa == BLOCK_PLAIN) products_six_plain(z, y, row, count, x);
    if (isa == BLOCK_AVX2) products_six4(z, y, row, count, x);
    if (isa == BLOCK_AVX512) products_six8(z, y, row, count, x);
}

// A factored diagonal block: P D = L U with L below and U on and above the diagonal, or D = G G^T
// with G on and below it.
typedef struct divisor {
    double* d;
    double* reciprocal;  // of the pivots
    int* pivot;          // row i of P D was row pivot[i] of D
    int width;
    int stride;
} divisor;

// x <- x D^-1 = x U^-1 L^-1 P, four rows of x.
KERNEL void divide4(double* x, int stride, divisor by)
{
    v4 a[BLOCK_MAX_WIDTH];
#pragma GCC unroll 6
    for (int c = 0; c < by.width; c++) {
        a[c] = *(const v4*)(x + stride * c);
#pragma GCC unroll 6
        for (int l = 0; l < c; l++) a[c] -= a[l] * by.d[by.stride * c + l];
        a[c] *= by.reciprocal[c];
    }
#pragma GCC unroll 6
    for (int c = by.width - 1; c >= 0; c--) {
#pragma GCC unroll 6
        for (int l = by.width - 1; l > c; l--) a[c] -= a[l] * by.d[by.stride * c + l];
        *(v4*)(x + stride * by.pivot[c]) = a[c];
    }
}

KERNEL void divide8(double* x, int stride, divisor by)
{
    v8 a[BLOCK_MAX_WIDTH];
#pragma GCC unroll 6
    for (int c = 0; c < by.width; c++) {
        a[c] = *(const v8*)(x + stride * c);
#pragma GCC unroll 6
        for (int l = 0; l < c; l++) a[c] -= a[l] * by.d[by.stride * c + l];
        a[c] *= by.reciprocal[c];
    }
#pragma GCC unroll 6
    for (int c = by.width - 1; c >= 0; c--) {
#pragma GCC unroll 6
        for (int l = by.width - 1; l > c; l--) a[c] -= a[l] * by.d[by.stride * c + l];
        *(v8*)(x + stride * by.pivot[c]) = a[c];
    }
}

KERNEL void divide_plain(double* x, int stride, divisor by)
{
    double a[BLOCK_MAX_WIDTH];
    for (int c = 0; c < by.width; c++) {
        a[c] = x[stride * c];
        for (int l = 0; l < c; l++) a[c] -= a[l] * by.d[by.stride * c + l];
        a[c] *= by.reciprocal[c];
    }
    for (int c = by.width - 1; c >= 0; c--) {
        for (int l = by.width - 1; l > c; l--) a[c] -= a[l] * by.d[by.stride * c + l];
        x[stride * by.pivot[c]] = a[c];
    }
}

// x <- x D^-1 for a block of `rows` rows.
KERNEL void divide(double* x, int rows, int stride, divisor by, block_isa isa)
{
    if (isa == BLOCK_PLAIN) {
        for (int r = 0; r < rows; r++) divide_plain(x + r, stride, by);
    } else if (isa == BLOCK_AVX512 && stride == 8) {
        divide8(x, stride, by);
    } else {
        for (int r = 0; r < rows; r += 4) divide4(x + r, stride, by);
    }
}

// x <- x G^-T, four rows of x.
KERNEL void divide_root4(double* x, int stride, divisor by)
{
    v4 a[BLOCK_MAX_WIDTH];
#pragma GCC unroll 6
    for (int c = 0; c < by.width; c++) {
        a[c] = *(const v4*)(x + stride * c);
#pragma GCC unroll 6
        for (int l = 0; l < c; l++) a[c] -= a[l] * by.d[by.stride * l + c];
        a[c] *= by.reciprocal[c];
        *(v4*)(x + stride * c) = a[c];
    }
}

KERNEL void divide_root8(double* x, int stride, divisor by)
{
    v8 a[BLOCK_MAX_WIDTH];
#pragma GCC unroll 6
    for (int c = 0; c < by.width; c++) {
        a[c] = *(const v8*)(x + stride * c);
#pragma GCC unroll 6
        for (int l = 0; l < c; l++) a[c] -= a[l] * by.d[by.stride * l + c];
        a[c] *= by.reciprocal[c];
        *(v8*)(x + stride * c) = a[c];
    }
}

// x <- x G^-T for a block of `rows` rows.
KERNEL void divide_root(double* x, int rows, int stride, divisor by, block_isa isa)
{
    if (isa == BLOCK_PLAIN) {
        for (int c = 0; c < by.width; c++) {
            for (int r = 0; r < rows; r++) {
                double sum = x[stride * c + r];
                for (int l = 0; l < c; l++) sum -= x[stride * l + r] * by.d[by.stride * l + c];
                x[stride * c + r] = sum * by.reciprocal[c];
            }
        }
    } else if (isa == BLOCK_AVX512 && stride == 8) {
        divide_root8(x, stride, by);
    } else {
        for (int r = 0; r < rows; r += 4) divide_root4(x + r, stride, by);
    }
}

// x <- x G^-1, all 6 x 6: the unit block of L (I + L) D (I + L)^T from that of G G^T.
KERNEL void unroot8(double* x, divisor by)
{
    v8 a[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = BLOCK_SIX - 1; c >= 0; c--) {
        a[c] = *(const v8*)(x + BLOCK_SIX_STRIDE * c);
#pragma GCC unroll 6
        for (int l = BLOCK_SIX - 1; l > c; l--) a[c] -= a[l] * by.d[BLOCK_SIX_STRIDE * c + l];
        a[c] *= by.reciprocal[c];
        *(v8*)(x + BLOCK_SIX_STRIDE * c) = a[c];
    }
}

KERNEL void unroot4(double* x, divisor by)
{
    v4 a[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = BLOCK_SIX - 1; c >= 0; c--) {
        a[c] = *(const v4*)(x + BLOCK_SIX_STRIDE * c);
#pragma GCC unroll 6
        for (int l = BLOCK_SIX - 1; l > c; l--) a[c] -= a[l] * by.d[BLOCK_SIX_STRIDE * c + l];
        a[c] *= by.reciprocal[c];
        *(v4*)(x + BLOCK_SIX_STRIDE * c) = a[c];
    }
}

KERNEL void unroot(double* x, divisor by, block_isa isa)
{
    if (isa == BLOCK_AVX512) unroot8(x, by);
    if (isa == BLOCK_AVX2) {
        unroot4(x, by);
        unroot4(x + 4, by);
    }
    if (isa != BLOCK_PLAIN) return;
    for (int r = 0; r < BLOCK_SIX; r++) {
        for (int c = BLOCK_SIX - 1; c >= 0; c--) {
            double a = x[BLOCK_SIX_STRIDE * c + r];
            for (int l = BLOCK_SIX - 1; l > c; l--) {
                a -= x[BLOCK_SIX_STRIDE * l + r] * by.d[BLOCK_SIX_STRIDE * c + l];
            }
            x[BLOCK_SIX_STRIDE * c + r] = a * by.reciprocal[c];
        }
    }
}

// D^-1 in place of G: the unit matrix over G^T, then over G.
KERNEL void invert_root(divisor by, block_isa isa)
{
    double inverse[BLOCK_SIX_SIZE] __attribute__((aligned(64)));
#pragma GCC unroll 48
    for (int i = 0; i < BLOCK_SIX_SIZE; i++)
        inverse[i] = i % (BLOCK_SIX_STRIDE + 1) == 0 ? 1.0 : 0.0;
    divide_root(inverse, BLOCK_SIX, BLOCK_SIX_STRIDE, by, isa);
    unroot(inverse, by, isa);
#pragma GCC unroll 48
    for (int i = 0; i < BLOCK_SIX_SIZE; i++) by.d[i] = inverse[i];
}

// x <- d x for one vector, all of 6.
KERNEL void apply_six(double* x, const double* d, block_isa isa)
{
    double y[BLOCK_SIX_STRIDE] __attribute__((aligned(64))) = {0.0};
    if (isa == BLOCK_AVX512) {
        v8 sum = *(const v8*)d * x[0];
#pragma GCC unroll 6
        for (int c = 1; c < BLOCK_SIX; c++) sum += *(const v8*)(d + BLOCK_SIX_STRIDE * c) * x[c];
        *(v8*)x = sum;
        return;
    }
    if (isa == BLOCK_AVX2) {
        v4 low = *(const v4*)d * x[0];
        v4 high = *(const v4*)(d + 4) * x[0];
#pragma GCC unroll 6
        for (int c = 1; c < BLOCK_SIX; c++) {
            low += *(const v4*)(d + BLOCK_SIX_STRIDE * c) * x[c];
            high += *(const v4*)(d + BLOCK_SIX_STRIDE * c + 4) * x[c];
        }
        *(v4*)x = low;
        *(v4*)(x + 4) = high;
        return;
    }
    for (int r = 0; r < BLOCK_SIX_STRIDE; r++) y[r] = d[r] * x[0];
    for (int c = 1; c < BLOCK_SIX; c++) {
        for (int r = 0; r < BLOCK_SIX_STRIDE; r++) y[r] += d[BLOCK_SIX_STRIDE * c + r] * x[c];
    }
    for (int r = 0; r < BLOCK_SIX_STRIDE; r++) x[r] = y[r];
}

// Factor a diagonal block with partial pivoting. False when a pivot is not larger than `smallest`
// of its column, or not a number.
KERNEL bool factor_diagonal(divisor by, const double* smallest)
{
    const int n = by.width;
    double* d = by.d;

    for (int i = 0; i < n; i++) by.pivot[i] = i;
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c + 1; r < n; r++) {
            if (fabs(d[by.stride * c + r]) > fabs(d[by.stride * c + p])) p = r;
        }
        if (p != c) {
            const int row = by.pivot[c];
            by.pivot[c] = by.pivot[p];
            by.pivot[p] = row;
            for (int j = 0; j < n; j++) {
                const double t = d[by.stride * j + c];
                d[by.stride * j + c] = d[by.stride * j + p];
                d[by.stride * j + p] = t;
            }
        }
        const double pivot = d[by.stride * c + c];
        if (!(fabs(pivot) > smallest[c])) return false;
        by.reciprocal[c] = 1.0 / pivot;
        for (int r = c + 1; r < n; r++) d[by.stride * c + r] *= by.reciprocal[c];
        for (int j = c + 1; j < n; j++) {
            const double u = d[by.stride * j + c];
            for (int r = c + 1; r < n; r++) d[by.stride * j + r] -= d[by.stride * c + r] * u;
        }
    }
    return true;
}

// The root of a pivot and its reciprocal, without waiting for each other.
typedef struct root {
    double value, reciprocal;
} root;

KERNEL root root_of(double pivot)
{
    const double value = sqrt(pivot);
    return (root){value, value * (1.0 / pivot)};
}

// Factor a symmetric diagonal block as G G^T; only its lower half is read. False when a pivot is not
// larger than `smallest` of its column, or not a number.
KERNEL bool factor_root_plain(divisor by, const double* smallest)
{
    const int n = by.width;
    double* d = by.d;

    for (int c = 0; c < n; c++) {
        const double pivot = d[by.stride * c + c];
        if (!(pivot > smallest[c])) return false;
        const root r = root_of(pivot);
        d[by.stride * c + c] = r.value;
        by.reciprocal[c] = r.reciprocal;
        for (int i = c + 1; i < n; i++) d[by.stride * c + i] *= r.reciprocal;
        for (int j = c + 1; j < n; j++) {
            const double g = d[by.stride * c + j];
            for (int i = j; i < n; i++) d[by.stride * j + i] -= d[by.stride * c + i] * g;
        }
    }
    return true;
}

// The same for 6 x 6: whole columns at once, whatever that leaves above the diagonal.
KERNEL bool factor_root8(divisor by, const double* smallest)
{
    v8 a[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) a[c] = *(const v8*)(by.d + BLOCK_SIX_STRIDE * c);
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) {
        const double pivot = a[c][c];
        if (!(pivot > smallest[c])) return false;
        const root r = root_of(pivot);
        by.reciprocal[c] = r.reciprocal;
        a[c] *= r.reciprocal;
#pragma GCC unroll 6
        for (int j = c + 1; j < BLOCK_SIX; j++) a[j] -= a[c] * a[c][j];
        *(v8*)(by.d + BLOCK_SIX_STRIDE * c) = a[c];
        by.d[(BLOCK_SIX_STRIDE + 1) * c] = r.value;
    }
    return true;
}

KERNEL bool factor_root4(divisor by, const double* smallest)
{
    v4 low[BLOCK_SIX];
    v4 high[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) {
        low[c] = *(const v4*)(by.d + BLOCK_SIX_STRIDE * c);
        high[c] = *(const v4*)(by.d + BLOCK_SIX_STRIDE * c + 4);
    }
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) {
        const double pivot = c < 4 ? low[c][c & 3] : high[c][c & 3];
        if (!(pivot > smallest[c])) return false;
        const root r = root_of(pivot);
        by.reciprocal[c] = r.reciprocal;
        low[c] *= r.reciprocal;
        high[c] *= r.reciprocal;
#pragma GCC unroll 6
        for (int j = c + 1; j < BLOCK_SIX; j++) {
            const double g = j < 4 ? low[c][j & 3] : high[c][j & 3];
            low[j] -= low[c] * g;
            high[j] -= high[c] * g;
        }
        *(v4*)(by.d + BLOCK_SIX_STRIDE * c) = low[c];
        *(v4*)(by.d + BLOCK_SIX_STRIDE * c + 4) = high[c];
        by.d[(BLOCK_SIX_STRIDE + 1) * c] = r.value;
    }
    return true;
}

KERNEL bool factor_root(divisor by, const double* smallest, block_isa isa, bool six)
{
    if (six && isa == BLOCK_AVX512) return factor_root8(by, smallest);
    if (six && isa == BLOCK_AVX2) return factor_root4(by, smallest);
    return factor_root_plain(by, smallest);
}

// x <- D^-1 x for one vector.
KERNEL void solve_diagonal(double* x, divisor by)
{
    double a[BLOCK_MAX_WIDTH];
    for (int i = 0; i < by.width; i++) a[i] = x[by.pivot[i]];
    for (int c = 0; c < by.width; c++) {
        for (int r = c + 1; r < by.width; r++) a[r] -= by.d[by.stride * c + r] * a[c];
    }
    for (int c = by.width - 1; c >= 0; c--) {
        a[c] *= by.reciprocal[c];
        for (int r = 0; r < c; r++) a[r] -= by.d[by.stride * c + r] * a[c];
    }
    for (int i = 0; i < by.width; i++) x[i] = a[i];
}

// x <- D^-T x
KERNEL void solve_diagonal_transposed(double* x, divisor by)
{
    double a[BLOCK_MAX_WIDTH];
    for (int c = 0; c < by.width; c++) {
        a[c] = x[c];
        for (int l = 0; l < c; l++) a[c] -= by.d[by.stride * c + l] * a[l];
        a[c] *= by.reciprocal[c];
    }
    for (int c = by.width - 1; c >= 0; c--) {
        for (int l = by.width - 1; l > c; l--) a[c] -= by.d[by.stride * c + l] * a[l];
    }
    for (int i = 0; i < by.width; i++) x[by.pivot[i]] = a[i];
}

// x <- G^-1 x
KERNEL void solve_root(double* x, divisor by)
{
    for (int c = 0; c < by.width; c++) {
        x[c] *= by.reciprocal[c];
        for (int r = c + 1; r < by.width; r++) x[r] -= by.d[by.stride * c + r] * x[c];
    }
}

// x <- G^-T x
KERNEL void solve_root_transposed(double* x, divisor by)
{
    for (int c = by.width - 1; c >= 0; c--) {
        for (int r = by.width - 1; r > c; r--) x[c] -= by.d[by.stride * c + r] * x[r];
        x[c] *= by.reciprocal[c];
    }
}

// block += sum of weight * left * right^T, four rows of the block
KERNEL void add_outer4(const outer_sum* s, int row)
{
    double* x = s->block + row;
    v4 sum[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) sum[c] = *(const v4*)(x + BLOCK_SIX_STRIDE * c);
    for (int l = 0; l < s->count; l++) {
        const v4 left = *(const v4*)(s->left + s->step * l + row) * s->weight[l];
        const double* right = s->right + s->step * l;
#pragma GCC unroll 6
        for (int c = 0; c < BLOCK_SIX; c++) sum[c] += left * right[c];
    }
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) *(v4*)(x + BLOCK_SIX_STRIDE * c) = sum[c];
}

KERNEL void add_outer8(const outer_sum* s)
{
    double* x = s->block;
    v8 sum[BLOCK_SIX];
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) sum[c] = *(const v8*)(x + BLOCK_SIX_STRIDE * c);
    for (int l = 0; l < s->count; l++) {
        const v8 left = *(const v8*)(s->left + s->step * l) * s->weight[l];
        const double* right = s->right + s->step * l;
#pragma GCC unroll 6
        for (int c = 0; c < BLOCK_SIX; c++) sum[c] += left * right[c];
    }
#pragma GCC unroll 6
    for (int c = 0; c < BLOCK_SIX; c++) *(v8*)(x + BLOCK_SIX_STRIDE * c) = sum[c];
}

KERNEL void add_outer_plain(const outer_sum* s)
{
    for (int l = 0; l < s->count; l++) {
        for (int r = 0; r < BLOCK_SIX; r++) {
            const double left = s->left[s->step * l + r] * s->weight[l];
            for (int c = 0; c < BLOCK_SIX; c++) {
                s->block[BLOCK_SIX_STRIDE * c + r] += left * s->right[s->step * l + c];
            }
        }
    }
}

#endif
