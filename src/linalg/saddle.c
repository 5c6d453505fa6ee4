// linalg/saddle.c - entries and scaling of the saddle matrix.
//
// The slots come in one fixed order: node blocks, pairs, C, -C^T, E.
#include "linalg/saddle.h"

#include <limits.h>
#include <math.h>

// Below this part of the largest K a node counts as massless and is scaled no further: otherwise
// its rows would seem to act on it alone.
static const double massless = 1e-12;

static void put_block(saddle* s, int* slot, int row, int column)
{
    for (int i = 0; i < KKT_BLOCK; i++) {
        s->row[*slot] = KKT_WIDTH * row + i / KKT_WIDTH;
        s->column[*slot] = KKT_WIDTH * column + i % KKT_WIDTH;
        (*slot)++;
    }
}

// The entries of C, or those of C^T.
static void put_rows(saddle* s, const kkt* k, int* slot, kkt_side side)
{
    for (int i = 0; i < k->row_count; i++) {
        const int multiplier = KKT_WIDTH * k->node_count + i;
        for (int e = KKT_WIDTH * k->row_start[i]; e < KKT_WIDTH * k->row_start[i + 1]; e++) {
            const int unknown = KKT_WIDTH * k->row_node[e / KKT_WIDTH] + e % KKT_WIDTH;
            s->row[*slot] = side == KKT_PLAIN ? multiplier : unknown;
            s->column[*slot] = side == KKT_PLAIN ? unknown : multiplier;
            (*slot)++;
        }
    }
}

static void put_slots(saddle* s, const kkt* k)
{
    int slot = 0;

    for (int a = 0; a < k->node_count; a++) put_block(s, &slot, a, a);
    for (int p = 0; p < k->pair_count; p++) {
        put_block(s, &slot, k->pair_node[2 * p], k->pair_node[2 * p + 1]);
        put_block(s, &slot, k->pair_node[2 * p + 1], k->pair_node[2 * p]);
    }
    put_rows(s, k, &slot, KKT_PLAIN);
    put_rows(s, k, &slot, KKT_TRANSPOSED);
    for (int i = 0; i < k->row_count; i++) {
        s->row[slot] = KKT_WIDTH * k->node_count + i;
        s->column[slot++] = KKT_WIDTH * k->node_count + i;
    }
}

tml_status tml__saddle_create(saddle* s, const kkt* k, message* why)
{
    const long long size = (long long)KKT_WIDTH * k->node_count + k->row_count;
    const long long slots = (long long)KKT_BLOCK * (k->node_count + 2LL * k->pair_count) +
                            2LL * KKT_WIDTH * k->entry_count + k->row_count;
    if (size > INT_MAX || slots > INT_MAX) {
        return tml__fail(why, TML_UNSUPPORTED,
                         "%lld entries are too many for a factorisation of the whole matrix",
                         slots);
    }

    *s = (saddle){.size = (int)size, .slot_count = (int)slots};
    s->row = tml__allocate(&k->allocator, (size_t)slots, sizeof(int));
    s->column = tml__allocate(&k->allocator, (size_t)slots, sizeof(int));
    s->scale = tml__allocate(&k->allocator, (size_t)size, sizeof(double));
    s->b = tml__allocate(&k->allocator, (size_t)size, sizeof(double));
    s->x = tml__allocate(&k->allocator, (size_t)size, sizeof(double));
    s->residual = tml__allocate(&k->allocator, (size_t)size, sizeof(double));
    if (!s->row || !s->column || !s->scale || !s->b || !s->x || !s->residual) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %lld entries of the matrix", slots);
    }
    put_slots(s, k);
    return TML_OK;
}

void tml__saddle_destroy(saddle* s, const tml_allocator* allocator)
{
    tml__release(allocator, s->row);
    tml__release(allocator, s->column);
    tml__release(allocator, s->scale);
    tml__release(allocator, s->b);
    tml__release(allocator, s->x);
    tml__release(allocator, s->residual);
    *s = (saddle){0};
}

