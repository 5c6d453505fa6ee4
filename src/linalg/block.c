// linalg/block.c - block matrices: layout, addresses, and the calls of the kernels.
#include "linalg/block.h"

#include "linalg/block_internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// What a build may use at most; the machine decides below that. tools/check_determinism narrows it.
#ifndef TML_WIDEST_ISA
#define TML_WIDEST_ISA BLOCK_AVX512
#endif

// Pivots may grow this much before the factor is given up: then at most half of the digits are lost.
static const double growth_limit = 1e7;

int tml__block_stride(int width) { return (width + 3) / 4 * 4; }

static tml_status check_pattern(const block_pattern* p, message* why)
{
    if (p->node_count < 0 || p->pair_count < 0 || p->pair_count > INT_MAX / 2) {
        return tml__fail(why, TML_BAD_ARGUMENT, "a count of the pattern is out of range");
    }
    for (int i = 0; p->width != NULL && i < p->node_count; i++) {
        if (p->width[i] < 1 || p->width[i] > BLOCK_MAX_WIDTH) {
            return tml__fail(why, TML_BAD_ARGUMENT, "node %d is %d wide; 1 to %d are possible", i,
                             p->width[i], BLOCK_MAX_WIDTH);
        }
    }
    for (int i = 0; i < p->pair_count; i++) {
        const int a = p->pair_node[2 * i];
        const int c = p->pair_node[2 * i + 1];
        if (a < 0 || c < 0 || a >= p->node_count || c >= p->node_count || a == c) {
            return tml__fail(why, TML_BAD_ARGUMENT, "pair %d couples nodes %d and %d of %d", i, a,
                             c, p->node_count);
        }
    }
    return TML_OK;
}

static bool take_layout(block* b)
{
    const tml_allocator* memory = &b->allocator;
    const size_t nodes = (size_t)b->e.node_count;
    const size_t blocks = (size_t)b->e.block_count;

    b->width = tml__allocate(memory, nodes, sizeof(int));
    b->stride = tml__allocate(memory, nodes, sizeof(int));
    b->first = tml__allocate(memory, nodes + 1, sizeof(int));
    b->place = tml__allocate(memory, nodes, sizeof(int));
    b->at_diagonal = tml__allocate(memory, nodes + 1, sizeof(size_t));
    b->at_vector = tml__allocate(memory, nodes + 1, sizeof(size_t));
    b->at_lower = tml__allocate(memory, blocks + 1, sizeof(size_t));
    b->at_upper = tml__allocate(memory, blocks + 1, sizeof(size_t));
    return b->width && b->stride && b->first && b->place && b->at_diagonal && b->at_vector &&
           b->at_lower && b->at_upper;
}

// Widths, strides and offsets. False when the unknowns cannot be counted by an int.
static bool lay_out(block* b, const int* width)
{
    const elimination* e = &b->e;
    long long unknowns = 0;

    b->is_six = true;
    for (int a = 0; a < e->node_count; a++) {
        const int w = width != NULL ? width[a] : BLOCK_SIX;
        b->first[a] = (int)unknowns;
        unknowns += w;
        if (unknowns > INT_MAX) return false;
        b->width[e->position[a]] = w;
        b->stride[e->position[a]] = tml__block_stride(w);
        if (w != BLOCK_SIX) b->is_six = false;
    }
    b->first[e->node_count] = (int)unknowns;
    for (int j = 0; j < e->node_count; j++) {
        const size_t cols = (size_t)b->width[j];
        const size_t stride = (size_t)b->stride[j];
        b->at_diagonal[j + 1] = b->at_diagonal[j] + stride * cols;
        b->at_vector[j + 1] = b->at_vector[j] + stride;
        for (int t = e->column_start[j]; t < e->column_start[j + 1]; t++) {
            const int i = e->row[t];
            b->at_lower[t + 1] = b->at_lower[t] + (size_t)b->stride[i] * cols;
            b->at_upper[t + 1] = b->at_upper[t] + stride * (size_t)b->width[i];
        }
    }
    b->vector_length = b->at_vector[e->node_count];
    b->is_long = b->at_diagonal[e->node_count] + b->at_lower[e->block_count] > BLOCK_LONG;
    return true;
}

static bool take_values(block* b)
{
    const tml_allocator* memory = &b->allocator;
    const elimination* e = &b->e;

    b->diagonal = tml__allocate(memory, b->at_diagonal[e->node_count], sizeof(double));
    b->lower = tml__allocate(memory, b->at_lower[e->block_count], sizeof(double));
    if (b->kind == BLOCK_LU) {
        b->upper = tml__allocate(memory, b->at_upper[e->block_count], sizeof(double));
    }
    b->reciprocal = tml__allocate(memory, b->vector_length, sizeof(double));
    b->pivot = tml__allocate(memory, b->vector_length, sizeof(int));
    b->vector = tml__allocate(memory, BLOCK_VECTORS * b->vector_length, sizeof(double));
    return b->diagonal && b->lower && (b->upper || b->kind == BLOCK_CHOLESKY) && b->reciprocal &&
           b->pivot && b->vector;
}

