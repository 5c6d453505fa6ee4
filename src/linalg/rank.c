// linalg/rank.c - rows that follow from others, by one sparse elimination.
//
// Left-looking and symmetric: block column j first receives the products of all earlier columns that
// reach it, then its diagonal block is factored row by row. The column of a row that is left out is zero, so that
// it gives nothing to what comes later.
#include "linalg/rank.h"

#include "base/request.h"
#include "linalg/order.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    WIDTH = 6,  // unknowns of a node
    REQUESTS = 10,
    MOST_PAIRS = 1 << 27,
};

typedef struct elimination_of_rows {
    const rank_rows* rows;
    elimination e;
    int* first_row;       // per group
    int* width;           // per group
    int* start;           // per node and one more: its entries,
    int* entry;           // sorted by row,
    int* entry_row;       // per entry: its row
    double* turn;         // per node: what turns count beside shifts
    double* value;        // blocks: the diagonal ones by position, then those of the columns
    size_t* at_diagonal;  // per position
    size_t* at_block;     // per block and one more
    int* place;           // per position: where its block is in the column at hand
} elimination_of_rows;

// ---- who meets whom

static void find_groups(elimination_of_rows* r)
{
    for (int row = r->rows->row_count - 1; row >= 0; row--) {
        const int g = r->rows->group[row];
        if (g < 0) continue;
        r->first_row[g] = row;
        r->width[g]++;
    }
}

static bool counts(const rank_rows* rows, int row) { return rows->group[row] >= 0; }

static void list_entries(elimination_of_rows* r)
{
    const rank_rows* rows = r->rows;
    for (int row = 0; row < rows->row_count; row++) {
        for (int k = rows->row_start[row]; k < rows->row_start[row + 1]; k++) {
            r->entry_row[k] = row;
            if (counts(rows, row)) r->start[rows->row_node[k] + 1]++;
        }
    }
    for (int n = 0; n < rows->node_count; n++) r->start[n + 1] += r->start[n];
    for (int row = rows->row_count - 1; row >= 0; row--) {
        for (int k = rows->row_start[row + 1] - 1; k >= rows->row_start[row]; k--) {
            if (counts(rows, row)) r->entry[--r->start[rows->row_node[k] + 1]] = k;
        }
    }
    // the second pass turned ends into starts, one place too far
    for (int n = 0; n < rows->node_count; n++) r->start[n] = r->start[n + 1];
    int count = 0;
    for (int row = 0; row < rows->row_count; row++) {
        if (counts(rows, row)) count += rows->row_start[row + 1] - rows->row_start[row];
    }
    r->start[rows->node_count] = count;
}

// Levers are lengths: a node's turns count so that they and its shifts weigh the same.
static void weigh_turns(elimination_of_rows* r)
{
    for (int n = 0; n < r->rows->node_count; n++) {
        double shifts = 0.0;
        double turns = 0.0;
        for (int i = r->start[n]; i < r->start[n + 1]; i++) {
            const double* v = &r->rows->value[(size_t)WIDTH * (size_t)r->entry[i]];
            shifts += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            turns += v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
        }
        r->turn[n] = shifts > 0.0 && turns > 0.0 ? shifts / turns : 1.0;
    }
}

static int group_at(const elimination_of_rows* r, int i)
{
    return r->rows->group[r->entry_row[r->entry[i]]];
}

// Groups that share a node. Without room, pairs are only counted.
static size_t list_pairs(const elimination_of_rows* r, int* pair)
{
    size_t count = 0;
    for (int n = 0; n < r->rows->node_count; n++) {
        for (int i = r->start[n]; i < r->start[n + 1]; i++) {
            if (i > r->start[n] && group_at(r, i) == group_at(r, i - 1)) continue;
            for (int k = r->start[n]; k < i; k++) {
                if (k > r->start[n] && group_at(r, k) == group_at(r, k - 1)) continue;
                if (group_at(r, k) == group_at(r, i)) continue;
                if (pair != NULL) {
                    pair[2 * count] = group_at(r, i);
                    pair[2 * count + 1] = group_at(r, k);
                }
                if (++count > MOST_PAIRS) return count;
            }
        }
    }
    return count;
}

static tml_status order_groups(elimination_of_rows* r, const tml_allocator* allocator)
{
    message why = {""};
    const size_t count = list_pairs(r, NULL);
    if (count > MOST_PAIRS) return TML_UNSUPPORTED;
    int* pair = tml__allocate(allocator, 2 * count + 1, sizeof(int));
    if (pair == NULL) return TML_NO_MEMORY;
    list_pairs(r, pair);
    const graph g = {.node_count = r->rows->group_count,
                     .pair_count = (int)count,
                     .pair_node = pair,
                     .is_late = r->rows->is_late};
    const tml_status status = tml__elimination_create(&r->e, &g, allocator, &why);
    tml__release(allocator, pair);
    return status;
}

