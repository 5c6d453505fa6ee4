// linalg/block_numeric.c - factorisation and solves of block matrices, for each instruction set.
//
// Left-looking: column j first receives the products of all earlier columns k that reach it, then
// its diagonal block is factored and the blocks of L below it are divided by that. With the
// blocks of U stored in the mirrored places,
//
//     D_j  -= L_jk U_kj       L_ij -= L_ik U_kj       U_ji -= L_jk U_ki       (i > j > k)
//     L_ij <- L_ij D_j^-1
//
// and for a symmetric matrix D_j -= L_jk L_jk^T, L_ij -= L_ik L_jk^T, L_ij <- L_ij G_j^-T. Where all
// blocks are 6 x 6 the result is rewritten as (I + L) D (I + L)^T with D^-1 in place of G: a solve then
// has no triangular system to wait for.
//
// The routines are written once, with a constant instruction set and a constant that says whether
// all blocks are 6 x 6, and instantiated at the end.
#include "linalg/block_kernels.h"

// Blocks of any width go through these; only 6 x 6 ones are worth a copy of the code at each place.
static void product_plain_any(double* x, const double* y, const double* z, const shape* s)
{
    product_plain(x, y, z, *s);
}

static void divide_plain_any(double* x, int rows, int stride, const divisor* by)
{
    divide(x, rows, stride, *by, BLOCK_PLAIN);
}

static void divide_root_plain_any(double* x, int rows, int stride, const divisor* by)
{
    divide_root(x, rows, stride, *by, BLOCK_PLAIN);
}

FOR_AVX2 static void product_avx2_any(double* x, const double* y, const double* z, const shape* s)
{
    if (s->cols % TILE == 0)
        product_tiled(x, y, z, *s, BLOCK_AVX2, TILE);
    else if (s->cols % 3 == 0)
        product_tiled(x, y, z, *s, BLOCK_AVX2, 3);
    else
        product_tiled(x, y, z, *s, BLOCK_AVX2, 1);
}

FOR_AVX2 static void divide_avx2_any(double* x, int rows, int stride, const divisor* by)
{
    divide(x, rows, stride, *by, BLOCK_AVX2);
}

FOR_AVX2 static void divide_root_avx2_any(double* x, int rows, int stride, const divisor* by)
{
    divide_root(x, rows, stride, *by, BLOCK_AVX2);
}

// x -= y z
KERNEL void multiply(double* x, const double* y, const double* z, shape s, block_isa isa, bool six)
{
    if (six)
        product_tiled(x, y, z, s, isa, s.cols);  // 6 columns, or 1 of a vector
    else if (isa == BLOCK_PLAIN)
        product_plain_any(x, y, z, &s);
    else
        product_avx2_any(x, y, z, &s);
}

// x <- x D^-1
KERNEL void divide_by(double* x, int rows, int stride, divisor d, block_isa isa, bool six)
{
    if (six)
        divide(x, rows, stride, d, isa);
    else if (isa == BLOCK_PLAIN)
        divide_plain_any(x, rows, stride, &d);
    else
        divide_avx2_any(x, rows, stride, &d);
}

// x <- x G^-T
KERNEL void divide_by_root(double* x, int rows, int stride, divisor d, block_isa isa, bool six)
{
    if (six)
        divide_root(x, rows, stride, d, isa);
    else if (isa == BLOCK_PLAIN)
        divide_root_plain_any(x, rows, stride, &d);
    else
        divide_root_avx2_any(x, rows, stride, &d);
}

KERNEL int width_of(const block* b, int j, bool six) { return six ? BLOCK_SIX : b->width[j]; }

KERNEL int stride_of(const block* b, int j, bool six)
{
    return six ? BLOCK_SIX_STRIDE : b->stride[j];
}

KERNEL double* diagonal_of(const block* b, int j, bool six)
{
    return b->diagonal + (six ? (size_t)BLOCK_SIX_SIZE * (size_t)j : b->at_diagonal[j]);
}

