// linalg/row_kernels.c - rows and blocks times vectors, for each instruction set.
//
// Written once with a constant instruction set, as in block_kernels.h, and instantiated at the end.
// A product C_i v is summed in eight lanes over the nodes of the row and then folded in halves; four rows
// fold together, where there are four. Plain C does it in the same order.
#include "linalg/row_kernels.h"

#include "linalg/block_kernels.h"

// Four doubles at any address: rows do not come in fours.
typedef double v4u __attribute__((vector_size(32), aligned(8), may_alias));

// Of the gradients, those of the group after group n.
KERNEL void fetch_group(const row_set* s, const double* gradient, int n)
{
    if (!s->is_long || n + FAR_AHEAD >= s->group_count) return;
    const row_group* g = &s->group[n + FAR_AHEAD];
    fetch(gradient + BLOCK_SIX_STRIDE * (size_t)g->entry,
          BLOCK_SIX_STRIDE * g->row_count * g->node_count);
}

// v += sum over the rows of a group of y_i times gradient i, at one node; `step` doubles from one
// row to the next
KERNEL void scatter_node(const double* gradient, int step, int count, const double* y, double* v,
                         block_isa isa)
{
    if (isa == BLOCK_AVX512) {
        v8 sum = *(const v8*)v;
#pragma GCC unroll 6
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

// The lanes of one row over its nodes, folded once.
KERNEL void row_lanes(const double* gradient, const int* at, int nodes, const double* v,
                      block_isa isa, v4* out)
{
    if (isa == BLOCK_AVX512) {
        v8 sum = {0.0};
        for (int a = 0; a < nodes; a++, gradient += BLOCK_SIX_STRIDE) {
            sum += *(const v8*)gradient * *(const v8*)(v + at[a]);
        }
        *out = __builtin_shufflevector(sum, sum, 0, 1, 2, 3) +
               __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
        return;
    }
    v4 low = {0.0};
    v4 high = {0.0};
    for (int a = 0; a < nodes; a++, gradient += BLOCK_SIX_STRIDE) {
        low += *(const v4*)gradient * *(const v4*)(v + at[a]);
        high += *(const v4*)(gradient + 4) * *(const v4*)(v + at[a] + 4);
    }
    *out = low + high;
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
    v4 lane;
    row_lanes(gradient, at, nodes, v, isa, &lane);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

// Four rows times a vector, `step` doubles from one row to the next.
KERNEL void four_products(const double* gradient, int step, const int* at, int nodes,
                          const double* v, block_isa isa, v4* out)
{
    v4 r[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) row_lanes(gradient + step * i, at, nodes, v, isa, &r[i]);
    fold_four(r, out);
}

KERNEL void gather_group(const row_set* s, const row_group* g, const double* v, double* products,
                         block_isa isa)
{
    const double* gradient = s->gradient + BLOCK_SIX_STRIDE * (size_t)g->entry;
    const int* at = s->at + g->entry;
    const int step = BLOCK_SIX_STRIDE * g->node_count;
    int i = 0;
    v4 sums;

    for (; isa != BLOCK_PLAIN && i + 4 <= g->row_count; i += 4) {
        four_products(gradient + step * i, step, at, g->node_count, v, isa, &sums);
        *(v4u*)(products + g->row + i) = sums;
    }
    // the last four once more, where that leaves no row to be taken alone
    if (i > 0 && i < g->row_count) {
        i = g->row_count - 4;
        four_products(gradient + step * i, step, at, g->node_count, v, isa, &sums);
        *(v4u*)(products + g->row + i) = sums;
        return;
    }
    for (; i < g->row_count; i++) {
        products[g->row + i] = row_product(gradient + step * i, at, g->node_count, v, isa);
    }
}

KERNEL void gather_all(const row_set* s, const double* v, double* products, block_isa isa)
{
    for (int n = 0; n < s->group_count; n++) {
        fetch_group(s, s->gradient, n);
        gather_group(s, &s->group[n], v, products, isa);
    }
}

// What a pass makes of four rows, held back until it may be written.
typedef struct pass_rows4 {
    v4 step, l, rest, change, pull;
} pass_rows4;

KERNEL void open_four(const row_pass* p, int i, const v4* reach, bool is_last, pass_rows4* out)
{
    const v4 weight = *(const v4u*)(p->weight + i);
    const v4 step = weight * (*(const v4u*)(p->rest + i) - *reach);
    out->rest = *(const v4u*)(p->delta + i) * step;
    out->l = *(const v4u*)(p->l + i) + step;
    out->pull = weight * out->rest;
    out->step = step;
    if (!is_last) out->change = *reach + *(const v4u*)(p->compliance + i) * step;
}

KERNEL void close_four(const row_pass* p, int i, bool is_last, const pass_rows4* from)
{
    *(v4u*)(p->step + i) = from->step;
    *(v4u*)(p->l + i) = from->l;
    *(v4u*)(p->rest + i) = from->rest;
    *(v4u*)(p->pull + i) = from->pull;
    if (!is_last) *(v4u*)(p->change + i) = from->change;
}

// Four to eight rows that fold together: the last four overlap the first ones, which get the same bits
// twice, as nothing is written before both have been read.
KERNEL void pass_few(const row_set* s, const row_group* g, const row_pass* p, bool is_last,
                     block_isa isa)
{
    const double* gradient = s->gradient + BLOCK_SIX_STRIDE * (size_t)g->entry;
    const int* at = s->at + g->entry;
    const int step = BLOCK_SIX_STRIDE * g->node_count;
    const int last = g->row_count - 4;
    pass_rows4 low;
    pass_rows4 high;
    v4 reach;

    four_products(gradient, step, at, g->node_count, p->dx, isa, &reach);
    open_four(p, g->row, &reach, is_last, &low);
    if (last > 0) {
        four_products(gradient + step * last, step, at, g->node_count, p->dx, isa, &reach);
        open_four(p, g->row + last, &reach, is_last, &high);
    }
    close_four(p, g->row, is_last, &low);
    if (last > 0) close_four(p, g->row + last, is_last, &high);
}

// What a pass makes of the products `change` of some rows.
KERNEL void pass_rows(const row_pass* p, int first, int count, bool is_last)
{
    for (int i = first; i < first + count; i++) {
        const double reach = p->change[i];
        const double step = p->weight[i] * (p->rest[i] - reach);
        p->l[i] += step;
        p->rest[i] = p->delta[i] * step;
        p->step[i] = step;
        p->pull[i] = p->weight[i] * p->rest[i];
        if (!is_last) p->change[i] = reach + p->compliance[i] * step;
    }
}

KERNEL void pass_group(const row_set* s, const row_group* g, const row_pass* p, bool is_last,
                       block_isa isa)
{
    if (isa != BLOCK_PLAIN && g->row_count >= 4 && g->row_count <= 8) {
        pass_few(s, g, p, is_last, isa);
    } else {
        gather_group(s, g, p->dx, p->change, isa);
        pass_rows(p, g->row, g->row_count, is_last);
    }
    row_set pushing = *s;
    pushing.gradient = p->push;
    if (!is_last) scatter_group(&pushing, g, p->step, p->force, isa);
    scatter_group(&pushing, g, p->pull, p->next, isa);
}

// Joints between two moving bodies that hold five axes or all six are the rule: with constants their loops
// are short.
typedef enum usual_group {
    GROUP_OF_FIVE,
    GROUP_OF_SIX,
    GROUP_OF_TWO_NODES,
    GROUP_OTHER,
} usual_group;

KERNEL usual_group usual_kind(const row_group* g)
{
    if (g->node_count != 2) return GROUP_OTHER;
    if (g->row_count == 5) return GROUP_OF_FIVE;
    return g->row_count == 6 ? GROUP_OF_SIX : GROUP_OF_TWO_NODES;
}

KERNEL row_group usual_copy(const row_group* g, usual_group kind)
{
    row_group out = *g;
    if (kind != GROUP_OTHER) out.node_count = 2;
    if (kind == GROUP_OF_FIVE) out.row_count = 5;
    if (kind == GROUP_OF_SIX) out.row_count = 6;
    return out;
}

KERNEL void scatter_as(const row_set* s, const row_group* g, const double* y, double* v,
                       usual_group kind, block_isa isa)
{
    const row_group own = usual_copy(g, kind);
    scatter_group(s, &own, y, v, isa);
}

KERNEL void scatter_all(const row_set* s, const double* y, double* v, block_isa isa)
{
    for (int n = 0; n < s->group_count; n++) {
        const row_group* g = &s->group[n];
        fetch_group(s, s->gradient, n);
        switch (usual_kind(g)) {
        case GROUP_OF_FIVE: scatter_as(s, g, y, v, GROUP_OF_FIVE, isa); break;
        case GROUP_OF_SIX: scatter_as(s, g, y, v, GROUP_OF_SIX, isa); break;
        case GROUP_OF_TWO_NODES: scatter_as(s, g, y, v, GROUP_OF_TWO_NODES, isa); break;
        case GROUP_OTHER: scatter_as(s, g, y, v, GROUP_OTHER, isa); break;
        }
    }
}

KERNEL void pass_as(const row_set* s, const row_group* g, const row_pass* p, usual_group usual,
                    bool is_last, block_isa isa)
{
    const row_group own = usual_copy(g, usual);
    pass_group(s, &own, p, is_last, isa);
}

KERNEL void pass_each(const row_set* s, const row_pass* pass, bool is_last, block_isa isa)
{
    const row_pass own = *pass;  // nothing that is written can be one of its pointers
    const row_pass* p = &own;
    for (int n = 0; n < s->group_count; n++) {
        const row_group* g = &s->group[n];
        fetch_group(s, s->gradient, n);
        if (p->push != s->gradient) fetch_group(s, p->push, n);
        switch (usual_kind(g)) {
        case GROUP_OF_FIVE: pass_as(s, g, p, GROUP_OF_FIVE, is_last, isa); break;
        case GROUP_OF_SIX: pass_as(s, g, p, GROUP_OF_SIX, is_last, isa); break;
        case GROUP_OF_TWO_NODES: pass_as(s, g, p, GROUP_OF_TWO_NODES, is_last, isa); break;
        case GROUP_OTHER: pass_as(s, g, p, GROUP_OTHER, is_last, isa); break;
        }
    }
}

KERNEL void pass_all(const row_set* s, const row_pass* p, block_isa isa)
{
    if (p->force == NULL) {
        pass_each(s, p, true, isa);
    } else {
        pass_each(s, p, false, isa);
    }
}

// The same for some rows of a projection.
KERNEL void project_rows(const row_projection* p, int first, int count, block_isa isa)
{
    int i = first;
    for (; isa != BLOCK_PLAIN && i + 4 <= first + count; i += 4) {
        const v4 change = *(const v4u*)(p->q + i) * *(const v4u*)(p->step + i);
        *(v4u*)(p->mu + i) += change;
        *(v4u*)(p->step + i) = -change;
    }
    for (; i < first + count; i++) {
        const double change = p->q[i] * p->step[i];
        p->mu[i] += change;
        p->step[i] = -change;
    }
}

KERNEL void project_as(const row_set* s, const row_group* g, const row_projection* p,
                       usual_group kind, block_isa isa)
{
    const row_group own = usual_copy(g, kind);
    gather_group(s, &own, p->x, p->step, isa);
    project_rows(p, own.row, own.row_count, isa);
    scatter_group(s, &own, p->step, p->force, isa);
}

KERNEL void project_all(const row_set* s, const row_projection* p, block_isa isa)
{
    for (int n = 0; n < s->group_count; n++) {
        const row_group* g = &s->group[n];
        fetch_group(s, s->gradient, n);
        switch (usual_kind(g)) {
        case GROUP_OF_FIVE: project_as(s, g, p, GROUP_OF_FIVE, isa); break;
        case GROUP_OF_SIX: project_as(s, g, p, GROUP_OF_SIX, isa); break;
        case GROUP_OF_TWO_NODES: project_as(s, g, p, GROUP_OF_TWO_NODES, isa); break;
        case GROUP_OTHER: project_as(s, g, p, GROUP_OTHER, isa); break;
        }
    }
}

KERNEL void subtract_all(const block_product* product, int count, const double* x, double* y,
                         block_isa isa)
{
    const shape six = {
        .rows = BLOCK_SIX, .stride = BLOCK_SIX_STRIDE, .inner = BLOCK_SIX, .cols = 1, .z_inner = 1};

    for (int n = 0; n < count; n++) {
        if (count > BLOCK_LONG / BLOCK_SIX_SIZE && n + FAR_AHEAD < count) {
            fetch(product[n + FAR_AHEAD].block, BLOCK_SIX_SIZE);
        }
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

static void project_plain(const row_set* s, const row_projection* p)
{
    project_all(s, p, BLOCK_PLAIN);
}

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

FOR_AVX2 static void project_avx2(const row_set* s, const row_projection* p)
{
    project_all(s, p, BLOCK_AVX2);
}

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

FOR_AVX512 static void project_avx512(const row_set* s, const row_projection* p)
{
    project_all(s, p, BLOCK_AVX512);
}

FOR_AVX512 static void subtract_avx512(const block_product* product, int count, const double* x,
                                       double* y)
{
    subtract_all(product, count, x, y, BLOCK_AVX512);
}

#endif

const row_kernels* tml__row_kernels(block_isa isa)
{
    static const row_kernels plain = {scatter_plain, gather_plain, pass_plain, project_plain,
                                      subtract_plain};
#if defined(__x86_64__)
    static const row_kernels avx2 = {scatter_avx2, gather_avx2, pass_avx2, project_avx2,
                                     subtract_avx2};
    static const row_kernels avx512 = {scatter_avx512, gather_avx2, pass_avx512, project_avx512,
                                       subtract_avx512};

    // what blocks can be had for, rows can
    if (tml__block_kernels(isa) == NULL) return NULL;
    if (isa == BLOCK_AVX2) return &avx2;
    if (isa == BLOCK_AVX512) return &avx512;
#endif
    return isa == BLOCK_PLAIN ? &plain : NULL;
}
