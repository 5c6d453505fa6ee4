// linalg/sweep_numeric.c - the sweeps over a tree, for each instruction set.
//
// Written once with vectors of 4 doubles; each element sees the same operations in the same order
// whatever the machine makes of them.
#include "linalg/block_kernels.h"
#include "linalg/sweep_internal.h"

#include <string.h>

enum {
    LANES = 8,  // six columns of a parent's body, padded
    STRIDE = BLOCK_MAX_WIDTH
};

typedef struct lanes {
    v4 low, high;
} lanes;

// As it comes: nodes are packed without gaps.
typedef double u4 __attribute__((vector_size(32), aligned(8), may_alias));

// What one end of a long mechanism does to the other dies away link by link until numbers have no
// exponent left, where processors take a hundred times as long for each. From node to node scaled
// unknowns below this are nothing: squares of what is kept are still numbers like any other.
static const double dust = 1e-150;

// NaN is no dust.
KERNEL double dusted(double value) { return value < dust && value > -dust ? 0.0 : value; }

KERNEL void store_dusted(double* to, const v4* values)
{
    typedef long long mask __attribute__((vector_size(32), may_alias));
    const mask is_dust = (*values < dust) & (*values > -dust);
    *(mask*)to = (mask)*values & ~is_dust;
}

KERNEL divisor divisor_of(const sweep* s, const sweep_node* n)
{
    double* at = s->numbers + n->at;
    return (divisor){.d = at + n->at_M,
                     .reciprocal = at,
                     .pivot = (int*)(void*)(at + n->at_pivot),
                     .width = n->width,
                     .stride = n->width};
}

// A_pi: of the node's rows, and of its body.
KERNEL double* reach_of(const sweep* s, const sweep_node* n)
{
    return s->numbers + n->at + n->at_reach;
}

KERNEL double* pairs_of(const sweep* s, const sweep_node* n) { return s->numbers + n->at_pair; }

// Are there coupling blocks between the node and its parent?
KERNEL bool has_pairs(const sweep* s, const sweep_node* n)
{
    return !s->is_pairless && n->pair_count > 0;
}

// ---- memory

// The node after place i, in the direction of the sweep. NULL: nothing is to be fetched.
KERNEL const sweep_node* node_ahead(const sweep* s, int i, int direction)
{
    const int at = i + direction * AHEAD;
    return s->is_long && at >= 0 && at < s->node_count ? &s->node[s->order[at]] : NULL;
}

KERNEL void fetch_up(const sweep* s, const sweep_node* n)
{
    if (n == NULL) return;
    fetch(s->numbers + n->at, n->at_reach + KKT_WIDTH * (n->width - KKT_WIDTH));
}

KERNEL void fetch_down(const sweep* s, const sweep_node* n)
{
    if (n != NULL) fetch(s->numbers + n->at_X, KKT_WIDTH * n->width);
}

// ---- scaling

// K about 1: by the trace of its two halves, which does not care how the world is turned.
KERNEL void scale_body(const double* K, double* scale)
{
    for (int half = 0; half < 2; half++) {
        double trace = 0.0;
        for (int i = 3 * half; i < 3 * half + 3; i++) trace += K[(KKT_WIDTH + 1) * i];
        const double size = fabs(trace) / 3.0;
        // a body without inertia: any scale will do
        const double factor = size > 1e-200 ? tml__kkt_inverse_root(size) : 1.0;
        for (int i = 3 * half; i < 3 * half + 3; i++) scale[i] = factor;
    }
}

// The largest entry of a row on one body, or `size`.
KERNEL double largest_entry(double size, const double* row, const double* scale)
{
    for (int j = 0; j < KKT_WIDTH; j++) {
        const double entry = scale[j] * fabs(row[j]);
        if (entry > size) size = entry;
    }
    return size;
}

// ---- one node of the factorisation

typedef struct values_of {
    const kkt_values* v;
    const double* push;
} values_of;

