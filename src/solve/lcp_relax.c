// solve/lcp_relax.c - forces of a large island by sweeps alone, for heaps whose exact forces cost too much.
//
// Projected Gauss-Seidel: row after row takes the force that closes it, within its bounds, with
// everything it pushes moved at once. Over columns a row costs twice its entries,
//
//     w = y . u + give f + b,     f <- clamp(f - w / A_ii),     u <- u + y df,     u = Y^T f
//
// The three rows of a contact come one after the other, so that friction knows its normal force. They
// move the same columns, and are taken together: what they do to each other is a small matrix that is
// made once, so that u is read once and written once for the three. A contact that stays open costs one
// row, and most of a heap's contacts are open ones.
//
// Sweeps are bound by memory. Rows are laid out once for them: in the order of the sweep, in fours of
// columns that stand side by side (zeros where a row does not move one of the four), so that one list
// of places serves the rows of a contact and products go in lanes. Rows whose columns are too scattered
// for that are taken column by column. First rows stand together and friction stands apart, because
// open contacts do not look at theirs. Every instruction set adds in the same order.
//
// Only every fourth sweep looks at all rows; those between go through the rows that were not open then.
#include "linalg/block_kernels.h"
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

// A sweep that changes velocities by less than this share of the largest |b| is the last one.
#define STILL 1e-12

enum {
    FOUR = LCP_SPACING,
    WHOLE = 4  // of so many sweeps one looks at every row, and so does the last
};

// Four doubles at any address.
typedef double v4u __attribute__((vector_size(32), aligned(8), may_alias));

static double clamp(double x, double low, double high)
{
    // no branches: nobody can foretell which contacts slide
    const double most = x > high ? high : x;
    return x < low ? low : most;
}

// The nearest force that the law of row i allows, and the label that goes with it.
static double allowed(const lcp_island* p, int i, double wish, unsigned char* label)
{
    const lcp_kind kind = p->rows[i].kind;
    *label = LCP_HELD;
    if (kind == LCP_FREE) return wish;
    if (kind == LCP_UNILATERAL) {
        if (wish > 0.0) return wish;
        *label = LCP_OFF;
        return 0.0;
    }
    const double low = lcp_lower(p, i);
    const double high = lcp_upper(p, i);
    if (kind == LCP_FRICTION && !(p->f[p->rows[i].normal] > 0.0)) {
        *label = LCP_OFF;
        return 0.0;
    }
    if (wish >= high) *label = LCP_UPPER;
    if (wish <= low) *label = LCP_LOWER;
    return clamp(wish, low, high);
}

// ---- rows that are taken together

// A row as the layout reads it.
typedef struct row_view {
    size_t width;
    const int* column;  // the caller's, where the rows are
    const double* y;
} row_view;

static row_view row_at(const lcp_island* p, int i)
{
    const lcp_lifted* l = p->source;
    if (l == NULL) {
        const size_t first = p->start[i];
        return (row_view){p->start[i + 1] - first, p->column + first, p->y + first};
    }
    const int row = l->pick != NULL ? l->pick[p->global[i]] : p->global[i];
    const size_t first = l->start[row];
    return (row_view){l->start[row + 1] - first, l->column + first, l->y + first};
}

// Are the columns numbered as they are met? Else the caller has places for them, or the island numbers.
static bool is_numbering(const lcp_island* p)
{
    return p->source != NULL && p->source->place == NULL;
}

// The island's number of a column.
static int number_of(const lcp_island* p, int column)
{
    if (p->source == NULL) return column;
    return p->source->place != NULL ? p->source->place[column] : p->local[column];
}

int tml__lcp_together(const lcp_island* p, int i)
{
    int count = 1;
    if (p->rows[i].kind != LCP_UNILATERAL) return 1;
    const row_view mine = row_at(p, i);
    const bool is_known = p->source != NULL && p->source->is_together;
    for (int k = i + 1; k < p->n && count < LCP_TOGETHER; k++, count++) {
        const bool is_own = p->rows[k].kind == LCP_FRICTION && p->rows[k].normal == i;
        if (!is_own) break;
        if (is_known) continue;
        const row_view other = row_at(p, k);
        if (other.width != mine.width) break;
        if (memcmp(other.column, mine.column, mine.width * sizeof *mine.column) != 0) break;
    }
    return count;
}

// Does row i do nothing whatever it moves?
static bool is_idle(const lcp_island* p, int i)
{
    return p->rows[i].kind == LCP_BOX && p->rows[i].lower == p->rows[i].upper;
}