KERNEL double* lower_of(const block* b, int i, bool six)
{
    return b->lower + (six ? (size_t)BLOCK_SIX_SIZE * (size_t)i : b->at_lower[i]);
}

KERNEL double* upper_of(const block* b, int i, bool six)
{
    return b->upper + (six ? (size_t)BLOCK_SIX_SIZE * (size_t)i : b->at_upper[i]);
}

KERNEL size_t vector_of(const block* b, int j, bool six)
{
    return six ? (size_t)BLOCK_SIX_STRIDE * (size_t)j : b->at_vector[j];
}

KERNEL divisor divisor_of(const block* b, int j, bool six)
{
    const size_t v = vector_of(b, j, six);

    return (divisor){.d = diagonal_of(b, j, six),
                     .reciprocal = b->reciprocal + v,
                     .pivot = b->pivot + v,
                     .width = width_of(b, j, six),
                     .stride = stride_of(b, j, six)};
}

// y of node `row` and `inner`, z of node `inner` and `column`, both stored by columns
KERNEL shape shape_of(const block* b, int row, int inner, int column, bool six)
{
    return (shape){.rows = width_of(b, row, six),
                   .stride = stride_of(b, row, six),
                   .inner = width_of(b, inner, six),
                   .cols = width_of(b, column, six),
                   .z_inner = 1,
                   .z_cols = stride_of(b, inner, six)};
}

// as above with z transposed: stored as a block of node `column` and `inner`
KERNEL shape shape_of_symmetric(const block* b, int row, int inner, int column, bool six)
{
    shape s = shape_of(b, row, inner, column, six);
    s.z_inner = stride_of(b, column, six);
    s.z_cols = 1;
    return s;
}

// A vector of node `inner` times a block of node `row`.
KERNEL shape shape_of_vector(const block* b, int row, int inner, bool six)
{
    return (shape){.rows = width_of(b, row, six),
                   .stride = stride_of(b, row, six),
                   .inner = width_of(b, inner, six),
                   .cols = 1,
                   .z_inner = 1,
                   .z_cols = 0};
}

// A block that only elimination fills begins at zero. Here and not for all of them before: then it is
// still in the first cache when it is filled.
KERNEL void open_block(block* b, int t, block_kind kind, block_isa isa, bool six)
{
    if (six) {
        clear_six(lower_of(b, t, six), isa);
        if (kind == BLOCK_LU) clear_six(upper_of(b, t, six), isa);
        return;
    }
    double* lower = lower_of(b, t, six);
    const size_t size = b->at_lower[t + 1] - b->at_lower[t];
    for (size_t i = 0; i < size; i++) lower[i] = 0.0;
    if (kind != BLOCK_LU) return;
    double* upper = upper_of(b, t, six);
    const size_t other = b->at_upper[t + 1] - b->at_upper[t];
    for (size_t i = 0; i < other; i++) upper[i] = 0.0;
}

// Remember where the rows of column j are, and the diagonal entries before elimination.
KERNEL void open_column(block* b, int j, double* smallest, block_kind kind, block_isa isa, bool six)
{
    const elimination* e = &b->e;
    const double* d = diagonal_of(b, j, six);
    const int stride = stride_of(b, j, six);

    for (int t = e->column_start[j]; t < e->column_start[j + 1]; t++) {
        b->place[e->row[t]] = t;
        if (!b->is_paired[t]) open_block(b, t, kind, isa, six);
    }
    for (int c = 0; c < width_of(b, j, six); c++) {
        smallest[c] = block_lost * fabs(d[stride * c + c]);
        if (smallest[c] > b->largest) b->largest = smallest[c];
    }
}

// Keep the weakest and the strongest pivot seen.
KERNEL void close_column(block* b, int j, const double* smallest, bool six)
{
    const double* reciprocal = b->reciprocal + vector_of(b, j, six);

    for (int c = 0; c < width_of(b, j, six); c++) {
        const double size = fabs(reciprocal[c]);
        if (smallest[c] * size > b->weakest) b->weakest = smallest[c] * size;
        if (size < b->strongest) b->strongest = size;
    }
}