// What a factorisation reads of a node and writes to it.
KERNEL void fetch_values(const sweep* s, const sweep_node* n, const values_of* from)
{
    if (n == NULL) return;
    fetch_up(s, n);
    fetch_down(s, n);
    fetch(from->v->node + KKT_BLOCK * (size_t)(n - s->node), KKT_BLOCK);
    for (int l = 0; l < n->width - KKT_WIDTH; l++) {
        const sweep_row* row = &s->row[n->first_row + l];
        fetch(from->v->row + KKT_WIDTH * (size_t)row->own, KKT_WIDTH);
        fetch(from->push + KKT_WIDTH * (size_t)row->own, KKT_WIDTH);
        if (row->up < 0) continue;
        fetch(from->v->row + KKT_WIDTH * (size_t)row->up, KKT_WIDTH);
        fetch(from->push + KKT_WIDTH * (size_t)row->up, KKT_WIDTH);
    }
}

// Scales of the node's rows, and of its parent when it is the first to ask.
KERNEL void scale_node(sweep* s, const sweep_node* n, int body, const values_of* from)
{
    double* scale = sweep_scale(s, n);
    double* up = n->parent >= 0 ? sweep_scale(s, &s->node[n->parent]) : NULL;

    if (!n->has_children) scale_body(from->v->node + KKT_BLOCK * (size_t)body, scale);
    if (n->is_first_child) scale_body(from->v->node + KKT_BLOCK * (size_t)n->parent, up);
    for (int l = 0; l < n->width - KKT_WIDTH; l++) {
        const sweep_row* row = &s->row[n->first_row + l];
        double size = sqrt(fabs(from->v->compliance[row->row]));
        size = largest_entry(size, from->v->row + KKT_WIDTH * (size_t)row->own, scale);
        if (row->up >= 0) {
            size = largest_entry(size, from->v->row + KKT_WIDTH * (size_t)row->up, up);
        }
        scale[KKT_WIDTH + l] = size > 1e-200 ? tml__kkt_inverse(size) : 1.0;
    }
}

KERNEL double total(const double check[KKT_WIDTH])
{
    return check[0] + check[1] + check[2] + check[3] + check[4] + check[5];
}

// M: the values, scaled, and what the children left in the node's place (six rows of six).
KERNEL double gather(const sweep* s, const sweep_node* n, int body, const values_of* from,
                     double* M)
{
    const double* scale = sweep_scale(s, n);
    const double* K = from->v->node + KKT_BLOCK * (size_t)body;
    const double* left = s->numbers + n->at + n->at_M;
    const int stride = STRIDE;
    double sum[KKT_BLOCK] = {0.0};
    double check[KKT_WIDTH] = {0.0};

    if (n->has_children) memcpy(sum, left, sizeof sum);
    memset(M, 0, STRIDE * (size_t)n->width * sizeof(double));
    for (int j = 0; j < KKT_WIDTH; j++) {
        for (int i = 0; i < KKT_WIDTH; i++) {
            const double value = K[KKT_WIDTH * i + j];
            check[i] += 0.0 * value;
            M[stride * j + i] = scale[i] * value * scale[j] - sum[KKT_WIDTH * i + j];
        }
    }
    for (int at = KKT_WIDTH; at < n->width; at++) {
        const sweep_row* row = &s->row[n->first_row + at - KKT_WIDTH];
        const double* C = from->v->row + KKT_WIDTH * (size_t)row->own;
        const double* D = from->push + KKT_WIDTH * (size_t)row->own;
        const double E = from->v->compliance[row->row];
        for (int j = 0; j < KKT_WIDTH; j++) {
            check[j] += 0.0 * C[j] + 0.0 * D[j];
            M[stride * j + at] = scale[at] * C[j] * scale[j];
            M[stride * at + j] = -(scale[at] * D[j] * scale[j]);
        }
        check[0] += 0.0 * E;
        M[(stride + 1) * at] = scale[at] * E * scale[at];
    }
    return total(check);
}

