// linalg/two_step.c - free motion, then correction: the saddle system by the compliance of its rows.
//
//     K x0 = r                     what would happen without rows                       [COOK (227)]
//     W = C K^-1 D^T + E           what a unit multiplier does to the rows        [COOK (266)-(273)]
//     W dl = c - C x0              the multipliers that correct it
//     dx = x0 + K^-1 D^T dl
//
// K is factored by the block engine, object by object where nothing couples them. W is full, so this
// is for few rows; it must not be singular: rows are independent, or have compliance. The other
// methods solve the same system at once. Solves are corrected against the values that were factored,
// because K^-1 loses digits where masses differ by many powers of ten.
#include "linalg/block.h"
#include "linalg/kkt_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PASSES = 3  // the solve, and two corrections
};

typedef struct two_step {
    block* objects;   // K
    double** node;    // per node: its block
    double** pair;    // 2 per pair
    double* row;      // 6 per entry: C as it was factored
    double* follow;   // K^-1 D^T: 6 per node, one column after the other
    double* W;        // rows x rows: L below the diagonal, U on and above it
    int* pivot;       // row exchanged with row k at step k
    double* x;        // 6 per node
    double* l;        // per row
    double* least;    // per column: the largest entry before elimination
    double* blocks;   // K as it was factored: 36 per node, then 72 per pair
    double* push;     // 6 per entry: D
    double* give;     // per row: E
    double* rest_x;   // what a solve leaves: 6 per node
    double* rest_l;   // per row
    double* given_x;  // and what it is asked for, because answers may stand in its place
    double* given_l;  //
} two_step;

static size_t width_of(const kkt* k) { return KKT_WIDTH * (size_t)k->node_count; }

// ---- life

static void destroy(kkt* k)
{
    two_step* t = k->state;
    if (t == NULL) return;
    void* const memory[] = {t->node,   t->pair,   t->row,     t->follow, t->W,    t->pivot,
                            t->x,      t->l,      t->least,   t->blocks, t->push, t->give,
                            t->rest_x, t->rest_l, t->given_x, t->given_l};
    tml__block_destroy(t->objects);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        tml__release(&k->allocator, memory[i]);
    }
    tml__release(&k->allocator, t);
    k->state = NULL;
}

static tml_status take_memory(kkt* k, two_step* t)
{
    const tml_allocator* allocator = &k->allocator;
    const size_t rows = (size_t)k->row_count;
    size_t full = 0;
    size_t square = 0;
    if (!tml__size_mul(width_of(k), rows, &full) || !tml__size_mul(rows, rows, &square)) {
        return TML_NO_MEMORY;
    }
    t->node = tml__allocate(allocator, (size_t)k->node_count, sizeof *t->node);
    t->pair = tml__allocate(allocator, 2 * (size_t)k->pair_count, sizeof *t->pair);
    t->row = tml__allocate(allocator, KKT_WIDTH * (size_t)k->entry_count, sizeof(double));
    t->follow = tml__allocate(allocator, full, sizeof(double));
    t->W = tml__allocate(allocator, square, sizeof(double));
    t->pivot = tml__allocate(allocator, rows, sizeof *t->pivot);
    t->x = tml__allocate(allocator, width_of(k), sizeof(double));
    t->l = tml__allocate(allocator, rows, sizeof(double));
    t->least = tml__allocate(allocator, rows, sizeof(double));
    const size_t blocks = (size_t)k->node_count + 2 * (size_t)k->pair_count;
    t->blocks = tml__allocate(allocator, KKT_BLOCK * blocks, sizeof(double));
    t->push = tml__allocate(allocator, KKT_WIDTH * (size_t)k->entry_count, sizeof(double));
    t->give = tml__allocate(allocator, rows, sizeof(double));
    t->rest_x = tml__allocate(allocator, width_of(k), sizeof(double));
    t->rest_l = tml__allocate(allocator, rows, sizeof(double));
    t->given_x = tml__allocate(allocator, width_of(k), sizeof(double));
    t->given_l = tml__allocate(allocator, rows, sizeof(double));
    const bool is_kept =
        t->blocks && t->push && t->give && t->rest_x && t->rest_l && t->given_x && t->given_l;
    return is_kept && t->node && t->pair && t->row && t->follow && t->W && t->pivot && t->x &&
                   t->l && t->least
               ? TML_OK
               : TML_NO_MEMORY;
}

