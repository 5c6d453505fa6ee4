// solve/basis.c - Gram-Schmidt with a second pass, and inverse iteration on the triangle it leaves.
//
// Rows of couplings touch two of thousands of numbers: the first pass goes over the numbers that a row has,
// and the second is made only where the first took away more than half of the row, which is when rounding
// shows. What is left otherwise is square to the basis to a few roundings already.
#include "solve/basis.h"

#include <math.h>
#include <string.h>

tml_status tml__basis_create(pool* memory, int width, int capacity, row_basis* out)
{
    *out = (row_basis){.width = width, .capacity = capacity, .kept = 1.0};
    out->q = tml__pool_take(memory, (size_t)width * (size_t)capacity, sizeof(double));
    out->L = tml__pool_take(memory, (size_t)capacity * (size_t)capacity, sizeof(double));
    out->place = tml__pool_take(memory, (size_t)width, sizeof(int));
    out->value = tml__pool_take(memory, (size_t)width, sizeof(double));
    const bool is_there = out->q != NULL && out->L != NULL && out->place != NULL;
    return is_there && out->value != NULL ? TML_OK : TML_NO_MEMORY;
}

static double norm(const double* a, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static double dot_of(const double* a, const double* b, int n)
{
    double sum[4] = {0.0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    }
    for (; i < n; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The numbers that a row has, as places and values; at most half of the width, else -1.
static int gather(const row_basis* b, const double* row)
{
    int count = 0;
    for (int i = 0; i < b->width; i++) {
        const bool is_zero = row[i] >= 0.0 && row[i] <= 0.0;
        if (is_zero) continue;
        if (2 * count >= b->width) return -1;
        b->place[count] = i;
        b->value[count++] = row[i];
    }
    return count;
}

// Take the parts of a row along the basis out of `left`, which is the row to begin with.
static void take_parts(const row_basis* b, const double* row, double* left, double* part)
{
    const int count = gather(b, row);
    for (int k = 0; k < b->rank; k++) {
        const double* q = &b->q[(size_t)k * (size_t)b->width];
        double dot = 0.0;
        for (int i = 0; i < count; i++) dot += q[b->place[i]] * b->value[i];
        if (count < 0) dot = dot_of(q, left, b->width);
        const bool is_zero = dot >= 0.0 && dot <= 0.0;
        if (is_zero) continue;
        for (int i = 0; i < b->width; i++) left[i] -= dot * q[i];
        part[k] += dot;
    }
}

// The same for what rounding left of the first pass.
static void take_rest(const row_basis* b, double* left, double* part)
{
    for (int k = 0; k < b->rank; k++) {
        const double* q = &b->q[(size_t)k * (size_t)b->width];
        const double dot = dot_of(q, left, b->width);
        for (int i = 0; i < b->width; i++) left[i] -= dot * q[i];
        part[k] += dot;
    }
}

// w L = part: weights of the kept rows themselves, last first.
static void weights(const row_basis* b, const double* part, double* weight)
{
    for (int k = b->rank - 1; k >= 0; k--) {
        double sum = part[k];
        for (int i = k + 1; i < b->rank; i++) {
            sum -= weight[i] * b->L[(size_t)i * (size_t)b->capacity + (size_t)k];
        }
        weight[k] = sum / b->L[(size_t)k * (size_t)b->capacity + (size_t)k];
    }
}

bool tml__basis_add(row_basis* b, const double* row, double tolerance, double* weight,
                    double* scratch)
{
    double* left = scratch;
    double* part = scratch + b->width;
    const double size = norm(row, b->width);

    memcpy(left, row, (size_t)b->width * sizeof(double));
    memset(part, 0, (size_t)b->capacity * sizeof(double));
    take_parts(b, row, left, part);
    double rest = norm(left, b->width);
    if (!(rest > 0.5 * size)) {
        take_rest(b, left, part);
        rest = norm(left, b->width);
    }
    // rows come scaled to order one; a row of mere rounding must not count as large beside itself
    const double share = rest / (size > 1.0 ? size : 1.0);
    if (b->rank == b->capacity || !(share > tolerance)) {
        weights(b, part, weight);
        if (share > b->dropped) b->dropped = share;
        return false;
    }
    double* q = &b->q[(size_t)b->rank * (size_t)b->width];
    double* L = &b->L[(size_t)b->rank * (size_t)b->capacity];
    for (int i = 0; i < b->width; i++) q[i] = left[i] / rest;
    memcpy(L, part, (size_t)b->rank * sizeof(double));
    L[b->rank++] = rest;
    if (share < b->kept) b->kept = share;
    return true;
}

double tml__basis_smallest(const row_basis* b, double* motion, double* scratch)
{
    const int n = b->rank;
    const size_t ld = (size_t)b->capacity;
    double* x = scratch;
    double* y = scratch + n;
    double value = 0.0;

    memset(motion, 0, (size_t)b->width * sizeof(double));
    if (n == 0) return 0.0;
    for (int i = 0; i < n; i++) x[i] = 1.0 + 0.01 * (double)(i % 17);  // no direction is special
    // inverse iteration on L^T L: solve L^T y = x, then L z = y
    for (int pass = 0; pass < 50; pass++) {
        const double length = norm(x, n);
        for (int i = 0; i < n; i++) x[i] /= length;
        for (int k = n - 1; k >= 0; k--) {
            double sum = x[k];
            for (int i = k + 1; i < n; i++) sum -= b->L[(size_t)i * ld + (size_t)k] * y[i];
            y[k] = sum / b->L[(size_t)k * ld + (size_t)k];
        }
        const double last = value;
        value = 1.0 / norm(y, n);
        for (int k = 0; k < n; k++) {
            double sum = y[k];
            for (int i = 0; i < k; i++) sum -= b->L[(size_t)k * ld + (size_t)i] * x[i];
            x[k] = sum / b->L[(size_t)k * ld + (size_t)k];
        }
        if (fabs(value - last) <= 1e-6 * value) break;
    }
    const double length = norm(x, n);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < b->width; i++) {
            motion[i] += x[k] / length * b->q[(size_t)k * (size_t)b->width + (size_t)i];
        }
    }
    return value;
}