KERNEL void update_column_lu(block* b, int j, block_isa isa, bool six)
{
    const elimination* e = &b->e;

    for (int p = e->row_start[j]; p < e->row_start[j + 1]; p++) {
        const int k = e->row_column[p];
        const int jk = e->row_block[p];
        const double* l_jk = lower_of(b, jk, six);
        const double* u_kj = upper_of(b, jk, six);

        multiply(diagonal_of(b, j, six), l_jk, u_kj, shape_of(b, j, k, j, six), isa, six);
        for (int ik = jk + 1; ik < e->column_start[k + 1]; ik++) {
            const int i = e->row[ik];
            const int ij = b->place[i];
            multiply(lower_of(b, ij, six), lower_of(b, ik, six), u_kj, shape_of(b, i, k, j, six),
                     isa, six);
            multiply(upper_of(b, ij, six), l_jk, upper_of(b, ik, six), shape_of(b, j, k, i, six),
                     isa, six);
        }
    }
}

KERNEL int factor_lu(block* b, block_isa isa, bool six)
{
    const elimination* e = &b->e;
    double smallest[BLOCK_MAX_WIDTH];

    for (int t = 0; t < e->node_count; t++) {
        const int j = e->turn[t];
        open_column(b, j, smallest, BLOCK_LU, isa, six);
        update_column_lu(b, j, isa, six);

        const divisor d = divisor_of(b, j, six);
        if (!factor_diagonal(d, smallest)) return j;
        close_column(b, j, smallest, six);
        for (int ij = e->column_start[j]; ij < e->column_start[j + 1]; ij++) {
            const int i = e->row[ij];
            divide_by(lower_of(b, ij, six), width_of(b, i, six), stride_of(b, i, six), d, isa, six);
        }
    }
    return -1;
}

KERNEL void update_column_cholesky(block* b, int j, block_isa isa, bool six)
{
    const elimination* e = &b->e;

    for (int p = e->row_start[j]; p < e->row_start[j + 1]; p++) {
        const int k = e->row_column[p];
        const int jk = e->row_block[p];
        const double* l_jk = lower_of(b, jk, six);

        multiply(diagonal_of(b, j, six), l_jk, l_jk, shape_of_symmetric(b, j, k, j, six), isa, six);
        for (int ik = jk + 1; ik < e->column_start[k + 1]; ik++) {
            const int i = e->row[ik];
            multiply(lower_of(b, b->place[i], six), lower_of(b, ik, six), read_again(l_jk),
                     shape_of_symmetric(b, i, k, j, six), isa, six);
        }
    }
}

// L_ij <- L_ij G_j^-1 and D_j^-1 in place of G_j
KERNEL void unroot_columns(block* b, block_isa isa)
{
    const elimination* e = &b->e;

    for (int j = 0; j < e->node_count; j++) {
        const divisor d = divisor_of(b, j, true);
        for (int ij = e->column_start[j]; ij < e->column_start[j + 1]; ij++) {
            unroot(lower_of(b, ij, true), d, isa);
        }
        invert_root(d, isa);
    }
}

KERNEL int factor_cholesky(block* b, block_isa isa, bool six)
{
    const elimination* e = &b->e;
    double smallest[BLOCK_MAX_WIDTH];

    for (int t = 0; t < e->node_count; t++) {
        const int j = e->turn[t];
        open_column(b, j, smallest, BLOCK_CHOLESKY, isa, six);
        update_column_cholesky(b, j, isa, six);

        const divisor d = divisor_of(b, j, six);
        if (!factor_root(d, smallest, isa, six)) return j;
        for (int ij = e->column_start[j]; ij < e->column_start[j + 1]; ij++) {
            const int i = e->row[ij];
            divide_by_root(lower_of(b, ij, six), width_of(b, i, six), stride_of(b, i, six), d, isa,
                           six);
        }
        // the pivots are the squares of what G has on its diagonal
        for (int c = 0; c < d.width; c++) {
            const double inverse = d.reciprocal[c] * d.reciprocal[c];
            if (smallest[c] * inverse > b->weakest) b->weakest = smallest[c] * inverse;
            if (inverse < b->strongest) b->strongest = inverse;
        }
    }
    if (six) unroot_columns(b, isa);
    return -1;
}