static tml_status create(kkt* k, message* why)
{
    two_step* t = tml__allocate(&k->allocator, 1, sizeof *t);
    if (t == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for two steps");
    k->state = t;
    if (take_memory(k, t) != TML_OK) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for the compliance of %d rows",
                         k->row_count);
    }
    const block_pattern pattern = {
        .node_count = k->node_count, .pair_count = k->pair_count, .pair_node = k->pair_node};
    const tml_status status =
        tml__block_create(&pattern, BLOCK_LU, &k->allocator, why, &t->objects);
    if (status != TML_OK) return status;
    for (int n = 0; n < k->node_count; n++) t->node[n] = tml__block_at(t->objects, n, n);
    for (int i = 0; i < k->pair_count; i++) {
        const int a = k->pair_node[2 * i];
        const int b = k->pair_node[2 * i + 1];
        t->pair[2 * i] = tml__block_at(t->objects, a, b);
        t->pair[2 * i + 1] = tml__block_at(t->objects, b, a);
    }
    return TML_OK;
}

// ---- factor

// A row-major block onto one of columns.
static void add_block(double* to, const double* from)
{
    const int stride = tml__block_stride(KKT_WIDTH);
    for (int i = 0; i < KKT_WIDTH; i++) {
        for (int j = 0; j < KKT_WIDTH; j++) to[stride * j + i] += from[KKT_WIDTH * i + j];
    }
}

static tml_status factor_objects(kkt* k)
{
    two_step* t = k->state;
    const size_t nodes = KKT_BLOCK * (size_t)k->node_count;
    memcpy(t->blocks, k->values.node, nodes * sizeof(double));
    memcpy(t->blocks + nodes, k->values.pair,
           2 * KKT_BLOCK * (size_t)k->pair_count * sizeof(double));
    tml__block_clear(t->objects);
    for (int n = 0; n < k->node_count; n++) add_block(t->node[n], &k->values.node[KKT_BLOCK * n]);
    for (int i = 0; i < 2 * k->pair_count; i++) {
        add_block(t->pair[i], &k->values.pair[KKT_BLOCK * i]);
    }
    return tml__block_factor(t->objects, NULL);
}

// Row i of C times x.
static double along_row(const kkt* k, int i, const double* x)
{
    const two_step* t = k->state;
    double sum = 0.0;
    for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
        const double* g = &t->row[KKT_WIDTH * e];
        const double* u = &x[KKT_WIDTH * k->row_node[e]];
        for (int c = 0; c < KKT_WIDTH; c++) sum += g[c] * u[c];
    }
    return sum;
}

static void find_compliance(kkt* k)
{
    two_step* t = k->state;
    const size_t rows = (size_t)k->row_count;
    const size_t width = width_of(k);
    const double* push = tml__kkt_push(k);
    memcpy(t->row, k->values.row, KKT_WIDTH * (size_t)k->entry_count * sizeof(double));
    memcpy(t->push, push, KKT_WIDTH * (size_t)k->entry_count * sizeof(double));
    memcpy(t->give, k->values.compliance, rows * sizeof(double));
    memset(t->follow, 0, rows * width * sizeof(double));
    for (int j = 0; j < k->row_count; j++) {
        double* column = &t->follow[(size_t)j * width];
        for (int e = k->row_start[j]; e < k->row_start[j + 1]; e++) {
            memcpy(&column[KKT_WIDTH * k->row_node[e]], &push[KKT_WIDTH * e],
                   KKT_WIDTH * sizeof(double));
        }
    }
    tml__block_solve(t->objects, k->row_count, t->follow);
    for (size_t j = 0; j < rows; j++) {
        t->least[j] = 0.0;
        for (size_t i = 0; i < rows; i++) {
            double* w = &t->W[i * rows + j];
            *w = along_row(k, (int)i, &t->follow[j * width]);
            if (i == j) *w += k->values.compliance[i];
            if (fabs(*w) > t->least[j]) t->least[j] = fabs(*w);
        }
    }
}

