// linalg/row_kernels.c - rows and blocks times vectors, for each instruction set.
//
// Written once with a constant instruction set, as in block_kernels.h, and instantiated at the end.
// A product C_i v is summed in eight lanes over the nodes of the row and then folded in halves;
// plain C does it in the same order.
#include "linalg/row_kernels.h"

#include "linalg/block_kernels.h"

// v += sum over the rows of a group of y_i times gradient i, at one node; `step` doubles from one
// row to the next
KERNEL void scatter_node(const double* gradient, int step, int count, const double* y, double* v,
                         block_isa isa)
{
    if (isa == BLOCK_AVX512) {
        v8 sum = *(const v8*)v;
        for (int i = 0; i < count; i++) sum += *(const v8*)(gradient + step * i) * y[i];
        *(v8*)v = sum;
    } else if (isa == BLOCK_AVX2) {
        v4 low = *(const v4*)v;
        v4 high = *(const v4*)(v + 4);
        for (int i = 0; i < count; i++) {
            low += *(const v4*)(gradient + step * i) * y[i];
            high += *(const v4*)(gradient + step * i + 4) * y[i];
        }
        *(v4*)v = low;
        *(v4*)(v + 4) = high;
    } else {
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < BLOCK_SIX_STRIDE; j++) v[j] += gradient[step * i + j] * y[i];
        }
    }
}

KERNEL void scatter_group(const row_set* s, const row_group* g, const double* y, double* v,
                          block_isa isa)
{
    const double* gradient = s->gradient + BLOCK_SIX_STRIDE * (size_t)g->entry;
    const int step = BLOCK_SIX_STRIDE * g->node_count;

    for (int a = 0; a < g->node_count; a++) {
        scatter_node(gradient + BLOCK_SIX_STRIDE * a, step, g->row_count, y + g->row,
                     v + s->at[g->entry + a], isa);
    }
}

// One row times a vector.
KERNEL double row_product(const double* gradient, const int* at, int nodes, const double* v,
                          block_isa isa)
{
    if (isa == BLOCK_PLAIN) {
        double sum[BLOCK_SIX_STRIDE] = {0.0};
        for (int a = 0; a < nodes; a++, gradient += BLOCK_SIX_STRIDE) {
            for (int j = 0; j < BLOCK_SIX_STRIDE; j++) sum[j] += gradient[j] * v[at[a] + j];
        }
        for (int j = 0; j < 4; j++) sum[j] += sum[j + 4];
        return (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
    v4 low = {0.0};
    v4 high = {0.0};
    for (int a = 0; a < nodes; a++, gradient += BLOCK_SIX_STRIDE) {
        low += *(const v4*)gradient * *(const v4*)(v + at[a]);
        high += *(const v4*)(gradient + 4) * *(const v4*)(v + at[a] + 4);
    }
    low += high;
    return (low[0] + low[2]) + (low[1] + low[3]);
}

KERNEL void gather_group(const row_set* s, const row_group* g, const double* v, double* products,
                         block_isa isa)
{
    const double* gradient = s->gradient + BLOCK_SIX_STRIDE * (size_t)g->entry;
    const int* at = s->at + g->entry;

    for (int i = 0; i < g->row_count; i++) {
        products[g->row + i] = row_product(gradient, at, g->node_count, v, isa);
        gradient += BLOCK_SIX_STRIDE * g->node_count;
    }
}

KERNEL void scatter_all(const row_set* s, const double* y, double* v, block_isa isa)
{
    for (int n = 0; n < s->group_count; n++) scatter_group(s, &s->group[n], y, v, isa);
}

KERNEL void gather_all(const row_set* s, const double* v, double* products, block_isa isa)
{
    for (int n = 0; n < s->group_count; n++) gather_group(s, &s->group[n], v, products, isa);
}

KERNEL void pass_all(const row_set* s, const row_pass* p, block_isa isa)
{
    for (int n = 0; n < s->group_count; n++) {
        const row_group* g = &s->group[n];
        gather_group(s, g, p->dx, p->change, isa);
        for (int i = g->row; i < g->row + g->row_count; i++) {
            const double reach = p->change[i];
            const double step = p->weight[i] * (p->rest[i] - reach);
            p->step[i] = step;
            p->l[i] += step;
            p->rest[i] = p->delta[i] * step;
            p->change[i] = reach + p->compliance[i] * step;
            p->pull[i] = p->weight[i] * p->rest[i];
        }
        scatter_group(s, g, p->step, p->force, isa);
        scatter_group(s, g, p->pull, p->next, isa);
    }
}

KERNEL void subtract_all(const block_product* product, int count, const double* x, double* y,
                         block_isa isa)
{
    const shape six = {
        .rows = BLOCK_SIX, .stride = BLOCK_SIX_STRIDE, .inner = BLOCK_SIX, .cols = 1, .z_inner = 1};

    for (int n = 0; n < count; n++) {
        product_tiled(y + product[n].to, product[n].block, x + product[n].from, six, isa, 1);
    }
}

static void scatter_plain(const row_set* s, const double* y, double* v)
{
    scatter_all(s, y, v, BLOCK_PLAIN);
}

static void gather_plain(const row_set* s, const double* v, double* products)
{
    gather_all(s, v, products, BLOCK_PLAIN);
}

static void pass_plain(const row_set* s, const row_pass* p) { pass_all(s, p, BLOCK_PLAIN); }

static void subtract_plain(const block_product* product, int count, const double* x, double* y)
{
    subtract_all(product, count, x, y, BLOCK_PLAIN);
}

#if defined(__x86_64__)

FOR_AVX2 static void scatter_avx2(const row_set* s, const double* y, double* v)
{
    scatter_all(s, y, v, BLOCK_AVX2);
}

FOR_AVX2 static void gather_avx2(const row_set* s, const double* v, double* products)
{
    gather_all(s, v, products, BLOCK_AVX2);
}

FOR_AVX2 static void pass_avx2(const row_set* s, const row_pass* p) { pass_all(s, p, BLOCK_AVX2); }

FOR_AVX2 static void subtract_avx2(const block_product* product, int count, const double* x,
                                   double* y)
{
    subtract_all(product, count, x, y, BLOCK_AVX2);
}

FOR_AVX512 static void scatter_avx512(const row_set* s, const double* y, double* v)
{
    scatter_all(s, y, v, BLOCK_AVX512);
}

FOR_AVX512 static void pass_avx512(const row_set* s, const row_pass* p)
{
    pass_all(s, p, BLOCK_AVX512);
}

FOR_AVX512 static void subtract_avx512(const block_product* product, int count, const double* x,
                                       double* y)
{
    subtract_all(product, count, x, y, BLOCK_AVX512);
}

#endif

const row_kernels* tml__row_kernels(block_isa isa)
{
    static const row_kernels plain = {scatter_plain, gather_plain, pass_plain, subtract_plain};
#if defined(__x86_64__)
    static const row_kernels avx2 = {scatter_avx2, gather_avx2, pass_avx2, subtract_avx2};
    static const row_kernels avx512 = {scatter_avx512, gather_avx2, pass_avx512, subtract_avx512};

    // what blocks can be had for, rows can
    if (tml__block_kernels(isa) == NULL) return NULL;
    if (isa == BLOCK_AVX2) return &avx2;
    if (isa == BLOCK_AVX512) return &avx512;
#endif
    return isa == BLOCK_PLAIN ? &plain : NULL;
}
