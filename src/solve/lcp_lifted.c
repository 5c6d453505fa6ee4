// solve/lcp_lifted.c - an island whose matrix is given by its rows over columns, A = Y Y^T + give.
//
// Of a heap most rows do not meet, and many depend on each other: four corners between two boxes are
// twelve rows for six motions. Rows that hold (C) have w = 0, friction at its bound follows its
// normal, f_B = E f_C [DCON (6) App A], so that the matrix of the rows that hold is
//
//     A_CC + A_CB E + shift = Y_C Z^T + G,   Z = Y_C + E^T Y_B,   G = shift + give
//
// and solves with it are made in the columns (Woodbury):
//
//     (Y_C Z^T + G)^-1 = G^-1 - G^-1 Y_C P^-1 Z^T G^-1,   P = 1 + Z^T G^-1 Y_C
//
// The columns are numbered from a far end of the island inwards, and the factors of P fill no more
// than the profile of the island. Without friction at its bound P is symmetric and positive definite
// whatever the rows are; with it pivots may be of either sign, and one that all but vanishes is told.
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

// Of a diagonal entry that cancels up to this share nothing is left but rounding.
#define LEAST_PIVOT 1e-15

// ---- numbering of the columns

// Rows of each column: p->touch lists them, column c from touch_start[c] on.
static void list_touching(lcp_island* p)
{
    memset(p->touch_start, 0, ((size_t)p->columns + 1) * sizeof *p->touch_start);
    const size_t entries = p->start[p->n];
    for (size_t e = 0; e < entries; e++) p->touch_start[p->column[e] + 1]++;
    for (int c = 0; c < p->columns; c++) p->touch_start[c + 1] += p->touch_start[c];
    for (int i = 0; i < p->n; i++) {
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) {
            p->touch[p->touch_start[p->column[e]]++] = i;
        }
    }
    for (int c = p->columns; c > 0; c--) p->touch_start[c] = p->touch_start[c - 1];
    p->touch_start[0] = 0;
}

// Columns by their distance from `from`, in p->rank_order; returns the last one, one of the farthest.
static int walk(lcp_island* p, int from)
{
    int count = 0;
    memset(p->row_seen, 0, (size_t)p->n);
    for (int c = 0; c < p->columns; c++) p->place[c] = -1;
    p->place[from] = 0;
    p->rank_order[count++] = from;
    for (int k = 0; k < count; k++) {
        const int c = p->rank_order[k];
        for (size_t t = p->touch_start[c]; t < p->touch_start[c + 1]; t++) {
            const int row = p->touch[t];
            if (p->row_seen[row]) continue;
            p->row_seen[row] = 1;
            for (size_t e = p->start[row]; e < p->start[row + 1]; e++) {
                if (p->place[p->column[e]] >= 0) continue;
                p->place[p->column[e]] = count;
                p->rank_order[count++] = p->column[e];
            }
        }
    }
    return p->rank_order[count - 1];
}

static bool make_profile(lcp_island* p)
{
    const int n = p->columns;
    for (int c = 0; c < n; c++) p->first[c] = c;
    for (int i = 0; i < p->n; i++) {
        int least = n;
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) {
            if (p->column[e] < least) least = p->column[e];
        }
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) {
            if (least < p->first[p->column[e]]) p->first[p->column[e]] = least;
        }
    }
    size_t end = 0;
    for (int c = 0; c < n; c++) {
        p->profile_row[c] = end;
        end += (size_t)(c - p->first[c]) + 1;
        if (end > p->profile_limit) return false;
    }
    return true;
}

// Entries of every row by their columns.
static void sort_entries(lcp_island* p)
{
    for (int i = 0; i < p->n; i++) {
        for (size_t e = p->start[i] + 1; e < p->start[i + 1]; e++) {
            const int column = p->column[e];
            const double y = p->y[e];
            size_t at = e;
            for (; at > p->start[i] && p->column[at - 1] > column; at--) {
                p->column[at] = p->column[at - 1];
                p->y[at] = p->y[at - 1];
            }
            p->column[at] = column;
            p->y[at] = y;
        }
    }
}