// A_ip into `right` (rows of eight) and A_pi into the node's reach.
KERNEL double gather_couplings(sweep* s, const sweep_node* n, const values_of* from, lanes* right)
{
    const double* scale = sweep_scale(s, n);
    const double* up = sweep_scale(s, &s->node[n->parent]);
    double* reach = reach_of(s, n);
    double* of_body = pairs_of(s, n);
    double pairs[KKT_WIDTH][LANES] = {{0.0}};
    double check[KKT_WIDTH] = {0.0};

    if (has_pairs(s, n)) memset(of_body, 0, KKT_BLOCK * sizeof(double));
    for (int q = n->first_pair; q < n->first_pair + n->pair_count && !s->is_pairless; q++) {
        const double* both = from->v->pair + 2 * KKT_BLOCK * (size_t)(s->pair[q] / 2);
        const double* K_ip = both + (s->pair[q] % 2 == 0 ? 0 : KKT_BLOCK);
        const double* K_pi = both + (s->pair[q] % 2 == 0 ? KKT_BLOCK : 0);
        for (int i = 0; i < KKT_WIDTH; i++) {
            for (int j = 0; j < KKT_WIDTH; j++) {
                check[j] += 0.0 * K_ip[KKT_WIDTH * i + j] + 0.0 * K_pi[KKT_WIDTH * i + j];
                pairs[i][j] += scale[i] * K_ip[KKT_WIDTH * i + j] * up[j];
                of_body[KKT_WIDTH * i + j] += up[j] * K_pi[KKT_WIDTH * j + i] * scale[i];
            }
        }
    }
    memcpy(right, pairs, sizeof pairs);
    for (int at = KKT_WIDTH; at < n->width; at++) {
        const sweep_row* row = &s->row[n->first_row + at - KKT_WIDTH];
        double line[LANES] = {0.0};
        for (int j = 0; j < KKT_WIDTH; j++) {
            const double C = from->v->row[KKT_WIDTH * row->up + j];
            const double D = from->push[KKT_WIDTH * row->up + j];
            check[j] += 0.0 * C + 0.0 * D;
            line[j] = scale[at] * C * up[j];
            reach[KKT_WIDTH * (at - KKT_WIDTH) + j] = -(scale[at] * D * up[j]);
        }
        memcpy(&right[at], line, sizeof line);
    }
    return total(check);
}

// Column j -= below * its entry in row c, from row `start` on.
KERNEL void update_columns(divisor by, int c, const double* below, int start)
{
    for (int j = c + 1; j < by.width; j++) {
        double* column = by.d + by.stride * j;
        const double u = column[c];
#pragma GCC unroll 3
        for (int r = start; r < by.stride; r += 4) {
            *(v4*)(column + r) -= *(const v4*)(below + r) * u;
        }
    }
}

KERNEL void exchange(divisor by, int c, int p)
{
    const int row = by.pivot[c];
    by.pivot[c] = by.pivot[p];
    by.pivot[p] = row;
#pragma GCC unroll 12
    for (int j = 0; j < by.width; j++) {
        const double t = by.d[by.stride * j + c];
        by.d[by.stride * j + c] = by.d[by.stride * j + p];
        by.d[by.stride * j + p] = t;
    }
}

// P M = L U, four rows at a time: what a product would spoil above the pivot is multiplied by zero.
KERNEL bool factor_node(divisor by, const double* smallest)
{
    for (int i = 0; i < by.width; i++) by.pivot[i] = i;
    for (int c = 0; c < by.width; c++) {
        double below[STRIDE] __attribute__((aligned(64))) = {0.0};
        double* column = by.d + by.stride * c;
        int p = c;
        for (int r = c + 1; r < by.width; r++) {
            if (fabs(column[r]) > fabs(column[p])) p = r;
        }
        if (p != c) exchange(by, c, p);
        if (!(fabs(column[c]) > smallest[c])) return false;
        by.reciprocal[c] = 1.0 / column[c];
        for (int r = c + 1; r < by.width; r++) {
            column[r] *= by.reciprocal[c];
            below[r] = column[r];
        }
        if (c < 3)
            update_columns(by, c, below, 0);
        else if (c < 7)
            update_columns(by, c, below, 4);
        else
            update_columns(by, c, below, 8);
    }
    return true;
}

