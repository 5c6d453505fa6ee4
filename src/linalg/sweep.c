// linalg/sweep.c - trees in one sweep: layout, the border, and the calls of the kernels.
#include "linalg/sweep.h"

#include "base/request.h"
#include "linalg/block_kernels.h"
#include "linalg/sweep_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Pivots of the scaled matrix below this are dependent rows. A row that carries a long chain divides
// by the inertia of all of it, so what counts is the pivot times the growth of the bodies' pivots.
static const double least_pivot = 1e-12;

#ifndef TML_WIDEST_ISA
#define TML_WIDEST_ISA BLOCK_AVX512
#endif

// ---- creation

static bool is_border(const kkt* k, const sweep_tree* tree, int row)
{
    return tree->owner[row] >= k->node_count;
}

bool tml__sweep_fits(const kkt* k, const sweep_tree* tree)
{
    int border = 0;
    for (int i = 0; i < k->row_count; i++) border += is_border(k, tree, i) ? 1 : 0;
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        if (tree->parent[a] != b && tree->parent[b] != a) return false;
    }
    return border <= SWEEP_BORDER;
}

static int request_all(sweep* s, const kkt* k, request* list)
{
    const size_t nodes = (size_t)k->node_count;
    const size_t rows = (size_t)k->row_count;
    const request all[] = {
        {&s->node, nodes, sizeof *s->node},
        {&s->order, nodes, sizeof *s->order},
        {&s->row, rows, sizeof *s->row},
        {&s->pair, (size_t)k->pair_count, sizeof *s->pair},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}

// The numbers, and what only a border needs.
static int request_numbers(sweep* s, const kkt* k, request* list)
{
    const size_t border = (size_t)s->border_count;
    size_t entries = 0;
    for (int b = 0; b < s->border_count; b++) {
        entries += (size_t)(k->row_start[s->border_row[b] + 1] - k->row_start[s->border_row[b]]);
    }
    const request all[] = {
        {&s->numbers, s->number_count, sizeof(double)},
        {&s->scale, s->vector_length, sizeof(double)},
        {&s->vector, s->vector_length, sizeof(double)},
        {&s->Z, border * s->vector_length, sizeof(double)},
        {&s->close, KKT_WIDTH * entries, sizeof(double)},
        {&s->border_r, border > 0 ? KKT_WIDTH * (size_t)k->node_count : 0, sizeof(double)},
    };
    const int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) list[i] = all[i];
    return count;
}

void tml__sweep_destroy(sweep* s, const tml_allocator* memory)
{
    if (s == NULL) return;
    void* const arrays[] = {s->node,  s->order,  s->row, s->pair,  s->numbers,
                            s->scale, s->vector, s->Z,   s->close, s->border_r};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) tml__release(memory, arrays[i]);
    tml__release(memory, s);
}

// Which rows and couplings are whose.
static void deal_out(sweep* s, const kkt* k, const sweep_tree* tree)
{
    for (int i = 0; i < k->row_count; i++) {
        if (is_border(k, tree, i))
            s->border_row[s->border_count++] = i;
        else
            s->node[tree->owner[i]].width++;
    }
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        s->node[tree->parent[a] == b ? a : b].pair_count++;
    }
    int rows = 0;
    int pairs = 0;
    for (int a = 0; a < k->node_count; a++) {
        sweep_node* n = &s->node[a];
        n->first_row = rows;
        n->first_pair = pairs;
        rows += n->width;
        pairs += n->pair_count;
        n->width += KKT_WIDTH;
        n->pair_count = 0;  // counted again below
    }
    for (int i = 0; i < k->row_count; i++) {
        if (is_border(k, tree, i)) continue;
        const int body = tree->owner[i];
        sweep_row* row = &s->row[s->node[body].first_row + tree->offset[i] - KKT_WIDTH];
        *row = (sweep_row){i, -1, -1};
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            *(k->row_node[e] == body ? &row->own : &row->up) = e;
        }
    }
    for (int p = 0; p < k->pair_count; p++) {
        const int a = k->pair_node[2 * p];
        const bool is_plain = tree->parent[a] == k->pair_node[2 * p + 1];
        sweep_node* n = &s->node[is_plain ? a : k->pair_node[2 * p + 1]];
        s->pair[n->first_pair + n->pair_count++] = 2 * p + (is_plain ? 0 : 1);
    }
}

