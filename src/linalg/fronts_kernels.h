// linalg/fronts_kernels.h - what both factorisations by fronts are made of: dense products, columns of
// vectors, the square of a strip.
//
// Nearly all of the work is C -= A B with the tile of C in registers. Each element sees the same operations
// in the same order whatever the tile, products are never fused with sums, and so all instruction sets
// give the same bits.
#ifndef TML_LINALG_FRONTS_KERNELS_H
#define TML_LINALG_FRONTS_KERNELS_H

#include "linalg/block_kernels.h"
#include "linalg/fronts_internal.h"
#include "math/scalar.h"

#include <string.h>

// ---- C -= A B

// All by columns; rows are a multiple of eight and aligned, columns of three.
typedef struct product {
    double* c;
    const double* a;
    const double* b;
    size_t ldc, lda, ldb;
    int rows, inner, columns;
    double* pack;   // PACK_SIZE, scratch
    bool is_lower;  // only rows at and below the column are wanted; others may be anything
    bool is_first;  // C is nothing yet: it becomes -A B
} product;

enum {
    PACK_COLUMNS = 48,  // from so many on, rows of A are worth copying
};

// 8 `vectors` rows by `columns` (3 or 6), with vectors of eight.
KERNEL void tile8(const product* p, int row, int column, const int vectors, const int columns)
{
    v8 sum[3][6];
    double* c = p->c + row + (size_t)column * p->ldc;
    const double* a = p->a + row;
    const double* b = p->b + (size_t)column * p->ldb;
#pragma GCC unroll 6
    for (int t = 0; t < columns; t++) {
#pragma GCC unroll 3
        for (int v = 0; v < vectors; v++) {
            const v8 none = {0.0};
            sum[v][t] = p->is_first ? none : *(v8*)(c + (size_t)t * p->ldc + 8 * v);
        }
    }
    for (int l = 0; l < p->inner; l++) {
        v8 left[3];
#pragma GCC unroll 3
        for (int v = 0; v < vectors; v++) left[v] = *(const v8*)(a + (size_t)l * p->lda + 8 * v);
#pragma GCC unroll 6
        for (int t = 0; t < columns; t++) {
            const double right = b[(size_t)t * p->ldb + (size_t)l];
#pragma GCC unroll 3
            for (int v = 0; v < vectors; v++) sum[v][t] -= left[v] * right;
        }
    }
#pragma GCC unroll 6
    for (int t = 0; t < columns; t++) {
#pragma GCC unroll 3
        for (int v = 0; v < vectors; v++) *(v8*)(c + (size_t)t * p->ldc + 8 * v) = sum[v][t];
    }
}

// 8 rows by `columns`, with vectors of four.
KERNEL void tile4(const product* p, int row, int column, const int columns)
{
    v4 low[6];
    v4 high[6];
    double* c = p->c + row + (size_t)column * p->ldc;
    const double* a = p->a + row;
    const double* b = p->b + (size_t)column * p->ldb;
#pragma GCC unroll 6
    for (int t = 0; t < columns; t++) {
        const v4 none = {0.0};
        low[t] = p->is_first ? none : *(v4*)(c + (size_t)t * p->ldc);
        high[t] = p->is_first ? none : *(v4*)(c + (size_t)t * p->ldc + 4);
    }
    for (int l = 0; l < p->inner; l++) {
        const v4 left_low = *(const v4*)(a + (size_t)l * p->lda);
        const v4 left_high = *(const v4*)(a + (size_t)l * p->lda + 4);
#pragma GCC unroll 6
        for (int t = 0; t < columns; t++) {
            const double right = b[(size_t)t * p->ldb + (size_t)l];
            low[t] -= left_low * right;
            high[t] -= left_high * right;
        }
    }
#pragma GCC unroll 6
    for (int t = 0; t < columns; t++) {
        *(v4*)(c + (size_t)t * p->ldc) = low[t];
        *(v4*)(c + (size_t)t * p->ldc + 4) = high[t];
    }
}