// x <- M^-1 x for four columns, rows of eight: as many registers as rows.
KERNEL void solve_half(divisor by, const double* right, double* x)
{
    v4 a[BLOCK_MAX_WIDTH];
#pragma GCC unroll 12
    for (int i = 0; i < by.width; i++) a[i] = *(const v4*)(right + LANES * by.pivot[i]);
#pragma GCC unroll 12
    for (int c = 0; c < by.width; c++) {
#pragma GCC unroll 12
        for (int r = c + 1; r < by.width; r++) a[r] -= by.d[by.stride * c + r] * a[c];
    }
#pragma GCC unroll 12
    for (int c = by.width - 1; c >= 0; c--) {
        a[c] *= by.reciprocal[c];
#pragma GCC unroll 12
        for (int r = 0; r < c; r++) a[r] -= by.d[by.stride * c + r] * a[c];
    }
#pragma GCC unroll 12
    for (int i = 0; i < by.width; i++) *(v4*)(x + LANES * i) = a[i];
}

// The same of any width, all eight at a time.
KERNEL void solve_lanes(divisor by, const lanes* right, lanes* x)
{
    for (int i = 0; i < by.width; i++) x[i] = right[by.pivot[i]];
    for (int c = 0; c < by.width; c++) {
        for (int r = c + 1; r < by.width; r++) {
            x[r].low -= by.d[by.stride * c + r] * x[c].low;
            x[r].high -= by.d[by.stride * c + r] * x[c].high;
        }
    }
    for (int c = by.width - 1; c >= 0; c--) {
        x[c].low *= by.reciprocal[c];
        x[c].high *= by.reciprocal[c];
        for (int r = 0; r < c; r++) {
            x[r].low -= by.d[by.stride * c + r] * x[c].low;
            x[r].high -= by.d[by.stride * c + r] * x[c].high;
        }
    }
}

// x <- D^-1 x for one vector, as solve_diagonal but of a width that is known.
KERNEL void solve_vector(double* x, divisor by)
{
    double a[BLOCK_MAX_WIDTH];
#pragma GCC unroll 12
    for (int i = 0; i < by.width; i++) a[i] = x[by.pivot[i]];
#pragma GCC unroll 12
    for (int c = 0; c < by.width; c++) {
#pragma GCC unroll 12
        for (int r = c + 1; r < by.width; r++) a[r] -= by.d[by.stride * c + r] * a[c];
    }
#pragma GCC unroll 12
    for (int c = by.width - 1; c >= 0; c--) {
        a[c] *= by.reciprocal[c];
#pragma GCC unroll 12
        for (int r = 0; r < c; r++) a[r] -= by.d[by.stride * c + r] * a[c];
    }
#pragma GCC unroll 12
    for (int i = 0; i < by.width; i++) x[i] = a[i];
}

// sum += six numbers times a line of X, each
KERNEL void add_lanes(const double* six, const lanes* X, lanes* sum)
{
#pragma GCC unroll 6
    for (int i = 0; i < KKT_WIDTH; i++) {
        sum[i].low += six[i] * X->low;
        sum[i].high += six[i] * X->high;
    }
}

// A_pi X to where the parent gathers it: M_p -= that.
KERNEL void hand_up(sweep* s, const sweep_node* n, const lanes* X)
{
    const sweep_node* up = &s->node[n->parent];
    const double* reach = reach_of(s, n);
    const double* of_body = pairs_of(s, n);
    double* to = s->numbers + up->at + up->at_M;
    lanes sum[KKT_WIDTH];
    double flat[KKT_WIDTH][LANES];

    memset(sum, 0, sizeof sum);
    for (int m = 0; m < KKT_WIDTH && has_pairs(s, n); m++) {
        add_lanes(of_body + KKT_WIDTH * m, &X[m], sum);
    }
    for (int m = KKT_WIDTH; m < n->width; m++) {
        add_lanes(reach + KKT_WIDTH * (m - KKT_WIDTH), &X[m], sum);
    }
    memcpy(flat, sum, sizeof flat);
    for (int i = 0; i < KKT_WIDTH; i++) {
        for (int j = 0; j < KKT_WIDTH; j++) {
            double* at = &to[KKT_WIDTH * i + j];
            *at = n->is_first_child ? flat[i][j] : *at + flat[i][j];
        }
    }
}