// After the layout: whose children come first is asked in the order of elimination.
static void mark_border(sweep* s, const kkt* k)
{
    for (int b = 0; b < s->border_count; b++) {
        for (int e = k->row_start[s->border_row[b]]; e < k->row_start[s->border_row[b] + 1]; e++) {
            s->node[k->row_node[e]].has_border = true;
            for (int a = k->row_node[e]; a >= 0; a = s->node[a].parent) {
                s->node[a].is_bordered = true;
            }
        }
    }
    for (int i = 0; i < s->node_count; i++) {
        sweep_node* n = &s->node[s->order[i]];
        if (n->parent < 0 || !n->is_bordered) continue;
        n->is_first_bordered = !s->node[n->parent].has_bordered_child;
        s->node[n->parent].has_bordered_child = true;
    }
}

// In the order of elimination, so that a sweep goes straight through the numbers.
static void lay_out(sweep* s, const sweep_tree* tree)
{
    for (int i = 0; i < s->node_count; i++) {
        sweep_node* n = &s->node[tree->order[i]];
        s->order[i] = tree->order[i];
        n->parent = tree->parent[tree->order[i]];
        n->stride = tml__block_stride(n->width);
        n->at = s->number_count;
        n->at_pivot = n->width;
        n->at_M = n->at_pivot + (n->width + 1) / 2;
        n->at_reach = n->at_M + n->width * n->width;
        s->number_count += (size_t)n->at_reach +
                           (n->parent >= 0 ? (size_t)(KKT_WIDTH * (n->width - KKT_WIDTH)) : 0);
        n->at_vector = s->vector_length;
        s->vector_length += (size_t)n->stride;
        if (n->parent < 0) continue;
        n->is_first_child = !s->node[n->parent].has_children;
        s->node[n->parent].has_children = true;
    }
    for (int i = 0; i < s->node_count; i++) {
        sweep_node* n = &s->node[tree->order[i]];
        n->at_X = s->number_count;
        s->number_count += n->parent >= 0 ? (size_t)(KKT_WIDTH * n->width) : 0;
    }
    for (int i = 0; i < s->node_count; i++) {
        sweep_node* n = &s->node[tree->order[i]];
        n->at_pair = s->number_count;
        if (n->pair_count > 0) s->number_count += KKT_BLOCK;
    }
    s->is_long = s->number_count > BLOCK_LONG;
}

tml_status tml__sweep_create(const kkt* k, const sweep_tree* tree, message* why, sweep** out)
{
    enum {
        REQUESTS = 8
    };
    request list[REQUESTS];
    sweep* s = tml__allocate(&k->allocator, 1, sizeof *s);

    *out = s;  // the caller destroys it whatever happens
    if (s == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for a tree");
    s->node_count = k->node_count;
    tml_status status = tml__take_all(&k->allocator, list, request_all(s, k, list));
    if (status == TML_OK) {
        deal_out(s, k, tree);
        lay_out(s, tree);
        mark_border(s, k);
        status = tml__take_all(&k->allocator, list, request_numbers(s, k, list));
    }
    if (status != TML_OK) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %d nodes and %d rows", k->node_count,
                         k->row_count);
    }
    if (TML_WIDEST_ISA == BLOCK_PLAIN || !tml__sweep_use(s, BLOCK_AVX2)) {
        tml__sweep_use(s, BLOCK_PLAIN);
    }
    return TML_OK;
}

bool tml__sweep_use(sweep* s, block_isa isa)
{
    sweep_kernel* kernel = tml__sweep_kernel(isa);
    if (kernel != NULL) s->run = kernel;
    return kernel != NULL;
}

// ---- the border

static divisor border_divisor(sweep* s)
{
    return (divisor){.d = s->S,
                     .reciprocal = s->S_reciprocal,
                     .pivot = s->S_pivot,
                     .width = s->border_count,
                     .stride = SWEEP_BORDER};
}

// C x of row a of the border, `close` its entries; x is column b of Z, or the vector where b is -1.
static double closing(const sweep* s, const kkt* k, int row, const double* close, int b)
{
    double sum = 0.0;
    for (int e = k->row_start[row]; e < k->row_start[row + 1]; e++, close += KKT_WIDTH) {
        const sweep_node* n = &s->node[k->row_node[e]];
        const double* at = b < 0 ? s->vector + n->at_vector : sweep_column(s, n, b);
        for (int j = 0; j < KKT_WIDTH; j++) sum += close[j] * at[j];
    }
    return sum;
}

