// linalg/fronts_symmetric.c - symmetric matrices by fronts: half the work of fronts_numeric.c.
//
//   A = (I + L) D (I + L)^T,  D of 3 x 3 blocks
//
// The columns of a front are eliminated by strips of 24 within chunks of 96. D L^T of a chunk is kept,
// turned, while its columns are at hand; what a chunk takes from the columns behind it and from the rest
// is one product, of which only the rows at and below the diagonal are formed.
#include "linalg/fronts_kernels.h"

// ---- one strip

// What stands above the diagonal of a square is what stands below it.
KERNEL void mirror(double* square, size_t ld, int width)
{
    for (int c = 1; c < width; c++) {
        for (int r = 0; r < c; r++)
            square[(size_t)c * ld + (size_t)r] = square[(size_t)r * ld + (size_t)c];
    }
}

// Leading minors: are all eigenvalues of a symmetric pivot positive?
KERNEL bool is_positive(const double* d, size_t ld)
{
    const double* q = d + ld;
    const double* r = q + ld;
    const double two = d[0] * q[1] - d[1] * q[0];
    const double three =
        (r[0] * (d[1] * q[2] - d[2] * q[1]) - r[1] * (d[0] * q[2] - d[2] * q[0])) + r[2] * two;
    return d[0] > 0.0 && two > 0.0 && three > 0.0;
}

// Three columns as rows of `turned`, DEPTH apart.
KERNEL void turn_columns(const double* column, size_t ld, int first, int last, double* turned)
{
    const double* a = column;
    const double* b = a + ld;
    const double* c = b + ld;
    for (int r = first; r < last; r++) {
        double* to = turned + (size_t)DEPTH * (size_t)r;
        to[0] = a[r];
        to[1] = b[r];
        to[2] = c[r];
    }
}

// A strip and what it takes from the rest of its chunk [chunk, last). The position whose pivot failed, or -1.
KERNEL int symmetric_strip(fronts* f, const front* at, int chunk, int first, int last,
                           block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const int width = last - first < STRIP ? last - first : STRIP;
    const int next = first + padded(width);  // the first row below the strip
    double* strip = f->factor + at->panel + (size_t)first * ld;
    double* pack = f->vector + STRIP_SIZE;
    double* turned = f->turned + (first - chunk);
    const int position = at->first + first / NODE;
    mirror(strip + first, ld, width);
    const int bad = factor_square(f, strip + first, ld, position, width, f->vector, isa);
    if (bad >= 0) return bad;

    for (int k = 0; k < width; k += NODE) {
        double* column = strip + (size_t)k * ld;
        const product p = {
            column + next, strip + next, column + first, ld,   ld, ld, (int)ld - next, k,
            NODE,          pack,         false,          false};
        subtract_product(&p, isa);
        f->is_definite = f->is_definite && is_positive(column + first + k, ld);
        turn_columns(column, ld, next, (int)ld, turned + k);
        times_inverse(column + next, ld, f->inverse + NODE_SIZE * (size_t)(position + k / NODE),
                      (int)ld - next, isa);
    }
    if (first + width == last) return -1;
    const product p = {strip + (size_t)width * ld + next,
                       strip + next,
                       turned + (size_t)DEPTH * (size_t)next,
                       ld,
                       ld,
                       DEPTH,
                       (int)ld - next,
                       width,
                       last - first - width,
                       pack,
                       true,
                       false};
    subtract_product(&p, isa);
    return -1;
}

// ---- one front

KERNEL int factor_chunk(fronts* f, const front* at, int first, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const int own = NODE * at->own;
    const int last = own - first < DEPTH ? own : first + DEPTH;
    for (int strip = first; strip < last; strip += STRIP) {
        const int bad = symmetric_strip(f, at, first, strip, last, isa);
        if (bad >= 0) return bad;
    }
    double* panel = f->factor + at->panel;
    product p = {panel + (size_t)last * ld + last,
                 panel + (size_t)first * ld + last,
                 f->turned + (size_t)DEPTH * (size_t)last,
                 ld,
                 ld,
                 DEPTH,
                 (int)ld - last,
                 last - first,
                 own - last,
                 f->vector + STRIP_SIZE,
                 true,
                 false};
    if (last < own) subtract_product(&p, isa);
    p.c = f->scratch + at->rest;
    p.a = panel + (size_t)first * ld + at->own_rows;
    p.b = f->turned + (size_t)DEPTH * (size_t)at->own_rows;
    p.ldc = (size_t)at->below_rows;
    p.rows = at->below_rows;
    p.columns = NODE * at->below;
    subtract_product(&p, isa);
    return -1;
}