// X by columns, for the solves.
KERNEL void keep_X(sweep* s, const sweep_node* n, const lanes* X)
{
    double* to = s->numbers + n->at_X;
    const double* from = (const double*)(const void*)X;

    for (int c = 0; c < KKT_WIDTH; c++) {
        for (int r = 0; r < n->width; r++) to[n->width * c + r] = from[LANES * r + c];
    }
}

// The factor, from where it was made to where it lies packed.
KERNEL void keep_wide(divisor to, divisor made, int width)
{
    memcpy(to.reciprocal, made.reciprocal, (size_t)width * sizeof(double));
    memcpy(to.pivot, made.pivot, (size_t)width * sizeof(int));
    for (int c = 0; c < width; c++) {
        memcpy(to.d + width * c, made.d + STRIDE * c, (size_t)width * sizeof(double));
    }
}

KERNEL void keep_factor(sweep* s, const sweep_node* n, divisor made)
{
    const divisor to = divisor_of(s, n);
    if (n->width == 9)
        keep_wide(to, made, 9);
    else if (n->width == 11)
        keep_wide(to, made, 11);
    else
        keep_wide(to, made, n->width);
}

// The diagonal before its elimination.
KERNEL void open_node(sweep* s, const sweep_node* n, int body, const values_of* from,
                      double* smallest)
{
    const double* scale = sweep_scale(s, n);
    for (int c = 0; c < n->width; c++) {
        const double entry =
            c < KKT_WIDTH ? from->v->node[KKT_BLOCK * (size_t)body + (size_t)((KKT_WIDTH + 1) * c)]
                          : from->v->compliance[s->row[n->first_row + c - KKT_WIDTH].row];
        smallest[c] = block_lost * fabs(scale[c] * entry * scale[c]);
        if (smallest[c] > s->largest) s->largest = smallest[c];
    }
}

KERNEL void close_node(sweep* s, const sweep_node* n, int body, const double* reciprocal)
{
    for (int c = 0; c < n->width; c++) {
        const double size = fabs(reciprocal[c]);
        if (size < s->strongest) s->strongest = size;
        if (size <= s->weakest) continue;
        s->weakest = size;
        s->weakest_node = body;
    }
}

// What the node was made of.
KERNEL void freeze_node(const sweep* s, const sweep_node* n, int body, const values_of* from,
                        kkt_values* to)
{
    enum {
        ENTRY = KKT_WIDTH * sizeof(double),
        BLOCK = KKT_BLOCK * sizeof(double)
    };
    memcpy(to->node + KKT_BLOCK * (size_t)body, from->v->node + KKT_BLOCK * (size_t)body, BLOCK);
    for (int l = n->first_row; l < n->first_row + n->width - KKT_WIDTH; l++) {
        const sweep_row* row = &s->row[l];
        const int entries[2] = {row->own, row->up};
        for (int e = 0; e < 2 && entries[e] >= 0; e++) {
            const size_t at = KKT_WIDTH * (size_t)entries[e];
            memcpy(to->row + at, from->v->row + at, ENTRY);
            if (from->v->is_two_sided) memcpy(to->push + at, from->push + at, ENTRY);
        }
        to->compliance[row->row] = from->v->compliance[row->row];
    }
    for (int q = n->first_pair; q < n->first_pair + n->pair_count && !s->is_pairless; q++) {
        const size_t at = 2 * KKT_BLOCK * (size_t)(s->pair[q] / 2);
        memcpy(to->pair + at, from->v->pair + at, 2 * BLOCK);
    }
}

// M = L U and X, of a width that is known.
KERNEL bool eliminate_wide(divisor by, int width, const double* smallest, const lanes* right,
                           lanes* X)
{
    const double* from = (const double*)(const void*)right;
    double* to = (double*)(void*)X;

    by.width = width;
    if (!factor_node(by, smallest)) return false;
    if (right == NULL) return true;
    solve_half(by, from, to);
    solve_half(by, from + 4, to + 4);
    return true;
}

// Balls and hinges are what long mechanisms are made of: they are compiled for themselves. `right` is
// NULL at a root.
KERNEL bool eliminate(divisor by, const double* smallest, const lanes* right, lanes* X)
{
    if (by.width == 9) return eliminate_wide(by, 9, smallest, right, X);
    if (by.width == 11) return eliminate_wide(by, 11, smallest, right, X);
    if (!factor_node(by, smallest)) return false;
    if (right != NULL) solve_lanes(by, right, X);
    return true;
}