// Scales of the rows, and C, scaled.
static void close_border(sweep* s, const kkt* k)
{
    double* close = s->close;
    for (int b = 0; b < s->border_count; b++) {
        const int row = s->border_row[b];
        double* const first = close;
        double size = sqrt(fabs(k->values.compliance[row]));
        for (int e = k->row_start[row]; e < k->row_start[row + 1]; e++, close += KKT_WIDTH) {
            const double* scale = sweep_scale(s, &s->node[k->row_node[e]]);
            for (int j = 0; j < KKT_WIDTH; j++) {
                close[j] = k->values.row[KKT_WIDTH * e + j] * scale[j];
                if (fabs(close[j]) > size) size = fabs(close[j]);
            }
        }
        s->border_scale[b] = size > 1e-200 ? tml__kkt_inverse(size) : 1.0;
        for (double* c = first; c < close; c++) *c *= s->border_scale[b];
    }
}

// The row that is left with nothing where pivot c failed.
static int empty_row(const sweep* s, int c)
{
    int emptiest = c;
    double least = DBL_MAX;
    for (int r = c; r < s->border_count; r++) {
        double size = 0.0;
        for (int j = c; j < s->border_count; j++) size += fabs(s->S[SWEEP_BORDER * j + r]);
        if (!(size < least)) continue;
        least = size;
        emptiest = r;
    }
    return s->border_row[s->S_pivot[emptiest]];
}

// S = E - C Z, factored. Answers a row that depends on others, -1: none does.
static int factor_border(sweep* s, const kkt* k, double most)
{
    double smallest[SWEEP_BORDER];
    close_border(s, k);
    for (int b = 0; b < s->border_count; b++) {
        const double* close = s->close;
        for (int a = 0; a < s->border_count; a++) {
            const int row = s->border_row[a];
            const double scale = s->border_scale[a];
            const double E = a == b ? scale * k->values.compliance[row] * scale : 0.0;
            s->S[SWEEP_BORDER * b + a] = E - closing(s, k, row, close, b) * s->border_scale[b];
            close += KKT_WIDTH * (k->row_start[row + 1] - k->row_start[row]);
        }
    }
    for (int b = 0; b < s->border_count; b++) {
        s->S_reciprocal[b] = 0.0;
        smallest[b] = 1.0 / most;
    }
    if (factor_diagonal(border_divisor(s), smallest)) return -1;
    int failed = 0;
    while (s->S_reciprocal[failed] != 0.0) failed++;
    return empty_row(s, failed);
}

// ---- factoring

static void freeze_border(const sweep* s, const kkt* k, kkt_values* to)
{
    const double* push = tml__kkt_push(k);
    for (int b = 0; b < s->border_count; b++) {
        const int row = s->border_row[b];
        const size_t at = KKT_WIDTH * (size_t)k->row_start[row];
        const size_t count = KKT_WIDTH * (size_t)k->row_start[row + 1] - at;
        memcpy(to->row + at, k->values.row + at, count * sizeof(double));
        if (k->values.is_two_sided) memcpy(to->push + at, push + at, count * sizeof(double));
        to->compliance[row] = k->values.compliance[row];
    }
}

static bool is_border_finite(const sweep* s, const kkt* k)
{
    const double* push = tml__kkt_push(k);
    double check = 0.0;
    for (int b = 0; b < s->border_count; b++) {
        const int row = s->border_row[b];
        check += 0.0 * k->values.compliance[row];
        for (int i = KKT_WIDTH * k->row_start[row]; i < KKT_WIDTH * k->row_start[row + 1]; i++) {
            check += 0.0 * k->values.row[i] + 0.0 * push[i];
        }
    }
    return check == 0.0;
}

// A row of the node, -1 when it has none, or when it is the body that lacks something.
static int row_of(const sweep* s, const kkt* k, int body)
{
    const sweep_node* n = &s->node[body];
    double size = 0.0;
    for (int i = 0; i < KKT_BLOCK; i++) {
        size += fabs(k->values.node[KKT_BLOCK * (size_t)body + (size_t)i]);
    }
    return size < 1e-200 || n->width == KKT_WIDTH ? -1 : s->row[n->first_row].row;
}