bool tml__lcp_number_columns(lcp_island* p)
{
    if (p->columns == 0) return true;
    list_touching(p);
    int far = walk(p, 0);
    far = walk(p, far);
    walk(p, far);
    const size_t entries = p->start[p->n];
    for (size_t e = 0; e < entries; e++) p->column[e] = p->place[p->column[e]];
    sort_entries(p);
    return make_profile(p);
}

// ---- products

void tml__lcp_lift(const lcp_island* p, const double* f, double* u)
{
    memset(u, 0, (size_t)p->columns * sizeof *u);
    for (int i = 0; i < p->n; i++) {
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) u[p->column[e]] += p->y[e] * f[i];
    }
}

static double along(const lcp_island* p, int i, const double* u)
{
    double sum = 0.0;
    for (size_t e = p->start[i]; e < p->start[i + 1]; e++) sum += p->y[e] * u[p->column[e]];
    return sum;
}

void tml__lcp_columns_rate(const lcp_island* p, const double* u, double* out)
{
    for (int i = 0; i < p->n; i++) out[i] = along(p, i, u);
}

void tml__lcp_product(const lcp_island* p, const double* f, double* out)
{
    if (p->is_lifted) {
        tml__lcp_lift(p, f, p->u);
        for (int i = 0; i < p->n; i++) out[i] = along(p, i, p->u) + p->give[i] * f[i];
        return;
    }
    for (int i = 0; i < p->n; i++) {
        const double* row = &p->A[(size_t)i * (size_t)p->n];
        double sum = 0.0;
        for (int j = 0; j < p->n; j++) sum += row[j] * f[j];
        out[i] = sum;
    }
}

double tml__lcp_diagonal(const lcp_island* p, int i)
{
    if (!p->is_lifted) return p->A[(size_t)i * (size_t)p->n + (size_t)i];
    double sum = p->give[i];
    for (size_t e = p->start[i]; e < p->start[i + 1]; e++) sum += p->y[e] * p->y[e];
    return sum;
}

// w and scales as tml__lcp_velocities tells them; sizes are summed over columns.
void tml__lcp_lifted_velocities(lcp_island* p)
{
    double* size = p->u_size;
    tml__lcp_lift(p, p->f, p->u);
    memset(size, 0, (size_t)p->columns * sizeof *size);
    for (int i = 0; i < p->n; i++) {
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) {
            size[p->column[e]] += fabs(p->y[e] * p->f[i]);
        }
    }
    for (int i = 0; i < p->n; i++) {
        double sum = fabs(p->b[i]) + fabs(p->give[i] * p->f[i]);
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++) {
            sum += fabs(p->y[e]) * size[p->column[e]];
        }
        p->w[i] = p->b[i] + p->give[i] * p->f[i] + along(p, i, p->u);
        if (!(sum <= p->velocity_scale)) p->velocity_scale = sum;
        if (!(fabs(p->f[i]) <= p->force_scale)) p->force_scale = fabs(p->f[i]);
    }
}

// ---- factor in the columns

// Two lanes of any alignment: what every processor of 64 bits has.
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static double dot(const double* a, const double* b, int n)
{
    // eight sums in a fixed order, so that they need not wait for each other
    pair s0 = {0.0, 0.0};
    pair s1 = s0;
    pair s2 = s0;
    pair s3 = s0;
    int k = 0;
    for (; k + 8 <= n; k += 8) {
        s0 += *(const pair*)(a + k) * *(const pair*)(b + k);
        s1 += *(const pair*)(a + k + 2) * *(const pair*)(b + k + 2);
        s2 += *(const pair*)(a + k + 4) * *(const pair*)(b + k + 4);
        s3 += *(const pair*)(a + k + 6) * *(const pair*)(b + k + 6);
    }
    for (; k + 2 <= n; k += 2) s0 += *(const pair*)(a + k) * *(const pair*)(b + k);
    const pair sum = (s0 + s1) + (s2 + s3);
    return k < n ? (sum[0] + sum[1]) + a[k] * b[k] : sum[0] + sum[1];
}