// What a child left, the rows at and below the diagonal. Nodes keep their order, so that these are at and
// below the diagonal here too.
KERNEL void add_lower(fronts* f, const front* at, const front* child, block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const size_t ldfrom = (size_t)child->below_rows;
    const double* from = f->scratch + child->rest;
    const front_run* run = &f->runs[child->run_at];
    const front_run* end = run + child->runs;
    for (int k = 0; k < child->below; k++) {
        const int place = f->map[child->map_at + k];
        const int row = NODE * k;
        while (run->from + run->count <= row) run++;
        // as if all rows were in one column of the panel
        const bool is_own = place < at->own;
        const size_t ldto = is_own ? ld : (size_t)at->below_rows;
        double* to = is_own ? f->factor + at->panel + (size_t)(NODE * place) * ld
                            : f->scratch + at->rest + (size_t)(NODE * (place - at->own)) * ldto;
        const int above = is_own ? 0 : at->own_rows;
        const int skipped = row - run->from;
        add_run(to + (run->to + skipped - above), ldto, from + row, ldfrom, run->count - skipped,
                isa);
        for (const front_run* r = run + 1; r < end; r++) {
            add_run(to + (r->to - above), ldto, from + r->from, ldfrom, r->count, isa);
        }
        from += NODE * ldfrom;
    }
}

KERNEL int factor_symmetric(fronts* f, int first_front, int last_front, double shift, block_isa isa)
{
    for (int k = first_front; k < last_front; k++) {
        const front* at = &f->all[k];
        load_front(f, at, shift);
        memset(f->scratch + at->rest, 0,
               (size_t)(NODE * at->below) * (size_t)at->below_rows * sizeof(double));
        for (int c = at->child; c >= 0; c = f->all[c].next) add_lower(f, at, &f->all[c], isa);
        for (int first = 0; first < NODE * at->own; first += DEPTH) {
            const int bad = factor_chunk(f, at, first, isa);
            if (bad >= 0) return bad;
        }
    }
    return -1;
}

// ---- solves, by positions

// Eight sums side by side, whatever the instruction set.
typedef struct sums {
    double sum[8];
} sums;

KERNEL void add_products(sums* to, const double* a, const double* x, int rows, block_isa isa)
{
    if (isa == BLOCK_AVX512) {
        v8 sum = *(v8*)to->sum;
        for (int r = 0; r < rows; r += 8) sum += *(const v8*)(a + r) * *(const v8*)(x + r);
        *(v8*)to->sum = sum;
    } else if (isa == BLOCK_AVX2) {
        v4 low = *(v4*)to->sum;
        v4 high = *(v4*)(to->sum + 4);
        for (int r = 0; r < rows; r += 8) {
            low += *(const v4*)(a + r) * *(const v4*)(x + r);
            high += *(const v4*)(a + r + 4) * *(const v4*)(x + r + 4);
        }
        *(v4*)to->sum = low;
        *(v4*)(to->sum + 4) = high;
    } else {
        for (int r = 0; r < rows; r++) to->sum[r % 8] += a[r] * x[r];
    }
}

// a . x over rows [first, rows): `first` anywhere, `rows` a multiple of eight.
KERNEL double dot_from(const double* a, const double* x, int first, int rows, block_isa isa)
{
    if (first >= rows) return 0.0;
    const int start = first / PAD * PAD;
    _Alignas(64) sums l = {{0.0}};
    for (int r = first; r < start + PAD; r++) l.sum[r - start] += a[r] * x[r];
    add_products(&l, a + start + PAD, x + start + PAD, rows - start - PAD, isa);
    const double* s = l.sum;
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

KERNEL void backward_symmetric(const fronts* f, const front* at, double* x, double* local,
                               block_isa isa)
{
    const size_t ld = (size_t)(at->own_rows + at->below_rows);
    const double* panel = f->factor + at->panel;
    double* own = x + (size_t)NODE * (size_t)at->first;
    memset(local, 0, ld * sizeof(double));
    for (int k = 0; k < at->below; k++) {
        memcpy(local + at->own_rows + NODE * k,
               x + (size_t)NODE * (size_t)f->below[at->rows_at + k], NODE * sizeof(double));
    }
    for (int k = at->own - 1; k >= 0; k--) {
        const double* i = f->inverse + (size_t)NODE_SIZE * (size_t)(at->first + k);
        const double* y = own + NODE * k;
        const double* column = panel + (size_t)(NODE * k) * ld;
        for (int r = 0; r < NODE; r++) {
            const double z = (i[r] * y[0] + i[3 + r] * y[1]) + i[6 + r] * y[2];
            local[NODE * k + r] =
                z - dot_from(column + (size_t)r * ld, local, NODE * (k + 1), (int)ld, isa);
        }
    }
    memcpy(own, local, (size_t)(NODE * at->own) * sizeof(double));
}

KERNEL void solve_symmetric(fronts* f, double* x, block_isa isa)
{
    double* local = f->vector + STRIP_SIZE + PACK_SIZE;
    gather(f, x);
    for (int k = 0; k < f->front_count; k++) forward(f, &f->all[k], f->x, local, isa);
    for (int k = f->front_count - 1; k >= 0; k--)
        backward_symmetric(f, &f->all[k], f->x, local, isa);
    scatter(f, x);
}

FRONTS_FOR_EACH_SET(tml__fronts_symmetric, factor_symmetric, solve_symmetric)