static lcp_block block_of(const lcp_island* p, int i)
{
    lcp_block b = {.row = i, .count = tml__lcp_together(p, i)};
    b.is_idle = is_idle(p, i);
    b.is_contact = p->rows[i].kind == LCP_UNILATERAL;
    for (int k = 1; k < b.count; k++) b.mu[k - 1] = p->rows[i + k].mu;
    return b;
}

// ---- layout

// The place of a column among the groups of a block, a new one if it has none; they are few, and
// columns of one group mostly follow each other.
static int group_of(int* at, int* count, int first)
{
    for (int g = *count - 1; g >= 0; g--) {
        if (at[g] == first) return g;
    }
    at[*count] = first;
    return (*count)++;
}

// Where the layout has come to: first rows from the front, the others from the back; and the columns of the
// last block with their places, because the contacts of a pair follow each other and move the same ones.
typedef struct layout {
    size_t at, front, back;
    const int* column;  // NULL: none yet
    size_t width;
    size_t groups_at;
    int groups;
} layout;

static void place_block(lcp_block* b, layout* to, size_t step)
{
    b->y = to->front;
    to->front += step;
    to->back -= step * (size_t)(b->count - 1);
    b->y_rest = to->back;
}

// Columns that are met for the first time one after the other stand side by side, and sweeps take them in
// groups: the next of them begin one of their own.
static void number_columns(lcp_island* p, const row_view* row)
{
    for (size_t e = 0; e < row->width; e++) {
        int* local = &p->local[row->column[e]];
        if (*local >= 0) continue;
        const bool goes_on = e > 0 && p->local[row->column[e - 1]] == p->columns - 1;
        if (!goes_on) p->columns = (p->columns + FOUR - 1) / FOUR * FOUR;
        *local = p->columns++;
    }
}

static bool moves_the_same(const layout* to, const row_view* row)
{
    return to->column != NULL && to->width == row->width &&
           memcmp(to->column, row->column, row->width * sizeof *row->column) == 0;
}

// The groups of a row's columns, and in p->spot the place of each of its entries among them.
static void find_groups(lcp_island* p, const row_view* row, layout* to)
{
    if (moves_the_same(to, row)) return;
    if (is_numbering(p)) number_columns(p, row);
    to->column = row->column;
    to->width = row->width;
    to->groups_at = to->at;
    to->groups = 0;
    int* at = p->group + to->at;
    for (size_t e = 0; e < row->width; e++) {
        const int column = number_of(p, row->column[e]);
        const int first = column / FOUR * FOUR;
        p->spot[e] = FOUR * group_of(at, &to->groups, first) + (column - first);
    }
    to->at += (size_t)to->groups;
}

static void pack_row(const lcp_island* p, const row_view* row, size_t step, double* to)
{
    memset(to, 0, step * sizeof *to);
    for (size_t e = 0; e < row->width; e++) to[p->spot[e]] = row->y[e];
}

// The rows of a block, each group after group. False: no room.
static bool pack_fours(lcp_island* p, lcp_block* b, layout* to)
{
    const row_view first = row_at(p, b->row);
    find_groups(p, &first, to);
    b->at = to->groups_at;
    b->groups = to->groups;
    const size_t step = FOUR * (size_t)b->groups;
    if (to->front + step * (size_t)b->count > to->back) return false;
    place_block(b, to, step);
    pack_row(p, &first, step, p->packed + b->y);
    for (int k = 1; k < b->count; k++) {
        const row_view row = row_at(p, b->row + k);
        pack_row(p, &row, step, p->packed + b->y_rest + step * (size_t)(k - 1));
    }
    return true;
}

// The same column by column: as the rows stand.
static void pack_ones(lcp_island* p, lcp_block* b, layout* to)
{
    const row_view row = row_at(p, b->row);
    b->groups = (int)row.width;
    b->at = to->at;
    to->at += row.width;
    place_block(b, to, row.width);
    for (size_t e = 0; e < row.width; e++) p->group[b->at + e] = number_of(p, row.column[e]);
    memcpy(p->packed + b->y, row.y, row.width * sizeof *p->packed);
    for (int k = 1; k < b->count; k++) {
        memcpy(p->packed + b->y_rest + (size_t)(k - 1) * row.width, row_at(p, b->row + k).y,
               row.width * sizeof *p->packed);
    }
}

