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
#include "solve/lcp_internal.h"

#include <math.h>
#include <string.h>

// A sweep that changes velocities by less than this share of the largest |b| is the last one.
#define STILL 1e-12

static double along(const double* y, const int* column, const double* u, size_t count)
{
    // four sums, so that they need not wait for each other
    double s0 = 0.0;
    double s1 = 0.0;
    double s2 = 0.0;
    double s3 = 0.0;
    size_t e = 0;
    for (; e + 4 <= count; e += 4) {
        s0 += y[e] * u[column[e]];
        s1 += y[e + 1] * u[column[e + 1]];
        s2 += y[e + 2] * u[column[e + 2]];
        s3 += y[e + 3] * u[column[e + 3]];
    }
    for (; e < count; e++) s0 += y[e] * u[column[e]];
    return (s0 + s1) + (s2 + s3);
}

static double product(const double* a, const double* b, size_t count)
{
    double even = 0.0;
    double odd = 0.0;
    size_t e = 0;
    for (; e + 2 <= count; e += 2) {
        even += a[e] * b[e];
        odd += a[e + 1] * b[e + 1];
    }
    if (e < count) even += a[e] * b[e];
    return even + odd;
}

static double clamp(double x, double low, double high)
{
    if (x < low) return low;
    return x > high ? high : x;
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

static size_t width(const lcp_island* p, int i) { return p->start[i + 1] - p->start[i]; }

int tml__lcp_together(const lcp_island* p, int i)
{
    int count = 1;
    if (p->rows[i].kind != LCP_UNILATERAL) return 1;
    for (int k = i + 1; k < p->n && count < LCP_TOGETHER; k++, count++) {
        const bool is_own = p->rows[k].kind == LCP_FRICTION && p->rows[k].normal == i;
        if (!is_own || width(p, k) != width(p, i)) break;
        const size_t bytes = width(p, i) * sizeof *p->column;
        if (memcmp(&p->column[p->start[k]], &p->column[p->start[i]], bytes) != 0) break;
    }
    return count;
}

static lcp_block block_of(const lcp_island* p, int i)
{
    lcp_block b = {.count = tml__lcp_together(p, i)};
    for (int k = 0; k < b.count; k++) {
        const double* y = &p->y[p->start[i + k]];
        const double own = p->give[i + k] + product(y, y, width(p, i));
        b.inverse[k] = own > 0.0 ? 1.0 / own : 0.0;
        for (int n = 0; n < k; n++) {
            b.below[k + n - 1] = product(y, &p->y[p->start[i + n]], width(p, i));
        }
    }
    return b;
}

// Does row i do nothing whatever it moves?
static bool is_idle(const lcp_island* p, int i)
{
    return p->rows[i].kind == LCP_BOX && p->rows[i].lower == p->rows[i].upper;
}

// A contact without force that opens: its friction stays off too.
static bool stays_open(lcp_island* p, int i, int count, double w)
{
    if (p->rows[i].kind != LCP_UNILATERAL || p->f[i] != 0.0 || !(w >= 0.0)) return false;
    for (int k = 0; k < count; k++) {
        if (p->f[i + k] != 0.0) return false;
        p->label[i + k] = LCP_OFF;
    }
    return true;
}

// u += Y^T change for the rows of a block.
static void spread(lcp_island* p, int i, int count, const double change[LCP_TOGETHER])
{
    const size_t n = width(p, i);
    const int* column = &p->column[p->start[i]];
    const double* y = &p->y[p->start[i]];
    double* u = p->u;
    if (count == LCP_TOGETHER) {
        for (size_t e = 0; e < n; e++) {
            u[column[e]] += y[e] * change[0] + (y[n + e] * change[1] + y[2 * n + e] * change[2]);
        }
        return;
    }
    for (int k = 0; k < count; k++, y += n) {
        for (size_t e = 0; e < n; e++) u[column[e]] += y[e] * change[k];
    }
}

// The rows of a block one after the other; the largest change of a row's own velocity.
static double sweep_block(lcp_island* p, int i, const lcp_block* b)
{
    const size_t n = width(p, i);
    const int* column = &p->column[p->start[i]];
    const double* y = &p->y[p->start[i]];
    double change[LCP_TOGETHER] = {0.0, 0.0, 0.0};
    double most = 0.0;
    for (int k = 0; k < b->count; k++, y += n) {
        double w = along(y, column, p->u, n) + p->give[i + k] * p->f[i + k] + p->b[i + k];
        if (k == 0 && stays_open(p, i, b->count, w)) return 0.0;
        if (is_idle(p, i + k)) continue;
        for (int m = 0; m < k; m++) w += b->below[k + m - 1] * change[m];
        const double wish = p->f[i + k] - w * b->inverse[k];
        const double to = allowed(p, i + k, wish, &p->label[i + k]);
        change[k] = to - p->f[i + k];
        p->f[i + k] = to;
        const double size = b->inverse[k] > 0.0 ? fabs(change[k]) / b->inverse[k] : 0.0;
        if (size > most) most = size;
    }
    if (change[0] != 0.0 || change[1] != 0.0 || change[2] != 0.0) spread(p, i, b->count, change);
    return most;
}

// ---- sweeps

// Forces to start from, within their bounds; the largest |b|.
static double begin(lcp_island* p, lcp_block* blocks)
{
    double size = 0.0;
    int count = 0;
    for (int i = 0; i < p->n; i += blocks[count++].count) {
        blocks[count] = block_of(p, i);
        for (int k = 0; k < blocks[count].count; k++) {
            unsigned char label = LCP_HELD;
            const double wish = p->has_guess ? p->guess[i + k] : 0.0;
            const bool can_move = blocks[count].inverse[k] > 0.0;
            p->f[i + k] = can_move ? allowed(p, i + k, wish, &label) : 0.0;
            size = fmax(size, fabs(p->b[i + k]));
        }
    }
    memset(p->is_independent, 0, (size_t)p->n);
    p->held_count = 0;  // nothing is said about the rank
    p->rank = 0;
    p->kept_pivot = 1.0;
    p->dropped_pivot = 0.0;
    return size;
}

// Velocities, and the scales that what is left is told in: of the largest |b|, as the other methods do.
static void weigh(lcp_island* p, double size)
{
    p->force_scale = 0.0;
    p->velocity_scale = size;
    tml__lcp_lift(p, p->f, p->u);
    for (int i = 0; i < p->n; i++) {
        const size_t at = p->start[i];
        const double w = along(&p->y[at], &p->column[at], p->u, width(p, i));
        p->w[i] = p->b[i] + p->give[i] * p->f[i] + w;
        if (!(fabs(p->f[i]) <= p->force_scale)) p->force_scale = fabs(p->f[i]);
    }
}

void tml__lcp_relax(lcp_island* p, int sweeps)
{
    lcp_block* blocks = p->blocks;
    const double size = begin(p, blocks);
    tml__lcp_lift(p, p->f, p->u);
    for (int k = 0; k < sweeps; k++) {
        double most = 0.0;
        int count = 0;
        for (int i = 0; i < p->n; i += blocks[count++].count) {
            const double change = is_idle(p, i) ? 0.0 : sweep_block(p, i, &blocks[count]);
            if (change > most) most = change;
        }
        if (!(most > STILL * size)) break;
    }
    weigh(p, size);
}
