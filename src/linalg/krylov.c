// linalg/krylov.c - BiCGSTAB with an incomplete LU of 3 x 3 blocks.
//
//   A     rows of blocks, columns ascending
//   LU    the same pattern: L below the diagonal (units on it), U above, inverses of U's diagonal on it
//
// All sums run in the order of the nodes, by one thread: the same bits everywhere.
#include "linalg/krylov.h"

#include "base/request.h"
#include "math/scalar.h"

#include <math.h>
#include <string.h>

enum {
    NODE = 3,
    SIZE = 9,
    VECTORS = 8,
    REQUESTS = 6,
    RESTARTS = 6,
};

struct krylov {
    tml_allocator allocator;
    int node_count;
    int block_count;
    int* start;     // per node and one more: the blocks of its row
    int* column;    // per block, ascending in a row
    int* diagonal;  // per node: its own block
    double* value;  // SIZE per block, by columns
    double* factor;
    double* vector[VECTORS];  // one array, in pieces
};

static size_t length_of(const krylov* k) { return NODE * (size_t)k->node_count; }

// ---- creation

static void sort(int* list, int count)
{
    for (int i = 1; i < count; i++) {
        const int one = list[i];
        int at = i;
        for (; at > 0 && list[at - 1] > one; at--) list[at] = list[at - 1];
        list[at] = one;
    }
}

// Columns of each row, sorted, once each; their number.
static int gather_rows(krylov* k, const block_pattern* p)
{
    int* start = k->start;
    memset(start, 0, ((size_t)k->node_count + 1) * sizeof *start);
    for (int i = 0; i < 2 * p->pair_count; i++) start[p->pair_node[i] + 1]++;
    for (int n = 0; n < k->node_count; n++) start[n + 1] += start[n] + 1;
    for (int n = 0; n < k->node_count; n++) {
        k->diagonal[n] = start[n];  // where the next one goes
        k->column[k->diagonal[n]++] = n;
    }
    for (int i = 0; i < 2 * p->pair_count; i++) {
        k->column[k->diagonal[p->pair_node[i]]++] = p->pair_node[i ^ 1];
    }
    int kept = 0;
    int from = 0;
    for (int n = 0; n < k->node_count; n++) {
        const int count = start[n + 1] - from;
        sort(k->column + from, count);
        const int first = kept;
        for (int i = from; i < from + count; i++) {
            if (kept > first && k->column[kept - 1] == k->column[i]) continue;
            if (k->column[i] == n) k->diagonal[n] = kept;
            k->column[kept++] = k->column[i];
        }
        from += count;
        start[n] = first;
    }
    start[k->node_count] = kept;
    return kept;
}