// Is what a sweep made of the values a factor?
static tml_status judge(sweep* s, const kkt* k, int failed, kkt_values* frozen, int* bad_row)
{
    if (!(s->check == 0.0) || !is_border_finite(s, k)) {
        tml__kkt_is_finite(k, bad_row);
        return TML_SINGULAR;
    }
    *bad_row = failed >= 0 ? row_of(s, k, failed) : -1;
    if (failed >= 0) return TML_SINGULAR;
    if (frozen != NULL) {
        freeze_border(s, k, frozen);
        frozen->is_pairless = s->is_pairless;
        frozen->is_two_sided = k->values.is_two_sided;
    }
    // a light body that carries heavy ones grows to their weight: no digits are lost by that
    const double growth = s->largest > 0.0 ? block_lost / (s->largest * s->strongest) : 1.0;
    s->most = (growth > 1.0 ? growth : 1.0) / least_pivot;
    if (s->weakest <= s->most) return TML_OK;
    *bad_row = row_of(s, k, s->weakest_node);
    return TML_SINGULAR;
}

// The factor of the tree; solutions are begun on the way.
static tml_status factor_tree(sweep* s, const sweep_work* work, int* bad_row)
{
    s->check = 0.0;
    s->largest = 0.0;
    s->strongest = DBL_MAX;
    s->weakest = 0.0;
    s->weakest_node = -1;
    s->is_pairless = work->k->values.is_pairless;
    const int failed = s->run(s, work);
    return judge(s, work->k, failed, work->frozen, bad_row);
}

tml_status tml__sweep_factor(sweep* s, const kkt* k, kkt_values* frozen, int* bad_row)
{
    sweep_work work = {.task = SWEEP_FACTOR, .k = k, .frozen = frozen};
    const tml_status status = factor_tree(s, &work, bad_row);
    if (status != TML_OK || s->border_count == 0) return status;
    work.task = SWEEP_FINISH;
    s->run(s, &work);
    *bad_row = factor_border(s, k, s->most);
    return *bad_row < 0 ? TML_OK : TML_SINGULAR;
}

// ---- solving

// x = y - Z mu, scaled back. False: not finite.
static bool leave_border(sweep* s, const double* mu, const sweep_work* to)
{
    double unscaled[SWEEP_BORDER];
    double check = 0.0;
    for (int b = 0; b < s->border_count; b++) {
        unscaled[b] = s->border_scale[b] * mu[b];
        to->dl[s->border_row[b]] = unscaled[b];
        check += 0.0 * unscaled[b];
    }
    for (int i = 0; i < s->node_count; i++) {
        const int a = s->order[i];
        const sweep_node* n = &s->node[a];
        double* x = s->vector + n->at_vector;
        const double* scale = sweep_scale(s, n);
        for (int b = 0; b < s->border_count && to->task != SWEEP_SOLVE_TRANSPOSED; b++) {
            const double* Z = sweep_column(s, n, b);
            for (int j = 0; j < n->width; j++) x[j] -= Z[j] * unscaled[b];
        }
        for (int j = 0; j < n->width; j++) {
            double* out = j < KKT_WIDTH ? &to->dx[KKT_WIDTH * a + j]
                                        : &to->dl[s->row[n->first_row + j - KKT_WIDTH].row];
            *out = scale[j] * x[j];
            check += 0.0 * *out;
        }
    }
    return check == 0.0;
}

// S mu = c - C y, with y in s->vector; c is that of the border's rows, scaled, and is lost.
static bool close_loops(sweep* s, const kkt* k, double* mu, const sweep_work* work)
{
    const double* close = s->close;
    for (int b = 0; b < s->border_count; b++) {
        const int row = s->border_row[b];
        mu[b] -= closing(s, k, row, close, -1);
        close += KKT_WIDTH * (k->row_start[row + 1] - k->row_start[row]);
    }
    solve_diagonal(mu, border_divisor(s));
    return leave_border(s, mu, work);
}

static bool solve_bordered(sweep* s, const kkt* k, sweep_work work)
{
    double mu[SWEEP_BORDER];
    const sweep_work inner = {.task = SWEEP_SOLVE, .r = work.r, .c = work.c};

    for (int b = 0; b < s->border_count; b++) mu[b] = s->border_scale[b] * work.c[s->border_row[b]];
    s->run(s, &inner);
    return close_loops(s, k, mu, &work);
}