KERNEL void solve_node(double* x, divisor by)
{
    if (by.width == 9) {
        by.width = by.stride = 9;
        solve_vector(x, by);
    } else if (by.width == 11) {
        by.width = by.stride = 11;
        solve_vector(x, by);
    } else {
        solve_diagonal(x, by);
    }
}

// ---- solves

// The node's right-hand side, scaled, beside what its children left there.
KERNEL void load(sweep* s, const sweep_node* n, int body, const sweep_work* work)
{
    const double* scale = sweep_scale(s, n);
    double* y = s->vector + n->at_vector;

    for (int j = 0; j < KKT_WIDTH; j++) {
        const double own = scale[j] * work->r[KKT_WIDTH * body + j];
        y[j] = n->has_children ? own - y[j] : own;
    }
    for (int at = KKT_WIDTH; at < n->width; at++) {
        y[at] = scale[at] * work->c[s->row[n->first_row + at - KKT_WIDTH].row];
    }
}

// Zero, unless something is not finite.
KERNEL double unload(sweep* s, const sweep_node* n, int body, const sweep_work* work)
{
    const double* scale = sweep_scale(s, n);
    const double* x = s->vector + n->at_vector;
    double check[2] = {0.0};

    for (int j = 0; j < KKT_WIDTH; j++) {
        const double value = scale[j] * x[j];
        work->dx[KKT_WIDTH * body + j] = value;
        check[j % 2] += 0.0 * value;
    }
    for (int at = KKT_WIDTH; at < n->width; at++) {
        const double value = scale[at] * x[at];
        work->dl[s->row[n->first_row + at - KKT_WIDTH].row] = value;
        check[at % 2] += 0.0 * value;
    }
    return check[0] + check[1];
}

// What is taken from the parent's right-hand side: A_pi y. The first child finds nothing there.
KERNEL void push_up(const sweep* s, const sweep_node* n, const double* y, bool is_first, double* b)
{
    const double* reach = reach_of(s, n);
    const double* of_body = pairs_of(s, n);
    double sum[KKT_WIDTH];

    for (int i = 0; i < KKT_WIDTH; i++) sum[i] = is_first ? 0.0 : b[i];
    for (int m = 0; m < KKT_WIDTH && has_pairs(s, n); m++) {
        for (int i = 0; i < KKT_WIDTH; i++) sum[i] += of_body[KKT_WIDTH * m + i] * y[m];
    }
    for (int m = KKT_WIDTH; m < n->width; m++) {
#pragma GCC unroll 6
        for (int i = 0; i < KKT_WIDTH; i++) sum[i] += reach[KKT_WIDTH * (m - KKT_WIDTH) + i] * y[m];
    }
    for (int i = 0; i < KKT_WIDTH; i++) b[i] = dusted(sum[i]);
}

// y -= X x_p, columns of a width that is known
KERNEL void pull_wide(const double* X, int width, const double* x_p, double* y)
{
#pragma GCC unroll 3
    for (int r = 0; r + 4 <= width; r += 4) {
        v4 sum = *(const v4*)(y + r);
#pragma GCC unroll 6
        for (int c = 0; c < KKT_WIDTH; c++) sum -= *(const u4*)(X + width * c + r) * x_p[c];
        store_dusted(y + r, &sum);
    }
#pragma GCC unroll 3
    for (int r = width / 4 * 4; r < width; r++) {
        double sum = y[r];
#pragma GCC unroll 6
        for (int c = 0; c < KKT_WIDTH; c++) sum -= X[width * c + r] * x_p[c];
        y[r] = dusted(sum);
    }
}

KERNEL void pull_down(const sweep* s, const sweep_node* n, const double* x_p, double* y)
{
    const double* X = s->numbers + n->at_X;
    if (n->width == 9)
        pull_wide(X, 9, x_p, y);
    else if (n->width == 11)
        pull_wide(X, 11, x_p, y);
    else
        pull_wide(X, n->width, x_p, y);
}