KERNEL void tile_plain(const product* p, int row, int column, const int columns)
{
    for (int t = column; t < column + columns; t++) {
        double* c = p->c + row + (size_t)t * p->ldc;
        for (int r = 0; r < PAD && p->is_first; r++) c[r] = 0.0;
        for (int l = 0; l < p->inner; l++) {
            const double* a = p->a + row + (size_t)l * p->lda;
            const double right = p->b[(size_t)t * p->ldb + (size_t)l];
            for (int r = 0; r < PAD; r++) c[r] -= a[r] * right;
        }
    }
}

KERNEL void tile_any(const product* p, int row, int column, const int vectors, const int columns,
                     block_isa isa)
{
    if (isa == BLOCK_AVX512) {
        tile8(p, row, column, vectors, columns);
        return;
    }
    for (int v = 0; v < vectors; v++) {
        if (isa == BLOCK_AVX2)
            tile4(p, row + PAD * v, column, columns);
        else
            tile_plain(p, row + PAD * v, column, columns);
    }
}

KERNEL void tile_rows(const product* p, const int vectors, block_isa isa)
{
    int column = 0;
    for (; column + 6 <= p->columns; column += 6) tile_any(p, 0, column, vectors, 6, isa);
    if (column < p->columns) tile_any(p, 0, column, vectors, 3, isa);
}

// The rows of A that a row of tiles wants, next to each other: where columns are many, their addresses
// would be far apart again and again.
KERNEL void pack_rows(product* p, const int vectors, block_isa isa)
{
    double* at = p->pack;
    for (int l = 0; l < p->inner; l++, at += 8 * vectors) {
        const double* a = p->a + (size_t)l * p->lda;
        if (isa == BLOCK_AVX512) {
            for (int v = 0; v < vectors; v++) *(v8*)(at + 8 * v) = *(const v8*)(a + 8 * v);
        } else {
            memcpy(at, a, (size_t)(8 * vectors) * sizeof(double));
        }
    }
    p->a = p->pack;
    p->lda = (size_t)(8 * vectors);
}

// In a lower triangle a row of tiles ends with the column of its last row.
KERNEL int count_columns(const product* p, int row, const int vectors)
{
    const int last = (row + 8 * vectors + NODE - 1) / NODE * NODE;
    return p->is_lower && last < p->columns ? last : p->columns;
}

KERNEL void subtract_rows(const product* p, int row, int from, int to, const int vectors,
                          block_isa isa)
{
    product part = *p;
    part.c += row;
    part.a += (size_t)from * p->lda + (size_t)row;
    part.b += from;
    part.inner = to - from;
    part.is_first = p->is_first && from == 0;
    part.columns = count_columns(p, row, vectors);
    if (part.columns >= PACK_COLUMNS) pack_rows(&part, vectors, isa);
    tile_rows(&part, vectors, isa);
}

KERNEL void subtract_product(const product* p, block_isa isa)
{
    for (int from = 0; from < p->inner; from += DEPTH) {
        const int to = from + DEPTH < p->inner ? from + DEPTH : p->inner;
        int row = 0;
        for (; row + 3 * PAD <= p->rows; row += 3 * PAD) subtract_rows(p, row, from, to, 3, isa);
        if (row + 2 * PAD <= p->rows) {
            subtract_rows(p, row, from, to, 2, isa);
            row += 2 * PAD;
        }
        if (row < p->rows) subtract_rows(p, row, from, to, 1, isa);
    }
}

// ---- columns of vectors