// Row i of the lower factor and column i of the upper one, so that entry j is at [j]. The diagonal is
// kept with the lower one.
static double* lower_at(const lcp_island* p, int i)
{
    return p->profile + p->profile_row[i] - (size_t)p->first[i];
}

static double* upper_at(const lcp_island* p, int i)
{
    return p->profile_upper + p->profile_row[i] - (size_t)p->first[i];
}

// P = L U in place, L with a diagonal of ones.
static bool factor_profile(lcp_island* p)
{
    for (int i = 0; i < p->columns; i++) {
        double* low = lower_at(p, i);
        double* up = upper_at(p, i);
        const int first = p->first[i];
        for (int j = first; j < i; j++) {
            const double* low_j = lower_at(p, j);
            const int from = p->first[j] > first ? p->first[j] : first;
            up[j] -= dot(low_j + from, up + from, j - from);
            low[j] = (low[j] - dot(low + from, upper_at(p, j) + from, j - from)) / low_j[j];
        }
        const double size = fabs(low[i]);
        low[i] -= dot(low + first, up + first, i - first);
        if (!(fabs(low[i]) > LEAST_PIVOT * size) || !isfinite(low[i])) return false;
    }
    return true;
}

// Add weight z y^T, z and y two rows of the island.
static void add_product(lcp_island* p, int z, int y, double weight)
{
    for (size_t e = p->start[z]; e < p->start[z + 1]; e++) {
        const int row = p->column[e];
        double* low = lower_at(p, row);
        const double value = weight * p->y[e];
        for (size_t k = p->start[y]; k < p->start[y + 1]; k++) {
            const int column = p->column[k];
            if (column <= row) {
                low[column] += value * p->y[k];
            } else {
                upper_at(p, column)[row] += value * p->y[k];
            }
        }
    }
}

// The rows of one contact at once: Y^T W Y with W of 3 x 3, `count` rows from `normal` on.
static void add_contact(lcp_island* p, int normal, int count, const double* own,
                        const double* cross)
{
    const size_t width = p->start[normal + 1] - p->start[normal];
    const int* column = &p->column[p->start[normal]];
    const double* y0 = &p->y[p->start[normal]];
    const double* y1 = count > 1 ? &p->y[p->start[normal + 1]] : y0;
    const double* y2 = count > 2 ? &p->y[p->start[normal + 2]] : y0;
    const double w0 = own[normal];
    const double w1 = count > 1 ? own[normal + 1] : 0.0;
    const double w2 = count > 2 ? own[normal + 2] : 0.0;
    const double c1 = count > 1 ? cross[normal + 1] : 0.0;
    const double c2 = count > 2 ? cross[normal + 2] : 0.0;
    for (size_t r = 0; r < width; r++) {
        double* low = lower_at(p, column[r]);
        double* up = upper_at(p, column[r]);
        // row r of Y^T W, and what column r of W Y is made of
        const double l0 = w0 * y0[r] + c1 * y1[r] + c2 * y2[r];
        const double l1 = w1 * y1[r];
        const double l2 = w2 * y2[r];
        const double u0 = w0 * y0[r];
        const double u1 = w1 * y1[r] + c1 * y0[r];
        const double u2 = w2 * y2[r] + c2 * y0[r];
        for (size_t c = 0; c < r; c++) {
            low[column[c]] += l0 * y0[c] + l1 * y1[c] + l2 * y2[c];
            up[column[c]] += u0 * y0[c] + u1 * y1[c] + u2 * y2[c];
        }
        low[column[r]] += l0 * y0[r] + l1 * y1[r] + l2 * y2[r];
    }
}

