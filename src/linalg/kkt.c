// linalg/kkt.c - the front of the KKT solver: pattern, values, products, and the choice of engine.
#include "linalg/kkt.h"

#include "linalg/kkt_internal.h"

#include <math.h>
#include <string.h>

// Up to here the dense factorisation is the fastest and the most accurate.
enum {
    DENSE_UNKNOWNS = 60,
    MAX_PASSES = 30
};

static tml_status check_rows(const kkt_pattern* p, int* last_row_of_node, message* why)
{
    if (p->row_count > 0 && p->row_start[0] != 0) {
        return tml__fail(why, TML_BAD_ARGUMENT, "the entries of row 0 do not start at 0");
    }
    for (int a = 0; a < p->node_count; a++) last_row_of_node[a] = -1;
    for (int i = 0; i < p->row_count; i++) {
        if (p->row_start[i + 1] < p->row_start[i]) {
            return tml__fail(why, TML_BAD_ARGUMENT, "row %d has a negative number of entries", i);
        }
        for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
            const int a = p->row_node[e];
            if (a < 0 || a >= p->node_count) {
                return tml__fail(why, TML_BAD_ARGUMENT, "row %d names node %d of %d", i, a,
                                 p->node_count);
            }
            if (last_row_of_node[a] == i) {
                return tml__fail(why, TML_BAD_ARGUMENT, "row %d names node %d twice", i, a);
            }
            last_row_of_node[a] = i;
        }
    }
    return TML_OK;
}

static tml_status check_pairs(const kkt_pattern* p, message* why)
{
    for (int i = 0; i < p->pair_count; i++) {
        const int a = p->pair_node[2 * i];
        const int b = p->pair_node[2 * i + 1];
        if (a < 0 || b < 0 || a >= p->node_count || b >= p->node_count || a == b) {
            return tml__fail(why, TML_BAD_ARGUMENT, "pair %d couples nodes %d and %d of %d", i, a,
                             b, p->node_count);
        }
    }
    return TML_OK;
}

// memory for `count` items that also copies them from `from`, when there is something to copy
static void* duplicate(const kkt* k, const void* from, size_t count, size_t size)
{
    void* copy = tml__allocate(&k->allocator, count, size);
    if (copy != NULL && from != NULL && count > 0) memcpy(copy, from, count * size);
    return copy;
}

static tml_status copy_pattern(kkt* k, const kkt_pattern* p, message* why)
{
    const size_t nodes = (size_t)p->node_count;
    const size_t rows = (size_t)p->row_count;
    const size_t pairs = (size_t)p->pair_count;
    const size_t entries = rows > 0 ? (size_t)p->row_start[rows] : 0;

    k->node_count = p->node_count;
    k->row_count = p->row_count;
    k->pair_count = p->pair_count;
    k->entry_count = (int)entries;

    k->row_start = duplicate(k, rows > 0 ? p->row_start : NULL, rows + 1, sizeof(int));
    k->row_node = duplicate(k, p->row_node, entries, sizeof(int));
    k->pair_node = duplicate(k, p->pair_node, 2 * pairs, sizeof(int));
    k->values.node = duplicate(k, NULL, KKT_BLOCK * nodes, sizeof(double));
    k->values.pair = duplicate(k, NULL, 2 * KKT_BLOCK * pairs, sizeof(double));
    k->values.row = duplicate(k, NULL, KKT_WIDTH * entries, sizeof(double));
    k->values.push = duplicate(k, NULL, KKT_WIDTH * entries, sizeof(double));
    k->values.compliance = duplicate(k, NULL, rows, sizeof(double));

    if (!k->row_start || !k->row_node || !k->pair_node || !k->values.node || !k->values.pair ||
        !k->values.row || !k->values.push || !k->values.compliance) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %d nodes and %d rows", p->node_count,
                         p->row_count);
    }
    return TML_OK;
}