// ---- values

static int width_at(const elimination_of_rows* r, int position)
{
    return r->width[r->e.node[position]];
}

// Where everything is, and what its elimination takes.
static double lay_out(elimination_of_rows* r, size_t* size)
{
    const elimination* e = &r->e;
    double flops = 0.0;
    *size = 0;
    for (int j = 0; j < e->node_count; j++) {
        const int w = width_at(r, j);
        double below = 0.0;
        r->at_diagonal[j] = *size;
        *size += (size_t)(w * w);
        for (int t = e->column_start[j]; t < e->column_start[j + 1]; t++) {
            r->at_block[t] = *size;
            *size += (size_t)(w * width_at(r, e->row[t]));
            below += width_at(r, e->row[t]);
        }
        flops += (double)w * (below + w) * (below + w);
    }
    return flops;
}

static double product_of(const elimination_of_rows* r, int a, int b, int node)
{
    const double* x = &r->rows->value[(size_t)WIDTH * (size_t)a];
    const double* y = &r->rows->value[(size_t)WIDTH * (size_t)b];
    const double turns = x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + r->turn[node] * turns;
}

// The block of row position i and column position j <= i: column-major.
static double* block_at(const elimination_of_rows* r, int i, int j)
{
    if (i == j) return r->value + r->at_diagonal[j];
    return r->value + r->at_block[tml__elimination_find(&r->e, i, j)];
}

static void add_node(elimination_of_rows* r, int node)
{
    for (int a = r->start[node]; a < r->start[node + 1]; a++) {
        const int g = group_at(r, a);
        const int i = r->e.position[g];
        double* block = NULL;
        int of = -1;
        for (int b = r->start[node]; b < r->start[node + 1]; b++) {
            const int h = group_at(r, b);
            const int j = r->e.position[h];
            if (j > i) continue;
            if (h != of) block = block_at(r, i, j);
            of = h;
            const int row = r->entry_row[r->entry[a]] - r->first_row[g];
            const int column = r->entry_row[r->entry[b]] - r->first_row[h];
            block[column * r->width[g] + row] += product_of(r, r->entry[a], r->entry[b], node);
        }
    }
}

// ---- elimination

// x -= y z^T, all column-major: x is rows x columns, y rows x inner, z columns x inner.
static inline void subtract(double* x, const double* y, const double* z, int rows, int columns,
                            int inner)
{
    for (int c = 0; c < columns; c++) {
        for (int k = 0; k < inner; k++) {
            const double by = z[k * columns + c];
            for (int i = 0; i < rows; i++) x[c * rows + i] -= y[k * rows + i] * by;
        }
    }
}

// The same where the widths are those of balls: the compiler knows them.
static void subtract_any(double* x, const double* y, const double* z, const int shape[3])
{
    if (shape[0] == 3 && shape[1] == 3 && shape[2] == 3)
        subtract(x, y, z, 3, 3, 3);
    else
        subtract(x, y, z, shape[0], shape[1], shape[2]);
}

static void update_column(elimination_of_rows* r, int j)
{
    const elimination* e = &r->e;
    for (int t = e->column_start[j]; t < e->column_start[j + 1]; t++) r->place[e->row[t]] = t;
    for (int p = e->row_start[j]; p < e->row_start[j + 1]; p++) {
        const int k = e->row_column[p];
        const int jk = e->row_block[p];
        const double* l_jk = r->value + r->at_block[jk];
        const int w = width_at(r, j);
        const int inner = width_at(r, k);
        subtract_any(r->value + r->at_diagonal[j], l_jk, l_jk, (int[3]){w, w, inner});
        for (int ik = jk + 1; ik < e->column_start[k + 1]; ik++) {
            const int i = e->row[ik];
            subtract_any(r->value + r->at_block[r->place[i]], r->value + r->at_block[ik], l_jk,
                         (int[3]){width_at(r, i), w, inner});
        }
    }
}

// One column of a block below the diagonal: x_c = (x_c - sum of the columns before) / root, or nothing.
static void divide(double* x, int rows, const double* d, int w, int c, double reciprocal)
{
    for (int i = 0; i < rows; i++) {
        double sum = x[c * rows + i];
        for (int k = 0; k < c; k++) sum -= x[k * rows + i] * d[k * w + c];
        x[c * rows + i] = sum * reciprocal;
    }
}