// y -= a0 x0, then a1 x1, then a2 x2; rows are a multiple of eight and aligned.
KERNEL void subtract_three(double* y, const double* a, size_t lda, const double* x, int rows,
                           block_isa isa)
{
    const double* b = a + lda;
    const double* c = b + lda;
    const double x0 = x[0];
    const double x1 = x[1];
    const double x2 = x[2];
    if (isa == BLOCK_PLAIN) {
        for (int r = 0; r < rows; r++) y[r] = ((y[r] - a[r] * x0) - b[r] * x1) - c[r] * x2;
        return;
    }
    const int wide = isa == BLOCK_AVX512 ? 8 : 4;
    for (int r = 0; r < rows; r += wide) {
        if (isa == BLOCK_AVX512) {
            v8* to = (v8*)(y + r);
            *to = ((*to - *(const v8*)(a + r) * x0) - *(const v8*)(b + r) * x1) -
                  *(const v8*)(c + r) * x2;
        } else {
            v4* to = (v4*)(y + r);
            *to = ((*to - *(const v4*)(a + r) * x0) - *(const v4*)(b + r) * x1) -
                  *(const v4*)(c + r) * x2;
        }
    }
}

// The same of three columns of y, `ldy` apart, by three columns of x that stand `above` rows higher.
KERNEL void subtract_nine(double* y, size_t ldy, const double* a, size_t lda, int above, int rows,
                          block_isa isa)
{
    if (isa != BLOCK_AVX512) {
        for (int c = 0; c < NODE; c++, y += ldy) {
            const double x[NODE] = {y[-above], y[1 - above], y[2 - above]};
            subtract_three(y, a, lda, x, rows, isa);
        }
        return;
    }
    double x[NODE][NODE];
    for (int c = 0; c < NODE; c++) {
        for (int k = 0; k < NODE; k++) x[c][k] = (y + (size_t)c * ldy)[k - above];
    }
    for (int r = 0; r < rows; r += 8) {
        const v8 p = *(const v8*)(a + r);
        const v8 q = *(const v8*)(a + lda + r);
        const v8 s = *(const v8*)(a + 2 * lda + r);
#pragma GCC unroll 3
        for (int c = 0; c < NODE; c++) {
            v8* to = (v8*)(y + (size_t)c * ldy + r);
            *to = ((*to - p * x[c][0]) - q * x[c][1]) - s * x[c][2];
        }
    }
}

// The same for rows that begin or end anywhere.
KERNEL void subtract_three_from(double* y, const double* a, size_t lda, const double* x, int first,
                                int last, block_isa isa)
{
    const int aligned = padded(first) < last ? padded(first) : last;
    const int whole = aligned + (last - aligned) / PAD * PAD;
    for (int r = first; r < last; r++) {
        if (r == aligned && r < whole) {
            subtract_three(y + r, a + r, lda, x, whole - r, isa);
            r = whole;
            if (r == last) break;
        }
        y[r] = ((y[r] - a[r] * x[0]) - a[lda + (size_t)r] * x[1]) - a[2 * lda + (size_t)r] * x[2];
    }
}

// y -= for all columns of three, `x` at each of the places: what `subtract_three` does one by one, with y in registers.
KERNEL void subtract_places(double* y, const double* a, size_t lda, const double* x,
                            const int* place, int count, int rows, block_isa isa)
{
    if (isa != BLOCK_AVX512) {
        for (int k = 0; k < count; k++) {
            subtract_three(y, a + (size_t)(NODE * k) * lda, lda,
                           x + (size_t)NODE * (size_t)place[k], rows, isa);
        }
        return;
    }
    for (int r = 0; r < rows; r += PAD) {
        const double* column = a + r;
        v8 sum = *(v8*)(y + r);
        for (int k = 0; k < count; k++, column += NODE * lda) {
            const double* b = x + (size_t)NODE * (size_t)place[k];
            sum = ((sum - *(const v8*)column * b[0]) - *(const v8*)(column + lda) * b[1]) -
                  *(const v8*)(column + 2 * lda) * b[2];
        }
        *(v8*)(y + r) = sum;
    }
}