static void swap(double* a, double* b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

// LU with partial pivoting. A pivot that is rounding of its column is none.
static tml_status factor_compliance(kkt* k, int* bad_row)
{
    two_step* t = k->state;
    const size_t n = (size_t)k->row_count;
    double* a = t->W;
    for (size_t j = 0; j < n; j++) {
        size_t p = j;
        for (size_t i = j + 1; i < n; i++) {
            if (fabs(a[i * n + j]) > fabs(a[p * n + j])) p = i;
        }
        if (!(fabs(a[p * n + j]) > 4.0 * (double)(n + 16) * DBL_EPSILON * t->least[j])) {
            *bad_row = (int)j;
            return TML_SINGULAR;
        }
        t->pivot[j] = (int)p;
        for (size_t c = 0; c < n && p != j; c++) swap(&a[p * n + c], &a[j * n + c]);
        for (size_t i = j + 1; i < n; i++) {
            const double l = a[i * n + j] / a[j * n + j];
            a[i * n + j] = l;
            for (size_t c = j + 1; c < n; c++) a[i * n + c] -= l * a[j * n + c];
        }
    }
    return TML_OK;
}

static tml_status factor(kkt* k, int* bad_row)
{
    *bad_row = -1;
    const tml_status status = factor_objects(k);
    if (status != TML_OK) return status;
    find_compliance(k);
    return factor_compliance(k, bad_row);
}

// ---- solve

static void solve_compliance(const kkt* k, double* x)
{
    const two_step* t = k->state;
    const size_t n = (size_t)k->row_count;
    for (size_t j = 0; j < n; j++) swap(&x[j], &x[t->pivot[j]]);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) x[i] -= t->W[i * n + j] * x[j];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) x[i] -= t->W[i * n + j] * x[j];
        x[i] /= t->W[i * n + i];
    }
}

static void solve_compliance_transposed(const kkt* k, double* x)
{
    const two_step* t = k->state;
    const size_t n = (size_t)k->row_count;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) x[i] -= t->W[j * n + i] * x[j];
        x[i] /= t->W[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) x[i] -= t->W[j * n + i] * x[j];
    }
    for (size_t j = n; j-- > 0;) swap(&x[j], &x[t->pivot[j]]);
}

// Into t->x and t->l.
static void solve_plain(kkt* k, const double* r, const double* c)
{
    two_step* t = k->state;
    const size_t width = width_of(k);
    memcpy(t->x, r, width * sizeof(double));
    tml__block_solve(t->objects, 1, t->x);
    for (int i = 0; i < k->row_count; i++) t->l[i] = c[i] - along_row(k, i, t->x);
    solve_compliance(k, t->l);
    for (int j = 0; j < k->row_count; j++) {
        const double* column = &t->follow[(size_t)j * width];
        for (size_t i = 0; i < width; i++) t->x[i] += t->l[j] * column[i];
    }
}

// W^T dl = c + D K^-T r,  K^T dx = r - C^T dl
static void solve_turned(kkt* k, const double* r, const double* c)
{
    two_step* t = k->state;
    const size_t width = width_of(k);
    for (int j = 0; j < k->row_count; j++) {
        const double* column = &t->follow[(size_t)j * width];
        t->l[j] = c[j];
        for (size_t i = 0; i < width; i++) t->l[j] += column[i] * r[i];
    }
    solve_compliance_transposed(k, t->l);
    memcpy(t->x, r, width * sizeof(double));
    for (int i = 0; i < k->row_count; i++) {
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            double* to = &t->x[KKT_WIDTH * k->row_node[e]];
            for (int m = 0; m < KKT_WIDTH; m++) to[m] -= t->l[i] * t->row[KKT_WIDTH * e + m];
        }
    }
    tml__block_solve_transposed(t->objects, 1, t->x);
}

// ---- what a solve leaves