typedef struct verdicts {
    double tolerance;
    bool* is_implied;
    rank_report* report;
} verdicts;

static bool is_kept(const verdicts* v, int row, double part, double whole)
{
    rank_report* report = v->report;
    const double share = whole > 0.0 ? part / whole : 0.0;
    const bool is_implied = !(share > v->tolerance);
    v->is_implied[row] = is_implied;
    report->implied += is_implied;
    if (is_implied && share > report->dropped) report->dropped = share;
    if (!is_implied && share < report->kept) report->kept = share;
    return !is_implied;
}

static void factor_column(elimination_of_rows* r, int j, const double* whole, const verdicts* v)
{
    const elimination* e = &r->e;
    const int w = width_at(r, j);
    double* d = r->value + r->at_diagonal[j];
    for (int c = 0; c < w; c++) {
        double part = d[c * w + c];
        for (int k = 0; k < c; k++) part -= d[k * w + c] * d[k * w + c];
        const int row = r->first_row[e->node[j]] + c;
        const bool stays = is_kept(v, row, part, whole[c]);
        const double reciprocal = stays ? 1.0 / sqrt(part) : 0.0;
        d[c * w + c] = stays ? sqrt(part) : 0.0;
        for (int i = c + 1; i < w; i++) {
            double sum = d[c * w + i];
            for (int k = 0; k < c; k++) sum -= d[k * w + i] * d[k * w + c];
            d[c * w + i] = sum * reciprocal;
        }
        for (int t = e->column_start[j]; t < e->column_start[j + 1]; t++) {
            divide(r->value + r->at_block[t], width_at(r, e->row[t]), d, w, c, reciprocal);
        }
    }
}

static void eliminate(elimination_of_rows* r, const verdicts* v)
{
    double whole[RANK_MAX_WIDTH];
    for (int j = 0; j < r->e.node_count; j++) {
        const int w = width_at(r, j);
        for (int c = 0; c < w; c++) whole[c] = r->value[r->at_diagonal[j] + (size_t)(c * w + c)];
        update_column(r, j);
        factor_column(r, j, whole, v);
    }
}

// ---- the whole

static tml_status fill_and_eliminate(elimination_of_rows* r, double most_flops,
                                     const tml_allocator* allocator, const verdicts* v)
{
    size_t size = 0;
    const size_t groups = (size_t)r->rows->group_count;
    const request list[] = {{&r->at_diagonal, groups, sizeof(size_t)},
                            {&r->at_block, (size_t)r->e.block_count + 1, sizeof(size_t)},
                            {&r->place, groups, sizeof(int)}};
    tml_status status = tml__take_all(allocator, list, 3);
    if (status == TML_OK) {
        v->report->flops = lay_out(r, &size);
        if (v->report->flops > most_flops) status = TML_UNSUPPORTED;
    }
    if (status == TML_OK) {
        r->value = tml__allocate(allocator, size + 1, sizeof(double));
        if (r->value == NULL) status = TML_NO_MEMORY;
    }
    if (status == TML_OK) {
        for (int n = 0; n < r->rows->node_count; n++) add_node(r, n);
        eliminate(r, v);
    }
    tml__release(allocator, r->value);
    tml__release_all(allocator, list, 3);
    return status;
}

tml_status tml__rank_find(const rank_rows* rows, double tolerance, double most_flops,
                          const tml_allocator* allocator, bool* is_implied, rank_report* report)
{
    elimination_of_rows r = {.rows = rows};
    const verdicts v = {tolerance, is_implied, report};
    const size_t entries = (size_t)rows->row_start[rows->row_count];
    const request list[] = {
        {&r.first_row, (size_t)rows->group_count, sizeof(int)},
        {&r.width, (size_t)rows->group_count, sizeof(int)},
        {&r.start, (size_t)rows->node_count + 1, sizeof(int)},
        {&r.entry, entries, sizeof(int)},
        {&r.entry_row, entries, sizeof(int)},
        {&r.turn, (size_t)rows->node_count, sizeof(double)},
    };
    *report = (rank_report){.kept = 1.0};
    memset(is_implied, 0, (size_t)rows->row_count * sizeof *is_implied);
    tml_status status = tml__take_all(allocator, list, 6);
    if (status == TML_OK) {
        find_groups(&r);
        list_entries(&r);
        weigh_turns(&r);
        status = order_groups(&r, allocator);
    }
    if (status == TML_OK) {
        status = fill_and_eliminate(&r, most_flops, allocator, &v);
        tml__elimination_destroy(&r.e, allocator);
    }
    tml__release_all(allocator, list, 6);
    return status;
}