// The three columns at `a` times a 3 x 3 matrix, in place.
KERNEL void times_inverse(double* a, size_t lda, const double inverse[NODE_SIZE], int rows,
                          block_isa isa)
{
    double* b = a + lda;
    double* c = b + lda;
    const double* i = inverse;
    if (isa == BLOCK_AVX512) {
        for (int r = 0; r < rows; r += 8) {
            const v8 x = *(v8*)(a + r);
            const v8 y = *(v8*)(b + r);
            const v8 z = *(v8*)(c + r);
            *(v8*)(a + r) = (x * i[0] + y * i[1]) + z * i[2];
            *(v8*)(b + r) = (x * i[3] + y * i[4]) + z * i[5];
            *(v8*)(c + r) = (x * i[6] + y * i[7]) + z * i[8];
        }
        return;
    }
    for (int r = 0; r < rows; r++) {
        const double x = a[r];
        const double y = b[r];
        const double z = c[r];
        a[r] = (x * i[0] + y * i[1]) + z * i[2];
        b[r] = (x * i[3] + y * i[4]) + z * i[5];
        c[r] = (x * i[6] + y * i[7]) + z * i[8];
    }
}

// ---- one strip

// By cofactors; d by columns, `ld` apart. The largest entry of the inverse: infinite or NaN where
// there is none.
KERNEL double invert(const double* d, size_t ld, double inverse[NODE_SIZE])
{
    const double* p = d;
    const double* q = d + ld;
    const double* r = d + 2 * ld;
    const double c0 = q[1] * r[2] - q[2] * r[1];
    const double c1 = q[2] * r[0] - q[0] * r[2];
    const double c2 = q[0] * r[1] - q[1] * r[0];
    const double by = 1.0 / ((p[0] * c0 + p[1] * c1) + p[2] * c2);
    const double all[NODE_SIZE] = {
        c0 * by, (p[2] * r[1] - p[1] * r[2]) * by, (p[1] * q[2] - p[2] * q[1]) * by,
        c1 * by, (p[0] * r[2] - p[2] * r[0]) * by, (p[2] * q[0] - p[0] * q[2]) * by,
        c2 * by, (p[1] * r[0] - p[0] * r[1]) * by, (p[0] * q[1] - p[1] * q[0]) * by,
    };
    double largest = 0.0;
    for (int k = 0; k < NODE_SIZE; k++) {
        inverse[k] = all[k];
        largest = tml__larger(largest, all[k]);
    }
    return largest;
}

// Whole numbers beside the lanes of a vector, and those lanes of `yes` where `is` says so, else of `no`.
typedef long long i8 __attribute__((vector_size(64), aligned(32), may_alias));
#define LANE_NUMBERS ((i8){0, 1, 2, 3, 4, 5, 6, 7})

KERNEL void choose(const i8* is, const v8* yes, const v8* no, v8* out)
{
    *out = (v8)((*is & (i8)*yes) | (~*is & (i8)*no));
}

// Three columns of a strip's square times the inverse of their pivot from row `first` on; `l` gets them
// too, and zeros above.
KERNEL void divide_below(double* a, size_t lda, const double inverse[NODE_SIZE], int first,
                         int rows, double* l, block_isa isa)
{
    const double* i = inverse;
    if (isa != BLOCK_AVX512) {
        for (int r = 0; r < rows; r++) {
            const double x = a[r];
            const double y = a[lda + (size_t)r];
            const double z = a[2 * lda + (size_t)r];
            for (int c = 0; c < NODE; c++) {
                double* at = a + (size_t)c * lda + (size_t)r;
                const double value = (x * i[3 * c] + y * i[3 * c + 1]) + z * i[3 * c + 2];
                l[c * STRIP + r] = r >= first ? value : 0.0;
                *at = r >= first ? value : *at;
            }
        }
        return;
    }
    for (int r = 0; r < rows; r += 8) {
        const i8 is = LANE_NUMBERS >= (long long)(first - r);
        const v8 none = {0.0};
        const v8 x = *(v8*)(a + r);
        const v8 y = *(v8*)(a + lda + r);
        const v8 z = *(v8*)(a + 2 * lda + r);
#pragma GCC unroll 3
        for (int c = 0; c < NODE; c++) {
            v8* at = (v8*)(a + (size_t)c * lda + r);
            const v8 old = *at;
            const v8 value = (x * i[3 * c] + y * i[3 * c + 1]) + z * i[3 * c + 2];
            choose(&is, &value, &none, (v8*)(l + c * STRIP + r));
            choose(&is, &value, &old, at);
        }
    }
}