static void lay_out(lcp_island* p)
{
    layout to = {.back = p->packed_room};
    p->in_fours = true;
    p->block_count = 0;
    if (p->source != NULL) p->columns = is_numbering(p) ? 0 : p->source->places;
    for (int i = 0; i < p->n; i += p->blocks[p->block_count++].count) {
        lcp_block* b = &p->blocks[p->block_count];
        *b = block_of(p, i);
        if (p->in_fours) {
            p->in_fours = pack_fours(p, b, &to);
        } else if (is_numbering(p)) {
            const row_view first = row_at(p, i);
            number_columns(p, &first);
        }
    }
    if (p->in_fours) return;
    to = (layout){.back = p->packed_room};
    for (int k = 0; k < p->block_count; k++) pack_ones(p, &p->blocks[k], &to);
}

// ---- products

static size_t step_of(const lcp_block* b, bool in_fours)
{
    return (in_fours ? FOUR : 1) * (size_t)b->groups;
}

static const double* row_of(const lcp_island* p, const lcp_block* b, int k, bool in_fours)
{
    return p->packed + (k == 0 ? b->y : b->y_rest + (size_t)(k - 1) * step_of(b, in_fours));
}

KERNEL double along(const lcp_island* p, const lcp_block* b, int k, bool in_fours)
{
    const size_t n = (size_t)b->groups;
    const int* at = p->group + b->at;
    const double* y = row_of(p, b, k, in_fours);
    const double* u = p->u;
    if (in_fours) {
        v4u sum = {0.0, 0.0, 0.0, 0.0};
        for (size_t g = 0; g < n; g++) {
            sum += *(const v4u*)(y + FOUR * g) * *(const v4u*)(u + at[g]);
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    double sum = 0.0;
    for (size_t g = 0; g < n; g++) sum += y[g] * u[at[g]];
    return sum;
}

// The three rows of a contact that pushes, none of which waits for another; the same sums. n: its groups.
KERNEL void along_three(const lcp_island* p, const lcp_block* b, size_t n, double w[LCP_TOGETHER])
{
    const int* at = p->group + b->at;
    const double* from = p->u;
    const double* y0 = p->packed + b->y;
    const double* y1 = p->packed + b->y_rest;
    const double* y2 = y1 + FOUR * n;
    v4u s0 = {0.0, 0.0, 0.0, 0.0};
    v4u s1 = s0;
    v4u s2 = s0;
#pragma GCC unroll 8
    for (size_t g = 0; g < n; g++) {
        const v4u u = *(const v4u*)(from + at[g]);
        s0 += *(const v4u*)(y0 + FOUR * g) * u;
        s1 += *(const v4u*)(y1 + FOUR * g) * u;
        s2 += *(const v4u*)(y2 + FOUR * g) * u;
    }
    // (s[0] + s[1]) + (s[2] + s[3]) of each, two at a time
    const v4u pairs =
        __builtin_shufflevector(s0, s1, 0, 4, 2, 6) + __builtin_shufflevector(s0, s1, 1, 5, 3, 7);
    w[0] = pairs[0] + pairs[2];
    w[1] = pairs[1] + pairs[3];
    w[2] = (s2[0] + s2[1]) + (s2[2] + s2[3]);
}

// u += Y^T change for the three rows of a contact.
KERNEL void spread_three(lcp_island* p, const lcp_block* b, size_t n,
                         const double change[LCP_TOGETHER])
{
    const int* at = p->group + b->at;
    const double* y0 = p->packed + b->y;
    const double* y1 = p->packed + b->y_rest;
    const double* y2 = y1 + FOUR * n;
    double* u = p->u;
    const double c0 = change[0];
    const double c1 = change[1];
    const double c2 = change[2];
#pragma GCC unroll 8
    for (size_t g = 0; g < n; g++) {
        *(v4u*)(u + at[g]) +=
            *(const v4u*)(y0 + FOUR * g) * c0 +
            (*(const v4u*)(y1 + FOUR * g) * c1 + *(const v4u*)(y2 + FOUR * g) * c2);
    }
}

// The same for the rows of any block.
KERNEL void spread(lcp_island* p, const lcp_block* b, const double change[LCP_TOGETHER],
                   bool in_fours)
{
    const size_t n = (size_t)b->groups;
    const int* at = p->group + b->at;
    double* u = p->u;
    if (in_fours && b->count == LCP_TOGETHER) {
        spread_three(p, b, n, change);
        return;
    }
    for (int k = 0; k < b->count; k++) {
        const double* y = row_of(p, b, k, in_fours);
        for (size_t g = 0; g < n && in_fours; g++) {
            *(v4u*)(u + at[g]) += *(const v4u*)(y + FOUR * g) * change[k];
        }
        for (size_t g = 0; g < n && !in_fours; g++) u[at[g]] += y[g] * change[k];
    }
}

// Sums over even and over odd places.
typedef double v2u __attribute__((vector_size(16), aligned(8), may_alias));

KERNEL double product(const double* a, const double* b, size_t count)
{
    v2u sums = {0.0, 0.0};
    size_t e = 0;
    for (; e + 2 <= count; e += 2) sums += *(const v2u*)(a + e) * *(const v2u*)(b + e);
    if (e < count) sums[0] += a[e] * b[e];
    return sums[0] + sums[1];
}

// The six products of a contact's rows in one go.
KERNEL void weigh_three(const lcp_island* p, const lcp_block* b, size_t step,
                        double own[LCP_TOGETHER], double below[LCP_TOGETHER])
{
    const double* y0 = p->packed + b->y;
    const double* y1 = p->packed + b->y_rest;
    const double* y2 = y1 + step;
    v2u s[2 * LCP_TOGETHER] = {{0.0, 0.0}};
    for (size_t e = 0; e < step; e += 2) {
        const v2u a0 = *(const v2u*)(y0 + e);
        const v2u a1 = *(const v2u*)(y1 + e);
        const v2u a2 = *(const v2u*)(y2 + e);
        s[0] += a0 * a0;
        s[1] += a1 * a1;
        s[2] += a2 * a2;
        s[3] += a1 * a0;
        s[4] += a2 * a0;
        s[5] += a2 * a1;
    }
    for (int k = 0; k < LCP_TOGETHER; k++) {
        own[k] = p->give[b->row + k] + (s[k][0] + s[k][1]);
        below[k] = s[LCP_TOGETHER + k][0] + s[LCP_TOGETHER + k][1];
    }
}

// What the rows of a block do to themselves and to each other.
static void weigh_block(const lcp_island* p, lcp_block* b)
{
    const size_t step = step_of(b, p->in_fours);
    b->is_whole = p->in_fours && b->is_contact && (b->count == LCP_TOGETHER || b->count == 1);
    if (b->is_whole && b->count == LCP_TOGETHER) {
        weigh_three(p, b, step, b->own, b->below);
    } else {
        for (int k = 0; k < b->count; k++) {
            const double* mine = row_of(p, b, k, p->in_fours);
            b->own[k] = p->give[b->row + k] + product(mine, mine, step);
            for (int n = 0; n < k; n++) {
                b->below[k + n - 1] = product(mine, row_of(p, b, n, p->in_fours), step);
            }
        }
    }
    for (int k = 0; k < b->count; k++) b->inverse[k] = b->own[k] > 0.0 ? 1.0 / b->own[k] : 0.0;
}

// ---- sweeps

// A row of a block with its law, and how far it goes.
KERNEL double relax_row(lcp_island* p, const lcp_block* b, int k, double w, double* change)
{
    const int i = b->row + k;
    const double wish = p->f[i] - w * b->inverse[k];
    const double to = allowed(p, i, wish, &p->label[i]);
    *change = to - p->f[i];
    p->f[i] = to;
    return fabs(*change) * b->own[k];
}

// The rows of a block one after the other; the largest change of a row's own velocity.
KERNEL double relax_block(lcp_island* p, const lcp_block* b, bool in_fours)
{
    const int i = b->row;
    double change[LCP_TOGETHER] = {0.0, 0.0, 0.0};
    double w = along(p, b, 0, in_fours) + p->give[i] * p->f[i] + p->b[i];
    if (b->is_contact && p->f[i] == 0.0 && w >= 0.0) {
        // it stays open, and its friction, which has been off, stays so
        for (int k = 0; k < b->count; k++) p->label[i + k] = LCP_OFF;
        return 0.0;
    }
    double most = relax_row(p, b, 0, w, &change[0]);
    for (int k = 1; k < b->count; k++) {
        w = along(p, b, k, in_fours) + p->give[i + k] * p->f[i + k] + p->b[i + k];
        for (int m = 0; m < k; m++) w += b->below[k + m - 1] * change[m];
        const double size = relax_row(p, b, k, w, &change[k]);
        if (size > most) most = size;
    }
    if (change[0] != 0.0 || change[1] != 0.0 || change[2] != 0.0) spread(p, b, change, in_fours);
    return most;
}

static double larger(double a, double b) { return a > b ? a : b; }

// The same of a contact with friction, whose laws are known: no branch but whether it is open, and
// labels wait for the end. n: its groups.
KERNEL double relax_contact(lcp_island* p, const lcp_block* b, size_t n)
{
    const int i = b->row;
    double* f = p->f + i;
    const double* give = p->give + i;
    double w[LCP_TOGETHER];
    // what pushed before mostly does so again
    const bool takes_three = f[0] != 0.0;
    if (takes_three) {
        along_three(p, b, n, w);
    } else {
        w[0] = along(p, b, 0, true);
    }
    w[0] += give[0] * f[0] + p->b[i];
    if (!takes_three) {
        if (w[0] >= 0.0) return 0.0;  // it stays open
        w[1] = along(p, b, 1, true);
        w[2] = along(p, b, 2, true);
    }
    const double wish = f[0] - w[0] * b->inverse[0];
    const double normal = wish > 0.0 ? wish : 0.0;
    double change[LCP_TOGETHER] = {normal - f[0], 0.0, 0.0};
    f[0] = normal;
    for (int k = 1; k < LCP_TOGETHER; k++) {
        w[k] += give[k] * f[k] + p->b[i + k];
        for (int m = 0; m < k; m++) w[k] += b->below[k + m - 1] * change[m];
        const double bound = b->mu[k - 1] * normal;
        const double to = clamp(f[k] - w[k] * b->inverse[k], -bound, bound);
        change[k] = to - f[k];
        f[k] = to;
    }
    spread_three(p, b, n, change);
    return larger(larger(fabs(change[0]) * b->own[0], fabs(change[1]) * b->own[1]),
                  fabs(change[2]) * b->own[2]);
}

// The same of a normal row alone, as the shift out of overlaps has them.
KERNEL double relax_normal(lcp_island* p, const lcp_block* b, size_t n)
{
    const int i = b->row;
    const double old = p->f[i];
    const double w = along(p, b, 0, true) + p->give[i] * old + p->b[i];
    if (old == 0.0 && w >= 0.0) return 0.0;
    const double wish = old - w * b->inverse[0];
    const double to = wish > 0.0 ? wish : 0.0;
    const double change = to - old;
    p->f[i] = to;
    if (change != 0.0) {
        const int* at = p->group + b->at;
        const double* y = p->packed + b->y;
        double* u = p->u;
#pragma GCC unroll 8
        for (size_t g = 0; g < n; g++) {
            *(v4u*)(u + at[g]) += *(const v4u*)(y + FOUR * g) * change;
        }
    }
    return fabs(change) * b->own[0];
}

KERNEL double relax_whole(lcp_island* p, const lcp_block* b, size_t n)
{
    return b->count == LCP_TOGETHER ? relax_contact(p, b, n) : relax_normal(p, b, n);
}

// Pairs of free bodies and of short chains have so few groups that loops are better written out.
KERNEL double relax_any(lcp_island* p, const lcp_block* b, bool in_fours)
{
    if (!in_fours || !b->is_whole) return relax_block(p, b, in_fours);
    switch (b->groups) {
    case 2: return relax_whole(p, b, 2);
    case 3: return relax_whole(p, b, 3);
    case 4: return relax_whole(p, b, 4);
    case 5: return relax_whole(p, b, 5);
    case 6: return relax_whole(p, b, 6);
    default: return relax_whole(p, b, (size_t)b->groups);
    }
}

// What the forces and velocities of a contact's rows say about their laws.
static void label_contact(lcp_island* p, const lcp_block* b)
{
    const bool is_open = !(p->f[b->row] > 0.0);
    p->label[b->row] = is_open ? LCP_OFF : LCP_HELD;
    for (int i = b->row + 1; i < b->row + b->count; i++) {
        const double bound = p->rows[i].mu * p->f[b->row];
        p->label[i] = is_open ? LCP_OFF : LCP_HELD;
        if (is_open || fabs(p->f[i]) < bound) continue;
        // without friction either bound is both
        const bool is_upper = bound > 0.0 ? p->f[i] > 0.0 : p->w[i] < 0.0;
        p->label[i] = is_upper ? LCP_UPPER : LCP_LOWER;
    }
}

// Every block, and a list of those that are not open; the largest change.
KERNEL double sweep_all(lcp_island* p, bool in_fours)
{
    double most = 0.0;
    p->moving_count = 0;
    for (int n = 0; n < p->block_count; n++) {
        const lcp_block* b = &p->blocks[n];
        if (b->is_idle) continue;
        const double change = relax_any(p, b, in_fours);
        if (change > most) most = change;
        const bool is_open = b->is_contact && p->f[b->row] == 0.0;
        if (!is_open) p->moving[p->moving_count++] = n;
    }
    return most;
}

KERNEL double sweep_moving(lcp_island* p, bool in_fours)
{
    double most = 0.0;
    for (int n = 0; n < p->moving_count; n++) {
        const double change = relax_any(p, &p->blocks[p->moving[n]], in_fours);
        if (change > most) most = change;
    }
    return most;
}

// u = Y^T f
// Of all places an island may have few: then only those are cleared that its rows name.
static void clear_places(lcp_island* p, bool in_fours)
{
    if (p->block_count == 0) return;
    const lcp_block* last = &p->blocks[p->block_count - 1];
    const size_t named = last->at + (size_t)last->groups;
    const size_t width = in_fours ? FOUR : 1;
    if (2 * FOUR * named > (size_t)p->columns) {
        memset(p->u, 0, ((size_t)p->columns + FOUR) * sizeof *p->u);
        return;
    }
    for (size_t g = 0; g < named; g++) memset(p->u + p->group[g], 0, width * sizeof *p->u);
}

KERNEL void lift(lcp_island* p, bool in_fours)
{
    clear_places(p, in_fours);
    for (int n = 0; n < p->block_count; n++) {
        const lcp_block* b = &p->blocks[n];
        double f[LCP_TOGETHER] = {0.0, 0.0, 0.0};
        for (int k = 0; k < b->count; k++) f[k] = p->f[b->row + k];
        if (f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0) spread(p, b, f, in_fours);
    }
}

// So many sweeps, and the velocities that they leave.
KERNEL void relax(lcp_island* p, int sweeps, double still, bool in_fours)
{
    lift(p, in_fours);
    for (int k = 0; k < sweeps; k++) {
        const bool is_whole = k % WHOLE == 0 || k == sweeps - 1;
        const double most = is_whole ? sweep_all(p, in_fours) : sweep_moving(p, in_fours);
        if (most > still) continue;
        if (is_whole) break;
        k = sweeps - 2;  // what is open has the last word
    }
    lift(p, in_fours);  // without what rounding has gathered
    for (int n = 0; n < p->block_count; n++) {
        const lcp_block* b = &p->blocks[n];
        for (int k = 0; k < b->count; k++) {
            const int i = b->row + k;
            p->w[i] = p->b[i] + p->give[i] * p->f[i] + along(p, b, k, in_fours);
        }
        if (b->is_whole) label_contact(p, b);
    }
}

static void relax_plain(lcp_island* p, int sweeps, double still)
{
    if (p->in_fours) {
        relax(p, sweeps, still, true);
    } else {
        relax(p, sweeps, still, false);
    }
}

#if defined(__x86_64__)
FOR_AVX2 static void relax_avx2(lcp_island* p, int sweeps, double still)
{
    relax(p, sweeps, still, true);
}
#endif

static void run(lcp_island* p, int sweeps, double still)
{
#if defined(__x86_64__)
    if (p->in_fours && __builtin_cpu_supports("avx2")) {
        relax_avx2(p, sweeps, still);
        return;
    }
#endif
    relax_plain(p, sweeps, still);
}

// Forces to start from, within their bounds; the largest |b|.
static double begin(lcp_island* p)
{
    double size = 0.0;
    for (int n = 0; n < p->block_count; n++) {
        lcp_block* b = &p->blocks[n];
        weigh_block(p, b);
        for (int k = 0; k < b->count; k++) {
            const int i = b->row + k;
            unsigned char label = LCP_HELD;
            const double wish = p->has_guess ? p->guess[i] : 0.0;
            p->f[i] = b->inverse[k] > 0.0 ? allowed(p, i, wish, &label) : 0.0;
            size = fmax(size, fabs(p->b[i]));
        }
    }
    memset(p->is_independent, 0, (size_t)p->n);
    p->held_count = 0;  // nothing is said about the rank
    p->rank = 0;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
    return size;
}

void tml__lcp_relax(lcp_island* p, int sweeps)
{
    lay_out(p);
    const double size = begin(p);
    run(p, sweeps, STILL * size);
    // the scales that what is left is told in: of the largest |b|, as the other methods do
    p->velocity_scale = size;
    p->force_scale = 0.0;
    for (int i = 0; i < p->n; i++) {
        if (!(fabs(p->f[i]) <= p->force_scale)) p->force_scale = fabs(p->f[i]);
    }
}
