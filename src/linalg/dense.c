// linalg/dense.c - LU with partial pivoting of the whole saddle matrix, for small models.
//
// Everything is stored on creation; factor and solve allocate nothing. A solve ends with one step
// of iterative refinement against a copy of the scaled matrix, which costs as much as the solve
// and leaves a residual at round-off even where masses differ by many powers of ten.
#include "linalg/saddle.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct dense {
    saddle matrix;
    double* slot;     // scaled value of each slot
    double* full;     // n x n, row-major: the scaled matrix
    double* factor;   // n x n: L below the diagonal, U on and above it
    double* largest;  // the largest entry of each column before elimination
    double* work;     // n
    int* pivot;       // row exchanged with row k at step k
} dense;

static void destroy(kkt* k)
{
    dense* d = k->state;
    if (d == NULL) return;

    tml__saddle_destroy(&d->matrix, &k->allocator);
    tml__release(&k->allocator, d->slot);
    tml__release(&k->allocator, d->full);
    tml__release(&k->allocator, d->factor);
    tml__release(&k->allocator, d->largest);
    tml__release(&k->allocator, d->work);
    tml__release(&k->allocator, d->pivot);
    tml__release(&k->allocator, d);
    k->state = NULL;
}

static tml_status create(kkt* k, message* why)
{
    dense* d = tml__allocate(&k->allocator, 1, sizeof *d);
    if (d == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for a dense solver");
    k->state = d;

    const tml_status status = tml__saddle_create(&d->matrix, k, why);
    if (status != TML_OK) return status;

    const size_t n = (size_t)d->matrix.size;
    size_t square = 0;
    if (!tml__size_mul(n, n, &square)) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for a dense matrix of %zu unknowns", n);
    }
    d->slot = tml__allocate(&k->allocator, (size_t)d->matrix.slot_count, sizeof(double));
    d->full = tml__allocate(&k->allocator, square, sizeof(double));
    d->factor = tml__allocate(&k->allocator, square, sizeof(double));
    d->largest = tml__allocate(&k->allocator, n, sizeof(double));
    d->work = tml__allocate(&k->allocator, n, sizeof(double));
    d->pivot = tml__allocate(&k->allocator, n, sizeof(int));
    if (!d->slot || !d->full || !d->factor || !d->largest || !d->work || !d->pivot) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for a dense matrix of %zu unknowns", n);
    }
    return TML_OK;
}

static void assemble(dense* d, const kkt* k)
{
    const size_t n = (size_t)d->matrix.size;

    tml__saddle_values(&d->matrix, k, d->slot);
    if (n > 0) memset(d->full, 0, n * n * sizeof(double));
    for (int s = 0; s < d->matrix.slot_count; s++) {
        d->full[(size_t)d->matrix.row[s] * n + (size_t)d->matrix.column[s]] += d->slot[s];
    }
    if (n > 0) memcpy(d->factor, d->full, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++) d->largest[j] = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double size = fabs(d->full[i * n + j]);
            if (size > d->largest[j]) d->largest[j] = size;
        }
    }
}

// The row at or below k with the largest entry in column k; the first one on ties.
static size_t find_pivot(const double* a, size_t n, size_t k)
{
    size_t best = k;
    for (size_t i = k + 1; i < n; i++) {
        if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
    }
    return best;
}