// A strip's own square, eliminated in place; `low` gets L, zero elsewhere. The node whose pivot
// failed, or -1.
KERNEL int factor_square(fronts* f, double* panel, size_t ld, int position, int width, double* low,
                         block_isa isa)
{
    const int rows = padded(width);
    for (int k = 0; k < width; k += NODE) {
        double* inverse = f->inverse + (size_t)NODE_SIZE * (size_t)(position + k / NODE);
        double* column = panel + (size_t)k * ld;
        double* l = low + (size_t)k * STRIP;
        // the size of the pivot before elimination waits where its inverse comes
        const double size = inverse[0];
        const double pivot = 1.0 / (invert(column + k, ld, inverse) * size);
        if (!(pivot > block_lost)) return position + k / NODE;
        if (pivot < f->pivot) f->pivot = pivot;
        divide_below(column, ld, inverse, k + NODE, rows, l, isa);
        const int start = (k + NODE) / PAD * PAD;
        for (int c = k + NODE; c < width; c += NODE) {
            subtract_nine(panel + (size_t)c * ld + start, ld, l + start, STRIP, start - k,
                          rows - start, isa);
        }
    }
    return -1;
}

// ---- one front

// The blocks of the matrix. The size of a pivot's block is left where its inverse will be.
KERNEL void load_front(fronts* f, const front* at, double shift)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const size_t wide = (size_t)at->own_rows;
    double* panel = f->factor + at->panel;
    double* right = f->factor + at->right;
    // what is right of the panel follows it
    const size_t below = (size_t)(NODE * at->below);
    const size_t more = f->kind == BLOCK_LU ? below * wide : 0;
    memset(panel, 0, ((size_t)(NODE * at->own) * ld + more) * sizeof(double));
    for (int i = at->value_at; i < at[1].value_at; i++) {
        const front_load* load = &f->load[i];
        const double* from = f->value + NODE_SIZE * (size_t)load->value;
        const size_t step = load->is_right ? wide : ld;
        double* to = (load->is_right ? right : panel) + (size_t)load->column * step + load->row;
        for (int c = 0; c < NODE; c++) {
            for (int r = 0; r < NODE; r++) to[(size_t)c * step + (size_t)r] = from[NODE * c + r];
        }
        if (load->is_right || load->row != load->column) continue;
        double size = 0.0;
        for (int k = 0; k < NODE; k++) to[(size_t)k * step + (size_t)k] += shift;
        for (int k = 0; k < NODE_SIZE; k++) size = tml__larger(size, from[k]);
        f->inverse[NODE_SIZE * (size_t)(at->first + load->row / NODE)] = size;
    }
}

// Three columns of a run at a time, whole vectors first and then what halves of them are left: most runs are of one or
// two nodes. Not a number beyond the last is touched: it may be another thread's.
KERNEL void add_run(double* to, size_t ldto, const double* from, size_t ldfrom, int count,
                    block_isa isa)
{
    typedef double loose8 __attribute__((vector_size(64), aligned(8), may_alias));
    typedef double loose4 __attribute__((vector_size(32), aligned(8), may_alias));
    typedef double loose2 __attribute__((vector_size(16), aligned(8), may_alias));
    int i = 0;
#define ADD_PART(part)                                                                             \
    do {                                                                                           \
        *(part*)(to + i) += *(const part*)(from + i);                                              \
        *(part*)(to + ldto + i) += *(const part*)(from + ldfrom + i);                              \
        *(part*)(to + 2 * ldto + i) += *(const part*)(from + 2 * ldfrom + i);                      \
        i += (int)(sizeof(part) / sizeof(double));                                                 \
    } while (0)
    if (isa == BLOCK_AVX512) {
        while (i + 8 <= count) ADD_PART(loose8);
    }
    if (isa != BLOCK_PLAIN) {
        while (i + 4 <= count) ADD_PART(loose4);
        if (i + 2 <= count) ADD_PART(loose2);
    }
    while (i < count) ADD_PART(double);
#undef ADD_PART
}