// Different pairs of the pattern, each of which names one block of the factor.
static int count_pairs(block* b, const block_pattern* p)
{
    bool* is_met = tml__allocate(&b->allocator, (size_t)b->e.block_count, sizeof(bool));
    b->is_paired = is_met;
    if (is_met == NULL) return -1;
    int count = 0;
    for (int i = 0; i < p->pair_count; i++) {
        const int a = b->e.position[p->pair_node[2 * i]];
        const int c = b->e.position[p->pair_node[2 * i + 1]];
        const int t = tml__elimination_find(&b->e, a > c ? a : c, a > c ? c : a);
        count += is_met[t] ? 0 : 1;
        is_met[t] = true;
    }
    return count;
}

static tml_status build(block* b, const block_pattern* p, int last_count, message* why)
{
    const graph g = {p->node_count, p->pair_count, p->pair_node, last_count, p->is_late};
    const tml_status status = tml__elimination_create(&b->e, &g, &b->allocator, why);
    if (status != TML_OK) return status;

    if (take_layout(b)) {
        if (!lay_out(b, p->width)) {
            return tml__fail(why, TML_UNSUPPORTED, "%d nodes have too many unknowns",
                             p->node_count);
        }
        b->pair_count = count_pairs(b, p);
        if (b->pair_count >= 0 && take_values(b)) return TML_OK;
    }
    return tml__fail(why, TML_NO_MEMORY, "no memory for %d blocks of %d nodes",
                     b->e.block_count + b->e.node_count, p->node_count);
}

tml_status tml__block_create(const block_pattern* pattern, block_kind kind,
                             const tml_allocator* allocator, message* why, block** out)
{
    return tml__block_create_last(pattern, 0, kind, allocator, why, out);
}