static tml_status check_pattern(const kkt_pattern* p, const tml_allocator* allocator, message* why)
{
    if (p->node_count < 0 || p->row_count < 0 || p->pair_count < 0) {
        return tml__fail(why, TML_BAD_ARGUMENT, "a count of the pattern is negative");
    }
    int* last_row_of_node = tml__allocate(allocator, (size_t)p->node_count, sizeof(int));
    if (last_row_of_node == NULL) {
        return tml__fail(why, TML_NO_MEMORY, "no memory for %d nodes", p->node_count);
    }
    tml_status status = check_rows(p, last_row_of_node, why);
    if (status == TML_OK) status = check_pairs(p, why);
    tml__release(allocator, last_row_of_node);
    return status;
}

static kkt_method choose(const kkt_pattern* p, kkt_method method)
{
    const long long unknowns = (long long)KKT_WIDTH * p->node_count + p->row_count;
    if (method != KKT_AUTO && method != KKT_AUTO_NODES) return method;
    if (unknowns <= DENSE_UNKNOWNS) return KKT_DENSE;
    return method == KKT_AUTO ? KKT_AUGMENTED : KKT_NODES;
}

static const kkt_engine* engine_of(kkt_method method)
{
    switch (method) {
    case KKT_DENSE: return &tml__kkt_dense;
    case KKT_KLU: return &tml__kkt_klu;
    case KKT_AUGMENTED: return &tml__kkt_augmented;
    case KKT_NODES: return &tml__kkt_nodes;
    case KKT_TWO_STEP: return &tml__kkt_two_step;
    case KKT_AUTO:
    case KKT_AUTO_NODES:
    case KKT_NONE: break;
    }
    return NULL;
}

tml_status tml__kkt_create(const kkt_pattern* pattern, kkt_method method,
                           const tml_allocator* allocator, message* why, kkt** out)
{
    *out = NULL;
    const tml_allocator memory = allocator != NULL ? *allocator : (tml_allocator){0};
    tml_status status = check_pattern(pattern, &memory, why);
    if (status != TML_OK) return status;

    kkt* k = tml__allocate(&memory, 1, sizeof *k);
    if (k == NULL) return tml__fail(why, TML_NO_MEMORY, "no memory for a linear solver");

    k->allocator = memory;
    k->max_passes = MAX_PASSES;
    k->method = choose(pattern, method);
    const kkt_engine* engine = engine_of(k->method);
    if (engine == NULL) {
        status = tml__fail(why, TML_UNSUPPORTED, "there is no linear solver %d", (int)method);
    }
    if (status == TML_OK) status = copy_pattern(k, pattern, why);
    if (status == TML_OK) {
        k->engine = engine;
        status = engine->create(k, why);
    }
    if (status != TML_OK) {
        tml__kkt_destroy(k);
        return status;
    }
    *out = k;
    return TML_OK;
}

void tml__kkt_set_passes(kkt* k, int passes) { k->max_passes = passes; }

void tml__kkt_destroy(kkt* k)
{
    if (k == NULL) return;

    const tml_allocator memory = k->allocator;
    if (k->engine != NULL) k->engine->destroy(k);
    tml__release(&memory, k->row_start);
    tml__release(&memory, k->row_node);
    tml__release(&memory, k->pair_node);
    tml__release(&memory, k->values.node);
    tml__release(&memory, k->values.pair);
    tml__release(&memory, k->values.row);
    tml__release(&memory, k->values.push);
    tml__release(&memory, k->values.compliance);
    tml__release(&memory, k);
}

kkt_method tml__kkt_method(const kkt* k) { return k != NULL ? k->method : KKT_NONE; }

kkt_values* tml__kkt_values(kkt* k) { return &k->values; }

kkt_pattern tml__kkt_pattern(const kkt* k)
{
    return (kkt_pattern){.node_count = k->node_count,
                         .row_count = k->row_count,
                         .row_start = k->row_start,
                         .row_node = k->row_node,
                         .pair_count = k->pair_count,
                         .pair_node = k->pair_node};
}

kkt_statistics tml__kkt_statistics(const kkt* k)
{
    return k != NULL ? k->engine->statistics(k) : (kkt_statistics){0};
}

static void clear(double* values, size_t count)
{
    if (count > 0) memset(values, 0, count * sizeof(double));
}

void tml__kkt_clear_blocks(kkt* k)
{
    clear(k->values.node, (size_t)KKT_BLOCK * (size_t)k->node_count);
    tml__kkt_clear_pairs(k);
}

