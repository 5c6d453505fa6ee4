// linalg/fronts_numeric.c - factorisation and solves by fronts, once for each instruction set.
//
// A front adds up its blocks of the matrix and what its children left, eliminates its own nodes by
// strips of 24 columns, and leaves the rest to its parent. Nearly all of the work is C -= A B with
// the tile of C in registers. Each element sees the same operations in the same order whatever the tile,
// products are never fused with sums, and so all instruction sets give the same bits.
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
} product;

enum {
    DEPTH = 96,  // inner products at a time: 24 rows of A stay in the first cache
};

// 8 `vectors` rows by `columns` (3 or 6), with vectors of eight.
KERNEL void tile8(const product* p, int row, int column, int from, int to, const int vectors,
                  const int columns)
{
    v8 sum[3][6];
    double* c = p->c + row + (size_t)column * p->ldc;
    const double* a = p->a + row;
    const double* b = p->b + (size_t)column * p->ldb;
#pragma GCC unroll 6
    for (int t = 0; t < columns; t++) {
#pragma GCC unroll 3
        for (int v = 0; v < vectors; v++) sum[v][t] = *(v8*)(c + (size_t)t * p->ldc + 8 * v);
    }
    for (int l = from; l < to; l++) {
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
KERNEL void tile4(const product* p, int row, int column, int from, int to, const int columns)
{
    v4 low[6];
    v4 high[6];
    double* c = p->c + row + (size_t)column * p->ldc;
    const double* a = p->a + row;
    const double* b = p->b + (size_t)column * p->ldb;
#pragma GCC unroll 6
    for (int t = 0; t < columns; t++) {
        low[t] = *(v4*)(c + (size_t)t * p->ldc);
        high[t] = *(v4*)(c + (size_t)t * p->ldc + 4);
    }
    for (int l = from; l < to; l++) {
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

KERNEL void tile_plain(const product* p, int row, int column, int from, int to, const int columns)
{
    for (int t = column; t < column + columns; t++) {
        double* c = p->c + row + (size_t)t * p->ldc;
        for (int l = from; l < to; l++) {
            const double* a = p->a + row + (size_t)l * p->lda;
            const double right = p->b[(size_t)t * p->ldb + (size_t)l];
            for (int r = 0; r < PAD; r++) c[r] -= a[r] * right;
        }
    }
}

KERNEL void tile_any(const product* p, int row, int column, int from, int to, const int vectors,
                     const int columns, block_isa isa)
{
    if (isa == BLOCK_AVX512) {
        tile8(p, row, column, from, to, vectors, columns);
        return;
    }
    for (int v = 0; v < vectors; v++) {
        if (isa == BLOCK_AVX2)
            tile4(p, row + PAD * v, column, from, to, columns);
        else
            tile_plain(p, row + PAD * v, column, from, to, columns);
    }
}

KERNEL void tile_rows(const product* p, int row, int from, int to, const int vectors, block_isa isa)
{
    int column = 0;
    for (; column + 6 <= p->columns; column += 6) {
        tile_any(p, row, column, from, to, vectors, 6, isa);
    }
    if (column < p->columns) tile_any(p, row, column, from, to, vectors, 3, isa);
}

KERNEL void subtract_product(const product* p, block_isa isa)
{
    for (int from = 0; from < p->inner; from += DEPTH) {
        const int to = from + DEPTH < p->inner ? from + DEPTH : p->inner;
        int row = 0;
        for (; row + 3 * PAD <= p->rows; row += 3 * PAD) tile_rows(p, row, from, to, 3, isa);
        if (row + 2 * PAD <= p->rows) {
            tile_rows(p, row, from, to, 2, isa);
            row += 2 * PAD;
        }
        if (row < p->rows) tile_rows(p, row, from, to, 1, isa);
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
        for (int c = 0; c < NODE; c++) {
            memcpy(l + c * STRIP, column + (size_t)c * ld, (size_t)rows * sizeof(double));
        }
        times_inverse(l, STRIP, inverse, rows, isa);
        for (int c = 0; c < NODE; c++) {
            memset(l + c * STRIP, 0, (size_t)(k + NODE) * sizeof(double));
        }
        const int start = (k + NODE) / PAD * PAD;
        for (int c = k + NODE; c < width; c += NODE) {
            subtract_nine(panel + (size_t)c * ld + start, ld, l + start, STRIP, start - k,
                          rows - start, isa);
        }
        for (int c = 0; c < NODE; c++) {
            const size_t after = (size_t)(k + NODE);
            memcpy(column + (size_t)c * ld + after, l + c * STRIP + after,
                   ((size_t)rows - after) * sizeof(double));
        }
    }
    return -1;
}

// x <- (I + L)^-1 x for columns of a strip's rows.
KERNEL void substitute(const double* low, int width, double* x, size_t ld, int columns,
                       block_isa isa)
{
    const int rows = padded(width);
    for (int c = 0; c < columns; c += NODE, x += NODE * ld) {
        for (int k = 0; k + NODE < width; k += NODE) {
            const int start = (k + NODE) / PAD * PAD;
            subtract_nine(x + start, ld, low + k * STRIP + start, STRIP, start - k, rows - start,
                          isa);
        }
    }
}

KERNEL int factor_strip(fronts* f, const front* at, int first, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const int own = NODE * at->own;
    const int width = own - first < STRIP ? own - first : STRIP;
    const int next = first + padded(width);  // the first row below the strip
    double* panel = f->factor + at->panel;
    double* right = f->factor + at->right;
    double* strip = panel + (size_t)first * ld;
    double* low = f->vector;
    const int position = at->first + first / NODE;
    const int bad = factor_square(f, strip + first, ld, position, width, low, isa);
    if (bad >= 0) return bad;

    for (int k = 0; k < width; k += NODE) {
        double* column = strip + (size_t)k * ld;
        const product p = {
            column + next, strip + next, column + first, ld, ld, ld, (int)ld - next, k, NODE};
        subtract_product(&p, isa);
        times_inverse(column + next, ld, f->inverse + NODE_SIZE * (size_t)(position + k / NODE),
                      (int)ld - next, isa);
    }
    if (first + width < own) {
        double* rest = strip + (size_t)width * ld;
        substitute(low, width, rest + first, ld, own - first - width, isa);
        const product p = {rest + next,    strip + next, rest + first,       ld, ld, ld,
                           (int)ld - next, width,        own - first - width};
        subtract_product(&p, isa);
    }
    const size_t wide = (size_t)at->own_rows;
    substitute(low, width, right + first, wide, NODE * at->below, isa);
    const product p = {right + next,        strip + next, right + first,   wide, ld, wide,
                       at->own_rows - next, width,        NODE * at->below};
    subtract_product(&p, isa);
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
    memset(panel, 0, (size_t)(NODE * at->own) * ld * sizeof(double));
    memset(right, 0, (size_t)(NODE * at->below) * wide * sizeof(double));
    memset(f->scratch + at->rest, 0,
           (size_t)(NODE * at->below) * (size_t)at->below_rows * sizeof(double));
    for (int i = at->value_at; i < at[1].value_at; i++) {
        const front_load* load = &f->load[i];
        const double* from = f->value + NODE_SIZE * (size_t)load->value;
        const size_t step = load->is_right ? wide : ld;
        double* to = (load->is_right ? right : panel) + (size_t)load->column * step + load->row;
        for (int c = 0; c < NODE; c++) {
            for (int r = 0; r < NODE; r++) to[(size_t)c * step + (size_t)r] += from[NODE * c + r];
        }
        if (load->is_right || load->row != load->column) continue;
        double size = 0.0;
        for (int k = 0; k < NODE; k++) to[(size_t)k * step + (size_t)k] += shift;
        for (int k = 0; k < NODE_SIZE; k++) size = tml__larger(size, from[k]);
        f->inverse[NODE_SIZE * (size_t)(at->first + load->row / NODE)] = size;
    }
}

KERNEL void add_run(double* to, const double* from, int count, block_isa isa)
{
    int i = 0;
    if (isa == BLOCK_AVX512) {
        typedef double loose __attribute__((vector_size(64), aligned(8), may_alias));
        for (; i + 8 <= count; i += 8) *(loose*)(to + i) += *(const loose*)(from + i);
    }
    for (; i < count; i++) to[i] += from[i];
}

// What a child left.
KERNEL void add_child(fronts* f, const front* at, const front* child, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const double* from = f->scratch + child->rest;
    for (int k = 0; k < child->below; k++) {
        const int place = f->map[child->map_at + k];
        for (int c = 0; c < NODE; c++, from += child->below_rows) {
            // rows of own nodes, and as if in the same column those of nodes below
            double* top;
            double* bottom;
            if (place < at->own) {
                top = f->factor + at->panel + (size_t)(NODE * place + c) * ld;
                bottom = top + at->own_rows;
            } else {
                const size_t column = (size_t)(NODE * (place - at->own) + c);
                top = f->factor + at->right + column * (size_t)at->own_rows;
                bottom = f->scratch + at->rest + column * (size_t)at->below_rows;
            }
            for (int r = child->run_at; r < child->run_at + child->runs; r++) {
                const front_run* run = &f->runs[r];
                double* to =
                    run->to < at->own_rows ? top + run->to : bottom + run->to - at->own_rows;
                add_run(to, from + run->from, run->count, isa);
            }
        }
    }
}

KERNEL int factor_all(fronts* f, double shift, block_isa isa)
{
    f->pivot = 1.0;
    for (int k = 0; k < f->front_count; k++) {
        const front* at = &f->all[k];
        load_front(f, at, shift);
        for (int c = at->child; c >= 0; c = f->all[c].next) add_child(f, at, &f->all[c], isa);
        for (int first = 0; first < NODE * at->own; first += STRIP) {
            const int bad = factor_strip(f, at, first, isa);
            if (bad >= 0) return bad;
        }
        const size_t ld = (size_t)(at->own_rows + at->below_rows);
        const product p = {f->scratch + at->rest,
                           f->factor + at->panel + at->own_rows,
                           f->factor + at->right,
                           (size_t)at->below_rows,
                           ld,
                           (size_t)at->own_rows,
                           at->below_rows,
                           NODE * at->own,
                           NODE * at->below};
        subtract_product(&p, isa);
    }
    return -1;
}

// ---- solves, by positions

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

KERNEL void backward(const fronts* f, const front* at, double* x, double* local, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const size_t wide = (size_t)at->own_rows;
    const double* panel = f->factor + at->panel;
    const double* right = f->factor + at->right;
    double* own = x + (size_t)NODE * (size_t)at->first;
    memset(local, 0, wide * sizeof(double));
    memcpy(local, own, (size_t)(NODE * at->own) * sizeof(double));
    for (int k = 0; k < at->below; k++) {
        subtract_three(local, right + (size_t)(NODE * k) * wide, wide,
                       x + (size_t)NODE * (size_t)f->below[at->rows_at + k], at->own_rows, isa);
    }
    for (int k = at->own - 1; k >= 0; k--) {
        const double* i = f->inverse + (size_t)NODE_SIZE * (size_t)(at->first + k);
        double* z = local + NODE * k;
        const double y[NODE] = {z[0], z[1], z[2]};
        for (int r = 0; r < NODE; r++) z[r] = (i[r] * y[0] + i[3 + r] * y[1]) + i[6 + r] * y[2];
        subtract_three_from(local, panel + (size_t)(NODE * k) * ld, ld, z, 0, NODE * k, isa);
    }
    memcpy(own, local, (size_t)(NODE * at->own) * sizeof(double));
}

KERNEL void solve_all(fronts* f, double* x, block_isa isa)
{
    double* local = f->vector + STRIP_SIZE;
    for (int p = 0; p < f->node_count; p++) {
        memcpy(f->x + NODE * (size_t)p, x + NODE * (size_t)f->node[p], NODE * sizeof(double));
    }
    for (int k = 0; k < f->front_count; k++) forward(f, &f->all[k], f->x, local, isa);
    for (int k = f->front_count - 1; k >= 0; k--) backward(f, &f->all[k], f->x, local, isa);
    for (int p = 0; p < f->node_count; p++) {
        memcpy(x + NODE * (size_t)f->node[p], f->x + NODE * (size_t)p, NODE * sizeof(double));
    }
}

// ---- instruction sets

static int factor_plain(fronts* f, double shift) { return factor_all(f, shift, BLOCK_PLAIN); }
static void solve_plain(fronts* f, double* x) { solve_all(f, x, BLOCK_PLAIN); }

#if defined(__x86_64__)
FOR_AVX2 static int factor_avx2(fronts* f, double shift)
{
    return factor_all(f, shift, BLOCK_AVX2);
}
FOR_AVX2 static void solve_avx2(fronts* f, double* x) { solve_all(f, x, BLOCK_AVX2); }
FOR_AVX512 static int factor_avx512(fronts* f, double shift)
{
    return factor_all(f, shift, BLOCK_AVX512);
}
FOR_AVX512 static void solve_avx512(fronts* f, double* x) { solve_all(f, x, BLOCK_AVX512); }
#endif

const fronts_kernels* tml__fronts_kernels(block_isa isa)
{
    static const fronts_kernels plain = {factor_plain, solve_plain};
#if defined(__x86_64__)
    static const fronts_kernels avx2 = {factor_avx2, solve_avx2};
    static const fronts_kernels avx512 = {factor_avx512, solve_avx512};
    // a set is there where the block engine has it
    if (isa == BLOCK_AVX2) return tml__block_kernels(isa) != NULL ? &avx2 : NULL;
    if (isa == BLOCK_AVX512) return tml__block_kernels(isa) != NULL ? &avx512 : NULL;
#endif
    return isa == BLOCK_PLAIN ? &plain : NULL;
}