static double larger(double a, double b) { return a > b ? a : b; }

double tml__kkt_inverse_root(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return ldexp(1.0, -(exponent / 2));
}

double tml__kkt_inverse(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return ldexp(1.0, -exponent);
}

// Plain values of all slots, in their order.
static void copy_values(const kkt* k, double* value)
{
    const size_t nodes = (size_t)KKT_BLOCK * (size_t)k->node_count;
    const size_t pairs = (size_t)(2 * KKT_BLOCK) * (size_t)k->pair_count;
    const size_t entries = (size_t)KKT_WIDTH * (size_t)k->entry_count;

    for (size_t i = 0; i < nodes; i++) *value++ = k->values.node[i];
    for (size_t i = 0; i < pairs; i++) *value++ = k->values.pair[i];
    for (size_t i = 0; i < entries; i++) *value++ = k->values.row[i];
    const double* push = tml__kkt_push(k);
    for (size_t i = 0; i < entries; i++) *value++ = -push[i];
    for (int i = 0; i < k->row_count; i++) *value++ = k->values.compliance[i];
}

// s_i = 1 / sqrt(largest entry of K in row or column i).
static void scale_nodes(saddle* s, int node_unknowns, const double* value, int slots_of_k)
{
    double largest = 0.0;

    for (int i = 0; i < node_unknowns; i++) s->scale[i] = 0.0;
    for (int j = 0; j < slots_of_k; j++) {
        const double size = fabs(value[j]);
        s->scale[s->row[j]] = larger(s->scale[s->row[j]], size);
        s->scale[s->column[j]] = larger(s->scale[s->column[j]], size);
        largest = larger(largest, size);
    }
    const double floor = larger(massless * largest, 1e-200);  // all of K is zero: any scale will do
    for (int i = 0; i < node_unknowns; i++) {
        s->scale[i] = largest > 0.0 ? tml__kkt_inverse_root(larger(s->scale[i], floor)) : 1.0;
    }
}

// s_i = 1 / largest entry of row i of C S, or of sqrt(E) where that is larger.
static void scale_rows(saddle* s, const kkt* k)
{
    for (int i = 0; i < k->row_count; i++) {
        double size = sqrt(fabs(k->values.compliance[i]));
        for (int e = KKT_WIDTH * k->row_start[i]; e < KKT_WIDTH * k->row_start[i + 1]; e++) {
            const int unknown = KKT_WIDTH * k->row_node[e / KKT_WIDTH] + e % KKT_WIDTH;
            size = larger(size, s->scale[unknown] * fabs(k->values.row[e]));
        }
        s->scale[KKT_WIDTH * k->node_count + i] = size > 1e-200 ? tml__kkt_inverse(size) : 1.0;
    }
}

void tml__saddle_values(saddle* s, const kkt* k, double* value)
{
    copy_values(k, value);
    scale_nodes(s, KKT_WIDTH * k->node_count, value,
                KKT_BLOCK * (k->node_count + 2 * k->pair_count));
    scale_rows(s, k);
    for (int j = 0; j < s->slot_count; j++) {
        value[j] *= s->scale[s->row[j]] * s->scale[s->column[j]];
    }
}

void tml__saddle_load(saddle* s, const kkt* k, const double* r, const double* c)
{
    const int unknowns = KKT_WIDTH * k->node_count;

    for (int i = 0; i < unknowns; i++) s->b[i] = s->scale[i] * r[i];
    for (int i = 0; i < k->row_count; i++) s->b[unknowns + i] = s->scale[unknowns + i] * c[i];
}

bool tml__saddle_store(const saddle* s, const kkt* k, double* dx, double* dl)
{
    const int unknowns = KKT_WIDTH * k->node_count;
    bool is_finite = true;

    for (int i = 0; i < s->size; i++) {
        const double value = s->scale[i] * s->x[i];
        if (!isfinite(value)) is_finite = false;
        if (i < unknowns)
            dx[i] = value;
        else
            dl[i - unknowns] = value;
    }
    return is_finite;
}