static int list_all(krylov* k, size_t nodes, size_t blocks, request list[REQUESTS])
{
    const request all[] = {
        {&k->start, nodes + 1, sizeof(int)},
        {&k->column, blocks, sizeof(int)},
        {&k->diagonal, nodes, sizeof(int)},
        {&k->value, SIZE * blocks, sizeof(double)},
        {&k->factor, SIZE * blocks, sizeof(double)},
        {&k->vector[0], VECTORS * NODE * nodes, sizeof(double)},
    };
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

tml_status tml__krylov_create(const block_pattern* pattern, const tml_allocator* allocator,
                              message* why, krylov** out)
{
    *out = NULL;
    krylov* k = tml__allocate(allocator, 1, sizeof *k);
    if (k == NULL) return tml__fail(why, TML_NO_MEMORY, "out of memory");
    k->allocator = *allocator;
    k->node_count = pattern->node_count;
    const size_t nodes = (size_t)pattern->node_count;
    const size_t blocks = nodes + 2 * (size_t)pattern->pair_count;
    request list[REQUESTS];
    const int count = list_all(k, nodes, blocks, list);
    if (tml__take_all(allocator, list, count) != TML_OK) {
        tml__krylov_destroy(k);
        return tml__fail(why, TML_NO_MEMORY, "no memory for a matrix of %d nodes",
                         pattern->node_count);
    }
    for (int v = 1; v < VECTORS; v++) k->vector[v] = k->vector[v - 1] + NODE * nodes;
    k->block_count = gather_rows(k, pattern);
    *out = k;
    return TML_OK;
}

void tml__krylov_destroy(krylov* k)
{
    if (k == NULL) return;
    const tml_allocator allocator = k->allocator;
    request list[REQUESTS];
    tml__release_all(&allocator, list, list_all(k, 0, 0, list));
    tml__release(&allocator, k);
}

void tml__krylov_clear(krylov* k)
{
    memset(k->value, 0, SIZE * (size_t)k->block_count * sizeof(double));
}

// The block of a row and a column, or -1.
static int find(const krylov* k, int row, int column)
{
    int low = k->start[row];
    int high = k->start[row + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (k->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->start[row + 1] && k->column[low] == column ? low : -1;
}

double* tml__krylov_at(krylov* k, int a, int c)
{
    const int at = find(k, a, c);
    return at >= 0 ? k->value + SIZE * (size_t)at : NULL;
}

long long tml__krylov_blocks(const krylov* k) { return k->block_count; }

// ---- 3 x 3 blocks, by columns

// c -= a b
static void subtract_block(const double* a, const double* b, double* c)
{
    for (int j = 0; j < NODE; j++) {
        for (int i = 0; i < NODE; i++) {
            c[3 * j + i] = ((c[3 * j + i] - a[i] * b[3 * j]) - a[3 + i] * b[3 * j + 1]) -
                           a[6 + i] * b[3 * j + 2];
        }
    }
}

// a <- a b
static void times_block(double* a, const double* b)
{
    double out[SIZE];
    for (int j = 0; j < NODE; j++) {
        for (int i = 0; i < NODE; i++) {
            out[3 * j + i] = (a[i] * b[3 * j] + a[3 + i] * b[3 * j + 1]) + a[6 + i] * b[3 * j + 2];
        }
    }
    memcpy(a, out, sizeof out);
}

// In place, by cofactors; false where there is none.
static bool invert(double* d)
{
    const double* p = d;
    const double* q = d + 3;
    const double* r = d + 6;
    const double c0 = q[1] * r[2] - q[2] * r[1];
    const double c1 = q[2] * r[0] - q[0] * r[2];
    const double c2 = q[0] * r[1] - q[1] * r[0];
    const double by = 1.0 / ((p[0] * c0 + p[1] * c1) + p[2] * c2);
    const double all[SIZE] = {
        c0 * by, (p[2] * r[1] - p[1] * r[2]) * by, (p[1] * q[2] - p[2] * q[1]) * by,
        c1 * by, (p[0] * r[2] - p[2] * r[0]) * by, (p[2] * q[0] - p[0] * q[2]) * by,
        c2 * by, (p[1] * r[0] - p[0] * r[1]) * by, (p[0] * q[1] - p[1] * q[0]) * by,
    };
    memcpy(d, all, sizeof all);
    return isfinite(by) != 0;
}

// y -= a x
static void subtract_product(const double* a, const double* x, double* y)
{
    for (int i = 0; i < NODE; i++) {
        y[i] = ((y[i] - a[i] * x[0]) - a[3 + i] * x[1]) - a[6 + i] * x[2];
    }
}

// ---- the incomplete factor

// Row by row: what elimination leaves outside of the pattern is dropped.
tml_status tml__krylov_prepare(krylov* k, int* bad_node)
{
    memcpy(k->factor, k->value, SIZE * (size_t)k->block_count * sizeof(double));
    for (int i = 0; i < k->node_count; i++) {
        for (int at = k->start[i]; at < k->diagonal[i]; at++) {
            const int above = k->column[at];
            double* L = k->factor + SIZE * (size_t)at;
            times_block(L, k->factor + SIZE * (size_t)k->diagonal[above]);
            int to = at + 1;
            for (int u = k->diagonal[above] + 1; u < k->start[above + 1]; u++) {
                while (to < k->start[i + 1] && k->column[to] < k->column[u]) to++;
                if (to == k->start[i + 1]) break;
                if (k->column[to] != k->column[u]) continue;
                subtract_block(L, k->factor + SIZE * (size_t)u, k->factor + SIZE * (size_t)to);
            }
        }
        double* own = k->factor + SIZE * (size_t)k->diagonal[i];
        if (invert(own)) continue;
        // what was dropped may have cost the pivot: the block before elimination serves as well
        memcpy(own, k->value + SIZE * (size_t)k->diagonal[i], SIZE * sizeof(double));
        if (invert(own)) continue;
        if (bad_node != NULL) *bad_node = i;
        return TML_SINGULAR;
    }
    if (bad_node != NULL) *bad_node = -1;
    return TML_OK;
}

// out = (LU)^-1 x
static void precondition(const krylov* k, const double* x, double* out)
{
    memcpy(out, x, length_of(k) * sizeof(double));
    for (int i = 0; i < k->node_count; i++) {
        double* y = out + NODE * (size_t)i;
        for (int at = k->start[i]; at < k->diagonal[i]; at++) {
            subtract_product(k->factor + SIZE * (size_t)at, out + NODE * (size_t)k->column[at], y);
        }
    }
    for (int i = k->node_count - 1; i >= 0; i--) {
        double* y = out + NODE * (size_t)i;
        const double* by = k->factor + SIZE * (size_t)k->diagonal[i];
        for (int at = k->diagonal[i] + 1; at < k->start[i + 1]; at++) {
            subtract_product(k->factor + SIZE * (size_t)at, out + NODE * (size_t)k->column[at], y);
        }
        const double own[NODE] = {y[0], y[1], y[2]};
        for (int r = 0; r < NODE; r++) {
            y[r] = (by[r] * own[0] + by[3 + r] * own[1]) + by[6 + r] * own[2];
        }
    }
}

// out = b - A x; b NULL: zero
static void subtract_all(const krylov* k, const double* b, const double* x, double* out)
{
    for (int i = 0; i < k->node_count; i++) {
        double y[NODE] = {0.0, 0.0, 0.0};
        if (b != NULL) memcpy(y, b + NODE * (size_t)i, sizeof y);
        for (int at = k->start[i]; at < k->start[i + 1]; at++) {
            subtract_product(k->value + SIZE * (size_t)at, x + NODE * (size_t)k->column[at], y);
        }
        memcpy(out + NODE * (size_t)i, y, sizeof y);
    }
}

static double dot(const krylov* k, const double* a, const double* b)
{
    double sum = 0.0;
    for (size_t i = 0; i < length_of(k); i++) sum += a[i] * b[i];
    return sum;
}

static double norm(const krylov* k, const double* a) { return sqrt(dot(k, a, a)); }

// ---- BiCGSTAB

typedef struct search {
    double *b, *x, *r, *shadow, *p, *v, *s, *t;
} search;

// A rest so many times the right-hand side does not come back: the matrix is singular, or next to it.
static const double lost = 1e8;

// From x, whose rest is r, until `aim` is left of it: p and s are searched along, preconditioned into t
// and taken back there. How many iterations; less than `most` where it has arrived, got stuck or is beyond
// `bound`.
static int iterate(krylov* k, search* w, double aim, double bound, int most)
{
    const size_t n = length_of(k);
    double rho = 1.0;
    double alpha = 1.0;
    double omega = 1.0;
    memcpy(w->shadow, w->r, n * sizeof(double));
    memset(w->p, 0, n * sizeof(double));
    memset(w->v, 0, n * sizeof(double));
    for (int step = 0; step < most; step++) {
        const double next = dot(k, w->shadow, w->r);
        const double beta = next / rho * (alpha / omega);
        if (!isfinite(beta) || !(fabs(next) > 0.0)) return step;
        for (size_t i = 0; i < n; i++) w->p[i] = w->r[i] + beta * (w->p[i] - omega * w->v[i]);
        precondition(k, w->p, w->s);
        subtract_all(k, NULL, w->s, w->v);  // minus A s
        for (size_t i = 0; i < n; i++) w->v[i] = -w->v[i];
        alpha = next / dot(k, w->shadow, w->v);
        if (!isfinite(alpha)) return step;
        for (size_t i = 0; i < n; i++) {
            w->x[i] += alpha * w->s[i];
            w->r[i] -= alpha * w->v[i];
        }
        if (!(norm(k, w->r) > aim)) return step + 1;
        precondition(k, w->r, w->s);
        subtract_all(k, NULL, w->s, w->t);
        omega = -dot(k, w->t, w->r) / dot(k, w->t, w->t);
        if (!isfinite(omega)) return step + 1;
        for (size_t i = 0; i < n; i++) {
            w->x[i] += omega * w->s[i];
            w->r[i] += omega * w->t[i];
        }
        rho = next;
        const double left = norm(k, w->r);
        if (!(left > aim && left < bound) || !(fabs(omega) > 0.0)) return step + 1;
    }
    return most;
}

tml_status tml__krylov_solve(krylov* k, double tolerance, int most, double* x,
                             krylov_report* report)
{
    const size_t n = length_of(k);
    search w = {k->vector[0], x,           k->vector[1], k->vector[2], k->vector[3], k->vector[4],
                k->vector[5], k->vector[6]};
    *report = (krylov_report){0};
    memcpy(w.b, x, n * sizeof(double));
    memcpy(w.r, x, n * sizeof(double));
    memset(x, 0, n * sizeof(double));
    const double size = norm(k, w.b);
    if (!isfinite(size)) return TML_NOT_CONVERGED;
    if (!(size > 0.0)) return TML_OK;
    // the rest that is carried along departs from the true one by rounding: start again from that
    for (int start = 0; start < RESTARTS; start++) {
        report->iterations +=
            iterate(k, &w, tolerance * size, lost * size, most - report->iterations);
        subtract_all(k, w.b, x, w.r);
        report->rest = norm(k, w.r) / size;
        if (report->rest <= tolerance) return TML_OK;
        if (report->iterations >= most || !(report->rest < lost)) break;
    }
    return TML_NOT_CONVERGED;
}