// The right-hand sides of one solve.
typedef struct vectors {
    double* x;
    int count;
    size_t step;
} vectors;

// x_i -= L_ij x_j for all i below j
KERNEL void push_down(block* b, vectors v, int j, block_isa isa, bool six)
{
    const elimination* e = &b->e;
    const size_t from = vector_of(b, j, six);
    const int first = e->column_start[j];
    const int count = e->column_start[j + 1] - first;

    for (int n = 0; n < v.count; n++) {
        double* x = v.x + v.step * (size_t)n;
        if (six) {
            products_six(x, lower_of(b, first, six), e->row + first, count, x + from, isa);
            continue;
        }
        for (int ij = first; ij < first + count; ij++) {
            const int i = e->row[ij];
            multiply(x + vector_of(b, i, six), lower_of(b, ij, six), x + from,
                     shape_of_vector(b, i, j, six), isa, six);
        }
    }
}

// x_j -= U_ji x_i for all i below j
KERNEL void pull_up(block* b, vectors v, int j, block_isa isa, bool six)
{
    const elimination* e = &b->e;
    const size_t to = vector_of(b, j, six);

    for (int ij = e->column_start[j]; ij < e->column_start[j + 1]; ij++) {
        const int i = e->row[ij];
        const size_t from = vector_of(b, i, six);
        for (int n = 0; n < v.count; n++) {
            double* x = v.x + v.step * (size_t)n;
            multiply(x + to, upper_of(b, ij, six), x + from, shape_of_vector(b, j, i, six), isa,
                     six);
        }
    }
}

// x_i -= U_ji^T x_j for all i below j
KERNEL void push_down_transposed(block* b, vectors v, int j, bool six)
{
    const elimination* e = &b->e;
    const size_t from = vector_of(b, j, six);

    for (int ij = e->column_start[j]; ij < e->column_start[j + 1]; ij++) {
        const int i = e->row[ij];
        const size_t to = vector_of(b, i, six);
        for (int n = 0; n < v.count; n++) {
            double* x = v.x + v.step * (size_t)n;
            product_transposed(x + to, upper_of(b, ij, six), x + from, width_of(b, j, six),
                               stride_of(b, j, six), width_of(b, i, six));
        }
    }
}

// x_j -= L_ij^T x_i for all i below j
KERNEL void pull_up_transposed(block* b, vectors v, int j, block_isa isa, bool six)
{
    const elimination* e = &b->e;
    const size_t to = vector_of(b, j, six);
    const int first = e->column_start[j];
    const int count = e->column_start[j + 1] - first;

    for (int n = 0; n < v.count; n++) {
        double* x = v.x + v.step * (size_t)n;
        if (six) {
            products_transposed(x + to, lower_of(b, first, six), e->row + first, count, x, isa);
            continue;
        }
        for (int ij = first; ij < first + count; ij++) {
            const int i = e->row[ij];
            product_transposed(x + to, lower_of(b, ij, six), x + vector_of(b, i, six),
                               width_of(b, i, six), stride_of(b, i, six), width_of(b, j, six));
        }
    }
}

KERNEL void solve_lu(block* b, vectors v, block_isa isa, bool six)
{
    for (int j = 0; j < b->e.node_count; j++) push_down(b, v, j, isa, six);
    for (int j = b->e.node_count - 1; j >= 0; j--) {
        pull_up(b, v, j, isa, six);
        for (int n = 0; n < v.count; n++) {
            solve_diagonal(v.x + v.step * (size_t)n + vector_of(b, j, six), divisor_of(b, j, six));
        }
    }
}