// ---- solves, by positions

KERNEL void gather(const fronts* f, const double* x)
{
    for (int p = 0; p < f->node_count; p++) {
        memcpy(f->x + NODE * (size_t)p, x + NODE * (size_t)f->node[p], NODE * sizeof(double));
    }
}

KERNEL void scatter(const fronts* f, double* x)
{
    for (int p = 0; p < f->node_count; p++) {
        memcpy(x + NODE * (size_t)f->node[p], f->x + NODE * (size_t)p, NODE * sizeof(double));
    }
}

KERNEL void forward(const fronts* f, const front* at, double* x, double* local, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const double* panel = f->factor + at->panel;
    double* own = x + (size_t)NODE * (size_t)at->first;
    memset(local, 0, ld * sizeof(double));
    memcpy(local, own, (size_t)(NODE * at->own) * sizeof(double));
    for (int k = 0; k < NODE * at->own; k += NODE) {
        subtract_three_from(local, panel + (size_t)k * ld, ld, local + k, k + NODE, (int)ld, isa);
    }
    memcpy(own, local, (size_t)(NODE * at->own) * sizeof(double));
    for (int k = 0; k < at->below; k++) {
        double* to = x + (size_t)NODE * (size_t)f->below[at->rows_at + k];
        for (int c = 0; c < NODE; c++) to[c] += local[at->own_rows + NODE * k + c];
    }
}

// ---- instruction sets

// One factorisation and one solve, of a file that includes this one, compiled for every instruction set, as
// `ask(isa)`; a set is there where the block engine has it.
#if defined(__x86_64__)
#define FRONTS_FOR_X86(factor, solve)                                                              \
    FOR_AVX2 static int factor_avx2(fronts* f, int first, int last, double shift)                  \
    {                                                                                              \
        return factor(f, first, last, shift, BLOCK_AVX2);                                          \
    }                                                                                              \
    FOR_AVX2 static void solve_avx2(fronts* f, double* x) { solve(f, x, BLOCK_AVX2); }             \
    FOR_AVX512 static int factor_avx512(fronts* f, int first, int last, double shift)              \
    {                                                                                              \
        return factor(f, first, last, shift, BLOCK_AVX512);                                        \
    }                                                                                              \
    FOR_AVX512 static void solve_avx512(fronts* f, double* x) { solve(f, x, BLOCK_AVX512); }       \
    static const fronts_kernels avx2_kernels = {factor_avx2, solve_avx2};                          \
    static const fronts_kernels avx512_kernels = {factor_avx512, solve_avx512};
#define FRONTS_FIND_X86(isa)                                                                       \
    if ((isa) != BLOCK_PLAIN && tml__block_kernels(isa) == NULL) return NULL;                      \
    if ((isa) == BLOCK_AVX2) return &avx2_kernels;                                                 \
    if ((isa) == BLOCK_AVX512) return &avx512_kernels;
#else
#define FRONTS_FOR_X86(factor, solve)
#define FRONTS_FIND_X86(isa)
#endif

#define FRONTS_FOR_EACH_SET(ask, factor, solve)                                                    \
    static int factor_plain(fronts* f, int first, int last, double shift)                          \
    {                                                                                              \
        return factor(f, first, last, shift, BLOCK_PLAIN);                                         \
    }                                                                                              \
    static void solve_plain(fronts* f, double* x) { solve(f, x, BLOCK_PLAIN); }                    \
    static const fronts_kernels plain_kernels = {factor_plain, solve_plain};                       \
    FRONTS_FOR_X86(factor, solve)                                                                  \
    const fronts_kernels* ask(block_isa isa)                                                       \
    {                                                                                              \
        FRONTS_FIND_X86(isa)                                                                       \
        return isa == BLOCK_PLAIN ? &plain_kernels : NULL;                                         \
    }

#endif