static void swap_rows(double* restrict a, double* restrict b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        const double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

static void subtract(double* restrict a, const double* restrict b, double factor, size_t n)
{
    for (size_t j = 0; j < n; j++) a[j] -= factor * b[j];
}

// A pivot is nothing but round-off when it is this small against all that was added up in its
// column: the entries it had and those of U above it. (No multiplier of L exceeds 1.)
static bool is_round_off(const dense* d, size_t k, double pivot)
{
    const size_t n = (size_t)d->matrix.size;
    double largest = d->largest[k];

    for (size_t j = 0; j < k; j++) {
        const double size = fabs(d->factor[j * n + k]);
        if (size > largest) largest = size;
    }
    return !(fabs(pivot) > 4.0 * (double)(n + 16) * DBL_EPSILON * largest);
}

static tml_status factor(kkt* k, int* bad_row)
{
    dense* d = k->state;
    const size_t n = (size_t)d->matrix.size;
    const size_t first_row = (size_t)KKT_WIDTH * (size_t)k->node_count;
    double* a = d->factor;

    assemble(d, k);
    for (size_t j = 0; j < n; j++) {
        const size_t p = find_pivot(a, n, j);
        const double pivot = a[p * n + j];
        if (is_round_off(d, j, pivot)) {
            *bad_row = j < first_row ? -1 : (int)(j - first_row);
            return TML_SINGULAR;
        }
        d->pivot[j] = (int)p;
        if (p != j) swap_rows(a + p * n, a + j * n, n);
        for (size_t i = j + 1; i < n; i++) {
            if (a[i * n + j] == 0.0) continue;
            const double l = a[i * n + j] / pivot;
            a[i * n + j] = l;
            subtract(a + i * n + j + 1, a + j * n + j + 1, l, n - j - 1);
        }
    }
    return TML_OK;
}

static double dot(const double* a, const double* b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void exchange(double* x, size_t i, size_t j)
{
    const double t = x[i];
    x[i] = x[j];
    x[j] = t;
}

// x <- (P^T L U)^-1 x
static void solve_plain(const dense* d, double* x)
{
    const size_t n = (size_t)d->matrix.size;
    const double* a = d->factor;

    for (size_t i = 0; i < n; i++) exchange(x, i, (size_t)d->pivot[i]);
    for (size_t i = 1; i < n; i++) x[i] -= dot(a + i * n, x, i);
    for (size_t i = n; i-- > 0;) {
        x[i] = (x[i] - dot(a + i * n + i + 1, x + i + 1, n - i - 1)) / a[i * n + i];
    }
}

// x <- (U^T L^T P)^-1 x
static void solve_transposed(const dense* d, double* x)
{
    const size_t n = (size_t)d->matrix.size;
    const double* a = d->factor;

    for (size_t i = 0; i < n; i++) {
        x[i] /= a[i * n + i];
        subtract(x + i + 1, a + i * n + i + 1, x[i], n - i - 1);
    }
    for (size_t i = n; i-- > 1;) subtract(x, a + i * n, x[i], i);
    for (size_t i = n; i-- > 0;) exchange(x, i, (size_t)d->pivot[i]);
}

// residual = b - (matrix or its transpose) x
static void find_residual(dense* d, kkt_side side)
{
    const size_t n = (size_t)d->matrix.size;
    const double* x = d->matrix.x;
    double* residual = d->matrix.residual;

    for (size_t i = 0; i < n; i++) residual[i] = d->matrix.b[i];
    for (size_t i = 0; i < n; i++) {
        if (side == KKT_PLAIN)
            residual[i] -= dot(d->full + i * n, x, n);
        else
            subtract(residual, d->full + i * n, x[i], n);
    }
}

static tml_status solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl)
{
    dense* d = k->state;
    saddle* m = &d->matrix;
    void (*const apply)(const dense*, double*) = side == KKT_PLAIN ? solve_plain : solve_transposed;

    tml__saddle_load(m, k, r, c);
    for (int i = 0; i < m->size; i++) m->x[i] = m->b[i];
    apply(d, m->x);

    find_residual(d, side);
    apply(d, m->residual);
    for (int i = 0; i < m->size; i++) m->x[i] += m->residual[i];
    return tml__saddle_store(m, k, dx, dl) ? TML_OK : TML_SINGULAR;
}

static kkt_statistics statistics(const kkt* k)
{
    const dense* d = k->state;
    const double n = (double)d->matrix.size;

    return (kkt_statistics){.unknowns = d->matrix.size,
                            .factor_entries = (long long)d->matrix.size * d->matrix.size,
                            .factor_flops = 2.0 / 3.0 * n * n * n,
                            .passes = 2};
}

const kkt_engine tml__kkt_dense = {.create = create,
                                   .destroy = destroy,
                                   .factor = factor,
                                   .solve = solve,
                                   .statistics = statistics};