KERNEL void solve_lu_transposed(block* b, vectors v, block_isa isa, bool six)
{
    for (int j = 0; j < b->e.node_count; j++) {
        for (int n = 0; n < v.count; n++) {
            solve_diagonal_transposed(v.x + v.step * (size_t)n + vector_of(b, j, six),
                                      divisor_of(b, j, six));
        }
        push_down_transposed(b, v, j, six);
    }
    for (int j = b->e.node_count - 1; j >= 0; j--) pull_up_transposed(b, v, j, isa, six);
}

KERNEL void solve_cholesky(block* b, vectors v, block_isa isa, bool six)
{
    for (int j = 0; j < b->e.node_count; j++) {
        for (int n = 0; !six && n < v.count; n++) {
            solve_root(v.x + v.step * (size_t)n + vector_of(b, j, six), divisor_of(b, j, six));
        }
        push_down(b, v, j, isa, six);
    }
    for (int j = b->e.node_count - 1; j >= 0; j--) {
        for (int n = 0; six && n < v.count; n++) {
            apply_six(v.x + v.step * (size_t)n + vector_of(b, j, six), diagonal_of(b, j, six), isa);
        }
        pull_up_transposed(b, v, j, isa, six);
        for (int n = 0; !six && n < v.count; n++) {
            solve_root_transposed(v.x + v.step * (size_t)n + vector_of(b, j, six),
                                  divisor_of(b, j, six));
        }
    }
}

KERNEL int run(block* b, block_task task, int count, block_isa isa, bool six)
{
    const vectors v = {.x = b->vector, .count = count, .step = b->vector_length};

    switch (task) {
    case BLOCK_FACTOR_LU: return factor_lu(b, isa, six);
    case BLOCK_FACTOR_CHOLESKY: return factor_cholesky(b, isa, six);
    case BLOCK_SOLVE_LU: solve_lu(b, v, isa, six); break;
    case BLOCK_SOLVE_LU_TRANSPOSED: solve_lu_transposed(b, v, isa, six); break;
    case BLOCK_SOLVE_CHOLESKY: solve_cholesky(b, v, isa, six); break;
    }
    return -1;
}

static int run_plain(block* b, block_task task, int count)
{
    return b->is_six ? run(b, task, count, BLOCK_PLAIN, true)
                     : run(b, task, count, BLOCK_PLAIN, false);
}

static void outer_plain(const outer_sum* s) { add_outer_plain(s); }

#if defined(__x86_64__)

FOR_AVX2 static int run_avx2(block* b, block_task task, int count)
{
    return b->is_six ? run(b, task, count, BLOCK_AVX2, true)
                     : run(b, task, count, BLOCK_AVX2, false);
}

FOR_AVX2 static void outer_avx2(const outer_sum* s)
{
    add_outer4(s, 0);
    add_outer4(s, 4);
}

FOR_AVX512 static int run_avx512_six(block* b, block_task task, int count)
{
    return run(b, task, count, BLOCK_AVX512, true);
}

// Eight rows at once pay for 6 x 6 blocks.
static int run_avx512(block* b, block_task task, int count)
{
    return b->is_six ? run_avx512_six(b, task, count) : run_avx2(b, task, count);
}

FOR_AVX512 static void outer_avx512(const outer_sum* s) { add_outer8(s); }

#endif

const block_kernels* tml__block_kernels(block_isa isa)
{
    static const block_kernels plain = {run_plain, outer_plain};
#if defined(__x86_64__)
    static const block_kernels avx2 = {run_avx2, outer_avx2};
    static const block_kernels avx512 = {run_avx512, outer_avx512};

    if (isa == BLOCK_AVX2 && __builtin_cpu_supports("avx2")) return &avx2;
    if (isa == BLOCK_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        return &avx512;
    }
#endif
    return isa == BLOCK_PLAIN ? &plain : NULL;
}