void tml__kkt_clear_pairs(kkt* k)
{
    if (!k->values.is_pairless) {
        clear(k->values.pair, (size_t)(2 * KKT_BLOCK) * (size_t)k->pair_count);
    }
    k->values.is_two_sided = false;
    k->values.is_pairless = false;
    k->values.is_kept = false;
}

void tml__kkt_clear(kkt* k)
{
    tml__kkt_clear_blocks(k);
    clear(k->values.row, (size_t)KKT_WIDTH * (size_t)k->entry_count);
    clear(k->values.compliance, (size_t)k->row_count);
    k->values.has_rows = false;
}

void tml__kkt_push_rows(kkt* k)
{
    double* push = k->values.push;
    k->values.push = k->values.row;
    k->values.row = push;
    k->values.has_rows = false;
}

// Infinities and NaNs stay what they are when multiplied by zero and added up. Several sums, so
// that one need not wait for the other.
static bool is_finite(const double* values, size_t count)
{
    double sum[8] = {0.0};
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        for (size_t j = 0; j < 8; j++) sum[j] += 0.0 * values[i + j];
    }
    for (; i < count; i++) sum[0] += 0.0 * values[i];
    for (size_t j = 1; j < 8; j++) sum[0] += sum[j];
    return sum[0] == 0.0;
}

// The first row with a value that is not finite, -1 when there is none.
static int find_bad_row(const kkt* k)
{
    for (int i = 0; i < k->row_count; i++) {
        const size_t first = (size_t)KKT_WIDTH * (size_t)k->row_start[i];
        const size_t count = (size_t)KKT_WIDTH * (size_t)(k->row_start[i + 1] - k->row_start[i]);
        if (!is_finite(k->values.row + first, count)) return i;
        if (k->values.is_two_sided && !is_finite(k->values.push + first, count)) return i;
        if (!is_finite(k->values.compliance + i, 1)) return i;
    }
    return -1;
}

const double* tml__kkt_push(const kkt* k)
{
    return k->values.is_two_sided ? k->values.push : k->values.row;
}

bool tml__kkt_is_finite(const kkt* k, int* row)
{
    const kkt_values* v = &k->values;
    const size_t entries = (size_t)KKT_WIDTH * (size_t)k->entry_count;
    const bool has_good_rows = is_finite(v->row, entries) &&
                               (!v->is_two_sided || is_finite(v->push, entries)) &&
                               is_finite(v->compliance, (size_t)k->row_count);

    *row = has_good_rows ? -1 : find_bad_row(k);
    const size_t pairs = v->is_pairless ? 0 : (size_t)(2 * KKT_BLOCK) * (size_t)k->pair_count;
    return has_good_rows && is_finite(v->node, (size_t)KKT_BLOCK * (size_t)k->node_count) &&
           is_finite(v->pair, pairs);
}

tml_status tml__kkt_factor(kkt* k, int* bad_row)
{
    int row = -1;

    k->is_factored = false;
    const bool is_good = k->engine->checks_values || tml__kkt_is_finite(k, &row);
    const tml_status status = is_good ? k->engine->factor(k, &row) : TML_SINGULAR;
    k->is_factored = status == TML_OK;
    if (bad_row != NULL) *bad_row = row;
    return status;
}

void tml__kkt_forget(kkt* k)
{
    if (k != NULL && k->engine->forget != NULL) k->engine->forget(k);
}

tml_status tml__kkt_solve(kkt* k, const double* r, const double* c, double* dx, double* dl)
{
    return k->is_factored ? k->engine->solve(k, KKT_PLAIN, r, c, dx, dl) : TML_BAD_ARGUMENT;
}

tml_status tml__kkt_factor_solve(kkt* k, const kkt_sides* sides, int* bad_row)
{
    int row = -1;

    if (k->engine->factor_solve != NULL) {
        const tml_status both = k->engine->factor_solve(k, sides, &row);
        k->is_factored = both == TML_OK;
        if (bad_row != NULL) *bad_row = row;
        return both;
    }
    const tml_status status = tml__kkt_factor(k, bad_row);
    if (status != TML_OK) return status;
    return tml__kkt_solve(k, sides->r, sides->c, sides->dx, sides->dl);
}