tml_status tml__sweep_factor_solve(sweep* s, const sweep_sides* sides, int* bad_row)
{
    const kkt* k = sides->k;
    double mu[SWEEP_BORDER];
    sweep_work work = {
        .task = SWEEP_FACTOR, .k = k, .frozen = sides->frozen, .r = sides->r, .c = sides->c};

    const tml_status status = factor_tree(s, &work, bad_row);
    if (status != TML_OK) return status;
    for (int b = 0; b < s->border_count; b++) mu[b] = sides->c[s->border_row[b]];
    work.task = SWEEP_FINISH;
    work.dx = sides->dx;
    work.dl = sides->dl;
    if (s->border_count == 0) {
        s->run(s, &work);
        return s->check == 0.0 ? TML_OK : TML_SINGULAR;
    }
    const sweep_work inner = {.task = SWEEP_FINISH, .k = k, .r = work.r, .c = work.c};
    s->run(s, &inner);
    *bad_row = factor_border(s, k, s->most);
    if (*bad_row >= 0) return TML_SINGULAR;
    for (int b = 0; b < s->border_count; b++) mu[b] *= s->border_scale[b];
    return close_loops(s, k, mu, &work) ? TML_OK : TML_SINGULAR;
}

// S^T mu = c - Z^T r, then the tree for r - C^T mu
static bool solve_bordered_transposed(sweep* s, const kkt* k, sweep_work work)
{
    double mu[SWEEP_BORDER];
    const double* close = s->close;
    const size_t unknowns = KKT_WIDTH * (size_t)s->node_count;

    memcpy(s->border_r, work.r, unknowns * sizeof(double));
    for (int b = 0; b < s->border_count; b++) {
        mu[b] = s->border_scale[b] * work.c[s->border_row[b]];
        for (int a = 0; a < s->node_count; a++) {
            const sweep_node* n = &s->node[a];
            const double* Z = sweep_column(s, n, b);
            const double* scale = sweep_scale(s, n);
            for (int j = 0; j < n->width; j++) {
                const double right = j < KKT_WIDTH
                                         ? work.r[KKT_WIDTH * a + j]
                                         : work.c[s->row[n->first_row + j - KKT_WIDTH].row];
                mu[b] -= s->border_scale[b] * Z[j] * scale[j] * right;
            }
        }
    }
    solve_diagonal_transposed(mu, border_divisor(s));
    for (int b = 0; b < s->border_count; b++) {
        const int row = s->border_row[b];
        for (int e = k->row_start[row]; e < k->row_start[row + 1]; e++, close += KKT_WIDTH) {
            const double* scale = sweep_scale(s, &s->node[k->row_node[e]]);
            for (int j = 0; j < KKT_WIDTH; j++) {
                s->border_r[KKT_WIDTH * k->row_node[e] + j] -= close[j] / scale[j] * mu[b];
            }
        }
    }
    const sweep_work inner = {.task = SWEEP_SOLVE_TRANSPOSED, .r = s->border_r, .c = work.c};
    s->run(s, &inner);
    memset(s->border_r, 0, unknowns * sizeof(double));
    return leave_border(s, mu, &work);
}

bool tml__sweep_solve(sweep* s, const kkt* k, kkt_side side, const double* r, const double* c,
                      double* dx, double* dl)
{
    const sweep_work work = {.task = side == KKT_PLAIN ? SWEEP_SOLVE : SWEEP_SOLVE_TRANSPOSED,
                             .r = r,
                             .c = c,
                             .dx = dx,
                             .dl = dl};
    s->check = 0.0;
    if (s->border_count > 0) {
        return side == KKT_PLAIN ? solve_bordered(s, k, work)
                                 : solve_bordered_transposed(s, k, work);
    }
    s->run(s, &work);
    return s->check == 0.0;
}

// ---- what it costs

// Products and sums of one factorisation, counted from the sizes.
kkt_statistics tml__sweep_statistics(const sweep* s)
{
    kkt_statistics out = {
        .unknowns = s->border_count, .factor_entries = (long long)s->number_count, .passes = 1};
    const double border = s->border_count;
    for (int a = 0; a < s->node_count; a++) {
        const sweep_node* n = &s->node[a];
        const double w = n->width;
        out.unknowns += n->width;
        out.factor_flops += 2.0 / 3.0 * w * w * w;
        out.factor_flops += 2.0 * w * w * border;  // M^-1 of the border's columns,
        if (n->parent < 0) continue;
        out.factor_flops += 2.0 * w * w * KKT_WIDTH + 2.0 * w * KKT_BLOCK;
        out.factor_flops += 4.0 * w * KKT_WIDTH * border;  // up and down
    }
    return out;
}