bool tml__lcp_columns_factor(lcp_island* p, const double* own, const double* cross)
{
    const int n = p->columns;
    if (n == 0) return true;
    const size_t entries = p->profile_row[n - 1] + (size_t)(n - 1 - p->first[n - 1]) + 1;
    memset(p->profile, 0, entries * sizeof *p->profile);
    memset(p->profile_upper, 0, entries * sizeof *p->profile_upper);
    for (int c = 0; c < n; c++) lower_at(p, c)[c] = 1.0;
    for (int i = 0; i < p->n;) {
        const int count = tml__lcp_together(p, i);
        bool is_needed = false;
        for (int k = i; k < i + count; k++) is_needed |= own[k] != 0.0 || cross[k] != 0.0;
        if (is_needed && (count > 1 || cross[i] == 0.0)) {
            add_contact(p, i, count, own, cross);
        } else if (is_needed) {
            add_product(p, i, i, own[i]);
            add_product(p, i, p->rows[i].normal, cross[i]);
        }
        i += count;
    }
    return factor_profile(p);
}

bool tml__lcp_columns_labelled(lcp_island* p, const double* stiffness)
{
    double* own = p->spare;
    double* cross = p->part;
    for (int i = 0; i < p->n; i++) {
        const double share = lcp_share(p, i);
        own[i] = p->label[i] == LCP_HELD ? stiffness[i] : 0.0;
        cross[i] = share != 0.0 ? share * stiffness[p->rows[i].normal] : 0.0;
    }
    return tml__lcp_columns_factor(p, own, cross);
}

static bool factor_lifted(lcp_island* p, const double* shift)
{
    double* stiffness = p->tau;
    for (int i = 0; i < p->n; i++) stiffness[i] = 1.0 / (shift[i] + p->give[i]);
    return tml__lcp_columns_labelled(p, stiffness);
}

void tml__lcp_columns_solve(const lcp_island* p, double* x)
{
    for (int i = 0; i < p->columns; i++) {
        const int from = p->first[i];
        x[i] -= dot(lower_at(p, i) + from, x + from, i - from);
    }
    for (int i = p->columns - 1; i >= 0; i--) {
        const double* up = upper_at(p, i);
        x[i] /= lower_at(p, i)[i];
        for (int j = p->first[i]; j < i; j++) x[j] -= up[j] * x[i];
    }
}

static void solve_lifted(const lcp_island* p, const double* shift, double* f, double* r)
{
    for (int k = 0; k < p->held_count; k++) r[k] /= shift[p->held[k]] + p->give[p->held[k]];
    tml__lcp_spread(p, r, f);
    tml__lcp_lift(p, f, p->u);
    tml__lcp_columns_solve(p, p->u);
    for (int k = 0; k < p->held_count; k++) {
        const int i = p->held[k];
        r[k] -= along(p, i, p->u) / (shift[i] + p->give[i]);
    }
}

// ---- factor of the full matrix

static bool factor_full(lcp_island* p, const double* shift)
{
    const int count = p->held_count;
    int* place = p->lemke_list;
    for (int i = 0; i < count; i++) place[p->held[i]] = i;
    for (int i = 0; i < count; i++) {
        const double* from = &p->A[(size_t)p->held[i] * (size_t)p->n];
        double* to = &p->matrix[(size_t)i * (size_t)count];
        for (int j = 0; j < count; j++) to[j] = from[p->held[j]];
        to[i] += shift[p->held[i]];
        for (int j = 0; j < p->n; j++) {
            const double share = lcp_share(p, j);
            if (share != 0.0) to[place[p->rows[j].normal]] += share * from[j];
        }
    }
    return tml__lu_factor(count, p->matrix, count, p->pivot) == TML_OK;
}

bool tml__lcp_shifted_factor(lcp_island* p, const double* shift)
{
    return p->is_lifted ? factor_lifted(p, shift) : factor_full(p, shift);
}

void tml__lcp_shifted_solve(const lcp_island* p, const double* shift, double* f, double* r)
{
    if (p->is_lifted) {
        solve_lifted(p, shift, f, r);
    } else {
        tml__lu_solve(p->held_count, p->matrix, p->held_count, p->pivot, r);
    }
}