// to -= A x, or A^T x, of a row-major block
static void subtract_block(const double* A, kkt_side side, const double* x, double* to)
{
    for (int i = 0; i < KKT_WIDTH; i++) {
        for (int j = 0; j < KKT_WIDTH; j++) {
            to[i] -= A[side == KKT_PLAIN ? KKT_WIDTH * i + j : KKT_WIDTH * j + i] * x[j];
        }
    }
}

static void subtract_blocks(const kkt* k, kkt_side side, const double* x, double* to)
{
    const two_step* t = k->state;
    const double* pairs = t->blocks + KKT_BLOCK * (size_t)k->node_count;
    for (int n = 0; n < k->node_count; n++) {
        subtract_block(&t->blocks[KKT_BLOCK * n], side, &x[KKT_WIDTH * n], &to[KKT_WIDTH * n]);
    }
    for (int i = 0; i < 2 * k->pair_count; i++) {
        // of a pair a, b first stands K_ab, then K_ba
        const int row = k->pair_node[side == KKT_PLAIN ? i : i ^ 1];
        const int column = k->pair_node[side == KKT_PLAIN ? i ^ 1 : i];
        subtract_block(&pairs[KKT_BLOCK * i], side, &x[KKT_WIDTH * column], &to[KKT_WIDTH * row]);
    }
}

// rest = (r, c) less the matrix times (x, l): [K -D^T; C E], or its transpose [K^T C^T; -D E].
static void find_rest(kkt* k, kkt_side side, const double* x, const double* l)
{
    two_step* t = k->state;
    const double* pulls = side == KKT_PLAIN ? t->push : t->row;
    const double* closes = side == KKT_PLAIN ? t->row : t->push;
    const double sign = side == KKT_PLAIN ? 1.0 : -1.0;
    memcpy(t->rest_x, t->given_x, width_of(k) * sizeof(double));
    subtract_blocks(k, side, x, t->rest_x);
    for (int i = 0; i < k->row_count; i++) {
        double sum = 0.0;
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const int at = KKT_WIDTH * k->row_node[e];
            for (int m = 0; m < KKT_WIDTH; m++) {
                t->rest_x[at + m] += sign * pulls[KKT_WIDTH * e + m] * l[i];
                sum += closes[KKT_WIDTH * e + m] * x[at + m];
            }
        }
        t->rest_l[i] = t->given_l[i] - sign * sum - t->give[i] * l[i];
    }
}

static tml_status solve(kkt* k, kkt_side side, const double* r, const double* c, double* dx,
                        double* dl)
{
    two_step* t = k->state;
    const size_t width = width_of(k);
    memcpy(t->given_x, r, width * sizeof(double));
    memcpy(t->given_l, c, (size_t)k->row_count * sizeof(double));
    memset(dx, 0, width * sizeof(double));
    memset(dl, 0, (size_t)k->row_count * sizeof(double));
    for (int pass = 0; pass < PASSES; pass++) {
        find_rest(k, side, dx, dl);
        if (side == KKT_PLAIN) {
            solve_plain(k, t->rest_x, t->rest_l);
        } else {
            solve_turned(k, t->rest_x, t->rest_l);
        }
        for (size_t i = 0; i < width; i++) dx[i] += t->x[i];
        for (int i = 0; i < k->row_count; i++) dl[i] += t->l[i];
    }
    return TML_OK;
}

static kkt_statistics statistics(const kkt* k)
{
    const two_step* t = k->state;
    const block_statistics b = tml__block_statistics(t->objects);
    const double rows = k->row_count;
    return (kkt_statistics){.unknowns = (int)width_of(k) + k->row_count,
                            .factor_entries =
                                b.entries +
                                (long long)k->row_count * (k->row_count + (long long)width_of(k)),
                            .factor_flops = b.flops + 2.0 / 3.0 * rows * rows * rows,
                            .passes = 1};
}

const kkt_engine tml__kkt_two_step = {.create = create,
                                      .destroy = destroy,
                                      .factor = factor,
                                      .solve = solve,
                                      .statistics = statistics};