tml_status tml__block_create_last(const block_pattern* pattern, int last_count, block_kind kind,
                                  const tml_allocator* allocator, message* why, block** out)
{
    *out = NULL;
    tml_status status = check_pattern(pattern, why);
    if (status != TML_OK) return status;

    block* b = tml__allocate(allocator, 1, sizeof *b);
    if (b == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for a block matrix");
    if (allocator != NULL) b->allocator = *allocator;
    b->kind = kind;
    b->factored_as = kind;
    for (int isa = TML_WIDEST_ISA; b->kernels == NULL; isa--) tml__block_use(b, (block_isa)isa);

    status = build(b, pattern, last_count, why);
    if (status != TML_OK) {
        tml__block_destroy(b);
        return status;
    }
    *out = b;
    return TML_OK;
}

void tml__block_destroy(block* b)
{
    if (b == NULL) return;

    const tml_allocator memory = b->allocator;
    tml__elimination_destroy(&b->e, &memory);
    tml__release(&memory, b->width);
    tml__release(&memory, b->stride);
    tml__release(&memory, b->first);
    tml__release(&memory, b->place);
    tml__release(&memory, b->is_paired);
    tml__release(&memory, b->at_diagonal);
    tml__release(&memory, b->at_vector);
    tml__release(&memory, b->at_lower);
    tml__release(&memory, b->at_upper);
    tml__release(&memory, b->diagonal);
    tml__release(&memory, b->lower);
    tml__release(&memory, b->upper);
    tml__release(&memory, b->reciprocal);
    tml__release(&memory, b->pivot);
    tml__release(&memory, b->vector);
    tml__release(&memory, b);
}

bool tml__block_use(block* b, block_isa isa)
{
    const block_kernels* kernels = tml__block_kernels(isa);
    if (kernels == NULL) return false;
    b->isa = isa;
    b->kernels = kernels;
    return true;
}

block_isa tml__block_isa(const block* b) { return b->isa; }

static void clear(double* values, size_t count)
{
    if (count > 0) memset(values, 0, count * sizeof(double));
}

void tml__block_clear(block* b)
{
    clear(b->diagonal, b->at_diagonal[b->e.node_count]);
    tml__block_clear_below(b, b->kind);
}

void tml__block_clear_below(block* b, block_kind kind)
{
    // the others are cleared where they are factored
    for (int t = 0; t < b->e.block_count; t++) {
        if (!b->is_paired[t]) continue;
        clear(b->lower + b->at_lower[t], b->at_lower[t + 1] - b->at_lower[t]);
        if (kind != BLOCK_LU) continue;
        clear(b->upper + b->at_upper[t], b->at_upper[t + 1] - b->at_upper[t]);
    }
}

double* tml__block_at(block* b, int a, int c)
{
    const int i = b->e.position[a];
    const int j = b->e.position[c];
    if (i == j) return b->diagonal + b->at_diagonal[i];

    const int t = tml__elimination_find(&b->e, i > j ? i : j, i > j ? j : i);
    if (t < 0 || !b->is_paired[t]) return NULL;
    if (i > j) return b->lower + b->at_lower[t];
    return b->upper != NULL ? b->upper + b->at_upper[t] : NULL;
}

tml_status tml__block_factor(block* b, int* bad_node)
{
    return tml__block_factor_as(b, b->kind, bad_node);
}

tml_status tml__block_factor_as(block* b, block_kind kind, int* bad_node)
{
    b->factored_as = kind;
    b->largest = 0.0;
    b->weakest = 0.0;
    b->strongest = DBL_MAX;
    const int failed =
        b->kernels->run(b, kind == BLOCK_LU ? BLOCK_FACTOR_LU : BLOCK_FACTOR_CHOLESKY, 0);

    b->quality = (block_quality){
        .pivot = b->weakest > 0.0 ? block_lost / b->weakest : 1.0,
        .growth = b->largest > 0.0 && b->strongest < DBL_MAX
                      ? block_lost / (b->largest * b->strongest)
                      : 1.0,
    };
    if (bad_node != NULL) *bad_node = failed >= 0 ? b->e.node[failed] : -1;
    return failed < 0 && b->quality.growth < growth_limit ? TML_OK : TML_SINGULAR;
}

block_quality tml__block_quality(const block* b) { return b->quality; }

// Solve for `count` <= BLOCK_VECTORS right-hand sides.
static void solve_some(block* b, block_task task, int count, double* x)
{
    const elimination* e = &b->e;
    const size_t unknowns = (size_t)b->first[e->node_count];

    for (int n = 0; n < count; n++) {
        double* padded = b->vector + b->vector_length * (size_t)n;
        for (int j = 0; j < e->node_count; j++) {
            const double* from = x + unknowns * (size_t)n + b->first[e->node[j]];
            for (int r = 0; r < b->width[j]; r++) padded[b->at_vector[j] + (size_t)r] = from[r];
        }
    }
    b->kernels->run(b, task, count);
    for (int n = 0; n < count; n++) {
        const double* padded = b->vector + b->vector_length * (size_t)n;
        for (int j = 0; j < e->node_count; j++) {
            double* to = x + unknowns * (size_t)n + b->first[e->node[j]];
            for (int r = 0; r < b->width[j]; r++) to[r] = padded[b->at_vector[j] + (size_t)r];
        }
    }
}

static void solve_all(block* b, block_task task, int count, double* x)
{
    const size_t unknowns = (size_t)b->first[b->e.node_count];
    if (unknowns == 0) return;

    for (int n = 0; n < count; n += BLOCK_VECTORS) {
        const int some = count - n < BLOCK_VECTORS ? count - n : BLOCK_VECTORS;
        solve_some(b, task, some, x + unknowns * (size_t)n);
    }
}

void tml__block_solve(block* b, int count, double* x)
{
    solve_all(b, b->factored_as == BLOCK_LU ? BLOCK_SOLVE_LU : BLOCK_SOLVE_CHOLESKY, count, x);
}

void tml__block_solve_transposed(block* b, int count, double* x)
{
    solve_all(b, b->factored_as == BLOCK_LU ? BLOCK_SOLVE_LU_TRANSPOSED : BLOCK_SOLVE_CHOLESKY,
              count, x);
}

block_statistics tml__block_statistics(const block* b)
{
    const elimination* e = &b->e;
    const double sides = b->kind == BLOCK_LU ? 2.0 : 1.0;
    block_statistics s = {.unknowns = b->first[e->node_count],
                          .blocks = e->block_count + e->node_count,
                          .fill = e->block_count - b->pair_count};

    s.entries = (long long)(b->at_diagonal[e->node_count] + b->at_lower[e->block_count]);
    if (b->kind == BLOCK_LU) s.entries += (long long)b->at_upper[e->block_count];
    for (int j = 0; j < e->node_count; j++) {
        // the scalar count: a node of w unknowns whose column holds h more rows below it
        const double w = b->width[j];
        double h = 0.0;
        for (int t = e->column_start[j]; t < e->column_start[j + 1]; t++) h += b->width[e->row[t]];
        s.flops += sides * (w * w * w / 3.0 + w * w * h + w * h * h);
    }
    return s;
}