// From the leaves up: y_i = M_i^-1 b_i, b_p -= A_pi y_i
KERNEL void solve_up(sweep* s, const sweep_node* n, int body, const sweep_work* work)
{
    double* y = s->vector + n->at_vector;
    load(s, n, body, work);
    solve_node(y, divisor_of(s, n));
    if (n->parent < 0) return;
    push_up(s, n, y, n->is_first_child, s->vector + s->node[n->parent].at_vector);
}

// From the root down: x_i = y_i - X_i x_p. Zero, unless something is not finite.
KERNEL double solve_down(sweep* s, const sweep_node* n, int body, const sweep_work* work)
{
    double* y = s->vector + n->at_vector;
    if (n->parent >= 0) pull_down(s, n, s->vector + s->node[n->parent].at_vector, y);
    return work->dx != NULL ? unload(s, n, body, work) : 0.0;
}

KERNEL double solve_tree(sweep* s, const sweep_work* work)
{
    double check = 0.0;
    for (int i = 0; i < s->node_count; i++) {
        fetch_up(s, node_ahead(s, i, 1));
        solve_up(s, &s->node[s->order[i]], s->order[i], work);
    }
    for (int i = s->node_count - 1; i >= 0; i--) {
        fetch_down(s, node_ahead(s, i, -1));
        check += solve_down(s, &s->node[s->order[i]], s->order[i], work);
    }
    return check;
}

// ---- the columns of the border: Z = T^-1 (-D^T), beside the factorisation and a first solve

// What rows of the border push this body with.
KERNEL void load_columns(sweep* s, const sweep_node* n, int body, const sweep_work* work)
{
    const kkt* k = work->k;
    const double* push = tml__kkt_push(k);
    const double* scale = sweep_scale(s, n);
    for (int b = 0; b < s->border_count && n->has_border; b++) {
        const int row = s->border_row[b];
        double* to = sweep_column(s, n, b);
        for (int e = k->row_start[row]; e < k->row_start[row + 1]; e++) {
            if (k->row_node[e] != body) continue;
            for (int j = 0; j < KKT_WIDTH; j++) to[j] -= push[KKT_WIDTH * e + j] * scale[j];
        }
    }
}

KERNEL void columns_up(sweep* s, const sweep_node* n, int body, const sweep_work* work)
{
    for (int b = 0; b < s->border_count; b++) {
        double* y = sweep_column(s, n, b);
        const int kept = n->has_bordered_child ? KKT_WIDTH : 0;
        for (int j = kept; j < n->stride; j++) y[j] = 0.0;
        for (int j = 0; j < kept; j++) y[j] = -y[j];  // what children push is taken away
    }
    if (!n->is_bordered) return;
    load_columns(s, n, body, work);
    for (int b = 0; b < s->border_count; b++) {
        double* y = sweep_column(s, n, b);
        solve_node(y, divisor_of(s, n));
        if (n->parent < 0) continue;
        push_up(s, n, y, n->is_first_bordered, sweep_column(s, &s->node[n->parent], b));
    }
}

KERNEL void columns_down(sweep* s, const sweep_node* n)
{
    for (int b = 0; b < s->border_count && n->parent >= 0; b++) {
        pull_down(s, n, sweep_column(s, &s->node[n->parent], b), sweep_column(s, n, b));
    }
}

// ---- the factorisation

// The body whose pivot failed, -1: none.
KERNEL int factor_tree(sweep* s, const sweep_work* work)
{
    const values_of from = {&work->k->values, tml__kkt_push(work->k)};
    double smallest[BLOCK_MAX_WIDTH];
    double M[STRIDE * BLOCK_MAX_WIDTH] __attribute__((aligned(64)));
    double reciprocal[BLOCK_MAX_WIDTH];
    int pivot[BLOCK_MAX_WIDTH];
    lanes right[BLOCK_MAX_WIDTH];
    lanes X[BLOCK_MAX_WIDTH];

    for (int i = 0; i < s->node_count; i++) {
        const int body = s->order[i];
        const sweep_node* n = &s->node[body];
        const bool is_child = n->parent >= 0;
        const divisor by = {
            .d = M, .reciprocal = reciprocal, .pivot = pivot, .width = n->width, .stride = STRIDE};
        fetch_values(s, node_ahead(s, i, 1), &from);
        scale_node(s, n, body, &from);
        s->check += gather(s, n, body, &from, M);
        if (is_child) s->check += gather_couplings(s, n, &from, right);
        if (work->frozen != NULL) freeze_node(s, n, body, &from, work->frozen);
        if (!(s->check == 0.0)) return body;
        open_node(s, n, body, &from, smallest);
        if (!eliminate(by, smallest, is_child ? right : NULL, X)) return body;
        close_node(s, n, body, reciprocal);
        keep_factor(s, n, by);
        if (is_child) {
            hand_up(s, n, X);
            keep_X(s, n, X);
        }
        if (s->border_count > 0) columns_up(s, n, body, work);
        if (work->r != NULL) solve_up(s, n, body, work);
    }
    return -1;
}