tml_status tml__kkt_solve_transposed(kkt* k, const double* r, const double* c, double* dx,
                                     double* dl)
{
    return k->is_factored ? k->engine->solve(k, KKT_TRANSPOSED, r, c, dx, dl) : TML_BAD_ARGUMENT;
}

double tml__kkt_row_residual(const kkt* k, int* row)
{
    int worst = -1;
    const double residual = k->engine->row_residual ? k->engine->row_residual(k, &worst) : 0.0;

    if (row != NULL) *row = worst;
    return residual;
}

tml_status tml__kkt_least_norm(kkt* k, const double* weights, double* lambda)
{
    return k->engine->least_norm ? k->engine->least_norm(k, weights, lambda) : TML_OK;
}

void tml__kkt_relax(kkt* k, double* lambda, double* force)
{
    clear(force, (size_t)KKT_WIDTH * (size_t)k->node_count);
    if (k->is_factored && k->engine->relax != NULL) k->engine->relax(k, lambda, force);
}

// r_a += K_ab x_b
static void add_block(const double* block, int a, int b, const double* x, double* r)
{
    for (int i = 0; i < KKT_WIDTH; i++) {
        double sum = 0.0;
        for (int j = 0; j < KKT_WIDTH; j++) sum += block[KKT_WIDTH * i + j] * x[KKT_WIDTH * b + j];
        r[KKT_WIDTH * a + i] += sum;
    }
}

// r_b += K_ab^T x_a
static void add_transposed(const double* block, int a, int b, const double* x, double* r)
{
    for (int i = 0; i < KKT_WIDTH; i++) {
        for (int j = 0; j < KKT_WIDTH; j++) {
            r[KKT_WIDTH * b + j] += block[KKT_WIDTH * i + j] * x[KKT_WIDTH * a + i];
        }
    }
}

void tml__kkt_add_blocks(const kkt* k, const double* x, double* r)
{
    const kkt_values* v = &k->values;

    for (int a = 0; a < k->node_count; a++) add_block(v->node + KKT_BLOCK * (size_t)a, a, a, x, r);
    for (int p = 0; p < k->pair_count && !v->is_pairless; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        add_block(v->pair + 2 * KKT_BLOCK * (size_t)p, a, b, x, r);
        add_block(v->pair + 2 * KKT_BLOCK * (size_t)p + KKT_BLOCK, b, a, x, r);
    }
}

void tml__kkt_add_blocks_transposed(const kkt* k, const double* x, double* r)
{
    const kkt_values* v = &k->values;

    for (int a = 0; a < k->node_count; a++) {
        add_transposed(v->node + KKT_BLOCK * (size_t)a, a, a, x, r);
    }
    for (int p = 0; p < k->pair_count && !v->is_pairless; p++) {
        const int a = k->pair_node[2 * p];
        const int b = k->pair_node[2 * p + 1];
        add_transposed(v->pair + 2 * KKT_BLOCK * (size_t)p, a, b, x, r);
        add_transposed(v->pair + 2 * KKT_BLOCK * (size_t)p + KKT_BLOCK, b, a, x, r);
    }
}

void tml__kkt_apply(const kkt* k, const double* dx, const double* dl, double* r, double* c)
{
    const kkt_values* v = &k->values;

    clear(r, (size_t)KKT_WIDTH * (size_t)k->node_count);
    tml__kkt_add_blocks(k, dx, r);
    for (int i = 0; i < k->row_count; i++) {
        double sum = v->compliance[i] * dl[i];
        for (int e = k->row_start[i]; e < k->row_start[i + 1]; e++) {
            const double* gradient = v->row + KKT_WIDTH * (size_t)e;
            const double* push = tml__kkt_push(k) + KKT_WIDTH * (size_t)e;
            const int a = KKT_WIDTH * k->row_node[e];
            for (int j = 0; j < KKT_WIDTH; j++) {
                sum += gradient[j] * dx[a + j];
                r[a + j] -= push[j] * dl[i];
            }
        }
        c[i] = sum;
    }
}