// Columns of the border and a solution that the factorisation has begun.
KERNEL double finish(sweep* s, const sweep_work* work)
{
    double check = 0.0;
    for (int i = s->node_count - 1; i >= 0; i--) {
        const sweep_node* n = &s->node[s->order[i]];
        fetch_down(s, node_ahead(s, i, -1));
        columns_down(s, n);
        if (work->r != NULL) check += solve_down(s, n, s->order[i], work);
    }
    return check;
}

// ---- transposed

// What is taken from the parent's right-hand side: X^T b_i.
KERNEL void push_up_transposed(const sweep* s, const sweep_node* n, const double* b)
{
    const double* X = s->numbers + n->at_X;
    double* to = s->vector + s->node[n->parent].at_vector;

    for (int c = 0; c < KKT_WIDTH; c++) {
        double sum = n->is_first_child ? 0.0 : to[c];
        for (int r = 0; r < n->width; r++) sum += X[n->width * c + r] * b[r];
        to[c] = dusted(sum);
    }
}

// x_i = M_i^-T (b_i - A_pi^T x_p)
KERNEL double solve_tree_transposed(sweep* s, const sweep_work* work)
{
    double check = 0.0;
    for (int i = 0; i < s->node_count; i++) {
        const sweep_node* n = &s->node[s->order[i]];
        load(s, n, s->order[i], work);
        if (n->parent >= 0) push_up_transposed(s, n, s->vector + n->at_vector);
    }
    for (int i = s->node_count - 1; i >= 0; i--) {
        const sweep_node* n = &s->node[s->order[i]];
        double* x = s->vector + n->at_vector;
        if (n->parent >= 0) {
            const double* x_p = s->vector + s->node[n->parent].at_vector;
            for (int m = has_pairs(s, n) ? 0 : KKT_WIDTH; m < n->width; m++) {
                const double* six = m < KKT_WIDTH ? pairs_of(s, n) + KKT_WIDTH * m
                                                  : reach_of(s, n) + KKT_WIDTH * (m - KKT_WIDTH);
                for (int j = 0; j < KKT_WIDTH; j++) x[m] -= six[j] * x_p[j];
            }
        }
        solve_diagonal_transposed(x, divisor_of(s, n));
        for (int j = 0; j < n->width; j++) x[j] = dusted(x[j]);
        if (work->dx != NULL) check += unload(s, n, s->order[i], work);
    }
    return check;
}

KERNEL int run(sweep* s, const sweep_work* work)
{
    switch (work->task) {
    case SWEEP_FACTOR: return factor_tree(s, work);
    case SWEEP_SOLVE: s->check += solve_tree(s, work); break;
    case SWEEP_FINISH: s->check += finish(s, work); break;
    case SWEEP_SOLVE_TRANSPOSED: s->check += solve_tree_transposed(s, work); break;
    }
    return -1;
}

static int run_plain(sweep* s, const sweep_work* work) { return run(s, work); }

#if defined(__x86_64__)
FOR_AVX2 static int run_avx2(sweep* s, const sweep_work* work) { return run(s, work); }
#endif

sweep_kernel* tml__sweep_kernel(block_isa isa)
{
#if defined(__x86_64__)
    if (isa == BLOCK_AVX2 && __builtin_cpu_supports("avx2")) return run_avx2;
#endif
    return isa == BLOCK_PLAIN ? run_plain : NULL;
}
